//! Words on lists of any values, generic over the way in which an executor stores lists.

use crate::diagnostic::message;
use crate::table::value::{Component, Value};
use crate::table::words::Components;
use crate::table::{Fault, Table};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};

/// A list as an executor stores it.
pub(crate) trait Entries {
    /// The type of an entry.
    type Entry: Clone;

    /// The entries in order.
    fn entries(&self) -> &[Self::Entry];

    /// Whether two entries are equal. Values of different sorts are not.
    ///
    /// # Errors
    /// The entries are of a sort that cannot be compared.
    fn same(&self, one: &Self::Entry, other: &Self::Entry) -> Result<bool, Fault>;

    /// Feeds a hasher with an entry: entries that [`same`](Self::same) finds equal, or cannot compare, hash alike.
    fn feed(&self, entry: &Self::Entry, hasher: &mut impl Hasher);

    /// An entry as the table holds it.
    ///
    /// # Errors
    /// The table holds no values of the entry's sort.
    fn value(&self, entry: &Self::Entry) -> Result<Value, Fault>;

    /// The components that an entry is or holds; `None` where it is of a sort that holds none.
    fn components(&self, table: &Table, entry: &Self::Entry) -> Option<Vec<Component>>;
}

/// A value to be compared with the entries of a list.
pub(crate) trait SearchedValue<E: Clone> {
    fn entry(&self) -> Cow<'_, E>;
}

/// A hash table of entries of a list.
struct EntrySet<'l, L: Entries> {
    list: &'l L,
    entries: HashMap<u64, SmallVec<[&'l L::Entry; 1]>>,
    keys: RandomState,
}

impl<'l, L: Entries> EntrySet<'l, L> {
    fn none(list: &'l L) -> Self {
        Self { list, entries: HashMap::new(), keys: RandomState::new() }
    }

    fn hash(&self, entry: &L::Entry) -> u64 {
        let mut hasher = self.keys.build_hasher();
        self.list.feed(entry, &mut hasher);
        hasher.finish()
    }

    fn insert(&mut self, entry: &'l L::Entry) {
        let hash = self.hash(entry);
        self.entries.entry(hash).or_default().push(entry);
    }

    /// Whether an entry equals one of the known ones.
    fn contains(&self, entry: &L::Entry) -> Result<bool, Fault> {
        for known in self.entries.get(&self.hash(entry)).into_iter().flatten() {
            if self.list.same(known, entry)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn positions<L: Entries>(list: &L, sought: &L::Entry) -> Result<Vec<usize>, Fault> {
    let mut found = Vec::new();
    for (position, entry) in list.entries().iter().enumerate() {
        if list.same(entry, sought)? {
            found.push(position);
        }
    }
    Ok(found)
}

fn position<L: Entries>(list: &L, sought: &L::Entry) -> Result<Option<usize>, Fault> {
    for (position, entry) in list.entries().iter().enumerate() {
        if list.same(entry, sought)? {
            return Ok(Some(position));
        }
    }
    Ok(None)
}

fn empty() -> Fault {
    Fault::rule("there is no entry here").help("ask `is_empty` first")
}

/// The first entry, or the last if `last`.
pub(crate) fn end<L: Entries>(list: L, last: bool) -> Result<L::Entry, Fault> {
    let found = if last { list.entries().last() } else { list.entries().first() };
    found.cloned().ok_or_else(empty)
}

pub(crate) fn contains<L: Entries>(list: L, sought: impl SearchedValue<L::Entry>) -> Result<bool, Fault> {
    Ok(position(&list, &sought.entry())?.is_some())
}

/// How many entries equal a value.
pub(crate) fn count<L: Entries>(list: L, sought: impl SearchedValue<L::Entry>) -> Result<i64, Fault> {
    Ok(positions(&list, &sought.entry())?.len() as i64)
}

/// The position of the first entry that equals a value.
pub(crate) fn position_of<L: Entries>(list: L, sought: impl SearchedValue<L::Entry>) -> Result<i64, Fault> {
    position(&list, &sought.entry())?.map(|position| position as i64).ok_or_else(|| {
        Fault::rule("no entry of the list is equal to this, so it has no position").help("ask `contains` first")
    })
}

/// The entries that do not equal a value.
pub(crate) fn except<L: Entries>(list: L, sought: impl SearchedValue<L::Entry>) -> Result<Vec<L::Entry>, Fault> {
    let removed = positions(&list, &sought.entry())?;
    let entries = list.entries().iter().enumerate();
    Ok(entries
        .filter(|(position, _)| removed.binary_search(position).is_err())
        .map(|(_, entry)| entry.clone())
        .collect())
}

/// The entries that equal none of another list.
pub(crate) fn difference<L: Entries>(list: L, removed: impl Entries<Entry = L::Entry>) -> Result<Vec<L::Entry>, Fault> {
    let mut known = EntrySet::none(&removed);
    removed.entries().iter().for_each(|entry| known.insert(entry));
    let mut kept = Vec::new();
    for entry in list.entries() {
        if !known.contains(entry)? {
            kept.push(entry.clone());
        }
    }
    Ok(kept)
}

/// The entries, each once.
pub(crate) fn distinct<L: Entries>(list: L) -> Result<Vec<L::Entry>, Fault> {
    let (mut known, mut kept) = (EntrySet::none(&list), Vec::new());
    for entry in list.entries() {
        if !known.contains(entry)? {
            known.insert(entry);
            kept.push(entry.clone());
        }
    }
    Ok(kept)
}

/// The last `count` entries, or all if there are fewer.
pub(crate) fn top<L: Entries>(list: L, count: i64) -> Result<Vec<L::Entry>, Fault> {
    let count = usize::try_from(count).map_err(|_| Fault::rule(message!("there are no {count} entries")))?;
    let entries = list.entries();
    Ok(entries.get(entries.len().saturating_sub(count)..).unwrap_or_default().to_vec())
}

/// The entries from the first up to the first one that equals a value.
pub(crate) fn up_to<L: Entries>(list: L, sought: impl SearchedValue<L::Entry>) -> Result<Vec<L::Entry>, Fault> {
    let end = position(&list, &sought.entry())?.map_or(0, |position| position + 1);
    Ok(list.entries().get(..end).unwrap_or_default().to_vec())
}

/// The entries behind the first one that equals a value.
pub(crate) fn after<L: Entries>(list: L, sought: impl SearchedValue<L::Entry>) -> Result<Vec<L::Entry>, Fault> {
    let start = position(&list, &sought.entry())?.map_or(list.entries().len(), |position| position + 1);
    Ok(list.entries().get(start..).unwrap_or_default().to_vec())
}

/// One of the entries, drawn by lot.
pub(crate) fn pick<L: Entries>(table: &mut Table, lot: &str, list: L) -> Result<L::Entry, Fault> {
    let values = values_of(&list)?;
    let drawn = table.draw_lots(lot, crate::table::decision::Options::Values(&values))?;
    list.entries().get(drawn).cloned().ok_or_else(empty)
}

/// The entries in an order drawn by lot.
pub(crate) fn shuffled<L: Entries>(table: &mut Table, lot: &str, list: L) -> Result<Vec<L::Entry>, Fault> {
    let values = values_of(&list)?;
    let order = table.draw_order(lot, &values)?;
    Ok(order.into_iter().filter_map(|position| list.entries().get(position).cloned()).collect())
}

fn values_of<L: Entries>(list: &L) -> Result<Vec<Value>, Fault> {
    list.entries().iter().map(|entry| list.value(entry)).collect()
}

/// The entries by rising value; equals keep their order.
pub(crate) fn sorted<L: Entries>(list: L) -> Result<Vec<L::Entry>, Fault> {
    let values = ordered_values(&list, "sorted")?;
    let mut positions: Vec<usize> = (0..values.len()).collect();
    // Of `ordered_values`, any two can be compared.
    positions.sort_by(|&one, &other| order(&values[one], &values[other]).unwrap_or(Ordering::Equal));
    Ok(positions.into_iter().filter_map(|position| list.entries().get(position).cloned()).collect())
}

/// The highest entry or the lowest; the first of equals.
pub(crate) fn extreme<L: Entries>(list: L, highest: bool) -> Result<L::Entry, Fault> {
    let values = ordered_values(&list, if highest { "max" } else { "min" })?;
    let wanted = if highest { Ordering::Greater } else { Ordering::Less };
    let mut best = 0;
    for position in 1..values.len() {
        if order(&values[position], &values[best]) == Some(wanted) {
            best = position;
        }
    }
    list.entries().get(best).cloned().ok_or_else(empty)
}

pub(crate) fn sum<L: Entries>(list: L) -> Result<i64, Fault> {
    let mut sum: i128 = 0;
    for entry in list.entries() {
        match list.value(entry) {
            Ok(Value::Number(number)) => sum += i128::from(number),
            _ => {
                let message = "`sum` of a list adds numbers, and an entry is not one";
                return Err(Fault::rule(message).help("say what to add: `list.sum_of(|entry| …)`"));
            }
        }
    }
    i64::try_from(sum).map_err(|_| Fault::rule("the number is too large"))
}

/// The entries as values of which any two can be compared.
fn ordered_values<L: Entries>(list: &L, word: &str) -> Result<Vec<Value>, Fault> {
    let wrong = || {
        let message = message!("`{word}` of a list compares numbers, texts, or lists of such, all of one sort");
        Fault::rule(message).help(message!("say what to compare: `list.{word}_by(|entry| …)`"))
    };
    let values: Vec<Value> = values_of(list).map_err(|_| wrong())?;
    let is_number = |value: &Value| matches!(value, Value::Number(_));
    let is_text = |value: &Value| matches!(value, Value::Text(_));
    let of = |value: &Value, is: fn(&Value) -> bool| matches!(value, Value::List(list) if list.iter().all(is));
    let all = |is: &dyn Fn(&Value) -> bool| values.iter().all(is);
    let is_ordered =
        all(&is_number) || all(&is_text) || all(&|value| of(value, is_number)) || all(&|value| of(value, is_text));
    if is_ordered { Ok(values) } else { Err(wrong()) }
}

/// The order of two values; `None` where they cannot be compared.
fn order(one: &Value, other: &Value) -> Option<Ordering> {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => Some(one.cmp(other)),
        (Value::Text(one), Value::Text(other)) => Some(one.cmp(other)),
        (Value::List(one), Value::List(other)) => {
            for (one, other) in one.iter().zip(other.iter()) {
                match order(one, other)? {
                    Ordering::Equal => {}
                    decided => return Some(decided),
                }
            }
            Some(one.len().cmp(&other.len()))
        }
        _ => None,
    }
}

/// The components in all entries, each once.
pub(crate) fn components<L: Entries>(table: &Table, list: L) -> Result<Components, Fault> {
    let mut all: Vec<Component> = Vec::new();
    for entry in list.entries() {
        let held = list.components(table, entry).ok_or_else(|| {
            Fault::rule("each entry of the list has to be a component, a zone, or several of these")
                .help("`list.map(|entry| …)` makes a list of what each entry has")
        })?;
        all.extend(held);
        if all.len() > crate::definition::MAX_COMPONENTS + crate::script::MAX_LIST_ENTRIES {
            all = table.union(&all, &[]).to_vec();
        }
    }
    Ok(table.union(&all, &[]))
}
