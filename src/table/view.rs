//! What somebody may see of a table.
//!
//! A view is made from the table and who looks at it, by zone visibility alone or with everything a perfect memory
//! would know. Whatever a seat does not know cannot change its view: a test permutes all hidden faces and compares.

use crate::definition::Visibility;
use crate::table::Snapshot;
use crate::table::layout::Layout;
use crate::table::value::{Component, Seat, Zone};

/// Who looks at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// The person at the sandbox, who may see everything.
    Everything,
    /// A player, with what lies open to that seat now.
    Seat(Seat),
    /// A player who remembers everything that seat has ever seen.
    Memory(Seat),
}

/// A table as somebody sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// For each zone of the layout what is seen in it, from bottom or left.
    pub zones: Vec<Vec<Seen>>,
}

/// A component as somebody sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
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
    /// Which side is up, or what a die shows; 0 for what has no sides and for a die not rolled.
    pub side: u8,
    /// Whose it is.
    pub owner: Option<Seat>,
}

impl Front {
    /// A component of a table as it is.
    pub fn of(table: &Snapshot, component: Component) -> Self {
        let index = component.index();
        Self { face: usize::from(table.faces[index]), side: table.sides[index], owner: table.owners[index] }
    }
}

impl View {
    /// The table as `viewer` sees it.
    pub fn of(layout: &Layout, table: &Snapshot, viewer: Viewer) -> Self {
        let zones = table.zones.iter().enumerate().map(|(number, held)| {
            let zone = Zone(number as u16);
            let below = if is_uncounted(layout, viewer, zone) { held.len().saturating_sub(1) } else { 0 };
            let seen = held.iter().enumerate().skip(below).map(|(position, &component)| {
                let on_top = position + 1 == held.len();
                match sees(layout, table, viewer, zone, component, on_top) {
                    true => Seen::Face(Front::of(table, component)),
                    false => Seen::Back,
                }
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

fn sees(layout: &Layout, table: &Snapshot, viewer: Viewer, zone: Zone, component: Component, on_top: bool) -> bool {
    let info = &layout.zones[zone.index()];
    let open = |seat: Seat| match info.visible {
        Visibility::All => true,
        Visibility::Owner => info.seat == Some(seat),
        Visibility::Top => on_top,
        // Shuffled, even the top one has to be seen anew.
        Visibility::Once => {
            on_top && info.seat.is_none_or(|owner| owner == seat) && table.known[component.index()] & seat.bit() != 0
        }
        Visibility::None => false,
    };
    match viewer {
        Viewer::Everything => true,
        Viewer::Seat(seat) => open(seat),
        Viewer::Memory(seat) => open(seat) || table.known[component.index()] & seat.bit() != 0,
    }
}
