//! `houserule trace`: one game without a person, as JSON Lines.

use super::campaign::Next;
use super::packs::Named;
use super::sim::agents_of;
use super::{Context, FINE, Failure, Outcome, Printout, Rules, Seats, agents_help};
use crate::agent::Company;
use crate::diagnostic::Diagnostic;
use crate::files::{MayReplace, NotWritten};
use crate::host::file::{Draft, cannot_be_written};
use crate::inspect::trace::{FILE, Trace as Writer};
use crate::playthrough::observation::Agent;
use crate::playthrough::run::{Request, Until, run};
use crate::script::{End, Start};
use crate::work::interrupted;
use clap::Args;
use std::io;
use std::path::PathBuf;

/// Play one game automatically and write every event as JSON Lines
#[derive(Debug, Args)]
pub(super) struct Trace {
    #[command(flatten)]
    rules: Rules,

    #[command(flatten)]
    seats: Seats,

    /// Play the next game of a campaign, which starts with what this saved, finished game keeps
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    #[arg(long, value_name = "AGENTS", default_value = "random", help = agents_help("Who plays: one agent for all \
                                                                                     seats, one for each (separated \
                                                                                     by commas), or p2=AGENT for some \
                                                                                     seats, the others at random"))]
    agents: String,

    /// Write the whole table at each decision and at the end
    #[arg(long)]
    state: bool,

    /// Where to write; `-` is standard output
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,

    /// Overwrite the file of `--out` even if it is not a trace
    #[arg(long)]
    force: bool,
}

impl Trace {
    /// Where packs may be named.
    pub(super) fn named(&mut self) -> Named<'_> {
        Named { players: Some(&mut self.seats.players), seed: Some(&mut self.seats.seed), ..self.rules.named() }
    }

    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        let (loaded, seed, log) = match &self.from {
            None => (self.rules.load(context, self.seats.players, out)?.0, self.seats.seed(), Vec::new()),
            Some(from) => {
                let (game, over, players) =
                    (Some(self.rules.game.clone()), self.rules.over.clone(), self.seats.players);
                let next = Next { from, game, over, players, under_disk: false };
                let (next, _) = next.begin(context, self.seats.seed, out)?;
                (next.loaded().clone(), next.seed, next.timeline().log().to_vec())
            }
        };
        // A trace is the same wherever it is made.
        let agents = agents_of(&self.agents, loaded.layout.seats).map_err(Failure::wrong)?;
        let mut agent: Box<dyn Agent> = match &agents[..] {
            [one, others @ ..] if others.iter().all(|other| other == one) => one.agent(seed),
            different => Box::new(Company::new(seed, different)),
        };
        let may = if self.force { MayReplace::Anything } else { MayReplace::Only(FILE) };
        // From here on the trace itself is written.
        out.write(&context.terminal);
        let out = if self.is_to_standard_output() {
            Draft::to_standard_output()
        } else {
            Draft::new(&self.out, may, context.work.flag()).map_err(refused)?
        };
        let trace = Writer::begin(out, &loaded.ruleset, &loaded.layout, seed, self.state);
        // What scrolls by on a terminal counts itself.
        let is_seen = self.is_to_standard_output() && context.terminal.is_seen();
        let counter = (!is_seen).then(|| context.terminal.counter(&context.work));
        let played = trace.follow(|recording| {
            let asked = Some((&mut *agent as _, &Until::End));
            let start = &Start::Game;
            run(&loaded.rules, Request { start, seed, log: &log, agent: asked, recording: Some(recording) })
        });
        drop(counter);
        let written = played.and_then(|(out, end)| {
            // The trace of a game that somebody stopped is not whole, and takes the place of no other.
            if !context.work.is_stopped() || self.is_to_standard_output() {
                out.finish()?;
            }
            Ok(end)
        });
        let end = written.map_err(|error| self.unwritten(context, &error))?;
        match end {
            End::Finished => Ok(FINE),
            End::Failed(diagnostic) | End::Endless(diagnostic) => Err(Failure::no(diagnostic)),
            End::Halted(_) if context.work.is_stopped() => Err(Failure::no(interrupted())),
            End::Halted(_) => Err(Failure::no(Diagnostic::new("nobody answered"))),
        }
    }

    fn is_to_standard_output(&self) -> bool {
        self.out.as_os_str() == "-"
    }

    /// What is said when the trace cannot be written to its end; nothing where a reader has gone away.
    fn unwritten(&self, context: &Context, error: &io::Error) -> Failure {
        if self.is_to_standard_output() || error.kind() == io::ErrorKind::BrokenPipe {
            context.terminal.give_up(error);
        }
        Failure::wrong(cannot_be_written(&self.out, error))
    }
}

fn refused(not_written: NotWritten) -> Failure {
    Failure::wrong(match not_written {
        NotWritten::Occupied(diagnostic) => diagnostic.help("`--force` overwrites it; or give another path"),
        NotWritten::Failed(diagnostic) => diagnostic,
    })
}
