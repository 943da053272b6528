//! Variants laid over a game, table by table.

use super::asks;
use super::keys::KeyInfo;
use super::keys::table::overlaid;
use super::overrides::Override;
use super::schema::{Checker, Fields, joined_path};
use super::tables::read_tables;
use super::tree::{Node, TomlEntry, TomlTable, Value};
use super::{ASK, Addition, AskedSetting, Definition, Layer, LayerKind, Scalar, Setting, VariableValue, Visibility};
use crate::catalogue::{Message, message};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source, listed};
use crate::sorted::{SortedMap, sort_by_key};
use std::sync::Arc;

/// Most variants that can be laid over a game at once.
pub const MAX_VARIANTS: usize = 32;

/// Most settings that can be asked for in one game.
pub const MAX_ASKED: usize = 16;

/// The result of laying variants over a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlay {
    /// Everything about the game that is not script.
    pub definition: Definition,
    /// Settings of the game and of each variant, in order, by id: the value that was set, otherwise the default.
    pub settings: Vec<(String, SortedMap<String, toml::Value>)>,
    /// The declared settings of the same layers, with those choices resolved that stand in the data.
    pub declared: Vec<SortedMap<String, Setting>>,
    /// What is allowed but probably a mistake: two variants that give the same thing different values.
    pub warnings: Vec<Diagnostic>,
}

/// Lays a game over the libraries that it or its variants use, the variants over the game, in order, and the person's own
/// overrides over all of them.
///
/// Tables are merged key by key; anything else is replaced by the later layer. An attribute of a component is replaced
/// whole where the later layer makes its values in another way, say `each` in place of `from` and `to`.
///
/// # Errors
///
/// If `game` is a variant or one of `variants` is none of this game; if a variant is given twice or two cannot be
/// combined; if there are more than [`MAX_VARIANTS`]; if an override fits nothing; and if the result is no valid game:
/// then each error is shown in the file that the value came from.
pub fn overlay(
    libraries: &[Layer],
    bases: &[Layer],
    game: &Layer,
    variants: &[Layer],
    overrides: &[Override],
) -> Result<Overlay, Diagnostics> {
    check_compatibility(bases, game, variants)?;

    let games = || bases.iter().chain([game]);
    let mut tables = TomlTable::default();
    let mut merging = Merge { is_of_libraries: true, open: Vec::new(), warnings: Vec::new(), path: Vec::new() };
    let (mut checker, mut wrong_looks) = (Checker::new(false), Vec::new());
    for layer in libraries.iter().chain(games()).chain(variants) {
        if merging.is_of_libraries && layer.kind != LayerKind::Library {
            merging.is_of_libraries = false;
            merging.open = libraries.iter().chain(games()).map(|layer| &layer.source).collect();
        }
        let mut tell = |path: &[String], trouble: Diagnostics| match path.first() {
            // Looks are no rules, so a variant fits a game whose looks lack what it changes.
            Some(first) if first == overlaid::LOOKS.name() => wrong_looks.extend(trouble),
            _ => checker.report(trouble),
        };
        for (path, place) in &layer.removals {
            remove(&mut tables, path, place).unwrap_or_else(|trouble| tell(path, trouble));
        }
        merging.table(&mut tables, &layer.tables);
        for addition in &layer.additions {
            add(&mut tables, addition).unwrap_or_else(|trouble| tell(&addition.path, trouble));
        }
    }
    let mut warnings = merging.warnings;

    let layers: Vec<&Layer> = games().chain(variants).collect();
    let defaults = |layer: &&Layer| {
        let settings = layer.settings.iter().map(|(key, setting)| (key.clone(), setting.default.clone()));
        (layer.id.clone(), settings.collect::<SortedMap<_, _>>())
    };
    let mut settings: Vec<_> = layers.iter().map(defaults).collect();
    let (of_settings, of_tables): (Vec<_>, Vec<_>) =
        overrides.iter().partition(|given| given.is_of_setting(layers.iter().copied()));
    for given in of_tables {
        given.replace_in(&layers, &mut tables).unwrap_or_else(|trouble| checker.report(trouble));
    }
    // Choices are looked up in the data of all layers with all overrides; only then is it known what a setting can be.
    let none = TomlTable::default();
    let table = tables.table(overlaid::DATA.name()).unwrap_or(&none);
    let data = Fields { path: overlaid::DATA.name().to_owned(), place: Place::new(&game.source, 0..0, ""), table };
    let declared: Vec<_> = layers.iter().map(|layer| layer.settings_with(&data, &mut checker)).collect();
    set_with(&layers, &declared, &mut settings, &mut warnings, &mut checker);
    for given in of_settings {
        given.set(&declared, &mut settings).unwrap_or_else(|trouble| checker.report(trouble));
    }
    if !checker.troubles.is_empty() {
        return checker.finish(None);
    }

    let definition = read_tables(&tables, &Place::new(&game.source, 0..0, ""), &game.id, &mut checker);
    let asked =
        declared.iter().zip(&settings).flat_map(|(declared, (id, values))| asked_settings(id, declared, values));
    let asked: Vec<AskedSetting> = asked.collect();
    let place_of = |setting: &AskedSetting, label: &'static str| {
        let layer = layers.iter().find(|layer| layer.id == setting.layer);
        layer.and_then(|layer| layer.place_of(&["settings", &setting.key], label))
    };
    if let Some(last) = asked.last().filter(|_| asked.len() > MAX_ASKED) {
        let message = message!("{} settings are asked for in one game: at most {MAX_ASKED}", asked.len());
        checker.report(Diagnostic::new(message).at_maybe(place_of(last, "one too many")));
    }
    if let Some((setting, taken)) = asks::dead_end(&asked) {
        let AskedSetting { layer, key, .. } = setting;
        let taken: Vec<String> = taken.iter().map(|(other, value)| format!("`{other}` is `{value}`")).collect();
        let message = message!("no value is left for `{layer}.settings.{key}` if {}", taken.join(", "));
        let help =
            "give it more `choices` than there are settings that it has to differ from, or leave an `unlike` out";
        checker.report(Diagnostic::new(message).at_maybe(place_of(setting, "asked for here")).help(help));
    }
    if let Some(definition) = &definition {
        for (number, setting) in asked.iter().enumerate() {
            let Some(trouble) = why_not_askable(setting, &asked[..number], definition) else { continue };
            checker.report(trouble.at_maybe(place_of(setting, "asked for here")));
        }
    }
    checker.finish(definition.map(|definition| Overlay {
        definition: Definition { asked, wrong_looks: [wrong_looks, definition.wrong_looks].concat(), ..definition },
        settings,
        declared,
        warnings,
    }))
}

/// Why a setting cannot be asked for; `None` where it can. The variable that is to hold its answer may hold something
/// else, or the answer of another setting.
fn why_not_askable(setting: &AskedSetting, before: &[AskedSetting], definition: &Definition) -> Option<Diagnostic> {
    let AskedSetting { layer, key, ask, .. } = setting;
    let name = &ask.variable;
    if let Some(other) = before.iter().find(|other| other.ask.variable == *name) {
        let message = message!(
            "`{layer}.settings.{key}` and `{}.settings.{}` have their answers in one variable, `{name}`",
            other.layer,
            other.key
        );
        return Some(Diagnostic::new(message).help("give one of them another: variable = \"…\""));
    }
    let Some(variable) = definition.variables.iter().find(|variable| variable.id == *name && !variable.per_seat) else {
        let message = message!("there is no variable `{name}` of the table for the answer of `{layer}.settings.{key}`");
        return Some(
            Diagnostic::new(message).help("what a layer declares or removes of it goes before: leave that out"),
        );
    };
    if !matches!(&variable.default, VariableValue::Plain(Scalar::Text(text)) if text.is_empty()) {
        let message = message!(
            "the variable `{name}` has to begin as `\"\"`, for it holds the answer of `{layer}.settings.{key}`"
        );
        return Some(Diagnostic::new(message).help("choose another variable, or leave its `default` out"));
    }
    (ask.by_lot && variable.visible != Visibility::All).then(|| {
        Diagnostic::new(message!(
            "a lot for `{layer}.settings.{key}` is drawn before everybody, and `{name}` is not for all to see"
        ))
        .help("draw it in a script, into a hidden zone, or let everybody see the variable")
    })
}

/// The settings of a layer that are asked for, in order of declaration, each with the value that was set instead, if
/// any.
fn asked_settings(
    layer: &str,
    declared: &SortedMap<String, Setting>,
    values: &SortedMap<String, toml::Value>,
) -> Vec<AskedSetting> {
    let texts = |values: &[toml::Value]| values.iter().filter_map(|value| value.as_str().map(str::to_owned)).collect();
    let asked = declared.iter().filter_map(|(key, setting)| {
        Some(AskedSetting {
            layer: layer.to_owned(),
            key: key.clone(),
            ask: setting.ask.clone()?,
            choices: texts(setting.choices.get(1..).unwrap_or_default()),
            value: values.get(key).and_then(toml::Value::as_str).filter(|value| *value != ASK).map(str::to_owned),
        })
    });
    let mut asked: Vec<AskedSetting> = asked.collect();
    sort_by_key(&mut asked, |setting| setting.ask.order);
    asked
}

/// Checks that the variants belong to the game and can be combined.
fn check_compatibility(bases: &[Layer], game: &Layer, variants: &[Layer]) -> Result<(), Diagnostics> {
    let layers = || bases.iter().chain([game]);
    let lineage: Vec<String> = layers().map(|layer| layer.id.clone()).collect();
    let libraries: Vec<String> = layers().flat_map(|layer| layer.uses.clone()).collect();
    if game.is_variant() {
        let place = Place::new(&game.source, 0..0, "this is a variant");
        return Err(Diagnostic::new(message!("`{}` is a variant, not a game", game.id)).at(place).into());
    }
    if variants.len() > MAX_VARIANTS {
        let message = message!("{} variants at once are too many: at most {MAX_VARIANTS}", variants.len());
        return Err(Diagnostic::new(message).into());
    }
    let mut checker = Checker::new(false);
    for (index, variant) in variants.iter().enumerate() {
        match &variant.kind {
            LayerKind::Variant { .. } if variant.fits(&lineage, &libraries) => {}
            LayerKind::Variant { .. } => {
                let mut trouble = Diagnostic::new(message!("`{}` is not a variant of `{}`", variant.id, game.id));
                trouble.place = variant.place_of(&["game"], message!("a variant of {}", variant.games_in_words()));
                checker.report(trouble);
            }
            LayerKind::Game | LayerKind::Library => {
                let place = Place::new(&variant.source, 0..0, "this is a game");
                checker.report(Diagnostic::new(message!("`{}` is a game, not a variant", variant.id)).at(place));
            }
        }
        for earlier in variants.iter().take(index) {
            if earlier.id == variant.id {
                checker.report(Diagnostic::new(message!("the variant `{}` is given twice", variant.id)));
            } else if let Some(trouble) = conflict(earlier, variant).or_else(|| conflict(variant, earlier)) {
                let needs = variants.iter().find_map(|upper| {
                    let needs = upper.requires.iter().find(|(id, _)| *id == earlier.id || *id == variant.id);
                    needs.map(|(_, place)| (upper, place))
                });
                checker.report(match needs {
                    Some((upper, place)) => trouble.related(place.with_label(message!("`{}` needs it", upper.id))),
                    None => trouble,
                });
            }
        }
    }
    if checker.troubles.is_empty() { Ok(()) } else { checker.finish(None) }
}

/// The error that `other` cannot be combined with `variant`; `None` unless `variant` says so.
fn conflict(variant: &Layer, other: &Layer) -> Option<Diagnostic> {
    let reason = variant.conflicts.get(&other.id)?;
    let message = message!("`{}` and `{}` cannot be combined: {}", variant.id, other.id, Message::from(reason));
    let mut trouble =
        Diagnostic::new(message).help(message!("leave out one of {}", listed([&*variant.id, &*other.id])));
    trouble.place = variant.place_of(&["conflicts", &other.id], message!("`{}` says so", variant.id));
    Some(trouble)
}

/// A table of the game in a sentence, by its path; the game itself where that is empty.
pub(super) fn table_called(path: &str) -> Message {
    if path.is_empty() { "the game".into() } else { Message::verbatim(format!("`{path}`")) }
}

/// The innermost table that keys lead to, with its path, and the keys that are left: the last one alone, unless an
/// earlier one leads to no table.
fn innermost<'t, 'k>(
    mut table: &'t mut TomlTable,
    mut keys: &'k [String],
) -> Option<(&'t mut TomlTable, String, &'k [String])> {
    let mut walked = String::new();
    while let [key, behind @ ..] = keys
        && !behind.is_empty()
        && table.table(key).is_some()
    {
        table = table.table_mut(key)?;
        walked = joined_path(&walked, key);
        keys = behind;
    }
    Some((table, walked, keys))
}

/// Removes what the layers below have under a path.
fn remove(tables: &mut TomlTable, path: &[String], place: &Place) -> Result<(), Diagnostics> {
    let Some((table, walked, [key, behind @ ..])) = innermost(tables, path) else { return Ok(()) };
    if !behind.is_empty() || table.get(key).is_none() {
        let message = message!("{} has no `{key}` to take away", table_called(&walked));
        return Err(Diagnostic::new(message).at(place.clone()).near(key, table.keys()).into());
    }
    table.extract_if(|known, _| known == key);
    Ok(())
}

/// Adds the elements of a layer to a list of the layers below.
fn add(tables: &mut TomlTable, addition: &Addition) -> Result<(), Diagnostics> {
    let Some((table, walked, [key, behind @ ..])) = innermost(tables, &addition.path) else { return Ok(()) };
    let missing = |table: &TomlTable| {
        Diagnostic::new(message!("{} has no `{key}`", table_called(&walked)))
            .at(addition.key.with_label("nothing to add to"))
            .near(key, table.keys())
    };
    if !behind.is_empty() {
        return Err(missing(table).into());
    }
    let in_data = walked == "data" || walked.starts_with("data.");
    match table.get_mut(key).map(|node| &mut node.value) {
        Some(Value::List(list)) => list.extend(addition.elements.iter().cloned()),
        Some(value) => {
            let message =
                message!("`{}` is {}, and elements can be added only to a list", addition.path.join("."), value.kind());
            return Err(Diagnostic::new(message)
                .at(addition.key.with_label("this adds to it"))
                .help("without `+` the value is replaced")
                .into());
        }
        // A key that the game cannot have is found later. Data may have any name, so a new one there is a slip.
        None if in_data => return Err(missing(table).into()),
        None => {
            let (source, span) = (addition.key.source.clone(), addition.key.span.clone());
            let node = Node { value: Value::List(addition.elements.clone()), source, span };
            table.insert(key.clone(), addition.key.clone(), node);
        }
    }
    Ok(())
}

/// Applies what variants set in the layers that they require. The person may still set something else.
fn set_with(
    layers: &[&Layer],
    declared: &[SortedMap<String, Setting>],
    settings: &mut [(String, SortedMap<String, toml::Value>)],
    warnings: &mut Vec<Diagnostic>,
    checker: &mut Checker,
) {
    let mut set: Vec<(&str, &str, &Node)> = Vec::new();
    for (other, key, node) in layers.iter().flat_map(|layer| &layer.with) {
        let found = declared.iter().zip(settings.iter_mut()).find(|(_, (layer, _))| layer == other);
        let Some((declared, (_, values))) = found else { continue };
        let Some(setting) = declared.get(key) else {
            let trouble = Diagnostic::new(message!("`{other}` has no setting `{key}`")).at(node.place("not a setting"));
            let names = || declared.keys().map(String::as_str);
            let trouble = trouble.near(key, names());
            checker.report(trouble.help(match names().next() {
                Some(_) => message!("`{other}` can be set at {}", listed(names())),
                None => message!("`{other}` has no settings"),
            }));
            continue;
        };
        if let Err(trouble) = setting.check(&format!("with.{other}.{key}"), node) {
            checker.report(trouble);
            continue;
        }
        let earlier = set.iter().find(|(known, name, _)| (*known, *name) == (other.as_str(), key.as_str()));
        if let Some((.., earlier)) = earlier.filter(|(.., earlier)| earlier.to_toml() != node.to_toml()) {
            let message = message!("two variants set `{other}.{key}` to different values");
            let warning = Diagnostic::warning(message).at(node.place("this one wins, because it comes later"));
            warnings.push(warning.related(earlier.place("this one is lost")));
        }
        set.push((other, key, node));
        values.insert(key.clone(), node.to_toml());
    }
}

/// A merge of the tables of several layers.
struct Merge<'a> {
    /// Whether the layers being merged are libraries.
    is_of_libraries: bool,
    /// The files whose values a layer may change without a warning: those of the game, of its bases and of libraries.
    open: Vec<&'a Arc<Source>>,
    warnings: Vec<Diagnostic>,
    /// The keys that lead to the table being merged.
    path: Vec<String>,
}

impl Merge<'_> {
    fn table(&mut self, below: &mut TomlTable, above: &TomlTable) {
        for (key, entry) in above.iter() {
            self.path.push(key.to_owned());
            match below.get_mut(key) {
                Some(node) => self.node(node, entry),
                None => below.insert(key.to_owned(), entry.key.clone(), entry.node.clone()),
            }
            self.path.pop();
        }
    }

    fn node(&mut self, below: &mut Node, above: &TomlEntry) {
        if let (Value::Table(below), Value::Table(above)) = (&mut below.value, &above.node.value)
            && !(self.is_attribute() && is_other_form(below, above))
        {
            return self.table(below, above);
        }
        let is_rival = |node: &Node| !self.open.iter().any(|source| Arc::ptr_eq(&node.source, source));
        // A list of the game may have elements that a variant added.
        let is_from_rival = is_rival(below) || matches!(&below.value, Value::List(list) if list.iter().any(is_rival));
        if is_from_rival && below.to_toml() != above.node.to_toml() {
            let path = self.path.join(".");
            let message = match self.is_of_libraries {
                true => message!("two libraries give `{path}` different values"),
                false => message!("two variants give `{path}` different values"),
            };
            self.warnings.push(
                Diagnostic::warning(message)
                    .at(above.node.place("this one wins, because it comes later"))
                    .related(below.place("this one is lost")),
            );
        }
        *below = above.node.clone();
    }

    /// Whether the table being merged says how the values of an attribute are made.
    fn is_attribute(&self) -> bool {
        matches!(self.path.iter().map(String::as_str).collect::<Vec<_>>()[..], ["components", _, "attributes", _])
    }
}

/// Whether two tables make an attribute's values in different ways: one by a range and the other by `each`, for
/// example.
fn is_other_form(below: &TomlTable, above: &TomlTable) -> bool {
    let form = |table: &TomlTable| {
        [&["from", "to"][..], &["each"], &["cycle"]].map(|keys| keys.iter().any(|key| table.get(key).is_some()))
    };
    form(below) != form(above)
}
