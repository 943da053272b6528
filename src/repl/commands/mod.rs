//! What can be typed beside answers: each command is one object, and all of them stand in one table.
//!
//! From [`COMMANDS`] come help, completion, hints, the reference page, and the test that runs every example.

mod compare;
mod debug;
mod files;
mod hand;
mod help;
mod look;
mod play;
mod rules;
mod seat;
mod test;
mod topics;
mod travel;
mod why;

use crate::diagnostic::{Diagnostic, Diagnostics, unknown_or};
use crate::repl::Session;
use crate::screen::style::Line;
use crate::table::knowledge::Front;
use crate::table::names;
use crate::table::value::{Component, Seat};

pub(super) use debug::after_moves;
pub use help::{evaluate, help, names, reference};

/// A command with everything that is known about it.
pub struct Command {
    /// What is typed.
    pub name: &'static str,
    /// Other things that may be typed instead.
    pub aliases: &'static [&'static str],
    /// How it is written, arguments and all.
    pub usage: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// What else is worth knowing; may be empty.
    pub help: &'static str,
    /// Lines that show its use; a test runs them.
    pub examples: &'static [&'static str],
    /// The heading it stands under.
    pub group: &'static str,
    /// Whether an empty line repeats it.
    pub steps: bool,
    /// What can stand as the next argument, given those before it.
    pub complete: fn(&Session, &str) -> Vec<Candidate>,
    /// Does it.
    pub run: fn(&mut Session, &str) -> Result<Flow, Diagnostics>,
}

impl Command {
    /// Whether nothing may stand behind its name.
    pub fn takes_nothing(&self) -> bool {
        self.usage == self.name
    }

    /// Whether it tells or does what nobody who looks as a player may know: it is refused to that person.
    pub fn tells_all(&self) -> bool {
        match self.group {
            debug::INSIDE => self.name != debug::DONE.name,
            debug::GROUP | hand::GROUP => true,
            _ => [help::EVAL.name, compare::DIFF.name].contains(&self.name),
        }
    }

    /// Whether it changes the game by hand or its rules, or shows what chance will bring: not in a game that is played
    /// with fair undo.
    pub fn is_for_designing(&self) -> bool {
        let rules = [&rules::WITH, &rules::WITHOUT, &rules::RELOAD, &rules::WATCH, &rules::KEEP];
        let others = [&travel::REROLL, &help::EVAL, &compare::DIFF];
        self.group == hand::GROUP || rules.iter().chain(&others).any(|command| command.name == self.name)
    }

    /// Whether it can be given now: what changes the game, only outside the debugger.
    pub fn works(&self, is_debugging: bool) -> bool {
        match self.group {
            debug::INSIDE => is_debugging,
            debug::GROUP | look::GROUP | help::GROUP => true,
            // These two have a meaning of their own in the debugger.
            _ => !is_debugging || [play::UNTIL.name, rules::WATCH.name].contains(&self.name),
        }
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

/// Something that can be typed, with a few words about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What to type.
    pub text: String,
    /// What it is.
    pub about: String,
}

impl Candidate {
    /// A candidate with its description.
    pub fn new(text: impl Into<String>, about: impl Into<String>) -> Self {
        Self { text: text.into(), about: about.into() }
    }
}

/// Every command, in the order of the reference.
pub const COMMANDS: &[&Command] = &[
    &play::CHOOSE,
    &play::CLOCK,
    &play::AUTO,
    &play::UNTIL,
    &seat::SEAT,
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
    &why::WHY,
    &compare::DIFF,
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

/// Nothing to complete.
fn nothing(_: &Session, _: &str) -> Vec<Candidate> {
    Vec::new()
}

/// How a command is written, for a line that was not.
fn usage_of(command: &Command) -> Diagnostic {
    let error = Diagnostic::new(format!("write `{}`", command.usage));
    match command.examples.first() {
        Some(example) => error.help(format!("for example `{example}`")),
        None => error,
    }
}

/// A whole number that was typed.
fn number(text: &str, what: &str) -> Result<usize, Diagnostics> {
    text.parse().map_err(|_| Diagnostic::new(format!("`{text}` is no {what}; write a whole number")).into())
}

/// The seat whose things may be named without their owner: whoever is asked.
fn asked(session: &Session) -> Option<Seat> {
    session.position().open.as_ref().and_then(|open| open.seat)
}

/// The id of the zone that is meant by a name.
fn zone_id(session: &Session, name: &str) -> Result<String, Diagnostics> {
    let layout = &session.playthrough.loaded().layout;
    names::zone(layout, asked(session), name).map(|zone| layout.zones[zone.index()].id.to_string())
}

/// The id of the component that is meant by a name.
fn component_id(session: &Session, name: &str) -> Result<String, Diagnostics> {
    let layout = &session.playthrough.loaded().layout;
    names::component(layout, Some(&session.position().table), name).map(|face| layout.faces[face].id.to_string())
}

fn seats(session: &Session) -> impl Iterator<Item = Candidate> {
    (1..=session.playthrough.seats).map(|number| Candidate::new(format!("p{number}"), "a player"))
}

fn zones(session: &Session) -> Vec<Candidate> {
    let layout = &session.playthrough.loaded().layout;
    let name = |definition: usize| layout.definition.zones[definition].name.get(session.language).to_owned();
    layout.zones.iter().map(|zone| Candidate::new(&*zone.id, name(zone.definition))).collect()
}

fn variables(session: &Session) -> Vec<Candidate> {
    let layout = &session.playthrough.loaded().layout;
    let name = |definition: usize| layout.definition.variables[definition].name.get(session.language).to_owned();
    layout.variables.iter().map(|variable| Candidate::new(&*variable.id, name(variable.definition))).collect()
}

fn components(session: &Session) -> Vec<Candidate> {
    let layout = &session.playthrough.loaded().layout;
    let names = names::Names { layout, language: session.language };
    let table = &session.position().table;
    let component = |handle: usize| {
        let front = Front::of(table, Component(handle as u16));
        let face = names.face(front).map_or_else(String::new, |face| face.text.into_owned());
        Some(Candidate::new(&*layout.faces.get(front.face)?.id, format!("{face} {}", names.words_on(front)).trim()))
    };
    (0..table.faces.len()).filter_map(component).collect()
}
