//! Boards: zones of a kind as the cells of a grid or the places of a map, with their neighbours.

use super::MAX_ZONES_PER_DECLARATION;
use super::keys::KeyInfo;
use super::keys::table::{grid, zone};
use super::names::{ID_HELP, is_id};
use super::schema::{Checker, Field, Fields};
use super::tree::Value;
use crate::catalogue::{Message, message};
use crate::diagnostic::{Diagnostic, Diagnostics, unknown, unknown_or};
use crate::sorted::{SortedMap, SortedSet};

/// Most columns of a grid: as many as there are letters to name them.
pub const MAX_COLUMNS: i64 = 26;
/// Most rows of a grid.
pub const MAX_ROWS: i64 = 50;
/// Longest side of a board with six equal sides: its longest row fits into the columns.
pub const MAX_SIDE: i64 = (MAX_COLUMNS + 1) / 2;

/// The arrangement of the cells of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Squares in columns and rows.
    Square,
    /// Hexagons: each row stands half a cell further to the right than the one below it.
    Hex,
    /// Places with ways between them, without columns and rows.
    Map,
}

/// Placeholder for the name of a place in the pattern of zone ids.
pub const PLACE: &str = "{place}";

/// A cell of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardCell {
    /// Name of the cell: `c4`; on a map, the name that it is declared by.
    pub name: String,
    /// Column, from 1; 0 on a map.
    pub column: i64,
    /// Row, from 1 at the bottom; 0 on a map.
    pub row: i64,
}

/// The board that the zones of a kind form: its cells, and which are neighbours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The arrangement of the cells.
    pub shape: Shape,
    /// Every cell, row by row from the first; of a map, in the order of declaration.
    pub cells: Vec<BoardCell>,
    /// Number of columns; 0 for a map.
    pub columns: i64,
    /// Number of rows; 0 for a map.
    pub rows: i64,
    /// Index of the cell in each place of the grid, row by row; `None` where the place has no cell.
    places: Vec<Option<u16>>,
    /// For each cell, the indices of those that it shares a side with; on a map, those that a way leads to.
    neighbours: Vec<Vec<u16>>,
    /// For each cell, the indices of those that it shares a side or a corner with; on a map, those that a way leads to.
    around: Vec<Vec<u16>>,
    /// Named sets of cells, by their indices.
    pub regions: SortedMap<String, Vec<u16>>,
}

/// Steps to the squares with a common side, clockwise from above.
const SQUARE_SIDE_STEPS: &[(i64, i64)] = &[(0, 1), (1, 0), (0, -1), (-1, 0)];
/// Steps to the squares with a common side or corner, clockwise from above.
const SQUARE_ALL_STEPS: &[(i64, i64)] = &[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
/// Steps to the hexagons with a common side, clockwise; hexagons share no corner without a side.
const HEX_SIDE_STEPS: &[(i64, i64)] = &[(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)];

impl Shape {
    /// The steps to the neighbours of a cell.
    fn sides(self) -> &'static [(i64, i64)] {
        match self {
            Self::Square => SQUARE_SIDE_STEPS,
            Self::Hex => HEX_SIDE_STEPS,
            Self::Map => &[],
        }
    }

    /// The steps in which straight lines go, both ways of each.
    pub fn directions(self) -> &'static [(i64, i64)] {
        match self {
            Self::Square => SQUARE_ALL_STEPS,
            Self::Hex => HEX_SIDE_STEPS,
            Self::Map => &[],
        }
    }
}

impl Board {
    /// A grid with a cell in each column and row for which `has` is true.
    fn grid(shape: Shape, columns: i64, rows: i64, has: impl Fn(i64, i64) -> bool) -> Self {
        let (mut cells, mut places) = (Vec::new(), Vec::new());
        for row in 1..=rows {
            for column in 1..=columns {
                let is_there = has(column, row);
                places.push(is_there.then_some(cells.len() as u16));
                if is_there {
                    let letter = char::from(b'a' + (column - 1).clamp(0, MAX_COLUMNS - 1) as u8);
                    cells.push(BoardCell { name: format!("{letter}{row}"), column, row });
                }
            }
        }
        let none = vec![Vec::new(); cells.len()];
        let regions = SortedMap::new();
        let mut board = Self { shape, cells, columns, rows, places, neighbours: none.clone(), around: none, regions };
        let beside = |steps: &[(i64, i64)]| -> Vec<Vec<u16>> {
            let of = |cell: &BoardCell| {
                let found = steps.iter().filter_map(|(right, up)| board.at(cell.column + right, cell.row + up));
                found.collect()
            };
            board.cells.iter().map(of).collect()
        };
        (board.neighbours, board.around) = (beside(shape.sides()), beside(shape.directions()));
        board
    }

    /// Index of the cell in a column and row; `None` where there is none.
    pub fn at(&self, column: i64, row: i64) -> Option<u16> {
        if !(1..=self.columns).contains(&column) || !(1..=self.rows).contains(&row) {
            return None;
        }
        let place = (row - 1) * self.columns + column - 1;
        self.places.get(usize::try_from(place).ok()?).copied().flatten()
    }

    /// Index of the cell `right` columns to the right of `from` and `up` rows above it; `None` where there is none.
    pub fn step(&self, from: usize, (right, up): (i64, i64)) -> Option<u16> {
        let cell = self.cells.get(from)?;
        self.at(cell.column.checked_add(right)?, cell.row.checked_add(up)?)
    }

    /// Index of the cell with this name.
    pub fn named(&self, name: &str) -> Option<usize> {
        self.cells.iter().position(|cell| cell.name == name)
    }

    /// Indices of the cells that share a side with `cell`; on a map, those that a way leads to.
    pub fn neighbours(&self, cell: usize) -> &[u16] {
        self.neighbours.get(cell).map_or(&[], Vec::as_slice)
    }

    /// Indices of the cells that share a side or a corner with `cell`; on a map, those that a way leads to.
    pub fn around(&self, cell: usize) -> &[u16] {
        self.around.get(cell).map_or(&[], Vec::as_slice)
    }

    /// Whether the board is only a list of names without neighbours: then each cell is a zone like any other.
    pub fn is_plain_list(&self) -> bool {
        self.shape == Shape::Map && self.neighbours.iter().all(Vec::is_empty)
    }

    /// The range of the cells, for messages: `from a1 to h8`.
    pub fn extent(&self) -> Message {
        match (self.cells.first(), self.cells.last()) {
            (Some(first), Some(last)) => message!("from {} to {}", first.name, last.name),
            _ => "none".into(),
        }
    }
}

/// Reads the board that the keys of a zone describe; `None` where the zone is no board.
pub(super) fn read_board(fields: &Fields<'_>, data: Option<&Fields<'_>>, checker: &mut Checker) -> Option<Board> {
    let (grid, list) = (fields.find(&zone::GRID), fields.find(&zone::LIST));
    for (one, other) in [(&grid, &list), (&grid, &fields.find(&zone::EDGES))] {
        if let (Some(one), Some(other)) = (one, other) {
            let message = message!("`{}` and `{}` cannot be combined", one.path, other.path);
            let place = other.node.place("the cells of a grid have their names and neighbours");
            return checker.refuse(Diagnostic::new(message).at(place).help("leave one of them out"));
        }
    }
    if let (Some(count), Some(cells)) = (fields.find(&zone::COUNT), grid.as_ref().or(list.as_ref())) {
        let message = message!("`{}` says how many zones there are", cells.path);
        return checker.refuse(Diagnostic::new(message).at(count.node.place("leave this out")));
    }
    let board = match (&grid, list) {
        (Some(grid), _) => read_grid(grid, checker),
        (None, Some(_)) => read_map(fields, data, checker),
        (None, None) => {
            let about = [&zone::EDGES as &dyn KeyInfo, &zone::REGIONS, &zone::ID];
            for key in about.into_iter().filter_map(|key| fields.find(key)) {
                if !checker.partial {
                    let message = message!("`{}` is about the cells of a board, and there is no board", key.path);
                    let help = "add `grid = [8, 8]`, or `list` with the names of places";
                    checker.report(Diagnostic::new(message).at(key.node.place("of which board?")).help(help));
                }
            }
            None
        }
    };
    let mut board = board?;
    for (name, field) in fields.read(checker, &zone::REGIONS).iter().flat_map(Fields::each) {
        let cells = read_region(&field, &board, checker);
        board.regions.insert(name.to_owned(), cells);
    }
    Some(board)
}

fn read_grid(field: &Field<'_>, checker: &mut Checker) -> Option<Board> {
    match &field.node.value {
        Value::List(_) => {
            let (columns, rows) = read_size(field, checker)?;
            Some(Board::grid(Shape::Square, columns, rows, |_, _| true))
        }
        Value::Table(table) if table.iter().count() == 1 => {
            let fields = field.section(checker, &grid::SECTION)?;
            if let Some(hex) = fields.find(&grid::HEX) {
                let (columns, rows) = read_size(&hex, checker)?;
                return Some(Board::grid(Shape::Hex, columns, rows, |_, _| true));
            }
            let side = fields.read(checker, &grid::HEXAGON)?;
            let width = 2 * side - 1;
            let is_there = |column: i64, row: i64| (side + 1..side + 1 + width).contains(&(column + row));
            Some(Board::grid(Shape::Hex, width, width, is_there))
        }
        _ => {
            let expected = "the number of columns and of rows, `[8, 8]`; or `{ hex = [9, 9] }`, `{ hexagon = 5 }`";
            field.refuse(checker, expected)
        }
    }
}

/// Reads the number of columns and of rows.
fn read_size(field: &Field<'_>, checker: &mut Checker) -> Option<(i64, i64)> {
    let sizes = match &field.node.value {
        Value::List(nodes) => field.elements(nodes),
        _ => Vec::new(),
    };
    let [columns, rows] = sizes.as_slice() else {
        return field.refuse(checker, "the number of columns and of rows, such as `[8, 8]`");
    };
    // Both are read before either is missed, so that both errors are reported.
    let (columns, rows) = (columns.number(checker, 1..=MAX_COLUMNS), rows.number(checker, 1..=MAX_ROWS));
    columns.zip(rows)
}

fn read_map(fields: &Fields<'_>, data: Option<&Fields<'_>>, checker: &mut Checker) -> Option<Board> {
    let written = fields.read(checker, &zone::LIST)?;
    if checker.partial && written.is_data_path() {
        return None;
    }
    let list = written.resolve_list(data, checker)?;
    let most = MAX_ZONES_PER_DECLARATION as usize;
    if list.is_empty() || list.len() > most {
        return fields.find(&zone::LIST)?.refuse(checker, message!("an array of 1 to {most} names"));
    }
    let mut cells: Vec<BoardCell> = Vec::new();
    let mut known = SortedSet::new();
    for field in &list {
        let name = field.text(checker)?;
        if !is_id(name) {
            let trouble = Diagnostic::new(message!("`{name}` cannot be the name of a place"));
            return checker.refuse(trouble.at(field.node.place("not a name")).help(ID_HELP));
        }
        if !known.insert(name) {
            let message = message!("there are two places called `{name}`");
            return checker.refuse(Diagnostic::new(message).at(field.node.place("a second time")));
        }
        cells.push(BoardCell { name: name.to_owned(), column: 0, row: 0 });
    }
    let mut neighbours: Vec<Vec<u16>> = vec![Vec::new(); cells.len()];
    for edge in fields.read(checker, &zone::EDGES).unwrap_or_default() {
        let ends = edge.list(checker)?;
        let [one, other] = ends.as_slice() else {
            return edge.refuse(checker, "two places, such as `[\"harbour\", \"market\"]`");
        };
        let mut end = |field: &Field<'_>| {
            let name = field.text(checker)?;
            cells.iter().position(|cell| cell.name == name).or_else(|| {
                let names = cells.iter().map(|cell| cell.name.as_str());
                checker.refuse(unknown("place", name, names).at(field.node.place("not in `list`")))
            })
        };
        let (one_end, other_end) = (end(one)?, end(other)?);
        if one_end == other_end {
            let message = "an edge leads from one place to another";
            return checker.refuse(Diagnostic::new(message).at(edge.node.place("both ends are the same")));
        }
        for (from, to) in [(one_end, other_end), (other_end, one_end)] {
            if !neighbours[from].contains(&(to as u16)) {
                neighbours[from].push(to as u16);
            }
        }
    }
    let around = neighbours.clone();
    let (places, regions) = (Vec::new(), SortedMap::new());
    Some(Board { shape: Shape::Map, cells, columns: 0, rows: 0, places, neighbours, around, regions })
}

/// The cells of a region, in the order in which they are written, each once.
fn read_region(field: &Field<'_>, board: &Board, checker: &mut Checker) -> Vec<u16> {
    let mut found: Vec<u16> = Vec::new();
    for element in field.list(checker).unwrap_or_default() {
        let Some(text) = element.text(checker) else { continue };
        match cells_of(text, board) {
            Ok(cells) => {
                for cell in cells {
                    if !found.contains(&cell) {
                        found.push(cell);
                    }
                }
            }
            Err(troubles) => {
                for trouble in troubles {
                    checker.report(trouble.at(element.node.place("no such cell")));
                }
            }
        }
    }
    found
}

/// The cell with this name, or all cells of a rectangle between two corners: `a1:h2`.
fn cells_of(text: &str, board: &Board) -> Result<Vec<u16>, Diagnostics> {
    let named = |name: &str| {
        board.named(name).ok_or_else(|| {
            let names = board.cells.iter().map(|cell| cell.name.as_str());
            Diagnostics::from(match board.shape {
                Shape::Map => unknown("place", name, names),
                _ => unknown_or("cell", name, [], message!("the cells of this board go {}", board.extent())),
            })
        })
    };
    let Some((one, other)) = text.split_once(':').filter(|_| board.shape != Shape::Map) else {
        return Ok(vec![named(text)? as u16]);
    };
    let (one, other) = (&board.cells[named(one.trim())?], &board.cells[named(other.trim())?]);
    let columns = one.column.min(other.column)..=one.column.max(other.column);
    let rows = one.row.min(other.row)..=one.row.max(other.row);
    Ok(rows.flat_map(|row| columns.clone().filter_map(move |column| board.at(column, row))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(board: &Board, cells: &[u16]) -> String {
        let names: Vec<&str> = cells.iter().map(|cell| board.cells[usize::from(*cell)].name.as_str()).collect();
        names.join(" ")
    }

    /// The names of the neighbours of a cell, and of the cells around it.
    fn beside(board: &Board, cell: &str) -> Option<[String; 2]> {
        let cell = board.named(cell)?;
        Some([names(board, board.neighbours(cell)), names(board, board.around(cell))])
    }

    #[test]
    fn squares_have_four_neighbours_and_eight_cells_around() {
        let board = Board::grid(Shape::Square, 3, 3, |_, _| true);
        let expected = ["b3 c2 b1 a2", "b3 c3 c2 c1 b1 a1 a2 a3"].map(str::to_owned);
        assert_eq!(beside(&board, "b2"), Some(expected));
        assert_eq!(beside(&board, "a1"), Some(["a2 b1", "a2 b2 b1"].map(str::to_owned)));
    }

    #[test]
    fn hexagons_have_six_neighbours() {
        let board = Board::grid(Shape::Hex, 3, 3, |_, _| true);
        let expected = "b3 c2 c1 b1 a2 a3".to_owned();
        assert_eq!(beside(&board, "b2"), Some([expected.clone(), expected]));
    }

    #[test]
    fn a_region_is_read_from_corner_to_corner() {
        let board = Board::grid(Shape::Square, 4, 4, |_, _| true);
        let cells = |text| {
            cells_of(text, &board).map(|cells| names(&board, &cells)).map_err(|errors| errors.first().help.clone())
        };
        assert_eq!(cells("b3:a2"), Ok("a2 b2 a3 b3".to_owned()));
        assert_eq!(cells("e1"), Err(vec!["the cells of this board go from a1 to d4".into()]));
    }
}
