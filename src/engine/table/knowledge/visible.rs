//! Which faces of the components on a table somebody sees.

use super::Viewer;
use crate::definition::Visibility;
use crate::table::State;
use crate::table::layout::Layout;
use crate::table::value::{Component, Seat, Zone};

/// The components of a table as somebody sees them.
#[derive(Clone, Debug, PartialEq)]
pub struct VisibleZones {
    /// For each zone of the layout what is seen in it, from bottom or left.
    pub zones: Vec<Vec<Appearance>>,
}

/// A component as somebody sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Appearance {
    /// Its face.
    Face(Front),
    /// Only that it is there.
    Back,
}

/// What is to be seen of a component that lies open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Front {
    /// Its face, by its number in the layout.
    pub face: usize,
    /// Which side is up, or what a die shows; 0 for what has no sides and for a die not rolled. Nothing where the viewer
    /// knows the face alone.
    pub side: Option<u8>,
    /// Whose it is.
    pub owner: Option<Seat>,
}

impl Front {
    /// A component of a table as it is.
    pub fn of(table: &State, component: Component) -> Self {
        let index = component.index();
        let side = Some(table.sides[index]);
        Self { face: usize::from(table.faces[index]), side, owner: table.owners[index] }
    }
}

impl VisibleZones {
    /// The table as `viewer` sees it.
    pub fn of(layout: &Layout, table: &State, viewer: Viewer) -> Self {
        let zones = table.zones.iter().enumerate().map(|(number, held)| {
            let zone = Zone(number as u16);
            let below = if is_uncounted(layout, viewer, zone) { held.len().saturating_sub(1) } else { 0 };
            let seen =
                held.iter().enumerate().skip(below).map(|(position, &component)| {
                    seen(layout, table, viewer, zone, component, position + 1 == held.len())
                });
            seen.collect()
        });
        Self { zones: zones.collect() }
    }
}

/// Whether the viewer is not told how many components lie in a zone: only the last that arrived is to be seen there.
pub fn is_uncounted(layout: &Layout, viewer: Viewer, zone: Zone) -> bool {
    layout.zones[zone.index()].visible == Visibility::Once && matches!(viewer, Viewer::Seat(_))
}

fn seen(layout: &Layout, table: &State, viewer: Viewer, zone: Zone, component: Component, on_top: bool) -> Appearance {
    let info = &layout.zones[zone.index()];
    let front = Front::of(table, component);
    let Some(seat) = viewer.seat() else { return Appearance::Face(front) };
    let known = table.known.of(component);
    let knows = |seats: u16| seats & seat.bit() != 0;
    let lies_open = match info.visible {
        Visibility::All => true,
        Visibility::Owner => info.seat == Some(seat),
        Visibility::Top => on_top,
        // Shuffled, even the top one has to be seen anew.
        Visibility::Once => on_top && info.seat.is_none_or(|owner| owner == seat) && knows(known.face),
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
