//! What strangers' files may hold, and the game that they stand in.

use std::path::{Path, PathBuf};

/// The game that hostile scripts are the rules of.
pub const SMALL_GAME: &str = r#"
id = "hostile"
name = { en = "Hostile" }
players = { min = 2, max = 4 }

[data]
bonus = 3
colors = ["red", "blue"]

[components.card]
kind = "card"
id = "{number}"
face = "{number}"

[components.card.attributes]
number = { from = 1, to = 12 }
color = { cycle = "data.colors" }

[components.die]
kind = "die"
id = "die-{eyes}"
attributes = { eyes = { from = 1, to = 2 } }

[components.tile]
kind = "token"
sides = ["day", "night"]
list = [{ id = "sun" }]

[zones.deck]
name = { en = "deck" }
order = "pile"
visible = "none"

[zones.hand]
name = { en = "hand" }
per = "seat"
order = "hand"
visible = "owner"

[variables]
special = { default = "" }
leader  = { type = "player" }
"#;

/// Rules that hostile definitions have, and that have to work after everything else.
pub const GOOD_RULES: &str = "fn game() { for p in players { if p.may(\"go\") { p.award(1, \"going\"); } } }\n";

/// How many play.
pub const SEATS: usize = 3;

/// The hostile files of an ending, in order.
pub fn files(ending: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == ending));
    files.sort();
    files
}

pub fn name_of(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}
