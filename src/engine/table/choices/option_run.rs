//! Options that follow each other and that the rules gave together: values, or an act with its parts. One is written
//! out, or looked into, at its position.

use super::items::Items;
use super::{ACT, Part, refuse_huge};
use crate::diagnostic::message;
use crate::table::Fault;
use crate::table::value::{Component, Parts, Value};
use smallvec::SmallVec;
use std::sync::{Arc, LazyLock};

/// [`ACT`] as a text that all options share.
static SHARED_ACT: LazyLock<Arc<str>> = LazyLock::new(|| ACT.into());

/// Cost of writing out a part of an option, in entries of a list to go through; [`PART`] bytes of a value cost as much
/// as one entry.
const PARTS_TO_WRITE: usize = 4;
const PART: usize = 64;

/// Options that follow each other and that the rules gave together.
#[derive(Clone, Debug)]
pub(super) enum OptionRun {
    /// Values as they are.
    Values(Items),
    /// An act, or one part, with every combination of further parts; the last part changes fastest.
    Parts { act: Option<Arc<str>>, parts: SmallVec<[(Arc<str>, Items); 1]> },
}

impl OptionRun {
    /// The sort of the option at a position; see [`sort_of_option`](super::sort_of_option).
    pub(super) fn sort(&self, position: usize) -> Option<&str> {
        match self {
            Self::Values(items) => items.sort(position),
            Self::Parts { act: Some(act), .. } => Some(act),
            Self::Parts { act: None, parts } => {
                let (_, items, place) = parts_at(parts, position).find(|(name, ..)| ***name == *ACT)?;
                items.sort(place)
            }
        }
    }

    pub(super) fn has_parts(&self, position: usize) -> bool {
        match self {
            Self::Parts { .. } => true,
            Self::Values(items) => matches!(items.value(position), Value::Parts(_)),
        }
    }

    /// The part `name` of the option at a position; `None` where it has no such part.
    pub(super) fn part(&self, position: usize, name: &str) -> Option<Part<'_>> {
        match self {
            Self::Parts { act: Some(act), .. } if name == ACT => Some(Part::Act(act)),
            Self::Parts { parts, .. } => {
                let (_, items, place) = parts_at(parts, position).find(|(known, ..)| ***known == *name)?;
                Some(Part::Value(items.value(place)))
            }
            Self::Values(items) => match items.value(position) {
                Value::Parts(parts) => parts.get(name).cloned().map(Part::Value),
                _ => None,
            },
        }
    }

    /// Tells the parts of the option at a position; see [`Choices::each_part`](super::Choices::each_part).
    pub(super) fn each_part(&self, position: usize, tell: &mut dyn FnMut(&str, Part<'_>)) {
        match self {
            Self::Parts { act, parts } => {
                if let Some(act) = act {
                    tell(ACT, Part::Act(act));
                }
                parts_at(parts, position).for_each(|(name, items, place)| tell(name, Part::Value(items.value(place))));
            }
            Self::Values(items) => match items.value(position) {
                Value::Parts(parts) => {
                    parts.0.iter().for_each(|(name, part)| tell(name, Part::Value(part.clone())));
                }
                value => tell("", Part::Value(value)),
            },
        }
    }

    /// Whether `is_it` is true of any component in the options.
    pub(super) fn any_component(&self, is_it: &mut impl FnMut(Component) -> bool) -> bool {
        match self {
            Self::Values(items) => items.any_component(is_it),
            Self::Parts { parts, .. } => parts.iter().any(|(_, items)| items.any_component(is_it)),
        }
    }

    /// Whether all options of the stretch are certainly of one sort.
    pub(super) fn is_of_one_sort(&self) -> bool {
        match self {
            Self::Values(items) => !matches!(items, Items::Values(_)),
            Self::Parts { act, parts } => act.is_some() || parts.iter().all(|(name, _)| **name != *ACT),
        }
    }

    /// Approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
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
    pub(super) fn parts(&self) -> u64 {
        match self {
            Self::Values(items) => (items.len() + items.bytes() / PART) as u64,
            Self::Parts { parts, .. } => {
                let each: usize = parts.iter().map(|(_, items)| 1 + items.most_bytes() / PART).sum();
                (self.len() * PARTS_TO_WRITE * (1 + each)) as u64
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Values(items) => items.len(),
            Self::Parts { parts, .. } => parts.iter().map(|(_, items)| items.len()).product(),
        }
    }

    pub(super) fn value(&self, position: usize) -> Value {
        let (act, parts) = match self {
            Self::Values(items) => return items.value(position),
            Self::Parts { act, parts } => (act, parts),
        };
        let act = act.iter().map(|act| (SHARED_ACT.clone(), Value::Text(act.clone())));
        if let [(name, items)] = parts.as_slice() {
            return Value::Parts(Parts(act.chain([(name.clone(), items.value(position))]).collect()));
        }
        let parts = parts_at(parts, position).map(|(name, items, place)| (name.clone(), items.value(place)));
        Value::Parts(Parts(act.chain(parts).collect()))
    }

    pub(super) fn and(&self, part: &Arc<str>, items: &Items) -> Result<Self, Fault> {
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
                        return Err(Fault::rule(message!("an option without parts cannot get the part {part}")));
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

    pub(super) fn contains(&self, option: &Value) -> bool {
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
    pub(super) fn may_have_equals(&self) -> bool {
        match self {
            Self::Values(items) => items.has_equals(),
            Self::Parts { parts, .. } => parts.iter().any(|(_, items)| items.has_equals()),
        }
    }

    /// Whether an option may be in both stretches; false is certain.
    pub(super) fn may_share(&self, other: &Self) -> bool {
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

/// The parts of the option at a position, each with its items and the place of its value among them. The last part
/// changes with each option, an earlier one whenever those behind it have gone round.
fn parts_at(parts: &[(Arc<str>, Items)], position: usize) -> impl Iterator<Item = (&Arc<str>, &Items, usize)> {
    let mut round: usize = parts.iter().map(|(_, items)| items.len()).product();
    parts.iter().map(move |(name, items)| {
        round /= items.len();
        (name, items, position / round % items.len())
    })
}

/// The error of an option that has a part already.
pub(super) fn has_part(part: &str) -> Fault {
    Fault::rule(message!("an option has the part {part} already"))
}
