//! Expressions typed without a command.

use crate::catalogue::message;
use crate::diagnostic::{Diagnostic, Diagnostics, Help, did_you_mean};
use crate::session::analysis::is_in_name;
use crate::session::answer::{MARKS, number};
use crate::session::commands::{self, COMMANDS, Flow, STATEMENTS};
use crate::session::{Session, split_word};
use crate::table::value::Seats;

/// The global names in every game; `_` is the value of the last expression.
pub(super) const NAMES: [&str; 6] = ["players", "nobody", "table", "data", "settings", "_"];

impl Session {
    /// Evaluates a line that is neither an option nor a command, if it is an expression; else suggests other meanings.
    /// `unknown` is the error that it is no command.
    ///
    /// # Errors
    /// The expression fails, or its first word is unknown; the nearest known one is suggested.
    pub(super) fn expression(&mut self, typed: &str, unknown: Diagnostics) -> Result<Flow, Diagnostics> {
        if typed.ends_with('?') || typed.starts_with('?') {
            return commands::help(self, typed);
        }
        let (word, _) = split_word(typed);
        if typed.starts_with(MARKS) || number::<i64>(typed).is_some() {
            return Err(self.situation().no_answer(typed, unknown));
        }
        if self.is_component_alone(typed) {
            let error =
                Diagnostic::new(message!("`{typed}` is a component")).help(message!("`why {typed}` tells of it"));
            let is_asked = self.playthrough.position().open.is_some();
            let error = match is_asked {
                true => error.help(message!("it is not among the options; `why not {typed}` tells why")),
                false => error,
            };
            return Err(self.situation().no_answer(typed, error.into()));
        }
        let is_name = is_name(word);
        let is_known = self.is_known(word);
        if is_name && !is_known {
            return Err(self.situation().no_answer(typed, self.no_such_name(word, unknown)));
        }
        match self.playthrough.parse(typed) {
            Ok(()) => commands::evaluate(self, typed),
            // A line that begins like an expression gets the expression's error.
            Err(error) if is_known || begins_like_an_expression(typed) => Err(error),
            Err(_) => Err(self.situation().no_answer(typed, unknown)),
        }
    }

    /// Whether a line is the id of a component, and nothing that has a value: `heart-3`, but not `p1`. Whoever may not
    /// know everything is told of no component by its id.
    fn is_component_alone(&self, typed: &str) -> bool {
        let is_id = self.playthrough.loaded().layout.face_named(typed).is_some();
        is_id && !self.is_known(typed) && !self.viewer.is_limited()
    }

    /// Whether a single word can be part of an expression here.
    pub(super) fn is_known(&self, word: &str) -> bool {
        STATEMENTS.contains(&word) || self.names().iter().any(|name| name == word)
    }

    /// All names known at the current position.
    fn names(&self) -> Vec<String> {
        let layout = &self.playthrough.loaded().layout;
        let zones = layout.definition.zones.iter().filter(|zone| !zone.per_seat).map(|zone| zone.id.clone());
        let seats = Seats::all(layout.seats).into_iter().map(|seat| seat.to_string());
        let call = self.debugger.as_ref().and_then(|debugger| Some(debugger.call()?.1));
        let locals = call.into_iter().flat_map(|call| call.locals.iter().map(|local| local.name.clone()));
        NAMES.map(str::to_owned).into_iter().chain(zones).chain(seats).chain(locals).collect()
    }

    /// The suggestion of the name nearest to `word`, among those known here and `others`.
    pub(super) fn nearest(&self, word: &str, others: &[&'static str]) -> Option<Help> {
        let names = self.names();
        did_you_mean(word, names.iter().map(String::as_str).chain(others.iter().copied()))
    }

    /// The error that a word is neither a command nor a name, with the nearest of both.
    fn no_such_name(&self, word: &str, unknown: Diagnostics) -> Diagnostics {
        let loaded = self.playthrough.loaded();
        if let Some(function) = loaded.functions.iter().rfind(|function| function.name == word) {
            let call = format!("{word}({})", function.parameters.join(", "));
            return Diagnostic::new(message!("`{word}` is a function of the rules"))
                .help(message!("`{call}` calls it on a copy of the table; `help {word}` explains it"))
                .into();
        }
        if loaded.layout.definition.variables.iter().any(|variable| !variable.per_seat && variable.id == word) {
            return Diagnostic::new(message!("`{word}` is a variable of the table"))
                .help(message!("write `table.{word}`"))
                .into();
        }
        if let Some(written) = loaded.layout.definition.hint_for_cell_name(word) {
            return Diagnostic::new(message!("`{word}` is one of several zones")).help(written).into();
        }
        // Several commands begin with the word.
        if COMMANDS.iter().any(|command| command.name.starts_with(word)) {
            return unknown;
        }
        let commands = COMMANDS.iter().flat_map(|command| std::iter::once(&command.name).chain(command.aliases));
        let names = self.names();
        let error = Diagnostic::new(message!("there is no command `{word}`, and no such name in these rules"));
        match did_you_mean(word, names.iter().map(String::as_str)) {
            Some(help) => error.help(help).into(),
            None => {
                error.near_or(word, commands.copied(), "`help` lists the commands; Tab shows what you can type").into()
            }
        }
    }
}

/// Whether a text has the form of a name in the rules' language.
pub(super) fn is_name(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_') && word.chars().all(is_in_name)
}

/// The operators that can follow a number, in Rhai or in other notations.
const OPERATORS: &[char] =
    &['+', '-', '*', '/', '%', '^', '~', '<', '>', '!', '&', '|', '×', '÷', '≠', '≤', '≥', '−', '–'];

/// Whether a text cannot be meant as a command: it begins with a bracket or a quote, or its first name is followed by
/// something that never follows a command.
fn begins_like_an_expression(typed: &str) -> bool {
    let behind = typed.trim_start_matches(is_in_name);
    let is_number = behind.len() < typed.len() && typed.starts_with(|first: char| first.is_ascii_digit());
    typed.starts_with(['(', '[', '{', '"', '`', '!', '-', '~'])
        || (behind.len() < typed.len() && behind.starts_with(['.', '(', '[']))
        || ["0x", "0o", "0b"].iter().any(|radix| typed.starts_with(radix))
        || (is_number && behind.trim_start().starts_with(OPERATORS) || behind.trim_start().starts_with(['?', '^', '~']))
}
