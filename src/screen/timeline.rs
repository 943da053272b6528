//! Drawing of the timeline as a tree: the branches, where each diverges, and the bookmarks.

use super::entries::{entry_at, entry_line, instead_of};
use super::{Scene, fill, fitted, words};
use crate::playthrough::timeline::{Bookmark, Branch, Fork, Timeline};
use crate::screen::style::{Label, Line, cut, pad_left};

/// The indentation per level of the tree, in columns.
const LEVEL: usize = 3;

/// The maximum width of a branch's name.
const MAX_NAME_COLUMNS: usize = 24;

/// Every branch below the one that it diverges from, at the move that differs; between them the bookmarks and the
/// current position. A number is that of the next move, so that `goto` leads there.
pub fn tree(scene: &Scene<'_>, timeline: &Timeline) -> Vec<Line> {
    let tree = Tree::of(scene, timeline);
    let mut rows = Vec::new();
    for root in (0..timeline.branches().len()).filter(|&number| tree.holders[number].is_none()) {
        rows.push(tree.branch_row(root, String::new()));
        tree.grow(root, "", &mut rows);
    }
    // The texts behind the names are aligned in a column, if there is room.
    let column = rows.iter().filter(|row| row.length.is_some()).map(|row| row.name.width()).max().unwrap_or(0);
    let column = column.min(scene.width * 3 / 5);
    fitted(rows.into_iter().map(|row| row.line(column)).collect(), scene.width)
}

/// A line for each bookmark: its place, and the last entry before it.
pub fn bookmarks(scene: &Scene<'_>, timeline: &Timeline) -> Vec<Line> {
    let words = words(scene.language);
    let names = timeline.bookmarks().map(|(_, bookmark)| Line::plain(&bookmark.name).cut(MAX_NAME_COLUMNS).width());
    let column = names.max().unwrap_or(0);
    let line = |(branch, bookmark): (&Branch, &Bookmark)| {
        let is_here = std::ptr::eq(branch, timeline.current()) && bookmark.entries == timeline.cursor();
        let mark = if is_here { "► " } else { "  " };
        let name = Line::of(mark, Label::Turn).then(Line::strong(&bookmark.name).cut(MAX_NAME_COLUMNS));
        let branch_name = cut(&branch.name, MAX_NAME_COLUMNS);
        let point = format!("{}, {branch_name}", fill(words.moves, &[&(bookmark.entries + 1)]));
        let last = bookmark.entries.checked_sub(1).and_then(|last| entry_at(scene, timeline, &branch.log, last));
        let last = last.unwrap_or_else(|| Line::faint(words.beginning));
        name.padded(column + 4).with(point, Label::Faint).with("  ", Label::Plain).then(last)
    };
    fitted(timeline.bookmarks().map(line).collect(), scene.width)
}

/// A line of the tree: the name, the length of a branch, and a remark.
struct Row {
    name: Line,
    length: Option<String>,
    about: Line,
}

impl Row {
    fn line(self, column: usize) -> Line {
        match self.length {
            Some(length) => {
                let name = self.name.cut(column).padded(column + 2);
                name.with(length, Label::Faint).with("  ", Label::Plain).then(self.about)
            }
            None => self.name.then(self.about),
        }
    }
}

/// Something at a point of a branch.
enum BranchMark<'t> {
    Here,
    Mark(&'t Bookmark),
    Branch(usize),
}

struct Tree<'t> {
    scene: &'t Scene<'t>,
    timeline: &'t Timeline,
    forks: Vec<Option<Fork>>,
    /// For each branch, the one under which it is drawn: its parent, or an ancestor where the tree would get too deep.
    holders: Vec<Option<usize>>,
    /// The number of digits of the largest move number, and of the greatest length of a branch.
    digits: (usize, usize),
}

impl<'t> Tree<'t> {
    fn of(scene: &'t Scene<'t>, timeline: &'t Timeline) -> Self {
        let forks = timeline.forks();
        let deepest = (scene.width / 5 / LEVEL).max(1);
        let mut holders: Vec<Option<usize>> = Vec::with_capacity(forks.len());
        let mut depths: Vec<usize> = Vec::with_capacity(forks.len());
        for fork in &forks {
            // A branch diverges from an older one, which has been placed already.
            let mut holder = fork.map(|fork| fork.parent);
            while let Some(above) = holder.filter(|&above| depths[above] >= deepest) {
                holder = holders[above];
            }
            holders.push(holder);
            depths.push(holder.map_or(0, |above| depths[above] + 1));
        }
        let longest = timeline.branches().iter().map(|branch| branch.log.len()).max().unwrap_or(0);
        let digits = ((longest + 1).to_string().len(), longest.to_string().len());
        Self { scene, timeline, forks, holders, digits }
    }

    /// Adds everything below a branch, in the order of moves.
    fn grow(&self, number: usize, guide: &str, rows: &mut Vec<Row>) {
        let branch = &self.timeline.branches()[number];
        let is_current = std::ptr::eq(branch, self.timeline.current());
        let here = is_current.then(|| (self.timeline.cursor(), BranchMark::Here));
        let marks = branch.bookmarks.iter().map(|mark| (mark.entries, BranchMark::Mark(mark)));
        let below = (0..self.holders.len()).filter(|&other| self.holders[other] == Some(number));
        let below = below.map(|other| (self.forks[other].map_or(0, |fork| fork.shared), BranchMark::Branch(other)));
        let mut twigs: Vec<(usize, BranchMark<'_>)> = here.into_iter().chain(marks).chain(below).collect();
        twigs.sort_by_key(|(entries, _)| *entries);
        let count = twigs.len();
        for (place, (entries, twig)) in twigs.into_iter().enumerate() {
            let (joint, beyond) = if place + 1 == count { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            let lead = format!("{guide}{joint}{}  ", pad_left(&(entries + 1).to_string(), self.digits.0));
            match twig {
                BranchMark::Here => rows.push(self.here_row(lead)),
                BranchMark::Mark(mark) => rows.push(Row {
                    name: Line::faint(lead).with("◆ ", Label::Gain).with(&mark.name, Label::Strong),
                    length: None,
                    about: Line::default(),
                }),
                BranchMark::Branch(other) => {
                    rows.push(self.branch_row(other, lead));
                    self.grow(other, &format!("{guide}{beyond}"), rows);
                }
            }
        }
    }

    fn here_row(&self, lead: String) -> Row {
        let words = words(self.scene.language);
        let position = self.scene.position;
        let is_over = position.open.is_none() && position.failed.is_none();
        let over = if is_over { format!("  {}", words.over) } else { String::new() };
        Row {
            name: Line::faint(lead).with(format!("► {}", words.here), Label::Turn),
            length: None,
            about: Line::faint(over),
        }
    }

    fn branch_row(&self, number: usize, lead: String) -> Row {
        let words = words(self.scene.language);
        let branch = &self.timeline.branches()[number];
        let is_current = std::ptr::eq(branch, self.timeline.current());
        let name = Line::of(cut(&branch.name, MAX_NAME_COLUMNS), if is_current { Label::Turn } else { Label::Strong });
        let count = pad_left(&branch.log.len().to_string(), self.digits.1);
        let length = if branch.log.len() == 1 { words.one_move } else { words.many_moves };
        Row {
            name: Line::faint(lead).then(name),
            length: Some(fill(length, &[&count])),
            about: self.forks[number].map_or_else(Line::default, |fork| self.other_way(number, fork)),
        }
    }

    /// The choice where a branch diverges from its parent, and the parent's choice there.
    fn other_way(&self, number: usize, fork: Fork) -> Line {
        let words = words(self.scene.language);
        let (branch, parent) = (&self.timeline.branches()[number], &self.timeline.branches()[fork.parent]);
        let viewer = self.scene.viewer;
        let of = if self.holders[number] == Some(fork.parent) {
            Line::default()
        } else {
            Line::faint(fill(words.of_branch, &[&cut(&parent.name, MAX_NAME_COLUMNS)]))
        };
        let Some(entry) = branch.log.get(fork.shared) else { return of.with(words.no_moves, Label::Faint) };
        let line = of.then(entry_line(self.scene, entry));
        let Some(other) = parent.log.get(fork.shared) else { return line };
        let (entry, other) = (entry.told_to(viewer), other.told_to(viewer));
        if entry == other {
            return line;
        }
        line.with(fill(words.instead, &[&instead_of(self.scene, &entry, &other).text().trim()]), Label::Faint)
    }
}
