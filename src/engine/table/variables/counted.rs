//! Numbers with limits, and those that are counted out of a bank: money, goods, energy.

use crate::definition::{Bank, Plain, VariableDefinition, VariableValue};
use crate::table::value::{Seat, Value};
use crate::table::{Fault, Table};

impl Table {
    /// Gives a number with limits a value. What a player gains or loses, the bank loses or gains.
    ///
    /// # Errors
    /// Less than the least, more than the most or than the bank has; the bank itself; too many changes in one game.
    #[cold]
    pub(super) fn set_counted(&mut self, variable: usize, number: i64) -> Result<(), Fault> {
        let before = self.number_in(variable);
        if number == before {
            return Ok(());
        }
        let id = self.layout.variables[variable].id.clone();
        let Some(definition) = self.definition_of(variable) else { return Ok(()) };
        if definition.bank == Bank::Is {
            let message = format!("{id} is what is left in the bank, and cannot be set");
            let help = format!("it changes with what the players have: `p.{id} += 1` takes one from the bank");
            return Err(Fault::Rule { message, help: Some(help.into()) });
        }
        let (least, most) = definition.limits;
        if let Some(least) = least.filter(|least| number < *least) {
            let help = format!("compare first, or use `pay_up_to`, which takes no more than there are: {before}");
            return Err(Fault::Rule {
                message: format!("{id} cannot be {number}: the least is {least}"),
                help: Some(help.into()),
            });
        }
        if let Some(most) = most.filter(|most| number > *most) {
            let help = "compare first, or use `take_up_to`, which gives no more than fit".to_owned();
            return Err(Fault::Rule {
                message: format!("{id} cannot be {number}: the most is {most}"),
                help: Some(help.into()),
            });
        }
        if let Some(bank) = self.bank_of(variable) {
            let has = self.number_in(bank);
            let left = number.checked_sub(before).and_then(|gained| has.checked_sub(gained));
            let Some(left) = left.filter(|left| *left >= 0) else {
                let name = &self.layout.variables[bank].id;
                let message = format!(
                    "the bank has {has} {name}, and {} more were wanted for {id}",
                    number.saturating_sub(before)
                );
                let help = "compare first, or use `take_up_to`, which takes no more than there are".to_owned();
                return Err(Fault::Rule { message, help: Some(help.into()) });
            };
            self.set_alone(bank, Value::Number(left))?;
        }
        self.set_all(variable, number)
    }

    /// Sets a variable for whoever has it in common.
    fn set_all(&mut self, variable: usize, number: i64) -> Result<(), Fault> {
        let mut all = self.set_with(variable);
        all.try_for_each(|variable| self.set_alone(variable, Value::Number(number)))
    }

    /// Moves some of what players have from one to another.
    ///
    /// # Errors
    /// No such variable, with the nearest; a negative count; not so many; too many changes in one game.
    pub fn give(&mut self, from: Seat, to: Seat, name: &str, count: i64) -> Result<(), Fault> {
        let (giver, taker) = (self.counted(from, name)?, self.counted(to, name)?);
        let count = counted_up(count)?;
        if self.set_with(giver).any(|variable| variable == taker) {
            return Ok(());
        }
        let (has, room) = (self.to_spare(giver), self.room(taker));
        if count > has {
            let message = format!("{from} has {has} {name} to give, not {count}");
            let help = format!("compare first, or use `p.give_up_to(q, {name:?}, {count})`");
            return Err(Fault::Rule { message, help: Some(help.into()) });
        }
        if count > room {
            let message = format!("{to} can take {room} {name}, not {count}");
            let help = format!("compare first, or use `p.give_up_to(q, {name:?}, {count})`");
            return Err(Fault::Rule { message, help: Some(help.into()) });
        }
        let (given, taken) = (self.number_in(giver) - count, self.number_in(taker) + count);
        self.set_all(giver, given)?;
        self.set_all(taker, taken)
    }

    /// The same with as many as one has and the other can take, up to a count; gives how many.
    ///
    /// # Errors
    /// As [`give`](Self::give), but for too few.
    pub fn give_up_to(&mut self, from: Seat, to: Seat, name: &str, count: i64) -> Result<i64, Fault> {
        let (giver, taker) = (self.counted(from, name)?, self.counted(to, name)?);
        if self.set_with(giver).any(|variable| variable == taker) {
            return Ok(0);
        }
        let count = counted_up(count)?.min(self.to_spare(giver)).min(self.room(taker));
        self.give(from, to, name, count)?;
        Ok(count)
    }

    /// Takes as many as the bank has and fit, up to a count; gives how many.
    ///
    /// # Errors
    /// No such variable, with the nearest; a negative count; too many changes in one game.
    pub fn take_up_to(&mut self, seat: Seat, name: &str, count: i64) -> Result<i64, Fault> {
        let variable = self.counted(seat, name)?;
        let left = self.bank_of(variable).map_or(i64::MAX, |bank| self.number_in(bank));
        let count = counted_up(count)?.min(left).min(self.room(variable));
        self.set_variable(variable, Value::Number(self.number_in(variable) + count))?;
        Ok(count)
    }

    /// Pays as many as there are, up to a count, into the bank where there is one; gives how many.
    ///
    /// # Errors
    /// As [`take_up_to`](Self::take_up_to).
    pub fn pay_up_to(&mut self, seat: Seat, name: &str, count: i64) -> Result<i64, Fault> {
        let variable = self.counted(seat, name)?;
        let count = counted_up(count)?.min(self.to_spare(variable));
        self.set_variable(variable, Value::Number(self.number_in(variable) - count))?;
        Ok(count)
    }

    /// The bank has again what a seat has that goes over to a team, or what so many of them have.
    ///
    /// # Errors
    /// They owe more than the bank has; too many changes in one game.
    pub(in crate::table) fn settle_with_bank(&mut self, variable: usize, times: i64) -> Result<(), Fault> {
        let Some(bank) = self.bank_of(variable) else { return Ok(()) };
        let (has, given) = (self.number_in(bank), self.number_in(variable));
        let left = given.checked_mul(times).and_then(|given| has.checked_add(given));
        let Some(left) = left.filter(|left| *left >= 0) else {
            let (id, name) = (&self.layout.variables[variable].id, &self.layout.variables[bank].id);
            let message = format!("{id} is {given}, and the bank has only {has} {name} to settle that");
            let help = "a player who joins a team brings nothing along: pay what is owed first".to_owned();
            return Err(Fault::Rule { message, help: Some(help.into()) });
        };
        self.set_alone(bank, Value::Number(left))
    }

    /// A player's variable of that name, which holds a number.
    fn counted(&self, seat: Seat, name: &str) -> Result<usize, Fault> {
        let is_number = |definition: &&VariableDefinition| {
            definition.per_seat && matches!(definition.default, VariableValue::Plain(Plain::Number(_)))
        };
        let all = &self.layout.definition.variables;
        let found = all.iter().position(|definition| definition.id == name && is_number(&definition));
        found.map(|definition| self.layout.variable_of(definition, Some(seat))).ok_or_else(|| {
            let known = all.iter().filter(is_number).map(|definition| definition.id.as_str());
            Fault::unknown("number of the players", name, known)
        })
    }

    /// How many can be given away: down to the least, or to 0 where none is declared.
    fn to_spare(&self, variable: usize) -> i64 {
        let least = self.definition_of(variable).and_then(|definition| definition.limits.0).unwrap_or(0);
        self.number_in(variable).saturating_sub(least).max(0)
    }

    /// How many more there can be.
    fn room(&self, variable: usize) -> i64 {
        let most = self.definition_of(variable).and_then(|definition| definition.limits.1).unwrap_or(i64::MAX);
        let number = self.number_in(variable);
        // Of a number below 0, as many as a count can tell.
        most.saturating_sub(number).max(0)
    }

    fn number_in(&self, variable: usize) -> i64 {
        match self.state.variables.get(variable) {
            Some(Value::Number(number)) => *number,
            _ => 0,
        }
    }

    fn definition_of(&self, variable: usize) -> Option<&VariableDefinition> {
        self.layout.definition.variables.get(self.layout.variables.get(variable)?.definition)
    }

    /// The variable of what is left in the bank, where there is one.
    fn bank_of(&self, variable: usize) -> Option<usize> {
        let own = self.definition_of(variable).filter(|definition| definition.bank == Bank::Has)?;
        let is_bank = |other: &VariableDefinition| other.bank == Bank::Is && other.id == own.id;
        let bank = self.layout.definition.variables.iter().position(is_bank)?;
        Some(self.layout.variable_of(bank, None))
    }
}

/// A number of things that is one.
fn counted_up(count: i64) -> Result<i64, Fault> {
    if count >= 0 {
        return Ok(count);
    }
    let help = "give or pay the other way round".to_owned();
    Err(Fault::Rule { message: format!("{count} things cannot change hands"), help: Some(help.into()) })
}
