//! The trace keeps its contract: what an independent program would rely on.

use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Command;

const START: [&str; 10] =
    ["type", "format", "game", "variants", "settings", "players", "seed", "ruleset", "houserule", "components"];

fn trace(arguments: &[&str]) -> (Vec<Value>, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_houserule"))
        .args(["trace", "up-or-down"])
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (lines, output.status.code().unwrap())
}

fn keys(line: &Value) -> Vec<&str> {
    line.as_object().unwrap().keys().map(String::as_str).collect()
}

fn of_type<'a>(lines: &'a [Value], sort: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["type"] == sort).collect()
}

#[test]
fn lines_have_their_keys_in_order() {
    let (lines, code) = trace(&["-p", "3", "-s", "42", "-v", "greenhorn", "-v", "take-any", "--state"]);
    assert_eq!(code, 0);
    assert_eq!(keys(&lines[0]), START);
    assert_eq!(lines[0]["settings"], serde_json::json!({"take-any.color": "ask"}));
    assert_eq!(lines[0]["components"]["14"], serde_json::json!({"kind": "card", "number": 14, "color": "red"}));
    for line in of_type(&lines, "decision") {
        let mut expected = vec!["type", "n", "seat", "prompt"];
        if line["prompt"] == "name_color" {
            assert_eq!(line["for"], "take-any");
            expected.push("for");
        }
        expected.extend(["min", "max", "options", "chosen", "state"]);
        assert_eq!(keys(line), expected);
        assert_eq!(
            keys(&line["state"]),
            ["phase", "round", "turn", "clock", "zones", "sides", "values", "owners", "vars"]
        );
    }
    let expected =
        [("move", vec!["type", "component", "from", "to", "at"]), ("award", vec!["type", "seat", "points", "reason"])];
    for (sort, expected) in expected {
        let found = of_type(&lines, sort);
        assert!(!found.is_empty());
        found.iter().for_each(|line| assert_eq!(keys(line), expected));
    }
    let end = lines.last().unwrap();
    assert_eq!(keys(end), ["type", "reason", "scores", "ranking", "winners", "state"]);
    assert_eq!(end["reason"], "finished");
}

#[test]
fn option_values_have_the_forms_of_the_contract() {
    let (lines, _) = trace(&["-p", "2", "-s", "7", "-v", "remove-one"]);
    let mut seen: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for line in of_type(&lines, "decision") {
        let values = line["options"].as_array().unwrap().iter().map(|option| &option["value"]);
        seen.entry(line["prompt"].as_str().unwrap()).or_default().extend(values);
    }
    assert!(seen["name_color"].iter().all(|value| value.is_string()));
    assert!(seen["remove_last"].iter().all(|value| value.is_boolean()));
    for prompt in ["play_card", "take_neighbour"] {
        assert!(seen[prompt].iter().all(|value| keys(value) == ["card"] && value["card"].is_string()));
    }
    for value in &seen["place_card"] {
        match value["act"].as_str().unwrap() {
            "new" => assert_eq!(keys(value), ["act"]),
            "extend" | "abandon" => {
                assert_eq!(keys(value), ["act", "column"]);
                assert!((1..=3).contains(&value["column"].as_i64().unwrap()));
            }
            other => panic!("{other} is no act"),
        }
    }
    for value in &seen["draw_from"] {
        assert!(
            value == &&serde_json::json!({"zone": "face_down"}) || value == &&serde_json::json!({"zone": "face_up"})
        );
    }
}

/// A program that reads nothing but moves knows what lies where; only a shuffle changes an order unseen.
#[test]
fn moves_rebuild_every_zone() {
    for seed in ["1", "2", "3"] {
        let (lines, _) = trace(&["-p", "4", "-s", seed, "-v", "remove-one", "-v", "short-game", "--state"]);
        let mut zones: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut decisions = 0;
        for line in &lines {
            match line["type"].as_str().unwrap() {
                "move" => {
                    let component = line["component"].as_str().unwrap().to_owned();
                    if let Some(from) = line["from"].as_str() {
                        let held = zones.get_mut(from).unwrap();
                        let position = held.iter().position(|one| *one == component).unwrap();
                        held.remove(position);
                    }
                    let at = usize::try_from(line["at"].as_u64().unwrap()).unwrap();
                    zones.entry(line["to"].as_str().unwrap().to_owned()).or_default().insert(at, component);
                }
                "decision" | "end" => {
                    decisions += 1;
                    if line["type"] == "decision" {
                        assert_eq!(line["n"], decisions);
                    }
                    for (zone, held) in line["state"]["zones"].as_object().unwrap() {
                        let mut told: Vec<&str> =
                            held.as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
                        let mut built: Vec<&str> = zones.get(zone).into_iter().flatten().map(String::as_str).collect();
                        if zone.starts_with("face_") || zone == "p1.hand" || zone.ends_with(".hand") {
                            told.sort_unstable();
                            built.sort_unstable();
                        }
                        assert_eq!(told.len(), built.len(), "{zone}");
                        if !zone.starts_with("face_") {
                            assert_eq!(told, built, "{zone} at decision {decisions}");
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

#[test]
fn awards_add_up_to_the_scores() {
    let (lines, _) = trace(&["-p", "5", "-s", "9", "-v", "rainbow", "-v", "greenhorn-pro", "-v", "special-color-pro"]);
    let mut sums = [0; 5];
    for award in of_type(&lines, "award") {
        sums[usize::try_from(award["seat"].as_u64().unwrap()).unwrap() - 1] += award["points"].as_i64().unwrap();
    }
    let end = lines.last().unwrap();
    assert_eq!(end["scores"], serde_json::json!(sums));
    let best = sums.iter().max().unwrap();
    let winners: Vec<usize> = (1..=5).filter(|seat| sums[seat - 1] == *best).collect();
    assert_eq!(end["winners"], serde_json::json!(winners));
    assert_eq!(end["ranking"][0], end["winners"]);
}

#[test]
fn equal_runs_give_equal_bytes_and_other_seeds_other_games() {
    let run = |seed: &str| trace(&["-s", seed, "--state"]).0;
    assert_eq!(run("5"), run("5"));
    assert_ne!(run("5"), run("6"));
}

#[test]
fn settings_hold_what_was_set() {
    let set = ["--set", "special-color.color=pink", "--set", "up-or-down.data.ring_size=7", "-v", "special-color"];
    let (lines, code) = trace(&set);
    assert_eq!(code, 0);
    let expected = serde_json::json!({"special-color.color": "pink", "up-or-down.data.ring_size": 7});
    assert_eq!(lines[0]["settings"], expected);
    assert!(of_type(&lines, "decision").iter().all(|line| line["prompt"] != "name_color"));
}

#[test]
fn rules_that_fail_end_the_trace_with_an_error() {
    // A hand of no cards: the first decision has no option.
    let (lines, code) = trace(&["--set", "up-or-down.data.highest_card.2=14", "--set", "up-or-down.data.ring_size=40"]);
    assert_eq!(code, 1);
    let end = lines.last().unwrap();
    assert_eq!((end["type"].as_str(), end["reason"].as_str()), (Some("end"), Some("error")));
    assert!(!end["error"].as_str().unwrap().is_empty());
    // Nobody has won such a game.
    assert_eq!(keys(end), ["type", "reason", "error", "scores"]);
}

/// A line of JSON is printed by many programs: nothing in it may act on a terminal or turn text round.
#[test]
fn no_character_of_a_line_acts_on_a_terminal() {
    let project = tempfile::tempdir().unwrap();
    let folder = project.path().join("games/trap");
    std::fs::create_dir_all(&folder).unwrap();
    let hostile = "a\u{7f}b\u{9b}c\u{202e}d\u{2028}e\u{200b}f\u{e0041}g";
    let game = format!(
        "id = \"trap\"\nname = \"{}\"\nplayers = {{ min = 1, max = 1 }}\n",
        hostile.replace('\u{7f}', "\\u007f")
    );
    std::fs::write(folder.join("game.toml"), game).unwrap();
    std::fs::write(folder.join("rules.rhai"), format!("fn game() {{ note(\"{hostile}\"); }}\n")).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
        let output = command.args(arguments).arg("--dir").arg(project.path()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let acts = |letter: char| {
            letter != '\n' && (letter.is_control() || "\u{202e}\u{2028}\u{200b}\u{e0041}".contains(letter))
        };
        assert_eq!(text.chars().find(|letter| acts(*letter)), None, "{arguments:?}: {text:?}");
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>()
    };
    let trace = run(&["trace", "trap", "-s", "1"]);
    assert_eq!(of_type(&trace, "note")[0]["text"], hostile);
    assert_eq!(run(&["list", "trap", "--json"])[0]["games"][0]["name"], hostile);
    assert_eq!(run(&["show", "trap", "--json"])[0]["name"], hostile);
}

/// What has been written is not held: a long game with all its tables fits into little memory.
#[cfg(target_os = "linux")]
#[test]
fn a_long_game_is_not_held_in_memory() {
    let project = tempfile::tempdir().unwrap();
    let folder = project.path().join("games/long");
    std::fs::create_dir_all(&folder).unwrap();
    let game = "id = \"long\"\nname = \"Long\"\nplayers = { min = 1, max = 1 }\n\n[components.card]\nkind = \"card\"\n\
                id = \"{n}\"\nattributes = { n = { from = 1, to = 2000 } }\n\n[zones.deck]\nname = \"deck\"\norder = \"pile\"\nvisible = \"none\"\n";
    std::fs::write(folder.join("game.toml"), game).unwrap();
    let rules = "fn game() { components(\"card\").move_to(deck); for n in 0..2500 { players.first.choose(\"go\", [1, 2]); } }\n";
    std::fs::write(folder.join("rules.rhai"), rules).unwrap();
    let mut shell = Command::new("sh");
    let limited = "ulimit -v 700000; exec \"$0\" trace long -s 1 --state --dir \"$1\"";
    let output = shell.args(["-c", limited, env!("CARGO_BIN_EXE_houserule")]).arg(project.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout.len() > 30_000_000, "{} bytes of trace", output.stdout.len());
}
