//! What `houserule check` finds: every kind has an example that has it and one that has not, and a name that can be
//! asked about.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

use houserule::script::codes::CODES;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const GAME: &str = r#"
id = "small"
name = "Small"
players = { min = 2, max = 4 }
components.card = { id = "{number}", kind = "card", attributes = { number = { from = 1, to = 6 } } }
components.tile = { id = "tile", kind = "token", sides = ["day", "night"], list = [{ id = "tile" }] }
zones.deck = { name = "Deck", order = "pile", visible = "none" }
zones.hand = { name = "Hand", per = "seat", order = "hand", visible = "owner" }
"#;

/// Functions that examples about layers stand on.
const BELOW: &str = "fn score(p) { p.award(1, \"card\"); p.score }\n";

/// A library with one game, as an example writes it. Lines behind `# NAME` stand in that file: `game.toml`,
/// `rules.rhai` as statements of `game()`, `functions` beside it, `one.toml` and `two.rhai` of variants.
struct Example {
    folder: TempDir,
}

impl Example {
    fn new(text: &str) -> Self {
        let mut files: Vec<(&str, String)> = Vec::new();
        let whole = text.lines().any(|line| line.starts_with("fn ")) && !text.contains("# ");
        let first = if whole { "functions" } else { "rules.rhai" };
        for line in text.lines() {
            match line.strip_prefix("# ") {
                Some(name) => files.push((name, String::new())),
                None => {
                    if files.is_empty() {
                        files.push((first, String::new()));
                    }
                    let (_, content) = files.last_mut().unwrap();
                    content.push_str(line);
                    content.push('\n');
                }
            }
        }
        let of = |name: &str| files.iter().find(|(file, _)| *file == name).map_or("", |(_, content)| content.as_str());
        let folder = tempfile::tempdir().unwrap();
        let (game, over) = (folder.path().join("games/small"), folder.path().join("variants/small"));
        fs::create_dir_all(&game).unwrap();
        fs::create_dir_all(&over).unwrap();
        fs::write(game.join("game.toml"), format!("{GAME}{}", of("game.toml"))).unwrap();
        let functions = of("functions");
        let mut script = functions.to_owned();
        let layered = text.contains(".rhai\nfn score") || text.contains("score(players.first)");
        if !whole {
            let asks = "players.first.may(\"\");";
            let statements = of("rules.rhai");
            let asks = if text.contains("note(\"over\")") { "" } else { asks };
            script.push_str(&format!("fn game() {{\n{statements}{asks}\n}}\n"));
            if layered {
                script.push_str(BELOW);
            }
        }
        fs::write(game.join("rules.rhai"), script).unwrap();
        for id in ["one", "two"] {
            let (toml, rhai) = (of(&format!("{id}.toml")).to_owned(), of(&format!("{id}.rhai")).to_owned());
            if toml.is_empty() && rhai.is_empty() {
                continue;
            }
            fs::write(over.join(format!("{id}.toml")), format!("id = '{id}'\ngame = 'small'\nname = '{id}'\n{toml}"))
                .unwrap();
            if !rhai.is_empty() {
                fs::write(over.join(format!("{id}.rhai")), rhai).unwrap();
            }
        }
        Self { folder }
    }

    /// The names of what is found.
    fn found(&self) -> Vec<String> {
        let report = check(self.folder.path(), &["check", "small", "--json"]);
        let report: Value = serde_json::from_slice(&report.stdout).unwrap();
        let lists = ["errors", "warnings"].map(|list| report[list].as_array().unwrap().clone());
        lists.concat().iter().map(|finding| finding["code"].as_str().unwrap().to_owned()).collect()
    }
}

fn check(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_houserule"))
        .args(arguments)
        .arg("--dir")
        .arg(folder)
        .env("COLUMNS", "100")
        .output()
        .unwrap()
}

#[test]
fn every_kind_of_finding_is_found_in_its_example_and_not_in_what_to_write_instead() {
    let mut failures = Vec::new();
    for code in CODES.iter().filter(|code| !code.example.is_empty()) {
        let found = Example::new(code.example).found();
        if !found.iter().any(|found| found == code.name) {
            failures.push(format!("{} is not found in its example, but {found:?}:\n{}", code.name, code.example));
        }
        let instead = Example::new(code.instead).found();
        if instead.iter().any(|found| found == code.name) {
            failures.push(format!("{} is still found in what to write instead:\n{}", code.name, code.instead));
        }
        let errors = instead.iter().filter(|found| CODES.iter().any(|code| code.name == **found && code.is_error));
        for error in errors {
            failures.push(format!("{error} is found in what to write instead of {}:\n{}", code.name, code.instead));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
