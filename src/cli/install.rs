//! The commands `houserule install`, `update` and `uninstall`: packs that are available in every folder.

use super::pack::check;
use super::show_file::{changes_as_json, pack_as_json};
use super::{Context, EXIT_NEGATIVE, EXIT_SUCCESS, Failure, Outcome, Printout};
use crate::catalogue::{message, said, say};
use crate::definition::{ANY_GAME, Library, RuleFile};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity, listed, unknown_or, visible};
use crate::files::path_name;
use crate::host::disk::Disk;
use crate::host::packs::{InstalledPack, LockedFolder, check_folder, has_room, installed, mounted, places};
use crate::host::terminal::{columns, output_columns};
use crate::inspect::changes::Changes;
use crate::ruleset::shell_quoted;
use crate::scenario::FOLDER;
use crate::screen::rule_changes;
use crate::share::contents::{PackContents, conflicting_variants};
use crate::share::{
    MAX_BYTES, Pack, PackFile, RecommendedGame, SAVES, bytes_of, contents_summary, fit, is_picture_path,
};
use clap::Args;
use semver::Version;
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

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

impl Install {
    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        let file = read(&self.file, context)?;
        self.refuse_installed(&file.pack)?;
        let passed = try_out(&file, (&self.file, "install"), context, out)?;
        let held = LockedFolder::take().map_err(Failure::wrong)?;
        // Another program may have installed something meanwhile.
        self.refuse_installed(&file.pack)?;
        refuse_clashes(&file.pack, &Disk::common(), (&self.file, "install")).map_err(Failure::no)?;
        let path = held.keep(&file.pack).map_err(Failure::wrong)?;
        report_hidden_rules(&file.pack, context, out);
        if self.json {
            let mut report = pack_as_json(&file.pack);
            report["path"] = json!(path_name(&path));
            out.json(&report);
        } else {
            out.line(&passed);
            out.line(&say!("installed {}: {}", visible(&file.pack.title()), contents_summary(&file.pack).told()));
            out.line(&say!("now: `{}`", file.pack.play.selection.command("play")));
        }
        Ok(EXIT_SUCCESS)
    }

    /// Refuses a pack of which a version is installed, and one more than the maximum.
    fn refuse_installed(&self, pack: &Pack) -> Result<(), Failure> {
        let Some(old) = InstalledPack::like(pack) else { return has_room().map_err(Failure::no) };
        Err(Failure::no(match old.read {
            Ok(old) if old.pack == *pack => Diagnostic::new(message!("`{}` is installed already", pack.title())),
            Ok(old) => {
                let file = path_name(&self.file);
                let file = shell_quoted(&file);
                let (old, new) = (old.pack.title(), pack.title());
                Diagnostic::new(message!("`{old}` is installed, and this is another `{new}`"))
                    .help(message!("`houserule update {file}` replaces it with this one, and shows what is different"))
            }
            Err(_) => damaged(pack, &old.path, &self.file),
        }))
    }
}

impl Update {
    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        let file = read(&self.file, context)?;
        let found = self.older(&file.pack)?;
        let held = if self.dry_run { None } else { Some(LockedFolder::take().map_err(Failure::wrong)?) };
        // Another program may have changed the pack while this one waited for the lock.
        let (old_path, old) = if held.is_some() { self.older(&file.pack)? } else { found };
        if old.pack == file.pack {
            match self.json {
                true => out.json(&update_as_json(&old.pack, &file.pack, Some(&Changes::default()), false)),
                false => out.line(&say!("{} is already installed", visible(&file.pack.title()))),
            }
            return Ok(EXIT_SUCCESS);
        }
        let passed = try_out(&file, (&self.file, "update"), context, out)?;
        let changes = between((&old, &old_path), (&file, &self.file), context);
        if let Some(held) = &held {
            held.keep(&file.pack).map_err(Failure::wrong)?;
            report_hidden_rules(&file.pack, context, out);
        }
        if self.json {
            out.json(&update_as_json(&old.pack, &file.pack, changes.as_ref(), held.is_some()));
            return Ok(EXIT_SUCCESS);
        }
        out.line(&passed);
        let (from, to) = (old.pack.title(), file.pack.title());
        let (from, to) = (visible(&from), visible(&to));
        out.line(&match self.dry_run {
            true => say!("would update {from} to {to}"),
            false => say!("updated {from} to {to}"),
        });
        let others = differing(&old.pack, &file.pack);
        let is_same = others.is_empty() && changes.as_ref().is_some_and(Changes::is_nothing);
        match changes {
            Some(changes) => {
                out.show(rule_changes(&changes, (said("old"), said("new")), output_columns().unwrap_or_else(columns)));
            }
            None => out.line(said("the differences of the rules cannot be shown: the old ones can no longer be used")),
        }
        others.iter().for_each(|other| out.line(&format!("  {other}")));
        if is_same {
            out.line(said("no rule is different"));
        } else if old.pack.version == file.pack.version {
            out.tell([&same_version(&file.pack)]);
        }
        Ok(EXIT_SUCCESS)
    }

    /// The installed pack to be replaced by a newer one, and its path.
    fn older(&self, new: &Pack) -> Result<(PathBuf, PackFile), Failure> {
        let Some(InstalledPack { path, read }) = InstalledPack::like(new) else {
            // Its rules may have come with another pack, which then prevents an installation too.
            refuse_clashes(new, &Disk::common(), (&self.file, "install")).map_err(Failure::no)?;
            let file = path_name(&self.file);
            let file = shell_quoted(&file);
            let error = Diagnostic::new(message!("`{}` is not installed", new.id));
            return Err(Failure::no(error.help(message!("`houserule install {file}` installs it"))));
        };
        let Ok(old) = read else { return Err(Failure::no(damaged(new, &path, &self.file))) };
        if is_newer(old.pack.version.as_ref(), new.version.as_ref()) {
            let (old, title) = (old.pack.title(), new.title());
            let error = Diagnostic::new(message!("`{old}` is installed, which is newer than `{title}`"));
            return Err(Failure::no(error.help(message!("to go back to it, `houserule uninstall {}` first", new.id))));
        }
        Ok((path, old))
    }
}

/// Whether a version precedes another in order. Build metadata does not count.
fn is_newer(version: Option<&Version>, other: Option<&Version>) -> bool {
    match (version, other) {
        (Some(version), Some(other)) => version.cmp_precedence(other).is_gt(),
        (version, other) => version > other,
    }
}

/// An error that two different packs have the same version.
fn same_version(pack: &Pack) -> Diagnostic {
    let note = match &pack.version {
        Some(version) => Diagnostic::note(message!("both packs are version {version}, and they are different")),
        None => Diagnostic::note("neither pack says its version, and they are different"),
    };
    note.help("its author can tell them apart with a new `version` for every change")
}

/// The effect of an update, as JSON.
fn update_as_json(old: &Pack, new: &Pack, changes: Option<&Changes>, updated: bool) -> Json {
    json!({
        "old": pack_as_json(old),
        "new": pack_as_json(new),
        "changes": changes.map(changes_as_json),
        "updated": updated,
    })
}

impl Uninstall {
    pub(super) fn run(&self, out: &mut Printout) -> Outcome {
        let held = LockedFolder::take().map_err(Failure::wrong)?;
        let unknown = || {
            let ids: Vec<String> = places().iter().map(|path| id_of(path)).collect();
            let help = "`houserule list --installed` shows what is installed";
            Failure::wrong(unknown_or("installed pack", &self.id, ids.iter().map(String::as_str), help))
        };
        let found = installed_as(&self.id)?.ok_or_else(unknown)?;
        held.remove(&found.path).map_err(Failure::wrong)?;
        let title = found.read.as_ref().map_or_else(|_| id_of(&found.path), |file| file.pack.title());
        out.line(&say!("uninstalled {}", visible(&title)));
        if let Ok(file) = &found.read {
            out.tell(&dependents_warning(&file.pack));
        }
        Ok(EXIT_SUCCESS)
    }
}

/// A warning that other installed packs rest on one that was uninstalled; `None` if none do.
fn dependents_warning(pack: &Pack) -> Option<Diagnostic> {
    let rests_on_it = |other: &Pack| other.rests_on.iter().any(|required| pack.holds_path(&required.path));
    let others = installed().into_iter().filter_map(|one| one.read.ok()).filter(|file| rests_on_it(&file.pack));
    let ids: Vec<String> = others.map(|file| file.pack.id).collect();
    if ids.is_empty() {
        return None;
    }
    let names = listed(ids.iter().map(String::as_str));
    let warning = Diagnostic::warning(message!("installed packs rest on `{}`: {names}", pack.id));
    Some(warning.help("they cannot be played without it: install it again, or uninstall them too"))
}

/// Reads a pack, and checks that it is unchanged and for this version of Houserule.
pub(super) fn read(path: &Path, context: &Context) -> Result<PackFile, Failure> {
    let typed = path_name(path);
    let file = Pack::read(context.library.files(), path).map_err(|errors| {
        if crate::definition::is_id(&typed) {
            let file = format!("{typed}{}", crate::share::ENDING);
            return Failure::wrong(errors.help(message!("a pack is a file, such as `{file}`")));
        }
        Failure::wrong(errors)
    })?;
    file.whole().and_then(Pack::check_houserule).map_err(Failure::no)?;
    Ok(file)
}

/// Tests a pack before it is installed: its requirements, clashes with other packs, its rules and its scenarios.
/// `given` is its file and the name of the command.
fn try_out(file: &PackFile, given: (&Path, &str), context: &Context, out: &mut Printout) -> Result<String, Failure> {
    let common = others_than(&file.pack);
    let path = given.0;
    refuse_clashes(&file.pack, &common, given).map_err(Failure::no)?;
    let library = mounted(&common, &[(path.to_owned(), file.clone())]);
    let differences = fit::differences(&file.pack, &library, &context.work);
    let (errors, others): (Vec<_>, Vec<_>) = differences.into_iter().partition(|one| one.severity == Severity::Error);
    Diagnostics::refuse(errors).map_err(Failure::no)?;
    out.tell(&others);
    let common = Context { library: common, ..context.clone() };
    check(file, path, &common, out)
        .map_err(|failure| Failure { diagnostics: failure.diagnostics.help("nothing was installed"), ..failure })
}

/// Refuses a pack with texts that differ from existing ones at the same paths, because one would hide the other.
/// `given` is its file and the name of the command.
fn refuse_clashes(pack: &Pack, common: &Library, given: (&Path, &str)) -> Result<(), Diagnostics> {
    let (own, packs) = (pack.file_name(), installed());
    let library = mounted(common, &[(given.0.to_owned(), PackFile::unsaved(pack.clone()))]);
    let roots = common.roots().iter().filter(|root| root.file_name().is_none_or(|name| *name != *own));
    let mut troubles = Vec::new();
    for root in roots {
        let others = others_in(root, pack, common);
        let rivals = conflicting_variants(root, (pack, given.0), &library);
        match packs.iter().find(|one| one.path == *root) {
            Some(one) if !others.is_empty() || !rivals.is_empty() => {
                troubles.push(has_others(one, &others, &rivals, given));
            }
            _ => {
                let there = |path: &str| library.files().name_of(&root.join(path));
                let others = others.iter().map(|path| {
                    Diagnostic::new(message!("`{path}` already exists, and is different: {}", there(path)))
                });
                let rivals = rivals.iter().map(|path| {
                    Diagnostic::new(message!("there is another variant with the same id: {}", there(path)))
                });
                troubles.extend(others.chain(rivals).map(|error| error.help(NOT_INSTALLED)));
            }
        }
    }
    troubles.truncate(5);
    Diagnostics::refuse(troubles)
}

/// The advice on a pack that cannot be installed.
const NOT_INSTALLED: &str = "one would hide the other; `houserule play FILE` plays the pack without installing it";

/// The paths of a pack's rules for which a different text exists below a root.
fn others_in<'p>(root: &Path, pack: &'p Pack, library: &Library) -> Vec<&'p str> {
    let files = library.files();
    let is_other = |inside: &&RuleFile| {
        let path = root.join(&inside.path);
        let is_same = || match is_picture_path(&inside.path) {
            true => files
                .bytes_up_to(&path, &inside.path, MAX_BYTES)
                .is_ok_and(|found| found == bytes_of(Path::new(&inside.path), &inside.text)),
            false => files.read(&path, &inside.path).is_ok_and(|found| found.text == inside.text),
        };
        files.exists(&path) && !is_same()
    };
    let is_rules = |inside: &&RuleFile| !inside.path.starts_with(FOLDER) && !inside.path.starts_with(SAVES);
    pack.files.iter().filter(is_rules).filter(is_other).map(|inside| &*inside.path).collect()
}

/// An error that an installed pack has different texts of the same rules, or variants with the same ids, with ways out.
fn has_others(one: &InstalledPack, others: &[&str], rivals: &[String], (file, command): (&Path, &str)) -> Diagnostic {
    let (id, file) = (id_of(&one.path), path_name(file));
    let file = shell_quoted(&file);
    let title = one.read.as_ref().map_or_else(|_| id.clone(), |read| read.pack.title());
    let message = match others {
        [] => {
            let rivals = listed(rivals.iter().map(String::as_str));
            message!("the installed pack `{title}` has a variant with the same id: {rivals}")
        }
        _ => message!("the installed pack `{title}` has {} too, and it is different", listed(others.iter().copied())),
    };
    let error = Diagnostic::new(message).help(message!(
        "`houserule unpack {id} --dir FOLDER` keeps its files, `houserule uninstall {id}` removes it, and then \
         `houserule {command} {file}` works"
    ));
    let error = match id.split_once('/') {
        Some((game, variant)) if game != ANY_GAME => error.help(message!(
            "after that, `houserule play {game} -v FOLDER/variants/{game}/{variant}.toml` plays the variant with this game"
        )),
        _ => error,
    };
    error.help(NOT_INSTALLED)
}

/// An error that the file installed under a pack's id is unusable.
fn damaged(pack: &Pack, place: &Path, file: &Path) -> Diagnostic {
    if place.is_dir() {
        let error = Diagnostic::new(message!("`{}` cannot be installed: a folder is in its place", pack.id));
        return error.help(message!("delete or rename the folder `{}`", path_name(place)));
    }
    let help = message!(
        "`houserule uninstall {}` removes it, then `houserule install {}` installs this one",
        pack.id,
        shell_quoted(&path_name(file))
    );
    Diagnostic::new(message!("`{}` is installed, and damaged", pack.id)).help(help)
}

/// Notes which rules of an installed pack are hidden in the current folder by other rules of the same names.
fn report_hidden_rules(pack: &Pack, context: &Context, out: &mut Printout) {
    let (library, common) = (&context.library, Disk::common());
    let roots: Vec<&PathBuf> = library.roots().iter().filter(|root| !common.roots().contains(root)).collect();
    let is_found =
        |path: &str| path.starts_with("variants/") || path.starts_with("scripts/") || path.ends_with("/game.toml");
    let rules: Vec<&RuleFile> = pack.files.iter().filter(|inside| is_found(&inside.path)).collect();
    let paths = roots.iter().flat_map(|root| rules.iter().map(|inside| root.join(&inside.path)));
    let named = |path: &Path| library.files().name_of(path);
    let hiding: Vec<String> = paths.filter(|path| library.files().exists(path)).map(|path| named(&path)).collect();
    let game = &pack.play.selection.game;
    let help = message!("the pack is used in other folders; `houserule show {game}` shows which files are used here");
    if !hiding.is_empty() {
        let hiding = listed(hiding.iter().map(String::as_str));
        let note = Diagnostic::note(message!("in this folder, your own rules come before those of the pack: {hiding}"));
        out.tell([&note.help(help)]);
    }
    let at = PathBuf::from(pack.file_name());
    let both = mounted(library, &[(at.clone(), PackFile::unsaved(pack.clone()))]);
    let rivals_in = |root: &&PathBuf| {
        let rivals = conflicting_variants(root, (pack, &at), &both).into_iter();
        rivals.map(|path| named(&root.join(path))).collect::<Vec<_>>()
    };
    let rivals: Vec<String> = roots.iter().flat_map(rivals_in).collect();
    if !rivals.is_empty() {
        let rivals = listed(rivals.iter().map(String::as_str));
        let note = Diagnostic::note(message!("in this folder there is another variant with the same id: {rivals}"));
        out.tell([&note.help("a variant of the game comes before one for several games; rename one of the two")]);
    }
}

/// The changes between two packs, in terms of rules; `None` where either cannot be used.
fn between(old: (&PackFile, &Path), new: (&PackFile, &Path), context: &Context) -> Option<Changes> {
    let contents = |(file, path): (&PackFile, &Path)| {
        let library = mounted(&others_than(&file.pack), &[(path.to_owned(), file.clone())]);
        PackContents::of(&file.pack, path, &library, &context.work)
    };
    let (before, after) = (contents(old), contents(new));
    Some(Changes::between(&before.all().ok()?, &after.all().ok()?))
}

/// The library that every folder shares, without the installed pack of the same id, which will be replaced.
fn others_than(pack: &Pack) -> Library {
    let (common, own) = (Disk::common(), pack.file_name());
    let is_other = |root: &&PathBuf| root.file_name().is_none_or(|name| *name != *own);
    let roots = common.roots().iter().filter(is_other).cloned().collect();
    common.with_roots(|files| files, roots)
}

/// The differences besides rules, in words: the recommended game, scenarios and saved games.
fn differing(old: &Pack, new: &Pack) -> Vec<String> {
    let recommended = |pack: &Pack| {
        let RecommendedGame { selection, players, seed } = &pack.play;
        format!("`{} -p {players} -s {seed}`", selection.command("play"))
    };
    let mut told = Vec::new();
    if old.play != new.play {
        told.push(say!("recommended: {} instead of {}", recommended(new), recommended(old)));
    }
    let is_test = |path: &str| path.starts_with(FOLDER) || path.starts_with(SAVES) || path.starts_with("scripts/");
    for file in new.files.iter().filter(|file| is_test(&file.path)) {
        match old.files.iter().find(|was| was.path == file.path) {
            None => told.push(say!("new: {}", file.path)),
            Some(was) if was.text != file.text => told.push(say!("changed: {}", file.path)),
            Some(_) => {}
        }
    }
    let gone = old.files.iter().filter(|file| is_test(&file.path) && !new.holds_path(&file.path));
    told.extend(gone.map(|file| say!("gone: {}", file.path)));
    told
}

/// The installed pack with a name: its id, or the last part of it.
pub(super) fn installed_as(typed: &str) -> Result<Option<InstalledPack>, Failure> {
    let places = places();
    let ids: Vec<String> = places.iter().map(|path| id_of(path)).collect();
    let is_meant = |id: &str| id == typed || id.rsplit('/').next() == Some(typed);
    let exact = ids.iter().position(|id| id == typed);
    let found: Vec<usize> = ids.iter().enumerate().filter(|(_, id)| is_meant(id)).map(|(at, _)| at).collect();
    let at = match (exact, &found[..]) {
        (Some(at), _) | (None, &[at]) => at,
        (None, []) => return Ok(None),
        (None, _) => {
            let error = Diagnostic::new(message!("several installed packs are called `{}`", visible(typed)));
            let names: Vec<&str> = found.iter().filter_map(|at| ids.get(*at)).map(String::as_str).collect();
            return Err(Failure::wrong(error.help(message!("say which: {}", names.join(", ")))));
        }
    };
    Ok(places.into_iter().nth(at).map(InstalledPack::at))
}

/// The id of an installed pack, from its file name.
pub(super) fn id_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    name.trim_end_matches(crate::share::ENDING).replace('+', "/")
}

/// An error that an installed pack lacks what it rests on; `None` if it can be played.
fn unplayable(pack: &Pack, common: &Library, context: &Context) -> Option<Diagnostic> {
    let differences = fit::differences(pack, common, &context.work);
    let missing = differences.into_iter().find(|one| one.severity == Severity::Error)?;
    let error = Diagnostic::new(message!("`{}` cannot be played: {}", pack.title(), missing.message));
    Some(missing.help.into_iter().fold(error, Diagnostic::help))
}

/// Lists the installed packs.
pub(super) fn list(as_json: bool, context: &Context, out: &mut Printout) -> Outcome {
    let all = installed();
    let mut trouble: Vec<Diagnostic> = check_folder().err().into_iter().flatten().collect();
    let mut packs = Vec::new();
    for one in all {
        match one.read {
            Ok(file) => packs.push((one.path, file.pack)),
            Err(errors) => trouble.extend(errors),
        }
    }
    let common = Disk::common();
    trouble.extend(packs.iter().flat_map(|(_, pack)| unplayable(pack, &common, context)));
    if as_json {
        let shown = packs.iter().map(|(path, pack)| {
            let mut shown = pack_as_json(pack);
            shown["path"] = json!(path_name(path));
            shown
        });
        let trouble: Vec<_> = trouble.iter().map(Diagnostic::to_json).collect();
        out.json(&json!({"packs": shown.collect::<Vec<_>>(), "trouble": trouble}));
    } else {
        let width = packs.iter().map(|(_, pack)| pack.title().len()).max().unwrap_or(0);
        for (_, pack) in &packs {
            let by = pack.author.as_ref().map_or(String::new(), |author| say!(" by {}", visible(author)));
            let (title, name) = (pack.title(), visible(&pack.name));
            out.line(&format!("{title:<width$}  {name}{by}{}{}", said(": "), contents_summary(pack).told()));
        }
        if packs.is_empty() && trouble.is_empty() {
            out.line(said("nothing is installed; `houserule install FILE` installs a pack"));
        }
        out.tell(&trouble);
    }
    Ok(if trouble.is_empty() { EXIT_SUCCESS } else { EXIT_NEGATIVE })
}
