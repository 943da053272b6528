//! What can be said about rules that are loaded: what a name means, what can stand behind a dot, where things are declared.
//!
//! The REPL's help and completion ask here, and an editor can ask the same. Nothing is run to answer, so that nothing hidden is
//! told and nothing takes long.

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

/// Rules with what is needed to talk about them.
#[derive(Clone, Copy)]
pub struct Analysis<'a> {
    /// The rules.
    pub loaded: &'a Playable,
    /// Where variants and libraries are found that are not in play.
    pub library: &'a Library,
    /// The table in play, by whose components names are understood; `None` where no game is open.
    pub table: Option<&'a State>,
    /// The language of names.
    pub language: Language,
    /// How wide lines may be, in columns.
    pub width: usize,
}

/// Something that can be typed, with a few words about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What to type.
    pub text: String,
    /// What it is.
    pub about: String,
}

impl Candidate {
    /// A candidate with its description.
    pub fn new(text: impl Into<String>, about: impl Into<String>) -> Self {
        Self { text: text.into(), about: about.into() }
    }
}

impl Analysis<'_> {
    /// Everything that is called `name`, each meaning by itself; empty if nothing is.
    pub fn about(self, name: &str) -> Vec<Vec<Line>> {
        topics::about(self, name)
    }

    /// The source of what is called `name`: functions, and what TOML files declare.
    pub fn source(self, name: &str) -> Option<Vec<Line>> {
        in_play::source(self, name)
    }

    /// Every name that [`about`](Self::about) explains.
    pub fn topics(self) -> Vec<Candidate> {
        topics::names(self)
    }

    /// The members that can stand behind the last dot of an expression, and where the member's name begins in `line`. `None`
    /// if there is no dot, or if what stands before it cannot be told from the text.
    pub fn members(self, line: &str) -> Option<(usize, Vec<Candidate>)> {
        let game = Game { layout: &self.loaded.layout, ruleset: &self.loaded.ruleset, language: self.language };
        let (start, members) = members_at_the_end(game, line)?;
        Some((start, members.into_iter().map(|member| Candidate::new(member.text, member.about)).collect()))
    }

    /// What an expression can begin with: what the game has by name, then the words.
    pub fn roots(self) -> Vec<Candidate> {
        roots(self)
    }
}

/// What an expression can begin with: what the game has by name, then the words.
fn roots(analysis: Analysis<'_>) -> Vec<Candidate> {
    let functions = analysis.loaded.functions.iter().map(|function| {
        let call = format!("{}({})", function.name, function.parameters.join(", "));
        Candidate::new(format!("{}(", function.name), call)
    });
    let mut functions: Vec<Candidate> = functions.collect();
    // What several layers define is one name.
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
