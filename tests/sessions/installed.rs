//! The program alone, as `cargo install` puts it somewhere, in folders that have no games.

use super::*;

/// A machine on which nothing lies but the program.
struct Machine {
    folder: Folder,
    program: PathBuf,
}

impl Machine {
    fn new() -> Self {
        let folder = Folder::new();
        let program = folder.0.join("home/bin/houserule").with_extension(std::env::consts::EXE_EXTENSION);
        std::fs::create_dir_all(program.parent().unwrap()).unwrap();
        let built = env!("CARGO_BIN_EXE_houserule");
        std::fs::hard_link(built, &program).or_else(|_| std::fs::copy(built, &program).map(drop)).unwrap();
        std::fs::create_dir_all(folder.0.join("here")).unwrap();
        Self { folder, program }
    }

    /// Another version of the program, in which a text of its games stands otherwise: the compressed texts are replaced
    /// where they lie in the program, by such as are no longer.
    #[cfg(not(target_os = "macos"))]
    fn of_another_version(old: &str, new: &str) -> Self {
        let texts = include_bytes!(concat!(env!("OUT_DIR"), "/shipped.deflate"));
        let joined = String::from_utf8(miniz_oxide::inflate::decompress_to_vec(texts).unwrap()).unwrap();
        assert!(joined.contains(old), "the program does not have {old}");
        let changed = miniz_oxide::deflate::compress_to_vec(joined.replace(old, new).as_bytes(), 10);
        let machine = Self::new();
        let mut bytes = std::fs::read(&machine.program).unwrap();
        let found: Vec<usize> = memchr::memmem::find_iter(&bytes, texts).collect();
        assert!(!found.is_empty(), "the program does not have its texts");
        found.iter().for_each(|at| bytes[*at..][..texts.len()][..changed.len()].copy_from_slice(&changed));
        // A link to the program that was built: to write through it would change that.
        let permissions = std::fs::metadata(&machine.program).unwrap().permissions();
        std::fs::remove_file(&machine.program).unwrap();
        std::fs::write(&machine.program, bytes).unwrap();
        std::fs::set_permissions(&machine.program, permissions).unwrap();
        machine
    }

    fn send(&self, file: &str, other: &Self) {
        std::fs::copy(self.here().join(file), other.here().join(file)).unwrap();
    }

    fn here(&self) -> PathBuf {
        self.folder.0.join("here")
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        at_home(&mut command, &self.folder.0.join("home"));
        command.args(args).current_dir(self.here()).env("COLUMNS", "80");
        command
    }

    fn told(&self, args: &[&str], input: &str) -> Told {
        told_by(self.command(args), input.as_bytes().to_vec())
    }

    fn edit(&self, file: &str, old: &str, new: &str) {
        self.folder.edit(&format!("here/{file}"), old, new);
    }
}

/// The texts of a folder, each with its path below it.
fn texts_below(folder: &Path) -> std::collections::BTreeMap<PathBuf, String> {
    let mut folders = vec![folder.to_owned()];
    let mut texts = std::collections::BTreeMap::new();
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = std::fs::read_to_string(&path).unwrap();
                texts.insert(path.strip_prefix(folder).unwrap().to_owned(), text);
            }
        }
    }
    texts
}

#[test]
fn an_empty_folder_has_all_games() {
    let machine = Machine::new();
    let listed = machine.told(&["list"], "").fine();
    for game in std::fs::read_dir(root().join("games")).unwrap() {
        let id = game.unwrap().file_name().into_string().unwrap();
        assert!(listed.stdout.contains(&format!("\n{id} ")) || listed.stdout.starts_with(&id), "{id}");
    }
    let told = machine.told(&["play", "hearts", "-v", "black-lady", "-s", "7"], "until end\n").fine();
    told.shows(["Hearts (built in) · black-lady · 3 players", "the game is over"]);
    machine.told(&["show", "hearts"], "").fine().shows(["<built in>/games/hearts/game.toml"]);
    let scenarios = texts_below(&root().join("tests/scenarios/hearts")).len();
    assert!(scenarios > 20);
    machine.told(&["test", "hearts"], "").fine().shows([&*format!("{scenarios} passed, 0 failed")]);
    machine.told(&["doc", "hearts", "-v", "black-lady", "--md"], "").fine().shows(["wrote hearts.md"]);
    machine.told(&["sim", "pig", "-n", "20"], "").fine().shows(["20 games"]);
    assert_eq!(texts_below(&machine.here()).len(), 1, "only the rulebook was written");
}

#[test]
fn a_variant_of_ones_own_lies_in_the_folder_and_its_game_in_the_program() {
    let machine = Machine::new();
    machine.told(&["new", "variant", "hearts", "mine"], "").fine().shows(["wrote variants/hearts/mine.toml"]);
    machine.told(&["check", "hearts", "-v", "mine"], "").fine();
    let told = machine.told(&["play", "hearts", "-v", "mine", "-v", "black-lady"], "auto 5\nsave g.toml\n").fine();
    told.shows(["Hearts (built in) · mine · black-lady"]);
    assert!(machine.told(&["pack", "mine"], "").stdout.contains("1 variant"));
    // What is sent arrives where there is no more than another program.
    let other = Machine::new();
    ["g.toml", "mine.pack.toml"].iter().for_each(|file| machine.send(file, &other));
    says(&other.told(&["replay", "g.toml"], ""), 0, &["5 of 5 moves fit"]);
    says(&other.told(&["play", "mine.pack.toml"], "auto 3\n"), 0, &["Hearts (built in) · mine"]);
    says(&other.told(&["install", "mine.pack.toml"], ""), 0, &[]);
    says(&other.told(&["sim", "hearts", "-v", "mine", "-n", "5"], ""), 0, &["5 games"]);
}

/// A machine that has another version of the program knows what differs, and can have the game as it was.
#[cfg(not(target_os = "macos"))]
#[test]
fn a_game_saved_by_another_version_says_what_differs_and_can_be_as_it_was() {
    let machine = Machine::new();
    let lines = "until end\nsave g.toml\nbug b.toml\n";
    machine.told(&["play", "pig", "-p", "2", "-s", "3"], lines).fine();
    machine.told(&["replay", "g.toml", "--html", "g.html"], "").fine();
    machine.told(&["record", "g.toml", "as-it-was"], "").fine();
    machine.told(&["unpack", "pig", "--dir", "rules"], "").fine();
    let scenario = "tests/scenarios/pig/as-it-was.toml";
    let page = std::fs::read_to_string(machine.here().join("g.html")).unwrap();
    for (old, new, replayed, verdict, tested) in [
        ("points of the turn are lost.", "points of the turn are gone.", 0, "equal", 0),
        ("fn gain() { tray.sum(\"value\") }", "fn gain() {2*tray.sum(\"value\")}", 1, "no longer fit", 1),
        ("\ndefault = 100\nmin     = 10", "\ndefault =  10\nmin     = 10", 1, "no longer fit", 1),
    ] {
        let other = Machine::of_another_version(old, new);
        std::fs::create_dir_all(other.here().join(scenario).parent().unwrap()).unwrap();
        ["g.toml", "b.toml", scenario].iter().for_each(|file| machine.send(file, &other));
        for file in ["g.toml", "b.toml"] {
            let told = other.told(&["play", file], "q\n");
            says(&told, 0, &["saved under other rules", "games/pig/game.toml", "`houserule unpack pig`"]);
            says(&other.told(&["replay", file], ""), replayed, &["the rules have changed since this game was saved"]);
        }
        says(&other.told(&["test", scenario], ""), tested, &[]);
        // With the rules of the other program as files, it is the same game on every page.
        copy(&machine.here().join("rules"), &other.here());
        let told = other.told(&["play", "g.toml"], "q\n");
        assert!(
            told.code == 0 && !format!("{}{}", told.stdout, told.stderr).contains("other rules"),
            "{verdict}: {old}"
        );
        says(&other.told(&["replay", "g.toml"], ""), 0, &[]);
        says(&other.told(&["test", scenario], ""), 0, &["1 passed"]);
        other.told(&["replay", "g.toml", "--html", "g.html"], "").fine();
        assert_eq!(std::fs::read_to_string(other.here().join("g.html")).unwrap(), page);
    }
}

/// A pack of a variant carries the variant alone: which functions of the game have changed below it is said by name.
#[cfg(not(target_os = "macos"))]
#[test]
fn a_pack_for_another_version_of_a_game_names_what_has_changed() {
    let machine = Machine::new();
    machine.told(&["new", "variant", "pig", "mine"], "").fine();
    let file = machine.here().join("variants/pig/mine.toml");
    let text = "houserule = \"0.1\"\nid = \"mine\"\ngame = \"pig\"\nname = \"Mine\"\nversion = \"1.0.0\"\nauthor = \"Ada\"\nlicence = \"CC0-1.0\"\n[script]\nrhai = \"fn gain() { super() + 1 }\"\n";
    std::fs::write(file, text).unwrap();
    machine.told(&["pack", "mine"], "").fine();
    let changed = "`gain()` of the game `pig` has changed since the pack was made";
    for (old, new, words) in [
        ("points of the turn are lost.", "points of the turn are gone.", "the game `pig` has changed"),
        ("fn gain() { tray.sum(\"value\") }", "fn gain() {2*tray.sum(\"value\")}", changed),
    ] {
        let other = Machine::of_another_version(old, new);
        machine.send("mine.pack.toml", &other);
        for command in ["show", "install"] {
            says(&other.told(&[command, "mine.pack.toml"], ""), 0, &[words]);
        }
        says(&other.told(&["play", "pig", "-v", "mine"], "until end\n"), 0, &["the game is over"]);
    }
}

#[test]
fn what_is_built_in_can_be_unpacked_and_edited_and_then_the_file_wins() {
    let machine = Machine::new();
    machine
        .told(&["unpack", "pig"], "")
        .fine()
        .shows(["wrote games/pig/game.toml", "now: `houserule play pig --watch`"]);
    let unpacked = texts_below(&machine.here());
    for (path, text) in &unpacked {
        assert_eq!(*text, std::fs::read_to_string(root().join(path)).unwrap(), "{}", path.display());
    }
    for folder in ["games/pig", "variants/pig", "tests/scenarios/pig"] {
        let shipped = texts_below(&root().join(folder)).len();
        assert_eq!(unpacked.keys().filter(|path| path.starts_with(folder)).count(), shipped, "{folder}");
    }
    // As long as nothing is changed, there is nothing to say.
    machine.told(&["play", "pig", "-s", "1"], "q\n").fine().shows(["Pig · 2 players · seed 1"]);
    machine.edit("games/pig/game.toml", "default = 100", "default = 20");
    let told = machine.told(&["play", "pig", "-s", "1"], "settings.target\n").fine();
    told.shows(["Pig (games/pig/game.toml) · 2 players", "20"]);
    machine.told(&["show", "pig"], "").fine().shows(["games/pig/game.toml, not as it is built in"]);
    // What was edited is kept, and a scenario of the program is not run against another game.
    says(&machine.told(&["unpack", "pig"], ""), 2, &["already exists, and is different", "nothing was written"]);
    std::fs::remove_dir_all(machine.here().join("tests")).unwrap();
    let tested = machine.told(&["test"], "");
    assert!(tested.code == 0 && !tested.stdout.contains("scenarios/pig/"), "{}", tested.stdout);
}

#[test]
fn variants_and_libraries_can_be_unpacked_by_themselves() {
    let machine = Machine::new();
    let told = machine.told(&["unpack", "black-lady"], "").fine();
    told.shows(["wrote variants/hearts/black-lady.toml", "now: `houserule play hearts -v black-lady --watch`"]);
    let told = machine.told(&["unpack", "trick"], "").fine();
    told.shows(["wrote scripts/trick.rhai", "wrote scripts/trick.toml", "take these files from now on"]);
    machine.told(&["unpack", "trick"], "").fine().shows(["everything is there already"]);
    says(&machine.told(&["unpack", "heart"], ""), 2, &["that is called `heart`", "did you mean `hearts`?"]);
    says(&machine.told(&["unpack", "../pig"], ""), 2, &["houserule list"]);
    assert_eq!(texts_below(&machine.here()).len(), 3);
}

#[test]
fn without_a_game_a_pipe_is_told_how_to_name_one() {
    let machine = Machine::new();
    let told = machine.told(&["play"], "q\n");
    says(&told, 2, &["no game is named", "houserule play GAME", "houserule list"]);
    assert_eq!(told.stdout, "");
}

#[test]
fn without_a_command_the_first_commands_come_first() {
    let told = Machine::new().told(&[], "");
    assert_eq!((told.code, &*told.stdout), (2, ""));
    let first: Vec<_> = told.stderr.lines().skip_while(|line| !line.starts_with("Begin")).skip(1).take(5).collect();
    assert!(first.iter().all(|line| line.starts_with("  houserule ")), "{}", told.stderr);
    assert!(told.stderr.find(first[4]) < told.stderr.find("Usage:"), "{}", told.stderr);
    // They are commands.
    for line in first {
        let command = line.split_whitespace().nth(1).unwrap();
        says(&Machine::new().told(&[command, "--help"], ""), 0, &["Usage: houserule"]);
    }
}

#[test]
fn the_number_of_threads_changes_no_figure() {
    let machine = Machine::new();
    let figures =
        |args: &[&str]| machine.told(&[&["sim", "kuhn-poker", "-n", "300", "--json"], args].concat(), "").fine();
    let all = figures(&[]).stdout;
    assert_eq!(figures(&["-j", "1"]).stdout, all);
    assert_eq!(figures(&["--jobs", "5"]).stdout, all);
    let mut command = machine.command(&["sim", "kuhn-poker", "-n", "300", "--json"]);
    command.env("HOUSERULE_JOBS", "3");
    assert_eq!(told_by(command, Vec::new()).fine().stdout, all);
    says(&machine.told(&["sim", "kuhn-poker", "-j", "0"], ""), 2, &["--jobs"]);
    let mut command = machine.command(&["sim", "kuhn-poker", "-n", "300", "--json"]);
    command.env("HOUSERULE_JOBS", "３");
    assert_eq!(told_by(command, Vec::new()).fine().stdout, all);
    for wrong in ["0", "many", "-1", "99999999999999999999"] {
        let mut command = machine.command(&["sim", "kuhn-poker"]);
        command.env("HOUSERULE_JOBS", wrong);
        says(&told_by(command, Vec::new()), 2, &[&*format!("HOUSERULE_JOBS is `{wrong}`"), "a whole number from 1"]);
    }
}

#[cfg(unix)]
#[test]
fn at_a_terminal_a_game_is_chosen_by_search_and_number() {
    let folder = Folder::new();
    let mut person = terminal::Person::at(&folder, &["play", "-s", "7"], 80);
    person.sees("Checkers");
    person.sees("which game?");
    person.presses("no such game\r");
    person.sees("no game has `no such game` in it");
    person.sees("which game?");
    person.presses("TRICK\r");
    let shown = person.sees("which game?");
    assert!(shown.contains("Enemy Anemone") && !shown.contains("Checkers"), "{shown}");
    person.presses("pig\r");
    person.sees("Pig");
    person.sees("seed 7");
    person.sees(" › ");
    person.presses("q\r");
    person.has_left();
    // Whoever wants none just leaves.
    let mut person = terminal::Person::at(&folder, &["play"], 80);
    person.sees("which game?");
    person.presses("\u{4}");
    person.sees("");
    assert_eq!(person.exit_code(), 0);
}
