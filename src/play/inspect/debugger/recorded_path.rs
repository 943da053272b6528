//! The rules run along the log, statement by statement, from the nearest checkpoint.
//!
//! A run continued from a checkpoint equals the original run, so nothing has to be undone: going back means going on
//! from an earlier checkpoint and stopping sooner. The playthrough has checkpoints along its log; more are kept here on
//! the way.

use crate::diagnostic::Diagnostics;
use crate::playthrough::Playthrough;
use crate::playthrough::checkpointed::{CheckpointedRun, MAX_CHECKPOINT_BYTES};
use crate::playthrough::log::LogEntry;
use crate::playthrough::run::{InterventionTimes, LogAnswers};
use crate::script::machine::counts::StatementHook;
use crate::script::machine::hooks::StatementContext;
use crate::script::rules::{Rules, Run};
use crate::script::{End, Start};
use crate::table::Recording;
use crate::table::decision::{Answerer as _, Halt};
use crate::table::event::Event;
use crate::work::interrupted;
use std::collections::VecDeque;
use std::sync::Arc;

/// The most statements between two checkpoints.
const STATEMENTS_BETWEEN_CHECKPOINTS: u64 = 256;

/// The most checkpoints kept here. Their memory is limited as that of the playthrough's.
const MAX_CHECKPOINTS: usize = 64;

/// A place in a run, before a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The number of decisions made.
    pub decisions: usize,
    /// The number of the statement since the last decision, from 1; beyond the last statement where the run stands
    /// still.
    pub step: u64,
}

impl Place {
    /// The place before everything.
    pub(super) const START: Self = Self { decisions: 0, step: 0 };

    /// Before the first statement of the game.
    pub(super) const FIRST: Self = Self { decisions: 0, step: 1 };

    /// Whether it is the first statement of the game.
    pub fn is_first(self) -> bool {
        self <= Self::FIRST
    }

    /// The place where the decision after `decisions` others is asked, behind all statements before it.
    pub(super) fn asking(decisions: usize) -> Self {
        Self { decisions, step: u64::MAX }
    }

    /// The next place, at a time when `decisions` decisions have been made.
    fn next(self, decisions: usize) -> Self {
        let step = if decisions == self.decisions { self.step.saturating_add(1) } else { 1 };
        Self { decisions, step }
    }

    /// The last place that can come before this one.
    pub(super) fn before(self) -> Self {
        match (self.decisions.checked_sub(1), self.step.checked_sub(1)) {
            (Some(decisions), Some(0) | None) => Self::asking(decisions),
            (_, Some(step)) => Self { step, ..self },
            (None, None) => Self::START,
        }
    }
}

/// A copy of a run, from which it can go on.
#[derive(Clone)]
pub(super) struct Checkpoint {
    pub place: Place,
    /// The number of log entries used.
    used: usize,
    /// The number of events recorded before.
    pub events: usize,
    pub run: Run,
}

/// An observer of each statement on the way.
pub(super) trait Watch {
    /// Called before a statement; `false` stops the run before it.
    fn statement(&mut self, place: Place, moment: &StatementContext<'_>) -> bool;

    /// Called when the table's record was emptied.
    fn emptied(&mut self) {}
}

/// Stops before the first statement for which the function returns `true`.
pub(super) struct StopBefore<F: FnMut(Place, &StatementContext<'_>) -> bool>(pub F);

impl<F: FnMut(Place, &StatementContext<'_>) -> bool> Watch for StopBefore<F> {
    fn statement(&mut self, place: Place, moment: &StatementContext<'_>) -> bool {
        !(self.0)(place, moment)
    }
}

/// A stretch of the run.
pub(super) struct Passage {
    /// The end of the stretch.
    pub at: Checkpoint,
    /// How the run ended; `None` where the observer stopped it.
    pub end: Option<End>,
    /// The events of the stretch.
    pub events: EventSpan,
}

/// Events that follow the first `behind` ones.
pub(super) struct EventSpan {
    pub behind: usize,
    pub events: Vec<Event>,
}

impl EventSpan {
    /// Replaces everything after the first `behind` events.
    pub fn put(self, events: &mut Vec<Event>) {
        events.truncate(self.behind);
        events.extend(self.events);
    }
}

/// A run of the rules along one log, with checkpoints.
pub(super) struct RecordedPath {
    rules: Arc<Rules>,
    start: Start,
    seed: u64,
    log: Vec<LogEntry>,
    /// Indices of the log entries that are choices.
    choices: Vec<usize>,
    resolved: InterventionTimes,
    /// The checkpoints of the playthrough.
    track: CheckpointedRun,
    /// Checkpoints kept here, each with its size in bytes.
    kept: VecDeque<(Checkpoint, usize)>,
}

impl RecordedPath {
    /// The path along a game's log up to its current point, or along the whole branch if `entries` lie beyond that;
    /// with all its events.
    ///
    /// # Errors
    /// The work was stopped.
    pub fn of(playthrough: &Playthrough, entries: usize) -> Result<(Self, Vec<Event>), Diagnostics> {
        let timeline = playthrough.timeline();
        let mut track = playthrough.track().clone();
        let mut events = playthrough.position().events.clone();
        let mut log = timeline.log().to_vec();
        if entries > log.len() {
            let went = track.follow(&timeline.current().log, &mut events, None)?;
            log = timeline.current().log.get(..went.used).unwrap_or_default().to_vec();
        }
        let choices = log.iter().enumerate().filter(|(_, entry)| !entry.is_intervention());
        let choices = choices.map(|(number, _)| number).collect();
        let (rules, start) = (playthrough.loaded().rules.clone(), playthrough.beginning_of_rules().clone());
        let (seed, resolved, kept) = (playthrough.seed, track.resolved().clone(), VecDeque::new());
        Ok((Self { rules, start, seed, log, choices, resolved, track, kept }, events.into_vec()))
    }

    /// The number of choices among the first `entries` entries of the log.
    pub fn choices_before(&self, entries: usize) -> usize {
        self.choices.partition_point(|&choice| choice < entries)
    }

    /// The number of log entries before the choice with index `choices`.
    pub fn entries_before(&self, choices: usize) -> usize {
        self.choices.get(choices).copied().unwrap_or(self.log.len())
    }

    /// The nearest checkpoint at or before a place.
    pub fn nearest(&self, place: Place) -> Checkpoint {
        let kept =
            self.kept.iter().map(|(kept, _)| kept).filter(|kept| kept.place <= place).max_by_key(|kept| kept.place);
        let asked = if place.step == u64::MAX { Some(place.decisions) } else { place.decisions.checked_sub(1) };
        let used = asked.map(|asked| self.entries_before(asked));
        let copied = used.and_then(|used| self.copied(used)).filter(|copied| copied.place <= place);
        match (kept, copied) {
            (Some(kept), Some(copied)) if copied.place > kept.place => copied,
            (Some(kept), _) => kept.clone(),
            (None, Some(copied)) => copied,
            (None, None) => self.beginning(),
        }
    }

    /// The playthrough's nearest checkpoint with at most `used` entries used.
    fn copied(&self, mut used: usize) -> Option<Checkpoint> {
        loop {
            let (run, entries, events) = self.track.checkpoint_before(used)?;
            let place = Place::asking(run.table.decisions());
            // An intervention belongs before the question at which such a checkpoint stands.
            if !self.log.get(entries).is_some_and(|entry| entry.is_intervention()) {
                return Some(Checkpoint { place, used: entries, events, run });
            }
            used = entries.checked_sub(1)?;
        }
    }

    /// A checkpoint before a place: the nearest at attempt 0, earlier ones with further attempts, and finally the
    /// beginning.
    pub fn before(&self, place: Place, attempt: u32) -> Checkpoint {
        let Some(back) = attempt.checked_sub(1) else { return self.nearest(place.before()) };
        match place.decisions.checked_sub(1_usize.checked_shl(back).unwrap_or(usize::MAX)) {
            Some(decisions) => self.nearest(Place::asking(decisions)),
            None => self.beginning(),
        }
    }

    fn beginning(&self) -> Checkpoint {
        let mut run = self.rules.begin(&self.start, self.seed);
        run.table.record(Recording::default());
        let mut resolved = self.resolved.clone();
        let mut along = LogAnswers::new(&self.log, &mut resolved, None, self.rules.work());
        along.begin(&mut run.table);
        Checkpoint { place: Place::START, used: along.used(), events: 0, run }
    }

    /// Runs on from a checkpoint until the observer stops it or it ends.
    ///
    /// # Errors
    /// The work was stopped.
    pub fn follow(&mut self, from: Checkpoint, watch: &mut dyn Watch) -> Result<Passage, Diagnostics> {
        let Checkpoint { place, used, events: behind, mut run } = from;
        let Self { rules, log, resolved, kept, .. } = self;
        let mut along = LogAnswers::new(log, resolved, None, rules.work()).at(used);
        let mut walk = StatementCounter { place, watch, since: 0, is_done: false };
        let mut events = Vec::new();
        loop {
            let end =
                rules.resume_with_hook(&mut run, &mut along, &mut StatementHook(&mut |moment| walk.statement(moment)));
            events.append(&mut run.table.take_events());
            walk.watch.emptied();
            let mut at = Checkpoint { place: walk.place, used: along.used(), events: behind + events.len(), run };
            let end = match end {
                End::Halted(Halt::Stopped) => return Err(interrupted().into()),
                End::Halted(Halt::Watched) if !walk.is_done => {
                    // The checkpoint stands before the statement just as the run does.
                    kept.retain(|(other, _)| other.place != at.place);
                    kept.push_back((at.clone(), at.run.bytes_held()));
                    while kept.len() > MAX_CHECKPOINTS
                        || kept.iter().map(|(_, bytes)| bytes).sum::<usize>() > MAX_CHECKPOINT_BYTES
                    {
                        kept.pop_front();
                    }
                    run = at.run;
                    continue;
                }
                End::Halted(Halt::Watched) => None,
                end => {
                    let is_open = matches!(end, End::Halted(_)) && at.run.table.open().is_some();
                    at.place = at.place.next(at.run.table.decisions() - usize::from(is_open));
                    Some(end)
                }
            };
            return Ok(Passage { at, end, events: EventSpan { behind, events } });
        }
    }
}

/// Counts the statements of a run.
struct StatementCounter<'w> {
    place: Place,
    watch: &'w mut dyn Watch,
    /// The number of statements since the last checkpoint.
    since: u64,
    /// Whether the observer stopped the run, rather than a checkpoint that is due.
    is_done: bool,
}

impl StatementCounter<'_> {
    fn statement(&mut self, moment: &StatementContext<'_>) -> bool {
        self.place = self.place.next(moment.table.decisions());
        self.since += 1;
        self.is_done = !self.watch.statement(self.place, moment);
        if self.is_done {
            return false;
        }
        if self.since > STATEMENTS_BETWEEN_CHECKPOINTS {
            self.since = 0;
            return false;
        }
        true
    }
}
