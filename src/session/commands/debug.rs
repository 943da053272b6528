//! Commands of the script debugger: stepping forward and back through the rules that led to a decision.

use super::arguments::{ArgumentError, Extent, Optional, Shape, Signature, word};
use super::shapes::{MOVE, as_typed, components, number, seats, variables, zones};
use super::{Availability, Candidate, Command, Flow, USUAL};
use crate::catalogue::{message, said, say};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::inspect::debugger::{Breakpoint, Debugger, Places, Target};
use crate::inspect::pattern::kinds;
use crate::screen;
use crate::screen::style::{self, Label, Line};
use crate::script::paused::{Expression, InspectionResult};
use crate::session::Session;

/// Breakpoints can be set inside and outside the debugger.
const BREAKPOINTS: Command =
    Command { group: "Debugging scripts", works: Availability::Always, tells_all: true, ..USUAL };

/// Commands that only work while the rules are stopped.
const INSIDE: Command = Command { group: "In the debugger", works: Availability::InDebugger, tells_all: true, ..USUAL };

/// A target of a breakpoint: a line, a function or an event.
pub(super) const PLACE: Shape<Target> = Shape {
    name: "WHERE",
    what: "a line, a function or an event",
    lead: "",
    extent: Extent::Phrase,
    read: |session, text| {
        let here = session.debugger.as_ref().and_then(|debugger| Some(debugger.call()?.1.site.at));
        Ok(session.places().target(text, here)?)
    },
    complete: |session, before| targets(session, before.words),
};

/// The condition of a breakpoint.
pub(super) const CONDITION: Shape<String> = Shape {
    name: "CONDITION",
    what: "a condition, such as `if p1.score > 3`",
    lead: "if",
    extent: Extent::Expression,
    read: |session, text| {
        Expression::check_condition(session.places().rules(), text)?;
        as_typed(session, text)
    },
    complete: |session, _| session.analysis().roots(),
};

/// The number of a breakpoint.
const BREAKPOINT: Shape<usize> = Shape {
    name: "N",
    what: "a breakpoint",
    lead: "",
    extent: Extent::Word,
    read: |session, text| {
        let wanted = text.parse().map_err(|_| ArgumentError::Other)?;
        let is_there = session.breakpoints.iter().any(|point| point.number == wanted);
        let none = || Diagnostic::new(message!("there is no breakpoint {wanted}")).help("`break` lists them");
        Ok(is_there.then_some(wanted).ok_or_else(none)?)
    },
    complete: |session, _| {
        let points = session.breakpoints.iter();
        points.map(|point| Candidate::new(point.number.to_string(), point.target.to_string())).collect()
    },
};

const STATEMENTS: Shape<usize> = number("N", "a whole number of statements");

const CALLS: Shape<usize> = number("N", "a whole number of calls");

pub(super) const DEBUG: Command = Command {
    name: "debug",
    about: "step through the script that led to this decision",
    help: "It starts at the first statement after the previous choice. `debug 17` shows what ran just before move 17, \
           and continues from there through the moves that were made. All commands for looking show the table at the \
           current statement, and `eval` knows its names. Nothing in the debugger changes the game; `done` leaves it.",
    examples: &["debug", "debug 1"],
    signatures: &[&Signature((Optional(MOVE),), |session, (entries,)| {
        let entries = entries.unwrap_or_else(|| session.playthrough.timeline().cursor());
        let places = session.places();
        let debugger = Debugger::enter(places, &session.playthrough, entries)?;
        session.debugger = Some(debugger);
        session.stopped = None;
        let mut lines = shown(session);
        lines.push(Line::faint(said(
            "`step` `next` `out` `continue` go on, `back` and `rewind` go back, `done` leaves",
        )));
        Ok(Flow::Show(lines))
    })],
    ..BREAKPOINTS
};

pub(super) const BREAK: Command = Command {
    name: "break",
    about: "stop at a line, a function or an event; or list breakpoints",
    help: "The rules stop in the debugger. A choice, `auto` and `until` also stop there: the debugger then shows the \
           next statement, `continue` resumes, and `done` shows the result.\n\n\
           WHERE is a line (`31` of the script at hand, `double:12` of a layer, `rules.rhai:31` of a file), a \
           function (`score`, `score@double` in one layer) or an event: `award p1`, `set p1.score`, `move 33`, `turn \
           p2`, `shuffle`, `roll`, `choice`, `phase`, `round`, `lot`, `side`, `owner`, `reveal`, `show`, `note`. You \
           can name components and zones as they are drawn. For an event, the debugger stops at the statement that \
           causes it. If a name is both a function and an event, it means the function; write `event turn` for the \
           event. CONDITION is an expression of the rules' language, with the names known at that statement; the \
           rules stop only if it is true.",
    examples: &["break", "break award p1", "break set p1.score if players.len > 2"],
    signatures: &[
        &Signature((), |session, ()| Ok(Flow::Show(listed(session)))),
        &Signature((PLACE, Optional(CONDITION)), |session, (target, condition)| {
            let places = session.places();
            Ok(Flow::Show(added(session, &places, target, condition)))
        }),
    ],
    ..BREAKPOINTS
};

pub(super) const DELETE: Command = Command {
    name: "delete",
    about: "delete a breakpoint or a watched expression",
    examples: &["delete all"],
    signatures: &[
        &Signature((BREAKPOINT,), |session, (number,)| {
            let gone = session.breakpoints.iter().position(|point| point.number == number);
            let gone = gone.map(|found| session.breakpoints.remove(found));
            let gone = gone.map_or(String::new(), |Breakpoint { target, condition, .. }| match condition {
                Some(condition) => format!("{target} if {condition}"),
                None => target.to_string(),
            });
            Ok(Flow::Show(vec![Line::plain(say!("breakpoint {number} is gone: {gone}"))]))
        }),
        &Signature((word("all", "every breakpoint"),), |session, _| {
            session.breakpoints.clear();
            Ok(Flow::Show(vec![Line::plain(said("no breakpoints are left"))]))
        }),
    ],
    ..BREAKPOINTS
};

/// Adds an expression whose changes stop the debugger: `watch EXPRESSION`.
pub(super) fn watch_expression(session: &mut Session, expression: &str) -> Result<Flow, Diagnostics> {
    session.needs_everything("`watch EXPRESSION`")?;
    let places = session.places();
    Expression::check(places.rules(), expression)?;
    // A local name of one function is unknown in others.
    let seen = match &session.debugger {
        Some(debugger) => debugger.see(expression)?,
        None => {
            let here = session.playthrough.timeline().cursor();
            let mut debugger = Debugger::enter(places.clone(), &session.playthrough, here)?;
            // Run to the open decision at the end; this fails if the debugger is there already.
            let _ = debugger.resume(&[]);
            debugger.see(expression)?
        }
    };
    let now = match seen {
        InspectionResult::Value(value, _) => say!("now {value}"),
        InspectionResult::Unknown(why) => say!("not here: {}", why.first().message),
        InspectionResult::Fails(why) | InspectionResult::Endless(why) => {
            let why = why.first().clone();
            let message = message!("`{expression}` cannot be watched: {}", why.message);
            return Err(Diagnostic { message, ..why }.into());
        }
        InspectionResult::Changes => {
            return Err(Diagnostic::new(message!("`{expression}` changes the table"))
                .help("a watched expression cannot change anything")
                .into());
        }
    };
    let target = Target::Change(expression.to_owned());
    let lines = added(session, &places, target, None).into_iter();
    Ok(Flow::Show(
        lines.map(|line| line.with(format!("{}{now}", said(", ")), Label::Plain).cut(session.width)).collect(),
    ))
}

pub(super) const STEP: Command = Command {
    name: "step",
    aliases: &["s"],
    about: "go one statement forward, into functions",
    examples: &["step", "step 3"],
    steps: true,
    signatures: &[&Signature((Optional(STATEMENTS),), |session, (count,)| {
        go(session, |debugger, _| debugger.step(count.unwrap_or(1) as u64))
    })],
    ..INSIDE
};

pub(super) const NEXT: Command = Command {
    name: "next",
    aliases: &["n"],
    about: "go to the next statement here, or to a breakpoint on the way",
    examples: &["next"],
    steps: true,
    signatures: &[&Signature((), |session, ()| go(session, Debugger::over))],
    ..INSIDE
};

pub(super) const OUT: Command = Command {
    name: "out",
    about: "go on until this function returns, or to a breakpoint on the way",
    examples: &["out"],
    steps: true,
    signatures: &[&Signature((), |session, ()| go(session, Debugger::out))],
    ..INSIDE
};

pub(super) const CONTINUE: Command = Command {
    name: "continue",
    aliases: &["c"],
    about: "go on to the next breakpoint, through the moves that were made",
    help: "Without a breakpoint on the way, it goes on to the current decision of the game. If a breakpoint has \
           stopped a choice, `auto` or `until`, it then leaves the debugger and shows the result.",
    examples: &["continue"],
    steps: true,
    signatures: &[&Signature((), |session, ()| {
        let is_at_end =
            |session: &Session| session.debugger.as_ref().is_some_and(|debugger| debugger.stop().reason.is_end());
        let was_stopped = session.stopped.is_some();
        if was_stopped && is_at_end(session) {
            return Ok(left(session));
        }
        let flow = go(session, Debugger::resume)?;
        Ok(if was_stopped && is_at_end(session) { left(session) } else { flow })
    })],
    ..INSIDE
};

pub(super) const BACK: Command = Command {
    name: "back",
    about: "go one statement back; `back over` goes over calls",
    help: "Going back does not change the game: the same moves are replayed and stopped earlier.",
    examples: &["back", "back over"],
    steps: true,
    signatures: &[
        &Signature((Optional(STATEMENTS),), |session, (count,)| {
            go(session, |debugger, _| debugger.back(count.unwrap_or(1) as u64))
        }),
        &Signature((word("over", "to the previous statement of this function"),), |session, _| {
            go(session, |debugger, _| debugger.back_over())
        }),
    ],
    ..INSIDE
};

pub(super) const REWIND: Command = Command {
    name: "rewind",
    aliases: &["rw"],
    about: "go back to the last breakpoint, the previous choice, or the start",
    help: "A watched expression counts as a breakpoint: `watch p1.score`, then `rewind`, shows what changed the score \
           last.",
    examples: &["rewind"],
    steps: true,
    signatures: &[&Signature((), |session, ()| go(session, Debugger::rewind))],
    ..INSIDE
};

/// Runs forward, or back, to a temporary breakpoint.
pub(super) fn until(
    session: &mut Session,
    is_back: bool,
    target: Target,
    condition: Option<String>,
) -> Result<Flow, Diagnostics> {
    let once = Breakpoint { number: 0, target, condition };
    go(session, move |debugger, _| debugger.until(once, is_back))
}

pub(super) const UP: Command = Command {
    name: "up",
    about: "look at the caller of this call",
    help: "`locals`, `eval` and `where` then refer to it, and `stack` marks it. `step` and `back` still start at the \
           innermost call.",
    examples: &["up"],
    steps: true,
    signatures: &[&Signature((Optional(CALLS),), |session, (count,)| {
        go(session, |debugger, _| debugger.look(count.unwrap_or(1), true))
    })],
    ..INSIDE
};

pub(super) const DOWN: Command = Command {
    name: "down",
    about: "look at the call that was made from here",
    examples: &["down"],
    steps: true,
    signatures: &[&Signature((Optional(CALLS),), |session, (count,)| {
        go(session, |debugger, _| debugger.look(count.unwrap_or(1), false))
    })],
    ..INSIDE
};

pub(super) const LOCALS: Command = Command {
    name: "locals",
    about: "show the names known at this statement, with their values",
    examples: &["locals"],
    signatures: &[&Signature((), |session, ()| {
        let scene = session.scene();
        Ok(Flow::Show(session.debugger.as_ref().map(|debugger| screen::locals(&scene, debugger)).unwrap_or_default()))
    })],
    ..INSIDE
};

pub(super) const STACK: Command = Command {
    name: "stack",
    aliases: &["bt"],
    about: "show the calls that led here, each with its layer and names",
    examples: &["stack"],
    signatures: &[&Signature((), |session, ()| {
        let scene = session.scene();
        Ok(Flow::Show(session.debugger.as_ref().map(|debugger| screen::stack(&scene, debugger)).unwrap_or_default()))
    })],
    ..INSIDE
};

pub(super) const WHERE: Command = Command {
    name: "where",
    about: "show the current statement again, with the source around it",
    examples: &["where"],
    signatures: &[&Signature((), |session, ()| Ok(Flow::Show(shown(session))))],
    ..INSIDE
};

pub(super) const DONE: Command = Command {
    name: "done",
    about: "leave the debugger; the game does not change",
    help: "If a breakpoint has stopped a choice, `auto` or `until`, that is carried out.",
    examples: &["done"],
    tells_all: false,
    signatures: &[&Signature((), |session, ()| Ok(left(session)))],
    ..INSIDE
};

/// Leaves the debugger, and shows what happened since a breakpoint opened it.
fn left(session: &mut Session) -> Flow {
    session.debugger = None;
    Flow::Show(match session.stopped.take() {
        Some(events) => super::play::output_since(session, events),
        None => session.look(),
    })
}

/// The output after moves, from `entries` of the log and `events` events on: the debugger at the first breakpoint met,
/// or else what happened.
pub(in crate::session) fn after_moves(
    session: &mut Session,
    (entries, events): (usize, usize),
    happened: impl FnOnce(&Session) -> Vec<Line>,
) -> Vec<Line> {
    let may_stop = !session.breakpoints.is_empty() && session.allows(&DEBUG).is_ok() && !session.work().is_stopped();
    if !may_stop {
        return happened(session);
    }
    let scan = |points: &[Breakpoint]| Debugger::scan_log(session.places(), &session.playthrough, entries, points);
    let mut lines = Vec::new();
    let found = scan(&session.breakpoints).or_else(|_| {
        // Those that cannot be used are told, and the others count all the same.
        let mut others = session.breakpoints.clone();
        others.retain(|point| match scan(std::slice::from_ref(point)) {
            Ok(_) => true,
            // Interrupted, it says nothing of the breakpoint.
            Err(_) if session.work().is_stopped() => true,
            Err(error) => {
                let told = error.map(Diagnostic::as_warning).render_within(false, Some(session.width));
                lines.extend(told.lines().map(Line::plain));
                false
            }
        });
        scan(&others)
    });
    match found {
        Ok(Some(debugger)) => {
            session.debugger = Some(debugger);
            session.stopped = Some(events);
            lines.extend(shown(session));
            let to = session.playthrough.timeline().cursor() + 1;
            let words = say!("stopped on the way to move {to}: `continue` goes on, `done` shows the result");
            lines.extend(Line::faint(words).broken(session.width));
            lines
        }
        // A run that was stopped is told by what happened.
        Ok(None) | Err(_) => {
            lines.extend(happened(session));
            lines
        }
    }
}

/// Evaluates an expression at the debugger's stop.
pub(super) fn evaluate(session: &Session, debugger: &Debugger, expression: &str) -> Result<Flow, Diagnostics> {
    let line = match debugger.see(expression)? {
        InspectionResult::Value(value, _) => Line::plain(value),
        InspectionResult::Unknown(why) | InspectionResult::Fails(why) | InspectionResult::Endless(why) => {
            return Err(why);
        }
        InspectionResult::Changes => {
            return Err(Diagnostic::new("this changes the table")
                .help("in the debugger, `eval` cannot change anything; leave it with `done` to try changes out")
                .into());
        }
    };
    Ok(Flow::Show(vec![line.cut(session.width)]))
}

/// Moves the debugger, and shows its new stop.
fn go(
    session: &mut Session,
    act: impl FnOnce(&mut Debugger, &[Breakpoint]) -> Result<(), Diagnostics>,
) -> Result<Flow, Diagnostics> {
    let breakpoints = session.breakpoints.clone();
    let Some(debugger) = &mut session.debugger else {
        return Err(Diagnostic::new("the debugger is not open").help("`debug` opens it").into());
    };
    act(debugger, &breakpoints)?;
    Ok(Flow::Show(shown(session)))
}

fn shown(session: &Session) -> Vec<Line> {
    session.debugger.as_ref().map(|debugger| screen::stop(&session.scene(), debugger)).unwrap_or_default()
}

fn added(session: &mut Session, places: &Places, target: Target, condition: Option<String>) -> Vec<Line> {
    let number = session.breakpoints.iter().map(|point| point.number).max().unwrap_or(0) + 1;
    let point = Breakpoint { number, target, condition };
    let lines = in_words(&point, places, session.width);
    session.breakpoints.push(point);
    lines
}

/// A breakpoint in words, with its current place.
fn in_words(point: &Breakpoint, places: &Places, width: usize) -> Vec<Line> {
    let mut words = say!("breakpoint {}: {}", point.number, point.target);
    if let Some(condition) = &point.condition {
        words.push_str(&format!(" if {condition}"));
    }
    if !places.has(&point.target) {
        words.push_str(said("  (not in these rules any more)"));
    }
    let place = |site: &usize| {
        let at = places.sites().get(*site)?.at;
        let layer = format!("  {}", places.ruleset().layer_in_words(at)?.told());
        let place = places.ruleset().file_line(at)?;
        let room = width.saturating_sub(4 + style::width(&layer));
        Some(Line::of_blanks(4).with(style::ending(&place, room), Label::Plain).with(layer, Label::Faint))
    };
    let sites = places.sites_of(&point.target);
    let lines = std::iter::once(Line::plain(words)).chain(sites.iter().filter_map(place));
    lines.map(|line| line.cut(width)).collect()
}

fn listed(session: &mut Session) -> Vec<Line> {
    if session.breakpoints.is_empty() {
        return vec![Line::plain(said("no breakpoints are set; `help break` explains how"))];
    }
    let places = session.places();
    session.breakpoints.iter().flat_map(|point| in_words(point, &places, session.width)).collect()
}

/// The completions for a place, behind the words `before`.
fn targets(session: &Session, before: &str) -> Vec<Candidate> {
    if !before.is_empty() {
        let variables = variables(session).into_iter().chain(zones(session));
        return seats(session).chain(variables).chain(components(session)).collect();
    }
    let functions = session.playthrough.loaded().functions.iter().map(|function| {
        Candidate::new(function.name.clone(), format!("{}({})", function.name, function.parameters.join(", ")))
    });
    let mut found: Vec<Candidate> = kinds().map(|kind| Candidate::new(kind.name, said(kind.about))).collect();
    found.extend(functions);
    found.dedup_by(|one, other| one.text == other.text);
    found
}
