//! Cards, dice and tokens, made from a few lines each: by product, range, cycle and copies, or one by one in a list.
//!
//! ```toml
//! [components.card]
//! kind   = "card"
//! id     = "{color}-{number}"                    # filled in from the attributes
//! copies = 1                                     # with more, `{copy}` tells them apart
//!
//! [components.card.attributes]                   # every combination, the first attribute outermost
//! color  = { each = ["red", "blue"] }            # or plainly the array, or "data.colors"
//! number = { from = 1, to = "data.highest" }
//! back   = { cycle = ["plain", "striped"] }      # goes round and does not multiply
//! deck   = "main"                                # the same for all
//! ```
//!
//! `sides = 2` or `sides = ["day", "night"]` gives each component of a group that many sides; it lies on the first.
//! A die has six unless `sides` says otherwise, and shows nothing until it is rolled.
//!
//! A group may also have `list = [{ id = "joker", color = "none" }]`: components that stand for themselves and come
//! after the others.

use super::keys::KeyInfo;
use super::keys::table::{component, member, series};
use super::schema::{Checker, Field, Fields};
use super::templates::{Draft, MAX_FACE_CHARS, MAX_WORD_CHARS, TemplatePart, parts};
use super::tree::Value;
use crate::catalogue::message;
use crate::diagnostic::{Diagnostic, Place};
use crate::sorted::SortedMap;
use std::sync::Arc;

/// Most components that a game can have.
pub const MAX_COMPONENTS: usize = 4096;

/// Most attributes of one component.
const MAX_ATTRIBUTES: usize = 32;
/// Most sides of a component.
const MAX_SIDES: usize = 100;
/// Sides of a die that does not say how many it has.
const DEFAULT_DIE_SIDES: usize = 6;

/// Components declared together: a deck, a set of dice.
#[derive(Clone, Debug, PartialEq)]
pub struct ComponentGroup {
    /// Name of the group; scripts get its members by `components("card")`.
    pub name: String,
    /// Card, die or token.
    pub kind: ComponentKind,
    /// Name of the back: groups of one kind with the same back look alike from behind. The name of the group, unless it
    /// says otherwise.
    pub back: String,
    /// The components, in order.
    pub members: Vec<ComponentDefinition>,
}

/// What sort of object a component is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ComponentKind {
    /// An object with a face that can be hidden.
    Card,
    /// An object with a value that is rolled.
    Die,
    /// An object with neither a hidden face nor a value that is rolled.
    Token,
}

/// One component as declared: what is printed on it.
#[derive(Clone, Debug, PartialEq)]
pub struct ComponentDefinition {
    /// Id, unique in the game: `14`, `club-7`. It names the face in files, logs and messages.
    pub id: String,
    /// The face as the table draws it, with the names of attributes in braces in place of their values.
    pub face: String,
    /// Values of its attributes, in order of declaration.
    pub attributes: Vec<(String, Attribute)>,
    /// Names of the sides, from side 1; for a die, their numbers. Empty for a component with only one side.
    pub sides: Arc<[String]>,
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Attribute {
    Number(i64),
    /// A word, such as a colour.
    Word(String),
}

/// Reads `[components]`. In a part that may rely on other layers, only the shape is checked.
pub(super) fn read_components(
    groups: &Fields<'_>,
    data: Option<&Fields<'_>>,
    checker: &mut Checker,
) -> Vec<ComponentGroup> {
    let mut deck = ComponentBuilder { data, ids: SortedMap::new(), count: 0 };
    let mut read = Vec::new();
    for (name, field) in groups.each() {
        let named = field.has_script_name(checker, name, "a group of components");
        let Some(fields) = field.table(checker) else { continue };
        let kind = fields.read(checker, &component::KIND);
        let sides = read_sides(&fields, kind, checker);
        let back = fields.read(checker, &component::BACK);
        // The list of members is worth making only if what it is made from makes sense.
        let troubles = checker.troubles.len();
        let Some(group) = GroupFields::read(&fields, sides, checker) else { continue };
        if checker.partial || checker.troubles.len() > troubles {
            continue;
        }
        if let (Some(members), Some(kind), true) = (deck.members(&group, checker), kind, named) {
            let back = back.unwrap_or(name).to_owned();
            read.push(ComponentGroup { name: name.to_owned(), kind, back, members });
        }
    }
    read
}

/// The names of the sides of a group's components.
fn read_sides(fields: &Fields<'_>, kind: Option<ComponentKind>, checker: &mut Checker) -> Arc<[String]> {
    let numbered = |count: usize| (1..=count).map(|number| number.to_string()).collect();
    let is_die = kind == Some(ComponentKind::Die);
    let Some(field) = fields.read(checker, &component::SIDES) else {
        return numbered(if is_die { DEFAULT_DIE_SIDES } else { 0 });
    };
    let Value::List(nodes) = &field.node.value else {
        let count = field.number(checker, 2..=MAX_SIDES as i64).unwrap_or_default();
        return numbered(usize::try_from(count).unwrap_or_default());
    };
    if is_die || !(2..=MAX_SIDES).contains(&nodes.len()) {
        let expected = if is_die { "the number of the die's sides" } else { "at least two names, or a number" };
        field.report_mismatch(checker, expected);
        return numbered(0);
    }
    let names = field.elements(nodes);
    names.iter().filter_map(|name| name.text(checker)).map(str::to_owned).collect()
}

/// The keys of one group, of the right types.
struct GroupFields<'a> {
    path: String,
    sides: Arc<[String]>,
    place: Place,
    id: Option<Field<'a>>,
    face: Option<Field<'a>>,
    copies: Option<Field<'a>>,
    attributes: Vec<(&'a str, Field<'a>)>,
    /// Whether components are made from the attributes, and not only listed.
    has_product: bool,
    list: Vec<Fields<'a>>,
}

impl<'a> GroupFields<'a> {
    fn read(fields: &Fields<'a>, sides: Arc<[String]>, checker: &mut Checker) -> Option<GroupFields<'a>> {
        fields.report_unknown_keys(checker, component::SECTION.called, component::SECTION.keys);
        let has_attributes = fields.has(&component::ATTRIBUTES);
        let attributes = match fields.read(checker, &component::ATTRIBUTES) {
            Some(attributes) => attributes.each().collect(),
            None if has_attributes => return None,
            None => Vec::new(),
        };
        let mut list = Vec::new();
        for element in fields.read(checker, &component::LIST).unwrap_or_default() {
            let mut member = element.table(checker)?;
            member.place = element.node.place("");
            list.push(member);
        }
        for (name, field) in &attributes {
            check_attribute_name(field, name, checker);
            check_series_shape(field, checker);
        }
        if let Some((_, field)) = attributes.get(MAX_ATTRIBUTES) {
            let message = message!("`{}.attributes` has more than {MAX_ATTRIBUTES} attributes", fields.path);
            checker.report(Diagnostic::new(message).at(field.key.clone()));
        }
        let has_product = has_attributes || !fields.has(&component::LIST);
        let (id, face) = (fields.find(&component::ID), fields.find(&component::FACE));
        if id.is_none() && has_product {
            fields.report_missing(checker, &component::ID);
        }
        for template in [&id, &face].into_iter().flatten() {
            check_template_shape(template, checker);
        }
        Some(GroupFields {
            path: fields.path.clone(),
            sides,
            place: fields.place.clone(),
            id,
            face,
            copies: fields.find(&component::COPIES),
            attributes,
            has_product,
            list,
        })
    }
}

/// An attribute must be readable in scripts and must not hide what every component has.
fn check_attribute_name(field: &Field<'_>, name: &str, checker: &mut Checker) {
    if member::SECTION.has(name) || name == "copy" {
        let place = field.key.with_label("every component has it");
        checker.report(Diagnostic::new(message!("an attribute cannot be called `{name}`")).at(place));
    } else {
        field.has_script_name(checker, name, "an attribute");
    }
}

/// Checks the length of a template, which is split for every component.
fn check_template_shape(template: &Field<'_>, checker: &mut Checker) {
    if template.text(checker).is_some_and(|text| text.chars().nth(MAX_FACE_CHARS).is_some()) {
        template.report_mismatch(checker, message!("at most {MAX_FACE_CHARS} characters long"));
    }
}

/// Checks the keys of an attribute, which needs no look at its references.
fn check_series_shape(field: &Field<'_>, checker: &mut Checker) {
    let Value::Table(table) = &field.node.value else { return };
    let fields = Fields { path: field.path.clone(), place: field.key.clone(), table };
    fields.report_unknown_keys(checker, series::SECTION.called, series::SECTION.keys);
    let is_range = fields.has(&series::FROM) || fields.has(&series::TO);
    let forms = [is_range, fields.has(&series::EACH), fields.has(&series::CYCLE)];
    let forms = forms.into_iter().filter(|given| *given).count();
    if forms > 1 || table.is_empty() {
        checker.report(
            field
                .mismatch_error("one of a range, `each` or `cycle`")
                .help("a range is { from = 1, to = 9 }; `each` multiplies the deck; `cycle` goes round with it"),
        );
    } else if is_range {
        let missing = [&series::FROM, &series::TO].into_iter().filter(|key| !fields.has(*key));
        missing.for_each(|key| fields.report_missing(checker, key));
    }
}

/// The values that one attribute takes over a group.
enum AttributeSeries {
    /// One value after the other, for every combination of the other attributes.
    Each(Vec<Attribute>),
    /// One value after the other, by the running number of the component: a single value is the same for all.
    Cycle(Vec<Attribute>),
}

/// The components of all groups while they are made.
struct ComponentBuilder<'a> {
    data: Option<&'a Fields<'a>>,
    /// Every id, with the place of the template or list entry that it comes from.
    ids: SortedMap<String, Place>,
    count: usize,
}

impl<'a> ComponentBuilder<'a> {
    fn members(&mut self, group: &GroupFields<'a>, checker: &mut Checker) -> Option<Vec<ComponentDefinition>> {
        let mut members = Vec::new();
        let copies = match &group.copies {
            Some(field) => self.count(field, checker)?,
            None => 1,
        };
        if group.has_product {
            self.add_product(group, copies, &mut members, checker)?;
        }
        for member in &group.list {
            self.add_listed(group, member, copies, &mut members, checker)?;
        }
        Some(members)
    }

    /// Adds every combination of the attributes, as often as there are copies.
    fn add_product(
        &mut self,
        group: &GroupFields<'a>,
        copies: usize,
        members: &mut Vec<ComponentDefinition>,
        checker: &mut Checker,
    ) -> Option<()> {
        let mut series = Vec::new();
        for (name, field) in &group.attributes {
            series.push((*name, self.series(field, checker)?));
        }
        let lengths = series.iter().map(|(_, series)| match series {
            AttributeSeries::Each(values) => values.len(),
            AttributeSeries::Cycle(_) => 1,
        });
        let combinations = lengths.fold(1, usize::saturating_mul);
        self.make_room(combinations.saturating_mul(copies), &group.place, checker)?;

        let id = group.id.clone()?;
        for combination in 0..combinations {
            for copy in 1..=copies {
                // The last attribute turns fastest, so it is the lowest digit of the combination's number.
                let mut digits = combination;
                let running = combination * copies + copy - 1;
                let mut attributes: Vec<(String, Attribute)> = Vec::with_capacity(series.len());
                for (name, series) in series.iter().rev() {
                    let value = match series {
                        AttributeSeries::Each(values) => {
                            let value = values.get(digits % values.len().max(1));
                            digits /= values.len().max(1);
                            value?
                        }
                        AttributeSeries::Cycle(values) => values.get(running % values.len().max(1))?,
                    };
                    attributes.push(((*name).to_owned(), value.clone()));
                }
                attributes.reverse();
                let made = Draft { attributes, copy, has_copies: copies > 1, sides: group.sides.clone() };
                members.push(self.member(&id, group.face.as_ref(), made, checker)?);
            }
        }
        Some(())
    }

    /// Adds one component of `list`, as often as it has copies.
    fn add_listed(
        &mut self,
        group: &GroupFields<'a>,
        member: &Fields<'a>,
        copies: usize,
        members: &mut Vec<ComponentDefinition>,
        checker: &mut Checker,
    ) -> Option<()> {
        let copies = match member.find(&member::COPIES) {
            Some(field) => self.count(&field, checker)?,
            None => copies,
        };
        let mut attributes = Vec::new();
        for (name, field) in member.each().filter(|(name, _)| !member::SECTION.has(name)) {
            check_attribute_name(&field, name, checker);
            attributes.push((name.to_owned(), attribute(&field, checker)?));
        }
        if attributes.len() > MAX_ATTRIBUTES {
            let message = message!("`{}` has more than {MAX_ATTRIBUTES} attributes", member.path);
            return checker.refuse(Diagnostic::new(message).at(member.place.clone()));
        }
        let Some(id) = member.find(&member::ID).or_else(|| group.id.clone()) else {
            return checker.refuse(
                Diagnostic::new(message!("`{}` has no id", member.path))
                    .at(member.place.with_label("`id` is missing"))
                    .help(message!("give it one, or give `{}` an `id` for all of its list", group.path)),
            );
        };
        // A component with its own id may lack an attribute in the group's face; then its id is its face.
        let fits = |face: &Field<'_>| {
            let shown = parts(face, &mut Checker::new(false)).unwrap_or_default();
            shown.iter().all(|part| match part {
                TemplatePart::Braced(name) => {
                    ["id", "copy", "side", "value"].contains(name) || attributes.iter().any(|(known, _)| known == name)
                }
                TemplatePart::Plain(_) => true,
            })
        };
        let own_face = member.find(&member::FACE);
        own_face.iter().for_each(|face| check_template_shape(face, checker));
        let face = own_face.or_else(|| group.face.clone().filter(|face| !member.has(&member::ID) || fits(face)));
        self.make_room(copies, &member.place, checker)?;
        for copy in 1..=copies {
            let attributes = attributes.clone();
            let made = Draft { attributes, copy, has_copies: copies > 1, sides: group.sides.clone() };
            members.push(self.member(&id, face.as_ref(), made, checker)?);
        }
        Some(())
    }

    fn make_room(&mut self, wanted: usize, place: &Place, checker: &mut Checker) -> Option<()> {
        self.count = self.count.saturating_add(wanted);
        if self.count <= MAX_COMPONENTS {
            return Some(());
        }
        let label = match wanted {
            usize::MAX => "makes more than the program can count".into(),
            _ => message!("makes {wanted}"),
        };
        let message = message!("there are more than {MAX_COMPONENTS} components");
        checker.refuse(Diagnostic::new(message).at(place.with_label(label)))
    }

    fn member(
        &mut self,
        id_template: &Field<'_>,
        face_template: Option<&Field<'_>>,
        made: Draft,
        checker: &mut Checker,
    ) -> Option<ComponentDefinition> {
        let id = made.id(id_template, checker)?;
        let place = id_template.node.place(message!("`{id}` again"));
        if let Some(first) = self.ids.get(&id) {
            let first = first.with_label(message!("`{id}` for the first time"));
            let mut trouble = Diagnostic::new(message!("two components have the id `{id}`"));
            if first.source == place.source && first.span == place.span {
                let copies = made.has_copies.then_some("tell copies apart by `{copy}` in the id");
                trouble.help.push(copies.unwrap_or("put every attribute that tells them apart into the id").into());
                trouble = trouble.at(id_template.node.place(message!("gives `{id}` more than once")));
            } else {
                trouble = trouble.at(place).related(first);
            }
            return checker.refuse(trouble);
        }
        let face = made.face(face_template.unwrap_or(id_template), &id, checker)?;
        self.ids.insert(id.clone(), place);
        Some(ComponentDefinition { id, face, attributes: made.attributes, sides: made.sides })
    }

    fn series(&self, field: &Field<'a>, checker: &mut Checker) -> Option<AttributeSeries> {
        match &field.node.value {
            Value::Table(table) => {
                let fields = Fields { path: field.path.clone(), place: field.key.clone(), table };
                let part = |key: &dyn KeyInfo| fields.find(key);
                if let Some(each) = part(&series::EACH) {
                    return self.values(&each, checker).map(AttributeSeries::Each);
                }
                if let Some(cycle) = part(&series::CYCLE) {
                    return self.values(&cycle, checker).map(AttributeSeries::Cycle);
                }
                let from = self.number(&part(&series::FROM)?, checker)?;
                let to = self.number(&part(&series::TO)?, checker)?;
                if from > to {
                    let place = field.node.place(message!("from {from} to {to}"));
                    return checker.refuse(Diagnostic::new(message!("the range `{}` is empty", field.path)).at(place));
                }
                if to.abs_diff(from) >= MAX_COMPONENTS as u64 {
                    let place = field.node.place(message!("from {from} to {to}"));
                    let message = message!("the range `{}` has more than {MAX_COMPONENTS} numbers", field.path);
                    return checker.refuse(Diagnostic::new(message).at(place));
                }
                Some(AttributeSeries::Each((from..=to).map(Attribute::Number).collect()))
            }
            Value::List(_) => self.values(field, checker).map(AttributeSeries::Each),
            _ => {
                let resolved = field.resolve(self.data, checker)?;
                match resolved.node.value {
                    Value::List(_) => self.values(&resolved, checker).map(AttributeSeries::Each),
                    _ => attribute(&resolved, checker).map(|value| AttributeSeries::Cycle(vec![value])),
                }
            }
        }
    }

    /// Reads an array of values, written there or by reference.
    fn values(&self, field: &Field<'a>, checker: &mut Checker) -> Option<Vec<Attribute>> {
        let resolved = field.resolve(self.data, checker)?;
        let Value::List(nodes) = &resolved.node.value else {
            return resolved.refuse(checker, "an array of integers or strings");
        };
        if nodes.is_empty() {
            return resolved.refuse(checker, "an array that is not empty");
        }
        resolved.elements(nodes).iter().map(|element| attribute(element, checker)).collect()
    }

    fn number(&self, field: &Field<'a>, checker: &mut Checker) -> Option<i64> {
        field.resolve(self.data, checker)?.number(checker, i64::MIN..=i64::MAX)
    }

    fn count(&self, field: &Field<'a>, checker: &mut Checker) -> Option<usize> {
        let number = field.resolve(self.data, checker)?.number(checker, 0..=MAX_COMPONENTS as i64)?;
        usize::try_from(number).ok()
    }
}

/// Reads a number or a word as the value of an attribute.
fn attribute(field: &Field<'_>, checker: &mut Checker) -> Option<Attribute> {
    match &field.node.value {
        Value::Number(number) => Some(Attribute::Number(*number)),
        Value::Text(text) => {
            let is_long = text.chars().nth(MAX_WORD_CHARS).is_some();
            if text.is_empty() || is_long || text.contains(|character: char| "{}".contains(character)) {
                let expected = message!("a word of 1 to {MAX_WORD_CHARS} characters, without braces");
                return field.refuse(checker, expected);
            }
            Some(Attribute::Word(text.clone()))
        }
        _ => field.refuse(checker, "an integer or a string"),
    }
}
