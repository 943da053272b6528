//! Counted variables: numbers with limits, and those that come out of a bank: money, goods, energy.

use crate::definition::{Bank, Scalar, VariableDefinition, VariableValue};
use crate::diagnostic::message;
use crate::table::value::{Seat, Value};
use crate::table::{Fault, Table};

impl Table {
    /// Sets a number with limits. What a player gains or loses, the bank loses or gains.
    ///
    /// # Errors
    /// The number is below the lowest or above the highest; the bank has not enough; the variable is a bank itself; too
    /// many changes in one game.
    #[cold]
    pub(super) fn set_counted(&mut self, variable: usize, number: i64) -> Result<(), Fault> {
        let before = self.number_in(variable);
        if number == before {
            return Ok(());
        }
        let id = self.layout.variables[variable].id.clone();
        let Some(definition) = self.definition_of(variable) else { return Ok(()) };
        if definition.bank == Bank::Is {
            let message = message!("{id} is what is left in the bank, and cannot be set");
            let help = message!("it changes with what the players have: `p.{id} += 1` takes one from the bank");
            return Err(Fault::rule(message).help(help));
        }
        let (least, most) = definition.limits;
        if let Some(least) = least.filter(|least| number < *least) {
            let help = message!(
                "let the rules compare first, or use `pay_up_to`, which takes no more than there are: {before}"
            );
            return Err(Fault::rule(message!("{id} cannot be {number}: the least is {least}")).help(help));
        }
        if let Some(most) = most.filter(|most| number > *most) {
            let help = "let the rules compare first, or use `take_up_to`, which gives no more than fit";
            return Err(Fault::rule(message!("{id} cannot be {number}: the most is {most}")).help(help));
        }
        if let Some(bank) = self.bank_of(variable) {
            let has = self.number_in(bank);
            let left = number.checked_sub(before).and_then(|gained| has.checked_sub(gained));
            let Some(left) = left.filter(|left| *left >= 0) else {
                let name = &self.layout.variables[bank].id;
                let message = message!(
                    "the bank has {has} {name}, and {} more were wanted for {id}",
                    number.saturating_sub(before)
                );
                let help = "let the rules compare first, or use `take_up_to`, which takes no more than there are";
                return Err(Fault::rule(message).help(help));
            };
            self.set_alone(bank, Value::Number(left))?;
        }
        self.set_all(variable, number)
    }

    /// Sets a variable for all seats that share it.
    fn set_all(&mut self, variable: usize, number: i64) -> Result<(), Fault> {
        let mut all = self.set_with(variable);
        all.try_for_each(|variable| self.set_alone(variable, Value::Number(number)))
    }

    /// Moves a number of things that players have from one player to another.
    ///
    /// # Errors
    /// There is no such variable, in which case the error has the nearest; `count` is negative, or more than the one
    /// has or the other can take; too many changes in one game.
    pub fn give(&mut self, from: Seat, to: Seat, name: &str, count: i64) -> Result<(), Fault> {
        let (giver, taker) = (self.counted(from, name)?, self.counted(to, name)?);
        let count = non_negative(count)?;
        if self.set_with(giver).any(|variable| variable == taker) {
            return Ok(());
        }
        let (has, room) = (self.surplus(giver), self.remaining_capacity(taker));
        let too_many = |message| {
            Fault::rule(message)
                .help(message!("let the rules compare first, or use `p.give_up_to(q, {name:?}, {count})`"))
        };
        if count > has {
            return Err(too_many(message!("{from} has {has} {name} to give, not {count}")));
        }
        if count > room {
            return Err(too_many(message!("{to} can take {room} {name}, not {count}")));
        }
        let (given, taken) = (self.number_in(giver) - count, self.number_in(taker) + count);
        self.set_all(giver, given)?;
        self.set_all(taker, taken)
    }

    /// Moves up to `count` things from one player to another: as many as the one has and the other can take. Gives how
    /// many.
    ///
    /// # Errors
    /// As for [`give`](Self::give), except that too few are no error.
    pub fn give_up_to(&mut self, from: Seat, to: Seat, name: &str, count: i64) -> Result<i64, Fault> {
        let (giver, taker) = (self.counted(from, name)?, self.counted(to, name)?);
        if self.set_with(giver).any(|variable| variable == taker) {
            return Ok(0);
        }
        let count = non_negative(count)?.min(self.surplus(giver)).min(self.remaining_capacity(taker));
        self.give(from, to, name, count)?;
        Ok(count)
    }

    /// Moves up to `count` things from the bank to a player: as many as the bank has and the player can take. Gives how
    /// many.
    ///
    /// # Errors
    /// There is no such variable, in which case the error has the nearest; `count` is negative; too many changes in one
    /// game.
    pub fn take_up_to(&mut self, seat: Seat, name: &str, count: i64) -> Result<i64, Fault> {
        let variable = self.counted(seat, name)?;
        let left = self.bank_of(variable).map_or(i64::MAX, |bank| self.number_in(bank));
        let count = non_negative(count)?.min(left).min(self.remaining_capacity(variable));
        self.set_variable(variable, Value::Number(self.number_in(variable) + count))?;
        Ok(count)
    }

    /// Takes up to `count` things from a player, as many as there are, for the bank where there is one. Gives how many.
    ///
    /// # Errors
    /// As for [`take_up_to`](Self::take_up_to).
    pub fn pay_up_to(&mut self, seat: Seat, name: &str, count: i64) -> Result<i64, Fault> {
        let variable = self.counted(seat, name)?;
        let count = non_negative(count)?.min(self.surplus(variable));
        self.set_variable(variable, Value::Number(self.number_in(variable) - count))?;
        Ok(count)
    }

    /// Adds the value of a variable to its bank `times` over: once for a seat that joins a team, or for each team
    /// fewer.
    ///
    /// # Errors
    /// The bank cannot pay what is owed; too many changes in one game.
    pub(in crate::table) fn settle_with_bank(&mut self, variable: usize, times: i64) -> Result<(), Fault> {
        let Some(bank) = self.bank_of(variable) else { return Ok(()) };
        let (has, given) = (self.number_in(bank), self.number_in(variable));
        let left = given.checked_mul(times).and_then(|given| has.checked_add(given));
        let Some(left) = left.filter(|left| *left >= 0) else {
            let (id, name) = (&self.layout.variables[variable].id, &self.layout.variables[bank].id);
            let message = message!("{id} is {given}, and the bank has only {has} {name} to settle that");
            let help = "a player who joins a team brings nothing along: pay what is owed first";
            return Err(Fault::rule(message).help(help));
        };
        self.set_alone(bank, Value::Number(left))
    }

    /// Index of a player's variable with this name, which has to hold a number.
    fn counted(&self, seat: Seat, name: &str) -> Result<usize, Fault> {
        let is_number = |definition: &&VariableDefinition| {
            definition.per_seat && matches!(definition.default, VariableValue::Plain(Scalar::Number(_)))
        };
        let all = &self.layout.definition.variables;
        let found = all.iter().position(|definition| definition.id == name && is_number(&definition));
        found.map(|definition| self.layout.variable_of(definition, Some(seat))).ok_or_else(|| {
            let known = all.iter().filter(is_number).map(|definition| definition.id.as_str());
            Fault::unknown("number of the players", name, known)
        })
    }

    /// How many can be given away: down to the lowest value, or to 0 where none is declared.
    fn surplus(&self, variable: usize) -> i64 {
        let least = self.definition_of(variable).and_then(|definition| definition.limits.0).unwrap_or(0);
        self.number_in(variable).saturating_sub(least).max(0)
    }

    /// How many more there can be: up to the highest value.
    fn remaining_capacity(&self, variable: usize) -> i64 {
        let most = self.definition_of(variable).and_then(|definition| definition.limits.1).unwrap_or(i64::MAX);
        let number = self.number_in(variable);
        // From a number below 0, as many as a count can express.
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

    /// Index of the variable for what is left in the bank; `None` where there is no bank.
    fn bank_of(&self, variable: usize) -> Option<usize> {
        let own = self.definition_of(variable).filter(|definition| definition.bank == Bank::Has)?;
        let is_bank = |other: &VariableDefinition| other.bank == Bank::Is && other.id == own.id;
        let bank = self.layout.definition.variables.iter().position(is_bank)?;
        Some(self.layout.variable_of(bank, None))
    }
}

fn non_negative(count: i64) -> Result<i64, Fault> {
    if count >= 0 {
        return Ok(count);
    }
    let help = "give or pay the other way round";
    Err(Fault::rule(message!("{count} things cannot change hands")).help(help))
}
