//! The changes that rules make, in terms of rules: functions, data, zones and texts, each beside what it replaces.

use crate::catalogue::Message;
use crate::definition::Layer;
use crate::diagnostic::toml_string;
use crate::playthrough::Playable;
use crate::ruleset::{Role, Ruleset, hash_of};
use crate::script::functions::FunctionInfo;
use crate::script::parser::Parser;
use crate::script::program::Function;
use crate::sorted::{SortedMap, SortedSet};
use crate::work::Work;
use std::sync::Arc;
use toml::{Table, Value};

/// The tables of a definition that describe the layer itself, and not the table of the game.
const METADATA_TABLES: [&str; 6] = ["id", "game", "games", "games_using", "script", "base"];

/// The other keys of a definition that say nothing about the table of the game.
const METADATA_KEYS: [&str; 9] =
    ["name", "about", "version", "author", "licence", "uses", "remove", "requires", "conflicts"];

/// The length of a fingerprint in characters.
const FINGERPRINT_LENGTH: usize = 16;

/// A ruleset, and the paths of the selected layers and libraries in it.
pub type SelectedLayers<'a> = (&'a Playable, &'a SortedSet<String>);

/// The changes that some layers make to those below them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The changed functions, in the order of the scripts.
    pub functions: Vec<FunctionChange>,
    /// The changed values of definitions, in the order of the files.
    pub values: Vec<ValueChange>,
}

/// A function of a layer, and the one that it replaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionChange {
    /// The call form: `score(p)`.
    pub usage: String,
    /// The id of the function's layer.
    pub layer: String,
    /// The place of the function: `variants/high-card/double.toml:12`.
    pub place: String,
    /// The function's text; `None` where it was removed.
    pub now: Option<String>,
    /// The function before the change; `None` where it is new.
    pub was: Option<ReplacedFunction>,
    /// Whether it calls the function that it overrides.
    pub calls_super: bool,
}

/// A function that another one replaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplacedFunction {
    /// The layer in words: `game`, `variant double`, `library trick`.
    pub layer: Message,
    /// The file and line of the function.
    pub place: String,
    /// The function's text.
    pub text: String,
}

/// A value of a definition that is added, changed or removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueChange {
    /// The id of the layer.
    pub layer: String,
    /// The keys that lead to the value: `data.hand_size`.
    pub path: String,
    /// The value before; `None` where it is new.
    pub was: Option<String>,
    /// The value now; `None` where it is removed.
    pub now: Option<String>,
}

impl ValueChange {
    /// The top-level table of the value: `data`, `zones`.
    pub fn section(&self) -> &str {
        self.path.split('.').next().unwrap_or_default()
    }
}

impl Changes {
    /// The changes that the selected layers and libraries make to the others.
    pub fn of(rules: SelectedLayers<'_>) -> Self {
        Self { functions: functions_of(rules), values: values_of(rules) }
    }

    /// The changes of selected layers and libraries from an old version of the rules to a new one.
    pub fn between(old: &[SelectedLayers<'_>], new: &[SelectedLayers<'_>]) -> Self {
        Self { functions: functions_between(old, new), values: values_between(old, new) }
    }

    /// Appends the changes of other rules.
    pub fn extend(&mut self, more: Self) {
        self.functions.extend(more.functions);
        self.values.extend(more.values);
    }

    /// Whether there are no changes.
    pub fn is_nothing(&self) -> bool {
        self.functions.is_empty() && self.values.is_empty()
    }
}

/// Each function of the selected layers, with the one that it overrides.
fn functions_of((loaded, paths): SelectedLayers<'_>) -> Vec<FunctionChange> {
    let below: SortedMap<usize, usize> = overridden(loaded, paths).into_iter().collect();
    let meant = meant_functions(loaded, paths);
    let changes = meant.map(|(number, function)| {
        let below = below.get(&number).and_then(|below| loaded.functions.get(*below));
        let was = below.map(|below| replaced_function(loaded, below));
        function_change(loaded, (number, function), text_of(&loaded.ruleset, function), was)
    });
    changes.collect()
}

/// A function that is there now, by its index, with its text and what it replaces.
fn function_change(
    loaded: &Playable,
    (number, function): (usize, &FunctionInfo),
    text: String,
    was: Option<ReplacedFunction>,
) -> FunctionChange {
    FunctionChange {
        usage: usage(function),
        layer: script_id(&loaded.ruleset, function),
        place: loaded.ruleset.file_line(function.at).unwrap_or_default(),
        now: Some(text),
        was,
        calls_super: loaded.rules.program().functions.get(number).is_some_and(Function::calls_super),
    }
}

/// The values that the selected layers declare, compared with those of the layers below.
fn values_of((loaded, paths): SelectedLayers<'_>) -> Vec<ValueChange> {
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

/// The identity of a function across versions: the path of its layer, its name, and its number of parameters.
type Key = (String, String, usize);

/// The functions added, changed or removed between versions.
fn functions_between(old: &[SelectedLayers<'_>], new: &[SelectedLayers<'_>]) -> Vec<FunctionChange> {
    let (before, after) = (known_functions(old), known_functions(new));
    let mut changes = Vec::new();
    for (key, (loaded, number, function)) in &after {
        let text = text_of(&loaded.ruleset, function);
        let was = before.get(key).map(|(loaded, _, function)| replaced_function(loaded, function));
        if was.as_ref().is_none_or(|was| was.text != text) {
            changes.push(function_change(loaded, (*number, function), text, was));
        }
    }
    let gone = before.iter().filter(|(key, _)| !after.contains_key(key));
    changes.extend(gone.map(|(_, (loaded, _, function))| FunctionChange {
        usage: usage(function),
        layer: script_id(&loaded.ruleset, function),
        place: String::new(),
        now: None,
        was: Some(replaced_function(loaded, function)),
        calls_super: false,
    }));
    changes
}

/// The functions of the selected layers, each with its ruleset and its index there.
fn known_functions<'a>(rules: &[SelectedLayers<'a>]) -> SortedMap<Key, (&'a Playable, usize, &'a FunctionInfo)> {
    let known = rules.iter().flat_map(|&(loaded, paths)| {
        meant_functions(loaded, paths).map(move |(number, function)| {
            let path = path_of(&loaded.ruleset, function.script);
            ((path, function.name.clone(), function.parameters.len()), (loaded, number, function))
        })
    });
    known.collect()
}

/// The values added, changed or removed between versions.
fn values_between(old: &[SelectedLayers<'_>], new: &[SelectedLayers<'_>]) -> Vec<ValueChange> {
    let (before, after) = (known_files(old), known_files(new));
    let paths: SortedSet<&String> = before.keys().chain(after.keys()).collect();
    let nothing = Table::new();
    let mut values = Vec::new();
    for path in paths {
        let (was, is) = (before.get(path), after.get(path));
        let Some((id, _)) = is.or(was) else { continue };
        let (was, is) = (was.map_or(&nothing, |(_, file)| file), is.map_or(&nothing, |(_, file)| file));
        let mut push = |path, was, now| values.push(ValueChange { layer: id.clone(), path, was, now });
        compare(was, is, "", &mut push);
        // Removed values are those that the new version lacks.
        compare(is, was, "", &mut |path, was, now| {
            if was.is_none() {
                push(path, now, None);
            }
        });
    }
    values
}

/// The definitions of the selected layers, by path: the id and the content, without the script.
fn known_files(rules: &[SelectedLayers<'_>]) -> SortedMap<String, (String, Table)> {
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

/// The overriding functions of the selected layers, each with the function right below it, by index.
pub fn overridden(loaded: &Playable, paths: &SortedSet<String>) -> Vec<(usize, usize)> {
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

/// The functions of the selected layers and libraries, with their indexes.
fn meant_functions<'a>(
    loaded: &'a Playable,
    paths: &SortedSet<String>,
) -> impl Iterator<Item = (usize, &'a FunctionInfo)> + use<'a> {
    let scripts = 0..loaded.ruleset.scripts.len();
    let meant: Vec<bool> = scripts.map(|script| paths.contains(&path_of(&loaded.ruleset, script))).collect();
    let functions = loaded.functions.iter().enumerate();
    functions.filter(move |(_, function)| meant.get(function.script).is_some_and(|is_meant| *is_meant))
}

/// The path, below a root, of the layer or library that a script belongs to.
pub fn path_of(ruleset: &Ruleset, script: usize) -> String {
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

/// The text of a function with its doc comment, without common indentation.
fn text_of(ruleset: &Ruleset, function: &FunctionInfo) -> String {
    let Some(script) = ruleset.scripts.get(function.script) else { return String::new() };
    let first = usize::from(function.at.line).saturating_sub(script.lines_before + 1);
    let last = usize::from(function.last_line).saturating_sub(script.lines_before);
    let lines: Vec<&str> = script.script.text.lines().take(last).collect();
    let (above, own) = lines.split_at(first.min(lines.len()));
    let comment = above.iter().rev().take_while(|line| line.trim_start().starts_with("///")).count();
    let lines = above[above.len() - comment..].iter().chain(own);
    let indent = lines.clone().filter(|line| !line.trim().is_empty()).map(|line| line.len() - line.trim_start().len());
    let indent = indent.min().unwrap_or(0);
    lines.map(|line| line.get(indent..).unwrap_or_default().trim_end()).collect::<Vec<_>>().join("\n")
}

/// A short hash of each function without blanks and comments, in order; empty where the work was stopped.
pub fn fingerprints(loaded: &Playable) -> Vec<String> {
    let scripts = 0..loaded.ruleset.scripts.len();
    let functions = functions_with_fingerprints(&loaded.ruleset, scripts, loaded.rules.work());
    functions.unwrap_or_default().into_iter().map(|(_, fingerprint)| fingerprint).collect()
}

/// The functions of the layer or library at a path, each with its fingerprint; the ruleset need not compile. `None`
/// where the path is not in the ruleset or does not parse, or the work was stopped.
pub fn functions_at(ruleset: &Ruleset, path: &str, work: &Arc<Work>) -> Option<Vec<(FunctionInfo, String)>> {
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
    let hash = hash_of(words.iter().map(String::as_str));
    hash.chars().skip("blake3:".len()).take(FINGERPRINT_LENGTH).collect()
}

/// The id of the layer or library that a function belongs to.
fn script_id(ruleset: &Ruleset, function: &FunctionInfo) -> String {
    ruleset.scripts.get(function.script).map(|script| script.id.clone()).unwrap_or_default()
}

/// The call form of a function: `score(p)`.
fn usage(function: &FunctionInfo) -> String {
    format!("{}({})", function.name, function.parameters.join(", "))
}

/// A function as the replaced one.
fn replaced_function(loaded: &Playable, function: &FunctionInfo) -> ReplacedFunction {
    let ruleset = &loaded.ruleset;
    ReplacedFunction {
        layer: ruleset.layer_in_words(function.at).unwrap_or_default(),
        place: ruleset.file_line(function.at).unwrap_or_default(),
        text: text_of(ruleset, function),
    }
}

/// The definition of a layer, parsed.
fn parsed(layer: &Layer) -> Table {
    layer.source.text.parse().unwrap_or_default()
}

/// The part of a definition that declares the table of the game.
fn declared(mut file: Table) -> Table {
    for key in METADATA_TABLES.iter().chain(&METADATA_KEYS) {
        file.remove(*key);
    }
    file
}

/// Calls `tell` with the path, old and new value of each addition or change.
fn compare(old: &Table, new: &Table, path: &str, tell: &mut dyn FnMut(String, Option<String>, Option<String>)) {
    for (key, value) in new {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match (old.get(key), value) {
            (Some(Value::Table(was)), Value::Table(now)) => compare(was, now, &path, tell),
            // New entries of a new top-level table are reported one by one.
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

/// A value in a single line.
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
