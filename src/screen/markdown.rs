//! Markdown rendered for a terminal: headings, paragraphs, lists, code blocks and tables, as the documentation uses
//! them.

use super::style::{self, Label, Line};
use crate::definition::keys::page::without_links;

/// The indentation of code.
const CODE: usize = 4;

/// The space between the columns of a table.
const GAP: usize = 2;

/// A Markdown text as lines within `width` columns.
pub fn lines(text: &str, width: usize) -> Vec<Line> {
    let mut shown: Vec<Line> = Vec::new();
    let mut rest = text.lines().peekable();
    while let Some(line) = rest.next() {
        if line.starts_with("```") {
            // A file name behind the fence is shown above the code.
            let file = line.trim_start_matches('`').split_once(' ').map(|(_, file)| Line::faint(file));
            shown.extend(file.map(|file| Line::of_blanks(CODE).then(file).cut(width)));
            shown.extend(rest.by_ref().take_while(|line| !line.starts_with("```")).map(code));
        } else if let Some(heading) = line.strip_prefix('#') {
            shown.push(Line::strong(without_links(heading.trim_start_matches('#').trim())).cut(width));
        } else if line.starts_with('|') {
            let mut rows = vec![line];
            while let Some(row) = rest.next_if(|line| line.starts_with('|')) {
                rows.push(row);
            }
            shown.extend(table(&rows, width));
        } else if let Some(item) = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")) {
            let room = width.saturating_sub(2);
            shown.extend(style::hang(Line::plain("- "), style::wrapped(&without_links(item), room)));
        } else if line.is_empty() {
            shown.push(Line::default());
        } else {
            // Source texts have one sentence per line, which are joined into paragraphs.
            let mut paragraph = line.to_owned();
            let is_text =
                |line: &&str| !line.is_empty() && !line.starts_with("```") && !line.starts_with(['#', '|', '-', '*']);
            while let Some(line) = rest.next_if(is_text) {
                paragraph.push(' ');
                paragraph.push_str(line);
            }
            shown.extend(style::wrapped(&without_links(&paragraph), width));
        }
    }
    while shown.last().is_some_and(Line::is_empty) {
        shown.pop();
    }
    shown
}

/// A line of code, never wrapped or cut: people copy what they read.
fn code(line: &str) -> Line {
    Line::code(format!("{:CODE$}{line}", ""))
}

/// A table: with columns if they fit, otherwise with the first cell of each row above the others.
fn table(rows: &[&str], width: usize) -> Vec<Line> {
    let is_row =
        |row: &&&str| !row.chars().all(|sign| "|-: ".contains(sign)) || row.trim_matches(['|', ' ']).is_empty();
    let rows: Vec<Vec<String>> = rows.iter().filter(is_row).map(|row| cells(row)).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| style::width(cell)).max();
    let widths: Vec<usize> = (0..columns).map(|column| widest(column).unwrap_or(0)).collect();
    let label = |row: usize| if row == 0 { Label::Faint } else { Label::Plain };
    let rows = rows.iter().enumerate().filter(|(_, row)| row.iter().any(|cell| !cell.is_empty()));
    if widths.iter().map(|width| width + GAP).sum::<usize>() <= width + GAP {
        let row = |(number, row): (usize, &Vec<String>)| {
            let cells = row.iter().zip(&widths).map(|(cell, width)| style::pad(cell, width + GAP));
            let mut line = Line::of(cells.collect::<String>(), label(number));
            line.trim_end();
            line
        };
        return rows.map(row).collect();
    }
    let row = |(number, row): (usize, &Vec<String>)| {
        let cells = row.iter().enumerate().filter(|(_, cell)| !cell.is_empty());
        let cells = cells.flat_map(move |(column, cell)| {
            let indent = if column == 0 { 0 } else { CODE };
            let body = style::wrapped(cell, width.saturating_sub(indent));
            style::hang(Line::of_blanks(indent), body.into_iter().map(|line| line.restyled(label(number))).collect())
        });
        cells.collect::<Vec<Line>>()
    };
    rows.flat_map(row).collect()
}

fn cells(row: &str) -> Vec<String> {
    let row = row.strip_prefix('|').unwrap_or(row);
    let row = row.strip_suffix('|').unwrap_or(row);
    let mut cells = vec![String::new()];
    let mut letters = row.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_escaped = letter == '\\' && letters.next_if_eq(&'|').is_some();
        match cells.last_mut() {
            Some(cell) if is_escaped => cell.push('|'),
            Some(cell) if letter != '|' => cell.push(letter),
            _ => cells.push(String::new()),
        }
    }
    cells.into_iter().map(|cell| without_links(cell.trim())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, width: usize) -> Vec<String> {
        lines(text, width).iter().map(|line| line.text().trim_end().to_owned()).collect()
    }

    #[test]
    fn sentences_become_paragraphs_and_code_stays_as_it_is() {
        let text = "## Draft\n\nEverybody keeps a card.\nThe rest is passed, see [the words](vocabulary.md).\n\n\
                    ```rhai\nfn game() {\n    1\n}\n```\n\n- one\n- two\n";
        let expected = [
            "Draft",
            "",
            "Everybody keeps a card. The",
            "rest is passed, see the words.",
            "",
            "    fn game() {",
            "        1",
            "    }",
            "",
            "- one",
            "- two",
        ];
        assert_eq!(shown(text, 30), expected);
        assert_eq!(shown("# See [`check`](b.md)\n[`check`](b.md) `a[i](j)`", 30), ["See `check`", "`check` `a[i](j)`"]);
        assert_eq!(shown("```toml a/b.toml\nx = [1](2)\n```", 30), ["    a/b.toml", "    x = [1](2)"]);
        let long = "card = { kind = 'card', id = '{number}' }";
        assert_eq!(shown(&format!("```toml\n{long}\n```"), 30), [format!("    {long}")], "it is copied as it is");
    }

    #[test]
    fn a_table_stands_in_columns_or_its_rows_stand_under_each_other() {
        let text = "| write | not |\n|---|---|\n| `a \\|\\| b` | or |\n";
        assert_eq!(shown(text, 30), ["write     not", "`a || b`  or"]);
        assert_eq!(shown(text, 12), ["write", "    not", "`a || b`", "    or"]);
    }
}
