//! Packs where a command takes a game: what is in them is found before all else, and the game is the one that their
//! author recommends.

use super::{Context, Failure};
use crate::definition::is_path;
use crate::diagnostic::Diagnostic;
use crate::files::Files;
use crate::host::packs::mounted;
use crate::share::{FILE, MAX_BYTES, Pack, PackFile};
use std::path::{Path, PathBuf};

/// What a command line names that may be a pack.
#[derive(Default)]
pub(super) struct Named<'a> {
    /// What stands where a game is meant.
    pub(super) game: Option<&'a mut String>,
    /// The variants that are laid over it.
    pub(super) variants: Option<&'a mut Vec<String>>,
    /// What is set.
    pub(super) set: Option<&'a mut Vec<String>>,
    /// Variants of the rules to compare with.
    pub(super) beside: Option<&'a mut Vec<String>>,
    /// How many play.
    pub(super) players: Option<&'a mut Option<usize>>,
    /// The seed of chance.
    pub(super) seed: Option<&'a mut Option<u64>>,
    /// Files in a place where packs stand for what is in them, and the folder in which that lies.
    pub(super) files: Option<(&'a mut Vec<PathBuf>, &'static str)>,
}

/// Lets a command find what is in the packs that its line names, which are replaced by that.
///
/// # Errors
/// One of them is no pack that can be used: damaged, of another format, for another Houserule.
pub(super) fn open(named: Named<'_>, context: &mut Context) -> Result<(), Failure> {
    let Named { game, mut variants, set, beside, players, seed, files } = named;
    let mut packs: Vec<(PathBuf, PackFile)> = Vec::new();
    if let Some(game) = game
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
    for variants in variants.into_iter().chain(beside) {
        let mut found = Vec::new();
        for variant in variants.drain(..) {
            match find(&variant, context)? {
                Some((path, file)) => {
                    found.extend(file.pack.play.selection.variants.iter().cloned());
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
                        let error = Diagnostic::new(format!("`{}` has nothing in {folder}", path.display()));
                        return Err(Failure::wrong(
                            error.help(format!("`houserule show {}` tells what is in it", path.display())),
                        ));
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
    Ok(())
}

/// The pack that a path is of; nothing where it is something else.
///
/// # Errors
/// It is a pack, and none that can be used.
fn find(typed: &str, context: &Context) -> Result<Option<(PathBuf, PackFile)>, Failure> {
    if !is_pack(typed, context.library.files()) {
        return Ok(None);
    }
    let path = Path::new(typed);
    let file = Pack::read(context.library.files(), path).map_err(Failure::wrong)?;
    file.whole().and_then(Pack::check_houserule).map_err(Failure::wrong)?;
    Ok(Some((path.to_owned(), file)))
}

/// Whether somebody who typed this means a pack.
pub(super) fn is_pack(typed: &str, files: &dyn Files) -> bool {
    let path = Path::new(typed);
    if !is_path(typed) || files.kind(path) != Some(crate::files::FileKind::File) {
        return false;
    }
    let Ok(source) = files.read_up_to(path, typed, MAX_BYTES) else { return false };
    // Whoever edits a pack may take its first line away.
    source.text.starts_with(FILE.beginning)
        || source.text.lines().take(20).any(|line| line.starts_with("pack ") || line.starts_with("pack="))
}
