//! Rules tests in TOML: given a table, when the rules are called, then this is so.
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
//! The [table of keys](crate::definition::keys) says what each is for.
//!
//! Every expectation keeps its place, so one that fails is shown where it was written, with what was found. A scenario
//! runs the real rules; it never changes a file.

mod expect;
mod lookup;
mod named;
mod read;
mod record;
mod rig;
mod run;

pub use record::TITLE_OF_RECORDED;
pub use record::{only_saved, stands};

use crate::definition::{Edition, Library, Plain};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, unknown, visible};
use crate::files::path_name;
use crate::playthrough::log::{LogEntry, TableSetup};
use crate::playthrough::rules_cache::RulesCache;
use crate::playthrough::run::Outcome;
use crate::playthrough::timeline::Timeline;
use crate::playthrough::{Playable, Playthrough};
use crate::ruleset::Selection;
use crate::script::Start;
use crate::script::rules::Rules;
use crate::table::layout::Layout;
use crate::work::Work;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where scenarios lie below a root of the library.
pub const FOLDER: &str = "tests/scenarios";

/// Where a new scenario of a game belongs, in the folder of a project.
pub fn place(project: &Path, game: &str, id: &str) -> PathBuf {
    project.join(FOLDER).join(game).join(id).with_extension("toml")
}

/// Refuses a file for a scenario that `test` would not find.
///
/// # Errors
/// Its name does not end in `.toml`.
pub fn check_file_name(path: &Path) -> Result<(), Diagnostics> {
    if path.extension().is_some_and(|extension| extension == "toml") {
        return Ok(());
    }
    let shown = path_name(path);
    let error = Diagnostic::new(format!("the file of a scenario ends in `.toml`, and `{}` does not", visible(&shown)));
    Err(error.help(format!("`{}.toml` would do", visible(&shown))).into())
}

/// A rules test as it was read.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// What it is called in lists; several cases of one rule share the beginning: `U1`, `U1b`.
    pub id: String,
    /// What it shows, as a sentence.
    pub title: String,
    /// Its file.
    pub path: PathBuf,
    /// The edition of the language that its expressions are written in.
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

/// One of many cases of a rule.
#[derive(Clone, Debug)]
struct Case {
    /// What it is called, or its number.
    name: String,
    /// Where it stands.
    place: Place,
    given: Vec<TableItem>,
    call: Option<PlacedText>,
    steps: Vec<Step>,
}

/// What came of a scenario.
#[derive(Clone, Debug)]
pub struct Report {
    /// The scenario's id.
    pub id: String,
    pub title: String,
    /// The game that it tests.
    pub game: String,
    /// Its file.
    pub path: PathBuf,
    /// Nothing, or what was not as expected.
    pub result: Result<(), Diagnostics>,
}

/// One run of the rules on a scenario's way: from the beginning to where a step looks.
#[derive(Clone, Copy)]
pub struct ScenarioRun<'a> {
    /// The rules, with what they were compiled from.
    pub loaded: &'a Playable,
    /// What runs.
    pub rules: &'a Arc<Rules>,
    /// Where they begin.
    pub start: &'a Start,
    /// The seed of chance.
    pub seed: u64,
    /// The answers of the scenario; those of chance stand in the outcome.
    pub log: &'a [LogEntry],
    /// The outcome of the run.
    pub outcome: &'a Outcome,
}

/// The way that the answers of a scenario lead.
pub struct Course {
    loaded: Playable,
    start: Start,
    seed: u64,
    /// How much of the log is there before the first answer: what chance was given.
    pub given: usize,
    /// The answers, behind what chance was given.
    pub log: Vec<LogEntry>,
}

impl Course {
    /// The game behind so many entries of the log.
    ///
    /// # Errors
    /// Somebody stopped the work.
    pub fn at(&self, entries: usize) -> Result<Playthrough, Diagnostics> {
        let timeline = Timeline::new(self.log.iter().take(entries).cloned().collect());
        let rules = (self.loaded.clone(), self.loaded.layout.seats, self.seed);
        Ok(Playthrough::begun_at(self.start.clone(), rules, timeline)?.0)
    }
}

/// A text with the place it was written at.
#[derive(Clone, Debug)]
struct PlacedText {
    text: String,
    place: Place,
}

/// What stands behind the name of a zone or variable.
#[derive(Clone, Debug)]
struct TableItem {
    /// `ring`, `p1.columns`, `p1.columns.2`, `p1.score`.
    name: PlacedText,
    content: ItemContent,
    /// Where the content stands.
    place: Place,
}

#[derive(Clone, Debug)]
enum ItemContent {
    /// The components of one zone, from bottom or left.
    Components(Vec<PlacedText>),
    /// Those of several zones of a kind.
    Several(Vec<(Place, Vec<PlacedText>)>),
    /// The value of a variable, or a count.
    Value(Plain),
}

/// One look at the table, and what is done then.
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
    /// Options with part of the reason.
    Refuses(Vec<(PlacedText, String)>),
    Zones(Vec<TableItem>),
    Counts(Vec<TableItem>),
    Variables(Vec<TableItem>),
    /// Of zones, each behind the seat that looks: `p2.p1.hand`.
    Sees(Vec<TableItem>),
    /// Of components `die-3.value` and such.
    Components(Vec<TableItem>),
    /// Expressions with what they come to.
    Gives(Vec<(PlacedText, ExpectedResult)>),
    Awards(Vec<PlacedText>),
    Ranking(Vec<Vec<String>>),
    Turns(usize),
    Over(bool),
    Fails(String),
}

/// What an expression is to come to, and where that is written.
#[derive(Clone, Debug)]
struct ExpectedResult {
    /// As people read it, in each way in which the rules may say it.
    words: Vec<String>,
    place: Place,
}

#[derive(Clone, Debug)]
enum Answer {
    Choose(Vec<PlacedText>, Place),
    PlayUntil(Moment, Place),
}

/// A moment of a game that has not come yet.
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

    /// Runs the scenario with further variants laid over its own, and with more set than it sets; scenarios that are run
    /// one after the other share their rules on a shelf. Where somebody
    /// stops the work, the report tells nothing.
    pub fn run_with(
        &self,
        rules: (&Library, &RulesCache),
        variants: &[String],
        set: &[String],
        work: &Arc<Work>,
    ) -> Report {
        self.run_told(rules, (variants, set), work, &|_| ())
    }

    /// As [`Self::run_with`], and tells each run of the rules, for whoever runs them once more. Each stands where the answers
    /// so far lead from the beginning, so the last one has everything.
    pub fn run_told(
        &self,
        rules: (&Library, &RulesCache),
        beyond: (&[String], &[String]),
        work: &Arc<Work>,
        tell: &dyn Fn(ScenarioRun<'_>),
    ) -> Report {
        let (id, title, path) = (self.id.clone(), self.title.clone(), self.path.clone());
        let game = self.game().to_owned();
        Report { id, title, game, path, result: self.run_cases(rules, beyond, work, tell) }
    }

    /// Runs it, or each of its cases; all that fail are told.
    fn run_cases(
        &self,
        rules: (&Library, &RulesCache),
        beyond: (&[String], &[String]),
        work: &Arc<Work>,
        tell: &dyn Fn(ScenarioRun<'_>),
    ) -> Result<(), Diagnostics> {
        if self.cases.is_empty() {
            return run::run(self, rules, beyond, work, tell);
        }
        let mut troubles = Vec::new();
        for case in &self.cases {
            if let Err(errors) = run::run(&self.of_case(case), rules, beyond, work, tell) {
                let told =
                    errors.map(|error| error.help(format!("this is case {}", case.name)).related(case.place.clone()));
                troubles.extend(told);
            }
        }
        Diagnostics::refuse(troubles)
    }

    /// The game as it stands where its answers have led, to be looked at and played on; of several cases that of this name,
    /// without one the first. With what was not as expected.
    ///
    /// # Errors
    /// There is no such case, with the nearest; the rules cannot be used, or begin nowhere; somebody stopped the work.
    pub fn open(
        &self,
        library: &Library,
        case: Option<&str>,
        work: &Arc<Work>,
    ) -> Result<(Playthrough, Option<Diagnostics>), Diagnostics> {
        let (course, failed) = self.course(library, case, work)?;
        Ok((course.at(course.log.len())?, failed))
    }

    /// The way that its answers lead, as [`open`](Self::open) goes it.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn course(
        &self,
        library: &Library,
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
        let result = run::run(&one, (library, &RulesCache::default()), (&[], &[]), work, &tell);
        work.refuse_stopped()?;
        let Some((loaded, start, seed, log)) = last.into_inner() else {
            let nowhere = || Diagnostic::new(format!("the rules of {} do not begin, as it expects", self.id)).into();
            return Err(result.err().unwrap_or_else(nowhere));
        };
        let given = first.into_inner().unwrap_or_default();
        Ok((Course { loaded, start, seed, given, log }, result.err()))
    }

    /// The scenario as it is for one of its cases.
    fn of_case(&self, case: &Case) -> Scenario {
        let mut one = Self { cases: Vec::new(), ..self.clone() };
        one.given.retain(|own| !case.given.iter().any(|given| given.name.text == own.name.text));
        one.given.extend(case.given.iter().cloned());
        one.call = case.call.clone().or(one.call);
        one.steps.extend(case.steps.iter().cloned());
        one
    }

    /// The same scenario as a test of other rules; what it sets itself, to be small, stays unless these set it otherwise.
    #[must_use]
    pub fn under(&self, rules: &Selection) -> Self {
        let placed = |text: &String| PlacedText { text: text.clone(), place: self.game.place.clone() };
        let mut other = Self { game: placed(&rules.game), ..self.clone() };
        other.variants = rules.variants.iter().map(placed).collect();
        other.set.extend(rules.set.iter().map(placed));
        other
    }

    /// The game that it tests.
    pub fn game(&self) -> &str {
        &self.game.text
    }

    /// The ids of the variants that it lays over the game, and its text with these in place of the paths of their files;
    /// nothing where one is unknown to `id_of`.
    pub fn by_ids(&self, text: &str, id_of: impl Fn(&str) -> Option<String>) -> Option<(Vec<String>, String)> {
        let ids = self.variants.iter().map(|variant| id_of(&variant.text)).collect::<Option<Vec<String>>>()?;
        let mut text = text.to_owned();
        // From the end, so that what stands before keeps its place.
        for (variant, id) in self.variants.iter().zip(&ids).rev().filter(|(variant, id)| variant.text != **id) {
            let span = variant.place.span.clone();
            text.get(span.clone())?;
            text.replace_range(span, &format!("{id:?}"));
        }
        Some((ids, text))
    }

    /// The variants that it lays over the game.
    pub fn variants(&self) -> impl Iterator<Item = &str> {
        self.variants.iter().map(|variant| &*variant.text)
    }

    /// How many play, where it says so.
    pub fn players(&self) -> Option<usize> {
        self.players.as_ref().map(|(players, _)| *players)
    }

    /// The table that it gives, for a game in play.
    ///
    /// # Errors
    /// It is for another game, or gives no table; a zone, variable or component that these rules do not have.
    pub fn table_for(&self, game: &str, layout: &Arc<Layout>) -> Result<TableSetup, Diagnostics> {
        if self.game.text != game {
            let place = Place { label: format!("not {game}"), ..self.game.place.clone() };
            return Err(Diagnostic::new(format!("{} is for {}", self.id, self.game.text)).at(place).into());
        }
        if self.given.is_empty() {
            let message = format!("{} sets up no table: the rules do that themselves", self.id);
            return Err(Diagnostic::new(message).help("take a scenario with `[given]`").into());
        }
        run::given(self, layout)
    }
}

/// The scenario files in files and folders, sorted; without any, those under `tests/scenarios` of the library's roots.
/// Of two with the same path below it, the one of the first root counts; and those of a game do not count where an
/// earlier root has a game of that id: they are about another.
///
/// A path that does not exist is given back as it is, so that reading it says so.
pub fn find(paths: &[PathBuf], library: &Library) -> Vec<PathBuf> {
    let files = library.files();
    let mut found = Vec::new();
    if paths.is_empty() {
        let mut seen = BTreeSet::new();
        for (place, root) in library.roots().iter().enumerate() {
            let folder = root.join(FOLDER);
            let is_of_another = |below: &Path| {
                let game = below.iter().next().and_then(OsStr::to_str);
                game.and_then(|game| library.place_of_game(game)).is_some_and(|first| first < place)
            };
            found.extend(files.toml_files_below(&folder).into_iter().filter(|path| {
                let below = path.strip_prefix(&folder).unwrap_or(path);
                seen.insert(below.to_owned()) && !is_of_another(below)
            }));
        }
    }
    for path in paths {
        if files.is_folder(path) { found.extend(files.toml_files_below(path)) } else { found.push(path.clone()) }
    }
    found.sort();
    found.dedup();
    found
}

/// The scenario files of a game, wherever rules are found, sorted: those in its folder below `tests/scenarios`, and those
/// beside it that are for the game.
pub fn find_of_game(game: &str, library: &Library) -> Vec<PathBuf> {
    let own: Vec<PathBuf> = library.roots().iter().map(|root| root.join(FOLDER).join(game)).collect();
    let is_for_it = |path: &Path| Scenario::read(library.files(), path).is_ok_and(|scenario| scenario.game() == game);
    let mut found = find(&[], library);
    found.retain(|path| own.iter().any(|folder| path.starts_with(folder)) || is_for_it(path));
    found
}
