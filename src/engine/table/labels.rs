//! Labels of options: as short as tells them apart.

use crate::definition::is_identifier;
use crate::table::layout::Layout;
use crate::table::value::{Back, NOBODY, NOTHING, Value};
use std::collections::HashMap;

/// How detailed a label is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    /// The number of a zone is enough: `extend 2`.
    Short,
    /// Whole ids of zones, brackets around lists, quotes around a text that could be read as something else.
    Long,
    /// The type of everything and the names of parts: no two values have the same label.
    Full,
}

impl Length {
    fn next(self) -> Option<Self> {
        match self {
            Self::Short => Some(Self::Long),
            Self::Long => Some(Self::Full),
            Self::Full => None,
        }
    }
}

impl Layout {
    /// The label of a single value. `faces` has the index of the face on each component.
    pub fn label(&self, faces: &[u16], value: &Value) -> String {
        Writer { layout: self, faces }.label(value, Length::Short)
    }

    /// The labels of values that are shown together: those that would be equal get more detailed.
    pub fn labels<'v>(&self, faces: &[u16], values: impl Iterator<Item = &'v Value>) -> Vec<String> {
        let writer = Writer { layout: self, faces };
        let values: Vec<&Value> = values.collect();
        let mut labels: Vec<String> = values.iter().map(|value| writer.label(value, Length::Short)).collect();
        // Single things of one type have equal labels only if they are the same.
        let is_one_sort =
            values.windows(2).all(|pair| std::mem::discriminant(pair[0]) == std::mem::discriminant(pair[1]));
        if is_one_sort && !matches!(values.first(), Some(Value::Parts(_) | Value::List(_))) {
            return labels;
        }
        let mut lengths = vec![Length::Short; values.len()];
        loop {
            let mut counts: HashMap<&str, usize> = HashMap::new();
            labels.iter().for_each(|label| *counts.entry(label).or_default() += 1);
            let alike = labels.iter().map(|label| counts.get(label.as_str()).is_some_and(|&count| count > 1));
            let longer = alike.zip(&lengths).map(|(is_alike, length)| length.next().filter(|_| is_alike));
            let longer: Vec<Option<Length>> = longer.collect();
            if longer.iter().all(Option::is_none) {
                return labels;
            }
            for (position, length) in longer.into_iter().enumerate() {
                if let Some(length) = length {
                    lengths[position] = length;
                    labels[position] = writer.label(values[position], length);
                }
            }
        }
    }
}

impl Layout {
    /// The label of a component that lies face down: `p2.hand.3`.
    pub fn place_label(&self, back: Back) -> String {
        format!("{}.{}", self.zones[back.zone.index()].id, back.number)
    }

    /// The text between parts of an option: a dash from one cell to another, `c4-d5`, and a blank otherwise.
    pub fn between_parts(&self, before: Option<&Value>, part: &Value) -> &'static str {
        let is_cell = |value: &Value| matches!(value, Value::Zone(zone) if self.cell(*zone).is_some());
        if before.is_some_and(is_cell) && is_cell(part) { "-" } else { " " }
    }
}

struct Writer<'a> {
    layout: &'a Layout,
    faces: &'a [u16],
}

impl Writer<'_> {
    fn label(&self, value: &Value, length: Length) -> String {
        let mut label = String::new();
        self.write(value, length, false, &mut label);
        label
    }

    fn write(&self, value: &Value, length: Length, is_part: bool, label: &mut String) {
        let sort = match value {
            _ if length != Length::Full => "",
            Value::Number(_) => "number:",
            Value::Truth(_) => "truth:",
            Value::Component(_) | Value::Back(_) => "component:",
            Value::Seat(_) | Value::Nobody => "player:",
            Value::Zone(_) => "zone:",
            Value::Text(_) | Value::Parts(_) | Value::List(_) | Value::Nothing => "",
        };
        label.push_str(sort);
        match value {
            Value::Number(number) => label.push_str(&number.to_string()),
            Value::Truth(truth) => label.push_str(if *truth { "yes" } else { "no" }),
            Value::Text(text) if length == Length::Full || length == Length::Long && !self.is_plain(text) => {
                label.push_str(&format!("{text:?}"));
            }
            Value::Text(text) => label.push_str(text),
            Value::Component(component) => {
                label.push_str(&self.layout.faces[usize::from(self.faces[component.index()])].id);
            }
            Value::Back(back) => label.push_str(&self.layout.place_label(*back)),
            Value::Seat(seat) => label.push_str(&seat.to_string()),
            Value::Nobody => label.push_str(NOBODY),
            Value::Nothing => label.push_str(NOTHING),
            Value::Zone(zone) => {
                let info = &self.layout.zones[zone.index()];
                let cell = self.layout.cell(*zone).map(|cell| cell.info().name.as_str());
                let is_short = length == Length::Short;
                match (cell, info.number) {
                    (Some(cell), _) if is_short && is_part => label.push_str(cell),
                    (Some(_), _) if is_short => label.push_str(self.layout.cell_alone(*zone).unwrap_or(&info.id)),
                    (None, Some(number)) if is_part && is_short => label.push_str(&number.to_string()),
                    _ => label.push_str(&info.id),
                }
            }
            Value::Parts(parts) => {
                let is_bare = length == Length::Short || length == Length::Long && !is_part;
                let (open, between, close) = if is_bare { ("", "", "") } else { ("{", ", ", "}") };
                label.push_str(open);
                for (position, (name, part)) in parts.0.iter().enumerate() {
                    let before = position.checked_sub(1).and_then(|before| parts.0.get(before)).map(|(_, part)| part);
                    label.push_str(match before {
                        None => "",
                        Some(_) if !is_bare => between,
                        before => self.layout.between_parts(before, part),
                    });
                    if length == Length::Full {
                        label.push_str(&if is_identifier(name) { format!("{name}=") } else { format!("{name:?}=") });
                    }
                    self.write(part, length, true, label);
                }
                label.push_str(close);
            }
            Value::List(list) => {
                let is_bare = length == Length::Short && !list.is_empty();
                let (open, between, close) = if is_bare { ("", "+", "") } else { ("[", ", ", "]") };
                label.push_str(open);
                for (position, item) in list.iter().enumerate() {
                    label.push_str(if position > 0 { between } else { "" });
                    self.write(item, length, true, label);
                }
                label.push_str(close);
            }
        }
    }

    /// Whether a text cannot be mistaken for a value of another type.
    fn is_plain(&self, text: &str) -> bool {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
        let is_other = || {
            text.parse::<i64>().is_ok()
                || ["yes", "no"].contains(&text)
                || self.layout.face_named(text).is_some()
                || self.layout.zone_named(text).is_some()
                || self.layout.cell_named(text).is_some()
                || text == NOBODY
                || (1..=self.layout.seats).any(|number| format!("p{number}") == text)
        };
        !text.is_empty() && text.chars().all(is_word) && !is_other()
    }
}
