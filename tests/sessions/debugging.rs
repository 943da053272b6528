//! The script debugger in sessions: forwards and back through the rules of shipped games, and everything that can be
//! typed wrong.

use super::*;

/// The first line that is shown, and the line of source that is marked.
#[track_caller]
fn stands(shown: &str) -> (&str, &str) {
    let marked = shown.lines().find_map(|line| line.strip_prefix(" ► ")).unwrap_or_else(|| panic!("{shown}"));
    (shown.lines().next().unwrap(), marked.trim_start())
}

const GREENHORN: [&str; 5] = ["up-or-down", "-v", "greenhorn", "-s", "3"];
const LADY: [&str; 7] = ["hearts", "-v", "black-lady", "-p", "4", "-s", "7"];

mod going {
    use super::*;

    #[test]
    fn it_begins_right_after_the_choice_before() {
        let shown = last(&GREENHORN, &["auto 12", "debug"]);
        let expected = "\
game()  games/up-or-down/rules.rhai:11  game  move 12
    8 │     setup();
    9 │     begin_phase(\"play\");
   10 │     while players.any(|p| !p.hand.is_empty) {
 ► 11 │         for p in players { if !p.hand.is_empty { turn(p); } }
   12 │     }
   13 │     begin_phase(\"scoring\");
   14 │     for p in players { score(p); }
p = p2
`step` `next` `out` `continue` go on, `back` and `rewind` go back, `done` leaves
";
        assert_eq!(shown, expected);
        // At the very first decision, that is the beginning of the game.
        let shown = last(&GREENHORN, &["debug"]);
        assert_eq!(stands(&shown).1, "8 │     setup();");
        assert!(!shown.contains("  move "));
        // Any move can be looked at.
        assert_eq!(last(&GREENHORN, &["auto 12", "debug 1"]), shown);
        assert!(last(&GREENHORN, &["auto 12", "debug 6"]).contains("  move 5"));
    }

    #[test]
    fn statements_are_gone_through_one_by_one_over_and_out() {
        let from = |lines: &[&str]| last(&GREENHORN, &[&["debug"], lines].concat());
        assert_eq!(stands(&from(&["step"])).1, r#"19 │     components("card").between("number", 1,"#);
        assert_eq!(stands(&from(&["next"])).1, r#"9 │     begin_phase("play");"#);
        assert_eq!(stands(&from(&["step", "out"])).1, r#"9 │     begin_phase("play");"#);
        assert_eq!(stands(&from(&["step 2"])).1, "20 │     face_down.shuffle();");
        assert_eq!(from(&["step 2"]), from(&["step", "step"]));
        assert_eq!(from(&["step 2"]), from(&["s", "s"]));
        assert_eq!(from(&["step 2"]), from(&["step 5", "back 3"]));
        assert_eq!(from(&["next"]), from(&["n"]));
        assert_eq!(stands(&from(&["next", "back over"])).1, "8 │     setup();");
        assert_ne!(from(&["next", "back"]), from(&["next", "back over"]));
        assert!(from(&["next", "back"]).starts_with("setup()"));
        // `step 0` stays, and shows where.
        assert_eq!(stands(&from(&["step 0"])).1, "8 │     setup();");
        assert_eq!(from(&["step 3", "where"]), from(&["step 3"]));
    }

    #[test]
    fn the_end_of_the_run_is_the_open_decision_and_the_call_that_asks() {
        let shown = last(&GREENHORN, &["auto 5", "debug", "continue"]);
        assert_eq!(
            stands(&shown),
            (
                "the rules ask p2 take_neighbour and wait for the answer",
                r#"32 │     place(p, p.choose("take_neighbour", takeable(p, card)));"#
            )
        );
        let shown = last(&GREENHORN, &["auto 5", "debug", "continue", "stack"]);
        assert_eq!(shown.lines().filter(|line| line.contains("rules.rhai")).count(), 2, "{shown}");
        assert!(shown.starts_with("► turn(p)  games/up-or-down/rules.rhai:32  game\n"), "{shown}");
        assert_eq!(last(&GREENHORN, &["auto 5", "debug", "continue", "eval card"]), "54\n");
        // One statement back is the function that worked out what can be taken.
        assert!(last(&GREENHORN, &["auto 5", "debug", "continue", "back"]).starts_with("takeable(p, card)"));
        let error = fails(&GREENHORN, &["auto 5", "debug", "continue", "step"]);
        assert!(error.contains("the rules wait for an answer here") && error.contains("`done`"), "{error}");
        for line in ["next", "out", "continue", "until turn"] {
            assert!(fails(&GREENHORN, &["auto 5", "debug", "continue", line]).contains("wait for an answer"), "{line}");
        }
    }

    #[test]
    fn a_variant_and_what_it_stands_on_are_both_in_the_stack() {
        let there = ["until end", "debug", "until score@greenhorn"];
        let at = |lines: &[&str]| last(&GREENHORN, &[&there[..], lines].concat());
        assert_eq!(stands(&at(&["step 0"])).1, "21 │     super(p);");
        let stack = "\
► score(p)  games/up-or-down/rules.rhai:73         game
    p = p1
  score(p)  variants/up-or-down/greenhorn.toml:21  variant greenhorn
    p = p1
  game()    games/up-or-down/rules.rhai:14         game
    p = p1
";
        assert_eq!(at(&["step", "stack"]), stack);
        assert_eq!(at(&["step", "bt"]), stack);
        let beyond = at(&["step", "out"]);
        assert!(beyond.starts_with("score(p)  variants/up-or-down/greenhorn.toml:22  variant greenhorn"), "{beyond}");
        assert_eq!(beyond, at(&["next"]));
        let back = at(&["next", "back over"]);
        assert_eq!(back, at(&["step 0"]));
        // Back by single steps goes through the function below.
        assert!(at(&["next", "back"]).starts_with("score(p)  games/up-or-down/rules.rhai:74  game"));
    }

    #[test]
    fn what_is_known_is_shown_and_can_be_calculated_with() {
        let there = ["until end", "debug", "until greenhorn:23"];
        let at = |lines: &[&str]| last(&GREENHORN, &[&there[..], lines].concat());
        assert_eq!(at(&["locals"]), "p      p1\ngreen  4\n");
        assert_eq!(at(&["eval green * 2 + 1"]), "9\n");
        assert_eq!(at(&["eval p == p1 && p2.score == 0"]), "true\n");
        let error = fails(&GREENHORN, &[&there[..], &["eval column"]].concat());
        assert!(error.contains("there is no `column` here"), "{error}");
        let error = fails(&GREENHORN, &[&there[..], &["eval p.award(3, \"x\")"]].concat());
        assert!(error.contains("this changes the table") && error.contains("`done`"), "{error}");
        let error = fails(&GREENHORN, &[&there[..], &["eval green +"]].concat());
        assert!(error.contains("ends in the middle of something"), "{error}");
        let error = fails(&GREENHORN, &[&there[..], &["eval loop {}"]].concat());
        assert!(error.contains("more than 2000000 operations"), "{error}");
        let error = fails(&GREENHORN, &[&there[..], &["eval face_down.sum(\"numbr\")"]].concat());
        assert!(error.contains("typed:1:11") && error.contains("did you mean `number`"), "{error}");
        // The table is the one at the statement.
        assert_eq!(last(&GREENHORN, &["debug", "eval face_down.len"]), "0\n");
        assert_eq!(last(&GREENHORN, &["debug", "step 3", "eval face_down.len"]), "54\n");
        assert_eq!(last(&GREENHORN, &["debug", "locals"]), "nothing is known here besides the table\n");
    }

    #[test]
    fn a_game_that_is_over_can_be_gone_through() {
        let shown = last(&GREENHORN, &["until end", "debug", "continue"]);
        assert!(shown.starts_with("the game is over\n"), "{shown}");
        let error = fails(&GREENHORN, &["until end", "debug", "continue", "step"]);
        assert!(error.contains("the game is over here") && error.contains("`back`"), "{error}");
        let shown = last(&GREENHORN, &["until end", "debug", "continue", "rewind"]);
        assert!(shown.starts_with("the first statement after the previous choice"), "{shown}");
        let shown = last(&GREENHORN, &["until end", "debug", "continue", "rewind", "rewind"]);
        assert!(shown.starts_with("the first statement of the game"), "{shown}");
        let error = fails(&GREENHORN, &["until end", "debug", "rewind", "back"]);
        assert!(error.contains("this is the first statement of the game"), "{error}");
    }

    #[test]
    fn nothing_of_it_is_left_in_the_game() {
        let folder = Folder::new();
        let steps =
            ["debug", "rewind", "step 3", "next", "out", "back 2", "rewind", "eval p1.score", "until turn", "done"];
        let lines = [&["auto 12", "save a.toml", "table"], &steps[..], &["save b.toml", "#1"]].concat();
        let session = Session { folder: Some(&folder), from_root: false, ..Session::of(&GREENHORN, &lines) };
        let told = session.run().fine();
        assert_eq!(folder.read("a.toml"), folder.read("b.toml"));
        let tables: Vec<&str> = told.stdout.matches("play · turn 4 · move 13").collect();
        // As it was, where it was asked for, behind `done`.
        assert_eq!(tables.len(), 3, "{}", told.stdout);
    }

    #[test]
    fn changes_by_hand_are_there_where_they_were_made() {
        let lines = ["auto 3", "set p1.score 5", "#1", "set p1.score 8", "#1", "debug"];
        let at = |more: &[&str]| last(&GREENHORN, &[&lines[..], more].concat());
        assert_eq!(at(&["eval p1.score"]), "8\n");
        // The statement that asked stood on the table that the person saw.
        assert_eq!(at(&["back", "eval p1.score"]), "8\n");
        assert_eq!(at(&["back 2", "eval p1.score"]), "5\n");
        assert_eq!(at(&["back 2", "step 2", "eval p1.score"]), "8\n");
    }

    #[test]
    fn real_time_is_gone_through_like_any_other() {
        let game = ["playme", "-p", "2", "-s", "1"];
        let there = ["alice", "hatter", "clock", "debug"];
        let at = |lines: &[&str]| last(&game, &[&there[..], lines].concat());
        assert_eq!(stands(&at(&["step 0"])).1, "73 │     begin_turn(p);");
        assert!(at(&["until roll hatter-1"]).starts_with("here: this statement causes  3  roll H6\nroll_dice(p)"));
        let stack = at(&["until roll hatter-1", "stack"]);
        for words in ["► roll_dice(p)", "next_action()", "round()", "game()"] {
            assert!(stack.contains(words), "no {words} in {stack}");
        }
        assert_eq!(at(&["continue", "done"]), last(&game, &["alice", "hatter", "clock", "table"]));
    }
}

mod stopping {
    use super::*;

    #[test]
    fn in_a_library_by_line_by_function_and_by_file() {
        for place in ["trick:34", "play_card@trick", "play_card", "trick.rhai:34", "scripts/trick.rhai:34"] {
            let set = last(&LADY, &[&format!("break {place}")]);
            assert!(set.starts_with("breakpoint 1: ") && set.contains("scripts/trick.rhai:34  library trick"), "{set}");
            let set = format!("break {place}");
            let shown = last(&LADY, &[&set, "auto 5", "debug 3", "continue"]);
            assert_eq!(stands(&shown).0, "breakpoint 1", "{place}");
            assert!(stands(&shown).1.starts_with(r#"34 │     let card = p.choose("play_card""#), "{shown}");
            assert!(shown.contains("play_card(p)  scripts/trick.rhai:34  library trick  move 2"), "{shown}");
        }
        let lines = ["break play_card", "auto 5", "debug", "rewind", "rewind"];
        assert!(last(&LADY, &lines).contains("  move 3"), "the last, then the one before");
        assert!(last(&LADY, &[&lines[..], &["continue"]].concat()).contains("  move 4"), "and on again");
        let lines = [&lines[..4], &["continue", "continue"]].concat();
        assert!(last(&LADY, &lines).starts_with("the rules ask p2 play_card"));
    }

    #[test]
    fn under_a_condition_in_the_layer_that_was_named() {
        let lines = ["until end", r#"break penalty@black-lady if card.id == "spades-12""#, "debug", "continue"];
        let shown = last(&LADY, &lines);
        assert!(shown.starts_with("breakpoint 1\npenalty(card)  variants/hearts/black-lady.toml:16"), "{shown}");
        assert!(shown.ends_with("card = spades-12\n"), "{shown}");
        let stack = last(&LADY, &[&lines[..], &["stack"]].concat());
        for words in ["► penalty(card)", "penalties(p)   games/hearts/rules.rhai:25", "score(p)", "dealer = p1"] {
            assert!(stack.contains(words), "no {words} in {stack}");
        }
        let lines = ["until end", r#"break penalty@hearts if card.id == "spades-12""#, "debug", "continue"];
        assert!(last(&LADY, &lines).starts_with("the game is over"), "the variant does not call the game for it");
    }

    #[test]
    fn at_lines_of_a_variant_and_of_the_script_at_hand() {
        let shown = last(&GREENHORN, &["until end", "break greenhorn:22", "debug", "continue"]);
        assert!(stands(&shown).1.starts_with("22 │     let green ="), "{shown}");
        // A bare number is a line of the game, and in the debugger of the file that is shown.
        assert!(last(&GREENHORN, &["break 31"]).contains("up-or-down:31\n    games/up-or-down/rules.rhai:31  game"));
        let lines = ["until end", "debug", "until score@greenhorn", "break 23"];
        assert!(last(&GREENHORN, &lines).contains("greenhorn:23\n    variants/up-or-down/greenhorn.toml:23"));
    }

    #[test]
    fn at_the_statement_that_causes_an_event() {
        let there = |lines: &[&str]| last(&GREENHORN, &[&["until end", "debug"], lines].concat());
        let shown = there(&["break award p2 column", "continue"]);
        let expected = (
            "breakpoint 1: this statement causes  186  p2 +2  column",
            r#"78 │ fn score_column(p, column) { p.award(column_points(column), "column","#,
        );
        assert_eq!(stands(&shown), expected);
        let shown = there(&["break award p2 if p2.score > 3", "continue"]);
        assert!(shown.starts_with("breakpoint 1: this statement causes  186  p2 +19  discard pile"), "{shown}");
        let shown = there(&["break set p1.score if p == p1 && p1.score > 20", "continue"]);
        assert!(shown.contains(": this statement causes  186  p1 +10  green cards"), "{shown}");
        assert!(shown.contains("green = 4"), "{shown}");
        // The way of a card, from behind.
        let shown = there(&["until move 46 p2.columns.2"]);
        assert!(shown.starts_with("here: this statement causes  186  46·k  ring → p2 column 2"), "{shown}");
        assert_eq!(stands(&shown).1, "47 │             card.move_to(place.column);");
        // What does not come leaves everything where it is.
        let refused = fails(&GREENHORN, &["until end", "debug", "until event turn"]);
        assert!(refused.starts_with("that is not reached before the game waits for an answer"), "{refused}");
        let shown = there(&["until back event turn p1"]);
        assert_eq!(stands(&shown).1, "29 │     begin_turn(p);");
        assert!(shown.contains("p = p1"), "{shown}");
    }

    #[test]
    fn at_what_changed_a_value_last() {
        let there = ["until end", "debug", "continue", "watch p1.score"];
        assert_eq!(last(&GREENHORN, &there), "breakpoint 1: watch p1.score, now 42\n");
        let shown = last(&GREENHORN, &[&there[..], &["rewind"]].concat());
        assert_eq!(
            stands(&shown),
            (
                "breakpoint 1: this statement changes p1.score  32 → 42",
                r#"23 │     p.award(data.green_points.entry_or_last(green), "green_cards");"#
            )
        );
        let shown = last(&GREENHORN, &[&there[..], &["rewind", "rewind"]].concat());
        assert!(shown.starts_with("breakpoint 1: this statement changes p1.score  16 → 32"), "{shown}");
        let shown = last(&GREENHORN, &[&there[..], &["rewind", "rewind", "continue"]].concat());
        assert!(shown.starts_with("breakpoint 1: this statement changes p1.score  32 → 42"), "{shown}");
        // Outside the debugger, the value is that at the open decision.
        assert_eq!(last(&GREENHORN, &["watch ring.len + 1"]), "breakpoint 1: watch ring.len + 1, now 7\n");
        // A name of one function is not known everywhere, and is waited for where it is.
        assert!(
            last(&GREENHORN, &["watch green"]).starts_with("breakpoint 1: watch green, not here: there is no `green`")
        );
    }

    #[test]
    fn at_the_nearest_of_several_in_both_directions() {
        let lines = ["until end", "break column_points", "break award p1", "watch p1.score", "debug"];
        let at = |more: &[&str]| last(&GREENHORN, &[&lines[..], more].concat());
        // The award comes from the statement that calls the function, and so stands before it.
        let first = at(&["continue"]);
        assert!(first.starts_with("breakpoint 2: this statement causes  186  p1 +2  column\nscore_column"), "{first}");
        let second = at(&["continue", "continue"]);
        assert!(second.starts_with("breakpoint 1\ncolumn_points(column)"), "{second}");
        assert_eq!(at(&["continue", "continue", "continue", "rewind"]), second);
        assert_eq!(at(&["continue", "continue", "rewind"]), first);
    }

    #[test]
    fn they_are_listed_and_taken_away() {
        assert!(last(&GREENHORN, &["break"]).starts_with("no breakpoints are set"));
        let lines = ["break score@greenhorn", "break award p1 if p1.score > 3", "watch p1.score", "break"];
        let shown = last(&GREENHORN, &lines);
        let listed: Vec<&str> = shown.lines().collect();
        let expected = [
            "breakpoint 1: score@greenhorn",
            "    variants/up-or-down/greenhorn.toml:21  variant greenhorn",
            "breakpoint 2: award p1 if p1.score > 3",
            "breakpoint 3: watch p1.score",
        ];
        assert_eq!(listed, expected);
        let shown = last(&GREENHORN, &[&lines[..3], &["delete 2"]].concat());
        assert_eq!(shown, "breakpoint 2 is gone: award p1 if p1.score > 3\n");
        assert_eq!(last(&GREENHORN, &[&lines[..3], &["delete 2", "break"]].concat()).lines().count(), 3);
        assert_eq!(last(&GREENHORN, &[&lines[..3], &["delete all"]].concat()), "no breakpoints are left\n");
        assert!(last(&GREENHORN, &[&lines[..3], &["delete all", "break"]].concat()).starts_with("no breakpoints"));
    }

    const CLOSURE: &str = r#"
id = "closure"
game = "up-or-down"
name = "x"
[script]
rhai = '''
fn score(p) {
    players.where(|q| q == p).for_each(|q| {
        let double = p.discard.len * 2;
        q.award(double, "discard_pile");
    });
}
'''
"#;

    #[test]
    fn inside_a_function_without_a_name() {
        let folder = Folder::new();
        folder.write("closure.toml", CLOSURE);
        let path = folder.0.join("closure.toml");
        let game = ["up-or-down", "-v", path.to_str().unwrap(), "-s", "3"];
        let lines = ["until end", "debug", "until closure:9"];
        let shown = last(&game, &lines);
        assert!(shown.starts_with("here\nfunction in score(p)  "), "{shown}");
        assert_eq!(stands(&shown).1, "9 │         let double = p.discard.len * 2;");
        assert!(shown.ends_with("p = p1   q = p1\n"), "{shown}");
        let stack = last(&game, &[&lines[..], &["step", "stack"]].concat());
        assert_eq!(stack.lines().filter(|line| line.contains("score(p)")).count(), 2, "{stack}");
        assert!(stack.contains("p = p1   q = p1   double = 32"), "{stack}");
        // The function around it is one function, and begins once for each player.
        let shown = last(&game, &["until end", "break score", "debug", "continue", "continue"]);
        assert!(shown.ends_with("p = p2\n"), "{shown}");
        assert!(last(&game, &["until end", "debug", "until closure:9", "out"]).contains("p = p2"));
    }
}

mod mistakes {
    use super::*;

    #[track_caller]
    fn refused(lines: &[&str], words: &[&str]) {
        let error = fails(&GREENHORN, lines);
        words.iter().for_each(|word| assert!(error.contains(word), "{lines:?}: no {word} in {error}"));
    }

    #[test]
    fn what_belongs_in_the_debugger_says_so_outside_and_the_other_way_round() {
        for line in ["step", "next", "out", "continue", "back", "rewind", "locals", "stack", "where", "done"] {
            refused(&[line], &[&format!("`{line}` works in the debugger"), "`debug` opens it"]);
        }
        for line in ["undo", "redo", "auto", "reload", "set p1.score 3", "goto 1", "reroll", "with rainbow"] {
            let word = line.split(' ').next().unwrap();
            refused(
                &["auto", "debug", line],
                &[&format!("`{word}` does not work in the debugger"), "`done` leaves it"],
            );
        }
        for line in ["1", "#1", "=33"] {
            refused(&["debug", line], &["nothing can be chosen in the debugger", "`done` leaves it"]);
        }
        refused(&["debug", "stpe"], &["there is no command `stpe`", "did you mean `step`?"]);
        refused(&["debug", "done now"], &["`done` takes nothing after it"]);
    }

    #[test]
    fn places_that_are_not_there_are_refused_with_the_nearest() {
        refused(&["break scroe"], &["there is no function, line or event `scroe`", "did you mean `score`?"]);
        refused(&["break nowhere"], &["`nowhere`", "`help break` explains more"]);
        refused(
            &["break score@grenhorn"],
            &["no layer with a script is called `grenhorn`", "did you mean `greenhorn`?"],
        );
        refused(&["break turn@greenhorn"], &["greenhorn does not define `turn`", "write `turn@up-or-down`"]);
        refused(&["break greenhorn:3"], &["no statement begins in line 3 of", "the next one begins in line 21"]);
        refused(&["break 9999"], &["no statement begins in line 9999", "that is after the last one"]);
        refused(&["break 0"], &["no statement begins in line 0", "the next one begins in line 8"]);
        refused(
            &["break nowhere.rhai:3"],
            &["no script is called `nowhere.rhai`", "there are `up-or-down` and `greenhorn`"],
        );
        refused(&["break mvoe 3"], &["`mvoe 3` is not a line, a function or an event", "did you mean `move`?"]);
        refused(&["break event mvoe"], &["`mvoe` is not a line, a function or an event", "did you mean `move`?"]);
        refused(&["break move bxo"], &["no `move` involves `bxo`", "did you mean `box`?"]);
        refused(&["break move 999"], &["no `move` involves `999`"]);
        refused(&["break set p1.socre"], &["no `set` involves `p1.socre`", "did you mean `p1.score`?"]);
        refused(&["debug", "until scroe"], &["did you mean `score`?"]);
        refused(&["debug", "until back scroe"], &["did you mean `score`?"]);
        for line in ["until", "until back"] {
            refused(&["debug", line], &["write `until [back] WHERE [if CONDITION]`"]);
        }
    }

    #[test]
    fn conditions_that_cannot_be_used_say_which_and_why() {
        refused(&["break turn if"], &["something is missing behind `if`", "break [WHERE [if CONDITION]]"]);
        refused(&["break turn if p =="], &["ends in the middle of something", "a value is missing after `=`", "p =="]);
        refused(&["break turn fi p.hand.len > 2"], &["no `turn` involves `fi`", "a condition stands behind `if`"]);
        refused(&["break turn p.hand.len > 2"], &["a condition stands behind `if`: `turn if p1.score > 3`"]);
        // No statement of the rules knows these names: they are mistakes wherever they are read.
        refused(&["break turn if q.hand.len > 2"], &["there is no `q` here"]);
        refused(&["break award if pp == p1"], &["there is no `pp` here", "typed:1:1", "^^"]);
        refused(&["break award if p5.score > 3"], &["there is no `p5` here", "not so many players"]);
        refused(&["watch nosuch.len"], &["there is no `nosuch` here"]);
        // The rest is read like the rules.
        refused(
            &["break move if p1.scroe > 3"],
            &["nothing has a property `scroe`", "did you mean `score`", "typed:1:4"],
        );
        refused(&["break turn if p.hand.takeable(1)"], &["there is no `takeable` with one argument"]);
        refused(
            &["break turn if p.hand.any(|card| card.color == \"gren\")"],
            &["no component has \"gren\"", "`green`"],
        );
        refused(&["break turn if p1.score = 3"], &["this sets something, and has no value", "compare with `==`"]);
        refused(&["break turn if p.hand.len"], &["true or false is needed here, not a number", "compare it"]);
        refused(&["break move if p1.score + true > 1"], &["number"]);
        refused(&["break turn if p.hand.first.move_to(box)"], &["this has no value", "only looks at the table"]);
        let rewinds = |condition: &str, words: &[&str]| {
            let set = format!("break {condition}");
            refused(&["auto 5", &set, "debug", "rewind"], words);
            // Taken away, it stands in nobody's way.
            last(&GREENHORN, &["auto 5", &set, "debug", "delete 1", "rewind"]);
        };
        rewinds(
            "turn if green > 2",
            &["the condition of breakpoint 1 cannot be read here: there is no `green`", "`delete 1`"],
        );
        rewinds(
            "turn if [p.hand.len][0]",
            &["the condition of breakpoint 1 is 3, neither true nor false", "`delete 1` takes it away"],
        );
        rewinds("turn if 1 / (p.number - p.number) == 1", &["breakpoint 1", "division by zero", "`delete 1`"]);
        rewinds(
            "turn if [p.hand.first.move_to(box)].is_empty",
            &["breakpoint 1 looks at changes the table", "`delete 1`"],
        );
        rewinds(
            "award p1 if [p1.hand.first.move_to(box)].is_empty",
            &["breakpoint 1 looks at changes the table", "`delete 1`"],
        );
        rewinds("move if [p1.score][0]", &["the condition of breakpoint 1 is 0, neither true nor false", "`delete 1`"]);
        rewinds("turn if loop {}", &["breakpoint 1", "more than 2000000 operations", "`delete 1`"]);
        rewinds("award if loop {}", &["breakpoint 1", "more than 2000000 operations", "`delete 1`"]);
        // The others count all the same.
        let shown = last(&GREENHORN, &["break turn if green > 2", "break award p1", "until end"]);
        assert!(shown.contains("breakpoint 1 cannot be read here") && shown.contains("p1 +"), "{shown}");
        assert!(shown.contains("stopped on the way to move"), "{shown}");
        let set =
            ["break turn if green > 2", "break move if 1 / (p1.number - p1.number) > 3", "break award p1", "until end"];
        let shown = last(&GREENHORN, &set);
        let told =
            ["breakpoint 1 cannot be read here", "breakpoint 2 cannot be read here", "stopped on the way to move"];
        assert!(told.iter().all(|told| shown.contains(told)), "{shown}");
        // Waiting for an event, a name may be known only where it happens.
        let shown = last(&GREENHORN, &["until end", "break award p1 if green > 3", "debug", "continue"]);
        assert!(shown.contains("this statement causes  186  p1 +10  green cards"), "{shown}");
    }

    #[test]
    fn what_cannot_be_watched_is_refused_at_once() {
        refused(&["watch p1.scroe"], &["nothing has a property `scroe`", "did you mean `score`"]);
        refused(&["watch [1][p1.score + 1]"], &["`[1][p1.score + 1]` cannot be watched"]);
        refused(&["watch p1.score +"], &["ends in the middle of something"]);
        refused(&["watch p1.hand.first.move_to(box)"], &["changes the table", "cannot change anything"]);
        refused(&["watch loop {}"], &["cannot be watched", "more than 2000000 operations"]);
        assert!(last(&GREENHORN, &["break"]).starts_with("no breakpoints are set"));
    }

    #[test]
    fn numbers_are_whole_and_there() {
        refused(&["delete 9"], &["there is no breakpoint 9", "`break` lists them"]);
        refused(&["delete"], &["delete N|all", "delete all"]);
        refused(&["delete first"], &["`first` is not a breakpoint or `all`", "write `delete N|all`"]);
        refused(&["auto 5", "debug 999"], &["there is no move 999 on this branch", "from 1 to 6", "`history`"]);
        refused(&["debug 0"], &["there is no move 0", "from 1 to 1"]);
        refused(&["debug two"], &["`two` is not a move", "write `debug [MOVE]`"]);
        for line in ["step x", "back x", "step -1"] {
            refused(&["debug", line], &["is not a whole number of statements"]);
        }
        refused(&["debug", "step 99999999999999999999"], &["is not a whole number of statements"]);
        assert!(last(&GREENHORN, &["debug", "step 18446744073709551615"]).starts_with("the rules ask p1 play_card"));
    }

    /// A session under rules with another beginning of each turn.
    fn broken(text: &str, lines: &[&str]) -> Told {
        let folder = Folder::with_rules();
        folder.edit("games/up-or-down/rules.rhai", "begin_turn(p);", text);
        let args = ["up-or-down", "-s", "7"];
        Session { folder: Some(&folder), from_root: false, ..Session::of(&args, lines) }.run()
    }

    #[test]
    fn rules_that_fail_can_be_gone_through_up_to_there() {
        let text = "begin_turn(p);\n    let n = p.number - 1;\n    let bad = 1 / n;";
        let told = broken(text, &["debug", "continue", "eval 1000 + 1", "back", "locals"]);
        let shown = told.after("`done` leaves");
        assert!(
            shown.contains("the rules fail here: division by zero: 1 / 0\nturn(p)  games/up-or-down/rules.rhai:31"),
            "{shown}"
        );
        assert!(told.after("1001\n").ends_with("p  p1\nn  0\n"), "{}", told.stdout);
        broken(text, &["debug", "continue", "step"]).refused(["the rules fail here", "`back` and `rewind` go back"]);
    }

    #[test]
    fn rules_that_never_end_are_stopped_and_gone_through() {
        let text = "begin_turn(p);\n    let n = 0;\n    loop { n += 1; }";
        let told = broken(text, &["debug", "continue", "eval 1000 + 1", "rewind", "until 31", "locals"]);
        let shown = told.after("`done` leaves");
        assert!(shown.contains("the rules fail here: the rules ran for more than"), "{shown}");
        assert!(told.after("1001\n").ends_with("p  p1\nn  0\n"), "{}", told.stdout);
    }
}

/// A person at a real terminal.
#[cfg(unix)]
mod at_a_terminal {
    use super::super::terminal::Person;
    use super::*;

    #[test]
    fn a_person_steps_by_pressing_return() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &["-v", "greenhorn"], 80, "p1 play card › ");
        person.types("#1", "p1, take a neighbour", "p1 take neighbour › ");
        person.types("debug", "card.move_in_order(ring", "debug turn:31 › ");
        person.types("step", " ► 32 │     place(p, p.choose", "debug turn:32 › ");
        person.types("", "takeable(p, card)", "debug takeable:37 › ");
        person.types("", "the rules ask p1 take_neighbour and wait", "debug turn:32 › ");
        person.types("", "the rules wait for an answer here", "debug turn:32 › ");
        person.types("back", "takeable(p, card)", "debug takeable:37 › ");
        person.types("back over", "turn(p)", "debug turn:32 › ");
        person.types("eval card.number > 0", "true", "debug turn:32 › ");
        person.presses("break sco\t");
        person.sees("score_column");
        // What was begun is wiped out; a new prompt would swallow what is typed before it stands.
        person.presses("\u{15}");
        person.types("done", "p1, take a neighbour", "p1 take neighbour › ");
        person.types("undo", "took back: p1  play a card to the ring", "p1 play card › ");
    }
}
