//! Messages for the evaluator's errors, in the same words as the machine's.

use super::convert::{RaisedFault, sort_called};
use crate::diagnostic::{Diagnostic, Message, Place, message};
use crate::script::error_messages::{
    Context, NOBODY_HELP, from_fault, list_too_long, lower_first, no_property_error, no_word_error, place_of_point,
    text_too_long, too_deep, unknown_name,
};
use crate::script::layering::written_name;
use crate::script::parse_errors::{self, script_point};
use crate::script::sorts::{self, Sort};
use crate::table::event::ScriptPoint;
use crate::table::value::NOBODY;
use rhai::{Dynamic, EvalAltResult, Position};

/// What the messages need to know of a run that ended.
pub(super) struct EndedRun<'a> {
    /// The ruleset and the names that messages refer to.
    pub context: Context<'a>,
    /// The limit that the guard reported; `None` where it did not end the run.
    pub tripped: Option<Message>,
    /// Point of the last word that the rules used.
    pub last_word: ScriptPoint,
}

/// The message for an error at run time, with the chain of calls that led to it.
pub(super) fn from_run_error(ended: &EndedRun<'_>, error: &EvalAltResult) -> Diagnostic {
    let mut chain: Vec<(String, Position)> = Vec::new();
    let mut innermost = error;
    while let EvalAltResult::ErrorInFunctionCall(name, _, inner, at) = innermost {
        chain.push((written_name(name).to_owned(), *at));
        innermost = inner;
    }
    let mut diagnostic = worded(ended, innermost);
    if is_about_nobody(innermost) {
        diagnostic = diagnostic.help(NOBODY_HELP);
    }
    if diagnostic.place.is_none() {
        diagnostic = diagnostic.at_maybe(place_of(ended, innermost.position(), blame(&chain)));
    }
    if diagnostic.place.is_none() {
        diagnostic = near_the_last_word(ended, diagnostic);
    }
    // The nearest call first. More than a handful of calls tells nothing new.
    for (name, at) in chain.iter().rev().take(6) {
        if name.starts_with("anon$") {
            continue;
        }
        diagnostic = diagnostic.related_maybe(place_of(ended, *at, message!("in `{name}`, called here")));
    }
    diagnostic
}

/// The message for a run that the host ended although the interpreter reports no error.
pub(super) fn without_error(ended: &EndedRun<'_>, reason: Option<Message>) -> Diagnostic {
    let message = reason.unwrap_or_else(|| "the rules could not go on".into());
    near_the_last_word(ended, Diagnostic::new(message))
}

/// Adds a place near the last word to an error without one. The interpreter forgets the place for every limit that it
/// or the guard reaches; the last word that was used cannot be far, and where none was, the game has just begun.
fn near_the_last_word(ended: &EndedRun<'_>, diagnostic: Diagnostic) -> Diagnostic {
    let at = ended.last_word;
    let within =
        ended.context.functions.iter().rfind(|function| {
            function.at.line <= at.line && at.line <= function.last_line && !function.name.is_empty()
        });
    match (place_of_point(&ended.context, at, "the last word that was used".into()), within) {
        (Some(place), Some(function)) => diagnostic.at(place).help(message!("`{}` was running", function.name)),
        (Some(place), None) => diagnostic.at(place),
        (None, _) => {
            let game = ended.context.functions.iter().find(|function| function.flat_name == "game");
            diagnostic.at_maybe(game.and_then(|game| ended.context.ruleset.place(game.at, "before any word was used")))
        }
    }
}

fn blame(chain: &[(String, Position)]) -> Message {
    match chain.last() {
        Some((name, _)) if !name.starts_with("anon$") => message!("in `{name}`"),
        _ => Message::default(),
    }
}

fn place_of(ended: &EndedRun<'_>, at: Position, label: Message) -> Option<Place> {
    place_of_point(&ended.context, script_point(at), label)
}

fn worded(ended: &EndedRun<'_>, error: &EvalAltResult) -> Diagnostic {
    if let Some(reason) = &ended.tripped {
        return Diagnostic::new(reason.clone());
    }
    match error {
        EvalAltResult::ErrorRuntime(value, _) => match value.read_lock::<RaisedFault>() {
            Some(raised) => from_fault(&raised.0),
            None => Diagnostic::new(Message::verbatim(thrown(value))),
        },
        EvalAltResult::ErrorVariableNotFound(name, _) => unknown_name(&ended.context, name),
        EvalAltResult::ErrorFunctionNotFound(signature, _) => function_not_found(ended, signature),
        EvalAltResult::ErrorStackOverflow(_) => too_deep(),
        EvalAltResult::ErrorDataTooLarge(what, _) if what.contains("string") => text_too_long(),
        EvalAltResult::ErrorDataTooLarge(..) => list_too_long(),
        EvalAltResult::ErrorParsing(kind, at) => parse_errors::in_words(kind, place_of(ended, *at, "here".into()), 0),
        EvalAltResult::ErrorDotExpr(message, _) => dot_expression(message),
        EvalAltResult::ErrorMismatchDataType(wanted, found, _)
        | EvalAltResult::ErrorMismatchOutputType(wanted, found, _) => {
            let wanted = sort_called(wanted).map_or("something else".into(), Sort::named);
            match sort_called(found) {
                Some(found) => sorts::sort_needed_error(wanted, found),
                None => Diagnostic::new(message!("{wanted} is needed here")),
            }
        }
        EvalAltResult::ErrorIndexingType(sort, _) => index_of_nothing(sort),
        EvalAltResult::ErrorArrayBounds(length, position, _) => sorts::no_position_error(*position, *length, "a list"),
        EvalAltResult::ErrorStringBounds(length, position, _) => sorts::no_position_error(*position, *length, "a text"),
        EvalAltResult::ErrorBitFieldBounds(..) => sorts::no_entries_error(Sort::Number),
        EvalAltResult::ErrorFor(_) => Diagnostic::new("`for` goes through a list, and this is not one")
            .help("zones, components, players, lists, data and ranges can be gone through; to count, write `0..5`"),
        EvalAltResult::ErrorArithmetic(message, _) => arithmetic(message),
        EvalAltResult::ErrorAssignmentToConstant(name, _) => {
            Diagnostic::new(message!("`{}` is fixed and cannot be set", written_name(name)))
                .help("keep a value of your own with `let`")
        }
        EvalAltResult::ErrorNonPureMethodCallOnConstant(word, _) => {
            Diagnostic::new(message!("`{word}` would change what is fixed"))
                .help("keep a list of your own with `let`, and change that")
        }
        EvalAltResult::ErrorDataRace(name, _) => {
            Diagnostic::new(message!("`{name}` is being worked on, and is used inside that work again"))
                .help("keep what is needed of it with `let` before")
        }
        EvalAltResult::ErrorIndexNotFound(..) | EvalAltResult::ErrorPropertyNotFound(..) => {
            Diagnostic::new("there is no such entry")
        }
        EvalAltResult::ErrorTooManyVariables(_) => Diagnostic::new("a function has too many variables of its own")
            .help("put a part of it into a function of its own"),
        other => {
            let mut plain = error_without_position(other);
            if plain.is_empty() {
                plain = "the rules could not go on".to_owned();
            }
            Diagnostic::new(Message::verbatim(plain))
        }
    }
}

/// The message for a value that a script threw; only texts, numbers and truths can say anything.
fn thrown(value: &Dynamic) -> String {
    match value.as_immutable_string_ref() {
        Ok(text) => format!("the rules gave up: {}", text.as_str()),
        Err(_) if value.is_int() || value.is_bool() => format!("the rules gave up: {value}"),
        Err(_) => "the rules gave up".to_owned(),
    }
}

/// Whether the error comes from `nobody` where a player is needed.
fn is_about_nobody(error: &EvalAltResult) -> bool {
    match error {
        EvalAltResult::ErrorDotExpr(message, _) => message.ends_with(&format!("'{NOBODY}'")),
        EvalAltResult::ErrorFunctionNotFound(signature, _) => {
            let arguments = signature.split_once(" (").map_or("", |(_, rest)| rest.trim_end_matches(')'));
            arguments.split(", ").any(|sort| sort == NOBODY)
        }
        _ => false,
    }
}

fn function_not_found(ended: &EndedRun<'_>, signature: &str) -> Diagnostic {
    let name = signature.split(" (").next().unwrap_or(signature);
    let arguments = signature.split_once(" (").map_or("", |(_, rest)| rest.strip_suffix(')').unwrap_or(rest));
    let given: Vec<Option<Sort>> = match arguments {
        "" => Vec::new(),
        some => some.split(", ").map(sort_called).collect(),
    };
    if let Some(property) = name.strip_prefix("get$").or_else(|| name.strip_prefix("set$")) {
        return no_property_error(given.first().copied().flatten(), property);
    }
    no_word_error(&ended.context, name, &given)
}

/// The error for `[…]` after a value without entries; the interpreter names the sorts as `player [i64]`.
fn index_of_nothing(sort: &str) -> Diagnostic {
    let (owner, index) =
        sort.split_once(" [").map_or((sort, ""), |(owner, index)| (owner, index.trim_end_matches(']')));
    match (sort_called(owner), sort_called(index)) {
        (Some(owner), Some(index)) if owner.can_be_looped() => sorts::sort_needed_error(Sort::Number.named(), index),
        (Some(owner), _) => sorts::no_entries_error(owner),
        (None, _) => Diagnostic::new("there are no entries here"),
    }
}

/// The message for an arithmetic error; the interpreter says `Addition overflow: 1 + 2`, `Division by zero: 1 / 0`.
fn arithmetic(message: &str) -> Diagnostic {
    let (what, calculation) = message.split_once(": ").unwrap_or((message, ""));
    let what = what.to_lowercase();
    let shown = if calculation.is_empty() { String::new() } else { format!(": {calculation}") };
    if what.contains("zero") {
        return Diagnostic::new(message!("division by zero{shown}")).help("ask before whether the number is 0");
    }
    if what.contains("negative") || what.contains("shift") {
        return Diagnostic::new(message!("this cannot be worked out{shown}"));
    }
    Diagnostic::new(message!("the number is too large{shown}")).help(message!(
        "numbers go from {} to {}",
        i64::MIN,
        i64::MAX
    ))
}

fn dot_expression(message: &str) -> Diagnostic {
    // Rhai: Unknown property 'x' - a getter is not registered for type 'T'
    let mut quoted = message.split('\'');
    match (quoted.nth(1), quoted.nth(1)) {
        (Some(property), Some(sort)) if message.starts_with("Unknown property") => {
            no_property_error(sort_called(sort), property)
        }
        _ => Diagnostic::new(Message::verbatim(lower_first(message))),
    }
}

fn error_without_position(error: &EvalAltResult) -> String {
    let text = error.to_string();
    let text = match text.rfind(" (line ") {
        Some(position) => &text[..position],
        None => &text,
    };
    lower_first(text)
}
