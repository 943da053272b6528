//! Plays a game of random choices to find failures of the rules.

use crate::agent::Random;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::playthrough::campaign;
use crate::playthrough::log::Entry;
use crate::playthrough::worked_out;
use crate::script::codes;
use crate::script::rules::Rules;
use crate::script::{End, Start};
use crate::table::Table;
use crate::table::decision::{Answerer, Halt, Question};

/// The number of decisions between checks of the units used.
const DECISIONS_BETWEEN_LOOKS: usize = 16;

/// The number of decisions at which the functions for agents and hunts are called.
const DECISIONS_WITH_AGENT_CALLS: usize = 50;

/// The number of games played of a campaign.
const GAMES: u64 = 3;

/// The error at which a game with this seed fails, with the number of the game in its campaign, from 0; `None` where
/// all games end, or have used `units` of work. The table is drawn now and then: `undrawn` gets the errors of the first
/// drawing that has some.
pub fn failure(rules: &Rules, seed: u64, units: u64, undrawn: &mut Vec<Diagnostic>) -> Option<(u64, Diagnostics)> {
    let (mut entry, mut spent): (Option<Entry>, u64) = (None, 0);
    let (mut looks, mut next_drawing) = (0_u64, 1);
    for number in 0..GAMES {
        let seed = seed.wrapping_add(number);
        let mut chance = PausingRandom { random: Random::new(seed), left: DECISIONS_BETWEEN_LOOKS };
        let mut run = rules.begin(&Start::Game, seed);
        chance.begin(&mut run.table);
        if let Some(Err(reason)) = entry.take().map(|entry| entry.intervene(&mut run.table)) {
            return Some((number, Diagnostic::new(reason).into()));
        }
        loop {
            match rules.resume(&mut run, &mut chance) {
                End::Failed(failure) | End::Endless(failure) => return Some((number, failure)),
                End::Halted(_) if spent + run.units() < units && !rules.work().is_stopped() => {
                    chance.left = DECISIONS_BETWEEN_LOOKS;
                    looks += 1;
                    if looks == next_drawing && undrawn.is_empty() {
                        *undrawn = worked_out(rules, &run.table, true).undrawn;
                        // Ever more rarely: a long game is drawn some twenty times.
                        next_drawing += (looks / 2).max(1);
                    }
                }
                End::Halted(_) => return None,
                End::Finished => break,
            }
        }
        spent += run.units();
        entry = match campaign::next(&run.table) {
            Ok(Some(entry)) => Some(entry),
            Ok(None) => return None,
            Err(errors) => return Some((number, errors)),
        };
    }
    None
}

/// Errors in the functions called by agents and hunts, found in a game of random choices by calling each at the first
/// decisions.
pub fn faults_of_asked(rules: &Rules, seed: u64) -> Vec<Diagnostic> {
    let mut run = rules.begin(&Start::Game, seed);
    let mut asking =
        RuleFunctionCaller { rules, random: Random::new(seed), left: DECISIONS_WITH_AGENT_CALLS, faults: Vec::new() };
    asking.begin(&mut run.table);
    rules.resume(&mut run, &mut asking);
    let mut faults = asking.faults;
    faults.extend(rules.take_faults());
    faults
}

/// Calls the rules' own functions at each decision, and chooses at random.
struct RuleFunctionCaller<'a> {
    rules: &'a Rules,
    random: Random,
    /// The number of decisions left to try.
    left: usize,
    faults: Vec<Diagnostic>,
}

impl Answerer for RuleFunctionCaller<'_> {
    fn begin(&mut self, table: &mut Table) {
        Answerer::begin(&mut self.random, table);
    }

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        self.left = self.left.checked_sub(1).ok_or(Halt::Open)?;
        if question.by_clock.is_none() {
            self.rules.try_host_functions(table, question);
            if let Err(fault) = self.rules.broken_invariant(table) {
                let coded = |fault| Diagnostic { code: None, ..fault }.with_code(codes::ASKED_FAILS);
                self.faults.extend(fault.into_iter().map(coded));
                self.left = 0;
            }
        }
        self.random.answer(table, question, chosen)
    }
}

/// Chooses at random, and leaves a decision open from time to time.
struct PausingRandom {
    random: Random,
    left: usize,
}

impl Answerer for PausingRandom {
    fn begin(&mut self, table: &mut Table) {
        Answerer::begin(&mut self.random, table);
    }

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        self.left = self.left.checked_sub(1).ok_or(Halt::Open)?;
        self.random.answer(table, question, chosen)
    }
}
