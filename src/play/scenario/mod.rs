//! Rules tests in TOML, in the form of given, when and then.
//!
//! ```toml
//! id      = "U2"
//! title   = "A card below the lowest goes between highest and lowest"
//! game    = "high-card"
//! players = 2
//!
//! [given]
//! ring    = [7, 33, 48, 61, 90, 106]
//! p1.hand = [5, 80, 101]
//!
//! [when]
//! call = "turn(p1)"
//!
//! [[then]]
//! asks   = "p1 play_card"
//! choose = 5
//!
//! [[then]]
//! asks    = "p1 take_neighbour"
//! options = [7, 106]
//! ```
//!
//! The [table of keys](crate::definition::keys) documents all keys.
//!
//! Every expectation keeps its place in the file, so that a failure is shown where it was written, with the actual
//! value. A scenario runs the real rules, and never changes a file.

mod expect;
mod lookup;
mod named;
mod read;
mod record;
mod rig;
mod run;

pub use record::TITLE_OF_RECORDED;
pub use record::{only_saved, state_expectation};

use crate::definition::{Edition, Library, Scalar};
use crate::diagnostic::{Diagnostic, Diagnostics, Message, Place, message, unknown, visible};
use crate::files::path_name;
use crate::playthrough::log::{LogEntry, TableSetup};
use crate::playthrough::rules_cache::RulesCache;
use crate::playthrough::run::Outcome;
use crate::playthrough::timeline::Timeline;
use crate::playthrough::{Playable, Playthrough};
use crate::ruleset::Selection;
use crate::script::Start;
use crate::script::rules::Rules;
use crate::sorted::{SortedSet, sort_by};
use crate::table::layout::Layout;
use crate::work::Work;
use std::cell::RefCell;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder of scenarios below a root of the library.
pub const FOLDER: &str = "tests/scenarios";

/// The path for a new scenario of a game in the folder of a project.
pub fn place(project: &Path, game: &str, id: &str) -> PathBuf {
    project.join(FOLDER).join(game).join(id).with_extension("toml")
}

/// Rejects a file name that `test` would not find.
///
/// # Errors
/// The name does not end in `.toml`.
pub fn check_file_name(path: &Path) -> Result<(), Diagnostics> {
    if path.extension().is_some_and(|extension| extension == "toml") {
        return Ok(());
    }
    let shown = path_name(path);
    let error = Diagnostic::new(message!("the file of a scenario ends in `.toml`, and `{}` does not", visible(&shown)));
    Err(error.help(message!("`{}.toml` would do", visible(&shown))).into())
}

/// A rules test read from a file.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The id in lists; several tests of one rule share the beginning: `U1`, `U1b`.
    pub id: String,
    /// The place of the id.
    pub id_place: Place,
    /// A sentence that says what the scenario shows.
    pub title: String,
    /// The path of the file.
    pub path: PathBuf,
    /// The language edition of the expressions.
    pub edition: Edition,
    game: PlacedText,
    variants: Vec<PlacedText>,
    set: Vec<PlacedText>,
    players: Option<(usize, Place)>,
    seed: u64,
    given: Vec<TableItem>,
    call: Option<PlacedText>,
    rigs: Vec<PlacedText>,
    steps: Vec<Step>,
    cases: Vec<Case>,
}

/// One of many cases of a scenario.
#[derive(Clone, Debug)]
struct Case {
    /// The name of the case, or its number.
    name: String,
    /// The place in the file.
    place: Place,
    given: Vec<TableItem>,
    call: Option<PlacedText>,
    steps: Vec<Step>,
}

/// The result of running a scenario.
#[derive(Clone, Debug)]
pub struct Report {
    /// The scenario's id.
    pub id: String,
    pub title: String,
    /// The id of the tested game.
    pub game: String,
    /// The path of the scenario's file.
    pub path: PathBuf,
    /// Success, or the failures.
    pub result: Result<(), Diagnostics>,
    /// What is not wrong, but has no effect.
    pub warnings: Vec<Diagnostic>,
}

/// The failures that were shown of the scenarios of a game. Rules that cannot be loaded fail each scenario with the same
/// errors, which are shown once.
#[derive(Default)]
pub struct ShownFailures(Vec<(String, Vec<Diagnostic>)>);

impl ShownFailures {
    /// A reference to the scenario shown before that failed with the same errors. `None` where the errors of this one
    /// are to be shown, or it has passed.
    pub fn same_before(&mut self, report: &Report) -> Option<Message> {
        let errors = report.result.as_ref().err()?;
        let file = path_name(&report.path);
        // Where the scenario names its rules, which has no words, is no difference; where it calls or expects is.
        let without_names = |error: &Diagnostic| {
            let mut error = error.clone();
            error.related.retain(|place| place.source.name != file || place.label != Message::default());
            error
        };
        let errors: Vec<Diagnostic> = errors.iter().map(without_names).collect();
        let is_placed = errors.iter().all(|error| error.place.is_some());
        if let Some((first, _)) = self.0.iter().find(|(_, shown)| is_placed && *shown == errors) {
            return Some(message!("with the same errors as {first}"));
        }
        self.0.push((report.id.clone(), errors));
        None
    }
}

/// One run of the rules for a scenario: from the beginning to where a step checks.
#[derive(Clone, Copy)]
pub struct ScenarioRun<'a> {
    /// The compiled rules.
    pub loaded: &'a Playable,
    /// The executable rules.
    pub rules: &'a Arc<Rules>,
    /// Where the rules begin.
    pub start: &'a Start,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The answers of the scenario; choices made at random are in the outcome.
    pub log: &'a [LogEntry],
    /// The result of the run.
    pub outcome: &'a Outcome,
}

/// The log that a scenario's answers lead along.
pub struct Course {
    loaded: Playable,
    start: Start,
    seed: u64,
    /// The number of log entries before the first answer, which rig chance.
    pub given: usize,
    /// The whole log: rigged chance, then the answers.
    pub log: Vec<LogEntry>,
}

impl Course {
    /// The game after `entries` entries of the log.
    ///
    /// # Errors
    /// The work was stopped.
    pub fn at(&self, entries: usize) -> Result<Playthrough, Diagnostics> {
        let timeline = Timeline::new(self.log.iter().take(entries).cloned().collect());
        let rules = (self.loaded.clone(), self.loaded.layout.seats, self.seed);
        Ok(Playthrough::begun_at(self.start.clone(), rules, timeline)?.0)
    }
}

/// A text with its place in the file.
#[derive(Clone, Debug)]
struct PlacedText {
    text: String,
    place: Place,
}

/// A named zone or variable, with the value written for it.
#[derive(Clone, Debug)]
struct TableItem {
    /// The name: `ring`, `p1.columns`, `p1.columns.2`, `p1.score`.
    name: PlacedText,
    content: ItemContent,
    place: Place,
}

#[derive(Clone, Debug)]
enum ItemContent {
    /// The components of a zone, from the bottom or left.
    Components(Vec<PlacedText>),
    /// The components of several zones that share the name.
    Several(Vec<(Place, Vec<PlacedText>)>),
    /// The value of a variable, or a count.
    Value(Scalar),
}

/// A step: expectations at one moment, then an answer.
#[derive(Clone, Debug)]
struct Step {
    place: Place,
    expectations: Vec<Expectation>,
    answer: Option<Answer>,
    rigs: Vec<PlacedText>,
}

#[derive(Clone, Debug)]
struct Expectation {
    what: ExpectationKind,
    place: Place,
}

#[derive(Clone, Debug)]
enum ExpectationKind {
    Asks(String),
    Options(Vec<PlacedText>),
    Lacks(Vec<PlacedText>),
    /// Refused options, each with part of the reason.
    Refuses(Vec<(PlacedText, String)>),
    Zones(Vec<TableItem>),
    Counts(Vec<TableItem>),
    Variables(Vec<TableItem>),
    /// Zones, each after the seat that looks: `p2.p1.hand`.
    Sees(Vec<TableItem>),
    /// Properties of components, such as `die-3.value`.
    Components(Vec<TableItem>),
    /// Expressions with their expected values.
    ResultSort(Vec<(PlacedText, ExpectedResult)>),
    Awards(Vec<PlacedText>),
    Ranking(Vec<Vec<String>>),
    Turns(usize),
    Over(bool),
    Fails(String),
}

/// The expected value of an expression, with its place.
#[derive(Clone, Debug)]
struct ExpectedResult {
    /// The value in words, in every accepted form.
    words: Vec<String>,
    place: Place,
}

#[derive(Clone, Debug)]
enum Answer {
    Choose(Vec<PlacedText>, Place),
    PlayUntil(Moment, Place),
}

/// A future moment of a game, to play on to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Moment {
    End,
    NextTurn,
    NextRound,
    NextPhase,
    Turn(usize),
    Round(i64),
    Phase(String),
    Decision(usize),
}

impl Scenario {
    /// Runs the scenario.
    pub fn run(&self, library: &Library) -> Report {
        self.run_with((library, &RulesCache::default()), &[], &[], &Arc::default())
    }

    /// Runs the scenario with further variants and settings on top of its own. Scenarios run in succession share
    /// compiled rules in the cache. If the work is stopped, the report is meaningless.
    pub fn run_with(
        &self,
        rules: (&Library, &RulesCache),
        variants: &[String],
        set: &[String],
        work: &Arc<Work>,
    ) -> Report {
        self.run_observed(rules, (variants, set), work, &|_| ())
    }

    /// As [`Self::run_with`], and passes each run of the rules to `tell`, for example to be repeated. Each run goes
    /// from the beginning to where the answers so far lead, so the last one includes everything.
    pub fn run_observed(
        &self,
        rules: (&Library, &RulesCache),
        beyond: (&[String], &[String]),
        work: &Arc<Work>,
        tell: &dyn Fn(ScenarioRun<'_>),
    ) -> Report {
        let (id, title, path) = (self.id.clone(), self.title.clone(), self.path.clone());
        let game = self.game().to_owned();
        let (result, warnings) = match self.run_cases(rules, beyond, work, tell) {
            Ok(warnings) => (Ok(()), warnings),
            Err(errors) => (Err(errors), Vec::new()),
        };
        Report { id, title, game, path, result, warnings }
    }

    /// Runs the scenario or each of its cases, and collects all failures, or the warnings that are the same in all.
    fn run_cases(
        &self,
        rules: (&Library, &RulesCache),
        beyond: (&[String], &[String]),
        work: &Arc<Work>,
        tell: &dyn Fn(ScenarioRun<'_>),
    ) -> Result<Vec<Diagnostic>, Diagnostics> {
        if self.cases.is_empty() {
            return run::run(self, rules, beyond, work, tell);
        }
        let (mut troubles, mut warnings): (Vec<Diagnostic>, Option<Vec<Diagnostic>>) = (Vec::new(), None);
        for case in &self.cases {
            match run::run(&self.of_case(case), rules, beyond, work, tell) {
                Ok(found) => match &mut warnings {
                    Some(warnings) => warnings.retain(|known| found.contains(known)),
                    None => warnings = Some(found),
                },
                Err(errors) => troubles.extend(
                    errors.map(|error| error.help(message!("this is case {}", case.name)).related(case.place.clone())),
                ),
            }
        }
        Diagnostics::refuse(troubles)?;
        Ok(warnings.unwrap_or_default())
    }

    /// Opens the game where the scenario's answers lead, to be inspected and played on, in the case named `case` or
    /// else the first. Also returns the failures.
    ///
    /// # Errors
    /// The case is unknown (with the nearest one); the rules cannot be used or do not begin; or the work was stopped.
    pub fn open(
        &self,
        library: &Library,
        case: Option<&str>,
        work: &Arc<Work>,
    ) -> Result<(Playthrough, Option<Diagnostics>), Diagnostics> {
        let (course, failed) = self.course((library, &RulesCache::default()), case, work)?;
        Ok((course.at(course.log.len())?, failed))
    }

    /// The course of the scenario's answers, for [`open`](Self::open).
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn course(
        &self,
        rules: (&Library, &RulesCache),
        case: Option<&str>,
        work: &Arc<Work>,
    ) -> Result<(Course, Option<Diagnostics>), Diagnostics> {
        let one = match (case, self.cases.first()) {
            (None, None) => self.clone(),
            (None, Some(first)) => self.of_case(first),
            (Some(name), _) => {
                let found = self.cases.iter().find(|case| case.name == name);
                let names = || self.cases.iter().map(|case| &*case.name);
                self.of_case(found.ok_or_else(|| unknown("case", name, names()))?)
            }
        };
        let (first, last) = (RefCell::new(None), RefCell::new(None));
        let tell = |run: ScenarioRun<'_>| {
            let log: Vec<LogEntry> = run.log.iter().chain(&run.outcome.added).cloned().collect();
            first.borrow_mut().get_or_insert_with(|| run.log.len());
            *last.borrow_mut() = Some((run.loaded.clone(), run.start.clone(), run.seed, log));
        };
        let result = run::run(&one, rules, (&[], &[]), work, &tell);
        work.check_stopped()?;
        let Some((loaded, start, seed, log)) = last.into_inner() else {
            let nowhere = || Diagnostic::new(message!("the rules of {} do not begin, as it expects", self.id)).into();
            return Err(result.err().unwrap_or_else(nowhere));
        };
        let given = first.into_inner().unwrap_or_default();
        Ok((Course { loaded, start, seed, given, log }, result.err()))
    }

    /// The scenario combined with one of its cases.
    fn of_case(&self, case: &Case) -> Scenario {
        let mut one = Self { cases: Vec::new(), ..self.clone() };
        one.given.retain(|own| !case.given.iter().any(|given| given.name.text == own.name.text));
        one.given.extend(case.given.iter().cloned());
        one.call = case.call.clone().or(one.call);
        one.steps.extend(case.steps.iter().cloned());
        one
    }

    /// The same scenario as a test of other rules. Its own settings stay, unless the new rules override them.
    #[must_use]
    pub fn under(&self, rules: &Selection) -> Self {
        let placed = |text: &String| PlacedText { text: text.clone(), place: self.game.place.clone() };
        let mut other = Self { game: placed(&rules.game), ..self.clone() };
        other.variants = rules.variants.iter().map(placed).collect();
        other.set.extend(rules.set.iter().map(placed));
        other
    }

    /// The id of the tested game.
    pub fn game(&self) -> &str {
        &self.game.text
    }

    /// The ids of the scenario's variants, and its text with these ids in place of file paths; `None` where `id_of`
    /// does not know a variant.
    pub fn by_ids(&self, text: &str, id_of: impl Fn(&str) -> Option<String>) -> Option<(Vec<String>, String)> {
        let ids = self.variants.iter().map(|variant| id_of(&variant.text)).collect::<Option<Vec<String>>>()?;
        let mut text = text.to_owned();
        // Backwards, so that earlier spans stay valid.
        for (variant, id) in self.variants.iter().zip(&ids).rev().filter(|(variant, id)| variant.text != **id) {
            let span = variant.place.span.clone();
            text.get(span.clone())?;
            text.replace_range(span, &format!("{id:?}"));
        }
        Some((ids, text))
    }

    /// The variants on top of the game, as written.
    pub fn variants(&self) -> impl Iterator<Item = &str> {
        self.variants.iter().map(|variant| &*variant.text)
    }

    /// The number of players; `None` where the scenario does not say.
    pub fn players(&self) -> Option<usize> {
        self.players.as_ref().map(|(players, _)| *players)
    }

    /// The table that the scenario sets up, for a game in play.
    ///
    /// # Errors
    /// The scenario is for another game, or sets up no table; or these rules lack one of its zones, variables or
    /// components.
    pub fn table_for(&self, game: &str, layout: &Arc<Layout>) -> Result<TableSetup, Diagnostics> {
        if self.game.text != game {
            let place = Place { label: message!("not {game}"), ..self.game.place.clone() };
            return Err(Diagnostic::new(message!("{} is for {}", self.id, self.game.text)).at(place).into());
        }
        if self.given.is_empty() {
            let message = message!("{} sets up no table: the rules do that themselves", self.id);
            return Err(Diagnostic::new(message).help("take a scenario with `[given]`").into());
        }
        run::given(self, layout)
    }
}

/// The scenario files in the given files and folders, sorted; without `paths`, those under `tests/scenarios` of the
/// library's roots. Of two with the same path below it, the one of the first root counts. Scenarios of a game are
/// skipped where an earlier root has a game with that id, because they are about another game.
///
/// A path that does not exist is returned as it is, so that reading it reports the error.
pub fn find(paths: &[PathBuf], library: &Library) -> Vec<PathBuf> {
    let files = library.files();
    let mut found = if paths.is_empty() { in_roots(None, library) } else { Vec::new() };
    for path in paths {
        if files.is_folder(path) { found.extend(files.toml_files_below(path)) } else { found.push(path.clone()) }
    }
    sort_by(&mut found, Ord::cmp);
    found.dedup();
    found
}

/// The scenario files in the folders of these games below `tests/scenarios` of any root, sorted; as [`find`] skips some.
pub fn find_in_folders<'g>(games: impl Iterator<Item = &'g str>, library: &Library) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = games.flat_map(|game| in_roots(Some(game), library)).collect();
    sort_by(&mut found, Ord::cmp);
    found
}

/// The scenario files below `tests/scenarios` of each root: all, or those in the folder of a game.
fn in_roots(game: Option<&str>, library: &Library) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut seen = SortedSet::new();
    for (place, root) in library.roots().iter().enumerate() {
        let folder = root.join(FOLDER);
        let is_of_another = |below: &Path| {
            let game = below.iter().next().and_then(OsStr::to_str);
            game.and_then(|game| library.place_of_game(game)).is_some_and(|first| first < place)
        };
        let inside = game.map_or_else(|| folder.clone(), |game| folder.join(game));
        found.extend(library.files().toml_files_below(&inside).into_iter().filter(|path| {
            let below = path.strip_prefix(&folder).unwrap_or(path);
            seen.insert(below.to_owned()) && !is_of_another(below)
        }));
    }
    found
}

/// All scenario files of a game, sorted: those in its folder below `tests/scenarios` of any root, and others that are
/// for the game. A folder above these that may not be listed is among them, so that reading it reports the error.
pub fn find_of_game(game: &str, library: &Library) -> Vec<PathBuf> {
    let own: Vec<PathBuf> = library.roots().iter().map(|root| root.join(FOLDER).join(game)).collect();
    let is_for_it = |path: &Path| Scenario::read(library.files(), path).is_ok_and(|scenario| scenario.game() == game);
    let mut found = find(&[], library);
    let is_its_folder = |path: &Path| own.iter().any(|folder| path.starts_with(folder) || folder.starts_with(path));
    found.retain(|path| is_its_folder(path) || is_for_it(path));
    found
}
