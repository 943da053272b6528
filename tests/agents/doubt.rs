//! What others have done tells what they hold, where the rules say how well it fits.

use super::{Once, spec};
use crate::shared::small_game;
use houserule::agent::Search;
use houserule::agent::search::Budget;
use houserule::playthrough::observation::Observation;
use houserule::script::Start;
use houserule::script::rules::{Rules, Run};
use houserule::table::decision::NoAnswerer;
use std::sync::Arc;

const DEFINITION: &str = "
id = 'colors'
name = 'Colors'
players = { min = 2, max = 2 }
variables.told = { default = '', per = 'seat' }

[components.card]
kind = 'card'
id = '{color}-{copy}'
copies = 5
attributes.color = ['red', 'blue', 'green', 'white']

[zones]
deck = { name = 'deck', order = 'pile', visible = 'none' }
hand = { name = 'hand', order = 'hand', visible = 'owner', per = 'seat' }
";

/// One names a colour that he holds, and the other guesses one.
const SCRIPT: &str = r#"fn game() {
    components("card").move_to(deck);
    deck.shuffle();
    for p in players { deck.deal(2, p.hand); }
    let p = players.first;
    p.told = p.choose("tell", p.hand.one_of_each("color").map(|card| card.color));
    let guess = p.next.choose("guess", ["red", "blue", "green", "white"]);
    if p.hand.count("color", guess) > 0 { p.next.award(1, "right"); }
}
"#;

const DOUBT: &str = r#"fn doubt(p) { if p.told == "" || p.hand.count("color", p.told) > 0 { 0 } else { 1 } }"#;

fn rules(definition: &str, script: &str) -> Rules {
    let ruleset = small_game::game("colors", definition, script).unwrap_or_else(|errors| panic!("{errors}"));
    Rules::new(ruleset, 2, Arc::default()).unwrap_or_else(|errors| panic!("{errors}"))
}

/// A game at the decision behind the first answers.
fn behind(rules: &Rules, seed: u64, answers: usize) -> Run {
    let mut run = rules.begin(&Start::Game, seed);
    rules.resume(&mut run, &mut NoAnswerer);
    for _ in 0..answers {
        rules.resume(&mut run, &mut Once(Some(vec![0])));
    }
    run
}

/// Who knows that the other has told the truth guesses what he told.
#[test]
fn search_goes_by_what_others_have_told() {
    let guessed_what_was_told = |script: &str, agent: &str| {
        let rules = rules(DEFINITION, script);
        let seeds = (0..20).filter(|&seed| {
            let run = behind(&rules, seed, 1);
            let open = run.table.open().unwrap();
            let chosen = spec(agent).agent(seed).choose(&Observation::new(&rules, &run, open));
            let told = rules.evaluate(&run.table, "p1.told", None).unwrap();
            open.options[chosen[0]].label == told.result.trim_matches('"')
        });
        let count = seeds.count();
        assert!(rules.take_faults().is_empty());
        count
    };
    let with_doubt = format!("{SCRIPT}{DOUBT}");
    assert_eq!(guessed_what_was_told(&with_doubt, "search:200"), 20);
    let without = guessed_what_was_told(SCRIPT, "search:200");
    assert!(without < 12, "{without} by chance");
}

/// What hidden dice show can be told, too.
#[test]
fn search_goes_by_what_others_have_told_of_dice() {
    let definition = "
id = 'colors'
name = 'Colors'
players = { min = 2, max = 2 }
variables.told = { default = 0, per = 'seat' }

[components.die]
kind = 'die'
id = 'die-{copy}'
copies = 8
sides = 6

[zones]
cup = { name = 'cup', order = 'hand', visible = 'owner', per = 'seat' }
";
    let script = r#"fn game() {
        for p in players { components("die").move_to(p.cup); p.cup.roll(); }
        let p = players.first.next;
        p.told = p.choose("tell", p.cup.one_of_each("value").map(|die| die.value));
        let guess = p.next.choose("guess", [1, 2, 3, 4, 5, 6]);
        if p.cup.count("value", guess) > 2 { p.next.award(1, "right"); }
    }
    fn doubt(p) { if p.told == 0 { 0 } else { max(0, 3 - p.cup.count("value", p.told)) } }"#;
    let rules = rules(definition, script);
    for seed in 0..8 {
        let run = behind(&rules, seed, 1);
        let open = run.table.open().unwrap();
        let chosen = spec("search:200").agent(seed).choose(&Observation::new(&rules, &run, open));
        let told = rules.evaluate(&run.table, "p2.told", None).unwrap();
        assert_eq!(open.options[chosen[0]].label, told.result, "--seed {seed}");
    }
    assert!(rules.take_faults().is_empty());
}

/// What is imagined may be a game that goes round for ever with nothing to choose: it is left.
#[test]
fn search_leaves_games_without_a_choice_that_never_end() {
    let script = r#"fn game() {
        components("card").move_to(deck);
        deck.shuffle();
        for p in players { deck.deal(2, p.hand); }
        let p = players.first;
        if p.choose("stake", [1, 2]) == 1 { while p.next.hand.count("color", "red") == 0 { p.choose("wait", ["wait"]); } }
        p.award(1, "over");
    }"#;
    let rules = rules(DEFINITION, script);
    let run = behind(&rules, 1, 0);
    let open = run.table.open().unwrap();
    let advice = Search::new(1, Budget::Iterations(100)).advice(&Observation::new(&rules, &run, open));
    assert_eq!((advice.iterations, advice.failed), (100, 0));
}

/// What is chosen before the first round is valued at the end of that round, not by what it gives at once.
#[test]
fn search_sees_what_a_choice_before_the_first_round_comes_to() {
    let script = r#"fn game() {
        for p in players { p.told = p.choose("character", ["quick", "strong"]); }
        begin_round();
        for p in players { if p.told == "quick" { p.award(2, "start"); } }
        for turn in 0..30 { for p in players {
            begin_turn(p);
            let bonus = p.choose("go", [0, 1]);
            if turn > 3 && p.told == "strong" { p.award(1, "late"); }
        } }
    }"#;
    let rules = rules(DEFINITION, script);
    for seed in 0..8 {
        let run = behind(&rules, seed, 0);
        let open = run.table.open().unwrap();
        let chosen = spec("search:60").agent(seed).choose(&Observation::new(&rules, &run, open));
        assert_eq!(open.options[chosen[0]].label, "strong", "--seed {seed}");
    }
}
