//! `houserule play`: a game in the REPL.

use super::{Context, FINE, Failure, NO, Outcome, Rules, Seats};
use crate::agent::Kind;
use crate::diagnostic::Diagnostic;
use crate::playthrough::Playthrough;
use crate::repl::seats::{player_named, seats_named};
use crate::repl::{self, Session};
use crate::table::value::Seat;
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

    /// Let an agent play a seat: p2=random, or all=random; repeat for more
    #[arg(long = "seat", value_name = "SEAT=AGENT")]
    agents: Vec<String>,
}

impl Play {
    pub(super) fn run(&self, context: &Context) -> Outcome {
        let (loaded, players) = self.rules.load(context, self.seats.players)?;
        let agents = self.agents.iter().map(|typed| seated(typed, players)).collect::<Result<Vec<_>, _>>();
        let agents = agents.map_err(|error| Failure::wrong(vec![error]))?;
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
        session.seat(&agents).map_err(|error| Failure::no(vec![error]))?;
        Ok(if repl::run(session) { FINE } else { NO })
    }
}

/// The seats and the agent that `p2=random` means.
fn seated(typed: &str, players: usize) -> Result<(Vec<Seat>, Option<&'static Kind>), Diagnostic> {
    let (seat, player) = typed.split_once('=').ok_or_else(|| {
        Diagnostic::new(format!("`{typed}` says not who plays which seat")).help("write `--seat p2=random`")
    })?;
    Ok((seats_named(seat.trim(), players)?, player_named(player.trim())?))
}
