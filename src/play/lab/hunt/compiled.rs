//! A cache of compiled rules for a hunt.

use super::case::Case;
use crate::agent::search::mix;
use crate::definition::Library;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::lab::coverage::{Coverage, StepCounts};
use crate::playthrough::Playable;
use crate::playthrough::rules_cache::MemoMap;
use crate::ruleset::Ruleset;
use crate::script::host_functions::{INVARIANT, host_function};
use crate::work::Work;
use std::sync::{Arc, Mutex, PoisonError};

/// The most compiled rules kept.
const MAX_CACHED_RULES: usize = 160;

/// Compiled rules with the data that a hunt needs.
pub struct CompiledRules {
    pub(super) playable: Playable,
    pub(super) has_invariant: bool,
    /// Whether variables are kept for the next game of a campaign.
    pub(super) keeps: bool,
    /// For each branch of each step, a hash that is the same in all rulesets with that line of the scripts.
    ways: Vec<u64>,
    /// For each zone, such a hash of its declaration.
    pub(super) zones: Vec<u64>,
    pub(super) variables: Vec<u64>,
    counts: Mutex<StepCounts>,
}

/// Why a ruleset could not be compiled for a hunt.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// The layers cannot be combined or read.
    Layers,
    /// Errors in the scripts.
    Scripts(Diagnostics),
}

/// The variants and settings of a case.
type Layers = (Vec<String>, Vec<String>);

/// The rulesets loaded and compiled so far.
#[derive(Default)]
pub struct CompiledCache {
    kept: MemoMap<(Layers, usize), Result<Arc<CompiledRules>, Refusal>>,
    rulesets: MemoMap<Layers, Result<Arc<Ruleset>, Diagnostics>>,
}

/// Mixes a text into a hash.
pub fn mix_text(seed: u64, text: &str) -> u64 {
    text.bytes().fold(seed, |mixed, byte| mix(mixed, u64::from(byte)))
}

impl CompiledCache {
    /// The combined ruleset of a case.
    ///
    /// # Errors
    /// The layers cannot be combined.
    pub fn ruleset(&self, library: &Library, case: &Case, game: &str) -> Result<Arc<Ruleset>, Diagnostics> {
        let key = (case.variants.clone(), case.set.clone());
        self.rulesets.get(key, || Ruleset::load(library, &case.selection(game)).map(Arc::new))
    }

    /// The compiled rules of a case.
    ///
    /// # Errors
    /// The rules cannot be combined or compiled.
    pub fn compiled(
        &self,
        library: &Library,
        case: &Case,
        game: &str,
        work: &Arc<Work>,
    ) -> Result<Arc<CompiledRules>, Refusal> {
        let ruleset = self.ruleset(library, case, game).map_err(|_| Refusal::Layers)?;
        let key = ((case.variants.clone(), case.set.clone()), case.players);
        self.kept.get(key, || {
            let playable = Playable::compile(ruleset, case.players, work.clone()).map_err(Refusal::Scripts)?;
            Ok(Arc::new(CompiledRules::new(playable)))
        })
    }

    /// Empties the cache if it is too large or `all` is set. Returns the coverage of its rules, and errors of functions
    /// for agents. Called only between rounds, so that the result does not depend on timing.
    pub fn evict(&self, all: bool) -> (Coverage, Vec<Diagnostic>) {
        let (mut coverage, mut faults) = (Coverage::default(), Vec::new());
        let Some(kept) = self.kept.take_beyond(if all { 0 } else { MAX_CACHED_RULES }) else {
            return (coverage, faults);
        };
        self.rulesets.take_beyond(0);
        for compiled in kept.into_iter().flatten() {
            let counts = compiled.counts.lock().unwrap_or_else(PoisonError::into_inner);
            coverage.merge(Coverage::of(&compiled.playable.rules, &counts));
            faults.extend(compiled.playable.rules.take_faults());
        }
        (coverage, faults)
    }
}

impl CompiledRules {
    pub(super) fn new(playable: Playable) -> Self {
        let rules = &playable.rules;
        let (code, ruleset) = (rules.code(), &playable.ruleset);
        let mut ways = Vec::new();
        for (function, info) in code.functions.iter().zip(rules.functions()) {
            let file = ruleset.scripts.get(info.script).map_or(0, |script| mix_text(0, &script.script.source.name));
            let before = ruleset.scripts.get(info.script).map_or(0, |script| script.lines_before);
            let mut last = (0, 0);
            for at in &function.points {
                // Steps at the same point are distinguished by their order.
                let point = mix(
                    mix(file, (usize::from(at.line) - before.min(usize::from(at.line))) as u64),
                    u64::from(at.column),
                );
                last = if last.0 == point { (point, last.1 + 1) } else { (point, 0) };
                ways.extend([mix(point, 2 * last.1), mix(point, 2 * last.1 + 1)]);
            }
        }
        let layout = &playable.layout;
        let zones = layout.zones.iter().map(|zone| mix(1, zone.definition as u64)).collect();
        let variables = layout.variables.iter().map(|variable| mix(2, variable.definition as u64)).collect();
        let has_invariant = host_function(INVARIANT).is_some_and(|asked| rules.place_of_host_function(asked).is_some());
        let counts = Mutex::new(StepCounts::new(rules));
        let keeps = layout.definition.variables.iter().any(|variable| variable.keeps);
        Self { playable, has_invariant, keeps, ways, zones, variables, counts }
    }

    /// Adds the counts of a game, and calls `tell` with each branch reached in it.
    pub(super) fn keep(&self, counts: &StepCounts, tell: &mut dyn FnMut(u64)) {
        counts.each_reached(|way| self.ways.get(way).copied().into_iter().for_each(&mut *tell));
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).add(counts);
    }
}
