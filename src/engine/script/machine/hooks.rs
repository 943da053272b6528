//! Who watches a run: what a hook is told, and what it sees of the calls in progress.

use super::code::{Code, FunctionCode, StatementCode, Step};
use super::run::Frame;
use super::value::V;
use crate::script::program::FunctionId;
use crate::table::Table;
use crate::table::event::ScriptPoint;

/// Somebody who watches a run: its statements, its steps, its calls. What nobody watches costs nothing.
pub(crate) trait Hook {
    /// Whether it is told of each statement, and may stop the run there.
    const WATCHES: bool = false;

    /// Whether it is told of each step.
    const STEPS: bool = false;

    /// Whether it is told of each call.
    const CALLS: bool = false;

    /// Whether it is told what each step is about to be made with.
    const READS: bool = false;

    /// A statement is about to be made; false stops the run before it.
    fn statement(&mut self, _moment: &Moment<'_>) -> bool {
        true
    }

    /// The steps that follow are those of this function.
    fn within(&mut self, _function: FunctionId) {}

    /// A step is about to be made.
    fn step(&mut self, _place: usize) {}

    /// The step before was not done and will be made again when the run goes on.
    fn again(&mut self) {}

    /// The rules could not go on at the step before.
    fn failed(&mut self) {}

    /// A function is called by another.
    fn call(&mut self, _function: FunctionId) {}

    /// A step is about to be made, with what stands in the registers.
    fn reads(&mut self, _step: Step, _code: &Code, _registers: &[V], _table: &Table) {}
}

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHook;

impl Hook for NoHook {}

/// The moment before a statement.
#[derive(Debug)]
pub struct Moment<'a> {
    /// The rules.
    pub code: &'a Code,
    /// The statement.
    pub statement: &'a StatementCode,
    /// The table.
    pub table: &'a Table,
    /// The calls.
    pub frames: Frames<'a>,
}

/// The calls of a run, the outermost first.
#[derive(Clone, Copy, Debug)]
pub struct Frames<'a> {
    pub(super) code: &'a Code,
    pub(super) stack: &'a [V],
    pub(super) frames: &'a [Frame],
    /// How many of the statements that begin at the next step have been told of.
    pub(super) told: u16,
}

impl<'a> Frames<'a> {
    /// How many calls there are.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// The function of a call, by its depth: 0 is the outermost.
    pub fn function(&self, depth: usize) -> Option<(FunctionId, &'a FunctionCode)> {
        let frame = self.frames.get(depth)?;
        Some((frame.function, self.code.functions.get(usize::from(frame.function))?))
    }

    /// Where a call has come to.
    pub fn point(&self, depth: usize) -> Option<ScriptPoint> {
        let (_, function) = self.function(depth)?;
        let frame = self.frames.get(depth)?;
        // A call that waits for another stands behind the step that made it.
        let behind = u32::from(depth + 1 < self.frames.len());
        function.points.get(frame.place.saturating_sub(behind) as usize).copied()
    }

    /// The statement that a call is at: the innermost that its step belongs to, or the one that it stopped before.
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

    /// The value in a register of a call; slots are the first registers.
    pub fn register(&self, depth: usize, register: u16) -> Option<&'a V> {
        let frame = self.frames.get(depth)?;
        self.stack.get(frame.base as usize + usize::from(register))
    }
}
