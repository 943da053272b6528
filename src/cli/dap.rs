//! The command `houserule dap`: the debug adapter for editors.

use super::{Context, EXIT_SUCCESS, Failure, Outcome};
use crate::dap::{self, AdapterEnvironment};
use clap::Args;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// Debug rules from an editor: a debug adapter over standard input and output
#[derive(Debug, Args)]
pub(super) struct Dap {}

impl Dap {
    pub(super) fn run(&self, context: &Context, dir: Option<PathBuf>) -> Outcome {
        // This work rests, so that Ctrl-C ends the program at once; requests stop work of their own.
        context.work.mark_idle();
        let Context { language, threads, .. } = context.clone();
        let surface = AdapterEnvironment { dir, language, threads, work: Arc::default() };
        let served = dap::serve(io::stdin(), surface);
        served.map(|()| EXIT_SUCCESS).map_err(|error| Failure::unread(&error))
    }
}
