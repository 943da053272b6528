//! A moment of a game as one text, and as a test of rules.

use super::*;

fn run(folder: &Folder, args: &[&str], input: &str) -> (i32, String) {
    let mut child =
        program(folder).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout) + text(output.stderr).as_str())
}

/// The text that `bug` shows, as somebody copies it from the screen.
fn copied(screen: &str) -> String {
    let start = screen.find("# A game saved by houserule").unwrap();
    let lines = screen[start..].lines();
    let check = lines.clone().position(|line| line == "[check]").unwrap();
    lines.take(check + 2).map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_moment_is_sent_as_one_text_and_opened_out_of_the_mail() {
    let folder = Folder::new();
    let told = Session::within(&folder).lines([KNOWN, "10", "15", "new", "bug"]).run();
    let text = copied(&told.stdout);
    assert!(text.contains("# rules  up-or-down\n") && text.contains("# stands at move 5: p1 is asked"), "{text}");
    for mail in [
        text.clone(),
        format!("Hi Bob,\nthis is wrong:\n\n{text}\nYours, Ada\n"),
        // As mails quote, with blanks at the ends of lines gone, and with the line ends of another system.
        text.lines().map(|line| format!("> {line}").trim_end().to_owned() + "\r\n").collect(),
        format!("```toml\n{}```\n", text.lines().map(|line| format!("    {line}\n")).collect::<String>()),
    ] {
        let (code, told) = run(&folder, &["replay", "-"], &mail);
        assert_eq!(code, 0, "{told}\n{mail}");
        assert!(told.starts_with("4 of 4 moves fit"), "{told}");
    }
    // Written into a file, it opens as any saved game.
    Session::within(&folder).lines([KNOWN, "10", "15", "new", "bug lost.toml"]).run();
    assert_eq!(folder.read("lost.toml"), text);
    let (code, told) = run(&folder, &["play", "lost.toml"], "log\n");
    assert!(code == 0 && told.contains("place_card"), "{told}");
    // It overwrites what houserule wrote, and nothing else.
    folder.write("mine.toml", "mine = 1\n");
    let told = Session::within(&folder).lines(["bug mine.toml"]).run();
    assert!(told.stderr.contains("is there already") && told.stderr.contains("bug mine.toml!"), "{}", told.stderr);
    assert_eq!(folder.read("mine.toml"), "mine = 1\n");
}

#[test]
fn the_text_has_the_last_error_in_it_and_is_harmless() {
    let folder = Folder::with_rules();
    let id = "bad\u{1b}";
    folder.write(
        &folder.variant("broken"),
        "id = 'broken'\ngame = 'up-or-down'\nname = 'Broken'\nversion = '0.3.1'\n[script]\nrhai = '''\n\
         fn begin_game() { let list = [1]; list[7]; }\nfn turn(p) { let list = [1]; list[7]; super(p); }\n'''\n",
    );
    let told = Session::within(&folder).args(["-v", "broken"]).lines(["bug"]).run();
    let text = copied(&(told.stdout + told.stderr.as_str()));
    assert!(text.contains("# rules  up-or-down, broken 0.3.1"), "{text}");
    assert!(text.contains("the rules gave up") && text.contains("broken.toml:8"), "{text}");
    assert!(text.contains("path = \"variants/up-or-down/broken.toml\""), "the rules are in it: {text}");
    assert!(!text.contains(id) && text.chars().all(|letter| letter == '\n' || !letter.is_control()), "{text:?}");
}

#[test]
fn what_is_no_saved_game_is_told() {
    let folder = Folder::new();
    for (args, input, code, words) in [
        (&["replay", "-"][..], "hello\n", 2, "standard input:1"),
        (&["replay", "-"], "", 2, "standard input"),
        (&["replay", "-", "other.toml"], "", 2, "standard input is read by itself"),
        (&["record", "-"], "hello\n", 2, "standard input:1"),
        (&["record", "nothing.toml"], "", 2, "nothing.toml"),
    ] {
        let (found, told) = run(&folder, args, input);
        assert!(found == code && told.contains(words), "{args:?}: {found}\n{told}");
    }
}

#[test]
fn a_game_of_every_sort_becomes_a_scenario_that_passes() {
    let folder = Folder::new();
    let (_, list) = run(&folder, &["list", "--json"], "");
    let list: serde_json::Value = serde_json::from_str(&list).unwrap();
    let games: Vec<&str> = list["games"].as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap()).collect();
    assert!(games.len() >= 20, "{games:?}");
    for game in &games {
        for lines in ["auto 2\nrecord early\n", "auto 30\nrecord late\n"] {
            let (code, told) = run(&folder, &["play", game, "-s", "5"], lines);
            assert_eq!(code, 0, "{game}\n{told}");
        }
    }
    let (code, told) = run(&folder, &["test", "tests/scenarios"], "");
    assert!(code == 0 && told.contains(&format!("{} passed, 0 failed", 2 * games.len())), "{told}");
}

#[test]
fn a_variant_that_was_named_by_its_file_is_named_so_in_the_scenario() {
    let folder = Folder::new();
    let text = "id = \"mine\"\ngame = \"up-or-down\"\nname = \"Mine\"\nabout = \"Mine.\"\n";
    folder.write("mine.toml", text);
    let play = ["play", "up-or-down", "-v", "mine.toml", "-v", "rainbow", "-s", "5"];
    let (code, told) = run(&folder, &play, "auto 4\nrecord scores\n");
    assert_eq!(code, 0, "{told}");
    let written = folder.read("tests/scenarios/up-or-down/scores.toml");
    assert!(written.contains("variants = [\"mine.toml\", \"rainbow\"]"), "{written}");
    let (code, told) = run(&folder, &["test", "tests/scenarios"], "");
    assert!(code == 0 && told.contains("1 passed, 0 failed"), "{told}");
}

#[test]
fn a_recorded_scenario_fails_under_other_rules_and_overwrites_nothing() {
    let folder = Folder::with_rules();
    let (code, told) = run(&folder, &["play", "up-or-down", "-s", "5"], "until end\nrecord scores\nsave game.toml\n");
    assert_eq!(code, 0, "{told}");
    let (code, told) = run(&folder, &["record", "game.toml", "scores"], "");
    assert!(code == 2 && told.contains("scores.toml"), "{told}");
    let (code, told) = run(&folder, &["record", "game.toml", "--title", "Points for columns", "-o", "-"], "");
    assert!(code == 0 && told.contains("id       = \"game\"\ntitle    = \"Points for columns\""), "{told}");
    let (code, _) = run(&folder, &["test", "tests/scenarios/up-or-down/scores.toml"], "");
    assert_eq!(code, 0);
    folder.edit("games/up-or-down/rules.rhai", "p.award(column_points(column),", "p.award(1 + column_points(column),");
    let (code, told) = run(&folder, &["test", "tests/scenarios/up-or-down/scores.toml"], "");
    assert!(code == 1 && told.contains("scores.toml:"), "{told}");
    // Changes by hand are no answers; what chance was told to give is.
    let refused = Session::new().lines(["until turn", "set p1.score 4", "record by-hand"]).run();
    assert!(refused.stderr.contains("changed the game by hand: set p1.score 4"), "{}", refused.stderr);
}
