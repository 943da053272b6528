//! JSON output: traces, and every report with `--json`.
//!
//! The output quotes what strangers wrote into their rules. So every character that could act on a terminal, hide or
//! reorder text is written as an escape, the joiners of emoji among them; a reader of JSON gets the same text.

use crate::diagnostic::is_treacherous;
use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};
use std::io::{self, Write};

/// A value as one line of JSON, without a line end.
pub fn text(value: &Value) -> String {
    let mut bytes = Vec::new();
    // Neither writing to a `Vec` nor serialising a value of JSON can fail.
    let _ = write(&mut bytes, value);
    String::from_utf8(bytes).unwrap_or_default()
}

/// Writes a value without blanks and line ends between its parts.
///
/// # Errors
/// Writing to `out` failed.
pub fn write(out: &mut impl Write, value: &Value) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(out, EscapingFormatter(CompactFormatter))).map_err(io::Error::from)
}

/// A compact format that escapes more characters than JSON requires: all that could act on a terminal.
struct EscapingFormatter(CompactFormatter);

impl Formatter for EscapingFormatter {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((start, character)) = rest.char_indices().find(|(_, character)| is_treacherous(*character)) {
            self.0.write_string_fragment(out, &rest[..start])?;
            for unit in character.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = &rest[start + character.len_utf8()..];
        }
        self.0.write_string_fragment(out, rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_acts_on_a_terminal_is_escaped_and_reads_the_same() {
        let hostile = "\u{0}\u{7}\n\u{1b}[2J\u{7f}\u{80}\u{9b}\u{85}\u{61c}\u{34f}\u{200b}\u{200d}\u{200f}\u{2028}\u{2029}\u{202e}\u{2066}\u{fe0f}\u{feff}\u{e0041}\u{1d173}";
        let value = json!({ hostile: [hostile, {"plain": "♠4 ク 🂡 \"\\\""}] });
        let written = text(&value);
        assert!(written.contains("♠4 ク 🂡 \\\"\\\\\\\""), "{written}");
        assert!(written.contains("\\u009b") && written.contains("\\u202e") && written.contains("\\u007f"), "{written}");
        assert!(written.contains("\\udb40\\udc41"), "beyond the first plane there are two escapes: {written}");
        assert_eq!(written.chars().find(|character| is_treacherous(*character)), None, "{written:?}");
        assert_eq!(serde_json::from_str::<Value>(&written).ok(), Some(value));
    }

    #[test]
    fn ordinary_text_is_written_as_it_always_was() {
        let value = json!({"label": "♥10", "ja": "場", "list": [1, -2.5, true, null, ""]});
        assert_eq!(text(&value), value.to_string());
    }
}
