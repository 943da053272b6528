//! Thousands of games from the position in play.

use super::arguments::{Extent, Optional, Shape, Signature, word};
use super::rules::{GOES_ON, laid_on, set_in, taken_off};
use super::seat::agents;
use super::compare::SETTING;
use super::{Command, Flow, advice, rules};
use crate::agent::AgentSpec;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::host::hands::AllCores;
use crate::lab::compare::{CompareReport, Contest};
use crate::lab::part::PlanFacts;
use crate::lab::play::Plan;
use crate::lab::report::SimReport;
use crate::lab::simulate::{Wish, simulate};
use crate::playthrough::Playable;
use crate::playthrough::past::Past;
use crate::repl::Session;
use crate::ruleset::Selection;
use crate::screen::{self, style::Line};
use crate::script::rules::Run;
use crate::table::value::Seat;

/// How many games, where nobody says.
const GAMES: u64 = 1_000;

/// Most games: who waits at a prompt waits for minutes, not for hours.
const MOST_GAMES: u64 = 1_000_000;

/// A number of games.
const COUNT: Shape<u64> = Shape {
    name: "GAMES",
    what: "a number of games",
    lead: "",
    extent: Extent::Word,
    read: |_, text| match text.parse() {
        Ok(games @ 1..=MOST_GAMES) => Ok(games),
        _ => Err(Diagnostic::new(format!("`{text}` is not a number of games"))
            .help(format!("write a number from 1 to {MOST_GAMES}, such as `sim 1000`"))
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

pub(super) const SIM: Command = Command {
    name: "sim",
    about: "play on from here a thousand times, and tell what comes of it",
    help: "The game stands where it stands. Each time chance is another from here on, and so is what you cannot see if you \
           look as one player; everybody plays at random, or as the agent that you name. Every figure comes with a 95 % \
           interval. Ctrl-C stops it with the games so far. `houserule sim` does the same for whole games, with more to \
           choose.",
    examples: &["sim", "sim 200", "sim 20 greedy"],
    signatures: &[&Signature((Optional(COUNT), Optional(AGENT)), |session, (games, agent)| {
        let plan = plan_here(session, session.playthrough.loaded().clone(), open_run(session)?, agent)?;
        let games = games.unwrap_or(GAMES);
        session.work().count_parts(0, usize::try_from(games).unwrap_or(usize::MAX));
        let tally = simulate(&AllCores, &plan, 0..games, false, |_, _| Wish::GoOn);
        if tally.games == 0 {
            return Err(crate::work::interrupted().into());
        }
        let mut report = SimReport::of(PlanFacts::of(&plan, games), &tally);
        // What was called before shows nowhere here, so nothing can be said to be never called.
        report.functions.clear();
        // Who does well from one position does not do so because of the seat.
        report.seat_spread = None;
        let mut lines = told(session, screen::simulation(&report, session.width));
        lines.extend(advice::faults(session));
        Ok(Flow::Page(lines))
    })],
    ..super::look::LOOKING
};

pub(super) const COMPARE: Command = Command {
    name: "compare",
    about: "play on from here under other rules too, and tell what is different",
    help: "The moves up to here are run again under the other rules. From there on both are played a thousand times with the \
           same chance, at random or by the agent that you name. You see what is shown to be different, and what is not. \
           Ctrl-C stops it with the games so far. `houserule compare` does the same for whole games, and for many rules.",
    examples: &["compare with my-rule.toml", "compare without double", "compare set double.bonus=4 200"],
    tells_all: true,
    is_for_designing: true,
    signatures: &[
        &Signature(
            (word("with", "a variant laid on"), rules::OTHER_VARIANT, Optional(COUNT), Optional(AGENT)),
            |session, ((), variant, games, agent)| {
                let selection = laid_on(session, &variant);
                compare(session, &selection, games, agent)
            },
        ),
        &Signature(
            (word("without", "a variant taken off"), rules::VARIANT_IN_PLAY, Optional(COUNT), Optional(AGENT)),
            |session, ((), variant, games, agent)| {
                let selection = taken_off(session, &variant)?;
                compare(session, &selection, games, agent)
            },
        ),
        &Signature(
            (word("set", "a setting or a number of the rulebook with another value"), SETTING, Optional(COUNT), Optional(AGENT)),
            |session, ((), given, games, agent)| {
                let mut selection = session.playthrough.loaded().ruleset.selection.clone();
                set_in(&mut selection, given);
                compare(session, &selection, games, agent)
            },
        ),
    ],
    ..super::look::LOOKING
};

/// The run that waits for an answer, and what was chosen before that somebody may not know.
fn open_run(session: &Session) -> Result<(Run, Past), Diagnostics> {
    let is_open = session.playthrough.position().open.is_some();
    let run = session.playthrough.track().run().filter(|_| is_open);
    let here = run.map(|run| (run.clone(), session.playthrough.past()));
    here.ok_or_else(|| {
        Diagnostic::new("no decision is open, so nothing can be played on").help("`undo` goes back to one").into()
    })
}

/// Games from an open run on, with everybody played by one agent.
fn plan_here(
    session: &Session,
    loaded: Playable,
    (run, past): (Run, Past),
    agent: Option<AgentSpec>,
) -> Result<Plan, Diagnostics> {
    let seats = loaded.layout.seats;
    let agent = agent.unwrap_or(AgentSpec::Random);
    let viewer: Option<Seat> = session.viewer.seat();
    Plan::new(loaded, vec![agent; seats], session.playthrough.seed).going_on(&run, past, viewer)
}

fn compare(
    session: &mut Session,
    selection: &Selection,
    games: Option<u64>,
    agent: Option<AgentSpec>,
) -> Result<Flow, Diagnostics> {
    let base = plan_here(session, session.playthrough.loaded().clone(), open_run(session)?, agent)?;
    let loaded = session.load_rules(selection).map_err(|errors| errors.help(GOES_ON))?;
    // The plainer rules come first, so that a plus is what the others add.
    let is_plainer = loaded.ruleset.selection.is_part_of(&session.playthrough.loaded().ruleset.selection);
    let followed = loaded.follow(session.playthrough.seed, session.playthrough.timeline().log())?;
    if let Some(misfit) = &followed.misfit {
        let message = format!("move {} does not fit under the other rules: {}", misfit.number, misfit.reason);
        return Err(Diagnostic::new(message).help(format!("`goto {}` goes to where both go on", misfit.number)).into());
    }
    let Some(run) = followed.run().filter(|_| followed.position.open.is_some()).cloned() else {
        return Err(Diagnostic::new("under the other rules no decision is open here").help("`undo` goes back to one").into());
    };
    let other = plan_here(session, loaded, (run, followed.past()), agent)?;
    let games = games.unwrap_or(GAMES);
    let facts = [&base, &other].map(|plan| PlanFacts::of(plan, games));
    session.work().count_parts(0, usize::try_from(games).unwrap_or(usize::MAX));
    let (facts, plans) = if is_plainer {
        let [here, there] = facts;
        ([there, here], vec![other, base])
    } else {
        (facts, vec![base, other])
    };
    let sides = Contest { plans }.play(&AllCores, 0..games, |_| Wish::GoOn);
    let ([base_facts, facts], [base, other]) = (facts, &sides[..]) else {
        return Err(crate::work::interrupted().into());
    };
    if base.tally.games == 0 {
        return Err(crate::work::interrupted().into());
    }
    let report = CompareReport::of((base_facts, base), (facts, other));
    let mut lines = told(session, screen::rulesets_compared(&report, session.width));
    lines.extend(advice::faults(session));
    Ok(Flow::Page(lines))
}

/// Lines behind one that says where the games began.
fn told(session: &Session, lines: Vec<Line>) -> Vec<Line> {
    let entries = session.playthrough.timeline().cursor();
    let from = if entries == 0 { "from here, with this deal".to_owned() } else { format!("from here, behind move {entries}") };
    std::iter::once(Line::faint(from)).chain(lines).collect()
}
