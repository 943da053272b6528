//! Moving and shuffling components.

use crate::diagnostic::message;
use crate::table::bits::Bits;
use crate::table::event::EventData;
use crate::table::knowledge::Witnesses;
use crate::table::value::{Component, Value, Zone};
use crate::table::{Fault, Table};
use std::ops::Range;

impl Table {
    /// Moves a component to the top (or right end) of a zone, or to a position in it, from 0 at the bottom or left.
    ///
    /// # Errors
    /// A position beyond the zone's end, or too many changes in one game.
    pub fn move_to(&mut self, component: Component, to: Zone, position: Option<usize>) -> Result<(), Fault> {
        let (saw, from) = (self.seats_seeing(component), self.place(component));
        let end = self.zone(to).len() - usize::from(from == Some(to));
        let position = position.unwrap_or(end);
        if position > end {
            let id = &self.layout.zones[to.index()].id;
            return Err(Fault::rule(message!("position {position} is beyond the end of {id}")));
        }
        self.reveal_below(component, from);
        self.lift(component);
        self.lay(component, to, position);
        let which = self.learn(component, saw, from, to, position);
        self.record_witnessed_event(Witnesses::of(which), || EventData::Move {
            component,
            from,
            to: Some(to),
            position,
        })
    }

    /// Moves components one by one, in order, to the top of a zone. If the zone is a pile that shows its top, only the
    /// last one is seen.
    ///
    /// # Errors
    /// Too many changes in one game.
    pub fn move_all(&mut self, list: &[Component], to: Zone) -> Result<(), Fault> {
        let (mut sources, mut seen): (Vec<Zone>, _) = (Vec::new(), Bits::default());
        let shows_top = self.shows_top(to);
        for (number, &component) in list.iter().enumerate() {
            let (saw, from) = (self.seats_seeing(component), self.place(component));
            sources.extend(from.filter(|from| self.shows_top(*from) && seen.insert(from.index())));
            let position = self.zone(to).len() - usize::from(from == Some(to));
            self.lift(component);
            self.lay(component, to, position);
            let which = if shows_top && number + 1 < list.len() {
                self.update_after_leaving(component, saw, from);
                saw
            } else {
                self.learn(component, saw, from, to, position)
            };
            let witnesses = Witnesses::of(which);
            self.record_witnessed_event(witnesses, || EventData::Move { component, from, to: Some(to), position })?;
        }
        // Where several components were lifted together, nobody saw the ones in between.
        sources.into_iter().chain([to]).for_each(|zone| self.reveal_top(zone));
        Ok(())
    }

    /// Swaps the contents of two zones, in their order; the seats that see into a zone learn what comes there.
    ///
    /// # Errors
    /// Both are the same zone; too many changes in one game.
    pub fn swap(&mut self, one: Zone, other: Zone) -> Result<(), Fault> {
        if one == other {
            let id = &self.layout.zones[one.index()].id;
            return Err(Fault::rule(message!("{id} cannot be swapped with itself")));
        }
        self.pass_on(&[one, other])
    }

    /// Moves the content of each zone to the next one, and of the last to the first, all at the same time.
    ///
    /// # Errors
    /// A zone that is named twice; too many changes in one game.
    pub fn pass_on(&mut self, zones: &[Zone]) -> Result<(), Fault> {
        let mut seen = Bits::default();
        if let Some(twice) = zones.iter().find(|zone| !seen.insert(zone.index())) {
            let id = &self.layout.zones[twice.index()].id;
            return Err(Fault::rule(message!("{id} is passed on twice")));
        }
        let held: Vec<Vec<Component>> = zones.iter().map(|zone| self.zone(*zone).to_vec()).collect();
        let to = zones.iter().cycle().skip(1);
        held.iter().zip(to).try_for_each(|(list, to)| self.move_all(list, *to))
    }

    /// Takes a component out of its zone, which closes up.
    #[inline]
    fn lift(&mut self, component: Component) {
        self.component_has_changed(component);
        let above = self.state.zones.lift(component);
        self.add_effort(above);
    }

    /// Lays a component that lies nowhere into a zone.
    #[inline]
    fn lay(&mut self, component: Component, zone: Zone, position: usize) {
        self.add_effort((self.zone(zone).len() - position) / 8);
        self.state.zones.lay(component, zone, position);
        self.zone_has_changed(Some(zone));
    }

    /// Takes a component out of play.
    ///
    /// # Errors
    /// Too many changes in one game.
    pub fn take_out(&mut self, component: Component) -> Result<(), Fault> {
        let (which, from) = (self.seats_seeing(component), self.place(component));
        self.reveal_below(component, from);
        self.lift(component);
        self.zone_has_changed(None);
        self.update_after_leaving(component, which, from);
        let witnesses = Witnesses::of(which);
        self.record_witnessed_event(witnesses, || EventData::Move { component, from, to: None, position: 0 })
    }

    /// Shuffles a zone; the seats that do not see into it forget what was where.
    ///
    /// # Errors
    /// Too many changes in one game; a rigged component that is not in the zone.
    pub fn shuffle(&mut self, zone: Zone) -> Result<(), Fault> {
        self.shuffle_part(zone, 0..self.zone(zone).len(), (None, None))
    }

    /// Shuffles the lowest `count` components of a zone, or all if there are fewer.
    ///
    /// # Errors
    /// Too many changes in one game; a rigged component that is not among them.
    pub fn shuffle_bottom(&mut self, zone: Zone, count: usize) -> Result<(), Fault> {
        let len = self.zone(zone).len();
        let count = count.min(len);
        self.shuffle_part(zone, 0..count, ((count < len).then_some(count), None))
    }

    /// Shuffles the topmost `count` components of a zone, or all if there are fewer.
    ///
    /// # Errors
    /// Too many changes in one game; a rigged component that is not among them.
    pub fn shuffle_top(&mut self, zone: Zone, count: usize) -> Result<(), Fault> {
        let len = self.zone(zone).len();
        let count = count.min(len);
        self.shuffle_part(zone, len - count..len, (None, (count < len).then_some(count)))
    }

    /// Shuffles the components at some positions of a zone. `bottom` or `top` is the number of components, where they
    /// are only the lowest or the topmost ones.
    fn shuffle_part(
        &mut self,
        zone: Zone,
        part: Range<usize>,
        (bottom, top): (Option<usize>, Option<usize>),
    ) -> Result<(), Fault> {
        self.zone_has_changed(Some(zone));
        let stream_name = &self.layout.shuffles[zone.index()];
        let mut stream = self.chance.stream_of(stream_name);
        let shuffled = &mut self.state.zones.held_mut(zone)[part.clone()];
        stream.shuffle(shuffled);
        if let Some(rigged) = self.chance.take_rigged(&stream_name.name) {
            for (above, value) in rigged.iter().enumerate() {
                let Value::Component(face) = value else { continue };
                let Some(found) = shuffled.iter().position(|held| self.state.faces[held.index()] == face.0) else {
                    let id = &self.layout.faces[face.index()].id;
                    return Err(Fault::rule(message!("the shuffle was rigged with {id}, which is not in it")));
                };
                if let Some(place) = part.len().checked_sub(above + 1).filter(|place| found <= *place) {
                    shuffled[found..=place].rotate_left(1);
                }
            }
        }
        self.add_effort(16 * part.len());
        self.forget(zone, part);
        self.reveal_top(zone);
        self.record_open_event(|| EventData::Shuffle { zone, bottom, top })
    }
}
