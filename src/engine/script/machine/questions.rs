//! Questions of `choose` with a function: the offered options, the refused ones, and the asking.

use super::code::{LoopKind, Question};
use super::runtime_error::RuntimeError;
use super::value::{RegisterValue, TextTable};
use super::walks::walked_list;
use crate::table::decision::{Options, Play, Question as Asked};
use crate::table::value::Value;
use crate::table::{Fault, Table};
use std::sync::Arc;

/// Makes sure that `choose` offers nothing twice, before the filter runs, which could refuse both.
pub(super) fn check_offered_once(
    table: &Table,
    texts: &TextTable,
    prompt: &str,
    offered: &RegisterValue,
    secretly: bool,
) -> Result<(), RuntimeError> {
    let (list, _) = walked_list(table, texts, offered, LoopKind::Offered(secretly))?;
    let twice = with_options(texts, &list, |options| {
        let equal_pair = options.equal_pair()?;
        Some(table.offered_twice(prompt, &options.value(equal_pair.0), equal_pair))
    })?;
    twice.flatten().map_or(Ok(()), |fault| Err(fault.into()))
}

/// What `then` gives for the options in a list; `None` for another value.
fn with_options<T>(
    texts: &TextTable,
    list: &RegisterValue,
    then: impl FnOnce(Options<'_>) -> T,
) -> Result<Option<T>, RuntimeError> {
    let (players, components, zones) = (list.players(), list.components(), list.zones());
    let values: Vec<Value>;
    let options = match (list, components.as_deref(), zones.as_deref()) {
        (_, Some(components), _) => Options::Components(components),
        (_, _, Some(zones)) => Options::Zones(zones),
        (RegisterValue::Players(_), ..) => Options::Seats(players.as_slice()),
        (RegisterValue::Options(choices), ..) => Options::Choices(choices),
        (RegisterValue::List(entries), ..) => {
            values = texts.to_values(entries)?;
            Options::Values(&values)
        }
        _ => return Ok(None),
    };
    Ok(Some(then(options)))
}

pub(super) fn refuse(registers: &mut [RegisterValue], question: usize, value: Value, why: Arc<str>) {
    if let RegisterValue::Refused(list) = &mut registers[question + Question::REFUSED] {
        Arc::make_mut(list).push((value, why));
    }
}

/// Asks a player; returns the chosen value, and the number of options.
pub(super) fn ask(
    play: &mut Play<'_>,
    texts: &TextTable,
    registers: &[RegisterValue],
    question: usize,
    secret: bool,
) -> Result<(RegisterValue, u64), RuntimeError> {
    let [seat, prompt, legal, RegisterValue::Refused(refused), ..] = &registers[question..] else {
        return Err(Fault::rule("nothing is offered").into());
    };
    let (RegisterValue::Player(seat), Some(prompt)) = (seat, texts.text(prompt)) else {
        return Err(Fault::rule("nobody is asked").into());
    };
    let answered = with_options(texts, legal, |options| {
        let asked = Asked { secret, refused, ..Asked::of(Some(seat.get()), prompt, options) };
        let chosen = play.decide(&asked)?.first().copied().unwrap_or(0);
        let value = match legal {
            RegisterValue::Options(choices) => texts.of_choice(choices, chosen),
            _ => texts.of_value(&options.value(chosen)),
        };
        Ok((value, options.len() as u64))
    })?;
    answered.unwrap_or_else(|| Err(Fault::rule("nothing is offered").into()))
}
