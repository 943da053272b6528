//! The rulebook of a ruleset: what its texts, the comments over its functions, its data and the words of its decisions
//! tell a person who wants to play.
//!
//! A [`Rulebook`] is the model: sections of prose, tables, pictures and rules, in one language, without a mark of any
//! format. Whoever writes one, as HTML or Markdown, only escapes and lays out. What a variant adds or changes carries the
//! variant's number, so that it is marked in place. Equal rules give an equal rulebook.

mod begun;
mod gather;
mod glossary;
pub mod markdown;
mod outline;
pub mod prose;
#[cfg(test)]
#[path = "../../../tests/unit/rulebook.rs"]
mod tests;
mod texts;
mod words;

use crate::definition::{Language, Library};
use crate::diagnostic::Diagnostics;
use crate::playthrough::{Playable, Playthrough};
use crate::prose::Passage;
use crate::screen::style::Line;
use crate::table::knowledge::Front;

pub use begun::begun;
pub(in crate::screen) use texts::template;
pub(in crate::screen) use words::words;

/// The seed of the example game, whose table is drawn as it is at the first decision.
const EXAMPLE_SEED: u64 = 1;

/// A rulebook in one language.
pub struct Rulebook {
    /// The language of its words.
    pub language: Language,
    /// What the game is called.
    pub(in crate::screen) title: String,
    /// The game in a sentence or two.
    pub(in crate::screen) about: String,
    /// Players, version, author and the like.
    pub(in crate::screen) facts: Vec<(String, String)>,
    /// The variants, lowest first.
    pub(in crate::screen) variants: Vec<VariantEntry>,
    /// Its chapters; none is empty.
    pub(in crate::screen) sections: Vec<Section>,
    /// What the comments of the rules tell, where no section is looked up at the table.
    pub(in crate::screen) steps: Option<Section>,
    /// What points are given for, each once.
    pub(in crate::screen) scored: Vec<String>,
    /// The game at its first decision.
    pub(in crate::screen) start: Playthrough,
}

/// A variant that is in play.
pub(in crate::screen) struct VariantEntry {
    pub name: String,
    pub about: String,
    /// Version, author and licence.
    pub made: Vec<String>,
}

/// A chapter.
pub(in crate::screen) struct Section {
    /// What it is linked by.
    pub id: String,
    pub title: LocalText,
    pub blocks: Vec<Block>,
    /// The variants that say all of it.
    pub by: Vec<usize>,
    /// Whether it begins on a page of its own.
    pub has_page: bool,
    /// Whether it is looked up at the table: it tells what players are asked, what scores or how the game ends.
    pub is_looked_up: bool,
}

/// A piece of a chapter.
pub(in crate::screen) enum Block {
    /// A paragraph.
    Text(String),
    /// The variants, by name.
    Variants,
    /// Components, drawn.
    Faces(Faces),
    /// Rows of cells.
    Table(Table),
    /// What is done, step by step.
    Rules(Vec<Rule>),
    /// The table at the first decision of the example, with a line about it.
    Start(String),
    /// Prose, with the variant that adds it to what others say.
    Prose(Passage, Option<usize>, Language),
    /// A scenario, played.
    Example(Box<DrawnExample>),
}

/// An example as it is drawn.
pub(in crate::screen) struct DrawnExample {
    /// What it shows.
    pub title: LocalText,
    /// The game before, if somebody is asked something, and the words over it.
    pub before: Option<(&'static str, Playthrough)>,
    /// What was chosen, and what came of it.
    pub story: Vec<Line>,
    /// The game after, and the words over it.
    pub after: (&'static str, Playthrough),
}

/// What a rulebook is to have in it.
#[derive(Clone, Copy)]
pub struct Extent<'a> {
    pub language: Language,
    /// How many play, where it is for one number of players alone.
    pub players: Option<usize>,
    /// Whether only what the variants make different is told.
    pub changes: bool,
    /// Where the scenarios are that it shows.
    pub library: &'a Library,
}

/// A text with the language that it is in: comments of rules may exist in English alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::screen) struct LocalText {
    pub text: String,
    pub language: Language,
}

/// Components of one group.
pub(in crate::screen) struct Faces {
    pub title: String,
    /// Each that looks different by its sides, with how many there are.
    pub fronts: Vec<(Vec<Front>, usize)>,
    /// How many that look different are left out.
    pub more: usize,
    pub by: Vec<usize>,
}

/// Rows of cells. The first cell names the row.
pub(in crate::screen) struct Table {
    pub title: String,
    pub heads: Vec<&'static str>,
    pub rows: Vec<Row>,
}

/// A row of a table.
pub(in crate::screen) struct Row {
    pub cells: Vec<LocalText>,
    /// The variants that added or changed it.
    pub by: Vec<usize>,
}

/// A step of the game.
#[derive(Clone, Debug)]
pub(in crate::screen) struct Rule {
    /// `2.1`; empty of the rule that the others are part of.
    pub number: String,
    /// From 0, the rule that the others are part of.
    pub depth: usize,
    /// A heading, where the language has one.
    pub name: String,
    pub texts: Vec<RuleText>,
    pub facts: Vec<Fact>,
}

/// What a layer says of a step.
#[derive(Clone, Debug)]
pub(in crate::screen) struct RuleText {
    pub said: LocalText,
    /// The variant that says it.
    pub by: Option<usize>,
    /// Whether a variant has put something else in its place.
    pub is_replaced: bool,
}

/// What a step asks, gives or tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::screen) struct Fact {
    pub kind: FactKind,
    pub text: String,
    /// Of a decision: what can be chosen, as far as the rules name it.
    pub options: Vec<String>,
    pub by: Option<usize>,
}

/// The kinds of fact, in the order in which they are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::screen) enum FactKind {
    Phase,
    Decision,
    SecretDecision,
    NotAllowed,
    Points,
    Costs,
    Wins,
    Loses,
    Told,
}

impl Rulebook {
    /// The rulebook of rules that were loaded for a number of players.
    ///
    /// # Errors
    /// What people wrote of it is wrong, or an example of it; there is nothing different to be told. That the game at its
    /// beginning fails is no error: the rulebook does without.
    pub fn of(loaded: &Playable, extent: Extent<'_>) -> Result<Self, Diagnostics> {
        let (start, _) = Playthrough::start(loaded.clone(), loaded.layout.seats, EXAMPLE_SEED, Vec::new())?;
        let prose = crate::prose::Book::of(&loaded.ruleset)?;
        gather::Gatherer::new(loaded, &prose, extent).rulebook(start)
    }

    /// The variant to name before a passage that it adds: none where the passage begins with its name.
    pub(in crate::screen) fn mark_of(&self, passage: &Passage, by: Option<usize>) -> Option<usize> {
        let Passage::Paragraph(pieces) = passage else { return by };
        let text: String = pieces.iter().map(|piece| &*piece.text).collect();
        by.filter(|by| !text.trim_start().starts_with(self.variant(*by)))
    }

    /// The name of a variant, to mark with.
    pub(in crate::screen) fn variant(&self, number: usize) -> &str {
        self.variants.get(number).map_or("", |variant| &variant.name)
    }
}

impl FactKind {
    /// What stands before it.
    pub(in crate::screen) fn words(self, language: Language) -> &'static str {
        let words = words(language);
        match self {
            Self::Phase => words.phase,
            Self::Decision => words.decide,
            Self::SecretDecision => words.secretly,
            Self::NotAllowed => words.not_allowed,
            Self::Points => words.points_for,
            Self::Costs => words.costs_for,
            Self::Wins => words.wins,
            Self::Loses => words.loses,
            Self::Told => words.told,
        }
    }
}
