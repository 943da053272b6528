//! One game of a plan, played to its end and watched on its way.

use super::course::{Course, GameRecord};
use super::coverage::{Coverage, FunctionCoverage, Purpose, StepCounts};
use super::measures::{Column, Pace, columns};
use super::occurrences::Occurrences;
use super::order::order_of_play;
use crate::agent::{AgentSpec, Random, SeatedAgents};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::playthrough::determinize::World;
use crate::playthrough::driver::{self, AnsweredBy, Players};
use crate::playthrough::hidden_choices::HiddenChoices;
use crate::playthrough::log::LogEntry;
use crate::playthrough::observation::Agent;
use crate::playthrough::run::Until;
use crate::playthrough::{Playable, Playthrough};
use crate::ruleset::Role;
use crate::script::appraisal::Appraiser;
use crate::script::layering::FunctionInfo;
use crate::script::machine::counts::RunHook;
use crate::script::rules::{Rules, Run};
use crate::script::{End, Start};
use crate::table::chance::Stream;
use crate::table::counts::FirstTimes;
use crate::table::decision::{Answers, Halt, Question};
use crate::table::value::{Seat, Seats};
use crate::table::{Recording, Table};
use std::sync::Arc;

/// Most decisions in a game of a plan, unless it says otherwise.
pub const MOST_DECISIONS: u64 = 100_000;

/// What is played thousands of times: game `n`, from 0, has the seed [`seed`](Self::seed)` + n`.
#[derive(Clone)]
pub struct Plan {
    /// The rules, for the number of seats.
    pub loaded: Playable,
    /// Who plays each seat.
    pub agents: Vec<AgentSpec>,
    /// The seed of the first game.
    pub seed: u64,
    /// How long players are thought to think.
    pub pace: Pace,
    /// A game with more decisions is endless.
    pub most_decisions: u64,
    /// What a game of a campaign begins with that is not the first: see [`behind`](Self::behind).
    kept: Option<LogEntry>,
    /// Where the games begin, if not with the rules.
    from: Option<Arc<StartingPosition>>,
    /// By its number what each function is called in figures, where it runs while a game is played.
    functions: Arc<[Option<String>]>,
}

/// A game in play from which many others go on, each with its own chance.
struct StartingPosition {
    run: Run,
    /// What was chosen before that somebody may not know.
    past: HiddenChoices,
    /// The observing seat: what it cannot know is resampled for every game.
    seat: Option<Seat>,
    /// Where choices are among that, games that are the same to the seat.
    worlds: Vec<World>,
}

/// Games from a position in which somebody has chosen in secret begin with one of so many.
const MOST_WORLDS: usize = 128;

/// How a game came to its end.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// As the rules want it.
    Finished,
    /// The rules failed.
    Failed(Diagnostics),
    /// It had more decisions or changes than a game may have.
    Endless(Diagnostics),
}

/// One game that was played.
#[derive(Debug)]
pub struct Game {
    pub seed: u64,
    /// How it came to its end.
    pub ending: Ending,
    /// What it gives for each [column](Plan::columns), in parts of the scale of the measure; nothing at all where it did
    /// not come to its end.
    pub values: Vec<Option<i64>>,
    /// For each place in the order of play the seat that has it, from 0; nothing where the game did not come to its end.
    pub order: Vec<u8>,
    /// What the rules measured themselves, by name: the sum of the game.
    pub metrics: Vec<(String, i64)>,
}

/// What a hand has to watch games with, one after the other.
#[derive(Default)]
pub struct GameTracker {
    /// What happened, and how often.
    pub occurrences: Occurrences,
    /// Who stands how.
    appraiser: Appraiser,
    /// The same in points.
    points: Vec<i64>,
}

impl GameTracker {
    /// The game that was played last counts.
    pub fn end_game(&mut self) {
        self.occurrences.end_game();
    }
}

impl Plan {
    /// A plan in which everybody plays at random.
    pub fn new(loaded: Playable, agents: Vec<AgentSpec>, seed: u64) -> Self {
        let functions = names_of_functions(&loaded.rules).into();
        Self {
            loaded,
            agents,
            seed,
            pace: Pace::default(),
            most_decisions: MOST_DECISIONS,
            kept: None,
            from: None,
            functions,
        }
    }

    /// The same games, but each goes on from a game before it in a campaign, as this entry says, which stands first in
    /// the log of each.
    pub fn behind(self, kept: Option<LogEntry>) -> Self {
        Self { kept, ..self }
    }

    /// The same plan for another thread: see [`Rules::unshared`].
    pub fn unshared(&self) -> Self {
        let rules = Arc::new(self.loaded.rules.unshared());
        Self { loaded: Playable { rules, ..self.loaded.clone() }, ..self.clone() }
    }

    /// What each game begins with that was kept from the one before it.
    pub fn kept(&self) -> Option<&LogEntry> {
        self.kept.as_ref()
    }

    /// The same from an open run on, with the choices before it that somebody may not know: what chance gives from there
    /// is another in each game, and so is what `seat` does not know, where it is somebody's.
    ///
    /// # Errors
    /// Nobody can say what others may have chosen in secret.
    pub fn going_on(self, run: &Run, past: HiddenChoices, seat: Option<Seat>) -> Result<Self, Diagnostics> {
        let rules = &self.loaded.rules;
        let mut worlds = Vec::new();
        if let Some(seat) = seat
            && let Some(found) = past.worlds_with_past(rules, run, seat)
        {
            worlds = found.several(rules, MOST_WORLDS, &mut Stream::named(self.seed, "secret choices", 0));
            rules.work().refuse_stopped()?;
            if worlds.is_empty() {
                let error = format!("{seat} cannot imagine what the others have chosen in secret");
                let help = "use `as all`, or go on to where the choices are known";
                return Err(Diagnostic::new(error).help(help).into());
            }
        }
        Ok(Self { from: Some(Arc::new(StartingPosition { run: run.clone(), past, seat, worlds })), ..self })
    }

    /// By its number what each function is called in figures, where it runs while a game is played.
    pub fn functions(&self) -> &[Option<String>] {
        &self.functions
    }

    /// How many seats there are.
    pub fn seats(&self) -> usize {
        self.loaded.layout.seats
    }

    /// The seats by their teams, from 0, where the rules have teams from the start that play against each other; else
    /// each seat by itself.
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

    /// What is measured of each game.
    pub fn columns(&self) -> Vec<Column> {
        columns(Seats::all(self.seats()))
    }

    /// Plays the game of a number, from 0, while a hook watches the rules; nothing where somebody stopped the work. It
    /// counts when somebody tells the tracker that it [does](GameTracker::end_game).
    pub fn play(
        &self,
        number: u64,
        columns: &[Column],
        hook: &mut dyn RunHook,
        lookout: &mut GameTracker,
    ) -> Option<Game> {
        let seed = self.seed.wrapping_add(number);
        let rules = &self.loaded.rules;
        // A short game is over before the rules look whether somebody wants them to stop.
        if rules.work().is_stopped() {
            return None;
        }
        let mut past = HiddenChoices::default();
        let mut run = match &self.from {
            None => rules.begin(&Start::Game, seed),
            Some(from) => {
                let mut stream = Stream::named(seed, "from a position", 0);
                let world = from.worlds.get(if from.worlds.is_empty() { 0 } else { stream.below(from.worlds.len()) });
                // What the seat does not know is another in those already.
                let seat = from.seat.filter(|_| world.is_none());
                let mut run = rules.taking_over(world.map_or(&from.run, |world| &world.run));
                run.table.imagine(seat, &mut stream);
                past.clone_from(world.map_or(&from.past, |world| &world.past));
                past.note_chance(&run.table.chance);
                run
            }
        };
        run.table.record(Recording::counted(lookout.occurrences.begin_game()));
        lookout.appraiser.begin_game();
        let game = self.play_on(&mut run, seed, past, columns, hook, lookout);
        lookout.occurrences.take_back(run.table.finish().and_then(Recording::into_counts));
        game
    }

    /// The game of a seed from where it begins.
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
        let mut watcher = Watcher {
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
        let Watcher { mut course, first_decisions, .. } = watcher;
        let values = match ending {
            Ending::Finished => {
                course.end(&run.table, rules.has_scores());
                columns.iter().map(|column| column.of(&course, self.pace)).collect()
            }
            _ => Vec::new(),
        };
        let order = match ending {
            Ending::Finished => {
                let turns = run.table.event_counts().map(|counts| &counts.first_turns);
                order_of_play(turns.unwrap_or(&FirstTimes::default()), &first_decisions, seats)
            }
            _ => Vec::new(),
        };
        let metrics = run.table.metrics().iter().map(|metric| {
            let sum = i64::try_from(metric.sum).unwrap_or(if metric.sum < 0 { i64::MIN } else { i64::MAX });
            (metric.name.to_string(), sum)
        });
        let metrics = metrics.collect();
        Some(Game { seed, ending, values, order, metrics })
    }

    /// The game of a seed as a playthrough, so far as it goes, or as so many decisions at most go.
    ///
    /// # Errors
    /// Somebody stopped the work.
    pub fn playthrough(&self, seed: u64, most_decisions: usize) -> Result<Playthrough, Diagnostics> {
        let (mut game, _) =
            Playthrough::start(self.loaded.clone(), self.seats(), seed, self.kept().cloned().into_iter().collect())?;
        game.advance(self.agent(seed), Until::Decisions(most_decisions))?;
        Ok(game)
    }

    /// Whoever plays all seats in the game of a seed.
    fn agent(&self, seed: u64) -> Box<dyn Agent> {
        if self.is_random() { Box::new(Random::new(seed)) } else { Box::new(SeatedAgents::new(seed, &self.agents)) }
    }

    fn is_random(&self) -> bool {
        self.agents.iter().all(AgentSpec::is_random)
    }
}

/// What each function is called in figures: `score(p)`, and of another layer than the game `double: score(p)`.
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

/// Answers for the seats, and notes what was asked.
struct Watcher<'a> {
    plan: &'a Plan,
    /// Answers for the seats where all choose at random.
    random: Random,
    /// Who sits in the seats otherwise.
    agents: Option<SeatedAgents>,
    course: GameRecord,
    /// The number of turns at which the standings were noted last.
    turns_noted: Option<usize>,
    /// The simultaneous choice that the last decision belonged to.
    together: Option<u32>,
    /// Seats by their first decisions that were not made at the same time as others.
    first_decisions: FirstTimes,
    lookout: &'a mut GameTracker,
}

impl Watcher<'_> {
    /// Notes who stands how, once for each turn.
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

impl Players for Watcher<'_> {
    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<AnsweredBy, Halt> {
        let most = self.plan.most_decisions;
        if table.decisions() as u64 > most {
            return Err(Halt::Limit(format!("more than {most} decisions in one game")));
        }
        match &mut self.agents {
            Some(agents) => agents.answer(table, question, chosen),
            None => self.random.answer(table, question, chosen).map(|()| AnsweredBy::Players),
        }
    }

    fn ask_agent(&mut self, rules: &Rules, run: &Run, past: &HiddenChoices) -> Option<Vec<usize>> {
        self.agents.as_mut().and_then(|agents| agents.ask_agent(rules, run, past))
    }

    fn answered(&mut self, table: &Table, question: &Question<'_>, chosen: &[usize]) {
        self.follow(table);
        self.note(table, question, chosen);
    }
}
