//! Runs the rules along a log, and beyond its end as far as asked.
//!
//! An intervention takes effect as soon as the table stands as the person saw it: right after the last change before
//! the open decision. That moment is known only when the decision is reached. So the first run that meets an
//! intervention notes the number of changes and repeats the stretch before it; later runs know it.

use crate::playthrough::chosen_value::ChosenValue;
use crate::playthrough::driver;
use crate::playthrough::hidden_choices::HiddenChoices;
use crate::playthrough::log::{Entry, LogEntry, Purpose, deduplicated};
use crate::playthrough::misfit::MisfitReason;
use crate::playthrough::observation::Agent;
use crate::script::appraisal::Appraiser;
use crate::script::machine::counts::RunHook;
use crate::script::rules::{Rules, Run};
use crate::script::{End, Start};
use crate::sorted::SortedMap;
use crate::table::decision::{Answerer, Decision, Halt, Options, Question};
use crate::table::value::{Seat, Value};
use crate::table::{Recording, Table};
use crate::work::Work;
use std::sync::Arc;

/// For interventions, by their index in the log, the number of changes to the table after which they take effect.
pub type InterventionTimes = SortedMap<usize, u64>;

/// Where a run beyond the end of its log stops.
#[derive(Clone, Debug, PartialEq)]
pub enum Until {
    /// At once: the open decision is left to the person.
    LogEnds,
    /// After this number of decisions.
    Decisions(usize),
    /// When one of these seats is asked.
    Asked(Vec<Seat>),
    /// When the next turn has begun.
    Turn,
    /// When the next round has begun.
    Round,
    /// When another phase has begun.
    Phase,
    /// When the game is over.
    End,
}

/// The inputs of a run.
pub struct Request<'a> {
    /// Where the rules begin.
    pub start: &'a Start,
    /// The seed of chance.
    pub seed: u64,
    pub log: &'a [LogEntry],
    /// The agent that answers beyond the log, and how far.
    pub agent: Option<(&'a mut dyn Agent, &'a Until)>,
    /// What to record during the run.
    pub recording: Option<Recording>,
}

/// The result of a run.
pub struct Outcome {
    /// The run where it stopped.
    pub run: Run,
    pub end: End,
    /// The number of log entries used.
    pub used: usize,
    /// Why the next entry does not fit, if one is left.
    pub misfit: Option<MisfitReason>,
    /// Log entries that gave options by label, by their index, rewritten with exact values.
    pub exact: Vec<(usize, LogEntry)>,
    /// Choices of the agent beyond the log.
    pub added: Vec<LogEntry>,
}

impl Outcome {
    pub fn open(&self) -> Option<&Arc<Decision>> {
        self.run.table.open().filter(|_| self.end != End::Finished)
    }
}

/// Runs the rules along a log from the beginning.
pub fn run(rules: &Rules, request: Request<'_>) -> Outcome {
    let Request { start, seed, log, mut agent, recording } = request;
    let mut resolved = InterventionTimes::new();
    loop {
        let mut run = rules.begin(start, seed);
        if let Some(recording) = recording.clone() {
            run.table.record(recording);
        }
        let until = agent.as_ref().map(|(_, until)| *until);
        let mut along = LogAnswers::new(log, &mut resolved, until, rules.work());
        along.begin(&mut run.table);
        let agent = agent.as_mut().map(|(agent, _)| &mut **agent as &mut dyn Agent);
        let end = along.play((rules, start, seed), &mut run, agent, |_, _| {});
        if end != End::Halted(Halt::Again) {
            return along.outcome(run, end);
        }
    }
}

/// Continues a run that left a decision open, along the entries of `log` behind those that were used or added: choices
/// and rigged chance. The result equals that of running the whole log from the beginning.
pub fn go_on(rules: &Rules, outcome: Outcome, log: &[LogEntry]) -> Outcome {
    let Outcome { mut run, used, mut exact, added, .. } = outcome;
    let mut resolved = InterventionTimes::new();
    let mut along = LogAnswers::new(log, &mut resolved, None, rules.work()).at(used + added.len());
    let end = rules.resume(&mut run, &mut along);
    let mut went = along.outcome(run, end);
    exact.append(&mut went.exact);
    Outcome { exact, ..went }
}

/// Runs the rules along a log once more with a hook that watches each step. Reasons for refused options are evaluated
/// at every decision.
pub fn watch(rules: &Rules, start: &Start, seed: u64, log: &[LogEntry], hook: &mut dyn RunHook) -> (Run, End) {
    let mut resolved = InterventionTimes::new();
    // The moments of interventions have to be found first, which may restart the rules.
    if log.iter().any(|entry| entry.waits()) {
        loop {
            let mut run = rules.begin(start, seed);
            let mut along = LogAnswers::new(log, &mut resolved, None, rules.work());
            along.begin(&mut run.table);
            if rules.resume(&mut run, &mut along) != End::Halted(Halt::Again) {
                break;
            }
        }
    }
    let mut run = rules.begin(start, seed);
    let mut along = LogAnswers::new(log, &mut resolved, None, rules.work());
    along.always_wants_reasons = true;
    along.begin(&mut run.table);
    let end = rules.resume_with_hook(&mut run, &mut along, hook);
    (run, end)
}

#[derive(Clone)]
struct Milestone {
    turns: usize,
    round: i64,
    phase: Option<Arc<str>>,
}

impl Milestone {
    fn of(table: &Table) -> Self {
        Self { turns: table.turns(), round: table.round(), phase: table.phase().cloned() }
    }
}

/// Answers a run from a log, and stops it where somebody else has to answer.
pub struct LogAnswers<'a> {
    log: &'a [LogEntry],
    resolved: &'a mut InterventionTimes,
    /// How far an agent answers beyond the log; `None` without an agent.
    until: Option<&'a Until>,
    work: &'a Work,
    /// The number of log entries used.
    next: usize,
    misfit: Option<MisfitReason>,
    exact: Vec<(usize, LogEntry)>,
    /// The table's turn, round and phase at the first decision beyond the log.
    beyond: Option<Milestone>,
    added: Vec<LogEntry>,
    added_bytes: usize,
    /// The agent's choice for the open decision.
    given: Option<Vec<usize>>,
    /// Whether the agent decides the open decision.
    asks_agent: bool,
    /// The number of entries used at the last pause; `None` where the run is never paused.
    paused: Option<Option<usize>>,
    /// Whether reasons for refused options are evaluated at every decision, rather than only where a person may see them.
    always_wants_reasons: bool,
}

impl<'a> LogAnswers<'a> {
    /// Starts at the beginning of a log.
    pub fn new(
        log: &'a [LogEntry],
        resolved: &'a mut InterventionTimes,
        until: Option<&'a Until>,
        work: &'a Work,
    ) -> Self {
        Self {
            log,
            resolved,
            until,
            work,
            next: 0,
            misfit: None,
            exact: Vec::new(),
            beyond: None,
            added: Vec::new(),
            added_bytes: 0,
            given: None,
            asks_agent: false,
            paused: None,
            always_wants_reasons: false,
        }
    }

    /// Continues at an entry, for a run that has used `entries` entries.
    pub fn at(mut self, entries: usize) -> Self {
        self.next = entries;
        self
    }

    /// Continues with a longer log that begins with the one so far.
    pub(super) fn goes_on(&mut self, log: &'a [LogEntry]) {
        self.log = log;
    }

    /// The number of log entries used.
    pub fn used(&self) -> usize {
        self.next
    }

    /// As [`at`](Self::at), for a run that is paused from time to time to be copied.
    pub(super) fn pausing(mut self, entries: usize) -> Self {
        self.next = entries;
        self.paused = Some(None);
        self
    }

    /// Runs until nobody here answers any more. Calls `paused` with the run and the number of entries used wherever the
    /// run may be copied.
    pub(super) fn play(
        &mut self,
        (rules, start, seed): (&Rules, &Start, u64),
        run: &mut Run,
        mut agent: Option<&mut dyn Agent>,
        mut paused: impl FnMut(&mut Run, usize),
    ) -> End {
        let mut appraiser = Appraiser::default();
        loop {
            let end = rules.resume(run, self);
            match (&end, agent.as_deref_mut()) {
                (End::Halted(Halt::Paused), _) => paused(run, self.entries()),
                (End::Halted(Halt::Open), Some(agent)) if std::mem::take(&mut self.asks_agent) => {
                    let seat = run.table.open().and_then(|open| open.seat);
                    let past = match agent.looks_ahead(seat) {
                        true => self.past(rules, start, seed, run, seat),
                        false => HiddenChoices::default(),
                    };
                    match driver::ask(agent, rules, run, &past, &mut appraiser) {
                        Some(chosen) => self.given = Some(chosen),
                        None => return end,
                    }
                }
                _ => return end,
            }
        }
    }

    /// The choices so far that a seat may not know.
    fn past(&self, rules: &Rules, start: &Start, seed: u64, run: &Run, seat: Option<Seat>) -> HiddenChoices {
        if !HiddenChoices::may_matter(&run.table, seat) {
            return HiddenChoices::default();
        }
        let used = self.log.iter().take(self.next);
        let log: Vec<LogEntry> = used.chain(&self.added).cloned().collect();
        HiddenChoices::of_log(rules, start, seed, &log, self.resolved)
    }

    /// The outcome of following the log.
    pub(super) fn outcome(self, run: Run, end: End) -> Outcome {
        let mut misfit = self.misfit;
        if end == End::Finished && self.next < self.log.len() && misfit.is_none() {
            misfit = Some(MisfitReason::Over);
        }
        Outcome { run, end, used: self.next.min(self.log.len()), misfit, exact: self.exact, added: self.added }
    }

    fn entries(&self) -> usize {
        self.next + self.added.len()
    }

    /// Whether the run may be copied at the next decision: more often near its end, where undo is most likely.
    fn may_pause(&self) -> bool {
        let every = match self.log.len().saturating_sub(self.next) {
            0 if self.until.is_some_and(|until| *until != Until::LogEnds) => 8,
            0..=32 => 1,
            _ => 64,
        };
        self.paused.is_some() && self.entries().is_multiple_of(every)
    }

    /// Whether the run is paused here.
    fn pauses(&mut self) -> bool {
        let here = Some(Some(self.entries()));
        let pauses = self.may_pause() && self.paused != here;
        if pauses {
            self.paused = here;
        }
        pauses
    }

    /// Notes an exact form of an entry from an old log: values instead of labels, a purpose, and parts in the order of
    /// the rules, which files do not keep.
    fn make_exact(&mut self, table: &Table, question: &Question<'_>, entry: &Entry, positions: &[usize]) {
        if let Entry::Choice { seat, prompt, purpose, chosen } = entry
            && (*purpose == Purpose::Untold
                || chosen.iter().any(|chosen| matches!(chosen, ChosenValue::Label(_) | ChosenValue::Parts(_))))
        {
            let (seat, prompt, purpose) = (*seat, prompt.clone(), Purpose::of(question.purpose, question.setting));
            let chosen = chosen_values(table, question, positions).into();
            self.exact.push((self.next, Entry::Choice { seat, prompt, purpose, chosen }.into()));
        }
    }

    /// Whether a decision beyond the log is left open; `start` describes the first of these decisions.
    fn stops(&self, table: &Table, start: &Milestone) -> bool {
        match self.until {
            None | Some(Until::LogEnds) => true,
            Some(Until::Decisions(count)) => self.added.len() >= *count,
            Some(Until::Turn) => table.turns() != start.turns,
            Some(Until::Round) => table.round() != start.round,
            Some(Until::Phase) => table.phase() != start.phase.as_ref(),
            // The seat is known only when the question is asked.
            Some(Until::Asked(_) | Until::End) => false,
        }
    }

    fn go_beyond(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        if let Some(given) = self.given.take() {
            chosen.extend(given);
            let entry = choice_made(table, question, chosen);
            self.added_bytes += entry.bytes();
            let latest = self.added.iter().rev().chain(self.log.iter().rev());
            let entry = deduplicated(latest, entry.into());
            self.added.push(entry);
            return Ok(());
        }
        let start = self.beyond.get_or_insert_with(|| Milestone::of(table)).clone();
        let is_for = |seats: &[Seat]| question.seat.is_some_and(|seat| seats.contains(&seat));
        let stops = self.work.is_stopped()
            || self.stops(table, &start)
            || matches!(self.until, Some(Until::Asked(seats)) if is_for(seats));
        self.asks_agent = !stops;
        Err(Halt::Open)
    }
}

/// The log entry for the choice of the options at `positions`.
pub fn choice_made(table: &Table, question: &Question<'_>, positions: &[usize]) -> Entry {
    let (seat, prompt, purpose) =
        (question.seat, question.prompt.into(), Purpose::of(question.purpose, question.setting));
    Entry::Choice { seat, prompt, purpose, chosen: chosen_values(table, question, positions).into() }
}

/// The options at `positions` in the form of log entries.
fn chosen_values(table: &Table, question: &Question<'_>, positions: &[usize]) -> Vec<ChosenValue> {
    let shown = |value: &Value| table.shown_to(question.seat, value);
    // Only option lists made by the rules can mix kinds of values.
    let mixed: Vec<Value> = match question.options {
        Options::Values(_) | Options::Choices(_) => question.options.values().iter().map(shown).collect(),
        _ => Vec::new(),
    };
    let value = |&position: &usize| {
        ChosenValue::of(table.layout(), table.faces(), &shown(&question.options.value(position)), mixed.iter())
    };
    positions.iter().map(value).collect()
}

/// Finds the options that an entry names among those of a question, and puts their positions into `chosen`.
fn fit(table: &Table, question: &Question<'_>, entry: &Entry, chosen: &mut Vec<usize>) -> Result<(), MisfitReason> {
    let Entry::Choice { seat, prompt, chosen: values, .. } = entry else {
        return Err(MisfitReason::NotChoice);
    };
    let asked = || Arc::from(question.prompt);
    if !entry.answers(question) {
        let is_same_prompt = *seat == question.seat && **prompt == *question.prompt;
        let purpose = match Purpose::of(question.purpose, question.setting) {
            Purpose::Given(purpose) | Purpose::Setting(purpose) => Some(purpose).filter(|_| is_same_prompt),
            Purpose::Untold | Purpose::Plain => None,
        };
        return Err(MisfitReason::OtherQuestion { seat: question.seat, prompt: asked(), purpose });
    }
    if values.len() < question.min || values.len() > question.max {
        return Err(MisfitReason::Count { min: question.min, max: question.max });
    }
    for value in values.iter() {
        let fitting = |of: &dyn Fn(Value) -> Value| -> Vec<usize> {
            let is_meant = |position: &usize| {
                let option = of(question.options.value(*position));
                !chosen.contains(position) && value.means(table.layout(), table.faces(), &option)
            };
            (0..question.options.len()).filter(is_meant).collect()
        };
        let mut found = fitting(&|option| table.shown_to(question.seat, &option));
        if found.is_empty() {
            // Old logs name a face-down component by its face.
            found = fitting(&|option| option);
        }
        match found[..] {
            [position] => chosen.push(position),
            [] => return Err(MisfitReason::NoOption { value: value.clone(), prompt: asked() }),
            _ => {
                let all: Vec<Value> =
                    question.options.values().iter().map(|option| table.shown_to(question.seat, option)).collect();
                let mut labels = table.option_labels(all.iter());
                let labels: Vec<String> =
                    found.iter().filter_map(|&position| labels.get_mut(position).map(std::mem::take)).collect();
                return Err(MisfitReason::Ambiguous { value: value.clone(), labels, prompt: asked() });
            }
        }
    }
    Ok(())
}

impl Answerer for LogAnswers<'_> {
    fn begin(&mut self, table: &mut Table) {
        self.intervene(table);
    }

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        if self.misfit.is_some() {
            return Err(Halt::Misfit);
        }
        if self.pauses() {
            return Err(Halt::Paused);
        }
        // Beyond the log, the number of moves to come is unknown.
        let known = if self.next < self.log.len() { self.log.len() } else { 0 };
        self.work.count_moves(self.entries(), known);
        match self.log.get(self.next) {
            Some(_) if self.work.is_stopped() => Err(Halt::Stopped),
            Some(entry) if entry.is_intervention() => {
                // Even a known moment has to be found again: the rules have changed since.
                self.resolved.insert(self.next, table.changes());
                Err(Halt::Again)
            }
            Some(entry) => match fit(table, question, entry, chosen) {
                Ok(()) => {
                    self.make_exact(table, question, entry, chosen);
                    self.next += 1;
                    Ok(())
                }
                Err(reason) => {
                    self.misfit = Some(reason);
                    Err(Halt::Misfit)
                }
            },
            None => self.go_beyond(table, question, chosen),
        }
    }

    /// Whether the next decision may be left open, in this run or in one continued from a copy of it.
    fn wants_reasons(&self, table: &Table) -> bool {
        let start = self.beyond.clone().unwrap_or_else(|| Milestone::of(table));
        // It may be a decision of one of the seats at which the run stops.
        self.always_wants_reasons
            || self.may_pause()
            || self.next >= self.log.len() && (matches!(self.until, Some(Until::Asked(_))) || self.stops(table, &start))
    }

    fn kept_bytes(&self) -> usize {
        self.added_bytes
    }

    /// Applies the interventions that are due, and sets the alarm for the next.
    fn intervene(&mut self, table: &mut Table) {
        while let Some(entry) = self.log.get(self.next).filter(|entry| entry.is_intervention()) {
            if self.misfit.is_some() {
                return;
            }
            if entry.waits() {
                match self.resolved.get(&self.next) {
                    Some(&change) if change > table.changes() => return table.set_alarm(change),
                    Some(_) => {}
                    None => return,
                }
            }
            // Counted first, so that the alarm does not ring for the intervention's own change.
            self.next += 1;
            if let Err(reason) = entry.intervene(table) {
                self.next -= 1;
                self.misfit = Some(MisfitReason::ByHand(reason));
            }
        }
    }
}
