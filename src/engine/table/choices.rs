//! Options as the rules put them together, written out only where somebody looks at one.
//!
//! Most options of a game are acts with one of several components: `acts("play", "card", hand)`. They are kept in this
//! short form, so that a question with thirty options costs about what its rules say, and no more.

mod items;
mod option_run;

pub use items::Items;

use crate::diagnostic::message;
use crate::table::Fault;
use crate::table::decision::Options;
use crate::table::value::{Component, Value};
use option_run::{OptionRun, has_part};
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// Most bytes of one option: options that contain options grow fast.
const MAX_OPTION_BYTES: usize = 16 << 10;

/// Name of the part of an option that tells what is done.
pub(super) const ACT: &str = "act";

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
    Err(Fault::rule(message!("an option holds more than {} KiB", MAX_OPTION_BYTES >> 10)))
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

/// A part of an option.
#[derive(Clone, Debug)]
pub enum Part<'a> {
    /// The act: what is done.
    Act(&'a Arc<str>),
    /// A value with which it is done.
    Value(Value),
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
        self.stretch(position).is_some_and(|(stretch, position)| stretch.has_parts(position))
    }

    /// The part `name` of the option at a position, without writing out the option; `None` where it has no such part.
    pub fn part(&self, position: usize, name: &str) -> Option<Part<'_>> {
        let (stretch, position) = self.stretch(position)?;
        stretch.part(position, name)
    }

    /// Tells the parts of the option at a position, with their names, in order, without writing out the option. An
    /// option without parts is told as one part without a name.
    pub fn each_part(&self, position: usize, tell: &mut dyn FnMut(&str, Part<'_>)) {
        if let Some((stretch, position)) = self.stretch(position) {
            stretch.each_part(position, tell);
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
        self.stretches.iter().any(|(_, stretch)| stretch.any_component(is_it))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::chance::Stream;
    use crate::table::value::{Parts, Seat, Seats, Zone, Zones};
    use crate::table::words::Components;

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
