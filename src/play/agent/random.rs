//! The random agent, which chooses every option with equal probability.

use crate::playthrough::observation::{Agent, Observation, choose_at_random};
use crate::table::Table;
use crate::table::chance::Stream;
use crate::table::decision::{Answerer, Halt, Question};
use crate::table::value::Seat;

/// An agent that chooses at random. Its random numbers are independent of the game's, so that the same choices can be
/// made under other rules.
#[derive(Debug)]
pub struct Random {
    seed: u64,
    stream: Stream,
}

impl Random {
    /// Creates an agent whose choices depend on the seed alone.
    pub fn new(seed: u64) -> Self {
        Self::from_decision(seed, 0)
    }

    /// Creates an agent whose choices depend on the seed and the number of decisions made, so that a game resumed later
    /// goes on the same way.
    pub fn from_decision(seed: u64, decision: usize) -> Self {
        Self { seed, stream: Stream::named(seed, "random agent", decision as u32) }
    }
}

impl Agent for Random {
    fn begin(&mut self, decision: usize) {
        *self = Self::from_decision(self.seed, decision);
    }

    fn looks_ahead(&self, _seat: Option<Seat>) -> bool {
        false
    }

    fn choose(&mut self, game: &Observation<'_>) -> Vec<usize> {
        let decision = game.decision();
        let mut chosen = Vec::new();
        let count = (decision.options.len(), decision.min, decision.max);
        choose_at_random(count, decision.by_clock, &mut self.stream, &mut chosen);
        chosen
    }
}

impl Answerer for Random {
    fn begin(&mut self, _table: &mut Table) {
        *self = Self::new(self.seed);
    }

    fn answer(&mut self, _table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        let count = (question.options.len(), question.min, question.max);
        choose_at_random(count, question.by_clock, &mut self.stream, chosen);
        Ok(())
    }
}
