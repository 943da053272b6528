//! Small games of which the truth is known.

use houserule::agent::AgentSpec;
use houserule::lab::play::Plan;
use houserule::playthrough::Playable;
use houserule::ruleset::Selection;
use std::sync::Arc;

use crate::shared::small_game::ruleset;

/// A game for two or more of these rules, played at random.
pub fn plan(rules: &str, players: usize) -> Plan {
    plan_with(rules, players, None)
}

/// The same with a variant of this script laid over it.
pub fn plan_with(rules: &str, players: usize, variant: Option<&str>) -> Plan {
    plan_in(rules, players, variant, "")
}

/// The same with more keys of the game.
pub fn plan_in(rules: &str, players: usize, variant: Option<&str>, keys: &str) -> Plan {
    let game = format!("id = 'g'\nname = 'G'\nplayers = {{ min = 2, max = 4 }}\n{keys}[settings.prize]\ndefault = 3\n");
    let mut files = vec![("games/g/game.toml".to_owned(), game), ("games/g/rules.rhai".to_owned(), rules.to_owned())];
    let mut selection = Selection::of("g");
    if let Some(script) = variant {
        let text = format!("id = 'v'\ngame = 'g'\nname = 'V'\n[script]\nrhai = '''\n{script}\n'''\n");
        files.push(("variants/g/v.toml".to_owned(), text));
        selection = selection.with("v");
    }
    let files: Vec<(String, &[u8])> = files.iter().map(|(path, text)| (path.clone(), text.as_bytes())).collect();
    let ruleset = ruleset(&selection, &files).unwrap_or_else(|error| panic!("{}", error.render(false)));
    let loaded =
        Playable::compile(ruleset, players, Arc::default()).unwrap_or_else(|error| panic!("{}", error.render(false)));
    Plan::new(loaded, vec![AgentSpec::Random; players], 0)
}

/// Whoever says yes more often wins a game of three rounds; who is drawn first begins.
pub const LUCK: &str = r#"
fn game() {
    let first = players.pick("first");
    for round in 1..=3 {
        begin_round();
        for p in players.starting_with(first) {
            begin_turn(p);
            if p.may("stake") { p.award(1, "stake"); }
        }
    }
}
"#;
