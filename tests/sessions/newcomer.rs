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
    fn a_new_scenario_passes_whatever_the_game_asks() {
        let folder = begun();
        for (number, (rules, words)) in [
            ("players[1].choose(\"say \\\"x\\\" or \\\\\", [1, 2]);", "asks = "),
            ("players[1].choose_for(\"a trick\", \"bid\", [1, 2]);", "asks = \"p1 bid for a trick\"\n"),
            ("throw \"no \\\"way\\\"\";", "fails = "),
            ("begin_phase(\"end\");", "over = true\n"),
        ]
        .into_iter()
        .enumerate()
        {
            folder.write("games/magpie/rules.rhai", format!("fn game() {{ {rules} }}"));
            let id = format!("new-{number}");
            houserule(&folder, &["new", "scenario", "magpie", &id]);
            let path = format!("tests/scenarios/magpie/{id}.toml");
            assert!(folder.read(&path).contains(&format!("[[then]]\n{words}")), "{}", folder.read(&path));
            let told = houserule(&folder, &["test", &path]);
            assert!(told.code == 0 && told.stdout.contains("1 passed, 0 failed"), "{rules}: {}", told.stdout);
        }
    }

    #[test]
    fn a_new_scenario_of_a_variant_lays_it_over_the_game() {
        let folder = begun();
        houserule(&folder, &["new", "variant", "magpie", "shiny"]);
        houserule(&folder, &["new", "scenario", "magpie", "both", "-v", "shiny"])
            .fine()
            .shows(["play magpie -v shiny"]);
        let text = folder.read("tests/scenarios/magpie/both.toml");
        assert!(text.contains("players = 2\nvariants = [\"shiny\"]\n\n[[then]]"), "{text}");
        let path = "tests/scenarios/magpie/both.toml";
        houserule(&folder, &["test", path]).fine().shows(["1 passed, 0 failed"]);
        folder.write(
            "odd.toml",
            "houserule = \"0.1\"\nid = \"odd\"\ngame = \"magpie\"\nname = \"Odd\"\nabout = \"Odd.\"\n",
        );
        houserule(&folder, &["new", "scenario", "magpie", "lent", "-v", "./odd.toml"]).fine();
        houserule(&folder, &["test", "tests/scenarios/magpie/lent.toml"]).fine().shows(["1 passed, 0 failed"]);
        // In a pack the variant is found by its id.
        let told = houserule(&folder, &["pack", "./odd.toml"]);
        assert!(told.code == 0 && told.stdout.contains("2 scenarios passed"), "{}{}", told.stdout, told.stderr);
        let pack = folder.read("odd.pack.toml");
        assert!(pack.contains("tests/scenarios/magpie/lent.toml") && pack.contains("variants = [\"odd\"]"), "{pack}");
        houserule(&folder, &["test", "odd.pack.toml"]).fine().shows(["0 failed"]);
        let other = houserule(&folder, &["new", "scenario", "magpie", "other", "-v", "shinny"]);
        assert!(other.code == 2 && other.stderr.contains("did you mean `shiny`"), "{}", other.stderr);
    }

    #[test]
    fn help_and_list_tell_of_a_library_as_new_library_promises() {
        let folder = begun();
        let told = houserule(&folder, &["new", "library", "hands"]).fine();
        told.shows(["`houserule help hands`, `houserule list`"]);
        let about = "Hands: what several games have in common";
        let words =
            ["a library", about, "fill_hand(p, size)", "Fills a player's hand", "hands.rhai", "uses = [\"hands\"]"];
        houserule(&folder, &["help", "hands"]).fine().shows(words);
        houserule(&folder, &["list"]).fine().shows(["magpie", "libraries", "hands", about]);
        let listed = houserule(&folder, &["list", "--json"]).fine();
        let listed: serde_json::Value = serde_json::from_str(&listed.stdout).unwrap();
        let libraries = listed["libraries"].as_array().unwrap();
        assert!(libraries.iter().any(|one| one["id"] == "hands" && one["about"].as_str().unwrap().contains(about)));
        // In a game, too, whether the game uses it or not.
        let told = || {
            let args = ["play", "magpie", "-s", "1"].map(str::to_owned).to_vec();
            Session { args, ..Session::within(&folder) }.lines(["help hands"]).run().fine()
        };
        told().shows(["a library that is not in play", about, "fill_hand(p, size)", "Fills a player's hand"]);
        folder.edit("games/magpie/game.toml", "players = ", "uses    = [\"hands\"]\nplayers = ");
        told().shows(["a library in play", about, "fill_hand(p, size)", "Fills a player's hand"]);
    }

    #[test]
    fn a_library_is_told_before_a_recipe_of_its_name() {
        let folder = Folder::new();
        for (library, function) in [("trick", "play_tricks(leader)"), ("melds", "best_melds(cards)")] {
            let told = houserule(&folder, &["help", library]).fine();
            told.shows(["a library", function, "the cookbook has a recipe: `help cookbook"]);
        }
        // It may be called like a command, and it may be damaged.
        let folder = begun();
        houserule(&folder, &["new", "library", "test"]).fine();
        houserule(&folder, &["help", "test"]).fine().shows(["Run scenarios", "fill_hand(p, size)"]);
        folder.write("scripts/broken.rhai", b"//! \xff");
        for args in [&["help", "broken"][..], &["list"]] {
            let told = houserule(&folder, args);
            assert!(told.code > 0 && told.stderr.contains("broken.rhai` is not UTF-8"), "{args:?}: {}", told.stderr);
        }
    }

    #[test]
    fn whatever_new_can_begin_is_told_by_its_help() {
        let folder = Folder::new();
        let about = "Start a game, a variant, a scenario, a library or a rulebook";
        houserule(&folder, &["new", "--help"]).fine().shows([about]);
        houserule(&folder, &["--help"]).fine().shows([about]);
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
            (&["new", "variant", "hearts", "black-lady"], "there is a variant `black-lady` already"),
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
        let there = other.0.display().to_string().replace('\\', "/");
        let run =
            |dir: &str| program_at(&folder.0, &folder).args(["new", "game", "magpie", "--dir", dir]).output().unwrap();
        let told = String::from_utf8(run(&there).stdout).unwrap();
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

mod commands {
    use super::*;

    #[test]
    fn what_a_command_takes_is_told_of_that_command() {
        let folder = begun();
        let commands = ["play", "show", "pack"];
        for command in commands {
            let told = houserule(&folder, &[command, "nope.pack.toml"]);
            let others = commands.iter().filter(|other| **other != command);
            let speaks_of = |command: &str| told.stderr.contains(&format!("`houserule {command}"));
            assert!(told.code == 2 && speaks_of(&format!("{command}` takes")), "{command}: {}", told.stderr);
            assert!(others.into_iter().all(|other| !speaks_of(other)), "{command}: {}", told.stderr);
            let told = houserule(&folder, &[command, "games/magpie/game.toml"]);
            let help = format!("`houserule {command} magpie --dir .`");
            assert!(told.code == 2 && told.stderr.contains(&help), "{command}: {}", told.stderr);
        }
    }

    #[test]
    fn numbers_are_asked_for_in_their_range() {
        let folder = Folder::new();
        for (args, expected) in [
            (["-p", "two"], "invalid value 'two' for '--players <N>': write a whole number from 1"),
            (["-n", "-5"], "invalid value '-5' for '--games <GAMES>': write a whole number from 1 to 1,000,000,000"),
            (["--jobs", "0"], "invalid value '0' for '--jobs <N>': write a whole number from 1"),
            (["-j", "18446744073709551615"], "for '--jobs <N>': write a whole number from 1 to 1,024"),
            (["-s", "1.5"], "for '--seed <SEED>': write a whole number from 0 to 4,611,686,018,427,387,903"),
        ] {
            let told = houserule(&folder, &["sim", "pig", args[0], args[1]]);
            assert!(told.code == 2 && told.stderr.contains(expected), "{args:?}: {}", told.stderr);
        }
        let told = houserule(&folder, &["print", "pig", "--gutter", "-2"]);
        assert!(told.stderr.contains("`--gutter -2` is not a distance in mm"), "{}", told.stderr);
        let told = houserule(&folder, &["sim", "pig", "--precision", "-0.01"]);
        assert!(!told.stderr.contains("unexpected"), "{}", told.stderr);
        let told = houserule(&folder, &["sim", "pig", "-p", "2", "-n", "1", "--csv", "-5"]);
        assert!(told.code == 2 && !folder.0.join("-5").exists(), "no file: {}", told.stderr);
        let told = houserule(&folder, &["sim", "pig", "-p", "two", "--lang", "ja"]);
        assert!(told.stderr.contains("'--players <N>' に 'two' は指定できません：1 以上の整数"), "{}", told.stderr);
    }

    #[test]
    fn an_expression_with_the_name_of_a_cell_says_how_it_is_written() {
        let told = fails(&["connect-four"], &["eval g1.len"]);
        assert!(told.contains("there is no `g1` here") && told.contains("write `board[\"g1\"]`"), "{told}");
    }

    #[test]
    fn a_saved_game_has_one_name() {
        let told = fails(&["up-or-down", "-p", "2", "-s", "7"], &["load README.md"]);
        assert!(told.contains("not a saved game") && !told.contains("a replay"), "{told}");
    }

    #[test]
    fn show_tells_whose_a_game_is_and_who_plays_together() {
        let folder = begun();
        let more = "author  = \"Ada\"\nlicence = \"CC0-1.0\"\nteams.4 = [[1, 3], [2, 4]]\nplayers = ";
        folder.edit("games/magpie/game.toml", "players = ", more);
        let told = houserule(&folder, &["show", "magpie"]).fine();
        told.shows(["players    2 to 4", "teams      with 4 players: p1 + p3, p2 + p4"]).shows([
            "version    0.1.0",
            "author     Ada",
            "licence    CC0-1.0",
            "zones",
        ]);
        let told = houserule(&folder, &["show", "magpie", "--json"]).fine();
        let told: serde_json::Value = serde_json::from_str(&told.stdout).unwrap();
        assert_eq!(told["teams"], serde_json::json!({"4": [[1, 3], [2, 4]]}));
        assert_eq!((&told["version"], &told["author"]), (&"0.1.0".into(), &"Ada".into()));
    }

    #[test]
    fn a_variant_is_shown_by_its_id_alone() {
        let folder = begun();
        houserule(&folder, &["new", "variant", "magpie", "double"]).fine();
        folder.edit("variants/magpie/double.toml", "// fn turn(p) { super(p) }", "fn turn(p) { super(p); super(p); }");
        let told = houserule(&folder, &["show", "double"]).fine();
        told.shows(["Double  double", "of", "magpie", "extends   turn(p) of game"]);
        houserule(&folder, &["show", "magpie"]).fine().shows(["Magpie (magpie)", "double"]);
        let told = houserule(&folder, &["show", "doubel"]);
        assert!(told.code == 2 && told.stderr.contains("there is no game or variant `doubel`"), "{}", told.stderr);
        assert!(told.stderr.contains("did you mean `double`?"), "{}", told.stderr);
        houserule(&folder, &["new", "game", "crow"]).fine();
        houserule(&folder, &["new", "variant", "crow", "double"]).fine();
        for command in ["show", "pack"] {
            let told = houserule(&folder, &[command, "double"]);
            let help = format!("`houserule {command} crow -v double`");
            assert!(told.code == 2 && told.stderr.contains(&help), "{command}: {}", told.stderr);
        }
        // What is there and damaged is not told as missing.
        folder.write("games/crow/game.toml", "id = 5\n");
        for command in ["show", "pack"] {
            let told = houserule(&folder, &[command, "crow"]);
            assert!(told.code == 2 && told.stderr.contains("games/crow/game.toml:1"), "{command}: {}", told.stderr);
        }
    }

    #[test]
    fn an_agent_plays_the_seat_that_is_named_wherever_agents_are() {
        let folder = Folder::new();
        let sim =
            |agents: &str| houserule(&folder, &["sim", "pig", "-p", "3", "-n", "20", "--json", "--agents", agents]);
        assert_eq!(sim("p2=greedy").fine().stdout, sim("random,greedy,random").fine().stdout);
        assert_eq!(sim("p3=greedy,p1=greedy").fine().stdout, sim("greedy,random,greedy").fine().stdout);
        for (agents, words) in [
            ("p9=greedy", ["there is no seat `p9`", "p1 to p3"]),
            ("p2=gredy", ["there is no agent `gredy`", "did you mean `greedy`?"]),
            ("p2=greedy,random", ["`random` does not say which seat it plays", "`p1=greedy,p2=search:50`"]),
            ("p2=greedy,p2=random", ["p2 is given two agents", "at random"]),
            ("greedy,random", ["2 agents are given for 3 seats", "`p2=AGENT`"]),
        ] {
            let told = sim(agents);
            assert!(told.code == 2 && words.iter().all(|word| told.stderr.contains(word)), "{agents}: {}", told.stderr);
        }
        let trace = |agents: &str| houserule(&folder, &["trace", "pig", "-p", "2", "-s", "4", "--agents", agents]);
        assert_eq!(trace("p2=greedy").fine().stdout, trace("random,greedy").fine().stdout);
        assert_eq!(trace("all=greedy").fine().stdout, trace("greedy").fine().stdout);
        let told = houserule(&folder, &["hunt", "pig", "-n", "1", "--no-save", "--agents", "p2=greedy"]);
        assert!(told.code == 2 && told.stderr.contains("`--agents greedy`"), "{}", told.stderr);
    }
}

mod testing {
    use super::*;

    const NEVER: &str = "id = 'never'\ntitle = 'Over at once'\ngame = 'crow'\nplayers = 2\n[[then]]\nover = true\n";

    #[test]
    fn the_scenarios_of_a_game_are_named_by_its_id() {
        let folder = begun();
        houserule(&folder, &["test", "magpie"]).fine().shows(["ok     card-counts", "1 passed, 0 failed"]);
        // Wherever they lie.
        let other = folder.read("tests/scenarios/magpie/first.toml").replace("\"card-counts\"", "\"other\"");
        folder.write("tests/scenarios/other.toml", other);
        houserule(&folder, &["test", "magpie"]).fine().shows(["2 passed, 0 failed"]);
        houserule(&folder, &["test", "pig"]).fine().shows(["ok", " passed, 0 failed"]);
        for (typed, words) in [
            ("magpei", ["there is no game or file `magpei`", "did you mean `magpie`?"]),
            ("nope.toml", ["cannot read `nope.toml`", "no such file"]),
        ] {
            let told = houserule(&folder, &["test", typed]);
            assert!(told.code == 2 && words.iter().all(|word| told.stderr.contains(word)), "{typed}: {}", told.stderr);
        }
        // A file is of one game; what is wrong with it is said once.
        houserule(&folder, &["new", "variant", "magpie", "calm"]).fine();
        let told = houserule(&folder, &["test", "-v", "variants/magpie/calm.toml"]).fine();
        told.shows(["2 passed, 0 failed"]);
        for args in [&["test", "-v", "nosuch.toml"][..], &["test", "magpie", "-v", "nosuch.toml"]] {
            let told = houserule(&folder, args);
            assert!(told.code == 2 && told.stderr.matches("error:").count() == 1, "{args:?}: {}", told.stderr);
            assert!(told.stderr.contains("cannot read `nosuch.toml`"), "{args:?}: {}", told.stderr);
        }
        for (typed, said) in [("pig", "there is no variant `two-dicee`"), ("tests", "added: `two-dicee`")] {
            let told = houserule(&folder, &["test", typed, "-v", "two-dicee"]);
            assert!(told.code == 2 && told.stderr.matches("error:").count() == 1, "{}", told.stderr);
            assert!(told.stderr.contains(said), "{}", told.stderr);
        }
        houserule(&folder, &["new", "game", "crow"]).fine();
        std::fs::remove_file(folder.0.join("tests/scenarios/crow/first.toml")).unwrap();
        let told = houserule(&folder, &["test", "crow"]);
        assert!(told.code == 2 && told.stderr.contains("there is no scenario of `crow`"), "{}", told.stderr);
        assert!(told.stderr.contains("`houserule new scenario crow ID`"), "{}", told.stderr);
    }

    #[test]
    fn two_scenarios_of_a_game_with_one_id_are_told() {
        let folder = begun();
        let first = folder.read("tests/scenarios/magpie/first.toml");
        folder.write("tests/scenarios/magpie/second.toml", &first);
        let told = houserule(&folder, &["test", "magpie"]);
        assert!(told.code == 0 && told.stdout.contains("2 passed, 0 failed"), "{}\n{}", told.stdout, told.stderr);
        let words = "warning: two scenarios of `magpie` have the id `card-counts`";
        assert!(told.stderr.contains(words), "{}", told.stderr);
        let places = ["tests/scenarios/magpie/second.toml:", "tests/scenarios/magpie/first.toml:"];
        let found = places.map(|place| told.stderr.find(place).unwrap_or_else(|| panic!("{}", told.stderr)));
        assert!(found[0] < found[1], "the second is to blame: {}", told.stderr);
        // Games have their own ids, and so have projects that lie in each other.
        std::fs::remove_file(folder.0.join("tests/scenarios/magpie/second.toml")).unwrap();
        houserule(&folder, &["new", "game", "crow"]).fine();
        std::fs::create_dir_all(folder.0.join("inner/tests/scenarios")).unwrap();
        folder.write("inner/tests/scenarios/first.toml", &first);
        let told = houserule(&folder, &["test", "tests/scenarios", "inner/tests/scenarios"]);
        assert!(!told.stderr.contains("have the id"), "{}", told.stderr);
    }

    #[test]
    fn rules_that_cannot_be_read_are_told_with_the_first_scenario() {
        let folder = begun();
        folder.write("tests/scenarios/magpie/never.toml", NEVER.replace("crow", "magpie"));
        folder.edit("games/magpie/rules.rhai", "fn game() {", "fn game() {{");
        let told = houserule(&folder, &["test", "magpie"]);
        let lines = "FAILED card-counts A card counts its number\nFAILED never Over at once\n             \
                     with the same errors as card-counts\n0 passed, 2 failed\n";
        assert_eq!((told.code, told.stdout.as_str()), (1, lines), "{}", told.stderr);
        assert_eq!(
            told.stderr.matches("rules.rhai:").count(),
            2,
            "the place and what it is related to: {}",
            told.stderr
        );
    }

    #[test]
    fn where_a_scenario_fails_is_told_of_each() {
        let folder = begun();
        let rules = folder.read("games/magpie/rules.rhai");
        folder.write("games/magpie/rules.rhai", rules + "\nfn broken(p) { 1 / (p.number - p.number) }\n");
        for id in ["first", "second"] {
            let call = format!(
                "id = '{id}'\ntitle = 'x'\ngame = 'magpie'\n[when]\ncall = 'broken(p1)'\n[[then]]\nover = false\n"
            );
            folder.write(&format!("tests/scenarios/magpie/{id}.toml"), call);
        }
        let told = houserule(&folder, &["test", "magpie"]);
        assert_eq!(told.stderr.matches("division by zero").count(), 2, "{}\n{}", told.stdout, told.stderr);
        assert!(["first.toml:5", "second.toml:5"].iter().all(|place| told.stderr.contains(place)), "{}", told.stderr);
    }

    #[test]
    fn several_games_have_a_line_each_and_what_fails_is_told_in_full() {
        let folder = begun();
        houserule(&folder, &["new", "game", "crow"]).fine();
        let all = ["test", "tests/scenarios"];
        let told = houserule(&folder, &all).fine();
        assert_eq!(told.stdout, "ok     crow    1 scenario\nok     magpie  1 scenario\n2 passed, 0 failed\n");
        folder.write("tests/scenarios/crow/never.toml", NEVER);
        let told = houserule(&folder, &all);
        let lines = "FAILED crow    1 of 2 scenarios failed\nFAILED never Over at once\nok     magpie  1 scenario\n\
                     2 passed, 1 failed\n";
        assert_eq!((told.code, told.stdout.as_str()), (1, lines), "{}", told.stderr);
        assert!(told.stderr.contains("tests/scenarios/crow/never.toml:6"), "{}", told.stderr);
        // Every one of a single game, and of several where somebody wants to see them.
        let card = "ok     card-counts A card counts its number\n";
        let told = houserule(&folder, &["test", "crow"]);
        assert_eq!(told.stdout, format!("{card}FAILED never Over at once\n1 passed, 1 failed\n"), "{}", told.stderr);
        let told = houserule(&folder, &[&all[..], &["--verbose"]].concat());
        assert_eq!(told.stdout.matches(card).count(), 2, "{}", told.stdout);
        let told = houserule(&folder, &[&all[..], &["--json"]].concat());
        let told: serde_json::Value = serde_json::from_str(&told.stdout).unwrap();
        let games: Vec<&str> =
            told["scenarios"].as_array().unwrap().iter().map(|one| one["game"].as_str().unwrap()).collect();
        assert_eq!(games, ["crow", "crow", "magpie"]);
    }
}

mod answers {
    use super::*;

    const COLORS: [&str; 7] = ["up-or-down", "-p", "2", "-s", "2", "-v", "remove-one"];

    #[test]
    fn the_beginning_of_an_option_wins_over_the_short_name_of_a_command() {
        for (typed, color) in [("r", "red"), ("y", "yellow"), ("b", "blue"), ("g", "green")] {
            let told = last(&COLORS, &[typed]);
            assert!(told.contains(&format!("name a colour  {color}")), "{typed}: {told}");
        }
        // Two begin so: asked back, with the way to the command.
        let told = fails(&COLORS, &["p"]);
        assert!(told.contains("pink") && told.contains("purple"), "{told}");
        // A short name is a command where no option begins so, and behind a colon.
        let told = last(&COLORS, &["h"]).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains("Everything else is a command"), "{told}");
        assert!(fails(&COLORS, &[":y"]).contains("nothing was undone"));
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
        assert!(told(&["no", "undo", "y"]).contains("play a card  yes"), "{}", told(&["no", "undo", "y"]));
        assert!(told(&["n"]).contains("play a card  no"));
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
        assert!(told.contains("`until turn` takes nothing after it"), "{told}");
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
    fn a_game_without_variants_says_so() {
        let folder = begun();
        let args = ["play", "magpie", "-s", "1"].map(str::to_owned).to_vec();
        let told = Session { args, ..Session::within(&folder) }.lines(["variants"]).run().fine();
        told.shows(["`magpie` has no variants: `houserule new variant magpie ID` begins one"]);
    }

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
        assert!(told.contains("choose one option; 2 were named"), "{told}");
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
        let whole = folder.read(file);
        folder.edit(
            file,
            "[[then]]",
            "[when]\nrig = [\"lot frist p2\"]\n\n[[then]]\nasks = \"p1 nothing\"\n\n[[then]]",
        );
        let told = houserule(&folder, &["test", file]);
        assert!(told.stderr.contains("`lot frist` was rigged, and has not come up"), "{}", told.stderr);
        // Where everything else is as it should be, it is told all the same; `draw` is `lot`, as in a session.
        folder.write(file, &whole);
        folder.edit(file, "[[then]]", "[when]\nrig = [\"draw frist p2\"]\n\n[[then]]");
        let told = houserule(&folder, &["test", file]);
        assert!(told.code == 0 && told.stdout.contains("1 passed, 0 failed"), "{}", told.stdout);
        let warning = "warning: `lot frist` was rigged, and has not come up\n --> tests/scenarios/magpie/second.toml:";
        assert!(told.stderr.starts_with(warning), "{}", told.stderr);
        folder.write(file, &whole);
        folder.edit(file, "[[then]]", "[when]\ncall = \"trun(p1)\"\n\n[[then]]");
        let told = houserule(&folder, &["test", file]);
        assert!(told.stderr.contains("second.toml:") && !told.stderr.contains("typed:"), "{}", told.stderr);
        // What nobody can ever be offered is always lacking.
        folder.write(file, whole.replacen("[[then]]", "[[then]]\nlacks = [\"33\"]", 1));
        let told = houserule(&folder, &["test", file]);
        assert!(told.code == 0 && told.stderr.contains("warning: there is no component `33`"), "{}", told.stderr);
        let args = ["play", "magpie", "-s", "1"].map(str::to_owned).to_vec();
        Session { args, ..Session::within(&folder) }
            .lines(["test"])
            .run()
            .fine()
            .shows(["warning: there is no component `33`", "passed"]);
        folder.write(file, whole.replacen("[[then]]", "[[then]]\nlacks = [\"pass\"]", 1));
        assert_eq!(houserule(&folder, &["test", file]).fine().stderr, "", "it may be offered at other times");
        let (head, _) = whole.split_once("[[then]]").unwrap();
        folder.write(file, format!("{head}[[given]]\np1.hand = [3]\n\n[[then]]\nover = true\n"));
        let told = houserule(&folder, &["test", file]);
        assert!(told.stderr.contains("help: write `[given]`"), "{}", told.stderr);
        folder.write(file, format!("{head}[then]\nover = true\n"));
        let told = houserule(&folder, &["test", file]);
        assert!(told.stderr.contains("help: write `[[then]]`"), "{}", told.stderr);
        folder.write(file, whole.replace("[[then]]", "[when]\ncall = \"turn(p7)\"\n\n[[then]]"));
        let told = houserule(&folder, &["test", file]);
        assert!(told.stderr.contains("not so many players are at the table"), "{}", told.stderr);
        folder.write(file, "id = 3");
        let told = houserule(&folder, &["test", file]);
        assert!(told.stdout.contains("0 passed, 0 failed, 1 unreadable"), "{}", told.stdout);
    }

    #[test]
    fn a_refusal_is_expected_by_its_key_or_its_words() {
        let folder = begun();
        let choice = "p.choose(\"play_card\", p.hand, |c| if c.number > 9 { \"too_high\" } else { c.number != 7 });";
        folder.edit("games/magpie/rules.rhai", "p.choose(\"play_card\", p.hand);", choice);
        folder.edit("games/magpie/game.toml", "[text]", "[text]\ntoo_high = \"the card is too high\"");
        let file = "tests/scenarios/magpie/second.toml";
        let tells = |step: &str| {
            let given = "[given]\np1.hand = [3, 7, 12]\n\n[when]\ncall = \"turn(p1)\"\n\n[[then]]\n";
            let head = "id = \"second\"\ntitle = \"Second\"\ngame = \"magpie\"\nplayers = 2\n\n";
            folder.write(file, format!("{head}{given}{step}\n"));
            houserule(&folder, &["test", file])
        };
        assert_eq!(tells("refuses = { 12 = \"too_high\" }").fine().stderr, "");
        // A part of a key may be that of another one; a part of the words was meant.
        let told = tells("refuses = { 12 = \"high\" }").fine().stderr;
        assert_eq!(told, "", "`high` stands in the words");
        let told = tells("refuses = { 12 = \"_high\" }").stderr;
        assert!(told.contains("warning: `_high` is only a part of the reason `too_high`"), "{told}");
        assert_eq!(tells("refuses = { 12 = \"card is too high\" }").fine().stderr, "");
        let told = tells("refuses = { 12 = \"too low\" }").stderr;
        assert!(told.contains("found too_high: the card is too high"), "{told}");
        let dice = "id = \"dice\"\ntitle = \"Dice\"\ngame = \"pig\"\nplayers = 2\n\n[given]\ntray = [\"die-1\"]\n\n[when]\ncall = \"turn(p1)\"\n\
                    rig = [\"roll die-1 3 4\"]\n\n[[then]]\nasks = \"p1 roll_or_hold\"\nlacks = [\"hodl\", \"pass\"]\n";
        folder.write(file, dice);
        let told = houserule(&folder, &["test", file]);
        assert!(told.code == 0 && told.stderr.matches("warning:").count() == 2, "{}", told.stderr);
        assert!(told.stderr.contains("`roll die-1` has one result, and several are given"), "{}", told.stderr);
        assert!(told.stderr.contains("there is no option `hodl`"), "{}", told.stderr);
        // What the program says itself is in the reader's language.
        let args = ["play", "magpie", "-s", "1", "--lang", "ja"].map(str::to_owned).to_vec();
        let told = Session { args, ..Session::within(&folder) }.lines(["7"]).run().stderr;
        assert!(told.contains("7 は選べません：ルールが認めていません"), "{told}");
    }

    #[test]
    fn a_hyphen_in_a_name_of_the_data_needs_brackets() {
        let folder = begun();
        folder.edit("games/magpie/game.toml", "hand_size = ", "hand-size = ");
        let told = houserule(&folder, &["check", "magpie"]);
        let help = "`hand-size` is no name in scripts: write `data[\"hand-size\"]`";
        assert!(told.code == 1 && told.stderr.contains(help), "{}", told.stderr);
        let rules = folder.read("games/magpie/rules.rhai").replace("data.hand_size", "data[\"hand-size\"]");
        folder.write("games/magpie/rules.rhai", rules);
        assert_eq!(houserule(&folder, &["check", "magpie"]).code, 0);
    }

    #[test]
    fn where_there_are_more_errors_that_is_told() {
        let folder = begun();
        houserule(&folder, &["new", "variant", "magpie", "many"]).fine();
        let keys: String = (0..13).map(|number| format!("frob{number} = 1\n")).collect();
        folder.edit("variants/magpie/many.toml", "# A function here", &format!("{keys}# A function here"));
        let told = houserule(&folder, &["check", "magpie", "-v", "many"]);
        assert!(told.stderr.matches("unknown key").count() == 10, "{}", told.stderr);
        assert!(told.stderr.contains("help: only the first 10 errors are shown"), "{}", told.stderr);
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
