//! Packs mounted as folders, for a library to read without writing anything to disk.

use super::PackFile;
use super::paths::bytes_of;
use crate::diagnostic::{Diagnostics, Source};
use crate::files::{FileKind, Files, FolderEntry, MemoryFiles};
use crate::sorted::SortedMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file system with packs in it: the path of a pack's file is also a folder, which holds its texts. A text is named
/// by the pack and its lines there.
#[derive(Clone, Debug)]
pub struct MountedPacks {
    below: Arc<dyn Files>,
    packs: Vec<(PathBuf, MountedContent)>,
}

/// The content of a mounted pack.
#[derive(Clone, Debug)]
struct MountedContent {
    tree: MemoryFiles,
    texts: SortedMap<PathBuf, Arc<Source>>,
}

impl MountedPacks {
    /// The files of `below`, with each pack mounted at its path.
    pub fn new<'a>(below: Arc<dyn Files>, packs: impl IntoIterator<Item = (PathBuf, &'a PackFile)>) -> Self {
        let packs = packs.into_iter().map(|(path, pack)| {
            let texts: SortedMap<PathBuf, Arc<Source>> =
                pack.texts().map(|(path, source)| (PathBuf::from(path), source)).collect();
            (path, MountedContent { tree: MemoryFiles::new(texts.keys().map(|path| (path, ""))), texts })
        });
        Self { below, packs: packs.collect() }
    }

    /// The pack that a path leads into, and the rest of the path.
    fn inside<'p>(&self, path: &'p Path) -> Option<(&MountedContent, &'p Path)> {
        let found = self.packs.iter().find_map(|(pack, inside)| Some((inside, path.strip_prefix(pack).ok()?)));
        found.filter(|(_, rest)| !rest.as_os_str().is_empty())
    }
}

impl Files for MountedPacks {
    fn read_up_to(&self, path: &Path, name: &str, most: u64) -> Result<Arc<Source>, Diagnostics> {
        match self.inside(path) {
            Some((inside, rest)) => match inside.texts.get(rest) {
                Some(text) if text.text.len() as u64 <= most => Ok(text.clone()),
                Some(_) => Err(Source::too_large(name, most).into()),
                // Gives the usual error for a missing file.
                None => inside.tree.read_up_to(rest, name, most),
            },
            None => self.below.read_up_to(path, name, most),
        }
    }

    fn bytes_up_to(&self, path: &Path, name: &str, most: u64) -> Result<Vec<u8>, Diagnostics> {
        if self.inside(path).is_none() {
            return self.below.bytes_up_to(path, name, most);
        }
        // The text form of a PNG is a third longer than its bytes.
        let source = self.read_up_to(path, name, most.saturating_mul(2))?;
        let bytes = bytes_of(path, &source.text);
        if bytes.len() as u64 > most { Err(Source::too_large(name, most).into()) } else { Ok(bytes) }
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        match self.inside(path) {
            Some((inside, rest)) => inside.tree.kind(rest),
            None => self.below.kind(path),
        }
    }

    fn list(&self, folder: &Path) -> Vec<FolderEntry> {
        match self.inside(folder) {
            Some((inside, rest)) => {
                let root = folder.ancestors().nth(rest.components().count()).unwrap_or(folder);
                let listed = inside.tree.list(rest).into_iter();
                listed.map(|one| FolderEntry { path: root.join(one.path), ..one }).collect()
            }
            None => self.below.list(folder),
        }
    }

    fn is_closed(&self, folder: &Path) -> bool {
        self.inside(folder).is_none() && self.below.is_closed(folder)
    }

    /// A pack is named by its file; a text in it, by that and its path in the pack.
    fn name_of(&self, path: &Path) -> String {
        self.below.name_of(path)
    }

    fn canonical_path(&self, path: &Path) -> PathBuf {
        if self.is_packed(path) { path.to_owned() } else { self.below.canonical_path(path) }
    }

    fn shipped(&self, path: &str) -> Option<&'static str> {
        self.below.shipped(path)
    }

    fn is_packed(&self, path: &Path) -> bool {
        self.inside(path).is_some()
    }
}
