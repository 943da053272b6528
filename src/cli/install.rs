//! `houserule install`, `update`, `uninstall`, `unpack`: what becomes of a pack that somebody was sent.

use super::pack::check;
use super::packs::is_pack;
use super::show_file::{changes_as_json, pack_as_json};
use super::{Context, FINE, Failure, NO, Outcome, Printout};
use crate::definition::{Layer, Library};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity, unknown_or, visible};
use crate::files::Files as _;
use crate::host::disk::Disk;
use crate::host::file::write_new;
use crate::host::packs::{Held, Installed, installed, mounted};
use crate::host::terminal::{columns, output_columns};
use crate::playthrough::Playable;
use crate::ruleset::Ruleset;
use crate::scenario::FOLDER;
use crate::screen::rule_changes;
use crate::share::changes::Changes;
use crate::share::{Pack, PackFile, SAVES, contents, fit};
use clap::Args;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Install a pack: check it, run its scenarios, and make it available in every folder
#[derive(Debug, Args)]
pub(super) struct Install {
    /// The pack
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// Replace an installed pack with a newer one, and show the differences
#[derive(Debug, Args)]
pub(super) struct Update {
    /// The newer pack
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Only show what would be different
    #[arg(long)]
    dry_run: bool,

    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// Remove an installed pack
#[derive(Debug, Args)]
pub(super) struct Uninstall {
    /// Its id, as `houserule list --installed` shows it
    id: String,
}

/// Unpack a pack into files that you can edit
#[derive(Debug, Args)]
pub(super) struct Unpack {
    /// The pack, or the id of one that is installed
    #[arg(value_name = "FILE|ID")]
    what: String,
}

impl Install {
    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        let held = Held::take().map_err(Failure::wrong)?;
        let file = read(&self.file, context)?;
        if let Some(old) = same_id(&file.pack) {
            let shown = visible(&self.file.display().to_string()).into_owned();
            return Err(Failure::no(match old.read {
                Ok(old) if old.pack == file.pack => {
                    Diagnostic::new(format!("`{}` is installed already", file.pack.title()))
                }
                Ok(old) => Diagnostic::new(format!(
                    "`{}` is installed, and this is another `{}`",
                    old.pack.title(),
                    file.pack.title()
                ))
                .help(format!("`houserule update {shown}` puts this one in its place, and tells what is different")),
                Err(_) => Diagnostic::new(format!("`{}` is installed, and damaged", file.pack.id))
                    .help(format!("`houserule uninstall {}` takes it away", file.pack.id)),
            }));
        }
        let passed = try_out(&file, &self.file, context, out)?;
        let path = held.keep(&file.pack).map_err(Failure::wrong)?;
        if self.json {
            let mut report = pack_as_json(&file.pack);
            report["path"] = json!(path.display().to_string());
            out.json(&report);
        } else {
            out.line(&passed);
            out.line(&format!("installed {}: {}", visible(&file.pack.title()), contents(&file.pack)));
            out.line(&format!("now: `{}`", file.pack.play.selection.command("play")));
        }
        Ok(FINE)
    }
}

impl Update {
    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        let held = Held::take().map_err(Failure::wrong)?;
        let file = read(&self.file, context)?;
        let shown = visible(&self.file.display().to_string()).into_owned();
        let Some(Installed { path: old_path, read: Ok(old) }) = same_id(&file.pack) else {
            let error = Diagnostic::new(format!("`{}` is not installed", file.pack.id));
            return Err(Failure::no(error.help(format!("`houserule install {shown}` installs it"))));
        };
        if old.pack == file.pack {
            out.line(&format!("{} is the one that is installed", visible(&file.pack.title())));
            return Ok(FINE);
        }
        if old.pack.version > file.pack.version {
            let error = Diagnostic::new(format!(
                "`{}` is installed, which is newer than `{}`",
                old.pack.title(),
                file.pack.title()
            ));
            return Err(Failure::no(
                error.help(format!("to go back to it, `houserule uninstall {}` first", file.pack.id)),
            ));
        }
        let passed = try_out(&file, &self.file, context, out)?;
        let changes = between((&old, &old_path), (&file, &self.file), context);
        if !self.dry_run {
            held.keep(&file.pack).map_err(Failure::wrong)?;
        }
        if self.json {
            out.json(&json!({
                "old": pack_as_json(&old.pack),
                "new": pack_as_json(&file.pack),
                "changes": changes.as_ref().map(changes_as_json),
                "updated": !self.dry_run,
            }));
            return Ok(FINE);
        }
        out.line(&passed);
        let (from, to) = (old.pack.title(), file.pack.title());
        out.line(&format!(
            "{} {} to {}",
            if self.dry_run { "would update" } else { "updated" },
            visible(&from),
            visible(&to)
        ));
        match changes {
            Some(changes) => {
                out.show(rule_changes(&changes, ("old", "new"), output_columns().unwrap_or_else(columns)));
                let tests = differing(&old.pack, &file.pack);
                for path in &tests {
                    out.line(&format!("  {path}"));
                }
                if changes.is_nothing() && tests.is_empty() {
                    out.line("no rule is another one");
                }
            }
            None => out.line("what is different cannot be told: the old rules cannot be used any more"),
        }
        Ok(FINE)
    }
}

impl Uninstall {
    pub(super) fn run(&self, out: &mut Printout) -> Outcome {
        let held = Held::take().map_err(Failure::wrong)?;
        let found = installed_as(&self.id)?;
        held.remove(&found.path).map_err(Failure::wrong)?;
        let title = found.read.map_or_else(|_| id_of(&found.path), |file| file.pack.title());
        out.line(&format!("uninstalled {}", visible(&title)));
        Ok(FINE)
    }
}

impl Unpack {
    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        let file = if is_pack(&self.what, context.library.files()) {
            read(Path::new(&self.what), context)?
        } else {
            installed_as(&self.what)?.read.map_err(Failure::wrong)?
        };
        let places: Vec<(PathBuf, &str)> =
            file.pack.files.iter().map(|inside| (context.folder.join(&inside.path), &*inside.text)).collect();
        let is_same =
            |path: &Path, text: &str| Disk.read_up_to(path, "", u64::MAX / 2).is_ok_and(|found| found.text == text);
        let (there, new): (Vec<_>, Vec<_>) =
            places.iter().partition(|(path, _)| std::fs::symlink_metadata(path).is_ok());
        if let Some((path, _)) = there.iter().find(|(path, text)| !is_same(path, text)) {
            let error = Diagnostic::new(format!("`{}` is there already, and is another one", path.display()));
            return Err(Failure::wrong(error.help("nothing was written; `--dir FOLDER` names another folder")));
        }
        for (number, (path, text)) in new.iter().enumerate() {
            if let Err(errors) =
                outside(&context.folder, path).map_or_else(|| write_new(path, text), |error| Err(error.into()))
            {
                // Half a pack would stand in the way of the next try.
                new[..number].iter().for_each(|(path, _)| drop(std::fs::remove_file(path)));
                return Err(Failure::wrong(errors));
            }
        }
        for (path, _) in &new {
            out.line(&format!("wrote {}", visible(&path.display().to_string())));
        }
        if new.is_empty() {
            out.line("everything is there already");
        }
        let play = file.pack.play.selection.command("play");
        out.line(&format!("now: `{play} --watch{}`", context.to_same_folder));
        Ok(FINE)
    }
}

/// That a link leads out of the folder that something is to be written in.
fn outside(folder: &Path, path: &Path) -> Option<Diagnostic> {
    let mut place = folder.to_owned();
    let inside = path.strip_prefix(folder).ok()?;
    for part in inside.parent()?.components() {
        place.push(part);
        if place.is_symlink() {
            let error = Diagnostic::new(format!("`{}` is a link, which may lead elsewhere", place.display()));
            return Some(error.help("nothing was written; `--dir FOLDER` names another folder"));
        }
    }
    None
}

/// A pack that is as it was made, for this Houserule.
fn read(path: &Path, context: &Context) -> Result<PackFile, Failure> {
    let typed = path.display().to_string();
    let file = Pack::read(context.library.files(), path).map_err(|errors| {
        if crate::definition::is_id(&typed) {
            let file = format!("{typed}{}", crate::share::ENDING);
            return Failure::wrong(errors.help(format!("a pack is a file, such as `{file}`")));
        }
        Failure::wrong(errors)
    })?;
    file.whole().and_then(Pack::check_houserule).map_err(Failure::no)?;
    Ok(file)
}

/// Tries a pack out before it is kept: whether what it rests on is here, whether it takes the place of anything, whether
/// its rules hold and its scenarios pass.
fn try_out(file: &PackFile, path: &Path, context: &Context, out: &mut Printout) -> Result<String, Failure> {
    let common = Library::common();
    refuse_clashes(&file.pack, &common).map_err(Failure::no)?;
    let library = mounted(&common, &[(path.to_owned(), file.clone())]);
    let differences = fit::differences(&file.pack, &library, &context.work);
    let (errors, others): (Vec<_>, Vec<_>) = differences.into_iter().partition(|one| one.severity == Severity::Error);
    Diagnostics::refuse(errors).map_err(Failure::no)?;
    out.tell(&others);
    let common = Context { library: common, ..context.clone() };
    check(file, path, &common, out)
        .map_err(|failure| Failure { diagnostics: failure.diagnostics.help("nothing was installed"), ..failure })
}

/// Refuses a pack that has another text for what is there already: one of the two would be hidden.
fn refuse_clashes(pack: &Pack, common: &Library) -> Result<(), Diagnostics> {
    let own = pack.file_name();
    let roots = common.roots().iter().filter(|root| root.file_name().is_none_or(|name| *name != *own));
    let mut troubles = Vec::new();
    for root in roots {
        for inside in
            pack.files.iter().filter(|inside| !inside.path.starts_with(FOLDER) && !inside.path.starts_with(SAVES))
        {
            let path = root.join(&inside.path);
            let files = common.files();
            let is_other =
                files.exists(&path) && !files.read(&path, &inside.path).is_ok_and(|found| found.text == inside.text);
            if is_other {
                let message =
                    format!("`{}` is there already, and is another one: {}", inside.path, files.name_of(&path));
                troubles.push(
                    Diagnostic::new(message)
                        .help("one would hide the other; `houserule play FILE` plays the pack without installing it"),
                );
            }
        }
    }
    troubles.truncate(5);
    Diagnostics::refuse(troubles)
}

/// What is different between two packs, in terms of rules; nothing where the old one cannot be used.
fn between(old: (&PackFile, &Path), new: (&PackFile, &Path), context: &Context) -> Option<Changes> {
    let common = Library::common();
    let load = |(file, path): (&PackFile, &Path)| {
        let library = mounted(&common, &[(path.to_owned(), file.clone())]);
        let ruleset = Ruleset::load(&library, &file.pack.play.selection).ok()?;
        let players = ruleset.definition.players.0;
        Playable::compile(Arc::new(ruleset), players, context.work.clone()).ok()
    };
    let (before, after) = (load(old)?, load(new)?);
    let in_old = |layer: &Layer| old.0.pack.holds(layer);
    let in_new = |layer: &Layer| new.0.pack.holds(layer);
    Some(Changes::between((&before, &in_old), (&after, &in_new)))
}

/// The scenarios and saved games that are others, in words.
fn differing(old: &Pack, new: &Pack) -> Vec<String> {
    let is_test = |path: &str| path.starts_with(FOLDER) || path.starts_with(SAVES) || path.starts_with("scripts/");
    let mut told = Vec::new();
    for file in new.files.iter().filter(|file| is_test(&file.path)) {
        match old.files.iter().find(|was| was.path == file.path) {
            None => told.push(format!("new: {}", file.path)),
            Some(was) if was.text != file.text => told.push(format!("changed: {}", file.path)),
            Some(_) => {}
        }
    }
    let gone = old.files.iter().filter(|file| is_test(&file.path) && !new.holds_path(&file.path));
    told.extend(gone.map(|file| format!("gone: {}", file.path)));
    told
}

/// What is installed under the id of a pack.
fn same_id(pack: &Pack) -> Option<Installed> {
    let name = pack.file_name();
    installed().into_iter().find(|one| one.path.file_name().is_some_and(|own| *own == *name))
}

/// What is installed and was named: by its id, or by the last part of it.
fn installed_as(typed: &str) -> Result<Installed, Failure> {
    let all = installed();
    let ids: Vec<String> = all.iter().map(|one| id_of(&one.path)).collect();
    let is_meant = |id: &str| id == typed || id.rsplit('/').next() == Some(typed);
    let exact = ids.iter().position(|id| id == typed);
    let found: Vec<usize> = ids.iter().enumerate().filter(|(_, id)| is_meant(id)).map(|(at, _)| at).collect();
    let at = match (exact, &found[..]) {
        (Some(at), _) | (None, &[at]) => at,
        (None, []) => {
            return Err(Failure::wrong(unknown_or(
                "installed pack",
                typed,
                ids.iter().map(String::as_str),
                "`houserule list --installed` shows what is installed",
            )));
        }
        (None, _) => {
            let error = Diagnostic::new(format!("several installed packs are called `{}`", visible(typed)));
            let names: Vec<&str> = found.iter().filter_map(|at| ids.get(*at)).map(String::as_str).collect();
            return Err(Failure::wrong(error.help(format!("say which: {}", names.join(", ")))));
        }
    };
    all.into_iter().nth(at).ok_or_else(|| Failure::wrong(Diagnostic::new("it is gone")))
}

/// The id of a pack that is installed, after its file.
pub(super) fn id_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    name.trim_end_matches(crate::share::ENDING).replace('+', "/")
}

/// Lists what is installed.
pub(super) fn list(as_json: bool, out: &mut Printout) -> Outcome {
    let all = installed();
    let mut trouble: Vec<Diagnostic> = Vec::new();
    let mut packs = Vec::new();
    for one in all {
        match one.read {
            Ok(file) => packs.push((one.path, file.pack)),
            Err(errors) => trouble.extend(errors),
        }
    }
    if as_json {
        let shown = packs.iter().map(|(path, pack)| {
            let mut shown = pack_as_json(pack);
            shown["path"] = json!(path.display().to_string());
            shown
        });
        let trouble: Vec<_> = trouble.iter().map(Diagnostic::to_json).collect();
        out.json(&json!({"packs": shown.collect::<Vec<_>>(), "trouble": trouble}));
    } else {
        let width = packs.iter().map(|(_, pack)| pack.title().len()).max().unwrap_or(0);
        for (_, pack) in &packs {
            let by = pack.author.as_ref().map_or(String::new(), |author| format!(" by {}", visible(author)));
            out.line(&format!("{:<width$}  {}{by}: {}", pack.title(), visible(&pack.name), contents(pack)));
        }
        if packs.is_empty() && trouble.is_empty() {
            out.line("nothing is installed; `houserule install FILE` installs a pack");
        }
        out.tell(&trouble);
    }
    Ok(if trouble.is_empty() { FINE } else { NO })
}
