//! The words that rules are written with, each declared once.
//!
//! From the one `table` come help and completion, the reference page, the check of the scripts, and the functions that
//! an executor calls. The body of a word is plain Rust over the [`Table`](crate::table::Table): no value of an executor
//! reaches it, but through the few functions that each executor has for its own lists.

pub(crate) mod bodies;
pub(crate) mod lists;
pub mod old;
pub mod page;
pub(crate) mod table;

use crate::script::sorts::Sort;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;
pub(crate) use table::vocabulary;

/// One word of the vocabulary.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// The heading that it stands under in the reference.
    pub section: &'static str,
    /// How it is used.
    pub form: Form,
    /// What it is asked of; empty for a word that stands alone.
    pub receivers: &'static [Sort],
    /// Its name; `[]` and `+` for operators.
    pub name: &'static str,
    /// Its arguments, without the receiver.
    pub parameters: &'static [Parameter],
    /// What it gives.
    pub result: Gives,
    /// Whether it asks a player.
    pub asks: bool,
    /// What it means; the first line is a sentence of its own.
    pub doc: &'static str,
}

/// How a word is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `zone.len`
    Property,
    /// `zone.shuffle()`
    Method,
    /// `begin_turn(p)`
    Function,
    /// `players[1]`, `a + b`
    Operator,
    /// `players.any(|p| …)`: takes a function that changes nothing.
    Callback,
}

/// An argument of a word.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name, for people.
    pub name: &'static str,
    /// What may be given.
    pub takes: Takes,
    /// What it stands for, where that can be checked or is told to people.
    pub role: Option<Role>,
}

/// What a word takes as an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// A value of one sort.
    Sort(Sort),
    /// What options are made of: something of which there are several, or one component, zone, player, option or text. A
    /// number alone most likely counts what was meant, so it is written as a list.
    Offered,
    /// What an option can have as a part.
    Held,
    /// What points can be given for, and has a name on the table.
    Named,
    /// Any value that a list can hold.
    Value,
    /// Any value that a list can hold, or nothing: `()`.
    ValueOrNothing,
    /// Something of which there are several: a zone, a list, players.
    Several,
    /// A function of so many parameters.
    Function(usize),
}

impl Takes {
    /// How declarations call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sort(sort) => sort.name(),
            Self::Offered => "one or several",
            Self::Named => "something with a name",
            Self::Held | Self::Value => "value",
            Self::ValueOrNothing => "value or ()",
            Self::Several => "any of these",
            Self::Function(2) => "function of two",
            Self::Function(_) => "function",
        }
    }
}

/// What a word gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// A value of one sort.
    Sort(Sort),
    /// Any value: what it is depends on what is given.
    Value,
    /// The same sort as what it is asked of.
    SameSort,
    /// One of those that it goes through.
    OneOfThem,
}

impl Gives {
    /// How declarations call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sort(sort) => sort.name(),
            Self::Value => "value",
            Self::SameSort => "the same sort",
            Self::OneOfThem => "one of them",
        }
    }

    /// The sort of it for a receiver of a known sort, where that is certain.
    pub fn of(self, receiver: Option<Sort>) -> Option<Sort> {
        match (self, receiver) {
            (Self::Sort(sort), _) => Some(sort),
            (Self::Value, _) => None,
            (Self::SameSort, Some(Sort::Data)) => Some(Sort::List),
            (Self::SameSort, Some(Sort::Zone)) => Some(Sort::Components),
            (Self::SameSort, receiver) => receiver,
            (Self::OneOfThem, receiver) => receiver.and_then(Sort::element),
        }
    }
}

/// What an argument of a word stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The name of an attribute of components.
    Attribute,
    /// The name of an attribute whose values are numbers.
    Numbers,
    /// A value of the attribute that is named beside it.
    AttributeValue,
    /// The name of a group of components.
    Group,
    /// The name of a part of options.
    Part,
    /// What a player is asked, which people read.
    Prompt,
    /// What a choice is for, which people read.
    Purpose,
    /// What points are given for, which people read.
    Reason,
    /// What an option does, which people read.
    Act,
    /// A phase of the game, which people read.
    Phase,
    /// A remark in the log, which people read.
    Remark,
    /// The id of a zone.
    Zone,
    /// The name of a side of components.
    Side,
    /// The name of what is drawn by lot.
    Lot,
    /// The name of a figure of the rules' own.
    Metric,
    /// What is worked out only where somebody may read why something is not allowed.
    Objection,
}

impl Word {
    /// How many arguments an executor sees: the receiver counts.
    pub fn arity(&self) -> usize {
        self.parameters.len() + usize::from(!self.receivers.is_empty())
    }

    /// What it takes at a position, the receiver first; nothing for the receiver.
    pub fn parameter(&self, position: usize) -> Option<&'static Parameter> {
        self.parameters.get(position.checked_sub(usize::from(!self.receivers.is_empty()))?)
    }

    /// Whether it is called with arguments between parentheses.
    pub fn is_called(&self) -> bool {
        !matches!(self.form, Form::Property | Form::Operator)
    }

    /// Whether it changes the table, or draws lots: what gives nothing is there for what it does. Of lists that have a
    /// name, and of functions that go through something, the rules themselves are the cause.
    pub fn changes(&self) -> bool {
        let acts = self.result == Gives::Sort(Sort::Nothing) && self.form != Form::Callback;
        (acts && self.receivers != [Sort::List])
            || self.parameters.iter().any(|parameter| parameter.role == Some(Role::Lot))
    }

    /// What it means, without the example.
    pub fn prose(&self) -> String {
        self.doc.lines().filter(|line| example_line(line).is_none()).map(|line| format!("{line}\n")).collect()
    }

    /// The same in paragraphs, each on one line: first what it does, then what else there is to know.
    pub fn paragraphs(&self) -> Vec<String> {
        let prose = self.prose();
        let mut paragraphs: Vec<String> = Vec::new();
        let mut is_open = false;
        for line in prose.lines().map(str::trim) {
            match paragraphs.last_mut() {
                Some(paragraph) if is_open && !line.is_empty() => paragraph.push_str(&format!(" {line}")),
                _ if line.is_empty() => {}
                _ => paragraphs.push(line.to_owned()),
            }
            // The first sentence stands by itself.
            is_open = !line.is_empty() && (paragraphs.len() > 1 || !line.ends_with('.'));
        }
        paragraphs
    }

    /// Rules that use it, and come to `true`; empty where the meaning shows how it is used.
    pub fn example(&self) -> String {
        self.doc.lines().filter_map(example_line).collect::<Vec<_>>().join("\n")
    }

    /// How it is written: `zone.deal(count: number, to: zone)`.
    pub fn usage(&self) -> String {
        self.usage_in(Cow::Borrowed)
    }

    /// The same, with what arguments are called as somebody reads it.
    pub fn usage_in(&self, told: fn(&'static str) -> Cow<'static, str>) -> String {
        let parameters: Vec<String> = self
            .parameters
            .iter()
            .map(|Parameter { name, takes, .. }| format!("{name}: {}", told(takes.name())))
            .collect();
        let receiver = self.receivers.first().map_or("", |receiver| receiver.name());
        match self.form {
            Form::Property => format!("{receiver}.{}", self.name),
            Form::Method | Form::Callback => format!("{receiver}.{}({})", self.name, parameters.join(", ")),
            Form::Function => format!("{}({})", self.name, parameters.join(", ")),
            Form::Operator if self.name == "[]" => format!("{receiver}[{}]", parameters.join(", ")),
            Form::Operator => format!("{receiver} {} {}", self.name, parameters.join(", ")),
        }
    }
}

/// A line of a word's documentation that is rules: `> p.hand.len == 3`.
fn example_line(line: &str) -> Option<&str> {
    line.strip_prefix(" > ")
}

macro_rules! form {
    (get) => {
        Form::Property
    };
    (method) => {
        Form::Method
    };
    (function) => {
        Form::Function
    };
    (operator) => {
        Form::Operator
    };
    (index) => {
        Form::Operator
    };
    (callback) => {
        Form::Callback
    };
}

#[rustfmt::skip]
macro_rules! sort {
    (nothing) => { Sort::Nothing };
    (number) => { Sort::Number };
    (truth) => { Sort::Truth };
    (text) => { Sort::Text };
    (component) => { Sort::Component };
    (components) => { Sort::Components };
    (zone) => { Sort::Zone };
    (zones) => { Sort::Zones };
    (player) => { Sort::Player };
    (players) => { Sort::Players };
    (nobody) => { Sort::Nobody };
    (option) => { Sort::Option };
    (options) => { Sort::Options };
    (list) => { Sort::List };
    (range) => { Sort::Range };
    (data) => { Sort::Data };
}

#[rustfmt::skip]
macro_rules! takes {
    (offered) => { Takes::Offered };
    (held) => { Takes::Held };
    (named) => { Takes::Named };
    (value) => { Takes::Value };
    (value_or_nothing) => { Takes::ValueOrNothing };
    (several) => { Takes::Several };
    (function) => { Takes::Function(1) };
    (function_of_two) => { Takes::Function(2) };
    ($sort:ident) => { Takes::Sort(sort!($sort)) };
}

#[rustfmt::skip]
macro_rules! gives {
    (value) => { Gives::Value };
    (player_or_nobody) => { Gives::Sort(Sort::PlayerOrNobody) };
    (same_sort) => { Gives::SameSort };
    (one_of_them) => { Gives::OneOfThem };
    ($sort:ident) => { Gives::Sort(sort!($sort)) };
}

#[rustfmt::skip]
macro_rules! role {
    () => { None };
    (attribute) => { Some(Role::Attribute) };
    (numbers) => { Some(Role::Numbers) };
    (attribute_value) => { Some(Role::AttributeValue) };
    (group) => { Some(Role::Group) };
    (part) => { Some(Role::Part) };
    (prompt) => { Some(Role::Prompt) };
    (purpose) => { Some(Role::Purpose) };
    (reason) => { Some(Role::Reason) };
    (act) => { Some(Role::Act) };
    (phase) => { Some(Role::Phase) };
    (remark) => { Some(Role::Remark) };
    (zone) => { Some(Role::Zone) };
    (side) => { Some(Role::Side) };
    (lot) => { Some(Role::Lot) };
    (metric) => { Some(Role::Metric) };
    (objection) => { Some(Role::Objection) };
}

macro_rules! parameters {
    ($gets:ident, this $(, $argument:ident : $takes:ident $(as $role:ident)?)*) => {
        &[$(Parameter { name: stringify!($argument), takes: takes!($takes), role: role!($($role)?) }),*]
    };
    ($gets:ident $(, $argument:ident : $takes:ident $(as $role:ident)?)*) => {
        parameters!($gets, this $(, $argument : $takes $(as $role)?)*)
    };
}

#[rustfmt::skip]
macro_rules! asks {
    (play $($parameters:tt)*) => { true };
    (table $($parameters:tt)*) => { false };
}

macro_rules! declarations {
    ($( $section:literal { $(
        $(#[doc = $doc:literal])+
        $form:ident $name:literal [$($receiver:ident)*] ($($parameters:tt)*) $(costs $effort:ident)? -> $result:ident $body:tt
    )* } )*) => {
        const WORDS: &[Word] = &[$($(
            Word {
                section: $section,
                form: form!($form),
                receivers: &[$(sort!($receiver)),*],
                name: $name,
                parameters: parameters!($($parameters)*),
                result: gives!($result),
                asks: asks!($($parameters)*),
                doc: concat!($($doc, "\n"),+),
            },
        )*)*];
    };
}

vocabulary!(declarations);

/// Every word, in the order of the reference.
pub fn words() -> impl Iterator<Item = &'static Word> {
    WORDS.iter()
}

static WORDS_BY_NAME: LazyLock<HashMap<&str, Vec<&Word>>> = LazyLock::new(|| {
    let mut by_name: HashMap<&str, Vec<&Word>> = HashMap::new();
    words().for_each(|word| by_name.entry(word.name).or_default().push(word));
    by_name
});

/// The forms of the word `name`, in the order of the reference; none where the vocabulary has no such word.
pub fn words_named(name: &str) -> impl Iterator<Item = &'static Word> + use<> {
    WORDS_BY_NAME.get(name).into_iter().flatten().copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_words_that_change_the_game_are_these() {
        let changing: BTreeSet<&str> = words().filter(|word| word.changes()).map(|word| word.name).collect();
        let moving = [
            "deal",
            "move_in_order",
            "move_to",
            "move_under",
            "shuffle",
            "shuffle_bottom",
            "shuffle_top",
            "swap_with",
            "take_out",
        ];
        let marking = ["belong_to", "belong_to_nobody", "flip", "pick_up", "reveal", "roll", "show_to", "turn_to"];
        let telling =
            ["award", "begin_phase", "begin_round", "begin_turn", "busy_for", "metric", "note", "show_choice"];
        let counting = ["give"];
        let drawing = ["ask_settings", "draw_number", "pick", "shuffled"];
        let ending = ["end_game", "join", "lose", "win"];
        let all = moving.into_iter().chain(marking).chain(telling).chain(drawing).chain(ending).chain(counting);
        assert_eq!(changing, all.collect());
    }
}
