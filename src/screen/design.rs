//! What `[looks]` says of a component, filled in with what is printed on it.

use crate::definition::sign::Sign;
use crate::definition::{Design, Icon, Text};
use crate::screen::style::{self, Line};
use crate::table::knowledge::Front;
use crate::table::names::{Names, attribute_of, has_value};

/// How one component looks, as far as its looks say more than its face.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Designed<'a> {
    /// What stands at the top.
    pub(super) title: Option<String>,
    /// What stands below.
    pub(super) text: Option<String>,
    /// What stands in the corners.
    pub(super) corner: Option<String>,
    /// What stands in the lower corner, if not the same.
    pub(super) corner_below: Option<String>,
    /// The name of the sign or picture in the middle, and where it was named.
    pub(super) icon: Option<(String, &'a Icon)>,
}

/// How values are put into a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Long,
    Short,
    Raw,
}

impl<'a> Designed<'a> {
    /// The looks of a component with its face open.
    pub(super) fn of(names: Names<'a>, front: Front) -> Self {
        let Some(design) = design(names, front) else { return Self::default() };
        let mut designed = Self::default();
        designed.add(design, names, front);
        designed
    }

    /// Lays looks over it, and then those of its values.
    fn add(&mut self, design: &'a Design, names: Names<'a>, front: Front) {
        let said = |text: &Option<Text>, value: Value| {
            text.as_ref().map(|text| filled(names, front, text.get(names.language), value))
        };
        self.title = said(&design.title, Value::Long).or(self.title.take());
        self.text = said(&design.text, Value::Long).or(self.text.take());
        self.corner = said(&design.corner, Value::Short).or(self.corner.take());
        self.corner_below = said(&design.corner_below, Value::Short).or(self.corner_below.take());
        let icon = design.icon.as_ref().map(|icon| (filled(names, front, &icon.written, Value::Raw), icon));
        self.icon = icon.or(self.icon.take());
        for (attribute, value, part) in &design.of {
            if has_value(names.layout, front, attribute, value) {
                self.add(part, names, front);
            }
        }
    }

    /// The sign of the program in the middle of it, if there is one.
    pub(super) fn sign(&self) -> Option<&'static Sign> {
        self.icon.as_ref().and_then(|(name, _)| Sign::named(name))
    }
}

/// What is printed on a component beside its face, side by side; nothing where that is nothing.
pub fn printed_on(names: Names<'_>, id: &str, width: usize) -> Option<Vec<Line>> {
    let face = names.layout.faces.iter().position(|info| *info.id == *id)?;
    let sides = u8::try_from(names.layout.faces.get(face)?.sides.len()).ok()?;
    let mut lines = Vec::new();
    for side in if sides == 0 { 0..=0 } else { 1..=sides } {
        let front = Front { face, side: Some(side), owner: None };
        let looks = Designed::of(names, front);
        let face = names.face(front).map(|face| face.text.into_owned()).unwrap_or_default();
        let said = [looks.title, looks.text].into_iter().flatten().collect::<Vec<_>>().join(": ");
        if !said.is_empty() {
            lines.push(Line::strong(face));
            lines.extend(style::wrapped(&said, width));
        }
    }
    (!lines.is_empty()).then_some(lines)
}

/// The looks of the group that a component is of.
pub(super) fn design(names: Names<'_>, front: Front) -> Option<&Design> {
    let number = u16::try_from(front.face).ok()?;
    let (group, _) = names.layout.groups.iter().find(|(_, members)| members.contains(&number))?;
    names.layout.definition.looks.get(group)
}

/// A text with what is printed on a component in place of the names in braces.
fn filled(names: Names<'_>, front: Front, text: &str, how: Value) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, (name, behind))) =
        rest.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)))
    {
        out.push_str(before);
        if name == "id" {
            out.push_str(names.layout.faces.get(front.face).map_or("", |info| &info.id));
        } else if let Some((value, looks)) = attribute_of(names.layout, front, name) {
            out.push_str(match how {
                Value::Long => names.long(&value, looks),
                Value::Short => names.short(&value, looks),
                Value::Raw => &value,
            });
        }
        rest = behind;
    }
    out.push_str(rest);
    out
}
