//! Several agents at one table, each for its own seats.

use crate::agent::{AgentSpec, Random};
use crate::playthrough::observation::{Agent, Observation};
use crate::script::End;
use crate::script::rules::{Rules, Run};
use crate::table::Table;
use crate::table::decision::{Answers, Halt, Question};
use crate::table::value::Seat;

/// Answers for every seat as the agent there would. Each is told where the game stands before it answers, so that what
/// it chooses does not depend on when it was called.
pub struct Company {
    seats: Vec<Chair>,
}

/// Who sits in a seat.
enum Chair {
    /// One who is asked without being shown the game.
    Random(Box<Random>),
    /// Any other.
    Agent(Box<dyn Agent>),
}

impl Company {
    /// Agents for the seats in their order; there is one at least.
    pub fn new(seed: u64, agents: &[AgentSpec]) -> Self {
        let chair = |spec: &AgentSpec| match spec {
            AgentSpec::Random => Chair::Random(Box::new(Random::new(seed))),
            other => Chair::Agent(other.agent(seed)),
        };
        Self { seats: agents.iter().map(chair).collect() }
    }

    /// Plays a run to its end. Seats that choose at random cost what they cost where nobody else sits.
    pub fn play(&mut self, rules: &Rules, run: &mut Run) -> End {
        loop {
            let end = rules.go_on(run, &mut AtRandom { company: self, given: None });
            let (End::Halted(Halt::Open), Some(open)) = (&end, run.table.open().cloned()) else { return end };
            let chosen = self.choose(&Observation::new(rules, run, &open));
            if rules.work().is_stopped() {
                return End::Halted(Halt::Stopped);
            }
            let end = rules.go_on(run, &mut AtRandom { company: self, given: Some(chosen) });
            if end != End::Halted(Halt::Open) || run.table.open().is_none() {
                return end;
            }
        }
    }

    fn chair(&mut self, seat: Option<Seat>) -> Option<&mut Chair> {
        let number = seat.map_or(0, Seat::index);
        let number = if number < self.seats.len() { number } else { 0 };
        self.seats.get_mut(number)
    }
}

impl Agent for Company {
    fn choose(&mut self, game: &Observation<'_>) -> Vec<usize> {
        let agent: &mut dyn Agent = match self.chair(game.decision().seat) {
            Some(Chair::Random(random)) => &mut **random,
            Some(Chair::Agent(agent)) => &mut **agent,
            None => return Vec::new(),
        };
        agent.begin(game.decisions_before());
        agent.choose(game)
    }
}

/// Answers what was given, then for seats that choose at random, and leaves other decisions open.
struct AtRandom<'a> {
    company: &'a mut Company,
    given: Option<Vec<usize>>,
}

impl Answers for AtRandom<'_> {
    fn begin(&mut self, _table: &mut Table) {}

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        if let Some(given) = self.given.take() {
            chosen.extend(given);
            return Ok(());
        }
        if let Some(position) = question.by_clock {
            chosen.push(position);
            return Ok(());
        }
        match self.company.chair(question.seat) {
            Some(Chair::Random(random)) => {
                // As where each decision is put to an agent.
                Agent::begin(&mut **random, table.decisions().saturating_sub(1));
                random.answer(table, question, chosen)
            }
            _ => Err(Halt::Open),
        }
    }

    fn intervene(&mut self, _table: &mut Table) {}
}
