//! The rules' scripts: how they are read, layered, checked and run, and the words that they use.
//!
//! The rest of the host meets scripts through the [`Rules`] trait alone: run the game, try something out on a copy of
//! the table, look at the table. What implements it today is [`Interpreter`]; a faster executor can stand beside it.
//!
//! What scripts never see: files, network, clock, environment, other modules, text run as script. The engine is built
//! from nothing and knows the words of [`vocabulary`] only. Everything that touches a value of the interpreter stays on
//! the thread that owns it; [`worker`] gives that thread a stack that no script can exhaust.

pub mod check;
pub mod codes;
pub mod guard;
pub mod layering;
pub mod looking;
pub mod machine;
pub mod meter;
pub mod parser;
pub mod program;
pub mod read;
mod reference;
pub mod rules;
pub mod sorts;
mod syntax;
pub mod trouble;
pub mod vocabulary;
pub mod worker;
pub mod written;

pub use reference::Interpreter;

use crate::diagnostic::Diagnostic;
use crate::table::decision::{Answers, Halt};
use crate::table::value::Value;
use crate::table::{Recording, State, Table};
use crate::work::{Work, interrupted};
use layering::FunctionInfo;
use std::cell::Ref;
use std::sync::Arc;

/// Most entries of a list in a script.
pub const MAX_LIST: usize = 2_048;

/// Most bytes of a text in a script.
const MAX_TEXT: usize = 4 << 10;

/// What an expression that a person typed is called in messages.
const TYPED: &str = "typed";

/// Most bytes of an expression that a person types.
const MAX_EXPRESSION: usize = 4 << 10;

/// Where a run begins.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// With `game()`, on an empty table.
    Game,
    /// With an expression, on a table that was laid before: how scenarios try single rules.
    Call {
        /// The expression, such as `turn(p1)`.
        expression: String,
        /// The table as it lies before.
        table: Box<State>,
    },
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// The rules came to their end.
    Finished,
    /// A decision is open, or whoever answered ended the run.
    Halted(Halt),
    /// The rules could not go on.
    Failed(Box<Diagnostic>),
    /// The game had more decisions or changes than one game may have.
    Endless(Box<Diagnostic>),
}

/// What the host asks of whoever executes rules.
pub trait Rules {
    /// Runs from the beginning until the game ends or a decision stays open.
    fn run(&mut self, entry: &Entry, seed: u64, answers: Box<dyn Answers>, recording: Option<Recording>) -> End;

    /// The table as the last run left it.
    fn table(&self) -> Ref<'_, Table>;

    /// Takes what the last run recorded.
    fn finish(&mut self) -> Option<Recording>;

    /// Calls a function with one seat or zone on a copy of the table and gives its result as text, with what it caused.
    ///
    /// # Errors
    /// Whatever the function runs into.
    fn try_out(&mut self, function: &str, argument: Value) -> Result<TriedOut, Untried>;

    /// Evaluates an expression on a copy of the table.
    ///
    /// # Errors
    /// Whatever the expression runs into.
    fn evaluate(&mut self, expression: &str) -> Result<TriedOut, Box<Diagnostic>>;

    /// As [`Self::try_out`] for several calls, with one budget for all of them, as a drawing needs it. The call that uses
    /// it up fails, and those behind it are left out.
    fn try_all(&mut self, calls: &[(&str, Value)]) -> Vec<Result<TriedOut, Untried>>;

    /// Whether an expression could be evaluated, as far as its grammar goes.
    ///
    /// # Errors
    /// It does not parse.
    fn parse(&self, expression: &str) -> Result<(), Box<Diagnostic>>;

    /// Every function that the scripts define.
    fn functions(&self) -> &[FunctionInfo];

    /// The wire to whoever waits for a run.
    fn work(&self) -> Arc<Work>;
}

/// Why nothing came of trying something out.
#[derive(Clone, Debug, PartialEq)]
pub enum Untried {
    /// It asks a player, and nobody answers.
    Asks,
    /// The rules could not go on.
    Failed(Box<Diagnostic>),
    /// Others have used up the time for it, or somebody did not want to wait.
    LeftOut,
}

impl From<Untried> for Box<Diagnostic> {
    fn from(untried: Untried) -> Self {
        match untried {
            Untried::Failed(diagnostic) => diagnostic,
            Untried::LeftOut => interrupted().into(),
            Untried::Asks => Diagnostic::new("this asks a player, and nobody answers here")
                .help("`eval` is for looking; play on to be asked")
                .into(),
        }
    }
}

/// What came of trying something out.
#[derive(Clone, Debug)]
pub struct TriedOut {
    /// The result, as a person reads it.
    pub result: String,
    /// The result, or the entries of a list, where the table could hold it.
    pub value: Option<Value>,
    /// What happened on the copy.
    pub recording: Recording,
}
