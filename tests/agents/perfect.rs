//! Games that are small enough to know how they end: there, search plays perfectly.

use super::{Once, rules, share, spec};
use houserule::agent::Search;
use houserule::agent::search::Budget;
use houserule::definition::Library;
use houserule::files::MemoryFiles;
use houserule::playthrough::observation::{Agent, Observation};
use houserule::ruleset::{Ruleset, Selection};
use houserule::script::rules::{Rules, Run};
use houserule::script::{End, Start};
use houserule::table::decision::NoAnswerer;
use std::sync::Arc;

/// Answers the open decision, and goes on to the next.
fn answer(rules: &Rules, run: &Run, chosen: Vec<usize>) -> (Run, End) {
    let mut next = run.clone();
    let end = rules.resume(&mut next, &mut Once(Some(chosen)));
    (next, end)
}

fn ask(rules: &Rules, run: &Run, agent: &mut dyn Agent) -> Vec<usize> {
    let open = run.table.open().unwrap();
    agent.begin(open.number - 1);
    agent.choose(&Observation::new(rules, run, open))
}

/// Every game that a seat can lose, if the others try every way to play: the fewest wins, and how many games there were.
fn all_games(rules: &Rules, run: &Run, end: &End, seat: usize, agent: &mut dyn Agent) -> (f64, usize) {
    if *end == End::Finished {
        return (share(run, seat), 1);
    }
    let open = run.table.open().unwrap();
    let ways = match open.seat.unwrap().number() == seat {
        true => vec![ask(rules, run, agent)],
        false => (0..open.options.len()).map(|position| vec![position]).collect(),
    };
    ways.into_iter().fold((1.0, 0), |(least, games), chosen| {
        let (next, end) = answer(rules, run, chosen);
        let (share, more) = all_games(rules, &next, &end, seat, agent);
        (f64::min(least, share), games + more)
    })
}

/// Whatever the other one does, in every game that there is; and who is second begins in the only places that do not lose.
#[test]
fn search_never_loses_tic_tac_toe() {
    let rules = rules("tests/agents", "tic-tac-toe", 2);
    let mut run = rules.begin(&Start::Game, 1);
    let end = rules.resume(&mut run, &mut NoAnswerer);
    let (least, games) = all_games(&rules, &run, &end, 1, &mut *spec("search:200").agent(1));
    assert!(least >= 0.5 && games > 50, "{least} of {games}");
    let (least, games) = all_games(&rules, &run, &end, 2, &mut *spec("search:1500").agent(1));
    assert!(least >= 0.5 && games > 200, "{least} of {games}");

    let mut second = spec("search:500").agent(1);
    let mut reply = |opening: usize| {
        let (next, _) = answer(&rules, &run, vec![opening - 1]);
        let position = ask(&rules, &next, &mut *second)[0];
        next.table.open().unwrap().options[position].label.clone()
    };
    assert_eq!(reply(3), "cells.5", "the middle, where a corner was taken");
    let corner = reply(5);
    assert!(["cells.1", "cells.3", "cells.7", "cells.9"].contains(&&*corner), "{corner}");
    // Two of a row are there, and the third place is the only one.
    let (next, _) = answer(&rules, &run, vec![0]);
    let (next, _) = answer(&rules, &next, vec![3]);
    let (next, _) = answer(&rules, &next, vec![0]);
    let mut quick = spec("search:60").agent(1);
    let position = ask(&rules, &next, &mut *quick)[0];
    assert_eq!(next.table.open().unwrap().options[position].label, "cells.3");
}

/// What is certain is told so.
#[test]
fn a_search_of_a_small_game_ends_when_it_knows_how_the_game_ends() {
    let (rules, run) = nim([1, 1, 1]);
    let open = run.table.open().unwrap();
    let search = Search::new(1, Budget::Iterations(100_000));
    let advice = search.advice(&Observation::new(&rules, &run, open));
    assert!(advice.iterations < 1_000, "{}", advice.iterations);
    let told = advice.of(&advice.chosen).unwrap();
    assert_eq!((told.result, told.margin), (1.0, 0.0), "three heaps of one are won");

    let (rules, run) = nim([0, 2, 2]);
    let open = run.table.open().unwrap();
    let advice = search.advice(&Observation::new(&rules, &run, open));
    assert!(
        advice.iterations < 1_000 && advice.options.iter().all(|option| (option.result, option.margin) == (0.0, 0.0))
    );
}

/// Nim with heaps of these sizes, at its first decision.
fn nim(heaps: [usize; 3]) -> (Rules, Run) {
    let definition = include_str!("games/nim/game.toml").replace("[2, 3, 4]", &format!("{heaps:?}"));
    let files = MemoryFiles::new([
        ("games/nim/game.toml", definition),
        ("games/nim/rules.rhai", include_str!("games/nim/rules.rhai").to_owned()),
    ]);
    let library = Library::of(Arc::new(files), vec!["".into()]);
    let ruleset = Ruleset::load(&library, &Selection::of("nim")).unwrap();
    let rules = Rules::new(Arc::new(ruleset), 2, Arc::default()).unwrap();
    let mut run = rules.begin(&Start::Game, 1);
    assert_ne!(rules.resume(&mut run, &mut NoAnswerer), End::Finished);
    (rules, run)
}

/// Whoever leaves heaps whose exclusive or is zero wins (Bouton 1901): from every position out of which that can be done.
#[test]
fn search_wins_nim_from_every_position_that_can_be_won() {
    let sum = |sizes: &[usize]| sizes.iter().fold(0, |sum, size| sum ^ size);
    let mut positions = 0;
    let mut wrong = Vec::new();
    for number in 0..3 * 4 * 5 {
        let heaps = [number % 3, number / 3 % 4, number / 12];
        if sum(&heaps) == 0 {
            continue;
        }
        let (rules, run) = nim(heaps);
        let chosen = ask(&rules, &run, &mut *spec("search:4000").agent(1));
        let (next, _) = answer(&rules, &run, chosen);
        let left: Vec<usize> = (0..3).map(|heap| next.table.state().zones[heap].len()).collect();
        if sum(&left) != 0 {
            wrong.push((heaps, left));
        }
        positions += 1;
    }
    assert!(wrong.is_empty() && positions == 48, "of {positions}: {wrong:?}");
}
