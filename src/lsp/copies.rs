//! Copies of built-in files on disk: an editor can only open files.

use crate::files::{BUILT_IN, OverwritePolicy};
use crate::host::file::{write_new, write_whole};
use etcetera::BaseStrategy as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// The folder of the copies, one per version of the program.
#[derive(Clone, Debug)]
pub struct Copies {
    folder: Option<PathBuf>,
}

impl Copies {
    /// The folder is below the user's cache folder; where there is none, no copies are made.
    pub fn new() -> Self {
        let cache = etcetera::choose_base_strategy().ok().map(|folders| folders.cache_dir());
        Self { folder: cache.map(|cache| cache.join("houserule").join("built-in").join(env!("CARGO_PKG_VERSION"))) }
    }

    /// The path of the copy of a built-in file; for any other file, its own path.
    pub fn place(&self, path: &Path) -> PathBuf {
        let copy = path.strip_prefix(BUILT_IN).ok().and_then(|rest| Some(self.folder.as_ref()?.join(rest)));
        copy.unwrap_or_else(|| path.to_owned())
    }

    /// The path of the built-in file that a copy was made of; for any other file, its own path.
    pub fn original(&self, path: PathBuf) -> PathBuf {
        let rest = self.folder.as_ref().and_then(|folder| path.strip_prefix(folder).ok());
        rest.map(|rest| Path::new(BUILT_IN).join(rest)).unwrap_or(path)
    }

    /// Writes the copy of a built-in file, unless it is there already; `None` where that fails or the file is not built
    /// in.
    pub fn write(&self, path: &Path, text: &str) -> Option<()> {
        let copy = self.place(path);
        match std::fs::read(&copy) {
            _ if copy == path => None,
            Ok(there) if there == text.as_bytes() => Some(()),
            Ok(_) => write_whole(&copy, text, OverwritePolicy::Anything, &AtomicBool::new(false)).ok().map(drop),
            Err(_) => write_new(&copy, text).ok(),
        }
    }
}
