//! What rules can ask about components: counting, finding, ordering.
//!
//! These are the typed bodies of the vocabulary that scripts use; each works on components in the order in which they
//! lie, wherever they lie.

use crate::definition::ZoneOrder;
use crate::table::bits::Bits;
use crate::table::layout::FaceValue;
use crate::table::value::{Component, Seat, Seats, Zone, Zones};
use crate::table::{Fault, Table};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::ops::Deref;

/// The highest sum that [`Table::can_sum_to`] looks for.
const MAX_SUM: i64 = 10_000;

/// Some components, in an order: what a search gives.
#[derive(Debug, PartialEq, Default)]
pub struct Components(pub SmallVec<[Component; FEW]>);

impl Clone for Components {
    fn clone(&self) -> Self {
        // In one piece; the list's own copy is made entry by entry.
        Self::from(&self.0[..])
    }
}

/// So many components make a list that takes no memory of its own: a hand of cards.
const FEW: usize = 16;

impl FromIterator<Component> for Components {
    fn from_iter<I: IntoIterator<Item = Component>>(list: I) -> Self {
        Self(list.into_iter().collect())
    }
}

impl From<&[Component]> for Components {
    fn from(list: &[Component]) -> Self {
        Self(SmallVec::from_slice(list))
    }
}

impl Components {
    /// Those of a list that fit, in their order.
    #[inline]
    pub fn that_fit(list: &[Component], mut fits: impl FnMut(Component) -> bool) -> Self {
        let mut kept = Self::from(list);
        let mut count = 0;
        // Each is written where the next one that fits belongs, so that nothing has to be guessed.
        for &component in list {
            kept.0[count] = component;
            count += usize::from(fits(component));
        }
        kept.0.truncate(count);
        kept
    }
}

impl Deref for Components {
    type Target = [Component];

    fn deref(&self) -> &[Component] {
        &self.0
    }
}

impl IntoIterator for Components {
    type Item = Component;
    type IntoIter = smallvec::IntoIter<[Component; FEW]>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// Something that components can be looked for in.
pub trait Holder {
    /// The components, in the order in which they lie.
    fn held<'t>(&'t self, table: &'t Table) -> Cow<'t, [Component]>;
}

impl Holder for Zone {
    fn held<'t>(&'t self, table: &'t Table) -> Cow<'t, [Component]> {
        Cow::Borrowed(table.zone(*self))
    }
}

impl Holder for [Zone] {
    fn held<'t>(&'t self, table: &'t Table) -> Cow<'t, [Component]> {
        Cow::Owned(self.iter().flat_map(|&zone| table.zone(zone)).copied().collect())
    }
}

impl Holder for [Component] {
    fn held<'t>(&'t self, _table: &'t Table) -> Cow<'t, [Component]> {
        Cow::Borrowed(self)
    }
}

/// The value that an attribute is compared with.
pub trait FaceKey {
    /// The value as the table holds it; nothing if no face has it.
    ///
    /// # Errors
    /// The attribute is never anything of this sort.
    fn face_value(&self, table: &Table, attribute: usize) -> Result<Option<FaceValue>, Fault>;
}

impl FaceKey for &str {
    fn face_value(&self, table: &Table, attribute: usize) -> Result<Option<FaceValue>, Fault> {
        table.layout().expect_texts(attribute, self)?;
        Ok(table.layout().word(self))
    }
}

impl FaceKey for i64 {
    fn face_value(&self, table: &Table, attribute: usize) -> Result<Option<FaceValue>, Fault> {
        table.layout().expect_numbers(attribute)?;
        Ok(Some(FaceValue::Number(*self)))
    }
}

impl Table {
    /// The number of an attribute that is looked at for numbers.
    ///
    /// # Errors
    /// An unknown attribute, or one that is a text wherever it stands.
    pub(crate) fn number_attribute(&self, name: &str) -> Result<usize, Fault> {
        let attribute = self.attribute(name)?;
        self.layout().expect_numbers(attribute)?;
        Ok(attribute)
    }

    /// The value of an attribute that the component has to have.
    ///
    /// # Errors
    /// It has none.
    fn value_on(&self, component: Component, attribute: usize) -> Result<FaceValue, Fault> {
        match self.face_value(component, attribute) {
            FaceValue::Absent => {
                let name = &self.layout().attributes[attribute];
                Err(Fault::rule(format!("{} has no {name}", self.label(component))))
            }
            value => Ok(value),
        }
    }

    /// The components of both lists, in order, each once.
    pub fn union(&self, one: &[Component], other: &[Component]) -> Components {
        let (mut both, mut seen) = (Components::from(one), Bits::default());
        both.0.extend_from_slice(other);
        Components::that_fit(&both, |component| seen.insert(component.index()))
    }

    /// How many have this value of an attribute.
    ///
    /// # Errors
    /// The attribute is never of this sort.
    pub fn count(&self, list: &[Component], attribute: usize, value: impl FaceKey) -> Result<i64, Fault> {
        let Some(value) = value.face_value(self, attribute)? else { return Ok(0) };
        Ok(list.iter().filter(|&&component| self.face_value(component, attribute) == value).count() as i64)
    }

    /// Those with this value of an attribute, or those without it.
    ///
    /// # Errors
    /// The attribute is never of this sort.
    pub fn with_value(
        &self,
        list: &[Component],
        attribute: usize,
        value: impl FaceKey,
        wanted: bool,
    ) -> Result<Components, Fault> {
        let value = value.face_value(self, attribute)?;
        Ok(Components::that_fit(list, |one| (Some(self.face_value(one, attribute)) == value) == wanted))
    }

    /// Those whose value of an attribute one of the others has too, or those whose value none of them has.
    pub fn sharing(&self, list: &[Component], attribute: usize, others: &[Component], wanted: bool) -> Components {
        let is_shared = |value: FaceValue| {
            value != FaceValue::Absent && others.iter().any(|&other| self.face_value(other, attribute) == value)
        };
        Components::that_fit(list, |one| is_shared(self.face_value(one, attribute)) == wanted)
    }

    /// Those whose number lies in a range, both ends included.
    pub fn between(&self, list: &[Component], attribute: usize, low: i64, high: i64) -> Components {
        Components::that_fit(list, |one| match self.face_value(one, attribute) {
            FaceValue::Number(number) => (low..=high).contains(&number),
            _ => false,
        })
    }

    /// How many the most frequent value of an attribute has; 0 if there are no components.
    pub fn largest_group(&self, list: &[Component], attribute: usize) -> i64 {
        let mut groups: Vec<(FaceValue, i64)> = Vec::with_capacity(8);
        for &component in list {
            let value = self.face_value(component, attribute);
            match groups.iter_mut().find(|(known, _)| *known == value) {
                _ if value == FaceValue::Absent => {}
                Some((_, count)) => *count += 1,
                None => groups.push((value, 1)),
            }
        }
        groups.into_iter().map(|(_, count)| count).max().unwrap_or(0)
    }

    /// The lowest number from `from` on that none of the components has.
    ///
    /// # Errors
    /// They have all up to the largest number.
    pub fn first_missing(&self, list: &[Component], attribute: usize, from: i64) -> Result<i64, Fault> {
        let has = |number: i64| list.iter().any(|&one| self.face_value(one, attribute) == FaceValue::Number(number));
        let mut missing = from;
        while has(missing) {
            missing = missing.checked_add(1).ok_or_else(too_large)?;
        }
        Ok(missing)
    }

    /// The first component of each value of an attribute; none of those that do not have it.
    pub fn one_of_each(&self, list: &[Component], attribute: usize) -> Components {
        let mut seen: Vec<FaceValue> = vec![FaceValue::Absent];
        Components::that_fit(list, |one| {
            let value = self.face_value(one, attribute);
            let is_new = !seen.contains(&value);
            seen.extend(is_new.then_some(value));
            is_new
        })
    }

    /// How many different values of an attribute there are.
    pub fn distinct(&self, list: &[Component], attribute: usize) -> i64 {
        let mut values: Vec<FaceValue> = list.iter().map(|&one| self.face_value(one, attribute)).collect();
        values.sort_unstable();
        values.dedup();
        values.into_iter().filter(|value| *value != FaceValue::Absent).count() as i64
    }

    /// Whether some of the components, one or more, sum to a number in a range, both ends included. Numbers below 0
    /// count as 0.
    ///
    /// # Errors
    /// A range that reaches beyond 10,000.
    pub fn can_sum_to(&self, list: &[Component], attribute: usize, low: i64, high: i64) -> Result<bool, Fault> {
        if high > MAX_SUM {
            return Err(Fault::rule(format!("sums are looked for up to {MAX_SUM}, not to {high}")));
        }
        let Ok(high) = usize::try_from(high) else { return Ok(false) };
        // Which sums up to `high` can be made; 0 at first with none of the components.
        let mut reached = vec![false; high + 1];
        let mut with_one = vec![false; high + 1];
        reached[0] = true;
        for &component in list {
            let number = match self.face_value(component, attribute) {
                FaceValue::Number(number) => usize::try_from(number).unwrap_or(0),
                _ => 0,
            };
            for sum in (number..=high).rev() {
                with_one[sum] |= reached[sum - number];
                reached[sum] |= reached[sum - number];
            }
        }
        let low = usize::try_from(low).unwrap_or(0);
        Ok(with_one.iter().skip(low).any(|sum| *sum))
    }

    /// The length of the longest stretch, in order, without two equal values of an attribute.
    pub fn longest_distinct_run(&self, list: &[Component], attribute: usize) -> i64 {
        let mut start = 0;
        let mut longest = 0;
        for (end, &component) in list.iter().enumerate() {
            let value = self.face_value(component, attribute);
            let repeated = list[start..end].iter().rposition(|&earlier| self.face_value(earlier, attribute) == value);
            if let Some(repeated) = repeated {
                start += repeated + 1;
            }
            longest = longest.max(end + 1 - start);
        }
        longest as i64
    }

    /// The sum of a number over the components; those without it count as 0.
    ///
    /// # Errors
    /// No number is so large.
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
    /// No components; none that has the attribute.
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
                [] => empty(&format!("there is nothing to find the {name} of")),
                _ => Fault::rule(format!("none of these {} components has a {name}", list.len())),
            }
        })
    }

    /// The components by rising number; equals keep their order.
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
        let mut ranked: SmallVec<[u32; FEW]> = list.iter().enumerate().map(rank).collect();
        ranked.sort_unstable();
        ranked.into_iter().map(|rank| list[usize::from(rank as u16)]).collect()
    }

    /// The same where no two are equal, as on most cards, and there are not many ranks: each sets the bit of its rank, and
    /// the bits are in order.
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

    /// Where a sequence is going: `up` or `down` by its last two components, `open` with fewer than two.
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

    /// Whether a component carries a sequence on in the way it is going; anything but an equal carries on a single one.
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

    /// The components beside one of a circle: the one before it and the one after it, each once.
    ///
    /// # Errors
    /// The component is not among them.
    pub fn neighbours(&self, list: &[Component], component: Component) -> Result<Components, Fault> {
        let position = list
            .iter()
            .position(|&other| other == component)
            .ok_or_else(|| Fault::rule(format!("{} is not here, so it has no neighbours", self.label(component))))?;
        let count = list.len();
        let before = list[(position + count - 1) % count];
        let after = list[(position + 1) % count];
        let mut neighbours: Components = [before, after].into_iter().filter(|&other| other != component).collect();
        neighbours.0.dedup();
        Ok(neighbours)
    }

    /// Moves a component into a zone that is kept by rising number, to its place there.
    ///
    /// # Errors
    /// A component without the attribute.
    pub fn move_in_order(&mut self, component: Component, zone: Zone, attribute: usize) -> Result<(), Fault> {
        let value = self.value_on(component, attribute)?;
        let held = self.zone(zone);
        let position = held.iter().filter(|&&other| other != component && self.face_value(other, attribute) < value);
        let position = position.count();
        self.move_to(component, zone, Some(position))
    }

    /// Moves components from the top of one zone to the top of another; fewer if there are not so many.
    ///
    /// # Errors
    /// A negative number; too many changes in one game.
    pub fn deal(&mut self, from: Zone, count: i64, to: Zone) -> Result<(), Fault> {
        if count < 0 {
            return Err(Fault::rule(format!("cannot deal {count} components")));
        }
        let held = self.zone(from);
        let count = usize::try_from(count).unwrap_or(usize::MAX).min(held.len());
        let mut dealt = Components::from(&held[held.len() - count..]);
        dealt.0.reverse();
        self.move_all(&dealt, to)
    }

    /// The first or the last component.
    ///
    /// # Errors
    /// No components.
    pub fn end(&self, list: &[Component], last: bool) -> Result<Component, Fault> {
        let found = if last { list.last() } else { list.first() };
        found.copied().ok_or_else(|| empty("there is no component here"))
    }

    /// The component at a position, from 0.
    ///
    /// # Errors
    /// No such position.
    pub fn at(&self, list: &[Component], position: i64) -> Result<Component, Fault> {
        usize::try_from(position).ok().and_then(|position| list.get(position)).copied().ok_or_else(|| {
            let message = format!("there is no position {position} among {} components", list.len());
            Fault::Rule { message, help: Some("positions count from 0".to_owned()) }
        })
    }

    /// The position of a component, from 0.
    ///
    /// # Errors
    /// It is not among them.
    pub fn position_of(&self, list: &[Component], component: Component) -> Result<i64, Fault> {
        let position = list.iter().position(|&other| other == component);
        position.map(|position| position as i64).ok_or_else(|| Fault::Rule {
            message: format!("{} is not here, so it has no position", self.label(component)),
            help: Some("ask `contains` first".to_owned()),
        })
    }

    /// The zone of that number among several, from 1.
    ///
    /// # Errors
    /// No such number.
    pub fn numbered(&self, zones: &[Zone], number: i64) -> Result<Zone, Fault> {
        let found = usize::try_from(number).ok().and_then(|number| zones.get(number.checked_sub(1)?));
        found.copied().ok_or_else(|| {
            let message = format!("there is no number {number} among {} zones", zones.len());
            Fault::Rule { message, help: Some("zones of a kind are numbered from 1".to_owned()) }
        })
    }

    /// The zones of several that hold nothing, or those that hold something.
    pub fn zones_by_emptiness(&self, zones: &[Zone], empty: bool) -> Zones {
        Zones(zones.iter().copied().filter(|&zone| self.zone(zone).is_empty() == empty).collect())
    }

    /// The player of that number, from 1.
    ///
    /// # Errors
    /// No such player at the table.
    pub fn player(&self, seats: Seats, number: i64) -> Result<Seat, Fault> {
        let found = usize::try_from(number).ok().and_then(|number| seats.as_slice().get(number.wrapping_sub(1)));
        found.copied().ok_or_else(|| {
            let message = format!("there is no player {number} among {}", seats.len());
            Fault::Rule { message, help: Some("players count from 1".to_owned()) }
        })
    }

    /// The player some places further on in turn order; negative numbers go back.
    pub fn player_after(&self, seat: Seat, places: i64) -> Seat {
        let seats = self.layout().seats as i64;
        Seat((seat.index() as i64 + places % seats).rem_euclid(seats) as u8)
    }

    /// The components of one list that are not in another.
    pub fn difference(&self, one: &[Component], other: &[Component]) -> Components {
        let removed = Bits::of(other.iter().map(|component| component.index()));
        Components::that_fit(one, |component| !removed.contains(component.index()))
    }

    /// Those that belong to a player.
    pub fn owned_by(&self, list: &[Component], seat: Seat) -> Components {
        Components::that_fit(list, |component| self.owner(component) == Some(seat))
    }

    /// Those that belong to a group of components.
    ///
    /// # Errors
    /// An unknown group, with the nearest name.
    pub fn of_group(&self, list: &[Component], group: usize) -> Components {
        let (_, members) = &self.layout().groups[group];
        Components::that_fit(list, |component| members.contains(&(self.face(component) as u16)))
    }

    /// The last components of a list, fewer if there are not so many.
    ///
    /// # Errors
    /// A negative number.
    pub fn top(&self, list: &[Component], count: i64) -> Result<Components, Fault> {
        let count = usize::try_from(count).map_err(|_| Fault::rule(format!("there are no {count} components")))?;
        Ok(list[list.len().saturating_sub(count)..].into())
    }

    /// Moves components to the bottom of a zone; the first of them becomes the lowest.
    ///
    /// # Errors
    /// Too many changes in one game.
    pub fn move_under(&mut self, list: &[Component], zone: Zone) -> Result<(), Fault> {
        list.iter().enumerate().try_for_each(|(position, &component)| self.move_to(component, zone, Some(position)))
    }

    /// The zone of that id.
    ///
    /// # Errors
    /// No such zone, with the nearest id.
    pub fn zone_named(&self, id: &str) -> Result<Zone, Fault> {
        let layout = self.layout();
        layout.zone_named(id).ok_or_else(|| Fault::unknown("zone", id, layout.zones.iter().map(|zone| &*zone.id)))
    }

    /// What a player can be offered from a zone: what lies there, of a hand in the order in which it is drawn.
    pub fn offered(&self, zone: Zone) -> Components {
        let held = self.zone(zone);
        if self.layout().zone_definition(zone).order != ZoneOrder::Hand {
            return held.into();
        }
        // Most tables show each component its own face, and a set of numbers is in order.
        if held.iter().all(|&component| self.face(component) == component.index()) {
            let faces = Bits::of(held.iter().map(|component| component.index()));
            return faces.iter().map(|face| Component(face as u16)).collect();
        }
        let mut held = Components::from(held);
        held.0.sort_unstable_by_key(|&component| self.face(component));
        held
    }

    /// The number of a component group, by its name.
    ///
    /// # Errors
    /// An unknown group, with the nearest name.
    pub(crate) fn group_number(&self, name: &str) -> Result<usize, Fault> {
        let groups = &self.layout().groups;
        let found = groups.iter().position(|(group, _)| group == name);
        found.ok_or_else(|| Fault::unknown("component group", name, groups.iter().map(|(group, _)| group.as_str())))
    }

    /// The members of a component group, in or out of play.
    pub fn group(&self, group: usize) -> Components {
        let (_, members) = &self.layout().groups[group];
        // By their faces, which a table that somebody imagines may have on other components.
        let count = self.layout().faces.len() as u16;
        let is_member = |&component: &Component| members.contains(&(self.face(component) as u16));
        let mut found: Components = (0..count).map(Component).filter(is_member).collect();
        found.0.sort_by_key(|&component| self.face(component));
        found
    }
}

fn too_large() -> Fault {
    Fault::rule("the number is too large")
}

fn empty(message: &str) -> Fault {
    Fault::Rule { message: message.to_owned(), help: Some("ask `is_empty` first".to_owned()) }
}
