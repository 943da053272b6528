//! The marks that prose may have: a small part of Markdown, and places in braces.

/// A piece of a section as it stands on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Passage {
    /// A paragraph.
    Paragraph(Vec<Piece>),
    /// A heading within the section.
    Heading(Vec<Piece>),
    /// A list, with numbers where order matters.
    List {
        /// Whether its items have numbers.
        is_numbered: bool,
        /// Its items.
        items: Vec<Vec<Piece>>,
    },
    /// A table, whose first row names its columns.
    Table(Vec<Vec<Vec<Piece>>>),
    /// The components of a group, drawn; by its number.
    Faces(usize),
}

/// A stretch of text that looks alike.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Piece {
    /// What is said.
    pub text: String,
    /// How it is stressed.
    pub stress: Stress,
    /// The variants that changed it, where it was filled from the rules.
    pub by: Vec<usize>,
}

/// How a text is stressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Stress {
    /// Not at all.
    #[default]
    None,
    /// `*so*`
    Emphasis,
    /// `**so**`
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

/// What stands between two braces, or beside them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Span<'t> {
    /// A text as it is written.
    Plain(String),
    /// A place, without its braces.
    Place(&'t str),
    /// A place whose brace is not closed.
    Unclosed(&'t str),
}

/// The lines of a text in blocks: what stands in one belongs together.
pub(super) enum Block<'t> {
    Paragraph(Vec<&'t str>),
    Heading(&'t str),
    List { is_numbered: bool, items: Vec<Vec<&'t str>> },
    Table(Vec<Vec<&'t str>>),
}

/// Reads a text in blocks.
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
        // Behind a heading something new begins in any case.
        is_new = matches!(blocks.last(), Some(Block::Heading(_)));
    }
    blocks
}

/// An item of a list, without its mark.
fn item(line: &str) -> Option<(bool, &str)> {
    if let Some(item) = line.strip_prefix("- ").or(line.strip_prefix("* ")) {
        return Some((false, item.trim()));
    }
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    let item = line.get(digits..)?.strip_prefix(". ").filter(|_| digits > 0)?;
    Some((true, item.trim()))
}

/// Reads a text in stretches that are stressed alike.
pub(super) fn stresses(text: &str) -> Vec<(Stress, String)> {
    let mut found: Vec<(Stress, String)> = Vec::new();
    // Whether anything closes a mark is asked at each of them, so the last place where that happens is looked up once.
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
        // Behind a letter or a number it is a sign of multiplication or a remark; Japanese has no blanks before it.
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

/// Reads a text in what is written out and places in braces. `{{` is a brace.
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

    /// What is looked for behind each mark is looked for once: else this would take minutes.
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
