//! Drawing of the table: a header, each player, then the shared zones and variables, next to the question.
//!
//! If the number of rows is known, the table and the question are laid out to fit: first with players side by side,
//! then with those folded who are not asked, and the header is shortened last of all.

use super::decision::{decision, short_decision};
use super::{NOTHING, Scene, Sight, UNKNOWN, fill, fitted, seconds, teams_in_words, words};
use crate::definition::ZoneOrder;
use crate::playthrough::change::running_score;
use crate::screen::style::{Label, Line, beside, ending, flow, hang};
use crate::table::knowledge::Viewer;
use crate::table::value::{Seat, Seats, Value, Zone};

/// The space between things side by side on a line.
const GAP: usize = 3;

/// The minimum width for players' rows beside their hands, and not below them. It depends on the width only, so that
/// the drawing stays stable while cards come and go.
const MIN_WIDTH_FOR_ROWS_BESIDE: usize = 100;

/// The minimum width left for rows; with less, they go below nevertheless.
const MIN_ROW_COLUMNS: usize = 40;

/// The maximum width of the first column, for the names of shared zones.
const MAX_ZONE_NAME_COLUMNS: usize = 20;

/// The minimum width of a row's faces to put a note behind the row; otherwise the note follows the last face.
const MIN_FACE_COLUMNS: usize = 12;

/// The maximum width of a game's or variant's path in the header.
const MAX_ORIGIN_COLUMNS: usize = 36;

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

/// The maximum width of each part of rows, to align them.
struct RowWidths {
    lead: usize,
    faces: usize,
    note: usize,
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
        looks || self.scene.position.open.as_ref().is_some_and(|open| open.seat == Some(seat))
    }

    /// The header: the game with its variants, and the progress.
    fn header(&self) -> Vec<Line> {
        let (scene, words) = (self.scene, self.words);
        let ruleset = scene.ruleset;
        let with_origin = |line: Line, layer| match ruleset.unusual_origin(layer) {
            Some(origin) if origin.is_built_in() => line.with(format!(" ({})", words.built_in), Label::Faint),
            Some(origin) => line.with(format!(" ({})", ending(&origin.to_string(), MAX_ORIGIN_COLUMNS)), Label::Faint),
            None => line,
        };
        let game = Line::of(ruleset.game.name.get(scene.language), Label::Strong);
        let mut rules = vec![with_origin(game, &ruleset.game)];
        rules.extend(ruleset.variants.iter().map(|layer| with_origin(Line::of(&*layer.id, Label::Plain), layer)));
        let mut players = Line::of(fill(words.players, &[&self.layout.seats]), Label::Faint);
        if let Some(teams) = self.teams() {
            players = players.with(format!(" ({teams})"), Label::Faint);
        }
        rules.push(players);
        rules.push(Line::of(fill(words.seed, &[&scene.seed]), Label::Faint));
        rules.extend(match scene.viewer {
            Viewer::Everything => None,
            Viewer::Seat(seat) => Some(Line::of(fill(words.seen_by, &[&seat]), Label::Turn)),
            Viewer::Memory(seat) => Some(Line::of(fill(words.remembered_by, &[&seat]), Label::Turn)),
            Viewer::Public(_) => Some(Line::of(words.seen_by_each, Label::Turn)),
        });
        let mut progress = self.progress();
        progress.push(fill(words.moves, &[&scene.move_number]));
        let progress = Line::of(progress.join(" · "), Label::Plain);
        let mut lines = dotted(rules, self.width);
        match lines.last_mut() {
            Some(last) if last.width() + GAP + progress.width() <= self.width => {
                let room = self.width.saturating_sub(last.width());
                last.append(progress.right(room));
            }
            _ => lines.push(Line::of_blanks(1).then(progress)),
        }
        lines
    }

    /// The progress: phase, round and turn.
    pub(super) fn progress(&self) -> Vec<String> {
        let (table, words) = (&self.scene.position.table, self.words);
        let mut progress = Vec::new();
        if let Some(phase) = &table.phase {
            progress.push(self.text(phase));
        }
        if table.round > 0 {
            progress.push(fill(words.round, &[&table.round]));
        }
        if table.turns > 0 {
            progress.push(fill(words.turn, &[&table.turns]));
        }
        if table.clock.now() > 0 {
            progress.push(fill(words.clock, &[&seconds(table.clock.now())]));
        }
        progress
    }

    /// The teams: `p1 + p3, p2 + p4`; `None` without teams.
    fn teams(&self) -> Option<String> {
        let table = &self.scene.position.table;
        let seats = || Seats::all(self.layout.seats).into_iter();
        let is_first = |seat: &Seat| seats().find(|other| table.are_partners(*seat, *other)) == Some(*seat);
        let team = |seat: Seat| -> Vec<usize> {
            seats().filter(|other| table.are_partners(seat, *other)).map(Seat::number).collect()
        };
        let teams: Vec<Vec<usize>> = seats().filter(is_first).map(team).collect();
        (teams.len() < self.layout.seats).then(|| teams_in_words(&teams))
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

    /// Every player's components in a block of a given width; of folded players only the numbers.
    fn players(&self, width: usize, is_folded: impl Fn(Seat) -> bool) -> Vec<Vec<Line>> {
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
        let is_asked = self.scene.position.open.as_ref().is_some_and(|open| open.seat == Some(seat));
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
    pub(super) fn named_seat_variables(&self, seat: Seat) -> Vec<(Line, Line)> {
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
    pub(super) fn score(&self, seat: Seat) -> Line {
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

/// The widths of the cells of a kind.
struct CellWidths {
    name: usize,
    items: usize,
    are_numbers: bool,
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

fn spaced(items: Vec<Line>) -> Line {
    let mut line = Line::default();
    for (number, item) in items.into_iter().enumerate() {
        line.blanks(usize::from(number > 0));
        line.append(item);
    }
    line
}

fn items_width(items: &[Line]) -> usize {
    items.iter().map(Line::width).sum::<usize>() + items.len().saturating_sub(1)
}

/// Items separated by dots, in as many lines as needed.
fn dotted(items: Vec<Line>, columns: usize) -> Vec<Line> {
    let last = items.len().saturating_sub(1);
    let items = items.into_iter().enumerate().map(|(number, item)| {
        let item = item.cut(columns.saturating_sub(2));
        if number < last { item.with(" ·", Label::Faint) } else { item }
    });
    flow(items, 1, columns)
}
