//! Reduced finds, with saved games that can be opened.

use super::case::{Case, Choice, Tail, shortened};
use super::compiled::{CompiledRules, Refusal};
use super::play::{Fault, PlayOptions, place_of, play};
use super::reduce::Reduction;
use super::search::KnownFault;
use super::trial::leak_of;
use super::{Find, FindKind, HuntContext};
use crate::diagnostic::Diagnostics;
use crate::playthrough::Playable;
use crate::playthrough::log::LogEntry;
use crate::playthrough::replay::Replay;
use crate::ruleset::Ruleset;
use crate::work::Workers;
use std::sync::Arc;

/// A saved game with the log of a case.
pub(super) fn replay(ruleset: &Ruleset, case: &Case, log: Vec<LogEntry>) -> Replay {
    Replay {
        selection: ruleset.selection.clone(),
        ruleset: ruleset.hash.clone(),
        players: case.players,
        seed: case.seed,
        log,
        result: None,
        playtest: Default::default(),
        rules: ruleset.files(false),
    }
}

impl HuntContext<'_> {
    pub(super) fn reduced(&self, workers: &dyn Workers, known: &KnownFault) -> Find {
        let KnownFault { fault, case, moves, choices, .. } = known;
        let Fault { kind, key, .. } = fault;
        let shows = |case: &Case, most: usize| self.shows(*kind, key, case, most);
        let plain = |choices: &[Choice]| Case { choices: choices.to_vec(), tail: Tail::First, ..case.clone() };
        let starts = match kind {
            // The game is endless from where questions recur, or from some later choice on.
            FindKind::Endless => {
                let behind = (0..usize::BITS).map_while(|power| 1_usize.checked_shl(power));
                let places = std::iter::once(0).chain(behind).map(|step| moves.saturating_add(step));
                let begun = places.map_while(|place| choices.get(..place));
                begun.map(|choices| Case { choices: choices.to_vec(), tail: Tail::Random(1), ..case.clone() }).collect()
            }
            FindKind::Leak => Vec::new(),
            _ => vec![plain(choices)],
        };
        // The choices are written out, because after a stop no reproduction is possible.
        let found = starts.first().unwrap_or(case).clone();
        let (case, moves) = Reduction::new(workers, &shows, &self.spent, (found, *moves), starts).reduced();
        let diagnostics =
            self.diagnostics_of_smallest(&case, *kind, key, moves).unwrap_or_else(|| fault.diagnostics.clone());
        let replay = self.replay(&case, moves);
        Find { replay, ..Find::of(*kind, diagnostics, known.times, Some((case, moves))) }
    }

    /// The diagnostics of the smallest case, where players and moves differ from the first case.
    fn diagnostics_of_smallest(&self, case: &Case, kind: FindKind, key: &str, moves: usize) -> Option<Diagnostics> {
        let compiled = self.compiled(case).ok().filter(|_| !self.is_late())?;
        let fault = match kind {
            FindKind::Leak => leak_of(&compiled, case.seed)?.0,
            FindKind::Endless => {
                let looks = PlayOptions { most: self.plan.longest, cut_is_endless: true, ..PlayOptions::default() };
                play(&compiled, case, looks).fault?
            }
            _ => play(&compiled, case, PlayOptions { most: Some(moves), ..PlayOptions::default() }).fault?,
        };
        (fault.kind == kind && (kind == FindKind::Endless || fault.key == key)).then_some(fault.diagnostics)
    }

    /// A saved game at the point where the case shows the fault.
    fn replay(&self, case: &Case, moves: usize) -> Option<Replay> {
        let ruleset = self.compiled(case).ok()?.playable.ruleset.clone();
        // Stopping the hunt must not stop this, or the find would be lost.
        let undisturbed = CompiledRules::new(Playable::compile(ruleset, case.players, Arc::default()).ok()?);
        let played = play(&undisturbed, case, PlayOptions { most: Some(moves), log: true, ..PlayOptions::default() });
        Some(replay(&undisturbed.playable.ruleset, case, played.log))
    }

    /// Removes variants and settings from rules that do not compile, as long as they fail in the same way.
    pub(super) fn fewest_rules(&self, known: &KnownFault) -> Find {
        let same = |case: &Case| match self.compiled(case) {
            Err(Refusal::Scripts(errors)) if place_of(&errors) == known.fault.key => Some(errors),
            _ => None,
        };
        // No game is needed to show it.
        let found = (Case { before: 0, ..known.case.clone() }, known.fault.diagnostics.clone());
        let found = shortened(found, |case| case.variants.len(), Case::remove_variant, same);
        let remove_setting = |case: &mut Case, place| drop(case.set.remove(place));
        let (case, diagnostics) = shortened(found, |case| case.set.len(), remove_setting, same);
        Find::of(FindKind::Rules, diagnostics, known.times, Some((case, 0)))
    }
}
