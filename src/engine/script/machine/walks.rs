//! Walks through lists: the items, and which of them are kept, best or sorted.

use super::code::{FunctionCode, LookingWord, LoopKind, Step};
use super::packed::BorrowedList;
use super::trouble::Trouble;
use super::value::{List, Texts, V};
use crate::script::sorts::Sort;
use crate::script::vocabulary::bodies::numbers_in;
use crate::table::value::{Seat, Zones};
use crate::table::words::Components;
use crate::table::{Fault, Table};
use std::cmp::Ordering;
use std::sync::Arc;

/// The list that a walk goes through, and the number of changes to the table so far.
pub(super) fn gone_through(table: &Table, texts: &Texts, of: &V, how: LoopKind) -> Result<(V, i64), Trouble> {
    let changes = match how {
        LoopKind::Asking => table.changes_by_rules(),
        _ => table.changes(),
    } as i64;
    let list = match (of, how) {
        (V::Players(_), LoopKind::Asking) => {
            let mut seats: Vec<Seat> = of.players().into_iter().collect();
            seats.sort_unstable();
            V::of_players(&seats)
        }
        (other, LoopKind::Asking) => {
            let given = vec![other.sort(), Sort::Function, Sort::Function];
            return Err(Trouble::NoWord { name: "together".into(), given });
        }
        (other, LoopKind::Look(LookingWord::PassOn)) if !matches!(other, V::Players(_)) => {
            let given = vec![other.sort(), Sort::Function];
            return Err(Trouble::NoWord { name: LookingWord::PassOn.name().into(), given });
        }
        (V::Zone(zone), LoopKind::Loop | LoopKind::Each) => V::of_components(table.zone(zone.get())),
        (V::Zone(zone), LoopKind::Offered(_)) => V::of_components(&table.offered(zone.get())),
        (V::Data(data), _) => {
            let entries = table.data_entries(data.get())?;
            V::List(Arc::new(List::of(entries.iter().map(|entry| texts.of_datum(entry)).collect())?))
        }
        (V::Range(range), LoopKind::Offered(_)) => {
            let (from, to) = range.bounds();
            let _ = numbers_in((from, to))?;
            V::List(Arc::new(List::of((from..=to).map(V::Number).collect())?))
        }
        (V::Options(_) | V::Refused(_), LoopKind::Loop) => return Err(Trouble::NoLoop(of.sort())),
        (
            V::Zone(_)
            | V::Few(_)
            | V::Components(_)
            | V::FewZones(_)
            | V::Zones(_)
            | V::Players(_)
            | V::Options(_)
            | V::List(_),
            _,
        )
        | (V::Range(_), LoopKind::Loop) => of.clone(),
        (other, LoopKind::Loop) => return Err(Trouble::NoLoop(other.sort())),
        (other, LoopKind::Offered(secretly)) => {
            let name = if secretly { LookingWord::ChooseSecretly } else { LookingWord::Choose };
            let given = vec![Sort::Player, Sort::Text, other.sort(), Sort::Function];
            return Err(Trouble::NoWord { name: name.name().into(), given });
        }
        (other, how) => {
            let name = match how {
                LoopKind::Look(word) => word.name(),
                _ => "for_each",
            };
            return Err(Trouble::NoWord { name: name.into(), given: vec![other.sort(), Sort::Function] });
        }
    };
    Ok((list, changes))
}

/// The item at a position of a walk; `None` behind the last one.
#[inline]
pub(super) fn next_of(table: &Table, texts: &Texts, list: &V, position: usize) -> Option<V> {
    match list {
        V::Few(few) => few.get(position).map(V::component),
        V::Players(seating) => seating.get(position).map(V::player),
        V::Zone(zone) => table.zone(zone.get()).get(position).copied().map(V::component),
        V::Components(list) => list.0.get(position).copied().map(V::component),
        V::FewZones(few) => few.get(position).map(V::zone),
        V::Zones(list) => list.0.get(position).copied().map(V::zone),
        V::List(list) => list.entries().get(position).cloned(),
        V::Options(list) => (position < list.len()).then(|| texts.of_choice(list, position)),
        V::Range(range) => range.get(position).map(V::Number),
        _ => None,
    }
}

/// Adds an item to a list of its sort.
pub(super) fn keep(kept: &mut V, item: V) -> Result<(), Trouble> {
    match (&mut *kept, item) {
        (V::Few(few), V::Component(component)) => {
            if !few.push(component.get()) {
                let mut longer = BorrowedList::from(*few).to_vec();
                longer.push(component.get());
                *kept = V::Components(Arc::new(Components::from(longer.as_slice())));
            }
        }
        (V::Components(list), V::Component(component)) => Arc::make_mut(list).0.push(component.get()),
        (V::FewZones(few), V::Zone(zone)) => {
            if !few.push(zone.get()) {
                let mut longer = BorrowedList::from(*few).to_vec();
                longer.push(zone.get());
                *kept = V::Zones(Arc::new(Zones(longer)));
            }
        }
        (V::Zones(list), V::Zone(zone)) => Arc::make_mut(list).0.push(zone.get()),
        (V::Players(seating), V::Player(seat)) => {
            let seats: Vec<Seat> = seating.seats().into_iter().chain([seat.get()]).collect();
            *kept = V::of_players(&seats);
        }
        (V::List(list), item) => Arc::make_mut(list).push(item)?,
        // A walk through such a list has no other items.
        (_, _) => {}
    }
    Ok(())
}

/// Whether a value is a rank: a number, or several of which an earlier one decides before a later one.
pub(super) fn is_rank(value: &V) -> bool {
    match value {
        V::Number(_) => true,
        V::List(list) => list.entries().iter().all(|entry| matches!(entry, V::Number(_))),
        _ => false,
    }
}

pub(super) fn compare_ranks(one: &V, other: &V) -> Ordering {
    match (one, other) {
        (V::Number(one), V::Number(other)) => one.cmp(other),
        (V::Number(_), _) => Ordering::Less,
        (_, V::Number(_)) => Ordering::Greater,
        (V::List(one), V::List(other)) => {
            let number = |value: &V| if let V::Number(number) = value { *number } else { 0 };
            one.entries().iter().map(number).cmp(other.entries().iter().map(number))
        }
        _ => Ordering::Equal,
    }
}

/// The items of a walk, sorted by ranks; equals keep their order.
pub(super) fn sorted(table: &Table, list: &V, ranks: &List) -> V {
    let ranks = ranks.entries();
    let mut positions: Vec<usize> = (0..ranks.len()).collect();
    positions.sort_by(|&left, &right| compare_ranks(&ranks[left], &ranks[right]));
    fn taken<T: Clone>(list: &[T], positions: &[usize]) -> Vec<T> {
        positions.iter().filter_map(|&position| list.get(position).cloned()).collect()
    }
    if let Some(components) = list.components() {
        return V::of_components(&taken(&components, &positions));
    }
    if let Some(zones) = list.zones() {
        return V::of_zones(&taken(&zones, &positions));
    }
    match list {
        V::Zone(zone) => V::of_components(&taken(table.zone(zone.get()), &positions)),
        V::Players(_) => V::of_players(&taken(list.players().as_slice(), &positions)),
        V::Options(list) => V::Options(Arc::new(list.kept(&positions))),
        V::List(list) => List::of(taken(list.entries(), &positions)).map_or(V::Nothing, |list| V::List(Arc::new(list))),
        _ => V::Nothing,
    }
}

/// The fault of a function that changed the table and should only look.
#[cold]
pub(super) fn meddling(function: &FunctionCode, place: usize, walk: u16) -> Fault {
    let begin = function.steps[..place].iter().rev().find_map(|step| match step {
        Step::Begin { walk: begun, how, .. } if *begun == walk => Some(*how),
        _ => None,
    });
    let word = match begin {
        Some(LoopKind::Look(word)) => word.name(),
        Some(LoopKind::Offered(false)) => LookingWord::Choose.name(),
        Some(LoopKind::Offered(true)) => LookingWord::ChooseSecretly.name(),
        _ => "together",
    };
    meddled(&format!("the function given to `{word}` changes the table"))
}

#[cold]
pub(super) fn meddled(message: &str) -> Fault {
    let help = "a function that answers a question cannot change anything; go through a list with `for` or `for_each` to \
         change things";
    Fault::Rule { message: message.to_owned(), help: Some(help.into()) }
}

pub(super) fn changes_now(table: &Table) -> V {
    V::Number(table.changes() as i64)
}

#[cold]
pub(super) fn wrong_result(wanted: &str, found: &V) -> Fault {
    Fault::rule(format!("the function has to give {wanted}, and gave {}", found.sort().named()))
}
