//! Saving and loading games.

use super::{Candidate, Command, Flow, usage_of};
use crate::diagnostic::Diagnostic;
use crate::file::write_whole;
use crate::playthrough::opened::Opened;
use crate::playthrough::replay::Replay;
use crate::repl::Session;
use crate::repl::style::Line;
use std::path::{Path, PathBuf};

const GROUP: &str = "Files";

pub(super) const SAVE: Command = Command {
    name: "save",
    aliases: &["w"],
    usage: "save FILE [with rules]",
    about: "save the game up to here, for later or for a friend",
    help: "The file is text: rules, seed, and the moves of this branch, changes by hand included; other branches and \
           bookmarks are not in it. Rules that come with houserule stand there by name. All others are inside as text, \
           so that this one file opens on another machine. `with rules` puts the text of all rules in.",
    examples: &["save game.toml", "save game.toml with rules"],
    group: GROUP,
    steps: false,
    complete: paths,
    run: |session, arguments| {
        if arguments.is_empty() {
            return Err(usage_of(&SAVE));
        }
        let (file, all_rules) = without_words(arguments, "with rules");
        let path = Path::new(file);
        let mut replay = Replay::of(&session.playthrough);
        if all_rules {
            replay.rules = session.playthrough.loaded().ruleset.files(true);
        }
        write_whole(path, &replay.to_toml())?;
        session.mark_saved();
        let mut lines = vec![Line::plain(format!("saved {} moves to {}", replay.log.len(), path.display()))];
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
    usage: "load FILE [under disk]",
    about: "go on with a saved game",
    help: "The rules inside the file are used, and it is said where those on disk are different; `under disk` uses \
           those on disk. A game that was saved under other rules is played as far as it fits.",
    examples: &["load game.toml", "load game.toml under disk"],
    group: GROUP,
    steps: false,
    complete: paths,
    run: |session, arguments| {
        if arguments.is_empty() {
            return Err(usage_of(&LOAD));
        }
        let (file, under_disk) = without_words(arguments, "under disk");
        load(session, Path::new(file), under_disk)
    },
};

/// What stands before certain last words, and whether they are there.
fn without_words<'a>(arguments: &'a str, words: &str) -> (&'a str, bool) {
    let before = arguments.strip_suffix(words).filter(|before| before.ends_with(char::is_whitespace));
    before.map_or((arguments, false), |before| (before.trim_end(), true))
}

fn load(session: &mut Session, path: &Path, under_disk: bool) -> Result<Flow, Diagnostic> {
    let opened = Opened::open(path, &session.library, under_disk, session.interrupt()).map_err(first)?;
    session.playthrough = opened.playthrough;
    session.library = opened.library;
    session.sit_down();
    session.mark_saved();
    let mut lines: Vec<Line> = opened.told.into_iter().map(Line::plain).collect();
    lines.extend(session.look());
    Ok(Flow::Show(lines))
}

fn first(errors: Vec<Diagnostic>) -> Diagnostic {
    errors.into_iter().next().unwrap_or_else(|| Diagnostic::new("the file cannot be used"))
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
