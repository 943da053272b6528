//! A game in play: run, log, decisions, timeline and branches, replay files, and reload of changed rules.
//!
//! A [`Playthrough`] is (ruleset, seats, seed, log) and everything that follows from these. Each command produces
//! another log or another ruleset, and the rules run along it: no rule exists twice, and nothing can get out of sync.
//! What two logs share is run once: [`checkpointed`] keeps copies of the run along the way.

mod answer;
pub mod belief;
pub mod campaign;
pub mod change;
pub mod checkpointed;
pub mod chosen_value;
pub mod comments;
pub mod determinize;
pub mod driver;
pub mod entry_text;
pub mod hidden_choices;
pub mod history;
pub mod log;
pub mod long_text;
mod mail;
pub mod misfit;
pub mod observation;
mod playable;
pub mod playtest;
mod position;
pub mod replay;
pub mod rerun;
mod review;
pub mod rules_cache;
mod rules_change;
pub mod run;
pub mod saved_game;
mod simultaneous;
pub mod spelling;
pub mod timeline;
pub mod travel;
mod undo;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::script::{End, Evaluation, Start};
use crate::table::knowledge::{ObservedPosition, Viewer};
use crate::table::value::Value;
use crate::work::Work;
use checkpointed::CheckpointedRun;
use log::{Entry, LogEntry};
pub use misfit::Misfit;
use observation::Agent;
use playable::go_along;
pub use playable::{DryRun, Playable};
use playtest::PlaytestRecord;
use position::position;
pub use position::{Caption, OwnWords, Position, worked_out};
pub use rules_change::RulesTrial;
use run::Until;
use simultaneous::EarlyAnswers;
use std::sync::Arc;
use timeline::Timeline;
use undo::Transition;

/// A game in play.
pub struct Playthrough {
    loaded: Playable,
    /// The number of seats.
    pub seats: usize,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Where the rules begin: with the game, except in a playthrough of a scenario.
    start: Start,
    timeline: Timeline,
    track: CheckpointedRun,
    position: Position,
    changes: Vec<Transition>,
    undone: Vec<Transition>,
    rerolls: u32,
    /// The value of `_` in the next evaluated expression.
    last_value: Option<Value>,
    early: EarlyAnswers,
    left_out: SkippedEntries,
    /// Thinking times and marks of the people who play.
    pub playtest: PlaytestRecord,
}

/// Log entries that answer settings which the rules do not [ask](Entry::is_settled), each with its number in the log,
/// from 1. They are left out, and everything after them is played.
pub type SkippedEntries = Vec<(usize, LogEntry)>;

/// The original number of a move in a log of which `left_out` was left out.
pub fn number_in_log(left_out: &[(usize, LogEntry)], moves: usize) -> usize {
    // Number 0 stands for what happens before the first move; it stays 0.
    let is_before = |left_out: usize, number: usize| moves > 0 && left_out <= number;
    left_out.iter().fold(moves, |number, (left_out, _)| number + usize::from(is_before(*left_out, number)))
}

impl Playthrough {
    /// Prepares a copy of the game as it stands, with its own [`Work`]. The copy is made when the result is called, on
    /// any thread.
    pub fn deferred_copy(&self) -> impl FnOnce(Arc<Work>) -> Result<Self, Diagnostics> + Send + use<> {
        let (ruleset, start, timeline) = (self.loaded.ruleset.clone(), self.start.clone(), self.timeline.clone());
        let (seats, seed, waiting) = (self.seats, self.seed, self.waiting_answers());
        move |work| {
            let loaded = Playable::compile(ruleset, seats, work)?;
            let (mut game, _) = Self::begun_at(start, (loaded, seats, seed), timeline)?;
            game.give_back(waiting)?;
            Ok(game)
        }
    }

    /// Begins a game and plays it along a log, as far as that fits.
    ///
    /// # Errors
    /// The run was stopped. Rules that fail, or a log that does not fit, are no error: the position shows them.
    pub fn start(
        loaded: Playable,
        seats: usize,
        seed: u64,
        log: Vec<LogEntry>,
    ) -> Result<(Self, Option<Misfit>), Diagnostics> {
        Self::along(loaded, seats, seed, Timeline::new(log))
    }

    /// Begins a game and plays it to where a timeline stands, as far as that fits.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn along(
        loaded: Playable,
        seats: usize,
        seed: u64,
        timeline: Timeline,
    ) -> Result<(Self, Option<Misfit>), Diagnostics> {
        Self::begun_at(Start::Game, (loaded, seats, seed), timeline)
    }

    /// As [`along`](Self::along), with rules that begin at `start`, as a scenario has them begin. Such a game keeps its
    /// rules and cannot be saved.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn begun_at(
        start: Start,
        (loaded, seats, seed): (Playable, usize, u64),
        mut timeline: Timeline,
    ) -> Result<(Self, Option<Misfit>), Diagnostics> {
        let DryRun { log, left_out, position, misfit, track } = loaded.follow_from(&start, seed, timeline.log())?;
        let waits = position.lets_wait(misfit.as_ref());
        timeline.take_over(log, waits, |entry| entry.is_settled(&loaded.ruleset.definition));
        let (changes, undone) = (Vec::new(), Vec::new());
        let playthrough = Self {
            loaded,
            seats,
            seed,
            start,
            timeline,
            track,
            position,
            changes,
            undone,
            rerolls: 0,
            last_value: None,
            early: EarlyAnswers::default(),
            left_out,
            playtest: PlaytestRecord::default(),
        };
        Ok((playthrough, misfit))
    }

    /// Where the rules begin.
    pub fn beginning_of_rules(&self) -> &Start {
        &self.start
    }

    /// Whether a scenario began the game, on a table that no saved game can hold.
    pub fn is_of_scenario(&self) -> bool {
        matches!(self.start, Start::Call { .. })
    }

    /// The rules in play.
    pub fn loaded(&self) -> &Playable {
        &self.loaded
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The current position as `viewer` may see it.
    pub fn observed_position(&self, viewer: Viewer) -> ObservedPosition<'_> {
        self.position.observed_position(&self.loaded.layout, viewer)
    }

    /// The run of the rules, with its checkpoints.
    #[doc(hidden)]
    pub fn track(&self) -> &CheckpointedRun {
        &self.track
    }

    /// The log, the current point in it, and the other branches.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// The entries left out of the log that the game was begun with.
    pub fn left_out(&self) -> &[(usize, LogEntry)] {
        &self.left_out
    }

    /// Makes a change by hand.
    ///
    /// # Errors
    /// The changed thing does not exist, or does not take the value.
    pub fn intervene(&mut self, entry: Entry) -> Result<(), Diagnostics> {
        let before = (!self.timeline.is_at_end()).then(|| self.timeline.clone());
        // The first decision is behind the deal, so a rig made there is meant for that deal.
        match self.append(entry)? {
            None => Ok(()),
            Some(misfit) => {
                self.refresh_after(|timeline| match before {
                    Some(before) => *timeline = before,
                    None => timeline.take_back(),
                })?;
                Err(match misfit.reason {
                    misfit::MisfitReason::Over => Diagnostic::new("the game is over").help("`undo` goes back into it"),
                    reason => Diagnostic::new(&reason),
                }
                .into())
            }
        }
    }

    /// Lets an agent answer from here on, until `until`. Returns the number of choices made.
    ///
    /// # Errors
    /// The run was stopped before the game stood anywhere.
    pub fn advance(&mut self, mut agent: Box<dyn Agent>, until: Until) -> Result<usize, Diagnostics> {
        let asked = Some((&mut *agent as &mut dyn Agent, &until));
        let (log, known) = (self.timeline.log(), self.timeline.cursor());
        let went = self.track.follow_on(log, known, &mut self.position.events, asked)?;
        let count = went.added.len();
        went.added.into_iter().for_each(|entry| self.timeline.append(entry));
        self.stand(&went.end);
        Ok(count)
    }

    /// Draws new random numbers after the last choice, or deals anew at the beginning. Where the choice no longer fits,
    /// the game stands before it.
    ///
    /// # Errors
    /// The run was stopped.
    pub fn reroll(&mut self) -> Result<(), Diagnostics> {
        self.rerolls += 1;
        let used = |entry: &LogEntry| if let Entry::Reroll(number) = **entry { Some(number) } else { None };
        let highest = self.timeline.branches().iter().flat_map(|branch| branch.log.iter().filter_map(used)).max();
        self.rerolls = self.rerolls.max(highest.unwrap_or(0) + 1);
        let log = self.timeline.log();
        let last_choice = log.iter().rposition(|entry| !entry.is_intervention());
        let last_choice = last_choice.unwrap_or_else(|| self.beginning().min(log.len()));
        let (before, after) = log.split_at(last_choice);
        // The new reroll replaces earlier ones at the same moment.
        let rerolls_at_end = before.iter().rev().take_while(|entry| matches!(***entry, Entry::Reroll(_))).count();
        let mut log = before[..before.len() - rerolls_at_end].to_vec();
        log.push(Entry::Reroll(self.rerolls).into());
        log.extend(after.iter().filter(|entry| !matches!(***entry, Entry::Reroll(_))).cloned());
        self.refresh_after(|timeline| timeline.replace(log)).map(drop)
    }

    /// Evaluates an expression on a copy of the table. `_` stands for the last value, and becomes this one.
    ///
    /// # Errors
    /// The expression fails.
    pub fn evaluate(&mut self, expression: &str) -> Result<Evaluation, Diagnostics> {
        let tried = self.look_at(expression)?;
        self.last_value = tried.value_to_keep(self.last_value.take());
        Ok(tried)
    }

    /// As [`evaluate`](Self::evaluate), without changing `_`.
    ///
    /// # Errors
    /// The expression fails.
    pub fn look_at(&self, expression: &str) -> Result<Evaluation, Diagnostics> {
        let rules = &self.loaded.rules;
        match self.track.run() {
            Some(run) => rules.evaluate(&run.table, expression, self.last_value.as_ref()),
            None => rules.evaluate(&rules.begin(&self.start, self.seed).table, expression, self.last_value.as_ref()),
        }
    }

    /// Checks the syntax of an expression.
    ///
    /// # Errors
    /// The expression does not parse.
    pub fn parse(&self, expression: &str) -> Result<(), Diagnostics> {
        self.loaded.rules.parse(expression)
    }

    /// Appends an entry and runs it. The result is that of [`Self::refresh_after`].
    ///
    /// # Errors
    /// The run was stopped.
    fn append(&mut self, entry: Entry) -> Result<Option<Misfit>, Diagnostics> {
        if !self.timeline.is_at_end() {
            return self.refresh_after(|timeline| timeline.append(entry));
        }
        // Keeping the old timeline would copy the whole log, which may be long.
        let known = self.timeline.cursor();
        self.timeline.append(entry);
        let refreshed = self.refresh(known);
        if refreshed.is_err() {
            self.timeline.take_back();
        }
        refreshed
    }

    /// Changes the timeline and runs its log. Returns the entry that does not fit, before which the game then stands.
    /// Where the run is stopped, everything stays as it was.
    ///
    /// # Errors
    /// The run was stopped.
    fn refresh_after<T>(&mut self, change: impl FnOnce(&mut Timeline) -> T) -> Result<Option<Misfit>, Diagnostics> {
        let before = self.timeline.clone();
        change(&mut self.timeline);
        let refreshed = self.refresh(0);
        if refreshed.is_err() {
            self.timeline = before;
        }
        refreshed
    }

    /// Goes to the point after `entries` entries of the branch. The result is that of [`Self::refresh_after`]. Entries
    /// before both points are known to be unchanged, so stepping through a game does not compare the whole log at each
    /// move.
    ///
    /// # Errors
    /// The run was stopped.
    fn go_along_branch(&mut self, entries: usize) -> Result<Option<Misfit>, Diagnostics> {
        let before = self.timeline.cursor();
        self.timeline.go_to(entries);
        let refreshed = self.refresh(before.min(entries));
        if refreshed.is_err() {
            self.timeline.go_to(before);
        }
        refreshed
    }

    /// Runs the timeline's log, which is known to share its first `known` entries with the log before.
    fn refresh(&mut self, known: usize) -> Result<Option<Misfit>, Diagnostics> {
        let (log, events) = (self.timeline.log(), &mut self.position.events);
        let (went, misfit) = go_along(&mut self.track, log, known, events)?;
        self.timeline.make_exact(&went.exact);
        if let Some(misfit) = &misfit {
            self.timeline.go_to(misfit.number - 1);
        }
        self.stand(&went.end);
        Ok(misfit)
    }

    /// Updates the position to where the run stopped.
    fn stand(&mut self, end: &End) {
        let events = std::mem::take(&mut self.position.events);
        self.position = position(&self.loaded.rules, &self.track, end, events);
    }
}
