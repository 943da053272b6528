//! Multi-line texts in TOML, readable and diffable, without the loss of a single character.

use crate::diagnostic::{classify_chars, toml_escape, toml_string};

/// The TOML of a text. Its lines are lines of the file, from the one after the opening quotes on.
pub fn to_toml(text: &str) -> String {
    if text.contains("'''") || text.ends_with('\'') || to_escape(text).any(|(_, needs_escape)| needs_escape) {
        escaped(text)
    } else {
        format!("'''\n{text}'''")
    }
}

/// The TOML of a short text, on one line. Characters that could hide or reorder other text are escaped, because people
/// read and copy the result in mails.
pub fn quoted(text: &str) -> String {
    if !classify_chars(text).any(|(_, is_treacherous)| is_treacherous) {
        return toml::Value::String(text.to_owned()).to_string();
    }
    toml_string(text)
}

/// Each character of a multi-line text, and whether it has to be escaped.
fn to_escape(text: &str) -> impl Iterator<Item = (char, bool)> {
    classify_chars(text)
        .map(|(character, is_treacherous)| (character, is_treacherous && !matches!(character, '\n' | '\t')))
}

/// Whether the written form of a text begins as [`to_toml`] writes it, with the text on the lines below.
pub fn begins_below(written: &str) -> bool {
    written.starts_with("'''\n") || written.starts_with("\"\"\"\n")
}

/// The text in `"""`, with as few escapes as possible.
fn escaped(text: &str) -> String {
    let mut toml = String::with_capacity(text.len() + text.len() / 16 + 8);
    toml.push_str("\"\"\"\n");
    let mut quotes = 0;
    let mut characters = to_escape(text).peekable();
    while let Some((character, needs_escape)) = characters.next() {
        // Three quotes in a row would end the text, and so would a last quote before the closing ones.
        quotes = if character == '"' { quotes + 1 } else { 0 };
        match character {
            '"' if quotes == 3 || characters.peek().is_none() => {
                toml.push_str("\\\"");
                quotes = 0;
            }
            '\\' => toml.push_str("\\\\"),
            character if needs_escape => toml.push_str(&toml_escape(character)),
            character => toml.push(character),
        }
    }
    toml.push_str("\"\"\"");
    toml
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::chance::Stream;

    #[track_caller]
    fn survives(text: &str) -> String {
        let toml = to_toml(text);
        let read: toml::Table = format!("text = {toml}\n").parse().unwrap_or_default();
        assert_eq!(read.get("text").and_then(toml::Value::as_str), Some(text), "{toml}");
        let lines = |text: &str| text.matches('\n').count();
        assert_eq!(lines(&toml), lines(text) + 1, "its lines are lines of the file: {toml}");
        assert!(begins_below(&toml), "{toml}");
        toml
    }

    #[test]
    fn plain_texts_stand_as_they_are() {
        assert_eq!(survives("fn x() { \"\\n\" }\n"), "'''\nfn x() { \"\\n\" }\n'''");
        assert_eq!(survives(""), "'''\n'''");
        assert_eq!(survives("日本\n\n"), "'''\n日本\n\n'''");
    }

    #[test]
    fn quotes_and_control_characters_survive() {
        assert_eq!(survives("rhai = '''\nlet a = \"\";\n'''\n"), "\"\"\"\nrhai = '''\nlet a = \"\";\n'''\n\"\"\"");
        assert_eq!(survives("'"), "\"\"\"\n'\"\"\"");
        for text in
            ["'''\"\"\"", "''' \"", "'''\"\"\"\"\"\"\"", "''' \\", "\r", "\u{0}\u{7f}\u{9b}\u{202e}", "'''\\u0041"]
        {
            survives(text);
        }
    }

    /// Characters special to TOML and invisible ones, in any order.
    #[test]
    fn every_text_survives() {
        let letters = "'\"\\\n\r\ta\u{0}\u{feff}日#u\u{ad}\u{3164}\u{fe0f}♠\u{200d}".chars().collect::<Vec<_>>();
        for number in 0..2000 {
            let mut chance = Stream::named(number, "letters", 0);
            let length = chance.below(16);
            let text = (0..length).map(|_| letters[chance.below(letters.len())]).collect::<String>();
            let toml = survives(&text);
            assert!(!to_escape(&toml).any(|(_, needs_escape)| needs_escape), "{toml:?}");
            let toml = quoted(&text);
            let read: toml::Table = format!("text = {toml}\n").parse().unwrap_or_default();
            assert_eq!(read.get("text").and_then(toml::Value::as_str), Some(&*text), "{toml}");
            assert!(!classify_chars(&toml).any(|(_, is_treacherous)| is_treacherous), "{toml:?}");
        }
    }

    #[test]
    fn what_nobody_sees_is_written_by_its_number() {
        assert_eq!(quoted("a\u{202e}\u{1b}\"b"), "\"a\\U0000202e\\U0000001b\\\"b\"");
        assert_eq!(quoted("♠\u{fe0f} ク"), "\"♠\u{fe0f} ク\"");
        assert_eq!(to_toml("// a\u{ad}b\n"), "\"\"\"\n// a\\U000000adb\n\"\"\"");
    }
}
