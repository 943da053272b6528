//! Parsing the command line, with help and error messages.
//!
//! In English, the parser writes these itself. In another language they are drawn here from the same declarations,
//! because the parser wraps only at blanks, which some languages lack, and its headings are English.

use super::{CommandLine, EXIT_SUCCESS, EXIT_USAGE};
use crate::catalogue::{Language, Message, said, say, speak, spoken, told};
use crate::diagnostic::visible;
use crate::host::terminal::{Color, Terminal, columns, output_columns};
use crate::screen::style::{self, Line};
use clap::error::ErrorKind;
use clap::{Arg, Command, CommandFactory, FromArgMatches};
use std::any::TypeId;
use std::error::Error as _;
use std::ffi::{OsStr, OsString};
use std::num::NonZeroUsize;

/// Widest lines that are easy to read.
const MAX_LINE_WIDTH: usize = 100;
/// The maximum indentation of the right column of help.
const MAX_HELP_INDENT: usize = 34;
/// The options with values that every command has; their values are not taken for commands.
const COMMON: [&str; 5] = ["--dir", "--lang", "--color", "--jobs", "-j"];

/// The commands for beginners.
const FIRST_COMMANDS: [(&str, &str); 5] = [
    ("houserule play", "Choose a game and play it"),
    ("houserule list", "See the games and their variants"),
    ("houserule new variant GAME RULE", "Write a house rule of your own"),
    ("houserule sim GAME -v RULE", "See what it does to a thousand games"),
    ("houserule pack RULE", "Send it to a friend"),
];

/// Parses the command line, and sets the language that it asks for.
///
/// # Errors
/// The exit code, once help or an error was printed.
pub(super) fn parsed(arguments: impl IntoIterator<Item = OsString>) -> Result<CommandLine, u8> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    speak(language_in(&arguments));
    let mut program = with_negative_numbers(CommandLine::command());
    let mut parse = |arguments: &[OsString]| {
        let line = program.try_get_matches_from_mut(arguments);
        line.and_then(|found| CommandLine::from_arg_matches(&found).map_err(|error| error.format(&mut program)))
    };
    parse(&arguments).map_err(|error| {
        // The error quotes what was typed as it is, which may be no text for a terminal.
        let shown: Vec<OsString> =
            arguments.iter().map(|typed| visible(&typed.to_string_lossy()).as_ref().into()).collect();
        complained(&if shown == arguments { error } else { parse(&shown).err().unwrap_or(error) }, &arguments)
    })
}

/// A command whose options with numbers take `-5`, which their parsers refuse better than as an unknown option.
fn with_negative_numbers(command: Command) -> Command {
    let whole = [TypeId::of::<u16>(), TypeId::of::<u32>(), TypeId::of::<u64>(), TypeId::of::<usize>()];
    let others = [TypeId::of::<NonZeroUsize>(), TypeId::of::<f64>()];
    let command = command.mut_args(|argument| {
        let value = argument.get_value_parser().type_id();
        match whole.iter().chain(&others).any(|number| value == *number) {
            true => argument.allow_negative_numbers(true),
            false => argument,
        }
    });
    command.mut_subcommands(with_negative_numbers)
}

/// The help of a command in the current language, in full length.
pub(super) fn help(command: &mut Command, color: bool) -> String {
    if spoken() != Language::English {
        let width = output_columns().unwrap_or_else(columns).min(MAX_LINE_WIDTH);
        return style::render(&drawn(command, width), color);
    }
    let help = command.render_long_help();
    if color { help.ansi().to_string() } else { help.to_string() }
}

/// The parser's template for the help of the whole program.
pub(super) const TEMPLATE: &str = "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}";

/// The text before the options in the help of the whole program.
pub(super) fn before_help() -> String {
    first_commands().iter().map(Line::text).collect::<Vec<_>>().join("\n")
}

/// The commands for beginners, in the current language.
fn first_commands() -> Vec<Line> {
    let rows = FIRST_COMMANDS.map(|(command, about)| Line::plain(format!("  {command:<33} {}", said(about))));
    std::iter::once(Line::strong(said("Begin with one of these:"))).chain(rows).collect()
}

/// The language asked for, determined before parsing so that errors are in it too.
fn language_in(arguments: &[OsString]) -> Language {
    let texts: Vec<&str> = arguments.iter().filter_map(|argument| argument.to_str()).collect();
    let behind = texts.windows(2).filter(|pair| pair[0] == "--lang").map(|pair| pair[1]);
    let within = texts.iter().filter_map(|text| text.strip_prefix("--lang="));
    let named = behind.chain(within).filter_map(Language::of_code).next_back();
    named.unwrap_or_default()
}

/// Prints help to standard output, with exit code 0, or an error to standard error.
fn complained(error: &clap::Error, arguments: &[OsString]) -> u8 {
    if spoken() == Language::English || error.kind() == ErrorKind::DisplayVersion {
        if error.use_stderr() {
            // If standard error has gone, there is nowhere to report it.
            let _ = error.print();
            return EXIT_USAGE;
        }
        let terminal = Terminal::new(Color::Auto);
        let help = error.render();
        terminal.print(&if terminal.color { help.ansi().to_string() } else { help.to_string() });
        return EXIT_SUCCESS;
    }
    let terminal = Terminal::new(Color::Auto);
    match error.kind() {
        ErrorKind::DisplayHelp => terminal.print(&help(&mut meant(arguments), terminal.color)),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            terminal.write_error(&help(&mut meant(arguments), terminal.error_color));
        }
        _ => {
            let lines = error.render().to_string();
            // What is wrong with a value is the program's own message, which the parser has put at the end of its own.
            let own = error.source().and_then(|source| source.downcast_ref::<Message>());
            let line = |line: &str| {
                let text = line.trim_start();
                let mut told = told(text).into_owned();
                if let Some(own) = own {
                    told = told.replace(own.as_str(), &own.told());
                }
                format!("{}{told}\n", &line[..line.len() - text.len()])
            };
            terminal.write_error(&lines.lines().map(line).collect::<String>());
        }
    }
    if error.use_stderr() { EXIT_USAGE } else { EXIT_SUCCESS }
}

/// The command that a command line is about.
fn meant(arguments: &[OsString]) -> Command {
    let mut program = CommandLine::command();
    program.build();
    let mut found = &program;
    let mut before: Option<&OsStr> = None;
    for argument in arguments.iter().skip(1) {
        let is_value = before.is_some_and(|before| COMMON.iter().any(|option| before == *option));
        if let Some(command) = found.find_subcommand(argument).filter(|_| !is_value) {
            found = command;
        }
        before = Some(argument);
    }
    found.clone()
}

/// The help of a command, drawn.
fn drawn(command: &mut Command, width: usize) -> Vec<Line> {
    let about = command.get_long_about().or_else(|| command.get_about()).map(ToString::to_string).unwrap_or_default();
    let mut lines: Vec<Line> = about.lines().flat_map(|line| style::wrapped(&told(line), width)).collect();
    if command.get_before_help().is_some() {
        lines.push(Line::default());
        lines.extend(first_commands());
    }
    let usage = command.render_usage().to_string();
    let usage = usage.trim().strip_prefix("Usage:").unwrap_or(&usage).trim().to_owned();
    lines.extend([Line::default(), Line::strong(said("Usage:")).with(usage, style::Label::Plain)]);
    let commands = command.get_subcommands().map(|known| {
        let about = known.get_about().map(ToString::to_string).unwrap_or_default();
        (known.get_name().to_owned(), told(&about).into_owned())
    });
    let positional = command.get_positionals().map(row);
    let options =
        command.get_arguments().filter(|argument| !argument.is_positional() && !argument.is_hide_set()).map(row);
    let sections = [
        ("Commands:", commands.collect::<Vec<_>>()),
        ("Arguments:", positional.collect()),
        ("Options:", options.collect()),
    ];
    for (heading, rows) in sections.into_iter().filter(|(_, rows)| !rows.is_empty()) {
        lines.extend([Line::default(), Line::strong(said(heading))]);
        let widest = rows.iter().map(|(lead, _)| style::width(lead) + 4).max().unwrap_or(0).min(MAX_HELP_INDENT);
        for (lead, text) in rows {
            let lead = Line::plain(format!("  {lead}  "));
            let body = text.lines().flat_map(|line| style::wrapped(line, width.saturating_sub(widest)));
            if lead.width() <= widest {
                lines.extend(style::hang(lead.padded(widest), body.collect()));
            } else {
                lines.push(lead);
                lines.extend(body.map(|line| Line::of_blanks(widest).then(line)));
            }
        }
    }
    lines.iter_mut().for_each(Line::trim_end);
    lines
}

/// The row for an argument: its usage, and its help with default and possible values.
fn row(argument: &Arg) -> (String, String) {
    let mut lead = String::new();
    if let Some(short) = argument.get_short() {
        lead = format!("-{short}");
    }
    if let Some(long) = argument.get_long() {
        lead = if lead.is_empty() { format!("    --{long}") } else { format!("{lead}, --{long}") };
    }
    if argument.get_action().takes_values() {
        let names = argument.get_value_names().unwrap_or_default();
        let names: String = names.iter().map(|name| format!(" <{name}>")).collect();
        lead.push_str(if lead.is_empty() { names.trim_start() } else { &names });
    }
    let help = argument.get_long_help().or_else(|| argument.get_help()).map(ToString::to_string).unwrap_or_default();
    let mut text: Vec<String> = help.lines().map(|line| told(line).into_owned()).collect();
    let default: Vec<_> = argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if argument.get_action().takes_values() && !default.is_empty() && !argument.is_hide_default_value_set() {
        text.push(say!("default: {}", default.join(", ")));
    }
    for value in argument.get_possible_values().iter().filter(|_| argument.get_action().takes_values()) {
        let help = value.get_help().map(ToString::to_string).unwrap_or_default();
        let between = if help.is_empty() { "" } else { said(": ") };
        text.push(format!("- {}{between}{}", value.get_name(), told(&help)));
    }
    (lead, text.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sorted::SortedSet;

    /// Collects all help texts of a command and its subcommands.
    fn texts(command: &Command, found: &mut SortedSet<String>) {
        let abouts = [command.get_about(), command.get_long_about()];
        let arguments = command.get_arguments().filter(|argument| !argument.is_hide_set());
        let help = arguments.flat_map(|argument| {
            let values = argument.get_possible_values().into_iter().filter_map(|value| value.get_help().cloned());
            [argument.get_help().cloned(), argument.get_long_help().cloned()].into_iter().flatten().chain(values)
        });
        let told = abouts.into_iter().flatten().cloned().chain(help).map(|text| text.to_string());
        found.extend(told.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()));
        found.remove("");
        command.get_subcommands().for_each(|known| texts(known, found));
    }

    #[test]
    fn help_is_in_the_catalogue_and_nothing_else_is() {
        let mut program = CommandLine::command();
        program.build();
        let mut told = SortedSet::new();
        texts(&program, &mut told);
        told.extend(FIRST_COMMANDS.map(|(_, about)| about.to_owned()));
        let known: SortedSet<String> =
            Language::translations().flat_map(Language::entries).map(|(_, english, _)| english).collect();
        // Paths of files are not translated. Lists of agents are composed; and the parser removes the full stop after a
        // text's last sentence.
        let is_path = |text: &str| text.contains('/') && !text.contains(' ');
        let is_list = |text: &str| text.starts_with("Who plays");
        let is_known = |text: &str| known.contains(text) || known.contains(&format!("{text}."));
        let missing: Vec<&String> =
            told.iter().filter(|text| !is_known(text) && !is_path(text) && !is_list(text)).collect();
        assert!(missing.is_empty(), "{missing:#?}");
        let stale = |(room, english, _): &(String, String, String)| room == "command_line" && !told.contains(english);
        let stale: Vec<_> =
            Language::translations().flat_map(Language::entries).filter(stale).map(|(_, english, _)| english).collect();
        assert!(stale.is_empty(), "{stale:#?}");
    }

    #[test]
    fn the_language_is_known_before_anything_else_is_read() {
        let of = |line: &str| language_in(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(of("houserule sim --lang ja --nonsense"), Language::Japanese);
        assert_eq!(of("houserule --lang=ja"), Language::Japanese);
        for line in ["houserule", "houserule --lang", "houserule --lang xx", "houserule --lang ja --lang en"] {
            assert_eq!(of(line), Language::English, "{line}");
        }
    }

    #[test]
    fn the_command_that_a_line_is_about_is_found() {
        let of = |line: &str| meant(&line.split(' ').map(OsString::from).collect::<Vec<_>>()).get_name().to_owned();
        assert_eq!(of("houserule --dir sim check --help"), "check");
        assert_eq!(of("houserule new variant --help"), "variant");
        assert_eq!(of("houserule --help"), "houserule");
    }
}
