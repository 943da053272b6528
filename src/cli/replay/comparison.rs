//! A saved game under its own rules, side by side with the same game under the rules on disk.

use super::{Replay, read_saved};
use crate::catalogue::{message, said};
use crate::cli::diff::side_by_side;
use crate::cli::{Context, EXIT_NEGATIVE, EXIT_SUCCESS, Failure, Outcome, Printout};
use crate::diagnostic::{Diagnostic, visible};
use crate::files::path_name;
use crate::playthrough::replay::Replay as Saved;
use crate::playthrough::{Playable, Playthrough};
use crate::ruleset::Ruleset;
use crate::screen;
use std::sync::Arc;

impl Replay {
    /// Shows the only given game under its own rules, side by side with the same game under the rules on disk.
    pub(super) fn show_comparison(&self, context: &Context, out: &mut Printout) -> Outcome {
        let path = self.only_path("--diff")?;
        let read = read_saved(context.library.files(), path).map_err(Failure::wrong)?;
        out.tell(&read.warnings);
        if read.replay.rules.is_empty() {
            let error = Diagnostic::new(message!("`{}` does not contain its rules", visible(&path_name(path))));
            let help = "rules that come with Houserule are saved by name; `save FILE with rules` saves the text of all";
            return Err(Failure::wrong(error.help(help)));
        }
        let (today, _) = read.rules_on_disk(&context.library, path).map_err(Failure::wrong)?;
        read.check_rules(&today).map_err(Failure::wrong)?;
        let Saved { seed, players, log, .. } = &read.replay;
        let start = |ruleset: Ruleset| {
            let loaded =
                Playable::compile(Arc::new(ruleset), *players, context.work.clone()).map_err(Failure::wrong)?;
            Playthrough::start(loaded, *players, *seed, log.clone()).map_err(Failure::no)
        };
        let (then, broken) = start(self.rules(context, path, &read).map_err(Failure::wrong)?)?;
        let (now, misfit) = start(today)?;
        if let Some(misfit) = broken {
            let error = Diagnostic::new(message!("move {} does not fit the rules in the file", misfit.number));
            return Err(Failure::no(error.help("`houserule replay FILE` shows more")));
        }
        context.work.check_stopped().map_err(Failure::no)?;
        let (scene, comparison) = side_by_side(context, &then, &now, misfit.as_ref(), None);
        if self.json {
            out.json(&comparison.to_json());
        } else {
            out.show(screen::comparison(
                &scene,
                &comparison,
                [said("the rules in the file"), said("the rules on disk")],
                self.all,
            ));
        }
        Ok(if comparison.is_nothing() && !comparison.has_failed() { EXIT_SUCCESS } else { EXIT_NEGATIVE })
    }
}
