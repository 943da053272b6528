//! The printed design of components: what `[looks]` says of each, with the values of attributes filled in.

use super::knowledge::Front;
use super::layout::Layout;
use super::names::{Names, Template, attribute_of, template};
use crate::definition::sign::Sign;
use crate::definition::{Design, Icon, Text};

/// The printed design of one component, as far as it says more than the face.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ComponentDesign<'a> {
    /// Text at the top.
    pub title: Option<String>,
    /// The text below the title.
    pub text: Option<String>,
    /// Text in the corners.
    pub corner: Option<String>,
    /// Text in the lower corner, if it differs.
    pub corner_below: Option<String>,
    /// The name of the sign or picture in the middle, and where it was named.
    pub icon: Option<(String, &'a Icon)>,
}

/// How values of attributes are put into a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Long,
    Short,
    Raw,
}

impl<'a> ComponentDesign<'a> {
    /// The printed design of a component with its face open.
    pub fn of(names: Names<'a>, front: Front) -> Self {
        let Some(design) = design(names, front) else { return Self::default() };
        let mut designed = Self::default();
        designed.add(design, names, front);
        designed
    }

    /// Lays a design over this one, and then the designs for the component's attribute values.
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

    /// The sign of the program in the middle; `None` where there is a picture or nothing.
    pub fn sign(&self) -> Option<&'static Sign> {
        self.icon.as_ref().and_then(|(name, _)| Sign::named(name))
    }
}

/// The sides of a component, each as it is printed.
pub fn fronts(layout: &Layout, face: usize) -> impl Iterator<Item = Front> + use<> {
    let count = layout.faces.get(face).map_or(0, |info| u8::try_from(info.sides.len()).unwrap_or(0));
    let sides = if count == 0 { 0..=0 } else { 1..=count };
    sides.map(move |side| Front { face, side: Some(side), owner: None })
}

/// The icons of all components, each once: the name of a sign or a picture, and where it was named.
pub fn icons(names: Names<'_>) -> Vec<(String, &Icon)> {
    let mut found: Vec<(String, &Icon)> = Vec::new();
    if names.layout.definition.looks.is_empty() {
        return found;
    }
    let fronts = (0..names.layout.faces.len()).flat_map(|face| fronts(names.layout, face));
    for (name, icon) in fronts.filter_map(|front| ComponentDesign::of(names, front).icon) {
        if !found.iter().any(|(known, at)| *known == name && std::ptr::eq(*at, icon)) {
            found.push((name, icon));
        }
    }
    found
}

/// The design of the group that a component belongs to.
pub fn design(names: Names<'_>, front: Front) -> Option<&Design> {
    let number = u16::try_from(front.face).ok()?;
    let (group, _) = names.layout.groups.iter().find(|(_, members)| members.contains(&number))?;
    names.layout.definition.looks.get(group)
}

/// Whether a component has a value of an attribute; its id counts as one.
pub fn has_value(layout: &Layout, front: Front, attribute: &str, value: &str) -> bool {
    if attribute == "id" {
        return layout.faces.get(front.face).is_some_and(|info| *info.id == *value);
    }
    attribute_of(layout, front, attribute).is_some_and(|(found, _)| found == value)
}

/// Designs for attribute values that no component of their group has, each with the attribute and the value.
pub fn looks_without_components(layout: &Layout) -> Vec<(&Design, &str, &str)> {
    let mut found = Vec::new();
    for (group, members) in &layout.groups {
        let Some(design) = layout.definition.looks.get(group) else { continue };
        let fronts: Vec<Front> = members.clone().flat_map(|face| fronts(layout, usize::from(face))).collect();
        designs_without_components(layout, design, &fronts, &mut found);
    }
    found
}

fn designs_without_components<'a>(
    layout: &'a Layout,
    design: &'a Design,
    fronts: &[Front],
    found: &mut Vec<(&'a Design, &'a str, &'a str)>,
) {
    for (attribute, value, part) in &design.of {
        let with: Vec<Front> =
            fronts.iter().copied().filter(|front| has_value(layout, *front, attribute, value)).collect();
        if with.is_empty() {
            found.push((part, attribute, value));
        } else {
            designs_without_components(layout, part, &with, found);
        }
    }
}

/// A text with the values of a component's attributes in place of their names in braces.
fn filled(names: Names<'_>, front: Front, text: &str, how: Value) -> String {
    let mut out = String::new();
    for piece in template(text) {
        match piece {
            Template::Plain(plain) => out.push_str(plain),
            Template::Attribute("id") => {
                out.push_str(names.layout.faces.get(front.face).map_or("", |info| &info.id));
            }
            Template::Attribute(name) => {
                let Some((value, looks)) = attribute_of(names.layout, front, name) else { continue };
                out.push_str(match how {
                    Value::Long => names.long(&value, looks),
                    Value::Short => names.short(&value, looks),
                    Value::Raw => &value,
                });
            }
        }
    }
    out
}
