//! Saved games that are whole: one file is enough on another machine, whatever lies on the disk there.

use super::*;

/// A variant that adds a question to every draw, in TOML with quotes that TOML cannot hold as they are.
const CURIOUS: &str = r#"id    = "curious"
game  = "up-or-down"
name  = "Curious"
about = "Everybody peeks: ''' and \"\"\" and \\ and \u0007."

[script]
rhai = '''
fn draw(p) {
    if p.may("peek") { note("a \"look\""); }
    super(p);
}
'''
"#;

/// A folder with the shipped rules and the variant, and an empty one: another machine.
struct Machines {
    here: Folder,
    there: Folder,
}

impl Machines {
    fn new() -> Self {
        let here = Folder::with_rules();
        here.write(&here.variant("curious"), CURIOUS);
        Self { here, there: Folder::new() }
    }

    /// Saves a game here and sends it there.
    fn send(&self, args: &[&str], lines: &str) -> String {
        let mut session = Session::within(&self.here);
        session.args.extend(args.iter().map(|&argument| argument.to_owned()));
        session.bytes(format!("{lines}\nsave game.toml\n").as_bytes()).run().fine();
        let text = self.here.read("game.toml");
        self.there.write("game.toml", &text);
        text
    }
}

fn run(folder: &Folder, args: &[&str]) -> Told {
    told_in(folder, args, "")
}

#[test]
fn one_file_opens_on_another_machine() {
    let machines = Machines::new();
    let text = machines.send(&["-v", "curious"], "auto 9");
    assert!(text.contains("path = \"variants/up-or-down/curious.toml\""), "{text}");
    assert!(!text.contains("games/up-or-down"), "what comes with the program is not in it:\n{text}");
    says(&run(&machines.there, &["replay", "game.toml"]), 0, &["9 of 9 moves fit"]);
    let told = told_in(&machines.there, &["play", "game.toml"], "history\nuntil end\nsave again.toml\n");
    says(&told, 0, &["those on disk cannot be used", "· curious", "peek", "the game is over"]);
    // It can be sent on from there.
    std::fs::rename(machines.there.0.join("again.toml"), machines.here.0.join("again.toml")).unwrap();
    std::fs::remove_file(machines.here.0.join("variants/up-or-down/curious.toml")).unwrap();
    says(&run(&machines.here, &["replay", "again.toml"]), 0, &["moves fit"]);
}

#[test]
fn a_script_beside_its_file_and_a_variant_given_by_path_are_in_the_file() {
    let machines = Machines::new();
    let (head, _) = CURIOUS.split_once("[script]").unwrap();
    std::fs::create_dir(machines.here.0.join("mine")).unwrap();
    machines.here.write("mine/other.toml", head.replace("\"curious\"", "\"other\""));
    machines.here.write("mine/other.rhai", "fn draw(p) { note(\"other\"); super(p); }\r\n");
    let text = machines.send(&["-v", "mine/other.toml"], "auto 9");
    assert!(text.contains("variants/up-or-down/other.rhai") && !text.contains('\r'), "{text}");
    says(&run(&machines.there, &["replay", "game.toml"]), 0, &["9 of 9 moves fit"]);
    // Here the path is still good.
    says(&run(&machines.here, &["replay", "game.toml", "--under-disk"]), 0, &["9 of 9 moves fit"]);
    let told = run(&machines.there, &["replay", "game.toml", "--under-disk"]);
    says(&told, 2, &["cannot read `mine/other.toml`", "--> game.toml:4:13", "a variant of this file"]);
}

#[test]
fn all_rules_are_in_the_file_if_wanted() {
    let machines = Machines::new();
    let told = Session::within(&machines.here).args(["-v", "greenhorn"]).lines(["save game.toml with rules"]).run();
    told.fine().shows(["with the rules games/up-or-down/game.toml", "variants/up-or-down/greenhorn.toml"]);
    machines.here.edit("games/up-or-down/rules.rhai", "fn game() {", "fn game() { players.first.award(1, \"gift\");");
    let told = told_in(&machines.here, &["play", "game.toml"], "until end\n");
    says(&told, 0, &["those on disk are different: games/up-or-down/rules.rhai", "`load game.toml under disk`"]);
    assert!(!told.stdout.contains("gift"), "{}", told.stdout);
    let told = told_in(&machines.here, &["play", "game.toml", "--under-disk"], "until end\n");
    says(&told, 0, &["saved under other rules", "gift"]);
    let told = Session::within(&machines.here).lines(["load game.toml under disk", "until end"]).run().fine();
    says(&told, 0, &["gift"]);
    // A library of scripts is a layer too.
    let lines = "save trick.toml with rules\n";
    says(&told_in(&machines.there, &["play", "hearts"], lines), 0, &["scripts/trick.rhai"]);
    says(&run(&machines.there, &["replay", "trick.toml", "--json"]), 0, &["\"scripts/trick.rhai\""]);
}

#[test]
fn an_edit_shows_only_under_the_rules_on_disk() {
    let machines = Machines::new();
    machines.send(&["-v", "curious"], "auto 9");
    machines.here.edit(&machines.here.variant("curious"), "\"peek\"", "\"spy\"");
    let told = run(&machines.here, &["replay", "game.toml"]);
    says(
        &told,
        0,
        &["those on disk are different: variants/up-or-down/curious.toml (`--under-disk`", "9 of 9 moves fit"],
    );
    let told = run(&machines.here, &["replay", "game.toml", "--under-disk"]);
    says(&told, 1, &["the rules have changed", "spy is asked instead", "saved at game.toml:"]);
    std::fs::create_dir(machines.here.0.join("saves")).unwrap();
    std::fs::rename(machines.here.0.join("game.toml"), machines.here.0.join("saves/game.toml")).unwrap();
    let told = run(&machines.here, &["replay", "saves"]);
    says(&told, 0, &["1 equal", "which are not those on disk: 1"]);
    says(&run(&machines.here, &["replay", "saves", "--under-disk"]), 1, &["no longer fits"]);
}

#[test]
fn rules_from_a_file_stay_through_reload_and_other_variants() {
    let machines = Machines::new();
    machines.send(&["-v", "curious"], "auto 9");
    let lines = "load game.toml\nreload\nwith greenhorn\nwithout curious\nwith curious\nshow\n";
    let told = told_in(&machines.there, &["play", "up-or-down"], lines);
    assert!(told.stdout.contains("the rules are as they were"), "{}\n{}", told.stdout, told.stderr);
    assert!(told.stdout.contains("· greenhorn · curious"), "{}\n{}", told.stdout, told.stderr);
}

#[test]
fn trouble_with_rules_in_a_file_names_the_line_of_that_file() {
    let machines = Machines::new();
    let text = machines.send(&["-v", "curious"], "auto 9");
    let line_of = |text: &str, word: &str| text.lines().position(|line| line.contains(word)).unwrap() + 1;
    let damaged = [
        ("note(\"a", "notee(\"a", "notee(", "there is no `notee`"),
        ("super(p);", "super(p, p);", "super(p, p", ""),
        ("name  = \"Curious\"", "nmae  = \"Curious\"", "nmae", "unknown key `nmae`"),
        ("game  = \"up-or-down\"", "game  = \"hearts\"", "game  = \"hearts\"", "is not a variant of `up-or-down`"),
    ];
    for (old, new, word, message) in damaged {
        let changed = text.replace(old, new);
        machines.there.write("game.toml", &changed);
        let told = run(&machines.there, &["replay", "game.toml"]);
        let place = format!("--> game.toml:{}:", line_of(&changed, word));
        let code = told.code;
        says(&told, code, &[message, &place]);
        assert_ne!(code, 0);
    }
    let path = "variants/up-or-down/curious.toml";
    for (new, message) in [
        ("../../etc/passwd", "is not a path of rules"),
        ("variants/up-or-down/../x.toml", "is not a path of rules"),
        ("variants/up-or-down/Curious.toml", "is not a path of rules"),
        ("games/up-or-down/README.md", "is not a path of rules"),
    ] {
        machines.there.write("game.toml", text.replace(path, new));
        let told = run(&machines.there, &["replay", "game.toml"]);
        says(&told, 2, &[message, "--> game.toml:", "rules have paths like"]);
    }
    let twice = text.replace("\n[check]", &format!("\n[[rules]]\npath = \"{path}\"\ntext = ''\n\n[check]"));
    machines.there.write("game.toml", twice);
    says(&run(&machines.there, &["replay", "game.toml"]), 2, &["is in the file twice"]);
}

#[test]
fn games_of_format_1_open_and_come_out_the_same() {
    let saves = root().join("tests/saves");
    let folder = Folder::new();
    let dir = saves.to_str().unwrap();
    for (file, entries) in [("whole", 25), ("begun", 4)] {
        let path = saves.join(format!("{file}.format-1.toml"));
        let path = path.to_str().unwrap();
        let mut command = program_at(&folder.0, &folder);
        let output = command.args(["replay", path, "--dir", dir]).output().unwrap();
        let told = String::from_utf8(output.stdout).unwrap();
        assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(0), String::new()));
        assert!(told.starts_with(&format!("{entries} of {entries} moves fit\n")), "{told}");
        // What they tell by labels is told by values from then on, also before a change by hand.
        says(&told_in(&folder, &["play", path, "--dir", dir], "save again.toml"), 0, &["saved"]);
        let told = run(&folder, &["replay", "again.toml", "--dir", dir]);
        says(&told, 0, &[&format!("{entries} of {entries} moves fit")]);
    }
}

#[test]
fn play_takes_a_file() {
    let machines = Machines::new();
    machines.send(&["-v", "curious"], "auto 9");
    let here = &machines.here;
    let play = |args: &[&str]| told_in(here, &[&["play"], args].concat(), "");
    says(&play(&["game.toml"]), 0, &["· curious", "move 10"]);
    says(&play(&["variants/up-or-down/curious.toml", "-v", "greenhorn", "-s", "3"]), 0, &["· curious", "· greenhorn"]);
    for (flag, value) in [("-v", "greenhorn"), ("--set", "a.b=1"), ("-p", "3"), ("-s", "1")] {
        says(&play(&["game.toml", flag, value]), 2, &[&format!("`{flag}` cannot change them"), "`with VARIANT`"]);
    }
    says(&play(&["up-or-down", "--under-disk"]), 2, &["`--under-disk` is for saved games"]);
    // What is no game says what it is, and what it is for.
    here.write("curious.toml", CURIOUS);
    here.write("test.toml", "id = 'a'\ntitle = 'A'\ngame = 'up-or-down'\n[[then]]\nover = true\n");
    here.write("letter.toml", "dear = 'friend'\n");
    here.write("trace.jsonl", "{\"type\":\"start\",\"format\":1}\n");
    here.write("odd", "id = 'odd'\n");
    says(&play(&["games/up-or-down/game.toml"]), 2, &["is a game", "`houserule play up-or-down --dir .`"]);
    says(&play(&["games/up-or-down/rules.rhai"]), 2, &["is a script"]);
    says(&play(&["games/up-or-down/"]), 2, &["is a folder", "`houserule list`"]);
    // A scenario is played on from where it has led, also where it is wrong; a table that it laid cannot be saved.
    says(&play(&["./test.toml"]), 0, &["the rules have not ended", "test.toml:5", "play a card to the ring"]);
    let of_a_turn = "id = 'b'\ntitle = 'B'\ngame = 'up-or-down'\ngiven = { ring = [7, 33], p1.hand = [5, 80] }\n\
                     when.call = 'turn(p1)'\n[[then]]\nasks = 'p1 play_card'\n";
    here.write("turn.toml", of_a_turn);
    for line in ["save other.toml", "bug", "record other", "sim 10", "diff"] {
        let told = told_in(here, &["play", "./turn.toml"], &format!("1\n{line}\n"));
        says(&told, 1, &["needs a game that began with its rules, not with a scenario"]);
    }
    says(&play(&["./test.toml", "-p", "3"]), 2, &["a scenario has its own rules", "`-p` cannot change them"]);
    says(&told_in(here, &["show", "./test.toml"], ""), 2, &["is a scenario", "`houserule test test.toml`"]);
    says(&play(&["letter.toml"]), 2, &["neither a saved game nor a variant", "the id of a game"]);
    says(&play(&["./trace.jsonl"]), 2, &["is a trace"]);
    says(&play(&["odd"]), 2, &["neither a saved game nor a variant"]);
    says(&play(&["nowhere.toml"]), 2, &["cannot read `nowhere.toml`", "the id of a game"]);
    says(&play(&["curious"]), 2, &["there is no game `curious`", "`houserule play curious.toml`"]);
    says(&play(&["up-or-dwon"]), 2, &["did you mean `up-or-down`?"]);
}

#[test]
fn what_a_saved_game_asks_for_is_shown_in_its_file() {
    let machines = Machines::new();
    let text = machines.send(&["-v", "greenhorn", "--set", "greenhorn.data.green_points=[0]"], "auto 3");
    let asked = |old: &str, new: &str, words: &[&str]| {
        let changed = text.replace(old, new);
        assert_ne!(changed, text, "{old}");
        machines.there.write("game.toml", changed);
        let told = run(&machines.there, &["replay", "game.toml"]);
        says(&told, 2, words);
        machines.there.write("saves.toml", "x");
        let many = run(&machines.there, &["replay", "game.toml", "saves.toml"]);
        says(
            &many,
            if words[1].contains(":3:") { 2 } else { 1 },
            &[words[0], &words[1]["--> ".len()..words[1].len() - 3]],
        );
    };
    let game = &["there is no game `up-or-dwon`", "--> game.toml:3:12", "did you mean `up-or-down`?", "^^^^^^^^^^^^"];
    asked("\"up-or-down\"", "\"up-or-dwon\"", game);
    let variant = &["there is no variant `grenhorn`", "--> game.toml:4:13", "did you mean `greenhorn`?", "^^^^^^^^^^"];
    asked("[\"greenhorn\"]", "[\"grenhorn\"]", variant);
    asked("[\"greenhorn\"]", "[\"greenhorn\", \"greenhorn\"]", &["is given twice", "--> game.toml:4:13"]);
    asked("green_points=[0]", "green_pionts=[0]", &["has no `green_pionts`", "--> game.toml:5:29", "did you mean"]);
    asked("players  = 2", "players  = 99", &["for 2 to 6 players, not 99", "--> game.toml:6:12"]);
}
