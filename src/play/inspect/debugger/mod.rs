//! The script debugger: runs the rules along a game's log statement by statement, forwards and backwards.
//!
//! The debugger has a run of its own. Going backwards means going on from an earlier checkpoint and stopping sooner. So
//! both directions use one small mechanism, nothing has to be undone, and neither the log nor the game is affected.

mod places;
mod recorded_path;
mod search;

pub use places::{Breakpoint, Places, Target};
pub use recorded_path::Place;

use crate::catalogue::{Message, message};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::playthrough::{Playthrough, Position};
use crate::script::End;
use crate::script::machine::hooks::StatementContext;
use crate::script::paused::{self, Expression, InspectionResult, Local, PauseSite, PausedEvaluator};
use crate::table::decision::Halt;
use crate::table::event::Event;
use recorded_path::{Checkpoint, EventSpan, Passage, RecordedPath, StopBefore};
use search::{Goal, Search};
use std::collections::VecDeque;

/// Why the rules are stopped.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// A step of the debugger.
    Stepped,
    /// A breakpoint, by its number, with the event that it waited for.
    Breakpoint(usize, Option<Box<Event>>),
    /// The value of a watched expression changes here: the breakpoint's number, the expression, the values before and
    /// after.
    Changes(usize, String, String, String),
    /// The beginning of the game, or of the stretch entered.
    Beginning,
    /// The rules wait for a player's answer.
    Asks,
    /// The game is over.
    Over,
    /// The rules failed here.
    Failed,
}

impl Reason {
    /// Whether the run cannot go on from here.
    pub fn is_end(&self) -> bool {
        matches!(self, Self::Asks | Self::Over | Self::Failed)
    }
}

/// A frame of the call stack.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The current statement of the call.
    pub site: PauseSite,
    /// The local variables known there.
    pub locals: Vec<Local>,
}

/// A point where the rules are stopped: before a statement, or at the end of the run.
#[derive(Clone, Debug)]
pub struct Stop {
    /// The statement.
    pub place: Place,
    /// The reason for the stop.
    pub reason: Reason,
    /// The call stack, outermost call first.
    pub calls: Vec<Call>,
    /// The position of the game.
    pub position: Position,
}

/// A debugger session for the rules of a game in play.
pub struct Debugger {
    places: Places,
    way: RecordedPath,
    /// The first statement of the stretch entered.
    beginning: Place,
    here: Checkpoint,
    stop: Stop,
    /// The number of frames between the innermost call and the selected one.
    up: usize,
}

impl Debugger {
    /// Enters the rules that ran just before move `entries` (as numbered by `history`), at the first statement after
    /// the choice before it.
    ///
    /// # Errors
    /// The work was stopped.
    pub fn enter(places: Places, playthrough: &Playthrough, entries: usize) -> Result<Self, Diagnostics> {
        let (mut way, mut events) = RecordedPath::of(playthrough, entries)?;
        let choices = way.choices_before(entries);
        let from = match choices.checked_sub(1) {
            Some(before) => way.nearest(Place::asking(before)),
            None => way.nearest(Place::START),
        };
        let is_there = |_, moment: &StatementContext<'_>| moment.table.decisions() >= choices;
        let Passage { at, end, events: happened } = way.follow(from, &mut StopBefore(is_there))?;
        happened.put(&mut events);
        Ok(Self::standing(places, way, at, end.as_ref(), Reason::Stepped, events))
    }

    /// Stops at the first of `breakpoints` met after `entries` entries of the log; `None` where none is met.
    ///
    /// # Errors
    /// A condition or watched expression is invalid, or the work was stopped.
    pub fn scan_log(
        places: Places,
        playthrough: &Playthrough,
        entries: usize,
        breakpoints: &[Breakpoint],
    ) -> Result<Option<Self>, Diagnostics> {
        let (mut way, mut events) = RecordedPath::of(playthrough, entries)?;
        let after = Place::asking(way.choices_before(entries));
        let from = way.nearest(after);
        let Scan { passage, met } = scan(&places, &mut way, from, (Goal::FirstAfter(after), None), breakpoints)?;
        let Some((place, reason)) = met else { return Ok(None) };
        let StoppedRun { at, end, happened } = arrive(&mut way, passage, place)?;
        happened.into_iter().for_each(|happened| happened.put(&mut events));
        Ok(Some(Self::standing(places, way, at, end.as_ref(), reason, events)))
    }

    fn standing(
        places: Places,
        way: RecordedPath,
        here: Checkpoint,
        end: Option<&End>,
        reason: Reason,
        events: Vec<Event>,
    ) -> Self {
        let stop = captured(&places, &here, end, reason, events);
        Self { places, way, beginning: here.place, here, stop, up: 0 }
    }

    /// Keeps its place, in a game whose log has become longer.
    ///
    /// # Errors
    /// The work was stopped.
    pub fn extend(&mut self, playthrough: &Playthrough) -> Result<(), Diagnostics> {
        let (way, _) = RecordedPath::of(playthrough, playthrough.timeline().cursor())?;
        self.way = way;
        if self.stop.reason == Reason::Asks {
            self.stop.reason = Reason::Stepped;
        }
        Ok(())
    }

    /// The number of log entries before the next decision, which is where a change by hand would be inserted.
    pub fn entries(&self) -> usize {
        self.way.entries_before(self.stop.place.decisions)
    }

    /// The rules being debugged.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// The current stop.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// The selected call, with its index in the call stack (0 for the outermost); by default the innermost.
    pub fn call(&self) -> Option<(usize, &Call)> {
        let number = self.stop.calls.len().checked_sub(1 + self.up)?;
        Some((number, self.stop.calls.get(number)?))
    }

    /// Selects another frame of the call stack, `count` calls further out or in.
    ///
    /// # Errors
    /// The call stack ends there.
    pub fn look(&mut self, count: usize, is_out: bool) -> Result<(), Diagnostics> {
        let outermost = self.stop.calls.len().saturating_sub(1);
        let none = |which: &'static str, help: &'static str| {
            Err(Diagnostic::new(message!("this is the {} call", Message::from(which))).help(help).into())
        };
        match is_out {
            true if self.up >= outermost => return none("outermost", "`down` goes back in"),
            false if self.up == 0 => return none("innermost", "`up` goes to the one that called it"),
            true => self.up = self.up.saturating_add(count).min(outermost),
            false => self.up = self.up.saturating_sub(count),
        }
        Ok(())
    }

    /// Runs `count` statements.
    ///
    /// # Errors
    /// The run is at its end, or the work was stopped.
    pub fn step(&mut self, count: u64) -> Result<(), Diagnostics> {
        self.refuse_at_end()?;
        let mut left = count;
        if left == 0 {
            self.stop.reason = Reason::Stepped;
            return Ok(());
        }
        let is_there = |_, _: &StatementContext<'_>| {
            left -= 1;
            left == 0
        };
        let passage = self.way.follow(self.here.clone(), &mut StopBefore(is_there))?;
        self.stand_after(passage)
    }

    /// Runs to the next statement of the same call or of its caller, unless a breakpoint comes first.
    ///
    /// # Errors
    /// As [`resume`](Self::resume).
    pub fn over(&mut self, breakpoints: &[Breakpoint]) -> Result<(), Diagnostics> {
        self.go_on_to_depth(self.depth(), breakpoints)
    }

    /// Runs until the current call returns, unless a breakpoint comes first.
    ///
    /// # Errors
    /// As [`resume`](Self::resume).
    pub fn out(&mut self, breakpoints: &[Breakpoint]) -> Result<(), Diagnostics> {
        self.go_on_to_depth(self.depth().saturating_sub(1), breakpoints)
    }

    /// Goes back `count` statements.
    ///
    /// # Errors
    /// This is the first statement of the game, or the work was stopped.
    pub fn back(&mut self, count: u64) -> Result<(), Diagnostics> {
        self.refuse_at_start()?;
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        if count == 0 {
            self.stop.reason = Reason::Stepped;
            return Ok(());
        }
        let last = self.last_statements(count, |_| true)?;
        self.go(last.front().copied().unwrap_or(Place::FIRST), Reason::Stepped)
    }

    /// Goes back to the previous statement of the same call or of its caller.
    ///
    /// # Errors
    /// As [`back`](Self::back).
    pub fn back_over(&mut self) -> Result<(), Diagnostics> {
        self.refuse_at_start()?;
        // After the end of the game the stack is empty, and the previous statement is the one that ended it.
        let (most, places) = (self.depth().max(1), self.places.clone());
        self.back_to_last(|moment| paused::depth(moment.frames, places.sites()) <= most)
    }

    /// Goes back to the first statement of the call with index `number` in the call stack.
    ///
    /// # Errors
    /// As [`back`](Self::back).
    pub fn back_to_start_of(&mut self, number: usize) -> Result<(), Diagnostics> {
        let Some(call) = self.stop.calls.get(number) else {
            return Err(Diagnostic::new("there is no such call").into());
        };
        let (depth, function) = (number + 1, call.site.function);
        if number + 1 == self.depth() && call.site.is_first {
            return Ok(());
        }
        self.refuse_at_start()?;
        let places = self.places.clone();
        let begins = |moment: &StatementContext<'_>| {
            let calls = paused::calls(moment.frames, places.sites());
            let site = calls.last().filter(|_| calls.len() == depth).and_then(|call| places.sites().get(call.site));
            site.is_some_and(|site| site.is_first && site.function == function)
        };
        self.back_to_last(begins)
    }

    /// Goes back to the last statement for which `is_meant` holds; without one, to the first of the game.
    fn back_to_last(&mut self, is_meant: impl Fn(&StatementContext<'_>) -> bool) -> Result<(), Diagnostics> {
        match self.last_statements(1, is_meant)?.front() {
            Some(place) => self.go(*place, Reason::Stepped),
            None => self.go(Place::FIRST, Reason::Beginning),
        }
    }

    /// The reason why these breakpoints alone would stop the rules at the current statement; `None` where none of them
    /// is met here.
    ///
    /// # Errors
    /// As [`resume`](Self::resume).
    pub fn meets(&mut self, breakpoints: &[Breakpoint]) -> Result<Option<Reason>, Diagnostics> {
        let here = self.stop.place;
        let from = self.way.before(here, 0);
        let wanted = (Goal::FirstAfter(here.before()), Some(here));
        Ok(scan(&self.places, &mut self.way, from, wanted, breakpoints)?.met.map(|(_, reason)| reason))
    }

    /// Runs to the first of these breakpoints, or to the end of the run.
    ///
    /// # Errors
    /// As [`step`](Self::step); or a condition or watched expression is invalid.
    pub fn resume(&mut self, breakpoints: &[Breakpoint]) -> Result<(), Diagnostics> {
        self.refuse_at_end()?;
        let Scan { passage, met } = self.scan_on(breakpoints)?;
        match met {
            Some((place, reason)) => self.arrive(passage, place, reason),
            None => self.stand_after(passage),
        }
    }

    /// Goes back to the latest of these breakpoints before here; without one, to the beginning of the stretch entered,
    /// and from there to the beginning of the game.
    ///
    /// # Errors
    /// As [`back`](Self::back); or a condition or watched expression is invalid.
    pub fn rewind(&mut self, breakpoints: &[Breakpoint]) -> Result<(), Diagnostics> {
        self.refuse_at_start()?;
        let met = if breakpoints.is_empty() { None } else { self.scan_back(breakpoints)? };
        match met {
            Some((place, reason)) => self.go(place, reason),
            None if self.stop.place > self.beginning => self.go(self.beginning, Reason::Beginning),
            None => self.go(Place::FIRST, Reason::Beginning),
        }
    }

    /// Runs to a place, or back to it.
    ///
    /// # Errors
    /// The place is not met, and the debugger stays; or as [`resume`](Self::resume) and [`rewind`](Self::rewind).
    pub fn until(&mut self, place: Breakpoint, is_back: bool) -> Result<(), Diagnostics> {
        let breakpoints = [place];
        if is_back {
            self.refuse_at_start()?;
            let Some((place, reason)) = self.scan_back(&breakpoints)? else {
                return Err(Diagnostic::new("that does not come before this statement").into());
            };
            return self.go(place, reason);
        }
        self.refuse_at_end()?;
        match self.scan_on(&breakpoints)? {
            Scan { passage, met: Some((place, reason)) } => self.arrive(passage, place, reason),
            Scan { met: None, .. } => {
                Err(Diagnostic::new("that is not reached before the game waits for an answer").into())
            }
        }
    }

    /// Evaluates an expression in the selected call, without side effects.
    ///
    /// # Errors
    /// The expression does not parse.
    pub fn see(&self, expression: &str) -> Result<InspectionResult, Diagnostics> {
        self.see_in(self.depth().checked_sub(1 + self.up), expression)
    }

    /// Evaluates an expression in the call with index `number` in the call stack, without side effects.
    ///
    /// # Errors
    /// The expression does not parse.
    pub fn see_in(&self, number: Option<usize>, expression: &str) -> Result<InspectionResult, Diagnostics> {
        let rules = self.places.rules();
        let mut expression = Expression::new(rules, expression)?;
        let (frames, table) = (self.here.run.frames(), &self.here.run.table);
        let calls = paused::calls(frames, self.places.sites());
        let call = number.and_then(|number| calls.get(number));
        let there = call.map(|call| (frames, call.depth, call.statement));
        Ok(expression.evaluate(rules, &mut PausedEvaluator::default(), table, there))
    }

    /// The depth of the call stack.
    pub fn depth(&self) -> usize {
        self.stop.calls.len()
    }

    /// Runs to the first statement with at most `most` calls on the stack, unless a breakpoint comes first.
    ///
    /// # Errors
    /// As [`resume`](Self::resume).
    pub fn go_on_to_depth(&mut self, most: usize, breakpoints: &[Breakpoint]) -> Result<(), Diagnostics> {
        self.refuse_at_end()?;
        let places = self.places.clone();
        let is_there = |_, moment: &StatementContext<'_>| paused::depth(moment.frames, places.sites()) <= most;
        let passage = self.way.follow(self.here.clone(), &mut StopBefore(is_there))?;
        if !breakpoints.is_empty() {
            let wanted = (Goal::FirstAfter(self.stop.place), Some(passage.at.place));
            let Scan { passage, met } = scan(&self.places, &mut self.way, self.here.clone(), wanted, breakpoints)?;
            if let Some((place, reason)) = met {
                return self.arrive(passage, place, reason);
            }
        }
        self.stand_after(passage)
    }

    /// The last `count` statements before this one for which `is_meant` holds, or fewer if there are not as many.
    fn last_statements(
        &mut self,
        count: usize,
        is_meant: impl Fn(&StatementContext<'_>) -> bool,
    ) -> Result<VecDeque<Place>, Diagnostics> {
        let before = self.stop.place;
        let mut last = VecDeque::new();
        self.search_back_from_checkpoints(|way, _, from| {
            last.clear();
            let mut until = StopBefore(|place, moment: &StatementContext<'_>| {
                if place < before && is_meant(moment) {
                    if last.len() == count {
                        last.pop_front();
                    }
                    last.push_back(place);
                }
                place >= before
            });
            way.follow(from, &mut until)?;
            Ok(last.len() == count)
        })?;
        Ok(last)
    }

    fn scan_on(&mut self, breakpoints: &[Breakpoint]) -> Result<Scan, Diagnostics> {
        let wanted = (Goal::FirstAfter(self.stop.place), None);
        scan(&self.places, &mut self.way, self.here.clone(), wanted, breakpoints)
    }

    fn scan_back(&mut self, breakpoints: &[Breakpoint]) -> Result<Option<(Place, Reason)>, Diagnostics> {
        let wanted = (Goal::LastBefore(self.stop.place), None);
        let mut met = None;
        self.search_back_from_checkpoints(|way, places, from| {
            met = scan(places, way, from, wanted, breakpoints)?.met;
            Ok(met.is_some())
        })?;
        Ok(met)
    }

    /// Searches the statements before this one from the nearest checkpoint, then from earlier ones, until `look`
    /// succeeds or the beginning is reached.
    fn search_back_from_checkpoints(
        &mut self,
        mut look: impl FnMut(&mut RecordedPath, &Places, Checkpoint) -> Result<bool, Diagnostics>,
    ) -> Result<(), Diagnostics> {
        let mut tried = None;
        for attempt in 0.. {
            let from = self.way.before(self.stop.place, attempt);
            let place = from.place;
            if tried.replace(place) == Some(place) {
                continue;
            }
            if look(&mut self.way, &self.places, from)? || place == Place::START {
                break;
            }
        }
        Ok(())
    }

    /// Goes to a statement that is known to exist.
    fn go(&mut self, place: Place, reason: Reason) -> Result<(), Diagnostics> {
        let reached = reach(&mut self.way, place)?;
        self.stand(reached, reason)
    }

    /// Goes to a statement that a passage has reached or passed.
    fn arrive(&mut self, passage: Passage, place: Place, reason: Reason) -> Result<(), Diagnostics> {
        let arrived = arrive(&mut self.way, passage, place)?;
        self.stand(arrived, reason)
    }

    /// Stands where a passage ended.
    fn stand_after(&mut self, passage: Passage) -> Result<(), Diagnostics> {
        let Passage { at, end, events } = passage;
        self.stand(StoppedRun { at, end, happened: vec![events] }, Reason::Stepped)
    }

    fn stand(&mut self, run: StoppedRun, reason: Reason) -> Result<(), Diagnostics> {
        let StoppedRun { at, end, happened } = run;
        let mut events = std::mem::take(&mut self.stop.position.events).into_vec();
        happened.into_iter().for_each(|happened| happened.put(&mut events));
        self.stop = captured(&self.places, &at, end.as_ref(), reason, events);
        self.here = at;
        self.up = 0;
        Ok(())
    }

    fn refuse_at_end(&self) -> Result<(), Diagnostics> {
        let (message, help) = match self.stop.reason {
            Reason::Over => ("the game is over here", "`back` and `rewind` go back; `done` leaves the debugger"),
            Reason::Failed => ("the rules fail here", "`back` and `rewind` go back; `done` leaves the debugger"),
            Reason::Asks => {
                ("the rules wait for an answer here", "`done` leaves the debugger, then choose; `back` goes back")
            }
            _ => return Ok(()),
        };
        Err(Diagnostic::new(message).help(help).into())
    }

    fn refuse_at_start(&self) -> Result<(), Diagnostics> {
        if self.stop.place > Place::FIRST {
            return Ok(());
        }
        Err(Diagnostic::new("this is the first statement of the game").help("`step` and `continue` go on").into())
    }
}

/// The result of a search for breakpoints.
struct Scan {
    passage: Passage,
    /// The breakpoint met in the wanted range, if any.
    met: Option<(Place, Reason)>,
}

/// Runs on from a checkpoint and searches for breakpoints.
fn scan(
    places: &Places,
    way: &mut RecordedPath,
    from: Checkpoint,
    wanted: (Goal, Option<Place>),
    breakpoints: &[Breakpoint],
) -> Result<Scan, Diagnostics> {
    let mut search = Search::new(places, breakpoints, wanted, &from)?;
    let passage = way.follow(from, &mut search)?;
    places.rules().work().check_stopped()?;
    if passage.end.is_some() {
        search.at_end(&passage.at);
    }
    match search.error.take() {
        Some(error) => Err(error.into()),
        None => Ok(Scan { passage, met: search.found }),
    }
}

/// A run stopped where it was wanted, with the events on the way.
struct StoppedRun {
    at: Checkpoint,
    end: Option<End>,
    happened: Vec<EventSpan>,
}

/// Goes to a statement that a passage has reached or passed.
fn arrive(way: &mut RecordedPath, passage: Passage, place: Place) -> Result<StoppedRun, Diagnostics> {
    if passage.end.is_none() && passage.at.place == place {
        return Ok(StoppedRun { at: passage.at, end: None, happened: vec![passage.events] });
    }
    let mut arrived = reach(way, place)?;
    arrived.happened.insert(0, passage.events);
    Ok(arrived)
}

/// Goes to a statement from the nearest checkpoint.
fn reach(way: &mut RecordedPath, place: Place) -> Result<StoppedRun, Diagnostics> {
    let from = way.nearest(place);
    if from.place == place {
        let happened = EventSpan { behind: from.events, events: Vec::new() };
        return Ok(StoppedRun { at: from, end: None, happened: vec![happened] });
    }
    let Passage { at, end, events } =
        way.follow(from, &mut StopBefore(|now, _: &StatementContext<'_>| now >= place))?;
    Ok(StoppedRun { at, end, happened: vec![events] })
}

/// Captures the state of a stopped run; at its end, the reason is why it ended.
fn captured(places: &Places, at: &Checkpoint, end: Option<&End>, reason: Reason, events: Vec<Event>) -> Stop {
    let reason = match end {
        None => reason,
        Some(End::Finished) => Reason::Over,
        Some(End::Halted(_)) => Reason::Asks,
        Some(End::Failed(_) | End::Endless(_)) => Reason::Failed,
    };
    let (frames, table, rules) = (at.run.frames(), &at.run.table, places.rules());
    let call = |call: &paused::Call<'_>| {
        let site = places.sites().get(call.site)?.clone();
        Some(Call { site, locals: paused::locals(frames, call, at.run.code(), table) })
    };
    Stop {
        place: at.place,
        reason,
        calls: paused::calls(frames, places.sites()).iter().filter_map(call).collect(),
        position: Position::of(rules, table, end.unwrap_or(&End::Halted(Halt::Watched)), events.into()),
    }
}
