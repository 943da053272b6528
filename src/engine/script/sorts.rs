//! The sorts (types) of values that rules work with, and the messages for a value of a wrong sort.
//!
//! The messages are here once, for the check of a script before it runs and for errors while it runs.

use crate::diagnostic::{Diagnostic, Message, message};
use crate::script::vocabulary::{Form, ParameterSort, Word, words_named};

/// The sort (type) of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// `()`: the result of a loop, an assignment, or a word that is there for its effect.
    Nothing,
    /// A whole number.
    Number,
    /// True or false.
    Truth,
    /// A text.
    Text,
    /// A card, die or token.
    Component,
    /// A list of components.
    Components,
    /// A place for components.
    Zone,
    /// Several zones.
    Zones,
    /// A player.
    Player,
    /// No player.
    Nobody,
    /// A player or nobody: the sort of a variable for a player.
    PlayerOrNobody,
    /// Several players.
    Players,
    /// An option with parts.
    Option,
    /// Options that rules have put together.
    Options,
    /// A list of any values.
    List,
    /// A table or list of `[data]` or of the settings.
    Data,
    /// `0..3`, for a loop to go through.
    Range,
    /// The table as the holder of its variables.
    Table,
    /// One letter of a text; rules have no use for it.
    Letter,
    /// A function, which only words take.
    Function,
}

impl Sort {
    /// The name in declarations, and the one in a sentence, with an article.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Nothing => ("nothing", "nothing"),
            Self::Number => ("number", "a number"),
            Self::Truth => ("truth", "true or false"),
            Self::Text => ("text", "a text"),
            Self::Component => ("component", "a component"),
            Self::Components => ("components", "components"),
            Self::Zone => ("zone", "a zone"),
            Self::Zones => ("zones", "zones"),
            Self::Player => ("player", "a player"),
            Self::Nobody => ("nobody", "nobody"),
            Self::PlayerOrNobody => ("player or nobody", "a player or nobody"),
            Self::Players => ("players", "players"),
            Self::Option => ("option", "an option"),
            Self::Options => ("options", "options"),
            Self::List => ("list", "a list"),
            Self::Data => ("data", "data"),
            Self::Range => ("range", "a range"),
            Self::Table => ("table", "the table"),
            Self::Letter => ("letter", "a single letter"),
            Self::Function => ("function", "a function"),
        }
    }

    /// The name in declarations.
    pub const fn name(self) -> &'static str {
        self.names().0
    }

    /// The name in a sentence, with an article: `a number`.
    pub fn named(self) -> Message {
        self.names().1.into()
    }

    /// Whether a value of this sort may be one of the sort `other`: they are equal, or one is [`Self::PlayerOrNobody`]
    /// and covers the other.
    pub fn may_be(self, other: Self) -> bool {
        let players = |sort: Self, other: Self| sort == Self::PlayerOrNobody && other.may_be_nobody();
        self == other || players(self, other) || players(other, self)
    }

    fn may_be_nobody(self) -> bool {
        matches!(self, Self::Player | Self::Nobody | Self::PlayerOrNobody)
    }

    /// Whether `for` can loop over values of this sort.
    pub fn can_be_looped(self) -> bool {
        self.element().is_some() || matches!(self, Self::List | Self::Data | Self::Range)
    }

    /// The sort of the entries; `None` where there are none or they can differ in sort.
    pub fn element(self) -> Option<Self> {
        match self {
            Self::Zone | Self::Components => Some(Self::Component),
            Self::Zones => Some(Self::Zone),
            Self::Players => Some(Self::Player),
            _ => None,
        }
    }

    /// The sort of the values that a loop gives; `None` where there are none or they can differ in sort.
    pub fn gives(self) -> Option<Self> {
        if self == Self::Range { Some(Self::Number) } else { self.element() }
    }

    /// Whether going through a value takes longer for larger values; players count as few.
    pub fn is_long(self) -> bool {
        self.is_several() && self != Self::Players
    }

    /// Whether values of this sort have a word of this name.
    pub fn has(self, name: &str) -> bool {
        let is_of = |word: &Word| word.form != Form::Operator && word.receivers.iter().any(|&of| self.may_be(of));
        words_named(name).any(is_of)
    }

    /// Whether a variable, or a part of an option, can hold values of this sort.
    fn is_held(self) -> bool {
        use Sort::{Data, Function, Letter, Nothing, Options, Range, Table};
        !matches!(self, Nothing | Options | Data | Range | Table | Letter | Function)
    }

    /// Whether options can be made of values of this sort. A number alone is refused, because it is most likely a
    /// count.
    pub fn is_offered(self) -> bool {
        (self.is_several() || self.is_held() || self == Self::Range) && !matches!(self, Self::Number | Self::Truth)
    }

    fn is_several(self) -> bool {
        self.can_be_looped() && self != Self::Range || self == Self::Options
    }
}

/// Help for an expression that gave `()`.
const NO_VALUE_HELP: &str = "a function gives its last value: an `if` without `else` and a loop give nothing";

/// Help for making options of numbers and truths.
pub const SINGLE_OPTION_HELP: &str = "`1..=n` offers each number up to n, `[n]` the number itself, `[true, false]` both \
     truths; the different values of an attribute are `dice.map(|die| die.value).distinct`";

/// The error for a binary operator that does not work on two sorts.
pub fn no_operator_error(operator: &str, left: Sort, right: Sort) -> Diagnostic {
    if let Some((_, side)) = [(left, "left"), (right, "right")].into_iter().find(|(sort, _)| *sort == Sort::Nothing) {
        let side = Message::from(side);
        return Diagnostic::new(message!(
            "`{operator}` needs a value on both sides, and there is nothing on its {side}"
        ))
        .help(NO_VALUE_HELP);
    }
    let (one, other) = (left.named(), right.named());
    match operator {
        "+" | "+=" if left == Sort::List && right == Sort::Options => {
            no_numbers(operator, &one, &other).help(JOIN_OPTIONS_HELP)
        }
        "+" | "+=" if are_parts_of_a_question(left, right) => {
            Diagnostic::new(message!("`{operator}` does not join {one} and {other}"))
                .help("put different options together with `acts(\"buy\", \"card\", cards) + act(\"pass\")`")
        }
        "+" | "+=" if left == Sort::Text || right == Sort::Text => {
            Diagnostic::new(message!("`{operator}` joins two texts, not {} and {}", left.named(), right.named()))
                .help("put values into a text with `${…}`, in backticks: `points: ${points}`")
        }
        "+" | "+=" if left == Sort::Options && right.is_several() => {
            Diagnostic::new(message!("`{operator}` adds one option or other options, not {}", right.named()))
                .help("add each by itself: `options + \"draw\" + \"pass\"`")
        }
        ".." | "..=" => Diagnostic::new(message!(
            "a range goes from a number to a number, not from {} to {}",
            left.named(),
            right.named()
        )),
        "<" | "<=" | ">" | ">=" => with_number_of(
            [left, right],
            Diagnostic::new(message!("`{operator}` compares two numbers or two texts, not {one} and {other}")),
        ),
        "&&" | "||" | "&" | "|" | "^" => {
            Diagnostic::new(message!("`{operator}` joins two conditions, not {one} and {other}"))
        }
        "==" | "!=" => Diagnostic::new(message!("{one} and {other} cannot be compared")),
        _ => with_number_of([left, right], no_numbers(operator, &one, &other)),
    }
}

/// Whether somebody probably wants to offer both: components or zones, and texts.
fn are_parts_of_a_question(left: Sort, right: Sort) -> bool {
    let are_several = |sort| matches!(sort, Sort::Components | Sort::Zones);
    let are_things = |sort| sort == Sort::Zone || are_several(sort);
    are_several(left) && right == Sort::Text
        || are_things(left) && right == Sort::List
        || left == Sort::List && are_things(right)
}

fn no_numbers(operator: &str, one: &Message, other: &Message) -> Diagnostic {
    Diagnostic::new(message!("`{operator}` works on numbers, not on {one} and {other}"))
}

/// Help for joining lists of options.
pub const JOIN_OPTIONS_HELP: &str = "to join the options of each, write `.options(|x| …)` in place of `.map(|x| …)`";

/// The error for a unary operator that does not work on a sort.
pub fn no_prefix_error(operator: &str, sort: Sort) -> Diagnostic {
    if operator == "!" {
        let error = Diagnostic::new(message!("`!` turns true and false around, not {}", sort.named()));
        return match sort {
            _ if sort.is_several() => error.help("ask `is_empty`, or `!….is_empty`"),
            Sort::Number => error.help("compare it: `n == 0`"),
            Sort::Nothing => error.help(NO_VALUE_HELP),
            _ => error,
        };
    }
    with_number_of([sort, sort], Diagnostic::new(message!("`{operator}` works on a number, not on {}", sort.named())))
}

/// Adds help for getting a number from a value that is none.
fn with_number_of(sorts: [Sort; 2], error: Diagnostic) -> Diagnostic {
    let help = sorts.iter().find_map(|sort| match sort {
        Sort::Player => Some("`p.number` is the number of a player, `p.next` the next one"),
        Sort::Component => Some("a number on a component is an attribute, such as `card.number`"),
        Sort::Truth => Some("`if … { 1 } else { 0 }` makes a number of true and false"),
        sort if sort.is_several() => Some("`.len` is how many there are"),
        _ => None,
    });
    error.help_maybe(help)
}

/// The sort of the result of a binary operator; `None` where the operator does not work on the two sorts.
pub fn operator_result(operator: &str, left: Sort, right: Sort) -> Option<Sort> {
    use Sort::{Data, Function, Letter, Number, Options, Range, Table, Text, Truth};
    match (operator, left, right) {
        ("==" | "!=", ..) => {
            let is_compared = !matches!(left, Options | Data | Range | Table | Letter | Function);
            let is_player = left.may_be_nobody() && right.may_be_nobody();
            (is_player || left == right && is_compared).then_some(Truth)
        }
        ("<" | "<=" | ">" | ">=", Number, Number) | ("<" | "<=" | ">" | ">=", Text, Text) => Some(Truth),
        (".." | "..=", Number, Number) => Some(Range),
        (".." | "..=" | "<" | "<=" | ">" | ">=", ..) => None,
        (_, Number, Number) => Some(Number),
        ("+", Text, Text) => Some(Text),
        ("&" | "|" | "^", Truth, Truth) => Some(Truth),
        _ => {
            let word = words_named(operator)
                .find(|word| word.form == Form::Operator && accepts(word, &[Some(left), Some(right)]));
            word?.result.of(Some(left))
        }
    }
}

/// The error for a comparison of values of sorts that are never equal.
pub fn never_equal(operator: &str, left: Sort, right: Sort) -> Diagnostic {
    let always = Message::from(if operator == "==" { "false" } else { "true" });
    let message = message!("{} is never equal to {}: this is always {always}", left.named(), right.named());
    let error = Diagnostic::new(message);
    let either = |sort| left == sort || right == sort;
    match () {
        () if either(Sort::Nothing) => error.help(NO_VALUE_HELP),
        () if either(Sort::Number) && either(Sort::Text) => {
            error.help("write a number without quotes: `3`, not `\"3\"`")
        }
        () if either(Sort::Number) && either(Sort::Player) => error.help("compare two players, or `p.number`"),
        () if either(Sort::Component) && (either(Sort::Text) || either(Sort::Number)) => {
            error.help("compare two components, an attribute such as `card.number`, or `card.id`")
        }
        () if either(Sort::Number) && (left.is_several() || right.is_several()) => {
            error.help("`.len` is how many there are")
        }
        () => error,
    }
}

/// The error for a value of a sort that does not fit; `wanted` describes what does.
pub fn sort_needed_error(wanted: impl Into<Message>, found: Sort) -> Diagnostic {
    let wanted = wanted.into();
    let error = Diagnostic::new(message!("{wanted} is needed here, not {}", found.named()));
    match found {
        Sort::Nothing => error.help(NO_VALUE_HELP),
        _ if wanted == Sort::Truth.named() && found.is_several() => error.help("ask `is_empty`, or `!….is_empty`"),
        Sort::Number if wanted == Sort::Truth.named() => error.help("compare it: `n > 0`"),
        Sort::Range if wanted == Sort::Number.named() => {
            error.help("one entry at a time; of components, `top`, `up_to` and `after` give some of them")
        }
        _ => error,
    }
}

/// The error for a loop over a value that has no entries.
pub fn no_loop_error(found: Sort) -> Diagnostic {
    let error = Diagnostic::new(message!("`for` goes through a list, not {}", found.named()));
    match found {
        Sort::Number => error.help("to count, write a range: `for n in 0..5`, or `1..=5` with the 5"),
        Sort::Player => error.help("all players are `players`; a zone of one is `p.hand`"),
        Sort::Options => error.help("`for_each(|option| …)` goes through options"),
        Sort::Nothing => error.help(NO_VALUE_HELP),
        _ => error.help("zones, components, players, lists, data and ranges can be gone through"),
    }
}

/// The error for `[…]` after a value that has no entries.
pub fn no_entries_error(found: Sort) -> Diagnostic {
    let error = Diagnostic::new(message!("`[…]` cannot follow {}", found.named()));
    match found {
        Sort::Player => error.help("`players[1]` is the first player"),
        Sort::Nothing => error.help(NO_VALUE_HELP),
        _ => error,
    }
}

/// The error for a position that a list does not have; `what` describes the list.
pub fn no_position_error(position: i64, length: usize, what: &'static str) -> Diagnostic {
    let what = Message::from(what);
    let error = Diagnostic::new(match length {
        1 => message!("there is no position {position} in {what} of one"),
        _ => message!("there is no position {position} in {what} of {length}"),
    });
    if length == 0 { error.help("ask `is_empty` first") } else { error.help("positions count from 0") }
}

/// The error for a property or word that values of a sort do not have.
pub fn no_member_error(sort: Sort, name: &str) -> Diagnostic {
    if sort == Sort::Range && name == "contains" {
        return Diagnostic::new("`in` looks into lists and zones, not into a range")
            .help("compare with both ends: `n >= 1 && n < 3` for `n in 1..3`, `n >= 1 && n <= 3` for `n in 1..=3`");
    }
    let error = Diagnostic::new(match sort {
        Sort::Nothing => message!("there is nothing before `.{name}`"),
        Sort::Components | Sort::Zones | Sort::Players | Sort::Options => message!("{} have no `{name}`", sort.named()),
        _ => message!("{} has no `{name}`", sort.named()),
    });
    match (sort, another_way(sort, name)) {
        (Sort::Nothing, _) => error.help(NO_VALUE_HELP),
        (_, Some(way)) => error.help(way),
        _ => error,
    }
}

/// How a value of a sort can still use a word of other sorts; `None` where it cannot.
fn another_way(sort: Sort, name: &str) -> Option<Message> {
    match sort {
        Sort::Range if Sort::List.has(name) || Sort::Data.has(name) => Some(
            "a range is for counting, `for n in 2..=6 { … }`, and for options, `p.choose(\"bid\", 2..=6)`; a list has \
             its numbers one by one: `[2, 3, 4]`"
                .into(),
        ),
        Sort::Zones if Sort::Components.has(name) => {
            Some(message!("`zones.components` is what lies in the zones: `zones.components.{name}`"))
        }
        Sort::Data if Sort::List.has(name) => {
            Some(message!("`entries` gives a list of the data as one with all words of lists: `.entries().{name}`"))
        }
        _ => None,
    }
}

/// Help for a word that values of a sort do not have: another way, or the sorts that have the word.
pub fn without(sort: Sort, name: &str) -> Option<Message> {
    let owners = receivers_of(words_named(name).filter(|word| word.form != Form::Operator));
    let owners = (!owners.is_empty()).then(|| message!("`{name}` works on {}", Message::list(owners, ", ")));
    another_way(sort, name).or(owners)
}

/// An error in the arguments of a call of a word.
pub struct Mismatch {
    /// The message.
    pub error: Diagnostic,
    /// Index of the argument that does not fit, the receiver counted as the first one.
    pub position: usize,
}

/// Whether the arguments of a call, the receiver first, fit a word; `None` is an unknown sort, which fits everywhere.
pub fn accepts(word: &Word, given: &[Option<Sort>]) -> bool {
    word.arity() == given.len() && may_begin(word, given)
}

/// Whether a word takes `given` as its first arguments, the receiver first, as far as their sorts are known.
pub fn may_begin(word: &Word, given: &[Option<Sort>]) -> bool {
    mismatched_arguments(word, given).next().is_none()
}

/// Indexes of the arguments that do not fit.
fn mismatched_arguments<'a>(word: &'a Word, given: &'a [Option<Sort>]) -> impl Iterator<Item = usize> + 'a {
    given
        .iter()
        .enumerate()
        .filter(|(position, sort)| sort.is_some_and(|sort| !fits(word, *position, sort)))
        .map(|(position, _)| position)
}

fn fits(word: &Word, position: usize, sort: Sort) -> bool {
    let Some(parameter) = word.parameter(position) else {
        return word.receivers.iter().any(|&receiver| sort.may_be(receiver));
    };
    match parameter.takes {
        ParameterSort::Sort(wanted) => sort.may_be(wanted),
        ParameterSort::Several => sort.is_several() || sort == Sort::Range,
        ParameterSort::Offered => sort.is_offered(),
        ParameterSort::Held => sort.is_held(),
        ParameterSort::Named => sort.is_held() && sort != Sort::Truth,
        ParameterSort::Value => sort != Sort::Nothing,
        ParameterSort::ValueOrNothing => sort != Sort::Function,
        ParameterSort::Function(_) => sort == Sort::Function,
    }
}

/// The error in the arguments of a call of a word, the receiver first; `None` where a form of the word takes them, or
/// no form has that many.
pub fn call_mismatch(name: &str, given: &[Option<Sort>]) -> Option<Mismatch> {
    let forms = || words_named(name).filter(|word| word.arity() == given.len() && word.is_called());
    if forms().next().is_none() || forms().any(|word| accepts(word, given)) {
        return None;
    }
    let receiver = given.first().copied().flatten();
    let for_receiver = || {
        forms().filter(|word| {
            !mismatched_arguments(word, given).any(|position| position == 0 && !word.receivers.is_empty())
        })
    };
    if for_receiver().next().is_none() {
        let error = no_member_error(receiver?, name);
        let error = if error.help.is_empty() { error.help(usages(forms())) } else { error };
        return Some(Mismatch { error, position: 0 });
    }
    let fewest = for_receiver().map(|word| mismatched_arguments(word, given).count()).min()?;
    let nearest = || for_receiver().filter(|word| mismatched_arguments(word, given).count() == fewest);
    let word = nearest().next()?;
    let position = mismatched_arguments(word, given).next()?;
    let found = given.get(position).copied().flatten()?;
    let called = word.parameter(position)?.name;
    let wanted = nearest().filter_map(|word| word.parameter(position)).map(|parameter| match parameter.takes {
        ParameterSort::Sort(sort) => sort.named(),
        ParameterSort::Function(_) => Sort::Function.named(),
        ParameterSort::Several => "a list or zone".into(),
        ParameterSort::Offered => "a zone, a list, a range, or one thing".into(),
        ParameterSort::Named => "something that has a name".into(),
        ParameterSort::Held | ParameterSort::Value | ParameterSort::ValueOrNothing => "a value".into(),
    });
    let wanted: Vec<Message> = each_once(wanted);
    let message = match wanted.len() {
        1..4 => message!(
            "`{name}` takes {} as `{called}`, not {}",
            Message::list(wanted.iter().cloned(), " or "),
            found.named()
        ),
        _ => message!("`{name}` cannot take {} as `{called}`", found.named()),
    };
    let error = Diagnostic::new(message);
    let swapped = (position + 1..given.len()).find(|&other| {
        let mut given = given.to_vec();
        given.swap(position, other);
        forms().any(|word| accepts(word, &given))
    });
    let takes_offered = word.parameter(position).is_some_and(|parameter| parameter.takes == ParameterSort::Offered);
    let error = match found {
        _ if swapped.is_some() => {
            let other = swapped.and_then(|other| word.parameter(other)).map_or("another", |parameter| parameter.name);
            error.help(message!("`{called}` and `{other}` are swapped: `{}`", word.usage()))
        }
        Sort::Nothing => error.help(NO_VALUE_HELP),
        Sort::Number | Sort::Truth if takes_offered => error.help(SINGLE_OPTION_HELP),
        Sort::Number if wanted == ["a text"] => error.help("`${…}`, in backticks, makes a text of it"),
        Sort::Text if wanted == ["a number"] => error.help("write a number without quotes"),
        Sort::Player if wanted.iter().any(|wanted| *wanted == "a zone") => {
            error.help("name a zone of the player: `p.hand`")
        }
        Sort::Component if receiver == Some(Sort::Zones) => error.help("`zones.components` is what lies in the zones"),
        _ => error.help(usages(for_receiver())),
    };
    Some(Mismatch { error, position })
}

/// Help with the usage of the first few forms of a word.
pub fn usages(forms: impl Iterator<Item = &'static Word>) -> Message {
    let mut usages = each_once(forms.map(|word| format!("`{}`", word.usage())));
    usages.truncate(3);
    message!("the vocabulary has {}", Message::list(usages.into_iter().map(Message::verbatim), ", "))
}

/// The names of the sorts that have some words, in their order, each once.
pub fn receivers_of<'w>(words: impl Iterator<Item = &'w Word>) -> Vec<&'static str> {
    each_once(words.flat_map(|word| word.receivers).map(|receiver| receiver.name()))
}

/// A few things in their order, each once.
pub(crate) fn each_once<T: PartialEq>(things: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut seen: Vec<T> = Vec::new();
    for thing in things {
        if !seen.contains(&thing) {
            seen.push(thing);
        }
    }
    seen
}
