//! Commands for help, for looking things up, and for leaving.

use super::arguments::{Extent, OneOf, Optional, Shape, Signature};
use super::shapes::{EXPRESSION, as_typed};
use super::{Availability, COMMANDS, Candidate, Command, Flow, USUAL, find};
use crate::catalogue::{message, said, say, sentence};
use crate::definition::Library;
use crate::diagnostic::{Diagnostic, Diagnostics, Help};
use crate::screen;
use crate::screen::style::{self, Line};
use crate::session::Session;
use crate::session::analysis::topics;
use crate::table::names::Names;
use crate::workspace::manual::{self, COOKBOOK};

/// The common properties of commands that are always available.
const HELPING: Command = Command { group: "Help and the way out", works: Availability::Always, ..USUAL };

/// A help topic.
const TOPIC: Shape<String> = Shape {
    name: "COMMAND|NAME",
    what: "a command or a name",
    lead: "",
    extent: Extent::Phrase,
    read: as_typed,
    complete: |session, before| {
        if !before.words.is_empty() {
            return topics::behind(before.words);
        }
        let commands = COMMANDS.iter().map(|command| Candidate::new(command.name, command.about));
        let named = session.analysis().topics().into_iter();
        commands.chain(named.filter(|topic| COMMANDS.iter().all(|command| command.name != topic.text))).collect()
    },
};

pub(super) const EVAL: Command = Command {
    name: "eval",
    aliases: &["e"],
    about: "evaluate an expression of the rules' language on a copy of the table",
    help: "You can leave out `eval` if the expression is not an option or a command: `p1.hand`, `3 + 4`, `score(p1)`. \
           `_` is the value of the previous expression. While a bracket or a text in backticks is open, Enter starts \
           another line; an empty line ends the expression anyway.\n\n\
           You can use every word of the vocabulary and every function of the rules; `p1`, `p2` … are the players. \
           Changes are listed, but do not happen.",
    examples: &["eval ring", "eval p1.hand.max(\"number\").number", "eval score(p1)"],
    tells_all: true,
    is_for_designing: true,
    signatures: &[&Signature((EXPRESSION,), |session, (expression,)| evaluate(session, &expression))],
    ..HELPING
};

pub(super) const HELP: Command = Command {
    name: "help",
    aliases: &["?", "h"],
    about: "list the commands; explain a command or anything with a name",
    help: "NAME is a word of the vocabulary, a function of the rules (with the `///` comment above it, in each layer \
           that defines it), a zone, a variable, an attribute, a phase, a text, a setting, a variant, a library; or \
           `super`, `settings`, `data`, and `files` for the keys of TOML files. `NAME?` does the same, and `NAME??` \
           shows the source.\n\n\
           `help rhai` shows the language of the rules on one page. `help cookbook` lists recipes, and `help worker \
           placement` shows one, with rules that run.",
    examples: &[
        "help",
        "help undo",
        "help hand",
        "help score",
        "help super",
        "help auction",
        "help rhai loops",
        "score??",
    ],
    signatures: &[&Signature((Optional(TOPIC),), |session, (name,)| help(session, &name.unwrap_or_default()))],
    ..HELPING
};

pub(super) const PAGER: Command = Command {
    name: "pager",
    about: "show long output a screenful at a time, or all at once",
    help: "At a terminal, `$PAGER` or else `less` shows help, the log, the history and other output that does not fit \
           the screen: `q` or Ctrl-C returns to the prompt. `houserule play --no-pager` starts with the pager off.",
    examples: &["pager off"],
    signatures: &[&Signature(
        (OneOf([("on", "a screenful at a time", true), ("off", "all at once", false)]),),
        |session, (pages,)| {
            session.pages = pages;
            let how = match pages {
                true => said("long output is shown a screenful at a time"),
                false => said("long output is shown all at once"),
            };
            Ok(Flow::Show(vec![Line::plain(how)]))
        },
    )],
    ..HELPING
};

pub(super) const QUIT: Command = Command {
    name: "quit",
    aliases: &["exit", "q"],
    about: "leave; Ctrl-D does the same",
    signatures: &[&Signature((), |_, ()| Ok(Flow::Quit))],
    ..HELPING
};

/// Evaluates an expression on a copy of the table; in the debugger, at its stop.
///
/// # Errors
/// The expression does not parse or fails, or the viewer may not evaluate it.
pub fn evaluate(session: &mut Session, expression: &str) -> Result<Flow, Diagnostics> {
    session.needs_everything("an expression")?;
    session.is_fair_to_evaluate()?;
    if let Some(debugger) = &session.debugger {
        return super::debug::evaluate(session, debugger, expression);
    }
    let tried = session.playthrough.evaluate(expression)?;
    let mut lines = screen::log(&session.scene(), &tried.recording.events);
    if !lines.is_empty() {
        lines.push(Line::faint(said("all this on a copy of the table; the game is as it was")));
    }
    if tried.result != "()" || lines.is_empty() {
        lines.push(Line::plain(tried.result));
    }
    Ok(Flow::Show(lines))
}

/// Shows help on a topic, typed with or without `?` behind it; `??` asks for the source.
///
/// # Errors
/// There is no such topic; the nearest is suggested.
pub fn help(session: &mut Session, typed: &str) -> Result<Flow, Diagnostics> {
    let name = typed.trim_matches(['?', '`', ' ']).trim_end_matches("()");
    let is_named = |command: &Command, name: &str| command.name == name || command.aliases.contains(&name);
    // `?` is an alias of `help`.
    let command = COMMANDS.iter().find(|command| is_named(command, name) || is_named(command, typed.trim()));
    if name.is_empty() && command.is_none() {
        return Ok(Flow::Page(overview(session.width)));
    }
    // The topics of `p1.hand` and `score(p)` are `hand` and `score`.
    let called = name.split('(').next().unwrap_or(name);
    let bare = called.rsplit('.').next().unwrap_or(called);
    let candidates = || [name, called, bare].into_iter();
    if typed.ends_with("??")
        && let Some(lines) = candidates().find_map(|name| session.analysis().source(name))
    {
        return Ok(Flow::Page(lines));
    }
    let width = session.width;
    let mut meanings: Vec<Vec<Line>> = command.iter().map(|command| about_command(command, width)).collect();
    meanings.extend(
        candidates().map(|name| session.analysis().about(name)).find(|found| !found.is_empty()).into_iter().flatten(),
    );
    if meanings.len() > 1 && command.is_some() {
        let headings = [Line::faint(said("as a command")), Line::faint(said("in the rules"))];
        meanings.iter_mut().zip(headings).for_each(|(lines, heading)| lines.insert(0, heading));
    }
    let names = Names { layout: &session.playthrough.loaded().layout, language: session.language };
    meanings.extend(screen::printed_on(names, name, width));
    meanings.extend(topics::page(name, width));
    if meanings.is_empty() {
        meanings.extend(topics::sections(&COOKBOOK, name, width));
    } else if let [recipe, ..] = &COOKBOOK.find(name)[..] {
        let told = say!("the cookbook has a recipe: `help cookbook {}`", recipe.name());
        meanings.push(vec![Line::faint(told).cut(width)]);
    }
    // Help on `until turn`, or on a prefix of a command's name.
    let first = name.split_whitespace().next().unwrap_or(name);
    if meanings.is_empty()
        && let Some(command) =
            find(first).ok().or_else(|| COMMANDS.iter().copied().find(|command| is_about(command, first)))
    {
        meanings.push(about_command(command, width));
    }
    if meanings.is_empty() {
        let topics = session.analysis().topics();
        let known = COMMANDS.iter().map(|command| command.name).chain(topics.iter().map(|topic| topic.text.as_str()));
        let error = Diagnostic::new(message!("there is no help on `{name}`"));
        if let Some((page, section)) = manual::page_of(name) {
            let otherwise = || Help::from(message!("`help {}` shows what there is", page.name));
            return Err(error.help(page.did_you_mean(section).unwrap_or_else(otherwise)).into());
        }
        let otherwise = recipe_meant(name).unwrap_or_else(|| "`help` lists the commands".into());
        return Err(error.near_or(name, known, otherwise).into());
    }
    Ok(Flow::Page(meanings.join(&Line::default())))
}

/// A suggestion of a similarly named recipe, for a name without a meaning.
pub fn recipe_meant(name: &str) -> Option<Help> {
    COOKBOOK.did_you_mean(name)
}

/// Help without a game: commands of the REPL, topics of every game, and libraries.
pub fn in_every_game(name: &str, library: &Library, width: usize) -> Option<Vec<Line>> {
    let mut meanings = topics::in_every_game(name, library, width);
    meanings.extend(topics::page(name, width));
    let command = COMMANDS.iter().find(|command| command.name == name || command.aliases.contains(&name));
    meanings.extend(command.map(|command| {
        let mut lines = vec![Line::faint(said("as a command of the REPL"))];
        lines.extend(about_command(command, width));
        lines
    }));
    if meanings.is_empty() {
        meanings.extend(topics::sections(&COOKBOOK, name, width));
    } else if let [recipe, ..] = &COOKBOOK.find(name)[..] {
        meanings.push(vec![Line::faint(say!("the cookbook has a recipe: `help cookbook {}`", recipe.name()))]);
    }
    (!meanings.is_empty()).then(|| meanings.join(&Line::default()))
}

/// The names of all help topics without a game.
pub fn names_in_every_game(library: &Library) -> Vec<String> {
    let commands = COMMANDS.iter().map(|command| command.name.to_owned());
    commands.chain(topics::names_in_every_game()).chain(library.library_ids()).collect()
}

/// Whether a word derives from a command's name: `debugger`.
fn is_about(command: &Command, word: &str) -> bool {
    word.strip_prefix(command.name).is_some_and(|end| ["s", "ing", "er", "ger"].contains(&end))
}

fn overview(width: usize) -> Vec<Line> {
    let mut lines = style::wrapped(
        said(
            "Answer the open decision with the number of an option, or with any text in its line. `=red` is \
         always an option, `:red` always a command. Everything else is a command:",
        ),
        width,
    );
    let names = |command: &Command| {
        std::iter::once(&command.name).chain(command.aliases).copied().collect::<Vec<_>>().join(", ")
    };
    let column = COMMANDS.iter().map(|command| style::width(&names(command))).max().unwrap_or(0);
    let mut group = "";
    for command in COMMANDS {
        if command.group != group {
            group = command.group;
            lines.push(Line::strong(said(group)));
        }
        let lead = Line::plain(format!("  {}  ", style::pad(&names(command), column)));
        lines.push(lead.then(Line::plain(said(command.about))).cut(width));
    }
    lines.extend(style::wrapped(
        said("`help COMMAND` explains one; `help NAME` explains anything with a name: a word of the vocabulary, a zone, a \
         function of the rules. `help rhai` is the language of the rules, and `help cookbook` has recipes: auctions, \
         drafts, boards. Anything else is evaluated as an expression: `p1.hand`, `3 + 4`. Tab completes; an empty line \
         repeats the last step: `auto`, `redo`, `step` and the like; if players act in real time, it is `clock`."),
        width,
    ));
    lines
}

fn about_command(command: &Command, width: usize) -> Vec<Line> {
    let usage = style::wrapped(&command.usage(), width).into_iter();
    let mut lines: Vec<Line> = usage.map(|line| line.restyled(style::Label::Strong)).collect();
    lines.extend(style::wrapped(&sentence(command.about), width));
    if !command.help.is_empty() {
        lines.extend(style::paragraphs(said(command.help), width));
    }
    if !command.aliases.is_empty() {
        lines.push(Line::plain(say!("short: {}", command.aliases.join(", "))));
    }
    lines.extend(command.examples.iter().map(|example| Line::plain(format!("  {example}")).cut(width)));
    lines
}

/// The reference of all commands, as Markdown.
pub fn reference() -> String {
    let mut text = String::new();
    let mut group = "";
    for command in COMMANDS {
        if command.group != group {
            group = command.group;
            text.push_str(&format!("\n## {group}\n"));
        }
        let mut about = command.about.to_owned();
        if let Some(first) = about.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        text.push_str(&format!("\n### `{}`\n\n{about}.\n", command.usage()));
        if !command.help.is_empty() {
            text.push_str(&format!("{}\n", command.help));
        }
        if !command.aliases.is_empty() {
            let short: Vec<String> = command.aliases.iter().map(|alias| format!("`{alias}`")).collect();
            text.push_str(&format!("\nShort: {}.\n", short.join(", ")));
        }
        if !command.examples.is_empty() {
            text.push_str(&format!("\n```\n{}\n```\n", command.examples.join("\n")));
        }
    }
    text
}
