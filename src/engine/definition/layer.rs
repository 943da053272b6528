//! A layer: one file as it was read, a game, a variant to lay over it, or a library to lay it on.

mod cache;
mod reader;

pub(super) use cache::LayerCache;

use super::Text;
use super::edition::Edition;
use super::keys::KeyInfo;
use super::keys::table::layer;
use super::origin::{Origin, OriginKind, RuleFile};
use super::prose::RULEBOOK_FILE;
use super::schema::{Checker, Fields};
use super::script_text::ScriptText;
use super::setting::Setting;
use super::tree::{Node, TomlTable};
use crate::catalogue::{Message, message};
use crate::diagnostic::{Diagnostics, Place, Source};
use crate::files::path_name;
use crate::sorted::SortedMap;
use std::borrow::Cow;
use std::sync::Arc;

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
    pub conflicts: SortedMap<String, Text>,
    /// Variants that must lie below this one, each with the place that says so.
    pub requires: Vec<(String, Place)>,
    /// Values for settings of the required variants and of the game: layer, setting, value.
    pub with: Vec<(String, String, Node)>,
    /// Elements that the layer adds to lists of the layers below.
    pub additions: Vec<Addition>,
    /// Options that the layer declares, with their defaults.
    pub settings: SortedMap<String, Setting>,
    /// Libraries of `scripts/` that the layer builds on, lowest first.
    pub uses: Vec<String>,
    /// The tables that are overlaid: `players teams data components attributes looks zones variables keeps text
    /// standing tie_breaks bounds`.
    pub tables: TomlTable,
    /// The whole file, to find places in.
    pub(super) whole: TomlTable,
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
    pub elements: Vec<Node>,
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

impl Layer {
    /// The name by which the variant is found again, on any system: its id, or its path where a person named the file
    /// by path, as then no folder of the library has it.
    pub fn lookup_name(&self) -> Cow<'_, str> {
        match self.origin.found() {
            OriginKind::Path => Cow::Owned(path_name(self.origin.path())),
            OriginKind::Root(_) | OriginKind::Saved => Cow::Borrowed(&self.id),
        }
    }

    /// The layer's settings, with those choices resolved that stand in the data of all layers.
    pub(super) fn settings_with(&self, data: &Fields<'_>, checker: &mut Checker) -> SortedMap<String, Setting> {
        let mut settings = self.settings.clone();
        let open = settings.values().any(|setting| setting.choices_path.is_some());
        let declared = self.whole.table(layer::SETTINGS.name()).filter(|_| open);
        let Some(declared) = declared else { return settings };
        let place = Place::new(&self.source, 0..0, "");
        let fields = Fields { path: layer::SETTINGS.name().to_owned(), place, table: declared };
        for (order, (key, field)) in fields.each().enumerate() {
            if let Some(known) = settings.get_mut(key).filter(|known| known.choices_path.is_some())
                && let Some(read) = Setting::read(&field, order, Some(data), checker)
            {
                *known = read;
            }
        }
        settings
    }

    /// The place of a value in the layer's own file, by the keys that lead to it: `["conflicts", "double"]`.
    pub fn place_of(&self, keys: &[&str], label: impl Into<Message>) -> Option<Place> {
        Some(self.whole.at(keys)?.place(label))
    }

    /// The place of a key in a table of the layer's own file.
    pub fn place_of_key(&self, table: &str, key: &str, label: impl Into<Message>) -> Option<Place> {
        Some(self.whole.table(table)?.entry(key)?.key.with_label(label))
    }

    /// The value under `keys` in those tables of the layer that lie over other layers; `None` where it has none.
    pub fn value_at(&self, keys: &[&str]) -> Option<&Node> {
        self.tables.at(keys)
    }

    /// The path of the layer's file below a root: `variants/high-card/double.toml`. A library is named after its script
    /// if that is a file of its own, otherwise after its definition.
    pub fn path(&self) -> String {
        match &self.kind {
            LayerKind::Library if self.adjacent_script().is_some() => self.script_path(),
            _ => self.definition_path(),
        }
    }

    fn definition_path(&self) -> String {
        match &self.kind {
            LayerKind::Game => format!("games/{}/game.toml", self.id),
            LayerKind::Variant { game } => format!("variants/{game}/{}.toml", self.id),
            LayerKind::Library => format!("scripts/{}.toml", self.id),
        }
    }

    fn script_path(&self) -> String {
        match &self.kind {
            LayerKind::Game => format!("games/{}/rules.rhai", self.id),
            LayerKind::Variant { game } => format!("variants/{game}/{}.rhai", self.id),
            LayerKind::Library => format!("scripts/{}.rhai", self.id),
        }
    }

    /// The layer's script, if that has a file of its own.
    fn adjacent_script(&self) -> Option<&ScriptText> {
        self.script.as_ref().filter(|script| self.is_script_alone() || !Arc::ptr_eq(&script.source, &self.source))
    }

    /// Whether the layer is a library without a definition.
    pub(crate) fn is_script_alone(&self) -> bool {
        let fills = |script: &ScriptText| script.start == 0 && Arc::ptr_eq(&script.source, &self.source);
        self.script.as_ref().is_some_and(fills)
    }

    /// The texts of the layer: its file, and the script and the rulebook where they are files beside it.
    pub fn files(&self) -> Vec<RuleFile> {
        let rulebook = self.readable_rulebook();
        let rulebook = rulebook
            .map(|source| RuleFile { path: format!("games/{}/{RULEBOOK_FILE}", self.id), text: source.text.clone() });
        self.files_for_saves().into_iter().chain(rulebook).collect()
    }

    /// The texts of the layer that a saved game stores: all but a rulebook beside it, which does not affect play.
    pub fn files_for_saves(&self) -> Vec<RuleFile> {
        self.files_with(self.source.text.clone())
    }

    /// The texts of the layer's rules, without what is said to people alone.
    pub fn files_of_rules(&self) -> Vec<RuleFile> {
        self.files_with(self.text_of_rules())
    }

    fn files_with(&self, text: String) -> Vec<RuleFile> {
        let own = RuleFile { path: self.definition_path(), text };
        let own = Some(own).filter(|_| !self.is_script_alone());
        let beside =
            self.adjacent_script().map(|script| RuleFile { path: self.script_path(), text: script.text.clone() });
        own.into_iter().chain(beside).collect()
    }

    /// The sources of the texts that [`files`](Self::files) gives.
    pub fn sources(&self) -> impl Iterator<Item = &Arc<Source>> {
        let own = Some(&self.source).filter(|_| !self.is_script_alone());
        own.into_iter().chain(self.adjacent_script().map(|script| &script.source)).chain(self.readable_rulebook())
    }

    fn readable_rulebook(&self) -> Option<&Arc<Source>> {
        self.rulebook.as_ref().and_then(|read| read.as_ref().ok())
    }

    /// Whether this variant works with a game: `lineage` has the game and those that it is laid over, `libraries` the
    /// libraries that they use. False for a game or a library.
    pub fn fits(&self, lineage: &[String], libraries: &[String]) -> bool {
        match &self.kind {
            LayerKind::Variant { game } if game == ANY_GAME => {
                self.fits.games.iter().any(|game| lineage.contains(game))
                    || self.fits.library.as_ref().is_some_and(|library| libraries.contains(library))
            }
            LayerKind::Variant { game } => lineage.contains(game),
            LayerKind::Game | LayerKind::Library => false,
        }
    }

    /// The games that this variant works with, in words.
    pub fn games_in_words(&self) -> Message {
        let quoted =
            |games: &[String]| Message::list(games.iter().map(|game| Message::verbatim(format!("`{game}`"))), ", ");
        match (&self.kind, &self.fits.library) {
            (LayerKind::Variant { game }, _) if game != ANY_GAME => Message::verbatim(format!("`{game}`")),
            (_, None) => quoted(&self.fits.games),
            (_, Some(library)) if self.fits.games.is_empty() => message!("every game that uses `{library}`"),
            (_, Some(library)) => message!("{}, and every game that uses `{library}`", quoted(&self.fits.games)),
        }
    }

    /// Whether the layer is a variant.
    pub fn is_variant(&self) -> bool {
        matches!(self.kind, LayerKind::Variant { .. })
    }
}
