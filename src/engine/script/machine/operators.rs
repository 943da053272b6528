//! Binary operators: by a word of the table, or else by the language itself.

use super::code::{Code, Comparison, Forms, Operand, key_of};
use super::run::operand;
use super::trouble::Trouble;
use super::value::{Texts, V, within_text};
use super::words::{Arguments, Unfit};
use crate::script::program::Binary;
use crate::script::sorts::Sort;
use crate::table::decision::Play;
use std::cmp::Ordering;

/// Whether an order of two values fulfils a comparison.
#[inline]
pub(super) fn ordered(operator: Binary, order: Ordering) -> bool {
    match operator {
        Binary::Equal => order.is_eq(),
        Binary::Unequal => order.is_ne(),
        Binary::Less => order.is_lt(),
        Binary::LessOrEqual => order.is_le(),
        Binary::Greater => order.is_gt(),
        _ => order.is_ge(),
    }
}

/// Compares two values that are not both numbers.
#[inline]
pub(super) fn compared(
    code: &Code,
    play: &mut Play<'_>,
    how: Comparison,
    registers: &[V],
    at: [Operand; 2],
) -> Result<bool, Trouble> {
    let operator = how.operator();
    let [left, right] = at.map(|at| operand(registers, &code.constants, at));
    if matches!(operator, Binary::Equal | Binary::Unequal)
        && let Some(same) = same(left, right)
    {
        return Ok(same == (operator == Binary::Equal));
    }
    match worked_at(code, play, operator, registers, at)? {
        V::Truth(truth) => Ok(truth.get()),
        other => Err(Trouble::Needed(Sort::Truth, other.sort())),
    }
}

/// Whether two values are equal, if that is cheap to tell; `None` otherwise.
#[inline]
pub(super) fn same(left: &V, right: &V) -> Option<bool> {
    match (left, right) {
        (V::Known(left), V::Known(right)) => Some(left == right),
        (V::Component(left), V::Component(right)) => Some(left == right),
        (V::Player(left), V::Player(right)) => Some(left == right),
        (V::Zone(left), V::Zone(right)) => Some(left == right),
        (V::Truth(left), V::Truth(right)) => Some(left == right),
        (V::Player(_), V::Nobody) | (V::Nobody, V::Player(_)) => Some(false),
        (V::Nobody, V::Nobody) => Some(true),
        _ => None,
    }
}

/// The result of an operator on two values: by a word, or else by the language itself.
pub(super) fn worked(code: &Code, play: &mut Play<'_>, operator: Binary, left: &V, right: &V) -> Result<V, Trouble> {
    worked_at(code, play, operator, &[left.clone(), right.clone()], [0, 1])
}

/// The result of an operator on two operands.
#[inline]
pub(super) fn worked_at(
    code: &Code,
    play: &mut Play<'_>,
    operator: Binary,
    registers: &[V],
    [left, right]: [Operand; 2],
) -> Result<V, Trouble> {
    let given = Arguments { registers, constants: &code.constants, at: &[left, right, 0, 0, 0, 0], texts: &code.texts };
    let (left, right) = (given.get(0), given.get(1));
    let sorts = [left.sort(), right.sort()];
    let forms: &Forms = &code.operators[operator as usize];
    let Some(native) = forms.find(sorts[0], || key_of(sorts.into_iter())) else {
        return worked_out(&code.texts, operator, left, right);
    };
    match (native.body)(play, &given) {
        Ok(value) => Ok(value),
        Err(Unfit::Sort) => worked_out(&code.texts, operator, left, right),
        Err(Unfit::Fault(fault)) => Err((*fault).into()),
    }
}

/// The result of an operator that no word takes, by the language itself.
///
/// # Errors
/// The operator does not work on the values.
pub(super) fn worked_out(texts: &Texts, operator: Binary, left: &V, right: &V) -> Result<V, Trouble> {
    let no_operator = || Trouble::NoOperator(operator, left.sort(), right.sort());
    let order = match (left, right) {
        (V::Number(left), V::Number(right)) => {
            let number = match operator {
                Binary::Add => left.checked_add(*right),
                Binary::Subtract => left.checked_sub(*right),
                Binary::Multiply => left.checked_mul(*right),
                Binary::Divide => left.checked_div(*right),
                Binary::Remainder => left.checked_rem(*right),
                compares => return Ok(V::truth(ordered(compares, left.cmp(right)))),
            };
            return number.map(V::Number).ok_or(Trouble::Arithmetic(operator, *left, *right));
        }
        (V::Truth(left), V::Truth(right)) => left.get().cmp(&right.get()),
        (V::Nothing, V::Nothing) => {
            return match operator {
                _ if operator.compares() => Ok(V::truth(operator == Binary::Equal)),
                _ => Err(no_operator()),
            };
        }
        (left, right) => match (texts.text(left), texts.text(right)) {
            (Some(left), Some(right)) if operator == Binary::Add => {
                within_text(left.len() + right.len())?;
                return Ok(texts.of_text(format!("{left}{right}").into()));
            }
            (Some(left), Some(right)) => left.cmp(right),
            // Values of different sorts are not equal, and none is less.
            _ if left.sort() != right.sort() && operator.compares() => {
                return Ok(V::truth(operator == Binary::Unequal));
            }
            _ => return Err(no_operator()),
        },
    };
    if operator.compares() { Ok(V::truth(ordered(operator, order))) } else { Err(no_operator()) }
}

/// An addition of a small number as it was written: `- 3` is the addition of -3.
pub(super) fn written_add(right: i16) -> (Binary, i64) {
    if right < 0 { (Binary::Subtract, -i64::from(right)) } else { (Binary::Add, i64::from(right)) }
}

#[cold]
pub(super) fn arithmetic_of_add(left: i64, right: i16) -> Trouble {
    let (operator, right) = written_add(right);
    Trouble::Arithmetic(operator, left, right)
}
