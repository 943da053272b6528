//! Bit sets of small numbers, such as the indices of components.

/// Words of bits that are stored in the set itself, without an allocation.
const INLINE_WORDS: usize = 4;

/// A bit set of numbers from 0 on. Numbers up to 255 need no allocation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bits {
    low: [u64; INLINE_WORDS],
    high: Vec<u64>,
}

impl Bits {
    /// The set of some numbers.
    #[inline]
    pub fn of(numbers: impl IntoIterator<Item = usize>) -> Self {
        let mut bits = Self::default();
        for number in numbers {
            bits.insert(number);
        }
        bits
    }

    /// Adds a number; false if it was in the set already.
    #[inline]
    pub fn insert(&mut self, number: usize) -> bool {
        let bit = 1 << (number % 64);
        let word = match self.low.get_mut(number / 64) {
            Some(word) => word,
            None => self.high_word(number / 64 - INLINE_WORDS),
        };
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    #[cold]
    fn high_word(&mut self, word: usize) -> &mut u64 {
        if word >= self.high.len() {
            self.high.resize(word + 1, 0);
        }
        &mut self.high[word]
    }

    /// Whether a number is in the set.
    #[inline]
    pub fn contains(&self, number: usize) -> bool {
        let word = self.low.get(number / 64).or_else(|| self.high.get(number / 64 - INLINE_WORDS));
        word.is_some_and(|word| word & (1 << (number % 64)) != 0)
    }

    /// Removes a number; false if it was not in the set.
    #[inline]
    pub fn remove(&mut self, number: usize) -> bool {
        let word = match self.low.get_mut(number / 64) {
            Some(word) => Some(word),
            None => self.high.get_mut(number / 64 - INLINE_WORDS),
        };
        let bit = 1 << (number % 64);
        let was_there = word.as_ref().is_some_and(|word| **word & bit != 0);
        if let Some(word) = word {
            *word &= !bit;
        }
        was_there
    }

    /// The numbers in ascending order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.low.iter().chain(&self.high).enumerate().flat_map(|(word, &bits)| {
            let mut rest = bits;
            std::iter::from_fn(move || {
                let lowest = rest.trailing_zeros() as usize;
                (rest != 0).then(|| {
                    rest &= rest - 1;
                    word * 64 + lowest
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_knows_what_it_holds() {
        let mut bits = Bits::of([300, 64, 3, 0, 255, 256]);
        assert!(bits.contains(3) && bits.contains(64) && bits.contains(300));
        assert!(!bits.contains(4) && !bits.contains(10_000));
        assert!(bits.insert(5) && !bits.insert(5) && !bits.insert(300));
        assert!(bits.insert(6) && bits.remove(6) && !bits.remove(6) && !bits.remove(10_000));
        assert_eq!(bits.iter().collect::<Vec<_>>(), [0, 3, 5, 64, 255, 256, 300]);
    }
}
