//! The open decision with its options; or, when nothing is left to decide, how the game ended.

use super::{Scene, Sight, attribute_of, fill, fitted, long_name, seconds};
use crate::definition::{ComponentKind, ZoneOrder};
use crate::repl::style::{Label, Line, Span, flow, hang};
use crate::table::decision::Decision;
use crate::table::event::What;
use crate::table::value::{Component, Parts, Seat, Seats, Value, Zone};
use crate::table::view::Viewer;

/// Up to so many options each have a line of their own.
const MOST_IN_A_LIST: usize = 8;

/// So many components of a row stand behind an option: its end is where things happen.
const ROW_END: usize = 6;

/// Blanks between columns of options.
const GAP: usize = 3;

/// Who is asked what, with numbered options. Players see the options of their own decisions only. When the game is
/// over, the ranking.
pub fn decision(scene: &Scene<'_>) -> Vec<Line> {
    let sight = Sight::of(scene);
    let lines = match &scene.position.open {
        Some(open) => sight.open_decision(open),
        None if scene.position.failed.is_some() => vec![Line::of(sight.words.failed, Label::Error)],
        None => sight.ending(),
    };
    fitted(lines, sight.width)
}

/// What an option of a seat is called where it is drawn.
pub fn option_name(scene: &Scene<'_>, option: &Value, asked: Option<Seat>) -> String {
    Sight::of(scene).option(option, asked).name.text()
}

/// An option as it is shown: what it is called, and what there is to say about it.
struct Shown {
    name: Line,
    detail: Line,
}

impl Sight<'_> {
    fn open_decision(&self, open: &Decision) -> Vec<Line> {
        let mut lines = self.question(open);
        let is_theirs = match self.scene.viewer {
            Viewer::Everything => true,
            Viewer::Seat(seat) | Viewer::Memory(seat) => open.seat.is_none_or(|asked| asked == seat),
        };
        if is_theirs {
            lines.extend(self.options(open));
        }
        lines
    }

    /// `p2, take a neighbour`
    fn question(&self, open: &Decision) -> Vec<Line> {
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
        flow(items, 1, self.width)
    }

    fn options(&self, open: &Decision) -> Vec<Line> {
        let mut shown: Vec<Shown> = open.options.iter().map(|option| self.option(&option.value, open.seat)).collect();
        if open.by_clock.is_some() {
            for (position, (shown, option)) in shown.iter_mut().zip(&open.options).enumerate() {
                shown.detail = self.when_free(&option.value, open.by_clock == Some(position));
            }
        }
        let names = shown.iter().map(|shown| shown.name.width()).max().unwrap_or(0);
        let digits = shown.len().to_string().len();
        let cells = shown.into_iter().enumerate().map(|(position, Shown { name, detail })| {
            let number = Line::of((position + 1).to_string(), Label::Number).right(digits + 2);
            let line = number.with("  ", Label::Plain);
            if detail.is_empty() { line.then(name) } else { line.then(name.padded(names + 2)).then(detail) }
        });
        let cells: Vec<Line> = cells.map(|cell| cell.cut(self.width)).collect();
        if cells.len() <= MOST_IN_A_LIST { cells } else { in_columns(cells, self.width) }
    }

    /// In real time: whether the clock proposes a seat, or how long it is busy.
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

    fn option(&self, value: &Value, asked: Option<Seat>) -> Shown {
        match value {
            Value::Component(component) => {
                Shown { name: self.value(value), detail: Line::of(self.words_on(*component), Label::Faint) }
            }
            Value::Zone(zone) => Shown { name: self.zone_of_somebody(*zone, asked), detail: self.end_of(*zone) },
            Value::Parts(parts) => self.act(parts, asked),
            value => Shown { name: self.value(value), detail: Line::default() },
        }
    }

    /// An act with what it is done with: `extend column 2`, and what lies there.
    fn act(&self, parts: &Parts, asked: Option<Seat>) -> Shown {
        let mut shown = Shown { name: Line::default(), detail: Line::default() };
        for (_, value) in parts.0.iter() {
            let part = match value {
                Value::Zone(zone) => {
                    shown.detail = self.end_of(*zone);
                    let of_somebody = self.zone_of_somebody(*zone, asked);
                    self.number_alone(*zone, &shown.name.text(), asked).unwrap_or(of_somebody)
                }
                Value::Component(component) => {
                    shown.detail = Line::of(self.words_on(*component), Label::Faint);
                    self.value(value)
                }
                value => self.value(value),
            };
            shown.name.blanks(usize::from(!shown.name.is_empty()));
            shown.name.append(part);
        }
        shown
    }

    /// The number of one of several own zones, where the words before have named the zone already.
    fn number_alone(&self, zone: Zone, before: &str, asked: Option<Seat>) -> Option<Line> {
        let info = self.layout.zones.get(zone.index()).filter(|info| info.seat.is_none() || info.seat == asked)?;
        let name = self.layout.zone_definition(zone).name.get(self.scene.language);
        let is_named = before.to_lowercase().contains(&name.to_lowercase());
        is_named.then(|| Line::of(info.number.map(|number| number.to_string()).unwrap_or_default(), Label::Plain))
    }

    fn zone_of_somebody(&self, zone: Zone, asked: Option<Seat>) -> Line {
        let owner =
            self.layout.zones.get(zone.index()).and_then(|info| info.seat).filter(|owner| asked != Some(*owner));
        let owner = owner.map_or_else(String::new, |owner| format!("{owner} "));
        Line::of(format!("{owner}{}", self.zone_name(zone)), Label::Plain)
    }

    /// What lies in a zone, of long rows only the end.
    fn end_of(&self, zone: Zone) -> Line {
        let mut items = self.contents(zone);
        let (mark, _) = self.caption(zone);
        if self.layout.zone_definition(zone).order != ZoneOrder::Pile && items.len() > ROW_END {
            items.drain(..items.len() - ROW_END);
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

    /// The words that stand for something on a face, where the face itself shows them shortened.
    fn words_on(&self, component: Component) -> String {
        let front = self.front(component);
        let face = self.face(front).text();
        let id = self.layout.faces.get(front.face).filter(|info| info.kind == ComponentKind::Die);
        let named = self.layout.attributes.iter().filter_map(|name| {
            let (value, looks) = attribute_of(self.layout, front, name)?;
            let name = long_name(&value, looks, self.scene.language);
            (value.parse::<i64>().is_err() && !face.contains(name)).then(|| name.to_owned())
        });
        // Dice show the same numbers, so each is told by its id.
        id.map_or_else(|| named.collect::<Vec<_>>().join(" "), |info| info.id.to_string())
    }

    /// The ranking, with what each player's points are made of.
    fn ending(&self) -> Vec<Line> {
        let position = self.scene.position;
        let mut reasons: Vec<&str> = Vec::new();
        let mut awards: Vec<Vec<i128>> = Vec::new();
        for event in &position.events {
            let What::Award { seat, points, reason, .. } = &event.what else { continue };
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
        let score_width = seats().map(|seat| score(seat).len()).max().unwrap_or(0);
        let mut lines = vec![Line::of(self.words.over, Label::Prompt)];
        if !position.events.iter().any(|event| matches!(event.what, What::Choice { .. })) {
            lines.extend(hang(Line::default(), vec![Line::of(self.words.nobody_asked, Label::Error)]));
        }
        let mut place = 1;
        for seats in &position.ranking {
            for &seat in seats {
                let label = if place == 1 { Label::Strong } else { Label::Plain };
                let lead = Line::of(place.to_string(), Label::Number).right(3).with("  ", Label::Plain);
                let lead = lead.then(Line::of(seat.to_string(), label).cut(name_width).padded(name_width + GAP));
                let lead = lead.then(Line::of(score(seat), Label::Strong).right(score_width));
                let lead =
                    if reasons.is_empty() { lead } else { lead.padded(5 + name_width + GAP + score_width + GAP) };
                let items = reasons.iter().zip(&awards).map(|(reason, sums)| {
                    let points = |sum: Option<&i128>| sum.copied().unwrap_or(0).to_string();
                    let width = sums.iter().map(|sum| points(Some(sum)).len()).max().unwrap_or(0);
                    let points = Line::of(points(sums.get(seat.index())), Label::Plain).right(width);
                    Line::of(self.text(reason) + " ", Label::Faint).then(points)
                });
                let room = self.width.saturating_sub(lead.width());
                lines.extend(hang(lead, flow(items, GAP, room)));
            }
            place += seats.len();
        }
        lines
    }
}

/// Cells in as many columns as there is room for, read from top to bottom.
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
