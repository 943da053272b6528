//! The number, sum and sum of squares of values, which is all that a mean and its interval need.

use super::wide::U256;
use std::ops::{Add, AddAssign};

/// The largest number of values summed: 2^60. It makes overflow impossible: the sum then has less than 124 bits and the
/// sum of squares less than 187, for any values.
pub const MAX_COUNT: u64 = 1 << 60;

/// Exact moments of whole numbers. Order does not matter; moments of parts are added with `+`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moments {
    count: u64,
    sum: i128,
    squares: U256,
}

impl Moments {
    /// Moments of no values.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a value.
    pub fn record(&mut self, value: i64) {
        self.record_times(value, 1);
    }

    /// Adds a value `times` times. Beyond [`MAX_COUNT`] values, which no run reaches, nothing is added.
    pub fn record_times(&mut self, value: i64, times: u64) {
        let square = u128::from(value.unsigned_abs()).pow(2);
        let sum = i128::from(value) * i128::from(times.min(MAX_COUNT));
        *self += Self { count: times, sum, squares: U256::product(square, u128::from(times.min(MAX_COUNT))) };
    }

    /// The number of values.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The sum of the values.
    pub fn sum(&self) -> i128 {
        self.sum
    }

    /// The form in files: count, sum, and the upper and lower 128 bits of the sum of squares.
    pub fn parts(&self) -> (u64, i128, u128, u128) {
        let (high, low) = self.squares.halves();
        (self.count, self.sum, high, low)
    }

    /// Reads moments from a file. `None` if no values have such sums.
    pub fn from_parts((count, sum, high, low): (u64, i128, u128, u128)) -> Option<Self> {
        let moments = Self { count, sum, squares: U256::from_halves(high, low) };
        let farthest = u128::from(i64::MIN.unsigned_abs());
        let is_possible = count <= MAX_COUNT
            && sum.unsigned_abs() <= farthest * u128::from(count)
            && moments.squares <= U256::product(farthest.pow(2), u128::from(count))
            // Cauchy and Schwarz; and a square of a whole number is no less than the number.
            && moments.squares.times(count) >= moments.square_of_sum()
            && moments.squares >= U256::from_halves(0, sum.unsigned_abs());
        is_possible.then_some(moments)
    }

    /// The mean. `None` without values.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// The sample variance (with the divisor n − 1). `None` for fewer than two values.
    ///
    /// n·Σx² − (Σx)² is computed exactly, so nothing cancels however far the values are from 0.
    pub fn variance(&self) -> Option<f64> {
        let spread = self.squares.times(self.count) - self.square_of_sum();
        let pairs = self.count as f64 * self.count.checked_sub(1)? as f64;
        (self.count > 1).then(|| spread.to_f64() / pairs)
    }

    /// The standard deviation. `None` for fewer than two values.
    pub fn deviation(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }

    fn square_of_sum(&self) -> U256 {
        U256::product(self.sum.unsigned_abs(), self.sum.unsigned_abs())
    }
}

impl AddAssign for Moments {
    fn add_assign(&mut self, other: Self) {
        if let Some(count) = self.count.checked_add(other.count).filter(|count| *count <= MAX_COUNT) {
            self.count = count;
            self.sum = self.sum.saturating_add(other.sum);
            self.squares = self.squares + other.squares;
        }
    }
}

impl Add for Moments {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl FromIterator<i64> for Moments {
    fn from_iter<I: IntoIterator<Item = i64>>(values: I) -> Self {
        let mut moments = Self::new();
        values.into_iter().for_each(|value| moments.record(value));
        moments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_cancels_far_from_zero() {
        let near: Moments = [1, 2, 4].into_iter().collect();
        let far: Moments = [i64::MAX - 3, i64::MAX - 2, i64::MAX].into_iter().collect();
        assert_eq!(near.variance(), Some(7.0 / 3.0));
        assert_eq!(far.variance(), near.variance());
        let apart: Moments = [i64::MIN, i64::MAX].into_iter().collect();
        assert_eq!((apart.sum(), apart.mean()), (-1, Some(-0.5)));
        assert_eq!(apart.variance(), Some(2f64.powi(127)));
    }

    #[test]
    fn parts_add_up_to_the_whole_and_are_written_and_read() {
        let values = [-7, 0, 3, i64::MIN, 12, 12, i64::MAX];
        let whole: Moments = values.into_iter().collect();
        for cut in 0..=values.len() {
            let (one, other) = values.split_at(cut);
            let sum = |part: &[i64]| part.iter().copied().collect::<Moments>();
            assert_eq!(sum(other) + sum(one), whole);
        }
        assert_eq!(Moments::from_parts(whole.parts()), Some(whole));
        let mut twelves = Moments::new();
        twelves.record_times(12, 1_000_000_000);
        assert_eq!((twelves.count(), twelves.mean(), twelves.variance()), (1_000_000_000, Some(12.0), Some(0.0)));
    }

    #[test]
    fn sums_that_no_values_have_are_refused() {
        for parts in [
            (0, 1, 0, 0),
            (0, 0, 0, 1),
            (2, 10, 0, 49),
            (2, 10, 0, 9),
            (1, 0, 1, 0),
            (u64::MAX, 0, 0, 0),
            (3, i128::MIN, 0, 9),
        ] {
            assert_eq!(Moments::from_parts(parts), None, "{parts:?}");
        }
        assert!(Moments::from_parts((2, 10, 0, 50)).is_some());
    }

    #[test]
    fn too_many_values_are_not_counted() {
        let mut full = Moments::new();
        full.record_times(i64::MIN, MAX_COUNT);
        assert_eq!(full.mean(), Some(i64::MIN as f64));
        assert_eq!(full.variance(), Some(0.0));
        let same = full;
        full.record(1);
        full.record_times(1, u64::MAX);
        assert_eq!(full, same);
    }

    #[test]
    fn few_values_have_no_spread() {
        assert_eq!((Moments::new().mean(), Moments::new().variance()), (None, None));
        let one: Moments = [5].into_iter().collect();
        assert_eq!((one.mean(), one.variance()), (Some(5.0), None));
    }
}
