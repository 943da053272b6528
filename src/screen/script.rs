//! Scripts in colour: words of the language, numbers, texts and comments look different.

use super::style::{Label, Line, Style};
use anstyle::AnsiColor;

/// The words that make a script what it is.
const WORDS: [&str; 20] = [
    "break", "catch", "const", "continue", "do", "else", "false", "fn", "for", "if", "in", "let", "loop", "private",
    "return", "super", "switch", "true", "until", "while",
];

/// What a stretch of a script is.
#[derive(Clone, Copy, PartialEq)]
enum Sort {
    Other,
    Word,
    Number,
    Text,
    Comment,
}

/// The lines of a script.
pub fn script(text: &str) -> Vec<Line> {
    text.lines().map(line).collect()
}

/// One line of a script, by itself: a text or a comment that goes on from the line before is not known as one.
fn line(text: &str) -> Line {
    let (mut line, mut rest) = (Line::default(), text);
    while let Some(first) = rest.chars().next() {
        let (sort, length) = next(rest, first);
        let (piece, left) = rest.split_at_checked(length).unwrap_or((rest, ""));
        line = line.with(piece, look(sort));
        rest = left;
    }
    line
}

/// What a text begins with, and how many bytes of it are that.
fn next(text: &str, first: char) -> (Sort, usize) {
    let while_ = |holds: fn(char) -> bool| text.find(|letter| !holds(letter)).unwrap_or(text.len());
    match first {
        '/' if text.starts_with("//") => (Sort::Comment, text.len()),
        '"' | '`' => {
            let mut escaped = false;
            let end = text.char_indices().skip(1).find(|(_, letter)| {
                let ends = *letter == first && !escaped;
                escaped = *letter == '\\' && !escaped;
                ends
            });
            (Sort::Text, end.map_or(text.len(), |(at, quote)| at + quote.len_utf8()))
        }
        first if first.is_ascii_digit() => {
            (Sort::Number, while_(|letter| letter.is_ascii_alphanumeric() || letter == '_'))
        }
        first if first.is_alphabetic() || first == '_' => {
            let end = while_(|letter| letter.is_alphanumeric() || letter == '_');
            let is_word = text.get(..end).is_some_and(|word| WORDS.contains(&word));
            (if is_word { Sort::Word } else { Sort::Other }, end)
        }
        first => (Sort::Other, first.len_utf8()),
    }
}

fn look(sort: Sort) -> Style {
    let (label, color) = match sort {
        Sort::Other => (Label::Plain, None),
        Sort::Word => (Label::Plain, Some(AnsiColor::Magenta)),
        Sort::Number => (Label::Plain, Some(AnsiColor::Cyan)),
        Sort::Text => (Label::Plain, Some(AnsiColor::Green)),
        Sort::Comment => (Label::Faint, None),
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
        let pieces = |sort| {
            let is_it = |span: &&super::super::style::Span| span.style() == look(sort);
            shown.spans().iter().filter(is_it).map(|span| span.text().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(pieces(Sort::Word), ["fn", "let"]);
        assert_eq!(pieces(Sort::Text), ["\"if \\\" 1\""]);
        assert_eq!(pieces(Sort::Number), ["12"]);
        assert_eq!(pieces(Sort::Comment), ["// for `x`"]);
        for text in ["", "\"", "`日", "\u{1b}[31m", "/", "é1"] {
            assert_eq!(line(text).text(), crate::diagnostic::visible(text));
        }
    }
}
