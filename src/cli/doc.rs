//! The command `houserule doc`: the rulebook of a game with its variants.

use super::numbers::{COUNTS, whole};
use super::out_file::{default_path, refuse_shared};
use super::packs::PackArguments;
use super::{Context, EXIT_SUCCESS, Failure, OutFile, Outcome, Printout, Rules, all_of, language_in_file_name};
use crate::catalogue::say;
use crate::diagnostic::visible;
use crate::files::FileFormat;
use crate::screen::html;
use crate::screen::rulebook::{Examples, Rulebook, RulebookScope, markdown};
use clap::Args;
use std::path::PathBuf;

/// Write the rulebook of a game, and mark what each variant changes
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("format").required(true).multiple(true).args(["html", "md"]))]
pub(super) struct Doc {
    #[command(flatten)]
    rules: Rules,

    /// Number of players that the rulebook is for; default: all that the game allows, and the fewest in the example
    #[arg(short, long, value_name = "N", value_parser = whole::<usize>(COUNTS))]
    players: Option<usize>,

    /// Write a web page to read or print; default file: GAME.html in this folder, with `--lang ja` GAME.ja.html; `-` is
    /// standard output
    #[arg(long, value_name = "OUT", num_args = 0..=1)]
    html: Option<Option<PathBuf>>,

    /// Write Markdown; default file: GAME.md in this folder, with `--lang ja` GAME.ja.md; `-` is standard output
    #[arg(long, value_name = "OUT", num_args = 0..=1)]
    md: Option<Option<PathBuf>>,

    /// Tell only what the variants make different, for a table that knows the game
    #[arg(long)]
    changes: bool,

    /// Overwrite OUT even if something else is there
    #[arg(long)]
    force: bool,
}

impl Doc {
    /// The arguments that may name packs.
    pub(super) fn pack_arguments(&mut self) -> PackArguments<'_> {
        PackArguments { players: Some(&mut self.players), ..self.rules.pack_arguments() }
    }

    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        let (loaded, _) = self.rules.load(context, self.players, out)?;
        let language = language_in_file_name(context.language);
        let named = |ending: &str| {
            let name = PathBuf::from(format!("{}.{language}{ending}", loaded.ruleset.game.id));
            // With two outputs, neither can be the default for standard output.
            if self.html.is_some() && self.md.is_some() { name } else { default_path(name) }
        };
        let target = |named_by: &Option<Option<PathBuf>>, ending: &str| {
            named_by.as_ref().map(|target| target.clone().unwrap_or_else(|| named(ending)))
        };
        let (page, text) = (target(&self.html, "html"), target(&self.md, "md"));
        // What cannot be written is refused before the other is.
        refuse_shared(page.iter().chain(&text))?;
        let begin = |target: Option<PathBuf>, format: FileFormat| {
            target.map(|target| OutFile::begin(&target, format, self.force, context)).transpose()
        };
        let (page, text) = (begin(page, html::rulebook::RULEBOOK)?, begin(text, markdown::RULEBOOK)?);
        let library = loaded.ruleset.library_with_kept_layers(&context.library);
        let extent = RulebookScope {
            language: context.language,
            players: self.players,
            changes: self.changes,
            examples: &Examples::of(&loaded, &library),
        };
        let book = Rulebook::of(&loaded, extent).map_err(Failure::no)?;
        let mut done = Vec::new();
        if let Some(file) = page {
            let page = html::rulebook::page(&book).map_err(Failure::no);
            done.push(page.and_then(|page| write(file, &page, context, out)));
        }
        if let Some(file) = text {
            done.push(write(file, &markdown::markdown(&book), context, out));
        }
        all_of(done).map(|()| EXIT_SUCCESS)
    }
}

/// Writes a file atomically.
fn write(file: OutFile, text: &str, context: &Context, out: &mut Printout) -> Result<(), Failure> {
    let name = file.target().name();
    file.write(context, text)?;
    if let Some(name) = name {
        let size = text.len().div_ceil(1000);
        out.line(&say!("wrote {}: {size} KB", visible(&name)));
    }
    Ok(())
}
