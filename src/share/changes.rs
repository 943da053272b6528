//! What rules change, in terms of rules: functions, data, zones, texts, each beside what stood there.

use crate::definition::{Layer, LayerKind};
use crate::playthrough::Playable;
use crate::ruleset::{Role, Ruleset};
use crate::script::layering::FunctionInfo;
use std::collections::BTreeMap;
use toml::{Table, Value};

/// The tables of a file that are not rules on the table: they say what it is.
const ABOUT_ITSELF: [&str; 6] = ["id", "game", "games", "games_using", "script", "base"];

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
    pub was: Option<Stood>,
    /// Whether it calls what stood there.
    pub calls_super: bool,
}

/// What stood in the place of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stood {
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
    /// What the layers that are meant change of the others.
    pub fn of(loaded: &Playable, is_meant: &dyn Fn(&Layer) -> bool) -> Self {
        let ruleset = &loaded.ruleset;
        let below = overridden(loaded, is_meant);
        let meant = meant_scripts(ruleset, is_meant);
        let functions = loaded.functions.iter().filter(|function| meant.contains(&function.script)).map(|function| {
            let was = below.iter().find(|(above, _)| *above == function).map(|(_, below)| Stood {
                layer: ruleset.layer_in_words(below.at).unwrap_or_default(),
                place: ruleset.file_line(below.at).unwrap_or_default(),
                text: text_of(ruleset, below),
            });
            let text = text_of(ruleset, function);
            FunctionChange {
                usage: usage(function),
                layer: ruleset.scripts.get(function.script).map(|script| script.id.clone()).unwrap_or_default(),
                place: ruleset.file_line(function.at).unwrap_or_default(),
                calls_super: calls_super(&text),
                now: Some(text),
                was,
            }
        });
        let functions = functions.collect();
        let (mut values, mut stood) = (Vec::new(), Table::new());
        for layer in ruleset.layers() {
            let own = parsed(layer);
            let additions = layer.kind != LayerKind::Game || layer.base.is_some();
            let own = declared(own);
            if is_meant(layer) {
                compare(&stood, &own, "", &mut |path, was, now| {
                    values.push(ValueChange { layer: layer.id.clone(), path, was, now });
                });
                for (keys, _) in &layer.removals {
                    let was = at(&stood, keys).map(shown);
                    values.push(ValueChange { layer: layer.id.clone(), path: keys.join("."), was, now: None });
                }
            }
            for (keys, _) in layer.removals.iter().filter(|_| additions) {
                take(&mut stood, keys);
            }
            merge(&mut stood, own);
        }
        Self { functions, values }
    }

    /// What became of some layers: how they were in one ruleset, and how they are in another.
    pub fn between(old: (&Playable, &dyn Fn(&Layer) -> bool), new: (&Playable, &dyn Fn(&Layer) -> bool)) -> Self {
        let functions_of = |(loaded, is_meant): (&Playable, &dyn Fn(&Layer) -> bool)| {
            let meant = meant_scripts(&loaded.ruleset, is_meant);
            let own = loaded.functions.iter().filter(|function| meant.contains(&function.script));
            let own = own.map(|function| {
                let layer = loaded.ruleset.scripts.get(function.script).map(|script| script.id.clone());
                let key = (layer.unwrap_or_default(), function.name.clone(), function.parameters.len());
                (key, (function.clone(), text_of(&loaded.ruleset, function)))
            });
            own.collect::<BTreeMap<_, _>>()
        };
        let (before, after) = (functions_of(old), functions_of(new));
        let mut functions = Vec::new();
        for (key, (function, text)) in &after {
            let was = before.get(key);
            if was.is_some_and(|(_, was)| was == text) {
                continue;
            }
            functions.push(FunctionChange {
                usage: usage(function),
                layer: key.0.clone(),
                place: new.0.ruleset.file_line(function.at).unwrap_or_default(),
                now: Some(text.clone()),
                was: was.map(|(function, text)| stood_in(&old.0.ruleset, function, text)),
                calls_super: calls_super(text),
            });
        }
        for (key, (function, text)) in before.iter().filter(|(key, _)| !after.contains_key(key)) {
            functions.push(FunctionChange {
                usage: usage(function),
                layer: key.0.clone(),
                place: String::new(),
                now: None,
                was: Some(stood_in(&old.0.ruleset, function, text)),
                calls_super: false,
            });
        }
        let tables = |(loaded, is_meant): (&Playable, &dyn Fn(&Layer) -> bool)| {
            let layers = loaded.ruleset.layers().filter(|layer| is_meant(layer));
            layers.map(|layer| (layer.id.clone(), parsed(layer))).collect::<Vec<_>>()
        };
        let (before, after) = (tables(old), tables(new));
        let mut values = Vec::new();
        let nothing = Table::new();
        let find = |tables: &[(String, Table)], id: &str| {
            tables.iter().find(|(known, _)| known == id).map(|(_, table)| table.clone())
        };
        let mut ids: Vec<&String> = before.iter().chain(&after).map(|(id, _)| id).collect();
        ids.sort();
        ids.dedup();
        for id in ids {
            let (was, is) = (find(&before, id), find(&after, id));
            let (mut was, mut is) = (was.unwrap_or_else(|| nothing.clone()), is.unwrap_or_else(|| nothing.clone()));
            was.remove("script");
            is.remove("script");
            let mut push = |path, was, now| values.push(ValueChange { layer: id.clone(), path, was, now });
            compare(&was, &is, "", &mut push);
            // What is gone is what the new one lacks.
            compare(&is, &was, "", &mut |path, was, now| {
                if was.is_none() {
                    push(path, now, None);
                }
            });
        }
        Self { functions, values }
    }

    /// Whether nothing changes.
    pub fn is_nothing(&self) -> bool {
        self.functions.is_empty() && self.values.is_empty()
    }
}

/// The functions of the layers that are meant which override others, each with the one right below it.
pub(super) fn overridden<'a>(
    loaded: &'a Playable,
    is_meant: &dyn Fn(&Layer) -> bool,
) -> Vec<(&'a FunctionInfo, &'a FunctionInfo)> {
    let meant = meant_scripts(&loaded.ruleset, is_meant);
    let above = loaded.functions.iter().filter(|function| meant.contains(&function.script) && !function.is_private);
    let pairs = above.filter_map(|function| {
        let is_below = |other: &&FunctionInfo| {
            other.script < function.script
                && other.name == function.name
                && other.parameters.len() == function.parameters.len()
                && !other.is_private
        };
        Some((function, loaded.functions.iter().filter(is_below).max_by_key(|below| below.script)?))
    });
    pairs.collect()
}

/// The numbers of the scripts of the layers that are meant.
fn meant_scripts(ruleset: &Ruleset, is_meant: &dyn Fn(&Layer) -> bool) -> Vec<usize> {
    let layer = |role: Role| match role {
        Role::Library => None,
        Role::Base(number) => ruleset.bases.get(number),
        Role::Game => Some(&ruleset.game),
        Role::Variant(number) => ruleset.variants.get(number),
    };
    let scripts = ruleset.scripts.iter().enumerate();
    scripts.filter(|(_, script)| layer(script.role).is_some_and(is_meant)).map(|(number, _)| number).collect()
}

/// The path below a root of the layer or library that a script is of.
pub(super) fn path_of(ruleset: &Ruleset, script: usize) -> String {
    let Some(script) = ruleset.scripts.get(script) else { return String::new() };
    match script.role {
        Role::Library => format!("scripts/{}.rhai", script.id),
        Role::Base(number) => ruleset.bases.get(number).map(Layer::path).unwrap_or_default(),
        Role::Game => ruleset.game.path(),
        Role::Variant(number) => ruleset.variants.get(number).map(Layer::path).unwrap_or_default(),
    }
}

/// A function from its `fn` to its last brace.
pub(super) fn body_of(ruleset: &Ruleset, function: &FunctionInfo) -> String {
    lines_of(ruleset, function, 0)
}

/// The same with the comment above it, and without what all lines are indented by.
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

/// What is left of a function when blanks and comments do not count.
pub(super) fn fingerprint(text: &str) -> String {
    let lines = text.lines().map(|line| without_comment(line).split_whitespace().collect::<Vec<_>>().join(" "));
    let words = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    super::hash_of([&*words]).chars().skip("blake3:".len()).take(16).collect()
}

fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    let letters = line.char_indices().zip(line.chars().skip(1).chain([' ']));
    for ((at, letter), next) in letters {
        match letter {
            '"' | '`' => quoted = !quoted,
            '/' if next == '/' && !quoted => return line.get(..at).unwrap_or(line),
            _ => {}
        }
    }
    line
}

fn calls_super(text: &str) -> bool {
    text.lines().any(|line| without_comment(line).contains("super("))
}

fn usage(function: &FunctionInfo) -> String {
    format!("{}({})", function.name, function.parameters.join(", "))
}

fn stood_in(ruleset: &Ruleset, function: &FunctionInfo, text: &str) -> Stood {
    Stood {
        layer: ruleset.layer_in_words(function.at).unwrap_or_default(),
        place: ruleset.file_line(function.at).unwrap_or_default(),
        text: text.to_owned(),
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
    value.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}
