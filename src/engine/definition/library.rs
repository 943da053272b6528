//! The search for games, variants and libraries of rules.
//!
//! A *root* is a folder with `games/<id>/game.toml`, `variants/<game>/<id>.toml`, `scripts/<name>.rhai` and
//! `scripts/<name>.toml`. There can be several: the project that a person works in, what is installed, what ships with
//! the program. The first root that has a game or a variant wins. A library of rules is looked for first in the root of
//! the layer that uses it, so that a file elsewhere does not change a game. Only [ids](is_id) are ever joined to a
//! path.
//!
//! Rules [inside](SavedRules) a saved game come before all roots. In a session every layer is
//! [kept](Library::with_kept_layers) where it was found, whatever other files appear or go.

use super::folder::Folder;
use super::layer::LayerCache;
use super::names::{ID_HELP, is_id};
use super::script_text::read_adjacent_file;
use super::{ANY_GAME, Layer, LayerKind, Origin, OriginKind, SavedRules};
use crate::catalogue::{Message, message};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source, known_names_sentence, listed, unknown_or};
use crate::files::Files;
use crate::sorted::SortedMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Most games that one game can be laid over.
const MAX_BASES: usize = 8;

/// How to use the file that would be found now, for messages.
const SWITCH: &str = "`reload switch` uses the other one";

/// The folders in which games, variants and libraries of rules are found, the most important first.
#[derive(Clone, Debug)]
pub struct Library {
    files: Arc<dyn Files>,
    roots: Vec<PathBuf>,
    /// Rules of a saved game, which come before all roots.
    inside: Option<Arc<SavedRules>>,
    /// Layers that must stay where they were found, by their paths below a root.
    kept: SortedMap<String, Origin>,
    /// What was read of the files; copies of the library share it.
    layers: Arc<LayerCache>,
}

/// A game, a variant or a library of rules that was found, whether or not it can be used.
#[derive(Clone, Debug)]
pub struct LayerEntry {
    /// Id of the layer, which is also the name of its file, or of a game's folder.
    pub id: String,
    /// Where its file was found; of a library, its script, or its definition if it has no script.
    pub origin: Origin,
    /// The layer, or why it cannot be used.
    pub layer: Result<Layer, Diagnostics>,
}

impl Library {
    /// A library of these roots among files, the most important first. A folder that is named twice counts once.
    pub fn of(files: Arc<dyn Files>, roots: Vec<PathBuf>) -> Library {
        let mut seen = Vec::new();
        let is_new = |root: &PathBuf| {
            let real = files.canonical_path(root);
            let is_new = !seen.contains(&real);
            seen.push(real);
            is_new
        };
        let roots = roots.into_iter().filter(is_new).collect();
        Library { files, roots, inside: None, kept: SortedMap::new(), layers: Arc::default() }
    }

    /// The files among which the roots lie.
    pub fn files(&self) -> &dyn Files {
        &*self.files
    }

    /// The root folders, the most important first.
    pub fn roots(&self) -> &[PathBuf] {
        &self.roots
    }

    /// A copy of the library with other roots, and with files that `files` makes from its own.
    pub fn with_roots(&self, files: impl FnOnce(Arc<dyn Files>) -> Arc<dyn Files>, roots: Vec<PathBuf>) -> Library {
        let Library { inside, kept, .. } = self.clone();
        Library { inside, kept, ..Library::of(files(Arc::clone(&self.files)), roots) }
    }

    /// A copy of the library with rules of a saved game, which come before all others, or with none.
    pub fn with_saved_rules(&self, inside: Option<SavedRules>) -> Library {
        let inside = inside.filter(|inside| !inside.files.is_empty()).map(Arc::new);
        Library { inside, ..self.clone() }
    }

    /// A copy of the library in which the layers of `kept`, by their paths below a root, stay where they were found.
    pub fn with_kept_layers(&self, kept: SortedMap<String, Origin>) -> Library {
        Library { kept, ..self.clone() }
    }

    /// All games, sorted by id. One that cannot be read is listed with the reason.
    pub fn games(&self) -> Vec<LayerEntry> {
        let found = self.found(&Folder::games()).into_iter();
        found.map(|(id, origin)| LayerEntry { layer: self.read_game(&id, &origin), id, origin }).collect()
    }

    /// The game with this id.
    ///
    /// # Errors
    ///
    /// If there is none (the error has the nearest id, all ids and the folders searched), or it cannot be read.
    pub fn game(&self, id: &str) -> Result<Layer, Diagnostics> {
        let shelf = Folder::games();
        let found = self.found(&shelf);
        match found.get(id) {
            Some(origin) => {
                self.check_kept(&shelf, id, origin)?;
                self.read_game(id, origin)
            }
            None if is_path(id) => Err(self.path_as_id_error(id).into()),
            None => Err(self
                .missing_definition_error(id)
                .unwrap_or_else(|| {
                    let error = self.missing("game", id, "games", None, found.keys());
                    let is_its_variant = |game: &&String| self.variants(game).iter().any(|variant| variant.id == id);
                    if let Some(game) = found.keys().filter(|_| is_id(id)).find(is_its_variant) {
                        return error.help(message!("`{id}` is a variant of `{game}`: write `{game} -v {id}`"));
                    }
                    if is_id(id) { error.help(message!("`houserule new game {id}` begins one")) } else { error }
                })
                .into()),
        }
    }

    /// Index of the first root that has a game of this id; `None` where none has.
    pub fn place_of_game(&self, id: &str) -> Option<usize> {
        let path = Folder::games().path_of(id);
        self.roots.iter().position(|root| is_id(id) && self.files.exists(&root.join(&path)))
    }

    /// All variants of a game, sorted by id. One that cannot be read is listed with the reason.
    ///
    /// They include the variants of the games that it is laid over, and the variants for several games that work with
    /// it.
    pub fn variants(&self, game: &str) -> Vec<LayerEntry> {
        let lineage = self.lineage(game);
        let mut variants: SortedMap<String, LayerEntry> = SortedMap::new();
        for folder in lineage.folders() {
            for (id, origin) in self.found(&Folder::variants(folder)) {
                let layer = self.read_variant(&lineage, folder, Some(&id), &origin);
                let is_anothers = |layer: Layer| !layer.fits(&lineage.games, &lineage.libraries);
                let path = Folder::variants(folder).path_of(&id);
                if folder == ANY_GAME && self.read_layer(&path, &origin).is_ok_and(is_anothers) {
                    continue;
                }
                variants.entry(id.clone()).or_insert(LayerEntry { layer, id, origin });
            }
        }
        variants.into_values().collect()
    }

    /// The games that a game is laid over, itself first, as far as they can be read, and the libraries that they use.
    fn lineage(&self, game: &str) -> Lineage {
        let mut lineage = Lineage { games: vec![game.to_owned()], libraries: Vec::new() };
        let mut next = Some(game.to_owned());
        while let Some(id) = next.take() {
            let Some(layer) = self.found(&Folder::games()).get(&id).and_then(|origin| self.read_game(&id, origin).ok())
            else {
                break;
            };
            lineage.libraries.extend(layer.uses);
            if let Some((base, _)) = layer.base.filter(|(base, _)| !lineage.games.contains(base)) {
                lineage.games.push(base.clone());
                next = Some(base);
            }
        }
        lineage
    }

    /// The games that a game is laid over, the lowest first.
    ///
    /// # Errors
    ///
    /// If one of them is missing or cannot be read, if a game is laid over itself, or if there are too many.
    pub fn bases(&self, game: &Layer) -> Result<Vec<Layer>, Diagnostics> {
        let mut bases: Vec<Layer> = Vec::new();
        let mut next = game.base.clone();
        while let Some((id, place)) = next.take() {
            if id == game.id || bases.iter().any(|base| base.id == id) {
                return Err(Diagnostic::new(message!("`{id}` is based on itself")).at(place).into());
            }
            if bases.len() == MAX_BASES {
                return Err(Diagnostic::new(message!("more than {MAX_BASES} games are based on each other"))
                    .at(place)
                    .into());
            }
            let base = self.game(&id).map_err(|errors| errors.asked_for_at(Some(place)))?;
            next.clone_from(&base.base);
            bases.insert(0, base);
        }
        Ok(bases)
    }

    /// A variant of a game by its id, or by the path of its file: with a separator in it, or ending in `.toml`.
    ///
    /// # Errors
    ///
    /// If there is none (the error has the nearest id, all ids and the folders searched), or it cannot be read, or is a
    /// variant of another game.
    pub fn variant(&self, game: &str, id_or_path: &str) -> Result<Layer, Diagnostics> {
        let lineage = self.lineage(game);
        if is_path(id_or_path) {
            let origin = Origin::new(self.files(), OriginKind::Path, id_or_path.into());
            return self.read_variant(&lineage, game, None, &origin);
        }
        for folder in lineage.folders() {
            let shelf = Folder::variants(folder);
            if let Some(origin) = self.found(&shelf).get(id_or_path) {
                self.check_kept(&shelf, id_or_path, origin)?;
                return self.read_variant(&lineage, folder, Some(id_or_path), origin);
            }
        }
        let folder = if is_id(game) { format!("variants/{game}") } else { "variants".to_owned() };
        let known: Vec<String> = self.variants(game).into_iter().map(|variant| variant.id).collect();
        Err(self.missing("variant", id_or_path, &folder, Some(game), known.iter()).into())
    }

    /// A library of `scripts/`, as the `uses` of a layer names it. `near` is the root of that layer, which is searched
    /// first.
    ///
    /// # Errors
    ///
    /// If there is none (the error has the nearest name, all names and the folders searched), or it cannot be read.
    pub fn rule_library(&self, name: &str, near: Option<&Path>) -> Result<Layer, Diagnostics> {
        if !is_id(name) {
            return Err(not_an_id(name, "library").into());
        }
        let shelf = Folder::scripts();
        let Some(origin) = self.library_origin(name, near) else {
            return Err(self.missing("library", name, "scripts", None, self.found(&shelf).keys()).into());
        };
        self.check_kept(&shelf, name, &origin)?;
        let layer = match origin.found() {
            OriginKind::Saved => {
                let inside = |file: &str| self.saved_text(&format!("{}{file}", shelf.prefix)).map(Ok);
                Layer::library(name, origin.clone(), &inside)
            }
            OriginKind::Root(_) | OriginKind::Path => Layer::read_library(self.files(), name, origin.clone()),
        };
        check_id_matches_path(layer?, name, "file")
    }

    /// All libraries of rules, sorted by id. One that cannot be read is listed with the reason.
    pub fn rule_libraries(&self) -> Vec<LayerEntry> {
        let found = self.found(&Folder::scripts()).into_iter();
        found.map(|(id, origin)| LayerEntry { layer: self.rule_library(&id, None), id, origin }).collect()
    }

    /// The ids of all libraries of rules, sorted.
    pub fn library_ids(&self) -> Vec<String> {
        self.found(&Folder::scripts()).into_keys().filter(|id| is_id(id)).collect()
    }

    fn library_origin(&self, name: &str, near: Option<&Path>) -> Option<Origin> {
        let shelf = Folder::scripts();
        let anywhere = self.found(&shelf).remove(name)?;
        let is_free = anywhere.root().is_some() && !self.is_kept(&shelf, name);
        let root = near.filter(|_| is_free).unwrap_or(Path::new(""));
        let mut paths = shelf.paths_of(name).map(|path| root.join(path));
        let path = paths.find(|path| near.is_some() && is_free && self.files.exists(path));
        Some(match path {
            Some(path) => Origin::new(self.files(), OriginKind::Root(root.to_owned()), path),
            None => anywhere,
        })
    }

    /// A warning that a kept layer would be found elsewhere now, because a file appeared that comes before it; `None`
    /// where there is no such file. `path` is the layer's path below a root; for a library, `near` is the root of the
    /// layer that uses it.
    pub fn shadowing_warning(&self, path: &str, near: Option<&Path>) -> Option<Diagnostic> {
        let kept = self.kept.get(path)?;
        let other = self.with_kept_layers(SortedMap::new()).find(path, near).filter(|other| other != kept)?;
        let message = message!("there is another `{path}` now, which comes first: {other}");
        Some(Diagnostic::warning(message).help(message!("in play is {kept}; {}", Message::from(SWITCH))))
    }

    /// Where the layer with this path below a root is found.
    fn find(&self, path: &str, near: Option<&Path>) -> Option<Origin> {
        if let Some(name) = Folder::scripts().id_of(path) {
            return self.library_origin(name, near);
        }
        let shelf = Folder::of(path)?;
        self.found(&shelf).remove(shelf.id_of(path)?)
    }

    /// Fails where the file of a kept layer is gone. Another file of the same name is not used, because nobody asked
    /// for it.
    fn check_kept(&self, shelf: &Folder, id: &str, origin: &Origin) -> Result<(), Diagnostics> {
        let path = shelf.path_of(id);
        let is_there = match origin.found() {
            // It was read with the saved game, whatever became of that file.
            OriginKind::Saved => shelf.paths_of(id).any(|path| self.saved_text(&path).is_some()),
            OriginKind::Root(_) | OriginKind::Path => self.files.exists(origin.path()),
        };
        if !self.is_kept(shelf, id) || is_there {
            return Ok(());
        }
        let gone = Diagnostic::new(message!("`{id}` is gone: {origin} was deleted or has another name now"));
        let gone = match self.with_kept_layers(SortedMap::new()).find(&path, None) {
            Some(other) => gone.help(message!("there is another one: {other}; {}", Message::from(SWITCH))),
            None => gone,
        };
        Err(gone.into())
    }

    fn is_kept(&self, shelf: &Folder, id: &str) -> bool {
        shelf.paths_of(id).any(|path| self.kept.contains_key(&path))
    }

    /// The origins of all layers in a folder, by id: kept ones first, then the rules of the saved game, then the first
    /// root.
    pub(super) fn found(&self, shelf: &Folder) -> SortedMap<String, Origin> {
        let on_disk = self.roots.iter().rev().flat_map(|root| {
            let origin = |path| Origin::new(self.files(), OriginKind::Root(root.clone()), path);
            shelf.list(self.files(), root).into_iter().map(move |(id, path)| (id, origin(path)))
        });
        let mut found: SortedMap<String, Origin> = on_disk.collect();
        if let Some(inside) = &self.inside {
            let ids = inside.files.keys().filter_map(|path| shelf.id_of(path));
            let origin = Origin::new(self.files(), OriginKind::Saved, inside.path.clone());
            found.extend(ids.map(|id| (id.to_owned(), origin.clone())));
        }
        let kept = self.kept.iter().filter_map(|(path, origin)| Some((shelf.id_of(path)?.to_owned(), origin.clone())));
        found.extend(kept);
        found
    }

    /// Reads the text of the file with this path below a root.
    fn read(&self, path: &str, origin: &Origin) -> Result<Arc<Source>, Diagnostics> {
        match origin.found() {
            OriginKind::Root(_) | OriginKind::Path => self.files.read(origin.path(), origin.name()),
            OriginKind::Saved => self
                .saved_text(path)
                .ok_or_else(|| Diagnostic::new(message!("`{}` has no `{path}` inside", origin.name())).into()),
        }
    }

    fn saved_text(&self, path: &str) -> Option<Arc<Source>> {
        self.inside.as_ref()?.files.get(path).cloned()
    }

    /// Reads the layer with this path below a root.
    pub(super) fn read_layer(&self, path: &str, origin: &Origin) -> Result<Layer, Diagnostics> {
        let source = self.read(path, origin)?;
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let name = source.name.clone();
        self.layers.parse(source, origin, &|file| match origin.found() {
            OriginKind::Saved => self.saved_text(&format!("{folder}/{file}")).map(Ok),
            OriginKind::Root(_) | OriginKind::Path => read_adjacent_file(self.files(), origin.path(), &name, file),
        })
    }

    fn read_game(&self, id: &str, origin: &Origin) -> Result<Layer, Diagnostics> {
        if !is_id(id) {
            return Err(not_an_id(id, "game's folder").into());
        }
        let layer = self.read_layer(&Folder::games().path_of(id), origin)?;
        if layer.is_variant() {
            return Err(wrong_at(&layer, "game", "a variant where a game should be", "this makes it a variant").into());
        }
        check_id_matches_path(layer, id, "folder")
    }

    /// Reads a variant of a game from a folder of `variants/`. `stem` is the name of its file, where that was looked up and
    /// not typed.
    fn read_variant(
        &self,
        lineage: &Lineage,
        folder: &str,
        stem: Option<&str>,
        origin: &Origin,
    ) -> Result<Layer, Diagnostics> {
        let game = lineage.games.first().map_or(folder, String::as_str);
        let stem_is_looked_up = stem.is_some();
        let stem = match stem {
            Some(stem) => stem.to_owned(),
            None => origin.path().file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        };
        let layer = self.read_layer(&Folder::variants(folder).path_of(&stem), origin)?;
        let of_other_games = |message: Message| {
            let key = ["game", "games", "games_using"].into_iter().find(|key| layer.place_of(&[*key], "").is_some());
            wrong_at(&layer, key.unwrap_or("game"), message, message!("a variant of {}", layer.games_in_words()))
        };
        match &layer.kind {
            LayerKind::Variant { game: own }
                if stem_is_looked_up && own != folder && [own.as_str(), folder].contains(&ANY_GAME) =>
            {
                let message = message!("`{}` is among the variants of `{folder}`", layer.id);
                let help: Message = if own == ANY_GAME {
                    "a variant for several games belongs in `variants/any/`".into()
                } else {
                    message!("put it into `variants/{own}/`, or name the games with `games`")
                };
                Err(of_other_games(message).help(help).into())
            }
            LayerKind::Variant { .. } if layer.fits(&lineage.games, &lineage.libraries) => {
                check_id_matches_path(layer, &stem, "file")
            }
            LayerKind::Variant { .. } => {
                let message = message!("`{}` is not a variant of `{game}`", layer.id);
                let error = of_other_games(message);
                let missing = self
                    .missing_game_warnings(&layer)
                    .into_iter()
                    .flat_map(|missing| std::iter::once(missing.message.into()).chain(missing.help));
                Err(missing.fold(error, Diagnostic::help).into())
            }
            LayerKind::Game | LayerKind::Library => {
                Err(wrong_at(&layer, "id", "a game where a variant should be", "this is a game")
                    .help(message!("a variant names its game: game = \"{game}\""))
                    .into())
            }
        }
    }

    /// The error for a game whose folder is there without a definition; `None` where there is no such folder.
    pub fn missing_definition_error(&self, id: &str) -> Option<Diagnostic> {
        let mut folders = self.roots.iter().map(|root| root.join("games").join(id)).filter(|_| is_id(id));
        let folder = folders.find(|folder| self.files.is_folder(folder))?;
        let error = Diagnostic::new(message!("`{}` has no game.toml", self.files.name_of(&folder)));
        // Beside rules, a new game would be in their way.
        let has_rules = self.files.kind(&folder.join("rules.rhai")).is_some();
        Some(error.help(match has_rules {
            true => {
                message!("`houserule new game {id}-2` writes a small game beside it, with a game.toml to begin from")
            }
            false => message!("`houserule new game {id}` writes a small game into it"),
        }))
    }

    /// The error for a path that was given where a game is meant.
    fn path_as_id_error(&self, typed: &str) -> Diagnostic {
        let error = match self.files.kind(Path::new(typed)) {
            None => Diagnostic::new(message!("there is no file `{typed}`")),
            Some(_) => Diagnostic::new(message!("`{typed}` is neither the id of a game nor a pack")),
        };
        error.help("give the id of a game, as `houserule list` shows it, or the file of a pack")
    }

    fn missing<'a>(
        &self,
        what: &'static str,
        wanted: &str,
        folder: &str,
        game: Option<&str>,
        known: impl Iterator<Item = &'a String> + Clone,
    ) -> Diagnostic {
        let what = Message::from(what);
        let names = || known.clone().map(String::as_str);
        let whose = game.map_or_else(|| what.clone(), |game| message!("{what} of `{game}`"));
        let mut trouble = unknown_or(what.clone(), wanted, names(), known_names_sentence(whose, names()));
        if let Some(game) = game {
            trouble.message = message!("there is no {what} `{wanted}` of `{game}`");
        }
        if !is_id(wanted) {
            trouble.help.push(ID_HELP.into());
        }
        let folders: Vec<String> = self.roots.iter().map(|root| self.files.name_of(&root.join(folder))).collect();
        trouble.help(message!("looked in {}", listed(folders.iter().map(String::as_str))))
    }
}

/// A game with the games that it is laid over.
struct Lineage {
    /// The game, then the one below it, and so on.
    games: Vec<String>,
    /// The libraries that these games use.
    libraries: Vec<String>,
}

impl Lineage {
    /// The folders of `variants/` in which their variants lie, the nearest first.
    fn folders(&self) -> impl Iterator<Item = &str> {
        self.games.iter().map(String::as_str).chain([ANY_GAME])
    }
}

/// Whether what was typed for a variant is the path of a file: with a separator in it, or ending in `.toml`.
pub fn is_path(typed: &str) -> bool {
    typed.contains(std::path::is_separator) || typed.ends_with(".toml")
}

/// Checks that the id of a layer is the name of its folder or file, by which it is found.
fn check_id_matches_path(layer: Layer, name: &str, what: &'static str) -> Result<Layer, Diagnostics> {
    if layer.id == name {
        return Ok(layer);
    }
    let what = Message::from(what);
    let message = message!("`{}` is in a {what} called `{name}`", layer.id);
    Err(wrong_at(&layer, "id", message, message!("the {what} is called `{name}`"))
        .help(message!("it is found by the name of its {what}: change one of them"))
        .into())
}

fn wrong_at(layer: &Layer, key: &str, message: impl Into<Message>, label: impl Into<Message>) -> Diagnostic {
    let label = label.into();
    let place = layer.place_of(&[key], label.clone());
    Diagnostic::new(message).at(place.unwrap_or_else(|| Place::new(&layer.source, 0..0, label)))
}

fn not_an_id(name: &str, what: &'static str) -> Diagnostic {
    let what = Message::from(what);
    Diagnostic::new(message!("a {what} cannot be called `{name}`")).help(ID_HELP)
}
