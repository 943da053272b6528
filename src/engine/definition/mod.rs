//! Typed definitions of games, read from TOML with spans: layers, overlaying, and finding games and variants on disk.
//!
//! A [`Layer`] is one file as it was read: a game or a variant. A [`Library`] finds them on disk. [`overlay()`] lays
//! variants over a game, table by table, and gives the [`Definition`] that a ruleset is made of. Nothing here
//! interprets scripts: their text is kept as it stands.
//!
//! Every value keeps the place it was written at ([`tree`]) until the definition is made, so that a wrong value is shown
//! in the file it came from, whichever layer that is.

mod asks;
mod attributes;
mod board;
mod bounds;
mod components;
mod design;
mod edition;
mod folder;
pub mod keys;
mod layer;
mod library;
pub mod measure;
mod names;
mod origin;
mod overlay;
mod overrides;
pub mod picture;
mod prose;
pub mod schema;
mod script_text;
mod setting;
pub mod sign;
mod strays;
mod svg;
mod tables;
mod templates;
pub mod toml_text;
// These tests use the shipped games, and no name of a game may stand in the source.
#[cfg(test)]
#[path = "../../../tests/unit/definition.rs"]
mod tests;
pub mod tree;
mod variables;
mod zones;

pub use crate::catalogue::Language;
pub use attributes::Looks;
pub use board::{Board, BoardCell, MAX_ROWS, PLACE, Shape};
pub use bounds::Bounds;
pub use components::{Attribute, ComponentDefinition, ComponentGroup, ComponentKind, MAX_COMPONENTS};
pub use design::{Design, Icon, PICTURE_EXTENSIONS};
pub use edition::{Edition, LIBRARY_EDITION, edition_of_library};
pub use layer::{ANY_GAME, Addition, CompatibleGames, Layer, LayerKind};
pub use library::{LayerEntry, Library, is_path};
pub use names::{is_id, is_identifier};
pub use origin::{Origin, OriginKind, RuleFile, SavedRules};
pub use overlay::{MAX_VARIANTS, Overlay, overlay};
pub use overrides::Override;
pub use prose::{Position, Prose, ProseSection, ProseText, RULEBOOK_FILE, text_of_rules};
pub use script_text::ScriptText;
pub use setting::{ASK, AskedSetting, Setting, SettingQuestion};
pub use variables::{Bank, DeclaredType, VariableDefinition, VariableSharing, VariableValue};
pub use zones::{Visibility, ZoneDefinition, ZoneOrder};

use crate::catalogue::{Message, message};
use crate::diagnostic::Diagnostic;
use crate::sorted::{SortedMap, SortedSet};
use serde::{Deserialize, Serialize, Serializer};

/// Most seats a game can have.
pub const MAX_SEATS: usize = 16;

/// Most zones that one declaration can make for each seat.
const MAX_ZONES_PER_DECLARATION: i64 = 1_000;

/// The colours a terminal is sure to have, as `color` in the looks of an attribute's value names them.
pub const COLORS: [&str; 16] = [
    "black",
    "red",
    "green",
    "yellow",
    "blue",
    "magenta",
    "cyan",
    "white",
    "bright-black",
    "bright-red",
    "bright-green",
    "bright-yellow",
    "bright-blue",
    "bright-magenta",
    "bright-cyan",
    "bright-white",
];

impl From<&Text> for Message {
    fn from(text: &Text) -> Self {
        Self::of_rules(&text.en, text.translations.clone())
    }
}

/// A text in each language; English always exists.
#[derive(Clone, Debug, PartialEq, Eq, Default, Deserialize)]
#[serde(try_from = "SortedMap<String, String>")]
pub struct Text {
    /// English.
    pub en: String,
    translations: SortedMap<Language, String>,
}

impl Text {
    /// The text in a language, or in English where it was not translated.
    pub fn get(&self, language: Language) -> &str {
        self.in_language(language).unwrap_or(&self.en)
    }

    /// The text in a language; `None` where it was not translated.
    pub fn in_language(&self, language: Language) -> Option<&str> {
        match language {
            Language::English => Some(&self.en),
            other => self.translations.get(&other).map(String::as_str),
        }
    }

    /// The text in each language that it has, English first.
    pub fn all(&self) -> impl Iterator<Item = (Language, &str)> {
        Language::ALL.into_iter().filter_map(|language| Some((language, self.in_language(language)?)))
    }

    /// The text with what a function gives for each language but English, where it gives something.
    pub fn translated<T: Into<String>>(mut self, mut translation: impl FnMut(Language) -> Option<T>) -> Self {
        let translations = Language::translations();
        self.translations.extend(translations.filter_map(|language| Some((language, translation(language)?.into()))));
        self
    }
}

impl From<String> for Text {
    fn from(en: String) -> Self {
        Self { en, translations: SortedMap::new() }
    }
}

impl TryFrom<SortedMap<String, String>> for Text {
    type Error = String;

    fn try_from(mut texts: SortedMap<String, String>) -> Result<Self, String> {
        let en = texts.remove(Language::English.code()).ok_or("missing field `en`")?;
        let text = Self::from(en).translated(|language| texts.remove(language.code()));
        let known = || Language::ALL.map(|language| format!("`{}`", language.code())).join(" or ");
        match texts.keys().next() {
            Some(key) => Err(format!("unknown field `{key}`, expected {}", known())),
            None => Ok(text),
        }
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.all().map(|(language, text)| (language.code(), text)))
    }
}

/// A game with its variants laid over it: everything about it that is not script.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// Id of the game.
    pub game: String,
    /// Fewest and most seats.
    pub players: (usize, usize),
    /// The teams for a number of players, each as its seats, from 1.
    pub teams: SortedMap<usize, Vec<Vec<usize>>>,
    /// The groups of components, in order of declaration.
    pub components: Vec<ComponentGroup>,
    /// How values of attributes are called and drawn: attribute, value, looks.
    pub attributes: SortedMap<String, SortedMap<String, Looks>>,
    /// The printed designs of components, by the names of their groups.
    pub looks: SortedMap<String, Design>,
    /// Errors in the printed designs. They do not affect the game.
    pub wrong_looks: Vec<Diagnostic>,
    /// Zones in order of declaration.
    pub zones: Vec<ZoneDefinition>,
    /// Variables in order of declaration; `score` of each seat is always there.
    pub variables: Vec<VariableDefinition>,
    /// The rulebook's numbers and tables, read by scripts as `data`.
    pub data: toml::Table,
    /// Words shown to people: prompts, acts, reasons.
    pub text: SortedMap<String, Text>,
    /// Prompts whose answers only the seat that gave them knows, until the rules show them.
    pub secrets: SortedSet<String>,
    /// The script function that scores one player, run on a copy of the table to show running points.
    pub standing: Option<String>,
    /// Variables of the seats that decide between equal scores: the highest value is best, and earlier variables decide
    /// first.
    pub tie_breaks: Vec<String>,
    /// The bounds, within one game, of `score` and of what the rules measure.
    pub bounds: SortedMap<String, Bounds>,
    /// The settings that are asked for, in the order of the layers and of their declaration.
    pub asked: Vec<AskedSetting>,
}

/// A number, a truth or a text, as people write one: in a definition, in a scenario, by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// A whole number.
    Number(i64),
    /// True or false.
    Truth(bool),
    Text(String),
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Truth(truth) => write!(f, "{truth}"),
            Self::Text(text) => write!(f, "{text:?}"),
        }
    }
}

impl Definition {
    /// The words for a key of `[text]`.
    pub fn text(&self, key: &str) -> Option<&Text> {
        self.text.get(key)
    }

    /// How to write the zone that `name` probably means, where a script uses the id or the name of a cell or place on
    /// its own; `None` where `name` is neither.
    pub fn hint_for_cell_name(&self, name: &str) -> Option<Message> {
        let written = self.zones.iter().find_map(|zone| zone.written_cell(name));
        written.map(|written| message!("write `{written}`"))
    }
}
