//! Rules that are sent from one designer to another: each has a folder and a home of their own.

use super::*;
use std::thread;
use std::time::Duration;

const LUCKY: &str = r#"id      = "lucky"
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

const SCENARIO: &str = r#"id       = "lucky"
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

    fn installed(&self) -> PathBuf {
        self.0.0.join("home/.local/share/houserule/packs")
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
    bob.refused("unpack lucky", 2, &["is there already, and is another one", "nothing was written"]);
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
    assert_eq!(ada.told("pack lucky -o -"), ada.0.read("lucky.pack.toml"));
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
    ada.refused("pack lucky.pack.toml -o new.toml", 1, &["changed by hand", "lucky_seven"]);
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
    let own = bob.0.0.join("home/.local/share/houserule/variants/up-or-down");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("lucky.toml"), LUCKY.replace("2,", "5,")).unwrap();
    bob.refused(
        "install lucky.pack.toml",
        1,
        &["variants/up-or-down/lucky.toml` is there already", "one would hide the other"],
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
