//! Helper types and functions for the bodies of words.
//!
//! Every expansion of the table of words imports all of this, so that the bodies find it.

pub(crate) use crate::script::vocabulary::lists;
pub(crate) use crate::table::choices::{Choices, Items};
pub(crate) use crate::table::value::{Component, NOBODY, Seat, Seats, Value, Zone, Zones};
pub(crate) use crate::table::words::{Cells, Components, Holder};
pub(crate) use crate::table::{Fault, Table, Verdict};

use crate::diagnostic::{Message, message};
use crate::script::sorts::{JOIN_OPTIONS_HELP, SINGLE_OPTION_HELP, Sort, each_once};
use crate::table::bits::Bits;
use crate::table::data::Data;
pub(crate) use crate::table::decision::Options;
use crate::table::decision::{Play, Question};
use std::ops::Deref;

/// The seat that is asked, with the prompt of the question.
#[derive(Clone, Copy)]
pub(crate) struct SeatPrompt<'a> {
    seat: Seat,
    prompt: &'a str,
    purpose: Option<&'a str>,
    secret: bool,
}

impl<'a> SeatPrompt<'a> {
    pub(crate) fn of(seat: Seat, prompt: &'a str) -> Self {
        Self { seat, prompt, purpose: None, secret: false }
    }

    pub(crate) fn secretly(seat: Seat, prompt: &'a str) -> Self {
        Self { secret: true, ..Self::of(seat, prompt) }
    }

    pub(crate) fn for_purpose(self, purpose: &'a str) -> Self {
        Self { purpose: Some(purpose), ..self }
    }

    fn question(self, options: Options<'a>, min: usize, max: usize) -> Question<'a> {
        let Self { seat, prompt, purpose, secret } = self;
        Question { purpose, secret, min, max, ..Question::of(Some(seat), prompt, options) }
    }
}

/// The options made of a single value.
///
/// # Errors
/// The value is a number or a truth, which is most likely not what was meant.
pub(crate) fn single_option(value: Value) -> Result<Items, Fault> {
    let sort = match &value {
        Value::Number(_) => Sort::Number,
        Value::Truth(_) => Sort::Truth,
        _ => return Ok(Items::from(value)),
    };
    let message = message!("options are made of a list, a range or a zone, not of {}", sort.named());
    Err(Fault::rule(message).help(SINGLE_OPTION_HELP))
}

/// The error for a value of a sort that the table cannot hold.
pub(crate) fn not_storable_error(sort: Option<Sort>) -> Fault {
    let message =
        message!("{} cannot be an option or the value of a variable", sort.map_or("this".into(), Sort::named));
    Fault::Rule { message, help: (sort == Some(Sort::Options)).then(|| JOIN_OPTIONS_HELP.into()) }
}

/// Checks the source of points, which people read.
///
/// # Errors
/// The source is true or false, which says nothing to anybody.
pub(crate) fn named_source(value: Value) -> Result<Value, Fault> {
    match value {
        Value::Truth(_) => Err(Fault::rule("points are given for something that has a name, not for true or false")),
        value => Ok(value),
    }
}

/// A zone or list from which components can be chosen.
pub(crate) trait OptionSource {
    /// The components, in the order in which they are offered.
    fn offered<'a>(&'a self, table: &Table) -> impl Deref<Target = [Component]> + use<'a, Self>;
}

impl OptionSource for Zone {
    fn offered<'a>(&'a self, table: &Table) -> impl Deref<Target = [Component]> + use<'a> {
        table.offered(*self)
    }
}

impl<'l> OptionSource for &'l [Component] {
    fn offered<'a>(&'a self, _table: &Table) -> impl Deref<Target = [Component]> + use<'a, 'l> {
        *self
    }
}

fn ask_one<'a>(play: &mut Play<'_>, asking: SeatPrompt<'a>, options: Options<'a>) -> Result<usize, Fault> {
    // The answer to a question for one option has one position.
    Ok(play.decide(&asking.question(options, 1, 1))?.first().copied().unwrap_or(0))
}

pub(crate) fn choose_component(
    play: &mut Play<'_>,
    asking: SeatPrompt<'_>,
    options: impl OptionSource,
) -> Result<Component, Fault> {
    let options = options.offered(play.table);
    Ok(options[ask_one(play, asking, Options::Components(&options))?])
}

pub(crate) fn choose_zone(play: &mut Play<'_>, asking: SeatPrompt<'_>, options: &[Zone]) -> Result<Zone, Fault> {
    Ok(options[ask_one(play, asking, Options::Zones(options))?])
}

pub(crate) fn choose_seat(play: &mut Play<'_>, asking: SeatPrompt<'_>, options: &[Seat]) -> Result<Seat, Fault> {
    Ok(options[ask_one(play, asking, Options::Seats(options))?])
}

pub(crate) fn choose_value(play: &mut Play<'_>, asking: SeatPrompt<'_>, options: &[Value]) -> Result<Value, Fault> {
    Ok(options[ask_one(play, asking, Options::Values(options))?].clone())
}

/// Asks for one of the options, and returns its position.
pub(crate) fn position_chosen(play: &mut Play<'_>, asking: SeatPrompt<'_>, options: &Choices) -> Result<usize, Fault> {
    ask_one(play, asking, Options::Choices(options))
}

pub(crate) fn choose_entry(play: &mut Play<'_>, asking: SeatPrompt<'_>, options: Data) -> Result<Value, Fault> {
    let options = play.table.data_values(options)?;
    choose_value(play, asking, &options)
}

pub(crate) fn choose_some(
    play: &mut Play<'_>,
    asking: SeatPrompt<'_>,
    options: impl OptionSource,
    min: i64,
    max: i64,
) -> Result<Components, Fault> {
    let options = options.offered(play.table);
    let chosen = positions_chosen(play, asking, Options::Components(&options), (min, max))?;
    Ok(Components(chosen.into_iter().map(|position| options[position]).collect()))
}

/// Asks for several options, and returns their positions; at most all options can be chosen, however large `max` is.
pub(crate) fn positions_chosen<'a>(
    play: &mut Play<'_>,
    asking: SeatPrompt<'a>,
    options: Options<'a>,
    (min, max): (i64, i64),
) -> Result<Vec<usize>, Fault> {
    let (Ok(min), Ok(max)) = (usize::try_from(min), usize::try_from(max)) else {
        return Err(Fault::rule(message!("cannot choose {min} to {max} options")));
    };
    if min > max.min(options.len()) {
        let count = options.len();
        let error = message!("cannot choose {min} to {max} of {count} options for {}", asking.prompt);
        let help = "the least is at most what there is: `min(2, cards.len)`";
        return Err(Fault::rule(error).help(help));
    }
    Ok(play.decide(&asking.question(options, min, max.min(options.len())))?.to_vec())
}

/// Asks for one of the options within `time` milliseconds, and returns its position; `None` where the time has passed.
pub(crate) fn position_chosen_within(
    play: &mut Play<'_>,
    (seat, prompt): (Seat, &str),
    options: &Choices,
    time: i64,
) -> Result<Option<usize>, Fault> {
    let question = SeatPrompt::of(seat, prompt).question(Options::Choices(options), 1, 1);
    play.choose_within(&question, seat, options, time)
}

pub(crate) fn ask_yes_or_no(play: &mut Play<'_>, asking: SeatPrompt<'_>) -> Result<bool, Fault> {
    Ok(ask_one(play, asking, Options::YesNo)? == 0)
}

pub(crate) fn draw_component(table: &mut Table, lot: &str, list: &[Component]) -> Result<Component, Fault> {
    Ok(list[table.draw_lots(lot, Options::Components(list))?])
}

pub(crate) fn draw_seat(table: &mut Table, lot: &str, list: &[Seat]) -> Result<Seat, Fault> {
    Ok(list[table.draw_lots(lot, Options::Seats(list))?])
}

pub(crate) fn draw_zone(table: &mut Table, lot: &str, list: &[Zone]) -> Result<Zone, Fault> {
    Ok(list[table.draw_lots(lot, Options::Zones(list))?])
}

/// Values of one sort in an order drawn by lot.
pub(crate) fn shuffled<T: Copy>(
    table: &mut Table,
    lot: &str,
    list: &[T],
    value: impl Fn(T) -> Value,
) -> Result<Vec<T>, Fault> {
    let values: Vec<Value> = list.iter().map(|&one| value(one)).collect();
    let order = table.draw_order(lot, &values)?;
    Ok(order.into_iter().filter_map(|position| list.get(position).copied()).collect())
}

/// Checks the number of components to shuffle.
pub(crate) fn to_shuffle(count: i64) -> Result<usize, Fault> {
    usize::try_from(count).map_err(|_| Fault::rule(message!("cannot shuffle {count} components")))
}

/// Does something to every component that a holder has at the start.
pub(crate) fn for_all(
    table: &mut Table,
    holder: &(impl Holder + ?Sized),
    mut act: impl FnMut(&mut Table, Component) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let list = Components::from(&*holder.held(table));
    list.into_iter().try_for_each(|component| act(table, component))
}

/// Joins two lists of options.
pub(crate) fn concatenated(options: &Choices, more: &Choices) -> Result<Choices, Fault> {
    within_limit("options", options.len() + more.len())?;
    Ok(options.with(more))
}

/// Refuses a list of components or options that is longer than any game can need: doubled a few dozen times, it would
/// fill the memory between two checks of the meter.
pub(crate) fn within_limit(what: &'static str, length: usize) -> Result<(), Fault> {
    let most = crate::script::MAX_LIST_ENTRIES.max(crate::definition::MAX_COMPONENTS);
    if length <= most {
        return Ok(());
    }
    Err(Fault::rule(message!("a list can hold {most} {}, not {length}", Message::from(what))))
}

/// The numbers from `from` to `to`, both included.
pub(crate) fn numbers_in((from, to): (i64, i64)) -> Result<Vec<Value>, Fault> {
    let count = i128::from(to) - i128::from(from) + 1;
    if count > crate::script::MAX_LIST_ENTRIES as i128 {
        let message = message!(
            "there are {count} numbers from {from} to {to}, and a list can hold {}",
            crate::script::MAX_LIST_ENTRIES
        );
        return Err(Fault::rule(message).help("let a player choose in steps, or in two choices"));
    }
    Ok((from..=to).map(Value::Number).collect())
}

/// The error for a list with too many entries.
pub(crate) fn too_long_error() -> Fault {
    Fault::rule(message!("a list can hold {} entries", crate::script::MAX_LIST_ENTRIES))
}

/// The error for an entry that is no zone in a list of zones.
pub(crate) fn not_a_zone_error() -> Fault {
    Fault::rule("each entry of the list has to be a zone")
}

/// The error for a comparison of two values of a sort that cannot be compared.
pub(crate) fn not_comparable_error(sort: Sort) -> Fault {
    Fault::rule(message!("{} cannot be compared with each other", sort.named()))
}

/// The zones of several lists in their order, each once, so that a list of zones never outgrows the table.
pub(crate) fn distinct_zones(lists: &[&[Zone]]) -> Zones {
    let mut seen = Bits::default();
    Zones(lists.iter().copied().flatten().copied().filter(|zone| seen.insert(zone.index())).collect())
}

/// The players of some lists in their order, each once.
pub(crate) fn union_of_players(lists: &[&[Seat]]) -> Seats {
    each_once(lists.iter().copied().flatten().copied()).into_iter().collect()
}

/// Names between brackets, as scripts and people read lists.
pub(crate) fn joined(names: impl Iterator<Item = impl std::fmt::Display>) -> String {
    let names: Vec<String> = names.map(|name| name.to_string()).collect();
    format!("[{}]", names.join(", "))
}
