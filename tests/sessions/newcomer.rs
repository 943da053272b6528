//! What somebody meets who has read nothing but the README.

use super::*;

/// A game that is begun by `new`, in a folder of its own.
fn begun() -> Folder {
    let folder = Folder::new();
    houserule(&folder, &["new", "game", "magpie"]).fine();
    folder
}

/// A command of the command line in a folder.
fn houserule(folder: &Folder, args: &[&str]) -> Told {
    let output = program_at(&folder.0, folder).args(args).stdin(Stdio::null()).output().unwrap();
    Told {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap_or(-1),
    }
}

mod beginning {
    use super::*;

    #[test]
    fn a_new_game_can_be_checked_and_played_at_once() {
        let folder = begun();
        houserule(&folder, &["check", "magpie"]).fine().shows(["0 errors, 0 warnings"]);
        let session =
            Session { args: ["play", "magpie", "-s", "1"].map(str::to_owned).to_vec(), ..Session::within(&folder) };
        session.lines(["until end"]).run().fine().shows(["the game is over"]);
    }

    #[test]
    fn a_game_of_every_kind_holds_and_has_a_scenario_that_passes() {
        for kind in ["cards", "tricks", "shedding", "dice", "board"] {
            let folder = Folder::new();
            let told = houserule(&folder, &["new", "game", "magpie", "--kind", kind]).fine();
            told.shows([
                "wrote games/magpie/game.toml",
                "wrote tests/scenarios/magpie/first.toml",
                "houserule check magpie",
            ]);
            houserule(&folder, &["check", "magpie"]).fine().shows(["0 errors, 0 warnings"]);
            houserule(&folder, &["test", "tests/scenarios"]).fine().shows(["1 passed, 0 failed"]);
            // Nothing of the template is left open, nothing in it never happens, and nobody leaks what is hidden.
            for file in ["games/magpie/game.toml", "games/magpie/rules.rhai", "tests/scenarios/magpie/first.toml"] {
                assert!(!folder.read(file).contains("{{"), "{kind}: {file}");
            }
            assert!(
                folder.read("games/magpie/game.toml").contains("name    ")
                    && folder.read("games/magpie/game.toml").contains("\"Magpie\"")
            );
            let hunted = houserule(&folder, &["hunt", "magpie", "-n", "40", "--agents", "random"]);
            assert!(hunted.code == 0 && hunted.stdout.contains("nothing found"), "{kind}: {}", hunted.stdout);
            let packed = houserule(&folder, &["pack", "magpie"]);
            assert!(
                packed.code == 0 && packed.stdout.contains("checked; 1 scenario passed"),
                "{kind}: {}",
                packed.stderr
            );
        }
    }

    #[test]
    fn a_new_library_can_be_used_at_once() {
        let folder = begun();
        houserule(&folder, &["new", "library", "hands"]).fine().shows(["wrote scripts/hands.rhai"]);
        folder.edit("games/magpie/game.toml", "players = ", "uses    = [\"hands\"]\nplayers = ");
        let dealt = "for p in players { deck.deal(data.hand_size, p.hand); }";
        folder.edit("games/magpie/rules.rhai", dealt, "for p in players { fill_hand(p, data.hand_size); }");
        houserule(&folder, &["check", "magpie"]).fine().shows(["0 errors, 0 warnings"]);
        houserule(&folder, &["sim", "magpie", "-n", "5"]).fine();
        let again = houserule(&folder, &["new", "library", "hands"]);
        assert!(again.code == 2 && again.stderr.contains("there is a library `hands` already"), "{}", again.stderr);
        let other = houserule(&folder, &["new", "library", "Hands"]);
        assert!(other.code == 2 && other.stderr.contains("`Hands` cannot be an id"), "{}", other.stderr);
    }

    #[test]
    fn a_new_variant_changes_nothing_and_shows_what_it_could() {
        let folder = begun();
        houserule(&folder, &["new", "variant", "magpie", "high"]).fine().shows(["wrote variants/magpie/high.toml"]);
        assert!(folder.read("variants/magpie/high.toml").contains("// fn turn(p) { super(p) }"));
        houserule(&folder, &["check", "magpie"]).fine().shows(["2 rulesets", "0 errors, 0 warnings"]);
        folder.edit("variants/magpie/high.toml", "// fn turn", "fn turn");
        houserule(&folder, &["check", "magpie"]).fine().shows(["2 rulesets", "0 errors, 0 warnings"]);
    }

    #[test]
    fn a_new_scenario_passes() {
        let folder = begun();
        houserule(&folder, &["new", "scenario", "magpie", "second"]).fine();
        let told = houserule(&folder, &["test", "tests/scenarios/magpie/second.toml"]).fine();
        told.shows(["ok", "second", "1 passed"]);
        houserule(&folder, &["new", "scenario", "hearts", "first"]).fine();
        houserule(&folder, &["test", "tests/scenarios/hearts/first.toml"]).fine().shows(["1 passed"]);
    }

    #[test]
    fn nothing_that_is_there_is_overwritten() {
        let folder = begun();
        folder.edit("games/magpie/rules.rhai", "turn(p)", "act(p)");
        for (args, words) in [
            (&["new", "game", "magpie"][..], "there is a game `magpie` already"),
            (&["new", "game", "hearts"], "there is a game `hearts` already"),
            (&["new", "game", "Pig"], "`Pig` cannot be an id"),
            (&["new", "game", "../magpie"], "cannot be an id"),
            (&["new", "variant", "magpei", "high"], "did you mean `magpie`?"),
        ] {
            let told = houserule(&folder, args);
            assert!(told.code == 2 && told.stderr.contains(words), "{args:?}: {}", told.stderr);
        }
        assert!(folder.read("games/magpie/rules.rhai").contains("act(p)"));
        folder.write("games/magpie/rules.rhai", "fn game() { players.first.may(\"\"); }");
        houserule(&folder, &["new", "variant", "magpie", "high"]).fine();
        let again = houserule(&folder, &["new", "variant", "magpie", "high"]);
        assert!(again.stderr.contains("is there already"), "{}", again.stderr);
    }

    #[test]
    fn what_is_proposed_finds_the_folder_that_was_given() {
        let (folder, other) = (Folder::new(), Folder::new());
        let there = other.0.display();
        let run =
            |dir: &str| program_at(&folder.0, &folder).args(["new", "game", "magpie", "--dir", dir]).output().unwrap();
        let told = String::from_utf8(run(&there.to_string()).stdout).unwrap();
        assert!(told.contains(&format!("`houserule check magpie --dir {there}`")), "{told}");
        let missing = run(&format!("{there}/nowhere"));
        let told = String::from_utf8(missing.stderr).unwrap();
        assert!(missing.status.code() == Some(2) && told.contains("there is no folder"), "{told}");
        assert!(!other.0.join("nowhere").exists());
    }

    #[test]
    fn a_folder_without_a_definition_is_told_as_such() {
        let folder = Folder::new();
        std::fs::create_dir_all(folder.0.join("games/magpie")).unwrap();
        let told = houserule(&folder, &["check", "magpie"]);
        assert!(told.stderr.contains("`games/magpie` has no game.toml"), "{}", told.stderr);
        assert!(told.stderr.contains("`houserule new game magpie` writes"), "{}", told.stderr);
        folder.write("games/magpie/game.toml", "id = \"magpie\"\nplayers = \"2-4\"\n");
        let told = houserule(&folder, &["check", "magpie"]);
        for words in ["such as `name = \"High Card\"`", "such as `players = { min = 2, max = 4 }`"] {
            assert!(told.stderr.contains(words), "no {words} in {}", told.stderr);
        }
    }
}

mod answers {
    use super::*;

    const COLORS: [&str; 7] = ["up-or-down", "-p", "2", "-s", "2", "-v", "remove-one"];

    #[test]
    fn the_beginning_of_an_option_wins_over_the_short_name_of_a_command() {
        for (typed, color) in [("r", "red"), ("y", "yellow"), ("b", "blue"), ("g", "green")] {
            let told = last(&COLORS, &[typed]);
            assert!(told.contains(&format!("name_color  {color}")), "{typed}: {told}");
        }
        // Two begin so: asked back, with the way to the command.
        let told = fails(&COLORS, &["p"]);
        assert!(told.contains("pink") && told.contains("purple"), "{told}");
        // A short name is a command where no option begins so, and behind a colon.
        assert!(last(&COLORS, &["h"]).contains("Everything else is a command"));
        assert!(fails(&COLORS, &[":y"]).contains("nothing was taken back"));
        assert!(fails(&COLORS, &[":r 3"]).contains("error") || fails(&COLORS, &[":r 3"]).contains("reload"));
    }

    #[test]
    fn yes_is_yes_and_no_is_no() {
        let folder = begun();
        folder.write(
            "games/magpie/rules.rhai",
            "fn game() { for p in players { if p.may(\"play_card\") { p.award(1, \"card_played\"); } } }",
        );
        let told = |lines: &[&str]| {
            let session =
                Session { args: ["play", "magpie", "-s", "1"].map(str::to_owned).to_vec(), ..Session::within(&folder) };
            let input = lines.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect();
            Session { input, ..session }.run().fine().stdout
        };
        assert!(told(&["no", "undo", "y"]).contains("play_card  yes"), "{}", told(&["no", "undo", "y"]));
        assert!(told(&["n"]).contains("play_card  no"));
    }

    #[test]
    fn the_list_of_commands_has_their_short_names() {
        let help = last(&COLORS, &["help"]);
        for names in ["redo, y ", "reload, r ", "table, t, look ", "quit, exit, q "] {
            assert!(help.contains(names), "no {names} in {help}");
        }
    }
}

mod words {
    use super::*;

    const GAME: [&str; 5] = ["up-or-down", "-p", "2", "-s", "7"];

    #[test]
    fn there_is_help_on_whatever_one_comes_across() {
        for (name, words) in [
            ("words", &["Moving", "move_to", "docs/vocabulary.md"][..]),
            ("vocabulary", &["award"]),
            ("agents", &["random", "greedy", "search:500", "seat p2 AGENT"]),
            ("greedy", &["an agent", "to the end of the turn"]),
            ("p1", &["a player", "p1.hand", "p1.columns"]),
            ("8", &["a card", "number", "color", "why 8"]),
            ("for", &["for card in p.hand"]),
            ("until turn", &["until turn|round|phase|end|EXPRESSION"]),
            ("debugger", &["debug"]),
            ("standing", &["if the game ended now"]),
        ] {
            let told = last(&GAME, &[&format!("help {name}")]);
            for word in words {
                assert!(told.contains(word), "no {word} in help on {name}:\n{told}");
            }
        }
    }

    #[test]
    fn words_that_other_languages_have_for_chance_are_led_to_those_of_rules() {
        let folder = begun();
        folder.edit("games/magpie/rules.rhai", "begin_turn(p);", "begin_turn(p); p.award(random(6), \"card_played\");");
        let told = houserule(&folder, &["check", "magpie"]);
        assert!(told.stderr.contains("`die.roll()`"), "{}", told.stderr);
    }

    #[test]
    fn what_a_player_would_have_is_not_called_what_the_player_has() {
        let args = ["up-or-down", "-p", "2", "-s", "2", "-v", "remove-one"];
        let table = last(&args, &["auto 60", "table"]);
        assert!(table.contains("standing ") && !table.contains("score"), "{table}");
        assert_eq!(last(&args, &["auto 60", "p1.score"]), "0\n");
        // At the end both are the same, and so is the word.
        let over = last(&args, &["until end", "table"]);
        assert!(over.contains("score ") && !over.contains("standing"), "{over}");
    }

    #[test]
    fn the_nearest_name_is_told_of_what_is_typed() {
        for (typed, near) in [
            ("p1.scor", "`score`"),
            ("p1.hnad", "`hand`"),
            ("p1.hand.legn", "`len`"),
            ("ring.first.colour", "`color`"),
            ("rin", "`ring`"),
            ("until playrs", "`players`"),
        ] {
            let told = fails(&GAME, &[typed]);
            assert!(told.contains(&format!("did you mean {near}?")), "{typed}: {told}");
        }
        // The whole word is marked.
        let told = fails(&GAME, &["p1.scor"]);
        assert!(told.contains("^^^^"), "{told}");
        let told = fails(&GAME, &["why p1"]);
        assert!(told.contains("p1 is a player") && told.contains("`why p1.score`"), "{told}");
    }

    #[test]
    fn what_a_list_leaves_out_is_counted() {
        let told = fails(&GAME, &["why foo"]);
        assert!(told.contains(" more"), "{told}");
        let told = fails(&GAME, &["move foo ring"]);
        assert!(told.contains(" more"), "{told}");
    }

    #[test]
    fn until_says_what_it_cannot_do() {
        let told = fails(&GAME, &["until turn 3"]);
        assert!(told.contains("`until turn` takes nothing behind it"), "{told}");
        let told = fails(&GAME, &["until back p1.score > 0"]);
        assert!(told.contains("`until back` works in the debugger"), "{told}");
        let told = fails(&GAME, &["until zebra"]);
        assert!(told.contains("there is nothing called `zebra` here"), "{told}");
    }
}

#[cfg(unix)]
mod empty_lines {
    use super::super::terminal::Person;
    use super::*;

    #[test]
    fn enter_is_the_clock_where_players_act_in_real_time() {
        let folder = Folder::new();
        let mut person = Person::at(&folder, &["play", "playme", "-p", "3", "-s", "4"], 80);
        person.sees("`help` ");
        person.sees("›");
        person.types("auto 5", "move 6", "›");
        person.types("", "move 7", "›");
    }

    #[test]
    fn enter_never_goes_on_to_the_end_or_takes_back() {
        let folder = Folder::new();
        let mut person = Person::at(&folder, &["play", "up-or-down", "-p", "2", "-s", "7"], 80);
        person.sees("`help` ");
        person.sees("›");
        person.types("auto 9", "move 10", "›");
        person.types("undo", "move 9", "›");
        person.types("", "", "›");
        person.types("table", "move 9", "›");
    }
}

mod said {
    use super::*;

    const GAME: [&str; 5] = ["up-or-down", "-p", "2", "-s", "7"];

    #[test]
    fn variants_are_told_to_their_end_and_each_has_help() {
        let told = last(&GAME, &["variants"]);
        assert!(!told.contains('…'), "{told}");
        assert!(told.lines().all(|line| line.chars().count() <= 80), "{told}");
        let told = last(&GAME, &["help rainbow"]);
        assert!(told.contains("a variant that is not in play"), "{told}");
    }

    #[test]
    fn a_rig_says_what_it_waits_for_and_which_lots_there_are() {
        let told = last(&GAME, &["auto 2", "rig shuffle ring 8"]);
        assert_eq!(told, "rigged, and not used yet: shuffle ring 8\n");
        let told = fails(&["hearts", "-p", "4", "-s", "7"], &["rig draw frist_dealer p2"]);
        assert!(told.contains("no lot of these rules is called `frist_dealer`"), "{told}");
        assert!(told.contains("`first_dealer`") || told.contains("there are first_dealer"), "{told}");
    }

    #[test]
    fn the_answer_that_does_not_fit_is_named() {
        let pass = ["ftw", "-p", "4", "-s", "3"];
        let told = fails(&pass, &["#2 #3 x"]);
        assert!(told.contains("`x` is not among the options") && told.contains("choose 3 options"), "{told}");
        let told = fails(&pass, &["none"]);
        assert!(told.contains("choose 3 options; `none` is not possible here"), "{told}");
        let told = fails(&GAME, &["#1 #2"]);
        assert!(told.contains("choose one option, not 2"), "{told}");
    }

    #[test]
    fn a_variable_of_the_table_has_one_name_everywhere() {
        let folder = begun();
        folder.edit("games/magpie/game.toml", "[data]", "[variables]\npot = { default = 6 }\n\n[data]");
        folder.edit("games/magpie/rules.rhai", "begin_turn(p);", "begin_turn(p); table.pot += 1;");
        let told = |line: &str| {
            let args = ["play", "magpie", "-s", "1"].map(str::to_owned).to_vec();
            Session { args, ..Session::within(&folder) }.lines([line]).run()
        };
        told("why table.pot").fine().shows(["pot is 7"]);
        told("set table.pot 3").fine();
        told("pot").refused(["`pot` is a variable of the table", "write `table.pot`"]);
    }

    #[test]
    fn a_scenario_is_told_of_its_own_lines() {
        let folder = begun();
        houserule(&folder, &["new", "scenario", "magpie", "second"]).fine();
        let file = "tests/scenarios/magpie/second.toml";
        folder.edit(file, "[[then]]", "[when]\ncall = \"trun(p1)\"\n\n[[then]]");
        let told = houserule(&folder, &["test", file]);
        assert!(told.stderr.contains("second.toml:") && !told.stderr.contains("typed:"), "{}", told.stderr);
        folder.write(file, "id = 3");
        let told = houserule(&folder, &["test", file]);
        assert!(told.stdout.contains("0 passed, 0 failed, 1 unreadable"), "{}", told.stdout);
    }

    #[test]
    fn the_order_that_gives_a_result_is_named() {
        let folder = begun();
        for (id, points) in [("one", "p.award(2 * p.score, \"card_played\")"), ("two", "p.award(1, \"card_played\")")] {
            houserule(&folder, &["new", "variant", "magpie", id]).fine();
            let line = format!("fn turn(p) {{ super(p); {points}; }}");
            folder.edit(&format!("variants/magpie/{id}.toml"), "// fn turn(p) { super(p) }", &line);
        }
        let told = houserule(&folder, &["check", "magpie"]);
        assert!(
            told.stderr.contains("with `-v one -v two`") && told.stderr.contains("with `-v two -v one`"),
            "{}",
            told.stderr
        );
    }
}
