//! Games of a test's own, in memory.

use houserule::definition::Library;
use houserule::diagnostic::Diagnostics;
use houserule::files::MemoryFiles;
use houserule::ruleset::{Ruleset, Selection};
use std::path::PathBuf;
use std::sync::Arc;

/// The definition of a game that has something of every kind.
pub const GAME: &str = r#"
houserule = "0.1"
id = "small"
name = { en = "Small" }
players = { min = 2, max = 4 }
settings.rounds.default = "2"
data = { bonus = 3, colors = ["red", "blue"], points = [1,2,3] }
variables.special.default = ""
variables.turns.default = 0
variables.coins = { per = "seat", default = 0 }

[components.card]
kind = "card"
id = "{number}"
face = "{number}"
attributes = { number = { from = 1, to = 6 }, color = { cycle = "data.colors" }, coins = 3 }

[components.die]
kind = "die"
id = "die-{eyes}"
attributes = { eyes = { from = 1, to = 3 } }

[components.tile]
kind = "token"
sides = ["day", "night"]
list = [{ id = "sun" }, { id = "moon" }]

[zones.deck]
name = { en = "deck" }
order = "pile"
visible = "none"

[zones.hand]
name = { en = "hand" }
per = "seat"
order = "hand"
visible = "owner"

[zones.rows]
name = { en = "row" }
per = "seat"
order = "row"
visible = "all"
count = 3
"#;

/// A game without variants.
pub fn game(id: &str, definition: impl AsRef<[u8]>, rules: impl AsRef<[u8]>) -> Result<Arc<Ruleset>, Diagnostics> {
    let selection = Selection { game: id.to_owned(), ..Selection::default() };
    let files = [("game.toml", definition.as_ref()), ("rules.rhai", rules.as_ref())];
    ruleset(&selection, &files.map(|(name, content)| (format!("games/{id}/{name}"), content)))
}

/// What is selected from a project of these files.
pub fn ruleset(selection: &Selection, files: &[(impl AsRef<str>, &[u8])]) -> Result<Arc<Ruleset>, Diagnostics> {
    let files = files.iter().map(|(path, content)| (path.as_ref(), *content));
    Ruleset::load(&Library::of(Arc::new(MemoryFiles::new(files)), vec![PathBuf::new()]), selection).map(Arc::new)
}
