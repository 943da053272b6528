//! Variables that hold things of the table: components, zones, players, lists; and texts with choices.

use crate::shared::small_game;
use houserule::definition::Language;
use houserule::diagnostic::Diagnostics;
use houserule::files::MemoryFiles;
use houserule::inspect::trace::Trace;
use houserule::playthrough::log::Entry;
use houserule::playthrough::replay::Replay;
use houserule::playthrough::run::Outcome;
use houserule::playthrough::{Playable, Playthrough};
use houserule::scenario::Scenario;
use houserule::screen::{self, Scene};
use houserule::script::Start;
use houserule::script::rules::Rules;
use houserule::table::knowledge::Viewer;
use houserule::table::value::Seat;
use std::sync::Arc;

const GAME: &str = r#"
id = "held"
name = "Held"
players = { min = 2, max = 4 }

[components.card]
kind = "card"
id = "{number}"
attributes = { number = { from = 1, to = 6 } }

[zones]
deck = { name = "deck", order = "pile", visible = "none" }
hand = { name = "hand", order = "hand", per = "seat", visible = "owner" }
row = { name = "row", order = "row", visible = "all" }

[variables]
lead = { type = "component" }
pile = { type = "zone" }
dealer = { type = "player" }
seen = { type = "components" }
out = { type = "players", per = "seat" }
open = { type = "zones" }
bids = { type = "list" }
secret = { type = "component", per = "seat", visible = "owner" }
trump = { default = "", choices = ["red", "blue"] }
"#;

const RULES: &str = r#"
fn game() {
    let p = players[1];
    components("card").move_to(p.hand);
    table.lead = p.choose("lead", p.hand);
    p.secret = table.lead;
    table.seen += table.lead;
    table.pile = row;
    table.dealer = p;
    table.open = [row] + [deck];
    p.out = players.except(p);
    table.bids = [[1, p.hand.first], "high", ()== ()];
    table.trump = "red";
    p.may("turn");
    table.lead.move_to(table.pile);
    p.may("end");
}
"#;

fn rules(script: &str) -> Result<Rules, Diagnostics> {
    Rules::new(small_game::game("held", GAME, script)?, 2, Arc::default())
}

fn given(expression: &str) -> String {
    let rules = rules("fn game() {}").unwrap_or_else(|errors| panic!("{errors:?}"));
    let table = rules.begin(&Start::Game, 0).table;
    match rules.evaluate(&table, expression, None) {
        Ok(tried) => tried.result,
        Err(errors) => format!("{}; {}", errors.first().message, errors.first().help.join("; ")),
    }
}

fn started() -> Playthrough {
    let ruleset = small_game::game("held", GAME, RULES).unwrap();
    let loaded = Playable::compile(ruleset, 2, Arc::default()).unwrap();
    Playthrough::start(loaded, 2, 1, Vec::new()).unwrap().0
}

fn drawn(game: &Playthrough, viewer: Viewer) -> String {
    let scene = Scene::of(game, viewer, Language::English, 100);
    let lines: Vec<_> = screen::table(&scene)
        .into_iter()
        .chain(screen::log(&scene, &game.position().events.clone().into_vec()))
        .collect();
    screen::style::render(&lines, false)
}

#[test]
fn what_is_put_into_a_variable_comes_out_of_it() {
    for (expression, expected) in [
        ("table.lead == ()", "true"),
        ("let c = components(\"card\").first; table.lead = c; [table.lead == c, table.lead == ()]", "[true, false]"),
        ("table.lead = components(\"card\")[2]; table.lead.number", "3"),
        ("table.lead = components(\"card\")[2]; table.lead = (); table.lead", "()"),
        ("table.pile = row; table.pile == row", "true"),
        ("table.dealer = players[2]; table.dealer.number", "2"),
        ("table.seen = components(\"card\").top(2); table.seen += components(\"card\").first; table.seen", "[5, 6, 1]"),
        ("table.seen = components(\"card\"); table.seen = []; [table.seen.len, table.seen.is_empty]", "[0, true]"),
        ("players[1].out = players.except(players[1]); [players[1].out, players[2].out]", "[[p2], []]"),
        ("table.open = players[1].hand + row; table.open.filled.len", "0"),
        ("table.bids = [1, [2, \"x\"], players[1]]; table.bids += [4]; table.bids", "[1, [2, \"x\"], p1, 4]"),
        ("table.bids = [[components(\"card\").top(2)]]; table.bids[0][0].max(\"number\").number", "6"),
        ("table.trump = \"blue\"; table.trump", "\"blue\""),
    ] {
        assert_eq!(given(expression), expected, "{expression}");
    }
}

#[test]
fn what_does_not_fit_is_told() {
    for (expression, message) in [
        ("let x = [\"gren\"]; table.trump = x[0]", "trump cannot be \"gren\"; there are `red` and `blue`"),
        ("let x = [\"bleu\"]; table.trump = x[0]", "trump cannot be \"bleu\"; did you mean `blue`?"),
        ("let x = [1]; table.lead = x[0]", "lead holds a component or nothing, not a number; "),
        ("table.lead = nobody", "lead holds a component or nothing, not nobody; `()` is none"),
        (
            "let x = [row]; table.seen = x[0]",
            "seen holds components, not a zone; `zone.components` is what lies in the zone",
        ),
        ("let p = players[1]; let x = [[p, p]]; p.out = x[0]", "p1 would be twice in p1.out, which holds each once; "),
        ("let x = [[1, row]]; table.open = x[0]", "open holds zones, not a list; "),
        ("table.bids = [data]", "data cannot be an option or the value of a variable; "),
    ] {
        assert_eq!(given(expression), message, "{expression}");
    }
}

#[test]
fn definitions_that_cannot_be_are_refused() {
    let refused = |variable: &str| {
        let game = format!("{GAME}\n[variables.more]\n{variable}\n");
        let errors = small_game::game("held", game, "fn game() {}").unwrap_err();
        format!("{}; {}", errors.first().message, errors.first().help.join("; "))
    };
    assert_eq!(
        refused("type = \"component\"\ndefault = 1"),
        "`variables.more` has a `type`, so it cannot have a `default`; it begins with nothing; the rules give it a value"
    );
    assert!(refused("type = \"card\"").starts_with("`variables.more.type` cannot be `card`"));
    assert!(refused("default = \"x\"\nchoices = [\"a\"]").starts_with("the default \"x\" is not one of the choices"));
    assert!(refused("default = 1\nchoices = [\"a\"]").starts_with("`choices` are for a variable that holds a text"));
    assert!(refused("default = \"a\"\nchoices = [1]").contains("choices"));
}

/// Whoever may not know a component is not told it by a variable, neither now nor by the log of what was.
#[test]
fn a_variable_tells_no_component_that_a_seat_may_not_know() {
    let mut game = started();
    game.choose(&["4".to_owned()]).unwrap();
    let [one, two] = [1, 2].map(|number| Viewer::Seat(Seat::from_number(number).unwrap()));
    let all = drawn(&game, Viewer::Everything);
    assert!(all.contains("lead = 4") && all.contains("trump"), "{all}");
    assert!(drawn(&game, one).contains("lead = 4"));
    let hidden = drawn(&game, two);
    assert!(hidden.contains("lead = ?") && hidden.contains("seen = ?"), "{hidden}");
    assert!(!hidden.contains('4'), "{hidden}");
    assert!(!hidden.contains("secret = "), "{hidden}");
    // Once it lies open, the variable is told; that it was this card which led, is not told afterwards.
    game.choose(&["yes".to_owned()]).unwrap();
    let open = drawn(&game, two);
    assert!(open.contains("lead = ?") && !open.contains("lead = 4"), "{open}");
}

#[test]
fn variables_are_set_by_hand_saved_and_loaded() {
    let mut game = started();
    let sets = [
        ("lead", "5"),
        ("pile", "deck"),
        ("seen", "2 3"),
        ("out", "p2"),
        ("open", "row, p1.hand"),
        ("bids", "7 high component:2 player:p2"),
        ("trump", "blue"),
        ("lead", "nothing"),
        ("seen", "nothing"),
    ];
    let found = ["5", "deck", "2+3", "p2", "row+p1.hand", "7+high+2+p2", "blue", "nothing", "[]"];
    for ((variable, value), found) in sets.iter().zip(found) {
        let variable = if *variable == "out" { "p1.out" } else { variable };
        let value = houserule::definition::Scalar::Text((*value).to_owned());
        game.intervene(Entry::Set { variable: variable.to_owned(), value }).unwrap();
        let layout = &game.loaded().layout;
        let table = &game.position().table;
        let number = layout.variable_named(variable).unwrap();
        assert_eq!(layout.label(&table.faces, &table.variables[number]), found, "{variable}");
    }
    for (variable, value, message) in [
        ("lead", "50", "there is no component `50`"),
        ("open", "row attic", "there is no zone `attic`"),
        ("p1.out", "p9", "p1.out is a player at the table or `nobody`, not p9"),
        ("seen", "2 2", "2 would be twice in seen"),
        ("trump", "green", "trump cannot be \"green\""),
    ] {
        let value = houserule::definition::Scalar::Text(value.to_owned());
        let errors = game.intervene(Entry::Set { variable: variable.to_owned(), value }).unwrap_err();
        assert!(errors.to_string().contains(message), "{errors}");
    }
    let saved = Replay::of(&game).to_toml();
    assert!(saved.contains("\"7 high component:2 player:p2\""), "{saved}");
}

#[test]
fn scenarios_give_and_expect_them() {
    let scenario = |expected: &str| {
        format!(
            r#"
id = "H1"
title = "What is held"
game = "held"
[given]
p1.hand = [1, 2, 3]
row = [4]
lead = 2
pile = "row"
seen = [1, 4]
p1.out = ["p2"]
[when]
call = "step()"
[[then]]
variables = {{ {expected} }}
"#
        )
    };
    let run = |text: &str| {
        let files = MemoryFiles::new([
            ("games/held/game.toml", GAME),
            (
                "games/held/rules.rhai",
                "fn game() { step(); } fn step() { table.seen += table.lead; table.lead.move_to(table.pile); }",
            ),
            ("tests/scenarios/h.toml", text),
        ]);
        let library = houserule::definition::Library::of(Arc::new(files), vec!["".into()]);
        let path = houserule::scenario::find(&[], &library).remove(0);
        let report = Scenario::read(library.files(), &path).unwrap().run(&library);
        report.result.map_err(|errors| errors.to_string())
    };
    run(&scenario("seen = [1, 4, 2], lead = 2, pile = \"row\", p1.out = [\"p2\"], dealer = \"nobody\"")).unwrap();
    assert!(run(&scenario("seen = [1, 4]")).unwrap_err().contains("1+4+2"));
    assert!(run(&scenario("lead = 3")).unwrap_err().contains("`lead` has another value"));
    assert!(run(&scenario("pile = \"nothing\"")).is_err());
}

#[test]
fn traces_tell_them() {
    let ruleset = small_game::game("held", GAME, RULES).unwrap();
    let loaded = Playable::compile(ruleset, 2, Arc::default()).unwrap();
    let trace = Trace::begin(Vec::new(), &loaded.ruleset, &loaded.layout, 1, false);
    let play = |recording| {
        let mut agent = houserule::agent::Random::new(1);
        let (run, end) = loaded.rules.play(&Start::Game, 1, &mut agent, Some(recording));
        Outcome { run, end, used: 0, misfit: None, exact: Vec::new(), added: Vec::new() }
    };
    let lines = String::from_utf8(trace.follow(play).unwrap().0).unwrap();
    assert!(lines.contains(r#"{"type":"set","variable":"open","value":["row","deck"]}"#), "{lines}");
    assert!(lines.contains(r#"{"type":"set","variable":"seen","value":["3"]}"#), "{lines}");
    assert!(lines.contains(r#"{"type":"set","variable":"bids","value":[[1,{"card":"1"}],"high",true]}"#), "{lines}");
}
