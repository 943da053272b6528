//! `houserule dap`: the debugger for editors.

use super::{Context, FINE, Failure, Outcome};
use crate::dap::{self, Surface};
use crate::diagnostic::Diagnostic;
use clap::Args;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// Debug rules from an editor: a debug adapter over standard input and output
#[derive(Debug, Args)]
pub(super) struct Dap {}

impl Dap {
    pub(super) fn run(&self, context: &Context, dir: Option<PathBuf>) -> Outcome {
        // What a request ends is not the program: that is Ctrl-C's, at once.
        context.work.rest();
        let Context { language, threads, .. } = context.clone();
        let surface = Surface { dir, language, threads, work: Arc::default() };
        let served = dap::serve(io::stdin(), surface);
        let failed = |error: io::Error| Failure::wrong(Diagnostic::new(format!("the client cannot be read: {error}")));
        served.map(|()| FINE).map_err(failed)
    }
}
