//! The host's resources: disk, standard output, terminal, threads and clock.
//!
//! The rooms below this one know none of these. [`clock`] tells the time, [`disk`] reads texts, [`file`](mod@file)
//! writes files, [`lock`] holds a file for one program at a time, [`packs`] manages the installed packs, [`frames`]
//! carries messages to and from editors, [`threads`] shares out work, and [`computer`] bundles all of them for a
//! session.

pub mod clock;
pub mod computer;
pub mod disk;
pub mod file;
pub mod frames;
pub mod lock;
pub mod output;
pub mod packs;
pub mod terminal;
pub mod threads;

use crate::catalogue::Message;
use std::io;

/// The reason for an error: the program's own message, or the operating system's words, without its number. Windows words its reasons in the user's language, so
/// common reasons get the same words on all systems.
pub(crate) fn reason(error: &io::Error) -> Message {
    if let Some(own) = error.get_ref().and_then(|inner| inner.downcast_ref::<Message>()) {
        return own.clone();
    }
    let text = match error.kind() {
        io::ErrorKind::NotFound if cfg!(windows) => "no such file or directory".to_owned(),
        kind @ (io::ErrorKind::PermissionDenied | io::ErrorKind::AlreadyExists | io::ErrorKind::StorageFull)
            if cfg!(windows) =>
        {
            kind.to_string()
        }
        _ => error.to_string(),
    };
    let words = text.split(" (os error").next().unwrap_or("").trim_end_matches('.');
    let mut characters = words.chars();
    let words = characters.next().map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect());
    Message::foreign(words)
}
