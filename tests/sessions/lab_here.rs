//! Thousands of games from the position in play.

use super::*;

const GAME: [&str; 7] = ["up-or-down", "-p", "3", "-s", "3", "-v", "greenhorn"];

#[test]
fn games_go_on_from_where_the_game_stands() {
    let told = last(&GAME, &["until end", "undo", "sim 40"]);
    assert!(told.contains("from here, behind move 278") && told.contains("40 games from seed 3"), "{told}");
    // One decision is left, which changes nothing: all games end alike.
    assert!(told.contains("1         always"), "{told}");
    let again = last(&GAME, &["until end", "undo", "sim 40"]);
    assert_eq!(told, again, "the same figures again");
}

#[test]
fn rules_are_compared_from_where_the_game_stands() {
    let told = last(&GAME, &["until turn", "compare without greenhorn 60"]);
    assert!(told.contains("greenhorn beside plain game") && told.contains("p1 score"), "{told}");
    assert!(told.contains("The same in every game: decisions, turns"), "{told}");
    let told = fails(&GAME, &["until turn", "as p1", "compare without greenhorn 60"]);
    assert!(told.contains("`as all`"), "other rules are for who sees everything: {told}");
}

#[test]
fn what_cannot_be_played_on_is_refused() {
    for (lines, said) in [
        (&["until end", "sim"][..], "no decision is open"),
        (&["sim 0"], "`0` is not a number of games"),
        (&["sim 10 gredy"], "did you mean `greedy`?"),
        (&["sim 10 search:50ms"], "search:50ms"),
    ] {
        let told = fails(&GAME, lines);
        assert!(told.contains(said), "{lines:?}: {told}");
    }
}

#[cfg(unix)]
mod ctrl_c {
    use super::*;
    use rustix::process::{Pid, Signal, kill_process};
    use std::io::{BufRead as _, BufReader, Read as _};
    use std::process::Child;
    use std::time::Duration;

    /// A script that is still being written, with these lines so far.
    fn begun(lines: &str) -> Child {
        let folder = Folder::new();
        let mut command = program(&folder);
        command.args(["play", "up-or-down", "--seed", "7"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.as_mut().unwrap().write_all(lines.as_bytes()).unwrap();
        child
    }

    fn presses_ctrl_c(child: &Child) {
        kill_process(Pid::from_child(child), Signal::INT).unwrap();
    }

    /// What is shown up to the end.
    fn rest(mut child: Child) -> (String, String, i32) {
        drop(child.stdin.take());
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr), output.status.code().unwrap())
    }

    #[test]
    fn gives_a_script_the_figures_so_far_and_goes_on() {
        for line in ["sim 1000000", "compare with greenhorn 1000000"] {
            let child = begun(&format!("{line}\neval 42 * 101\n"));
            std::thread::sleep(Duration::from_secs(4));
            presses_ctrl_c(&child);
            let (shown, said, code) = rest(child);
            assert_eq!((said.as_str(), code), ("", 130), "{shown}");
            assert!(shown.contains("of 1,000,000 were not played") && shown.contains("p1 "), "{line}: {shown}");
            assert!(shown.ends_with("4242\n"), "{line}: {shown}");
        }
    }

    #[test]
    fn ends_a_script_that_waits_for_its_next_line() {
        let mut child = begun("eval 42 * 101\n");
        let input = child.stdin.take();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while line != "4242\n" {
            line.clear();
            assert_ne!(out.read_line(&mut line).unwrap(), 0, "it ended too early");
        }
        std::thread::sleep(Duration::from_millis(300));
        presses_ctrl_c(&child);
        assert_eq!(child.wait().unwrap().code(), Some(130), "its input is open still");
        drop(input);
        let mut more = String::new();
        assert_eq!(out.read_to_string(&mut more).unwrap(), 0, "{more}");
    }
}
