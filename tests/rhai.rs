//! The page of the language says what is so: its lines give what stands behind them, its functions play, what it says is
//! left out is refused with those words, and what is to be written instead runs.
//!
//! All of it happens on the table of the vocabulary's examples, with `p` for the first player and 3 for `n` in the tables.
//! What has a file's name behind its fence is run with the other pages, as their files are (`docs.rs`).

use crate::examples::{GAME, LAY};
use crate::shared::small_game;
use houserule::agent::Random;
use houserule::diagnostic::Diagnostic;
use houserule::script::rules::Rules;
use houserule::script::{End, Start};
use std::sync::Arc;

const PAGE: &str = include_str!("../docs/rhai.md");

/// What stands before the value that a line gives.
const GIVES: &str = "// => ";

/// The blocks of rules on the page that are no files, with the number of their first line.
fn blocks() -> Vec<(usize, Vec<&'static str>)> {
    let mut blocks: Vec<(usize, Vec<&str>)> = Vec::new();
    let mut open = None;
    for (number, line) in PAGE.lines().enumerate() {
        match (open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                open = Some(info == "rhai");
                blocks.extend((info == "rhai").then(|| (number + 2, Vec::new())));
            }
            (Some(_), Some(_)) => open = None,
            (Some(true), None) => blocks.last_mut().unwrap().1.push(line),
            _ => {}
        }
    }
    blocks
}

/// The functions of a block, and what stands outside them.
fn parted<'l>(lines: &[&'l str]) -> (Vec<&'l str>, Vec<&'l str>) {
    let mut is_inside = false;
    lines.iter().partition(|line| {
        let begins = ["fn ", "private fn ", "///"].iter().any(|start| line.starts_with(start));
        let is_function = is_inside || begins;
        is_inside = is_function && !line.starts_with("///") && **line != "}" && !(begins && line.ends_with('}'));
        is_function
    })
}

fn compiled(functions: &str) -> Result<Rules, Vec<Diagnostic>> {
    let all = |errors: houserule::diagnostic::Diagnostics| errors.into_iter().collect::<Vec<_>>();
    let ruleset = small_game::game("examples", GAME, format!("{functions}\n{LAY}")).map_err(all)?;
    Rules::new(ruleset, 3, Arc::default()).map_err(all)
}

/// What is wrong with rules that are compiled and played.
fn trouble(functions: &str) -> Vec<Diagnostic> {
    let rules = match compiled(functions) {
        Ok(rules) => rules,
        Err(errors) => return errors,
    };
    match rules.play(&Start::Game, 1, &mut Random::new(1), None).1 {
        End::Finished => Vec::new(),
        End::Failed(errors) | End::Endless(errors) => errors.into_iter().collect(),
        End::Halted(halt) => vec![Diagnostic::new(houserule::catalogue::message!("{halt:?}"))],
    }
}

#[test]
fn every_line_gives_what_stands_behind_it() {
    let (mut wrong, mut tried) = (Vec::new(), 0);
    for (first, lines) in blocks() {
        let (functions, statements) = parted(&lines);
        let functions = functions.join("\n");
        if functions.contains("fn game()") {
            assert!(statements.iter().all(|line| line.is_empty()), "line {first}: {statements:?}");
            wrong.extend(trouble(&functions.replacen("fn game() {", "fn game() {\n    lay();", 1)));
            continue;
        }
        let rules = compiled(&format!("fn game() {{ lay(); }}\n{functions}"));
        let rules = rules.unwrap_or_else(|errors| panic!("line {first}: {errors:?}"));
        let (mut before, tried_before) = (String::from("lay();\n"), tried);
        let table = rules.begin(&Start::Game, 1).table;
        for line in statements {
            let Some((expression, value)) = line.split_once(GIVES) else {
                before.push_str(line);
                before.push('\n');
                continue;
            };
            tried += 1;
            match rules.evaluate(&table, &format!("{before}{expression}"), None) {
                Ok(found) if found.result == value => {}
                Ok(found) => {
                    wrong.push(Diagnostic::new(houserule::catalogue::message!("{line}: it is {}", found.result)))
                }
                Err(errors) => {
                    wrong.push(Diagnostic::new(houserule::catalogue::message!("{line}: {}", errors.first().message)))
                }
            }
        }
        assert!(tried > tried_before, "line {first}: this block shows nothing");
    }
    let wrong: Vec<String> = wrong.iter().map(|error| error.render(false)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tried > 30, "where have the lines gone? there are {tried}");
}

/// The rows of the tables with such a head: their cells.
fn rows(head: &str) -> Vec<Vec<String>> {
    let behind = PAGE.split_once(head).unwrap_or_else(|| panic!("there is no table with {head}")).1;
    let rows = behind.lines().skip(2).take_while(|line| line.starts_with('|'));
    rows.map(|row| {
        let cells = row.trim_matches('|').replace("\\|", "\u{0}");
        cells.split('|').map(|cell| cell.trim().replace('\u{0}', "|")).collect()
    })
    .collect()
}

/// What stands in a cell as code.
fn code(cell: &str) -> &str {
    if let Some(inner) = cell.strip_prefix("`` ").and_then(|cell| cell.strip_suffix(" ``")) {
        return inner;
    }
    cell.trim_matches('`')
}

/// Rules that do this, with a player and a number at hand.
fn doing(code: &str) -> String {
    let (functions, body) = if code.starts_with("fn ") { (code, "") } else { ("", code) };
    format!("fn game() {{ lay(); tried(players[1], 3); }}\nfn tried(p, n) {{\n{body}\n}}\n{functions}")
}

fn is_told(written: &str, expected: &str) -> Option<String> {
    let found = trouble(&doing(written));
    let found = found.first().map_or("nothing", |error| error.message.as_str());
    (!found.starts_with(expected)).then(|| format!("{written}\n    is told `{found}`, not `{expected}`"))
}

#[test]
fn what_is_left_out_is_told_in_these_words_and_what_to_write_instead_runs() {
    let rows = rows("| you might write | write here | message |");
    let mut wrong = Vec::new();
    for row in &rows {
        let [left_out, instead, told] = &row[..] else { panic!("{row:?}") };
        wrong.extend(is_told(code(left_out), told));
        let still = trouble(&doing(code(instead)));
        wrong.extend(still.first().map(|error| format!("{instead}\n{}", error.render(false))));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(rows.len() > 30, "where have the rows gone? there are {}", rows.len());
}

#[test]
fn every_limit_is_told_in_these_words() {
    let rows = rows("| at most | too much here | message |");
    let wrong: Vec<String> =
        rows.iter().filter(|row| !row[1].is_empty()).filter_map(|row| is_told(code(&row[1]), &row[2])).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(rows.len() >= 10, "{rows:?}");
}
