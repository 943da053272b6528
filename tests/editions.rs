//! Rules that are kept for years: names that come later take nothing from them, names that have changed keep their meaning,
//! and whole games of earlier editions play as they did.

use houserule::agent::Random;
use houserule::definition::{Edition, Library};
use houserule::diagnostic::Diagnostics;
use houserule::files::MemoryFiles;
use houserule::inspect::trace::Trace;
use houserule::playthrough::Playable;
use houserule::playthrough::run::{Request, Until, run};
use houserule::ruleset::{Ruleset, Selection};
use houserule::script::Start;
use houserule::script::vocabulary::old::{OLD_NAMES, OldForm};
use houserule::script::vocabulary::{Form, words};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const GAME: &str = r#"
id = "kept"
name = "Kept"
players = { min = 2, max = 2 }
components.card = { id = "{number}", kind = "card", attributes = { number = { from = 1, to = 6 } } }
zones.deck = { name = "Deck", order = "pile", visible = "all" }
zones.rows = { name = "Rows", per = "seat", count = 3, order = "row", visible = "all" }
"#;

/// A game with these rules and further lines of TOML, compiled for two.
fn compiled(toml: &str, rules: &str, variant: Option<&str>) -> Result<Playable, Diagnostics> {
    let over =
        variant.map(|rules| format!("id = 'over'\ngame = 'kept'\nname = 'Over'\n[script]\nrhai = '''\n{rules}\n'''\n"));
    let mut files =
        vec![("games/kept/game.toml", format!("{toml}{GAME}")), ("games/kept/rules.rhai", rules.to_owned())];
    files.extend(over.clone().map(|over| ("variants/kept/over.toml", over)));
    let library = Library::of(Arc::new(MemoryFiles::new(files)), vec!["".into()]);
    let selection = Selection::of("kept");
    let selection = if over.is_some() { selection.with("over") } else { selection };
    Playable::compile(Arc::new(Ruleset::load(&library, &selection)?), 2, Arc::default())
}

/// The scores of a game.
#[track_caller]
fn scores(toml: &str, rules: &str, variant: Option<&str>) -> Vec<i64> {
    let loaded = compiled(toml, rules, variant).unwrap_or_else(|errors| panic!("{rules}\n{}", errors.render(false)));
    let (played, end) = loaded.rules.play(&Start::Game, 1, &mut Random::new(1), None);
    assert_eq!(end, houserule::script::End::Finished, "{rules}");
    houserule::table::value::Seats::all(2).into_iter().map(|seat| played.table.score(seat)).collect()
}

#[track_caller]
fn refused(toml: &str, rules: &str) -> String {
    match compiled(toml, rules, None) {
        Ok(_) => panic!("this is not refused:\n{rules}"),
        Err(errors) => errors.render(false),
    }
}

const NAMED: &str = "houserule = '0.1'\n";

#[test]
fn a_function_of_any_name_goes_before_the_word() {
    let names: BTreeSet<&str> = words().filter(|word| word.is_called()).map(|word| word.name).collect();
    for name in names {
        for arity in 0..=4 {
            let parameters: Vec<String> = (0..arity).map(|number| format!("a{number}")).collect();
            let arguments = vec!["2"; arity].join(", ");
            let sum = parameters.iter().map(|name| format!(" + {name}")).collect::<String>();
            let rules = format!(
                "fn game() {{ for p in players {{ p.award({name}({arguments}), \"x\"); }} }}\n\
                 fn {name}({}) {{ 1{sum} }}",
                parameters.join(", ")
            );
            // `award` with three arguments is the word of a player.
            let points = 1 + 2 * arity as i64;
            assert_eq!(scores("", &rules, None), [points, points], "{name}/{arity}");
        }
    }
}

#[test]
fn a_word_behind_a_dot_is_never_hidden() {
    let rules = "fn game() { deck.shuffle(); components(\"card\").move_to(deck); players.first.award(max(3, 4), \"x\");\n\
                 players.first.award(deck.count_distinct(\"number\") + top(deck, 2), \"x\"); }\n\
                 fn max(a, b) { 0 }\nfn top(zone, count) { zone.top(count).len * 100 }\nfn shuffle() { }\nfn count_distinct(x) { 7000 }";
    assert_eq!(scores("", rules, None), [206, 0]);
    // Handed to a word by its name, and called with another number of arguments than the word has.
    let rules = "fn game() { players.first.award(players.map(pick).sum, \"x\"); }\nfn pick(p) { p.number }";
    assert_eq!(scores("", rules, None), [3, 0]);
}

#[test]
fn a_layer_below_still_means_the_word() {
    let base = "fn game() { players.first.award(max(3, 4), \"x\"); extra(); }\nfn extra() { }";
    let over = "fn extra() { players.first.award(max(10, 20), \"x\"); }\nfn max(a, b) { -a - b }";
    assert_eq!(scores("", base, Some(over)), [4 - 30, 0]);
    // Where the layer below has the function, the highest one is called, as always.
    let base = format!("{base}\nfn max(a, b) {{ 1000 }}");
    assert_eq!(scores("", &base, Some(over)), [-7 - 30, 0]);
    assert_eq!(scores("", &base, Some("fn max(a, b) { super(a, b) + 1 }")), [1001, 0]);
}

#[test]
fn what_is_declared_goes_before_a_property_of_the_same_name() {
    for word in words().filter(|word| word.form == Form::Property) {
        let name = word.name;
        let owner = |receiver: &str| word.receivers.iter().any(|one| one.name() == receiver);
        if owner("player") {
            let toml = format!("variables.{name} = {{ per = 'seat', default = 7 }}\n");
            let rules = format!("fn game() {{ for p in players {{ p.award(p.{name}, \"x\"); p.{name} = 8; }} }}");
            // The score is a variable of every game.
            if name != "score" {
                assert_eq!(scores(&toml, &rules, None), [7, 7], "variable {name}");
            }
        }
        if owner("component") {
            let toml =
                format!("components.tile = {{ id = 'tile', kind = 'token', attributes = {{ {name} = [5] }} }}\n");
            let rules = format!("fn game() {{ players.first.award(components(\"tile\").first.{name}, \"x\"); }}");
            if compiled(&toml, &rules, None).is_ok() {
                assert_eq!(scores(&toml, &rules, None), [5, 0], "attribute {name}");
            }
        }
        let toml = format!("data.table = {{ {name} = 9 }}\ndata.list = [1, 2]\n");
        let rules = format!("fn game() {{ players.first.award(data.table.{name} + data.list.len, \"x\"); }}");
        assert_eq!(scores(&toml, &rules, None), [11, 0], "data {name}");
        let rules = format!(
            "fn game() {{ let all = acts(\"a\", \"{name}\", [4]); players.first.award(all.where(|x| x.{name} == 4).len, \"x\"); }}"
        );
        assert_eq!(scores("", &rules, None), [1, 0], "part {name}");
    }
}

#[test]
fn a_file_that_names_no_edition_keeps_the_names_that_words_had() {
    let rules = "fn game() { components(\"card\").move_to(deck); let p = players.first;\n\
                 p.award(deck.distinct(\"number\") + distinct(deck, \"number\"), \"x\");\n\
                 p.award(p.rows.size + data.points.at_most(9), \"x\"); }";
    let points = "data.points = [1, 100]\n";
    assert_eq!(scores(points, rules, None), [12 + 3 + 100, 0]);
    let told = compiled(points, rules, None).unwrap_or_else(|errors| panic!("{}", errors.render(false)));
    let told: Vec<&str> = told.rules.lints().iter().map(|lint| lint.warning.message.as_str()).collect();
    assert_eq!(told.iter().filter(|told| told.contains("is now called")).count(), 4, "{told:?}");
    // A function of the rules, and what the rules declare, is meant before the word of earlier days.
    let rules = "fn game() { players.first.award(at_most(3, 1) + components(\"tile\").first.size, \"x\"); }\nfn at_most(a, b) { a - b }";
    let tile = "components.tile = { id = 'tile', kind = 'token', attributes = { size = [30] } }\n";
    assert_eq!(scores(tile, rules, None), [32, 0]);
}

#[test]
fn a_file_that_names_its_edition_has_the_names_of_that() {
    for old in OLD_NAMES {
        let receiver = if old.name == "between" { "deck" } else { "players.first.rows" };
        let argument = if old.name == "between" { "deck" } else { "\"number\"" };
        let call = match old.form {
            OldForm::Property => format!("{receiver}.{}", old.name),
            OldForm::Called(_) => format!("{receiver}.{}({argument})", old.name),
        };
        let rules = format!("fn game() {{ note(`${{{call}}}`); }}");
        let error = refused(NAMED, &rules);
        assert!(error.contains(old.told), "{error}");
    }
    for (edition, told) in [
        ("'0.2'", "this file is written for Houserule 0.2"),
        ("'9.0'", "install a newer Houserule"),
        ("'0.1.0'", "is no edition of the language"),
        ("'0.0'", "is no edition of the language"),
        ("0.1", "houserule"),
        ("'one'", "write `houserule = \"0.1\"`"),
    ] {
        let error = refused(&format!("houserule = {edition}\n"), "fn game() { }");
        assert!(error.contains(told), "{error}");
    }
}

#[test]
fn zones_that_are_always_there_are_not_asked_whether_there_are_none() {
    for asked in ["p.rows.is_empty", "(deck + p.rows).is_empty"] {
        let error = refused("", &format!("fn game() {{ let p = players.first; if {asked} {{ p.award(1, \"x\"); }} }}"));
        assert!(error.contains("zones.components.is_empty"), "{error}");
    }
    for asked in ["p.rows.filled.is_empty", "(p.rows - p.rows.first).is_empty", "deck.is_empty"] {
        let rules = format!("fn game() {{ let p = players.first; if {asked} {{ p.award(1, \"x\"); }} }}");
        assert!(compiled("", &rules, None).is_ok(), "{asked}");
    }
}

#[test]
fn everything_shipped_names_its_edition() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let library = houserule::Disk::library(vec![root.to_owned()]);
    let files = library.files();
    let rules =
        ["games", "variants", "tests/scenarios"].iter().flat_map(|folder| files.toml_files_below(&root.join(folder)));
    let unstated = |path: &PathBuf| !std::fs::read_to_string(path).unwrap().contains("houserule = \"0.1\"\n");
    let unstated: Vec<PathBuf> = rules.filter(unstated).collect();
    assert!(unstated.is_empty(), "`houserule upgrade` writes it: {unstated:?}");
    for library in library.rule_libraries() {
        assert_eq!(library.layer.unwrap().edition, Edition::CURRENT, "{}", library.id);
    }
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

/// A folder with a copy of one game of the corpus, with its variants, scenarios and saved games.
fn copied(game: &str) -> tempfile::TempDir {
    let from = corpus().join("first");
    let folder = tempfile::tempdir().unwrap();
    let below = ["games", "variants", "tests/scenarios"].map(|below| format!("{below}/{game}"));
    for below in below.into_iter().chain(["saves".to_owned()]) {
        std::fs::create_dir_all(folder.path().join(&below)).unwrap();
        for file in std::fs::read_dir(from.join(&below)).unwrap() {
            let file = file.unwrap();
            std::fs::copy(file.path(), folder.path().join(&below).join(file.file_name())).unwrap();
        }
    }
    folder
}

/// Runs the program in a folder: its exit code, and what it says on both ways.
fn houserule(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_houserule"));
    let done = command.current_dir(folder).env("HOME", folder).arg("--dir").arg(".").args(arguments).output().unwrap();
    (done.status.code(), String::from_utf8([done.stdout, done.stderr].concat()).unwrap())
}

#[test]
fn rules_of_the_first_day_are_upgraded_and_play() {
    let folder = copied("up-or-down");
    let (code, told) = houserule(folder.path(), &["test", "up-or-down"]);
    assert!(code == Some(1) && told.contains("zones.components.is_empty"), "{told}");
    let rules = std::fs::read_to_string(folder.path().join("games/up-or-down/rules.rhai")).unwrap();
    let (code, told) = houserule(folder.path(), &["upgrade", "games", "variants", "tests"]);
    assert!(code == Some(0) && told.contains("at_most → entry_or_last"), "{told}");
    let (code, told) = houserule(folder.path(), &["test", "up-or-down"]);
    // Three expect words of a message of that time: that two variants "do not go together".
    let failed: Vec<&str> = told.lines().filter_map(|line| line.strip_prefix("FAILED ")?.split(' ').next()).collect();
    assert!(code == Some(1) && failed == ["E1", "E2", "E3"] && told.contains("53 passed, 3 failed"), "{told}");
    let upgraded = std::fs::read_to_string(folder.path().join("games/up-or-down/rules.rhai")).unwrap();
    let changed: Vec<&str> =
        rules.lines().zip(upgraded.lines()).filter(|(was, now)| was != now).map(|(_, now)| now.trim()).collect();
    assert_eq!(
        changed,
        [
            "let fresh = if p.columns.empty.len > 0 { act(\"new\") } else { acts(\"abandon\", \"column\", p.columns) };",
            "if !piles.components.is_empty { p.choose(\"draw_from\", piles.filled).last.move_to(p.hand); }"
        ]
    );
    assert_eq!(rules.lines().count(), upgraded.lines().count(), "comments and spacing stay");
    let (code, told) = houserule(folder.path(), &["upgrade", "games", "variants", "tests"]);
    assert!(code == Some(0) && told.contains("in edition 0.1 already"), "{told}");
    let library = houserule::Disk::library(vec![folder.path().to_owned()]);
    let pinned = std::fs::read_to_string(corpus().join("first/upgraded.txt")).unwrap();
    assert_eq!(traces(&library), pinned, "upgraded, the rules play otherwise than they did");
    let (code, told) = houserule(folder.path(), &["replay", "saves/up-or-down.toml"]);
    assert!(code == Some(0) && told.contains("30 of 30 moves fit"), "{told}");
}

#[test]
fn an_upgrade_keeps_line_ends_and_plays_saved_games_and_writes_nothing_that_it_cannot_show() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("games/kept")).unwrap();
    let (toml, script) = (folder.path().join("games/kept/game.toml"), folder.path().join("games/kept/rules.rhai"));
    std::fs::write(&toml, format!("\u{feff}# Kept.{GAME}").replace('\n', "\r\n")).unwrap();
    let rules = "fn game() {\r\n    components(\"card\").move_to(deck); // All.\r\n    for p in players {\r\n        \
                 if p.may(\"more\") { p.award(deck.distinct(\"number\"), \"x\"); }\r\n    }\r\n}\r\n";
    std::fs::write(&script, rules).unwrap();
    let (code, told) = houserule(folder.path(), &["play", "kept", "-s", "3"]);
    assert!(code.is_some(), "{told}");
    let saved = "format = 2\ngame = \"kept\"\nplayers = 2\nseed = 1\nruleset = \"\"\nlog = [[1, \"more\", \"yes\"]]\n";
    std::fs::write(folder.path().join("saved.toml"), saved).unwrap();
    let arguments = ["upgrade", "games", "saved.toml"];
    let (code, told) = houserule(folder.path(), &[&arguments[..], &["--dry-run"]].concat());
    assert!(code == Some(0) && told.contains("saved games: 1") && told.contains("nothing was written"), "{told}");
    assert_eq!(std::fs::read_to_string(&script).unwrap(), rules);
    let (code, told) = houserule(folder.path(), &arguments);
    assert!(code == Some(0), "{told}");
    assert_eq!(std::fs::read_to_string(&script).unwrap(), rules.replace("distinct", "count_distinct"));
    let written = std::fs::read_to_string(&toml).unwrap();
    assert!(written.starts_with("\u{feff}# Kept.\r\nhouserule = \"0.1\"\r\nid = \"kept\"\r\n"), "{written:?}");
    for (wrong, told) in [
        (&["upgrade", "saved.toml"][..], "no file of rules to upgrade"),
        (&["upgrade", "nothing.toml"], "nothing.toml"),
        (&["upgrade"], "FILE"),
    ] {
        let (code, said) = houserule(folder.path(), wrong);
        assert!(code == Some(2) && said.contains(told), "{said}");
    }
}

#[test]
fn a_library_that_is_only_a_script_is_upgraded_with_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let script = |id: &str| folder.path().join(format!("scripts/{id}.rhai"));
    std::fs::create_dir_all(folder.path().join("games/kept")).unwrap();
    std::fs::create_dir_all(folder.path().join("scripts")).unwrap();
    let game = format!("{NAMED}uses = [\"lib\", \"end\"]\n{GAME}");
    std::fs::write(folder.path().join("games/kept/game.toml"), game).unwrap();
    let rules = "fn game() { for p in players { p.award(kinds(), \"x\"); } }\n";
    std::fs::write(folder.path().join("games/kept/rules.rhai"), rules).unwrap();
    for among in [".", "scripts"] {
        std::fs::write(script("lib"), "//! Lib\nfn kinds() { deck.distinct(\"number\") }\n").unwrap();
        // The last line has no end.
        std::fs::write(script("end"), "//! End").unwrap();
        std::fs::write(script("unused"), "//! Unused\nfn other() { deck.distinct(\"number\") }\n").unwrap();
        let (code, told) = houserule(folder.path(), &["upgrade", among]);
        assert!(code == Some(0) && told.matches("wrote ").count() == 2, "{told}");
        let lib = std::fs::read_to_string(script("lib")).unwrap();
        assert_eq!(lib, "//! Lib\n//! houserule = \"0.1\"\nfn kinds() { deck.count_distinct(\"number\") }\n");
        assert_eq!(std::fs::read_to_string(script("end")).unwrap(), "//! End\n//! houserule = \"0.1\"\n");
        // What its names mean is not known, which keeps nothing else from being upgraded.
        assert!(told.contains("warning: no game uses the library `unused`"), "{told}");
        assert!(std::fs::read_to_string(script("unused")).unwrap().contains(".distinct"));
    }
    let (code, told) = houserule(folder.path(), &["upgrade", "scripts/unused.rhai"]);
    assert!(code == Some(2) && told.contains("error: no game uses the library `unused`"), "{told}");
}

#[test]
fn an_upgrade_writes_all_files_or_none() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("games/kept")).unwrap();
    let (toml, script) = (folder.path().join("games/kept/game.toml"), folder.path().join("games/kept/rules.rhai"));
    std::fs::write(&toml, GAME).unwrap();
    let rules = "fn game() { for p in players { p.award(deck.distinct(\"number\"), \"x\"); } }\n";
    std::fs::write(&script, rules).unwrap();
    let read_only = |is_it: bool| {
        let mut permissions = std::fs::metadata(&script).unwrap().permissions();
        permissions.set_readonly(is_it);
        std::fs::set_permissions(&script, permissions).unwrap();
    };
    read_only(true);
    let (code, told) = houserule(folder.path(), &["upgrade", "games"]);
    assert!(code == Some(2) && told.contains("`games/kept/rules.rhai` is read-only"), "{told}");
    assert!(!told.contains("wrote "), "{told}");
    assert_eq!(std::fs::read_to_string(&toml).unwrap(), GAME);
    assert_eq!(std::fs::read_to_string(&script).unwrap(), rules);
    read_only(false);
    let (code, told) = houserule(folder.path(), &["upgrade", "games"]);
    assert!(code == Some(0) && told.matches("wrote ").count() == 2, "{told}");
}

/// Rules of earlier days, each in a folder: what was written with the program of that time.
const CORPUS: &[&str] = &["first", "unstated"];

/// Games by chance of each ruleset of the corpus that the traces pin.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=2;

/// Rules of earlier days play as they did: every game and variant, traces byte for byte, by their hashes. The program of
/// the time made those; `tests/corpus/README.md` says how.
#[test]
fn old_rules_play_as_they_did() {
    for name in CORPUS {
        let library = houserule::Disk::library(vec![corpus().join(name)]);
        let pinned = std::fs::read_to_string(corpus().join(name).join("traces.txt")).unwrap();
        let played = traces(&library);
        for (pinned, played) in pinned.lines().zip(played.lines()) {
            assert_eq!(played, pinned, "rules of {name} play otherwise than they did");
        }
        assert_eq!(pinned.lines().count(), played.lines().count());
    }
}

/// Every ruleset of a library of one game alone or with one variant, in a line: the hashes of its games by chance.
fn traces(library: &Library) -> String {
    let mut traces = String::new();
    for game in library.games() {
        let variants = library.variants(&game.id).into_iter().map(|variant| Selection::of(&game.id).with(&variant.id));
        for selection in std::iter::once(Selection::of(&game.id)).chain(variants) {
            let command = selection.command("play").replace("houserule play ", "");
            let loaded = Playable::for_fewest(library, &selection, &Arc::default());
            let played = loaded.map(|loaded| SEEDS.map(|seed| trace(&loaded, seed)).collect::<Vec<_>>().join(" "));
            let told = played.unwrap_or_else(|errors| format!("refused: {}", errors.first().message));
            writeln!(traces, "{command}: {told}").unwrap();
        }
    }
    traces
}

/// The files of one folder of a corpus, in the order of their names.
fn files_of(name: &str, folder: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(corpus().join(name).join(folder)).unwrap();
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

/// Games that were saved by programs of earlier days come out as they did, whether a file has rules in it or not.
#[test]
fn old_saved_games_open_and_come_out_the_same() {
    for (name, format) in [("first", "format   = 1\n"), ("unstated", "format   = 2\n")] {
        for file in files_of(name, "saves") {
            let path = file.to_str().unwrap();
            assert!(std::fs::read_to_string(&file).unwrap().contains(format), "{path}");
            let (code, told) = houserule(&corpus().join(name), &["replay", path]);
            if file.ends_with("first/saves/up-or-down.toml") {
                // Upgraded, these rules have it again, as another test shows.
                assert!(code == Some(2) && told.contains("zones.components.is_empty"), "{path}: {told}");
                continue;
            }
            assert!(code == Some(0) && told.contains(" moves fit") && !told.contains("no longer"), "{path}: {told}");
        }
    }
}

/// Packs of earlier days are installed, and what is in them plays as it did.
#[test]
fn old_packs_are_installed_and_play() {
    let folder = tempfile::tempdir().unwrap();
    let told = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_houserule"));
        command.env_remove("HOUSERULE_DIR").env_remove("XDG_DATA_HOME").env("HOME", folder.path());
        let done = command.current_dir(folder.path()).args(arguments).output().unwrap();
        assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        done.stdout
    };
    for file in files_of("unstated", "packs") {
        told(&["install", file.to_str().unwrap()]);
    }
    // The game that this one rests on is today's.
    told(&["sim", "pig", "-v", "mine", "-n", "2"]);
    let pinned = std::fs::read_to_string(corpus().join("unstated/packs.txt")).unwrap();
    for pinned in pinned.lines() {
        let (ruleset, _) = pinned.split_once(": ").unwrap();
        let played = SEEDS.map(|seed| {
            let seed = seed.to_string();
            hash(&told(&["trace"].into_iter().chain(ruleset.split(' ')).chain(["-s", &seed]).collect::<Vec<_>>()))
        });
        assert_eq!(format!("{ruleset}: {}", played.collect::<Vec<_>>().join(" ")), pinned);
    }
}

/// The hash of a game by chance as a trace.
fn trace(loaded: &Playable, seed: u64) -> String {
    let mut agent = Random::new(seed);
    let trace = Trace::begin(Vec::new(), &loaded.ruleset, &loaded.layout, seed, false);
    let (written, _) = trace
        .follow(|recording| {
            let asked = Some((&mut agent as _, &Until::End));
            run(
                &loaded.rules,
                Request { start: &Start::Game, seed, log: &[], agent: asked, recording: Some(recording) },
            )
        })
        .unwrap();
    hash(&written)
}

/// The hash of a trace without the line that tells the rules.
fn hash(trace: &[u8]) -> String {
    let first = trace.iter().position(|byte| *byte == b'\n').unwrap();
    blake3::hash(&trace[first..]).to_hex()[..16].to_owned()
}
