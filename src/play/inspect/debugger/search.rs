//! Searches a run for breakpoints: statements, events, and changes of values.

use super::Reason;
use super::places::{Breakpoint, Places, Target};
use super::recorded_path::{Checkpoint, Place, Watch};
use crate::catalogue::{Message, message};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::inspect::pattern::Pattern;
use crate::script::machine::hooks::{Frames, StatementContext};
use crate::script::paused::{self, Call, Expression, InspectionResult, PausedEvaluator};
use crate::table::Table;
use crate::table::event::{Event, ScriptPoint};

/// Which breakpoint to look for.
#[derive(Clone, Copy)]
pub(super) enum Goal {
    /// The first one after a place.
    FirstAfter(Place),
    LastBefore(Place),
}

/// Watches a run until a breakpoint is found.
pub(super) struct Search<'p> {
    places: &'p Places,
    wanted: Goal,
    /// The place after which the search ends.
    limit: Option<Place>,
    traps: Vec<ArmedBreakpoint>,
    looker: PausedEvaluator,
    /// The statement found, and the reason to stop.
    pub found: Option<(Place, Reason)>,
    /// An error in an expression of a breakpoint.
    pub error: Option<Diagnostic>,
    /// The number of recorded events already examined.
    events: usize,
    calls: Vec<OpenCall>,
}

/// A breakpoint prepared for a search.
struct ArmedBreakpoint {
    number: usize,
    waits: TrapKind,
    condition: Option<Expression>,
}

enum TrapKind {
    Sites(Vec<usize>),
    Event(Pattern),
    Change(Box<Watchpoint>),
}

/// A watched expression with its last value.
struct Watchpoint {
    text: String,
    expression: Expression,
    last: Option<String>,
    /// The last value in each call, by call depth, for an expression with local names.
    of_calls: Vec<Option<String>>,
}

/// A call on the stack, at its current statement.
struct OpenCall {
    site: usize,
    /// The depth in the call stack of the virtual machine.
    depth: usize,
    /// Where the statement began; `None` if that was before this search.
    place: Option<Place>,
    /// For each breakpoint, what its condition was there.
    conditions: Vec<Condition>,
}

/// What the condition of a breakpoint was at a statement. Without one, it held.
#[derive(Clone)]
enum Condition {
    Held,
    /// It did not hold, or has a name that is unknown there.
    Failed,
    /// It could not be read, and why.
    Unreadable(Message),
}

impl OpenCall {
    /// Where its statement began, and what the condition of a breakpoint was there.
    fn at(&self, breakpoint: usize) -> (Option<Place>, Condition) {
        (self.place, self.conditions.get(breakpoint).cloned().unwrap_or(Condition::Held))
    }
}

impl<'p> Search<'p> {
    /// A search that begins at a checkpoint.
    ///
    /// # Errors
    /// A condition or a watched expression does not parse.
    pub fn new(
        places: &'p Places,
        breakpoints: &[Breakpoint],
        (wanted, limit): (Goal, Option<Place>),
        from: &Checkpoint,
    ) -> Result<Self, Diagnostics> {
        let expression = |text: &String| Expression::new(places.rules(), text);
        let trap = |breakpoint: &Breakpoint| {
            let waits = match &breakpoint.target {
                Target::Event(pattern) => TrapKind::Event(pattern.clone()),
                Target::Change(text) => {
                    let expression = expression(text)?;
                    let watched = Watchpoint { text: text.clone(), expression, last: None, of_calls: Vec::new() };
                    TrapKind::Change(Box::new(watched))
                }
                place => TrapKind::Sites(places.sites_of(place)),
            };
            let condition = breakpoint.condition.as_ref().map(expression).transpose()?;
            Ok(ArmedBreakpoint { number: breakpoint.number, waits, condition })
        };
        let traps = breakpoints.iter().map(trap).collect::<Result<_, Diagnostics>>()?;
        let (looker, calls) = (PausedEvaluator::default(), Vec::new());
        let mut search = Self { places, wanted, limit, traps, looker, found: None, error: None, events: 0, calls };
        search.begin(from);
        Ok(search)
    }

    /// Reads calls and watched values before the first statement.
    fn begin(&mut self, from: &Checkpoint) {
        let (frames, table) = (from.run.frames(), &from.run.table);
        let calls = paused::calls(frames, self.places.sites());
        let passed =
            |call: &Call<'_>| OpenCall { site: call.site, depth: call.depth, place: None, conditions: Vec::new() };
        self.calls = calls.iter().map(passed).collect();
        for trap in &mut self.traps {
            let TrapKind::Change(watched) = &mut trap.waits else { continue };
            if calls.is_empty() {
                let seen = watched.expression.evaluate(self.places.rules(), &mut self.looker, table, None);
                watched.read(seen, ScriptPoint::default(), 0);
            }
            for call in &calls {
                let there = Some((frames, call.depth, call.statement));
                let seen = watched.expression.evaluate(self.places.rules(), &mut self.looker, table, there);
                watched.read(seen, call.statement.at, call.depth);
            }
        }
    }

    fn wants_last(&self) -> bool {
        matches!(self.wanted, Goal::LastBefore(_))
    }

    fn is_in_range(&self, place: Place) -> bool {
        match self.wanted {
            Goal::FirstAfter(after) => after < place && self.limit.is_none_or(|limit| place <= limit),
            Goal::LastBefore(before) => place < before,
        }
    }

    /// Records that a breakpoint is met at a place; of several, the wanted one is kept.
    fn find(&mut self, place: Option<Place>, reason: Reason) {
        let Some(place) = place.filter(|place| self.is_in_range(*place)) else { return };
        let is_nearer = match &self.found {
            Some((found, _)) if self.wants_last() => place > *found,
            Some((found, _)) => place < *found,
            None => true,
        };
        if is_nearer {
            self.found = Some((place, reason));
        }
    }

    /// Whether nothing better can follow: an enclosing statement may still cause its event later, although it began
    /// earlier.
    fn is_done(&self, place: Place) -> bool {
        let around = self.calls.iter().filter_map(|call| call.place);
        match (self.wanted, &self.found) {
            (Goal::FirstAfter(after), Some((found, _))) => {
                !around.into_iter().any(|place| after < place && place < *found)
            }
            (Goal::FirstAfter(after), None) => self
                .limit
                .is_some_and(|limit| place > limit && !around.into_iter().any(|place| after < place && place <= limit)),
            (Goal::LastBefore(before), found) => {
                let found = found.as_ref().map_or(Place::START, |(found, _)| *found);
                place >= before && !around.into_iter().any(|place| found < place && place < before)
            }
        }
    }

    /// Examines what happened since the last statement: events, and changes of watched values.
    fn look_back(&mut self, table: &Table, frames: Frames<'_>, here: Option<&Call<'_>>) {
        let recorded = table.recorded();
        let new = recorded.get(self.events..).unwrap_or_default();
        self.events = recorded.len();
        let mut traps = std::mem::take(&mut self.traps);
        for (index, trap) in traps.iter_mut().enumerate() {
            match &mut trap.waits {
                TrapKind::Event(pattern) => self.look_at_events(index, trap.number, pattern, new, table),
                TrapKind::Change(watched) => {
                    let there = here.map(|call| (frames, call.depth, call.statement));
                    let seen = watched.expression.evaluate(self.places.rules(), &mut self.looker, table, there);
                    if let Some(error) = unusable(trap.number, &seen) {
                        self.error = Some(error);
                        continue;
                    }
                    let at = here.map_or(ScriptPoint::default(), |call| call.statement.at);
                    let depth = here.map_or(0, |call| call.depth);
                    let Some((before, after, of_call)) = watched.read(seen, at, depth) else { continue };
                    let cause = match of_call {
                        true => self.calls.iter().rfind(|call| call.depth == depth),
                        false => self.cause(new.last().map_or(ScriptPoint::default(), |event| event.at)),
                    };
                    let Some(cause) = cause.map(|call| call.at(index)) else { continue };
                    self.find_if(cause, trap.number, Reason::Changes(trap.number, watched.text.clone(), before, after));
                }
                TrapKind::Sites(_) => {}
            }
        }
        self.traps = traps;
    }

    fn look_at_events(&mut self, index: usize, number: usize, pattern: &Pattern, new: &[Event], table: &Table) {
        let label = |component| table.label(component).to_string();
        for event in new.iter().filter(|event| pattern.fits(event, self.places.layout(), label)) {
            let Some(cause) = self.cause(event.at).map(|call| call.at(index)) else { continue };
            self.find_if(cause, number, Reason::Breakpoint(number, Some(Box::new(event.clone()))));
        }
    }

    /// Records that a breakpoint is met by what a statement caused, if its condition held at that statement.
    fn find_if(&mut self, (place, condition): (Option<Place>, Condition), number: usize, reason: Reason) {
        match condition {
            Condition::Held => self.find(place, reason),
            Condition::Unreadable(error) if place.is_some_and(|place| self.is_open(place)) => {
                self.error = Some(Diagnostic::new(error).help(takes_away(number)));
            }
            Condition::Unreadable(_) | Condition::Failed => {}
        }
    }

    /// Whether something met at a place would be kept: after a find, or out of the range of the search, nothing is.
    fn is_open(&self, place: Place) -> bool {
        self.is_in_range(place) && (self.wants_last() || self.found.is_none())
    }

    /// The statement that caused an event at a point: in the call stack at the last statement, the innermost call whose
    /// function contains the point, or else the innermost call.
    fn cause(&self, at: ScriptPoint) -> Option<&OpenCall> {
        let lies_in = |call: &&OpenCall| {
            let site = self.places.sites().get(call.site);
            let function = site.and_then(|site| self.places.functions().get(site.function));
            function.is_some_and(|function| function.at.line <= at.line && at.line <= function.last_line)
        };
        self.calls.iter().rev().find(lies_in).or(self.calls.last())
    }

    /// What the condition of each breakpoint is at a statement. One that cannot be evaluated is an error if its
    /// breakpoint is at this statement.
    fn conditions(&mut self, place: Place, moment: &StatementContext<'_>, here: &Call<'_>) -> Vec<Condition> {
        let is_open = self.is_open(place);
        let mut conditions = Vec::with_capacity(self.traps.len());
        for trap in &mut self.traps {
            let is_here = match &trap.waits {
                TrapKind::Sites(sites) => sites.contains(&here.site),
                // The awaited event may still come; then the condition as of now counts.
                TrapKind::Event(_) | TrapKind::Change(_) => true,
            };
            let Some(condition) = trap.condition.as_mut().filter(|_| is_here) else {
                conditions.push(if is_here { Condition::Held } else { Condition::Failed });
                continue;
            };
            let there = Some((moment.frames, here.depth, here.statement));
            let seen = condition.evaluate(self.places.rules(), &mut self.looker, moment.table, there);
            let is_at_statement = matches!(trap.waits, TrapKind::Sites(_));
            let said =
                |why: &Message| message!("the condition of breakpoint {} cannot be read here: {why}", trap.number);
            let condition = match &seen {
                InspectionResult::Value(_, Some(true)) => Condition::Held,
                InspectionResult::Value(_, Some(false)) => Condition::Failed,
                InspectionResult::Value(value, None) => Condition::Unreadable(message!(
                    "the condition of breakpoint {} is {value}, neither true nor false",
                    trap.number
                )),
                // The event may come in a function that knows the name.
                InspectionResult::Unknown(_) if !is_at_statement => Condition::Failed,
                InspectionResult::Fails(why) | InspectionResult::Unknown(why) | InspectionResult::Endless(why) => {
                    Condition::Unreadable(said(&why.first().message))
                }
                InspectionResult::Changes => {
                    self.error = unusable(trap.number, &seen);
                    break;
                }
            };
            // What takes too long would do so again at each statement until the event.
            let is_due = is_at_statement || matches!(seen, InspectionResult::Endless(_));
            if let Condition::Unreadable(error) = &condition
                && is_due
                && is_open
            {
                self.error = Some(Diagnostic::new(error.clone()).help(takes_away(trap.number)));
                break;
            }
            conditions.push(condition);
        }
        conditions
    }

    /// Examines the end of a run that nothing stopped.
    pub fn at_end(&mut self, at: &Checkpoint) {
        let frames = at.run.frames();
        let calls = paused::calls(frames, self.places.sites());
        self.look_back(&at.run.table, frames, calls.last());
    }
}

impl Watch for Search<'_> {
    fn statement(&mut self, place: Place, moment: &StatementContext<'_>) -> bool {
        if self.places.rules().work().is_stopped() {
            return false;
        }
        let calls = paused::calls(moment.frames, self.places.sites());
        let Some(here) = calls.last() else { return true };
        let is_first = self.places.sites().get(here.site).is_some_and(|site| site.is_first);
        for trap in &mut self.traps {
            if let TrapKind::Change(watched) = &mut trap.waits {
                // Values of other calls at this depth do not belong to this call.
                watched.of_calls.truncate(here.depth + usize::from(!is_first));
            }
        }
        self.look_back(moment.table, moment.frames, Some(here));
        if self.error.is_some() {
            return false;
        }
        let conditions = self.conditions(place, moment, here);
        if self.error.is_some() {
            return false;
        }
        let is_met = |(trap, condition): &(&ArmedBreakpoint, &Condition)| {
            matches!((&trap.waits, condition), (TrapKind::Sites(_), Condition::Held))
        };
        if let Some((trap, _)) = self.traps.iter().zip(&conditions).find(is_met) {
            let number = trap.number;
            self.find(Some(place), Reason::Breakpoint(number, None));
        }
        // Calls around the statement keep the conditions as of their own statements.
        self.calls.truncate(calls.len() - 1);
        for around in calls.iter().take(calls.len() - 1).skip(self.calls.len()) {
            self.calls.push(OpenCall { site: around.site, depth: around.depth, place: None, conditions: Vec::new() });
        }
        self.calls.push(OpenCall { site: here.site, depth: here.depth, place: Some(place), conditions });
        !self.is_done(place)
    }

    fn emptied(&mut self) {
        self.events = 0;
    }
}

impl Watchpoint {
    /// Takes the value seen at a statement of a call. Where it has changed, returns the old and new value, and whether
    /// the expression has local names of the call.
    fn read(&mut self, seen: InspectionResult, at: ScriptPoint, depth: usize) -> Option<(String, String, bool)> {
        let InspectionResult::Value(now, _) = seen else { return None };
        let of_call = self.expression.has_names_of(at);
        let last = if of_call {
            if self.of_calls.len() <= depth {
                self.of_calls.resize(depth + 1, None);
            }
            self.of_calls.get_mut(depth)?
        } else {
            &mut self.last
        };
        let before = last.replace(now.clone())?;
        (before != now).then_some((before, now, of_call))
    }
}

/// The error for an expression that cannot be used at any statement.
fn unusable(number: usize, seen: &InspectionResult) -> Option<Diagnostic> {
    let error = match seen {
        InspectionResult::Changes => message!("what breakpoint {number} looks at changes the table"),
        InspectionResult::Endless(why) => {
            message!("what breakpoint {number} looks at cannot be read: {}", why.first().message)
        }
        _ => return None,
    };
    Some(Diagnostic::new(error).help(takes_away(number)))
}

fn takes_away(number: usize) -> Message {
    message!("`delete {number}` takes it away")
}
