//! `houserule trace`: one game without a person, as JSON Lines.

use super::{Context, FINE, Failure, NO, Outcome, Rules, Seats};
use crate::agent::{KINDS, named};
use crate::diagnostic::Diagnostic;
use crate::file::write_whole;
use crate::inspect::trace;
use crate::playthrough::run::{Request, Until, run};
use crate::script::{End, Entry};
use crate::table::Recording;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use std::path::PathBuf;

/// Play one game without a person and write what happened as JSON Lines
#[derive(Debug, Args)]
pub(super) struct Trace {
    #[command(flatten)]
    rules: Rules,

    #[command(flatten)]
    seats: Seats,

    /// Who plays
    #[arg(long, value_name = "AGENT", value_parser = agents(), default_value = KINDS[0].name)]
    agents: String,

    /// Write the whole table with each decision and at the end
    #[arg(long)]
    state: bool,

    /// Where to write; `-` is standard output
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
}

/// Every sort of agent, as the command line lists what may be said.
fn agents() -> PossibleValuesParser {
    PossibleValuesParser::new(KINDS.iter().map(|kind| PossibleValue::new(kind.name).help(kind.about)))
}

impl Trace {
    pub(super) fn run(&self, context: &Context) -> Outcome {
        let (loaded, _) = self.rules.load(context, self.seats.players)?;
        let seed = self.seats.seed();
        let kind = named(&self.agents).map_err(|error| Failure::wrong(vec![error]))?;
        let agent = (kind.new)(seed, 0);
        let with_tables = self.state;
        let (ruleset, layout) = (loaded.ruleset.clone(), loaded.layout.clone());
        let played = loaded.call(move |rules| {
            let outcome = run(
                rules,
                Request {
                    start: Entry::Game,
                    seed,
                    log: Vec::new(),
                    resolved: Vec::new(),
                    agent: Some(agent),
                    until: Until::End,
                    recording: Some(Recording::new(with_tables)),
                },
            );
            (trace::lines(&ruleset, &layout, seed, &outcome, with_tables), outcome.end)
        });
        let (lines, end) = played.map_err(|error| Failure::no(vec![error]))?;
        let mut text = String::new();
        for line in lines {
            text.push_str(&line.to_string());
            text.push('\n');
        }
        if self.out.as_os_str() == "-" {
            context.terminal.print(&text);
        } else {
            write_whole(&self.out, &text).map_err(|error| Failure::wrong(vec![error]))?;
        }
        match end {
            End::Finished => Ok(FINE),
            End::Failed(diagnostic) | End::Endless(diagnostic) => Err(Failure::no(vec![*diagnostic])),
            End::Halted(_) => Err(Failure { diagnostics: vec![Diagnostic::new("nobody answered")], code: NO }),
        }
    }
}
