//! Several agents at one table, each for its own seats.

use crate::agent::{AgentSpec, Random};
use crate::playthrough::hidden_choices::HiddenChoices;
use crate::playthrough::observation::{Agent, Observation};
use crate::script::End;
use crate::script::rules::{Rules, Run};
use crate::table::Table;
use crate::table::decision::{Answers, Halt, Question};
use crate::table::value::Seat;

/// Answers for every seat as the agent there would. Each is told where the game stands before it answers, so that what
/// it chooses does not depend on when it was called.
pub struct SeatedAgents {
    seats: Vec<SeatedAgent>,
}

/// Who sits in a seat.
enum SeatedAgent {
    /// One who is asked without being shown the game.
    Random(Box<Random>),
    /// Any other.
    Agent(Box<dyn Agent>),
}

impl SeatedAgents {
    /// Agents for the seats in their order; there is one at least.
    pub fn new(seed: u64, agents: &[AgentSpec]) -> Self {
        let chair = |spec: &AgentSpec| match spec {
            AgentSpec::Random => SeatedAgent::Random(Box::new(Random::new(seed))),
            other => SeatedAgent::Agent(other.agent(seed)),
        };
        Self { seats: agents.iter().map(chair).collect() }
    }

    /// Plays a run to its end. Seats that choose at random cost what they cost where nobody else sits.
    pub fn play(&mut self, rules: &Rules, run: &mut Run) -> End {
        let mut past = HiddenChoices::default();
        let looks_ahead = self.seats.iter().any(|chair| matches!(chair, SeatedAgent::Agent(_)));
        let mut given = None;
        loop {
            let noted = looks_ahead.then_some(&mut past);
            let end = rules.go_on(run, &mut AtRandom { company: self, given: given.take(), past: noted });
            match end {
                End::Halted(Halt::Paused) => past.begin(run),
                End::Halted(Halt::Open) => {
                    let Some(open) = run.table.open().cloned() else { return end };
                    past.catch_up(rules, &run.table);
                    given = Some(self.choose(&Observation::new(rules, run, &open).after(&past)));
                    if rules.work().is_stopped() {
                        return End::Halted(Halt::Stopped);
                    }
                }
                end => return end,
            }
        }
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

/// Answers what was given, then for seats that choose at random, and leaves other decisions open.
struct AtRandom<'a> {
    company: &'a mut SeatedAgents,
    given: Option<Vec<usize>>,
    /// Where what is chosen is noted for those who look ahead.
    past: Option<&'a mut HiddenChoices>,
}

impl AtRandom<'_> {
    fn choose(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        if let Some(given) = self.given.take() {
            chosen.extend(given);
            return Ok(());
        }
        if let Some(position) = question.by_clock {
            chosen.push(position);
            return Ok(());
        }
        match self.company.chair(question.seat) {
            Some(SeatedAgent::Random(random)) => {
                // As where each decision is put to an agent.
                Agent::begin(&mut **random, table.decisions().saturating_sub(1));
                random.answer(table, question, chosen)
            }
            _ => Err(Halt::Open),
        }
    }
}

impl Answers for AtRandom<'_> {
    fn begin(&mut self, _table: &mut Table) {}

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        if self.past.as_mut().is_some_and(|past| past.wants_copy(table, question)) {
            return Err(Halt::Paused);
        }
        self.choose(table, question, chosen)?;
        if let Some(past) = &mut self.past {
            past.note(table, question, chosen);
        }
        Ok(())
    }

    fn intervene(&mut self, _table: &mut Table) {}
}
