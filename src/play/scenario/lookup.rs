//! Looks up the names of a scenario in its rules; unknown names are reported at their place.

use super::{ItemContent, PlacedText, TableItem};
use crate::diagnostic::{Diagnostic, Diagnostics, Message, Place, message};
use crate::table::layout::{Layout, ZoneInfo};
use crate::table::names;
use crate::table::value::{Component, Zone};

/// The name shared by the zones of one declaration: `columns`, `p1.columns`; `None` for a single zone.
fn kind(layout: &Layout, zone: &ZoneInfo) -> Option<String> {
    zone.number?;
    let id = &layout.definition.zones[zone.definition].id;
    Some(zone.seat.map_or_else(|| id.clone(), |seat| format!("{seat}.{id}")))
}

/// The zones that share a name, in order: the columns of a player, the places of a list, the cells of a board.
pub(super) fn zones_of_kind(layout: &Layout, name: &str) -> Vec<Zone> {
    let of_kind = layout.zones.iter().enumerate().filter(|(_, zone)| kind(layout, zone).as_deref() == Some(name));
    of_kind.map(|(number, _)| Zone(number as u16)).collect()
}

/// The zones that a name means, each with the components listed for it: one zone, or several that share the name.
pub(super) fn zones_meant<'a>(
    layout: &Layout,
    named: &'a TableItem,
) -> Result<Vec<(Zone, &'a [PlacedText])>, Diagnostics> {
    let name = &named.name.text;
    let zones: Vec<Zone> = match layout.zone_named(name) {
        Some(zone) => vec![zone],
        None => zones_of_kind(layout, name),
    };
    match &named.content {
        _ if zones.is_empty() => {
            let kinds: Vec<String> = layout.zones.iter().filter_map(|zone| kind(layout, zone)).collect();
            let known = layout.zones.iter().map(|zone| &*zone.id).chain(kinds.iter().map(String::as_str));
            Err(unknown(layout, "zone", &named.name, known).into())
        }
        ItemContent::Components(labels) if zones.len() == 1 || labels.is_empty() => {
            Ok(zones.into_iter().map(|zone| (zone, &labels[..])).collect())
        }
        ItemContent::Several(lists) if lists.len() == zones.len() && layout.zone_named(name).is_none() => {
            Ok(zones.into_iter().zip(lists.iter().map(|(_, labels)| &labels[..])).collect())
        }
        _ => {
            let (count, help) = match zones.len() {
                1 => (Message::from("one zone"), message!("Write one list: {name} = []")),
                count => {
                    let lists = vec!["[]"; count].join(", ");
                    let first = zones.first().map_or("", |zone| &layout.zones[zone.index()].id);
                    (
                        message!("{count} zones"),
                        message!("Write a list for each: {name} = [{lists}], or name one: {first}"),
                    )
                }
            };
            let place = Place { label: "not a list for each".into(), ..named.place.clone() };
            Err(Diagnostic::new(message!("`{name}` is {count}")).at(place).help(help).into())
        }
    }
}

/// The component with an id or a drawn name.
pub(super) fn component_named(layout: &Layout, label: &PlacedText) -> Result<Component, Diagnostics> {
    let told = |errors: Diagnostics| {
        let is_unknown = names::components(layout, None, &label.text).is_empty();
        let said = if is_unknown { "no component of these rules" } else { "more than one has this name" };
        errors.at(Place { label: said.into(), ..label.place.clone() })
    };
    names::component(layout, None, &label.text).map(|face| Component(face as u16)).map_err(told)
}

/// The component and the property in a name such as `die-3.value`.
pub(super) fn component_property<'a>(
    layout: &Layout,
    name: &'a PlacedText,
) -> Result<(Component, &'a str), Diagnostics> {
    let (id, property) = name.text.rsplit_once('.').unwrap_or((&name.text, ""));
    let component = component_named(layout, &PlacedText { text: id.to_owned(), place: name.place.clone() })?;
    if ["side", "value", "owner"].contains(&property) {
        return Ok((component, property));
    }
    let help = message!("Write it so: {id} = {{ side = 2 }}, with `side`, `value` or `owner`");
    let place = Place { label: "no property of a component".into(), ..name.place.clone() };
    Err(Diagnostic::new(message!("`{property}` cannot be set for {id}")).at(place).help(help).into())
}

pub(super) fn variable_named(layout: &Layout, name: &PlacedText) -> Result<usize, Diagnostics> {
    let known = layout.variables.iter().map(|variable| &*variable.id);
    layout.variable_named(&name.text).ok_or_else(|| unknown(layout, "variable", name, known).into())
}

/// The error for a name that these rules do not have, at the place of the name.
pub(super) fn unknown<'a>(
    layout: &Layout,
    sort: &'static str,
    name: &PlacedText,
    known: impl Iterator<Item = &'a str>,
) -> Diagnostic {
    let place = Place { label: message!("no {} of these rules", Message::from(sort)), ..name.place.clone() };
    names::unknown_in(layout, sort, &name.text, known).at(place)
}
