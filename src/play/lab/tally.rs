//! What came of many games, added up.

use super::coverage::CallCounts;
use super::distribution::{Distribution, digits_of_list};
use super::measures::{Column, WHOLE_WIN, columns};
use super::occurrences::{Frequencies, Kind, Occurrences};
use super::order::{ByOrder, BySeat, by_place};
use super::play::{Ending, Game, Plan};
use super::statistics::{Interval, Moments};
use crate::diagnostic::Diagnostics;
use crate::table::value::{Seat, Seats};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Of the failures of one sort the seeds of so many are kept.
const SEEDS_KEPT: usize = 5;

/// Most sorts of failures that are told apart, and most measures of the rules' own.
const MOST_SORTS: usize = 200;

/// What came of many games.
///
/// All of it is whole numbers, so [adding](Self::add) the tallies of parts gives the tally of the whole, whatever the
/// parts and in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Games that were played.
    pub games: u64,
    /// Games that came to their end as the rules want it; all figures are of these.
    pub finished: u64,
    /// Games with more decisions or changes than a game may have.
    pub endless: u64,
    /// Games in which the rules failed.
    pub failed: u64,
    /// What each column gave, in parts of the scale of its measure; what the seats won comes first.
    pub columns: Vec<Distribution>,
    /// For two seats the product of what they won, added up over all games: row by row, for seats that won together.
    #[serde(with = "digits_of_list")]
    pub products: Vec<i128>,
    /// What the columns of the seats gave by the order of play.
    #[serde(default, skip_serializing_if = "ByOrder::is_unknown")]
    pub by_order: ByOrder,
    /// What the rules measured themselves: of each name the sums of the games in which there was one.
    pub metrics: BTreeMap<String, Distribution>,
    /// What happened, and how often.
    pub frequencies: Frequencies,
    /// What went wrong, by where in the rules that was.
    pub troubles: BTreeMap<String, Trouble>,
}

/// Games that went wrong in the same way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    /// What was said of the first of them.
    pub message: String,
    /// Whether they had no end, rather than that the rules failed.
    pub is_endless: bool,
    /// How many games.
    pub games: u64,
    /// The first few seeds of them, rising.
    pub seeds: Vec<u64>,
}

impl Tally {
    /// Nothing counted yet.
    pub fn new(columns: &[Column]) -> Self {
        let seats = seats_of(columns).count();
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
        for (distribution, value) in self.columns.iter_mut().zip(&game.values) {
            if let Some(value) = value {
                distribution.count(*value, 1);
            }
        }
        let wins: Vec<i128> =
            seats_of(columns).map(|place| game.values.get(place).copied().flatten().map_or(0, i128::from)).collect();
        let products = wins.iter().flat_map(|one| wins.iter().map(move |other| one * other));
        self.products.iter_mut().zip(products).for_each(|(sum, product)| *sum += product);
        for (name, value) in &game.metrics {
            self.metrics.entry(name.clone()).or_default().count(*value, 1);
        }
        keep_first(&mut self.metrics);
    }

    /// Counts what happened in the games, and how often.
    pub fn count_occurrences(&mut self, occurrences: Occurrences) {
        self.frequencies.add(&occurrences.into_frequencies());
    }

    /// Counts how often each function was called; also that it never was.
    pub fn count_calls(&mut self, plan: &Plan, calls: &CallCounts) {
        for (name, (times, games)) in plan.functions().iter().zip(calls.totals()) {
            if let Some(name) = name {
                self.frequencies.count_many(Kind::Function, name, times, games);
            }
        }
    }

    /// Counts what another has counted, of other games with the same columns.
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
            || message.clone(),
            |place| {
                let (line, column) = place.position();
                format!("{}:{line}:{column}", place.source.name)
            },
        );
        let trouble = Trouble { message, is_endless, games: 1, seeds: vec![seed] };
        self.troubles.entry(place).or_default().add(&trouble);
        keep_first(&mut self.troubles);
    }

    /// What was counted by seats.
    pub fn by_seat(&self) -> BySeat<'_> {
        BySeat { columns: &self.columns, products: &self.products }
    }

    /// What was counted by places in the order of play, as if they were seats; nothing where nobody noted the order.
    pub fn by_place(&self) -> Option<(Vec<Distribution>, Vec<i128>)> {
        self.by_order.by_place(&columns_of(&self.products), self.by_seat())
    }
}

/// The columns of a game with as many seats as there are rows of products.
fn columns_of(products: &[i128]) -> Vec<Column> {
    columns(Seats::all(products.len().isqrt()))
}

impl BySeat<'_> {
    /// How much more of the games one seat wins than another, from -1 to 1, with the interval that `of` gives for moments
    /// and the usual distance between two values.
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

    /// What two seats won, multiplied and added up over all games, in squares of a whole win.
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
        self.seeds.sort_unstable();
        self.seeds.truncate(SEEDS_KEPT);
    }
}

/// Keeps what comes first by name, of more than there is room for. What is among the first of the whole is among the
/// first of every part of it, so the order of adding changes nothing.
pub(super) fn keep_first<T>(named: &mut BTreeMap<String, T>) {
    while named.len() > MOST_SORTS {
        named.pop_last();
    }
}

/// The places of the columns that tell what each seat won.
fn seats_of(columns: &[Column]) -> impl Iterator<Item = usize> {
    let is_win = |(_, column): &(usize, &Column)| column.measure.scale == WHOLE_WIN;
    columns.iter().enumerate().filter(is_win).map(|(place, _)| place)
}
