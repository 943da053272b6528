//! Whether a pack still fits the local rules that it rests on, which may have changed since it was made.

use super::contents::selection_of_layer;
use super::gather::hash_of_texts;
use super::{Pack, PackRequirement};
use crate::catalogue::{Message, message};
use crate::definition::{Layer, Library};
use crate::diagnostic::Diagnostic;
use crate::inspect::changes::functions_at;
use crate::ruleset::{Ruleset, Selection};
use crate::script::functions::FunctionInfo;
use crate::work::Work;
use std::sync::Arc;

/// The differences between the local rules and those that the pack was made for, function by function.
pub fn differences(pack: &Pack, library: &Library, work: &Arc<Work>) -> Vec<Diagnostic> {
    pack.rests_on.iter().flat_map(|required| difference(pack, required, library, work)).collect()
}

/// The differences in one thing that the pack rests on.
pub fn difference(pack: &Pack, required: &PackRequirement, library: &Library, work: &Arc<Work>) -> Vec<Diagnostic> {
    let (what, id) = thing(&required.path);
    let Some(layer) = found(&pack.play.selection.game, required, library) else {
        let missing = Diagnostic::new(message!("the pack rests on the {what} `{id}`, which is not here"));
        return vec![missing.help(message!("ask for `{}` too, or for a pack that contains it", required.path))];
    };
    let mut told = Vec::new();
    let own = layer.version.clone();
    if let Some(wanted) = &required.version
        && !own.as_ref().is_some_and(|own| wanted.matches(own))
    {
        let here = own.map_or("without a version".into(), |own| message!("version {own}"));
        let message = message!("the pack is for the {what} `{id}` in version {wanted}, and the one here is {here}");
        told.push(Diagnostic::warning(message).help("ask its author for a newer pack, or check whether it still fits"));
    }
    if hash_of_texts(&layer.files_of_rules()) == required.hash {
        return told;
    }
    let message = message!("the {what} `{id}` has changed since the pack was made");
    match functions(pack, required, library, work) {
        // With stopped work, nothing is known about the functions.
        None if work.is_stopped() => {}
        None => told.push(Diagnostic::warning(message).help(
            "the rules here cannot be read, so it is not known whether a function that the pack overrides has changed",
        )),
        Some(functions) if told.is_empty() && functions.is_empty() => {
            told.push(Diagnostic::note(message).help("no function that the pack overrides has changed"));
        }
        Some(functions) => told.extend(functions),
    }
    told
}

/// The differences in the functions that the pack overrides; `None` where the local rules do not tell.
fn functions(pack: &Pack, required: &PackRequirement, library: &Library, work: &Arc<Work>) -> Option<Vec<Diagnostic>> {
    let (what, id) = thing(&required.path);
    if required.functions.is_empty() {
        return Some(Vec::new());
    }
    let (ruleset, own) = rules_with(pack, required, library, work)?;
    let told = required.functions.iter().filter_map(|(name, hash)| {
        let (name, count) = name.split_once('/')?;
        let count: usize = count.parse().ok()?;
        let same = own.iter().find(|(function, _)| function.name == name && function.parameters.len() == count);
        let message = match same {
            Some((_, fingerprint)) if fingerprint == hash => return None,
            Some((function, _)) => {
                let usage = format!("{}({})", name, function.parameters.join(", "));
                let now = message!("`{usage}` of the {what} `{id}` has changed since the pack was made");
                let place = ruleset.place(function.at, "as it is now");
                let help = "the pack overrides it: check whether it still means the same";
                return Some(Diagnostic::warning(now).at_maybe(place).help(help));
            }
            None => match own.iter().find(|(function, _)| function.name == name) {
                Some((other, _)) => message!(
                    "the pack overrides `{name}` with {count} parameters, and the {what} `{id}` has `{name}({})` now",
                    other.parameters.join(", ")
                ),
                None => message!(
                    "the pack overrides `{name}` with {count} parameters, which the {what} `{id}` does not have any more"
                ),
            },
        };
        Some(Diagnostic::warning(message).help("nothing calls it unless the pack does"))
    });
    Some(told.collect())
}

/// A ruleset that contains what the pack rests on, with its functions there. Tried in order: the rules below the pack,
/// the required layer alone, and the pack's own rules, which may hold the game. The ruleset need not compile.
fn rules_with(
    pack: &Pack,
    required: &PackRequirement,
    library: &Library,
    work: &Arc<Work>,
) -> Option<(Ruleset, Vec<(FunctionInfo, String)>)> {
    let selections = [
        without(pack, library),
        selection_of_layer(&required.path, &pack.play.selection.game, library).ok(),
        Some(pack.play.selection.clone()),
    ];
    selections.into_iter().flatten().find_map(|selection| {
        let ruleset = Ruleset::load(library, &selection).ok()?;
        let functions = functions_at(&ruleset, &required.path, work)?;
        Some((ruleset, functions))
    })
}

/// The recommended rules without the layers of the pack; `None` where the pack holds the game.
fn without(pack: &Pack, library: &Library) -> Option<Selection> {
    let Selection { game, variants, .. } = &pack.play.selection;
    if pack.holds_path(&format!("games/{game}/game.toml")) {
        return None;
    }
    let entries = library.variants(game);
    let is_held = |id: &str| {
        entries
            .iter()
            .find(|entry| entry.id == id)
            .is_none_or(|entry| entry.layer.as_ref().map_or(true, |layer| pack.holds(layer)))
    };
    let variants = variants.iter().filter(|id| !is_held(id)).cloned().collect();
    Some(Selection { game: game.clone(), variants, set: Vec::new() })
}

/// The local layer that a pack rests on; `None` where there is none.
fn found(game: &str, required: &PackRequirement, library: &Library) -> Option<Layer> {
    let parts: Vec<&str> = required.path.split('/').collect();
    let found = match parts[..] {
        ["games", id, _] => library.game(id),
        ["variants", _, file] => library.variant(game, file.strip_suffix(".toml")?),
        ["scripts", file] => library.rule_library(file.split('.').next()?, None),
        _ => return None,
    };
    found.ok()
}

/// The kind of the layer at a path, in words, and its id.
fn thing(path: &str) -> (Message, String) {
    let parts: Vec<&str> = path.split('/').collect();
    let stem = |file: &str| file.split('.').next().unwrap_or_default().to_owned();
    match parts[..] {
        ["games", id, _] => ("game".into(), id.to_owned()),
        ["variants", _, file] => ("variant".into(), stem(file)),
        [.., file] => ("library".into(), stem(file)),
        [] => ("library".into(), String::new()),
    }
}
