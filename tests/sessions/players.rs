//! Variables that hold a player, or nobody; and what rules say beside a zone.

use super::*;

const GAME: [&str; 5] = ["playme", "-p", "2", "-s", "1"];

#[test]
fn a_player_is_set_and_taken_away_by_hand() {
    let begun = ["alice", "queen"];
    let table = |lines: &[&str]| last(&GAME, &[&begun[..], lines, &["table"]].concat());
    assert!(table(&["set jabberwock p2"]).contains("Jabberwock  p2"));
    assert!(!table(&["set jabberwock p2", "set jabberwock nobody"]).contains("Jabberwock  p2"));
    assert!(!table(&["set jabberwock p2", "undo"]).contains("Jabberwock  p2"));
    for wrong in ["p9", "2", "alice"] {
        let told = fails(&GAME, &[&begun[..], &[&format!("set jabberwock {wrong}")]].concat());
        assert!(told.contains(&format!("jabberwock holds a player or `nobody`, and `{wrong}` is not one")), "{told}");
    }
}

#[test]
fn it_is_compared_with_players_and_with_nobody() {
    let lines = ["alice", "queen", "set jabberwock p2"];
    for (expression, value) in [
        ("table.jabberwock == p2", "true"),
        ("table.jabberwock != p1", "true"),
        ("table.jabberwock == nobody", "false"),
        ("table.winner == nobody", "true"),
        ("table.winner == p1", "false"),
        ("p1 != table.winner", "true"),
        ("table.winner", "nobody"),
        ("`${table.winner} and ${table.jabberwock}`", "\"nobody and p2\""),
    ] {
        let told = last(&GAME, &[&lines[..], &[&format!("eval {expression}")]].concat());
        assert_eq!(told.trim(), value, "{expression}");
    }
    let told = fails(&GAME, &[&lines[..], &["eval table.winner.pool"]].concat());
    assert!(told.contains("nobody has no `pool`") && told.contains("ask `== nobody` first"), "{told}");
    let told = fails(&GAME, &[&lines[..], &["eval table.winner = 2"]].concat());
    assert!(told.contains("winner holds a player or nobody, not a number"), "{told}");
}

#[test]
fn it_is_saved_and_loaded() {
    let folder = Folder::new();
    let mut session = Session::within(&folder);
    session.args = ["play"].iter().chain(&GAME).map(|&argument| argument.to_owned()).collect();
    let lines = ["alice", "queen", "set jabberwock p2", "set caller nobody", "save game.toml", "undo", "undo"];
    let told = session.lines(lines).lines(["load game.toml!", "log", "table"]).run();
    let told = told.fine().shows(["set jabberwock \"p2\"", "set caller \"nobody\""]);
    let table: Vec<&str> = told.after("set caller").split_whitespace().collect();
    assert!(table.join(" ").contains("Jabberwock p2"), "{}", told.stdout);
}

/// Other programs read the seat's number, and 0 for nobody.
#[test]
fn a_trace_has_numbers_for_players() {
    let folder = Folder::new();
    let trace = program(&folder).args(["trace", "playme", "-p", "2", "-s", "1", "--state"]).output().unwrap();
    let lines = String::from_utf8(trace.stdout).unwrap();
    let first = lines.lines().find(|line| line.contains("\"prompt\":\"pick_character\"")).unwrap();
    assert!(first.contains("\"caller\":0") && first.contains("\"jabberwock\":0"), "{first}");
    let called = lines.lines().find(|line| line.contains("\"variable\":\"caller\"")).unwrap();
    assert!(["1}", "2}"].iter().any(|seat| called.ends_with(&format!("\"value\":{seat}"))), "{called}");
}

/// The rules give a list; its words are the reader's.
#[test]
fn what_is_said_beside_a_zone_is_in_the_language_of_the_reader() {
    let lines = ["alice", "queen", "set jabberwock p2", "set p1.sealed true", "set p1.catches 1", "table"];
    let told = last(&GAME, &lines);
    assert!(told.contains("rabbits 1/2, ability sealed") && told.contains("rabbits 0/2, the Jabberwock"), "{told}");
    let japanese = [&GAME[..], &["--lang", "ja"]].concat();
    let told = last(&japanese, &lines);
    assert!(told.contains("兎 1/2、能力封印") && told.contains("兎 0/2、ジャバウォック"), "{told}");
}

#[test]
fn nobody_is_known_at_the_prompt() {
    let lines = ["alice", "queen", "nobody != p1"];
    assert_eq!(last(&GAME, &lines).trim(), "true");
}
