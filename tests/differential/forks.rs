//! Runs that are copied at a decision: each copy goes on as if nothing had been copied, or otherwise, and leaves nothing.

use crate::differential::fixture::SEATS;
use crate::differential::node::Way;
use crate::differential::programs::{batches, compiled};
use crate::differential::signature::Signature;
use crate::random_games::case::{Case, games, library};
use crate::shared::threads::in_threads;
use houserule::agent::Random;
use houserule::ruleset::Ruleset;
use houserule::script::reference::meter;
use houserule::script::rules::{Rules, Run};
use houserule::script::{End, Start};
use houserule::table::decision::{Answerer, Halt, Question};
use houserule::table::event::{Event, EventData};
use houserule::table::{Recording, State, Table};
use std::sync::Arc;

/// So many decisions of a game are forked at, and so far each fork goes on.
const DECISIONS: usize = 60;
const BEYOND: usize = 25;

/// What a copy leaves behind at most: nothing but what threads keep for themselves.
const LEFT_OVER: i64 = 4 << 10;

/// Answers each decision by its number alone, so that whoever comes to it answers the same.
struct ByNumber {
    seed: u64,
    /// The number of the decision that is left open.
    stop: usize,
    /// The number of the decision that is answered otherwise than usual.
    otherwise: Option<usize>,
}

impl Answerer for ByNumber {
    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        let number = table.decisions();
        if number >= self.stop {
            return Err(Halt::Open);
        }
        Random::new(self.seed + number as u64).answer(table, question, chosen)?;
        if self.otherwise == Some(number) {
            for position in chosen.iter_mut() {
                *position = (*position + 1) % question.options.len();
            }
        }
        Ok(())
    }
}

/// All that can be told of a run.
#[derive(Debug, PartialEq)]
struct Told {
    end: End,
    events: Vec<Event>,
    table: State,
    decisions: usize,
}

/// Goes on with a run until a decision is open or it is over.
fn go_on(rules: &Rules, run: &mut Run, seed: u64, stop: usize, otherwise: Option<usize>) -> Told {
    let end = rules.resume(run, &mut ByNumber { seed, stop, otherwise });
    Told {
        end,
        events: run.table.recorded().to_vec(),
        table: run.table.state().clone(),
        decisions: run.table.decisions(),
    }
}

fn begin(rules: &Rules, entry: &Start, seed: u64) -> Run {
    let mut run = rules.begin(entry, seed);
    run.table.record(Recording::default());
    run
}

/// Forks a run at each of its decisions, and gives how many forks there were.
fn fork_everywhere(rules: &Rules, entry: &Start, seed: u64) -> Result<usize, String> {
    let mut run = begin(rules, entry, seed);
    let mut forks = 0;
    for decision in 1..=DECISIONS {
        let stopped = go_on(rules, &mut run, seed, decision, None);
        if stopped.end != End::Halted(Halt::Open) {
            break;
        }
        let stop = decision + BEYOND;
        let uninterrupted = go_on(rules, &mut begin(rules, entry, seed), seed, stop, None);
        let before = meter::live_bytes();
        for again in 0..2 {
            let fork = go_on(rules, &mut run.clone(), seed, stop, None);
            if fork != uninterrupted {
                return Err(format!(
                    "copy {again} at decision {decision} goes another way: {}",
                    first(&fork, &uninterrupted)
                ));
            }
        }
        let other = go_on(rules, &mut run.clone(), seed, stop, Some(decision));
        let kept = stopped.events.len();
        if other.events.get(..kept) != Some(&stopped.events) {
            return Err(format!("what was before decision {decision} is another"));
        }
        // Of some that may be none or all, no other can be put in the place of one.
        let has_choice = matches!(&uninterrupted.events[kept].what, EventData::Choice { decision, chosen, .. }
            if (1..decision.options.len()).contains(&chosen.len()));
        if has_choice && other.events[kept] == uninterrupted.events[kept] {
            return Err(format!("at decision {decision} nothing else can be chosen"));
        }
        drop(other);
        let left = meter::live_bytes() - before;
        if left.abs() > LEFT_OVER {
            return Err(format!("the copies at decision {decision} leave {left} bytes behind"));
        }
        let same = go_on(rules, &mut run, seed, decision, None);
        if same != stopped {
            return Err(format!("the copies at decision {decision} changed the run: {}", first(&same, &stopped)));
        }
        forks += 1;
    }
    Ok(forks)
}

fn first(one: &Told, other: &Told) -> String {
    let differs = one.events.iter().zip(&other.events).find(|(one, other)| one != other);
    format!("{differs:?}, ends {:?} and {:?}", one.end, other.end)
}

#[test]
fn games_go_on_from_copies_at_every_decision() {
    let number = if crate::differential::times() > 1 { 2 * crate::differential::times() as u32 } else { 2 };
    let jobs: Vec<Case> =
        games().iter().flat_map(|game| (0..number).map(|number| Case::random(game, number).unwrap())).collect();
    let forks = in_threads(&jobs, |case| {
        let ruleset = Arc::new(Ruleset::load(&library(), &case.selection).unwrap());
        let rules = Rules::new(ruleset, case.seats, Arc::default()).unwrap_or_else(|errors| panic!("{}", errors[0]));
        fork_everywhere(&rules, &Start::Game, case.seed).map_err(|what| format!("{case}: {what}"))
    });
    let (forks, troubles): (Vec<_>, Vec<_>) = forks.into_iter().partition(Result::is_ok);
    let troubles: Vec<String> = troubles.into_iter().filter_map(Result::err).collect();
    assert!(troubles.is_empty(), "{}", troubles.join("\n"));
    let forks: usize = forks.into_iter().flatten().sum();
    assert!(forks > jobs.len() * 20, "{forks} forks of {} games are too few to say anything", jobs.len());
}

/// Decisions in the middle of expressions, loops, closures and layers.
#[test]
fn small_programs_go_on_from_copies_at_every_decision() {
    let words: Arc<[Signature]> = Signature::all().into();
    let forks = in_threads(&batches(3, 400 * crate::differential::times(), &words), |batch| {
        let mut programs = batch.make();
        programs.retain(|program| program.way == Way::Played);
        let compile = |ruleset: &Arc<Ruleset>| Rules::new(ruleset.clone(), SEATS, Arc::default());
        let Some((_, rules)) = compiled(&mut programs, &mut Vec::new(), compile) else { return 0 };
        let (laid, end) = {
            let mut run = rules.begin(&Start::Game, 1);
            let end = rules.resume(&mut run, &mut ByNumber { seed: 1, stop: 0, otherwise: None });
            (run.table.state().clone(), end)
        };
        assert_eq!(end, End::Finished, "the table can be laid");
        let mut forks = 0;
        for program in programs {
            let expression = format!("{}(1)", program.main());
            let entry = Start::Call { expression, table: Box::new(laid.clone()) };
            match fork_everywhere(&rules, &entry, 5) {
                Ok(count) => forks += count,
                Err(what) => panic!("{what}\n{}{}{}", program.print(0), program.print(1), program.print(2)),
            }
        }
        forks
    });
    let forks: usize = forks.into_iter().sum();
    assert!(forks > 200, "{forks} forks are too few to say anything");
}
