//! Registers the words with the engine.

use super::callbacks;
use super::convert::{self as values, Entered, Give, Given, SharedTable, Take, raise};
use super::definition::{keep_as_it_is, register_option_parts};
use crate::script::vocabulary::bodies::*;
use crate::script::vocabulary::vocabulary;
use crate::table::data::Data;
use crate::table::value::Parts;
use rhai::{
    Array, Dynamic, DynamicReadLock, Engine, EvalAltResult, FuncRegistration, ImmutableString, Module,
    NativeCallContext, Position, RhaiFunc, Variant,
};
use std::any::TypeId;
use std::rc::Rc;

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

/// How scripts call a word.
enum Call {
    Property,
    Index,
    Method,
    Function,
}

#[rustfmt::skip]
macro_rules! call {
    (get) => { Call::Property };
    (index) => { Call::Index };
    (function) => { Call::Function };
    (method) => { Call::Method };
    (operator) => { Call::Method };
}

/// A word for one receiver, as the evaluator calls it.
///
/// All words are registered through one closure: a generic `register_fn` for each would be a fifth of the code of
/// this package.
struct NativeWord {
    call: Call,
    name: &'static str,
    /// The types of the receiver, if there is one, and of the arguments.
    parameters: &'static [fn() -> TypeId],
    body: fn(&mut Entered<'_>, &mut [&mut Dynamic]) -> Given,
}

/// The error for arguments of other types or another number than the evaluator was told; it checks both before it calls.
#[cold]
fn mismatch() -> Box<EvalAltResult> {
    EvalAltResult::ErrorMismatchDataType(String::new(), String::new(), Position::NONE).into()
}

/// The receiver of a word, or an argument that its body only reads.
fn borrowed<T: Variant + Clone>(argument: &Dynamic) -> Result<DynamicReadLock<'_, T>, Box<EvalAltResult>> {
    argument.read_lock().ok_or_else(mismatch)
}

/// An argument, which the evaluator does not need any more.
fn owned<T: Variant + Clone>(argument: &mut Dynamic) -> Result<T, Box<EvalAltResult>> {
    argument.take().try_cast().ok_or_else(mismatch)
}

/// The row of one word for one receiver; nothing for a word that the rules declare or that a function here registers.
#[rustfmt::skip]
macro_rules! row {
    ($words:ident $form:ident $name:literal [$($receiver:ident)?] $parameters:tt ;) => {};
    ($words:ident $form:ident $name:literal []
        ($gets:ident $(, $argument:ident : $sort:ident $(as $role:ident)?)*) $body:block) => {
        $words.push(NativeWord {
            call: call!($form),
            name: $name,
            parameters: &[$(TypeId::of::<rust_type!($sort)>),*],
            body: |entered, arguments| {
                let [$($argument),*] = arguments else { return Err(mismatch()) };
                let $gets = handed!($gets entered);
                $(let $argument = owned::<rust_type!($sort)>($argument)?;)*
                $(let $argument = taken!($gets $argument $sort $(as $role)?);)*
                ($body).give()
            },
        });
    };
    ($words:ident $form:ident $name:literal [$receiver:ident]
        ($gets:ident, $this:ident $(, $argument:ident : $sort:ident $(as $role:ident)?)*) $body:block) => {
        $words.push(NativeWord {
            call: call!($form),
            name: $name,
            parameters: &[TypeId::of::<rust_type!($receiver)> $(, TypeId::of::<rust_type!($sort)>)*],
            body: |entered, arguments| {
                let [$this $(, $argument)*] = arguments else { return Err(mismatch()) };
                let $gets = handed!($gets entered);
                let $this = borrowed::<rust_type!($receiver)>($this)?;
                let $this = &*$this;
                let $this = this!($receiver $this);
                $(let $argument = owned::<rust_type!($sort)>($argument)?;)*
                $(let $argument = taken!($gets $argument $sort $(as $role)?);)*
                ($body).give()
            },
        });
    };
}

macro_rules! rows_for_each {
    ($words:ident $form:ident $name:literal [] $parameters:tt $body:tt) => {
        row!($words $form $name [] $parameters $body);
    };
    ($words:ident $form:ident $name:literal [$($receiver:ident)+] $parameters:tt $body:tt) => {
        $(row!($words $form $name [$receiver] $parameters $body);)+
    };
}

macro_rules! rows {
    ($( $section:literal { $(
        $(#[doc = $doc:literal])+
        $form:ident $name:literal [$($receiver:ident)*] $parameters:tt $(costs $effort:ident)? -> $result:ident $body:tt
    )* } )*) => {
        /// Every word with a body, once for each receiver.
        // A body uses what it needs of its arguments and of the table.
        #[allow(unused_variables)]
        fn native_words() -> Vec<NativeWord> {
            let mut words = Vec::new();
            $($(rows_for_each!(words $form $name [$($receiver)*] $parameters $body);)*)*
            words
        }
    };
}

vocabulary!(rows);

/// Registers the words that have a body.
fn register_bodies(engine: &mut Engine, shared: &SharedTable) {
    let mut module = Module::new();
    for NativeWord { call, name, parameters, body } in native_words() {
        let shared = shared.clone();
        let call_body = move |context: Option<NativeCallContext<'_>>, arguments: &mut [&mut Dynamic]| {
            let mut entered = shared.enter(&context.ok_or_else(mismatch)?);
            body(&mut entered, arguments)
        };
        let func = Rc::new(call_body);
        let func = match call {
            Call::Function => RhaiFunc::Pure { func, has_context: true, is_pure: true, is_volatile: false },
            _ => RhaiFunc::Method { func, has_context: true, is_pure: true, is_volatile: false },
        };
        let types: Vec<TypeId> = parameters.iter().map(|type_id| type_id()).collect();
        let registration = match call {
            Call::Property => FuncRegistration::new_getter(name),
            Call::Index => FuncRegistration::new_index_getter(),
            Call::Method | Call::Function => FuncRegistration::new(name),
        };
        if let (Call::Property, [owner]) = (call, &*types) {
            keep_as_it_is(&mut module, name, *owner);
        }
        registration.set_into_module_raw(&mut module, types, func);
    }
    engine.register_global_module(module.into());
}

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
