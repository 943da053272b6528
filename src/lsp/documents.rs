//! Open documents of the client, and positions in them.
//!
//! The core counts bytes, in texts with `\n` at the end of each line. A client counts lines and, within them, units of
//! UTF-16, or of UTF-8 if both sides agree on that; its lines end as in the file.

use serde_json::{Value as Json, json};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The client's unit of positions within a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes of UTF-8.
    Utf8,
    /// Code units of UTF-16, which every client supports.
    Utf16,
}

impl Encoding {
    /// The name in the protocol.
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16 => "utf-16",
        }
    }

    fn width(self, letter: char) -> usize {
        match self {
            Self::Utf8 => letter.len_utf8(),
            Self::Utf16 => letter.len_utf16(),
        }
    }
}

const BYTE_ORDER_MARK: char = '\u{feff}';

/// An open document.
#[derive(Clone, Debug)]
pub struct Document {
    /// The URI, as the client writes it.
    pub uri: String,
    /// The path of the file.
    pub path: PathBuf,
    /// The version number that the client gave the last change; `None` for a file that the client has not opened.
    pub version: Option<i64>,
    /// The text, with line ends unchanged.
    pub text: String,
    /// Whether a byte order mark precedes the text.
    pub has_mark: bool,
}

impl Document {
    /// Applies a change of a range or of everything. A range is clamped to the text.
    pub fn change(&mut self, change: &Json, encoding: Encoding) {
        let Some(text) = change.get("text").and_then(Json::as_str) else { return };
        match change.get("range").filter(|range| range.is_object()) {
            Some(range) => {
                let lines = self.lines(&self.text, encoding);
                let (start, end) = (lines.offset(&range["start"]), lines.offset(&range["end"]));
                let (start, end) = (start.min(end), start.max(end));
                self.text.replace_range(start..end, text);
            }
            None => self.take_text(text),
        }
    }

    /// Sets the text. A byte order mark is cut off, but counts for positions in the first line.
    pub fn take_text(&mut self, text: &str) {
        self.has_mark = text.starts_with(BYTE_ORDER_MARK);
        text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text).clone_into(&mut self.text);
    }

    /// The lines of `text`, which is the document's text or the same with other line ends.
    pub fn lines<'t>(&self, text: &'t str, encoding: Encoding) -> Lines<'t> {
        let before = if self.has_mark { encoding.width(BYTE_ORDER_MARK) } else { 0 };
        Lines { before, ..Lines::new(text, encoding) }
    }
}

/// A text with the offsets of its lines.
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
    encoding: Encoding,
    /// The units before the first line: those of a byte order mark.
    before: usize,
}

impl<'t> Lines<'t> {
    /// The lines of a text without a byte order mark.
    pub fn new(text: &'t str, encoding: Encoding) -> Self {
        let bytes = text.as_bytes();
        let is_end = |at: usize| bytes[at] == b'\n' || bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
        let starts = std::iter::once(0).chain((0..bytes.len()).filter(|&at| is_end(at)).map(|at| at + 1)).collect();
        Self { text, starts, encoding, before: 0 }
    }

    /// The byte offset of a position; one outside the text is clamped.
    pub fn offset(&self, position: &Json) -> usize {
        let number = |key: &str| {
            position.get(key).and_then(Json::as_u64).map_or(0, |number| number.min(u64::from(u32::MAX)) as usize)
        };
        let Some(&start) = self.starts.get(number("line")) else { return self.text.len() };
        let mut left = number("character").saturating_sub(if start == 0 { self.before } else { 0 });
        let mut at = start;
        for letter in self.text[start..].chars().take_while(|letter| !matches!(letter, '\n' | '\r')) {
            let width = self.encoding.width(letter);
            if left < width {
                break;
            }
            left -= width;
            at += letter.len_utf8();
        }
        at
    }

    /// The line and the unit within it, both from 0, of a byte offset.
    pub fn line_and_unit(&self, offset: usize) -> (usize, usize) {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let before = &self.text[self.starts.get(line).copied().unwrap_or(0)..offset];
        let units: usize = before.chars().map(|letter| self.encoding.width(letter)).sum();
        (line, units + if line == 0 { self.before } else { 0 })
    }

    /// The position of a byte offset.
    pub fn position(&self, offset: usize) -> Json {
        let (line, character) = self.line_and_unit(offset);
        json!({ "line": line, "character": character })
    }

    /// The range of a span of bytes.
    pub fn range(&self, span: &Range<usize>) -> Json {
        json!({ "start": self.position(span.start), "end": self.position(span.end.max(span.start)) })
    }

    /// The length of a span of bytes in the client's units.
    pub fn units(&self, span: &Range<usize>) -> usize {
        self.text.get(span.clone()).map_or(0, |text| text.chars().map(|letter| self.encoding.width(letter)).sum())
    }
}

/// The path of a `file:` URI; `None` for any other.
pub fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let bytes = rest.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let hex = |digit: usize| bytes.get(digit).and_then(|byte| (*byte as char).to_digit(16));
        match (byte, hex(at + 1), hex(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                decoded.push((high * 16 + low) as u8);
                at += 3;
            }
            _ => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    let path = String::from_utf8(decoded).ok()?;
    let has_drive = path.as_bytes().get(2) == Some(&b':');
    Some(PathBuf::from(if cfg!(windows) && has_drive { &path[1..] } else { &path }))
}

/// The `file:` URI of a path.
pub fn uri_of(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let name = crate::files::path_name(&path);
    let mut uri = String::from(if name.starts_with('/') { "file://" } else { "file:///" });
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(byte as char),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: usize, character: usize) -> Json {
        json!({ "line": line, "character": character })
    }

    #[test]
    fn positions_count_units_of_what_was_agreed_on() {
        let text = "a\r\n日本🎴x\rb";
        let wide = Lines::new(text, Encoding::Utf16);
        for (offset, position) in
            [(0, (0, 0)), (3, (1, 0)), (6, (1, 1)), (13, (1, 4)), (14, (1, 5)), (15, (2, 0)), (16, (2, 1))]
        {
            assert_eq!(wide.line_and_unit(offset), position, "{offset}");
            assert_eq!(wide.offset(&at(position.0, position.1)), offset);
        }
        let narrow = Lines::new(text, Encoding::Utf8);
        assert_eq!((narrow.line_and_unit(13), narrow.offset(&at(1, 10))), ((1, 10), 13));
    }

    #[test]
    fn positions_that_are_nowhere_are_the_nearest_that_are() {
        let text = "ab\n🎴c\n";
        let lines = Lines::new(text, Encoding::Utf16);
        assert_eq!(lines.offset(&at(0, 99)), 2);
        assert_eq!(lines.offset(&at(99, 0)), text.len());
        assert_eq!(lines.offset(&at(1, 1)), 3, "in the middle of a character");
        assert_eq!(lines.offset(&json!({ "line": -1, "character": "x" })), 0);
        assert_eq!(lines.offset(&Json::Null), 0);
        let mut document = Document {
            uri: String::new(),
            path: PathBuf::new(),
            version: None,
            text: text.to_owned(),
            has_mark: false,
        };
        document.change(&json!({ "range": { "start": at(9, 9), "end": at(0, 1) }, "text": "x" }), Encoding::Utf16);
        assert_eq!(document.text, "ax");
        document.change(&json!({ "range": null, "text": "日" }), Encoding::Utf16);
        document.change(&json!({ "text": 3 }), Encoding::Utf16);
        assert_eq!(document.text, "日");
        document.change(&json!({ "text": "\u{feff}ab\ncd" }), Encoding::Utf16);
        assert_eq!(
            document.lines(&document.text, Encoding::Utf16).range(&(0..4)),
            json!({ "start": at(0, 1), "end": at(1, 1) })
        );
        document.change(&json!({ "range": { "start": at(0, 2), "end": at(1, 1) }, "text": "x" }), Encoding::Utf16);
        assert_eq!(document.text, "axd");
    }

    #[cfg(unix)]
    #[test]
    fn addresses_are_paths() {
        for (uri, path) in [("file:///a/b%20c/%E6%97%A5.toml", "/a/b c/日.toml"), ("file:///a/x.rhai", "/a/x.rhai")] {
            assert_eq!(path_of(uri), Some(path.into()));
            assert_eq!(uri_of(Path::new(path)), uri);
        }
        assert_eq!(path_of("file://localhost/a%zz"), Some("/a%zz".into()));
        for none in ["untitled:1", "file:///%ff", ""] {
            assert_eq!(path_of(none), None, "{none}");
        }
    }
}
