//! Variables of the table and the seats, and points, which change a seat's score.

use crate::definition::{DeclaredType, VariableValue};
use crate::diagnostic::{Help, Message, did_you_mean, known_names_sentence, message};
use crate::table::bits::Bits;
use crate::table::event::EventData;
use crate::table::layout::VariableInfo;
use crate::table::value::{NOBODY, NOTHING, Seat, Value};
use crate::table::{Fault, Table};

mod counted;

impl Table {
    /// The value of a variable, by its index in the layout.
    pub fn variable(&self, variable: usize) -> &Value {
        &self.state.variables[variable]
    }

    /// Sets a variable, also for partners where it belongs to teams. Setting the value that it has is no change.
    ///
    /// # Errors
    /// The value has another type than the variable's default; it is a text that is none of the choices, or a list in
    /// which something is repeated that may be there only once; too many changes in one game.
    pub fn set_variable(&mut self, variable: usize, value: Value) -> Result<(), Fault> {
        let info = &self.layout.variables[variable];
        match &value {
            Value::Number(number) if info.is_limited && is_of_type(&value, &info.default) => {
                return self.set_counted(variable, *number);
            }
            Value::Number(_) | Value::Truth(_) if is_of_type(&value, &info.default) => {}
            _ => self.check_held(variable, &value)?,
        }
        let mut all = self.set_with(variable);
        all.try_for_each(|variable| self.set_alone(variable, value.clone()))
    }

    /// Sets the variable of one seat, without its partners, to a value of its type.
    pub(super) fn set_alone(&mut self, variable: usize, value: Value) -> Result<(), Fault> {
        if self.state.variables[variable] == value {
            return Ok(());
        }
        self.state.variables[variable].clone_from(&value);
        self.variable_has_changed(variable);
        let witnesses = self.witnesses_of(&value);
        self.record_witnessed_event(witnesses, || EventData::Set { variable, value })
    }

    /// The type of a variable that no default expresses; `None` for a variable with a default.
    pub fn held_in(&self, variable: usize) -> Option<DeclaredType> {
        let definition = self.layout.variables.get(variable)?.definition;
        match self.layout.definition.variables.get(definition)?.default {
            VariableValue::Nothing(held) => Some(held),
            VariableValue::Plain(_) => None,
        }
    }

    #[cold]
    fn check_held(&self, variable: usize, value: &Value) -> Result<(), Fault> {
        let info = &self.layout.variables[variable];
        let held = self.held_in(variable);
        let fits = match held {
            None => is_of_type(value, &info.default),
            Some(DeclaredType::Player) => matches!(value, Value::Seat(_) | Value::Nobody),
            Some(DeclaredType::Component) => matches!(value, Value::Component(_) | Value::Nothing),
            Some(DeclaredType::Zone) => matches!(value, Value::Zone(_) | Value::Nothing),
            Some(DeclaredType::Players) => are_all(value, |entry| matches!(entry, Value::Seat(_))),
            Some(DeclaredType::Components) => are_all(value, |entry| matches!(entry, Value::Component(_))),
            Some(DeclaredType::Zones) => are_all(value, |entry| matches!(entry, Value::Zone(_))),
            Some(DeclaredType::List) => matches!(value, Value::List(_)),
        };
        if !fits {
            let type_held = held.map_or_else(|| type_in_words(&info.default), held_in_words);
            let message = message!("{} holds {type_held}, not {}", info.id, type_in_words(value));
            let help = match (held, value) {
                (Some(DeclaredType::Components), Value::Zone(_)) => Some("`zone.components` is what lies in the zone"),
                (Some(DeclaredType::Component | DeclaredType::Zone), Value::Nobody) => Some("`()` is none"),
                (Some(DeclaredType::Player), Value::Nothing) => Some("`nobody` is none"),
                _ => None,
            };
            return Err(Fault::Rule { message, help: help.map(Help::from) });
        }
        match value {
            Value::Text(text) => self.check_choice(info, text),
            Value::List(list) if held != Some(DeclaredType::List) => match first_repeated(list) {
                Some(twin) => {
                    let twin = self.option_label(twin);
                    let message = message!("{twin} would be twice in {}, which holds each once", info.id);
                    Err(Fault::rule(message))
                }
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Checks that a variable can hold a text.
    fn check_choice(&self, info: &VariableInfo, text: &str) -> Result<(), Fault> {
        let definition = self.layout.definition.variables.get(info.definition);
        let choices = definition.map_or(&[][..], |definition| &definition.choices);
        let is_default = matches!(&info.default, Value::Text(default) if **default == *text);
        if choices.is_empty() || is_default || choices.iter().any(|choice| choice == text) {
            return Ok(());
        }
        let known = || choices.iter().map(String::as_str);
        let help = did_you_mean(text, known()).unwrap_or_else(|| known_names_sentence("choice", known()).into());
        Err(Fault::rule(message!("{} cannot be {text:?}", info.id)).help(help))
    }

    /// Gives a player points, or takes them; the whole team, where a score belongs to teams.
    ///
    /// # Errors
    /// A score beyond 64 bits; too many changes in one game.
    pub fn award(&mut self, seat: Seat, points: i64, reason: &str) -> Result<(), Fault> {
        self.award_for(seat, points, reason, None)
    }

    /// Gives a player points for something on the table, which `why` tells beside the reason.
    ///
    /// # Errors
    /// As for [`award`](Self::award).
    pub fn award_for(&mut self, seat: Seat, points: i64, reason: &str, source: Option<&Value>) -> Result<(), Fault> {
        let variable = self.layout.score_of(seat);
        let Value::Number(score) = self.state.variables[variable] else {
            return Err(Fault::rule(message!("{seat}.score does not hold a number")));
        };
        let score = score
            .checked_add(points)
            .ok_or_else(|| Fault::rule(message!("{points} points are more than a score can hold")))?;
        let first = variable - seat.index();
        for variable in self.set_with(variable) {
            self.state.variables[variable] = Value::Number(score);
            self.variable_has_changed(variable);
            let to = Seat((variable - first) as u8);
            self.record_open_event(|| EventData::Award {
                seat: to,
                points,
                reason: reason.into(),
                score,
                source: source.cloned(),
                is_shared: to != seat,
            })?;
        }
        Ok(())
    }

    pub fn score(&self, seat: Seat) -> i64 {
        match self.state.variables[self.layout.score_of(seat)] {
            Value::Number(score) => score,
            _ => 0,
        }
    }
}

fn is_of_type(value: &Value, default: &Value) -> bool {
    std::mem::discriminant(value) == std::mem::discriminant(default)
}

fn are_all(value: &Value, fits: fn(&Value) -> bool) -> bool {
    matches!(value, Value::List(list) if list.iter().all(fits))
}

/// The first value that occurs again among components, players or zones.
fn first_repeated(list: &[Value]) -> Option<&Value> {
    let mut seen = [Bits::default(), Bits::default(), Bits::default()];
    list.iter().find(|value| match value {
        Value::Component(component) => !seen[0].insert(component.index()),
        Value::Zone(zone) => !seen[1].insert(zone.index()),
        Value::Seat(seat) => !seen[2].insert(seat.index()),
        _ => false,
    })
}

fn held_in_words(held: DeclaredType) -> Message {
    let words = match held {
        DeclaredType::Player => "a player or nobody",
        DeclaredType::Component => "a component or nothing",
        DeclaredType::Zone => "a zone or nothing",
        DeclaredType::Players => "players",
        DeclaredType::Components => "components",
        DeclaredType::Zones => "zones",
        DeclaredType::List => "a list",
    };
    words.into()
}

fn type_in_words(value: &Value) -> Message {
    let words = match value {
        Value::Number(_) => "a number",
        Value::Truth(_) => "true or false",
        Value::Text(_) => "a text",
        Value::Component(_) | Value::Back(_) => "a component",
        Value::Seat(_) => "a player",
        Value::Nobody => NOBODY,
        Value::Nothing => NOTHING,
        Value::Zone(_) => "a zone",
        Value::Parts(_) => "an option of several parts",
        Value::List(_) => "a list",
    };
    words.into()
}
