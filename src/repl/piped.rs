//! A session from a pipe: the same commands as a script, without prompts.

use crate::catalogue::message;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::host::terminal::Terminal;
use crate::host::threads::locked;
use crate::repl::journal::Journal;
use crate::repl::{SessionEnd, TableOpening, keep};
use crate::screen::style::{Label, Line};
use crate::session::commands::Flow;
use crate::session::entry::is_comment;
use crate::session::reload::ReloadReport;
use crate::session::{Session, in_lines};
use std::io::BufRead;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// The time between two checks whether to stop, in a session whose script has ended.
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// Most bytes of an input line.
const MAX_LINE_BYTES: usize = 64 << 10;

/// Where the output of a script goes.
pub trait Output: Clone + Send + 'static {
    /// Writes results.
    fn show(&self, lines: &[Line]);

    /// Writes diagnostics.
    fn tell<'a>(&self, found: impl IntoIterator<Item = &'a Diagnostic>);
}

impl Output for Terminal {
    fn show(&self, lines: &[Line]) {
        Terminal::show(self, lines);
    }

    fn tell<'a>(&self, found: impl IntoIterator<Item = &'a Diagnostic>) {
        Terminal::tell(self, found);
    }
}

/// Runs a script line by line, up to the first line that fails, whose number is reported. Ctrl-C stops the running
/// line: the script goes on if that line has figures so far, and otherwise ends without a message, as any program does.
pub fn run(
    session: Session,
    input: &mut impl BufRead,
    output: impl Output,
    journal: Option<Journal>,
    transcript: Option<&mut Vec<Line>>,
    opening: &TableOpening,
) -> SessionEnd {
    let session = Arc::new(Mutex::new(session));
    let journal = Arc::new(Mutex::new(journal));
    let mut script = Script { session, output, journal, transcript, stays_open: opening.stays_open() };
    let leaving = script.run(input, opening);
    if let (SessionEnd::Failed, Some(line)) = (leaving, script.session().running_job()) {
        script.output.tell([&Diagnostic::note(message!("`{line}` was still running, and is discarded"))]);
    }
    leaving
}

/// A session that reads its lines from a pipe.
struct Script<'t, O> {
    session: Arc<Mutex<Session>>,
    output: O,
    /// Some only for a resumed game.
    journal: Arc<Mutex<Option<Journal>>>,
    /// Input and output, where a transcript is wanted.
    transcript: Option<&'t mut Vec<Line>>,
    /// Whether the session outlives the script, for people who play elsewhere.
    stays_open: bool,
}

impl<O: Output> Script<'_, O> {
    fn session(&self) -> MutexGuard<'_, Session> {
        locked(&self.session)
    }

    fn run(&mut self, input: &mut impl BufRead, opening: &TableOpening) -> SessionEnd {
        if let Some(journal) = &mut *locked(&self.journal) {
            journal.attach(&self.session());
        }
        let work = self.session().work();
        let mut was_cut_short = false;
        self.print_notices();
        let drawn = self.session().opening();
        self.show(drawn);
        let (output, journal) = (self.output.clone(), self.journal.clone());
        let echo = Box::new(move |session: &mut Session, lines: Vec<Line>| {
            output.show(&lines);
            output.tell(&session.take_notices());
            if let Err(trouble) = keep(session, &journal) {
                output.tell(&trouble);
            }
        });
        let mut links = Vec::new();
        let opened = opening.open(&self.session, echo, &mut links);
        self.show(links);
        if let Err(error) = opened {
            self.output.tell(&error);
            return SessionEnd::Failed;
        }
        let mut number = 0;
        loop {
            number += 1;
            was_cut_short |= work.is_stopped();
            let figures = self.session().take_figures();
            if let Some(figures) = figures {
                self.show(figures);
            }
            work.begin();
            work.mark_idle();
            let line = match read_line(input) {
                Ok(Some(line)) => line,
                // The rules failed before the first line, and no line repaired them.
                Ok(None) if self.session().playthrough.position().failed.is_some() => return SessionEnd::Failed,
                Ok(None) => {
                    work.begin();
                    while self.stays_open && !work.is_stopped() {
                        std::thread::sleep(STOP_CHECK_INTERVAL);
                    }
                    return self.leave(was_cut_short && !self.stays_open);
                }
                Err(error) => {
                    self.output.tell(&at_line(number, error));
                    return SessionEnd::Failed;
                }
            };
            let line = line.trim();
            if line.is_empty() || is_comment(line) {
                continue;
            }
            let first = number;
            let mut line = line.to_owned();
            while self.goes_on(&line) {
                number += 1;
                match read_line(input) {
                    Ok(Some(more)) => line.push_str(&format!("\n{more}")),
                    // The missing part is reported when the entry is evaluated.
                    Ok(None) => break,
                    Err(error) => {
                        self.output.tell(&at_line(number, error));
                        return SessionEnd::Failed;
                    }
                }
            }
            work.begin();
            // A script has no prompt, so saved files are reported between its lines.
            let saved = self.session().after_save(false);
            if let ReloadReport::Lines(lines) = saved {
                self.show(lines);
            }
            let typed = Line::faint(self.session().prompt()).with(&line, Label::Strong);
            self.keep([typed]);
            let flow = self.session().line(&line);
            self.print_notices();
            let kept = keep(&self.session(), &self.journal);
            if let Err(trouble) = kept {
                self.output.tell(&trouble);
            }
            match flow {
                Ok(Flow::Show(lines) | Flow::Page(lines)) => self.show(lines),
                Ok(Flow::Quit) => return self.leave(was_cut_short),
                // A script has nobody to answer a question.
                Ok(Flow::Ask(question)) => {
                    self.output.tell(&at_line(first, question.refusal));
                    return SessionEnd::Failed;
                }
                // The person who stopped the script knows why it ended early.
                Err(_) if work.is_stopped() => return SessionEnd::Interrupted,
                Err(error) => {
                    self.record_diagnostics(&error);
                    self.output.tell(&at_line(first, error));
                    return SessionEnd::Failed;
                }
            }
        }
    }

    fn goes_on(&self, line: &str) -> bool {
        self.session().goes_on(line)
    }

    fn show(&mut self, lines: Vec<Line>) {
        self.output.show(&lines);
        self.keep(lines);
    }

    /// Adds lines to the transcript, if there is one.
    fn keep(&mut self, lines: impl IntoIterator<Item = Line>) {
        if let Some(transcript) = &mut self.transcript {
            transcript.extend(lines);
        }
    }

    fn print_notices(&mut self) {
        let notices = self.session().take_notices();
        self.output.tell(&notices);
        self.record_diagnostics(&notices);
    }

    fn record_diagnostics<'a>(&mut self, told: impl IntoIterator<Item = &'a Diagnostic>) {
        let width = self.session().width;
        self.keep(in_lines(told, width));
    }

    /// Ends a script with the figures of a job that is still running or not yet shown. Ctrl-C cuts the job short.
    fn leave(&mut self, was_cut_short: bool) -> SessionEnd {
        let work = self.session().work();
        let mut was_cut_short = was_cut_short || work.is_stopped() && !self.stays_open;
        work.begin();
        let is_running = self.session().running_job().is_some();
        let left = if is_running { None } else { self.session().take_figures() };
        if is_running {
            let mut figures = self.session().figures_of_job(false);
            if work.is_stopped() {
                was_cut_short = true;
                work.begin();
                figures = self.session().figures_of_job(true);
            }
            match figures {
                Ok(lines) => self.show(lines),
                Err(error) => self.output.tell(&error),
            }
        } else if let Some(figures) = left {
            self.show(figures);
        }
        if was_cut_short { SessionEnd::Interrupted } else { SessionEnd::Well }
    }
}

/// Reads a line, without its line end; `None` at the end of the input.
fn read_line(input: &mut impl BufRead) -> Result<Option<String>, Diagnostics> {
    let mut bytes = Vec::new();
    let unreadable = |error| Diagnostic::new(message!("the input cannot be read: {error}"));
    let read = std::io::Read::take(&mut *input, MAX_LINE_BYTES as u64 + 1)
        .read_until(b'\n', &mut bytes)
        .map_err(unreadable)?;
    if read == 0 {
        return Ok(None);
    }
    if bytes.len() > MAX_LINE_BYTES {
        return Err(Diagnostic::new(message!("the line is longer than {} KiB", MAX_LINE_BYTES >> 10)).into());
    }
    let text = String::from_utf8(bytes).map_err(|_| Diagnostic::new("the line is not UTF-8"))?;
    Ok(Some(text.trim_start_matches('\u{feff}').to_owned()))
}

fn at_line(number: usize, errors: impl Into<Diagnostics>) -> Diagnostics {
    errors.into().map(|mut error| {
        error.message = message!("input line {number}: {}", error.message);
        error
    })
}
