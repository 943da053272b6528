//! What a session needs of the computer that it runs on. The session itself is part of the core, which has no disk, thread
//! or clock: a terminal, a page and an editor each bring their own.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::files::{MayReplace, NotWritten, Written, path_name};
use crate::work::{Clock, SingleThread, Workers};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// The computer, as far as commands need one.
pub trait Surroundings: Send + Sync {
    /// Writes a file with this content, whole or not at all; `stop` ends the wait for a pipe that nobody reads.
    ///
    /// # Errors
    /// Another file is there, which `may` does not cover; it cannot be written.
    fn write(&self, path: &Path, content: &str, may: MayReplace, stop: &AtomicBool) -> Result<Written, NotWritten>;

    /// Writes a file that is not there yet, and makes the folders above it.
    ///
    /// # Errors
    /// It is there already; it cannot be written.
    fn write_new(&self, path: &Path, content: &str) -> Result<(), Diagnostics>;

    /// The threads that simulations and checks are spread over.
    fn workers(&self) -> &dyn Workers;

    /// A clock, for agents that are given a time and for estimates of what is left; `None` where there is none.
    fn clock(&self) -> Option<Clock>;

    /// Runs a task while the session goes on; where there are no threads, at once.
    ///
    /// # Errors
    /// No thread can be had, with the system's reason.
    fn in_background(&self, task: Box<dyn FnOnce() + Send>) -> Result<(), String>;

    /// The folder that relative paths start from; empty where there is none.
    fn current_folder(&self) -> PathBuf;
}

/// No computer at all: nothing is written, and everything runs on the calling thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nowhere;

impl Surroundings for Nowhere {
    fn write(&self, path: &Path, _: &str, _: MayReplace, _: &AtomicBool) -> Result<Written, NotWritten> {
        Err(NotWritten::Failed(no_files(path)))
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
    Diagnostic::new(format!("`{}` cannot be written: there are no files here", path_name(path))).into()
}
