//! Upgrading files of an earlier edition to the current language.
//!
//! An [`Upgrade`] changes the words that are renamed, and the edition that the file names; every other byte stays. A
//! [`Proof`] plays whatever uses the files before and after: random games, scenarios, saved games.

use crate::agent::Random;
use crate::catalogue::{Message, message};
use crate::definition::keys::KeyInfo as _;
use crate::definition::keys::table::layer;
use crate::definition::tree::{self, TomlTable, Value};
use crate::definition::{Edition, LIBRARY_EDITION, LayerKind, Library};
use crate::diagnostic::toml_string;
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source};
use crate::files::OverlaidFiles;
use crate::inspect::trace::Trace;
use crate::playthrough::Playable;
use crate::playthrough::replay::Replay;
use crate::playthrough::rerun::{Rerun, RerunOutcome};
use crate::playthrough::run::{Request, Until, run};
use crate::ruleset::{Ruleset, Selection};
use crate::scenario::{Scenario, find_of_game};
use crate::script::codes;
use crate::script::parser::Parser;
use crate::script::{End, Start};
use crate::sorted::SortedSet;
use crate::work::Work;
use std::ffi::OsStr;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The number of random games played before and after, each for the fewest and the most players.
const GAMES: u64 = 3;

/// Most selections in which a library or a variant for several games is tried.
const MAX_SELECTIONS: usize = 5;

/// Most differences reported.
const MAX_DIFFERENCES: usize = 20;

/// A file before and after its upgrade.
#[derive(Clone, Debug)]
pub struct Upgrade {
    /// The path of the file.
    pub path: PathBuf,
    /// The text before.
    pub source: Arc<Source>,
    /// The text after.
    pub text: String,
    /// The changes: each place in the old text, and what replaces it.
    pub changes: Vec<(Place, String)>,
}

/// The upgrades of files that belong together, such as a definition and its script, with the means to prove them.
#[derive(Clone, Debug, Default)]
pub struct Upgrades {
    /// The files to upgrade.
    pub files: Vec<Upgrade>,
    /// Rules that use the files.
    selections: Vec<Selection>,
    /// The scenarios among the files.
    scenarios: Vec<PathBuf>,
}

/// The result of playing before and after the upgrade.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// The number of random games played.
    pub games: usize,
    /// The number of scenarios run.
    pub scenarios: usize,
    /// The number of saved games run.
    pub saves: usize,
    /// What differs or cannot be played.
    pub differences: Vec<Diagnostic>,
}

/// A change of a text: a span of bytes and its replacement.
type Edit = (Range<usize>, String);

impl Upgrades {
    /// Works out the upgrade of a file: a definition of a game or variant, a script, a library or a scenario.
    ///
    /// # Errors
    /// The file cannot be read, is of another kind, or its rules do not fit together.
    pub fn of(path: &Path, library: &Library) -> Result<Self, Diagnostics> {
        let files = library.files();
        let name = files.name_of(path);
        if is_in_scripts(path) {
            return Self::of_layer(path, using(path, library)?, library);
        }
        if path.extension() == Some(OsStr::new("rhai")) {
            let beside = match path.file_name() == Some(OsStr::new("rules.rhai")) {
                true => path.with_file_name("game.toml"),
                false => path.with_extension("toml"),
            };
            return Self::of(&beside, library);
        }
        let source = files.read(path, &name)?;
        let whole = tree::parse(&source)?;
        let has = |key: &str| whole.get(key).is_some();
        let refused = |what: &'static str, help: Message| {
            let what = Message::from(what);
            Err(Diagnostics::from(Diagnostic::new(message!("`{name}` is {what}")).help(help)))
        };
        match () {
            () if has("format") => refused("a saved game", "it opens as it is; give the rules with it".into()),
            () if has("pack") => {
                refused("a pack", "`houserule unpack` writes its files; upgrade these, and pack them again".into())
            }
            () if has("then") || has("cases") => Self::of_scenario(path, &source, &whole),
            () if has("id") => Self::of_layer(path, selections_of(path, &whole, library)?, library),
            () => refused("no file of rules", "a game, a variant, a library or a scenario can be upgraded".into()),
        }
    }

    fn of_scenario(path: &Path, source: &Arc<Source>, whole: &TomlTable) -> Result<Self, Diagnostics> {
        Scenario::parse(source, path)?;
        let mut renames: Vec<Edit> = Vec::new();
        let edition = edition_of(whole);
        let parser = Parser::new(Arc::default());
        expressions(whole, &mut |text, span: Range<usize>| {
            let raw = source.text.get(span.clone()).unwrap_or_default();
            let names = parser.old_names(text, edition);
            match raw.find(text) {
                Some(offset) => renames.extend(names.into_iter().map(|(within, old)| {
                    let start = span.start + offset;
                    (start + within.start..start + within.end, old.now.to_owned())
                })),
                // A text with escapes is written differently from how it reads.
                None if !names.is_empty() => {
                    renames.push((span, toml_string(&parser.with_current_names(text, edition))))
                }
                None => {}
            }
        });
        let file = Upgrade::new(path, source, edition, edition_edit(source, whole), renames, Vec::new());
        Ok(Self { files: vec![file], scenarios: vec![path.to_owned()], ..Self::default() })
    }

    /// The upgrade of a game, a variant or a library, whose names are looked up in `selections`.
    fn of_layer(path: &Path, selections: Vec<Selection>, library: &Library) -> Result<Self, Diagnostics> {
        let name = library.files().name_of(path);
        let Some(first) = selections.first() else {
            return Err(Diagnostic::new(message!("no game goes with `{name}`")).into());
        };
        let ruleset = Arc::new(Ruleset::load(library, first)?);
        let real = |path: &Path| library.files().canonical_path(path).with_extension("");
        let Some(layer) = ruleset.all_layers().find(|layer| real(layer.origin.path()) == real(path)) else {
            let error = Diagnostic::new(message!("`{name}` is not what is played under that id"));
            return Err(error.help("another folder of rules comes first: `--dir FOLDER` says which is meant").into());
        };
        let outdated_emptiness_tests = outdated_emptiness_tests(&ruleset);
        let file = |path: PathBuf, source: &Arc<Source>, edition_edit: Edit| -> Result<Upgrade, Diagnostics> {
            let inserts =
                outdated_emptiness_tests.iter().filter(|place| place.source.name == source.name).cloned().collect();
            let names = old_names(&ruleset, source)?;
            Ok(Upgrade::new(&path, source, layer.edition, edition_edit, names, inserts))
        };
        let script = layer.script.as_ref().map(|script| &script.source);
        let beside = script.filter(|script| !Arc::ptr_eq(script, &layer.source));
        let of_script = match path.file_name() == Some(OsStr::new("game.toml")) {
            true => path.with_file_name("rules.rhai"),
            false => path.with_extension("rhai"),
        };
        let is_script_alone = layer.kind == LayerKind::Library && script.is_some() && beside.is_none();
        let mut files = Vec::new();
        if is_script_alone {
            files.push(file(of_script, &layer.source, edition_edit_of_library(&layer.source))?);
        } else {
            let definition = if path.extension() == Some(OsStr::new("toml")) {
                path.to_owned()
            } else {
                path.with_extension("toml")
            };
            files.push(file(definition, &layer.source, edition_edit(&layer.source, &tree::parse(&layer.source)?))?);
            if let Some(script) = beside {
                files.push(file(of_script, script, (0..0, String::new()))?);
            }
        }
        Ok(Self { files, selections, ..Self::default() })
    }

    /// Adds the files of other upgrades, each once.
    pub fn extend(&mut self, more: Self) {
        let known: SortedSet<PathBuf> = self.files.iter().map(|file| file.path.clone()).collect();
        self.files.extend(more.files.into_iter().filter(|file| !known.contains(&file.path)));
        self.selections
            .extend(more.selections.into_iter().filter(|one| !self.selections.contains(one)).collect::<Vec<_>>());
        self.scenarios.extend(more.scenarios);
    }

    /// Whether no file changes.
    pub fn are_nothing(&self) -> bool {
        self.files.iter().all(|file| file.text == file.source.text)
    }

    /// Plays whatever uses the files before and after, and the saved games `saves`.
    pub fn proved(&self, library: &Library, saves: &[PathBuf], work: &Arc<Work>) -> Proof {
        let texts = self.files.iter().map(|file| {
            let text = Source { text: file.text.clone(), ..(*file.source).clone() };
            (file.path.clone(), Arc::new(text))
        });
        let texts: Vec<_> = texts.collect();
        let after = library.with_roots(|below| Arc::new(OverlaidFiles::new(below, texts)), library.roots().to_vec());
        let mut proof = Proof::default();
        for selection in &self.selections {
            proof.play(selection, [library, &after], work);
        }
        let real = |path: &PathBuf| library.files().canonical_path(path);
        let upgraded: SortedSet<PathBuf> = self.scenarios.iter().map(real).collect();
        let of_games = self.selections.iter().flat_map(|selection| find_of_game(&selection.game, library));
        let others = of_games.filter(|path| !upgraded.contains(&real(path)));
        let scenarios: SortedSet<PathBuf> = self.scenarios.iter().cloned().chain(others).collect();
        let is_upgraded = |variant: &str| {
            self.selections.iter().any(|one| one.variants.iter().any(|own| is_same_variant(own, variant)))
        };
        for path in &scenarios {
            let Ok(scenario) = Scenario::read(library.files(), path) else { continue };
            let is_meant = self.scenarios.contains(path)
                || self.selections.iter().any(|one| one.variants.is_empty() && one.game == scenario.game())
                || scenario.variants().any(is_upgraded);
            if is_meant {
                proof.run(path, [library, &after], work);
            }
        }
        for path in saves {
            proof.rerun(path, [library, &after], work);
        }
        proof.differences.truncate(MAX_DIFFERENCES);
        proof
    }
}

/// Whether an id, or the path of a variant's file, stands for the variant `id`.
fn is_same_variant(own: &str, id: &str) -> bool {
    own == id || Path::new(own).file_stem() == Path::new(id).file_stem()
}

impl Upgrade {
    fn new(
        path: &Path,
        source: &Arc<Source>,
        edition: Edition,
        edition_edit: Edit,
        renames: Vec<Edit>,
        outdated_emptiness_tests: Vec<Place>,
    ) -> Self {
        let inserts = outdated_emptiness_tests.into_iter().map(|place| {
            let written = source.text.get(place.span.clone()).unwrap_or_default();
            (place.span.clone(), format!("components.{written}"))
        });
        let mut edits: Vec<Edit> = renames.into_iter().chain(inserts).collect();
        if !edition_edit.1.is_empty() && edition < Edition::CURRENT {
            edits.push(edition_edit);
        }
        edits.sort_by_key(|(span, _)| span.start);
        let change = |(span, now): &Edit| (Place::new(source, span.clone(), ""), now.clone());
        let changes = edits.iter().map(change).collect();
        let mut text = source.text.clone();
        for (span, now) in edits.into_iter().rev() {
            text.replace_range(span, &now);
        }
        Self { path: path.to_owned(), source: source.clone(), text, changes }
    }
}

impl Proof {
    /// Plays random games before and after, and records differences.
    fn play(&mut self, selection: &Selection, [before, after]: [&Library; 2], work: &Arc<Work>) {
        let ruleset = |library| Ruleset::load(library, selection).map(Arc::new);
        let (old, new) = match (ruleset(before), ruleset(after)) {
            (Ok(old), Ok(new)) => (old, new),
            (_, Err(errors)) | (Err(errors), _) => return self.differences.extend(errors),
        };
        let (fewest, most) = new.definition.players;
        for players in SortedSet::from([fewest, most]) {
            let compiled = |ruleset: &Arc<Ruleset>| Playable::compile(ruleset.clone(), players, work.clone());
            let (old, new) = match (compiled(&old), compiled(&new)) {
                (Ok(old), Ok(new)) => (old, new),
                // What could not be played before cannot be compared.
                (Err(_), Ok(_)) => continue,
                (_, Err(errors)) => return self.differences.extend(errors),
            };
            for seed in 1..=GAMES {
                if work.is_stopped() {
                    return;
                }
                self.games += 1;
                if trace(&old, seed) != trace(&new, seed) {
                    let command = selection.command("play");
                    let message = message!("the game of `{command} -p {players} -s {seed}` is another than before");
                    self.differences.push(Diagnostic::new(message));
                    break;
                }
            }
        }
    }

    /// Runs a scenario before and after, and records differences.
    fn run(&mut self, path: &Path, libraries: [&Library; 2], work: &Arc<Work>) {
        if work.is_stopped() {
            return;
        }
        let told = libraries.map(|library| {
            let scenario = Scenario::read(library.files(), path)?;
            scenario.run_with((library, &crate::playthrough::rules_cache::RulesCache::default()), &[], &[], work).result
        });
        self.scenarios += 1;
        let [before, after] = &told;
        let messages = |errors: &Diagnostics| errors.iter().map(|error| error.message.clone()).collect::<Vec<_>>();
        let is_worse = match (before, after) {
            (_, Ok(())) => false,
            (Ok(()), Err(_)) => true,
            (Err(before), Err(after)) => messages(before) != messages(after),
        };
        if is_worse {
            let name = libraries[0].files().name_of(path);
            let error = Diagnostic::new(message!("the scenario `{name}` comes out otherwise than before"));
            self.differences.push(error);
            self.differences.extend(after.as_ref().err().and_then(|errors| errors.iter().next().cloned()));
        }
    }

    /// Replays a saved game under the rules before and after, and records differences.
    fn rerun(&mut self, path: &Path, libraries: [&Library; 2], work: &Arc<Work>) {
        let ran = libraries.map(|library| {
            let read = Replay::read(library.files(), path)?;
            let (ruleset, _) = read.rules_on_disk(library, path)?;
            let loaded = Playable::compile(Arc::new(ruleset), read.replay.players, work.clone())?;
            Rerun::on(&read.replay, loaded)
        });
        let [before, after] = ran;
        let (before, after) = match (before, after) {
            (Ok(before), Ok(after)) => (before, after),
            (_, Err(errors)) | (Err(errors), _) => return self.differences.extend(errors),
        };
        self.saves += 1;
        let stands = |ran: &Rerun| {
            let outcome = match ran.outcome {
                RerunOutcome::Equal => 0,
                RerunOutcome::OtherScores { .. } => 1,
                RerunOutcome::NoLongerFits { .. } => 2,
                RerunOutcome::Failed { .. } => 3,
            };
            (outcome, ran.played, ran.scores.clone(), ran.over)
        };
        if stands(&before) != stands(&after) {
            let name = libraries[0].files().name_of(path);
            self.differences.push(Diagnostic::new(message!("the saved game `{name}` comes out otherwise than before")));
        }
    }
}

/// The edition that a TOML file names; `UNSTATED` where it names none.
fn edition_of(whole: &TomlTable) -> Edition {
    match whole.get(layer::HOUSERULE.name()).map(|node| &node.value) {
        Some(Value::Text(text)) => Edition::parse(text).unwrap_or_default(),
        _ => Edition::UNSTATED,
    }
}

/// The edit that sets the current edition in a TOML file: in place of the old one, or before its first key.
fn edition_edit(source: &Source, whole: &TomlTable) -> Edit {
    let key = layer::HOUSERULE.name();
    if let Some(node) = whole.get(key) {
        return (node.span.clone(), format!("\"{}\"", Edition::CURRENT));
    }
    let first = whole.iter().map(|(_, entry)| entry.key.span.start).min().unwrap_or(0);
    let start = source.text.get(..first).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    (start..start, format!("{key} = \"{}\"\n", Edition::CURRENT))
}

/// The edit that sets the current edition in a script library: in place of the old one, or behind its first lines.
fn edition_edit_of_library(source: &Source) -> Edit {
    let edition = format!("{LIBRARY_EDITION}\"{}\"", Edition::CURRENT);
    if let Some(line) = source.text.lines().position(|line| line.starts_with(LIBRARY_EDITION)) {
        let start = source.offset(line + 1, 1);
        let length = source.text.get(start..).and_then(|rest| rest.lines().next()).map_or(0, str::len);
        return (start..start + length, edition);
    }
    let lines = source.text.lines().take_while(|line| line.starts_with("//!")).count();
    let start = source.offset(lines + 1, 1);
    // The last line of a file may have no end.
    let end = if source.text[..start].ends_with('\n') || start == 0 { "" } else { "\n" };
    (start..start, format!("{end}{edition}\n"))
}

/// Whether a file lies where libraries do.
pub fn is_in_scripts(path: &Path) -> bool {
    path.parent().and_then(Path::file_name) == Some(OsStr::new("scripts"))
}

/// Whether a file is a library's that no game uses, so that nothing shows what its names mean.
pub fn is_unused_library(path: &Path, library: &Library) -> bool {
    is_in_scripts(path) && using(path, library).is_err()
}

/// Selections of games that use a library.
fn using(path: &Path, library: &Library) -> Result<Vec<Selection>, Diagnostics> {
    let id = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
    let games = library.games().into_iter();
    let using = games.filter(|game| game.layer.as_ref().is_ok_and(|layer| layer.uses.iter().any(|used| used == id)));
    let selections: Vec<Selection> = using.map(|game| Selection::of(&game.id)).take(MAX_SELECTIONS).collect();
    if selections.is_empty() {
        let error = Diagnostic::new(message!("no game uses the library `{id}`"));
        return Err(error.help(message!("`uses = [\"{id}\"]` in a game, which shows what its names mean")).into());
    }
    Ok(selections)
}

/// The selections in which the names of a definition are looked up.
fn selections_of(path: &Path, whole: &TomlTable, library: &Library) -> Result<Vec<Selection>, Diagnostics> {
    let text = |key: &str| match whole.get(key).map(|node| &node.value) {
        Some(Value::Text(text)) => Some(text.clone()),
        _ => None,
    };
    let file = path.display().to_string();
    // Without a folder, the file name would be taken for an id.
    let file = if file.contains('/') || file.ends_with(".toml") { file } else { format!("./{file}") };
    if let Some(game) = text("game") {
        return Ok(vec![Selection::of(&game).with(&file)]);
    }
    if whole.get("games").is_some() || whole.get("games_using").is_some() {
        let games = library.games().into_iter().map(|game| game.id);
        let fitting = games.filter(|game| library.variant(game, &file).is_ok());
        return Ok(fitting.take(MAX_SELECTIONS).map(|game| Selection::of(&game).with(&file)).collect());
    }
    let id = text("id").unwrap_or_default();
    library.game(&id)?;
    Ok(vec![Selection::of(&id)])
}

/// The edits that replace a source's old names of words by their current ones.
fn old_names(ruleset: &Ruleset, source: &Source) -> Result<Vec<Edit>, Diagnostics> {
    let names = Parser::new(Arc::default()).old_names_of(ruleset)?.into_iter();
    Ok(names
        .filter(|(place, _)| place.source.name == source.name)
        .map(|(place, old)| (place.span, old.now.to_owned()))
        .collect())
}

/// The places that ask `is_empty` of zones that always exist: before editions, this asked whether anything lies in
/// them.
fn outdated_emptiness_tests(ruleset: &Arc<Ruleset>) -> Vec<Place> {
    let Err(errors) = Playable::compile(ruleset.clone(), ruleset.definition.players.0, Arc::default()) else {
        return Vec::new();
    };
    let found = errors.into_iter().filter(|error| error.code == Some(codes::NEVER_EMPTY));
    found.filter_map(|error| error.place).collect()
}

/// Calls `found` with every possible expression of a scenario, and its span in the file.
fn expressions(whole: &TomlTable, found: &mut dyn FnMut(&str, Range<usize>)) {
    for (key, entry) in whole.iter() {
        match &entry.node.value {
            Value::Text(text) if key == "call" => found(text, entry.node.span.clone()),
            Value::Table(gives) if key == "gives" => {
                gives.iter().for_each(|(expression, entry)| found(expression, entry.key.span.clone()));
            }
            Value::Table(table) => expressions(table, found),
            Value::List(list) => list.iter().for_each(|node| {
                if let Value::Table(table) = &node.value {
                    expressions(table, found);
                }
            }),
            _ => {}
        }
    }
}

/// A random game as a trace, without the first line, which describes the rules.
fn trace(loaded: &Playable, seed: u64) -> (Vec<u8>, Option<String>) {
    let mut agent = Random::new(seed);
    let trace = Trace::begin(Vec::new(), &loaded.ruleset, &loaded.layout, seed, false);
    let played = trace.follow(|recording| {
        let asked = Some((&mut agent as _, &Until::End));
        run(&loaded.rules, Request { start: &Start::Game, seed, log: &[], agent: asked, recording: Some(recording) })
    });
    match played {
        Ok((written, end)) => {
            let first = written.iter().position(|byte| *byte == b'\n').unwrap_or(0);
            let failed = match end {
                End::Failed(errors) | End::Endless(errors) => Some(errors.first().message.to_string()),
                _ => None,
            };
            (written.get(first..).unwrap_or_default().to_vec(), failed)
        }
        Err(error) => (Vec::new(), Some(error.to_string())),
    }
}
