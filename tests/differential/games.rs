//! The games on disk, played at random by both.

use crate::differential::programs::call;
use crate::differential::purpose;
use crate::differential::sides::Side;
use crate::random_games::case::{Case, games, library};
use crate::shared::golden_games::{GOLDEN, Golden};
use crate::shared::threads::in_threads;
use houserule::definition::Layer;
use houserule::ruleset::{Ruleset, Selection};
use houserule::script::Start;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// So many choices of a game are compared, unless much is wanted: after as many, a game has shown most of its rules.
const CHOICES: usize = 250;

/// Of pairs of variants, one in so many is played.
const PAIRS: usize = 9;

/// Stacks of any variants with any settings, for each game.
const STACKS: u32 = 4;

/// What was compared.
#[derive(Default)]
struct Compared {
    games: usize,
    choices: usize,
    events: usize,
    on_purpose: BTreeMap<&'static str, usize>,
}

/// Every golden game, and every game for every number of players, with each variant, with pairs and stacks of them: the
/// same happens, event by event, with every option, draw and point in the rules; the same scores, and the same end.
#[test]
fn games_are_the_same() {
    let times = crate::differential::times();
    let began = Instant::now();
    let choices = if times > 1 { usize::MAX } else { CHOICES };
    let golden = GOLDEN.iter().map(|golden| (golden_case(golden), usize::MAX));
    let cases = games().into_iter().flat_map(|game| cases(&game, times)).map(|case| (case, choices));
    let jobs: Vec<(Case, usize)> = golden.chain(cases).collect();
    let mut sum = Compared::default();
    let mut different = Vec::new();
    for compared in in_threads(&jobs, |(case, choices)| compare(case, *choices)) {
        match compared {
            Ok(compared) => {
                sum.games += compared.games;
                sum.choices += compared.choices;
                sum.events += compared.events;
                compared.on_purpose.iter().for_each(|(why, count)| *sum.on_purpose.entry(why).or_default() += count);
            }
            Err(what) => different.push(what),
        }
    }
    let Compared { games, choices, events, on_purpose } = sum;
    println!("{games} games, {choices} choices, {events} events, {:.1?}; on purpose {on_purpose:?}", began.elapsed());
    assert!(different.is_empty(), "{} of {}:\n{}", different.len(), jobs.len(), different.join("\n\n"));
    assert!(games > 100 && events > 50_000, "{games} games and {events} events are too few to say anything");
}

/// A game whose diary is pinned; it is played to its end.
fn golden_case(golden: &Golden) -> Case {
    let plain = Ruleset::load(&library(), &golden.selection()).unwrap_or_else(|troubles| panic!("{}", troubles[0]));
    let players = golden.players - plain.definition.players.0;
    Case::plain(golden.selection(), golden.seed, players).unwrap_or_else(|trouble| panic!("{trouble}"))
}

/// The rules that a game is played by.
fn cases(game: &str, times: usize) -> Vec<Case> {
    let plain = Selection { game: game.to_owned(), ..Selection::default() };
    let plain = Ruleset::load(&library(), &plain).unwrap_or_else(|troubles| panic!("{}", troubles[0]));
    let (fewest, most) = plain.definition.players;
    let variants: Vec<Layer> = library().variants(game).into_iter().filter_map(|variant| variant.layer.ok()).collect();
    let of = |variants: &[&Layer], seed: u64, players: usize| {
        let variants = variants.iter().map(|variant| variant.id.clone()).collect();
        Case::plain(Selection { game: game.to_owned(), variants, set: Vec::new() }, seed, players)
    };
    let mut cases = Vec::new();
    for round in 0..times as u64 {
        cases.extend((fewest..=most).map(|seats| of(&[], 1 + round, seats - fewest)));
        cases.extend(variants.iter().enumerate().map(|(number, variant)| of(&[variant], 2 + round, number)));
        let goes_with = |one: &Layer, other: &Layer| {
            !one.conflicts.contains_key(&other.id) && !other.conflicts.contains_key(&one.id)
        };
        let pairs = variants.iter().enumerate().flat_map(|(number, one)| {
            let others = variants[number + 1..].iter().filter(|other| goes_with(one, other));
            others.map(move |other| [one, other]).collect::<Vec<_>>()
        });
        let every = if times > 1 { 1 } else { PAIRS };
        cases.extend(pairs.enumerate().step_by(every).map(|(number, pair)| of(&pair, 3 + round, number)));
        cases.extend((0..STACKS).map(|number| Case::random(game, number + STACKS * round as u32)));
    }
    cases.into_iter().map(|case| case.unwrap_or_else(|trouble| panic!("{trouble}"))).collect()
}

fn compare(case: &Case, choices: usize) -> Result<Compared, String> {
    let ruleset = Ruleset::load(&library(), &case.selection).map_err(|troubles| format!("{case}: {}", troubles[0]))?;
    let ruleset = Arc::new(ruleset);
    let play = |side: Side| {
        let started = side.start(&ruleset, case.seats).map_err(|troubles| format!("{case}: {}", troubles[0]))?;
        let seed = case.seed;
        Ok::<_, String>(call(&started, move |rules| rules.play(&Start::Game, seed, choices)))
    };
    let (product, reference) = (play(Side::Product)?, play(Side::Reference)?);
    let mut compared =
        Compared { games: 1, choices: product.decisions, events: product.events.len(), ..Compared::default() };
    match purpose::difference(&ruleset, &product, &reference, &mut compared.on_purpose) {
        Some(what) => Err(format!("{case}\n{what}")),
        None => Ok(compared),
    }
}
