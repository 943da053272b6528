//! Input from and output to the terminal.
//!
//! Results go to standard output, messages about trouble to standard error. Output is coloured when the stream is a
//! terminal and `NO_COLOR` is unset, unless the person chose otherwise. If a result cannot be written, the program
//! ends: with a message if the disk is full or standard output is closed, quietly if the reader has gone away.

mod counter;

pub use counter::Counter;

use super::output::{Output, is_taken};
use super::reason;
use crate::catalogue::message;
use crate::diagnostic::Diagnostic;
use crate::screen::style::{Line, render};
use crate::work::Work;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Whether the terminal is lent to another program, which Ctrl-C is then meant for.
static IS_LENT_OUT: AtomicBool = AtomicBool::new(false);

/// When the terminal was last given back.
static LENT_UNTIL: Mutex<Option<Instant>> = Mutex::new(None);

/// How long after [`LENT_UNTIL`] a Ctrl-C may still be meant for the other program: signals can be late on a busy
/// machine.
const MAX_SIGNAL_DELAY: Duration = Duration::from_millis(300);

/// Lends the terminal to another program while it runs.
pub fn lend_terminal<T>(run: impl FnOnce() -> T) -> T {
    IS_LENT_OUT.store(true, Ordering::Relaxed);
    let result = run();
    *LENT_UNTIL.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    IS_LENT_OUT.store(false, Ordering::Relaxed);
    result
}

/// Whether another program has the terminal at the moment, or had it a moment ago.
pub fn is_lent() -> bool {
    let given_back = || *LENT_UNTIL.lock().unwrap_or_else(PoisonError::into_inner);
    IS_LENT_OUT.load(Ordering::Relaxed) || given_back().is_some_and(|at| at.elapsed() < MAX_SIGNAL_DELAY)
}

/// The exit code if results cannot be written; [`cli`](crate::cli) lists them all.
const UNWRITABLE: i32 = 2;

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Color {
    /// If the output is a terminal with colours.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The terminal's output streams.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// Whether results are coloured.
    pub color: bool,
    /// Whether messages about trouble are coloured.
    pub error_color: bool,
}

impl Terminal {
    /// A terminal with colours as chosen, and as the streams allow.
    pub fn new(color: Color) -> Self {
        let decided = |is_terminal: bool| match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) && !is_dumb()
            }
        };
        Self { color: decided(io::stdout().is_terminal()), error_color: decided(io::stderr().is_terminal()) }
    }

    /// Whether results go to a terminal, and not to a file or another program.
    pub fn is_seen(&self) -> bool {
        io::stdout().is_terminal()
    }

    /// Writes a result to standard output, or to standard error where standard output is reserved for a file.
    pub fn print(&self, text: &str) {
        if is_taken() {
            return self.write_error(text);
        }
        let mut out = Output::default();
        if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            self.exit_on_output_failure(&error);
        }
    }

    /// Writes lines, with colours where the stream has them.
    pub fn show(&self, lines: &[Line]) {
        self.print(&render(lines, if is_taken() { self.error_color } else { self.color }));
    }

    /// Shows a progress counter for some work, from half a second on and until the counter is dropped.
    pub fn counter(&self, work: &Arc<Work>) -> Counter {
        Counter::of(work)
    }

    /// Ends the program because standard output failed: otherwise nobody would notice that the result is incomplete.
    pub fn exit_on_output_failure(&self, error: &io::Error) -> ! {
        if error.kind() == io::ErrorKind::BrokenPipe {
            // The reader has read what it wanted.
            std::process::exit(0);
        }
        self.tell(&[Diagnostic::new(message!("standard output cannot be written: {}", reason(error)))]);
        std::process::exit(UNWRITABLE);
    }

    /// Writes diagnostics to standard error.
    pub fn tell<'a>(&self, found: impl IntoIterator<Item = &'a Diagnostic>) {
        for diagnostic in found {
            self.write_error(&format!("{}\n", diagnostic.render_within(self.error_color, message_columns())));
        }
    }

    /// Writes a diagnostic to standard error, wrapped to the terminal's width even where it goes to a file.
    pub fn tell_wrapped(&self, found: &Diagnostic) {
        let columns = message_columns().unwrap_or_else(columns);
        self.write_error(&format!("{}\n", found.render_within(self.error_color, Some(columns))));
    }

    /// Writes a message to standard error.
    pub fn write_error(&self, text: &str) {
        // If standard error has gone, there is nowhere to report it.
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}

/// Whether standard error is a terminal.
pub fn is_watched() -> bool {
    io::stderr().is_terminal()
}

/// The number of columns, from `COLUMNS` or 80, where the terminal itself cannot be asked.
pub fn columns() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    columns.filter(|columns| (20..=400).contains(columns)).unwrap_or(80)
}

/// The number of columns of standard output; `None` where it is no terminal.
pub fn output_columns() -> Option<usize> {
    terminal_size::terminal_size_of(io::stdout()).map(|(columns, _)| usize::from(columns.0))
}

/// The number of columns of standard error; `None` where it is no terminal.
fn message_columns() -> Option<usize> {
    let (columns, _) = terminal_size::terminal_size_of(io::stderr())?;
    Some(usize::from(columns.0)).filter(|columns| *columns > 0)
}

/// The number of rows that `LINES` gives, where the terminal itself cannot be asked.
pub fn rows() -> Option<usize> {
    let rows = std::env::var("LINES").ok().and_then(|rows| rows.parse().ok());
    rows.filter(|rows| (10..=400).contains(rows))
}

fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}
