//! Drives a run whose seats include agents: pauses it where an agent decides, shows the agent the game, and resumes
//! with the answer. Choices are noted on the way, so that an agent never knows what its seat was not told.

use crate::playthrough::hidden_choices::HiddenChoices;
use crate::playthrough::observation::{Agent, Observation};
use crate::script::End;
use crate::script::appraisal::Appraiser;
use crate::script::machine::counts::RunHook;
use crate::script::rules::{Rules, Run};
use crate::table::Table;
use crate::table::decision::{Answerer, Halt, Question};

/// Who answers a question of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecidedBy {
    /// The question has been answered.
    Players,
    /// The agent has to look at the game first.
    Agent,
}

/// The players of a run: some answer at once, others are agents that look at the game first.
pub trait Players {
    /// Puts the positions of the chosen options into `chosen`, or leaves the question to the agent.
    ///
    /// # Errors
    /// A [`Halt`] ends the run at this decision.
    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<DecidedBy, Halt>;

    /// The agent's choice at the open decision, as positions of options; see [`ask`].
    fn ask_agent(
        &mut self,
        rules: &Rules,
        run: &Run,
        past: &HiddenChoices,
        appraiser: &mut Appraiser,
    ) -> Option<Vec<usize>>;

    /// Called after each answer, whoever gave it.
    fn answered(&mut self, _table: &Table, _question: &Question<'_>, _chosen: &[usize]) {}
}

/// An agent's choice at the open decision of a run. `None` where nothing is open or the work was stopped, because a
/// stopped search depends on timing. The `appraiser` is one that has judged tables of the same rules, or none.
pub fn ask(
    agent: &mut dyn Agent,
    rules: &Rules,
    run: &Run,
    past: &HiddenChoices,
    appraiser: &mut Appraiser,
) -> Option<Vec<usize>> {
    let game = Observation::new(rules, run, run.table.open()?).after(past).appraised_by(std::mem::take(appraiser));
    let chosen = agent.choose(&game);
    *appraiser = game.into_appraiser();
    (!rules.work().is_stopped()).then_some(chosen)
}

/// Plays a run until the rules or the players end it. `past` holds the hidden choices made before; `None` where no
/// agent looks ahead, which saves the cost.
pub fn play(
    rules: &Rules,
    run: &mut Run,
    players: &mut impl Players,
    past: Option<HiddenChoices>,
    mut hook: Option<&mut dyn RunHook>,
) -> End {
    let mut driver = Driver { players, past, given: None, asks_agent: false };
    let mut appraiser = Appraiser::default();
    loop {
        let end = match &mut hook {
            Some(hook) => rules.resume_with_hook(run, &mut driver, &mut **hook),
            None => rules.resume(run, &mut driver),
        };
        match (&end, &mut driver.past) {
            (End::Halted(Halt::Paused), Some(past)) => past.begin(run),
            (End::Halted(Halt::Open), Some(past)) if std::mem::take(&mut driver.asks_agent) => {
                past.catch_up(rules, &run.table);
                match driver.players.ask_agent(rules, run, past, &mut appraiser) {
                    Some(chosen) => driver.given = Some(chosen),
                    None => return End::Halted(Halt::Stopped),
                }
            }
            _ => return end,
        }
    }
}

/// Answers a run on behalf of its players, and notes their choices.
struct Driver<'a, P> {
    players: &'a mut P,
    past: Option<HiddenChoices>,
    /// The agent's choice for the open decision.
    given: Option<Vec<usize>>,
    /// Whether the agent decides the open decision.
    asks_agent: bool,
}

impl<P: Players> Answerer for Driver<'_, P> {
    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        if self.past.as_mut().is_some_and(|past| past.needs_checkpoint(table, question)) {
            return Err(Halt::Paused);
        }
        match self.given.take() {
            Some(given) => chosen.extend(given),
            None => {
                if self.players.answer(table, question, chosen)? == DecidedBy::Agent {
                    self.asks_agent = true;
                    return Err(Halt::Open);
                }
            }
        }
        if let Some(past) = &mut self.past {
            past.note(table, question, chosen);
        }
        self.players.answered(table, question, chosen);
        Ok(())
    }
}
