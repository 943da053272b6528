//! Laying out pieces on sheets of paper, with cutting and folding marks.
//!
//! Sheets are upright, and wide pieces are turned. A printer that turns sheets along their long edge puts the left of
//! the back under the right of the front, so the columns of a back are those of its front mirrored, and pieces turned
//! one way on the front are turned the other way on the back.

use super::measure::{Length, MM, Size};

/// The unprintable margin at each edge of the paper.
pub const MARGIN: Length = 5 * MM;

/// The length of marks where there is room.
const MARK: Length = 4 * MM;
/// The distance between a piece and a mark.
const GAP: Length = 700;

/// The way in which pieces get their backs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backs {
    /// Printed on the other side of the sheet.
    #[default]
    Duplex,
    /// Printed beside the front, to be folded behind it.
    Fold,
    /// Without backs.
    None,
}

/// The kind of cutting marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// Lines along the edges of the pieces, and ticks outside.
    Lines,
    /// Ticks outside only.
    Ticks,
    /// No marks.
    None,
}

/// The specification of a layout.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// The size of a sheet.
    pub paper: Size,
    /// The distance between pieces.
    pub gutter: Length,
    /// The bleed of the print over the edges of a piece.
    pub bleed: Length,
    /// The way in which pieces get their backs.
    pub backs: Backs,
    /// The kind of cutting marks.
    pub marks: Marks,
}

/// A piece to be cut out. Faces are referred to by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The size of the piece.
    pub size: Size,
    /// The index of the face on the front.
    pub front: usize,
    /// The index of the face on the back, if there is one.
    pub back: Option<usize>,
    /// Whether the piece is round and cut along its own edge.
    pub is_round: bool,
}

/// The rotation of a piece on the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rotation {
    /// Upright.
    None,
    /// Its top points to the right.
    Right,
    /// Its top points to the left.
    Left,
}

/// A face placed on a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedFace {
    /// The index of the face.
    pub face: usize,
    /// The distance from the left edge of the sheet to the piece.
    pub left: Length,
    /// The distance from the upper edge of the sheet to the piece.
    pub top: Length,
    /// The size of the piece before it is turned.
    pub size: Size,
    /// The rotation.
    pub turn: Rotation,
    /// The bleed over the piece's own left, upper, right and lower edge.
    pub bleed: [Length; 4],
}

/// A line between two points: x and y of the first, then of the second.
pub type Line = [Length; 4];

/// A side of a sheet of paper.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    /// Whether it is the back of the sheet before it.
    pub is_back: bool,
    /// The placed faces.
    pub placed: Vec<PlacedFace>,
    /// The cutting marks.
    pub cuts: Vec<Line>,
    /// The folding lines.
    pub folds: Vec<Line>,
}

/// A grid of pieces on a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Grid {
    /// The size of a cell: a piece, together with its back where that is folded.
    unit: Size,
    turn: Rotation,
    columns: usize,
    rows: usize,
}

impl Spec {
    /// The printable area of a sheet.
    pub fn room(&self) -> Size {
        Size::of(self.paper.width - 2 * MARGIN, self.paper.height - 2 * MARGIN)
    }

    /// The grid with the most pieces of a size; upright if turning them makes no difference. `None` where not even one
    /// fits.
    fn grid(&self, size: Size, is_folded: bool) -> Option<Grid> {
        let unit = if is_folded { Size::of(2 * size.width, size.height) } else { size };
        let fitting = |turn: Rotation| {
            let unit = if turn == Rotation::None { unit } else { unit.rotated() };
            let fit = |room: Length, side: Length| usize::try_from((room + self.gutter) / (side + self.gutter)).ok();
            let (columns, rows) = (fit(self.room().width, unit.width)?, fit(self.room().height, unit.height)?);
            (columns > 0 && rows > 0).then_some(Grid { unit, turn, columns, rows })
        };
        let [upright, turned] = [Rotation::None, Rotation::Right].map(fitting);
        let count = |grid: &Grid| grid.columns * grid.rows;
        match (upright, turned) {
            (Some(upright), Some(turned)) if count(&turned) > count(&upright) => Some(turned),
            (upright, turned) => upright.or(turned),
        }
    }

    /// Lays out pieces of one size on as many sheets as they need; `None` where not even one fits. A front is followed
    /// by its back if any of its pieces has one.
    pub fn sheets(&self, pieces: &[Piece]) -> Option<Vec<Sheet>> {
        let Some(first) = pieces.first() else { return Some(Vec::new()) };
        let is_folded = self.backs == Backs::Fold && pieces.iter().any(|piece| piece.back.is_some());
        let grid = self.grid(first.size, is_folded)?;
        let mut sheets = Vec::new();
        for pieces in pieces.chunks(grid.columns * grid.rows) {
            let (front, back) = self.sheet(pieces, &grid, is_folded);
            sheets.push(front);
            sheets.extend(back);
        }
        Some(sheets)
    }

    /// A sheet, and its back if any of its pieces has one.
    fn sheet(&self, pieces: &[Piece], grid: &Grid, is_folded: bool) -> (Sheet, Option<Sheet>) {
        let Grid { unit, turn, columns, rows } = *grid;
        let all = |count: usize, side: Length| count as Length * (side + self.gutter) - self.gutter;
        let left = (self.paper.width - all(columns, unit.width)) / 2;
        let top = (self.paper.height - all(rows, unit.height)) / 2;
        let (mut front, mut back) = (Sheet::default(), Sheet { is_back: true, ..Sheet::default() });
        let bleed = self.bleed;
        let mut corners = Vec::new();
        for (number, piece) in pieces.iter().enumerate() {
            let column = (number % columns) as Length;
            let row = (number / columns) as Length;
            let (x, y) = (left + column * (unit.width + self.gutter), top + row * (unit.height + self.gutter));
            corners.push((x, y, piece.is_round));
            let mut placed =
                PlacedFace { face: piece.front, left: x, top: y, size: piece.size, turn, bleed: [bleed; 4] };
            let Some(behind) = piece.back.filter(|_| self.backs != Backs::None) else {
                front.placed.push(placed);
                continue;
            };
            if is_folded {
                // Folding the left half over puts the back behind the front, upright.
                let mut other = PlacedFace { face: behind, ..placed };
                placed.bleed[2] = 0;
                other.bleed[0] = 0;
                match turn {
                    Rotation::None => other.left += piece.size.width,
                    // The top points to the right, so the original right is at the bottom.
                    Rotation::Right | Rotation::Left => other.top += piece.size.width,
                }
                front.folds.push(match turn {
                    Rotation::None => [other.left, y, other.left, y + unit.height],
                    Rotation::Right | Rotation::Left => [x, other.top, x + unit.width, other.top],
                });
                front.placed.extend([placed, other]);
            } else {
                front.placed.push(placed);
                let turn = match turn {
                    Rotation::None => Rotation::None,
                    Rotation::Right => Rotation::Left,
                    Rotation::Left => Rotation::Right,
                };
                back.placed.push(PlacedFace { face: behind, left: self.paper.width - x - unit.width, turn, ..placed });
            }
        }
        front.cuts = self.cuts(&corners, unit);
        let has_back = !back.placed.is_empty();
        (front, has_back.then_some(back))
    }

    /// The cutting marks around pieces with these upper left corners.
    fn cuts(&self, corners: &[(Length, Length, bool)], unit: Size) -> Vec<Line> {
        let straight = || corners.iter().filter(|(.., is_round)| !is_round);
        if self.marks == Marks::None || straight().next().is_none() {
            return Vec::new();
        }
        let edges = |starts: Vec<Length>, side: Length| {
            let mut edges: Vec<Length> = starts.into_iter().flat_map(|start| [start, start + side]).collect();
            edges.sort_unstable();
            edges.dedup();
            edges
        };
        let columns = edges(straight().map(|(x, ..)| *x).collect(), unit.width);
        let rows = edges(straight().map(|(_, y, _)| *y).collect(), unit.height);
        let (Some(&left), Some(&right)) = (columns.first(), columns.last()) else { return Vec::new() };
        let (Some(&top), Some(&bottom)) = (rows.first(), rows.last()) else { return Vec::new() };
        let gap = GAP + self.bleed;
        // Marks end at the edge of the paper.
        let before = |edge: Length| [(edge - gap - MARK).max(0), edge - gap];
        let behind = |edge: Length, end: Length| [edge + gap, (edge + gap + MARK).min(end)];
        let mut cuts = Vec::new();
        for x in columns {
            for [from, to] in [before(top), behind(bottom, self.paper.height)] {
                cuts.extend((from < to).then_some([x, from, x, to]));
            }
        }
        for y in rows {
            for [from, to] in [before(left), behind(right, self.paper.width)] {
                cuts.extend((from < to).then_some([from, y, to, y]));
            }
        }
        if self.marks == Marks::Lines {
            for (x, y, _) in straight() {
                let (right, bottom) = (x + unit.width, y + unit.height);
                cuts.extend([[*x, *y, right, *y], [right, *y, right, bottom], [*x, bottom, right, bottom]]);
                cuts.push([*x, *y, *x, bottom]);
            }
            // Adjacent pieces share an edge.
            cuts.sort_unstable();
            cuts.dedup();
        }
        cuts
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::super::measure::{POKER, Paper};
    use super::*;

    fn spec(backs: Backs) -> Spec {
        Spec { paper: Paper::A4.size(), gutter: 0, bleed: 0, backs, marks: Marks::Lines }
    }

    impl PlacedFace {
        /// The size of the turned piece on the sheet.
        fn footprint(&self) -> Size {
            if self.turn == Rotation::None { self.size } else { self.size.rotated() }
        }
    }

    fn cards(count: usize, size: Size) -> Vec<Piece> {
        (0..count).map(|number| Piece { size, front: number, back: Some(99), is_round: false }).collect()
    }

    #[test]
    fn nine_cards_of_poker_fit_on_a_sheet() {
        let sheets = spec(Backs::Duplex).sheets(&cards(19, POKER)).unwrap();
        assert_eq!(sheets.iter().map(|sheet| sheet.placed.len()).collect::<Vec<_>>(), [9, 9, 9, 9, 1, 1]);
        assert_eq!(
            sheets.iter().map(|sheet| sheet.is_back).collect::<Vec<_>>(),
            [false, true, false, true, false, true]
        );
        let first = sheets[0].placed[0];
        assert_eq!((first.left, first.top, first.turn), (9_750, 15_150, Rotation::None));
        let last = sheets[0].placed[8];
        assert_eq!((last.left + POKER.width, last.top + POKER.height), (210_000 - 9_750, 297_000 - 15_150));
    }

    #[test]
    fn every_back_lies_behind_its_front() {
        for (size, gutter, bleed) in [(POKER, 0, 0), (Size::of(70_000, 45_001), 3_333, 1_000), (POKER, 4_000, 2_000)] {
            for paper in [Paper::A4, Paper::Letter] {
                let spec = Spec { paper: paper.size(), gutter, bleed, ..spec(Backs::Duplex) };
                let sheets = spec.sheets(&cards(7, size)).unwrap();
                for pair in sheets.chunks(2) {
                    let [front, back] = pair else { panic!("a front without its back") };
                    for (front, back) in front.placed.iter().zip(&back.placed) {
                        let seen_from_behind = spec.paper.width - front.left - front.footprint().width;
                        assert_eq!((back.left, back.top), (seen_from_behind, front.top));
                        assert_eq!(back.footprint(), front.footprint());
                        assert_ne!((front.turn, back.turn), (Rotation::Right, Rotation::Right));
                    }
                }
            }
        }
    }

    #[test]
    fn what_lies_better_on_its_side_is_turned() {
        // 60 × 45: three by six upright, four by four turned.
        let upright = spec(Backs::None).sheets(&cards(20, Size::of(60_000, 45_000))).unwrap();
        assert_eq!((upright[0].placed.len(), upright[0].placed[0].turn), (18, Rotation::None));
        let turned = spec(Backs::None).sheets(&cards(20, Size::of(70_000, 45_000))).unwrap();
        assert_eq!((turned[0].placed.len(), turned[0].placed[0].turn), (16, Rotation::Right));
    }

    #[test]
    fn a_back_to_fold_lies_beside_its_front() {
        let sheets = spec(Backs::Fold).sheets(&cards(5, POKER)).unwrap();
        // Two by two, turned.
        assert_eq!(sheets.iter().map(|sheet| sheet.placed.len()).collect::<Vec<_>>(), [8, 2]);
        let [front, back] = [sheets[0].placed[0], sheets[0].placed[1]];
        assert_eq!((front.face, back.face, back.left), (0, 99, front.left));
        assert_eq!(back.top, front.top + POKER.width);
        assert_eq!(sheets[0].folds[0], [front.left, back.top, front.left + POKER.height, back.top]);
        assert!(sheets.iter().all(|sheet| !sheet.is_back));
    }

    #[test]
    fn what_does_not_fit_on_paper_is_said() {
        assert_eq!(spec(Backs::Duplex).sheets(&cards(1, Size::of(300_000, 300_000))), None);
        assert_eq!(spec(Backs::Fold).sheets(&cards(1, Size::of(150_000, 250_000))), None);
        assert!(spec(Backs::Duplex).sheets(&cards(1, Size::of(150_000, 250_000))).is_some());
        assert_eq!(spec(Backs::Duplex).sheets(&[]), Some(Vec::new()));
    }

    #[test]
    fn pieces_that_touch_are_cut_once() {
        let sheet = &spec(Backs::None).sheets(&cards(2, POKER)).unwrap()[0];
        let inner = sheet.placed[1].left;
        let along: Vec<_> = sheet.cuts.iter().filter(|[x, _, to, _]| *x == inner && *to == inner).collect();
        // Above, below, and between the two.
        assert_eq!(along.len(), 3);
        let round = Piece { is_round: true, ..cards(1, POKER)[0] };
        assert!(spec(Backs::None).sheets(&[round]).unwrap()[0].cuts.is_empty());
    }
}
