//! Registers what a definition declares with the engine: zones, variables, attributes, data, parts of options.

use super::convert::{SharedTable, give_datum, of_variable, raise, sort_called, to_dynamic, to_value, to_variable};
use super::words::Nobody;
use crate::diagnostic::message;
use crate::script::layering::settings_name;
use crate::script::sorts::Sort;
use crate::table::Fault;
use crate::table::data::{Data, Datum};
use crate::table::layout::{FaceValue, Layout};
use crate::table::value::{Component, NOBODY, Parts, Seat, Seats, Value};
use rhai::{Dynamic, Engine, EvalAltResult, FuncRegistration, ImmutableString, Module, NativeCallContext, RhaiFunc};
use std::any::TypeId;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// The object `table` of scripts, which has the variables of the table: `table.special_color`.
#[derive(Clone, Copy, Debug)]
struct TableGlobal;

/// Registers what the definition declares: zones, variables, attributes, data. Returns the names of globals.
pub(super) fn register_definition(engine: &mut Engine, shared: &SharedTable, layout: &Arc<Layout>) -> Vec<String> {
    engine.register_type_with_name::<TableGlobal>("table");
    let mut kept = Module::new();
    let mut globals: Vec<(String, Dynamic)> = Vec::new();
    let mut add = |name: String, value: Dynamic| globals.push((name, value));
    add("players".to_owned(), Dynamic::from(Seats::all(layout.seats)));
    add("table".to_owned(), Dynamic::from(TableGlobal));
    add(NOBODY.to_owned(), Dynamic::from(Nobody));
    add("data".to_owned(), Dynamic::from(layout.data.root()));
    for (layer, settings) in layout.data.settings().iter().enumerate() {
        add(settings_name(layer), Dynamic::from(*settings));
    }
    for (definition, zone) in layout.definition.zones.iter().enumerate() {
        let several = zone.count.is_some();
        if zone.per_seat {
            let layout = layout.clone();
            if several {
                engine.register_get(&zone.id, move |seat: &mut Seat| layout.zones_of(definition, Some(*seat)));
            } else {
                engine.register_get(&zone.id, move |seat: &mut Seat| layout.zone_of(definition, Some(*seat)));
            }
            keep_as_it_is(&mut kept, &zone.id, TypeId::of::<Seat>());
        } else if several {
            add(zone.id.clone(), Dynamic::from(layout.zones_of(definition, None)));
        } else {
            add(zone.id.clone(), Dynamic::from(layout.zone_of(definition, None)));
        }
    }
    for (definition, variable) in layout.definition.variables.iter().enumerate() {
        if variable.per_seat {
            register_variable(engine, shared, &variable.id, layout, move |layout, seat: &mut Seat| {
                layout.variable_of(definition, Some(*seat))
            });
        } else {
            register_variable(engine, shared, &variable.id, layout, move |layout, _: &mut TableGlobal| {
                layout.variable_of(definition, None)
            });
        }
    }
    let is_variable = |name: &str| layout.definition.variables.iter().any(|variable| variable.id == name);
    let words: Rc<[ImmutableString]> = layout.words.iter().map(|word| ImmutableString::from(&**word)).collect();
    for (attribute, name) in layout.attributes.iter().enumerate() {
        let (shared, shared_again, words, name_again) = (shared.clone(), shared.clone(), words.clone(), name.clone());
        engine.register_get(name, move |component: &mut Component| {
            let table = shared.0.borrow();
            match table.face_value(*component, attribute) {
                FaceValue::Number(number) => Ok(Dynamic::from_int(number)),
                FaceValue::Word(word) => Ok(Dynamic::from(words[usize::from(word)].clone())),
                FaceValue::Absent => {
                    Err(raise(Fault::rule(message!("{} has no {name_again}", table.label(*component)))))
                }
            }
        });
        if is_variable(name) {
            let shared = shared_again;
            refuse_to_set(engine, name, move |component: &mut Component| {
                let table = shared.0.borrow();
                match table.face_value(*component, attribute) {
                    FaceValue::Number(number) => Some(Value::Number(number)),
                    FaceValue::Word(word) => Some(Value::Text(table.layout().words[usize::from(word)].clone())),
                    FaceValue::Absent => None,
                }
            });
        } else {
            keep_as_it_is(&mut kept, name, TypeId::of::<Component>());
        }
    }
    let keys: BTreeSet<String> = layout.data.keys().map(str::to_owned).collect();
    for key in keys {
        // An entry of a table is preferred to the word; a table without such an entry has the word.
        if let "len" | "is_empty" = &*key {
            let (shared, key_again) = (shared.clone(), key.clone());
            engine.register_get(&key, move |data: &mut Data| {
                let table = shared.0.borrow();
                match (table.datum(*data, &key_again), &*key_again, table.data_len(*data)) {
                    (Ok(datum), ..) => give_datum(Ok(datum.clone())),
                    (Err(_), "len", len) => Ok(Dynamic::from_int(len)),
                    (Err(_), _, len) => Ok(Dynamic::from_bool(len == 0)),
                }
            });
            continue;
        }
        let (shared, shared_again, key_again) = (shared.clone(), shared.clone(), key.clone());
        let key_to_get = key.clone();
        engine.register_get(&key, move |data: &mut Data| {
            give_datum(shared.0.borrow().datum(*data, &key_to_get).cloned())
        });
        if is_variable(&key) {
            refuse_to_set(engine, &key, move |data: &mut Data| {
                match shared_again.0.borrow().datum(*data, &key_again) {
                    Ok(Datum::Value(value)) => Some(value.clone()),
                    _ => None,
                }
            });
        } else {
            keep_as_it_is(&mut kept, &key, TypeId::of::<Data>());
        }
    }
    engine.register_global_module(kept.into());
    let names = globals.iter().map(|(name, _)| name.clone()).collect();
    // A module of constants would do for functions, but closures could not see it: they capture what they do not define,
    // and only what the resolver knows need not be captured. A variable with an index is a local one.
    #[allow(deprecated)]
    engine.on_var(move |name, index, _| {
        let global = || globals.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        Ok(if index == 0 { global() } else { None })
    });
    names
}

/// Registers a variable of the table or of a seat: read as a property, set by assignment.
fn register_variable<Owner: rhai::Variant + Clone>(
    engine: &mut Engine,
    shared: &SharedTable,
    name: &str,
    layout: &Arc<Layout>,
    number: impl Fn(&Layout, &mut Owner) -> usize + Copy + 'static,
) {
    let (reading, layout_again) = (shared.clone(), layout.clone());
    engine.register_get(name, move |owner: &mut Owner| of_variable(&reading.0.borrow(), number(&layout_again, owner)));
    let (setting, layout) = (shared.clone(), layout.clone());
    // Pure to the interpreter: the handle stays as it is, so that it may be a constant.
    FuncRegistration::new_setter(name).with_purity(true).register_into_engine(
        engine,
        move |context: rhai::NativeCallContext, owner: &mut Owner, value: Dynamic| -> Result<(), Box<EvalAltResult>> {
            let mut entered = setting.enter(&context);
            let value = to_variable(&value).map_err(raise)?;
            entered.table.set_variable(number(&layout, owner), value).map_err(raise)
        },
    );
}

/// Registers parts of options such as `choice.act`: the script chooses their names, so they are looked up at run time.
pub(super) fn register_option_parts(engine: &mut Engine) {
    engine.register_indexer_get(|this: &mut Parts, name: ImmutableString| part_of(this, &name));
}

/// Registers the parts of options whose names are in the scripts as properties, which are far cheaper to find.
pub(super) fn register_parts(engine: &mut Engine, layout: &Layout, parts: impl IntoIterator<Item = String>) {
    let mut kept = Module::new();
    for name in parts {
        let part: Arc<str> = name.as_str().into();
        let part_again = part.clone();
        engine.register_get(&name, move |this: &mut Parts| part_of(this, &part));
        if layout.definition.variables.iter().any(|variable| variable.id == name) {
            refuse_to_set(engine, &name, move |this: &mut Parts| this.get(&part_again).cloned());
        } else {
            keep_as_it_is(&mut kept, &name, TypeId::of::<Parts>());
        }
    }
    engine.register_global_module(kept.into());
}

fn part_of(parts: &Parts, name: &str) -> Result<Dynamic, Box<EvalAltResult>> {
    let unknown = || raise(Fault::unknown("part", name, parts.0.iter().map(|(part, _)| &**part)));
    parts.get(name).map(|value| to_dynamic(value.clone())).ok_or_else(unknown)
}

/// The interpreter writes a property back after a method was called on it: `p.hand.shuffle()` ends with `p.hand = …`. A
/// setter that does nothing is far cheaper than one that is missing; what scripts assign themselves is checked before.
pub(super) fn keep_as_it_is(module: &mut Module, name: &str, owner: TypeId) {
    let func = Rc::new(|_: Option<NativeCallContext<'_>>, _: &mut [&mut Dynamic]| Ok(Dynamic::UNIT));
    let func = RhaiFunc::Method { func, has_context: false, is_pure: true, is_volatile: false };
    FuncRegistration::new_setter(name).set_into_module_raw(module, [owner, TypeId::of::<Dynamic>()], func);
}

/// Like [`keep_as_it_is`], where a variable has the same name: every change of the value is refused, because the owner
/// of the property is known only while the rules run.
fn refuse_to_set<Owner: rhai::Variant + Clone>(
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
            let sort = sort_called(std::any::type_name::<Owner>()).map_or("this".into(), Sort::named);
            Err(raise(Fault::Rule {
                message: message!("`{name_again}` of {sort} cannot be set"),
                help: Some(message!("the variable `{name_again}` belongs to a player or to the table").into()),
            }))
        },
    );
}
