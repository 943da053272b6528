//! Thousands of games from the position in play.

use super::*;

const GAME: [&str; 7] = ["up-or-down", "-p", "3", "-s", "3", "-v", "greenhorn"];

#[test]
fn games_go_on_from_where_the_game_stands() {
    let told = last(&GAME, &["until end", "undo", "sim 40"]);
    assert!(told.contains("from here, behind move 278") && told.contains("40 games from seed 3"), "{told}");
    // One decision is left, which changes nothing: all games end alike.
    assert!(told.contains("1         always"), "{told}");
    let again = last(&GAME, &["until end", "undo", "sim 40"]);
    assert_eq!(told, again, "the same figures again");
}

#[test]
fn rules_are_compared_from_where_the_game_stands() {
    let told = last(&GAME, &["until turn", "compare without greenhorn 60"]);
    assert!(told.contains("greenhorn beside plain game") && told.contains("p1 score"), "{told}");
    assert!(told.contains("The same in every game: decisions, turns"), "{told}");
    let told = fails(&GAME, &["until turn", "as p1", "compare without greenhorn 60"]);
    assert!(told.contains("`as all`"), "other rules are for who sees everything: {told}");
}

#[test]
fn what_cannot_be_played_on_is_refused() {
    for (lines, said) in [
        (&["until end", "sim"][..], "no decision is open"),
        (&["sim 0"], "`0` is not a number of games"),
        (&["sim 10 gredy"], "did you mean `greedy`?"),
        (&["sim 10 search:50ms"], "search:50ms"),
    ] {
        let told = fails(&GAME, lines);
        assert!(told.contains(said), "{lines:?}: {told}");
    }
}
