//! The log as text: events, entries of the log, and the effects of changed rules.

use super::{NOTHING, Scene, ShownSide, Sight, UNKNOWN, fill, fitted, seconds, words};
use crate::catalogue::told;
use crate::playthrough::Misfit;
use crate::playthrough::campaign;
use crate::playthrough::change::Change;
use crate::playthrough::chosen_value::{ChosenValue, NamedKind};
use crate::playthrough::history::SidesShown;
use crate::playthrough::log::{Entry, LogEntry, clock_in_words, in_short};
use crate::playthrough::timeline::Timeline;
use crate::screen::style::{Label, Line, flow, hang};
use crate::table::decision::{Decision, OptionShown};
use crate::table::event::{Content, Event, EventData};
use crate::table::knowledge::{Disclosure, Front, is_uncounted};
use crate::table::layout::Layout;
use crate::table::names::attribute_of;
use crate::table::sides::side_at_start;
use crate::table::value::{Component, Parts, Seat, Value, Zone};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

/// Most entries listed; the rest is only counted.
pub(super) const MAX_LISTED_ENTRIES: usize = 12;

/// The width of the column with the number of the move.
const NUMBER_COLUMNS: usize = 5;

/// An event as a line of the log, in the words of the table; `None` for events that are not logged. Components that the
/// viewer has not seen are not named.
pub fn log_line(scene: &Scene<'_>, event: &Event) -> Option<Line> {
    Sight::of(scene).line(event)
}

/// A log line of any length, without the number of the move, with its events: one, or several of one kind such as moves
/// between the same zones.
pub(super) struct LogLine<'e> {
    pub(super) line: Line,
    pub(super) events: &'e [Event],
}

/// Events as lines of the [`log`], each with its events.
pub(super) fn log_lines<'e>(scene: &Scene<'_>, events: &'e [Event]) -> Vec<LogLine<'e>> {
    Sight::of(scene).log_lines(events)
}

/// Events as lines of the [`log`], for readers to whom it does not matter which of several equal components was chosen.
pub(super) fn log_without_copies(scene: &Scene<'_>, events: &[Event]) -> Vec<Line> {
    let sight = Sight { tells_copies: false, ..Sight::of(scene) };
    sight.log_lines(events).into_iter().map(|telling| telling.line).collect()
}

impl Sight<'_> {
    fn log_lines<'e>(&self, events: &'e [Event]) -> Vec<LogLine<'e>> {
        let sight = self;
        let tell = |run: &'e [Event]| {
            let line = match run {
                [Event { what: EventData::Roll { .. }, .. }, ..] => {
                    Line::of(fill(sight.words.roll, &[&""]).trim_end(), Label::Faint)
                        .then(Line::plain("  "))
                        .then(joined(sight.rolled(run), "  "))
                }
                [Event { what: EventData::Move { from, to, .. }, moves, .. }, _, ..] if !is_deal(*from, *moves) => {
                    joined(sight.moved(run, *from, *to), " ")
                }
                [Event { what: EventData::Reveal { .. } | EventData::Show { .. }, .. }, ..] => {
                    joined(sight.shown(run), " ")
                }
                [event] => sight.told(event)?,
                // The initial deal.
                _ => return None,
            };
            Some(LogLine { line, events: run })
        };
        runs(events).filter_map(tell).collect()
    }
}

/// Groups events: moves between the same zones, dice rolled together, and components shown together.
fn runs(events: &[Event]) -> impl Iterator<Item = &[Event]> {
    let way = |event: &Event| match event.what {
        EventData::Move { from, to, .. } => Some((event.moves, from, to)),
        _ => None,
    };
    let is_roll = |event: &Event| matches!(event.what, EventData::Roll { .. });
    let shown_to = |event: &Event| match event.what {
        EventData::Reveal { .. } => Some(None),
        EventData::Show { seat, .. } => Some(Some(seat)),
        _ => None,
    };
    events.chunk_by(move |left, right| {
        let is_shown = shown_to(left).is_some() && shown_to(left) == shown_to(right);
        way(left).is_some() && way(left) == way(right)
            || left.moves == right.moves && (is_shown || is_roll(left) && is_roll(right))
    })
}

/// Events as one line, even those that are not logged, for questions why. Several moves between the same zones may be
/// given together.
pub(super) fn event_line(scene: &Scene<'_>, events: &[&Event]) -> Option<Line> {
    /// Most components named; the rest is only counted.
    const MAX_NAMED_COMPONENTS: usize = 6;
    let sight = Sight::of(scene);
    let event = events.first()?;
    let words = match &event.what {
        EventData::Move { from, to, .. } => {
            let moved = events.iter().filter_map(|event| match event.what {
                EventData::Move { component, .. } => Some((*event, component)),
                _ => None,
            });
            let mut line = Line::default();
            for (event, component) in moved.take(MAX_NAMED_COMPONENTS) {
                if !line.is_empty() {
                    line.blanks(1);
                }
                line.append(sight.component_at(event, component));
            }
            if events.len() > MAX_NAMED_COMPONENTS {
                line = line.with(format!(" … +{}", events.len() - MAX_NAMED_COMPONENTS), Label::Faint);
            }
            line.with(format!("  {} → {}", sight.place(*from), sight.place(*to)), Label::Faint)
        }
        EventData::Owner { component, owner } => {
            let owner = owner.map_or(NOTHING.to_owned(), |owner| owner.to_string());
            let component = sight.component(event, *component, sight.eyes.may_name(*component));
            component.with(format!("  → {owner}"), Label::Plain)
        }
        _ => return log_line(scene, event),
    };
    Some(numbered(event.moves).then(words))
}

/// The index of an event among events; `None` if it is not one of them.
fn place_of(events: &[Event], event: &Event) -> Option<usize> {
    let from = events.partition_point(|earlier| earlier.moves < event.moves);
    let mut same_move = events[from..].iter().take_while(|other| other.moves == event.moves);
    same_move.position(|other| std::ptr::eq(other, event)).map(|place| from + place)
}

fn numbered(moves: usize) -> Line {
    Line::of(moves.to_string(), Label::Number).right(NUMBER_COLUMNS).with("  ", Label::Plain)
}

/// Whether a variable is shown to people.
fn is_shown(layout: &Layout, variable: usize) -> bool {
    let definition = layout.variables.get(variable).and_then(|info| layout.definition.variables.get(info.definition));
    definition.is_some_and(|definition| definition.shown)
}

/// Whether a component comes into play before the game begins; these events are not logged.
fn is_deal(from: Option<Zone>, moves: usize) -> bool {
    from.is_none() && moves == 0
}

/// Events as lines of the log, grouped where they are of one kind.
pub fn log(scene: &Scene<'_>, events: &[Event]) -> Vec<Line> {
    let sight = Sight::of(scene);
    let mut lines = Vec::new();
    for run in runs(events) {
        match run {
            [Event { what: EventData::Roll { .. }, moves, .. }, ..] => lines.extend(sight.rolls(run, *moves)),
            [Event { what: EventData::Move { from, to, .. }, moves, .. }, _, ..] if !is_deal(*from, *moves) => {
                lines.extend(sight.moves(run, *moves, *from, *to));
            }
            [Event { what: EventData::Reveal { .. } | EventData::Show { .. }, moves, .. }, ..] => {
                lines.extend(sight.flowing(sight.shown(run), *moves));
            }
            run => lines.extend(run.iter().filter_map(|event| sight.line(event))),
        }
    }
    lines
}

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

/// The effects of changed rules on the same game; of zones hidden from the viewer, only the numbers of components.
pub fn change(scene: &Scene<'_>, change: &Change) -> Vec<Line> {
    let sight = Sight::of(scene);
    let mut lines: Vec<Line> =
        change.left_out.iter().flat_map(|(number, entry)| left_out(scene, *number, entry)).collect();
    lines.extend(change.misfit.iter().flat_map(|found| misfit(scene, found)));
    if change.waiting > 0 {
        let moves = fill(sight.words.many_moves, &[&change.waiting]);
        lines.push(Line::faint(fill(sight.words.waiting, &[&moves])));
    }
    lines.extend(change.kept_on.iter().map(|branch| Line::faint(fill(sight.words.kept_on, &[branch]))));
    let mut parts: Vec<(String, Vec<Line>)> = Vec::new();
    let scores = change.scores.iter().filter(|(seat, ..)| sight.eyes.sees_standing_of(*seat));
    parts.extend(scores.map(|(seat, was, is)| (format!("{seat}.score"), score_change(*was, *is))));
    // It may be unknown which components the variable held before.
    let holds_components = |number: usize| {
        let value = scene.position.table.variables.get(number);
        matches!(value, Some(Value::Component(_) | Value::List(_) | Value::Nothing))
    };
    let may_read = |id: &str| {
        let number = sight.layout.variable_named(id);
        number.is_none_or(|number| {
            sight.eyes.may_read(number) && !(scene.viewer.is_limited() && holds_components(number))
        })
    };
    for (id, was, is) in change.variables.iter().filter(|(id, ..)| may_read(id)) {
        let shown = |text: &str| if text.is_empty() { NOTHING.to_owned() } else { text.to_owned() };
        let new = Line::of(format!("{} → ", shown(was)), Label::Plain).with(shown(is), Label::Strong);
        parts.push((id.clone(), vec![new]));
    }
    parts.extend(change.zones.iter().filter_map(|(id, was, is)| Some((id.clone(), sight.zone_change(id, was, is)?))));
    // Before the change, another player may have been asked.
    let may_see_removed = sight.eyes.may_see_options_of(change.asked_before);
    let removed = if may_see_removed { &*change.options_removed } else { &[] };
    let added = if sight.eyes.may_see_options() { &*change.options_added } else { &[] };
    let options = difference(removed, added);
    let left_out = parts.len().saturating_sub(MAX_LISTED_ENTRIES);
    parts.truncate(MAX_LISTED_ENTRIES);
    if left_out > 0 {
        parts.push((fill(sight.words.more, &[&left_out]), Vec::new()));
    }
    if !options.is_empty() {
        parts.push((sight.words.options.to_owned(), options));
    }
    let column = parts.iter().map(|(name, _)| Line::of(name, Label::Faint).width()).max().unwrap_or(0);
    let column = column.min(sight.width / 3);
    for (name, items) in parts {
        let lead = Line::of_blanks(1).then(Line::of(name, Label::Faint).cut(column)).padded(column + 3);
        let room = sight.width.saturating_sub(lead.width());
        lines.extend(hang(lead, flow(items, 1, room)));
    }
    if lines.is_empty() {
        lines.push(Line::of(sight.words.unchanged, Label::Faint));
    }
    fitted(lines, sight.width)
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
    let sentence = [what, Line::of(format!("{}:", words.misfit), Label::Error), Line::plain(told(&reason.to_string()))];
    hang(Line::default(), flow(sentence, 1, scene.width))
}

/// A log entry that was left out, because the rules in play do not ask for it.
fn left_out(scene: &Scene<'_>, number: usize, entry: &Entry) -> Vec<Line> {
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

pub(super) fn score_change(was: i64, is: i64) -> Vec<Line> {
    let label = if is < was { Label::Error } else { Label::Gain };
    let difference = format!("({:+})", i128::from(is) - i128::from(was));
    vec![Line::of(format!("{was} → "), Label::Plain).with(is.to_string(), Label::Strong), Line::of(difference, label)]
}

/// The removed items with `−`, and the new ones with `+`.
pub(super) fn difference(gone: &[String], new: &[String]) -> Vec<Line> {
    let gone = gone.iter().map(|label| Line::of(format!("−{label}"), Label::Error));
    let new = new.iter().map(|label| Line::of(format!("+{label}"), Label::Gain));
    gone.chain(new).collect()
}

fn joined(items: Vec<Line>, gap: &str) -> Line {
    let first = items.len().min(1);
    let gaps = std::iter::repeat_n("", first).chain(std::iter::repeat(gap));
    items.into_iter().zip(gaps).map(|(item, gap)| Line::plain(gap).then(item)).collect()
}

impl Sight<'_> {
    /// An event as a line of the log; `None` for events that are not logged.
    fn line(&self, event: &Event) -> Option<Line> {
        Some(numbered(event.moves).then(self.told(event)?).cut(self.width))
    }

    /// An event as a line of any length, without the number of the move; `None` for events that are not logged.
    fn told(&self, event: &Event) -> Option<Line> {
        Some(match &event.what {
            EventData::Move { from, .. } if is_deal(*from, event.moves) => return None,
            _ if !self.eyes.hears_of(event) => return None,
            EventData::Metric { name, value } => {
                Line::of(fill(self.words.metric, &[name]), Label::Faint).with(format!(" = {value}"), Label::Plain)
            }
            // The table shows the owners.
            EventData::Owner { .. } => return None,
            EventData::Set { variable, .. } if !is_shown(self.layout, *variable) => return None,
            EventData::Side { component, side } => {
                let side = Some(*side).filter(|_| self.eyes.saw_result(event, *component));
                let side = self.side(Front { side, ..self.front(*component) });
                self.component_at(event, *component).with("  → ", Label::Faint).then(side)
            }
            EventData::Reveal { .. } | EventData::Show { .. } => joined(self.shown(std::slice::from_ref(event)), " "),
            EventData::ShowChoice { seat, prompt, decision, to } => {
                // The choice was made recently, however long the game is.
                let history = &self.scene.position.events;
                // Events tried on a copy of the table are not part of the game.
                let is_held = place_of(history.at_hand().0, event).is_some() || history.is_held();
                let mut made = is_held.then(|| history.backwards_from(event.moves)).into_iter().flatten();
                let made = made.find_map(|made| match &made.what {
                    EventData::Choice { decision: asked, chosen, .. } if asked.number == *decision => {
                        Some((made, asked, chosen))
                    }
                    _ => None,
                });
                let lead = Line::of(fill(self.words.reveal, &[&""]), Label::Faint);
                let mut line = lead.with(format!("{seat}  {}", self.text(prompt)), Label::Plain);
                if let Some((made, asked, chosen)) = made {
                    let options = chosen.iter().filter_map(|&position| asked.options.get(position));
                    line = options.fold(line, |line, option| {
                        let is_told = self.eyes.saw_shown_result(event);
                        let chosen = if is_told { self.chosen(option, asked, made) } else { self.unknown() };
                        line.with(" ", Label::Plain).then(chosen)
                    });
                }
                to.map_or(line.clone(), |to| line.with(format!("  → {to}"), Label::Faint))
            }
            EventData::Roll { .. } => self
                .rolled(std::slice::from_ref(event))
                .into_iter()
                .fold(Line::of(fill(self.words.roll, &[&""]), Label::Faint), Line::then),
            EventData::Lot { stream, value } => Line::of(fill(self.words.lot, &[&self.text(stream)]), Label::Faint)
                .with(" → ", Label::Plain)
                .then(match value {
                    Value::Component(component) => self.component_at(event, *component),
                    value if self.eyes.saw_drawn(event, value) => self.value(value),
                    _ => self.unknown(),
                }),
            EventData::Choice { decision, chosen, .. } => {
                let who = decision.seat.map_or_else(|| self.words.anybody.to_owned(), |seat| seat.to_string());
                let mut line =
                    Line::of(who, Label::Turn).with("  ", Label::Plain).with(self.text(&decision.prompt), Label::Plain);
                line.blanks(1);
                if chosen.is_empty() {
                    line = line.with(format!(" {NOTHING}"), Label::Faint);
                }
                for option in chosen.iter().filter_map(|&position| decision.options.get(position)) {
                    line.blanks(1);
                    line.append(self.chosen(option, decision, event));
                }
                line
            }
            EventData::Move { component, from, to, .. } => {
                let zones = format!("  {} → {}", self.place(*from), self.place(*to));
                self.component_at(event, *component).with(zones, Label::Faint)
            }
            EventData::Set { variable, value } => {
                let name = self.variable_called(*variable);
                let value = if self.eyes.saw_drawn(event, value) { self.value(value) } else { self.unknown() };
                Line::of(format!("{name} = "), Label::Plain).then(value)
            }
            EventData::Award { seat, points, reason, .. } => {
                let label = if *points < 0 { Label::Error } else { Label::Strong };
                Line::of(format!("{seat} "), Label::Plain)
                    .with(format!("{points:+}"), label)
                    .with(format!("  {}", self.text(reason)), Label::Plain)
            }
            EventData::Result { seat, won, reason } => {
                let (words, label) =
                    if *won { (self.words.wins, Label::Strong) } else { (self.words.loses, Label::Error) };
                Line::of(fill(words, &[seat, &self.text(reason)]), label)
            }
            EventData::Note { text, values } => {
                let values: Vec<String> = values.iter().map(|value| self.value(value).text()).collect();
                let values: Vec<&dyn std::fmt::Display> =
                    values.iter().map(|value| value as &dyn std::fmt::Display).collect();
                Line::of(fill(&self.text(text), &values), Label::Plain)
            }
            EventData::Intervention { entry } => {
                let entry = if self.eyes.viewer.is_limited() { in_short(entry) } else { Cow::Borrowed(&**entry) };
                match &*entry {
                    campaign::WORD => Line::of(self.words.campaign, Label::Strong),
                    entry if let Some(moment) = clock_in_words(entry) => {
                        Line::of(fill(self.words.at_moment, &[&seconds(moment)]), Label::Faint)
                    }
                    _ => Line::of(entry, Label::Strong).with(format!("  ({})", self.words.by_hand), Label::Faint),
                }
            }
            _ => self.sentence(event),
        })
    }

    /// An event described by its fields alone; a plain description where it has no text.
    fn sentence(&self, event: &Event) -> Line {
        let id = |component| self.component_at(event, component).text();
        let (words, label) = match &event.what {
            EventData::Phase { .. } => (self.words.phase, Label::Strong),
            EventData::Round { .. } => (self.words.round, Label::Strong),
            EventData::Turn { .. } => (self.words.turn, Label::Turn),
            EventData::Shuffle { bottom: Some(_), .. } => (self.words.shuffle_bottom, Label::Faint),
            EventData::Shuffle { top: Some(_), .. } => (self.words.shuffle_top, Label::Faint),
            EventData::Shuffle { .. } => (self.words.shuffle, Label::Faint),
            _ => return Line::plain(self.eyes.in_words(event, &id)),
        };
        let fields = event.what.fields();
        let told = fields.iter().map(|field| match field.content {
            _ if !self.eyes.is_told(event, field) => UNKNOWN.to_owned(),
            Content::Text(key) => self.text(key),
            Content::Zone(zone) => self.place(zone),
            content => self.eyes.named(content, &id).unwrap_or_else(|| NOTHING.to_owned()),
        });
        let told: Vec<String> = told.collect();
        let told: Vec<&dyn std::fmt::Display> = told.iter().map(|told| told as &dyn std::fmt::Display).collect();
        Line::of(fill(words, &told), label)
    }

    pub(super) fn place(&self, zone: Option<Zone>) -> String {
        zone.map_or_else(|| self.words.nowhere.to_owned(), |zone| self.names().zone_for(zone, None))
    }

    /// The name of a variable, with its seat.
    pub(super) fn variable_called(&self, variable: usize) -> String {
        let Some(info) = self.layout.variables.get(variable) else { return UNKNOWN.to_owned() };
        let name = self.variable_name(info.definition);
        info.seat.map_or_else(|| name.to_owned(), |seat| format!("{seat} {name}"))
    }

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

    /// Moves between the same zones: components that the viewer saw by their faces, the others by their number.
    fn moves(&self, run: &[Event], moves: usize, from: Option<Zone>, to: Option<Zone>) -> Vec<Line> {
        self.flowing(self.moved(run, from, to), moves)
    }

    /// Items behind the number of a move, wrapped.
    fn flowing(&self, items: Vec<Line>, moves: usize) -> Vec<Line> {
        let lead = numbered(moves);
        let room = self.width.saturating_sub(lead.width());
        fitted(hang(lead, flow(items, 1, room)), self.width)
    }

    fn moved(&self, run: &[Event], from: Option<Zone>, to: Option<Zone>) -> Vec<Line> {
        let moved = run.iter().filter_map(|event| match event.what {
            EventData::Move { component, .. } => Some((event, component)),
            _ => None,
        });
        let (seen, hidden): (Vec<_>, Vec<_>) =
            moved.partition(|(event, component)| self.eyes.saw_component(event, *component));
        let mut items: Vec<Line> =
            seen.into_iter().map(|(event, component)| self.component(event, component, true)).collect();
        items.extend(self.hidden(hidden.len()));
        items.push(Line::of(format!(" {} → {}", self.place(from), self.place(to)), Label::Faint));
        items
    }

    /// Dice that were rolled together, with the sides they show.
    fn rolls(&self, run: &[Event], moves: usize) -> Vec<Line> {
        let lead = numbered(moves).then(Line::of(fill(self.words.roll, &[&""]), Label::Faint));
        let room = self.width.saturating_sub(lead.width());
        fitted(hang(lead, flow(self.rolled(run), 2, room)), self.width)
    }

    fn rolled(&self, run: &[Event]) -> Vec<Line> {
        let rolled = run.iter().filter_map(|event| match event.what {
            EventData::Roll { die, .. } => Some(self.component_at(event, die)),
            _ => None,
        });
        rolled.collect()
    }

    /// Components that were shown together, with the sides of those that have some; of those not shown to the viewer,
    /// only the number.
    fn shown(&self, run: &[Event]) -> Vec<Line> {
        let mut items = vec![Line::of(fill(self.words.reveal, &[&""]).trim_end(), Label::Faint)];
        let mut hidden = 0;
        for event in run {
            let (EventData::Reveal { component, side } | EventData::Show { component, side, .. }) = event.what else {
                continue;
            };
            if !self.eyes.saw_component(event, component) {
                hidden += 1;
                continue;
            }
            let front = Front { side: Some(side), ..self.front(component) };
            let has_sides = self.layout.faces.get(front.face).is_some_and(|info| !info.sides.is_empty());
            let (face, side) = (self.face(front), self.side(front));
            // The drawing of a die includes its side.
            let is_told = !has_sides || face.text().contains(&side.text());
            items.push(if is_told { face } else { face.with(" ", Label::Plain).then(side) });
        }
        items.extend(self.hidden(hidden));
        if let [Event { what: EventData::Show { seat, .. }, .. }, ..] = run {
            items.push(Line::of(format!(" → {seat}"), Label::Faint));
        }
        items
    }

    /// A line for a number of unknown things.
    fn hidden(&self, count: usize) -> Option<Line> {
        match count {
            0 => None,
            1 => Some(self.unknown()),
            count => Some(Line::of(format!("{UNKNOWN}×{count}"), Label::Faint)),
        }
    }

    fn unknown(&self) -> Line {
        Line::of(UNKNOWN, Label::Faint)
    }

    /// The face of a component at the time of an event, if the viewer knows which component it was.
    fn component_at(&self, event: &Event, component: Component) -> Line {
        self.component(event, component, self.eyes.saw_component(event, component))
    }

    /// The face of a component at the time of an event, if `is_seen`.
    fn component(&self, event: &Event, component: Component, is_seen: bool) -> Line {
        match is_seen {
            true => self.face(Front { side: self.side_at(event, component), ..self.front(component) }),
            false => self.unknown(),
        }
    }

    /// The side that a component showed right after an event, as far as the viewer knows; it may show another side now.
    fn side_at(&self, event: &Event, component: Component) -> Option<u8> {
        if let Some((_, side)) = event.what.side_shown().filter(|(shown, _)| *shown == component) {
            return Some(side).filter(|_| self.eyes.saw_result(event, component));
        }
        let at_start = || Some(self.layout.faces.get(self.front(component).face).map_or(0, side_at_start));
        let last = |turned: &HashMap<Component, Vec<ShownSide>>, place: usize| {
            let turned = turned.get(&component)?;
            turned[..turned.partition_point(|(number, _)| *number <= place)].last().map(|(_, side)| *side)
        };
        let history = &self.scene.position.events;
        let (recent, shown_before) = history.at_hand();
        let place = place_of(recent, event);
        if let Some(place) = place {
            let turned = self.turned.get_or_init(|| self.turned_in(recent, shown_before));
            if let Some(side) = last(turned, place) {
                return side;
            }
            let Some(shown) = shown_before.and_then(|shown| shown.get(&component)) else { return at_start() };
            // Usually, everybody saw it.
            if let Some((_, side)) = shown.what.side_shown().filter(|_| self.eyes.saw_result(shown, component)) {
                return Some(side);
            }
        }
        // Events tried on a copy of the table are not part of the game, and no events exist if the history is not held.
        if place.is_none() && !history.is_held() {
            return self.eyes.front(component).side;
        }
        let [older, _] = history.since(0);
        let Some(place) = place.map(|_| older.len()).or_else(|| place_of(older, event)) else {
            return self.eyes.front(component).side;
        };
        let turned = self.turned_before.get_or_init(|| self.turned_in(older, None));
        last(turned, place).unwrap_or_else(at_start)
    }

    /// For each component that was turned or rolled, the indexes of these events with the side shown after each, as far
    /// as the viewer knows. `shown` has the sides from earlier events.
    fn turned_in(&self, events: &[Event], shown: Option<&SidesShown>) -> HashMap<Component, Vec<ShownSide>> {
        let mut turned: HashMap<Component, Vec<ShownSide>> = HashMap::new();
        // The true sides, whoever knows them.
        let before = shown.into_iter().flat_map(BTreeMap::values);
        let mut shown: HashMap<Component, u8> = before.filter_map(|event| event.what.side_shown()).collect();
        for (number, event) in events.iter().enumerate() {
            if let EventData::Move { component, .. } = event.what
                && self.eyes.saw_laid_open(event, component)
                && let Some(&side) = shown.get(&component)
            {
                turned.entry(component).or_default().push((number, Some(side)));
            }
            let Some((component, side)) = event.what.side_shown() else { continue };
            shown.insert(component, side);
            let side = Some(side).filter(|_| self.eyes.saw_result(event, component));
            // A viewer who is not shown the side still knows the earlier one.
            if side.is_some() || matches!(event.what, EventData::Roll { .. } | EventData::Side { .. }) {
                turned.entry(component).or_default().push((number, side));
            }
        }
        turned
    }

    /// The name of the side that is up.
    fn side(&self, front: Front) -> Line {
        let named = ["side", "value"].into_iter().find_map(|name| attribute_of(self.layout, front, name));
        let name = named.map(|(name, looks)| self.names().long(&name, looks).to_owned());
        let number = || front.side.map_or(UNKNOWN.to_owned(), |side| side.to_string());
        Line::of(name.unwrap_or_else(number), Label::Plain)
    }

    /// The chosen option, if the viewer may know it: secret choices of others stay hidden. `event` is the choice.
    fn chosen(&self, option: &OptionShown, decision: &Decision, event: &Event) -> Line {
        let unknown = || Line::of(UNKNOWN, Label::Faint);
        if !self.eyes.may_know_choice(decision) {
            return unknown();
        }
        let is_told = |component: Component| {
            // A viewer who was shown a secret choice knows it, wherever the component went.
            let was_shown = decision.secret && self.eyes.viewer.is_limited();
            was_shown || self.eyes.saw_chosen(component, decision.seat, self.moved_after(event, component))
        };
        match (self.eyes.disclosure_of(option, is_told), &option.value) {
            (Disclosure::Whole, value) => {
                let name = match value {
                    Value::Component(component) => self.component(event, *component, true),
                    value => self.pieces(&self.names().option(&self.scene.position.table, value, decision.seat)),
                };
                // Viewers of the options are told which of several equal ones was chosen. To others, this would reveal
                // that there were several.
                let has_list = self.eyes.may_see_options_of(decision.seat);
                let mut others = decision.options.iter().filter(|other| has_list && other.value != *value);
                if !self.tells_copies || !others.any(|other| self.are_printed_alike(value, &other.value)) {
                    return name;
                }
                let faces = &self.scene.position.table.faces;
                let ids = value.components().into_iter().map(|one| self.layout.label(faces, &Value::Component(one)));
                ids.fold(name, |name, id| name.with(format!(" {id}"), Label::Faint))
            }
            (Disclosure::Nothing, _) => unknown(),
            (Disclosure::Parts(parts), _) => {
                let parts = parts.into_iter().map(|(part, is_told)| match part {
                    Value::Component(component) => self.component(event, *component, is_told),
                    part if is_told => self.value(part),
                    _ => unknown(),
                });
                let spaced = parts.map(|part| part.with(" ", Label::Plain));
                let mut line: Line = spaced.collect();
                line.trim_end();
                line
            }
        }
    }

    /// Whether two values differ only in copies of the same print.
    fn are_printed_alike(&self, one: &Value, other: &Value) -> bool {
        let print = |component: &Component| self.layout.prints.get(self.front(*component).face);
        match (one, other) {
            (Value::Component(one), Value::Component(other)) => print(one) == print(other),
            (Value::Parts(Parts(one)), Value::Parts(Parts(other))) => {
                let mut pairs = one.iter().zip(other.iter());
                one.len() == other.len()
                    && pairs.all(|(one, other)| one.0 == other.0 && self.are_printed_alike(&one.1, &other.1))
            }
            (Value::List(one), Value::List(other)) => {
                let mut pairs = one.iter().zip(other.iter());
                one.len() == other.len() && pairs.all(|(one, other)| self.are_printed_alike(one, other))
            }
            (one, other) => one == other,
        }
    }

    /// The next move of a component among the consequences of a choice.
    fn moved_after(&self, choice: &Event, component: Component) -> Option<&Event> {
        let is_its_move =
            |event: &&Event| matches!(event.what, EventData::Move { component: moved, .. } if moved == component);
        self.scene.position.events.from_move(choice.moves).into_iter().flatten().find(is_its_move)
    }

    /// The differences in a zone; `None` if they are hidden from the viewer.
    fn zone_change(&self, id: &str, was: &[String], is: &[String]) -> Option<Vec<Line>> {
        let zone = self.layout.zone_named(id)?;
        if is_uncounted(self.layout, self.scene.viewer, zone) {
            return None;
        }
        if !self.eyes.may_list(zone) {
            let counts = Line::of(format!("{} → {}", was.len(), is.len()), Label::Plain);
            return (was.len() != is.len()).then(|| vec![counts]);
        }
        let gone: Vec<String> = was.iter().filter(|label| !is.contains(label)).cloned().collect();
        let new: Vec<String> = is.iter().filter(|label| !was.contains(label)).cloned().collect();
        let left_out = (gone.len() + new.len()).saturating_sub(MAX_LISTED_ENTRIES * 2);
        let mut items = difference(&gone, &new);
        items.truncate(MAX_LISTED_ENTRIES * 2);
        if items.is_empty() {
            items.push(Line::of(self.words.reordered, Label::Faint));
        }
        if left_out > 0 {
            items.push(Line::of(fill(self.words.more, &[&left_out]), Label::Faint));
        }
        Some(items)
    }
}
