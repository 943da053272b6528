//! The edition of the language that a file is written in.

use crate::catalogue::{Message, message};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source};
use std::fmt;
use std::sync::Arc;

/// An edition of the language of rules: the first two numbers of the version of Houserule that it came with.
///
/// A later edition may change what a word or key means. Files that say an earlier one, or none, keep the meaning of their
/// time, so that rules can be kept for years.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edition {
    major: u16,
    minor: u16,
}

impl Edition {
    /// The edition of files that name none: they were written before files did.
    pub const UNSTATED: Self = Self { major: 0, minor: 0 };

    /// The edition that new files are written in.
    pub const CURRENT: Self = Self { major: 0, minor: 1 };

    /// The edition that `text` names, in a file that this program is to read; `place` is where the text stands.
    ///
    /// # Errors
    /// The text is no edition, or one later than that of the program.
    pub fn known(text: &str, place: impl Fn(Message) -> Place) -> Result<Self, Diagnostics> {
        let current = Self::CURRENT;
        match Self::parse(text) {
            Some(edition) if edition > current => {
                let trouble = Diagnostic::new(message!("this file is written for Houserule {edition}"));
                let trouble = trouble.at(place(message!("this is Houserule {current}")));
                Err(trouble.help("install a newer Houserule to use it").into())
            }
            Some(edition) if edition > Self::UNSTATED => Ok(edition),
            _ => {
                let trouble = Diagnostic::new(message!("`{text}` is no edition of the language"));
                let trouble = trouble.at(place("two numbers with a dot between".into()));
                let help =
                    message!("write `houserule = \"{current}\"`: the first two numbers of a version of Houserule");
                Err(trouble.help(help).into())
            }
        }
    }

    /// Parses an edition, such as `0.1`; `None` where the text is none.
    pub fn parse(text: &str) -> Option<Self> {
        let (major, minor) = text.split_once('.')?;
        let number = |digits: &str| {
            let is_plain =
                digits.bytes().all(|byte| byte.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
            digits.parse().ok().filter(|_| is_plain)
        };
        Some(Self { major: number(major)?, minor: number(minor)? })
    }
}

/// The line of a library's script that names its edition, up to the edition. It is among the first lines, which tell
/// what the library is for.
pub const LIBRARY_EDITION: &str = "//! houserule = ";

/// The edition of a library's script, which a line such as `//! houserule = "0.1"` names among its first lines;
/// [`UNSTATED`](Edition::UNSTATED) where there is no such line.
///
/// # Errors
/// The line names no edition that this program knows.
pub fn edition_of_library(source: &Arc<Source>) -> Result<Edition, Diagnostics> {
    let mut start = 0;
    for line in source.text.split_inclusive('\n') {
        if let Some(written) = line.trim_end().strip_prefix(LIBRARY_EDITION) {
            let begins = start + LIBRARY_EDITION.len();
            let place = |label: Message| Place::new(source, begins..begins + written.len(), label);
            let text = written.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(written);
            return Edition::known(text, place);
        }
        if !line.starts_with("//!") {
            break;
        }
        start += line.len();
    }
    Ok(Edition::UNSTATED)
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_current_edition_is_that_of_the_program() {
        let version = env!("CARGO_PKG_VERSION");
        assert!(version.starts_with(&format!("{}.", Edition::CURRENT)), "{version}");
    }

    #[test]
    fn an_edition_has_two_numbers() {
        assert_eq!(Edition::parse("0.1"), Some(Edition::CURRENT));
        assert_eq!(Edition::parse("12.30").map(|edition| edition.to_string()).as_deref(), Some("12.30"));
        assert!(Edition::parse("0.9") < Edition::parse("0.10"));
        for wrong in ["", "1", "0.1.0", "0.x", "00.1", "0.01", "+0.1", "0.-1", "0.99999"] {
            assert_eq!(Edition::parse(wrong), None, "{wrong}");
        }
    }
}
