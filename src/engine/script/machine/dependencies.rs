//! What the results of functions depend on, and the arguments of calls, by which a result can be used again.
//!
//! A function gives the same result, and does the same, on two tables where everything that it depends on is the same.

mod analysis;

use super::packed::PackedList;
use super::value::{PlainKind, RegisterValue};
use crate::table::Table;
use crate::table::value::{Component, Zone};

pub use analysis::WordEffect;
pub(super) use analysis::dependencies;

/// What a function depends on, and what it does.
#[derive(Clone, Debug, Default)]
pub struct Dependencies {
    /// `None` where the function can depend on anything.
    places: Option<Places>,
    /// Whether the function only gives a value: it changes nothing, asks nobody, and draws no lots.
    pub is_pure: bool,
    /// The depth of the calls that the function can make.
    pub depth: u16,
}

/// What a function depends on, as indices of versions.
#[derive(Clone, Debug, Default)]
struct Places {
    /// What it depends on in any case.
    fixed: Box<[u32]>,
    /// For each of the first arguments, what it depends on where the argument is a player, for each seat.
    of_seats: [Box<[Box<[u32]>]>; MAX_PLAIN_ARGUMENTS],
    /// For each of the first arguments, whether the function looks into it.
    looks: [bool; MAX_PLAIN_ARGUMENTS],
}

impl Dependencies {
    /// Whether it is known what the function depends on.
    pub fn is_known(&self) -> bool {
        self.places.is_some()
    }

    /// The newest version of all that the function depends on, for a call with these arguments; `None` where that is
    /// not known.
    #[inline]
    pub fn version(&self, table: &Table, given: &PlainArguments) -> Option<u64> {
        let places = self.places.as_ref()?;
        let mut newest = table.newest_version(&places.fixed);
        for number in 0..given.count {
            let version = if given.is_of(number, PlainKind::Player) {
                let places = places.of_seats[number].get(given.bits[number] as usize);
                places.map_or(0, |places| table.newest_version(places))
            } else if places.looks[number] {
                given.version(number, table)
            } else {
                0
            };
            newest = newest.max(version);
        }
        Some(newest)
    }
}

fn newest_of(versions: impl Iterator<Item = u64>) -> u64 {
    versions.max().unwrap_or(0)
}

/// Maximum number of arguments of a call that can be told from others.
pub const MAX_PLAIN_ARGUMENTS: usize = 3;

/// The arguments of a call, where all of them lie behind no pointer. They are equal where their values are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlainArguments {
    /// The kinds of all, each in a byte.
    kinds: u32,
    bits: [u64; MAX_PLAIN_ARGUMENTS],
    count: usize,
}

impl PlainArguments {
    /// One argument; `None` where it is not plain.
    pub fn of(argument: &RegisterValue) -> Option<Self> {
        let mut plain = Self::default();
        plain.push(argument).then_some(plain)
    }

    /// Adds an argument; false where there are too many, or it is not plain.
    #[inline]
    pub fn push(&mut self, argument: &RegisterValue) -> bool {
        let (Some(place), Some((kind, bits))) = (self.bits.get_mut(self.count), argument.plain()) else { return false };
        *place = bits;
        self.kinds |= (kind as u32) << (8 * self.count);
        self.count += 1;
        true
    }

    #[inline]
    fn is_of(&self, number: usize, kind: PlainKind) -> bool {
        self.kinds >> (8 * number) & 0xff == kind as u32
    }

    /// The newest version of what lies in the zones that an argument is, or around the components that it is.
    #[inline]
    fn version(&self, number: usize, table: &Table) -> u64 {
        let bits = self.bits[number];
        if self.is_of(number, PlainKind::Zone) {
            table.version_of_zone(Zone(bits as u16))
        } else if self.is_of(number, PlainKind::Component) {
            table.version_around(Component(bits as u16))
        } else if self.is_of(number, PlainKind::Zones) {
            newest_of(PackedList::of_bits(bits).iter().map(|zone: Zone| table.version_of_zone(zone)))
        } else if self.is_of(number, PlainKind::Components) {
            newest_of(PackedList::of_bits(bits).iter().map(|one: Component| table.version_around(one)))
        } else {
            0
        }
    }

    /// A number by which arguments can be found again; others may have the same one.
    #[inline]
    pub fn hash(&self) -> usize {
        let [first, second, third] = self.bits;
        let mixed = first ^ second.rotate_left(21) ^ third.rotate_left(42) ^ u64::from(self.kinds);
        (mixed.wrapping_mul(0x517c_c1b7_2722_0a95) >> 40) as usize
    }
}
