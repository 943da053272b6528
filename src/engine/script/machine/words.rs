//! The words of the vocabulary as native functions over registers.

use super::code::{CONSTANT, MAX_ARGUMENTS, Operand, SORTS, WordForms};
use super::dependencies::WordEffect;
use super::meter::{Effort, ORDERING_COST_FACTOR, contents, weight};
use super::packed::PackedList;
use super::value::{RegisterValue, TextTable};

use crate::definition::MAX_ROWS;
use crate::script::sorts::Sort;
use crate::script::vocabulary::bodies::*;
use crate::script::vocabulary::{Form, form, vocabulary};
use crate::table::choices::Items;
use crate::table::data::{Data, Datum};
use crate::table::decision::Play;
use crate::table::words::MAX_SUM;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

/// The arguments of a word, which stay in registers and constants.
#[derive(Clone, Copy)]
pub struct Arguments<'a> {
    /// The registers of the function.
    pub registers: &'a [RegisterValue],
    /// The constants.
    pub constants: &'a [RegisterValue],
    /// The operand of each argument.
    pub at: &'a [Operand; MAX_ARGUMENTS],
    /// The texts that are known at compile time.
    pub texts: &'a TextTable,
}

impl<'a> Arguments<'a> {
    /// The argument with an index.
    #[inline]
    pub fn get(&self, number: usize) -> &'a RegisterValue {
        let at = self.at[number];
        if at & CONSTANT == 0 { &self.registers[usize::from(at)] } else { &self.constants[usize::from(at & !CONSTANT)] }
    }
}

/// The body of a word. It fails with [`WordError::Sort`] on arguments of other sorts than the word takes.
pub type WordBody = fn(&mut Play<'_>, &Arguments<'_>) -> Result<RegisterValue, WordError>;

/// Why a word gave no result.
#[derive(Debug)]
pub enum WordError {
    /// An argument is of another sort; nothing has been done.
    Sort,
    /// A fault of the word, behind a pointer, so that results come in registers of the processor.
    Fault(Box<Fault>),
}

impl From<Fault> for WordError {
    #[cold]
    fn from(fault: Fault) -> Self {
        Self::Fault(Box::new(fault))
    }
}

const _: () = assert!(size_of::<Result<RegisterValue, WordError>>() == 16);

/// A word for one sort of receiver, as a native function.
#[derive(Debug)]
pub struct NativeWord {
    /// The name.
    pub name: &'static str,
    /// How the word is used.
    pub form: Form,
    /// The sorts of the arguments, the receiver first; `None` where any sort will do.
    pub takes: Vec<Option<Sort>>,
    /// The sort of the result; `None` where it can differ.
    pub result: Option<Sort>,
    /// Whether the word may ask a player.
    pub asks: bool,
    /// How the word goes through its arguments.
    pub effort: Effort,
    /// What the word does, and what the result depends on.
    pub effect: WordEffect,
    /// The arguments that can be large, as bits by their positions.
    long: u8,
    /// The native function.
    pub body: WordBody,
    mask: u32,
    wanted: u32,
}

impl NativeWord {
    /// The cost of a call with these arguments, in units, beyond the result and the effects on the table.
    #[inline(always)]
    pub fn units(&self, given: &Arguments<'_>, table: &Table) -> u64 {
        match self.effort {
            Effort::Little => 0,
            Effort::Once => self.weight_of_long(given, table),
            // The weight of a single zone is that of its contents.
            Effort::Contents if !given.get(0).holds_zones() => self.weight_of_long(given, table),
            _ => self.more_units(given, table, self.weight_of_long(given, table)),
        }
    }

    /// The cost of going through the arguments that can be large.
    #[inline(always)]
    fn weight_of_long(&self, given: &Arguments<'_>, table: &Table) -> u64 {
        let mut units = 0;
        let mut long = self.long;
        while long != 0 {
            units += weight(given.get(long.trailing_zeros() as usize), table);
            long &= long - 1;
        }
        units
    }

    /// The cost of a word that does more than to go through its arguments, which costs `units`.
    #[cold]
    fn more_units(&self, given: &Arguments<'_>, table: &Table, units: u64) -> u64 {
        let last = match given.get(self.takes.len().saturating_sub(1)) {
            RegisterValue::Number(number) => u64::try_from(*number).unwrap_or(0),
            _ => 0,
        };
        match self.effort {
            Effort::Little | Effort::Once => units,
            Effort::Contents => units + contents(given.get(0), table),
            Effort::Cells => given.get(0).zones().map_or(1, |zones| zones.len() as u64),
            Effort::Rays => 16,
            Effort::Players => 4,
            Effort::Ordered => ORDERING_COST_FACTOR * (units + contents(given.get(0), table)),
            Effort::All => units + 1 + table.layout().faces.len() as u64 / 8,
            Effort::Lines => units * (1 + last.min(MAX_ROWS as u64) / 4),
            Effort::Sums => units + (1 + units) * last.min(MAX_SUM as u64) / 128,
        }
    }

    /// Whether the word takes arguments of the sorts that are packed in `key`.
    #[inline]
    pub fn takes(&self, key: u32) -> bool {
        key & self.mask == self.wanted
    }
}

/// All words that have a body.
#[derive(Debug)]
pub struct NativeWords {
    forms: HashMap<(&'static str, usize), Arc<WordForms>>,
    properties: HashMap<&'static str, Vec<(Sort, &'static NativeWord)>>,
    none: Arc<WordForms>,
}

impl NativeWords {
    /// The forms of a word with some number of arguments, the receiver included.
    pub fn forms(&self, name: &str, arguments: usize) -> Arc<WordForms> {
        let forms: &HashMap<(&str, usize), Arc<WordForms>> = &self.forms;
        forms.get(&(name, arguments)).unwrap_or(&self.none).clone()
    }

    /// The words that are a property with this name, by the sort of the owner.
    pub fn properties(&self, name: &str) -> impl Iterator<Item = (Sort, &'static NativeWord)> {
        self.properties.get(name).into_iter().flatten().copied()
    }
}

/// All words that have a body; collected at the first call.
pub fn natives() -> &'static NativeWords {
    static NATIVE_WORDS: LazyLock<NativeWords> = LazyLock::new(|| {
        let mut forms: HashMap<(&'static str, usize), [Vec<&'static NativeWord>; SORTS]> = HashMap::new();
        let mut properties: HashMap<&'static str, Vec<(Sort, &'static NativeWord)>> = HashMap::new();
        let all: Vec<NativeWord> = bodies().into_iter().chain(from_ranges()).collect();
        for native in all.leak() as &'static [NativeWord] {
            if let (Form::Property, [Some(sort)]) = (native.form, native.takes.as_slice()) {
                properties.entry(native.name).or_default().push((*sort, native));
                continue;
            }
            let by_first = forms.entry((native.name, native.takes.len())).or_default();
            match native.takes.first().copied().flatten() {
                Some(sort) => by_first[sort as usize].push(native),
                None => by_first.iter_mut().for_each(|all| all.push(native)),
            }
        }
        let exact_first = |mut by_first: [Vec<&'static NativeWord>; SORTS]| {
            by_first.iter_mut().for_each(|all| all.sort_by_key(|native| std::cmp::Reverse(native.mask.count_ones())));
            Arc::new(WordForms::new(by_first))
        };
        NativeWords {
            forms: forms.into_iter().map(|(word, by_first)| (word, exact_first(by_first))).collect(),
            properties,
            none: Arc::default(),
        }
    });
    &NATIVE_WORDS
}

/// The words that choose from a range, which is a value of scripts alone.
fn from_ranges() -> impl Iterator<Item = NativeWord> {
    let choose: WordBody = |play, given| {
        let (seat, [prompt], options) = offered_numbers(given)?;
        Ok(given.texts.of_value(&choose_value(play, SeatPrompt::of(seat, prompt), &options)?))
    };
    let choose_secretly: WordBody = |play, given| {
        let (seat, [prompt], options) = offered_numbers(given)?;
        Ok(given.texts.of_value(&choose_value(play, SeatPrompt::secretly(seat, prompt), &options)?))
    };
    let choose_for: WordBody = |play, given| {
        let (seat, [purpose, prompt], options) = offered_numbers(given)?;
        let asking = SeatPrompt::of(seat, prompt).for_purpose(purpose);
        Ok(given.texts.of_value(&choose_value(play, asking, &options)?))
    };
    let choose_some: WordBody = |play, given| {
        let (seat, [prompt], options) = offered_numbers(given)?;
        let (RegisterValue::Number(min), RegisterValue::Number(max)) = (given.get(3), given.get(4)) else {
            return Err(WordError::Sort);
        };
        let chosen = positions_chosen(play, SeatPrompt::of(seat, prompt), Options::Values(&options), (*min, *max))?;
        let chosen = chosen.into_iter().map(|position| given.texts.of_value(&options[position]));
        Ok(list_of(chosen.collect())?)
    };
    let (player, text, range, number) = (Sort::Player, Sort::Text, Sort::Range, Sort::Number);
    [
        ("choose", vec![player, text, range], number, choose),
        ("choose_secretly", vec![player, text, range], number, choose_secretly),
        ("choose_for", vec![player, text, text, range], number, choose_for),
        ("choose_some", vec![player, text, range, number, number], Sort::List, choose_some),
    ]
    .into_iter()
    .map(|(name, takes, gives, body)| {
        NativeWord::new(
            (name, Form::Method, true, Effort::Once),
            takes.into_iter().map(Some).collect(),
            Some(gives),
            body,
        )
    })
}

/// The asked seat, the texts behind it, and the numbers of the range that follows the texts.
fn offered_numbers<'a, const TEXTS: usize>(
    given: &Arguments<'a>,
) -> Result<(Seat, [&'a str; TEXTS], Vec<Value>), WordError> {
    let (RegisterValue::Player(seat), RegisterValue::Range(range)) = (given.get(0), given.get(1 + TEXTS)) else {
        return Err(WordError::Sort);
    };
    let mut texts = [""; TEXTS];
    for (position, text) in texts.iter_mut().enumerate() {
        *text = given.texts.text(given.get(1 + position)).ok_or(WordError::Sort)?;
    }
    Ok((seat.get(), texts, numbers_in(range.bounds())?))
}

/// A list of the machine, with the texts that its entries may refer to.
#[derive(Clone, Copy)]
struct Listed<'a> {
    entries: &'a [RegisterValue],
    texts: &'a TextTable,
}

impl Listed<'_> {
    fn len(self) -> usize {
        self.entries.len()
    }

    fn is_empty(self) -> bool {
        self.entries.is_empty()
    }
}

/// One of some options, by its position, as a result.
struct OneOf(Arc<Choices>, usize);

impl Give for OneOf {
    fn give(self, texts: &TextTable) -> Result<RegisterValue, WordError> {
        Ok(texts.of_choice(&self.0, self.1))
    }
}

/// Some of the options, by their positions, as a result.
struct SomeOf(Arc<Choices>, Vec<usize>);

impl Give for SomeOf {
    fn give(self, texts: &TextTable) -> Result<RegisterValue, WordError> {
        Ok(list_of(self.1.iter().map(|position| texts.of_choice(&self.0, *position)).collect())?)
    }
}

fn list_of(entries: Vec<RegisterValue>) -> Result<RegisterValue, Fault> {
    RegisterValue::of_list(entries).map_err(|_| too_long_error())
}

/// A value of any sort, with the texts that it may refer to.
#[derive(Clone, Copy)]
struct Anything<'a> {
    value: &'a RegisterValue,
    texts: &'a TextTable,
}

/// The functions that the bodies need for lists and for values of any sort.
mod values {
    use super::super::value::RegisterValue;
    use super::list_of;
    use super::{
        Anything, Arc, Choices, Component, Components, Data, Datum, Fault, Items, Listed, OneOf, Play, Seat,
        SeatPrompt, SomeOf, Table, TextTable, Value, Zone, Zones, joined, not_a_zone_error, not_comparable_error,
        numbers_in, position_chosen, position_chosen_within, single_option,
    };
    use crate::script::MAX_TEXT;
    use crate::script::vocabulary::lists::{Entries, SearchedValue};
    use crate::table::choices::refuse_huge;
    use std::borrow::Cow;
    use std::hash::{Hash, Hasher};

    pub fn of_list(list: Listed<'_>) -> Result<Vec<Value>, Fault> {
        list.entries.iter().map(|entry| list.texts.to_value(entry)).collect()
    }

    pub fn to_value(any: Anything<'_>) -> Result<Value, Fault> {
        any.texts.to_value(any.value)
    }

    pub fn parts_of(table: &Table, with: Anything<'_>) -> Result<Items, Fault> {
        if let Some(list) = with.value.components() {
            return Ok(Components::from(&*list).into());
        }
        if let Some(zones) = with.value.zones() {
            return Ok(Zones(zones.to_vec()).into());
        }
        let items: Items = match with.value {
            RegisterValue::Zone(zone) => return Ok(table.offered(zone.get()).into()),
            RegisterValue::Players(_) => return Ok(with.value.players().into()),
            RegisterValue::Data(data) => return table.data_values(data.get()).map(Items::from),
            RegisterValue::List(list) => of_list(Listed { entries: list.entries(), texts: with.texts })?.into(),
            RegisterValue::Options(choices) => Choices::clone(choices).into(),
            RegisterValue::Range(range) => numbers_in(range.bounds())?.into(),
            _ => single_option(to_value(with)?)?,
        };
        refuse_huge(items.most_bytes())?;
        Ok(items)
    }

    pub fn zones_of(list: Listed<'_>) -> Result<Vec<Zone>, Fault> {
        let zone = |entry: &RegisterValue| match entry {
            RegisterValue::Zone(zone) => Ok(zone.get()),
            _ => Err(not_a_zone_error()),
        };
        list.entries.iter().map(zone).collect()
    }

    pub fn options_at(options: &Arc<Choices>, positions: &[usize]) -> Result<SomeOf, Fault> {
        Ok(SomeOf(options.clone(), positions.to_vec()))
    }

    pub fn entries_at(list: Listed<'_>, positions: &[usize]) -> Result<RegisterValue, Fault> {
        list_of(positions.iter().filter_map(|position| list.entries.get(*position)).cloned().collect())
    }

    pub fn numbers(from: i64, to: i64) -> Result<RegisterValue, Fault> {
        numbers_in((from, to))?;
        list_of((from..=to).map(RegisterValue::Number).collect())
    }

    pub fn choose_option(play: &mut Play<'_>, asking: SeatPrompt<'_>, options: &Arc<Choices>) -> Result<OneOf, Fault> {
        let position = position_chosen(play, asking, options)?;
        Ok(OneOf(options.clone(), position))
    }

    pub fn choose_within(
        play: &mut Play<'_>,
        asked: (Seat, &str),
        options: Anything<'_>,
        time: i64,
        otherwise: Anything<'_>,
    ) -> Result<RegisterValue, Fault> {
        let choices = match options.value {
            RegisterValue::Options(choices) => choices.clone(),
            _ => Arc::new(Choices::values(parts_of(play.table, options)?)),
        };
        let chosen = position_chosen_within(play, asked, &choices, time)?;
        Ok(chosen.map_or_else(|| otherwise.value.clone(), |position| options.texts.of_choice(&choices, position)))
    }

    pub fn equal(one: Listed<'_>, other: Listed<'_>) -> Result<bool, Fault> {
        same_lists(one.texts, one.entries, other.entries)
    }

    fn same_lists(texts: &TextTable, one: &[RegisterValue], other: &[RegisterValue]) -> Result<bool, Fault> {
        // Before the entries, so that lists of different lengths cost nothing.
        if one.len() != other.len() {
            return Ok(false);
        }
        for (one, other) in one.iter().zip(other) {
            if !same(texts, one, other)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether two values are equal. The nesting of lists is limited, so the recursion is limited, too.
    fn same(texts: &TextTable, one: &RegisterValue, other: &RegisterValue) -> Result<bool, Fault> {
        if let (RegisterValue::List(one), RegisterValue::List(other)) = (one, other) {
            return same_lists(texts, one.entries(), other.entries());
        }
        if let (Some(one), Some(other)) = (one.components(), other.components()) {
            return Ok(*one == *other);
        }
        if let (Some(one), Some(other)) = (one.zones(), other.zones()) {
            return Ok(*one == *other);
        }
        match (one, other) {
            (RegisterValue::Nothing, RegisterValue::Nothing) => Ok(true),
            (RegisterValue::Players(_), RegisterValue::Players(_)) => Ok(one.players() == other.players()),
            _ if one.sort() != other.sort() => Ok(false),
            _ => match (texts.to_value(one), texts.to_value(other)) {
                (Ok(one), Ok(other)) => Ok(one == other),
                _ => Err(not_comparable_error(one.sort())),
            },
        }
    }

    /// Feeds a hasher with a value: values that are equal, or that cannot be compared, hash alike. False where what
    /// follows can make no difference any more.
    fn feed(texts: &TextTable, value: &RegisterValue, hasher: &mut impl Hasher) -> bool {
        hasher.write_u8(value.sort() as u8);
        if let RegisterValue::List(list) = value {
            hasher.write_usize(list.entries().len());
            return list.entries().iter().all(|entry| feed(texts, entry, hasher));
        }
        match (value, value.components(), value.zones()) {
            (_, Some(components), _) => (*components).hash(hasher),
            (_, _, Some(zones)) => (*zones).hash(hasher),
            (RegisterValue::Nothing, ..) => {}
            (RegisterValue::Players(_), ..) => value.players().hash(hasher),
            _ => match texts.to_value(value) {
                Ok(value) => value.hash(hasher),
                Err(_) => return false,
            },
        }
        true
    }

    impl Entries for Listed<'_> {
        type Entry = RegisterValue;

        fn entries(&self) -> &[RegisterValue] {
            self.entries
        }

        fn same(&self, one: &RegisterValue, other: &RegisterValue) -> Result<bool, Fault> {
            same(self.texts, one, other)
        }

        fn feed(&self, entry: &RegisterValue, hasher: &mut impl Hasher) {
            feed(self.texts, entry, hasher);
        }

        fn value(&self, entry: &RegisterValue) -> Result<Value, Fault> {
            self.texts.to_value(entry)
        }

        fn components(&self, table: &Table, entry: &RegisterValue) -> Option<Vec<Component>> {
            if let Some(components) = entry.components() {
                return Some(components.to_vec());
            }
            if let Some(zones) = entry.zones() {
                return Some(zones.iter().flat_map(|&zone| table.zone(zone)).copied().collect());
            }
            match entry {
                RegisterValue::Component(component) => Some(vec![component.get()]),
                RegisterValue::Zone(zone) => Some(table.zone(zone.get()).to_vec()),
                RegisterValue::List(list) => {
                    let held = list.entries().iter().map(|entry| self.components(table, entry));
                    Some(held.collect::<Option<Vec<_>>>()?.concat())
                }
                _ => None,
            }
        }
    }

    impl SearchedValue<RegisterValue> for Anything<'_> {
        fn entry(&self) -> Cow<'_, RegisterValue> {
            match self.value {
                // Written out once, and not for each comparison.
                RegisterValue::Chosen(_) => self.value.parts().map_or(Cow::Borrowed(self.value), |parts| {
                    Cow::Owned(RegisterValue::Option(Arc::new(parts.into_owned())))
                }),
                value => Cow::Borrowed(value),
            }
        }
    }

    pub fn of_groups(groups: Vec<Components>) -> Result<RegisterValue, Fault> {
        list_of(groups.iter().map(|group| RegisterValue::of_components(group)).collect())
    }

    pub fn or(value: Option<Value>, otherwise: Anything<'_>) -> RegisterValue {
        value.map_or_else(|| otherwise.value.clone(), |value| otherwise.texts.of_value(&value))
    }

    pub fn datum_or(datum: Option<&Datum>, otherwise: Anything<'_>) -> RegisterValue {
        datum.map_or_else(|| otherwise.value.clone(), |datum| otherwise.texts.of_datum(datum))
    }

    pub fn entries(table: &Table, data: Data) -> Result<Vec<Datum>, Fault> {
        table.data_entries(data).map(<[Datum]>::to_vec)
    }

    pub fn data_at(table: &Table, data: Data, positions: &[usize]) -> Result<Vec<Datum>, Fault> {
        let entries = table.data_entries(data)?;
        Ok(positions.iter().filter_map(|position| entries.get(*position)).cloned().collect())
    }

    pub fn concatenated(one: Listed<'_>, other: Listed<'_>) -> Result<RegisterValue, Fault> {
        list_of(one.entries.iter().chain(other.entries).cloned().collect())
    }

    pub fn reversed(list: Listed<'_>) -> Result<RegisterValue, Fault> {
        list_of(list.entries.iter().rev().cloned().collect())
    }

    pub fn text_of_list(table: &Table, list: Listed<'_>) -> Result<String, Fault> {
        let entries: Vec<String> = match of_list(list) {
            Ok(values) => values.iter().map(|entry| table.option_label(entry)).collect(),
            // What the table cannot hold, such as lists, can be read all the same.
            Err(_) => list.entries.iter().map(|entry| list.texts.shown(table, entry)).collect(),
        };
        let length: usize = entries.iter().map(|entry| entry.len() + 2).sum();
        if length > MAX_TEXT {
            return Err(Fault::rule(crate::diagnostic::message!("a text can have {MAX_TEXT} bytes")));
        }
        Ok(joined(entries.into_iter()))
    }
}

/// The options made of a value: each component of a zone or list, each zone, player, entry; or the value itself.
///
/// # Errors
/// The table holds no values of this sort.
pub fn parts_of(table: &Table, value: &RegisterValue, texts: &TextTable) -> Result<Items, Fault> {
    values::parts_of(table, Anything { value, texts })
}

/// Conversion of a result to a value of the machine.
trait Give {
    fn give(self, texts: &TextTable) -> Result<RegisterValue, WordError>;
}

macro_rules! give {
    ($($sort:ty, $value:ident, $texts:ident => $made:expr;)*) => { $(
        impl Give for $sort {
            #[inline]
            fn give(self, $texts: &TextTable) -> Result<RegisterValue, WordError> {
                let $value = self;
                Ok($made)
            }
        }
    )* };
}

give! {
    (), _nothing, _texts => RegisterValue::Nothing;
    i64, number, _texts => RegisterValue::Number(number);
    bool, truth, _texts => RegisterValue::truth(truth);
    Component, component, _texts => RegisterValue::component(component);
    Components, list, _texts => match PackedList::of(&list) {
        Some(few) => RegisterValue::Few(few),
        None => RegisterValue::Components(Arc::new(list)),
    };
    Zone, zone, _texts => RegisterValue::zone(zone);
    Zones, zones, _texts => match PackedList::of(&zones) {
        Some(few) => RegisterValue::FewZones(few),
        None => RegisterValue::Zones(Arc::new(zones)),
    };
    Seat, seat, _texts => RegisterValue::player(seat);
    Seats, seats, _texts => RegisterValue::of_players(seats.as_slice());
    Choices, choices, _texts => RegisterValue::Options(Arc::new(choices));
    String, text, texts => texts.of_str(&text);
    &str, text, texts => texts.of_str(text);
    Arc<str>, text, texts => texts.of_text(&text);
    Value, value, texts => texts.of_value(&value);
    Datum, datum, texts => texts.of_datum(&datum);
    RegisterValue, value, _texts => value;
    Option<Seat>, seat, _texts => seat.map_or(RegisterValue::Nobody, RegisterValue::player);
    Vec<RegisterValue>, entries, _texts => list_of(entries)?;
    Vec<Seats>, lists, _texts => list_of(lists.iter().map(|seats| RegisterValue::of_players(seats.as_slice())).collect())?;
    Vec<Zones>, lists, _texts => list_of(lists.iter().map(|zones| RegisterValue::of_zones(zones)).collect())?;
    Vec<Datum>, entries, texts => list_of(entries.iter().map(|datum| texts.of_datum(datum)).collect())?;
}

impl<T: Give> Give for Result<T, Fault> {
    #[inline]
    fn give(self, texts: &TextTable) -> Result<RegisterValue, WordError> {
        self?.give(texts)
    }
}

/// An argument in the type that a body takes.
#[rustfmt::skip]
macro_rules! taken {
    ($table:ident, $given:ident, $at:expr, number) => {
        match $given.get($at) { RegisterValue::Number(number) => *number, _ => return Err(WordError::Sort) }
    };
    ($table:ident, $given:ident, $at:expr, truth) => {
        match $given.get($at) { RegisterValue::Truth(truth) => truth.get(), _ => return Err(WordError::Sort) }
    };
    ($table:ident, $given:ident, $at:expr, text as attribute) => {{
        let text = $given.get($at);
        match $given.texts.attribute(text) {
            Some(attribute) => attribute,
            None => $table.attribute($given.texts.text(text).ok_or(WordError::Sort)?)?,
        }
    }};
    ($table:ident, $given:ident, $at:expr, text as numbers) => {{
        let text = $given.get($at);
        match $given.texts.attribute(text) {
            Some(attribute) => { $table.layout().expect_numbers(attribute)?; attribute }
            None => $table.number_attribute($given.texts.text(text).ok_or(WordError::Sort)?)?,
        }
    }};
    ($table:ident, $given:ident, $at:expr, text as group) => {
        $table.group_number($given.texts.text($given.get($at)).ok_or(WordError::Sort)?)?
    };
    // These are kept as they are.
    ($table:ident, $given:ident, $at:expr, text as act) => { $given.texts.text($given.get($at)).ok_or(WordError::Sort)? };
    ($table:ident, $given:ident, $at:expr, text as part) => { $given.texts.text($given.get($at)).ok_or(WordError::Sort)? };
    ($table:ident, $given:ident, $at:expr, $sort:ident as $role:ident) => { taken!($table, $given, $at, $sort) };
    ($table:ident, $given:ident, $at:expr, text) => {{
        let text: &str = $given.texts.text($given.get($at)).ok_or(WordError::Sort)?;
        text
    }};
    ($table:ident, $given:ident, $at:expr, component) => {
        match $given.get($at) { RegisterValue::Component(component) => component.get(), _ => return Err(WordError::Sort) }
    };
    ($table:ident, $given:ident, $at:expr, components) => { $given.get($at).components().ok_or(WordError::Sort)? };
    ($table:ident, $given:ident, $at:expr, zone) => {
        match $given.get($at) { RegisterValue::Zone(zone) => zone.get(), _ => return Err(WordError::Sort) }
    };
    ($table:ident, $given:ident, $at:expr, zones) => { $given.get($at).zones().ok_or(WordError::Sort)? };
    ($table:ident, $given:ident, $at:expr, player) => {
        match $given.get($at) { RegisterValue::Player(seat) => seat.get(), _ => return Err(WordError::Sort) }
    };
    ($table:ident, $given:ident, $at:expr, nobody) => {
        match $given.get($at) { RegisterValue::Nobody => (), _ => return Err(WordError::Sort) }
    };
    ($table:ident, $given:ident, $at:expr, players) => {
        match $given.get($at) { players @ RegisterValue::Players(_) => players.players(), _ => return Err(WordError::Sort) }
    };
    ($table:ident, $given:ident, $at:expr, options) => {
        match $given.get($at) { RegisterValue::Options(choices) => choices, _ => return Err(WordError::Sort) }
    };
    ($table:ident, $given:ident, $at:expr, option) => {
        $given.get($at).parts().ok_or(WordError::Sort)?
    };
    ($table:ident, $given:ident, $at:expr, data) => {
        match $given.get($at) { RegisterValue::Data(data) => { let data: Data = data.get(); data } _ => return Err(WordError::Sort) }
    };
    ($table:ident, $given:ident, $at:expr, list) => {
        match $given.get($at) {
            RegisterValue::List(list) => Listed { entries: list.entries(), texts: $given.texts },
            _ => return Err(WordError::Sort),
        }
    };
    ($table:ident, $given:ident, $at:expr, $any:ident) => {
        Anything { value: $given.get($at), texts: $given.texts }
    };
}

/// The receiver of a word in the type that its body takes: behind a reference, where it is no list.
#[rustfmt::skip]
macro_rules! this {
    ($this:ident components) => { &*$this };
    ($this:ident zones) => { &*$this };
    ($this:ident list) => { $this };
    ($this:ident text) => { $this };
    ($this:ident options) => { $this };
    ($this:ident option) => { &*$this };
    ($this:ident $sort:ident) => { &$this };
}

/// A held argument in the type that its body takes.
#[rustfmt::skip]
macro_rules! lent {
    ($held:ident option) => { &*$held };
    ($held:ident components) => { &*$held };
    ($held:ident zones) => { &*$held };
    ($held:ident $sort:ident) => { $held };
}

#[rustfmt::skip]
macro_rules! sort {
    (number) => { Some(Sort::Number) };
    (truth) => { Some(Sort::Truth) };
    (text) => { Some(Sort::Text) };
    (component) => { Some(Sort::Component) };
    (components) => { Some(Sort::Components) };
    (zone) => { Some(Sort::Zone) };
    (zones) => { Some(Sort::Zones) };
    (player) => { Some(Sort::Player) };
    (nobody) => { Some(Sort::Nobody) };
    (players) => { Some(Sort::Players) };
    (options) => { Some(Sort::Options) };
    (option) => { Some(Sort::Option) };
    (data) => { Some(Sort::Data) };
    (list) => { Some(Sort::List) };
    (nothing) => { Some(Sort::Nothing) };
    ($other:ident) => { None };
}

/// What a body works on: the table, or the table with the answerer.
#[rustfmt::skip]
macro_rules! gets {
    (table $play:ident) => { &mut *$play.table };
    (play $play:ident) => { &mut *$play };
}

#[rustfmt::skip]
macro_rules! effort {
    ([]) => { Effort::Once };
    ([little]) => { Effort::Little };
    ([contents]) => { Effort::Contents };
    ([cells]) => { Effort::Cells };
    ([rays]) => { Effort::Rays };
    ([lines]) => { Effort::Lines };
    ([sums]) => { Effort::Sums };
    ([all]) => { Effort::All };
    ([ordered]) => { Effort::Ordered };
    ([players]) => { Effort::Players };
}

#[rustfmt::skip]
macro_rules! native {
    ($out:ident callback $($rest:tt)*) => {};
    ($out:ident $form:ident $name:literal $receiver:tt $parameters:tt $effort:tt $result:ident ;) => {};
    ($out:ident $form:ident $name:literal [] ($gets:ident $(, $argument:ident : $sort:ident $(as $role:ident)?)*)
        $effort:tt $result:ident $body:block) => {
        $out.push(NativeWord::new(
            ($name, form!($form), stringify!($gets) == "play", effort!($effort)), vec![$(sort!($sort)),*], sort!($result),
            |play, given| {
                let texts = given.texts;
                let table = gets!(table play);
                let mut at = 0_usize;
                $( let held = taken!(table, given, at, $sort $(as $role)?); let $argument = lent!(held $sort); at += 1; )*
                let $gets = gets!($gets play);
                ($body).give(texts)
            },
        ));
    };
    ($out:ident $form:ident $name:literal [$receiver:ident]
        ($gets:ident, $this:ident $(, $argument:ident : $sort:ident $(as $role:ident)?)*)
        $effort:tt $result:ident $body:block) => {
        $out.push(NativeWord::new(
            ($name, form!($form), stringify!($gets) == "play", effort!($effort)), vec![sort!($receiver) $(, sort!($sort))*], sort!($result),
            |play, given| {
                let texts = given.texts;
                let table = gets!(table play);
                let $this = taken!(table, given, 0, $receiver);
                let $this = this!($this $receiver);
                let mut at = 0_usize;
                $( at += 1; let held = taken!(table, given, at, $sort $(as $role)?); let $argument = lent!(held $sort); )*
                let $gets = gets!($gets play);
                ($body).give(texts)
            },
        ));
    };
}

macro_rules! native_for_each {
    ($out:ident $form:ident $name:literal [] $parameters:tt $effort:tt $result:ident $body:tt) => {
        native!($out $form $name [] $parameters $effort $result $body);
    };
    ($out:ident $form:ident $name:literal [$($receiver:ident)+] $parameters:tt $effort:tt $result:ident $body:tt) => {
        $(native!($out $form $name [$receiver] $parameters $effort $result $body);)+
    };
}

macro_rules! all_natives {
    ($( $section:literal { $(
        $(#[doc = $doc:literal])+
        $form:ident $name:literal [$($receiver:ident)*] $parameters:tt $(costs $effort:ident)? -> $result:ident $body:tt
    )* } )*) => {
        // A body uses what it needs of its arguments and of the table.
        #[allow(unused_variables, unused_assignments, unused_mut)]
        fn bodies() -> Vec<NativeWord> {
            let mut out: Vec<NativeWord> = Vec::new();
            $($( native_for_each!(out $form $name [$($receiver)*] $parameters [$($effort)?] $result $body); )*)*
            out
        }
    };
}

vocabulary!(all_natives);

impl NativeWord {
    fn new(
        (name, form, asks, effort): (&'static str, Form, bool, Effort),
        takes: Vec<Option<Sort>>,
        result: Option<Sort>,
        body: WordBody,
    ) -> Self {
        let (mut mask, mut wanted) = (0, 0);
        for (position, sort) in takes.iter().enumerate() {
            if let Some(sort) = sort {
                mask |= 31 << (5 * position);
                wanted |= (*sort as u32 + 1) << (5 * position);
            }
        }
        let is_long = |sort: &Option<Sort>| {
            sort.is_none_or(|sort| {
                sort.is_long() || matches!(sort, Sort::Text | Sort::Option | Sort::Range | Sort::Players)
            })
        };
        let long = takes.iter().map(is_long).rev().fold(0, |bits, is_long| bits << 1 | u8::from(is_long));
        let effect = WordEffect::of(name, &takes);
        Self { name, form, takes, result, asks, effort, effect, long, body, mask, wanted }
    }
}
