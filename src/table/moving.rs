//! Moving components, and shuffling them.

use crate::definition::Visibility;
use crate::table::event::What;
use crate::table::knowledge::Witnesses;
use crate::table::value::{Component, Value, Zone};
use crate::table::{Fault, Table};

impl Table {
    /// Moves a component to the top (or right end) of a zone, or to a position in it, from 0 at the bottom or left.
    ///
    /// # Errors
    /// A position beyond the zone's end, or too many changes in one game.
    pub fn move_to(&mut self, component: Component, to: Zone, position: Option<usize>) -> Result<(), Fault> {
        let saw = self.seeing(component);
        let from = self.lift(component);
        let zone = &mut self.state.zones[to.index()];
        let position = match position {
            None => zone.len(),
            Some(position) if position <= zone.len() => position,
            Some(position) => {
                let message = format!("position {position} is beyond the end of {}", self.layout.zones[to.index()].id);
                return Err(Fault::rule(message));
            }
        };
        zone.insert(position, component);
        self.state.places[component.index()] = Some(to);
        let which = self.learn(component, saw, from, to, position);
        self.happened_before(Witnesses::of(which), || What::Move { component, from, to: Some(to), position })
    }

    /// Moves components one by one, in their order, to the top of a zone; of a pile that shows its top, only the last
    /// is seen.
    ///
    /// # Errors
    /// Too many changes in one game.
    pub fn move_all(&mut self, list: &[Component], to: Zone) -> Result<(), Fault> {
        let mut sources: Vec<Zone> = Vec::new();
        let shows_top = self.layout.zones[to.index()].visible == Visibility::Top;
        for (number, &component) in list.iter().enumerate() {
            let saw = self.seeing(component);
            let from = self.unplace(component);
            sources.extend(from.filter(|from| !sources.contains(from)));
            let position = self.state.zones[to.index()].len();
            self.state.zones[to.index()].push(component);
            self.state.places[component.index()] = Some(to);
            let which = if shows_top && number + 1 < list.len() {
                self.leave(component, saw, from);
                saw
            } else {
                self.learn(component, saw, from, to, position)
            };
            let witnesses = Witnesses::of(which);
            self.happened_before(witnesses, || What::Move { component, from, to: Some(to), position })?;
        }
        // Where several were lifted together, nobody saw what lay between them.
        sources.into_iter().chain([to]).for_each(|zone| self.reveal_top(zone));
        Ok(())
    }

    /// Takes a component out of play.
    ///
    /// # Errors
    /// Too many changes in one game.
    pub fn take_out(&mut self, component: Component) -> Result<(), Fault> {
        let which = self.seeing(component);
        let from = self.lift(component);
        self.state.places[component.index()] = None;
        self.leave(component, which, from);
        let witnesses = Witnesses::of(which);
        self.happened_before(witnesses, || What::Move { component, from, to: None, position: 0 })
    }

    /// Puts the components of a zone in random order; whoever does not see into the zone forgets what was where.
    ///
    /// # Errors
    /// Too many changes in one game; a rigged component that is not in the zone.
    pub fn shuffle(&mut self, zone: Zone) -> Result<(), Fault> {
        self.shuffle_bottom(zone, usize::MAX)
    }

    /// Puts the lowest components of a zone in random order, as many as given or as there are.
    ///
    /// # Errors
    /// Too many changes in one game; a rigged component that is not among them.
    pub fn shuffle_bottom(&mut self, zone: Zone, count: usize) -> Result<(), Fault> {
        let info = &self.layout.zones[zone.index()];
        let stream_name = format!("shuffle {}", info.id);
        let mut stream = self.chance.stream(&stream_name);
        let held = &mut self.state.zones[zone.index()];
        let count = count.min(held.len());
        let shuffled = &mut held[..count];
        stream.shuffle(shuffled);
        if let Some(rigged) = self.chance.take_rigged(&stream_name) {
            for (above, value) in rigged.iter().enumerate() {
                let Value::Component(face) = value else { continue };
                let Some(found) = shuffled.iter().position(|held| self.state.faces[held.index()] == face.0) else {
                    let id = &self.layout.faces[face.index()].id;
                    return Err(Fault::rule(format!("the shuffle was rigged with {id}, which is not in it")));
                };
                if let Some(place) = count.checked_sub(above + 1).filter(|place| found <= *place) {
                    shuffled[found..=place].rotate_left(1);
                }
            }
        }
        self.forget(zone, count);
        self.reveal_top(zone);
        let whole = count == self.state.zones[zone.index()].len();
        self.happened(|| What::Shuffle { zone, bottom: (!whole).then_some(count) })
    }

    /// Takes a component from where it lies; what comes to light below it is learned.
    fn lift(&mut self, component: Component) -> Option<Zone> {
        let from = self.unplace(component)?;
        self.reveal_top(from);
        Some(from)
    }

    fn unplace(&mut self, component: Component) -> Option<Zone> {
        let from = self.state.places[component.index()]?;
        let zone = &mut self.state.zones[from.index()];
        // Most components leave from the top.
        if let Some(position) = zone.iter().rposition(|&held| held == component) {
            zone.remove(position);
        }
        Some(from)
    }
}
