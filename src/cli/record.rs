//! The command `houserule record`: a saved game as a test of rules.

use super::replay::read_saved;
use super::{Context, EXIT_SUCCESS, Failure, Outcome, Printout};
use crate::catalogue::{message, say};
use crate::definition::is_id;
use crate::diagnostic::{Diagnostic, visible};
use crate::files::path_name;
use crate::host::file::write_new;
use crate::playthrough::saved_game::SavedGame;
use crate::playthrough::timeline::Timeline;
use crate::ruleset::shell_quoted;
use crate::scenario::{Scenario, TITLE_OF_RECORDED, check_file_name, only_saved, place};
use clap::Args;
use std::path::{Path, PathBuf};

/// Turn a saved game into a scenario: its answers, and the state after the last one
#[derive(Debug, Args)]
pub(super) struct Record {
    /// The saved game, or the text that `bug` wrote; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Id of the scenario; default: the name of the file
    id: Option<String>,

    /// What the scenario shows, in one sentence
    #[arg(long, value_name = "TEXT", default_value = TITLE_OF_RECORDED)]
    title: String,

    /// Where to write; default: tests/scenarios/GAME/ID.toml; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Use the rules on disk, even if the saved game contains its own
    #[arg(long)]
    under_disk: bool,
}

impl Record {
    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        let read = read_saved(context.library.files(), &self.file).map_err(Failure::wrong)?;
        let stem = self.file.file_stem().unwrap_or_default().to_string_lossy();
        let id = self.id.clone().unwrap_or_else(|| if stem == "-" { "recorded".to_owned() } else { stem.into_owned() });
        let timeline = Timeline::new(read.replay.log.clone());
        let (library, work) = (&context.library, context.work.clone());
        let hint = "`--under-disk` uses those".into();
        let opened = SavedGame::along(&read, timeline, &self.file, library, (self.under_disk, &hint), work)
            .map_err(Failure::wrong)?;
        opened.notes().for_each(|line| out.line(&line));
        if opened.playthrough.timeline().log().len() < read.replay.log.len() {
            let error = Diagnostic::new("only a game that still fits its rules can be recorded");
            return Err(Failure::no(error.help("`houserule replay FILE` shows where it no longer fits")));
        }
        let text = Scenario::record(&opened.playthrough, &opened.library, (&id, &self.title), &context.work)
            .map_err(Failure::no)?;
        let game = &opened.playthrough.loaded().ruleset.game.id;
        let target = match &self.out {
            Some(target) => target.clone(),
            None if is_id(&id) => place(&context.folder, game, &id),
            None => {
                let error = Diagnostic::new(message!("`{}` cannot be the name of a scenario's file", visible(&id)));
                let help = "give an id of lower-case letters and digits, with single `-` between them, or `-o FILE`";
                return Err(Failure::wrong(error.help(help)));
            }
        };
        if target == Path::new("-") {
            out.text(&text);
            return Ok(EXIT_SUCCESS);
        }
        check_file_name(&target).map_err(Failure::wrong)?;
        write_new(&target, &text).map_err(Failure::wrong)?;
        let shown = visible(&path_name(&target)).into_owned();
        out.line(&say!("wrote {shown}"));
        out.tell(&only_saved(&opened.playthrough.loaded().ruleset, library));
        out.line(&say!(
            "now: `houserule test {}{}`; delete what does not matter",
            shell_quoted(&path_name(&target)),
            context.to_same_folder
        ));
        Ok(EXIT_SUCCESS)
    }
}
