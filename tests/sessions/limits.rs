//! Rules without end, and a person who has waited long enough.

use super::terminal::Person;
use super::{Folder, program};
use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const CTRL_C: &str = "\u{3}";

/// A game of endless decisions may hold so much, in MiB.
const MOST_MEMORY: u64 = 300;

const GAME: &str = r#"
id = "endless"
name = { en = "Endless" }
players = { min = 2, max = 4 }

[data]
speed = 1
"#;

/// Nothing between two decisions, and a long question each time.
const SHORT: &str = r#"fn game() { loop { players.first.may("go"); } }"#;
const LONG: &str = r#"
fn game() {
    let prompt = "go";
    while prompt.len < 2000 { prompt += prompt; }
    loop { players.first.may(prompt); }
}
"#;

/// Each decision takes about a thousandth of a second.
const SLOW: &str = r#"
fn game() {
    loop {
        let n = 0;
        while n < 2000 { n += 1; }
        players.first.may("go");
    }
}
"#;

fn endless(rules: &str) -> Folder {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.0.join("games/endless")).unwrap();
    folder.write("games/endless/game.toml", GAME);
    folder.write("games/endless/rules.rhai", rules);
    folder
}

fn started(folder: &Folder, arguments: &[&str]) -> Child {
    let mut command = program(folder);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// What a process has held at most until now, in MiB; nothing once it is over.
fn most_memory(child: &Child) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes / 1024)
}

/// Runs the program to its end; gives what it said and its exit code, and holds it to the limit of memory.
#[track_caller]
fn ends_in_little_memory(folder: &Folder, arguments: &[&str], lines: &str) -> (String, i32) {
    let mut child = started(folder, arguments);
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let (mut stdout, mut stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let errors = std::thread::spawn(move || {
        let mut errors = String::new();
        stderr.read_to_string(&mut errors).map(|_| errors).unwrap()
    });
    // What is traced can be long, and only its end is looked at.
    let results = std::thread::spawn(move || {
        let (mut chunk, mut end) = (vec![0; 1 << 16], String::new());
        while let Ok(read @ 1..) = stdout.read(&mut chunk) {
            end = String::from_utf8_lossy(&chunk[..read]).into_owned();
        }
        end
    });
    let mut most = 0;
    let code = loop {
        most = most_memory(&child).unwrap_or(0).max(most);
        if let Some(status) = child.try_wait().unwrap() {
            break status.code().unwrap_or(-1);
        }
        std::thread::sleep(Duration::from_millis(3));
    };
    assert!(most < MOST_MEMORY, "{arguments:?} {lines:?} took {most} MiB");
    (format!("{}{}", results.join().unwrap(), errors.join().unwrap()), code)
}

#[test]
fn games_of_endless_decisions_end_with_a_message_and_in_little_memory() {
    for rules in [SHORT, LONG] {
        let folder = endless(rules);
        let scenario = "id = \"E1\"\ntitle = \"It ends\"\ngame = \"endless\"\n\n[[then]]\nplay_until = \"end\"\n\n[[then]]\nover = true\n";
        folder.write("endless.toml", scenario);
        let full = "the record of this game takes more than 72 MiB";
        for (arguments, lines) in [
            (&["play", "endless", "-s", "1"][..], "until end\n"),
            (&["play", "endless", "-s", "1"], "auto 1000000\n"),
            (&["play", "endless", "-s", "1", "--seat", "all=random"], "until end\n"),
            (&["test", "endless.toml"], ""),
            (&["trace", "endless", "-s", "1", "--out", "trace.jsonl"], ""),
        ] {
            let (said, code) = ends_in_little_memory(&folder, arguments, lines);
            // What is not kept ends with the number of decisions.
            let is_told = said.contains(full) || arguments[0] == "trace" && said.contains("more than 500000 decisions");
            assert!(is_told && said.contains("rules.rhai:"), "{arguments:?}: {said}");
            assert_eq!(code, 1, "{arguments:?}: {said}");
        }
        let (said, code) =
            ends_in_little_memory(&folder, &["diff", "endless", "-s", "1", "--vs-set", "endless.speed=2"], "");
        assert!(code == 1 && said.split_whitespace().collect::<Vec<_>>().join(" ").contains(full), "{said}");
    }
}

#[test]
fn a_long_game_is_changed_looked_into_and_saved_in_little_memory() {
    let folder = endless(SHORT);
    let lines = "auto 60000\nreload\nundo\ntable\nsave game.toml\ndebug\ncontinue\n";
    let (said, code) = ends_in_little_memory(&folder, &["play", "endless", "-s", "1"], lines);
    assert_eq!(code, 0, "{said}");
    let (said, code) = ends_in_little_memory(&folder, &["replay", "game.toml"], "");
    assert_eq!(code, 0, "{said}");
}

/// Waits until the program listens to Ctrl-C, presses it, and gives the exit code and what was said.
#[track_caller]
fn interrupted(mut child: Child, after: Duration) -> (i32, String) {
    let is_listening = |child: &Child| {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0");
        u64::from_str_radix(caught.trim(), 16).unwrap_or(0) & 0b10 != 0
    };
    while !is_listening(&child) {
        assert!(child.try_wait().unwrap().is_none(), "it was over before");
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(after);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    // Its input stays open, or it would end by itself.
    let input = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(input);
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn ctrl_c_ends_every_command_with_code_130() {
    let folder = endless(SLOW);
    let scenario = "id = \"E1\"\ntitle = \"It ends\"\ngame = \"endless\"\n\n[[then]]\nplay_until = \"end\"\n";
    folder.write("endless.toml", scenario);
    let moment = Duration::from_millis(600);
    for arguments in [
        &["trace", "endless", "-s", "1", "--out", "trace.jsonl"][..],
        &["diff", "endless", "-s", "1", "--vs-set", "endless.speed=2"],
        &["test", "endless.toml"],
    ] {
        let (code, said) = interrupted(started(&folder, arguments), moment);
        assert_eq!(code, 130, "{arguments:?}: {said}");
        assert!(said.contains("interrupted"), "{arguments:?}: {said}");
    }
    // Every game of the project, each pair of variants.
    let (code, said) = interrupted(started(&Folder::new(), &["check"]), Duration::ZERO);
    assert_eq!(code, 130, "{said}");
}

#[test]
fn ctrl_c_ends_a_piped_session_while_it_works_and_while_it_waits() {
    let folder = endless(SLOW);
    let mut working = started(&folder, &["play", "endless", "-s", "1"]);
    working.stdin.as_mut().unwrap().write_all(b"until end\ntable\n").unwrap();
    let (code, said) = interrupted(working, Duration::from_millis(600));
    assert!(code == 130 && said.is_empty(), "{code}: {said}");
    let mut waiting = started(&folder, &["play", "endless", "-s", "1"]);
    let mut shown = Vec::new();
    let mut byte = [0];
    while !shown.ends_with(b"2  no") {
        waiting.stdout.as_mut().unwrap().read_exact(&mut byte).unwrap();
        shown.push(byte[0]);
    }
    let (code, said) = interrupted(waiting, Duration::from_millis(300));
    assert!(code == 130 && said.is_empty(), "{code}: {said}");
}

/// The game of the terminal's stories, under other rules.
fn played_by(rules: &str) -> Folder {
    let folder = Folder::with_rules();
    folder.write("games/up-or-down/game.toml", GAME.replace("\"endless\"", "\"up-or-down\""));
    folder.write("games/up-or-down/rules.rhai", rules.replace("\"go\"", "\"play_card\""));
    folder
}

#[test]
fn ctrl_c_leaves_the_game_where_it_came_to_and_where_it_stood() {
    // So slow that the game does not come to its limits before.
    let folder = played_by(&SLOW.replace("2000", "20000"));
    let mut person = Person::sits_down(&folder, &[], 80, "p1 play card › ");
    person.presses("until end\r");
    // The counter shows that it works. It goes so far that the way back there takes long enough for a counter, too, and not
    // to the limit of one game, which is at twice as many.
    let moves = |shown: String| shown.rsplit(|letter: char| !letter.is_ascii_digit()).next()?.parse::<usize>().ok();
    while moves(person.sees(" moves")).is_none_or(|moves| moves < 5_000) {}
    person.presses(CTRL_C);
    person.sees("interrupted; the game stands at move");
    person.sees("p1 play card › ");
    person.types("goto start", "p1, ", "p1 play card › ");
    person.presses("goto end\r");
    person.sees(" of ");
    person.presses(CTRL_C);
    person.sees("interrupted; the game stands at move 1");
    person.sees("p1 play card › ");
    person.types("eval 6 * 7", "42", "p1 play card › ");
}

#[test]
fn ctrl_c_stops_the_debugger_and_its_search() {
    let folder = played_by(&SLOW.replace("2000", "150000"));
    let mut person = Person::sits_down(&folder, &[], 80, "p1 play card › ");
    person.types("auto 40", "move 41", "p1 play card › ");
    person.types("debug 41", "may", " › ");
    person.presses("until back award\r");
    person.sees(" moves");
    person.presses(CTRL_C);
    person.sees("interrupted");
    person.sees(" › ");
    person.types("done", "move 41", "p1 play card › ");
}

#[test]
fn a_drawing_has_one_budget_and_says_once_what_is_missing() {
    let folder = endless(
        r#"
fn game() {
    let cards = components("card");
    for number in 1..33 { cards[number].move_to(pens[number]); }
    loop { players.first.may("go"); }
}
fn slow(zone) { let n = 0; while n < 600000 { n += 1; } "slow" }
"#,
    );
    let zones = r#"
[components.card]
kind = "card"
id = "{number}"
face = "{number}"
attributes = { number = { from = 1, to = 40 } }

[zones.pens]
name = { en = "pen" }
order = "row"
visible = "all"
count = 32
note = "slow"
"#;
    folder.write("games/endless/game.toml", format!("{GAME}{zones}"));
    let mut child = started(&folder, &["play", "endless", "-s", "1"]);
    child.stdin.take().unwrap().write_all(b"table\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said.matches("operations for one drawing of the table").count(), 1, "{said}");
    assert!(output.status.success(), "{said}");
}
