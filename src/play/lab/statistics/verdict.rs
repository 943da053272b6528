//! The verdict on a difference by its interval, in plain words.

use super::special::normal_quantile;
use super::{Interval, Level};

/// Whether a difference is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The whole interval lies above zero.
    Higher,
    /// The whole interval lies below zero.
    Lower,
    /// Zero is in the interval.
    NotShown,
}

impl Verdict {
    /// The verdict by the interval of a difference.
    pub fn of(difference: &Interval) -> Self {
        match difference {
            difference if difference.low > 0.0 => Self::Higher,
            difference if difference.high < 0.0 => Self::Lower,
            _ => Self::NotShown,
        }
    }

    /// The verdict in words: `shown higher`.
    pub fn words(self) -> &'static str {
        match self {
            Self::Higher => "shown higher",
            Self::Lower => "shown lower",
            Self::NotShown => "not shown",
        }
    }

    /// The name in files and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Higher => "higher",
            Self::Lower => "lower",
            Self::NotShown => "not_shown",
        }
    }
}

/// The approximate total number of games needed to show a difference of the size found, with a power of 80 %, at the
/// same spread. `interval` is that of the difference after `games`. `None` if no difference was found or the spread is
/// unknown.
///
/// Precision grows with the square root of the number of games; a difference of (z₉₇.₅ + z₈₀) standard errors is shown
/// with a probability of 80 % (the usual calculation of a sample size).
pub fn games_to_show(interval: &Interval, games: u64, level: Level) -> Option<u64> {
    const POWER: f64 = 0.8;
    let z = normal_quantile(level.miss / 2.0);
    let factor = (z + normal_quantile(1.0 - POWER)) / z;
    games_for(interval.half_width() * factor / interval.estimate.abs(), games)
}

/// The approximate total number of games until the interval has at most the given half width. `None` if the spread is
/// unknown.
pub fn games_for_precision(interval: &Interval, games: u64, half_width: f64) -> Option<u64> {
    games_for(interval.half_width() / half_width, games)
}

/// The number of games for an interval narrower by a factor.
fn games_for(narrower: f64, games: u64) -> Option<u64> {
    let needed = games as f64 * narrower * narrower;
    (needed.is_finite() && needed < 1e18).then_some(needed.ceil() as u64)
}
