//! Sets of small numbers, such as those of components, as bits.

use smallvec::SmallVec;

/// A set of numbers from 0 on. Up to 256 of them take no memory of their own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bits(SmallVec<[u64; 4]>);

impl Bits {
    /// The set of some numbers.
    pub fn of(numbers: impl IntoIterator<Item = usize>) -> Self {
        let mut bits = Self::default();
        for number in numbers {
            bits.insert(number);
        }
        bits
    }

    /// Takes a number in; false if it was there.
    #[inline]
    pub fn insert(&mut self, number: usize) -> bool {
        let (word, bit) = (number / 64, 1 << (number % 64));
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }

    /// Whether a number is in it.
    #[inline]
    pub fn contains(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|word| word & (1 << (number % 64)) != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_knows_what_it_holds() {
        let mut bits = Bits::of([3, 64, 300]);
        assert!(bits.contains(3) && bits.contains(64) && bits.contains(300));
        assert!(!bits.contains(4) && !bits.contains(10_000));
        assert!(bits.insert(5) && !bits.insert(5) && !bits.insert(300));
    }
}
