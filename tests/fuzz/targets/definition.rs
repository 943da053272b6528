//! Bytes as the definition of a game, and as a variant of another.

use super::{Target, library, look, save, tell};
use crate::shared::hostile_files::SMALL_GAME;
use crate::shared::programs;
use houserule::playthrough::run::Until;
use houserule::{Library, Playable, Playthrough, Random, Ruleset, Selection};
use std::sync::Arc;

pub const TARGET: Target = Target { name: "definition", run };

/// What every game is played with, whatever lies on its table.
const RULES: &str = r#"
fn game() {
    for round in 1..=2 {
        begin_round();
        for p in players {
            begin_turn(p);
            let number = p.choose("number", [1, 2, 3]);
            if p.may("go") { p.award(number, "going"); }
        }
    }
}
fn points_now(p) { p.award(1, "now"); }
fn noted(zone) { [zone.len, "here"] }
"#;

/// As many moves are made.
const MOVES: usize = 5;

fn run(bytes: &[u8]) {
    // A game lies in the folder of its id.
    let text = String::from_utf8_lossy(bytes);
    let table: toml::Table = text.parse().unwrap_or_default();
    let id = table.get("id").and_then(toml::Value::as_str).filter(|id| !id.contains(['/', '.'])).unwrap_or("fuzzed");
    let files = [(format!("games/{id}/game.toml"), bytes), (format!("games/{id}/rules.rhai"), RULES.as_bytes())];
    play(&library(files.iter().map(|(path, bytes)| (path.as_str(), *bytes))), &Selection::of(id));

    for (game, definition) in [("hostile", SMALL_GAME), ("programs", programs::GAME)] {
        let paths = ["game.toml", "rules.rhai"].map(|file| format!("games/{game}/{file}"));
        let variant = format!("variants/{game}/{id}.toml");
        let files = [
            (paths[0].as_str(), definition.as_bytes()),
            (paths[1].as_str(), RULES.as_bytes()),
            (variant.as_str(), bytes),
        ];
        play(&library(files), &Selection::of(game).with(id));
    }
}

/// Lists what there is, and plays some moves, twice.
fn play(library: &Library, selection: &Selection) {
    for game in library.games() {
        library.variants(&game.id);
    }
    let [once, again] = [1, 2].map(|_| played(library, selection));
    assert!(once == again, "two games of the same differ:\n{once}\n\n{again}");
}

fn played(library: &Library, selection: &Selection) -> String {
    let ruleset = match Ruleset::load(library, selection) {
        Ok(ruleset) => Arc::new(ruleset),
        Err(errors) => return tell(&errors),
    };
    let seats = ruleset.definition.players.0;
    let loaded = match Playable::compile(ruleset, seats, Arc::default()) {
        Ok(loaded) => loaded,
        Err(errors) => return tell(&errors),
    };
    loaded.warnings.iter().chain(&*loaded.untold).for_each(|warning| drop(tell(std::slice::from_ref(warning))));
    let (mut game, _) = match Playthrough::start(loaded, seats, 1, Vec::new()) {
        Ok(started) => started,
        Err(errors) => return tell(&errors),
    };
    let mut seen = look(&game);
    if let Err(errors) = game.advance(Box::new(Random::new(1)), Until::Decisions(MOVES)) {
        seen.push_str(&tell(&errors));
    }
    seen.push_str(&look(&game));
    seen.push_str(&save(&game));
    seen
}
