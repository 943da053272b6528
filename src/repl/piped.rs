//! A session from a pipe: the same commands as a script, without prompts.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::host::terminal::Terminal;
use crate::repl::commands::Flow;
use crate::repl::entry::is_comment;
use crate::repl::watch::News;
use crate::repl::{Leaving, Session};
use crate::screen::style::{Label, Line};
use std::io::BufRead;

/// Most bytes of a line.
const MAX_LINE: usize = 64 << 10;

/// Runs line after line; the first that fails ends the script, with its number. Ctrl-C ends the line that is running: where
/// it has figures so far the script goes on, elsewhere it ends without a word, as any program does.
pub(super) fn run(mut session: Session, terminal: Terminal) -> Leaving {
    let leaving = run_lines(&mut session, terminal);
    if let (Leaving::Failed, Some(line)) = (leaving, session.running_job()) {
        terminal.tell([&Diagnostic::note(format!("`{line}` was still running, and is discarded"))]);
    }
    leaving
}

fn run_lines(session: &mut Session, terminal: Terminal) -> Leaving {
    let work = session.work();
    let mut was_cut_short = false;
    tell_notices(session, terminal);
    let opening = session.opening();
    show(session, terminal, opening);
    let mut input = std::io::stdin().lock();
    let mut number = 0;
    loop {
        number += 1;
        was_cut_short |= work.is_stopped();
        if let Some(figures) = session.take_figures() {
            show(session, terminal, figures);
        }
        work.begin();
        work.rest();
        let line = match read_line(&mut input) {
            Ok(Some(line)) => line,
            // Rules that failed before the first line, and nobody mended them.
            Ok(None) if session.playthrough.position().failed.is_some() => return Leaving::Failed,
            Ok(None) => return leave(session, terminal, was_cut_short),
            Err(error) => {
                terminal.tell(&at_line(number, error));
                return Leaving::Failed;
            }
        };
        let line = line.trim();
        if line.is_empty() || is_comment(line) {
            continue;
        }
        let first = number;
        let mut line = line.to_owned();
        while session.goes_on(&line) {
            number += 1;
            match read_line(&mut input) {
                Ok(Some(more)) => line.push_str(&format!("\n{more}")),
                // What is missing is told where it is evaluated.
                Ok(None) => break,
                Err(error) => {
                    terminal.tell(&at_line(number, error));
                    return Leaving::Failed;
                }
            }
        }
        work.begin();
        // Nobody waits at a prompt here, so a script is told of saved files between its lines.
        if let News::Told(lines) = session.after_save(false) {
            show(session, terminal, lines);
        }
        session.keep([Line::faint(session.prompt()).with(&line, Label::Strong)]);
        let flow = session.line(&line);
        tell_notices(session, terminal);
        // Only a game that was resumed has one here.
        if let Err(trouble) = session.write_journal() {
            terminal.tell(&trouble);
        }
        match flow {
            Ok(Flow::Show(lines) | Flow::Page(lines)) => show(session, terminal, lines),
            Ok(Flow::Quit) => return leave(session, terminal, was_cut_short),
            // Nobody is here to be asked.
            Ok(Flow::Ask(question)) => {
                terminal.tell(&at_line(first, question.refusal));
                return Leaving::Failed;
            }
            // Whoever stopped it knows why it did not come to its end.
            Err(_) if work.is_stopped() => return Leaving::Interrupted,
            Err(error) => {
                keep_told(session, &error);
                terminal.tell(&at_line(first, error));
                return Leaving::Failed;
            }
        }
    }
}

fn show(session: &Session, terminal: Terminal, lines: Vec<Line>) {
    terminal.show(&lines);
    session.keep(lines);
}

fn tell_notices(session: &mut Session, terminal: Terminal) {
    let notices = session.take_notices();
    terminal.tell(&notices);
    keep_told(session, &notices);
}

fn keep_told<'a>(session: &Session, told: impl IntoIterator<Item = &'a Diagnostic>) {
    let lines = told.into_iter().map(|told| told.render_within(false, Some(session.width)));
    session.keep(lines.flat_map(|text| text.lines().map(Line::plain).collect::<Vec<_>>()));
}

/// What a script ends with: the figures that it has not waited for. Ctrl-C ends them with the games so far.
fn leave(session: &mut Session, terminal: Terminal, was_cut_short: bool) -> Leaving {
    let work = session.work();
    let mut was_cut_short = was_cut_short || work.is_stopped();
    work.begin();
    if session.running_job().is_some() {
        let mut figures = session.figures_of_job(false);
        if work.is_stopped() {
            was_cut_short = true;
            work.begin();
            figures = session.figures_of_job(true);
        }
        match figures {
            Ok(lines) => show(session, terminal, lines),
            Err(error) => terminal.tell(&error),
        }
    } else if let Some(figures) = session.take_figures() {
        show(session, terminal, figures);
    }
    if was_cut_short { Leaving::Interrupted } else { Leaving::Well }
}

/// A line without its end; nothing at the end of the input.
fn read_line(input: &mut impl BufRead) -> Result<Option<String>, Diagnostics> {
    let mut bytes = Vec::new();
    let unreadable = |error| Diagnostic::new(format!("the input cannot be read: {error}"));
    let read =
        std::io::Read::take(&mut *input, MAX_LINE as u64 + 1).read_until(b'\n', &mut bytes).map_err(unreadable)?;
    if read == 0 {
        return Ok(None);
    }
    if bytes.len() > MAX_LINE {
        return Err(Diagnostic::new(format!("the line is longer than {} KiB", MAX_LINE >> 10)).into());
    }
    let text = String::from_utf8(bytes).map_err(|_| Diagnostic::new("the line is not UTF-8"))?;
    Ok(Some(text.trim_start_matches('\u{feff}').to_owned()))
}

fn at_line(number: usize, errors: impl Into<Diagnostics>) -> Diagnostics {
    errors.into().map(|mut error| {
        error.message = format!("input line {number}: {}", error.message);
        error
    })
}
