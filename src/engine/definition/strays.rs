//! Stray variants, which nobody can play: they are for a game that is not there, or lie where none is looked for.
//! Nothing else would ever report them.

use super::folder::Folder;
use super::tree::Value;
use super::{ANY_GAME, Layer, LayerKind, Library, is_id};
use crate::catalogue::{Message, message};
use crate::diagnostic::{Diagnostic, Place};
use crate::files::FolderEntry;
use crate::sorted::SortedSet;
use std::path::Path;

impl Library {
    /// Warnings about the games and the library that a variant for several games names and that are not there.
    pub fn missing_game_warnings(&self, variant: &Layer) -> Vec<Diagnostic> {
        let missing = |what, key: &str, named: &str, known: &SortedSet<String>| {
            let warning = || no_such(what, named, known).at_maybe(place_of(variant, key, named));
            (!known.contains(named)).then(warning)
        };
        let games = self.game_ids();
        match &variant.kind {
            LayerKind::Variant { game } if game == ANY_GAME => {
                let libraries = self.library_ids().into_iter().collect();
                let named = variant.fits.games.iter().filter_map(|id| missing("game", "games", id, &games));
                let used = variant.fits.library.iter();
                named.chain(used.filter_map(|id| missing("library", "games_using", id, &libraries))).collect()
            }
            LayerKind::Variant { .. } | LayerKind::Game | LayerKind::Library => Vec::new(),
        }
    }

    /// Warnings about variants that work with no game, about folders for games that are not there, about files of
    /// variants outside of these folders, and about folders that may not be listed.
    pub fn stray_warnings(&self) -> Vec<Diagnostic> {
        let games = self.game_ids();
        let mut strays: Vec<Diagnostic> = Vec::new();
        let closed = |folder: &Path| {
            let shown = self.files().name_of(folder);
            Diagnostic::warning(message!("nothing in `{shown}` is found, because that folder may not be listed"))
        };
        for root in self.roots() {
            let folders = ["games", "scripts", "variants"].map(|folder| root.join(folder));
            strays.extend(folders.iter().filter(|folder| self.files().is_closed(folder)).map(|folder| closed(folder)));
        }
        for FolderEntry { path, is_folder } in
            self.roots().iter().flat_map(|root| self.files().list(&root.join("variants")))
        {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_looked_in = name == ANY_GAME || games.contains(&name);
            let shown = self.files().name_of(&path);
            if !is_folder && path.extension().is_some_and(|extension| extension == "toml") {
                let stray = Diagnostic::warning(message!("`{shown}` lies in no folder of a game"));
                strays.push(stray.help("a variant is found in `variants/GAME/`, or in `variants/any/`"));
            } else if self.files().is_closed(&path) {
                strays.push(closed(&path));
            } else if is_folder && !is_looked_in && !self.files().toml_files_below(&path).is_empty() {
                strays.push(no_such("game", &name, &games).help(message!("`{shown}` has variants of it")));
            } else if is_folder && is_looked_in {
                let inner = self.files().list(&path).into_iter().filter(|listed| listed.is_folder);
                let inner = inner.filter(|inner| !self.files().toml_files_below(&inner.path).is_empty());
                strays.extend(inner.map(|inner| {
                    let shown = self.files().name_of(&inner.path);
                    let stray = Diagnostic::warning(message!("nobody looks for variants in `{shown}`"));
                    stray.help("a variant is found in `variants/GAME/`, or in `variants/any/`")
                }));
            }
        }
        let shelf = Folder::variants(ANY_GAME);
        for (id, origin) in self.found(&shelf) {
            let Ok(variant) = self.read_layer(&shelf.path_of(&id), &origin) else { continue };
            if !games.iter().any(|game| self.variants(game).iter().any(|entry| entry.origin == origin)) {
                strays.extend(self.missing_game_warnings(&variant));
            }
        }
        strays
    }

    fn game_ids(&self) -> SortedSet<String> {
        self.found(&Folder::games()).into_keys().filter(|id| is_id(id)).collect()
    }
}

fn no_such(what: &'static str, named: &str, known: &SortedSet<String>) -> Diagnostic {
    let what = Message::from(what);
    let warning = Diagnostic::warning(message!("there is no {what} `{named}`"));
    warning.near(named, known.iter().map(String::as_str))
}

/// The place where a variant names something under a key, alone or in a list.
fn place_of(variant: &Layer, key: &str, named: &str) -> Option<Place> {
    let label = message!("`{}` names it", variant.id);
    let node = match variant.whole.get(key) {
        Some(node) => match &node.value {
            Value::List(list) => list.iter().find(|one| matches!(&one.value, Value::Text(text) if text == named)),
            _ => Some(node),
        },
        None => None,
    };
    node.map(|node| node.place(label))
}
