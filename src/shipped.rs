//! The games, variants, libraries of scripts and scenarios that come with the program, inside it.
//!
//! They are a folder of the library like any other, [`BUILT_IN`], which [`BuiltIn`] puts among other files. It is the last
//! that is looked at: a file of the same id elsewhere wins. It lies compressed in the program until somebody looks at it.

use crate::compressed;
use crate::definition::Library;
use crate::diagnostic::{Diagnostics, Source};
use crate::files::{BUILT_IN, FileKind, Files, FolderEntry, MemoryFiles};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

/// Each text with its path below a folder of the library, sorted by path.
static TEXTS: LazyLock<Vec<(String, String)>> =
    LazyLock::new(|| compressed::texts(include_bytes!(concat!(env!("OUT_DIR"), "/shipped.deflate"))));

/// A library of what comes with the program alone, as a page in a browser has it.
///
/// ```
/// let library = houserule::built_in();
/// assert!(library.games().iter().all(|game| game.layer.is_ok()));
/// ```
pub fn library() -> Library {
    Library::of(Arc::new(BuiltIn::among(Arc::new(MemoryFiles::default()))), vec![BUILT_IN.into()])
}

/// The ids of all games, libraries of scripts and variants.
pub fn ids() -> impl Iterator<Item = &'static str> {
    let id = |path: &'static str| match path.split('/').collect::<Vec<_>>().as_slice() {
        ["games", game, "game.toml"] => Some(*game),
        ["scripts", file] | ["variants", _, file] => file.split('.').next(),
        _ => None,
    };
    TEXTS.iter().filter_map(move |(path, _)| id(path.as_str()))
}

/// The texts of a game with its variants and scenarios, of a library of scripts, or of a variant, by its id; each with its
/// path below a folder of the library. Nothing where no such thing comes with the program.
pub fn texts_of(id: &str) -> Vec<(&'static str, &'static str)> {
    let is_in_folders = |path: &str, folders: &[&str]| {
        folders.iter().any(|folder| path.strip_prefix(folder).and_then(|rest| rest.split('/').next()) == Some(id))
    };
    let is_file = |path: &str, folder: &str| {
        path.starts_with(folder) && Path::new(path).file_stem().is_some_and(|stem| stem == id)
    };
    let texts = |is_meant: &dyn Fn(&str) -> bool| -> Vec<_> {
        TEXTS.iter().filter(|(path, _)| is_meant(path)).map(|(path, text)| (path.as_str(), text.as_str())).collect()
    };
    let game = texts(&|path| is_in_folders(path, &["games/", "variants/", "tests/scenarios/"]));
    let library = texts(&|path| is_file(path, "scripts/"));
    [game, library]
        .into_iter()
        .find(|texts| !texts.is_empty())
        .unwrap_or_else(|| texts(&|path| is_file(path, "variants/")))
}

/// The text with this path below a folder of the library.
pub fn text_at(path: &str) -> Option<&'static str> {
    let place = TEXTS.binary_search_by_key(&path, |(path, _)| path.as_str()).ok()?;
    TEXTS.get(place).map(|(_, text)| text.as_str())
}

/// The paths of all texts below a folder, each without the folder; sorted.
fn paths_below(folder: &str) -> impl Iterator<Item = &'static str> {
    let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    let first = TEXTS.partition_point(|(path, _)| *path < prefix);
    TEXTS.iter().skip(first).map_while(move |(path, _)| path.strip_prefix(prefix.as_str()))
}

/// Files with what comes with the program among them, below [`BUILT_IN`].
#[derive(Clone, Debug)]
pub struct BuiltIn {
    others: Arc<dyn Files>,
}

impl BuiltIn {
    /// Puts what comes with the program among these files.
    pub fn among(others: Arc<dyn Files>) -> Self {
        Self { others }
    }
}

/// The path below [`BUILT_IN`], with slashes; `None` for a path that leads elsewhere.
fn below_root(path: &Path) -> Option<String> {
    let names = path.strip_prefix(BUILT_IN).ok()?.iter().map(|name| name.to_str());
    Some(names.collect::<Option<Vec<_>>>()?.join("/"))
}

impl Files for BuiltIn {
    fn read_up_to(&self, path: &Path, name: &str, most: u64) -> Result<Arc<Source>, Diagnostics> {
        match below_root(path).map(|path| text_at(&path)) {
            Some(Some(text)) if text.len() as u64 <= most => Ok(Source::new(name, text)),
            Some(Some(_)) => Err(Source::too_large(name, most).into()),
            // It says in the usual words that there is no such file.
            Some(None) => MemoryFiles::default().read_up_to(path, name, most),
            None => self.others.read_up_to(path, name, most),
        }
    }

    fn bytes_up_to(&self, path: &Path, name: &str, most: u64) -> Result<Vec<u8>, Diagnostics> {
        match below_root(path) {
            Some(_) => self.read_up_to(path, name, most).map(|source| source.text.clone().into_bytes()),
            None => self.others.bytes_up_to(path, name, most),
        }
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        match below_root(path) {
            Some(path) if text_at(&path).is_some() => Some(FileKind::File),
            Some(folder) => paths_below(&folder).next().map(|_| FileKind::Folder),
            None => self.others.kind(path),
        }
    }

    fn list(&self, folder: &Path) -> Vec<FolderEntry> {
        let Some(below) = below_root(folder) else { return self.others.list(folder) };
        let mut listed: Vec<FolderEntry> = Vec::new();
        for path in paths_below(&below) {
            let (name, is_folder) = path.split_once('/').map_or((path, false), |(name, _)| (name, true));
            let path = folder.join(name);
            if listed.last().is_none_or(|last| last.path != path) {
                listed.push(FolderEntry { path, is_folder });
            }
        }
        listed
    }

    fn is_closed(&self, folder: &Path) -> bool {
        below_root(folder).is_none() && self.others.is_closed(folder)
    }

    fn name_of(&self, path: &Path) -> String {
        match below_root(path) {
            Some(below) if below.is_empty() => BUILT_IN.to_owned(),
            Some(below) => format!("{BUILT_IN}/{below}"),
            None => self.others.name_of(path),
        }
    }

    fn canonical_path(&self, path: &Path) -> PathBuf {
        if below_root(path).is_some() { path.to_owned() } else { self.others.canonical_path(path) }
    }

    fn is_packed(&self, path: &Path) -> bool {
        self.others.is_packed(path)
    }

    fn shipped(&self, path: &str) -> Option<&'static str> {
        text_at(path)
    }
}
