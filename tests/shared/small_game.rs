//! Games of a test's own, in memory.

use houserule::definition::Library;
use houserule::diagnostic::Diagnostics;
use houserule::files::Memory;
use houserule::ruleset::{Ruleset, Selection};
use std::path::PathBuf;
use std::sync::Arc;

/// A game without variants.
pub fn game(id: &str, definition: impl AsRef<[u8]>, rules: impl AsRef<[u8]>) -> Result<Arc<Ruleset>, Diagnostics> {
    let selection = Selection { game: id.to_owned(), ..Selection::default() };
    let files = [("game.toml", definition.as_ref()), ("rules.rhai", rules.as_ref())];
    ruleset(&selection, &files.map(|(name, content)| (format!("games/{id}/{name}"), content)))
}

/// What is selected from a project of these files.
pub fn ruleset(selection: &Selection, files: &[(impl AsRef<str>, &[u8])]) -> Result<Arc<Ruleset>, Diagnostics> {
    let files = files.iter().map(|(path, content)| (path.as_ref(), *content));
    Ruleset::load(&Library::of(Arc::new(Memory::new(files)), vec![PathBuf::new()]), selection).map(Arc::new)
}
