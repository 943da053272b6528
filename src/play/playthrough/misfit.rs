//! Log entries that do not fit the rules, and why.

use crate::diagnostic::{Message, message};
use crate::playthrough::chosen_value::ChosenValue;
use crate::playthrough::log::Entry;
use crate::table::event::ScriptPoint;
use crate::table::value::Seat;
use std::fmt;
use std::sync::Arc;

/// An entry of a log that does not fit the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Misfit {
    /// The number of the entry in the log, from 1.
    pub number: usize,
    pub entry: Entry,
    /// Why the entry does not fit.
    pub reason: MisfitReason,
    /// Where the rules ask something else instead; `None` where the game is already over.
    pub at: Option<ScriptPoint>,
}

/// Why an entry of a log does not fit the rules.
#[derive(Clone, Debug, PartialEq)]
pub enum MisfitReason {
    /// The game is over before the entry.
    Over,
    /// The rules ask something, and the entry is no answer.
    NotChoice,
    /// The rules ask something else.
    OtherQuestion {
        /// The seat that is asked.
        seat: Option<Seat>,
        /// The prompt.
        prompt: Arc<str>,
        /// The purpose, where the same prompt was answered for another purpose.
        purpose: Option<Arc<str>>,
    },
    /// Too few or too many options were chosen.
    Count {
        /// The fewest options to choose.
        min: usize,
        /// The most options to choose.
        max: usize,
    },
    /// The chosen value is not offered.
    NoOption {
        /// The chosen value.
        value: ChosenValue,
        /// The prompt.
        prompt: Arc<str>,
    },
    /// The chosen value can mean several options.
    Ambiguous {
        /// The chosen value.
        value: ChosenValue,
        /// The labels of these options.
        labels: Vec<String>,
        /// The prompt.
        prompt: Arc<str>,
    },
    /// An intervention failed, with the message.
    ByHand(Message),
}

impl MisfitReason {
    /// The reason for a viewer who may not know the choice: `hidden` takes its place.
    pub fn without_choice(self, hidden: &str) -> Self {
        let value = ChosenValue::Label(hidden.into());
        match self {
            Self::NoOption { prompt, .. } => Self::NoOption { value, prompt },
            Self::Ambiguous { prompt, .. } => Self::Ambiguous { value, labels: vec![hidden.into()], prompt },
            Self::Over | Self::NotChoice | Self::OtherQuestion { .. } | Self::Count { .. } | Self::ByHand(_) => self,
        }
    }
}

impl From<&MisfitReason> for Message {
    fn from(reason: &MisfitReason) -> Self {
        match reason {
            MisfitReason::Over => "the game is over before it".into(),
            MisfitReason::NotChoice => "it is not a choice".into(),
            MisfitReason::OtherQuestion { seat, prompt, purpose } => {
                let who = seat.map_or(String::new(), |seat| format!("{seat} "));
                match purpose {
                    Some(purpose) => message!("{who}{} for {purpose} is asked instead", prompt),
                    None => message!("{who}{} is asked instead", prompt),
                }
            }
            MisfitReason::Count { min, max } => message!("{} to {} options have to be chosen", min, max),
            MisfitReason::NoOption { value, prompt } => message!("{value} is not among the options of {}", prompt),
            MisfitReason::Ambiguous { value, labels, prompt } => {
                let labels = Message::list(labels.iter().map(Message::verbatim), " or ");
                message!("{value} can mean {} among the options of {}", labels, prompt)
            }
            MisfitReason::ByHand(reason) => reason.clone(),
        }
    }
}

impl fmt::Display for MisfitReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Message::from(self).fmt(f)
    }
}
