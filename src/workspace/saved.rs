//! Findings in saved games and packs: in their format, in the rules that they need, and in a saved game's moves.

use super::toml::TomlItem;
use super::{FileText, Workspace};
use crate::catalogue::message;
use crate::definition::Library;
use crate::diagnostic::{Diagnostic, Diagnostics, Place};
use crate::playthrough::replay::{Replay, ReplayFile};
use crate::playthrough::rerun::{Difference, Rerun, RerunOutcome, Rule};
use crate::playthrough::{Misfit, Playable};
use crate::ruleset::Ruleset;
use crate::script::codes;
use crate::share::contents::PackContents;
use crate::share::{MountedPacks, Pack, fit};
use crate::work::Work;
use std::sync::Arc;

impl Workspace {
    /// The static findings in a saved game.
    pub(super) fn of_saved(&self, file: &FileText, library: &Library) -> Vec<Diagnostic> {
        let read = match Replay::parse(&file.source) {
            Ok(read) => read,
            Err(errors) => return coded(errors),
        };
        let at = |warning: Diagnostic| match warning.place {
            Some(_) => warning,
            None => warning.at_maybe(file.place(&["check", "hash"])),
        };
        let mut found: Vec<Diagnostic> = read.warnings.iter().cloned().map(at).collect();
        if let Err(errors) = rules(&read, file, library) {
            found.extend(errors);
        }
        found
    }

    /// The findings from replaying a saved game: moves that do not fit its rules, or a different result.
    pub(super) fn of_moves(&self, file: &FileText, library: &Library, work: &Arc<Work>) -> Vec<Diagnostic> {
        let Ok(read) = Replay::parse(&file.source) else { return Vec::new() };
        let Ok(ruleset) = rules(&read, file, library) else { return Vec::new() };
        let rerun = Playable::compile(Arc::new(ruleset), read.replay.players, work.clone())
            .and_then(|loaded| Rerun::on(&read.replay, loaded));
        let rerun = match rerun {
            Ok(rerun) => rerun,
            Err(errors) => return coded(errors),
        };
        let left_out = rerun.left_out.iter().map(|(number, entry)| {
            let message = message!("move {number}, {}, is left out: the rules do not ask for it", entry);
            Diagnostic::warning(message).at_maybe(read.entry(*number))
        });
        let mut found: Vec<Diagnostic> = left_out.collect();
        match rerun.outcome {
            RerunOutcome::Equal => {}
            RerunOutcome::NoLongerFits { misfit, asked } => {
                let Misfit { number, entry, reason, .. } = misfit;
                let message = message!("move {number}, {entry}, no longer fits: {reason}");
                let mut error = Diagnostic::new(message).at_maybe(read.entry(number));
                if let Some(Rule { line: rule, .. }) = asked {
                    error = error.help(message!("asked at {rule}"));
                }
                found.push(error);
            }
            RerunOutcome::OtherScores { first } => {
                let scores = rerun.scores.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                let message = message!("the game comes to other scores than were saved: {scores}");
                let mut warning = Diagnostic::warning(message).at_maybe(file.place(&["result", "scores"]));
                if let Some(first) = first {
                    let Difference { seat, moves, rule, .. } = first;
                    let rule = rule.map_or_else(String::new, |rule| format!(" ({})", rule.line));
                    warning = warning.help(message!("p{seat} has another score from move {moves} on{rule}"));
                }
                found.push(warning);
            }
            RerunOutcome::Failed { reason, .. } => found.extend(reason),
        }
        found
    }

    /// The findings in a pack: whether it is unchanged, the errors of its rules here, and changes in what it rests on.
    pub(super) fn of_pack(&self, file: &FileText, library: &Library, work: &Arc<Work>) -> Vec<Diagnostic> {
        let read = match Pack::parse(&file.source) {
            Ok(read) => read,
            Err(errors) => return coded(errors),
        };
        let mut found: Vec<Diagnostic> = Vec::new();
        let mut at = |error: Diagnostic, path: &[&str]| {
            let place = if error.place.is_none() { file.place(path) } else { None };
            found.push(error.at_maybe(place));
        };
        read.whole().err().into_iter().flatten().for_each(|error| at(error, &["check", "hash"]));
        let pack = &read.pack;
        pack.check_houserule().err().into_iter().flatten().for_each(|error| at(error, &["houserule"]));
        for (number, required) in pack.rests_on.iter().enumerate() {
            for error in fit::difference(pack, required, library, work) {
                at(error, &["rests_on", &number.to_string(), "path"]);
            }
        }
        let roots = std::iter::once(file.path.clone()).chain(library.roots().iter().cloned()).collect();
        let inside =
            library.with_roots(|files| Arc::new(MountedPacks::new(files, [(file.path.clone(), &read)])), roots);
        let contents = PackContents::of(pack, &file.path, &inside, work);
        for rules in contents.rules {
            match rules.loaded {
                Ok(loaded) => loaded.warnings.iter().cloned().for_each(|warning| at(warning, &["play", "game"])),
                Err(errors) => errors.into_iter().for_each(|error| at(error, &["play", "game"])),
            }
        }
        contents
            .unused
            .into_iter()
            .chain(contents.misnamed)
            .chain(contents.beside)
            .for_each(|error| at(error, &["id"]));
        let mut once: Vec<Diagnostic> = Vec::new();
        for one in found {
            if !once.contains(&one) {
                once.push(one);
            }
        }
        once
    }
}

impl FileText {
    /// The place of the value at a path of a TOML file.
    fn place(&self, path: &[&str]) -> Option<Place> {
        let item: &TomlItem = self.toml.as_ref()?.get(path)?;
        Some(Place::new(&self.source, item.value.clone(), ""))
    }
}

/// The rules of a saved game, checked against its number of players.
fn rules(read: &ReplayFile, file: &FileText, library: &Library) -> Result<Ruleset, Diagnostics> {
    let (ruleset, _) = read.rules(library, &file.path)?;
    read.check_rules(&ruleset)?;
    Ok(ruleset)
}

fn coded(errors: Diagnostics) -> Vec<Diagnostic> {
    errors.into_iter().map(|error| error.with_code(codes::DEFINITION)).collect()
}
