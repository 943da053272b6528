//! Reduces a case that shows a fault to a minimal one.
//!
//! Variants, settings and players are removed one at a time until none can be. Stretches of choices are removed as in
//! Zeller and Hildebrandt, *Simplifying and Isolating Failure-Inducing Input* (2002), and the rest is simplified. Any
//! list of choices fits any rules, so each step only asks whether a smaller case shows the same fault. Between steps,
//! other seeds and tails are tried, as a much shorter game may show it too.

use super::case::{Case, Choice, Tail};
use crate::work::Workers;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// The most cases tried in a reduction.
const MAX_TRIALS_PER_REDUCTION: usize = 1_500;

/// The most decisions made in a reduction, which limits those of long games.
const MAX_DECISIONS_PER_REDUCTION: u64 = 4_000_000;

/// The number of candidates tried at once, to keep all threads busy. The first smaller one counts, so the result does
/// not depend on this number.
const CANDIDATES_PER_BATCH: usize = 16;

/// The number of other seeds and tails tried where fewer variants, settings or players alone no longer show the fault.
const OTHER_SEEDS: u64 = 16;

/// How a case reproduces a fault.
#[derive(Clone, Debug)]
pub struct Reproduction {
    /// The number of moves after which it occurs.
    pub moves: usize,
    /// The choices up to there and the tail after them, if they can replace the case's own tail.
    pub written: Option<(Vec<Choice>, Tail)>,
}

/// Tests whether a case reproduces the fault within a number of moves.
pub type ReproductionTest<'a> = dyn Fn(&Case, usize) -> Option<Reproduction> + Sync + 'a;

/// The case with the choices of its tail written out.
fn written(case: &Case, written: Option<(Vec<Choice>, Tail)>) -> Case {
    match written {
        Some((choices, tail)) => Case { choices, tail, ..case.clone() }.trimmed(),
        None => case.clone(),
    }
}

/// Simpler choices than this one.
fn simpler(choice: &Choice) -> Vec<Choice> {
    if choice.is_empty() {
        return Vec::new();
    }
    let mut simpler = vec![Choice::new()];
    simpler.extend((0..choice.len()).filter(|_| choice.len() > 1).map(|left_out| {
        let mut fewer = choice.clone();
        fewer.remove(left_out);
        fewer
    }));
    for (number, &position) in choice.iter().enumerate().filter(|(_, position)| **position > 0) {
        for nearer in [0, position / 2, position - 1] {
            let mut one = choice.clone();
            one[number] = nearer;
            simpler.push(one);
        }
    }
    simpler
}

/// A case being reduced.
pub struct Reduction<'a> {
    workers: &'a dyn Workers,
    shows: &'a ReproductionTest<'a>,
    /// The number of decisions made so far.
    spent: &'a AtomicU64,
    trials: usize,
    case: Case,
    moves: usize,
}

impl<'a> Reduction<'a> {
    /// Starts with the first case of `starts` that reproduces the fault; else with the case as found, which shows it
    /// after `moves` moves.
    pub fn new(
        workers: &'a dyn Workers,
        shows: &'a ReproductionTest<'a>,
        spent: &'a AtomicU64,
        (found, moves): (Case, usize),
        starts: Vec<Case>,
    ) -> Self {
        spent.store(0, Ordering::Relaxed);
        let mut reduction = Self { workers, shows, spent, trials: 0, case: found, moves };
        for start in starts {
            if let Some(shown) = shows(&start, usize::MAX) {
                (reduction.case, reduction.moves) = (written(&start, shown.written), shown.moves);
                break;
            }
        }
        reduction
    }

    /// The smallest case found, and the number of moves after which it shows the fault.
    pub fn reduced(mut self) -> (Case, usize) {
        loop {
            let before = self.case.size(self.moves);
            self.fewer_variants();
            self.fewer_settings();
            self.least(1..self.case.players, |players, case| Case { players, ..case });
            // Fewer campaign games before, down to none.
            self.least(0..self.case.before, |before, case| Case { before, ..case });
            self.other_games();
            self.fewer_choices();
            self.simpler_choices();
            self.smaller_numbers();
            if self.case.size(self.moves) >= before || self.is_spent() {
                return (self.case, self.moves);
            }
        }
    }

    /// Whether the budget is used up.
    fn is_spent(&self) -> bool {
        self.trials >= MAX_TRIALS_PER_REDUCTION || self.spent.load(Ordering::Relaxed) >= MAX_DECISIONS_PER_REDUCTION
    }

    /// Takes the first candidate that is smaller and reproduces the fault. Whether there was one.
    fn take(&mut self, candidates: Vec<Case>) -> bool {
        let size = self.case.size(self.moves);
        for together in candidates.chunks(CANDIDATES_PER_BATCH) {
            if self.is_spent() {
                return false;
            }
            self.trials += together.len();
            let (shows, most) = (self.shows, self.moves);
            let shown = self.workers.map(together, |case| Some(shows(case, most)));
            for (case, shown) in together.iter().zip(shown) {
                let Some(shown) = shown else { continue };
                let (moves, written) = (shown.moves, written(case, shown.written));
                if written.size(moves) < size {
                    (self.case, self.moves) = (written, moves);
                    return true;
                }
            }
        }
        false
    }

    /// A smaller case, and the same with other seeds and tails.
    fn with_other_seeds(case: &Case) -> Vec<Case> {
        let others =
            (1..=OTHER_SEEDS).map(|seed| Case { seed, choices: Vec::new(), tail: Tail::Random(seed), ..case.clone() });
        std::iter::once(case.clone()).chain(others).collect()
    }

    /// Takes smaller cases at each place, as long as there are some.
    fn at_each_place(&mut self, places: fn(&Case) -> usize, smaller: impl Fn(&Case, usize) -> Vec<Case>) {
        let mut place = 0;
        while place < places(&self.case) {
            if !self.take(smaller(&self.case, place)) {
                place += 1;
            }
        }
    }

    fn fewer_variants(&mut self) {
        self.at_each_place(
            |case| case.variants.len(),
            |case, place| {
                let mut fewer = case.clone();
                fewer.remove_variant(place);
                Self::with_other_seeds(&fewer)
            },
        );
    }

    fn fewer_settings(&mut self) {
        self.at_each_place(
            |case| case.set.len(),
            |case, place| {
                let mut fewer = case.clone();
                fewer.set.remove(place);
                Self::with_other_seeds(&fewer)
            },
        );
    }

    /// Reduces numbers in settings, as long as a game no longer than before shows the fault.
    fn smaller_numbers(&mut self) {
        self.at_each_place(
            |case| case.set.len(),
            |case, place| {
                let Some((name, number)) = Case::number_set(&case.set[place]) else { return Vec::new() };
                let smaller = [0, number / 2, number - number.signum()].into_iter().filter(|one| *one != number);
                let nearer = |smaller: i64| {
                    let mut nearer = case.clone();
                    nearer.set[place] = format!("{name}={smaller}");
                    Self::with_other_seeds(&nearer)
                };
                smaller.flat_map(nearer).collect()
            },
        );
    }

    /// Takes the first of these counts with which the fault still shows.
    fn least(&mut self, counts: Range<usize>, with: fn(usize, Case) -> Case) {
        for count in counts {
            if self.take(Self::with_other_seeds(&with(count, self.case.clone()))) {
                return;
            }
        }
    }

    /// Tries shorter games with other seeds and choices.
    fn other_games(&mut self) {
        let mut first = 1;
        while self.moves > 0 && first <= 4 * OTHER_SEEDS {
            let games = (first..first + OTHER_SEEDS).flat_map(|seed| {
                let random = Case { seed, choices: Vec::new(), tail: Tail::Random(seed), ..self.case.clone() };
                let simple = Case { choices: Vec::new(), tail: Tail::First, ..random.clone() };
                // The beginning unchanged, and random choices from there.
                let half = self.case.choices.len() / 2;
                let begun = Case { choices: self.case.choices[..half].to_vec(), ..random.clone() };
                let begun = Case { seed: self.case.seed, ..begun };
                [simple, random, begun]
            });
            if self.take(games.collect()) {
                first = 1;
            } else {
                first += OTHER_SEEDS;
            }
        }
    }

    /// Removes stretches of choices, long ones first.
    fn fewer_choices(&mut self) {
        let mut length = self.case.choices.len();
        while length > 0 {
            let mut found = false;
            // From the end, where a removal does not shift other choices.
            let mut end = self.case.choices.len();
            while end > 0 {
                let from = end.saturating_sub(length);
                let mut fewer = self.case.clone();
                fewer.choices.drain(from..end);
                // The stretch kept, but replaced by simplest choices.
                let mut simple = self.case.clone();
                simple.choices[from..end].iter_mut().for_each(Vec::clear);
                found |= self.take(vec![fewer, simple]);
                end = from.min(self.case.choices.len());
            }
            if !found || self.is_spent() {
                length /= 2;
            }
        }
    }

    /// Simplifies single choices: to the first options, or to lower positions.
    fn simpler_choices(&mut self) {
        self.at_each_place(
            |case| case.choices.len(),
            |case, place| {
                let with = |choice: Choice| {
                    let mut case = case.clone();
                    case.choices[place] = choice;
                    case
                };
                simpler(&case.choices[place]).into_iter().map(with).collect()
            },
        );
    }
}
