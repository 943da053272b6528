//! The computer that the program runs on, as a session needs it.

use super::clock;
use super::file::{write_new, write_whole};
use super::threads::Threads;
use crate::diagnostic::Diagnostics;
use crate::files::{MayReplace, NotWritten, Written};
use crate::session::surroundings::Surroundings;
use crate::work::{Clock, Workers};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::thread;

/// Its disk, its cores and its clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThisComputer {
    /// The threads that simulations and tests run on.
    pub threads: Threads,
}

/// A seed that nobody can foresee, short enough to be told a friend.
pub fn unforeseen_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::hash::RandomState::new().build_hasher().finish() % 1_000_000
}

impl Surroundings for ThisComputer {
    fn write(&self, path: &Path, content: &str, may: MayReplace, stop: &AtomicBool) -> Result<Written, NotWritten> {
        write_whole(path, content, may, stop)
    }

    fn write_new(&self, path: &Path, content: &str) -> Result<(), Diagnostics> {
        write_new(path, content)
    }

    fn workers(&self) -> &dyn Workers {
        &self.threads
    }

    fn clock(&self) -> Option<Clock> {
        Some(clock::now)
    }

    fn in_background(&self, task: Box<dyn FnOnce() + Send>) -> Result<(), String> {
        let thread = thread::Builder::new().name("job".to_owned()).spawn(task);
        thread.map(drop).map_err(|error| error.to_string())
    }

    fn current_folder(&self) -> PathBuf {
        std::env::current_dir().unwrap_or_default()
    }
}
