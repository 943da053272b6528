//! What can be typed beside answers: each command is one object, and all of them stand in one table.
//!
//! From [`COMMANDS`] come help, completion, hints, the reference page, and the test that runs every example.

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

/// A command with everything that is known about it.
pub struct Command {
    /// What is typed.
    pub name: &'static str,
    /// Other things that may be typed instead.
    pub aliases: &'static [&'static str],
    /// What it does, in one line.
    pub about: &'static str,
    /// What else is worth knowing; may be empty.
    pub help: &'static str,
    /// Lines that show its use; a test runs them.
    pub examples: &'static [&'static str],
    /// The heading it stands under.
    pub group: &'static str,
    /// When it can be given: what changes the game, only outside the debugger.
    pub works: Availability,
    /// Whether it tells or does what nobody who looks as a player may know: it is refused to that person.
    pub tells_all: bool,
    /// Whether it changes the game by hand or its rules, or shows what chance will bring: not in a game that is played
    /// with fair undo.
    pub is_for_designing: bool,
    /// Whether it changes nothing and may take long: while others are at the table, it runs in the background, for they do not
    /// wait.
    pub takes_long: bool,
    /// Whether an empty line repeats it.
    pub steps: bool,
    /// Commands that may be meant where what stands behind its name belongs to them.
    combined: &'static [&'static str],
    /// The ways to write it: what stands behind its name, and what is done then.
    signatures: &'static [&'static dyn AnySignature],
    /// The ways to write it in the debugger, where it means something else there.
    signatures_in_debugger: &'static [&'static dyn AnySignature],
}

/// When a command can be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Availability {
    Always,
    /// Outside the debugger.
    InPlay,
    InDebugger,
}

/// What most commands have in common. A group of commands says what its own have, and a command the rest.
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
    /// How it is written, arguments and all.
    pub fn usage(&self) -> String {
        arguments::usage(self.name, self.signatures)
    }

    /// Whether it can be given now.
    pub fn works(&self, is_debugging: bool) -> bool {
        match self.works {
            Availability::Always => true,
            Availability::InPlay => !is_debugging,
            Availability::InDebugger => is_debugging,
        }
    }

    /// Whether an expression of the rules' language can stand behind its name.
    pub(super) fn takes_an_expression(&self) -> bool {
        arguments::extents(self.signatures).any(|extent| extent == Extent::Expression)
    }

    /// What can be typed behind so much of a line, without the command's name.
    pub(super) fn next(&self, session: &Session, line: &str) -> Next {
        fitting::next(session, self.signatures(session), line.trim())
    }

    /// How what is still to be typed behind so much of a line is written.
    pub(super) fn rest_of_usage(&self, session: &Session, line: &str) -> Option<String> {
        fitting::rest_of_usage(session, self.signatures(session), line.trim())
    }

    /// Does it, with what stands behind its name.
    ///
    /// # Errors
    /// That cannot be meant, and how the command is written; what the command runs into.
    pub(super) fn run(&self, session: &mut Session, line: &str) -> Result<Flow, Diagnostics> {
        let signatures = self.signatures(session);
        let narrow = in_half_width(line);
        // Somebody's own names can have other letters than those of ASCII, and full-width forms among them.
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

    /// What to write in place of a line that puts two commands together, or means another one.
    fn another(&self, session: &Session, rest: &str) -> Option<String> {
        let is_debugging = session.debugger.is_some();
        let fits = |line: &str| {
            let (word, rest) = split_word(line);
            let command = named(word).filter(|command| command.works(is_debugging))?;
            fitting::fit(session, command.signatures(session), rest.trim()).is_ok().then(|| line.trim().to_owned())
        };
        // `undo; auto`, `undo && auto`, `undo then auto`
        for between in [";", "&&", ",", " then ", " and "] {
            let line = format!("{} {rest}", self.name);
            let Some((own, next)) = line.split_once(between) else { continue };
            if let Some(next) = fits(next.trim()) {
                return Some(format!("write one command a line: `{}`, then `{next}`", own.trim()));
            }
        }
        if let Some(other) = fits(rest) {
            return Some(format!("`{other}` is a command by itself"));
        }
        let goal = rest.strip_prefix("to ").unwrap_or(rest).trim();
        // An expression can be anything; a name alone is none that would be meant.
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
        Some(format!("did you mean `{name}`?"))
    }

    fn signatures(&self, session: &Session) -> &'static [&'static dyn AnySignature] {
        match &session.debugger {
            Some(_) if !self.signatures_in_debugger.is_empty() => self.signatures_in_debugger,
            _ => self.signatures,
        }
    }

    /// What is said about a line that is written in another way.
    fn mismatch(&self, signatures: &[&dyn AnySignature], mismatch: Mismatch<'_>) -> Diagnostics {
        let usage = arguments::usage(self.name, signatures);
        let write = format!("write `{usage}`");
        match mismatch.why {
            MismatchReason::Missing => {
                // Of several signatures, the one that was begun.
                let signature = signatures.get(mismatch.signature..=mismatch.signature).filter(|_| mismatch.taken > 0);
                let usage = signature.map_or(usage, |signature| arguments::usage(self.name, signature));
                let begun = format!("{} {}", self.name, mismatch.before.split_whitespace().next().unwrap_or_default());
                let mut examples =
                    self.examples.iter().filter(|example| signature.is_none() || example.starts_with(&begun));
                let error = Diagnostic::new(format!("write `{usage}`"));
                match examples.next() {
                    Some(example) => error.help(format!("for example `{example}`")).into(),
                    None => error.into(),
                }
            }
            MismatchReason::TooMuch => {
                let before = format!("{} {}", self.name, mismatch.before);
                Diagnostic::new(format!("`{}` takes nothing after it", before.trim_end())).help(write).into()
            }
            MismatchReason::Other(names, words) => {
                let error = Diagnostic::new(format!("`{}` is not {}", mismatch.found, one_of(&names)));
                error.near_or(mismatch.found, words, write).into()
            }
            MismatchReason::Because(errors) if errors.iter().all(|error| error.help.is_empty()) => errors.help(write),
            MismatchReason::Because(errors) => errors,
        }
    }
}

/// `a number of steps, `fair` or `free``
fn one_of(names: &[String]) -> String {
    match names {
        [before @ .., last] if !before.is_empty() => format!("{} or {last}", before.join(", ")),
        names => names.concat(),
    }
}

/// What comes of a line.
#[derive(Debug)]
pub enum Flow {
    /// Lines to show.
    Show(Vec<Line>),
    /// Lines to read: at a terminal a screenful at a time.
    Page(Vec<Line>),
    /// Only the person can say whether this is to be done.
    Ask(Question),
    /// The person leaves.
    Quit,
}

/// What would take something away that cannot be had back.
#[derive(Debug)]
pub struct Question {
    /// Why it is not done, and how to do it: what a script is told.
    pub refusal: Diagnostics,
    /// Asked of a person at a terminal, to be answered by yes or no.
    pub question: &'static str,
    /// The line that does it.
    pub yes: String,
}

/// Every command, in the order of the reference.
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

/// The command of that whole name.
pub fn named(word: &str) -> Option<&'static Command> {
    COMMANDS.iter().copied().find(|command| command.name == word)
}

/// The command of that name or alias that can be given now, or the only one that begins with it; one that cannot be
/// given now by its whole name alone.
///
/// # Errors
/// As [`find`].
pub fn find_now(word: &str, is_debugging: bool) -> Result<&'static Command, Diagnostics> {
    match find_among(word, |command| command.works(is_debugging)) {
        Ok(command) => Ok(command),
        Err(error) => named(word).ok_or(error),
    }
}

/// The command of that name or alias, or the only one that begins with it.
///
/// # Errors
/// There is none, with the nearest; there are several.
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
            let names: Vec<String> = several.iter().map(|command| format!("`{}`", command.name)).collect();
            Err(Diagnostic::new(format!("`{word}` can mean {}", names.join(", "))).into())
        }
    }
}

/// Whether a word can be the beginning of a command's name: `for` begins a statement, not `forget`.
fn is_beginning(word: &str) -> bool {
    !word.is_empty() && !STATEMENTS.contains(&word)
}

/// The words that a statement of the rules' language can begin with.
pub(super) const STATEMENTS: [&str; 11] =
    ["if", "for", "while", "loop", "do", "switch", "let", "const", "return", "true", "false"];
