//! Sheets for the printer: cards with their backs, tokens, sides of dice, boards and more, from the game's own data.
//!
//! First everything that is to be printed is collected as faces and pieces ([`gather`]), then it is laid out on sheets by
//! whole micrometres ([`layout`]), and only then is a page written with exact measures ([`page`]). Equal rules and wishes give
//! an equal page. Nothing here decides a rule, and nothing of it is needed to play.

mod board;
mod changed;
mod desk;
mod face;
mod gather;
pub mod layout;
pub mod measure;
mod page;
mod pen;
mod picture;
mod prose;
pub mod tabletop;

use crate::catalogue::Speaking;
use crate::definition::{Language, Library};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::files::{Files, Format};
use crate::playthrough::Playable;
use gather::Edition;
use layout::{Backs, Marks, Spec};
use measure::{Length, Paper, Size};

pub use pen::Ink;

/// What such a file is, and how it begins.
pub const SHEETS: Format = Format { name: "sheets to print", beginning: "<!doctype html>\n<!-- houserule: sheets -->" };

/// What can be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Cards with their backs.
    Cards,
    /// The sides of dice, as stickers.
    Dice,
    /// Tokens.
    Tokens,
    /// Boards, in several parts where they are larger than the paper.
    Boards,
    /// What players look up at the table.
    Aids,
    /// Where points are written down.
    Score,
    /// The rulebook as a booklet, to be folded.
    Rulebook,
}

/// What somebody wants to have printed, and how.
#[derive(Clone, Debug)]
pub struct Wishes {
    /// The paper.
    pub paper: Paper,
    /// How large cards are whose looks do not say it.
    pub card: Size,
    /// How cards get their backs.
    pub backs: Backs,
    /// How far pieces lie from each other.
    pub gutter: Length,
    /// How far what is printed goes over the edges of cards.
    pub bleed: Length,
    /// What shows where to cut.
    pub marks: Marks,
    /// What may be printed with.
    pub ink: Ink,
    /// What is printed.
    pub parts: Vec<Part>,
    /// How many play at most: each gets what everybody has.
    pub players: usize,
    /// How many play, where the rulebook is for one number of players alone.
    pub told_for: Option<usize>,
    /// The language.
    pub language: Language,
    /// Where the scenarios are that the rulebook shows.
    pub library: Library,
}

impl Wishes {
    fn spec(&self) -> Spec {
        Spec { paper: self.paper.size(), gutter: self.gutter, bleed: self.bleed, backs: self.backs, marks: self.marks }
    }
}

/// Sheets, written as a page.
#[derive(Debug)]
pub struct Printed {
    /// The page.
    pub html: String,
    /// How many sides of paper it fills.
    pub sheets: usize,
    /// How many pieces of each sort it has.
    pub counts: Vec<(Part, usize)>,
    /// The pieces of before that are no longer used, where that was asked for.
    pub thrown_away: Vec<String>,
    /// Why something is left out that nobody asked for by itself.
    pub warnings: Vec<Diagnostic>,
}

/// What is to be printed of a game: of all of it, or only what has changed since `before`.
///
/// # Errors
/// Something does not fit on the paper, looks do not fit on a piece, or a picture cannot be used.
pub fn printed(
    (loaded, files): (&Playable, &dyn Files),
    before: Option<(&Playable, &dyn Files)>,
    wishes: &Wishes,
) -> Result<Printed, Diagnostics> {
    let _speaking = Speaking::of(wishes.language);
    let gather = |loaded: &Playable, files: &dyn Files, edition: Edition| {
        let mut gathered = gather::Gathered::of(loaded, files, wishes, edition)?;
        desk::add(&mut gathered, loaded, wishes, edition)?;
        Ok::<_, Diagnostics>(gathered)
    };
    let mut gathered = gather(loaded, files, if before.is_some() { Edition::Compared } else { Edition::Printed })?;
    let thrown_away = match before {
        Some((before, files)) => {
            let old = gather(before, files, Edition::Earlier)?;
            let thrown_away = changed::keep_changed(&mut gathered, &old, &wishes.parts);
            gathered.warnings.extend(old.warnings);
            thrown_away
        }
        None => Vec::new(),
    };
    page::printed(loaded, &gathered, wishes, thrown_away, before.is_some())
}
