//! Links from a TOML file to other files.

use super::toml::{ItemKind, TomlItem};
use super::{FileText, Workspace};
use crate::definition::Library;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A link: a name that stands for another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The byte range of the name.
    pub span: Range<usize>,
    /// The path of the other file.
    pub path: PathBuf,
}

impl Workspace {
    /// The links in a TOML file, to games, variants, libraries, and the parts of packs and saved games.
    pub fn links(&self, path: &Path) -> Vec<Link> {
        let Some(file) = self.file(path) else { return Vec::new() };
        let Some(toml) = &file.toml else { return Vec::new() };
        let library = self.library_for(path);
        let game = self.game_of(&file);
        let mut found = Vec::new();
        for item in &toml.items {
            let link = self.link_of(&file, item, &library, &game);
            found.extend(link.filter(|link| link.path != path));
        }
        found
    }

    fn link_of(&self, file: &FileText, item: &TomlItem, library: &Library, game: &str) -> Option<Link> {
        let is_name = |part: &&str| !part.bytes().all(|byte| byte.is_ascii_digit());
        let parts: Vec<&str> = item.path.iter().map(String::as_str).filter(is_name).collect();
        let span = match parts[..] {
            // Here the name is the key.
            ["with" | "conflicts", _] => item.key.clone(),
            _ if matches!(item.kind, ItemKind::Text(..)) => item.inside(),
            _ => return None,
        };
        let name = file.source.text.get(span.clone()).filter(|name| !name.is_empty())?;
        let path = match parts[..] {
            ["game" | "base" | "games"] | ["play", "game"] => library.game(name).ok()?.origin.path().to_owned(),
            ["uses" | "games_using"] => library.rule_library(name, None).ok()?.origin.path().to_owned(),
            ["requires" | "variants" | "with" | "conflicts", ..] | ["play", "variants"] => {
                self.place_of_layer(library, game, name)?
            }
            // An embedded text links to the file with its path below a local root.
            ["files" | "rules" | "rests_on", "path"] => {
                let lies_in = |root: &PathBuf| Some(root.join(name)).filter(|path| library.files().exists(path));
                library.roots().iter().find_map(lies_in)?
            }
            _ => return None,
        };
        Some(Link { span, path })
    }

    /// The game that a file belongs to: the one that it names, or whose folder it is in.
    fn game_of(&self, file: &FileText) -> String {
        let text = |path: &[&str]| {
            let item = file.toml.as_ref()?.get(path)?;
            Some(file.source.text.get(item.inside())?.to_owned()).filter(|text| !text.is_empty())
        };
        let folder = || {
            let (_, parts) = self.below_root(&file.path)?;
            parts.get(1).cloned()
        };
        text(&["game"]).or_else(|| text(&["play", "game"])).or_else(folder).unwrap_or_default()
    }

    /// The file of a variant of `game`, of a game, or of a library, by id.
    pub(super) fn place_of_layer(&self, library: &Library, game: &str, id: &str) -> Option<PathBuf> {
        let layer =
            library.variant(game, id).or_else(|_| library.game(id)).or_else(|_| library.rule_library(id, None)).ok()?;
        Some(layer.origin.path().to_owned())
    }
}
