//! Breakpoints in a game that goes on: what they stop, how it goes on from there, and where a person can look meanwhile.

use super::*;

const GREENHORN: [&str; 5] = ["up-or-down", "-v", "greenhorn", "-s", "3"];
const HEARTS: [&str; 5] = ["hearts", "-p", "4", "-s", "7"];

/// The line of source that is marked.
#[track_caller]
fn marked(shown: &str) -> &str {
    shown.lines().find_map(|line| line.strip_prefix(" ► ")).unwrap_or_else(|| panic!("{shown}")).trim_start()
}

mod moves {
    use super::*;

    #[test]
    fn a_breakpoint_stops_a_choice_auto_and_until_and_says_which() {
        for (lines, to) in [
            (&["break place", "auto 5"][..], 6),
            (&["break place", "until turn"], 5),
            (&["break place", "until end"], 187),
            (&["break place", "until !p1.columns.filled.is_empty"], 4),
            (&["auto 1", "break place", "#1"], 3),
        ] {
            let shown = last(&GREENHORN, lines);
            assert!(
                shown.starts_with("breakpoint 1\nplace(p, card)  games/up-or-down/rules.rhai:41  game  move 2\n"),
                "{shown}"
            );
            assert!(marked(&shown).starts_with("41 │     let place = p.choose("), "{shown}");
            let said = format!("stopped on the way to move {to}: `continue` goes on, `done` shows the result\n");
            assert!(shown.ends_with(&said), "{lines:?}: {shown}");
        }
        // What is not met stops nothing, nor what was met before.
        let plain = last(&GREENHORN, &["auto 1", "auto"]);
        assert_eq!(last(&GREENHORN, &["auto 1", "break score", "auto"]), plain);
        assert_eq!(last(&GREENHORN, &["break place", "auto 1", "delete 1", "auto"]), plain);
        assert_eq!(
            last(&GREENHORN, &["auto 2", "break 29", "undo", "redo"]),
            last(&GREENHORN, &["auto 2", "undo", "redo"])
        );
    }

    #[test]
    fn done_shows_what_came_of_it() {
        let shown = last(&GREENHORN, &["break place", "auto 5", "done"]);
        assert_eq!(shown, last(&GREENHORN, &["auto 5"]));
        let all = last(&GREENHORN, &["break place", "until end", "done"]);
        assert_eq!(all, last(&GREENHORN, &["until end"]));
        assert_eq!(last(&GREENHORN, &["auto 1", "break place", "#1", "done"]), last(&GREENHORN, &["auto 1", "#1"]));
    }

    #[test]
    fn continue_goes_to_each_of_them_and_then_out() {
        let lines = ["break place", "auto 9"];
        let second = last(&GREENHORN, &[&lines[..], &["continue"]].concat());
        assert!(second.starts_with("breakpoint 1\nplace(p, card)") && second.contains("  move 6\n"), "{second}");
        let out = last(&GREENHORN, &[&lines[..], &["continue", "continue"]].concat());
        assert_eq!(out, last(&GREENHORN, &["auto 9"]));
        // Also from where the person has gone on foot.
        let out = last(&GREENHORN, &[&lines[..], &["delete 1", "step 3", "back 7", "continue"]].concat());
        assert_eq!(out, last(&GREENHORN, &["auto 9"]));
        let asks = last(&GREENHORN, &[&lines[..], &["delete 1", "step 1000", "continue"]].concat());
        assert_eq!(asks, last(&GREENHORN, &["auto 9"]));
    }

    #[test]
    fn a_watched_value_stops_them_where_it_changes() {
        let shown = last(&GREENHORN, &["watch p1.columns[1].len", "auto 9"]);
        assert!(
            shown.starts_with("breakpoint 1: this statement changes p1.columns[1].len  0 → 1\nplace(p, card)"),
            "{shown}"
        );
        let shown = last(&HEARTS, &["break move ♠4", "until end"]);
        assert!(shown.starts_with("breakpoint 1: this statement causes  13  ♠4  p4 hand → trick\n"), "{shown}");
    }

    #[test]
    fn the_moves_are_in_the_log_like_any_others() {
        let folder = Folder::new();
        for lines in [&["break place", "auto 5", "done", "save a.toml"][..], &["auto 5", "save b.toml"]] {
            Session { folder: Some(&folder), from_root: false, ..Session::of(&GREENHORN, lines) }.run().fine();
        }
        assert_eq!(folder.read("a.toml"), folder.read("b.toml"));
    }

    #[test]
    fn who_looks_as_a_player_is_not_stopped() {
        let lines = ["break place", "auto 1", "as p1", "#1"];
        assert_eq!(last(&GREENHORN, &lines), last(&GREENHORN, &["auto 1", "as p1", "#1"]));
    }

    #[test]
    fn rules_that_fail_stop_before_that_first() {
        let folder = Folder::with_rules();
        folder.edit(
            "games/up-or-down/rules.rhai",
            "begin_turn(p);",
            "begin_turn(p);\n    let bad = 1 / (2 - p.number);",
        );
        let lines = ["break turn if p == p2", "auto 4", "step", "step", "eval 1000 + 1"];
        let session =
            Session { folder: Some(&folder), from_root: false, ..Session::of(&["up-or-down", "-s", "7"], &lines) };
        let told = session.run();
        assert!(told.stdout.contains("breakpoint 1\nturn(p)"), "{}", told.stdout);
        assert!(told.stdout.contains("the rules fail here: division by zero"), "{}", told.stdout);
        assert!(told.stdout.ends_with("1001\n"), "{}\n{}", told.stdout, told.stderr);
    }

    #[test]
    fn a_condition_that_cannot_be_read_is_told_and_stops_nothing() {
        let shown = last(&GREENHORN, &["break place if green == 3", "auto 5"]);
        assert!(
            shown.starts_with("warning: the condition of breakpoint 1 cannot be read here: there is no `green`"),
            "{shown}"
        );
        assert!(shown.contains("`delete 1` takes it away"), "{shown}");
        assert!(shown.ends_with(&last(&GREENHORN, &["auto 5"])), "{shown}");
    }
}

mod through_the_moves {
    use super::*;

    #[test]
    fn the_debugger_goes_forward_over_the_recorded_moves() {
        let lines = ["auto 12", "debug 3"];
        let at = |more: &[&str]| last(&GREENHORN, &[&lines[..], more].concat());
        let end = at(&["continue"]);
        assert!(end.starts_with("the rules ask p2 play_card and wait") && end.contains("  move 12\n"), "{end}");
        let place = at(&["until extend"]);
        let error = fails(&GREENHORN, &["auto 5", "debug 3", "until score"]);
        assert!(error.starts_with("that is not reached before the game waits for an answer"), "{error}");
        assert!(place.starts_with("here\nextend(p, card, column)"), "{place}");
        // Statement by statement too, and the same way back.
        let (there, back) = (at(&["step 20"]), at(&["step 20", "step 15", "back 15"]));
        assert!(there.contains("  move ") && there == back, "{there}{back}");
    }

    #[test]
    fn moves_that_were_taken_back_belong_to_it_only_where_it_is_entered_there() {
        let there = last(&GREENHORN, &["auto 12", "undo 8", "debug", "continue"]);
        assert!(there.starts_with("the rules ask p2 play_card") && there.contains("  move 4\n"), "{there}");
        let there = last(&GREENHORN, &["auto 12", "undo 8", "debug 9", "continue"]);
        assert!(there.starts_with("the rules ask p2 play_card") && there.contains("  move 12\n"), "{there}");
    }
}

mod stack {
    use super::*;

    const THERE: [&str; 3] = ["until end", "debug", "until column_points"];

    #[test]
    fn up_and_down_choose_the_call_that_is_looked_at() {
        let at = |more: &[&str]| last(&GREENHORN, &[&THERE[..], more].concat());
        let up = at(&["up"]);
        assert!(up.starts_with("score_column(p, column)  games/up-or-down/rules.rhai:78"), "{up}");
        assert!(marked(&up).starts_with("78 │ fn score_column"), "{up}");
        assert_eq!(at(&["up", "locals"]), "p       p1\ncolumn  p1.columns.1 [17, 21]\n");
        assert_eq!(at(&["up", "eval p == p1"]), "true\n");
        assert_eq!(at(&["up", "where"]), up);
        assert_eq!(at(&["up", "down"]), at(&["where"]));
        assert_eq!(at(&["up 2", "down", "where"]), up);
        let stack = at(&["up", "stack"]);
        assert!(stack.lines().any(|line| line.starts_with("► score_column(p, column)")), "{stack}");
        assert!(stack.starts_with("  column_points(column)"), "{stack}");
        // A step is made where the rules stand.
        assert_eq!(at(&["up", "step"]), at(&["step"]));
        let error = fails(&GREENHORN, &[&THERE[..], &["eval p"]].concat());
        assert!(error.contains("there is no `p` here"), "{error}");
    }

    #[test]
    fn there_is_an_end_to_it_in_both_directions() {
        let error = fails(&GREENHORN, &[&THERE[..], &["down"]].concat());
        assert!(error.starts_with("this is the innermost call") && error.contains("`up`"), "{error}");
        let error = fails(&GREENHORN, &[&THERE[..], &["up 99", "up"]].concat());
        assert!(error.starts_with("this is the outermost call") && error.contains("`down`"), "{error}");
        for line in ["up", "down"] {
            assert!(fails(&GREENHORN, &[line]).contains(&format!("`{line}` works in the debugger")), "{line}");
        }
        assert!(fails(&GREENHORN, &[&THERE[..], &["up x"]].concat()).contains("`x` is not a whole number of calls"));
    }
}

mod names {
    use super::*;

    #[test]
    fn components_and_zones_are_named_as_they_are_drawn() {
        for name in ["spades-4", "♠4", "spades 4", "スペード 4"] {
            let set = last(&HEARTS, &[&format!("break move {name}")]);
            assert_eq!(set, "breakpoint 1: move spades-4\n", "{name}");
        }
        assert_eq!(last(&HEARTS, &["break move ♠4 trick"]), "breakpoint 1: move spades-4 trick\n");
        let shown = last(&HEARTS, &["until end", "debug 1", "until choice ♠4"]);
        assert!(shown.starts_with("here: this statement causes  13  p4  play a card  "), "{shown}");
        let error = fails(&HEARTS, &["break move spades"]);
        assert!(
            error.starts_with("`spades` can mean spades-") && error.contains("write which of them you mean"),
            "{error}"
        );
        let error = fails(&HEARTS, &["break move spades-99"]);
        assert!(error.starts_with("no `move` involves `spades-99`"), "{error}");
    }
}

mod why_not {
    use super::*;

    const RULES: &str = r#"
fn game() {
    for p in players { p.hand.move_to(box); }
    for p in players { choose(p); }
}

fn choose(p) {
    let least = 30;
    let card = p.choose("play_card", components("card").where(|card| card.number > least && fits(p, card)));
}

fn fits(p, card) {
    [2, 3, 5].all(|n| card.number % n != 0)
}

fn score(p) { p.award(0, "x"); }

fn column_mark(zone) { "x" }

fn column_note(zone) { "x" }
"#;

    /// A session under these rules.
    #[track_caller]
    fn told(line: &str) -> String {
        let folder = Folder::with_rules();
        std::fs::write(folder.0.join("games/up-or-down/rules.rhai"), RULES).unwrap();
        let session =
            Session { folder: Some(&folder), from_root: false, ..Session::of(&["up-or-down", "-s", "7"], &[line]) };
        session.run().fine().stdout
    }

    #[test]
    fn it_goes_into_functions_without_a_name_with_the_values_in_them() {
        let shown = told("why not 45");
        for words in [
            "45 is not among the options: components(\"card\").where(",
            "45 is out of play",
            "least",
            "card.number > least && fits(p, card) = false",
            "card.number",
            "fits(p, card)",
            "card.number % n != 0 = false",
            "n                    = 3",
        ] {
            assert!(shown.contains(words), "no {words} in {shown}");
        }
    }
}
