//! Where a playthrough stands in its log, and the other ways it went.

use crate::playthrough::log::Entry;

/// The name of the branch that a playthrough begins with.
pub const MAIN: &str = "main";

/// One way a game went.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// Its name: `main`, a number, or what the person called it.
    pub name: String,
    /// Everything that was done on it, also what was taken back.
    pub log: Vec<Entry>,
}

/// Every way a game went, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    branches: Vec<Branch>,
    current: usize,
    cursor: usize,
}

impl Timeline {
    /// A timeline with one branch, standing at its end.
    pub fn new(log: Vec<Entry>) -> Self {
        let cursor = log.len();
        Self { branches: vec![Branch { name: MAIN.to_owned(), log }], current: 0, cursor }
    }

    /// Every branch, in the order in which they arose.
    pub fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// The branch that the game is on.
    pub fn current(&self) -> &Branch {
        &self.branches[self.current]
    }

    /// How many entries of it are in effect.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// The entries in effect.
    pub fn log(&self) -> &[Entry] {
        &self.current().log[..self.cursor]
    }

    /// Goes on with an entry. What was taken back before is kept as a branch of its own, unless it begins alike.
    pub fn append(&mut self, entry: Entry) {
        let branch = &mut self.branches[self.current];
        if branch.log.get(self.cursor) != Some(&entry) {
            if self.cursor < branch.log.len() {
                let left = branch.log.clone();
                branch.log.truncate(self.cursor);
                self.keep(left);
            }
            self.branches[self.current].log.push(entry);
        }
        self.cursor += 1;
    }

    /// Puts another log in the place of the current one, keeping what it had beyond the first difference.
    pub fn replace(&mut self, log: Vec<Entry>) {
        let old = &self.branches[self.current].log;
        if !log.starts_with(old) && !old.starts_with(&log) {
            let old = old.clone();
            self.keep(old);
        }
        self.cursor = log.len();
        let branch = &mut self.branches[self.current];
        if !branch.log.starts_with(&log) {
            branch.log = log;
        }
    }

    /// Cuts the current branch off after so many entries.
    pub fn cut(&mut self, length: usize) {
        self.branches[self.current].log.truncate(length);
        self.cursor = self.cursor.min(length);
    }

    /// Goes to the point after so many entries; false if there are not so many.
    pub fn go_to(&mut self, entries: usize) -> bool {
        let reachable = entries <= self.current().log.len();
        if reachable {
            self.cursor = entries;
        }
        reachable
    }

    /// Starts a branch here and goes on with it; false if there is one of that name.
    pub fn branch(&mut self, name: &str) -> bool {
        if self.branches.iter().any(|branch| branch.name == name) {
            return false;
        }
        let log = self.log().to_vec();
        self.branches.push(Branch { name: name.to_owned(), log });
        self.current = self.branches.len() - 1;
        true
    }

    /// Goes to the end of the branch of that name; false if there is none.
    pub fn switch(&mut self, name: &str) -> bool {
        let Some(found) = self.branches.iter().position(|branch| branch.name == name) else { return false };
        self.current = found;
        self.cursor = self.branches[found].log.len();
        true
    }

    fn keep(&mut self, log: Vec<Entry>) {
        let name = (2..).map(|number: usize| number.to_string());
        let free = |name: &String| !self.branches.iter().any(|branch| branch.name == *name);
        if let Some(name) = name.into_iter().find(free) {
            self.branches.push(Branch { name, log });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(label: &str) -> Entry {
        Entry::Choice { seat: None, prompt: "p".to_owned(), chosen: vec![label.to_owned()] }
    }

    #[test]
    fn what_was_taken_back_becomes_a_branch() {
        let mut timeline = Timeline::new(vec![entry("a"), entry("b"), entry("c")]);
        assert!(timeline.go_to(1));
        timeline.append(entry("x"));
        assert_eq!(timeline.log(), [entry("a"), entry("x")]);
        assert_eq!(
            timeline.branches()[1],
            Branch { name: "2".to_owned(), log: vec![entry("a"), entry("b"), entry("c")] }
        );
        assert!(timeline.switch("2"));
        assert_eq!(timeline.cursor(), 3);
    }

    #[test]
    fn the_same_choice_again_is_going_forward() {
        let mut timeline = Timeline::new(vec![entry("a"), entry("b"), entry("c")]);
        timeline.go_to(1);
        timeline.append(entry("b"));
        assert_eq!(timeline.branches().len(), 1);
        assert_eq!(timeline.current().log.len(), 3);
    }
}
