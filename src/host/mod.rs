//! What only a program on somebody's computer has: a disk, standard output, a terminal, threads.
//!
//! The rooms below it know none of these. [`clock`] tells them the time, [`disk`] gives them texts, [`file`](mod@file) takes what
//! they write, [`lock`] what is one program's at a time, [`packs`] is what a person has installed, [`frames`] are what editors talk in, [`threads`] share
//! work, and [`computer`] is all that as a session asks for it.

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

use std::io;

/// The operating system's reason without its error number. Windows has words of its own, in its user's language: of what is
/// common, the words are those of all systems.
pub(crate) fn reason(error: &io::Error) -> String {
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
    characters.next().map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
}
