//! The rules' scripts: how they are read, layered, checked and run, and the words that they use.
//!
//! Scripts are read once into a [`program`], looked through by [`check`], and compiled into steps for the [`machine`]. The
//! rest of the host meets them through [`Rules`](rules::Rules) alone: begin a run, go on with it, try something out.
//!
//! What scripts never see: files, network, clock, environment, other modules, text run as script. They know the words of
//! the [`vocabulary`] only.
//!
//! With the feature `reference`, which tests and benchmarks switch on, Rhai's own evaluator runs the same rules, so that
//! both can be compared.

pub mod appraisal;
pub mod check;
pub mod codes;
pub mod format;
pub mod host_functions;
pub mod instead;
pub mod layering;
pub mod machine;
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
pub mod surface;
pub mod tokens;
pub mod trouble;
pub mod vocabulary;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::table::decision::Halt;
use crate::table::value::Value;
use crate::table::{Recording, State};
use crate::work::interrupted;

/// Most entries of a list in a script.
pub const MAX_LIST: usize = 2_048;

/// Most bytes of a text in a script.
const MAX_TEXT: usize = 4 << 10;

/// What an expression that a person typed is called in messages.
pub const TYPED: &str = "typed";

/// Most bytes of an expression that a person types.
const MAX_EXPRESSION: usize = 4 << 10;

/// Deepest nesting of script calls.
pub const MAX_CALLS: usize = 96;

/// Where a run begins.
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
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
    Failed(Diagnostics),
    /// The game had more decisions or changes than one game may have.
    Endless(Diagnostics),
}

/// Why nothing came of trying something out.
#[derive(Clone, Debug, PartialEq)]
pub enum EvaluationError {
    /// It asks a player, and nobody answers.
    Asks,
    /// The rules could not go on.
    Failed(Diagnostics),
    /// Others have used up the time for it, or somebody did not want to wait.
    LeftOut,
}

impl From<EvaluationError> for Diagnostics {
    fn from(untried: EvaluationError) -> Self {
        match untried {
            EvaluationError::Failed(diagnostic) => diagnostic,
            EvaluationError::LeftOut => interrupted().into(),
            EvaluationError::Asks => Diagnostic::new("this asks a player, and nobody answers here")
                .help("`eval` is for looking; play on to be asked")
                .into(),
        }
    }
}

/// What came of trying something out.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The result, as a person reads it.
    pub result: String,
    /// The result, or the entries of a list, where the table could hold it.
    pub value: Option<Value>,
    /// What happened on the copy.
    pub recording: Recording,
}
