//! The functions of scripts: what is known of each one, and the nearest name to one that is not there. The checks, the
//! machine and messages go by it, so it knows nothing of the parser.

use crate::diagnostic::{Help, Message, did_you_mean, message};
use crate::ruleset::Ruleset;
use crate::script::sorts::Sort;
use crate::script::vocabulary::{Word, words};
use crate::table::event::ScriptPoint;

/// A definition of a function in one layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionInfo {
    /// The name as written.
    pub name: String,
    /// Names of the parameters.
    pub parameters: Vec<String>,
    /// Index of the script that defines the function.
    pub script: usize,
    /// Where the name is in the definition.
    pub at: ScriptPoint,
    /// Line of the closing brace, counted over the joined scripts.
    pub last_line: u16,
    /// The name in the flat tree.
    pub flat_name: String,
    /// Whether only the function's own script can call it.
    pub is_private: bool,
    /// Whether a call by name reaches this definition: it is that of the highest layer, and not private.
    pub is_highest: bool,
}

impl FunctionInfo {
    /// Whether this definition takes the place of one in a layer below.
    pub fn overrides(&self, below: &Self) -> bool {
        below.script < self.script
            && below.name == self.name
            && below.parameters.len() == self.parameters.len()
            && !below.is_private
            && !self.is_private
    }

    /// Whether a call of `name` reaches this definition, with the name as written or as in the flat tree.
    pub fn is_reached_by(&self, name: &str) -> bool {
        self.flat_name == name || self.is_highest && self.name == name
    }

    /// The `///` lines right above the function, in the ruleset that it belongs to.
    pub fn comment<'r>(&self, ruleset: &'r Ruleset) -> Vec<&'r str> {
        let Some(script) = ruleset.script_at(self.at) else { return Vec::new() };
        let before = usize::from(self.at.line).saturating_sub(script.lines_before + 1);
        comment_before(&script.script.text, before)
    }
}

/// The head of a function for documentation: its name, parameters and comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionHead {
    /// The name.
    pub name: String,
    /// Names of the parameters.
    pub parameters: Vec<String>,
    /// The text of the `///` lines right above the function, on one line.
    pub comment: String,
    /// Whether only the function's own script can call it.
    pub is_private: bool,
}

/// The `///` lines right above the line of a script that has `before` lines above it.
pub(super) fn comment_before(script: &str, before: usize) -> Vec<&str> {
    let lines: Vec<&str> = script.lines().take(before).collect();
    let count = lines.iter().rev().take_while(|line| line.trim_start().starts_with("///")).count();
    lines.into_iter().rev().take(count).rev().collect()
}

/// A hint with the nearest name among the functions of the scripts and the words whose first value can have the sort
/// `first`; `None` where none is near.
pub fn nearest_function(functions: &[FunctionInfo], name: &str, first: Option<Sort>) -> Option<Help> {
    let is_meant = |word: &&Word| first.is_none_or(|sort| word.receivers.is_empty() || sort.has(word.name));
    let words = words().filter(is_meant).map(|word| word.name);
    did_you_mean(name, functions.iter().map(|function| function.name.as_str()).chain(words))
}

/// How many arguments a call has, for the end of a sentence.
pub fn with_arguments(count: usize) -> Message {
    match count {
        0 => "without arguments".into(),
        1 => "with one argument".into(),
        more => message!("with {more} arguments"),
    }
}
