//! The progress of a game: its counters, the open decision, and why a run stopped.

use crate::diagnostic::message;
use crate::table::clock::WordProgress;
use crate::table::decision::{Decision, Halt};
use crate::table::{Fault, Table};
use std::sync::Arc;

/// Most decisions in one game; a game that needs more never ends. A real-time game of many rounds has some 200,000.
pub const MAX_DECISIONS: usize = 500_000;

/// Most changes in one game: moves, settings, marks, chance.
pub const MAX_CHANGES: u64 = 10_000_000;

/// The progress of a game.
#[derive(Clone, Debug)]
pub struct Progress {
    pub(super) decisions: usize,
    pub(super) interventions: usize,
    pub(super) changes: u64,
    /// The effort of the table beyond its changes, as in [`Table::effort`].
    pub(super) effort: u64,
    /// Number of changes that were made by hand.
    pub(super) changes_by_hand: u64,
    /// Number of the simultaneous choice that is being made, if any; and how many there have been.
    pub(super) together: Option<u32>,
    pub(super) togethers: u32,
    /// The virtual time, in milliseconds, that the slowest answer of the simultaneous choice took until.
    pub(super) together_until: i64,
    /// The progress of a word that waits for an answer and is begun again with it, where it needs more than its
    /// arguments.
    pub(super) waiting: Option<WordProgress>,
    /// The number of the change at which the answerer wants to intervene.
    pub(super) alarm: u64,
    /// Whether nobody can be asked at present.
    pub(super) is_silent: bool,
    pub(super) chosen: ChosenPositions,
    pub(super) halt: Option<Halt>,
    pub(super) open: Option<Arc<Decision>>,
}

/// The positions of the options chosen last. Only the word that asked needs them, so copies do not have them.
#[derive(Debug, Default)]
pub(super) struct ChosenPositions(pub Vec<usize>);

impl Clone for ChosenPositions {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Default for Progress {
    fn default() -> Self {
        Self {
            decisions: 0,
            interventions: 0,
            changes: 0,
            effort: 0,
            changes_by_hand: 0,
            together: None,
            togethers: 0,
            together_until: 0,
            waiting: None,
            alarm: u64::MAX,
            is_silent: false,
            chosen: ChosenPositions::default(),
            halt: None,
            open: None,
        }
    }
}

impl Table {
    /// Allows at most `most` further decisions: for copies in which somebody tries things.
    pub fn limit_decisions(&mut self, most: usize) {
        self.progress.decisions = self.progress.decisions.max(MAX_DECISIONS.saturating_sub(most));
    }

    /// Why the run stopped before its end; `None` where it did not.
    pub fn halt(&self) -> Option<&Halt> {
        self.progress.halt.as_ref()
    }

    /// The open decision; `None` where none is open.
    pub fn open(&self) -> Option<&Arc<Decision>> {
        self.progress.open.as_ref()
    }

    /// Number of changes so far: a clock for interventions.
    pub fn changes(&self) -> u64 {
        self.progress.changes
    }

    /// The effort of the table so far, in units of the interpreter's meter, two for a change. The code that runs rules
    /// counts it, because the words alone do not tell how much there was to do.
    #[inline]
    pub fn effort(&self) -> u64 {
        2 * self.progress.changes + self.progress.effort + self.chance.effort()
    }

    /// Adds the effort for work on `of` things, 64 of which count as one unit.
    #[inline]
    pub(super) fn add_effort(&mut self, of: usize) {
        self.progress.effort += of as u64 / 64;
    }

    /// Number of changes that the rules have made, without choices and changes by hand. A function that only looks
    /// leaves it as it is.
    pub fn changes_by_rules(&self) -> u64 {
        let Progress { changes, changes_by_hand, decisions, .. } = &self.progress;
        changes.wrapping_sub(*changes_by_hand).wrapping_sub(*decisions as u64)
    }

    /// Number of decisions so far.
    pub fn decisions(&self) -> usize {
        self.progress.decisions
    }

    /// Lets the answerer intervene at the change with this number, when the word that makes it is done.
    pub fn set_alarm(&mut self, change: u64) {
        self.progress.alarm = change;
    }

    /// Whether the alarm has gone off.
    pub fn alarm_is_due(&self) -> bool {
        self.progress.changes >= self.progress.alarm
    }

    /// Ends the run here, because an observer has seen enough.
    pub fn end_watched(&mut self) {
        self.progress.halt = Some(Halt::Watched);
    }

    /// Ends the run; from here on every word refuses to go on.
    pub(super) fn stop(&mut self, halt: Halt) -> Fault {
        self.progress.halt = Some(halt.clone());
        Fault::Halt(halt)
    }

    pub(super) fn count_change(&mut self) -> Result<(), Fault> {
        self.progress.changes += 1;
        if self.progress.changes > MAX_CHANGES {
            return Err(self.stop(Halt::Limit(message!("more than {MAX_CHANGES} changes in one game"))));
        }
        Ok(())
    }
}
