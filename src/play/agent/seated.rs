//! Several agents at one table.

use crate::agent::{AgentSpec, Random};
use crate::playthrough::driver::{self, DecidedBy, Players};
use crate::playthrough::hidden_choices::HiddenChoices;
use crate::playthrough::observation::{Agent, Observation};
use crate::script::End;
use crate::script::appraisal::Appraiser;
use crate::script::rules::{Rules, Run};
use crate::table::Table;
use crate::table::decision::{Answerer, Halt, Question};
use crate::table::value::Seat;

/// Answers every seat's decisions with the agent seated there. Each agent is told how far the game is before it
/// answers, so its choice does not depend on when it was called.
pub struct SeatedAgents {
    seats: Vec<SeatedAgent>,
}

enum SeatedAgent {
    /// The random agent, which does not need to see the game.
    Random(Box<Random>),
    /// Any other agent.
    Agent(Box<dyn Agent>),
}

impl SeatedAgents {
    /// Seats agents in order; `agents` must not be empty.
    pub fn new(seed: u64, agents: &[AgentSpec]) -> Self {
        let chair = |spec: &AgentSpec| match spec {
            AgentSpec::Random => SeatedAgent::Random(Box::new(Random::new(seed))),
            other => SeatedAgent::Agent(other.agent(seed)),
        };
        Self { seats: agents.iter().map(chair).collect() }
    }

    /// Plays a run to its end. With random agents alone, hidden choices are not tracked, which saves time.
    pub fn play(&mut self, rules: &Rules, run: &mut Run) -> End {
        let looks_ahead = self.seats.iter().any(|chair| matches!(chair, SeatedAgent::Agent(_)));
        driver::play(rules, run, self, looks_ahead.then(HiddenChoices::default), None)
    }

    fn chair(&mut self, seat: Option<Seat>) -> Option<&mut SeatedAgent> {
        let number = seat.map_or(0, Seat::index);
        let number = if number < self.seats.len() { number } else { 0 };
        self.seats.get_mut(number)
    }
}

impl Agent for SeatedAgents {
    fn looks_ahead(&self, seat: Option<Seat>) -> bool {
        let number = seat.map_or(0, Seat::index);
        matches!(self.seats.get(number).or(self.seats.first()), Some(SeatedAgent::Agent(_)))
    }

    fn choose(&mut self, game: &Observation<'_>) -> Vec<usize> {
        let agent: &mut dyn Agent = match self.chair(game.decision().seat) {
            Some(SeatedAgent::Random(random)) => &mut **random,
            Some(SeatedAgent::Agent(agent)) => &mut **agent,
            None => return Vec::new(),
        };
        agent.begin(game.decisions_before());
        agent.choose(game)
    }
}

/// Random agents answer at once.
impl Players for SeatedAgents {
    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<DecidedBy, Halt> {
        if let Some(position) = question.by_clock {
            chosen.push(position);
            return Ok(DecidedBy::Players);
        }
        match self.chair(question.seat) {
            Some(SeatedAgent::Random(random)) => {
                // Reseeded for each decision, as where decisions are passed to an agent.
                Agent::begin(&mut **random, table.decisions().saturating_sub(1));
                random.answer(table, question, chosen)?;
                Ok(DecidedBy::Players)
            }
            Some(SeatedAgent::Agent(_)) => Ok(DecidedBy::Agent),
            None => Err(Halt::Open),
        }
    }

    fn ask_agent(
        &mut self,
        rules: &Rules,
        run: &Run,
        past: &HiddenChoices,
        appraiser: &mut Appraiser,
    ) -> Option<Vec<usize>> {
        driver::ask(self, rules, run, past, appraiser)
    }
}
