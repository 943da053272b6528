//! Steps back and forth again: entries of the log, changes of the rules, and games of a campaign.

use super::checkpointed::CheckpointedRun;
use super::history::History;
use super::log::LogEntry;
use super::timeline::Timeline;
use super::{Misfit, Playable, Playthrough, campaign, change};
use crate::diagnostic::{Diagnostic, Diagnostics, message};

/// A change of the rules, or the start of a campaign's next game, with the state on the other side of it, for undo.
pub(super) struct Transition {
    pub(super) loaded: Playable,
    /// The seed of the other game, where another game began.
    pub(super) border: Option<u64>,
    pub(super) timeline: Timeline,
    /// The timeline right after the change.
    pub(super) after: Timeline,
    /// How far the game had come under these rules.
    pub(super) track: CheckpointedRun,
    pub(super) events: History,
}

impl Playthrough {
    /// Undoes the last step: a change of the rules, or the last log entry. Returns a description of it.
    ///
    /// # Errors
    /// There is nothing to undo, or the run was stopped.
    pub fn undo(&mut self) -> Result<String, Diagnostics> {
        if self.undoes_rules()
            && let Some(taken) = self.changes.pop()
        {
            return self.cross(taken, true);
        }
        let cursor = self.timeline.cursor();
        let taken_back = self.timeline.log().last().filter(|_| cursor > self.beginning()).map(ToString::to_string);
        let Some(entry) = taken_back else {
            let error = Diagnostic::new("this is the beginning").help("`reroll` redeals, `goto` goes forward");
            return Err(match self.goes_on() {
                true => error.help("the game before it is another file: `load` opens that").into(),
                false => error.into(),
            });
        };
        self.go_along_branch(cursor - 1)?;
        Ok(entry)
    }

    /// Redoes the step undone last. Returns a description of it.
    ///
    /// # Errors
    /// There is nothing to redo, or the run was stopped.
    pub fn redo(&mut self) -> Result<String, Diagnostics> {
        if self.redoes_rules()
            && let Some(taken) = self.undone.pop()
        {
            return self.cross(taken, false);
        }
        let cursor = self.timeline.cursor();
        let Some(entry) = self.timeline.current().log.get(cursor).map(ToString::to_string) else {
            return Err(Diagnostic::new("nothing was undone here that could be redone").into());
        };
        match self.go_along_branch(cursor + 1)? {
            None => Ok(entry),
            Some(Misfit { number, reason, .. }) => {
                Err(Diagnostic::new(message!("move {number}, {entry}, no longer fits: {reason}")).into())
            }
        }
    }

    /// Whether [`undo`](Self::undo) would undo a change of the rules: the log is as it was right after the change,
    /// whatever was named or bookmarked since.
    pub fn undoes_rules(&self) -> bool {
        self.changes.last().is_some_and(|taken| taken.after.log() == self.timeline.log())
    }

    /// The rules before the last change of the rules, and the log at that time; `None` where there was no change.
    pub fn rules_before(&self) -> Option<(&Playable, &[LogEntry])> {
        let taken = self.changes.last().filter(|taken| taken.border.is_none())?;
        Some((&taken.loaded, taken.timeline.log()))
    }

    /// Whether [`undo`](Self::undo) leads into the previous game of a campaign.
    pub fn undoes_game(&self) -> bool {
        self.undoes_rules() && self.changes.last().is_some_and(|taken| taken.border.is_some())
    }

    /// Whether [`redo`](Self::redo) would redo a change of the rules.
    pub fn redoes_rules(&self) -> bool {
        let stands = (self.timeline.cursor(), &self.timeline.current().log);
        self.undone.last().is_some_and(|taken| (taken.after.cursor(), &taken.after.current().log) == stands)
    }

    /// Crosses a change of the rules, taken from those that can be undone or redone. Returns a description of it.
    fn cross(&mut self, mut taken: Transition, is_back: bool) -> Result<String, Diagnostics> {
        let was = self.loaded.ruleset.clone();
        let went = self.exchange(&mut taken);
        let (before, after) = if is_back { (&was, &self.loaded.ruleset) } else { (&self.loaded.ruleset, &was) };
        let words = match taken.border {
            Some(_) => campaign::WORD.to_owned(),
            None => change::rules_in_words(before, after),
        };
        // A change that was not crossed stays where it was.
        if is_back == went.is_ok() {
            self.undone.push(taken)
        } else {
            self.changes.push(taken)
        }
        went.map(|()| words)
    }

    /// Exchanges the state with the one on the other side of a change of the rules. Where the run is stopped,
    /// everything stays as it was.
    fn exchange(&mut self, taken: &mut Transition) -> Result<(), Diagnostics> {
        let timeline = self.timeline.clone();
        self.swap(taken);
        let went = self.refresh_after(|timeline| match taken.border.is_some() || *timeline == taken.after {
            true => timeline.clone_from(&taken.timeline),
            false => timeline.return_to(taken.timeline.log()),
        });
        if let Err(error) = went {
            self.swap(taken);
            return Err(error);
        }
        taken.timeline = timeline;
        taken.after.clone_from(&self.timeline);
        Ok(())
    }

    /// Swaps the rules, the run and its events with those of a transition.
    fn swap(&mut self, taken: &mut Transition) {
        std::mem::swap(&mut self.loaded, &mut taken.loaded);
        std::mem::swap(&mut self.track, &mut taken.track);
        std::mem::swap(&mut self.position.events, &mut taken.events);
        if let Some(seed) = &mut taken.border {
            std::mem::swap(&mut self.seed, seed);
        }
    }
}
