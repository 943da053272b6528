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
    /// Its face, by its number in the layout.
    Face(usize),
    /// Only that it is there.
    Back,
}

impl View {
    /// The table as `viewer` sees it.
    pub fn of(layout: &Layout, table: &Snapshot, viewer: Viewer) -> Self {
        let zones = table.zones.iter().enumerate().map(|(number, held)| {
            let zone = Zone(number as u16);
            held.iter()
                .enumerate()
                .map(|(position, &component)| {
                    let on_top = position + 1 == held.len();
                    if sees(layout, table, viewer, zone, component, on_top) {
                        Seen::Face(usize::from(table.faces[component.index()]))
                    } else {
                        Seen::Back
                    }
                })
                .collect()
        });
        Self { zones: zones.collect() }
    }
}

fn sees(layout: &Layout, table: &Snapshot, viewer: Viewer, zone: Zone, component: Component, on_top: bool) -> bool {
    let info = &layout.zones[zone.index()];
    let open = |seat: Seat| match info.visible {
        Visibility::All => true,
        Visibility::Owner => info.seat == Some(seat),
        Visibility::Top => on_top,
        Visibility::None | Visibility::Once => false,
    };
    match viewer {
        Viewer::Everything => true,
        Viewer::Seat(seat) => open(seat),
        Viewer::Memory(seat) => open(seat) || table.known[component.index()] & seat.bit() != 0,
    }
}
