//! The command `houserule report`: combining the parts of a simulation.

use super::out_file::refuse_shared;
use super::sim::ReportFormat;
use super::{Context, Failure, Outcome, Printout};
use crate::catalogue::message;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::files::path_name;
use crate::lab::shard::{MAX_BYTES, Part};
use clap::Args;
use std::path::PathBuf;

/// Combine the parts of a simulation into one report
#[derive(Debug, Args)]
pub(super) struct Report {
    /// Files that `houserule sim --out` wrote
    #[arg(required = true)]
    parts: Vec<PathBuf>,

    #[command(flatten)]
    told: ReportFormat,
}

impl Report {
    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        for part in &self.parts {
            refuse_shared(std::iter::once(part).chain(&self.told.html))?;
        }
        let page = self.told.begin(context)?;
        let read = |path: &PathBuf| -> Result<(String, Part), Diagnostics> {
            let name = path_name(path);
            let text = context.library.files().read_up_to(path, &name, MAX_BYTES)?;
            let part = Part::parse(&name, &text.text)?;
            Ok((name, part))
        };
        let parts = self.parts.iter().map(read).collect::<Result<_, _>>().map_err(Failure::wrong)?;
        let whole = Part::merge(parts).map_err(Failure::wrong)?;
        if whole.missing() > 0 {
            let message = message!("{} of {} games are in none of these parts", whole.missing(), whole.plan.games);
            out.tell([&Diagnostic::warning(message).help("the figures are of the games that are there")]);
        }
        let (code, written) = self.told.tell(&whole, false, page, context, out);
        written.map(|()| code)
    }
}
