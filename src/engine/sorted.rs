//! Maps and sets that are sorted lists.
//!
//! They are used as [`BTreeMap`](std::collections::BTreeMap) and [`BTreeSet`](std::collections::BTreeSet) are, and keep
//! the same order. A tree is compiled anew for each type of its entries: a hundred such types were a sixth of what the
//! compiler had to generate for the house, and a list is a twentieth of a tree. Looking up takes as long; putting in an
//! entry that is not the last moves those behind it. So a tree is still the right one where hundreds of thousands come
//! in any order.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Index;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};

/// A map whose entries are sorted by their keys.
#[derive(Clone, PartialEq, Eq)]
pub struct SortedMap<K, V>(Vec<(K, V)>);

/// Iterator over the entries of a [`SortedMap`], in the order of their keys.
pub type Iter<'a, K, V> = std::iter::Map<std::slice::Iter<'a, (K, V)>, fn(&'a (K, V)) -> (&'a K, &'a V)>;

/// The place of a key in a map, which it may not have yet.
pub struct Entry<'a, K, V> {
    map: &'a mut SortedMap<K, V>,
    key: K,
}

impl<K, V> SortedMap<K, V> {
    /// A map without entries.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// How many entries there are.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no entry.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The entries, in the order of their keys.
    pub fn iter(&self) -> Iter<'_, K, V> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// The keys, in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator + Clone {
        self.0.iter().map(|(key, _)| key)
    }

    /// The values, in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator + Clone {
        self.0.iter().map(|(_, value)| value)
    }

    /// The keys, in order.
    pub fn into_keys(self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator {
        self.0.into_iter().map(|(key, _)| key)
    }

    /// The values, in the order of their keys.
    pub fn into_values(self) -> impl DoubleEndedIterator<Item = V> + ExactSizeIterator {
        self.0.into_iter().map(|(_, value)| value)
    }

    /// Takes the entry with the last key out, and gives it.
    pub fn pop_last(&mut self) -> Option<(K, V)> {
        self.0.pop()
    }

    /// Takes all entries out.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Keeps the entries for which `keep` holds.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain_mut(|(key, value)| keep(key, value));
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    /// Where a key is, or where it would be put in.
    fn position<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|(known, _)| known.borrow().cmp(key))
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.position(key).ok().map(|at| &self.0[at].1)
    }

    /// The value of a key, to be changed.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.position(key).ok().map(|at| &mut self.0[at].1)
    }

    /// The entry of a key, with the key as the map has it.
    pub fn get_key_value<Q: Ord + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        self.position(key).ok().map(|at| (&self.0[at].0, &self.0[at].1))
    }

    /// Whether there is an entry with this key.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.position(key).is_ok()
    }

    /// Sets the value of a key, and gives the one that it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.position(&key) {
            Ok(at) => Some(std::mem::replace(&mut self.0[at].1, value)),
            Err(at) => {
                self.0.insert(at, (key, value));
                None
            }
        }
    }

    /// Takes an entry out, and gives its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.remove_entry(key).map(|(_, value)| value)
    }

    /// Takes an entry out, and gives it.
    pub fn remove_entry<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<(K, V)>
    where
        K: Borrow<Q>,
    {
        self.position(key).ok().map(|at| self.0.remove(at))
    }

    /// Takes the entries from a key on out, and gives them.
    pub fn split_off<Q: Ord + ?Sized>(&mut self, key: &Q) -> Self
    where
        K: Borrow<Q>,
    {
        let at = self.position(key).unwrap_or_else(|at| at);
        Self(self.0.split_off(at))
    }

    /// The entries from a key on, in the order of their keys.
    pub fn range_from<Q: Ord + ?Sized>(&self, key: &Q) -> Iter<'_, K, V>
    where
        K: Borrow<Q>,
    {
        let at = self.position(key).unwrap_or_else(|at| at);
        self.0[at..].iter().map(|(key, value)| (key, value))
    }

    /// The place of a key, to be filled where it has no value yet.
    pub const fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        Entry { map: self, key }
    }
}

impl<'a, K: Ord, V> Entry<'a, K, V> {
    /// The value of the key, which is `value()` where there is none yet.
    pub fn or_insert_with(self, value: impl FnOnce() -> V) -> &'a mut V {
        let at = self.map.position(&self.key).unwrap_or_else(|at| {
            self.map.0.insert(at, (self.key, value()));
            at
        });
        &mut self.map.0[at].1
    }

    /// The value of the key, which is `value` where there is none yet.
    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    /// The value of the key, which is the default one where there is none yet.
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for SortedMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<Q: Ord + ?Sized, K: Ord + Borrow<Q>, V> Index<&Q> for SortedMap<K, V> {
    type Output = V;

    /// The value of a key, which has to be in the map.
    fn index(&self, key: &Q) -> &V {
        &self.0[self.position(key).unwrap_or(self.len())].1
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        self.0.extend(entries);
        sort_distinct(&mut self.0, |one, other| one.0.cmp(&other.0));
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self(entries.into_iter().collect());
        sort_distinct(&mut map.0, |one, other| one.0.cmp(&other.0));
        map
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for SortedMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        Self::from_iter(entries)
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, K, V> IntoIterator for &'a SortedMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K: Serialize, V: Serialize> Serialize for SortedMap<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self)
    }
}

impl<'de, K: Ord + Deserialize<'de>, V: Deserialize<'de>> Deserialize<'de> for SortedMap<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<K, V>(PhantomData<(K, V)>);

        impl<'de, K: Ord + Deserialize<'de>, V: Deserialize<'de>> Visitor<'de> for Entries<K, V> {
            type Value = SortedMap<K, V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
                let mut map = SortedMap::new();
                while let Some((key, value)) = entries.next_entry()? {
                    map.insert(key, value);
                }
                Ok(map)
            }
        }

        deserializer.deserialize_map(Entries(PhantomData))
    }
}

/// A set whose members are sorted.
#[derive(Clone, PartialEq, Eq)]
pub struct SortedSet<T>(Vec<T>);

impl<T> SortedSet<T> {
    /// A set without members.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// How many members there are.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no member.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The members, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }
}

impl<T: Ord> SortedSet<T> {
    /// Whether it is a member.
    pub fn contains<Q: Ord + ?Sized>(&self, member: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.0.binary_search_by(|known| known.borrow().cmp(member)).is_ok()
    }

    /// Puts a member in, and tells whether it was none yet.
    pub fn insert(&mut self, member: T) -> bool {
        let place = self.0.binary_search(&member);
        if let Err(at) = place {
            self.0.insert(at, member);
        }
        place.is_err()
    }

    /// Takes a member out, and tells whether it was one.
    pub fn remove<Q: Ord + ?Sized>(&mut self, member: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        let place = self.0.binary_search_by(|known| known.borrow().cmp(member));
        place.map(|at| self.0.remove(at)).is_ok()
    }

    /// The members that the other set does not have, in order.
    pub fn difference<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a T> {
        self.0.iter().filter(|member| !other.contains(*member))
    }
}

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for SortedSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(&self.0).finish()
    }
}

impl<T: Ord> Extend<T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, members: I) {
        self.0.extend(members);
        sort_distinct(&mut self.0, T::cmp);
    }
}

impl<T: Ord> FromIterator<T> for SortedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(members: I) -> Self {
        let mut set = Self(members.into_iter().collect());
        sort_distinct(&mut set.0, T::cmp);
        set
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for SortedSet<T> {
    fn from(members: [T; N]) -> Self {
        Self::from_iter(members)
    }
}

impl<T> IntoIterator for SortedSet<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a SortedSet<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// Sorts a list stably, as [`slice::sort_by`] does, for lists that nobody waits for: the sorting itself is compiled once for
/// all types.
pub fn sort_by<T>(items: &mut Vec<T>, mut compare: impl FnMut(&T, &T) -> Ordering) {
    if !items.is_sorted_by(|one, other| compare(one, other).is_le()) {
        let order = sorted_positions(items.len(), false, &mut |one, other| compare(&items[one], &items[other]));
        pick(items, order);
    }
}

/// [`sort_by`] the keys of the items.
pub fn sort_by_key<T, K: Ord>(items: &mut Vec<T>, key: impl Fn(&T) -> K) {
    sort_by(items, |one, other| key(one).cmp(&key(other)));
}

/// Sorts a list, and keeps of those that are equal the last.
fn sort_distinct<T>(items: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    if !items.is_sorted_by(|one, other| compare(one, other).is_lt()) {
        let order = sorted_positions(items.len(), true, &mut |one, other| compare(&items[one], &items[other]));
        pick(items, order);
    }
}

/// The positions from 0 to `len`, sorted stably by what stands there; of equals, all or the last.
fn sorted_positions(len: usize, distinct: bool, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<_> = (0..len).collect();
    order.sort_by(|one, other| compare(*one, *other));
    if distinct {
        order.reverse();
        order.dedup_by(|one, other| compare(*one, *other).is_eq());
        order.reverse();
    }
    order
}

/// Leaves the items of these positions in the list, in this order.
fn pick<T>(items: &mut Vec<T>, positions: Vec<usize>) {
    let mut all: Vec<_> = std::mem::take(items).into_iter().map(Some).collect();
    items.reserve(positions.len());
    for position in positions {
        items.extend(all[position].take());
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    /// Numbers without an order, some of them twice.
    fn numbers() -> impl Iterator<Item = (u32, usize)> + Clone {
        std::iter::successors(Some(7_u32), |number| Some(number * 29 % 61)).take(90).zip(0..)
    }

    #[test]
    fn a_map_is_as_a_tree_is() {
        let (mut one_by_one, mut tree) = (SortedMap::new(), BTreeMap::new());
        for (key, value) in numbers() {
            assert_eq!(one_by_one.insert(key, value), tree.insert(key, value));
        }
        let collected: SortedMap<_, _> = numbers().collect();
        let mut extended: SortedMap<_, _> = numbers().take(40).collect();
        extended.extend(numbers().skip(40));
        for map in [&one_by_one, &collected, &extended] {
            assert!(map.iter().eq(&tree) && map.keys().eq(tree.keys()) && map.values().eq(tree.values()));
            assert_eq!(format!("{map:?}"), format!("{tree:?}"));
            assert!(
                (0..70).all(|key| map.get(&key) == tree.get(&key) && map.contains_key(&key) == tree.contains_key(&key))
            );
        }
        *one_by_one.entry(62).or_default() += 1;
        *one_by_one.entry(62).or_insert(5) += 1;
        assert_eq!((one_by_one[&62], one_by_one.remove(&62), one_by_one.remove(&62)), (2, Some(2), None));
        assert!(one_by_one == collected);
    }

    #[test]
    fn a_set_is_as_a_tree_is() {
        let (mut set, mut tree) = (SortedSet::new(), BTreeSet::new());
        for (number, _) in numbers() {
            assert_eq!(set.insert(number), tree.insert(number));
        }
        let odd: (SortedSet<_>, BTreeSet<_>) =
            ((0..30).filter(|n| n % 2 == 1).collect(), (0..30).filter(|n| n % 2 == 1).collect());
        assert!(set.iter().eq(&tree) && set.difference(&odd.0).eq(tree.difference(&odd.1)));
        assert_eq!((set.remove(&7), set.remove(&7), set.contains(&7)), (true, false, false));
    }

    #[test]
    fn files_have_maps_as_tables() {
        let map: SortedMap<String, u8> = toml::from_str("b = 2\na = 1\n").unwrap();
        assert_eq!(toml::to_string(&map).unwrap(), "a = 1\nb = 2\n");
    }

    #[test]
    fn equal_ones_stay_in_order() {
        let mut items: Vec<_> = numbers().collect();
        let mut expected = items.clone();
        expected.sort_by_key(|(number, _)| number % 5);
        sort_by(&mut items, |one, other| (one.0 % 5).cmp(&(other.0 % 5)));
        assert_eq!(items, expected);
    }
}
