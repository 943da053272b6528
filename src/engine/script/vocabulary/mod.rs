//! The vocabulary: the words that rules are written with, each declared once.
//!
//! Help and completion, the reference page, the check of scripts, and the functions that an executor calls are all made
//! from the one `table`. The body of a word is plain Rust over the [`Table`](crate::table::Table): it meets no value of
//! an executor, except through the few functions that each executor has for its own lists.

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

/// A word of the vocabulary.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// The heading of the word's section in the reference.
    pub section: &'static str,
    /// How the word is used.
    pub form: Form,
    /// The sorts of the receiver; empty for a word that is called alone.
    pub receivers: &'static [Sort],
    /// The name; `[]` and `+` for operators.
    pub name: &'static str,
    /// The parameters, without the receiver.
    pub parameters: &'static [Parameter],
    /// The sort of the result.
    pub result: ResultSort,
    /// Whether the word asks a player.
    pub asks: bool,
    /// The documentation, with examples; the first line is one sentence.
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

/// A parameter of a word.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The name, for people.
    pub name: &'static str,
    /// The values that the parameter takes.
    pub takes: ParameterSort,
    /// The meaning of the argument, where it can be checked or is told to people; `None` elsewhere.
    pub role: Option<Role>,
}

/// The values that a parameter of a word takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterSort {
    /// A value of one sort.
    Sort(Sort),
    /// A source of options: a value with several entries, or one component, zone, player, option or text. A number
    /// alone is most likely a count, so it has to be written as a list.
    Offered,
    /// A value that can be a part of an option.
    Held,
    /// Something that points can be given for, and that has a name on the table.
    Named,
    /// Any value that a list can hold.
    Value,
    /// Any value that a list can hold, or nothing: `()`.
    ValueOrNothing,
    /// A value with several entries: a zone, a list, players.
    Several,
    /// A function with this number of parameters.
    Function(usize),
}

impl ParameterSort {
    /// The name in declarations.
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

/// The sort of the result of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultSort {
    /// A value of one sort.
    Sort(Sort),
    /// A value whose sort depends on the arguments.
    Value,
    /// The sort of the receiver.
    SameSort,
    /// One of the entries of the receiver.
    OneOfThem,
}

impl ResultSort {
    /// The name in declarations.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sort(sort) => sort.name(),
            Self::Value => "value",
            Self::SameSort => "the same sort",
            Self::OneOfThem => "one of them",
        }
    }

    /// The sort of the result for a receiver of a known sort; `None` where it is not certain.
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

/// The meaning of an argument of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The name of an attribute of components.
    Attribute,
    /// The name of an attribute whose values are numbers.
    Numbers,
    /// A value of the attribute that another argument names.
    AttributeValue,
    /// The name of a group of components.
    Group,
    /// The name of a part of options.
    Part,
    /// The prompt of a question, which people read.
    Prompt,
    /// The purpose of a choice, which people read.
    Purpose,
    /// The reason for points, which people read.
    Reason,
    /// The act of an option, which people read.
    Act,
    /// A phase of the game, which people read.
    Phase,
    /// A remark in the log, which people read.
    Remark,
    /// The id of a zone.
    Zone,
    /// The name of a side of components.
    Side,
    /// The name of a lot that is drawn.
    Lot,
    /// The name of a metric of the rules.
    Metric,
    /// Code that is evaluated only if somebody may read why an option is not allowed.
    Objection,
}

impl Word {
    /// Number of arguments that an executor sees, the receiver included.
    pub fn arity(&self) -> usize {
        self.parameters.len() + usize::from(!self.receivers.is_empty())
    }

    /// The parameter at a position, the receiver first; `None` for the receiver.
    pub fn parameter(&self, position: usize) -> Option<&'static Parameter> {
        self.parameters.get(position.checked_sub(usize::from(!self.receivers.is_empty()))?)
    }

    /// Whether the word is called with arguments between parentheses.
    pub fn is_called(&self) -> bool {
        !matches!(self.form, Form::Property | Form::Operator)
    }

    /// Whether the word changes the table or draws lots: a word without a result is there for its effect. Words on
    /// lists and words that take a function do not count, because the rules themselves make those changes.
    pub fn changes(&self) -> bool {
        let acts = self.result == ResultSort::Sort(Sort::Nothing) && self.form != Form::Callback;
        (acts && self.receivers != [Sort::List])
            || self.parameters.iter().any(|parameter| parameter.role == Some(Role::Lot))
    }

    /// The documentation without the example.
    pub fn prose(&self) -> String {
        self.doc.lines().filter(|line| example_line(line).is_none()).map(|line| format!("{line}\n")).collect()
    }

    /// The documentation in paragraphs, each on one line: first what the word does, then the rest.
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
            // The first sentence is a paragraph of its own.
            is_open = !line.is_empty() && (paragraphs.len() > 1 || !line.ends_with('.'));
        }
        paragraphs
    }

    /// The example, which evaluates to `true`; empty where the documentation shows how the word is used.
    pub fn example(&self) -> String {
        self.doc.lines().filter_map(example_line).collect::<Vec<_>>().join("\n")
    }

    /// The usage: `zone.deal(count: number, to: zone)`.
    pub fn usage(&self) -> String {
        self.usage_in(Cow::Borrowed)
    }

    /// The usage, with the names of what parameters take translated by `told`.
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

/// The code in an example line of a word's documentation, `> p.hand.len == 3`; `None` for any other line.
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
pub(crate) use form;

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
    (offered) => { ParameterSort::Offered };
    (held) => { ParameterSort::Held };
    (named) => { ParameterSort::Named };
    (value) => { ParameterSort::Value };
    (value_or_nothing) => { ParameterSort::ValueOrNothing };
    (several) => { ParameterSort::Several };
    (function) => { ParameterSort::Function(1) };
    (function_of_two) => { ParameterSort::Function(2) };
    ($sort:ident) => { ParameterSort::Sort(sort!($sort)) };
}

#[rustfmt::skip]
macro_rules! gives {
    (value) => { ResultSort::Value };
    (player_or_nobody) => { ResultSort::Sort(Sort::PlayerOrNobody) };
    (same_sort) => { ResultSort::SameSort };
    (one_of_them) => { ResultSort::OneOfThem };
    ($sort:ident) => { ResultSort::Sort(sort!($sort)) };
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
    use crate::sorted::SortedSet;

    #[test]
    fn the_words_that_change_the_game_are_these() {
        let changing: SortedSet<&str> = words().filter(|word| word.changes()).map(|word| word.name).collect();
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
