//! Rules for the tests in the rooms, all in memory.

#![allow(clippy::unwrap_used, clippy::panic)]

use crate::definition::Library;
use crate::files::MemoryFiles;
use crate::ruleset::{Ruleset, Selection};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

/// A game `small` with this definition and script, and more files if there are any.
pub(crate) fn small(definition: &str, script: &str, more: &[(&str, &str)], variants: &[&str]) -> Arc<Ruleset> {
    let files = [("games/small/game.toml", definition), ("games/small/rules.rhai", script)];
    let library = Library::of(Arc::new(MemoryFiles::new(files.iter().chain(more).copied())), vec![PathBuf::new()]);
    let variants = variants.iter().map(|&variant| variant.to_owned()).collect();
    let selection = Selection { game: "small".to_owned(), variants, set: Vec::new() };
    Arc::new(Ruleset::load(&library, &selection).unwrap_or_else(|errors| panic!("{}", errors[0].render(false))))
}

/// The games that come with the program.
pub(crate) fn shipped() -> Library {
    static FILES: LazyLock<Arc<MemoryFiles>> = LazyLock::new(|| Arc::new(read_shipped()));
    Library::of(FILES.clone(), vec![PathBuf::new()])
}

#[allow(clippy::disallowed_methods, reason = "it is carried from the disk into memory")]
fn read_shipped() -> MemoryFiles {
    // The package may be one below the project.
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let project = here.ancestors().find(|folder| folder.join("games").is_dir()).unwrap();
    let mut folders = ["games", "variants", "scripts", "tests/scenarios"].map(|folder| project.join(folder)).to_vec();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap().flatten() {
            let path = entry.path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.push((path.strip_prefix(project).unwrap().to_owned(), std::fs::read(&path).unwrap())),
            }
        }
    }
    MemoryFiles::new(files)
}
