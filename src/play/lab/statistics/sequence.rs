//! Confidence sequences: intervals that are valid at every number of games, so that you can look after each game and
//! stop at will.
//!
//! With the probability of the level, *all* intervals of a run cover the truth, from the first game on. Each is a pure
//! function of counts or sums, so the order of the games does not matter. [`share`], [`fraction`], [`bounded`] and
//! [`difference_of_paired_shares`] guarantee that exactly, for any distribution. [`mean`] guarantees it exactly for a
//! normal distribution, and asymptotically for others.

use super::special::{ln_beta, root};
use super::{Interval, Level, Moments, Pairs};
use crate::definition::Bounds;

/// The tuning parameter of the mean's sequence: it is narrowest at about nine times this number of games. (Half or
/// twice as many hardly matter.)
const PRIOR_GAMES: f64 = 100.0;

/// The number of games before which a [`mean`] of unknown distribution is unbounded, because its promise is asymptotic.
/// From there on, a die misses in 3 % of all runs and a geometric distribution in 4 %; a measure that is 100 in one
/// game of ten and else 0 still in 6 %, and from 200 games on in 5 %. Where such a measure has bounds, use [`bounded`].
pub const MIN_GAMES: u64 = 100;

/// The number of bets mixed on each side of a [`bounded`] sequence. Each is smaller than the one before by the square
/// root of two; the smallest, 2⁻¹⁶, is the best after about 10⁹ games.
const BETS_PER_SIDE: u32 = 33;

/// The most distinct values for bets. Beyond it, neighbours are merged on each side at the value nearest to its bound,
/// so that bets win less than they could, and the promise holds.
const MAX_BET_VALUES: usize = 512;

/// A share of games. `None` without a game.
///
/// The beta-binomial mixture: Robbins 1970 (Annals of Mathematical Statistics 41:1397–1409); Howard, Ramdas, McAuliffe
/// & Sekhon 2021 (Annals of Statistics 49:1055–1080), proposition 7, with Jeffreys' Beta(½, ½) for mixture. The
/// interval holds all p with B(s + ½, n − s + ½) / B(½, ½) < pˢ (1 − p)ⁿ⁻ˢ / α. It is exact.
pub fn share(successes: u64, games: u64, level: Level) -> Option<Interval> {
    (games > 0).then(|| mixture(successes.min(games) as f64, games as f64, level))
}

/// A share to which games contribute fractions: the moments are of values from 0 to `whole`. `None` without a game.
///
/// The sequence of [`share`]: for 0 ≤ X ≤ 1 with mean p, E exp(λX) ≤ 1 − p + p exp(λ), so what bounds a share bounds
/// this too. It is exact, and wide where few games have all or nothing; see [`bounded`].
pub fn fraction(moments: &Moments, whole: u64, level: Level) -> Option<Interval> {
    let (games, whole) = (moments.count() as f64, whole.max(1) as f64);
    (games > 0.0).then(|| mixture((moments.sum() as f64 / whole).clamp(0.0, games), games, level))
}

fn mixture(successes: f64, games: f64, level: Level) -> Interval {
    let failures = games - successes;
    let estimate = successes / games;
    let mixed = ln_beta(successes + 0.5, failures + 0.5) - ln_beta(0.5, 0.5);
    let limit = -libm::log(level.miss);
    let term = |count: f64, log: f64| if count > 0.0 { count * log } else { 0.0 };
    let is_out = |share: f64| mixed - term(successes, libm::log(share)) - term(failures, libm::log1p(-share)) >= limit;
    let low = if successes > 0.0 { root(estimate, 0.0, is_out) } else { 0.0 };
    let high = if failures > 0.0 { root(estimate, 1.0, is_out) } else { 1.0 };
    Interval { estimate, low, high }.within(0.0, 1.0)
}

/// The mean of a measure of any range, from its moments; also of differences between games with the same seeds. `None`
/// without a game; unbounded below [`MIN_GAMES`]. The half width is at least the upper end of [`share`] for 0 games,
/// the share of games in which the value can differ, times `unit`, the usual distance between two values.
///
/// The sequential t-test with a normal mixture over the standardized mean: Lindon, Ham, Tingley & Bojinov 2022
/// (Anytime-valid inference in linear models, arXiv:2210.08589), theorem for one coefficient. With n games, ν = n − 1
/// and r = g / (g + n) the half width is (s/√n) · √(ν (1 − c) / (c − r)), c = (r α²)^(1/n). It is exact for a normal
/// distribution. As n grows it becomes the asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy &
/// Ramdas 2024 (Time-uniform central limit theory and asymptotic confidence sequences, Annals of Statistics
/// 52:2613–2640, theorem 2.2 with ρ² = 1/g), so for other distributions the promise is asymptotic.
pub fn mean(moments: &Moments, unit: f64, level: Level) -> Option<Interval> {
    let estimate = moments.mean()?;
    let unbounded = Some(Interval::unbounded(estimate));
    let Some(spread) = moments.deviation().filter(|_| moments.count() >= MIN_GAMES) else { return unbounded };
    let games = moments.count() as f64;
    let r = PRIOR_GAMES / (PRIOR_GAMES + games);
    // 1 − c computed without cancellation, and c − r from it.
    let rest = -libm::expm1((libm::log(r) + 2.0 * libm::log(level.miss)) / games);
    let room = 1.0 - r - rest;
    if room <= 0.0 {
        return unbounded;
    }
    let half = spread / games.sqrt() * ((games - 1.0) * rest / room).sqrt();
    let open = mixture(0.0, games, level).high;
    Some(Interval::around(estimate, half.max(open * unit)))
}

/// The mean of a measure with bounds, from the count of each value. `None` without a game, without a bound, or where
/// only one value is possible. With one bound, the other end is infinite.
///
/// Capital of bets on the mean: Waudby-Smith & Ramdas 2024 (Estimating means of bounded random variables by betting,
/// JRSS-B 86:1–27), §4; here a fixed mixture of constant bets, whose capital does not depend on the order of the games.
/// For y = x − min ≥ 0 and a candidate mean m of y, a bet κ grows by 1 − κ + κ y/m for each game, which needs no upper
/// bound; y = max − x is the other side. By Ville's inequality the mixed capital at the true mean ever reaches 1/α with
/// probability α at most: it is exact. It is narrow where the spread is small.
pub fn bounded(counts: &[(i64, u64)], bounds: Bounds, level: Level) -> Option<Interval> {
    let bets = Bets::on(counts, bounds)?;
    let estimate = bets.mean;
    let limit = -libm::log(level.miss);
    let is_out = |mean: f64| bets.log_capital(mean) >= limit;
    let end = |bound: Option<i64>, infinite: f64| match bound.map(|bound| bound as f64) {
        Some(bound) if bound != estimate => root(estimate, bound, is_out),
        Some(bound) => bound,
        None => infinite,
    };
    let (low, high) = (end(bounds.min, f64::NEG_INFINITY), end(bounds.max, f64::INFINITY));
    Some(Interval { estimate, low: low.min(estimate), high: high.max(estimate) })
}

/// The second share minus the first, of games with the same seeds. `None` without a pair.
///
/// The differences −1, 0 and 1 are [`bounded`], so this is exact, and narrow where most pairs agree.
pub fn difference_of_paired_shares(pairs: &Pairs, level: Level) -> Option<Interval> {
    let same = pairs.both.saturating_add(pairs.neither);
    bounded(&[(-1, pairs.only_first), (0, same), (1, pairs.only_second)], Bounds::between(-1, 1), level)
}

/// The count of each value by its distance from each known bound, to bet on.
pub(super) struct Bets {
    mean: f64,
    sides: Vec<Side>,
}

/// A bound, with the count of each value by its distance.
struct Side {
    bound: f64,
    /// 1 if values lie above the bound, −1 if they lie below.
    way: f64,
    distances: Vec<(f64, f64)>,
}

impl Bets {
    /// `None` if no value occurred, no bound is known, or only one value is possible. Values out of bounds count as the
    /// bound.
    pub fn on(counts: &[(i64, u64)], bounds: Bounds) -> Option<Self> {
        let within = |value: i64| {
            let value = bounds.min.map_or(value, |min| value.max(min));
            bounds.max.map_or(value, |max| value.min(max)) as f64
        };
        let counts = counts.iter().filter(|(_, count)| *count > 0);
        let counts: Vec<(f64, f64)> = counts.map(|(value, count)| (within(*value), *count as f64)).collect();
        let games: f64 = counts.iter().map(|(_, count)| count).sum();
        let together = counts.len().div_ceil(MAX_BET_VALUES).max(1);
        let side = |bound: Option<i64>, way: f64| {
            let bound = bound? as f64;
            let distance = |values: &[(f64, f64)]| {
                let nearest = values.iter().map(|(value, _)| (value - bound) * way).fold(f64::INFINITY, f64::min);
                (nearest, values.iter().map(|(_, count)| count).sum())
            };
            Some(Side { bound, way, distances: counts.chunks(together).map(distance).collect() })
        };
        let sides: Vec<Side> = side(bounds.min, 1.0).into_iter().chain(side(bounds.max, -1.0)).collect();
        let is_open = bounds.min.is_none_or(|min| bounds.max.is_none_or(|max| min < max));
        let mean = counts.iter().map(|(value, count)| value * count).sum::<f64>() / games;
        (games > 0.0 && !sides.is_empty() && is_open).then_some(Self { mean, sides })
    }

    /// The logarithm of what a capital of 1 has become in bets against this mean.
    pub fn log_capital(&self, mean: f64) -> f64 {
        let part = -libm::log(self.sides.len() as f64 * f64::from(BETS_PER_SIDE));
        let bets = self.sides.iter().flat_map(|Side { bound, way, distances }| {
            let expected = (mean - bound) * way;
            (0..BETS_PER_SIDE).map(move |number| {
                // The whole capital must not be bet, since one game could lose it.
                let bet = libm::exp2(-f64::from(number) / 2.0).min(0.95);
                let grown = |(distance, count): &(f64, f64)| count * libm::log1p(bet * (distance / expected - 1.0));
                part + distances.iter().map(grown).sum::<f64>()
            })
        });
        let logs: Vec<f64> = bets.collect();
        let greatest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if !greatest.is_finite() {
            return greatest;
        }
        greatest + libm::log(logs.iter().map(|log| libm::exp(log - greatest)).sum())
    }
}
