//! Syntax highlighting of scripts: keywords, numbers, strings and comments.

use super::style::{Label, Line, Style};
use crate::script::tokens::{TokenKind, tokens};
use anstyle::AnsiColor;

pub fn script(text: &str) -> Vec<Line> {
    text.lines().map(line).collect()
}

/// A line of a script by itself: the continuation of a string or comment from the line before is not recognised.
fn line(text: &str) -> Line {
    tokens(text).into_iter().fold(Line::default(), |line, token| line.with(&text[token.span()], look(token.kind)))
}

fn look(kind: TokenKind) -> Style {
    let (label, color) = match kind {
        TokenKind::Keyword => (Label::Plain, Some(AnsiColor::Magenta)),
        TokenKind::Number => (Label::Plain, Some(AnsiColor::Cyan)),
        TokenKind::Text | TokenKind::Template => (Label::Plain, Some(AnsiColor::Green)),
        TokenKind::Comment | TokenKind::Doc | TokenKind::BlockComment => (Label::Faint, None),
        _ => (Label::Plain, None),
    };
    Style { label, color }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_of_a_script_is_shown_and_what_it_is() {
        let text = "fn x(p) { let a = \"if \\\" 1\"; 12 + b2 } // for `x`";
        let shown = line(text);
        assert_eq!(shown.text(), text);
        let pieces = |kind| {
            let is_it = |span: &&super::super::style::Span| span.style() == look(kind);
            shown.spans().iter().filter(is_it).map(|span| span.text().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(pieces(TokenKind::Keyword), ["fn", "let"]);
        assert_eq!(pieces(TokenKind::Text), ["\"if \\\" 1\""]);
        assert_eq!(pieces(TokenKind::Number), ["12"]);
        assert_eq!(pieces(TokenKind::Comment), ["// for `x`"]);
        for text in ["", "\"", "`日", "\u{1b}[31m", "/", "é1"] {
            assert_eq!(line(text).text(), crate::diagnostic::visible(text));
        }
    }
}
