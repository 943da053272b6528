//! The command `houserule completions`, for shells.

use super::{CommandLine, EXIT_SUCCESS, Outcome, Printout};
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
    pub(super) fn run(&self, out: &mut Printout) -> Outcome {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut CommandLine::command(), "houserule", &mut script);
        out.text(&String::from_utf8_lossy(&script));
        Ok(EXIT_SUCCESS)
    }
}
