//! Small values packed into 64 bits, so that a value of the machine is two words of the processor, copied in registers.

use crate::table::data::Data;
use crate::table::value::{Component, MAX_SEATS, Seat, Seats, Zone};
use std::marker::PhantomData;
use std::ops::Deref;

/// A type that fits into 64 bits.
pub trait Packable: Copy {
    /// Packs the value into bits.
    fn pack(self) -> u64;

    /// Unpacks a value from the bits that it was packed into.
    fn unpack(bits: u64) -> Self;
}

macro_rules! packed {
    ($($sort:ty, $value:ident => $bits:expr, $back:ident => $unpacked:expr;)*) => { $(
        impl Packable for $sort {
            #[inline(always)]
            fn pack(self) -> u64 {
                let $value = self;
                $bits
            }

            #[inline(always)]
            fn unpack($back: u64) -> Self {
                $unpacked
            }
        }
    )* };
}

packed! {
    bool, truth => u64::from(truth), bits => bits != 0;
    u32, number => u64::from(number), bits => bits as u32;
    Component, component => u64::from(component.0), bits => Component(bits as u16);
    Zone, zone => u64::from(zone.0), bits => Zone(bits as u16);
    Seat, seat => u64::from(seat.0), bits => Seat(bits as u8);
    Data, data => u64::from(data.0), bits => Data(bits as u32);
}

/// One packed value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packed<T>(u64, PhantomData<T>);

impl<T: Packable> Packed<T> {
    /// Packs a value.
    #[inline(always)]
    pub fn of(value: T) -> Self {
        Self(value.pack(), PhantomData)
    }

    /// Unpacks the value.
    #[inline(always)]
    pub fn get(self) -> T {
        T::unpack(self.0)
    }

    /// The bits; values of one type are equal where these are.
    #[inline(always)]
    pub fn bits(self) -> u64 {
        self.0
    }
}

/// Up to five components or zones in 64 bits: the count in the lowest four bits, then twelve bits for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedList<T>(u64, PhantomData<T>);

impl<T: Packable> PackedList<T> {
    /// Maximum number of entries.
    pub const MAX_ENTRIES: usize = 5;

    /// The empty list.
    pub const NONE: Self = Self(0, PhantomData);

    /// Packs a list; `None` if it has too many entries, or one that is too large.
    #[inline]
    pub fn of(list: &[T]) -> Option<Self> {
        let mut few = Self::NONE;
        (list.len() <= Self::MAX_ENTRIES && list.iter().all(|&one| few.push(one))).then_some(few)
    }

    /// The bits; lists are equal where these are.
    #[inline(always)]
    pub fn bits(self) -> u64 {
        self.0
    }

    /// The list with these bits.
    #[inline(always)]
    pub fn of_bits(bits: u64) -> Self {
        Self(bits, PhantomData)
    }

    /// The entries.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = T> {
        (0..self.count()).filter_map(move |position| self.get(position))
    }

    /// Number of entries.
    #[inline]
    pub fn count(self) -> usize {
        (self.0 & 15) as usize
    }

    /// The entry at a position; `None` behind the last one.
    #[inline]
    pub fn get(self, position: usize) -> Option<T> {
        (position < self.count()).then(|| T::unpack(self.0 >> (4 + 12 * position) & 0xfff))
    }

    /// Adds an entry at the end; false if it does not fit.
    #[inline]
    pub fn push(&mut self, one: T) -> bool {
        let (bits, len) = (one.pack(), self.count());
        if len == Self::MAX_ENTRIES || bits > 0xfff {
            return false;
        }
        self.0 = (self.0 | bits << (4 + 12 * len)) + 1;
        true
    }
}

/// A list of players in 64 bits: the count in the lowest four bits, then four bits for each.
///
/// No player is in such a list twice, so in a list of [`MAX_SEATS`] players the last one is the missing one; the count
/// of such a list is written as 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedSeats(u64);

impl PackedSeats {
    /// Packs a list of players.
    #[inline]
    pub fn of(seats: &[Seat]) -> Self {
        let fit = seats.get(..MAX_SEATS - 1).unwrap_or(seats);
        let packed = fit.iter().rev().fold(0, |packed, seat| packed << 4 | u64::from(seat.0 & 15));
        Self(packed << 4 | seats.len() as u64 & 15)
    }

    /// The bits; lists are equal where these are.
    #[inline(always)]
    pub fn bits(self) -> u64 {
        self.0
    }

    /// Number of players.
    #[inline]
    pub fn count(self) -> usize {
        match self.0 & 15 {
            0 if self.0 != 0 => MAX_SEATS,
            len => len as usize,
        }
    }

    /// The player at a position; `None` behind the last one.
    #[inline]
    pub fn get(self, position: usize) -> Option<Seat> {
        if position >= self.count() {
            return None;
        }
        if position + 1 == MAX_SEATS {
            // The XOR of the numbers of all seats is 0, so that of the others is the missing one.
            let missing = (1..MAX_SEATS).fold(0, |missing, place| missing ^ self.0 >> (4 * place) & 15);
            return Some(Seat(missing as u8));
        }
        Some(Seat((self.0 >> (4 + 4 * position) & 15) as u8))
    }

    /// The players as a list.
    #[inline]
    pub fn seats(self) -> Seats {
        (0..self.count()).filter_map(|position| self.get(position)).collect()
    }
}

/// A borrowed list: a slice, or unpacked entries.
#[derive(Clone, Copy, Debug)]
pub enum BorrowedList<'a, T> {
    /// A slice of the list where it is stored.
    Slice(&'a [T]),
    /// Unpacked entries, and how many of them the list has.
    Few([T; 5], usize),
}

impl<T: Packable> From<PackedList<T>> for BorrowedList<'_, T> {
    #[inline]
    fn from(few: PackedList<T>) -> Self {
        let one = |position: usize| T::unpack(few.0 >> (4 + 12 * position) & 0xfff);
        Self::Few([one(0), one(1), one(2), one(3), one(4)], few.count())
    }
}

impl<T> Deref for BorrowedList<'_, T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match self {
            Self::Slice(list) => list,
            Self::Few(list, len) => list.get(..*len).unwrap_or(list),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out_again() {
        let list: Vec<Component> = [0, 4095, 7, 2048, 1].map(Component).to_vec();
        for count in 0..=5 {
            let few = PackedList::of(&list[..count]);
            let lent = few.map(BorrowedList::from);
            assert_eq!(lent.as_deref(), Some(&list[..count]));
            assert!(
                (0..7).all(|position| few.and_then(|few| few.get(position)) == list[..count].get(position).copied())
            );
        }
        assert_eq!(PackedList::of(&[Zone(4096)]), None);
        assert_eq!(PackedList::of(&[Zone(1); 6]), None);
    }

    #[test]
    fn as_many_players_as_can_sit_at_a_table_are_packed() {
        for count in 0..=MAX_SEATS {
            for first in 0..count.max(1) {
                let seats: Vec<Seat> = (0..count).map(|place| Seat(((place + first) % count) as u8)).collect();
                let seating = PackedSeats::of(&seats);
                assert_eq!((seating.count(), seating.seats().as_slice()), (count, seats.as_slice()));
                assert!((0..18).all(|position| seating.get(position) == seats.get(position).copied()));
            }
        }
    }
}
