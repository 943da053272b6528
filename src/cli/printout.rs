//! What a command of the command line has to say, until somebody writes it.

use crate::diagnostic::{Diagnostic, Diagnostics, visible};
use crate::host::terminal::Terminal;
use crate::json;
use crate::screen::style::Line;
use serde_json::Value;

/// What a command has to say: results and findings, in the order in which they are read at a terminal.
#[derive(Debug, Default)]
pub(super) struct Printout {
    parts: Vec<Part>,
}

#[derive(Debug)]
enum Part {
    /// A result, or a piece of one.
    Text(String),
    /// A result that is drawn.
    Lines(Vec<Line>),
    /// What is wrong, doubtful, or worth knowing.
    Finding(Diagnostic),
    /// One of which the sentences are long: in lines that can be read, wherever it goes.
    Report(Diagnostic),
}

impl Printout {
    /// A line of the result, or several. What in them could act on a terminal is made visible.
    pub(super) fn line(&mut self, text: &str) {
        self.text(&(text.split('\n').map(visible).collect::<Vec<_>>().join("\n") + "\n"));
    }

    /// What is for a file or a program, as it is.
    pub(super) fn text(&mut self, text: &str) {
        self.parts.push(Part::Text(text.to_owned()));
    }

    /// A result as a line of JSON.
    pub(super) fn json(&mut self, value: &Value) {
        self.text(&(json::text(value) + "\n"));
    }

    /// A result that is drawn.
    pub(super) fn show(&mut self, lines: Vec<Line>) {
        self.parts.push(Part::Lines(lines));
    }

    /// What is wrong, doubtful, or worth knowing.
    pub(super) fn tell<'a>(&mut self, found: impl IntoIterator<Item = &'a Diagnostic>) {
        self.parts.extend(found.into_iter().cloned().map(Part::Finding));
    }

    /// What was found, in lines that can be read in a file too.
    pub(super) fn report(&mut self, found: Diagnostics) {
        self.parts.extend(found.into_iter().map(Part::Report));
    }

    /// Writes what there is so far: results to standard output, findings to standard error.
    pub(super) fn write(&mut self, terminal: &Terminal) {
        for part in self.parts.drain(..) {
            match part {
                Part::Text(text) => terminal.print(&text),
                Part::Lines(lines) => terminal.show(&lines),
                Part::Finding(found) => terminal.tell([&found]),
                Part::Report(found) => terminal.tell_wrapped(&found),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_acts_on_a_terminal_gets_through_a_line() {
        let mut out = Printout::default();
        out.line("now: \u{1b}[2J\u{202e}\u{ad}\n  next");
        let [Part::Text(text)] = &out.parts[..] else { unreachable!("{out:?}") };
        assert_eq!(text, "now: ␛[2J\\u{202e}\\u{ad}\n  next\n");
    }
}
