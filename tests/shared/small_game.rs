//! Games of a test's own, in a project that is gone as soon as they are read.

use houserule::definition::Library;
use houserule::diagnostic::Diagnostic;
use houserule::ruleset::{Ruleset, Selection};
use std::sync::Arc;

/// A game without variants.
pub fn game(id: &str, definition: impl AsRef<[u8]>, rules: impl AsRef<[u8]>) -> Result<Arc<Ruleset>, Vec<Diagnostic>> {
    let selection = Selection { game: id.to_owned(), ..Selection::default() };
    let files = [("game.toml", definition.as_ref()), ("rules.rhai", rules.as_ref())];
    ruleset(&selection, &files.map(|(name, content)| (format!("games/{id}/{name}"), content)))
}

/// What is selected from a project of these files.
pub fn ruleset(selection: &Selection, files: &[(impl AsRef<str>, &[u8])]) -> Result<Arc<Ruleset>, Vec<Diagnostic>> {
    let folder = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let path = folder.path().join(path.as_ref());
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    Ruleset::load(&Library::new(vec![folder.path().to_owned()]), selection).map(Arc::new)
}
