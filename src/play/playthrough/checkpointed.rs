//! A game in play that goes on from where it stopped: runs along logs, with copies kept along the way.
//!
//! Whatever a person does makes another log. What a log shares with the one before is not run again: the run goes on
//! from where it stands, or from the nearest copy before the first difference. So a choice costs what the rules do for it,
//! and so does taking it back, however long the game is. That a run from a copy is the run from the beginning is what the
//! machine promises, and what tests hold.

use crate::diagnostic::Diagnostics;
use crate::playthrough::hidden_choices::HiddenChoices;
use crate::playthrough::history::{History, HistoryBefore, Source};
use crate::playthrough::log::LogEntry;
use crate::playthrough::misfit::MisfitReason;
use crate::playthrough::observation::Agent;
use crate::playthrough::run::{LogAnswers, Outcome, Resolved, Until};
use crate::playthrough::timeline::shared;
use crate::script::machine::meter::MAX_MEMORY;
use crate::script::rules::{Rules, Run};
use crate::script::{End, Start};
use crate::table::Recording;
use crate::table::decision::{Answers as _, Halt};
use crate::work::interrupted;
use std::sync::{Arc, OnceLock};

/// Up to so many entries back, copies lie as close as they were taken.
const DENSE_ENTRIES: usize = 32;

/// Most bytes that the copies of one game hold together: as much as the values of its run may. What they share is
/// counted for each, so that one that stays alone holds no more than was counted. Where they would hold more, fewer are
/// kept, and going back runs longer.
pub const MAX_COPIES: usize = MAX_MEMORY;

/// The rules of one game on their way along logs.
#[derive(Clone)]
pub struct CheckpointedRun {
    rules: Arc<Rules>,
    start: Start,
    seed: u64,
    /// What the copies and the head have run along; whoever takes a track along shares it.
    log: Arc<Vec<LogEntry>>,
    resolved: Resolved,
    /// In the order of their entries.
    copies: Vec<Checkpoint>,
    head: Option<Head>,
}

/// A run that was stopped before it answered an entry of the log.
#[derive(Clone)]
struct Checkpoint {
    /// How many entries it has used.
    entries: usize,
    /// How many events had been recorded.
    events: usize,
    /// About how many bytes it holds.
    bytes: usize,
    run: Arc<Run>,
}

/// Where the log was used up, or could not be used further.
#[derive(Clone)]
struct Head {
    entries: usize,
    run: Run,
    end: End,
    stands: HeadState,
}

/// What can become of a run that stopped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HeadState {
    /// It asks, and goes on with an answer.
    Asks,
    /// It is over, or the rules failed.
    Over,
    /// A change by hand that did not fit was half made.
    Spoilt,
}

/// What came of following a log.
pub struct FollowOutcome {
    pub end: End,
    /// How many entries of the log were used.
    pub used: usize,
    /// Why the entry behind those does not fit, if one is left.
    pub misfit: Option<MisfitReason>,
    /// Entries of the log that told options by labels, by their place in it, as values.
    pub exact: Vec<(usize, LogEntry)>,
    /// What an agent chose beyond the log.
    pub added: Vec<LogEntry>,
}

impl CheckpointedRun {
    /// Rules that stand at their beginning.
    pub fn new(rules: Arc<Rules>, start: Start, seed: u64) -> Self {
        Self { rules, start, seed, log: Arc::default(), resolved: Resolved::new(), copies: Vec::new(), head: None }
    }

    /// Whether a single rule is run, and not a game from its beginning.
    pub fn is_call(&self) -> bool {
        matches!(self.start, Start::Call { .. })
    }

    /// The run where the last log ended; none before one was followed.
    pub fn run(&self) -> Option<&Run> {
        self.head.as_ref().map(|head| &head.run)
    }

    /// A copy of the run from before the entry of that number, or from further back; with how many entries it has used
    /// and how many events had been recorded. None where none lies between there and the beginning.
    pub fn copy_before(&self, entries: usize) -> Option<(Run, usize, usize)> {
        let copy = self.copies.iter().rfind(|copy| copy.entries <= entries)?;
        Some((Run::clone(&copy.run), copy.entries, copy.events))
    }

    /// What it has run along.
    #[doc(hidden)]
    pub fn log(&self) -> &[LogEntry] {
        &self.log
    }

    /// Where the interventions of the log belong, as far as it was followed.
    pub fn resolved(&self) -> &Resolved {
        &self.resolved
    }

    /// What was chosen along a log, which was followed last, that somebody may not know.
    pub fn past(&self, log: &[LogEntry]) -> HiddenChoices {
        let run = self.run().filter(|run| HiddenChoices::may_matter(&run.table, None));
        run.map_or_else(HiddenChoices::default, |_| {
            HiddenChoices::of_log(&self.rules, &self.start, self.seed, log, &self.resolved)
        })
    }

    /// Goes along a log, and beyond it as far as an agent is asked. `events` are those of the log that was followed
    /// before, and become those of this one.
    ///
    /// # Errors
    /// Somebody stopped the work; the events are as they were.
    pub fn follow(
        &mut self,
        log: &[LogEntry],
        events: &mut History,
        agent: Option<(&mut dyn Agent, &Until)>,
    ) -> Result<FollowOutcome, Diagnostics> {
        self.follow_on(log, 0, events, agent)
    }

    /// As [`follow`](Self::follow), along a log that is known to begin with so many entries of the log before, as far as
    /// that was followed. They are not compared, so a step along a log costs the same however long it is.
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
        if let Some(went) = self.stays(common, log, agent.is_some()) {
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
            // What lies before the copy that the next stretch begins with is made exact in this one alone.
            exact.append(&mut went.exact);
            match went.end {
                // The stretch before an intervention has to be gone through again.
                End::Halted(Halt::Again) => {
                    let known = Arc::make_mut(&mut self.log);
                    known.truncate(common);
                    known.extend_from_slice(&log[common..went.used]);
                    common = went.used;
                }
                End::Halted(Halt::Stopped) => {
                    before.restore(events);
                    // Copies behind that are of the log that was not followed to its end.
                    Arc::make_mut(&mut self.log).truncate(first_difference);
                    return Err(interrupted().into());
                }
                _ => {
                    events.append(went.run.table.take_events());
                    let went = self.arrive(Outcome { exact, ..went }, common, log);
                    events.settle(|| self.source());
                    return Ok(went);
                }
            }
        }
    }

    /// What there is to say where the log leads to where the run stands.
    fn stays(&self, common: usize, log: &[LogEntry], has_agent: bool) -> Option<FollowOutcome> {
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

    /// A run from which a log can be gone along that begins like the one before: how many entries it has used, how many
    /// events had been recorded, and the run. None where that is the beginning.
    fn nearest(&mut self, common: usize, log: &[LogEntry]) -> Option<(usize, usize, Run)> {
        // A copy lies behind the moment at which an intervention right after it would take effect. It goes, because the
        // events that it counts on give way to those behind the intervention.
        let is_early = |copy: &Checkpoint| log.get(copy.entries).is_none_or(|entry| !entry.is_intervention());
        self.copies.retain(|copy| copy.entries <= common && is_early(copy));
        // An intervention takes effect before the decision that was open, so the choice before it is made again.
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
        let copy = self.copies.iter().rfind(|copy| copy.entries <= latest)?;
        Some((copy.entries, copy.events, Run::clone(&copy.run)))
    }

    /// What comes to all events so far.
    fn source(&self) -> Source {
        let Self { rules, start, seed, log, resolved, .. } = self;
        let (log, resolved) = (log.clone(), resolved.clone());
        Source { rules: rules.clone(), start: start.clone(), seed: *seed, log, resolved, events: OnceLock::new() }
    }

    /// The run has come to where it stops.
    fn arrive(&mut self, outcome: Outcome, common: usize, log: &[LogEntry]) -> FollowOutcome {
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

/// Keeps a copy, and of those far behind it fewer and fewer: as many for each doubling of the distance.
fn keep(copies: &mut Vec<Checkpoint>, copy: Checkpoint) {
    let newest = copy.entries;
    copies.retain(|old| old.entries < newest && old.entries.is_multiple_of(spacing(newest - old.entries)));
    copies.push(copy);
    let mut bytes: usize = copies.iter().map(|copy| copy.bytes).sum();
    while bytes > MAX_COPIES && !copies.is_empty() {
        bytes -= copies.remove(least_missed(copies)).bytes;
    }
}

/// The copy without which going back takes the least longer, for how far one goes back to it; the newest last of all.
fn least_missed(copies: &[Checkpoint]) -> usize {
    let newest = copies.last().map_or(0, |copy| copy.entries);
    let before = |place: usize| place.checked_sub(1).map_or(0, |before| copies[before].entries);
    let missed = |place: usize| (copies[place + 1].entries - before(place), newest - copies[place].entries);
    let least = (0..copies.len().saturating_sub(1)).min_by(|&one, &other| {
        let ((gap, back), (other_gap, other_back)) = (missed(one), missed(other));
        (gap * other_back).cmp(&(other_gap * back))
    });
    least.unwrap_or(0)
}

/// How many entries lie between copies that are so far back.
fn spacing(distance: usize) -> usize {
    match distance / DENSE_ENTRIES {
        0 => 1,
        times => (times + 1).next_power_of_two(),
    }
}
