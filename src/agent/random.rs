//! Chooses at random, every option with the same chance.

use crate::playthrough::run::Agent;
use crate::table::Table;
use crate::table::chance::Stream;
use crate::table::decision::{Answers, Halt, Question};

/// An agent that chooses at random. Its chance has nothing to do with that of the game, so that the same choices can
/// be made under other rules.
#[derive(Debug)]
pub struct Random {
    seed: u64,
    stream: Stream,
}

impl Random {
    /// An agent whose choices depend on the seed alone.
    pub fn new(seed: u64) -> Self {
        Self { seed, stream: Stream::named(seed, "random agent", 0) }
    }

    /// An agent whose choices depend on the seed and on how far a game has gone, so that going on later is going on.
    pub fn from_decision(seed: u64, decision: usize) -> Self {
        Self { seed, stream: Stream::named(seed, "random agent", decision as u32) }
    }
}

impl Agent for Random {
    fn choose(&mut self, _table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) {
        // Who acts in real time is for the clock to say.
        if let Some(position) = question.by_clock {
            chosen.push(position);
            return;
        }
        let count = question.options.len();
        if (question.min, question.max) == (1, 1) {
            chosen.push(self.stream.below(count));
            return;
        }
        let wanted = question.min + self.stream.below(question.max - question.min + 1);
        let mut positions: Vec<usize> = (0..count).collect();
        self.stream.shuffle(&mut positions);
        chosen.extend(positions.into_iter().take(wanted));
    }
}

impl Answers for Random {
    fn begin(&mut self, _table: &mut Table) {
        self.stream = Stream::named(self.seed, "random agent", 0);
    }

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        self.choose(table, question, chosen);
        Ok(())
    }

    fn intervene(&mut self, _table: &mut Table) {}
}
