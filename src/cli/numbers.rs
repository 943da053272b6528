//! The whole numbers on the command line.

use crate::catalogue::{Message, message};
use crate::screen::plot::number::count;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;

/// How many players or the like: the command itself tells what is too many.
pub(super) const COUNTS: RangeInclusive<u64> = 1..=u64::MAX;
pub(super) const SEEDS: RangeInclusive<u64> = 0..=i64::MAX as u64;
/// Seeds from which as many games as are ever played have seeds as well.
pub(super) const FIRST_SEEDS: RangeInclusive<u64> = 0..=i64::MAX as u64 / 2;

/// The parser of a whole number in a range.
pub(super) fn whole<N: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<N, Message> + Clone + Send + Sync + 'static {
    move |typed| {
        let number = typed.parse().ok().filter(|number| range.contains(number));
        number.and_then(|number| N::try_from(number).ok()).ok_or_else(|| match (*range.start(), *range.end()) {
            (from, u64::MAX) => message!("write a whole number from {}", count(from)),
            (from, to) => message!("write a whole number from {} to {}", count(from), count(to)),
        })
    }
}

/// The parser of a number of threads: more than any computer has cores only cost memory.
pub(super) fn threads(typed: &str) -> Result<NonZeroUsize, Message> {
    whole(1..=1_024)(typed).map(|number: usize| NonZeroUsize::new(number).unwrap_or(NonZeroUsize::MIN))
}
