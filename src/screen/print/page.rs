//! The sheets as a page of HTML with exact measures, which a browser prints.

use super::gather::{Gathered, Named};
use super::layout::{Backs, Line, Piece, Placed, Sheet, Turn};
use super::measure::{MM, Size, in_mm};
use super::pen::{Anchor, FAINT, Ink, Pen};
use super::{Part, Printed, SHEETS, Wishes};
use crate::catalogue::{Speaking, said, say};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::playthrough::Playable;
use crate::screen::html::{Frame, escape, put};

/// A page is not larger than this, in bytes.
const MAX_BYTES: usize = 64 << 20;

const STYLE: &str = include_str!("print.css");

/// Sheets of one sort, with what stands below each.
struct Run {
    title: &'static str,
    sheets: Vec<Sheet>,
}

/// Lays out what was gathered, and writes it.
pub(super) fn printed(
    loaded: &Playable,
    gathered: &Gathered,
    wishes: &Wishes,
    thrown_away: Vec<String>,
    is_changed: bool,
) -> Result<Printed, Diagnostics> {
    let _speaking = Speaking::of(wishes.language);
    let mut runs = Vec::new();
    let mut counts = Vec::new();
    for part in [Part::Cards, Part::Tokens, Part::Dice] {
        let pieces: Vec<&Named> = gathered.pieces.iter().filter(|named| named.part == part).collect();
        if pieces.is_empty() {
            continue;
        }
        counts.push((part, pieces.len()));
        runs.extend(laid_out(part, &pieces, wishes)?);
    }
    let writer = Writer { loaded, gathered, wishes, thrown_away: &thrown_away, is_changed };
    let (html, sheets) = writer.page(&runs, &counts)?;
    Ok(Printed { html, sheets, counts, thrown_away })
}

/// Pieces of one sort, those of one size after the other.
fn laid_out(part: Part, pieces: &[&Named], wishes: &Wishes) -> Result<Vec<Run>, Diagnostics> {
    let mut spec = wishes.spec();
    if part != Part::Cards {
        spec.bleed = 0;
    }
    if part == Part::Tokens {
        // Scissors need room around what is round.
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
            let message = format!("a piece of {width} × {height} mm has no room on the paper");
            let error = Diagnostic::new(message);
            return Err(match wishes.backs {
                Backs::Fold => error.help(
                    "with `--backs fold`, the back lies beside the front: take `--backs duplex`, or a smaller size",
                ),
                Backs::Duplex | Backs::None => error.help("take a smaller size, or other paper"),
            }
            .into());
        };
        runs.push(Run { title: title(part), sheets });
    }
    Ok(runs)
}

/// What stands below sheets of a sort.
fn title(part: Part) -> &'static str {
    match part {
        Part::Cards => said("cards"),
        Part::Dice => said("stickers for dice"),
        Part::Tokens => said("tokens"),
    }
}

struct Writer<'a> {
    loaded: &'a Playable,
    gathered: &'a Gathered,
    wishes: &'a Wishes,
    thrown_away: &'a [String],
    is_changed: bool,
}

impl Writer<'_> {
    /// The page, and how many sides of paper it fills.
    fn page(&self, runs: &[Run], counts: &[(Part, usize)]) -> Result<(String, usize), Diagnostics> {
        let language = self.wishes.language;
        let game = self.loaded.ruleset.game.name.get(language);
        let variants = self.loaded.ruleset.variants.iter().map(|variant| variant.name.get(language));
        let name = std::iter::once(game).chain(variants).collect::<Vec<_>>().join(" + ");
        let mut sheets = String::new();
        let mut count = 0;
        for run in runs {
            let all = run.sheets.iter().filter(|sheet| !sheet.is_back).count();
            let mut number = 0;
            for sheet in &run.sheets {
                // On both sides of the paper, every front begins a sheet.
                if self.wishes.backs == Backs::Duplex && !sheet.is_back && count % 2 == 1 {
                    self.put_sheet(&mut sheets, &Sheet::default(), "");
                    count += 1;
                }
                number += usize::from(!sheet.is_back);
                let what = run.title;
                let caption = match sheet.is_back {
                    true => say!("{name} · {what} {number}/{all} · back"),
                    false => say!("{name} · {what} {number}/{all}"),
                };
                self.put_sheet(&mut sheets, sheet, &caption);
                count += 1;
                if sheets.len() > MAX_BYTES {
                    let message = format!("the sheets would be larger than {} MiB", MAX_BYTES >> 20);
                    return Err(Diagnostic::new(message).help("print fewer parts at once: `--only cards`").into());
                }
            }
        }
        let head = self.head(counts, count);
        let faces = self.gathered.faces.iter().enumerate();
        let faces: String = faces.map(|(number, drawn)| format!("<g id=\"f{number}\">{drawn}</g>\n")).collect();
        let pictures = self.gathered.pictures.written();
        let body = format!(
            "<div class=\"head\">\n{head}</div>\n<svg class=\"defs\" aria-hidden=\"true\" width=\"0\" height=\"0\"><defs>\n{pictures}{faces}</defs></svg>\n<div class=\"scroll\">\n{sheets}</div>\n"
        );
        let Size { width, height } = self.wishes.paper.size();
        let (width, height) = (in_mm(width), in_mm(height));
        let style = format!(
            "{STYLE}@page {{ size: {width}mm {height}mm; margin: 0; }}\n:root {{ --wide: {width}mm; --high: {height}mm; }}\n"
        );
        let frame = Frame { format: SHEETS, language, title: &name, style: &style, script: None };
        Ok((frame.with_pictures(&body), count))
    }

    /// What is read before anything is printed.
    fn head(&self, counts: &[(Part, usize)], sheets: usize) -> String {
        let mut out = String::new();
        let counts: Vec<String> = counts.iter().map(|(part, count)| format!("{}: {count}", title(*part))).collect();
        let sides = say!("{sheets} sides of paper");
        put(&mut out, format_args!("<p class=\"lead\">{}</p>\n", escape(&[counts, vec![sides]].concat().join(" · "))));
        let how = match self.wishes.backs {
            Backs::Duplex => {
                said("Print at 100 %, without fitting it to the page, on both sides, turned along the long edge.")
            }
            Backs::Fold => said(
                "Print at 100 %, without fitting it to the page, on one side. Fold along the dashed lines and glue the halves together before you cut.",
            ),
            Backs::None => said("Print at 100 %, without fitting it to the page, on one side."),
        };
        put(&mut out, format_args!("<p>{}</p>\n", escape(how)));
        put(
            &mut out,
            format_args!(
                "<p>{}</p>\n",
                escape(said("The line at the foot of the first sheet is 50 mm long: measure it before you cut."))
            ),
        );
        if self.is_changed {
            let thrown = match self.thrown_away {
                [] => said("Nothing is thrown away.").to_owned(),
                names => say!("Throw away: {}", names.join(", ")),
            };
            put(&mut out, format_args!("<p class=\"warning\">{}</p>\n", escape(&thrown)));
        }
        out
    }

    fn put_sheet(&self, out: &mut String, sheet: &Sheet, caption: &str) {
        let Size { width, height } = self.wishes.paper.size();
        let (wide, high) = (in_mm(width), in_mm(height));
        put(
            out,
            format_args!(
                "<section class=\"sheet\"><svg role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {wide} {high}\">\n",
                escape(caption)
            ),
        );
        for placed in &sheet.placed {
            put_placed(out, placed);
        }
        put_lines(out, "cut", &sheet.cuts);
        put_lines(out, "fold", &sheet.folds);
        let mut pen = Pen::new(Ink::default());
        let foot = (height - 3 * MM) as f64 / MM as f64;
        let left = 12.0;
        pen.text(caption, [left, foot], 2.2, Anchor::Start, &format!("fill:{FAINT}"));
        if !caption.is_empty() && !sheet.is_back {
            // What a printer makes smaller shows here.
            let (from, to) = (width as f64 / MM as f64 - left - 50.0, width as f64 / MM as f64 - left);
            let style = format!("stroke:{FAINT};stroke-width:.2;fill:none");
            pen.path(&format!("M{from} {0}v1.6M{from} {1}H{to}M{to} {0}v1.6", foot - 0.8, foot), &style);
        }
        out.push_str(&pen.out);
        out.push_str("</svg></section>\n");
    }
}

/// One face where it lies.
fn put_placed(out: &mut String, placed: &Placed) {
    let Size { width, height } = placed.size;
    let [left, top, right, bottom] = placed.bleed;
    let (x, y) = (placed.left, placed.top);
    let turned = match placed.turn {
        Turn::None => format!("translate({} {})", in_mm(x), in_mm(y)),
        Turn::Right => format!("translate({} {}) rotate(90)", in_mm(x + height), in_mm(y)),
        Turn::Left => format!("translate({} {}) rotate(-90)", in_mm(x), in_mm(y + width)),
    };
    let area = [-left, -top, width + left + right, height + top + bottom].map(in_mm);
    let [x, y, wide, high] = &area;
    put(
        out,
        format_args!(
            "<g transform=\"{turned}\"><svg class=\"piece\" x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\" viewBox=\"{}\"><use href=\"#f{}\"/></svg></g>\n",
            area.join(" "),
            placed.face
        ),
    );
}

fn put_lines(out: &mut String, class: &str, lines: &[Line]) {
    if lines.is_empty() {
        return;
    }
    let drawn = lines.iter().map(|line| {
        let [x, y, to_x, to_y] = line.map(in_mm);
        format!("M{x} {y}L{to_x} {to_y}")
    });
    put(out, format_args!("<path class=\"{class}\" d=\"{}\"/>\n", drawn.collect::<String>()));
}
