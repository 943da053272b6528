//! The kind of an argument that names a game: an id or some file.

use crate::catalogue::{Message, message};
use crate::definition::toml_text::has_key;
use crate::definition::{Library, is_path};
use crate::diagnostic::{Diagnostic, Diagnostics, unknown_or};
use crate::files::path_name;
use crate::playthrough::replay::MAX_BYTES;
use crate::ruleset::shell_quoted as as_typed;
use std::path::Path;

/// An argument that can be opened as a game.
pub(super) enum Openable {
    /// A game, by its id.
    Game(String),
    /// A saved game.
    Saved,
    /// The file of a variant, with the id of its game.
    Variant(String),
    /// A scenario, for a command that takes scenarios.
    Scenario,
}

/// The command that takes the argument, for error messages.
#[derive(Clone, Copy)]
pub(super) struct Recipient {
    /// The name of the command.
    name: &'static str,
    takes: &'static str,
    /// Whether the command takes scenarios.
    takes_scenarios: bool,
}

/// The command `houserule play`.
pub(super) const PLAY: Recipient = Recipient {
    name: "play",
    takes: "`houserule play` takes the id of a game, a saved game, the file of a variant or a scenario, or a pack",
    takes_scenarios: true,
};

/// The command `houserule show`.
pub(super) const SHOW: Recipient = Recipient {
    name: "show",
    takes: "`houserule show` takes the id of a game or a variant, the file of a variant, or a pack",
    takes_scenarios: false,
};

/// The command `houserule pack`.
pub(super) const PACK: Recipient = Recipient {
    name: "pack",
    takes: "`houserule pack` takes the id of a game or a variant, or the file of a variant, a scenario or a saved game",
    takes_scenarios: false,
};

/// Determines the kind of an argument that is the id of a game or a file.
///
/// # Errors
/// The file is not of a game; the message says what it is and what it is for.
pub(super) fn openable(typed: &str, library: &Library, taker: Recipient) -> Result<Openable, Diagnostics> {
    let path = Path::new(typed);
    // A file or folder may happen to have the name of a game.
    let is_file = is_path(typed) || typed.ends_with(".rhai") || path.is_file() && library.game(typed).is_err();
    if !is_file {
        let file = format!("{typed}.toml");
        return match library.game(typed) {
            Err(errors) if errors.len() == 1 && Path::new(&file).is_file() => Err(errors.help(message!(
                "there is a file `{file}` here: `houserule {} {}`",
                taker.name,
                as_typed(&file)
            ))),
            _ => Ok(Openable::Game(typed.to_owned())),
        };
    }
    let files = library.files();
    let name = files.name_of(path);
    if path.is_dir() {
        let help = "give the id of a game, as `houserule list` shows it; `--dir FOLDER` says where games are";
        return Err(Diagnostic::new(message!("`{name}` is a folder, not a file")).help(help).into());
    }
    let source = files.read_up_to(path, &name, MAX_BYTES).map_err(|error| error.help(taker.takes))?;
    let typed_name = as_typed(&name);
    let is = |what: &'static str, help: Message| {
        let what = Message::from(what);
        Err(Diagnostic::new(message!("`{name}` is {what}")).help(help).into())
    };
    if typed.ends_with(".rhai") {
        return is("a script", "give the game or the variant that the script belongs to".into());
    }
    if source.text.starts_with("{\"type\":\"start\"") {
        return is("a trace, which is for other programs", "`save FILE` in a game writes a file to play on".into());
    }
    // The reader of the file reports its errors; here only its kind matters.
    let keys: toml::Table = source.text.parse().unwrap_or_default();
    let text = |key: &str| keys.get(key).and_then(toml::Value::as_str).map(str::to_owned);
    let has = |key: &str| keys.contains_key(key);
    match (text("game"), text("id")) {
        _ if has_key(&source.text, "format") => Ok(Openable::Saved),
        (Some(_), _) if taker.takes_scenarios && (has("then") || has("cases")) => Ok(Openable::Scenario),
        (Some(_), _) if has("then") => {
            is("a scenario, a test of rules", message!("`houserule test {typed_name}` runs it"))
        }
        (Some(game), _) => Ok(Openable::Variant(game)),
        (None, Some(_)) if has("games") || has("games_using") => {
            is("a variant for several games", message!("say which: `houserule {} GAME -v {typed_name}`", taker.name))
        }
        (None, Some(id)) if has("players") => is("a game", game_help(path, &id, taker)),
        (None, Some(id)) if path.parent().is_some_and(|folder| folder.ends_with("scripts")) => {
            is("a library", message!("give a game that uses it; `houserule help {id}` shows what is in it"))
        }
        _ => {
            let trouble = Diagnostic::new(message!("`{name}` is neither a saved game nor a variant"));
            Err(trouble.help(taker.takes).into())
        }
    }
}

/// Advice on how to name the game with this `game.toml`.
fn game_help(path: &Path, id: &str, Recipient { name, .. }: Recipient) -> Message {
    let root = path.parent().and_then(Path::parent).and_then(Path::parent);
    let root = root.map(|root| if root.as_os_str().is_empty() { ".".to_owned() } else { path_name(root) });
    match root {
        Some(root) => message!("give its id: `houserule {name} {id} --dir {root}`"),
        None => {
            message!("give its id, `houserule {name} {id}`, if it is in games/{id}/ of a folder that `--dir` names")
        }
    }
}

/// The only game with a variant of this id; `None` where the id is a game's.
///
/// # Errors
/// There is no such game or variant, and the nearest is suggested; or several games have such a variant.
pub(super) fn game_of_variant(id: &str, library: &Library, taker: Recipient) -> Result<Option<String>, Diagnostics> {
    let games = library.games();
    if games.iter().any(|game| game.id == id) {
        return Ok(None);
    }
    let has = |game: &str| library.variants(game).iter().any(|variant| variant.id == id);
    let found: Vec<&str> = games.iter().map(|game| &*game.id).filter(|game| has(game)).collect();
    match found[..] {
        [game] => Ok(Some(game.to_owned())),
        [] => Err(no_game_or_variant(id, library).into()),
        [first, ..] => {
            let error = Diagnostic::new(message!("several games have a variant `{id}`: {}", found.join(", ")));
            Err(error.help(message!("say which: `houserule {} {first} -v {id}`", taker.name)).into())
        }
    }
}

fn no_game_or_variant(id: &str, library: &Library) -> Diagnostic {
    if let Some(error) = library.missing_definition_error(id) {
        return error;
    }
    let games: Vec<String> = library.games().into_iter().map(|game| game.id).collect();
    let variants: Vec<_> = games.iter().flat_map(|game| library.variants(game)).collect();
    let names = games.iter().chain(variants.iter().map(|variant| &variant.id));
    let otherwise = "`houserule list` shows games and their variants; a file is given by its path";
    unknown_or("game or variant", id, names.map(String::as_str), otherwise)
}
