//! The mean of a measure with unknown distribution, and whether there are enough games to estimate it.
//!
//! Student's t covers the truth if the sum of the games is approximately normal. If one game in a thousand decides the
//! mean, a hundred games without such a game lie close together at a wrong place, and t is overconfident. The skewness
//! of the games reveals that in time, unless nothing of the tail has been seen at all.

use super::{Interval, Level, Moments, interval, quantile, sequence};
use crate::definition::Bounds;
use crate::sorted::sort_by;

/// The fewest games for a mean without bounds; with fewer, a rare kind of game that decides it may be missing.
pub const MIN_GAMES: u64 = 14;

/// The largest skewness, relative to the largest possible with n games, at which a fixed-sample interval is given.
///
/// Cochran (Sampling Techniques, 3rd ed. 1977, §2.15) asks for n > 25 γ² games, so that t misses in less than 6 %. Here
/// it is n > 16 γ²: the share of runs with a wrong interval stays below 7 % in the tests of this folder, and moderately
/// skewed measures, such as an exponential one, need some 60 games. A game that differs from all others in the same way
/// has to come up about 16 times.
const MAX_SKEW: f64 = 1.0 / 16.0;

/// The largest skewness for anytime-valid intervals, where each look is another chance to be too early: n > 25 γ².
const MAX_SKEW_ANYTIME: f64 = 1.0 / 25.0;

/// The trimmed mean drops one in this many games at each end.
const GAMES_PER_TRIMMED_GAME: u64 = 10;

/// A mean with its intervals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The interval for a number of games fixed in advance.
    pub once: Interval,
    /// The anytime-valid interval.
    pub anytime: Interval,
    /// What can be said instead, where few games decide the mean. The intervals then follow from the bounds alone.
    pub few: Option<FewGames>,
}

/// Statistics for a measure whose mean is decided by few games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FewGames {
    /// The number of games, farthest from the mean, that make half of the sum of squares.
    pub games: u64,
    pub median: Interval,
    /// The trimmed mean: without the lowest and the highest tenth of the games. It describes these games only.
    pub middle: f64,
}

impl Estimate {
    /// Converts to another unit, by a factor above 0.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        let few = self.few.map(|few| FewGames { median: few.median.times(factor), middle: few.middle * factor, ..few });
        Self { once: self.once.times(factor), anytime: self.anytime.times(factor), few }
    }

    /// An estimate from intervals that are known to hold.
    pub fn plain((once, anytime): (Interval, Interval)) -> Self {
        Self { once, anytime, few: None }
    }
}

/// The mean of a measure, from the count of each value, in rising order, and the exact moments. For `unit` see
/// [`interval::mean`]. `None` without a game.
///
/// With enough games for their skew it is Student's t, and the sequential t. Otherwise it is the interval that the bounds
/// alone give ([`sequence::bounded`]); without bounds nothing is claimed.
pub fn estimate(counts: &[(i64, u64)], moments: &Moments, unit: f64, bounds: Bounds, level: Level) -> Option<Estimate> {
    let mean = moments.mean()?;
    let skew = skew(counts);
    let are_enough = moments.count() >= MIN_GAMES;
    let is_sure = are_enough && skew <= MAX_SKEW;
    let is_sure_anytime = moments.count() >= sequence::MIN_GAMES && skew <= MAX_SKEW_ANYTIME;
    let is_bounded = bounds.min.is_some() && bounds.max.is_some();
    let near = near(counts, bounds).filter(|_| are_enough && unit == 1.0 && !is_bounded);
    let bounds = near.unwrap_or(bounds);
    let by_bounds = if is_sure && is_sure_anytime { None } else { sequence::bounded(counts, bounds, level) };
    // Large values were counted with a precision of a thousandth, but the mean is exact.
    let by_bounds = by_bounds.map_or(Interval::unbounded(mean), |found| Interval {
        estimate: mean,
        low: found.low.min(mean),
        high: found.high.max(mean),
    });
    Some(Estimate {
        once: if is_sure { interval::mean(moments, unit, level)? } else { by_bounds },
        anytime: if is_sure_anytime { sequence::mean(moments, unit, level)? } else { by_bounds },
        few: if are_enough && !is_sure && near.is_none() { few(counts, level) } else { None },
    })
}

/// Bounds for whole numbers that differ by at most two: the neighbouring numbers, as [`interval::mean`] assumes for
/// equal values. A value that is nearly always the same is skewed, but has no tail.
fn near(counts: &[(i64, u64)], known: Bounds) -> Option<Bounds> {
    const MAX_RANGE: i64 = 2;
    let (least, most) = (counts.first()?.0, counts.last()?.0);
    let is_near = most.checked_sub(least).is_some_and(|apart| apart <= MAX_RANGE);
    let (below, above) = (least.saturating_sub(1), most.saturating_add(1));
    is_near.then(|| {
        Bounds::between(known.min.map_or(below, |min| min.max(below)), known.max.map_or(above, |max| max.min(above)))
    })
}

/// The square of the skewness γ of n values, divided by n: (Σd³)² / (Σd²)³ for the distances d from the mean. It is 0
/// for symmetric values, and grows towards 1 where one value decides all.
fn skew(counts: &[(i64, u64)]) -> f64 {
    let (mut squares, mut cubes) = (0.0, 0.0);
    for (distance, games) in distances(counts) {
        squares += distance * distance * games;
        cubes += distance * distance * distance * games;
    }
    if squares > 0.0 { (cubes / squares) * (cubes / squares) / squares } else { 0.0 }
}

/// The distance of each value from the mean, with the number of games.
fn distances(counts: &[(i64, u64)]) -> impl Iterator<Item = (f64, f64)> {
    let games: f64 = counts.iter().map(|(_, games)| *games as f64).sum();
    let mean = counts.iter().map(|(value, games)| *value as f64 * *games as f64).sum::<f64>() / games;
    counts.iter().map(move |(value, games)| (*value as f64 - mean, *games as f64))
}

fn few(counts: &[(i64, u64)], level: Level) -> Option<FewGames> {
    Some(FewGames {
        games: games_of_half(counts),
        median: quantile::quantile(counts, 0.5, level)?,
        middle: middle(counts)?,
    })
}

/// The number of games, farthest from the mean first, that make half of the sum of squares.
fn games_of_half(counts: &[(i64, u64)]) -> u64 {
    let mut squares: Vec<(f64, f64)> =
        distances(counts).map(|(distance, games)| (distance * distance, games)).collect();
    sort_by(&mut squares, |(one, _), (other, _)| other.total_cmp(one));
    let mut left = squares.iter().map(|(square, games)| square * games).sum::<f64>() / 2.0;
    let mut taken = 0.0;
    for (square, games) in squares {
        if square * games >= left {
            return (taken + (left / square).ceil().clamp(1.0, games)) as u64;
        }
        left -= square * games;
        taken += games;
    }
    taken as u64
}

/// The trimmed mean of the middle eight tenths of the games, without an interval: for coarse values such as 2, 4, 8 …,
/// the usual one (Tukey & McLaughlin 1963, Sankhyā A 25:331–352) misses in a tenth of all runs. `None` without a game.
fn middle(counts: &[(i64, u64)]) -> Option<f64> {
    let all: u64 = counts.iter().map(|(_, games)| games).sum();
    let cut = all / GAMES_PER_TRIMMED_GAME;
    let (mut before, mut sum) = (0, 0.0);
    for (value, games) in counts {
        let after = before + games;
        sum += *value as f64 * after.min(all - cut).saturating_sub(before.max(cut)) as f64;
        before = after;
    }
    (all > 0).then(|| sum / (all - 2 * cut) as f64)
}
