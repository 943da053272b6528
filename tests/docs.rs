//! What the documentation shows is what the program does.
//!
//! Blocks of README and `docs/` are run: `console` blocks hold commands after `$ `, what is typed into the REPL after a
//! `›`, and what is written before the next line is typed, where a line `…` stands for any lines. A line `(saves FILE:
//! OLD => NEW)` edits a file while the session waits: what stands below it is what the session says to that, which
//! watches its files. `toml NAME` and `rhai NAME` blocks are files that are written before, or shipped files, which they
//! have to equal. All of it happens in a copy of the project, so that a page can add variants, edit rules and make
//! folders with `mkdir`.
//!
//! With `HOUSERULE_BLESS` set, output that has changed is written into the page; where it has a `…`, as many lines of
//! its beginning and of its end as the page had. What stands between two of them, a person has to say. With
//! `HOUSERULE_PAGE=docs/lab.md` set, only that page is run.

use crate::shared::surroundings::at_home;
use crate::shared::threads::in_threads;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// What these pages show is mended where the program has their words: another test would write the old ones again.
const WRITTEN_BY_THE_PROGRAM: [&str; 5] = ["vocabulary.md", "files.md", "findings.md", "measures.md", "commands.md"];

/// A page that the program writes is as the program would write it now.
fn is_current(path: &str, content: &str) {
    let path = Path::new(ROOT).join(path);
    if is_blessed() {
        fs::write(&path, content).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == content,
        "{} is not current: `HOUSERULE_BLESS=1 cargo test --test all docs` writes it anew",
        path.display()
    );
}

#[test]
fn the_vocabulary_page_is_current() {
    is_current("docs/vocabulary.md", &houserule::script::vocabulary::page::reference());
}

#[test]
fn the_page_of_files_is_current() {
    is_current("docs/files.md", &houserule::definition::keys::page::page());
}

#[test]
fn the_schemas_are_current() {
    use houserule::definition::keys::json_schema::{TomlFile, json_schema};
    for file in TomlFile::ALL {
        is_current(&format!("docs/schemas/{}.json", file.name()), &format!("{:#}\n", json_schema(file)));
    }
}

#[test]
fn the_page_of_findings_is_current() {
    is_current("docs/findings.md", &houserule::script::codes::page());
}

#[test]
fn the_page_of_measures_is_current() {
    is_current("docs/measures.md", &houserule::lab::measures::page());
}

#[test]
fn the_commands_page_is_current() {
    let introduction =
        "# The commands of the REPL\n\nThis page is made from the program; `help COMMAND` shows the same.\n";
    let page = format!("{introduction}{}", houserule::session::commands::reference());
    is_current("docs/commands.md", &houserule::definition::keys::page::with_contents(&page));
    let groups: Vec<&str> = page.lines().filter(|line| line.starts_with("## ")).collect();
    let again = groups.iter().enumerate().find(|(number, group)| groups[..*number].contains(group));
    assert_eq!(again, None, "a group of commands stands twice");
}

/// The picture in the README is what the program draws of this session.
#[test]
fn the_picture_of_a_session_is_current() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("session.svg");
    let draw = |more: &[&str]| {
        let rules = ["play", "up-or-down", "-p", "3", "-s", "42", "-v", "greenhorn", "-v", "rainbow", "--picture"];
        let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
        at_home(&mut command, folder.path());
        let mut child = command
            .args(rules)
            .arg(&target)
            .args(more)
            .current_dir(ROOT)
            .env("COLUMNS", "84")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(b"until end\nwhy p3.score\n").unwrap();
        child.wait_with_output().unwrap()
    };
    assert!(draw(&[]).status.success());
    let drawn = fs::read_to_string(&target).unwrap();
    is_current("docs/session.svg", &drawn);
    // Another one takes its place, and nothing else does unless it has to.
    assert!(draw(&[]).status.success());
    assert_eq!(fs::read_to_string(&target).unwrap(), drawn);
    fs::write(&target, "my notes").unwrap();
    let refused = draw(&[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--force"), "{refused:?}");
    assert_eq!(fs::read_to_string(&target).unwrap(), "my notes");
    assert!(draw(&["--force"]).status.success());
    assert_eq!(fs::read_to_string(&target).unwrap(), drawn);
}

#[test]
fn every_page_shows_what_happens() {
    // One page is soon checked; all of them take minutes.
    let chosen = std::env::var("HOUSERULE_PAGE").unwrap_or_default();
    let chosen_pages: Vec<PathBuf> =
        pages().into_iter().filter(|page| page.to_string_lossy().ends_with(&chosen)).collect();
    let run: usize = in_threads(&chosen_pages, |page| check_page(page)).into_iter().sum();
    let least = if chosen.is_empty() { 5 } else { 1 };
    assert!(run >= least, "only {run} commands were found in the pages");
}

#[test]
fn every_link_between_pages_leads_somewhere() {
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.contains("://") && !target.starts_with('#')) {
            let path = page.parent().unwrap().join(target.split('#').next().unwrap());
            assert!(path.exists(), "{}: there is no `{target}`", page.display());
        }
    }
}

#[test]
fn every_link_to_a_heading_leads_to_one() {
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let Some((path, anchor)) = target.split_once('#').filter(|_| !target.contains("://")) else { continue };
            let other = if path.is_empty() { page.clone() } else { page.parent().unwrap().join(path) };
            let headings = headings(&fs::read_to_string(&other).unwrap());
            let is_there = headings.iter().any(|heading| heading.anchor == anchor);
            assert!(is_there, "{}: `{target}` is not a heading of {}", page.display(), other.display());
        }
    }
}

#[test]
fn every_long_page_has_a_table_of_contents() {
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        if text.lines().count() <= 100 {
            continue;
        }
        let top = text.split("\n## ").next().unwrap();
        for heading in headings(&text).iter().filter(|heading| heading.level == 2) {
            let link = format!("](#{})", heading.anchor);
            assert!(top.contains(&link), "{}: the contents at its top lack `{link}`", page.display());
        }
    }
}

struct Heading {
    level: usize,
    /// What an address says after `#`.
    anchor: String,
}

/// The headings of a page below its title, with the anchors that GitHub gives them.
fn headings(page: &str) -> Vec<Heading> {
    let mut headings: Vec<Heading> = Vec::new();
    let mut plain: Vec<String> = Vec::new();
    for (number, part) in page.split("\n```").enumerate() {
        // Every other part is code, and the rest of its fence is no heading either.
        for line in part.lines().skip(1).filter(|_| number % 2 == 0) {
            let level = line.chars().take_while(|letter| *letter == '#').count();
            let Some(title) = line[level..].strip_prefix(' ').filter(|_| level > 1) else { continue };
            let is_kept = |letter: &char| letter.is_alphanumeric() || ['-', '_', ' '].contains(letter);
            let anchor: String = title.to_lowercase().chars().filter(is_kept).collect::<String>().replace(' ', "-");
            let before = plain.iter().filter(|other| **other == anchor).count();
            plain.push(anchor.clone());
            let number = if before == 0 { String::new() } else { format!("-{before}") };
            headings.push(Heading { level, anchor: format!("{anchor}{number}") });
        }
    }
    headings
}

#[test]
fn every_variant_is_listed() {
    for game in subfolders("variants") {
        let folder = game.file_name().unwrap().to_str().unwrap();
        for entry in fs::read_dir(&game).unwrap() {
            let path = entry.unwrap().path();
            let id = path.file_stem().unwrap().to_str().unwrap();
            // One for several games stands with each of them.
            let games = match folder {
                "any" => games_with(id),
                game => vec![game.to_owned()],
            };
            assert!(!games.is_empty(), "no game has the variant `{id}`");
            for game in games {
                let readme = Path::new(ROOT).join("games").join(game).join("README.md");
                let text = fs::read_to_string(&readme).unwrap();
                assert!(text.contains(&format!("`{id}`")), "{}: the variant `{id}` is missing", readme.display());
            }
        }
    }
}

/// The shipped games that a variant is for.
fn games_with(variant: &str) -> Vec<String> {
    let library = houserule::Disk::library(vec![Path::new(ROOT).to_owned()]);
    let games = library.games().into_iter().map(|game| game.id);
    games.filter(|game| library.variants(game).iter().any(|entry| entry.id == variant)).collect()
}

/// Every page that a person may open: the README, those of the games, and `docs/`.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(ROOT);
    let docs = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let games = subfolders("games").into_iter().map(|game| game.join("README.md")).filter(|page| page.exists());
    let mut pages = vec![root.join("README.md")];
    pages.extend(docs.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    pages.extend(games);
    pages.sort();
    pages
}

fn subfolders(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(Path::new(ROOT).join(folder)).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.is_dir()).collect()
}

/// Whether pages are written anew.
fn is_blessed() -> bool {
    std::env::var_os("HOUSERULE_BLESS").is_some()
}

/// Runs every block of a page, in order, and gives the number of commands run.
fn check_page(page: &Path) -> usize {
    let project = tempfile::tempdir().unwrap();
    for folder in ["games", "variants", "scripts", "tests/scenarios"] {
        copy_folder(&Path::new(ROOT).join(folder), &project.path().join(folder));
    }
    let text = fs::read_to_string(page).unwrap();
    let mut current = text.clone();
    let mut run = 0;
    for block in blocks(&text) {
        let mut info = block.info.split_whitespace();
        match (info.next(), info.next()) {
            (Some("console"), _) => {
                let mut sessions = sessions(&block);
                run += sessions.iter_mut().map(|session| check(session, page, &block, project.path())).sum::<usize>();
                let shown: String = sessions.iter().map(Session::text).collect();
                current = current.replacen(&format!("\n{}```", block.text), &format!("\n{shown}```"), 1);
            }
            (Some("toml" | "rhai"), Some(name)) => {
                let path = project.path().join(name);
                let shipped = fs::read_to_string(Path::new(ROOT).join(name)).ok();
                let shown = shipped.unwrap_or_else(|| block.text.clone());
                if is_blessed() {
                    current = current.replacen(&format!("\n{}```", block.text), &format!("\n{shown}```"), 1);
                } else {
                    let line = block.line;
                    assert!(shown == block.text, "{}:{line}: {name} is another file today", page.display());
                }
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, &shown).unwrap();
            }
            _ => {}
        }
    }
    if current != text {
        fs::write(page, current).unwrap();
    }
    run
}

/// What a page shows of other output instead: all of it, or of its beginning and end as many lines as before.
fn shortened_like(shown: &[String], found: &[String]) -> Vec<String> {
    let is_gap = |line: &String| line == "…";
    let (Some(first), Some(last)) = (shown.iter().position(is_gap), shown.iter().rposition(is_gap)) else {
        return found.to_vec();
    };
    let end = (shown.len() - last - 1).min(found.len());
    let beginning = found.iter().take(first).cloned();
    beginning.chain(shown[first..=last].iter().cloned()).chain(found[found.len() - end..].iter().cloned()).collect()
}

struct Block {
    line: usize,
    info: String,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for (number, line) in page.lines().enumerate() {
        match line.strip_prefix("```") {
            Some(_) if open => open = false,
            Some(info) => {
                open = true;
                blocks.push(Block { line: number + 1, info: info.to_owned(), text: String::new() });
            }
            None if open => {
                let block = blocks.last_mut().unwrap();
                block.text.push_str(line);
                block.text.push('\n');
            }
            None => {}
        }
    }
    blocks
}

/// A command of a block, with what it writes before anything is typed, and what each step after that adds to it.
struct Session {
    command: String,
    steps: Vec<Step>,
}

/// The beginning of a session, a line that is typed, or a file that is saved.
struct Step {
    /// As the page has it, with the prompt; empty for the beginning.
    line: String,
    shown: Vec<String>,
}

impl Session {
    /// The session as a page has it.
    fn text(&self) -> String {
        let typed = |step: &Step| (!step.line.is_empty()).then(|| step.line.clone());
        let lines = self.steps.iter().flat_map(|step| typed(step).into_iter().chain(step.shown.iter().cloned()));
        std::iter::once(format!("$ {}", self.command)).chain(lines).map(|line| line + "\n").collect()
    }
}

fn sessions(block: &Block) -> Vec<Session> {
    let mut sessions: Vec<Session> = Vec::new();
    for line in block.text.lines() {
        let step = Step { line: String::new(), shown: Vec::new() };
        if let Some(command) = line.strip_prefix("$ ") {
            sessions.push(Session { command: command.to_owned(), steps: vec![step] });
            continue;
        }
        let session = sessions.last_mut().expect("a console block begins with a command");
        if line.contains(" › ") || line.starts_with("(saves ") {
            session.steps.push(Step { line: line.to_owned(), ..step });
        } else {
            session.steps.last_mut().unwrap().shown.push(line.trim_end().to_owned());
        }
    }
    sessions
}

/// Runs a session and gives the number of commands run.
fn check(session: &mut Session, page: &Path, block: &Block, project: &Path) -> usize {
    if let Some(folder) = session.command.strip_prefix("mkdir ") {
        fs::create_dir(project.join(folder)).unwrap();
    }
    let Some(arguments) = houserule_arguments(&session.command) else { return 0 };
    let written = run_houserule(&arguments, &session.steps, project);
    // A command alone shows how something is done, not what it writes.
    if session.steps.len() == 1 && session.steps[0].shown.is_empty() {
        return 1;
    }
    for (step, text) in session.steps.iter_mut().zip(written) {
        let mut found: Vec<String> = text.lines().map(|line| line.trim_end().to_owned()).collect();
        while found.last().is_some_and(String::is_empty) {
            found.pop();
        }
        let may_bless = !WRITTEN_BY_THE_PROGRAM.iter().any(|written| page.ends_with(written));
        if is_blessed() && may_bless && !fits(&step.shown, &found) {
            step.shown = shortened_like(&step.shown, &found);
        }
        assert!(
            fits(&step.shown, &found),
            "{}:{}: `{}` {}\nwrites\n{text}\nand the page shows\n{}",
            page.display(),
            block.line,
            session.command,
            step.line,
            step.shown.join("\n")
        );
    }
    1
}

/// The arguments, if it is a command of ours.
fn houserule_arguments(command: &str) -> Option<Vec<String>> {
    let starts = ["houserule ", "cargo run --release -- ", "cargo run --release --quiet -- "];
    let rest = starts.iter().find_map(|start| command.strip_prefix(start))?;
    // What stands in quotes is one word.
    let words = rest.split(['"', '\'']).enumerate().flat_map(|(place, part)| match place % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    Some(words.collect())
}

/// What is asked after every step, and the line of its answer, which ends what the step wrote.
const IS_DONE: &str = "help quit";
const DONE: &str = "quit\nleave; Ctrl-D does the same.\nshort: exit, q\n";

/// What the program writes in each step, to both streams in the order of the streams. A step begins when the one before
/// is done, so that a file is saved at its place between two lines.
fn run_houserule(arguments: &[String], steps: &[Step], project: &Path) -> Vec<String> {
    let home = project.join("home");
    fs::create_dir_all(&home).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
    at_home(&mut command, &home);
    let mut child = command
        .args(arguments)
        .current_dir(project)
        .env("COLUMNS", "80")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut written = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let typed = match step.line.split_once(" › ") {
            Some((_, typed)) => format!("{typed}\n"),
            None => String::new(),
        };
        if let Some(saved) = step.line.strip_prefix("(saves ") {
            save(saved, project);
        }
        // A program that needs no input may have gone already, and so has one that refused a line.
        let _ = input.write_all(format!("{typed}{IS_DONE}\n").as_bytes());
        let mut text = String::new();
        while !text.ends_with(DONE) && output.read_line(&mut text).unwrap() > 0 {}
        // What stands below a line that ends the session would fit whatever is shown as `…`.
        if !text.ends_with(DONE) && number + 1 < steps.len() {
            let complaint = child.wait_with_output().unwrap().stderr;
            panic!("`{}` ends the session:\n{text}{}", step.line, String::from_utf8_lossy(&complaint));
        }
        written.push(text.strip_suffix(DONE).unwrap_or(&text).to_owned());
    }
    drop(input);
    let last = written.last_mut().unwrap();
    output.read_to_string(last).unwrap();
    let complaint = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
    // A script counts its lines, and these are not those of the page; at a terminal nobody counts.
    let place = complaint.strip_prefix("error: line ").and_then(|rest| rest.split_once(": "));
    last.push_str(&place.map_or(complaint.clone(), |(_, rest)| format!("error: {rest}")));
    written
}

/// Does what a line `(saves FILE: OLD => NEW)` says, without its beginning: OLD stands in the file once.
fn save(saved: &str, project: &Path) {
    let parts = saved.strip_suffix(')').and_then(|saved| saved.split_once(": "));
    let (name, edit) = parts.expect("an edit is `(saves FILE: OLD => NEW)`");
    let (old, new) = edit.split_once(" => ").expect("an edit is `(saves FILE: OLD => NEW)`");
    let path = project.join(name);
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.matches(old).count(), 1, "`{old}` has to stand in {name} once:\n{text}");
    fs::write(path, text.replacen(old, new, 1)).unwrap();
}

/// Whether lines are as expected, where `…` stands for any number of them.
fn fits(expected: &[String], found: &[String]) -> bool {
    match expected.split_first() {
        None => found.iter().all(|line| line.is_empty()),
        Some((first, rest)) if first == "…" => (0..=found.len()).any(|skipped| fits(rest, &found[skipped..])),
        Some((first, rest)) => found.first() == Some(first) && fits(rest, &found[1..]),
    }
}

fn copy_folder(from: &Path, to: &Path) {
    let Ok(entries) = fs::read_dir(from) else { return };
    fs::create_dir_all(to).unwrap();
    for entry in entries {
        let path: PathBuf = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_folder(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

#[test]
fn an_ellipsis_stands_for_any_lines() {
    let lines = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    assert!(fits(&lines("a … d"), &lines("a b c d")));
    assert!(!fits(&lines("a … d"), &lines("a b c")));
    assert!(!fits(&lines("a c"), &lines("a b c")));
}
