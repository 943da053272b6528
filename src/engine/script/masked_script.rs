//! Examines a script before it is parsed: which bytes are code, and which brackets, texts and comments are never
//! closed.
//!
//! The parser does not report a comment that is never closed, turns numbers that are too large into negative ones, and
//! stops at the first unknown character. This module reports such mistakes.

use crate::diagnostic::{Diagnostic, Place, Source, half_width, message, strays};
use crate::script::tokens::{Token, TokenKind, comment_length, is_in_name, opens_value, pieces};
use std::ops::Range;
use std::sync::Arc;

/// The delimiters of a comment that can go over several lines.
const COMMENT_DELIMITERS: (&str, &str) = ("/*", "*/");

/// The byte that masks each byte of a text.
const TEXT_MASK: u8 = b'"';

/// A script with its texts and comments masked, so that only code remains.
pub struct MaskedScript {
    /// The script, byte for byte, with blanks for comments and `"` for texts.
    pub code: String,
    /// The brackets, texts and comments that are open at the end, the outermost first.
    pub open: Vec<UnclosedDelimiter>,
    /// Byte offset of the last `/*` inside a comment that is not closed; `None` where there is none.
    inner_comment: Option<usize>,
}

/// A bracket, text, value in a text, or comment that is not closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnclosedDelimiter {
    /// Byte offset of its beginning.
    pub at: usize,
    /// The kind: a bracket, a backtick, `$` for `${`, or `*` for a comment.
    pub sign: char,
}

impl MaskedScript {
    /// Masks the texts and comments of a script.
    pub fn of(text: &str) -> Self {
        let mut surface = Self { code: String::new(), open: Vec::new(), inner_comment: None };
        let mut masked = text.as_bytes().to_vec();
        for token in pieces(text) {
            let mask = surface.take(token, &text[token.span()]);
            for byte in masked[token.span()].iter_mut().filter(|byte| mask == Some(TEXT_MASK) || **byte != b'\n') {
                *byte = mask.unwrap_or(*byte);
            }
        }
        // Every byte of a character is masked alike, so this is valid UTF-8.
        surface.code = String::from_utf8(masked).unwrap_or_default();
        surface
    }

    /// Records what a token opens and closes; returns the byte that masks it, or `None` if the token is code.
    fn take(&mut self, token: Token, written: &str) -> Option<u8> {
        match token.kind {
            TokenKind::Comment | TokenKind::Doc => Some(b' '),
            TokenKind::BlockComment => {
                if comment_length(written).is_none() {
                    self.open.push(UnclosedDelimiter { at: token.start, sign: '*' });
                    self.inner_comment = written[2..].rfind(COMMENT_DELIMITERS.0).map(|at| token.start + 2 + at);
                }
                Some(b' ')
            }
            TokenKind::Text => Some(TEXT_MASK),
            TokenKind::Template => {
                match written.starts_with('`') {
                    true => self.open.push(UnclosedDelimiter { at: token.start, sign: '`' }),
                    false => drop(self.open.pop()),
                }
                match opens_value(written) {
                    true => self.open.push(UnclosedDelimiter { at: token.end - 2, sign: '$' }),
                    // Doubled backticks belong to the text.
                    false if written[1..].bytes().rev().take_while(|byte| *byte == b'`').count() % 2 == 1 => {
                        self.open.pop();
                    }
                    false => {}
                }
                Some(TEXT_MASK)
            }
            TokenKind::Sign => {
                match written.chars().next_back() {
                    Some(sign @ ('(' | '[' | '{')) => self.open.push(UnclosedDelimiter { at: token.end - 1, sign }),
                    Some(')' | ']' | '}') => drop(self.open.pop()),
                    _ => {}
                }
                None
            }
            _ => None,
        }
    }

    /// Whether a character outside ASCII at a byte is code; false for ASCII characters.
    fn is_code(&self, at: usize) -> bool {
        self.code.as_bytes().get(at).is_some_and(|byte| !byte.is_ascii())
    }
}

/// A script whose code has [half-width](half_width) forms; texts and comments stay as they are.
pub fn in_half_width_code(text: &str) -> String {
    let surface = MaskedScript::of(text);
    let letters = text.char_indices();
    letters.map(|(at, letter)| if surface.is_code(at) { half_width(letter) } else { letter }).collect()
}

/// The mistakes in a script that the parser does not report; `text` begins at byte `start` of `source`.
pub fn lexical_errors(text: &str, source: &Arc<Source>, start: usize) -> Vec<Diagnostic> {
    let place =
        |span: Range<usize>, label: &'static str| Place::new(source, start + span.start..start + span.end, label);
    if let Some(at) = lone_return(text) {
        let error = Diagnostic::new("a carriage return stands in a comment, and ends no line");
        let error = error.at(place(at..at + 1, "what stands behind it would be code, and look like a comment"));
        return vec![
            error.help("remove it, or end the line there: with a line feed, or a carriage return and a line feed"),
        ];
    }
    let surface = MaskedScript::of(text);
    if let Some(comment) = surface.open.iter().find(|open| open.sign == '*') {
        return vec![open_comment(comment.at, surface.inner_comment, &place)];
    }
    if let Some(at) = surface.code.find(COMMENT_DELIMITERS.1) {
        let error = Diagnostic::new("this `*/` closes no comment").at(place(at..at + 2, "no comment is open here"));
        return vec![error.help("remove it, or begin the comment with `/*`")];
    }
    let strays = strays(text, |at| surface.is_code(at));
    if !strays.is_empty() {
        return strays.iter().map(|stray| stray.told(source, start)).collect();
    }
    let numbers = numbers(&surface.code);
    numbers.filter_map(|(at, number)| wrong_number(number, place(at..at + number.len(), "here"))).collect()
}

/// Byte offset of the first carriage return in a comment that ends no line and has code behind it. The parser ends the
/// comment there, and everything that shows the script goes on to the end of the line. Elsewhere it is a blank to both.
fn lone_return(text: &str) -> Option<usize> {
    // Most scripts have none, and need not be read once more.
    if !text.contains('\r') {
        return None;
    }
    let is_line = |token: &Token| matches!(token.kind, TokenKind::Comment | TokenKind::Doc);
    pieces(text).into_iter().filter(is_line).find_map(|comment| {
        // The line feed behind a comment is not part of it.
        let at = comment.start + text.get(comment.span())?.find('\r')?;
        let hidden = text.get(at..comment.span().end)?;
        (!hidden.trim().is_empty()).then_some(at)
    })
}

/// The error for a comment that is never closed; `inner` is the start of a comment inside it.
fn open_comment(at: usize, inner: Option<usize>, place: &impl Fn(Range<usize>, &'static str) -> Place) -> Diagnostic {
    let error = Diagnostic::new("a comment is not closed").at(place(at..at + 2, "it begins here"));
    match inner {
        Some(inner) => error
            .related(place(inner..inner + 2, "a comment inside it, which needs a `*/` of its own"))
            .help("comments can be inside each other: write as many `*/` as `/*`"),
        None => error.help("`/*` needs a `*/`; a comment of one line begins with `//`"),
    }
}

/// Words of code that begin with a digit, with their byte offsets.
fn numbers(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + code[from..].find(is_in_name)?;
        from = code[start..].find(|letter| !is_in_name(letter)).map_or(code.len(), |end| start + end);
        Some((start, &code[start..from]))
    })
    .filter(|(_, word)| word.starts_with(|first: char| first.is_ascii_digit()))
}

/// The error for a whole number that the parser would misread; `None` where the number is valid.
fn wrong_number(number: &str, place: Place) -> Option<Diagnostic> {
    let radix = match number.as_bytes().get(1).map(u8::to_ascii_lowercase) {
        Some(b'x') if number.starts_with('0') => 16,
        Some(b'o') if number.starts_with('0') => 8,
        Some(b'b') if number.starts_with('0') => 2,
        _ => {
            let rest = number.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '_');
            let is_power = || {
                let power = rest.trim_start_matches(['e', 'E']);
                rest.len() == power.len() + 1 && power.chars().all(|letter| letter.is_ascii_digit() || letter == '_')
            };
            if rest.is_empty() || is_power() {
                return None;
            }
            let digits = &number[..number.len() - rest.len()];
            let help = message!("a name begins with a letter; a product is written `{digits} * {rest}`");
            return Some(Diagnostic::new(message!("`{number}` is not a number")).at(place).help(help));
        }
    };
    let digits: String = number[2..].chars().filter(|letter| *letter != '_').collect();
    if digits.is_empty() || !digits.chars().all(|letter| letter.is_digit(radix)) {
        let help = match radix {
            16 => "behind `0x` are the digits 0 to 9 and a to f",
            8 => "behind `0o` are the digits 0 to 7",
            _ => "behind `0b` are the digits 0 and 1",
        };
        return Some(Diagnostic::new(message!("`{number}` is not a number")).at(place).help(help));
    }
    let help = message!("numbers go from {} to {}", i64::MIN, i64::MAX);
    i64::from_str_radix(&digits, radix).err().map(|_| Diagnostic::new("the number is too large").at(place).help(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_comments_are_apart_from_code() {
        for (text, code) in [
            ("a /* b */ c", "a         c"),
            ("a // b\nc", "a     \nc"),
            ("a /* b /* c */ d */ e", "a                   e"),
            ("a /** b\n * c */ d", "a      \n        d"),
            ("f(\"/* \\\" */\", 'b')", "f(\"\"\"\"\"\"\"\"\"\", \"\"\")"),
            ("`a ${b + `c`} d` e", "\"\"\"\"\"b + \"\"\"\"\"\"\" e"),
            ("#\"a\" \\\"# b", "\"\"\"\"\"\"\"\" b"),
            ("\"日\" 本", "\"\"\"\"\" 本"),
            ("\"a\nb /* c */", "\"\"\nb        "),
        ] {
            assert_eq!(MaskedScript::of(text).code, code, "{text}");
        }
    }

    #[test]
    fn what_is_not_closed_is_open_at_the_end() {
        let open = |text| MaskedScript::of(text).open.iter().map(|open| (open.at, open.sign)).collect::<Vec<_>>();
        assert_eq!(open("players.map(|p| {"), [(11, '('), (16, '{')]);
        assert_eq!(open("`${players.map(|p| `"), [(0, '`'), (1, '$'), (14, '('), (19, '`')]);
        assert_eq!(open("a /* not yet"), [(2, '*')]);
        assert_eq!(open("a /* one /* two */"), [(2, '*')]);
        assert_eq!(open("\"((\\\"\" + `{${[1][0]}` // ("), []);
        assert_eq!(open("1 + 2)"), []);
        assert_eq!(open("\"/*\" + '/*' + #\"/*\"# // /*"), []);
    }

    #[test]
    fn what_the_parser_would_keep_to_itself_is_told() {
        let told = |text: &str| {
            let errors = lexical_errors(text, &Source::new("a.rhai", text), 0);
            let told = errors
                .iter()
                .map(|error| format!("{} {}", error.place.as_ref().map_or(0, |place| place.span.start), error.message));
            told.collect::<Vec<_>>().join("; ")
        };
        for (text, expected) in [
            ("fn a() { 0x7fff_ffff_ffff_ffff + 1_000 + 1e5 + 1.5 + a1 + 0 }", ""),
            ("fn a() {} /* b\nfn c() {}", "10 a comment is not closed"),
            ("/* a /* b */\nfn c() {}", "0 a comment is not closed"),
            ("/* a */ b */", "10 this `*/` closes no comment"),
            ("0xffffffffffffffff", "0 the number is too large"),
            ("a + 0x8000_0000_0000_0000", "4 the number is too large"),
            ("0b1", ""),
            (&format!("0b{}", "1".repeat(64)), "0 the number is too large"),
            ("0o1777777777777777777777", "0 the number is too large"),
            ("0XFFFFFFFFFFFFFFFFF", "0 the number is too large"),
            (
                "0x + 0b12 + 0o8 + 0xfg + 2x",
                "0 `0x` is not a number; 5 `0b12` is not a number; 12 `0o8` is not a number; 18 `0xfg` is not a number; 25 `2x` is not a number",
            ),
            ("a；b", "1 `；` is not `;`"),
            ("// a\rb()\r", "4 a carriage return stands in a comment, and ends no line"),
            ("a /// b\r\n// c\r", ""),
            ("a\rb + \"\r\" /* c\r */ // d\r\n", ""),
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
    }
}
