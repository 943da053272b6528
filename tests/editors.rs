//! What the editors' files name is there: commands of the program, grammars, attributes.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("editors")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn json(path: &str) -> serde_json::Value {
    serde_json::from_str(&read(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The entries of a list in a manifest.
fn entries<'v>(value: &'v serde_json::Value, key: &str) -> &'v [serde_json::Value] {
    value[key].as_array().unwrap_or_else(|| panic!("there is no list `{key}`"))
}

fn text<'v>(value: &'v serde_json::Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_else(|| panic!("there is no text `{key}`: {value}"))
}

/// Every text in a value.
fn texts<'v>(value: &'v serde_json::Value, found: &mut Vec<(&'v str, &'v str)>) {
    match value {
        serde_json::Value::Array(list) => list.iter().for_each(|entry| texts(entry, found)),
        serde_json::Value::Object(entries) => entries.iter().for_each(|(key, value)| match value.as_str() {
            Some(text) => found.push((key, text)),
            None => texts(value, found),
        }),
        _ => {}
    }
}

#[test]
fn the_manifest_names_what_is_there() {
    let manifest = json("vscode/package.json");
    let contributed = &manifest["contributes"];
    let mut scopes = BTreeSet::new();
    for grammar in entries(contributed, "grammars") {
        let path = format!("vscode/{}", text(grammar, "path"));
        assert_eq!(text(&json(&path), "scopeName"), text(grammar, "scopeName"), "{path}");
        scopes.insert(text(grammar, "scopeName").to_owned());
    }
    for grammar in entries(contributed, "grammars") {
        let path = format!("vscode/{}", text(grammar, "path"));
        let grammar = json(&path);
        let mut found = Vec::new();
        texts(&grammar, &mut found);
        for (key, included) in found.into_iter().filter(|(key, _)| *key == "include") {
            let is_there = match included.strip_prefix('#') {
                Some(name) => grammar["repository"].get(name).is_some(),
                None => scopes.contains(included),
            };
            assert!(is_there, "{path}: `{key}` names {included}");
        }
    }
    for language in entries(contributed, "languages") {
        json(&format!("vscode/{}", text(language, "configuration")));
    }
    assert!(root().join("vscode").join(text(&manifest, "main")).is_file());
    assert_eq!(text(&manifest, "version"), env!("CARGO_PKG_VERSION"));
    // Each command is registered, and each setting read.
    let extension = read("vscode/extension.js");
    for command in entries(contributed, "commands") {
        let name = text(command, "command");
        assert!(extension.contains(&format!("command(\"{name}\"")), "nothing registers `{name}`");
    }
    for setting in contributed["configuration"]["properties"].as_object().unwrap().keys() {
        let name = setting.strip_prefix("houserule.").unwrap();
        let is_read = extension.contains(&format!("all.get(\"{name}\")"));
        assert!(is_read || name == "trace.server", "nothing reads the setting `{setting}`");
    }
    let lock = json("vscode/package-lock.json");
    assert_eq!(lock["packages"][""]["dependencies"], manifest["dependencies"]);
}

/// Words of the program's command line that an editor's file starts it with: the first text of each list that is one.
fn commands_in(text: &str) -> BTreeSet<&str> {
    let text = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>();
    let mut found = BTreeSet::new();
    for line in text {
        for (begin, end) in [("[\"", "\""), ("{ \"", "\""), ("'houserule', '", "'"), ("\"houserule\", \"", "\"")] {
            found.extend(line.match_indices(begin).filter_map(|(at, _)| line[at + begin.len()..].split(end).next()));
        }
    }
    found
}

#[test]
fn the_program_has_the_commands_that_editors_run() {
    let help = Command::new(env!("CARGO_BIN_EXE_houserule")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let commands: BTreeSet<&str> = help
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split("  ").next())
        .filter(|word| !word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase()))
        .collect();
    assert!(commands.contains("fmt") && commands.contains("test"), "{help}");
    let expected = ["check", "dap", "fmt", "list", "lsp", "new", "play", "test"];
    let extension = read("vscode/extension.js");
    let run = commands_in(&extension);
    assert_eq!(expected.iter().filter(|command| !run.contains(**command)).collect::<Vec<_>>(), [&""; 0]);
    assert_eq!(expected.iter().filter(|command| !commands.contains(**command)).collect::<Vec<_>>(), [&""; 0]);
    for path in ["neovim/houserule.lua", "helix/languages.toml", "emacs/houserule.el"] {
        let text = read(path);
        assert!(text.contains("\"lsp\""), "{path} does not start `houserule lsp`");
        for (word, command) in [("lsp", "\"lsp\""), ("dap", "\"dap\""), ("fmt", "\"fmt\"")] {
            assert!(!text.contains(command) || commands.contains(word), "{path} runs `houserule {word}`");
        }
    }
}

#[test]
fn files_that_editors_read_are_of_their_format() {
    read("helix/languages.toml").parse::<toml::Table>().unwrap();
}
