//! Money, goods and tokens: numbers with limits, counted out of a bank, and components that are made and taken away.

use crate::shared::small_game;
use houserule::agent::Random;
use houserule::definition::{Language, Scalar};
use houserule::playthrough::log::Entry;
use houserule::playthrough::{Playable, Playthrough};
use houserule::screen::{self, Scene};
use houserule::script::rules::Rules;
use houserule::script::{End, Start};
use houserule::table::knowledge::Viewer;
use houserule::table::value::Value;
use std::sync::Arc;

const GAME: &str = r#"
id = "market"
name = "Market"
players = { min = 2, max = 4 }

[components.goblin]
kind = "token"
id = "goblin-{copy}"
copies = 3
sides = ["awake", "asleep"]

[zones]
cave = { name = "cave", order = "row", visible = "all" }

[variables]
coins = { name = { en = "coins", ja = "金" }, per = "seat", default = 2, bank = 10 }
lives = { per = "seat", default = 3, min = 0, max = 5 }
grain = { per = "seat", default = 1 }
mood = { per = "seat", default = "calm" }
track = { default = 0, max = 3 }
"#;

fn rules(script: &str) -> Rules {
    Rules::new(small_game::game("market", GAME, script).unwrap(), 2, Arc::default())
        .unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn given(expression: &str) -> String {
    let rules = rules("fn game() {}");
    let table = rules.begin(&Start::Game, 0).table;
    match rules.evaluate(&table, &format!("let p = players[1]; let q = players[2]; {expression}"), None) {
        Ok(tried) => tried.result,
        Err(errors) => format!("{}; {}", errors.first().message, errors.first().help.join("; ")),
    }
}

/// As a scenario's table is laid: whatever was taken is back.
#[test]
fn a_table_that_is_cleared_has_its_bank_back() {
    let rules = rules("fn game() { players[1].coins += 3; players[2].coins -= 2; players[1].lives = 5; }");
    let (mut run, end) = rules.play(&Start::Game, 1, &mut Random::new(1), None);
    assert_eq!(end, End::Finished);
    run.table.clear().unwrap();
    let value = |id: &str| run.table.variable(run.table.layout().variable_named(id).unwrap()).clone();
    let values = ["p1.coins", "p2.coins", "coins", "p1.lives"].map(value);
    assert_eq!(values, [2, 2, 10, 3].map(Value::Number));
}

#[test]
fn a_remark_has_a_value_for_each_gap() {
    let told = given("note(\"{} and {}\", [1]); 1");
    assert!(told.starts_with("the remark \"{} and {}\" needs 2 values, and has 1; give one for each gap"), "{told}");
    assert_eq!(given("note(\"{} and {}\", [1, 2]); 1"), "1");
}

#[test]
fn what_one_gains_the_bank_or_another_loses() {
    for (expression, expected) in [
        ("[p.coins, q.coins, table.coins]", "[2, 2, 10]"),
        ("p.coins += 3; [p.coins, table.coins]", "[5, 7]"),
        ("p.coins -= 2; [p.coins, table.coins]", "[0, 12]"),
        ("p.coins = 12; [p.coins, table.coins]", "[12, 0]"),
        ("p.give(q, \"coins\", 2); [p.coins, q.coins, table.coins]", "[0, 4, 10]"),
        ("p.give(p, \"coins\", 2); p.coins", "2"),
        ("[p.give_up_to(q, \"coins\", 5), p.coins, q.coins]", "[2, 0, 4]"),
        ("[p.take_up_to(\"coins\", 99), p.coins, table.coins]", "[10, 12, 0]"),
        ("[p.pay_up_to(\"coins\", 99), p.coins, table.coins]", "[2, 0, 12]"),
        ("p.give(q, \"grain\", 1); [p.grain, q.grain]", "[0, 2]"),
        ("[p.give_up_to(q, \"lives\", 9), p.lives, q.lives]", "[2, 1, 5]"),
        ("[p.take_up_to(\"lives\", 9), p.lives]", "[2, 5]"),
        ("[p.pay_up_to(\"grain\", 9), p.pay_up_to(\"grain\", 9), p.grain]", "[1, 0, 0]"),
        ("p.grain -= 5; [p.grain, p.give_up_to(q, \"grain\", 1)]", "[-4, 0]"),
    ] {
        assert_eq!(given(expression), expected, "{expression}");
    }
}

#[test]
fn what_there_is_not_is_told() {
    for (expression, message) in [
        (
            "p.coins += 11",
            "the bank has 10 coins, and 11 more were wanted for p1.coins; let the rules compare first, or use `take_up_to`, which takes no more than there are",
        ),
        (
            "p.coins -= 3",
            "p1.coins cannot be -1: the least is 0; let the rules compare first, or use `pay_up_to`, which takes no more than there are: 2",
        ),
        (
            "p.lives += 3",
            "p1.lives cannot be 6: the most is 5; let the rules compare first, or use `take_up_to`, which gives no more than fit",
        ),
        (
            "table.coins = 5",
            "coins is what is left in the bank, and cannot be set; it changes with what the players have: `p.coins += 1` takes one from the bank",
        ),
        (
            "table.track += 4",
            "track cannot be 4: the most is 3; let the rules compare first, or use `take_up_to`, which gives no more than fit",
        ),
        (
            "p.give(q, \"coins\", 3)",
            "p1 has 2 coins to give, not 3; let the rules compare first, or use `p.give_up_to(q, \"coins\", 3)`",
        ),
        (
            "p.give(q, \"lives\", 3)",
            "p2 can take 2 lives, not 3; let the rules compare first, or use `p.give_up_to(q, \"lives\", 3)`",
        ),
        ("p.give(q, \"coins\", -1)", "-1 things cannot change hands; give or pay the other way round"),
        (
            "p.give(q, \"mood\", 1)",
            "there is no number of the players `mood`; there are `score`, `coins`, `lives` and `grain`",
        ),
    ] {
        assert_eq!(given(expression), message, "{expression}");
    }
    // Nothing has changed where an error is caught by nobody, and the far ends of numbers are no trouble.
    assert!(given("p.coins += 9223372036854775800").starts_with("the bank has 10 coins"));
    assert!(given("p.coins = -9223372036854775807").starts_with("p1.coins cannot be"));
    assert!(given("p.take_up_to(\"grain\", 9223372036854775807)").parse::<i64>().is_ok());
}

#[test]
fn definitions_that_cannot_be_are_refused() {
    for (variable, message) in [
        ("default = 1\nbank = 4", "`variables.more` has a bank, but belongs to no seat"),
        ("default = \"x\"\nmin = 4", "`min` is for a variable that holds a number"),
        ("default = 1\nmin = 4", "`variables.more` begins with 1, which is not allowed"),
        ("per = \"seat\"\ndefault = -1\nbank = 4", "`variables.more` begins with -1, which is not allowed"),
        ("per = \"seat\"\ndefault = 1\nbank = -4", "`variables.more.bank` must be"),
    ] {
        let game = format!("{GAME}\n[variables.more]\n{variable}\n");
        let errors = small_game::game("market", game, "fn game() {}").unwrap_err();
        assert!(errors.first().message.starts_with(message), "{variable}: {}", errors.first().message);
    }
    let game = GAME.replace("cave = {", "coins = { name = \"coins\", order = \"row\", visible = \"all\" }\ncave = {");
    let errors = small_game::game("market", game, "fn game() {}").unwrap_err();
    assert_eq!(errors.first().message, "`coins` is both a zone and a variable");
}

/// However a game goes, as many coins are there as at the start.
#[test]
fn the_sum_stays_the_same_in_any_game() {
    let script = "fn game() { for n in 0..40 { for p in players { turn(p); } } }
        fn turn(p) { let n = p.choose(\"n\", [0, 1, 2, 5]);
            switch p.choose(\"do\", [\"take\", \"pay\", \"give\"]) {
                \"take\" => p.take_up_to(\"coins\", n),
                \"pay\" => p.pay_up_to(\"coins\", n),
                _ => p.give_up_to(p.next, \"coins\", n),
            };
            if players.sum_of(|q| q.coins) + table.coins != 16 { throw \"lost\"; }
            if players.any(|q| q.coins < 0) || table.coins < 0 { throw \"below\"; } }";
    let rules = Rules::new(small_game::game("market", GAME, script).unwrap(), 3, Arc::default()).unwrap();
    for seed in 0..5 {
        let (_, end) = rules.play(&Start::Game, seed, &mut Random::new(seed), None);
        assert_eq!(end, End::Finished);
    }
}

#[test]
fn the_bank_and_the_players_are_drawn_and_set_by_hand() {
    let script = "fn game() { players[1].coins += 3; players[1].may(\"go\"); }";
    let ruleset = small_game::game("market", GAME, script).unwrap();
    let loaded = Playable::compile(ruleset, 2, Arc::default()).unwrap();
    let (mut game, _) = Playthrough::start(loaded, 2, 1, Vec::new()).unwrap();
    let drawn = |game: &Playthrough, language| {
        screen::style::render(&screen::table(&Scene::of(game, Viewer::Everything, language, 100)), false)
    };
    let english = drawn(&game, Language::English);
    assert!(english.contains("coins in the bank") && english.contains('7'), "{english}");
    let japanese = drawn(&game, Language::Japanese);
    assert!(japanese.contains("銀行の金"), "{japanese}");
    let set = |game: &mut Playthrough, variable: &str, number| {
        game.intervene(Entry::Set { variable: variable.to_owned(), value: Scalar::Number(number) })
    };
    set(&mut game, "p2.coins", 9).unwrap();
    let number = game.loaded().layout.variable_named("coins").unwrap();
    assert_eq!(game.position().table.variables[number], Value::Number(0));
    assert!(set(&mut game, "p2.coins", 10).unwrap_err().to_string().contains("the bank has 0 coins"));
    assert!(set(&mut game, "coins", 10).unwrap_err().to_string().contains("cannot be set"));
}

#[test]
fn tokens_are_made_and_taken_away() {
    for (expression, expected) in [
        (
            "make(\"goblin\", cave); make(\"goblin\", cave); [cave.len, components(\"goblin\").out_of_play.len]",
            "[2, 1]",
        ),
        (
            "let g = make(\"goblin\", cave); g.flip(); g.belong_to(q); g.take_out(); \
             let h = make(\"goblin\", cave); [g == h, h.side_name, h.is_owned]",
            "[true, \"awake\", false]",
        ),
        (
            "for n in 0..4 { make(\"goblin\", cave); }",
            "all 3 of `goblin` are in play; declare more `copies`, or ask `components(\"goblin\").out_of_play.is_empty` first",
        ),
        ("make(\"gobblin\", cave)", "there is no component group `gobblin`; did you mean `goblin`?"),
    ] {
        assert_eq!(given(expression), expected, "{expression}");
    }
}
