//! Look-alike characters, which are typed or pasted in place of those of an English keyboard: full-width forms of a
//! Japanese keyboard, quotes and dashes of a word processor, letters of other alphabets that look like Latin ones.

use super::{Diagnostic, Place, Source, visible::is_treacherous};
use crate::catalogue::message;
use std::sync::Arc;

/// The ASCII characters `!` to `~`, in order; their full-width forms have the same order, from U+FF01 on.
const PRINTABLE_ASCII: &str =
    "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";

const IDEOGRAPHIC_SPACE: char = '\u{3000}';

/// Look-alike characters, with the ASCII text that each group is meant for. Full-width forms are not among them.
const LOOKALIKE_CHARACTERS: &[(&str, &str)] = &[
    ("“”„‟«»「」『』″‘’‚‛´′", "\""),
    ("‐‑‒–—―−﹣ーｰ", "-"),
    ("、､﹐", ","),
    ("。｡", "."),
    ("﹔", ";"),
    ("﹕", ":"),
    ("【〔〚", "["),
    ("】〕〛", "]"),
    ("×✕∗", "*"),
    ("÷⁄∕", "/"),
    ("≠", "!="),
    ("≤≦⩽", "<="),
    ("≥≧⩾", ">="),
    ("…‥", ".."),
    ("〜～", "..="),
    ("⇒→", "=>"),
    ("∧", "&&"),
    ("∨", "||"),
    ("¬", "!"),
    // Letters of the Greek and Cyrillic alphabets.
    ("АΑ", "A"),
    ("ВΒ", "B"),
    ("С", "C"),
    ("ЕΕ", "E"),
    ("НΗ", "H"),
    ("ІΙ", "I"),
    ("КΚ", "K"),
    ("МΜ", "M"),
    ("Ν", "N"),
    ("ОΟ", "O"),
    ("РΡ", "P"),
    ("ТΤ", "T"),
    ("ХΧ", "X"),
    ("Ζ", "Z"),
    ("а", "a"),
    ("с", "c"),
    ("е", "e"),
    ("і", "i"),
    ("ј", "j"),
    ("оο", "o"),
    ("р", "p"),
    ("ѕ", "s"),
    ("у", "y"),
    ("х", "x"),
];

/// Most look-alike characters of a file that are reported at once.
const MAX_REPORTED_STRAYS: usize = 8;

/// The ASCII character of a full-width form, and a blank for the ideographic space; any other character is unchanged.
pub fn half_width(character: char) -> char {
    match character {
        IDEOGRAPHIC_SPACE => ' ',
        _ => printed(character).and_then(|printed| printed.chars().next()).unwrap_or(character),
    }
}

/// A text with full-width forms turned into [half-width](half_width) ones; `None` where it has none.
pub fn in_half_width(text: &str) -> Option<String> {
    text.contains(|character| half_width(character) != character).then(|| text.chars().map(half_width).collect())
}

/// The ASCII character of a full-width form; `None` for any other character.
fn printed(character: char) -> Option<&'static str> {
    let place = u32::from(character).checked_sub(0xff01)? as usize;
    PRINTABLE_ASCII.get(place..=place)
}

/// The ASCII text that a look-alike character is meant for; `None` where that is not known.
fn meant(character: char) -> Option<&'static str> {
    let found = LOOKALIKE_CHARACTERS.iter().find(|(characters, _)| characters.contains(character));
    found.map(|(_, meant)| *meant).or_else(|| printed(character))
}

fn is_space(character: char) -> bool {
    !character.is_ascii() && character.is_whitespace()
}

/// Whether a character is none of ASCII, and typed or pasted for a quote.
pub fn is_quote(character: char) -> bool {
    !character.is_ascii() && matches!(meant(character), Some("\"" | "'" | "`"))
}

/// A piece of code that is written with characters that an English keyboard does not have.
#[derive(Debug, PartialEq, Eq)]
pub struct StrayCharacters<'t> {
    /// Byte at which the piece starts.
    pub at: usize,
    /// The characters of the piece.
    pub found: &'t str,
    /// The ASCII text that is meant, where that is known.
    pub meant: Option<String>,
}

/// The first piece of code with such characters from a byte on; `is_code` says whether a byte is outside of texts and
/// comments.
fn next_stray<'t>(text: &'t str, from: usize, is_code: &impl Fn(usize) -> bool) -> Option<StrayCharacters<'t>> {
    let rest = text.get(from..)?;
    let (start, first) = rest
        .char_indices()
        .map(|(at, letter)| (from + at, letter))
        .find(|(at, letter)| !letter.is_ascii() && is_code(*at))?;
    let is_word = |letter: char| letter.is_alphanumeric();
    let end = match is_word(first) {
        true => {
            text[start..].find(|letter| !is_word(letter) || letter.is_ascii()).map_or(text.len(), |end| start + end)
        }
        false => start + first.len_utf8(),
    };
    let found = &text[start..end];
    let known: Option<Vec<&str>> = found.chars().map(meant).collect();
    let meant = known.filter(|_| !is_space(first)).map(|known| known.concat());
    Some(StrayCharacters { at: start, found, meant })
}

/// The pieces of a file's code with characters that an English keyboard does not have, each of them once. A text
/// between quotes of a word processor is skipped.
pub fn strays<'t>(text: &'t str, is_code: impl Fn(usize) -> bool) -> Vec<StrayCharacters<'t>> {
    let mut strays: Vec<StrayCharacters<'t>> = Vec::new();
    let mut from = 0;
    while let Some(stray) = next_stray(text, from, &is_code) {
        from = stray.at + stray.found.len();
        if stray.found.chars().all(is_quote) {
            let line = text[from..].lines().next().unwrap_or_default();
            let closing = line.char_indices().find(|(_, letter)| is_quote(*letter) || *letter == '"');
            from += closing.map_or(0, |(at, letter)| at + letter.len_utf8());
        }
        if !strays.iter().any(|known| known.found == stray.found) {
            strays.push(stray);
        }
        if strays.len() == MAX_REPORTED_STRAYS {
            break;
        }
    }
    strays
}

impl StrayCharacters<'_> {
    /// Whether the piece has letters that are not meant for others.
    pub fn is_of_words(&self) -> bool {
        self.meant.is_none() && self.found.starts_with(char::is_alphanumeric)
    }

    /// The error that the piece cannot stand in code, with what to write. `start` is the byte of `source` at which the
    /// text begins that contains the piece.
    pub fn told(&self, source: &Arc<Source>, start: usize) -> Diagnostic {
        let Self { found, meant, .. } = self;
        let first = found.chars().next().unwrap_or_default();
        let number = format!("U+{:04X}", u32::from(first));
        let only = message!("characters such as {number} can only be in texts and comments");
        let error = match meant {
            Some(meant) => {
                Diagnostic::new(message!("`{found}` is not `{meant}`")).help(message!("write `{meant}`: {only}"))
            }
            None if is_space(first) && !is_treacherous(first) => {
                Diagnostic::new("this is not an ordinary space").help(message!("type an ordinary space: {only}"))
            }
            None if is_treacherous(first) => {
                Diagnostic::new(message!("there is an invisible character here: U+{:04X}", u32::from(first)))
                    .help("remove it")
            }
            None if self.is_of_words() => Diagnostic::new(message!("`{found}` cannot be a name here"))
                .help(message!("a name has the letters a to z, digits and `_`: {only}")),
            None => Diagnostic::new(message!("`{found}` does not belong here")).help(only),
        };
        let at = start + self.at;
        error.at(Place::new(source, at..at + found.len(), "here"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_width_forms_are_those_of_a_keyboard_and_nothing_else_is() {
        assert_eq!(in_half_width("ｕｎｄｏ　＃１；～｀").as_deref(), Some("undo #1;~`"));
        for text in ["undo #1", "カード", "ﾊｰﾂ", "“x”", "①", "㎏", ""] {
            assert_eq!(in_half_width(text), None, "{text}");
        }
        assert!((' '..='~').all(|letter| half_width(letter) == letter));
        assert_eq!(PRINTABLE_ASCII.len(), 94);
    }

    #[test]
    fn strange_characters_of_code_are_found_once_each() {
        let found = |text| strays(text, |_| true).iter().map(told).collect::<Vec<_>>().join(" | ");
        fn told(stray: &StrayCharacters<'_>) -> String {
            format!("{} {} {}", stray.at, stray.found, stray.meant.as_deref().unwrap_or("?"))
        }
        assert_eq!(found("let a = 3;"), "");
        assert_eq!(found("a　＝　１０；b；"), "1 \u{3000} ? | 4 ＝ = | 10 １０ 10 | 16 ； ;");
        assert_eq!(found("note(“日本 × 2”) – 1 ― 2"), "5 “ \" | 24 – - | 30 ― -");
        assert_eq!(found("let сard = 手札.len"), "4 с c | 12 手札 ?");
        assert_eq!(found("カード – カー"), "0 カード ? | 10 – - | 14 カー ?");
        assert_eq!(found("3 ー 1"), "2 ー -");
    }

    #[test]
    fn what_is_meant_is_no_ascii_character_already() {
        let all = || LOOKALIKE_CHARACTERS.iter().flat_map(|(characters, _)| characters.chars());
        assert!(all().all(|letter| !letter.is_ascii()));
        assert_eq!(all().count(), all().collect::<crate::sorted::SortedSet<_>>().len());
    }
}
