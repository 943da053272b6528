//! Several agents at one table, each for its own seats.

use crate::agent::AgentKind;
use crate::playthrough::observation::{Agent, Observation};

/// Answers for every seat as the agent there would. Each is told where the game stands before it answers, so that what
/// it chooses does not depend on when it was called.
pub struct Company {
    /// For each seat who answers there.
    agents: Vec<Box<dyn Agent>>,
}

impl Company {
    /// Agents for the seats in their order; there is one at least.
    pub fn new(seed: u64, kinds: &[&'static AgentKind]) -> Self {
        Self { agents: kinds.iter().map(|kind| (kind.new)(seed)).collect() }
    }
}

impl Agent for Company {
    fn choose(&mut self, game: &Observation<'_>) -> Vec<usize> {
        let seat = game.decision().seat.map_or(0, |seat| seat.number() - 1);
        let seat = if seat < self.agents.len() { seat } else { 0 };
        let Some(agent) = self.agents.get_mut(seat) else { return Vec::new() };
        agent.begin(game.decisions_before());
        agent.choose(game)
    }
}
