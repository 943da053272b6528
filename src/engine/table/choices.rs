//! Options as the rules put them together, written out only where somebody looks at one.
//!
//! Most options of a game are acts with one of several components: `acts("play", "card", hand)`. They are kept in this
//! short form, so that a question with thirty options costs about what its rules say, and no more.

use crate::table::Fault;
use crate::table::bits::Bits;
use crate::table::decision::Options;
use crate::table::value::{Component, Parts, Seats, Value, Zones};
use crate::table::words::Components;
use smallvec::{SmallVec, smallvec};
use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

/// Most bytes of one option: options that contain options grow fast.
const MAX_OPTION_BYTES: usize = 16 << 10;

/// Name of the part of an option that tells what is done.
pub(super) const ACT: &str = "act";

/// [`ACT`] as a text that all options share.
static SHARED_ACT: LazyLock<Arc<str>> = LazyLock::new(|| ACT.into());

/// Cost of writing out a part of an option, in entries of a list to go through; [`PART`] bytes of a value cost as much
/// as one entry.
const PARTS_TO_WRITE: usize = 4;
const PART: usize = 64;

/// Most stretches that are compared pair by pair, in the search for equal options.
const MAX_COMPARED_BY_PAIRS: usize = 32;

/// Refuses an option of too many bytes.
///
/// # Errors
/// The option has more than [`MAX_OPTION_BYTES`] bytes.
pub(crate) fn refuse_huge(bytes: usize) -> Result<(), Fault> {
    if bytes <= MAX_OPTION_BYTES {
        return Ok(());
    }
    Err(Fault::rule(format!("an option holds more than {} KiB", MAX_OPTION_BYTES >> 10)))
}

/// Options that rules have put together: acts with their cards, texts, numbers.
///
/// Lists that are combined share their stretches; each is kept with the position where it ends.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    stretches: SmallVec<[(usize, Arc<OptionRun>); 4]>,
    len: usize,
    /// Cost of writing out all options, in entries of a list to go through.
    parts: u64,
    /// Approximate size in bytes of the options as they are kept.
    bytes: usize,
}

/// Options that follow each other and that the rules gave together.
#[derive(Clone, Debug)]
enum OptionRun {
    /// Values as they are.
    Values(Items),
    /// An act, or one part, with every combination of further parts; the last part changes fastest.
    Parts { act: Option<Arc<str>>, parts: SmallVec<[(Arc<str>, Items); 1]> },
}

/// A part of an option.
#[derive(Clone, Debug)]
pub enum Part<'a> {
    /// The act: what is done.
    Act(&'a Arc<str>),
    /// A value with which it is done.
    Value(Value),
}

/// The values of one part over a series of options.
#[derive(Clone, Debug)]
pub enum Items {
    /// The same value in all options.
    One(Value),
    /// Each of some components.
    Components(Components),
    /// Each of some zones.
    Zones(Zones),
    /// Each of some players.
    Seats(Seats),
    /// Each of some values.
    Values(Arc<[Value]>),
}

/// A text that can be kept in shared memory; one that is shared already is not copied.
pub trait ToShared {
    /// The text in shared memory.
    fn to_shared(&self) -> Arc<str>;
}

impl ToShared for str {
    fn to_shared(&self) -> Arc<str> {
        self.into()
    }
}

impl ToShared for Arc<str> {
    fn to_shared(&self) -> Arc<str> {
        self.clone()
    }
}

impl Choices {
    /// One option: an act alone.
    pub fn act(act: &(impl ToShared + ?Sized)) -> Self {
        Self::of(1, || OptionRun::Parts { act: Some(act.to_shared()), parts: SmallVec::new() })
    }

    /// Options of one act: one for each item, which is the part called `part`.
    ///
    /// # Errors
    /// `part` is called as the act's own part is.
    pub fn acts(
        act: &(impl ToShared + ?Sized),
        part: &(impl ToShared + ?Sized),
        items: impl Into<Items>,
    ) -> Result<Self, Fault> {
        let (part, items) = (part.to_shared(), items.into());
        if *part == *ACT {
            return Err(has_part(ACT));
        }
        Ok(Self::of(items.len(), || OptionRun::Parts { act: Some(act.to_shared()), parts: smallvec![(part, items)] }))
    }

    /// One option for each item, which is the part called `part`.
    pub fn options(part: &(impl ToShared + ?Sized), items: impl Into<Items>) -> Self {
        let items = items.into();
        Self::of(items.len(), || OptionRun::Parts { act: None, parts: smallvec![(part.to_shared(), items)] })
    }

    /// One option for each item, which is the option itself.
    pub fn values(items: impl Into<Items>) -> Self {
        let items = items.into();
        Self::of(items.len(), || OptionRun::Values(items))
    }

    fn of(len: usize, stretch: impl FnOnce() -> OptionRun) -> Self {
        if len == 0 {
            return Self::default();
        }
        let stretch = stretch();
        Self { bytes: stretch.bytes(), parts: stretch.parts(), stretches: smallvec![(len, Arc::new(stretch))], len }
    }

    /// These options, followed by `more`.
    pub fn with(&self, more: &Self) -> Self {
        let mut both = self.clone();
        both.append(more);
        both
    }

    /// Adds options at the end.
    pub fn append(&mut self, more: &Self) {
        let begin = self.len;
        self.stretches.extend(more.stretches.iter().map(|(end, stretch)| (begin + end, stretch.clone())));
        self.len += more.len;
        self.parts += more.parts;
        self.bytes += more.bytes;
    }

    /// Every combination of an option with an item, which becomes a further part of the option.
    ///
    /// # Errors
    /// One of the options is a plain value, which has no parts, has a part of that name already, or would be huge.
    pub fn and(&self, part: &(impl ToShared + ?Sized), items: impl Into<Items>) -> Result<Self, Fault> {
        let (part, items) = (part.to_shared(), items.into());
        let mut combined = Self::default();
        for (_, stretch) in &self.stretches {
            let stretch = stretch.and(&part, &items)?;
            combined.append(&Self::of(stretch.len(), || stretch));
        }
        Ok(combined)
    }

    /// Number of options.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no options.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The option at a position below [`len`](Self::len), written out.
    pub fn value(&self, position: usize) -> Value {
        debug_assert!(position < self.len, "a position behind the options");
        self.stretch(position).map_or(Value::Nobody, |(stretch, position)| stretch.value(position))
    }

    /// Whether the option at a position has parts.
    pub fn has_parts(&self, position: usize) -> bool {
        match self.stretch(position) {
            Some((OptionRun::Parts { .. }, _)) => true,
            Some((OptionRun::Values(items), position)) => matches!(items.value(position), Value::Parts(_)),
            None => false,
        }
    }

    /// The part `name` of the option at a position, without writing out the option; `None` where it has no such part.
    pub fn part(&self, position: usize, name: &str) -> Option<Part<'_>> {
        match self.stretch(position)? {
            (OptionRun::Parts { act: Some(act), .. }, _) if name == ACT => Some(Part::Act(act)),
            (stretch @ OptionRun::Parts { parts, .. }, position) => {
                let mut round = stretch.len();
                for (known, items) in parts {
                    round /= items.len();
                    if **known == *name {
                        return Some(Part::Value(items.value(position / round % items.len())));
                    }
                }
                None
            }
            (OptionRun::Values(items), position) => match items.value(position) {
                Value::Parts(parts) => parts.get(name).cloned().map(Part::Value),
                _ => None,
            },
        }
    }

    /// Tells the parts of the option at a position, with their names, in order, without writing out the option. An
    /// option without parts is told as one part without a name.
    pub fn each_part(&self, position: usize, tell: &mut dyn FnMut(&str, Part<'_>)) {
        match self.stretch(position) {
            Some((stretch @ OptionRun::Parts { act, parts }, position)) => {
                if let Some(act) = act {
                    tell(ACT, Part::Act(act));
                }
                let mut round = stretch.len();
                for (name, items) in parts {
                    round /= items.len();
                    tell(name, Part::Value(items.value(position / round % items.len())));
                }
            }
            Some((OptionRun::Values(items), position)) => match items.value(position) {
                Value::Parts(parts) => {
                    parts.0.iter().for_each(|(name, part)| tell(name, Part::Value(part.clone())));
                }
                value => tell("", Part::Value(value)),
            },
            None => {}
        }
    }

    /// The sort of the option at a position, where it has one: see [`sort_of_option`].
    pub fn sort(&self, position: usize) -> Option<&str> {
        let (stretch, position) = self.stretch(position)?;
        stretch.sort(position)
    }

    /// Tells the sorts of the options, each at least once, in order.
    pub fn each_sort(&self, tell: &mut dyn FnMut(&str)) {
        for (_, stretch) in &self.stretches {
            let different = if stretch.is_of_one_sort() { 1 } else { stretch.len() };
            (0..different).filter_map(|position| stretch.sort(position)).for_each(&mut *tell);
        }
    }

    /// The stretch with the option at a position, and the position within that stretch.
    fn stretch(&self, position: usize) -> Option<(&OptionRun, usize)> {
        let number = self.stretches.partition_point(|(end, _)| *end <= position);
        let begin = number.checked_sub(1).map_or(0, |before| self.stretches[before].0);
        self.stretches.get(number).map(|(_, stretch)| (&**stretch, position - begin))
    }

    /// Every option, written out.
    pub fn iter(&self) -> impl Iterator<Item = Value> {
        self.stretches.iter().flat_map(|(_, stretch)| (0..stretch.len()).map(|position| stretch.value(position)))
    }

    /// Whether `is_it` is true of any component in the options.
    pub fn any_component(&self, is_it: &mut impl FnMut(Component) -> bool) -> bool {
        self.stretches.iter().any(|stretch| match &*stretch.1 {
            OptionRun::Values(items) => items.any_component(is_it),
            OptionRun::Parts { parts, .. } => parts.iter().any(|(_, items)| items.any_component(is_it)),
        })
    }

    /// The options at some positions.
    pub fn kept(&self, positions: &[usize]) -> Self {
        Self::values(positions.iter().map(|&position| self.value(position)).collect::<Vec<_>>())
    }

    /// Approximate size in bytes of the options as they are kept.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Cost of writing out all options, in entries of a list to go through.
    pub fn parts(&self) -> u64 {
        self.parts
    }

    /// Whether an option is among these.
    pub fn contains(&self, option: &Value) -> bool {
        self.stretches.iter().any(|(_, stretch)| stretch.contains(option))
    }

    /// The positions of two equal options; `None` where all differ.
    pub(super) fn equal_pair(&self) -> Option<(usize, usize)> {
        if !self.may_have_equals() {
            return None;
        }
        let values: Vec<Value> = self.iter().collect();
        Options::Values(&values).equal_pair()
    }

    /// Whether two options may be equal; false is certain.
    fn may_have_equals(&self) -> bool {
        let stretches = &self.stretches;
        stretches.iter().any(|(_, stretch)| stretch.may_have_equals())
            || stretches.len() > MAX_COMPARED_BY_PAIRS
            || (1..stretches.len())
                .any(|last| stretches[..last].iter().any(|(_, one)| one.may_share(&stretches[last].1)))
    }
}

impl PartialEq for Choices {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other.iter())
    }
}

impl FromIterator<Value> for Choices {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Self {
        Self::values(values.into_iter().collect::<Vec<_>>())
    }
}

/// The sorts of options that are too many to be told apart: a component, a player, a zone, a number.
pub const PLAIN_SORTS: [&str; 4] = ["a component", "a player", "a zone", "a number"];

/// The sort of an option, by its value: its act, a text, yes or no. Components, players, zones and numbers are too many
/// to be told apart: their sort is what they are, as in [`PLAIN_SORTS`]. `None` for an option without a sort.
pub fn sort_of_option(value: &Value) -> Option<&str> {
    let [component, player, zone, number] = PLAIN_SORTS;
    match value {
        Value::Text(text) => Some(text),
        Value::Truth(truth) => Some(if *truth { "yes" } else { "no" }),
        Value::Parts(parts) => sort_of_option(parts.get(ACT)?),
        Value::Component(_) | Value::Back(_) => Some(component),
        Value::Seat(_) => Some(player),
        Value::Zone(_) => Some(zone),
        Value::Number(_) => Some(number),
        Value::Nobody | Value::Nothing | Value::List(_) => None,
    }
}

impl OptionRun {
    /// The sort of the option at a position; see [`sort_of_option`].
    fn sort(&self, position: usize) -> Option<&str> {
        match self {
            Self::Values(items) => items.sort(position),
            Self::Parts { act: Some(act), .. } => Some(act),
            Self::Parts { act: None, parts } => {
                let mut round = self.len();
                for (name, items) in parts {
                    round /= items.len();
                    if **name == *ACT {
                        return items.sort(position / round % items.len());
                    }
                }
                None
            }
        }
    }

    /// Whether all options of the stretch are certainly of one sort.
    fn is_of_one_sort(&self) -> bool {
        match self {
            Self::Values(items) => !matches!(items, Items::Values(_)),
            Self::Parts { act, parts } => act.is_some() || parts.iter().all(|(name, _)| **name != *ACT),
        }
    }

    /// Approximate size in bytes.
    fn bytes(&self) -> usize {
        let behind = match self {
            Self::Values(items) => items.bytes(),
            Self::Parts { act, parts } => {
                let parts = parts.iter().map(|(name, items)| size_of::<Items>() + name.len() + items.bytes());
                act.as_ref().map_or(0, |act| act.len()) + parts.sum::<usize>()
            }
        };
        size_of::<Self>() + behind
    }

    /// Cost of writing out all options, in entries of a list to go through.
    fn parts(&self) -> u64 {
        match self {
            Self::Values(items) => (items.len() + items.bytes() / PART) as u64,
            Self::Parts { parts, .. } => {
                let each: usize = parts.iter().map(|(_, items)| 1 + items.most_bytes() / PART).sum();
                (self.len() * PARTS_TO_WRITE * (1 + each)) as u64
            }
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Values(items) => items.len(),
            Self::Parts { parts, .. } => parts.iter().map(|(_, items)| items.len()).product(),
        }
    }

    fn value(&self, position: usize) -> Value {
        let (act, parts) = match self {
            Self::Values(items) => return items.value(position),
            Self::Parts { act, parts } => (act, parts),
        };
        let act = act.iter().map(|act| (SHARED_ACT.clone(), Value::Text(act.clone())));
        if let [(name, items)] = parts.as_slice() {
            return Value::Parts(Parts(act.chain([(name.clone(), items.value(position))]).collect()));
        }
        // The last part changes with each option, an earlier one whenever those behind it have gone round.
        let mut round = self.len();
        let part = |(name, items): &(Arc<str>, Items)| {
            round /= items.len();
            (name.clone(), items.value(position / round % items.len()))
        };
        Value::Parts(Parts(act.chain(parts.iter().map(part)).collect()))
    }

    fn and(&self, part: &Arc<str>, items: &Items) -> Result<Self, Fault> {
        match self {
            Self::Parts { act, parts } => {
                if act.is_some() && **part == *ACT || parts.iter().any(|(known, _)| known == part) {
                    return Err(has_part(part));
                }
                let act_held = act.iter().map(|act| Value::bytes_of_part(ACT, Value::bytes_of_text(act)));
                let held = parts.iter().map(|(name, items)| Value::bytes_of_part(name, items.most_bytes()));
                let held = act_held.chain(held).sum::<usize>();
                refuse_huge(size_of::<Value>() + held + part.len() + items.most_bytes())?;
                let parts = parts.iter().cloned().chain([(part.clone(), items.clone())]).collect();
                Ok(Self::Parts { act: act.clone(), parts })
            }
            Self::Values(values) => {
                let mut combined = Vec::with_capacity(values.len() * items.len());
                for option in values.iter() {
                    let Value::Parts(parts) = &option else {
                        return Err(Fault::rule(format!("an option without parts cannot get the part {part}")));
                    };
                    if parts.get(part).is_some() {
                        return Err(has_part(part));
                    }
                    for value in items.iter() {
                        refuse_huge(option.bytes() + part.len() + value.bytes())?;
                        let further = std::iter::once((part.clone(), value));
                        combined.push(Value::Parts(Parts(parts.0.iter().cloned().chain(further).collect())));
                    }
                }
                Ok(Self::Values(combined.into()))
            }
        }
    }

    fn contains(&self, option: &Value) -> bool {
        match (self, option) {
            (Self::Values(items), option) => items.contains(option),
            (Self::Parts { act, parts }, Value::Parts(wanted)) => {
                let is_act = |act: &Arc<str>| matches!(wanted.get(ACT), Some(Value::Text(wanted)) if wanted == act);
                let has = |(name, items): &(Arc<str>, Items)| wanted.get(name).is_some_and(|part| items.contains(part));
                wanted.0.len() == parts.len() + usize::from(act.is_some())
                    && act.as_ref().is_none_or(is_act)
                    && parts.iter().all(has)
            }
            (Self::Parts { .. }, _) => false,
        }
    }

    /// Whether two options of the stretch may be equal; false is certain.
    fn may_have_equals(&self) -> bool {
        match self {
            Self::Values(items) => items.has_equals(),
            Self::Parts { parts, .. } => parts.iter().any(|(_, items)| items.has_equals()),
        }
    }

    /// Whether an option may be in both stretches; false is certain.
    fn may_share(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Values(some), Self::Values(others)) => some.overlap(others),
            (Self::Parts { act, parts }, Self::Parts { act: other_act, parts: others }) => {
                let items_of =
                    |name: &Arc<str>| others.iter().find(|(known, _)| known == name).map(|(_, others)| others);
                act == other_act
                    && parts.len() == others.len()
                    && parts.iter().all(|(name, items)| items_of(name).is_some_and(|others| items.overlap(others)))
            }
            (Self::Values(items), parts) | (parts, Self::Values(items)) => match items {
                Items::One(value) => parts.contains(value),
                Items::Values(values) => values.iter().any(|value| parts.contains(value)),
                Items::Components(_) | Items::Zones(_) | Items::Seats(_) => false,
            },
        }
    }
}

impl Items {
    /// Number of items.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Components(list) => list.0.len(),
            Self::Zones(list) => list.0.len(),
            Self::Seats(list) => list.len(),
            Self::Values(list) => list.len(),
        }
    }

    /// The item at a position below [`len`](Self::len).
    fn value(&self, position: usize) -> Value {
        match self {
            Self::One(value) => value.clone(),
            Self::Components(list) => Value::Component(list.0[position]),
            Self::Zones(list) => Value::Zone(list.0[position]),
            Self::Seats(list) => Value::Seat(list.as_slice()[position]),
            Self::Values(list) => list[position].clone(),
        }
    }

    /// The sort of the item at a position; see [`sort_of_option`].
    fn sort(&self, position: usize) -> Option<&str> {
        let [component, player, zone, _] = PLAIN_SORTS;
        match self {
            Self::One(value) => sort_of_option(value),
            Self::Components(_) => Some(component),
            Self::Zones(_) => Some(zone),
            Self::Seats(_) => Some(player),
            Self::Values(list) => sort_of_option(list.get(position)?),
        }
    }

    fn any_component(&self, is_it: &mut impl FnMut(Component) -> bool) -> bool {
        match self {
            Self::One(value) => value.any_component(is_it),
            Self::Components(list) => list.0.iter().any(|&component| is_it(component)),
            Self::Zones(_) | Self::Seats(_) => false,
            Self::Values(list) => list.iter().any(|value| value.any_component(is_it)),
        }
    }

    /// Every item as a value.
    pub fn iter(&self) -> impl Iterator<Item = Value> {
        (0..self.len()).map(|position| self.value(position))
    }

    fn contains(&self, wanted: &Value) -> bool {
        match (self, wanted) {
            (Self::One(value), wanted) => value == wanted,
            (Self::Components(list), Value::Component(wanted)) => list.0.contains(wanted),
            (Self::Zones(list), Value::Zone(wanted)) => list.0.contains(wanted),
            (Self::Seats(list), Value::Seat(wanted)) => list.as_slice().contains(wanted),
            (Self::Values(list), wanted) => list.contains(wanted),
            (Self::Components(_) | Self::Zones(_) | Self::Seats(_), _) => false,
        }
    }

    fn overlap(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::One(value), other) | (other, Self::One(value)) => other.contains(value),
            (Self::Components(some), Self::Components(others)) => {
                let others = Bits::of(others.0.iter().map(|component| component.index()));
                some.0.iter().any(|component| others.contains(component.index()))
            }
            (Self::Values(some), Self::Values(others)) => {
                let others: HashSet<&Value> = others.iter().collect();
                some.iter().any(|value| others.contains(value))
            }
            // Seats and zones are few.
            (some, other) => some.iter().any(|value| other.contains(&value)),
        }
    }

    fn has_equals(&self) -> bool {
        match self {
            Self::One(_) => false,
            Self::Components(list) => Options::Components(&list.0).equal_pair().is_some(),
            Self::Zones(list) => Options::Zones(&list.0).equal_pair().is_some(),
            Self::Seats(list) => Options::Seats(list.as_slice()).equal_pair().is_some(),
            Self::Values(list) => Options::Values(list).equal_pair().is_some(),
        }
    }

    /// Approximate size of all items in bytes.
    fn bytes(&self) -> usize {
        match self {
            Self::One(value) => value.bytes(),
            Self::Components(list) => size_of_val(&list.0[..]),
            Self::Zones(list) => size_of_val(&list.0[..]),
            Self::Seats(_) => 0,
            Self::Values(list) => list.iter().map(Value::bytes).sum(),
        }
    }

    /// Approximate size of the largest item in bytes.
    pub(crate) fn most_bytes(&self) -> usize {
        match self {
            Self::One(value) => value.bytes(),
            Self::Components(_) | Self::Zones(_) | Self::Seats(_) => size_of::<Value>(),
            Self::Values(list) => list.iter().map(Value::bytes).max().unwrap_or(0),
        }
    }
}

impl From<Value> for Items {
    fn from(value: Value) -> Self {
        Self::One(value)
    }
}

impl From<Components> for Items {
    fn from(list: Components) -> Self {
        Self::Components(list)
    }
}

impl From<Zones> for Items {
    fn from(list: Zones) -> Self {
        Self::Zones(list)
    }
}

impl From<Seats> for Items {
    fn from(list: Seats) -> Self {
        Self::Seats(list)
    }
}

impl From<Vec<Value>> for Items {
    fn from(list: Vec<Value>) -> Self {
        Self::Values(list.into())
    }
}

impl From<Choices> for Items {
    fn from(choices: Choices) -> Self {
        if let [(_, only)] = choices.stretches.as_slice()
            && let OptionRun::Values(items) = &**only
        {
            return items.clone();
        }
        Self::Values(choices.iter().collect())
    }
}

fn has_part(part: &str) -> Fault {
    Fault::rule(format!("an option has the part {part} already"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::chance::Stream;
    use crate::table::value::{Seat, Zone};

    /// A list of options that is written out at once.
    type Plain = Vec<Value>;

    fn parts(of: &[(&str, Value)]) -> Value {
        Value::Parts(Parts(of.iter().map(|(name, value)| ((*name).into(), value.clone())).collect()))
    }

    fn some_items(stream: &mut Stream) -> Items {
        let count = stream.below(4);
        let mut numbers = || (0..count).map(|_| stream.below(6) as u16).collect::<Vec<u16>>();
        let numbers = numbers();
        match stream.below(6) {
            0 => Items::One(Value::Text(["a", "b"][stream.below(2)].into())),
            1 => Items::One(Value::Component(Component(stream.below(6) as u16))),
            2 => Components(numbers.into_iter().map(Component).collect()).into(),
            3 => Zones(numbers.into_iter().map(Zone).collect()).into(),
            4 => Items::from(numbers.into_iter().map(|number| Seat(number as u8)).collect::<Seats>()),
            _ => Items::from(numbers.into_iter().map(|number| Value::Number(number.into())).collect::<Vec<_>>()),
        }
    }

    /// Options put together at random: as [`Choices`], and written out at once.
    fn some_choices(stream: &mut Stream, depth: usize) -> (Choices, Plain) {
        let name = ["card", "target", "die"][stream.below(3)];
        let act = ["play", "pass"][stream.below(2)];
        let items = some_items(stream);
        match if depth == 0 { stream.below(4) } else { stream.below(7) } {
            0 => (Choices::act(act), vec![parts(&[(ACT, Value::Text(act.into()))])]),
            1 => {
                let each = |item| parts(&[(ACT, Value::Text(act.into())), (name, item)]);
                let plain = items.iter().map(each).collect();
                (Choices::acts(act, name, items).unwrap_or_default(), plain)
            }
            2 => (Choices::options(name, items.clone()), items.iter().map(|item| parts(&[(name, item)])).collect()),
            3 => (Choices::values(items.clone()), items.iter().collect()),
            4 => {
                let (choices, plain) = some_choices(stream, depth - 1);
                let has = |option: &Value| match option {
                    Value::Parts(parts) => parts.get(name).is_some(),
                    _ => true,
                };
                let combined = choices.and(name, items.clone());
                if plain.iter().any(has) {
                    assert!(combined.is_err());
                    return (choices, plain);
                }
                let each = |option: &Value| {
                    let Value::Parts(parts) = option.clone() else { return Vec::new() };
                    let with =
                        |item| Value::Parts(Parts(parts.0.iter().cloned().chain([(name.into(), item)]).collect()));
                    items.iter().map(with).collect()
                };
                (combined.unwrap_or_default(), plain.iter().flat_map(each).collect())
            }
            _ => {
                let (one, plain) = some_choices(stream, depth - 1);
                let (other, more) = some_choices(stream, depth - 1);
                (one.with(&other), plain.into_iter().chain(more).collect())
            }
        }
    }

    #[test]
    fn options_are_the_same_written_out_late() {
        let mut stream = Stream::named(7, "options", 0);
        let mut with_equals = 0;
        for _ in 0..5_000 {
            let (choices, plain) = some_choices(&mut stream, 4);
            assert_eq!(choices.len(), plain.len());
            assert_eq!(choices.iter().collect::<Vec<_>>(), plain);
            let positions: Vec<usize> = (0..plain.len()).collect();
            assert!(positions.iter().all(|&position| choices.value(position) == plain[position]));
            for (position, option) in plain.iter().enumerate() {
                let parts = if let Value::Parts(parts) = option { Some(parts) } else { None };
                assert_eq!(choices.has_parts(position), parts.is_some());
                for name in ["act", "card", "target", "die"] {
                    let part = choices.part(position, name).map(|part| match part {
                        Part::Act(act) => Value::Text(act.clone()),
                        Part::Value(value) => value,
                    });
                    assert_eq!(part.as_ref(), parts.and_then(|parts| parts.get(name)));
                }
            }
            assert_eq!(choices.equal_pair(), Options::Values(&plain).equal_pair(), "{plain:?}");
            with_equals += usize::from(choices.equal_pair().is_some());
            let (_, others) = some_choices(&mut stream, 2);
            assert!(others.iter().all(|option| choices.contains(option) == plain.contains(option)));
            assert_eq!(choices.kept(&positions), choices);
        }
        assert!((500..4_500).contains(&with_equals), "{with_equals}");
    }

    #[test]
    fn an_option_does_not_grow_for_ever() {
        let long = "x".repeat(4_000);
        let text = || Items::One(Value::Text(long.as_str().into()));
        let parts = ["a", "b", "c", "d"];
        let grown = parts.iter().try_fold(Choices::act("try"), |choices, part| choices.and(*part, text()));
        assert!(grown.is_ok());
        assert!(grown.unwrap_or_default().and("e", text()).is_err());
        assert_eq!(Choices::acts("a", "act", text()), Err(has_part("act")));
    }
}
