//! What a thread has: the reader's language, and the message that it wrote last.
//!
//! The language depends on the reader, not on what is said, so it is not passed from function to function; it is kept per
//! thread, so that tests with different readers run side by side.
#![allow(clippy::disallowed_types, reason = "it decides what a reader sees, and nothing of a game")]

use crate::catalogue::{Language, Message};
use std::cell::Cell;

thread_local! {
    pub(super) static CURRENT_LANGUAGE: Cell<Language> = const { Cell::new(Language::English) };
    static WRITTEN: Cell<Option<Message>> = const { Cell::new(None) };
}

/// Notes that a message writes itself. Formatting hands a text on without what it came from, so a text that is put
/// together asks for it.
pub(super) fn note_written(message: &Message) {
    WRITTEN.set(Some(message.clone()));
}

/// The message that wrote itself last, once.
pub(super) fn take_written() -> Option<Message> {
    WRITTEN.take()
}
