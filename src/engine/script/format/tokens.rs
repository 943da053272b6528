//! The tokens of a script with everything between them: put together, they are the text again.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Blanks within a line, or beside a line end.
    Blank,
    /// A line end.
    LineEnd,
    /// A comment to the end of its line.
    LineComment,
    /// A comment between `/*` and `*/`.
    BlockComment,
    /// A name or a keyword.
    Word,
    /// A number.
    Number,
    /// A text or a character, with its quotes; with everything that `${…}` puts into it.
    Text,
    /// A bracket, an operator, or what no script can have.
    Sign,
}

/// A piece of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'t> {
    /// What it is.
    pub kind: TokenKind,
    /// As it is written.
    pub text: &'t str,
}

/// Signs of several characters, the longer ones before those that they begin with.
const LONG_SIGNS: [&str; 39] = [
    "<<=", ">>=", "**=", "...", "..=", "===", "!==", "::<", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=",
    "%=", "&=", "|=", "^=", "=>", "->", "<-", "<|", "|>", "::", ":=", "..", "**", "<<", ">>", "??", "?.", "?[", "++",
    "--", "!.",
];

/// The tokens of a script, none left out. What is begun and not closed goes to the end of the text, of a text between `"`
/// to the end of its line.
pub fn tokens(script: &str) -> impl Iterator<Item = Token<'_>> {
    let mut rest = script;
    std::iter::from_fn(move || {
        let (kind, length) = next(rest)?;
        let (text, behind) = rest.split_at(length);
        rest = behind;
        Some(Token { kind, text })
    })
}

/// The kind and the length of the token at the beginning of a rest.
fn next(rest: &str) -> Option<(TokenKind, usize)> {
    let first = rest.chars().next()?;
    let of = |is_part: &dyn Fn(char) -> bool| rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
    Some(match first {
        '\n' => (TokenKind::LineEnd, 1),
        _ if is_blank(first) => (TokenKind::Blank, of(&is_blank)),
        '/' if rest.starts_with("//") => (TokenKind::LineComment, rest.find('\n').unwrap_or(rest.len())),
        '/' if rest.starts_with("/*") => (TokenKind::BlockComment, comment_length(rest)),
        '"' | '\'' => (TokenKind::Text, quoted_length(rest, first)),
        '`' => (TokenKind::Text, template_length(rest)),
        '#' => match raw_text_length(rest) {
            Ok(length) => (TokenKind::Text, length),
            Err(1) if rest.starts_with("#{") => (TokenKind::Sign, 2),
            Err(hashes) => (TokenKind::Sign, hashes - usize::from(hashes > 1 && rest[hashes..].starts_with('{'))),
        },
        '0'..='9' => (TokenKind::Number, number_length(rest)),
        _ if first.is_alphabetic() || first == '_' => {
            (TokenKind::Word, of(&|letter| letter.is_alphanumeric() || letter == '_'))
        }
        '!' if is_not_in(rest) => (TokenKind::Sign, "!in".len()),
        _ => {
            let long = LONG_SIGNS.iter().find(|sign| rest.starts_with(**sign));
            (TokenKind::Sign, long.map_or(first.len_utf8(), |sign| sign.len()))
        }
    })
}

fn is_blank(letter: char) -> bool {
    letter != '\n' && (letter.is_ascii_whitespace() || letter == '\u{b}')
}

/// Whether `!in` stands here, and not a name behind a `!`.
fn is_not_in(rest: &str) -> bool {
    let behind = rest.strip_prefix("!in");
    behind.is_some_and(|behind| !behind.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_'))
}

/// The length of a comment between `/*` and `*/`; there can be others in it.
fn comment_length(rest: &str) -> usize {
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(found) = rest[at..].find(['/', '*']) {
        at += found;
        match &rest.as_bytes()[at..] {
            [b'/', b'*', ..] => (at, depth) = (at + 2, depth + 1),
            [b'*', b'/', ..] if depth == 1 => return at + 2,
            [b'*', b'/', ..] => (at, depth) = (at + 2, depth.saturating_sub(1)),
            _ => at += 1,
        }
    }
    rest.len()
}

/// The length of a text between quotes, with them; without an end it goes to that of its line. A quote that is doubled is
/// part of it, and so is a line end behind `\`.
pub fn quoted_length(rest: &str, quote: char) -> usize {
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

/// The length of a text between backticks. A backtick that is doubled is part of it, and so is code between `${` and `}`,
/// which may have such texts again.
fn template_length(rest: &str) -> usize {
    // What is open: texts, and braces of code in them.
    let mut open = vec!['`'];
    let mut at = 1;
    while let (Some(inner), Some(behind)) = (open.last(), rest.get(at..).filter(|behind| !behind.is_empty())) {
        let first = behind.chars().next().unwrap_or_default();
        match (inner, first) {
            ('`', '`') if behind.starts_with("``") => at += 2,
            ('`', '\\') if behind.starts_with("\\${") => at += 3,
            ('`', '$') if behind.starts_with("${") => {
                open.push('{');
                at += 2;
            }
            ('`', '`') | ('{', '}') => {
                open.pop();
                at += 1;
            }
            ('`', _) => at += first.len_utf8(),
            (_, '`' | '{') => {
                open.push(first);
                at += 1;
            }
            _ if behind.starts_with("#{") => {
                open.push('{');
                at += 2;
            }
            _ => at += next(behind).map_or(1, |(_, length)| length),
        }
    }
    at
}

/// The length of a text between `#"` and `"#`, with as many `#` on either side.
///
/// # Errors
/// It is none; so many `#` are there.
pub fn raw_text_length(rest: &str) -> Result<usize, usize> {
    let hashes = rest.len() - rest.trim_start_matches('#').len();
    let inner = rest[hashes..].strip_prefix('"').ok_or(hashes)?;
    let end = format!("\"{}", &rest[..hashes]);
    Ok(inner.find(&end).map_or(rest.len(), |at| hashes + 1 + at + end.len()))
}

/// The length of a number. Letters right behind it belong to it: what they make of it is for the parser to tell.
fn number_length(rest: &str) -> usize {
    let part = |from: usize| {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        rest[from..].find(|letter| !is_part(letter)).map_or(rest.len(), |length| from + length)
    };
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

    #[test]
    fn tokens_are_apart_and_nothing_is_lost() {
        for (script, expected) in [
            ("a+=b..=3", "a|+=|b|..=|3"),
            ("1..2 1.5 1.max(2) 1e-5 0x1e-5", "1|..|2| |1.5| |1|.|max|(|2|)| |1e-5| |0x1e|-|5"),
            ("\"a\"\"b\" '\\'' c", "\"a\"\"b\"| |'\\''| |c"),
            ("\"a\\\n b\" \"c\nd", "\"a\\\n b\"| |\"c|\n|d"),
            ("`a ${b + `}` + \"}\" + f(|| { 1 })} ``c` d", "`a ${b + `}` + \"}\" + f(|| { 1 })} ``c`| |d"),
            ("`\\${a` b", "`\\${a`| |b"),
            ("#\"a\" \\\"# #{b: 1}", "#\"a\" \\\"#| |#{|b|:| |1|}"),
            ("/* a /* b */ c */ d // e\nf", "/* a /* b */ c */| |d| |// e|\n|f"),
            ("x !in y !inner", "x| |!in| |y| |!|inner"),
            ("「日本」", "「|日本|」"),
            ("`a ${", "`a ${"),
            ("/* a", "/* a"),
            ("###{ #", "##|#{| |#"),
        ] {
            let found: Vec<&str> = tokens(script).map(|token| token.text).collect();
            assert_eq!(found.join("|"), expected, "{script}");
            assert_eq!(found.concat(), script);
        }
    }
}
