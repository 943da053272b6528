//! A rulebook as Markdown, to read or to process further.

use super::{Block, Faces, Fact, Row, Rule, Rulebook, Table, words};
use crate::diagnostic::visible;
use crate::files::FileFormat;
use crate::playthrough::Playthrough;
use crate::prose::{Passage, Piece, Stress};
use crate::screen::rulebook::prose::{example_scene, without_head};
use crate::screen::{Scene, table};
use crate::table::knowledge::Viewer;
use crate::table::names::Names;
use crate::table::value::Seat;

/// The file format of a Markdown rulebook.
pub const RULEBOOK: FileFormat =
    FileFormat { name: "a rulebook in Markdown", beginning: "<!-- houserule: rulebook -->" };

/// The width of the drawn table, in columns.
const COLUMNS: usize = 78;

/// A rulebook as Markdown.
pub fn markdown(book: &Rulebook) -> String {
    let words = words(book.language);
    let mut out = format!("{}\n\n# {}\n\n", RULEBOOK.beginning, escape(&book.title));
    if !book.variants.is_empty() {
        let names: Vec<String> = book.variants.iter().map(|variant| format!("**{}**", escape(&variant.name))).collect();
        out.push_str(&format!("{}\n\n", names.join(" · ")));
    }
    out.push_str(&format!("{}\n\n", paragraph(&book.about)));
    for (name, value) in &book.facts {
        out.push_str(&format!("* {}: {}\n", escape(name), escape(value)));
    }
    out.push_str(&format!("\n## {}\n\n", words.contents));
    for section in &book.sections {
        out.push_str(&format!("* [{}](#{})\n", escape(&section.title.text), section.id));
    }
    for section in &book.sections {
        let title = escape(&section.title.text);
        out.push_str(&format!("\n<a id=\"{}\"></a>\n\n## {title}{}\n", section.id, marks(book, &section.by)));
        for block in &section.blocks {
            out.push('\n');
            put_block(&mut out, book, block);
        }
    }
    out
}

fn put_block(out: &mut String, book: &Rulebook, block: &Block) {
    match block {
        Block::Text(text) => out.push_str(&format!("{}\n", paragraph(text))),
        Block::Variants => {
            for variant in &book.variants {
                let made = variant.made.iter().map(|made| format!(" · {}", escape(made)));
                let made: String = made.collect();
                out.push_str(&format!("* **{}**: {}{made}\n", escape(&variant.name), escape(&variant.about)));
            }
        }
        Block::Faces(faces) => put_faces(out, book, faces),
        Block::Table(table) => put_table(out, book, table),
        Block::Rules(rules) => rules.iter().for_each(|rule| put_rule(out, book, rule)),
        Block::Prose(passage, by, _) => put_passage(out, book, passage, *by),
        Block::Example(example) => {
            let title = escape(&example.title.text);
            out.push_str(&format!("**{}**: {title}\n", words(book.language).example));
            let drawn = |out: &mut String, (head, game): &(&str, Playthrough)| {
                let lines = drawn_table(&example_scene(game, book.language));
                out.push_str(&format!("\n{head}:\n\n{}", fenced(lines.iter().filter(|line| !line.is_empty()))));
            };
            example.before.iter().for_each(|before| drawn(out, before));
            if !example.story.is_empty() {
                out.push('\n');
            }
            example.story.iter().for_each(|line| out.push_str(&format!("* {}\n", escape(&line.text()))));
            drawn(out, &example.after);
        }
        Block::Start(about) => {
            let lines = drawn_table(&start_scene(book));
            out.push_str(&format!("{}\n\n{}", escape(about), fenced(lines.iter())));
        }
    }
}

/// Lines as a code block, with any fence in them made harmless.
fn fenced<'a>(lines: impl Iterator<Item = &'a String>) -> String {
    let lines: Vec<String> = lines.map(|line| line.replace("```", "'''")).collect();
    format!("```text\n{}\n```\n", lines.join("\n"))
}

/// The table at the first decision, as the first player sees it.
pub(in crate::screen) fn start_scene(book: &Rulebook) -> Scene<'_> {
    Scene::of(&book.start, Viewer::Seat(Seat(0)), book.language, COLUMNS)
}

/// A table as lines, without the header of a game in play.
pub(in crate::screen) fn drawn_table(scene: &Scene<'_>) -> Vec<String> {
    without_head(table(scene)).iter().map(|line| line.text().trim_end().to_owned()).collect()
}

/// Labels with the names of variants that contribute to something.
fn marks(book: &Rulebook, by: &[usize]) -> String {
    by.iter().map(|number| format!(" **\\[{}\\]**", escape(book.variant(*number)))).collect()
}

fn put_faces(out: &mut String, book: &Rulebook, faces: &Faces) {
    let title = escape(&faces.title);
    out.push_str(&format!("**{title}**{}\n\n{}\n", marks(book, &faces.by), escape(&in_words(book, faces))));
}

/// The faces of components in words, with their numbers.
pub(in crate::screen) fn in_words(book: &Rulebook, faces: &Faces) -> String {
    let names = Names { layout: &book.start.loaded().layout, language: book.language };
    let shown = faces.fronts.iter().map(|(fronts, count)| {
        let sides = fronts.iter().filter_map(|front| Some(names.face(*front)?.text.trim().to_owned()));
        let times = if *count > 1 { format!(" ×{count}") } else { String::new() };
        format!("{}{times}", sides.collect::<Vec<_>>().join(" / "))
    });
    let mut shown: Vec<String> = shown.collect();
    if faces.more > 0 {
        shown.push(crate::screen::fill(words(book.language).more, &[&faces.more]));
    }
    words(book.language).list(&shown)
}

fn put_table(out: &mut String, book: &Rulebook, table: &Table) {
    if !table.title.is_empty() {
        out.push_str(&format!("**{}**\n\n", escape(&table.title)));
    }
    out.push_str(&format!("| {} |\n|{}\n", table.heads.join(" | "), " --- |".repeat(table.heads.len())));
    for Row { cells, by } in &table.rows {
        let mut cells: Vec<String> = cells.iter().map(|cell| escape(&cell.text)).collect();
        if let Some(first) = cells.first_mut() {
            first.push_str(&marks(book, by));
        }
        out.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
}

/// A passage of prose, with its changes by variants marked.
fn put_passage(out: &mut String, book: &Rulebook, passage: &Passage, by: Option<usize>) {
    let pieces = |pieces: &[Piece]| -> String {
        let said = pieces.iter().map(|piece| {
            let text = escape_within(&piece.text);
            let text = match piece.stress {
                Stress::None => text,
                Stress::Emphasis => format!("*{text}*"),
                Stress::Strong => format!("**{text}**"),
            };
            format!("{text}{}", marks(book, &piece.by))
        });
        said.collect()
    };
    let mark = book.mark_of(passage, by).map(|by| format!("{} ", marks(book, &[by]).trim())).unwrap_or_default();
    match passage {
        Passage::Paragraph(said) if mark.is_empty() => out.push_str(&format!("{}\n", at_line_start(pieces(said)))),
        Passage::Paragraph(said) => out.push_str(&format!("{mark}{}\n", pieces(said))),
        Passage::Heading(said) => out.push_str(&format!("### {mark}{}\n", pieces(said))),
        Passage::List { is_numbered, items } => {
            for (number, item) in items.iter().enumerate() {
                let lead = if *is_numbered { format!("{}.", number + 1) } else { "*".to_owned() };
                out.push_str(&format!("{lead} {mark}{}\n", at_line_start(pieces(item))));
            }
        }
        Passage::Table(rows) => {
            for (number, row) in rows.iter().enumerate() {
                let cells: Vec<String> = row.iter().map(|cell| pieces(cell)).collect();
                out.push_str(&format!("| {} |\n", cells.join(" | ")));
                if number == 0 {
                    out.push_str(&format!("|{}\n", " --- |".repeat(row.len())));
                }
            }
        }
        // On a page, faces are drawn as components.
        Passage::Faces(_) => {}
    }
}

fn put_rule(out: &mut String, book: &Rulebook, rule: &Rule) {
    let head = format!("{} {}", rule.number, escape(&rule.name));
    match rule.depth {
        0 => {}
        1 => out.push_str(&format!("### {}\n\n", head.trim())),
        _ => out.push_str(&format!("**{}** ", head.trim())),
    }
    let mut is_first = true;
    for text in &rule.texts {
        let mark = text.by.map(|by| format!("{} ", marks(book, &[by]).trim())).unwrap_or_default();
        let said = if mark.is_empty() { paragraph(&text.said.text) } else { escape(&text.said.text) };
        let said = if text.is_replaced { format!("({} ~~{said}~~)", words(book.language).instead) } else { said };
        if !is_first {
            out.push('\n');
        }
        out.push_str(&format!("{mark}{said}\n"));
        is_first = false;
    }
    if rule.texts.is_empty() {
        out.push('\n');
    }
    out.push('\n');
    for Fact { kind, text, options, by } in &rule.facts {
        let options = if options.is_empty() {
            String::new()
        } else {
            format!(" ({})", options.iter().map(|option| escape(option)).collect::<Vec<_>>().join(" / "))
        };
        let mark = by.map(|by| marks(book, &[by])).unwrap_or_default();
        out.push_str(&format!("* {}: *{}*{options}{mark}\n", kind.words(book.language), escape(text)));
    }
    if !rule.facts.is_empty() {
        out.push('\n');
    }
}

/// A text escaped for Markdown, without any markup or HTML.
fn escape(text: &str) -> String {
    escape_within(text.trim())
}

/// A part of a text escaped for Markdown, with blanks kept.
fn escape_within(text: &str) -> String {
    let mut out = String::new();
    for letter in visible(text).chars() {
        match letter {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' | '!' => out.extend(['\\', letter]),
            // A bare URL would become a link.
            ':' if out.ends_with("http") || out.ends_with("https") => out.push_str("&#58;"),
            _ => out.push(letter),
        }
    }
    out
}

/// A text escaped for the beginning of a line, where `-` and `1.` begin lists.
fn paragraph(text: &str) -> String {
    at_line_start(escape(text))
}

fn at_line_start(mut out: String) -> String {
    let digits = out.chars().take_while(char::is_ascii_digit).count();
    let marks: &[char] = if digits > 0 { &['.', ')'] } else { &['-', '+', '='] };
    if out.get(digits..).is_some_and(|rest| rest.starts_with(marks)) {
        out.insert(digits, '\\');
    }
    out
}
