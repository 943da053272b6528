//! Versions of what lies on a table: by them, whoever remembers a result can tell that nothing it came from has changed.

use crate::table::Table;
use crate::table::bits::Bits;
use crate::table::layout::Layout;
use crate::table::value::{Component, Zone};
use std::sync::atomic::{AtomicU64, Ordering};

/// The versions of the zones and variables of a table. No two changes, of this table or any other of the layout, give the
/// same version, and on the way from one table to a copy and on, versions only grow: of several things, the newest version
/// tells whether any of them has changed. A copy of a table begins with the versions of its original.
///
/// The version of a zone stands for which components lie in it in which order, for the fronts and sides of these, and
/// for their owners. A change of teams, which can change anything, is a change of everything.
#[derive(Debug)]
pub(super) struct Versions {
    /// The version of the latest change of this table. 0 before the first one, and after the table became a copy of
    /// something newer: the next change then reserves a range.
    latest: u64,
    /// The newest of the slots.
    newest: u64,
    /// The versions of the zones, of what is out of play, and of the variables.
    slots: Vec<u64>,
    zones: usize,
}

/// Counts the ranges of versions that the tables of a layout have reserved.
#[derive(Debug, Default)]
pub struct VersionRanges(AtomicU64);

impl VersionRanges {
    /// The number of a range that is nobody's yet, from 1.
    #[cold]
    fn reserve(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed) + 1
    }
}

/// How many versions a table reserves at once.
const RESERVED: u64 = 1 << 20;

impl Versions {
    pub(super) fn new(zones: usize, variables: usize) -> Self {
        Self { latest: 0, newest: 0, slots: vec![0; zones + 1 + variables], zones }
    }

    /// Becomes the versions of a copy of a table of the same layout, in the memory that is allocated already. The
    /// reserved range is kept where it is newer than the original: whoever copies again and again into one table need
    /// not reserve each time; threads would contend for that.
    pub(super) fn become_copy(&mut self, of: &Self) {
        if self.latest < of.newest {
            self.latest = 0;
        }
        self.newest = of.newest;
        self.slots.clone_from(&of.slots);
        self.zones = of.zones;
    }

    #[inline]
    fn next(&mut self, layout: &Layout) -> u64 {
        if self.latest.is_multiple_of(RESERVED) {
            self.latest = RESERVED * layout.versions.reserve();
        }
        self.latest += 1;
        self.newest = self.latest;
        self.latest
    }

    fn change(&mut self, slot: usize, layout: &Layout) {
        let version = self.next(layout);
        if let Some(slot) = self.slots.get_mut(slot) {
            *slot = version;
        }
    }
}

impl Clone for Versions {
    fn clone(&self) -> Self {
        Self { latest: 0, newest: self.newest, slots: self.slots.clone(), zones: self.zones }
    }
}

impl Table {
    /// The version of a zone.
    #[inline]
    pub fn version_of_zone(&self, zone: Zone) -> u64 {
        self.versions.slots[zone.index()]
    }

    /// The version of the zone in which a component lies, or of what is out of play.
    #[inline]
    pub fn version_around(&self, component: Component) -> u64 {
        self.versions.slots[self.place(component).map_or(self.versions.zones, Zone::index)]
    }

    /// The newest version of some zones and variables: the indices of zones, and one more than the number of zones added to
    /// those of variables. 0 of none.
    #[inline]
    pub fn newest_version(&self, places: &[u32]) -> u64 {
        let version = |&place: &u32| self.versions.slots.get(place as usize).copied().unwrap_or(u64::MAX);
        places.iter().map(version).fold(0, u64::max)
    }

    /// To be called when a variable has changed.
    #[inline]
    pub(super) fn variable_has_changed(&mut self, variable: usize) {
        self.versions.change(self.versions.zones + 1 + variable, &self.layout);
    }

    /// To be called when a zone has changed; `None` is what is out of play.
    #[inline]
    pub(super) fn zone_has_changed(&mut self, zone: Option<Zone>) {
        self.versions.change(zone.map_or(self.versions.zones, Zone::index), &self.layout);
    }

    /// To be called when something about a component has changed, but not where it lies.
    #[inline]
    pub(super) fn component_has_changed(&mut self, component: Component) {
        self.zone_has_changed(self.place(component));
    }

    /// To be called when the fronts of some components may have changed.
    pub(super) fn fronts_have_changed(&mut self, of: impl Fn(&Self, Component) -> bool) {
        let mut changed = Bits::default();
        for number in 0..self.layout.faces.len() {
            let component = Component(number as u16);
            if of(self, component) {
                changed.insert(self.place(component).map_or(self.versions.zones, Zone::index));
            }
        }
        let zones = (0..=self.versions.zones).filter(|slot| changed.contains(*slot));
        zones.for_each(|slot| self.versions.change(slot, &self.layout));
    }

    /// To be called when anything may have changed.
    pub(super) fn everything_has_changed(&mut self) {
        let version = self.versions.next(&self.layout);
        self.versions.slots.fill(version);
    }
}
