//! A report on many saved games: a line for each that does not end the same, then a summary.

use super::Replay;
use super::one::{RerunFile, file_line, in_json, scores_in_words};
use crate::catalogue::{Message, message, said, say};
use crate::cli::{Context, EXIT_NEGATIVE, EXIT_SUCCESS, EXIT_USAGE, Failure, Outcome, Printout};
use crate::definition::RuleFile;
use crate::diagnostic::{Diagnostic, Diagnostics, visible};
use crate::files::OverwritePolicy;
use crate::files::{Files, path_name};
use crate::host::file::write_whole;
use crate::host::threads::locked;
use crate::playthrough::Playable;
use crate::playthrough::replay::{FILE, Replay as Saved};
use crate::playthrough::rerun::{Rerun, RerunOutcome};
use crate::ruleset::Selection;
use crate::screen::style;
use crate::work::Workers;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// The maximum width to which paths are aligned.
const MAX_PATH_COLUMNS: usize = 48;

impl Replay {
    pub(super) fn run_many(&self, context: &Context, out: &mut Printout) -> Outcome {
        let files = self.files(context.library.files());
        if files.is_empty() {
            let help = "`save FILE` in a game writes one; their names end in .toml";
            return Err(Failure::wrong(Diagnostic::new("there is no saved game to run").help(help)));
        }
        let reports = self.run_all(context, files);
        let unfinished = reports.iter().filter(|report| report.end.is_none()).count();
        let count = |kind: RerunOutcomeKind| reports.iter().filter(|report| report.kind() == Some(kind)).count();
        let counts = RerunOutcomeKind::ALL.map(|kind| (kind, count(kind)));
        if self.json {
            let games = reports.iter().filter_map(Report::to_json).collect::<Vec<_>>();
            let mut whole = json!({ "files": games.len(), "games": games });
            for (kind, count) in counts {
                whole[kind.names().0] = count.into();
            }
            out.json(&whole);
        } else {
            let columns = reports.iter().map(|report| style::width(&report.shown_path())).max().unwrap_or(0);
            let lines = reports.iter().filter_map(|report| report.line(columns.min(MAX_PATH_COLUMNS)));
            lines.for_each(|line| out.line(&line));
            summary(&reports, &counts).iter().for_each(|line| out.line(line));
        }
        let updates: Vec<&Result<(), Diagnostics>> = reports.iter().filter_map(Report::update).collect();
        if self.update && !self.json {
            out.line(&say!("{} saved again under the rules on disk", updates.iter().filter(|one| one.is_ok()).count()));
        }
        Diagnostics::refuse(updates.iter().filter_map(|one| one.as_ref().err()).flatten().cloned().collect())
            .map_err(Failure::wrong)?;
        if unfinished > 0 {
            let message = message!("interrupted with {unfinished} of {} saved games still to run", reports.len());
            return Err(Failure::no(Diagnostic::new(message)));
        }
        let fine = reports.iter().filter(|report| report.is_fine()).count();
        Ok(match (fine, count(RerunOutcomeKind::Unreadable)) {
            (fine, _) if fine == reports.len() => EXIT_SUCCESS,
            (_, unreadable) if unreadable == reports.len() => EXIT_USAGE,
            _ => EXIT_NEGATIVE,
        })
    }

    /// The files to replay, each once. Missing files are kept, so that reading them reports the error.
    fn files(&self, disk: &dyn Files) -> Vec<PathBuf> {
        let below =
            |path: &PathBuf| if disk.is_folder(path) { disk.toml_files_below(path) } else { vec![path.clone()] };
        let mut files: Vec<PathBuf> = self.paths.iter().flat_map(below).collect();
        files.sort();
        files.dedup();
        files
    }

    /// Replays all files on all cores, those with the same rules one after the other.
    fn run_all(&self, context: &Context, files: Vec<PathBuf>) -> Vec<Report> {
        let is_stopped = || context.work.is_stopped();
        let games: Vec<String> = context.library.games().into_iter().map(|game| game.id).collect();
        let needed = (&context.threads as &dyn Workers)
            .map(&files, |path| (!is_stopped()).then(|| self.needs_of(context, &games, path)));
        let mut reports: Vec<Report> = files.into_iter().map(|path| Report { path, end: None }).collect();
        let mut groups: Vec<Group> = Vec::new();
        for ((number, report), needed) in reports.iter_mut().enumerate().zip(needed) {
            match needed {
                Ok(needs) => match groups.iter_mut().find(|group| group.needs == needs) {
                    Some(group) => group.members.push(number),
                    None => groups.push(Group::of(needs, number)),
                },
                Err(errors) => report.end = Some(End::Unreadable(errors)),
            }
        }
        let _counter = context.terminal.counter(&context.work);
        let (begun, count) = (AtomicUsize::new(0), reports.len());
        let pieces: Vec<(&Group, usize)> =
            groups.iter().flat_map(|group| group.members.iter().map(move |member| (group, *member))).collect();
        let ends = (&context.threads as &dyn Workers).map(&pieces, |(group, number)| {
            context.work.count_parts(begun.fetch_add(1, Ordering::Relaxed) + 1, count);
            let end = self.run_member(context, &reports.get(*number)?.path, group);
            (!is_stopped()).then_some(end)
        });
        let numbers: Vec<usize> = pieces.iter().map(|(_, number)| *number).collect();
        for (number, end) in numbers.into_iter().zip(ends) {
            if let Some(report) = reports.get_mut(number) {
                report.end = Some(end);
            }
        }
        reports
    }

    /// Replays a file of a group. Rules that compiled are reused for the group; failed ones are compiled again, so that
    /// each file gets errors with its own lines.
    fn run_member(&self, context: &Context, path: &Path, group: &Group) -> End {
        // Files are read again and not kept: a folder may hold more than fits into memory.
        let read = match Saved::read(context.library.files(), path) {
            Ok(read) => read,
            Err(errors) => return End::Unreadable(errors),
        };
        let load = || self.load(context, path, &read);
        let known = group.compiled(|| load().ok()).map_or_else(load, Ok);
        let end = known.and_then(|(loaded, on_disk)| {
            let (rerun, game) = Rerun::with_game(&read.replay, loaded)?;
            let fits = matches!(rerun.outcome, RerunOutcome::Equal | RerunOutcome::OtherScores { .. });
            let update =
                (self.update && fits && !rerun.same_rules).then(|| save_again(context, path, &read.saved_again(&game)));
            Ok((rerun, on_disk, update))
        });
        group.is_run();
        match end {
            Ok((rerun, on_disk, update)) => End::Ran(Box::new(RerunFile { read, rerun, on_disk, update })),
            Err(errors) => End::NoRules(errors),
        }
    }

    fn needs_of(&self, context: &Context, games: &[String], path: &Path) -> Result<RuleRequirements, Diagnostics> {
        let read = Saved::read(context.library.files(), path)?;
        let Saved { selection, rules, players, .. } = &read.replay;
        let is_inside = !self.is_under_disk() && rules.iter().any(|rule| rule.is_game(&selection.game));
        if !is_inside && !games.contains(&selection.game) {
            // The library gives the best error, with the nearest name.
            self.rules(context, path, &read)?;
        }
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Ok(RuleRequirements { selection: selection.clone(), rules: rules.clone(), players: *players, folder })
    }
}

/// The report on a file.
struct Report {
    path: PathBuf,
    /// `None` where the person stopped before its turn.
    end: Option<End>,
}

enum End {
    Ran(Box<RerunFile>),
    /// The rules on disk do not load, or not for this number of players.
    NoRules(Diagnostics),
    Unreadable(Diagnostics),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RerunOutcomeKind {
    Equal,
    OtherScores,
    NoLongerFits,
    Failed,
    Unreadable,
}

/// Files with the same rules, which are compiled once for all of them and dropped after the last.
struct Group {
    needs: RuleRequirements,
    /// The indexes of the files.
    members: Vec<usize>,
    rules: Mutex<Arc<OnceLock<Option<RulesWithNote>>>>,
    run: AtomicUsize,
}

/// Compiled rules, with a note on how those on disk differ.
type RulesWithNote = (Playable, Option<Message>);

impl Group {
    fn of(needs: RuleRequirements, first: usize) -> Self {
        Self { needs, members: vec![first], rules: Mutex::default(), run: AtomicUsize::new(0) }
    }

    /// The rules, compiled by the first call; `None` if that failed.
    fn compiled(&self, compile: impl FnOnce() -> Option<RulesWithNote>) -> Option<RulesWithNote> {
        let place = locked(&self.rules).clone();
        place.get_or_init(compile).clone()
    }

    /// Notes that a file of the group is done. The last one drops the rules.
    fn is_run(&self) {
        if self.run.fetch_add(1, Ordering::Relaxed) + 1 == self.members.len() {
            *locked(&self.rules) = Arc::default();
        }
    }
}

/// The rules that a file needs, to group files by.
#[derive(PartialEq)]
struct RuleRequirements {
    selection: Selection,
    rules: Vec<RuleFile>,
    players: usize,
    /// The folder that relative paths of variants start from.
    folder: PathBuf,
}

impl RerunOutcomeKind {
    const ALL: [Self; 5] = [Self::Equal, Self::OtherScores, Self::NoLongerFits, Self::Failed, Self::Unreadable];

    /// Its key in JSON, and its words.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Equal => ("equal", "equal"),
            Self::OtherScores => ("other_scores", "other scores"),
            Self::NoLongerFits => ("no_longer_fit", "no longer fits"),
            Self::Failed => ("failed", "failed"),
            Self::Unreadable => ("unreadable", "unreadable"),
        }
    }
}

impl Report {
    fn kind(&self) -> Option<RerunOutcomeKind> {
        Some(match self.end.as_ref()? {
            End::Unreadable(_) => RerunOutcomeKind::Unreadable,
            End::NoRules(_) => RerunOutcomeKind::Failed,
            End::Ran(ran) => match &ran.rerun.outcome {
                RerunOutcome::Equal => RerunOutcomeKind::Equal,
                RerunOutcome::OtherScores { .. } => RerunOutcomeKind::OtherScores,
                RerunOutcome::NoLongerFits { .. } => RerunOutcomeKind::NoLongerFits,
                RerunOutcome::Failed { .. } => RerunOutcomeKind::Failed,
            },
        })
    }

    /// Whether the game ends as saved, or was saved again as it ends now.
    fn is_fine(&self) -> bool {
        self.kind() == Some(RerunOutcomeKind::Equal) || self.update().is_some_and(Result::is_ok)
    }

    /// Whether the file had been changed by hand and was saved again.
    fn is_signed_again(&self) -> bool {
        let is_changed = matches!(&self.end, Some(End::Ran(ran)) if !ran.read.warnings.is_empty());
        is_changed && self.update().is_some_and(Result::is_ok)
    }

    /// The result of saving the game again under the rules on disk; `None` where that was not wanted.
    fn update(&self) -> Option<&Result<(), Diagnostics>> {
        match self.end.as_ref()? {
            End::Ran(ran) => ran.update.as_ref(),
            End::NoRules(_) | End::Unreadable(_) => None,
        }
    }

    fn shown_path(&self) -> String {
        visible(&path_name(&self.path)).into_owned()
    }

    /// A line about a file whose game does not end as saved, or that had been changed by hand before it was saved
    /// again.
    fn line(&self, path_columns: usize) -> Option<String> {
        let kind = self.kind().filter(|kind| *kind != RerunOutcomeKind::Equal || self.is_signed_again())?;
        let about = match self.end.as_ref()? {
            End::Unreadable(errors) | End::NoRules(errors) => in_one_line(errors),
            End::Ran(ran) => {
                let RerunFile { read, rerun, .. } = &**ran;
                let mut about = match &rerun.outcome {
                    RerunOutcome::Equal => scores_in_words(read, rerun),
                    RerunOutcome::OtherScores { first } => {
                        let first = first.as_ref().map(|first| say!("; first {}", first));
                        scores_in_words(read, rerun) + first.as_deref().unwrap_or_default()
                    }
                    RerunOutcome::NoLongerFits { misfit, asked } => {
                        let asked = asked.as_ref().map(|rule| say!(", at {rule}")).unwrap_or_default();
                        let line = read.entry(misfit.number).map(|place| say!(" (line {})", place.position().0));
                        let line = line.unwrap_or_default();
                        say!("move {}{line}, {}: {}{asked}", misfit.number, misfit.entry, misfit.reason)
                    }
                    RerunOutcome::Failed { reason, moves } => say!("after move {moves}: {}", in_one_line(reason)),
                };
                if rerun.same_rules {
                    about.push_str(said("; the rules are the same"));
                }
                if !read.warnings.is_empty() {
                    about.push_str(said("; the file was changed since it was saved"));
                }
                if self.is_signed_again() {
                    about.push_str(said("; the change was saved too, with a new checksum"));
                }
                about
            }
        };
        let words = |kind: RerunOutcomeKind| said(kind.names().1);
        let kind = style::pad(words(kind), style::width(words(RerunOutcomeKind::NoLongerFits)));
        let path = style::pad(&self.shown_path(), path_columns);
        Some(format!("{kind}  {path}  {}", visible(&about)))
    }

    fn to_json(&self) -> Option<Value> {
        let kind = self.kind()?;
        let mut report = match self.end.as_ref()? {
            End::Ran(ran) => in_json(&self.path, ran),
            End::Unreadable(errors) | End::NoRules(errors) => json!({
                "file": path_name(&self.path),
                "errors": errors.iter().map(Diagnostic::to_json).collect::<Vec<_>>(),
            }),
        };
        report["verdict"] = kind.names().0.into();
        Some(report)
    }
}

/// Overwrites a saved game.
///
/// # Errors
/// The file cannot be written; it stays untouched.
fn save_again(context: &Context, path: &Path, text: &str) -> Result<(), Diagnostics> {
    write_whole(path, text, OverwritePolicy::Only(FILE), context.work.flag()).map(drop).map_err(Diagnostics::from)
}

/// The first message with its place, in one line.
fn in_one_line(errors: &Diagnostics) -> String {
    let error = errors.first();
    let message = error.message.told();
    match &error.place {
        Some(place) => format!("{message} ({})", file_line(place)),
        None => message.into_owned(),
    }
}

/// A summary: the numbers of files by result, and notes on other rules and on files changed by hand.
fn summary(reports: &[Report], counts: &[(RerunOutcomeKind, usize)]) -> Vec<String> {
    let told = counts.iter().filter(|(kind, count)| *count > 0 || *kind == RerunOutcomeKind::Equal);
    let told: Vec<String> = told.map(|(kind, count)| format!("{count} {}", said(kind.names().1))).collect();
    let mut lines = vec![told.join(said(", "))];
    let ran: Vec<&RerunFile> = reports
        .iter()
        .filter_map(|report| match &report.end {
            Some(End::Ran(ran)) => Some(&**ran),
            _ => None,
        })
        .collect();
    let other_rules = ran.iter().filter(|ran| !ran.rerun.same_rules).count();
    match other_rules {
        _ if ran.is_empty() => {}
        0 => lines.push(said("the rules are those that they were saved under").to_owned()),
        count if count == ran.len() => lines.push(said("the rules have changed since they were saved").to_owned()),
        count => lines.push(say!("saved under other rules: {count} of {}", ran.len())),
    }
    let changed = ran.iter().filter(|ran| !ran.read.warnings.is_empty()).count();
    let other_on_disk = ran.iter().filter(|ran| ran.on_disk.is_some()).count();
    if other_on_disk > 0 {
        lines.push(say!(
            "run under the rules in the file, which are not those on disk: {other_on_disk} (`--under-disk` runs under those)"
        ));
    }
    if changed > 0 {
        lines.push(say!("{changed} of the files changed since they were saved"));
    }
    lines
}
