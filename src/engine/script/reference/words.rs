//! Registers the words with the engine.

use super::callbacks;
use super::convert::{self as values, Give, SharedTable, Take, raise};
use super::definition::{keep_as_it_is, register_option_parts};
use crate::script::vocabulary::bodies::*;
use crate::script::vocabulary::vocabulary;
use crate::table::data::Data;
use crate::table::value::Parts;
use rhai::{Array, Dynamic, Engine, EvalAltResult, ImmutableString, Module, NativeCallContext};
use std::any::TypeId;

/// No player, as a value of scripts: `table.winner == nobody`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nobody;

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
    (offered) => { Dynamic };
    (held) => { Dynamic };
    (named) => { Dynamic };
    (several) => { Dynamic };
    (value) => { Dynamic };
    (value_or_nothing) => { Dynamic };
    (data) => { Data };
    (list) => { Array };
}

/// What the body of a word works on: the table, or for a word that asks, the table with the answerer.
#[rustfmt::skip]
macro_rules! handed {
    (table $entered:ident) => { &mut *$entered.table };
    (play $entered:ident) => { &mut $entered.play() };
}

/// The receiver of a word in the type that its body takes.
#[rustfmt::skip]
macro_rules! this {
    (components $this:ident) => { &**$this };
    (zones $this:ident) => { &**$this };
    ($sort:ident $this:ident) => { $this };
}

/// An argument in the type that a body takes.
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
        $form:ident $name:literal [$($receiver:ident)*] $parameters:tt $(costs $effort:ident)? -> $result:ident $body:tt
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
pub fn register(engine: &mut Engine, shared: &SharedTable) {
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

/// Registers loops such as `for card in p.hand` and `for color in data.colors`, which go over the entries at the start.
fn register_loops(engine: &mut Engine, shared: &SharedTable) {
    let mut module = Module::new();
    let table = shared.clone();
    module.set_iter(TypeId::of::<Zone>(), move |zone| {
        let held = zone.try_cast::<Zone>().map(|zone| table.0.borrow().zone(zone).to_vec()).unwrap_or_default();
        Box::new(held.into_iter().map(Dynamic::from))
    });
    let table = shared.clone();
    module.set_iter_result(TypeId::of::<Data>(), move |data| {
        let entries = |data| values::entries(&table.0.borrow(), data);
        let values = data.try_cast::<Data>().map(entries);
        let (values, fault) = match values {
            Some(Ok(values)) => (values, None),
            Some(Err(fault)) => (Vec::new(), Some(fault)),
            None => (Vec::new(), None),
        };
        Box::new(fault.into_iter().map(|fault| Err(raise(fault))).chain(values.into_iter().map(Ok)))
    });
    engine.register_global_module(module.into());
}

/// Registers `list.push(x)`, which needs the interpreter's own values, because a list may hold any of them.
fn register_list_changes(engine: &mut Engine) {
    engine.register_fn("push", |list: &mut Array, value: Dynamic| -> Result<(), Box<EvalAltResult>> {
        if list.len() >= crate::script::MAX_LIST_ENTRIES {
            return Err(raise(too_long_error()));
        }
        list.push(value);
        Ok(())
    });
}
