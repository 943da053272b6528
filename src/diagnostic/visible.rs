//! Texts of strangers made harmless.

use std::borrow::Cow;

/// The text with every character made visible that could move the cursor, hide or reorder other text.
///
/// Control characters become their pictures (`␛` for ESC, `␊` for a line end), bidirectional overrides and other
/// invisible characters become `\u{202e}`. Whatever comes from a file passes through here before it is shown.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_treacherous) {
        return Cow::Borrowed(text);
    }
    let mut seen = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '\0'..='\x1f' | '\x7f' => seen.push(picture(character)),
            _ if is_treacherous(character) => seen.extend(character.escape_unicode()),
            _ => seen.push(character),
        }
    }
    Cow::Owned(seen)
}

/// A text that says nothing but itself in HTML and SVG: a character that could act is shown by its picture or number, and markup is escaped.
pub fn visible_in_html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in visible(text).chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// The picture of a control character: `␛` for ESC.
pub(super) fn picture(character: char) -> char {
    match character {
        '\0'..='\x1f' => char::from_u32(0x2400 + character as u32).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\x7f' => '\u{2421}',
        _ => character,
    }
}

/// Whether a character can move the cursor, hide or reorder other text. The joiners that emoji are made with cannot.
pub(crate) fn is_treacherous(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{2060}' | '\u{feff}'
            | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}' | '\u{e0000}'..='\u{e007f}'
        )
}
