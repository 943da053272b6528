//! One game with choices by chance, as far as a check goes: does it come to anything that fails?

use crate::agent::Random;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::playthrough::campaign;
use crate::playthrough::log::Entry;
use crate::script::codes;
use crate::script::rules::Rules;
use crate::script::{End, Start};
use crate::table::Table;
use crate::table::decision::{Answers, Halt, Question};

/// After so many decisions it is looked how much the game has used.
const DECISIONS_BETWEEN_LOOKS: usize = 16;

/// At so many decisions the functions are asked that agents and hunts ask.
const ASKED_AT: usize = 50;

/// Of a campaign so many games are played.
const GAMES: u64 = 3;

/// Why the rules cannot go on in a game of this seed, or in which of the next ones of its campaign, from 0; nothing where
/// all come to their end, or have used so many units.
pub fn failure(rules: &Rules, seed: u64, units: u64) -> Option<(u64, Diagnostics)> {
    let (mut entry, mut spent): (Option<Entry>, u64) = (None, 0);
    for number in 0..GAMES {
        let seed = seed.wrapping_add(number);
        let mut chance = PausingRandom { random: Random::new(seed), left: DECISIONS_BETWEEN_LOOKS };
        let mut run = rules.begin(&Start::Game, seed);
        chance.begin(&mut run.table);
        if let Some(Err(reason)) = entry.take().map(|entry| entry.intervene(&mut run.table)) {
            return Some((number, Diagnostic::new(reason).into()));
        }
        loop {
            match rules.go_on(&mut run, &mut chance) {
                End::Failed(failure) | End::Endless(failure) => return Some((number, failure)),
                End::Halted(_) if spent + run.units() < units && !rules.work().is_stopped() => {
                    chance.left = DECISIONS_BETWEEN_LOOKS
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

/// What is wrong with the functions that agents and hunts ask, as far as it shows in a game of choices at random: each is
/// tried at its first decisions.
pub fn faults_of_asked(rules: &Rules, seed: u64) -> Vec<Diagnostic> {
    let mut run = rules.begin(&Start::Game, seed);
    let mut asking = Asking { rules, random: Random::new(seed), left: ASKED_AT, faults: Vec::new() };
    asking.begin(&mut run.table);
    rules.go_on(&mut run, &mut asking);
    let mut faults = asking.faults;
    faults.extend(rules.take_faults());
    faults
}

/// Asks the rules' own functions at each decision, and chooses by chance.
struct Asking<'a> {
    rules: &'a Rules,
    random: Random,
    /// At so many more decisions.
    left: usize,
    faults: Vec<Diagnostic>,
}

impl Answers for Asking<'_> {
    fn begin(&mut self, table: &mut Table) {
        Answers::begin(&mut self.random, table);
    }

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        self.left = self.left.checked_sub(1).ok_or(Halt::Open)?;
        if question.by_clock.is_none() {
            self.rules.try_asked(table, question);
            if let Err(fault) = self.rules.broken_invariant(table) {
                let coded = |fault| Diagnostic { code: None, ..fault }.coded(codes::ASKED_FAILS);
                self.faults.extend(fault.into_iter().map(coded));
                self.left = 0;
            }
        }
        self.random.answer(table, question, chosen)
    }
}

/// Chooses by chance, and leaves a decision open now and then.
struct PausingRandom {
    random: Random,
    left: usize,
}

impl Answers for PausingRandom {
    fn begin(&mut self, table: &mut Table) {
        Answers::begin(&mut self.random, table);
    }

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        self.left = self.left.checked_sub(1).ok_or(Halt::Open)?;
        self.random.answer(table, question, chosen)
    }
}
