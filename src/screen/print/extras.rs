//! Printed matter beside the components: player aids, score sheets, and the rulebook as a booklet.

use super::board::boards;
use super::gather::{Edition, NamedPiece, PrintContent};
use super::layout::{Backs, Piece};
use super::measure::{MM, Size};
use super::pen::{Anchor, FAINT, Ink, Pen};
use super::prose::{Block, aid, booklet, set};
use super::{Part, PrintOptions};
use crate::catalogue::said;
use crate::definition::sign::Sign;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::playthrough::Playable;
use crate::prose::Examples;
use crate::screen::rulebook::{Rulebook, RulebookScope};

/// The size of a player aid; four fit on a sheet of either paper.
const AID: Size = Size::of(99 * MM, 134 * MM);
/// The size of a score sheet; two fit on a sheet.
const SCORE: Size = Size::of(190 * MM, 130 * MM);
/// The number of empty lines on a score sheet without named rows.
const EMPTY_ROWS: usize = 8;
/// Most named rows on a score sheet.
const MAX_NAMED_ROWS: usize = 12;

/// Adds the wanted parts; for a comparison of editions, the rulebook too if it can be read.
pub(super) fn add(
    gathered: &mut PrintContent,
    loaded: &Playable,
    options: &PrintOptions,
    edition: Edition,
) -> Result<(), Diagnostics> {
    let wants = |part: Part| options.parts.contains(&part);
    if wants(Part::Boards) {
        let room = options.spec().room();
        gathered.boards = boards(&loaded.layout, options.language, options.players, room, options.ink);
    }
    if ![Part::Aids, Part::Score, Part::Rulebook].into_iter().any(wants) {
        return Ok(());
    }
    let extent = RulebookScope {
        language: options.language,
        players: options.told_for,
        changes: false,
        examples: &Examples::of(loaded, &options.library),
    };
    let has_others = !gathered.pieces.is_empty() || !gathered.boards.is_empty();
    let book = match Rulebook::of(loaded, extent) {
        Ok(book) => book,
        // Cards and boards do not need a rulebook.
        Err(errors) if has_others && !wants(Part::Rulebook) => {
            let help = match edition {
                Edition::Printed | Edition::Compared => {
                    "aids and score sheets are left out: they are made of the rulebook"
                }
                Edition::Earlier => "its aids and score sheets are not known: they are printed as if they were new",
            };
            let errors = errors.help(help);
            gathered.warnings.extend(errors.into_iter().map(Diagnostic::as_warning));
            gathered.left_out = vec![Part::Aids, Part::Score, Part::Rulebook];
            return Ok(());
        }
        Err(errors) => return Err(errors),
    };
    if wants(Part::Aids) {
        add_aids(gathered, loaded, options, &book);
    }
    if wants(Part::Score) && book.start.position().has_scores {
        let drawn = score_sheet(&book.title, &book.scored, options);
        let front = gathered.face(drawn);
        let piece = Piece { size: SCORE, front, back: None, is_round: false };
        let named = NamedPiece { name: said("score sheet").to_owned(), part: Part::Score, piece };
        gathered.pieces.extend([named.clone(), named]);
    }
    if wants(Part::Rulebook) || edition != Edition::Printed {
        let half = half(options);
        gathered.booklet =
            set(&booklet(&book), [half.width, half.height].map(|side| side as f64 / MM as f64), 12.0, 3.1, options.ink);
    }
    Ok(())
}

/// The size of a page of the booklet: half a sheet.
pub(super) fn half(options: &PrintOptions) -> Size {
    let Size { width, height } = options.paper.size();
    Size::of(height / 2, width)
}

fn add_aids(gathered: &mut PrintContent, loaded: &Playable, options: &PrintOptions, book: &Rulebook) {
    let game = loaded.ruleset.game.name.get(options.language);
    let blocks = aid(game, book, (said("Colours"), signs(loaded, options)));
    let size = [AID.width, AID.height].map(|side| side as f64 / MM as f64);
    // One side is best, two make a card; a longer aid is not set smaller.
    let sizes = [2.7, 2.5, 2.3].map(|letters| set(&blocks, size, 5.0, letters, options.ink));
    let pages = [1, 2].into_iter().find_map(|most| sizes.iter().find(|pages| pages.len() <= most));
    let pages = pages.unwrap_or(&sizes[0]).clone();
    let faces: Vec<usize> = pages.into_iter().map(|page| gathered.face(page)).collect();
    for _ in 0..options.players {
        // Without printed backs, the second side is a separate piece.
        for pair in faces.chunks(if options.backs == Backs::None { 1 } else { 2 }) {
            let Some(front) = pair.first() else { continue };
            let piece = Piece { size: AID, front: *front, back: pair.get(1).copied(), is_round: false };
            gathered.pieces.push(NamedPiece { name: said("player aid").to_owned(), part: Part::Aids, piece });
        }
    }
}

/// The names of a game's colours, each with the sign that stands for it.
fn signs(loaded: &Playable, options: &PrintOptions) -> Vec<Block> {
    let values = loaded.layout.definition.attributes.values().flatten();
    let coloured = values.filter_map(|(_, looks)| {
        let color = crate::definition::COLORS.into_iter().find(|known| looks.color.as_deref() == Some(*known))?;
        // A value with its own sign needs no other.
        let own = looks.short.as_ref().and_then(|short| Sign::written(short.get(options.language)));
        let sign = own.or_else(|| Sign::of_color(color))?;
        Some(Block::Sign(sign, color, looks.name.get(options.language).to_owned()))
    });
    coloured.collect()
}

/// A score sheet with a row for each reason to score, and a column for each player.
fn score_sheet(game: &str, names: &[String], options: &PrintOptions) -> String {
    let ink = Ink { is_low: true, ..options.ink };
    let mut pen = Pen::new(ink);
    let (width, height) = (SCORE.width as f64 / MM as f64, SCORE.height as f64 / MM as f64);
    let dark = ink.on_paper(None);
    let (left, top, bottom) = (8.0, 18.0, height - 6.0);
    pen.fitted(game, [width / 2.0, 10.0], [6.0, width - 2.0 * left], &format!("fill:{dark};font-weight:700"));
    // For a game of several rounds, points are written below each other.
    let names = if names.len() > 1 && names.len() <= MAX_NAMED_ROWS { names } else { &[] };
    let rows = if names.is_empty() { EMPTY_ROWS } else { names.len() };
    let high = ((bottom - top) / (rows + 2) as f64).min(12.0);
    let first = if names.is_empty() { 22.0 } else { 48.0 };
    let right = width - left;
    let wide = (right - left - first) / options.players as f64;
    let end = top + high * (rows + 2) as f64;
    let thin = format!("stroke:{FAINT};stroke-width:.2");
    for row in 0..=rows + 2 {
        let y = top + row as f64 * high;
        pen.line([left, y, right, y], &thin);
    }
    for column in 0..=options.players {
        let x = left + first + column as f64 * wide;
        pen.line([x, top, x, end], &thin);
    }
    pen.line([left, top, left, end], &thin);
    let total = said("total");
    let labels = std::iter::once(said("name")).chain(names.iter().map(String::as_str));
    let labels = labels.chain(std::iter::repeat_n("", if names.is_empty() { rows } else { 0 })).chain([total]);
    for (row, label) in labels.enumerate() {
        let size = super::pen::fitting(label, 3.4, first - 3.0);
        let y = top + (row as f64 + 0.5) * high;
        let weight = if row == rows + 1 { 700 } else { 400 };
        pen.text(label, [left + 1.5, y], size, Anchor::Start, &format!("fill:{dark};font-weight:{weight}"));
    }
    pen.line([left, end - high, right, end - high], &format!("stroke:{dark};stroke-width:.5"));
    pen.out
}
