//! The examples that stand beside words in the reference come to what they say.

use crate::shared::small_game;
use houserule::agent::Random;
use houserule::script::rules::Rules;
use houserule::script::vocabulary::{Form, Word, words};
use houserule::script::{End, Start};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The table of the examples: of ten cards numbered from 1, red and blue in turn, three lie in each of three hands and one
/// in the deck. The board has four columns and three rows, and nothing lies there. Two dice that nobody has rolled lie in the
/// tray, and two coins, heads up, in the zone of that name.
pub(crate) const GAME: &str = r#"
id = "examples"
name = { en = "Examples" }
players = { min = 3, max = 3 }
data = { bonus = 3, colors = ["red", "blue"], prices = { tea = 2 } }

[components.card]
kind = "card"
id = "{number}"
attributes = { number = { from = 1, to = 10 }, color = { cycle = ["red", "blue"] } }

[components.die]
kind = "die"
id = "die-{copy}"
copies = 2

[components.coin]
kind = "token"
id = "coin-{copy}"
copies = 2
sides = ["heads", "tails"]

[variables]
coins = { per = "seat", default = 0, bank = 40 }

[zones]
deck = { name = { en = "deck" }, order = "pile", visible = "none" }
hand = { name = { en = "hand" }, order = "hand", visible = "owner", per = "seat" }
row = { name = { en = "row" }, order = "row", visible = "all" }
tray = { name = { en = "tray" }, order = "row", visible = "all" }
coin = { name = { en = "coin" }, order = "row", visible = "all" }
board = { name = { en = "board" }, order = "pile", visible = "all", grid = [4, 3], regions = { home = ["a1:d1"] } }
"#;

pub(crate) const LAY: &str = "
fn lay() {
    for p in players {
        components(\"card\").between(\"number\", 3 * p.number - 2, 3 * p.number).move_to(p.hand);
    }
    components(\"card\").having(\"number\", 10).move_to(deck);
    components(\"die\").move_to(tray);
    components(\"coin\").move_to(coin);
}
";

/// What is wrong with an example.
fn trouble(word: &Word) -> Option<String> {
    let example = word.example();
    let script = format!(
        "fn game() {{ lay(); if !example(players[1], players[2], players[3]) {{ throw \"it is false\"; }} }}\n\
         fn example(p1, p2, p3) {{\n{example}\n}}\n{LAY}"
    );
    let ruleset = match small_game::game("examples", GAME, script) {
        Ok(ruleset) => ruleset,
        Err(errors) => return Some(errors.first().message.to_string()),
    };
    let rules = match Rules::new(ruleset, 3, Arc::default()) {
        Ok(rules) => rules,
        Err(errors) => return Some(errors.first().message.to_string()),
    };
    match rules.play(&Start::Game, 1, &mut Random::new(1), None).1 {
        End::Finished => None,
        End::Failed(errors) => Some(errors.first().message.to_string()),
        other => Some(format!("{other:?}")),
    }
}

#[test]
fn every_example_comes_to_true() {
    let examples = words().filter(|word| !word.example().is_empty());
    let wrong: Vec<String> = examples
        .filter_map(|word| Some(format!("{}\n{}\n  {}", word.usage(), word.example(), trouble(word)?)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The test above sees what is wrong.
#[test]
fn an_example_that_is_false_is_found() {
    let word = words().find(|word| word.name == "swap_with").unwrap();
    assert!(trouble(word).is_none());
    let doc = " Wrong.\n > p1.hand.is_empty\n";
    assert_eq!(trouble(&Word { doc, ..*word }).as_deref(), Some("the rules gave up: it is false"));
}

/// No word stands in the reference without rules that show how it is used, in one of its forms at least.
#[test]
fn every_word_has_an_example() {
    let names = |is_shown: fn(&Word) -> bool| -> BTreeSet<&str> {
        words().filter(|word| word.form != Form::Operator && is_shown(word)).map(|word| word.name).collect()
    };
    let all = names(|_| true);
    let shown = names(|word| !word.example().is_empty());
    assert_eq!(all.difference(&shown).collect::<Vec<_>>(), Vec::<&&str>::new());
}
