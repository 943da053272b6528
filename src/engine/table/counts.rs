//! Counts of what happened in a run, for figures that need no events.

use crate::sorted::SortedMap;
use crate::table::event::{EventData, KINDS};
use crate::table::value::Seat;
use std::sync::Arc;

/// Number of names that are searched one by one.
const MAX_LINEAR_SEARCH_NAMES: usize = 32;

/// Names in the order in which they came up, each with its index from 0.
#[derive(Clone, Debug, Default)]
pub struct Names {
    names: Vec<Arc<str>>,
    /// The indices of the names after the first few: rules can make up names as they play.
    more: SortedMap<Arc<str>, usize>,
}

impl Names {
    /// The index of a name, which may be new.
    pub fn number(&mut self, name: &str) -> usize {
        let first = self.names.iter().take(MAX_LINEAR_SEARCH_NAMES);
        let found = first.enumerate().find(|(_, known)| ***known == *name).map(|(number, _)| number);
        found.or_else(|| self.more.get(name).copied()).unwrap_or_else(|| self.add(name))
    }

    #[cold]
    fn add(&mut self, name: &str) -> usize {
        let (number, name): (usize, Arc<str>) = (self.names.len(), name.into());
        if number >= MAX_LINEAR_SEARCH_NAMES {
            self.more.insert(name.clone(), number);
        }
        self.names.push(name);
        number
    }

    /// All names, in the order in which they came up.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Arc<str>> {
        self.names.iter()
    }
}

/// How often something happened, and the sum of the points that came with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub times: u64,
    /// Sum of the points.
    pub amount: i128,
}

/// Counts of things by their names.
#[derive(Clone, Debug, Default)]
pub struct NamedCounts {
    names: Names,
    counts: Vec<Count>,
}

impl NamedCounts {
    fn note(&mut self, name: &str, amount: i64) {
        let number = self.names.number(name);
        if number >= self.counts.len() {
            self.counts.resize(number + 1, Count::default());
        }
        let count = &mut self.counts[number];
        count.times += 1;
        count.amount += i128::from(amount);
    }

    /// The names, each with its index.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The counts, by the indices of the names.
    pub fn counts(&self) -> &[Count] {
        &self.counts
    }
}

/// Seats in the order in which each came up first.
#[derive(Clone, Debug, Default)]
pub struct FirstTimes {
    seats: Vec<Seat>,
    known: u16,
}

impl FirstTimes {
    /// Adds a seat that came up.
    pub fn note(&mut self, seat: Seat) {
        if !self.contains(seat) {
            self.known |= seat.bit();
            self.seats.push(seat);
        }
    }

    /// Whether a seat has come up.
    pub fn contains(&self, seat: Seat) -> bool {
        self.known & seat.bit() != 0
    }

    /// The seats that have come up, in order.
    pub fn seats(&self) -> &[Seat] {
        &self.seats
    }

    /// Removes all seats.
    pub fn clear(&mut self) {
        self.seats.clear();
        self.known = 0;
    }
}

/// Counts of the events in a run. The names keep their indices from one run to the next.
#[derive(Clone, Debug, Default)]
pub struct EventCounts {
    /// Number of events of each kind, by the index of the kind in [`KINDS`].
    pub kinds: [u64; KINDS.len()],
    /// Awards by their reasons. What a team gets counts once, not for each of its players.
    pub awards: NamedCounts,
    /// Phases that began, by their names.
    pub phases: NamedCounts,
    /// The seats in the order of their first turns.
    pub first_turns: FirstTimes,
}

impl EventCounts {
    /// Counts an event.
    #[inline]
    pub(super) fn hear(&mut self, what: &EventData) {
        self.kinds[what.number()] += 1;
        match what {
            EventData::Award { is_shared: true, .. } => {}
            EventData::Award { reason, points, .. } => self.awards.note(reason, *points),
            EventData::Phase { name } => self.phases.note(name, 0),
            EventData::Turn { seat } => self.first_turns.note(*seat),
            _ => {}
        }
    }

    /// Sets all counts to zero for the next run.
    pub fn clear(&mut self) {
        self.kinds.fill(0);
        self.awards.counts.fill(Count::default());
        self.phases.counts.fill(Count::default());
        self.first_turns.clear();
    }
}
