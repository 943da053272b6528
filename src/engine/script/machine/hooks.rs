//! Hooks: observers of a run, and their view of the call stack.

use super::code::{Code, FunctionCode, StatementCode};
use super::run::Frame;
use super::value::RegisterValue;
use crate::script::program::FunctionId;
use crate::table::Table;
use crate::table::event::ScriptPoint;

/// An observer of a run: of its statements, steps and calls. Events that no hook observes cost nothing.
pub(crate) trait Hook {
    /// Whether the hook is told of each statement, and may stop the run there.
    const WATCHES: bool = false;

    /// Whether the hook is told of each step.
    const STEPS: bool = false;

    /// Whether the hook is told of each call.
    const CALLS: bool = false;

    /// Whether the hook is told of nothing that happens within a call but of the calls in it, so that a call whose result
    /// is known need not be made.
    const SKIPS: bool = false;

    /// Called before each statement; false stops the run there.
    fn statement(&mut self, _moment: &StatementContext<'_>) -> bool {
        true
    }

    /// Called when the steps that follow are those of this function.
    fn within(&mut self, _function: FunctionId) {}

    /// Called before each step.
    fn step(&mut self, _place: usize) {}

    /// Called when the step before was not done, and will be repeated when the run continues.
    fn again(&mut self) {}

    /// Called when the rules failed at the step before.
    fn failed(&mut self) {}

    /// Called when a function is called by another.
    fn call(&mut self, _function: FunctionId) {}
}

/// A hook that observes nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHook;

impl Hook for NoHook {
    const SKIPS: bool = true;
}

/// The state of a run before a statement.
#[derive(Debug)]
pub struct StatementContext<'a> {
    /// The compiled rules.
    pub code: &'a Code,
    /// The statement that comes next.
    pub statement: &'a StatementCode,
    /// The table.
    pub table: &'a Table,
    /// The call stack.
    pub frames: Frames<'a>,
}

/// The call stack of a run, the outermost call first.
#[derive(Clone, Copy, Debug)]
pub struct Frames<'a> {
    pub(super) code: &'a Code,
    pub(super) stack: &'a [RegisterValue],
    pub(super) frames: &'a [Frame],
    /// How many of the statements that begin at the next step the hook has been told of.
    pub(super) told: u16,
}

impl<'a> Frames<'a> {
    /// Number of calls.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether there are no calls.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// The function of the call at a depth, where 0 is the outermost; `None` if there is no such call.
    pub fn function(&self, depth: usize) -> Option<(FunctionId, &'a FunctionCode)> {
        let frame = self.frames.get(depth)?;
        Some((frame.function, self.code.functions.get(usize::from(frame.function))?))
    }

    /// The point that the call at a depth has reached; `None` if there is no such call.
    pub fn point(&self, depth: usize) -> Option<ScriptPoint> {
        let (_, function) = self.function(depth)?;
        let frame = self.frames.get(depth)?;
        // A call that waits for another is at the step behind the one that made the call.
        let behind = u32::from(depth + 1 < self.frames.len());
        function.points.get(frame.place.saturating_sub(behind) as usize).copied()
    }

    /// The statement that the call at a depth is at: the innermost that its step belongs to, or the one that it stopped
    /// before.
    pub fn statement(&self, depth: usize) -> Option<&'a StatementCode> {
        let (_, function) = self.function(depth)?;
        let frame = self.frames.get(depth)?;
        let is_innermost = depth + 1 == self.frames.len();
        let begin = function.begins.get(frame.place as usize).copied().unwrap_or(0);
        if is_innermost && self.told > 0 && begin > 0 {
            return function.statements.get(usize::from(begin - 1) + usize::from(self.told - 1));
        }
        let place = frame.place.saturating_sub(u32::from(!is_innermost));
        let holds = |one: &&StatementCode| u32::from(one.place) <= place && place < u32::from(one.end);
        function.statements.iter().rev().find(holds)
    }

    /// The value in a register of the call at a depth; slots are the first registers.
    pub fn register(&self, depth: usize, register: u16) -> Option<&'a RegisterValue> {
        let frame = self.frames.get(depth)?;
        self.stack.get(frame.base as usize + usize::from(register))
    }
}
