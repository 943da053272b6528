//! What only the person at the sandbox does to a table: everything is cleared away.

use crate::table::sides::side_at_start;
use crate::table::value::Component;
use crate::table::{Fault, Table};

impl Table {
    /// Takes every component out of play, as nobody's and unknown to all, gives every variable its default, what is left
    /// in banks included, and every player the team of the beginning. Phase, round, turn and clock stay, and the
    /// answers of settings: they belong to the rules on their way.
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
        self.state.teams.clone_from(&layout.teams);
        // Each alone: a bank changes with nothing else here.
        let mut all = layout.variables.iter().enumerate().filter(|(number, _)| !layout.answers.contains(number));
        all.try_for_each(|(number, info)| self.set_alone(number, info.default.clone()))
    }
}
