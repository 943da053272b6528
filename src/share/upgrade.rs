//! Files of an earlier edition, written in the language of today.
//!
//! An [`Upgrade`] changes what has another name today, and the edition that the file names; every other byte stays. A
//! [`Proof`] plays what uses the files before and after: games by chance, scenarios, saved games.

use crate::agent::Random;
use crate::definition::keys::KeyInfo as _;
use crate::definition::keys::table::layer;
use crate::definition::tree::{self, TomlTable, Value};
use crate::definition::{Edition, LIBRARY_EDITION, LayerKind, Library};
use crate::diagnostic::toml_string;
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source};
use crate::files::Edited;
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
use crate::work::Work;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Games by chance that are played before and after, for the fewest and for the most players.
const GAMES: u64 = 3;

/// Most choices of rules that a library or a variant for several games is tried in.
const MAX_SELECTIONS: usize = 5;

/// Most sentences about what is not the same.
const MAX_DIFFERENCES: usize = 20;

/// A file, as it is and as it is to be.
#[derive(Clone, Debug)]
pub struct Upgrade {
    /// Where it lies.
    pub path: PathBuf,
    /// As it is.
    pub source: Arc<Source>,
    /// As it is to be.
    pub text: String,
    /// What is written otherwise, where, and what stands there then.
    pub changes: Vec<(Place, String)>,
}

/// What is upgraded together: a file, or a definition with the script beside it; and what shows that it is still the same.
#[derive(Clone, Debug, Default)]
pub struct Upgrades {
    /// The files.
    pub files: Vec<Upgrade>,
    /// Rules that use them.
    selections: Vec<Selection>,
    /// Scenarios among the files.
    scenarios: Vec<PathBuf>,
}

/// What was played before and after, and what came out otherwise.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// How many games by chance.
    pub games: usize,
    /// How many scenarios.
    pub scenarios: usize,
    /// How many saved games.
    pub saves: usize,
    /// What is not the same, or cannot be played.
    pub differences: Vec<Diagnostic>,
}

/// A change of a text: bytes of it, and what they become.
type Edit = (Range<usize>, String);

impl Upgrades {
    /// Reads a file and works out what it is to be: a definition of a game or variant, a script, a library, a scenario.
    ///
    /// # Errors
    /// It cannot be read, is something else, or its rules do not fit together.
    pub fn of(path: &Path, library: &Library) -> Result<Self, Diagnostics> {
        let files = library.files();
        let name = files.name_of(path);
        if path.parent().and_then(Path::file_name) == Some(OsStr::new("scripts")) {
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
        let refused = |what: &str, help: String| {
            Err(Diagnostics::from(Diagnostic::new(format!("`{name}` is {what}")).help(help)))
        };
        match () {
            () if has("format") => refused("a saved game", "it opens as it is; give the rules with it".to_owned()),
            () if has("pack") => {
                refused("a pack", "`houserule unpack` writes its files; upgrade these, and pack them again".to_owned())
            }
            () if has("then") || has("cases") => Self::of_scenario(path, &source, &whole),
            () if has("id") => Self::of_layer(path, selections_of(path, &whole, library)?, library),
            () => refused("no file of rules", "a game, a variant, a library or a scenario can be upgraded".to_owned()),
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
                // With escapes, it stands there otherwise than it is read.
                None if !names.is_empty() => {
                    renames.push((span, toml_string(&parser.with_current_names(text, edition))))
                }
                None => {}
            }
        });
        let file = Upgrade::new(path, source, edition, edition_edit(source, whole), renames, Vec::new());
        Ok(Self { files: vec![file], scenarios: vec![path.to_owned()], ..Self::default() })
    }

    /// A game, a variant or a library, in rules that show what its names mean.
    fn of_layer(path: &Path, selections: Vec<Selection>, library: &Library) -> Result<Self, Diagnostics> {
        let name = library.files().name_of(path);
        let Some(first) = selections.first() else {
            return Err(Diagnostic::new(format!("no game goes with `{name}`")).into());
        };
        let ruleset = Arc::new(Ruleset::load(library, first)?);
        let real = |path: &Path| library.files().real(path).with_extension("");
        let Some(layer) = ruleset.all_layers().find(|layer| real(layer.origin.path()) == real(path)) else {
            let error = Diagnostic::new(format!("`{name}` is not what is played under that id"));
            return Err(error.help("another folder of rules comes first: `--dir FOLDER` says which is meant").into());
        };
        let never_empty = never_empty(&ruleset);
        let file = |path: PathBuf, source: &Arc<Source>, edition_edit: Edit| -> Result<Upgrade, Diagnostics> {
            let inserts = never_empty.iter().filter(|place| place.source.name == source.name).cloned().collect();
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

    /// The files together with others.
    pub fn extend(&mut self, more: Self) {
        let known: BTreeSet<PathBuf> = self.files.iter().map(|file| file.path.clone()).collect();
        self.files.extend(more.files.into_iter().filter(|file| !known.contains(&file.path)));
        self.selections
            .extend(more.selections.into_iter().filter(|one| !self.selections.contains(one)).collect::<Vec<_>>());
        self.scenarios.extend(more.scenarios);
    }

    /// Whether no file becomes another.
    pub fn are_nothing(&self) -> bool {
        self.files.iter().all(|file| file.text == file.source.text)
    }

    /// Plays what uses the files as they are and as they are to be, with saved games of theirs.
    pub fn proved(&self, library: &Library, saves: &[PathBuf], work: &Arc<Work>) -> Proof {
        let texts = self.files.iter().map(|file| {
            let text = Source { text: file.text.clone(), ..(*file.source).clone() };
            (file.path.clone(), Arc::new(text))
        });
        let texts: Vec<_> = texts.collect();
        let after = library.among(|below| Arc::new(Edited::new(below, texts)), library.roots().to_vec());
        let mut proof = Proof::default();
        for selection in &self.selections {
            proof.play(selection, [library, &after], work);
        }
        let real = |path: &PathBuf| library.files().real(path);
        let upgraded: BTreeSet<PathBuf> = self.scenarios.iter().map(real).collect();
        let of_games = self.selections.iter().flat_map(|selection| find_of_game(&selection.game, library));
        let others = of_games.filter(|path| !upgraded.contains(&real(path)));
        let scenarios: BTreeSet<PathBuf> = self.scenarios.iter().cloned().chain(others).collect();
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

/// Whether an id, or the path of a variant's file, means the same variant as an id.
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
        never_empty: Vec<Place>,
    ) -> Self {
        let inserts = never_empty.into_iter().map(|place| {
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
    /// Plays games by chance before and after.
    fn play(&mut self, selection: &Selection, [before, after]: [&Library; 2], work: &Arc<Work>) {
        let ruleset = |library| Ruleset::load(library, selection).map(Arc::new);
        let (old, new) = match (ruleset(before), ruleset(after)) {
            (Ok(old), Ok(new)) => (old, new),
            (_, Err(errors)) | (Err(errors), _) => return self.differences.extend(errors),
        };
        let (fewest, most) = new.definition.players;
        for players in BTreeSet::from([fewest, most]) {
            let compiled = |ruleset: &Arc<Ruleset>| Playable::compile(ruleset.clone(), players, work.clone());
            let (old, new) = match (compiled(&old), compiled(&new)) {
                (Ok(old), Ok(new)) => (old, new),
                // What could not be played before has nothing to be compared with.
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
                    let message = format!("the game of `{command} -p {players} -s {seed}` is another than before");
                    self.differences.push(Diagnostic::new(message));
                    break;
                }
            }
        }
    }

    /// Runs a scenario before and after.
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
            let error = Diagnostic::new(format!("the scenario `{name}` comes out otherwise than before"));
            self.differences.push(error);
            self.differences.extend(after.as_ref().err().and_then(|errors| errors.iter().next().cloned()));
        }
    }

    /// Runs a saved game under the rules before and after.
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
            let fate = match ran.fate {
                RerunOutcome::Equal => 0,
                RerunOutcome::OtherScores { .. } => 1,
                RerunOutcome::NoLongerFits { .. } => 2,
                RerunOutcome::Failed { .. } => 3,
            };
            (fate, ran.played, ran.scores.clone(), ran.over)
        };
        if stands(&before) != stands(&after) {
            let name = libraries[0].files().name_of(path);
            self.differences.push(Diagnostic::new(format!("the saved game `{name}` comes out otherwise than before")));
        }
    }
}

/// The edition that a file of TOML names.
fn edition_of(whole: &TomlTable) -> Edition {
    match whole.get(layer::HOUSERULE.name()).map(|node| &node.value) {
        Some(Value::Text(text)) => Edition::parse(text).unwrap_or_default(),
        _ => Edition::UNSTATED,
    }
}

/// The edition of today in a file of TOML: in place of the one that it names, or before its first key.
fn edition_edit(source: &Source, whole: &TomlTable) -> Edit {
    let key = layer::HOUSERULE.name();
    if let Some(node) = whole.get(key) {
        return (node.span.clone(), format!("\"{}\"", Edition::CURRENT));
    }
    let first = whole.iter().map(|(_, entry)| entry.key.span.start).min().unwrap_or(0);
    let start = source.text.get(..first).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    (start..start, format!("{key} = \"{}\"\n", Edition::CURRENT))
}

/// The edition of today in a library that is a script alone: in place of the one that it names, or behind its first lines.
fn edition_edit_of_library(source: &Source) -> Edit {
    let edition = format!("{LIBRARY_EDITION}\"{}\"", Edition::CURRENT);
    if let Some(line) = source.text.lines().position(|line| line.starts_with(LIBRARY_EDITION)) {
        let start = source.offset(line + 1, 1);
        let length = source.text.get(start..).and_then(|rest| rest.lines().next()).map_or(0, str::len);
        return (start..start + length, edition);
    }
    let lines = source.text.lines().take_while(|line| line.starts_with("//!")).count();
    let start = source.offset(lines + 1, 1);
    (start..start, format!("{edition}\n"))
}

/// Games that use a library.
fn using(path: &Path, library: &Library) -> Result<Vec<Selection>, Diagnostics> {
    let id = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
    let games = library.games().into_iter();
    let using = games.filter(|game| game.layer.as_ref().is_ok_and(|layer| layer.uses.iter().any(|used| used == id)));
    let selections: Vec<Selection> = using.map(|game| Selection::of(&game.id)).take(MAX_SELECTIONS).collect();
    if selections.is_empty() {
        let error = Diagnostic::new(format!("no game uses the library `{id}`"));
        return Err(error.help(format!("`uses = [\"{id}\"]` in a game, which shows what its names mean")).into());
    }
    Ok(selections)
}

/// The rules that show what the names in a definition mean.
fn selections_of(path: &Path, whole: &TomlTable, library: &Library) -> Result<Vec<Selection>, Diagnostics> {
    let text = |key: &str| match whole.get(key).map(|node| &node.value) {
        Some(Value::Text(text)) => Some(text.clone()),
        _ => None,
    };
    let file = path.display().to_string();
    // A file without a folder before it would be taken for an id.
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

/// What becomes of the names in a text of the rules that words had in the edition that it is written in.
fn old_names(ruleset: &Ruleset, source: &Source) -> Result<Vec<Edit>, Diagnostics> {
    let names = Parser::new(Arc::default()).old_names_of(ruleset)?.into_iter();
    Ok(names
        .filter(|(place, _)| place.source.name == source.name)
        .map(|(place, old)| (place.span, old.now.to_owned()))
        .collect())
}

/// Where zones that are always there are asked whether they are empty: before editions, that asked whether anything lies in
/// them.
fn never_empty(ruleset: &Arc<Ruleset>) -> Vec<Place> {
    let Err(errors) = Playable::compile(ruleset.clone(), ruleset.definition.players.0, Arc::default()) else {
        return Vec::new();
    };
    let found = errors.into_iter().filter(|error| error.code == Some(codes::NEVER_EMPTY));
    found.filter_map(|error| error.place).collect()
}

/// Everything that may be an expression of the rules in a scenario, with the bytes of the file at which it stands.
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

/// A game by chance as a trace, without the line that tells the rules.
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
                End::Failed(errors) | End::Endless(errors) => Some(errors.first().message.clone()),
                _ => None,
            };
            (written.get(first..).unwrap_or_default().to_vec(), failed)
        }
        Err(error) => (Vec::new(), Some(error.to_string())),
    }
}
