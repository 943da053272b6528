//! Registers the words with the engine.

use super::callbacks;
use super::convert::{self as values, Give, SharedTable, Take, raise, to_dynamic, to_value};
use crate::script::sorts::Sort;
use crate::script::vocabulary::bodies::*;
use crate::script::vocabulary::vocabulary;
use crate::table::data::Data;
use crate::table::value::Parts;
use rhai::{Array, Dynamic, Engine, EvalAltResult, FuncRegistration, ImmutableString, Module, NativeCallContext};
use std::any::TypeId;
use std::sync::Arc;

/// No player, to scripts: `table.winner == nobody`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Nobody;

impl std::fmt::Display for Nobody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(NOBODY)
    }
}

#[rustfmt::skip]
macro_rules! rust_type {
    (number) => { i64 };
    (truth) => { bool };
    (text) => { ImmutableString };
    (component) => { Component };
    (components) => { Components };
    (zone) => { Zone };
    (zones) => { Zones };
    (player) => { Seat };
    (nobody) => { Nobody };
    (players) => { Seats };
    (options) => { Choices };
    (option) => { Parts };
    (anything) => { Dynamic };
    (data) => { Data };
    (list) => { Array };
}

/// What the body of a word works on: the table, or for a word that asks, the table with whoever answers.
#[rustfmt::skip]
macro_rules! handed {
    (table $entered:ident) => { &mut *$entered.table };
    (play $entered:ident) => { &mut $entered.play() };
}

/// What a word is asked of, as its body wants it.
#[rustfmt::skip]
macro_rules! this {
    (components $this:ident) => { &**$this };
    (zones $this:ident) => { &**$this };
    ($sort:ident $this:ident) => { $this };
}

/// An argument, as a body wants it.
#[rustfmt::skip]
macro_rules! taken {
    ($table:ident $argument:ident text as attribute) => { $table.attribute(&$argument)? };
    ($table:ident $argument:ident text as numbers) => { $table.number_attribute(&$argument)? };
    ($table:ident $argument:ident text as group) => { $table.group_number(&$argument)? };
    ($table:ident $argument:ident $sort:ident $(as $role:ident)?) => { Take::take(&$argument) };
}

/// Registers one word for one receiver.
#[rustfmt::skip]
macro_rules! register {
    // The rules declare it, or a function here registers it.
    ($engine:ident $shared:ident $form:ident $name:literal [$receiver:ident] $parameters:tt ;) => {};
    ($engine:ident $shared:ident get $name:literal [$receiver:ident] ($gets:ident, $this:ident) $body:block) => {
        let shared = $shared.clone();
        $engine.register_get($name, move |context: NativeCallContext, $this: &mut rust_type!($receiver)| {
            let mut entered = shared.enter(&context);
            let $gets = handed!($gets entered);
            let $this = this!($receiver $this);
            ($body).give()
        });
        keep_as_it_is::<rust_type!($receiver)>($engine, $name);
    };
    ($engine:ident $shared:ident index $name:literal [$receiver:ident]
        ($gets:ident, $this:ident, $argument:ident : $sort:ident $(as $role:ident)?) $body:block) => {
        let shared = $shared.clone();
        $engine.register_indexer_get(
            move |context: NativeCallContext, $this: &mut rust_type!($receiver), argument: rust_type!($sort)| {
                let mut entered = shared.enter(&context);
                let $gets = handed!($gets entered);
                let $this = this!($receiver $this);
                let $argument = Take::take(&argument);
                ($body).give()
            },
        );
    };
    ($engine:ident $shared:ident function $name:literal []
        ($gets:ident $(, $argument:ident : $sort:ident $(as $role:ident)?)*) $body:block) => {
        let shared = $shared.clone();
        $engine.register_fn($name, move |context: NativeCallContext $(, $argument: rust_type!($sort))*| {
            let mut entered = shared.enter(&context);
            let $gets = handed!($gets entered);
            $(let $argument = taken!($gets $argument $sort $(as $role)?);)*
            ($body).give()
        });
    };
    ($engine:ident $shared:ident $form:ident $name:literal [$receiver:ident]
        ($gets:ident, $this:ident $(, $argument:ident : $sort:ident $(as $role:ident)?)*) $body:block) => {
        let shared = $shared.clone();
        $engine.register_fn(
            $name,
            move |context: NativeCallContext, $this: &mut rust_type!($receiver) $(, $argument: rust_type!($sort))*| {
                let mut entered = shared.enter(&context);
                let $gets = handed!($gets entered);
                let $this = this!($receiver $this);
                $(let $argument = taken!($gets $argument $sort $(as $role)?);)*
                ($body).give()
            },
        );
    };
}

macro_rules! register_for_each {
    ($engine:ident $shared:ident $form:ident $name:literal [] $parameters:tt $body:tt) => {
        register!($engine $shared $form $name [] $parameters $body);
    };
    ($engine:ident $shared:ident $form:ident $name:literal [$($receiver:ident)+] $parameters:tt $body:tt) => {
        $(register!($engine $shared $form $name [$receiver] $parameters $body);)+
    };
}

macro_rules! registrations {
    ($( $section:literal { $(
        $(#[doc = $doc:literal])+
        $form:ident $name:literal [$($receiver:ident)*] $parameters:tt -> $result:ident $body:tt
    )* } )*) => {
        // A body uses what it needs of its arguments and of the table.
        #[allow(unused_variables)]
        fn register_bodies(engine: &mut Engine, shared: &SharedTable) {
            $($(register_for_each!(engine shared $form $name [$($receiver)*] $parameters $body);)*)*
        }
    };
}

vocabulary!(registrations);

/// Registers every word with an engine.
pub(crate) fn register(engine: &mut Engine, shared: &SharedTable) {
    register_bodies(engine, shared);
    callbacks::register(engine, shared);
    engine.register_type_with_name::<Component>("component");
    engine.register_type_with_name::<Components>("components");
    engine.register_type_with_name::<Zone>("zone");
    engine.register_type_with_name::<Zones>("zones");
    engine.register_type_with_name::<Seat>("player");
    engine.register_type_with_name::<Nobody>(NOBODY);
    engine.register_type_with_name::<Seats>("players");
    engine.register_type_with_name::<Choices>("options");
    engine.register_type_with_name::<Parts>("option");
    engine.register_type_with_name::<Data>("data");
    engine.register_type_with_name::<Array>("list");
    engine.register_iterator::<Seats>();
    engine.register_iterator::<Zones>();
    engine.register_iterator::<Components>();
    engine.register_iterator::<Array>();
    register_loops(engine, shared);
    register_option_parts(engine);
    register_list_changes(engine);
}

/// `for card in p.hand`, `for color in data.colors`: a loop goes over what is there when it begins.
fn register_loops(engine: &mut Engine, shared: &SharedTable) {
    let mut module = Module::new();
    let table = shared.clone();
    module.set_iter(TypeId::of::<Zone>(), move |zone| {
        let held = zone.try_cast::<Zone>().map(|zone| table.0.borrow().zone(zone).to_vec()).unwrap_or_default();
        Box::new(held.into_iter().map(Dynamic::from))
    });
    let table = shared.clone();
    module.set_iter_result(TypeId::of::<Data>(), move |data| {
        let values = data.try_cast::<Data>().map(|data| table.0.borrow().data_values(data));
        let (values, fault) = match values {
            Some(Ok(values)) => (values, None),
            Some(Err(fault)) => (Vec::new(), Some(fault)),
            None => (Vec::new(), None),
        };
        Box::new(
            fault
                .into_iter()
                .map(|fault| Err(raise(fault)))
                .chain(values.into_iter().map(|value| Ok(to_dynamic(value)))),
        )
    });
    engine.register_global_module(module.into());
}

/// `choice.act`: the names of parts are the script's own, so they are looked up when asked for.
fn register_option_parts(engine: &mut Engine) {
    engine.register_indexer_get(|this: &mut Parts, name: ImmutableString| part_of(this, &name));
}

/// A part whose name stands in the scripts: far cheaper to find as a property of its own.
pub(crate) fn register_part(engine: &mut Engine, name: &str, is_variable: bool) {
    let part: Arc<str> = name.into();
    let part_again = part.clone();
    engine.register_get(name, move |this: &mut Parts| part_of(this, &part));
    if is_variable {
        refuse_to_set(engine, name, move |this: &mut Parts| this.get(&part_again).cloned());
    } else {
        keep_as_it_is::<Parts>(engine, name);
    }
}

fn part_of(parts: &Parts, name: &str) -> Result<Dynamic, Box<EvalAltResult>> {
    let unknown = || raise(Fault::unknown("part", name, parts.0.iter().map(|(part, _)| &**part)));
    parts.get(name).map(|value| to_dynamic(value.clone())).ok_or_else(unknown)
}

/// `list.push(x)` needs the interpreter's own values, because a list may hold any of them.
fn register_list_changes(engine: &mut Engine) {
    engine.register_fn("push", |list: &mut Array, value: Dynamic| -> Result<(), Box<EvalAltResult>> {
        if list.len() >= crate::script::MAX_LIST {
            return Err(raise(too_long()));
        }
        list.push(value);
        Ok(())
    });
}
/// The interpreter writes a property back after a method was called on it: `p.hand.shuffle()` ends with `p.hand = …`. A
/// setter that does nothing is far cheaper than one that is missing; what scripts assign themselves is checked before.
pub(crate) fn keep_as_it_is<Owner: rhai::Variant + Clone>(engine: &mut Engine, name: &str) {
    FuncRegistration::new_setter(name).with_purity(true).register_into_engine(engine, |_: &mut Owner, _: Dynamic| ());
}

/// As [`keep_as_it_is`], where a variable has the same name: whatever would change the value is refused, because what it
/// belongs to is known only as the rules run.
pub(crate) fn refuse_to_set<Owner: rhai::Variant + Clone>(
    engine: &mut Engine,
    name: &str,
    current: impl Fn(&mut Owner) -> Option<Value> + 'static,
) {
    let name_again = name.to_owned();
    FuncRegistration::new_setter(name).with_purity(true).register_into_engine(
        engine,
        move |owner: &mut Owner, value: Dynamic| -> Result<(), Box<EvalAltResult>> {
            if to_value(&value).ok() == current(owner) {
                return Ok(());
            }
            let sort = Sort::of_interpreter(std::any::type_name::<Owner>()).map_or("this", Sort::named);
            Err(raise(Fault::Rule {
                message: format!("`{name_again}` of {sort} cannot be set"),
                help: Some(format!("the variable `{name_again}` belongs to a player or to the table")),
            }))
        },
    );
}
