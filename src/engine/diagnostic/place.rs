//! The texts that diagnostics quote, and places in them.

use super::{Diagnostic, Diagnostics};
use crate::catalogue::{Message, message};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// Largest file of rules that is read, in bytes: parsing a bigger script could take seconds, and no rulebook is that
/// long.
pub const MAX_SOURCE_BYTES: usize = 64 * 1024;

/// A text that diagnostics can quote: one file, or what was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Name of the text in messages: a path relative to where the person works, `--set`, or `eval`.
    pub name: String,
    /// The text itself, with `\n` line ends and without a byte order mark.
    pub text: String,
    /// Number of lines of the file before the text; 0 where the text is the whole file.
    pub lines_before: usize,
}

/// A range of a source, with a label.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The text that the place lies in.
    pub source: Arc<Source>,
    /// Range of bytes in the text; empty where only a point is known.
    pub span: Range<usize>,
    /// Words at the caret; may be empty.
    pub label: Message,
}

impl Source {
    /// A source of this name and text; the text is [cleaned](Source::clean).
    pub fn new(name: impl Into<String>, text: impl AsRef<str>) -> Arc<Source> {
        Arc::new(Source { name: name.into(), text: Source::clean(text.as_ref()).into_owned(), lines_before: 0 })
    }

    /// A source for a text that stands in a file after `lines_before` lines, character for character.
    pub fn within(name: impl Into<String>, lines_before: usize, text: impl Into<String>) -> Arc<Source> {
        Arc::new(Source { name: name.into(), text: text.into(), lines_before })
    }

    /// A source for the content of a file of at most `most` bytes, which messages call `name`.
    ///
    /// # Errors
    ///
    /// If there are more bytes, or they are not UTF-8.
    pub fn from_bytes(name: &str, bytes: Vec<u8>, most: u64) -> Result<Arc<Source>, Diagnostics> {
        if bytes.len() as u64 > most {
            return Err(Source::too_large(name, most).into());
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Source::new(name, text)),
            Err(error)
                if error.as_bytes().starts_with(&[0xff, 0xfe]) || error.as_bytes().starts_with(&[0xfe, 0xff]) =>
            {
                Err(Diagnostic::new(message!("`{name}` is UTF-16 text")).help("save it as UTF-8").into())
            }
            Err(error) => {
                let offset = error.utf8_error().valid_up_to();
                let message = message!(
                    "`{name}` is not UTF-8 text: the byte at offset {offset} is not part of a valid character"
                );
                let before = String::from_utf8_lossy(error.as_bytes().get(..offset).unwrap_or_default());
                let at = Source::clean(&before).len();
                let source = Source::new(name, String::from_utf8_lossy(error.as_bytes()));
                let place = Place::new(&source, at..at + char::REPLACEMENT_CHARACTER.len_utf8(), "here");
                Err(Diagnostic::new(message).at(place).help("save it as UTF-8").into())
            }
        }
    }

    /// The error that a file has more than `most` bytes.
    pub fn too_large(name: &str, most: u64) -> Diagnostic {
        Diagnostic::new(message!("`{name}` is larger than {} KiB", most / 1024))
    }

    /// The text in the form that every part of the host expects: no byte order mark at its start, and `
    /// ` for `\r
    /// `.
    pub fn clean(text: &str) -> Cow<'_, str> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.contains("\r\n") { Cow::Owned(text.replace("\r\n", "\n")) } else { Cow::Borrowed(text) }
    }

    /// Line and column of a byte, both counted from 1; the column counts characters.
    ///
    /// A byte beyond the end stands for the end, a byte within a character for that character.
    pub fn position(&self, byte: usize) -> (usize, usize) {
        let before = &self.text[..floor_boundary(&self.text, byte)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        (self.lines_before + line, before[line_start..].chars().count() + 1)
    }

    /// The byte at a line and column, both counted from 1: the opposite of [`position`](Source::position).
    ///
    /// A column beyond its line stands for the line's end, a line beyond the text for the text's end.
    pub fn offset(&self, line: usize, column: usize) -> usize {
        let Some(start) = self.line_start(line) else { return self.text.len() };
        let line = self.line(line);
        start + line.char_indices().nth(column.saturating_sub(1)).map_or(line.len(), |(byte, _)| byte)
    }

    /// The text of a line, counted from 1, without its line end; empty where there is no such line.
    pub fn line(&self, line: usize) -> &str {
        let rest = self.line_start(line).map_or("", |start| &self.text[start..]);
        rest.split('\n').next().unwrap_or("")
    }

    /// The byte at which a line, counted from 1, starts.
    fn line_start(&self, line: usize) -> Option<usize> {
        match line.saturating_sub(self.lines_before) {
            0 | 1 => Some(0),
            line => self.text.match_indices('\n').nth(line - 2).map(|(newline, _)| newline + 1),
        }
    }
}

impl Place {
    /// A place in `source`, with a label for the caret.
    pub fn new(source: &Arc<Source>, span: Range<usize>, label: impl Into<Message>) -> Place {
        Place { source: Arc::clone(source), span, label: label.into() }
    }

    /// The same place with another label.
    pub fn with_label(&self, label: impl Into<Message>) -> Place {
        Place { label: label.into(), ..self.clone() }
    }

    /// Line and column, both counted from 1, at which the place starts.
    pub fn position(&self) -> (usize, usize) {
        self.source.position(self.span.start)
    }
}

/// The last character boundary at or before `byte`.
pub(super) fn floor_boundary(text: &str, byte: usize) -> usize {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    byte
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_offsets_are_opposites() {
        let source = Source::new("f", "\u{feff}aé\r\n日本\n");
        assert_eq!(source.text, "aé\n日本\n");
        for (byte, position) in
            [(0, (1, 1)), (1, (1, 2)), (3, (1, 3)), (4, (2, 1)), (7, (2, 2)), (10, (2, 3)), (11, (3, 1))]
        {
            assert_eq!(source.position(byte), position, "byte {byte}");
            assert_eq!(source.offset(position.0, position.1), byte, "position {position:?}");
        }
        assert_eq!((source.position(99), source.offset(1, 99), source.offset(99, 1)), ((3, 1), 3, 11));
        assert_eq!((source.line(2), source.line(3), source.line(9), source.offset(0, 0)), ("日本", "", "", 0));
        let inner = Source::within("f", 7, source.text.clone());
        for byte in 0..=source.text.len() {
            let (line, column) = source.position(byte);
            assert_eq!(inner.position(byte), (line + 7, column));
            assert_eq!(inner.offset(line + 7, column), source.offset(line, column));
            assert_eq!(inner.line(line + 7), source.line(line));
        }
    }
}
