//! Entries of the log in words: the history of a game with its branches, and entries that are undone, elsewhere or do
//! not fit. What followed from an entry is told by the events of the [`record`](super::record).

use super::{Scene, Sight, UNKNOWN, fill, fitted, words};
use crate::catalogue::Message;
use crate::playthrough::Misfit;
use crate::playthrough::chosen_value::{ChosenValue, NamedKind};
use crate::playthrough::log::{Entry, LogEntry};
use crate::playthrough::timeline::Timeline;
use crate::screen::style::{Label, Line, flow, hang};
use crate::table::event::EventData;
use crate::table::value::{Component, Parts, Seat, Value};

/// The entries of the log with numbers, the last one in effect marked and undone ones faint; then the branches.
pub fn history(scene: &Scene<'_>, timeline: &Timeline) -> Vec<Line> {
    let (words, width) = (words(scene.language), scene.width);
    let cursor = timeline.cursor();
    let digits = timeline.current().log.len().to_string().len().max(2);
    let row = |number: usize, text: Line| {
        let mark = if number == cursor { "►" } else { " " };
        let number = Line::of(number.to_string(), Label::Number).right(digits + 1);
        Line::of(format!(" {mark}"), Label::Turn).then(number).with("  ", Label::Plain).then(text)
    };
    let mut lines = vec![row(0, Line::of(words.beginning, Label::Faint))];
    for (position, text) in entries(scene, &timeline.current().log).enumerate() {
        let number = position + 1;
        lines.push(row(number, if number > cursor { text.restyled(Label::Faint) } else { text }));
    }
    for bookmark in &timeline.current().bookmarks {
        if let Some(line) = lines.get_mut(bookmark.entries) {
            line.append(Line::of("  ◆ ", Label::Gain).with(&bookmark.name, Label::Strong));
        }
    }
    if timeline.branches().len() > 1 {
        let mut line = Line::of(words.branches, Label::Faint);
        for branch in timeline.branches() {
            let is_current = std::ptr::eq(branch, timeline.current());
            let label = if is_current { Label::Turn } else { Label::Plain };
            let mark = if is_current { "  ► " } else { "    " };
            line =
                line.with(mark, label).with(&branch.name, label).with(format!(" {}", branch.log.len()), Label::Faint);
        }
        lines.push(line);
    }
    fitted(lines, width)
}

/// A log entry that does not fit the rules in play, with the reason.
pub fn misfit(scene: &Scene<'_>, misfit: &Misfit) -> Vec<Line> {
    let words = words(scene.language);
    // The missing option is as secret as the choice.
    let reason = match misfit.entry.told_to(scene.viewer) == misfit.entry {
        true => misfit.reason.clone(),
        false => misfit.reason.clone().without_choice(UNKNOWN),
    };
    let what = numbered_entry(scene, misfit.number, &misfit.entry);
    let sentence =
        [what, Line::of(format!("{}:", words.misfit), Label::Error), Line::plain(Message::from(&reason).told())];
    hang(Line::default(), flow(sentence, 1, scene.width))
}

/// A log entry that was left out, because the rules in play do not ask for it.
pub(super) fn left_out(scene: &Scene<'_>, number: usize, entry: &Entry) -> Vec<Line> {
    let words = Line::plain(words(scene.language).left_out);
    hang(Line::default(), flow([numbered_entry(scene, number, entry), words], 1, scene.width))
}

/// A log entry with its number, as the beginning of a remark.
fn numbered_entry(scene: &Scene<'_>, number: usize, entry: &Entry) -> Line {
    let words = words(scene.language);
    let number = fill(words.moves, &[&number]);
    let what = Line::of(number + ", ", Label::Plain).then(Sight::of(scene).entry(entry));
    what.with(words.behind_entry, Label::Error)
}

/// A log entry without an event: one that was undone, is on another branch or does not fit.
pub(super) fn entry_line(scene: &Scene<'_>, entry: &Entry) -> Line {
    Sight::of(scene).entry(entry)
}

/// The log entry at an index; if it is in effect in this game, as the viewer saw its event.
pub fn entry_at(scene: &Scene<'_>, timeline: &Timeline, log: &[LogEntry], place: usize) -> Option<Line> {
    let (begun, entry) = (log.get(..=place)?, log.get(place)?);
    let is_done = place < timeline.cursor() && timeline.current().log.get(..=place) == Some(begun);
    if !is_done {
        return Some(entry_line(scene, entry));
    }
    let sight = Sight::of(scene);
    let choice =
        scene.position.events.of_move(place + 1).iter().find(|event| matches!(event.what, EventData::Choice { .. }));
    Some(choice.and_then(|event| sight.told(event)).unwrap_or_else(|| sight.entry(entry)))
}

/// The entries of a log: choices in effect as their events, others as log entries.
fn entries<'a>(scene: &'a Scene<'a>, log: &'a [LogEntry]) -> impl Iterator<Item = Line> + 'a {
    let sight = Sight::of(scene);
    let mut choices = scene.position.events.iter().filter(|event| matches!(event.what, EventData::Choice { .. }));
    log.iter().map(move |entry| {
        let choice = if entry.is_intervention() { None } else { choices.next() };
        choice.and_then(|event| sight.told(event)).unwrap_or_else(|| sight.entry(entry))
    })
}

/// The entry `other` in contrast to `entry`: only the answer, if both answer the same question.
pub(super) fn instead_of(scene: &Scene<'_>, entry: &Entry, other: &Entry) -> Line {
    let sight = Sight::of(scene);
    match (entry, other) {
        (
            Entry::Choice { seat, prompt, purpose, .. },
            Entry::Choice { seat: other_seat, prompt: other_prompt, purpose: other_purpose, chosen },
        ) if (seat, prompt, purpose) == (other_seat, other_prompt, other_purpose) && !chosen.is_empty() => {
            sight.entry_answer(chosen, *seat)
        }
        _ => sight.entry(other),
    }
}

impl Sight<'_> {
    /// A log entry in the words of an event: things that can be found on the table have the names used there.
    fn entry(&self, entry: &Entry) -> Line {
        match entry.told_to(self.scene.viewer) {
            Entry::Choice { seat, prompt, chosen, .. } => {
                let who = seat.map_or_else(|| self.words.anybody.to_owned(), |seat| seat.to_string());
                let line = Line::of(who, Label::Turn).with(format!("  {} ", self.text(&prompt)), Label::Plain);
                line.then(self.entry_answer(&chosen, seat))
            }
            intervention => Line::of(intervention.in_words(self.scene.viewer), Label::Strong),
        }
    }

    /// The choices in a log entry, each preceded by a blank.
    fn entry_answer(&self, chosen: &[ChosenValue], asked: Option<Seat>) -> Line {
        let named = chosen.iter().map(|chosen| {
            let value = self.meant(chosen);
            Line::plain(" ").then(self.pieces(&self.names().option(&self.scene.position.table, &value, asked)))
        });
        named.collect()
    }

    /// The value that a logged choice stands for on this table. Missing things, and components with sides, keep the
    /// name in the log.
    fn meant(&self, chosen: &ChosenValue) -> Value {
        let component = |name: &str| {
            let face = self.layout.face_named(name)?.index();
            let is_plain = self.layout.faces[face].sides.is_empty();
            let mut faces = self.scene.position.table.faces.iter().filter(|_| is_plain);
            let handle = faces.position(|&known| usize::from(known) == face)?;
            Some(Value::Component(Component(handle as u16)))
        };
        let zone = |name: &str| self.layout.zone_named(name).map(Value::Zone);
        let text = |name: &str| Value::Text(name.into());
        match chosen {
            ChosenValue::Number(number) => Value::Number(*number),
            ChosenValue::Truth(truth) => Value::Truth(*truth),
            ChosenValue::Label(name) | ChosenValue::Name(name) => {
                component(name).or_else(|| zone(name)).unwrap_or_else(|| text(name))
            }
            ChosenValue::Marked(NamedKind::Component, name) => component(name).unwrap_or_else(|| text(name)),
            ChosenValue::Marked(NamedKind::Zone, name) => zone(name).unwrap_or_else(|| text(name)),
            ChosenValue::Marked(NamedKind::Player | NamedKind::Text, name) => text(name),
            ChosenValue::Parts(parts) => {
                let parts = parts.iter().map(|(name, part)| (name.as_str().into(), self.meant(part)));
                Value::Parts(Parts(parts.collect()))
            }
            ChosenValue::List(list) => Value::List(list.iter().map(|item| self.meant(item)).collect()),
        }
    }
}
