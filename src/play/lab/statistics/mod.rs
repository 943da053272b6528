//! Statistical inference from a number of games: estimates with intervals, and what a difference shows.
//!
//! Everything here is a pure function of counts and sums, so neither the order of the games nor how they were shared
//! out among threads and machines changes a digit. Transcendental functions are those of a crate, not of the platform:
//! an interval is the same, bit for bit, wherever it is computed.
//!
//! There are two kinds of interval. A *confidence interval* ([`interval`]) covers the truth in 95 of 100 runs if you
//! look at it once, after a number of games that was set beforehand. A *confidence sequence* ([`sequence`]) covers it
//! at every number of games at once in 95 of 100 runs, so you may look after each game and stop when you like; that
//! makes it wider.
//!
//! No interval holds for the mean of every distribution without bounds (Bahadur & Savage 1956, Annals of Mathematical
//! Statistics 27:1115–1122): some game that nobody has seen can decide it. So [`estimate`](estimate::estimate) looks
//! whether enough games make a mean, and says so where they do not.

pub mod estimate;
pub mod interval;
pub mod moments;
pub mod quantile;
pub mod sequence;
pub mod special;
pub mod verdict;
mod wide;

pub use estimate::{Estimate, FewGames};
pub use interval::Interval;
pub use moments::Moments;
pub use verdict::Verdict;

/// The confidence level of an interval; 95 % by default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The largest share of runs in which the interval may miss.
    miss: f64,
}

/// The number of pairs of games by outcome, where each seed was played under two rulesets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// The number of seeds with success under both rulesets.
    pub both: u64,
    /// The number of seeds with success under the first alone.
    pub only_first: u64,
    /// The number of seeds with success under the second alone.
    pub only_second: u64,
    /// The number of seeds without success under either.
    pub neither: u64,
}

impl Level {
    /// The usual level.
    pub const NINETY_FIVE: Self = Self { miss: 0.05 };

    /// A level such as 0.99. `None` unless it is at least 0.5 and sufficiently below 1.
    pub fn of(covers: f64) -> Option<Self> {
        let miss = 1.0 - covers;
        (1e-9..=0.5).contains(&miss).then_some(Self { miss })
    }

    /// The level that each of several intervals needs, for all to cover at once (Bonferroni).
    pub fn shared_by(self, intervals: u64) -> Self {
        Self { miss: (self.miss / intervals.max(1) as f64).max(1e-15) }
    }

    /// The share of runs in which an interval of this level covers the truth, such as 0.95.
    pub fn covers(self) -> f64 {
        1.0 - self.miss
    }
}

impl Default for Level {
    fn default() -> Self {
        Self::NINETY_FIVE
    }
}

impl Pairs {
    /// Counts one seed.
    pub fn record(&mut self, first: bool, second: bool) {
        let cell = match (first, second) {
            (true, true) => &mut self.both,
            (true, false) => &mut self.only_first,
            (false, true) => &mut self.only_second,
            (false, false) => &mut self.neither,
        };
        *cell = cell.saturating_add(1);
    }

    /// The number of seeds counted.
    pub fn count(&self) -> u64 {
        let differing = self.only_first.saturating_add(self.only_second);
        self.both.saturating_add(self.neither).saturating_add(differing)
    }
}

impl std::ops::AddAssign for Pairs {
    fn add_assign(&mut self, other: Self) {
        self.both = self.both.saturating_add(other.both);
        self.only_first = self.only_first.saturating_add(other.only_first);
        self.only_second = self.only_second.saturating_add(other.only_second);
        self.neither = self.neither.saturating_add(other.neither);
    }
}

#[cfg(test)]
mod coverage;
