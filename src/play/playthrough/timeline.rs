//! The timeline of a playthrough: its branches, the current point, and bookmarks.
//!
//! Only [`forget`](Timeline::forget) loses moves: whatever leaves a branch becomes a branch of its own, together with
//! the bookmarks on these moves.

use crate::playthrough::log::{Entry, LogEntry, deduplicated};
use crate::sorted::sort_by;
use std::sync::Arc;

/// The name of the first branch.
pub const MAIN: &str = "main";

/// One course of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// The name: `main`, a number, or one that the person gave.
    pub name: String,
    /// The log of the branch, including undone entries. Copies of a timeline share it.
    pub log: Arc<Vec<LogEntry>>,
    /// The bookmarks on the branch, in the order of the moves.
    pub bookmarks: Vec<Bookmark>,
}

/// A named point of a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bookmark {
    pub name: String,
    /// The number of entries of the branch before it.
    pub entries: usize,
}

/// The point at which a branch leaves another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fork {
    /// The index of the other branch.
    pub parent: usize,
    /// The number of entries they share.
    pub shared: usize,
}

/// All branches of a game, and the current point.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    branches: Vec<Branch>,
    current: usize,
    cursor: usize,
}

impl Timeline {
    /// A timeline with one branch, standing at its end.
    pub fn new(log: Vec<LogEntry>) -> Self {
        let cursor = log.len();
        Self {
            branches: vec![Branch { name: MAIN.to_owned(), log: Arc::new(log), bookmarks: Vec::new() }],
            current: 0,
            cursor,
        }
    }

    /// A timeline of given branches, at entry `cursor` of the branch with index `current`; `None` where that is
    /// invalid, such as for duplicate names.
    pub fn of(branches: Vec<Branch>, current: usize, cursor: usize) -> Option<Self> {
        let marks = || branches.iter().flat_map(|branch| &branch.bookmarks);
        let mut names: Vec<&str> = branches.iter().map(|branch| branch.name.as_str()).collect();
        names.extend(marks().map(|mark| mark.name.as_str()));
        sort_by(&mut names, Ord::cmp);
        let are_names_unique = names.windows(2).all(|pair| pair[0] != pair[1]);
        let are_marks_in_place = branches.iter().all(|branch| {
            let places: Vec<usize> = branch.bookmarks.iter().map(|mark| mark.entries).collect();
            places.is_sorted() && places.iter().all(|entries| *entries <= branch.log.len())
        });
        let stands = branches.get(current).is_some_and(|branch| cursor <= branch.log.len());
        (are_names_unique && are_marks_in_place && stands).then_some(Self { branches, current, cursor })
    }

    /// All branches, in the order in which they arose.
    pub fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// The index of the current branch.
    pub fn place_of_current(&self) -> usize {
        self.current
    }

    /// The current branch.
    pub fn current(&self) -> &Branch {
        &self.branches[self.current]
    }

    /// The number of entries in effect on the current branch; those behind it are undone.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// The entries in effect.
    pub fn log(&self) -> &[LogEntry] {
        &self.current().log[..self.cursor]
    }

    /// The branch of that name.
    pub fn branch_named(&self, name: &str) -> Option<&Branch> {
        self.branches.iter().find(|branch| branch.name == name)
    }

    /// All bookmarks, each with its branch.
    pub fn bookmarks(&self) -> impl Iterator<Item = (&Branch, &Bookmark)> {
        self.branches.iter().flat_map(|branch| branch.bookmarks.iter().map(move |bookmark| (branch, bookmark)))
    }

    /// The bookmark with a name, and its branch.
    pub fn bookmark_named(&self, name: &str) -> Option<(&Branch, &Bookmark)> {
        self.bookmarks().find(|(_, bookmark)| bookmark.name == name)
    }

    /// The entries up to a bookmark or to the end of a branch.
    pub fn log_up_to(&self, name: &str) -> Option<&[LogEntry]> {
        let (branch, entries) = self.point_named(name)?;
        Some(&self.branches[branch].log[..entries])
    }

    /// For each branch except the first, where it leaves the older branch with which it shares most.
    pub fn forks(&self) -> Vec<Option<Fork>> {
        let fork = |number: usize| {
            let shared = |parent: usize| shared(&self.branches[number].log, &self.branches[parent].log);
            let forks = (0..number).map(|parent| Fork { parent, shared: shared(parent) });
            forks.reduce(|best, fork| if fork.shared > best.shared { fork } else { best })
        };
        (0..self.branches.len()).map(fork).collect()
    }

    /// Adds an entry at the current point. Undone entries are kept as a branch of their own, unless they begin with
    /// this entry. Where it answers a setting that was not asked when the undone moves were made, they follow it
    /// instead.
    pub fn append(&mut self, entry: impl Into<LogEntry>) {
        let (entry, cursor) = (entry.into(), self.cursor);
        let is_waiting = |next: &Entry| match &*entry {
            Entry::Choice { seat, prompt, purpose, .. } => next.waits_for(*seat, prompt, purpose),
            _ => false,
        };
        match self.current().log.get(cursor) {
            Some(next) if *next == entry => {}
            Some(next) if is_waiting(next) => {
                let branch = &mut self.branches[self.current];
                branch.log_mut().insert(cursor, entry);
                branch.bookmarks.iter_mut().for_each(|mark| mark.entries += usize::from(mark.entries > cursor));
            }
            _ => {
                self.cut(cursor);
                let log = self.branches[self.current].log_mut();
                let entry = deduplicated(log.iter().rev(), entry);
                log.push(entry);
            }
        }
        self.cursor += 1;
    }

    /// Makes this timeline equal to another, sharing entries but not logs: a shared log would be copied as a whole when
    /// the game goes on.
    pub fn catch_up(&mut self, other: &Self) {
        self.branches.truncate(other.branches.len());
        for (place, branch) in other.branches.iter().enumerate() {
            let Branch { name, log, bookmarks } = branch;
            match self.branches.get_mut(place) {
                Some(known) => {
                    name.clone_into(&mut known.name);
                    known.bookmarks.clone_from(bookmarks);
                    let common = shared(&known.log, log);
                    let known = known.log_mut();
                    known.truncate(common);
                    known.extend_from_slice(&log[common..]);
                }
                None => self.branches.push(Branch { log: Arc::new(log.to_vec()), ..branch.clone() }),
            }
        }
        (self.current, self.cursor) = (other.current, other.cursor);
    }

    /// Whether no undone entries are left.
    pub fn is_at_end(&self) -> bool {
        self.cursor == self.current().log.len()
    }

    /// Removes the last entry of the branch, which was appended [at its end](Self::is_at_end).
    pub(super) fn take_back(&mut self) {
        let log = self.branches[self.current].log_mut();
        log.pop();
        self.cursor = log.len();
    }

    /// Replaces the log in effect. What the branch had beyond the first difference is kept on another branch.
    pub fn replace(&mut self, log: Vec<LogEntry>) {
        self.cursor = log.len();
        if self.current().log.starts_with(&log) {
            return;
        }
        self.cut_off(shared(&self.current().log, &log));
        self.branches[self.current].log = Arc::new(log);
    }

    /// Replaces entries of the current branch, by index, with their exact form from a run (values instead of labels).
    /// Copies of a timeline still share the log if nothing changes.
    pub fn make_exact(&mut self, exact: &[(usize, LogEntry)]) {
        let current = Arc::clone(&self.current().log);
        let is_news = |(place, entry): &&(usize, LogEntry)| current.get(*place).is_some_and(|told| told != entry);
        let Some(first) = exact.iter().find(is_news).map(|(place, _)| *place) else { return };
        for branch in &mut self.branches {
            // Other branches with a common part get the same change.
            let shared = shared(&branch.log, &current);
            if shared > first {
                let log = branch.log_mut();
                exact
                    .iter()
                    .filter(|(place, _)| *place < shared)
                    .for_each(|(place, entry)| log[*place].clone_from(entry));
            }
        }
    }

    /// Replaces the entries in effect by `log`, the same without entries for which `is_left_out` holds; these are also
    /// removed from the undone entries. Further entries are kept on another branch, unless the next one `waits` for a
    /// setting.
    pub(super) fn take_over(&mut self, log: Vec<LogEntry>, waits: bool, is_left_out: impl Fn(&Entry) -> bool) {
        self.leave_out(is_left_out);
        if log.len() < self.cursor && !waits {
            self.cut(log.len());
        }
        self.go_to(log.len());
        self.make_exact(&log.into_iter().enumerate().collect::<Vec<_>>());
    }

    /// Removes entries from the current branch. The branch as it was becomes a branch of its own.
    pub(super) fn leave_out(&mut self, is_left_out: impl Fn(&Entry) -> bool) {
        let before = Arc::clone(&self.current().log);
        let Some(first) = before.iter().position(|entry| is_left_out(entry)) else { return };
        let is_kept = |entry: &&LogEntry| !is_left_out(entry);
        let cursor = self.log().iter().filter(is_kept).count();
        self.cut_off(first);
        self.branches[self.current].log_mut().extend(before[first..].iter().filter(is_kept).cloned());
        self.cursor = cursor;
    }

    /// A branch that begins with `log`, other than the current one.
    pub(super) fn other_with(&self, log: &[LogEntry]) -> Option<&Branch> {
        let mut others = self.branches.iter().enumerate().filter(|(place, _)| *place != self.current);
        others.find(|(_, branch)| branch.log.starts_with(log)).map(|(_, branch)| branch)
    }

    /// Cuts the current branch off after `length` entries; the whole of it is kept as a branch of its own.
    pub fn cut(&mut self, length: usize) {
        self.cut_off(length);
        self.cursor = self.cursor.min(length);
    }

    /// Goes to the point after `entries` entries. `false` where there are fewer.
    pub fn go_to(&mut self, entries: usize) -> bool {
        let reachable = entries <= self.current().log.len();
        if reachable {
            self.cursor = entries;
        }
        reachable
    }

    /// Goes to a bookmark, or to the end of a branch. `false` where the name is unknown.
    pub fn go_to_named(&mut self, name: &str) -> bool {
        let point = self.point_named(name);
        if let Some((branch, entries)) = point {
            (self.current, self.cursor) = (branch, entries);
        }
        point.is_some()
    }

    /// Goes to the end of a log, on whatever branch has it.
    pub fn return_to(&mut self, log: &[LogEntry]) {
        let begins = |branch: &Branch| branch.log.starts_with(log);
        let found = if begins(self.current()) { Some(self.current) } else { self.branches.iter().position(begins) };
        match found {
            Some(found) => (self.current, self.cursor) = (found, log.len()),
            None => self.replace(log.to_vec()),
        }
    }

    /// Starts a branch here and makes it current. `false` where the name is taken.
    pub fn branch(&mut self, name: &str) -> bool {
        if self.point_named(name).is_some() {
            return false;
        }
        let log = match self.is_at_end() {
            true => self.current().log.clone(),
            false => Arc::new(self.log().to_vec()),
        };
        self.branches.push(Branch { name: name.to_owned(), log, bookmarks: Vec::new() });
        self.current = self.branches.len() - 1;
        true
    }

    /// Renames a branch. `false` where it does not exist or the new name is taken.
    pub fn rename(&mut self, old: &str, new: &str) -> bool {
        let is_free = old == new || self.point_named(new).is_none();
        let found = self.branches.iter_mut().find(|branch| branch.name == old).filter(|_| is_free);
        found.map(|branch| new.clone_into(&mut branch.name)).is_some()
    }

    /// Sets a bookmark here; an earlier one with this name is removed.
    pub fn mark(&mut self, name: &str) {
        self.unmark(name);
        self.branches[self.current].take(Bookmark { name: name.to_owned(), entries: self.cursor });
    }

    /// Removes a bookmark. `false` where the name is unknown.
    pub fn unmark(&mut self, name: &str) -> bool {
        let found = self.bookmark_named(name).is_some();
        self.branches.iter_mut().for_each(|branch| branch.bookmarks.retain(|bookmark| bookmark.name != name));
        found
    }

    /// Removes a branch, with the bookmarks on moves that no other branch has, and returns their names. `None` where
    /// the branch does not exist or is the current one.
    pub fn forget(&mut self, name: &str) -> Option<Vec<String>> {
        let found = self.branches.iter().position(|branch| branch.name == name)?;
        if found == self.current {
            return None;
        }
        let Branch { log, bookmarks, .. } = self.branches.remove(found);
        self.current -= usize::from(found < self.current);
        let mut lost = Vec::new();
        for bookmark in bookmarks {
            let before = &log[..bookmark.entries];
            match self.branches.iter_mut().find(|branch| branch.log.starts_with(before)) {
                Some(branch) => branch.take(bookmark),
                None => lost.push(bookmark.name),
            }
        }
        Some(lost)
    }

    /// The index of the branch, and the number of entries, of a bookmark or a branch's end.
    fn point_named(&self, name: &str) -> Option<(usize, usize)> {
        let of = |(number, branch): (usize, &Branch)| {
            if branch.name == name {
                return Some((number, branch.log.len()));
            }
            let bookmark = branch.bookmarks.iter().find(|bookmark| bookmark.name == name)?;
            Some((number, bookmark.entries))
        };
        self.branches.iter().enumerate().find_map(of)
    }

    /// Shortens the current branch. The branch as it was becomes a branch of its own, unless another begins with all of
    /// it.
    fn cut_off(&mut self, length: usize) {
        let branch = &mut self.branches[self.current];
        if length >= branch.log.len() {
            return;
        }
        let log = branch.log.clone();
        branch.log = Arc::new(log[..length].to_vec());
        let behind = branch.bookmarks.partition_point(|bookmark| bookmark.entries <= length);
        let bookmarks = branch.bookmarks.split_off(behind);
        if let Some(other) = self.branches.iter_mut().find(|other| other.log.starts_with(&log)) {
            bookmarks.into_iter().for_each(|bookmark| other.take(bookmark));
            return;
        }
        let is_free = |name: &String| self.point_named(name).is_none();
        let name = (2..).map(|number: usize| number.to_string()).find(is_free);
        self.branches.extend(name.map(|name| Branch { name, log, bookmarks }));
    }
}

impl Branch {
    /// The log for changes; copies of the timeline keep theirs.
    pub fn log_mut(&mut self) -> &mut Vec<LogEntry> {
        Arc::make_mut(&mut self.log)
    }

    /// Inserts a bookmark in the order of the moves.
    fn take(&mut self, bookmark: Bookmark) {
        let place = self.bookmarks.partition_point(|earlier| earlier.entries <= bookmark.entries);
        self.bookmarks.insert(place, bookmark);
    }
}

/// The length of the common beginning of two logs.
pub(super) fn shared(one: &[LogEntry], other: &[LogEntry]) -> usize {
    let shared = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    #[cfg(test)]
    tests::COMPARED.with(|compared| compared.set(compared.get() + shared));
    shared
}

#[cfg(test)]
pub mod tests {
    #![allow(clippy::disallowed_types)]

    use super::*;
    use crate::playthrough::chosen_value::ChosenValue;
    use crate::playthrough::log::Purpose;

    thread_local! {
        /// The number of entries that this thread has compared as equal.
        pub static COMPARED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    }

    fn entry(label: &str) -> LogEntry {
        let chosen = [ChosenValue::Name(label.to_owned())].into();
        Entry::Choice { seat: None, prompt: "p".into(), purpose: Purpose::Plain, chosen }.into()
    }

    /// A log with one choice for each letter.
    fn log(letters: &str) -> Vec<LogEntry> {
        letters.chars().map(|letter| entry(&letter.to_string())).collect()
    }

    /// Compares the branches, each written as its name, letters and bookmarks.
    #[track_caller]
    fn check(timeline: &Timeline, expected: &[&str]) {
        let branches = timeline.branches().iter().map(|branch| {
            let letters: String =
                branch.log.iter().map(|entry| entry.to_string().split_off(1).trim().to_owned()).collect();
            let marks = branch.bookmarks.iter().map(|mark| format!(" {}@{}", mark.name, mark.entries));
            format!("{} {letters}{}", branch.name, marks.collect::<String>())
        });
        assert_eq!(branches.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_was_taken_back_becomes_a_branch() {
        let mut timeline = Timeline::new(log("abc"));
        assert!(timeline.go_to(1));
        timeline.append(entry("x"));
        assert_eq!(timeline.log(), log("ax"));
        check(&timeline, &["main ax", "2 abc"]);
        assert!(timeline.go_to_named("2"));
        assert_eq!(timeline.cursor(), 3);
    }

    #[test]
    fn the_same_choice_again_is_going_forward() {
        let mut timeline = Timeline::new(log("abc"));
        timeline.go_to(1);
        timeline.append(entry("b"));
        check(&timeline, &["main abc"]);
        assert_eq!(timeline.cursor(), 2);
    }

    #[test]
    fn whatever_leaves_a_branch_is_kept_once() {
        let mut timeline = Timeline::new(log("abc"));
        timeline.replace(log("axc"));
        check(&timeline, &["main axc", "2 abc"]);
        timeline.cut(1);
        check(&timeline, &["main a", "2 abc", "3 axc"]);
        timeline.replace(log("abc"));
        check(&timeline, &["main abc", "2 abc", "3 axc"]);
        // Branch 2 already has these moves.
        timeline.cut(0);
        check(&timeline, &["main ", "2 abc", "3 axc"]);
        timeline.cut(0);
        assert_eq!((timeline.branches().len(), timeline.cursor()), (3, 0));
    }

    #[test]
    fn a_log_that_goes_on_like_the_branch_keeps_it() {
        let mut timeline = Timeline::new(log("abc"));
        timeline.replace(log("ab"));
        check(&timeline, &["main abc"]);
        assert_eq!(timeline.cursor(), 2);
        timeline.replace(log("abcd"));
        check(&timeline, &["main abcd"]);
    }

    #[test]
    fn a_bookmark_stays_on_its_moves() {
        let mut timeline = Timeline::new(log("abcd"));
        timeline.mark("late");
        timeline.go_to(2);
        timeline.mark("early");
        timeline.append(entry("x"));
        check(&timeline, &["main abx early@2", "2 abcd late@4"]);
        assert!(timeline.go_to_named("late"));
        assert_eq!(timeline.log(), log("abcd"));
        timeline.replace(log("acd"));
        check(&timeline, &["main abx early@2", "2 acd", "3 abcd late@4"]);
        assert!(timeline.go_to_named("early"));
        timeline.cut(1);
        check(&timeline, &["main a", "2 acd", "3 abcd late@4", "4 abx early@2"]);
        timeline.mark("late");
        check(&timeline, &["main a late@1", "2 acd", "3 abcd", "4 abx early@2"]);
        assert!(timeline.unmark("late") && !timeline.unmark("late"));
    }

    #[test]
    fn bookmarks_move_to_a_branch_that_has_their_moves() {
        let mut timeline = Timeline::new(log("abc"));
        timeline.mark("end");
        timeline.branch("bold");
        timeline.append(entry("d"));
        timeline.go_to_named(MAIN);
        timeline.cut(1);
        check(&timeline, &["main a", "bold abcd end@3"]);
        timeline.go_to(1);
        timeline.mark("here");
        timeline.go_to_named("bold");
        timeline.mark("there");
        assert_eq!(timeline.forget(MAIN), Some(vec![]));
        check(&timeline, &["bold abcd here@1 end@3 there@4"]);
        assert_eq!(timeline.forget("bold"), None);
    }

    #[test]
    fn a_branch_takes_with_it_what_no_other_has() {
        let mut timeline = Timeline::new(log("abc"));
        timeline.mark("gone");
        timeline.go_to(1);
        timeline.append(entry("x"));
        assert_eq!(timeline.forget("2"), Some(vec!["gone".to_owned()]));
        assert_eq!(timeline.forget("2"), None);
        check(&timeline, &["main ax"]);
    }

    /// An answer to a setting.
    fn answer(name: &str) -> Entry {
        let purpose = Purpose::Setting(name.into());
        Entry::Choice { seat: None, prompt: "p".into(), purpose, chosen: [ChosenValue::Name(name.to_owned())].into() }
    }

    #[test]
    fn the_answer_of_a_new_setting_comes_before_what_waits_for_it() {
        let mut timeline = Timeline::new(log("abc"));
        timeline.go_to(1);
        timeline.mark("before");
        timeline.go_to(2);
        timeline.mark("behind");
        timeline.go_to(1);
        timeline.append(answer("x"));
        check(&timeline, &["main axbc before@1 behind@3"]);
        timeline.append(answer("y"));
        assert_eq!(timeline.cursor(), 3);
        // Another answer to an answered setting is another game.
        timeline.go_to(1);
        let Entry::Choice { purpose, .. } = answer("x") else { return };
        timeline.append(Entry::Choice { seat: None, prompt: "p".into(), purpose, chosen: [].into() });
        check(&timeline, &["main a before@1", "2 axybc behind@4"]);
    }

    #[test]
    fn what_is_left_out_stays_on_a_branch() {
        let mut timeline = Timeline::new([log("a"), vec![answer("x").into()], log("bc")].concat());
        timeline.go_to(3);
        let is_answer = |entry: &Entry| *entry == answer("x");
        timeline.leave_out(is_answer);
        check(&timeline, &["main abc", "2 axbc"]);
        assert_eq!(timeline.log(), log("ab"));
        timeline.leave_out(is_answer);
        assert_eq!(timeline.branches().len(), 2);
        assert_eq!(timeline.other_with(&log("a")).map(|branch| branch.name.as_str()), Some("2"));
    }

    #[test]
    fn names_are_not_given_twice() {
        let mut timeline = Timeline::new(log("abc"));
        timeline.mark("here");
        assert!(!timeline.branch("here") && !timeline.branch(MAIN) && timeline.branch("bold"));
        assert!(!timeline.rename("bold", "here") && !timeline.rename("none", "new"));
        assert!(timeline.rename("bold", "bold") && timeline.rename("bold", "brave"));
        check(&timeline, &["main abc here@3", "brave abc"]);
        assert_eq!(timeline.log_up_to("brave"), Some(log("abc").as_slice()));
        assert_eq!(timeline.log_up_to("bold"), None);
    }

    #[test]
    fn a_branch_leaves_the_one_it_is_most_like() {
        let mut timeline = Timeline::new(log("abcd"));
        timeline.replace(log("abx"));
        timeline.go_to_named("2");
        timeline.replace(log("abcy"));
        timeline.branch("bold");
        let forks: Vec<_> = timeline.forks().into_iter().flatten().map(|fork| (fork.parent, fork.shared)).collect();
        check(&timeline, &["main abx", "2 abcy", "3 abcd", "bold abcy"]);
        assert_eq!(forks, [(0, 2), (1, 3), (1, 4)]);
    }

    #[test]
    fn one_returns_to_a_log_wherever_it_is() {
        let mut timeline = Timeline::new(log("abcd"));
        timeline.cut(1);
        timeline.return_to(&log("abc"));
        assert_eq!((timeline.current().name.as_str(), timeline.log()), ("2", log("abc").as_slice()));
        timeline.return_to(&log("xy"));
        check(&timeline, &["main a", "2 xy", "3 abcd"]);
    }
}
