//! What a function returns that fails.

use super::{Code, Diagnostic, Help, Place};
use std::fmt;
use std::ops::Deref;

/// Why something cannot be done: one diagnostic or several, in the order in which they are told.
///
/// There is no empty one: who fails says why. It reads as a slice.
///
/// ```
/// use houserule_engine::diagnostic::{Diagnostic, Diagnostics};
///
/// fn players(typed: &str) -> Result<usize, Diagnostics> {
///     typed.parse().map_err(|_| Diagnostic::new(format!("`{typed}` is no number of players")).into())
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

impl Diagnostics {
    /// Fails with what was found, if anything was.
    ///
    /// # Errors
    /// With the whole list, unless it is empty.
    pub fn refuse(found: Vec<Diagnostic>) -> Result<(), Diagnostics> {
        if found.is_empty() { Ok(()) } else { Err(Diagnostics(found)) }
    }

    /// The one that is told first: where there is room for one only, it stands for all.
    pub fn first(&self) -> &Diagnostic {
        &self.0[0]
    }

    /// Each of them changed in the same way: told with a further place, or with what to do.
    #[must_use]
    pub fn map(self, change: impl FnMut(Diagnostic) -> Diagnostic) -> Diagnostics {
        Diagnostics(self.0.into_iter().map(change).collect())
    }

    /// Adds a sentence that helps on, behind the last of them.
    #[must_use]
    pub fn help(mut self, text: impl Into<Help>) -> Diagnostics {
        if let Some(last) = self.0.last_mut() {
            last.help.push(text.into());
        }
        self
    }

    /// Says of each what kind of finding it is, unless that has been said.
    #[must_use]
    pub fn coded(self, code: &'static Code) -> Diagnostics {
        self.map(|error| error.coded(code))
    }

    /// Names the place that is to blame for each.
    #[must_use]
    pub fn at(self, place: Place) -> Diagnostics {
        self.map(|error| error.at(place.clone()))
    }

    /// Adds a further place to each.
    #[must_use]
    pub fn related(self, place: Place) -> Diagnostics {
        self.map(|error| error.related(place.clone()))
    }

    /// Names for each the place where somebody [asked](Diagnostic::asked_for_at) for what is wrong.
    #[must_use]
    pub fn asked_for_at(self, asked: Option<Place>) -> Diagnostics {
        self.map(|error| error.asked_for_at(asked.clone()))
    }

    /// All of them as text, one after another, without a line end after the last line.
    pub fn render(&self, color: bool) -> String {
        self.render_within(color, None)
    }

    /// As [`render`](Diagnostics::render), for a terminal of so many columns.
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
