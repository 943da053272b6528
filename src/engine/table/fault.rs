//! Why a word of the vocabulary could not do what it was asked to.

use crate::diagnostic::{Diagnostic, Help, Message, unknown};
use crate::table::decision::Halt;

/// Why a word of the vocabulary could not do what it was asked to.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// The rules asked for something impossible.
    Rule {
        /// One sentence, in lower case.
        message: Message,
        /// Advice how to go on.
        help: Option<Help>,
    },
    /// The run stops: a decision is open, or a limit was reached.
    Halt(Halt),
}

impl Fault {
    /// A fault of the rules: something impossible, in one sentence.
    pub fn rule(message: impl Into<Message>) -> Self {
        Self::Rule { message: message.into(), help: None }
    }

    /// Adds advice how to go on, in place of other advice.
    #[must_use]
    pub fn help(self, advice: impl Into<Help>) -> Self {
        match self {
            Self::Rule { message, .. } => Self::Rule { message, help: Some(advice.into()) },
            halt @ Self::Halt(_) => halt,
        }
    }

    /// A fault of the rules: an unknown name of a `sort`, with the nearest known one.
    pub fn unknown<'a>(sort: impl Into<Message>, name: &str, known: impl Iterator<Item = &'a str>) -> Self {
        let Diagnostic { message, help, .. } = unknown(sort, name, known);
        Self::Rule { message, help: help.into_iter().next() }
    }
}

impl From<Fault> for Message {
    /// The fault in one sentence, with its help behind it.
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Rule { message, help: None } => message,
            Fault::Rule { message, help: Some(help) } => Self::list([message, help.text], "; "),
            Fault::Halt(Halt::Limit(reason)) => reason,
            Fault::Halt(_) => "the run ended here".into(),
        }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&Message::from(self.clone()))
    }
}
