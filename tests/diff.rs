//! `houserule diff` from outside: what it shows, what it writes for other programs, and its exit codes.

use serde_json::{Value, json};
use std::process::Command;

/// What is written to both streams, and the exit code.
fn diff(arguments: &[&str], columns: &str) -> (String, String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_houserule"))
        .args(["diff", "up-or-down", "-s", "42"])
        .args(if arguments.contains(&"-p") { &[][..] } else { &["-p", "3"] })
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("COLUMNS", columns)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

#[track_caller]
fn shows(arguments: &[&str], code: i32, words: &[&str]) -> String {
    let (shown, errors, ended) = diff(arguments, "80");
    assert_eq!((ended, errors.as_str()), (code, ""), "{shown}");
    for word in words {
        assert!(shown.contains(word), "no {word:?} in:\n{shown}");
    }
    shown
}

#[track_caller]
fn refuses(arguments: &[&str], words: &[&str]) {
    let (shown, errors, code) = diff(arguments, "80");
    assert_eq!((code, shown.as_str()), (2, ""), "{errors}");
    for word in words {
        assert!(errors.contains(word), "no {word:?} in:\n{errors}");
    }
}

#[test]
fn a_variant_is_compared_with_the_plain_game() {
    let words = ["the same up to move ", "Up or Down?  ", "│ greenhorn", "scores  p1"];
    let shown = shows(&["-v", "greenhorn"], 1, &words);
    // Greenhorn adds points, whichever flag names it.
    let turned = shows(&["--vs", "greenhorn"], 1, &words);
    assert_eq!(shown, turned);
    let scores = shown.lines().rfind(|line| line.starts_with("scores")).unwrap();
    assert!(scores.contains("(+") && !scores.contains("(-"), "{scores}");
    assert!(shown.contains("green cards") && shown.contains("greenhorn.toml:"), "{shown}");
}

#[test]
fn two_variants_are_compared_with_each_other() {
    shows(&["-v", "greenhorn", "--vs", "greenhorn-pro"], 1, &["greenhorn-pro  ", "│ greenhorn", "greenhorn-pro.toml:"]);
    let words = [
        "no longer fits:",
        "p1 name_color is asked instead",
        "asked at variants/up-or-down/special-color.toml:",
        " variant special-color\n",
        "after move 0, each goes its own way to the end, with the same chance",
        "\nscores  p1",
    ];
    shows(&["-v", "greenhorn", "--vs", "greenhorn", "--vs", "special-color"], 1, &words);
}

#[test]
fn a_setting_makes_a_side() {
    let words = ["up-or-down.data.hand_size=4", "the beginning"];
    shows(&["--vs-set", "up-or-down.data.hand_size=4"], 1, &words);
    shows(&["--set", "up-or-down.data.hand_size=4"], 1, &words);
}

#[test]
fn rules_that_change_nothing_end_well() {
    // Nobody is dealt another card than in the plain game.
    shows(&["--set", "up-or-down.data.hand_size=3"], 0, &["nothing is different"]);
    let (shown, ..) = diff(&["--set", "up-or-down.data.hand_size=3", "--json"], "80");
    let report: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!((&report["same"], &report["same_up_to"], &report["moves"]), (&json!(true), &json!(279), &json!([])));
}

#[test]
fn all_of_it_is_written_for_other_programs() {
    let (shown, errors, code) = diff(&["-v", "greenhorn", "--json"], "80");
    assert_eq!((code, errors.as_str(), shown.lines().count()), (1, "", 1));
    let report: Value = serde_json::from_str(&shown).unwrap();
    let keys: Vec<&str> = report.as_object().unwrap().keys().map(String::as_str).collect();
    let expected =
        ["game", "players", "seed", "same", "same_up_to", "played_on_from", "left", "right", "moves", "scores"];
    assert_eq!(keys, [&expected[..], &["options_only_left", "options_only_right", "options_in_other_order"]].concat());
    assert_eq!(report["right"]["variants"], json!(["greenhorn"]));
    assert_eq!((&report["left"]["moves"], &report["left"]["over"]), (&json!(279), &json!(true)));
    let rows = report["moves"][0]["rows"].as_array().unwrap();
    let row = rows.iter().find(|row| row["same"] == false).unwrap();
    assert!(row["right"]["at"].as_str().unwrap().starts_with("variants/up-or-down/greenhorn.toml:"), "{row}");
    assert_eq!(row["right"]["layer"], "variant greenhorn");
    assert_eq!(row["left"], Value::Null);
    for score in report["scores"].as_array().unwrap() {
        assert!(score["left"].as_i64() <= score["right"].as_i64(), "{score}");
    }
    let (shown, _, code) = diff(&["--vs", "special-color", "--json"], "80");
    assert_eq!(code, 1);
    let report: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!((&report["same_up_to"], &report["played_on_from"]), (&Value::Null, &json!(1)));
    assert_eq!(report["right"]["misfit"]["move"], 1);
    assert_eq!(report["right"]["misfit"]["reason"], "p1 name_color is asked instead");
    assert!(
        report["right"]["misfit"]["at"].as_str().unwrap().starts_with("variants/up-or-down/special-color.toml:"),
        "{report}"
    );
    // Both are played to their end, so that the scores can be compared.
    assert_eq!((&report["left"]["over"], &report["right"]["over"]), (&json!(true), &json!(true)));
    assert!(report["right"]["moves"].as_u64() > Some(100), "{report}");
}

#[test]
fn it_fits_every_terminal_in_both_languages() {
    for columns in ["40", "78", "80", "120"] {
        for lang in ["en", "ja"] {
            for other in ["greenhorn", "special-color", "short-game", "rainbow"] {
                let (shown, errors, _) = diff(&["--vs", other, "--lang", lang, "--all"], columns);
                assert_eq!(errors, "");
                for line in shown.lines() {
                    let width = houserule::screen::style::width(line);
                    assert!(width <= columns.parse().unwrap(), "{width} columns instead of {columns}: {line}");
                }
            }
        }
    }
}

#[test]
fn wrong_input_is_refused() {
    refuses(&[], &["both sides are the same rules", "`--vs`"]);
    refuses(&["-v", "greenhorn", "--vs", "greenhorn"], &["both sides are the same rules"]);
    refuses(&["--vs", "rainbwo"], &["rainbwo", "did you mean `rainbow`?"]);
    refuses(&["-v", "rainbwo"], &["rainbwo", "did you mean `rainbow`?"]);
    refuses(&["--vs", "greenhorn", "--vs", "greenhorn-pro"], &["one pays for green cards"]);
    refuses(&["--vs-set", "up-or-down.data.hand_siez=4"], &["hand_siez"]);
    refuses(&["--vs"], &["--vs <VARIANT>"]);
    refuses(&["--vs", "greenhorn", "-p", "99"], &["99"]);
}

/// A game of one question and a variant of it, in a folder of their own.
fn options_differ(variant: &str, expected: &[&str], only: [Value; 3]) {
    let folder = tempfile::tempdir().unwrap();
    let write = |file: &str, text: &str| {
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let game = "id = 'g'\nname = 'G'\nplayers = { min = 1, max = 2 }\n[script]\nrhai = '''\nfn game() { for turn in 0..3 { ask(players.first); } }\nfn ask(p) { p.choose(\"pick\", words()); }\nfn words() { [\"one\", \"two\", \"three\"] }\n'''\n";
    write("games/g/game.toml", game);
    let variant = format!("id = 'v'\ngame = 'g'\nname = 'V'\nscript.rhai = 'fn words() {{ {variant} }}'\n");
    write("variants/g/v.toml", &variant);
    let diff = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
        command.args(["diff", "g", "-v", "v", "-s", "6"]).args(more).current_dir(folder.path());
        let output = command.output().unwrap();
        (String::from_utf8(output.stdout).unwrap(), output.status.code())
    };
    let (shown, code) = diff(&[]);
    assert_eq!(code, Some(1), "{shown}");
    for word in expected {
        assert!(shown.contains(word), "no {word:?} in:\n{shown}");
    }
    let (report, code) = diff(&["--json"]);
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!((code, &report["same"]), (Some(1), &json!(false)));
    let options = report["moves"].as_array().unwrap().iter().find_map(|row| row["options"].as_object()).unwrap();
    assert_eq!(["only_left", "only_right", "other_order"].map(|key| &options[key]), only.each_ref());
}

#[test]
fn options_that_nobody_chose_are_a_difference_too() {
    let all = "\"one\", \"two\", \"three\"";
    options_differ(&format!("[{all}, \"four\"]"), &["options  +four"], [json!([]), json!(["four"]), json!(false)]);
    options_differ("[\"three\", \"two\", \"one\"]", &["in another order"], [json!([]), json!([]), json!(true)]);
}

/// The exit code, and what is shown and told, of rules in a folder of their own.
fn both_fail(more: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    for (file, text) in [
        (
            "games/g/game.toml",
            "id = 'g'\nname = 'G'\nplayers = { min = 1, max = 2 }\n[script]\nrhai = 'fn game() { }'\n",
        ),
        ("variants/g/v.toml", "id = 'v'\ngame = 'g'\nname = 'V'\nscript.rhai = 'fn game() { throw \"boom\"; }'\n"),
        ("variants/g/w.toml", "id = 'w'\ngame = 'g'\nname = 'W'\n"),
    ] {
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
    let output = command.args(["diff", "g", "-s", "2"]).args(more).current_dir(folder.path()).output().unwrap();
    (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

#[test]
fn rules_that_fail_alike_on_both_sides_are_told() {
    let (code, shown) = both_fail(&["-v", "v", "-v", "w", "--vs", "v"]);
    assert!(code == Some(1) && shown.contains("nothing is different"), "{shown}");
    assert_eq!(shown.matches("boom variants/g/v.toml:4").count(), 2, "for each side: {shown}");
    let (code, shown) = both_fail(&["-v", "v", "-v", "w", "--vs", "v", "--json"]);
    let report: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!((code, &report["same"]), (Some(1), &json!(true)));
    let (code, shown) = both_fail(&["-v", "v"]);
    assert!(code == Some(1) && shown.contains("boom"), "{shown}");
    let (code, shown) = both_fail(&["-v", "w"]);
    assert!(code == Some(0) && !shown.contains("boom"), "{shown}");
}

#[test]
fn a_list_of_options_that_only_got_shorter_is_a_difference() {
    // With this seed nobody chooses what is gone.
    options_differ("[\"two\", \"three\"]", &["options  −one"], [json!(["one"]), json!([]), json!(false)]);
}
