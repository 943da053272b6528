//! Who looks at a table and knows the rules from the rulebook, not from the script.

use crate::random_games::case::Case;
use crate::random_games::{enemy_anemone, ftw, hearts, overflow, playme, up_or_down};
use houserule::table::Table;
use houserule::table::decision::Question;
use houserule::table::value::{Component, Seat, Seats, Value};
use std::fmt::Debug;

/// Nothing is wrong, or what is.
pub type Verdict = Result<(), String>;

/// Follows one game from its beginning to its end.
pub trait Referee {
    /// Looks at the table at a decision; `chosen` is what is about to be answered.
    fn decision(&mut self, table: &Table, question: &Question<'_>, chosen: &[usize]) -> Verdict;

    /// Looks at the table when the game is over.
    fn end(&mut self, table: &Table) -> Verdict;
}

/// The referee for the game of a case.
pub fn referee(case: &Case) -> Box<dyn Referee> {
    match case.selection.game.as_str() {
        "enemy-anemone" => Box::new(enemy_anemone::EnemyAnemone::new(case)),
        "ftw" => Box::new(ftw::Ftw::new(case)),
        "hearts" => Box::new(hearts::Hearts::new(case)),
        "overflow" => Box::new(overflow::Overflow::new(case)),
        "playme" => Box::new(playme::PlayMe::new(case)),
        "up-or-down" => Box::new(up_or_down::UpOrDown::new(case)),
        _ => Box::new(Nothing),
    }
}

/// For games whose rules nobody has told here: they only have to keep a sound table and come to an end.
struct Nothing;

impl Referee for Nothing {
    fn decision(&mut self, _table: &Table, _question: &Question<'_>, _chosen: &[usize]) -> Verdict {
        Ok(())
    }

    fn end(&mut self, _table: &Table) -> Verdict {
        Ok(())
    }
}

/// What holds in any game: each component lies in one zone at most, and each option has a label of its own.
pub fn table_is_sound(table: &Table, question: Option<&Question<'_>>) -> Verdict {
    let layout = table.layout();
    let mut lying: Vec<Component> = Vec::new();
    for (number, info) in layout.zones.iter().enumerate() {
        let zone = layout.zone_named(&info.id).ok_or_else(|| format!("no zone is called {}", info.id))?;
        for &component in table.zone(zone) {
            same(&format!("place of {} in zone {number}", table.label(component)), table.place(component), Some(zone))?;
            lying.push(component);
        }
    }
    let count = lying.len();
    lying.sort_unstable();
    lying.dedup();
    same("number of components that lie in one zone", lying.len(), count)?;
    let Some(question) = question else { return Ok(()) };
    let mut labels: Vec<String> = values(question).iter().map(|value| table.option_label(value)).collect();
    labels.sort();
    match labels.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("two options are called {}", pair[0])),
        None => Ok(()),
    }
}

/// That something is as it has to be.
pub fn same<T: PartialEq + Debug>(what: &str, is: T, should_be: T) -> Verdict {
    if is == should_be { Ok(()) } else { Err(format!("{what}: {is:?}, but it should be {should_be:?}")) }
}

/// That something holds.
pub fn holds(truth: bool, what: impl FnOnce() -> String) -> Verdict {
    if truth { Ok(()) } else { Err(what()) }
}

// Looking at tables and questions.

/// The seats of a table.
pub fn seats(table: &Table) -> impl Iterator<Item = Seat> + use<> {
    Seats::all(table.layout().seats).into_iter()
}

/// The seat's place in lists.
pub fn index(seat: Seat) -> usize {
    seat.number() - 1
}

/// What lies in a zone of the table.
pub fn zone<'a>(table: &'a Table, id: &str) -> &'a [Component] {
    table.layout().zone_named(id).map_or(&[], |zone| table.zone(zone))
}

/// What lies in a zone of a seat.
pub fn zone_of<'a>(table: &'a Table, seat: Seat, id: &str) -> &'a [Component] {
    zone(table, &format!("{seat}.{id}"))
}

/// The ids of components, sorted.
pub fn sorted_ids(table: &Table, components: &[Component]) -> Vec<String> {
    let mut ids: Vec<String> = components.iter().map(|&component| table.label(component).to_string()).collect();
    ids.sort();
    ids
}

/// The components of all these zones of the table and of each seat.
pub fn all_in(table: &Table, shared: &[&str], of_seats: &[&str]) -> Vec<Component> {
    let shared = shared.iter().flat_map(|id| zone(table, id));
    let of_seats = seats(table).flat_map(|seat| of_seats.iter().flat_map(move |id| zone_of(table, seat, id)));
    shared.chain(of_seats).copied().collect()
}

/// That nobody knows what lies in a zone.
pub fn nobody_knows(table: &Table, id: &str) -> Verdict {
    let known = |&&card: &&Component| seats(table).any(|seat| table.knows(seat, card));
    match zone(table, id).iter().find(known) {
        Some(&card) => Err(format!("somebody knows {} in {id}", table.label(card))),
        None => Ok(()),
    }
}

/// The options of a question.
pub fn values(question: &Question<'_>) -> Vec<Value> {
    (0..question.options.len()).map(|position| question.options.value(position)).collect()
}

/// The options of a question that offers components, sorted by their ids.
pub fn offered(table: &Table, question: &Question<'_>) -> Result<Vec<String>, String> {
    let components: Vec<Component> = values(question).iter().filter_map(component).collect();
    same("options that are components", components.len(), question.options.len())?;
    Ok(sorted_ids(table, &components))
}

/// The components that are chosen.
pub fn chosen_components(question: &Question<'_>, chosen: &[usize]) -> Vec<Component> {
    chosen.iter().filter_map(|&position| component(&question.options.value(position))).collect()
}

/// The component that an option is, or that its part `card` is.
pub fn component(value: &Value) -> Option<Component> {
    match value {
        Value::Component(component) => Some(*component),
        Value::Parts(parts) => parts.get("card").and_then(component),
        _ => None,
    }
}

/// The text that a part of an option is.
pub fn text<'a>(value: &'a Value, part: &str) -> Option<&'a str> {
    let Value::Parts(parts) = value else { return None };
    match parts.get(part) {
        Some(Value::Text(text)) => Some(text),
        _ => None,
    }
}

/// The scores in seat order.
pub fn scores(table: &Table) -> Vec<i64> {
    seats(table).map(|seat| table.score(seat)).collect()
}

/// The suit and the rank of a card such as `squid-7`.
pub fn suit_and_rank(table: &Table, card: Component) -> (String, i64) {
    let (suit, rank) = table.label(card).split_once('-').unwrap_or_default();
    (suit.to_owned(), rank.parse().unwrap_or(0))
}

/// The seat that is asked.
pub fn asked(question: &Question<'_>) -> Result<Seat, String> {
    question.seat.ok_or_else(|| "nobody is asked".to_owned())
}
