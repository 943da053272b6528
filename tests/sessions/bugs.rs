//! A moment of a game as one text, and as a test of rules.

use super::*;

fn run(folder: &Folder, args: &[&str], input: impl AsRef<[u8]>) -> (i32, String) {
    let mut child =
        program(folder).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_ref()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout) + text(output.stderr).as_str())
}

/// The text that `bug` shows, as somebody copies it from the screen.
fn copied(screen: &str) -> String {
    let start = screen.find("# A game saved by houserule").unwrap();
    let lines = screen[start..].lines();
    let check = lines.clone().position(|line| line == "[check]").unwrap();
    let hash = lines.clone().skip(check).position(|line| line.ends_with("\"\"\"")).unwrap();
    lines.take(check + hash + 1).map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_moment_is_sent_as_one_text_and_opened_out_of_the_mail() {
    let folder = Folder::new();
    let told = Session::within(&folder).lines([KNOWN, "10", "15", "new", "bug"]).run();
    let text = copied(&told.stdout);
    assert!(text.contains("# rules  up-or-down\n") && text.contains("# stands at move 5: p1 is asked"), "{text}");
    for mail in [
        text.clone(),
        format!("Hi Bob,\nthis is wrong:\n\n{text}\nYours, Ada\n"),
        // As mails quote, with blanks at the ends of lines gone, and with the line ends of another system.
        text.lines().map(|line| format!("> {line}").trim_end().to_owned() + "\r\n").collect(),
        format!("```toml\n{}```\n", text.lines().map(|line| format!("    {line}\n")).collect::<String>()),
    ] {
        let (code, told) = run(&folder, &["replay", "-"], mail.as_bytes());
        assert_eq!(code, 0, "{told}\n{mail}");
        assert!(told.starts_with("4 of 4 moves fit"), "{told}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 72), "{text}");
    // A byte of another encoding in the words around it.
    let mail = [&b"caf\xe9\n"[..], text.as_bytes(), b"\xff\n"].concat();
    let (code, told) = run(&folder, &["replay", "-"], mail);
    assert!(code == 0 && told.starts_with("4 of 4 moves fit"), "{told}");
    // Two of them, of which one is used, and that is said.
    let other = text.replace("seed     = ", "seed     = 1");
    let (_, told) = run(&folder, &["replay", "-"], format!("{text}\n{other}"));
    assert!(told.contains("4 of 4 moves fit") && told.contains("there are 2 saved games in this text"), "{told}");
    let (code, told) =
        run(&folder, &["replay", "-"], text.split_once("[check]").unwrap().0.replace("players", "player"));
    assert!(code == 2 && told.contains("the saved game that begins in line 1 has no end"), "{told}");
    // Written into a file, it opens as any saved game.
    Session::within(&folder).lines([KNOWN, "10", "15", "new", "bug lost.toml"]).run();
    assert_eq!(folder.read("lost.toml"), text);
    let (code, told) = run(&folder, &["play", "lost.toml"], "log\n");
    assert!(code == 0 && told.contains("place the card you took"), "{told}");
    // It overwrites what houserule wrote, and nothing else.
    folder.write("mine.toml", "mine = 1\n");
    let told = Session::within(&folder).lines(["bug mine.toml"]).run();
    assert!(told.stderr.contains("already exists") && told.stderr.contains("bug mine.toml!"), "{}", told.stderr);
    assert_eq!(folder.read("mine.toml"), "mine = 1\n");
}

#[test]
fn the_text_has_the_last_error_in_it_and_is_harmless() {
    let folder = Folder::with_rules();
    let id = "bad\u{1b}";
    folder.write(
        &folder.variant("broken"),
        "id = 'broken'\ngame = 'up-or-down'\nname = 'Broken'\nversion = '0.3.1'\n[script]\nrhai = '''\n\
         fn begin_game() { let list = [1]; list[7]; }\nfn turn(p) { let list = [1]; list[7]; super(p); }\n'''\n",
    );
    let told = Session::within(&folder).args(["-v", "broken"]).lines(["bug"]).run();
    let text = copied(&(told.stdout + told.stderr.as_str()));
    assert!(text.contains("# rules  up-or-down, broken 0.3.1"), "{text}");
    assert!(text.contains("the rules gave up") && text.contains("broken.toml:8"), "{text}");
    assert!(text.contains("path = \"variants/up-or-down/broken.toml\""), "the rules are in it: {text}");
    assert!(!text.contains(id) && text.chars().all(|letter| letter == '\n' || !letter.is_control()), "{text:?}");
}

#[test]
fn what_is_no_saved_game_is_told() {
    let folder = Folder::new();
    for (args, input, code, words) in [
        (&["replay", "-"][..], "hello\n", 2, "standard input:1"),
        (&["replay", "-"], "", 2, "standard input"),
        (&["replay", "-", "other.toml"], "", 2, "standard input is read by itself"),
        (&["replay", "-", "--update"], "", 2, "standard input cannot be saved again"),
        (&["replay", "-", "--html"], "", 2, "a page of standard input needs a file to write to"),
        (&["record", "-"], "hello\n", 2, "standard input:1"),
        (&["record", "nothing.toml"], "", 2, "nothing.toml"),
    ] {
        let (found, told) = run(&folder, args, input);
        assert!(found == code && told.contains(words), "{args:?}: {found}\n{told}");
    }
}

#[test]
fn a_game_of_every_sort_becomes_a_scenario_that_passes() {
    let folder = Folder::with_rules();
    let (_, list) = run(&folder, &["list", "--json"], "");
    let list: serde_json::Value = serde_json::from_str(&list).unwrap();
    let games: Vec<&str> = list["games"].as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap()).collect();
    assert!(games.len() >= 20, "{games:?}");
    for game in &games {
        for lines in ["auto 2\nrecord early\n", "auto 30\nrecord late\n"] {
            let (code, told) = run(&folder, &["play", game, "-s", "5"], lines);
            assert_eq!(code, 0, "{game}\n{told}");
        }
    }
    let (code, told) = run(&folder, &["test", "tests/scenarios"], "");
    assert!(code == 0 && told.contains(&format!("{} passed, 0 failed", 2 * games.len())), "{told}");
}

#[test]
fn a_variant_that_was_named_by_its_file_is_named_so_in_the_scenario() {
    let folder = Folder::with_rules();
    let text = "id = \"mine\"\ngame = \"up-or-down\"\nname = \"Mine\"\nabout = \"Mine.\"\n";
    folder.write("mine.toml", text);
    let play = ["play", "up-or-down", "-v", "mine.toml", "-v", "rainbow", "-s", "5"];
    let (code, told) = run(&folder, &play, "auto 4\nrecord scores\n");
    assert_eq!(code, 0, "{told}");
    let written = folder.read("tests/scenarios/up-or-down/scores.toml");
    assert!(written.contains("variants = [\"mine.toml\", \"rainbow\"]"), "{written}");
    let (code, told) = run(&folder, &["test", "tests/scenarios"], "");
    assert!(code == 0 && told.contains("1 passed, 0 failed"), "{told}");
}

/// A hint that is wider than the terminal goes on in the next line, between words.
#[test]
fn the_hint_behind_a_recorded_scenario_is_not_torn() {
    let folder = Folder::with_rules();
    let name = "a-player-takes-the-neighbour";
    let line = format!("record {name}");
    let told = Session::within(&folder).lines(["auto 2", &line]).run().fine().stdout;
    let shown = &told[told.find("wrote ").unwrap()..];
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.ends_with(&format!("{name}.toml` runs it; delete what does not matter")), "{shown}");
}

/// What the hint says can be typed as it is, whatever the file is called.
#[test]
fn the_hint_behind_a_recorded_scenario_works_where_the_name_has_blanks() {
    let folder = Folder::with_rules();
    let told = Session::within(&folder).lines(["auto 2", "record ./my test.toml", "test ./my test.toml"]).run();
    let told = told.fine().stdout;
    assert!(told.contains("`test ./my test.toml` runs it") && told.contains("1 passed, 0 failed"), "{told}");
}

#[test]
fn a_recorded_scenario_fails_under_other_rules_and_overwrites_nothing() {
    let folder = Folder::with_rules();
    let (code, told) = run(&folder, &["play", "up-or-down", "-s", "5"], "until end\nrecord scores\nsave game.toml\n");
    assert_eq!(code, 0, "{told}");
    let (code, told) = run(&folder, &["record", "game.toml", "scores"], "");
    assert!(code == 2 && told.contains("scores.toml"), "{told}");
    let (code, told) = run(&folder, &["record", "game.toml", "--title", "Points for columns", "-o", "-"], "");
    assert!(code == 0 && told.contains("id       = \"game\"\ntitle    = \"Points for columns\""), "{told}");
    let (code, _) = run(&folder, &["test", "tests/scenarios/up-or-down/scores.toml"], "");
    assert_eq!(code, 0);
    folder.edit("games/up-or-down/rules.rhai", "p.award(column_points(column),", "p.award(1 + column_points(column),");
    let (code, told) = run(&folder, &["test", "tests/scenarios/up-or-down/scores.toml"], "");
    assert!(code == 1 && told.contains("scores.toml:"), "{told}");
    // Changes by hand are no answers; what chance was told to give is.
    let refused = Session::new().lines(["until turn", "set p1.score 4", "record by-hand"]).run();
    assert!(refused.stderr.contains("changed the game by hand: set p1.score 4"), "{}", refused.stderr);
}

#[test]
fn a_page_of_what_is_pasted_goes_where_it_is_said() {
    let folder = Folder::new();
    let text = copied(&Session::within(&folder).lines(["auto 3", "bug"]).run().stdout);
    let (code, told) = run(&folder, &["replay", "-", "--html"], &text);
    assert!(code == 2 && told.contains("`houserule replay - --html game.html`"), "{told}");
    let (code, told) = run(&folder, &["replay", "-", "--html", "page.html"], &text);
    assert!(code == 0 && told.starts_with("wrote page.html: 3 moves"), "{told}");
    assert!(!folder.0.join("-.html").exists() && folder.0.join("page.html").is_file());
}

/// Wherever a session runs, its scenarios go where those of the command go.
#[test]
fn a_scenario_is_written_into_the_project_that_is_played() {
    let (project, elsewhere) = (Folder::with_rules(), Folder::new());
    let run = |args: &[&str], input: &str| {
        let mut command = program_at(&elsewhere.0, &elsewhere);
        command.args(args).args(["--dir", project.0.to_str().unwrap()]);
        told_by(command, input.as_bytes().to_vec())
    };
    let play = ["play", "up-or-down", "-s", "5"];
    says(&run(&play, "auto 4\nsave game.toml\nrecord one\n"), 0, &["up-or-down/one.toml"]);
    says(&run(&["record", "game.toml", "other"], ""), 0, &["up-or-down/other.toml"]);
    for id in ["one", "other"] {
        assert!(project.0.join(format!("tests/scenarios/up-or-down/{id}.toml")).is_file(), "{id}");
    }
    assert!(!elsewhere.0.join("tests").exists());
    says(&run(&["test", project.0.join("tests").to_str().unwrap()], ""), 0, &["2 passed, 0 failed"]);
    // A path is from here, and what is neither a path nor an id is no file.
    says(&run(&play, "auto 4\nrecord mine.toml\n"), 0, &["wrote mine.toml"]);
    assert!(elsewhere.0.join("mine.toml").is_file());
    let told = run(&play, "record Two words\n");
    says(&told, 1, &["`Two words` cannot be the name of a scenario's file", "`record FILE.toml`"]);
    // What `test` would not find, and a folder that nobody meant, are not written.
    says(&run(&play, "record ../mine\n"), 1, &["ends in `.toml`, and `../mine` does not", "`../mine.toml` would do"]);
    says(&run(&play, "record ~/mine.toml\n"), 1, &["`~` is your home folder only in a shell"]);
    says(&run(&["record", "game.toml", "-o", "mine.txt"], ""), 2, &["ends in `.toml`, and `mine.txt` does not"]);
    assert!(!elsewhere.0.join("~").exists() && !elsewhere.0.join("mine.txt").exists());
}

#[test]
fn a_game_of_a_campaign_is_recorded_with_what_the_one_before_has_kept() {
    let folder = Folder::with_rules();
    let lines = "until end\ncampaign next\nrecord begun\nauto 3\nrecord on-the-way\nuntil end\nrecord over\n";
    let (code, told) = run(&folder, &["play", "wreck-divers", "-p", "2", "-s", "5"], lines);
    assert_eq!(code, 0, "{told}");
    let written = folder.read("tests/scenarios/wreck-divers/over.toml");
    for words in ["\n[given]\n", "\np1.score = 9\n", "\n[when]\ncall = \"game()\"\n", "\nover = true\n"] {
        assert!(written.contains(words), "no {words:?} in {written}");
    }
    let (code, told) = run(&folder, &["test", "tests/scenarios"], "");
    assert!(code == 0 && told.contains("3 passed, 0 failed"), "{told}");
}

/// A small game of many turns, with names that need care, that ends in a fault.
const CAREFUL: [(&str, &str); 2] = [
    (
        "game.toml",
        "id = 'careful'\nname = 'Careful'\nplayers = { min = 2, max = 2 }\n\
         [variables]\nsaid = { type = 'list' }\n[text]\nask = 'which'\nlast = 'last'\n",
    ),
    (
        "rules.rhai",
        "fn game() {\n    let first = [\"go first\", \"it's \\\"me\\\"\", \"last\"].pick(\"start\");\n\
         table.said = [first];\n    for n in 1..=3000 {\n        let p = players[1 + n % 2];\n\
         let one = p.choose(\"ask\", [\"a \\\"b\\\"\", \"c\\\\d\", \"7\", 7, p]);\n\
         if n < 4 { table.said = table.said + [one, n == 2]; }\n        p.award(1, \"last\");\n    }\n\
         throw \"the \\\"end\\\"\";\n}\n",
    ),
];

#[test]
fn what_a_game_says_in_quotes_is_recorded_and_a_long_game_in_a_moment() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.0.join("games/careful")).unwrap();
    CAREFUL.iter().for_each(|(file, text)| folder.write(&format!("games/careful/{file}"), text));
    let play = ["play", "careful", "-s", "1"];
    let lots = "rig lot start go first\nrecord lot-1\n1\n2\n#3\n#4\n#5\nrecord lot-2\n";
    let (code, told) = run(&folder, &play, lots);
    assert_eq!(code, 0, "{told}");
    assert!(folder.read("tests/scenarios/careful/lot-1.toml").contains("lot start \"go first\""));
    let began = std::time::Instant::now();
    let (code, told) = run(&folder, &play, "rig lot start it's \"me\"\nauto 2999\nrecord long\nsave game.toml\n");
    assert_eq!(code, 0, "{told}");
    // One answer more, and the rules give up.
    let text = folder.read("game.toml");
    folder.write("game.toml", text.replacen("]\n\n[result]", "  [1, \"ask\", \"c\\\\d\"],\n]\n\n[result]", 1));
    let (code, told) = run(&folder, &["record", "game.toml", "gives-up"], "");
    assert_eq!(code, 0, "{told}");
    assert!(folder.read("tests/scenarios/careful/gives-up.toml").contains("\nfails = "));
    let (code, told) = run(&folder, &["test", "tests/scenarios"], "");
    assert!(code == 0 && told.contains("4 passed, 0 failed"), "{told}");
    assert!(began.elapsed().as_secs() < 30, "{:?}", began.elapsed());
    // What could not be read again is not written.
    folder.edit("games/careful/rules.rhai", "3000", "12000");
    let (code, told) = run(&folder, &play, "auto 11999\nrecord longer\n");
    assert!(code == 1 && told.contains("would be larger than 64 KiB"), "{told}");
    assert!(!folder.0.join("tests/scenarios/careful/longer.toml").exists());
}

#[test]
fn who_records_rules_of_a_saved_game_is_told_that_a_scenario_does_not_find_them() {
    let folder = Folder::with_rules();
    let text = "id = 'mine'\ngame = 'up-or-down'\nname = 'Mine'\nabout = 'Mine.'\n";
    folder.write(&folder.variant("mine"), text);
    let (code, told) =
        run(&folder, &["play", "up-or-down", "-v", "mine", "-s", "5"], "auto 4\nsave game.toml\nrecord a\n");
    assert!(code == 0 && !told.contains("only in the saved game"), "{told}");
    std::fs::remove_file(folder.0.join(folder.variant("mine"))).unwrap();
    for (args, input) in [(&["record", "game.toml", "b"][..], ""), (&["play", "game.toml"], "record c\n")] {
        let (code, told) = run(&folder, args, input);
        let words = "the rules variants/up-or-down/mine.toml are only in the saved game";
        assert!(code == 0 && told.contains(words), "{args:?} {told}");
    }
}
