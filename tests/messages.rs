//! What is said about a mistake in a script: in the words of rules, at the word that is wrong, with what to write
//! instead. Nothing of the interpreter's own wording, and no name of its types, may come through.

use crate::shared::places::place_of;
use crate::shared::small_game;
use houserule::Language;
use houserule::agent::Random;
use houserule::catalogue::speak;
use houserule::diagnostic::Diagnostic;
use houserule::script::rules::Rules;
use houserule::script::{End, Start};
use std::sync::Arc;

/// Statements of a function, then a line with a caret under the place and what has to be said: the message, and parts
/// of the help between `|`.
const MISTAKES: &str = include_str!("messages.txt");

/// Words that no designer may meet.
const FOREIGN: [&str; 12] = [
    "i64",
    "bool",
    "ImmutableString",
    "houserule::",
    "core::",
    "array",
    "Rhai",
    "JavaScript",
    "getter",
    "Expecting",
    "expecting",
    "boolean",
];

/// Everything that is said about a script.
fn said(script: &str) -> Vec<Diagnostic> {
    let rules = match Rules::new(small_game::game("small", small_game::GAME, script).unwrap(), 2, Arc::default()) {
        Ok(rules) => rules,
        Err(errors) => return errors.into_iter().collect(),
    };
    match rules.play(&Start::Game, 1, &mut Random::new(1), None).1 {
        End::Failed(error) => error.into_iter().collect(),
        _ => Vec::new(),
    }
}

#[test]
fn every_mistake_is_told_in_the_words_of_rules_at_its_place() {
    let mut failures = Vec::new();
    let mut cases = 0;
    for case in MISTAKES.split("\n\n") {
        let lines: Vec<&str> = case.lines().filter(|line| !line.starts_with('#')).collect();
        let Some(marked) = lines.iter().position(|line| line.trim_start().starts_with('^')) else { continue };
        cases += 1;
        let (caret, code) = (lines[marked], [&lines[..marked], &lines[marked + 1..]].concat().join("\n"));
        let (line, column) = (marked + 3, caret.chars().take_while(|letter| *letter == ' ').count() + 1);
        let expected: Vec<&str> = caret.trim_start_matches([' ', '^']).split(" | ").collect();
        let script =
            format!("fn helper(x) {{ \"text\" }}\nfn nothing(x) {{ if x == 5 {{ 3 }} }}\nfn game() {{\n{code}\n}}\n");
        let errors = said(&script);
        let Some(error) = errors.first() else {
            failures.push(format!("nothing is said about\n{case}"));
            continue;
        };
        let shown = error.render(false);
        let (at, marked) = (place_of(error), format!("rules.rhai:{line}:{column}"));
        if at != marked {
            failures.push(format!("not at {marked} but {at}\n{case}\n{shown}"));
        }
        let words = std::iter::once(&error.message)
            .chain(error.help.iter().map(|help| &help.text))
            .cloned()
            .collect::<Vec<_>>();
        if error.message != expected[0] {
            failures.push(format!("the message is `{}`, not\n{case}", error.message));
        }
        for part in &expected[1..] {
            if !words.iter().any(|word| word.contains(part)) {
                failures.push(format!("no word of `{part}`\n{case}\n{shown}"));
            }
        }
        for foreign in FOREIGN {
            if words.iter().any(|word| word.contains(foreign)) {
                failures.push(format!("`{foreign}` comes through\n{case}\n{shown}"));
            }
        }
    }
    assert!(failures.is_empty(), "{} of {cases}:\n\n{}", failures.len(), failures.join("\n\n"));
    assert!(cases > 100, "where have the mistakes gone? there are {cases}");
}

/// What is left of a text in English, where it should be in another language: words outside of code.
fn left_in_english(told: &str) -> Vec<&str> {
    let outside = told.split('`').step_by(2).flat_map(|part| part.split('"').step_by(2));
    let words = outside.flat_map(|part| part.split(|letter: char| !letter.is_ascii_alphabetic() && letter != '_'));
    // Names that are the same everywhere.
    let is_name = |word: &&str| {
        ["TOML", "REPL", "Rhai", "ID", "KiB", "MiB", "JSON", "nobody", "score", "scripts", "eyes", "number", "value"]
            .contains(word)
    };
    words.filter(|word| word.len() > 2 && !is_name(word)).collect()
}

#[test]
fn every_mistake_is_told_in_japanese_too() {
    let mut failures = Vec::new();
    let mut told = 0;
    for case in MISTAKES.split("\n\n") {
        let lines: Vec<&str> = case.lines().filter(|line| !line.starts_with('#')).collect();
        let code: Vec<&str> = lines.iter().filter(|line| !line.trim_start().starts_with('^')).copied().collect();
        let script = format!(
            "fn helper(x) {{ \"text\" }}\nfn nothing(x) {{ if x == 5 {{ 3 }} }}\nfn game() {{\n{}\n}}\n",
            code.join("\n")
        );
        for error in said(&script) {
            let labels = error.place.iter().chain(&error.related).map(|place| &place.label);
            for text in std::iter::once(&error.message)
                .chain(error.help.iter().map(|help| &help.text))
                .chain(labels)
                .filter(|text| !text.is_empty())
            {
                speak(Language::Japanese);
                let japanese = text.told().into_owned();
                speak(Language::English);
                told += 1;
                let left = left_in_english(&japanese);
                if !left.is_empty() {
                    failures.push(format!("{left:?} in {japanese}\n    {text}"));
                }
            }
        }
    }
    failures.sort();
    failures.dedup();
    assert!(failures.is_empty(), "{} of {told}:\n{}", failures.len(), failures.join("\n"));
    assert!(told > 500, "{told}");
}
