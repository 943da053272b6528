//! The command `houserule upgrade`: upgrading files of an earlier edition to the current language.

use super::fmt::refuse_read_only;
use super::{Context, EXIT_NEGATIVE, EXIT_SUCCESS, Failure, Outcome, Printout};
use crate::catalogue::{said, say};
use crate::definition::toml_text::has_key;
use crate::definition::{Edition, Library};
use crate::diagnostic::{Diagnostic, visible};
use crate::files::Files;
use crate::host::disk::Disk;
use crate::host::file::{real_path, write_together};
use crate::playthrough::replay::MAX_BYTES;
use crate::script::format::with_ends_of;
use crate::share::upgrade::{Proof, Upgrade, Upgrades, is_in_scripts, is_unused_library};
use crate::sorted::SortedSet;
use clap::Args;
use std::path::{Path, PathBuf};

/// Write files of an earlier edition in the language of today, and play before and after to show that nothing changed
#[derive(Debug, Args)]
pub(super) struct UpgradeCommand {
    /// Files of games, variants, libraries and scenarios, or folders with them; saved games among them are played too
    #[arg(value_name = "FILE", required = true)]
    paths: Vec<PathBuf>,

    /// Only show what would change
    #[arg(long)]
    dry_run: bool,
}

impl UpgradeCommand {
    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        let library = &context.library;
        let (saves, rules): (Vec<PathBuf>, Vec<PathBuf>) =
            self.files().into_iter().partition(|path| is_saved_game(path, library));
        if rules.is_empty() {
            let error = Diagnostic::new("there is no file of rules to upgrade");
            return Err(Failure::wrong(error.help("name the file of a game, a variant, a library or a scenario")));
        }
        let mut upgrades = Upgrades::default();
        for path in &rules {
            match Upgrades::of(path, library) {
                Ok(more) => upgrades.extend(more),
                // A library that nobody asked for must not keep the others from being upgraded.
                Err(errors)
                    if !self.paths.contains(path)
                        && (is_library_of_script(path) || is_unused_library(path, library)) =>
                {
                    let left = |error: Diagnostic| error.as_warning().help("it is left as it is");
                    out.tell(&errors.into_iter().map(left).collect::<Vec<_>>());
                }
                Err(errors) => return Err(Failure::wrong(errors)),
            }
        }
        if upgrades.are_nothing() {
            out.line(&say!("everything is written in edition {} already", Edition::CURRENT));
            return Ok(EXIT_SUCCESS);
        }
        upgrades.files.iter().for_each(|file| tell(file, out));
        let counter = context.terminal.counter(&context.work);
        let proof = upgrades.proved(library, &saves, &context.work);
        drop(counter);
        context.work.check_stopped().map_err(Failure::no)?;
        out.line(&played(&proof));
        if !proof.differences.is_empty() {
            out.tell(&proof.differences);
            out.line(said("nothing was written: mend what is named above first"));
            return Ok(EXIT_NEGATIVE);
        }
        if self.dry_run {
            out.line(said("nothing was written: this is what would change"));
            return Ok(EXIT_SUCCESS);
        }
        let mut texts: Vec<(PathBuf, String)> = Vec::new();
        for file in upgrades.files.iter().filter(|file| file.text != file.source.text) {
            refuse_read_only(&file.path, &file.source.name).map_err(Failure::wrong)?;
            let bytes = std::fs::read(&file.path).unwrap_or_default();
            texts.push((file.path.clone(), with_ends_of(&String::from_utf8_lossy(&bytes), &file.text)));
        }
        let mut wrote = |path: &Path| out.line(&say!("wrote {}", visible(&path.display().to_string())));
        write_together(&texts, context.work.flag(), &mut wrote).map_err(Failure::wrong)?;
        Ok(EXIT_SUCCESS)
    }

    /// The files to upgrade, each once.
    fn files(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for path in &self.paths {
            match Disk.is_folder(path) {
                true => {
                    found.extend(Disk.toml_files_below(path));
                    let scripts = Disk.files_below(path, &["rhai"]).into_iter();
                    found.extend(scripts.filter(|script| is_library_of_script(script)));
                }
                false => found.push(path.clone()),
            }
        }
        found.sort();
        // Each once, by whatever paths it is reached.
        let mut seen = SortedSet::new();
        found.retain(|path| seen.insert(real_path(path)));
        found
    }
}

/// Whether a script is a library alone. Any other belongs to the definition beside it.
fn is_library_of_script(script: &Path) -> bool {
    is_in_scripts(script) && !Disk.exists(&script.with_extension("toml"))
}

fn is_saved_game(path: &Path, library: &Library) -> bool {
    let read = library.files().read_up_to(path, &library.files().name_of(path), MAX_BYTES);
    read.is_ok_and(|source| has_key(&source.text, "format"))
}

/// Shows the changes in a file.
fn tell(file: &Upgrade, out: &mut Printout) {
    if file.text == file.source.text {
        return;
    }
    out.line(&visible(&file.source.name));
    for (place, now) in &file.changes {
        let (line, column) = place.position();
        let was = place.source.text.get(place.span.clone()).unwrap_or_default();
        let was = if was.is_empty() { String::new() } else { format!("{} → ", visible(was)) };
        out.line(&format!("  {line}:{column}  {was}{}", visible(now.trim())));
    }
}

/// A summary of the games, scenarios and saved games played before and after.
fn played(proof: &Proof) -> String {
    let Proof { games, scenarios, saves, differences } = proof;
    match differences.is_empty() {
        true => {
            say!("the same before and after (games by chance: {games}, scenarios: {scenarios}, saved games: {saves})")
        }
        false => say!(
            "not the same before and after (games by chance: {games}, scenarios: {scenarios}, saved games: {saves})"
        ),
    }
}
