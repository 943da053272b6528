//! Nothing of a person's is lost: files that are not ours, output that nobody takes, bytes that are no text, games whose
//! session is killed.

use super::*;
use std::fs::{self, File};
use std::os::unix::fs::{FileTypeExt as _, symlink};
use std::process::Output;

fn run(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn make_fifo(path: &Path) {
    rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
}

mod files_of_others {
    use super::*;

    const RULES: &str = "fn game() { }\n";

    #[test]
    fn save_keeps_what_is_no_saved_game() {
        let folder = Folder::new();
        folder.write("rules.rhai", RULES);
        folder.write("empty", "");
        fs::create_dir(folder.0.join("folder")).unwrap();
        let saves =
            |name: &str| Session::within(&folder).lines(["auto 3"]).bytes(format!("save {name}\n").as_bytes()).run();
        let help = "`save rules.rhai!` overwrites it";
        saves("rules.rhai").refused(["line 2", "already exists, and is not a saved game", help]);
        assert_eq!(folder.read("rules.rhai"), RULES);
        // Of an empty file nothing can be lost.
        saves("empty").fine().shows(["saved 3 moves to empty"]);
        Session::within(&folder).lines(["save folder"]).run().refused(["it is a folder"]);
        Session::within(&folder).lines(["save folder!"]).run().refused(["it is a folder"]);
        Session::within(&folder)
            .lines(["auto 3", "save rules.rhai!"])
            .run()
            .fine()
            .shows(["saved 3 moves to rules.rhai"]);
        // It is a saved game now, and gives way to the next.
        Session::within(&folder).lines(["auto 5", "save rules.rhai"]).run().fine().shows(["saved 5 moves"]);
    }

    #[test]
    fn save_follows_links_and_writes_to_what_is_no_file() {
        let folder = Folder::new();
        folder.write("README.md", "my notes\n");
        symlink("README.md", folder.0.join("notes.toml")).unwrap();
        symlink("there.toml", folder.0.join("here.toml")).unwrap();
        Session::within(&folder).lines(["save notes.toml"]).run().refused(["is not a saved game"]);
        assert_eq!(folder.read("README.md"), "my notes\n");
        Session::within(&folder).lines(["auto 3", "save here.toml"]).run().fine();
        assert!(folder.0.join("here.toml").is_symlink() && folder.read("there.toml").contains("log = ["));

        make_fifo(&folder.0.join("fifo"));
        let reader = std::thread::spawn({
            let fifo = folder.0.join("fifo");
            move || fs::read_to_string(fifo).unwrap()
        });
        Session::within(&folder).lines(["auto 3", "save fifo"]).run().fine().shows(["wrote 3 moves to fifo"]);
        assert!(reader.join().unwrap().starts_with("# A game saved by houserule"));
        assert!(fs::metadata(folder.0.join("fifo")).unwrap().file_type().is_fifo());
        let told = Session::within(&folder).lines(["auto 3", "save /dev/full"]).run();
        told.refused(["`/dev/full` cannot be written: no space left on device"]);
        let told = Session::within(&folder).lines(["auto 3", "save /dev/stdout"]).run().fine();
        told.shows(["# A game saved by houserule", "wrote 3 moves to /dev/stdout"]);
    }

    #[test]
    fn a_trace_takes_the_place_of_a_trace_only() {
        let folder = Folder::new();
        let trace = |args: &[&str]| {
            let output = run(program(&folder).args(["trace", "hearts", "-s", "1", "--out"]).args(args));
            (output.status.code(), said(&output))
        };
        assert_eq!(trace(&["one.jsonl"]), (Some(0), String::new()));
        assert_eq!(trace(&["one.jsonl"]), (Some(0), String::new()));
        folder.write("README.md", "my notes\n");
        let (code, told) = trace(&["README.md"]);
        assert!(code == Some(2) && told.contains("is not a trace") && told.contains("`--force`"), "{told}");
        assert_eq!(folder.read("README.md"), "my notes\n");
        assert_eq!(trace(&["README.md", "--force"]).0, Some(0));
        assert_eq!(folder.read("README.md"), folder.read("one.jsonl"));
        let printed = run(program(&folder).args(["trace", "hearts", "-s", "1", "--out", "/dev/stdout"]));
        assert_eq!(String::from_utf8(printed.stdout).unwrap(), folder.read("one.jsonl"));
        // A file behind standard output is written to, and not replaced.
        let to_file = File::create(folder.0.join("two.jsonl")).unwrap();
        let status =
            program(&folder).args(["trace", "hearts", "-s", "1", "--out", "/dev/stdout"]).stdout(to_file).status();
        assert!(status.unwrap().success() && folder.read("two.jsonl") == folder.read("one.jsonl"));
    }

    #[test]
    fn a_trace_that_cannot_be_finished_leaves_the_old_one() {
        let folder = Folder::new();
        assert!(run(program(&folder).args(["trace", "hearts", "-s", "1", "--out", "one.jsonl"])).status.success());
        let old = folder.read("one.jsonl");
        let limited = format!(
            "ulimit -f 4; exec {} trace hearts -s 2 --out one.jsonl --dir {}",
            env!("CARGO_BIN_EXE_houserule"),
            root().display()
        );
        // Whoever does not ignore this signal is killed by it, and leaves its temporary file.
        let mut shell = Command::new("sh");
        let output = run(shell.args(["-c", &format!("trap '' XFSZ; {limited}")]).current_dir(&folder.0));
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains("`one.jsonl` cannot be written: file too large"), "{}", said(&output));
        assert_eq!(folder.read("one.jsonl"), old);
        let hidden = || {
            fs::read_dir(&folder.0)
                .unwrap()
                .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with(".houserule-"))
        };
        assert_eq!(hidden().count(), 0, "no temporary file is left");
    }

    #[test]
    fn what_a_kill_left_is_swept_away_by_the_next_save() {
        let folder = Folder::new();
        let left = File::create(folder.0.join(".houserule-Ab3dE9")).unwrap();
        left.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(3600)).unwrap();
        Session::within(&folder).lines(["auto 3", "save game.toml"]).run().fine();
        assert!(!folder.0.join(".houserule-Ab3dE9").exists());
    }

    #[test]
    fn load_does_not_give_up_a_game_that_is_not_saved() {
        let folder = Folder::new();
        Session::within(&folder).lines(["auto 3", "save game.toml"]).run().fine();
        let told = Session::within(&folder).lines(["auto 5", "load game.toml"]).run();
        told.refused(["line 2", "the game on the table is not saved", "`load game.toml!`"]);
        Session::within(&folder).lines(["auto 5", "load game.toml!"]).run().fine().shows(["move 4"]);
        Session::within(&folder).lines(["auto 5", "load none.toml"]).run().refused(["none.toml"]);
        Session::within(&folder).lines(["load game.toml"]).run().fine().shows(["move 4"]);
    }
}

mod output {
    use super::*;

    /// Every command that writes results, with a session of the REPL.
    fn commands(folder: &Folder) -> Vec<Vec<&'static str>> {
        Session::within(folder).lines(["auto 3", "save game.toml"]).run().fine();
        let commands = "list\nlist --json\ncheck hearts\ncheck hearts --json\nshow hearts\nshow hearts --json\n\
                        trace hearts -s 1\ntrace hearts -s 1 --out /dev/stdout\nreplay game.toml\nreplay game.toml --json\n\
                        diff hearts -s 1 -v black-lady\ndiff hearts -s 1 -v black-lady --json\n\
                        test tests/scenarios/hearts\ntest tests/scenarios/hearts --json\ncompletions bash\n\
                        play hearts -s 1\n--help\n--version\nhelp play";
        commands.lines().map(|line| line.split(' ').collect()).collect()
    }

    fn in_project(folder: &Folder, args: &[&str]) -> Command {
        symlink(root().join("tests"), folder.0.join("tests")).ok();
        let mut command = program(folder);
        // These two are answered before anything else is looked at.
        if args[0].starts_with("--") {
            command = program_at(&folder.0, folder);
        }
        command.args(args);
        command
    }

    #[test]
    fn a_full_disk_is_said() {
        let folder = Folder::new();
        for args in commands(&folder) {
            let full = File::options().write(true).open("/dev/full").unwrap();
            let mut command = in_project(&folder, &args);
            let output = command.stdin(Stdio::null()).stdout(full).stderr(Stdio::piped()).output().unwrap();
            let message = "cannot be written: no space left on device";
            assert!(said(&output).contains(message), "{args:?}: {}", said(&output));
            assert_eq!(output.status.code(), Some(2), "{args:?}");
        }
    }

    #[test]
    fn closed_output_is_said() {
        let folder = Folder::new();
        for args in commands(&folder) {
            let command = in_project(&folder, &args);
            let mut shell = Command::new("/bin/sh");
            shell.args(["-c", "exec \"$0\" \"$@\" >&-"]).arg(command.get_program()).args(command.get_args());
            shell.current_dir(&folder.0).env_clear().env("HOME", &folder.0);
            let output = shell.stdin(Stdio::null()).output().unwrap();
            assert!(said(&output).contains("cannot be written: it is closed"), "{args:?}: {}", said(&output));
            assert_eq!(output.status.code(), Some(2), "{args:?}");
        }
    }

    #[test]
    fn a_reader_that_went_away_is_no_trouble() {
        let folder = Folder::new();
        for args in commands(&folder) {
            let mut child = in_project(&folder, &args);
            child.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = child.spawn().unwrap();
            drop(child.stdout.take());
            let output = child.wait_with_output().unwrap();
            assert_eq!(said(&output).replace("warning", ""), "", "{args:?}");
            // `check` and its like may have an answer of their own before they write it.
            assert!(matches!(output.status.code(), Some(0)), "{args:?}: {:?}", output.status);
        }
    }

    #[test]
    fn ctrl_c_ends_a_script() {
        let folder = Folder::new();
        let mut command = program(&folder);
        command.args(["play", "hearts", "-s", "1"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // Waiting for it must not end its input.
        let _stdin = child.stdin.take();
        // It has drawn the table, and waits for the next line.
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut [0; 100]).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(100));
        let pid = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
        let status = child.wait().unwrap();
        assert_eq!(status.code(), Some(130), "{status}");
    }
}

mod at_a_terminal {
    use super::*;
    use crate::sessions::terminal::Person;

    const ASKED: &str = "p1 play card › ";

    #[test]
    fn a_person_says_whether_a_file_is_overwritten() {
        let folder = Folder::new();
        folder.write("notes", "my notes\n");
        let mut person = Person::sits_down(&folder, &[], 80, ASKED);
        person.types("save notes", "`notes` already exists, and is not a saved game", "overwrite it? [y/N] › ");
        person.types("n", "nothing was done", ASKED);
        assert_eq!(folder.read("notes"), "my notes\n");
        person.types("save notes", "already exists", "overwrite it? [y/N] › ");
        person.types("y", "saved 0 moves to notes", ASKED);
        person.types("#1", "p1, take a neighbour", "p1 take neighbour › ");
        person.types(
            "load notes",
            "the game on the table is not saved",
            "load the other game without saving this one? [y/N] › ",
        );
        person.types("", "nothing was done", "p1 take neighbour › ");
        person.types("load notes!", "p1, play", ASKED);
    }

    #[test]
    fn bytes_that_are_no_text_do_not_end_the_session() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &[], 80, ASKED);
        person.types("#1", "p1, take a neighbour", "p1 take neighbour › ");
        person.sends(b"und\xffo");
        person.sees("what was typed is not UTF-8 text");
        person.sees("p1 take neighbour › ");
        person.sends(b"\x03");
        person.sees("p1 take neighbour › ");
        person.sends(b"\xff\xfe\xc0\xff");
        person.sees("what was typed is not UTF-8 text");
        person.sees("p1 take neighbour › ");
        person.types("eval 6 * 7", "42", "p1 take neighbour › ");
    }

    #[test]
    fn damaged_history_is_set_aside_and_history_goes_on() {
        let folder = Folder::new();
        fs::create_dir_all(folder.0.join("state/houserule")).unwrap();
        folder.write("state/houserule/history.txt", b"#V2\neval 1 + 2\n\xff\xfe\x00\x00\n");
        let mut person = Person::sits_down_and_sees(&folder, &[], "what you typed was damaged");
        person.sees(ASKED);
        person.types("eval 6 * 7", "42", ASKED);
        let kept = folder.read("state/houserule/history.txt");
        assert_eq!(kept, "#V2\neval 1 + 2\neval 6 * 7\n");
        assert!(folder.0.join("state/houserule/history.damaged.txt").exists());
    }

    #[test]
    fn history_that_cannot_be_kept_is_said_once() {
        let folder = Folder::new();
        fs::create_dir_all(folder.0.join("state/houserule/history.txt")).unwrap();
        let mut person = Person::sits_down_and_sees(&folder, &[], "what you type is not kept for the next session");
        person.sees(ASKED);
        person.types("eval 6 * 7", "42", ASKED);
    }
}

mod unfinished_games {
    use super::*;
    use crate::sessions::terminal::Person;
    use rustix::process::Signal;

    const ASKED: &str = "p1 play card › ";
    const TAKES: &str = "p1 take neighbour › ";

    fn play(folder: &Folder, args: &[&str]) -> Told {
        Session {
            folder: Some(folder),
            args: [&["play"], args].concat().into_iter().map(str::to_owned).collect(),
            ..Session::new()
        }
        .run()
    }

    /// A piped session that goes on with a game.
    fn resumed(folder: &Folder, args: &[&str], lines: &[&str]) -> Told {
        let args = [&["play", "--resume"], args].concat().into_iter().map(str::to_owned).collect();
        let input = lines.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect();
        Session { folder: Some(folder), args, input, ..Session::new() }.run()
    }

    fn journals(folder: &Folder) -> Vec<String> {
        let entries = fs::read_dir(folder.0.join("state/houserule/unfinished")).into_iter().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_killed_session_loses_nothing() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &[], 80, ASKED);
        person.types(KNOWN, "p1, play", ASKED);
        person.types("bookmark deal", "deal marks move 2", ASKED);
        person.types("10", "p1, take", TAKES);
        person.types("undo", "took back", ASKED);
        person.types("20", "p1, take", TAKES);
        person.types("with greenhorn", "greenhorn", TAKES);
        person.types("set p1.score 3", "p1, take", TAKES);
        person.presses("auto 1");
        person.ends_by(Signal::KILL);
        assert_eq!(journals(&folder), ["1.jsonl"]);

        let told = resumed(&folder, &[], &["history", "tree", "variants", "eval p1.score", "goto deal"]).fine();
        told.shows(["move 4", "20", "◆ deal", "10·k, not 20", "► greenhorn", "3\n", "move 2"]);
        // To look at it is not to save it.
        assert_eq!(journals(&folder), ["1.jsonl"]);
        resumed(&folder, &["1"], &["goto end", "auto 2", "save game.toml"]).fine().shows(["saved 5 moves"]);
        assert_eq!(journals(&folder), [""; 0]);
        let told = resumed(&folder, &[], &[]);
        assert!(told.code == 1 && told.stderr.contains("there is no unfinished game"), "{}", told.stderr);
    }

    #[test]
    fn signals_give_the_terminal_back_and_say_which_they_were() {
        for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129)] {
            let folder = Folder::new();
            let mut person = Person::sits_down(&folder, &[], 80, ASKED);
            person.types("10", "p1, take", TAKES);
            assert!(!person.is_cooked(), "the line editor reads key by key");
            person.is_sent(signal);
            assert_eq!(person.exit_code(), code);
            assert!(person.is_cooked(), "the terminal is as it was found");
            resumed(&folder, &[], &["history"]).fine().shows(["play a card to the ring  10"]);
        }
    }

    #[test]
    fn who_leaves_or_saves_leaves_no_journal() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &[], 80, ASKED);
        assert_eq!(journals(&folder), [""; 0], "there is nothing to lose yet");
        person.types("10", "p1, take", TAKES);
        assert_eq!(journals(&folder), ["1.jsonl"]);
        person.types("save game.toml", "saved 1 moves", TAKES);
        assert_eq!(journals(&folder), [""; 0]);
        person.types("#1", "p1, place", "p1 place card › ");
        assert_eq!(journals(&folder), ["1.jsonl"]);
        person.types("quit", "this game is not saved", "p1 place card › ");
        person.presses("quit\r");
        person.has_left();
        assert_eq!(journals(&folder), [""; 0]);
        // Scripts can be run again.
        Session::within(&folder).lines(["auto 5"]).run().fine();
        assert_eq!(journals(&folder), [""; 0]);
    }

    #[test]
    fn sessions_do_not_disturb_each_other() {
        let folder = Folder::new();
        let mut one = Person::sits_down(&folder, &[], 80, ASKED);
        one.types("10", "p1, take", TAKES);
        // A live session's game is not offered.
        let mut two = Person::sits_down(&folder, &[], 80, ASKED);
        two.types("54", "p1, take", TAKES);
        assert_eq!(journals(&folder), ["1.jsonl", "2.jsonl"]);
        assert_eq!(resumed(&folder, &[], &[]).code, 1);
        let told = resumed(&folder, &["1"], &[]);
        assert!(told.code == 1 && told.stderr.contains("a session has it open"), "{}", told.stderr);
        one.ends_by(Signal::KILL);
        // Whoever only looks at a game has not played it.
        let journal = folder.0.join("state/houserule/unfinished/1.jsonl");
        let written = || (fs::read(&journal).unwrap(), fs::metadata(&journal).unwrap().modified().unwrap());
        let before = written();
        resumed(&folder, &[], &["history"]).fine().shows(["play a card to the ring  10"]);
        assert!(written() == before, "it was written anew");
        two.types("#1", "p1, place", "p1 place card › ");
        two.ends_by(Signal::KILL);

        let told = resumed(&folder, &[], &[]);
        assert_eq!(told.code, 2, "{}", told.stderr);
        for words in [
            "there are 2 unfinished games",
            "2: up-or-down, 2 players, 2 moves, just now",
            "`houserule play --resume N`",
        ] {
            assert!(told.stderr.contains(words), "no {words:?} in {}", told.stderr);
        }
        let mut three = Person::sits_down_and_sees(&folder, &[], "there are 2 unfinished games; the last: up-or-down,");
        three.sees("--resume 2`");
        three.sees(ASKED);
        play(&folder, &["--discard", "1"]).fine().shows(["deleted unfinished game 1: up-or-down"]);
        assert_eq!(journals(&folder), ["2.jsonl"]);
        assert_eq!(play(&folder, &["--discard", "1"]).code, 1);
        resumed(&folder, &[], &["history"]).fine().shows(["play a card to the ring  54"]);
        // What is played further stands behind what was played before.
        resumed(&folder, &[], &["auto 1"]).fine();
        resumed(&folder, &[], &["history"])
            .fine()
            .shows(["play a card to the ring  54", "3  p1  place the card you took"]);
    }

    #[test]
    fn who_goes_on_sits_and_sees_as_before() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &["--seat", "p1=random"], 80, "p2 play card › ");
        person.types("#1", "p2, take", "p2 take neighbour › ");
        person.ends_by(Signal::KILL);
        let told = resumed(&folder, &[], &["seat"]).fine();
        told.shows(["p1   hand 3 ", "p2 ► hand", "p1  random", "p2  person"]);
    }

    #[test]
    fn a_torn_or_damaged_journal_costs_what_is_damaged_and_is_never_deleted() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &[], 80, ASKED);
        person.types("10", "p1, take", TAKES);
        person.types("#1", "p1, place", "p1 place card › ");
        person.ends_by(Signal::KILL);
        let journal = "state/houserule/unfinished/1.jsonl";
        let whole = folder.read(journal);
        folder.write(journal, &whole[..whole.len() - 5]);
        resumed(&folder, &[], &["history"]).fine().shows([" ►  1  p1  play a card to the ring  10"]);
        folder.write(journal, whole.replacen("\"add\"", "\"odd\"", 1));
        resumed(&folder, &[], &["history"]).fine();
        folder.write(journal, "nonsense\n");
        let told = resumed(&folder, &[], &[]);
        assert!(told.code == 2 && told.stderr.contains("is not a journal"), "{}", told.stderr);
        assert_eq!(folder.read(journal), "nonsense\n");
        let mut other = Person::sits_down_and_sees(&folder, &[], "an unfinished game: cannot be read");
        other.sees(ASKED);
    }

    #[test]
    fn where_no_journal_can_be_kept_that_is_said_once_and_the_game_goes_on() {
        let folder = Folder::new();
        fs::create_dir_all(folder.0.join("state/houserule")).unwrap();
        folder.write("state/houserule/unfinished", "in the way");
        let mut person = Person::sits_down(&folder, &[], 80, ASKED);
        person.types("10", "this game has no journal", TAKES);
        person.types("#1", "p1, place", "p1 place card › ");
    }

    #[test]
    fn a_journal_that_no_longer_fits_on_the_disk_is_said_once_and_tells_what_it_has() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &[], 80, ASKED);
        person.types("10", "p1, take", TAKES);
        person.ends_by(Signal::KILL);
        let small = fs::metadata(folder.0.join("state/houserule/unfinished/1.jsonl")).unwrap().len() / 512 + 1;
        let mut shell = program(&folder);
        shell.args(["play", "--resume"]);
        let limit = format!("trap '' XFSZ; ulimit -f {small}; exec \"$0\" \"$@\"");
        let mut command = Command::new("/bin/sh");
        command.args(["-c", &limit]).arg(shell.get_program()).args(shell.get_args()).current_dir(&folder.0);
        command.env_clear().envs(shell.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(b"auto 60\nauto 1\nauto 1\n").unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        assert_eq!(said(&output).matches("this game has no journal").count(), 1, "{}", said(&output));
        resumed(&folder, &[], &["history"]).fine().shows(["play a card to the ring  10"]);
    }

    #[test]
    fn a_long_game_is_not_written_anew_with_each_move() {
        let folder = Folder::new();
        let mut person = Person::sits_down(&folder, &[], 80, ASKED);
        person.types("auto 100", "move 101", " › ");
        let journal = folder.0.join("state/houserule/unfinished/1.jsonl");
        let before = fs::metadata(&journal).unwrap().len();
        person.types("auto 1", "move 102", " › ");
        let added = fs::metadata(&journal).unwrap().len() - before;
        assert!((1..300).contains(&added), "{added} bytes for one move");
    }
}
