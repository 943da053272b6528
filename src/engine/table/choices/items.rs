//! The values of one part over a series of options, kept as the rules gave them.

use super::{PLAIN_SORTS, sort_of_option};
use crate::table::bits::Bits;
use crate::table::decision::Options;
use crate::table::value::{Component, Seats, Value, Zones};
use crate::table::words::Components;
use std::collections::HashSet;
use std::sync::Arc;

/// The values of one part over a series of options.
#[derive(Clone, Debug)]
pub enum Items {
    /// The same value in all options.
    One(Value),
    /// Each of some components.
    Components(Components),
    /// Each of some zones.
    Zones(Zones),
    /// Each of some players.
    Seats(Seats),
    /// Each of some values.
    Values(Arc<[Value]>),
}

impl Items {
    /// Number of items.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Components(list) => list.0.len(),
            Self::Zones(list) => list.0.len(),
            Self::Seats(list) => list.len(),
            Self::Values(list) => list.len(),
        }
    }

    /// The item at a position below [`len`](Self::len).
    pub(super) fn value(&self, position: usize) -> Value {
        match self {
            Self::One(value) => value.clone(),
            Self::Components(list) => Value::Component(list.0[position]),
            Self::Zones(list) => Value::Zone(list.0[position]),
            Self::Seats(list) => Value::Seat(list.as_slice()[position]),
            Self::Values(list) => list[position].clone(),
        }
    }

    /// The sort of the item at a position; see [`sort_of_option`].
    pub(super) fn sort(&self, position: usize) -> Option<&str> {
        let [component, player, zone, _] = PLAIN_SORTS;
        match self {
            Self::One(value) => sort_of_option(value),
            Self::Components(_) => Some(component),
            Self::Zones(_) => Some(zone),
            Self::Seats(_) => Some(player),
            Self::Values(list) => sort_of_option(list.get(position)?),
        }
    }

    pub(super) fn any_component(&self, is_it: &mut impl FnMut(Component) -> bool) -> bool {
        match self {
            Self::One(value) => value.any_component(is_it),
            Self::Components(list) => list.0.iter().any(|&component| is_it(component)),
            Self::Zones(_) | Self::Seats(_) => false,
            Self::Values(list) => list.iter().any(|value| value.any_component(is_it)),
        }
    }

    /// Every item as a value.
    pub fn iter(&self) -> impl Iterator<Item = Value> {
        (0..self.len()).map(|position| self.value(position))
    }

    pub(super) fn contains(&self, wanted: &Value) -> bool {
        match (self, wanted) {
            (Self::One(value), wanted) => value == wanted,
            (Self::Components(list), Value::Component(wanted)) => list.0.contains(wanted),
            (Self::Zones(list), Value::Zone(wanted)) => list.0.contains(wanted),
            (Self::Seats(list), Value::Seat(wanted)) => list.as_slice().contains(wanted),
            (Self::Values(list), wanted) => list.contains(wanted),
            (Self::Components(_) | Self::Zones(_) | Self::Seats(_), _) => false,
        }
    }

    pub(super) fn overlap(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::One(value), other) | (other, Self::One(value)) => other.contains(value),
            (Self::Components(some), Self::Components(others)) => {
                let others = Bits::of(others.0.iter().map(|component| component.index()));
                some.0.iter().any(|component| others.contains(component.index()))
            }
            (Self::Values(some), Self::Values(others)) => {
                let others: HashSet<&Value> = others.iter().collect();
                some.iter().any(|value| others.contains(value))
            }
            // Seats and zones are few.
            (some, other) => some.iter().any(|value| other.contains(&value)),
        }
    }

    pub(super) fn has_equals(&self) -> bool {
        match self {
            Self::One(_) => false,
            Self::Components(list) => Options::Components(&list.0).equal_pair().is_some(),
            Self::Zones(list) => Options::Zones(&list.0).equal_pair().is_some(),
            Self::Seats(list) => Options::Seats(list.as_slice()).equal_pair().is_some(),
            Self::Values(list) => Options::Values(list).equal_pair().is_some(),
        }
    }

    /// Approximate size of all items in bytes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::One(value) => value.bytes(),
            Self::Components(list) => size_of_val(&list.0[..]),
            Self::Zones(list) => size_of_val(&list.0[..]),
            Self::Seats(_) => 0,
            Self::Values(list) => list.iter().map(Value::bytes).sum(),
        }
    }

    /// Approximate size of the largest item in bytes.
    pub(crate) fn most_bytes(&self) -> usize {
        match self {
            Self::One(value) => value.bytes(),
            Self::Components(_) | Self::Zones(_) | Self::Seats(_) => size_of::<Value>(),
            Self::Values(list) => list.iter().map(Value::bytes).max().unwrap_or(0),
        }
    }
}

impl From<Value> for Items {
    fn from(value: Value) -> Self {
        Self::One(value)
    }
}

impl From<Components> for Items {
    fn from(list: Components) -> Self {
        Self::Components(list)
    }
}

impl From<Zones> for Items {
    fn from(list: Zones) -> Self {
        Self::Zones(list)
    }
}

impl From<Seats> for Items {
    fn from(list: Seats) -> Self {
        Self::Seats(list)
    }
}

impl From<Vec<Value>> for Items {
    fn from(list: Vec<Value>) -> Self {
        Self::Values(list.into())
    }
}
