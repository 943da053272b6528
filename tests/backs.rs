//! Components that lie face down before whoever is asked about them: they are offered, told and logged by their places.

use crate::shared::small_game;
use houserule::Replay;
use houserule::agent::AgentSpec;
use houserule::inspect::leaks::hunt;
use houserule::parts::{ChosenValue, Entry, LogEntry, Viewer};
use houserule::playthrough::{Playable, Playthrough};
use houserule::script::rules::Rules;
use houserule::table::value::Seat;
use std::sync::Arc;

const DEFINITION: &str = "
id = 'thief'
name = 'Thief'
players = { min = 2, max = 3 }
[components.card]
kind = 'card'
id = 'card-{number}'
attributes.number = { from = 1, to = 9 }
[zones]
deck = { name = 'deck', order = 'pile', visible = 'none' }
row = { name = 'row', order = 'row', visible = 'all' }
hand = { name = 'hand', order = 'hand', visible = 'owner', per = 'seat' }
rack = { name = 'rack', order = 'row', visible = 'others', per = 'seat' }
";

/// The second player holds 8, 3 and 5, in this order; all have seen the 5.
fn script(turn: &str) -> String {
    let held = [8, 3, 5].map(|number| format!("components(\"card\").having(\"number\", {number}).first"));
    let [eight, three, five] = held;
    format!(
        "fn game() {{
            let a = players[1]; let b = players[2];
            components(\"card\").move_to(deck);
            {five}.move_to(row);
            {eight}.move_to(b.hand); {three}.move_to(b.hand); {five}.move_to(b.hand);
            {turn}
        }}"
    )
}

fn loaded(script: &str) -> Playable {
    let ruleset = small_game::game("thief", DEFINITION, script).unwrap_or_else(|errors| panic!("{errors}"));
    Playable::compile(ruleset, 2, Arc::default()).unwrap_or_else(|errors| panic!("{errors}"))
}

fn played(turn: &str, log: Vec<LogEntry>) -> Playthrough {
    let (game, misfit) = Playthrough::start(loaded(&script(turn)), 2, 1, log).unwrap();
    assert!(misfit.is_none(), "{misfit:?}");
    game
}

fn labels(game: &Playthrough) -> Vec<String> {
    let open = game.position().open.as_ref().unwrap();
    open.options.iter().map(|option| option.label.clone()).collect()
}

fn seat(number: usize) -> Seat {
    Seat::from_number(number).unwrap()
}

fn held(game: &Playthrough, zone: &str) -> Vec<String> {
    let (layout, table) = (&game.loaded().layout, &game.position().table);
    let held = table.zones.held(layout.zone_named(zone).unwrap()).iter();
    held.map(|card| layout.faces[usize::from(table.faces[card.index()])].id.to_string()).collect()
}

const STEAL: &str = "a.choose(\"steal\", b.hand).move_to(row); b.may(\"go\");";

#[test]
fn what_may_not_be_known_is_offered_by_its_place() {
    for (turn, wanted) in [
        (STEAL, ["card-5", "p2.hand.1", "p2.hand.2"]),
        ("a.choose(\"steal\", b.hand.components); b.may(\"go\");", ["card-5", "p2.hand.1", "p2.hand.2"]),
        // The order of the rules could tell.
        ("a.choose(\"steal\", b.hand.sorted(\"number\")); b.may(\"go\");", ["card-5", "p2.hand.1", "p2.hand.2"]),
        (
            "a.choose(\"what\", acts(\"steal\", \"card\", b.hand)); b.may(\"go\");",
            ["steal card-5", "steal p2.hand.1", "steal p2.hand.2"],
        ),
        ("a.choose(\"look\", deck.top(3)); b.may(\"go\");", ["deck.4", "deck.5", "deck.6"]),
        ("deck.top(2).show_to(a); a.choose(\"look\", deck.top(3)); b.may(\"go\");", ["deck.4", "card-7", "card-9"]),
        // What was seen and lies face down again has to be remembered.
        (
            "deck.last.move_to(row); row.last.move_to(deck); a.choose(\"look\", deck.top(3)); b.may(\"go\");",
            ["deck.4", "deck.5", "deck.6"],
        ),
        ("b.choose(\"play\", b.hand); b.may(\"go\");", ["card-3", "card-5", "card-8"]),
    ] {
        let game = played(turn, Vec::new());
        let mut sorted = wanted.map(str::to_owned).to_vec();
        let mut found = labels(&game);
        if turn == STEAL {
            sorted.sort_unstable();
            found.sort_unstable();
        }
        assert_eq!(found, sorted, "{turn}");
    }
}

#[test]
fn the_place_that_was_chosen_is_the_one_that_is_taken() {
    for (label, taken) in [("p2.hand.1", "card-8"), ("p2.hand.2", "card-3"), ("card-5", "card-5")] {
        let mut game = played(STEAL, Vec::new());
        game.choose(&[label.to_owned()]).unwrap();
        assert_eq!(held(&game, "row"), [taken]);
        let log = game.timeline().log().to_vec();
        let saved = Replay::of(&game).to_toml();
        assert!(saved.contains(&format!("\"{label}\"")), "{saved}");
        assert_eq!(held(&played(STEAL, log), "row"), [taken]);
        // As old logs name it.
        let Entry::Choice { seat, prompt, purpose, .. } = Entry::clone(&game.timeline().log()[0]) else {
            panic!("{label}")
        };
        let by_face = ChosenValue::from_toml(&toml::Value::String(taken.to_owned())).unwrap();
        let old = Entry::Choice { seat, prompt, purpose, chosen: [by_face].into() };
        assert_eq!(held(&played(STEAL, vec![old.into()]), "row"), [taken]);
    }
}

#[test]
fn no_view_shows_what_an_option_is_that_lies_face_down() {
    let mut game = played("let card = a.choose(\"steal\", b.hand); card.move_to(a.hand); b.may(\"go\");", Vec::new());
    let of = |game: &Playthrough, number| serde_json::to_string(&game.view(Viewer::Seat(seat(number)), 0)).unwrap();
    let view = of(&game, 1);
    assert!(!view.contains("card-8") && !view.contains("card-3"), "{view}");
    assert!(view.contains("{\"label\":\"p2.hand.1\",\"places\":[[\"p2.hand\",0]]}"), "{view}");
    game.choose(&["p2.hand.1".to_owned()]).unwrap();
    assert!(of(&game, 1).contains("p2.hand.1") && of(&game, 1).contains("card-8"), "the thief sees what it is");
    assert!(of(&game, 2).contains("p2.hand.1"), "the victim sees which one went");
}

#[test]
fn agents_know_no_more_than_the_backs() {
    let turn = |first: usize, second: usize| {
        format!(
            "for card in b.hand.components {{ if card.number != 5 {{ card.move_to(deck); }} }}
            components(\"card\").having(\"number\", {first}).first.move_to(b.hand);
            components(\"card\").having(\"number\", {second}).first.move_to(b.hand);
            let card = a.choose(\"steal\", b.hand); a.award(card.number, \"worth\"); card.move_to(row); b.may(\"go\");"
        )
    };
    for agent in ["greedy", "search:60"] {
        let choice = |(first, second): (usize, usize)| {
            let game = played(&turn(first, second), Vec::new());
            let past = game.past();
            let seen = game.observation(&past).unwrap();
            AgentSpec::parse(agent, None).unwrap().agent(3).choose(&seen)
        };
        let choices = [(9, 1), (1, 9), (2, 4), (7, 3)].map(choice);
        assert!(choices.iter().all(|choice| *choice == choices[0]), "{agent}: {choices:?}");
    }
}

#[test]
fn to_choose_a_back_tells_nothing() {
    let turn = "components(\"card\").move_to(deck); deck.shuffle();
        for p in players { deck.deal(2, p.hand); deck.deal(2, p.rack); }
        for round in 0..3 { for p in players {
            let hand = p.next.hand;
            let card = if round == 0 { p.choose(\"steal\", hand) }
                else if round == 1 { p.choose(\"steal\", acts(\"take\", \"card\", hand)).card }
                else { p.choose(\"steal\", hand.sorted(\"number\")) };
            card.move_to(p.hand);
            p.choose(\"play\", p.rack).move_to(p.rack);
            p.choose(\"look\", deck);
        } }";
    let ruleset = small_game::game("thief", DEFINITION, script(turn)).unwrap_or_else(|errors| panic!("{errors}"));
    let rules = Rules::new(ruleset, 2, Arc::default()).unwrap_or_else(|errors| panic!("{errors}"));
    for seed in 1..=20 {
        assert!(hunt(&rules, seed).is_ok(), "{:?}", hunt(&rules, seed));
    }
}

/// A zone that everybody sees but its owner, who plays from it by place.
#[test]
fn the_owner_does_not_see_what_the_others_see() {
    let turn = "for card in b.hand.components { card.move_to(b.rack); }
        let card = b.choose(\"play\", b.rack); card.move_to(row); a.may(\"go\");";
    let mut game = played(turn, Vec::new());
    let seen = |game: &Playthrough, number: usize| {
        let view = game.view(Viewer::Memory(seat(number)), 0);
        let rack = view.zones.into_iter().find(|zone| zone.id == "p2.rack").unwrap();
        rack.components.into_iter().map(|one| one.face.unwrap_or_else(|| "?".to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(seen(&game, 1), ["card-8", "card-3", "card-5"]);
    // Who has seen a card go there knows where it lies.
    assert_eq!(seen(&game, 2), ["card-8", "card-3", "card-5"]);
    let drawn = turn.replace("for card in b.hand.components { card.move_to(b.rack); }", "deck.deal(3, b.rack);");
    game = played(&drawn, Vec::new());
    assert_eq!(seen(&game, 2), ["?", "?", "?"]);
    assert_eq!(labels(&game), ["p2.rack.1", "p2.rack.2", "p2.rack.3"]);
    let middle = held(&game, "p2.rack")[1].clone();
    game.choose(&["p2.rack.2".to_owned()]).unwrap();
    assert_eq!(held(&game, "row"), [middle]);
    assert_eq!(seen(&game, 2), ["?", "?"]);
}
