//! The script debugger: the rules that led to a decision, statement by statement, forwards and backwards.
//!
//! Nothing is kept of a run but where it was stopped: going on is running the log again and stopping later, going back
//! is running it again and stopping earlier. So both directions are the same small mechanism, nothing has to be undone,
//! and neither the log nor the game knows of it.

mod search;
mod target;

pub use target::{Breakpoint, Target, Watched};

use crate::diagnostic::Diagnostic;
use crate::playthrough::log::Entry;
use crate::playthrough::run::{Outcome, Request, Until, run};
use crate::playthrough::{Playthrough, Position, position};
use crate::script::stepping::{Frame, Local, Seen, Site, Stepper};
use crate::script::{End, Entry as Start};
use crate::table::Recording;
use crate::table::decision::Halt;
use crate::table::event::Event;
use search::{Goal, Search};
use std::cell::RefCell;
use std::rc::Rc;

/// Why the rules stand where they stand.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The person went there.
    Stepped,
    /// A breakpoint, by its number; with the event that it waited for.
    Breakpoint(usize, Option<Box<Event>>),
    /// The value of an expression changes here: number, expression, before, after.
    Changes(usize, String, String, String),
    /// There is nothing before.
    Beginning,
    /// The rules ask a player, and nobody has answered yet.
    Asks,
    /// The game is over.
    Over,
    /// The rules failed here.
    Failed,
}

/// A call that is going on.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The statement that it has come to.
    pub site: Site,
    /// The number of that statement in the run.
    pub step: u64,
    /// What is known there.
    pub locals: Vec<Local>,
}

/// Where the rules are stopped: before a statement, or at the end of the run.
#[derive(Clone, Debug)]
pub struct Stop {
    /// The number of the statement, from 1; beyond the last one at the end of the run.
    pub step: u64,
    /// Why here.
    pub reason: Reason,
    /// The calls that are going on, the outermost first.
    pub calls: Vec<Call>,
    /// The game as it stands there.
    pub position: Position,
}

/// The rules of a game in play, to be gone through statement by statement.
pub struct Debugger {
    watched: Watched,
    course: Course,
    /// The first statement of the stretch that was entered.
    beginning: u64,
    stop: Stop,
}

/// What is run again and again.
#[derive(Clone)]
struct Course {
    seed: u64,
    log: Vec<Entry>,
    /// Where the changes by hand in the log belong. A run that had to find out would pass the statements behind them
    /// without them.
    resolved: Vec<Option<u64>>,
}

impl Debugger {
    /// Enters the rules that ran right before a move (its number, as `history` counts), at their first statement after
    /// the choice before.
    ///
    /// # Errors
    /// The interpreter crashed.
    pub fn enter(watched: Watched, playthrough: &Playthrough, entries: usize) -> Result<Self, Diagnostic> {
        let log = playthrough.timeline().current().log.get(..entries).unwrap_or(playthrough.timeline().log()).to_vec();
        let choices = log.iter().filter(|entry| !entry.is_intervention()).count();
        let mut course = Course { seed: playthrough.seed, log, resolved: Vec::new() };
        if choices < course.log.len() {
            let request = course.request();
            course.resolved = watched.call(move |stepper| run(stepper, request).resolved)?;
        }
        let first = found(&watched, &course, Goal::AfterDecisions(choices))?;
        let beginning = first.step;
        Ok(Self { watched, course, beginning, stop: first })
    }

    /// The rules that are gone through.
    pub fn watched(&self) -> &Watched {
        &self.watched
    }

    /// Where they are stopped.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Goes so many statements on.
    ///
    /// # Errors
    /// This is the end of the run; the interpreter crashed.
    pub fn step(&mut self, count: u64) -> Result<(), Diagnostic> {
        self.refuse_at_end()?;
        self.go(Goal::Step(self.stop.step.saturating_add(count)))
    }

    /// Goes to the next statement of the same call, or of the one around it.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn over(&mut self) -> Result<(), Diagnostic> {
        self.refuse_at_end()?;
        self.go(Goal::Depth { after: self.stop.step, most: self.depth() })
    }

    /// Goes to where this call is left.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn out(&mut self) -> Result<(), Diagnostic> {
        self.refuse_at_end()?;
        self.go(Goal::Depth { after: self.stop.step, most: self.depth().saturating_sub(1) })
    }

    /// Goes so many statements back.
    ///
    /// # Errors
    /// This is the first statement of the game; the interpreter crashed.
    pub fn back(&mut self, count: u64) -> Result<(), Diagnostic> {
        self.refuse_at_start()?;
        self.go(Goal::Step(self.stop.step.saturating_sub(count).max(1)))
    }

    /// Goes back to the statement before of the same call, or of the one around it.
    ///
    /// # Errors
    /// As [`back`](Self::back).
    pub fn back_over(&mut self) -> Result<(), Diagnostic> {
        self.refuse_at_start()?;
        self.go(Goal::LastDepth { before: self.stop.step, most: self.depth() })
    }

    /// Goes on to the first of these breakpoints, or to the end of the run.
    ///
    /// # Errors
    /// As [`step`](Self::step); a condition or watched expression that cannot be used.
    pub fn resume(&mut self, breakpoints: &[Breakpoint]) -> Result<(), Diagnostic> {
        self.refuse_at_end()?;
        self.go(Goal::First { after: self.stop.step, breakpoints: breakpoints.to_vec() })
    }

    /// Goes back to the last of these breakpoints; where there is none, to the beginning of the stretch that was
    /// entered, and from there to the beginning of the game.
    ///
    /// # Errors
    /// As [`back`](Self::back); a condition or watched expression that cannot be used.
    pub fn rewind(&mut self, breakpoints: &[Breakpoint]) -> Result<(), Diagnostic> {
        self.refuse_at_start()?;
        let before = self.stop.step;
        if !breakpoints.is_empty() {
            let stop = self.found(Goal::Last { before, breakpoints: breakpoints.to_vec() })?;
            if stop.reason != Reason::Beginning {
                self.stop = stop;
                return Ok(());
            }
        }
        let to = if before > self.beginning { self.beginning } else { 1 };
        self.go(Goal::Step(to))?;
        self.stop.reason = Reason::Beginning;
        Ok(())
    }

    /// Goes on to a place, or back to it.
    ///
    /// # Errors
    /// It does not come, and the rules stand where they stood; as [`resume`](Self::resume) and [`rewind`](Self::rewind).
    pub fn until(&mut self, place: Breakpoint, is_back: bool) -> Result<(), Diagnostic> {
        if is_back {
            self.refuse_at_start()?;
        } else {
            self.refuse_at_end()?;
        }
        let (step, breakpoints) = (self.stop.step, vec![place]);
        let stop = self.found(match is_back {
            true => Goal::Last { before: step, breakpoints },
            false => Goal::First { after: step, breakpoints },
        })?;
        if matches!(stop.reason, Reason::Breakpoint(..) | Reason::Changes(..)) {
            self.stop = stop;
            return Ok(());
        }
        Err(match is_back {
            true => Diagnostic::new("that does not come before this statement"),
            false => Diagnostic::new("that does not come before the game stands still"),
        })
    }

    /// What an expression comes to here; what it would change is left out with the run that it was tried in.
    ///
    /// # Errors
    /// It does not parse; the interpreter crashed.
    pub fn see(&self, expression: &str) -> Result<Seen, Diagnostic> {
        see_at(&self.watched, &self.course, self.stop.step, expression)
    }

    fn go(&mut self, goal: Goal) -> Result<(), Diagnostic> {
        self.stop = self.found(goal)?;
        Ok(())
    }

    fn found(&self, goal: Goal) -> Result<Stop, Diagnostic> {
        found(&self.watched, &self.course, goal)
    }

    fn depth(&self) -> usize {
        self.stop.calls.len()
    }

    fn is_at_end(&self) -> bool {
        self.stop.calls.last().is_none_or(|call| call.step < self.stop.step)
    }

    fn refuse_at_end(&self) -> Result<(), Diagnostic> {
        if !self.is_at_end() {
            return Ok(());
        }
        let (message, help) = match self.stop.reason {
            Reason::Over => ("the game is over here", "`back` and `rewind` go back; `done` leaves the debugger"),
            Reason::Failed => ("the rules fail here", "`back` and `rewind` go back; `done` leaves the debugger"),
            _ => ("the rules wait for an answer here", "`done` leaves the debugger, then choose; `back` goes back"),
        };
        Err(Diagnostic::new(message).help(help))
    }

    fn refuse_at_start(&self) -> Result<(), Diagnostic> {
        if self.stop.step > 1 {
            return Ok(());
        }
        Err(Diagnostic::new("this is the first statement of the game").help("`step` and `continue` go on"))
    }
}

impl Course {
    fn request(&self) -> Request {
        Request {
            start: Start::Game,
            seed: self.seed,
            log: self.log.clone(),
            resolved: self.resolved.clone(),
            agent: None,
            until: Until::LogEnds,
            recording: Some(Recording::default()),
        }
    }
}

/// Runs a log until the goal is met, and tells how everything stands there.
fn found(watched: &Watched, course: &Course, goal: Goal) -> Result<Stop, Diagnostic> {
    let (course, watched_again) = (course.clone(), watched.clone());
    watched.call(move |stepper| {
        let mut search = Search::new(&watched_again, stepper, goal)?;
        let mut outcome = follow(stepper, &course, &mut search);
        if let Some(error) = search.error.take() {
            return Err(error);
        }
        watched_again.refuse_interrupted()?;
        let (step, reason) = match search.found.take() {
            Some((step, reason)) => (step, reason),
            None if search.wants_last() => (1, Reason::Beginning),
            None => return Ok(captured(stepper, outcome, None)),
        };
        if !search.is_stopped || step != stepper.steps() {
            let mut again = Search::new(&watched_again, stepper, Goal::Step(step))?;
            outcome = follow(stepper, &course, &mut again);
            watched_again.refuse_interrupted()?;
        }
        Ok(captured(stepper, outcome, Some(reason)))
    })?
}

/// What an expression comes to before a statement, or at the end of the run.
fn see_at(watched: &Watched, course: &Course, step: u64, expression: &str) -> Result<Seen, Diagnostic> {
    let (course, watched_again, expression) = (course.clone(), watched.clone(), expression.to_owned());
    watched.call(move |stepper| {
        let expression = stepper.expression(&expression).map_err(|error| *error)?;
        let mut search = Search::new(&watched_again, stepper, Goal::Step(step))?;
        drop(follow(stepper, &course, &mut search));
        Ok(match stepper.frames().last() {
            Some(frame) => stepper.see(frame, &expression),
            None => Seen::Fails("the rules have not begun".to_owned()),
        })
    })?
}

/// Runs a log with a search watching.
fn follow(stepper: &mut Stepper, course: &Course, search: &mut Search) -> Outcome {
    let shared = Rc::new(RefCell::new(std::mem::take(search)));
    stepper.watch(shared.clone());
    let outcome = run(stepper, course.request());
    stepper.look_away();
    *search = shared.take();
    if !search.is_stopped {
        let frames = stepper.frames();
        let events = outcome.recording.as_ref().map(|recording| recording.events.as_slice()).unwrap_or_default();
        search.at_end(stepper, &frames, events, &outcome);
    }
    outcome
}

/// How everything stands where a run was stopped; at its end where no reason is given.
fn captured(stepper: &mut Stepper, mut outcome: Outcome, reason: Option<Reason>) -> Stop {
    let was_stopped = outcome.end == End::Halted(Halt::Watched);
    let reason = match reason {
        Some(reason) if was_stopped => reason,
        _ => match outcome.end {
            End::Finished => Reason::Over,
            End::Halted(_) => Reason::Asks,
            End::Failed(_) | End::Endless(_) => Reason::Failed,
        },
    };
    let sites = stepper.sites().clone();
    let call = |frame: &Frame| {
        let site = sites.get(frame.site)?.clone();
        Some(Call { site, step: frame.step, locals: stepper.locals(frame) })
    };
    Stop {
        step: if was_stopped { stepper.steps() } else { stepper.steps() + 1 },
        reason,
        calls: stepper.frames().iter().filter_map(call).collect(),
        position: position(stepper, &mut outcome),
    }
}
