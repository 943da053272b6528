//! `houserule replay`: does a saved game still come out the same?

use super::{Context, FINE, Failure, NO, Outcome};
use crate::playthrough::replay;
use crate::playthrough::{Loaded, Playthrough};
use crate::ruleset::Ruleset;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;

/// Run a saved game again and tell whether it still comes out the same
#[derive(Debug, Args)]
pub(super) struct Replay {
    /// The saved game
    file: PathBuf,

    /// Write JSON
    #[arg(long)]
    json: bool,
}

impl Replay {
    pub(super) fn run(&self, context: &Context) -> Outcome {
        let read = replay::Replay::read(&self.file).map_err(Failure::wrong)?;
        let saved = read.replay;
        let ruleset = Ruleset::load(&context.library, &saved.selection).map_err(Failure::wrong)?;
        let same_rules = ruleset.hash == saved.ruleset;
        let loaded = Loaded::compile(Arc::new(ruleset), saved.players, context.interrupt.clone());
        let started = Playthrough::start(loaded.map_err(Failure::wrong)?, saved.players, saved.seed, saved.log.clone());
        let (playthrough, misfit) = started.map_err(|error| Failure::no(vec![error]))?;
        let position = playthrough.position();
        let same_scores = saved.result.as_ref().is_none_or(|result| {
            result.scores == position.scores && result.over == (position.open.is_none() && position.failed.is_none())
        });
        let fits = misfit.is_none() && position.failed.is_none();
        let fine = fits && same_scores;
        if self.json {
            let report = json!({
                "file": self.file.display().to_string(),
                "entries": saved.log.len(),
                "played": playthrough.timeline().cursor(),
                "same_rules": same_rules,
                "same_result": fine,
                "scores": position.scores,
                "saved_scores": saved.result.as_ref().map(|result| &result.scores),
                "misfit": misfit.as_ref().map(|misfit| json!({
                    "entry": misfit.number, "what": misfit.entry.to_string(), "reason": misfit.reason,
                })),
                "warnings": read.warnings.iter().map(|warning| warning.to_json()).collect::<Vec<_>>(),
                "failed": position.failed.as_ref().map(|failed| failed.to_json()),
            });
            context.terminal.print_line(&report.to_string());
            return Ok(if fine { FINE } else { NO });
        }
        read.warnings.iter().for_each(|warning| context.terminal.warn(warning));
        if !same_rules {
            context.terminal.print_line("the rules have changed since this game was saved");
        }
        if let Some(failed) = &position.failed {
            context.terminal.complain(failed);
        }
        let (played, entries) = (playthrough.timeline().cursor(), saved.log.len());
        match &misfit {
            Some(misfit) => context.terminal.print_line(&format!(
                "{played} of {entries} moves still fit; move {}, {}, does not: {}",
                misfit.number, misfit.entry, misfit.reason
            )),
            None => context.terminal.print_line(&format!("{played} of {entries} moves fit")),
        }
        let scores = |scores: &[i64]| scores.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        match saved.result {
            Some(result) if !same_scores => context.terminal.print_line(&format!(
                "scores {} instead of {}",
                scores(&position.scores),
                scores(&result.scores)
            )),
            _ => context.terminal.print_line(&format!("scores {}", scores(&position.scores))),
        }
        Ok(if fine { FINE } else { NO })
    }
}
