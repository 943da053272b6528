//! Binary operators: by a word of the table, or else by the language itself.

use super::code::{Code, Comparison, Operand, WordForms, key_of};
use super::run::operand;
use super::runtime_error::RuntimeError;
use super::value::{RegisterValue, TextTable, within_text};
use super::words::{Arguments, WordError};
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
    registers: &[RegisterValue],
    at: [Operand; 2],
) -> Result<bool, RuntimeError> {
    let operator = how.operator();
    let [left, right] = at.map(|at| operand(registers, &code.constants, at));
    if matches!(operator, Binary::Equal | Binary::Unequal)
        && let Some(same) = same(left, right)
    {
        return Ok(same == (operator == Binary::Equal));
    }
    match apply_operator_at(code, play, operator, registers, at)? {
        RegisterValue::Truth(truth) => Ok(truth.get()),
        other => Err(RuntimeError::Needed(Sort::Truth, other.sort())),
    }
}

/// Whether two values are equal, if that is cheap to tell; `None` otherwise.
#[inline]
pub(super) fn same(left: &RegisterValue, right: &RegisterValue) -> Option<bool> {
    match (left, right) {
        (RegisterValue::StaticText(left), RegisterValue::StaticText(right)) => Some(left == right),
        (RegisterValue::Component(left), RegisterValue::Component(right)) => Some(left == right),
        (RegisterValue::Player(left), RegisterValue::Player(right)) => Some(left == right),
        (RegisterValue::Zone(left), RegisterValue::Zone(right)) => Some(left == right),
        (RegisterValue::Truth(left), RegisterValue::Truth(right)) => Some(left == right),
        (RegisterValue::Player(_), RegisterValue::Nobody) | (RegisterValue::Nobody, RegisterValue::Player(_)) => {
            Some(false)
        }
        (RegisterValue::Nobody, RegisterValue::Nobody) => Some(true),
        _ => None,
    }
}

/// The result of an operator on two values: by a word, or else by the language itself.
pub(super) fn apply_operator(
    code: &Code,
    play: &mut Play<'_>,
    operator: Binary,
    left: &RegisterValue,
    right: &RegisterValue,
) -> Result<RegisterValue, RuntimeError> {
    apply_operator_at(code, play, operator, &[left.clone(), right.clone()], [0, 1])
}

/// The result of an operator on two operands.
#[inline]
pub(super) fn apply_operator_at(
    code: &Code,
    play: &mut Play<'_>,
    operator: Binary,
    registers: &[RegisterValue],
    [left, right]: [Operand; 2],
) -> Result<RegisterValue, RuntimeError> {
    let given = Arguments { registers, constants: &code.constants, at: &[left, right, 0, 0, 0, 0], texts: &code.texts };
    let (left, right) = (given.get(0), given.get(1));
    let sorts = [left.sort(), right.sort()];
    let forms: &WordForms = &code.operators[operator as usize];
    let Some(native) = forms.find(sorts[0], || key_of(sorts.into_iter())) else {
        return apply_builtin_operator(&code.texts, operator, left, right);
    };
    match (native.body)(play, &given) {
        Ok(value) => Ok(value),
        Err(WordError::Sort) => apply_builtin_operator(&code.texts, operator, left, right),
        Err(WordError::Fault(fault)) => Err((*fault).into()),
    }
}

/// The result of an operator that no word takes, by the language itself.
///
/// # Errors
/// The operator does not work on the values.
pub(super) fn apply_builtin_operator(
    texts: &TextTable,
    operator: Binary,
    left: &RegisterValue,
    right: &RegisterValue,
) -> Result<RegisterValue, RuntimeError> {
    let no_operator = || RuntimeError::NoOperator(operator, left.sort(), right.sort());
    let order = match (left, right) {
        (RegisterValue::Number(left), RegisterValue::Number(right)) => {
            let number = match operator {
                Binary::Add => left.checked_add(*right),
                Binary::Subtract => left.checked_sub(*right),
                Binary::Multiply => left.checked_mul(*right),
                Binary::Divide => left.checked_div(*right),
                Binary::Remainder => left.checked_rem(*right),
                compares => return Ok(RegisterValue::truth(ordered(compares, left.cmp(right)))),
            };
            return number.map(RegisterValue::Number).ok_or(RuntimeError::Arithmetic(operator, *left, *right));
        }
        (RegisterValue::Truth(left), RegisterValue::Truth(right)) => left.get().cmp(&right.get()),
        (RegisterValue::Nothing, RegisterValue::Nothing) => {
            return match operator {
                _ if operator.compares() => Ok(RegisterValue::truth(operator == Binary::Equal)),
                _ => Err(no_operator()),
            };
        }
        (left, right) => match (texts.text(left), texts.text(right)) {
            (Some(left), Some(right)) if operator == Binary::Add => {
                within_text(left.len() + right.len())?;
                return Ok(texts.of_str(&format!("{left}{right}")));
            }
            (Some(left), Some(right)) => left.cmp(right),
            // Values of different sorts are not equal, and none is less.
            _ if left.sort() != right.sort() && operator.compares() => {
                return Ok(RegisterValue::truth(operator == Binary::Unequal));
            }
            _ => return Err(no_operator()),
        },
    };
    if operator.compares() { Ok(RegisterValue::truth(ordered(operator, order))) } else { Err(no_operator()) }
}

/// An addition of a small number as it was written: `- 3` is the addition of -3.
pub(super) fn written_add(right: i16) -> (Binary, i64) {
    if right < 0 { (Binary::Subtract, -i64::from(right)) } else { (Binary::Add, i64::from(right)) }
}

#[cold]
pub(super) fn addition_error(left: i64, right: i16) -> RuntimeError {
    let (operator, right) = written_add(right);
    RuntimeError::Arithmetic(operator, left, right)
}
