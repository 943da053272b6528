//! Why a word of the vocabulary could not do what it was asked to.

use crate::diagnostic::{Diagnostic, Help, unknown};
use crate::table::decision::Halt;

/// Why a word of the vocabulary could not do what it was asked to.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// The rules asked for something impossible.
    Rule {
        /// One sentence, in lower case.
        message: String,
        /// Advice how to go on.
        help: Option<Help>,
    },
    /// The run stops: a decision is open, or a limit was reached.
    Halt(Halt),
}

impl Fault {
    /// A fault of the rules: something impossible, in one sentence.
    pub fn rule(message: impl Into<String>) -> Self {
        Self::Rule { message: message.into(), help: None }
    }

    /// A fault of the rules: an unknown name of a `sort`, with the nearest known one.
    pub fn unknown<'a>(sort: &str, name: &str, known: impl Iterator<Item = &'a str>) -> Self {
        let Diagnostic { message, help, .. } = unknown(sort, name, known);
        Self::Rule { message, help: help.into_iter().next() }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rule { message, help: None } => write!(f, "{message}"),
            Self::Rule { message, help: Some(help) } => write!(f, "{message}; {}", help.text),
            Self::Halt(Halt::Limit(reason)) => write!(f, "{reason}"),
            Self::Halt(_) => write!(f, "the run ended here"),
        }
    }
}
