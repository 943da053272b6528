//! Saving and loading games.

use super::{Candidate, Command, Flow, Question, usage_of};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::host::file::{MayReplace, NotWritten, Written, write_whole};
use crate::playthrough::opened::Opened;
use crate::playthrough::replay::{FILE, Replay};
use crate::repl::Session;
use crate::screen::style::Line;
use std::path::{Path, PathBuf};

const GROUP: &str = "Files";

pub(super) const SAVE: Command = Command {
    name: "save",
    aliases: &["w"],
    usage: "save FILE[!] [with rules]",
    about: "save the game up to here, for later or for a friend",
    help: "The file is text: rules, seed, and the moves of this branch, changes by hand included; other branches and \
           bookmarks are not in it. Rules that come with houserule stand there by name. All others are inside as text, \
           so that this one file opens on another machine. `with rules` puts the text of all rules in.\n\n\
           An older saved game of that name is overwritten. For any other file you are asked first; `save FILE!` does \
           not ask. Links are followed; pipes and devices are written to.",
    examples: &["save game.toml", "save game.toml with rules", "save game.toml!"],
    group: GROUP,
    steps: false,
    complete: paths,
    run: |session, arguments| {
        let (file, all_rules) = without_words(arguments, "with rules");
        let (file, in_any_case) = without_mark(file);
        if file.is_empty() {
            return Err(usage_of(&SAVE).into());
        }
        let mut replay = Replay::of(&session.playthrough);
        if all_rules {
            replay.rules = session.playthrough.loaded().ruleset.files(true);
        }
        let may = if in_any_case { MayReplace::Anything } else { MayReplace::Only(FILE) };
        let written = match write_whole(Path::new(file), &replay.to_toml(), may, session.work().flag()) {
            Ok(written) => written,
            Err(NotWritten::Failed(error)) => return Err(error),
            Err(NotWritten::Occupied(refusal)) => {
                let words = if all_rules { " with rules" } else { "" };
                let yes = format!("save {file}!{words}");
                let refusal = refusal.help(format!("`{yes}` overwrites it; or give another name"));
                return Ok(Flow::Ask(Question { refusal, question: "overwrite it?", yes }));
            }
        };
        let did = match written {
            Written::File => {
                session.mark_saved();
                "saved"
            }
            // Nobody knows where that went, so the game does not count as saved.
            Written::Stream => "wrote",
        };
        let mut lines = vec![Line::plain(format!("{did} {} moves to {file}", replay.log.len()))];
        if !replay.rules.is_empty() {
            let files = replay.rules.iter().map(|file| file.path.as_str()).collect::<Vec<_>>().join(", ");
            lines.push(Line::faint(format!("with the rules {files}")));
        }
        Ok(Flow::Show(lines))
    },
};

pub(super) const LOAD: Command = Command {
    name: "load",
    aliases: &["o"],
    usage: "load FILE[!] [under disk]",
    about: "go on with a saved game",
    help: "The rules inside the file are used, and it is said where those on disk are different; `under disk` uses \
           those on disk. A game that was saved under other rules is played as far as it fits.\n\n\
           If the game on the table is not saved you are asked first; `load FILE!` does not ask.",
    examples: &["load game.toml", "load game.toml under disk", "load game.toml!"],
    group: GROUP,
    steps: false,
    complete: paths,
    run: |session, arguments| {
        let (file, under_disk) = without_words(arguments, "under disk");
        let (file, in_any_case) = without_mark(file);
        if file.is_empty() {
            return Err(usage_of(&LOAD).into());
        }
        if session.is_saved() || in_any_case {
            return load(session, Path::new(file), under_disk);
        }
        // Nobody is asked about a file that cannot be loaded.
        Replay::read(session.library.files(), Path::new(file))?;
        let words = if under_disk { " under disk" } else { "" };
        let yes = format!("load {file}!{words}");
        let refusal = Diagnostic::new("the game on the table is not saved")
            .help(format!("`save FILE` saves it; `{yes}` loads the other game without saving"));
        Ok(Flow::Ask(Question {
            refusal: refusal.into(),
            question: "load the other game without saving this one?",
            yes,
        }))
    },
};

/// A file's name as it was typed, and whether a `!` behind it says that nobody is to be asked.
fn without_mark(typed: &str) -> (&str, bool) {
    typed.strip_suffix('!').map_or((typed, false), |name| (name.trim_end(), true))
}

/// What stands before certain last words, and whether they are there.
fn without_words<'a>(arguments: &'a str, words: &str) -> (&'a str, bool) {
    let before = arguments.strip_suffix(words).filter(|before| before.ends_with(char::is_whitespace));
    before.map_or((arguments, false), |before| (before.trim_end(), true))
}

fn load(session: &mut Session, path: &Path, under_disk: bool) -> Result<Flow, Diagnostics> {
    let opened = Opened::open(path, &session.library, under_disk, session.work())?;
    session.playthrough = opened.playthrough;
    session.library = opened.library;
    session.sit_down();
    session.mark_saved();
    let mut lines: Vec<Line> = opened.told.into_iter().map(Line::plain).collect();
    lines.extend(session.look());
    Ok(Flow::Show(lines))
}

/// Files and folders that begin like what was typed; the completer filters.
fn paths(_: &Session, before: &str) -> Vec<Candidate> {
    if !before.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for folder in [PathBuf::from("."), PathBuf::from("saves")] {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten().take(500) {
            let path = if folder == Path::new(".") { PathBuf::from(entry.file_name()) } else { entry.path() };
            if path.extension().is_some_and(|extension| extension == "toml") {
                found.push(Candidate::new(path.display().to_string(), "saved game"));
            }
        }
    }
    found.sort_by(|one, other| one.text.cmp(&other.text));
    found
}
