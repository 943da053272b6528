//! `houserule play`: a game in the REPL.

use super::file_kind::{Openable, openable};
use super::{Context, FINE, Failure, NO, Outcome, Over, Rules, Seats};
use crate::agent::Kind;
use crate::definition::Library;
use crate::diagnostic::Diagnostic;
use crate::playthrough::Playthrough;
use crate::playthrough::opened::Opened;
use crate::repl::seats::{player_named, seats_named};
use crate::repl::{self, Session};
use crate::table::value::Seat;
use clap::Args;
use std::path::Path;

/// Open a game in the REPL; commands from a pipe run as a script
#[derive(Debug, Args)]
pub(super) struct Play {
    /// Id of the game, as `houserule list` shows it; or a saved game; or the file of a variant
    #[arg(value_name = "GAME|FILE")]
    game: String,

    #[command(flatten)]
    over: Over,

    #[command(flatten)]
    seats: Seats,

    /// Play a saved game under the rules as they are on disk, not under those in the file
    #[arg(long)]
    under_disk: bool,

    /// Reload whenever a file of the rules is saved, and tell what that changes
    #[arg(long)]
    watch: bool,

    /// Let an agent play a seat: p2=random, or all=random; repeat for more
    #[arg(long = "seat", value_name = "SEAT=AGENT")]
    agents: Vec<String>,
}

impl Play {
    pub(super) fn run(&self, context: &Context) -> Outcome {
        let (playthrough, library) = self.open(context)?;
        let agents = self.agents.iter().map(|typed| seated(typed, playthrough.seats)).collect::<Result<Vec<_>, _>>();
        let agents = agents.map_err(|error| Failure::wrong(vec![error]))?;
        let mut session =
            Session::new(playthrough, library, context.language, context.terminal, context.interrupt.clone());
        if self.watch {
            session.start_watching();
        }
        session.seat(&agents).map_err(|error| Failure::no(vec![error]))?;
        Ok(if repl::run(session) { FINE } else { NO })
    }

    /// The game to play: from its beginning, or a saved one as far as it goes.
    fn open(&self, context: &Context) -> Result<(Playthrough, Library), Failure> {
        let wrong = |error| Failure::wrong(vec![error]);
        let rules = match openable(&self.game, &context.library).map_err(wrong)? {
            Openable::Saved => return self.open_saved(context, Path::new(&self.game)),
            Openable::Game(game) => Rules { game, over: self.over.clone() },
            Openable::Variant(game) => {
                let variants = std::iter::once(&self.game).chain(&self.over.variants).cloned().collect();
                Rules { game, over: Over { variants, set: self.over.set.clone() } }
            }
        };
        if self.under_disk {
            let error = Diagnostic::new("`--under-disk` is for saved games");
            return Err(wrong(error.help("the rules of a game are read from disk anyway")));
        }
        let (loaded, players) = rules.load(context, self.seats.players)?;
        let started = Playthrough::start(loaded, players, self.seats.seed(), Vec::new());
        let (playthrough, _) = started.map_err(|error| Failure::no(vec![error]))?;
        Ok((playthrough, context.library.clone()))
    }

    fn open_saved(&self, context: &Context, path: &Path) -> Result<(Playthrough, Library), Failure> {
        let given = [
            ("-v", !self.over.variants.is_empty()),
            ("--set", !self.over.set.is_empty()),
            ("-p", self.seats.players.is_some()),
            ("-s", self.seats.seed.is_some()),
        ];
        if let Some((flag, _)) = given.into_iter().find(|(_, is_given)| *is_given) {
            let error =
                Diagnostic::new(format!("a saved game has its own rules, players and seed: `{flag}` says others"));
            return Err(Failure::wrong(vec![error.help("open it without, then type `with VARIANT` for other rules")]));
        }
        let interrupt = context.interrupt.clone();
        let opened = Opened::open(path, &context.library, self.under_disk, interrupt).map_err(Failure::wrong)?;
        opened.told.iter().for_each(|line| context.terminal.print_line(line));
        Ok((opened.playthrough, opened.library))
    }
}

/// The seats and the agent that `p2=random` means.
fn seated(typed: &str, players: usize) -> Result<(Vec<Seat>, Option<&'static Kind>), Diagnostic> {
    let (seat, player) = typed.split_once('=').ok_or_else(|| {
        Diagnostic::new(format!("`{typed}` says not who plays which seat")).help("write `--seat p2=random`")
    })?;
    Ok((seats_named(seat.trim(), players)?, player_named(player.trim())?))
}
