//! Commands that play thousands of games from the current position.

use super::arguments::{Extent, Flag, Optional, Shape, Signature, flag, word};
use super::compare::SETTING;
use super::rules::{compared_with, set_in, without_variant};
use super::seat::agents;
use super::{Command, Flow, rules};
use crate::agent::AgentSpec;
use crate::catalogue::{message, said, say};
use crate::definition::Language;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::lab::compare::{CompareReport, Contest, Side};
use crate::lab::play::Plan;
use crate::lab::report::SimReport;
use crate::lab::shard::PlanFacts;
use crate::lab::simulate::{Continuation, simulate};
use crate::lab::tally::Tally;
use crate::playthrough::Playable;
use crate::playthrough::hidden_choices::HiddenChoices;
use crate::ruleset::Selection;
use crate::screen::plot::page::{Block, Page, Section};
use crate::screen::{self, style::Line};
use crate::script::rules::Run;
use crate::session::jobs::Product;
use crate::session::{Session, in_lines};
use crate::table::value::Seat;
use crate::work::{Clock, Work, Workers, interrupted, parse_duration};
use std::sync::Arc;
use std::time::Duration;

/// The default number of games.
const GAMES: u64 = 1_000;

/// Most games: a person at a prompt waits for minutes, not for hours.
const MAX_GAMES_PER_SIMULATION: u64 = 1_000_000;

/// A number of games.
const COUNT: Shape<u64> = Shape {
    name: "GAMES",
    what: "a number of games",
    lead: "",
    extent: Extent::Word,
    read: |_, text| match text.parse() {
        Ok(games @ 1..=MAX_GAMES_PER_SIMULATION) => Ok(games),
        _ => Err(Diagnostic::new(message!("`{text}` is not a number of games"))
            .help(message!("write a number from 1 to {MAX_GAMES_PER_SIMULATION}, such as `sim 1000`"))
            .into()),
    },
    complete: |_, _| Vec::new(),
};

/// An agent that gives the same figures on every computer.
const AGENT: Shape<AgentSpec> = Shape {
    name: "AGENT",
    what: "an agent",
    lead: "",
    extent: Extent::Word,
    read: |_, text| Ok(AgentSpec::parse(text, None)?),
    complete: |_, _| agents().collect(),
};

/// The time limit for playing games.
const TIME: Shape<Duration> = Shape {
    name: "TIME",
    what: "a time",
    lead: "for",
    extent: Extent::Word,
    read: |_, text| {
        parse_duration(text).map_err(|why| Diagnostic::new(message!("`{text}` is not a time")).help(why).into())
    },
    complete: |_, _| Vec::new(),
};

/// Whether to run in the background.
const BACKGROUND: Flag = flag("&", "in the background");

pub(super) const SIM: Command = Command {
    name: "sim",
    about: "play on from here a thousand times, and report the results",
    help: "Your game does not change. Each simulated game has different randomness from here on, and redraws what you \
           cannot see if you look as one player. Everybody plays at random, or as the agent that you name. Every \
           figure comes with a 95 % interval. Ctrl-C stops it with the games so far; `for 60s` or `for 10m` behind the \
           number of games does so when the time is up. With `&` at the end, it runs in the background: the figures are \
           the same, and appear above the prompt when they are ready. `houserule sim` does the same for whole games, \
           with more options.",
    examples: &["sim", "sim 200", "sim 20 greedy", "sim 200 for 60s", "sim 200 &"],
    signatures: &[&Signature(
        (Optional(COUNT), Optional(AGENT), Optional(TIME), BACKGROUND),
        |session, (games, agent, time, in_background)| {
            let of = SimulationRequest { games: games.unwrap_or(GAMES), agent, time };
            let line = of.line("sim");
            play(session, in_background, line, of, |session, work| {
                let (loaded, run) = here(session, work)?;
                Ok(vec![of.plan(session, loaded, run)?])
            })
        },
    )],
    ..super::look::LOOKING
};

pub(super) const COMPARE: Command = Command {
    name: "compare",
    about: "play on from here under both rules, and report the differences",
    help: "It replays the moves so far under the other rules. From here on, it plays both a thousand times with \
           the same randomness, at random or by the agent that you name. You see which differences are more than \
           chance, and which are not. Ctrl-C stops it with the games so far; `for 60s` or `for 10m` behind the \
           number of games does so when the time is up. With `&` at the end, it runs in the background. `houserule \
           compare` does the same for whole games, and for many rulesets.",
    examples: &[
        "compare with my-rule.toml",
        "compare without double",
        "compare set double.bonus=4 200",
        "compare without double 200 &",
    ],
    tells_all: true,
    is_for_designing: true,
    signatures: &[
        &Signature(
            (
                word("with", "a variant added"),
                rules::OTHER_VARIANT,
                Optional(COUNT),
                Optional(AGENT),
                Optional(TIME),
                BACKGROUND,
            ),
            |session, ((), variant, games, agent, time, in_background)| {
                let selection = compared_with(session, &variant, "compare")?;
                let of = SimulationRequest { games: games.unwrap_or(GAMES), agent, time };
                compare(session, &format!("with {variant}"), &selection, of, in_background)
            },
        ),
        &Signature(
            (
                word("without", "a variant removed"),
                rules::VARIANT_IN_PLAY,
                Optional(COUNT),
                Optional(AGENT),
                Optional(TIME),
                BACKGROUND,
            ),
            |session, ((), variant, games, agent, time, in_background)| {
                let selection = without_variant(session, &variant)?;
                let of = SimulationRequest { games: games.unwrap_or(GAMES), agent, time };
                compare(session, &format!("without {variant}"), &selection, of, in_background)
            },
        ),
        &Signature(
            (
                word("set", "a setting or a number of the rulebook with another value"),
                SETTING,
                Optional(COUNT),
                Optional(AGENT),
                Optional(TIME),
                BACKGROUND,
            ),
            |session, ((), given, games, agent, time, in_background)| {
                let mut selection = session.playthrough.loaded().ruleset.selection.clone();
                let line = format!("set {given}");
                set_in(&mut selection, given);
                let of = SimulationRequest { games: games.unwrap_or(GAMES), agent, time };
                compare(session, &line, &selection, of, in_background)
            },
        ),
    ],
    ..super::look::LOOKING
};

pub(super) const JOBS: Command = Command {
    name: "jobs",
    about: "list background simulations and their progress",
    help: "`sim 10000 &` and `compare without double &` run in the background, one at a time. Their figures do not \
           depend on what you do meanwhile: they use the position and the rules from when you started them. `wait` \
           waits for them, `stop` ends them with the games so far. While others are at the table, `hint`, `analyze`, \
           `test` and `check` run in the background too.",
    examples: &["jobs"],
    signatures: &[&Signature((), |session, ()| Ok(Flow::Show(session.jobs())))],
    ..super::look::LOOKING
};

pub(super) const STOP: Command = Command {
    name: "stop",
    about: "stop the background simulation, and show its figures so far",
    examples: &["stop"],
    signatures: &[&Signature((), |session, ()| session.figures_of_job(true).map(Flow::Page))],
    ..super::look::LOOKING
};

pub(super) const WAIT: Command = Command {
    name: "wait",
    about: "wait for the background simulations, and show their figures",
    help: "Ctrl-C ends the waiting; the simulation continues. A script waits at its end automatically. While others are at \
           the table, it shows the progress, and the figures appear when they are ready.",
    examples: &["wait"],
    signatures: &[&Signature((), |session, ()| match session.running_job() {
        // Remote players should not have to wait.
        Some(_) if session.has_faces() => Ok(Flow::Show(session.jobs())),
        _ => session.figures_of_job(false).map(Flow::Page),
    })],
    ..super::look::LOOKING
};

/// The games to play: their number, agent and time limit.
#[derive(Clone, Copy)]
struct SimulationRequest {
    games: u64,
    agent: Option<AgentSpec>,
    time: Option<Duration>,
}

impl SimulationRequest {
    /// The equivalent line of a background job.
    fn line(&self, before: &str) -> String {
        let agent = self.agent.map_or_else(String::new, |agent| format!(" {agent}"));
        let time = self.time.map_or_else(String::new, |time| format!(" for {}s", time.as_secs()));
        format!("{before} {}{agent}{time} &", self.games)
    }

    /// A plan of games that continue a run, with the same agent at every seat.
    fn plan(
        &self,
        session: &Session,
        loaded: Playable,
        (run, past): (Run, HiddenChoices),
    ) -> Result<Plan, Diagnostics> {
        let seats = loaded.layout.seats;
        let agent = self.agent.unwrap_or(AgentSpec::Random);
        let viewer: Option<Seat> = session.viewer.seat();
        Plan::new(loaded, vec![agent; seats], session.playthrough.seed).going_on(&run, past, viewer)
    }
}

/// Games from a position: under one ruleset, or side by side under two, the plainer first.
struct Task {
    plans: Vec<Plan>,
    games: u64,
    /// The time limit, with the clock that measures it.
    time: Option<(Clock, Duration)>,
    /// The starting position, in words.
    from: String,
}

/// The figures of a finished task.
pub(in crate::session) struct Figures {
    of: JobFigures,
    from: String,
    /// Errors in the agents' functions of the rules.
    faults: Vec<Diagnostic>,
}

enum JobFigures {
    One(Box<(SimReport, Tally)>),
    Two(Box<(CompareReport, Vec<Side>)>),
}

impl Task {
    /// Plays the games and computes their figures.
    ///
    /// # Errors
    /// The work was stopped before the first game ended.
    fn play(self, workers: &dyn Workers) -> Result<Figures, Diagnostics> {
        let Self { plans, games, time, from } = self;
        let Some(work) = plans.first().map(|plan| plan.loaded.rules.work().clone()) else {
            return Err(interrupted().into());
        };
        work.count_parts(0, usize::try_from(games).unwrap_or(usize::MAX));
        if let Some((clock, time)) = time {
            work.end_after(clock, time);
        }
        let rules: Vec<_> = plans.iter().map(|plan| plan.loaded.rules.clone()).collect();
        let facts: Vec<PlanFacts> = plans.iter().map(|plan| PlanFacts::of(plan, games)).collect();
        let of = if let ([plan], [facts]) = (plans.as_slice(), facts.as_slice()) {
            let tally = simulate(workers, plan, 0..games, false, |_, _| Continuation::GoOn);
            let is_out_of_time = work.was_out_of_time();
            if tally.games == 0 {
                return Err(interrupted().into());
            }
            let mut report = SimReport::of(facts.clone(), &tally);
            report.is_out_of_time = is_out_of_time;
            // Calls before the position are not counted, so no function can be said to be never called.
            report.functions.clear();
            // From one position, an advantage cannot be attributed to the seat or the turn order.
            report.seat_spread = None;
            report.order = None;
            JobFigures::One(Box::new((report, tally)))
        } else {
            let sides = Contest { plans }.play(workers, 0..games, |_| Continuation::GoOn);
            let is_out_of_time = work.was_out_of_time();
            let ([base_facts, other_facts], [base, other]) = (&facts[..], &sides[..]) else {
                return Err(interrupted().into());
            };
            if base.tally.games == 0 {
                return Err(interrupted().into());
            }
            let (base, other) = ((base_facts.clone(), base), (other_facts.clone(), other));
            let mut report = CompareReport::of(base, other);
            report.base.is_out_of_time = is_out_of_time;
            report.other.is_out_of_time = is_out_of_time;
            JobFigures::Two(Box::new((report, sides)))
        };
        let mut faults: Vec<Diagnostic> = Vec::new();
        for fault in rules.iter().flat_map(|rules| rules.take_faults()) {
            if !faults.contains(&fault) {
                faults.push(fault);
            }
        }
        Ok(Figures { of, from, faults })
    }
}

impl Figures {
    /// The figures as lines.
    pub(in crate::session) fn lines(&self, width: usize, language: Language) -> Vec<Line> {
        let figures = match &self.of {
            JobFigures::One(one) => screen::simulation(&one.0, width, language),
            JobFigures::Two(two) => screen::rulesets_compared(&two.0, width),
        };
        let faults = in_lines(&self.faults, width);
        std::iter::once(Line::faint(self.from.clone())).chain(figures).chain(faults).collect()
    }

    /// The figures as a page of plots and tables.
    pub(in crate::session) fn page(&self, language: Language) -> Page {
        let mut page = match &self.of {
            JobFigures::One(one) => screen::simulation_page(&one.0, &one.1, language),
            JobFigures::Two(two) => match two.1.as_slice() {
                [base, other] => screen::comparison_page(&two.0, [base, other]),
                _ => Page::default(),
            },
        };
        page.lead.clone_from(&self.from);
        let faults = self.faults.iter().map(|fault| Block::Warning(fault.message.told().into_owned()));
        let faults: Vec<Block> = faults.collect();
        if !faults.is_empty() {
            page.sections.push(Section { title: said("What went wrong").to_owned(), blocks: faults });
        }
        page
    }
}

/// Plays games from the position, at once or in the background. A background job compiles its own copy of the rules, so
/// that it can be stopped separately.
fn play(
    session: &mut Session,
    in_background: bool,
    line: String,
    of: SimulationRequest,
    plans: impl FnOnce(&Session, Option<&Arc<Work>>) -> Result<Vec<Plan>, Diagnostics>,
) -> Result<Flow, Diagnostics> {
    // Remote players should not have to wait for figures.
    let in_background = in_background || session.has_faces();
    if in_background {
        session.can_begin_a_job()?;
    }
    let work = in_background.then(Arc::<Work>::default);
    let plans = plans(session, work.as_ref())?;
    let entries = session.playthrough.timeline().cursor();
    let from = match entries {
        0 => said("from here, with this deal").to_owned(),
        _ => say!("from here, at move {}", entries + 1),
    };
    let clock = |time| match session.surroundings.clock() {
        Some(clock) => Ok((clock, time)),
        None => {
            let none = Diagnostic::new("there is no clock here").help("say how many games: `sim 1000`");
            Err(Diagnostics::from(none))
        }
    };
    let task = Task { plans, games: of.games, time: of.time.map(clock).transpose()?, from };
    match work {
        None => Ok(Flow::Page(task.play(session.surroundings.workers())?.lines(session.width, session.language))),
        Some(work) => {
            let task =
                move |workers: &dyn Workers| task.play(workers).map(|figures| Product::Figures(Box::new(figures)));
            session.begin_job(line, Box::new(task), work).map(Flow::Show)
        }
    }
}

/// The rules compiled for a separate work handle, where one is given.
fn wired(loaded: &Playable, work: Option<&Arc<Work>>) -> Result<Playable, Diagnostics> {
    match work {
        None => Ok(loaded.clone()),
        Some(work) => Playable::compile(loaded.ruleset.clone(), loaded.layout.seats, work.clone()),
    }
}

/// The rules in play, with the run at the open decision and the choices made before that some player may not know.
fn here(session: &Session, work: Option<&Arc<Work>>) -> Result<(Playable, (Run, HiddenChoices)), Diagnostics> {
    let is_open = session.playthrough.position().open.is_some();
    let loaded = session.playthrough.loaded();
    let run = session.playthrough.track().run().filter(|_| is_open);
    let Some(run) = run else {
        return Err(Diagnostic::new("no decision is open, so nothing can be played on")
            .help("`undo` goes back to one")
            .into());
    };
    if work.is_none() {
        return Ok((loaded.clone(), (run.clone(), session.playthrough.past())));
    }
    let loaded = wired(loaded, work)?;
    let followed = loaded.follow(session.playthrough.seed, session.playthrough.timeline().log())?;
    let run = followed.run().cloned().ok_or_else(interrupted)?;
    Ok((loaded, (run, followed.past())))
}

fn compare(
    session: &mut Session,
    how: &str,
    selection: &Selection,
    of: SimulationRequest,
    in_background: bool,
) -> Result<Flow, Diagnostics> {
    let line = of.line(&format!("compare {how}"));
    play(session, in_background, line, of, |session, work| {
        let (loaded, run) = here(session, work)?;
        let base = of.plan(session, loaded, run)?;
        let loaded = session.load_rules(selection)?;
        let loaded = wired(&loaded, work)?;
        // The plainer rules come first, so that a plus is what the others add.
        let is_plainer = loaded.ruleset.selection.is_part_of(&session.playthrough.loaded().ruleset.selection);
        let followed = loaded.follow(session.playthrough.seed, session.playthrough.timeline().log())?;
        if let Some(misfit) = &followed.misfit {
            let message = message!("move {} does not fit under the other rules: {}", misfit.number, misfit.reason);
            return Err(Diagnostic::new(message)
                .help(message!("`goto {}` goes to where both continue", misfit.number))
                .into());
        }
        let Some(run) = followed.run().filter(|_| followed.position.open.is_some()).cloned() else {
            return Err(Diagnostic::new("under the other rules no decision is open here")
                .help("`undo` goes back to one")
                .into());
        };
        let other = of.plan(session, loaded, (run, followed.past()))?;
        Ok(if is_plainer { vec![other, base] } else { vec![base, other] })
    })
}
