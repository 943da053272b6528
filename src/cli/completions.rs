//! `houserule completions`: for the shell.

use super::{CommandLine, Context, FINE, Outcome};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Write completions for a shell
#[derive(Debug, Args)]
pub(super) struct Completions {
    /// Which shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub(super) fn run(&self, context: &Context) -> Outcome {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut CommandLine::command(), "houserule", &mut script);
        context.terminal.print(&String::from_utf8_lossy(&script));
        Ok(FINE)
    }
}
