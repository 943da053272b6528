//! Chosen values as the log stores them: exact, and readable without the table.
//!
//! A label only distinguishes the options of one decision, so under changed rules it could mean another option. The log
//! is explicit: zones have their full ids, parts their names, and numbers differ from texts. Only the sort of a name is
//! left out (`33` for the card 33) where no other option of the decision has that name; otherwise both show it:
//! `component:33` and `"33"`. So a name in a log never means two options of its decision.

use crate::diagnostic::{Message, message};
use crate::playthrough::long_text::quoted;
use crate::sorted::sort_by_key;
use crate::table::layout::Layout;
use crate::table::value::{NOBODY, NOTHING, Parts, Value};
use std::collections::HashMap;
use std::fmt;

/// The exact value of a chosen option.
#[derive(Clone, Debug)]
pub enum ChosenValue {
    /// A label, from logs in the first format. It is replaced by the value once the rules have run.
    Label(String),
    Number(i64),
    Truth(bool),
    /// A name that only one option has: of a component, a zone, a player, or a text.
    Name(String),
    /// A name with its sort, where options of other sorts have the same name.
    Marked(NamedKind, String),
    /// Several parts with their names. The order is for reading; a file does not keep it.
    Parts(Vec<(String, ChosenValue)>),
    /// Several values chosen together.
    List(Vec<ChosenValue>),
}

/// The kinds of things that have a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedKind {
    /// A card, die or token. One that was face down for the chooser is named by its place: `p2.hand.3`.
    Component,
    Zone,
    /// A player, or `nobody`.
    Player,
    /// A plain text.
    Text,
}

/// Prefixes that mark the sort of a name; a text has quotes instead.
const PREFIXES: [(NamedKind, &str); 3] =
    [(NamedKind::Component, "component:"), (NamedKind::Zone, "zone:"), (NamedKind::Player, "player:")];

impl ChosenValue {
    /// Approximate memory cost in bytes, with the copies that runs and messages make of the texts.
    pub fn bytes(&self) -> usize {
        let held = match self {
            Self::Number(_) | Self::Truth(_) => 0,
            Self::Label(text) | Self::Name(text) | Self::Marked(_, text) => 16 + 3 * text.len(),
            Self::Parts(parts) => parts.iter().map(|(name, part)| 40 + 3 * name.len() + part.bytes()).sum(),
            Self::List(list) => list.iter().map(Self::bytes).sum(),
        };
        size_of::<Self>() + held
    }

    /// The value of a chosen option, distinguished from the other `options`. `faces` gives the face of each component.
    pub fn of<'v>(layout: &Layout, faces: &[u16], value: &Value, mut options: impl Iterator<Item = &'v Value>) -> Self {
        let names = Names { layout, faces };
        let is_shared = !matches!(value, Value::Number(_) | Value::Truth(_))
            && options.any(|other| other != value && names.are_alike(value, other));
        names.written(value, is_shared)
    }

    /// As [`of`](Self::of) for several values, in order, in time linear in the options.
    pub fn of_each<'v>(
        layout: &Layout,
        faces: &[u16],
        values: impl Iterator<Item = &'v Value>,
        options: impl Iterator<Item = &'v Value>,
    ) -> Vec<Self> {
        let names = Names { layout, faces };
        // The first option with each spelling, and whether several have it.
        let mut written: HashMap<String, (&Value, bool)> = HashMap::new();
        for option in options {
            let (first, are_several) = written.entry(names.written(option, false).to_toml()).or_insert((option, false));
            *are_several |= *first != option;
        }
        let chosen = values.map(|value| {
            let bare = names.written(value, false);
            let is_shared = !matches!(value, Value::Number(_) | Value::Truth(_))
                && written.get(&bare.to_toml()).is_some_and(|(first, are_several)| *are_several || *first != value);
            if is_shared { names.written(value, true) } else { bare }
        });
        chosen.collect()
    }

    /// A value with the sort of every name in it if `is_marked`; otherwise with bare names.
    pub(super) fn exactly(layout: &Layout, faces: &[u16], value: &Value, is_marked: bool) -> Self {
        Names { layout, faces }.written(value, is_marked)
    }

    /// Whether the option `value` is meant. A label means every option that has it.
    pub fn means(&self, layout: &Layout, faces: &[u16], value: &Value) -> bool {
        let names = Names { layout, faces };
        match (self, value) {
            (Self::Label(label), value) => layout.label(faces, value) == *label,
            (Self::Number(number), value) => Value::Number(*number) == *value,
            (Self::Truth(truth), value) => Value::Truth(*truth) == *value,
            (Self::Name(name), value) => names.name(value).is_some_and(|(_, known)| *known == **name),
            (Self::Marked(sort, name), value) => {
                names.name(value).is_some_and(|(known, text)| known == *sort && *text == **name)
            }
            (Self::Parts(chosen), Value::Parts(Parts(parts))) => {
                let is_meant = |name: &str, part: &Value| {
                    part_named(chosen, name).is_some_and(|chosen| chosen.means(layout, faces, part))
                };
                chosen.len() == parts.len() && parts.iter().all(|(name, part)| is_meant(name, part))
            }
            (Self::List(chosen), Value::List(list)) => {
                let mut pairs = chosen.iter().zip(list.iter());
                chosen.len() == list.len() && pairs.all(|(chosen, value)| chosen.means(layout, faces, value))
            }
            (Self::Parts(_) | Self::List(_), _) => false,
        }
    }

    /// The value as TOML.
    pub fn to_toml(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Truth(truth) => truth.to_string(),
            Self::Label(text) => quoted(text),
            // A name that looks like a mark gets a prefix.
            Self::Name(name) if mark(name).is_some() => quoted(&format!("{NAME}{name}")),
            Self::Name(name) => quoted(name),
            Self::Marked(..) => quoted(&self.to_string()),
            Self::Parts(parts) => {
                // A fixed order, whatever order was read; the action that the other parts belong to comes first.
                let mut parts: Vec<&(String, Self)> = parts.iter().collect();
                sort_by_key(&mut parts, |(name, _)| (name != "act", name));
                let parts = parts.into_iter().map(|(name, part)| format!("{} = {}", key(name), part.to_toml()));
                format!("{{ {} }}", parts.collect::<Vec<_>>().join(", "))
            }
            Self::List(list) => {
                format!("[{}]", list.iter().map(Self::to_toml).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// Reads a value from TOML.
    ///
    /// # Errors
    /// The TOML value is none that an option can have.
    pub fn from_toml(value: &toml::Value) -> Result<Self, Message> {
        Ok(match value {
            toml::Value::Integer(number) => Self::Number(*number),
            toml::Value::Boolean(truth) => Self::Truth(*truth),
            toml::Value::String(text) => mark(text).unwrap_or_else(|| Self::Name(text.clone())),
            toml::Value::Array(list) => Self::List(list.iter().map(Self::from_toml).collect::<Result<_, _>>()?),
            toml::Value::Table(parts) => {
                let part = |(name, part): (&String, &toml::Value)| Ok((name.clone(), Self::from_toml(part)?));
                Self::Parts(parts.iter().map(part).collect::<Result<_, Message>>()?)
            }
            other => return Err(message!("{other} cannot be chosen")),
        })
    }
}

/// Prefix of a name that would otherwise be read as a mark.
const NAME: &str = "name:";

/// Reads a text with a prefix or quotes; `None` for a bare name.
fn mark(text: &str) -> Option<ChosenValue> {
    if let Some(name) = text.strip_prefix(NAME) {
        return Some(ChosenValue::Name(name.to_owned()));
    }
    if let Some(inner) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        return Some(ChosenValue::Marked(NamedKind::Text, inner.to_owned()));
    }
    let (sort, name) = PREFIXES.iter().find_map(|(sort, prefix)| Some((*sort, text.strip_prefix(prefix)?)))?;
    Some(ChosenValue::Marked(sort, name.to_owned()))
}

/// Looks up the names of values.
struct Names<'a> {
    layout: &'a Layout,
    faces: &'a [u16],
}

impl Names<'_> {
    /// The name and sort of a single value; `None` where it has none.
    fn name<'v>(&'v self, value: &'v Value) -> Option<(NamedKind, std::borrow::Cow<'v, str>)> {
        Some(match value {
            Value::Text(text) => (NamedKind::Text, (&**text).into()),
            Value::Component(component) => {
                let face = self.faces.get(component.index()).and_then(|&face| self.layout.faces.get(usize::from(face)));
                (NamedKind::Component, (&*face?.id).into())
            }
            Value::Back(back) => (NamedKind::Component, self.layout.place_label(*back).into()),
            Value::Zone(zone) => (NamedKind::Zone, (&*self.layout.zones.get(zone.index())?.id).into()),
            Value::Seat(seat) => (NamedKind::Player, seat.to_string().into()),
            Value::Nobody => (NamedKind::Player, NOBODY.into()),
            Value::Nothing => (NamedKind::Text, NOTHING.into()),
            Value::Number(_) | Value::Truth(_) | Value::Parts(_) | Value::List(_) => return None,
        })
    }

    /// Whether two values would be spelled the same without their sorts.
    fn are_alike(&self, one: &Value, other: &Value) -> bool {
        match (one, other) {
            (Value::Parts(Parts(parts)), Value::Parts(others)) => {
                let is_alike = |name: &str, part| others.get(name).is_some_and(|other| self.are_alike(part, other));
                parts.len() == others.0.len() && parts.iter().all(|(name, part)| is_alike(name, part))
            }
            (Value::List(list), Value::List(others)) => {
                let mut pairs = list.iter().zip(others.iter());
                list.len() == others.len() && pairs.all(|(one, other)| self.are_alike(one, other))
            }
            // Values of one sort have the same name only if they are equal.
            (one, other) if std::mem::discriminant(one) == std::mem::discriminant(other) => one == other,
            (one, other) => match (self.name(one), self.name(other)) {
                (Some((_, one)), Some((_, other))) => one == other,
                _ => false,
            },
        }
    }

    fn written(&self, value: &Value, is_marked: bool) -> ChosenValue {
        match value {
            Value::Number(number) => ChosenValue::Number(*number),
            Value::Truth(truth) => ChosenValue::Truth(*truth),
            Value::Parts(Parts(parts)) => ChosenValue::Parts(
                parts.iter().map(|(name, part)| (name.to_string(), self.written(part, is_marked))).collect(),
            ),
            Value::List(list) => ChosenValue::List(list.iter().map(|item| self.written(item, is_marked)).collect()),
            Value::Text(_)
            | Value::Component(_)
            | Value::Back(_)
            | Value::Zone(_)
            | Value::Seat(_)
            | Value::Nobody
            | Value::Nothing => {
                let (sort, name) = self.name(value).unwrap_or((NamedKind::Text, "?".into()));
                if is_marked {
                    ChosenValue::Marked(sort, name.into_owned())
                } else {
                    ChosenValue::Name(name.into_owned())
                }
            }
        }
    }
}

impl fmt::Display for ChosenValue {
    /// The form used by `history` and messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |f: &mut fmt::Formatter<'_>, values: &mut dyn Iterator<Item = &Self>, between: &str| {
            for (position, value) in values.enumerate() {
                write!(f, "{}{value}", if position > 0 { between } else { "" })?;
            }
            Ok(())
        };
        match self {
            Self::Label(text) | Self::Name(text) => f.write_str(text),
            Self::Number(number) => write!(f, "{number}"),
            Self::Truth(truth) => f.write_str(if *truth { "yes" } else { "no" }),
            Self::Marked(NamedKind::Text, text) => write!(f, "\"{text}\""),
            Self::Marked(sort, name) => {
                let prefix = PREFIXES.iter().find(|(known, _)| known == sort).map_or("", |(_, prefix)| prefix);
                write!(f, "{prefix}{name}")
            }
            Self::Parts(parts) => joined(f, &mut parts.iter().map(|(_, part)| part), " "),
            Self::List(list) => joined(f, &mut list.iter(), "+"),
        }
    }
}

impl Eq for ChosenValue {}

impl PartialEq for ChosenValue {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Label(one), Self::Label(other)) | (Self::Name(one), Self::Name(other)) => one == other,
            (Self::Number(one), Self::Number(other)) => one == other,
            (Self::Truth(one), Self::Truth(other)) => one == other,
            (Self::Marked(sort, one), Self::Marked(other_sort, other)) => (sort, one) == (other_sort, other),
            (Self::Parts(parts), Self::Parts(others)) => {
                parts.len() == others.len() && parts.iter().all(|(name, part)| part_named(others, name) == Some(part))
            }
            (Self::List(one), Self::List(other)) => one == other,
            _ => false,
        }
    }
}

fn part_named<'a>(parts: &'a [(String, ChosenValue)], name: &str) -> Option<&'a ChosenValue> {
    parts.iter().find(|(known, _)| known == name).map(|(_, part)| part)
}

/// A TOML key, quoted where necessary.
fn key(name: &str) -> String {
    let is_bare = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
    if !name.is_empty() && name.chars().all(is_bare) { name.to_owned() } else { quoted(name) }
}
