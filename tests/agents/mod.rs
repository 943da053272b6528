//! How well agents play: perfectly where a game is small enough to know, and better than those that think less.
//!
//! Seeds are fixed, so each of these games is the same on every computer. Wider comparisons need `houserule sim`.

mod faults;
mod secrets;

use crate::shared::small_game;
use houserule::agent::{AgentSpec, Company};
use houserule::definition::Library;
use houserule::playthrough::observation::Observation;
use houserule::ruleset::{Ruleset, Selection};
use houserule::script::rules::{Rules, Run};
use houserule::script::{End, Start};
use houserule::table::Table;
use houserule::table::decision::{Answers, Halt, Nobody, Options, Question};
use houserule::table::value::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn rules(folder: &str, game: &str, seats: usize) -> Rules {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder);
    let library = Library::new(vec![root, Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()]);
    let selection = Selection { game: game.to_owned(), ..Selection::default() };
    Rules::new(Arc::new(Ruleset::load(&library, &selection).unwrap()), seats, Arc::default()).unwrap()
}

fn spec(name: &str) -> AgentSpec {
    AgentSpec::parse(name, None).unwrap()
}

/// Plays a game with an agent in each seat.
fn play(rules: &Rules, seed: u64, agents: &[AgentSpec]) -> Run {
    let mut run = rules.begin(&Start::Game, seed);
    assert_eq!(Company::new(seed, agents).play(rules, &mut run), End::Finished);
    run
}

/// The share of the win that a seat has.
fn share(run: &Run, seat: usize) -> f64 {
    let ranking = run.table.ranking();
    let is_first = ranking[0].iter().any(|first| first.number() == seat);
    if is_first { 1.0 / ranking[0].len() as f64 } else { 0.0 }
}

#[test]
fn search_never_loses_tic_tac_toe() {
    let rules = rules("tests/agents", "tic-tac-toe", 2);
    let (search, random) = (spec("search:300"), spec("random"));
    let mut won = 0;
    for seed in 0..6 {
        let first = play(&rules, seed, &[search, random]);
        let second = play(&rules, seed, &[random, search]);
        assert!(share(&first, 1) > 0.0 && share(&second, 2) > 0.0, "seed {seed}");
        won += usize::from(share(&first, 1) == 1.0) + usize::from(share(&second, 2) == 1.0);
    }
    assert!(won >= 9, "chance is beaten most times: {won} of 12");
    let both = play(&rules, 1, &[search, search]);
    assert_eq!(share(&both, 1), 0.5, "two that play well draw");
}

/// Whoever leaves heaps whose exclusive or is zero wins (Bouton 1901); with 1, 2 and 4 the first player can.
#[test]
fn search_plays_nim_perfectly() {
    let rules = rules("tests/agents", "nim", 2);
    let (mut search, mut random) = (spec("search:500").agent(1), spec("random").agent(1));
    for seed in 0..2 {
        let mut run = rules.begin(&Start::Game, seed);
        let mut end = rules.go_on(&mut run, &mut Nobody);
        while end != End::Finished {
            let open = run.table.open().unwrap().clone();
            let is_first = open.seat.unwrap().number() == 1;
            let agent = if is_first { &mut search } else { &mut random };
            agent.begin(open.number - 1);
            let chosen = agent.choose(&Observation::new(&rules, &run, &open));
            end = rules.go_on(&mut run, &mut Once(Some(chosen.clone())));
            let sizes: Vec<usize> = (0..3).map(|heap| run.table.state().zones[heap].len()).collect();
            let told: Vec<Value> = chosen.iter().map(|&position| open.options[position].value.clone()).collect();
            assert!(!is_first || sizes.iter().fold(0, |sum, size| sum ^ size) == 0, "{told:?} left {sizes:?}");
        }
        assert_eq!(share(&run, 1), 1.0);
    }
}

/// Answers one question, and leaves the next open.
struct Once(Option<Vec<usize>>);

impl Answers for Once {
    fn begin(&mut self, _table: &mut Table) {}

    fn answer(&mut self, _table: &Table, _question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        chosen.extend(self.0.take().ok_or(Halt::Open)?);
        Ok(())
    }

    fn intervene(&mut self, _table: &mut Table) {}
}

/// A game of cards for few, so that it is quick: each agent beats the one that thinks less.
#[test]
fn search_beats_greedy_beats_random() {
    let rules = rules("tests/agents", "up-or-down", 2);
    for (better, worse) in [("greedy", "random"), ("search:15", "random")] {
        let games = 2;
        let won: f64 = (0..games)
            .map(|seed| {
                let first = play(&rules, seed, &[spec(better), spec(worse)]);
                let second = play(&rules, seed, &[spec(worse), spec(better)]);
                share(&first, 1) + share(&second, 2)
            })
            .sum();
        assert!(won >= 2.0 * games as f64 - 1.0, "{better} won {won} of {} against {worse}", 2 * games);
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
        rules.go_on(&mut run, &mut Nobody);
        let open = run.table.open().unwrap().clone();
        let values: Vec<Value> = open.options.iter().map(|option| option.value.clone()).collect();
        let (prompt, options) = (&*open.prompt, Options::Values(&values));
        let (seat, purpose, by_clock, refused) = (open.seat, None, None, &[][..]);
        let question = Question { seat, prompt, purpose, secret: false, by_clock, options, min: 1, max: 1, refused };
        let mut weights = Vec::new();
        let seen = Observation::new(&rules, &run, &open);
        seen.weights(&run.table, &question, &mut weights).then_some(weights)
    };
    assert_eq!(weights(""), None);
    assert_eq!(weights("fn policy(p, prompt, options) { [0, 2, 6] }"), Some(vec![0, 2, 6]));
    assert_eq!(weights("fn policy(p, prompt, options) { [-5, 0, 1] }"), Some(vec![0, 0, 1]));
    assert_eq!(
        weights("fn policy(p, prompt, options) { if prompt == \"keep\" { 2 } else { 0 } }"),
        Some(vec![1, 9, 1])
    );
    for silent in ["[]", "[0, 0, 0]", "[1, 2]", "[\"a\", \"b\", \"c\"]", "1 / 0"] {
        assert_eq!(weights(&format!("fn policy(p, prompt, options) {{ {silent} }}")), None, "{silent}");
    }
    // Greedy keeps what the rules call good, whatever is counted as a score.
    for (value, best) in [("p.kept", 2), ("-p.kept", 0), ("if p.kept == 2 { 1 } else { 0 }", 1)] {
        let rules = hinted(&format!("fn value(p) {{ {value} }}"));
        let mut run = rules.begin(&Start::Game, 1);
        rules.go_on(&mut run, &mut Nobody);
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
    rules.go_on(&mut run, &mut Nobody);
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
