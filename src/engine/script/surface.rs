//! A piece of the language before it is parsed: which of it is code, and what is open at its end.
//!
//! The parser does not tell of a comment that is never closed, turns numbers that are too large into negative ones, and
//! stops at the first character that it does not know. What it would keep to itself is found here.

use crate::diagnostic::{Diagnostic, Place, Source, half_width, strays};
use crate::script::tokens::{Token, TokenKind, comment_length, is_in_name, opens_value, pieces};
use std::ops::Range;
use std::sync::Arc;

/// How a comment begins that goes on over several lines, and how it ends.
const COMMENT: (&str, &str) = ("/*", "*/");

/// What stands for a byte of a text.
const QUOTED: u8 = b'"';

/// Code apart from texts and comments.
pub struct Surface {
    /// The piece, byte for byte, with blanks for comments and `"` for texts.
    pub code: String,
    /// What is open at its end, the outermost first.
    pub open: Vec<Open>,
    /// The last comment that began inside another one.
    inner_comment: Option<usize>,
}

/// Something that was begun and is not closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Open {
    /// The byte where it begins.
    pub at: usize,
    /// What it is: a bracket, a backtick, `$` for `${`, or `*` for a comment.
    pub sign: char,
}

impl Surface {
    /// Looks through a piece of the language.
    pub fn of(text: &str) -> Self {
        let mut surface = Self { code: String::new(), open: Vec::new(), inner_comment: None };
        let mut masked = text.as_bytes().to_vec();
        for token in pieces(text) {
            let mask = surface.take(token, &text[token.span()]);
            for byte in masked[token.span()].iter_mut().filter(|byte| mask == Some(QUOTED) || **byte != b'\n') {
                *byte = mask.unwrap_or(*byte);
            }
        }
        // Characters are replaced as a whole.
        surface.code = String::from_utf8(masked).unwrap_or_default();
        surface
    }

    /// Notes what a token opens and closes; what stands for each byte of it where it is no code.
    fn take(&mut self, token: Token, written: &str) -> Option<u8> {
        match token.kind {
            TokenKind::Comment | TokenKind::Doc => Some(b' '),
            TokenKind::BlockComment => {
                if comment_length(written).is_none() {
                    self.open.push(Open { at: token.start, sign: '*' });
                    self.inner_comment = written[2..].rfind(COMMENT.0).map(|at| token.start + 2 + at);
                }
                Some(b' ')
            }
            TokenKind::Text => Some(QUOTED),
            TokenKind::Template => {
                match written.starts_with('`') {
                    true => self.open.push(Open { at: token.start, sign: '`' }),
                    false => drop(self.open.pop()),
                }
                match opens_value(written) {
                    true => self.open.push(Open { at: token.end - 2, sign: '$' }),
                    // Backticks in twos belong to the text.
                    false if written[1..].bytes().rev().take_while(|byte| *byte == b'`').count() % 2 == 1 => {
                        self.open.pop();
                    }
                    false => {}
                }
                Some(QUOTED)
            }
            TokenKind::Sign => {
                match written.chars().next_back() {
                    Some(sign @ ('(' | '[' | '{')) => self.open.push(Open { at: token.end - 1, sign }),
                    Some(')' | ']' | '}') => drop(self.open.pop()),
                    _ => {}
                }
                None
            }
            _ => None,
        }
    }

    /// Whether code stands at a byte.
    fn is_code(&self, at: usize) -> bool {
        self.code.as_bytes().get(at).is_some_and(|byte| !byte.is_ascii())
    }
}

/// Code with [half-width](half_width) forms; what is in texts and comments stays as it is.
pub fn in_half_width_code(text: &str) -> String {
    let surface = Surface::of(text);
    let letters = text.char_indices();
    letters.map(|(at, letter)| if surface.is_code(at) { half_width(letter) } else { letter }).collect()
}

/// What is wrong with a piece of the language before it is parsed. It begins at a byte of a source.
pub fn misread(text: &str, source: &Arc<Source>, start: usize) -> Vec<Diagnostic> {
    let surface = Surface::of(text);
    let place = |span: Range<usize>, label: &str| Place::new(source, start + span.start..start + span.end, label);
    if let Some(comment) = surface.open.iter().find(|open| open.sign == '*') {
        return vec![open_comment(comment.at, surface.inner_comment, &place)];
    }
    if let Some(at) = surface.code.find(COMMENT.1) {
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

/// That a comment is never closed, so that the rest of the script is a part of it.
fn open_comment(at: usize, inner: Option<usize>, place: &impl Fn(Range<usize>, &str) -> Place) -> Diagnostic {
    let error = Diagnostic::new("a comment is not closed").at(place(at..at + 2, "it begins here"));
    match inner {
        Some(inner) => error
            .related(place(inner..inner + 2, "a comment inside it, which needs a `*/` of its own"))
            .help("comments can be inside each other: write as many `*/` as `/*`"),
        None => error.help("`/*` needs a `*/`; a comment of one line begins with `//`"),
    }
}

/// Words of code that begin with a digit, with their places.
fn numbers(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + code[from..].find(is_in_name)?;
        from = code[start..].find(|letter| !is_in_name(letter)).map_or(code.len(), |end| start + end);
        Some((start, &code[start..from]))
    })
    .filter(|(_, word)| word.starts_with(|first: char| first.is_ascii_digit()))
}

/// What is wrong with a whole number, if anything is that the parser would not tell.
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
            let help = format!("a name begins with a letter; a product is written `{digits} * {rest}`");
            return Some(Diagnostic::new(format!("`{number}` is not a number")).at(place).help(help));
        }
    };
    let digits: String = number[2..].chars().filter(|letter| *letter != '_').collect();
    if digits.is_empty() || !digits.chars().all(|letter| letter.is_digit(radix)) {
        let help = match radix {
            16 => "behind `0x` are the digits 0 to 9 and a to f",
            8 => "behind `0o` are the digits 0 to 7",
            _ => "behind `0b` are the digits 0 and 1",
        };
        return Some(Diagnostic::new(format!("`{number}` is not a number")).at(place).help(help));
    }
    let help = format!("numbers go from {} to {}", i64::MIN, i64::MAX);
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
            assert_eq!(Surface::of(text).code, code, "{text}");
        }
    }

    #[test]
    fn what_is_not_closed_is_open_at_the_end() {
        let open = |text| Surface::of(text).open.iter().map(|open| (open.at, open.sign)).collect::<Vec<_>>();
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
            let errors = misread(text, &Source::new("a.rhai", text), 0);
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
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
    }
}
