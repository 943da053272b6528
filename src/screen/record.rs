//! The record as text: events as lines of the log, in the words of the table.

use super::past_sides::place_of;
use super::{NOTHING, Scene, Sight, UNKNOWN, fill, fitted, seconds};
use crate::playthrough::campaign;
use crate::playthrough::log::{clock_in_words, in_short};
use crate::screen::style::{Label, Line, flow, hang};
use crate::table::decision::{Decision, OptionShown};
use crate::table::event::{Content, Event, EventData};
use crate::table::knowledge::{Disclosure, Front};
use crate::table::layout::Layout;
use crate::table::names::attribute_of;
use crate::table::value::{Component, Parts, Value, Zone};
use std::borrow::Cow;

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
    pub(super) fn told(&self, event: &Event) -> Option<Line> {
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

    pub(super) fn unknown(&self) -> Line {
        Line::of(UNKNOWN, Label::Faint)
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
}
