//! Plays one game of a plan and records it.

use super::course::{Course, GameRecord};
use super::coverage::{Coverage, FunctionCoverage, Purpose, StepCounts};
use super::measures::{Column, Pace, columns};
use super::occurrences::Occurrences;
use super::order::order_of_play;
use crate::agent::{AgentSpec, Random, SeatedAgents};
use crate::diagnostic::{Diagnostic, Diagnostics, message};
use crate::playthrough::determinize::SampledGame;
use crate::playthrough::driver::{self, DecidedBy, Players};
use crate::playthrough::hidden_choices::HiddenChoices;
use crate::playthrough::log::LogEntry;
use crate::playthrough::observation::Agent;
use crate::playthrough::run::Until;
use crate::playthrough::{Playable, Playthrough};
use crate::ruleset::Role;
use crate::script::appraisal::Appraiser;
use crate::script::functions::FunctionInfo;
use crate::script::machine::counts::RunHook;
use crate::script::rules::{Rules, Run};
use crate::script::{End, Start};
use crate::table::chance::Stream;
use crate::table::counts::FirstTimes;
use crate::table::decision::{Answerer, Halt, Question};
use crate::table::value::{Seat, Seats};
use crate::table::{Recording, Table};
use std::sync::Arc;

/// The default limit of decisions in a game.
pub const DEFAULT_MAX_DECISIONS: u64 = 100_000;

/// What to simulate: game number `n`, from 0, has the seed [`seed`](Self::seed)` + n`.
#[derive(Clone)]
pub struct Plan {
    /// The rules, compiled for the number of seats.
    pub loaded: Playable,
    /// The agent of each seat.
    pub agents: Vec<AgentSpec>,
    /// The seed of the first game.
    pub seed: u64,
    /// The assumed thinking times.
    pub pace: Pace,
    /// The number of decisions beyond which a game counts as endless.
    pub most_decisions: u64,
    /// The first log entry of games in a campaign that are not the first; see [`behind`](Self::behind).
    kept: Option<LogEntry>,
    /// The starting position, if not the beginning of the rules.
    from: Option<Arc<StartingPosition>>,
    /// The name of each function in reports, by its index; `None` for functions that do not run in play.
    functions: Arc<[Option<String>]>,
}

/// A position from which many games continue, each with its own random numbers.
struct StartingPosition {
    run: Run,
    /// The hidden choices made before.
    past: HiddenChoices,
    /// The observing seat; what it cannot know is resampled for every game.
    seat: Option<Seat>,
    /// Samples of the hidden choices, if the seat does not know all choices.
    worlds: Vec<SampledGame>,
}

/// The most samples of a position with hidden choices; each game continues from one of them.
const MAX_SAMPLED_POSITIONS: usize = 128;

/// How a game ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// By the rules.
    Finished,
    /// The rules failed.
    Failed(Diagnostics),
    /// The game exceeded the limit of decisions or changes.
    Endless(Diagnostics),
}

/// A game that was played.
#[derive(Debug)]
pub struct Game {
    pub seed: u64,
    /// How the game ended.
    pub ending: Ending,
    /// The value of each [column](Plan::columns) in units of 1/scale of its measure; empty where the game did not
    /// finish.
    pub values: Vec<Option<i64>>,
    /// The seat, from 0, at each place in the order of play; empty where the game did not finish.
    pub order: Vec<u8>,
    /// The metrics that the rules recorded: name, and sum over the game.
    pub metrics: Vec<(String, i64)>,
}

/// Reusable state for observing games, one after the other.
#[derive(Default)]
pub struct GameTracker {
    /// Counts of what happened.
    pub occurrences: Occurrences,
    /// Evaluates the rules' functions for standings.
    appraiser: Appraiser,
    /// A buffer for the standings in points.
    points: Vec<i64>,
    /// The last game, from which the next one takes over what it remembers of calls.
    last: Option<Run>,
}

impl Plan {
    /// Creates a plan with default limits, starting at the beginning of the rules.
    pub fn new(loaded: Playable, agents: Vec<AgentSpec>, seed: u64) -> Self {
        let functions = names_of_functions(&loaded.rules).into();
        Self {
            loaded,
            agents,
            seed,
            pace: Pace::default(),
            most_decisions: DEFAULT_MAX_DECISIONS,
            kept: None,
            from: None,
            functions,
        }
    }

    /// The plan with each game continuing an earlier one of a campaign; the entry comes first in the log of each.
    pub fn behind(self, kept: Option<LogEntry>) -> Self {
        Self { kept, ..self }
    }

    /// A copy of the plan for another thread: see [`Rules::unshared`].
    pub fn unshared(&self) -> Self {
        let rules = Arc::new(self.loaded.rules.unshared());
        Self { loaded: Playable { rules, ..self.loaded.clone() }, ..self.clone() }
    }

    /// The first log entry of each game in a campaign.
    pub fn kept(&self) -> Option<&LogEntry> {
        self.kept.as_ref()
    }

    /// The plan continued from an open run, given the hidden choices before it. Each game has its own random numbers
    /// from there on, and its own sample of what `seat` does not know, if given.
    ///
    /// # Errors
    /// No consistent sample of hidden choices was found.
    pub fn going_on(self, run: &Run, past: HiddenChoices, seat: Option<Seat>) -> Result<Self, Diagnostics> {
        let rules = &self.loaded.rules;
        let mut worlds = Vec::new();
        if let Some(seat) = seat
            && let Some(found) = past.worlds_with_past(rules, run, seat)
        {
            worlds = found.several(rules, MAX_SAMPLED_POSITIONS, &mut Stream::named(self.seed, "secret choices", 0));
            rules.work().check_stopped()?;
            if worlds.is_empty() {
                let error = message!("{seat} cannot imagine what the others have chosen in secret");
                let help = "use `as all`, or go on to where the choices are known";
                return Err(Diagnostic::new(error).help(help).into());
            }
        }
        Ok(Self { from: Some(Arc::new(StartingPosition { run: run.clone(), past, seat, worlds })), ..self })
    }

    /// The name of each function in reports, by its index; `None` for functions that do not run in play.
    pub fn functions(&self) -> &[Option<String>] {
        &self.functions
    }

    /// The number of seats.
    pub fn seats(&self) -> usize {
        self.loaded.layout.seats
    }

    /// The seats of each team, from 0, if the rules have teams from the start that compete; else each seat by itself.
    pub fn teams(&self) -> Vec<Vec<usize>> {
        let seats = self.seats();
        let team_of = |seat: usize| self.loaded.layout.teams.get(seat).map_or(seat, |team| usize::from(*team));
        let mut teams: Vec<Vec<usize>> = Vec::new();
        for seat in 0..seats {
            let known =
                teams.iter_mut().find(|team| team.first().is_some_and(|first| team_of(*first) == team_of(seat)));
            match known {
                Some(team) => team.push(seat),
                None => teams.push(vec![seat]),
            }
        }
        if teams.len() > 1 { teams } else { (0..seats).map(|seat| vec![seat]).collect() }
    }

    /// The columns measured in each game.
    pub fn columns(&self) -> Vec<Column> {
        columns(Seats::all(self.seats()))
    }

    /// Plays game number `number`, from 0, with a hook that observes the rules; `None` where the work was stopped. The
    /// tracker counts the game only after [`end_game`](Occurrences::end_game).
    pub fn play(
        &self,
        number: u64,
        columns: &[Column],
        hook: &mut dyn RunHook,
        lookout: &mut GameTracker,
    ) -> Option<Game> {
        let seed = self.seed.wrapping_add(number);
        let rules = &self.loaded.rules;
        // Short games end before the rules check for a stop.
        if rules.work().is_stopped() {
            return None;
        }
        let mut past = HiddenChoices::default();
        let mut run = match &self.from {
            None => rules.begin(&Start::Game, seed),
            Some(from) => {
                let mut stream = Stream::named(seed, "from a position", 0);
                let world = from.worlds.get(if from.worlds.is_empty() { 0 } else { stream.below(from.worlds.len()) });
                // In a sample, hidden information is resampled already.
                let seat = from.seat.filter(|_| world.is_none());
                let mut run = rules.adopt_run(world.map_or(&from.run, |world| &world.run));
                run.table.imagine(seat, &mut stream);
                past.clone_from(world.map_or(&from.past, |world| &world.past));
                past.note_chance(&run.table.chance);
                run
            }
        };
        run.table.record(Recording::with_counts(lookout.occurrences.begin_game()));
        lookout.last.take().iter_mut().for_each(|last| run.take_cache_of(last));
        let game = self.play_on(&mut run, seed, past, columns, hook, lookout);
        lookout.occurrences.take_back(run.table.finish().and_then(Recording::into_counts));
        lookout.last = Some(run);
        game
    }

    /// Plays a game from its starting point to the end.
    fn play_on(
        &self,
        run: &mut Run,
        seed: u64,
        past: HiddenChoices,
        columns: &[Column],
        hook: &mut dyn RunHook,
        lookout: &mut GameTracker,
    ) -> Option<Game> {
        let (rules, seats) = (&self.loaded.rules, self.seats());
        let begun = self.kept().filter(|_| self.from.is_none()).map_or(Ok(()), |kept| kept.intervene(&mut run.table));
        if let Err(reason) = begun {
            let ending = Ending::Failed(Diagnostic::new(reason).into());
            return Some(Game { seed, ending, values: Vec::new(), order: Vec::new(), metrics: Vec::new() });
        }
        let mut watcher = GameRecorder {
            plan: self,
            random: Random::new(seed),
            agents: (!self.is_random()).then(|| SeatedAgents::new(seed, &self.agents)),
            course: GameRecord { decisions_of: vec![0; seats], standings: Course::new(seats), ..GameRecord::default() },
            turns_noted: None,
            together: None,
            first_decisions: FirstTimes::default(),
            lookout,
        };
        let past = (!self.is_random()).then_some(past);
        let end = driver::play(rules, run, &mut watcher, past, Some(hook));
        let ending = match end {
            End::Finished => Ending::Finished,
            End::Failed(why) => Ending::Failed(why),
            End::Endless(why) => Ending::Endless(why),
            End::Halted(_) => return None,
        };
        let GameRecorder { mut course, first_decisions, .. } = watcher;
        let (mut values, mut order) = (Vec::new(), Vec::new());
        if ending == Ending::Finished {
            course.end(&run.table, rules.has_scores());
            values = columns.iter().map(|column| column.of(&course, self.pace)).collect();
            let turns = run.table.event_counts().map(|counts| &counts.first_turns);
            order = order_of_play(turns.unwrap_or(&FirstTimes::default()), &first_decisions, seats);
        }
        let metrics = run.table.metrics().iter().map(|metric| {
            let sum = i64::try_from(metric.sum).unwrap_or(if metric.sum < 0 { i64::MIN } else { i64::MAX });
            (metric.name.to_string(), sum)
        });
        let metrics = metrics.collect();
        Some(Game { seed, ending, values, order, metrics })
    }

    /// The game of a seed as a playthrough, with at most `most_decisions` decisions.
    ///
    /// # Errors
    /// The work was stopped.
    pub fn playthrough(&self, seed: u64, most_decisions: usize) -> Result<Playthrough, Diagnostics> {
        let (mut game, _) =
            Playthrough::start(self.loaded.clone(), self.seats(), seed, self.kept().cloned().into_iter().collect())?;
        let agent: Box<dyn Agent> = match self.is_random() {
            true => Box::new(Random::new(seed)),
            false => Box::new(SeatedAgents::new(seed, &self.agents)),
        };
        game.advance(agent, Until::Decisions(most_decisions))?;
        Ok(game)
    }

    fn is_random(&self) -> bool {
        self.agents.iter().all(AgentSpec::is_random)
    }
}

/// The name of each function in reports: `score(p)`, with the layer unless that is the game: `double: score(p)`.
fn names_of_functions(rules: &Rules) -> Vec<Option<String>> {
    let ruleset = rules.ruleset();
    let known = Coverage::of(rules, &StepCounts::new(rules));
    let name = |function: &FunctionInfo| {
        let script = ruleset.scripts.get(function.script)?;
        let is_meant =
            |known: &&FunctionCoverage| known.name == function.name && known.parameters == function.parameters.len();
        let layer = known.scripts.iter().find(|known| known.layer == script.id)?;
        let covered = layer.functions.iter().find(is_meant)?;
        let usage = format!("{}({})", function.name, function.parameters.join(", "));
        (covered.purpose == Purpose::Play).then(|| match script.role {
            Role::Game => usage,
            _ => format!("{}: {usage}", script.id),
        })
    };
    rules.functions().iter().map(name).collect()
}

/// Answers for the seats, and records the game.
struct GameRecorder<'a> {
    plan: &'a Plan,
    /// Answers for all seats where all choose at random.
    random: Random,
    /// The agents, where not all choose at random.
    agents: Option<SeatedAgents>,
    course: GameRecord,
    /// The number of turns when standings were last noted.
    turns_noted: Option<usize>,
    /// The simultaneous choice that the last decision belonged to.
    together: Option<u32>,
    /// Seats in the order of their first decisions that were not simultaneous.
    first_decisions: FirstTimes,
    lookout: &'a mut GameTracker,
}

impl GameRecorder<'_> {
    /// Notes the standings, once for each turn.
    fn follow(&mut self, table: &Table) {
        let standings = &mut self.course.standings;
        let turns = table.turns();
        if turns > 0 && self.turns_noted == Some(turns) {
            return;
        }
        self.turns_noted = Some(turns);
        if !standings.wants_next() {
            return standings.skip();
        }
        let GameTracker { appraiser, points, .. } = &mut *self.lookout;
        match self.plan.loaded.rules.standings(table, appraiser, points) {
            true => standings.note(self.course.decisions, points),
            false => standings.skip(),
        }
    }

    fn note(&mut self, table: &Table, question: &Question<'_>, chosen: &[usize]) {
        let Some(seat) = question.seat else { return };
        let course = &mut self.course;
        let options = question.options.len() as u64;
        let is_forced = question.min == question.max && (question.max == 0 || question.max as u64 == options);
        course.decisions += 1;
        course.options += options;
        if let Some(count) = course.decisions_of.get_mut(seat.index()) {
            *count += 1;
        }
        if is_forced {
            course.forced += 1;
        } else {
            course.free_options += options;
            course.thoughts += u64::from(table.together().is_none() || table.together() != self.together);
        }
        self.together = table.together();
        if self.together.is_none() {
            self.first_decisions.note(seat);
        }
        self.lookout.occurrences.note(question, chosen);
    }
}

impl Players for GameRecorder<'_> {
    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<DecidedBy, Halt> {
        let most = self.plan.most_decisions;
        if table.decisions() as u64 > most {
            return Err(Halt::Limit(message!("more than {most} decisions in one game")));
        }
        match &mut self.agents {
            Some(agents) => agents.answer(table, question, chosen),
            None => self.random.answer(table, question, chosen).map(|()| DecidedBy::Players),
        }
    }

    fn ask_agent(
        &mut self,
        rules: &Rules,
        run: &Run,
        past: &HiddenChoices,
        appraiser: &mut Appraiser,
    ) -> Option<Vec<usize>> {
        self.agents.as_mut().and_then(|agents| agents.ask_agent(rules, run, past, appraiser))
    }

    fn answered(&mut self, table: &Table, question: &Question<'_>, chosen: &[usize]) {
        self.follow(table);
        self.note(table, question, chosen);
    }
}
