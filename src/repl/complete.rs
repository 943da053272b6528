//! Completion with descriptions, hints, and multi-line input.

use crate::diagnostic::visible;
use crate::repl::commands::{self, Candidate};
use crate::repl::{Session, commands_beginning, split_word, style};
use rustyline::completion::{Candidate as Shown, Completer};
use rustyline::highlight::Highlighter;
use rustyline::hint::{Hinter, HistoryHinter};
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Helper, Result};
use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

/// How many columns the editor leaves between completions.
const MARGIN: usize = 2;

/// Helps the person type.
pub(super) struct Assistant {
    session: Arc<Mutex<Session>>,
    history: HistoryHinter,
    color: bool,
}

/// A completion as the editor wants it.
pub(super) struct Completion {
    shown: String,
    replacement: String,
}

impl Assistant {
    pub(super) fn new(session: Arc<Mutex<Session>>, color: bool) -> Self {
        Self { session, history: HistoryHinter::new(), color }
    }
}

/// What can stand where the cursor is, and where that begins.
pub(super) fn candidates(session: &Session, line: &str) -> (usize, Vec<Candidate>) {
    let (word, _) = split_word(line);
    let mut found = Vec::new();
    if let Some(open) = session.answerable() {
        let options = open.options.iter().zip(1..).filter(|_| session.shows_options());
        for (option, number) in options.filter(|(option, _)| option.label.starts_with(line)) {
            found.push(Candidate::new(option.label.clone(), format!("option {number}")));
        }
    }
    if word.len() == line.len() {
        let fits =
            |command: &&commands::Command| command.name.starts_with(word) && command.works(session.debugger.is_some());
        let commands = commands_beginning(word).filter(fits);
        found.extend(commands.map(|command| Candidate::new(command.name, command.about)));
        return (0, found);
    }
    if !found.is_empty() {
        return (0, found);
    }
    let Ok(command) = commands::find(word) else { return (0, found) };
    // Arguments stand between blanks; in an expression, words stand between anything else.
    let is_word = |letter: char| if command.name == "eval" { is_in_name(letter) } else { !letter.is_whitespace() };
    let start = line.trim_end_matches(is_word).len();
    let arguments = line[word.len()..start].trim();
    let begun = &line[start..];
    let mut fitting = (command.complete)(session, arguments);
    fitting.retain(|candidate| candidate.text.starts_with(begun));
    (start, fitting)
}

/// Whether a letter can belong to a name of the rules' language.
fn is_in_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

impl Completer for Assistant {
    type Candidate = Completion;

    fn complete(&self, line: &str, position: usize, _: &Context<'_>) -> Result<(usize, Vec<Completion>)> {
        let session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let (start, found) = candidates(&session, &line[..position]);
        let room = session.width.saturating_sub(MARGIN);
        drop(session);
        let width = found.iter().map(|candidate| style::width(&candidate.text)).max().unwrap_or(0);
        let completion = |candidate: Candidate| {
            let padding = " ".repeat(width - style::width(&candidate.text));
            Completion {
                shown: style::cut(&format!("{}{padding}  {}", candidate.text, visible(&candidate.about)), room),
                replacement: candidate.text,
            }
        };
        Ok((start, found.into_iter().map(completion).collect()))
    }
}

impl Shown for Completion {
    fn display(&self) -> &str {
        &self.shown
    }

    fn replacement(&self) -> &str {
        &self.replacement
    }
}

impl Hinter for Assistant {
    type Hint = String;

    /// The arguments of a command that was just typed, else the rest of a line from history.
    fn hint(&self, line: &str, position: usize, context: &Context<'_>) -> Option<String> {
        if position < line.len() {
            return None;
        }
        if let Some(name) = line.strip_suffix(' ')
            && let Ok(command) = commands::find(name)
        {
            return command.usage.strip_prefix(command.name).map(|arguments| arguments.trim_start().to_owned());
        }
        self.history.hint(line, position, context)
    }
}

impl Highlighter for Assistant {
    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        if self.color { Cow::Owned(style::styled(hint, style::Label::Faint)) } else { Cow::Borrowed(hint) }
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _default: bool) -> Cow<'b, str> {
        if self.color { Cow::Owned(style::styled(prompt, style::Label::Strong)) } else { Cow::Borrowed(prompt) }
    }
}

impl Validator for Assistant {
    /// An expression goes on while a bracket is open; an empty line ends it all the same.
    fn validate(&self, context: &mut ValidationContext<'_>) -> Result<ValidationResult> {
        let input = context.input();
        let is_expression =
            commands::find(split_word(input.trim_start()).0).is_ok_and(|command| command.name == "eval");
        if is_expression && !input.ends_with('\n') && open_brackets(input) > 0 {
            return Ok(ValidationResult::Incomplete);
        }
        Ok(ValidationResult::Valid(None))
    }
}

impl Helper for Assistant {}

/// How many brackets are open at the end, those in texts left out.
fn open_brackets(input: &str) -> i32 {
    let mut depth = 0;
    let mut quote: Option<char> = None;
    for letter in input.chars() {
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '`') => quote = Some(letter),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, _) => {}
        }
    }
    depth
}

#[cfg(test)]
mod tests {
    use super::open_brackets;

    #[test]
    fn brackets_in_texts_do_not_count() {
        assert_eq!(open_brackets("eval players.map(|p| {"), 2);
        assert_eq!(open_brackets("eval \"((\" + `{`"), 0);
    }
}
