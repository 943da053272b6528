//! Drawing of the open decision with its options, or of the result when the game is over.

use super::{Scene, Sight, fill, fitted, seconds};
use crate::definition::{Language, ZoneOrder};
use crate::screen::style::{Label, Line, Span, flow, hang};
use crate::table::State;
use crate::table::decision::{Decision, OptionShown};
use crate::table::event::EventData;
use crate::table::layout::Layout;
use crate::table::names::{self, Names};
use crate::table::value::{Component, Parts, Seat, Seats, Value, Zone};
use std::collections::HashMap;

/// Most options that each get a line.
const MAX_ONE_LINE_OPTIONS: usize = 8;

/// Most numbers listed; of more in sequence, only the lowest and highest are drawn.
const MAX_LISTED_NUMBERS: usize = 40;

/// Most components of a row drawn behind an option, from the end of the row, where moves usually happen.
const MAX_ROW_END_COMPONENTS: usize = 6;

/// The space between columns of options.
const GAP: usize = 3;

/// The open decision with numbered options, or the ranking when the game is over. Players see only the options of their
/// own decisions.
pub fn decision(scene: &Scene<'_>) -> Vec<Line> {
    drawn(scene, false)
}

/// The open decision in fewer lines: options are always drawn in columns.
pub(super) fn short_decision(scene: &Scene<'_>) -> Vec<Line> {
    drawn(scene, true)
}

fn drawn(scene: &Scene<'_>, is_short: bool) -> Vec<Line> {
    let sight = Sight::of(scene);
    let lines = match &scene.position.open {
        Some(open) => sight.open_decision(open, is_short),
        None if scene.position.failed.is_some() => vec![Line::of(sight.words.failed, Label::Error)],
        None => sight.ending(),
    };
    fitted(lines, sight.width)
}

/// The name and description of each option, as drawn in the columns of a decision.
pub fn option_columns<'o>(
    scene: &Scene<'_>,
    options: impl Iterator<Item = &'o OptionShown>,
    asked: Option<Seat>,
) -> Vec<(String, String)> {
    let sight = Sight::of(scene);
    let columns = |option: &OptionShown| {
        let (name, detail) = sight.option_lines(&option.value, asked);
        (name.text(), detail.text())
    };
    options.map(columns).collect()
}

/// The order in which the options of a decision are listed for a person.
///
/// Rules, agents, logs and traces refer to options by their positions in the decision, which must never change. A
/// person sees hands sorted, whatever order the rules left the options in, so the list follows the hand: only the
/// places that a person reads and types differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// For each place in the list, in order, the position of the option in the decision.
    pub order: Vec<usize>,
    /// Whether a typed number could be a place or the name of an option. Places are then written `#2`, and `2` is the
    /// option called so.
    pub has_marks: bool,
    /// Whether every option is a number, which is drawn and typed as such, without a place beside it.
    pub is_numbers: bool,
}

impl Listing {
    /// The listing of an open decision.
    pub fn of(layout: &Layout, table: &State, open: &Decision) -> Self {
        let order = order(layout, table, open);
        let is_other = |number: usize, position: usize| {
            (1..=order.len()).contains(&number) && order.get(number - 1) != Some(&position)
        };
        let is_number = |option: &OptionShown| matches!(option.value, Value::Number(_));
        let is_numbers = !open.options.is_empty() && open.options.iter().all(is_number);
        let is_place_of_another = |option: &OptionShown, position: usize| {
            let drawn = Language::ALL
                .iter()
                .map(|&language| names::text_of(&Names { layout, language }.option(table, &option.value, open.seat)));
            let mut names = drawn.chain([option.label.clone()]);
            names.any(|name| name.parse().is_ok_and(|number| is_other(number, position)))
        };
        let refused = open.refused.iter().map(|(option, _)| (option, usize::MAX));
        let mut named = open.options.iter().zip(0..).chain(refused);
        let has_marks = is_numbers || named.any(|(option, position)| is_place_of_another(option, position));
        Self { order, has_marks, is_numbers }
    }

    /// The position of the option at a place, from 1.
    pub fn at(&self, place: usize) -> Option<usize> {
        self.order.get(place.checked_sub(1)?).copied()
    }

    /// The place, from 1, of the option at a position.
    pub fn place_of(&self, position: usize) -> Option<usize> {
        Some(self.order.iter().position(|&listed| listed == position)? + 1)
    }

    /// A place as it is drawn and typed.
    pub fn written(&self, place: usize) -> String {
        if self.has_marks { format!("#{place}") } else { place.to_string() }
    }
}

/// The positions of options in listing order. Options that differ only in components of hands are sorted among
/// themselves like the hands.
fn order(layout: &Layout, table: &State, open: &Decision) -> Vec<usize> {
    let mut in_hand = vec![false; table.faces.len()];
    for (number, held) in table.zones.iter().enumerate() {
        for component in held.iter().filter(|_| layout.sights[number].is_hand) {
            // Sorting by unknown faces would reveal them.
            let known = table.known.of(*component).face;
            let is_known = open.seat.is_none_or(|seat| known & seat.bit() != 0);
            if let Some(place) = in_hand.get_mut(component.index()) {
                *place = is_known;
            }
        }
    }
    // Groups of options that differ only in components of hands, each option with the faces of those components.
    let mut alike: Vec<Vec<(usize, Vec<u16>)>> = Vec::new();
    let mut numbers: HashMap<Value, usize> = HashMap::new();
    for (position, option) in open.options.iter().enumerate() {
        let mut faces = Vec::new();
        let pattern = pattern(&option.value, table, &in_hand, &mut faces);
        let number = *numbers.entry(pattern).or_insert(alike.len());
        match alike.get_mut(number) {
            Some(known) => known.push((position, faces)),
            None => alike.push(vec![(position, faces)]),
        }
    }
    let mut order: Vec<usize> = (0..open.options.len()).collect();
    for mut options in alike {
        let places: Vec<usize> = options.iter().map(|(position, _)| *position).collect();
        options.sort_by(|(_, one), (_, other)| one.cmp(other));
        for (place, (position, _)) in places.into_iter().zip(options) {
            order[place] = position;
        }
    }
    order
}

/// A value with a placeholder for each component of a hand, whose face is added to `faces`.
fn pattern(value: &Value, table: &State, in_hand: &[bool], faces: &mut Vec<u16>) -> Value {
    match value {
        Value::Component(component) if in_hand.get(component.index()) == Some(&true) => {
            faces.push(table.faces[component.index()]);
            Value::Component(Component(u16::MAX))
        }
        Value::Parts(Parts(parts)) => {
            let parts = parts.iter().map(|(name, part)| (name.clone(), pattern(part, table, in_hand, faces)));
            Value::Parts(Parts(parts.collect()))
        }
        Value::List(list) => Value::List(list.iter().map(|item| pattern(item, table, in_hand, faces)).collect()),
        value => value.clone(),
    }
}

/// The lowest and highest option, if all options are consecutive numbers.
fn stretch(open: &Decision) -> Option<(i64, i64)> {
    let number = |option: &OptionShown| match option.value {
        Value::Number(number) => Some(number),
        _ => None,
    };
    let numbers = open.options.iter().map(number).collect::<Option<Vec<i64>>>()?;
    let follows = numbers.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1]));
    Some((*numbers.first()?, *numbers.last()?)).filter(|_| follows)
}

impl Sight<'_> {
    fn open_decision(&self, open: &Decision, is_short: bool) -> Vec<Line> {
        let mut lines = self.question(open);
        if self.eyes.may_see_options() {
            lines.extend(self.options(open, is_short));
        }
        lines
    }

    /// A line with the asked player and the question: `p2, take a neighbour`.
    pub(super) fn question(&self, open: &Decision) -> Vec<Line> {
        let who = open.seat.map_or_else(|| self.words.anybody.to_owned(), |seat| seat.to_string());
        let mut line = Line::of(who, Label::Turn);
        line.push(Span::new(self.words.asks, Label::Prompt));
        line.push(Span::new(self.text(&open.prompt), Label::Prompt));
        let mut items = vec![line];
        if let Some(purpose) = &open.purpose {
            let variant = self.scene.ruleset.variants.iter().find(|variant| variant.id == **purpose);
            let name = variant.map(|variant| variant.name.get(self.scene.language).to_owned());
            let name = name.unwrap_or_else(|| self.text(purpose));
            items.push(Line::of(format!("({name})"), Label::Plain));
        }
        if (open.min, open.max) != (1, 1) {
            let how_many = if open.min == open.max {
                fill(self.words.choose, &[&open.min])
            } else {
                fill(self.words.choose_between, &[&open.min, &open.max])
            };
            items.push(Line::of(format!("· {how_many}"), Label::Faint));
        }
        if let Some(deadline) = open.deadline {
            let left = (deadline - self.scene.position.table.clock.now()).max(0);
            items.push(Line::of(format!("· {}", fill(self.words.left, &[&seconds(left)])), Label::Faint));
        }
        flow(items, 1, self.width)
    }

    fn options(&self, open: &Decision, is_short: bool) -> Vec<Line> {
        let listing = Listing::of(self.layout, &self.scene.position.table, open);
        if let Some((low, high)) = stretch(open).filter(|_| open.options.len() > MAX_LISTED_NUMBERS) {
            return vec![Line::of_blanks(2).with(fill(self.words.number_between, &[&low, &high]), Label::Number)];
        }
        let listed = listing.order.iter().filter_map(|&position| Some((position, open.options.get(position)?)));
        let shown = listed.map(|(position, option)| {
            let (name, mut detail) = self.option_lines(&option.value, open.seat);
            if open.by_clock.is_some() {
                detail = self.when_free(&option.value, open.by_clock == Some(position));
            }
            if open.deadline.is_some() && position + 1 == open.options.len() && detail.is_empty() {
                detail = Line::of(self.words.time_up, Label::Faint);
            }
            (name, detail, &option.label)
        });
        let shown: Vec<(Line, Line, &String)> = shown.collect();
        let mut looks: HashMap<(String, String), usize> = HashMap::new();
        shown.iter().for_each(|(name, detail, _)| *looks.entry((name.text(), detail.text())).or_default() += 1);
        // Options that look the same are told apart by their labels.
        let shown = shown.into_iter().map(|(name, detail, label)| {
            let is_alone = looks.get(&(name.text(), detail.text())) == Some(&1);
            let behind = if detail.is_empty() { "" } else { "  " };
            let label = if is_alone { Line::default() } else { Line::of(format!("{behind}{label}"), Label::Faint) };
            (name, detail.then(label))
        });
        let shown: Vec<(Line, Line)> = shown.collect();
        let names = shown.iter().map(|(name, _)| name.width()).max().unwrap_or(0);
        let digits = listing.written(shown.len()).len();
        let cells = shown.into_iter().zip(1..).map(|((name, detail), place)| {
            if listing.is_numbers {
                return Line::of(name.text(), Label::Number).right(names);
            }
            let number = Line::of(listing.written(place), Label::Number).right(digits + 2);
            let line = number.with("  ", Label::Plain);
            if detail.is_empty() { line.then(name) } else { line.then(name.padded(names + 2)).then(detail) }
        });
        let cells: Vec<Line> = cells.map(|cell| cell.cut(self.width)).collect();
        if listing.is_numbers {
            let lines = in_columns(cells, self.width.saturating_sub(2));
            return lines.into_iter().map(|line| Line::of_blanks(2).then(line)).collect();
        }
        if cells.len() <= MAX_ONE_LINE_OPTIONS && !is_short { cells } else { in_columns(cells, self.width) }
    }

    /// In real time: whether the clock proposes a seat, or for how long the seat is busy.
    fn when_free(&self, value: &Value, is_proposed: bool) -> Line {
        match value {
            _ if is_proposed => Line::of(self.words.proposed, Label::Turn),
            Value::Seat(seat) => match self.scene.position.table.clock.busy(*seat) {
                0 => Line::default(),
                time => Line::of(fill(self.words.busy, &[&seconds(time)]), Label::Faint),
            },
            _ => Line::default(),
        }
    }

    /// The name and the description of an option.
    pub(super) fn option_lines(&self, value: &Value, asked: Option<Seat>) -> (Line, Line) {
        let name = match value {
            Value::Text(text) if text.is_empty() => self.value(value),
            value => self.pieces(&self.names().option(&self.scene.position.table, value, asked)),
        };
        (name, self.detail(value))
    }

    /// The description of an option: the attributes of a component, the content of a zone.
    fn detail(&self, value: &Value) -> Line {
        match value {
            Value::Component(component) => Line::of(self.names().attribute_words(self.front(*component)), Label::Faint),
            // A hidden component is described only to a viewer who sees everything.
            Value::Back(back) if !self.eyes.viewer.is_limited() => self.face(self.front(back.component)),
            Value::Zone(zone) => self.end_of(*zone),
            Value::Parts(parts) => {
                let details = parts.0.iter().rev().map(|(_, part)| part);
                let last = details
                    .into_iter()
                    .find(|part| matches!(part, Value::Component(_) | Value::Back(_) | Value::Zone(_)));
                last.map_or_else(Line::default, |part| self.detail(part))
            }
            _ => Line::default(),
        }
    }

    /// The content of a zone; of a long row, only the end.
    fn end_of(&self, zone: Zone) -> Line {
        if self.layout.cell(zone).is_some() {
            return self.on_cell(zone);
        }
        let mut items = self.contents(zone);
        let (mark, _) = self.caption(zone);
        if self.layout.zone_definition(zone).order != ZoneOrder::Pile && items.len() > MAX_ROW_END_COMPONENTS {
            items.drain(..items.len() - MAX_ROW_END_COMPONENTS);
            items.insert(0, Line::of("…", Label::Faint));
        }
        if !mark.is_empty() {
            items.insert(0, Line::of(mark, Label::Plain));
        }
        let spaced = items.into_iter().map(|item| item.with(" ", Label::Plain));
        let mut line: Line = spaced.collect();
        line.trim_end();
        line
    }

    /// The ranking, with the points of each player by reason.
    fn ending(&self) -> Vec<Line> {
        let position = self.scene.position;
        let mut reasons: Vec<&str> = Vec::new();
        let mut awards: Vec<Vec<i128>> = Vec::new();
        for event in &position.events {
            let EventData::Award { seat, points, reason, .. } = &event.what else { continue };
            let column = reasons.iter().position(|known| *known == &**reason).unwrap_or_else(|| {
                reasons.push(reason);
                awards.push(vec![0; self.layout.seats]);
                reasons.len() - 1
            });
            if let Some(sum) = awards.get_mut(column).and_then(|sums| sums.get_mut(seat.index())) {
                *sum += i128::from(*points);
            }
        }
        let score = |seat: Seat| position.scores.get(seat.index()).copied().unwrap_or(0).to_string();
        let seats = || Seats::all(self.layout.seats).into_iter();
        let name_width = seats().map(|seat| Line::of(seat.to_string(), Label::Plain).width()).max().unwrap_or(0);
        let name_width = name_width.min(self.width / 3);
        let has_scores = position.has_scores;
        let score_width = seats().map(|seat| score(seat).len()).max().filter(|_| has_scores).unwrap_or(0);
        let score_end = if has_scores { score_width + GAP } else { 0 };
        let verdict = |of: Seat| {
            position.events.backwards().find_map(|event| match &event.what {
                EventData::Result { seat, won, reason } if *seat == of => {
                    let label = if *won { Label::Strong } else { Label::Error };
                    Some(Line::of(self.text(reason), label))
                }
                _ => None,
            })
        };
        let mut lines = vec![Line::of(self.words.over, Label::Prompt)];
        if !position.events.backwards().any(|event| matches!(event.what, EventData::Choice { .. })) {
            lines.extend(hang(Line::default(), vec![Line::of(self.words.nobody_asked, Label::Error)]));
        }
        if position.winners.is_empty() {
            lines.extend(hang(Line::default(), vec![Line::of(self.words.nobody_wins, Label::Strong)]));
        }
        let mut place = 1;
        for seats in &position.ranking {
            for &seat in seats {
                let label = if position.winners.contains(&seat) { Label::Strong } else { Label::Plain };
                let lead = Line::of(place.to_string(), Label::Number).right(3).with("  ", Label::Plain);
                let lead = lead.then(Line::of(seat.to_string(), label).cut(name_width).padded(name_width + GAP));
                let lead = match has_scores {
                    true => lead.then(Line::of(score(seat), Label::Strong).right(score_width)),
                    false => lead,
                };
                let lead = if reasons.is_empty() && verdict(seat).is_none() {
                    lead
                } else {
                    lead.padded(5 + name_width + GAP + score_end)
                };
                let items = reasons.iter().zip(&awards).map(|(reason, sums)| {
                    let points = |sum: Option<&i128>| sum.copied().unwrap_or(0).to_string();
                    let width = sums.iter().map(|sum| points(Some(sum)).len()).max().unwrap_or(0);
                    let points = Line::of(points(sums.get(seat.index())), Label::Plain).right(width);
                    Line::of(self.text(reason) + " ", Label::Faint).then(points)
                });
                let room = self.width.saturating_sub(lead.width());
                let items = verdict(seat).into_iter().chain(items);
                lines.extend(hang(lead, flow(items, GAP, room)));
            }
            // Partners share a place, which counts as one: behind two teams is the third place, whatever their size.
            let table = &position.table;
            let leads = |seat: &&Seat| seats.iter().find(|other| table.are_partners(**seat, **other)) == Some(*seat);
            place += seats.iter().filter(leads).count();
        }
        if self.scene.has_commands && self.layout.definition.variables.iter().any(|variable| variable.keeps) {
            lines.extend(hang(Line::default(), vec![Line::of(self.words.next_game, Label::Faint)]));
        }
        lines
    }
}

/// Cells in as many columns as fit, read from top to bottom.
fn in_columns(cells: Vec<Line>, width: usize) -> Vec<Line> {
    let widest = cells.iter().map(Line::width).max().unwrap_or(0);
    let columns = ((width + GAP) / (widest + GAP)).max(1);
    let rows = cells.len().div_ceil(columns);
    let mut lines = vec![Line::default(); rows];
    for (column, cells) in cells.chunks(rows.max(1)).enumerate() {
        for (line, cell) in lines.iter_mut().zip(cells) {
            line.pad(column * (widest + GAP));
            line.append(cell.clone());
        }
    }
    lines
}
