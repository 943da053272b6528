//! How games end: at once from any depth, with winners and losers that the rules name, or with nobody.

use crate::shared::small_game::{self, GAME};
use houserule::agent::AgentSpec;
use houserule::agent::Random;
use houserule::diagnostic::Diagnostics;
use houserule::inspect::trace::Trace;
use houserule::lab::play::{GameTracker, Plan};
use houserule::playthrough::run::Outcome;
use houserule::playthrough::{Playable, Playthrough};
use houserule::script::machine::hooks::NoHook;
use houserule::script::rules::Rules;
use houserule::script::{End, Start};
use houserule::table::Table;
use houserule::table::value::Seat;
use std::sync::Arc;

/// A game for three, played to its end.
fn played(script: &str) -> (Table, End) {
    let rules = Rules::new(small_game::game("small", GAME, script).unwrap(), 3, Arc::default()).unwrap();
    let (run, end) = rules.play(&Start::Game, 1, &mut Random::new(1), None);
    (run.table, end)
}

/// The numbers of the seats: by rank, and of the winners.
fn result(script: &str) -> (Vec<Vec<usize>>, Vec<usize>) {
    let (table, end) = played(script);
    assert_eq!(end, End::Finished, "{script}");
    let numbers = |seats: &[Seat]| seats.iter().map(|seat| seat.number()).collect::<Vec<_>>();
    (table.ranking().iter().map(|rank| numbers(rank)).collect(), numbers(&table.winners()))
}

fn message(script: &str) -> String {
    let errors = |errors: Diagnostics| {
        let first = errors.first();
        format!("{}; {}", first.message, first.help.join("; "))
    };
    match played(script).1 {
        End::Failed(failed) => errors(failed),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_game_ends_within_any_function() {
    let (table, end) = played(
        "fn game() { for p in players { turn(p); } players.for_each(|p| p.award(100, \"late\")); }
         fn turn(p) { p.award(1, \"turn\"); if p.number == 2 { stop(); } }
         fn stop() { players.for_each(|p| { if p.score == 0 { end_game(); } }); }",
    );
    assert_eq!(end, End::Finished);
    let scores: Vec<i64> = [1, 2, 3].into_iter().map(|seat| table.score(Seat::from_number(seat).unwrap())).collect();
    assert_eq!(scores, [1, 1, 0]);
}

/// A game that is over stays over: whoever goes on with it is asked nothing.
#[test]
fn an_ended_game_is_finished_for_the_playthrough_too() {
    let script = "fn game() { for p in players { if p.may(\"stop\") { end_game(); } } players[1].may(\"late\"); }";
    let ruleset = small_game::game("small", GAME, script).unwrap();
    let loaded = Playable::compile(ruleset, 3, Arc::default()).unwrap();
    let (mut playthrough, _) = Playthrough::start(loaded, 3, 1, Vec::new()).unwrap();
    assert!(playthrough.position().open.is_some());
    playthrough.choose(&["yes".to_owned()]).unwrap();
    assert!(playthrough.position().open.is_none() && playthrough.position().failed.is_none());
    playthrough.undo().unwrap();
    assert!(playthrough.position().open.is_some());
}

#[test]
fn who_is_said_to_have_won_wins_whatever_the_scores_are() {
    let game =
        "fn game() { players[1].award(9, \"points\"); players[3].award(2, \"points\"); players[2].win(\"first\"); }";
    assert_eq!(result(game), (vec![vec![2], vec![1], vec![3]], vec![2]));
    let game = "fn game() { players[1].award(9, \"points\"); players.except(players[1]).win(\"together\"); }";
    assert_eq!(result(game), (vec![vec![2, 3], vec![1]], vec![2, 3]));
    assert_eq!(result("fn game() { players.win(\"saved\"); }"), (vec![vec![1, 2, 3]], vec![1, 2, 3]));
}

#[test]
fn who_loses_first_ranks_last_and_the_scores_decide_between_the_others() {
    let game = "fn game() { for p in players { p.award(p.number, \"points\"); } players[3].lose(\"broke\"); }";
    assert_eq!(result(game), (vec![vec![2], vec![1], vec![3]], vec![2]));
    let game = "fn game() { players[2].lose(\"first\"); players.playing.lose(\"then\"); }";
    assert_eq!(result(game), (vec![vec![1, 3], vec![2]], vec![]));
}

#[test]
fn a_game_that_all_lose_has_no_winner_anywhere() {
    let script = "fn game() { players.for_each(|p| { p.may(\"dare\"); }); players.lose(\"the_tide\"); end_game(); }";
    let ruleset = small_game::game("small", GAME, script).unwrap();
    let loaded = Playable::compile(ruleset, 2, Arc::default()).unwrap();
    let trace = Trace::begin(Vec::new(), &loaded.ruleset, &loaded.layout, 1, false);
    let play = |recording| {
        let (run, end) = loaded.rules.play(&Start::Game, 1, &mut Random::new(1), Some(recording));
        Outcome { run, end, used: 0, misfit: None, exact: Vec::new(), added: Vec::new() }
    };
    let lines = String::from_utf8(trace.follow(play).unwrap().0).unwrap();
    assert!(lines.contains(r#"{"type":"result","seat":1,"result":"lost","reason":"the_tide"}"#), "{lines}");
    assert!(lines.contains(r#""ranking":[[1,2]],"winners":[]"#), "{lines}");
    let plan = Plan::new(loaded, vec![AgentSpec::Random; 2], 0);
    let columns = plan.columns();
    let game = plan.play(1, &columns, &mut NoHook, &mut GameTracker::default()).unwrap();
    let wins = columns.iter().zip(&game.values).filter(|(column, _)| column.measure.id == "win");
    assert!(wins.map(|(_, value)| value.unwrap()).eq([0, 0]));
}

#[test]
fn nobody_wins_or_loses_twice() {
    let told = message("fn game() { players[1].win(\"one\"); players.lose(\"two\"); }");
    assert_eq!(told, "p1 has won already; `players.playing` are those who have neither won nor lost");
    let told = message("fn game() { players[2].lose(\"one\"); players[2].lose(\"two\"); }");
    assert!(told.starts_with("p2 has lost already"), "{told}");
}

#[test]
fn zones_are_passed_on_once_each_and_swapped_with_another() {
    let told = message("fn game() { [players[1].hand, players[1].hand].pass_on(); }");
    assert_eq!(told, "p1.hand is passed on twice; ");
    let told = message("fn game() { [1, 2].pass_on(); }");
    assert_eq!(told, "each entry of the list has to be a zone; ");
    let told = message("fn game() { deck.swap_with(deck); }");
    assert_eq!(told, "deck cannot be swapped with itself; ");
    let told = message("fn game() { [].pass_on(); players.where(|p| false).next_after(players[1]); }");
    assert_eq!(told, "there is no next among no players; ");
}

/// A die that was shown and is rolled again behind a screen is not seen any more.
#[test]
fn a_die_that_was_shown_hides_what_it_rolls_next() {
    let game = GAME.to_owned()
        + "\n[zones.cup]\nname = { en = \"cup\" }\nper = \"seat\"\norder = \"row\"\nvisible = \"owner\"\n";
    let script = "fn game() {
        let p = players[1];
        components(\"die\").move_to(p.cup);
        p.cup.roll();
        p.cup.reveal();
        p.cup.roll();
    }";
    let rules = Rules::new(small_game::game("small", game, script).unwrap(), 3, Arc::default()).unwrap();
    let (run, end) = rules.play(&Start::Game, 1, &mut Random::new(1), None);
    assert_eq!(end, End::Finished);
    let (owner, other) = (Seat::from_number(1).unwrap(), Seat::from_number(2).unwrap());
    let cup = run.table.layout().zone_named("p1.cup").unwrap();
    let die = run.table.zone(cup)[0];
    let sees = |seat: Seat| run.table.state().known.of(die).side & 1 << (seat.number() - 1) != 0;
    assert!(sees(owner) && !sees(other));
}
