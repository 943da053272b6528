//! All content of a pack, as rules that can be shown and checked.
//!
//! A library finds every layer of an installed pack, not only those that its author recommends. So showing, checking
//! and installing a pack consider all that it holds, and texts that no rules use are refused.

use super::text::unfit_picture;
use super::{ASK_AGAIN, MAX_BYTES, Pack, SAVES, is_picture_path};
use crate::catalogue::message;
use crate::definition::{ANY_GAME, Library};
use crate::diagnostic::{Diagnostic, Diagnostics, listed};
use crate::files::path_name;
use crate::inspect::changes::SelectedLayers;
use crate::inspect::check::unfit_pictures;
use crate::playthrough::Playable;
use crate::playthrough::replay::Replay;
use crate::ruleset::{Ruleset, Selection};
use crate::scenario::{FOLDER, Scenario};
use crate::sorted::SortedSet;
use crate::work::Work;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A ruleset that uses something of a pack.
pub struct PackRuleset {
    /// The game and variants of the ruleset.
    pub selection: Selection,
    /// The compiled ruleset for the fewest players, or why it cannot be used.
    pub loaded: Result<Playable, Diagnostics>,
    /// The paths of the pack's texts that it uses and no earlier ruleset does.
    pub paths: SortedSet<String>,
}

/// All content of a pack, in rulesets that use it.
pub struct PackContents {
    /// The recommended rules, then each layer missing in them, by itself.
    pub rules: Vec<PackRuleset>,
    /// The texts that no rules can use.
    pub unused: Vec<Diagnostic>,
    /// An error where the recommended rules lack the layer that the pack is named after.
    pub misnamed: Option<Diagnostic>,
    /// The errors in scenarios, pictures and saved games, and warnings about saved games with rules of their own.
    pub beside: Vec<Diagnostic>,
}

impl PackContents {
    /// Loads all of a pack from a library in which it is mounted at `root`.
    pub fn of(pack: &Pack, root: &Path, library: &Library, work: &Arc<Work>) -> Self {
        let mut contents = Self { rules: Vec::new(), unused: Vec::new(), misnamed: None, beside: Vec::new() };
        contents.load(pack.play.selection.clone(), root, library, work);
        for path in pack.layers() {
            if contents.has(path) {
                continue;
            }
            match selection_of_layer(path, &pack.play.selection.game, library) {
                Ok(selection) => contents.load(selection, root, library, work),
                Err(errors) => contents.unused.extend(errors),
            }
        }
        // Which texts unusable rules would use is unknown.
        if contents.unusable().is_empty() {
            let unused =
                pack.files.iter().map(|file| &*file.path).filter(|path| is_of_rules(path) && !contents.has(path));
            contents.unused = unused.map(unused_text).collect();
        }
        for path in conflicting_variants(root, (pack, root), library) {
            let message = message!("two variants in the pack have the same id, and one hides the other: `{path}`");
            contents.beside.push(Diagnostic::new(message).help("give one of the two another id"));
        }
        contents.misnamed = contents.lacks_principal(pack).then(|| without_principal(pack));
        for path in pack.files.iter().map(|file| &*file.path).filter(|path| !is_of_rules(path)) {
            let place = root.join(path);
            match path.starts_with(SAVES) {
                true => contents.beside.extend(of_save(path, &place, library)),
                false if is_picture_path(path) => {
                    let read = library.files().read_up_to(&place, path, MAX_BYTES);
                    contents.beside.extend(read.ok().and_then(|source| unfit_picture(path, &source)));
                }
                false => contents.beside.extend(Scenario::read(library.files(), &place).err().into_iter().flatten()),
            }
        }
        contents
    }

    /// All rulesets, each with the paths of the pack's texts in it.
    ///
    /// # Errors
    /// Some rules cannot be used, or some texts of the pack are used by none.
    pub fn all(&self) -> Result<Vec<SelectedLayers<'_>>, Diagnostics> {
        Diagnostics::refuse(self.unusable())?;
        Ok(self.rules.iter().filter_map(|rules| Some((rules.loaded.as_ref().ok()?, &rules.paths))).collect())
    }

    /// The unsafe or missing pictures named by the looks of the pack's rules, each once.
    pub fn unfit_pictures(&self, library: &Library) -> Vec<Diagnostic> {
        let mut found: Vec<Diagnostic> = Vec::new();
        for loaded in self.rules.iter().filter_map(|rules| rules.loaded.as_ref().ok()) {
            let new = unfit_pictures(loaded, library).into_iter().filter(|one| !found.contains(one));
            found.extend(new.collect::<Vec<_>>());
        }
        found
    }

    /// Why rules cannot be used, and which texts no rules use, each once.
    fn unusable(&self) -> Vec<Diagnostic> {
        let failures = self.rules.iter().filter_map(|rules| rules.loaded.as_ref().err()).flatten();
        let mut unusable: Vec<Diagnostic> = Vec::new();
        for one in failures.chain(&self.unused) {
            if !unusable.contains(one) {
                unusable.push(one.clone());
            }
        }
        unusable
    }

    fn load(&mut self, selection: Selection, root: &Path, library: &Library, work: &Arc<Work>) {
        let loaded = Playable::for_fewest(library, &selection, work);
        let below = loaded.as_ref().map_or_else(|_| SortedSet::new(), |loaded| paths_below(&loaded.ruleset, root));
        let paths = below.into_iter().filter(|path| !self.has(path)).collect();
        self.rules.push(PackRuleset { selection, loaded, paths });
    }

    fn has(&self, path: &str) -> bool {
        self.rules.iter().any(|rules| rules.paths.contains(path))
    }

    fn lacks_principal(&self, pack: &Pack) -> bool {
        let recommended = self.rules.first().and_then(|rules| Some((rules.loaded.as_ref().ok()?, &rules.paths)));
        let principal = pack.principal();
        recommended.is_some_and(|(loaded, paths)| match pack.holds_path(&principal) {
            true => !paths.contains(&principal),
            false => loaded.ruleset.origins().iter().all(|(path, _)| *path != principal),
        })
    }
}

/// The error that the recommended game does not use the layer that the pack is named after.
pub(super) fn without_principal(pack: &Pack) -> Diagnostic {
    let message = message!(
        "the pack is called `{}`, but the game that it recommends does not use `{}`",
        pack.id,
        pack.principal()
    );
    Diagnostic::new(message).help(ASK_AGAIN)
}

/// The variants below `root` that have the id of a variant in a pack mounted at `at`, but lie in another folder: a game
/// that both are for would find only one of them.
pub fn conflicting_variants(root: &Path, (pack, at): (&Pack, &Path), library: &Library) -> Vec<String> {
    let (files, variants) = (library.files(), root.join("variants"));
    let folders: Vec<PathBuf> = files.list(&variants).into_iter().map(|listed| listed.path).collect();
    let is_of = |game: &str, path: &Path| path.to_str().is_some_and(|path| library.variant(game, path).is_ok());
    let mut found = Vec::new();
    for path in pack.layers() {
        let Some((own, file)) = path.strip_prefix("variants/").and_then(|rest| rest.split_once('/')) else { continue };
        for folder in folders.iter().filter(|folder| folder.file_name().is_some_and(|name| *name != *own)) {
            let there = folder.join(file);
            let is_seen_beside = |game: &str| is_of(game, &there) && is_of(game, &at.join(path));
            if files.exists(&there) && library.games().iter().any(|game| is_seen_beside(&game.id)) {
                found.extend(there.strip_prefix(root).ok().map(path_name));
            }
        }
    }
    found
}

/// The findings about a saved game in a pack: why it cannot be opened, or which of its own rules differ from the
/// pack's.
fn of_save(path: &str, place: &Path, library: &Library) -> Vec<Diagnostic> {
    let read = Replay::read(library.files(), place);
    match read.and_then(|read| read.own_rules(library, place)) {
        Err(errors) => errors.into_iter().collect(),
        Ok(own) if own.is_empty() => Vec::new(),
        Ok(own) => {
            let message = message!(
                "the saved game `{path}` carries rules of its own, which are not shown here: {}",
                listed(own.iter().map(String::as_str))
            );
            vec![Diagnostic::warning(message).help("it is played by these if you unpack it and open it")]
        }
    }
}

fn unused_text(path: &str) -> Diagnostic {
    Diagnostic::new(message!("the pack holds `{path}`, which nothing in it uses"))
        .help("if the pack is yours, remove this text and pack it again")
}

/// Whether a text in a pack belongs to rules, and is no picture, scenario or saved game.
fn is_of_rules(path: &str) -> bool {
    !path.starts_with(FOLDER) && !path.starts_with(SAVES) && !is_picture_path(path)
}

/// The paths of the texts of some rules that were found below a root.
fn paths_below(ruleset: &Ruleset, root: &Path) -> SortedSet<String> {
    let layers = ruleset.all_layers().filter(|layer| layer.origin.root() == Some(root));
    layers.flat_map(|layer| layer.files()).map(|file| file.path).collect()
}

/// The rules in which the layer at a path is in play by itself: a variant over `game` if it fits, else over the game
/// that it names.
///
/// # Errors
/// The layer cannot be read, is for no local game, or the path is not a layer's.
pub(super) fn selection_of_layer(path: &str, game: &str, library: &Library) -> Result<Selection, Diagnostics> {
    let parts: Vec<&str> = path.split('/').collect();
    let (own, id) = match parts[..] {
        ["games", id, "game.toml"] => return Ok(Selection::of(id)),
        ["variants", own, file] => (own, file.strip_suffix(".toml").unwrap_or(file)),
        _ => return Err(unused_text(path).into()),
    };
    let is_over = |game: &str| library.variant(game, id).is_ok_and(|layer| layer.path() == path);
    let over = if is_over(game) {
        Some(game.to_owned())
    } else if own == ANY_GAME {
        library.games().into_iter().map(|entry| entry.id).find(|game| is_over(game))
    } else {
        Some(own.to_owned()).filter(|own| is_over(own))
    };
    match over {
        Some(over) => Ok(Selection::of(&over).with(id)),
        None => Err(match library.variant(if own == ANY_GAME { game } else { own }, id) {
            Err(errors) => errors,
            Ok(other) if other.path() == path => unused_text(path).into(),
            Ok(other) => {
                Diagnostic::new(message!("`{path}` in the pack is hidden by another variant: {}", other.origin))
                    .help("give one of the two another id")
                    .into()
            }
        }),
    }
}
