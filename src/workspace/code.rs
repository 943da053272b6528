//! A script as it is being edited: its tokens and functions.
//!
//! The parser of the rules' language stops at the first error. Texts in an editor have errors most of the time, so they
//! are analysed by their tokens.

use crate::script::tokens::{Token, TokenKind, pieces_of_draft};
use std::ops::Range;

/// A function in a script, complete or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionSpan {
    /// The function's name.
    pub name: String,
    /// The byte range of the name.
    pub name_span: Range<usize>,
    /// The parameters, each with its byte range.
    pub parameters: Vec<(String, Range<usize>)>,
    /// The byte range from `fn` to the closing brace, or to the next function where that is missing.
    pub span: Range<usize>,
    /// The range of token indexes of the function.
    pub tokens: Range<usize>,
    /// The byte range between its braces; `None` without an opening brace.
    pub body: Option<Range<usize>>,
    /// Whether the closing brace is there.
    pub is_closed: bool,
    /// The text of its doc comment, from the `///` lines right above it.
    pub comment: String,
    /// The byte where the doc comment begins, or else the function.
    pub comment_start: usize,
    /// Whether only its own script can call it.
    pub is_private: bool,
}

impl FunctionSpan {
    /// The call form: `turn(p)`.
    pub fn call(&self) -> String {
        let parameters: Vec<&str> = self.parameters.iter().map(|(name, _)| name.as_str()).collect();
        format!("{}({})", self.name, parameters.join(", "))
    }
}

/// A script, split into tokens and functions.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The source text.
    pub text: String,
    /// The tokens, without comments.
    pub tokens: Vec<Token>,
    /// The comments.
    pub comments: Vec<Token>,
    /// The functions.
    pub functions: Vec<FunctionSpan>,
}

impl Code {
    /// Splits a script into tokens and functions.
    pub fn new(text: &str) -> Self {
        let (between, tokens): (Vec<Token>, Vec<Token>) =
            pieces_of_draft(text).into_iter().partition(|token| token.kind.is_between());
        let is_comment = |token: &Token| !matches!(token.kind, TokenKind::Blank | TokenKind::LineEnd);
        let comments = between.into_iter().filter(is_comment).collect();
        let mut code = Self { text: text.to_owned(), tokens, comments, functions: Vec::new() };
        code.functions = code.find_functions();
        code
    }

    /// The text of a token, by index; empty where there is none.
    pub fn word(&self, token: usize) -> &str {
        self.tokens.get(token).and_then(|token| self.text.get(token.span())).unwrap_or("")
    }

    /// The kind of a token, by index.
    pub fn kind(&self, token: usize) -> Option<TokenKind> {
        self.tokens.get(token).map(|token| token.kind)
    }

    /// Whether a token is a given sign, keyword or name.
    pub fn is(&self, token: usize, word: &str) -> bool {
        self.kind(token).is_some_and(|kind| !matches!(kind, TokenKind::Text | TokenKind::Template))
            && self.word(token) == word
    }

    /// Whether the token before `token` is a given sign, keyword or name.
    pub fn is_behind(&self, token: usize, word: &str) -> bool {
        token.checked_sub(1).is_some_and(|before| self.is(before, word))
    }

    /// The token that contains a byte or ends at it; between two tokens, the name.
    pub fn token_at(&self, offset: usize) -> Option<usize> {
        let after = self.tokens.partition_point(|token| token.end < offset);
        let touching = (after..self.tokens.len()).take_while(|&token| self.tokens[token].start <= offset);
        let touching: Vec<usize> = touching.collect();
        let is_word = |token: &&usize| matches!(self.tokens[**token].kind, TokenKind::Name | TokenKind::Keyword);
        touching.iter().find(is_word).or(touching.last()).copied()
    }

    /// Whether a byte is in a comment.
    pub fn is_in_comment(&self, offset: usize) -> bool {
        self.comments.iter().any(|comment| comment.start < offset && offset <= comment.end)
    }

    /// The token that closes the bracket at `open`; `within` where none does before that.
    pub fn closing(&self, open: usize, within: usize) -> usize {
        let mut depth = 0_usize;
        for token in open..within.min(self.tokens.len()) {
            match self.bracket(token) {
                1 => depth += 1,
                -1 => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return token;
                    }
                }
                _ => {}
            }
        }
        within.min(self.tokens.len())
    }

    /// The token that opens the bracket closed at `close`.
    pub fn opening(&self, close: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for token in (0..=close).rev() {
            match self.bracket(token) {
                -1 => depth += 1,
                1 => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(token);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// 1 for a token that opens a bracket, -1 for one that closes it. Interpolations in template strings count as
    /// brackets.
    pub fn bracket(&self, token: usize) -> i32 {
        let word = self.word(token);
        match self.kind(token) {
            Some(TokenKind::Sign) if matches!(word, "(" | "[" | "{" | "#{" | "?[") => 1,
            Some(TokenKind::Sign) if matches!(word, ")" | "]" | "}") => -1,
            Some(TokenKind::Template) => i32::from(word.ends_with("${")) - i32::from(word.starts_with('}')),
            _ => 0,
        }
    }

    /// The innermost open `(` before a token, from `least` on, and the number of commas between.
    pub fn call_around(&self, token: usize, least: usize) -> Option<(usize, usize)> {
        let (mut depth, mut commas) = (0_usize, 0);
        for at in (least..token).rev() {
            match self.bracket(at) {
                -1 => depth += 1,
                1 if depth == 0 && self.is(at, "(") => return Some((at, commas)),
                1 if depth == 0 => commas = 0,
                1 => depth -= 1,
                _ if depth == 0 && self.is(at, ",") => commas += 1,
                _ if depth == 0 && (self.is(at, ";") || self.is(at, "{")) => return None,
                _ => {}
            }
        }
        None
    }

    /// The arguments of a call, as ranges of tokens.
    pub fn arguments(&self, open: usize, within: usize) -> Vec<Range<usize>> {
        let close = self.closing(open, within);
        let mut found = Vec::new();
        let (mut depth, mut start) = (0_i32, open + 1);
        let mut is_closure = false;
        for token in open + 1..close {
            depth += self.bracket(token);
            is_closure ^= depth == 0 && self.is(token, "|");
            if depth == 0 && !is_closure && self.is(token, ",") {
                found.push(start..token);
                start = token + 1;
            }
        }
        if start < close {
            found.push(start..close);
        }
        found
    }

    fn find_functions(&self) -> Vec<FunctionSpan> {
        let mut found = Vec::new();
        let heads: Vec<usize> = (0..self.tokens.len()).filter(|&token| self.is(token, "fn")).collect();
        for (number, &head) in heads.iter().enumerate() {
            let is_private = self.is_behind(head, "private");
            let next = heads
                .get(number + 1)
                .map_or(self.tokens.len(), |&next| next - usize::from(self.is_behind(next, "private")));
            let name = head + 1;
            if name >= next || self.kind(name) != Some(TokenKind::Name) {
                continue;
            }
            let open = (name + 1..next).find(|&token| self.is(token, "{"));
            let parameters = (name + 1..open.unwrap_or(next))
                .take_while(|&token| !self.is(token, ")"))
                .filter(|&token| self.kind(token) == Some(TokenKind::Name))
                .map(|token| (self.word(token).to_owned(), self.tokens[token].span()));
            let parameters = parameters.collect();
            let close = open.map(|open| self.closing(open, next)).filter(|&close| close < next);
            let last = close.map_or(next, |close| close + 1);
            let start = self.tokens[head - usize::from(is_private)].start;
            let end = self.tokens[last - 1].end;
            let (comment, comment_start) = self.comment_over(start);
            found.push(FunctionSpan {
                name: self.word(name).to_owned(),
                name_span: self.tokens[name].span(),
                parameters,
                span: start..end,
                tokens: head..last,
                body: open.map(|open| self.tokens[open].end..close.map_or(end, |close| self.tokens[close].start)),
                is_closed: close.is_some(),
                comment,
                comment_start,
                is_private,
            });
        }
        found
    }

    /// The text of the doc comment right above a byte, and where it begins.
    fn comment_over(&self, start: usize) -> (String, usize) {
        let mut first = start;
        let mut lines: Vec<&str> = Vec::new();
        for comment in self.comments.iter().rev().filter(|comment| comment.end <= start) {
            let between = self.text.get(comment.end..first).unwrap_or("x");
            if comment.kind != TokenKind::Doc || !between.trim().is_empty() || between.matches('\n').count() > 1 {
                break;
            }
            lines.push(self.text.get(comment.span()).unwrap_or("").trim_start_matches('/').trim());
            first = comment.start;
        }
        lines.reverse();
        (lines.join("\n"), first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_around_a_hole() {
        let code = Code::new("/// One.\nfn one(a, b) { a + ( }\nfn two() { if \nprivate fn three(p) { p }\n");
        let found: Vec<_> = code.functions.iter().map(|one| (one.call(), one.is_closed, one.is_private)).collect();
        assert_eq!(
            found,
            [("one(a, b)".into(), false, false), ("two()".into(), false, false), ("three(p)".into(), true, true)]
        );
        assert_eq!(code.functions[0].comment, "One.");
    }

    #[test]
    fn no_text_is_too_broken() {
        let text = "/// 日本\nfn f(p) { let t = `${p.hand[\"a\\\"\"]}`; /* /* */ */ for x in 0..3 { p.choose(\"b\", p.hand, |c| c); } }";
        for end in (0..=text.len()).filter(|&end| text.is_char_boundary(end)) {
            for start in [0, end / 2].into_iter().filter(|&start| text.is_char_boundary(start)) {
                let code = Code::new(&text[start..end]);
                for token in 0..code.tokens.len() {
                    code.closing(token, code.tokens.len());
                    code.opening(token);
                    code.call_around(token, 0);
                    code.arguments(token, code.tokens.len());
                }
            }
        }
    }
}
