//! The command `houserule test`: running scenarios, the tests of rules.

use super::coverage::{self, CoverageFiles};
use super::packs::PackArguments;
use super::{Context, EXIT_NEGATIVE, EXIT_SUCCESS, EXIT_USAGE, Failure, Outcome, Printout};
use crate::catalogue::{message, said, say};
use crate::definition::{Library, is_path};
use crate::diagnostic::{Diagnostic, Place, listed, unknown_or, visible};
use crate::files::path_name;
use crate::lab::coverage::{of_scenarios, run_counted};
use crate::playthrough::rules_cache::RulesCache;
use crate::scenario::{FOLDER, Report, Scenario, ShownFailures, find, find_of_game};
use crate::work::Workers;
use clap::Args;
use serde_json::json;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Run scenarios: tests of rules
#[derive(Debug, Args)]
pub(super) struct Test {
    /// Ids of games, scenario files, or folders of them; default: all scenarios, with `-v` those of its games
    #[arg(value_name = "GAME|FILE")]
    paths: Vec<PathBuf>,

    /// Add this variant to every scenario; repeat for more
    #[arg(short, long = "variant", value_name = "VARIANT")]
    variants: Vec<String>,

    /// Show every scenario, even if they are of several games
    #[arg(long)]
    verbose: bool,

    #[command(flatten)]
    coverage: CoverageFiles,

    /// Write JSON
    #[arg(long)]
    json: bool,
}

impl Test {
    /// The arguments that may name packs.
    pub(super) fn pack_arguments(&mut self) -> PackArguments<'_> {
        let variants = Some(&mut self.variants);
        PackArguments { variants, files: Some((&mut self.paths, FOLDER)), ..PackArguments::default() }
    }

    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        let files = self.files(&context.library)?;
        if files.is_empty() {
            return Err(Failure::wrong(
                Diagnostic::new("there is no scenario to run")
                    .help("scenarios lie in tests/scenarios/, or give a path"),
            ));
        }
        let coverage_files = self.coverage.begin(context)?;
        let mut reports: Vec<Report> = Vec::new();
        let mut unreadable: Vec<Diagnostic> = Vec::new();
        let counter = context.terminal.counter(&context.work);
        let (shelf, begun) = (RulesCache::default(), AtomicUsize::new(0));
        let results = (&context.threads as &dyn Workers).map(&files, |path| {
            context.work.count_parts(begun.fetch_add(1, Ordering::Relaxed) + 1, files.len());
            let run = |scenario: Scenario| {
                let (rules, beyond) = ((&context.library, &shelf), (&self.variants[..], &[][..]));
                if self.coverage.is_wanted() {
                    run_counted(&scenario, rules, beyond, &context.work)
                } else {
                    (scenario.run_with(rules, beyond.0, beyond.1, &context.work), None)
                }
            };
            let read = Scenario::read(context.library.files(), path);
            let result = read.map(|scenario| (scenario.id_place.clone(), run(scenario)));
            (!context.work.is_stopped()).then_some(result)
        });
        let still_to_run = files.len() - results.len();
        let mut counted = Vec::new();
        let (mut ids, mut warnings) = (BTreeMap::new(), Vec::new());
        for result in results {
            match result {
                Ok((place, (report, counts))) => {
                    let first = ids.entry((own_folder(&report.path), report.game.clone(), report.id.clone()));
                    match first {
                        Entry::Occupied(first) => warnings.push(second_of_id(&report, place, first.get())),
                        Entry::Vacant(first) => drop(first.insert(place)),
                    }
                    warnings.extend(report.warnings.iter().cloned());
                    reports.push(report);
                    counted.extend(counts);
                }
                Err(errors) => unreadable.extend(errors),
            }
        }
        let coverage = self.coverage.is_wanted().then(|| of_scenarios(counted));
        drop(counter);
        let failed = reports.iter().filter(|report| report.result.is_err()).count();
        if self.json {
            let shown = reports.iter().map(|report| {
                let errors = report.result.as_ref().err().map_or(&[][..], |errors| &errors[..]);
                json!({
                    "id": report.id,
                    "title": report.title,
                    "game": report.game,
                    "path": path_name(&report.path),
                    "passed": report.result.is_ok(),
                    "errors": errors.iter().map(Diagnostic::to_json).collect::<Vec<_>>(),
                })
            });
            let trouble: Vec<_> = unreadable.iter().map(Diagnostic::to_json).collect();
            let mut report = json!({"scenarios": shown.collect::<Vec<_>>(), "unreadable": trouble});
            if !warnings.is_empty() {
                report["warnings"] = warnings.iter().map(Diagnostic::to_json).collect();
            }
            if let Some(coverage) = &coverage {
                report["coverage"] = coverage::to_json(coverage);
            }
            out.json(&report);
        } else {
            self.tell(&reports, out);
            out.tell(&warnings);
            out.tell(&unreadable);
            let count = files.len() - still_to_run - reports.len();
            // If no scenario could be run, there is no coverage.
            if let Some(coverage) = coverage.as_ref().filter(|_| !reports.is_empty()) {
                coverage::tell(coverage, out);
            }
            let unread = if count > 0 { say!(", {count} unreadable") } else { String::new() };
            out.line(&say!("{} passed, {failed} failed{unread}", reports.len() - failed));
        }
        if context.work.is_stopped() {
            let message = message!("interrupted with {still_to_run} of {} scenarios still to run", files.len());
            return Err(Failure::no(Diagnostic::new(message)));
        }
        if let Some(coverage) = &coverage {
            coverage_files.write(context, coverage)?;
        }
        Ok(if !unreadable.is_empty() {
            EXIT_USAGE
        } else if failed > 0 {
            EXIT_NEGATIVE
        } else {
            EXIT_SUCCESS
        })
    }

    /// The files of the requested scenarios.
    fn files(&self, library: &Library) -> Result<Vec<PathBuf>, Failure> {
        if self.paths.is_empty() && self.variants.is_empty() {
            return Ok(find(&[], library));
        }
        let mut found = Vec::new();
        if self.paths.is_empty() {
            found.extend(self.games(library)?.iter().flat_map(|game| find_of_game(game, library)));
        }
        for typed in &self.paths {
            match game_meant(typed, library)? {
                Some(game) => {
                    if let Some(unknown) = self.variants.iter().find(|variant| !is_there(variant, game, library)) {
                        library.variant(game, unknown).map_err(Failure::wrong)?;
                    }
                    found.extend(of_game(game, library)?);
                }
                None => {
                    if !self.variants.is_empty() {
                        self.games(library)?;
                    }
                    found.extend(find(std::slice::from_ref(typed), library));
                }
            }
        }
        found.sort();
        found.dedup();
        Ok(found)
    }

    /// The games that have all the given variants.
    fn games(&self, library: &Library) -> Result<Vec<String>, Failure> {
        let has_all = |game: &String| self.variants.iter().all(|variant| is_there(variant, game, library));
        let all: Vec<String> = library.games().into_iter().map(|game| game.id).collect();
        let games: Vec<String> = all.iter().filter(|game| has_all(game)).cloned().collect();
        if games.is_empty() {
            // What is wrong with a file is told as it is for any game.
            let unfit =
                |variant: &&String| is_path(variant) && !all.iter().any(|game| is_there(variant, game, library));
            if let (Some(file), Some(game)) = (self.variants.iter().find(unfit), all.first()) {
                library.variant(game, file).map_err(Failure::wrong)?;
            }
            let names = listed(self.variants.iter().map(String::as_str));
            let error = Diagnostic::new(message!("no game has the variants that are to be added: {names}"));
            return Err(Failure::wrong(error.help("`houserule list` shows the variants of each game")));
        }
        Ok(games)
    }

    /// Prints a line per scenario; where they are of several games, a line per game and one per failed scenario.
    fn tell(&self, reports: &[Report], out: &mut Printout) {
        let mut games: BTreeMap<&str, Vec<&Report>> = BTreeMap::new();
        reports.iter().for_each(|report| games.entry(&report.game).or_default().push(report));
        let width = games.keys().map(|game| game.chars().count()).max().unwrap_or(0);
        let are_several = games.len() > 1;
        for (game, reports) in games {
            let failed = reports.iter().filter(|report| report.result.is_err()).count();
            if are_several {
                let count = match reports.len() {
                    1 => said("1 scenario").to_owned(),
                    several => say!("{} scenarios", several),
                };
                let told = if failed > 0 { say!("{failed} of {count} failed") } else { count };
                out.line(&format!("{} {:<width$}  {told}", mark(failed == 0), visible(game)));
            }
            let mut shown = ShownFailures::default();
            for report in reports.iter().filter(|report| self.verbose || !are_several || report.result.is_err()) {
                let (id, title) = (visible(&report.id), visible(&report.title));
                out.line(&format!("{} {id:<5} {title}", mark(report.result.is_ok())));
                match shown.same_before(report) {
                    Some(same) => out.line(&format!("{:13}{}", "", same.told())),
                    None => out.tell(report.result.as_ref().err().into_iter().flatten()),
                }
            }
        }
    }
}

/// The folder in which a scenario shares its id with no other of its game: that of all scenarios of a project, and
/// elsewhere its own.
fn own_folder(path: &Path) -> Option<PathBuf> {
    path.ancestors().find(|folder| folder.ends_with(FOLDER)).or(path.parent()).map(Path::to_owned)
}

/// The warning about the second scenario with an id.
fn second_of_id(second: &Report, place: Place, first: &Place) -> Diagnostic {
    let message = message!("two scenarios of `{}` have the id `{}`", second.game, second.id);
    let of = |place: Place, label: &'static str| Place { label: label.into(), ..place };
    let warning = Diagnostic::warning(message).at(of(place, "the second")).related(of(first.clone(), "the first"));
    warning.help("give one of them another id: a rulebook and `lay` find only one of them")
}

/// The beginning of a result line.
fn mark(has_passed: bool) -> &'static str {
    if has_passed { said("ok    ") } else { said("FAILED") }
}

/// Whether a game has a variant of this id, which may be broken (its scenarios tell), or a file has a variant of it.
fn is_there(variant: &str, game: &str, library: &Library) -> bool {
    match is_path(variant) {
        true => library.variant(game, variant).is_ok(),
        false => library.variants(game).iter().any(|entry| entry.id == variant),
    }
}

/// The id of the game whose scenarios are meant; `None` for a file or folder.
fn game_meant<'t>(typed: &'t Path, library: &Library) -> Result<Option<&'t str>, Failure> {
    let Some(id) = typed.to_str().filter(|typed| !is_path(typed)) else { return Ok(None) };
    let games = library.games();
    // A folder may happen to have the id of a game, such as the folder of its scenarios.
    if games.iter().any(|game| game.id == id) {
        return Ok(Some(id));
    }
    if library.files().kind(typed).is_some() {
        return Ok(None);
    }
    let otherwise = "`houserule list` shows the games; a file is given by its path";
    Err(Failure::wrong(unknown_or("game or file", id, games.iter().map(|game| &*game.id), otherwise)))
}

/// The scenario files of a game, at least one.
fn of_game(game: &str, library: &Library) -> Result<Vec<PathBuf>, Failure> {
    let found = find_of_game(game, library);
    if found.is_empty() {
        let error = Diagnostic::new(message!("there is no scenario of `{game}`"));
        return Err(Failure::wrong(error.help(message!("`houserule new scenario {game} ID` begins one"))));
    }
    Ok(found)
}
