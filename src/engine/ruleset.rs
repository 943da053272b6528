//! Rulesets: a game, its variants in order and their settings, merged and identified by a content hash.
//!
//! A [`Ruleset`] is plain data that any thread may read. Its layers fit together; whether its scripts are valid is
//! checked when they are compiled (see [`script`](crate::script)).

use crate::definition::tree::{Node, Value};
use crate::definition::{
    AskedSetting, Definition, Edition, Layer, LayerKind, Library, MAX_VARIANTS, Origin, OriginKind, Overlay, Override,
    RuleFile, ScriptText, overlay,
};
use crate::diagnostic::{Diagnostic, Diagnostics, MAX_SOURCE_BYTES, Place, classify_chars};
use crate::table::event::ScriptPoint;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// Most lines that the scripts of a ruleset may have together: the interpreter counts lines up to 65,535.
pub const MAX_LINES: usize = 60_000;

/// A choice of rules, by the names that a person types and replays keep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Id of the game.
    pub game: String,
    /// Ids of variants, or paths to variant files, in order.
    pub variants: Vec<String>,
    /// Settings as typed: `double.bonus=2`.
    pub set: Vec<String>,
}

impl Selection {
    /// A selection of a game without variants.
    pub fn of(game: &str) -> Self {
        Self { game: game.to_owned(), ..Self::default() }
    }

    /// The selection with one more variant on top.
    #[must_use]
    pub fn with(mut self, variant: &str) -> Self {
        self.variants.push(variant.to_owned());
        self
    }

    /// The shell command `houserule {name}` with this selection as its arguments.
    pub fn command(&self, name: &str) -> String {
        let given = |option: &str, all: &[String]| {
            all.iter().map(|one| format!(" {option} {}", shell_quoted(one))).collect::<String>()
        };
        format!(
            "houserule {name} {}{}{}",
            shell_quoted(&self.game),
            given("-v", &self.variants),
            given("--set", &self.set)
        )
    }

    /// Whether this selection is a proper part of `other`: the same game, and `other` has all its variants and
    /// settings.
    pub fn is_part_of(&self, other: &Self) -> bool {
        let mut rest = other.variants.iter();
        self != other
            && self.game == other.game
            && self.variants.iter().all(|variant| rest.any(|known| known == variant))
            && self.set.iter().all(|set| other.set.contains(set))
    }
}

/// Quotes a word for a shell of this system, where that is needed. A character that could act on a terminal, or cannot
/// be seen, is written by its code, as shells read it in `$'…'`, so that a command shown to somebody does what it looks
/// like. A word that begins with `-` gets `./` in front, so that no command reads it as an option.
pub fn shell_quoted(word: &str) -> Cow<'_, str> {
    if word.starts_with('-') && word != "-" {
        return Cow::Owned(shell_quoted(&format!("./{word}")).into_owned());
    }
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=,:+@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        Cow::Borrowed(word)
    } else if classify_chars(word).any(|(_, is_treacherous)| is_treacherous) {
        Cow::Owned(format!("$'{}'", classify_chars(word).map(escaped).collect::<String>()))
    } else if cfg!(windows) {
        // The one way that both `cmd` and PowerShell read.
        Cow::Owned(format!("\"{}\"", word.replace('"', "\\\"")))
    } else {
        Cow::Owned(format!("'{}'", word.replace('\'', "'\\''")))
    }
}

/// A character as written inside `$'…'`: a treacherous one by its code.
fn escaped((letter, is_treacherous): (char, bool)) -> String {
    match letter {
        '\'' | '\\' => format!("\\{letter}"),
        '\n' => "\\n".to_owned(),
        _ if is_treacherous && letter.is_ascii() => format!("\\x{:02x}", u32::from(letter)),
        _ if is_treacherous => format!("\\U{:08x}", u32::from(letter)),
        _ => letter.to_string(),
    }
}

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
    pub settings: Vec<(String, BTreeMap<String, toml::Value>)>,
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
    not_shipped: BTreeSet<String>,
    /// Paths of the texts that ship with this version of the program with another content.
    changed: BTreeSet<String>,
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

/// A part of a selection, to say where it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectionPart {
    /// The id of the game.
    Game,
    /// The list of variants.
    Variants,
    /// One of the variants, by its index.
    Variant(usize),
    /// One of the settings, by its index.
    Set(usize),
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
    /// Reads the layers of a selection and merges them.
    ///
    /// # Errors
    /// A file is invalid, or the layers do not fit together.
    pub fn load(library: &Library, selection: &Selection) -> Result<Self, Diagnostics> {
        Self::load_for(library, selection, &|_| None)
    }

    /// Loads a selection that is written in a file, like [`load`](Self::load). `asked` gives the place of each part,
    /// which errors point at where no other file is to blame.
    ///
    /// # Errors
    /// A file is invalid, or the layers do not fit together.
    pub fn load_for(
        library: &Library,
        selection: &Selection,
        asked: &dyn Fn(SelectionPart) -> Option<Place>,
    ) -> Result<Self, Diagnostics> {
        let blamed = |part: SelectionPart| move |errors: Diagnostics| errors.asked_for_at(asked(part));
        let mut game = library.game(&selection.game).map_err(blamed(SelectionPart::Game))?;
        let mut bases = library.bases(&game)?;
        let mut variants = Vec::with_capacity(selection.variants.len());
        let mut trouble = Vec::new();
        for (number, name) in selection.variants.iter().enumerate() {
            match library.variant(&game.id, name) {
                Ok(variant) => variants.push(variant),
                Err(errors) => trouble.extend(blamed(SelectionPart::Variant(number))(errors)),
            }
        }
        let mut overrides = Vec::with_capacity(selection.set.len());
        for (number, typed) in selection.set.iter().enumerate() {
            match Override::parse(typed) {
                Ok(setting) => overrides.push(setting),
                Err(error) => {
                    let error = match Override::without_layer(typed, layers(&bases, &game, &variants)) {
                        Some(name) => error.help(format!("did you mean `{name}`?")),
                        None => error,
                    };
                    trouble.extend(blamed(SelectionPart::Set(number))(error));
                }
            }
        }
        Diagnostics::refuse(trouble)?;
        let named = variants.into_iter().map(|variant| (variant.lookup_name().into_owned(), variant));
        let OrderedVariants { names, mut variants, notes } = order_variants(library, &game, named.collect())?;
        let is_in_play = |given: &Override| layers(&bases, &game, &variants).any(|layer| layer.id == given.layer);
        let absent = overrides.iter().zip(0..).filter(|(given, _)| !is_in_play(given));
        let absent = absent.filter(|(given, _)| library.variant(&game.id, &given.layer).is_ok());
        let absent = absent
            .map(|(given, number)| given.layer_not_in_play_error().asked_for_at(asked(SelectionPart::Set(number))));
        Diagnostics::refuse(absent.collect())?;
        // A value that does not fit is shown as typed, so its source identifies the override.
        let part_of = |error: &Diagnostic| {
            let source = error.place.as_ref().map(|place| &place.source);
            let is_typed = |given: &Override| source.is_some_and(|source| Arc::ptr_eq(source, &given.source));
            overrides.iter().position(is_typed).map_or(SelectionPart::Variants, SelectionPart::Set)
        };
        let libraries = libraries_of(library, layers(&bases, &game, &variants))?;
        let overlaid = overlay(&libraries, &bases, &game, &variants, &overrides).map_err(|errors| {
            errors.map(|error| {
                let part = part_of(&error);
                error.asked_for_at(asked(part))
            })
        })?;
        let Overlay { definition, settings, declared, mut warnings } = overlaid;
        for (layer, declared) in bases.iter_mut().chain([&mut game]).chain(&mut variants).zip(declared) {
            layer.settings = declared;
        }
        let overridden = overrides_beyond_settings(layers(&bases, &game, &variants), &overrides);
        let scripts = join_scripts(&libraries, &bases, &game, &variants)?;
        let hash = content_hash(&libraries, layers(&bases, &game, &variants), &scripts, &settings, &overridden);
        let mut ruleset = Self {
            selection: Selection { variants: names, ..selection.clone() },
            definition: Arc::new(definition),
            libraries,
            bases,
            game,
            variants,
            settings,
            overridden,
            scripts,
            warnings: Vec::new(),
            notes,
            hash,
            not_shipped: BTreeSet::new(),
            changed: BTreeSet::new(),
        };
        let files: Vec<RuleFile> = ruleset.all_layers().flat_map(Layer::files).collect();
        for file in files {
            let shipped = library.files().shipped(&file.path);
            if shipped == Some(&file.text) {
                continue;
            }
            if shipped.is_some() {
                ruleset.changed.insert(file.path.clone());
            }
            ruleset.not_shipped.insert(file.path);
        }
        for layer in ruleset.all_layers() {
            let near = ruleset.layers().find(|user| user.uses.contains(&layer.id)).and_then(|user| user.origin.root());
            let near = near.filter(|_| layer.kind == LayerKind::Library);
            warnings.extend(library.shadowing_warning(&layer.path(), near));
        }
        ruleset.warnings = warnings;
        Ok(ruleset)
    }

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
                Diagnostic::new(format!("`{name}` is for 1 player, not {players}")).help(format!("give `{written}`"))
            }
            (_, _) if fewest == most => Diagnostic::new(format!("`{name}` is for {most} players, not {players}"))
                .help(format!("give `{written}`")),
            _ => Diagnostic::new(format!("`{name}` is for {fewest} to {most} players, not {players}"))
                .help(format!("give a number from {fewest} to {most}: `{written}`")),
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
    pub fn place(&self, at: ScriptPoint, label: impl Into<String>) -> Option<Place> {
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
    pub fn layer_in_words(&self, at: ScriptPoint) -> Option<String> {
        if let Some(setting) = at.setting() {
            let (_, layer) = self.setting(setting)?;
            return Some(match layer.is_variant() {
                true => format!("variant {}", layer.id),
                false if layer.id == self.game.id => "game".to_owned(),
                false => format!("game {}", layer.id),
            });
        }
        let script = self.script_at(at)?;
        Some(match script.role {
            Role::Library => format!("library {}", script.id),
            Role::Base(_) => format!("game {}", script.id),
            Role::Game => "game".to_owned(),
            Role::Variant(_) => format!("variant {}", script.id),
        })
    }
}

/// The variants of a selection in the order of their layers, each above those that it requires.
struct OrderedVariants {
    names: Vec<String>,
    variants: Vec<Layer>,
    notes: Vec<Diagnostic>,
}

/// Puts variants above those that they require, and adds required variants that nobody asked for.
fn order_variants(
    library: &Library,
    game: &Layer,
    given: Vec<(String, Layer)>,
) -> Result<OrderedVariants, Diagnostics> {
    let mut stacking =
        VariantSorter { library, game, given: given.into(), open: Vec::new(), placed: Vec::new(), notes: Vec::new() };
    while let Some((name, variant)) = stacking.given.pop_front() {
        stacking.place(name, variant)?;
    }
    let (names, variants) = stacking.placed.into_iter().unzip();
    Ok(OrderedVariants { names, variants, notes: stacking.notes })
}

struct VariantSorter<'a> {
    library: &'a Library,
    game: &'a Layer,
    /// Variants that are still to be placed.
    given: VecDeque<(String, Layer)>,
    /// Variants that wait for those that they require, with where each requirement is written.
    open: Vec<(String, Place)>,
    placed: Vec<(String, Layer)>,
    notes: Vec<Diagnostic>,
}

impl VariantSorter<'_> {
    fn place(&mut self, name: String, variant: Layer) -> Result<(), Diagnostics> {
        for (id, place) in &variant.requires {
            if self.placed.iter().any(|(_, placed)| placed.id == *id) {
                continue;
            }
            self.open.push((variant.id.clone(), place.clone()));
            if let Some(first) = self.open.iter().position(|(open, _)| open == id) {
                return Err(requirement_cycle_error(&self.open[first..]).into());
            }
            if self.open.len() > MAX_VARIANTS {
                let message = format!("`{id}` is required by too long a chain of variants");
                return Err(Diagnostic::new(message).at(place.clone()).into());
            }
            let needs = format!("`{}` needs `{id}`", variant.id);
            let (below, note) = match self.given.iter().position(|(_, given)| given.id == *id) {
                Some(later) => (self.given.remove(later), format!("{needs}, so `{id}` is below it")),
                None => {
                    let found = self
                        .library
                        .variant(&self.game.id, id)
                        .map_err(|errors| errors.asked_for_at(Some(place.clone())))?;
                    (Some((id.clone(), found)), format!("{needs}, so `{id}` is in play too"))
                }
            };
            if let Some((name, below)) = below {
                self.place(name, below)?;
                self.notes.push(Diagnostic::note(note));
            }
            self.open.pop();
        }
        self.placed.push((name, variant));
        Ok(())
    }
}

/// The error for variants that require each other in a circle.
fn requirement_cycle_error(circle: &[(String, Place)]) -> Diagnostic {
    let names: Vec<String> = circle.iter().chain(circle.first()).map(|(id, _)| format!("`{id}`")).collect();
    let mut places = circle.iter().map(|(_, place)| place.clone());
    let trouble = Diagnostic::new(format!("variants require each other: {}", names.join(" → ")));
    let trouble = trouble.help("a required variant is below the other, so one of them must not require the other");
    let trouble = trouble.at_maybe(places.next_back());
    places.fold(trouble, Diagnostic::related)
}

/// The overrides of keys that no layer declares as settings.
fn overrides_beyond_settings<'l>(
    layers: impl Iterator<Item = &'l Layer> + Clone,
    overrides: &[Override],
) -> Vec<(String, toml::Value)> {
    let beyond = |given: &&Override| !given.is_of_setting(layers.clone());
    let named = |given: &Override| (format!("{}.{}", given.layer, given.path), given.value.clone());
    overrides.iter().filter(beyond).map(named).collect()
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

/// The libraries that layers use, each once.
fn libraries_of<'l>(library: &Library, layers: impl Iterator<Item = &'l Layer>) -> Result<Vec<Layer>, Diagnostics> {
    let mut libraries: Vec<Layer> = Vec::new();
    for layer in layers {
        for name in &layer.uses {
            if !libraries.iter().any(|known| known.id == *name) {
                let used = library.rule_library(name, layer.origin.root());
                libraries.push(used.map_err(|errors| errors.asked_for_at(layer.place_of(&["uses"], "named here")))?);
            }
        }
    }
    Ok(libraries)
}

fn join_scripts(
    libraries: &[Layer],
    bases: &[Layer],
    game: &Layer,
    variants: &[Layer],
) -> Result<Vec<ScriptLayer>, Diagnostics> {
    let mut scripts: Vec<ScriptLayer> = Vec::new();
    let mut lines = 0;
    let mut add = |id: &str, role, edition: Edition, script: ScriptText, origin: Origin| {
        // The end of the text is a place too, one line behind the last.
        let own = script.text.lines().count() + 1;
        scripts.push(ScriptLayer { id: id.to_owned(), role, script, edition, origin, lines_before: lines, lines: own });
        lines += own;
    };
    let numbered = bases.iter().enumerate().map(|(number, base)| (Role::Base(number), base));
    for (role, layer) in libraries
        .iter()
        .map(|library| (Role::Library, library))
        .chain(numbered)
        .chain([(Role::Game, game)])
        .chain(variants.iter().enumerate().map(|(number, variant)| (Role::Variant(number), variant)))
    {
        if let Some(script) = &layer.script {
            add(&layer.id, role, layer.edition, script.clone(), layer.origin.clone());
        }
    }
    if lines > MAX_LINES {
        let message = format!("the scripts of this ruleset have {lines} lines together");
        let longer = scripts.iter().find(|script| script.lines_before + script.lines > MAX_LINES);
        let first =
            longer.map(|script| script.script.place(MAX_LINES - script.lines_before + 1, 1, "the first too many"));
        let error = Diagnostic::new(message).at_maybe(first);
        return Err(error.help(format!("at most {MAX_LINES} lines are allowed")).into());
    }
    Ok(scripts)
}

/// The content hash of a ruleset. Lengths stand before contents, so that no two rulesets hash the same bytes.
fn content_hash<'l>(
    libraries: &'l [Layer],
    layers: impl Iterator<Item = &'l Layer>,
    scripts: &[ScriptLayer],
    settings: &[(String, BTreeMap<String, toml::Value>)],
    overridden: &[(String, toml::Value)],
) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut write = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    write("houserule ruleset 1");
    // The scripts of libraries are among the scripts.
    let libraries = libraries.iter().filter(|library| !library.is_script_alone());
    for layer in libraries.chain(layers) {
        write(match layer.kind {
            LayerKind::Library => "library",
            LayerKind::Game => "game",
            LayerKind::Variant { .. } => "variant",
        });
        write(&layer.id);
        write(&layer.text_of_rules());
    }
    for script in scripts {
        write(&script.id);
        write(&script.script.text);
    }
    for (layer, values) in settings {
        for (key, value) in values {
            write(layer);
            write(key);
            write(&value.to_string());
        }
    }
    for (path, value) in overridden {
        write(path);
        write(&value.to_string());
    }
    format!("blake3:{}", hasher.finalize().to_hex())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_is_shown_shows_everything_that_is_in_it() {
        assert_eq!(shell_quoted("lucky.foo=a"), "lucky.foo=a");
        let [word, words] =
            if cfg!(windows) { ["\"it's\"", "\"♠\u{fe0f} ク\""] } else { ["'it'\\''s'", "'♠\u{fe0f} ク'"] };
        assert_eq!([shell_quoted("it's"), shell_quoted("♠\u{fe0f} ク")], [word, words]);
        assert_eq!([shell_quoted("-v.toml"), shell_quoted("-")], ["./-v.toml", "-"], "no option");
        let set = "lucky.foo=a\u{1b}]0;owned\u{7}'\\\nVerified\u{202e}".to_owned();
        let command = Selection { set: vec![set], ..Selection::of("pig") }.command("play");
        assert_eq!(command, r"houserule play pig --set $'lucky.foo=a\x1b]0;owned\x07\'\\\nVerified\U0000202e'");
    }
}
