//! Playtest data besides the choices: how long people thought, and what they marked while they played.
//!
//! Each record belongs to an entry of the log; in a branch without that entry, it does not appear.

use crate::playthrough::log::LogEntry;
use crate::sorted::sort_by_key;
use crate::table::value::Seat;
use serde::{Deserialize, Serialize};

/// The most marks kept of a game.
pub const MAX_MARKS: usize = 1_000;

/// The longest remark on a mark, in characters.
pub const MAX_REMARK_CHARS: usize = 200;

/// The longest thinking time, in milliseconds: a year.
pub const MAX_THINKING_MILLISECONDS: u64 = 366 * 24 * 60 * 60 * 1_000;

/// The kinds of marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MarkKind {
    /// The player did not understand something.
    Unclear,
    /// The player had fun.
    Fun,
    /// Something took too long.
    Slow,
}

impl MarkKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Unclear, Self::Fun, Self::Slow];

    /// The name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unclear => "unclear",
            Self::Fun => "fun",
            Self::Slow => "slow",
        }
    }
}

/// The time a player thought about a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(usize, usize, u64)", into = "(usize, usize, u64)")]
pub struct ThinkingTime {
    /// The number of the choice in the log, from 1.
    pub entry: usize,
    /// The number of the seat, from 1.
    pub seat: usize,
    /// The time in milliseconds.
    pub milliseconds: u64,
}

impl From<(usize, usize, u64)> for ThinkingTime {
    fn from((entry, seat, milliseconds): (usize, usize, u64)) -> Self {
        Self { entry, seat, milliseconds }
    }
}

impl From<ThinkingTime> for (usize, usize, u64) {
    fn from(ThinkingTime { entry, seat, milliseconds }: ThinkingTime) -> Self {
        (entry, seat, milliseconds)
    }
}

/// A mark of a player, with its place in the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(usize, usize, MarkKind, String)", into = "(usize, usize, MarkKind, String)")]
pub struct Mark {
    /// The number of entries in the log at the time.
    pub entries: usize,
    /// The number of the seat, from 1.
    pub seat: usize,
    /// The kind of mark.
    pub kind: MarkKind,
    /// The player's remark; may be empty.
    pub words: String,
}

impl From<(usize, usize, MarkKind, String)> for Mark {
    fn from((entries, seat, kind, words): (usize, usize, MarkKind, String)) -> Self {
        Self { entries, seat, kind, words }
    }
}

impl From<Mark> for (usize, usize, MarkKind, String) {
    fn from(Mark { entries, seat, kind, words }: Mark) -> Self {
        (entries, seat, kind, words)
    }
}

/// The playtest data of one log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Playtest {
    /// Thinking times, in the order of the log.
    #[serde(default)]
    pub thinking: Vec<ThinkingTime>,
    /// Marks, in the order of time.
    #[serde(default)]
    pub marks: Vec<Mark>,
}

impl Playtest {
    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.thinking.is_empty() && self.marks.is_empty()
    }

    /// The data for a log without the entries of `left_out`, their numbers from 1 in rising order.
    #[must_use]
    pub fn without(mut self, left_out: &[usize]) -> Self {
        let before = |number: usize| left_out.partition_point(|left_out| *left_out <= number);
        self.thinking.retain(|thinking| left_out.binary_search(&thinking.entry).is_err());
        self.thinking.iter_mut().for_each(|thinking| thinking.entry -= before(thinking.entry).min(thinking.entry));
        self.marks.iter_mut().for_each(|mark| mark.entries -= before(mark.entries).min(mark.entries));
        self
    }
}

/// The playtest data of all branches of a game, each record with the log entry that shows to which branches it belongs.
#[derive(Clone, Debug, Default)]
pub struct PlaytestRecord {
    thinking: Vec<(ThinkingTime, LogEntry)>,
    marks: Vec<(Mark, Option<LogEntry>)>,
}

impl PlaytestRecord {
    /// The data of a saved game with its log.
    pub fn of(playtest: Playtest, log: &[LogEntry]) -> Self {
        let mut record = Self::default();
        for thinking in playtest.thinking {
            if let Some(entry) = thinking.entry.checked_sub(1).and_then(|place| log.get(place)) {
                record.thinking.push((thinking, entry.clone()));
            }
        }
        for mark in playtest.marks.into_iter().filter(|mark| mark.entries <= log.len()) {
            let last = mark.entries.checked_sub(1).and_then(|place| log.get(place)).cloned();
            record.marks.push((mark, last));
        }
        record
    }

    /// Records how long a seat thought about the choice at index `place` of the log.
    pub fn thought(&mut self, seat: Seat, milliseconds: u64, place: usize, entry: LogEntry) {
        let milliseconds = milliseconds.min(MAX_THINKING_MILLISECONDS);
        self.thinking.push((ThinkingTime { entry: place + 1, seat: seat.number(), milliseconds }, entry));
    }

    /// Records a mark at the end of a log. Whether there was room for it.
    pub fn mark(&mut self, seat: Seat, kind: MarkKind, words: String, log: &[LogEntry]) -> bool {
        if self.marks.len() >= MAX_MARKS {
            return false;
        }
        let mark = Mark { entries: log.len(), seat: seat.number(), kind, words };
        self.marks.push((mark, log.last().cloned()));
        true
    }

    /// The number of thinking times and of marks, on all branches. Records are never changed.
    pub fn counts(&self) -> (usize, usize) {
        (self.thinking.len(), self.marks.len())
    }

    /// The records added since [`counts`](Self::counts) returned these numbers.
    pub fn since(&self, (thinking, marks): (usize, usize)) -> Playtest {
        Playtest {
            thinking: self.thinking.iter().skip(thinking).map(|(thinking, _)| *thinking).collect(),
            marks: self.marks.iter().skip(marks).map(|(mark, _)| mark.clone()).collect(),
        }
    }

    /// Adds the records of a log.
    pub fn add(&mut self, playtest: Playtest, log: &[LogEntry]) {
        let Self { thinking, marks } = Self::of(playtest, log);
        self.thinking.extend(thinking);
        self.marks.extend(marks);
    }

    /// The records that belong to a log.
    pub fn along(&self, log: &[LogEntry]) -> Playtest {
        let is_there =
            |number: usize, entry: &LogEntry| number.checked_sub(1).and_then(|place| log.get(place)) == Some(entry);
        let thinking = self.thinking.iter().filter(|(thinking, entry)| is_there(thinking.entry, entry));
        let mut thinking: Vec<ThinkingTime> = thinking.map(|(thinking, _)| *thinking).collect();
        // A choice that was undone and made again counts once, with its last thinking time.
        thinking.reverse();
        sort_by_key(&mut thinking, |thinking| thinking.entry);
        thinking.dedup_by_key(|thinking| thinking.entry);
        let marks = self.marks.iter().filter(|(mark, last)| match last {
            Some(last) => is_there(mark.entries, last),
            None => true,
        });
        Playtest { thinking, marks: marks.map(|(mark, _)| mark.clone()).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playthrough::log::Entry;

    #[test]
    fn what_was_recorded_belongs_to_the_way_that_the_game_went() {
        let [one, other, next] = [1, 2, 3].map(|number| LogEntry::from(Entry::Reroll(number)));
        let mut record = PlaytestRecord::default();
        record.thought(Seat(1), 1_500, 0, one.clone());
        assert!(record.mark(Seat(1), MarkKind::Fun, "so".to_owned(), std::slice::from_ref(&one)));
        record.thought(Seat(0), 700, 1, next.clone());
        let along = |log: &[&LogEntry]| record.along(&log.iter().map(|entry| (*entry).clone()).collect::<Vec<_>>());
        let whole = along(&[&one, &next]);
        assert_eq!(whole.thinking, [ThinkingTime::from((1, 2, 1_500)), ThinkingTime::from((2, 1, 700))]);
        assert_eq!(whole.marks, [Mark::from((1, 2, MarkKind::Fun, "so".to_owned()))]);
        assert!(along(&[&other]).is_empty(), "another way");
        assert_eq!(along(&[&one, &other]).thinking.len(), 1);
        let kept = PlaytestRecord::of(whole.clone(), &[one.clone(), next.clone()]);
        assert_eq!(kept.along(&[one.clone(), next.clone()]), whole);
        assert!(PlaytestRecord::of(whole.clone(), &[]).along(&[]).is_empty(), "numbers beyond the log");
        assert_eq!(whole.without(&[1]).thinking, [ThinkingTime::from((1, 1, 700))]);
        for _ in 0..MAX_MARKS {
            record.mark(Seat(0), MarkKind::Slow, String::new(), &[]);
        }
        assert!(!record.mark(Seat(0), MarkKind::Slow, String::new(), &[]));
        record.thought(Seat(0), u64::MAX, 0, next.clone());
        assert_eq!(
            record.along(&[next]).thinking,
            [ThinkingTime::from((1, 1, MAX_THINKING_MILLISECONDS))],
            "a file can hold it"
        );
    }
}
