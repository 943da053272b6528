//! The tokens of a script, even of one that is only half written. Joined, they are the whole text again.
//!
//! Rhai's own lexer stops at unknown characters, and drops blanks and comments. Formatting, syntax colouring and
//! looking up a place in a broken script need both. This lexer refuses nothing: a construct that is not closed goes to
//! the end of the text, a text between `"` to the end of its line.

use std::ops::Range;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Blanks within a line, or beside a line end.
    Blank,
    /// A line end.
    LineEnd,
    /// A comment to the end of its line.
    Comment,
    /// A comment that documents what follows: `///`.
    Doc,
    /// A comment between `/*` and `*/`.
    BlockComment,
    /// A name that the author chose, or a word of the vocabulary.
    Name,
    /// A word of the language: `let`, `fn`.
    Keyword,
    /// A number.
    Number,
    /// A text or a character, with its quotes.
    Text,
    /// A text in backticks, or a piece of one: up to a value in it or behind one.
    Template,
    /// A bracket, an operator, or a character that no script can have.
    Sign,
}

impl TokenKind {
    /// Whether the parser skips the token: a blank, line end or comment.
    pub fn is_between(self) -> bool {
        matches!(self, Self::Blank | Self::LineEnd | Self::Comment | Self::Doc | Self::BlockComment)
    }
}

/// A token with its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The kind.
    pub kind: TokenKind,
    /// Offset of its first byte.
    pub start: usize,
    /// Offset of the byte after its last one.
    pub end: usize,
}

impl Token {
    /// The byte range of the token.
    pub fn span(self) -> Range<usize> {
        self.start..self.end
    }
}

/// The keywords of the language.
pub const KEYWORDS: [&str; 20] = [
    "let", "const", "fn", "private", "if", "else", "switch", "while", "loop", "for", "in", "break", "continue",
    "return", "throw", "true", "false", "super", "do", "until",
];

/// Signs of several characters; a longer sign comes before its prefixes.
const MULTI_CHAR_OPERATORS: [&str; 39] = [
    "<<=", ">>=", "**=", "...", "..=", "===", "!==", "::<", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=",
    "%=", "&=", "|=", "^=", "=>", "->", "<-", "<|", "|>", "::", ":=", "..", "**", "<<", ">>", "??", "?.", "?[", "++",
    "--", "!.",
];

/// The tokens of a script. A text in backticks is one token, with all values `${…}` in it.
pub fn tokens(script: &str) -> Vec<Token> {
    let mut whole: Vec<Token> = Vec::new();
    let mut depth = 0_usize;
    for piece in Lexer::default().read(script) {
        let is_inside = depth > 0;
        if piece.kind == TokenKind::Template {
            depth = (depth + usize::from(script[piece.start..].starts_with('`')))
                .saturating_sub(usize::from(!opens_value(&script[piece.span()])));
        }
        match whole.last_mut().filter(|_| is_inside) {
            Some(template) => template.end = piece.end,
            None => whole.push(piece),
        }
    }
    whole
}

/// The tokens of a script, with a text in backticks split into its pieces and the tokens of its values.
pub fn pieces(script: &str) -> Vec<Token> {
    Lexer::default().read(script)
}

/// The [`pieces`] of a script that is being written: a text in backticks that would go on into the next function is not
/// closed yet, and ends with its line.
pub fn pieces_of_draft(script: &str) -> Vec<Token> {
    Lexer { is_draft: true, ..Lexer::default() }.read(script)
}

#[derive(Default)]
struct Lexer {
    is_draft: bool,
    /// For each open value in backticks, the number of braces that are open in it.
    braces: Vec<usize>,
}

impl Lexer {
    fn read(mut self, script: &str) -> Vec<Token> {
        let (mut found, mut start) = (Vec::new(), 0);
        while let Some((kind, length)) = self.next(&script[start..]) {
            found.push(Token { kind, start, end: start + length });
            start += length;
        }
        found
    }

    /// The kind and length in bytes of the token at the beginning of `rest`; `None` at the end.
    fn next(&mut self, rest: &str) -> Option<(TokenKind, usize)> {
        let first = rest.chars().next()?;
        let of = |is_part: &dyn Fn(char) -> bool| rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        let line = || rest.find('\n').unwrap_or(rest.len());
        Some(match first {
            '\n' => (TokenKind::LineEnd, 1),
            _ if first.is_whitespace() => (TokenKind::Blank, of(&|letter| letter != '\n' && letter.is_whitespace())),
            '/' if rest.starts_with("///") => (TokenKind::Doc, line()),
            '/' if rest.starts_with("//") => (TokenKind::Comment, line()),
            '/' if rest.starts_with("/*") => (TokenKind::BlockComment, comment_length(rest).unwrap_or(rest.len())),
            '"' | '\'' => (TokenKind::Text, quoted_length(rest, first)),
            '`' => (TokenKind::Template, self.template_length(rest)),
            '}' if self.braces.last() == Some(&0) => {
                self.braces.pop();
                (TokenKind::Template, self.template_length(rest))
            }
            '#' => match raw_text_length(rest) {
                Ok(length) => (TokenKind::Text, length),
                Err(1) if rest.starts_with("#{") => self.sign(rest, 2),
                Err(hashes) => self.sign(rest, hashes - usize::from(hashes > 1 && rest[hashes..].starts_with('{'))),
            },
            '0'..='9' => (TokenKind::Number, number_length(rest)),
            _ if first.is_alphabetic() || first == '_' => {
                let length = of(&is_in_name);
                let is_keyword = KEYWORDS.contains(&&rest[..length]);
                (if is_keyword { TokenKind::Keyword } else { TokenKind::Name }, length)
            }
            '!' if is_not_in(rest) => self.sign(rest, "!in".len()),
            _ => {
                let long = MULTI_CHAR_OPERATORS.iter().find(|sign| rest.starts_with(**sign));
                self.sign(rest, long.map_or(first.len_utf8(), |sign| sign.len()))
            }
        })
    }

    fn sign(&mut self, rest: &str, length: usize) -> (TokenKind, usize) {
        match (self.braces.last_mut(), &rest[..length]) {
            (Some(open), "{" | "#{") => *open += 1,
            (Some(open), "}") => *open -= 1,
            _ => {}
        }
        (TokenKind::Sign, length)
    }

    /// The length in bytes of a piece of a text in backticks, which begins with the backtick or with the `}` behind a
    /// value. A doubled backtick is part of the text.
    fn template_length(&mut self, rest: &str) -> usize {
        let mut at = 1;
        while let Some(found) = rest[at..].find(['`', '$', '\\']) {
            at += found;
            let is_in_function = || ["\nfn ", "\nprivate fn ", "\n///"].iter().any(|head| rest[..at].contains(head));
            if self.is_draft && is_in_function() {
                break;
            }
            at += match &rest.as_bytes()[at..] {
                [b'`', b'`', ..] => 2,
                [b'`', ..] => return at + 1,
                [b'$', b'{', ..] => {
                    self.braces.push(0);
                    return at + 2;
                }
                [b'\\', b'$', b'{', ..] => 3,
                _ => 1,
            };
        }
        if self.is_draft { rest.find('\n').unwrap_or(rest.len()) } else { rest.len() }
    }
}

/// Whether a character can be part of a name.
pub fn is_in_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Whether `rest` begins with the operator `!in`, and not with a `!` before a name.
fn is_not_in(rest: &str) -> bool {
    rest.strip_prefix("!in").is_some_and(|behind| !behind.starts_with(is_in_name))
}

/// Whether a piece of a text in backticks ends where a value `${…}` begins.
pub fn opens_value(piece: &str) -> bool {
    piece.ends_with("${") && !piece.ends_with("\\${")
}

/// The length in bytes of a comment between `/*` and `*/`, nested comments included; `None` if it is not closed.
pub fn comment_length(rest: &str) -> Option<usize> {
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(found) = rest[at..].find(['/', '*']) {
        at += found;
        match &rest.as_bytes()[at..] {
            [b'/', b'*', ..] => (at, depth) = (at + 2, depth + 1),
            [b'*', b'/', ..] if depth == 1 => return Some(at + 2),
            [b'*', b'/', ..] => (at, depth) = (at + 2, depth.saturating_sub(1)),
            _ => at += 1,
        }
    }
    None
}

/// The length in bytes of a text with its quotes; without a closing quote, it ends with its line. A doubled quote is
/// part of the text, and so is a line end behind `\`.
fn quoted_length(rest: &str, quote: char) -> usize {
    let mut letters = rest.char_indices().skip(1).peekable();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            '\n' => return at,
            _ if letter != quote => {}
            _ if letters.next_if(|(_, next)| *next == quote).is_some() => {}
            _ => return at + 1,
        }
    }
    rest.len()
}

/// The length in bytes of a raw text between `#"` and `"#`, with as many `#` on either side.
///
/// # Errors
/// `rest` begins with no raw text; the error is the number of `#`.
fn raw_text_length(rest: &str) -> Result<usize, usize> {
    let hashes = rest.len() - rest.trim_start_matches('#').len();
    let inner = rest[hashes..].strip_prefix('"').ok_or(hashes)?;
    let end = format!("\"{}", &rest[..hashes]);
    Ok(inner.find(&end).map_or(rest.len(), |at| hashes + 1 + at + end.len()))
}

/// The length in bytes of a number. Letters right behind it belong to it; the parser judges the result.
fn number_length(rest: &str) -> usize {
    let part = |from: usize| rest[from..].find(|letter| !is_in_name(letter)).map_or(rest.len(), |length| from + length);
    let mut end = part(0);
    let has_digit_at = |at: usize| rest[at..].starts_with(|letter: char| letter.is_ascii_digit());
    if rest[end..].starts_with('.') && has_digit_at(end + 1) {
        end = part(end + 1);
    }
    let is_power = !rest.starts_with("0x") && !rest.starts_with("0X") && rest[..end].ends_with(['e', 'E']);
    if is_power && rest[end..].starts_with(['+', '-']) && has_digit_at(end + 1) {
        end = part(end + 1);
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(script: &str, tokens: &[Token]) -> String {
        assert_eq!(tokens.iter().map(|token| &script[token.span()]).collect::<String>(), script, "nothing is lost");
        let kept = tokens.iter().filter(|token| token.kind != TokenKind::Blank);
        kept.map(|token| &script[token.span()]).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn tokens_are_apart_and_nothing_is_lost() {
        for (script, expected) in [
            ("let a = p.hand[1..=2];", "let|a|=|p|.|hand|[|1|..=|2|]|;"),
            ("a+=b..=3", "a|+=|b|..=|3"),
            ("1..2 1.5 1.max(2) 1e-5 0x1e-5", "1|..|2|1.5|1|.|max|(|2|)|1e-5|0x1e|-|5"),
            ("\"a\"\"b\" '\\'' c", "\"a\"\"b\"|'\\''|c"),
            ("\"a\\\n b\" \"c\nd", "\"a\\\n b\"|\"c|\n|d"),
            ("`a ${b + `}` + \"}\" + f(|| { 1 })} ``c` d", "`a ${b + `}` + \"}\" + f(|| { 1 })} ``c`|d"),
            ("`a ${n + `b${1}`} c` x", "`a ${n + `b${1}`} c`|x"),
            ("`\\${a` b", "`\\${a`|b"),
            ("#\"a\" \\\"# #{b: 1}", "#\"a\" \\\"#|#{|b|:|1|}"),
            ("/* a /* b */ c */ d // e\n/// f", "/* a /* b */ c */|d|// e|\n|/// f"),
            ("x !in y !inner", "x|!in|y|!|inner"),
            ("「日本」　x", "「|日本|」|x"),
            ("`a ${", "`a ${"),
            ("`a\nfn b() { `c` }", "`a\nfn b() { `|c|` }"),
            ("/* a", "/* a"),
            ("###{ #", "##|#{|#"),
            ("} }", "}|}"),
        ] {
            assert_eq!(texts(script, &tokens(script)), expected, "{script}");
        }
    }

    #[test]
    fn values_in_backticks_have_tokens() {
        for (script, expected) in [
            ("`a ${n + `b${1}`} c` x", "`a ${|n|+|`b${|1|}`|} c`|x"),
            ("`${if a { 1 } else { #{} }}`", "`${|if|a|{|1|}|else|{|#{|}|}|}`"),
        ] {
            assert_eq!(texts(script, &pieces(script)), expected);
            assert_eq!(texts(script, &pieces_of_draft(script)), expected);
        }
        assert_eq!(texts("`a\nfn b() { `c` }", &pieces("`a\nfn b() { `c` }")), "`a\nfn b() { `|c|` }");
        for (script, expected) in [
            ("`open\nfn next() {}", "`open|\n|fn|next|(|)|{|}"),
            ("`a ${b}\n/// c\nfn d() { `` }", "`a ${|b|}|\n|/// c|\n|fn|d|(|)|{|``|}"),
        ] {
            assert_eq!(texts(script, &pieces_of_draft(script)), expected);
        }
    }
}
