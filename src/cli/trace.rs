//! The command `houserule trace`: one game without people, as JSON Lines.

use super::campaign::Next;
use super::packs::PackArguments;
use super::sim::agents_of;
use super::{Context, EXIT_SUCCESS, Failure, OutFile, Outcome, Printout, Rules, Seats, agents_help};
use crate::agent::SeatedAgents;
use crate::diagnostic::Diagnostic;
use crate::inspect::trace::{FILE, Trace as Writer};
use crate::playthrough::observation::Agent;
use crate::playthrough::run::{Request, Until, run};
use crate::script::{End, Start};
use crate::work::interrupted;
use clap::Args;
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
    /// The arguments that may name packs.
    pub(super) fn pack_arguments(&mut self) -> PackArguments<'_> {
        PackArguments {
            players: Some(&mut self.seats.players),
            seed: Some(&mut self.seats.seed),
            ..self.rules.pack_arguments()
        }
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
        // A trace is the same on every computer.
        let agents = agents_of(&self.agents, loaded.layout.seats).map_err(Failure::wrong)?;
        let mut agent: Box<dyn Agent> = match &agents[..] {
            [one, others @ ..] if others.iter().all(|other| other == one) => one.agent(seed),
            different => Box::new(SeatedAgents::new(seed, different)),
        };
        // From here on, only the trace goes to standard output.
        out.write(&context.terminal);
        let file = OutFile::begin(&self.out, FILE, self.force, context)?;
        let target = file.target().clone();
        let is_to_standard_output = target.name().is_none();
        let trace = Writer::begin(file, &loaded.ruleset, &loaded.layout, seed, self.state);
        // A trace printed to the terminal shows its own progress.
        let is_seen = is_to_standard_output && context.terminal.is_seen();
        let counter = (!is_seen).then(|| context.terminal.counter(&context.work));
        let played = trace.follow(|recording| {
            let asked = Some((&mut *agent as _, &Until::End));
            let start = &Start::Game;
            run(&loaded.rules, Request { start, seed, log: &log, agent: asked, recording: Some(recording) })
        });
        drop(counter);
        // They go to standard error, apart from the trace.
        out.tell(&loaded.rules.take_faults());
        out.write(&context.terminal);
        let written = played.map(|(file, end)| {
            // The trace of a stopped game is incomplete, and must not overwrite another.
            let is_whole = !context.work.is_stopped() || is_to_standard_output;
            (is_whole.then_some(file), end)
        });
        let (file, end) = written.map_err(|error| target.failed(context, &error))?;
        file.map_or(Ok(()), |file| file.finish(context))?;
        match end {
            End::Finished => Ok(EXIT_SUCCESS),
            End::Failed(diagnostic) | End::Endless(diagnostic) => Err(Failure::no(diagnostic)),
            End::Halted(_) if context.work.is_stopped() => Err(Failure::no(interrupted())),
            End::Halted(_) => Err(Failure::no(Diagnostic::new("nobody answered"))),
        }
    }
}
