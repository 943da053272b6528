//! The reader's language. It depends on the reader, not on what is said, so it is not passed from function to function;
//! it is kept per thread, so that tests with different readers run side by side.
#![allow(clippy::disallowed_types, reason = "it decides what a reader sees, and nothing of a game")]

use crate::catalogue::Language;
use std::cell::Cell;

thread_local! {
    pub(super) static CURRENT_LANGUAGE: Cell<Language> = const { Cell::new(Language::English) };
}
