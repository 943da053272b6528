//! Completion, hints and multi-line input for the line editor.

use crate::diagnostic::visible;
use crate::host::threads::locked;
use crate::screen::style;
use crate::session::analysis::Candidate;
use crate::session::{Session, entry};
use rustyline::completion::{Candidate as Shown, Completer};
use rustyline::highlight::Highlighter;
use rustyline::hint::{Hinter, HistoryHinter};
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Helper, Result};
use std::borrow::Cow;
use std::sync::{Arc, Mutex};

/// The number of columns that the editor leaves between completions.
const MARGIN: usize = 2;

/// Fewest columns in which the description of a completion is readable.
const MIN_DESCRIPTION_COLUMNS: usize = 20;

/// The line editor's helper: completion, hints and validation.
pub(super) struct Assistant {
    session: Arc<Mutex<Session>>,
    history: HistoryHinter,
    color: bool,
}

/// A completion as the line editor shows and inserts it.
pub(super) struct Completion {
    shown: String,
    replacement: String,
}

impl Assistant {
    pub(super) fn new(session: Arc<Mutex<Session>>, color: bool) -> Self {
        Self { session, history: HistoryHinter::new(), color }
    }
}

impl Completer for Assistant {
    type Candidate = Completion;

    fn complete(&self, line: &str, position: usize, _: &Context<'_>) -> Result<(usize, Vec<Completion>)> {
        let session = locked(&self.session);
        let (start, found) = session.candidates(&line[..position]);
        let (width, height) = (session.width, session.height);
        drop(session);
        Ok((start, completions(found, width, height)))
    }
}

/// The completions for the editor's list, each with its description. They are cut to as few columns as let the list fit
/// on the screen; descriptions are dropped where none does.
fn completions(found: Vec<Candidate>, width: usize, height: Option<usize>) -> Vec<Completion> {
    let widest = found.iter().map(|candidate| style::width(&candidate.text)).max().unwrap_or(0);
    // The editor asks whether to show a list that would take the last row.
    let fits = |columns: &usize| height.is_none_or(|rows| found.len().div_ceil(*columns) < rows);
    let room = |columns: usize| (width / columns).saturating_sub(MARGIN);
    let columns = (1..)
        .take_while(|columns| *columns == 1 || room(*columns) >= widest + MARGIN + MIN_DESCRIPTION_COLUMNS)
        .find(fits);
    let completion = |candidate: Candidate| {
        let shown = match columns {
            Some(columns) => {
                let padding = " ".repeat(widest - style::width(&candidate.text));
                style::cut(&format!("{}{padding}  {}", candidate.text, visible(&candidate.about)), room(columns))
            }
            None => style::cut(&candidate.text, room(1)),
        };
        Completion { shown, replacement: candidate.text }
    };
    found.into_iter().map(completion).collect()
}

impl Shown for Completion {
    fn display(&self) -> &str {
        &self.shown
    }

    fn replacement(&self) -> &str {
        &self.replacement
    }
}

impl Hinter for Assistant {
    type Hint = String;

    /// The arguments of a command still to be typed, or else the rest of a matching line from history.
    fn hint(&self, line: &str, position: usize, context: &Context<'_>) -> Option<String> {
        if position < line.len() {
            return None;
        }
        if line.ends_with(' ') {
            let session = locked(&self.session);
            if let Some(usage) = session.usage_hint(line) {
                return usage;
            }
        }
        self.history.hint(line, position, context)
    }
}

impl Highlighter for Assistant {
    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        if self.color { Cow::Owned(style::styled(hint, style::Label::Faint)) } else { Cow::Borrowed(hint) }
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _default: bool) -> Cow<'b, str> {
        if self.color { Cow::Owned(style::styled(prompt, style::Label::Strong)) } else { Cow::Borrowed(prompt) }
    }
}

impl Validator for Assistant {
    /// Input is incomplete while a bracket is open; an empty line ends it all the same.
    fn validate(&self, context: &mut ValidationContext<'_>) -> Result<ValidationResult> {
        let input = context.input();
        let session = locked(&self.session);
        // Of several pasted entries, only the last can be incomplete.
        let copied = entry::transcript(input, |text| session.goes_on(text));
        let copied = copied.map(|(typed, _)| typed);
        let entries = entry::entries(copied.as_deref().unwrap_or(input), |text| session.goes_on(text));
        if entries.last().is_some_and(|last| session.goes_on(last)) && !input.ends_with('\n') {
            return Ok(ValidationResult::Incomplete);
        }
        Ok(ValidationResult::Valid(None))
    }
}

impl Helper for Assistant {}
