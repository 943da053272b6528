//! A session at a terminal: prompt, history, completion, hints.

use crate::definition::Language;
use crate::diagnostic::Diagnostic;
use crate::repl::commands::Flow;
use crate::repl::complete::Assistant;
use crate::repl::style::{Label, Line};
use crate::repl::watch::Files;
use crate::repl::{Session, entry, style};
use etcetera::BaseStrategy;
use rustyline::ExternalPrinter as _;
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{CompletionType, Config, Editor};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Most lines that are kept of what was typed.
const HISTORY_LINES: usize = 2_000;

/// Runs until the person leaves. What fails is said, and the session goes on.
pub(super) fn run(session: Session) -> bool {
    let terminal = session.terminal;
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .completion_show_all_if_ambiguous(true)
        .auto_add_history(true)
        .history_ignore_space(true)
        .max_history_size(HISTORY_LINES)
        .and_then(|config| config.history_ignore_dups(true))
        .map(rustyline::config::Builder::build)
        .unwrap_or_default();
    let mut editor: Editor<Assistant, DefaultHistory> = match Editor::with_config(config) {
        Ok(editor) => editor,
        Err(error) => {
            terminal.complain_in_words(&format!("this terminal cannot be used: {error}\n"));
            return false;
        }
    };
    let session = Arc::new(Mutex::new(session));
    let mut files: Option<Files> = None;
    editor.set_helper(Some(Assistant::new(session.clone(), terminal.color)));
    let history = history_file();
    if let Some(path) = &history {
        // There is none the first time.
        let _ = editor.load_history(path);
    }
    locked(&session).width = width(&mut editor);
    terminal.print(&style::render(&locked(&session).opening(), terminal.color));
    terminal.print_line(match locked(&session).language {
        Language::English => "`help` tells what can be done here.",
        Language::Japanese => "`help` でできることが分かります。",
    });
    let mut confirmed = false;
    loop {
        locked(&session).width = width(&mut editor);
        if let Err(error) = follow_files(&mut files, &session, &mut editor) {
            locked(&session).stop_watching();
            terminal.complain(&error);
        }
        let prompt = locked(&session).prompt();
        let line = match editor.readline(&prompt) {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => "quit".to_owned(),
            Err(error) => {
                terminal.complain_in_words(&format!("the terminal is gone: {error}\n"));
                break;
            }
        };
        // The window may have been resized while the prompt was waiting.
        locked(&session).width = width(&mut editor);
        if let Some(path) = &history {
            // Kept at once: a window that is closed says no good-bye. That it cannot be kept is no reason to complain.
            let _ = editor.append_history(path);
        }
        let entries = entry::entries(&line, |text| locked(&session).goes_on(text));
        // An empty line repeats a step.
        let entries = if entries.is_empty() && line.trim().is_empty() { vec![String::new()] } else { entries };
        let leaves = run_entries(&session, &entries);
        if !leaves {
            confirmed = false;
        } else if !confirmed && !locked(&session).is_saved() {
            confirmed = true;
            terminal.print_line("this game is not saved: `save FILE` keeps it, `quit` or Ctrl-D again leaves it");
        } else {
            break;
        }
    }
    true
}

/// Runs what was typed, or pasted, one entry after the other. The first that fails stops those behind it. Gives whether
/// the person wants to leave.
fn run_entries(session: &Mutex<Session>, entries: &[String]) -> bool {
    let terminal = locked(session).terminal;
    let left_out = |number: usize, why: &str| {
        let left = entries.len() - number - 1;
        if left > 0 {
            let were = if left == 1 {
                "1 pasted entry behind it was".to_owned()
            } else {
                format!("{left} pasted entries behind it were")
            };
            terminal.complain_in_words(&format!("{were} not run, for {why}\n"));
        }
    };
    for (number, entry) in entries.iter().enumerate() {
        if entries.len() > 1 {
            // As it would look if it had been typed.
            let first = Line::strong(locked(session).prompt());
            let blanks = first.width();
            let lead = std::iter::once(first).chain(std::iter::repeat_with(|| Line::of_blanks(blanks)));
            let lines: Vec<Line> = lead.zip(entry.lines()).map(|(lead, line)| lead.with(line, Label::Plain)).collect();
            terminal.print(&style::render(&lines, terminal.color));
        }
        let flow = locked(session).line(entry);
        match flow {
            Ok(Flow::Show(lines)) => terminal.print(&style::render(&lines, terminal.color)),
            Ok(Flow::Quit) => {
                left_out(number, "it leaves");
                return true;
            }
            Err(error) => {
                terminal.complain(&error);
                left_out(number, "this one failed");
                break;
            }
        }
    }
    false
}

fn locked(session: &Mutex<Session>) -> MutexGuard<'_, Session> {
    session.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Watches the rules' files as long as the session wants it.
fn follow_files(
    files: &mut Option<Files>,
    session: &Arc<Mutex<Session>>,
    editor: &mut Editor<Assistant, DefaultHistory>,
) -> Result<(), Diagnostic> {
    if !locked(session).is_watching() {
        *files = None;
        return Ok(());
    }
    if files.is_none() {
        let terminal = locked(session).terminal;
        let mut printer = editor.create_external_printer().ok();
        *files = Some(Files::watch(session.clone(), move |text| {
            let printed = printer.as_mut().is_some_and(|printer| printer.print(text.clone()).is_ok());
            if !printed {
                terminal.print(&text);
            }
        })?);
    }
    match files {
        Some(files) => files.follow(&locked(session)),
        None => Ok(()),
    }
}

fn width(editor: &mut Editor<Assistant, DefaultHistory>) -> usize {
    let terminal = editor.dimensions().map(|(columns, _)| usize::from(columns));
    terminal.filter(|columns| *columns >= 20).unwrap_or_else(crate::terminal::columns)
}

/// Where the platform keeps state, in a folder of our own.
fn history_file() -> Option<PathBuf> {
    let base = etcetera::choose_base_strategy().ok()?;
    let folder = base.state_dir().unwrap_or_else(|| base.data_dir()).join("houserule");
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder.join("history.txt"))
}
