//! The values that registers hold: plain data, cheap to copy, free to go to another thread.
//!
//! A value is a tag and eight bytes, whatever it is: the compiler then keeps it in two registers of the processor, and
//! never writes it in parts only to read it as a whole.

use super::packed::{BorrowedList, Packed, PackedList, PackedSeats};
use crate::definition::DeclaredType;
use crate::script::sorts::Sort;
use crate::script::vocabulary::bodies::not_storable_error;
use crate::script::{MAX_LIST_ENTRIES, MAX_TEXT};
use crate::table::choices::{Choices, Part};
use crate::table::data::{Data, Datum};
use crate::table::layout::Layout;
use crate::table::value::{Back, Component, Parts, Seat, Seats, Value, Zone, Zones, components_alone};
use crate::table::words::Components;
use crate::table::{Fault, Table};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

/// Maximum nesting of lists, so that code that goes through a list can recurse into the lists in it.
pub const MAX_DEPTH: u8 = 64;

/// A value of the machine.
#[derive(Clone, Debug, Default)]
pub enum RegisterValue {
    /// `()`
    #[default]
    Nothing,
    /// A whole number.
    Number(i64),
    /// True or false.
    Truth(Packed<bool>),
    /// A text that is known at compile time, by its number among the [`TextTable`].
    StaticText(Packed<u32>),
    /// A card, die or token.
    Component(Packed<Component>),
    /// A player.
    Player(Packed<Seat>),
    /// No player.
    Nobody,
    /// A place for components.
    Zone(Packed<Zone>),
    /// The table as the holder of its variables.
    Table,
    /// A list or table of the data.
    Data(Packed<Data>),
    /// A list of players.
    Players(PackedSeats),
    /// A list of a few components.
    Few(PackedList<Component>),
    /// A list of a few zones.
    FewZones(PackedList<Zone>),
    // From here on values share what they hold.
    /// A text that was made at run time.
    Text(Arc<Text>),
    /// A longer list of components.
    Components(Arc<Components>),
    /// A longer list of zones.
    Zones(Arc<Zones>),
    /// Options that rules have put together.
    Options(Arc<Choices>),
    /// An option with parts.
    Option(Arc<Parts>),
    /// An option with parts, as a position among the options that it was chosen from.
    Chosen(Arc<ChosenOption>),
    /// A list of any values.
    List(Arc<List>),
    /// `0..3`
    Range(Arc<Range>),
    /// Options that are not allowed, with the reasons, on their way to a question.
    Refused(Arc<Vec<(Value, Arc<str>)>>),
}

const _: () = assert!(size_of::<RegisterValue>() == 16);

/// The kind of a value that lies behind no pointer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum PlainKind {
    #[default]
    Nothing,
    Number,
    Truth,
    Text,
    Component,
    Player,
    Nobody,
    Zone,
    Data,
    Players,
    Components,
    Zones,
}

/// A range of numbers, as it was written.
#[derive(Debug)]
pub struct Range {
    from: i64,
    to: i64,
    with_end: bool,
}

impl Range {
    /// The first and the last number; in an empty range, the last is lower.
    pub fn bounds(&self) -> (i64, i64) {
        (self.from, if self.with_end { self.to } else { self.to.saturating_sub(1) })
    }

    /// The number of numbers in the range.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> u64 {
        let (first, last) = self.bounds();
        if first > last { 0 } else { last.abs_diff(first).saturating_add(1) }
    }

    /// The number at a position; `None` behind the last one.
    pub fn get(&self, position: usize) -> Option<i64> {
        let number = self.from.checked_add(i64::try_from(position).ok()?)?;
        (number < self.to || self.with_end && number == self.to).then_some(number)
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}{}", self.from, if self.with_end { "..=" } else { ".." }, self.to)
    }
}

/// An option, as one of several.
#[derive(Debug)]
pub struct ChosenOption {
    /// Position of the option among `choices`.
    pub position: usize,
    /// The options that it is one of.
    pub choices: Arc<Choices>,
}

/// A text behind one thin pointer.
#[derive(Debug)]
pub struct Text(pub Arc<str>);

/// A list of any values.
#[derive(Clone, Debug, Default)]
pub struct List {
    entries: Vec<RegisterValue>,
    /// Number of entries, those of nested lists included.
    total: u32,
    /// Depth of the nesting, this list included; 0 without any entry.
    depth: u8,
    /// The effort of going through the list, as in [`RegisterValue::parts_held`].
    parts: u64,
}

/// The texts that are known at compile time. Each has a number, so that most texts are compared and copied as numbers.
#[derive(Clone, Debug, Default)]
pub struct TextTable {
    /// The texts by number; the names of the attributes come first, in the order of the attributes' numbers.
    list: Vec<Arc<str>>,
    attributes: usize,
    numbers: HashMap<Arc<str>, u32, BuildHasherDefault<ShortTextHasher>>,
}

/// A hasher for short texts that are known at compile time, so that nobody can make them collide at run time.
#[derive(Clone, Debug)]
struct ShortTextHasher(u64);

impl Default for ShortTextHasher {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for ShortTextHasher {
    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    fn write_u8(&mut self, _end: u8) {
        // The standard library ends a text with a byte that no text has, which is useless here: nothing follows it.
    }

    fn finish(&self) -> u64 {
        // The hash map uses the highest bits and the lowest.
        self.0 ^ self.0 >> 29
    }
}

impl TextTable {
    /// The texts for a layout, with only the names of its attributes.
    pub fn new(layout: &Layout) -> Self {
        let mut texts = Self { attributes: layout.attributes.len(), ..Self::default() };
        layout.attributes.iter().for_each(|name| {
            texts.add(name);
        });
        texts
    }

    /// The same texts, with reference counts of their own.
    pub(super) fn unshared(&self) -> Self {
        let list: Vec<Arc<str>> = self.list.iter().map(|text| Arc::from(&**text)).collect();
        let numbers = list.iter().cloned().zip(0..).collect();
        Self { list, attributes: self.attributes, numbers }
    }

    /// The number of the attribute whose name a value is; `None` for any other value.
    #[inline]
    pub fn attribute(&self, value: &RegisterValue) -> Option<usize> {
        match value {
            RegisterValue::StaticText(number) => Some(number.get() as usize).filter(|number| *number < self.attributes),
            _ => None,
        }
    }

    /// The number of a text, which is added if it is new.
    pub fn add(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let (text, number) = (Arc::<str>::from(text), self.list.len() as u32);
        self.list.push(text.clone());
        self.numbers.insert(text, number);
        number
    }

    /// Converts a text to a value.
    pub fn of_str(&self, text: &str) -> RegisterValue {
        match self.numbers.get(text) {
            Some(&number) => RegisterValue::known(number),
            None => RegisterValue::Text(Arc::new(Text(text.into()))),
        }
    }

    /// Converts a text to a value.
    pub fn of_text(&self, text: &Arc<str>) -> RegisterValue {
        match self.numbers.get(text) {
            Some(&number) => RegisterValue::known(number),
            None => RegisterValue::Text(Arc::new(Text(text.clone()))),
        }
    }

    /// The text of a value; `None` for a value of another sort.
    #[inline]
    pub fn text<'a>(&'a self, value: &'a RegisterValue) -> Option<&'a Arc<str>> {
        match value {
            RegisterValue::StaticText(number) => self.list.get(number.get() as usize),
            RegisterValue::Text(text) => Some(&text.0),
            _ => None,
        }
    }

    /// Converts a value of the table to one of the machine.
    pub fn of_value(&self, value: &Value) -> RegisterValue {
        match value {
            Value::Number(number) => RegisterValue::Number(*number),
            Value::Truth(truth) => RegisterValue::truth(*truth),
            Value::Text(text) => self.of_text(text),
            Value::Component(component) | Value::Back(Back { component, .. }) => RegisterValue::component(*component),
            Value::Seat(seat) => RegisterValue::player(*seat),
            Value::Nobody => RegisterValue::Nobody,
            Value::Nothing => RegisterValue::Nothing,
            Value::Zone(zone) => RegisterValue::zone(*zone),
            Value::Parts(parts) => RegisterValue::Option(Arc::new(parts.clone())),
            Value::List(list) if let Some(components) = components_alone(list) => {
                RegisterValue::of_components(&components)
            }
            Value::List(list) => {
                // What the table holds is no larger than a list of the rules, because it came from one.
                let entries = list.iter().map(|entry| self.of_value(entry)).collect();
                RegisterValue::of_list(entries).unwrap_or(RegisterValue::Nothing)
            }
        }
    }

    /// Converts the value of a variable to one of the machine.
    pub fn of_variable(&self, table: &Table, number: usize) -> RegisterValue {
        let value = table.variable(number);
        let Value::List(list) = value else { return self.of_value(value) };
        match table.held_in(number) {
            Some(DeclaredType::Components) => {
                let component = |value: &Value| match value {
                    Value::Component(component) => Some(*component),
                    _ => None,
                };
                RegisterValue::of_components(&list.iter().filter_map(component).collect::<Vec<_>>())
            }
            Some(DeclaredType::Zones) => {
                let zone = |value: &Value| match value {
                    Value::Zone(zone) => Some(*zone),
                    _ => None,
                };
                RegisterValue::of_zones(&list.iter().filter_map(zone).collect::<Vec<_>>())
            }
            Some(DeclaredType::Players) => {
                let seat = |value: &Value| match value {
                    Value::Seat(seat) => Some(*seat),
                    _ => None,
                };
                RegisterValue::of_players(&list.iter().filter_map(seat).collect::<Vec<_>>())
            }
            _ => {
                let entries = list.iter().map(|entry| self.of_value(entry)).collect();
                RegisterValue::of_list(entries).unwrap_or(RegisterValue::Nothing)
            }
        }
    }

    /// Converts a value for a variable of the table.
    ///
    /// # Errors
    /// The table holds no values of this sort.
    pub fn to_variable(&self, value: &RegisterValue) -> Result<Value, Fault> {
        match value {
            RegisterValue::Nothing => Ok(Value::Nothing),
            value => self.to_value(value),
        }
    }

    /// Converts one of some options to a value.
    pub fn of_choice(&self, choices: &Arc<Choices>, position: usize) -> RegisterValue {
        match choices.has_parts(position) {
            true => RegisterValue::Chosen(Arc::new(ChosenOption { position, choices: choices.clone() })),
            false => self.of_value(&choices.value(position)),
        }
    }

    /// A part of an option; `None` where the option has no part of that name.
    pub fn part(&self, option: &RegisterValue, name: &str) -> Option<RegisterValue> {
        match option {
            RegisterValue::Option(parts) => parts.get(name).map(|part| self.of_value(part)),
            RegisterValue::Chosen(chosen) => match chosen.choices.part(chosen.position, name)? {
                Part::Act(act) => Some(self.of_text(act)),
                Part::Value(value) => Some(self.of_value(&value)),
            },
            _ => None,
        }
    }

    /// Converts an entry of the data to a value.
    pub fn of_datum(&self, datum: &Datum) -> RegisterValue {
        match datum {
            Datum::Value(value) => self.of_value(value),
            Datum::Data(data) => RegisterValue::data(*data),
        }
    }

    /// Converts a value to one of the table.
    ///
    /// # Errors
    /// The table holds no values of this sort.
    pub fn to_value(&self, value: &RegisterValue) -> Result<Value, Fault> {
        Ok(match value {
            RegisterValue::Number(number) => Value::Number(*number),
            RegisterValue::Truth(truth) => Value::Truth(truth.get()),
            RegisterValue::Component(component) => Value::Component(component.get()),
            RegisterValue::Player(seat) => Value::Seat(seat.get()),
            RegisterValue::Nobody => Value::Nobody,
            RegisterValue::Zone(zone) => Value::Zone(zone.get()),
            RegisterValue::Option(parts) => Value::Parts(Parts::clone(parts)),
            RegisterValue::Chosen(chosen) => chosen.choices.value(chosen.position),
            RegisterValue::StaticText(_) | RegisterValue::Text(_) => {
                Value::Text(self.text(value).cloned().unwrap_or_else(|| "".into()))
            }
            RegisterValue::Few(_) | RegisterValue::Components(_) => Value::List(
                value.components().iter().flat_map(|list| list.iter()).copied().map(Value::Component).collect(),
            ),
            RegisterValue::FewZones(_) | RegisterValue::Zones(_) => {
                Value::List(value.zones().iter().flat_map(|list| list.iter()).copied().map(Value::Zone).collect())
            }
            RegisterValue::Players(_) => Value::List(value.players().into_iter().map(Value::Seat).collect()),
            RegisterValue::List(list) => Value::List(self.to_values(list)?.into()),
            other => return Err(not_storable_error(Some(other.sort()))),
        })
    }

    /// Converts the entries of a list to values of the table.
    ///
    /// # Errors
    /// The table holds no values of an entry's sort.
    pub fn to_values(&self, list: &List) -> Result<Vec<Value>, Fault> {
        list.entries.iter().map(|entry| self.to_value(entry)).collect()
    }

    /// A value as text for people, for `eval` and notes.
    pub fn shown(&self, table: &Table, value: &RegisterValue) -> String {
        let joined = |labels: Vec<String>| format!("[{}]", labels.join(", "));
        if let Some(list) = value.components() {
            return joined(list.iter().map(|&component| table.label(component).to_string()).collect());
        }
        if let Some(zones) = value.zones() {
            return joined(zones.iter().map(|&zone| table.option_label(&Value::Zone(zone))).collect());
        }
        match value {
            RegisterValue::Players(_) => joined(value.players().into_iter().map(|seat| seat.to_string()).collect()),
            RegisterValue::Options(list) => joined(list.iter().map(|option| table.option_label(&option)).collect()),
            RegisterValue::List(list) => joined(list.entries.iter().map(|entry| self.shown(table, entry)).collect()),
            RegisterValue::Data(_) => "data".to_owned(),
            RegisterValue::Table => "table".to_owned(),
            RegisterValue::Nothing => "()".to_owned(),
            RegisterValue::Range(range) => range.to_string(),
            RegisterValue::Zone(zone) => {
                let zone = zone.get();
                let held = table.zone(zone).iter().map(|&component| table.label(component).to_string()).collect();
                format!("{} {}", table.option_label(&Value::Zone(zone)), joined(held))
            }
            other => match self.to_value(other) {
                Ok(Value::Text(text)) => format!("{:?}", &*text),
                Ok(Value::Truth(truth)) => truth.to_string(),
                Ok(value) => table.option_label(&value),
                Err(_) => String::new(),
            },
        }
    }
}

impl RegisterValue {
    /// A truth.
    #[inline(always)]
    pub fn truth(truth: bool) -> Self {
        Self::Truth(Packed::of(truth))
    }

    /// A text that is known at compile time, by its number.
    #[inline(always)]
    pub fn known(number: u32) -> Self {
        Self::StaticText(Packed::of(number))
    }

    /// A component.
    #[inline(always)]
    pub fn component(component: Component) -> Self {
        Self::Component(Packed::of(component))
    }

    /// A player.
    #[inline(always)]
    pub fn player(seat: Seat) -> Self {
        Self::Player(Packed::of(seat))
    }

    /// A zone.
    #[inline(always)]
    pub fn zone(zone: Zone) -> Self {
        Self::Zone(Packed::of(zone))
    }

    /// A list or table of the data.
    #[inline(always)]
    pub fn data(data: Data) -> Self {
        Self::Data(Packed::of(data))
    }

    /// The truth of the value; `None` for a value of another sort.
    pub fn as_truth(&self) -> Option<bool> {
        match self {
            Self::Truth(truth) => Some(truth.get()),
            _ => None,
        }
    }

    /// A list of components.
    #[inline]
    pub fn of_components(list: &[Component]) -> Self {
        match PackedList::of(list) {
            Some(few) => Self::Few(few),
            None => Self::Components(Arc::new(Components::from(list))),
        }
    }

    /// A list of zones.
    #[inline]
    pub fn of_zones(list: &[Zone]) -> Self {
        match PackedList::of(list) {
            Some(few) => Self::FewZones(few),
            None => Self::Zones(Arc::new(Zones(list.to_vec()))),
        }
    }

    /// A list of these entries.
    ///
    /// # Errors
    /// The list would be too long, or nested too deeply.
    pub fn of_list(entries: Vec<Self>) -> Result<Self, TooLarge> {
        List::of(entries).map(|list| Self::List(Arc::new(list)))
    }

    /// A list of players.
    #[inline]
    pub fn of_players(players: &[Seat]) -> Self {
        Self::Players(PackedSeats::of(players))
    }

    /// Puts a value into a register; the value before is seldom shared.
    #[inline(always)]
    pub fn put(place: &mut Self, value: Self) {
        let before = std::mem::replace(place, value);
        if before.is_shared() {
            drop_shared(before);
        } else {
            // Such a value owns nothing, which the compiler cannot see everywhere.
            std::mem::forget(before);
        }
    }

    /// The same value with reference counts of its own. Of the values that are known at compile time, only lists of
    /// zones and options have such counts.
    pub(super) fn unshared(&self) -> Self {
        match self {
            Self::Zones(list) => Self::Zones(Arc::new(Zones::clone(list))),
            Self::Options(list) => Self::Options(Arc::new(Choices::clone(list))),
            other => other.clone(),
        }
    }

    /// Whether the value lies behind a pointer that copies share.
    #[inline(always)]
    pub fn is_shared(&self) -> bool {
        matches!(
            self,
            Self::Text(_)
                | Self::Components(_)
                | Self::Zones(_)
                | Self::Options(_)
                | Self::Option(_)
                | Self::Chosen(_)
                | Self::List(_)
                | Self::Range(_)
                | Self::Refused(_)
        )
    }

    /// A value that lies behind no pointer, as its kind and bits: values are equal where both are. `None` for others, and
    /// for the table.
    #[inline]
    pub(super) fn plain(&self) -> Option<(PlainKind, u64)> {
        Some(match self {
            Self::Nothing => (PlainKind::Nothing, 0),
            Self::Number(number) => (PlainKind::Number, *number as u64),
            Self::Truth(truth) => (PlainKind::Truth, truth.bits()),
            Self::StaticText(number) => (PlainKind::Text, number.bits()),
            Self::Component(component) => (PlainKind::Component, component.bits()),
            Self::Player(seat) => (PlainKind::Player, seat.bits()),
            Self::Nobody => (PlainKind::Nobody, 0),
            Self::Zone(zone) => (PlainKind::Zone, zone.bits()),
            Self::Data(data) => (PlainKind::Data, data.bits()),
            Self::Players(players) => (PlainKind::Players, players.bits()),
            Self::Few(few) => (PlainKind::Components, few.bits()),
            Self::FewZones(few) => (PlainKind::Zones, few.bits()),
            _ => return None,
        })
    }

    #[inline(always)]
    pub(super) fn holds_zones(&self) -> bool {
        matches!(self, Self::FewZones(_) | Self::Zones(_) | Self::List(_))
    }

    /// A range from a number to another one, which is included if `with_end`.
    pub fn range(from: i64, to: i64, with_end: bool) -> Self {
        Self::Range(Arc::new(Range { from, to, with_end }))
    }

    /// The components of a list of components; `None` for any other value.
    #[inline]
    pub fn components(&self) -> Option<BorrowedList<'_, Component>> {
        match self {
            Self::Few(few) => Some(BorrowedList::from(*few)),
            Self::Components(list) => Some(BorrowedList::Slice(list)),
            _ => None,
        }
    }

    /// The zones of a list of zones; `None` for any other value.
    #[inline]
    pub fn zones(&self) -> Option<BorrowedList<'_, Zone>> {
        match self {
            Self::FewZones(few) => Some(BorrowedList::from(*few)),
            Self::Zones(list) => Some(BorrowedList::Slice(list)),
            _ => None,
        }
    }

    /// The players of a list of players; none for any other value.
    #[inline]
    pub fn players(&self) -> Seats {
        match self {
            Self::Players(seating) => seating.seats(),
            _ => Seats::all(0),
        }
    }

    /// The parts of an option, written out for a [`Self::Chosen`] one; `None` for any other value.
    pub fn parts(&self) -> Option<Cow<'_, Parts>> {
        match self {
            Self::Option(parts) => Some(Cow::Borrowed(parts)),
            Self::Chosen(chosen) => match chosen.choices.value(chosen.position) {
                Value::Parts(parts) => Some(Cow::Owned(parts)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The sort of the value.
    #[inline]
    pub fn sort(&self) -> Sort {
        match self {
            Self::Nothing => Sort::Nothing,
            Self::Number(_) => Sort::Number,
            Self::Truth(_) => Sort::Truth,
            Self::StaticText(_) | Self::Text(_) => Sort::Text,
            Self::Component(_) => Sort::Component,
            Self::Player(_) => Sort::Player,
            Self::Nobody => Sort::Nobody,
            Self::Zone(_) => Sort::Zone,
            Self::Table => Sort::Table,
            Self::Data(_) => Sort::Data,
            Self::Players(_) => Sort::Players,
            Self::Few(_) | Self::Components(_) => Sort::Components,
            Self::FewZones(_) | Self::Zones(_) => Sort::Zones,
            Self::Options(_) | Self::Refused(_) => Sort::Options,
            Self::Option(_) | Self::Chosen(_) => Sort::Option,
            Self::List(_) => Sort::List,
            Self::Range(_) => Sort::Range,
        }
    }

    /// The effort of going through the value, in parts: an entry of a list counts one and its own parts, and so do some
    /// dozens of bytes of a text.
    pub fn parts_held(&self) -> u64 {
        const BYTES: u64 = 64;
        match self {
            Self::List(list) => list.parts,
            Self::Text(text) => text.0.len() as u64 / BYTES,
            Self::Components(list) => list.0.len() as u64 / 2,
            Self::Zones(list) => 4 * list.0.len() as u64,
            Self::Options(list) => list.parts(),
            Self::Option(parts) => parts.0.iter().map(|(_, part)| 1 + part.bytes() as u64 / BYTES).sum(),
            // Such an option is written out.
            Self::Chosen(chosen) => 8 + chosen.choices.parts() / chosen.choices.len().max(1) as u64,
            _ => 0,
        }
    }

    /// Approximate number of bytes behind the value's pointer, without those of values in it.
    #[inline]
    pub fn bytes_behind(&self) -> usize {
        const POINTED: usize = 32;
        match self {
            Self::Text(text) => POINTED + 16 + text.0.len(),
            Self::Components(list) => POINTED + 2 * list.0.len(),
            Self::Zones(list) => POINTED + 2 * list.0.len(),
            Self::Options(list) => POINTED + list.bytes(),
            Self::Chosen(chosen) => POINTED + chosen.choices.bytes(),
            Self::Option(parts) => POINTED + parts.0.iter().map(|(_, part)| 16 + part.bytes()).sum::<usize>(),
            Self::List(list) => POINTED + 16 * list.entries.len(),
            Self::Range(_) => POINTED,
            Self::Refused(list) => POINTED + list.iter().map(|(value, _)| 16 + value.bytes()).sum::<usize>(),
            _ => 0,
        }
    }

    /// Address of the memory that copies share; `None` where there is none.
    pub(super) fn shared_address(&self) -> Option<usize> {
        Some(match self {
            Self::Text(text) => Arc::as_ptr(text) as usize,
            Self::Components(list) => Arc::as_ptr(list) as usize,
            Self::Zones(list) => Arc::as_ptr(list) as usize,
            Self::Options(list) => Arc::as_ptr(list) as usize,
            Self::Chosen(chosen) => Arc::as_ptr(chosen) as usize,
            Self::Option(parts) => Arc::as_ptr(parts) as usize,
            Self::List(list) => Arc::as_ptr(list) as usize,
            Self::Range(range) => Arc::as_ptr(range) as usize,
            Self::Refused(list) => Arc::as_ptr(list) as usize,
            _ => return None,
        })
    }
}

#[cold]
#[inline(never)]
fn drop_shared(value: RegisterValue) {
    drop(value);
}

/// Number of bytes that values hold, shared memory counted once, and number of visited values.
pub fn bytes_held(values: &[RegisterValue]) -> (usize, usize) {
    let mut seen: HashSet<usize> = HashSet::new();
    let mut lists: Vec<&[RegisterValue]> = vec![values];
    let (mut bytes, mut looked_at) = (0, 0);
    while let Some(values) = lists.pop() {
        bytes += size_of_val(values);
        looked_at += values.len();
        for value in values {
            let Some(place) = value.shared_address() else { continue };
            if seen.insert(place) {
                bytes += value.bytes_behind();
                if let RegisterValue::List(list) = value {
                    bytes -= size_of_val(&list.entries[..]);
                    lists.push(&list.entries);
                }
            }
        }
    }
    (bytes, looked_at)
}

impl List {
    /// A list of these entries.
    ///
    /// # Errors
    /// The list would be too long, or nested too deeply.
    pub fn of(entries: Vec<RegisterValue>) -> Result<Self, TooLarge> {
        let mut list = Self::default();
        entries.iter().try_for_each(|entry| list.make_room(entry))?;
        list.entries = entries;
        Ok(list)
    }

    /// The entries.
    #[inline]
    pub fn entries(&self) -> &[RegisterValue] {
        &self.entries
    }

    /// The effort of going through the list, as in [`RegisterValue::parts_held`].
    pub fn parts(&self) -> u64 {
        self.parts
    }

    /// Adds an entry at the end.
    ///
    /// # Errors
    /// The list would be too long, or nested too deeply.
    #[inline]
    pub fn push(&mut self, entry: RegisterValue) -> Result<(), TooLarge> {
        self.make_room(&entry)?;
        self.entries.push(entry);
        Ok(())
    }

    /// Replaces the entry at a position; nothing happens where there is no entry.
    ///
    /// # Errors
    /// The list would be too long, or nested too deeply.
    pub fn set(&mut self, position: usize, entry: RegisterValue) -> Result<(), TooLarge> {
        let Some(place) = self.entries.get_mut(position) else { return Ok(()) };
        let before = std::mem::take(place);
        self.total = self.total.saturating_sub(1 + total_of(&before));
        self.parts = self.parts.saturating_sub(1 + before.parts_held());
        self.make_room(&entry)?;
        if let Some(place) = self.entries.get_mut(position) {
            *place = entry;
        }
        Ok(())
    }

    fn make_room(&mut self, entry: &RegisterValue) -> Result<(), TooLarge> {
        let total = self.total + 1 + total_of(entry);
        let depth = match entry {
            RegisterValue::List(list) => list.depth.saturating_add(1),
            _ => 1,
        };
        if total as usize > MAX_LIST_ENTRIES {
            return Err(TooLarge::List);
        }
        if depth > MAX_DEPTH {
            return Err(TooLarge::Depth);
        }
        self.total = total;
        self.parts += 1 + entry.parts_held();
        self.depth = self.depth.max(depth);
        Ok(())
    }
}

/// Number of entries of a list, those of nested lists included; 0 for any other value.
fn total_of(value: &RegisterValue) -> u32 {
    match value {
        RegisterValue::List(list) => list.total,
        _ => 0,
    }
}

/// The limit on a size that a value exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// The number of entries of a list.
    List,
    /// The nesting of lists.
    Depth,
    /// The length of a text.
    Text,
}

/// Checks that a text of a length in bytes is not too long.
///
/// # Errors
/// The text is too long.
pub fn within_text(bytes: usize) -> Result<(), TooLarge> {
    if bytes <= MAX_TEXT { Ok(()) } else { Err(TooLarge::Text) }
}
