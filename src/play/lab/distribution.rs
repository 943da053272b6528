//! Distributions of whole numbers: exact sums, and a histogram that does not depend on the order of counting.

use super::statistics::Moments;
use crate::sorted::SortedMap;
use serde::{Deserialize, Serialize};

/// Smaller absolute values are counted exactly; larger ones with a precision of about a thousandth.
const EXACT_LIMIT: u64 = 1 << 11;

/// A distribution of whole numbers.
///
/// Sums are exact, so distributions can be [added](Self::add) in any order. Memory depends on the range of the values,
/// not on their number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Distribution {
    #[serde(with = "parts")]
    moments: Moments,
    least: i64,
    most: i64,
    /// The number of values in each class; the key is the class's value nearest to 0.
    classes: SortedMap<i64, u64>,
}

impl Distribution {
    /// Counts a value `times` times.
    pub fn count(&mut self, value: i64, times: u64) {
        if times == 0 {
            return;
        }
        (self.least, self.most) = match self.is_empty() {
            true => (value, value),
            false => (self.least.min(value), self.most.max(value)),
        };
        self.moments.record_times(value, times);
        let class = self.classes.entry(class(value)).or_default();
        *class = class.saturating_add(times);
    }

    /// Adds another distribution.
    pub fn add(&mut self, other: &Self) {
        if other.is_empty() {
            return;
        }
        (self.least, self.most) = match self.is_empty() {
            true => (other.least, other.most),
            false => (self.least.min(other.least), self.most.max(other.most)),
        };
        self.moments += other.moments;
        for (&class, &times) in &other.classes {
            let own = self.classes.entry(class).or_default();
            *own = own.saturating_add(times);
        }
    }

    /// The number of values.
    pub fn len(&self) -> u64 {
        self.moments.count()
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number, sum and sum of squares of all values, exact.
    pub fn moments(&self) -> Moments {
        self.moments
    }

    /// The smallest and the largest value; `None` where nothing was counted.
    pub fn range(&self) -> Option<(i64, i64)> {
        (!self.is_empty()).then_some((self.least, self.most))
    }

    /// The classes in rising order with the number of values in each. Values up to 2,047 have a class of their own.
    pub fn classes(&self) -> impl DoubleEndedIterator<Item = (i64, u64)> {
        self.classes.iter().map(|(&class, &times)| (class, times))
    }

    /// As [`classes`](Self::classes), but the outer classes are given as the exact smallest and largest value.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = (i64, u64)> {
        let [least, most] = [self.least.min(0), self.most.max(0)];
        let (first, last) = (class(least), class(most));
        self.classes().map(move |(value, times)| match value {
            value if value == last && most > 0 => (most, times),
            value if value == first && least < 0 => (least, times),
            value => (value, times),
        })
    }

    /// The value at a rank, from 0; ranks beyond the last give the largest value.
    pub fn at_rank(&self, rank: u64) -> Option<i64> {
        let (least, most) = self.range()?;
        let mut before = 0_u64;
        for (class, times) in self.classes() {
            before = before.saturating_add(times);
            if rank < before {
                return Some(class.clamp(least, most));
            }
        }
        Some(most)
    }

    /// The smallest value that at least `part`/`whole` of the values do not exceed.
    pub fn quantile(&self, part: u64, whole: u64) -> Option<i64> {
        let wanted = u128::from(self.len()) * u128::from(part);
        let rank = wanted.div_ceil(u128::from(whole.max(1))).saturating_sub(1);
        self.at_rank(u64::try_from(rank).unwrap_or(u64::MAX))
    }
}

/// The class of a value: the value itself, or with all but its first eleven binary digits set to 0.
fn class(value: i64) -> i64 {
    let size = value.unsigned_abs();
    if size < EXACT_LIMIT {
        return value;
    }
    let dropped = (u64::BITS - size.leading_zeros()).saturating_sub(EXACT_LIMIT.ilog2());
    let kept = i64::try_from(size >> dropped << dropped).unwrap_or(i64::MAX);
    if value < 0 { -kept } else { kept }
}

/// Serialises moments as decimal strings.
mod parts {
    use super::Moments;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub fn serialize<S: Serializer>(moments: &Moments, serializer: S) -> Result<S::Ok, S::Error> {
        let (count, sum, high, low) = moments.parts();
        (count, sum.to_string(), high.to_string(), low.to_string()).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Moments, D::Error> {
        let (count, sum, high, low) = <(u64, String, String, String)>::deserialize(deserializer)?;
        let sum = sum.parse().map_err(D::Error::custom)?;
        let [high, low] = [high, low].map(|half| half.parse::<u128>());
        let parts = (count, sum, high.map_err(D::Error::custom)?, low.map_err(D::Error::custom)?);
        Moments::from_parts(parts).ok_or_else(|| D::Error::custom("these sums are impossible"))
    }
}

/// Serialises 128-bit numbers as decimal strings, because many JSON readers are not exact for numbers of this size.
pub(super) mod digits {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(number: &i128, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(number)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i128, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// Serialises a list of 128-bit numbers.
pub(super) mod digits_of_list {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(numbers: &[i128], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(numbers.iter().map(ToString::to_string))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<i128>, D::Error> {
        let numbers = Vec::<String>::deserialize(deserializer)?;
        numbers.iter().map(|number| number.parse().map_err(D::Error::custom)).collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    fn of(values: impl IntoIterator<Item = i64>) -> Distribution {
        let mut counted = Distribution::default();
        values.into_iter().for_each(|value| counted.count(value, 1));
        counted
    }

    #[test]
    fn sums_and_ranks_are_exact_for_values_that_games_have() {
        let counted = of([3, -1, 3, 10]);
        assert_eq!((counted.moments().parts(), counted.range()), ((4, 15, 0, 119), Some((-1, 10))));
        assert_eq!([0, 1, 2, 3, 4].map(|rank| counted.at_rank(rank).unwrap()), [-1, 3, 3, 10, 10]);
        assert_eq!([(1, 2), (1, 4), (9, 10)].map(|(part, whole)| counted.quantile(part, whole).unwrap()), [3, -1, 10]);
        assert_eq!(Distribution::default().quantile(1, 2), None);
    }

    #[test]
    fn the_order_of_adding_changes_nothing() {
        let values: Vec<i64> = (0..3_000).map(|number| (number * 7_919 % 1_013 - 500) * (number % 40)).collect();
        let whole = of(values.iter().copied());
        for parts in [2, 7, 100] {
            let mut sum = Distribution::default();
            values.rchunks(values.len() / parts).for_each(|part| sum.add(&of(part.iter().copied())));
            assert_eq!(sum, whole);
        }
    }

    #[test]
    fn great_values_are_kept_to_a_thousandth_in_bounded_memory() {
        let counted = of((0..100_000_i64).map(|number| number * number));
        assert!(counted.classes().count() < 30_000, "{} classes", counted.classes().count());
        let median = counted.quantile(1, 2).unwrap() as f64;
        assert!((median / 49_999_f64.powi(2) - 1.0).abs() < 0.001, "{median}");
        let extremes = of([i64::MIN, i64::MAX]);
        assert_eq!((extremes.moments().sum(), extremes.range()), (-1, Some((i64::MIN, i64::MAX))));
        assert_eq!(extremes.quantile(1, 2), Some(-i64::MAX));
    }
}
