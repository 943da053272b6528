//! `houserule doc`: the rulebook of a game with its variants.

use super::packs::Named;
use super::{Context, FINE, Failure, Outcome, Printout, Rules};
use crate::catalogue::say;
use crate::definition::Language;
use crate::diagnostic::{Diagnostics, visible};
use crate::files::MayReplace;
use crate::files::{Format, path_name};
use crate::host::file::{Draft, cannot_be_written};
use crate::screen::html;
use crate::screen::rulebook::{Rulebook, markdown};
use clap::Args;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Write the rulebook of a game, and mark what each variant changes
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("format").required(true).multiple(true).args(["html", "md"]))]
pub(super) struct Doc {
    #[command(flatten)]
    rules: Rules,

    /// Number of players in the example; default: the fewest that the game allows
    #[arg(short, long, value_name = "N")]
    players: Option<usize>,

    /// Write a web page to read or print; default file: GAME.html in this folder, with `--lang ja` GAME.ja.html
    #[arg(long, value_name = "OUT", num_args = 0..=1)]
    html: Option<Option<PathBuf>>,

    /// Write Markdown; default file: GAME.md in this folder, with `--lang ja` GAME.ja.md
    #[arg(long, value_name = "OUT", num_args = 0..=1)]
    md: Option<Option<PathBuf>>,

    /// Overwrite OUT even if something else is there
    #[arg(long)]
    force: bool,
}

impl Doc {
    /// Where packs may be named.
    pub(super) fn named(&mut self) -> Named<'_> {
        Named { players: Some(&mut self.players), ..self.rules.named() }
    }

    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        let (loaded, _) = self.rules.load(context, self.players, out)?;
        let book = Rulebook::of(&loaded, context.language).map_err(Failure::no)?;
        let language = match context.language {
            Language::English => "",
            Language::Japanese => "ja.",
        };
        let named = |ending: &str| PathBuf::from(format!("{}.{language}{ending}", loaded.ruleset.game.id));
        if let Some(target) = &self.html {
            let target = target.clone().unwrap_or_else(|| named("html"));
            self.write(context, out, &target, html::rulebook::RULEBOOK, || html::rulebook::page(&book))?;
        }
        if let Some(target) = &self.md {
            let target = target.clone().unwrap_or_else(|| named("md"));
            self.write(context, out, &target, markdown::RULEBOOK, || Ok(markdown::markdown(&book)))?;
        }
        Ok(FINE)
    }

    /// Writes one file, whole or not at all.
    fn write(
        &self,
        context: &Context,
        out: &mut Printout,
        target: &Path,
        format: Format,
        text: impl FnOnce() -> Result<String, Diagnostics>,
    ) -> Result<(), Failure> {
        let may = if self.force { MayReplace::Anything } else { MayReplace::Only(format) };
        let mut draft = Draft::new(target, may, context.work.flag())?;
        let text = text().map_err(Failure::no)?;
        let written = draft.write_all(text.as_bytes()).and_then(|()| draft.finish());
        written.map_err(|error| Failure::wrong(cannot_be_written(target, &error)))?;
        let size = text.len().div_ceil(1000);
        out.line(&say!("wrote {}: {size} KB", visible(&path_name(target))));
        Ok(())
    }
}
