//! Confidence intervals for a number of games fixed in advance.

use super::special::{normal_quantile, t_quantile};
use super::{Level, Moments, Pairs};

/// An estimate with its confidence interval. An end is infinite where the games carry no information about it. No part
/// is ever NaN, and `low ≤ estimate ≤ high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The value found in these games.
    pub estimate: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// An interval without information beyond the estimate.
    pub(super) fn unbounded(estimate: f64) -> Self {
        Self { estimate, low: f64::NEG_INFINITY, high: f64::INFINITY }
    }

    pub(super) fn around(estimate: f64, half: f64) -> Self {
        Self { estimate, low: estimate - half, high: estimate + half }
    }

    /// Clamps the interval to the possible range. The estimate stays inside.
    pub(in crate::lab) fn within(self, least: f64, most: f64) -> Self {
        let low = self.low.clamp(least, most).min(self.estimate);
        Self { low, high: self.high.clamp(least, most).max(self.estimate), ..self }
    }

    /// Half of the distance between the ends; the precision.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Whether a value lies in the interval, ends included.
    pub fn covers(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Converts to another unit, by a factor above 0.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self { estimate: self.estimate * factor, low: self.low * factor, high: self.high * factor }
    }
}

/// A share of games: Wilson's score interval (Wilson 1927, JASA 22:209–212). `None` without a game.
///
/// An event that never happened can still happen: for 0 in 1000 the upper end is 0.0038, near the rule of three.
/// Successes beyond the number of games count as all of them.
pub fn share(successes: u64, games: u64, level: Level) -> Option<Interval> {
    (games > 0).then(|| wilson(successes.min(games) as f64 / games as f64, games as f64, level))
}

/// A share to which games contribute fractions, such as a shared win: the moments are of values from 0 to `whole`.
/// `None` without a game.
///
/// This is Wilson's interval too. A value between the ends varies less than 0 and 1 with the same mean, so it covers at
/// least as often.
pub fn fraction(moments: &Moments, whole: u64, level: Level) -> Option<Interval> {
    let mean = moments.mean()? / whole.max(1) as f64;
    Some(wilson(mean.clamp(0.0, 1.0), moments.count() as f64, level))
}

fn wilson(share: f64, games: f64, level: Level) -> Interval {
    let z = normal_quantile(level.miss / 2.0);
    let part = z * z / games;
    let center = (share + part / 2.0) / (1.0 + part);
    let half = z / (1.0 + part) * (share * (1.0 - share) / games + part / games / 4.0).sqrt();
    // At the ends the sum is exact only on paper.
    let low = if share == 0.0 { 0.0 } else { center - half };
    let high = if share == 1.0 { 1.0 } else { center + half };
    Interval { estimate: share, low, high }.within(0.0, 1.0)
}

/// The mean of a measure, by Student's t. `None` without a game; unbounded for a single one.
///
/// Where all values are equal, t would give an interval of width 0. Instead the half width is the largest share of
/// games in which the value can differ (by Wilson), times `unit`, the usual distance between two values (1 for a
/// count). Fewer than eight equal values leave more than a third of the games open: these are unbounded too.
pub fn mean(moments: &Moments, unit: f64, level: Level) -> Option<Interval> {
    let estimate = moments.mean()?;
    let half = standard_error(moments).and_then(|(error, freedom)| match error {
        0.0 => half_of_equal(moments, unit, level),
        error => Some(t_quantile(level.miss / 2.0, freedom) * error),
    });
    Some(half.map_or(Interval::unbounded(estimate), |half| Interval::around(estimate, half)))
}

/// The mean of the second measure minus that of the first, of independent games: Welch's t (Welch 1947, Biometrika
/// 34:28–35). `None` if one has no game. For `unit` see [`mean`].
///
/// For games of the same seeds, take the [`mean`] of their differences.
pub fn difference_of_means(first: &Moments, second: &Moments, unit: f64, level: Level) -> Option<Interval> {
    let estimate = second.mean()? - first.mean()?;
    let half = half_of_difference(first, second, unit, level);
    Some(half.map_or(Interval::unbounded(estimate), |half| Interval::around(estimate, half)))
}

fn half_of_difference(first: &Moments, second: &Moments, unit: f64, level: Level) -> Option<f64> {
    let ((e1, f1), (e2, f2)) = (standard_error(first)?, standard_error(second)?);
    let error = (e1 * e1 + e2 * e2).sqrt();
    if error == 0.0 {
        let (one, other) = (half_of_equal(first, unit, level)?, half_of_equal(second, unit, level)?);
        return Some((one * one + other * other).sqrt());
    }
    // This form cannot overflow.
    let (part1, part2) = ((e1 / error) * (e1 / error), (e2 / error) * (e2 / error));
    let freedom = 1.0 / (part1 * part1 / f1 + part2 * part2 / f2);
    Some(t_quantile(level.miss / 2.0, freedom.max(1.0)) * error)
}

/// The second share minus the first, of independent games. `None` if one has no game.
///
/// Newcombe 1998 (Statistics in Medicine 17:873–890), method 10: the distances to the ends of Wilson's intervals,
/// squared and added.
pub fn difference_of_shares(first: (u64, u64), second: (u64, u64), level: Level) -> Option<Interval> {
    let (one, other) = (share(first.0, first.1, level)?, share(second.0, second.1, level)?);
    let estimate = other.estimate - one.estimate;
    let both = |a: f64, b: f64| (a * a + b * b).sqrt();
    let low = estimate - both(other.estimate - other.low, one.high - one.estimate);
    let high = estimate + both(other.high - other.estimate, one.estimate - one.low);
    Some(Interval { estimate, low, high }.within(-1.0, 1.0))
}

/// The second share minus the first, of games with the same seeds. `None` without a pair.
///
/// Agresti & Min 2005 (Statistics in Medicine 24:729–740): half a pair more in each of the four cells, and then Wald's
/// interval. The estimate is that of the pairs as they are.
pub fn difference_of_paired_shares(pairs: &Pairs, level: Level) -> Option<Interval> {
    let count = pairs.count();
    let (first, second) = (pairs.only_first as f64, pairs.only_second as f64);
    let games = count as f64 + 2.0;
    let estimate = (second - first) / count as f64;
    let center = (second - first) / games;
    let spread = (first + second + 1.0) / games - center * center;
    let half = normal_quantile(level.miss / 2.0) * (spread / games).sqrt();
    let interval = Interval { estimate, low: center - half, high: center + half };
    (count > 0).then(|| interval.within(-1.0, 1.0))
}

/// The standard error of the mean, and its degrees of freedom. `None` for fewer than two values.
fn standard_error(moments: &Moments) -> Option<(f64, f64)> {
    let games = moments.count() as f64;
    Some(((moments.variance()? / games).sqrt(), games - 1.0))
}

/// The half width for equal values; `None` if there are too few to say anything.
fn half_of_equal(moments: &Moments, unit: f64, level: Level) -> Option<f64> {
    let open = wilson(0.0, moments.count() as f64, level).high;
    (open < 1.0 / 3.0).then_some(open * unit)
}
