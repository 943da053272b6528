//! Which saved games an edit of the rules breaks. They have variants of their own inside, so those on disk are asked for.

use super::*;
use houserule::diagnostic::Source;
use houserule::playthrough::replay::Replay;
use serde_json::Value;

/// Variants that change nothing until they are edited.
const PLAIN: &str = "fn draw(p) { super(p); }";

/// Rules of their own, and a folder `saves` with games of them.
struct Saved {
    folder: Folder,
}

impl Saved {
    fn new() -> Self {
        let folder = Folder::with_rules();
        std::fs::create_dir_all(folder.0.join("saves/deeper")).unwrap();
        for id in ["asking", "fragile"] {
            let text = format!(
                "id = \"{id}\"\ngame = \"up-or-down\"\nname = \"Mine\"\nabout = \"Mine.\"\n\n[script]\nrhai = '''\n{PLAIN}\n'''\n"
            );
            folder.write(&folder.variant(id), text);
        }
        Self { folder }
    }

    fn play(&self, file: &str, variant: Option<&str>, line: &str) {
        let variant = variant.map(|id| ["-v", id]);
        let mut session = Session::within(&self.folder);
        session.args.extend(variant.iter().flatten().map(|word| (*word).to_owned()));
        session.bytes(format!("{line}\nsave saves/{file}\n").as_bytes()).run().fine();
    }

    fn edit_variant(&self, id: &str, old: &str, new: &str) {
        self.folder.edit(&self.folder.variant(id), old, new);
    }

    fn replay(&self, args: &[&str]) -> Told {
        let output = program(&self.folder).args(["replay", "--under-disk"]).args(args).output().unwrap();
        let told = Told {
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code().unwrap_or(-1),
        };
        assert!(!told.stderr.contains("panicked"), "{}", told.stderr);
        told
    }

    /// The report in JSON.
    fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.replay(&[args, &["--json"]].concat()).stdout).unwrap()
    }

    /// Four kinds of end and five kinds of damage, after an edit of three variants.
    fn after_an_edit() -> Self {
        let saved = Self::new();
        saved.play("equal.toml", None, "auto 9");
        saved.play("deeper/scores.toml", Some("greenhorn"), "until end");
        saved.play("asking.toml", Some("asking"), "auto 20");
        saved.play("fragile.toml", Some("fragile"), "auto 20");
        let good = saved.folder.read("saves/equal.toml");
        saved.folder.write("saves/cut.toml", &good[..good.len() / 2]);
        saved.folder.write("saves/none.toml", "a letter to a friend\n");
        saved.folder.write("saves/newer.toml", of_format(&good, 7));
        saved.folder.write("saves/elsewhere.toml", good.replace("\"up-or-down\"", "\"up-and-down\""));
        saved.folder.write("saves/bytes.toml", [0xff, 0xfe, 0x00]);
        saved.folder.write("saves/read-me.txt", "not a saved game");
        saved.edit_variant("greenhorn", "green_points = [0, 1, 3, 6, 10,", "green_points = [7, 7, 7, 7, 11,");
        saved.edit_variant("asking", PLAIN, "fn draw(p) { p.may(\"peek\"); super(p); }");
        saved.edit_variant("fragile", PLAIN, "fn draw(p) { super(p); 1 / (p.hand.len - p.hand.len); }");
        saved
    }
}

#[test]
fn an_edit_is_held_against_every_saved_game() {
    let saved = Saved::after_an_edit();
    let told = saved.replay(&["saves"]);
    assert_eq!(told.code, 1, "{}\n{}", told.stdout, told.stderr);
    let line = |file: &str| {
        let found = told.stdout.lines().find(|line| line.contains(file));
        found.unwrap_or_else(|| panic!("no {file} in:\n{}", told.stdout)).to_owned()
    };
    let asking = line("saves/asking.toml");
    for word in [
        "no longer fits",
        "move 4 (line 13), p1 draw_from",
        "p1 peek is asked instead",
        "asking.toml:8 (variant asking)",
    ] {
        assert!(asking.contains(word), "no {word} in {asking}");
    }
    let scores = line("saves/deeper/scores.toml");
    for word in ["other scores", " instead of ", "first with move ", "greenhorn.toml:23 (variant greenhorn)"] {
        assert!(scores.contains(word), "no {word} in {scores}");
    }
    let fragile = line("saves/fragile.toml");
    for word in ["failed", "after move 4", "fragile.toml:8"] {
        assert!(fragile.contains(word), "no {word} in {fragile}");
    }
    for (file, word) in [
        ("cut.toml", "not a saved game"),
        ("none.toml", "not a saved game"),
        ("newer.toml", "format 7"),
        ("elsewhere.toml", "up-and-down"),
        ("bytes.toml", "bytes.toml"),
    ] {
        let line = line(&format!("saves/{file}"));
        assert!(line.starts_with("unreadable ") && line.contains(word), "{line}");
    }
    assert!(!told.stdout.contains("saves/equal.toml") && !told.stdout.contains("read-me"), "{}", told.stdout);
    let end = "1 equal, 1 other scores, 1 no longer fits, 1 failed, 5 unreadable\n\
               saved under other rules: 3 of 4\n";
    assert!(told.stdout.ends_with(end), "{}", told.stdout);
    assert_eq!(told.stdout.lines().count(), 8 + 2, "{}", told.stdout);
    // What is said about each begins in the same column.
    let column = |line: &str, word: &str| line[..line.find(word).unwrap()].chars().count();
    assert_eq!(column(&asking, "move 4 (line 13), p1 draw_from"), column(&fragile, "after move 4"), "{}", told.stdout);
}

#[test]
fn the_report_in_json_has_one_entry_for_each_file() {
    let saved = Saved::after_an_edit();
    let report = saved.json(&["saves"]);
    let counts = ["files", "equal", "other_scores", "no_longer_fit", "failed", "unreadable"];
    assert_eq!(counts.map(|key| report[key].as_u64()), [9, 1, 1, 1, 1, 5].map(Some), "{report}");
    let games = report["games"].as_array().unwrap();
    let game = |file: &str| games.iter().find(|game| game["file"] == format!("saves/{file}")).unwrap();
    assert_eq!(game("equal.toml")["verdict"], "equal");
    assert_eq!(game("equal.toml")["same_result"], true);
    assert_eq!(game("asking.toml")["misfit"]["entry"], 4);
    assert_eq!(game("asking.toml")["misfit"]["asked"]["layer"], "variant asking");
    let first = &game("deeper/scores.toml")["first_difference"];
    assert_eq!(first["rule"]["layer"], "variant greenhorn");
    assert!(first["was"].as_i64() < first["is"].as_i64() && first["move"].as_u64() > Some(9), "{first}");
    assert_eq!(game("fragile.toml")["verdict"], "failed");
    assert!(game("cut.toml")["errors"][0]["message"].is_string(), "{}", game("cut.toml"));
}

#[test]
fn of_one_file_everything_is_told() {
    let saved = Saved::after_an_edit();
    let told = saved.replay(&["saves/asking.toml"]);
    told.refused([]).shows([
        "the rules have changed",
        "3 of 20 moves still fit; move 4",
        "saved at saves/asking.toml:13",
        "asked at",
        "asking.toml:8",
    ]);
    let told = saved.replay(&["saves/deeper/scores.toml"]);
    told.refused([]).shows(["moves fit", "instead of", "first with move", "greenhorn.toml:23 (variant greenhorn)"]);
    let one = saved.json(&["saves/deeper/scores.toml"]);
    for key in ["file", "entries", "played", "same_rules", "same_result", "scores", "saved_scores", "misfit", "failed"]
    {
        assert!(one.get(key).is_some(), "no {key} in {one}");
    }
    assert_eq!(saved.replay(&["saves/cut.toml"]).code, 2);
    assert_eq!(saved.replay(&["saves/equal.toml"]).fine().stdout.lines().count(), 2);
}

#[test]
fn the_exit_code_is_the_answer() {
    let saved = Saved::new();
    saved.play("one.toml", None, "auto 9");
    saved.play("two.toml", Some("greenhorn"), "until end");
    let told = saved.replay(&["saves", "saves/one.toml"]).fine();
    assert_eq!(told.stdout, "2 equal\nthe rules are those that they were saved under\n");
    saved.folder.write("saves/three.toml", "nothing");
    assert_eq!(saved.replay(&["saves"]).code, 1);
    assert_eq!(saved.replay(&["saves/three.toml", "saves/four.toml"]).code, 2);
    assert_eq!(saved.replay(&["saves/deeper"]).code, 2);
    assert_eq!(saved.replay(&[]).code, 2);
    assert!(saved.replay(&["saves/deeper"]).stderr.contains("there is no saved game to run"));
}

#[test]
fn a_file_that_somebody_changed_is_not_blamed_on_the_rules() {
    let saved = Saved::new();
    saved.play("one.toml", None, "until end");
    saved.play("two.toml", None, "auto 2");
    let text = saved.folder.read("saves/one.toml");
    saved.folder.write("saves/one.toml", text.replace("scores = [", "scores = [1000, "));
    let told = saved.replay(&["saves"]);
    assert_eq!(told.code, 1);
    told.shows([
        "other scores",
        "the rules are the same; the file was changed",
        "1 equal, 1 other scores",
        "1 of the files",
    ]);
}

#[test]
fn a_file_from_before_the_course_was_kept_is_held_to_its_scores() {
    let saved = Saved::new();
    saved.play("old.toml", Some("greenhorn"), "until end");
    let path = saved.folder.0.join("saves/old.toml");
    let mut replay = Replay::parse(&Source::new("old", saved.folder.read("saves/old.toml"))).unwrap().replay;
    let course = replay.result.as_mut().and_then(|result| result.course.take()).unwrap();
    assert!(course.len() > 2 && course.iter().all(|scored| scored.moves > 9), "{course:?}");
    std::fs::write(path, replay.to_toml()).unwrap();
    saved.replay(&["saves"]).fine();
    saved.edit_variant("greenhorn", "green_points = [0, 1, 3, 6, 10,", "green_points = [7, 7, 7, 7, 11,");
    let told = saved.replay(&["saves"]);
    assert_eq!(told.code, 1);
    assert!(told.stdout.contains(" instead of ") && !told.stdout.contains("first with move"), "{}", told.stdout);
}

#[test]
fn rules_that_do_not_load_fail_the_games_that_need_them() {
    let saved = Saved::new();
    saved.play("one.toml", Some("asking"), "auto 2");
    saved.play("two.toml", None, "auto 2");
    saved.edit_variant("asking", PLAIN, "fn draw(p) { super(p, }");
    let told = saved.replay(&["saves"]);
    assert_eq!(told.code, 1);
    told.shows(["failed", "saves/one.toml", "asking.toml:8", "1 equal, 1 failed"]);
}

#[cfg(unix)]
#[test]
fn odd_files_neither_hang_nor_end_it() {
    let saved = Saved::new();
    saved.play("one.toml", None, "auto 3");
    let at = |name: &str| saved.folder.0.join("saves").join(name);
    std::os::unix::fs::symlink("..", at("deeper/round")).unwrap();
    std::os::unix::fs::symlink("nowhere.toml", at("gone.toml")).unwrap();
    std::os::unix::fs::symlink("one.toml", at("same.toml")).unwrap();
    assert!(Command::new("mkfifo").arg(at("pipe.toml")).status().unwrap().success());
    std::fs::File::create(at("huge.toml")).unwrap().set_len(1 << 33).unwrap();
    std::fs::create_dir(at("folder.toml")).unwrap();
    saved.folder.write("saves/empty.toml", "");
    saved.folder.write("saves/\u{202e}turned.toml", "x");
    let told = saved.replay(&["saves"]);
    assert_eq!(told.code, 1);
    assert!(!told.stdout.contains('\u{202e}'), "{}", told.stdout);
    told.shows(["empty.toml", "gone.toml", "huge.toml", "larger than", "pipe.toml", "a pipe", "2 equal, 5 unreadable"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it() {
    let saved = Saved::new();
    saved.play("0.toml", None, "until end");
    let text = saved.folder.read("saves/0.toml");
    (1..30).for_each(|copy| saved.folder.write(&format!("saves/{copy}.toml"), &text));
    let burn = "begin_turn(p); let n = 0; while n < 1900000 { n += 1; }";
    saved.folder.edit("games/up-or-down/rules.rhai", "begin_turn(p);", burn);
    let mut command = program(&saved.folder);
    let child = command.args(["replay", "saves"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(2500));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stdout));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("interrupted with ") && told.contains("of 30 saved games still to run"), "{told}");
}

/// A page of a saved game: what it may overwrite, and what bad input gets.
#[test]
fn a_page_of_a_saved_game_overwrites_nothing_but_pages() {
    let saved = Saved::new();
    saved.play("game.toml", None, "auto 3");
    let run = |args: &[&str]| {
        let output = program(&saved.folder).args(["replay", "saves/game.toml"]).args(args).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
    };
    let read = |name: &str| std::fs::read_to_string(saved.folder.0.join("saves").join(name)).unwrap();

    let (code, told, _) = run(&["--html"]);
    assert_eq!(code, 0);
    assert!(told.starts_with("wrote saves/game.html: 3 moves, "), "{told}");
    let open = read("game.html");
    // A page may be written anew, in another language; that of one seat is another page.
    assert_eq!(run(&["--html", "--lang", "ja"]).0, 0);
    assert_ne!(read("game.html"), open);
    assert_eq!(run(&["--html", "--as", "p1"]).0, 0);
    assert!(read("game.p1.html") != open && read("game.html") != read("game.p1.html"));

    saved.folder.write("saves/notes.html", "mine");
    let (code, _, error) = run(&["--html", "saves/notes.html"]);
    assert_eq!((code, read("notes.html").as_str()), (2, "mine"));
    assert!(error.contains("notes.html"), "{error}");
    assert_eq!(run(&["--html", "saves/notes.html", "--force"]).0, 0);
    assert_eq!(read("notes.html"), open);

    let (code, _, error) = run(&["--html", "saves/other.html", "--as", "p9"]);
    assert_eq!(code, 2);
    assert!(error.contains("p9") && error.contains("p1"), "{error}");
    assert!(!saved.folder.0.join("saves/other.html").exists());
    assert_eq!(run(&["--as", "p1"]).0, 2);
    let (code, _, error) = run(&["saves/deeper", "--html"]);
    assert_eq!(code, 2);
    assert!(error.contains("one saved game"), "{error}");
}

#[test]
fn games_that_still_fit_move_to_the_new_rules_and_the_others_stay_as_they_were() {
    let saved = Saved::after_an_edit();
    let files = ["equal", "deeper/scores", "asking", "fragile", "cut", "none", "newer", "elsewhere"];
    let read = || files.map(|file| saved.folder.read(&format!("saves/{file}.toml")));
    let before = read();
    let told = saved.replay(&["saves", "--update"]);
    assert!(told.code == 1 && told.stdout.contains("1 saved again under the rules on disk"), "{}", told.stdout);
    let after = read();
    for (number, file) in files.iter().enumerate() {
        assert_eq!(before[number] == after[number], *file != "deeper/scores", "{file}");
    }
    // What was moved comes out the same from now on, also by the rules within it; and there is nothing more to move.
    assert_eq!(saved.json(&["saves/deeper/scores.toml"])["verdict"].as_str().unwrap_or("equal"), "equal");
    let again = saved.replay(&["saves/deeper", "--update"]);
    assert!(again.code == 0 && again.stdout.contains("0 saved again"), "{}", again.stdout);
    // Another edit moves all of them.
    saved.edit_variant("greenhorn", "[7, 7, 7, 7, 11,", "[8, 7, 7, 7, 11,");
    saved.folder.write("saves/deeper/more.toml", saved.folder.read("saves/deeper/scores.toml"));
    let json = saved.json(&["saves/deeper", "--update"]);
    assert!(json["games"].as_array().unwrap().iter().all(|game| game["updated"] == true), "{json}");
}

#[test]
fn a_saved_game_is_shown_under_its_own_rules_beside_those_on_disk() {
    let saved = Saved::after_an_edit();
    let run = |args: &[&str]| {
        let output = program(&saved.folder).arg("replay").args(args).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    };
    // Another answer is asked for, from a move on that both have in common.
    let (code, told, _) = run(&["saves/asking.toml", "--diff"]);
    assert_eq!(code, 1, "{told}");
    for words in [
        "the same up to move 3",
        "the rules in the file",
        "the rules on disk: move 4, p1  draw from",
        "p1 peek is asked instead",
    ] {
        assert!(told.contains(words), "no {words} in\n{told}");
    }
    // Every move fits, and the scores are others.
    saved.play("inside.toml", Some("greenhorn"), "until end");
    let (code, told, _) = run(&["saves/inside.toml", "--diff"]);
    assert_eq!((code, told.as_str()), (0, "nothing is different\n"));
    saved.edit_variant("greenhorn", "[7, 7, 7, 7, 11,", "[9, 9, 9, 9, 13,");
    let (code, told, _) = run(&["saves/inside.toml", "--diff"]);
    assert!(code == 1 && told.contains("scores") && told.contains("(+2)"), "{told}");
    let (code, told, _) = run(&["saves/inside.toml", "--diff", "--json"]);
    let json: Value = serde_json::from_str(&told).unwrap();
    assert!(code == 1 && json.is_object(), "{told}");

    let refused = |args: &[&str], words: &[&str]| {
        let (code, told, error) = run(args);
        assert_eq!((code, told.as_str()), (2, ""), "{error}");
        words.iter().for_each(|words| assert!(error.contains(words), "no {words} in {error}"));
    };
    refused(&["saves/equal.toml", "--diff"], &["does not contain its rules", "save FILE with rules"]);
    refused(&["saves", "--diff"], &["`--diff` is about one saved game"]);
    refused(&["saves/cut.toml", "--diff"], &["saves/cut.toml"]);
    refused(&["saves/asking.toml", "--all"], &["--diff"]);
    refused(&["saves/asking.toml", "--diff", "--under-disk"], &["cannot be used with"]);
}

#[test]
fn what_cannot_be_saved_again_is_not_taken_for_fine() {
    let saved = Saved::new();
    saved.play("one.toml", None, "until end");
    let text = saved.folder.read("saves/one.toml").replace("scores = [", "scores = [1000, ");
    saved.folder.write("saves/one.toml", &text);
    // The rules are the same, so that there is nothing to save it again for.
    let told = saved.replay(&["saves", "--update"]);
    assert_eq!(told.code, 1, "{}", told.stdout);
    told.shows(["other scores", "0 equal, 1 other scores", "0 saved again"]);
    assert_eq!(saved.folder.read("saves/one.toml"), text);
    saved.play("two.toml", Some("greenhorn"), "until end");
    saved.edit_variant("greenhorn", "green_points = [0, 1, 3, 6, 10,", "green_points = [7, 7, 7, 7, 11,");
    let told = saved.replay(&["saves", "--update"]);
    assert_eq!(told.code, 1, "{}", told.stdout);
    told.shows(["0 equal, 2 other scores", "1 saved again"]);
    assert_eq!(saved.replay(&["saves/two.toml"]).code, 0);
}

#[test]
fn what_people_wrote_into_a_saved_game_stays_when_it_is_saved_again() {
    let saved = Saved::new();
    saved.play("shown.toml", Some("greenhorn"), "until end\nbug saves/bug.toml\nsave saves/all.toml with rules");
    let bug = saved.folder.read("saves/bug.toml");
    let remarks: Vec<&str> = bug.lines().filter(|line| line.starts_with("# ")).skip(1).collect();
    assert!(remarks.len() > 2, "{bug}");
    let bug =
        bug.replacen("log = [\n", "log = [ # from here\n  # a slip\n", 1).replacen("[result]", "# wrong?\n[result]", 1);
    let bug = bug.replacen(".\n", ". Ada's trap\n", 1);
    saved.folder.write("saves/bug.toml", &bug);
    saved.edit_variant("greenhorn", "green_points = [0, 1, 3, 6, 10,", "green_points = [7, 7, 7, 7, 11,");
    saved.replay(&["saves", "--update"]).shows(["3 saved again"]);
    let again = saved.folder.read("saves/bug.toml");
    for words in [&remarks[..], &["log = [  # from here", "  # a slip", "# wrong?", "# Ada's trap"]].concat() {
        assert!(again.lines().any(|line| line == words), "no {words} in\n{again}");
    }
    assert!(again.find("# a slip").unwrap() > again.find("log = [").unwrap(), "{again}");
    assert_ne!(again, bug);
    // Comments are not a part of what the checksum is for.
    saved.replay(&["saves"]).fine().shows(["3 equal", "the rules are those that they were saved under"]);
    assert!(saved.folder.read("saves/all.toml").contains("path = \"games/up-or-down/rules.rhai\""));
    assert!(!saved.folder.read("saves/shown.toml").contains("games/up-or-down/rules.rhai"));
}

#[test]
fn who_signs_what_somebody_changed_is_told() {
    let saved = Saved::new();
    saved.play("mine.toml", Some("asking"), "auto 9");
    saved.play("other.toml", Some("asking"), "auto 9");
    let text = saved.folder.read("saves/mine.toml");
    saved.folder.write("saves/mine.toml", text.replace("[check]\nhash = \"blake3:", "[check]\nhash = \"blake3:0"));
    // A file with the right checksum is not told of.
    saved.edit_variant("asking", PLAIN, "fn draw(p)  { super(p); }");
    let told = saved.replay(&["saves", "--update"]).fine();
    let line = told.stdout.lines().next().unwrap();
    for words in ["equal ", "saves/mine.toml", "the file was changed since it was saved", "with a new checksum"] {
        assert!(line.contains(words), "no {words} in {line}");
    }
    assert!(!told.stdout.contains("other.toml"), "{}", told.stdout);
    told.shows(["2 equal", "1 of the files changed", "2 saved again"]);
    let again = saved.replay(&["saves"]).fine();
    assert_eq!(again.stdout, "2 equal\nthe rules are those that they were saved under\n");
}

/// The numbers that stand behind a text, wherever it is.
fn numbers_behind(text: &str, all: &str) -> Vec<String> {
    let numbers = all.split(text).skip(1).map(|rest| rest.chars().take_while(char::is_ascii_digit).collect());
    numbers.filter(|number: &String| !number.is_empty()).collect()
}

#[test]
fn a_page_shows_what_was_rolled_and_not_what_the_die_shows_later() {
    let folder = Folder::new();
    let mut command = program_at(&root(), &folder);
    let saved = folder.0.join("game.toml").display().to_string();
    command.args(["play", "pig", "-p", "2", "-s", "11"]);
    let told = told_by(command, format!("until end\nlog all\nsave {saved}\n").into_bytes()).fine();
    let log = numbers_behind("  roll ", &told.stdout);
    assert!(log.len() > 20, "{}", told.stdout);
    let mut command = program_at(&root(), &folder);
    command.args(["replay", &saved, "--html"]);
    told_by(command, Vec::new()).fine();
    let page = folder.read("game.html");
    assert_eq!(numbers_behind(">roll</span>  ", &page), log);
    // What one seat sees is a page beside it.
    let mut command = program_at(&root(), &folder);
    command.args(["replay", &saved, "--html", "--as", "p2"]);
    told_by(command, Vec::new()).fine();
    assert!(folder.0.join("game.p2.html").is_file() && folder.read("game.html") == page);
}
