//! What the documentation shows is what the program does.
//!
//! Blocks of README and `docs/` are run: `console` blocks hold commands after `$ `, what is typed into the REPL after a
//! `›`, and the output, where a line `…` stands for any lines; `toml NAME` and `rhai NAME` blocks are files that are
//! written before. All of it happens in a copy of the project, so that a page can add variants and edit rules.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A page that the program writes is as the program would write it now.
fn is_current(path: &str, content: &str) {
    let path = Path::new(ROOT).join(path);
    if std::env::var_os("HOUSERULE_BLESS").is_some() {
        fs::write(&path, content).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == content,
        "{} is not current: `HOUSERULE_BLESS=1 cargo test --test docs` writes it anew",
        path.display()
    );
}

#[test]
fn the_vocabulary_page_is_current() {
    is_current("docs/vocabulary.md", &houserule::script::vocabulary::reference::reference());
}

#[test]
fn the_commands_page_is_current() {
    let introduction =
        "# The commands of the REPL\n\nThis page is made from the program; `help COMMAND` shows the same.\n";
    is_current("docs/commands.md", &format!("{introduction}{}", houserule::repl::commands::reference()));
}

#[test]
fn every_page_shows_what_happens() {
    let mut pages = vec![Path::new(ROOT).join("README.md")];
    let docs = fs::read_dir(Path::new(ROOT).join("docs")).unwrap().map(|entry| entry.unwrap().path());
    pages.extend(docs.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    pages.sort();
    let mut run = 0;
    for page in pages {
        run += check_page(&page);
    }
    assert!(run >= 5, "only {run} commands were found in all pages");
}

/// Runs every block of a page, in order, and gives the number of commands run.
fn check_page(page: &Path) -> usize {
    let project = tempfile::tempdir().unwrap();
    for folder in ["games", "variants", "scripts", "tests/scenarios"] {
        copy_folder(&Path::new(ROOT).join(folder), &project.path().join(folder));
    }
    let text = fs::read_to_string(page).unwrap();
    let mut run = 0;
    for block in blocks(&text) {
        let mut info = block.info.split_whitespace();
        match (info.next(), info.next()) {
            (Some("console"), _) => run += check_console(page, &block, project.path()),
            (Some("toml" | "rhai"), Some(name)) => {
                let path = project.path().join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, &block.text).unwrap();
            }
            _ => {}
        }
    }
    run
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

/// A command of a block with what is typed into it and what it is to write.
struct Session {
    command: String,
    typed: Vec<String>,
    expected: Vec<String>,
}

fn check_console(page: &Path, block: &Block, project: &Path) -> usize {
    let mut sessions: Vec<Session> = Vec::new();
    for line in block.text.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            sessions.push(Session { command: command.to_owned(), typed: Vec::new(), expected: Vec::new() });
        } else if let Some(session) = sessions.last_mut() {
            match line.split_once(" › ") {
                Some((_, typed)) => session.typed.push(typed.to_owned()),
                None => session.expected.push(line.trim_end().to_owned()),
            }
        }
    }
    let mut run = 0;
    for session in sessions {
        let Some(arguments) = houserule_arguments(&session.command) else { continue };
        run += 1;
        let output = run_houserule(&arguments, &session.typed, project);
        let found: Vec<String> = output.lines().map(|line| line.trim_end().to_owned()).collect();
        if session.expected.is_empty() {
            continue;
        }
        assert!(
            fits(&session.expected, &found),
            "{}:{}: `{}` writes\n{output}\nand the page shows\n{}",
            page.display(),
            block.line,
            session.command,
            session.expected.join("\n")
        );
    }
    run
}

/// The arguments, if it is a command of ours.
fn houserule_arguments(command: &str) -> Option<Vec<String>> {
    let starts = ["houserule ", "cargo run --release -- ", "cargo run --release --quiet -- "];
    let rest = starts.iter().find_map(|start| command.strip_prefix(start))?;
    Some(rest.split_whitespace().map(|word| word.trim_matches('\'').to_owned()).collect())
}

/// What the program writes, to both streams in the order of the streams.
fn run_houserule(arguments: &[String], typed: &[String], project: &Path) -> String {
    let home = project.join("home");
    fs::create_dir_all(&home).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_houserule"))
        .args(arguments)
        .current_dir(project)
        .env_clear()
        .env("HOME", &home)
        .env("COLUMNS", "80")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    // A program that needs no input may have gone already.
    let _ = input.write_all(typed.iter().map(|line| format!("{line}\n")).collect::<String>().as_bytes());
    drop(input);
    let output = child.wait_with_output().unwrap();
    String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
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
