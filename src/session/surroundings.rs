//! The services that a session needs from its computer. The session belongs to the core, which has no disk, threads or
//! clock: a terminal, a page and an editor each provide their own.

use crate::catalogue::message;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::files::{OverwritePolicy, WriteError, WriteTarget, path_name};
use crate::work::{Clock, SingleThread, Workers};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// The services of the computer that commands need.
pub trait Surroundings: Send + Sync {
    /// Writes a file atomically; `stop` ends the wait for a pipe without a reader.
    ///
    /// # Errors
    /// An existing file is not covered by `may`, or the file cannot be written.
    fn write(
        &self,
        path: &Path,
        content: &str,
        may: OverwritePolicy,
        stop: &AtomicBool,
    ) -> Result<WriteTarget, WriteError>;

    /// Writes a new file, and makes the folders above it.
    ///
    /// # Errors
    /// The file exists, or cannot be written.
    fn write_new(&self, path: &Path, content: &str) -> Result<(), Diagnostics>;

    /// The worker threads for simulations and checks.
    fn workers(&self) -> &dyn Workers;

    /// A clock, for agents with a time limit and for estimates; `None` where there is none.
    fn clock(&self) -> Option<Clock>;

    /// Runs a task in the background or, without threads, at once.
    ///
    /// # Errors
    /// No thread can be started, with the system's reason.
    fn in_background(&self, task: Box<dyn FnOnce() + Send>) -> Result<(), String>;

    /// The folder that relative paths start from; empty where there is none.
    fn current_folder(&self) -> PathBuf;
}

/// No computer: nothing is written, and everything runs on the calling thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSurroundings;

impl Surroundings for NoSurroundings {
    fn write(&self, path: &Path, _: &str, _: OverwritePolicy, _: &AtomicBool) -> Result<WriteTarget, WriteError> {
        Err(WriteError::Failed(no_files(path)))
    }

    fn write_new(&self, path: &Path, _: &str) -> Result<(), Diagnostics> {
        Err(no_files(path))
    }

    fn workers(&self) -> &dyn Workers {
        &SingleThread
    }

    fn clock(&self) -> Option<Clock> {
        None
    }

    fn in_background(&self, task: Box<dyn FnOnce() + Send>) -> Result<(), String> {
        task();
        Ok(())
    }

    fn current_folder(&self) -> PathBuf {
        PathBuf::new()
    }
}

fn no_files(path: &Path) -> Diagnostics {
    Diagnostic::new(message!("`{}` cannot be written: there are no files here", path_name(path))).into()
}
