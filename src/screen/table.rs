//! Drawing of the table: a header, each player, then the shared zones and variables, next to the question.
//!
//! If the number of rows is known, the table and the question are laid out to fit: first with players side by side,
//! then with those folded who are not asked, and the header is shortened last of all.

mod header;
mod players;

use super::decision::{decision, short_decision};
use super::{Scene, Sight, fitted};
use crate::definition::ZoneOrder;
use crate::screen::style::{Label, Line, beside, flow, hang};
use crate::table::value::{Seat, Seats, Zone};

/// The space between things side by side on a line.
const GAP: usize = 3;

/// The maximum width of the first column, for the names of shared zones.
const MAX_ZONE_NAME_COLUMNS: usize = 20;

/// The minimum width of a column of players.
const MIN_COLUMN_WIDTH: usize = 34;

/// The whole table, as the viewer sees it.
pub fn table(scene: &Scene<'_>) -> Vec<Line> {
    let sight = Sight::of(scene);
    fitted(sight.table(&Form::ROOMY), sight.width)
}

/// The table and the open decision, fitted to the screen if its height is known.
pub fn look(scene: &Scene<'_>) -> Vec<Line> {
    let sight = Sight::of(scene);
    let question = decision(scene);
    // The prompt follows below.
    let Some(rows) = scene.height.map(|height| height.saturating_sub(1)) else {
        return [fitted(sight.table(&Form::ROOMY), sight.width), question].concat();
    };
    let short = short_decision(scene);
    let narrow = |columns| Form { columns, ..Form::ROOMY };
    let most = (sight.width + GAP) / (MIN_COLUMN_WIDTH + GAP);
    let columns = 1..=most.min(sight.layout.seats).max(1);
    let in_columns = columns.clone().flat_map(|columns| [narrow(columns), narrow(columns).without_blanks()]);
    let folded = columns.map(|columns| Form { is_folded: true, ..narrow(columns).without_blanks() });
    for form in in_columns.chain(folded) {
        let drawn = fitted(sight.table(&form), sight.width);
        if let Some(question) = [&question, &short].into_iter().find(|question| drawn.len() + question.len() <= rows) {
            return [drawn, question.clone()].concat();
        }
    }
    [sight.trimmed_table(rows.saturating_sub(short.len())), short].concat()
}

/// The layout of the table.
#[derive(Clone, Copy)]
struct Form {
    /// The number of players side by side.
    columns: usize,
    /// Whether rows of players who are neither asked nor looking are reduced to counts.
    is_folded: bool,
    /// Whether empty lines separate players from the rest.
    has_blanks: bool,
}

impl Form {
    /// The layout with room for everything.
    const ROOMY: Self = Self { columns: 1, is_folded: false, has_blanks: true };

    fn without_blanks(self) -> Self {
        Self { has_blanks: false, ..self }
    }
}

impl Sight<'_> {
    fn table(&self, form: &Form) -> Vec<Line> {
        let mut lines = self.header();
        if form.has_blanks {
            lines.push(Line::default());
        }
        let folded = |seat| form.is_folded && !self.is_wanted(seat);
        let blocks = if form.columns > 1 {
            let width = (self.width + GAP) / form.columns - GAP;
            let players: Vec<Vec<Line>> = self.players(width, folded);
            let row = |players: &[Vec<Line>]| {
                let place = |(number, player): (usize, &Vec<Line>)| (number * (width + GAP), player.clone());
                players
                    .iter()
                    .enumerate()
                    .map(place)
                    .fold(Vec::new(), |row, (column, player)| beside(row, column, fitted(player, width)))
            };
            players.chunks(form.columns).flat_map(row).collect()
        } else {
            self.players(self.width, folded).concat()
        };
        lines.extend(blocks);
        let shared = self.shared();
        if form.has_blanks && !shared.is_empty() {
            lines.push(Line::default());
        }
        lines.extend(shared);
        if form.is_folded && Seats::all(self.layout.seats).into_iter().any(folded) {
            lines.push(Line::faint(self.words.folded));
        }
        lines
    }

    /// The most important lines of the table in `rows` rows: the header, scores, the player who is asked, and what is
    /// shared.
    fn trimmed_table(&self, rows: usize) -> Vec<Line> {
        let seats = || Seats::all(self.layout.seats).into_iter();
        let others = seats().filter(|seat| self.scene.position.has_scores && !self.is_wanted(*seat));
        let scores = others.map(|seat| Line::of(format!(" {seat} "), Label::Plain).then(self.score(seat)));
        let mut body = flow(scores, GAP, self.width);
        let blocks = seats().zip(self.players(self.width, |seat| !self.is_wanted(seat)));
        body.extend(blocks.filter(|(seat, _)| self.is_wanted(*seat)).flat_map(|(_, block)| block));
        body.extend(self.shared());
        let mut lines = self.header();
        // The closer to the question, the more important.
        let room = rows.saturating_sub(lines.len() + 1);
        body.drain(..body.len().saturating_sub(room));
        lines.extend(body);
        lines.push(Line::faint(self.words.folded));
        lines.drain(..lines.len().saturating_sub(rows));
        fitted(lines, self.width)
    }

    /// Whether a seat is asked or is the viewer.
    fn is_wanted(&self, seat: Seat) -> bool {
        let looks = self.scene.viewer.seat() == Some(seat);
        looks || self.is_asked(seat)
    }

    fn is_asked(&self, seat: Seat) -> bool {
        self.scene.position.open.as_ref().is_some_and(|open| open.seat == Some(seat))
    }

    /// The shared zones and variables, in the order of their definition.
    fn shared(&self) -> Vec<Line> {
        let definition = &self.layout.definition;
        // Consecutive piles share a line, and so do rows of a single component.
        let mut groups: Vec<(ZoneOrder, bool, Vec<Zone>)> = Vec::new();
        let mut boards = Vec::new();
        for (number, definition) in definition.zones.iter().enumerate().filter(|(_, zone)| !zone.per_seat) {
            let order = definition.order;
            if self.is_board(number) {
                boards.push((number, Line::of(definition.name.get(self.scene.language), Label::Faint)));
                continue;
            }
            for zone in self.layout.zones_of(number, None).0.into_iter().filter(|zone| self.was_occupied(*zone)) {
                let is_short = order == ZoneOrder::Pile || order == ZoneOrder::Row && self.seen(zone).len() == 1;
                match groups.last_mut() {
                    Some((known, true, group)) if is_short && *known == order => group.push(zone),
                    _ => groups.push((order, is_short, vec![zone])),
                }
            }
        }
        let variables = self.variables();
        let zones = groups.iter().flat_map(|(.., zones)| zones).map(|zone| self.name_of(*zone).width());
        let names = variables.iter().map(|(name, _)| name).chain(boards.iter().map(|(_, name)| name));
        let widest = zones.chain(names.map(Line::width)).max().unwrap_or(0);
        let column = widest.min(MAX_ZONE_NAME_COLUMNS).min(self.width * 2 / 5) + 3;
        let room = self.width.saturating_sub(column);
        let line = |name: Line, contents: Vec<Line>| {
            hang(Line::of_blanks(1).then(name.cut(column - 3)).padded(column), contents)
        };
        let mut lines = Vec::new();
        for (number, name) in boards {
            lines.extend(line(name, self.board(number, None, room)));
        }
        for (_, is_short, zones) in groups {
            if is_short {
                let piles = zones.into_iter().map(|zone| (self.name_of(zone), spaced(self.contents(zone))));
                lines.extend(self.side_by_side(piles.collect(), room, line));
                continue;
            }
            for zone in zones {
                let (mark, note) = self.caption(zone);
                let mut items = vec![Line::of(mark, Label::Plain)];
                items.extend(self.contents(zone));
                items.push(Line::of(note, Label::Faint));
                items.retain(|item| !item.is_empty());
                lines.extend(line(self.name_of(zone), flow(items, 2, room)));
            }
        }
        lines.extend(self.side_by_side(variables, room, line));
        lines
    }

    /// Named things, as many on each line as fit; the first name of each line is in a column.
    fn side_by_side(
        &self,
        things: Vec<(Line, Line)>,
        room: usize,
        line: impl Fn(Line, Vec<Line>) -> Vec<Line>,
    ) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut open: Option<(Line, Line)> = None;
        for (name, thing) in things {
            open = match open.take() {
                Some((first, things)) if things.width() + GAP + 1 + name.width() + 2 + thing.width() <= room => {
                    let further = Line::of_blanks(GAP + 1).then(name).with("  ", Label::Plain).then(thing);
                    Some((first, things.then(further)))
                }
                full => {
                    lines.extend(full.into_iter().flat_map(|(first, things)| line(first, vec![things])));
                    Some((name, thing))
                }
            };
        }
        lines.extend(open.into_iter().flat_map(|(first, things)| line(first, vec![things])));
        lines
    }

    /// Whether a zone contains or ever contained something; others are not drawn.
    fn was_occupied(&self, zone: Zone) -> bool {
        let used = || self.used.get_or_init(|| self.scene.position.events.zones_reached());
        !self.seen(zone).is_empty() || used().contains(&zone)
    }

    fn name_of(&self, zone: Zone) -> Line {
        Line::of(self.zone_name(zone), Label::Faint)
    }

    /// The shared variables that differ from their default.
    pub(super) fn variables(&self) -> Vec<(Line, Line)> {
        let values = self.layout.variables.iter().zip(&self.scene.position.table.variables);
        let changed = values.enumerate().filter(|(number, (info, value))| {
            info.seat.is_none()
                && info.default != **value
                && self.is_shown(info.definition)
                && self.eyes.may_read(*number)
        });
        let named = changed.map(|(_, (info, value))| {
            (Line::of(self.variable_name(info.definition), Label::Faint), self.variable_value(value))
        });
        named.collect()
    }

    fn is_shown(&self, definition: usize) -> bool {
        self.layout.definition.variables.get(definition).is_some_and(|variable| variable.shown)
    }

    pub(super) fn variable_name(&self, definition: usize) -> &str {
        let variable = self.layout.definition.variables.get(definition);
        variable.map_or("", |variable| variable.name.get(self.scene.language))
    }
}

fn spaced(items: Vec<Line>) -> Line {
    let mut line = Line::default();
    for (number, item) in items.into_iter().enumerate() {
        line.blanks(usize::from(number > 0));
        line.append(item);
    }
    line
}
