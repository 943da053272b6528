//! Navigation in the timeline: goto, branches and bookmarks.

use super::{Misfit, Playthrough};
use crate::diagnostic::{Diagnostic, Diagnostics, Message, message, unknown_or};
use crate::playthrough::timeline::Timeline;

/// Words with a meaning in commands, which cannot be names.
const RESERVED_NAMES: [&str; 8] = ["start", "end", "rename", "all", "with", "without", "set", "reload"];

impl Playthrough {
    /// Goes to the point after `entries` entries of the branch. Where the rules have changed and an entry no longer
    /// fits, the game stands before it, and the entry is returned.
    ///
    /// # Errors
    /// The branch has fewer entries, or the run was stopped.
    pub fn go_to(&mut self, entries: usize) -> Result<Option<Misfit>, Diagnostics> {
        let most = self.timeline.current().log.len();
        if entries > most {
            return Err(Diagnostic::new(message!("this branch has {most} moves, not {entries}"))
                .help(message!("give a number from 0 to {most}, or `goto end`"))
                .into());
        }
        self.go_along_branch(entries.max(self.beginning()))
    }

    /// Takes all but the last `but` of `count` steps of `undo` or `redo` at once, without crossing a change of the
    /// rules. Returns the number of steps taken.
    ///
    /// # Errors
    /// The run was stopped.
    pub fn skip(&mut self, count: usize, but: usize, backwards: bool) -> Result<usize, Diagnostics> {
        let (cursor, end) = (self.timeline.cursor(), self.timeline.current().log.len());
        let changed = self.changes.last().map(|taken| taken.after.log());
        let room = match backwards {
            true => {
                let changed = changed.filter(|log| self.timeline.log().starts_with(log)).map_or(0, <[_]>::len);
                cursor - changed.max(self.beginning()).min(cursor)
            }
            false if self.undone.is_empty() => end - cursor,
            false => 0,
        };
        let count = count.min(room).saturating_sub(but);
        if count > 0 {
            let entries = if backwards { cursor - count } else { cursor + count };
            self.go_along_branch(entries)?;
        }
        Ok(self.timeline.cursor().abs_diff(cursor))
    }

    /// Goes to a bookmark or to the end of a branch. Where the rules have changed and an entry no longer fits, the game
    /// stands before it, and the entry is returned.
    ///
    /// # Errors
    /// The name is unknown (with the nearest one), or the run was stopped.
    pub fn go_to_named(&mut self, name: &str) -> Result<Option<Misfit>, Diagnostics> {
        let mut timeline = self.timeline.clone();
        if !timeline.go_to_named(name) {
            return Err(unknown_point(&self.timeline, name).into());
        }
        timeline.leave_out(|entry| entry.is_settled(&self.loaded.ruleset.definition));
        self.refresh_after(|before| *before = timeline)
    }

    /// Starts a branch here and makes it current.
    ///
    /// # Errors
    /// The name is taken or not allowed.
    pub fn branch(&mut self, name: &str) -> Result<(), Diagnostics> {
        check_name(name)?;
        if self.timeline.branch(name) { Ok(()) } else { Err(named_already(&self.timeline, name).into()) }
    }

    /// Renames a branch.
    ///
    /// # Errors
    /// The branch does not exist (with the nearest one), or the new name is taken or not allowed.
    pub fn rename_branch(&mut self, old: &str, new: &str) -> Result<(), Diagnostics> {
        if self.timeline.branch_named(old).is_none() {
            let known = self.timeline.branches().iter().map(|branch| branch.name.as_str());
            return Err(unknown("branch", old, known).into());
        }
        check_name(new)?;
        if self.timeline.rename(old, new) { Ok(()) } else { Err(named_already(&self.timeline, new).into()) }
    }

    /// Sets a bookmark here; an earlier one with this name is removed.
    ///
    /// # Errors
    /// A branch has that name, or it is not allowed.
    pub fn bookmark(&mut self, name: &str) -> Result<(), Diagnostics> {
        check_name(name)?;
        if self.timeline.branch_named(name).is_some() {
            return Err(named_already(&self.timeline, name).into());
        }
        self.timeline.mark(name);
        Ok(())
    }

    /// Removes a bookmark, or a branch with the bookmarks on moves that no other branch has. Returns the names of these
    /// bookmarks.
    ///
    /// # Errors
    /// The name is unknown (with the nearest one), or the game is on that branch.
    pub fn forget(&mut self, name: &str) -> Result<Vec<String>, Diagnostics> {
        if self.timeline.unmark(name) {
            return Ok(Vec::new());
        }
        if self.timeline.current().name == name {
            return Err(Diagnostic::new(message!("the game is on branch {name}"))
                .help("`goto` another branch before this one is forgotten; `tree` shows them")
                .into());
        }
        self.timeline.forget(name).ok_or_else(|| unknown_point(&self.timeline, name).into())
    }
}

/// The error for an unknown name of a branch or bookmark, with the nearest one.
pub fn unknown_point(timeline: &Timeline, name: &str) -> Diagnostic {
    let branches = timeline.branches().iter().map(|branch| branch.name.as_str());
    let bookmarks = timeline.bookmarks().map(|(_, bookmark)| bookmark.name.as_str());
    unknown("branch or bookmark", name, branches.chain(bookmarks))
}

fn unknown<'a>(sort: &'static str, name: &str, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    unknown_or(sort, name, known, "`tree` shows what there is")
}

/// Rejects names that could not be told from other words of a command: a number, for one, is a move.
fn check_name(name: &str) -> Result<(), Diagnostics> {
    let error = |why: &'static str| {
        let why = Message::from(why);
        Err(Diagnostic::new(message!("`{name}` cannot be a name: {why}")).into())
    };
    if name.is_empty() || name.contains(char::is_whitespace) {
        return error("a name is one word");
    }
    if name.chars().all(|letter| letter.is_ascii_digit()) {
        return error("numbers are for moves, and for branches that nobody named");
    }
    if RESERVED_NAMES.contains(&name) {
        return error("it means something else already");
    }
    Ok(())
}

fn named_already(timeline: &Timeline, name: &str) -> Diagnostic {
    let sort = Message::from(if timeline.branch_named(name).is_some() { "branch" } else { "bookmark" });
    Diagnostic::new(message!("there is a {sort} `{name}` already"))
        .help(message!("`goto {name}` goes there; choose another name for a new one"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::agent::Random;
    use crate::games::small;
    use crate::playthrough::Playable;
    use crate::playthrough::run::Until;
    use crate::playthrough::timeline::tests::COMPARED;
    use std::sync::Arc;

    /// A game of `count` choices, one of which has several parts.
    fn game(count: usize) -> Playthrough {
        let definition = "id = 'small'\nname = 'Small'\nplayers = { min = 2, max = 2 }\n";
        let rules = "fn game() { for turn in 0..400 { \
            players[1].choose(\"act\", options(\"what\", [\"a\", \"b\"]).and(\"to\", [1, 2])); \
            players[2].choose(\"go\", [\"on\", \"off\"]); } }";
        let loaded = Playable::compile(small(definition, rules, &[], &[]), 2, Arc::default()).unwrap();
        let (mut game, _) = Playthrough::start(loaded, 2, 1, Vec::new()).unwrap();
        game.advance(Box::new(Random::new(1)), Until::Decisions(count)).unwrap();
        game
    }

    #[test]
    fn a_step_through_a_long_game_costs_no_more_than_one_through_a_short_one() {
        let compared = |count: usize| {
            let mut game = game(count);
            assert_eq!(game.timeline().log().len(), count);
            let log = game.timeline().current().log.clone();
            let before = COMPARED.get();
            for entries in (0..=count).chain((0..count).rev()) {
                game.go_to(entries).unwrap();
                assert_eq!(game.timeline().cursor(), entries);
                assert_eq!(game.position().open.as_ref().map(|open| open.number), Some(entries + 1));
            }
            (0..count).for_each(|_| drop(game.redo().unwrap()));
            (0..count).for_each(|_| drop(game.undo().unwrap()));
            assert!(Arc::ptr_eq(&log, &game.timeline().current().log), "nobody made another log");
            COMPARED.get() - before
        };
        let (short, long) = (compared(100), compared(400));
        assert!(long <= 4 * short.max(400), "{short} entries were compared, and then {long}");
    }
}
