//! Saving and loading games.

use super::{Candidate, Command, Flow, usage_of};
use crate::diagnostic::Diagnostic;
use crate::file::write_whole;
use crate::playthrough::replay::Replay;
use crate::playthrough::{Loaded, Misfit, Playthrough};
use crate::repl::Session;
use crate::repl::style::Line;
use crate::ruleset::Ruleset;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const GROUP: &str = "Files";

pub(super) const SAVE: Command = Command {
    name: "save",
    aliases: &["w"],
    usage: "save FILE",
    about: "save the game up to here, for later or for a friend",
    help: "The file is text: rules by name, seed, and the moves of this branch, changes by hand included; other \
           branches and bookmarks are not in it. A variant of your own has to be sent along with it.",
    examples: &["save game.toml"],
    group: GROUP,
    steps: false,
    complete: paths,
    run: |session, arguments| {
        if arguments.is_empty() {
            return Err(usage_of(&SAVE));
        }
        let path = Path::new(arguments);
        let replay = Replay::of(&session.playthrough);
        write_whole(path, &replay.to_toml())?;
        session.mark_saved();
        Ok(Flow::Show(vec![Line::plain(format!("saved {} moves to {}", replay.log.len(), path.display()))]))
    },
};

pub(super) const LOAD: Command = Command {
    name: "load",
    aliases: &["o"],
    usage: "load FILE",
    about: "go on with a saved game",
    help: "A game that was saved under other rules is played as far as it fits.",
    examples: &["load game.toml"],
    group: GROUP,
    steps: false,
    complete: paths,
    run: |session, arguments| {
        if arguments.is_empty() {
            return Err(usage_of(&LOAD));
        }
        load(session, Path::new(arguments))
    },
};

fn load(session: &mut Session, path: &Path) -> Result<Flow, Diagnostic> {
    let read = Replay::read(path).map_err(first)?;
    let replay = read.replay;
    let selection = replay.selection_beside(path);
    let ruleset = Ruleset::load(&session.library, &selection).map_err(first)?;
    let other_rules = ruleset.hash != replay.ruleset;
    let loaded = Loaded::compile(Arc::new(ruleset), replay.players, session.interrupt()).map_err(first)?;
    let entries = replay.log.len();
    let (playthrough, misfit) = Playthrough::start(loaded, replay.players, replay.seed, replay.log)?;
    session.playthrough = playthrough;
    session.sit_down();
    session.mark_saved();
    let mut lines: Vec<Line> = read.warnings.iter().map(|warning| Line::plain(warning.message.clone())).collect();
    if other_rules {
        lines.push(Line::plain("this game was saved under other rules"));
    }
    if let Some(Misfit { number, entry, reason, .. }) = misfit {
        let kept = session.playthrough.timeline().cursor();
        lines.push(Line::plain(format!(
            "{kept} of {entries} moves still fit; move {number}, {entry}, does not: {reason}"
        )));
    }
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
