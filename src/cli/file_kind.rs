//! What a file is that somebody gave where a game is meant.

use crate::definition::{Library, is_path};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::playthrough::replay::MAX_BYTES;
use std::path::Path;

/// What can be opened as a game.
pub(super) enum Openable {
    /// A game of this id.
    Game(String),
    /// A saved game.
    Saved,
    /// A variant of this game.
    Variant(String),
}

/// What was meant by an argument that is the id of a game, or a file.
///
/// # Errors
/// It is a file, and none of a game: with what it is, and what it is for.
pub(super) fn openable(typed: &str, library: &Library) -> Result<Openable, Diagnostics> {
    let path = Path::new(typed);
    // A file or folder may happen to have the name of the game that is meant.
    let is_file = is_path(typed) || typed.ends_with(".rhai") || path.is_file() && library.game(typed).is_err();
    if !is_file {
        let file = format!("{typed}.toml");
        return match library.game(typed) {
            Err(errors) if errors.len() == 1 && Path::new(&file).is_file() => {
                Err(errors.help(format!("there is a file `{file}` here: `houserule play {file}`")))
            }
            _ => Ok(Openable::Game(typed.to_owned())),
        };
    }
    let files = library.files();
    let name = files.name_of(path);
    if path.is_dir() {
        let help = "give the id of a game, as `houserule list` shows it; `--dir FOLDER` says where games are";
        return Err(Diagnostic::new(format!("`{name}` is a folder, not a file")).help(help).into());
    }
    let source = files.read_up_to(path, &name, MAX_BYTES).map_err(|error| {
        error.help("`houserule play` takes the id of a game, a saved game, the file of a variant, or a pack")
    })?;
    let is = |what: &str, help: String| Err(Diagnostic::new(format!("`{name}` is {what}")).help(help).into());
    if typed.ends_with(".rhai") {
        return is("a script", "a script is played with the game or the variant that it belongs to".to_owned());
    }
    if source.text.starts_with("{\"type\":\"start\"") {
        return is("a trace, which is for other programs", "`save FILE` in a game writes a file to play on".to_owned());
    }
    // What is wrong with a file is told by whoever reads it; here it only has to be known what it wants to be.
    let keys: toml::Table = source.text.parse().unwrap_or_default();
    let text = |key: &str| keys.get(key).and_then(toml::Value::as_str).map(str::to_owned);
    let has = |key: &str| keys.contains_key(key);
    match (text("game"), text("id")) {
        _ if has("format") || source.text.contains("\nformat ") => Ok(Openable::Saved),
        (Some(_), _) if has("then") => is("a scenario, a test of rules", format!("`houserule test {name}` runs it")),
        (Some(game), _) => Ok(Openable::Variant(game)),
        (None, Some(id)) if has("players") => is("a game", game_help(path, &id)),
        _ => {
            let trouble = Diagnostic::new(format!("`{name}` is neither a saved game nor a variant"));
            Err(trouble
                .help("`houserule play` takes the id of a game, a saved game, the file of a variant, or a pack")
                .into())
        }
    }
}

/// How to play the game whose `game.toml` this is.
fn game_help(path: &Path, id: &str) -> String {
    let root = path.parent().and_then(Path::parent).and_then(Path::parent);
    let root = root.map(|root| if root.as_os_str().is_empty() { ".".to_owned() } else { root.display().to_string() });
    match root {
        Some(root) => format!("`houserule play {id} --dir {root}` plays it"),
        None => format!("`houserule play {id}` plays it, where it lies in games/{id}/ of a folder that `--dir` names"),
    }
}
