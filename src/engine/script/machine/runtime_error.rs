//! Errors at run time as data; the messages are made elsewhere.

use super::value::TooLarge;
use crate::diagnostic::Message;
use crate::script::program::Binary;
use crate::script::sorts::Sort;
use crate::table::Fault;
use std::sync::Arc;

/// Why a run failed.
#[derive(Clone, Debug, PartialEq)]
pub enum RuntimeError {
    /// A word or the table reports a fault.
    Fault(Fault),
    /// No form of a word takes arguments of these sorts; or there is no such word.
    NoWord {
        /// Name of the word.
        name: Arc<str>,
        /// The sorts of the arguments.
        given: Vec<Sort>,
    },
    /// A value of this sort has no property of that name.
    NoProperty(Sort, Arc<str>),
    /// A property of a value of this sort cannot be set.
    NotSettable(Sort, Arc<str>),
    /// A name is unknown.
    UnknownName(Arc<str>),
    /// An operator does not work on values of these sorts.
    NoOperator(Binary, Sort, Sort),
    /// A unary operator does not work on a value of this sort.
    NoPrefix(&'static str, Sort),
    /// An arithmetic operation on these numbers overflows or divides by zero.
    Arithmetic(Binary, i64, i64),
    /// A number has no negative, because it would be too large.
    NumberTooLarge,
    /// A value of the first sort is needed, and one of the second is there.
    Needed(Sort, Sort),
    /// A range needs two numbers, and has values of these sorts.
    NoRange(Sort, Sort),
    /// A loop cannot go through a value of this sort.
    NoLoop(Sort),
    /// A value of this sort has no entries.
    NoEntries(Sort),
    /// A list has no such position; the second number is its length.
    NoPosition(i64, usize),
    /// A value grew beyond what rules may hold.
    TooLarge(TooLarge),
    /// The call stack is too deep.
    TooDeep,
    /// A limit was reached, described in one sentence.
    Limit(Message),
    /// The rules used `throw`, perhaps with a message.
    Thrown(Option<String>),
}

impl From<Fault> for RuntimeError {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<TooLarge> for RuntimeError {
    fn from(what: TooLarge) -> Self {
        Self::TooLarge(what)
    }
}
