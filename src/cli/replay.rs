//! `houserule replay`: do saved games still come out the same?

use super::diff::beside;
use super::game_files::refused;
use super::packs::Named;
use super::{Context, FINE, Failure, NO, Outcome, Printout, WRONG};
use crate::definition::RuleFile;
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source, unknown, visible};
use crate::files::Files;
use crate::host::disk::standard_input;
use crate::host::file::{Draft, MayReplace, cannot_be_written, write_whole};
use crate::host::hands::AllCores;
use crate::playthrough::replay::{FILE, MAX_BYTES, Replay as Saved, ReplayFile};
use crate::playthrough::rerun::{Fate, Rerun, Rule};
use crate::playthrough::{Playable, Playthrough};
use crate::ruleset::{Ruleset, Selection};
use crate::screen;
use crate::screen::html::replay::{self, REPLAY};
use crate::screen::style;
use crate::share::SAVES;
use crate::table::knowledge::Viewer;
use crate::table::names;
use crate::table::value::Seats;
use crate::work::Hands as _;
use clap::Args;
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Paths are aligned up to this width.
const MOST_PATH_COLUMNS: usize = 48;

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

    /// Write one saved game as a page to step through in a browser; default file: next to the saved game
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
    /// Where packs may be named.
    pub(super) fn named(&mut self) -> Named<'_> {
        Named { files: Some((&mut self.paths, SAVES)), ..Named::default() }
    }

    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        if let Some(page) = &self.html {
            return self.write_page(context, page.as_deref(), out);
        }
        if self.diff {
            return self.show_beside(context, out);
        }
        let pasted = self.paths.iter().filter(|path| **path == Path::new("-")).count();
        if pasted > 0 && self.paths.len() > 1 {
            let error = Diagnostic::new("standard input is read by itself, not among files");
            return Err(Failure::wrong(error.help("`houserule replay -` reads what is pasted")));
        }
        match self.paths.as_slice() {
            [path] if !path.is_dir() && !self.update => self.run_one(context, path, out),
            _ => self.run_many(context, out),
        }
    }

    fn run_one(&self, context: &Context, path: &Path, out: &mut Printout) -> Outcome {
        let read = read_saved(context.library.files(), path).map_err(Failure::wrong)?;
        let saved = &read.replay;
        let (loaded, on_disk) = self.load(context, path, &read).map_err(Failure::wrong)?;
        let rerun = Rerun::on(saved, loaded).map_err(Failure::no)?;
        let code = if matches!(rerun.fate, Fate::Equal) { FINE } else { NO };
        let ran = Ran { read, rerun, on_disk, update: None };
        if self.json {
            out.json(&in_json(path, &ran));
            return Ok(code);
        }
        let Ran { read, rerun, on_disk, .. } = &ran;
        let saved = &read.replay;
        out.tell(&read.warnings);
        if !rerun.same_rules {
            out.line("the rules have changed since this game was saved");
        } else if code == NO {
            out.line("the rules are those that this game was saved under");
        }
        if let Some(difference) = on_disk {
            let difference = visible(difference);
            let line =
                format!("it was run under the rules in the file; {difference} (`--under-disk` runs it under those)");
            out.line(&line);
        }
        if let Fate::Failed { reason, .. } = &rerun.fate {
            out.tell(reason);
        }
        let (played, entries) = (rerun.played, saved.log.len());
        match &rerun.fate {
            Fate::NoLongerFits { misfit, asked } => {
                out.line(&format!(
                    "{played} of {entries} moves still fit; move {}, {}, does not: {}",
                    misfit.number,
                    visible(&misfit.entry.to_string()),
                    visible(&misfit.reason)
                ));
                if let Some(place) = read.entry(misfit.number) {
                    out.line(&format!("saved at {}", file_line(&place)));
                }
                if let Some(rule) = asked {
                    out.line(&format!("asked at {rule}"));
                }
            }
            _ => out.line(&format!("{played} of {entries} moves fit")),
        }
        out.line(&scores_in_words(read, rerun));
        if let Fate::OtherScores { first: Some(first) } = &rerun.fate {
            out.line(&format!("first {first}"));
        }
        Ok(code)
    }

    /// Shows the one game under the rules that it was saved under, beside itself under those on disk.
    fn show_beside(&self, context: &Context, out: &mut Printout) -> Outcome {
        let path = self.only_path("--diff")?;
        let read = read_saved(context.library.files(), path).map_err(Failure::wrong)?;
        out.tell(&read.warnings);
        if read.replay.rules.is_empty() {
            let error =
                Diagnostic::new(format!("`{}` does not contain its rules", visible(&path.display().to_string())));
            let help = "rules that come with Houserule are saved by name; `save FILE with rules` saves the text of all";
            return Err(Failure::wrong(error.help(help)));
        }
        let (today, _) = read.rules_on_disk(&context.library, path).map_err(Failure::wrong)?;
        read.check_players(&today).map_err(Failure::wrong)?;
        let Saved { seed, players, log, .. } = &read.replay;
        let start = |ruleset: Ruleset| {
            let loaded =
                Playable::compile(Arc::new(ruleset), *players, context.work.clone()).map_err(Failure::wrong)?;
            Playthrough::start(loaded, *players, *seed, log.clone()).map_err(Failure::no)
        };
        let (then, broken) = start(self.rules(context, path, &read).map_err(Failure::wrong)?)?;
        let (now, misfit) = start(today)?;
        if let Some(misfit) = broken {
            let error = Diagnostic::new(format!("move {} does not fit the rules in the file", misfit.number));
            return Err(Failure::no(error.help("`houserule replay FILE` tells more of it")));
        }
        context.work.refuse_stopped().map_err(Failure::no)?;
        let (scene, comparison) = beside(context, &then, &now, misfit.as_ref(), None);
        if self.json {
            out.json(&comparison.to_json());
        } else {
            out.show(screen::comparison(&scene, &comparison, ["the rules in the file", "the rules on disk"], self.all));
        }
        Ok(if comparison.is_nothing() { FINE } else { NO })
    }

    /// The one file that an option is about.
    fn only_path(&self, option: &str) -> Result<&Path, Failure> {
        match self.paths.as_slice() {
            [path] if !path.is_dir() => Ok(path),
            _ => {
                let error = Diagnostic::new(format!("`{option}` is about one saved game"));
                Err(Failure::wrong(error.help(format!("give one file: `houserule replay game.toml {option}`"))))
            }
        }
    }

    /// Writes a page of the one game.
    fn write_page(&self, context: &Context, page: Option<&Path>, out: &mut Printout) -> Outcome {
        let path = self.only_path("--html")?;
        let read = read_saved(context.library.files(), path).map_err(Failure::wrong)?;
        out.tell(&read.warnings);
        let (loaded, _) = self.load(context, path, &read).map_err(Failure::wrong)?;
        let players = loaded.layout.seats;
        let viewer = match &self.seat {
            None => Viewer::Everything,
            Some(name) => match names::player(&loaded.layout, name) {
                Some(seat) => Viewer::Seat(seat),
                None => {
                    let known = Seats::all(players).into_iter().map(|seat| seat.to_string()).collect::<Vec<_>>();
                    return Err(Failure::wrong(unknown("player", name, known.iter().map(String::as_str))));
                }
            },
        };
        let beside = path.with_extension("html");
        let target = page.unwrap_or(&beside);
        let may = if self.force { MayReplace::Anything } else { MayReplace::Only(REPLAY) };
        let mut draft = Draft::new(target, may, context.work.flag()).map_err(refused)?;
        let Saved { seed, log, .. } = &read.replay;
        let (mut game, misfit) = Playthrough::start(loaded, players, *seed, log.clone()).map_err(Failure::no)?;
        let page = replay::page(&mut game, viewer, context.language).map_err(Failure::no)?;
        let written = draft.write_all(page.as_bytes()).and_then(|()| draft.finish());
        written.map_err(|error| Failure::wrong(cannot_be_written(target, &error)))?;
        let count = game.timeline().cursor();
        let moves = if count == 1 { "1 move".to_owned() } else { format!("{count} moves") };
        out.line(&format!(
            "wrote {}: {moves}, {} KB",
            visible(&target.display().to_string()),
            page.len().div_ceil(1000)
        ));
        if let Some(misfit) = misfit {
            let (number, entry) = (misfit.number, visible(&misfit.entry.to_string()).into_owned());
            out.line(&format!(
                "it ends before move {number}, {entry}, which no longer fits: {}",
                visible(&misfit.reason)
            ));
            return Ok(NO);
        }
        Ok(FINE)
    }

    fn run_many(&self, context: &Context, out: &mut Printout) -> Outcome {
        let files = self.files(context.library.files());
        if files.is_empty() {
            let help = "`save FILE` in a game writes one; their names end in .toml";
            return Err(Failure::wrong(Diagnostic::new("there is no saved game to run").help(help)));
        }
        let reports = self.run_all(context, files);
        let unfinished = reports.iter().filter(|report| report.end.is_none()).count();
        let count = |kind: FateKind| reports.iter().filter(|report| report.kind() == Some(kind)).count();
        let counts = FateKind::ALL.map(|kind| (kind, count(kind)));
        if self.json {
            let games = reports.iter().filter_map(Report::to_json).collect::<Vec<_>>();
            let mut whole = json!({ "files": games.len(), "games": games });
            for (kind, count) in counts {
                whole[kind.key()] = count.into();
            }
            out.json(&whole);
        } else {
            let columns = reports.iter().map(|report| style::width(&report.shown_path())).max().unwrap_or(0);
            let lines = reports.iter().filter_map(|report| report.line(columns.min(MOST_PATH_COLUMNS)));
            lines.for_each(|line| out.line(&line));
            summary(&reports, &counts).iter().for_each(|line| out.line(line));
        }
        let updates: Vec<&Result<(), Diagnostics>> = reports.iter().filter_map(Report::update).collect();
        if self.update && !self.json {
            out.line(&format!(
                "{} saved again under the rules on disk",
                updates.iter().filter(|one| one.is_ok()).count()
            ));
        }
        Diagnostics::refuse(updates.iter().filter_map(|one| one.as_ref().err()).flatten().cloned().collect())
            .map_err(Failure::wrong)?;
        if unfinished > 0 {
            let message = format!("interrupted with {unfinished} of {} saved games still to run", reports.len());
            return Err(Failure::no(Diagnostic::new(message)));
        }
        // What was saved again is as it should be.
        let fine = count(FateKind::Equal) + if self.update { count(FateKind::OtherScores) } else { 0 };
        Ok(match (fine, count(FateKind::Unreadable)) {
            (fine, _) if fine == reports.len() => FINE,
            (_, unreadable) if unreadable == reports.len() => WRONG,
            _ => NO,
        })
    }

    /// The files that are meant, each once. What does not exist stays, so that reading it says so.
    fn files(&self, disk: &dyn Files) -> Vec<PathBuf> {
        let below =
            |path: &PathBuf| if disk.is_folder(path) { disk.toml_files_below(path) } else { vec![path.clone()] };
        let mut files: Vec<PathBuf> = self.paths.iter().flat_map(below).collect();
        files.sort();
        files.dedup();
        files
    }
}

impl Replay {
    /// Runs every file on all cores, those of the same rules one after the other.
    fn run_all(&self, context: &Context, files: Vec<PathBuf>) -> Vec<Report> {
        let is_stopped = || context.work.is_stopped();
        let games: Vec<String> = context.library.games().into_iter().map(|game| game.id).collect();
        let needed = AllCores.all(&files, |path| (!is_stopped()).then(|| self.needs_of(context, &games, path)));
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
        let ends = AllCores.all(&pieces, |(group, number)| {
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

    /// Runs one file. Rules that compiled are known to the next file of the group; those that did not are tried again, so
    /// that each file is told its own lines.
    fn run_member(&self, context: &Context, path: &Path, group: &Group) -> End {
        // Read again rather than kept: a folder may hold more than fits into memory.
        let read = match Saved::read(context.library.files(), path) {
            Ok(read) => read,
            Err(errors) => return End::Unreadable(errors),
        };
        let load = || self.load(context, path, &read);
        let known = group.compiled(|| load().ok()).map_or_else(load, Ok);
        let end = known.and_then(|(loaded, on_disk)| {
            let rerun = Rerun::on(&read.replay, loaded.clone())?;
            let fits = matches!(rerun.fate, Fate::Equal | Fate::OtherScores { .. });
            let update = (self.update && fits && !rerun.same_rules).then(|| save_anew(context, path, &read, loaded));
            Ok((rerun, on_disk, update))
        });
        group.is_run();
        match end {
            Ok((rerun, on_disk, update)) => End::Ran(Box::new(Ran { read, rerun, on_disk, update })),
            Err(errors) => End::NoRules(errors),
        }
    }

    /// Whether the rules on disk count, also where a saved game has its own in it.
    fn is_under_disk(&self) -> bool {
        self.under_disk || self.update
    }

    fn needs_of(&self, context: &Context, games: &[String], path: &Path) -> Result<Needs, Diagnostics> {
        let read = Saved::read(context.library.files(), path)?;
        let Saved { selection, rules, players, .. } = &read.replay;
        let is_inside = !self.is_under_disk() && rules.iter().any(|rule| rule.is_game(&selection.game));
        if !is_inside && !games.contains(&selection.game) {
            // The library says it best, with the nearest name.
            self.rules(context, path, &read)?;
        }
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Ok(Needs { selection: selection.clone(), rules: rules.clone(), players: *players, folder })
    }

    /// The rules that a saved game is run under.
    fn rules(&self, context: &Context, path: &Path, read: &ReplayFile) -> Result<Ruleset, Diagnostics> {
        let rules = if self.is_under_disk() { ReplayFile::rules_on_disk } else { ReplayFile::rules };
        let (ruleset, _) = rules(read, &context.library, path)?;
        read.check_players(&ruleset)?;
        Ok(ruleset)
    }

    /// The same, compiled, with what is to be said about the rules on disk.
    fn load(
        &self,
        context: &Context,
        path: &Path,
        read: &ReplayFile,
    ) -> Result<(Playable, Option<String>), Diagnostics> {
        let ruleset = self.rules(context, path, read)?;
        let on_disk = if self.is_under_disk() { None } else { read.other_on_disk(&ruleset, &context.library, path) };
        Ok((Playable::compile(Arc::new(ruleset), read.replay.players, context.work.clone())?, on_disk))
    }
}

/// What was found out about one file.
struct Report {
    path: PathBuf,
    /// Nothing where the person stopped before its turn came.
    end: Option<End>,
}

enum End {
    Ran(Box<Ran>),
    /// The rules of today do not load, or not for so many players.
    NoRules(Diagnostics),
    Unreadable(Diagnostics),
}

/// A file that was run.
struct Ran {
    read: ReplayFile,
    rerun: Rerun,
    /// How the rules on disk differ from those in the file.
    on_disk: Option<String>,
    /// Where it was to be saved under the rules on disk: whether it was.
    update: Option<Result<(), Diagnostics>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FateKind {
    Equal,
    OtherScores,
    NoLongerFits,
    Failed,
    Unreadable,
}

/// Files that need the same rules, which are compiled once for all of them and dropped behind the last.
struct Group {
    needs: Needs,
    /// Their numbers.
    members: Vec<usize>,
    rules: Mutex<Arc<OnceLock<Option<Compiled>>>>,
    run: AtomicUsize,
}

/// Rules to run games under, with what is to be said about those on disk.
type Compiled = (Playable, Option<String>);

impl Group {
    fn of(needs: Needs, first: usize) -> Self {
        Self { needs, members: vec![first], rules: Mutex::default(), run: AtomicUsize::new(0) }
    }

    /// What was compiled for the first of them; nothing if that failed.
    fn compiled(&self, compile: impl FnOnce() -> Option<Compiled>) -> Option<Compiled> {
        let place = self.rules.lock().unwrap_or_else(PoisonError::into_inner).clone();
        place.get_or_init(compile).clone()
    }

    /// One of them was run.
    fn is_run(&self) {
        if self.run.fetch_add(1, Ordering::Relaxed) + 1 == self.members.len() {
            *self.rules.lock().unwrap_or_else(PoisonError::into_inner) = Arc::default();
        }
    }
}

/// Which rules a file needs, so that those of many are compiled once.
#[derive(PartialEq)]
struct Needs {
    selection: Selection,
    rules: Vec<RuleFile>,
    players: usize,
    /// Paths of variants may be meant from here.
    folder: PathBuf,
}

impl FateKind {
    const ALL: [Self; 5] = [Self::Equal, Self::OtherScores, Self::NoLongerFits, Self::Failed, Self::Unreadable];

    fn key(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::OtherScores => "other_scores",
            Self::NoLongerFits => "no_longer_fit",
            Self::Failed => "failed",
            Self::Unreadable => "unreadable",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::OtherScores => "other scores",
            Self::NoLongerFits => "no longer fits",
            Self::Failed => "failed",
            Self::Unreadable => "unreadable",
        }
    }
}

impl Report {
    fn kind(&self) -> Option<FateKind> {
        Some(match self.end.as_ref()? {
            End::Unreadable(_) => FateKind::Unreadable,
            End::NoRules(_) => FateKind::Failed,
            End::Ran(ran) => match &ran.rerun.fate {
                Fate::Equal => FateKind::Equal,
                Fate::OtherScores { .. } => FateKind::OtherScores,
                Fate::NoLongerFits { .. } => FateKind::NoLongerFits,
                Fate::Failed { .. } => FateKind::Failed,
            },
        })
    }

    /// Whether it was saved under the rules on disk, where it was to be.
    fn update(&self) -> Option<&Result<(), Diagnostics>> {
        match self.end.as_ref()? {
            End::Ran(ran) => ran.update.as_ref(),
            End::NoRules(_) | End::Unreadable(_) => None,
        }
    }

    fn shown_path(&self) -> String {
        visible(&self.path.display().to_string()).into_owned()
    }

    /// What is to be said about a file that is not equal.
    fn line(&self, path_columns: usize) -> Option<String> {
        let kind = self.kind().filter(|kind| *kind != FateKind::Equal)?;
        let about = match self.end.as_ref()? {
            End::Unreadable(errors) | End::NoRules(errors) => in_one_line(errors),
            End::Ran(ran) => {
                let Ran { read, rerun, .. } = &**ran;
                let mut about = match &rerun.fate {
                    Fate::Equal => String::new(),
                    Fate::OtherScores { first } => {
                        let first = first.as_ref().map(|first| format!("; first {first}"));
                        scores_in_words(read, rerun) + first.as_deref().unwrap_or_default()
                    }
                    Fate::NoLongerFits { misfit, asked } => {
                        let asked = asked.as_ref().map(|rule| format!(", at {rule}")).unwrap_or_default();
                        let line = read.entry(misfit.number).map(|place| format!(" (line {})", place.position().0));
                        let line = line.unwrap_or_default();
                        format!("move {}{line}, {}: {}{asked}", misfit.number, misfit.entry, misfit.reason)
                    }
                    Fate::Failed { reason, moves } => format!("after move {moves}: {}", in_one_line(reason)),
                };
                if rerun.same_rules {
                    about.push_str("; the rules are the same");
                }
                if !read.warnings.is_empty() {
                    about.push_str("; the file was changed since it was saved");
                }
                about
            }
        };
        let kind = style::pad(kind.words(), FateKind::NoLongerFits.words().len());
        let path = style::pad(&self.shown_path(), path_columns);
        Some(format!("{kind}  {path}  {}", visible(&about)))
    }

    fn to_json(&self) -> Option<Value> {
        let kind = self.kind()?;
        let mut report = match self.end.as_ref()? {
            End::Ran(ran) => in_json(&self.path, ran),
            End::Unreadable(errors) | End::NoRules(errors) => json!({
                "file": self.path.display().to_string(),
                "errors": errors.iter().map(Diagnostic::to_json).collect::<Vec<_>>(),
            }),
        };
        report["verdict"] = kind.key().into();
        Some(report)
    }
}

fn in_json(path: &Path, Ran { read, rerun, on_disk, update }: &Ran) -> Value {
    let saved = &read.replay;
    let (mut misfit, mut asked, mut failed, mut first) = (None, None, None, None);
    match &rerun.fate {
        Fate::Equal => {}
        Fate::OtherScores { first: found } => first = found.as_ref(),
        Fate::NoLongerFits { misfit: found, asked: rule } => {
            misfit = Some(found);
            asked = rule.as_ref();
        }
        Fate::Failed { reason, .. } => failed = Some(reason),
    }
    let rule = |rule: &Rule| json!({ "line": rule.line, "layer": rule.layer });
    json!({
        "file": path.display().to_string(),
        "entries": saved.log.len(),
        "played": rerun.played,
        "same_rules": rerun.same_rules,
        "same_result": matches!(rerun.fate, Fate::Equal),
        "scores": rerun.scores,
        "saved_scores": saved.result.as_ref().map(|result| &result.scores),
        "misfit": misfit.map(|misfit| json!({
            "entry": misfit.number, "what": misfit.entry.to_string(), "reason": misfit.reason,
            "line": read.entry(misfit.number).map(|place| place.position().0),
            "asked": asked.map(rule),
        })),
        "first_difference": first.map(|first| json!({
            "move": first.moves, "seat": format!("p{}", first.seat), "was": first.was, "is": first.is,
            "rule": first.rule.as_ref().map(rule),
        })),
        "rules_inside": saved.rules.iter().map(|rule| &rule.path).collect::<Vec<_>>(),
        "rules_on_disk": on_disk,
        "warnings": read.warnings.iter().map(|warning| warning.to_json()).collect::<Vec<_>>(),
        "failed": failed.map(|failed| failed.first().to_json()),
        "updated": update.as_ref().is_some_and(Result::is_ok),
    })
}

/// Saves a game again that fits the rules on disk, as it comes out under them.
///
/// # Errors
/// The file cannot be written; it is as it was.
fn save_anew(context: &Context, path: &Path, read: &ReplayFile, loaded: Playable) -> Result<(), Diagnostics> {
    let Saved { players, seed, log, .. } = &read.replay;
    let (game, _) = Playthrough::start(loaded, *players, *seed, log.clone())?;
    let text = Saved::of(&game).to_toml();
    write_whole(path, &text, MayReplace::Only(FILE), context.work.flag()).map(drop).map_err(Diagnostics::from)
}

/// A saved game in a file, or within what is pasted into standard input.
///
/// # Errors
/// It cannot be read, or is none.
pub(super) fn read_saved(files: &dyn Files, path: &Path) -> Result<ReplayFile, Diagnostics> {
    if path != Path::new("-") {
        return Saved::read(files, path);
    }
    let pasted = standard_input(MAX_BYTES)?;
    Saved::parse(&Source::new(pasted.name.clone(), Saved::within(&pasted.text)))
}

/// The scores, and what was promised where that was something else.
fn scores_in_words(read: &ReplayFile, rerun: &Rerun) -> String {
    let list = |scores: &[i64]| scores.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let mut words = format!("scores {}", list(&rerun.scores));
    let Some(result) = &read.replay.result else { return words };
    if !matches!(rerun.fate, Fate::Equal | Fate::OtherScores { .. }) {
        return words;
    }
    if result.scores != rerun.scores {
        words.push_str(&format!(" instead of {}", list(&result.scores)));
    } else if matches!(rerun.fate, Fate::OtherScores { .. }) {
        words.push_str(" in another way");
    }
    match (result.over, rerun.over) {
        (true, false) => words.push_str(", and the game is not over"),
        (false, true) => words.push_str(", and the game is over"),
        _ => {}
    }
    words
}

fn file_line(place: &Place) -> String {
    format!("{}:{}", visible(&place.source.name), place.position().0)
}

/// A message with its place, for lists.
fn in_one_line(errors: &Diagnostics) -> String {
    let error = errors.first();
    match &error.place {
        Some(place) => format!("{} ({})", error.message, file_line(place)),
        None => error.message.clone(),
    }
}

/// How many came out how; then how many were saved under other rules, and whether somebody changed files.
fn summary(reports: &[Report], counts: &[(FateKind, usize)]) -> Vec<String> {
    let told = counts.iter().filter(|(kind, count)| *count > 0 || *kind == FateKind::Equal);
    let told: Vec<String> = told.map(|(kind, count)| format!("{count} {}", kind.words())).collect();
    let mut lines = vec![told.join(", ")];
    let ran: Vec<&Ran> = reports
        .iter()
        .filter_map(|report| match &report.end {
            Some(End::Ran(ran)) => Some(&**ran),
            _ => None,
        })
        .collect();
    let other_rules = ran.iter().filter(|ran| !ran.rerun.same_rules).count();
    match other_rules {
        _ if ran.is_empty() => {}
        0 => lines.push("the rules are those that they were saved under".to_owned()),
        count if count == ran.len() => lines.push("the rules have changed since they were saved".to_owned()),
        count => lines.push(format!("saved under other rules: {count} of {}", ran.len())),
    }
    let changed = ran.iter().filter(|ran| !ran.read.warnings.is_empty()).count();
    let other_on_disk = ran.iter().filter(|ran| ran.on_disk.is_some()).count();
    if other_on_disk > 0 {
        lines.push(format!(
            "run under the rules in the file, which are not those on disk: {other_on_disk} (`--under-disk` runs under those)"
        ));
    }
    if changed > 0 {
        lines.push(format!("{changed} of the files changed since they were saved"));
    }
    lines
}
