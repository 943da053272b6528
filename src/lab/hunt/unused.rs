//! Rules that never fire.

use super::search::Search;
use super::{Find, Kind};
use crate::diagnostic::Diagnostic;
use std::collections::BTreeSet;

/// A layer has to be part of so many games before it is told that something in it never fires.
const LEAST_RUNS: u64 = 100;

impl Search {
    /// Tells functions and statements that no game reached.
    pub(super) fn never_fired(&mut self) {
        let coverage = std::mem::take(&mut self.report.coverage);
        let mut told: BTreeSet<(String, String)> = BTreeSet::new();
        let missed = coverage.missed();
        let whole = || missed.iter().filter(|missed| missed.is_whole && missed.script.runs >= LEAST_RUNS);
        // Where a line is never reached that calls a function, that line is the cause.
        let is_called_from_missed = |name: &str| {
            let call = format!("{name}(");
            let mut lines = whole().filter(|missed| missed.function.calls > 0);
            lines.any(|missed| missed.place().is_some_and(|place| place.source.text[place.span].contains(&call)))
        };
        for missed in whole() {
            if missed.function.calls == 0 && is_called_from_missed(&missed.function.name) {
                continue;
            }
            // Of a function its first line is enough.
            if !told.insert((missed.script.file.clone(), missed.function.signature())) {
                continue;
            }
            let of = missed.function.signature();
            let message = match missed.function.calls {
                0 => format!("`{of}` is never called"),
                _ => format!("line {} of `{of}` is never reached", missed.line),
            };
            let runs = missed.script.runs;
            let error = Diagnostic::warning(message).at_maybe(missed.place()).help(format!(
                "in {runs} games of which this layer was a part; it may have a condition that cannot be met, or need better play than most of these games have"
            ));
            self.report.finds.push(Find { kind: Kind::Unused, diagnostics: error.into(), times: runs, case: None, replay: None });
        }
        self.report.coverage = coverage;
    }
}
