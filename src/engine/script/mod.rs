//! The scripts of rules: how they are read, layered, checked and run, and the vocabulary that they use.
//!
//! Scripts are parsed once into a [`program`], examined by [`check`], and compiled to bytecode for the [`machine`]. The
//! rest of the host uses them only through [`Rules`](rules::Rules): begin a run, continue it, evaluate something.
//!
//! Scripts have no access to files, network, clock, environment or other modules, and cannot run text as script. They
//! know only the words of the [`vocabulary`].
//!
//! With the feature `reference`, which tests and benchmarks switch on, Rhai's own evaluator runs the same rules, so
//! that the results of both can be compared.

pub mod appraisal;
pub mod check;
pub mod codes;
pub mod error_messages;
pub mod format;
pub mod functions;
pub mod host_functions;
pub mod instead;
pub mod layering;
pub mod machine;
pub mod masked_script;
pub mod outline;
mod parse_errors;
pub mod parser;
pub mod paused;
pub mod pretty;
pub mod program;
pub mod read;
#[cfg(feature = "reference")]
#[allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "it is beside the product, and runs on the host"
)]
pub mod reference;
pub mod rules;
pub mod sorts;
mod token_tap;
pub mod tokens;
pub mod vocabulary;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::table::decision::Halt;
use crate::table::value::Value;
use crate::table::{Recording, State};
use crate::work::interrupted;

/// Maximum number of entries of a list in a script, those of lists inside it included.
pub const MAX_LIST_ENTRIES: usize = 2_048;

/// Maximum length of a text in a script, in bytes.
const MAX_TEXT: usize = 4 << 10;

/// The source name of an expression that a person typed, as messages show it.
pub const TYPED_SOURCE: &str = "typed";

/// Maximum length of an expression that a person types, in bytes.
const MAX_EXPRESSION: usize = 4 << 10;

/// Maximum depth of the call stack of a script.
pub const MAX_CALL_DEPTH: usize = 96;

/// The entry point of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    /// Calls `game()` on an empty table.
    Game,
    /// Evaluates an expression on a prepared table: how scenarios test single rules.
    Call {
        /// The expression, such as `turn(p1)`.
        expression: String,
        /// The table before the run.
        table: Box<State>,
    },
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// The rules ran to their end.
    Finished,
    /// A decision is open, or the run was halted for another reason.
    Halted(Halt),
    /// The rules failed with an error.
    Failed(Diagnostics),
    /// The game had more decisions or changes than one game may have.
    Endless(Diagnostics),
}

/// Why an evaluation gave no result.
#[derive(Clone, Debug, PartialEq)]
pub enum EvaluationError {
    /// The evaluation asks a player, and nobody answers.
    Asks,
    /// The evaluation failed with an error.
    Failed(Diagnostics),
    /// The shared time budget was used up before this evaluation, or the work was stopped.
    OutOfBudgetOrStopped,
}

impl From<EvaluationError> for Diagnostics {
    fn from(untried: EvaluationError) -> Self {
        match untried {
            EvaluationError::Failed(diagnostic) => diagnostic,
            EvaluationError::OutOfBudgetOrStopped => interrupted().into(),
            EvaluationError::Asks => Diagnostic::new("this asks a player, and nobody answers here")
                .help("`eval` is for looking; play on to be asked")
                .into(),
        }
    }
}

/// The result of an evaluation on a copy of the table.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The result as text for people.
    pub result: String,
    /// The result as a value of the table; `None` where the table cannot hold it.
    pub value: Option<Value>,
    /// The events that the evaluation caused on the copy.
    pub recording: Recording,
}
