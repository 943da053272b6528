//! Sentences that help on, and what an editor can do about a finding in their place.

use std::borrow::Borrow;
use std::ops::Deref;

/// A sentence that helps on: what was expected, the nearest name, what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Help {
    /// The sentence.
    pub text: String,
    /// The change of the file that it advises, where that is a single one.
    pub remedy: Option<Remedy>,
}

/// A change of a file that mends a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// This name stands in place of the one to blame.
    Rename(String),
    /// This line is added to the table `[text]` of the layer; `…` stands for words of another language, which somebody has to
    /// find.
    AddText(String),
    /// The variant requires the one with this id.
    Require(String),
}

impl Help {
    /// The same with the change that it advises.
    #[must_use]
    pub fn by(self, remedy: Remedy) -> Self {
        Self { remedy: Some(remedy), ..self }
    }
}

impl From<String> for Help {
    fn from(text: String) -> Self {
        Self { text, remedy: None }
    }
}

impl From<&str> for Help {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl<T: AsRef<str> + ?Sized> PartialEq<T> for Help {
    fn eq(&self, text: &T) -> bool {
        self.text == text.as_ref()
    }
}

impl Deref for Help {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl Borrow<str> for Help {
    fn borrow(&self) -> &str {
        &self.text
    }
}
