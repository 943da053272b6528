//! The layout of TOML files: blanks, line ends and indentation.
//!
//! Lines end where their author ended them, and stay in their order. Equals signs below each other are a column, and
//! stay one; a crooked column is put one blank behind its longest key. So a column begins where the author wants one,
//! and not because of the lengths of keys; `taplo`, which editors know, aligns all entries of a file or none. The
//! tokens are those of the parser, with comments among them.

use super::scripts::Extent;
use std::ops::Range;
use toml_parser::Source;
use toml_parser::lexer::TokenKind;
use unicode_width::UnicodeWidthStr;

/// The indentation inside brackets, in blanks.
const INDENT: usize = 4;

/// Lays out the rules at a byte range of a file; `None` leaves them as they are.
pub type LayOutRules<'r> = dyn FnMut(Range<usize>, Extent) -> Option<String> + 'r;

/// Lays out a file, which need not parse. Line ends are `\n`.
pub fn lay_out(toml: &str, rules: &mut LayOutRules<'_>) -> String {
    let mut lines = Reader::new(toml, rules).lines();
    align(&mut lines);
    write(&lines)
}

/// The kind of rules in the value at a path of keys; `None` where the value has no rules.
fn rules_at(path: &[String]) -> Option<Extent> {
    let keys: Vec<&str> = path.iter().map(String::as_str).collect();
    match keys[..] {
        ["script", "rhai"] => Some(Extent::Script),
        ["when" | "cases", "call"] => Some(Extent::Expression),
        _ => None,
    }
}

/// Whether the keys of the table at a path are expressions of the rules.
fn has_rules_as_keys(path: &[String]) -> bool {
    let keys: Vec<&str> = path.iter().map(String::as_str).collect();
    matches!(keys[..], ["then" | "cases", "gives"])
}

/// A line of the file, with the lines that its value continues on.
struct Line {
    /// Whether an empty line is before this one.
    has_gap: bool,
    content: Content,
    /// The comment at its end, with the blanks before the comment.
    comment: String,
}

enum Content {
    Comment,
    Head(String),
    /// A key with its value.
    Entry {
        key: String,
        value: String,
        /// Display width of the key, and the column of its equals sign.
        width: usize,
        column: usize,
    },
}

#[derive(Clone, Copy)]
struct Token<'t> {
    kind: TokenKind,
    text: &'t str,
    start: usize,
}

/// Reads the lines of a file.
struct Reader<'t, 'r> {
    tokens: Vec<Token<'t>>,
    next: usize,
    rules: &'r mut LayOutRules<'r>,
    /// The keys of the table whose head was read last.
    table: Vec<String>,
}

impl<'t, 'r> Reader<'t, 'r> {
    fn new(toml: &'t str, rules: &'r mut LayOutRules<'r>) -> Self {
        let tokens = Source::new(toml).lex().filter_map(|token| {
            let span = token.span().start()..token.span().end();
            Some(Token { kind: token.kind(), text: toml.get(span.clone())?, start: span.start })
        });
        Self { tokens: tokens.filter(|token| !token.text.is_empty()).collect(), next: 0, rules, table: Vec::new() }
    }

    fn peek(&self) -> Option<Token<'t>> {
        self.tokens.get(self.next).copied()
    }

    /// The next token of this line; `None` at a comment or the end of the line.
    fn next_in_line(&mut self) -> Option<Token<'t>> {
        let token = self.peek().filter(|token| !matches!(token.kind, TokenKind::Newline | TokenKind::Comment))?;
        self.next += 1;
        Some(token)
    }

    fn lines(mut self) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        let mut line_ends = 0;
        while let Some(token) = self.peek() {
            match token.kind {
                TokenKind::Newline => line_ends += 1,
                TokenKind::Whitespace => {}
                _ => {
                    let content = match token.kind {
                        TokenKind::Comment => Content::Comment,
                        TokenKind::LeftSquareBracket => self.head(),
                        _ => self.entry(),
                    };
                    let is_below_entry = lines.last().is_some_and(|line| matches!(line.content, Content::Entry { .. }));
                    let has_gap = line_ends > 1 || is_below_entry && matches!(content, Content::Head(_));
                    let has_gap = has_gap && !lines.is_empty();
                    let comment = self.comment(matches!(content, Content::Comment));
                    lines.push(Line { has_gap, content, comment });
                    line_ends = 0;
                    continue;
                }
            }
            self.next += 1;
        }
        lines
    }

    /// The comment at the end of a line, with the blanks before it.
    fn comment(&mut self, is_alone: bool) -> String {
        let blanks = match self.next.checked_sub(1).and_then(|before| self.tokens.get(before)) {
            _ if is_alone => String::new(),
            Some(before) if before.kind == TokenKind::Whitespace => before.text.replace('\t', " "),
            _ => " ".to_owned(),
        };
        match self.peek().filter(|token| token.kind == TokenKind::Comment) {
            Some(comment) => {
                self.next += 1;
                format!("{blanks}{}", comment.text.trim_end())
            }
            None => String::new(),
        }
    }

    fn head(&mut self) -> Content {
        let mut head = String::new();
        self.table.clear();
        while let Some(token) = self.next_in_line() {
            self.table.extend(key_of(token));
            head.push_str(token.text.trim());
        }
        Content::Head(head)
    }

    fn entry(&mut self) -> Content {
        let mut path = self.table.clone();
        let (mut key, mut blanks) = (String::new(), 0);
        while let Some(token) = self.next_in_line().filter(|token| token.kind != TokenKind::Equals) {
            key.push_str(self.key(token, &path).as_deref().unwrap_or(token.text.trim()));
            path.extend(key_of(token));
            blanks = if token.kind == TokenKind::Whitespace { token.text.len() } else { 0 };
        }
        let width = key.width();
        let value = self.value(path);
        Content::Entry { key, value, width, column: width + blanks.max(1) }
    }

    /// The layout of a key that is an expression of the rules; `None` for any other key.
    fn key(&mut self, token: Token<'_>, path: &[String]) -> Option<String> {
        if has_rules_as_keys(path) { self.rules_in(token, Extent::Expression) } else { None }
    }

    /// A value, up to the end of the line on which it ends.
    fn value(&mut self, mut path: Vec<String>) -> String {
        let mut value = String::new();
        // The brackets that are open: the length of the path outside them, and the indentation of their line.
        let mut open: Vec<(TokenKind, usize, usize)> = Vec::new();
        let (mut indent, mut line_ends, mut blanks) = (0, 0, 0);
        let mut is_key = false;
        let mut before: Option<TokenKind> = None;
        while let Some(token) = self.peek() {
            match token.kind {
                TokenKind::Newline | TokenKind::Comment if open.is_empty() => break,
                TokenKind::Newline => line_ends += 1,
                TokenKind::Whitespace => blanks += token.text.len(),
                kind => {
                    let is_close = matches!(kind, TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket);
                    let closed = if is_close { open.pop() } else { None };
                    let is_open = |kind| matches!(kind, TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket);
                    // A comma that begins a line would be behind the comment of the line before.
                    let is_joined = kind == TokenKind::Comma && before != Some(TokenKind::Comment);
                    if line_ends > 0 && !is_joined {
                        let inner = || open.last().map_or(0, |(_, _, indent)| indent + INDENT);
                        indent = closed.map_or_else(inner, |(_, _, indent)| indent);
                        let is_at_edge = is_close || before.is_some_and(is_open);
                        value.push_str(if line_ends > 1 && !is_at_edge { "\n\n" } else { "\n" });
                        value.extend(std::iter::repeat_n(' ', indent));
                    } else if let Some(before) = before {
                        let least = usize::from(has_blank(before, kind, blanks > 0));
                        let count = if kind == TokenKind::Comment { blanks.max(1) } else { least };
                        value.extend(std::iter::repeat_n(' ', count));
                    }
                    match kind {
                        TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket => {
                            open.push((kind, path.len(), indent));
                            is_key = kind == TokenKind::LeftCurlyBracket;
                        }
                        TokenKind::Equals => is_key = false,
                        TokenKind::Comma => {
                            is_key = false;
                            if let Some((TokenKind::LeftCurlyBracket, length, _)) = open.last() {
                                path.truncate(*length);
                                is_key = true;
                            }
                        }
                        _ => {}
                    }
                    if let Some((_, length, _)) = closed {
                        path.truncate(length);
                        is_key = false;
                    }
                    let text = match kind {
                        _ if is_key => self.key(token, &path),
                        _ => rules_at(&path).and_then(|extent| self.rules_in(token, extent)),
                    };
                    if is_key && !is_open(kind) {
                        path.extend(key_of(token));
                    }
                    value.push_str(text.as_deref().unwrap_or(token.text.trim_end_matches(['\n', '\r'])));
                    (before, line_ends, blanks) = (Some(kind), 0, 0);
                }
            }
            self.next += 1;
        }
        value
    }

    /// The layout of a string with rules in it; `None` where the token is something else, or the rules stay as they
    /// are, as in a string with escapes, where bytes of the file are not bytes of the rules.
    fn rules_in(&mut self, token: Token<'_>, extent: Extent) -> Option<String> {
        let has_escapes = token.text.contains('\\');
        let quote = match token.kind {
            TokenKind::MlLiteralString => "\'\'\'",
            TokenKind::MlBasicString if !has_escapes => "\"\"\"",
            TokenKind::LiteralString => "\'",
            TokenKind::BasicString if !has_escapes => "\"",
            _ => return None,
        };
        let inner = token.text.strip_prefix(quote)?.strip_suffix(quote)?;
        let start = token.start + quote.len();
        let has_lines = quote.len() > 1;
        let extent = if has_lines { extent } else { Extent::Expression };
        let lead = usize::from(has_lines && inner.starts_with('\n'));
        let laid_out = (self.rules)(start + lead..start + inner.len(), extent)?;
        let begin = if lead > 0 || has_lines && extent == Extent::Script { "\n" } else { "" };
        let ends_line = extent == Extent::Expression && inner.trim_end_matches([' ', '\t']).ends_with('\n');
        let end = if ends_line && !laid_out.is_empty() { "\n" } else { "" };
        Some(format!("{quote}{begin}{laid_out}{end}{quote}"))
    }
}

/// The key that a token is; `None` where it cannot be one.
fn key_of(token: Token<'_>) -> Option<String> {
    match token.kind {
        TokenKind::Atom => Some(token.text.to_owned()),
        TokenKind::BasicString | TokenKind::LiteralString => Some(token.text.trim_matches(['"', '\'']).to_owned()),
        _ => None,
    }
}

/// Whether a blank belongs between two tokens of a value. A day and a time are two tokens; so can be parts of a key.
fn has_blank(before: TokenKind, kind: TokenKind, has_blank: bool) -> bool {
    use TokenKind::{
        Comma, Comment, Dot, Equals, LeftCurlyBracket, LeftSquareBracket, RightCurlyBracket, RightSquareBracket,
    };
    match (before, kind) {
        (LeftCurlyBracket, RightCurlyBracket) | (LeftSquareBracket, _) | (_, RightSquareBracket | Comma) => false,
        (Dot, _) | (_, Dot) => false,
        (LeftCurlyBracket | Comma | Equals | Comment, _) | (_, RightCurlyBracket | Equals) => true,
        _ => has_blank,
    }
}

/// Consecutive entries with their equals signs in one column.
struct Run {
    /// Number of entries.
    length: usize,
    /// Width of the longest key.
    longest: usize,
    column: usize,
    /// Key width and column of the equals sign, for the first and the last entry.
    first: (usize, usize),
    last: (usize, usize),
}

impl Run {
    fn of(width: usize, column: usize) -> Self {
        Self { length: 1, longest: width, column, first: (width, column), last: (width, column) }
    }

    /// Whether this run and the next one were meant to be one. An author who writes several blanks wants a column.
    fn meets(&self, next: &Self) -> bool {
        self.last.1 == next.first.1 || is_padded(self.last) && is_padded(next.first)
    }

    /// Joins two runs. The column is the one that they share, or one blank behind the longest key.
    fn join(self, next: Self) -> Self {
        let longest = self.longest.max(next.longest);
        let column = if self.column == next.column { self.column } else { longest + 1 };
        Self { length: self.length + next.length, longest, column, first: self.first, last: next.last }
    }

    /// Aligns the entries to the column of the run; a single entry gets one blank.
    fn straighten(&mut self) {
        if self.length == 1 {
            self.column = self.longest + 1;
        }
        self.put(self.column);
    }

    fn put(&mut self, column: usize) {
        (self.column, self.first.1, self.last.1) = (column, column, column);
    }
}

/// Whether more than one blank is between a key of some width and its equals sign.
fn is_padded((width, column): (usize, usize)) -> bool {
    column > width + 1
}

/// Aligns equals signs in columns. A second pass changes nothing.
fn align(lines: &mut [Line]) {
    let begins_block = |line: &Line| line.has_gap || matches!(line.content, Content::Head(_));
    for block in lines.chunk_by_mut(|_, next| !begins_block(next)) {
        let mut entries: Vec<(usize, &mut usize)> = Vec::new();
        for line in block {
            if let Content::Entry { width, column, .. } = &mut line.content {
                entries.push((*width, column));
            }
        }
        let mut runs: Vec<Run> = entries.iter().map(|(width, column)| Run::of(*width, **column)).collect();
        // After straightening, runs may meet that did not meet as they were written.
        let mut is_straight = false;
        loop {
            let count = runs.len();
            runs = joined(runs);
            if take_in(&mut runs) {
                continue;
            }
            if is_straight && runs.len() == count {
                break;
            }
            runs.iter_mut().for_each(Run::straighten);
            is_straight = true;
        }
        let columns = runs.into_iter().flat_map(|run| std::iter::repeat_n(run.column, run.length));
        entries.into_iter().zip(columns).for_each(|((_, place), column)| *place = column);
    }
}

/// Moves single entries to the column that the runs before and behind them share, if they fit; whether any were moved.
fn take_in(runs: &mut [Run]) -> bool {
    let mut has_taken = false;
    for at in 1..runs.len().saturating_sub(1) {
        let (before, behind) = (&runs[at - 1], &runs[at + 1]);
        let column = before.column;
        let is_wanted = column == behind.column && (is_padded(before.last) || is_padded(behind.first));
        if is_wanted && runs[at].length == 1 && runs[at].longest < column {
            runs[at].put(column);
            has_taken = true;
        }
    }
    has_taken
}

/// Joins neighbouring runs that [meet](Run::meets).
fn joined(runs: Vec<Run>) -> Vec<Run> {
    let mut joined: Vec<Run> = Vec::new();
    for run in runs {
        match joined.pop_if(|before| before.meets(&run)) {
            Some(before) => joined.push(before.join(run)),
            None => joined.push(run),
        }
    }
    joined
}

fn write(lines: &[Line]) -> String {
    let mut text = String::new();
    for Line { has_gap, content, comment } in lines {
        if *has_gap {
            text.push('\n');
        }
        match content {
            Content::Comment => {}
            Content::Head(head) => text.push_str(head),
            Content::Entry { key, value, width, column } => {
                text.push_str(key);
                text.extend(std::iter::repeat_n(' ', column - width));
                text.push_str("= ");
                text.push_str(value);
            }
        }
        text.push_str(comment);
        text.push('\n');
    }
    text
}
