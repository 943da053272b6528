//! A session at a terminal: prompt, history, completion, hints.

use crate::catalogue::{message, said, say};
use crate::diagnostic::{Diagnostic, Diagnostics, in_half_width};
use crate::host::terminal::Terminal;
use crate::host::threads::locked;
use crate::repl::complete::Assistant;
use crate::repl::history::History;
use crate::repl::journal::Journal;
use crate::repl::watch::Files;
use crate::repl::{SessionEnd, TableOpening, keep, pager};
use crate::screen::style::{self, Label, Line};
use crate::serve::hub::Echo;
use crate::session::commands::{Flow, Question};
use crate::session::jobs::DoneSignal;
use crate::session::{Session, entry, in_lines};
use crate::work::Work;
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{CompletionType, Config, DefaultEditor, Editor, ExternalPrinter as _};
use std::io::{ErrorKind, IsTerminal as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// The text between the prompt's question and the input.
const PROMPT_END: &str = " › ";

/// Most lines kept in the input history.
const MAX_HISTORY_LINES: usize = 2_000;

/// The line editor at the terminal.
pub(super) type TextEditor = Editor<Assistant, DefaultHistory>;

/// Lines written between two checks for Ctrl-C.
const LINES_PER_CHECK: usize = 50;

/// Runs a session at a terminal until the person leaves. Errors are shown, and the session goes on.
pub(super) fn run(
    mut session: Session,
    terminal: Terminal,
    mut journal: Option<Journal>,
    table: &TableOpening,
) -> SessionEnd {
    if let Some(journal) = &mut journal {
        journal.attach(&session);
    }
    let journal = Arc::new(Mutex::new(journal));
    terminal.tell(&session.take_notices());
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .completion_show_all_if_ambiguous(true)
        .auto_add_history(true)
        .history_ignore_space(true)
        .max_history_size(MAX_HISTORY_LINES)
        .and_then(|config| config.history_ignore_dups(true))
        .map(rustyline::config::Builder::build)
        .unwrap_or_default();
    let mut editor: TextEditor = match Editor::with_config(config) {
        Ok(editor) => editor,
        Err(error) => {
            terminal.tell(&[Diagnostic::new(message!("this terminal cannot be used: {error}"))]);
            return SessionEnd::Unusable;
        }
    };
    #[cfg(unix)]
    super::signals::leave_properly();
    let work = session.work();
    let session = Arc::new(Mutex::new(session));
    let mut files: Option<Files> = None;
    editor.set_helper(Some(Assistant::new(session.clone(), terminal.color)));
    let (mut history, trouble) = History::open(&mut editor);
    terminal.tell(&trouble);
    resize(&session, &mut editor);
    let opening = {
        let mut session = locked(&session);
        // The opening is followed by one more line.
        session.height = session.height.map(|rows| rows.saturating_sub(1));
        session.opening()
    };
    terminal.show(&fitted(&session, opening));
    terminal.print(&format!("{}\n", said("`help` shows what you can do here.")));
    let mut confirmed = false;
    let mut was_readable = true;
    let asked: Arc<Mutex<Arc<LivePrompt>>> = Arc::default();
    let is_at_prompt = Arc::new(AtomicBool::new(false));
    let bell = bell(&session, terminal, &mut editor, is_at_prompt.clone());
    locked(&session).on_job_done(bell);
    let echo = echo(terminal, &mut editor, is_at_prompt.clone(), asked.clone(), journal.clone());
    let mut links = Vec::new();
    let opened = table.open(&session, echo, &mut links);
    terminal.show(&links);
    if let Err(error) = opened {
        terminal.tell(&error);
    }
    loop {
        resize(&session, &mut editor);
        let figures = locked(&session).take_figures();
        if let Some(figures) = figures {
            terminal.show(&fitted(&session, figures));
        }
        if let Err(error) = follow_files(&mut files, &session, terminal, &mut editor, &asked) {
            locked(&session).stop_watching();
            terminal.tell(&error);
        }
        // The stopped work is over, and loading files saved meanwhile is separate work.
        work.begin();
        let prompt = Arc::new(LivePrompt::new(locked(&session).prompt()));
        locked(&asked).clone_from(&prompt);
        set_under_lock(&session, &is_at_prompt, true);
        let read = editor.readline(&*prompt);
        set_under_lock(&session, &is_at_prompt, false);
        let line = match read {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => {
                was_readable = true;
                continue;
            }
            // A closed terminal reads as end of input too.
            Err(ReadlineError::Eof) if std::io::stdin().is_terminal() => "quit".to_owned(),
            Err(ReadlineError::Eof) => return SessionEnd::HungUp,
            Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData => {
                // One message for a whole series of such bytes.
                if was_readable {
                    let error = Diagnostic::new("what was typed is not UTF-8 text");
                    terminal.tell([&error.help("the line was ignored; type it again")]);
                }
                was_readable = false;
                // The rest of a pasted text would be run as if it had been typed.
                #[cfg(unix)]
                let _ = rustix::termios::tcflush(std::io::stdin(), rustix::termios::QueueSelector::IFlush);
                continue;
            }
            Err(error) => {
                terminal.tell(&[Diagnostic::new(message!("the terminal is gone: {error}"))]);
                return SessionEnd::HungUp;
            }
        };
        was_readable = true;
        // The window may have been resized while the prompt was waiting.
        resize(&session, &mut editor);
        terminal.tell(&history.keep(&mut editor));
        work.begin();
        let copied = entry::transcript(&line, |text| locked(&session).goes_on(text));
        if let Some((_, left_out @ 1..)) = &copied {
            let left_out = match left_out {
                1 => said("1 pasted line without a prompt was left out: the program wrote it").to_owned(),
                count => say!("{count} pasted lines without a prompt were left out: the program wrote them"),
            };
            terminal.show(&[Line::faint(left_out)]);
        }
        let line = copied.map_or(line, |(typed, _)| typed);
        let entries = entry::entries(&line, |text| locked(&session).goes_on(text));
        // An empty line repeats a step.
        let entries = if entries.is_empty() && line.trim().is_empty() { vec![String::new()] } else { entries };
        let rows = editor.dimensions().map_or(usize::MAX, |(_, rows)| usize::from(rows));
        let leaves = run_entries(&session, &journal, terminal, &entries, rows, &work);
        if !leaves {
            confirmed = false;
        } else if !confirmed && let Some(why) = unsaved_warning(&locked(&session)) {
            confirmed = true;
            terminal.show(&why);
        } else {
            if let Some(journal) = &mut *locked(&journal) {
                journal.end();
            }
            return SessionEnd::Well;
        }
    }
}

/// A warning about what leaving now would lose; `None` where nothing is lost.
fn unsaved_warning(session: &Session) -> Option<Vec<Line>> {
    let unsaved = (!session.is_saved())
        .then(|| said("this game is not saved: `save FILE` keeps it, `quit` or Ctrl-D again leaves it").to_owned());
    let job = session.running_job().map(|line| {
        say!("`{line}` is still running: `wait` and `stop` show its figures, `quit` or Ctrl-D again discards it")
    });
    let words: Vec<String> = unsaved.into_iter().chain(job).collect();
    (!words.is_empty()).then(|| words.iter().flat_map(|words| style::wrapped(words, session.width)).collect())
}

/// A signal that shows the figures of a finished job above the prompt, if the session is waiting there; otherwise they
/// are shown before the next prompt.
fn bell(
    session: &Arc<Mutex<Session>>,
    terminal: Terminal,
    editor: &mut TextEditor,
    is_at_prompt: Arc<AtomicBool>,
) -> DoneSignal {
    let session = Arc::downgrade(session);
    let printer = Mutex::new(editor.create_external_printer().ok());
    Arc::new(move || {
        let Some(session) = session.upgrade() else { return };
        let mut session = locked(&session);
        if !is_at_prompt.load(Ordering::Relaxed) {
            return;
        }
        let mut printer = locked(&printer);
        let Some(printer) = printer.as_mut() else { return };
        if let Some(lines) = session.take_figures() {
            let _ = printer.print(style::render(&style::within(lines, session.width), terminal.color));
        }
    })
}

/// A listener that shows above the prompt what was done at another face, and writes the journal.
fn echo(
    terminal: Terminal,
    editor: &mut TextEditor,
    is_at_prompt: Arc<AtomicBool>,
    asked: Arc<Mutex<Arc<LivePrompt>>>,
    journal: Arc<Mutex<Option<Journal>>>,
) -> Echo {
    let mut printer = editor.create_external_printer().ok();
    Box::new(move |session: &mut Session, mut lines| {
        let mut trouble: Vec<Diagnostic> = session.take_notices();
        trouble.extend(keep(session, &journal).err().into_iter().flatten());
        lines.extend(in_lines(&trouble, session.width));
        let lines = style::within(lines, session.width);
        let text = style::render(&lines, terminal.color);
        if !is_at_prompt.load(Ordering::Relaxed) {
            terminal.show(&lines);
            return;
        }
        locked(&asked).change(&session.prompt());
        let printed = printer.as_mut().is_some_and(|printer| printer.print(text).is_ok());
        if !printed {
            terminal.show(&lines);
        }
    })
}

/// Sets a flag while holding the session's lock.
fn set_under_lock(session: &Mutex<Session>, flag: &AtomicBool, value: bool) {
    let _session = locked(session);
    flag.store(value, Ordering::Relaxed);
}

/// Asks a yes-or-no question, and runs its command if the person says yes.
fn ask(session: &Mutex<Session>, terminal: Terminal, question: &Question) -> Result<Flow, Diagnostics> {
    terminal.write_error(&format!("{}\n", question.refusal.first().message.told()));
    // A separate editor, because the answer does not belong into the session's history.
    let prompt = format!("{} [y/N] › ", said(question.question));
    let answer = DefaultEditor::new().and_then(|mut editor| editor.readline(&prompt)).unwrap_or_default();
    let answer = in_half_width(&answer).unwrap_or(answer).trim().to_lowercase();
    if ["y", "yes"].contains(&&*answer) {
        return locked(session).line(&question.yes);
    }
    Ok(Flow::Show(vec![style::Line::plain(said("nothing was done"))]))
}

/// Runs typed or pasted entries one after the other, up to the first that fails. Gives whether the person wants to
/// leave.
fn run_entries(
    session: &Mutex<Session>,
    journal: &Mutex<Option<Journal>>,
    terminal: Terminal,
    entries: &[String],
    rows: usize,
    work: &Arc<Work>,
) -> bool {
    let left_out = |number: usize, why: &str| {
        let left = entries.len() - number - 1;
        if left > 0 {
            let were = if left == 1 {
                said("1 pasted entry after it was").to_owned()
            } else {
                say!("{left} pasted entries after it were")
            };
            terminal.write_error(&say!("{were} not run, for {why}\n"));
        }
    };
    for (number, entry) in entries.iter().enumerate() {
        if entries.len() > 1 {
            // Shown as if it had been typed at the prompt.
            let first = Line::strong(locked(session).prompt());
            let blanks = first.width();
            let lead = std::iter::once(first).chain(std::iter::repeat_with(|| Line::of_blanks(blanks)));
            let lines: Vec<Line> = lead.zip(entry.lines()).map(|(lead, line)| lead.with(line, Label::Plain)).collect();
            terminal.show(&lines);
        }
        let counter = terminal.counter(work);
        let mut flow = locked(session).line(entry);
        drop(counter);
        terminal.tell(&locked(session).take_notices());
        // Showing the output is separate work, which can be stopped by itself.
        work.begin();
        if let Ok(Flow::Ask(question)) = &flow {
            flow = ask(session, terminal, question);
        }
        // Lock order: first the session, then its journal.
        let trouble = keep(&locked(session), journal);
        if let Err(trouble) = trouble {
            terminal.tell(&trouble);
        }
        match flow {
            Ok(Flow::Page(lines)) if locked(session).pages => pager::show(&fitted(session, lines), rows, terminal),
            Ok(Flow::Show(lines) | Flow::Page(lines)) => show(&fitted(session, lines), terminal, work),
            Ok(Flow::Ask(question)) => terminal.tell(&question.refusal),
            Ok(Flow::Quit) => {
                left_out(number, said("it leaves"));
                return true;
            }
            Err(error) => {
                terminal.tell(&error);
                left_out(number, said("this one failed"));
                break;
            }
        }
    }
    false
}

/// Lines wrapped to the window's width: a terminal would break them within words.
fn fitted(session: &Mutex<Session>, lines: Vec<Line>) -> Vec<Line> {
    style::within(lines, locked(session).width)
}

/// Shows lines in chunks, so that Ctrl-C can end a long output.
fn show(lines: &[Line], terminal: Terminal, work: &Work) {
    for some in lines.chunks(LINES_PER_CHECK) {
        if work.is_stopped() {
            return;
        }
        terminal.show(some);
    }
}

/// The prompt shown while the session waits for input. Saving a rules file may change its text; the new text is fitted
/// to the old width, which the editor has already measured.
#[derive(Default)]
struct LivePrompt {
    text: String,
    next: OnceLock<Box<LivePrompt>>,
}

impl LivePrompt {
    fn new(text: String) -> Self {
        Self { text, next: OnceLock::new() }
    }

    fn current(&self) -> &Self {
        let mut current = self;
        while let Some(next) = current.next.get() {
            current = next;
        }
        current
    }

    fn change(&self, text: &str) {
        let current = self.current();
        if current.text.trim_end_matches(['›', ' ']) == text.trim_end_matches(['›', ' ']) {
            return;
        }
        let room = style::width(&self.text).saturating_sub(style::width(PROMPT_END));
        let words = text.strip_suffix(PROMPT_END).unwrap_or(text);
        let fitted = style::pad(&style::cut(words, room), room) + PROMPT_END;
        let _ = current.next.set(Box::new(Self::new(fitted)));
    }
}

impl rustyline::Prompt for LivePrompt {
    fn raw(&self) -> &str {
        &self.current().text
    }
}

/// Starts, updates or ends the watch on the rules' files, as the session's settings ask.
fn follow_files(
    files: &mut Option<Files>,
    session: &Arc<Mutex<Session>>,
    terminal: Terminal,
    editor: &mut TextEditor,
    asked: &Arc<Mutex<Arc<LivePrompt>>>,
) -> Result<(), Diagnostics> {
    if !locked(session).is_watching() {
        *files = None;
        return Ok(());
    }
    if files.is_none() {
        let mut printer = editor.create_external_printer().ok();
        let asked = asked.clone();
        *files = Some(Files::watch(session.clone(), move |lines, prompt| {
            locked(&asked).change(&prompt);
            let text = style::render(&lines, terminal.color);
            let printed = printer.as_mut().is_some_and(|printer| printer.print(text).is_ok());
            if !printed {
                terminal.show(&lines);
            }
        })?);
    }
    match files {
        Some(files) => files.follow(&locked(session)),
        None => Ok(()),
    }
}

/// Sets the session's width and height to the window's current size.
fn resize(session: &Mutex<Session>, editor: &mut TextEditor) {
    let (columns, rows) = editor.dimensions().unwrap_or_default();
    let mut session = locked(session);
    session.width =
        Some(usize::from(columns)).filter(|columns| *columns >= 20).unwrap_or_else(crate::host::terminal::columns);
    session.height = Some(usize::from(rows)).filter(|rows| *rows > 0).or_else(crate::host::terminal::rows);
}
