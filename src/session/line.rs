//! What a typed line means: an answer to the open decision, a command, or perhaps an expression.
//!
//! A function of the line and of the [`Situation`] alone. Nothing is run or changed to find out, so whoever completes,
//! draws or tests a line asks here too.

use super::answer::{Answer, Answers, MARKS, NAME, number};
use super::commands::{self, Command};
use super::{entry, split_word};
use crate::catalogue::{Message, message};
use crate::diagnostic::{Diagnostic, Diagnostics, did_you_mean, in_half_width};
use crate::playthrough::spelling::Certainty;
use crate::script::masked_script::in_half_width_code;
use crate::session::analysis::is_in_name;

/// The mark before a command that must not be taken for an option.
pub(super) const COMMAND: char = ':';

/// Most options whose labels a message lists.
const MAX_LABELS_TOLD: usize = 12;

/// Everything besides the line itself that decides what a line means.
pub(super) struct Situation<'a> {
    /// The open decision, with everything that can be typed for its options; `None` where nothing can be answered.
    pub answers: Option<Answers<'a>>,
    /// Why this viewer may not read and choose the options; `None` where they may.
    pub hidden: Option<Diagnostic>,
    /// Whether the debugger is open, which has commands of its own and takes no answers.
    pub is_debugging: bool,
    /// The command that an empty line repeats.
    pub last_step: Option<&'a str>,
    /// Whether an expression can begin with a word.
    pub is_known: Box<dyn Fn(&str) -> bool + 'a>,
}

/// The meaning of a line.
pub(super) enum Meaning {
    /// An empty line, with no step to repeat.
    Nothing,
    /// The options at these positions of the open decision; and what was understood, where something else could have
    /// been meant.
    Answer { positions: Vec<usize>, understood: Option<Message> },
    /// A command with what stands behind its name, and the whole line, by which it can be repeated.
    Command { command: &'static Command, typed: String, rest: String },
    /// Neither; an expression, or else the error that tells so.
    Expression { typed: String, unknown: Diagnostics },
}

/// The meaning of a line that is neither an option nor a command in full.
enum Hint {
    Option(usize),
    Command(&'static Command),
    /// Neither; the error to report unless the line is an expression.
    Nothing(Diagnostics),
}

impl Situation<'_> {
    /// The meaning of a line.
    ///
    /// # Errors
    /// The line is ambiguous, names an option that the rules refuse or that this viewer may not see, or names a command
    /// that does not work here.
    pub(super) fn meaning(&self, typed: &str) -> Result<Meaning, Diagnostics> {
        let mut typed = self.as_meant(typed.trim());
        if let Some(behind) = entry::behind_prompt(&typed).filter(|_| !self.is_option(&typed)) {
            if behind.is_empty() {
                return Ok(Meaning::Nothing);
            }
            typed = behind.to_owned();
        }
        if typed.is_empty() {
            let is_real_time = self.answers.as_ref().is_some_and(|answers| answers.open().by_clock.is_some());
            match self.last_step {
                _ if is_real_time => "clock".clone_into(&mut typed),
                Some(step) => step.clone_into(&mut typed),
                None => return Ok(Meaning::Nothing),
            }
        }
        let forced = typed.strip_prefix(COMMAND).map(str::trim).filter(|command| !command.is_empty());
        let (word, rest) = split_word(forced.unwrap_or(&typed));
        let whole_name = commands::named(word);
        let first = word.trim_end_matches([';', ',']);
        if first.len() < word.len() && !rest.is_empty() && commands::named(first).is_some() && !self.is_option(&typed) {
            let error = Diagnostic::new(message!("`{}` does not separate commands", &word[first.len()..]));
            return Err(error.help(message!("write one command a line: `{first}`, then `{}`", rest.trim())).into());
        }
        if forced.is_none() {
            match self.answered(&typed, Certainty::Named) {
                Answer::Options(positions, understood) => return Ok(Meaning::Answer { positions, understood }),
                Answer::Ambiguous(error) if whole_name.is_none() => return Err(error),
                Answer::Ambiguous(_) | Answer::None => {}
            }
        }
        // A line that begins with the name of a command can be an option that the rules refuse.
        if let Some(error) = self.refusal(&typed, Certainty::Named).filter(|_| forced.is_none() && typed.contains(' '))
        {
            return Err(error.into());
        }
        let command = match whole_name {
            Some(command) => command,
            None if forced.is_some() => commands::find_now(word, self.is_debugging)?,
            None => match self.hinted(&typed, word)? {
                Hint::Option(position) => return Ok(Meaning::Answer { positions: vec![position], understood: None }),
                Hint::Command(command) => command,
                Hint::Nothing(unknown) => return Ok(Meaning::Expression { typed, unknown }),
            },
        };
        if !command.works(self.is_debugging) {
            return Err(match self.is_debugging {
                true => Diagnostic::new(message!("`{}` does not work in the debugger", command.name))
                    .help("`done` leaves it; the game does not change"),
                false => Diagnostic::new(message!("`{}` works in the debugger", command.name)).help("`debug` opens it"),
            }
            .into());
        }
        let rest = rest.trim().to_owned();
        Ok(Meaning::Command { command, typed, rest })
    }

    /// The intended form of a line typed on a Japanese keyboard: full-width forms become ASCII, unless they name an
    /// option. As in rules, a `;` may end a command.
    fn as_meant(&self, typed: &str) -> String {
        let is_command = |line: &str| {
            let line = line.strip_prefix(COMMAND).unwrap_or(line).trim_start();
            commands::find_now(split_word(line).0, self.is_debugging).is_ok()
        };
        let names_an_option = self.is_option(typed);
        let mut line = typed.to_owned();
        if let Some(narrow) = in_half_width(typed).filter(|_| !names_an_option) {
            // What stands behind the name of a command may be somebody's own name.
            let rest = narrow.trim_start_matches(COMMAND).trim_start().find(char::is_whitespace);
            let behind = rest.map_or(0, |rest| narrow.trim_start_matches(COMMAND).trim_start()[rest..].chars().count());
            let head = narrow.chars().count() - behind;
            line = match is_command(&narrow) {
                true => narrow.chars().take(head).chain(typed.chars().skip(head)).collect(),
                false => in_half_width_code(typed),
            };
        }
        match line.strip_suffix([';', '；']).map(str::trim_end) {
            Some(command) if !names_an_option && is_command(command) => command.to_owned(),
            _ => line,
        }
    }

    /// The meaning of a line that is neither a full option nor begins with a full command name: a refused option, an
    /// alias of a command, or the beginning of an option or a command.
    fn hinted(&self, typed: &str, word: &str) -> Result<Hint, Diagnostics> {
        if let Some(error) = self.refusal(typed, Certainty::Named) {
            return Err(error.into());
        }
        let found = commands::find_now(word, self.is_debugging);
        // A short name is typed in one stroke, and what is on the cards is not in everybody's mind; the beginning of an
        // option's name is.
        if let Ok(command) = &found
            && command.aliases.contains(&word)
        {
            return match self.answered(typed, Certainty::Begun) {
                Answer::Options(positions, _) if !positions.is_empty() => Ok(Hint::Option(positions[0])),
                Answer::Ambiguous(error) => {
                    Err(error.help(message!("`{COMMAND}{typed}` is the command `{}`", command.name)))
                }
                _ => Ok(Hint::Command(command)),
            };
        }
        match (found, self.answered(typed, Certainty::Hinted)) {
            (Ok(command), Answer::Ambiguous(error)) => {
                Err(error.help(message!("`{COMMAND}{typed}` is the command `{}`", command.name)))
            }
            (Ok(command), Answer::Options(..)) => {
                let error =
                    Diagnostic::new(message!("`{typed}` can begin an option and the command `{}`", command.name));
                let (option, command) = (format!("{NAME}{typed}…"), format!("{COMMAND}{typed}"));
                Err(error
                    .help(message!("write more of it: `{option}` for the option, `{command}` for the command"))
                    .into())
            }
            (Ok(command), _) => Ok(Hint::Command(command)),
            (Err(_), Answer::Options(positions, _)) if !positions.is_empty() => Ok(Hint::Option(positions[0])),
            (Err(_), Answer::Ambiguous(error)) if !self.begins_with_a_name(typed) => Err(error),
            (Err(error), _) => match self.answered(typed, Certainty::Contained) {
                Answer::Options(positions, _) if !positions.is_empty() => Ok(Hint::Option(positions[0])),
                Answer::Ambiguous(error) => Err(error),
                _ => Ok(Hint::Nothing(error)),
            },
        }
    }

    /// Whether a line begins with something that is known here, as an expression does: `p1.hand`.
    fn begins_with_a_name(&self, typed: &str) -> bool {
        (self.is_known)(typed.split(|letter| !is_in_name(letter)).next().unwrap_or_default())
    }

    /// Reads a line as an answer to the open decision, in full or, depending on `sure`, from a hint.
    pub(super) fn answered(&self, typed: &str, sure: Certainty) -> Answer {
        let Some(answers) = &self.answers else { return Answer::None };
        if let Some(hidden) = &self.hidden {
            let is_number = number::<i64>(typed.trim_start_matches(MARKS)).is_some();
            return if is_number { Answer::Ambiguous(hidden.clone().into()) } else { Answer::None };
        }
        let read = |typed: &str| match sure {
            Certainty::Named => answers.read(typed),
            Certainty::Begun | Certainty::Hinted | Certainty::Contained => answers.hinted(typed, sure),
        };
        match (read(typed), in_half_width(typed)) {
            (Answer::None, Some(narrow)) => read(&narrow),
            (answer, _) => answer,
        }
    }

    /// Whether a line answers the open decision.
    pub(super) fn is_option(&self, typed: &str) -> bool {
        matches!(self.answered(typed, Certainty::Named), Answer::Options(..))
    }

    /// The open decision, where this viewer may read its options.
    fn shown(&self) -> Option<&Answers<'_>> {
        self.answers.as_ref().filter(|_| self.hidden.is_none())
    }

    /// The label of the option that a name means with certainty `sure`, refused options included.
    ///
    /// # Errors
    /// Several options match.
    pub(super) fn label_meant(&self, typed: &str, sure: Certainty) -> Result<Option<String>, Diagnostics> {
        self.answers.as_ref().map_or(Ok(None), |answers| answers.label_meant(typed, sure))
    }

    /// The error that the rules refuse the named option, with their reasons; `None` if no refused option matches.
    fn refusal(&self, typed: &str, sure: Certainty) -> Option<Diagnostic> {
        self.shown()?.refusal(typed, sure)
    }

    /// The error for a line that is neither an option, a command nor an expression: about the options where the line
    /// looks like one or several of these, else `unknown`.
    pub(super) fn no_answer(&self, typed: &str, unknown: Diagnostics) -> Diagnostics {
        let of_several = self.shown().and_then(|answers| answers.misfit_of_several(typed));
        of_several.unwrap_or_else(|| self.no_option(split_word(typed).0, unknown))
    }

    /// As [`no_answer`](Self::no_answer), for one word.
    pub(super) fn no_option(&self, word: &str, unknown: Diagnostics) -> Diagnostics {
        let is_number = number::<i64>(word.trim_start_matches(MARKS)).is_some();
        let or_unknown = |error: Diagnostic| if is_number { error.into() } else { unknown.clone() };
        if self.is_debugging {
            let none = Diagnostic::new("nothing can be chosen in the debugger");
            return or_unknown(none.help("`done` leaves it; the game does not change"));
        }
        let Some(answers) = &self.answers else {
            return or_unknown(Diagnostic::new("no decision is open").help("`undo` goes back to one"));
        };
        if let Some(hidden) = &self.hidden {
            return or_unknown(hidden.clone());
        }
        // The beginning of a number is another number.
        let sure = if is_number { Certainty::Named } else { Certainty::Hinted };
        if let Some(refusal) = self.refusal(word, sure).or_else(|| self.refusal(word, Certainty::Contained)) {
            return refusal.into();
        }
        let labels: Vec<&str> = answers.open().options.iter().map(|option| option.label.as_str()).collect();
        if !is_number && labels.iter().all(|label| did_you_mean(word, [*label]).is_none()) {
            return unknown;
        }
        let are_few = labels.len() <= MAX_LABELS_TOLD;
        let listing = answers.listing();
        let error = Diagnostic::new(message!("{word} is not among the options"));
        if listing.is_numbers {
            let numbers = match &labels[..] {
                [first, .., last] if !are_few => message!("from {} to {}", *first, *last),
                _ => Message::list(labels.iter().copied().map(Message::verbatim), ", "),
            };
            return error.help(message!("type one of the numbers {numbers}")).into();
        }
        let shown = match are_few {
            true => Message::list(labels.iter().copied().map(Message::verbatim), ", "),
            false => "`table` shows the options".into(),
        };
        let (first, last) = (listing.written(1), listing.written(labels.len()));
        match labels.len() {
            1 => error.help(message!("the only option is {shown}")),
            _ => error.help(message!("the options are {first} to {last}, or by label: {shown}")),
        }
        .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a line means where no game asks anything.
    fn meant(typed: &str, is_debugging: bool) -> String {
        let is_known = Box::new(|word: &str| word == "p1");
        let situation = Situation { answers: None, hidden: None, is_debugging, last_step: Some("undo 2"), is_known };
        match situation.meaning(typed) {
            Ok(Meaning::Nothing) => "nothing".to_owned(),
            Ok(Meaning::Answer { positions, .. }) => format!("options {positions:?}"),
            Ok(Meaning::Command { command, rest, .. }) => format!("{} of {rest}", command.name),
            Ok(Meaning::Expression { typed, .. }) => format!("the expression {typed}"),
            Err(error) => error.first().message.to_string(),
        }
    }

    #[test]
    fn a_line_needs_no_game_to_mean_something() {
        let lines = [
            ("", "undo of 2"),
            ("  table ", "table of "),
            (":t", "table of "),
            ("ｔａｂｌｅ；", "table of "),
            ("p1 › undo 3", "undo of 3"),
            ("over ›", "nothing"),
            ("p1.hand", "the expression p1.hand"),
            ("undo; redo", "`;` does not separate commands"),
            ("step", "`step` works in the debugger"),
        ];
        for (typed, means) in lines {
            assert_eq!(meant(typed, false), means, "{typed}");
        }
        assert_eq!(meant("undo", true), "`undo` does not work in the debugger");
    }
}
