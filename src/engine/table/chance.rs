//! Keyed randomness: every shuffle, roll and draw of lots has a random stream of its own.
//!
//! The stream of an event is keyed by the seed, the stream's name and how often that name was used before, so a rule
//! that adds a shuffle changes no other one, and a variant and its base get the same deal from the same seed.
//! Nothing here depends on the sampling code of a crate: ChaCha8 gives the bits, the rest is pinned by tests.

use crate::sorted::SortedMap;
use crate::table::value::Value;
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// The state of chance of one game in play.
#[derive(Clone, Debug)]
pub struct Chance {
    seed: u64,
    /// Number of the last `reroll`, 0 before the first: from each on, everything is drawn anew.
    rerolls: u32,
    /// How often each stream has been used, by the key of its name.
    used: Vec<(u128, u32)>,
    /// The effort of finding the streams, as in [`Table::effort`](crate::table::Table::effort).
    effort: u64,
    rigged: SortedMap<String, Vec<Vec<Value>>>,
    hashed: HashedNames,
}

/// A cache of the first stream names that rules have put together, with their keys: a key takes longer to hash than to
/// find. Copies begin empty.
#[derive(Debug, Default)]
struct HashedNames(Vec<(Box<str>, u128)>);

impl Clone for HashedNames {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl HashedNames {
    /// Most names in the cache, which is searched one by one.
    const MAX_CACHED_NAMES: usize = 16;

    fn key(&mut self, name: &str) -> u128 {
        if let Some((_, key)) = self.0.iter().find(|(known, _)| **known == *name) {
            return *key;
        }
        let key = name_key(name);
        if self.0.len() < Self::MAX_CACHED_NAMES {
            self.0.push((name.into(), key));
        }
        key
    }
}

/// The name of a stream that is known before a game begins, with its key.
#[derive(Clone, Debug)]
pub(crate) struct StreamName {
    /// The name: `shuffle deck`.
    pub name: String,
    key: u128,
}

impl StreamName {
    pub fn new(name: String) -> Self {
        Self { key: name_key(&name), name }
    }
}

/// The random bits of one chance event. A copy gives the same bits from here on.
#[derive(Debug)]
pub struct Stream(ChaCha8Rng);

impl Clone for Stream {
    fn clone(&self) -> Self {
        Self(ChaCha8Rng::deserialize_state(&self.0.serialize_state()))
    }
}

impl Chance {
    /// Becomes a copy of another one, in the memory that is allocated already.
    pub(super) fn become_copy(&mut self, of: &Self) {
        let Self { seed, rerolls, used, effort, rigged, hashed: _ } = of;
        (self.seed, self.rerolls, self.effort) = (*seed, *rerolls, *effort);
        self.used.clone_from(used);
        self.rigged.clone_from(rigged);
    }

    /// The seed of the game.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The chance of a game with this seed, nothing used yet.
    pub fn new(seed: u64) -> Self {
        Self { seed, rerolls: 0, used: Vec::new(), effort: 0, rigged: SortedMap::new(), hashed: HashedNames::default() }
    }

    /// Resets to the chance of a game with this seed, nothing used yet.
    pub(super) fn reset(&mut self, new_seed: u64) {
        let Self { seed, rerolls, used, effort, rigged, hashed: _ } = self;
        (*seed, *rerolls, *effort) = (new_seed, 0, 0);
        used.clear();
        rigged.clear();
    }

    /// The effort of finding the streams so far.
    #[inline]
    pub(super) fn effort(&self) -> u64 {
        self.effort
    }

    /// Whether no stream has been used yet.
    pub fn is_unused(&self) -> bool {
        self.used.is_empty()
    }

    /// Approximate number of bytes that are allocated.
    pub(super) fn bytes(&self) -> usize {
        let rigged = self.rigged.iter().flat_map(|(name, queue)| queue.iter().map(|result| (name.len(), result)));
        let rigged = rigged.map(|(name, result)| 64 + name + result.iter().map(Value::bytes).sum::<usize>());
        size_of_val(&self.used[..]) + rigged.sum::<usize>()
    }

    /// The next random stream of a name, such as `shuffle deck`.
    pub fn stream(&mut self, name: &str) -> Stream {
        self.effort += name.len() as u64 / 32;
        let key = self.hashed.key(name);
        self.next(key)
    }

    /// The next stream of a name whose key is known.
    pub(super) fn stream_of(&mut self, name: &StreamName) -> Stream {
        self.next(name.key)
    }

    fn next(&mut self, name: u128) -> Stream {
        let position = self.used.iter().position(|(used, _)| *used == name).unwrap_or_else(|| {
            self.used.push((name, 0));
            self.used.len() - 1
        });
        self.effort += 6 + position as u64 / 64;
        let uses = &mut self.used[position].1;
        *uses += 1;
        Stream::keyed(self.seed, name, *uses - 1, self.rerolls)
    }

    /// Takes back the last use of a stream, so that the next use gives the same again.
    pub(super) fn undo_last_use(&mut self, name: &str) {
        let name = self.hashed.key(name);
        if let Some((_, uses)) = self.used.iter_mut().find(|(used, _)| *used == name) {
            *uses = uses.saturating_sub(1);
        }
    }

    /// Draws everything from here on anew; `number` tells one reroll from another.
    pub fn reroll(&mut self, number: u32) {
        self.rerolls = number;
    }

    /// Fixes the result of the next event of the stream `name`.
    pub fn rig(&mut self, name: &str, result: Vec<Value>) {
        self.rigged.entry(name.to_owned()).or_default().push(result);
    }

    /// Takes the fixed result of the next event of the stream; `None` where there is none.
    pub fn take_rigged(&mut self, name: &str) -> Option<Vec<Value>> {
        let queue = self.rigged.get_mut(name)?;
        let result = (!queue.is_empty()).then(|| queue.remove(0));
        if queue.is_empty() {
            self.rigged.remove(name);
        }
        result
    }

    /// The fixed results that have not come up yet, with the names of their streams.
    pub fn pending_rigged(&self) -> impl Iterator<Item = (&str, &[Value])> {
        self.rigged.iter().flat_map(|(stream, queue)| queue.iter().map(|result| (stream.as_str(), result.as_slice())))
    }
}

impl Stream {
    /// A stream for an agent or a test, outside the game's own chance.
    pub fn named(seed: u64, name: &str, number: u32) -> Self {
        Self::keyed(seed, name_key(name), number, 0)
    }

    fn keyed(seed: u64, name: u128, uses: u32, rerolls: u32) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..24].copy_from_slice(&name.to_le_bytes());
        key[24..28].copy_from_slice(&uses.to_le_bytes());
        key[28..].copy_from_slice(&rerolls.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// A number from 0 to `bound - 1`, each equally likely (Lemire 2019, with rejection); 0 for a bound of 0 or 1.
    pub fn below(&mut self, bound: usize) -> usize {
        if bound < 2 {
            return 0;
        }
        let bound = bound as u64;
        let threshold = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.0.next_u64()) * u128::from(bound);
            if product as u64 >= threshold {
                return (product >> 64) as usize;
            }
        }
    }

    /// Puts a list in random order (Fisher–Yates, from the end).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }
}

fn name_key(name: &str) -> u128 {
    let mut key = [0; 16];
    key.copy_from_slice(&blake3::hash(name.as_bytes()).as_bytes()[..16]);
    u128::from_le_bytes(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// These values may never change: every saved game depends on them.
    #[test]
    fn streams_are_pinned() {
        let mut chance = Chance::new(42);
        let mut list: Vec<u32> = (1..=10).collect();
        chance.stream("shuffle deck").shuffle(&mut list);
        assert_eq!(list, PINNED_SHUFFLE);
        let rolls: Vec<usize> = (0..8).map(|_| chance.stream("roll die").below(6) + 1).collect();
        assert_eq!(rolls, PINNED_ROLLS);
    }

    const PINNED_SHUFFLE: [u32; 10] = [7, 4, 9, 10, 2, 6, 1, 5, 8, 3];
    const PINNED_ROLLS: [usize; 8] = [2, 2, 3, 4, 3, 6, 5, 6];

    #[test]
    fn another_stream_changes_nothing() {
        let mut plain = Chance::new(7);
        let mut busy = Chance::new(7);
        busy.stream("shuffle extra").below(100);
        assert_eq!(plain.stream("shuffle deck").below(1 << 40), busy.stream("shuffle deck").below(1 << 40));
    }

    #[test]
    fn a_reroll_draws_anew() {
        let mut plain = Chance::new(7);
        let mut rerolled = Chance::new(7);
        rerolled.reroll(1);
        assert_ne!(plain.stream("shuffle deck").below(1 << 40), rerolled.stream("shuffle deck").below(1 << 40));
    }

    #[test]
    fn what_is_given_back_is_drawn_again() {
        let mut chance = Chance::new(7);
        let first = chance.stream("lot who").below(1 << 40);
        let second = chance.stream("lot who").below(1 << 40);
        chance.undo_last_use("lot who");
        assert_ne!(first, second);
        assert_eq!(chance.stream("lot who").below(1 << 40), second);
    }

    #[test]
    fn a_rigged_result_comes_once() {
        let mut chance = Chance::new(1);
        chance.rig("roll die", vec![Value::Number(6)]);
        assert_eq!(chance.take_rigged("roll die"), Some(vec![Value::Number(6)]));
        assert_eq!(chance.take_rigged("roll die"), None);
    }
}
