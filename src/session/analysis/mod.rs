//! Static information about loaded rules: what a name means, which members follow a dot, where things are declared.
//!
//! The REPL's help and completion use it, and so can an editor. Nothing is run for an answer, so no hidden facts are
//! revealed and answers come quickly.

mod in_play;
pub mod topics;

use crate::catalogue::said;
use crate::definition::{Language, Library};
use crate::playthrough::Playable;
use crate::screen::style::Line;
use crate::script::vocabulary::{Form, words};
use crate::table::State;
use crate::workspace::{Game, members_at_the_end, who_sees};

pub use crate::script::tokens::is_in_name;

/// Loaded rules, with the context for explaining them.
#[derive(Clone, Copy)]
pub struct Analysis<'a> {
    /// The compiled rules.
    pub loaded: &'a Playable,
    /// The library in which variants and libraries are found that are not in play.
    pub library: &'a Library,
    /// The table in play, which resolves the names of components; `None` where no game is open.
    pub table: Option<&'a State>,
    /// The language of names in the answers.
    pub language: Language,
    /// The width of lines, in columns.
    pub width: usize,
}

/// A completion: a text that can be typed, with a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The text to type.
    pub text: String,
    /// A description in a few words.
    pub about: String,
}

impl Candidate {
    /// A candidate with a text and a description.
    pub fn new(text: impl Into<String>, about: impl Into<String>) -> Self {
        Self { text: text.into(), about: about.into() }
    }
}

impl Analysis<'_> {
    /// Help on every meaning of `name`, each as a separate text; empty if there is none.
    pub fn about(self, name: &str) -> Vec<Vec<Line>> {
        topics::about(self, name)
    }

    /// The source text of everything called `name`: functions, and declarations of TOML files.
    pub fn source(self, name: &str) -> Option<Vec<Line>> {
        in_play::source(self, name)
    }

    /// Every name with help in [`about`](Self::about).
    pub fn topics(self) -> Vec<Candidate> {
        topics::names(self)
    }

    /// The members that can follow the last dot of an expression, and the byte where the member's name begins in
    /// `line`. `None` if there is no dot, or if the type of the owner is unknown.
    pub fn members(self, line: &str) -> Option<(usize, Vec<Candidate>)> {
        let game = Game { layout: &self.loaded.layout, ruleset: &self.loaded.ruleset, language: self.language };
        let (start, members) = members_at_the_end(game, line)?;
        Some((start, members.into_iter().map(|member| Candidate::new(member.text, member.about)).collect()))
    }

    /// The names that an expression can begin with: first those of the game, then the words of the vocabulary.
    pub fn roots(self) -> Vec<Candidate> {
        roots(self)
    }
}

/// The names that an expression can begin with: first those of the game, then the words of the vocabulary.
fn roots(analysis: Analysis<'_>) -> Vec<Candidate> {
    let functions = analysis.loaded.functions.iter().map(|function| {
        let call = format!("{}({})", function.name, function.parameters.join(", "));
        Candidate::new(format!("{}(", function.name), call)
    });
    let mut functions: Vec<Candidate> = functions.collect();
    // A function that several layers define is listed once.
    functions.sort_by(|one, other| one.text.cmp(&other.text));
    functions.dedup();
    let words = words().filter(|word| word.form == Form::Function);
    let words = words.map(|word| Candidate::new(format!("{}(", word.name), topics::usage(word)));
    let fixed = [
        ("players", "players · all of them, in turn order"),
        ("table", "the variables of the table"),
        ("data", "the rulebook's numbers"),
        ("settings", "what is set for these rules"),
    ];
    let fixed = fixed.into_iter().map(|(name, about)| Candidate::new(name, said(about)));
    let seats = (1..=analysis.loaded.layout.seats).map(|number| Candidate::new(format!("p{number}"), said("a player")));
    let definition = &analysis.loaded.layout.definition;
    let zones = definition.zones.iter().filter(|zone| !zone.per_seat);
    let zones = zones.map(|zone| {
        Candidate::new(&*zone.id, format!("{}{}{}", zone.name.get(analysis.language), said(", "), said(who_sees(zone))))
    });
    seats.chain(zones).chain(fixed).chain(functions).chain(words).collect()
}
