//! The error type of functions that can fail with several diagnostics.

use super::{Code, Diagnostic, Help, Place, message};
use std::fmt;
use std::ops::Deref;

/// Why something cannot be done: one diagnostic or several, in the order in which they are shown.
///
/// It is never empty: a function that fails says why. It reads as a slice.
///
/// ```
/// use houserule_engine::diagnostic::{Diagnostic, Diagnostics};
///
/// fn players(typed: &str) -> Result<usize, Diagnostics> {
///     typed.parse().map_err(|_| Diagnostic::new(houserule_engine::message!("`{typed}` is no number of players")).into())
/// }
///
/// assert_eq!(players("x").unwrap_err().to_string(), "error: `x` is no number of players");
/// assert!(Diagnostics::refuse(Vec::new()).is_ok());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostics(
    /// Never empty: only `From` and `refuse` make one, and nothing takes any out.
    Vec<Diagnostic>,
);

/// The first of several diagnostics, at most `most`; where that is not all, the last one says so.
pub fn first_of(mut found: Vec<Diagnostic>, most: usize) -> Vec<Diagnostic> {
    if found.len() > most {
        found.truncate(most);
        let last = found.pop().map(|last| last.help(message!("only the first {most} errors are shown")));
        found.extend(last);
    }
    found
}

impl Diagnostics {
    /// Fails with the diagnostics that were found, if there are any.
    ///
    /// # Errors
    /// The whole list, unless it is empty.
    pub fn refuse(found: Vec<Diagnostic>) -> Result<(), Diagnostics> {
        if found.is_empty() { Ok(()) } else { Err(Diagnostics(found)) }
    }

    /// The first diagnostic: where there is room for one only, it stands for all.
    pub fn first(&self) -> &Diagnostic {
        &self.0[0]
    }

    /// Changes every diagnostic in the same way: adds a related place, or what to do.
    #[must_use]
    pub fn map(self, change: impl FnMut(Diagnostic) -> Diagnostic) -> Diagnostics {
        Diagnostics(self.0.into_iter().map(change).collect())
    }

    /// Adds a help sentence to the last diagnostic.
    #[must_use]
    pub fn help(mut self, text: impl Into<Help>) -> Diagnostics {
        if let Some(last) = self.0.last_mut() {
            last.help.push(text.into());
        }
        self
    }

    /// Sets the kind of finding of each diagnostic that has none.
    #[must_use]
    pub fn with_code(self, code: &'static Code) -> Diagnostics {
        self.map(|error| error.with_code(code))
    }

    /// Sets the place that is to blame for each diagnostic.
    #[must_use]
    pub fn at(self, place: Place) -> Diagnostics {
        self.map(|error| error.at(place.clone()))
    }

    /// Adds a related place to each diagnostic.
    #[must_use]
    pub fn related(self, place: Place) -> Diagnostics {
        self.map(|error| error.related(place.clone()))
    }

    /// Adds to each diagnostic the place where somebody [asked](Diagnostic::asked_for_at) for what is wrong.
    #[must_use]
    pub fn asked_for_at(self, asked: Option<Place>) -> Diagnostics {
        self.map(|error| error.asked_for_at(asked.clone()))
    }

    /// All diagnostics as text, one after another, without a line end after the last line.
    pub fn render(&self, color: bool) -> String {
        self.render_within(color, None)
    }

    /// All diagnostics as text, for a terminal with this number of columns, or as [`render`](Diagnostics::render) for
    /// `None`.
    pub fn render_within(&self, color: bool, columns: Option<usize>) -> String {
        let each: Vec<String> = self.iter().map(|error| error.render_within(color, columns)).collect();
        each.join("\n")
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(only: Diagnostic) -> Diagnostics {
        Diagnostics(vec![only])
    }
}

impl Deref for Diagnostics {
    type Target = [Diagnostic];

    fn deref(&self) -> &[Diagnostic] {
        &self.0
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, more: I) {
        self.0.extend(more);
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.render(false))
    }
}

impl std::error::Error for Diagnostics {}
