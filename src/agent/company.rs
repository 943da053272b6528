//! Several agents at one table, each for its own seats.

use crate::agent::Kind;
use crate::playthrough::run::Agent;
use crate::table::Table;
use crate::table::decision::Question;

/// Answers for every seat as the agent there would. Each answer is made as if it were the agent's first, so that it
/// depends on the seed and on where the game stands, and not on when the agents were called.
#[derive(Debug)]
pub struct Company {
    seed: u64,
    /// For each seat who answers there.
    kinds: Vec<&'static Kind>,
}

impl Company {
    /// Agents for the seats in their order; there is one at least.
    pub fn new(seed: u64, kinds: Vec<&'static Kind>) -> Self {
        Self { seed, kinds }
    }
}

impl Agent for Company {
    fn choose(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) {
        // Who acts in real time is for the clock to say.
        if let Some(position) = question.by_clock {
            chosen.push(position);
            return;
        }
        let kind = question.seat.and_then(|seat| self.kinds.get(seat.index())).or(self.kinds.first());
        if let Some(kind) = kind {
            // The decision that is being asked has been counted.
            (kind.new)(self.seed, table.decisions().saturating_sub(1)).choose(table, question, chosen);
        }
    }
}
