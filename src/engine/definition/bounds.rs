//! Bounds of what is measured in a game, as far as they are known beforehand.

use super::keys::table::bound;
use super::schema::{Checker, Fields};
use crate::catalogue::message;
use crate::diagnostic::Diagnostic;
use crate::sorted::SortedMap;
use serde::{Deserialize, Serialize};

/// The bounds of a number, as far as they are known beforehand. Both ends are possible values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// The lowest possible value; `None` where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<i64>,
    /// The highest possible value; `None` where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<i64>,
}

impl Bounds {
    /// Bounds of which both ends are known.
    pub fn between(min: i64, max: i64) -> Self {
        Self { min: Some(min), max: Some(max) }
    }

    /// Whether values from `least` to `greatest` lie within the bounds.
    pub fn contains_range(self, (least, greatest): (i64, i64)) -> bool {
        self.min.is_none_or(|min| min <= least) && self.max.is_none_or(|max| greatest <= max)
    }

    /// The bounds of the same number in a smaller unit, of which `scale` make one. An end that overflows becomes
    /// unknown.
    #[must_use]
    pub fn scaled(self, scale: i64) -> Self {
        let scaled = |end: Option<i64>| end.and_then(|end| end.checked_mul(scale));
        Self { min: scaled(self.min), max: scaled(self.max) }
    }

    /// The bounds of the difference between a number and another one.
    #[must_use]
    pub fn difference(self, other: Self) -> Self {
        let difference = |one: Option<i64>, other: Option<i64>| one?.checked_sub(other?);
        Self { min: difference(self.min, other.max), max: difference(self.max, other.min) }
    }
}

/// Reads the bounds of measures, by their names in figures.
pub(super) fn read_bounds(bounds: &Fields<'_>, checker: &mut Checker) -> SortedMap<String, Bounds> {
    let mut read = SortedMap::new();
    for (name, field) in bounds.each() {
        let Some(fields) = field.section(checker, &bound::SECTION) else { continue };
        let [min, max] = [&bound::MIN, &bound::MAX].map(|key| fields.read(checker, key));
        match (min, max) {
            (Some(min), Some(max)) if min > max => {
                let place =
                    fields.find(&bound::MIN).map(|min| min.node.place(message!("more than `max`, which is {max}")));
                checker.report(Diagnostic::new(message!("`bounds.{name}.min` is more than its `max`")).at_maybe(place));
            }
            _ => drop(read.insert(name.to_owned(), Bounds { min, max })),
        }
    }
    read
}
