//! `houserule play`: a game in the REPL.

use super::{Context, FINE, Failure, NO, Outcome, Rules, Seats};
use crate::playthrough::Playthrough;
use crate::repl::{self, Session};
use clap::Args;

/// Open a game in the REPL; commands from a pipe run as a script
#[derive(Debug, Args)]
pub(super) struct Play {
    #[command(flatten)]
    rules: Rules,

    #[command(flatten)]
    seats: Seats,

    /// Reload whenever a file of the rules is saved, and tell what that changes
    #[arg(long)]
    watch: bool,
}

impl Play {
    pub(super) fn run(&self, context: &Context) -> Outcome {
        let (loaded, players) = self.rules.load(context, self.seats.players)?;
        let started = Playthrough::start(loaded, players, self.seats.seed(), Vec::new());
        let (playthrough, _) = started.map_err(|error| Failure::no(vec![error]))?;
        let mut session = Session::new(
            playthrough,
            context.library.clone(),
            context.language,
            context.terminal,
            context.interrupt.clone(),
        );
        if self.watch {
            session.start_watching();
        }
        Ok(if repl::run(session) { FINE } else { NO })
    }
}
