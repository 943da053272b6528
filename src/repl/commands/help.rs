//! Help, looking things up, and the way out.

use super::{COMMANDS, Candidate, Command, Flow, find, usage_of};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::repl::Session;
use crate::repl::draw;
use crate::repl::members::who_sees;
use crate::repl::style::{self, Line};
use crate::script::vocabulary::{Form, Word, words};

pub(super) const GROUP: &str = "Help and the way out";

pub(super) const EVAL: Command = Command {
    name: "eval",
    aliases: &["e"],
    usage: "eval EXPRESSION",
    about: "evaluate an expression of the rules' language on a copy of the table",
    help: "An expression can be typed as it is, without `eval`, where it is neither an option nor a command: `p1.hand`, \
           `3 + 4`, `score(p1)`. `_` is the value of the expression before. While a bracket or a text in backticks is \
           open, Enter begins another line; an empty line ends it all the same.\n\n\
           Every word of the vocabulary and every function of the rules can be used; `p1`, `p2` … are the players. What \
           it would change is listed, and nothing of it happens.",
    examples: &["eval ring", "eval p1.hand.max(\"number\").number", "eval score(p1)"],
    group: GROUP,
    steps: false,
    complete: |session, _| names(session),
    run: |session, arguments| {
        if arguments.is_empty() {
            return Err(usage_of(&EVAL));
        }
        evaluate(session, arguments)
    },
};

pub(super) const HELP: Command = Command {
    name: "help",
    aliases: &["?", "h"],
    usage: "help [COMMAND|WORD]",
    about: "what can be done here; more about a command or a word",
    help: "",
    examples: &["help", "help undo", "help award"],
    group: GROUP,
    steps: false,
    complete: |_, _| {
        let commands = COMMANDS.iter().map(|command| Candidate::new(command.name, command.about));
        commands.chain(words().map(|word| Candidate::new(word.name, word.usage()))).collect()
    },
    run: |session, arguments| {
        let topic = arguments.trim_matches('`').trim_end_matches("()");
        if topic.is_empty() {
            return Ok(Flow::Show(overview(session.width)));
        }
        if let Ok(command) = find(topic) {
            return Ok(Flow::Show(about_command(command, session.width)));
        }
        let found: Vec<&Word> = words().filter(|word| word.name == topic).collect();
        if !found.is_empty() {
            return Ok(Flow::Show(found.into_iter().flat_map(|word| about_word(word, session.width)).collect()));
        }
        if let Some(lines) = about_function(session, topic) {
            return Ok(Flow::Show(lines));
        }
        let known = COMMANDS.iter().map(|command| command.name).chain(words().map(|word| word.name));
        let error = Diagnostic::new(format!("there is no help on `{topic}`"));
        Err(error.help(did_you_mean(topic, known).unwrap_or_else(|| "`help` lists the commands".to_owned())))
    },
};

pub(super) const QUIT: Command = Command {
    name: "quit",
    aliases: &["exit", "q"],
    usage: "quit",
    about: "leave; Ctrl-D does the same",
    help: "",
    examples: &[],
    group: GROUP,
    steps: false,
    complete: super::nothing,
    run: |_, _| Ok(Flow::Quit),
};

/// What an expression comes to, on a copy of the table; in the debugger, at the statement where it stands.
///
/// # Errors
/// Whatever the expression runs into.
pub fn evaluate(session: &Session, expression: &str) -> Result<Flow, Diagnostic> {
    if let Some(debugger) = &session.debugger {
        return super::debug::evaluate(session, debugger, expression);
    }
    let tried = session.playthrough.evaluate(expression).map_err(|error| *error)?;
    let mut lines = draw::log(&session.scene(), &tried.recording.events);
    if !lines.is_empty() {
        lines.push(Line::faint("all this on a copy of the table; the game is as it was"));
    }
    if tried.result != "()" || lines.is_empty() {
        lines.push(Line::plain(tried.result));
    }
    Ok(Flow::Show(lines))
}

/// What an expression can begin with: what the game has by name, then the words.
pub fn names(session: &Session) -> Vec<Candidate> {
    let functions = session.playthrough.loaded().functions.iter().map(|function| {
        let call = format!("{}({})", function.name, function.parameters.join(", "));
        Candidate::new(format!("{}(", function.name), call)
    });
    let mut functions: Vec<Candidate> = functions.collect();
    // What several layers define is one name.
    functions.sort_by(|one, other| one.text.cmp(&other.text));
    functions.dedup();
    let words = words().filter(|word| word.form == Form::Function);
    let words = words.map(|word| Candidate::new(format!("{}(", word.name), word.usage()));
    let fixed = [
        ("players", "players · all of them, in turn order"),
        ("table", "the variables of the table"),
        ("data", "the rulebook's numbers"),
        ("settings", "what is set for these rules"),
    ];
    let fixed = fixed.into_iter().map(|(name, about)| Candidate::new(name, about));
    let definition = &session.playthrough.loaded().layout.definition;
    let zones = definition.zones.iter().filter(|zone| !zone.per_seat);
    let zones =
        zones.map(|zone| Candidate::new(&*zone.id, format!("{}, {}", zone.name.get(session.language), who_sees(zone))));
    super::seats(session).chain(zones).chain(fixed).chain(functions).chain(words).collect()
}

fn overview(width: usize) -> Vec<Line> {
    let mut lines = style::wrapped(
        "Answer the open decision by the number of an option, or by anything that is written in its line. `=red` is \
         always an option, `:red` always a command. Everything else is a command:",
        width,
    );
    let column = COMMANDS.iter().map(|command| style::width(command.name)).max().unwrap_or(0);
    let mut group = "";
    for command in COMMANDS {
        if command.group != group {
            group = command.group;
            lines.push(Line::strong(group));
        }
        lines.push(Line::plain(format!("  {}  {}", style::pad(command.name, column), command.about)).cut(width));
    }
    lines.extend(style::wrapped(
        "`help COMMAND` tells more; `help WORD` explains a word of the vocabulary, such as `award`. Tab completes; an \
         empty line takes the last step again: `auto`, `undo`, `step` and the like.",
        width,
    ));
    lines
}

fn about_command(command: &Command, width: usize) -> Vec<Line> {
    let usage = style::wrapped(command.usage, width).into_iter();
    let mut lines: Vec<Line> = usage.map(|line| line.restyled(style::Label::Strong)).collect();
    lines.extend(style::wrapped(&format!("{}.", command.about), width));
    if !command.help.is_empty() {
        lines.extend(style::wrapped(command.help, width));
    }
    if !command.aliases.is_empty() {
        lines.push(Line::plain(format!("short: {}", command.aliases.join(", "))));
    }
    lines.extend(command.examples.iter().map(|example| Line::plain(format!("  {example}")).cut(width)));
    lines
}

fn about_word(word: &Word, width: usize) -> Vec<Line> {
    let mut lines = vec![Line::strong(format!("{} → {}", word.usage(), word.result))];
    if word.receivers.len() > 1 {
        lines.push(Line::faint(format!("also of {}", word.receivers[1..].join(", "))));
    }
    lines.extend(style::wrapped(&word.doc.split_whitespace().collect::<Vec<_>>().join(" "), width));
    lines
}

/// A function of the rules: where each layer defines it.
fn about_function(session: &Session, name: &str) -> Option<Vec<Line>> {
    let loaded = session.playthrough.loaded();
    let mut lines: Vec<Line> = Vec::new();
    for function in loaded.functions.iter().filter(|function| function.name == name) {
        let place = loaded.ruleset.file_line(function.at).unwrap_or_default();
        let layer = loaded.ruleset.layer_in_words(function.at).unwrap_or_default();
        lines.push(Line::plain(format!("{name}({})  {place}  {layer}", function.parameters.join(", "))));
    }
    (!lines.is_empty()).then_some(lines)
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
        text.push_str(&format!("\n### `{}`\n\n{about}.\n", command.usage));
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
