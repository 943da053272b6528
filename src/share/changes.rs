//! What rules change, in terms of rules: functions, data, zones, texts, each beside what stood there.

use crate::definition::Layer;
use crate::diagnostic::toml_string;
use crate::playthrough::Playable;
use crate::ruleset::{Role, Ruleset};
use crate::script::layering::FunctionInfo;
use crate::script::parser::Parser;
use crate::script::program::Function;
use crate::work::Work;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use toml::{Table, Value};

/// The tables of a file that are not rules on the table: they say what it is.
const ABOUT_ITSELF: [&str; 6] = ["id", "game", "games", "games_using", "script", "base"];

/// Letters of a fingerprint.
const LETTERS: usize = 16;

/// Rules, and the paths of the layers and libraries in them that are meant.
pub type Meant<'a> = (&'a Playable, &'a BTreeSet<String>);

/// What some layers change of those below them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Functions, in the order of the scripts.
    pub functions: Vec<FunctionChange>,
    /// What is not script, in the order of the files.
    pub values: Vec<ValueChange>,
}

/// A function that a layer has, and what stood there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionChange {
    /// `score(p)`.
    pub usage: String,
    /// The layer that has it: its id.
    pub layer: String,
    /// Where it stands: `variants/high-card/double.toml:12`.
    pub place: String,
    /// Its text; nothing where it is gone.
    pub now: Option<String>,
    /// What stood there: the layer, the place and the text.
    pub was: Option<ReplacedFunction>,
    /// Whether it calls what stood there.
    pub calls_super: bool,
}

/// What stood in the place of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplacedFunction {
    /// In words: `game`, `variant double`, `library trick`.
    pub layer: String,
    /// File and line.
    pub place: String,
    /// The text.
    pub text: String,
}

/// A value of a definition that is added, changed or taken away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueChange {
    /// The layer: its id.
    pub layer: String,
    /// The keys that lead there: `data.hand_size`.
    pub path: String,
    /// What stood there.
    pub was: Option<String>,
    /// What stands there now.
    pub now: Option<String>,
}

impl ValueChange {
    /// The table of the file that it is in: `data`, `zones`.
    pub fn section(&self) -> &str {
        self.path.split('.').next().unwrap_or_default()
    }
}

impl Changes {
    /// What the layers and libraries that are meant change of the others.
    pub fn of(rules: Meant<'_>) -> Self {
        Self { functions: functions_of(rules), values: values_of(rules) }
    }

    /// What became of layers and libraries: how they were in some rules, and how they are in others.
    pub fn between(old: &[Meant<'_>], new: &[Meant<'_>]) -> Self {
        Self { functions: functions_between(old, new), values: values_between(old, new) }
    }

    /// Adds what changes in other rules.
    pub fn extend(&mut self, more: Self) {
        self.functions.extend(more.functions);
        self.values.extend(more.values);
    }

    /// Whether nothing changes.
    pub fn is_nothing(&self) -> bool {
        self.functions.is_empty() && self.values.is_empty()
    }
}

/// Each function that is meant, beside the one that it overrides.
fn functions_of((loaded, paths): Meant<'_>) -> Vec<FunctionChange> {
    let below: BTreeMap<usize, usize> = overridden(loaded, paths).into_iter().collect();
    let meant = meant_functions(loaded, paths);
    let changes = meant.map(|(number, function)| FunctionChange {
        usage: usage(function),
        layer: script_id(&loaded.ruleset, function),
        place: loaded.ruleset.file_line(function.at).unwrap_or_default(),
        now: Some(text_of(&loaded.ruleset, function)),
        was: below.get(&number).and_then(|below| loaded.functions.get(*below)).map(|below| stood(loaded, below)),
        calls_super: calls_super(loaded, number),
    });
    changes.collect()
}

/// What the files of layers that are meant declare, beside what the layers below them do.
fn values_of((loaded, paths): Meant<'_>) -> Vec<ValueChange> {
    let (mut values, mut stood) = (Vec::new(), Table::new());
    for layer in loaded.ruleset.all_layers() {
        let own = declared(parsed(layer));
        if paths.contains(&layer.path()) {
            compare(&stood, &own, "", &mut |path, was, now| {
                values.push(ValueChange { layer: layer.id.clone(), path, was, now });
            });
            for (keys, _) in &layer.removals {
                let was = at(&stood, keys).map(shown);
                values.push(ValueChange { layer: layer.id.clone(), path: keys.join("."), was, now: None });
            }
        }
        for (keys, _) in &layer.removals {
            take(&mut stood, keys);
        }
        merge(&mut stood, own);
    }
    values
}

/// What tells functions of two versions of rules to be the same one: the path of their layer, name, parameters.
type Key = (String, String, usize);

/// Functions that were added, changed or taken away.
fn functions_between(old: &[Meant<'_>], new: &[Meant<'_>]) -> Vec<FunctionChange> {
    let (before, after) = (known_functions(old), known_functions(new));
    let mut changes = Vec::new();
    for (key, (loaded, number, function)) in &after {
        let text = text_of(&loaded.ruleset, function);
        let was = before.get(key).map(|(loaded, _, function)| stood(loaded, function));
        if was.as_ref().is_some_and(|was| was.text == text) {
            continue;
        }
        changes.push(FunctionChange {
            usage: usage(function),
            layer: script_id(&loaded.ruleset, function),
            place: loaded.ruleset.file_line(function.at).unwrap_or_default(),
            now: Some(text),
            was,
            calls_super: calls_super(loaded, *number),
        });
    }
    let gone = before.iter().filter(|(key, _)| !after.contains_key(key));
    changes.extend(gone.map(|(_, (loaded, _, function))| FunctionChange {
        usage: usage(function),
        layer: script_id(&loaded.ruleset, function),
        place: String::new(),
        now: None,
        was: Some(stood(loaded, function)),
        calls_super: false,
    }));
    changes
}

/// The functions of some rules that are meant, each with the rules and its number in them.
fn known_functions<'a>(rules: &[Meant<'a>]) -> BTreeMap<Key, (&'a Playable, usize, &'a FunctionInfo)> {
    let known = rules.iter().flat_map(|&(loaded, paths)| {
        meant_functions(loaded, paths).map(move |(number, function)| {
            let path = path_of(&loaded.ruleset, function.script);
            ((path, function.name.clone(), function.parameters.len()), (loaded, number, function))
        })
    });
    known.collect()
}

/// Values that were added, changed or taken away.
fn values_between(old: &[Meant<'_>], new: &[Meant<'_>]) -> Vec<ValueChange> {
    let (before, after) = (known_files(old), known_files(new));
    let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let nothing = Table::new();
    let mut values = Vec::new();
    for path in paths {
        let (was, is) = (before.get(path), after.get(path));
        let Some((id, _)) = is.or(was) else { continue };
        let (was, is) = (was.map_or(&nothing, |(_, file)| file), is.map_or(&nothing, |(_, file)| file));
        let mut push = |path, was, now| values.push(ValueChange { layer: id.clone(), path, was, now });
        compare(was, is, "", &mut push);
        // What is gone is what the new one lacks.
        compare(is, was, "", &mut |path, was, now| {
            if was.is_none() {
                push(path, now, None);
            }
        });
    }
    values
}

/// The files of the layers that are meant, by their paths: the id of each and what stands in it apart from its script.
fn known_files(rules: &[Meant<'_>]) -> BTreeMap<String, (String, Table)> {
    let layers = rules.iter().flat_map(|(loaded, paths)| {
        loaded.ruleset.all_layers().map(|layer| (layer.path(), layer)).filter(move |(path, _)| paths.contains(path))
    });
    let files = layers.map(|(path, layer)| {
        let mut file = parsed(layer);
        file.remove("script");
        (path, (layer.id.clone(), file))
    });
    files.collect()
}

/// The functions of the layers that are meant which override others, each with the one right below it, by their numbers.
pub(super) fn overridden(loaded: &Playable, paths: &BTreeSet<String>) -> Vec<(usize, usize)> {
    let above = meant_functions(loaded, paths).filter(|(_, function)| !function.is_private);
    let pairs = above.filter_map(|(number, function)| {
        let is_below = |(_, other): &(usize, &FunctionInfo)| {
            other.script < function.script
                && other.name == function.name
                && other.parameters.len() == function.parameters.len()
                && !other.is_private
        };
        let below = loaded.functions.iter().enumerate().filter(is_below).max_by_key(|(_, below)| below.script)?;
        Some((number, below.0))
    });
    pairs.collect()
}

/// The functions of the layers and libraries that are meant, with their numbers.
fn meant_functions<'a>(
    loaded: &'a Playable,
    paths: &BTreeSet<String>,
) -> impl Iterator<Item = (usize, &'a FunctionInfo)> + use<'a> {
    let scripts = 0..loaded.ruleset.scripts.len();
    let meant: Vec<bool> = scripts.map(|script| paths.contains(&path_of(&loaded.ruleset, script))).collect();
    let functions = loaded.functions.iter().enumerate();
    functions.filter(move |(_, function)| meant.get(function.script).is_some_and(|is_meant| *is_meant))
}

/// The path below a root of the layer or library that a script is of.
pub(super) fn path_of(ruleset: &Ruleset, script: usize) -> String {
    let Some(script) = ruleset.scripts.get(script) else { return String::new() };
    match script.role {
        Role::Library => {
            let library = ruleset.libraries.iter().find(|library| library.id == script.id);
            library.map(Layer::path).unwrap_or_default()
        }
        Role::Base(number) => ruleset.bases.get(number).map(Layer::path).unwrap_or_default(),
        Role::Game => ruleset.game.path(),
        Role::Variant(number) => ruleset.variants.get(number).map(Layer::path).unwrap_or_default(),
    }
}

/// A function with the comment above it, and without what all lines are indented by.
fn text_of(ruleset: &Ruleset, function: &FunctionInfo) -> String {
    let Some(script) = ruleset.scripts.get(function.script) else { return String::new() };
    let first = usize::from(function.at.line).saturating_sub(script.lines_before + 1);
    let above: Vec<&str> = script.script.text.lines().take(first).collect();
    let comment = above.iter().rev().take_while(|line| line.trim_start().starts_with("///")).count();
    let text = lines_of(ruleset, function, comment);
    let indent = text.lines().filter(|line| !line.trim().is_empty()).map(|line| line.len() - line.trim_start().len());
    let indent = indent.min().unwrap_or(0);
    let lines = text.lines().map(|line| line.get(indent..).unwrap_or_default().trim_end());
    lines.collect::<Vec<_>>().join("\n")
}

fn lines_of(ruleset: &Ruleset, function: &FunctionInfo, comment: usize) -> String {
    let Some(script) = ruleset.scripts.get(function.script) else { return String::new() };
    let first = usize::from(function.at.line).saturating_sub(script.lines_before + 1 + comment);
    let last = usize::from(function.last_line).saturating_sub(script.lines_before);
    let lines = script.script.text.lines().take(last).skip(first);
    lines.collect::<Vec<_>>().join("\n")
}

/// What is left of each function when blanks and comments do not count, as a short hash, in the order of the functions;
/// nothing where somebody stopped the work.
pub(super) fn fingerprints(loaded: &Playable) -> Vec<String> {
    let scripts = 0..loaded.ruleset.scripts.len();
    let functions = functions_with_fingerprints(&loaded.ruleset, scripts, loaded.rules.work());
    functions.unwrap_or_default().into_iter().map(|(_, fingerprint)| fingerprint).collect()
}

/// The functions of a layer or library that has this path, each with its fingerprint, whether or not the rules around
/// them compile; nothing where it is not in the rules or does not parse, or somebody stopped the work.
pub(super) fn functions_at(ruleset: &Ruleset, path: &str, work: &Arc<Work>) -> Option<Vec<(FunctionInfo, String)>> {
    ruleset.origins().iter().find(|(known, _)| *known == path)?;
    let scripts = (0..ruleset.scripts.len()).filter(|&script| path_of(ruleset, script) == path);
    functions_with_fingerprints(ruleset, scripts, work)
}

fn functions_with_fingerprints(
    ruleset: &Ruleset,
    scripts: impl Iterator<Item = usize>,
    work: &Arc<Work>,
) -> Option<Vec<(FunctionInfo, String)>> {
    let parser = Parser::new(work.clone());
    let mut functions = Vec::new();
    for script in scripts {
        let read = parser.words(ruleset, script).ok()?;
        functions.extend(read.into_iter().map(|(function, words)| (function, fingerprint(&words))));
    }
    Some(functions)
}

fn fingerprint(words: &[String]) -> String {
    let hash = super::hash_of(words.iter().map(String::as_str));
    hash.chars().skip("blake3:".len()).take(LETTERS).collect()
}

/// Whether a function calls the one that it overrides.
fn calls_super(loaded: &Playable, number: usize) -> bool {
    loaded.rules.program().functions.get(number).is_some_and(Function::calls_super)
}

/// The id of the layer or library that a function is of.
fn script_id(ruleset: &Ruleset, function: &FunctionInfo) -> String {
    ruleset.scripts.get(function.script).map(|script| script.id.clone()).unwrap_or_default()
}

/// `score(p)`.
fn usage(function: &FunctionInfo) -> String {
    format!("{}({})", function.name, function.parameters.join(", "))
}

/// A function in whose place another stands.
fn stood(loaded: &Playable, function: &FunctionInfo) -> ReplacedFunction {
    let ruleset = &loaded.ruleset;
    ReplacedFunction {
        layer: ruleset.layer_in_words(function.at).unwrap_or_default(),
        place: ruleset.file_line(function.at).unwrap_or_default(),
        text: text_of(ruleset, function),
    }
}

/// The file of a layer, without places.
fn parsed(layer: &Layer) -> Table {
    layer.source.text.parse().unwrap_or_default()
}

/// What a file declares for the table.
fn declared(mut file: Table) -> Table {
    for key in ABOUT_ITSELF.iter().chain(&[
        "name",
        "about",
        "version",
        "author",
        "licence",
        "uses",
        "remove",
        "requires",
        "conflicts",
    ]) {
        file.remove(*key);
    }
    file
}

/// Tells what a table adds to another and changes in it.
fn compare(old: &Table, new: &Table, path: &str, tell: &mut dyn FnMut(String, Option<String>, Option<String>)) {
    for (key, value) in new {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match (old.get(key), value) {
            (Some(Value::Table(was)), Value::Table(now)) => compare(was, now, &path, tell),
            // Groups of things that are new are told one by one.
            (None, Value::Table(now)) if !path.contains('.') => compare(&Table::new(), now, &path, tell),
            (was, now) => {
                let (was, now) = (was.map(shown), Some(shown(now)));
                if was != now {
                    tell(path, was, now);
                }
            }
        }
    }
}

fn merge(below: &mut Table, above: Table) {
    for (key, value) in above {
        match (below.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => merge(below, above),
            (_, value) => {
                below.insert(key, value);
            }
        }
    }
}

fn at<'t>(table: &'t Table, keys: &[String]) -> Option<&'t Value> {
    let (first, rest) = keys.split_first()?;
    let value = table.get(first)?;
    if rest.is_empty() { Some(value) } else { at(value.as_table()?, rest) }
}

fn take(table: &mut Table, keys: &[String]) {
    match keys {
        [] => {}
        [last] => drop(table.remove(last)),
        [first, rest @ ..] => {
            if let Some(Value::Table(inner)) = table.get_mut(first) {
                take(inner, rest);
            }
        }
    }
}

/// A value on one line.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => toml_string(text),
        Value::Array(list) => format!("[{}]", list.iter().map(shown).collect::<Vec<_>>().join(", ")),
        Value::Table(table) if table.is_empty() => "{}".to_owned(),
        Value::Table(table) => {
            let entries = table.iter().map(|(key, value)| format!("{} = {}", shown_key(key), shown(value)));
            format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

fn shown_key(key: &str) -> String {
    let is_bare = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
    if !key.is_empty() && key.chars().all(is_bare) { key.to_owned() } else { toml_string(key) }
}
