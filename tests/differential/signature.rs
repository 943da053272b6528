//! The words of the vocabulary, as the generator uses them.

use houserule::script::sorts;
use houserule::script::vocabulary::{Form, ParameterSort, Word, words};

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    Nothing,
    Number,
    Truth,
    Text,
    Component,
    Components,
    Zone,
    Zones,
    Player,
    Nobody,
    PlayerOrNobody,
    Players,
    Option,
    Options,
    List,
    Data,
    Range,
    /// Any of the others: nobody can tell before the program runs.
    Any,
}

impl Sort {
    pub fn of(sort: sorts::Sort) -> Self {
        match sort {
            sorts::Sort::Nothing => Self::Nothing,
            sorts::Sort::Number => Self::Number,
            sorts::Sort::Truth => Self::Truth,
            sorts::Sort::Text => Self::Text,
            sorts::Sort::Component => Self::Component,
            sorts::Sort::Components => Self::Components,
            sorts::Sort::Zone => Self::Zone,
            sorts::Sort::Zones => Self::Zones,
            sorts::Sort::Player => Self::Player,
            sorts::Sort::Nobody => Self::Nobody,
            sorts::Sort::Players => Self::Players,
            sorts::Sort::Option => Self::Option,
            sorts::Sort::Options => Self::Options,
            sorts::Sort::List => Self::List,
            sorts::Sort::Data => Self::Data,
            sorts::Sort::Range => Self::Range,
            sorts::Sort::PlayerOrNobody => Self::PlayerOrNobody,
            other => panic!("no word takes or gives {}", other.named()),
        }
    }

    /// What a loop over it gives, if it can be gone through.
    pub fn element(self) -> Option<Self> {
        Some(match self {
            Self::Zone | Self::Components => Self::Component,
            Self::Zones => Self::Zone,
            Self::Players => Self::Player,
            Self::Range => Self::Number,
            Self::List | Self::Data => Self::Any,
            _ => return None,
        })
    }
}

/// One form of a word for one receiver.
#[derive(Clone, Debug)]
pub struct Signature {
    pub form: Form,
    pub name: &'static str,
    pub receiver: Option<Sort>,
    /// The name of each parameter, and what stands there.
    pub parameters: Vec<(&'static str, ParameterSort)>,
    pub result: Sort,
    /// How the coverage counts it: `zone.deal(count: number, to: zone)`.
    pub usage: String,
}

impl Signature {
    /// Every form of every word.
    pub fn all() -> Vec<Self> {
        let of_word = |word: &'static Word| {
            let one_by_one = word.receivers.iter().map(|receiver| Some(*receiver));
            let receivers: Vec<_> = if word.receivers.is_empty() { vec![None] } else { one_by_one.collect() };
            receivers.into_iter().map(move |receiver| Self::of(word, receiver))
        };
        words().flat_map(of_word).collect()
    }

    fn of(word: &'static Word, receiver: Option<sorts::Sort>) -> Self {
        let usage = match (receiver, word.receivers.first()) {
            (Some(own), Some(first)) => word.usage().replacen(first.name(), own.name(), 1),
            _ => word.usage(),
        };
        Self {
            form: word.form,
            name: word.name,
            receiver: receiver.map(Sort::of),
            parameters: word.parameters.iter().map(|parameter| (parameter.name, parameter.takes)).collect(),
            result: word.result.of(receiver).map_or(Sort::Any, Sort::of),
            usage,
        }
    }

    /// Whether it does more than look: it changes the table, asks somebody or draws lots.
    pub fn acts(&self) -> bool {
        self.result == Sort::Nothing && self.name != "push"
            || self.name.starts_with("choose")
            || matches!(self.name, "may" | "first_to" | "next_to_act" | "draw_number" | "pick" | "shuffled")
    }

    /// Whether it asks a player.
    pub fn asks(&self) -> bool {
        self.name.starts_with("choose") || matches!(self.name, "may" | "first_to" | "next_to_act" | "together")
    }
}
