//! Blocks of lines: texts wrapped at words, items that flow from line to line, and blocks beside each other.

use super::columns::{folded, pieces, width};
use super::{Line, Span};

/// A text wrapped at words; a word that is too long is cut. Lines may also end between wide characters, which are
/// written without blanks.
pub fn wrapped(text: &str, columns: usize) -> Vec<Line> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match words.last_mut() {
            // A number stays with its unit.
            Some(number) if word.starts_with('%') && number.ends_with(|last: char| last.is_ascii_digit()) => {
                number.extend([" ", word]);
            }
            _ => words.push(word.to_owned()),
        }
    }
    let mut lines: Vec<Line> = Vec::new();
    for word in &words {
        for (number, piece) in pieces(word).into_iter().enumerate() {
            let gap = usize::from(number == 0);
            let piece = Line::plain(piece);
            match lines.last_mut() {
                Some(line) if line.width() + gap + piece.width() <= columns => {
                    line.blanks(gap);
                    line.append(piece);
                }
                _ => lines.push(piece.cut(columns)),
            }
        }
    }
    lines
}

/// Paragraphs, wrapped, with an empty line between them.
pub fn paragraphs(text: &str, columns: usize) -> Vec<Line> {
    let paragraphs: Vec<Vec<Line>> = text.split("\n\n").map(|paragraph| wrapped(paragraph, columns)).collect();
    paragraphs.join(&Line::default())
}

/// Items one after the other, wrapped to lines with `gap` blanks between; an item that is too wide is cut.
pub fn flow(items: impl IntoIterator<Item = Line>, gap: usize, columns: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for item in items {
        match lines.last_mut() {
            Some(line) if line.width() + gap + item.width() <= columns => {
                line.blanks(gap);
                line.append(item);
            }
            _ => lines.push(item.cut(columns)),
        }
    }
    lines
}

/// Lines wrapped to a screen's width, except for code.
pub fn within(lines: Vec<Line>, columns: usize) -> Vec<Line> {
    lines.into_iter().flat_map(|line| if line.is_code { vec![line] } else { line.broken(columns) }).collect()
}

/// Lines behind a lead, with hanging indentation.
pub fn hang(lead: Line, body: Vec<Line>) -> Vec<Line> {
    let indent = lead.width();
    let mut lines = vec![lead];
    for (number, text) in body.into_iter().enumerate() {
        if number > 0 {
            lines.push(Line::of_blanks(indent));
        }
        if let Some(line) = lines.last_mut() {
            line.append(text);
        }
    }
    lines
}

/// Two blocks side by side, the right one starting at a column.
pub fn beside(left: Vec<Line>, column: usize, right: Vec<Line>) -> Vec<Line> {
    let count = left.len().max(right.len());
    let (mut left, mut right) = (left.into_iter(), right.into_iter());
    let row = |_| {
        let mut line = left.next().unwrap_or_default();
        if let Some(text) = right.next() {
            line.pad(column);
            line.append(text);
        }
        line
    };
    (0..count).map(row).collect()
}

impl Line {
    /// The line broken into pieces within `columns`, between words; a longer word is broken where necessary.
    #[must_use]
    pub fn broken(self, columns: usize) -> Vec<Line> {
        if self.width() <= columns {
            return vec![self];
        }
        let columns = columns.max(1);
        let mut lines = vec![Line::default()];
        for span in self.spans {
            let words = span.text.split_inclusive(' ');
            // Paths and settings are broken between their parts.
            let parts = words.flat_map(|word| match width(word.trim_end()) > columns {
                true => word.split_inclusive(['.', '=', '/', '-']).collect(),
                false => vec![word],
            });
            for piece in parts.flat_map(|part| folded(part, columns)) {
                let is_full = |line: &Line| line.width() + width(piece.trim_end()) > columns;
                if lines.last().is_some_and(|line| is_full(line) && !line.is_empty()) {
                    lines.push(Line::default());
                }
                if let Some(line) = lines.last_mut() {
                    line.push(Span::of_visible(piece.to_owned(), span.style));
                }
            }
        }
        lines.iter_mut().for_each(Line::trim_end);
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::style::Label;

    #[test]
    fn a_number_keeps_its_unit() {
        let text =
            |columns| wrapped("seat 0 % (0 to 16 %), luck 61 %", columns).iter().map(Line::text).collect::<Vec<_>>();
        assert_eq!(text(20), ["seat 0 % (0 to", "16 %), luck 61 %"]);
        assert_eq!(text(6), ["seat", "0 % (0", "to", "16 %),", "luck", "61 %"]);
    }

    #[test]
    fn what_is_wider_than_the_screen_is_broken_between_words_but_code_is_not() {
        let lines = vec![Line::plain("delete what does not matter"), Line::code("    x = { a = 1, b = 2 }")];
        let texts: Vec<String> = within(lines.clone(), 18).iter().map(Line::text).collect();
        assert_eq!(texts, ["delete what does", "not matter", "    x = { a = 1, b = 2 }"]);
        assert_eq!(within(lines.clone(), 80), lines);
    }

    #[test]
    fn items_flow_from_line_to_line() {
        let items = ["4·k", "11·p", "20·r"].map(|text| Line::of(text, Label::Plain));
        let texts = |columns| flow(items.clone(), 1, columns).iter().map(Line::text).collect::<Vec<_>>();
        assert_eq!(texts(13), ["4·k 11·p 20·r"]);
        assert_eq!(texts(12), ["4·k 11·p", "20·r"]);
        assert_eq!(texts(3), ["4·k", "11…", "20…"]);
    }
}
