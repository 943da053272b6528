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
        let args = [&GAME[..], &["-v", "special-color", "--set", "special-color.color=red"]].concat();
        assert_eq!(last(&args, &["settings.color"]), "\"red\"\n");
        // Two layers have this key.
        let both = [&args[..], &["-v", "remove-one"]].concat();
        assert!(fails(&both, &["settings.color"]).contains("`special-color` has `color`; `remove-one` has `color`"));
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

mod help {
    use super::*;

    #[test]
    fn a_zone_a_function_and_a_setting_are_explained() {
        let hand = last(&GAME, &["help hand"]);
        assert!(hand.contains("hand  a zone of each player") && hand.contains("only its player sees it"), "{hand}");
        assert!(hand.contains("declared in games/up-or-down/game.toml:"), "{hand}");
        assert_eq!(last(&GAME, &["p1.hand?"]), hand);
        let args = [&GAME[..], &["-v", "greenhorn", "-v", "special-color"]].concat();
        let score = last(&args, &["help score"]);
        for words in
            ["variants/up-or-down/greenhorn.toml", "below it, what `super` calls", "Awards a player everything"]
        {
            assert!(score.contains(words), "no {words} in {score}");
        }
        assert!(last(&args, &["help super"]).contains("variant greenhorn over game"));
        let settings = last(&args, &["help settings"]);
        assert!(settings.contains("special-color.color  is \"ask\", one of \"ask\", \"yellow\""), "{settings}");
        assert!(last(&args, &["help special-color"]).contains("a variant in play"));
        assert!(last(&args, &["help special-color.color"]).contains("special-color.color  a setting"));
    }

    #[test]
    fn every_meaning_of_a_name_is_told() {
        let choose = last(&GAME, &["help choose"]);
        assert!(choose.contains("as a command") && choose.contains("player.choose(prompt: text"), "{choose}");
        let play = last(&GAME, &["help play"]);
        assert!(play.contains("a phase of the game") && play.contains("begin_phase(\"play\");"), "{play}");
        assert!(last(&GAME, &["help color"]).contains("“green”, 緑"));
        assert!(last(&GAME, &["help play_card"]).contains("p.choose(\"play_card\", p.hand);"));
        assert!(last(&GAME, &["help hand_size"]).contains("`data.hand_size` is 3"));
    }

    #[test]
    fn two_question_marks_show_the_source() {
        let source = last(&GAME, &["score??"]);
        assert!(source.contains("│ /// Awards a player everything") && source.contains("│ fn score(p) {"), "{source}");
        let zone = last(&GAME, &["hand??"]);
        assert!(zone.contains("│ [zones.hand]") && zone.contains("│ visible = \"owner\""), "{zone}");
        assert!(!zone.contains("[zones.columns]"), "{zone}");
    }

    #[test]
    fn what_nobody_knows_is_told_with_the_nearest() {
        assert!(fails(&GAME, &["help hnad"]).contains("did you mean `hand`?"));
        assert!(fails(&GAME, &["hnad?"]).contains("did you mean `hand`?"));
    }

    /// One word or more for each recipe of the page, as a designer would type it.
    const RECIPES: [(&str, &str); 26] = [
        ("open auction", "let raise = p.choose("),
        ("spin-off", "base = \"pig\""),
        ("base game", "p.next.award(p.gathered, \"found\");"),
        ("sealed auction", "players.together("),
        ("drafting", "players.pass_on("),
        ("trick taking", "play_tricks(players[1]);"),
        ("rummy", "best_melds(cards)"),
        ("partnership", "[[1, 3], [2, 4]]"),
        ("secret bid", "p.choose_secretly("),
        ("interrupt", "first_to("),
        ("timer", "next_to_act("),
        ("squares", "board.lines(3)"),
        ("shop", "bank = 40"),
        ("push your luck", "while p.may(\"roll\")"),
        ("deck building", "fn draw(p, count)"),
        ("deckbuilder", "fn draw(p, count)"),
        ("worker placement", "place.empty"),
        ("hidden roles", "traitor.role = \"traitor\";"),
        ("co-op", "players.win(\"dry\");"),
        ("legacy", "keeps = { night = true"),
        ("called partner", "partner.join(caller);"),
        ("territories", "land.region(region)"),
        ("two-sided tiles", "cell.first.flip()"),
        ("bankruptcy", "p.give_up_to(owner"),
        ("shedding", "p.hand.sharing("),
        ("secret objectives", "card.attribute(p.goal)"),
    ];

    #[test]
    fn every_recipe_of_the_cookbook_is_found_by_a_word_that_a_designer_would_type() {
        for (name, rules) in RECIPES {
            let told = last(&GAME, &[&format!("help {name}")]);
            assert!(told.contains(rules), "no {rules} in help on {name}:\n{told}");
        }
        let titles =
            include_str!("../../docs/cookbook.md").split("\n## ").skip(1).map(|part| part.lines().next().unwrap());
        let all = last(&GAME, &["help cookbook"]);
        for title in titles {
            assert!(all.contains(title), "no {title} in\n{all}");
            let told = last(&GAME, &[&format!("help cookbook {}", title.to_lowercase())]);
            // The one that is laid over another has its course from there.
            let begins = if title == "Game over a game" { "base = \"pig\"" } else { "fn game() {" };
            let is_whole = told.contains(begins);
            assert!(told.starts_with(title) && is_whole, "{told}");
        }
        let several = last(&GAME, &["help auction"]);
        assert!(several.contains("Auction, open") && several.contains("Auction, sealed"), "{several}");
    }

    #[test]
    fn what_else_has_the_name_of_a_recipe_comes_first() {
        let told = last(&["spades", "--seed", "7"], &["help trump"]);
        assert!(told.starts_with("trump()  a function of the rules"), "{told}");
        assert!(told.ends_with("the cookbook has a recipe: `help cookbook trump`\n"), "{told}");
        let told = last(&GAME, &["help campaign"]);
        assert!(told.starts_with("campaign") && told.ends_with("`help cookbook campaign`\n"), "{told}");
    }

    #[test]
    fn the_language_is_there_on_one_page() {
        let all = last(&GAME, &["help rhai"]);
        for words in ["The Rhai that rules use", "    points += 2;", "rules have no object maps", "nested lists"] {
            assert!(all.contains(words), "no {words} in\n{all}");
        }
        let widest = all.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= 80, "{widest}");
        let part = last(&GAME, &["help rhai loops"]);
        assert!(part.starts_with("Loops\n") && !part.contains("Layers"), "{part}");
    }

    #[test]
    fn a_misspelt_recipe_is_told_with_the_nearest() {
        assert!(fails(&GAME, &["help worker placemnt"]).contains("did you mean `worker placement`?"));
        assert!(fails(&GAME, &["help auciton"]).contains("did you mean `auction`?"));
        assert!(command(&["help", "auciton"]).contains("did you mean `auction`?"));
        let told = fails(&GAME, &["help cookbook tramp"]);
        assert!(
            told.contains("there is no help on `cookbook tramp`") && told.contains("did you mean `trump`?"),
            "{told}"
        );
    }

    #[test]
    fn the_command_line_tells_what_needs_no_game() {
        for (arguments, words) in [
            (&["help", "worker", "placement"][..], "place.empty"),
            (&["help", "cookbook"], "Hidden roles"),
            (&["help", "rhai", "texts"], "`${p1} has ${points + 1} points`"),
            (&["help", "choose"], "player.choose(prompt: text"),
            (&["help", "undo"], "as a command of the REPL"),
            (&["help", "sim"], "Usage: houserule sim"),
            (&["help"], "Usage: houserule [OPTIONS] <COMMAND>"),
        ] {
            let told = command(arguments);
            assert!(told.contains(words), "no {words} in {arguments:?}:\n{told}");
        }
        let told = command(&["help", "auktion", "open"]);
        assert!(
            told.contains("there is no help on `auktion open`") && told.contains("did you mean `auction open`?"),
            "{told}"
        );
    }

    /// What a command of the program says.
    fn command(arguments: &[&str]) -> String {
        let program = std::process::Command::new(env!("CARGO_BIN_EXE_houserule")).args(arguments).output().unwrap();
        String::from_utf8([program.stdout, program.stderr].concat()).unwrap()
    }

    #[test]
    fn long_help_is_shown_page_by_page_and_the_prompt_comes_back() {
        let folder = Folder::new();
        // Without a pager the program turns the pages itself.
        let mut person = Person::has_a_pager("there-is-no-such-pager", &folder, &[], 80, PROMPT);
        person.presses("help\r");
        person.sees("lines: Enter goes on, q leaves -- ");
        person.presses("q");
        person.sees(PROMPT);
        person.presses("help\r");
        person.sees("lines: Enter goes on, q leaves -- ");
        person.presses(" ");
        person.sees("quit, exit, q   leave; Ctrl-D");
        person.sees(PROMPT);
        person.presses("help\r");
        person.sees("lines: Enter goes on, q leaves -- ");
        person.presses("\u{3}");
        person.sees(PROMPT);
        person.types("pager off", "all at once", PROMPT);
        person.types("help", "quit, exit, q   leave; Ctrl-D", PROMPT);
        // What fits needs none.
        person.types("pager on", "a screenful", PROMPT);
        person.types("help undo", "undo 3", PROMPT);
    }

    #[test]
    fn ctrl_c_is_the_pagers_and_the_program_survives_it() {
        let folder = Folder::new();
        let pager = "trap 'echo interrupted; exit' INT; cat > /dev/null; echo paging; sleep 30 & wait";
        let mut person = Person::has_a_pager(pager, &folder, &[], 80, PROMPT);
        for _ in 0..2 {
            person.presses("help\r");
            person.sees("paging");
            person.presses("\u{3}");
            person.sees("interrupted");
            person.sees(PROMPT);
        }
        person.types("6 * 7", "42", PROMPT);
    }

    #[test]
    fn without_a_pager_from_the_beginning() {
        let folder = Folder::new();
        let mut person = Person::has_a_pager("echo paging", &folder, &["--no-pager"], 80, PROMPT);
        person.presses("help\r");
        assert!(!person.sees("quit, exit, q   leave; Ctrl-D").contains("paging"));
        // In a pipe there is none at all.
        let told = Session::new().env("PAGER", "echo paging").lines(["help"]).run().fine();
        assert!(told.stdout.contains("leave; Ctrl-D") && !told.stdout.contains("paging"));
    }
}

mod settings {
    use super::*;

    /// A game with a variant of which something is set.
    const RED: [&str; 7] = ["up-or-down", "--seed", "7", "-v", "special-color", "--set", "special-color.color=red"];

    #[test]
    fn a_setting_is_changed_and_the_same_moves_are_run_again() {
        let told = last(&RED, &["set special-color.color blue"]);
        assert!(told.starts_with("special-color.color  \"red\" → \"blue\"\n special_color  red → blue\n"), "{told}");
        let told = last(&RED, &["set special-color.color=blue", "undo"]);
        assert!(told.starts_with("took back: set special-color.color \"blue\"\n"), "{told}");
        assert_eq!(last(&RED, &["set special-color.color blue", "undo", "settings.color"]), "\"red\"\n");
        let told = last(&GAME, &["set up-or-down.data.hand_size 4"]);
        assert!(told.starts_with("up-or-down.data.hand_size  3 → 4\n"), "{told}");
    }

    #[test]
    fn a_variant_is_laid_on_with_its_settings_and_keeps_them_when_it_is_taken_off() {
        let on = "with special-color --set color=red";
        assert!(last(&GAME, &[on]).contains("special colour  red"));
        let told = last(&GAME, &[on, "without special-color", "with special-color"]);
        assert!(told.starts_with("set as before: special-color.color=red\n"), "{told}");
        let told = last(&GAME, &[on, "without special-color", "with special-color --set color=green"]);
        assert!(told.contains("special colour  green"), "{told}");
        assert_eq!(last(&GAME, &[on, "without special-color", "with special-color", "settings.color"]), "\"red\"\n");
    }

    #[test]
    fn what_cannot_be_set_says_where_and_what_could() {
        let error = fails(&RED, &["set special-color.colour blue"]);
        assert!(error.contains("did you mean `color`?") && error.contains('^'), "{error}");
        let error = fails(&RED, &["set special-color.color blu"]);
        assert!(error.contains("did you mean `blue`?") && error.contains('^'), "{error}");
        assert!(error.contains("the game continues under the old rules"), "{error}");
        let error = fails(&GAME, &["set up-or-down.data.hand_size many"]);
        assert!(error.contains("must stay an integer"), "{error}");
        let error = fails(&GAME, &["set special-color.color red"]);
        assert!(error.contains("`with special-color --set color=red` adds it"), "{error}");
        assert!(fails(&GAME, &["with special-color --set"]).contains("something is missing behind `--set`"));
    }

    #[test]
    fn test_and_check_try_the_rules_in_play_and_end_nothing() {
        let told = last(&GAME, &["test U1"]);
        assert!(told.contains("ok     U1 ") && told.contains("1 passed, 0 failed"), "{told}");
        assert!(fails(&GAME, &["test nonsense"]).contains("there is no scenario or file `nonsense`"));
        assert_eq!(last(&GAME, &["check"]), "1 ruleset checked, 0 forbidden pairs refused; 0 errors, 0 warnings\n");
        let folder = Folder::with_rules();
        folder.write(
            "wrong.toml",
            "id = \"W1\"\ntitle = \"Wrong\"\ngame = \"up-or-down\"\n\n[given]\nring = [7]\n\n[when]\ncall = \"ring.len\"\n\n\
             [[then]]\nzones.ring = [8]\n",
        );
        let told = Session::within(&folder).lines(["test wrong.toml", "6 * 7"]).run().fine();
        told.shows(["FAILED W1", "wrong.toml:", "0 passed, 1 failed", "42"]);
    }
}

mod playing_on {
    use super::*;

    #[test]
    fn until_a_condition_is_true() {
        let holds = ["until players.any(|p| p.hand.is_empty)", "players.any(|p| p.hand.is_empty)"];
        assert_eq!(last(&GAME, &holds), "true\n");
        assert!(last(&GAME, &["until false"]).contains("the game is over, and `false` was never true"));
        assert!(fails(&GAME, &["until 3"]).contains("neither true nor false"));
        assert!(fails(&GAME, &["until trun"]).contains("write `until turn|round|phase|end|EXPRESSION`"));
    }

    #[test]
    fn too_many_events_are_counted() {
        let told = last(&GAME, &["auto 100"]);
        assert!(told.contains(" events, too many to show here: `log` shows the last, `log all` all"), "{told}");
    }

    #[test]
    fn in_the_debugger_the_line_at_hand_is_told_whole() {
        let told = Session::of(&GAME, &["auto", "debug", "where", "done"]).env("COLUMNS", "40").run().fine();
        let whole: String = told.stdout.split_whitespace().filter(|word| *word != "│").collect();
        assert!(whole.contains("card.move_in_order(ring,\"number\");"), "{}", told.stdout);
    }

    #[test]
    fn the_prompt_is_right_after_a_save() {
        let folder = Folder::with_rules();
        let mut person = Person::sits_down(&folder, &[], 80, PROMPT);
        person.types("watch", "watching the rules' files", PROMPT);
        folder.edit("games/up-or-down/rules.rhai", "p.choose(\"play_card\", p.hand)", "p.choose(\"draw\", p.hand)");
        person.sees("saved");
        person.sees("p1 draw      › ");
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
                &["hand ", "zone · hand, only its player sees it", "columns ", "3 zones · column", "number · score"],
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
        person.sees("took back: p1  play a card to the ring");
    }

    /// Copied from a friend's terminal, or from the documentation.
    #[test]
    fn of_a_pasted_transcript_the_lines_with_prompts_are_run() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &[], 80, PROMPT);
        pastes(&mut person, "p1, play a card\n  1  5·y\n\np2 play card › eval 6 * 7\n42\np9 take › 7 * 11");
        person.presses("\r");
        person.sees("3 pasted lines without a prompt were left out");
        person.sees("42");
        person.sees("77");
        person.sees(PROMPT);
        pastes(&mut person, "p2 take neighbour › why not 99");
        person.presses("\r");
        person.sees("99 is not among the options");
        person.sees(PROMPT);
        assert_eq!(last(&GAME, &["p1 カードを出す › 3 + 4"]), "7\n");
        assert_eq!(last(&GAME, &["\"a › b\""]), "\"a › b\"\n");
        assert_eq!(last(&GAME, &["p1 play card › "]), "");
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
        person.sees("2 pasted entries after it were not run");
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

mod combined {
    use super::*;

    #[test]
    fn what_puts_commands_together_is_told_what_to_write() {
        for (line, told) in [
            ("auto until turn", "`until turn` is a command by itself"),
            ("auto turn", "did you mean `until turn`?"),
            ("auto p1.hand.is_empty", "did you mean `until p1.hand.is_empty`?"),
            ("auto 3; undo", "write one command a line: `auto 3`, then `undo`"),
            ("undo; auto 2", "write one command a line: `undo`, then `auto 2`"),
            ("undo, auto", "write one command a line: `undo`, then `auto`"),
            ("undo && auto", "write one command a line: `undo`, then `auto`"),
            ("undo then auto", "write one command a line: `undo`, then `auto`"),
            ("undo to 1", "did you mean `goto 1`?"),
        ] {
            let told_here = fails(&GAME, &[line]);
            assert!(told_here.contains(told), "{line}: {told_here}");
        }
        for line in ["auto x", "auto 3.5", "auto -1", "undo nothing"] {
            let told = fails(&GAME, &[line]);
            assert!(!told.contains("did you mean"), "{line}: {told}");
        }
        assert_eq!(last(&GAME, &["auto;", "undo;"]), last(&GAME, &["auto", "undo"]));
    }

    #[test]
    fn signs_of_other_languages_make_an_expression() {
        for (line, told) in [
            ("2 ** 63", "rules do not know `**`"),
            ("2 << 3", "rules do not know `<<`"),
            ("5 ^ 2", "rules do not know `^`"),
            ("5 & 2", "rules do not know `&`"),
            ("~5", "rules do not know `~`"),
            ("p1 ?? p2", "rules do not know `??`"),
            ("p1?.hand", "rules do not know `?.`"),
            ("7 / 0", "division by zero"),
            ("0xffffffffffffffff", "the number is too large"),
            ("2 ≠ 3", "`≠` is not `!=`"),
            ("1 + /* x", "a comment is not closed"),
        ] {
            let told_here = fails(&GAME, &[line]);
            assert!(told_here.contains(told), "{line}: {told_here}");
        }
    }
}
