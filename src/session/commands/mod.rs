//! The commands: each is one object, all are listed in one table.
//!
//! Help, completion, hints, the reference page, and the test that runs every example are made from [`COMMANDS`].

mod advice;
mod arguments;
mod campaign;
mod compare;
mod debug;
mod files;
mod fitting;
mod hand;
mod help;
pub(crate) mod invite;
mod lab;
mod look;
mod play;
mod rulebook;
mod rules;
mod seat;
mod shapes;
mod test;
mod travel;
mod why;

use crate::catalogue::{Message, message};
use crate::diagnostic::{Diagnostic, Diagnostics, in_half_width, unknown_or};
use crate::screen::style::Line;
use crate::session::analysis::Candidate;
use crate::session::expression::is_name;
use crate::session::{Session, split_word};
use arguments::{AnySignature, Extent};
pub(super) use fitting::Next;
use fitting::{Mismatch, MismatchReason};

pub(super) use debug::after_moves;
pub use help::{evaluate, help, in_every_game, names_in_every_game, recipe_meant, reference};
pub(super) use lab::Figures;

/// A command, with everything known about it.
pub struct Command {
    /// The name.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// A description in one line.
    pub about: &'static str,
    /// More help; may be empty.
    pub help: &'static str,
    /// Example lines; a test runs them.
    pub examples: &'static [&'static str],
    /// The heading of its group in the reference.
    pub group: &'static str,
    /// When it is available. Commands that change the game work only outside the debugger.
    pub works: Availability,
    /// Whether it reveals or does what a player may not know; it is then refused to a limited viewer.
    pub tells_all: bool,
    /// Whether it changes the game by hand or its rules, or reveals future chance. It is then refused in a game with
    /// fair undo.
    pub is_for_designing: bool,
    /// Whether it changes nothing and may take long. It then runs in the background while remote players are at the
    /// table.
    pub takes_long: bool,
    /// Whether an empty line repeats it.
    pub steps: bool,
    /// Other commands that may have been meant where the arguments fit those.
    combined: &'static [&'static str],
    /// The forms of the command: arguments, and what to run.
    signatures: &'static [&'static dyn AnySignature],
    /// Other forms in the debugger, where the command means something else there; otherwise empty.
    signatures_in_debugger: &'static [&'static dyn AnySignature],
}

/// When a command is available.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Availability {
    Always,
    /// Only outside the debugger.
    InPlay,
    InDebugger,
}

/// The defaults for most commands. Each group of commands overrides some, and each command the rest.
const USUAL: Command = Command {
    name: "",
    aliases: &[],
    about: "",
    help: "",
    examples: &[],
    group: "",
    works: Availability::InPlay,
    tells_all: false,
    is_for_designing: false,
    takes_long: false,
    steps: false,
    combined: &[],
    signatures: &[],
    signatures_in_debugger: &[],
};

impl Command {
    /// The usage line, with all arguments.
    pub fn usage(&self) -> String {
        arguments::usage(self.name, self.signatures)
    }

    /// Whether it is available now.
    pub fn works(&self, is_debugging: bool) -> bool {
        match self.works {
            Availability::Always => true,
            Availability::InPlay => !is_debugging,
            Availability::InDebugger => is_debugging,
        }
    }

    /// Whether it takes an expression of the rules' language.
    pub(super) fn takes_an_expression(&self) -> bool {
        let mut arguments = self.signatures.iter().flat_map(|signature| signature.arguments());
        arguments.any(|argument| argument.shape().extent() == Extent::Expression)
    }

    /// The possible continuations of a line, given without the command's name.
    pub(super) fn next(&self, session: &Session, line: &str) -> Next {
        fitting::next(session, self.signatures(session), line.trim())
    }

    /// The usage of the missing arguments of a line, given without the command's name.
    pub(super) fn rest_of_usage(&self, session: &Session, line: &str) -> Option<String> {
        fitting::rest_of_usage(session, self.signatures(session), line.trim())
    }

    /// Runs the command with a line of arguments.
    ///
    /// # Errors
    /// The arguments do not fit, with the usage; or the command fails.
    pub(super) fn run(&self, session: &mut Session, line: &str) -> Result<Flow, Diagnostics> {
        let signatures = self.signatures(session);
        let narrow = in_half_width(line);
        // Names given by a person may have non-ASCII letters, even full-width ones.
        let first = narrow
            .as_deref()
            .filter(|narrow| {
                narrow.is_ascii() && !session.situation().answers.is_some_and(|answers| answers.has_wide_label(line))
            })
            .unwrap_or(line);
        let fitted = match (fitting::fit(session, signatures, first), narrow.as_deref()) {
            (Err(_), Some(narrow)) => fitting::fit(session, signatures, narrow),
            (fitted, _) => fitted,
        };
        let (signature, texts) = fitted.map_err(|mismatch| {
            let error = self.mismatch(signatures, mismatch);
            match self.another(session, narrow.as_deref().unwrap_or(line)) {
                Some(help) => error.help(help),
                None => error,
            }
        })?;
        if self.takes_long && session.has_faces() {
            return session.look_in_background(format!("{} {line}", self.name).trim_end().to_owned()).map(Flow::Show);
        }
        signature.run(session, &texts)
    }

    /// A suggestion for a line that joins two commands, or means another one.
    fn another(&self, session: &Session, rest: &str) -> Option<Message> {
        let is_debugging = session.debugger.is_some();
        let fits = |line: &str| {
            let (word, rest) = split_word(line);
            let command = named(word).filter(|command| command.works(is_debugging))?;
            fitting::fit(session, command.signatures(session), rest.trim()).is_ok().then(|| line.trim().to_owned())
        };
        // Two commands in one line: `undo; auto`, `undo && auto`, `undo then auto`.
        for between in [";", "&&", ",", " then ", " and "] {
            let line = format!("{} {rest}", self.name);
            let Some((own, next)) = line.split_once(between) else { continue };
            if let Some(next) = fits(next.trim()) {
                return Some(message!("write one command a line: `{}`, then `{next}`", own.trim()));
            }
        }
        if let Some(other) = fits(rest) {
            return Some(message!("`{other}` is a command by itself"));
        }
        let goal = rest.strip_prefix("to ").unwrap_or(rest).trim();
        // An expression can be anything, so a mere name is no reason to suggest one.
        let is_worded = |other: &str| {
            let first = named(other).into_iter().flat_map(|command| command.signatures(session));
            first.flat_map(|signature| signature.arguments().into_iter().take(1)).any(|argument| {
                let shape = argument.shape();
                shape.words().contains(&goal) || shape.extent() != Extent::Expression && shape.words().is_empty()
            })
        };
        let is_expression =
            || !is_name(goal) && goal.parse::<i64>().is_err() && session.playthrough.parse(goal).is_ok();
        let is_meant = |other: &&&str| is_worded(other) || is_expression();
        let name = self.combined.iter().filter(is_meant).find_map(|other| fits(&format!("{other} {goal}")))?;
        Some(message!("did you mean `{name}`?"))
    }

    fn signatures(&self, session: &Session) -> &'static [&'static dyn AnySignature] {
        match &session.debugger {
            Some(_) if !self.signatures_in_debugger.is_empty() => self.signatures_in_debugger,
            _ => self.signatures,
        }
    }

    /// The error message for a line that fits no signature.
    fn mismatch(&self, signatures: &[&dyn AnySignature], mismatch: Mismatch<'_>) -> Diagnostics {
        let usage = arguments::usage(self.name, signatures);
        let write = message!("write `{usage}`");
        match mismatch.why {
            MismatchReason::Missing => {
                // Of several signatures, the one that was begun.
                let signature = signatures.get(mismatch.signature..=mismatch.signature).filter(|_| mismatch.taken > 0);
                let usage = signature.map_or(usage, |signature| arguments::usage(self.name, signature));
                let begun = format!("{} {}", self.name, mismatch.before.split_whitespace().next().unwrap_or_default());
                let mut examples =
                    self.examples.iter().filter(|example| signature.is_none() || example.starts_with(&begun));
                let error = Diagnostic::new(message!("write `{usage}`"));
                match examples.next() {
                    Some(example) => error.help(message!("for example `{example}`")).into(),
                    None => error.into(),
                }
            }
            MismatchReason::TooMuch => {
                let before = format!("{} {}", self.name, mismatch.before);
                Diagnostic::new(message!("`{}` takes nothing after it", before.trim_end())).help(write).into()
            }
            MismatchReason::Other(names, words) => {
                let error = Diagnostic::new(message!("`{}` is not {}", mismatch.found, one_of(&names)));
                error.near_or(mismatch.found, words, write).into()
            }
            MismatchReason::Because(errors) if errors.iter().all(|error| error.help.is_empty()) => errors.help(write),
            MismatchReason::Because(errors) => errors,
        }
    }
}

/// A list of alternatives: `a number of steps, `fair` or `free``.
fn one_of(names: &[Message]) -> Message {
    match names {
        [before @ .., last] if !before.is_empty() => {
            Message::joined([Message::list(before.iter().cloned(), ", "), " or ".into(), last.clone()])
        }
        names => Message::joined(names.iter().cloned()),
    }
}

/// The result of a line.
#[derive(Debug)]
pub enum Flow {
    /// Show these lines.
    Show(Vec<Line>),
    /// Show these lines in a pager, where there is one.
    Page(Vec<Line>),
    /// Ask the person first.
    Ask(Question),
    /// End the session.
    Quit,
}

impl Flow {
    /// Shows other lines before its own; a pager, a question and the end of the session have none before them.
    pub(in crate::session) fn behind(self, before: impl IntoIterator<Item = Line>) -> Self {
        match self {
            Self::Show(lines) => Self::Show(before.into_iter().chain(lines).collect()),
            flow => flow,
        }
    }
}

/// A question before something that cannot be undone.
#[derive(Debug)]
pub struct Question {
    /// The error in a script: why it is refused, and how to do it anyway.
    pub refusal: Diagnostics,
    /// The question for a person at a terminal, to be answered by yes or no.
    pub question: &'static str,
    /// The line to run after a yes.
    pub yes: String,
}

/// All commands, in the order of the reference.
pub const COMMANDS: &[&Command] = &[
    &play::CHOOSE,
    &play::CLOCK,
    &play::AUTO,
    &play::UNTIL,
    &campaign::CAMPAIGN,
    &seat::SEAT,
    &advice::HINT,
    &travel::UNDO,
    &travel::REDO,
    &travel::REROLL,
    &travel::GOTO,
    &travel::BOOKMARK,
    &travel::BRANCH,
    &travel::FORGET,
    &travel::TREE,
    &travel::HISTORY,
    &look::TABLE,
    &look::AS,
    &look::LOG,
    &invite::INVITE,
    &invite::REVOKE,
    &why::WHY,
    &rulebook::RULES,
    &advice::ANALYZE,
    &compare::DIFF,
    &lab::SIM,
    &lab::COMPARE,
    &lab::JOBS,
    &lab::WAIT,
    &lab::STOP,
    &rules::VARIANTS,
    &rules::WITH,
    &rules::WITHOUT,
    &rules::RELOAD,
    &rules::WATCH,
    &rules::KEEP,
    &test::TEST,
    &test::CHECK,
    &hand::SET,
    &hand::MOVE,
    &hand::SWAP,
    &hand::LAY,
    &hand::RIG,
    &debug::DEBUG,
    &debug::BREAK,
    &debug::DELETE,
    &debug::STEP,
    &debug::NEXT,
    &debug::OUT,
    &debug::CONTINUE,
    &debug::BACK,
    &debug::REWIND,
    &debug::LOCALS,
    &debug::STACK,
    &debug::UP,
    &debug::DOWN,
    &debug::WHERE,
    &debug::DONE,
    &files::SAVE,
    &files::LOAD,
    &files::BUG,
    &files::RECORD,
    &help::EVAL,
    &help::HELP,
    &help::PAGER,
    &help::QUIT,
];

/// The command with exactly this name, aliases excluded.
pub fn named(word: &str) -> Option<&'static Command> {
    COMMANDS.iter().copied().find(|command| command.name == word)
}

/// The available command with this name or alias, or the only one that begins so. An unavailable command needs its
/// whole name.
///
/// # Errors
/// The same as of [`find`].
pub fn find_now(word: &str, is_debugging: bool) -> Result<&'static Command, Diagnostics> {
    match find_among(word, |command| command.works(is_debugging)) {
        Ok(command) => Ok(command),
        Err(error) => named(word).ok_or(error),
    }
}

/// The command with this name or alias, or the only one that begins so.
///
/// # Errors
/// There is no such command, and the nearest is suggested; or several begin so.
pub fn find(word: &str) -> Result<&'static Command, Diagnostics> {
    find_among(word, |_| true)
}

fn find_among(word: &str, is_meant: impl Fn(&Command) -> bool) -> Result<&'static Command, Diagnostics> {
    let among = || COMMANDS.iter().copied().filter(|command| is_meant(command));
    if let Some(command) = among().find(|command| command.name == word || command.aliases.contains(&word)) {
        return Ok(command);
    }
    let begun: Vec<&'static Command> =
        among().filter(|command| is_beginning(word) && command.name.starts_with(word)).collect();
    match begun.as_slice() {
        [command] => Ok(command),
        [] => {
            let known = among().flat_map(|command| std::iter::once(&command.name).chain(command.aliases));
            Err(unknown_or("command", word, known.copied(), "`help` lists the commands").into())
        }
        several => {
            let names = several.iter().map(|command| Message::verbatim(format!("`{}`", command.name)));
            Err(Diagnostic::new(message!("`{word}` can mean {}", Message::list(names, ", "))).into())
        }
    }
}

/// Whether a word can be an abbreviated command: `for` begins a statement, not `forget`.
fn is_beginning(word: &str) -> bool {
    !word.is_empty() && !STATEMENTS.contains(&word)
}

/// The keywords that a statement of the rules' language can begin with.
pub(super) const STATEMENTS: [&str; 11] =
    ["if", "for", "while", "loop", "do", "switch", "let", "const", "return", "true", "false"];
