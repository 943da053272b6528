//! Rules that are sent from one designer to another: each has a folder and a home of their own.

use super::*;
use std::thread;
use std::time::Duration;

const LUCKY: &str = r#"houserule = "0.1"
id      = "lucky"
game    = "up-or-down"
name    = "Lucky sevens"
version = "1.0.0"
author  = "Ada"
licence = "CC0-1.0"
text.lucky_seven = { en = "lucky seven", ja = "ラッキーセブン" }
[script]
rhai = '''
fn score_column(p, column) {
    super(p, column);
    for card in column {
        if card.number % 10 == 7 { p.award(2, "lucky_seven", card); }
    }
}
'''
"#;

const SCENARIO: &str = r#"houserule = "0.1"
id       = "lucky"
title    = "7 and 17 pay 2 points each"
game     = "up-or-down"
variants = ["lucky"]
players  = 2
given.p1.columns = [[7, 17, 20], [], []]
when.call = "score_column(p1, p1.columns[1])"
[[then]]
awards = ["p1 3 column", "p1 2 lucky_seven", "p1 2 lucky_seven"]
"#;

/// A designer's machine.
struct Machine(Folder);

impl Machine {
    fn new() -> Self {
        let folder = Folder::new();
        for part in ["variants/up-or-down", "tests/scenarios/up-or-down"] {
            std::fs::create_dir_all(folder.0.join(part)).unwrap();
        }
        Self(folder)
    }

    fn with_lucky() -> Self {
        let machine = Self::new();
        machine.0.write("variants/up-or-down/lucky.toml", LUCKY);
        machine.0.write("tests/scenarios/up-or-down/lucky.toml", SCENARIO);
        machine
    }

    fn command(&self, line: &str) -> Command {
        let mut command = program_at(&self.0.0, &self.0);
        command.args(line.split_whitespace()).stdin(Stdio::null());
        command
    }

    /// The exit code, and everything that was written.
    fn run(&self, line: &str) -> (i32, String) {
        let output = self.command(line).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap_or(-1), text(output.stdout) + text(output.stderr).as_str())
    }

    /// What a command writes that has to succeed.
    #[track_caller]
    fn told(&self, line: &str) -> String {
        let (code, told) = self.run(line);
        assert_eq!(code, 0, "{line}\n{told}");
        told
    }

    /// What a command writes that has to fail, with all of these words.
    #[track_caller]
    fn refused(&self, line: &str, wanted: i32, words: &[&str]) {
        let (code, told) = self.run(line);
        assert_eq!(code, wanted, "{line}\n{told}");
        for word in words {
            assert!(told.contains(word), "{line}: no `{word}` in\n{told}");
        }
    }

    fn send(&self, file: &str, other: &Machine) {
        other.0.write(file, self.0.read(file));
    }

    /// Where the program keeps what is there in every folder.
    fn data(&self) -> PathBuf {
        let place = if cfg!(windows) { "AppData/Roaming/houserule" } else { ".local/share/houserule" };
        self.0.0.join("home").join(place)
    }

    fn installed(&self) -> PathBuf {
        self.data().join("packs")
    }
}

#[test]
fn a_variant_goes_to_a_friend_and_comes_back_as_version_two() {
    let (ada, bob) = (Machine::with_lucky(), Machine::new());
    let told = ada.told("pack lucky");
    assert!(told.contains("checked; 1 scenario passed"), "{told}");
    assert!(told.contains("wrote lucky.pack.toml: up-or-down/lucky 1.0.0, 1 variant, 1 scenario"), "{told}");
    ada.send("lucky.pack.toml", &bob);

    // Bob looks, plays, installs.
    let shown = bob.told("show lucky.pack.toml");
    for words in
        ["Lucky sevens", "up-or-down/lucky 1.0.0", "Ada", "CC0-1.0", "extends   score_column(p, column) of game"]
    {
        assert!(shown.contains(words), "no `{words}` in\n{shown}");
    }
    assert!(bob.told("sim lucky.pack.toml -n 20").contains("20"), "it plays without being installed");
    assert!(bob.told("test lucky.pack.toml").contains("1"), "its scenarios run where it lies");
    // Every command that takes a game takes a pack, also as one of several variants.
    for line in [
        "check lucky.pack.toml",
        "trace lucky.pack.toml",
        "compare lucky.pack.toml -n 10",
        "compare up-or-down -v lucky.pack.toml -v greenhorn -n 10",
        "ladder lucky.pack.toml --rungs random,greedy -n 4",
        "hunt lucky.pack.toml -n 3",
        "diff up-or-down --vs lucky.pack.toml",
        "doc lucky.pack.toml --md",
    ] {
        let (code, told) = bob.run(line);
        assert!(code == 0 || code == 1, "{line}: {code}\n{told}");
    }
    assert!(bob.0.read("up-or-down.md").contains("Lucky sevens"));
    bob.refused("play up-or-down -v lucky", 2, &["there is no variant `lucky` of `up-or-down`"]);
    let told = bob.told("install lucky.pack.toml");
    assert!(told.contains("installed up-or-down/lucky 1.0.0: 1 variant, 1 scenario"), "{told}");
    bob.refused("install lucky.pack.toml", 1, &["`up-or-down/lucky 1.0.0` is installed already"]);
    std::fs::remove_file(bob.0.0.join("lucky.pack.toml")).unwrap();
    assert!(bob.told("list --installed").contains("up-or-down/lucky 1.0.0"));
    assert!(bob.told("play up-or-down -v lucky").contains("lucky"));

    // What is installed packs again to the same bytes.
    bob.told("pack up-or-down/lucky -o again.toml");
    assert_eq!(bob.0.read("again.toml"), ada.0.read("lucky.pack.toml"));

    // Bob makes files of it, changes them, and sends them back.
    bob.told("unpack lucky");
    assert_eq!(bob.0.read("variants/up-or-down/lucky.toml"), LUCKY);
    assert_eq!(bob.0.read("tests/scenarios/up-or-down/lucky.toml"), SCENARIO);
    assert!(bob.told("unpack lucky").contains("everything is there already"));
    bob.0.edit("variants/up-or-down/lucky.toml", "award(2,", "award(3,");
    bob.0.edit("variants/up-or-down/lucky.toml", "1.0.0", "2.0.0");
    bob.refused("unpack lucky", 2, &["already exists, and is different", "nothing was written"]);
    bob.refused("pack lucky", 1, &["tests/scenarios/up-or-down/lucky.toml:", "nothing was written", "--unchecked"]);
    assert!(!bob.0.0.join("lucky.pack.toml").exists());
    bob.0.edit("tests/scenarios/up-or-down/lucky.toml", "2 lucky_seven", "3 lucky_seven");
    bob.told("pack lucky");

    // Ada has the first installed, and takes the second.
    ada.told("install lucky.pack.toml");
    std::fs::remove_dir_all(ada.0.0.join("variants")).unwrap();
    bob.send("lucky.pack.toml", &ada);
    ada.refused("install lucky.pack.toml", 1, &["houserule update lucky.pack.toml"]);
    let tried = ada.told("update lucky.pack.toml --dry-run");
    assert!(tried.contains("would update up-or-down/lucky 1.0.0 to up-or-down/lucky 2.0.0"), "{tried}");
    let told = ada.told("update lucky.pack.toml");
    for words in
        ["updated up-or-down/lucky 1.0.0", "award(2,", "award(3,", "changed: tests/scenarios/up-or-down/lucky.toml"]
    {
        assert!(told.contains(words), "no `{words}` in\n{told}");
    }
    assert!(ada.told("list --installed").contains("2.0.0"));
    ada.told("uninstall lucky");
    ada.refused("uninstall lucky", 2, &["installed pack"]);
    ada.refused("play up-or-down -v lucky", 2, &["no variant `lucky`"]);
}

#[test]
fn equal_rules_give_equal_bytes_wherever_they_lie() {
    let (ada, bob) = (Machine::with_lucky(), Machine::with_lucky());
    ada.told("pack lucky");
    bob.told("pack variants/up-or-down/lucky.toml -o elsewhere.toml");
    assert_eq!(ada.0.read("lucky.pack.toml"), bob.0.read("elsewhere.toml"));
    let piped = ada.command("pack lucky -o -").output().unwrap();
    assert_eq!(String::from_utf8(piped.stdout).unwrap(), ada.0.read("lucky.pack.toml"));
}

#[test]
fn a_pack_that_was_changed_is_refused_until_it_is_packed_anew() {
    let ada = Machine::with_lucky();
    ada.told("pack lucky");
    ada.0.edit("lucky.pack.toml", "award(2,", "award(9,");
    for line in ["play lucky.pack.toml", "sim lucky.pack.toml", "update lucky.pack.toml", "install lucky.pack.toml"] {
        let (code, told) = ada.run(line);
        assert!(code != 0 && told.contains("is not as it was made"), "{line}: {code}\n{told}");
    }
    // It may be looked at, with a warning.
    let told = ada.told("show lucky.pack.toml");
    assert!(told.contains("is not as it was made") && told.contains("award(9,"), "{told}");
    ada.refused("pack lucky.pack.toml -o new.toml", 1, &["changed by hand", "lucky_seven", "--> lucky.pack.toml:"]);
    ada.told("pack lucky.pack.toml -o new.toml --unchecked");
    assert!(ada.told("show new.toml").contains("award(9,"));
}

#[test]
fn what_a_stranger_wrote_is_harmless_where_it_is_shown() {
    let (mallory, bob) = (Machine::with_lucky(), Machine::new());
    let lucky = "variants/up-or-down/lucky.toml";
    // A script beside the file has what it has, character for character.
    let (head, script) = LUCKY.split_once("[script]\nrhai = '''\n").unwrap();
    let head =
        head.replace("Lucky sevens", r"\u001b[2JLucky \u202esneves").replace("Ada", r"Ada\u0007\u001b]0;mine\u0007");
    mallory.0.write(lucky, head);
    mallory.0.write(
        "variants/up-or-down/lucky.rhai",
        script.replace("'''\n", "").replace("fn score_column", "// \u{1b}[31m\u{202e}\nfn score_column"),
    );
    mallory.told("pack lucky --unchecked");
    mallory.send("lucky.pack.toml", &bob);
    for line in [
        "show lucky.pack.toml",
        "show lucky.pack.toml --json",
        "install lucky.pack.toml",
        "list --installed",
        "play up-or-down -v lucky",
    ] {
        let (_, told) = bob.run(line);
        let is_harmful =
            |letter: char| letter != '\n' && (letter.is_control() || ('\u{202a}'..='\u{202e}').contains(&letter));
        assert!(!told.chars().any(is_harmful), "{line}: {told:?}");
    }
}

#[test]
fn a_pack_that_would_hide_rules_or_lacks_some_is_not_installed() {
    let (ada, bob) = (Machine::with_lucky(), Machine::new());
    ada.told("pack lucky");
    ada.send("lucky.pack.toml", &bob);
    // What is a file of the user's own under the same name stays in force.
    let own = bob.data().join("variants/up-or-down");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("lucky.toml"), LUCKY.replace("2,", "5,")).unwrap();
    bob.refused(
        "install lucky.pack.toml",
        1,
        &["variants/up-or-down/lucky.toml` already exists, and is different", "one would hide the other"],
    );
    std::fs::remove_dir_all(own).unwrap();
    bob.told("install lucky.pack.toml");
    // And a pack with a path that leads elsewhere is none.
    let text = ada.0.read("lucky.pack.toml");
    for path in ["../../.ssh/authorized_keys", "/etc/passwd", "variants/up-or-down/../../../x.toml"] {
        bob.0.write("evil.pack.toml", text.replace("variants/up-or-down/lucky.toml", path));
        for line in ["show evil.pack.toml", "install evil.pack.toml", "unpack evil.pack.toml", "play evil.pack.toml"] {
            bob.refused(line, 2, &["cannot be a path in a pack", "it leads out of the pack"]);
        }
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link_that_leads_elsewhere() {
    let (ada, bob) = (Machine::with_lucky(), Machine::new());
    ada.told("pack lucky");
    ada.send("lucky.pack.toml", &bob);
    let elsewhere = bob.0.0.join("elsewhere");
    std::fs::create_dir_all(&elsewhere).unwrap();
    std::fs::remove_dir(bob.0.0.join("variants/up-or-down")).unwrap();
    std::os::unix::fs::symlink(&elsewhere, bob.0.0.join("variants/up-or-down")).unwrap();
    bob.refused("unpack lucky.pack.toml", 2, &["is a link, which may lead elsewhere", "nothing was written"]);
    assert!(std::fs::read_dir(&elsewhere).unwrap().next().is_none());
    assert!(!bob.0.0.join("tests/scenarios/up-or-down/lucky.toml").exists(), "half of it was written");
}

/// Whoever is killed leaves the old or the new: at any moment of packing, installing and updating.
#[test]
fn a_kill_at_any_moment_leaves_the_old_or_the_new() {
    let (ada, bob) = (Machine::with_lucky(), Machine::new());
    ada.told("pack lucky");
    let old = ada.0.read("lucky.pack.toml");
    ada.0.edit("variants/up-or-down/lucky.toml", "1.0.0", "1.1.0");
    ada.told("pack lucky -o new.pack.toml");
    let new = ada.0.read("new.pack.toml");
    bob.0.write("old.pack.toml", &old);
    bob.0.write("new.pack.toml", &new);
    bob.told("install old.pack.toml");
    let kept = bob.installed().join("up-or-down+lucky.pack.toml");
    for moment in 0..24_u64 {
        std::fs::write(&kept, &old).unwrap();
        let mut update =
            bob.command("update new.pack.toml").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut pack = ada.command("pack lucky").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(moment * 12));
        let _ = (update.kill(), pack.kill());
        let _ = (update.wait(), pack.wait());
        let found = std::fs::read_to_string(&kept).unwrap();
        assert!(found == old || found == new, "after {} ms:\n{found}", moment * 12);
        let written = ada.0.read("lucky.pack.toml");
        assert!(written == old || written == new, "after {} ms:\n{written}", moment * 12);
        // Nobody is kept out by the lock of who was killed.
        let told = bob.told("list --installed");
        assert!(told.contains("up-or-down/lucky 1."), "{told}");
    }
    bob.told("update new.pack.toml");
}

#[test]
fn two_programs_that_install_at_once_do_not_harm_each_other() {
    let (ada, bob) = (Machine::with_lucky(), Machine::new());
    ada.told("pack lucky");
    ada.send("lucky.pack.toml", &bob);
    let children: Vec<_> = (0..4)
        .map(|_| bob.command("install lucky.pack.toml").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
        .collect();
    let codes: Vec<i32> =
        children.into_iter().map(|child| child.wait_with_output().unwrap().status.code().unwrap()).collect();
    assert_eq!(codes.iter().filter(|code| **code == 0).count(), 1, "{codes:?}");
    assert!(codes.iter().all(|code| [0, 1].contains(code)), "{codes:?}");
    let kept = bob.installed().join("up-or-down+lucky.pack.toml");
    assert_eq!(std::fs::read_to_string(kept).unwrap(), ada.0.read("lucky.pack.toml"));
}

#[test]
fn bad_input_is_told() {
    let ada = Machine::with_lucky();
    for (line, code, words) in [
        ("pack lucki", 2, &["game or variant", "lucky"][..]),
        ("pack up-or-down hearts", 2, &["a pack is of one game"]),
        ("pack lucky -p 40", 2, &["2 to"]),
        ("pack nothing.toml", 2, &["nothing.toml"]),
        ("pack lucky -o no/such/folder.toml", 2, &["no/such"]),
        ("install nothing.pack.toml", 2, &["cannot read `nothing.pack.toml`"]),
        ("install variants/up-or-down/lucky.toml", 2, &["is not a pack", "houserule pack"]),
        ("uninstall lucky", 2, &["installed pack"]),
        ("unpack lucky", 2, &["installed pack"]),
        ("update nothing", 2, &["nothing.pack.toml"]),
        ("show nothing.pack.toml", 2, &["nothing.pack.toml"]),
    ] {
        ada.refused(line, code, words);
    }
    ada.0.write("mine.toml", "mine = 1\n");
    ada.refused("pack lucky -o mine.toml", 2, &["mine.toml"]);
    assert_eq!(ada.0.read("mine.toml"), "mine = 1\n");
    ada.told("pack lucky -o mine.toml --force");
}

#[test]
fn a_file_whose_name_no_pack_can_have_is_told_by_its_own_name() {
    let ada = Machine::with_lucky();
    told_by(ada.command("play up-or-down -v lucky -p 2 -s 3"), b"auto 2\nsave game.toml\n".to_vec()).fine();
    for name in ["日本.toml", "qu'ote.toml", "con.toml"] {
        ada.0.write(name, ada.0.read("game.toml"));
        let told = told_by(ada.command(&format!("pack {name}")), Vec::new());
        let expected = format!("error: `{name}` has a name that no file in a pack can have");
        assert!(told.code == 2 && told.stderr.contains(&expected), "{}", told.stderr);
        assert!(told.stderr.contains("rename it: ") && !told.stderr.contains("-->"), "{}", told.stderr);
    }
    ada.told("pack game.toml");
    ada.0.write("tests/scenarios/up-or-down/日本.toml", SCENARIO);
    ada.refused("pack lucky", 2, &["tests/scenarios/up-or-down/日本.toml` has a name that no file in a pack can have"]);
}

#[test]
fn what_a_pack_does_not_say_is_asked_for_and_nothing_else() {
    let ada = Machine::with_lucky();
    assert!(!ada.told("pack lucky").contains("does not say"));
    ada.0.edit("variants/up-or-down/lucky.toml", "licence = \"CC0-1.0\"\n", "");
    let told = ada.told("pack lucky");
    assert!(told.contains("does not say its licence"), "{told}");
    assert!(told.contains("write `licence = \"…\"` at its top") && !told.contains("version ="), "{told}");
    ada.0.edit("variants/up-or-down/lucky.toml", "version = \"1.0.0\"\n", "");
    let told = ada.told("pack lucky");
    assert!(told.contains("write `version = \"1.0.0\"` and `licence = \"…\"` at its top"), "{told}");
}

#[test]
fn a_pack_is_unpacked_into_a_folder_that_is_not_there_yet() {
    let (ada, bob) = (Machine::with_lucky(), Machine::new());
    ada.told("pack lucky");
    ada.send("lucky.pack.toml", &bob);
    let told = bob.told("unpack lucky.pack.toml --dir un/packed");
    assert!(told.contains("wrote un/packed/variants/up-or-down/lucky.toml"), "{told}");
    assert_eq!(bob.0.read("un/packed/variants/up-or-down/lucky.toml"), LUCKY);
    bob.told("play up-or-down -v lucky --dir un/packed");
    // For whoever only reads it, a folder that is not there is a slip of the finger.
    bob.refused("check --dir nowhere", 2, &["there is no folder `nowhere`"]);
    bob.refused("unpack lucky.pack.toml --dir lucky.pack.toml", 2, &["there is no folder `lucky.pack.toml`"]);
    assert!(!bob.0.0.join("nowhere").exists());
}

#[test]
fn what_cannot_be_written_says_where_else_it_can_go() {
    let ada = Machine::new();
    ada.0.write("scripts", "no folder\n");
    ada.refused("new library bids", 2, &["scripts/bids.toml` cannot be written", "`--dir FOLDER`"]);
    ada.0.write("elsewhere", "no folder\n");
    ada.refused("unpack trick", 2, &["cannot be written", "`--dir FOLDER`"]);
}

#[test]
fn whoever_installs_is_told_of_own_rules_that_come_first() {
    let (ada, bob) = (Machine::with_lucky(), Machine::new());
    ada.told("pack lucky");
    ada.send("lucky.pack.toml", &bob);
    let first = "in this folder, your own rules come before those of the pack: `variants/up-or-down/lucky.toml`";
    let told = ada.told("install lucky.pack.toml");
    assert!(told.contains(first) && told.contains("`houserule show up-or-down` shows which files"), "{told}");
    let told = bob.told("install lucky.pack.toml");
    assert!(!told.contains("come before"), "{told}");
    // The same after an update.
    for machine in [&ada, &bob] {
        machine.told("uninstall lucky");
        machine.told("install lucky.pack.toml");
    }
    ada.0.edit("variants/up-or-down/lucky.toml", "1.0.0", "1.1.0");
    ada.told("pack lucky");
    assert!(ada.told("update lucky.pack.toml").contains(first));
}

/// A game, and a variant of it whose pack carries the game.
fn smugglers() -> Machine {
    let machine = Machine::new();
    machine.told("new game smugglers");
    machine.told("new variant smugglers bribe");
    machine.0.edit("variants/smugglers/bribe.toml", "// fn turn(p) { super(p) }", "fn turn(p) { super(p); }");
    machine
}

#[test]
fn a_game_that_came_with_a_variant_is_replaced_without_going_in_a_circle() {
    let (ada, bob) = (smugglers(), Machine::new());
    ada.told("pack bribe");
    ada.0.edit("games/smugglers/game.toml", "0.1.0", "0.2.0");
    ada.told("pack smugglers -o s2.toml");
    ada.send("bribe.pack.toml", &bob);
    ada.send("s2.toml", &bob);
    bob.told("install bribe.pack.toml");
    // Both commands say with what it came, and the same way on.
    for command in ["update s2.toml", "install s2.toml"] {
        let words = [
            "the installed pack `smugglers/bribe` has `games/smugglers/game.toml` too, and it is different",
            "`houserule unpack smugglers/bribe --dir FOLDER`",
            "`houserule uninstall smugglers/bribe`",
            "`houserule install s2.toml`",
            "`houserule play smugglers -v FOLDER/variants/smugglers/bribe.toml`",
        ];
        bob.refused(command, 1, &words);
    }
    // That way leads there, and nothing is lost.
    bob.told("unpack smugglers/bribe --dir kept");
    bob.told("uninstall smugglers/bribe");
    bob.told("install s2.toml");
    assert!(bob.told("show smugglers").contains("version    0.2.0"));
    assert!(bob.told("play smugglers -v kept/variants/smugglers/bribe.toml").contains("bribe"));
}

#[test]
fn a_game_and_its_variant_that_are_both_installed_can_both_be_updated() {
    let (ada, bob) = (smugglers(), Machine::new());
    for (number, version) in [(1, "0.1.0"), (2, "0.2.0")] {
        ada.0.edit("games/smugglers/game.toml", "0.1.0", version);
        ada.told(&format!("pack smugglers -o s{number}.toml"));
        ada.told(&format!("pack bribe -o b{number}.toml"));
        [format!("s{number}.toml"), format!("b{number}.toml")].iter().for_each(|file| ada.send(file, &bob));
    }
    bob.told("install s1.toml");
    bob.told("install b1.toml");
    bob.refused("update s2.toml", 1, &["`houserule uninstall smugglers/bribe`", "`houserule update s2.toml`"]);
    bob.refused("update b2.toml", 1, &["`houserule uninstall smugglers`", "`houserule update b2.toml`"]);
    bob.told("uninstall smugglers/bribe");
    bob.told("update s2.toml");
    bob.told("install b2.toml");
    assert!(bob.told("play smugglers -v bribe").contains("bribe"));
}

#[test]
fn a_game_that_goes_along_with_its_variant_brings_its_scenarios() {
    let told = smugglers().told("pack bribe");
    assert!(told.contains("1 game, 1 variant, 1 scenario"), "{told}");
}

/// A pack that lacks something without a word is sent, and its maker believes that it has everything.
#[test]
fn nothing_is_left_out_of_a_pack_in_silence() {
    let ada = smugglers();
    let rulebook = ada.0.0.join("games/smugglers/rulebook.toml");
    let refused = |words: &[&str]| {
        for line in ["pack smugglers", "pack smugglers --unchecked", "pack bribe --unchecked"] {
            ada.refused(line, 2, words);
        }
        assert!(!ada.0.0.join("smugglers.pack.toml").exists() && !ada.0.0.join("bribe.pack.toml").exists());
    };
    std::fs::write(&rulebook, b"a\xffb").unwrap();
    refused(&["`games/smugglers/rulebook.toml` is not UTF-8"]);
    std::fs::remove_file(&rulebook).unwrap();
    std::fs::create_dir(&rulebook).unwrap();
    refused(&["`games/smugglers/rulebook.toml` is a folder"]);
    std::fs::remove_dir(&rulebook).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere", &rulebook).unwrap();
        refused(&["cannot read `games/smugglers/rulebook.toml`"]);
        std::fs::remove_file(&rulebook).unwrap();
    }
    // A scenario that nobody can read is a test that nobody runs.
    for (bytes, words) in [(&b"id = '\xff'\n"[..], "is not UTF-8"), (b"id = \n", "own.toml:1"), (b"idd = 1\n", "`idd`")]
    {
        std::fs::write(ada.0.0.join("tests/scenarios/smugglers/own.toml"), bytes).unwrap();
        for line in ["pack smugglers", "pack bribe"] {
            ada.refused(line, 1, &["own.toml", words, "nothing was written; `--unchecked` leaves it out"]);
        }
        assert!(!ada.0.0.join("smugglers.pack.toml").exists());
        let told = ada.told("pack smugglers --unchecked");
        assert!(told.contains(words) && told.contains("it is left out of the pack"), "{told}");
        assert!(told.contains("warning: ") && told.contains("1 game, 1 scenario"), "{told}");
        std::fs::remove_file(ada.0.0.join("smugglers.pack.toml")).unwrap();
    }
    // What lies in the folder of another game is none of this one's.
    std::fs::rename(ada.0.0.join("tests/scenarios/smugglers/own.toml"), ada.0.0.join("tests/scenarios/own.toml"))
        .unwrap();
    ada.told("pack smugglers");
}

#[test]
fn what_is_wrong_with_a_pack_is_told_of_the_files_that_are_there() {
    let ada = Machine::new();
    for part in ["project/variants/up-or-down", "project/tests/scenarios/up-or-down"] {
        std::fs::create_dir_all(ada.0.0.join(part)).unwrap();
    }
    let (lucky, scenario) = ("project/variants/up-or-down/lucky.toml", "project/tests/scenarios/up-or-down/lucky.toml");
    ada.0.write(lucky, LUCKY);
    ada.0.write(scenario, SCENARIO.replace("2 lucky_seven", "3 lucky_seven"));
    ada.refused("pack lucky --dir project", 1, &[&format!("--> {scenario}:")]);
    ada.0.write(scenario, SCENARIO);
    ada.0.edit(lucky, "[script]", "looks.card.size = '0x0'\n[script]");
    ada.refused("pack lucky --dir project", 1, &["a card of 0x0 mm", &format!("--> {lucky}:")]);
    ada.0.write("mine.toml", ada.0.read(lucky).replace("\"lucky\"", "\"mine\""));
    ada.refused("pack mine.toml", 1, &["a card of 0x0 mm", "--> mine.toml:"]);
}

/// A link in a folder that somebody sent leads a pack to what lies elsewhere on the disk.
#[cfg(unix)]
#[test]
fn no_text_of_a_pack_comes_from_elsewhere() {
    let (ada, elsewhere) = (smugglers(), Machine::new());
    let game = ada.0.0.join("games/smugglers");
    let linked = |path: &str, target: &Path| {
        let path = ada.0.0.join(path);
        let _ = std::fs::remove_file(&path);
        std::os::unix::fs::symlink(target, path).unwrap();
    };
    let refused = |line: &str, file: &str| {
        let words = [&*format!("`{file}` is a link that leads elsewhere"), "put a copy there"];
        ada.refused(&format!("{line} -o refused.toml"), 2, &words);
        assert!(!ada.0.0.join("refused.toml").exists());
    };
    elsewhere.0.write("secret.toml", "[[rulebook]]\nid = 'aim'\ntitle = 'Aim'\ntext = 'Secret.'\n");
    linked("games/smugglers/rulebook.toml", &elsewhere.0.0.join("secret.toml"));
    refused("pack smugglers --unchecked", "games/smugglers/rulebook.toml");
    // Within the project, a link leads nowhere else.
    ada.0.write("games/rulebook.toml", elsewhere.0.read("secret.toml"));
    linked("games/smugglers/rulebook.toml", Path::new("../rulebook.toml"));
    ada.told("pack smugglers --unchecked");
    std::fs::rename(game.join("rules.rhai"), elsewhere.0.0.join("rules.rhai")).unwrap();
    linked("games/smugglers/rules.rhai", &elsewhere.0.0.join("rules.rhai"));
    refused("pack smugglers", "games/smugglers/rules.rhai");
    std::fs::copy(elsewhere.0.0.join("rules.rhai"), ada.0.0.join("rules.rhai")).unwrap();
    linked("games/smugglers/rules.rhai", Path::new("../../rules.rhai"));
    let scenario =
        std::fs::read_dir(ada.0.0.join("tests/scenarios/smugglers")).unwrap().next().unwrap().unwrap().path();
    std::fs::rename(&scenario, elsewhere.0.0.join("scenario.toml")).unwrap();
    linked("tests/scenarios/smugglers/own.toml", &elsewhere.0.0.join("scenario.toml"));
    ada.refused("pack smugglers", 1, &["`tests/scenarios/smugglers/own.toml` is a link that leads elsewhere"]);
    assert!(ada.told("pack smugglers --unchecked").contains("smugglers 0.1.0, 1 game\n"));
    // A variant that somebody names may lie anywhere, and be called from anywhere; its script lies beside it.
    elsewhere.0.write("lucky.toml", LUCKY.split_once("[script]").unwrap().0);
    elsewhere.0.write("secret.rhai", "fn turn(p) { super(p); }\n");
    linked("lucky.toml", &elsewhere.0.0.join("lucky.toml"));
    linked("lucky.rhai", &elsewhere.0.0.join("secret.rhai"));
    refused("pack lucky.toml --unchecked", "lucky.rhai");
    std::fs::remove_file(ada.0.0.join("lucky.rhai")).unwrap();
    ada.told("pack lucky.toml --unchecked");
}

/// Rules that nobody would want.
const GREEDY: &str = r#"houserule = "0.1"
id = "greedy"
game = "up-or-down"
name = "Greedy"
about = "Ada wins."
[script]
rhai = """
fn score_column(p, column) { super(p, column); p.award(100, "column"); }
"""
"#;

/// The path of such a variant in a pack.
const GREEDY_PATH: &str = "variants/up-or-down/greedy.toml";

/// A pack with one text more, as somebody writes it in by hand.
fn holding(pack: &str, path: &str, text: &str) -> String {
    let (before, check) = pack.split_once("\n[check]\n").unwrap();
    format!("{before}\n[[files]]\npath = \"{path}\"\ntext = '''\n{text}'''\n\n[check]\n{check}")
}

/// A pack with the checksum that is right for it, as somebody sends it who means harm.
fn signed(pack: &str) -> String {
    houserule::Pack::parse(&houserule::Source::new("sent.pack.toml", pack)).unwrap().pack.to_toml()
}

#[test]
fn a_pack_cannot_hide_rules_beside_those_that_it_recommends() {
    let (ada, bob) = (Machine::with_lucky(), Machine::new());
    ada.told("pack lucky");
    let lucky = ada.0.read("lucky.pack.toml");
    let two = signed(&holding(&lucky, GREEDY_PATH, GREEDY));
    bob.0.write("lucky.pack.toml", &lucky);
    bob.0.write("two.pack.toml", &two);
    let shown = bob.told("show two.pack.toml");
    for words in
        ["in the pack, but not in the game that it recommends", "greedy  Ada wins.", "p.award(100, \"column\")"]
    {
        assert!(shown.contains(words), "no `{words}` in\n{shown}");
    }
    let json = bob.told("show two.pack.toml --json");
    assert!(json.contains(&format!("\"not_in_play\":[\"{GREEDY_PATH}\"]")) && json.contains("p.award(100"), "{json}");
    // It can be installed, for whoever has seen it; an update shows it too.
    bob.told("install lucky.pack.toml");
    assert!(bob.told("update two.pack.toml --dry-run").contains("p.award(100"));
    // What cannot be used, or is used by nothing, is not installed.
    for (path, text, words) in [
        (
            "scripts/idle.rhai",
            "fn f() { }\n".to_owned(),
            "the pack holds `scripts/idle.rhai`, which nothing in it uses",
        ),
        (GREEDY_PATH, GREEDY.replace("super(p", "supper(p"), "supper"),
        ("variants/nowhere/greedy.toml", GREEDY.replace("up-or-down", "nowhere"), "no game `nowhere`"),
    ] {
        bob.0.write("bad.pack.toml", signed(&holding(&lucky, path, &text)));
        bob.refused("show bad.pack.toml", 1, &[words]);
        bob.refused("update bad.pack.toml", 1, &[words, "nothing was installed"]);
        bob.told("uninstall lucky");
        bob.refused("install bad.pack.toml", 1, &[words, "nothing was installed"]);
        bob.told("install lucky.pack.toml");
    }
    // What a pack is called after is what it plays, and it is called so.
    let renamed = two.replacen("\"up-or-down/lucky\"", "\"up-or-down/greedy\"", 1);
    bob.0.write("bad.pack.toml", signed(&renamed));
    bob.refused(
        "show bad.pack.toml",
        2,
        &["the game that it recommends does not use `variants/up-or-down/greedy.toml`"],
    );
    bob.0.write("bad.pack.toml", signed(&lucky.replacen("\"Lucky sevens\"", "\"Free money\"", 1)));
    bob.refused("show bad.pack.toml", 2, &["the head of the pack gives the name `Free money`", "`Lucky sevens`"]);
}

#[test]
fn a_pack_that_was_changed_is_packed_again_with_all_that_it_holds() {
    let ada = Machine::with_lucky();
    ada.told("pack lucky");
    let lucky = ada.0.read("lucky.pack.toml");
    let other = SCENARIO.replace("id       = \"lucky\"", "id       = \"lucky-again\"");
    let changed = holding(&holding(&lucky, GREEDY_PATH, GREEDY), "tests/scenarios/pig/lucky.toml", &other);
    ada.0.write("lucky.pack.toml", &changed);
    assert!(ada.told("pack lucky.pack.toml").contains("up-or-down/lucky 1.0.0, 2 variants, 2 scenarios"));
    assert_eq!(ada.0.read("lucky.pack.toml"), signed(&ada.0.read("lucky.pack.toml")), "its checksum is right");
    for path in ["lucky.toml", "greedy.toml"].map(|file| format!("variants/up-or-down/{file}")) {
        assert!(ada.0.read("lucky.pack.toml").contains(&format!("path = \"{path}\"")), "{path} is lost");
    }
    for folder in ["up-or-down", "pig"] {
        let path = format!("path = \"tests/scenarios/{folder}/lucky.toml\"");
        assert!(ada.0.read("lucky.pack.toml").contains(&path), "{path} is lost");
    }
    // Where something cannot be kept, nothing is written.
    let changed = holding(&lucky, "scripts/idle.rhai", "fn f() { }\n");
    ada.0.write("lucky.pack.toml", &changed);
    ada.refused("pack lucky.pack.toml", 2, &["`scripts/idle.rhai`, which nothing in it uses", "nothing was written"]);
    assert_eq!(ada.0.read("lucky.pack.toml"), changed);
}

#[test]
fn a_pack_adds_to_its_own_game_and_to_no_other() {
    let (ada, bob) = (Machine::with_lucky(), Machine::new());
    std::fs::create_dir_all(ada.0.0.join("variants/any")).unwrap();
    ada.0.write("variants/any/plain.toml", "id = 'plain'\ngames = ['pig', 'kalah']\nname = 'Plain'\n");
    for (rules, file) in [
        ("lucky", "lucky.pack.toml"),
        ("gin-rummy -v play-to", "gin.pack.toml"),
        ("pig", "pig.pack.toml"),
        ("pig -v hog", "hog.pack.toml"),
        ("pig -v plain", "plain.pack.toml"),
    ] {
        ada.told(&format!("pack {rules} -o {file} --unchecked"));
        ada.send(file, &bob);
    }
    // Hearts has a variant with the same id, and that is another one.
    let words =
        ["`gin.pack.toml` is a pack of `gin-rummy`, and has no variant of `hearts`", "houserule play gin.pack.toml"];
    for command in ["play", "check", "sim", "compare", "diff", "trace", "doc --md x.md", "show"] {
        bob.refused(&format!("{command} hearts -v gin.pack.toml"), 2, &words);
    }
    bob.refused("diff hearts --vs gin.pack.toml", 2, &words);
    bob.refused("check pig -v pig.pack.toml", 2, &["`pig.pack.toml` adds no variant: it is a pack of the game `pig`"]);
    bob.refused("check hearts -v plain.pack.toml", 2, &["has no variant of `hearts`"]);
    // A variant for several games goes with each, and one of a game with those that are laid over it.
    std::fs::create_dir_all(bob.0.0.join("games/sow")).unwrap();
    bob.0.write("games/sow/game.toml", "id = 'sow'\nname = 'Sow'\nbase = 'pig'\n");
    for line in ["show kalah -v plain.pack.toml", "show pig -v plain.pack.toml", "show sow -v hog.pack.toml"] {
        bob.told(line);
    }
    assert!(bob.told("show up-or-down -v lucky.pack.toml").contains("* lucky"));
    // A pack itself is shown as it is, and the command that is proposed works.
    let words = ["a pack is shown as it is", "`houserule check up-or-down -v lucky.pack.toml -v VARIANT`"];
    bob.refused("show lucky.pack.toml -v greenhorn", 2, &words);
    bob.told("check up-or-down -v lucky.pack.toml -v greenhorn");
}

#[test]
fn what_a_file_is_does_not_depend_on_words_in_its_texts() {
    let ada = Machine::with_lucky();
    let about = "name    = \"Lucky\"\nabout = '''\npack your bags\npack = 1\nformat of the rounds\nformat = 1\n'''";
    ada.0.edit("variants/up-or-down/lucky.toml", "name    = \"Lucky sevens\"", about);
    for command in ["show", "play", "pack"] {
        let told = ada.told(&format!("{command} variants/up-or-down/lucky.toml"));
        assert!(told.contains("lucky"), "{told}");
    }
    // Of a file that is damaged, the words tell.
    ada.0.write("saved.toml", "format   = 5\ngame =\n");
    ada.0.write("sent.toml", "id =\npack = 1\n");
    for (file, line) in [("saved.toml", "saved.toml:2"), ("sent.toml", "sent.toml:1")] {
        ada.refused(&format!("play {file}"), 2, &[line]);
    }
}

#[test]
fn what_fails_to_install_or_update_leaves_no_folder_and_waits_for_nobody() {
    let (ada, bob) = (Machine::with_lucky(), Machine::new());
    ada.told("pack lucky");
    ada.send("lucky.pack.toml", &bob);
    ada.0.edit("variants/up-or-down/lucky.toml", "1.0.0", "1.1.0");
    ada.told("pack lucky -o newer.pack.toml");
    ada.send("newer.pack.toml", &bob);
    bob.refused("update lucky.pack.toml", 1, &["is not installed", "houserule install lucky.pack.toml"]);
    bob.refused("update lucky.pack.toml --dry-run", 1, &["is not installed"]);
    bob.refused("install nothing.pack.toml", 2, &["cannot read"]);
    assert!(!bob.installed().exists());
    bob.told("install lucky.pack.toml");
    let told = bob.told("update lucky.pack.toml --json");
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!((&told["updated"], &told["changes"]["functions"]), (&false.into(), &serde_json::json!([])));
    // Whoever only looks waits for nobody.
    let lock = std::fs::File::options().write(true).open(bob.installed().join(".lock")).unwrap();
    lock.lock().unwrap();
    assert!(bob.told("update newer.pack.toml --dry-run").contains("would update"));
    drop(lock);
    // What is damaged is taken away, and then the pack can be installed.
    let kept = bob.installed().join("up-or-down+lucky.pack.toml");
    std::fs::write(&kept, "damaged").unwrap();
    for command in ["install", "update"] {
        let words = [
            "is installed, and damaged",
            "`houserule uninstall up-or-down/lucky`",
            "`houserule install newer.pack.toml`",
        ];
        bob.refused(&format!("{command} newer.pack.toml"), 1, &words);
    }
    bob.told("uninstall up-or-down/lucky");
    bob.told("install newer.pack.toml");
}

#[test]
fn no_pack_is_installed_that_would_not_be_found() {
    let (ada, bob) = (Machine::with_lucky(), Machine::new());
    ada.told("pack lucky");
    ada.send("lucky.pack.toml", &bob);
    std::fs::create_dir_all(bob.installed()).unwrap();
    let filler = |number: usize| bob.installed().join(format!("a+n{number}.pack.toml"));
    (0..500).for_each(|number| std::fs::write(filler(number), "").unwrap());
    bob.refused("install lucky.pack.toml", 1, &["500 packs are installed", "houserule uninstall ID"]);
    std::fs::remove_file(filler(0)).unwrap();
    bob.told("install lucky.pack.toml");
    // One more than are looked at: what is named is found all the same.
    std::fs::write(filler(0), "").unwrap();
    bob.refused("install lucky.pack.toml", 1, &["is installed already"]);
    bob.told("uninstall up-or-down/lucky");
}

#[test]
fn variants_that_were_not_tried_together_with_a_pack_are_counted() {
    let (ada, bob) = (Machine::with_lucky(), Machine::new());
    ada.told("pack lucky");
    ada.send("lucky.pack.toml", &bob);
    for number in 0..65 {
        let text = format!("id = 'a{number}'\ngame = 'up-or-down'\nname = 'A'\nconflicts.lucky = 'no luck'\n");
        bob.0.write(&format!("variants/up-or-down/a{number}.toml"), text);
    }
    let told = bob.told("show lucky.pack.toml");
    assert!(told.contains("a5  no luck") && told.contains("more variants were not tried together with it"), "{told}");
    assert!(!bob.told("show lucky.pack.toml --json").contains("\"untried\":0"));
}

/// The command between backquotes in the line of an output that begins so, without the name of the program.
fn proposed(told: &str, beginning: &str) -> String {
    let line =
        told.lines().rfind(|line| line.starts_with(beginning)).unwrap_or_else(|| panic!("no {beginning}: {told}"));
    line.split('`').nth(1).unwrap().strip_prefix("houserule ").unwrap().to_owned()
}

#[test]
fn what_is_unpacked_is_packed_again_to_the_same_bytes_by_the_command_that_unpack_proposes() {
    let ada = Machine::with_lucky();
    ada.0.write("game.cmds", "auto 2\nsave saved.toml\nquit\n");
    let commands = std::fs::File::open(ada.0.0.join("game.cmds")).unwrap();
    assert!(ada.command("play up-or-down -v lucky -p 3 -s 5").stdin(commands).status().unwrap().success());
    for (number, line) in [
        "pack lucky",
        "pack lucky -p 4 -s 99",
        "pack lucky -v greenhorn -p 3",
        "pack lucky --set up-or-down.hand_size=4",
        "pack lucky saved.toml",
        "pack saved.toml",
    ]
    .iter()
    .enumerate()
    {
        ada.told(&format!("{line} -o p.pack.toml"));
        let again = proposed(&ada.told(&format!("unpack p.pack.toml --dir up{number}")), "later: ");
        ada.told(&format!("{again} -o again.pack.toml"));
        assert_eq!(ada.0.read("again.pack.toml"), ada.0.read("p.pack.toml"), "{line}: {again}");
    }
    ada.told("pack lucky -p 4 -s 99 -o p.pack.toml");
    let told = ada.told("unpack p.pack.toml --dir up");
    let last = "later: `houserule pack lucky -p 4 -s 99 --dir up` makes the same pack if you changed nothing\n";
    assert!(told.ends_with(last), "{told}");
}

#[test]
fn an_installed_pack_is_packed_again_to_the_same_bytes_by_every_name_that_it_has() {
    let (ada, bob) = (Machine::with_lucky(), Machine::new());
    ada.told("new game mine");
    ada.told("pack lucky -p 4 -s 99 -o lucky.pack.toml");
    ada.told("pack mine -p 3 -s 9 -o mine.pack.toml");
    for (pack, names) in [("lucky.pack.toml", ["lucky", "up-or-down/lucky"]), ("mine.pack.toml", ["mine", "mine"])] {
        ada.send(pack, &bob);
        bob.told(&format!("install {pack}"));
        for name in names {
            bob.told(&format!("pack {name} -o again.pack.toml --force"));
            assert_eq!(bob.0.read("again.pack.toml"), ada.0.read(pack), "{name}");
        }
    }
    // With more said, it is another pack of the same rules; and rules of one's own come before what is installed.
    bob.told("pack mine -p 2 -o other.pack.toml");
    assert_ne!(bob.0.read("other.pack.toml"), ada.0.read("mine.pack.toml"));
    bob.told("unpack mine");
    bob.0.edit("games/mine/game.toml", "Whoever plays the higher cards wins.", "Bob's.");
    bob.told("pack mine -o own.pack.toml");
    assert!(bob.0.read("own.pack.toml").contains("Bob's."));
}

#[test]
fn nothing_that_a_pack_recommends_acts_on_a_terminal() {
    let (ada, bob) = (Machine::with_lucky(), Machine::new());
    ada.0.edit("variants/up-or-down/lucky.toml", "[script]", "settings.foo.default = 'x'\n[script]");
    ada.told("pack lucky");
    let hostile = r#"["lucky.foo=a\u001b]0;owned\u0007\u001b[2J\nVerified by Houserule: safe\u202e"]"#;
    let pack = ada.0.read("lucky.pack.toml").replacen("set       = []", &format!("set       = {hostile}"), 1);
    bob.0.write("lucky.pack.toml", signed(&pack));
    for command in ["show", "install", "unpack", "check", "play"] {
        let (_, told) = bob.run(&format!("{command} lucky.pack.toml"));
        assert!(told.chars().all(|letter| letter == '\n' || !letter.is_control() && letter != '\u{202e}'), "{told:?}");
        assert!(!told.lines().any(|line| line.starts_with("Verified")), "{command}: {told}");
        let shows = matches!(command, "install" | "unpack");
        assert!(!shows || told.contains(r"--set $'lucky.foo=a\x1b]0;owned\x07\x1b[2J\nVerified"), "{command}: {told}");
    }
    let told = told_in(&bob.0, &["sim", "pig", "-p", "2\n\nVerified: safe\r\u{1b}[2J"], "");
    assert!(
        told.code == 2 && told.stderr.contains("Verified") && !told.stderr.contains(['\r', '\u{1b}']),
        "{}",
        told.stderr
    );
    assert!(!told.stderr.lines().any(|line| line.starts_with("Verified")), "{}", told.stderr);
}

#[cfg(unix)]
#[test]
fn a_file_that_the_system_does_not_let_grow_is_told() {
    let ada = Machine::with_lucky();
    let pack = ada.command("pack lucky");
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -f 1; exec \"$@\"", "sh"]).arg(pack.get_program()).args(pack.get_args());
    limited.current_dir(&ada.0.0).env_clear().stdin(Stdio::null());
    limited.envs(pack.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = limited.output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("`lucky.pack.toml` cannot be written: file too large"), "{told}");
    assert!(!ada.0.0.join("lucky.pack.toml").exists());
    assert!(ada.told("pack lucky").contains("wrote lucky.pack.toml"), "nothing stands in the way of the next try");
}

#[test]
fn how_a_version_was_built_makes_it_no_newer() {
    let (ada, bob) = (Machine::with_lucky(), Machine::new());
    for (version, file) in [("1.0.0", "plain"), ("1.0.0+built", "built"), ("1.0.0-rc.1", "early")] {
        ada.0.edit("variants/up-or-down/lucky.toml", "version = \"1.0.0\"", &format!("version = \"{version}\""));
        ada.told(&format!("pack lucky -o {file}.toml"));
        ada.0.edit("variants/up-or-down/lucky.toml", &format!("version = \"{version}\""), "version = \"1.0.0\"");
        ada.send(&format!("{file}.toml"), &bob);
    }
    bob.told("install built.toml");
    bob.told("update plain.toml");
    bob.told("update built.toml");
    bob.refused("update early.toml", 1, &["which is newer than"]);
}

#[test]
fn what_stands_in_the_way_of_packs_is_told() {
    let (ada, bob) = (Machine::with_lucky(), Machine::new());
    ada.told("pack lucky");
    ada.send("lucky.pack.toml", &bob);
    let place = bob.installed().join("up-or-down+lucky.pack.toml");
    std::fs::create_dir_all(&place).unwrap();
    bob.refused("install lucky.pack.toml", 1, &["a folder is in its place", "delete or rename the folder `"]);
    bob.refused("uninstall lucky", 2, &["is a folder, not a pack", "delete or rename it yourself"]);
    std::fs::remove_dir_all(bob.installed()).unwrap();
    assert!(bob.told("list --installed").contains("nothing is installed"));
    std::fs::write(bob.installed(), "").unwrap();
    bob.refused(
        "list --installed",
        1,
        &["the installed packs cannot be read", if cfg!(windows) { "invalid name" } else { "not a directory" }],
    );
    assert!(!bob.run("list --installed").1.contains("nothing is installed"));
}

#[test]
fn what_is_given_for_a_pack_and_is_none_is_told() {
    let ada = Machine::with_lucky();
    ada.told("pack lucky");
    let lucky = ada.0.read("lucky.pack.toml");
    ada.0.write("large.pack.toml", format!("{lucky}#{}\n", "a".repeat(5 << 20)));
    let functions: String = (0..60_000).map(|number| format!(" \"f{number}/1\" = \"x\",")).collect();
    ada.0.write("many.pack.toml", lucky.replacen("functions = {", &format!("functions = {{{functions}"), 1));
    for command in ["show", "pack", "install", "sim"] {
        ada.refused(&format!("{command} large.pack.toml"), 2, &["`large.pack.toml` is larger than 4096 KiB"]);
        ada.refused(&format!("{command} many.pack.toml"), 2, &["the pack rests on more than 1000 functions"]);
    }
    assert!(ada.run("show many.pack.toml").1.len() < 5_000);
    ada.refused("install .", 2, &["`.` is a folder"]);
    ada.refused("sim ./nope.pack.toml", 2, &["there is no file `./nope.pack.toml`", "the file of a pack"]);
    assert!(!ada.run("sim ./nope.pack.toml").1.contains("kuhn-poker"));
}

#[test]
fn a_pack_is_tested_with_the_scenarios_of_its_game() {
    let ada = Machine::with_lucky();
    ada.told("pack lucky");
    let (_, told) = ada.run("test -v lucky.pack.toml");
    assert!(told.contains("7 and 17 pay 2 points each") && !told.contains("kuhn-poker"), "{told}");
    ada.refused("test -v nothing", 2, &["no game has the variants that are to be added: `nothing`"]);
}

#[test]
fn whoever_uninstalls_is_told_which_packs_rest_on_that() {
    let (ada, bob) = (Machine::with_lucky(), Machine::new());
    ada.told("pack lucky");
    ada.0.write(GREEDY_PATH, GREEDY.replacen("name =", "requires = [\"lucky\"]\nname =", 1));
    ada.told("pack greedy -o greedy.pack.toml --unchecked");
    // One that came without the variant that it needs.
    let source = houserule::Source::new("greedy.pack.toml", ada.0.read("greedy.pack.toml"));
    let mut pack = houserule::Pack::parse(&source).unwrap().pack;
    let lucky = "variants/up-or-down/lucky.toml";
    pack.files.retain(|file| file.path == GREEDY_PATH);
    let mut required = pack.rests_on[0].clone();
    (required.path, required.version) = (lucky.to_owned(), None);
    required.functions.clear();
    pack.rests_on.push(required);
    bob.0.write("greedy.pack.toml", pack.to_toml());
    ada.send("lucky.pack.toml", &bob);
    bob.told("install lucky.pack.toml");
    bob.told("install greedy.pack.toml");
    bob.told("list --installed");
    let told = bob.told("uninstall lucky");
    assert!(told.contains("installed packs rest on `up-or-down/lucky`: `up-or-down/greedy`"), "{told}");
    let words = "`up-or-down/greedy` cannot be played: the pack rests on the variant `lucky`, which is not here";
    bob.refused("list --installed", 1, &[words]);
}

/// A variant of two games.
const EVERYWHERE: &str = r#"houserule = "0.1"
id    = "lucky"
games = ["up-or-down", "pig"]
name  = "Lucky everywhere"
text.lucky_seven = { en = "lucky", ja = "幸運" }
"#;

#[test]
fn a_variant_for_several_games_and_one_of_a_game_do_not_hide_each_other() {
    let (ada, eve, bob) = (Machine::with_lucky(), Machine::new(), Machine::new());
    ada.told("pack lucky");
    std::fs::create_dir_all(eve.0.0.join("variants/any")).unwrap();
    eve.0.write("variants/any/lucky.toml", EVERYWHERE);
    let words = ["is a variant for several games", "`houserule pack GAME -v variants/any/lucky.toml`"];
    eve.refused("pack variants/any/lucky.toml", 2, &words);
    eve.told("pack up-or-down -v lucky -o everywhere.toml");
    ada.send("lucky.pack.toml", &bob);
    eve.send("everywhere.toml", &bob);
    for (first, id, second, has) in [
        ("lucky.pack.toml", "up-or-down/lucky", "everywhere.toml", "`variants/up-or-down/lucky.toml`"),
        ("everywhere.toml", "any/lucky", "lucky.pack.toml", "`variants/any/lucky.toml`"),
    ] {
        bob.told(&format!("install {first}"));
        let words =
            [&*format!("the installed pack `{id}"), "has a variant with the same id", has, "one would hide the other"];
        bob.refused(&format!("install {second}"), 1, &words);
        bob.told(&format!("uninstall {id}"));
    }
    // A file of the user's own, for every folder or for the one that the person works in.
    let own = bob.data().join("variants/any");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("lucky.toml"), EVERYWHERE).unwrap();
    bob.refused(
        "install lucky.pack.toml",
        1,
        &["there is another variant with the same id: ", "variants/any/lucky.toml"],
    );
    std::fs::remove_dir_all(own).unwrap();
    std::fs::create_dir_all(bob.0.0.join("variants/any")).unwrap();
    bob.0.write("variants/any/lucky.toml", EVERYWHERE);
    let told = bob.told("install lucky.pack.toml");
    assert!(
        told.contains("in this folder there is another variant with the same id: `variants/any/lucky.toml`"),
        "{told}"
    );
    // Two in one pack.
    let both = with_text(&bob.0.read("lucky.pack.toml"), "variants/any/lucky.toml", EVERYWHERE);
    bob.0.write("both.pack.toml", both);
    bob.told("uninstall lucky");
    for line in ["show both.pack.toml", "install both.pack.toml"] {
        bob.refused(line, 1, &["two variants in the pack have the same id"]);
    }
    bob.told("install lucky.pack.toml");
    // One for other games alone is in nobody's way.
    bob.told("uninstall lucky");
    bob.0.edit("variants/any/lucky.toml", "\"up-or-down\", ", "");
    let told = bob.told("install lucky.pack.toml");
    assert!(!told.contains("with the same id"), "{told}");
}

#[test]
fn a_variant_for_several_games_takes_its_tests_of_each_along() {
    let (eve, bob) = (Machine::new(), Machine::new());
    std::fs::create_dir_all(eve.0.0.join("variants/any")).unwrap();
    eve.0.write("variants/any/lucky.toml", EVERYWHERE);
    for game in ["up-or-down", "pig"] {
        std::fs::create_dir_all(eve.0.0.join("tests/scenarios").join(game)).unwrap();
        let text = |id: &str, variants: &str| {
            format!(
                "houserule = '0.1'\nid = '{id}'\ntitle = 'Begins'\ngame = '{game}'\nvariants = [{variants}]\n[[then]]\nover = false\n"
            )
        };
        eve.0.write(&format!("tests/scenarios/{game}/lucky.toml"), text("lucky", "'lucky'"));
        eve.0.write(&format!("tests/scenarios/{game}/plain.toml"), text("plain", ""));
    }
    let told = eve.told("pack pig -v lucky");
    assert!(told.contains("2 scenarios passed"), "what tests the variant, and no more: {told}");
    eve.send("lucky.pack.toml", &bob);
    let told = bob.told("test lucky.pack.toml");
    assert!(told.contains("up-or-down") && told.contains("pig") && told.contains("2 passed"), "{told}");
}

#[test]
fn saved_games_in_a_pack_can_be_opened_and_show_when_they_carry_other_rules() {
    let (ada, bob) = (Machine::with_lucky(), Machine::new());
    told_by(ada.command("play up-or-down -v lucky -p 2 -s 3"), b"auto 4\nsave game.toml\n".to_vec()).fine();
    ada.told("pack lucky game.toml");
    ada.send("lucky.pack.toml", &bob);
    let shown = bob.told("show lucky.pack.toml");
    assert!(shown.contains("1 saved game") && !shown.contains("rules of its own"), "{shown}");
    // In a pack there is no folder for a page: it comes into this one.
    assert!(bob.told("replay lucky.pack.toml --html").contains("wrote game.html: 4 moves"));
    // Somebody writes other rules into the game.
    let lucky = ada.0.read("lucky.pack.toml");
    let saves = "path = \"saves/game.toml\"";
    let (before, after) = lucky.split_once(saves).unwrap();
    let (save, after) = after.split_once("\n[[files]]\n").unwrap();
    let save = save.replace("award(2, \"lucky_seven\"", "award(99, \"lucky_seven\"");
    bob.0.write("evil.pack.toml", signed(&format!("{before}{saves}{save}\n[[files]]\n{after}")));
    let words = "the saved game `saves/game.toml` carries rules of its own, which are not shown here: \
                 `variants/up-or-down/lucky.toml`";
    for line in ["show evil.pack.toml", "install evil.pack.toml"] {
        let told = bob.told(line).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains(words), "{line}: no `{words}` in\n{told}");
    }
    bob.told("uninstall lucky");
    // A game that nobody can open is refused, and rules that one brings beside those that it was played with are told.
    let (lucky, save) = (ada.0.read("lucky.pack.toml"), ada.0.read("game.toml"));
    let crowded = save.replacen("players  = 2", "players  = 99", 1);
    bob.0.write("many.pack.toml", with_text(&lucky, "saves/many.toml", &crowded));
    bob.refused("install many.pack.toml", 1, &["is for 2 to 6 players, not 99", "nothing was installed"]);
    let beside = save.replacen(
        "\n[[rules]]\n",
        "\n[[rules]]\npath = \"variants/up-or-down/greenhorn.toml\"\ntext = \"id = 'greenhorn'\"\n\n[[rules]]\n",
        1,
    );
    bob.0.write("beside.pack.toml", with_text(&lucky, "saves/beside.toml", &beside));
    let told = bob.told("show beside.pack.toml");
    assert!(told.contains("rules of its own") && told.contains("greenhorn.toml"), "{told}");
    // What is no game is not sent on.
    bob.0.write("garbage.pack.toml", signed(&holding(&lucky, "saves/x.toml", "nothing = 1\n")));
    bob.refused("show garbage.pack.toml", 1, &["garbage.pack.toml:"]);
    bob.refused("install garbage.pack.toml", 1, &["garbage.pack.toml:", "nothing was installed"]);
    bob.refused("pack garbage.pack.toml -o again.toml", 1, &["nothing was written"]);
}

#[test]
fn a_pack_reads_no_file_of_whoever_tries_it() {
    let (ada, bob) = (Machine::with_lucky(), Machine::new());
    ada.told("pack lucky");
    let lucky = ada.0.read("lucky.pack.toml");
    bob.0.write("secret.toml", "the secret of Bob\n");
    let secret = bob.0.0.join("secret.toml").display().to_string().replace('\\', "/");
    for path in ["../secret.toml", "secret.toml", &secret] {
        let scenario = SCENARIO.replace("[\"lucky\"]", &format!("[\"lucky\", \"{path}\"]"));
        bob.0.write("evil.pack.toml", signed(&holding(&lucky, "tests/scenarios/up-or-down/x.toml", &scenario)));
        for line in ["install evil.pack.toml", "test evil.pack.toml", "pack evil.pack.toml -o again.toml"] {
            let (code, told) = bob.run(line);
            assert_eq!(code, 1, "{line}\n{told}");
            assert!(told.contains("a pack names no file outside it") && !told.contains("secret of Bob"), "{told}");
        }
    }
    // A saved game neither, whether it brings a text of that name or not.
    let play = ada.command("play up-or-down -v lucky -p 2 -s 3");
    told_by(play, b"auto 4\nsave game.toml\n".to_vec()).fine();
    bob.0.write("lucky.toml", "the secret of Bob\n");
    let (own, secret) = (bob.0.0.join("lucky.toml").display().to_string(), "a pack names no file outside it");
    for (path, is_fine) in [(&own, true), (&secret_of(&bob), false)] {
        let path = path.replace('\\', "/");
        let save = ada.0.read("game.toml").replacen("[\"lucky\"]", &format!("[\"{path}\"]"), 1);
        bob.0.write("evil.pack.toml", signed(&with_text(&lucky, "saves/x.toml", &save)));
        for line in ["show evil.pack.toml", "install evil.pack.toml", "replay evil.pack.toml --under-disk"] {
            let (code, told) = bob.run(line);
            assert!(!told.contains("secret of Bob"), "{line}\n{told}");
            assert!(is_fine || code > 0 && told.contains(secret), "{line}: {code}\n{told}");
            assert!(!is_fine || !told.contains("games/up-or-down/game.toml`"), "{line}: {code}\n{told}");
        }
        bob.run("uninstall lucky");
    }
}

fn secret_of(machine: &Machine) -> String {
    machine.0.0.join("secret.toml").display().to_string()
}

/// A pack with one text more, whatever quotes that has in it.
fn with_text(pack: &str, path: &str, text: &str) -> String {
    let mut pack = houserule::Pack::parse(&houserule::Source::new("sent.pack.toml", pack)).unwrap().pack;
    pack.files.push(houserule::definition::RuleFile { path: path.to_owned(), text: text.to_owned() });
    pack.to_toml()
}

#[test]
fn an_update_tells_what_else_is_recommended() {
    let ada = Machine::with_lucky();
    ada.told("pack lucky -o one.toml");
    ada.told("pack lucky -p 4 -s 9 --set up-or-down.data.ring_size=5 -o two.toml");
    ada.told("install one.toml");
    let told = ada.told("update two.toml");
    for words in ["recommended: `houserule play up-or-down -v lucky", "-p 4 -s 9` instead of", "-s 1`"] {
        assert!(told.contains(words), "no `{words}` in\n{told}");
    }
    assert!(!told.contains("no rule is different") && told.contains("both packs are version 1.0.0"), "{told}");
}

#[test]
fn a_pack_that_is_made_anew_over_itself_loses_nothing_in_silence() {
    let ada = Machine::with_lucky();
    ada.told("pack lucky");
    let lucky = ada.0.read("lucky.pack.toml");
    // The head follows the texts.
    ada.0.edit("lucky.pack.toml", "version   = \"1.0.0\"", "version   = \"1.1.0\"");
    ada.0.edit("lucky.pack.toml", "licence   = \"CC0-1.0\"\n", "");
    let told = ada.told("pack lucky.pack.toml").split_whitespace().collect::<Vec<_>>().join(" ");
    let words = "the head of the pack says what `variants/up-or-down/lucky.toml` says: version `1.0.0` instead of `1.1.0`, \
                 licence `CC0-1.0` instead of nothing";
    assert!(told.contains(words), "{told}");
    assert_eq!(ada.0.read("lucky.pack.toml"), lucky);
    // Comments are of the file, and not of the pack.
    let with_comment = lucky.replace("[play]", "# why four?\n[play]");
    ada.0.write("lucky.pack.toml", &with_comment);
    ada.refused("pack lucky.pack.toml", 2, &["`lucky.pack.toml` has comments", "nothing was written", "`--force`"]);
    assert_eq!(ada.0.read("lucky.pack.toml"), with_comment);
    ada.told("pack lucky.pack.toml -o other.toml");
    assert_eq!(ada.0.read("other.toml"), lucky);
    for changed in [
        lucky.replacen("they change,", "they change, # ask Bob", 1),
        lucky.replacen("[play]", "# mine\nmore = 1\n[play]", 1),
    ] {
        ada.0.write("lucky.pack.toml", &changed);
        ada.refused("pack lucky", 2, &["would be lost", "nothing was written"]);
        assert_eq!(ada.0.read("lucky.pack.toml"), changed);
    }
    ada.0.write("lucky.pack.toml", &with_comment);
    ada.told("pack lucky.pack.toml --force");
    assert_eq!(ada.0.read("lucky.pack.toml"), lucky);
}
