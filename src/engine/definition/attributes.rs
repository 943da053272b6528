//! Attributes of components: which a game declares, and how their values are called and drawn.

use super::Text;
use super::keys::Key;
use super::keys::table::{looks, member};
use super::schema::{Checker, Field, Fields};
use super::tree::{TomlTable, Value};
use crate::diagnostic::unknown;
use crate::sorted::{SortedMap, sort_by};

/// How a value of an attribute is called and drawn.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Looks {
    /// The name that people read.
    pub name: Text,
    /// One or two letters for the table; the name where absent.
    pub short: Option<Text>,
    /// A colour for terminals that have them: one of [`COLORS`](super::COLORS).
    pub color: Option<String>,
}

/// Reads how the values of attributes are called and drawn.
pub(super) fn read_attributes(
    attributes: &Fields<'_>,
    all: &Fields<'_>,
    checker: &mut Checker,
) -> SortedMap<String, SortedMap<String, Looks>> {
    let declared = declared_attributes(all);
    let mut read = SortedMap::new();
    for (attribute, field) in attributes.each() {
        if !checker.partial && !checker.is_full() && declared.binary_search(&attribute).is_err() {
            let place = field.key.with_label("no component has it");
            checker.report(unknown("attribute", attribute, declared.iter().copied()).at(place));
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

/// Reads how a value of an attribute is called and drawn.
fn read_looks(field: &Field<'_>, value: &str, checker: &mut Checker) -> Option<Looks> {
    if matches!(field.node.value, Value::Text(_)) {
        return Some(Looks { name: field.words(checker)?, ..Looks::default() });
    }
    let fields = field.section(checker, &looks::SECTION)?;
    let en = fields.read(checker, &looks::EN).unwrap_or(value).to_owned();
    let name = Text::from(en).translated(|language| fields.read(checker, &Key::of_language(language)));
    let short = fields.read(checker, &looks::SHORT);
    let color = fields.read(checker, &looks::COLOR).map(str::to_owned);
    Some(Looks { name, short, color })
}

/// The names of all attributes that components are declared with, also of groups that a variant has emptied.
pub(super) fn declared_attributes<'a>(all: &Fields<'a>) -> Vec<&'a str> {
    let mut names = Vec::new();
    for (_, group) in all.table.table("components").into_iter().flat_map(TomlTable::iter) {
        let Value::Table(group) = &group.node.value else { continue };
        names.extend(group.table("attributes").into_iter().flat_map(TomlTable::keys));
        let is_die = matches!(group.get("kind").map(|kind| &kind.value), Some(Value::Text(kind)) if kind == "die");
        names.extend(is_die.then_some("value"));
        names.extend(group.get("sides").map(|_| "side"));
        let Some(Value::List(members)) = group.get("list").map(|list| &list.value) else { continue };
        for member in members {
            if let Value::Table(member) = &member.value {
                names.extend(member.keys().filter(|key| !member::SECTION.has(key)));
            }
        }
    }
    sort_by(&mut names, Ord::cmp);
    names.dedup();
    names
}
