//! The command `houserule lsp`: the language server for editors.

use super::{Context, EXIT_NEGATIVE, EXIT_SUCCESS, Failure, Outcome};
use crate::lsp;
use clap::Args;
use std::io;

/// Serve an editor: what is wrong while you type, completion, help at the cursor, and more
///
/// The editor starts it and talks to it over standard input and output, in the Language Server Protocol.
#[derive(Debug, Args)]
pub(super) struct Lsp {
    /// What editors give to say that they talk over standard input and output, as is always so
    #[arg(long, hide = true)]
    stdio: bool,
}

impl Lsp {
    pub(super) fn run(&self, context: &Context) -> Outcome {
        match lsp::serve(io::stdin(), context.library.clone()) {
            Ok(true) => Ok(EXIT_SUCCESS),
            Ok(false) => Ok(EXIT_NEGATIVE),
            Err(error) => Err(Failure::unread(&error)),
        }
    }
}
