//! Printed boards: grids of squares and hexagons, maps of connected places, and mats with places for tokens.

use super::measure::{Length, MM, Size};
use super::pen::{Anchor, FAINT, Ink, Pen, number};
use crate::definition::{Board, Language, Shape, Visibility, ZoneDefinition, ZoneOrder};
use crate::table::layout::Layout;
use crate::table::names::Names;
use crate::table::value::Zone;

/// The minimum and maximum width of a cell in millimetres, so that a token fits on it.
const CELL: (f64, f64) = (22.0, 34.0);
/// The width of a cell in millimetres, on a board of several sheets.
const TILED_CELL: f64 = 25.0;
/// The height of a board's title in millimetres.
const TITLE: f64 = 8.0;
/// The overlap between the parts of a board.
pub(super) const OVERLAP: Length = 10 * MM;

/// A drawn board, with its size in whole millimetres.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DrawnBoard {
    pub(super) name: String,
    pub(super) size: Size,
    pub(super) drawn: String,
}

/// All boards of a game for a number of players, for paper with so much printable room.
pub(super) fn boards(layout: &Layout, language: Language, players: usize, room: Size, ink: Ink) -> Vec<DrawnBoard> {
    let names = Names { layout, language };
    let mut boards = Vec::new();
    let room = [room.width as f64 / MM as f64, room.height as f64 / MM as f64];
    for (number, zone) in layout.definition.zones.iter().enumerate() {
        let Some(board) = zone.board.as_ref().filter(|board| !board.is_plain_list()) else { continue };
        let title = zone.name.get(language);
        let cells: Vec<String> = cells_of(layout, number).iter().map(|zone| names.zone(*zone)).collect();
        let drawn = match board.shape {
            Shape::Square => grid(board, title, room, ink),
            Shape::Hex => hexes(board, title, room, ink),
            Shape::Map => map(board, title, &cells, room, ink),
        };
        // A board that each player owns is printed for each player.
        let count = if zone.per_seat { players } else { 1 };
        boards.extend(std::iter::repeat_n(drawn, count));
    }
    boards.extend(mats(layout, language, players, room, ink));
    boards
}

/// The zones of a definition; of the first seat where each seat has its own.
fn cells_of(layout: &Layout, definition: usize) -> Vec<Zone> {
    let zones = layout.zones.iter().enumerate().filter(|(_, info)| info.definition == definition);
    let first = zones.clone().next().and_then(|(_, info)| info.seat);
    zones.filter(|(_, info)| info.seat == first).map(|(number, _)| Zone(number as u16)).collect()
}

/// The width of cells for a number of columns.
fn cell_side(columns: f64, room: f64) -> f64 {
    let fitting = ((room - 1.0) / columns * 10.0).floor() / 10.0;
    if fitting < CELL.0 { TILED_CELL } else { fitting.min(CELL.1) }
}

fn finished(pen: Pen, name: &str, [width, height]: [f64; 2]) -> DrawnBoard {
    let size = [width, height].map(|side| (side * MM as f64).ceil() as Length);
    DrawnBoard { name: name.to_owned(), size: Size::of(size[0], size[1]), drawn: pen.out }
}

fn titled(pen: &mut Pen, title: &str, width: f64) {
    let style = format!("fill:{};font-weight:700", pen.ink.on_paper(None));
    pen.fitted(title, [width / 2.0, TITLE / 2.0], [5.0, width], &style);
}

fn cell_name(pen: &mut Pen, name: &str, at: [f64; 2]) {
    let style = format!("fill:{FAINT}");
    pen.text(name, at, 2.2, Anchor::Start, &style);
}

/// The fill of light and dark cells.
fn shade(ink: Ink, is_dark: bool) -> &'static str {
    if is_dark && !ink.is_low { "#e3e6ea" } else { "#ffffff" }
}

fn grid(board: &Board, title: &str, [room, _]: [f64; 2], ink: Ink) -> DrawnBoard {
    let side = cell_side(board.columns as f64, room);
    let (width, height) = (board.columns as f64 * side + 0.6, board.rows as f64 * side + 0.6);
    let mut pen = Pen::new(ink);
    titled(&mut pen, title, width);
    let edge = ink.on_paper(None);
    for cell in &board.cells {
        let x = (cell.column - 1) as f64 * side + 0.3;
        let y = TITLE + (board.rows - cell.row) as f64 * side + 0.3;
        let fill = shade(ink, (cell.column + cell.row) % 2 == 0);
        pen.rect([x, y, side, side], 0.0, &format!("fill:{fill};stroke:{edge};stroke-width:.3"));
        cell_name(&mut pen, &cell.name, [x + 0.8, y + 1.8]);
    }
    finished(pen, title, [width, height + TITLE])
}

fn hexes(board: &Board, title: &str, [room, _]: [f64; 2], ink: Ink) -> DrawnBoard {
    // Each row is shifted half a cell to the right of the one below it.
    let left = |column: i64, row: i64| (column - 1) as f64 + (row - 1) as f64 / 2.0;
    let lefts = || board.cells.iter().map(|cell| left(cell.column, cell.row));
    let (least, most) = (lefts().fold(f64::MAX, f64::min), lefts().fold(f64::MIN, f64::max));
    let across = most - least + 1.0;
    let side = cell_side(across, room);
    // A hexagon that stands on a corner is higher than wide.
    let high = side * 2.0 / 3.0_f64.sqrt();
    let width = across * side + 0.6;
    let height = (board.rows - 1) as f64 * high * 0.75 + high + 0.6;
    let mut pen = Pen::new(ink);
    titled(&mut pen, title, width);
    let edge = ink.on_paper(None);
    for cell in &board.cells {
        let x = (left(cell.column, cell.row) - least) * side + 0.3;
        let y = TITLE + (board.rows - cell.row) as f64 * high * 0.75 + 0.3;
        let at = |part_x: f64, part_y: f64| format!("{} {}", number(x + side * part_x), number(y + high * part_y));
        let path = [at(0.5, 0.0), at(1.0, 0.25), at(1.0, 0.75), at(0.5, 1.0), at(0.0, 0.75), at(0.0, 0.25)].join("L");
        let fill = shade(ink, (cell.column - cell.row).rem_euclid(3) == 0);
        pen.path(&format!("M{path}z"), &format!("fill:{fill};stroke:{edge};stroke-width:.3"));
        cell_name(&mut pen, &cell.name, [x + side * 0.42, y + high * 0.12]);
    }
    finished(pen, title, [width, height + TITLE])
}

/// A map, with its places in rings: the definition gives only neighbours and no positions.
fn map(board: &Board, title: &str, names: &[String], [room, high]: [f64; 2], ink: Ink) -> DrawnBoard {
    let count = board.cells.len().max(1);
    let (width, height) = (room.min(190.0), (high - TITLE).min(230.0));
    let radius = 15.0_f64.min(width / (count as f64).sqrt() / 3.0);
    let mut pen = Pen::new(ink);
    titled(&mut pen, title, width);
    let at = |place: usize| {
        let angle = place as f64 / count as f64 * std::f64::consts::TAU - std::f64::consts::FRAC_PI_2;
        let (x, y) = (width / 2.0 - radius - 1.0, height / 2.0 - radius - 1.0);
        // One ring while the places fit, otherwise two.
        let is_inner = count > 14 && place % 2 == 1;
        let reach = if is_inner { 0.55 } else { 1.0 };
        [width / 2.0 + angle.cos() * x * reach, TITLE + height / 2.0 + angle.sin() * y * reach]
    };
    for place in 0..board.cells.len() {
        for near in board.neighbours(place).iter().map(|near| usize::from(*near)).filter(|near| *near > place) {
            let ([x, y], [to_x, to_y]) = (at(place), at(near));
            pen.line([x, y, to_x, to_y], &format!("stroke:{};stroke-width:.6", ink.on_paper(None)));
        }
    }
    for (place, cell) in board.cells.iter().enumerate() {
        let middle = at(place);
        pen.circle(middle, radius, &format!("fill:#fff;stroke:{};stroke-width:.5", ink.on_paper(None)));
        let name = names.get(place).map_or(cell.name.as_str(), String::as_str);
        pen.fitted(
            name,
            [middle[0], middle[1] - radius * 0.75],
            [2.8, radius * 1.5],
            &format!("fill:{}", ink.on_paper(None)),
        );
    }
    finished(pen, title, [width, height + TITLE])
}

/// Mats with places for tokens and dice: numbered or named zones, together with the other open piles of the same owner.
fn mats(layout: &Layout, language: Language, players: usize, [room, _]: [f64; 2], ink: Ink) -> Vec<DrawnBoard> {
    let definition = &layout.definition;
    let has_pieces = definition.components.iter().any(|group| group.kind != crate::definition::ComponentKind::Card);
    if !has_pieces {
        return Vec::new();
    }
    let is_place = |zone: &ZoneDefinition| zone.visible == Visibility::All && zone.order == ZoneOrder::Pile;
    let is_open =
        |zone: &&ZoneDefinition| is_place(zone) && zone.board.as_ref().is_none_or(|board| board.is_plain_list());
    let names = Names { layout, language };
    let mut mats = Vec::new();
    for per_seat in [true, false] {
        let zones: Vec<(usize, &ZoneDefinition)> = definition
            .zones
            .iter()
            .enumerate()
            .filter(|(_, zone)| zone.per_seat == per_seat && is_open(zone))
            .collect();
        // A single pile needs no mat.
        if !zones.iter().any(|(_, zone)| zone.count.is_some_and(|count| (2..=MAX_PLACES_PER_KIND).contains(&count))) {
            continue;
        }
        let places: Vec<String> = zones
            .iter()
            .filter(|(_, zone)| zone.count.unwrap_or(1) <= MAX_PLACES_PER_KIND)
            .flat_map(|(definition, _)| cells_of(layout, *definition).into_iter().map(|zone| names.zone(zone)))
            .collect();
        let drawn = mat(&places, room, ink);
        mats.extend(std::iter::repeat_n(drawn, if per_seat { players } else { 1 }));
    }
    mats
}

/// Most places of a kind on a mat.
const MAX_PLACES_PER_KIND: usize = 40;

/// A mat with its places in as many rows as needed.
fn mat(places: &[String], room: f64, ink: Ink) -> DrawnBoard {
    let across = places.len().clamp(1, 8);
    let side = ((room - 1.0) / across as f64 * 10.0).floor() / 10.0;
    let side = side.min(40.0);
    let rows = places.len().div_ceil(across);
    let (width, height) = (across as f64 * side + 0.6, rows as f64 * (side + 4.0) + 0.6);
    let mut pen = Pen::new(ink);
    let edge = ink.on_paper(None);
    for (place, name) in places.iter().enumerate() {
        let (column, row) = ((place % across) as f64, (place / across) as f64);
        let (x, y) = (column * side + 0.3, row * (side + 4.0) + 0.3);
        pen.fitted(name, [x + side / 2.0, y + 2.0], [2.8, side - 1.0], &format!("fill:{edge}"));
        pen.circle(
            [x + side / 2.0, y + 4.0 + side / 2.0],
            side / 2.0 - 0.8,
            &format!("fill:#fff;stroke:{edge};stroke-width:.4"),
        );
    }
    finished(pen, "", [width, height])
}

/// The parts of a board that fit on sheets with this room, row by row: column, row, and offsets from the left and the
/// top.
pub(super) fn tiles(board: Size, room: Size) -> Vec<(usize, usize, Length, Length)> {
    let count = |side: Length, room: Length| {
        let rest = (side - room).max(0);
        let step = (room - OVERLAP).max(MM);
        1 + usize::try_from((rest + step - 1) / step).unwrap_or(0)
    };
    let (columns, rows) = (count(board.width, room.width), count(board.height, room.height));
    let start = |place: usize, room: Length| place as Length * (room - OVERLAP);
    let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    all.map(|(column, row)| (column, row, start(column, room.width), start(row, room.height))).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    #[test]
    fn tiles_cover_a_board_and_overlap() {
        let room = Size::of(200_000, 287_000);
        assert_eq!(tiles(Size::of(200_000, 287_000), room), [(0, 0, 0, 0)]);
        assert_eq!(tiles(Size::of(200_001, 100_000), room), [(0, 0, 0, 0), (1, 0, 190_000, 0)]);
        let many = tiles(Size::of(650_400, 1_250_400), room);
        let (last_x, last_y) = many.last().map(|(.., x, y)| (*x, *y)).unwrap();
        assert!(last_x + room.width >= 650_400 && last_x + OVERLAP < 650_400);
        assert!(last_y + room.height >= 1_250_400 && last_y + OVERLAP < 1_250_400);
    }

    #[test]
    fn cells_fit_on_a_sheet_where_they_can() {
        assert_eq!(cell_side(8.0, 200.0), 24.8);
        assert_eq!(cell_side(3.0, 200.0), CELL.1);
        assert_eq!(cell_side(26.0, 200.0), TILED_CELL);
    }
}
