//! What only the person at the sandbox does to a table: whole zones change places, everything is cleared away.

use crate::table::sides::side_at_start;
use crate::table::value::{Component, Zone};
use crate::table::{Fault, Table};

impl Table {
    /// Lets what lies in two zones change places, in its order; who sees into a zone learns what comes there.
    ///
    /// # Errors
    /// Both are the same zone; too many changes in one game.
    pub fn swap(&mut self, one: Zone, other: Zone) -> Result<(), Fault> {
        if one == other {
            let id = &self.layout.zones[one.index()].id;
            return Err(Fault::rule(format!("{id} cannot change places with itself")));
        }
        let (left, right) = (self.zone(one).to_vec(), self.zone(other).to_vec());
        self.move_all(&left, other)?;
        self.move_all(&right, one)
    }

    /// Takes every component out of play, as nobody's and unknown to all, and gives every variable its default. Phase,
    /// round, turn and clock stay: they belong to the rules on their way.
    ///
    /// # Errors
    /// Too many changes in one game.
    pub fn clear(&mut self) -> Result<(), Fault> {
        let zones = self.state.zones.clone();
        zones.iter().try_for_each(|held| held.iter().rev().try_for_each(|&component| self.take_out(component)))?;
        for handle in (0..self.state.faces.len()).map(|number| Component(number as u16)) {
            self.set_owner(handle, None)?;
            let face = self.face(handle);
            self.turn(handle, side_at_start(&self.layout.faces[face]))?;
        }
        self.state.known.forget_components();
        let layout = self.layout.clone();
        layout
            .variables
            .iter()
            .enumerate()
            .try_for_each(|(number, info)| self.set_variable(number, info.default.clone()))
    }
}
