//! The tables that layers lay over each other, read into a [`Definition`].

use super::components::read_components;
use super::schema::{Checker, Field, Fields};
use super::tree::{Table, Value};
use super::{
    COLORS, Definition, Looks, Plain, Text, VariableDefinition, VariableValue, Visibility, ZoneDefinition, ZoneOrder,
};
use crate::diagnostic::{Diagnostic, Place, unknown};
use std::collections::{BTreeMap, BTreeSet};

/// Most seats a game can have.
pub const MAX_SEATS: usize = 16;
/// Most zones that can be declared. With `MAX_ZONE_COUNT` of each at [`MAX_SEATS`] seats, their numbers have room in
/// 16 bits.
pub const MAX_ZONES: usize = 64;
/// Most zones that one declaration can stand for at each seat.
const MAX_ZONE_COUNT: i64 = 32;
/// Most variables that can be declared.
pub const MAX_VARIABLES: usize = 256;

/// The keys that a layer lays over those below.
pub(super) const OVERLAID: [&str; 9] =
    ["players", "standing", "tie_breaks", "data", "components", "attributes", "zones", "variables", "text"];

/// Reads the tables, those of one layer or those of all layers laid over each other. `place` is to blame for what is
/// missing. Gives nothing if the seats are not known, which for a variant alone is no trouble.
pub(super) fn read_tables(tables: &Table, place: &Place, game: &str, checker: &mut Checker) -> Option<Definition> {
    let fields = Fields { path: String::new(), place: place.clone(), table: tables };
    let players = fields.require(checker, "players").and_then(|field| read_players(&field, checker));
    let standing = fields.get("standing").and_then(|field| field.function(checker));
    let data = fields.table(checker, "data");
    let components = fields.table(checker, "components").map(|groups| read_components(&groups, data.as_ref(), checker));
    let attributes = fields.table(checker, "attributes").map(|looks| read_attributes(&looks, &fields, checker));
    let zones = fields.table(checker, "zones").map(|zones| read_zones(&zones, checker)).unwrap_or_default();
    let variables = read_variables(&fields, checker);
    check_collisions(&fields, &zones, &variables, checker);
    let tie_breaks = fields.get("tie_breaks").map(|field| read_tie_breaks(&field, &variables, checker));
    let (text, secrets) = fields.table(checker, "text").map(|text| read_text(&text, checker)).unwrap_or_default();
    Some(Definition {
        game: game.to_owned(),
        players: players?,
        components: components.unwrap_or_default(),
        attributes: attributes.unwrap_or_default(),
        zones,
        variables,
        data: data.map(|data| data.table.to_toml()).unwrap_or_default(),
        text,
        secrets,
        standing,
        tie_breaks: tie_breaks.unwrap_or_default(),
    })
}

fn read_players(field: &Field<'_>, checker: &mut Checker) -> Option<(usize, usize)> {
    let fields = field.table(checker)?;
    fields.allow(checker, "`players`", &["min", "max"]);
    let mut seats = |key| {
        let number = fields.require(checker, key)?.number(checker, 1..=MAX_SEATS as i64)?;
        usize::try_from(number).ok()
    };
    // Both are read before either is missed, so that both troubles are told.
    let (min, max) = (seats("min"), seats("max"));
    let (min, max) = (min?, max?);
    if min > max {
        let place = fields.get("min")?.node.place(format!("more than `max`, which is {max}"));
        checker.trouble(Diagnostic::new("`players.min` is more than `players.max`").at(place));
        return None;
    }
    Some((min, max))
}

fn read_attributes(
    attributes: &Fields<'_>,
    all: &Fields<'_>,
    checker: &mut Checker,
) -> BTreeMap<String, BTreeMap<String, Looks>> {
    let declared = declared_attributes(all);
    let mut read = BTreeMap::new();
    for (attribute, field) in attributes.each() {
        if !checker.partial && !checker.is_full() && declared.binary_search(&attribute).is_err() {
            let mut place = field.key.clone();
            place.label = "no component has it".to_owned();
            checker.trouble(unknown("attribute", attribute, declared.iter().copied()).at(place));
        }
        let Some(values) = field.table(checker) else { continue };
        let looks = values.each().filter_map(|(value, field)| {
            let looks = read_looks(&field, value, checker)?;
            Some((value.to_owned(), looks))
        });
        read.insert(attribute.to_owned(), looks.collect());
    }
    read
}

/// How a value of an attribute is called and drawn.
fn read_looks(field: &Field<'_>, value: &str, checker: &mut Checker) -> Option<Looks> {
    if matches!(field.node.value, Value::Text(_)) {
        return Some(Looks { name: field.words(checker)?, ..Looks::default() });
    }
    let fields = field.table(checker)?;
    fields.allow(checker, "the looks of a value", &["en", "ja", "short", "color"]);
    let text = |checker: &mut Checker, key| fields.get(key).and_then(|field| field.text(checker)).map(str::to_owned);
    let name = Text { en: text(checker, "en").unwrap_or_else(|| value.to_owned()), ja: text(checker, "ja") };
    let short = fields.get("short").and_then(|field| field.words(checker));
    let colors = COLORS.map(|color| (color, color));
    let color = fields.get("color").and_then(|field| field.word(checker, &colors)).map(str::to_owned);
    Some(Looks { name, short, color })
}

/// The names of all attributes that components are declared with, also of groups that a variant has emptied.
fn declared_attributes<'a>(all: &Fields<'a>) -> Vec<&'a str> {
    fn table<'a>(table: &'a Table, key: &str) -> Option<&'a Table> {
        match &table.get(key)?.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }
    let mut names = Vec::new();
    for (_, group) in table(all.table, "components").iter().flat_map(|groups| groups.iter()) {
        let Value::Table(group) = &group.node.value else { continue };
        names.extend(table(group, "attributes").into_iter().flat_map(Table::keys));
        let is_die = matches!(group.get("kind").map(|kind| &kind.value), Some(Value::Text(kind)) if kind == "die");
        names.extend(is_die.then_some("value"));
        names.extend(group.get("sides").map(|_| "side"));
        let Some(Value::List(members)) = group.get("list").map(|list| &list.value) else { continue };
        for member in members {
            if let Value::Table(member) = &member.value {
                names.extend(member.keys().filter(|key| !super::components::MEMBER_KEYS.contains(key)));
            }
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

fn read_zones(zones: &Fields<'_>, checker: &mut Checker) -> Vec<ZoneDefinition> {
    if let Some((_, field)) = zones.each().nth(MAX_ZONES) {
        too_many("zones", MAX_ZONES, field.key, checker);
        return Vec::new();
    }
    zones.each().filter_map(|(id, field)| read_zone(id, &field, checker)).collect()
}

fn read_zone(id: &str, field: &Field<'_>, checker: &mut Checker) -> Option<ZoneDefinition> {
    let named = field.has_table_name(checker, id, "a zone");
    let fields = field.table(checker)?;
    fields.allow(checker, "a zone", &["name", "per", "count", "order", "visible", "mark", "note"]);
    let name = fields.require(checker, "name").and_then(|field| field.words(checker));
    let per_seat = read_per(&fields, checker);
    let count = fields.get("count").map(|field| field.number(checker, 1..=MAX_ZONE_COUNT));
    let order = fields.require(checker, "order").and_then(|field| {
        let orders = [
            ("pile", ZoneOrder::Pile),
            ("row", ZoneOrder::Row),
            ("ring", ZoneOrder::Ring),
            ("hand", ZoneOrder::Hand),
            ("trick", ZoneOrder::Trick),
        ];
        field.word(checker, &orders)
    });
    let visible = fields
        .require(checker, "visible")
        .and_then(|field| read_visible(&fields, &field, per_seat, &VISIBLE_ZONES, checker));
    let mark = fields.get("mark").and_then(|field| field.function(checker));
    let note = fields.get("note").and_then(|field| field.function(checker));
    let count = match count {
        None => None,
        Some(count) => Some(usize::try_from(count?).ok()?),
    };
    let (name, visible, order) = (name?, visible?, order?);
    named.then(|| ZoneDefinition {
        id: id.to_owned(),
        name,
        per_seat: per_seat == Some(true),
        count,
        visible,
        order,
        mark,
        note,
    })
}

/// Whether each seat has one, or the table.
fn read_per(fields: &Fields<'_>, checker: &mut Checker) -> Option<bool> {
    match fields.get("per") {
        Some(field) => field.word(checker, &[("seat", true), ("table", false)]),
        None => Some(false),
    }
}

fn read_variables(all: &Fields<'_>, checker: &mut Checker) -> Vec<VariableDefinition> {
    let mut score = VariableDefinition {
        id: "score".to_owned(),
        name: Text { en: "score".to_owned(), ja: Some("得点".to_owned()) },
        per_seat: true,
        default: VariableValue::Plain(Plain::Number(0)),
        shown: true,
        visible: Visibility::All,
    };
    let Some(declared) = all.table(checker, "variables") else { return vec![score] };
    if let Some((_, field)) = declared.each().nth(MAX_VARIABLES) {
        too_many("variables", MAX_VARIABLES, field.key, checker);
        return vec![score];
    }
    let mut variables = Vec::new();
    for (id, field) in declared.each() {
        if id == "score" {
            let name = field.table(checker).and_then(|fields| {
                fields.allow(checker, "`score`, which is always there", &["name"]);
                fields.get("name")?.words(checker)
            });
            score.name = name.unwrap_or(score.name);
        } else {
            variables.extend(read_variable(id, &field, checker));
        }
    }
    variables.insert(0, score);
    variables
}

/// Who can see what lies in a zone.
const VISIBLE_ZONES: [(&str, Visibility); 5] = [
    ("all", Visibility::All),
    ("owner", Visibility::Owner),
    ("top", Visibility::Top),
    ("none", Visibility::None),
    ("once", Visibility::Once),
];

/// Who can read a variable.
const VISIBLE_VARIABLES: [(&str, Visibility); 3] =
    [("all", Visibility::All), ("owner", Visibility::Owner), ("none", Visibility::None)];

/// Who sees a zone or a variable; what belongs to the table has no owner who could.
fn read_visible(
    fields: &Fields<'_>,
    field: &Field<'_>,
    per_seat: Option<bool>,
    words: &[(&str, Visibility)],
    checker: &mut Checker,
) -> Option<Visibility> {
    let visible = field.word(checker, words)?;
    if visible == Visibility::Owner && !per_seat? && !checker.partial {
        checker.trouble(
            Diagnostic::new(format!("`{}` is the table's and has no owner", fields.path))
                .at(field.node.place("nobody is its owner"))
                .help("give each seat one with per = \"seat\", or show it to `all` or `none`"),
        );
    }
    Some(visible)
}

fn read_variable(id: &str, field: &Field<'_>, checker: &mut Checker) -> Option<VariableDefinition> {
    let named = field.has_table_name(checker, id, "a variable");
    let fields = field.table(checker)?;
    fields.allow(checker, "a variable", &["name", "per", "type", "default", "shown", "visible"]);
    let name = fields.get("name").map(|field| field.words(checker));
    let per_seat = read_per(&fields, checker);
    let default = match fields.get("type") {
        Some(field) => read_type(&field, &fields, checker),
        None => fields.require(checker, "default").and_then(|field| read_default(&field, checker)),
    };
    let shown = fields.get("shown").map(|field| match field.node.value {
        Value::Truth(shown) => shown,
        _ => {
            field.refuse(checker, "`true` or `false`");
            true
        }
    });
    let visible = match fields.get("visible") {
        Some(field) => read_visible(&fields, &field, per_seat, &VISIBLE_VARIABLES, checker),
        None => Some(Visibility::All),
    };
    let name = match name {
        Some(name) => name?,
        None => Text { en: id.replace('_', " "), ja: None },
    };
    let (per_seat, default, visible) = (per_seat?, default?, visible?);
    let shown = shown.unwrap_or(true);
    named.then(|| VariableDefinition { id: id.to_owned(), name, per_seat, default, shown, visible })
}

/// The type of a variable that no default can tell.
fn read_type(field: &Field<'_>, fields: &Fields<'_>, checker: &mut Checker) -> Option<VariableValue> {
    field.word(checker, &[("player", ())])?;
    if let Some(default) = fields.get("default") {
        let message = format!("`{}` holds a player and has no `default`", fields.path);
        let place = default.node.place("leave this out");
        checker.trouble(Diagnostic::new(message).at(place).help("it begins with `nobody`; the rules give it a player"));
        return None;
    }
    Some(VariableValue::Player)
}

/// The value of a variable at the start.
fn read_default(field: &Field<'_>, checker: &mut Checker) -> Option<VariableValue> {
    let plain = field.node.value.plain();
    if plain.is_none() {
        field.refuse(checker, "an integer, a boolean or a string");
    }
    plain.map(VariableValue::Plain)
}

/// Names of variables that each seat has and that hold numbers.
fn read_tie_breaks(field: &Field<'_>, variables: &[VariableDefinition], checker: &mut Checker) -> Vec<String> {
    let is_number = |variable: &&VariableDefinition| {
        variable.per_seat
            && variable.id != "score"
            && matches!(variable.default, VariableValue::Plain(Plain::Number(_)))
    };
    let known = || variables.iter().filter(is_number).map(|variable| variable.id.as_str());
    let mut names = Vec::new();
    for element in field.list(checker).unwrap_or_default() {
        let Some(name) = element.text(checker) else { continue };
        if !checker.partial && !known().any(|id| id == name) {
            let place = element.node.place("no such variable of each seat");
            let trouble = Diagnostic::new(format!("`{name}` cannot decide between equal scores")).at(place);
            let trouble = trouble.near(name, known());
            checker.trouble(trouble.help("declare it: [variables] and the name = { per = \"seat\", default = 0 }"));
            continue;
        }
        names.push(name.to_owned());
    }
    names
}

/// Zones and variables are reached by the same names: `ring` of the table, `p.hand` of a seat.
fn check_collisions(
    all: &Fields<'_>,
    zones: &[ZoneDefinition],
    variables: &[VariableDefinition],
    checker: &mut Checker,
) {
    for variable in variables {
        let Some(zone) = zones.iter().find(|zone| zone.id == variable.id && zone.per_seat == variable.per_seat) else {
            continue;
        };
        let key = |table: &str, label: &str| {
            let mut place = all.table(&mut Checker::new(true), table)?.get(&zone.id)?.key.clone();
            place.label = label.to_owned();
            Some(place)
        };
        let mut trouble = Diagnostic::new(format!("`{}` is both a zone and a variable", zone.id));
        trouble.place = key("zones", "the zone");
        trouble.related.extend(key("variables", "the variable"));
        if variable.id == "score" {
            trouble.help.push("each seat always has a variable `score`".to_owned());
        }
        checker.trouble(trouble);
    }
}

/// Words for people, and the prompts among them that are answered in secret.
fn read_text(text: &Fields<'_>, checker: &mut Checker) -> (BTreeMap<String, Text>, BTreeSet<String>) {
    let (mut texts, mut secrets) = (BTreeMap::new(), BTreeSet::new());
    for (key, field) in text.each() {
        let Some((text, is_secret)) = field.words_of_prompt(checker) else { continue };
        texts.insert(key.to_owned(), text);
        if is_secret {
            secrets.insert(key.to_owned());
        }
    }
    (texts, secrets)
}

fn too_many(what: &str, most: usize, place: &Place, checker: &mut Checker) {
    let mut place = place.clone();
    place.label = "one too many".to_owned();
    checker.trouble(Diagnostic::new(format!("there are more than {most} {what}")).at(place));
}
