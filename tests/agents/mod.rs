//! How well agents play: perfectly where a game is small enough to know, and better than those that think less.
//!
//! Seeds are fixed, so each of these games is the same on every computer. Wider comparisons need `houserule sim`.

mod doubt;
mod faults;
mod perfect;
mod secrets;

use crate::shared::small_game;
use houserule::agent::{AgentSpec, SeatedAgents};
use houserule::playthrough::observation::Observation;
use houserule::ruleset::{Ruleset, Selection};
use houserule::script::rules::{Rules, Run};
use houserule::script::{End, Start};
use houserule::table::Table;
use houserule::table::decision::{Answerer, Halt, NoAnswerer, Options, Question};
use houserule::table::value::Value;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn rules(folder: &str, game: &str, seats: usize) -> Rules {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder);
    let library = houserule::Disk::library(vec![root, Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()]);
    let selection = Selection { game: game.to_owned(), ..Selection::default() };
    Rules::new(Arc::new(Ruleset::load(&library, &selection).unwrap()), seats, Arc::default()).unwrap()
}

fn spec(name: &str) -> AgentSpec {
    AgentSpec::parse(name, None).unwrap()
}

/// Plays a game with an agent in each seat.
fn play(rules: &Rules, seed: u64, agents: &[AgentSpec]) -> Run {
    let mut run = rules.begin(&Start::Game, seed);
    assert_eq!(SeatedAgents::new(seed, agents).play(rules, &mut run), End::Finished);
    run
}

/// The share of the win that a seat has.
fn share(run: &Run, seat: usize) -> f64 {
    let ranking = run.table.ranking();
    let is_first = ranking[0].iter().any(|first| first.number() == seat);
    if is_first { 1.0 / ranking[0].len() as f64 } else { 0.0 }
}

/// Answers one question, and leaves the next open.
struct Once(Option<Vec<usize>>);

impl Answerer for Once {
    fn answer(&mut self, _table: &Table, _question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        chosen.extend(self.0.take().ok_or(Halt::Open)?);
        Ok(())
    }
}

/// Plays alone among players of the other sort, in every seat once for each seed, until so many games are won.
#[track_caller]
fn wins_at_least(least: f64, game: &str, seats: usize, seeds: Range<u64>, (better, worse): (&str, &str)) {
    let rules = rules("tests/agents", game, seats);
    let (mut won, mut games) = (0.0, 0);
    for (seed, seat) in seeds.flat_map(|seed| (0..seats).map(move |seat| (seed, seat))) {
        let agents: Vec<AgentSpec> = (0..seats).map(|other| spec(if other == seat { better } else { worse })).collect();
        won += share(&play(&rules, seed, &agents), seat + 1);
        games += 1;
        if won >= least {
            return;
        }
    }
    panic!("{better} in {game}: {won} of {games}, and not {least}");
}

/// With so few tries and games that it is quick: these seeds are won, and by chance they would seldom be.
#[test]
fn even_a_short_search_beats_chance() {
    let pair = ("search:20", "random");
    for (game, seats, seeds, least) in [
        ("hearts", 3, 4..5, 2.5),
        ("ftw", 2, 1..3, 4.0),
        ("overflow", 3, 1..3, 5.0),
        ("enemy-anemone", 2, 1..2, 2.0),
        ("up-or-down", 2, 1..3, 4.0),
    ] {
        wins_at_least(least, game, seats, seeds, pair);
    }
    wins_at_least(3.0, "up-or-down", 2, 0..2, ("greedy", "random"));
}

/// So many games are won by chance in less than one of fifty tries. Where luck decides more, as in Go Fish, it takes
/// hundreds to show, and among partners nobody plays alone.
#[test]
fn a_short_search_beats_chance_in_the_classics() {
    let alone = ["connect-four", "kalah", "checkers", "gin-rummy", "liars-dice", "goofspiel", "crazy-eights"];
    let by_luck = ["leduc-poker", "kuhn-poker", "pig"];
    let alone = alone.map(|game| (game, "search:40", 0..6, 10.0));
    let by_luck = by_luck.map(|game| (game, "search:100", 0..20, 27.0));
    for (game, search, seeds, least) in alone.into_iter().chain(by_luck) {
        wins_at_least(least, game, 2, seeds, (search, "random"));
    }
}

/// What rules say of options and tables is what agents go by.
#[test]
fn agents_go_by_what_the_rules_say() {
    let definition = "id = 'hinted'\nname = 'Hinted'\nplayers = { min = 2, max = 2 }\n\
                      [variables]\nkept = { default = 0, per = 'seat' }\n";
    let script = "fn game() {
        for p in players { begin_turn(p); p.kept = p.choose(\"keep\", [1, 2, 3]); begin_turn(p.next); p.may(\"go\"); }
    }";
    let hinted = |hints: &str| {
        let ruleset = small_game::game("hinted", definition, format!("{script}\n{hints}")).unwrap();
        Rules::new(ruleset, 2, Arc::default()).unwrap()
    };
    let weights = |hints: &str| {
        let rules = hinted(hints);
        let mut run = rules.begin(&Start::Game, 1);
        rules.resume(&mut run, &mut NoAnswerer);
        let open = run.table.open().unwrap().clone();
        let values: Vec<Value> = open.options.iter().map(|option| option.value.clone()).collect();
        let (prompt, options) = (&*open.prompt, Options::Values(&values));
        let (seat, purpose, by_clock, refused) = (open.seat, None, None, &[][..]);
        let question = Question {
            seat,
            prompt,
            purpose,
            setting: None,
            secret: false,
            by_clock,
            deadline: None,
            options,
            min: 1,
            max: 1,
            refused,
        };
        let mut weights = Vec::new();
        let seen = Observation::new(&rules, &run, &open);
        seen.weights(&run.table, &question, &mut weights).then_some(weights)
    };
    assert_eq!(weights(""), None);
    assert_eq!(weights("fn policy(p, prompt, options) { [0, 2, 6] }"), Some(vec![0, 2, 6]));
    assert_eq!(
        weights("fn policy(p, prompt, options) { if prompt == \"keep\" { 2 } else { 0 } }"),
        Some(vec![1, 9, 1])
    );
    for silent in ["[]", "[0, 0, 0]", "[1, 2]", "[-5, 0, 1]", "[\"a\", \"b\", \"c\"]", "1 / 0"] {
        assert_eq!(weights(&format!("fn policy(p, prompt, options) {{ {silent} }}")), None, "{silent}");
    }
    // A search does what the policy says where nothing is better, and something else where it is.
    let choice = |hints: &str, is_scored: bool| {
        let scored = script.replace("]);", "]); p.score = p.kept;");
        let script = if is_scored { &scored } else { script };
        let ruleset = small_game::game("hinted", definition, format!("{script}\n{hints}")).unwrap();
        let rules = Rules::new(ruleset, 2, Arc::default()).unwrap();
        let mut run = rules.begin(&Start::Game, 1);
        rules.resume(&mut run, &mut NoAnswerer);
        let open = run.table.open().unwrap().clone();
        spec("search:100").agent(3).choose(&Observation::new(&rules, &run, &open))
    };
    for (kept, position) in [(1, 0), (2, 1), (3, 2)] {
        for hint in [format!("{kept}"), format!("options.map(|option| if option == {kept} {{ 1000 }} else {{ 0 }})")] {
            let hint = format!("fn policy(p, prompt, options) {{ if prompt == \"keep\" {{ {hint} }} else {{ [] }} }}");
            assert_eq!(choice(&hint, false), [position], "{hint}");
            assert_eq!(choice(&hint, true), [2], "{hint}");
        }
    }
    // Greedy keeps what the rules call good, whatever is counted as a score.
    for (value, best) in [("p.kept", 2), ("-p.kept", 0), ("if p.kept == 2 { 1 } else { 0 }", 1)] {
        let rules = hinted(&format!("fn value(p) {{ {value} }}"));
        let mut run = rules.begin(&Start::Game, 1);
        rules.resume(&mut run, &mut NoAnswerer);
        let open = run.table.open().unwrap().clone();
        for agent in ["greedy", "search:100"] {
            let chosen = spec(agent).agent(3).choose(&Observation::new(&rules, &run, &open));
            // At the end of the game a score counts, and here nobody has one.
            assert!(agent != "greedy" || chosen == [best], "{agent} {value}: {chosen:?}");
        }
    }
}

/// What an agent would choose does not depend on who was asked before it, or on how often.
#[test]
fn an_agent_chooses_the_same_whatever_it_was_asked_before() {
    let rules = rules("tests/agents", "up-or-down", 3);
    let mut run = rules.begin(&Start::Game, 5);
    rules.resume(&mut run, &mut NoAnswerer);
    let open = run.table.open().unwrap().clone();
    let seen = Observation::new(&rules, &run, &open);
    for name in ["random", "greedy", "search:60"] {
        let fresh = || {
            let mut agent = spec(name).agent(9);
            agent.begin(seen.decisions_before());
            agent
        };
        let mut again = fresh();
        let first = again.choose(&seen);
        again.choose(&seen);
        again.begin(seen.decisions_before());
        assert_eq!(again.choose(&seen), first, "{name}");
        assert_eq!(fresh().choose(&seen), first, "{name}");
    }
}
