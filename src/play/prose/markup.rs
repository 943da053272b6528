//! The markup of rulebooks: a small part of Markdown, and placeholders in braces.

/// A block of a section, filled and ready for layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Passage {
    /// A paragraph.
    Paragraph(Vec<Piece>),
    /// A heading within the section.
    Heading(Vec<Piece>),
    /// A list; numbered where order matters.
    List {
        /// Whether the items are numbered.
        is_numbered: bool,
        /// The items.
        items: Vec<Vec<Piece>>,
    },
    /// A table; its first row is the header.
    Table(Vec<Vec<Vec<Piece>>>),
    /// The components of a group, to be drawn, by the group's index.
    Faces(usize),
}

/// A stretch of text with the same style.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Piece {
    /// The text.
    pub text: String,
    /// The emphasis.
    pub stress: Stress,
    /// The indices of the variants that changed the text, where it was filled from the rules.
    pub by: Vec<usize>,
}

/// Levels of emphasis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Stress {
    /// No emphasis.
    #[default]
    None,
    /// Emphasis, written `*so*`.
    Emphasis,
    /// Strong emphasis, written `**so**`.
    Strong,
}

/// The first sentence of a text.
pub fn first_sentence(pieces: &[Piece]) -> Vec<Piece> {
    let text: String = pieces.iter().map(|piece| &*piece.text).collect();
    let ends = |(at, letter): &(usize, char)| {
        let behind = text[at + letter.len_utf8()..].chars().next();
        "。！？".contains(*letter) || (".!?".contains(*letter) && behind == Some(' '))
    };
    let mut left = text.char_indices().find(ends).map_or(text.len(), |(at, letter)| at + letter.len_utf8());
    let mut sentence = Vec::new();
    for piece in pieces {
        let said = piece.text.get(..left).unwrap_or(&piece.text);
        left -= said.len();
        sentence.push(Piece { text: said.to_owned(), ..piece.clone() });
    }
    sentence.retain(|piece| !piece.text.is_empty());
    sentence
}

/// A stretch of text, or a placeholder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Span<'t> {
    /// Text.
    Plain(String),
    /// A placeholder, without its braces.
    Place(&'t str),
    /// A placeholder without a closing brace.
    Unclosed(&'t str),
}

/// A block of lines that belong together.
pub(super) enum Block<'t> {
    Paragraph(Vec<&'t str>),
    Heading(&'t str),
    List { is_numbered: bool, items: Vec<Vec<&'t str>> },
    Table(Vec<Vec<&'t str>>),
}

/// Splits a text into blocks.
pub(super) fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut is_new = true;
    for line in text.lines() {
        let line = line.trim();
        if line.is_empty() {
            is_new = true;
            continue;
        }
        let last = blocks.last_mut().filter(|_| !is_new);
        if let Some(heading) = line.strip_prefix("### ").or(line.strip_prefix("## ")) {
            blocks.push(Block::Heading(heading.trim()));
        } else if line.starts_with('|') {
            let row: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let is_rule = row.iter().all(|cell| !cell.is_empty() && cell.chars().all(|letter| "-: ".contains(letter)));
            match last {
                Some(Block::Table(rows)) if !is_rule => rows.push(row),
                Some(Block::Table(_)) => {}
                _ => blocks.push(Block::Table(vec![row])),
            }
        } else if let Some((is_numbered, item)) = item(line) {
            match last {
                Some(Block::List { is_numbered: known, items }) if *known == is_numbered => items.push(vec![item]),
                _ => blocks.push(Block::List { is_numbered, items: vec![vec![item]] }),
            }
        } else {
            match last {
                Some(Block::Paragraph(lines)) => lines.push(line),
                Some(Block::List { items, .. }) => {
                    if let Some(item) = items.last_mut() {
                        item.push(line);
                    }
                }
                _ => blocks.push(Block::Paragraph(vec![line])),
            }
        }
        // After a heading, a new block begins in any case.
        is_new = matches!(blocks.last(), Some(Block::Heading(_)));
    }
    blocks
}

/// Reads a list item: whether it is numbered, and its text.
fn item(line: &str) -> Option<(bool, &str)> {
    if let Some(item) = line.strip_prefix("- ").or(line.strip_prefix("* ")) {
        return Some((false, item.trim()));
    }
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    let item = line.get(digits..)?.strip_prefix(". ").filter(|_| digits > 0)?;
    Some((true, item.trim()))
}

/// Splits a text into stretches of equal emphasis.
pub(super) fn stresses(text: &str) -> Vec<(Stress, String)> {
    let mut found: Vec<(Stress, String)> = Vec::new();
    // The last closing mark is found once here, instead of searching from each opening mark.
    let is_closing = |(at, _): &(usize, &str)| !text[..*at].ends_with(['\\', ' ']);
    let [last_emphasis, last_strong] =
        ["*", "**"].map(|mark| text.match_indices(mark).filter(is_closing).last().map_or(0, |(at, _)| at));
    let mut stress = Stress::None;
    let mut rest = text;
    let mut plain = String::new();
    while let Some(letter) = rest.chars().next() {
        let (mark, of_mark, last) = match rest.starts_with("**") {
            true => ("**", Stress::Strong, last_strong),
            false => ("*", Stress::Emphasis, last_emphasis),
        };
        let behind = rest.get(mark.len()..).unwrap_or_default();
        let is_closed = text.len() - behind.len() < last && !behind.starts_with([' ', '*']);
        // A mark after a letter or digit is a multiplication sign or a footnote; Japanese has no spaces before marks.
        let before = plain.chars().last().filter(char::is_ascii_alphanumeric);
        let begins = stress == Stress::None && before.is_none() && is_closed;
        if letter == '*' && (stress == of_mark || begins) {
            found.push((stress, std::mem::take(&mut plain)));
            stress = if stress == of_mark { Stress::None } else { of_mark };
            rest = behind;
        } else if letter == '\\' && behind.starts_with(['*', '\\']) {
            plain.extend(behind.chars().next());
            rest = behind.get(1..).unwrap_or_default();
        } else {
            plain.push(letter);
            rest = rest.get(letter.len_utf8()..).unwrap_or_default();
        }
    }
    found.push((stress, plain));
    found.retain(|(_, text)| !text.is_empty());
    found
}

/// Splits a text into plain stretches and placeholders. `{{` is a literal brace.
pub(super) fn spans(text: &str) -> Vec<Span<'_>> {
    let mut spans = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    let last = text.rfind('}').unwrap_or(0);
    while let Some(at) = rest.find(['{', '}']) {
        let (before, behind) = rest.split_at(at);
        plain.push_str(before);
        let brace = behind.get(..1).unwrap_or_default();
        let inside = behind.get(1..).unwrap_or_default();
        if let Some(doubled) = inside.strip_prefix(brace) {
            plain.push_str(brace);
            rest = doubled;
        } else if brace == "{"
            && text.len() - inside.len() <= last
            && let Some((place, next)) = inside.split_once('}')
        {
            if !plain.is_empty() {
                spans.push(Span::Plain(std::mem::take(&mut plain)));
            }
            spans.push(Span::Place(place.trim()));
            rest = next;
        } else if brace == "{" && inside.starts_with(|letter: char| letter.is_ascii_lowercase()) {
            let is_of_place = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
            let end = inside.find(|letter| !is_of_place(letter)).unwrap_or(inside.len());
            if !plain.is_empty() {
                spans.push(Span::Plain(std::mem::take(&mut plain)));
            }
            spans.push(Span::Unclosed(inside.get(..end).unwrap_or_default()));
            rest = inside.get(end..).unwrap_or_default();
        } else {
            plain.push_str(brace);
            rest = inside;
        }
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        spans.push(Span::Plain(plain));
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_ends_where_it_does() {
        let first = |text: &str| {
            let pieces = stresses(text).into_iter().map(|(stress, text)| Piece { text, stress, by: Vec::new() });
            first_sentence(&pieces.collect::<Vec<_>>()).into_iter().map(|piece| piece.text).collect::<String>()
        };
        assert_eq!(first("Take **one.** Then 1.5 more."), "Take one.");
        assert_eq!(first("At 1.5 it ends"), "At 1.5 it ends");
        assert_eq!(first("**1枚**引く。出す。"), "1枚引く。");
    }

    #[test]
    fn marks_are_read_and_stray_ones_stay() {
        let read = |text: &str| {
            let each = stresses(text).into_iter().map(|(stress, text)| match stress {
                Stress::None => text,
                Stress::Emphasis => format!("<{text}>"),
                Stress::Strong => format!("<<{text}>>"),
            });
            each.collect::<String>()
        };
        assert_eq!(read("a **b c** and *d*"), "a <<b c>> and <d>");
        assert_eq!(read("3 * 4, 2*, \\*x\\*"), "3 * 4, 2*, *x*");
        assert_eq!(read("カードを**1枚**引く"), "カードを<<1枚>>引く");
        let places = [Span::Plain("a ".into()), Span::Place("data.x"), Span::Plain(" {b} }".into())];
        assert_eq!(spans("a {data.x} {{b}} }"), places);
        assert_eq!(spans("{"), [Span::Plain("{".into())]);
        assert_eq!(spans("{a.b c"), [Span::Unclosed("a.b"), Span::Plain(" c".into())]);
        assert_eq!(read("*a *b** c\\*"), "<a >b** c*");
        assert_eq!(read("**a*** *"), "<<a>>* *");
    }

    /// Searching from each mark separately would take minutes.
    #[test]
    fn marks_that_nothing_closes_are_read_at_once() {
        for part in ["*a ", "**a ", "*a **b ", "* ", "\\*", "***", "{", "{a", "}", "{{a", "{a *b "] {
            let text = part.repeat(60_000);
            assert!(!stresses(&text).is_empty() && !spans(&text).is_empty(), "{part}");
            let closed = format!("{text}x*}}");
            assert!(!stresses(&closed).is_empty() && !spans(&closed).is_empty(), "{part}");
        }
    }
}
