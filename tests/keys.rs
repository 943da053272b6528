//! The table of keys is what the readers of files go by: a key that it does not have is refused at its place, with those
//! that it has; each that it has is read, and may be written as its example.

use houserule::Pack;
use houserule::definition::keys::{Requirement, SECTIONS, Section, page::page};
use houserule::definition::{Language, Layer, Library, Origin, OriginKind, overlay};
use houserule::diagnostic::{Diagnostic, Source};
use houserule::files::MemoryFiles;
use houserule::playthrough::replay::Replay;
use houserule::scenario::Scenario;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// A sort of file: its name, what it has to say at least, and the sections that stand in it.
const FILES: [(&str, &str, &[&str]); 7] = [
    (
        "game.toml",
        "id = 'g'\nname = 'G'\nplayers = { min = 2, max = 4 }\nscript.rhai = 'fn game() { }'\n",
        &[
            "game",
            "players",
            "script",
            "settings",
            "components",
            "list",
            "series",
            "attributes",
            "zones",
            "grid",
            "variables",
            "text",
            "bounds",
            "looks",
            "of",
        ],
    ),
    ("v.toml", "id = 'v'\ngame = 'g'\nname = 'V'\n", &["variant"]),
    ("scripts/cards.toml", "id = 'cards'\n", &["library"]),
    ("rulebook.toml", "", &["book", "rulebook", "examples", "names"]),
    (
        "scenario.toml",
        "id = 'S'\ntitle = 's'\ngame = 'g'\nwhen.call = 'x()'\nthen = [{ over = true }]\n",
        &["scenario", "when", "cases", "then"],
    ),
    ("saved.toml", "format = 2\n", &["replay", "result", "rules", "check"]),
    ("some.pack.toml", "pack = 1\nid = 'g'\n", &["pack", "play", "rests_on", "files"]),
];

/// What is said about a file.
fn said(name: &str, text: &str) -> Vec<Diagnostic> {
    let source = Source::new(name, text);
    let told = match name {
        "scenario.toml" => Scenario::parse(&source, Path::new(name)).err(),
        "saved.toml" => Replay::parse(&source).err(),
        "some.pack.toml" => Pack::parse(&source).err(),
        "scripts/cards.toml" => {
            let library = Library::of(Arc::new(MemoryFiles::new([(name, text)])), vec!["".into()]);
            library.rule_library("cards", None).err()
        }
        "rulebook.toml" => {
            let game = "id = 'g'\nname = 'G'\nplayers = { min = 2, max = 4 }\nscript.rhai = 'fn game() { }'\n";
            let origin = Origin::new(&MemoryFiles::default(), OriginKind::Path, "/nowhere/game.toml".into());
            let beside = |file: &str| (file == name).then(|| Ok(source.clone()));
            Layer::parse(Source::new("game.toml", game), origin, &beside).unwrap().prose().err()
        }
        _ => {
            let origin = Origin::new(&MemoryFiles::default(), OriginKind::Path, Path::new("/nowhere").join(name));
            match Layer::parse(source, origin, &|_| None) {
                Err(errors) => Some(errors),
                // A game whose looks are wrong is played.
                Ok(game) if !game.is_variant() => {
                    let laid = overlay(&[], &[], &game, &[], &[]).map(|laid| laid.definition.wrong_looks);
                    return laid.unwrap_or_else(|errors| errors.into_iter().collect());
                }
                Ok(_) => None,
            }
        }
    };
    told.into_iter().flatten().collect()
}

/// The file that a section stands in, with a line in one of its tables: the name, the text, and the number of the line.
/// A key that the file has to have stands there once.
fn with_line(section: &Section, line: &str) -> (&'static str, String, usize) {
    let file = FILES.iter().find(|(.., sections)| sections.contains(&section.name));
    let (name, least, _) = file.unwrap_or_else(|| panic!("which file has `{}`?", section.name));
    let top = if section.path.is_empty() { line.split([' ', '.']).next().unwrap() } else { section.path };
    let begins = |text: &&str| text.split([' ', '.']).next().is_none_or(|first| first != top);
    let mut text: String = least.lines().filter(begins).map(|line| format!("{line}\n")).collect();
    match section.path {
        "" => {}
        path @ "rulebook.examples" => text.push_str(&format!("[[rulebook]]\n[[{path}]]\n")),
        path @ ("rulebook" | "then" | "cases" | "rules" | "components.card.list" | "rests_on" | "files") => {
            text.push_str(&format!("[[{path}]]\n"))
        }
        path => text.push_str(&format!("[{path}]\n")),
    }
    text.push_str(line);
    (name, text.clone(), text.lines().count())
}

#[test]
fn a_key_that_is_not_in_the_table_is_refused_at_its_place_with_those_that_are() {
    for section in SECTIONS.iter().filter(|section| section.name != "list") {
        let (name, text, line) = with_line(section, "no_such_key = 1");
        let said = said(name, &text);
        let refused = said.iter().find(|error| error.message.contains("no_such_key"));
        let refused = refused.unwrap_or_else(|| panic!("{}: {said:?}", section.called));
        let json = refused.to_json();
        assert_eq!((&json["file"], &json["line"], &json["column"]), (&name.into(), &line.into(), &1.into()), "{text}");
        let told = format!("{} {}", refused.message, refused.help.join(" "));
        let quoted: BTreeSet<&str> = told.split('`').skip(1).step_by(2).collect();
        for key in section.names() {
            assert!(quoted.contains(key), "{} has `{key}`, and it is not told:\n{told}", section.called);
        }
        // A game has the keys of two sections, and a text those of a prompt.
        if SECTIONS.iter().filter(|other| other.name == section.name).count() == 1 && name == "saved.toml" {
            let known: BTreeSet<&str> = section.names().chain(["no_such_key"]).collect();
            assert_eq!(quoted, known, "{}", section.called);
        }
    }
}

#[test]
fn each_key_of_the_table_is_read() {
    for section in SECTIONS {
        for key in section.keys {
            let line = key.example().map_or_else(|| format!("{} = 1", key.name()), str::to_owned);
            assert!(line.starts_with(key.name()), "the example of `{}` is of another key", key.name());
            let (name, text, number) = with_line(section, &line);
            for error in said(name, &text) {
                let words = format!("{} {}", error.message, error.help.join(" "));
                assert!(!words.contains("unknown key") && !words.contains("unknown field"), "{text}\n{error}");
                let is_here = error.place.as_ref().is_some_and(|place| place.position().0 == number);
                let is_wrong = is_here && (words.contains("must be") || words.contains("cannot be"));
                assert!(key.example().is_none() || !is_wrong, "the example of `{}` is refused:\n{error}", key.name());
            }
        }
    }
}

#[test]
fn a_required_key_that_is_missing_is_told_with_its_example() {
    for section in SECTIONS.iter().filter(|section| !section.path.is_empty() && section.name != "list") {
        // What stands in a saved game is never written by hand.
        let required = section.keys.iter().filter(|key| key.need() == Requirement::Required);
        for key in required.filter(|_| !["result", "rules", "check"].contains(&section.name)) {
            let example =
                key.example().unwrap_or_else(|| panic!("`{}` of {} has no example", key.name(), section.called));
            let (name, text, _) = with_line(section, "no_such_key = 1");
            // Of a list of tables, it is the first that lacks it.
            let of = |table: &str| format!("`{}` of `{table}` is missing", key.name());
            let missing = [
                section.path.to_owned(),
                format!("{}[0]", section.path),
                format!("{}[0]", section.path.replace('.', "[0].")),
            ];
            let missing = missing.map(|path| of(&path));
            let said = said(name, &text);
            let told = said.iter().find(|error| missing.contains(&error.message.to_string()));
            let told = told.unwrap_or_else(|| panic!("{missing:?}: {said:?}"));
            assert_eq!(told.help, [format!("such as `{example}`")]);
        }
    }
}

#[test]
fn the_page_has_every_key() {
    let page = page();
    for section in SECTIONS {
        for key in section.keys {
            let row = format!("| `{}` | {} |", key.name(), key.value());
            assert!(page.contains(&row), "the page lacks `{}` of {}", key.name(), section.called);
        }
    }
    assert!(!page.contains("{{"), "a section of the page has no keys");
}

/// `of_language` makes the key of a translation, and the table tells of it.
#[test]
fn a_text_has_a_key_for_each_language() {
    let texts: Vec<_> = SECTIONS.iter().filter(|section| section.has(Language::English.code())).collect();
    assert_eq!(texts.len(), 2);
    for (section, language) in texts.iter().flat_map(|section| Language::ALL.map(|language| (section, language))) {
        assert!(section.has(language.code()), "{} has no key for {}", section.called, language.name());
    }
}
