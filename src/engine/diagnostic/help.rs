//! Help sentences, and the changes of a file that an editor can offer for them.

use crate::catalogue::Message;
use std::borrow::Borrow;
use std::ops::Deref;

/// A help sentence of a diagnostic: what was expected, the nearest name, what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Help {
    /// The sentence.
    pub text: Message,
    /// The change of the file that it advises, where that is a single one.
    pub remedy: Option<QuickFix>,
}

/// A change of a file that fixes a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuickFix {
    /// Write this name in place of the one to blame.
    Rename(String),
    /// Add this line to the table `[text]` of the layer; `…` stands for words of another language, which somebody has
    /// to find.
    AddText(String),
    /// Add the variant with this id to those that the variant requires.
    Require(String),
}

impl Help {
    /// The sentence with the change that it advises.
    #[must_use]
    pub fn with_fix(self, remedy: QuickFix) -> Self {
        Self { remedy: Some(remedy), ..self }
    }
}

impl<M: Into<Message>> From<M> for Help {
    fn from(text: M) -> Self {
        Self { text: text.into(), remedy: None }
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
