//! The interpreter's errors, told to a designer.

use crate::diagnostic::{Diagnostic, Place, Source, did_you_mean};
use crate::ruleset::{MAX_LINES, Ruleset};
use crate::script::layering::{FunctionInfo, LAST_VALUE, nearest_function, written_name};
use crate::script::machine::run::Failure;
use crate::script::machine::trouble::Trouble;
use crate::script::machine::value::{MAX_DEPTH, TooLarge};
use crate::script::program::{Binary, FunctionId};
use crate::script::reference::RaisedFault;
use crate::script::sorts::{self, Sort};
use crate::script::syntax;
use crate::script::syntax::script_point;
use crate::script::vocabulary::now_called;
use crate::table::Fault;
use crate::table::event::ScriptPoint;
use crate::table::value::NOBODY;
use rhai::{Dynamic, EvalAltResult, Position};
use std::sync::Arc;

/// What is needed to word an error: the rules, and the names they know.
pub struct Context<'a> {
    /// The rules.
    pub ruleset: &'a Ruleset,
    /// Their functions.
    pub functions: &'a [FunctionInfo],
    /// The names of zones and other global things.
    pub globals: &'a [String],
    /// Why the guard ended the run, if it did.
    pub tripped: Option<String>,
    /// The expression that a person typed, if it is one.
    pub typed: Option<Arc<Source>>,
    /// Where the last word stood that the rules used.
    pub last_word: ScriptPoint,
}

/// Why and where the machine could not go on, with the chain of calls that led there.
pub fn from_failure(context: &Context<'_>, failure: &Failure) -> Diagnostic {
    let name = |function: FunctionId| context.functions.get(usize::from(function)).map(|info| info.name.as_str());
    let mut diagnostic = of_trouble(context, &failure.trouble);
    if is_nobodys(&failure.trouble) {
        diagnostic = diagnostic.help(ABOUT_NOBODY);
    }
    if let Some((function, at)) = failure.calls.last() {
        let label = name(*function).map_or(String::new(), |name| format!("in `{name}`"));
        diagnostic = diagnostic.at_maybe(place_of_point(context, *at, label));
    }
    // The nearest call first; beyond a handful a chain tells nothing new, nor does the same call again and again.
    let mut calls: Vec<&[(FunctionId, ScriptPoint)]> = failure.calls.windows(2).rev().collect();
    calls.dedup_by_key(|calls| (calls[0].1, calls[1].0));
    for calls in calls.into_iter().take(6) {
        let [(_, at), (called, _)] = calls else { continue };
        let Some(name) = name(*called) else { continue };
        diagnostic = diagnostic.related_maybe(place_of_point(context, *at, format!("in `{name}`, called here")));
    }
    diagnostic
}

fn of_trouble(context: &Context<'_>, trouble: &Trouble) -> Diagnostic {
    match trouble {
        Trouble::Fault(fault) => from_fault(fault),
        Trouble::NoWord { name, given } => no_word(context, name, &given.iter().copied().map(Some).collect::<Vec<_>>()),
        Trouble::NoProperty(sort, name) => no_property(Some(*sort), name),
        Trouble::NotSettable(sort, name) => Diagnostic::new(format!("`{name}` of {} cannot be set", sort.named()))
            .help(format!("the variable `{name}` belongs to a player or to the table")),
        Trouble::UnknownName(name) => unknown_name(context, name),
        Trouble::NoOperator(operator, left, right) => sorts::no_operator(operator.sign(), *left, *right),
        Trouble::NoPrefix(sign, sort) => sorts::no_prefix(sign, *sort),
        Trouble::NoRange(from, to) => sorts::no_operator("..", *from, *to),
        Trouble::Arithmetic(operator, left, right) => {
            let shown = format!("{left} {} {right}", operator.sign());
            match operator {
                Binary::Divide | Binary::Remainder if *right == 0 => division_by_zero(&shown),
                _ => number_too_large(&shown),
            }
        }
        Trouble::NumberTooLarge => Diagnostic::new("the number is too large"),
        Trouble::Needed(wanted, found) => sorts::needed(wanted.named(), *found),
        Trouble::NoLoop(sort) => sorts::no_loop(*sort),
        Trouble::NoEntries(sort) => sorts::no_entries(*sort),
        Trouble::NoPosition(position, length) => sorts::no_position(*position, *length, "a list"),
        Trouble::TooLarge(TooLarge::Text) => text_too_long(),
        Trouble::TooLarge(TooLarge::List) => list_too_long(),
        Trouble::TooLarge(TooLarge::Depth) => Diagnostic::new("lists stand in each other too deeply")
            .help(format!("at most {MAX_DEPTH} lists may stand in each other")),
        Trouble::TooDeep => too_deep(),
        Trouble::Limit(reason) => Diagnostic::new(reason.clone()),
        Trouble::Thrown(Some(said)) => Diagnostic::new(format!("the rules gave up: {said}")),
        Trouble::Thrown(None) => Diagnostic::new("the rules gave up"),
    }
}

/// Whether something was asked of nobody, or done with nobody, that takes a player.
fn is_nobodys(trouble: &Trouble) -> bool {
    match trouble {
        Trouble::NoWord { given, .. } => given.contains(&Sort::Nobody),
        Trouble::NoProperty(sort, _) => *sort == Sort::Nobody,
        _ => false,
    }
}

const ABOUT_NOBODY: &str = "a variable that holds a player may have none: ask `== nobody` first";

/// An error at run time, with the chain of calls that led to it.
pub fn from_run_error(context: &Context<'_>, error: &EvalAltResult) -> Diagnostic {
    let mut chain: Vec<(String, Position)> = Vec::new();
    let mut innermost = error;
    while let EvalAltResult::ErrorInFunctionCall(name, _, inner, at) = innermost {
        chain.push((written_name(name).to_owned(), *at));
        innermost = inner;
    }
    let mut diagnostic = worded(context, innermost);
    if is_about_nobody(innermost) {
        diagnostic = diagnostic.help(ABOUT_NOBODY);
    }
    if diagnostic.place.is_none() {
        diagnostic = diagnostic.at_maybe(place_of(context, innermost.position(), blame(&chain)));
    }
    if diagnostic.place.is_none() {
        diagnostic = near_the_last_word(context, diagnostic);
    }
    // The nearest call first; beyond a handful a chain tells nothing new.
    for (name, at) in chain.iter().rev().take(6) {
        if name.starts_with("anon$") {
            continue;
        }
        diagnostic = diagnostic.related_maybe(place_of(context, *at, format!("in `{name}`, called here")));
    }
    diagnostic
}

/// The host ended the run, and the interpreter says that all went well.
pub fn without_error(context: &Context<'_>, reason: Option<String>) -> Diagnostic {
    let message = reason.unwrap_or_else(|| "the rules could not go on".to_owned());
    near_the_last_word(context, Diagnostic::new(message))
}

/// Where the interpreter forgets the place: it does so for every limit that it runs into, and for the guard's. The
/// last word that was used cannot be far, and where none was, the game has just begun.
fn near_the_last_word(context: &Context<'_>, diagnostic: Diagnostic) -> Diagnostic {
    let at = context.last_word;
    let within = context
        .functions
        .iter()
        .rfind(|function| function.at.line <= at.line && at.line <= function.last_line && !function.name.is_empty());
    match (place_of_point(context, at, "the last word that was used".to_owned()), within) {
        (Some(place), Some(function)) => diagnostic.at(place).help(format!("`{}` was running", function.name)),
        (Some(place), None) => diagnostic.at(place),
        (None, _) => {
            let game = context.functions.iter().find(|function| function.flat_name == "game");
            diagnostic.at_maybe(game.and_then(|game| context.ruleset.place(game.at, "before any word was used")))
        }
    }
}

fn blame(chain: &[(String, Position)]) -> String {
    match chain.last() {
        Some((name, _)) if !name.starts_with("anon$") => format!("in `{name}`"),
        _ => String::new(),
    }
}

fn place_of(context: &Context<'_>, at: Position, label: String) -> Option<Place> {
    place_of_point(context, script_point(at), label)
}

fn place_of_point(context: &Context<'_>, point: ScriptPoint, label: String) -> Option<Place> {
    if let Some(typed) = &context.typed
        && usize::from(point.line) > MAX_LINES
    {
        let start = typed.offset(usize::from(point.line) - MAX_LINES, usize::from(point.column).max(1));
        return Some(Place::new(typed, start..start, label));
    }
    context.ruleset.place(point, label)
}

fn worded(context: &Context<'_>, error: &EvalAltResult) -> Diagnostic {
    if let Some(reason) = &context.tripped {
        return Diagnostic::new(reason.clone());
    }
    match error {
        EvalAltResult::ErrorRuntime(value, _) => match value.read_lock::<RaisedFault>() {
            Some(raised) => from_fault(&raised.0),
            None => Diagnostic::new(thrown(value)),
        },
        EvalAltResult::ErrorVariableNotFound(name, _) => unknown_name(context, name),
        EvalAltResult::ErrorFunctionNotFound(signature, _) => function_not_found(context, signature),
        EvalAltResult::ErrorStackOverflow(_) => too_deep(),
        EvalAltResult::ErrorDataTooLarge(what, _) if what.contains("string") => text_too_long(),
        EvalAltResult::ErrorDataTooLarge(..) => list_too_long(),
        EvalAltResult::ErrorParsing(kind, at) => syntax::in_words(kind, place_of(context, *at, "here".to_owned())),
        EvalAltResult::ErrorDotExpr(message, _) => dot_expression(message),
        EvalAltResult::ErrorMismatchDataType(wanted, found, _)
        | EvalAltResult::ErrorMismatchOutputType(wanted, found, _) => {
            let wanted = Sort::of_interpreter(wanted).map_or("something else", Sort::named);
            match Sort::of_interpreter(found) {
                Some(found) => sorts::needed(wanted, found),
                None => Diagnostic::new(format!("{wanted} is needed here")),
            }
        }
        EvalAltResult::ErrorIndexingType(sort, _) => index_of_nothing(sort),
        EvalAltResult::ErrorArrayBounds(length, position, _) => sorts::no_position(*position, *length, "a list"),
        EvalAltResult::ErrorStringBounds(length, position, _) => sorts::no_position(*position, *length, "a text"),
        EvalAltResult::ErrorBitFieldBounds(..) => sorts::no_entries(Sort::Number),
        EvalAltResult::ErrorFor(_) => Diagnostic::new("`for` goes through a list, and this is none")
            .help("zones, components, players, lists, data and ranges can be gone through; to count, write `0..5`"),
        EvalAltResult::ErrorArithmetic(message, _) => arithmetic(message),
        EvalAltResult::ErrorAssignmentToConstant(name, _) => {
            Diagnostic::new(format!("`{}` is fixed and cannot be set", written_name(name)))
                .help("keep a value of your own with `let`")
        }
        EvalAltResult::ErrorNonPureMethodCallOnConstant(word, _) => {
            Diagnostic::new(format!("`{word}` would change what is fixed"))
                .help("keep a list of your own with `let`, and change that")
        }
        EvalAltResult::ErrorDataRace(name, _) => {
            Diagnostic::new(format!("`{name}` is being worked on, and is used inside that work again"))
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
            Diagnostic::new(plain)
        }
    }
}

/// A name that nobody knows.
fn unknown_name(context: &Context<'_>, name: &str) -> Diagnostic {
    match name {
        LAST_VALUE => Diagnostic::new("no value is kept as `_`")
            .help("`_` is what the last expression came to, if that was a number, truth, text, player or zone"),
        "settings" if context.typed.is_some() => settings_in_play(context.ruleset),
        _ => {
            let known = context.globals.iter().map(String::as_str);
            let help = did_you_mean(name, known).unwrap_or_else(|| {
                "functions see their parameters, and the zones, `players`, `table`, `data`".to_owned()
            });
            Diagnostic::new(format!("there is no `{name}` here")).help(help)
        }
    }
}

fn too_deep() -> Diagnostic {
    Diagnostic::new("the functions call each other too deeply")
        .help(format!("at most {} calls may stand inside each other", crate::script::guard::MAX_CALLS))
}

fn text_too_long() -> Diagnostic {
    Diagnostic::new("a text grew too long").help(format!("a text can have {} bytes", super::MAX_TEXT))
}

fn list_too_long() -> Diagnostic {
    Diagnostic::new("a list grew too long")
        .help(format!("a list can hold {} entries, those of lists inside it included", super::MAX_LIST))
}

fn division_by_zero(shown: &str) -> Diagnostic {
    Diagnostic::new(format!("division by zero: {shown}")).help("ask before whether the number is 0")
}

fn number_too_large(shown: &str) -> Diagnostic {
    Diagnostic::new(format!("the number is too large: {shown}")).help(format!(
        "numbers go from {} to {}",
        i64::MIN,
        i64::MAX
    ))
}

/// That `settings` alone does not say which layer's; with the keys that there are.
fn settings_in_play(ruleset: &Ruleset) -> Diagnostic {
    let error = Diagnostic::new("`settings` are those of a layer, and no layer alone has this key");
    let layers = ruleset.settings.iter().filter(|(_, values)| !values.is_empty()).map(|(layer, values)| {
        let keys: Vec<&str> = values.keys().map(String::as_str).collect();
        format!("{layer} has {}", keys.join(", "))
    });
    let layers: Vec<String> = layers.collect();
    error.help(if layers.is_empty() { "these rules have no settings".to_owned() } else { layers.join("; ") })
}

/// A fault of a word.
pub fn from_fault(fault: &Fault) -> Diagnostic {
    match fault {
        Fault::Rule { message, help: Some(help) } => Diagnostic::new(message.clone()).help(help.clone()),
        Fault::Rule { message, help: None } => Diagnostic::new(message.clone()),
        Fault::Halt(halt) => Diagnostic::new(format!("the run ended: {halt:?}")),
    }
}

/// What a script threw, as a sentence; only texts, numbers and truths can say anything.
fn thrown(value: &Dynamic) -> String {
    match value.as_immutable_string_ref() {
        Ok(text) => format!("the rules gave up: {}", text.as_str()),
        Err(_) if value.is_int() || value.is_bool() => format!("the rules gave up: {value}"),
        Err(_) => "the rules gave up".to_owned(),
    }
}

/// Whether something was asked of nobody, or done with nobody, that takes a player.
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

fn function_not_found(context: &Context<'_>, signature: &str) -> Diagnostic {
    let name = signature.split(" (").next().unwrap_or(signature);
    let arguments = signature.split_once(" (").map_or("", |(_, rest)| rest.strip_suffix(')').unwrap_or(rest));
    let given: Vec<Option<Sort>> = match arguments {
        "" => Vec::new(),
        some => some.split(", ").map(Sort::of_interpreter).collect(),
    };
    if let Some(property) = name.strip_prefix("get$").or_else(|| name.strip_prefix("set$")) {
        return no_property(given.first().copied().flatten(), property);
    }
    no_word(context, name, &given)
}

/// A word, function or operator that does not take what it was given.
fn no_word(context: &Context<'_>, name: &str, given: &[Option<Sort>]) -> Diagnostic {
    let is_operator = !name.chars().any(|letter| letter.is_alphanumeric() || letter == '_');
    match *given {
        [Some(sort)] if is_operator => return sorts::no_prefix(name, sort),
        [Some(left), Some(right)] if is_operator => return sorts::no_operator(name, left, right),
        // `value in list` is `list.contains(value)`.
        [Some(list), Some(_)] if name == "contains" && !list.can_be_looped() => {
            return Diagnostic::new(format!("{} contains nothing that could be looked for", list.named()));
        }
        _ => {}
    }
    if let Some(mismatch) = sorts::wrong_call(name, given) {
        return mismatch.error;
    }
    let sorts: Vec<&str> = given.iter().map(|sort| sort.map_or("something else", Sort::named)).collect();
    let diagnostic = Diagnostic::new(match sorts[..] {
        [] => format!("there is no `{name}` without arguments"),
        _ => format!("there is no `{name}` for {}", sorts.join(", ")),
    });
    match why_not_available(name).map(str::to_owned).or_else(|| nearest_function(context.functions, name)) {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// A property that what stands before the dot does not have.
fn no_property(sort: Option<Sort>, property: &str) -> Diagnostic {
    let diagnostic = match sort {
        Some(sort) => sorts::has_no(sort, property),
        None => Diagnostic::new(format!("there is no `{property}` here")),
    };
    match now_called(property) {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// `[…]` where there is nothing to look into; the interpreter tells the sorts as `player [i64]`.
fn index_of_nothing(sort: &str) -> Diagnostic {
    let (owner, index) =
        sort.split_once(" [").map_or((sort, ""), |(owner, index)| (owner, index.trim_end_matches(']')));
    match (Sort::of_interpreter(owner), Sort::of_interpreter(index)) {
        (Some(owner), Some(index)) if owner.can_be_looped() => sorts::needed(Sort::Number.named(), index),
        (Some(owner), _) => sorts::no_entries(owner),
        (None, _) => Diagnostic::new("there are no entries here"),
    }
}

/// The interpreter says `Addition overflow: 1 + 2`, `Division by zero: 1 / 0`.
fn arithmetic(message: &str) -> Diagnostic {
    let (what, calculation) = message.split_once(": ").unwrap_or((message, ""));
    let what = what.to_lowercase();
    let shown = if calculation.is_empty() { String::new() } else { format!(": {calculation}") };
    if what.contains("zero") {
        return Diagnostic::new(format!("division by zero{shown}")).help("ask before whether the number is 0");
    }
    if what.contains("negative") || what.contains("shift") {
        return Diagnostic::new(format!("this cannot be worked out{shown}"));
    }
    Diagnostic::new(format!("the number is too large{shown}")).help(format!(
        "numbers go from {} to {}",
        i64::MIN,
        i64::MAX
    ))
}

/// Words of the language that rules may not use, with what to do instead.
pub fn why_not_available(word: &str) -> Option<&'static str> {
    Some(match word {
        "eval" => "rules cannot run text as a script; write a function",
        "import" | "export" => "there is no import; a game names libraries of scripts/ in `uses`",
        "print" | "debug" => "write `note(text)` to put a remark into the log",
        "sleep" | "timestamp" => "rules know no clock",
        "type_of" | "is_def_fn" | "is_def_var" | "is_shared" => {
            "rules know what they work with; ask `is_empty`, `contains` or an attribute"
        }
        "sort" | "sort_by" | "sort_desc" => "write `cards.sorted(attribute)`",
        "filter" | "retain" => "write `where(|x| …)`",
        "reduce" | "fold" => "write `sum_of(|x| …)`",
        "some" => "write `any(|x| …)`",
        "length" | "size" => "`.len` is how many there are",
        "append" | "add" | "insert" => "write `list.push(entry)`, or `cards + card`",
        "find" => "write `where(|x| …)`, and `.first` of it",
        "range" => "write `0..10`",
        "Fn" | "call" | "curry" => "a function stands only where a word takes one, such as `players.any(|p| …)`",
        "rand" => "draw by lot with `pick`, shuffle a zone with `shuffle`",
        _ => return None,
    })
}

fn dot_expression(message: &str) -> Diagnostic {
    // Rhai: Unknown property 'x' - a getter is not registered for type 'T'
    let mut quoted = message.split('\'');
    match (quoted.nth(1), quoted.nth(1)) {
        (Some(property), Some(sort)) if message.starts_with("Unknown property") => {
            no_property(Sort::of_interpreter(sort), property)
        }
        _ => Diagnostic::new(lower_first(message)),
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

/// A sentence of the interpreter as ours begin.
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
