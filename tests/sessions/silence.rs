//! What a game leaves unsaid is told by the program: captions that fail, a game that asks nobody, texts without words.

use super::*;

const TOML: &str = r#"
id = "quiet"
name = { en = "Quiet" }
players = { min = 2, max = 4 }

[components.card]
kind = "card"
id = "{number}"
attributes = { number = { from = 1, to = 3 } }

[zones.deck]
name = { en = "deck" }
order = "pile"
visible = "all"
note = "deck_note"
"#;

fn quiet(rules: &str) -> Folder {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.0.join("games/quiet")).unwrap();
    folder.write("games/quiet/game.toml", TOML);
    folder.write("games/quiet/rules.rhai", rules);
    folder
}

fn played(folder: &Folder, lines: &[&str]) -> Told {
    let args = ["play", "quiet", "-p", "2", "--seed", "1"].map(str::to_owned).to_vec();
    let input = lines.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect();
    Session { args, input, ..Session::within(folder) }.run()
}

const FAILING: &str = "fn game() { components(\"card\").move_to(deck); while players.first.may(\"go\") { } }\n\
                       fn deck_note(zone) { zone.first.owner.number }\n";

#[test]
fn a_caption_that_fails_is_told_once_and_the_game_goes_on() {
    let folder = quiet(FAILING);
    let told = played(&folder, &["yes", "yes", "no"]);
    assert_eq!(told.code, 0, "{}\n{}", told.stdout, told.stderr);
    assert_eq!(told.stderr.matches("1 belongs to nobody").count(), 1, "{}", told.stderr);
    assert!(told.stderr.contains("marks and notes of zones are not shown"), "{}", told.stderr);
    assert!(told.stdout.contains("the game is over"), "{}", told.stdout);
}

#[test]
fn a_game_that_asks_nobody_says_so() {
    let folder = quiet("fn game() { }\nfn deck_note(zone) { \"\" }\n");
    let told = played(&folder, &["table"]);
    assert!(told.stdout.contains("nobody was asked anything"), "{}", told.stdout);
    let output = program_at(&folder.0, &folder).args(["check", "quiet"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("the game of 4 players is over before anybody is asked anything"), "{said}");
    assert!(said.contains("rules.rhai:1:4"), "{said}");
    // A trace of it is as good as any other.
    let output = program_at(&folder.0, &folder).args(["trace", "quiet", "-p", "2", "-s", "1"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn check_tells_what_has_no_words_and_what_fails_at_the_first_question() {
    let folder = quiet(FAILING);
    let output = program_at(&folder.0, &folder).args(["check", "quiet"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    for words in ["the prompt `go` has no words in `[text]`", "add `go = \"…\"` to `[text]`", "1 belongs to nobody"] {
        assert!(said.contains(words), "no {words:?} in\n{said}");
    }
}
