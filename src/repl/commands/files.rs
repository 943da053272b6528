//! Saving and loading games.

use super::arguments::{Extent, Shape, Signature, Wrong, flag};
use super::{Candidate, Command, Flow, Question, USUAL};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::files::Listed;
use crate::host::file::{MayReplace, NotWritten, Written, write_whole};
use crate::playthrough::opened::SavedGame;
use crate::playthrough::replay::{FILE, Replay};
use crate::repl::Session;
use crate::screen::style::Line;
use std::path::Path;

/// What is about saved games.
const FILES: Command = Command { group: "Files", ..USUAL };

/// A file as it was typed.
#[derive(Clone, Debug)]
struct TypedPath {
    path: String,
    /// Whether a `!` behind it says that nobody is to be asked.
    in_any_case: bool,
}

/// A saved game, or where one is to be.
const SAVED_GAME: Shape<TypedPath> = Shape {
    name: "FILE[!]",
    what: "a file",
    lead: "",
    extent: Extent::Name,
    read: |_, text| {
        let (path, in_any_case) = text.strip_suffix('!').map_or((text, false), |path| (path.trim_end(), true));
        if path.is_empty() { Err(Wrong::Other) } else { Ok(TypedPath { path: path.to_owned(), in_any_case }) }
    },
    complete: |session, _| paths(session),
};

pub(super) const SAVE: Command = Command {
    name: "save",
    aliases: &["w"],
    about: "save the game up to here, for later or for a friend",
    help: "The file is text: rules, seed, and the moves of this branch, changes by hand included; other branches and \
           bookmarks are not in it. Rules that come with houserule stand there by name. All others are inside as text, \
           so that this one file opens on another machine. `with rules` puts the text of all rules in.\n\n\
           An older saved game of that name is overwritten. For any other file you are asked first; `save FILE!` does \
           not ask. Links are followed; pipes and devices are written to.",
    examples: &["save game.toml", "save game.toml with rules", "save game.toml!"],
    signatures: &[&Signature(
        (SAVED_GAME, flag("with rules", "with the text of all rules")),
        |session, (file, with_rules)| save(session, &file, with_rules),
    )],
    ..FILES
};

pub(super) const LOAD: Command = Command {
    name: "load",
    aliases: &["o"],
    about: "go on with a saved game",
    help: "The rules inside the file are used, and it is said where those on disk are different; `under disk` uses \
           those on disk. A game that was saved under other rules is played as far as it fits.\n\n\
           If the game on the table is not saved you are asked first; `load FILE!` does not ask.",
    examples: &["load game.toml", "load game.toml under disk", "load game.toml!"],
    signatures: &[&Signature(
        (SAVED_GAME, flag("under disk", "under the rules on disk")),
        |session, (file, under_disk)| load(session, &file, under_disk),
    )],
    ..FILES
};

/// Saves the game up to here.
fn save(session: &mut Session, file: &TypedPath, all_rules: bool) -> Result<Flow, Diagnostics> {
    let path = &file.path;
    let mut replay = Replay::of(&session.playthrough);
    if all_rules {
        replay.rules = session.playthrough.loaded().ruleset.files(true);
    }
    let may = if file.in_any_case { MayReplace::Anything } else { MayReplace::Only(FILE) };
    let written = match write_whole(Path::new(path), &replay.to_toml(), may, session.work().flag()) {
        Ok(written) => written,
        Err(NotWritten::Failed(error)) => return Err(error),
        Err(NotWritten::Occupied(refusal)) => {
            let words = if all_rules { " with rules" } else { "" };
            let yes = format!("save {path}!{words}");
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
    let mut lines = vec![Line::plain(format!("{did} {} moves to {path}", replay.log.len()))];
    if !replay.rules.is_empty() {
        let files = replay.rules.iter().map(|file| file.path.as_str()).collect::<Vec<_>>().join(", ");
        lines.push(Line::faint(format!("with the rules {files}")));
    }
    Ok(Flow::Show(lines))
}

/// Goes on with a saved game; asks first where the game on the table would be lost.
fn load(session: &mut Session, file: &TypedPath, under_disk: bool) -> Result<Flow, Diagnostics> {
    let path = &file.path;
    if session.is_saved() || file.in_any_case {
        return go_on_with(session, Path::new(path), under_disk);
    }
    // Nobody is asked about a file that cannot be loaded.
    Replay::read(session.library.files(), Path::new(path))?;
    let words = if under_disk { " under disk" } else { "" };
    let yes = format!("load {path}!{words}");
    let refusal = Diagnostic::new("the game on the table is not saved")
        .help(format!("`save FILE` saves it; `{yes}` loads the other game without saving"));
    let refusal = refusal.into();
    Ok(Flow::Ask(Question { refusal, question: "load the other game without saving this one?", yes }))
}

fn go_on_with(session: &mut Session, path: &Path, under_disk: bool) -> Result<Flow, Diagnostics> {
    let opened = SavedGame::open(path, &session.library, under_disk, session.work())?;
    session.playthrough = opened.playthrough;
    session.library = opened.library;
    session.sit_down();
    session.mark_saved();
    let mut lines: Vec<Line> = opened.told.into_iter().map(Line::plain).collect();
    lines.extend(session.look());
    Ok(Flow::Show(lines))
}

/// Every saved game that lies at hand.
fn paths(session: &Session) -> Vec<Candidate> {
    let mut found = Vec::new();
    for folder in [".", "saves"] {
        for Listed { path, .. } in session.library.files().list(Path::new(folder)).into_iter().take(500) {
            let path = path.strip_prefix(".").unwrap_or(&path);
            if path.extension().is_some_and(|extension| extension == "toml") {
                found.push(Candidate::new(path.display().to_string(), "saved game"));
            }
        }
    }
    found.sort_by(|one, other| one.text.cmp(&other.text));
    found
}
