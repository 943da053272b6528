//! The one door to the terminal.
//!
//! Results go to standard output, trouble to standard error. Colour is there when the stream is a terminal and
//! `NO_COLOR` is unset, unless the person said otherwise. A reader that has gone away ends the program quietly.

use crate::diagnostic::Diagnostic;
use std::io::{self, IsTerminal, Write};

/// Whether to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Color {
    /// Where the stream is a terminal that has it.
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

    /// Writes a result.
    pub fn print(&self, text: &str) {
        let mut out = io::stdout().lock();
        if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush())
            && error.kind() == io::ErrorKind::BrokenPipe
        {
            // Whoever was reading has what it wanted.
            std::process::exit(0);
        }
    }

    /// Writes a result with a line end.
    pub fn print_line(&self, text: &str) {
        self.print(&format!("{text}\n"));
    }

    /// Writes about trouble.
    pub fn complain(&self, diagnostic: &Diagnostic) {
        self.complain_in_words(&format!("{}\n", diagnostic.render(self.error_color)));
    }

    /// Writes about what is allowed but probably not meant.
    pub fn warn(&self, diagnostic: &Diagnostic) {
        self.complain_in_words(&format!("{}\n", diagnostic.render_warning(self.error_color)));
    }

    /// Writes a message to standard error.
    pub fn complain_in_words(&self, text: &str) {
        // With standard error gone there is nobody to tell.
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}

/// How many columns there are where the terminal itself cannot be asked.
pub fn columns() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    columns.filter(|columns| (20..=400).contains(columns)).unwrap_or(80)
}

fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}
