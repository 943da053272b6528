//! One game in play: run, log, decisions, timeline and branches, replay files, reload.
//!
//! A [`Playthrough`] is (ruleset, seats, seed, log) and what came of it. Whatever a person does to it makes another
//! log or another ruleset, and then the rules run again from the beginning: there is no second copy of a rule anywhere,
//! and nothing that could get out of step.

pub mod change;
pub mod chosen;
pub mod log;
mod long_text;
pub mod opened;
pub mod replay;
pub mod run;
pub mod spelling;
pub mod timeline;
pub mod travel;
pub mod verdict;

use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::ruleset::Ruleset;
use crate::script::check::Lint;
use crate::script::layering::FunctionInfo;
use crate::script::worker::Worker;
use crate::script::{End, Entry as Start, Interpreter, Rules, TriedOut, Untried};
use crate::table::decision::{Decision, Halt};
use crate::table::event::{Event, ScriptPoint, What};
use crate::table::layout::Layout;
use crate::table::value::{Seat, Seats, Value, Zone};
use crate::table::{Recording, State, Table};
use crate::work::{Work, interrupted};
use change::Change;
use chosen::Chosen;
use log::Entry;
use run::{Agent, Outcome, Request, Until, run};
use std::sync::Arc;
use timeline::Timeline;

/// How many changes of the rules can be taken back.
const KEPT_CHANGES: usize = 8;

/// A ruleset with the thread that executes it.
#[derive(Clone)]
pub struct Loaded {
    /// The rules.
    pub ruleset: Arc<Ruleset>,
    /// The fixed part of their table.
    pub layout: Arc<Layout>,
    /// What is worth saying about them.
    pub warnings: Arc<[Diagnostic]>,
    /// What people read and the game has no words for.
    pub untold: Arc<[Diagnostic]>,
    /// What is there for nothing, which matters to whoever writes the rules.
    pub lints: Arc<[Lint]>,
    /// Every function of their scripts.
    pub functions: Arc<[FunctionInfo]>,
    worker: Arc<Worker<Interpreter>>,
}

/// Where a playthrough stands.
#[derive(Clone, Debug)]
pub struct Position {
    /// The open decision; nothing when the game is over or the rules failed.
    pub open: Option<Arc<Decision>>,
    /// Why the rules could not go on.
    pub failed: Option<Box<Diagnostic>>,
    /// Everything on the table.
    pub table: State,
    /// Scores in seat order.
    pub scores: Vec<i64>,
    /// Seats by rank, equal ones together.
    pub ranking: Vec<Vec<Seat>>,
    /// What happened, in order.
    pub events: Vec<Event>,
    /// What each seat would score if the game ended here, award by award; empty where the game does not say.
    pub standings: Vec<Vec<Event>>,
    /// Marks and notes that the rules give for zones.
    pub captions: Vec<Caption>,
    /// What went wrong as the game was asked for standings and captions: they are missing then.
    pub undrawn: Vec<Diagnostic>,
    /// Rigs that have not come to be used, as they are typed.
    pub waiting_rigs: Vec<String>,
}

/// A mark before a zone and a note behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Caption {
    /// The zone.
    pub zone: Zone,
    /// What stands before it: one thing, or a list of them.
    pub mark: Option<Value>,
    /// What stands behind it.
    pub note: Option<Value>,
}

/// One game in play.
pub struct Playthrough {
    loaded: Loaded,
    /// The number of seats.
    pub seats: usize,
    /// The seed of chance.
    pub seed: u64,
    timeline: Timeline,
    resolved: Vec<Option<u64>>,
    position: Position,
    changes: Vec<Taken>,
    undone: Vec<Taken>,
    rerolls: u32,
}

/// A log that was run under some rules, away from the game in play.
pub struct Followed {
    /// The log, as far as it fits.
    pub log: Vec<Entry>,
    /// What came of it.
    pub position: Position,
    /// The entry behind it that does not fit, if one is left.
    pub misfit: Option<Misfit>,
    resolved: Vec<Option<u64>>,
}

/// A change of the rules, with what was before it.
#[derive(Clone)]
struct Taken {
    loaded: Loaded,
    timeline: Timeline,
    /// Where the game stood right after the change.
    after: Timeline,
}

impl Loaded {
    /// Compiles a ruleset on a thread of its own.
    ///
    /// # Errors
    /// The number of players is not allowed; whatever does not compile.
    pub fn compile(ruleset: Arc<Ruleset>, seats: usize, work: Arc<Work>) -> Result<Self, Vec<Diagnostic>> {
        ruleset.check_players(seats).map_err(|error| vec![error])?;
        let (rules, wire) = (ruleset.clone(), work.clone());
        let worker = Worker::start(move || Interpreter::new(rules, seats, wire));
        // Scripts that were not read to their end say nothing of themselves.
        work.refuse_stopped().map_err(|error| vec![error])?;
        let worker = worker?;
        let facts = worker.call(|rules| {
            let (warnings, untold, lints) = (rules.warnings().into(), rules.untold().into(), rules.lints().into());
            (rules.table().layout().clone(), warnings, untold, lints, rules.functions().into())
        });
        let (layout, warnings, untold, lints, functions) = facts.map_err(|error| vec![error])?;
        Ok(Self { ruleset, layout, warnings, untold, lints, functions, worker: Arc::new(worker) })
    }

    /// Runs a log as far as it fits.
    ///
    /// # Errors
    /// The interpreter crashed. That the rules fail is no error: the position says so.
    pub fn follow(&self, seed: u64, log: &[Entry]) -> Result<Followed, Diagnostic> {
        let (outcome, position) = look(self, seed, log, &[], None)?;
        let Some(misfit) = misfit(&outcome, log) else {
            return Ok(Followed { log: outcome.log, position, misfit: None, resolved: outcome.resolved });
        };
        // The table stands as it did in the middle of what does not fit.
        let (outcome, position) = look(self, seed, &outcome.log[..outcome.used], &[], None)?;
        Ok(Followed { log: outcome.log, position, misfit: Some(misfit), resolved: outcome.resolved })
    }

    /// Does something with the rules on their thread.
    ///
    /// # Errors
    /// The interpreter crashed.
    pub fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Interpreter) -> T + Send + 'static,
    ) -> Result<T, Diagnostic> {
        self.worker.call(work)
    }
}

impl Playthrough {
    /// A game from its beginning, or along a log as far as that fits.
    ///
    /// # Errors
    /// The interpreter crashed. That the rules fail, or a log does not fit, is no error: the position says so.
    pub fn start(
        loaded: Loaded,
        seats: usize,
        seed: u64,
        log: Vec<Entry>,
    ) -> Result<(Self, Option<Misfit>), Diagnostic> {
        Self::along(loaded, seats, seed, Timeline::new(log))
    }

    /// A game that stands where a timeline stands, as far as that fits.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn along(
        loaded: Loaded,
        seats: usize,
        seed: u64,
        mut timeline: Timeline,
    ) -> Result<(Self, Option<Misfit>), Diagnostic> {
        let Followed { log: exact, position, misfit, resolved } = loaded.follow(seed, timeline.log())?;
        timeline.make_exact(&exact);
        if misfit.is_some() {
            timeline.cut(exact.len());
        }
        let (changes, undone) = (Vec::new(), Vec::new());
        let playthrough = Self { loaded, seats, seed, timeline, resolved, position, changes, undone, rerolls: 0 };
        Ok((playthrough, misfit))
    }

    /// The rules in play.
    pub fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    /// Where the game stands.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Where it stands in its log, and the other ways it went.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// Answers the open decision with options by their labels.
    ///
    /// # Errors
    /// No decision is open; a label that is not among the options, with the reason if the rules gave one; not the
    /// right number of options.
    pub fn choose(&mut self, labels: &[String]) -> Result<(), Diagnostic> {
        let Some(decision) = self.position.open.clone() else {
            return Err(Diagnostic::new("no decision is open").help("`undo` goes back to one, `quit` leaves"));
        };
        for label in labels {
            if !decision.options.iter().any(|option| option.label == *label) {
                return Err(not_an_option(&decision, label));
            }
        }
        if let Some(twice) = labels.iter().enumerate().find(|(place, label)| labels[..*place].contains(label)) {
            return Err(Diagnostic::new(format!("{} is chosen twice", twice.1)).help("each option can be chosen once"));
        }
        if labels.len() < decision.min || labels.len() > decision.max {
            let were = if labels.len() == 1 { "option was" } else { "options were" };
            let wanted = match (decision.min, decision.max) {
                (min, max) if min == max => min.to_string(),
                (min, max) => format!("{min} to {max}"),
            };
            let help = format!("choose {wanted}, with spaces between");
            return Err(Diagnostic::new(format!("{} {were} chosen", labels.len())).help(help));
        }
        let faces = &self.position.table.faces;
        let options = || decision.options.iter().map(|option| &option.value);
        let chosen = labels.iter().filter_map(|label| decision.options.iter().find(|option| option.label == *label));
        let chosen = chosen.map(|option| Chosen::of(&self.loaded.layout, faces, &option.value, options())).collect();
        let (seat, prompt) = (decision.seat, decision.prompt.to_string());
        self.refresh_after(|timeline| timeline.append(Entry::Choice { seat, prompt, chosen })).map(drop)
    }

    /// Changes something by hand.
    ///
    /// # Errors
    /// What was to be changed does not exist, or does not take the value.
    pub fn intervene(&mut self, entry: Entry) -> Result<(), Diagnostic> {
        let before = self.timeline.clone();
        // The deal has happened by the first decision; who rigs it there means that deal.
        match self.refresh_after(|timeline| timeline.append(entry))? {
            None => Ok(()),
            Some(misfit) => {
                self.refresh_after(|timeline| *timeline = before)?;
                Err(Diagnostic::new(misfit.reason))
            }
        }
    }

    /// Lets an agent answer from here on, as far as asked; gives the number of choices made.
    ///
    /// # Errors
    /// The interpreter crashed.
    pub fn advance(&mut self, agent: Box<dyn Agent>, until: Until) -> Result<usize, Diagnostic> {
        let log = self.timeline.log();
        let (outcome, position) = look(&self.loaded, self.seed, log, &self.resolved, Some((agent, until)))?;
        let count = outcome.added.len();
        for entry in outcome.added {
            self.timeline.append(entry);
        }
        self.resolved = outcome.resolved;
        self.position = position;
        Ok(count)
    }

    /// Takes back the last thing: a change of the rules, or the last entry of the log. Gives what was taken back.
    ///
    /// # Errors
    /// Nothing to take back; the interpreter crashed.
    pub fn undo(&mut self) -> Result<String, Diagnostic> {
        if self.undoes_rules()
            && let Some(taken) = self.changes.last().cloned()
        {
            let was = self.loaded.ruleset.clone();
            let taken = self.exchange(taken)?;
            self.changes.pop();
            self.undone.push(taken);
            return Ok(change::rules_in_words(&was, &self.loaded.ruleset));
        }
        let cursor = self.timeline.cursor();
        let Some(entry) = self.timeline.log().last().map(ToString::to_string) else {
            return Err(Diagnostic::new("this is the beginning").help("`reroll` deals anew, `goto` goes forward"));
        };
        self.refresh_after(|timeline| timeline.go_to(cursor - 1))?;
        Ok(entry)
    }

    /// Does again what was last taken back. Gives what it was.
    ///
    /// # Errors
    /// Nothing was taken back; the interpreter crashed.
    pub fn redo(&mut self) -> Result<String, Diagnostic> {
        if self.redoes_rules()
            && let Some(taken) = self.undone.last().cloned()
        {
            let was = self.loaded.ruleset.clone();
            let taken = self.exchange(taken)?;
            self.undone.pop();
            let words = change::rules_in_words(&self.loaded.ruleset, &was);
            self.changes.push(taken);
            return Ok(words);
        }
        let cursor = self.timeline.cursor();
        let Some(entry) = self.timeline.current().log.get(cursor).map(ToString::to_string) else {
            return Err(Diagnostic::new("nothing was taken back here"));
        };
        match self.refresh_after(|timeline| timeline.go_to(cursor + 1))? {
            None => Ok(entry),
            Some(Misfit { number, reason, .. }) => {
                Err(Diagnostic::new(format!("move {number}, {entry}, no longer fits: {reason}")))
            }
        }
    }

    /// Whether [`undo`](Self::undo) takes back a change of the rules: whatever was named or marked since, the log is as
    /// it was right after the change.
    pub fn undoes_rules(&self) -> bool {
        self.changes.last().is_some_and(|taken| taken.after.log() == self.timeline.log())
    }

    /// Whether [`redo`](Self::redo) does a change of the rules again.
    pub fn redoes_rules(&self) -> bool {
        let stands = (self.timeline.cursor(), &self.timeline.current().log);
        self.undone.last().is_some_and(|taken| (taken.after.cursor(), &taken.after.current().log) == stands)
    }

    /// Goes to the other side of a change of the rules; gives what leads back.
    fn exchange(&mut self, taken: Taken) -> Result<Taken, Diagnostic> {
        let timeline = self.timeline.clone();
        let loaded = std::mem::replace(&mut self.loaded, taken.loaded);
        let resolved = std::mem::take(&mut self.resolved);
        let went = self.refresh_after(|timeline| match *timeline == taken.after {
            true => *timeline = taken.timeline,
            false => timeline.return_to(taken.timeline.log()),
        });
        if let Err(error) = went {
            (self.loaded, self.resolved) = (loaded, resolved);
            return Err(error);
        }
        Ok(Taken { loaded, timeline, after: self.timeline.clone() })
    }

    /// Draws the chance that followed the last choice anew; at the beginning, deals anew. Where the choice no longer
    /// fits, the game stands before it.
    ///
    /// # Errors
    /// The interpreter crashed.
    pub fn reroll(&mut self) -> Result<(), Diagnostic> {
        self.rerolls += 1;
        let used = |entry: &Entry| if let Entry::Reroll(number) = entry { Some(*number) } else { None };
        let highest = self.timeline.branches().iter().flat_map(|branch| branch.log.iter().filter_map(used)).max();
        self.rerolls = self.rerolls.max(highest.unwrap_or(0) + 1);
        let log = self.timeline.log();
        let last_choice = log.iter().rposition(|entry| !entry.is_intervention()).unwrap_or(0);
        let (before, after) = log.split_at(last_choice);
        // Rerolls of the same moment give way to the new one.
        let rerolls_at_end = before.iter().rev().take_while(|entry| matches!(entry, Entry::Reroll(_))).count();
        let mut log = before[..before.len() - rerolls_at_end].to_vec();
        log.push(Entry::Reroll(self.rerolls));
        log.extend(after.iter().filter(|entry| !matches!(entry, Entry::Reroll(_))).cloned());
        self.refresh_after(|timeline| timeline.replace(log)).map(drop)
    }

    /// Runs the same log under other rules, and tells what that changes. The state before can be had back by `undo`.
    ///
    /// # Errors
    /// The interpreter crashed.
    pub fn change_rules(&mut self, loaded: Loaded) -> Result<Change, Diagnostic> {
        let Followed { log, position, misfit, resolved } = loaded.follow(self.seed, self.timeline.log())?;
        let before = self.timeline.clone();
        if misfit.is_some() {
            self.timeline.cut(log.len());
        }
        let change = Change::between((&self.loaded, &self.position), (&loaded, &position), misfit);
        self.go_over(loaded, resolved, position, before);
        Ok(change)
    }

    /// Runs the same log under other rules, and goes over to them only if all of it fits.
    ///
    /// # Errors
    /// The interpreter crashed.
    pub fn try_rules(&mut self, loaded: Loaded) -> Result<Tried, Diagnostic> {
        let Followed { position, misfit, resolved, .. } = loaded.follow(self.seed, self.timeline.log())?;
        if let Some(misfit) = misfit {
            return Ok(Tried::Misfits(Box::new(loaded), misfit));
        }
        if let Some(failed) = position.failed.as_ref().filter(|_| self.position.failed.is_none()) {
            return Ok(Tried::Fails(failed.clone()));
        }
        let change = Change::between((&self.loaded, &self.position), (&loaded, &position), None);
        self.go_over(loaded, resolved, position, self.timeline.clone());
        Ok(Tried::Fits(Box::new(change)))
    }

    /// Goes over to other rules, where the same log leads to a position; `before` is the timeline to come back to.
    fn go_over(&mut self, loaded: Loaded, resolved: Vec<Option<u64>>, position: Position, before: Timeline) {
        (self.resolved, self.position) = (resolved, position);
        let loaded = std::mem::replace(&mut self.loaded, loaded);
        self.changes.push(Taken { loaded, timeline: before, after: self.timeline.clone() });
        if self.changes.len() > KEPT_CHANGES {
            self.changes.remove(0);
        }
        self.undone.clear();
    }

    /// Evaluates an expression on a copy of the table.
    ///
    /// # Errors
    /// Whatever the expression runs into.
    pub fn evaluate(&self, expression: &str) -> Result<TriedOut, Box<Diagnostic>> {
        let expression = expression.to_owned();
        self.loaded.call(move |rules| rules.evaluate(&expression)).unwrap_or_else(|error| Err(Box::new(error)))
    }

    /// Whether an expression could be evaluated, as far as its grammar goes.
    ///
    /// # Errors
    /// It does not parse.
    pub fn parse(&self, expression: &str) -> Result<(), Box<Diagnostic>> {
        let expression = expression.to_owned();
        self.loaded.call(move |rules| rules.parse(&expression)).unwrap_or_else(|error| Err(Box::new(error)))
    }

    /// Changes the timeline and runs the log that it has then; gives the entry that does not fit, before which the game
    /// stands. Where the run cannot come to its end, everything stands as before.
    ///
    /// # Errors
    /// Somebody stopped the run; the interpreter crashed.
    fn refresh_after<T>(&mut self, change: impl FnOnce(&mut Timeline) -> T) -> Result<Option<Misfit>, Diagnostic> {
        let before = (self.timeline.clone(), self.resolved.clone());
        change(&mut self.timeline);
        let refreshed = self.refresh();
        if refreshed.is_err() {
            (self.timeline, self.resolved) = before;
        }
        refreshed
    }

    fn refresh(&mut self) -> Result<Option<Misfit>, Diagnostic> {
        self.resolved.truncate(self.timeline.cursor());
        let (outcome, position) = look(&self.loaded, self.seed, self.timeline.log(), &self.resolved, None)?;
        let misfit = misfit(&outcome, self.timeline.log());
        self.timeline.make_exact(&outcome.log);
        self.resolved = outcome.resolved;
        self.position = position;
        if misfit.is_some() {
            // The table stands as it did in the middle of what does not fit.
            self.timeline.go_to(outcome.used);
            self.refresh()?;
        }
        Ok(misfit)
    }
}

/// What became of a game when other rules were tried.
pub enum Tried {
    /// All of it fits, and the rules are in play; what they changed.
    Fits(Box<Change>),
    /// An entry of the log does not fit; the game is as it was, and here are the rules.
    Misfits(Box<Loaded>, Misfit),
    /// The rules fail; the game is as it was.
    Fails(Box<Diagnostic>),
}

/// An entry of a log that does not fit the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Misfit {
    /// Its number, from 1.
    pub number: usize,
    /// The entry.
    pub entry: Entry,
    /// Why it does not fit.
    pub reason: String,
    /// Where in the rules something else is asked instead; nothing where the game is over before it.
    pub at: Option<ScriptPoint>,
}

fn misfit(outcome: &Outcome, log: &[Entry]) -> Option<Misfit> {
    let reason = outcome.misfit.clone()?;
    let entry = log.get(outcome.used)?.clone();
    let at = outcome.open.as_ref().filter(|_| !entry.is_intervention()).map(|open| open.at);
    Some(Misfit { number: outcome.used + 1, entry, reason, at })
}

/// Runs a log on the rules' own thread and looks at what came of it.
fn look(
    loaded: &Loaded,
    seed: u64,
    log: &[Entry],
    resolved: &[Option<u64>],
    beyond: Option<(Box<dyn Agent>, Until)>,
) -> Result<(Outcome, Position), Diagnostic> {
    let (log, resolved) = (log.to_vec(), resolved.to_vec());
    let (agent, until) = match beyond {
        Some((agent, until)) => (Some(agent), until),
        None => (None, Until::LogEnds),
    };
    loaded.call(move |rules| {
        let recording = Some(Recording::default());
        let mut outcome = run(rules, Request { start: Start::Game, seed, log, resolved, agent, until, recording });
        if outcome.end == End::Halted(Halt::Stopped) {
            return Err(interrupted());
        }
        let position = position(rules, &mut outcome);
        Ok((outcome, position))
    })?
}

/// Where a game stands after a run.
pub(crate) fn position(rules: &mut dyn Rules, outcome: &mut Outcome) -> Position {
    let failed = match &outcome.end {
        End::Failed(diagnostic) | End::Endless(diagnostic) => Some(diagnostic.clone()),
        End::Finished | End::Halted(_) => None,
    };
    let open = match &outcome.end {
        End::Halted(Halt::Open | Halt::Misfit { .. }) => outcome.open.clone(),
        _ => None,
    };
    let waiting_rigs = waiting_rigs(&rules.table());
    let Worked { standings, captions, undrawn } = worked_out(rules, open.is_some());
    Position {
        open,
        failed,
        table: outcome.table.clone(),
        scores: outcome.scores.clone(),
        ranking: outcome.ranking.clone(),
        events: outcome.recording.take().unwrap_or_default().events,
        standings,
        captions,
        undrawn,
        waiting_rigs,
    }
}

fn waiting_rigs(table: &Table) -> Vec<String> {
    let in_words = |(stream, result): (&str, &[Value])| {
        let labels: Vec<String> = result.iter().map(|value| table.option_label(value)).collect();
        format!("rig {stream} {}", labels.join(" "))
    };
    table.chance.waiting().map(in_words).collect()
}

/// What came of a function that the host asks for what it draws. One that asks a player has nothing to say before the
/// game asks, and one that was left out nothing new; one that fails is told about, once for each place.
fn tried(tried: Result<TriedOut, Untried>, what: &str, undrawn: &mut Vec<Diagnostic>) -> Option<TriedOut> {
    match tried {
        Ok(tried) => Some(tried),
        Err(Untried::Asks | Untried::LeftOut) => None,
        Err(Untried::Failed(diagnostic)) => {
            let told = diagnostic.help(format!("so {what} are not shown; the game goes on without"));
            if !undrawn.iter().any(|other| (&other.message, &other.place) == (&told.message, &told.place)) {
                undrawn.push(told);
            }
            None
        }
    }
}

/// What the game's own functions say about a position, for a drawing of it.
pub(crate) struct Worked {
    pub(crate) standings: Vec<Vec<Event>>,
    pub(crate) captions: Vec<Caption>,
    undrawn: Vec<Diagnostic>,
}

/// What each seat would score now, by the game's own scoring function, and what the rules say about zones: all of it on
/// copies of the table, and with one budget.
pub(crate) fn worked_out(rules: &mut dyn Rules, with_standings: bool) -> Worked {
    let layout = rules.table().layout().clone();
    let standing = layout.definition.standing.as_deref().filter(|_| with_standings);
    let seats = || Seats::all(layout.seats).into_iter().map(Value::Seat);
    let mut calls: Vec<(&str, Value)> =
        standing.iter().flat_map(|function| seats().map(|seat| (*function, seat))).collect();
    let scored = calls.len();
    let mut captions: Vec<Caption> = Vec::new();
    // Of each call for a zone, whose caption it is for, and whether for its mark.
    let mut parts: Vec<(usize, bool)> = Vec::new();
    for zone in (0..layout.zones.len()).map(|number| Zone(number as u16)) {
        let definition = layout.zone_definition(zone);
        let functions = [(&definition.mark, true), (&definition.note, false)];
        let functions = functions.into_iter().filter_map(|(function, is_mark)| Some((function.as_deref()?, is_mark)));
        if rules.table().zone(zone).is_empty() || functions.clone().next().is_none() {
            continue;
        }
        for (function, is_mark) in functions {
            calls.push((function, Value::Zone(zone)));
            parts.push((captions.len(), is_mark));
        }
        captions.push(Caption { zone, mark: None, note: None });
    }
    let mut called = rules.try_all(&calls).into_iter();
    let mut undrawn = Vec::new();
    let of_seats: Vec<Option<TriedOut>> =
        called.by_ref().take(scored).map(|called| tried(called, "standings", &mut undrawn)).collect();
    let awards = |tried: Option<TriedOut>| {
        let mut events = tried?.recording.events;
        events.retain(|event| matches!(event.what, What::Award { .. }));
        Some(events)
    };
    // Where one seat has none, there are no standings to compare.
    let standings = of_seats.into_iter().map(awards).collect::<Option<_>>().unwrap_or_default();
    for (&(number, is_mark), called) in parts.iter().zip(called) {
        let tried = tried(called, "marks and notes of zones", &mut undrawn);
        if let (Some(caption), Some(tried)) = (captions.get_mut(number), tried) {
            *(if is_mark { &mut caption.mark } else { &mut caption.note }) = tried.value;
        }
    }
    Worked { standings, captions, undrawn }
}

fn not_an_option(decision: &Decision, label: &str) -> Diagnostic {
    if let Some((_, reason)) = decision.refused.iter().find(|(option, _)| option.label == label) {
        return Diagnostic::new(format!("{label} is not allowed: {reason}"));
    }
    let labels: Vec<&str> = decision.options.iter().map(|option| option.label.as_str()).collect();
    let error = Diagnostic::new(format!("{label} is not among the options"));
    match did_you_mean(label, labels.iter().copied()) {
        Some(help) => error.help(help),
        None => error.help(format!("the options are {}", labels.join(", "))),
    }
}
