//! Packs in place of a game on the command line: their content takes precedence over the library, and their recommended
//! game is played.

use super::file_kind::{Openable, PLAY, openable};
use super::{Context, Failure};
use crate::catalogue::message;
use crate::definition::toml_text::has_key;
use crate::definition::{Library, is_path};
use crate::diagnostic::{Diagnostic, Diagnostics, visible};
use crate::files::{FileKind, Files, path_name};
use crate::host::packs::mounted;
use crate::playthrough::replay::MAX_BYTES as MAX_REPLAY_BYTES;
use crate::ruleset::shell_quoted;
use crate::share::{ENDING, FILE, MAX_BYTES, Pack, PackFile};
use std::path::{Path, PathBuf};

/// The arguments of a command line that may name packs.
#[derive(Default)]
pub(super) struct PackArguments<'a> {
    /// The game argument.
    pub(super) game: Option<&'a mut String>,
    /// The game that variants are for, where it is not itself replaced by the content of a pack.
    pub(super) over: Option<&'a str>,
    /// The variants of the game.
    pub(super) variants: Option<&'a mut Vec<String>>,
    pub(super) set: Option<&'a mut Vec<String>>,
    /// The variants of the rules to compare with.
    pub(super) beside: Option<&'a mut Vec<String>>,
    /// The number of players, to be taken from a pack if not given.
    pub(super) players: Option<&'a mut Option<usize>>,
    /// The seed, to be taken from a pack if not given.
    pub(super) seed: Option<&'a mut Option<u64>>,
    /// File arguments in which a pack stands for its content, and the folder in packs that has this content.
    pub(super) files: Option<(&'a mut Vec<PathBuf>, &'static str)>,
}

/// Mounts the packs named on a command line, and replaces their names by their content.
///
/// # Errors
/// A pack cannot be used because it is damaged, of another format or for another version of Houserule; or it adds
/// nothing to its game.
pub(super) fn open(arguments: PackArguments<'_>, context: &mut Context) -> Result<(), Failure> {
    let PackArguments { mut game, over, mut variants, set, beside, players, seed, files } = arguments;
    let mut packs: Vec<(PathBuf, PackFile)> = Vec::new();
    if let Some(game) = game.as_deref_mut()
        && let Some((path, file)) = find(game, context)?
    {
        let play = file.pack.play.clone();
        *game = play.selection.game;
        if let Some(variants) = &mut variants {
            variants.splice(0..0, play.selection.variants);
        }
        if let Some(set) = set {
            set.splice(0..0, play.selection.set);
        }
        if let Some(players) = players {
            *players = players.or(Some(play.players));
        }
        if let Some(seed) = seed {
            *seed = seed.or(Some(play.seed));
        }
        packs.push((path, file));
    }
    let mut added: Vec<(PathBuf, Pack)> = Vec::new();
    for variants in variants.into_iter().chain(beside) {
        let mut found = Vec::new();
        for variant in variants.drain(..) {
            match find(&variant, context)? {
                Some((path, file)) => {
                    found.extend(file.pack.play.selection.variants.iter().cloned());
                    added.push((path.clone(), file.pack.clone()));
                    packs.push((path, file));
                }
                None => found.push(variant),
            }
        }
        *variants = found;
        let mut seen = Vec::new();
        variants.retain(|variant| {
            let is_new = !seen.contains(variant);
            seen.push(variant.clone());
            is_new
        });
    }
    if let Some((paths, folder)) = files {
        let mut found = Vec::new();
        for path in paths.drain(..) {
            match path.to_str().map(|typed| find(typed, context)).transpose()?.flatten() {
                Some((path, file)) => {
                    let inside = file.pack.files.iter().filter(|inside| inside.path.starts_with(folder));
                    let inside: Vec<PathBuf> = inside.map(|inside| path.join(&inside.path)).collect();
                    if inside.is_empty() {
                        let error = Diagnostic::new(message!("`{}` has nothing in {folder}", path_name(&path)));
                        return Err(Failure::wrong(error.help(message!(
                            "`houserule show {}` shows what is in it",
                            shell_quoted(&path_name(&path))
                        ))));
                    }
                    found.extend(inside);
                    packs.push((path, file));
                }
                None => found.push(path),
            }
        }
        *paths = found;
    }
    if !packs.is_empty() {
        context.library = mounted(&context.library, &packs);
    }
    let game = game.as_deref().map(String::as_str).or(over).and_then(|game| game_of(game, &context.library));
    added
        .iter()
        .try_for_each(|(path, pack)| adds_to(game.as_deref(), path, pack, &context.library))
        .map_err(Failure::wrong)
}

/// The game given by id or by the file of a variant; `None` where opening it reports the error.
fn game_of(typed: &str, library: &Library) -> Option<String> {
    match openable(typed, library, PLAY).ok()? {
        Openable::Game(game) | Openable::Variant(game) => library.game(&game).is_ok().then_some(game),
        Openable::Saved | Openable::Scenario => None,
    }
}

/// Refuses a pack that adds no variant to a game: it would have no effect, or variants of the same names would be
/// played.
fn adds_to(game: Option<&str>, path: &Path, pack: &Pack, library: &Library) -> Result<(), Diagnostics> {
    let shown = path_name(path);
    let (name, own) = (visible(&shown), &pack.play.selection.game);
    let in_place = message!("give it in place of the game: `houserule play {}`", shell_quoted(&shown));
    if pack.play.selection.variants.is_empty() {
        let error = Diagnostic::new(message!("`{name}` adds no variant: it is a pack of the game `{own}`"));
        return Err(error.help(in_place).into());
    }
    let Some(game) = game else { return Ok(()) };
    let is_its = |path: &str| pack.holds_path(path) || pack.rests_on.iter().any(|required| required.path == path);
    for id in &pack.play.selection.variants {
        match library.variant(game, id) {
            Ok(layer) if is_its(&layer.path()) => {}
            // Errors in its variants are reported when the game is played.
            Err(_) if own == game => {}
            Ok(layer) if own == game => {
                let error =
                    Diagnostic::new(message!("another variant `{id}` hides the one of `{name}`: {}", layer.origin));
                return Err(error.help("give one of the two another id").into());
            }
            _ => {
                let error = Diagnostic::new(message!("`{name}` is a pack of `{own}`, and has no variant of `{game}`"));
                return Err(error.help(in_place).into());
            }
        }
    }
    Ok(())
}

/// The pack at a path; `None` where the path is not a pack's.
///
/// # Errors
/// It is a pack that cannot be used.
fn find(typed: &str, context: &Context) -> Result<Option<(PathBuf, PackFile)>, Failure> {
    if !is_pack(typed, context.library.files()) {
        return Ok(None);
    }
    let path = Path::new(typed);
    let file = Pack::read(context.library.files(), path).map_err(Failure::wrong)?;
    file.whole().and_then(Pack::check_houserule).map_err(Failure::wrong)?;
    Ok(Some((path.to_owned(), file)))
}

/// Whether an argument means a pack. Errors in the pack are reported by its reader.
pub(super) fn is_pack(typed: &str, files: &dyn Files) -> bool {
    let path = Path::new(typed);
    if !is_path(typed) || files.kind(path) != Some(FileKind::File) {
        return false;
    }
    match files.read_up_to(path, typed, MAX_BYTES.max(MAX_REPLAY_BYTES)) {
        // A person who edits a pack may delete its first line.
        Ok(source) => source.text.starts_with(FILE.beginning) || has_key(&source.text, "pack"),
        Err(_) => typed.ends_with(ENDING),
    }
}
