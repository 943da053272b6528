//! Going to other points of the timeline, and giving them names.

use super::{Misfit, Playthrough};
use crate::diagnostic::{Diagnostic, Diagnostics, unknown_or};
use crate::playthrough::timeline::Timeline;

/// Words that mean a point of the branch, or something to do, and so are no names.
const TAKEN: [&str; 8] = ["start", "end", "rename", "all", "with", "without", "set", "reload"];

impl Playthrough {
    /// Goes to the point after so many entries of the log; gives the entry before which the game stands instead, where
    /// the rules have changed and it no longer fits.
    ///
    /// # Errors
    /// There are not so many; somebody stopped the run.
    pub fn go_to(&mut self, entries: usize) -> Result<Option<Misfit>, Diagnostics> {
        let most = self.timeline.current().log.len();
        if entries > most {
            return Err(Diagnostic::new(format!("this branch has {most} moves, not {entries}"))
                .help(format!("give a number from 0 to {most}, or `goto end`"))
                .into());
        }
        let entries = entries.max(self.beginning());
        self.refresh_after(|timeline| timeline.go_to(entries))
    }

    /// Of so many steps of `undo` or `redo` takes all but the last few at once, and over no change of the rules; gives
    /// how many it took.
    ///
    /// # Errors
    /// Somebody stopped the run.
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
            self.refresh_after(|timeline| timeline.go_to(entries))?;
        }
        Ok(self.timeline.cursor().abs_diff(cursor))
    }

    /// Goes to a bookmark or to the end of a branch; gives the entry before which the game stands instead, where the
    /// rules have changed and it no longer fits.
    ///
    /// # Errors
    /// Nothing has that name, with the nearest; somebody stopped the run.
    pub fn go_to_named(&mut self, name: &str) -> Result<Option<Misfit>, Diagnostics> {
        let mut timeline = self.timeline.clone();
        if !timeline.go_to_named(name) {
            return Err(unknown_point(&self.timeline, name).into());
        }
        self.refresh_after(|before| *before = timeline)
    }

    /// Starts a branch here and goes on with it.
    ///
    /// # Errors
    /// Something has that name; it can be no name.
    pub fn branch(&mut self, name: &str) -> Result<(), Diagnostics> {
        check_name(name)?;
        if self.timeline.branch(name) { Ok(()) } else { Err(named_already(&self.timeline, name).into()) }
    }

    /// Gives a branch another name.
    ///
    /// # Errors
    /// There is no such branch, with the nearest; something has the new name, or it can be no name.
    pub fn rename_branch(&mut self, old: &str, new: &str) -> Result<(), Diagnostics> {
        if self.timeline.branch_named(old).is_none() {
            let known = self.timeline.branches().iter().map(|branch| branch.name.as_str());
            return Err(unknown("branch", old, known).into());
        }
        check_name(new)?;
        if self.timeline.rename(old, new) { Ok(()) } else { Err(named_already(&self.timeline, new).into()) }
    }

    /// Marks this point with a name, which it loses elsewhere.
    ///
    /// # Errors
    /// A branch has that name; it can be no name.
    pub fn bookmark(&mut self, name: &str) -> Result<(), Diagnostics> {
        check_name(name)?;
        if self.timeline.branch_named(name).is_some() {
            return Err(named_already(&self.timeline, name).into());
        }
        self.timeline.mark(name);
        Ok(())
    }

    /// Takes away a bookmark, or a branch with the bookmarks on moves that no other branch has; gives the names of
    /// those.
    ///
    /// # Errors
    /// Nothing has that name, with the nearest; the game is on that branch.
    pub fn forget(&mut self, name: &str) -> Result<Vec<String>, Diagnostics> {
        if self.timeline.unmark(name) {
            return Ok(Vec::new());
        }
        if self.timeline.current().name == name {
            return Err(Diagnostic::new(format!("the game is on branch {name}"))
                .help("`goto` another branch before this one is forgotten; `tree` shows them")
                .into());
        }
        self.timeline.forget(name).ok_or_else(|| unknown_point(&self.timeline, name).into())
    }
}

/// That nothing in the timeline has that name, with the nearest.
pub fn unknown_point(timeline: &Timeline, name: &str) -> Diagnostic {
    let branches = timeline.branches().iter().map(|branch| branch.name.as_str());
    let bookmarks = timeline.bookmarks().map(|(_, bookmark)| bookmark.name.as_str());
    unknown("branch or bookmark", name, branches.chain(bookmarks))
}

fn unknown<'a>(sort: &str, name: &str, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    unknown_or(sort, name, known, "`tree` shows what there is")
}

/// Names are typed between other words, and a number is a move.
fn check_name(name: &str) -> Result<(), Diagnostics> {
    let error = |what: &str| Err(Diagnostic::new(format!("`{name}` cannot be a name: {what}")).into());
    if name.is_empty() || name.contains(char::is_whitespace) {
        return error("a name is one word");
    }
    if name.chars().all(|letter| letter.is_ascii_digit()) {
        return error("numbers are for moves, and for branches that nobody named");
    }
    if TAKEN.contains(&name) {
        return error("it means something else already");
    }
    Ok(())
}

fn named_already(timeline: &Timeline, name: &str) -> Diagnostic {
    let sort = if timeline.branch_named(name).is_some() { "branch" } else { "bookmark" };
    Diagnostic::new(format!("there is a {sort} `{name}` already"))
        .help(format!("`goto {name}` goes there; choose another name for a new one"))
}
