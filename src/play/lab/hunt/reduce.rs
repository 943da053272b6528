//! A case that shows something is made as small as it gets.
//!
//! Variants, settings and players are left out one at a time until none can be; of the choices stretches are left out as in
//! Zeller and Hildebrandt, *Simplifying and Isolating Failure-Inducing Input* (2002), and what is left is made simpler.
//! Since a list of choices fits any rules, each step is only: does a smaller case show the same? Between the steps other
//! seeds and endings are tried, for a much shorter game may show it too.

use super::case::{Case, Choice, Tail};
use crate::work::Workers;
use std::sync::atomic::{AtomicU64, Ordering};

/// Most cases that are tried to make one smaller.
const MOST_TRIALS: usize = 1_500;

/// Most decisions that are made to make one smaller, in long games.
const MOST_DECISIONS: u64 = 4_000_000;

/// Candidates that are tried at the same time, to keep all threads busy. The first that is smaller counts, so the
/// result does not depend on how many there are.
const TOGETHER: usize = 16;

/// Other seeds and endings that are tried if fewer variants, settings or players alone no longer show it.
const OTHERS: u64 = 16;

/// That a case shows what it is to show.
#[derive(Clone, Debug)]
pub struct Reproduction {
    /// After how many moves.
    pub moves: usize,
    /// The choices up to there, where they can take the place of what was chosen on the way, and who chooses then.
    pub written: Option<(Vec<Choice>, Tail)>,
}

/// Whether a case shows what it is to show, within so many moves.
pub type Reproduces<'a> = dyn Fn(&Case, usize) -> Option<Reproduction> + Sync + 'a;

/// The case with what its ending chose written out.
fn written(case: &Case, written: Option<(Vec<Choice>, Tail)>) -> Case {
    match written {
        Some((choices, tail)) => Case { choices, tail, ..case.clone() }.trimmed(),
        None => case.clone(),
    }
}

/// A case that shows something, on its way to a smaller one.
pub struct Reduction<'a> {
    workers: &'a dyn Workers,
    shows: &'a Reproduces<'a>,
    /// How many decisions were made so far.
    spent: &'a AtomicU64,
    trials: usize,
    case: Case,
    moves: usize,
}

impl<'a> Reduction<'a> {
    /// Begins with the first of some cases that shows it; where none does, with one as it was found, which shows it after so
    /// many moves.
    pub fn new(
        workers: &'a dyn Workers,
        shows: &'a Reproduces<'a>,
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

    /// The smallest case that was found, and after how many moves it shows it.
    pub fn reduced(mut self) -> (Case, usize) {
        loop {
            let before = self.case.size(self.moves);
            self.fewer_variants();
            self.fewer_settings();
            self.fewer_players();
            self.fewer_before();
            self.other_games();
            self.fewer_choices();
            self.simpler_choices();
            self.smaller_numbers();
            if self.case.size(self.moves) >= before || self.is_spent() {
                return (self.case, self.moves);
            }
        }
    }

    /// Whether enough was tried.
    fn is_spent(&self) -> bool {
        self.trials >= MOST_TRIALS || self.spent.load(Ordering::Relaxed) >= MOST_DECISIONS
    }

    /// Takes the first of some cases that shows it and is smaller.
    fn take(&mut self, candidates: Vec<Case>) -> bool {
        let size = self.case.size(self.moves);
        for together in candidates.chunks(TOGETHER) {
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

    /// A case with fewer of something, and the same with other seeds and endings.
    fn or_others(case: &Case) -> Vec<Case> {
        let others =
            (1..=OTHERS).map(|seed| Case { seed, choices: Vec::new(), tail: Tail::Random(seed), ..case.clone() });
        std::iter::once(case.clone()).chain(others).collect()
    }

    fn fewer_variants(&mut self) {
        let mut place = 0;
        while place < self.case.variants.len() {
            let mut fewer = self.case.clone();
            let gone = fewer.variants.remove(place);
            // What was set of it goes with it.
            fewer.set.retain(|set| !set.starts_with(&format!("{gone}.")));
            if !self.take(Self::or_others(&fewer)) {
                place += 1;
            }
        }
    }

    fn fewer_settings(&mut self) {
        let mut place = 0;
        while place < self.case.set.len() {
            let mut fewer = self.case.clone();
            fewer.set.remove(place);
            if !self.take(Self::or_others(&fewer)) {
                place += 1;
            }
        }
    }

    /// Makes numbers that are set smaller, as far as a game as short shows it.
    fn smaller_numbers(&mut self) {
        let mut place = 0;
        while place < self.case.set.len() {
            let mut nearer = Vec::new();
            if let Some((name, number)) = Case::number_set(&self.case.set[place]) {
                for smaller in
                    [0, number / 2, number - number.signum()].into_iter().filter(|smaller| *smaller != number)
                {
                    let mut case = self.case.clone();
                    case.set[place] = format!("{name}={smaller}");
                    nearer.extend(Self::or_others(&case));
                }
            }
            if !self.take(nearer) {
                place += 1;
            }
        }
    }

    fn fewer_players(&mut self) {
        for players in 1..self.case.players {
            if self.take(Self::or_others(&Case { players, ..self.case.clone() })) {
                return;
            }
        }
    }

    /// Earlier games of a campaign, and the first if possible.
    fn fewer_before(&mut self) {
        for before in 0..self.case.before {
            if self.take(Self::or_others(&Case { before, ..self.case.clone() })) {
                return;
            }
        }
    }

    /// Shorter games with other chance and other choices.
    fn other_games(&mut self) {
        let mut first = 1;
        while self.moves > 0 && first <= 4 * OTHERS {
            let games = (first..first + OTHERS).flat_map(|seed| {
                let random = Case { seed, choices: Vec::new(), tail: Tail::Random(seed), ..self.case.clone() };
                let simple = Case { choices: Vec::new(), tail: Tail::First, ..random.clone() };
                // The beginning as it is, and from there at random.
                let half = self.case.choices.len() / 2;
                let begun = Case { choices: self.case.choices[..half].to_vec(), ..random.clone() };
                let begun = Case { seed: self.case.seed, ..begun };
                [simple, random, begun]
            });
            if self.take(games.collect()) {
                first = 1;
            } else {
                first += OTHERS;
            }
        }
    }

    /// Leaves out stretches of choices, long ones first.
    fn fewer_choices(&mut self) {
        let mut length = self.case.choices.len();
        while length > 0 {
            let mut found = false;
            // From the end, where what is left out moves nothing else.
            let mut end = self.case.choices.len();
            while end > 0 {
                let from = end.saturating_sub(length);
                let mut fewer = self.case.clone();
                fewer.choices.drain(from..end);
                // The same choices at their places, but made simplest.
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

    /// Makes single choices simpler: the first options, or positions nearer to them.
    fn simpler_choices(&mut self) {
        let mut place = 0;
        while place < self.case.choices.len() {
            let choice = &self.case.choices[place];
            let mut simpler: Vec<Choice> = Vec::new();
            if !choice.is_empty() {
                simpler.push(Vec::new());
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
            }
            let with = |choice: Choice| {
                let mut case = self.case.clone();
                case.choices[place] = choice;
                case
            };
            if !self.take(simpler.into_iter().map(with).collect()) {
                place += 1;
            }
        }
    }
}
