//! A game under the debugger: running forward and back, and stopping.
//!
//! The log runs ahead of the debugger. Where it ends and agents are at the table, they play on; where a person is
//! asked, the rules wait for an answer in the console.

use super::breakpoints::{Group, Point, one_line_message, pieces};
use super::sources::Sources;
use super::variables::{VariableTree, VisibleState};
use crate::catalogue::message;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::inspect::debugger::{Breakpoint, Debugger, Place, Reason, Stop, Target};
use crate::ruleset::Ruleset;
use crate::screen;
use crate::screen::style::{self, Line};
use crate::script::paused;
use crate::session::Session;
use crate::session::commands::Flow;
use serde_json::{Value, json};

/// The number of decisions that agents play ahead: at first, and at most.
const DECISIONS_AHEAD: (usize, usize) = (8, 1024);

/// The number of the breakpoint at the first statement.
const ENTRY: usize = usize::MAX;

/// Commands of the prompt that have no use in an editor, or another form there.
const UNAVAILABLE_COMMANDS: [&str; 2] = ["pager", "campaign"];

/// A way to run the rules from a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motion {
    Continue,
    Over,
    In,
    Out,
    Back,
    BackOver,
    BackContinue,
}

/// A game under the debugger. Its session has an open debugger whenever nothing runs.
pub(super) struct Game {
    pub session: Session,
    pub sources: Sources,
    /// The reason of the current stop.
    pub reason: Reason,
    /// Whether the rules stop at the first statement that they reach. Settings may be asked for before it.
    awaits_entry: bool,
    /// The variable tree shown to the client at this stop.
    shown: Option<VariableTree>,
    /// The number of events already reported.
    told: usize,
    /// Pending console output: each with its category and text.
    pub output: Vec<(&'static str, String)>,
}

/// What distinguishes one stop from another.
#[derive(PartialEq)]
struct StopIdentity {
    place: Option<Place>,
    entries: Vec<crate::playthrough::log::LogEntry>,
    rules: String,
    seed: u64,
}

impl Game {
    /// Opens the debugger in a session: before the move `to_move`, or at the first statement.
    ///
    /// # Errors
    /// The work was stopped.
    pub fn of(mut session: Session, to_move: Option<usize>) -> Result<Self, Diagnostics> {
        let sources = Sources::of(session.playthrough.loaded());
        let entries = to_move.map_or(0, |number| number - 1);
        session.debugger = Some(Debugger::enter(session.places(), &session.playthrough, entries)?);
        let told = session.debugger.as_ref().map_or(0, |debugger| debugger.stop().position.events.len());
        let mut game = Self {
            session,
            sources,
            reason: Reason::Stepped,
            awaits_entry: false,
            shown: None,
            told: 0,
            output: Vec::new(),
        };
        game.told = if to_move.is_some() { told } else { 0 };
        game.settle_at_stop(None);
        Ok(game)
    }

    /// Runs to the first statement of the rules, even if settings are asked for before it. If a person answers those,
    /// the rules stop there afterwards.
    ///
    /// # Errors
    /// The work was stopped.
    pub fn enter(&mut self) -> Result<(), Diagnostics> {
        let stands_before = self.stop().is_some_and(|stop| stop.reason == Reason::Asks && stop.calls.is_empty());
        if !stands_before {
            return Ok(());
        }
        self.awaits_entry = true;
        match self.go(Motion::Continue, &mut []) {
            Err(errors) if self.session.work().is_stopped() => Err(errors),
            // A person is asked first.
            _ => Ok(()),
        }
    }

    fn debugger(&mut self) -> Result<&mut Debugger, Diagnostics> {
        let none = || Diagnostic::new("the debugger is not open").into();
        self.session.debugger.as_mut().ok_or_else(none)
    }

    /// The current stop.
    pub fn stop(&self) -> Option<&Stop> {
        Some(self.session.debugger.as_ref()?.stop())
    }

    /// The variable tree of the current stop, and the state that it shows.
    pub fn shown(&mut self) -> Option<(&mut VariableTree, VisibleState<'_>)> {
        let Self { session, shown, .. } = self;
        let debugger = session.debugger.as_ref()?;
        let loaded = session.playthrough.loaded();
        let ruleset: &Ruleset = &loaded.ruleset;
        let seen = VisibleState { ruleset, layout: &loaded.layout, stop: debugger.stop(), viewer: session.viewer };
        Some((shown.get_or_insert_with(|| VariableTree::of(seen)), seen))
    }

    /// Whether the rules wait for a person's answer.
    pub fn is_asked(&self) -> bool {
        self.reason == Reason::Asks
    }

    /// Settles at a stop: collects the events since the last one as output, and drops the variable tree.
    fn settle_at_stop(&mut self, reason: Option<Reason>) {
        self.shown = None;
        self.reason = match (reason, self.stop()) {
            (Some(reason), _) => reason,
            (None, Some(stop)) => stop.reason.clone(),
            (None, None) => Reason::Stepped,
        };
        if matches!(self.reason, Reason::Breakpoint(ENTRY, _)) {
            self.reason = Reason::Beginning;
        }
        let Some(debugger) = &self.session.debugger else { return };
        self.awaits_entry &= debugger.stop().calls.is_empty() && !matches!(debugger.stop().reason, Reason::Over);
        let events = &debugger.stop().position.events;
        let lines = self.session.log_lines_since(events, self.told);
        self.told = self.told.max(events.len());
        if !lines.is_empty() {
            self.output.push(("stdout", style::render(&lines, false)));
        }
    }

    /// Whether a breakpoint stops the rules at the current statement, before anything has run.
    ///
    /// # Errors
    /// A condition cannot be evaluated.
    pub fn stops_here(&mut self, points: &mut [Point]) -> Result<bool, Diagnostics> {
        if self.stop().is_none_or(|stop| stop.reason.is_end()) {
            return Ok(false);
        }
        let stops = self.breakpoints(points);
        let reason = match self.debugger()?.meets(&stops)? {
            Some(Reason::Breakpoint(number, event)) => {
                let stops = points.iter().all(|point| point.number != number);
                let place = self.debugger()?.stop().place;
                let own = points.iter_mut().find(|point| point.number == number);
                (stops || own.is_some_and(|point| point.stops_at(place))).then_some(Reason::Breakpoint(number, event))
            }
            other => other,
        };
        let stops = reason.is_some();
        if stops {
            self.settle_at_stop(reason);
        }
        Ok(stops)
    }

    /// Runs the rules forward or back to the next stop.
    ///
    /// # Errors
    /// The motion is impossible from here, a condition cannot be evaluated, or the work was stopped. The game then
    /// stays at a stop.
    pub fn go(&mut self, motion: Motion, points: &mut [Point]) -> Result<(), Diagnostics> {
        let went = match motion {
            Motion::Back => self.debugger()?.back(1).map(|()| None),
            Motion::BackOver => self.debugger()?.back_over().map(|()| None),
            Motion::BackContinue => self.rewind(points),
            forward => self.go_on(forward, points),
        };
        let (reason, errors) = match went {
            Ok(reason) => (reason, None),
            // In a stopped run, the breakpoint of the previous stop is not the reason.
            Err(errors) => (self.session.work().is_stopped().then_some(Reason::Stepped), Some(errors)),
        };
        self.settle_at_stop(reason);
        let notices = self.session.take_notices();
        self.output.extend(notices.iter().map(|notice| ("stderr", notice.render(false))));
        errors.map_or(Ok(()), Err)
    }

    fn go_on(&mut self, motion: Motion, points: &mut [Point]) -> Result<Option<Reason>, Diagnostics> {
        let depth = self.debugger()?.depth();
        let most = if motion == Motion::Out { depth.saturating_sub(1) } else { depth };
        let mut ahead = DECISIONS_AHEAD.0;
        let mut is_first = true;
        loop {
            let stops = self.breakpoints(points);
            let asks = self.stop().is_some_and(|stop| stop.reason == Reason::Asks);
            // Where the rules ask, an answer has to come first.
            if !asks {
                let debugger = self.debugger()?;
                match motion {
                    Motion::In => debugger.step(1)?,
                    Motion::Over | Motion::Out => debugger.go_on_to_depth(most, &stops)?,
                    _ => debugger.resume(&stops)?,
                }
                match self.debugger()?.stop().reason.clone() {
                    Reason::Breakpoint(number, _) | Reason::Changes(number, ..) => {
                        if let Some(reason) = self.met(number, points)? {
                            return Ok(Some(reason));
                        }
                        let has_arrived = motion != Motion::Continue && self.debugger()?.depth() <= most;
                        if has_arrived {
                            return Ok(Some(Reason::Stepped));
                        }
                        continue;
                    }
                    Reason::Stepped if motion == Motion::In => {
                        self.met(0, points)?;
                        return Ok(None);
                    }
                    Reason::Asks => {}
                    _ => return Ok(None),
                }
            }
            let is_last = self.debugger()?.entries() >= self.session.playthrough.timeline().cursor();
            if is_last && self.session.drive(ahead)? == 0 {
                if self.session.work().is_stopped() {
                    return Ok(Some(Reason::Stepped));
                }
                if is_first && asks {
                    let open = self.session.playthrough.position().open.is_some();
                    let words = if open { "the rules wait for an answer" } else { "the rules cannot go on" };
                    return Err(Diagnostic::new(words)
                        .help("type an option into the console; `table` shows them")
                        .into());
                }
                return Ok(None);
            }
            is_first = false;
            ahead = DECISIONS_AHEAD.1.min(ahead * 2);
            let Session { debugger, playthrough, .. } = &mut self.session;
            debugger.as_mut().map_or(Ok(()), |debugger| debugger.extend(playthrough))?;
        }
    }

    fn rewind(&mut self, points: &mut [Point]) -> Result<Option<Reason>, Diagnostics> {
        loop {
            let mut stops = self.breakpoints(points);
            stops.retain(|stop| points.iter().all(|point| point.number != stop.number || point.message.is_none()));
            let debugger = self.debugger()?;
            debugger.rewind(&stops)?;
            let (place, reason) = (debugger.stop().place, debugger.stop().reason.clone());
            let (Reason::Breakpoint(number, _) | Reason::Changes(number, ..)) = reason else { return Ok(None) };
            let own = points.iter_mut().find(|point| point.number == number);
            if own.is_none_or(|point| point.stops_at(place)) {
                return Ok(None);
            }
        }
    }

    /// The breakpoints of the client and of the console, and the one at the first statement.
    fn breakpoints(&self, points: &[Point]) -> Vec<Breakpoint> {
        let own = self.session.breakpoints.iter().filter(|stop| points.iter().all(|point| point.number != stop.number));
        let target = Target::Function("game".to_owned(), None);
        let entry = self.awaits_entry.then_some(Breakpoint { number: ENTRY, target, condition: None });
        points.iter().filter_map(Point::breakpoint).chain(own.cloned()).chain(entry).collect()
    }

    /// Handles a hit breakpoint and others at the same statement. Gives the reason to stop; `None` to run on.
    fn met(&mut self, number: usize, points: &mut [Point]) -> Result<Option<Reason>, Diagnostics> {
        let Some(debugger) = &self.session.debugger else { return Ok(None) };
        let (place, first) = (debugger.stop().place, debugger.stop().reason.clone());
        let site =
            debugger.stop().calls.last().and_then(|call| paused::site_at(debugger.places().sites(), call.site.at));
        let is_here = |stop: &Breakpoint| {
            let holds = || match &stop.condition {
                Some(condition) => {
                    matches!(debugger.see(condition), Ok(paused::InspectionResult::Value(_, Some(true))))
                }
                None => true,
            };
            site.is_some_and(|site| debugger.places().sites_of(&stop.target).contains(&site)) && holds()
        };
        let mut found =
            points.iter().all(|point| point.number != number).then_some(first.clone()).filter(|_| number > 0);
        let mut told = Vec::new();
        for point in points.iter_mut() {
            let is_met = point.number == number || point.breakpoint().is_some_and(|stop| is_here(&stop));
            if !is_met {
                continue;
            }
            if point.stops_at(place) && found.is_none() {
                found =
                    Some(if point.number == number { first.clone() } else { Reason::Breakpoint(point.number, None) });
            }
            told.extend(point.message.as_ref().map(|message| self.filled(message)));
        }
        self.output.extend(told.into_iter().map(|line| ("console", line + "\n")));
        let mut causes = self.breakpoints(points);
        causes.retain(|stop| stop.number != number && matches!(stop.target, Target::Event(_) | Target::Change(_)));
        if found.is_some() || number == 0 || causes.is_empty() || site.is_none() {
            return Ok(found);
        }
        self.debugger()?.meets(&causes)
    }

    /// Runs to a target, forward or back, as if it had a temporary breakpoint.
    ///
    /// # Errors
    /// The run does not reach the target.
    pub fn go_to(&mut self, target: Target, is_back: bool) -> Result<(), Diagnostics> {
        let once = Breakpoint { number: 0, target, condition: None };
        let went = self.debugger()?.until(once, is_back);
        self.settle_at_stop(went.is_ok().then_some(Reason::Stepped));
        went
    }

    /// Goes back to the start of a call on the stack.
    ///
    /// # Errors
    /// There is no such call.
    pub fn restart_call(&mut self, number: usize) -> Result<(), Diagnostics> {
        let went = self.debugger()?.back_to_start_of(number);
        self.settle_at_stop(went.is_ok().then_some(Reason::Stepped));
        went
    }

    /// Changes something on the table by hand. This adds a log entry before the next decision, where the rules then
    /// stop.
    ///
    /// # Errors
    /// The name is unknown, the value does not fit, or the game is over.
    pub fn set(&mut self, name: &str, value: &str, points: &mut [Point]) -> Result<(), Diagnostics> {
        let entries = self.debugger()?.entries();
        let before = self.session.debugger.take();
        let cursor = self.session.playthrough.timeline().cursor();
        let set = self.session.playthrough.go_to(entries).map(drop);
        let set = set.and_then(|()| self.session.line(&format!(":set {name} {value}")).map(drop));
        if let Err(errors) = set {
            self.session.playthrough.go_to(cursor)?;
            self.session.debugger = before;
            return Err(errors);
        }
        let place = before.map(|debugger| debugger.stop().place);
        // Agents may have answered at once; the person first looks at the change.
        self.session.playthrough.go_to(entries + 1)?;
        self.forget_after(place, points);
        self.settle_at_end()
    }

    /// Notes that the log differs from a place on: events and breakpoint hits after that place are new.
    fn forget_after(&mut self, place: Option<Place>, points: &mut [Point]) {
        if let Some(place) = place {
            points.iter_mut().for_each(|point| point.forget_behind(place));
        }
        self.told = self.told.min(self.session.playthrough.position().events.len());
    }

    /// Opens the debugger at the end of the log.
    fn settle_at_end(&mut self) -> Result<(), Diagnostics> {
        let cursor = self.session.playthrough.timeline().cursor();
        let mut debugger = Debugger::enter(self.session.places(), &self.session.playthrough, cursor)?;
        if !debugger.stop().reason.is_end() {
            debugger.resume(&[])?;
        }
        self.session.debugger = Some(debugger);
        self.settle_at_stop(None);
        Ok(())
    }

    /// Runs a line of the console: an answer, a command or an expression. Gives the output, whether the rules have
    /// stopped elsewhere, and whether the person leaves.
    ///
    /// # Errors
    /// The input is not understood, or cannot be done.
    pub fn line(&mut self, typed: &str, points: &mut [Point]) -> Result<(String, bool, bool), Diagnostics> {
        let word = typed.trim().trim_start_matches(':').split_whitespace().next().unwrap_or_default();
        if UNAVAILABLE_COMMANDS.contains(&word) {
            let error = Diagnostic::new(message!("`{word}` does not work in an editor's console"));
            return Err(error.help("`houserule play` opens the game at a prompt").into());
        }
        let before = self.stop_identity();
        let place = self.stop().map(|stop| stop.place);
        // At the end of the log, every command of the prompt is possible.
        let is_at_end = self.stop().is_some_and(|stop| stop.reason.is_end());
        let is_at_end = is_at_end && self.debugger()?.entries() >= self.session.playthrough.timeline().cursor();
        let kept = if is_at_end { self.session.debugger.take() } else { None };
        // A line that plays on stops at the client's breakpoints, too.
        let of_client = |stop: &Breakpoint, points: &[Point]| {
            stop.number == ENTRY || points.iter().any(|point| point.number == stop.number)
        };
        self.session.breakpoints = self.breakpoints(points);
        let flow = self.session.line(typed);
        self.session.breakpoints.retain(|stop| !of_client(stop, points));
        let notices = self.session.take_notices();
        if kept.is_some()
            && let Some(stop) = self.stop()
            && let Reason::Breakpoint(number, _) | Reason::Changes(number, ..) = stop.reason
        {
            // The client shows the new stop and the events before it.
            self.forget_after(place, points);
            let reason = match self.met(number, points)? {
                Some(reason) => Some(reason),
                None => self.go_on(Motion::Continue, points)?,
            };
            self.settle_at_stop(reason);
            flow?;
            return Ok((String::new(), true, false));
        }
        if self.session.debugger.is_none() {
            self.session.debugger = kept;
            let is_elsewhere = self.session.debugger.is_none() || self.stop_identity() != before;
            if is_elsewhere {
                self.forget_after(place, points);
                // The answer to the line has told these events.
                self.told = self.told.max(self.session.playthrough.position().events.len());
                self.settle_at_end()?;
            }
        }
        let is_elsewhere = self.stop_identity() != before;
        if is_elsewhere {
            self.sources = Sources::of(self.session.playthrough.loaded());
            self.told = self.told.max(self.stop().map_or(0, |stop| stop.position.events.len()));
            self.settle_at_stop(None);
        }
        let text = |lines: &[Line]| style::render(lines, false).trim_end().to_owned();
        let mut shown = match flow? {
            Flow::Show(lines) | Flow::Page(lines) => text(&lines),
            Flow::Ask(question) => return Err(question.refusal),
            Flow::Quit => return Ok((String::new(), false, true)),
        };
        for notice in notices {
            shown = format!("{}\n{shown}", notice.render(false).trim_end());
        }
        Ok((shown, is_elsewhere, false))
    }

    fn stop_identity(&self) -> StopIdentity {
        let playthrough = &self.session.playthrough;
        StopIdentity {
            place: self.stop().map(|stop| stop.place),
            entries: playthrough.timeline().log().to_vec(),
            rules: playthrough.loaded().ruleset.hash.clone(),
            seed: playthrough.seed,
        }
    }

    /// Evaluates an expression in a call, from 0 for the outermost; `None` evaluates outside of any call.
    ///
    /// # Errors
    /// The expression does not parse, uses an unknown name, fails or changes something, or the viewer may not see
    /// everything.
    pub fn see(&self, call: Option<usize>, expression: &str) -> Result<String, Diagnostics> {
        if self.session.viewer.is_limited() {
            let error = Diagnostic::new("an expression could tell what this player may not know");
            return Err(error.help("launch without `viewer` to evaluate expressions").into());
        }
        let Some(debugger) = &self.session.debugger else {
            return Err(Diagnostic::new("the debugger is not open").into());
        };
        match debugger.see_in(call, expression)? {
            paused::InspectionResult::Value(value, _) => Ok(value),
            paused::InspectionResult::Unknown(why)
            | paused::InspectionResult::Fails(why)
            | paused::InspectionResult::Endless(why) => Err(why),
            paused::InspectionResult::Changes => Err(Diagnostic::new("this changes the table")
                .help("set a variable in the editor, or type `set NAME VALUE` where the rules wait for an answer")
                .into()),
        }
    }

    /// The current stop as the protocol has it: the reason, a description, and the breakpoints hit.
    pub fn stopped(&self, points: &[Point], usual: &str) -> Value {
        let group = |number: usize| points.iter().find(|point| point.number == number).map(|point| &point.group);
        let (reason, number) = match &self.reason {
            Reason::Stepped => (usual, None),
            Reason::Beginning => ("entry", None),
            Reason::Breakpoint(0, _) => ("goto", None),
            Reason::Breakpoint(number, _) if group(*number) == Some(&Group::Functions) => {
                ("function breakpoint", Some(*number))
            }
            Reason::Breakpoint(number, _) => ("breakpoint", Some(*number)),
            Reason::Changes(number, ..) => ("data breakpoint", Some(*number)),
            Reason::Asks => ("choice", None),
            Reason::Over => ("end", None),
            Reason::Failed => ("exception", None),
        };
        // The old and new value could reveal what this player may not know.
        let is_told = !(self.session.viewer.is_limited() && matches!(self.reason, Reason::Changes(..)));
        let stop = self.stop().filter(|_| is_told);
        let words = stop.map(|stop| screen::reason(&self.session.scene(), stop, &self.reason).text());
        let words = words.unwrap_or_default();
        let mut body = json!({ "reason": reason, "threadId": 1, "allThreadsStopped": true });
        if !words.is_empty() {
            body["description"] = words.trim().into();
            body["text"] = words.trim().into();
        }
        if let Some(number) = number {
            body["hitBreakpointIds"] = json!([number]);
        }
        body
    }

    /// A log message with its expressions evaluated, except for a viewer to whom they could reveal hidden facts.
    fn filled(&self, message: &str) -> String {
        let call = self.stop().and_then(|stop| stop.calls.len().checked_sub(1));
        let piece = |(is_expression, text): (bool, &str)| match is_expression {
            false => text.to_owned(),
            true => self.see(call, text).unwrap_or_else(|why| format!("({})", one_line_message(&why).told())),
        };
        pieces(message).into_iter().map(piece).collect()
    }
}
