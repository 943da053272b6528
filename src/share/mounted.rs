//! Packs as folders: a library looks into them, and nothing is written anywhere.

use super::PackFile;
use super::paths::bytes_of;
use crate::diagnostic::{Diagnostics, Source};
use crate::files::{FileKind, Files, Listed, Memory};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files with packs among them: the path of a pack's file is a folder too, in which its texts lie. They are named after
/// the pack, with the lines at which they stand in it.
#[derive(Clone, Debug)]
pub struct Mounted {
    below: Arc<dyn Files>,
    packs: Vec<(PathBuf, Inside)>,
}

/// What lies in a pack.
#[derive(Clone, Debug)]
struct Inside {
    tree: Memory,
    texts: BTreeMap<PathBuf, Arc<Source>>,
}

impl Mounted {
    /// These files, with packs under the paths of theirs.
    pub fn new<'a>(below: Arc<dyn Files>, packs: impl IntoIterator<Item = (PathBuf, &'a PackFile)>) -> Self {
        let packs = packs.into_iter().map(|(path, pack)| {
            let texts: BTreeMap<PathBuf, Arc<Source>> =
                pack.texts().map(|(path, source)| (PathBuf::from(path), source)).collect();
            (path, Inside { tree: Memory::new(texts.keys().map(|path| (path, ""))), texts })
        });
        Self { below, packs: packs.collect() }
    }

    /// The pack that a path leads into, and the rest of the path.
    fn inside<'p>(&self, path: &'p Path) -> Option<(&Inside, &'p Path)> {
        let found = self.packs.iter().find_map(|(pack, inside)| Some((inside, path.strip_prefix(pack).ok()?)));
        found.filter(|(_, rest)| !rest.as_os_str().is_empty())
    }
}

impl Files for Mounted {
    fn read_up_to(&self, path: &Path, name: &str, most: u64) -> Result<Arc<Source>, Diagnostics> {
        match self.inside(path) {
            Some((inside, rest)) => match inside.texts.get(rest) {
                Some(text) if text.text.len() as u64 <= most => Ok(text.clone()),
                Some(_) => Err(Source::too_large(name, most).into()),
                // It says in the usual words that there is no such file.
                None => inside.tree.read_up_to(rest, name, most),
            },
            None => self.below.read_up_to(path, name, most),
        }
    }

    fn bytes_up_to(&self, path: &Path, name: &str, most: u64) -> Result<Vec<u8>, Diagnostics> {
        if self.inside(path).is_none() {
            return self.below.bytes_up_to(path, name, most);
        }
        // As text, a picture of dots takes a third more.
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

    fn list(&self, folder: &Path) -> Vec<Listed> {
        match self.inside(folder) {
            Some((inside, rest)) => {
                let root = folder.ancestors().nth(rest.components().count()).unwrap_or(folder);
                let listed = inside.tree.list(rest).into_iter();
                listed.map(|one| Listed { path: root.join(one.path), ..one }).collect()
            }
            None => self.below.list(folder),
        }
    }

    /// The pack is called as its file is; what lies in it, as that with the path behind it.
    fn name_of(&self, path: &Path) -> String {
        self.below.name_of(path)
    }

    fn real(&self, path: &Path) -> PathBuf {
        if self.is_packed(path) { path.to_owned() } else { self.below.real(path) }
    }

    fn shipped(&self, path: &str) -> Option<&'static str> {
        self.below.shipped(path)
    }

    fn is_packed(&self, path: &Path) -> bool {
        self.inside(path).is_some()
    }
}
