//! Comparison of two runs of a game: their events, aligned move by move, and the differences.
//!
//! The result is data; the caller provides the words for events. Events with the same words are equal, wherever in the
//! scripts they were caused. The plainer rules are on the left, so that a difference shows what the others add.

use crate::catalogue::Message;
use crate::playthrough::change::{Change, running_score};
use crate::playthrough::log::LogEntry;
use crate::playthrough::{Misfit, Playable, Position, number_in_log};
use crate::sorted::SortedMap;
use crate::table::decision::Decision;
use crate::table::event::{EventData, ScriptPoint};
use crate::table::value::{Seat, Seats};
use serde_json::{Value as Json, json};

/// The most pairs of lines of one move compared in an alignment.
const MAX_COMPARED_LINE_PAIRS: usize = 1 << 20;

/// One of two runs.
pub struct Side<'a> {
    /// The rules.
    pub loaded: &'a Playable,
    /// The log of the run, as far as it fits.
    pub log: &'a [LogEntry],
    /// The position at the end of the log.
    pub position: &'a Position,
    /// Entries of the other side's log that were left out here. Moves that both have keep the same numbers.
    pub left_out: &'a [(usize, LogEntry)],
    /// The next entry, if one is left that does not fit.
    pub misfit: Option<&'a Misfit>,
    /// The events in words, in order.
    pub told: Vec<LogLine>,
}

/// An event in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// The number of the move that caused the event.
    pub moves: usize,
    /// The words with full knowledge.
    pub words: String,
    /// The words as far as the viewer may know.
    pub seen: String,
    /// The point in the rules that caused the event.
    pub at: ScriptPoint,
}

/// Two runs side by side.
pub struct Comparison<'a> {
    /// The runs.
    pub sides: [Side<'a>; 2],
    /// The number of moves both have.
    pub common: usize,
    /// Whether each side was played on by itself after the common moves.
    pub played_on: bool,
    /// The moves that differ, in order.
    pub moves: Vec<MoveDifference>,
    /// The difference of the final positions.
    pub change: Change,
}

/// A move that differs between the sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveDifference {
    /// The number of the move; 0 for what happens before the first.
    pub number: usize,
    /// The aligned events of the move.
    pub rows: Vec<Row>,
    /// The difference in the options, if any.
    pub options: Option<OptionsChange>,
}

/// How the options of a decision differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionsChange {
    /// The seat that is asked.
    pub seat: Option<Seat>,
    /// Labels of options only on the left.
    pub left: Vec<String>,
    /// Labels of options only on the right.
    pub right: Vec<String>,
}

impl OptionsChange {
    /// The difference in options of two decisions; `None` where they have the same options in the same order.
    fn between(left: &Decision, right: &Decision) -> Option<Self> {
        let labels = |decision: &Decision| -> Vec<String> {
            decision.options.iter().map(|option| option.label.clone()).collect()
        };
        let (one, other) = (labels(left), labels(right));
        (one != other).then(|| Self { seat: left.seat, left: only(&one, &other), right: only(&other, &one) })
    }

    /// Whether only the order of the options differs.
    pub fn is_order(&self) -> bool {
        self.left.is_empty() && self.right.is_empty()
    }

    fn to_json(&self) -> Json {
        json!({"only_left": self.left, "only_right": self.right, "other_order": self.is_order()})
    }
}

/// A row of an alignment, with the indices of the lines on each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// A line that is the same on both sides.
    Same(usize, usize),
    /// Lines that differ, or a line on one side only.
    Other(Option<usize>, Option<usize>),
}

impl<'a> Comparison<'a> {
    /// Compares two runs, as far as both go. If each was played on by itself, `in_common` is the number of common
    /// moves.
    pub fn of(left: Side<'a>, right: Side<'a>, in_common: Option<usize>) -> Self {
        let common = left.moves().min(right.moves()).min(in_common.unwrap_or(usize::MAX));
        let (asked, asked_right) = (left.decisions(), right.decisions());
        let moves = (0..=common).filter_map(|number| {
            let of = |told: &[LogLine]| {
                let start = told.partition_point(|told| told.moves < number);
                start..told.partition_point(|told| told.moves <= number)
            };
            let (one, other) = (of(&left.told), of(&right.told));
            let same = |left: &LogLine, right: &LogLine| left.words == right.words || left.seen == right.seen;
            let rows = align(&left.told[one.clone()], &right.told[other.clone()], same);
            let beyond = |row| match row {
                Row::Same(left, right) => Row::Same(left + one.start, right + other.start),
                Row::Other(left, right) => {
                    Row::Other(left.map(|left| left + one.start), right.map(|right| right + other.start))
                }
            };
            let is_other = rows.iter().any(|row| matches!(row, Row::Other(..)));
            let options = asked.get(&number).zip(asked_right.get(&number));
            let options = options.and_then(|(left, right)| OptionsChange::between(left, right));
            let rows = rows.into_iter().map(beyond);
            (is_other || options.is_some()).then(|| MoveDifference { number, rows: rows.collect(), options })
        });
        let moves = moves.collect();
        let change =
            Change::between((left.loaded, left.position), (right.loaded, right.position), right.misfit.cloned());
        Self { sides: [left, right], common, played_on: in_common.is_some(), moves, change }
    }

    /// Whether both runs are the same in everything that rules determine.
    pub fn is_nothing(&self) -> bool {
        let [left, right] = &self.sides;
        // A variable that only the right side declares is no difference by itself.
        let known = |id: &String| left.loaded.layout.variable_named(id).is_some();
        self.moves.is_empty()
            && left.moves() == right.moves()
            && left.misfit.is_none()
            && failure(left) == failure(right)
            && self.questions()[0] == self.questions()[1]
            && self.open_options().is_none()
            && self.change.is_nothing_but(known)
    }

    /// Whether the rules failed on one side or both.
    pub fn has_failed(&self) -> bool {
        self.sides.iter().any(|side| side.position.failed.is_some())
    }

    /// The open question of each side.
    pub fn questions(&self) -> [Option<(Option<Seat>, &str)>; 2] {
        let question = |side: &Side<'a>| side.position.open.as_deref().map(|open| (open.seat, &*open.prompt));
        [question(&self.sides[0]), question(&self.sides[1])]
    }

    /// The difference in options of the open decision, if both sides ask the same.
    pub fn open_options(&self) -> Option<OptionsChange> {
        let [left, right] = self.sides.each_ref().map(|side| side.position.open.as_deref());
        let (left, right) = left.zip(right).filter(|_| self.questions()[0] == self.questions()[1])?;
        OptionsChange::between(left, right)
    }

    /// The scores of each seat on both sides; running scores where a game is not over.
    pub fn scores(&self) -> impl Iterator<Item = (Seat, i64, i64)> {
        let [left, right] = &self.sides;
        let seats = Seats::all(left.loaded.layout.seats.min(right.loaded.layout.seats));
        let scores = |seat| (seat, running_score(left.position, seat), running_score(right.position, seat));
        seats.into_iter().map(scores)
    }

    /// The places in the rules that caused a move's differing lines, for each side those that the other lacks:
    /// `file:line`, and the layer in words.
    pub fn places(&self, differing: &MoveDifference) -> [Vec<(String, Message)>; 2] {
        let of = |number: usize| {
            let mut places: Vec<(String, Message)> = Vec::new();
            for row in &differing.rows {
                let Row::Other(left, right) = row else { continue };
                let told = [left, right][number].and_then(|told| self.sides[number].told.get(told));
                let place = told.and_then(|told| self.sides[number].place(told.at));
                places.extend(place.filter(|place| !places.contains(place)));
            }
            places
        };
        let (left, right) = (of(0), of(1));
        [only(&left, &right), only(&right, &left)]
    }

    /// The whole comparison as JSON.
    pub fn to_json(&self) -> Json {
        let told = |side: usize, place: Option<usize>| {
            let side = &self.sides[side];
            place.and_then(|place| side.told.get(place)).map(|told| {
                let (at, layer) = side.place(told.at).unzip();
                json!({"words": told.words, "at": at, "layer": layer.as_deref()})
            })
        };
        let row = |row: &Row| match *row {
            Row::Same(left, right) => {
                json!({"same": true, "left": told(0, Some(left)), "right": told(1, Some(right))})
            }
            Row::Other(left, right) => json!({"same": false, "left": told(0, left), "right": told(1, right)}),
        };
        let moves = self.moves.iter().map(|differing| {
            json!({
                "move": differing.number,
                "rows": differing.rows.iter().map(row).collect::<Vec<_>>(),
                "options": differing.options.as_ref().map(OptionsChange::to_json),
            })
        });
        let same_up_to = self.moves.first().map_or(Some(self.common), |first| first.number.checked_sub(1));
        let [left, right] = &self.sides;
        let open = self.open_options();
        let scores =
            self.scores().map(|(seat, left, right)| json!({"seat": seat.number(), "left": left, "right": right}));
        json!({
            "same": self.is_nothing(),
            "same_up_to": same_up_to,
            "played_on_from": self.played_on.then_some(self.common + 1),
            "left": left.to_json(),
            "right": right.to_json(),
            "moves": moves.collect::<Vec<_>>(),
            "scores": scores.collect::<Vec<_>>(),
            "options_only_left": open.as_ref().map_or(&[][..], |open| &open.left),
            "options_only_right": open.as_ref().map_or(&[][..], |open| &open.right),
            "options_in_other_order": open.as_ref().is_some_and(OptionsChange::is_order),
        })
    }
}

impl Side<'_> {
    /// The number of moves, including those left out.
    pub fn moves(&self) -> usize {
        self.log.len() + self.left_out.len()
    }

    /// A point in the rules as `file:line`, and the layer in words; `None` for changes by hand.
    pub fn place(&self, at: ScriptPoint) -> Option<(String, Message)> {
        let ruleset = &self.loaded.ruleset;
        Some((ruleset.file_line(at)?, ruleset.layer_in_words(at)?))
    }

    /// The place of the open question.
    pub fn asked_at(&self) -> Option<(String, Message)> {
        self.place(self.position.open.as_ref()?.at)
    }

    /// The answered decisions of the run, by the number of the move.
    fn decisions(&self) -> SortedMap<usize, &Decision> {
        let asked = self.position.events.iter().filter_map(|event| match &event.what {
            EventData::Choice { decision, .. } => Some((number_in_log(self.left_out, event.moves), &**decision)),
            _ => None,
        });
        asked.collect()
    }

    fn to_json(&self) -> Json {
        let ruleset = &self.loaded.ruleset;
        let position = self.position;
        let asked = self.asked_at();
        json!({
            "variants": ruleset.variant_ids().collect::<Vec<_>>(),
            "set": ruleset.selection.set,
            "ruleset": ruleset.hash,
            "moves": self.log.len(),
            "left_out": self.left_out.iter().map(|(number, entry)| json!({
                "move": number, "entry": entry.to_string(),
            })).collect::<Vec<_>>(),
            "over": position.open.is_none() && position.failed.is_none(),
            "question": position.open.as_ref().map(|open| json!({
                "seat": open.seat.map(Seat::number),
                "prompt": &*open.prompt,
                "options": open.options.iter().map(|option| &option.label).collect::<Vec<_>>(),
                "at": asked.as_ref().map(|(at, _)| at),
                "layer": asked.as_ref().map(|(_, layer)| layer.as_str()),
            })),
            "misfit": self.misfit.map(|misfit| json!({
                "move": misfit.number, "entry": misfit.entry.to_string(), "reason": misfit.reason.to_string(),
                "at": misfit.at.and_then(|at| self.place(at)).map(|(at, _)| at),
            })),
            "failed": position.failed.as_ref().map(|failed| failed.first().to_json()),
        })
    }
}

/// What only the first of two lists has.
fn only<T: Clone + PartialEq>(one: &[T], other: &[T]) -> Vec<T> {
    one.iter().filter(|item| !other.contains(item)).cloned().collect()
}

fn failure<'s>(side: &'s Side<'_>) -> Option<&'s str> {
    side.position.failed.as_ref().map(|failed| failed.first().message.as_str())
}

/// Aligns two lists by a longest common subsequence; unmatched items are put side by side.
pub fn align<T>(left: &[T], right: &[T], same: impl Fn(&T, &T) -> bool) -> Vec<Row> {
    let pairs = || left.iter().zip(right);
    let start = pairs().take_while(|(left, right)| same(left, right)).count();
    let (left_rest, right_rest) = (&left[start..], &right[start..]);
    let end = left_rest.iter().rev().zip(right_rest.iter().rev()).take_while(|(left, right)| same(left, right)).count();
    let (left_count, right_count) = (left_rest.len() - end, right_rest.len() - end);
    let mut rows: Vec<Row> = (0..start).map(|place| Row::Same(place, place)).collect();
    // The most pairs matched from each position on.
    let is_small = left_count.saturating_mul(right_count) <= MAX_COMPARED_LINE_PAIRS;
    let wide = right_count + 1;
    let mut most = vec![0_u32; if is_small { (left_count + 1) * wide } else { 0 }];
    if is_small {
        for one in (0..left_count).rev() {
            for other in (0..right_count).rev() {
                most[one * wide + other] = if same(&left_rest[one], &right_rest[other]) {
                    most[(one + 1) * wide + other + 1] + 1
                } else {
                    most[(one + 1) * wide + other].max(most[one * wide + other + 1])
                };
            }
        }
    }
    let (mut one, mut other) = (0, 0);
    let (mut one_from, mut other_from) = (0, 0);
    let gap = |rows: &mut Vec<Row>, ones: std::ops::Range<usize>, others: std::ops::Range<usize>| {
        for place in 0..ones.len().max(others.len()) {
            let at = |range: &std::ops::Range<usize>| range.clone().nth(place).map(|place| place + start);
            rows.push(Row::Other(at(&ones), at(&others)));
        }
    };
    while is_small && one < left_count && other < right_count {
        if same(&left_rest[one], &right_rest[other]) {
            gap(&mut rows, one_from..one, other_from..other);
            rows.push(Row::Same(one + start, other + start));
            (one, other) = (one + 1, other + 1);
            (one_from, other_from) = (one, other);
        } else if most[(one + 1) * wide + other] >= most[one * wide + other + 1] {
            one += 1;
        } else {
            other += 1;
        }
    }
    gap(&mut rows, one_from..left_count, other_from..right_count);
    let (left_start, right_start) = (start + left_count, start + right_count);
    rows.extend((0..end).map(|place| Row::Same(left_start + place, right_start + place)));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Aligns the letters of two words; `-` marks a gap, `=` a match.
    #[track_caller]
    fn check(left: &str, right: &str, expected: &str) {
        let (one, other): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
        let letter = |letters: &[char], place: Option<usize>| place.map_or('-', |place| letters[place]);
        let rows = align(&one, &other, |left, right| left == right);
        let rows = rows.into_iter().map(|row| match row {
            Row::Same(left, right) => format!("{}={}", one[left], other[right]),
            Row::Other(left, right) => format!("{}{}", letter(&one, left), letter(&other, right)),
        });
        assert_eq!(rows.collect::<Vec<_>>().join(" "), expected);
    }

    #[test]
    fn what_is_the_same_goes_together() {
        check("", "", "");
        check("abc", "abc", "a=a b=b c=c");
        check("abc", "axc", "a=a bx c=c");
        check("abc", "ac", "a=a b- c=c");
        check("ac", "abc", "a=a -b c=c");
        check("", "ab", "-a -b");
        check("abcd", "xbyd", "ax b=b cy d=d");
        check("abxcd", "abcyd", "a=a b=b x- c=c -y d=d");
        check("aab", "ab", "a=a a- b=b");
    }

    #[test]
    fn as_much_as_possible_goes_together() {
        let (one, other) = (b"abcabba", b"cbabac");
        let rows = align(one, other, |left, right| left == right);
        let same = rows.iter().filter(|row| matches!(row, Row::Same(..))).count();
        assert_eq!(same, 4, "{rows:?}");
    }

    #[test]
    fn very_long_lists_are_not_searched() {
        let (one, other): (Vec<usize>, Vec<usize>) = ((0..3000).collect(), (1..3001).rev().collect());
        let rows = align(&one, &other, |left, right| left == right);
        assert!(rows.len() == 3000 && rows.iter().all(|row| matches!(row, Row::Other(Some(_), Some(_)))));
    }
}
