//! Texts in sections, set on pages of a size: the rulebook as a booklet, and the player aid.
//!
//! The rulebook is taken as the Markdown that it is written as elsewhere, so that whatever it comes to say is printed, too.

use super::pen::{Anchor, FAINT, Ink, Pen, breadth, lines, number};
use crate::definition::sign::Sign;

/// A piece of text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Block {
    /// Of the whole.
    Title(String),
    /// Of a section.
    Heading(String),
    /// Of a part of one.
    Subheading(String),
    Text(String),
    Item(String),
    /// Drawn as in a terminal.
    Code(Vec<String>),
    /// A sign with its colour, and what it means.
    Sign(&'static Sign, &'static str, String),
}

/// A section with what links lead to it by.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Section {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) blocks: Vec<Block>,
}

/// The sections of a text in Markdown; what stands before the first has no title.
pub(super) fn sections(markdown: &str) -> Vec<Section> {
    let mut sections = vec![Section::default()];
    let mut id = String::new();
    let mut lines = markdown.lines().peekable();
    let mut paragraph = String::new();
    while let Some(line) = lines.next() {
        let Some(section) = sections.last_mut() else { break };
        let is_plain = !line.trim().is_empty() && !line.starts_with(['#', '|', '<', '`']) && !line.starts_with("* ");
        if !is_plain && !paragraph.is_empty() {
            section.blocks.push(Block::Text(std::mem::take(&mut paragraph)));
        }
        if let Some(anchor) = line.strip_prefix("<a id=\"") {
            id = anchor.split('"').next().unwrap_or_default().to_owned();
        } else if let Some(title) = line.strip_prefix("# ") {
            section.blocks.push(Block::Title(plain(title)));
        } else if let Some(title) = line.strip_prefix("## ") {
            sections.push(Section { id: std::mem::take(&mut id), title: plain(title), blocks: Vec::new() });
        } else if line.starts_with('#') {
            section.blocks.push(Block::Subheading(plain(line.trim_start_matches('#'))));
        } else if let Some(item) = line.strip_prefix("* ") {
            section.blocks.push(Block::Item(plain(item)));
        } else if line.starts_with("```") {
            let code: Vec<String> =
                lines.by_ref().take_while(|line| !line.starts_with("```")).map(str::to_owned).collect();
            section.blocks.push(Block::Code(code));
        } else if line.starts_with('|') {
            // The names of the columns would take a line, and what they say shows.
            let is_head = lines.peek().is_some_and(|next| next.starts_with("| ---") || next.starts_with("|---"));
            if !is_head && !line.starts_with("| ---") && !line.starts_with("|---") {
                section.blocks.push(Block::Item(row(line)));
            }
        } else if is_plain {
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            // A line of strong words alone is a name of what follows.
            let is_name =
                line.len() > 4 && line.starts_with("**") && line.ends_with("**") && line.matches("**").count() == 2;
            if is_name && paragraph.is_empty() {
                section.blocks.push(Block::Subheading(plain(line)));
            } else {
                paragraph.push_str(&plain(line));
            }
        }
    }
    if let Some(section) = sections.last_mut().filter(|_| !paragraph.is_empty()) {
        section.blocks.push(Block::Text(paragraph));
    }
    sections
}

/// A row of a table in a line.
fn row(line: &str) -> String {
    let inside = line.trim().trim_start_matches('|').trim_end_matches('|').replace("\\|", "\u{1}");
    let cells: Vec<String> = inside.split('|').map(|cell| plain(&cell.replace('\u{1}', "|"))).collect();
    match cells.split_first() {
        Some((first, rest)) if !rest.is_empty() => {
            let rest: Vec<&str> =
                rest.iter().map(String::as_str).filter(|cell| !cell.is_empty() && *cell != "–").collect();
            if rest.is_empty() { first.clone() } else { format!("{first}: {}", rest.join(" · ")) }
        }
        _ => cells.concat(),
    }
}

/// A text without the marks of Markdown.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut letters = text.trim().chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => out.extend(letters.next()),
            '*' | '`' => {}
            // Of a link, its text is left.
            ']' if letters.peek() == Some(&'(') => {
                letters.by_ref().take_while(|letter| *letter != ')').for_each(drop);
            }
            '[' => {}
            _ => out.push(letter),
        }
    }
    out.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// The first sentence of a text.
fn first_sentence(text: &str) -> &str {
    let end =
        text.char_indices().find(|(at, letter)| *letter == '。' || (*letter == '.' && text[at + 1..].starts_with(' ')));
    end.map_or(text, |(at, letter)| &text[..at + letter.len_utf8()])
}

/// What a player looks up at the table: how a turn goes, what scores, and what signs mean. Of the rules, each step has its
/// first sentence.
pub(super) fn aid(game: &str, sections: &[Section], signs: (&str, Vec<Block>)) -> Vec<Block> {
    let mut blocks = vec![Block::Title(game.to_owned())];
    for section in sections.iter().filter(|section| AIDS.contains(&&*section.id)) {
        blocks.push(Block::Heading(section.title.clone()));
        let mut had_text = false;
        for block in &section.blocks {
            match block {
                Block::Subheading(_) => {
                    had_text = false;
                    blocks.push(block.clone());
                }
                // Of the steps within a step only the one that is told first.
                Block::Text(text) if !had_text || !text.starts_with(|first: char| first.is_ascii_digit()) => {
                    had_text = true;
                    blocks.push(Block::Text(first_sentence(text).to_owned()));
                }
                // Where the rule stands is of no use where it does not.
                Block::Item(item) => {
                    let is_number = |end: &str| end.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
                    let item = item
                        .rsplit_once(" · ")
                        .filter(|(_, end)| is_number(end))
                        .map_or(item.as_str(), |(item, _)| item);
                    blocks.push(Block::Item(item.to_owned()));
                }
                _ => {}
            }
        }
    }
    let (title, signs) = signs;
    if !signs.is_empty() {
        blocks.push(Block::Heading(title.to_owned()));
        blocks.extend(signs);
    }
    blocks
}

/// The sections of a rulebook that an aid is made of.
const AIDS: [&str; 13] =
    ["turn", "round", "trick", "bid", "bets", "call", "move", "rules", "scoring", "score", "points", "end", "winning"];

/// A line that is set.
struct SetLine {
    drawn: String,
    /// From the line above to this one, and its own height.
    before: f64,
    height: f64,
    /// Whether the next line belongs to it.
    keeps_next: bool,
}

/// Sets blocks on pages so wide and high, in letters so high; each page is a drawing.
pub(super) fn set(blocks: &[Block], [width, height]: [f64; 2], margin: f64, size: f64, ink: Ink) -> Vec<String> {
    let inner = width - 2.0 * margin;
    let all: Vec<SetLine> = blocks.iter().flat_map(|block| set_block(block, inner, size, ink)).collect();
    let mut pages: Vec<String> = Vec::new();
    let mut page = String::new();
    let mut y = margin;
    for (place, line) in all.iter().enumerate() {
        let mut needed = line.height;
        let mut next = place;
        while all.get(next).is_some_and(|line| line.keeps_next) {
            next += 1;
            needed += all.get(next).map_or(0.0, |line| line.before + line.height);
        }
        let before = if y > margin { line.before } else { 0.0 };
        if y > margin && y + before + needed > height - margin {
            pages.push(std::mem::take(&mut page));
            y = margin;
        } else {
            y += before;
        }
        page.push_str(&format!("<g transform=\"translate({} {})\">{}</g>", number(margin), number(y), line.drawn));
        y += line.height;
    }
    if !page.is_empty() {
        pages.push(page);
    }
    pages
}

fn set_block(block: &Block, width: f64, size: f64, ink: Ink) -> Vec<SetLine> {
    let dark = ink.on_paper(None);
    let text = |text: &str, size: f64, indent: f64, weight: u32, before: f64, keeps_next: bool| {
        let found = lines(text, width - indent, size);
        let count = found.len();
        let line = move |(place, line): (usize, String)| {
            let mut pen = Pen::new(ink);
            let style = format!("fill:{};font-weight:{weight}", ink.on_paper(None));
            let size = (width - indent) / breadth(&line).max((width - indent) / size);
            pen.text(&line, [indent, size * 0.65], size, Anchor::Start, &style);
            SetLine {
                drawn: pen.out,
                before: if place == 0 { before } else { 0.0 },
                height: size * 1.35,
                keeps_next: keeps_next || (place == 0 && count > 1),
            }
        };
        found.into_iter().enumerate().map(line).collect::<Vec<SetLine>>()
    };
    match block {
        Block::Title(title) => text(title, size * 1.8, 0.0, 700, 0.0, true),
        Block::Heading(title) => text(title, size * 1.35, 0.0, 700, size * 1.4, true),
        Block::Subheading(title) => text(title, size * 1.1, 0.0, 700, size * 0.9, true),
        Block::Text(said) => text(said, size, 0.0, 400, size * 0.5, false),
        Block::Item(said) => {
            let mut set = text(said, size, size * 1.2, 400, size * 0.15, false);
            if let Some(first) = set.first_mut() {
                let mut pen = Pen::new(ink);
                pen.circle([size * 0.5, size * 0.65], size * 0.16, &format!("fill:{dark}"));
                first.drawn.push_str(&pen.out);
            }
            set
        }
        Block::Code(code) => {
            let columns = code.iter().map(|line| crate::screen::style::width(line)).max().unwrap_or(1).max(1);
            // A letter of a fixed width is about this part of its height.
            let size = (width / (columns as f64 * 0.63)).min(size * 0.9);
            let line = |(place, line): (usize, &String)| {
                let mut pen = Pen::new(ink);
                let indent = line.len() - line.trim_start().len();
                let style = format!("fill:{dark};font-family:monospace;white-space:pre");
                pen.text(line, [indent as f64 * size * 0.602, size * 0.65], size, Anchor::Start, &style);
                let before = if place == 0 { size * 0.8 } else { 0.0 };
                SetLine { drawn: pen.out, before, height: size * 1.3, keeps_next: place + 1 < code.len() && place < 30 }
            };
            code.iter().enumerate().map(line).collect()
        }
        Block::Sign(sign, color, said) => {
            let mut set = text(said, size, size * 2.0, 400, size * 0.25, false);
            if let Some(first) = set.first_mut() {
                let mut pen = Pen::new(ink);
                let (at, side) = ([size * 0.75, size * 0.65], size * 1.3);
                if ink.is_low || color.is_empty() {
                    pen.sign(sign, at, side, &ink.on_paper(Some(color)));
                } else {
                    pen.rect(
                        [0.0, -size * 0.1, size * 1.5, size * 1.5],
                        size * 0.3,
                        &format!("fill:{};stroke:{FAINT};stroke-width:.1", ink.fill(color)),
                    );
                    pen.sign(sign, at, side * 0.75, &ink.on_fill(color));
                }
                first.drawn.push_str(&pen.out);
            }
            set
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_sections() {
        let text = "# A & B\n\nWhat it is\nabout.\n\n<a id=\"rules\"></a>\n\n## How\n\n### 1 Turn\n\nPlay *one* card. Or two.\n\n* You decide: [this](#x) \\*\n\n| a | b |\n| --- | --- |\n| `c` | – |\n| d | e \\| f |\n\n```text\n  x\n```\n";
        let found = sections(text);
        assert_eq!(found[0].blocks, [Block::Title("A & B".into()), Block::Text("What it is about.".into())]);
        assert_eq!((&*found[1].id, &*found[1].title), ("rules", "How"));
        let item = |text: &str| Block::Item(text.into());
        let expected = [
            Block::Subheading("1 Turn".into()),
            Block::Text("Play one card. Or two.".into()),
            item("You decide: this *"),
            item("c"),
            item("d: e | f"),
            Block::Code(vec!["  x".into()]),
        ];
        assert_eq!(found[1].blocks, expected);
        let aid = aid("A", &found, ("Signs", Vec::new()));
        assert!(aid.contains(&Block::Text("Play one card.".into())), "{aid:?}");
    }

    #[test]
    fn pages_hold_as_much_as_there_is_room() {
        let blocks: Vec<Block> = (0..100).map(|number| Block::Text(format!("line {number}"))).collect();
        let pages = set(&blocks, [60.0, 60.0], 5.0, 2.5, Ink::default());
        assert_eq!(pages.iter().map(|page| page.matches("<text").count()).sum::<usize>(), 100);
        assert!(pages.len() > 5, "{}", pages.len());
        // A heading is not left alone.
        let mut blocks = vec![Block::Text("x".into()); 10];
        blocks.extend([Block::Heading("y".into()), Block::Text("z".into())]);
        let pages = set(&blocks, [60.0, 10.0 + 10.0 * 3.375 + 9.0 * 1.25 + 3.0], 5.0, 2.5, Ink::default());
        assert!(pages.last().is_some_and(|page| page.contains(">y<") && page.contains(">z<")));
    }
}
