//! The words of the vocabulary, as the generator uses them.

use houserule::script::vocabulary::{Form, words};

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
    fn declared(name: &str) -> Option<Self> {
        Some(match name {
            "nothing" => Self::Nothing,
            "number" => Self::Number,
            "truth" => Self::Truth,
            "text" => Self::Text,
            "component" => Self::Component,
            "components" => Self::Components,
            "zone" => Self::Zone,
            "zones" => Self::Zones,
            "player" => Self::Player,
            "nobody" => Self::Nobody,
            "players" => Self::Players,
            "option" => Self::Option,
            "options" => Self::Options,
            "list" => Self::List,
            "data" => Self::Data,
            "anything" | "value" | "one of them" | "the same sort" => Self::Any,
            _ => return None,
        })
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

/// What stands in one place of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    Value(Sort),
    /// Anything that can be gone through.
    Several,
    /// A function of so many values.
    Function(usize),
}

/// One form of a word for one receiver.
#[derive(Clone, Debug)]
pub struct Signature {
    pub form: Form,
    pub name: &'static str,
    pub receiver: Option<Sort>,
    /// The name of each parameter, and what stands there.
    pub parameters: Vec<(&'static str, Parameter)>,
    pub result: Sort,
    /// How the coverage counts it: `zone.deal(count: number, to: zone)`.
    pub usage: String,
}

impl Signature {
    /// Every form of every word.
    pub fn all() -> Vec<Self> {
        words().flat_map(|word| {
            let receivers: Vec<Option<&str>> = match word.receivers {
                [] => vec![None],
                some => some.iter().map(|receiver| Some(*receiver)).collect(),
            };
            receivers.into_iter().map(move |receiver| {
                let sort = receiver.map(|name| Sort::declared(name).unwrap_or_else(|| panic!("no sort {name}")));
                let usage = match (receiver, word.receivers.first()) {
                    (Some(own), Some(first)) => word.usage().replacen(first, own, 1),
                    _ => word.usage(),
                };
                let result = match (word.result, sort) {
                    ("the same sort", Some(Sort::Zone)) => Sort::Components,
                    ("the same sort", Some(Sort::Data)) => Sort::List,
                    ("the same sort", Some(sort)) => sort,
                    ("one of them", Some(sort)) => sort.element().unwrap_or(Sort::Any),
                    (name, _) => Sort::declared(name).unwrap_or_else(|| panic!("no sort {name}")),
                };
                let parameters = word.parameters.iter().map(|(name, sort)| (*name, parameter(sort))).collect();
                Self { form: word.form, name: word.name, receiver: sort, parameters, result, usage }
            })
        })
        .collect()
    }

    /// Whether it does more than look: it changes the table, asks somebody or draws lots.
    pub fn acts(&self) -> bool {
        self.result == Sort::Nothing && self.name != "push"
            || self.name.starts_with("choose")
            || matches!(self.name, "may" | "next_to_act" | "draw_number" | "pick")
    }

    /// Whether it asks a player.
    pub fn asks(&self) -> bool {
        self.name.starts_with("choose") || matches!(self.name, "may" | "next_to_act" | "together")
    }
}

fn parameter(sort: &str) -> Parameter {
    match sort {
        "function" => Parameter::Function(1),
        "function of two" => Parameter::Function(2),
        "any of these" => Parameter::Several,
        sort => Parameter::Value(Sort::declared(sort).unwrap_or_else(|| panic!("no sort {sort}"))),
    }
}
