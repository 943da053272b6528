//! Changes that only the person at the sandbox makes: clearing a table.

use crate::table::sides::side_at_start;
use crate::table::value::Component;
use crate::table::{Fault, Table};

impl Table {
    /// Clears the table: takes every component out of play, without an owner and unknown to all, and gives every
    /// variable its default, including what is left in banks, and every player the team of the beginning. Phase, round,
    /// turn and clock stay, and so do the answers of settings: they belong to the rules that are running.
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
        self.everything_has_changed();
        // Each variable is set alone: here a bank must not change with another variable.
        let mut all = layout.variables.iter().enumerate().filter(|(number, _)| !layout.answers.contains(number));
        all.try_for_each(|(number, info)| self.set_alone(number, info.default.clone()))
    }
}
