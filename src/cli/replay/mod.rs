//! The command `houserule replay`: do saved games still end the same?
//!
//! [One game](one) is shown with all details, [many] with a line for each that needs one; these can be saved again
//! under the rules on disk. One game can be shown [side by side](comparison) with itself under those rules, and written
//! as a [page].

mod comparison;
mod many;
mod one;
mod page;

use super::packs::PackArguments;
use super::{Context, Failure, Outcome, Printout};
use crate::catalogue::{Message, message};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::files::Files;
use crate::host::disk::standard_input;
use crate::playthrough::Playable;
use crate::playthrough::replay::{MAX_BYTES, Replay as Saved, ReplayFile};
use crate::ruleset::Ruleset;
use crate::share::SAVES;
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Replay saved games and check that they still end the same
#[derive(Debug, Args)]
pub(super) struct Replay {
    /// Saved games, or folders of them; for a single file, all details are shown. `-` reads standard input, also an e-mail
    /// that contains the text of `bug`
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Use the rules on disk, even if a saved game contains its own
    #[arg(long)]
    under_disk: bool,

    /// Save the games that still fit again, under the rules on disk; the others stay as they are
    #[arg(long, conflicts_with = "html")]
    update: bool,

    /// Show one saved game under its own rules and under those on disk, side by side from the first difference
    #[arg(long, conflicts_with_all = ["html", "update", "under_disk"])]
    diff: bool,

    /// With --diff: show every move that differs, not only the first ones
    #[arg(long, requires = "diff")]
    all: bool,

    /// Write JSON
    #[arg(long)]
    json: bool,

    /// Write one saved game as a page to step through in a browser; default file: next to the saved game; `-` is
    /// standard output
    #[arg(long, value_name = "OUT", num_args = 0..=1, conflicts_with = "json")]
    html: Option<Option<PathBuf>>,

    /// With --html: show only what this player sees
    #[arg(long = "as", value_name = "PLAYER", requires = "html")]
    seat: Option<String>,

    /// Overwrite the file of --html even if something else is there
    #[arg(long, requires = "html")]
    force: bool,
}

impl Replay {
    /// The arguments that may name packs.
    pub(super) fn pack_arguments(&mut self) -> PackArguments<'_> {
        PackArguments { files: Some((&mut self.paths, SAVES)), ..PackArguments::default() }
    }

    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        if let Some(page) = &self.html {
            return self.write_page(context, page.as_deref(), out);
        }
        if self.diff {
            return self.show_comparison(context, out);
        }
        self.check_pasted()?;
        match self.paths.as_slice() {
            [path] if !path.is_dir() && !self.update => self.run_one(context, path, out),
            _ => self.run_many(context, out),
        }
    }

    /// Refuses standard input among several files, and where the file would have to be overwritten.
    fn check_pasted(&self) -> Result<(), Failure> {
        if !self.paths.iter().any(|path| is_pasted(path)) {
            return Ok(());
        }
        if self.paths.len() > 1 {
            let error = Diagnostic::new("standard input is read by itself, not among files");
            return Err(Failure::wrong(error.help("`houserule replay -` reads what is pasted")));
        }
        if self.update {
            let error = Diagnostic::new("standard input cannot be saved again");
            let help = "write what is pasted into a file: `houserule replay --update game.toml`";
            return Err(Failure::wrong(error.help(help)));
        }
        Ok(())
    }

    /// The only file, for an option that takes just one.
    fn only_path(&self, option: &str) -> Result<&Path, Failure> {
        match self.paths.as_slice() {
            [path] if !path.is_dir() => Ok(path),
            _ => {
                let error = Diagnostic::new(message!("`{option}` is about one saved game"));
                Err(Failure::wrong(error.help(message!("give one file: `houserule replay game.toml {option}`"))))
            }
        }
    }

    /// Whether the rules on disk are used even if a saved game contains its own.
    fn is_under_disk(&self) -> bool {
        self.under_disk || self.update
    }

    /// The rules to replay a saved game under.
    fn rules(&self, context: &Context, path: &Path, read: &ReplayFile) -> Result<Ruleset, Diagnostics> {
        let rules = if self.is_under_disk() { ReplayFile::rules_on_disk } else { ReplayFile::rules };
        let (ruleset, _) = rules(read, &context.library, path)?;
        read.check_rules(&ruleset)?;
        Ok(ruleset)
    }

    /// The compiled rules to replay a saved game under, with a note on how those on disk differ.
    fn load(
        &self,
        context: &Context,
        path: &Path,
        read: &ReplayFile,
    ) -> Result<(Playable, Option<Message>), Diagnostics> {
        let ruleset = self.rules(context, path, read)?;
        let on_disk = if self.is_under_disk() { None } else { read.other_on_disk(&ruleset, &context.library, path) };
        Ok((Playable::compile(Arc::new(ruleset), read.replay.players, context.work.clone())?, on_disk))
    }
}

/// Whether a path stands for standard input.
fn is_pasted(path: &Path) -> bool {
    path == Path::new("-")
}

/// Reads a saved game from a file, or from a text pasted into standard input.
///
/// # Errors
/// The input cannot be read, or holds no saved game.
pub(super) fn read_saved(files: &dyn Files, path: &Path) -> Result<ReplayFile, Diagnostics> {
    if !is_pasted(path) {
        return Saved::read(files, path);
    }
    Saved::pasted(&*standard_input(MAX_BYTES)?)
}
