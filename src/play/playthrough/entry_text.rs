//! Log entries as text, one line each, in saved games and journals.

use crate::definition::Scalar;
use crate::diagnostic::{Message, message};
use crate::playthrough::campaign;
use crate::playthrough::chosen_value::ChosenValue;
use crate::playthrough::log::{Entry, Purpose, TableSetup};
use crate::playthrough::long_text::quoted;
use crate::table::value::Seat;
use std::sync::Arc;

/// The first file format in which a choice states its purpose.
pub(super) const FIRST_FORMAT_WITH_PURPOSES: i64 = 3;

/// The file format in which choices were stored as labels.
pub(super) const FORMAT_WITH_LABELS: i64 = 1;

/// Parses an entry as [`entry_to_text`] wrote it in a file format.
///
/// # Errors
/// The text is no entry; the message says why.
pub fn entry_from_text(text: &str, format: i64) -> Result<Entry, Message> {
    let table: toml::Table =
        toml::from_str(&format!("entry = {text}")).map_err(|error| Message::verbatim(error.to_string()))?;
    table.get("entry").ok_or_else(|| "there is none".into()).and_then(|entry| entry_from_toml(entry, format))
}

/// An entry as one line of TOML.
pub fn entry_to_text(entry: &Entry) -> String {
    let mut items: Vec<String> = Vec::new();
    match entry {
        Entry::Choice { seat, prompt, purpose, chosen } => {
            items.push(seat.map_or(0, Seat::number).to_string());
            let for_what =
                |key: &str, name: &str| format!("{{ {PROMPT} = {}, {key} = {} }}", quoted(prompt), quoted(name));
            items.push(match purpose {
                Purpose::Given(name) => for_what(PURPOSE, name),
                Purpose::Setting(name) => for_what(SETTING, name),
                Purpose::Plain | Purpose::Untold => quoted(prompt),
            });
            items.extend(chosen.iter().map(ChosenValue::to_toml));
        }
        Entry::Rig { stream, result } => {
            items.extend([quoted("rig"), quoted(stream)]);
            items.extend(result.iter().map(|label| quoted(label)));
        }
        Entry::Reroll(number) => items.extend([quoted("reroll"), number.to_string()]),
        Entry::Set { variable, value } => {
            items.extend([quoted("set"), quoted(variable), plain_to_toml(value)]);
        }
        Entry::Move { component, to, position } => {
            items.extend([quoted("move"), quoted(component), quoted(to.as_deref().unwrap_or(""))]);
            items.extend(position.map(|position| position.to_string()));
        }
        Entry::Swap { one, other } => items.extend([quoted("swap"), quoted(one), quoted(other)]),
        Entry::Lay { name, given } => {
            let zones = given.zones.iter().map(|(zone, labels)| {
                let labels: Vec<String> = labels.iter().map(|label| quoted(label)).collect();
                format!("{} = [{}]", quoted(zone), labels.join(", "))
            });
            let set = given.set.iter().map(|(name, value)| format!("{} = {}", quoted(name), plain_to_toml(value)));
            let (zones, set) = (zones.collect::<Vec<_>>().join(", "), set.collect::<Vec<_>>().join(", "));
            items.extend([quoted("lay"), quoted(name), format!("{{ zones = {{ {zones} }}, set = {{ {set} }} }}")]);
        }
        Entry::Campaign { kept } => {
            let kept = kept.iter().map(|(name, value)| format!("{} = {}", quoted(name), value.to_toml()));
            items.extend([quoted(campaign::WORD), format!("{{ {} }}", kept.collect::<Vec<_>>().join(", "))]);
        }
    }
    format!("[{}]", items.join(", "))
}

/// Keys of a question that is more than its prompt: `{ prompt = "name_color", setting = "two-colors.lucky" }`.
const PROMPT: &str = "prompt";
const PURPOSE: &str = "for";
const SETTING: &str = "setting";

/// Reads a question: its prompt and purpose.
fn question_from_toml(written: &toml::Value, format: i64) -> Result<(Arc<str>, Purpose), Message> {
    let wrong = || -> Message {
        "a question is its prompt, or says what it is for: { prompt = \"name_color\", setting = \"two-colors.lucky\" }, and \
         `for` in place of `setting` where a rule asked"
            .into()
    };
    match written {
        toml::Value::String(prompt) if format < FIRST_FORMAT_WITH_PURPOSES => {
            Ok((prompt.as_str().into(), Purpose::Untold))
        }
        toml::Value::String(prompt) => Ok((prompt.as_str().into(), Purpose::Plain)),
        toml::Value::Table(question) if question.len() == 2 => {
            let text = |key: &str| question.get(key).and_then(toml::Value::as_str);
            let purpose = match (text(PURPOSE), text(SETTING)) {
                (Some(purpose), None) => Purpose::Given(purpose.into()),
                (None, Some(setting)) => Purpose::Setting(setting.into()),
                _ => return Err(wrong()),
            };
            Ok((text(PROMPT).ok_or_else(wrong)?.into(), purpose))
        }
        _ => Err(wrong()),
    }
}

fn plain_to_toml(value: &Scalar) -> String {
    match value {
        Scalar::Number(number) => number.to_string(),
        Scalar::Truth(truth) => truth.to_string(),
        Scalar::Text(text) => quoted(text),
    }
}

fn plain_from_toml(value: &toml::Value) -> Result<Scalar, Message> {
    Ok(match value {
        toml::Value::Integer(number) => Scalar::Number(*number),
        toml::Value::Boolean(truth) => Scalar::Truth(*truth),
        toml::Value::String(text) => Scalar::Text(text.clone()),
        other => return Err(message!("{other} is not a number, a truth or a text")),
    })
}

/// Reads the setup of a table: `{ zones = { ring = ["7"] }, set = { "p1.score" = 3 } }`.
fn given_from_toml(written: &toml::Table) -> Result<TableSetup, Message> {
    let mut given = TableSetup::default();
    for (key, value) in written {
        let toml::Value::Table(entries) = value else { return Err(message!("`{key}` is not a table")) };
        for (name, value) in entries {
            match key.as_str() {
                "zones" => {
                    let labels = value.as_array().ok_or_else(|| message!("the zone {name} needs a list"))?;
                    given.zones.insert(name.clone(), texts(labels)?);
                }
                "set" => {
                    given.set.insert(name.clone(), plain_from_toml(value)?);
                }
                _ => return Err(message!("a table is set up with `zones` and `set`, not with `{key}`")),
            }
        }
    }
    Ok(given)
}

fn texts(items: &[toml::Value]) -> Result<Vec<String>, Message> {
    let text = |item: &toml::Value| item.as_str().map(str::to_owned).ok_or_else(|| message!("{item} is not a text"));
    items.iter().map(text).collect()
}

/// Reads the chosen values in a file format.
fn chosen_from_toml(items: &[toml::Value], format: i64) -> Result<Vec<ChosenValue>, Message> {
    if format == FORMAT_WITH_LABELS {
        return Ok(texts(items)?.into_iter().map(ChosenValue::Label).collect());
    }
    items.iter().map(ChosenValue::from_toml).collect()
}

/// Reads a log entry of a saved game in a file format.
///
/// # Errors
/// The value is no entry; the message says why.
pub(super) fn entry_from_toml(value: &toml::Value, format: i64) -> Result<Entry, Message> {
    use toml::Value::{Array, Integer, String as Text, Table};
    let Array(items) = value else { return Err("a list was expected".into()) };
    Ok(match items.as_slice() {
        [Integer(number), question @ (Text(_) | Table(_)), chosen @ ..] => {
            let seat = match number {
                0 => None,
                number => {
                    let seat = usize::try_from(*number).ok().and_then(Seat::from_number);
                    Some(seat.ok_or_else(|| message!("there is no seat {number}"))?)
                }
            };
            let (prompt, purpose) = question_from_toml(question, format)?;
            Entry::Choice { seat, prompt, purpose, chosen: chosen_from_toml(chosen, format)?.into() }
        }
        [Text(act), Text(stream), result @ ..] if act == "rig" => {
            Entry::Rig { stream: stream.clone(), result: texts(result)? }
        }
        [Text(act), Integer(number)] if act == "reroll" => {
            Entry::Reroll(u32::try_from(*number).map_err(|_| message!("{number} is not the number of a reroll"))?)
        }
        [Text(act), Text(variable), value] if act == "set" => {
            Entry::Set { variable: variable.clone(), value: plain_from_toml(value)? }
        }
        [Text(act), Table(kept)] if act == campaign::WORD => Entry::Campaign {
            kept: kept
                .iter()
                .map(|(name, value)| Ok((name.clone(), ChosenValue::from_toml(value)?)))
                .collect::<Result<_, Message>>()?,
        },
        [Text(act), Text(one), Text(other)] if act == "swap" => Entry::Swap { one: one.clone(), other: other.clone() },
        [Text(act), Text(name), Table(given)] if act == "lay" => {
            Entry::Lay { name: name.clone(), given: given_from_toml(given)? }
        }
        [Text(act), Text(component), Text(to), position @ ..] if act == "move" => Entry::Move {
            component: component.clone(),
            to: (!to.is_empty()).then(|| to.clone()),
            position: match position {
                [] => None,
                [Integer(position)] => {
                    Some(usize::try_from(*position).map_err(|_| message!("{position} is not a position"))?)
                }
                _ => return Err("a move has a component, a zone and perhaps a position".into()),
            },
        },
        _ => return Err("write [seat, \"prompt\", \"choice\"], or an intervention such as [\"reroll\", 1]".into()),
    })
}
