//! Words that take a function, over a snapshot of the list that they go through.
//!
//! The table is not borrowed while the function runs, so the function may use all of it; only `for_each` takes a
//! function that may change the table.

use super::convert::{self, SharedTable, raise, sort_called, to_dynamic, to_value};
use crate::diagnostic::{Message, message};
use crate::script::parse_errors::script_point;
use crate::script::sorts::Sort;
use crate::script::vocabulary::bodies::{SeatPrompt, choose_value, numbers_in, positions_chosen, within_limit};
use crate::table::choices::{Choices, Items};
use crate::table::data::Data;
use crate::table::decision::NOT_ALLOWED;
use crate::table::decision::{Options, Question};
use crate::table::value::{Seat, Seats, Value, Zone, Zones};
use crate::table::words::Components;
use crate::table::{Fault, Table};
use rhai::{Array, Dynamic, Engine, EvalAltResult, FnPtr, ImmutableString, NativeCallContext, Position, Variant};
use std::cmp::Ordering;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

type Outcome<T> = Result<T, Box<EvalAltResult>>;

/// The words that ask for one of several options, and whether the choice is secret.
const CHOOSING_WORDS: [(&str, bool); 2] = [("choose", false), ("choose_secretly", true)];

/// The asked seat, the prompt, and whether the choice is secret.
type Asked<'a> = (Seat, &'a str, bool);

pub(super) fn register(engine: &mut Engine, shared: &SharedTable) {
    register_for::<Zone>(engine, shared);
    register_for::<Zones>(engine, shared);
    register_for::<Components>(engine, shared);
    register_for::<Seats>(engine, shared);
    register_for::<Choices>(engine, shared);
    register_for::<Array>(engine, shared);
    register_for::<Data>(engine, shared);
    // `options` of a part has the same form, but no function can be the value of a part.
    engine.register_fn("options", |_part: ImmutableString, _value: FnPtr| -> Outcome<Choices> {
        let signature = "options (&str | ImmutableString | String, Fn)".to_owned();
        Err(EvalAltResult::ErrorFunctionNotFound(signature, Position::NONE).into())
    });
    register_objections(engine, shared);
    register_numbers::<Range<i64>>(engine, shared);
    register_numbers::<RangeInclusive<i64>>(engine, shared);
    let table = shared.clone();
    engine.register_fn("pass_on", move |context: NativeCallContext, seats: &mut Seats, zone: FnPtr| -> Outcome<()> {
        let zone = Callback { table: &table, context: &context, function: &zone };
        let zones = seats.into_iter().map(|seat| zone.look(Dynamic::from(seat)));
        let zones: Array = zones.collect::<Outcome<_>>()?;
        context.call_native_fn("pass_on", (zones,))
    });
    let table = shared.clone();
    engine.register_fn(
        "together",
        move |context: NativeCallContext, seats: &mut Seats, choose: FnPtr, act: FnPtr| -> Outcome<()> {
            table.0.borrow_mut().begin_together().map_err(raise)?;
            // Asked in seat order, whatever order the choices are carried out in.
            let mut asked: Vec<Seat> = seats.into_iter().collect();
            asked.sort_unstable();
            let choose = Callback { table: &table, context: &context, function: &choose };
            let choose = |seat: Seat| Ok((seat, choose.ask(Dynamic::from(seat))?));
            let chosen: Outcome<Vec<(Seat, Dynamic)>> = asked.into_iter().map(choose).collect();
            table.0.borrow_mut().end_together();
            let chosen = chosen?;
            for seat in seats.into_iter() {
                let Some((_, choice)) = chosen.iter().find(|(other, _)| *other == seat) else { continue };
                let _ = act.call_raw(&context, None, [Dynamic::from(seat), choice.clone()])?;
            }
            Ok(())
        },
    );
}

/// A value that a word can go through, item by item.
trait Listed {
    fn items(&self, table: &Table) -> Vec<Dynamic>;

    /// The items, or why there are none to go through.
    fn gone_through(&self, table: &Table) -> Result<Vec<Dynamic>, Fault> {
        Ok(self.items(table))
    }

    /// The items as options for a player.
    fn offered(&self, table: &Table) -> Result<Vec<Dynamic>, Fault> {
        self.gone_through(table)
    }

    /// A list of the same sort with the items at these positions.
    fn kept(&self, table: &Table, positions: &[usize]) -> Dynamic;
}

impl Listed for Zone {
    fn items(&self, table: &Table) -> Vec<Dynamic> {
        table.zone(*self).iter().copied().map(Dynamic::from).collect()
    }

    fn offered(&self, table: &Table) -> Result<Vec<Dynamic>, Fault> {
        Ok(table.offered(*self).into_iter().map(Dynamic::from).collect())
    }

    fn kept(&self, table: &Table, positions: &[usize]) -> Dynamic {
        let held = table.zone(*self);
        Dynamic::from(Components(positions.iter().map(|&position| held[position]).collect()))
    }
}

macro_rules! listed_vector {
    ($($sort:ty),*) => { $(
        impl Listed for $sort {
            fn items(&self, _table: &Table) -> Vec<Dynamic> {
                self.0.iter().copied().map(Dynamic::from).collect()
            }

            fn kept(&self, _table: &Table, positions: &[usize]) -> Dynamic {
                Dynamic::from(Self(positions.iter().map(|&position| self.0[position]).collect()))
            }
        }
    )* };
}

listed_vector!(Zones, Components);

impl Listed for Seats {
    fn items(&self, _table: &Table) -> Vec<Dynamic> {
        self.into_iter().map(Dynamic::from).collect()
    }

    fn kept(&self, _table: &Table, positions: &[usize]) -> Dynamic {
        Dynamic::from(positions.iter().map(|&position| self.as_slice()[position]).collect::<Self>())
    }
}

impl Listed for Choices {
    fn items(&self, _table: &Table) -> Vec<Dynamic> {
        self.iter().map(to_dynamic).collect()
    }

    fn kept(&self, _table: &Table, positions: &[usize]) -> Dynamic {
        Dynamic::from(Self::kept(self, positions))
    }
}

impl Listed for Array {
    fn items(&self, _table: &Table) -> Vec<Dynamic> {
        self.clone()
    }

    fn kept(&self, _table: &Table, positions: &[usize]) -> Dynamic {
        Dynamic::from_array(positions.iter().map(|&position| self[position].clone()).collect())
    }
}

impl Listed for Data {
    fn items(&self, table: &Table) -> Vec<Dynamic> {
        self.gone_through(table).unwrap_or_default()
    }

    fn gone_through(&self, table: &Table) -> Result<Vec<Dynamic>, Fault> {
        convert::entries(table, *self)
    }

    fn kept(&self, table: &Table, positions: &[usize]) -> Dynamic {
        let items = self.items(table);
        Dynamic::from_array(positions.iter().map(|&position| items[position].clone()).collect())
    }
}

macro_rules! listed_range {
    ($($sort:ty),*) => { $(
        impl Listed for $sort {
            fn items(&self, table: &Table) -> Vec<Dynamic> {
                self.gone_through(table).unwrap_or_default()
            }

            fn gone_through(&self, _table: &Table) -> Result<Vec<Dynamic>, Fault> {
                let bounds = convert::bounds(&Dynamic::from(self.clone())).unwrap_or((1, 0));
                Ok(numbers_in(bounds)?.into_iter().map(to_dynamic).collect())
            }

            fn kept(&self, table: &Table, positions: &[usize]) -> Dynamic {
                self.items(table).kept(table, positions)
            }
        }
    )* };
}

listed_range!(Range<i64>, RangeInclusive<i64>);

/// Registers the words that ask for numbers of a range.
fn register_numbers<L: Listed + Variant + Clone>(engine: &mut Engine, shared: &SharedTable) {
    register_choosing::<L>(engine, shared);
    let numbers = |table: &SharedTable, range: &dyn Listed| -> Outcome<Vec<Value>> {
        let numbers = range.gone_through(&table.0.borrow()).map_err(raise)?;
        numbers.iter().map(to_value).collect::<Result<_, _>>().map_err(raise)
    };
    for (name, secret) in CHOOSING_WORDS {
        let table = shared.clone();
        engine.register_fn(
            name,
            move |context: NativeCallContext, seat: &mut Seat, prompt: ImmutableString, range: L| -> Outcome<Dynamic> {
                let mut options = numbers(&table, &range)?;
                let chosen = ask_one(&table, &context, (*seat, &prompt, secret), &options, &[])?;
                Ok(to_dynamic(options.swap_remove(chosen)))
            },
        );
    }
    let table = shared.clone();
    engine.register_fn(
        "choose_for",
        move |context: NativeCallContext,
              seat: &mut Seat,
              purpose: ImmutableString,
              prompt: ImmutableString,
              range: L|
              -> Outcome<Dynamic> {
            let options = numbers(&table, &range)?;
            let asking = SeatPrompt::of(*seat, &prompt).for_purpose(&purpose);
            let mut entered = table.enter(&context);
            choose_value(&mut entered.play(), asking, &options).map(to_dynamic).map_err(raise)
        },
    );
    let table = shared.clone();
    engine.register_fn(
        "choose_some",
        move |context: NativeCallContext,
              seat: &mut Seat,
              prompt: ImmutableString,
              range: L,
              min: i64,
              max: i64|
              -> Outcome<Array> {
            let options = numbers(&table, &range)?;
            let mut entered = table.enter(&context);
            let asking = SeatPrompt::of(*seat, &prompt);
            let chosen = positions_chosen(&mut entered.play(), asking, Options::Values(&options), (min, max));
            Ok(chosen.map_err(raise)?.into_iter().map(|position| to_dynamic(options[position].clone())).collect())
        },
    );
}

/// Registers the words that call a function for the items of a list.
fn register_for<L: Listed + Variant + Clone>(engine: &mut Engine, shared: &SharedTable) {
    register_choosing::<L>(engine, shared);
    for (name, body) in CALLBACK_WORDS {
        let table = shared.clone();
        engine.register_fn(name, move |context: NativeCallContext, list: &mut L, function: FnPtr| {
            body(&Callback { table: &table, context: &context, function: &function }, list)
        });
    }
}

/// A word of this kind, with its name.
type CallbackWord = (&'static str, fn(&Callback<'_>, &dyn Listed) -> Outcome<Dynamic>);

/// The words that call a function for each item of a list.
const CALLBACK_WORDS: [CallbackWord; 11] = [
    ("any", |call, list| {
        for item in call.items(list)? {
            if call.truth(item)? {
                return Ok(true.into());
            }
        }
        Ok(false.into())
    }),
    ("all", |call, list| {
        for item in call.items(list)? {
            if !call.truth(item)? {
                return Ok(false.into());
            }
        }
        Ok(true.into())
    }),
    ("count_if", |call, list| {
        let mut count: i64 = 0;
        for item in call.items(list)? {
            count += i64::from(call.truth(item)?);
        }
        Ok(count.into())
    }),
    ("where", |call, list| {
        let mut positions = Vec::new();
        for (position, item) in call.items(list)?.into_iter().enumerate() {
            if call.truth(item)? {
                positions.push(position);
            }
        }
        Ok(list.kept(&call.table.0.borrow(), &positions))
    }),
    ("max_by", |call, list| call.best(list, Ordering::Greater)),
    ("min_by", |call, list| call.best(list, Ordering::Less)),
    ("sorted_by", |call, list| {
        let ranks = call.items(list)?.into_iter().map(|item| call.rank(item)).collect::<Outcome<Vec<Rank>>>()?;
        let mut positions: Vec<usize> = (0..ranks.len()).collect();
        positions.sort_by(|&left, &right| ranks[left].cmp(&ranks[right]));
        Ok(list.kept(&call.table.0.borrow(), &positions))
    }),
    ("sum_of", |call, list| {
        let mut sum: i64 = 0;
        for item in call.items(list)? {
            let more = call.number(item)?;
            let told = format!("Addition: {sum} + {more}");
            sum = sum.checked_add(more).ok_or_else(|| EvalAltResult::ErrorArithmetic(told, Position::NONE))?;
        }
        Ok(sum.into())
    }),
    ("map", |call, list| {
        let results = call.items(list)?.into_iter().map(|item| call.look(item)).collect::<Outcome<Array>>()?;
        Ok(Dynamic::from_array(results))
    }),
    ("options", |call, list| {
        let mut options = Choices::default();
        for item in call.items(list)? {
            let result = call.look(item)?;
            let sort = result.type_name();
            let more = match result.clone().try_cast::<Choices>() {
                Some(more) => more,
                None => match result.into_immutable_string() {
                    Ok(text) => Choices::values(Value::Text(text.as_str().into())),
                    Err(_) => return Err(wrong_result("options, or a text as one of them", sort)),
                },
            };
            within_limit("options", options.len() + more.len()).map_err(raise)?;
            options.append(&more);
        }
        Ok(Dynamic::from(options))
    }),
    ("for_each", |call, list| {
        for item in call.items(list)? {
            let _ = call.function.call_raw(call.context, None, [item])?;
        }
        Ok(Dynamic::UNIT)
    }),
];

/// A function of the rules that a word was given, with what is needed to call it.
struct Callback<'a> {
    table: &'a SharedTable,
    context: &'a NativeCallContext<'a>,
    function: &'a FnPtr,
}

impl Callback<'_> {
    /// The items before the function runs for the first of them.
    fn items(&self, list: &dyn Listed) -> Outcome<Vec<Dynamic>> {
        list.gone_through(&self.table.0.borrow()).map_err(raise)
    }

    /// Calls the function, which may look at the table and not change it.
    fn look(&self, item: Dynamic) -> Outcome<Dynamic> {
        let before = self.table.0.borrow().changes();
        let result = self.function.call_raw(self.context, None, [item])?;
        if self.table.0.borrow().changes() == before { Ok(result) } else { Err(meddling(self.context)) }
    }

    /// Calls the function, which may look at the table and ask players.
    fn ask(&self, item: Dynamic) -> Outcome<Dynamic> {
        let before = self.table.0.borrow().changes_by_rules();
        let result = self.function.call_raw(self.context, None, [item])?;
        if self.table.0.borrow().changes_by_rules() == before { Ok(result) } else { Err(meddling(self.context)) }
    }

    fn truth(&self, item: Dynamic) -> Outcome<bool> {
        self.look(item)?.as_bool().map_err(|sort| wrong_result("true or false", sort))
    }

    fn number(&self, item: Dynamic) -> Outcome<i64> {
        self.look(item)?.as_int().map_err(|sort| wrong_result("a number", sort))
    }

    fn rank(&self, item: Dynamic) -> Outcome<Rank> {
        let result = self.look(item)?;
        if let Ok(number) = result.as_int() {
            return Ok(Rank::One(number));
        }
        let sort = result.type_name();
        let wrong = || wrong_result("a number or a list of numbers", sort);
        let list = result.read_lock::<Array>().ok_or_else(wrong)?;
        list.iter().map(|number| number.as_int().map_err(|_| wrong())).collect::<Outcome<_>>().map(Rank::Several)
    }

    /// The first item whose rank compares as `better` with those of all others.
    fn best(&self, list: &dyn Listed, better: Ordering) -> Outcome<Dynamic> {
        let mut best: Option<(Rank, Dynamic)> = None;
        for item in self.items(list)? {
            let rank = self.rank(item.clone())?;
            if best.as_ref().is_none_or(|(other, _)| rank.cmp(other) == better) {
                best = Some((rank, item));
            }
        }
        let nothing = || raise(Fault::rule(message!("`{}` has nothing to choose from", self.context.fn_name())));
        best.map(|(_, item)| item).ok_or_else(nothing)
    }
}

/// Registers the words that ask for one of several options, where a function refuses some.
fn register_choosing<L: Listed + Variant + Clone>(engine: &mut Engine, shared: &SharedTable) {
    for (name, secret) in CHOOSING_WORDS {
        let table = shared.clone();
        engine.register_fn(
            name,
            move |context: NativeCallContext, seat: &mut Seat, prompt: ImmutableString, options: L, fits: FnPtr| {
                let fits = Callback { table: &table, context: &context, function: &fits };
                choose_fitting(&fits, (*seat, &prompt, secret), &options)
            },
        );
    }
}

/// Registers the words that ask for one of several options, with other options that are refused and the reasons.
fn register_objections(engine: &mut Engine, shared: &SharedTable) {
    for (name, secret) in CHOOSING_WORDS {
        let table = shared.clone();
        engine.register_fn(
            name,
            move |context: NativeCallContext,
                  seat: &mut Seat,
                  prompt: ImmutableString,
                  options: Dynamic,
                  others: Dynamic,
                  why: FnPtr| {
                let why = Callback { table: &table, context: &context, function: &why };
                choose_with_objections(&why, (*seat, &prompt, secret), &options, &others)
            },
        );
    }
}

#[cold]
fn meddling(context: &NativeCallContext) -> Box<EvalAltResult> {
    let message = message!("the function given to `{}` changes the table", context.fn_name());
    let help = "a function that answers a question cannot change anything; go through a list with `for` or `for_each` to \
         change things";
    raise(Fault::Rule { message, help: Some(help.into()) })
}

/// A rank for comparisons: one number, or several of which an earlier one decides before a later one.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    One(i64),
    Several(Vec<i64>),
}

fn wrong_result(wanted: &'static str, found: &str) -> Box<EvalAltResult> {
    let found = sort_called(found).map_or("something else".into(), Sort::named);
    let wanted = Message::from(wanted);
    raise(Fault::rule(message!("the function has to give {wanted}, and gave {found}")))
}

fn choose_fitting(fits: &Callback<'_>, asked: Asked<'_>, options: &dyn Listed) -> Outcome<Dynamic> {
    let Callback { table: shared, context, .. } = *fits;
    let mut legal: Vec<Value> = Vec::new();
    let mut refused: Vec<(Value, Arc<str>)> = Vec::new();
    let offered = options.offered(&shared.0.borrow()).map_err(raise)?;
    let values: Vec<Value> = offered.iter().map(to_value).collect::<Result<_, _>>().map_err(raise)?;
    // Before the filter, which could refuse both.
    if let Some(equal_pair) = Options::Values(&values).equal_pair() {
        let mut table = shared.0.borrow_mut();
        table.set_point(script_point(context.call_position()));
        return Err(raise(table.offered_twice(asked.1, &values[equal_pair.0], equal_pair)));
    }
    for (item, value) in offered.into_iter().zip(values) {
        let answer = fits.look(item)?;
        match answer.as_bool() {
            Ok(true) => legal.push(value),
            Ok(false) => refused.push((value, NOT_ALLOWED.into())),
            Err(sort) => match answer.into_immutable_string() {
                Ok(reason) => refused.push((value, reason.as_str().into())),
                Err(_) => return Err(wrong_result("true, false or a text that says why not", sort)),
            },
        }
    }
    let chosen = ask_one(shared, context, asked, &legal, &refused)?;
    Ok(to_dynamic(legal.swap_remove(chosen)))
}

fn choose_with_objections(
    why: &Callback<'_>,
    asked: Asked<'_>,
    options: &Dynamic,
    others: &Dynamic,
) -> Outcome<Dynamic> {
    let Callback { table: shared, context, .. } = *why;
    let (mut legal, others) = {
        let table = shared.0.borrow();
        let legal: Vec<Value> = convert::parts_of(&table, options).map_err(raise)?.iter().collect();
        let are_read = legal.is_empty() || shared.1.borrow().wants_reasons(&table);
        let others = are_read.then(|| convert::parts_of(&table, others));
        (legal, others.transpose().map_err(raise)?)
    };
    let mut refused: Vec<(Value, Arc<str>)> = Vec::new();
    for value in others.iter().flat_map(Items::iter).filter(|value| !legal.contains(value)) {
        let answer = why.look(to_dynamic(value.clone()))?;
        let reason = answer.into_immutable_string();
        refused.push((value, reason.map_or_else(|_| NOT_ALLOWED.into(), |reason| reason.as_str().into())));
    }
    let chosen = ask_one(shared, context, asked, &legal, &refused)?;
    Ok(to_dynamic(legal.swap_remove(chosen)))
}

fn ask_one(
    shared: &SharedTable,
    context: &NativeCallContext,
    (seat, prompt, secret): Asked<'_>,
    legal: &[Value],
    refused: &[(Value, Arc<str>)],
) -> Outcome<usize> {
    let question = Question { secret, refused, ..Question::of(Some(seat), prompt, Options::Values(legal)) };
    let mut entered = shared.enter(context);
    Ok(entered.play().decide(&question).map_err(raise)?.first().copied().unwrap_or(0))
}
