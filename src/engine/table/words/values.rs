//! Components by the values of their attributes: counting, finding, grouping, ordering.

use super::{Components, FaceKey, INLINE_COMPONENTS, empty};
use crate::diagnostic::message;
use crate::table::bits::Bits;
use crate::table::layout::FaceValue;
use crate::table::value::{Component, Value};
use crate::table::{Fault, Table};
use smallvec::SmallVec;

/// The highest sum that [`Table::can_sum_to`] looks for.
pub(crate) const MAX_SUM: i64 = 10_000;

impl Table {
    /// Number of components with this value of an attribute.
    ///
    /// # Errors
    /// The attribute never has a value of this type.
    pub fn count(&self, list: &[Component], attribute: usize, value: impl FaceKey) -> Result<i64, Fault> {
        let Some(value) = value.face_value(self, attribute)? else { return Ok(0) };
        Ok(list.iter().filter(|&&component| self.face_value(component, attribute) == value).count() as i64)
    }

    /// The components with this value of an attribute, or those without it, by `wanted`.
    ///
    /// # Errors
    /// The attribute never has a value of this type.
    pub fn with_value(
        &self,
        list: &[Component],
        attribute: usize,
        value: impl FaceKey,
        wanted: bool,
    ) -> Result<Components, Fault> {
        let value = value.face_value(self, attribute)?;
        Ok(Components::filtered(list, |one| (Some(self.face_value(one, attribute)) == value) == wanted))
    }

    /// The components whose value of an attribute one of `others` has too, or those whose value none of them has, by
    /// `wanted`.
    pub fn sharing(&self, list: &[Component], attribute: usize, others: &[Component], wanted: bool) -> Components {
        let mut values: SmallVec<[FaceValue; INLINE_COMPONENTS]> =
            others.iter().map(|&component| self.face_value(component, attribute)).collect();
        values.sort_unstable();
        let is_shared = |value: FaceValue| value != FaceValue::Absent && values.binary_search(&value).is_ok();
        Components::filtered(list, |one| is_shared(self.face_value(one, attribute)) == wanted)
    }

    /// The components whose number lies in a range, both ends included.
    pub fn between(&self, list: &[Component], attribute: usize, low: i64, high: i64) -> Components {
        Components::filtered(list, |one| match self.face_value(one, attribute) {
            FaceValue::Number(number) => (low..=high).contains(&number),
            _ => false,
        })
    }

    /// Number of components with the most frequent value of an attribute; 0 if there are no components.
    pub fn largest_group(&self, list: &[Component], attribute: usize) -> i64 {
        let mut values: SmallVec<[FaceValue; INLINE_COMPONENTS]> =
            list.iter().map(|&component| self.face_value(component, attribute)).collect();
        values.sort_unstable();
        let groups = values.chunk_by(|one, other| one == other).filter(|group| group[0] != FaceValue::Absent);
        groups.map(|group| group.len() as i64).max().unwrap_or(0)
    }

    /// The lowest number from `from` on that none of the components has.
    ///
    /// # Errors
    /// The components have all numbers up to the largest possible one.
    pub fn first_missing(&self, list: &[Component], attribute: usize, from: i64) -> Result<i64, Fault> {
        let number = |&one: &Component| match self.face_value(one, attribute) {
            FaceValue::Number(number) => Some(number).filter(|number| *number >= from),
            _ => None,
        };
        let mut numbers: SmallVec<[i64; INLINE_COMPONENTS]> = list.iter().filter_map(number).collect();
        numbers.sort_unstable();
        let mut missing = from;
        for number in numbers {
            if number == missing {
                missing = missing.checked_add(1).ok_or_else(too_large)?;
            }
        }
        Ok(missing)
    }

    /// The first component with each value of an attribute, without components that lack it.
    pub fn one_of_each(&self, list: &[Component], attribute: usize) -> Components {
        let firsts = self.by_value(list, attribute);
        let firsts = firsts.chunk_by(|one, other| one.0 == other.0).map(|equal| equal[0]);
        let firsts = Bits::of(firsts.filter(|(value, _)| *value != FaceValue::Absent).map(|(_, position)| position));
        let mut positions = 0..;
        Components::filtered(list, |_| positions.next().is_some_and(|position| firsts.contains(position)))
    }

    /// Number of different values of an attribute.
    pub fn distinct(&self, list: &[Component], attribute: usize) -> i64 {
        let values = list.iter().map(|&one| self.face_value(one, attribute));
        let mut values: SmallVec<[FaceValue; INLINE_COMPONENTS]> =
            values.filter(|value| *value != FaceValue::Absent).collect();
        values.sort_unstable();
        values.dedup();
        values.len() as i64
    }

    /// Whether some of the components, one or more, sum to a number in a range, both ends included. Numbers below 0
    /// count as 0.
    ///
    /// # Errors
    /// The range reaches beyond 10,000.
    pub fn can_sum_to(&self, list: &[Component], attribute: usize, low: i64, high: i64) -> Result<bool, Fault> {
        if high > MAX_SUM {
            return Err(Fault::rule(message!("sums are looked for up to {MAX_SUM}, not to {high}")));
        }
        let Ok(high) = usize::try_from(high) else { return Ok(false) };
        // Which sums up to `high` can be made, as bits; 0 at first with none of the components.
        let mut reached = vec![0_u64; high / 64 + 1];
        let mut with_one = reached.clone();
        reached[0] = 1;
        for &component in list {
            let number = match self.face_value(component, attribute) {
                FaceValue::Number(number) => usize::try_from(number).unwrap_or(0),
                _ => 0,
            };
            let (words, bits) = (number / 64, number % 64);
            for place in (words..reached.len()).rev() {
                let below = (place > words && bits > 0).then(|| reached[place - words - 1] >> (64 - bits));
                let sums = reached[place - words] << bits | below.unwrap_or(0);
                with_one[place] |= sums;
                reached[place] |= sums;
            }
        }
        let low = usize::try_from(low).unwrap_or(0);
        Ok((low..=high).any(|sum| with_one[sum / 64] >> (sum % 64) & 1 == 1))
    }

    /// The components grouped by value of an attribute: the largest group first, of equally large ones the one with the
    /// higher value. In a group they keep their order; components that lack the attribute are in none.
    pub fn groups(&self, list: &[Component], attribute: usize) -> Vec<Components> {
        let mut by_value: Vec<(FaceValue, Component)> = self.with_values(list, attribute);
        by_value.sort_by(|(one, _), (other, _)| other.cmp(one));
        let equal = by_value.chunk_by(|(one, _), (other, _)| one == other);
        let mut groups: Vec<Components> =
            equal.map(|group| group.iter().map(|(_, component)| *component).collect()).collect();
        groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
        groups
    }

    /// The maximal runs of components whose numbers follow each other, the longest first, of equally long ones the one
    /// that reaches higher. Each component is in one run: of several with equal numbers, the first is in the first run
    /// over that number, the second in one of those that are left, and so on. Components without a number are in none.
    pub fn runs(&self, list: &[Component], attribute: usize) -> Vec<Components> {
        let number = |(value, component): (FaceValue, Component)| match value {
            FaceValue::Number(number) => Some((number, component)),
            _ => None,
        };
        let mut numbered: Vec<(i64, Component)> =
            self.with_values(list, attribute).into_iter().filter_map(number).collect();
        numbered.sort_by_key(|(number, _)| *number);
        // The number of equals before each component; those with as many before them all differ.
        let mut layered: Vec<(usize, i64, Component)> = Vec::with_capacity(numbered.len());
        for group in numbered.chunk_by(|(one, _), (other, _)| one == other) {
            layered.extend(group.iter().enumerate().map(|(before, (number, component))| (before, *number, *component)));
        }
        layered.sort_by_key(|(before, number, _)| (*before, *number));
        let follows = |one: &(usize, i64, Component), other: &(usize, i64, Component)| {
            one.0 == other.0 && one.1.checked_add(1) == Some(other.1)
        };
        let mut runs: Vec<&[(usize, i64, Component)]> = layered.chunk_by(follows).collect();
        runs.sort_by_key(|run| std::cmp::Reverse((run.len(), run.last().map(|(_, number, _)| *number))));
        runs.into_iter().map(|run| run.iter().map(|(_, _, component)| *component).collect()).collect()
    }

    /// The [`runs`](Self::runs) among components that have equal values of another attribute, `within`; those that lack
    /// it are in none.
    pub fn runs_within(&self, list: &[Component], attribute: usize, within: usize) -> Vec<Components> {
        let groups = self.groups(list, within);
        let mut runs: Vec<Components> = groups.iter().flat_map(|group| self.runs(group, attribute)).collect();
        let rank = |run: &Components| {
            let last = run.last().map(|&component| self.face_value(component, attribute));
            let of = run.first().map(|&component| self.face_value(component, within));
            std::cmp::Reverse((run.len(), last, of))
        };
        runs.sort_by_cached_key(rank);
        runs
    }

    /// The values of an attribute in ascending order, each with its position in the list; equal values by their
    /// positions.
    fn by_value(&self, list: &[Component], attribute: usize) -> SmallVec<[(FaceValue, usize); INLINE_COMPONENTS]> {
        let valued = list.iter().enumerate().map(|(position, &one)| (self.face_value(one, attribute), position));
        let mut valued: SmallVec<[(FaceValue, usize); INLINE_COMPONENTS]> = valued.collect();
        valued.sort_unstable();
        valued
    }

    /// The components that have an attribute, each with its value.
    fn with_values(&self, list: &[Component], attribute: usize) -> Vec<(FaceValue, Component)> {
        let valued = list.iter().map(|&component| (self.face_value(component, attribute), component));
        valued.filter(|(value, _)| *value != FaceValue::Absent).collect()
    }

    /// The value of an attribute of a component; `None` if it has none.
    pub fn attribute_value(&self, component: Component, attribute: usize) -> Option<Value> {
        match self.face_value(component, attribute) {
            FaceValue::Number(number) => Some(Value::Number(number)),
            FaceValue::Word(word) => self.layout().words.get(usize::from(word)).map(|word| Value::Text(word.clone())),
            FaceValue::Absent => None,
        }
    }

    /// The value of an attribute of a component, which has to have it.
    ///
    /// # Errors
    /// The component lacks the attribute.
    pub fn attribute_of(&self, component: Component, attribute: usize) -> Result<Value, Fault> {
        self.value_on(component, attribute)?;
        self.attribute_value(component, attribute).ok_or_else(|| Fault::rule("there is no such value"))
    }

    /// Length of the longest stretch of a list, in order, without two equal values of an attribute.
    pub fn longest_distinct_run(&self, list: &[Component], attribute: usize) -> i64 {
        let mut before: Vec<Option<usize>> = vec![None; list.len()];
        for pair in self.by_value(list, attribute).windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            before[pair[1].1] = Some(pair[0].1);
        }
        let mut start = 0;
        let mut longest = 0;
        for (end, before) in before.into_iter().enumerate() {
            start = before.map_or(start, |before| start.max(before + 1));
            longest = longest.max(end + 1 - start);
        }
        longest as i64
    }

    /// The sum of an attribute's numbers over the components; those that lack it count as 0.
    ///
    /// # Errors
    /// The sum is beyond 64 bits.
    pub fn sum(&self, list: &[Component], attribute: usize) -> Result<i64, Fault> {
        let number = |component: &Component| match self.face_value(*component, attribute) {
            FaceValue::Number(number) => i128::from(number),
            _ => 0,
        };
        // Wide enough for any number of components, so that their order does not matter.
        i64::try_from(list.iter().map(number).sum::<i128>()).map_err(|_| too_large())
    }

    /// The component with the highest or the lowest value of an attribute, among those that have one; the first of equals.
    ///
    /// # Errors
    /// There are no components, or none has the attribute.
    pub fn extreme(&self, list: &[Component], attribute: usize, highest: bool) -> Result<Component, Fault> {
        let with_value = list.iter().copied().map(|component| (self.face_value(component, attribute), component));
        let with_value = with_value.filter(|(value, _)| *value != FaceValue::Absent);
        // `max_by_key` gives the last of equals, `min_by_key` the first.
        let found = match highest {
            true => with_value.rev().max_by_key(|(value, _)| *value),
            false => with_value.min_by_key(|(value, _)| *value),
        };
        found.map(|(_, component)| component).ok_or_else(|| {
            let name = &self.layout().attributes[attribute];
            match list {
                [] => empty(message!("there is nothing to find the {name} of")),
                _ => Fault::rule(message!("none of these {} components has a {name}", list.len())),
            }
        })
    }

    /// The components in ascending order of an attribute's values; equals keep their order.
    pub fn sorted(&self, list: &[Component], attribute: usize) -> Components {
        let Some(ranks) = self.layout().ranks(attribute) else {
            let mut sorted = Components::from(list);
            sorted.0.sort_by_key(|&component| self.face_value(component, attribute));
            return sorted;
        };
        if let Some(sorted) = self.sorted_by_bits(list, ranks) {
            return sorted;
        }
        // Rank and position in one number, so that equals keep their order whatever sorts them.
        let rank = |(position, &component): (usize, &Component)| {
            u32::from(ranks[self.face(component)]) << 16 | position as u32
        };
        let mut ranked: SmallVec<[u32; INLINE_COMPONENTS]> = list.iter().enumerate().map(rank).collect();
        ranked.sort_unstable();
        ranked.into_iter().map(|rank| list[usize::from(rank as u16)]).collect()
    }

    /// Sorts components of which no two are equal, as with most cards, and whose ranks are low: each sets the bit of
    /// its rank, and the bits are in order. `None` for other lists.
    fn sorted_by_bits(&self, list: &[Component], ranks: &[u16]) -> Option<Components> {
        const WORDS: usize = 2;
        let mut bits = [0_u64; WORDS];
        let mut by_rank = [Component(0); 64 * WORDS];
        for &component in list {
            let rank = usize::from(ranks[self.face(component)]);
            let word = bits.get_mut(rank / 64)?;
            if *word & 1 << (rank % 64) != 0 {
                return None;
            }
            *word |= 1 << (rank % 64);
            by_rank[rank] = component;
        }
        let mut sorted = Components::from(list);
        let mut places = sorted.0.iter_mut();
        for (word, mut rest) in bits.into_iter().enumerate() {
            while rest != 0 {
                if let Some(place) = places.next() {
                    *place = by_rank[64 * word + rest.trailing_zeros() as usize];
                }
                rest &= rest - 1;
            }
        }
        Some(sorted)
    }

    /// The direction of a sequence: `up` or `down` by its last two components, `open` with fewer than two or equal
    /// ones.
    ///
    /// # Errors
    /// A component without the attribute.
    pub fn trend(&self, list: &[Component], attribute: usize) -> Result<&'static str, Fault> {
        let [.., before, last] = list else { return Ok("open") };
        Ok(match self.value_on(*last, attribute)?.cmp(&self.value_on(*before, attribute)?) {
            std::cmp::Ordering::Greater => "up",
            std::cmp::Ordering::Less => "down",
            std::cmp::Ordering::Equal => "open",
        })
    }

    /// Whether a component continues a sequence in its direction; where that is open, any other value than the last one
    /// does.
    ///
    /// # Errors
    /// A component without the attribute.
    pub fn carries_on(&self, list: &[Component], component: Component, attribute: usize) -> Result<bool, Fault> {
        let trend = self.trend(list, attribute)?;
        let Some(&last) = list.last() else { return Ok(true) };
        let order = self.value_on(component, attribute)?.cmp(&self.value_on(last, attribute)?);
        Ok(match trend {
            "up" => order.is_gt(),
            "down" => order.is_lt(),
            _ => order.is_ne(),
        })
    }
}

fn too_large() -> Fault {
    Fault::rule("the number is too large")
}
