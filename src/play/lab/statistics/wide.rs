//! Unsigned 256-bit integers, for sums of squares and their products.

use std::ops::{Add, Sub};

/// An integer from 0 to 2^256 − 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct U256 {
    // High bits first, so that the derived order is numeric.
    high: u128,
    low: u128,
}

impl U256 {
    pub const ZERO: Self = Self { high: 0, low: 0 };
    pub const MAX: Self = Self { high: u128::MAX, low: u128::MAX };

    pub fn from_halves(high: u128, low: u128) -> Self {
        Self { high, low }
    }

    /// The upper and the lower 128 bits.
    pub fn halves(self) -> (u128, u128) {
        (self.high, self.low)
    }

    /// The full product of two 128-bit numbers.
    pub fn product(one: u128, other: u128) -> Self {
        const HALF: u128 = u64::MAX as u128;
        let (a, b) = (one >> 64, one & HALF);
        let (c, d) = (other >> 64, other & HALF);
        let (middle, lowest) = (b * c, b * d);
        let middle_sum = a * d + (lowest >> 64);
        let (middle, carry) = middle.overflowing_add(middle_sum);
        let high = a * c + (middle >> 64) + (u128::from(carry) << 64);
        Self { high, low: (middle << 64) | (lowest & HALF) }
    }

    /// The product with a factor; saturates at the largest number.
    pub fn times(self, factor: u64) -> Self {
        let low = Self::product(self.low, u128::from(factor));
        let high = Self::product(self.high, u128::from(factor));
        match high.high {
            0 => low + Self { high: high.low, low: 0 },
            _ => Self::MAX,
        }
    }

    /// The nearest floating-point number, or one next to it.
    pub fn to_f64(self) -> f64 {
        const TWO_TO_128: f64 = 340_282_366_920_938_463_463_374_607_431_768_211_456.0;
        self.high as f64 * TWO_TO_128 + self.low as f64
    }
}

/// Saturates at the largest number.
impl Add for U256 {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let (low, carry) = self.low.overflowing_add(other.low);
        let high = self.high.checked_add(other.high).and_then(|high| high.checked_add(u128::from(carry)));
        high.map_or(Self::MAX, |high| Self { high, low })
    }
}

/// Saturates at 0.
impl Sub for U256 {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        let (low, borrow) = self.low.overflowing_sub(other.low);
        let high = self.high.checked_sub(other.high).and_then(|high| high.checked_sub(u128::from(borrow)));
        high.map_or(Self::ZERO, |high| Self { high, low })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_sums_and_differences_carry() {
        let max = u128::MAX;
        // (2^128 − 1)² = 2^256 − 2·2^128 + 1
        assert_eq!(U256::product(max, max).halves(), (max - 1, 1));
        for (one, other) in [(0, 5), (3, 7), (1 << 64, 1 << 64), ((1 << 100) + 9, (1 << 27) - 1), (max, 2)] {
            let (high, low) = U256::product(one, other).halves();
            assert_eq!(low, one.wrapping_mul(other));
            assert_eq!(U256::product(other, one).halves(), (high, low));
            // By 127 bits, the high part comes from addition.
            let added = (0..other.min(100)).fold(U256::ZERO, |sum, _| sum + U256::from_halves(0, one));
            assert!(other > 100 || added.halves() == (high, low), "{one} × {other}");
            assert_eq!(
                (U256::product(one, other) + U256::from_halves(0, max)) - U256::from_halves(0, max),
                U256::product(one, other)
            );
        }
        assert_eq!(U256::from_halves(0, max).times(3).halves(), (2, max - 2));
        assert_eq!(U256::from_halves(max, 0).times(2), U256::MAX);
        assert_eq!(U256::MAX + U256::from_halves(0, 1), U256::MAX);
        assert_eq!(U256::ZERO - U256::from_halves(0, 1), U256::ZERO);
        assert_eq!(U256::from_halves(1, 0).to_f64(), 2f64.powi(128));
    }
}
