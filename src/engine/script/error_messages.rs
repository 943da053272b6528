//! Runtime errors of rules as messages for their designer.

use crate::diagnostic::{Diagnostic, Help, Message, Place, Source, did_you_mean, listed, message};
use crate::ruleset::Ruleset;
use crate::script::functions::{FunctionInfo, nearest_function};
use crate::script::instead::hint_for_unknown_word;
use crate::script::layering::LAST_VALUE;
use crate::script::machine::run::Failure;
use crate::script::machine::runtime_error::RuntimeError;
use crate::script::machine::value::{MAX_DEPTH, TooLarge};
use crate::script::parser::typed_place;
use crate::script::program::{Binary, FunctionId};
use crate::script::sorts::{self, Sort};
use crate::script::tokens::is_in_name;
use crate::script::vocabulary::old::{OldForm, find_old_name};
use crate::script::vocabulary::{Form, words, words_named};
use crate::table::Fault;
use crate::table::event::ScriptPoint;
use std::sync::Arc;

/// The beginning of the message for a `throw` of the rules.
const THROW_MESSAGE_PREFIX: &str = "the rules gave up";

/// Whether the first error comes from a `throw` of the rules.
pub fn is_thrown(errors: &[Diagnostic]) -> bool {
    errors.first().is_some_and(|error| error.message.starts_with(THROW_MESSAGE_PREFIX))
}

/// The ruleset and the names that error messages refer to.
pub struct Context<'a> {
    /// The ruleset whose scripts ran.
    pub ruleset: &'a Ruleset,
    /// All functions of the scripts, by id.
    pub functions: &'a [FunctionInfo],
    /// Names of zones and other globals.
    pub globals: &'a [String],
    /// The typed expression that ran; `None` where scripts ran.
    pub typed: Option<Arc<Source>>,
}

/// The message for a failure of the machine: why and where it stopped, and the chain of calls that led there.
pub fn from_failure(context: &Context<'_>, failure: &Failure) -> Diagnostic {
    let name = |function: FunctionId| context.functions.get(usize::from(function)).map(|info| info.name.as_str());
    let mut diagnostic = diagnostic_of(context, &failure.error);
    if is_about_nobody(&failure.error) {
        diagnostic = diagnostic.help(NOBODY_HELP);
    }
    if let Some((function, at)) = failure.calls.last() {
        let label = name(*function).map_or(Message::default(), |name| message!("in `{name}`"));
        diagnostic = diagnostic.at_maybe(place_of_point(context, *at, label));
    }
    // The nearest call first. More than a handful of calls, or the same call repeated, tells nothing new.
    let mut calls: Vec<&[(FunctionId, ScriptPoint)]> = failure.calls.windows(2).rev().collect();
    calls.dedup_by_key(|calls| (calls[0].1, calls[1].0));
    for calls in calls.into_iter().take(6) {
        let [(_, at), (called, _)] = calls else { continue };
        let Some(name) = name(*called) else { continue };
        diagnostic = diagnostic.related_maybe(place_of_point(context, *at, message!("in `{name}`, called here")));
    }
    diagnostic
}

fn diagnostic_of(context: &Context<'_>, error: &RuntimeError) -> Diagnostic {
    match error {
        RuntimeError::Fault(fault) => from_fault(fault),
        RuntimeError::NoWord { name, given } => {
            no_word_error(context, name, &given.iter().copied().map(Some).collect::<Vec<_>>())
        }
        RuntimeError::NoProperty(sort, name) => {
            let error = no_property_error(Some(*sort), name);
            let help = || {
                context
                    .ruleset
                    .definition
                    .hint_for_cell_name(name)
                    .map(Help::from)
                    .or_else(|| near_property(context, *sort, name))
            };
            let help = error.help.is_empty().then(help).flatten();
            error.help_maybe(help)
        }
        RuntimeError::NotSettable(sort, name) => {
            let is_of_player = |per_seat| {
                let variables = &context.ruleset.definition.variables;
                variables.iter().any(|variable| variable.per_seat == per_seat && variable.id == **name)
            };
            Diagnostic::new(message!("`{name}` of {} cannot be set", sort.named())).help(
                match (is_of_player(true), is_of_player(false)) {
                    (true, false) => message!("`{name}` belongs to a player: `p.{name}`"),
                    (false, true) => message!("`{name}` is a variable of the table: `table.{name}`"),
                    _ => message!("the variable `{name}` belongs to a player or to the table"),
                },
            )
        }
        RuntimeError::UnknownName(name) => unknown_name(context, name),
        RuntimeError::NoOperator(operator, left, right) => sorts::no_operator_error(operator.sign(), *left, *right),
        RuntimeError::NoPrefix(sign, sort) => sorts::no_prefix_error(sign, *sort),
        RuntimeError::NoRange(from, to) => sorts::no_operator_error("..", *from, *to),
        RuntimeError::Arithmetic(operator, left, right) => {
            let shown = format!("{left} {} {right}", operator.sign());
            match operator {
                Binary::Divide | Binary::Remainder if *right == 0 => {
                    Diagnostic::new(message!("division by zero: {shown}")).help("ask before whether the number is 0")
                }
                _ => Diagnostic::new(message!("the number is too large: {shown}")).help(message!(
                    "numbers go from {} to {}",
                    i64::MIN,
                    i64::MAX
                )),
            }
        }
        RuntimeError::NumberTooLarge => Diagnostic::new("the number is too large"),
        RuntimeError::Needed(wanted, found) => sorts::sort_needed_error(wanted.named(), *found),
        RuntimeError::NoLoop(sort) => sorts::no_loop_error(*sort),
        RuntimeError::NoEntries(sort) => sorts::no_entries_error(*sort),
        RuntimeError::NoPosition(position, length) => sorts::no_position_error(*position, *length, "a list"),
        RuntimeError::TooLarge(TooLarge::Text) => text_too_long(),
        RuntimeError::TooLarge(TooLarge::List) => list_too_long(),
        RuntimeError::TooLarge(TooLarge::Depth) => {
            Diagnostic::new("lists are nested too deeply").help(message!("at most {MAX_DEPTH} lists can be nested"))
        }
        RuntimeError::TooDeep => too_deep(),
        RuntimeError::Limit(reason) if reason.ends_with("without a decision") => Diagnostic::new(reason.clone())
            .help("most likely a loop here never ends: what its condition looks at has to change in it"),
        RuntimeError::Limit(reason) => Diagnostic::new(reason.clone()),
        RuntimeError::Thrown(Some(text)) => Diagnostic::new(message!("the rules gave up: {text}")),
        RuntimeError::Thrown(None) => Diagnostic::new(THROW_MESSAGE_PREFIX),
    }
}

/// Whether the error comes from `nobody` where a player is needed.
fn is_about_nobody(error: &RuntimeError) -> bool {
    match error {
        RuntimeError::NoWord { given, .. } => given.contains(&Sort::Nobody),
        RuntimeError::NoProperty(sort, _) => *sort == Sort::Nobody,
        _ => false,
    }
}

pub(super) const NOBODY_HELP: &str = "a variable that holds a player may have none: ask `== nobody` first";

pub(super) fn place_of_point(context: &Context<'_>, point: ScriptPoint, label: Message) -> Option<Place> {
    let typed = context.typed.as_ref().and_then(|typed| typed_place(typed, point, label.clone()));
    typed.or_else(|| context.ruleset.place(point, label))
}

pub(super) fn unknown_name(context: &Context<'_>, name: &str) -> Diagnostic {
    match name {
        LAST_VALUE => Diagnostic::new("no value is kept as `_`")
            .help("`_` is the value of the last expression, if that was a number, truth, text, player or zone"),
        "settings" if context.typed.is_some() => settings_in_play(context.ruleset),
        _ => {
            let error = Diagnostic::new(message!("there is no `{name}` here"));
            if let Some(written) = context.ruleset.definition.hint_for_cell_name(name) {
                return error.help(written);
            }
            if is_player(name) && context.typed.is_some() {
                return error.help(NO_SUCH_PLAYER);
            }
            let known = context.globals.iter().map(String::as_str);
            error.near_or(name, known, "functions see their parameters, and the zones, `players`, `table`, `data`")
        }
    }
}

/// What helps whoever typed the name of a player who is not there.
pub(super) const NO_SUCH_PLAYER: &str = "not so many players are at the table";

/// Whether a name is that of a player, such as `p5`.
pub(super) fn is_player(name: &str) -> bool {
    name.strip_prefix('p').is_some_and(|number| number.parse::<usize>().is_ok())
}

pub(super) fn too_deep() -> Diagnostic {
    Diagnostic::new("the functions call each other too deeply")
        .help(message!("at most {} calls can be nested", super::MAX_CALL_DEPTH))
}

pub(super) fn text_too_long() -> Diagnostic {
    Diagnostic::new("a text grew too long").help(message!("a text can have {} bytes", super::MAX_TEXT))
}

pub(super) fn list_too_long() -> Diagnostic {
    Diagnostic::new("a list grew too long")
        .help(message!("a list can hold {} entries, those of lists inside it included", super::MAX_LIST_ENTRIES))
}

/// The error for `settings` in a typed expression that does not tell which layer is meant; lists the keys of each
/// layer.
fn settings_in_play(ruleset: &Ruleset) -> Diagnostic {
    let error = Diagnostic::new("`settings` are those of a layer, and no layer alone has this key");
    let layers = ruleset
        .settings
        .iter()
        .filter(|(_, values)| !values.is_empty())
        .map(|(layer, values)| message!("`{layer}` has {}", listed(values.keys().map(String::as_str))));
    let layers: Vec<Message> = layers.collect();
    error.help(if layers.is_empty() { "these rules have no settings".into() } else { Message::list(layers, "; ") })
}

/// The message for a [`Fault`] of a word.
pub fn from_fault(fault: &Fault) -> Diagnostic {
    match fault {
        Fault::Rule { message, help } => Diagnostic::new(message.clone()).help_maybe(help.clone()),
        Fault::Halt(halt) => Diagnostic::new(message!("the run ended: {halt:?}")),
    }
}

/// The error for a word, function or operator that does not take the given arguments; `None` is an unknown sort.
pub(super) fn no_word_error(context: &Context<'_>, name: &str, given: &[Option<Sort>]) -> Diagnostic {
    let is_operator = !name.chars().any(is_in_name);
    match *given {
        [Some(sort)] if is_operator => return sorts::no_prefix_error(name, sort),
        [Some(left), Some(right)] if is_operator => return sorts::no_operator_error(name, left, right),
        // `value in list` is `list.contains(value)`.
        [Some(list), Some(_)] if name == "contains" && !list.can_be_looped() => {
            return Diagnostic::new(message!("{} contains nothing that could be looked for", list.named()));
        }
        _ => {}
    }
    if let Some(mismatch) = sorts::call_mismatch(name, given) {
        return mismatch.error;
    }
    let sorts: Vec<Message> = given.iter().map(|sort| sort.map_or("something else".into(), Sort::named)).collect();
    let diagnostic = Diagnostic::new(match sorts.is_empty() {
        true => message!("there is no `{name}` without arguments"),
        false => message!("there is no `{name}` for {}", Message::list(sorts, ", ")),
    });
    let old = given.len().checked_sub(1).and_then(|arguments| find_old_name(name, OldForm::Called(arguments)));
    let help = old.map(|old| Message::from(old.told));
    let help = help.or_else(|| given.first().and_then(|owner| called_property(context, name, (*owner)?)));
    let first = given.first().copied().flatten();
    let help = help.or_else(|| hint_for_unknown_word(name, first));
    let help = help.or_else(|| called_otherwise(context, name));
    diagnostic.help_maybe(help.map(Help::from).or_else(|| nearest_function(context.functions, name, first)))
}

/// How a function or a word of this name is called; `None` where there is none.
fn called_otherwise(context: &Context<'_>, name: &str) -> Option<Message> {
    if let Some(function) = context.functions.iter().find(|function| function.name == name) {
        let call = format!("{name}({})", function.parameters.join(", "));
        return Some(message!("call it as `{call}`"));
    }
    let mut forms = words_named(name).filter(|word| word.is_called()).peekable();
    forms.peek().is_some().then(|| sorts::usages(forms))
}

/// Names of zones, variables and attributes that the definition declares for values of a sort.
fn declared<'r>(context: &Context<'r>, sort: Sort) -> Vec<&'r str> {
    let definition = &context.ruleset.definition;
    let variables = |per_seat: bool| {
        let variables = definition.variables.iter().filter(move |variable| variable.per_seat == per_seat);
        variables.map(|variable| variable.id.as_str())
    };
    match sort {
        Sort::Player => {
            let zones = definition.zones.iter().filter(|zone| zone.per_seat).map(|zone| zone.id.as_str());
            zones.chain(variables(true)).collect()
        }
        Sort::Table => variables(false).collect(),
        Sort::Component => {
            let members = definition.components.iter().flat_map(|group| &group.members);
            members.flat_map(|member| &member.attributes).map(|(name, _)| name.as_str()).collect()
        }
        _ => Vec::new(),
    }
}

/// The nearest of the words and declared names of a value of a sort; `None` where none is near.
fn near_property(context: &Context<'_>, sort: Sort, name: &str) -> Option<Help> {
    let words = words().filter(|word| word.receivers.contains(&sort) && word.form != Form::Operator);
    did_you_mean(name, declared(context, sort).into_iter().chain(words.map(|word| word.name)))
}

/// Help for a property that is called like a word; `None` where `name` is no property.
fn called_property(context: &Context<'_>, name: &str, owner: Sort) -> Option<Message> {
    let of_words = || words_named(name).filter(|word| word.form == Form::Property);
    if declared(context, owner).contains(&name) || of_words().any(|word| word.receivers.contains(&owner)) {
        return Some(message!("write it without parentheses: `.{name}`"));
    }
    of_words().next().and_then(|_| sorts::without(owner, name))
}

/// The error for a property that the value before the dot does not have; its sort may be unknown.
pub(super) fn no_property_error(sort: Option<Sort>, property: &str) -> Diagnostic {
    let diagnostic = match sort {
        Some(sort) => sorts::no_member_error(sort, property),
        None => Diagnostic::new(message!("there is no `{property}` here")),
    };
    let help = hint_for_unknown_word(property, sort).filter(|_| diagnostic.help.is_empty());
    diagnostic.help_maybe(help)
}

/// A message of the interpreter with a lower-case first letter, as our messages begin.
pub(super) fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        // Leave names and abbreviations as they are.
        Some(first) if !letters.clone().next().is_some_and(char::is_uppercase) => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => text.to_owned(),
    }
}
