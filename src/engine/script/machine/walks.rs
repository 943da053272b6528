//! Walks through lists: the items, and which of them are kept, best or sorted.

use super::code::{FunctionCode, LoopKind, ReadOnlyWord, Step};
use super::packed::BorrowedList;
use super::runtime_error::RuntimeError;
use super::value::{List, RegisterValue, TextTable};
use crate::diagnostic::{Message, message};
use crate::script::sorts::Sort;
use crate::script::vocabulary::bodies::numbers_in;
use crate::table::value::{Seat, Zones};
use crate::table::words::Components;
use crate::table::{Fault, Table};
use std::cmp::Ordering;
use std::sync::Arc;

/// The list that a walk goes through, and the number of changes to the table so far.
pub(super) fn walked_list(
    table: &Table,
    texts: &TextTable,
    of: &RegisterValue,
    how: LoopKind,
) -> Result<(RegisterValue, i64), RuntimeError> {
    let changes = match how {
        LoopKind::Asking => table.changes_by_rules(),
        _ => table.changes(),
    } as i64;
    let list = match (of, how) {
        (RegisterValue::Players(_), LoopKind::Asking) => {
            let mut seats: Vec<Seat> = of.players().into_iter().collect();
            seats.sort_unstable();
            RegisterValue::of_players(&seats)
        }
        (other, LoopKind::Asking) => {
            let given = vec![other.sort(), Sort::Function, Sort::Function];
            return Err(RuntimeError::NoWord { name: "together".into(), given });
        }
        (other, LoopKind::Look(ReadOnlyWord::PassOn)) if !matches!(other, RegisterValue::Players(_)) => {
            let given = vec![other.sort(), Sort::Function];
            return Err(RuntimeError::NoWord { name: ReadOnlyWord::PassOn.name().into(), given });
        }
        (RegisterValue::Zone(zone), LoopKind::Loop | LoopKind::Each) => {
            RegisterValue::of_components(table.zone(zone.get()))
        }
        (RegisterValue::Zone(zone), LoopKind::Offered(_)) => RegisterValue::of_components(&table.offered(zone.get())),
        (RegisterValue::Data(data), _) => {
            let entries = table.data_entries(data.get())?;
            RegisterValue::of_list(entries.iter().map(|entry| texts.of_datum(entry)).collect())?
        }
        (RegisterValue::Range(range), LoopKind::Offered(_)) => {
            let (from, to) = range.bounds();
            let _ = numbers_in((from, to))?;
            RegisterValue::of_list((from..=to).map(RegisterValue::Number).collect())?
        }
        (RegisterValue::Options(_) | RegisterValue::Refused(_), LoopKind::Loop) => {
            return Err(RuntimeError::NoLoop(of.sort()));
        }
        (
            RegisterValue::Zone(_)
            | RegisterValue::Few(_)
            | RegisterValue::Components(_)
            | RegisterValue::FewZones(_)
            | RegisterValue::Zones(_)
            | RegisterValue::Players(_)
            | RegisterValue::Options(_)
            | RegisterValue::List(_),
            _,
        )
        | (RegisterValue::Range(_), LoopKind::Loop) => of.clone(),
        (other, LoopKind::Loop) => return Err(RuntimeError::NoLoop(other.sort())),
        (other, LoopKind::Offered(secretly)) => {
            let name = if secretly { ReadOnlyWord::ChooseSecretly } else { ReadOnlyWord::Choose };
            let given = vec![Sort::Player, Sort::Text, other.sort(), Sort::Function];
            return Err(RuntimeError::NoWord { name: name.name().into(), given });
        }
        (other, how) => {
            let name = match how {
                LoopKind::Look(word) => word.name(),
                _ => "for_each",
            };
            return Err(RuntimeError::NoWord { name: name.into(), given: vec![other.sort(), Sort::Function] });
        }
    };
    Ok((list, changes))
}

/// The item at a position of a walk; `None` behind the last one.
#[inline]
pub(super) fn next_of(
    table: &Table,
    texts: &TextTable,
    list: &RegisterValue,
    position: usize,
) -> Option<RegisterValue> {
    match list {
        RegisterValue::Few(few) => few.get(position).map(RegisterValue::component),
        RegisterValue::Players(seating) => seating.get(position).map(RegisterValue::player),
        RegisterValue::Zone(zone) => table.zone(zone.get()).get(position).copied().map(RegisterValue::component),
        RegisterValue::Components(list) => list.0.get(position).copied().map(RegisterValue::component),
        RegisterValue::FewZones(few) => few.get(position).map(RegisterValue::zone),
        RegisterValue::Zones(list) => list.0.get(position).copied().map(RegisterValue::zone),
        RegisterValue::List(list) => list.entries().get(position).cloned(),
        RegisterValue::Options(list) => (position < list.len()).then(|| texts.of_choice(list, position)),
        RegisterValue::Range(range) => range.get(position).map(RegisterValue::Number),
        _ => None,
    }
}

/// Adds an item to a list of its sort.
pub(super) fn keep(kept: &mut RegisterValue, item: RegisterValue) -> Result<(), RuntimeError> {
    match (&mut *kept, item) {
        (RegisterValue::Few(few), RegisterValue::Component(component)) => {
            if !few.push(component.get()) {
                let mut longer = BorrowedList::from(*few).to_vec();
                longer.push(component.get());
                *kept = RegisterValue::Components(Arc::new(Components::from(longer.as_slice())));
            }
        }
        (RegisterValue::Components(list), RegisterValue::Component(component)) => {
            Arc::make_mut(list).0.push(component.get())
        }
        (RegisterValue::FewZones(few), RegisterValue::Zone(zone)) => {
            if !few.push(zone.get()) {
                let mut longer = BorrowedList::from(*few).to_vec();
                longer.push(zone.get());
                *kept = RegisterValue::Zones(Arc::new(Zones(longer)));
            }
        }
        (RegisterValue::Zones(list), RegisterValue::Zone(zone)) => Arc::make_mut(list).0.push(zone.get()),
        (RegisterValue::Players(seating), RegisterValue::Player(seat)) => {
            let seats: Vec<Seat> = seating.seats().into_iter().chain([seat.get()]).collect();
            *kept = RegisterValue::of_players(&seats);
        }
        (RegisterValue::List(list), item) => Arc::make_mut(list).push(item)?,
        // A walk through such a list has no other items.
        (_, _) => {}
    }
    Ok(())
}

/// Whether a value is a rank: a number, or several of which an earlier one decides before a later one.
pub(super) fn is_rank(value: &RegisterValue) -> bool {
    match value {
        RegisterValue::Number(_) => true,
        RegisterValue::List(list) => list.entries().iter().all(|entry| matches!(entry, RegisterValue::Number(_))),
        _ => false,
    }
}

pub(super) fn compare_ranks(one: &RegisterValue, other: &RegisterValue) -> Ordering {
    match (one, other) {
        (RegisterValue::Number(one), RegisterValue::Number(other)) => one.cmp(other),
        (RegisterValue::Number(_), _) => Ordering::Less,
        (_, RegisterValue::Number(_)) => Ordering::Greater,
        (RegisterValue::List(one), RegisterValue::List(other)) => {
            let number = |value: &RegisterValue| if let RegisterValue::Number(number) = value { *number } else { 0 };
            one.entries().iter().map(number).cmp(other.entries().iter().map(number))
        }
        _ => Ordering::Equal,
    }
}

/// The items of a walk, sorted by ranks; equals keep their order.
pub(super) fn sorted(table: &Table, list: &RegisterValue, ranks: &List) -> RegisterValue {
    let ranks = ranks.entries();
    let mut positions: Vec<usize> = (0..ranks.len()).collect();
    positions.sort_by(|&left, &right| compare_ranks(&ranks[left], &ranks[right]));
    fn taken<T: Clone>(list: &[T], positions: &[usize]) -> Vec<T> {
        positions.iter().filter_map(|&position| list.get(position).cloned()).collect()
    }
    if let Some(components) = list.components() {
        return RegisterValue::of_components(&taken(&components, &positions));
    }
    if let Some(zones) = list.zones() {
        return RegisterValue::of_zones(&taken(&zones, &positions));
    }
    match list {
        RegisterValue::Zone(zone) => RegisterValue::of_components(&taken(table.zone(zone.get()), &positions)),
        RegisterValue::Players(_) => RegisterValue::of_players(&taken(list.players().as_slice(), &positions)),
        RegisterValue::Options(list) => RegisterValue::Options(Arc::new(list.kept(&positions))),
        RegisterValue::List(list) => {
            RegisterValue::of_list(taken(list.entries(), &positions)).unwrap_or(RegisterValue::Nothing)
        }
        _ => RegisterValue::Nothing,
    }
}

/// The fault of a function that changed the table and should only look.
#[cold]
pub(super) fn table_change_fault(function: &FunctionCode, place: usize, walk: u16) -> Fault {
    let begin = function.steps[..place].iter().rev().find_map(|step| match step {
        Step::Begin { walk: begun, how, .. } if *begun == walk => Some(*how),
        _ => None,
    });
    let word = match begin {
        Some(LoopKind::Look(word)) => word.name(),
        Some(LoopKind::Offered(false)) => ReadOnlyWord::Choose.name(),
        Some(LoopKind::Offered(true)) => ReadOnlyWord::ChooseSecretly.name(),
        _ => "together",
    };
    forbidden_change_fault(message!("the function given to `{word}` changes the table"))
}

#[cold]
pub(super) fn forbidden_change_fault(message: impl Into<Message>) -> Fault {
    let help = "a function that answers a question cannot change anything; go through a list with `for` or `for_each` to \
         change things";
    Fault::rule(message).help(help)
}

pub(super) fn changes_now(table: &Table) -> RegisterValue {
    RegisterValue::Number(table.changes() as i64)
}

#[cold]
pub(super) fn wrong_result(wanted: &'static str, found: &RegisterValue) -> Fault {
    let wanted = Message::from(wanted);
    Fault::rule(message!("the function has to give {wanted}, and gave {}", found.sort().named()))
}
