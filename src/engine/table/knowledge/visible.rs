//! Which components on a table a viewer sees, and what is seen of each.

use super::Viewer;
use crate::definition::Visibility;
use crate::table::State;
use crate::table::layout::Layout;
use crate::table::value::{Component, Seat, Zone};

/// The components of a table as a viewer sees them.
#[derive(Clone, Debug, PartialEq)]
pub struct VisibleZones {
    /// For each zone of the layout, what is seen in it, from bottom or left.
    pub zones: Vec<Vec<Appearance>>,
}

/// A component as a viewer sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Appearance {
    Face(Front),
    /// The back alone: only that the component is there.
    Back,
}

/// What is seen of a component that lies open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Front {
    /// Index of the face in the layout.
    pub face: usize,
    /// The side that is up, or the value of a die; 0 for what has no sides and for a die not rolled. `None` where the
    /// viewer knows the face alone.
    pub side: Option<u8>,
    pub owner: Option<Seat>,
}

impl Front {
    /// The front of a component as it is, whoever sees it.
    pub fn of(table: &State, component: Component) -> Self {
        let index = component.index();
        let side = Some(table.sides[index]);
        Self { face: usize::from(table.faces[index]), side, owner: table.owners[index] }
    }
}

impl VisibleZones {
    /// The table as `viewer` sees it.
    pub fn of(layout: &Layout, table: &State, viewer: Viewer) -> Self {
        let zones = (0..table.zones.len()).map(|number| {
            let seen = seen_in(layout, table, viewer, Zone(number as u16)).into_iter();
            seen.map(|(_, appearance)| appearance).collect()
        });
        Self { zones: zones.collect() }
    }
}

/// What `viewer` sees in a zone, from bottom or left. Another player's hand has no order: the components in it that the
/// viewer knows come first, by their faces.
pub(super) fn seen_in(layout: &Layout, table: &State, viewer: Viewer, zone: Zone) -> Vec<(Component, Appearance)> {
    let held = table.zones.held(zone);
    let below = if is_uncounted(layout, viewer, zone) { held.len().saturating_sub(1) } else { 0 };
    let seen = held.iter().enumerate().skip(below).map(|(position, &component)| {
        let on_top = position + 1 == held.len();
        (component, seen_at(layout, table, viewer, (zone, on_top), component))
    });
    let mut seen: Vec<(Component, Appearance)> = seen.collect();
    if viewer.seats().is_some_and(|seats| !layout.has_order_for(zone, seats)) {
        seen.sort_by_key(|(_, appearance)| match appearance {
            Appearance::Face(front) => (front.face, front.side, front.owner),
            Appearance::Back => (usize::MAX, None, None),
        });
    }
    seen
}

/// Whether the viewer is not told how many components lie in a zone, where only the last that arrived is seen.
pub fn is_uncounted(layout: &Layout, viewer: Viewer, zone: Zone) -> bool {
    layout.zones[zone.index()].visible == Visibility::Once && matches!(viewer, Viewer::Seat(_) | Viewer::Public(_))
}

fn seen_at(
    layout: &Layout,
    table: &State,
    viewer: Viewer,
    (zone, on_top): (Zone, bool),
    component: Component,
) -> Appearance {
    let info = &layout.zones[zone.index()];
    let front = Front::of(table, component);
    let Some(own) = viewer.seats() else { return Appearance::Face(front) };
    let face = table.known.apparent_face(layout, own, table.faces[component.index()]);
    let front = Front { face: usize::from(face), ..front };
    let known = table.known.of(component);
    let knows = |seats: u16| seats & own == own;
    let lies_open = match info.visible {
        Visibility::All | Visibility::Owner | Visibility::Others => knows(layout.sights[zone.index()].seats),
        Visibility::Top => on_top,
        // After a shuffle, even the top component has to be seen anew.
        Visibility::Once => on_top && info.seat.is_none_or(|owner| owner.bit() == own) && knows(known.face),
        Visibility::None => false,
    };
    let remembers = matches!(viewer, Viewer::Memory(_)) && knows(known.face);
    if lies_open {
        Appearance::Face(front)
    } else if remembers || knows(known.shown) {
        Appearance::Face(Front { side: front.side.filter(|_| knows(known.side)), ..front })
    } else {
        Appearance::Back
    }
}
