//! Where rules come from: a folder of the library, a path that somebody gave, or a saved game that has them in it.

use super::library::name_of;
use crate::diagnostic::Source;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where a layer or a library of scripts was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// By its id, in one of the folders that the library looks in.
    Root {
        /// The folder.
        root: PathBuf,
        /// The file.
        path: PathBuf,
    },
    /// By the path of its file.
    Path(PathBuf),
    /// In this saved game.
    Saved(PathBuf),
}

impl Origin {
    /// The file whose text it is.
    pub fn path(&self) -> &Path {
        match self {
            Self::Root { path, .. } | Self::Path(path) | Self::Saved(path) => path,
        }
    }

    /// The folder of the library that it was found in.
    pub fn root(&self) -> Option<&Path> {
        match self {
            Self::Root { root, .. } => Some(root),
            Self::Path(_) | Self::Saved(_) => None,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root { path, .. } | Self::Path(path) => f.write_str(&name_of(path)),
            Self::Saved(path) => write!(f, "inside {}", name_of(path)),
        }
    }
}

/// Rules inside a saved game: each text with the path that it would have below a folder of the library, such as
/// `variants/high-card/double.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inside {
    /// The saved game.
    pub path: PathBuf,
    /// The texts, which stand in its file.
    pub files: BTreeMap<String, Arc<Source>>,
}

/// A text of the rules that can be carried elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleFile {
    /// The path that it would have below a folder of the library.
    pub path: String,
    /// The text.
    pub text: String,
}

/// The hashes of the rules that come with this version, sorted; the build script writes them.
mod shipped {
    include!(concat!(env!("OUT_DIR"), "/shipped.rs"));
}

impl RuleFile {
    /// Whether it is the file of this game.
    pub fn is_game(&self, id: &str) -> bool {
        self.path == format!("games/{id}/game.toml")
    }

    /// Whether this text came with this version of the program, so that everybody who has it has the text.
    pub fn is_shipped(&self) -> bool {
        let hash = blake3::hash(format!("{}\0{}", self.path, self.text).as_bytes());
        shipped::HASHES.binary_search(hash.as_bytes()).is_ok()
    }
}
