//! The rulebook of a ruleset: its authored texts, doc comments of functions, data and prompts, arranged for a person
//! who wants to play.
//!
//! A [`Rulebook`] is the model: sections of prose, tables, pictures and rules, in one language, without markup of any
//! format. The writers of HTML and Markdown only escape and lay out. Additions and changes by a variant carry its
//! number, so that they are marked in place. Equal rules give an equal rulebook.

mod draft;
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

use crate::definition::Language;
use crate::diagnostic::Diagnostics;
use crate::playthrough::{Playable, Playthrough};
pub use crate::prose::Examples;
use crate::prose::Passage;
use crate::screen::style::Line;
use crate::table::knowledge::Front;

pub use draft::draft;
pub(in crate::screen) use texts::template;
pub(in crate::screen) use words::words;

/// The seed of the example game, whose table is drawn at the first decision.
const EXAMPLE_SEED: u64 = 1;

/// A rulebook in one language.
pub struct Rulebook {
    /// The language of texts.
    pub language: Language,
    /// The name of the game.
    pub(in crate::screen) title: String,
    /// The description of the game, in a sentence or two.
    pub(in crate::screen) about: String,
    /// Facts such as players, version and author.
    pub(in crate::screen) facts: Vec<(String, String)>,
    /// The variants in play, from the lowest layer up.
    pub(in crate::screen) variants: Vec<VariantEntry>,
    /// The chapters; none is empty.
    pub(in crate::screen) sections: Vec<Section>,
    /// The steps from doc comments, where no section is looked up at the table.
    pub(in crate::screen) steps: Option<Section>,
    /// The reasons to score points, each once.
    pub(in crate::screen) scored: Vec<String>,
    /// The game at its first decision.
    pub(in crate::screen) start: Playthrough,
}

/// A variant in play.
pub(in crate::screen) struct VariantEntry {
    pub name: String,
    pub about: String,
    /// The version, author and licence.
    pub made: Vec<String>,
}

/// A chapter.
pub(in crate::screen) struct Section {
    /// The id for links.
    pub id: String,
    pub title: LocalText,
    pub blocks: Vec<Block>,
    /// The variants that contribute all of it.
    pub by: Vec<usize>,
    /// Whether it begins on a new page.
    pub has_page: bool,
    /// Whether it is looked up at the table: it tells about decisions, scoring or the end of the game.
    pub is_looked_up: bool,
}

/// A block of a chapter.
pub(in crate::screen) enum Block {
    /// A paragraph.
    Text(String),
    /// A list of the variants.
    Variants,
    /// Components, drawn.
    Faces(Faces),
    /// A table.
    Table(Table),
    /// Steps of the rules.
    Rules(Vec<Rule>),
    /// The table at the first decision of the example game, with a caption.
    Start(String),
    /// Authored prose, with the variant that adds it to another layer's chapter.
    Prose(Passage, Option<usize>, Language),
    /// A scenario as an example.
    Example(Box<DrawnExample>),
}

/// An example, ready to be drawn.
pub(in crate::screen) struct DrawnExample {
    /// The title.
    pub title: LocalText,
    /// The game before, with a caption; `None` if nobody is asked there.
    pub before: Option<(&'static str, Playthrough)>,
    /// The choices and their results.
    pub story: Vec<Line>,
    /// The game after, with a caption.
    pub after: (&'static str, Playthrough),
}

/// The extent of a rulebook.
#[derive(Clone, Copy)]
pub struct RulebookScope<'a> {
    pub language: Language,
    /// The number of players; `None` for all that the game allows.
    pub players: Option<usize>,
    /// Whether to tell only the changes by variants.
    pub changes: bool,
    /// The scenarios that it can show as examples.
    pub examples: &'a Examples<'a>,
}

/// A text with its language: doc comments of rules may exist only in English.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::screen) struct LocalText {
    pub text: String,
    pub language: Language,
}

/// The components of a group.
pub(in crate::screen) struct Faces {
    pub title: String,
    /// The sides of each distinct component, with the number of components that look so.
    pub fronts: Vec<(Vec<Front>, usize)>,
    /// The number of distinct components left out.
    pub more: usize,
    pub by: Vec<usize>,
}

/// A table. The first cell of a row names it.
pub(in crate::screen) struct Table {
    pub title: String,
    pub heads: Vec<&'static str>,
    pub rows: Vec<Row>,
}

/// A row of a table.
pub(in crate::screen) struct Row {
    pub cells: Vec<LocalText>,
    /// The variants that added or changed the row.
    pub by: Vec<usize>,
}

/// A step of the game.
#[derive(Clone, Debug)]
pub(in crate::screen) struct Rule {
    /// The number: `2.1`; empty for the root, which the others are part of.
    pub number: String,
    /// The depth, from 0 for the root.
    pub depth: usize,
    /// The heading; empty where the language has none.
    pub name: String,
    pub texts: Vec<RuleText>,
    pub facts: Vec<Fact>,
}

/// The text of a layer about a step.
#[derive(Clone, Debug)]
pub(in crate::screen) struct RuleText {
    pub said: LocalText,
    /// The variant that contributes it, if any.
    pub by: Option<usize>,
    /// Whether a variant has replaced it.
    pub is_replaced: bool,
}

/// A fact about a step: what it asks, gives or tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::screen) struct Fact {
    pub kind: FactKind,
    pub text: String,
    /// The options of a decision, as far as the rules name them.
    pub options: Vec<String>,
    pub by: Option<usize>,
}

/// The kinds of facts, in the order in which they are shown.
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
    Remark,
}

impl Rulebook {
    /// Makes the rulebook of rules that were compiled for a number of players.
    ///
    /// # Errors
    /// The authored texts or an example have errors, or variants change nothing. If the game fails at its start, that
    /// is no error: the rulebook leaves it out.
    pub fn of(loaded: &Playable, extent: RulebookScope<'_>) -> Result<Self, Diagnostics> {
        let (start, _) = Playthrough::start(loaded.clone(), loaded.layout.seats, EXAMPLE_SEED, Vec::new())?;
        let prose = crate::prose::Book::of(&loaded.ruleset)?;
        gather::Gatherer::new(loaded, &prose, extent).rulebook(start)
    }

    /// The variant to name before a passage that it adds; `None` if the passage begins with its name.
    pub(in crate::screen) fn mark_of(&self, passage: &Passage, by: Option<usize>) -> Option<usize> {
        let Passage::Paragraph(pieces) = passage else { return by };
        let text: String = pieces.iter().map(|piece| &*piece.text).collect();
        by.filter(|by| !text.trim_start().starts_with(self.variant(*by)))
    }

    /// The name of a variant, for marks.
    pub(in crate::screen) fn variant(&self, number: usize) -> &str {
        self.variants.get(number).map_or("", |variant| &variant.name)
    }
}

impl FactKind {
    /// The label of the kind.
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
            Self::Remark => words.told,
        }
    }
}
