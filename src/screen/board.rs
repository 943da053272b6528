//! Drawing of boards with columns and rows: a line per row, the highest on top, with numbers beside and letters below.

use super::{BACK, Sight};
use crate::definition::{Shape, Visibility};
use crate::screen::style::{Label, Line};
use crate::sorted::SortedMap;
use crate::table::knowledge::{Appearance, Front, Viewer};
use crate::table::value::{Seat, Zone};

/// The drawing of an empty cell.
const EMPTY: &str = "·";

/// The maximum width of a cell, in columns.
const MAX_CELL_COLUMNS: usize = 10;

/// The owner of each drawn face, and whether components with that face belong to several players.
type Owners = SortedMap<String, (Option<Seat>, bool)>;

impl Sight<'_> {
    /// Whether the zones of a definition are drawn as a board.
    pub(super) fn is_board(&self, definition: usize) -> bool {
        let board = self.layout.definition.zones.get(definition).and_then(|zone| zone.board.as_ref());
        board.is_some_and(|board| board.shape != Shape::Map)
    }

    /// The board of a zone definition, of `seat` or shared, within `room` columns.
    pub(super) fn board(&self, definition: usize, seat: Option<Seat>, room: usize) -> Vec<Line> {
        let zones = self.layout.zones_of(definition, seat);
        let Some(board) = zones.first().and_then(|zone| self.layout.cell(*zone)).map(|cell| cell.board) else {
            return Vec::new();
        };
        let owners = self.owners(&zones);
        let cells: Vec<Line> = zones.iter().map(|zone| self.in_cell(*zone, &owners)).collect();
        let digits = board.rows.to_string().len();
        let columns = board.columns.max(1) as usize;
        // In a hexagonal board, each row is shifted by half a cell.
        let halves = if board.shape == Shape::Hex { board.rows.max(1) as usize - 1 } else { 0 };
        let widest = cells.iter().map(Line::width).max().unwrap_or(1).clamp(1, MAX_CELL_COLUMNS);
        let fits = |pitch: usize| digits + 2 + columns * pitch + halves * pitch / 2 <= room;
        let is_even = |pitch: &usize| board.shape != Shape::Hex || pitch.is_multiple_of(2);
        let widest = widest + 1 + usize::from(!is_even(&(widest + 1)));
        let pitch = (2..=widest).rev().filter(is_even).find(|pitch| fits(*pitch)).unwrap_or(2);
        let row = |row: i64| {
            let mut line = Line::of(row.to_string(), Label::Faint).right(digits);
            line.blanks(2);
            if board.shape == Shape::Hex {
                line.blanks((row - 1).unsigned_abs() as usize * pitch / 2);
            }
            for column in 1..=board.columns {
                let cell = board.at(column, row).and_then(|position| cells.get(usize::from(position)));
                line.append(cell.cloned().unwrap_or_default().cut(pitch - 1).padded(pitch));
            }
            line.trim_end();
            line
        };
        let mut lines: Vec<Line> = (1..=board.rows).rev().map(row).collect();
        let mut letters = Line::of_blanks(digits + 2);
        for column in 0..board.columns {
            let letter = char::from(b'a' + column.clamp(0, 25) as u8).to_string();
            letters.append(Line::of(letter, Label::Faint).padded(pitch));
        }
        letters.trim_end();
        lines.push(letters);
        lines
    }

    /// The visible content of a cell, beside its name.
    pub(super) fn on_cell(&self, zone: Zone) -> Line {
        if self.seen(zone).is_empty() { Line::default() } else { self.in_cell(zone, &self.owners(&[zone])) }
    }

    /// The content of a cell: the topmost component, and the number of components where there are several.
    fn in_cell(&self, zone: Zone, owners: &Owners) -> Line {
        let (mark, _) = self.caption(zone);
        let mark = Line::of(mark, Label::Plain);
        let seen = self.seen(zone);
        let Some(top) = self.top(zone) else {
            return if mark.is_empty() { Line::of(EMPTY, Label::Faint) } else { mark };
        };
        let Some(front) = top else { return mark.then(Line::of(BACK, Label::Faint)) };
        let face = self.face(front);
        let text = face.text();
        let is_shared = owners.get(&text).is_some_and(|(_, is_shared)| *is_shared);
        let has_face = self.layout.faces.get(front.face).is_some_and(|info| *info.template != *info.id);
        let drawn = match front.owner {
            Some(owner) if !has_face => Line::of(owner.to_string(), Label::Plain),
            Some(owner) if is_shared => face.with(format!("{}{}", separator(&text), owner.number()), Label::Plain),
            _ => face,
        };
        let count = seen.len();
        let counted = count > 1 && !super::is_uncounted(self.layout, self.scene.viewer, zone);
        let drawn = if counted { drawn.with(format!("×{count}"), Label::Faint) } else { drawn };
        mark.then(drawn)
    }

    /// The topmost component of a cell; the inner `None` means that it is not visible.
    pub(super) fn top(&self, zone: Zone) -> Option<Option<Front>> {
        let seen = self.seen(zone).last()?;
        let is_hidden = self.layout.zones.get(zone.index()).is_some_and(|info| info.visible == Visibility::None);
        let is_remembered = matches!(self.scene.viewer, Viewer::Memory(_));
        let held = self.scene.position.table.zones.get(zone.index()).and_then(|held| held.last());
        let was_shown = held.is_some_and(|top| self.eyes.was_shown(*top));
        Some(match seen {
            Appearance::Face(front) if !is_hidden || is_remembered || was_shown => Some(*front),
            _ => None,
        })
    }

    /// The owners of the visible faces in some cells.
    fn owners(&self, zones: &[Zone]) -> Owners {
        let mut owners = Owners::new();
        for front in zones.iter().filter_map(|zone| self.top(*zone)?) {
            let text = self.face(front).text();
            let known = owners.entry(text).or_insert((front.owner, false));
            known.1 |= known.0 != front.owner;
        }
        owners
    }
}

/// The separator between a face and the number of its owner.
fn separator(face: &str) -> &'static str {
    if face.ends_with(|letter: char| letter.is_numeric()) { "·" } else { "" }
}
