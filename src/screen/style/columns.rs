//! Texts in terminal columns: how wide they are, and where they are cut, padded and folded.

use crate::diagnostic::visible;
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// The mark for text that was cut off.
pub(super) const ELLIPSIS: &str = "…";

/// The width of a text in terminal columns.
pub fn width(text: &str) -> usize {
    // Fast path: most texts are ASCII, without grapheme clusters to find.
    if text.is_ascii() && !text.bytes().any(|byte| byte.is_ascii_control()) {
        return text.len();
    }
    let plain: Option<usize> = text.chars().map(plain_width).sum();
    plain.unwrap_or_else(|| text.graphemes(true).map(|character| character.width()).sum())
}

/// The width of a letter that is a character by itself, whatever letter of this kind stands beside it; `None` for all that
/// may be joined to others, as accents and the parts of an emoji are. Of the letters that games are drawn with, few are.
fn plain_width(letter: char) -> Option<usize> {
    match letter {
        ' '..='~' | '·' | '×' | '–' | '—' | '‘'..='”' | '…' | '›' | '←'..='↓' | '─'..='╿' => {
            Some(1)
        }
        '、'..='】' | 'ぁ'..='ゖ' | 'ァ'..='ー' | '一'..='\u{9fff}' | '！'..='～' => Some(2),
        _ => None,
    }
}

/// Whether the width of two texts, one after the other, is the sum of their widths: no character is joined between them.
pub(super) fn stand_apart(left: &str, right: &str) -> bool {
    let is_plain = |letter: Option<char>| letter.is_none_or(|letter| plain_width(letter).is_some());
    is_plain(left.chars().next_back()) && is_plain(right.chars().next())
}

/// The text, cut to a number of columns; `…` replaces what was cut off.
pub fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let Some(room) = columns.checked_sub(1) else { return String::new() };
    start(text, room).trim_end().to_owned() + ELLIPSIS
}

/// The longest prefix of a text that fits into a number of columns.
pub(super) fn start(text: &str, columns: usize) -> &str {
    let mut used = 0;
    let mut plain = text.char_indices().map_while(|(place, letter)| Some((place, plain_width(letter)?)));
    if let Some((end, _)) = plain.find(|(_, width)| {
        used += width;
        used > columns
    }) {
        return text.get(..end).unwrap_or(text);
    }
    used = 0;
    let beyond = text.grapheme_indices(true).find(|(_, character)| {
        used += character.width();
        used > columns
    });
    beyond.and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

/// The end of a path that is too long, cut before a folder: the file and the line matter most.
pub fn ending(path: &str, room: usize) -> String {
    let mut rest = path;
    while width(rest) + 2 > room && width(path) > room {
        match rest.split_once('/') {
            Some((_, behind)) => rest = behind,
            None => break,
        }
    }
    if rest.len() == path.len() { path.to_owned() } else { format!("…/{rest}") }
}

/// The text padded with blanks on the right, to a width in columns.
pub fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", blanks_beside(text, columns))
}

/// The text padded with blanks on the left, to a width in columns.
pub fn pad_left(text: &str, columns: usize) -> String {
    format!("{}{text}", blanks_beside(text, columns))
}

fn blanks_beside(text: &str, columns: usize) -> String {
    " ".repeat(columns.saturating_sub(width(&visible(text))))
}

/// Characters that must not begin a line.
const NEVER_AT_LINE_START: &str = "、。，．・：；？！）」』】〉》〕”’ーぁぃぅぇぉっゃゅょァィゥェォッャュョ…";

/// Characters that must not end a line.
const OPENING: &str = "（「『【〈《〔“‘";

/// The parts of a word between which a line may end: behind wide characters, except around punctuation.
pub(in crate::screen) fn pieces(word: &str) -> Vec<&str> {
    if word.is_ascii() {
        return vec![word];
    }
    let mut pieces = Vec::new();
    let mut begin = 0;
    let mut before: Option<&str> = None;
    for (place, letter) in word.grapheme_indices(true) {
        let may_end = before.is_some_and(|before| {
            (before.width() == 2 || letter.width() == 2)
                && !OPENING.contains(before)
                && !NEVER_AT_LINE_START.contains(letter)
        });
        if may_end {
            pieces.push(&word[begin..place]);
            begin = place;
        }
        before = Some(letter);
    }
    pieces.push(&word[begin..]);
    pieces
}

/// A text split into pieces that fit into a number of columns, at blanks where possible. Nothing is lost.
pub fn folded(text: &str, columns: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while width(rest) > columns {
        let fitting = start(rest, columns);
        let blank = fitting.rfind(' ').filter(|&blank| !fitting[..blank].trim().is_empty());
        let (piece, behind) = rest.split_at(blank.map_or(fitting.len(), |blank| blank + 1));
        if piece.is_empty() {
            break;
        }
        pieces.push(piece);
        rest = behind;
    }
    pieces.push(rest);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::style::Line;

    #[test]
    fn text_is_cut_between_whole_characters() {
        assert_eq!(cut("columns", 7), "columns");
        assert_eq!(cut("columns", 5), "colu…");
        assert_eq!(cut("捨て札の山", 7), "捨て札…");
        assert_eq!(cut("捨て札の山", 6), "捨て…");
        assert_eq!(cut("👨‍👩‍👧 family", 3), "👨‍👩‍👧…");
        assert_eq!(cut("ときか\u{3099}いる", 7), "ときか\u{3099}…");
        assert_eq!(cut("ときか\u{3099}いる", 6), "とき…");
        assert_eq!(cut("anything", 1), "…");
        assert_eq!(cut("anything", 0), "");
    }

    #[test]
    fn texts_of_plain_letters_are_as_wide_as_their_characters() {
        let plain = ('\0'..=char::MAX).filter(|letter| plain_width(*letter).is_some());
        let texts = plain.map(|letter| format!("{letter}a{letter}か{letter}…{letter}"));
        for text in texts {
            let characters = || text.graphemes(true).map(|character| character.width());
            assert_eq!((width(&text), characters().count()), (characters().sum(), 7), "{text:?}");
        }
        for pair in (0..1 << 14).map(|number: u16| [(number >> 7) as u8, (number & 127) as u8]) {
            let text = String::from_utf8_lossy(&pair);
            assert_eq!(
                width(&text),
                text.graphemes(true).map(|character| character.width()).sum::<usize>(),
                "{text:?}"
            );
        }
    }

    #[test]
    fn a_folded_text_loses_nothing() {
        assert_eq!(folded("let card = one", 8), ["let ", "card = ", "one"]);
        assert_eq!(folded("    abcdefgh", 6), ["    ab", "cdefgh"]);
        assert_eq!(folded("列列", 1), ["列列"]);
        assert_eq!(folded("", 4), [""]);
    }

    #[test]
    fn padding_counts_what_will_be_shown() {
        assert_eq!(pad("列", 4), "列  ");
        assert_eq!(pad_left("12", 4), "  12");
        assert_eq!(Line::plain(pad("\u{202e}", 10)).width(), 10);
    }
}
