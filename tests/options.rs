//! The right option: whatever options are called alike, each of them can be chosen, and the log tells which it was.
//!
//! Tiny games whose options are a random mixture of every sort of value, many of which look the same.

use houserule::agent::Random;
use houserule::definition::{Language, Library};
use houserule::diagnostic::Source;
use houserule::playthrough::replay::Replay;
use houserule::playthrough::run::Until;
use houserule::playthrough::{Playable, Playthrough};
use houserule::ruleset::{Ruleset, Selection};
use houserule::screen::Listing;
use houserule::session::Session;
use houserule::table::chance::Stream;
use houserule::table::decision::Decision;
use houserule::table::event::EventData;
use houserule::table::value::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

const GAME: &str = r#"
id      = "mixture"
name    = "Mixture"
players = { min = 2, max = 2 }

[components.card]
kind = "card"
list = [
  { id = "1" }, { id = "2" }, { id = "3" }, { id = "yes" }, { id = "p1" }, { id = "ring" }, { id = "red" },
]

[zones]
ring   = { name = "ring", order = "row", visible = "all" }
row    = { name = "row", order = "row", visible = "all", count = 2 }
column = { name = "column", order = "row", visible = "all", per = "seat", count = 2 }
"#;

/// Everything that an option can be by itself, and what a part of one can be.
const VALUES: [&str; 27] = [
    "1",
    "2",
    "3",
    "-1",
    "true",
    "false",
    "p1",
    "p2",
    "ring",
    "\"1\"",
    "\"2\"",
    "\"3\"",
    "\"yes\"",
    "\"no\"",
    "\"p1\"",
    "\"ring\"",
    "\"row.1\"",
    "\"p1.column.2\"",
    "\"x y\"",
    "\"x\"",
    "\"y\"",
    "\"number:1\"",
    "\"\\\"1\\\"\"",
    "p1.column[1]",
    "p2.column[1]",
    "p1.column[2]",
    "row[2]",
];

/// Components, as they come from their group.
const COMPONENTS: [&str; 4] = ["1", "yes", "p1", "ring"];

/// A list of options of the script, all of them different.
fn options(stream: &mut Stream) -> String {
    let some = |stream: &mut Stream, most: usize| {
        let mut values: Vec<String> = VALUES.iter().map(|value| (*value).to_owned()).collect();
        values.extend(COMPONENTS.iter().map(|id| format!("component_called(\"{id}\")")));
        stream.shuffle(&mut values);
        values.truncate(1 + stream.below(most));
        format!("[{}]", values.join(", "))
    };
    match stream.below(4) {
        // Values by themselves.
        0 => some(stream, 30),
        // One part, under a name that traces write for components and for seats.
        1 => format!("options(\"{}\", {})", ["card", "seat", "zone", "w"][stream.below(4)], some(stream, 30)),
        // An act and what it is done with, beside texts that look like it.
        2 => format!(
            "act(\"x\") + acts(\"x\", \"with\", {}) + acts(\"x\", \"on\", {}) + \"x\" + \"x 1\" + \"x p1.column.2\"",
            some(stream, 12),
            some(stream, 12),
        ),
        // Two parts, in both orders.
        _ => format!("options(\"w\", {}).and(\"v\", {}) + \"x y\" + \"1 1\"", some(stream, 5), some(stream, 5)),
    }
}

/// A game of a few decisions.
fn load(number: u32, folder: &Path) -> Playable {
    let mut stream = Stream::named(0, "options that look alike", number);
    let decisions: String =
        (0..4).map(|_| format!("    players.first.choose(\"pick\", {});\n", options(&mut stream))).collect();
    let rules = format!(
        "fn game() {{\n    let p1 = players[1];\n    let p2 = players[2];\n    components(\"card\").move_to(ring);\n{decisions}}}\n\n\
         fn component_called(id) {{ components(\"card\").where(|card| card.id == id).first }}\n"
    );
    let game = folder.join("games/mixture");
    std::fs::create_dir_all(&game).unwrap();
    std::fs::write(game.join("game.toml"), GAME).unwrap();
    std::fs::write(game.join("rules.rhai"), &rules).unwrap();
    let selection = Selection { game: "mixture".to_owned(), ..Selection::default() };
    let ruleset = Ruleset::load(&library(folder), &selection);
    let loaded = ruleset.and_then(|ruleset| Playable::compile(Arc::new(ruleset), 2, Arc::default()));
    loaded.unwrap_or_else(|errors| panic!("{rules}\n{}", errors[0].render(false)))
}

fn library(folder: &Path) -> Library {
    houserule::Disk::library(vec![folder.to_owned()])
}

/// The game after a random player has made so many decisions.
fn played(loaded: &Playable, decisions: usize) -> Playthrough {
    let (mut game, _) = Playthrough::start(loaded.clone(), 2, 1, Vec::new()).unwrap();
    if decisions > 0 {
        game.advance(Box::new(Random::new(3)), Until::Decisions(decisions)).unwrap();
    }
    assert!(game.position().failed.is_none(), "{:?}", game.position().failed);
    game
}

fn open(game: &Playthrough) -> Arc<Decision> {
    game.position().open.clone().unwrap()
}

/// What the rules were given for the last decision.
fn received(game: &Playthrough) -> Value {
    let last = game.position().events.iter().rev().find_map(|event| match &event.what {
        EventData::Choice { decision, chosen, .. } => Some(decision.options[chosen[0]].value.clone()),
        _ => None,
    });
    last.unwrap()
}

#[test]
fn every_label_is_of_one_option_alone() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..60 {
        let loaded = load(number, folder.path());
        for decisions in 0..4 {
            let open = open(&played(&loaded, decisions));
            let labels: BTreeSet<&String> = open.options.iter().map(|option| &option.label).collect();
            assert_eq!(labels.len(), open.options.len(), "{number}: {:?}", open.options);
        }
    }
}

/// By number, by `#` and number, and by label: the rules receive what stands at that place, and after saving and loading
/// they receive it again.
#[test]
fn each_option_is_carried_out_as_it_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..24 {
        let loaded = load(number, folder.path());
        let decisions = number as usize % 4;
        let before = played(&loaded, decisions);
        let options = open(&before);
        let listing = Listing::of(&loaded.layout, &before.position().table, &options);
        for place in 1..=options.options.len() {
            let option = &options.options[listing.at(place).unwrap()];
            for typed in
                [listing.written(place), format!("#{place}"), option.label.clone(), format!("={}", option.label)]
            {
                let language = [Language::English, Language::Japanese][place % 2];
                let mut session = Session::new(
                    played(&loaded, decisions),
                    library(folder.path()),
                    language,
                    Arc::default(),
                    Arc::new(houserule::session::surroundings::NoSurroundings),
                );
                let done = session.line(&typed);
                assert!(done.is_ok(), "{number}: {typed} of {:?}: {done:?}", options.options);
                let game = &session.playthrough;
                assert_eq!(received(game), option.value, "{number}: {typed} of {:?}", options.options);
                let text = Replay::of(game).to_toml();
                let read = Replay::parse(&Source::new("saved.toml", &text)).unwrap();
                assert!(read.warnings.is_empty(), "{text}");
                assert_eq!(read.replay, Replay::of(game), "{text}");
                let (again, misfit) = Playthrough::start(loaded.clone(), 2, 1, read.replay.log).unwrap();
                assert_eq!(misfit, None, "{text}");
                assert_eq!(again.timeline().log(), game.timeline().log(), "{text}");
                assert_eq!(again.position().events, game.position().events, "{text}");
            }
        }
    }
}

/// The trace is for programs that compare values.
#[test]
fn the_values_of_a_trace_are_different() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..24 {
        load(number, folder.path());
        let trace = std::process::Command::new(env!("CARGO_BIN_EXE_houserule"))
            .args(["trace", "mixture", "-s", "5", "--dir"])
            .arg(folder.path())
            .output()
            .unwrap();
        assert!(trace.status.success(), "{}", String::from_utf8_lossy(&trace.stderr));
        let trace = String::from_utf8(trace.stdout).unwrap();
        let lines = trace.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let mut decisions = 0;
        for line in lines.filter(|line| line["type"] == "decision") {
            let options = line["options"].as_array().unwrap();
            for key in ["value", "label"] {
                let different: BTreeSet<String> = options.iter().map(|option| option[key].to_string()).collect();
                assert_eq!(different.len(), options.len(), "{number}: {line:#}");
            }
            decisions += 1;
        }
        assert_eq!(decisions, 4);
    }
}

/// What was saved while choices were told by labels still opens, and is saved with values from then on.
#[test]
fn a_game_saved_with_labels_opens_where_they_are_clear() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("games/mixture");
    std::fs::create_dir_all(&game).unwrap();
    std::fs::write(game.join("game.toml"), GAME).unwrap();
    let rules = "fn game() {\n    let p1 = players[1];\n    let p2 = players[2];\n    players.first.choose(\"pick\", acts(\"to\", \"column\", [p1.column[1], p1.column[2]]));\n    \
                 players.first.choose(\"pick\", acts(\"to\", \"column\", [p1.column[2], p2.column[2], row[1]]));\n}\n";
    std::fs::write(game.join("rules.rhai"), rules).unwrap();
    let selection = Selection { game: "mixture".to_owned(), ..Selection::default() };
    let ruleset = Ruleset::load(&library(folder.path()), &selection).unwrap();
    let loaded = Playable::compile(Arc::new(ruleset), 2, Arc::default()).unwrap();
    let old = |second: &str| {
        let text = format!(
            "format = 1\ngame = \"mixture\"\nplayers = 2\nseed = 1\nruleset = \"\"\n\
             log = [[1, \"pick\", \"to 2\"], [1, \"pick\", \"{second}\"]]\n"
        );
        let read = Replay::parse(&Source::new("old.toml", &text)).unwrap();
        Playthrough::start(loaded.clone(), 2, 1, read.replay.log).unwrap()
    };
    let (clear, misfit) = old("to 1");
    assert_eq!(misfit, None);
    let saved = Replay::of(&clear).to_toml();
    assert!(saved.contains("{ act = \"to\", column = \"p1.column.2\" }"), "{saved}");
    assert!(saved.contains("{ act = \"to\", column = \"row.1\" }"), "{saved}");
    let (_, misfit) = old("to 2");
    let reason = misfit.unwrap().reason;
    assert_eq!(reason.to_string(), "to 2 can mean to p1.column.2 or to p2.column.2 among the options of pick");
}
