//! Texts of many lines in TOML, so that a person can read and compare them, and not one character is lost.

use crate::diagnostic::is_treacherous;

/// The TOML of a text. Its lines are lines of the file, from the one behind the opening quotes on.
pub(crate) fn to_toml(text: &str) -> String {
    let needs_escape = |character: char| character != '\n' && character != '\t' && is_treacherous(character);
    if text.contains("'''") || text.ends_with('\'') || text.chars().any(needs_escape) {
        escaped(text, needs_escape)
    } else {
        format!("'''\n{text}'''")
    }
}

/// The TOML of a short text, on one line.
pub(crate) fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// Whether what stands in a file for a text begins as [`to_toml`] writes it, with the text on the lines below.
pub(crate) fn begins_below(written: &str) -> bool {
    written.starts_with("'''\n") || written.starts_with("\"\"\"\n")
}

/// The text between `"""`, with as few escapes as possible.
fn escaped(text: &str, needs_escape: impl Fn(char) -> bool) -> String {
    let mut toml = String::with_capacity(text.len() + text.len() / 16 + 8);
    toml.push_str("\"\"\"\n");
    let mut quotes = 0;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        // Three quotes in a row would end the text, and so would the last one together with the end.
        quotes = if character == '"' { quotes + 1 } else { 0 };
        match character {
            '"' if quotes == 3 || characters.peek().is_none() => {
                toml.push_str("\\\"");
                quotes = 0;
            }
            '\\' => toml.push_str("\\\\"),
            character if needs_escape(character) => toml.push_str(&format!("\\U{:08x}", character as u32)),
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

    /// Letters that mean something to TOML, in any order.
    #[test]
    fn every_text_survives() {
        let letters = ['\'', '"', '\\', '\n', '\r', '\t', 'a', '\u{0}', '\u{feff}', '日', '#', 'u'];
        for number in 0..2000 {
            let mut chance = Stream::named(number, "letters", 0);
            let length = chance.below(16);
            survives(&(0..length).map(|_| letters[chance.below(letters.len())]).collect::<String>());
        }
    }
}
