//! Replaces drawn names in a scenario, which people may write, by the ids that comparisons need.

use super::lookup::zones_of_kind;
use super::{ExpectationKind, ItemContent, PlacedText, Scenario, TableItem};
use crate::table::layout::Layout;
use crate::table::names;

/// Prefix of entries about single components.
pub(super) const COMPONENTS: &str = "components.";

/// The scenario with ids in place of the names of zones, variables and components. Unknown and ambiguous names stay, to
/// be reported where they are used.
pub(super) fn with_ids(scenario: &Scenario, layout: &Layout) -> Scenario {
    let mut scenario = scenario.clone();
    for named in &mut scenario.given {
        match named.content {
            ItemContent::Value(_) => match named.name.text.strip_prefix(COMPONENTS).map(str::to_owned) {
                Some(name) => named.name.text = format!("{COMPONENTS}{}", property(layout, &name)),
                None => variable(layout, &mut named.name),
            },
            _ => zone(layout, named),
        }
    }
    for expectation in scenario.steps.iter_mut().flat_map(|step| &mut step.expectations) {
        match &mut expectation.what {
            ExpectationKind::Zones(zones) | ExpectationKind::Counts(zones) => {
                zones.iter_mut().for_each(|named| zone(layout, named))
            }
            ExpectationKind::Variables(variables) => {
                variables.iter_mut().for_each(|named| variable(layout, &mut named.name));
            }
            ExpectationKind::Sees(zones) => zones.iter_mut().for_each(|named| seen(layout, named)),
            ExpectationKind::Components(properties) => {
                properties.iter_mut().for_each(|named| named.name.text = property(layout, &named.name.text));
            }
            _ => {}
        }
    }
    let rigs = scenario.steps.iter_mut().flat_map(|step| &mut step.rigs);
    scenario.rigs.iter_mut().chain(rigs).for_each(|rig| rigged(layout, rig));
    scenario
}

/// Replaces the names in a zone entry; a name shared by several zones already is an id.
fn zone(layout: &Layout, named: &mut TableItem) {
    let is_kind = !zones_of_kind(layout, &named.name.text).is_empty();
    if let Some(id) = zone_id(layout, &named.name.text).filter(|_| !is_kind) {
        named.name.text = id;
    }
    contents(layout, named);
}

/// Replaces the names in an entry with a seat that looks: `p2.p1.hand`.
fn seen(layout: &Layout, named: &mut TableItem) {
    if let Some((seat, name)) = named.name.text.split_once('.')
        && let Some(id) = zone_id(layout, name)
    {
        named.name.text = format!("{seat}.{id}");
    }
    contents(layout, named);
}

fn contents(layout: &Layout, named: &mut TableItem) {
    let component = |label: &mut PlacedText| {
        if let Some(id) = id_of(layout, &label.text) {
            label.text = id;
        }
    };
    match &mut named.content {
        ItemContent::Components(labels) => labels.iter_mut().for_each(component),
        ItemContent::Several(lists) => lists.iter_mut().flat_map(|(_, labels)| labels).for_each(component),
        ItemContent::Value(_) => {}
    }
}

fn zone_id(layout: &Layout, name: &str) -> Option<String> {
    names::zone(layout, None, name).ok().map(|zone| layout.zones[zone.index()].id.to_string())
}

fn id_of(layout: &Layout, name: &str) -> Option<String> {
    names::component(layout, None, name).ok().map(|face| layout.faces[face].id.to_string())
}

fn variable(layout: &Layout, name: &mut PlacedText) {
    if let Ok(number) = names::variable(layout, None, &name.text) {
        name.text = layout.variables[number].id.to_string();
    }
}

/// A component property with the component's id: `die-3.value`.
fn property(layout: &Layout, name: &str) -> String {
    let parts = name.rsplit_once('.').and_then(|(component, property)| Some((id_of(layout, component)?, property)));
    parts.map_or_else(|| name.to_owned(), |(id, property)| format!("{id}.{property}"))
}

/// Replaces the names in a rig: `shuffle deck ♠4`, `roll die-3 5`. The result of a lot stays, as its options are not
/// known yet.
fn rigged(layout: &Layout, rig: &mut PlacedText) {
    let words: Vec<&str> = rig.text.split_whitespace().collect();
    let id = |name: &&str| id_of(layout, name).unwrap_or_else(|| (*name).to_owned());
    rig.text = match words.as_slice() {
        ["shuffle", zone, components @ ..] => {
            let components: Vec<String> = components.iter().map(id).collect();
            let zone = zone_id(layout, zone).unwrap_or_else(|| (*zone).to_owned());
            format!("shuffle {zone} {}", components.join(" "))
        }
        ["roll", die, rest @ ..] => format!("roll {} {}", id(die), rest.join(" ")),
        _ => return,
    };
}
