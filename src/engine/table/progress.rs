//! How far a game has come: what is counted, what stands open, and where its end is.

use crate::table::clock::Waiting;
use crate::table::decision::{Decision, Halt};
use crate::table::{Fault, Table};
use std::sync::Arc;

/// Most decisions in one game; a game that needs more never ends. A real-time game of many rounds has some 200,000.
pub const MAX_DECISIONS: usize = 500_000;

/// Most changes in one game: moves, settings, marks, chance.
pub const MAX_CHANGES: u64 = 10_000_000;

/// How far a game has come.
#[derive(Clone, Debug)]
pub struct Progress {
    pub(super) decisions: usize,
    pub(super) interventions: usize,
    pub(super) changes: u64,
    /// What the table has done beyond its changes, as in [`Table::effort`].
    pub(super) effort: u64,
    /// How many of the changes were made by hand.
    pub(super) meddled: u64,
    /// Number of the simultaneous choice that is being made, and how many there have been.
    pub(super) together: Option<u32>,
    pub(super) togethers: u32,
    /// Until when its answers took.
    pub(super) together_until: i64,
    /// The word that waits for an answer and is begun again with it, where it needs more than its arguments.
    pub(super) waiting: Option<Waiting>,
    /// With which change whoever answers wants to intervene.
    pub(super) alarm: u64,
    /// Whether nobody can be asked at present.
    pub(super) is_silent: bool,
    pub(super) chosen: Chosen,
    pub(super) halt: Option<Halt>,
    pub(super) open: Option<Arc<Decision>>,
}

/// What was chosen last: of use only to the word that asked, so a copy does not have it.
#[derive(Debug, Default)]
pub(super) struct Chosen(pub Vec<usize>);

impl Clone for Chosen {
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
            meddled: 0,
            together: None,
            togethers: 0,
            together_until: 0,
            waiting: None,
            alarm: u64::MAX,
            is_silent: false,
            chosen: Chosen::default(),
            halt: None,
            open: None,
        }
    }
}

impl Table {
    /// Leaves room for so many more decisions at most: for copies that somebody tries things in.
    pub fn leave_decisions(&mut self, most: usize) {
        self.progress.decisions = self.progress.decisions.max(MAX_DECISIONS.saturating_sub(most));
    }

    /// Why the run ended before its end, if it did.
    pub fn halt(&self) -> Option<&Halt> {
        self.progress.halt.as_ref()
    }

    /// The open decision, if one is.
    pub fn open(&self) -> Option<&Arc<Decision>> {
        self.progress.open.as_ref()
    }

    /// How many changes there have been: a clock for interventions.
    pub fn changes(&self) -> u64 {
        self.progress.changes
    }

    /// What the table has done so far, in units of the machine's meter, two for a change: whoever runs rules counts it, because the words
    /// alone do not tell how much there was to do.
    #[inline]
    pub fn effort(&self) -> u64 {
        2 * self.progress.changes + self.progress.effort + self.chance.effort()
    }

    /// Something takes longer the more there is of something, some dozens of which take as long as a unit.
    #[inline]
    pub(super) fn takes(&mut self, of: usize) {
        self.progress.effort += of as u64 / 64;
    }

    /// How many changes the rules have made, choices and changes by hand left out: whether it moves tells whether a
    /// function only looks.
    pub fn changes_by_rules(&self) -> u64 {
        let Progress { changes, meddled, decisions, .. } = &self.progress;
        changes.wrapping_sub(*meddled).wrapping_sub(*decisions as u64)
    }

    /// How many decisions there have been.
    pub fn decisions(&self) -> usize {
        self.progress.decisions
    }

    /// Lets those who answer intervene after the change of this number, when the word is done that makes it.
    pub fn set_alarm(&mut self, change: u64) {
        self.progress.alarm = change;
    }

    /// Whether the alarm has gone off.
    pub(super) fn rings(&self) -> bool {
        self.progress.changes >= self.progress.alarm
    }

    /// Ends the run here, because whoever watches has seen enough.
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
            return Err(self.stop(Halt::Limit(format!("more than {MAX_CHANGES} changes in one game"))));
        }
        Ok(())
    }
}
