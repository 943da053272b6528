//! The origin of rules: a folder of the library, a path that somebody gave, or a saved game that contains them.

use crate::diagnostic::Source;
use crate::files::{BUILT_IN, Files};
use crate::sorted::SortedMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where a layer or a library of scripts was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    found: OriginKind,
    path: PathBuf,
    name: String,
}

/// How a layer or a library of scripts was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OriginKind {
    /// By its id, below this root folder of the library.
    Root(PathBuf),
    /// By the path of its file.
    Path,
    /// Inside a saved game.
    Saved,
}

impl Origin {
    /// The origin of a layer in the file at `path`: the file of its text, or the saved game that contains it.
    pub fn new(files: &dyn Files, found: OriginKind, path: PathBuf) -> Self {
        Self { name: files.name_of(&path), found, path }
    }

    /// How the layer was found.
    pub fn found(&self) -> &OriginKind {
        &self.found
    }

    /// The file that contains the text.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name of that file in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The root folder of the library that has the layer; `None` where it was found otherwise.
    pub fn root(&self) -> Option<&Path> {
        match &self.found {
            OriginKind::Root(root) => Some(root),
            OriginKind::Path | OriginKind::Saved => None,
        }
    }

    /// Whether the layer ships with the program.
    pub fn is_built_in(&self) -> bool {
        self.root() == Some(Path::new(BUILT_IN))
    }

    /// Whether the file lies outside the folder that the person works in.
    pub fn is_elsewhere(&self) -> bool {
        Path::new(&self.name).is_absolute()
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.found {
            OriginKind::Root(_) | OriginKind::Path => f.write_str(&self.name),
            OriginKind::Saved => write!(f, "inside {}", self.name),
        }
    }
}

/// Rules inside a saved game: each text with the path that it would have below a folder of the library, such as
/// `variants/high-card/double.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedRules {
    /// Path of the saved game.
    pub path: PathBuf,
    /// The texts by their paths below a folder of the library; their source is the saved game's file.
    pub files: SortedMap<String, Arc<Source>>,
}

/// A text of the rules that can be carried elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleFile {
    /// The path of the text below a folder of the library.
    pub path: String,
    pub text: String,
}

impl RuleFile {
    /// Whether this is the `game.toml` of a game.
    pub fn is_game(&self, id: &str) -> bool {
        self.path == format!("games/{id}/game.toml")
    }
}
