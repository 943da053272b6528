//! Typesetting the rulebook on pages of a given size: the booklet, and the player aid.

use super::pen::{Anchor, FAINT, Ink, Pen, breadth, lines, number};
use crate::definition::sign::Sign;
use crate::playthrough::Playthrough;
use crate::prose::{Passage, Piece, Stress, first_sentence};
use crate::screen::rulebook::markdown::{drawn_table, in_words, start_scene};
use crate::screen::rulebook::prose::example_scene;
use crate::screen::rulebook::{Block as RulebookBlock, DrawnExample, LocalText, Rule, Rulebook, Section, Table, words};

/// A block of a page.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Block {
    /// The title of the whole.
    Title(String),
    /// The heading of a section.
    Heading(Vec<Piece>),
    /// The heading of a part of a section.
    Subheading(Vec<Piece>),
    Text(Vec<Piece>),
    /// An item of a list, with its number if it has one.
    Item(Option<usize>, Vec<Piece>),
    /// Rows of cells, the column heads first.
    Table(Vec<Vec<Vec<Piece>>>),
    /// Preformatted lines, as drawn in a terminal.
    Code(Vec<String>),
    /// A sign with its colour and meaning.
    Sign(&'static Sign, &'static str, String),
}

/// The whole rulebook, without a table of contents, which a booklet of few pages does not need.
pub(super) fn booklet(book: &Rulebook) -> Vec<Block> {
    let mut blocks = vec![Block::Title(book.title.clone())];
    if !book.variants.is_empty() {
        let names: Vec<&str> = book.variants.iter().map(|variant| &*variant.name).collect();
        blocks.push(Block::Text(strong(names.join(" · "))));
    }
    blocks.push(Block::Text(plain(&book.about)));
    blocks.extend(book.facts.iter().map(|(name, value)| Block::Item(None, plain(format!("{name}: {value}")))));
    for section in &book.sections {
        blocks.push(heading(book, section));
        for told in &section.blocks {
            blocks.extend(match told {
                // Only the word and its meaning: the fonts for the other language may be missing.
                RulebookBlock::Table(table) if section.id == "glossary" => of_table(book, table, 2),
                told => of_block(book, told),
            });
        }
    }
    blocks
}

/// A summary for the table: the turn, scoring, and the meaning of signs, with the first sentence of each paragraph.
/// Empty if the rulebook has none of these.
pub(super) fn aid(game: &str, book: &Rulebook, (title, signs): (&str, Vec<Block>)) -> Vec<Block> {
    let mut blocks = Vec::new();
    let looked_up = book.sections.iter().filter(|section| section.is_looked_up);
    for section in looked_up.chain(&book.steps) {
        let told: Vec<Block> = section.blocks.iter().flat_map(|told| in_short(book, told)).collect();
        if !told.is_empty() {
            blocks.push(heading(book, section));
            blocks.extend(told);
        }
    }
    if !signs.is_empty() {
        blocks.push(Block::Heading(plain(title)));
        blocks.extend(signs);
    }
    if !blocks.is_empty() {
        blocks.insert(0, Block::Title(game.to_owned()));
    }
    blocks
}

fn plain(text: impl Into<String>) -> Vec<Piece> {
    vec![Piece::plain(text)]
}

fn strong(text: impl Into<String>) -> Vec<Piece> {
    vec![Piece { stress: Stress::Strong, ..Piece::plain(text) }]
}

fn heading(book: &Rulebook, section: &Section) -> Block {
    Block::Heading([plain(&section.title.text), marks(book, &section.by)].concat())
}

/// Labels with the names of variants that contribute to something.
fn marks(book: &Rulebook, by: &[usize]) -> Vec<Piece> {
    by.iter().flat_map(|number| plain(format!(" [{}]", book.variant(*number)))).collect()
}

/// Pieces of text, followed by the names of variants that changed the values filled in.
fn marked(book: &Rulebook, pieces: &[Piece]) -> Vec<Piece> {
    pieces.iter().flat_map(|piece| std::iter::once(piece.clone()).chain(marks(book, &piece.by))).collect()
}

fn of_block(book: &Rulebook, told: &RulebookBlock) -> Vec<Block> {
    match told {
        RulebookBlock::Text(text) => vec![Block::Text(plain(text))],
        RulebookBlock::Variants => {
            let item = |variant: &crate::screen::rulebook::VariantEntry| {
                let made: String = variant.made.iter().map(|made| format!(" · {made}")).collect();
                let about = plain(format!(": {}{made}", variant.about));
                Block::Item(None, [strong(&variant.name), about].concat())
            };
            book.variants.iter().map(item).collect()
        }
        RulebookBlock::Faces(faces) => {
            let title = [plain(&faces.title), marks(book, &faces.by)].concat();
            vec![Block::Subheading(title), Block::Text(plain(in_words(book, faces)))]
        }
        RulebookBlock::Table(table) => of_table(book, table, table.heads.len()),
        RulebookBlock::Rules(rules) => rules.iter().flat_map(|rule| of_rule(book, rule, false)).collect(),
        RulebookBlock::Start(about) => vec![Block::Text(plain(about)), Block::Code(drawn_table(&start_scene(book)))],
        RulebookBlock::Prose(passage, by, _) => of_passage(book, passage, *by),
        RulebookBlock::Example(example) => of_example(book, example),
    }
}

/// A block of the rulebook in short: the first sentence of paragraphs and items, without pictures and examples.
fn in_short(book: &Rulebook, told: &RulebookBlock) -> Vec<Block> {
    let blocks = match told {
        RulebookBlock::Text(_) | RulebookBlock::Prose(..) => of_block(book, told),
        // The number of the rule is useless in an aid without it.
        RulebookBlock::Table(table) => of_table(book, table, table.heads.len().saturating_sub(1)),
        RulebookBlock::Rules(rules) => rules.iter().flat_map(|rule| of_rule(book, rule, true)).collect(),
        RulebookBlock::Variants | RulebookBlock::Faces(_) | RulebookBlock::Start(_) | RulebookBlock::Example(_) => {
            Vec::new()
        }
    };
    let short = |block| match block {
        Block::Text(pieces) => Block::Text(first_sentence(&pieces)),
        Block::Item(number, pieces) => Block::Item(number, first_sentence(&pieces)),
        block => block,
    };
    blocks.into_iter().map(short).collect()
}

fn of_passage(book: &Rulebook, passage: &Passage, by: Option<usize>) -> Vec<Block> {
    let mark = book.mark_of(passage, by).map(|by| plain(format!("[{}] ", book.variant(by)))).unwrap_or_default();
    let said = |pieces: &Vec<Piece>| [mark.clone(), marked(book, pieces)].concat();
    match passage {
        Passage::Paragraph(pieces) => vec![Block::Text(said(pieces))],
        Passage::Heading(pieces) => vec![Block::Subheading(said(pieces))],
        Passage::List { is_numbered, items } => {
            let item = |(number, item): (usize, _)| Block::Item(is_numbered.then_some(number), said(item));
            (1..).zip(items).map(item).collect()
        }
        Passage::Table(rows) => {
            let row = |row: &Vec<Vec<Piece>>| row.iter().map(|cell| marked(book, cell)).collect();
            vec![Block::Table(rows.iter().map(row).collect())]
        }
        // On a page, faces are drawn as components.
        Passage::Faces(_) => Vec::new(),
    }
}

/// A generated table, with its first columns.
fn of_table(book: &Rulebook, table: &Table, columns: usize) -> Vec<Block> {
    let title = Some(table.title.as_str()).filter(|title| !title.is_empty());
    let heads = table.heads.iter().take(columns).map(|head| plain(*head)).collect();
    let rows = table.rows.iter().map(|row| {
        let cells = row.cells.iter().take(columns).enumerate();
        let cell = |(number, cell): (usize, &LocalText)| match number {
            0 => [plain(&cell.text), marks(book, &row.by)].concat(),
            _ => plain(&cell.text),
        };
        cells.map(cell).collect()
    });
    let table = Block::Table(std::iter::once(heads).chain(rows).collect());
    title.map(|title| Block::Subheading(plain(title))).into_iter().chain([table]).collect()
}

/// A step of the rules, in full or in short; a nested one in short has only its facts.
fn of_rule(book: &Rulebook, rule: &Rule, is_short: bool) -> Vec<Block> {
    let mut blocks = Vec::new();
    let name = format!("{} {}", rule.number, rule.name);
    if !(name.trim().is_empty() || is_short && rule.depth > 1) {
        blocks.push(Block::Subheading(plain(name.trim())));
    }
    let told = rule.texts.iter().filter(|text| !is_short || (rule.depth < 2 && !text.is_replaced));
    for text in told.take(if is_short { 1 } else { usize::MAX }) {
        let mark = text.by.map(|by| plain(format!("[{}] ", book.variant(by)))).unwrap_or_default();
        let instead = if text.is_replaced { format!("{}: ", words(book.language).instead) } else { String::new() };
        blocks.push(Block::Text([mark, plain(format!("{instead}{}", text.said.text))].concat()));
    }
    for fact in &rule.facts {
        let options = if fact.options.is_empty() { String::new() } else { format!(" ({})", fact.options.join(" / ")) };
        let text = plain(format!("{}: {}{options}", fact.kind.words(book.language), fact.text));
        blocks.push(Block::Item(None, [text, marks(book, fact.by.as_slice())].concat()));
    }
    blocks
}

fn of_example(book: &Rulebook, example: &DrawnExample) -> Vec<Block> {
    let title = plain(format!(": {}", example.title.text));
    let mut blocks = vec![Block::Text([strong(words(book.language).example), title].concat())];
    let drawn = |blocks: &mut Vec<Block>, (head, game): &(&str, Playthrough)| {
        let lines = drawn_table(&example_scene(game, book.language));
        blocks.push(Block::Text(plain(format!("{head}:"))));
        blocks.push(Block::Code(lines.into_iter().filter(|line| !line.is_empty()).collect()));
    };
    example.before.iter().for_each(|before| drawn(&mut blocks, before));
    blocks.extend(example.story.iter().map(|line| Block::Item(None, plain(line.text()))));
    drawn(&mut blocks, &example.after);
    blocks
}

/// A typeset line.
struct SetLine {
    drawn: String,
    /// The distance from the line above, and the height of this line.
    before: f64,
    height: f64,
    /// Whether to keep it on a page with the next line.
    keeps_next: bool,
}

/// Typesets blocks on pages of a given size with letters of height `size`; each page is a drawing.
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

/// A text broken into lines within `width`, each in spans of equal stress.
fn stressed_lines(pieces: &[Piece], width: f64, size: f64) -> Vec<Vec<(Stress, String)>> {
    let letters = pieces.iter().flat_map(|piece| piece.text.chars().map(|letter| (letter, piece.stress)));
    let text: String = pieces.iter().map(|piece| &*piece.text).collect();
    // Lines have the letters of the text in order, without some of its blanks.
    let mut letters = letters.peekable();
    let in_stretches = |line: String| {
        let mut stretches: Vec<(Stress, String)> = Vec::new();
        for letter in line.chars() {
            let mut stress = Stress::None;
            if letter.is_whitespace() {
                stress = letters.peek().map_or(stress, |(_, stress)| *stress);
            } else if let Some((_, own)) = letters.by_ref().find(|(known, _)| *known == letter) {
                stress = own;
            }
            match stretches.last_mut().filter(|(known, _)| *known == stress) {
                Some((_, stretch)) => stretch.push(letter),
                None => stretches.push((stress, letter.to_string())),
            }
        }
        stretches
    };
    lines(&text, width, size).into_iter().map(in_stretches).collect()
}

fn set_block(block: &Block, width: f64, size: f64, ink: Ink) -> Vec<SetLine> {
    let dark = ink.on_paper(None);
    let text = |pieces: &[Piece], size: f64, indent: f64, weight: u32, before: f64, keeps_next: bool| {
        let found = stressed_lines(pieces, width - indent, size);
        let count = found.len();
        let line = move |(place, line): (usize, Vec<(Stress, String)>)| {
            let mut pen = Pen::new(ink);
            let style = format!("fill:{};font-weight:{weight}", ink.on_paper(None));
            let whole: String = line.iter().map(|(_, stretch)| &**stretch).collect();
            let size = (width - indent) / breadth(&whole).max((width - indent) / size);
            pen.stressed(&line, [indent, size * 0.65], size, &style);
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
        Block::Title(title) => text(&plain(title), size * 1.8, 0.0, 700, 0.0, true),
        Block::Heading(title) => text(title, size * 1.35, 0.0, 700, size * 1.4, true),
        Block::Subheading(title) => text(title, size * 1.1, 0.0, 700, size * 0.9, true),
        Block::Text(said) => {
            // An introduction to a list stays with the list.
            let leads = said.last().is_some_and(|piece| piece.text.ends_with([':', '：']));
            let mut set = text(said, size, 0.0, 400, size * 0.5, false);
            if let Some(last) = set.last_mut() {
                last.keeps_next |= leads;
            }
            set
        }
        Block::Item(mark, said) => {
            let indent = if mark.is_some() { size * 1.7 } else { size * 1.2 };
            let mut set = text(said, size, indent, 400, size * 0.15, false);
            if let Some(first) = set.first_mut() {
                let mut pen = Pen::new(ink);
                match mark {
                    Some(number) => {
                        let style = format!("fill:{dark}");
                        pen.text(&format!("{number}."), [size * 0.2, size * 0.65], size, Anchor::Start, &style);
                    }
                    None => pen.circle([size * 0.5, size * 0.65], size * 0.16, &format!("fill:{dark}")),
                }
                first.drawn.push_str(&pen.out);
            }
            set
        }
        Block::Table(rows) => set_table(rows, width, size, ink),
        Block::Code(code) => {
            let columns = code.iter().map(|line| crate::screen::style::width(line)).max().unwrap_or(1).max(1);
            // The approximate width of a monospaced letter relative to its height.
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
            let mut set = text(&plain(said), size, size * 2.0, 400, size * 0.25, false);
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

/// A typeset table. Columns are as wide as their content, and share the width where that is too much.
fn set_table(rows: &[Vec<Vec<Piece>>], width: f64, size: f64, ink: Ink) -> Vec<SetLine> {
    let size = size * 0.92;
    let gap = size * 0.8;
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let wish = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let breadth = |cell: &Vec<Piece>| breadth(&cell.iter().map(|piece| &*piece.text).collect::<String>()) * size;
        cells.map(breadth).fold(0.0, f64::max) + gap
    };
    let options: Vec<f64> = (0..columns).map(wish).collect();
    let widths = shared(&options, width);
    let set_row = |(place, row): (usize, &Vec<Vec<Piece>>)| {
        let mut pen = Pen::new(ink);
        let weight = if place == 0 { 700 } else { 400 };
        let style = format!("fill:{};font-weight:{weight}", ink.on_paper(None));
        let (mut left, mut most) = (0.0, 1);
        for (cell, wide) in row.iter().zip(&widths) {
            let found = stressed_lines(cell, wide - gap, size);
            most = most.max(found.len());
            for (number, line) in found.iter().enumerate() {
                let whole: String = line.iter().map(|(_, stretch)| &**stretch).collect();
                let size_of_line = (wide - gap).max(0.1) / breadth(&whole).max((wide - gap).max(0.1) / size);
                pen.stressed(line, [left, size * (0.65 + 1.3 * number as f64)], size_of_line, &style);
            }
            left += wide;
        }
        let height = size * (1.3 * most as f64 + 0.3);
        pen.line([0.0, height - size * 0.1, width, height - size * 0.1], &format!("stroke:{FAINT};stroke-width:.1"));
        let before = if place == 0 { size * 0.5 } else { size * 0.1 };
        SetLine { drawn: pen.out, before, height, keeps_next: place == 0 }
    };
    rows.iter().enumerate().map(set_row).collect()
}

/// Divides a width among columns: none gets more than it wishes for, and the rest of narrow ones goes to wide ones.
fn shared(options: &[f64], width: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..options.len()).collect();
    order.sort_by(|one, other| options[*one].total_cmp(&options[*other]));
    let mut widths = options.to_vec();
    let (mut left, mut columns) = (width, options.len());
    for column in order {
        widths[column] = widths[column].min(left / columns as f64);
        left -= widths[column];
        columns -= 1;
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stress_stays_on_its_words_across_lines() {
        let pieces = [plain("Take  "), strong("two cards"), plain(", and go.")].concat();
        let told = |width| stressed_lines(&pieces, width, 1.0);
        let line =
            |words: &[(Stress, &str)]| words.iter().map(|(stress, word)| (*stress, (*word).to_owned())).collect();
        let (none, strong) = (Stress::None, Stress::Strong);
        let whole: Vec<_> = line(&[(none, "Take "), (strong, "two cards"), (none, ", and go.")]);
        assert_eq!(told(100.0), [whole]);
        let broken: [Vec<_>; 3] = [
            line(&[(none, "Take "), (strong, "two")]),
            line(&[(strong, "cards"), (none, ", and")]),
            line(&[(none, "go.")]),
        ];
        assert_eq!(told(6.5), broken);
    }

    #[test]
    fn columns_share_the_width_of_a_page() {
        assert_eq!(shared(&[10.0, 20.0], 50.0), [10.0, 20.0]);
        assert_eq!(shared(&[100.0, 10.0, 30.0], 60.0), [25.0, 10.0, 25.0]);
    }

    #[test]
    fn pages_hold_as_much_as_there_is_room() {
        let text = |text: &str| Block::Text(plain(text));
        let blocks: Vec<Block> = (0..100).map(|number| text(&format!("line {number}"))).collect();
        let pages = set(&blocks, [60.0, 60.0], 5.0, 2.5, Ink::default());
        assert_eq!(pages.iter().map(|page| page.matches("<text").count()).sum::<usize>(), 100);
        assert!(pages.len() > 5, "{}", pages.len());
        // A heading stays with its text.
        let mut blocks = vec![text("x"); 10];
        blocks.extend([Block::Heading(plain("y")), text("z")]);
        let pages = set(&blocks, [60.0, 10.0 + 10.0 * 3.375 + 9.0 * 1.25 + 3.0], 5.0, 2.5, Ink::default());
        assert!(pages.last().is_some_and(|page| page.contains(">y<") && page.contains(">z<")));
    }
}
