//! The log: what the players chose and what the person intervened with, in order.

use crate::table::Table;
use crate::table::event::{ScriptPoint, What};
use crate::table::value::{Seat, Seats, Value};
use std::fmt;

/// One entry of a log.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// A player chose; options are named by their labels.
    Choice {
        /// Who chose; nobody where the clock decides.
        seat: Option<Seat>,
        /// What was asked.
        prompt: String,
        /// What was chosen.
        chosen: Vec<String>,
    },
    /// The next chance event of a stream is fixed: `shuffle face_down`, `roll die-1`, `lot start`.
    Rig {
        /// Name of the stream.
        stream: String,
        /// What it gives: components from the top, a value, an option.
        result: Vec<String>,
    },
    /// Everything that chance gives from here on is drawn anew.
    Reroll(u32),
    /// A variable, or what a component shows and whose it is, got a value by hand.
    Set {
        /// The variable: `p1.score`; or of a component `tile-1.side`, `die-3.value`, `die-3.owner`.
        variable: String,
        /// The value.
        value: Setting,
    },
    /// A component was moved by hand.
    Move {
        /// The id of its face.
        component: String,
        /// The zone; nothing for out of play.
        to: Option<String>,
        /// The position there, from 0; the top where absent.
        position: Option<usize>,
    },
}

/// The value of a variable set by hand.
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    /// A number.
    Number(i64),
    /// True or false.
    Truth(bool),
    /// A text.
    Text(String),
}

impl Entry {
    /// Whether the person at the sandbox did it, not a player.
    pub fn is_intervention(&self) -> bool {
        !matches!(self, Self::Choice { .. })
    }

    /// Whether it has to wait for the table to stand as the person saw it. Chance is changed for what comes, so it
    /// need not wait.
    pub(crate) fn waits(&self) -> bool {
        matches!(self, Self::Set { .. } | Self::Move { .. })
    }

    /// Does an intervention to the table.
    ///
    /// # Errors
    /// Says why it does not fit.
    pub(crate) fn intervene(&self, table: &mut Table) -> Result<(), String> {
        // Nothing in the rules caused it.
        table.set_point(ScriptPoint::default());
        table.push_event(What::Intervention(self.to_string().into()));
        match self {
            Self::Choice { .. } => Ok(()),
            Self::Rig { stream, result } => {
                let result = rigged(table, stream, result)?;
                table.chance.rig(stream, result);
                Ok(())
            }
            Self::Reroll(number) => {
                table.chance.reroll(*number);
                Ok(())
            }
            Self::Set { variable, value } => {
                let Some(number) = table.layout().variable_named(variable) else {
                    return set_component(table, variable, value);
                };
                let value = match value {
                    Setting::Number(number) => Value::Number(*number),
                    Setting::Truth(truth) => Value::Truth(*truth),
                    Setting::Text(text) => Value::Text(text.as_str().into()),
                };
                table.set_variable(number, value).map_err(|fault| fault.to_string())
            }
            Self::Move { component, to, position } => {
                let found = table.component_named(component);
                let component = found.ok_or_else(|| format!("there is no component `{component}`"))?;
                let moved = match to {
                    Some(id) => {
                        let zone = table.layout().zone_named(id).ok_or_else(|| format!("there is no zone `{id}`"))?;
                        table.move_to(component, zone, *position)
                    }
                    None => table.take_out(component),
                };
                moved.map_err(|fault| fault.to_string())
            }
        }
    }
}

/// Sets what a component shows or whose it is: `die-3.value`, `tile-1.side`, `die-3.owner`.
fn set_component(table: &mut Table, name: &str, value: &Setting) -> Result<(), String> {
    let unknown = || format!("there is no variable `{name}`");
    let (id, property) = name.rsplit_once('.').ok_or_else(unknown)?;
    let component = table.component_named(id).ok_or_else(unknown)?;
    let set = match (property, value) {
        ("value", Setting::Number(0)) => table.pick_up(component),
        ("value" | "side", Setting::Number(side)) => table.turn_to(component, *side),
        ("owner", Setting::Text(seat)) => {
            let owner = Seats::all(table.layout().seats).into_iter().find(|owner| owner.to_string() == *seat);
            if owner.is_none() && seat != "nobody" {
                return Err(format!("{id} can belong to a player at the table or to `nobody`, not to {seat}"));
            }
            table.set_owner(component, owner)
        }
        _ => return Err(format!("a component has `side`, `value` and `owner`: {name} cannot be {value}")),
    };
    set.map_err(|fault| fault.to_string())
}

/// Shuffles are rigged with components; everything else with the label of an option or a number.
fn rigged(table: &Table, stream: &str, result: &[String]) -> Result<Vec<Value>, String> {
    let value = |text: &String| {
        if stream.starts_with("shuffle ") {
            let face = table.layout().face_named(text);
            face.map(Value::Component).ok_or_else(|| format!("there is no component `{text}`"))
        } else {
            Ok(text.parse().map_or_else(|_| Value::Text(text.as_str().into()), Value::Number))
        }
    };
    result.iter().map(value).collect()
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Truth(truth) => write!(f, "{truth}"),
            Self::Text(text) => write!(f, "{text:?}"),
        }
    }
}

impl fmt::Display for Entry {
    /// As `history` and messages show it; interventions as they are typed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Choice { seat: Some(seat), prompt, chosen } => write!(f, "{seat} {prompt} {}", chosen.join(" ")),
            Self::Choice { seat: None, prompt, chosen } => write!(f, "{prompt} {}", chosen.join(" ")),
            Self::Rig { stream, result } => write!(f, "rig {stream} {}", result.join(" ")),
            Self::Reroll(number) => write!(f, "reroll {number}"),
            Self::Set { variable, value } => write!(f, "set {variable} {value}"),
            Self::Move { component, to, position } => {
                write!(f, "move {component} {}", to.as_deref().unwrap_or("nowhere"))?;
                position.map_or(Ok(()), |position| write!(f, " {position}"))
            }
        }
    }
}
