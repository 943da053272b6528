//! Rulesets: a game, its variants in order and their settings, merged and identified by a content hash.
//!
//! A [`Ruleset`] is plain data that any thread may read. Its layers fit together; whether its scripts are valid is
//! checked when they are compiled (see [`script`](crate::script)).

mod assembly;
mod selection;
mod variant_order;

pub use selection::{Selection, SelectionPart, shell_quoted};

use crate::definition::tree::{Node, Value};
use crate::definition::{
    AskedSetting, Definition, Edition, Layer, LayerKind, Library, Origin, OriginKind, RuleFile, ScriptText,
};
use crate::diagnostic::{Diagnostic, Diagnostics, MAX_SOURCE_BYTES, Message, Place, message};
use crate::sorted::{SortedMap, SortedSet};
use crate::table::event::ScriptPoint;
use std::sync::Arc;

/// Most lines that the scripts of a ruleset may have together: the interpreter counts lines up to 65,535.
pub const MAX_LINES: usize = 60_000;

/// A game with its variants, ready to be compiled.
#[derive(Debug)]
pub struct Ruleset {
    /// The selection that was loaded, to load it again; its variants include those that others require, in order.
    pub selection: Selection,
    /// The libraries that the layers use, lowest first.
    pub libraries: Vec<Layer>,
    /// The games that the game is laid over (its bases), lowest first.
    pub bases: Vec<Layer>,
    pub game: Layer,
    /// The variants, lowest first.
    pub variants: Vec<Layer>,
    /// The merged definition: everything that is not script.
    pub definition: Arc<Definition>,
    /// Effective settings of the game and of each variant, in order.
    pub settings: Vec<(String, SortedMap<String, toml::Value>)>,
    /// Values that were set without being declared as settings, as `layer.path`.
    pub overridden: Vec<(String, toml::Value)>,
    /// The scripts, lowest first.
    pub scripts: Vec<ScriptLayer>,
    /// Problems that do not prevent play.
    pub warnings: Vec<Diagnostic>,
    /// Changes to the selection: variants that were added or moved because others require them.
    pub notes: Vec<Diagnostic>,
    /// `blake3:` and the hash of the content of every layer and of every setting.
    pub hash: String,
    /// Paths of the texts that do not ship with this version of the program, or not with this content.
    not_shipped: SortedSet<String>,
    /// Paths of the texts that ship with this version of the program with another content.
    changed: SortedSet<String>,
}

/// The hash of a list of texts: `blake3:` and 64 hexadecimal digits. Lists that differ differ in the hashed bytes, for
/// the length of each text precedes it.
pub fn hash_of<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hasher = blake3::Hasher::new();
    for text in texts {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    format!("blake3:{}", hasher.finalize().to_hex())
}

/// A script of a ruleset, and its range of lines in the joined scripts.
#[derive(Debug)]
pub struct ScriptLayer {
    /// Id of the library, game or variant.
    pub id: String,
    /// The role of the script's layer.
    pub role: Role,
    pub script: ScriptText,
    /// The edition of the language that the script is written in.
    pub edition: Edition,
    /// Where the script's layer was found.
    pub origin: Origin,
    /// Number of lines in the joined scripts before the first of this one.
    pub lines_before: usize,
    /// Number of lines of this script; the end of the text counts as one.
    pub lines: usize,
}

/// The role of a layer in a ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A library of `scripts/`.
    Library,
    /// A game that the game is laid over, by its index, the lowest first.
    Base(usize),
    Game,
    /// A variant, by its index, the lowest first.
    Variant(usize),
}

impl Ruleset {
    /// Every layer, the lowest first: the games that the game is laid over, the game, its variants.
    pub fn layers(&self) -> impl DoubleEndedIterator<Item = &Layer> + Clone {
        layers(&self.bases, &self.game, &self.variants)
    }

    /// Every layer with the libraries below the game, lowest first.
    pub fn all_layers(&self) -> impl DoubleEndedIterator<Item = &Layer> + Clone {
        self.libraries.iter().chain(self.layers())
    }

    /// Index of the game among the [layers](Self::layers), from 0.
    pub fn game_number(&self) -> usize {
        self.bases.len()
    }

    /// Every layer and library with the path that it would have below a root, and where it was found.
    pub fn origins(&self) -> Vec<(String, &Origin)> {
        self.layers().chain(&self.libraries).map(|layer| (layer.path(), &layer.origin)).collect()
    }

    /// Where the game or a variant was found, if that is a surprise: in the program; in a file that replaces one that
    /// ships with the program; or, for a variant, neither beside the game nor in the folder that the person works in.
    /// `None` where the place is usual.
    pub fn unusual_origin<'a>(&self, layer: &'a Layer) -> Option<&'a Origin> {
        let origin = &layer.origin;
        let is_game = matches!(layer.kind, LayerKind::Game);
        if origin.is_built_in() {
            return (is_game || !self.game.origin.is_built_in()).then_some(origin);
        }
        let is_usual = match origin.found() {
            OriginKind::Root(_) if self.is_changed(&layer.files()) => false,
            _ if is_game => true,
            OriginKind::Root(_) => origin.root() == self.game.origin.root() || !origin.is_elsewhere(),
            OriginKind::Path => false,
            // A whole game from one file is reported as such when it is opened.
            OriginKind::Saved => *self.game.origin.found() == OriginKind::Saved,
        };
        (!is_usual).then_some(origin)
    }

    /// A copy of `library` in which everything in play stays where it was found.
    pub fn library_with_kept_layers(&self, library: &Library) -> Library {
        let by_id = self.origins().into_iter().filter(|(_, origin)| *origin.found() != OriginKind::Path);
        library.with_kept_layers(by_id.map(|(path, origin)| (path, origin.clone())).collect())
    }

    /// The texts of the rules, the game's first: all of them, or only those of layers that do not ship with this
    /// version of the program.
    pub fn files(&self, all: bool) -> Vec<RuleFile> {
        // Rules that ship with the program are found by id on every machine, but not by a person's path.
        let is_carried = |(files, origin): &(Vec<RuleFile>, &Origin)| {
            all || *origin.found() == OriginKind::Path || !self.are_shipped(files)
        };
        self.texts().filter(is_carried).flat_map(|(files, _)| files).collect()
    }

    /// Whether all these files of the ruleset ship with this version of the program.
    pub fn are_shipped(&self, files: &[RuleFile]) -> bool {
        files.iter().all(|file| !self.not_shipped.contains(&file.path))
    }

    /// Whether this version of the program ships any of these files with another content.
    pub fn is_changed(&self, files: &[RuleFile]) -> bool {
        files.iter().any(|file| self.changed.contains(&file.path))
    }

    /// Paths of the rules that a saved game brought, and no folder of the library has with the same text.
    pub fn saved_only_paths(&self, library: &Library) -> Vec<String> {
        let is_on_disk = |file: &RuleFile| {
            let texts = library.roots().iter().filter_map(|root| {
                library.files().read_up_to(&root.join(&file.path), &file.path, MAX_SOURCE_BYTES as u64).ok()
            });
            texts.map(|source| source.text == file.text).next().unwrap_or(false)
        };
        let saved = self.texts().filter(|(_, origin)| *origin.found() == OriginKind::Saved);
        saved.flat_map(|(files, _)| files).filter(|file| !is_on_disk(file)).map(|file| file.path).collect()
    }

    /// The texts of each layer and library as saved games store them, the game's first, with where it was found.
    pub fn texts(&self) -> impl Iterator<Item = (Vec<RuleFile>, &Origin)> {
        self.layers().chain(&self.libraries).map(|layer| (layer.files_for_saves(), &layer.origin))
    }

    /// Indices of the variants that change the value under `keys` from what the layers below say.
    pub fn changed_by(&self, keys: &[&str]) -> Vec<usize> {
        let layers: Vec<&Layer> = self.all_layers().collect();
        let first = layers.len() - self.variants.len();
        let changing = self.variants.iter().enumerate().filter(|(number, layer)| {
            let path = |path: &[String]| path.iter().map(String::as_str).take(keys.len()).eq(keys.iter().copied());
            layer.additions.iter().any(|addition| path(&addition.path))
                || layer.value_at(keys).is_some_and(|said| is_another(said, keys, &layers[..first + number]))
        });
        changing.map(|(number, _)| number).collect()
    }

    /// Ids of the variants, lowest first.
    pub fn variant_ids(&self) -> impl Iterator<Item = &str> {
        self.variants.iter().map(|variant| variant.id.as_str())
    }

    /// Checks that the game allows this number of players.
    ///
    /// # Errors
    /// The number is outside the game's range.
    pub fn check_players(&self, players: usize) -> Result<(), Diagnostics> {
        self.check_players_as(players, "-p ")
    }

    /// Checks a number of players that is written in a file; the suggestion of the message is `players = …`, not `-p
    /// …`.
    ///
    /// # Errors
    /// The number is outside the game's range.
    pub fn check_players_of_file(&self, players: usize) -> Result<(), Diagnostics> {
        self.check_players_as(players, "players = ")
    }

    /// Checks a number of players; `key` is what stands before the number in a suggestion.
    fn check_players_as(&self, players: usize, key: &str) -> Result<(), Diagnostics> {
        let (fewest, most) = self.definition.players;
        if (fewest..=most).contains(&players) {
            return Ok(());
        }
        let name = &self.game.id;
        let written = format!("{key}{}", players.clamp(fewest, most));
        Err(match (fewest, most) {
            (1, 1) => {
                Diagnostic::new(message!("`{name}` is for 1 player, not {players}")).help(message!("give `{written}`"))
            }
            (_, _) if fewest == most => Diagnostic::new(message!("`{name}` is for {most} players, not {players}"))
                .help(message!("give `{written}`")),
            _ => Diagnostic::new(message!("`{name}` is for {fewest} to {most} players, not {players}"))
                .help(message!("give a number from {fewest} to {most}: `{written}`")),
        }
        .into())
    }

    /// The setting with this index among those that are asked for, with the layer that declares it.
    fn setting(&self, number: usize) -> Option<(&AskedSetting, &Layer)> {
        let setting = self.definition.asked.get(number)?;
        Some((setting, self.layers().find(|layer| layer.id == setting.layer)?))
    }

    /// The script that contains a point of the joined scripts.
    pub fn script_at(&self, at: ScriptPoint) -> Option<&ScriptLayer> {
        let line = usize::from(at.line);
        self.scripts.iter().find(|script| script.lines_before < line && line <= script.lines_before + script.lines)
    }

    /// The place of a point of the joined scripts, or of the declaration of a setting, for a diagnostic.
    pub fn place(&self, at: ScriptPoint, label: impl Into<Message>) -> Option<Place> {
        if let Some(setting) = at.setting() {
            let (setting, layer) = self.setting(setting)?;
            return layer.place_of(&["settings", &setting.key], label);
        }
        let script = self.script_at(at)?;
        let line = usize::from(at.line) - script.lines_before;
        let mut place = script.script.place(line, usize::from(at.column).max(1), label);
        place.span.end = word_end(&place.source.text, place.span.start);
        Some(place)
    }

    /// A point as `games/x/rules.rhai:31`, for lists.
    pub fn file_line(&self, at: ScriptPoint) -> Option<String> {
        let place = self.place(at, "")?;
        Some(format!("{}:{}", place.source.name, place.position().0))
    }

    /// The layer that contains a point, in words: `game`, `library trick`, `variant double`.
    pub fn layer_in_words(&self, at: ScriptPoint) -> Option<Message> {
        if let Some(setting) = at.setting() {
            let (_, layer) = self.setting(setting)?;
            return Some(match layer.is_variant() {
                true => message!("variant {}", layer.id),
                false if layer.id == self.game.id => "game".into(),
                false => message!("game {}", layer.id),
            });
        }
        let script = self.script_at(at)?;
        Some(match script.role {
            Role::Library => message!("library {}", script.id),
            Role::Base(_) => message!("game {}", script.id),
            Role::Game => "game".into(),
            Role::Variant(_) => message!("variant {}", script.id),
        })
    }
}

fn layers<'l>(
    bases: &'l [Layer],
    game: &'l Layer,
    variants: &'l [Layer],
) -> impl DoubleEndedIterator<Item = &'l Layer> + Clone {
    bases.iter().chain(std::iter::once(game)).chain(variants)
}

/// End of the word that starts at byte `start`, so that a caret underlines all of it.
pub(crate) fn word_end(text: &str, start: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    let word = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
    if word > 0 { start + word } else { start + rest.chars().next().map_or(0, char::len_utf8) }
}

/// Whether a value under `keys` differs from that of the layers below, or is new.
fn is_another(said: &Node, keys: &[&str], below: &[&Layer]) -> bool {
    let Some(known) = below.iter().rev().find_map(|layer| layer.value_at(keys)) else { return true };
    match (&said.value, &known.value) {
        (Value::Table(entries), Value::Table(_)) => {
            entries.iter().any(|(key, entry)| is_another(&entry.node, &[keys, &[key]].concat(), below))
        }
        _ => said.to_toml() != known.to_toml(),
    }
}
