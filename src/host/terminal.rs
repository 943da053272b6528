//! The one door to the terminal.
//!
//! Results go to standard output, trouble to standard error. Colour is there when the stream is a terminal and
//! `NO_COLOR` is unset, unless the person said otherwise. If a result cannot be written, the program ends: with a message
//! if the disk is full or standard output is closed, quietly if the reader has gone away.

mod counter;

pub use counter::Counter;

use super::output::{Output, is_taken};
use super::reason;
use crate::diagnostic::Diagnostic;
use crate::screen::style::{Line, render};
use crate::work::Work;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Whether another program has the terminal: Ctrl-C is meant for it then.
static IS_LENT_OUT: AtomicBool = AtomicBool::new(false);

/// When it was given back last.
static LENT_UNTIL: Mutex<Option<Instant>> = Mutex::new(None);

/// How long after that a Ctrl-C may still be the one that ended the other program: signals can be late on a busy machine.
const SIGNALS_TAKE: Duration = Duration::from_millis(300);

/// Lends the terminal to another program while it runs.
pub fn lent<T>(run: impl FnOnce() -> T) -> T {
    IS_LENT_OUT.store(true, Ordering::Relaxed);
    let result = run();
    *LENT_UNTIL.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    IS_LENT_OUT.store(false, Ordering::Relaxed);
    result
}

/// Whether another program has the terminal at the moment, or had it a moment ago.
pub fn is_lent() -> bool {
    let given_back = || *LENT_UNTIL.lock().unwrap_or_else(PoisonError::into_inner);
    IS_LENT_OUT.load(Ordering::Relaxed) || given_back().is_some_and(|at| at.elapsed() < SIGNALS_TAKE)
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

/// Where words for a person go.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// Whether results are coloured.
    pub color: bool,
    /// Whether messages about trouble are coloured.
    pub error_color: bool,
}

impl Terminal {
    /// A terminal with colour as the person wants it and the streams allow.
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

    /// Whether a person sees the results at once, and not a file or another program.
    pub fn is_seen(&self) -> bool {
        io::stdout().is_terminal()
    }

    /// Writes a result: to standard error where a file has standard output.
    pub fn print(&self, text: &str) {
        if is_taken() {
            return self.complain_in_words(text);
        }
        let mut out = Output::default();
        if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            self.give_up(&error);
        }
    }

    /// Writes a result with a line end.
    pub fn print_line(&self, text: &str) {
        self.print(&format!("{text}\n"));
    }

    /// Writes lines, in their colours where the terminal has them.
    pub fn show(&self, lines: &[Line]) {
        self.print(&render(lines, if is_taken() { self.error_color } else { self.color }));
    }

    /// Counts on the terminal how far some work is, from half a second on and until the counter is dropped.
    pub fn counter(&self, work: &Arc<Work>) -> Counter {
        Counter::of(work)
    }

    /// Ends the program because standard output failed: nobody would notice that the result is incomplete.
    pub fn give_up(&self, error: &io::Error) -> ! {
        if error.kind() == io::ErrorKind::BrokenPipe {
            // Whoever was reading has what it wanted.
            std::process::exit(0);
        }
        self.tell(&[Diagnostic::new(format!("standard output cannot be written: {}", reason(error)))]);
        std::process::exit(UNWRITABLE);
    }

    /// Writes what is wrong, doubtful, or worth knowing.
    pub fn tell<'a>(&self, found: impl IntoIterator<Item = &'a Diagnostic>) {
        for diagnostic in found {
            self.complain_in_words(&format!("{}\n", diagnostic.render_within(self.error_color, message_columns())));
        }
    }

    /// Writes what is wrong, in lines as long as a terminal's where it does not go to one, too.
    pub fn tell_wrapped(&self, found: &Diagnostic) {
        let columns = message_columns().unwrap_or_else(columns);
        self.complain_in_words(&format!("{}\n", found.render_within(self.error_color, Some(columns))));
    }

    /// Writes a message to standard error.
    pub fn complain_in_words(&self, text: &str) {
        // With standard error gone there is nobody to tell.
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}

/// Whether messages go to a terminal, where somebody sees them come.
pub fn is_watched() -> bool {
    io::stderr().is_terminal()
}

/// How many columns there are where the terminal itself cannot be asked.
pub fn columns() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    columns.filter(|columns| (20..=400).contains(columns)).unwrap_or(80)
}

/// How many columns standard output has, where it goes to a terminal.
pub fn output_columns() -> Option<usize> {
    terminal_size::terminal_size_of(io::stdout()).map(|(columns, _)| usize::from(columns.0))
}

/// How many columns messages about trouble have, where they go to a terminal.
fn message_columns() -> Option<usize> {
    let (columns, _) = terminal_size::terminal_size_of(io::stderr())?;
    Some(usize::from(columns.0)).filter(|columns| *columns > 0)
}

/// How many rows there are where the terminal itself cannot be asked, if somebody says so.
pub fn rows() -> Option<usize> {
    let rows = std::env::var("LINES").ok().and_then(|rows| rows.parse().ok());
    rows.filter(|rows| (10..=400).contains(rows))
}

fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}
