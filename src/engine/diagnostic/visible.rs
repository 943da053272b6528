//! Making texts of strangers harmless before they are shown.

use std::borrow::Cow;

/// Makes every character visible that could move the cursor, or hide or reorder other text.
///
/// Control characters become their pictures (`␛` for ESC, `␊` for a line end), bidirectional overrides and other
/// invisible characters become `\u{202e}`. Whatever comes from a file passes through here before it is shown.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !classify_chars(text).any(|(_, is_treacherous)| is_treacherous) {
        return Cow::Borrowed(text);
    }
    let mut seen = String::with_capacity(text.len() + 16);
    for (character, is_treacherous) in classify_chars(text) {
        match character {
            '\0'..='\x1f' | '\x7f' => seen.push(picture(character)),
            _ if is_treacherous => seen.extend(character.escape_unicode()),
            _ => seen.push(character),
        }
    }
    Cow::Owned(seen)
}

/// A text for HTML and SVG that shows nothing but itself: a character that could act is shown by its picture or number,
/// and markup is escaped.
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

/// A text as a TOML string, on one line. A character that could hide or reorder other text is written by its number:
/// people read and copy such strings in a mail.
pub fn toml_string(text: &str) -> String {
    let mut toml = "\"".to_owned();
    for (character, is_treacherous) in classify_chars(text) {
        match character {
            '"' | '\\' => toml.extend(['\\', character]),
            _ if is_treacherous => toml.push_str(&toml_escape(character)),
            _ => toml.push(character),
        }
    }
    toml + "\""
}

/// A character as a TOML escape: `\U0000202e`.
pub fn toml_escape(character: char) -> String {
    format!("\\U{:08x}", u32::from(character))
}

/// The picture of a control character: `␛` for ESC.
pub(super) fn picture(character: char) -> char {
    match character {
        '\0'..='\x1f' => char::from_u32(0x2400 + character as u32).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\x7f' => '\u{2421}',
        _ => character,
    }
}

/// Each character of a text, and whether it is [treacherous](is_treacherous) where it stands. The joiners and variation
/// selectors of an emoji are not.
pub fn classify_chars(text: &str) -> impl Iterator<Item = (char, bool)> {
    let mut characters = text.chars().peekable();
    let mut before = PrecedingChar::Other;
    std::iter::from_fn(move || {
        let character = characters.next()?;
        let joins = match (character, before) {
            ('\u{fe0e}' | '\u{fe0f}', PrecedingChar::Emoji) => true,
            ('\u{200d}', PrecedingChar::Emoji | PrecedingChar::Styled) => {
                characters.peek().copied().is_some_and(is_emoji)
            }
            _ => false,
        };
        before = match character {
            _ if is_emoji(character) => PrecedingChar::Emoji,
            '\u{fe0e}' | '\u{fe0f}' if joins => PrecedingChar::Styled,
            _ => PrecedingChar::Other,
        };
        Some((character, !joins && is_treacherous(character)))
    })
}

/// The kind of the character before another one.
#[derive(Clone, Copy)]
enum PrecedingChar {
    Emoji,
    /// An emoji with a variation selector, which says whether it is drawn in colours.
    Styled,
    Other,
}

/// Whether a character can be part of an emoji that is made of several.
fn is_emoji(character: char) -> bool {
    matches!(
        character,
        '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}' | '\u{25a0}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}'
        | '\u{1f000}'..='\u{1faff}'
    )
}

/// Whether a character can move the cursor, cannot be seen, or hides or reorders other text: controls, what Unicode
/// calls Default_Ignorable_Code_Point, and the marks of line ends and annotations.
pub fn is_treacherous(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_that_cannot_be_seen_is_made_visible() {
        let ranges = [
            (0x00, 0x1f),
            (0x7f, 0x9f),
            (0xad, 0xad),
            (0x34f, 0x34f),
            (0x61c, 0x61c),
            (0x115f, 0x1160),
            (0x17b4, 0x17b5),
            (0x180b, 0x180f),
            (0x200b, 0x200f),
            (0x2028, 0x202e),
            (0x2060, 0x206f),
            (0x3164, 0x3164),
            (0xfe00, 0xfe0f),
            (0xfeff, 0xfeff),
            (0xffa0, 0xffa0),
            (0xfff0, 0xfffb),
            (0x1bca0, 0x1bca3),
            (0x1d173, 0x1d17a),
            (0xe0000, 0xe0fff),
        ];
        for character in ranges.into_iter().flat_map(|(first, last)| first..=last).filter_map(char::from_u32) {
            let shown = visible(&format!("a{character}b")).into_owned();
            assert!(shown.len() > 3 && !shown.contains(character), "{character:?}: {shown}");
            assert!(matches!(visible(&shown), Cow::Borrowed(_)), "what is visible stays as it is: {shown}");
        }
        let plain = "♠4 ク 🂡 場 é e\u{301} \u{a0}|\u{3000}| ─ ﾡ";
        assert_eq!(visible(plain), plain);
    }

    #[test]
    fn emoji_keep_what_joins_them_and_nothing_else_hides_in_them() {
        for emoji in ["👩\u{200d}👩\u{200d}👧", "♠\u{fe0f}", "🏳\u{fe0f}\u{200d}🌈", "👍🏽", "⛹🏽\u{200d}♂\u{fe0f}"]
        {
            assert_eq!(visible(emoji), emoji);
        }
        for (hidden, shown) in [
            ("a\u{200d}b", "a\\u{200d}b"),
            ("👩\u{200d}", "👩\\u{200d}"),
            ("👩\u{200d}\u{200d}👧", "👩\\u{200d}\\u{200d}👧"),
            ("♠\u{fe0f}\u{fe0e}", "♠\u{fe0f}\\u{fe0e}"),
            ("♠\u{fe01}", "♠\\u{fe01}"),
            ("a\u{fe0f}", "a\\u{fe0f}"),
        ] {
            assert_eq!(visible(hidden), shown);
        }
    }
}
