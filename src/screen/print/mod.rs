//! Print-and-play sheets: cards with backs, tokens, sides of dice, boards and more, from the game's own data.
//!
//! First, everything to print is collected as faces and pieces ([`gather`]), then it is laid out on sheets in whole
//! micrometres ([`layout`]), and finally written as a page with exact measures ([`page`]). Equal rules and wishes give
//! an equal page. Nothing here decides a rule, and playing does not need it.

mod board;
mod changed;
mod extras;
mod face;
mod gather;
pub mod layout;
pub mod measure;
mod page;
mod pen;
mod picture;
mod prose;
pub mod tabletop;

use crate::catalogue::LanguageGuard;
use crate::definition::{Language, Library};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::files::{FileFormat, Files};
use crate::playthrough::Playable;
use gather::Edition;
use layout::{Backs, Marks, Spec};
use measure::{Length, Paper, Size};

pub use pen::Ink;

/// The file format of printable sheets.
pub const SHEETS: FileFormat =
    FileFormat { name: "sheets to print", beginning: "<!doctype html>\n<!-- houserule: sheets -->" };

/// A part of a game that can be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Cards with their backs.
    Cards,
    /// The sides of dice, as stickers.
    Dice,
    /// Tokens.
    Tokens,
    /// Boards, in several parts if they are larger than the paper.
    Boards,
    /// Player aids.
    Aids,
    /// Score sheets.
    Score,
    /// The rulebook as a booklet to fold.
    Rulebook,
}

/// The wanted parts and their format.
#[derive(Clone, Debug)]
pub struct PrintOptions {
    /// The paper size.
    pub paper: Paper,
    /// The size of cards without a size in their looks.
    pub card: Size,
    /// The way in which cards get their backs.
    pub backs: Backs,
    /// The distance between pieces.
    pub gutter: Length,
    /// The bleed over the edges of cards.
    pub bleed: Length,
    /// The kind of cutting marks.
    pub marks: Marks,
    /// The restrictions on ink.
    pub ink: Ink,
    /// The parts to print.
    pub parts: Vec<Part>,
    /// The maximum number of players, for pieces that each player gets.
    pub players: usize,
    /// The number of players in the rulebook; `None` for all numbers that the game allows.
    pub told_for: Option<usize>,
    /// The language of texts.
    pub language: Language,
    /// The library with the scenarios that the rulebook shows.
    pub library: Library,
}

impl PrintOptions {
    fn spec(&self) -> Spec {
        Spec { paper: self.paper.size(), gutter: self.gutter, bleed: self.bleed, backs: self.backs, marks: self.marks }
    }
}

/// Printable sheets, as a page.
#[derive(Debug)]
pub struct PrintedSheets {
    /// The page as HTML.
    pub html: String,
    /// The number of sides of paper.
    pub sheets: usize,
    /// The number of pieces of each part.
    pub counts: Vec<(Part, usize)>,
    /// The names of earlier pieces that are no longer used, for a comparison with an earlier edition.
    pub thrown_away: Vec<String>,
    /// Warnings about parts that were left out, but not explicitly asked for.
    pub warnings: Vec<Diagnostic>,
}

/// Makes printable sheets of a game: of all of it, or of what has changed since `before`.
///
/// # Errors
/// Something does not fit on the paper, looks do not fit on a piece, or a picture cannot be used.
pub fn printed(
    (loaded, files): (&Playable, &dyn Files),
    before: Option<(&Playable, &dyn Files)>,
    options: &PrintOptions,
) -> Result<PrintedSheets, Diagnostics> {
    let _speaking = LanguageGuard::of(options.language);
    let gather = |loaded: &Playable, files: &dyn Files, edition: Edition| {
        let mut gathered = gather::PrintContent::of(loaded, files, options, edition)?;
        extras::add(&mut gathered, loaded, options, edition)?;
        Ok::<_, Diagnostics>(gathered)
    };
    let mut gathered = gather(loaded, files, if before.is_some() { Edition::Compared } else { Edition::Printed })?;
    let thrown_away = match before {
        Some((before, files)) => {
            let old = gather(before, files, Edition::Earlier)?;
            let thrown_away = changed::keep_changed(&mut gathered, &old, &options.parts);
            gathered.warnings.extend(old.warnings);
            thrown_away
        }
        None => Vec::new(),
    };
    page::printed(loaded, &gathered, options, thrown_away, before.is_some())
}
