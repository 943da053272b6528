//! Typed definitions of games, read from TOML with spans: layers, overlaying, and finding games and variants on disk.
//!
//! A [`Layer`] is one file as it was read: a game or a variant. A [`Library`] finds them on disk. [`overlay()`] lays
//! variants over a game, table by table, and gives the [`Definition`] that a ruleset is made of. Nothing here
//! interprets scripts: their text is kept as it stands.
//!
//! Every value keeps the place it was written at ([`tree`]) until the definition is made, so that a wrong value is shown
//! in the file it came from, whichever layer that is.

mod asks;
mod board;
mod components;
mod design;
mod edition;
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

pub use crate::catalogue::Language;
pub use board::{Board, BoardCell, MAX_ROWS, PLACE, Shape};
pub use components::MAX_COMPONENTS;
pub use design::{Design, Icon, PICTURE_EXTENSIONS};
pub use edition::{Edition, LIBRARY_EDITION, edition_of_library};
pub use library::is_path;
pub use library::{GameEntry, Library, LibraryEntry, VariantEntry};
pub use names::{is_id, is_identifier};
pub use origin::{Origin, OriginKind, RuleFile, SavedRules};
pub use overlay::{MAX_VARIANTS, Overlay, overlay};
pub use overrides::Override;
pub use prose::{Position, Prose, ProseSection, ProseText, RULEBOOK_FILE, text_of_rules};

use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

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

/// A text in each language; English always exists.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    /// English.
    pub en: String,
    /// Japanese, where it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ja: Option<String>,
}

/// One file as it was read: a game, a variant to lay over it, or a library to lay it on.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Lower-case letters, digits and `-`: the name on the command line and in files.
    pub id: String,
    /// The edition of the language that the layer is written in.
    pub edition: Edition,
    /// Whether it is a game, a variant of which game, or a library.
    pub kind: LayerKind,
    /// For a game, the one that it is laid over, and where it says so; `None` where there is none.
    pub base: Option<(String, Place)>,
    /// For a variant in `variants/any`, the games that it works with.
    pub fits: CompatibleGames,
    /// Paths of keys that the layer removes from the layers below, each with the place that says so.
    pub removals: Vec<(Vec<String>, Place)>,
    /// The name that people read.
    pub name: Text,
    /// One or two sentences for `list` and `show`.
    pub about: Text,
    /// Version of the layer; `None` where it names none.
    pub version: Option<semver::Version>,
    /// Author of the layer.
    pub author: Option<String>,
    /// Licence: what others may do with the layer.
    pub licence: Option<String>,
    /// The TOML file; for a library without one, its script.
    pub source: Arc<Source>,
    /// Where the layer was found.
    pub origin: Origin,
    /// The rules script, if the layer has one.
    pub script: Option<ScriptText>,
    /// The file of the rulebook, if one lies beside, or why it cannot be read. Only [`prose`](Layer::prose) looks into
    /// it, so that the game can be played whatever it contains.
    pub rulebook: Option<Result<Arc<Source>, Diagnostics>>,
    /// Variants that cannot be combined with this one, each with the reason.
    pub conflicts: BTreeMap<String, Text>,
    /// Variants that must lie below this one, each with the place that says so.
    pub requires: Vec<(String, Place)>,
    /// Values for settings of the required variants and of the game: layer, setting, value.
    pub with: Vec<(String, String, tree::Node)>,
    /// Elements that the layer adds to lists of the layers below.
    pub additions: Vec<Addition>,
    /// Options that the layer declares, with their defaults.
    pub settings: BTreeMap<String, Setting>,
    /// Libraries of `scripts/` that the layer builds on, lowest first.
    pub uses: Vec<String>,
    /// The tables that are overlaid: `players teams data components attributes looks zones variables keeps text standing
    /// tie_breaks bounds`.
    pub tables: tree::TomlTable,
    /// The whole file, to find places in.
    whole: tree::TomlTable,
}

/// The games that a variant in `variants/any` works with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompatibleGames {
    /// Ids of games.
    pub games: Vec<String>,
    /// Id of a library: the variant works with every game that uses it.
    pub library: Option<String>,
}

/// The id that stands in place of a game for variants that work with several; also the folder in which they lie.
pub const ANY_GAME: &str = "any";

/// Elements that a layer adds to a list: `"components.card.list+" = [ … ]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Addition {
    /// The keys that lead to the list.
    pub path: Vec<String>,
    /// The place of the key.
    pub key: Place,
    pub elements: Vec<tree::Node>,
}

/// What a layer is: a game, a variant or a library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayerKind {
    /// A whole game.
    Game,
    /// A variant of a game.
    Variant {
        /// Id of the game; [`ANY_GAME`] for a variant that works with several.
        game: String,
    },
    /// Rules that several games share, from `scripts/`.
    Library,
}

/// A script as text, with the place it came from so that its lines can be named.
#[derive(Clone, Debug)]
pub struct ScriptText {
    /// The file the text stands in: the `.rhai` file, or the TOML file of an inline script.
    pub source: Arc<Source>,
    /// Number of lines of that file before the script's first line; 0 for a file of its own on disk.
    pub first_line: usize,
    /// Byte of that file at which the script starts; 0 for a file of its own. The script stands there as it is.
    pub start: usize,
    /// The script itself.
    pub text: String,
}

/// An option that a layer declares for its users.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The value unless somebody sets another; its type is the setting's type.
    pub default: toml::Value,
    /// The values that may be chosen, or the elements of a list; empty where anything of the type may.
    pub choices: Vec<toml::Value>,
    /// The path in the data that has the choices, where they are not written out. `choices` is empty then until the
    /// layers lie over each other.
    pub choices_path: Option<String>,
    /// Lowest value of a number, or of each number of a list.
    pub min: Option<i64>,
    /// Highest value of a number, or of each number of a list.
    pub max: Option<i64>,
    /// What the setting does.
    pub help: Text,
    /// How the setting is asked for, if nobody sets it; [`ASK`] is then the first of the choices. `None` where it is
    /// never asked for.
    pub ask: Option<SettingQuestion>,
}

/// The value of a setting that is still to be asked for.
pub const ASK: &str = "ask";

/// How a setting is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingQuestion {
    /// The prompt: `choose_color`.
    pub prompt: String,
    /// Whether the value is drawn by lot, and nobody is asked.
    pub by_lot: bool,
    /// The variable that holds the answer.
    pub variable: String,
    /// Another setting of the layer that is asked for, whose value this one cannot have.
    pub unlike: Option<String>,
    /// Index of the setting among those of its layer, in order of declaration.
    pub order: usize,
}

/// A setting that is asked for in a game, or that was set so that it need not be.
#[derive(Clone, Debug, PartialEq)]
pub struct AskedSetting {
    /// Id of the layer.
    pub layer: String,
    /// Name of the setting in that layer.
    pub key: String,
    /// How the setting is asked for.
    pub ask: SettingQuestion,
    /// The possible answers.
    pub choices: Vec<String>,
    /// The value that was set; `None` where the setting is still to be asked for.
    pub value: Option<String>,
}

impl AskedSetting {
    /// Whether this setting cannot have the value of `other`: both are of one layer, and one of the two says so.
    pub fn differs_from(&self, other: &Self) -> bool {
        let names = |one: &Self, other: &Self| one.ask.unlike.as_deref() == Some(&*other.key);
        self.layer == other.layer && (names(self, other) || names(other, self))
    }

    /// Whether a player answers the setting: nobody has set it, and it is not drawn by lot.
    pub fn is_question(&self) -> bool {
        self.value.is_none() && !self.ask.by_lot
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
    pub teams: BTreeMap<usize, Vec<Vec<usize>>>,
    /// The groups of components, in order of declaration.
    pub components: Vec<ComponentGroup>,
    /// How values of attributes are called and drawn: attribute, value, looks.
    pub attributes: BTreeMap<String, BTreeMap<String, Looks>>,
    /// The printed designs of components, by the names of their groups.
    pub looks: BTreeMap<String, Design>,
    /// Errors in the printed designs. They do not affect the game.
    pub wrong_looks: Vec<Diagnostic>,
    /// Zones in order of declaration.
    pub zones: Vec<ZoneDefinition>,
    /// Variables in order of declaration; `score` of each seat is always there.
    pub variables: Vec<VariableDefinition>,
    /// The rulebook's numbers and tables, read by scripts as `data`.
    pub data: toml::Table,
    /// Words shown to people: prompts, acts, reasons.
    pub text: BTreeMap<String, Text>,
    /// Prompts whose answers only the seat that gave them knows, until the rules show them.
    pub secrets: BTreeSet<String>,
    /// The script function that scores one player, run on a copy of the table to show running points.
    pub standing: Option<String>,
    /// Variables of the seats that decide between equal scores: the highest value is best, and earlier variables decide
    /// first.
    pub tie_breaks: Vec<String>,
    /// The bounds, within one game, of `score` and of what the rules measure.
    pub bounds: BTreeMap<String, Bounds>,
    /// The settings that are asked for, in the order of the layers and of their declaration.
    pub asked: Vec<AskedSetting>,
}

/// The bounds of a number, as far as they are known beforehand. Both ends are possible values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// The lowest possible value; `None` where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<i64>,
    /// The highest possible value; `None` where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<i64>,
}

impl Bounds {
    /// Bounds of which both ends are known.
    pub fn between(min: i64, max: i64) -> Self {
        Self { min: Some(min), max: Some(max) }
    }

    /// Whether values from `least` to `greatest` lie within the bounds.
    pub fn contains_range(self, (least, greatest): (i64, i64)) -> bool {
        self.min.is_none_or(|min| min <= least) && self.max.is_none_or(|max| greatest <= max)
    }

    /// The bounds of the same number in a smaller unit, of which `scale` make one. An end that overflows becomes
    /// unknown.
    #[must_use]
    pub fn scaled(self, scale: i64) -> Self {
        let scaled = |end: Option<i64>| end.and_then(|end| end.checked_mul(scale));
        Self { min: scaled(self.min), max: scaled(self.max) }
    }

    /// The bounds of the difference between a number and another one.
    #[must_use]
    pub fn difference(self, other: Self) -> Self {
        let difference = |one: Option<i64>, other: Option<i64>| one?.checked_sub(other?);
        Self { min: difference(self.min, other.max), max: difference(self.max, other.min) }
    }
}

/// Components declared together: a deck, a set of dice.
#[derive(Clone, Debug, PartialEq)]
pub struct ComponentGroup {
    /// Name of the group; scripts get its members by `components("card")`.
    pub name: String,
    /// Card, die or token.
    pub kind: ComponentKind,
    /// Name of the back: groups of one kind with the same back look alike from behind. The name of the group, unless it
    /// says otherwise.
    pub back: String,
    /// The components, in order.
    pub members: Vec<ComponentDefinition>,
}

/// What sort of object a component is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ComponentKind {
    /// An object with a face that can be hidden.
    Card,
    /// An object with a value that is rolled.
    Die,
    /// An object with neither a hidden face nor a value that is rolled.
    Token,
}

/// One component as declared: what is printed on it.
#[derive(Clone, Debug, PartialEq)]
pub struct ComponentDefinition {
    /// Id, unique in the game: `14`, `club-7`. It names the face in files, logs and messages.
    pub id: String,
    /// The face as the table draws it, with the names of attributes in braces in place of their values.
    pub face: String,
    /// Values of its attributes, in order of declaration.
    pub attributes: Vec<(String, Attribute)>,
    /// Names of the sides, from side 1; for a die, their numbers. Empty for a component with only one side.
    pub sides: Arc<[String]>,
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Attribute {
    Number(i64),
    /// A word, such as a colour.
    Word(String),
}

/// How a value of an attribute is called and drawn.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Looks {
    /// The name that people read.
    pub name: Text,
    /// One or two letters for the table; the name where absent.
    pub short: Option<Text>,
    /// A colour for terminals that have them: one of [`COLORS`].
    pub color: Option<String>,
}

/// A place where components lie.
#[derive(Clone, Debug, PartialEq)]
pub struct ZoneDefinition {
    /// Id of the zone: `hand`, `ring`.
    pub id: String,
    /// The name that people read.
    pub name: Text,
    /// Whether each seat has such a zone; otherwise the table has one.
    pub per_seat: bool,
    /// Number of such zones, where there are several; scripts number them from 1.
    pub count: Option<usize>,
    /// The board that the zones form, where they are the cells of one.
    pub board: Option<Arc<Board>>,
    /// Pattern of the ids of cells, with [`PLACE`] for the name of the cell. Where `None`, an id is the zone's, a point
    /// and the name.
    pub ids: Option<String>,
    /// Who sees the faces in the zone.
    pub visible: Visibility,
    /// How the zone is ordered and drawn.
    pub order: ZoneOrder,
    /// Script function that gives a mark to draw before the zone.
    pub mark: Option<String>,
    /// Script function that gives a note to draw after the zone.
    pub note: Option<String>,
}

impl ZoneDefinition {
    /// The id of a cell or place of this zone, without its owner.
    pub fn id_of_cell(&self, cell: &str) -> String {
        match &self.ids {
            Some(pattern) => pattern.replace(board::PLACE, cell),
            None => format!("{}.{cell}", self.id),
        }
    }

    /// How rules write one of several zones: `limit["red"]`, `p.columns[1]`; `None` for a zone that is alone.
    pub fn written(&self, owner: &str) -> Option<String> {
        self.count?;
        let first = self.board.as_ref().and_then(|board| board.cells.first());
        Some(self.written_at(owner, &first.map_or("1".to_owned(), |cell| format!("{:?}", cell.name))))
    }

    /// How rules write the cell or place with this id; `None` where the zone has no such cell.
    fn written_cell(&self, id: &str) -> Option<String> {
        let mut cells = self.board.iter().flat_map(|board| &board.cells);
        let cell = cells.find(|cell| self.id_of_cell(&cell.name) == id)?;
        Some(self.written_at("p", &format!("{:?}", cell.name)))
    }

    fn written_at(&self, owner: &str, entry: &str) -> String {
        if self.per_seat { format!("{owner}.{}[{entry}]", self.id) } else { format!("{}[{entry}]", self.id) }
    }
}

/// Who sees the faces of the components in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Everybody sees the faces.
    All,
    /// The seat that the zone belongs to.
    Owner,
    /// Every seat but the one that the zone belongs to.
    Others,
    /// Everybody sees the top component, nobody the rest.
    Top,
    /// Nobody sees the faces.
    None,
    /// Everybody sees a component until the next one arrives (in a seat's zone, its owner); later it has to be
    /// remembered.
    Once,
}

/// How a zone is ordered and drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZoneOrder {
    /// A stack; only its top and its size are drawn.
    Pile,
    /// Side by side, from left to right.
    Row,
    /// In a circle, clockwise.
    Ring,
    /// Cards held by a player.
    Hand,
    /// Cards played one after the other by different seats.
    Trick,
}

/// A value that the table keeps.
#[derive(Clone, Debug, PartialEq)]
pub struct VariableDefinition {
    /// Id of the variable: `score`, `special_color`.
    pub id: String,
    /// The name that people read.
    pub name: Text,
    /// Whether each seat has such a variable; otherwise the table has one.
    pub per_seat: bool,
    /// For a variable of each seat, whether the seats of a team always share one value.
    pub by_team: bool,
    /// The value at the start; its type is the variable's type.
    pub default: VariableValue,
    /// The texts that are allowed; empty where any is.
    pub choices: Vec<String>,
    /// The lowest and the highest number that are allowed.
    pub limits: (Option<i64>, Option<i64>),
    /// Whether what players gain comes out of a bank.
    pub bank: Bank,
    /// Whether the table draws the variable; one for internal bookkeeping need not be seen.
    pub shown: bool,
    /// Who may read the variable: all, the seat that it belongs to, or nobody.
    pub visible: Visibility,
    /// Whether the next game of a campaign begins with the value that the variable has at the end of this one.
    pub keeps: bool,
}

/// The owner of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableSharing {
    /// Each seat has its own.
    Seat,
    /// Each team has one: its seats always have the same value.
    Team,
    /// The table has the only one.
    Table,
}

/// The value of a variable at the start, which says what it can hold.
#[derive(Clone, Debug, PartialEq)]
pub enum VariableValue {
    /// A number, a truth or a text.
    Plain(Scalar),
    /// Nothing yet, for a type that no default can express.
    Nothing(DeclaredType),
}

/// Whether a number is counted out of a bank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bank {
    /// There is no bank.
    #[default]
    None,
    /// There is a bank: what one player gains, the bank or another player loses.
    Has,
    /// This variable is the bank: what is left for the players' variable of the same name.
    Is,
}

/// The type of a variable that no default can express.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclaredType {
    /// A player, or nobody.
    Player,
    /// A component, or none.
    Component,
    /// A zone, or none.
    Zone,
    /// Several players, each once.
    Players,
    /// Several components, each once.
    Components,
    /// Several zones, each once.
    Zones,
    /// Any values.
    List,
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

impl Text {
    /// The text in a language, or in English where it was not translated.
    pub fn get(&self, language: Language) -> &str {
        match language {
            Language::Japanese => self.ja.as_deref().unwrap_or(&self.en),
            Language::English => &self.en,
        }
    }
}

impl ScriptText {
    /// A script that fills a file of its own.
    pub fn of_file(source: Arc<Source>) -> ScriptText {
        ScriptText { text: source.text.clone(), first_line: source.lines_before, start: 0, source }
    }

    /// The place in the file of a line and column of the script, both counted from 1.
    ///
    /// The span is empty: a script engine knows where trouble starts, not where it ends.
    pub fn place(&self, line: usize, column: usize, label: impl Into<String>) -> Place {
        let (_, first_column) = self.source.position(self.start);
        let column = if line <= 1 { column.max(1) + first_column - 1 } else { column };
        let offset = self.source.offset(line.max(1) + self.first_line, column);
        Place::new(&self.source, offset..offset, label)
    }
}

impl Definition {
    /// The words for a key of `[text]`.
    pub fn text(&self, key: &str) -> Option<&Text> {
        self.text.get(key)
    }

    /// How to write the zone that `name` probably means, where a script uses the id or the name of a cell or place on
    /// its own; `None` where `name` is neither.
    pub fn hint_for_cell_name(&self, name: &str) -> Option<String> {
        let boards = || self.zones.iter().filter_map(|zone| zone.board.as_ref());
        let written = self.zones.iter().find_map(|zone| zone.written_cell(name));
        let by_id = written.map(|written| format!("write `{written}`"));
        let by_name = || format!("write the name of a place in brackets: `[\"{name}\"]`");
        by_id.or_else(|| boards().any(|board| board.named(name).is_some()).then(by_name))
    }
}
