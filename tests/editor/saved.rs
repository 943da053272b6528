//! Saved games, packs and unfinished tests that are open in an editor.

use super::client::{Folder, RULES, VARIANT};
use super::questions::stake;
use crate::shared::surroundings::at_home;
use houserule::parts::FileFinding;
use houserule::{Severity, Workspace};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

/// Runs the program in a folder.
fn run(folder: &Folder, arguments: &[&str], input: &str) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
    at_home(&mut command, &folder.0.join("home"));
    command.args(arguments).current_dir(&folder.0).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Lines with what is found there.
type Lines = Vec<(usize, String)>;

/// What is found in a file, without playing and by playing: each as the line that it is at, counted from 1, and its words.
fn found(workspace: &mut Workspace, path: &str, text: &str) -> (Lines, Lines) {
    let path = Path::new(path);
    workspace.set(path, Some(text));
    let words = |found: Vec<FileFinding>| {
        let one =
            |one: FileFinding| (text[..one.span.start].matches('\n').count() + 1, one.diagnostic.message.to_string());
        found.into_iter().map(one).collect()
    };
    let work = Arc::default();
    (words(workspace.findings(path, &work)), words(workspace.play_findings(path, &work)))
}

/// The line that begins with a text, counted from 1.
fn line_of(text: &str, beginning: &str) -> usize {
    text.lines().position(|line| line.trim_start().starts_with(beginning)).unwrap_or_else(|| panic!("{text}")) + 1
}

#[test]
fn a_saved_game_is_looked_at_and_played_again() {
    let folder = Folder::new();
    run(&folder, &["play", "stake", "-v", "double", "-p", "2", "-s", "1"], "until end\nsave a.toml\n");
    let saved = std::fs::read_to_string(folder.0.join("a.toml")).unwrap();
    let mut workspace = stake(RULES);
    assert_eq!(found(&mut workspace, "a.toml", &saved), (vec![], vec![]));

    // A move that was never possible, and scores that nobody had: at their places, found by playing.
    let at = line_of(&saved, "[2, \"play\"");
    let line = saved.lines().nth(at - 1).unwrap();
    let (read, played) = found(&mut workspace, "a.toml", &saved.replace(line, "  [2, \"play\", \"red-99\"],"));
    assert!(read.len() == 1 && read[0].1.contains("changed"), "{read:?}");
    assert!(played.len() == 1 && played[0].0 == at && played[0].1.contains("no longer fits"), "{played:?}");
    let at = line_of(&saved, "scores");
    let line = saved.lines().nth(at - 1).unwrap();
    let (_, played) = found(&mut workspace, "a.toml", &saved.replace(line, "scores = [1000, 0]"));
    assert!(played.len() == 1 && played[0].0 == at && played[0].1.contains("other scores"), "{played:?}");

    // What keeps it from being played.
    for (change, to, at) in [
        ("players  = 2", "players  = 9", "players"),
        ("seed     = 1", "seed     = \"x\"", "seed"),
        ("format   = 3", "format   = 99", "format"),
        ("super(p, card);", "super(p, card;", "/* "),
    ] {
        let text = saved.replacen(change, to, 1);
        assert_ne!(text, saved, "{change}\n{saved}");
        let (read, played) = found(&mut workspace, "a.toml", &text);
        let at = line_of(&text, at);
        let is_told = read.iter().any(|(line, message)| (at..=at + 1).contains(line) && !message.contains("changed"));
        let is_refused = played.iter().any(|(line, _)| (at..=at + 1).contains(line));
        assert!(is_told || is_refused, "{to}: {read:?} {played:?}");
    }
    // What is half there, and what is of another program.
    for end in (0..saved.len()).step_by(7).filter(|&end| saved.is_char_boundary(end)) {
        found(&mut workspace, "a.toml", &saved[..end]);
    }
    assert_eq!(found(&mut workspace, "a.toml", "format = \"x\"\nlog = true\npack = 7\n").0, vec![]);
}

#[test]
fn a_pack_is_looked_at_with_what_it_rests_on() {
    let folder = Folder::new();
    run(&folder, &["pack", "stake", "-v", "double", "-p", "2", "-s", "1", "--unchecked", "-o", "a.pack.toml"], "");
    let pack = std::fs::read_to_string(folder.0.join("a.pack.toml")).unwrap();
    let mut workspace = stake(RULES);
    assert_eq!(found(&mut workspace, "a.pack.toml", &pack), (vec![], vec![]));
    // Somebody changed it: its checksum says so, and what the rules say stands where it is written.
    let broken = pack.replace("super(p, card);", "super(p, crad);");
    let (read, _) = found(&mut workspace, "a.pack.toml", &broken);
    let has = |read: &[(usize, String)], line: usize, words: &str| {
        assert!(read.iter().any(|(at, message)| *at == line && message.contains(words)), "{line} {words}: {read:?}");
    };
    has(&read, line_of(&broken, "hash"), "checksum");
    has(&read, line_of(&broken, "/* "), "crad");
    let other = pack.replace("houserule = \"^0.1.0\"", "houserule = \"^9.0.0\"");
    has(&found(&mut workspace, "a.pack.toml", &other).0, line_of(&other, "houserule = \"^9"), "is for Houserule");
    let rests =
        pack.replace("[[files]]", "[[rests_on]]\npath = \"games/nowhere/game.toml\"\nhash = \"x\"\n\n[[files]]");
    let (read, _) = found(&mut workspace, "a.pack.toml", &rests);
    assert!(!read.is_empty(), "{read:?}");
    for end in (0..pack.len()).step_by(101).filter(|&end| pack.is_char_boundary(end)) {
        found(&mut workspace, "a.pack.toml", &pack[..end]);
    }
}

#[test]
fn no_file_of_a_project_is_silent() {
    let mut workspace = stake(RULES);
    for (path, text) in [
        ("tests/scenarios/stake/a.toml", "id = \"a\"\n"),
        ("tests/scenarios/stake/a.toml", "id = \"a\"\ngame = \"stake\"\n"),
        ("tests/scenarios/stake/a.toml", "x ="),
        ("variants/stake/x.toml", "id = \"x\"\n"),
        ("variants/any/x.toml", "id = \"x\"\n"),
        ("games/x/game.toml", "id = \"x\"\n"),
        ("scripts/x.toml", "idd = \"x\"\n"),
        ("elsewhere/x.toml", "game = \"stake\"\n"),
        ("x.toml", "game = \"stake\"\nwhen = 3\n"),
        ("x.toml", "format = 3\nlog = []\n"),
        ("x.toml", "pack = 1\nfiles = []\n"),
    ] {
        workspace.set(Path::new(path), Some(text));
        let found = workspace.findings(Path::new(path), &Arc::default());
        assert!(found.iter().any(|one| one.diagnostic.severity == Severity::Error), "{path}: {text}: {found:?}");
        workspace.set(Path::new(path), None);
    }
    workspace.set(Path::new("variants/stake/double.toml"), Some(VARIANT));
    assert!(workspace.findings(Path::new("variants/stake/double.toml"), &Arc::default()).is_empty());
}
