//! Lists of any values, melds of components, and data that may not be there.

use crate::shared::small_game;
use houserule::agent::Random;
use houserule::playthrough::{Playable, Playthrough};
use houserule::script::rules::Rules;
use houserule::script::{End, Start};
use std::sync::Arc;

/// Cards of three ranks that repeat, and of some that do not; jokers have no rank.
const GAME: &str = r#"
id = "melds"
name = "Melds"
players = { min = 2, max = 4 }
data = { lines = [[0, 1], [1, 2], [2, 0]], prices = { tea = 2 }, mixed = [1, { a = 2 }, "x"] }

[components.card]
kind = "card"
id = "{rank}{suit}"
attributes = { suit = ["c", "d", "h"], rank = { from = 2, to = 9 } }

[components.joker]
kind = "card"
list = [{ id = "joker", wild = "yes" }]

[zones]
deck = { name = "deck", order = "pile", visible = "none" }
hand = { name = "hand", order = "hand", per = "seat", visible = "owner" }
"#;

fn rules(script: &str) -> Rules {
    Rules::new(small_game::game("melds", GAME, script).unwrap(), 2, Arc::default())
        .unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// What an expression gives, or what is wrong with it.
fn given(expression: &str) -> String {
    let rules = rules("fn game() {} fn cards(ids) { components(\"card\").where(|card| card.id in ids) }");
    let table = rules.begin(&Start::Game, 0).table;
    match rules.evaluate(&table, expression, None) {
        Ok(tried) => tried.result,
        Err(errors) => format!("{}; {}", errors.first().message, errors.first().help.join("; ")),
    }
}

/// Lines of an expression and what it gives.
fn all_give(lines: &str) {
    let wrong: Vec<String> = lines
        .trim()
        .lines()
        .filter_map(|line| {
            let (expression, expected) = line.rsplit_once("=>").unwrap();
            let found = given(expression.trim());
            (found != expected.trim()).then(|| format!("{}\n    gives {found}", expression.trim()))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn poker_hands_are_told_by_groups_and_runs() {
    all_give(
        r#"
cards(["5c", "5d", "5h", "9c", "9h"]).groups("rank").map(|g| g.len) == [3, 2] => true
cards(["5c", "5d", "9c", "9h", "2c"]).groups("rank").map(|g| g.first.rank)    => [9, 5, 2]
cards(["5c", "6d", "7h", "8c", "9h"]).runs("rank")[0].len >= 5                => true
cards(["5c", "6d", "7h", "8c", "2h"]).runs("rank").map(|r| r.len)             => [4, 1]
cards(["5c", "6c", "7c", "8c", "9c"]).runs("rank", "suit")[0].len             => 5
cards(["5c", "6c", "7d", "8c", "9c"]).runs("rank", "suit").map(|r| r.len)     => [2, 2, 1]
cards(["5c", "6c", "7d", "8c", "9c"]).runs("rank", "suit")[0]                 => [8c, 9c]
cards(["5c", "5d", "6d", "7h"]).runs("rank")                                  => [[5c, 6d, 7h], [5d]]
cards(["5c", "5d", "6d", "6h"]).runs("rank")                                  => [[5c, 6d], [5d, 6h]]
components("joker").runs("rank").len + components("joker").groups("rank").len => 0
(components("joker") + components("card").first).groups("rank").components    => [2c]
let melds = cards(["5c", "5d", "9c"]).groups("rank").where(|g| g.len > 1); melds.components => [5c, 5d]
[deck, players[1].hand].components.is_empty                                   => true
"#,
    );
}

#[test]
fn attributes_and_data_that_may_be_missing() {
    all_give(
        r#"
let j = components("joker").first; [j.has("wild"), j.has("rank"), j.attribute("rank", 0)] => [true, false, 0]
components("card").first.attribute("suit")                                                => "c"
[data.get("price", 3), data.prices.get("tea", 3), data.lines.get(9, [])]                  => [3, 2, []]
[data.has("price"), data.prices.has("tea"), data.lines.has(2), data.lines.has(-1)]        => [false, true, true, false]
data.lines.entries().len + data.lines.get(1, 0)[1]                                        => 5
"#,
    );
    let told = given("components(\"joker\").first.attribute(\"rank\")");
    assert!(told.starts_with("joker has no rank"), "{told}");
    let told = given("components(\"joker\").first.has(\"rang\")");
    assert!(told.contains("rang") && told.contains("did you mean `rank`?"), "{told}");
    let told = given("data.lines.get(\"tea\", 1)");
    assert!(told.starts_with("a list has no `tea`; give a position from 0"), "{told}");
}

/// Each entry is a value, or data of its own.
#[test]
fn lists_of_lists_in_the_data_are_gone_through() {
    all_give(
        r#"
data.lines.any(|line| line[0] == 1 && line[1] == 2) => true
data.lines.all(|line| line.len == 2)                => true
data.lines.where(|line| line.contains(0)).len       => 2
data.lines.map(|line| line[0]).sum                  => 3
let n = 0; for line in data.lines { n += line[1]; } n => 3
data.mixed.count_if(|entry| entry == 1)             => 1
"#,
    );
    assert_eq!(given("data.lines.entries().first[1] + data.lines.entries().last[0]"), "3");
    let told = given("data.lines.first");
    assert_eq!(
        told,
        "data has no `first`; `entries` gives a list of the data as one with all words of lists: `.entries().first`"
    );
    assert!(given("data.lines.reversed").contains("`.entries().reversed`"), "{}", given("data.lines.reversed"));
    assert_eq!(given("data.lines.colour"), "data has no `colour`; ", "no word of lists, so no help");
    let told = given("data.prices.any(|price| price == 2)");
    assert!(told.starts_with("a list was expected, and this is a table; ") && told.contains("`tea`"), "{told}");
    let told = given("let n = 0; for price in data.prices { n += 1; } n");
    assert!(told.starts_with("a list was expected, and this is a table"), "{told}");
}

#[test]
fn what_lists_cannot_do_is_told() {
    for (expression, message) in [
        ("[].first", "there is no entry here; ask `is_empty` first"),
        ("[].max", "there is no entry here; ask `is_empty` first"),
        ("[1].position_of(2)", "no entry of the list is equal to this, so it has no position; ask `contains` first"),
        ("[1].top(-1)", "there are no -1 entries; "),
        (
            "[1, \"a\"].sum",
            "`sum` of a list adds numbers, and an entry is not one; say what to add: `list.sum_of(|entry| …)`",
        ),
        (
            "[1, \"a\"].sorted",
            "`sorted` of a list compares numbers, texts, or lists of such, all of one sort; say what to compare: `list.sorted_by(|entry| …)`",
        ),
        ("[9223372036854775807, 1].sum", "the number is too large; "),
        ("[options()].contains(options())", "options cannot be compared with each other; "),
        ("[].pick(\"lot\")", "there is nothing to draw lots from for lot; "),
        (
            "players.options(|p| p.number)",
            "the function has to give options, or a text as one of them, and gave a number; ",
        ),
        ("players.options(|p| { })", "the function has to give options, or a text as one of them, and gave nothing; "),
        ("numbers(1, 2000).options(|n| acts(\"bid\", \"n\", 1..=2000))", "a list can hold 4096 options, not 6000; "),
        (
            "[1].components",
            "each entry of the list has to be a component, a zone, or several of these; `list.map(|entry| …)` makes a list of what each entry has",
        ),
    ] {
        assert_eq!(given(expression), message, "{expression}");
    }
    // Of different sorts, nothing is equal.
    assert_eq!(given("[[1], players, deck, ()].contains(1) || [players[1]].contains(nobody)"), "false");
    assert_eq!(given("[[1, [2]], players, ()] == [[1, [2]], players, ()]"), "true");
}

/// A drawn order has a stream of its own, is the same for a seed, and what is rigged comes first.
#[test]
fn orders_are_drawn_by_lot_and_can_be_rigged() {
    let script = "fn game() { let start = players[1].may(\"begin\"); \
                  for n in [1, 2, 3, 4, 5, 6, 7].shuffled(\"roles\") { players[1].award(n, \"role\"); } \
                  for p in players.shuffled(\"seats\") { p.award(p.number, \"seat\"); } players[1].may(\"end\"); }";
    let ruleset = small_game::game("melds", GAME, script).unwrap();
    let loaded = Playable::compile(ruleset, 2, Arc::default()).unwrap();
    let awards = |rigs: &[&str]| {
        let (mut game, _) = Playthrough::start(loaded.clone(), 2, 5, Vec::new()).unwrap();
        for rig in rigs {
            let entry = houserule::playthrough::log::Entry::Rig {
                stream: "lot roles".to_owned(),
                result: rig.split(' ').map(str::to_owned).collect(),
            };
            game.intervene(entry).unwrap();
        }
        game.choose(&["yes".to_owned()]).unwrap();
        let events = game.position().events.iter();
        let points = events.filter_map(|event| match event.what {
            houserule::table::event::EventData::Award { points, .. } => Some(points),
            _ => None,
        });
        points.collect::<Vec<i64>>()
    };
    let drawn = awards(&[]);
    assert_eq!(drawn, awards(&[]));
    let mut sorted = drawn[..7].to_vec();
    sorted.sort_unstable();
    assert_eq!(sorted, [1, 2, 3, 4, 5, 6, 7]);
    let rigged = awards(&["6 2"]);
    assert_eq!(rigged[..2], [6, 2]);
    assert_eq!(rigged[7..], drawn[7..]);
}

/// A meld that is chosen is components again.
#[test]
fn a_list_of_components_can_be_an_option() {
    let script = "fn game() { let cards = components(\"card\").having(\"suit\", \"c\").top(4);
                  cards.move_to(players[1].hand);
                  let meld = players[1].choose(\"meld\", [cards.top(2), cards.top(1), cards - cards.last]);
                  meld.move_to(deck); players[1].award(meld.len * 10 + meld.max(\"rank\").rank, \"meld\"); }";
    let (run, end) = rules(script).play(&Start::Game, 3, &mut Random::new(3), None);
    assert_eq!(end, End::Finished);
    let score = run.table.score(houserule::table::value::Seat::from_number(1).unwrap());
    assert!([29, 19, 38].contains(&score), "{score}");
}
