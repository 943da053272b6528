//! The folders below a root: where games, variants and libraries of rules lie, and which of them are there.

use super::names::is_id;
use crate::files::{Files, FolderEntry};
use std::path::{Path, PathBuf};

/// A folder that every root can have, with the names of the files in it.
pub(super) struct Folder {
    /// The path below a root up to the id.
    pub(super) prefix: String,
    /// Endings of the path behind the id: `/game.toml`, `.toml`. Of several files of one id, the first says where it
    /// was found.
    suffixes: &'static [&'static str],
}

impl Folder {
    pub(super) fn games() -> Folder {
        Folder { prefix: "games/".to_owned(), suffixes: &["/game.toml"] }
    }

    pub(super) fn variants(game: &str) -> Folder {
        Folder { prefix: format!("variants/{game}/"), suffixes: &[".toml"] }
    }

    /// The folder of libraries of rules.
    pub(super) fn scripts() -> Folder {
        Folder { prefix: "scripts/".to_owned(), suffixes: &[".rhai", ".toml"] }
    }

    /// The folder that contains a path below a root.
    pub(super) fn of(path: &str) -> Option<Folder> {
        let game = path.strip_prefix("variants/").and_then(|rest| rest.split('/').next());
        let variants = game.map(Folder::variants);
        [Some(Folder::games()), variants, Some(Folder::scripts())]
            .into_iter()
            .flatten()
            .find(|shelf| shelf.id_of(path).is_some())
    }

    /// The paths of all files of an id, below a root.
    pub(super) fn paths_of(&self, id: &str) -> impl Iterator<Item = String> {
        self.suffixes.iter().map(move |suffix| format!("{}{id}{suffix}", self.prefix))
    }

    /// The path of the first file of an id, below a root.
    pub(super) fn path_of(&self, id: &str) -> String {
        self.paths_of(id).next().unwrap_or_default()
    }

    /// The id in a path below a root; `None` where the path is not one of this folder.
    pub(super) fn id_of<'a>(&self, path: &'a str) -> Option<&'a str> {
        let rest = path.strip_prefix(&self.prefix)?;
        self.suffixes.iter().find_map(|suffix| rest.strip_suffix(suffix)).filter(|id| is_id(id))
    }

    /// The files of this folder in a root, with their ids; of several that one id has, the last is the one to take.
    pub(super) fn list(&self, files: &dyn Files, root: &Path) -> Vec<(String, PathBuf)> {
        // Names that a person types must not lead out of the root.
        let names = self.prefix.split('/').filter(|name| !name.is_empty());
        if !names.clone().all(is_id) {
            return Vec::new();
        }
        let folder = root.join(names.collect::<PathBuf>());
        let listed = |suffix: &&str| match suffix.strip_prefix('/') {
            Some(file) => folders_with(files, &folder, file),
            None => files_with(files, &folder, suffix.trim_start_matches('.')),
        };
        self.suffixes.iter().rev().flat_map(listed).collect()
    }
}

/// The subfolders that contain a certain file, by name, with that file.
fn folders_with(files: &dyn Files, folder: &Path, file: &str) -> Vec<(String, PathBuf)> {
    let named = entries(files, folder).map(|path| (name_in(&path), path.join(file)));
    named.filter(|(_, file)| files.exists(file)).collect()
}

/// The files of a folder with a certain extension, by the name before the extension.
fn files_with(files: &dyn Files, folder: &Path, extension: &str) -> Vec<(String, PathBuf)> {
    let named = entries(files, folder).filter(|path| path.extension().is_some_and(|found| found == extension));
    named.map(|path| (name_in(&path.with_extension("")), path)).collect()
}

/// The entries of a folder that are not hidden; empty where there is no such folder.
fn entries(files: &dyn Files, folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let listed = files.list(folder).into_iter().map(|FolderEntry { path, .. }| path);
    listed.filter(|path| !name_in(path).starts_with('.'))
}

fn name_in(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
