//! What a person can expect of the prompt itself: expressions without a command, lines that are pasted, help, a pager.

use super::terminal::Person;
use super::*;

const PROMPT: &str = "p1 play card › ";
const GAME: [&str; 3] = ["up-or-down", "--seed", "7"];

/// Pastes a text as a terminal does that marks what is pasted.
fn pastes(person: &mut Person, text: &str) {
    person.presses(&format!("\u{1b}[200~{}\u{1b}[201~", text.replace('\n', "\r")));
}

mod expressions {
    use super::*;

    #[test]
    fn an_expression_needs_no_command() {
        assert_eq!(last(&GAME, &["3 + 4"]), "7\n");
        assert_eq!(last(&GAME, &[KNOWN, "p1.hand"]), "p1.hand [10, 20, 30]\n");
        assert_eq!(last(&GAME, &["ring.len == 6"]), "true\n");
        assert_eq!(last(&GAME, &["players.map(|p| p.hand.len)"]), "[3, 3]\n");
        assert_eq!(last(&GAME, &["for p in players { p.award(1, \"discard_pile\"); }", "p1.score"]), "0\n");
        assert_eq!(last(&GAME, &["players"]), "[p1, p2]\n");
        assert_eq!(last(&GAME, &["data.hand_size"]), "3\n");
    }

    #[test]
    fn an_option_and_a_command_come_first() {
        // 1 is an option, `table` and `auto` are commands.
        assert!(last(&GAME, &["#1"]).contains("p1, take a neighbour"));
        assert!(last(&GAME, &["table"]).contains("p1, play a card"));
        assert!(fails(&GAME, &["99"]).contains("99 is not among the options"));
    }

    #[test]
    fn what_it_would_change_is_told_and_does_not_happen() {
        let told = last(&GAME, &["p1.award(5, \"discard_pile\")"]);
        assert!(told.contains("+5") && told.contains("on a copy of the table; the game is as it was"), "{told}");
        assert_eq!(last(&GAME, &["p1.score = 5", "p1.score"]), "0\n");
    }

    #[test]
    fn the_last_value_is_kept_where_it_lasts() {
        assert_eq!(last(&GAME, &["3 + 4", "_ * 6"]), "42\n");
        assert_eq!(last(&GAME, &["p2", "_.hand.len"]), "3\n");
        assert_eq!(last(&GAME, &["7", "eval 7", "switch _ { 7 => \"seven\", _ => \"other\" }"][1..]), "\"seven\"\n");
        assert!(fails(&GAME, &["_"]).contains("no value is kept as `_`"));
        // After `undo` a component may be another.
        assert!(fails(&GAME, &["ring.first", "_"]).contains("no value is kept as `_`"));
    }

    #[test]
    fn a_slip_is_told_with_the_nearest_command_or_name() {
        assert!(fails(&GAME, &["hisotry"]).contains("did you mean `history`?"));
        assert!(fails(&GAME, &["undoo 3"]).contains("did you mean `undo`?"));
        assert!(fails(&GAME, &["playres"]).contains("did you mean `players`?"));
        assert!(fails(&GAME, &["rinng + 1"]).contains("did you mean `ring`?"));
        assert!(fails(&GAME, &["svae game.toml"]).contains("did you mean `save`?"));
        let score = fails(&GAME, &["score"]);
        assert!(score.contains("`score` is a function of the rules") && score.contains("`score(p)`"), "{score}");
    }

    #[test]
    fn what_cannot_be_an_expression_says_where() {
        let error = fails(&GAME, &["p1.hand.(3)"]);
        assert!(error.contains("p1.hand.(3)") && error.contains('^'), "{error}");
        let error = fails(&GAME, &["p1.hnad"]);
        assert!(error.contains("player has no `hnad`"), "{error}");
    }

    #[test]
    fn settings_are_those_of_the_layer_that_has_the_key() {
        let args = ["up-or-down", "--seed", "7", "-v", "greenhorn", "--set", "greenhorn.color=red"];
        if Session::of(&args, &["settings.color"]).run().code == 0 {
            assert_eq!(last(&args, &["settings.color"]), "\"red\"\n");
        }
        assert!(fails(&GAME, &["settings.nothing"]).contains("`settings` are those of a layer"));
    }

    #[test]
    fn in_the_debugger_what_is_known_there_is_known() {
        let told = Session::of(&GAME, &["auto", "debug", "card", "p.hand.len", "done"]).run().fine();
        assert!(told.stdout.contains("\n10\n3\n"), "{}", told.stdout);
        assert!(fails(&GAME, &["card"]).contains("there is no command `card`"));
    }

    #[test]
    fn from_a_pipe_an_expression_may_go_on_over_several_lines() {
        let told = Session::of(&GAME, &["players.map(|p| {", "", "  p.hand.len", "})", "3 + 4"]).run().fine();
        assert!(told.stdout.ends_with("[3, 3]\n7\n"), "{}", told.stdout);
        // The line where it began is told.
        Session::of(&GAME, &["auto", "eval (1 +", "2"]).run().refused(["line 2"]);
    }
}

mod completing {
    use super::*;

    /// What Tab lists behind a line, up to the prompt that comes again.
    fn listed(lines: &[(&str, &[&str])]) {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &["-v", "greenhorn"], 120, PROMPT);
        for (line, shown) in lines {
            person.presses(&format!("{line}\t"));
            for text in *shown {
                person.sees(text);
            }
            person.sees(&format!("{PROMPT}{line}"));
            person.presses("\u{3}");
            person.sees(PROMPT);
        }
    }

    #[test]
    fn behind_a_dot_stands_what_a_thing_has_with_its_type() {
        listed(&[
            (
                "p1.",
                &["hand ", "zone · hand, its player alone sees it", "columns ", "3 zones · column", "number · score"],
            ),
            ("eval p1.hand.ma", &["max(", "→ component · ", "max_by("]),
            ("players.map(|p| p.hand.first.", &["number ", "number · 1 to ", "color ", "text · yellow, red"]),
            ("for p in players { p.columns[1].sh", &["shuffle()", "shuffle_bottom("]),
            ("data.", &["hand_size ", "number · 3", "highest_card ", "table · "]),
        ]);
    }

    #[test]
    fn names_are_completed_in_the_middle_of_an_expression() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &[], 80, PROMPT);
        person.presses("40 + playe\t");
        person.sees("40 + players");
        person.presses(".le\t");
        person.sees("40 + players.len");
        person.types("", "42", PROMPT);
    }
}

mod pasting {
    use super::*;

    #[test]
    fn pasted_lines_are_run_one_after_the_other() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &[], 80, PROMPT);
        pastes(&mut person, "auto\n\n# a remark\nundo\n");
        person.presses("\r");
        person.sees("p1 play card › auto");
        person.sees("p1 take neighbour › undo");
        person.sees("took back: p1 play_card");
    }

    #[test]
    fn a_block_is_one_entry() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &[], 80, PROMPT);
        pastes(&mut person, "players.map(|p| {\n    p.hand.len * 7\n})\n6 * 7\n");
        person.presses("\r");
        person.sees("[21, 21]");
        person.sees("p1 play card › 6 * 7");
        person.sees("42");
        person.sees(PROMPT);
    }

    #[test]
    fn the_first_that_fails_stops_the_rest() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &[], 80, PROMPT);
        pastes(&mut person, "3 + 4\nhisotry\nauto\nauto\n");
        person.presses("\r");
        person.sees("did you mean `history`?");
        person.sees("2 pasted entries behind it were not run");
        // Nothing was played.
        person.sees(PROMPT);
        person.types("6 * 7", "42", PROMPT);
    }

    #[test]
    fn a_terminal_that_does_not_mark_what_is_pasted_loses_nothing() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &[], 80, PROMPT);
        person.presses("6 * 7\r7 * 11\rauto\r");
        person.sees("42");
        person.sees("77");
        person.sees("p1, take a neighbour");
        person.sees("p1 take neighbour › ");
    }

    #[test]
    fn enter_goes_on_while_a_bracket_is_open() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &[], 80, PROMPT);
        person.presses("(40 +\r");
        person.types("2)", "42", PROMPT);
        // An empty line ends it all the same.
        person.presses("(40 +\r");
        person.types("", "error: ", PROMPT);
    }
}
