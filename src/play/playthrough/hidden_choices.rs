//! The choices since the earliest one hidden from some player, so that a seat can imagine another one in its place.
//!
//! Where searching agents sit at a table, the driver of the run asks
//! [`needs_checkpoint`](HiddenChoices::needs_checkpoint) before each answer. Where that is true it pauses the run and
//! calls [`begin`](HiddenChoices::begin), then it [`note`](HiddenChoices::note)s the answer. Nothing is kept while
//! nobody chooses in secret, and what becomes known to all is forgotten. A game that was not recorded in this way is
//! run once more along its log.

use crate::playthrough::determinize::{self, GameSampler};
use crate::playthrough::log::LogEntry;
use crate::playthrough::run::{InterventionTimes, LogAnswers};
use crate::script::rules::{Rules, Run};
use crate::script::{End, Start};
use crate::table::Table;
use crate::table::chance::Chance;
use crate::table::decision::{Answerer, Halt, Question};
use crate::table::knowledge::Fronts;
use crate::table::value::{Seat, Value};
use crate::work::Work;
use std::sync::Arc;

/// The copy moves forward once at least this many choices before the first hidden one are noted.
const MIN_CHOICES_TO_SKIP: usize = 32;

/// The choices since the earliest hidden one; empty where everybody knows every choice.
#[derive(Clone, Default)]
pub struct HiddenChoices(pub(super) Option<Stretch>);

/// A part of a game: where it began, and the choices made in it.
#[derive(Clone)]
pub(super) struct Stretch {
    /// The run before the first choice, without recorded events.
    pub from: Arc<Run>,
    /// The choices, in order.
    pub made: Vec<MadeChoice>,
    /// Indices of the choices hidden from somebody, in order.
    pub secret: Vec<usize>,
    /// Changes by hand between the choices.
    pub external_changes: Vec<ExternalChange>,
}

/// A recorded choice.
#[derive(Clone)]
pub(super) struct MadeChoice {
    /// The number of the decision.
    number: usize,
    seat: Option<Seat>,
    /// The chosen values. Positions would not do: with other cards, the options differ.
    pub values: Vec<Value>,
    is_secret: bool,
    together: Option<u32>,
    /// The seats that know a secret choice, one bit each.
    known: u16,
}

/// A change that no rule made.
#[derive(Clone)]
pub(super) struct ExternalChange {
    /// The number of choices of the stretch made before.
    pub after: usize,
    /// The number of changes to the table since the question of the last of these choices.
    pub changes: u64,
    pub what: ExternalChangeKind,
}

/// The kinds of changes that no rule makes.
#[derive(Clone)]
pub(super) enum ExternalChangeKind {
    /// An intervention at the sandbox.
    Entry(LogEntry),
    /// Random numbers come from this state from here on.
    Chance(Chance),
    /// A sampled assignment of faces to components.
    Fronts(Fronts),
}

impl MadeChoice {
    fn is_unknown_to(&self, seat: Seat, table: &Table) -> bool {
        self.seat != Some(seat) && if self.is_secret { self.known & seat.bit() == 0 } else { self.is_going_on(table) }
    }

    /// Whether other players still choose at the same time.
    fn is_going_on(&self, table: &Table) -> bool {
        self.together.is_some() && self.together == table.together()
    }

    fn is_known_to_all(&self, table: &Table) -> bool {
        if self.is_secret { self.known == table.layout().everybody } else { !self.is_going_on(table) }
    }

    /// Updates the seats that know the choice.
    fn refresh(&mut self, table: &Table) {
        let choices = table.state().known.choices.iter();
        choices.filter(|choice| choice.decision == self.number).for_each(|choice| self.known |= choice.known);
    }
}

impl Stretch {
    /// For each choice, whether it is unknown to a seat at a table.
    pub(super) fn unknown_to(&self, seat: Seat, table: &Table) -> Vec<bool> {
        let unknown = |made: &MadeChoice| {
            let mut made = made.clone();
            made.refresh(table);
            made.is_unknown_to(seat, table)
        };
        self.made.iter().enumerate().map(|(place, made)| self.secret.contains(&place) && unknown(made)).collect()
    }

    /// The changes between the choice at `place` and the next.
    pub(super) fn external_changes_after(&self, place: usize) -> Vec<&ExternalChange> {
        self.external_changes.iter().filter(|hand| hand.after == place + 1).collect()
    }
}

impl HiddenChoices {
    /// Whether the run has to be paused before this question is answered, because nothing was noted so far and the
    /// answer may be hidden from others.
    pub fn needs_checkpoint(&mut self, table: &Table, question: &Question<'_>) -> bool {
        self.refresh(table);
        let is_secret = question.secret || table.together().is_some();
        self.0.is_none() && is_secret && question.seat.is_some() && table.layout().seats > 1
    }

    /// Starts to note choices: the run is paused before a question.
    pub fn begin(&mut self, run: &Run) {
        let mut from = run.clone();
        from.table.finish();
        from.table.set_alarm(u64::MAX);
        self.0 =
            Some(Stretch { from: Arc::new(from), made: Vec::new(), secret: Vec::new(), external_changes: Vec::new() });
    }

    /// Notes the answer to a question; `chosen` are positions of options.
    pub fn note(&mut self, table: &Table, question: &Question<'_>, chosen: &[usize]) {
        let Some(stretch) = &mut self.0 else { return };
        let (seat, is_secret, together) = (question.seat, question.secret, table.together());
        if seat.is_some() && (is_secret || together.is_some()) {
            stretch.secret.push(stretch.made.len());
        }
        let values = chosen.iter().map(|&position| question.options.value(position)).collect();
        let known = seat.map_or(0, Seat::bit);
        stretch.made.push(MadeChoice { number: table.decisions(), seat, values, is_secret, together, known });
    }

    /// Notes that random numbers come from `chance` from now on; the run stands at a question.
    pub fn note_chance(&mut self, chance: &Chance) {
        let Some(stretch) = &mut self.0 else { return };
        // The next random numbers are used after the answer.
        stretch.external_changes.push(ExternalChange {
            after: stretch.made.len() + 1,
            changes: 0,
            what: ExternalChangeKind::Chance(chance.clone()),
        });
    }

    /// Forgets choices that everybody knows.
    fn refresh(&mut self, table: &Table) {
        let Some(stretch) = &mut self.0 else { return };
        let Stretch { made, secret, .. } = stretch;
        secret.retain(|&place| {
            made.get_mut(place).is_some_and(|made| {
                made.refresh(table);
                !made.is_known_to_all(table)
            })
        });
        if secret.is_empty() && !made.is_empty() {
            self.0 = None;
        }
    }

    /// Moves the copy forward to the first hidden choice, where many known choices are kept before it.
    pub fn catch_up(&mut self, rules: &Rules, table: &Table) {
        self.refresh(table);
        let Some(stretch) = &mut self.0 else { return };
        let first = stretch.secret.first().copied().unwrap_or(0);
        if first < MIN_CHOICES_TO_SKIP || 2 * first < stretch.made.len() {
            return;
        }
        let Some(run) = determinize::run_before_choice(rules, stretch, first) else { return };
        stretch.from = Arc::new(run);
        stretch.made.drain(..first);
        stretch.secret.iter_mut().for_each(|place| *place -= first);
        stretch.external_changes.retain_mut(|hand| {
            let stays = hand.after > first;
            hand.after = hand.after.saturating_sub(first);
            stays
        });
    }

    /// A sampler of games that `seat` cannot tell from `run`; `None` where the seat knows every choice.
    pub(super) fn worlds(&self, rules: &Rules, run: &Run, seat: Seat) -> Option<GameSampler> {
        let stretch = self.0.as_ref().filter(|_| self.hides_from(seat, &run.table))?;
        Some(GameSampler::new(rules, stretch, run, seat))
    }

    /// As [`worlds`](Self::worlds), but `None` only where nothing is noted; each sample has its own past.
    pub fn worlds_with_past(&self, rules: &Rules, run: &Run, seat: Seat) -> Option<GameSampler> {
        self.0.as_ref().map(|stretch| GameSampler::new(rules, stretch, run, seat))
    }

    /// Whether a choice is hidden from a seat.
    pub fn hides_from(&self, seat: Seat, table: &Table) -> bool {
        self.0.as_ref().is_some_and(|stretch| stretch.unknown_to(seat, table).contains(&true))
    }

    /// Whether both hold the same choices.
    #[cfg(test)]
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let values = |past: &Self| -> Vec<Vec<Value>> {
            past.0.iter().flat_map(|stretch| stretch.made.iter().map(|made| made.values.clone())).collect()
        };
        values(self) == values(other)
    }

    /// The hidden choices of a game that was played along a log and stands at its end.
    pub fn of_log(rules: &Rules, start: &Start, seed: u64, log: &[LogEntry], resolved: &InterventionTimes) -> Self {
        let mut resolved = resolved.clone();
        loop {
            let mut run = rules.begin(start, seed);
            let mut noting = LogRecorder::new(log, &mut resolved, rules.work());
            noting.begin(&mut run.table);
            if noting.go_on(rules, &mut run) != End::Halted(Halt::Again) {
                return noting.past;
            }
        }
    }

    /// Whether a table may hold choices hidden from `seat`, so that a replay is worth its cost.
    pub fn may_matter(table: &Table, seat: Option<Seat>) -> bool {
        table.together().is_some() || table.state().known.choices.iter().any(|choice| choice.seat != seat)
    }
}

/// Follows a log and notes its hidden choices.
pub(super) struct LogRecorder<'a> {
    along: LogAnswers<'a>,
    log: &'a [LogEntry],
    /// The hidden choices so far.
    pub(super) past: HiddenChoices,
    /// The number of changes to the table at the last question.
    asked_at: u64,
}

impl<'a> LogRecorder<'a> {
    /// Starts at the beginning of a log.
    pub(super) fn new(log: &'a [LogEntry], resolved: &'a mut InterventionTimes, work: &'a Work) -> Self {
        Self { along: LogAnswers::new(log, resolved, None, work), log, past: HiddenChoices::default(), asked_at: 0 }
    }

    /// Runs as far as the log leads.
    pub(super) fn go_on(&mut self, rules: &Rules, run: &mut Run) -> End {
        loop {
            match rules.resume(run, self) {
                End::Halted(Halt::Paused) => self.past.begin(run),
                end => return end,
            }
        }
    }

    /// Continues with a longer log that begins with the one so far.
    pub(super) fn goes_on(&mut self, log: &'a [LogEntry]) {
        self.log = log;
        self.along.goes_on(log);
    }
}

impl Answerer for LogRecorder<'_> {
    fn begin(&mut self, table: &mut Table) {
        self.along.begin(table);
    }

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        // The decision at the end of the log stays open.
        if self.along.used() < self.log.len() && self.past.needs_checkpoint(table, question) {
            return Err(Halt::Paused);
        }
        self.along.answer(table, question, chosen)?;
        self.past.note(table, question, chosen);
        self.asked_at = table.changes();
        Ok(())
    }

    fn wants_reasons(&self, table: &Table) -> bool {
        self.along.wants_reasons(table)
    }

    fn intervene(&mut self, table: &mut Table) {
        let (before, changes) = (self.along.used(), table.changes().saturating_sub(self.asked_at));
        self.along.intervene(table);
        let Some(stretch) = &mut self.past.0 else { return };
        let done = self.log.get(before..self.along.used()).unwrap_or_default();
        let after = stretch.made.len();
        stretch.external_changes.extend(done.iter().map(|entry| ExternalChange {
            after,
            changes,
            what: ExternalChangeKind::Entry(entry.clone()),
        }));
    }
}
