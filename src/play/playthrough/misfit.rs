//! An entry of a log that does not fit the rules, and why.

use crate::playthrough::chosen::Chosen;
use crate::playthrough::log::Entry;
use crate::table::event::ScriptPoint;
use crate::table::value::Seat;
use std::fmt;
use std::sync::Arc;

/// An entry of a log that does not fit the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Misfit {
    /// Its number, from 1.
    pub number: usize,
    pub entry: Entry,
    /// Why it does not fit.
    pub reason: MisfitReason,
    /// Where in the rules something else is asked instead; nothing where the game is over before it.
    pub at: Option<ScriptPoint>,
}

/// Why an entry of a log does not fit the rules.
#[derive(Clone, Debug, PartialEq)]
pub enum MisfitReason {
    /// The game is over before it.
    Over,
    /// The rules ask something there, and the entry is no answer.
    NotChoice,
    /// The rules ask something else there.
    OtherQuestion {
        /// Who is asked.
        seat: Option<Seat>,
        /// What is asked.
        prompt: Arc<str>,
        /// What for, where the same prompt was answered for something else.
        purpose: Option<Arc<str>>,
    },
    /// It chooses too few or too many options.
    Count {
        /// The fewest that have to be chosen.
        min: usize,
        /// The most that may be.
        max: usize,
    },
    /// Something was chosen that is not offered.
    NoOption {
        /// What was chosen.
        value: Chosen,
        /// What is asked.
        prompt: Arc<str>,
    },
    /// Something was chosen that can be several options.
    Ambiguous {
        /// What was chosen.
        value: Chosen,
        /// The labels of those options.
        labels: Vec<String>,
        /// What is asked.
        prompt: Arc<str>,
    },
    /// A change by hand cannot be made.
    ByHand(String),
}

impl MisfitReason {
    /// The reason in front of somebody who may not know what was chosen: `hidden` stands for it.
    pub fn without_choice(self, hidden: &str) -> Self {
        let value = Chosen::Label(hidden.into());
        match self {
            Self::NoOption { prompt, .. } => Self::NoOption { value, prompt },
            Self::Ambiguous { prompt, .. } => Self::Ambiguous { value, labels: vec![hidden.into()], prompt },
            Self::Over | Self::NotChoice | Self::OtherQuestion { .. } | Self::Count { .. } | Self::ByHand(_) => self,
        }
    }
}

impl fmt::Display for MisfitReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Over => f.write_str("the game is over before it"),
            Self::NotChoice => f.write_str("it is not a choice"),
            Self::OtherQuestion { seat, prompt, purpose } => {
                let who = seat.map_or(String::new(), |seat| format!("{seat} "));
                match purpose {
                    Some(purpose) => write!(f, "{who}{} for {purpose} is asked instead", prompt),
                    None => write!(f, "{who}{} is asked instead", prompt),
                }
            }
            Self::Count { min, max } => write!(f, "{} to {} options have to be chosen", min, max),
            Self::NoOption { value, prompt } => write!(f, "{value} is not among the options of {}", prompt),
            Self::Ambiguous { value, labels, prompt } => {
                write!(f, "{value} can mean {} among the options of {}", labels.join(" or "), prompt)
            }
            Self::ByHand(reason) => f.write_str(reason),
        }
    }
}
