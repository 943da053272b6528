//! The placement of components: the contents of all zones in one list.
//!
//! Each zone has a stretch of slots with room for more; a zone that is full moves to the end of the list. So a move
//! takes a few steps and allocates memory almost never, and a copy of the table copies three short lists.

use crate::table::value::{Component, Zone};
use std::ops::Index;

/// Least number of slots of a zone that has ever had a component.
const MIN_ZONE_CAPACITY: usize = 8;

/// The components in each zone, in their order.
#[derive(Clone, Debug)]
pub struct Placement {
    /// The slots of all zones. The content of slots that are not in use means nothing.
    slots: Vec<Component>,
    /// Number of slots that belong to the stretches.
    used: usize,
    /// For each zone, its stretch of slots.
    stretches: Vec<ZoneSlots>,
    /// For each component, the index of its zone; out of play, an index that no zone has.
    zones: Vec<u16>,
}

/// The slots of a zone: their beginning, how many are in use, and how many there are.
#[derive(Clone, Copy, Debug, Default)]
struct ZoneSlots {
    start: u32,
    len: u16,
    room: u16,
}

impl ZoneSlots {
    #[inline]
    fn range(self) -> std::ops::Range<usize> {
        let start = self.start as usize;
        start..start + usize::from(self.len)
    }
}

impl Placement {
    /// Becomes a copy of another one, in the memory that is allocated already.
    pub(in crate::table) fn become_copy(&mut self, of: &Self) {
        let Self { slots, used, stretches, zones } = of;
        self.slots.clone_from(slots);
        self.used = *used;
        self.stretches.clone_from(stretches);
        self.zones.clone_from(zones);
    }

    /// The placement of components that are all out of play.
    pub(super) fn out_of_play(components: usize, zones: usize) -> Self {
        let (stretches, zones) = (vec![ZoneSlots::default(); zones], vec![zones as u16; components]);
        Self { slots: Vec::new(), used: 0, stretches, zones }
    }

    /// Number of zones.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.stretches.len()
    }

    /// The components in a zone, from bottom or left.
    #[inline]
    pub fn held(&self, zone: Zone) -> &[Component] {
        &self[zone.index()]
    }

    /// The components in the zone with this index; `None` where there is no such zone.
    pub fn get(&self, zone: usize) -> Option<&[Component]> {
        (zone < self.len()).then(|| &self[zone])
    }

    /// The components in each zone.
    pub fn iter(&self) -> impl Iterator<Item = &[Component]> {
        self.stretches.iter().map(|stretch| &self.slots[stretch.range()])
    }

    /// The zone that a component lies in; `None` if it is out of play.
    #[inline]
    pub fn place(&self, component: Component) -> Option<Zone> {
        let zone = self.zones[component.index()];
        (usize::from(zone) < self.stretches.len()).then_some(Zone(zone))
    }

    /// The components in a zone, for putting them in another order.
    pub(in crate::table) fn held_mut(&mut self, zone: Zone) -> &mut [Component] {
        &mut self.slots[self.stretches[zone.index()].range()]
    }

    /// Takes a component out of play, wherever it lies, and gives the number of components that lay above it.
    #[inline]
    pub(super) fn lift(&mut self, component: Component) -> usize {
        let zone = &mut self.zones[component.index()];
        let Some(stretch) = self.stretches.get_mut(usize::from(*zone)) else { return 0 };
        *zone = u16::MAX;
        let held = &mut self.slots[stretch.range()];
        // Most components leave from the top.
        let Some(found) = held.iter().rposition(|&held| held == component) else { return 0 };
        held.copy_within(found + 1.., found);
        stretch.len -= 1;
        usize::from(stretch.len) - found
    }

    /// Lays a component that is out of play at a position of a zone, which is at most the zone's end.
    #[inline]
    pub(super) fn lay(&mut self, component: Component, zone: Zone, position: usize) {
        if self.stretches[zone.index()].len == self.stretches[zone.index()].room {
            self.make_room(zone.index());
        }
        let stretch = &mut self.stretches[zone.index()];
        stretch.len += 1;
        let held = &mut self.slots[stretch.range()];
        let end = held.len() - 1;
        if position < end {
            held.copy_within(position..end, position + 1);
        }
        held[position] = component;
        self.zones[component.index()] = zone.0;
    }

    /// Moves a zone to the end of the slots, and doubles its room.
    #[cold]
    fn make_room(&mut self, zone: usize) {
        if self.slots.len() > 2 * self.used + 64 {
            self.close_gaps();
        }
        let stretch = self.stretches[zone];
        let room = (2 * usize::from(stretch.room)).max(MIN_ZONE_CAPACITY).min(usize::from(u16::MAX));
        self.used += room - usize::from(stretch.room);
        let start = self.slots.len();
        self.slots.extend_from_within(stretch.range());
        self.slots.resize(start + room, Component(0));
        self.stretches[zone] = ZoneSlots { start: start as u32, len: stretch.len, room: room as u16 };
    }

    /// Removes the gaps between the stretches.
    fn close_gaps(&mut self) {
        let mut slots = Vec::with_capacity(self.slots.len());
        for stretch in &mut self.stretches {
            let start = slots.len();
            slots.extend_from_slice(&self.slots[stretch.range()]);
            slots.resize(start + usize::from(stretch.room), Component(0));
            stretch.start = start as u32;
        }
        self.slots = slots;
    }
}

impl Index<usize> for Placement {
    type Output = [Component];

    #[inline]
    fn index(&self, zone: usize) -> &[Component] {
        &self.slots[self.stretches[zone].range()]
    }
}

impl PartialEq for Placement {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::chance::Stream;

    #[test]
    fn components_lie_as_in_a_list_for_each_zone() {
        let (components, zones) = (30, 7);
        let mut stream = Stream::named(1, "lying", 0);
        let mut lying = Placement::out_of_play(components, zones);
        let mut lists = vec![Vec::new(); zones];
        for _ in 0..5_000 {
            let component = Component(stream.below(components) as u16);
            lists.iter_mut().for_each(|list: &mut Vec<Component>| list.retain(|&held| held != component));
            if stream.below(8) == 0 {
                lying.lift(component);
                assert_eq!(lying.place(component), None);
            } else {
                let to = stream.below(zones);
                let position = stream.below(lists[to].len() + 1);
                lists[to].insert(position, component);
                lying.lift(component);
                lying.lay(component, Zone(to as u16), position);
                assert_eq!(lying.place(component), Some(Zone(to as u16)));
            }
            assert!(lying.iter().eq(lists.iter().map(Vec::as_slice)));
            assert!(lying.slots.len() <= 16 * components, "{} slots", lying.slots.len());
        }
        let mut other = lying.clone();
        let out: Vec<Component> =
            (0..components as u16).map(Component).filter(|&one| lying.place(one).is_none()).collect();
        out.iter().rev().for_each(|&component| other.lay(component, Zone(0), 0));
        assert!(out.is_empty() || lying != other);
        for &component in &out {
            other.lift(component);
        }
        assert_eq!(lying, other, "in whatever order things were taken out");
    }
}
