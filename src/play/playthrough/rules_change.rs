//! Other rules under a game in play: the log is run along them, and what that changes is told.

use super::change::Change;
use super::checkpointed::CheckpointedRun;
use super::timeline::Timeline;
use super::undo::Transition;
use super::{DryRun, Misfit, Playable, Playthrough, Position};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::script::Start;

/// The number of changes of the rules that can be undone.
const MAX_UNDOABLE_RULE_CHANGES: usize = 8;

/// The result of [`Playthrough::try_rules`].
pub enum RulesTrial {
    /// Everything fits, and the rules are now in play; with what they changed.
    Fits(Box<Change>),
    /// A log entry does not fit; the game is unchanged. Holds the rules that were tried.
    Misfits(Box<Playable>, Misfit),
    /// The rules fail; the game is unchanged.
    Fails(Diagnostics),
}

impl Playthrough {
    /// Runs the log under other rules, and returns what that changes. `undo` restores the state before.
    ///
    /// # Errors
    /// The run was stopped.
    pub fn change_rules(&mut self, loaded: Playable) -> Result<Change, Diagnostics> {
        let tried = self.follow_under(&loaded)?;
        Ok(self.go_over(loaded, tried))
    }

    /// Runs the log under other rules, and changes to them only if all of it fits.
    ///
    /// # Errors
    /// The run was stopped.
    pub fn try_rules(&mut self, loaded: Playable) -> Result<RulesTrial, Diagnostics> {
        let mut tried = self.follow_under(&loaded)?;
        if let Some(misfit) = tried.misfit.take() {
            return Ok(RulesTrial::Misfits(Box::new(loaded), misfit));
        }
        if let Some(failed) = tried.position.failed.as_ref().filter(|_| self.position.failed.is_none()) {
            return Ok(RulesTrial::Fails(failed.clone()));
        }
        Ok(RulesTrial::Fits(Box::new(self.go_over(loaded, tried))))
    }

    /// Changes to other rules, under which the log was run, and returns what that changes.
    fn go_over(&mut self, loaded: Playable, tried: DryRun) -> Change {
        let DryRun { log, left_out, position, misfit, track } = tried;
        let before = self.timeline.clone();
        let waits = position.lets_wait(misfit.as_ref());
        self.timeline.take_over(log, waits, |entry| entry.is_settled(&loaded.ruleset.definition));
        let mut change = Change::between((&self.loaded, &self.position), (&loaded, &position), misfit);
        change.left_out = left_out;
        change.waiting = if waits { self.timeline.current().log.len() - self.timeline.cursor() } else { 0 };
        let is_cut = change.misfit.is_some() && !waits;
        change.kept_on = self
            .timeline
            .other_with(before.log())
            .filter(|_| is_cut || !change.left_out.is_empty())
            .map(|branch| branch.name.clone());
        self.switch_rules(loaded, track, position, before, None);
        change
    }

    /// Runs the log under other rules. Rejects these in a game begun by a scenario, whose table belongs to its rules.
    fn follow_under(&self, loaded: &Playable) -> Result<DryRun, Diagnostics> {
        match self.start {
            Start::Game => loaded.follow(self.seed, self.timeline.log()),
            Start::Call { .. } => {
                Err(Diagnostic::new("this game was begun by a scenario, on a table of its own rules")
                    .help("run the scenario again, under the other rules")
                    .into())
            }
        }
    }

    /// Changes to other rules and the position that the log leads to. `before` is the timeline to restore on undo, and
    /// `border` the seed before, where another game begins.
    pub(super) fn switch_rules(
        &mut self,
        loaded: Playable,
        track: CheckpointedRun,
        position: Position,
        before: Timeline,
        border: Option<u64>,
    ) {
        let events = std::mem::replace(&mut self.position, position).events;
        let loaded = std::mem::replace(&mut self.loaded, loaded);
        let track = std::mem::replace(&mut self.track, track);
        self.changes.push(Transition { loaded, border, timeline: before, after: self.timeline.clone(), track, events });
        if self.changes.len() > MAX_UNDOABLE_RULE_CHANGES {
            self.changes.remove(0);
        }
        self.undone.clear();
    }
}
