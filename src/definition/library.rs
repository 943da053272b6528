//! Where games, variants and libraries of scripts lie on disk.
//!
//! A *root* is a folder with `games/<id>/game.toml`, `variants/<game>/<id>.toml` and `scripts/<name>.rhai`. There can be
//! several: the project that a person works in, what he has installed, what came with the program. What an earlier
//! root has hides what a later one calls the same. Only [ids](is_id) are ever joined to a path.

use super::schema::{ID_HELP, is_id, listed};
use super::{Layer, LayerKind, ScriptText};
use crate::diagnostic::{Diagnostic, Place, Source, did_you_mean};
use etcetera::BaseStrategy as _;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folders in which games and variants are looked for, the most important first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    roots: Vec<PathBuf>,
}

/// A game that was found.
#[derive(Clone, Debug)]
pub struct GameEntry {
    /// Its id, which is also the name of its folder.
    pub id: String,
    /// Its `game.toml`.
    pub path: PathBuf,
    /// The game, or why it cannot be used.
    pub layer: Result<Layer, Vec<Diagnostic>>,
}

/// A variant that was found.
#[derive(Clone, Debug)]
pub struct VariantEntry {
    /// Its id, which is also the name of its file.
    pub id: String,
    /// Its file.
    pub path: PathBuf,
    /// The variant, or why it cannot be used.
    pub layer: Result<Layer, Vec<Diagnostic>>,
}

impl Library {
    /// A library of these roots, the most important first. A folder that is named twice counts once.
    pub fn new(roots: Vec<PathBuf>) -> Library {
        let mut seen = Vec::new();
        let is_new = |root: &PathBuf| {
            let real = std::fs::canonicalize(root).unwrap_or_else(|_| root.clone());
            let is_new = !seen.contains(&real);
            seen.push(real);
            is_new
        };
        Library { roots: roots.into_iter().filter(is_new).collect() }
    }

    /// The library of this run: the folder that a flag names, otherwise the one in `HOUSERULE_DIR`; the nearest folder
    /// above the working directory that has `games/` or `variants/`; the user's data folder; and the nearest folder
    /// above the program that has games.
    pub fn discover(flag: Option<&Path>) -> Library {
        let variable = || std::env::var_os("HOUSERULE_DIR").filter(|folder| !folder.is_empty()).map(PathBuf::from);
        let named = flag.map(Path::to_owned).or_else(variable);
        let has_either = |folder: &Path| folder.join("games").is_dir() || folder.join("variants").is_dir();
        let project = std::env::current_dir().ok().and_then(|here| nearest_ancestor(&here, has_either));
        let user = etcetera::choose_base_strategy().ok().map(|folders| folders.data_dir().join("houserule"));
        // A mere folder called `games` is no sign: Unix has had /usr/games for fifty years.
        let has_games = |folder: &Path| !folders_with(&folder.join("games"), "game.toml").is_empty();
        let program = std::env::current_exe().ok().and_then(|program| nearest_ancestor(&program, has_games));
        Library::new([named, project, user, program].into_iter().flatten().collect())
    }

    /// The folders that are looked in, the most important first.
    pub fn roots(&self) -> &[PathBuf] {
        &self.roots
    }

    /// All games, sorted by id. One that cannot be read is listed with the reason.
    pub fn games(&self) -> Vec<GameEntry> {
        let found = self.game_files().into_iter();
        found.map(|(id, path)| GameEntry { layer: read_game(&id, &path), id, path }).collect()
    }

    /// The game of this id.
    ///
    /// # Errors
    ///
    /// If there is none: then the nearest id, all ids and the folders looked in are named. If it cannot be read.
    pub fn game(&self, id: &str) -> Result<Layer, Vec<Diagnostic>> {
        let files = self.game_files();
        match files.get(id) {
            Some(path) => read_game(id, path),
            None => Err(vec![self.missing("game", id, "games", "", files.keys())]),
        }
    }

    /// All variants of a game, sorted by id. One that cannot be read is listed with the reason.
    pub fn variants(&self, game: &str) -> Vec<VariantEntry> {
        let found = self.variant_files(game).into_iter();
        found.map(|(id, path)| VariantEntry { layer: read_variant(game, Some(&id), &path), id, path }).collect()
    }

    /// A variant of a game by its id, or by the path of its file: with a separator in it, or ending in `.toml`.
    ///
    /// # Errors
    ///
    /// If there is none: then the nearest id, all ids and the folders looked in are named. If it cannot be read, or is
    /// a variant of another game.
    pub fn variant(&self, game: &str, id_or_path: &str) -> Result<Layer, Vec<Diagnostic>> {
        if id_or_path.contains(std::path::is_separator) || id_or_path.ends_with(".toml") {
            return read_variant(game, None, Path::new(id_or_path));
        }
        let files = self.variant_files(game);
        match files.get(id_or_path) {
            Some(path) => read_variant(game, Some(id_or_path), path),
            None => {
                let folder = if is_id(game) { format!("variants/{game}") } else { "variants".to_owned() };
                let of = format!(" of `{game}`");
                Err(vec![self.missing("variant", id_or_path, &folder, &of, files.keys())])
            }
        }
    }

    /// A library of `scripts/`, as a layer's `uses` names it.
    ///
    /// # Errors
    ///
    /// If there is none: then the nearest name, all names and the folders looked in are named. If it cannot be read.
    pub fn library_script(&self, name: &str) -> Result<ScriptText, Vec<Diagnostic>> {
        let files = self.files("scripts", |folder| files_with(folder, "rhai"));
        match files.get(name) {
            Some(path) if is_id(name) => {
                let source = Source::read(path, &name_of(path)).map_err(|trouble| vec![trouble])?;
                Ok(ScriptText::of_file(source))
            }
            Some(_) => Err(vec![not_an_id(name, "library")]),
            None => Err(vec![self.missing("library", name, "scripts", "", files.keys())]),
        }
    }

    fn game_files(&self) -> BTreeMap<String, PathBuf> {
        self.files("games", |folder| folders_with(folder, "game.toml"))
    }

    fn variant_files(&self, game: &str) -> BTreeMap<String, PathBuf> {
        if !is_id(game) {
            return BTreeMap::new();
        }
        self.files(&format!("variants/{game}"), |folder| files_with(folder, "toml"))
    }

    /// What `list` finds in a folder of every root, of which an earlier root wins.
    fn files(&self, folder: &str, list: impl Fn(&Path) -> Vec<(String, PathBuf)>) -> BTreeMap<String, PathBuf> {
        self.roots.iter().rev().flat_map(|root| list(&root.join(folder))).collect()
    }

    fn missing<'a>(
        &self,
        what: &str,
        wanted: &str,
        folder: &str,
        of: &str,
        known: impl Iterator<Item = &'a String> + Clone,
    ) -> Diagnostic {
        let names = || known.clone().map(String::as_str);
        let mut trouble = Diagnostic::new(format!("there is no {what} `{wanted}`{of}"));
        trouble.help.extend(did_you_mean(wanted, names()));
        if !is_id(wanted) {
            trouble.help.push(ID_HELP.to_owned());
        }
        match names().next() {
            Some(_) => trouble.help.push(format!("there are {}", listed(names()))),
            None => trouble.help.push(format!("there is no {what}{of} at all")),
        }
        let folders: Vec<String> = self.roots.iter().map(|root| name_of(&root.join(folder))).collect();
        trouble.help(format!("looked in {}", listed(folders.iter().map(String::as_str))))
    }
}

/// How a file is called in messages: from the working directory if it lies below it, otherwise from the root.
pub(crate) fn name_of(path: &Path) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let here = std::env::current_dir().ok();
    let below = here.as_ref().and_then(|here| absolute.strip_prefix(here).ok());
    // Messages are the same on every platform, so the separator is too.
    let name = below.unwrap_or(&absolute).to_string_lossy().into_owned();
    if std::path::MAIN_SEPARATOR == '/' { name } else { name.replace(std::path::MAIN_SEPARATOR, "/") }
}

fn read_game(folder: &str, path: &Path) -> Result<Layer, Vec<Diagnostic>> {
    if !is_id(folder) {
        return Err(vec![not_an_id(folder, "game's folder")]);
    }
    let layer = Layer::read(path)?;
    if layer.is_variant() {
        return Err(vec![wrong_at(&layer, "game", "a variant where a game should be", "this makes it a variant")]);
    }
    named_as(layer, folder, "folder")
}

/// Reads a variant of `game`. `stem` is the name of its file, where that was looked up and not typed.
fn read_variant(game: &str, stem: Option<&str>, path: &Path) -> Result<Layer, Vec<Diagnostic>> {
    let stem = stem.map_or_else(|| path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), str::to_owned);
    let layer = Layer::read(path)?;
    match &layer.kind {
        LayerKind::Variant { game: base } if base == game => named_as(layer, &stem, "file"),
        LayerKind::Variant { game: base } => {
            let message = format!("`{}` is no variant of `{game}`", layer.id);
            Err(vec![wrong_at(&layer, "game", &message, &format!("a variant of `{base}`"))])
        }
        LayerKind::Game => Err(vec![
            wrong_at(&layer, "id", "a game where a variant should be", "this is a game")
                .help(format!("a variant names its game: game = \"{game}\"")),
        ]),
    }
}

/// A layer is found by the name of its folder or file, so that must be its id.
fn named_as(layer: Layer, name: &str, what: &str) -> Result<Layer, Vec<Diagnostic>> {
    if layer.id == name {
        return Ok(layer);
    }
    let message = format!("`{}` lies in a {what} called `{name}`", layer.id);
    Err(vec![
        wrong_at(&layer, "id", &message, &format!("the {what} is called `{name}`"))
            .help(format!("it is found by the name of its {what}: change one of them")),
    ])
}

fn wrong_at(layer: &Layer, key: &str, message: &str, label: &str) -> Diagnostic {
    let place = layer.place_of(&[key], label).unwrap_or_else(|| Place::new(&layer.source, 0..0, label));
    Diagnostic::new(message).at(place)
}

fn not_an_id(name: &str, what: &str) -> Diagnostic {
    Diagnostic::new(format!("a {what} cannot be called `{name}`")).help(ID_HELP)
}

fn nearest_ancestor(start: &Path, is_root: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    start.ancestors().find(|folder| is_root(folder)).map(Path::to_owned)
}

/// The folders of a folder that have a certain file, by name, with that file.
fn folders_with(folder: &Path, file: &str) -> Vec<(String, PathBuf)> {
    entries(folder).map(|path| (name_in(&path), path.join(file))).filter(|(_, file)| file.exists()).collect()
}

/// The files of a folder with a certain extension, by the name before it.
fn files_with(folder: &Path, extension: &str) -> Vec<(String, PathBuf)> {
    let named = entries(folder).filter(|path| path.extension().is_some_and(|found| found == extension));
    named.map(|path| (name_in(&path.with_extension("")), path)).collect()
}

/// What is in a folder, but nothing hidden; nothing at all if there is no such folder.
fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| !name_in(path).starts_with('.'))
}

fn name_in(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
