//! Thousands of games from the position in play.

use super::*;

const GAME: [&str; 7] = ["up-or-down", "-p", "3", "-s", "3", "-v", "greenhorn"];

#[test]
fn games_go_on_from_where_the_game_stands() {
    let told = last(&GAME, &["until end", "undo", "sim 40"]);
    assert!(told.contains("from here, at move 279") && told.contains("40 games from seed 3"), "{told}");
    // One decision is left, which changes nothing: all games end alike.
    assert!(told.contains("in every game"), "{told}");
    let again = last(&GAME, &["until end", "undo", "sim 40"]);
    assert_eq!(told, again, "the same figures again");
}

/// Partners win together, so a team has a row, and a place, of its own.
#[test]
fn teams_are_told_as_teams() {
    const SPADES: [&str; 3] = ["spades", "-s", "3"];
    let told = last(&SPADES, &["sim 20"]);
    for shown in ["4 players (p1 + p3, p2 + p4)", "\np1 + p3  ", "\np2 + p4  "] {
        assert!(told.contains(shown), "no {shown}: {told}");
    }
    assert!(!told.contains("\np3 "), "{told}");
    let told = told_in(&Folder::new(), &["sim", "spades", "-n", "20"], "");
    says(&told, 0, &["No team is shown to win more than another"]);
    // Each of two teams scores its contract once a hand, and 20 games have 20 to 60 hands.
    let line = told.stdout.lines().find(|line| line.starts_with("contract")).unwrap_or_default().to_owned();
    let per_game: f64 = line.split_whitespace().nth(3).and_then(|figure| figure.parse().ok()).unwrap_or_default();
    assert!((2.0..5.0).contains(&per_game), "{line}");
    // What an agent is worth is not what a seat is worth.
    let told = told_in(&Folder::new(), &["sim", "pig", "-n", "20", "--agents", "greedy,random"], "");
    says(&told, 0, &["Different agents play the seats"]);
    let told = last(&SPADES, &["compare with no-bags 20"]);
    assert!(told.contains("p1 + p3 score") && !told.contains("\np3 score"), "{told}");
    let told = last(&SPADES, &["until end"]);
    let place = |seat: &str| {
        let line = told.lines().find(|line| line.contains(&format!("  {seat} "))).unwrap_or_default();
        line.trim().chars().next()
    };
    let mut places = ["p1", "p2", "p3", "p4"].map(place);
    assert_eq!((places[0], places[1]), (places[2], places[3]), "{told}");
    places.sort_unstable();
    assert_eq!(places, [Some('1'), Some('1'), Some('2'), Some('2')], "{told}");
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
    let told = fails(&GAME, &["with greenhorn"]);
    assert!(told.contains("`greenhorn` is in play already") && told.contains("`without greenhorn`"), "{told}");
    // Nothing that is compared changes the game.
    for (line, said) in [
        ("compare with greenhorn", "`compare without greenhorn` compares with the rules without it"),
        ("diff with greenhorn", "`diff without greenhorn` compares with the rules without it"),
        ("compare set greenhorn.green_points=100 50", "must stay an array"),
        ("diff with greenhorn-pro", "one pays for green cards"),
    ] {
        let told = fails(&GAME, &[line]);
        assert!(told.contains(said) && !told.contains("the game continues"), "{line}: {told}");
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

mod in_the_background {
    use super::*;

    #[test]
    fn the_figures_are_those_of_the_foreground_whatever_is_done_meanwhile() {
        let shown = |lines: &[&str]| Session::of(&GAME, lines).run().fine();
        for line in ["sim 40", "sim 3 greedy", "compare without greenhorn 30"] {
            let told = shown(&["auto 20", line]);
            let plain = format!("\nfrom here{}", told.after("\nfrom here"));
            let there = format!("{line} &");
            // When they are there, whether before the next line is done or after it, depends on the computer.
            for meanwhile in [&[][..], &["auto 5", "without greenhorn", "undo", "set p1.score = 70"]] {
                let script = [&["auto 20", &there], meanwhile, &["wait"]].concat();
                let told = Session::of(&GAME, &script).run();
                // `wait` is refused where they are shown already, and nothing else is.
                let has_waited = told.code == 0 && told.stderr.is_empty();
                assert!(has_waited || told.stderr.contains("nothing is running in the background"), "{}", told.stderr);
                assert!(told.stdout.contains(&plain), "{script:?}: {}", told.stdout);
            }
        }
        // A script waits at its end by itself, and where it leaves.
        let told = shown(&["sim 40"]);
        let plain = format!("\nfrom here{}", told.after("\nfrom here"));
        assert!(shown(&["sim 40 &"]).stdout.contains(&plain));
        assert!(shown(&["sim 40 &", "quit"]).stdout.contains(&plain));
    }

    /// Whether the games or the lines of a script are done first depends on the computer.
    #[test]
    fn whoever_waits_for_figures_that_are_shown_already_has_them() {
        let slow = "eval let n = 0; while n < 300000 { n += 1; } n";
        Session::of(&GAME, &["sim 1 &", slow, slow, slow, "wait"]).run().fine().shows(["`sim 1 &`"]);
        let told = Session::of(&GAME, &["sim 1 &", slow, slow, slow, "wait", "wait"]).run();
        assert!(told.code == 1 && told.stderr.contains("nothing is running in the background"), "{}", told.stderr);
    }

    #[test]
    fn the_prompt_comes_back_and_jobs_says_how_far_it_is() {
        let told = Session::of(&GAME, &["sim 1000000 &", "eval 42 * 101", "jobs", "stop", "jobs"]).run().fine();
        told.shows([
            "running in the background",
            "4242",
            "`sim 1000000 &`: ",
            "\n`sim 1000000 &`\n",
            "nothing is running in the background",
        ]);
    }

    #[test]
    fn figures_of_other_rules_than_those_in_play_say_so() {
        let told = Session::of(&GAME, &["sim 1000000 &", "without greenhorn", "stop"]).run().fine();
        told.shows(["\n`sim 1000000 &`\nof the rules that were in play when it began; others are in play now\n"]);
        let told = Session::of(&GAME, &["sim 1000000 &", "auto 3", "stop"]).run().fine();
        assert!(!told.stdout.contains("others are in play"), "{}", told.stdout);
    }

    #[test]
    fn whoever_sees_less_now_is_not_told() {
        let lines = ["sim 20 &", "as p1", "wait"];
        assert!(fails(&GAME, &lines).starts_with("`sim 20 &` began where you saw more of the table than now"));
        Session::of(&GAME, &["sim 20 &", "as p1", "as all", "wait"]).run().fine().shows(["20 games from seed 3"]);
        Session::of(&GAME, &["as p1", "sim 20 &", "wait"]).run().fine().shows(["20 games from seed 3"]);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for (lines, said) in [
            (
                &["sim 1000000 &", "compare without greenhorn &"][..],
                "`sim 1000000 &` is already running in the background",
            ),
            (&["stop"], "nothing is running in the background"),
            (&["wait"], "nothing is running in the background"),
            (&["until end", "sim &"], "no decision is open"),
            (&["sim 10 & 20"], "`sim 10 &` takes nothing after it"),
            (&["wait 10"], "`wait` takes nothing after it"),
        ] {
            let told = fails(&GAME, lines);
            assert!(told.contains(said), "{lines:?}: {told}");
        }
        let told = Session::of(&GAME, &["sim 1000000 &", "hisotry"]).run();
        assert!(told.stderr.contains("`sim 1000000 &` was still running, and is discarded"), "{}", told.stderr);
    }

    #[cfg(unix)]
    #[test]
    fn at_a_terminal_the_figures_come_while_the_person_types() {
        let folder = Folder::new();
        let mut person = terminal::Person::sits_down(&folder, &[], 80, "p1 play card › ");
        person.presses("sim 60 &\r");
        person.sees("running in the background");
        person.presses("eval 42 *");
        person.sees("60 games from seed 7");
        person.presses(" 101\r");
        person.sees("4242");
        person.types("sim 1000000 &", "running in the background", "p1 play card › ");
        person.types("quit", "`sim 1000000 &` is still running", "p1 play card › ");
        person.presses("quit\r");
        person.has_left();
    }
}
