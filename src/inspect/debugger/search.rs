//! A run that is watched until a goal is met: a statement, a depth of calls, a breakpoint.

use super::{Breakpoint, Reason, Target, Watched};
use crate::diagnostic::Diagnostic;
use crate::inspect::pattern::Pattern;
use crate::playthrough::run::Outcome;
use crate::script::layering::FunctionInfo;
use crate::script::stepping::{Expression, Frame, Moment, Seen, Shown, Site, Stepper, Watcher};
use crate::table::event::{Event, ScriptPoint};
use crate::table::layout::Layout;
use crate::table::value::Component;
use std::sync::Arc;

/// Where a run is to be stopped.
pub(super) enum Goal {
    /// Before the statement of that number.
    Step(u64),
    /// Before the first statement after so many decisions.
    AfterDecisions(usize),
    /// Before the first statement with no more calls around it.
    Depth { after: u64, most: usize },
    /// Before the last statement with no more calls around it.
    LastDepth { before: u64, most: usize },
    /// At the first of some breakpoints.
    First { after: u64, breakpoints: Vec<Breakpoint> },
    /// At the last of some breakpoints.
    Last { before: u64, breakpoints: Vec<Breakpoint> },
}

/// A breakpoint as a run looks at it.
struct Trap {
    number: usize,
    what: Waits,
    condition: Option<Expression>,
}

enum Waits {
    Sites(Vec<usize>),
    Event(Pattern),
    Change { text: String, expression: Expression, last: Option<String> },
}

/// Watches a run until its goal is met.
#[derive(Default)]
pub(super) struct Search {
    goal: Option<Goal>,
    traps: Vec<Trap>,
    layout: Option<Arc<Layout>>,
    functions: Arc<[FunctionInfo]>,
    sites: Arc<[Site]>,
    /// The statement that the goal was met at, and why.
    pub(super) found: Option<(u64, Reason)>,
    /// Whether the run was ended here.
    pub(super) is_stopped: bool,
    /// Why an expression of a breakpoint cannot be used.
    pub(super) error: Option<Diagnostic>,
    /// How many events the last statement has seen.
    events: usize,
    /// The calls at the last statement: site and step, and for each trap whether its condition held.
    calls: Vec<Passed>,
}

struct Passed {
    site: usize,
    step: u64,
    held: Vec<bool>,
}

impl Search {
    pub(super) fn new(watched: &Watched, stepper: &Stepper, goal: Goal) -> Result<Self, Diagnostic> {
        let breakpoints = match &goal {
            Goal::First { breakpoints, .. } | Goal::Last { breakpoints, .. } => breakpoints.as_slice(),
            _ => &[],
        };
        let trap = |breakpoint: &Breakpoint| {
            let expression = |text: &String| stepper.expression(text).map_err(|error| *error);
            let what = match &breakpoint.target {
                Target::Event(pattern) => Waits::Event(pattern.clone()),
                Target::Change(text) => Waits::Change { text: text.clone(), expression: expression(text)?, last: None },
                place => Waits::Sites(watched.sites_of(place)),
            };
            let condition = breakpoint.condition.as_ref().map(expression).transpose()?;
            Ok(Trap { number: breakpoint.number, what, condition })
        };
        let traps = breakpoints.iter().map(trap).collect::<Result<_, Diagnostic>>()?;
        Ok(Self {
            goal: Some(goal),
            traps,
            layout: Some(watched.layout.clone()),
            functions: watched.functions.clone(),
            sites: watched.sites.clone(),
            ..Self::default()
        })
    }

    pub(super) fn wants_last(&self) -> bool {
        matches!(self.goal, Some(Goal::Last { .. } | Goal::LastDepth { .. }))
    }

    /// Between which statements something is looked for, both left out.
    fn range(&self) -> (u64, u64) {
        match self.goal {
            Some(Goal::First { after, .. } | Goal::Depth { after, .. }) => (after, u64::MAX),
            Some(Goal::Last { before, .. } | Goal::LastDepth { before, .. }) => (0, before),
            _ => (0, u64::MAX),
        }
    }

    fn is_in_range(&self, step: u64) -> bool {
        let (after, before) = self.range();
        after < step && step < before
    }

    fn find(&mut self, step: u64, reason: Reason) {
        let wants_last = self.wants_last();
        let is_nearer = match &self.found {
            Some((found, _)) if wants_last => step > *found,
            Some((found, _)) => step < *found,
            None => true,
        };
        if self.is_in_range(step) && is_nearer {
            self.found = Some((step, reason));
        }
    }

    /// What was caused since the last statement: events, and changes of what is watched.
    fn look_back(&mut self, events: &[Event], label: impl Fn(Component) -> String, seen: Vec<Option<Seen>>) {
        let Some(layout) = self.layout.clone() else { return };
        let new: Vec<Event> = events.get(self.events..).unwrap_or_default().to_vec();
        self.events = events.len();
        for index in 0..self.traps.len() {
            let number = self.traps[index].number;
            match &self.traps[index].what {
                Waits::Event(pattern) => {
                    let pattern = pattern.clone();
                    for event in new.iter().filter(|event| pattern.fits(event, &layout, &label)) {
                        let Some(call) = self.cause(event.at) else { continue };
                        if call.held.get(index) != Some(&false) {
                            let step = call.step;
                            self.find(step, Reason::Breakpoint(number, Some(Box::new(event.clone()))));
                        }
                    }
                }
                Waits::Change { text, last, .. } => {
                    let (text, last) = (text.clone(), last.clone());
                    let Some(Some(Seen::Value(Shown { shown: now, .. }))) = seen.get(index) else { continue };
                    if let Some(last) = last.filter(|last| last != now) {
                        let at = new.last().map_or(ScriptPoint::default(), |event| event.at);
                        if let Some(call) = self.cause(at)
                            && call.held.get(index) != Some(&false)
                        {
                            let step = call.step;
                            self.find(step, Reason::Changes(number, text, last, now.clone()));
                        }
                    }
                    if let Waits::Change { last, .. } = &mut self.traps[index].what {
                        *last = Some(now.clone());
                    }
                }
                Waits::Sites(_) => {}
            }
        }
    }

    /// The statement that caused what happened at a point: of the calls at the last statement, the innermost whose
    /// function the point lies in; where there is none, the last statement.
    fn cause(&self, at: ScriptPoint) -> Option<&Passed> {
        let lies_in = |call: &&Passed| {
            let function = self.sites.get(call.site).and_then(|site| self.functions.get(site.function));
            function.is_some_and(|function| function.at.line <= at.line && at.line <= function.last_line)
        };
        self.calls.iter().rev().find(lies_in).or(self.calls.last())
    }

    /// The end of a run that nothing stopped.
    pub(super) fn at_end(&mut self, stepper: &Stepper, frames: &[Frame], events: &[Event], outcome: &Outcome) {
        let Some(layout) = self.layout.clone() else { return };
        let frame = frames.last();
        let see = |trap: &Trap| match &trap.what {
            Waits::Change { expression, .. } => frame.map(|frame| stepper.see(frame, expression)),
            _ => None,
        };
        let seen = self.traps.iter().map(see).collect();
        let faces = &outcome.table.faces;
        let label = |component: crate::table::value::Component| {
            layout.faces[usize::from(faces[component.index()])].id.to_string()
        };
        self.look_back(events, label, seen);
    }
}

impl Watcher for Search {
    fn begin(&mut self) {
        self.found = None;
        self.is_stopped = false;
        self.events = 0;
        self.calls.clear();
        for trap in &mut self.traps {
            if let Waits::Change { last, .. } = &mut trap.what {
                *last = None;
            }
        }
    }

    fn statement(&mut self, moment: &Moment<'_>) -> bool {
        let Some(frame) = moment.frames.last() else { return true };
        let step = moment.step;
        if !self.traps.is_empty() && !self.look_at(moment, frame) {
            self.is_stopped = true;
            return false;
        }
        let depth = moment.frames.len();
        let (after, before) = self.range();
        let is_met = match self.goal {
            Some(Goal::Step(wanted)) => step == wanted,
            Some(Goal::AfterDecisions(count)) => moment.table().decisions() >= count,
            Some(Goal::Depth { most, .. }) => step > after && depth <= most,
            Some(Goal::LastDepth { most, .. }) if step < before && depth <= most => {
                self.found = Some((step, Reason::Stepped));
                false
            }
            _ => false,
        };
        if is_met {
            self.found = Some((step, Reason::Stepped));
        }
        let is_done = match &self.found {
            // Statements that were begun before the end of the search may still cause what is waited for.
            _ if matches!(self.goal, Some(Goal::Last { .. })) => {
                step >= before && !moment.frames.iter().any(|frame| frame.step < before)
            }
            _ if self.wants_last() => step >= before,
            // So may a statement around the one that was found, and it comes before it.
            Some((found, _)) if matches!(self.goal, Some(Goal::First { .. })) => {
                !moment.frames.iter().any(|frame| after < frame.step && frame.step < *found)
            }
            Some(_) => true,
            None => false,
        };
        self.is_stopped = is_done;
        !is_done
    }
}

impl Search {
    /// Looks at the traps before a statement; false where one of their expressions cannot be used.
    fn look_at(&mut self, moment: &Moment<'_>, frame: &Frame) -> bool {
        let see = |trap: &Trap| match &trap.what {
            Waits::Change { expression, .. } => Some(moment.see(expression)),
            _ => None,
        };
        let seen: Vec<Option<Seen>> = self.traps.iter().map(see).collect();
        let held: Vec<Option<Seen>> = self
            .traps
            .iter()
            .map(|trap| match &trap.what {
                Waits::Sites(sites) if !sites.contains(&frame.site) => None,
                _ => trap.condition.as_ref().map(|condition| moment.see(condition)),
            })
            .collect();
        for (trap, looked) in self.traps.iter().zip(seen.iter().zip(&held)) {
            if matches!(looked, (Some(Seen::Changes), _) | (_, Some(Seen::Changes))) {
                let error = format!("what breakpoint {} looks at changes the table", trap.number);
                self.error = Some(Diagnostic::new(error).help(format!("`delete {}` takes it away", trap.number)));
                return false;
            }
            // Waiting for an event, a condition is looked at everywhere, so that it may fail elsewhere.
            let is_place = matches!(trap.what, Waits::Sites(_));
            let why = match looked {
                (Some(Seen::Fails(why)), _) | (_, Some(Seen::Fails(why))) if is_place || moment.ended().is_some() => {
                    why
                }
                (_, Some(Seen::Unknown(why))) if is_place => why,
                _ => continue,
            };
            // Behind what was found nothing has to be read any more, and before the search nothing yet.
            let is_found = self.found.is_some() && !self.wants_last();
            if moment.ended().is_none() && (is_found || !self.is_in_range(moment.step)) {
                continue;
            }
            if !is_found {
                let error = format!("the condition of breakpoint {} cannot be read here: {why}", trap.number);
                self.error = Some(Diagnostic::new(error).help(format!("`delete {}` takes it away", trap.number)));
            }
            return false;
        }
        {
            let table = moment.table();
            self.look_back(table.recorded(), |component| table.label(component).to_string(), seen);
        }
        let held: Vec<bool> = held
            .into_iter()
            .map(|seen| matches!(seen, None | Some(Seen::Value(Shown { is_true: true, .. }))))
            .collect();
        let is_here = |trap: &Trap| matches!(&trap.what, Waits::Sites(sites) if sites.contains(&frame.site));
        let met = self.traps.iter().zip(&held).find(|(trap, held)| **held && is_here(trap));
        if let Some(number) = met.map(|(trap, _)| trap.number) {
            self.find(moment.step, Reason::Breakpoint(number, None));
        }
        // The calls around the statement keep what held when they came to theirs.
        self.calls.truncate(moment.frames.len().saturating_sub(1));
        for around in moment.frames.iter().take(moment.frames.len().saturating_sub(1)).skip(self.calls.len()) {
            self.calls.push(Passed { site: around.site, step: around.step, held: Vec::new() });
        }
        self.calls.push(Passed { site: frame.site, step: frame.step, held });
        true
    }
}
