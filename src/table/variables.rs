//! Variables and points.

use crate::table::event::What;
use crate::table::value::{NOBODY, Seat, Value};
use crate::table::{Fault, Table};

impl Table {
    /// The value of a variable, by its number in the layout.
    pub fn variable(&self, variable: usize) -> &Value {
        &self.state.variables[variable]
    }

    /// Gives a variable a value. One that it has already is no change.
    ///
    /// # Errors
    /// A value of another type than the variable's default; too many changes in one game.
    pub fn set_variable(&mut self, variable: usize, value: Value) -> Result<(), Fault> {
        let info = &self.layout.variables[variable];
        if !is_of_type(&value, &info.default) {
            let type_held =
                if info.default == Value::Nobody { "a player or nobody" } else { type_in_words(&info.default) };
            let message = format!("{} holds {type_held}, not {}", info.id, type_in_words(&value));
            return Err(Fault::rule(message));
        }
        let mut all = self.set_with(variable);
        all.try_for_each(|variable| self.set_alone(variable, value.clone()))
    }

    /// Gives one seat's variable a value of its type, whoever else has it.
    pub(super) fn set_alone(&mut self, variable: usize, value: Value) -> Result<(), Fault> {
        if self.state.variables[variable] == value {
            return Ok(());
        }
        self.state.variables[variable].clone_from(&value);
        self.happened(|| What::Set { variable, value })
    }

    /// Gives a player points, or takes them; the whole team, where a score belongs to teams.
    ///
    /// # Errors
    /// A score beyond 64 bits; too many changes in one game.
    pub fn award(&mut self, seat: Seat, points: i64, reason: &str) -> Result<(), Fault> {
        self.award_for(seat, points, reason, None)
    }

    /// Gives points for something on the table, which `why` tells beside the reason.
    ///
    /// # Errors
    /// As [`award`](Self::award).
    pub fn award_for(&mut self, seat: Seat, points: i64, reason: &str, source: Option<&Value>) -> Result<(), Fault> {
        let variable = self.layout.score_of(seat);
        let Value::Number(score) = self.state.variables[variable] else {
            return Err(Fault::rule(format!("{seat}.score holds no number")));
        };
        let score = score
            .checked_add(points)
            .ok_or_else(|| Fault::rule(format!("{points} points are more than a score can hold")))?;
        let first = variable - seat.index();
        for variable in self.set_with(variable) {
            self.state.variables[variable] = Value::Number(score);
            let seat = Seat((variable - first) as u8);
            self.happened(|| What::Award { seat, points, reason: reason.into(), score, source: source.cloned() })?;
        }
        Ok(())
    }

    /// The score of a seat.
    pub fn score(&self, seat: Seat) -> i64 {
        match self.state.variables[self.layout.score_of(seat)] {
            Value::Number(score) => score,
            _ => 0,
        }
    }
}

/// Whether a value can stand where a variable began with another one. Nobody stands for any player.
fn is_of_type(value: &Value, default: &Value) -> bool {
    match (value, default) {
        (Value::Seat(_), Value::Nobody) => true,
        _ => std::mem::discriminant(value) == std::mem::discriminant(default),
    }
}

fn type_in_words(value: &Value) -> &'static str {
    match value {
        Value::Number(_) => "a number",
        Value::Truth(_) => "true or false",
        Value::Text(_) => "a text",
        Value::Component(_) => "a component",
        Value::Seat(_) => "a player",
        Value::Nobody => NOBODY,
        Value::Zone(_) => "a zone",
        Value::Parts(_) => "an option of several parts",
        Value::List(_) => "a list",
    }
}
