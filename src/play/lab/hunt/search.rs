//! The state of a hunt: what was reached, and the faults found.

use super::case::{Case, Choice};
use super::compiled::Refusal;
use super::fairness::WinCounts;
use super::generate::{Corpus, Task};
use super::play::{Fault, place_of};
use super::trial::TrialResult;
use super::{Find, FindKind, HuntContext, HuntReport};
use crate::diagnostic::Diagnostic;
use crate::lab::coverage::Coverage;
use crate::sorted::{SortedMap, SortedSet, sort_by_key};
use crate::work::Workers;
use std::collections::BTreeSet;

/// The most faults of one kind that are reduced; further ones are counted.
const MAX_REDUCED_FAULTS_PER_KIND: usize = 12;

/// The state of a hunt.
#[derive(Default)]
pub(super) struct Search {
    pub(super) corpus: Corpus,
    /// What games reached, by hashes: of hundreds of thousands of games, in any order.
    pub(super) seen: BTreeSet<u64>,
    pub(super) longest_ended: usize,
    /// The number of decisions in all games.
    pub(super) decisions: u64,
    pub(super) rules: SortedSet<(Vec<String>, Vec<String>, usize)>,
    pub(super) pairs: SortedSet<(String, String)>,
    pub(super) found: SortedMap<(FindKind, String), KnownFault>,
    /// The faults new in this round, in order.
    pub(super) new: Vec<(FindKind, String)>,
    pub(super) fair: SortedMap<(usize, Vec<String>, usize), WinCounts>,
    /// Errors of functions for agents, by place.
    pub(super) asked: SortedMap<String, Diagnostic>,
    pub(super) report: HuntReport,
}

/// A fault as it first occurred.
pub(super) struct KnownFault {
    pub(super) fault: Fault,
    pub(super) case: Case,
    pub(super) moves: usize,
    pub(super) choices: Vec<Choice>,
    pub(super) times: u64,
    pub(super) find: Option<Find>,
    /// Whether the rules deliberately refused a setting, which is no fault.
    pub(super) is_refusal: bool,
}

impl Search {
    pub(super) fn add(&mut self, task: &Task, tried: TrialResult, number: u64) {
        let TrialResult { case, refusal, fault, moves, mut choices, progress, reached, outcome, leak, is_cut } = tried;
        match refusal {
            Some(Refusal::Layers) => {
                self.report.refused += 1;
                return;
            }
            Some(Refusal::Scripts(diagnostics)) => {
                let fault = Fault { kind: FindKind::Rules, key: place_of(&diagnostics), diagnostics };
                self.note(fault, &case, 0, &[]);
                return;
            }
            None => {}
        }
        self.report.games += 1;
        self.decisions += moves as u64;
        if fault.is_none() && !is_cut {
            self.longest_ended = self.longest_ended.max(moves);
        }
        self.rules.insert((case.variants.clone(), case.set.clone(), case.players));
        for (place, one) in case.variants.iter().enumerate() {
            for other in &case.variants[place + 1..] {
                self.pairs.insert((one.min(other).clone(), one.max(other).clone()));
            }
        }
        let before = self.seen.len();
        self.seen.extend(reached);
        if let (true, Some(outcome)) = (task.is_plain, outcome) {
            let key = (case.variants.len(), case.variants.clone(), case.players);
            self.fair.entry(key).or_default().add(case.players, &outcome);
        }
        if let Some(fault) = fault {
            self.note(fault, &case, progress, &choices);
        }
        choices.truncate(progress);
        if let Some((fault, case, moves)) = leak {
            self.note(fault, &case, moves, &[]);
        }
        if self.seen.len() > before {
            self.corpus.keep(case, choices, number);
        }
    }

    /// Merges the coverage and errors of rules removed from the cache.
    pub(super) fn keep(&mut self, (coverage, faults): (Coverage, Vec<Diagnostic>)) {
        self.report.coverage.merge(coverage);
        for fault in faults {
            self.asked.entry(place_of(&fault.clone().into())).or_insert(fault);
        }
    }

    pub(super) fn report_agent_function_errors(&mut self) {
        for diagnostic in std::mem::take(&mut self.asked).into_values() {
            self.report.finds.push(Find::of(FindKind::AgentFunction, diagnostic.into(), 0, None));
        }
    }

    fn note(&mut self, fault: Fault, case: &Case, moves: usize, choices: &[Choice]) {
        let key = (fault.kind, fault.key.clone());
        if let Some(known) = self.found.get_mut(&key) {
            known.times += 1;
            return;
        }
        self.new.push(key.clone());
        let (case, choices) = (case.clone(), choices.to_vec());
        let known = KnownFault { fault, case, moves, choices, times: 1, find: None, is_refusal: false };
        self.found.insert(key, known);
    }

    /// Reduces the new faults.
    pub(super) fn reduce(&mut self, workers: &dyn Workers, ground: &HuntContext<'_>) {
        for key in std::mem::take(&mut self.new) {
            let of_kind = self.found.range_from(&(key.0, String::new())).take_while(|(other, _)| other.0 == key.0);
            let done = of_kind.filter(|(_, known)| known.find.is_some()).count();
            let Some(known) = self.found.get_mut(&key).filter(|_| done < MAX_REDUCED_FAULTS_PER_KIND) else { continue };
            let find = match known.fault.kind {
                FindKind::Rules => ground.fewest_rules(known),
                _ => ground.reduced(workers, known),
            };
            // Only the smallest case shows that rules merely refused a setting.
            let smallest = find.case.as_ref().filter(|_| known.fault.kind == FindKind::Error);
            known.is_refusal = smallest.is_some_and(|(case, moves)| ground.refuses(case, *moves, &find.diagnostics));
            known.find = Some(find);
        }
    }

    pub(super) fn told(mut self) -> HuntReport {
        let mut finds: Vec<Find> = Vec::new();
        for known in self.found.into_values() {
            if known.is_refusal {
                // They were counted as games before this was known.
                self.report.refused += known.times;
                self.report.games = self.report.games.saturating_sub(known.times);
                continue;
            }
            let find = match known.find {
                Some(find) => Find { times: known.times, ..find },
                None if finds.iter().filter(|find| find.kind == known.fault.kind).count()
                    >= MAX_REDUCED_FAULTS_PER_KIND =>
                {
                    self.report.more += 1;
                    continue;
                }
                None => {
                    Find::of(known.fault.kind, known.fault.diagnostics, known.times, Some((known.case, known.moves)))
                }
            };
            // Faults with the same smallest case are one.
            match finds
                .iter_mut()
                .find(|other| other.kind == find.kind && other.case == find.case && find.case.is_some())
            {
                Some(same) => same.times += find.times,
                None => finds.push(find),
            }
        }
        finds.append(&mut self.report.finds);
        sort_by_key(&mut finds, |find| find.kind);
        self.report.finds = finds;
        self.report.rulesets = self.rules.len();
        self.report.situations = self.seen.len();
        self.report
    }
}
