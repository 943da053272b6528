//! Sessions of the REPL from outside, told as stories: lines from a pipe, edits on disk while a game is open, and a
//! person at a real terminal.

use crate::shared::surroundings::at_home;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A game in which everybody's cards are known: p1 holds 10, 20 and 30, p2 40, 50 and 52; the ring is 5, 15 … 45 and 53.
const KNOWN: &str = "rig shuffle face_down 10 20 30 40 50 52 5 15 25 35 45 53";

/// A saved game that says it had another format.
fn of_format(saved: &str, format: i64) -> String {
    let (before, rest) = saved.split_once("\nformat").unwrap();
    let (_, behind) = rest.split_once('\n').unwrap();
    format!("{before}\nformat   = {format}\n{behind}")
}

/// A folder of its own, gone when the story is over.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("houserule-sessions-{}-{number}", std::process::id()));
        std::fs::create_dir_all(path.join("home")).unwrap();
        Self(path)
    }

    /// With a copy of the games and variants, to be edited.
    fn with_rules() -> Self {
        let folder = Self::new();
        for part in ["games", "variants"] {
            copy(&root().join(part), &folder.0.join(part));
        }
        folder
    }

    fn write(&self, file: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.0.join(file), text).unwrap();
    }

    fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.0.join(file)).unwrap()
    }

    fn edit(&self, file: &str, old: &str, new: &str) {
        let text = self.read(file);
        assert!(text.contains(old), "{file} has no {old}");
        self.write(file, text.replace(old, new));
    }

    fn variant(&self, id: &str) -> String {
        assert!(self.0.join("variants/up-or-down").is_dir());
        format!("variants/up-or-down/{id}.toml")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// The program in a folder, with nothing around it that the person running the tests may have set.
fn program(folder: &Folder) -> Command {
    let mut command = program_at(&folder.0, folder);
    if !folder.0.join("games").exists() {
        command.args(["--dir", root().to_str().unwrap()]);
    }
    command
}

/// The same, started somewhere else.
fn program_at(place: &Path, folder: &Folder) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
    at_home(&mut command, &folder.0.join("home"));
    command.current_dir(place).env("XDG_STATE_HOME", folder.0.join("state")).env("COLUMNS", "80");
    command
}

/// A piped session, to be told what to type.
struct Session<'f> {
    folder: Option<&'f Folder>,
    args: Vec<String>,
    environment: Vec<(String, String)>,
    input: Vec<u8>,
    /// Whether it is started where the games lie, so that files are told by short paths.
    from_root: bool,
}

/// What came of it.
struct Told {
    stdout: String,
    stderr: String,
    code: i32,
}

impl<'f> Session<'f> {
    /// Two players, seed 7.
    fn new() -> Self {
        let args = ["play", "up-or-down", "--seed", "7"].map(str::to_owned).to_vec();
        Self { folder: None, args, environment: Vec::new(), input: Vec::new(), from_root: false }
    }

    fn within(folder: &'f Folder) -> Self {
        Self { folder: Some(folder), ..Self::new() }
    }

    fn args<const N: usize>(mut self, args: [&str; N]) -> Self {
        self.args.extend(args.map(str::to_owned));
        self
    }

    fn env(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    fn lines<const N: usize>(mut self, lines: [&str; N]) -> Self {
        lines.iter().for_each(|line| self.input.extend(format!("{line}\n").bytes()));
        self
    }

    fn bytes(mut self, bytes: &[u8]) -> Self {
        self.input.extend(bytes);
        self
    }

    /// Of any game, started where the games lie.
    fn of(args: &[&str], lines: &[&str]) -> Self {
        let args = ["play"].iter().chain(args).map(|&argument| argument.to_owned()).collect();
        let input = lines.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect();
        Self { args, input, from_root: true, ..Self::new() }
    }

    /// In the process of the tests where that comes to the same, otherwise by the program.
    fn run(self) -> Told {
        if self.folder.is_none()
            && self.environment.is_empty()
            && let Some(told) = in_process::told(&self.args, &self.input)
        {
            return told;
        }
        let own = Folder::new();
        let folder = self.folder.unwrap_or(&own);
        let mut command = if self.from_root { program_at(&root(), folder) } else { program(folder) };
        command.args(&self.args).envs(self.environment);
        told_by(command, self.input)
    }
}

/// A command that has begun. A copy of the program that was just written is busy as long as another test's child, which began
/// at that moment, has the file open.
fn spawned(command: &mut Command) -> std::process::Child {
    for _ in 0..200 {
        match command.spawn() {
            Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            started => return started.unwrap(),
        }
    }
    panic!("{command:?} is busy")
}

/// What a command tells that is given this input.
fn told_by(mut command: Command, input: Vec<u8>) -> Told {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = spawned(&mut command);
    let mut stdin = child.stdin.take().unwrap();
    // It may leave before it has read everything.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let told = Told {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap_or(-1),
    };
    assert!(!told.stderr.contains("panicked"), "{}", told.stderr);
    told
}

/// What the program tells in a folder.
fn told_in(folder: &Folder, args: &[&str], input: &str) -> Told {
    let mut command = program(folder);
    command.args(args);
    told_by(command, input.as_bytes().to_vec())
}

#[track_caller]
fn says(told: &Told, code: i32, words: &[&str]) {
    let all = format!("{}\n{}", told.stdout, told.stderr);
    assert_eq!(told.code, code, "{all}");
    for word in words {
        assert!(all.contains(word), "no {word:?} in:\n{all}");
    }
}

/// What the last line of a session of any game shows, without what all lines before it show.
#[track_caller]
fn last(args: &[&str], lines: &[&str]) -> String {
    let before = Session::of(args, &lines[..lines.len() - 1]).run().fine().stdout;
    let told = Session::of(args, lines).run().fine().stdout;
    told.strip_prefix(&before).unwrap_or_else(|| panic!("{told} does not begin with {before}")).to_owned()
}

/// What is said about the last line of a session of any game, which fails.
#[track_caller]
fn fails(args: &[&str], lines: &[&str]) -> String {
    let told = Session::of(args, lines).run();
    let line = format!("error: input line {}: ", lines.len());
    assert!(told.code == 1 && told.stderr.starts_with(&line), "{lines:?}: {}\n{}", told.stdout, told.stderr);
    told.stderr[line.len()..].to_owned()
}

impl Told {
    /// All went well.
    fn fine(self) -> Self {
        assert_eq!(self.code, 0, "{}\n{}", self.stdout, self.stderr);
        assert_eq!(self.stderr, "", "{}", self.stdout);
        self
    }

    /// The last line failed, with all of these words about it.
    fn refused<const N: usize>(self, words: [&str; N]) -> Self {
        assert_eq!(self.code, 1, "{}\n{}", self.stdout, self.stderr);
        for word in words {
            assert!(self.stderr.contains(word), "no {word:?} in:\n{}", self.stderr);
        }
        let lines = self.stderr.lines().count();
        assert!(lines <= 20, "{lines} lines are too many for an error:\n{}", self.stderr);
        self
    }

    /// All of these stand in what was shown, in this order.
    fn shows<const N: usize>(self, words: [&str; N]) -> Self {
        let mut rest = self.stdout.as_str();
        for word in words {
            match rest.find(word) {
                Some(found) => rest = &rest[found + word.len()..],
                None => panic!("no {word:?} (in this order) in:\n{}", self.stdout),
            }
        }
        self
    }

    /// What was shown after the last of these words.
    fn after(&self, word: &str) -> &str {
        let found = self.stdout.rfind(word).unwrap_or_else(|| panic!("no {word:?} in:\n{}", self.stdout));
        &self.stdout[found + word.len()..]
    }

    /// Whether a number stands alone somewhere, not as a part of another.
    fn has_number(text: &str, number: &str) -> bool {
        text.split(|letter: char| !letter.is_ascii_digit()).any(|word| word == number)
    }
}

mod advice;
mod asked;
mod bugs;
mod campaigns;
mod debugging;
#[cfg(unix)]
mod designing;
mod in_process;
mod installed;
mod japanese;
mod keys;
mod lab_here;
mod layers;
#[cfg(target_os = "linux")]
mod limits;
mod meddling;
mod newcomer;
mod options;
mod out_files;
mod players;
mod printing;
#[cfg(unix)]
mod prompt;
mod reasons;
mod replays;
mod rulebooks;
#[cfg(unix)]
mod safety;
mod saves;
mod seats;
mod secrets;
mod sharing;
mod silence;
#[cfg(unix)]
mod stopping;
#[cfg(unix)]
mod watching;

mod answers {
    use super::*;

    #[test]
    fn by_place_by_label_and_by_the_beginning_of_a_label() {
        Session::new().lines([KNOWN, "20", "#1", "new"]).run().fine().shows(["p1", "20", "p2"]);
        Session::new().lines([KNOWN, "#2", "history"]).run().fine().shows(["play a card to the ring", "20"]);
        Session::new().lines([KNOWN, "=30", "history"]).run().fine().shows(["play a card to the ring", "30"]);
        Session::new().lines([KNOWN, "3", "history"]).run().fine().shows(["play a card to the ring", "30"]);
        Session::new()
            .lines([KNOWN, "choose 10", "1", "ne", "history"])
            .run()
            .fine()
            .shows(["place the card you took", "new"]);
    }

    #[test]
    fn a_number_that_can_mean_two_things_is_a_name() {
        let deal = "rig shuffle face_down 2 3 50 40 60 70 5 15 25 35 45 55";
        let told = Session::new().args(["-p", "3"]).lines([deal, "2", "history"]).run().fine();
        told.shows(["taken for the option called 2; #2 is that place"]).shows(["play a card to the ring", "2"]);
        Session::new()
            .args(["-p", "3"])
            .lines([deal, "=2", "history"])
            .run()
            .fine()
            .shows(["play a card to the ring", "2"]);
        Session::new()
            .args(["-p", "3"])
            .lines([deal, "#2", "history"])
            .run()
            .fine()
            .shows(["play a card to the ring", "3"]);
    }

    #[test]
    fn what_is_not_among_the_options_is_refused_with_the_options() {
        let told = Session::new().lines([KNOWN, "99"]).run();
        told.refused(["line 2", "99 is not among the options", "10, 20, 30"]);
        Session::new().lines(["#9"]).run().refused(["#9 is not among the options"]);
        Session::new().lines(["until end", "choose 1"]).run().refused(["no decision is open", "`undo`"]);
    }
}

mod travel {
    use super::*;

    #[test]
    fn what_was_done_can_be_taken_back_and_done_again() {
        let told = Session::new().lines([KNOWN, "10", "undo", "redo"]).run().fine();
        told.shows([
            "p1, play",
            "took back: p1  play a card to the ring  10",
            "p1, play",
            "did again: p1  play a card to the ring  10",
            "p1, take",
        ]);
    }

    /// What everybody saw is told also where it lies face down by now.
    #[test]
    fn an_open_choice_is_taken_back_by_its_name() {
        let told = Session::of(
            &["hearts", "-p", "4", "-s", "3"],
            &["as p2", "auto 8", "bookmark x", "undo", "redo", "undo 2", "tree"],
        );
        told.run().fine().shows([
            "took back: p3  play a card  ♠3",
            "did again: p3  play a card  ♠3",
            "took back: p3  play a card  ♠3",
            "took back: p2  play a card  ♠6",
        ]);
    }

    #[test]
    fn taking_back_more_than_there_is_stops_at_the_beginning_and_says_so() {
        let told = Session::new().lines(["auto 10", "undo 50"]).run().fine();
        told.shows(["took back: 4 things", "took back: p1  play a card to the ring", "this is the beginning"]);
        Session::new().lines(["undo"]).run().refused(["this is the beginning"]);
        Session::new().lines(["redo"]).run().refused(["nothing was undone"]);
    }

    #[test]
    fn one_goes_to_any_move_of_the_branch() {
        let told = Session::new().lines(["auto 8", "goto 2", "goto end", "goto start", "goto 9"]).run().fine();
        told.shows(["move 9", "move 2", "move 9", "move 1", "move 9"]);
        Session::new().lines(["auto 8", "goto 12"]).run().refused(["no move 12", "1 to 9", "`history`"]);
        Session::new().lines(["goto 0"]).run().refused(["no move 0"]);
        Session::new().lines(["goto"]).run().refused(["goto MOVE", "goto 2"]);
        Session::new().lines(["goto home"]).run().refused(["no branch or bookmark `home`", "`tree`"]);
        Session::new().lines(["goto -3"]).run().refused(["no move -3", "1 to"]);
    }

    #[test]
    fn another_way_is_another_branch() {
        let told = Session::new().lines([KNOWN, "10", "undo", "20", "tree", "branch 2", "branch bold", "branch"]);
        let told = told.run().fine();
        told.shows(["p1, take", "main     2 moves\n", "├─ 2  2  2 moves  p1  play a card to the ring  10·k, not 20"])
            .shows([
                "└─ 3  ► the game stands here",
                "p1, take",
                "branch bold starts here",
                "bold  2 moves  nothing yet",
            ]);
    }

    #[test]
    fn a_branch_is_called_by_a_name() {
        let lines = [KNOWN, "10", "undo", "20", "branch rename 2 cautious", "goto cautious", "history"];
        let told = Session::new().lines(lines).run().fine();
        told.shows(["branch 2 is called cautious now", "p1, take", "play a card to the ring  10", "► cautious 2"]);
        let refused = |line: &'static str, words: [&str; 2]| {
            Session::new().lines([KNOWN, "bookmark deal", "10", "branch bold", line]).run().refused(words);
        };
        refused("branch rename bodl brave", ["no branch `bodl`", "did you mean `bold`?"]);
        refused("branch rename bold", ["write `branch rename OLD NEW`", "`branch rename main first`"]);
        refused("branch rename bold main", ["there is a branch `main` already", "`goto main`"]);
        refused("branch rename bold deal", ["there is a bookmark `deal` already", "`goto deal`"]);
        refused("branch rename bold 3", ["`3` cannot be a name", "numbers are for moves"]);
        refused("branch 17", ["`17` cannot be a name", "numbers are for moves"]);
        refused("branch two words", ["`two words` cannot be a name", "one word"]);
    }

    #[test]
    fn a_bookmark_leads_back_from_anywhere() {
        let told = Session::new()
            .lines([
                KNOWN,
                "bookmark deal",
                "10",
                "#1",
                "mark late",
                "bookmark",
                "goto deal",
                "20",
                "tree",
                "goto late",
            ])
            .lines(["history"])
            .run()
            .fine();
        told.shows(["deal marks move 2; `goto deal` comes back here", "late marks move 4"])
            .shows(["  deal  move 2, main  rig shuffle face_down 10", "► late  move 4, main  p1  take a neighbour"])
            .shows(["├─ 2  ◆ deal", "├─ 2  2  3 moves  p1  play a card to the ring  10·k, not 20", "│  └─ 4  ◆ late"])
            .shows(["play a card to the ring  10", "►  3  p1  take a neighbour", "◆ late", "► 2 3"]);
        let told = Session::new().lines([KNOWN, "bookmark here", "10", "bookmark here", "bookmark here"]).run().fine();
        told.shows(["here now marks move 3, and no longer move 2 of main", "here marks this point already"]);
        Session::new().lines(["bookmark"]).run().fine().shows(["no point has a name", "`bookmark NAME`"]);
    }

    #[test]
    fn a_bookmark_has_a_name_of_its_own() {
        for name in ["7", "start", "end", "two words"] {
            let told = Session::new().bytes(format!("bookmark {name}\n").as_bytes()).run();
            told.refused([&format!("`{name}` cannot be a name")]);
        }
        Session::new().lines(["bookmark main"]).run().refused(["there is a branch `main` already"]);
        Session::new().lines(["mark deal", "branch deal"]).run().refused(["there is a bookmark `deal` already"]);
        Session::new().lines(["mark deal", "goto dael"]).run().refused(["`dael`", "did you mean `deal`?"]);
    }

    #[test]
    fn what_is_not_wanted_any_more_is_forgotten() {
        let lines =
            [KNOWN, "mark deal", "10", "mark gone", "undo", "20", "forget 2", "forget deal", "tree", "bookmark"];
        let told = Session::new().lines(lines).run().fine();
        told.shows(["branch 2 is forgotten, with its 2 moves", "the bookmarks on it are gone too: gone"]).shows([
            "the bookmark deal is forgotten",
            "main  2 moves\n└─ 3  ► the game stands here\nno point has a name",
        ]);
        Session::new().lines(["forget main"]).run().refused(["the game is on branch main", "`goto`"]);
        Session::new().lines(["branch bold", "forget bodl"]).run().refused(["`bodl`", "did you mean `bold`?"]);
        Session::new().lines(["forget"]).run().refused(["forget BOOKMARK|BRANCH", "forget bold"]);
    }

    #[test]
    fn nothing_that_was_played_is_lost() {
        let ways: [&[&str]; 7] = [
            &["undo 3", "30"],
            &["undo 2", "#2"],
            &["undo 2", "set p1.score 3"],
            &["undo 2", "move 53 box"],
            &["undo 2", "rig shuffle face_down 1"],
            &["reroll"],
            &["undo", "reroll"],
        ];
        // Each way to leave the moves behind keeps them as branch 2, with the bookmark on their end.
        for way in ways {
            let mut session = Session::new().lines([KNOWN, "10", "#1", "new", "bookmark late"]);
            way.iter().for_each(|line| session.input.extend(format!("{line}\n").bytes()));
            let told = session.lines(["eval 4242", "tree", "goto late", "history"]).run().fine();
            let shown = told.after("4242\n");
            assert!(shown.contains("◆ late") && shown.contains("► 2 4"), "{way:?}:\n{shown}");
        }
        // What a setting is asked for before waits on its own branch, and so does the bookmark.
        let lines = [KNOWN, "10", "#1", "new", "bookmark late", "with special-color", "red", "goto late", "history"];
        let told = Session::new().lines(lines).run().fine();
        told.shows([
            "`goto end` plays what follows: 3 moves",
            "2  p1  name a colour  red",
            "►  5  p1  place",
            "◆ late",
        ]);
    }

    #[test]
    fn a_change_of_the_rules_is_taken_back_whatever_was_named_since() {
        let lines = [KNOWN, "10", "with greenhorn", "bookmark here", "branch bold", "undo", "variants", "tree", "redo"];
        let told = Session::new().lines(lines).lines(["variants", "1", "undo 2", "variants"]).run().fine();
        told.shows(["took back: with greenhorn", "  greenhorn ", "◆ here", "bold", "did again: with greenhorn"])
            .shows(["did again", "► greenhorn ", "took back: p1  take a neighbour", "took back: with greenhorn"])
            .shows(["took back: with greenhorn", "took back: with greenhorn", "\n  greenhorn "]);
        // Where moves were cut off, they are there again, and so are the bookmarks.
        let lines = [KNOWN, "20", "mark late", "set up-or-down.hand_size=1", "mark cut", "undo", "tree"];
        Session::new().lines(lines).run().fine().shows(["took back", "main  ", "◆ cut", "2  ", "► the game", "◆ late"]);
    }

    #[test]
    fn moves_that_no_longer_fit_are_told_when_one_goes_there() {
        let lines = [KNOWN, "10", "mark late", "with special-color", "goto late"];
        let told = Session::new().lines(lines).run().fine();
        told.shows(["no longer fits:", "p1 name_color is asked instead", "p1, name"]);
        let told = Session::new().lines([KNOWN, "10", "undo", "with special-color", "redo"]).run();
        told.refused(["p1 play_card 10, no longer fits", "name_color is asked instead"]);
    }

    #[test]
    fn the_tree_tells_a_player_no_more_than_the_history() {
        let told =
            Session::new().lines([KNOWN, "10", "undo", "20", "eval 4242", "as p2", "tree", "bookmark x", "mark"]);
        let told = told.run().fine();
        let shown = told.after("p1, take a neighbour");
        assert!(shown.contains("p1  play a card to the ring  ?\n") && !shown.contains("not"), "{shown}");
        assert!(!Told::has_number(told.after("main     2 moves"), "10"), "{shown}");
    }

    #[test]
    fn history_tells_the_moves_and_where_the_game_stands() {
        Session::new().lines([KNOWN, "10", "undo", "history"]).run().fine().shows(["rig", "10"]);
    }

    #[test]
    fn chance_is_drawn_anew_only_when_asked_for() {
        let table = |told: &Told| told.after("seed 7").to_owned();
        let played = Session::new().lines(["1", "table"]).run().fine();
        let again = Session::new().lines(["1", "undo", "1"]).run().fine();
        assert_eq!(table(&played), table(&again));
        let dealt = Session::new().lines(["reroll"]).run().fine();
        assert_ne!(table(&Session::new().run().fine()), table(&dealt));
        let back = Session::new().lines(["reroll", "branch"]).run().fine();
        back.shows(["main"]);
    }

    #[test]
    fn a_reroll_with_nothing_to_draw_says_so() {
        let told = Session::new().lines(["auto 3", "reroll"]).run().fine();
        assert!(told.stdout.contains("nothing was drawn since the last choice"), "{}", told.stdout);
        let told = Session::new().lines(["reroll"]).run().fine();
        assert!(!told.stdout.contains("nothing was drawn"), "{}", told.stdout);
    }
}

mod going_forward {
    use super::*;

    #[test]
    fn chance_answers_one_decision_or_several() {
        Session::new().lines(["auto", "auto 3"]).run().fine().shows(["move 1", "move 2", "move 5"]);
        Session::new().lines(["auto three"]).run().refused(["`three`", "whole number"]);
    }

    #[test]
    fn chance_answers_until_something_happens() {
        Session::new().lines(["until turn"]).run().fine().shows(["p1, play", "p2, play"]);
        Session::new().lines(["until end"]).run().fine().shows(["move"]);
        Session::new().lines(["until tomorrow"]).run().refused(["until turn|round|phase|end"]);
        Session::new().lines(["until end", "auto"]).run().refused(["no decision is open", "`undo`"]);
    }

    #[test]
    fn the_same_seed_plays_the_same_game() {
        let one = Session::new().lines(["until end"]).run().fine();
        let other = Session::new().lines(["until end"]).run().fine();
        assert_eq!(one.stdout, other.stdout);
    }
}

mod looking {
    use super::*;

    #[test]
    fn as_a_player_the_hands_of_others_are_not_to_be_read() {
        // With this seed p2 holds 33 from the deal on.
        for look in ["as p1", "as p1 memory"] {
            let told =
                Session::new().lines(["auto 12", "eval 4242", look, "log all", "history", "reload"]).run().fine();
            let shown = told.after("4242");
            assert!(!Told::has_number(shown, "33") && shown.contains("p2 hand"), "{look} shows 33:\n{shown}");
        }
        let told = Session::new().lines([KNOWN, "as p2", "as all"]).run().fine();
        assert!(Told::has_number(told.after("seed 7"), "10"));
    }

    #[test]
    fn an_error_does_not_tell_the_options_of_somebody_else() {
        let told = Session::new().lines(["as p2", "99"]).run().refused(["does not show", "`as all`"]);
        assert!(!told.stderr.contains("54"), "{}", told.stderr);
    }

    #[test]
    fn only_players_of_this_game_can_be_looked_as() {
        Session::new().lines(["as p9"]).run().refused(["there is no player `p9`", "p1 to p2"]);
        Session::new().lines(["as"]).run().refused(["as pN [memory] | all"]);
    }

    #[test]
    fn the_log_is_as_long_as_one_likes() {
        let long = Session::new().lines(["auto 12", "eval 4242", "log all"]).run().fine();
        let short = Session::new().lines(["auto 12", "eval 4242", "log 2"]).run().fine();
        assert!(long.after("4242\n").lines().count() > 12);
        assert_eq!(short.after("4242\n").lines().count(), 2, "{}", short.stdout);
    }

    #[test]
    fn why_names_the_line_of_the_script_and_the_variant() {
        let told = Session::new().args(["-v", "greenhorn"]).lines(["until end", "why p1.score"]).run().fine();
        told.shows(["p1 score is", "column", "rules.rhai:", "green cards", "greenhorn"]);
        let told = Session::new().lines(["auto 12", "why p1.score"]).run().fine();
        told.shows(["p1 score is 0", "if the game ended now", "rules.rhai:"]);
        Session::new().lines(["why"]).run().refused(["why VARIABLE", "why p1.score"]);
    }

    #[test]
    fn every_command_and_every_word_has_help() {
        for command in houserule::session::commands::COMMANDS {
            for name in std::iter::once(&command.name).chain(command.aliases) {
                let told = Session::new().bytes(format!("help {name}\n").as_bytes()).run().fine();
                // A long one takes two lines.
                let usage: String = command.usage().chars().take(50).collect();
                told.shows([&*usage, command.about.split(';').next().unwrap().split(' ').next().unwrap()]);
            }
        }
        Session::new().lines(["help award"]).run().fine().shows(["award("]);
        Session::new().lines(["help score_column"]).run().fine().shows(["score_column(p, column)", "rules.rhai:"]);
        Session::new().lines(["help undoo"]).run().refused(["no help on `undoo`", "did you mean `undo`?"]);
    }
}

mod rules {
    use super::*;

    #[test]
    fn a_variant_is_laid_on_and_taken_off() {
        let told = Session::new().lines(["variants", "with greenhorn", "variants", "without greenhorn", "variants"]);
        told.run().fine().shows(["  greenhorn ", "► greenhorn ", "  greenhorn "]);
        Session::new().lines(["with greenhorn", "undo", "variants"]).run().fine().shows(["took back", "  greenhorn "]);
        let told = Session::new().lines(["auto 2", "with greenhorn", "undo", "redo"]).run().fine();
        told.shows(["took back: with greenhorn", "did again: with greenhorn"]);
    }

    #[test]
    fn two_that_exclude_each_other_are_refused_and_the_game_is_untouched() {
        let told = Session::new().args(["-v", "greenhorn"]).lines(["1", "with greenhorn-pro"]).run();
        told.refused(["line 2", "one pays for green cards", "the game continues under the old rules"]);
    }

    #[test]
    fn a_variant_that_is_not_there_is_refused_with_the_nearest() {
        Session::new().lines(["with rainbwo"]).run().refused(["rainbwo", "did you mean `rainbow`?"]);
        Session::new().lines(["without rainbow"]).run().refused(["no variant is in play"]);
        let told = Session::new().args(["-v", "rainbow"]).lines(["without rainbwo"]).run();
        told.refused(["did you mean `rainbow`?"]);
    }
}

mod diff {
    use super::*;

    /// p1 has taken a green card into a column, and it is p2's turn.
    const GREEN: [&str; 4] = ["rig shuffle face_down 10 20 30 40 50 52 6 12 25 35 45 53", "=10", "=12", "new"];

    #[test]
    fn a_variant_is_taken_off_and_laid_on_and_the_game_stays() {
        let session = || Session::new().args(["-v", "greenhorn"]).lines(GREEN);
        let told =
            session().lines(["eval 4242", "diff without greenhorn", "variants", "diff with rainbow"]).run().fine();
        told.shows(["4242\nthe same up to move 4\nscores so far  p1 1 → 2 (+1)   p2 0\n", "► greenhorn "])
            .shows(["► greenhorn ", "nothing is different\n"]);
        let told = session().lines(["until end", "eval 4242", "diff without greenhorn all"]).run().fine();
        let told = told
            .shows(["without greenhorn ", "│ the rules in play", "green cards", "greenhorn.toml:", "variant greenhorn"])
            .shows(["scores  p1"]);
        assert_eq!(told.after("4242\n").matches("\nmove ").count(), 1, "{}", told.stdout);
    }

    #[test]
    fn where_the_moves_stop_fitting_is_told() {
        let told = Session::new().lines([KNOWN, "10", "diff with special-color", "history"]).run().fine();
        // Both are compared before the move that does not fit.
        told.shows(["p1, play a card to the ring ", "│ p1, name a colour\nscores so far  p1 0   p2 0\n"])
            .shows([
                "with special-color: move 2, p1  play a card to the ring  10·k, no longer fits:",
                "p1 name_color is asked instead",
            ])
            .shows(["asked at ", "special-color.toml:", "►  2  p1  play a card to the ring  10"]);
    }

    #[test]
    fn a_number_of_the_rulebook_is_tried() {
        let told = Session::new().lines(["diff set up-or-down.data.hand_size=4", "table"]).run().fine();
        told.shows(["the beginning", "face-down pile → p1 ", "│", "face-down pile →", "options  +", "move 1"]);
        let told = Session::new().args(["--set", "up-or-down.data.hand_size=4"]);
        let told = told.lines(["diff set up-or-down.data.hand_size=4"]).run().fine();
        told.shows(["nothing is different"]);
    }

    #[test]
    fn branches_and_bookmarks_are_compared() {
        let lines = [KNOWN, "10", "bookmark ten", "undo", "20", "diff 2", "diff main 2", "diff 2 ten", "diff main"];
        let told = Session::new().lines(lines).run().fine();
        told.shows([
            "the same up to move 1\nthis point ",
            "│ 2\nmove 2\n",
            "p1 play a card to the ring 20·",
            "│ p1 play a card to the ring 10·k\n",
        ])
        .shows(["main   ", "│ 2", "nothing is different\nnothing is different\n"]);
        let told = Session::new().lines(["auto 9", "bookmark there", "undo 3", "diff there"]).run().fine();
        told.shows(["the same up to move 6", "there goes on to move 9"]);
    }

    #[test]
    fn only_the_first_moves_are_shown_unless_all_are_wanted() {
        let shown = |line: &'static str| {
            let told = Session::new().lines([KNOWN, "10", "until end", "branch rename main first", "goto 2", "20"]);
            told.lines(["until end", "eval 4242", line]).run().fine().after("4242\n").to_owned()
        };
        let (some, all) = (shown("diff 2"), shown("diff 2 all"));
        let moves = |text: &str| text.lines().filter(|line| line.starts_with("move ")).count();
        assert_eq!(moves(&some), 5, "{some}");
        let left_out: usize = some.split_once("… and ").unwrap().1.split(' ').next().unwrap().parse().unwrap();
        assert!(left_out > 0 && moves(&all) == 5 + left_out, "{some}\n{all}");
        assert!(!all.contains("more moves differ"), "{all}");
    }

    #[test]
    fn nothing_is_told_that_a_player_does_not_see() {
        let played = [KNOWN, "10", "#1", "new", "#1", "undo", "#2", "eval 4242"];
        let told = Session::new().lines(played).lines(["diff 2"]).run().fine();
        let all = told.after("4242\n");
        assert!(all.contains(" face-down pile → p1 hand") && !all.contains("? face-down pile"), "{all}");
        assert!(all.contains("scores so far  p1 1   p2 0"), "{all}");
        // That two ways differ where a player sees nothing would tell that player something.
        Session::new().lines(played).lines(["as p2", "diff 2"]).run().refused(["what p2 may not know", "`as all`"]);
    }

    #[test]
    fn what_cannot_be_compared_is_refused_and_the_game_is_untouched() {
        let greenhorn = |line: &'static str| Session::new().args(["-v", "greenhorn"]).lines(["1", line]).run();
        greenhorn("diff").refused(["line 2", "diff with VARIANT [all] | without", "diff with my-rule.toml"]);
        greenhorn("diff with").refused(["write `diff with VARIANT [all]`"]);
        greenhorn("diff reload now").refused(["`now` is not `all`", "diff with VARIANT"]);
        greenhorn("diff with rainbwo").refused(["rainbwo", "did you mean `rainbow`?"]);
        greenhorn("diff without rainbow").refused(["the variant `rainbow` is not in play", "in play: `greenhorn`"]);
        greenhorn("diff with greenhorn-pro").refused(["one pays for green cards"]);
        greenhorn("diff set up-or-down.data.hand_siez=4").refused(["hand_siez"]);
        greenhorn("diff set nonsense").refused(["nonsense"]);
        greenhorn("diff bodl").refused(["no branch or bookmark `bodl`", "`tree`"]);
        greenhorn("diff main mian").refused(["`mian`", "did you mean `main`?"]);
        Session::new().lines(["diff without greenhorn"]).run().refused(["no variant is in play"]);
    }
}

mod by_hand {
    use super::*;

    #[test]
    fn everything_can_be_changed_taken_back_and_saved() {
        let folder = Folder::new();
        let told = Session::within(&folder)
            .lines([KNOWN, "set p1.score 12", "move 20 box", "move 15 ring 0", "move 30 nowhere", "save game.toml"])
            .lines(["undo 4", "why p1.score"])
            .run()
            .fine();
        told.shows(["saved 5 moves to game.toml", "took back", "p1 score is 0"]);
        let saved = folder.read("game.toml");
        for word in ["rig", "shuffle face_down", "p1.score", "12", "box", "ring"] {
            assert!(saved.contains(word), "no {word} in:\n{saved}");
        }
        Session::within(&folder)
            .lines(["load game.toml", "why p1.score"])
            .run()
            .fine()
            .shows(["p1 score is 12", "by hand"]);
    }

    #[test]
    fn a_rig_before_the_first_move_reaches_back_to_the_deal() {
        let told = Session::new().lines([KNOWN]).run().fine();
        for card in ["10", "20", "30", "40", "50", "52", "5", "15", "25", "35", "45", "53"] {
            assert!(Told::has_number(told.after("seed 7"), card), "no {card} in:\n{}", told.stdout);
        }
        let told = Session::new().lines([KNOWN, "undo", "table"]).run().fine();
        let opening = Session::new().run().fine();
        assert_eq!(told.after("seed 7"), opening.after("seed 7"));
    }

    #[test]
    fn what_is_not_there_is_refused_with_the_nearest() {
        Session::new().lines(["set p1.scroe 3"]).run().refused(["no variable `p1.scroe`", "did you mean `p1.score`?"]);
        Session::new().lines(["set p1.score many"]).run().refused(["whole number", "`many`"]);
        Session::new().lines(["set p1.score"]).run().refused(["set VARIABLE VALUE"]);
        Session::new().lines(["move 999 box"]).run().refused(["no component `999`"]);
        Session::new().lines(["move 33 rnig"]).run().refused(["no zone `rnig`", "did you mean `ring`?"]);
        Session::new().lines(["move 33"]).run().refused(["move COMPONENT ZONE|nowhere [POSITION]"]);
        Session::new().lines(["move 33 ring 900"]).run().refused(["900"]);
        Session::new().lines(["rig shuffle face_dwon 3"]).run().refused(["did you mean `face_down`?"]);
        Session::new().lines(["rig shuffle face_down 999"]).run().refused(["no component `999`"]);
        Session::new().lines(["rig shuffle face_down 126"]).run().refused(["126", "nothing was rigged"]);
        Session::new().lines(["rig roll"]).run().refused(["write `rig roll DIE VALUE`"]);
    }
}

mod eval {
    use super::*;

    #[test]
    fn an_expression_is_evaluated_and_nothing_happens() {
        let told =
            Session::new().lines([KNOWN, "eval 6 * 7", "eval p1.hand.len", "eval p1.award(5, \"discard_pile\")"]);
        told.lines(["why p1.score"]).run().fine().shows(["42", "3", "+5", "p1 score is 0"]);
    }

    #[test]
    fn an_error_says_where_and_what() {
        Session::new().lines(["eval p1.hnad"]).run().refused(["line 1", "hnad"]);
        Session::new().lines(["eval (1 +"]).run().refused(["line 1"]);
        Session::new().lines(["eval"]).run().refused(["eval EXPRESSION"]);
    }

    #[test]
    fn an_endless_loop_is_stopped() {
        Session::new().lines(["eval loop {}", "quit"]).run().refused(["line 1"]);
    }
}

mod files {
    use super::*;

    #[test]
    fn a_saved_game_is_the_same_game() {
        let folder = Folder::new();
        let lines = ["auto 9", "set p2.score 3", "with rainbow", "reroll", "auto 4", "save one.toml", "load one.toml"];
        let told = Session::within(&folder).lines(lines).lines(["save two.toml"]).run().fine();
        assert_eq!(folder.read("one.toml"), folder.read("two.toml"));
        let tables: Vec<&str> = told.stdout.rsplit("seed 7").take(2).collect();
        assert_eq!(tables[0].split("saved").next(), tables[1].split("saved").next());
        let replay = program(&folder).args(["replay", "one.toml"]).output().unwrap();
        assert_eq!(replay.status.code(), Some(0), "{}", String::from_utf8_lossy(&replay.stdout));
    }

    #[test]
    fn a_file_that_cannot_be_loaded_leaves_the_game_alone() {
        let folder = Folder::new();
        Session::within(&folder).lines(["auto 3", "save good.toml"]).run().fine();
        let good = folder.read("good.toml");
        folder.write("format.toml", of_format(&good, 99));
        folder.write("torn.toml", &good[..good.len() / 2]);
        folder.write("bytes.toml", [0xff, 0xfe, 0x00]);
        for (file, word) in [
            ("format.toml", "99"),
            ("torn.toml", "torn.toml"),
            ("bytes.toml", "bytes.toml"),
            ("none.toml", "none.toml"),
        ] {
            let told = Session::within(&folder).bytes(format!("load {file}\n").as_bytes()).run();
            told.refused(["line 1", word]);
        }
        Session::new().lines(["load"]).run().refused(["load FILE"]);
        Session::new().lines(["save /no/such/folder/game.toml"]).run().refused(["/no/such/folder"]);
    }

    #[test]
    fn a_file_that_somebody_changed_is_played_and_that_is_said() {
        let folder = Folder::new();
        Session::within(&folder).lines(["auto 3", "save game.toml"]).run().fine();
        let changed = folder.read("game.toml").replace("seed     = 7", "seed     = 8");
        folder.write("game.toml", changed);
        let told = Session::within(&folder).lines(["load game.toml"]).run().fine();
        assert!(told.stdout.contains("changed") || told.stdout.contains("fit"), "{}", told.stdout);
    }

    #[test]
    fn a_game_saved_under_other_rules_is_played_as_far_as_it_fits() {
        let folder = Folder::with_rules();
        Session::within(&folder).lines([KNOWN, "10", "#1", "save game.toml"]).run().fine();
        folder.edit("games/up-or-down/game.toml", "hand_size = 3", "hand_size = 2");
        let told = Session::within(&folder).lines(["load game.toml"]).run().fine();
        told.shows(["this game was saved under other rules"]);
    }
}

mod scripts {
    use super::*;

    #[test]
    fn an_unknown_command_names_the_nearest_and_the_line() {
        Session::new().lines(["table", "hisotry"]).run().refused(["line 2", "`hisotry`", "did you mean `history`?"]);
        Session::new().lines(["re"]).run().refused(["`re` can mean", "`redo`", "`reroll`", "`reload`"]);
    }

    #[test]
    fn rules_that_fail_before_the_first_line_are_no_success() {
        let folder = Folder::new();
        let told = Session::within(&folder).args(["--set", "up-or-down.data.ring_size=60"]).run();
        assert_eq!(told.code, 1, "{}", told.stdout);
        assert!(told.stdout.contains("there is no component here"), "{}", told.stdout);
    }

    #[test]
    fn the_first_that_fails_ends_the_script() {
        let told = Session::new().lines(["eval 1 + 1", "nonsense", "eval 40 + 4"]).run().refused(["line 2"]);
        assert!(told.stdout.ends_with("2\n"), "{}", told.stdout);
    }

    #[test]
    fn empty_lines_and_comments_do_nothing_but_count() {
        let opening = Session::new().run().fine();
        let told = Session::new().lines(["", "# a comment", "#", "   ", "#!/usr/bin/env houserule"]).run().fine();
        assert_eq!(told.stdout, opening.stdout);
        Session::new().lines(["# one", "", "nonsense"]).run().refused(["line 3"]);
    }

    #[test]
    fn it_does_not_matter_how_lines_end() {
        let bytes: [&[u8]; 4] = [b"eval 6*7\n", b"eval 6*7\r\n", b"eval 6*7", b"\xef\xbb\xbfeval 6*7\r\n"];
        for bytes in bytes {
            let told = Session::new().bytes(bytes).run().fine();
            assert!(told.stdout.ends_with("42\n"), "{}", told.stdout);
        }
    }

    #[test]
    fn what_is_no_text_is_refused() {
        Session::new().bytes(b"table\n\xff\xfe\n").run().refused(["line 2", "not UTF-8"]);
        Session::new().bytes(&[b'x'; 100 << 10]).run().refused(["line 1", "longer than 64 KiB"]);
    }

    #[test]
    fn a_control_character_does_not_reach_the_terminal() {
        let told = Session::new().bytes(b"\x1b[31mred\n").run().refused(["line 1"]);
        assert!(!told.stderr.contains('\u{1b}'), "{:?}", told.stderr);
    }

    #[test]
    fn nor_does_one_of_the_command_line() {
        for language in ["en", "ja"] {
            let folder = Folder::new();
            let mut command = program(&folder);
            command.args(["--lang", language, "sim", "pig", "--seed", "\u{1b}[2J\u{202e}\u{9b}\r7"]);
            let told = told_by(command, Vec::new());
            assert!(told.code == 2 && told.stderr.contains("\\u{202e}\\u{9b}␍7"), "{:?}", told.stderr);
            assert!(!told.stderr.contains('\u{1b}'), "{:?}", told.stderr);
        }
    }

    #[test]
    fn quit_leaves_and_the_rest_is_not_read() {
        Session::new().lines(["quit", "nonsense"]).run().fine();
        Session::new().lines(["auto 3", "q"]).run().fine();
    }

    #[test]
    fn what_takes_nothing_is_not_given_anything() {
        Session::new().lines(["reroll 3"]).run().refused(["`reroll` takes nothing after it"]);
        Session::new().lines(["quit now"]).run().refused(["`quit` takes nothing after it"]);
    }

    #[test]
    fn colour_is_there_only_where_it_is_wanted() {
        let plain = Session::new().lines(["table"]).run().fine().stdout;
        assert!(!plain.contains('\u{1b}'));
        let colored = Session::new().args(["--color", "always"]).lines(["table"]).run().fine().stdout;
        assert!(colored.contains("\u{1b}["));
        // Who says `always` means it.
        let both = Session::new().args(["--color", "always"]).env("NO_COLOR", "1").lines(["table"]).run().fine().stdout;
        assert_eq!(both, colored);
        assert!(!Session::new().args(["--color", "never"]).run().fine().stdout.contains('\u{1b}'));
    }

    #[test]
    fn a_drawing_is_as_wide_as_the_terminal() {
        for columns in ["40", "80", "120"] {
            let told = Session::new().env("COLUMNS", columns).lines(["auto 30", "help", "help rig"]).run().fine();
            let width = told.stdout.lines().map(houserule::screen::style::width).max().unwrap();
            let widest = told.stdout.lines().find(|line| houserule::screen::style::width(line) == width).unwrap();
            assert!(width <= columns.parse().unwrap(), "{width} columns instead of {columns}: {widest}");
        }
    }

    #[test]
    fn a_reader_that_goes_away_ends_it_quietly() {
        let folder = Folder::new();
        let mut command = program(&folder);
        command.args(["play", "up-or-down", "--seed", "7"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().unwrap();
        let _ = stdin.write_all(&b"table\n".repeat(50));
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert_eq!(output.status.code(), Some(0));
    }

    #[test]
    fn japanese_is_spoken_where_it_is_asked_for() {
        Session::new().args(["--lang", "ja"]).lines(["variants"]).run().fine().shows(["手札", "列"]);
    }
}

mod examples {
    use super::*;
    use houserule::session::commands::{COMMANDS, Command};

    #[test]
    fn every_command_but_quit_has_examples_and_every_example_runs() {
        for command in COMMANDS {
            // `clock` waits for a game in real time, `keep` for an edit.
            let is_without = ["quit", "clock", "keep"].contains(&command.name);
            assert_eq!(command.examples.is_empty(), is_without, "examples of {}", command.name);
        }
        let examples =
            COMMANDS.iter().flat_map(|command| command.examples.iter().map(move |example| (command, *example)));
        for (command, example) in examples {
            // What is written goes below the rules, so these are a copy of their own.
            let folder = if command.name == "record" { Folder::with_rules() } else { Folder::new() };
            for id in ["double", "my-rule"] {
                folder.write(
                    &format!("{id}.toml"),
                    format!("id = \"{id}\"\ngame = \"up-or-down\"\nname = \"Mine\"\nabout = \"Mine.\"\n\n[settings.bonus]\ndefault = 2\n"),
                );
            }
            folder.write("corner.toml", meddling::CORNER);
            // Something to take back, to do again, to load, and to go back to.
            let told = Session::within(&folder)
                .args(["-v", "double.toml"])
                .lines(["auto 6", "undo 2", "save game.toml"])
                .bytes(prepared(command, example).as_bytes())
                .bytes(format!("{example}\n").as_bytes())
                .run();
            assert_eq!(told.code, 0, "`{example}`: {}", told.stderr);
        }
    }

    #[test]
    fn what_a_command_does_fits_on_a_line_of_80_columns() {
        let column = COMMANDS.iter().map(|command| command.name.len()).max().unwrap();
        for command in COMMANDS {
            assert!(2 + column + 2 + command.about.chars().count() <= 80, "{}: {}", command.name, command.about);
        }
    }

    /// What has to be done before an example makes sense.
    fn prepared(command: &Command, example: &str) -> &'static str {
        match example {
            "stop" | "wait" => "sim 20 &\n",
            "up" => "debug 1\nstep\n",
            "down" => "debug 1\nstep\nup\n",
            _ if command.works(true) && !command.works(false) => "debug\n",
            "branch main" | "goto main" => "branch other\n",
            "forget bold" => "branch bold\nbranch main\n",
            _ => "",
        }
    }
}

mod reload {
    use super::*;
    use houserule::definition::Language;
    use houserule::playthrough::{Playable, Playthrough};
    use houserule::ruleset::{Ruleset, Selection};
    use houserule::screen::style;
    use houserule::session::Session as Game;
    use houserule::session::commands::Flow;
    use std::sync::Arc;

    /// A game in this process, so that files can be edited between its lines.
    struct Designer(Game);

    impl Designer {
        fn at(folder: &Folder, variants: &[&str]) -> Self {
            let library = houserule::Disk::library(vec![folder.0.clone()]);
            let variants = variants.iter().map(|&id| id.to_owned()).collect();
            let selection = Selection { game: "up-or-down".to_owned(), variants, set: Vec::new() };
            let ruleset = Arc::new(Ruleset::load(&library, &selection).unwrap());
            let loaded = Playable::compile(ruleset, 2, Arc::default()).unwrap();
            let (playthrough, _) = Playthrough::start(loaded, 2, 7, Vec::new()).unwrap();
            let computer = Arc::new(houserule::host::computer::ThisComputer::default());
            Self(Game::new(playthrough, library, Language::English, Arc::default(), computer))
        }

        /// What a line shows.
        fn types(&mut self, line: &str) -> String {
            match self.0.line(line) {
                Ok(Flow::Show(lines) | Flow::Page(lines)) => style::render(&lines, false),
                Ok(Flow::Ask(question)) => question.refusal.to_string(),
                Ok(Flow::Quit) => "left".to_owned(),
                Err(error) => panic!("{line}: {}", error.render(false)),
            }
        }

        /// What is said about a line that fails.
        fn fails(&mut self, line: &str) -> String {
            self.0.line(line).unwrap_err().render(false)
        }

        /// A game with a green card in a column of p1: 10 stays, 24 is taken from beside it.
        fn with_a_green_card(&mut self) {
            self.types("rig shuffle face_down 10 20 30 40 50 52 6 12 25 35 45 53");
            self.types("=10");
            self.types("=12");
            self.types("new");
        }
    }

    #[test]
    fn an_edit_shows_at_once_what_it_changes_in_this_very_position() {
        let folder = Folder::with_rules();
        let mut designer = Designer::at(&folder, &["greenhorn"]);
        designer.with_a_green_card();
        let before = designer.types("table");
        folder.edit(&folder.variant("greenhorn"), "green_points = [0, 1,", "green_points = [0, 7,");
        let told = designer.types("reload");
        assert!(told.contains("p1.score  2 → 8 (+6)"), "{told}");
        let back = designer.types("undo");
        assert!(back.contains("took back") && back.ends_with(&before), "{back}");
        let again = designer.types("redo");
        assert!(again.contains("did again") && again.contains("standing 8"), "{again}");
    }

    #[test]
    fn an_edit_is_compared_with_the_rules_in_play_before_it_is_read() {
        let folder = Folder::with_rules();
        let mut designer = Designer::at(&folder, &["greenhorn"]);
        designer.with_a_green_card();
        let before = designer.types("table");
        assert_eq!(designer.types("diff reload").trim(), "nothing is different");
        folder.edit(&folder.variant("greenhorn"), "green_points = [0, 1,", "green_points = [0, 7,");
        let told = designer.types("diff reload");
        assert!(told.contains("the same up to move 4") && told.contains("p1 2 → 8 (+6)"), "{told}");
        assert_eq!(designer.types("table"), before);
        folder.edit("games/up-or-down/rules.rhai", "{ ring.neighbours(card) }", "{ ring.neighbours(card).top(1 / 0) }");
        let told = designer.types("diff reload");
        assert!(told.contains("the rules on disk: ") && told.contains("rules.rhai:"), "{told}");
        folder.edit("games/up-or-down/rules.rhai", ".top(1 / 0)", " + (");
        let told = designer.fails("diff reload");
        assert!(told.contains("rules.rhai:") && !told.contains("the game continues"), "{told}");
        assert_eq!(designer.types("table"), before);
    }

    #[test]
    fn a_reload_that_cuts_moves_off_keeps_them_as_a_branch() {
        let folder = Folder::with_rules();
        let mut designer = Designer::at(&folder, &[]);
        designer.types("auto 12");
        designer.types("bookmark late");
        folder.edit("games/up-or-down/rules.rhai", "p.choose(\"take_neighbour\"", "p.choose(\"grab_neighbour\"");
        designer.types("reload");
        let tree = designer.types("tree");
        assert!(tree.contains("2  12 moves  p1  take a neighbour") && tree.contains("13  ◆ late"), "{tree}");
        folder.edit("games/up-or-down/rules.rhai", "p.choose(\"grab_neighbour\"", "p.choose(\"take_neighbour\"");
        designer.types("reload");
        assert!(designer.types("goto late").contains("move 13"));
    }

    #[test]
    fn without_an_edit_nothing_changes() {
        let folder = Folder::with_rules();
        let mut designer = Designer::at(&folder, &["greenhorn"]);
        designer.types("auto 5");
        let before = designer.types("history");
        assert_eq!(designer.types("reload").trim(), "the rules are as they were");
        assert_eq!(designer.types("history"), before);
    }

    #[test]
    fn what_does_not_compile_says_where_and_leaves_the_game_alone() {
        let folder = Folder::with_rules();
        let mut designer = Designer::at(&folder, &["greenhorn"]);
        designer.with_a_green_card();
        let before = designer.types("table");
        for (old, new, words) in [
            ("let green = ", "let green = gren + ", "there is no `gren`"),
            ("gren + ", ") + ", "a value is missing after `=`"),
            (") + p.columns", "p.columns", ""),
            ("[data]", "[dta]", "dta"),
        ] {
            folder.edit(&folder.variant("greenhorn"), old, new);
            if words.is_empty() {
                continue;
            }
            let told = designer.fails("reload");
            for word in [words, "greenhorn.toml:", "the game continues under the old rules"] {
                assert!(told.contains(word), "no {word} in:\n{told}");
            }
            assert_eq!(designer.types("table"), before);
        }
        designer.types("auto 3");
    }

    #[test]
    fn rules_that_fail_on_the_way_say_why_until_they_are_mended() {
        let folder = Folder::with_rules();
        let mut designer = Designer::at(&folder, &[]);
        let rules = "games/up-or-down/rules.rhai";
        folder.edit(rules, "{ ring.neighbours(card) }", "{ ring.neighbours(card).top(1 / 0) }");
        designer.types("reload");
        let told = designer.fails("#1");
        for word in ["rules.rhai:", "`undo`", "`reload`"] {
            assert!(told.contains(word), "no {word} in:\n{told}");
        }
        assert!(designer.types("table").contains("rules.rhai:"));
        folder.edit(rules, ".top(1 / 0)", "");
        assert!(designer.types("reload").contains("take a neighbour"));
    }

    #[test]
    fn a_log_that_no_longer_fits_names_its_first_entry_and_undo_brings_everything_back() {
        let folder = Folder::with_rules();
        let mut designer = Designer::at(&folder, &[]);
        designer.types("auto 12");
        let before = designer.types("table");
        folder.edit("games/up-or-down/rules.rhai", "p.choose(\"take_neighbour\"", "p.choose(\"grab_neighbour\"");
        let told = designer.types("reload");
        for word in ["take a neighbour", "2"] {
            assert!(told.lines().next().unwrap().contains(word), "{told}");
        }
        assert!(told.contains("move 2"), "{told}");
        assert!(designer.types("undo").ends_with(&before));
    }

    #[test]
    fn a_variant_whose_file_is_gone_goes_on_in_the_game() {
        let folder = Folder::with_rules();
        let mut designer = Designer::at(&folder, &["greenhorn"]);
        designer.with_a_green_card();
        std::fs::remove_file(folder.0.join(folder.variant("greenhorn"))).unwrap();
        let told = designer.fails("reload");
        assert!(told.contains("greenhorn") && told.contains("the game continues"), "{told}");
        designer.types("auto 2");
        assert!(designer.types("without greenhorn").contains("p1.score"));
        assert!(designer.types("undo").contains("took back"));
    }

    #[test]
    fn a_new_variant_can_be_laid_on_as_soon_as_it_is_written() {
        let folder = Folder::with_rules();
        let mut designer = Designer::at(&folder, &[]);
        designer.with_a_green_card();
        let text = folder.read(&folder.variant("greenhorn")).replace("\"greenhorn\"", "\"grasshopper\"");
        folder.write(&folder.variant("grasshopper"), text);
        assert!(designer.types("variants").contains("grasshopper"));
        assert!(designer.types("with grasshopper").contains("p1.score"));
    }
}

/// A person at a real terminal. Every step waits for the prompt before the next key is pressed.
#[cfg(unix)]
mod terminal {
    use super::*;
    use expectrl::{Eof, Expect, session::OsSession};
    use std::time::Duration;

    const CTRL_C: &str = "\u{3}";
    const CTRL_D: &str = "\u{4}";
    const UP: &str = "\u{1b}[A";

    pub struct Person(OsSession);

    /// How high a terminal is.
    const ROWS: u16 = 50;

    /// The command, which waits until the terminal has its size: whoever opens it sets that a little later.
    fn in_terminal(command: &Command, columns: u16) -> Command {
        let mut shell = Command::new("sh");
        shell
            .arg("-c")
            .arg(format!("until [ \"$(stty size)\" = '{ROWS} {columns}' ]; do sleep 0.01; done; exec \"$0\" \"$@\""));
        shell.arg(command.get_program()).args(command.get_args()).env_clear();
        shell.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        shell.current_dir(command.get_current_dir().unwrap());
        shell
    }

    impl Person {
        pub fn sits_down(folder: &Folder, args: &[&str], columns: u16, prompt: &str) -> Self {
            Self::has_a_pager("cat", folder, args, columns, prompt)
        }

        pub fn has_a_pager(pager: &str, folder: &Folder, args: &[&str], columns: u16, prompt: &str) -> Self {
            let args = [&["play", "up-or-down", "--seed", "7"], args].concat();
            let mut person = Self::with_pager(pager, folder, &args, columns);
            person.sees("`help` ");
            person.sees(prompt);
            person
        }

        /// The same, who is told something before the game begins.
        pub fn sits_down_and_sees(folder: &Folder, args: &[&str], text: &str) -> Self {
            let mut person = Self::at(folder, &[&["play", "up-or-down", "--seed", "7"], args].concat(), 80);
            person.sees(text);
            person
        }

        pub fn at(folder: &Folder, args: &[&str], columns: u16) -> Self {
            Self::with_pager("cat", folder, args, columns)
        }

        fn with_pager(pager: &str, folder: &Folder, args: &[&str], columns: u16) -> Self {
            let mut command = program(folder);
            command.args(args);
            command.env("PAGER", pager).env("PATH", std::env::var_os("PATH").unwrap_or_default());
            command.env("TERM", "xterm-256color").env("NO_COLOR", "1").env("COLUMNS", columns.to_string());
            let mut session = OsSession::spawn(in_terminal(&command, columns)).unwrap();
            session.set_expect_timeout(Some(Duration::from_secs(30)));
            session.get_process_mut().set_window_size(columns, ROWS).unwrap();
            Self(session)
        }

        pub fn presses(&mut self, keys: &str) {
            self.0.send(keys).unwrap();
        }

        /// Sends bytes that may be no text.
        pub fn sends(&mut self, bytes: &[u8]) {
            self.0.send(bytes).unwrap();
        }

        /// Waits for a text, and gives what came before it.
        pub fn sees(&mut self, text: &str) -> String {
            match self.0.expect(text) {
                Ok(found) => String::from_utf8_lossy(found.before()).into_owned(),
                Err(error) => {
                    let mut seen = [0; 4096];
                    let length = self.0.try_read(&mut seen).unwrap_or(0);
                    panic!("no {text:?}: {error}\n{}", String::from_utf8_lossy(&seen[..length]))
                }
            }
        }

        /// Types a line, and waits for an answer and for the prompt behind it.
        pub fn types(&mut self, line: &str, answer: &str, prompt: &str) {
            self.presses(line);
            self.presses("\r");
            self.sees(answer);
            self.sees(prompt);
        }

        pub fn has_left(mut self) {
            self.0.expect(Eof).unwrap();
        }

        #[cfg(unix)]
        pub fn is_sent(&self, signal: rustix::process::Signal) {
            let pid = rustix::process::Pid::from_raw(self.0.get_process().pid().as_raw()).unwrap();
            rustix::process::kill_process(pid, signal).unwrap();
        }

        /// Kills the session, and waits until it is gone.
        #[cfg(unix)]
        pub fn ends_by(self, signal: rustix::process::Signal) {
            self.is_sent(signal);
            self.0.get_process().wait().unwrap();
        }

        #[cfg(unix)]
        pub fn exit_code(&self) -> i32 {
            match self.0.get_process().wait().unwrap() {
                expectrl::process::unix::WaitStatus::Exited(_, code) => code,
                other => panic!("{other:?}"),
            }
        }

        /// Whether the terminal reads whole lines, as it does for other programs.
        #[cfg(unix)]
        pub fn is_cooked(&self) -> bool {
            use rustix::termios::{LocalModes, tcgetattr};
            let terminal = self.0.get_process().get_raw_handle().unwrap();
            tcgetattr(&terminal).unwrap().local_modes.contains(LocalModes::ICANON)
        }
    }

    #[test]
    fn a_person_answers_and_is_asked_the_next_thing() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &[], 80, "p1 play card › ");
        person.types("#1", "p1, take a neighbour", "p1 take neighbour › ");
        person.types("hisotry", "did you mean `history`?", "p1 take neighbour › ");
        person.types("undo", "took back: p1  play a card to the ring", "p1 play card › ");
        person.presses(CTRL_D);
        person.has_left();
    }

    #[test]
    fn tab_lists_what_can_be_typed_and_what_it_means() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &[], 80, "p1 play card › ");
        person.presses("\t");
        person.sees("option 1");
        person.sees("undo      undo the last N choices");
        person.sees("p1 play card › ");
        person.presses("hist\t");
        person.sees("ory");
        person.presses(CTRL_C);
        person.sees("p1 play card › ");
        person.presses("until \t");
        person.sees("turn   until another turn begins");
        person.sees("p1 play card › until ");
        person.presses(CTRL_C);
        person.sees("p1 play card › ");
        person.types("bookmark deal", "deal marks move 1", "p1 play card › ");
        person.presses("goto \t");
        person.sees("deal   bookmark at move 1 of main");
        person.sees("main   branch of 0 moves");
        person.sees("p1 play card › goto ");
        person.presses(CTRL_C);
        person.sees("p1 play card › ");
        person.presses("with \t");
        person.sees("rainbow");
        person.sees("10 points for each column");
    }

    #[test]
    fn tab_lists_no_more_than_fits_the_screen() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &[], 80, "p1 play card › ");
        person.0.get_process_mut().set_window_size(80, 24).unwrap();
        person.types("eval 6 * 7", "42", "p1 play card › ");
        person.presses("\t");
        let listed = person.sees("p1 play card › ");
        assert!(listed.contains("undo") && listed.contains("campaign"), "{listed}");
        assert!(listed.lines().count() < 24 && !listed.contains("More"), "{listed}");
        person.presses("un\t");
        person.sees("undo the last N choices or changes");
        person.sees("p1 play card › un");
    }

    #[test]
    fn what_was_typed_is_there_the_next_time() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &[], 80, "p1 play card › ");
        person.types("eval 6 * 7", "42", "p1 play card › ");
        person.types(" eval 1 + 1", "2", "p1 play card › ");
        person.presses(CTRL_D);
        person.has_left();
        let kept = folder.read("state/houserule/history.txt");
        assert!(kept.contains("eval 6 * 7") && !kept.contains("1 + 1"), "{kept}");
        let mut person = Person::sits_down(&folder, &[], 80, "p1 play card › ");
        person.presses(UP);
        person.sees("eval 6 * 7");
        person.presses("\r");
        person.sees("42");
    }

    #[test]
    fn ctrl_c_clears_the_line_and_the_session_goes_on() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &[], 80, "p1 play card › ");
        person.presses("nonsense");
        person.sees("nonsense");
        person.presses(CTRL_C);
        person.sees("p1 play card › ");
        person.types("eval 6 * 7", "42", "p1 play card › ");
    }

    #[test]
    fn ctrl_c_stops_a_long_run_and_the_game_stands_where_it_came_to() {
        let folder = Folder::with_rules();
        let asks = "p.choose(\"play_card\", p.hand);";
        let burn = "for again in 0..900 { p.may(\"play_card\"); let n = 0; while n < 1900000 { n += 1; } }";
        folder.edit("games/up-or-down/rules.rhai", asks, &format!("{asks} {burn}"));
        let mut person = Person::sits_down(&folder, &[], 80, "p1 play card › ");
        person.presses("until end\r");
        std::thread::sleep(Duration::from_millis(700));
        person.presses(CTRL_C);
        person.sees("interrupted; the game stands at move");
        person.sees(" › ");
        person.types("eval 6 * 7", "42", " › ");
    }

    #[test]
    fn an_endless_expression_does_not_end_the_session() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &[], 80, "p1 play card › ");
        person.presses("eval loop {}\r");
        // Whichever is faster, the person or the limit: an error, and the prompt again.
        person.presses(CTRL_C);
        person.sees("error: ");
        person.sees("p1 play card › ");
        person.types("eval 6 * 7", "42", "p1 play card › ");
    }

    #[test]
    fn an_open_bracket_goes_on_in_the_next_line() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &[], 80, "p1 play card › ");
        person.presses("eval (40 +\r");
        person.types("2)", "42", "p1 play card › ");
    }

    #[test]
    fn who_leaves_a_game_that_is_not_saved_is_asked_once() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &[], 80, "p1 play card › ");
        person.types("#1", "p1, take a neighbour", "p1 take neighbour › ");
        person.presses(CTRL_D);
        person.sees("this game is not saved");
        person.sees("p1 take neighbour › ");
        person.types("save game.toml", "saved 1 moves", "p1 take neighbour › ");
        person.types("branch", "► the game stands here", "p1 take neighbour › ");
        person.presses(CTRL_D);
        person.has_left();

        let mut person = Person::sits_down(&folder, &[], 80, "p1 play card › ");
        person.types("auto 2", "p1, place", "p1 place card › ");
        person.types("quit", "this game is not saved", "p1 place card › ");
        person.presses("quit\r");
        person.has_left();
    }

    #[test]
    fn what_agents_alone_did_need_not_be_saved() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &["--seat", "p1=random"], 80, "p2 play card › ");
        person.presses(CTRL_D);
        person.has_left();

        let mut person = Person::sits_down(&folder, &["--seat", "p1=random"], 80, "p2 play card › ");
        person.types("#1", "p2, take a neighbour", "p2 take neighbour › ");
        person.types("undo", "took back: p2  play a card to the ring", "p2 play card › ");
        person.presses("seat p1 r\t");
        person.sees("p2 play card › seat p1 random");
        person.presses(CTRL_C);
        person.sees("p2 play card › ");
        person.presses("seat p1 \t");
        person.sees("random");
        person.sees("p2 play card › seat p1 ");
        person.presses(CTRL_C);
        person.sees("p2 play card › ");
        person.types("#1", "p2, take a neighbour", "p2 take neighbour › ");
        person.presses(CTRL_D);
        person.sees("this game is not saved");
        person.sees("p2 take neighbour › ");
        person.presses(CTRL_D);
        person.has_left();
    }

    #[test]
    fn an_empty_line_repeats_a_step_and_nothing_else() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &[], 80, "p1 play card › ");
        person.types("auto", "p1, take", "p1 take neighbour › ");
        person.types("", "p1, place", "p1 place card › ");
        person.types("eval 6 * 7", "42", "p1 place card › ");
        person.presses("\r");
        person.sees("p1 place card › ");
        person.types("table", "move 3", "p1 place card › ");
    }

    #[test]
    fn a_narrow_terminal_is_enough() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &[], 40, "p1 play card › ");
        person.presses("help\r");
        let shown = person.sees("quit, exit, q   leave; Ctrl-D");
        let widest = shown.lines().map(|line| houserule::screen::style::width(line.trim_end())).max().unwrap();
        assert!(widest <= 40, "{widest} columns:\n{shown}");
        person.sees("p1 play card › ");
        person.types("auto 3", "move 4", " › ");
    }

    #[test]
    fn japanese_is_asked_and_drawn() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &["--lang", "ja"], 80, "p1 共通ディスプレイに出すカード › ");
        person.types("#1", "隣のカードを取る", "p1 隣のカードを取る › ");
        person.types("undo", "共通ディスプレイ", "p1 共通ディスプレイに出すカード › ");
    }
}

/// What games need that are not played turn by turn with single open cards.
mod other_games {
    use super::*;

    fn session(game: &str, args: &[&str], lines: &[&str]) -> Told {
        let mut session = Session { args: vec!["play".to_owned(), game.to_owned()], ..Session::new() };
        session.args.extend(args.iter().map(|argument| (*argument).to_owned()));
        lines.iter().for_each(|line| session.input.extend(format!("{line}\n").bytes()));
        session.run()
    }

    #[track_caller]
    fn shows(told: &Told, expected: &[&str]) {
        assert_eq!(told.code, 0, "{}", told.stderr);
        for expected in expected {
            assert!(told.stdout.contains(expected), "no `{expected}` in\n{}", told.stdout);
        }
    }

    /// The text after the last time that `line` was shown.
    fn after<'t>(told: &'t Told, line: &str) -> &'t str {
        told.stdout.rsplit_once(line).map(|(_, after)| after).unwrap()
    }

    const BEGUN: [&str; 2] = ["alice", "hatter"];

    #[test]
    fn the_clock_says_who_acts_or_the_person_does() {
        let begun = session("playme", &["-p", "2", "-s", "1"], &BEGUN);
        shows(&begun, &["1  p1  busy for 0.053 s", "2  p2  ◄ the clock", "0.403 s"]);
        for clock in ["clock", "p2"] {
            let told = session("playme", &["-p", "2", "-s", "1"], &[&BEGUN[..], &[clock]].concat());
            shows(&told, &["who acts now  p2", "p2, do one thing with your dice", "roll H6  H5"]);
        }
        let told = session("playme", &["-p", "2", "-s", "1"], &[&BEGUN[..], &["p1"]].concat());
        shows(&told, &["who acts now  p1", "p1, do one thing with your dice"]);
    }

    #[test]
    fn where_nobody_acts_in_real_time_the_clock_is_not_waited_for() {
        let told = session("playme", &["-p", "2", "-s", "1"], &["clock"]);
        assert_eq!(told.code, 1);
        assert!(told.stderr.contains("nobody is waiting for the clock"), "{}", told.stderr);
    }

    #[test]
    fn dice_can_be_turned_and_lent_by_hand_and_that_replays() {
        let folder = Folder::new();
        let lines =
            ["set hatter-1.value 4", "set hatter-2.owner p1", "save game.toml", "load game.toml", "table", "log"];
        let mut session = Session::within(&folder);
        session.args = ["play", "playme", "-p", "2", "-s", "1"].map(str::to_owned).to_vec();
        session.input =
            [&BEGUN[..], &lines].concat().iter().flat_map(|line| format!("{line}\n").into_bytes()).collect();
        let told = session.run();
        shows(&told, &["set hatter-1.value 4", "H4 H□·p1 H□"]);
    }

    #[test]
    fn a_component_is_set_to_what_it_can_be() {
        for (line, reason) in [
            ("set hatter-1.value 7", "hatter-1 has sides 1 to 6"),
            ("set hatter-1.owner p3", "hatter-1.owner is a player at the table or `nobody`, not p3"),
            ("set hatter-1.colour 1", "a component has `side`, `value` and `owner`"),
            ("set alice.side 3", "alice has sides 1 to 2"),
        ] {
            let told = session("playme", &["-p", "2", "-s", "1"], &[&BEGUN[..], &[line]].concat());
            assert_eq!(told.code, 1, "{line}");
            assert!(told.stderr.contains(reason), "{line}: {}", told.stderr);
        }
    }

    #[test]
    fn what_is_chosen_together_is_secret_until_all_have_chosen() {
        let chosen = ["=3 =4 =8", "as p2", "log"];
        let told = session("ftw", &["-p", "3", "-s", "1"], &chosen);
        shows(&told, &["p1  choose the cards to pass to your neighbour  ? ? ?"]);
        assert!(!after(&told, "0  round 1").contains("to your neighbour  3"), "{}", told.stdout);
        // The cards went to p3, who sees them; p2 never does.
        let all = ["=3 =4 =8", "=1 =6 =7", "=2 =5 =9", "as p3", "log"];
        shows(&session("ftw", &["-p", "3", "-s", "1"], &all), &["3 4 8  p1 hand → p3 hand"]);
        let all = ["=3 =4 =8", "=1 =6 =7", "=2 =5 =9", "as p2", "log"];
        let told = session("ftw", &["-p", "3", "-s", "1"], &all);
        shows(&told, &["?×3  p1 hand → p3 hand", "2 5 9  p3 hand → p2 hand"]);
    }

    #[test]
    fn a_reason_is_given_in_the_language_of_the_reader() {
        let lines = ["=3 =4 =8", "=1 =6 =7", "=2 =5 =9", "#1", "help 33"];
        let told = session("ftw", &["-p", "3", "-s", "1"], &lines);
        assert!(
            told.stderr.contains("help 33 is not allowed: the card is not lower than the top of the pile"),
            "{}",
            told.stderr
        );
        let told = session("ftw", &["-p", "3", "-s", "1", "--lang", "ja"], &lines);
        assert!(told.stderr.contains("help 33 は選べません：山のトップより小さくない"), "{}", told.stderr);
    }

    #[test]
    fn a_lot_is_told_in_the_words_of_the_rules() {
        shows(&session("ftw", &["-p", "3", "-s", "1"], &["log"]), &["lot start player → "]);
        shows(&session("ftw", &["-p", "3", "-s", "1", "--lang", "ja"], &["log"]), &["くじ スタートプレイヤー → "]);
    }

    #[test]
    fn an_option_is_chosen_once() {
        let told = session("ftw", &["-p", "3", "-s", "1"], &["=3 =3 =4"]);
        assert_eq!(told.code, 1);
        assert!(told.stderr.contains("3 is chosen twice"), "{}", told.stderr);
    }

    #[test]
    fn history_and_undo_tell_a_player_no_more_than_the_log() {
        let told = session("overflow", &["-p", "3", "-s", "42"], &["auto 5", "as p2", "history", "undo 4"]);
        assert_eq!(told.code, 0, "{}", told.stderr);
        let history = after(&told, "0  the beginning");
        let expected = [
            "    1  p1  choose a limit-break card, face down  ?",
            "    2  p2  choose a limit-break card, face down  ?",
            "    3  p3  choose a limit-break card, face down  ?",
            "    4  p1  insert a card or call  insert ?",
            " ►  5  p2  insert a card or call  insert b blue-3",
        ];
        assert_eq!(history.lines().skip(1).take(5).collect::<Vec<_>>(), expected);
        shows(
            &told,
            &[
                "took back: p1  insert a card or call  insert b",
                "took back: p3  choose a limit-break card, face down  ?",
            ],
        );
    }

    #[test]
    fn an_expression_may_use_its_receiver_within() {
        let told = session("hearts", &["-p", "4", "-s", "7"], &["eval p1.hand.any(|card| p1.hand.contains(card))"]);
        shows(&told, &["true"]);
    }

    #[test]
    fn a_drawn_option_that_is_not_allowed_says_why() {
        let told = session("hearts", &["-p", "4", "-s", "7"], &["♣2", "♥A"]);
        assert!(told.stderr.contains("hearts-14 is not allowed: you have cards of the suit"), "{}", told.stderr);
    }

    const COUNTING: &str = r#"
id = "counting"
game = "hearts"
name = "x"
[script]
rhai = '''
fn play_card(p) {
    let asked = 0;
    let card = p.choose("play_card", playable(p), p.hand, |card| { asked += 1; "no" });
    card.belong_to(p);
    card.move_to(trick);
    if asked > 0 { p.award(asked, "hearts"); }
}
'''
"#;

    /// Why something is not allowed is asked only where a person may read it. A rule that counts how often it is asked
    /// would give another game when the game is played again.
    #[test]
    fn reasons_may_change_nothing() {
        let folder = Folder::with_rules();
        copy(&root().join("scripts"), &folder.0.join("scripts"));
        folder.write("counting.toml", COUNTING);
        let mut session = Session::within(&folder);
        session.args = ["play", "hearts", "-p", "4", "-s", "7", "-v", "counting.toml"].map(str::to_owned).to_vec();
        let told = session.run();
        assert_eq!(told.code, 2, "{}", told.stderr);
        let message = "error[reason-changes]: the code that says why `choose` does not allow something sets `asked`";
        assert!(told.stderr.contains(message), "{}", told.stderr);
    }

    #[test]
    fn a_drawn_face_is_an_answer() {
        shows(&session("hearts", &["-p", "4", "-s", "7"], &["♣2"]), &["p3  play a card  ♣2"]);
    }

    /// The players of a memory game are told the last card of the box; a perfect memory is told more.
    #[test]
    fn what_has_to_be_remembered_is_not_repeated() {
        let lines = ["auto 4", "auto 3"];
        let told =
            |viewer: &str| session("overflow", &["-p", "4", "-s", "3"], &[&lines[..], &[viewer, "log"]].concat());
        let seat = told("as p2");
        let (table, log) = after(&seat, "insertion phase · ").split_once("a limit-break card").unwrap();
        assert!(table.contains("box                ? ▲ y·p2"), "{table}");
        let told_of: Vec<&str> = log.lines().filter(|line| line.contains("→ box") && !line.contains('?')).collect();
        assert_eq!(told_of, ["    7  y  p2 hand → box"]);
        let memory = told("as p2 memory");
        let log = after(&memory, "a limit-break card");
        assert!(log.lines().filter(|line| line.contains("→ box")).all(|line| !line.contains('?')), "{log}");
    }
}
