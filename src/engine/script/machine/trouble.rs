//! What can go wrong in a step, as data: the words for it are found elsewhere.

use super::value::TooLarge;
use crate::script::program::Binary;
use crate::script::sorts::Sort;
use crate::table::Fault;
use std::sync::Arc;

/// Why a run cannot go on.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// A word or the table says so.
    Fault(Fault),
    /// No form of a word takes arguments of these sorts; or there is no such word.
    NoWord {
        /// Its name.
        name: Arc<str>,
        /// What it was given.
        given: Vec<Sort>,
    },
    /// A value of this sort has no property of that name.
    NoProperty(Sort, Arc<str>),
    /// A property of a value of this sort cannot be set.
    NotSettable(Sort, Arc<str>),
    /// Nobody knows this name.
    UnknownName(Arc<str>),
    /// An operator does not work between values of these sorts.
    NoOperator(Binary, Sort, Sort),
    /// An operator does not work before a value of this sort.
    NoPrefix(&'static str, Sort),
    /// The numbers do not reach so far.
    Arithmetic(Binary, i64, i64),
    /// A number cannot be turned around.
    NumberTooLarge,
    /// A value of this sort stands where another is needed.
    Needed(Sort, Sort),
    /// A range does not go from a number to a number.
    NoRange(Sort, Sort),
    /// This cannot be gone through.
    NoLoop(Sort),
    /// This has no entries.
    NoEntries(Sort),
    /// A list has no such position.
    NoPosition(i64, usize),
    /// Something grew beyond what rules may hold.
    TooLarge(TooLarge),
    /// Too many calls stand in each other.
    TooDeep,
    /// A limit was reached; in one sentence.
    Limit(String),
    /// The rules gave up, and may say why.
    Thrown(Option<String>),
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<TooLarge> for Trouble {
    fn from(what: TooLarge) -> Self {
        Self::TooLarge(what)
    }
}
