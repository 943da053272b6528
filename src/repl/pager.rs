//! Paging of long output at a terminal.
//!
//! The pager is `$PAGER`, else `less`, else a built-in one. While it runs, Ctrl-C is meant for the pager and returns to
//! the prompt.

use crate::catalogue::say;
use crate::host::terminal::{Terminal, lend_terminal};
use crate::screen::style::{self, Line};
use rustyline::config::Configurer as _;
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{Cmd, Editor, KeyEvent};
use std::io::Write as _;
use std::process::{Command, ExitStatus, Stdio};

/// A shell's exit code for a program that is not found.
const NOT_FOUND: i32 = 127;

/// The default `LESS` options: show colours, keep the text on the screen, and let Ctrl-C leave.
const LESS_OPTIONS: &str = "FRXK";

/// Shows lines: directly where they fit into `rows`, otherwise in a pager.
pub(super) fn show(lines: &[Line], rows: usize, terminal: Terminal) {
    let text = style::render(lines, terminal.color);
    let pager = std::env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
    // The prompt takes one row.
    if lines.len() < rows || ["", "cat"].contains(&pager.trim()) {
        return terminal.print(&text);
    }
    let is_shown = lend_terminal(|| run(&pager, &text)).is_some_and(|status| status.code() != Some(NOT_FOUND));
    if !is_shown {
        page_by_screenful(lines, rows, terminal);
    }
}

/// Runs a pager until the person leaves it; `None` where the program does not exist.
fn run(pager: &str, text: &str) -> Option<ExitStatus> {
    let is_plain = pager.chars().all(|letter| letter.is_alphanumeric() || "-_./".contains(letter));
    // A command with arguments is run by the shell, as is the custom for `$PAGER`.
    let mut command = if is_plain { Command::new(pager) } else { Command::new("sh") };
    if !is_plain {
        command.args(["-c", pager]);
    }
    if std::env::var_os("LESS").is_none() {
        command.env("LESS", LESS_OPTIONS);
    }
    let mut child = command.stdin(Stdio::piped()).spawn().ok()?;
    if let Some(mut input) = child.stdin.take() {
        // A person who leaves before the end has seen enough.
        let _ = input.write_all(text.as_bytes());
    }
    child.wait().ok()
}

/// Shows one screenful after the other. Enter or the space bar goes on; `q`, Ctrl-C and Ctrl-D leave.
fn page_by_screenful(lines: &[Line], rows: usize, terminal: Terminal) {
    let Ok(mut editor) = Editor::<(), DefaultHistory>::new() else {
        return terminal.show(lines);
    };
    editor.set_auto_add_history(false);
    editor.bind_sequence(KeyEvent::from(' '), Cmd::AcceptLine);
    // The full-width letters that these keys give in a Japanese input mode.
    editor.bind_sequence(KeyEvent::from('\u{3000}'), Cmd::AcceptLine);
    editor.bind_sequence(KeyEvent::from('ｑ'), Cmd::Interrupt);
    editor.bind_sequence(KeyEvent::from('q'), Cmd::Interrupt);
    let room = rows.saturating_sub(1).max(1);
    let mut shown = 0;
    while shown < lines.len() {
        let end = (shown + room).min(lines.len());
        terminal.show(&lines[shown..end]);
        shown = end;
        if shown < lines.len() {
            let prompt = say!("-- {shown} of {} lines: Enter goes on, q leaves -- ", lines.len());
            match editor.readline(&prompt) {
                Ok(_) => {}
                Err(ReadlineError::Interrupted | ReadlineError::Eof) => return,
                Err(_) => return terminal.show(&lines[shown..]),
            }
        }
    }
}
