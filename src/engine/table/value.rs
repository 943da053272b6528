//! The handles and values that rules work with: small, copyable, and meaningless without their table.

pub use crate::definition::MAX_SEATS;

use crate::definition::Scalar;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// Handle of a physical object: it keeps its identity wherever it goes, whatever face it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Component(pub u16);

/// Handle of a place where components lie: one ring, one player's second column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Zone(pub u16);

/// Several zones, such as the columns of a player; numbered from 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Zones(pub Vec<Zone>);

/// A seat at the table; printed as `p1`, `p2` … in turn order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seat(pub u8);

/// The name of no player, for people and in files.
pub const NOBODY: &str = "nobody";

/// The name of no component and no zone, for people and in files.
pub const NOTHING: &str = "nothing";

/// Some of the seats, in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seats {
    seats: [Seat; MAX_SEATS],
    len: u8,
}

/// A value of the rules: what an option can stand for, and what a variable can hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A whole number.
    Number(i64),
    /// True or false; as an option, yes or no.
    Truth(bool),
    Text(Arc<str>),
    /// A card, die or token.
    Component(Component),
    /// A component that lies face down before the asked seat, told by its place. Only options as they are shown contain
    /// these.
    Back(Back),
    /// A player.
    Seat(Seat),
    /// No player: the value of a player variable without a player.
    Nobody,
    /// No component and no zone: the value of such a variable without one.
    Nothing,
    Zone(Zone),
    /// Several parts with names, such as an act and the card that it is done with.
    Parts(Parts),
    /// Several values chosen together.
    List(Arc<[Value]>),
}

/// A component that lies face down before a viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Back {
    pub component: Component,
    /// The zone in which the component lies.
    pub zone: Zone,
    /// Place in the zone, from 1 at the bottom or left. In another player's hand, which has no order, only components
    /// that the viewer does not know are counted.
    pub number: u16,
}

/// An option of several named parts, in the order in which the rules gave them. The order is for reading: options that
/// have equal parts are equal.
#[derive(Clone, Debug)]
pub struct Parts(pub Arc<[(Arc<str>, Value)]>);

impl From<&Scalar> for Value {
    fn from(plain: &Scalar) -> Self {
        match plain {
            Scalar::Number(number) => Self::Number(*number),
            Scalar::Truth(truth) => Self::Truth(*truth),
            Scalar::Text(text) => Self::Text(text.as_str().into()),
        }
    }
}

impl Value {
    /// Every component in the value: itself, or those of its parts or entries.
    pub fn components(&self) -> Vec<Component> {
        match self {
            Self::Component(component) | Self::Back(Back { component, .. }) => vec![*component],
            Self::Parts(parts) => parts.0.iter().flat_map(|(_, part)| part.components()).collect(),
            Self::List(list) => list.iter().flat_map(Self::components).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether `is_it` is true of any component in the value. Components that are told by their places are not looked
    /// at.
    pub fn any_component(&self, is_it: &mut impl FnMut(Component) -> bool) -> bool {
        match self {
            Self::Component(component) => is_it(*component),
            Self::Parts(parts) => parts.0.iter().any(|(_, part)| part.any_component(is_it)),
            Self::List(list) => list.iter().any(|item| item.any_component(is_it)),
            _ => false,
        }
    }

    /// The value with each component that is told by its place replaced by the component itself.
    #[must_use]
    pub fn with_backs_turned(&self) -> Self {
        match self {
            Self::Back(back) => Self::Component(back.component),
            Self::Parts(Parts(parts)) => {
                Self::Parts(Parts(parts.iter().map(|(name, part)| (name.clone(), part.with_backs_turned())).collect()))
            }
            Self::List(list) => Self::List(list.iter().map(Self::with_backs_turned).collect()),
            value => value.clone(),
        }
    }

    /// The value with each component replaced by what `other` gives for it.
    #[must_use]
    pub fn with_components(&self, other: &mut impl FnMut(Component) -> Self) -> Self {
        match self {
            Self::Component(component) => other(*component),
            Self::Parts(Parts(parts)) => {
                let part = |(name, part): &(Arc<str>, Self)| (name.clone(), part.with_components(other));
                Self::Parts(Parts(parts.iter().map(part).collect()))
            }
            Self::List(list) => Self::List(list.iter().map(|item| item.with_components(other)).collect()),
            value => value.clone(),
        }
    }

    /// Approximate size in bytes.
    pub fn bytes(&self) -> usize {
        let own = size_of::<Self>();
        match self {
            Self::Text(text) => Self::bytes_of_text(text),
            Self::Parts(parts) => {
                own + parts.0.iter().map(|(name, part)| Self::bytes_of_part(name, part.bytes())).sum::<usize>()
            }
            Self::List(list) => own + list.iter().map(Self::bytes).sum::<usize>(),
            _ => own,
        }
    }

    /// Approximate size in bytes of a text as a value.
    pub(super) fn bytes_of_text(text: &str) -> usize {
        size_of::<Self>() + text.len() + 16
    }

    /// Approximate size in bytes of a part of an option whose value has this size.
    pub(super) fn bytes_of_part(name: &str, value: usize) -> usize {
        name.len() + 32 + value
    }
}

/// The components of a list that contains one or more of them and nothing else, as rules get it; `None` for other
/// lists.
pub(crate) fn components_alone(list: &[Value]) -> Option<Vec<Component>> {
    let component = |value: &Value| match value {
        Value::Component(component) => Some(*component),
        _ => None,
    };
    list.iter().map(component).collect::<Option<Vec<_>>>().filter(|list| !list.is_empty())
}

impl Seat {
    /// The number in `p1`, `p2` …; from 1.
    pub fn number(self) -> usize {
        usize::from(self.0) + 1
    }

    /// The seat with this number, from 1; `None` for a number that no table has.
    pub fn from_number(number: usize) -> Option<Self> {
        (1..=MAX_SEATS).contains(&number).then(|| Self((number - 1) as u8))
    }

    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The seat's bit in a set of seats.
    pub fn bit(self) -> u16 {
        1 << self.0
    }
}

impl std::fmt::Display for Seat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "p{}", self.number())
    }
}

impl Component {
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl Zone {
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl std::ops::Deref for Zones {
    type Target = [Zone];

    fn deref(&self) -> &[Zone] {
        &self.0
    }
}

impl Seats {
    /// The seats 1 to `count`, in turn order. At most [`MAX_SEATS`] are taken.
    pub fn all(count: usize) -> Self {
        (0..count.min(MAX_SEATS)).map(|index| Seat(index as u8)).collect()
    }

    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Whether there are no seats.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The seats as a slice, in order.
    pub fn as_slice(&self) -> &[Seat] {
        &self.seats[..self.len()]
    }

    /// The seats in the same circle, beginning with `first`; unchanged if it is not among them.
    pub fn starting_with(&self, first: Seat) -> Self {
        let start = self.as_slice().iter().position(|&seat| seat == first).unwrap_or(0);
        (0..self.len()).map(|index| self.seats[(start + index) % self.len()]).collect()
    }
}

impl FromIterator<Seat> for Seats {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        let mut list = Self { seats: [Seat(0); MAX_SEATS], len: 0 };
        for (slot, seat) in list.seats.iter_mut().zip(seats) {
            *slot = seat;
            list.len += 1;
        }
        list
    }
}

impl IntoIterator for Seats {
    type Item = Seat;
    type IntoIter = std::iter::Take<std::array::IntoIter<Seat, MAX_SEATS>>;

    fn into_iter(self) -> Self::IntoIter {
        self.seats.into_iter().take(self.len())
    }
}

impl Parts {
    /// The part with this name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(part, _)| &**part == name).map(|(_, value)| value)
    }
}

impl PartialEq for Parts {
    fn eq(&self, other: &Self) -> bool {
        // Most often the parts of two options stand in the same order.
        self.0.len() == other.0.len()
            && (self.0 == other.0 || self.0.iter().all(|(name, value)| other.get(name) == Some(value)))
    }
}

impl Eq for Parts {}

impl Hash for Parts {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The order of the parts must not count.
        let part = |part: &(Arc<str>, Value)| {
            let mut hasher = DefaultHasher::new();
            part.hash(&mut hasher);
            hasher.finish()
        };
        state.write_u64(self.0.iter().map(part).fold(0, u64::wrapping_add));
    }
}

impl IntoIterator for Zones {
    type Item = Zone;
    type IntoIter = std::vec::IntoIter<Zone>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_go_round() {
        let seats = Seats::all(4).starting_with(Seat(2));
        assert_eq!(seats.into_iter().map(Seat::number).collect::<Vec<_>>(), [3, 4, 1, 2]);
    }
}
