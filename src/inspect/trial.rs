//! One game with choices by chance, as far as a check goes: does it come to anything that fails?

use crate::agent::Random;
use crate::diagnostic::Diagnostics;
use crate::script::rules::Rules;
use crate::script::{End, Start};
use crate::table::Table;
use crate::table::decision::{Answers, Halt, Question};

/// After so many decisions it is looked how much the game has used.
const LOOK_AFTER: usize = 16;

/// Why the rules cannot go on in a game of this seed; nothing where it comes to its end, or has used so many units.
pub fn failure(rules: &Rules, seed: u64, units: u64) -> Option<Diagnostics> {
    let mut chance = Paused { random: Random::new(seed), left: LOOK_AFTER };
    let mut run = rules.begin(&Start::Game, seed);
    chance.begin(&mut run.table);
    loop {
        match rules.go_on(&mut run, &mut chance) {
            End::Failed(failure) | End::Endless(failure) => return Some(failure),
            End::Halted(_) if run.units() < units && !rules.work().is_stopped() => chance.left = LOOK_AFTER,
            End::Finished | End::Halted(_) => return None,
        }
    }
}

/// Chooses by chance, and leaves a decision open now and then.
struct Paused {
    random: Random,
    left: usize,
}

impl Answers for Paused {
    fn begin(&mut self, table: &mut Table) {
        Answers::begin(&mut self.random, table);
    }

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        self.left = self.left.checked_sub(1).ok_or(Halt::Open)?;
        self.random.answer(table, question, chosen)
    }

    fn intervene(&mut self, _table: &mut Table) {}
}
