//! Saving and loading games.

use super::arguments::{ArgumentError, Extent, Optional, Shape, Signature, flag};
use super::shapes::as_typed;
use super::{Candidate, Command, Flow, Question, USUAL};
use crate::catalogue::{Language, message, said, say, speak, spoken};
use crate::definition::{is_id, is_path};
use crate::diagnostic::{Diagnostic, Diagnostics, visible};
use crate::files::FolderEntry;
use crate::files::{OverwritePolicy, WriteError, WriteTarget, path_name};
use crate::playthrough::replay::{FILE, Replay};
use crate::playthrough::saved_game::SavedGame;
use crate::scenario::{Scenario, TITLE_OF_RECORDED, check_file_name, only_saved, place};
use crate::screen::style::Line;
use crate::session::Session;
use std::path::{Path, PathBuf};

/// The common properties of commands about files.
const FILES: Command = Command { group: "Files", ..USUAL };

/// A path argument.
#[derive(Clone, Debug)]
struct TypedPath {
    path: String,
    /// Whether a `!` behind the path skips the question.
    in_any_case: bool,
}

/// The path of a saved game, or of one to write.
const SAVED_GAME: Shape<TypedPath> = Shape {
    name: "FILE[!]",
    what: "a file",
    lead: "",
    extent: Extent::Name,
    read: |_, text| {
        let (path, in_any_case) = text.strip_suffix('!').map_or((text, false), |path| (path.trim_end(), true));
        if path.is_empty() { Err(ArgumentError::Other) } else { Ok(TypedPath { path: path.to_owned(), in_any_case }) }
    },
    complete: |session, _| paths(session),
};

pub(super) const SAVE: Command = Command {
    name: "save",
    aliases: &["w"],
    about: "save the game up to here, for later or for a friend",
    help: "The file is text: the rules, the seed, and the moves of this branch, manual changes included. Other \
           branches and bookmarks are not saved. Rules that come with Houserule are saved by name, all others with \
           their text, so this one file opens on any machine. `with rules` saves the text of all rules.\n\n\
           It overwrites an older saved game of that name. For any other file, it asks first; `save FILE!` does not \
           ask. It follows links, and writes to pipes and devices.",
    examples: &["save game.toml", "save game.toml with rules", "save game.toml!"],
    signatures: &[&Signature(
        (SAVED_GAME, flag("with rules", "with the text of all rules")),
        |session, (file, with_rules)| save(session, &file, with_rules),
    )],
    ..FILES
};

pub(super) const BUG: Command = Command {
    name: "bug",
    about: "write everything about this moment as one text, for a bug report",
    help: "The text is a saved game with comments: the versions, the current position, and the last error. Copy it \
           from the screen, or write it to a file. `houserule replay -` reads it, even with the rest of an e-mail \
           around it; `houserule play FILE` opens it, and `houserule record FILE` turns it into a scenario.",
    examples: &["bug", "bug lost-points.toml"],
    signatures: &[&Signature((Optional(SAVED_GAME),), |session, (file,)| bug(session, file.as_ref()))],
    ..FILES
};

pub(super) const RECORD: Command = Command {
    name: "record",
    about: "turn the game up to here into a scenario, a test of its rules",
    help: "The scenario gives the same answers with the same seed, and expects the current state: the open decision \
           with its options, the zones, the variables and the awards. Delete what does not matter, and say in the \
           title what does. A plain name is a file in tests/scenarios/. `record` never overwrites a file.\n\n\
           A game with manual changes other than `rig` cannot be recorded.",
    examples: &["record lost-points", "record tests/scenarios/high-card/lost-points.toml"],
    signatures: &[&Signature((RECORDED,), |session, (path,)| record(session, &path))],
    ..FILES
};

/// The name or path of a scenario to write.
const RECORDED: Shape<String> = Shape {
    name: "NAME|FILE",
    what: "the name of a scenario",
    lead: "",
    extent: Extent::Name,
    read: as_typed,
    complete: |_, _| Vec::new(),
};

pub(super) const LOAD: Command = Command {
    name: "load",
    aliases: &["o"],
    about: "continue a saved game",
    help: "It uses the rules in the file and tells you if those on disk differ; `under disk` uses the rules on disk. \
           A game that was saved under other rules is played as far as it fits.\n\n\
           If the current game is not saved, it asks first; `load FILE!` does not ask.",
    examples: &["load game.toml", "load game.toml under disk", "load game.toml!"],
    signatures: &[&Signature(
        (SAVED_GAME, flag("under disk", "under the rules on disk")),
        |session, (file, under_disk)| load(session, &file, under_disk),
    )],
    ..FILES
};

/// Writes a text into a file, or asks whether the line `yes` may overwrite the one that is there.
fn write(
    session: &Session,
    file: &TypedPath,
    text: &str,
    yes: String,
) -> Result<Result<WriteTarget, Question>, Diagnostics> {
    let may = if file.in_any_case { OverwritePolicy::Anything } else { OverwritePolicy::Only(FILE) };
    match session.surroundings.write(Path::new(&file.path), text, may, session.work().flag()) {
        Ok(written) => Ok(Ok(written)),
        Err(WriteError::Failed(error)) => Err(error),
        Err(WriteError::Occupied(refusal)) => {
            let refusal = refusal.help(message!("`{yes}` overwrites it; or give another name"));
            Ok(Err(Question { refusal, question: "overwrite it?", yes }))
        }
    }
}

/// Saves the game up to the current position.
fn save(session: &mut Session, file: &TypedPath, all_rules: bool) -> Result<Flow, Diagnostics> {
    let path = &file.path;
    let mut replay = Replay::of(&session.playthrough);
    if all_rules {
        replay.rules = session.playthrough.loaded().ruleset.files(true);
    }
    let words = if all_rules { " with rules" } else { "" };
    let written = match write(session, file, &replay.to_toml(), format!("save {path}!{words}"))? {
        Ok(written) => written,
        Err(question) => return Ok(Flow::Ask(question)),
    };
    let moves = replay.log.len();
    let did = match written {
        WriteTarget::File => {
            session.mark_saved();
            say!("saved {moves} moves to {path}")
        }
        // Where a stream leads is unknown, so the game does not count as saved.
        WriteTarget::Stream => say!("wrote {moves} moves to {path}"),
    };
    let mut lines = vec![Line::plain(did)];
    let timeline = session.playthrough.timeline();
    let later = timeline.current().log.len().saturating_sub(timeline.cursor());
    if later > 0 {
        lines.push(Line::faint(say!("moves that come after this point and are not in it: {later}")));
    }
    if !replay.rules.is_empty() {
        let files = replay.rules.iter().map(|file| file.path.as_str()).collect::<Vec<_>>().join(said(", "));
        lines.push(Line::faint(say!("with the rules {files}")));
    }
    Ok(Flow::Show(lines))
}

/// Writes a bug report about the current position.
fn bug(session: &mut Session, file: Option<&TypedPath>) -> Result<Flow, Diagnostics> {
    // The recipient may speak another language, and files are in English.
    let language = spoken();
    speak(Language::English);
    let text = Replay::of(&session.playthrough).to_toml_with(remarks(session));
    speak(language);
    let Some(file) = file else {
        return Ok(Flow::Show(text.lines().map(Line::code).collect()));
    };
    Ok(match write(session, file, &text, format!("bug {}!", file.path))? {
        Ok(_) => Flow::Show(vec![Line::plain(say!("wrote {}", visible(&file.path)))]),
        Err(question) => Flow::Ask(question),
    })
}

/// The facts about the current position that a bug report needs beyond a saved game.
fn remarks(session: &Session) -> Vec<String> {
    let game = &session.playthrough;
    let ruleset = &game.loaded().ruleset;
    let layers = ruleset.layers().map(|layer| match &layer.version {
        Some(version) => format!("{} {version}", layer.id),
        None => layer.id.clone(),
    });
    let position = game.position();
    let stands = match (&position.failed, &position.open) {
        (Some(_), _) => "the rules gave up".to_owned(),
        (None, None) => "the game is over".to_owned(),
        (None, Some(open)) => {
            let who = open.seat.map_or_else(|| "somebody".to_owned(), |seat| seat.to_string());
            format!("{who} is asked `{}`, one of {} options", open.prompt, open.options.len())
        }
    };
    let mut lines = vec![
        format!("rules  {}", layers.collect::<Vec<_>>().join(", ")),
        format!("stands at move {}: {stands}", game.timeline().cursor() + 1),
    ];
    let failed = position.failed.as_ref().map(|failed| (None, failed.clone()));
    let last = session.last_error().map(|(typed, error)| (Some(typed.to_owned()), error.clone()));
    if let Some((typed, errors)) = failed.or(last) {
        lines.push(typed.map_or_else(|| "it gave up with".to_owned(), |typed| format!("the last error, at `{typed}`")));
        let told = errors.iter().flat_map(|error| error.render(false).lines().map(str::to_owned).collect::<Vec<_>>());
        lines.extend(told.map(|line| format!("  {line}")));
    }
    lines.push("`houserule replay -` reads this text, pasted; `houserule play FILE` opens it".to_owned());
    lines
}

/// Makes a scenario of the game up to the current position.
fn record(session: &mut Session, typed: &str) -> Result<Flow, Diagnostics> {
    let game = &session.playthrough;
    let path = match typed {
        id if is_id(id) => place(&session.folder, &game.loaded().ruleset.game.id, id),
        typed if is_path(typed) => {
            let path = PathBuf::from(typed);
            check_file_name(&path)?;
            if path.starts_with("~") {
                let error = Diagnostic::new("`~` is your home folder only in a shell");
                return Err(error
                    .help("give the whole path, or an id: `record ID` writes into tests/scenarios/")
                    .into());
            }
            path
        }
        name => {
            let error = Diagnostic::new(message!("`{}` cannot be the name of a scenario's file", visible(name)));
            let help =
                "give an id of lower-case letters and digits, with single `-` between them, or `record FILE.toml`";
            return Err(error.help(help).into());
        }
    };
    let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let text = Scenario::record(game, &session.library, (&id, TITLE_OF_RECORDED), &session.work())?;
    session.surroundings.write_new(&path, &text)?;
    let note = only_saved(&game.loaded().ruleset, &session.library);
    session.notices.extend(note);
    let shown = path_name(&path);
    let mut lines = Line::plain(say!("wrote {}", visible(&shown))).broken(session.width);
    let next = say!("`test {}` runs it; delete what does not matter", visible(&shown));
    lines.extend(Line::faint(next).broken(session.width));
    Ok(Flow::Show(lines))
}

/// Loads a saved game; asks first if the current game would be lost.
fn load(session: &mut Session, file: &TypedPath, under_disk: bool) -> Result<Flow, Diagnostics> {
    let path = &file.path;
    if session.is_saved() || file.in_any_case {
        return go_on_with(session, Path::new(path), under_disk);
    }
    // A file that cannot be loaded is refused before any question.
    Replay::read(session.library.files(), Path::new(path))?;
    let words = if under_disk { " under disk" } else { "" };
    let yes = format!("load {path}!{words}");
    let refusal = Diagnostic::new("the game on the table is not saved")
        .help(message!("`save FILE` saves it; `{yes}` loads the other game without saving"));
    let refusal = refusal.into();
    Ok(Flow::Ask(Question { refusal, question: "load the other game without saving this one?", yes }))
}

fn go_on_with(session: &mut Session, path: &Path, under_disk: bool) -> Result<Flow, Diagnostics> {
    let opened = SavedGame::open(path, &session.library, under_disk, session.work())?;
    let mut lines: Vec<Line> = opened.notes().map(Line::plain).collect();
    session.playthrough = opened.playthrough;
    session.library = opened.library;
    session.adapt_seating();
    session.mark_saved();
    lines.extend(session.look());
    Ok(Flow::Show(lines))
}

/// The paths of all saved games nearby, as completions.
fn paths(session: &Session) -> Vec<Candidate> {
    let mut found = Vec::new();
    for folder in [".", "saves"] {
        for FolderEntry { path, .. } in session.library.files().list(Path::new(folder)).into_iter().take(500) {
            let path = path.strip_prefix(".").unwrap_or(&path);
            if path.extension().is_some_and(|extension| extension == "toml") {
                found.push(Candidate::new(path_name(path), said("saved game")));
            }
        }
    }
    found.sort_by(|one, other| one.text.cmp(&other.text));
    found
}
