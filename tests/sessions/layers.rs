//! How layers lie over each other: what a variant requires, what it adds to lists, and where each file is found.

use super::*;

/// A small game in a folder of its own, with variants.
fn market(variants: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    copy(&root().join("tests/saves/games"), &folder.0.join("games"));
    copy(&root().join("tests/saves/variants"), &folder.0.join("variants"));
    for (id, more) in variants {
        folder.write(&format!("variants/market/{id}.toml"), variant(id, more));
    }
    folder
}

fn variant(id: &str, more: &str) -> String {
    format!("id = '{id}'\ngame = 'market'\nname = '{id}'\nabout = '{id}.'\n{more}\n")
}

mod required {
    use super::*;

    const FEAST: &str = "requires = ['nuts']\n[with.nuts]\neach = 3\n[script]\nrhai = 'fn count(p) { super(p); }'";

    #[test]
    fn a_variant_brings_what_it_requires_and_sets_it() {
        let folder = market(&[("feast", FEAST)]);
        let told = told_in(&folder, &["play", "market", "-v", "feast"], "save game.toml\n");
        says(&told, 0, &["note: `feast` needs `nuts`, so `nuts` is in play too", "· nuts · feast"]);
        assert!(folder.read("game.toml").contains("variants = [\"nuts\", \"feast\"]"), "{}", folder.read("game.toml"));
        says(&told_in(&folder, &["show", "market", "-v", "feast"], ""), 0, &["nuts.each=3", "needs nuts"]);
        let own = ["show", "market", "-v", "feast", "--set", "nuts.each=5"];
        says(&told_in(&folder, &own, ""), 0, &["nuts.each=5"]);
        // What is required lies below, in whatever order it is asked for.
        let told = told_in(&folder, &["play", "market", "-v", "feast", "-v", "nuts"], "");
        says(&told, 0, &["`feast` needs `nuts`, so `nuts` is below it", "· nuts · feast"]);
        let told = told_in(&folder, &["play", "market", "-v", "nuts", "-v", "feast"], "");
        assert_eq!((told.code, told.stderr.as_str()), (0, ""), "nothing was done that nobody asked for");
    }

    #[test]
    fn the_game_in_play_keeps_what_is_needed() {
        let folder = market(&[("feast", FEAST)]);
        let told = told_in(&folder, &["play", "market"], "with feast\nwithout nuts\n");
        says(&told, 1, &["`feast` needs `nuts`, so `nuts` is in play too", "`without feast`"]);
        let told = told_in(&folder, &["play", "market"], "with feast\nwithout feast\nwithout nuts\n");
        says(&told, 0, &["Market · 2 players"]);
    }

    #[test]
    fn check_puts_variants_together_as_they_need_each_other() {
        let folder = market(&[("feast", FEAST), ("plain", ""), ("no-nuts", "[conflicts]\nnuts = 'no nuts here'")]);
        let told = told_in(&folder, &["check", "market"], "");
        // The game; four variants; of six pairs one is a variant with what it requires, and two are forbidden.
        says(&told, 0, &["8 rulesets checked, 2 forbidden pairs refused; 0 errors"]);
        // One that is broken keeps no pair of the others from being tried.
        folder.write("variants/market/broken.toml", variant("broken", "requires = ['nust']"));
        let told = told_in(&folder, &["check", "market"], "");
        let words = ["there is no variant `nust`", "broken.toml:5:13", "did you mean `nuts`?", "9 rulesets checked"];
        says(&told, 1, &words);
        assert!(!told.stderr.contains("it is so with"), "the file is its own: {}", told.stderr);
    }

    /// The place is in the game, whose author cannot know of the variant.
    #[test]
    fn what_a_variant_breaks_in_the_game_names_the_variant() {
        let folder = market(&[("stall", "remove = ['zones.stall']"), ("plain", "")]);
        let told = told_in(&folder, &["check", "market"], "");
        let words =
            ["there is no `stall` here", "games/market/", "stall.toml:5:", "removed here", "with the variant `stall`"];
        says(&told, 1, &words);
        let told = told_in(&folder, &["check", "market", "--lang", "ja"], "");
        says(&told, 1, &["バリアント`stall`を加えたとき", "ここでなくす"]);
        // What another requires is not the other's fault, wherever its name stands in the alphabet.
        let folder = market(&[("zbase", "remove = ['zones.stall']"), ("addon", "requires = ['zbase']")]);
        let told = told_in(&folder, &["check", "market"], "");
        says(&told, 1, &["with the variant `zbase`", "zbase.toml:5:"]);
        assert!(!told.stderr.contains("`addon`"), "{}", told.stderr);
        // Rules that do not even load are somebody's, too.
        let folder = market(&[("bare", "remove = ['components.ware.attributes.price']"), ("plain", "")]);
        let told = told_in(&folder, &["check", "market"], "");
        says(&told, 1, &["bare"]);
        let folder = market(&[("plain", "")]);
        // What the game has wrong by itself is not the variant's.
        let rules = "games/market/rules.rhai";
        folder.write(rules, format!("{}\nfn lost() {{ stal.len }}\n", folder.read(rules)));
        let told = told_in(&folder, &["check", "market"], "");
        says(&told, 1, &["there is no `stal` here"]);
        assert!(!told.stderr.contains("with the variant"), "{}", told.stderr);
    }

    #[test]
    fn what_cannot_be_is_refused_with_its_place() {
        let one = |more: &str, words: &[&str]| {
            let folder = market(&[("one", more), ("two", "requires = ['three']"), ("three", "requires = ['two']")]);
            let told = told_in(&folder, &["play", "market", "-v", "one"], "");
            says(&told, 2, &[words, &["one.toml:5:"]].concat());
        };
        one("requires = ['nust']", &["there is no variant `nust`", "did you mean `nuts`?"]);
        one("requires = 'nuts'", &["`requires` must be an array"]);
        one("requires = ['one']", &["`one` requires itself"]);
        one("requires = ['nuts', 'nuts']", &["names `nuts` twice"]);
        one("requires = ['nuts']\nconflicts = { nuts = 'no' }", &["both required by this and in conflict with it"]);
        one(
            "with.nuts.each = 2",
            &["`with` sets `nuts`, which this variant does not require", "requires = [\"nuts\"]"],
        );
        one("with.nuts = 2", &["must be a table of settings"]);
        one("with.nuts.each = 2\nrequires = ['nust']", &["did you mean"]);
        one("with.nuts.eahc = 2\nrequires = ['nuts']", &["`nuts` has no setting `eahc`", "did you mean `each`?"]);
        one("with.nuts.each = 9\nrequires = ['nuts']", &["an integer from 0 to 5"]);
        let folder = market(&[("two", "requires = ['three']"), ("three", "requires = ['two']")]);
        let told = told_in(&folder, &["play", "market", "-v", "two"], "");
        says(&told, 2, &["variants require each other: `two` → `three` → `two`", "two.toml:5:13", "three.toml:5:13"]);
        let many: Vec<(String, String)> =
            (0..40).map(|number| (format!("v{number}"), format!("requires = ['v{}']", number + 1))).collect();
        let many: Vec<(&str, &str)> = many.iter().map(|(id, more)| (id.as_str(), more.as_str())).collect();
        let told = told_in(&market(&many), &["play", "market", "-v", "v0"], "");
        says(&told, 2, &["too long a chain"]);
        let folder = market(&[("feast", FEAST), ("no-nuts", "[conflicts]\nnuts = 'no nuts here'")]);
        let told = told_in(&folder, &["play", "market", "-v", "feast", "-v", "no-nuts"], "");
        says(&told, 2, &["no nuts here", "feast.toml:5:13", "`feast` needs it"]);
    }

    #[test]
    fn a_conflict_is_told_in_the_language_of_the_reader() {
        let folder = market(&[("no-nuts", "[conflicts]\nnuts = { en = 'no nuts here', ja = 'ナッツはない' }")]);
        let args = ["play", "market", "-v", "nuts", "-v", "no-nuts"];
        says(&told_in(&folder, &args, ""), 2, &["`no-nuts` and `nuts` cannot be combined: no nuts here"]);
        says(&told_in(&folder, &[&args[..], &["--lang", "ja"]].concat(), ""), 2, &["：ナッツはない"]);
    }

    #[test]
    fn a_variant_for_several_games_names_what_any_of_them_has() {
        let folder = market(&[]);
        told_in(&folder, &["new", "game", "crow"], "").fine();
        told_in(&folder, &["new", "variant", "crow", "caws"], "").fine();
        let any = |more: &str| {
            let text = format!("id = 'calm'\ngames = ['market', 'crow']\nname = 'Calm'\nabout = 'Calm.'\n{more}\n");
            std::fs::create_dir_all(folder.0.join("variants/any")).unwrap();
            folder.write("variants/any/calm.toml", text);
            told_in(&folder, &["check", "market"], "").stderr
        };
        let told = any("conflicts = { caws = 'loud', nuts = 'hard' }\n[names.zones]\ncaw = 'Caw'");
        assert!(!told.contains("unknown-conflict") && !told.contains("stale-rulebook"), "{told}");
        let told = any("conflicts = { nust = 'hard' }");
        assert!(told.contains("unknown-conflict") && told.contains("did you mean `nuts`?"), "{told}");
    }

    #[test]
    fn two_that_set_the_same_differently_are_told() {
        let folder = market(&[("feast", FEAST), ("diet", "requires = ['nuts']\nwith.nuts.each = 0")]);
        let told = told_in(&folder, &["play", "market", "-v", "feast", "-v", "diet"], "");
        says(&told, 0, &["two variants set `nuts.each` to different values", "diet.toml:6", "feast.toml:7"]);
    }
}

mod added {
    use super::*;

    #[test]
    fn what_two_variants_add_to_a_list_both_counts() {
        let (gold, silver) = (
            "\"components.ware.list+\" = [{ id = 'gold', price = 9 }]",
            "[components.ware]\n\"list+\" = [{ id = 'silver', price = 8 }]",
        );
        let folder = market(&[("gold", gold), ("silver", silver)]);
        let shown = |args: &[&str]| told_in(&folder, &[&["show", "market"], args].concat(), "");
        says(&shown(&[]), 0, &["12 × ware"]);
        says(&shown(&["-v", "gold"]), 0, &["13 × ware"]);
        for order in [["gold", "silver"], ["silver", "gold"]] {
            let told = shown(&["-v", order[0], "-v", order[1]]);
            says(&told, 0, &["14 × ware"]);
            assert_eq!(told.stderr, "");
        }
        // A list that the game has, and one that is an attribute by itself.
        folder
            .write("variants/market/figs.toml", variant("figs", "[components.ware.attributes]\n\"sort+\" = ['date']"));
        says(&shown(&["-v", "figs"]), 0, &["18 × ware"]);
        says(&told_in(&folder, &["check", "market"], ""), 0, &["0 errors"]);
    }

    #[test]
    fn what_is_replaced_later_is_told() {
        let folder = market(&[
            ("gold", "\"components.ware.list+\" = [{ id = 'gold', price = 9 }]"),
            ("other", "components.ware.list = [{ id = 'brass', price = 7 }]"),
        ]);
        let told = told_in(&folder, &["show", "market", "-v", "gold", "-v", "other"], "");
        says(&told, 0, &["13 × ware", "two variants give `components.ware.list` different values"]);
        let told = told_in(&folder, &["show", "market", "-v", "other", "-v", "gold"], "");
        says(&told, 0, &["14 × ware"]);
        assert_eq!(told.stderr, "");
    }

    #[test]
    fn what_cannot_be_added_to_is_told() {
        let refused = |more: &str, words: &[&str]| {
            let folder = market(&[("one", more)]);
            says(&told_in(&folder, &["show", "market", "-v", "one"], ""), 2, words);
        };
        refused(
            "\"components.wares.list+\" = []",
            &["`components` has no `wares`", "one.toml:5:1", "did you mean `ware`?"],
        );
        refused("\"components.ware.lsit+\" = [1]", &["unknown key `components.ware.lsit`", "did you mean `list`?"]);
        refused("\"data.bonsu+\" = [1]", &["`data` has no `bonsu`", "did you mean `bonus`?"]);
        refused("\"data.bonus+\" = [1]", &["`data.bonus` is an integer, and elements can be added only to a list"]);
        refused("\"lsit+\" = [1]", &["unknown key `lsit+`"]);
        refused("\"components.ware.list+\" = 1", &["unknown key `components.ware.list+`"]);
        refused("\"components.ware.list+\" = [{ id = 'fig-1' }]", &["fig-1", "one.toml:5:"]);
    }
}

mod ordered {
    use super::*;

    const ONE_MORE: &str = "[script]\nrhai = '''\nfn count(p) { super(p); p.award(1, \"more\"); }\n'''";

    #[track_caller]
    fn check(other: &str, words: &[&str]) {
        let folder = market(&[("one-more", ONE_MORE), ("other", other)]);
        let told = told_in(&folder, &["check", "market"], "");
        says(&told, 0, &["0 errors"]);
        let about = told.stderr.contains("the order of `one-more` and `other`");
        assert_eq!(about, !words.is_empty(), "{}", told.stderr);
        says(&told, 0, words);
    }

    #[test]
    fn an_order_that_matters_is_told_with_a_game_that_shows_it() {
        // One and then double is not double and then one.
        let doubled = "[script]\nrhai = '''\nfn count(p) { super(p); p.award(p.score, \"again\"); }\n'''";
        let words =
            ["the order of `one-more` and `other` matters: both change `count`", "other.toml:7:", "one-more.toml:7:"];
        check(doubled, &words);
        check(doubled, &["with 2 players and seed 1, the scores are ", "`-v one-more -v other`"]);
    }

    /// What `check` says of a game of 40 questions in which cards go to a pile, with two variants.
    fn checked(game: &str, variants: [(&str, &str); 2], code: i32, words: &[&str]) {
        let folder = Folder::new();
        for part in ["games/heap", "variants/heap"] {
            std::fs::create_dir_all(folder.0.join(part)).unwrap();
        }
        let definition = "id = 'heap'\nname = 'Heap'\nplayers = { min = 2, max = 2 }\n[components.card]\nkind = 'card'\n\
            id = 'card-{copy}'\ncopies = 9\n[components.joker]\nkind = 'card'\nid = 'joker-{copy}'\ncopies = 1\n\
            [zones.deck]\nname = 'deck'\norder = 'pile'\nvisible = 'none'\n[zones.heap]\nname = 'heap'\n\
            order = 'pile'\nvisible = 'all'\nnote = 'noted'\n[text]\ngo = 'go'\none = 'one'\n";
        let rules = "fn game() {\n    components(\"card\").move_to(deck);\n    for turn in 0..2 { for p in players {\n        \
            for step in 0..10 { p.may(\"go\"); }\n        p.choose_some(\"go\", deck, 0, limit());\n        \
            deck.first.move_to(heap);\n        count(p);\n    } }\n}\n\
            fn count(p) { p.award(1, \"one\"); }\nfn limit() { 1 }\n";
        folder.write("games/heap/game.toml", definition);
        folder.write("games/heap/rules.rhai", format!("{rules}fn noted(zone) {{ {game} }}\n"));
        for (id, more) in variants {
            let variant = format!("id = '{id}'\ngame = 'heap'\nname = '{id}'\nabout = '{id}.'\n{more}\n");
            folder.write(&format!("variants/heap/{id}.toml"), variant);
        }
        says(&told_in(&folder, &["check", "heap"], ""), code, words);
    }

    #[test]
    fn what_two_variants_break_together_is_told() {
        let script = |text: &str| format!("[script]\nrhai = '{text}'");
        // So slow that only the games that compare both orders come that far.
        let slow = "let n = 0; for step in 0..30000 { n += 1; }";
        let more = script(&format!("fn count(p) {{ super(p); {slow} p.award(1, \"one\"); }}"));
        let at_three =
            script("fn count(p) { super(p); if p.score > 2 { p.award(1 / (p.score - p.score), \"one\"); } }");
        let words = ["division by zero", "with 2 players and seed 1, the rules fail in both orders", "1 error"];
        checked("zone.len", [("a", &more), ("b", &at_three)], 1, &words);
        // How many are chosen is part of a question.
        let larger = script("fn limit() { super() + 2 }");
        let bounded = script("fn limit() { if super() > 2 { 2 } else { super() } }");
        let words = ["the order of `a` and `b` matters: both change `limit`", "go asks for another number of options"];
        checked("zone.len", [("a", &larger), ("b", &bounded)], 0, &words);
        let (many, none) = ("components.joker.copies = 3", "remove = ['components.joker']");
        let words =
            ["the order of `many` and `none` matters: they fit together in one order only", "`-v many -v none`"];
        checked("zone.len", [("many", many), ("none", none)], 0, &words);
        let words =
            ["the order of `some` and `none` matters: they fit together in one order only", "`-v some -v none`"];
        checked("zone.len", [("none", none), ("some", many)], 0, &words);
    }

    #[test]
    fn what_fails_while_the_table_is_drawn_later_is_told() {
        let words = ["wrong-operand", "marks and notes of zones are not shown", "not-drawn"];
        checked("zone.len / (zone.len - zone.len)", [("a", ""), ("b", "")], 0, &words[1..]);
    }

    #[test]
    fn an_order_that_does_not_matter_is_not_told() {
        let points = "[script]\nrhai = '''\nfn count(p) { super(p); p.award(2, \"two\"); }\n'''";
        check(points, &[]);
        // Two questions are asked in another order; what is answered and what comes of it is the same.
        let question =
            "[script]\nrhai = '''\nfn count(p) { if p.may(\"boast\") { p.award(3, \"boast\"); } super(p); }\n'''";
        check(question, &[]);
        check("[script]\nrhai = '''\nfn other() {}\n'''", &[]);
    }

    #[test]
    fn what_is_required_has_its_order() {
        let doubled = "requires = ['one-more']\n[script]\nrhai = '''\nfn count(p) { super(p); p.award(p.score, \"again\"); }\n'''";
        check(doubled, &[]);
    }
}

mod found {
    use super::*;

    #[test]
    fn a_deleted_variant_is_not_replaced_by_another_of_its_name() {
        let (near, far) = (market(&[("mine", "")]), market(&[("mine", "text.a = 'far'")]));
        let far_dir = far.0.to_str().unwrap().to_owned();
        let file = near.0.join("variants/market/mine.toml");
        // The project is near, the folder that the variable names comes first and has it too, later.
        let first = Folder::new();
        std::fs::create_dir_all(first.0.join("variants/market")).unwrap();
        let mut command = program_at(&near.0, &near);
        command
            .args(["play", "market", "-v", "mine"])
            .env("HOUSERULE_DIR", &first.0)
            .envs([("XDG_DATA_HOME", &far_dir), ("APPDATA", &far_dir)]);
        std::fs::create_dir_all(far.0.join("houserule")).unwrap();
        copy(&far.0.join("variants"), &far.0.join("houserule/variants"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let wait = || std::thread::sleep(std::time::Duration::from_millis(700));
        wait();
        std::fs::write(first.0.join("variants/market/mine.toml"), variant("mine", "text.a = 'first'")).unwrap();
        stdin.write_all(b"reload\n").unwrap();
        wait();
        std::fs::remove_file(first.0.join("variants/market/mine.toml")).unwrap();
        std::fs::remove_file(&file).unwrap();
        stdin.write_all(b"reload switch\nvariants\n").unwrap();
        wait();
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        let (told, errors) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert!(
            errors.contains("there is another `variants/market/mine.toml` now, which comes first"),
            "{errors}\n{told}"
        );
        assert!(errors.contains("`reload switch` uses the other one"), "{errors}");
        assert!(told.contains("the rules are as they were"), "{told}\n{errors}");
        assert!(
            told.contains("variants/market/mine.toml is from ") && told.contains("houserule/variants"),
            "{told}\n{errors}"
        );
    }

    #[test]
    fn a_file_that_is_gone_names_the_other_candidate() {
        let near = market(&[("mine", "")]);
        let far = market(&[("mine", "text.a = 'far'")]);
        let mut command = program_at(&near.0, &near);
        command.args(["play", "market", "-v", "mine", "--dir"]).arg(&far.0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(700));
        std::fs::remove_file(far.0.join("variants/market/mine.toml")).unwrap();
        stdin.write_all(b"reload\n").unwrap();
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.contains("`mine` is gone"), "{errors}");
        assert!(errors.contains("there is another one: variants/market/mine.toml; `reload switch`"), "{errors}");
        assert!(errors.contains("the game continues under the old rules"), "{errors}");
    }

    #[test]
    fn a_library_is_found_with_its_game() {
        let folder = Folder::new();
        std::fs::create_dir_all(folder.0.join("scripts")).unwrap();
        std::fs::create_dir_all(folder.0.join("variants/hearts")).unwrap();
        folder.write("scripts/trick.rhai", "fn nonsense() {}\n");
        let mut command = program_at(&folder.0, &folder);
        let output = command.args(["check", "hearts"]).env("HOUSERULE_DIR", &folder.0).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let mut command = program_at(&folder.0, &folder);
        let shown = command.args(["show", "hearts"]).env("HOUSERULE_DIR", &folder.0).output().unwrap();
        let shown = String::from_utf8(shown.stdout).unwrap();
        assert!(shown.contains("<built in>/scripts/trick.rhai"), "{shown}");
    }

    #[test]
    fn the_header_tells_of_places_where_nobody_would_look() {
        let folder = market(&[]);
        folder.write("mine.toml", variant("mine", ""));
        says(&told_in(&folder, &["play", "market", "-v", "nuts"], ""), 0, &["Market · nuts · 2 players"]);
        says(
            &told_in(&folder, &["play", "market", "-v", "./mine.toml"], ""),
            0,
            &["Market · mine (mine.toml) · 2 players"],
        );
        let told = told_in(&folder, &["play", "market", "-v", "./mine.toml"], "save game.toml\n");
        says(&told, 0, &["with the rules games/market/game.toml"]);
        folder.write("mine.toml", variant("mine", "text.a = 'b'"));
        let told = told_in(&folder, &["play", "game.toml"], "");
        says(&told, 0, &["those on disk are different: variants/market/mine.toml", "Market · mine · 2 players"]);
        says(
            &told_in(&folder, &["show", "market", "-v", "nuts"], ""),
            0,
            &["variants/market/nuts.toml", "games/market/game.toml"],
        );
    }
}
