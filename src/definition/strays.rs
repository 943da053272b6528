//! Variants for games that are not there: nothing would ever tell of them, because nobody can play them.

use super::library::Folder;
use super::{ANY_GAME, Layer, LayerKind, Library, is_id};
use crate::diagnostic::{Diagnostic, did_you_mean};
use std::collections::BTreeSet;

impl Library {
    /// The games that a variant for several names, and the library by which it takes games, as far as they are not
    /// there.
    pub fn missing_of(&self, variant: &Layer) -> Vec<Diagnostic> {
        let missing = |what: &str, key: &str, named: &str, known: &BTreeSet<String>| {
            if known.contains(named) {
                return None;
            }
            let warning = Diagnostic::warning(format!("there is no {what} `{named}`"))
                .at_maybe(variant.place_of(&[key], format!("`{}` names it", variant.id)));
            let near = did_you_mean(named, known.iter().map(String::as_str));
            Some(near.into_iter().fold(warning, Diagnostic::help))
        };
        let games = self.game_ids();
        let of_game = |key: &'static str, id: &str| missing("game", key, id, &games);
        match &variant.kind {
            LayerKind::Variant { game } if game == ANY_GAME => {
                let libraries = self.library_ids().into_iter().collect();
                let named = variant.fits.games.iter().filter_map(|id| of_game("games", id));
                let used = variant.fits.library.iter();
                named.chain(used.filter_map(|id| missing("library", "games_using", id, &libraries))).collect()
            }
            LayerKind::Variant { game } => of_game("game", game).into_iter().collect(),
            LayerKind::Game => Vec::new(),
        }
    }

    /// What there is to say of variants that go with no game that is there.
    pub fn strays(&self) -> Vec<Diagnostic> {
        let games = self.game_ids();
        let folders = self.roots().iter().flat_map(|root| self.files().list(&root.join("variants")));
        let names = folders.filter(|listed| listed.is_folder).filter_map(|listed| {
            Some(listed.path.file_name()?.to_str()?.to_owned()).filter(|name| is_id(name) && !games.contains(name))
        });
        let mut strays = Vec::new();
        for folder in names.collect::<BTreeSet<String>>() {
            let shelf = Folder::variants(&folder);
            for (id, origin) in self.found(&shelf) {
                let Ok(variant) = self.read_layer(&shelf.path_of(&id), &origin) else { continue };
                let goes_with = |game: &String| self.variants(game).iter().any(|entry| entry.origin == origin);
                if folder != ANY_GAME || !games.iter().any(goes_with) {
                    strays.extend(self.missing_of(&variant));
                }
            }
        }
        strays
    }

    fn game_ids(&self) -> BTreeSet<String> {
        self.found(&Folder::games()).into_keys().collect()
    }
}
