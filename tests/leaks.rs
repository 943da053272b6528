//! What the look for leaks sees and what it leaves alone, in small games: cards that are shown and shuffled again, dice
//! that are rolled again, and what the rules tell everybody about hidden cards.

use crate::shared::small_game;
use houserule::inspect::leaks::{LeakTestStop, hunt};
use houserule::script::rules::Rules;
use std::sync::Arc;

const GAME: &str = "
id = 'g'
name = 'G'
players = { min = 2, max = 4 }
variables.caught = { per = 'seat', default = 0 }
[components.card]
kind = 'card'
id = '{number}-{suit}'
attributes = { number = { from = 1, to = 6 }, suit = { from = 1, to = 3 } }
[components.die]
kind = 'die'
id = 'die-{which}'
attributes = { which = { from = 1, to = 4 } }
[zones]
deck = { name = 'deck', order = 'pile', visible = 'none' }
hand = { name = 'hand', order = 'hand', visible = 'owner', per = 'seat' }
row = { name = 'row', order = 'row', visible = 'all' }
cup = { name = 'cup', order = 'row', visible = 'owner', per = 'seat' }
";

/// Each turn a card is shown and shuffled back, and every die is rolled again.
fn game(turn: &str) -> String {
    format!(
        "fn game() {{
    components(\"card\").move_to(deck);
    deck.shuffle();
    for p in players {{ deck.deal(3, p.hand); }}
    let dice = components(\"die\");
    for p in players {{ let die = dice.where(|die| die.which == p.number); die.move_to(p.cup); die.roll(); }}
    for round in 0..4 {{
        for p in players {{ turn(p); }}
    }}
}}
fn turn(p) {{
    begin_turn(p);
    let q = p.next;
    let shown = deck.last;
    shown.move_to(row);
    p.may(\"look\");
    shown.move_to(deck);
    deck.shuffle();
    for one in players {{ one.cup.roll(); }}
    {turn}
}}
"
    )
}

/// What is found in some games of these rules: of what sort, and where in the script.
fn found(turn: &str) -> Option<(String, u16)> {
    let script = game(turn);
    let ruleset = small_game::game("g", GAME, &script).unwrap_or_else(|errors| panic!("{errors}"));
    let rules = Rules::new(ruleset, 3, Arc::default()).unwrap_or_else(|errors| panic!("{errors}"));
    for seed in 1..=12 {
        match hunt(&rules, seed) {
            Ok(counts) => assert!(counts.has_secrets && counts.early + counts.late > 0, "{turn}: {counts:?}"),
            Err(LeakTestStop::Leak(leak)) => return Some((leak.what.kind.to_owned(), leak.at.line)),
            Err(LeakTestStop::Failed(errors)) => panic!("{turn}: {errors}"),
        }
    }
    None
}

#[test]
fn what_is_honest_is_not_told() {
    let mut wrong = Vec::new();
    for turn in [
        // Everybody knows what everybody has seen, and the one who asks his own hand.
        "p.choose(\"play\", p.hand);",
        "let die = p.cup.first; if die.value > 3 { p.may(\"again\"); } else { p.may(\"stay\"); }",
        "p.cup.reveal(); if p.cup.first.value > 3 { q.may(\"doubt\"); } else { q.may(\"believe\"); }",
        // Whoever knows says whether there is one, and only the truth can be chosen.
        "let cards = q.hand.having(\"number\", 2);
         let said = q.choose(\"answer\", [if cards.is_empty { \"none\" } else { \"some\" }]);
         if said == \"none\" { p.may(\"fish\"); } else { p.may(\"take\"); }",
        "let cards = q.hand.having(\"number\", 2); cards.reveal(); note(`${cards.len} are shown`);
         if cards.is_empty { p.may(\"fish\"); } else { p.may(\"take\"); }",
        // What is on top of the pile is shown before it decides anything.
        "let top = deck.last; top.reveal(); if top.number > 3 { q.may(\"high\"); } else { q.may(\"low\"); }
         deck.shuffle();",
        "p.award(1, \"turn\"); q.choose(\"play\", q.hand);",
    ] {
        wrong.extend(found(turn).map(|found| format!("{found:?} in {turn}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_planted_is_found() {
    let honest = "let cards = q.hand.having(\"number\", 2);
         let said = q.choose(\"answer\", [if cards.is_empty { \"none\" } else { \"some\" }]);";
    let mut wrong = Vec::new();
    for (turn, kind) in [
        // Behind a card that was shown and shuffled again.
        ("if deck.last.number > 3 { p.may(\"high\"); } else { p.may(\"low\"); }".to_owned(), "question"),
        // Behind dice that were rolled again.
        ("if q.cup.first.value > 3 { p.may(\"high\"); } else { p.may(\"low\"); }".to_owned(), "question"),
        ("p.choose(\"how many\", 1..=q.cup.first.value);".to_owned(), "options"),
        // Behind an honest word of whoever knows.
        (format!("{honest} note(`${{q.hand.first.number}} was seen`); p.may(\"go\");"), "log"),
        (format!("{honest} if deck.last.number > 3 {{ p.may(\"high\"); }} else {{ p.may(\"low\"); }}"), "question"),
        (format!("{honest} p.caught = q.hand.first.number; p.may(\"go\");"), "log"),
    ] {
        let found = found(&turn).map(|(kind, _)| kind);
        wrong.extend((found.as_deref() != Some(kind)).then(|| format!("{found:?} and not {kind} in {turn}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
