//! Printable sheets as an HTML page with exact measures, to be printed by a browser.

use super::board::{DrawnBoard, OVERLAP, tiles};
use super::extras::half;
use super::gather::{NamedPiece, PrintContent};
use super::layout::{Backs, Line, MARGIN, Piece, PlacedFace, Rotation, Sheet};
use super::measure::{Length, MM, Size, in_mm};
use super::pen::{Anchor, FAINT, FONTS, Ink, Pen};
use super::{Part, PrintOptions, PrintedSheets, SHEETS};
use crate::catalogue::{message, said, say};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::playthrough::Playable;
use crate::screen::html::{Frame, escape};

/// The maximum size of a page in bytes.
const MAX_BYTES: usize = 64 << 20;

const STYLE: &str = include_str!("print.css");

/// Sheets of one part, with the caption below each.
struct SheetGroup {
    title: &'static str,
    sheets: Vec<PaperSide>,
}

/// A side of paper: the pieces on it, and other drawings there.
struct PaperSide {
    sheet: Sheet,
    more: String,
}

impl From<Sheet> for PaperSide {
    fn from(sheet: Sheet) -> Self {
        Self { sheet, more: String::new() }
    }
}

/// Lays out what was gathered, and writes the page.
pub(super) fn printed(
    loaded: &Playable,
    gathered: &PrintContent,
    options: &PrintOptions,
    thrown_away: Vec<String>,
    is_changed: bool,
) -> Result<PrintedSheets, Diagnostics> {
    let mut runs = Vec::new();
    let mut counts = Vec::new();
    for part in [Part::Cards, Part::Tokens, Part::Dice, Part::Aids, Part::Score] {
        let pieces: Vec<&NamedPiece> = gathered.pieces.iter().filter(|named| named.part == part).collect();
        if pieces.is_empty() {
            continue;
        }
        counts.push((part, pieces.len()));
        runs.extend(laid_out(part, &pieces, loaded, options)?);
    }
    if !gathered.boards.is_empty() {
        counts.push((Part::Boards, gathered.boards.len()));
        runs.push(SheetGroup { title: title(Part::Boards), sheets: boards(&gathered.boards, options) });
    }
    if !gathered.booklet.is_empty() {
        counts.push((Part::Rulebook, 1));
        runs.push(SheetGroup { title: title(Part::Rulebook), sheets: booklet(&gathered.booklet, options) });
    }
    let writer = Writer { loaded, gathered, options, thrown_away: &thrown_away, is_changed };
    let (html, sheets) = writer.page(&runs, &counts)?;
    Ok(PrintedSheets { html, sheets, counts, thrown_away, warnings: gathered.warnings.clone() })
}

/// Lays out the pieces of one part, grouped by size.
fn laid_out(
    part: Part,
    pieces: &[&NamedPiece],
    loaded: &Playable,
    options: &PrintOptions,
) -> Result<Vec<SheetGroup>, Diagnostics> {
    let mut spec = options.spec();
    if part != Part::Cards {
        spec.bleed = 0;
    }
    if matches!(part, Part::Aids | Part::Score) {
        spec.gutter = 0;
    }
    if part == Part::Tokens {
        // Scissors need space around round pieces.
        spec.gutter = spec.gutter.max(2 * MM);
    }
    let mut sizes: Vec<Size> = Vec::new();
    for named in pieces {
        if !sizes.contains(&named.piece.size) {
            sizes.push(named.piece.size);
        }
    }
    let mut runs = Vec::new();
    for size in sizes {
        let of_size: Vec<Piece> = pieces.iter().map(|named| named.piece).filter(|piece| piece.size == size).collect();
        let Some(sheets) = spec.sheets(&of_size) else {
            let (width, height) = (in_mm(size.width), in_mm(size.height));
            let message = message!("a piece of {width} × {height} mm has no room on the paper");
            let mut sizes = loaded.layout.definition.looks.values().filter_map(|design| design.size.as_ref());
            let place = sizes.find(|(given, _)| *given == size).map(|(_, place)| place.clone());
            let error = Diagnostic::new(message).at_maybe(place);
            return Err(match options.backs {
                Backs::Fold => error.help(
                    "with `--backs fold`, the back lies beside the front: take `--backs duplex`, or a smaller size",
                ),
                Backs::Duplex | Backs::None => error.help("take a smaller size, or other paper"),
            }
            .into());
        };
        runs.push(SheetGroup { title: title(part), sheets: sheets.into_iter().map(PaperSide::from).collect() });
    }
    Ok(runs)
}

/// The caption below the sheets of a part.
fn title(part: Part) -> &'static str {
    match part {
        Part::Cards => said("cards"),
        Part::Dice => said("stickers for dice"),
        Part::Tokens => said("tokens"),
        Part::Boards => said("boards"),
        Part::Aids => said("player aids"),
        Part::Score => said("score sheets"),
        Part::Rulebook => said("rulebook"),
    }
}

/// Lays out boards, each on as many sheets as it needs.
fn boards(boards: &[DrawnBoard], options: &PrintOptions) -> Vec<PaperSide> {
    let spec = options.spec();
    let room = spec.room();
    let mut laid: Vec<PaperSide> = Vec::new();
    // The used height of the last sheet, if it contains whole boards.
    let mut full: Option<Length> = None;
    for board in boards {
        let tiles = tiles(board.size, room);
        for (column, row, x, y) in &tiles {
            let size = Size::of((board.size.width - x).min(room.width), (board.size.height - y).min(room.height));
            // Whole boards are centred below each other; parts of a board are placed so that they are easy to join.
            let is_whole = tiles.len() == 1;
            let below = full.filter(|full| is_whole && full + size.height <= spec.paper.height - MARGIN);
            let left = if is_whole { (spec.paper.width - size.width) / 2 } else { MARGIN };
            let top = below.unwrap_or(MARGIN);
            full = is_whole.then_some(top + size.height + OVERLAP);
            let [from_x, from_y, wide, high] = [*x, *y, size.width, size.height].map(in_mm);
            let mut more = format!(
                "<svg x=\"{}\" y=\"{}\" width=\"{wide}\" height=\"{high}\" viewBox=\"{from_x} {from_y} {wide} {high}\">{}</svg>\n",
                in_mm(left),
                in_mm(top),
                board.drawn
            );
            let mut sheet = Sheet::default();
            // The next part is glued on up to this line.
            if *column > 0 {
                sheet.folds.push([left + OVERLAP, top, left + OVERLAP, top + size.height]);
            }
            if *row > 0 {
                sheet.folds.push([left, top + OVERLAP, left + size.width, top + OVERLAP]);
            }
            if tiles.len() > 1 {
                let letter = char::from(b'A' + u8::try_from(*row % 26).unwrap_or(0));
                let mut pen = Pen::new(Ink::default());
                let [right, foot] = [left + size.width, top + size.height].map(|at| at as f64 / MM as f64);
                let at = [right - 5.0, foot - 3.0];
                pen.rect([at[0] - 4.0, at[1] - 2.0, 8.0, 4.0], 1.0, "fill:#fff");
                pen.text(&format!("{letter}{}", column + 1), at, 3.0, Anchor::Middle, &format!("fill:{FAINT}"));
                more.push_str(&pen.out);
            }
            match laid.last_mut().filter(|_| below.is_some()) {
                Some(last) => last.more.push_str(&more),
                None => laid.push(PaperSide { sheet, more }),
            }
        }
    }
    laid
}

/// The pages of a booklet on both sides of sheets that are folded together, the last page beside the first.
fn booklet(pages: &[String], options: &PrintOptions) -> Vec<PaperSide> {
    let paper = options.paper.size();
    let half = half(options);
    let count = pages.len().div_ceil(4) * 4;
    let mut laid = Vec::new();
    // With the sheet turned for reading, its left half is at the top of an upright front, and at the bottom of a back.
    let put = |more: &mut String, page: usize, is_above: bool, turn: Rotation| {
        let Some(drawn) = pages.get(page) else { return };
        let top = if is_above { 0 } else { paper.height / 2 };
        let turned = match turn {
            Rotation::Left => format!("translate(0 {}) rotate(-90)", in_mm(top + half.width)),
            Rotation::None | Rotation::Right => format!("translate({} {}) rotate(90)", in_mm(paper.width), in_mm(top)),
        };
        let mut pen = Pen::new(Ink::default());
        let [width, height] = [half.width, half.height].map(|side| side as f64 / MM as f64);
        if page > 0 {
            pen.text(
                &(page + 1).to_string(),
                [width / 2.0, height - 7.0],
                2.6,
                Anchor::Middle,
                &format!("fill:{FAINT}"),
            );
        }
        more.push_str(&format!("<g transform=\"{turned}\">{drawn}{}</g>\n", pen.out));
    };
    let fold = [0, paper.height / 2, paper.width, paper.height / 2];
    for sheet in 0..count / 4 {
        let (mut front, mut back) = (String::new(), String::new());
        put(&mut front, count - 1 - 2 * sheet, true, Rotation::Right);
        put(&mut front, 2 * sheet, false, Rotation::Right);
        put(&mut back, 2 * sheet + 1, false, Rotation::Left);
        put(&mut back, count - 2 - 2 * sheet, true, Rotation::Left);
        laid.push(PaperSide { sheet: Sheet { folds: vec![fold], ..Sheet::default() }, more: front });
        laid.push(PaperSide { sheet: Sheet { is_back: true, ..Sheet::default() }, more: back });
    }
    laid
}

struct Writer<'a> {
    loaded: &'a Playable,
    gathered: &'a PrintContent,
    options: &'a PrintOptions,
    thrown_away: &'a [String],
    is_changed: bool,
}

impl Writer<'_> {
    /// The page, and the number of sides of paper.
    fn page(&self, runs: &[SheetGroup], counts: &[(Part, usize)]) -> Result<(String, usize), Diagnostics> {
        let language = self.options.language;
        let game = self.loaded.ruleset.game.name.get(language);
        let variants = self.loaded.ruleset.variants.iter().map(|variant| variant.name.get(language));
        let name = std::iter::once(game).chain(variants).collect::<Vec<_>>().join(" + ");
        let mut sheets = String::new();
        let mut count = 0;
        for run in runs {
            let all = run.sheets.iter().filter(|laid| !laid.sheet.is_back).count();
            let mut number = 0;
            for PaperSide { sheet, more } in &run.sheets {
                // With duplex printing, every front starts a new sheet.
                if self.options.backs == Backs::Duplex && !sheet.is_back && count % 2 == 1 {
                    self.put_sheet(&mut sheets, &Sheet::default(), "", "");
                    count += 1;
                }
                number += usize::from(!sheet.is_back);
                let what = run.title;
                let caption = match sheet.is_back {
                    true => say!("{name} · {what} {number}/{all} · back"),
                    false => say!("{name} · {what} {number}/{all}"),
                };
                self.put_sheet(&mut sheets, sheet, more, &caption);
                count += 1;
                if sheets.len() > MAX_BYTES {
                    let message = message!("the sheets would be larger than {} MiB", MAX_BYTES >> 20);
                    return Err(Diagnostic::new(message).help("print fewer parts at once: `--only cards`").into());
                }
            }
        }
        let head = self.head(counts, count);
        let faces = self.gathered.faces.iter().enumerate();
        let faces: String = faces.map(|(number, drawn)| format!("<g id=\"f{number}\">{drawn}</g>\n")).collect();
        let pictures = self.gathered.pictures.written(|_| true);
        let body = format!(
            "<div class=\"head\">\n{head}</div>\n<svg class=\"defs\" aria-hidden=\"true\" width=\"0\" height=\"0\"><defs>\n{pictures}{faces}</defs></svg>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n{sheets}</div>\n",
            escape(said("sheets to print"))
        );
        let Size { width, height } = self.options.paper.size();
        let (width, height) = (in_mm(width), in_mm(height));
        let style = format!(
            "{STYLE}@page {{ size: {width}mm {height}mm; margin: 0; }}\n:root {{ --wide: {width}mm; --high: {height}mm; }}\n.sheet svg {{ font-family: {FONTS}; }}\n"
        );
        let frame = Frame { format: SHEETS, language, title: &name, style: &style, script: None, is_live: false };
        Ok((frame.with_pictures(&body), count))
    }

    /// The instructions at the top, to be read before printing.
    fn head(&self, counts: &[(Part, usize)], sheets: usize) -> String {
        let mut out = String::new();
        let counts: Vec<String> = counts.iter().map(|(part, count)| format!("{}: {count}", title(*part))).collect();
        let sides = match sheets {
            1 => said("1 side of paper").to_owned(),
            _ => say!("{sheets} sides of paper"),
        };
        out.push_str(&format!("<p class=\"lead\">{}</p>\n", escape(&[counts, vec![sides]].concat().join(" · "))));
        let how = match self.options.backs {
            Backs::Duplex => {
                said("Print at 100 %, without fitting it to the page, on both sides, turned along the long edge.")
            }
            Backs::Fold => said(
                "Print at 100 %, without fitting it to the page, on one side. Fold along the dashed lines and glue the halves together before you cut.",
            ),
            Backs::None => said("Print at 100 %, without fitting it to the page, on one side."),
        };
        out.push_str(&format!("<p>{}</p>\n", escape(how)));
        out.push_str(&format!(
            "<p>{}</p>\n",
            escape(said("The line at the foot of the first sheet is 50 mm long: measure it before you cut."))
        ));
        if self.is_changed {
            let thrown = match self.thrown_away {
                [] => said("Nothing is thrown away.").to_owned(),
                names => say!("Throw away: {}", names.join(", ")),
            };
            out.push_str(&format!("<p class=\"warning\">{}</p>\n", escape(&thrown)));
        }
        out
    }

    fn put_sheet(&self, out: &mut String, sheet: &Sheet, more: &str, caption: &str) {
        let Size { width, height } = self.options.paper.size();
        let (wide, high) = (in_mm(width), in_mm(height));
        // An empty back needs no text alternative.
        let told = match caption {
            "" => "aria-hidden=\"true\"".to_owned(),
            caption => format!("role=\"img\" aria-label=\"{}\"", escape(caption)),
        };
        out.push_str(&format!("<section class=\"sheet\"><svg {told} viewBox=\"0 0 {wide} {high}\">\n"));
        for placed in &sheet.placed {
            put_placed(out, placed);
        }
        out.push_str(more);
        put_lines(out, "cut", &sheet.cuts);
        put_lines(out, "fold", &sheet.folds);
        let mut pen = Pen::new(Ink::default());
        let foot = (height - 3 * MM) as f64 / MM as f64;
        let left = 12.0;
        pen.text(caption, [left, foot], 2.2, Anchor::Start, &format!("fill:{FAINT}"));
        if !caption.is_empty() && !sheet.is_back {
            // A ruler reveals if a printer scales the page.
            let (from, to) = (width as f64 / MM as f64 - left - 50.0, width as f64 / MM as f64 - left);
            let style = format!("stroke:{FAINT};stroke-width:.2;fill:none");
            pen.path(&format!("M{from} {0}v1.6M{from} {1}H{to}M{to} {0}v1.6", foot - 0.8, foot), &style);
        }
        out.push_str(&pen.out);
        out.push_str("</svg></section>\n");
    }
}

/// A face at its place.
fn put_placed(out: &mut String, placed: &PlacedFace) {
    let Size { width, height } = placed.size;
    let [left, top, right, bottom] = placed.bleed;
    let (x, y) = (placed.left, placed.top);
    let turned = match placed.turn {
        Rotation::None => format!("translate({} {})", in_mm(x), in_mm(y)),
        Rotation::Right => format!("translate({} {}) rotate(90)", in_mm(x + height), in_mm(y)),
        Rotation::Left => format!("translate({} {}) rotate(-90)", in_mm(x), in_mm(y + width)),
    };
    let area = [-left, -top, width + left + right, height + top + bottom].map(in_mm);
    let [x, y, wide, high] = &area;
    out.push_str(&format!(
            "<g transform=\"{turned}\"><svg class=\"piece\" x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\" viewBox=\"{}\"><use href=\"#f{}\"/></svg></g>\n",
            area.join(" "),
            placed.face
        ));
}

fn put_lines(out: &mut String, class: &str, lines: &[Line]) {
    if lines.is_empty() {
        return;
    }
    let drawn = lines.iter().map(|line| {
        let [x, y, to_x, to_y] = line.map(in_mm);
        format!("M{x} {y}L{to_x} {to_y}")
    });
    out.push_str(&format!("<path class=\"{class}\" d=\"{}\"/>\n", drawn.collect::<String>()));
}
