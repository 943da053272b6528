//! Incremental execution: the run of a game along its log, with checkpoints, so that a new log is run only from where
//! it differs.
//!
//! Whatever a person does produces another log. The part it shares with the previous log is not run again: the run
//! continues from the head, or from the nearest checkpoint before the first difference. So a choice costs only the
//! rules it triggers, and so does undo, however long the game is. The virtual machine guarantees, and tests check, that
//! a run from a checkpoint equals the run from the beginning.

use crate::diagnostic::Diagnostics;
use crate::playthrough::hidden_choices::HiddenChoices;
use crate::playthrough::history::{History, HistoryBefore, Source};
use crate::playthrough::log::LogEntry;
use crate::playthrough::misfit::MisfitReason;
use crate::playthrough::observation::Agent;
use crate::playthrough::run::{InterventionTimes, LogAnswers, Outcome, Until};
use crate::playthrough::timeline::shared;
use crate::script::machine::meter::MAX_RUN_BYTES;
use crate::script::rules::{Rules, Run};
use crate::script::{End, Start};
use crate::table::Recording;
use crate::table::decision::{Answerer as _, Halt};
use crate::work::interrupted;
use std::sync::{Arc, OnceLock};

/// Within this many entries of the newest, every checkpoint is kept.
const DENSE_ENTRIES: usize = 32;

/// Memory limit, in bytes, of all checkpoints of one game; equal to the limit for the values of its run. Shared memory
/// counts for each checkpoint, so one that remains alone holds no more than was counted. Above the limit, checkpoints
/// are dropped, and undo has to run longer.
pub const MAX_CHECKPOINT_BYTES: usize = MAX_RUN_BYTES;

/// The rules of one game, run along a log with checkpoints.
#[derive(Clone)]
pub struct CheckpointedRun {
    rules: Arc<Rules>,
    start: Start,
    seed: u64,
    /// The log that the checkpoints and the head have followed; shared with clones of this value.
    log: Arc<Vec<LogEntry>>,
    resolved: InterventionTimes,
    /// Checkpoints in the order of their entries.
    copies: Vec<Checkpoint>,
    head: Option<Head>,
}

/// A copy of a run that stopped before it answered a log entry.
#[derive(Clone)]
struct Checkpoint {
    /// The number of log entries used.
    entries: usize,
    /// The number of events recorded before.
    events: usize,
    /// Approximate size in bytes.
    bytes: usize,
    run: Arc<Run>,
}

/// The run at the end of the followed log, or before the entry that did not fit.
#[derive(Clone)]
struct Head {
    entries: usize,
    run: Run,
    end: End,
    stands: HeadState,
}

/// Whether the head can go on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HeadState {
    /// The run waits for an answer, and can go on with one.
    Asks,
    /// The game is over, or the rules failed.
    Over,
    /// An intervention that did not fit was partly applied, so the run cannot go on.
    Spoilt,
}

/// The result of following a log.
pub struct FollowOutcome {
    pub end: End,
    /// The number of log entries used.
    pub used: usize,
    /// Why the next entry does not fit, if one is left.
    pub misfit: Option<MisfitReason>,
    /// Log entries that gave options by label, by their index, rewritten with exact values.
    pub exact: Vec<(usize, LogEntry)>,
    /// Choices an agent made beyond the log.
    pub added: Vec<LogEntry>,
}

impl CheckpointedRun {
    /// Creates a run at the beginning of the rules.
    pub fn new(rules: Arc<Rules>, start: Start, seed: u64) -> Self {
        Self {
            rules,
            start,
            seed,
            log: Arc::default(),
            resolved: InterventionTimes::new(),
            copies: Vec::new(),
            head: None,
        }
    }

    /// Whether a single function of the rules is run, rather than a game from its beginning.
    pub fn is_call(&self) -> bool {
        matches!(self.start, Start::Call { .. })
    }

    /// The run at the end of the last log; `None` before one was followed.
    pub fn run(&self) -> Option<&Run> {
        self.head.as_ref().map(|head| &head.run)
    }

    /// A copy of the run at the latest checkpoint with at most `entries` entries used; with the number of entries used
    /// and of events recorded there. `None` where no checkpoint is that early.
    pub fn checkpoint_before(&self, entries: usize) -> Option<(Run, usize, usize)> {
        let copy = self.copies.iter().rfind(|copy| copy.entries <= entries)?;
        Some((Run::clone(&copy.run), copy.entries, copy.events))
    }

    /// The log that was followed.
    #[doc(hidden)]
    pub fn log(&self) -> &[LogEntry] {
        &self.log
    }

    /// The positions of the log's interventions, as far as the log was followed.
    pub fn resolved(&self) -> &InterventionTimes {
        &self.resolved
    }

    /// The hidden choices of a log, which must be the one followed last.
    pub fn past(&self, log: &[LogEntry]) -> HiddenChoices {
        let run = self.run().filter(|run| HiddenChoices::may_matter(&run.table, None));
        run.map_or_else(HiddenChoices::default, |_| {
            HiddenChoices::of_log(&self.rules, &self.start, self.seed, log, &self.resolved)
        })
    }

    /// Follows a log, then lets `agent` play on as far as asked. `events` are those of the log followed before, and
    /// become those of this log.
    ///
    /// # Errors
    /// The work was stopped; `events` is unchanged then.
    pub fn follow(
        &mut self,
        log: &[LogEntry],
        events: &mut History,
        agent: Option<(&mut dyn Agent, &Until)>,
    ) -> Result<FollowOutcome, Diagnostics> {
        self.follow_on(log, 0, events, agent)
    }

    /// As [`follow`](Self::follow), for a log that is known to share its first `known` entries with the log followed
    /// before. These are not compared, so that a step along a log costs the same however long the log is.
    ///
    /// # Errors
    /// As [`follow`](Self::follow).
    pub fn follow_on(
        &mut self,
        log: &[LogEntry],
        known: usize,
        events: &mut History,
        mut agent: Option<(&mut dyn Agent, &Until)>,
    ) -> Result<FollowOutcome, Diagnostics> {
        let known = known.min(self.log.len()).min(log.len());
        debug_assert!(self.log[..known] == log[..known], "the logs begin alike");
        let mut common = known + shared(&self.log[known..], &log[known..]);
        if let Some(went) = self.unchanged_outcome(common, log, agent.is_some()) {
            return Ok(went);
        }
        drop(self.resolved.split_off(&common));
        let first_difference = common;
        let mut before = HistoryBefore::of(events);
        let mut exact = Vec::new();
        loop {
            let (entries, mut run) = match self.nearest(common, log) {
                Some((entries, kept, run)) => {
                    before.cut(events, kept);
                    (Some(entries), run)
                }
                None => {
                    before.cut(events, 0);
                    let mut run = self.rules.begin(&self.start, self.seed);
                    run.table.record(Recording::default());
                    (None, run)
                }
            };
            let until = agent.as_ref().map(|(_, until)| *until);
            let mut along =
                LogAnswers::new(log, &mut self.resolved, until, self.rules.work()).pausing(entries.unwrap_or(0));
            if entries.is_none() {
                along.begin(&mut run.table);
            }
            let copies = &mut self.copies;
            let asked = agent.as_mut().map(|(agent, _)| &mut **agent as &mut dyn Agent);
            let end = along.play((&self.rules, &self.start, self.seed), &mut run, asked, |run, entries| {
                events.append(run.table.take_events());
                let run = Arc::new(run.clone());
                keep(copies, Checkpoint { entries, events: events.len(), bytes: run.bytes_held(), run });
                before.shorten(events);
            });
            let mut went = along.outcome(run, end);
            // Entries before the checkpoint that the next stretch starts from are rewritten in this one alone.
            exact.append(&mut went.exact);
            match went.end {
                // The stretch before an intervention has to be run again.
                End::Halted(Halt::Again) => {
                    let known = Arc::make_mut(&mut self.log);
                    known.truncate(common);
                    known.extend_from_slice(&log[common..went.used]);
                    common = went.used;
                }
                End::Halted(Halt::Stopped) => {
                    before.restore(events);
                    // Checkpoints behind this point belong to the unfinished log.
                    Arc::make_mut(&mut self.log).truncate(first_difference);
                    return Err(interrupted().into());
                }
                _ => {
                    events.append(went.run.table.take_events());
                    let went = self.store_head(Outcome { exact, ..went }, common, log);
                    events.settle(|| self.source());
                    return Ok(went);
                }
            }
        }
    }

    /// The outcome where the log ends at the head, so that nothing has to be run.
    fn unchanged_outcome(&self, common: usize, log: &[LogEntry], has_agent: bool) -> Option<FollowOutcome> {
        let head = self.head.as_ref().filter(|head| head.entries == common)?;
        let is_there = match head.stands {
            HeadState::Asks => log.len() == common && !has_agent,
            HeadState::Over => true,
            HeadState::Spoilt => false,
        };
        let is_over_before = head.end == End::Finished && log.len() > common;
        let end = if head.stands == HeadState::Asks { End::Halted(Halt::Open) } else { head.end.clone() };
        is_there.then(|| FollowOutcome {
            end,
            used: common,
            misfit: is_over_before.then_some(MisfitReason::Over),
            exact: Vec::new(),
            added: Vec::new(),
        })
    }

    /// The latest run from which a log can go on that shares its first `common` entries with the log before: the number
    /// of entries used, of events recorded, and the run. `None` where that is the beginning.
    fn nearest(&mut self, common: usize, log: &[LogEntry]) -> Option<(usize, usize, Run)> {
        // A checkpoint lies after the moment at which an intervention right behind it takes effect. It is dropped,
        // because the events it counts are replaced by those of the intervention.
        let is_early = |copy: &Checkpoint| log.get(copy.entries).is_none_or(|entry| !entry.is_intervention());
        self.copies.retain(|copy| copy.entries <= common && is_early(copy));
        // An intervention takes effect before the open decision, so the choice before it has to be made again.
        let latest = match log.get(common) {
            Some(entry) if entry.is_intervention() => {
                log[..common].iter().rposition(|entry| !entry.is_intervention())?
            }
            _ => common,
        };
        let head = self.head.take().filter(|head| head.stands == HeadState::Asks && head.entries == latest);
        if let Some(Head { entries, run, .. }) = head {
            return Some((entries, usize::MAX, run));
        }
        self.checkpoint_before(latest).map(|(run, entries, events)| (entries, events, run))
    }

    /// The inputs of a run that reproduces all events so far.
    fn source(&self) -> Source {
        let Self { rules, start, seed, log, resolved, .. } = self;
        let (log, resolved) = (log.clone(), resolved.clone());
        Source { rules: rules.clone(), start: start.clone(), seed: *seed, log, resolved, events: OnceLock::new() }
    }

    /// Stores where the run stopped as the new head.
    fn store_head(&mut self, outcome: Outcome, common: usize, log: &[LogEntry]) -> FollowOutcome {
        let Outcome { run, end, used, misfit, exact, added } = outcome;
        let known = Arc::make_mut(&mut self.log);
        known.truncate(common);
        known.extend_from_slice(log.get(common..used).unwrap_or_default());
        for (place, entry) in &exact {
            if let Some(known) = known.get_mut(*place) {
                known.clone_from(entry);
            }
        }
        known.extend_from_slice(&added);
        let is_spoilt = misfit.is_some() && log.get(used).is_some_and(|entry| entry.is_intervention());
        let stands = match end {
            End::Halted(_) if is_spoilt => HeadState::Spoilt,
            End::Halted(_) => HeadState::Asks,
            End::Finished | End::Failed(_) | End::Endless(_) => HeadState::Over,
        };
        self.head = Some(Head { entries: self.log.len(), run, end: end.clone(), stands });
        FollowOutcome { end, used, misfit, exact, added }
    }
}

/// Adds a checkpoint, and thins out older ones: equally many remain for each doubling of the distance.
fn keep(copies: &mut Vec<Checkpoint>, copy: Checkpoint) {
    let newest = copy.entries;
    copies.retain(|old| old.entries < newest && old.entries.is_multiple_of(spacing(newest - old.entries)));
    copies.push(copy);
    let mut bytes: usize = copies.iter().map(|copy| copy.bytes).sum();
    while bytes > MAX_CHECKPOINT_BYTES && !copies.is_empty() {
        bytes -= copies.remove(least_valuable_checkpoint(copies)).bytes;
    }
}

/// The index of the checkpoint whose loss delays undo least, relative to its distance; the newest is never chosen.
fn least_valuable_checkpoint(copies: &[Checkpoint]) -> usize {
    let newest = copies.last().map_or(0, |copy| copy.entries);
    let before = |place: usize| place.checked_sub(1).map_or(0, |before| copies[before].entries);
    let missed = |place: usize| (copies[place + 1].entries - before(place), newest - copies[place].entries);
    let least = (0..copies.len().saturating_sub(1)).min_by(|&one, &other| {
        let ((gap, back), (other_gap, other_back)) = (missed(one), missed(other));
        (gap * other_back).cmp(&(other_gap * back))
    });
    least.unwrap_or(0)
}

/// The spacing, in entries, of checkpoints at a distance from the newest.
fn spacing(distance: usize) -> usize {
    match distance / DENSE_ENTRIES {
        0 => 1,
        times => (times + 1).next_power_of_two(),
    }
}
