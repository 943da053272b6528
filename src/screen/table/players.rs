//! The players at the table: each with hands, piles, rows, boards, variables and the score, aligned with those of the
//! others.

use super::{GAP, spaced};
use crate::definition::ZoneOrder;
use crate::playthrough::change::running_score;
use crate::screen::style::{Label, Line, beside, flow, hang};
use crate::screen::{NOTHING, Sight, UNKNOWN, words};
use crate::table::value::{Seat, Seats, Value, Zone};

/// The minimum width for players' rows beside their hands, and not below them. It depends on the width only, so that
/// the drawing stays stable while cards come and go.
const MIN_WIDTH_FOR_ROWS_BESIDE: usize = 100;

/// The minimum width left for rows; with less, they go below nevertheless.
const MIN_ROW_COLUMNS: usize = 40;

/// The minimum width of a row's faces to put a note behind the row; otherwise the note follows the last face.
const MIN_FACE_COLUMNS: usize = 12;

/// The drawn parts of a player.
struct Player {
    lead: Line,
    rows: Vec<Row>,
    cells: Vec<Cell>,
    /// The definitions of the player's own boards.
    boards: Vec<usize>,
    score_name: Line,
    score: Line,
}

/// Something of a player with its name: a hand, a pile, a variable.
struct Cell {
    name: Line,
    items: Vec<Line>,
    is_number: bool,
}

/// A row of a player's components, such as a column that grows.
struct Row {
    lead: Line,
    faces: Vec<Line>,
    note: Line,
}

/// The maximum width of each part of rows, to align them.
struct RowWidths {
    lead: usize,
    faces: usize,
    note: usize,
}

/// The widths of the cells of a kind.
struct CellWidths {
    name: usize,
    items: usize,
    are_numbers: bool,
}

impl Sight<'_> {
    /// Every player's components in a block of a given width; of folded players only the numbers.
    pub(super) fn players(&self, width: usize, is_folded: impl Fn(Seat) -> bool) -> Vec<Vec<Line>> {
        let seats = Seats::all(self.layout.seats).into_iter();
        let players: Vec<Player> = seats.map(|seat| self.player(seat, is_folded(seat))).collect();
        let widest = |widths: &dyn Fn(&Player) -> usize| players.iter().map(widths).max().unwrap_or(0);
        let column = widest(&|player| player.lead.width()) + 2;
        let room = width.saturating_sub(column);
        let score_name = widest(&|player| player.score_name.width());
        let score = match widest(&|player| player.score.width()) {
            0 => 0,
            wide => score_name + 1 + wide,
        };
        let count = widest(&|player| player.cells.len());
        let cells: Vec<CellWidths> = (0..count).map(|number| CellWidths::of(&players, number)).collect();
        let summary = cells.iter().map(|cell| cell.whole() + GAP).sum::<usize>() + score;
        let rows = RowWidths::of(&players);
        let has_rows = self.layout.definition.zones.iter().any(|zone| zone.per_seat && is_row(zone.order));
        let for_rows = room.saturating_sub(summary + GAP);
        let is_side_by_side = has_rows && width >= MIN_WIDTH_FOR_ROWS_BESIDE && for_rows >= MIN_ROW_COLUMNS;
        let mut blocks = Vec::new();
        for (seat, player) in Seats::all(self.layout.seats).into_iter().zip(&players) {
            let boards = || self.boards_of(player, seat, room);
            let score = match score.checked_sub(score_name + 1) {
                Some(wide) => player.score_name.clone().padded(score_name + 1).then(player.score.clone().right(wide)),
                None => Line::default(),
            };
            let lead = Line::of_blanks(1).then(player.lead.clone()).padded(column);
            let in_line = || {
                let drawn = player.cells.iter().zip(&cells).map(|(cell, widths)| cell.in_line(widths));
                drawn.map(|cell| cell.with(" ".repeat(GAP), Label::Plain)).collect::<Line>()
            };
            if is_side_by_side {
                let mut block: Vec<Line> = player.rows.iter().flat_map(|row| row.lines(&rows, for_rows)).collect();
                block.extend(boards());
                if block.is_empty() {
                    block.push(Line::of(NOTHING, Label::Faint));
                }
                blocks.push(hang(lead, beside(block, room - summary, vec![in_line().then(score)])));
                continue;
            }
            let mut block = if summary <= room {
                vec![in_line().padded(room.saturating_sub(score.width())).then(score)]
            } else {
                player.flowing(score, room)
            };
            block.extend(player.rows.iter().flat_map(|row| row.lines(&rows, room)));
            block.extend(boards());
            blocks.push(hang(lead, block));
        }
        blocks
    }

    /// A player's own boards below each other, with their names if there are several.
    fn boards_of(&self, player: &Player, seat: Seat, room: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        for number in &player.boards {
            if let Some(zone) = self.layout.definition.zones.get(*number).filter(|_| player.boards.len() > 1) {
                lines.push(Line::of(zone.name.get(self.scene.language), Label::Faint));
            }
            lines.extend(self.board(*number, Some(seat), room));
        }
        lines
    }

    fn player(&self, seat: Seat, is_folded: bool) -> Player {
        let is_asked = self.is_asked(seat);
        let label = if is_asked { Label::Turn } else { Label::Plain };
        let lead = Line::of(seat.to_string(), label).cut(self.width / 4);
        let lead = lead.with(if is_asked { " ►" } else { "  " }, label);
        let definition = &self.layout.definition;
        let row_kinds = definition.zones.iter().filter(|zone| zone.per_seat && is_row(zone.order)).count();
        let (mut rows, mut cells, mut boards) = (Vec::new(), Vec::new(), Vec::new());
        for (number, zone) in definition.zones.iter().enumerate().filter(|(_, zone)| zone.per_seat) {
            let is_used = Seats::all(self.layout.seats)
                .into_iter()
                .any(|seat| self.layout.zones_of(number, Some(seat)).into_iter().any(|zone| self.was_occupied(zone)));
            if self.is_board(number) {
                boards.extend((!is_folded).then_some(number));
                continue;
            }
            if is_row(zone.order) && is_folded {
                cells.extend(self.folded(number, seat));
                continue;
            }
            for held in self.layout.zones_of(number, Some(seat)) {
                if !is_row(zone.order) && is_used {
                    let (mark, note) = self.caption(held);
                    let mut items = self.contents(held);
                    items.insert(0, Line::of(mark, Label::Plain));
                    items.push(Line::of(note, Label::Faint));
                    items.retain(|item| !item.is_empty());
                    cells.push(Cell::of(self.name_of(held), items));
                } else if is_row(zone.order) && !self.seen(held).is_empty() {
                    rows.push(self.row(held, row_kinds > 1));
                }
            }
        }
        cells.extend(self.seat_variables(seat));
        let score = self.layout.score_of(seat);
        let score_name = match self.layout.variables.get(score) {
            _ if !self.scene.position.has_scores => "",
            _ if !self.scene.position.standings.is_empty() => words(self.scene.language).standing,
            info => info.map_or("", |info| self.variable_name(info.definition)),
        };
        Player { lead, rows, cells, boards, score_name: Line::of(score_name, Label::Faint), score: self.score(seat) }
    }

    /// The numbers of components in each row of a kind, to replace the rows.
    fn folded(&self, definition: usize, seat: Seat) -> Option<Cell> {
        let rows = self.layout.zones_of(definition, Some(seat)).into_iter().filter(|row| !self.seen(*row).is_empty());
        let count = |row: Zone| {
            let (mark, _) = self.caption(row);
            Line::of(mark, Label::Plain).with(self.seen(row).len().to_string(), Label::Plain)
        };
        let counts: Vec<Line> = rows.map(count).collect();
        let name = self.layout.definition.zones.get(definition)?.name.get(self.scene.language);
        (!counts.is_empty()).then(|| Cell { name: Line::of(name, Label::Faint), items: counts, is_number: false })
    }

    /// A row, preceded by its number and mark; by its name if there are rows of several kinds.
    fn row(&self, zone: Zone, with_name: bool) -> Row {
        let (mark, note) = self.caption(zone);
        let number = self.layout.zones.get(zone.index()).and_then(|info| info.number);
        let mut lead = match number {
            Some(number) if !with_name && self.layout.cell(zone).is_none() => {
                Line::of(number.to_string(), Label::Faint)
            }
            _ => self.name_of(zone),
        };
        if !mark.is_empty() {
            lead = lead.with(" ", Label::Plain).with(mark, Label::Plain);
        }
        Row { lead: lead.cut(self.width / 4), faces: self.contents(zone), note: Line::of(note, Label::Faint) }
    }

    /// The names and values of [`seat_variables`](Self::seat_variables).
    pub(in crate::screen) fn named_seat_variables(&self, seat: Seat) -> Vec<(Line, Line)> {
        self.seat_variables(seat).into_iter().map(|cell| (cell.name, spaced(cell.items))).collect()
    }

    /// A seat's variables besides the score, once any seat's value differs from the default.
    fn seat_variables(&self, seat: Seat) -> Vec<Cell> {
        let values = &self.scene.position.table.variables;
        let mut cells = Vec::new();
        for (number, variable) in self.layout.definition.variables.iter().enumerate().filter(|(_, one)| one.per_seat) {
            let of = |seat| {
                let position = self.layout.variable_of(number, Some(seat));
                let value = self.eyes.may_read(position).then(|| values.get(position));
                Some((self.layout.variables.get(position)?, value.flatten()))
            };
            // That a hidden value has changed would reveal something about it.
            let has_changed =
                |seat| of(seat).is_some_and(|(info, value)| value.is_none_or(|value| info.default != *value));
            if variable.id == "score" || !variable.shown || !Seats::all(self.layout.seats).into_iter().any(has_changed)
            {
                continue;
            }
            if let Some((info, value)) = of(seat) {
                let name = Line::of(self.variable_name(number), Label::Faint);
                let is_number = matches!(info.default, Value::Number(_));
                let value = value.map_or_else(|| Line::of(UNKNOWN, Label::Faint), |value| self.variable_value(value));
                cells.push(Cell { name, items: vec![value], is_number });
            }
        }
        cells
    }

    /// The score of a seat if the game ended here. Secret things of others may count, so a limited viewer sees only
    /// what they have for certain. Empty if there are no points.
    pub(in crate::screen) fn score(&self, seat: Seat) -> Line {
        let position = self.scene.position;
        if !position.has_scores {
            return Line::default();
        }
        if position.standings.is_empty() || self.eyes.sees_standing_of(seat) {
            return Line::of(running_score(position, seat).to_string(), Label::Strong);
        }
        let certain = position.scores.get(seat.index()).copied().unwrap_or(0);
        let text = if certain == 0 { UNKNOWN.to_owned() } else { format!("{certain}+{UNKNOWN}") };
        Line::of(text, Label::Faint)
    }
}

impl CellWidths {
    fn of(players: &[Player], number: usize) -> Self {
        let cells = || players.iter().filter_map(|player| player.cells.get(number));
        let name = cells().map(|cell| cell.name.width()).max().unwrap_or(0);
        let items = cells().map(Cell::items_width).max().unwrap_or(0);
        Self { name, items, are_numbers: cells().all(|cell| cell.is_number) }
    }

    fn whole(&self) -> usize {
        self.name + 1 + self.items
    }
}

impl RowWidths {
    fn of(players: &[Player]) -> Self {
        let rows = || players.iter().flat_map(|player| &player.rows);
        Self {
            lead: rows().map(|row| row.lead.width()).max().unwrap_or(0),
            faces: rows().map(|row| items_width(&row.faces)).max().unwrap_or(0),
            note: rows().map(|row| row.note.width()).max().unwrap_or(0),
        }
    }
}

impl Cell {
    /// The cell of a zone; a single count is treated as a number.
    fn of(name: Line, items: Vec<Line>) -> Self {
        let is_number = matches!(items.as_slice(), [one] if one.text().parse::<i64>().is_ok());
        Self { name, items, is_number }
    }

    fn items_width(&self) -> usize {
        items_width(&self.items)
    }

    fn in_line(&self, widths: &CellWidths) -> Line {
        let items = spaced(self.items.clone());
        let items = if widths.are_numbers { items.right(widths.items) } else { items.padded(widths.items) };
        self.name.clone().padded(widths.name + 1).then(items)
    }
}

impl Player {
    /// The cells one after the other in as many lines as needed, with the score at the right end.
    fn flowing(&self, score: Line, room: usize) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        for cell in &self.cells {
            let name = cell.name.clone().cut(room / 3).with(" ", Label::Plain);
            let whole = name.width() + cell.items_width();
            match lines.last_mut() {
                Some(line) if line.width() + GAP + whole <= room => {
                    line.blanks(GAP);
                    line.append(name.then(spaced(cell.items.clone())));
                }
                _ => {
                    let columns = room.saturating_sub(name.width());
                    lines.extend(hang(name, flow(cell.items.iter().cloned(), 1, columns)));
                }
            }
        }
        match lines.last_mut() {
            Some(line) if !score.is_empty() && line.width() + GAP + score.width() <= room => {
                line.pad(room.saturating_sub(score.width()));
                line.append(score);
            }
            _ if score.is_empty() => {}
            _ => lines.push(score.right(room)),
        }
        lines
    }
}

impl Row {
    fn lines(&self, widths: &RowWidths, columns: usize) -> Vec<Line> {
        let lead = self.lead.clone().padded(widths.lead + 1);
        let room = columns.saturating_sub(lead.width());
        let note = widths.note.min(columns / 2);
        let beside_note = room.saturating_sub(note + GAP);
        if note == 0 || beside_note < MIN_FACE_COLUMNS {
            let note = [self.note.clone()].into_iter().filter(|note| !note.is_empty());
            return hang(lead, flow(self.faces.iter().cloned().chain(note), 1, room));
        }
        let faces = flow(self.faces.iter().cloned(), 1, beside_note);
        let column = widths.faces.min(beside_note) + GAP;
        hang(lead, beside(faces, column, vec![self.note.clone().cut(note).right(note)]))
    }
}

/// Whether zones of this order get lines of their own.
fn is_row(order: ZoneOrder) -> bool {
    matches!(order, ZoneOrder::Row | ZoneOrder::Ring | ZoneOrder::Trick)
}

fn items_width(items: &[Line]) -> usize {
    items.iter().map(Line::width).sum::<usize>() + items.len().saturating_sub(1)
}
