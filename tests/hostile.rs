//! What strangers' files may do to the host: nothing but get a good message.
//!
//! Every `tests/hostile/*.rhai` stands as the rules of a small game, every `tests/hostile/*.toml` as its definition;
//! the name of the file says what it tries. The lines `// expect: …` (or `# expect: …`) at its beginning stand in
//! the message that it has to get, and `// at: …` is the place of it. Inputs that no text file can hold, or that would be too long to read, are made here.

use crate::shared::places::place_of;
use crate::shared::small_game;
use houserule::agent::Random;
use houserule::script::reference::meter;
use houserule::script::rules::Rules;
use houserule::script::{End, Start};
use houserule::table::Recording;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::shared::hostile_files::{GOOD_RULES, SEATS, SMALL_GAME, files, name_of};

/// Generous: two thousand thousand operations in a debug build on a busy machine.
const PATIENCE: Duration = Duration::from_secs(40);

/// What a hostile run may leave behind on its thread: caches, interned names, the table's own lists.
const LEFT_OVER: i64 = 1 << 20;

#[test]
fn hostile_scripts_get_a_message_and_nothing_else() {
    let mut failures = Vec::new();
    let cases = files("rhai");
    assert!(cases.len() >= 40, "where have the hostile scripts gone?");
    for path in cases {
        let script = std::fs::read_to_string(&path).unwrap();
        let (expected, at) = expectations(&script, "// ");
        failures.extend(attack(&name_of(&path), SMALL_GAME.as_bytes(), script.as_bytes(), &expected, at));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn hostile_definitions_get_a_message_and_nothing_else() {
    let mut failures = Vec::new();
    for path in files("toml") {
        let definition = std::fs::read_to_string(&path).unwrap();
        let (expected, at) = expectations(&definition, "# ");
        failures.extend(attack(&name_of(&path), definition.as_bytes(), GOOD_RULES.as_bytes(), &expected, at));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// What is nested by the thousand, and what is too long for any file.
#[test]
fn overgrown_scripts_are_refused_before_they_run() {
    let nested = "nested too deeply";
    let wrap = |open: &str, inner: &str, close: &str, depth: usize| {
        format!("fn game() {{ {}{inner}{} }}\n", open.repeat(depth), close.repeat(depth))
    };
    let cases = [
        ("parentheses", wrap("(", "1", ")", 5_000), nested, "rules.rhai:1:43"),
        ("lists", wrap("[", "1", "]", 5_000), nested, "rules.rhai:1:33"),
        ("blocks", wrap("{", "1", "}", 5_000), nested, "rules.rhai:1:44"),
        ("ifs", wrap("if true {", "1", "}", 5_000), nested, "rules.rhai:1:196"),
        ("interpolations", wrap("`${", "1", "}`", 3_000), nested, "rules.rhai:1:58"),
        ("closures", wrap("players.any(|p| ", "true", ")", 3_000), nested, "rules.rhai:1:180"),
        ("calls", wrap("abs(", "1", ")", 5_000), nested, "rules.rhai:1:133"),
        ("negations", format!("fn game() {{ {}true }}\n", "!".repeat(5_000)), nested, "rules.rhai:1:73"),
        ("minus signs", format!("fn game() {{ {}1 }}\n", "- ".repeat(5_000)), nested, "rules.rhai:1:133"),
        ("methods", format!("fn game() {{ 1{} }}\n", ".abs()".repeat(5_000)), nested, "rules.rhai:1:374"),
        ("properties", format!("fn game() {{ players.first{} }}\n", ".next".repeat(5_000)), nested, "rules.rhai:1:321"),
        ("powers", format!("fn game() {{ 2{} }}\n", " ** 2".repeat(5_000)), nested, "rules.rhai:1:313"),
        (
            "else ifs",
            format!("fn game() {{ if false {{}} {} }}\n", "else if false {} ".repeat(3_000)),
            nested,
            "rules.rhai:1:1036",
        ),
        (
            "functions",
            (0..2_000).map(|n| format!("fn f{n}() {{}}\n")).collect(),
            "too many functions",
            "rules.rhai:513:1",
        ),
        (
            "variables",
            format!("fn game() {{ {} }}\n", (0..3_000).map(|n| format!("let a{n}=1;")).collect::<String>()),
            "too many variables",
            "rules.rhai:1:13",
        ),
        ("a file", format!("fn game() {{}}\n{}", "// nothing\n".repeat(10_000)), "larger than 64 KiB", "nowhere"),
        ("a name", format!("fn game() {{ {} }}\n", "x".repeat(60_000)), "there is no `xxx", "rules.rhai:1:13"),
        ("lines", "\n".repeat(65_000), "lines", "rules.rhai:60001:1"),
        ("an unclosed brace", "fn game() {\n".to_owned(), "is not closed", "rules.rhai:2:1"),
        ("an unclosed text", "fn game() { \"abc }\n".to_owned(), "", "rules.rhai:1:13"),
    ];
    let mut failures = Vec::new();
    for (name, script, expected, at) in cases {
        failures.extend(attack(name, SMALL_GAME.as_bytes(), script.as_bytes(), &[expected], at));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Bytes that are no text, or text of another sort.
#[test]
fn files_that_are_no_utf8_text_are_refused() {
    let utf16: Vec<u8> = [0xff, 0xfe].into_iter().chain(GOOD_RULES.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let mut latin1 = GOOD_RULES.as_bytes().to_vec();
    latin1.extend(b"// caf\xe9\n");
    let bom_inside = "fn game() {}\n\u{feff}fn other() {}\n".to_owned();
    let scripts: [(&str, &[u8], &str, &str); 4] = [
        ("UTF-16", &utf16, "UTF-16", "nowhere"),
        ("Latin-1", &latin1, "not UTF-8", "rules.rhai:2:7"),
        ("a byte order mark inside", bom_inside.as_bytes(), "", "rules.rhai:2:1"),
        ("NUL", b"fn game() { \0 }\n", "", "rules.rhai:1:13"),
    ];
    let mut failures = Vec::new();
    for (name, script, expected, at) in scripts {
        failures.extend(attack(&format!("script with {name}"), SMALL_GAME.as_bytes(), script, &[expected], at));
    }
    let nested = |depth: usize| format!("{SMALL_GAME}\n[text]\nx = {}1{}\n", "[".repeat(depth), "]".repeat(depth));
    let nul = SMALL_GAME.replace("Hostile", "Hos\0tile");
    let bom = SMALL_GAME.replace("[data]", "\u{feff}[data]");
    let many_keys = format!("{SMALL_GAME}\n[text]\n{}", (0..7_000).map(|n| format!("k{n}=0\n")).collect::<String>());
    let definitions: [(&str, Vec<u8>, &str, &str); 6] = [
        ("nesting of 10,000", nested(10_000).into_bytes(), "", "game.toml:45:85"),
        ("nesting of 200", nested(200).into_bytes(), "", "game.toml:45:85"),
        ("NUL", nul.into_bytes(), "", "game.toml:3:19"),
        ("a byte order mark inside", bom.into_bytes(), "", "game.toml:6:1"),
        ("70,000 bytes", format!("{SMALL_GAME}{}", "#\n".repeat(35_000)).into_bytes(), "larger than 64 KiB", "nowhere"),
        ("7,000 wrong entries", many_keys.into_bytes(), "", "game.toml:45:4"),
    ];
    for (name, definition, expected, at) in definitions {
        failures.extend(attack(
            &format!("definition with {name}"),
            &definition,
            GOOD_RULES.as_bytes(),
            &[expected],
            at,
        ));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Line ends and a mark at the beginning are no attack: the game is the same.
#[test]
fn other_line_ends_change_nothing() {
    let windows = |text: &str| format!("\u{feff}{}", text.replace('\n', "\r\n"));
    for (definition, rules) in [
        (SMALL_GAME.to_owned(), GOOD_RULES.to_owned()),
        (windows(SMALL_GAME), windows(GOOD_RULES)),
        (SMALL_GAME.trim_end().to_owned(), GOOD_RULES.trim_end().to_owned()),
    ] {
        let rules =
            load(definition.as_bytes(), rules.as_bytes()).unwrap_or_else(|errors| panic!("{}", joined(&errors)));
        assert_eq!(play(&rules), End::Finished);
    }
}

/// One attack, from files to a finished run. Gives what went wrong with it, if anything did.
fn attack(name: &str, definition: &[u8], rules: &[u8], expected: &[&str], at: &str) -> Option<String> {
    let began = Instant::now();
    let errors = match load(definition, rules) {
        Err(errors) => errors,
        Ok(rules) => {
            let before = meter::live_bytes();
            let end = play(&rules);
            let left = meter::live_bytes() - before;
            match end {
                _ if left > LEFT_OVER => return Some(format!("{name} leaves {left} bytes behind")),
                End::Failed(errors) | End::Endless(errors) => errors,
                end => return Some(format!("{name} gets no message: {end:?}")),
            }
        }
    };
    let said = joined(&errors);
    if began.elapsed() > PATIENCE {
        return Some(format!("{name} takes {:?}", began.elapsed()));
    }
    if std::env::var_os("HOSTILE_SHOW").is_some() {
        eprintln!("== {name} ({:?})\n{said}\n", began.elapsed());
    }
    if let Some(raw) = said.chars().find(|letter| letter.is_control() && *letter != '\n') {
        return Some(format!("{name} gets {raw:?} onto the terminal:\n{said}"));
    }
    if said.contains('\u{202e}') {
        return Some(format!("{name} reverses the terminal's text:\n{said}"));
    }
    let told_at = place_of(errors.first());
    if told_at != at {
        return Some(format!("{name} is told at {told_at}, not at {at}:\n{said}"));
    }
    let missing = expected.iter().find(|part| !said.contains(**part));
    missing.map(|part| format!("{name} is not told {part:?}, but:\n{said}"))
}

fn load(definition: &[u8], rules: &[u8]) -> Result<Rules, houserule::diagnostic::Diagnostics> {
    Rules::new(small_game::game("hostile", definition, rules)?, SEATS, Arc::default())
}

/// Plays with everything recorded, so that a flood of events counts too.
fn play(rules: &Rules) -> End {
    rules.play(&Start::Game, 1, &mut Random::new(1), Some(Recording::default())).1
}

/// What the message has to say, and where. Without a place, a file is the wrong one.
fn expectations<'t>(text: &'t str, mark: &str) -> (Vec<&'t str>, &'t str) {
    let head = || text.lines().map_while(|line| line.strip_prefix(mark));
    let at = head().find_map(|line| line.strip_prefix("at: "));
    (head().filter_map(|line| line.strip_prefix("expect: ")).collect(), at.unwrap_or("a place that nobody said"))
}

fn joined(errors: &[houserule::diagnostic::Diagnostic]) -> String {
    errors.iter().map(|error| error.render(false)).collect::<Vec<_>>().join("\n")
}
