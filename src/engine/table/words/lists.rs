//! Lists of components, zones and players: parts of them, positions, ends, neighbours; and moving along them.

use super::{Components, empty};
use crate::definition::ComponentKind;
use crate::diagnostic::message;
use crate::table::bits::Bits;
use crate::table::value::{Component, Seat, Seats, Zone, Zones};
use crate::table::{Fault, Table};

impl Table {
    /// The union of two lists, in order, each component once.
    pub fn union(&self, one: &[Component], other: &[Component]) -> Components {
        let (mut both, mut seen) = (Components::from(one), Bits::default());
        both.0.extend_from_slice(other);
        Components::filtered(&both, |component| seen.insert(component.index()))
    }

    /// The neighbours of a component in a circle: the one before it and the one after it, each once.
    ///
    /// # Errors
    /// The component is not among them.
    pub fn neighbours(&self, list: &[Component], component: Component) -> Result<Components, Fault> {
        let position = list
            .iter()
            .position(|&other| other == component)
            .ok_or_else(|| Fault::rule(message!("{} is not here, so it has no neighbours", self.label(component))))?;
        let count = list.len();
        let before = list[(position + count - 1) % count];
        let after = list[(position + 1) % count];
        let mut neighbours: Components = [before, after].into_iter().filter(|&other| other != component).collect();
        neighbours.0.dedup();
        Ok(neighbours)
    }

    /// Moves a component into a zone that is in the order of an attribute's values, to its place there.
    ///
    /// # Errors
    /// The component lacks the attribute; too many changes in one game.
    pub fn move_in_order(&mut self, component: Component, zone: Zone, attribute: usize) -> Result<(), Fault> {
        let value = self.value_on(component, attribute)?;
        let held = self.zone(zone);
        let position = held.iter().filter(|&&other| other != component && self.face_value(other, attribute) < value);
        let position = position.count();
        self.move_to(component, zone, Some(position))
    }

    /// Moves `count` components from the top of one zone to the top of another; fewer if there are not enough.
    ///
    /// # Errors
    /// A negative number; too many changes in one game.
    pub fn deal(&mut self, from: Zone, count: i64, to: Zone) -> Result<(), Fault> {
        if count < 0 {
            return Err(Fault::rule(message!("cannot deal {count} components")));
        }
        let held = self.zone(from);
        let count = usize::try_from(count).unwrap_or(usize::MAX).min(held.len());
        let mut dealt = Components::from(&held[held.len() - count..]);
        dealt.0.reverse();
        self.move_all(&dealt, to)
    }

    /// The first component of a list, or the last with `last`.
    ///
    /// # Errors
    /// The list is empty.
    pub fn end(&self, list: &[Component], last: bool) -> Result<Component, Fault> {
        let found = if last { list.last() } else { list.first() };
        found.copied().ok_or_else(|| empty("there is no component here"))
    }

    /// The component at a position of a list, from 0.
    ///
    /// # Errors
    /// There is no such position.
    pub fn at(&self, list: &[Component], position: i64) -> Result<Component, Fault> {
        usize::try_from(position).ok().and_then(|position| list.get(position)).copied().ok_or_else(|| {
            let message = message!("there is no position {position} among {} components", list.len());
            Fault::rule(message).help("positions count from 0")
        })
    }

    /// The position of a component in a list, from 0.
    ///
    /// # Errors
    /// The component is not in the list.
    pub fn position_of(&self, list: &[Component], component: Component) -> Result<i64, Fault> {
        let position = list.iter().position(|&other| other == component);
        position.map(|position| position as i64).ok_or_else(|| {
            Fault::rule(message!("{} is not here, so it has no position", self.label(component)))
                .help("ask `contains` first")
        })
    }

    /// The zone with this number among several, from 1.
    ///
    /// # Errors
    /// No such number.
    pub fn numbered(&self, zones: &[Zone], number: i64) -> Result<Zone, Fault> {
        let found = usize::try_from(number).ok().and_then(|number| zones.get(number.checked_sub(1)?));
        found.copied().ok_or_else(|| {
            let message = message!("there is no number {number} among {} zones", zones.len());
            Fault::rule(message).help("zones of a kind are numbered from 1")
        })
    }

    /// The zones that are empty, or those that are not, by `empty`.
    pub fn zones_by_emptiness(&self, zones: &[Zone], empty: bool) -> Zones {
        Zones(zones.iter().copied().filter(|&zone| self.zone(zone).is_empty() == empty).collect())
    }

    /// The player with this number among some, from 1.
    ///
    /// # Errors
    /// There is no such player among them.
    pub fn player(&self, seats: Seats, number: i64) -> Result<Seat, Fault> {
        let found = usize::try_from(number).ok().and_then(|number| seats.as_slice().get(number.wrapping_sub(1)));
        found.copied().ok_or_else(|| {
            let message = message!("there is no player {number} among {}", seats.len());
            Fault::rule(message).help("players count from 1")
        })
    }

    /// The player `places` further on in turn order; negative numbers go back.
    pub fn player_after(&self, seat: Seat, places: i64) -> Seat {
        let seats = self.layout().seats as i64;
        Seat((seat.index() as i64 + places % seats).rem_euclid(seats) as u8)
    }

    /// The next of some players after `seat`, in their order. If `seat` is not among them, it counts at its place in
    /// seat order.
    ///
    /// # Errors
    /// There are no players.
    pub fn next_after(&self, seats: Seats, seat: Seat) -> Result<Seat, Fault> {
        let list = seats.as_slice();
        let [first, ..] = list else { return Err(Fault::rule("there is no next among no players")) };
        if let Some(place) = list.iter().position(|&other| other == seat) {
            return Ok(list[(place + 1) % list.len()]);
        }
        let round = list.iter().zip(list.iter().cycle().skip(1));
        let (rises, falls) = round.fold((0, 0), |(rises, falls), (one, next)| {
            (rises + usize::from(one < next), falls + usize::from(one > next))
        });
        // Two players rise once and fall once, in either order.
        let goes_down = falls > rises || (falls == rises && list.first() > list.last());
        let count = self.layout().seats as i64;
        let way = |&other: &Seat| {
            let ahead = other.index() as i64 - seat.index() as i64;
            (if goes_down { -ahead } else { ahead }).rem_euclid(count)
        };
        Ok(list.iter().copied().min_by_key(way).unwrap_or(*first))
    }

    /// The components of one list that are not in another.
    pub fn difference(&self, one: &[Component], other: &[Component]) -> Components {
        let removed = Bits::of(other.iter().map(|component| component.index()));
        Components::filtered(one, |component| !removed.contains(component.index()))
    }

    /// The components that belong to a player.
    pub fn owned_by(&self, list: &[Component], seat: Seat) -> Components {
        Components::filtered(list, |component| self.owner(component) == Some(seat))
    }

    /// The components that are members of a component group.
    ///
    /// # Errors
    /// An unknown group, with the nearest name.
    pub fn of_group(&self, list: &[Component], group: usize) -> Components {
        let (_, members) = &self.layout().groups[group];
        Components::filtered(list, |component| members.contains(&(self.face(component) as u16)))
    }

    /// The last `count` components of a list, fewer if there are not enough.
    ///
    /// # Errors
    /// A negative number.
    pub fn top(&self, list: &[Component], count: i64) -> Result<Components, Fault> {
        let count = usize::try_from(count).map_err(|_| Fault::rule(message!("there are no {count} components")))?;
        Ok(list[list.len().saturating_sub(count)..].into())
    }

    /// Moves components to the bottom of a zone; the first of them becomes the lowest.
    ///
    /// # Errors
    /// Too many changes in one game.
    pub fn move_under(&mut self, list: &[Component], zone: Zone) -> Result<(), Fault> {
        list.iter().enumerate().try_for_each(|(position, &component)| self.move_to(component, zone, Some(position)))
    }

    /// The zone with this id.
    ///
    /// # Errors
    /// There is no such zone; the error has the nearest id.
    pub fn zone_named(&self, id: &str) -> Result<Zone, Fault> {
        let layout = self.layout();
        layout.zone_named(id).ok_or_else(|| Fault::unknown("zone", id, layout.zones.iter().map(|zone| &*zone.id)))
    }

    /// The components of a zone as options for a player: of a hand, in the order in which it is drawn.
    pub fn offered(&self, zone: Zone) -> Components {
        let held = self.zone(zone);
        if !self.layout().sights[zone.index()].is_hand {
            return held.into();
        }
        // Most tables show each component its own face, and a set of numbers is in order.
        if held.iter().all(|&component| self.face(component) == component.index()) {
            let faces = Bits::of(held.iter().map(|component| component.index()));
            return faces.iter().map(|face| Component(face as u16)).collect();
        }
        let mut held = Components::from(held);
        held.0.sort_unstable_by_key(|&component| self.face(component));
        held
    }

    /// Index of a component group, by its name.
    ///
    /// # Errors
    /// There is no such group; the error has the nearest name.
    pub(crate) fn group_number(&self, name: &str) -> Result<usize, Fault> {
        let groups = &self.layout().groups;
        let found = groups.iter().position(|(group, _)| group == name);
        found.ok_or_else(|| Fault::unknown("component group", name, groups.iter().map(|(group, _)| group.as_str())))
    }

    /// Brings a member of a component group that is out of play into a zone, with its first side up and belonging to
    /// nobody.
    ///
    /// # Errors
    /// All members are in play; too many changes in one game.
    pub fn make(&mut self, group: usize, zone: Zone) -> Result<Component, Fault> {
        let members = self.group(group);
        let free = members.iter().copied().find(|&component| self.place(component).is_none());
        let Some(made) = free else {
            let name = &self.layout().groups[group].0;
            let message = message!("all {} of `{name}` are in play", members.len());
            let help = message!("declare more `copies`, or ask `components({name:?}).out_of_play.is_empty` first");
            return Err(Fault::rule(message).help(help));
        };
        self.set_owner(made, None)?;
        let face = &self.layout().faces[self.face(made)];
        match face.kind {
            ComponentKind::Die => self.pick_up(made)?,
            _ if !face.sides.is_empty() => self.turn_to(made, 1)?,
            _ => {}
        }
        self.move_to(made, zone, None)?;
        Ok(made)
    }

    /// The members of a component group, in or out of play.
    pub fn group(&self, group: usize) -> Components {
        let (_, members) = &self.layout().groups[group];
        // By their faces, which an imagined table may have on other components.
        let count = self.layout().faces.len() as u16;
        let is_member = |&component: &Component| members.contains(&(self.face(component) as u16));
        let mut found: Components = (0..count).map(Component).filter(is_member).collect();
        found.0.sort_by_key(|&component| self.face(component));
        found
    }
}
