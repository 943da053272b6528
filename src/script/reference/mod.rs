//! Rhai's own evaluator.

mod callbacks;
mod convert;
mod words;

pub(crate) use convert::{
    RaisedFault, SharedTable, give_datum, labels, raise, shown, to_dynamic, to_value, value_or_list,
};
pub(crate) use words::{Nobody, keep_as_it_is, refuse_to_set, register, register_part};
