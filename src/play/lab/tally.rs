//! The summed results of many games.

use super::coverage::CallCounts;
use super::distribution::{Distribution, digits_of_list};
use super::measures::{Column, WHOLE_WIN, columns};
use super::occurrences::{Frequencies, Kind, Occurrences};
use super::order::{ByOrder, BySeat, by_place, count_row};
use super::play::{Ending, Game, Plan};
use super::statistics::{Interval, Moments};
use crate::diagnostic::{Diagnostics, Message};
use crate::sorted::{SortedMap, sort_by};
use crate::table::value::{Seat, Seats};
use serde::{Deserialize, Serialize};

/// The number of seeds kept for each kind of failure.
const MAX_SEEDS_PER_FAILURE: usize = 5;

/// The most distinct failures, and the most metrics.
const MAX_FAILURES_AND_METRICS: usize = 200;

/// The summed results of many games.
///
/// All values are whole numbers, so [adding](Self::add) the tallies of parts gives the tally of the whole, for any
/// partition and in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// The number of games played.
    pub games: u64,
    /// The number of games ended by the rules; figures are of these.
    pub finished: u64,
    /// The number of games beyond the limit of decisions or changes.
    pub endless: u64,
    /// The number of games in which the rules failed.
    pub failed: u64,
    /// The distribution of each column in units of 1/scale of its measure; the wins of the seats come first.
    pub columns: Vec<Distribution>,
    /// For each pair of seats, the product of their wins, summed over all games, row by row; for the covariance of
    /// shared wins.
    #[serde(with = "digits_of_list")]
    pub products: Vec<i128>,
    /// The columns of the seats by the order of play.
    #[serde(default, skip_serializing_if = "ByOrder::is_unknown")]
    pub by_order: ByOrder,
    /// For each metric of the rules, the distribution of its sums in the games that recorded it.
    pub metrics: SortedMap<String, Distribution>,
    /// Counts of what happened.
    pub frequencies: Frequencies,
    /// Failures, by the place in the rules.
    pub troubles: SortedMap<String, Trouble>,
}

/// Games that failed in the same way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    /// The message of the first of them.
    pub message: Message,
    /// Whether the games did not end, rather than the rules failing.
    pub is_endless: bool,
    /// The number of games.
    pub games: u64,
    /// The smallest seeds of these games, rising.
    pub seeds: Vec<u64>,
}

impl Tally {
    /// An empty tally.
    pub fn new(columns: &[Column]) -> Self {
        let seats = columns.iter().filter(|column| column.measure.scale == WHOLE_WIN).count();
        Self {
            columns: vec![Distribution::default(); columns.len()],
            products: vec![0; seats * seats],
            by_order: ByOrder::new(),
            ..Self::default()
        }
    }

    pub fn count(&mut self, columns: &[Column], game: &Game) {
        self.games += 1;
        match &game.ending {
            Ending::Finished => self.finished += 1,
            Ending::Failed(why) => {
                self.failed += 1;
                self.trouble(game.seed, why, false);
            }
            Ending::Endless(why) => {
                self.endless += 1;
                self.trouble(game.seed, why, true);
            }
        }
        if game.ending != Ending::Finished {
            return;
        }
        let before = BySeat { columns: &self.columns, products: &self.products };
        let by_place = || by_place(columns, &game.values, &game.order);
        self.by_order.count(columns, before, Some(&game.order), by_place);
        count_row(columns, &game.values, &mut self.columns, &mut self.products);
        for (name, value) in &game.metrics {
            self.metrics.entry(name.clone()).or_default().count(*value, 1);
        }
        keep_first(&mut self.metrics);
    }

    /// Adds the counts of what happened in the games.
    pub fn count_occurrences(&mut self, occurrences: Occurrences) {
        self.frequencies.add(&occurrences.into_frequencies());
    }

    /// Adds the number of calls of each function, including 0.
    pub fn count_calls(&mut self, plan: &Plan, calls: &CallCounts) {
        for (name, (times, games)) in plan.functions().iter().zip(calls.totals()) {
            if let Some(name) = name {
                self.frequencies.count_many(Kind::Function, name, times, games);
            }
        }
    }

    /// Adds the tally of other games with the same columns.
    pub fn add(&mut self, other: &Self) {
        let own = BySeat { columns: &self.columns, products: &self.products };
        self.by_order.add(&columns_of(&self.products), own, &other.by_order, other.by_seat());
        self.games += other.games;
        self.finished += other.finished;
        self.endless += other.endless;
        self.failed += other.failed;
        self.columns.iter_mut().zip(&other.columns).for_each(|(own, others)| own.add(others));
        self.products.iter_mut().zip(&other.products).for_each(|(own, others)| *own += others);
        for (name, distribution) in &other.metrics {
            self.metrics.entry(name.clone()).or_default().add(distribution);
        }
        keep_first(&mut self.metrics);
        self.frequencies.add(&other.frequencies);
        for (place, trouble) in &other.troubles {
            self.troubles.entry(place.clone()).or_default().add(trouble);
        }
        keep_first(&mut self.troubles);
    }

    fn trouble(&mut self, seed: u64, why: &Diagnostics, is_endless: bool) {
        let first = why.first();
        let message = first.message.clone();
        let place = first.place.as_ref().map_or_else(
            || message.to_string(),
            |place| {
                let (line, column) = place.position();
                format!("{}:{line}:{column}", place.source.name)
            },
        );
        let trouble = Trouble { message, is_endless, games: 1, seeds: vec![seed] };
        self.troubles.entry(place).or_default().add(&trouble);
        keep_first(&mut self.troubles);
    }

    /// The counts by seat.
    pub fn by_seat(&self) -> BySeat<'_> {
        BySeat { columns: &self.columns, products: &self.products }
    }

    /// The counts by the place in the order of play; `None` where the order was not recorded.
    pub fn by_place(&self) -> Option<(Vec<Distribution>, Vec<i128>)> {
        self.by_order.by_place(&columns_of(&self.products), self.by_seat())
    }
}

/// The columns of a game with as many seats as `products` has rows.
fn columns_of(products: &[i128]) -> Vec<Column> {
    columns(Seats::all(products.len().isqrt()))
}

impl BySeat<'_> {
    /// The share of wins of one seat minus that of another, from -1 to 1, with the interval that `of` computes from
    /// moments and the usual distance between two values.
    pub fn win_difference(
        self,
        one: Seat,
        other: Seat,
        of: impl Fn(&Moments, f64) -> Option<Interval>,
    ) -> Option<Interval> {
        let wins = |seat: Seat| self.columns.get(seat.index()).map(Distribution::moments);
        let squares = self.product(one, one) + self.product(other, other) - 2 * self.product(one, other);
        let parts = (wins(one)?.count(), wins(one)?.sum() - wins(other)?.sum(), 0, u128::try_from(squares).ok()?);
        let found = of(&Moments::from_parts(parts)?, WHOLE_WIN as f64)?;
        let found = found.times(1.0 / WHOLE_WIN as f64);
        Some(Interval { low: found.low.max(-1.0), high: found.high.min(1.0), ..found })
    }

    /// The product of two seats' wins, summed over all games, in squares of a whole win.
    fn product(self, one: Seat, other: Seat) -> i128 {
        let seats = self.products.len().isqrt();
        self.products.get(one.index() * seats + other.index()).copied().unwrap_or(0)
    }
}

impl Trouble {
    fn add(&mut self, other: &Self) {
        let is_earlier = match (self.seeds.first(), other.seeds.first()) {
            (Some(own), Some(others)) => others < own,
            _ => true,
        };
        if is_earlier {
            self.message.clone_from(&other.message);
            self.is_endless = other.is_endless;
        }
        self.games += other.games;
        self.seeds.extend(&other.seeds);
        sort_by(&mut self.seeds, Ord::cmp);
        self.seeds.truncate(MAX_SEEDS_PER_FAILURE);
    }
}

/// Drops the last names in order where there are too many. The first names of the whole are among the first of each
/// part, so the order of adding does not matter.
pub(super) fn keep_first<T>(named: &mut SortedMap<String, T>) {
    while named.len() > MAX_FAILURES_AND_METRICS {
        named.pop_last();
    }
}
