//! The computer that the program runs on, as the services that a session needs.

use super::clock;
use super::file::{write_new, write_whole};
use super::threads::Threads;
use crate::diagnostic::Diagnostics;
use crate::files::{OverwritePolicy, WriteError, WriteTarget};
use crate::session::surroundings::Surroundings;
use crate::work::{Clock, Workers};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::thread;

/// The disk, the processor cores and the clock of the computer that the program runs on.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThisComputer {
    /// The worker threads for simulations and tests.
    pub threads: Threads,
}

/// A random seed below one million, short enough to pass on by hand.
pub fn unforeseen_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::hash::RandomState::new().build_hasher().finish() % 1_000_000
}

impl Surroundings for ThisComputer {
    fn write(
        &self,
        path: &Path,
        content: &str,
        may: OverwritePolicy,
        stop: &AtomicBool,
    ) -> Result<WriteTarget, WriteError> {
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
