//! Medians and other quantiles, from the count of each value.

use super::special::binomial_at_most;
use super::{Interval, Level};

/// A quantile of a measure (0.5 is the median), with an interval between two of the values that occurred. `counts` are
/// in rising order of the values. `None` without a game.
///
/// The number of values below the true quantile is binomial for any distribution, so the interval covers at least as
/// often as promised (David & Nagaraja, Order Statistics, 3rd ed., §7.1). An end is infinite where there are too few
/// games for it. The estimate is the smallest value with at least that share of the games at or below it.
pub fn quantile(counts: &[(i64, u64)], quantile: f64, level: Level) -> Option<Interval> {
    let games = counts.iter().fold(0u64, |games, (_, count)| games.saturating_add(*count));
    if games == 0 {
        return None;
    }
    let quantile = quantile.clamp(0.0, 1.0);
    let tail = level.miss / 2.0;
    // The numbers of values below the quantile at both tails of that probability.
    let below = least(games, |count| binomial_at_most(count, games, quantile) > tail);
    let above = least(games, |count| binomial_at_most(count, games, quantile) >= 1.0 - tail);
    let rank = ((quantile * games as f64).ceil() as u64).clamp(1, games);
    let estimate = ranked(counts, rank)?;
    let low = if below == 0 { f64::NEG_INFINITY } else { ranked(counts, below)? };
    let high = if above >= games { f64::INFINITY } else { ranked(counts, above + 1)? };
    Some(Interval { estimate, low, high })
}

/// The value at a rank, from 1, in rising order.
fn ranked(counts: &[(i64, u64)], rank: u64) -> Option<f64> {
    let mut before = 0u64;
    let found = counts.iter().find(|(_, count)| {
        before = before.saturating_add(*count);
        before >= rank
    });
    found.map(|(value, _)| *value as f64)
}

/// The smallest count for which a monotonic condition holds; `most` if it holds for none.
fn least(most: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut from, mut to) = (0, most);
    while from < to {
        let middle = from + (to - from) / 2;
        if holds(middle) {
            to = middle;
        } else {
            from = middle + 1;
        }
    }
    from
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn ends(interval: Interval) -> (f64, f64, f64) {
        (interval.low, interval.estimate, interval.high)
    }

    #[test]
    fn ranks_are_those_of_the_tables() {
        // The usual table for the median: for 10 games the 2nd and the 9th, for 25 the 8th and the 18th, for 100 the
        // 40th and 61st.
        for (games, low, middle, high) in [(10, 2.0, 5.0, 9.0), (25, 8.0, 13.0, 18.0), (100, 40.0, 50.0, 61.0)] {
            let counts: Vec<(i64, u64)> = (1..=games).map(|value| (value, 1)).collect();
            assert_eq!(ends(quantile(&counts, 0.5, Level::default()).unwrap()), (low, middle, high));
        }
        // Five games say nothing about either side at 95 %: 2 × 2⁻⁵ is more than 5 %.
        let few: Vec<(i64, u64)> = (1..=5).map(|value| (value, 1)).collect();
        assert_eq!(ends(quantile(&few, 0.5, Level::default()).unwrap()), (f64::NEG_INFINITY, 3.0, f64::INFINITY));
        assert_eq!(quantile(&[], 0.5, Level::default()), None);
        assert_eq!(quantile(&[(3, 0)], 0.5, Level::default()), None);
    }

    #[test]
    fn a_thousand_million_games_are_no_trouble() {
        let counts = [(1, 400_000_000), (2, 99_990_000), (3, 20_000), (4, 499_990_000)];
        assert_eq!(ends(quantile(&counts, 0.5, Level::default()).unwrap()), (2.0, 3.0, 4.0));
        assert_eq!(ends(quantile(&counts, 0.9, Level::default()).unwrap()), (4.0, 4.0, 4.0));
    }
}
