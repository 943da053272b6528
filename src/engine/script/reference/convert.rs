//! Conversion between the values of the interpreter and those of the table.

use super::words::Nobody;
use crate::definition::DeclaredType;
use crate::diagnostic::message;
use crate::script::parse_errors::script_point;
use crate::script::sorts::Sort;
use crate::script::vocabulary::bodies::{
    SeatPrompt, joined, not_a_zone_error, not_comparable_error, not_storable_error, numbers_in, position_chosen,
    position_chosen_within, single_option, too_long_error,
};
use crate::script::vocabulary::lists::{Entries, SearchedValue};
use crate::table::choices::{Choices, Items, refuse_huge};
use crate::table::data::{Data, Datum};
use crate::table::decision::{self, Answerer, Play};
use crate::table::value::{Back, Component, Parts, Seat, Seats, Value, Zone, Zones, components_alone};
use crate::table::words::Components;
use crate::table::{Fault, Table};
use rhai::{Array, Dynamic, EvalAltResult, ImmutableString, NativeCallContext, Position};
use std::cell::{RefCell, RefMut};
use std::rc::Rc;
use std::sync::Arc;

/// The table that all words of an interpreter share, and the answerer of its questions.
#[derive(Clone)]
pub(crate) struct SharedTable(pub(crate) Rc<RefCell<Table>>, pub(crate) Rc<RefCell<Box<dyn Answerer>>>);

impl SharedTable {
    /// A table at which nobody answers.
    pub fn new(table: Table) -> Self {
        Self(Rc::new(RefCell::new(table)), Rc::new(RefCell::new(Box::new(decision::NoAnswerer))))
    }

    /// Borrows the table for a word, and records the word's point in the rules.
    pub fn enter(&self, context: &NativeCallContext<'_>) -> Entered<'_> {
        let mut table = self.0.borrow_mut();
        table.set_point(script_point(context.call_position()));
        Entered { table, answers: self.1.borrow_mut() }
    }
}

/// A table that a word has borrowed. At the end of the word, interventions can take place.
pub(crate) struct Entered<'a> {
    pub table: RefMut<'a, Table>,
    answers: RefMut<'a, Box<dyn Answerer>>,
}

impl Entered<'_> {
    /// The table with the answerer.
    pub fn play(&mut self) -> Play<'_> {
        Play { table: &mut self.table, answers: &mut **self.answers }
    }
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        self.play().intervene_if_due();
    }
}

/// Conversion of an argument to the type that the body of a word takes.
pub(super) trait Take {
    type Taken<'a>
    where
        Self: 'a;
    fn take(value: &Self) -> Self::Taken<'_>;
}

macro_rules! take_copy {
    ($($sort:ty),*) => { $(
        impl Take for $sort {
            type Taken<'a> = $sort;
            fn take(value: &Self) -> $sort {
                *value
            }
        }
    )* };
}

macro_rules! take_reference {
    ($($sort:ty => $taken:ty),*) => { $(
        impl Take for $sort {
            type Taken<'a> = &'a $taken;
            fn take(value: &Self) -> &$taken {
                value
            }
        }
    )* };
}

take_copy!(i64, bool, Component, Zone, Seat, Nobody, Seats, Data);
take_reference!(
    Dynamic => Dynamic, ImmutableString => str, Components => [Component], Zones => [Zone], Choices => Choices, Parts => Parts, Array => Array
);

/// The result of a word, as the interpreter takes it.
pub(super) type Given = Result<Dynamic, Box<EvalAltResult>>;

/// Conversion of a result to a value of the interpreter.
pub(super) trait Give {
    fn give(self) -> Given;
}

macro_rules! give_itself {
    ($($sort:ty),*) => { $(
        impl Give for $sort {
            fn give(self) -> Given {
                Ok(Dynamic::from(self))
            }
        }
    )* };
}

give_itself!((), i64, bool, Component, Components, Zone, Zones, Seat, Seats, Choices, Array, Dynamic);

impl Give for Option<Seat> {
    fn give(self) -> Given {
        Ok(self.map_or_else(|| Dynamic::from(Nobody), Dynamic::from))
    }
}

impl Give for Vec<Seats> {
    fn give(self) -> Given {
        Ok(Dynamic::from_array(self.into_iter().map(Dynamic::from).collect()))
    }
}

impl Give for Vec<Zones> {
    fn give(self) -> Given {
        if self.len() > crate::script::MAX_LIST_ENTRIES {
            return Err(raise(too_long_error()));
        }
        Ok(Dynamic::from_array(self.into_iter().map(Dynamic::from).collect()))
    }
}

impl Give for String {
    fn give(self) -> Given {
        Ok(ImmutableString::from(self).into())
    }
}

impl Give for &str {
    fn give(self) -> Given {
        Ok(ImmutableString::from(self).into())
    }
}

impl Give for Arc<str> {
    fn give(self) -> Given {
        (&*self).give()
    }
}

impl Give for Value {
    fn give(self) -> Given {
        Ok(to_dynamic(self))
    }
}

impl Give for Datum {
    fn give(self) -> Given {
        Ok(of_datum(&self))
    }
}

/// Converts an entry of the data, for getters that are made for one ruleset.
pub(crate) fn give_datum(datum: Result<Datum, Fault>) -> Given {
    datum.give()
}

impl<T: Give> Give for Result<T, Fault> {
    fn give(self) -> Given {
        match self {
            Ok(value) => value.give(),
            Err(fault) => Err(raise(fault)),
        }
    }
}

/// A fault as an error of the interpreter; a script's `try` cannot catch one that ends the run.
#[cold]
pub fn raise(fault: Fault) -> Box<EvalAltResult> {
    match fault {
        Fault::Halt(_) => EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE),
        Fault::Rule { .. } => EvalAltResult::ErrorRuntime(Dynamic::from(RaisedFault(fault)), Position::NONE),
    }
    .into()
}

impl From<Fault> for Box<EvalAltResult> {
    fn from(fault: Fault) -> Self {
        raise(fault)
    }
}

/// A fault as an error value of the interpreter.
#[derive(Clone)]
pub(crate) struct RaisedFault(pub(crate) Fault);

/// Converts a value of the table to one of scripts.
pub(crate) fn to_dynamic(value: Value) -> Dynamic {
    match value {
        Value::Number(number) => Dynamic::from_int(number),
        Value::Truth(truth) => Dynamic::from_bool(truth),
        Value::Text(text) => Dynamic::from(ImmutableString::from(&*text)),
        Value::Component(component) | Value::Back(Back { component, .. }) => Dynamic::from(component),
        Value::Seat(seat) => Dynamic::from(seat),
        Value::Nobody => Dynamic::from(Nobody),
        Value::Nothing => Dynamic::UNIT,
        Value::Zone(zone) => Dynamic::from(zone),
        Value::Parts(parts) => Dynamic::from(parts),
        Value::List(list) if let Some(components) = components_alone(&list) => {
            Dynamic::from(components.into_iter().collect::<Components>())
        }
        Value::List(list) => Dynamic::from_array(list.iter().cloned().map(to_dynamic).collect()),
    }
}

/// Converts a value of scripts to one of the table.
pub fn to_value(value: &Dynamic) -> Result<Value, Fault> {
    if let Ok(number) = value.as_int() {
        return Ok(Value::Number(number));
    }
    if let Ok(truth) = value.as_bool() {
        return Ok(Value::Truth(truth));
    }
    if let Ok(text) = value.as_immutable_string_ref() {
        return Ok(Value::Text(text.as_str().into()));
    }
    if let Some(component) = value.clone().try_cast::<Component>() {
        return Ok(Value::Component(component));
    }
    if let Some(seat) = value.clone().try_cast::<Seat>() {
        return Ok(Value::Seat(seat));
    }
    if value.is::<Nobody>() {
        return Ok(Value::Nobody);
    }
    if let Some(zone) = value.clone().try_cast::<Zone>() {
        return Ok(Value::Zone(zone));
    }
    if let Some(parts) = value.clone().try_cast::<Parts>() {
        return Ok(Value::Parts(parts));
    }
    if let Some(components) = value.clone().try_cast::<Components>() {
        return Ok(Value::List(components.0.into_iter().map(Value::Component).collect()));
    }
    if let Some(zones) = value.read_lock::<Zones>() {
        return Ok(Value::List(zones.iter().copied().map(Value::Zone).collect()));
    }
    if let Some(seats) = value.read_lock::<Seats>() {
        return Ok(Value::List(seats.into_iter().map(Value::Seat).collect()));
    }
    if let Some(list) = value.read_lock::<Array>() {
        return of_list(&list).map(|list| Value::List(list.into()));
    }
    Err(not_storable_error(sort_called(value.type_name())))
}

/// The value of a variable, converted for scripts.
pub(super) fn of_variable(table: &Table, number: usize) -> Dynamic {
    let Value::List(list) = table.variable(number) else { return to_dynamic(table.variable(number).clone()) };
    let entries: Array = list.iter().cloned().map(to_dynamic).collect();
    match table.held_in(number) {
        Some(DeclaredType::Components) => {
            Dynamic::from(entries.into_iter().filter_map(Dynamic::try_cast::<Component>).collect::<Components>())
        }
        Some(DeclaredType::Zones) => {
            Dynamic::from(Zones(entries.into_iter().filter_map(Dynamic::try_cast::<Zone>).collect()))
        }
        Some(DeclaredType::Players) => {
            Dynamic::from(entries.into_iter().filter_map(Dynamic::try_cast::<Seat>).collect::<Seats>())
        }
        _ => Dynamic::from_array(entries),
    }
}

/// Converts a value of scripts for a variable.
pub(super) fn to_variable(value: &Dynamic) -> Result<Value, Fault> {
    if value.is_unit() { Ok(Value::Nothing) } else { to_value(value) }
}

/// The options made of a value: each component of a zone or list, each zone, player, entry; or the value itself.
pub(in crate::script) fn parts_of(table: &Table, with: &Dynamic) -> Result<Items, Fault> {
    if let Some(zone) = with.read_lock::<Zone>() {
        return Ok(table.offered(*zone).into());
    }
    if let Some(list) = with.read_lock::<Components>() {
        return Ok(list.clone().into());
    }
    if let Some(zones) = with.read_lock::<Zones>() {
        return Ok(zones.clone().into());
    }
    if let Some(seats) = with.read_lock::<Seats>() {
        return Ok((*seats).into());
    }
    if let Some(data) = with.read_lock::<Data>() {
        return table.data_values(*data).map(Items::from);
    }
    let items = if let Some(list) = with.read_lock::<Array>() {
        of_list(&list)?.into()
    } else if let Some(bounds) = bounds(with) {
        numbers_in(bounds)?.into()
    } else if let Some(choices) = with.read_lock::<Choices>() {
        Items::from(choices.clone())
    } else {
        single_option(to_value(with)?)?
    };
    refuse_huge(items.most_bytes())?;
    Ok(items)
}

/// The entries of a list as values.
pub(super) fn of_list(list: &Array) -> Result<Vec<Value>, Fault> {
    list.iter().map(to_value).collect()
}

/// The options at some positions as a list.
pub(super) fn options_at(options: &Choices, positions: &[usize]) -> Result<Array, Fault> {
    Ok(positions.iter().map(|position| to_dynamic(options.value(*position))).collect())
}

/// The entries of a list at some positions.
pub(super) fn entries_at(list: &Array, positions: &[usize]) -> Result<Array, Fault> {
    Ok(positions.iter().filter_map(|position| list.get(*position)).cloned().collect())
}

/// The numbers from `from` to `to` as a list.
pub(super) fn numbers(from: i64, to: i64) -> Result<Array, Fault> {
    Ok(numbers_in((from, to))?.into_iter().map(to_dynamic).collect())
}

/// The first and the last number of a range of either kind; `None` for any other value.
pub(super) fn bounds(range: &Dynamic) -> Option<(i64, i64)> {
    let open = range.read_lock::<std::ops::Range<i64>>().map(|range| (range.start, range.end.saturating_sub(1)));
    open.or_else(|| range.read_lock::<std::ops::RangeInclusive<i64>>().map(|range| (*range.start(), *range.end())))
}

/// Whether two lists have equal entries in the same order.
pub(super) fn equal(one: &Array, other: &Array) -> Result<bool, Fault> {
    // Before the entries, so that lists of different lengths cost nothing.
    if one.len() != other.len() {
        return Ok(false);
    }
    for (one, other) in one.iter().zip(other) {
        if !same(one, other)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether two values are equal; values of different sorts are not.
fn same(one: &Dynamic, other: &Dynamic) -> Result<bool, Fault> {
    // Hostile lists are compared entry by entry, and most of them hold numbers.
    if let (Ok(one), Ok(other)) = (one.as_int(), other.as_int()) {
        return Ok(one == other);
    }
    if let (Some(one), Some(other)) = (one.read_lock::<Array>(), other.read_lock::<Array>()) {
        return equal(&one, &other);
    }
    if let (Some(one), Some(other)) = (one.read_lock::<Components>(), other.read_lock::<Components>()) {
        return Ok(one.0 == other.0);
    }
    if let (Some(one), Some(other)) = (one.read_lock::<Zones>(), other.read_lock::<Zones>()) {
        return Ok(*one == *other);
    }
    if let (Some(one), Some(other)) = (one.read_lock::<Seats>(), other.read_lock::<Seats>()) {
        return Ok(*one == *other);
    }
    let [sort, other_sort] = [one, other].map(|value| sort_called(value.type_name()));
    if sort != other_sort {
        return Ok(false);
    }
    if one.is_unit() {
        return Ok(true);
    }
    match (to_value(one), to_value(other)) {
        (Ok(one), Ok(other)) => Ok(one == other),
        _ => Err(not_comparable_error(sort.unwrap_or(Sort::Function))),
    }
}

impl<A: std::ops::Deref<Target = Array>> Entries for A {
    type Entry = Dynamic;

    fn entries(&self) -> &[Dynamic] {
        self
    }

    fn same(&self, one: &Dynamic, other: &Dynamic) -> Result<bool, Fault> {
        same(one, other)
    }

    // All entries hash alike, so each is compared with each.
    fn feed(&self, _entry: &Dynamic, _hasher: &mut impl std::hash::Hasher) {}

    fn value(&self, entry: &Dynamic) -> Result<Value, Fault> {
        to_value(entry)
    }

    fn components(&self, table: &Table, entry: &Dynamic) -> Option<Vec<Component>> {
        components_of(table, entry)
    }
}

fn components_of(table: &Table, entry: &Dynamic) -> Option<Vec<Component>> {
    if let Some(components) = entry.read_lock::<Components>() {
        return Some(components.to_vec());
    }
    if let Some(zones) = entry.read_lock::<Zones>() {
        return Some(zones.iter().flat_map(|&zone| table.zone(zone)).copied().collect());
    }
    if let Some(zone) = entry.read_lock::<Zone>() {
        return Some(table.zone(*zone).to_vec());
    }
    if let Some(component) = entry.read_lock::<Component>() {
        return Some(vec![*component]);
    }
    let list = entry.read_lock::<Array>()?;
    Some(list.iter().map(|entry| components_of(table, entry)).collect::<Option<Vec<_>>>()?.concat())
}

impl SearchedValue<Dynamic> for &Dynamic {
    fn entry(&self) -> std::borrow::Cow<'_, Dynamic> {
        std::borrow::Cow::Borrowed(self)
    }
}

/// Lists of components as a list.
pub(super) fn of_groups(groups: Vec<Components>) -> Array {
    groups.into_iter().map(Dynamic::from).collect()
}

/// A value, or `otherwise` where there is none.
pub(super) fn or(value: Option<Value>, otherwise: &Dynamic) -> Dynamic {
    value.map_or_else(|| otherwise.clone(), to_dynamic)
}

/// An entry of the data, or `otherwise` where there is none.
pub(super) fn datum_or(datum: Option<&Datum>, otherwise: &Dynamic) -> Dynamic {
    datum.map_or_else(|| otherwise.clone(), of_datum)
}

/// The entries of a list of the data.
pub(super) fn entries(table: &Table, data: Data) -> Result<Array, Fault> {
    Ok(table.data_entries(data)?.iter().map(of_datum).collect())
}

/// The entries of a list of the data at some positions.
pub(super) fn data_at(table: &Table, data: Data, positions: &[usize]) -> Result<Array, Fault> {
    entries_at(&entries(table, data)?, positions)
}

/// Converts an entry of the data for scripts.
pub(super) fn of_datum(datum: &Datum) -> Dynamic {
    match datum {
        Datum::Value(value) => to_dynamic(value.clone()),
        Datum::Data(data) => Dynamic::from(*data),
    }
}

/// Joins two lists, unless the result is too long.
pub(super) fn concatenated(one: &Array, other: &Array) -> Result<Array, Fault> {
    if one.len() + other.len() > crate::script::MAX_LIST_ENTRIES {
        return Err(too_long_error());
    }
    Ok(one.iter().chain(other).cloned().collect())
}

/// A list as a text: entries are written as `${entry}` would write them.
pub(super) fn text_of_list(table: &Table, list: &Array) -> Result<String, Fault> {
    let entries: Vec<String> = match of_list(list) {
        Ok(values) => values.iter().map(|entry| table.option_label(entry)).collect(),
        Err(_) => list.iter().map(|entry| shown(table, entry)).collect(),
    };
    let length: usize = entries.iter().map(|entry| entry.len() + 2).sum();
    if length > crate::script::MAX_TEXT {
        return Err(Fault::rule(message!("a text can have {} bytes", crate::script::MAX_TEXT)));
    }
    Ok(joined(entries.into_iter()))
}

/// A value of scripts as text for people, for `eval` and notes.
pub fn shown(table: &Table, value: &Dynamic) -> String {
    let joined = |labels: Vec<String>| format!("[{}]", labels.join(", "));
    if let Some(list) = value.read_lock::<Components>() {
        return joined(list.0.iter().map(|&component| table.label(component).to_string()).collect());
    }
    if let Some(list) = value.read_lock::<Zones>() {
        return joined(list.0.iter().map(|&zone| table.option_label(&Value::Zone(zone))).collect());
    }
    if let Some(list) = value.read_lock::<Seats>() {
        return joined(list.into_iter().map(|seat| seat.to_string()).collect());
    }
    if let Some(list) = value.read_lock::<Choices>() {
        return joined(list.iter().map(|option| table.option_label(&option)).collect());
    }
    if let Some(list) = value.read_lock::<Array>() {
        return joined(list.iter().map(|item| shown(table, item)).collect());
    }
    if value.is::<Data>() {
        return "data".to_owned();
    }
    if let Some(zone) = value.clone().try_cast::<Zone>() {
        let held = table.zone(zone).iter().map(|&component| table.label(component).to_string()).collect();
        return format!("{} {}", table.option_label(&Value::Zone(zone)), joined(held));
    }
    match to_value(value) {
        Ok(Value::Text(text)) => format!("{:?}", &*text),
        Ok(Value::Truth(truth)) => truth.to_string(),
        Ok(other) => table.option_label(&other),
        Err(_) if value.is_unit() => "()".to_owned(),
        Err(_) => value.to_string(),
    }
}

/// Asks for one of the options.
pub(super) fn choose_option(play: &mut Play<'_>, asking: SeatPrompt<'_>, options: &Choices) -> Result<Value, Fault> {
    Ok(options.value(position_chosen(play, asking, options)?))
}

/// Asks for one of the options within a time; gives `otherwise` when the time has passed.
pub(super) fn choose_within(
    play: &mut Play<'_>,
    asked: (Seat, &str),
    options: &Dynamic,
    time: i64,
    otherwise: &Dynamic,
) -> Result<Dynamic, Fault> {
    let choices = Choices::values(parts_of(play.table, options)?);
    let chosen = position_chosen_within(play, asked, &choices, time)?;
    Ok(chosen.map_or_else(|| otherwise.clone(), |position| to_dynamic(choices.value(position))))
}

/// The zones of a list.
pub(super) fn zones_of(list: &Array) -> Result<Vec<Zone>, Fault> {
    list.iter().map(|entry| entry.clone().try_cast::<Zone>().ok_or_else(not_a_zone_error)).collect()
}

/// The entries of a list in the opposite order.
pub(super) fn reversed(list: &Array) -> Array {
    list.iter().rev().cloned().collect()
}

/// The sort that the evaluator calls `name`; `None` for an unknown name.
pub(super) fn sort_called(name: &str) -> Option<Sort> {
    Some(match name {
        "()" => Sort::Nothing,
        "i64" | "number" => Sort::Number,
        "bool" => Sort::Truth,
        "string" | "&str | ImmutableString | String" | "&str" => Sort::Text,
        "char" => Sort::Letter,
        "array" => Sort::List,
        "Fn" => Sort::Function,
        _ if name.starts_with("core::ops::range::Range") || name.starts_with("range") => Sort::Range,
        // A type of the table by its path, where the evaluator does not ask for the name it was given.
        _ => match name.rsplit("::").next().unwrap_or(name) {
            "Component" | "component" => Sort::Component,
            "Components" | "components" => Sort::Components,
            "Zone" | "zone" => Sort::Zone,
            "Zones" | "zones" => Sort::Zones,
            "Seat" | "player" => Sort::Player,
            "Nobody" | "nobody" => Sort::Nobody,
            "Seats" | "players" => Sort::Players,
            "Choices" | "options" => Sort::Options,
            "Parts" | "option" => Sort::Option,
            "Data" | "data" => Sort::Data,
            "TableGlobal" | "table" => Sort::Table,
            "list" => Sort::List,
            _ => return None,
        },
    })
}
