//! A run that takes the results of calls from its cache is the run that makes the calls: in every game, under any
//! variants, on copies and on what a seat imagines, to the last unit.

use crate::random_games::case::{Case, games};
use crate::shared::small_game;
use crate::shared::threads::in_threads;
use houserule::agent::Random;
use houserule::lab::coverage::{CallCounts, StepCounts};
use houserule::script::appraisal::Appraiser;
use houserule::script::machine::counts::RunHook;
use houserule::script::rules::{Rules, Run};
use houserule::script::{End, Start};
use houserule::table::chance::Stream;
use houserule::table::decision::{Answerer, Halt, Question};
use houserule::table::event::Event;
use houserule::table::value::Seat;
use houserule::table::{Recording, State, Table};
use std::sync::Arc;

const CASES: u32 = 6;

/// So many decisions of a game are looked at, and so far what is imagined goes on.
const DECISIONS: usize = 400;
const BEYOND: usize = 12;

/// Answers each decision by its number alone.
struct ByNumber {
    seed: u64,
    /// The number of the decision that is left open.
    stop: usize,
}

impl Answerer for ByNumber {
    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        let number = table.decisions();
        if number >= self.stop {
            return Err(Halt::Open);
        }
        Random::new(self.seed + number as u64).answer(table, question, chosen)
    }
}

/// All that can be told of a run.
#[derive(Debug, PartialEq)]
struct Told {
    end: End,
    units: u64,
    decisions: usize,
    table: State,
    events: Vec<Event>,
}

fn go_on(rules: &Rules, run: &mut Run, seed: u64, stop: usize, hook: Option<&mut dyn RunHook>) -> Told {
    let mut answers = ByNumber { seed, stop };
    let end = match hook {
        Some(hook) => rules.resume_with_hook(run, &mut answers, hook),
        None => rules.resume(run, &mut answers),
    };
    Told {
        end,
        units: run.units(),
        decisions: run.table.decisions(),
        table: run.table.state().clone(),
        events: run.table.recorded().to_vec(),
    }
}

fn begin(rules: &Rules, seed: u64) -> Run {
    let mut run = rules.begin(&Start::Game, seed);
    run.table.record(Recording::default());
    run
}

/// Plays a case with the cache, and without it because every step is counted. Gives the number of decisions.
fn compare(game: &str, number: u32) -> Result<usize, String> {
    let (case, loaded) = Case::load(game, number)?;
    let (rules, seed) = (&loaded.rules, case.seed);
    let [mut run, mut counted, mut plain] = [(); 3].map(|()| begin(rules, seed));
    run.cache_eagerly();
    counted.cache_eagerly();
    let (mut calls, mut steps) = (CallCounts::new(rules), StepCounts::new(rules));
    calls.begin_game();
    steps.begin_game();
    let mut scratch = begin(rules, seed);
    scratch.cache_eagerly();
    let mut appraiser = Appraiser::default();
    for decision in 1..=DECISIONS {
        let by_cache = go_on(rules, &mut run, seed, decision, None);
        let by_steps = go_on(rules, &mut plain, seed, decision, Some(&mut steps));
        let differs = |what: &str| Err(format!("{case}: {what} at decision {decision}"));
        if by_cache != by_steps {
            return differs("the run with the cache is another");
        }
        if go_on(rules, &mut counted, seed, decision, Some(&mut calls)) != by_steps {
            return differs("the counted run with the cache is another");
        }
        if calls.now() != steps.calls.now() {
            return differs("other calls are counted");
        }
        let judged = |appraiser: &mut Appraiser| {
            let [mut worths, mut points] = [Vec::new(), Vec::new()];
            rules.seat_values(&run.table, appraiser, &mut worths);
            let is_known = rules.standings(&run.table, appraiser, &mut points);
            (worths, points, is_known)
        };
        if judged(&mut appraiser) != judged(&mut Appraiser::default()) {
            return differs("the table is judged otherwise by whoever has judged others");
        }
        if by_cache.end != End::Halted(Halt::Open) {
            return Ok(decision);
        }
        // What is tried again and again from copies on which what a seat does not know is another each time.
        if decision % 7 == 0 {
            let mut stream = Stream::named(seed, "imagined", decision as u32);
            let mut imagined = run.clone();
            imagined.table.imagine(Some(Seat(stream.below(case.seats) as u8)), &mut stream);
            scratch.clone_from(&imagined);
            let stop = decision + BEYOND;
            let tried = go_on(rules, &mut scratch, seed, stop, None);
            if tried != go_on(rules, &mut imagined, seed, stop, Some(&mut StepCounts::new(rules))) {
                return differs("what is tried comes to something else");
            }
        }
    }
    Ok(DECISIONS)
}

#[test]
fn that_are_remembered_are_as_if_they_were_made() {
    let cases: Vec<(String, u32)> =
        games().into_iter().flat_map(|game| (0..CASES).map(move |number| (game.clone(), number))).collect();
    let compared = in_threads(&cases, |(game, number)| compare(game, *number));
    let wrong: Vec<&String> = compared.iter().filter_map(|done| done.as_ref().err()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let decisions: usize = compared.iter().flatten().sum();
    assert!(decisions > 5_000, "{decisions}");
}

/// What is known of functions before anything runs: whether they only look, and whether it is known what they depend on.
#[test]
fn are_known_by_what_their_functions_do() {
    let functions = [
        ("fn lies(p) { p.hand.len }", true, true),
        ("fn of_all() { players.sum_of(|p| p.coins) }", true, true),
        ("fn both(p, card) { lies(p) + card.number + if card.side_name == \"day\" { 1 } else { 0 } }", true, true),
        ("fn owned(p) { deck.owned_by(p).having(\"color\", \"red\").first }", true, true),
        ("fn in_rows(p) { p.rows.filled.map(|row| row.last.number) }", true, true),
        ("fn where_it_lies(card) { card.zone }", false, false),
        ("fn time() { clock() }", false, false),
        ("fn named(p) { `the hand of ${p}` }", false, false),
        ("fn lot() { draw_number(\"lot\", 1, 6) }", false, false),
        ("fn asks(p) { p.choose(\"which\", [1, 2]) }", false, false),
        ("fn awards(p) { p.award(lies(p), \"hand\"); }", false, true),
        ("fn sets(p) { p.coins = 2; table.turns += 1; }", false, true),
        ("fn moves(p) { p.hand.move_to(deck); }", false, true),
        ("fn counts_down(n) { if n == 0 { 0 } else { counts_down(n - 1) } }", false, false),
        ("fn of_what_is_held(p) { for card in [p.hand.first] { return card.number; } 0 }", true, true),
    ];
    let rules = functions.map(|(function, ..)| function).join("\n");
    let ruleset = small_game::game("small", small_game::GAME, format!("fn game() {{}}\n{rules}")).unwrap();
    let rules = Rules::new(ruleset, 3, Arc::default()).unwrap_or_else(|errors| panic!("{}", errors.render(false)));
    for (function, is_pure, is_known) in functions {
        let name = function.trim_start_matches("fn ").split('(').next().unwrap();
        let number = rules.functions().iter().position(|info| info.name == name).unwrap();
        let found = &rules.code().dependencies[number];
        assert_eq!((found.is_pure, found.is_known()), (is_pure, is_known), "{function}");
    }
}
