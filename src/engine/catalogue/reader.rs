//! The language of whoever reads. It is a matter of who is spoken to, not of what is said, so it is not handed from
//! function to function; it is kept for each thread, so that tests, each with its reader, run side by side.
#![allow(clippy::disallowed_types, reason = "it decides what a reader sees, and nothing of a game")]

use crate::catalogue::Language;
use std::cell::Cell;

thread_local! {
    pub(super) static SPOKEN: Cell<Language> = const { Cell::new(Language::English) };
}
