//! The output of a command, collected until it is written.

use crate::diagnostic::{Diagnostic, Diagnostics, visible};
use crate::host::terminal::Terminal;
use crate::json;
use crate::screen::style::Line;
use serde_json::Value;

/// The output of a command: results and findings, in the order for reading at a terminal.
#[derive(Debug, Default)]
pub(super) struct Printout {
    parts: Vec<Part>,
}

#[derive(Debug)]
enum Part {
    /// A result, or part of one.
    Text(String),
    /// A drawn result.
    Lines(Vec<Line>),
    /// A diagnostic.
    Finding(Diagnostic),
    /// A diagnostic with long sentences, which are wrapped even if they go to a file.
    Report(Diagnostic),
}

impl Printout {
    /// Adds one or several lines of text. Control characters are made visible.
    pub(super) fn line(&mut self, text: &str) {
        self.text(&(text.split('\n').map(visible).collect::<Vec<_>>().join("\n") + "\n"));
    }

    /// Adds text for a file or a program, unchanged.
    pub(super) fn text(&mut self, text: &str) {
        self.parts.push(Part::Text(text.to_owned()));
    }

    /// Adds a result as a line of JSON.
    pub(super) fn json(&mut self, value: &Value) {
        self.text(&(json::text(value) + "\n"));
    }

    /// Adds a drawn result.
    pub(super) fn show(&mut self, lines: Vec<Line>) {
        self.parts.push(Part::Lines(lines));
    }

    /// Adds diagnostics.
    pub(super) fn tell<'a>(&mut self, found: impl IntoIterator<Item = &'a Diagnostic>) {
        self.parts.extend(found.into_iter().cloned().map(Part::Finding));
    }

    /// Adds diagnostics with long sentences, which are wrapped even if they go to a file.
    pub(super) fn report(&mut self, found: Diagnostics) {
        self.parts.extend(found.into_iter().map(Part::Report));
    }

    /// Writes the output so far: results to standard output, diagnostics to standard error.
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
