//! Help on names that the rules in play define: functions, declarations of TOML files, phases, layers and libraries.

use super::Analysis;
use super::topics::{columns, heading};
use crate::catalogue::{said, say, spoken};
use crate::definition::{
    Bank, ComponentKind, DeclaredType, Layer, Scalar, Setting, Text, VariableDefinition, VariableValue, ZoneDefinition,
    ZoneOrder, tree,
};
use crate::diagnostic::Place;
use crate::screen::style::{Label, Line};
use crate::screen::{markdown, style};
use crate::script::functions::{FunctionHead, FunctionInfo};
use crate::script::outline::Outline;
use crate::table::event::ScriptPoint;
use crate::table::layout::FaceValue;
use crate::table::names;
use crate::table::value::Seats;
use crate::workspace::{attribute_in_words, who_sees};

/// Most lines shown of a source.
const MAX_SOURCE_LINES: usize = 400;

/// Most places listed where scripts use a word.
const MAX_LISTED_PLACES: usize = 6;

/// The zones and variables of a player.
pub(super) fn player(analysis: Analysis<'_>, name: &str) -> Option<Vec<Line>> {
    let layout = &analysis.loaded.layout;
    let seat = Seats::all(layout.seats).into_iter().find(|seat| seat.to_string() == name)?;
    let definition = &layout.definition;
    let zones = definition.zones.iter().filter(|zone| zone.per_seat).map(|zone| (&zone.id, what_zone(zone)));
    let variables = definition.variables.iter().filter(|variable| variable.per_seat);
    let variables = variables.map(|variable| (&variable.id, what_variable(variable)));
    let rows: Vec<(String, String)> = zones.chain(variables).map(|(id, what)| (format!("{seat}.{id}"), what)).collect();
    let mut lines = vec![heading(name, said("a player"))];
    lines.extend(columns(&rows, analysis.width));
    lines.push(Line::faint(say!("`as {seat}` shows the table as this player sees it")));
    Some(lines)
}

/// A card, die or token, with its printed attributes.
pub(super) fn component(analysis: Analysis<'_>, name: &str) -> Option<Vec<Line>> {
    let layout = &analysis.loaded.layout;
    let face = names::component(layout, analysis.table, name).ok()?;
    let info = layout.faces.get(face)?;
    let kind = match info.kind {
        ComponentKind::Card => said("a card"),
        ComponentKind::Die => said("a die"),
        ComponentKind::Token => said("a token"),
    };
    let mut lines = vec![heading(&info.id, kind)];
    let values = layout.attributes.iter().enumerate().filter_map(|(number, attribute)| {
        let value = match *layout.values.get(number)?.get(face)? {
            FaceValue::Absent => return None,
            FaceValue::Number(number) => number.to_string(),
            FaceValue::Word(word) => layout.words.get(usize::from(word))?.to_string(),
        };
        Some((attribute.clone(), value))
    });
    // What a die or a token shows can change; printed attributes cannot.
    let fixed = values.filter(|(attribute, _)| !["side", "value"].contains(&attribute.as_str()));
    lines.extend(columns(&fixed.collect::<Vec<_>>(), analysis.width));
    lines.push(Line::faint(say!("`why {}` shows where it lies and how it came there", info.id)));
    Some(lines)
}

/// The source text of everything with a name: functions, and declarations of TOML files.
pub(super) fn source(analysis: Analysis<'_>, name: &str) -> Option<Vec<Line>> {
    let ruleset = &analysis.loaded.ruleset;
    let mut lines = Vec::new();
    for function in definitions(analysis, name) {
        let first = usize::from(function.at.line).saturating_sub(function.comment(&analysis.loaded.ruleset).len());
        let Some(place) = point(first).and_then(|at| ruleset.place(at, "")) else { continue };
        let count = usize::from(function.last_line).saturating_sub(first) + 1;
        lines.extend(excerpt(analysis, &place, layer_of(analysis, function), count, |_| true));
    }
    for (layer, place) in places(analysis, name) {
        let is_of_it = |line: &str| !line.trim().is_empty() && !line.starts_with('[');
        lines.extend(excerpt(analysis, &place, layer.id.clone(), MAX_SOURCE_LINES, is_of_it));
    }
    (!lines.is_empty()).then_some(lines)
}

/// The definitions of a function, the uppermost first, each with its doc comment.
pub(super) fn function(analysis: Analysis<'_>, name: &str) -> Option<Vec<Line>> {
    let mut lines: Vec<Line> = Vec::new();
    let found: Vec<&FunctionInfo> = definitions(analysis, name).collect();
    for (number, function) in found.iter().enumerate() {
        let is_below = found[..number].iter().any(|above| above.parameters.len() == function.parameters.len());
        let place = analysis.loaded.ruleset.file_line(function.at).unwrap_or_default();
        let what = if is_below { said("below it, what `super` calls") } else { said("a function of the rules") };
        lines.push(heading(&written(function), what));
        lines.push(Line::faint(format!("{place}  {}", layer_of(analysis, function))).cut(analysis.width));
        let comment = function.comment(&analysis.loaded.ruleset);
        let text = comment.iter().map(|line| line.trim().trim_start_matches('/').trim());
        lines.extend(style::wrapped(&text.collect::<Vec<_>>().join(" "), analysis.width));
    }
    if let Some(function) = found.first() {
        lines.push(
            Line::faint(say!("`{}??` shows the source, `{}` calls it on a copy", function.name, written(function)))
                .cut(analysis.width),
        );
    }
    (!lines.is_empty()).then_some(lines)
}

/// The declarations with a name in TOML files, each as a separate text.
pub(super) fn declared(analysis: Analysis<'_>, name: &str) -> Vec<Vec<Line>> {
    let layout = &analysis.loaded.layout;
    let definition = &layout.definition;
    let width = analysis.width;
    let mut found = Vec::new();
    let mut tell = |what: String, lines: Vec<Line>, keys: &[&str]| {
        let mut all = vec![heading(name, &what)];
        all.extend(lines);
        all.extend(declared_in(analysis, keys));
        found.push(all);
    };
    if let Some(zone) = definition.zones.iter().find(|zone| zone.id == name) {
        let text = say!("{}; {}.", said(drawn_as(zone.order)), said(who_sees(zone)));
        let example = match (zone.per_seat, zone.written("p1")) {
            (true, None) => say!("`p1.{name}` is that of p1."),
            (true, Some(first)) => say!("`{first}` is the first of p1."),
            (false, Some(first)) => say!("`{first}` is the first."),
            (false, None) => say!("`{name}` shows what lies in it."),
        };
        tell(
            what_zone(zone),
            style::wrapped(&say!("{} {text} {example}", called(&zone.name)), width),
            &["zones", name],
        );
    }
    // The variable of a bank's remainder has the same name as the players' and follows from theirs.
    let of_players = |variable: &&VariableDefinition| variable.id == name && variable.bank != Bank::Is;
    if let Some(variable) = definition.variables.iter().find(of_players) {
        let owner = if variable.per_seat { "p1." } else { "" };
        let shown = match (variable.shown, variable.bank) {
            (true, Bank::None | Bank::Is) => String::new(),
            (true, Bank::Has) => say!(" `table.{name}` is what is left in the bank."),
            (false, _) => said(" The table does not show it.").to_owned(),
        };
        let text = say!(
            "{}{shown} `set {owner}{name} VALUE` changes it, `why {owner}{name}` shows where its value comes from.",
            called(&variable.name)
        );
        tell(what_variable(variable), style::wrapped(&text, width), &["variables", name]);
    }
    if layout.attributes.iter().any(|attribute| attribute == name) {
        let values = attribute_in_words(layout, name).unwrap_or_else(|| said("no component has it").to_owned());
        let looks = definition.attributes.get(name);
        let names = looks.into_iter().flatten().map(|(value, looks)| (value.clone(), names_of(&looks.name)));
        let rows: Vec<(String, String)> = names.collect();
        let mut lines = style::wrapped(&values, width);
        lines.extend(columns(&rows, width));
        tell(said("an attribute of components").to_owned(), lines, &["attributes", name]);
    }
    if let Some(group) = definition.components.iter().find(|group| group.name == name) {
        let kind = match group.kind {
            ComponentKind::Card => said("cards"),
            ComponentKind::Die => said("dice"),
            ComponentKind::Token => said("tokens"),
        };
        let text = say!("`components(\"{name}\")` are all of them, in their order.");
        tell(format!("{} {kind}", group.members.len()), style::wrapped(&text, width), &["components", name]);
    }
    if let Some(text) = definition.text.get(name) {
        let mut lines = style::wrapped(&called(text), width);
        lines.extend(used_at(analysis, name));
        tell(said("a text that people are shown: a prompt, an act or a reason").to_owned(), lines, &["text", name]);
    }
    if let Some(value) = definition.data.get(name) {
        let lines = style::wrapped(&say!("`data.{name}` is {value}."), width);
        tell(said("a number or table of the rulebook").to_owned(), lines, &["data", name]);
    }
    found
}

pub(super) fn about_setting(analysis: Analysis<'_>, layer: &Layer, key: &str, setting: &Setting) -> Vec<Line> {
    let mut lines = vec![heading(&format!("{}.{key}", layer.id), said("a setting"))];
    let now = value_in_words(analysis, layer, key, setting);
    lines.extend(style::wrapped(&say!("{now}. `set {}.{key} VALUE` changes it.", layer.id), analysis.width));
    lines.extend(declared_in(analysis, &["settings", key]));
    lines
}

/// A setting in words: its value, its possible values and its purpose.
pub(super) fn value_in_words(analysis: Analysis<'_>, layer: &Layer, key: &str, setting: &Setting) -> String {
    let ruleset = &analysis.loaded.ruleset;
    let value = ruleset.settings.iter().find(|(id, _)| *id == layer.id).and_then(|(_, values)| values.get(key));
    let mut words = say!("is {}", value.unwrap_or(&setting.default));
    if value.is_some_and(|value| *value != setting.default) {
        words.push_str(&say!(", by default {}", setting.default));
    }
    match (setting.min, setting.max) {
        (Some(min), Some(max)) => words.push_str(&say!(", from {min} to {max}")),
        (Some(min), None) => words.push_str(&say!(", at least {min}")),
        (None, Some(max)) => words.push_str(&say!(", at most {max}")),
        (None, None) => {}
    }
    if !setting.choices.is_empty() {
        let choices: Vec<String> = setting.choices.iter().map(ToString::to_string).collect();
        words.push_str(&say!(", one of {}", choices.join(said(", "))));
    }
    let help = setting.help.get(analysis.language);
    if !help.is_empty() {
        words.push_str(&format!("{}{}", said(": "), help.trim_end_matches(['.', '。'])));
    }
    words
}

pub(super) fn phase(analysis: Analysis<'_>, name: &str) -> Option<Vec<Line>> {
    phases(analysis).iter().any(|phase| phase == name).then(|| {
        let mut lines = vec![heading(name, said("a phase of the game"))];
        lines.extend(used_at(analysis, name));
        lines
    })
}

/// The names of the phases that the scripts begin.
pub(super) fn phases(analysis: Analysis<'_>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for script in &analysis.loaded.ruleset.scripts {
        let begun = script.script.text.split("begin_phase(\"").skip(1);
        found.extend(begun.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
    }
    found.sort();
    found.dedup();
    found
}

pub(super) fn layer(analysis: Analysis<'_>, name: &str) -> Option<Vec<Line>> {
    let in_play = analysis.loaded.ruleset.layers().find(|layer| layer.id == name).cloned();
    let game = &analysis.loaded.ruleset.game.id;
    let other = || analysis.library.variant(game, name).ok();
    let what = match &in_play {
        Some(layer) if layer.is_variant() => said("a variant in play"),
        Some(_) => said("the game in play"),
        None => said("a variant that is not in play"),
    };
    let layer = in_play.or_else(other)?;
    let mut lines = vec![heading(name, what)];
    let text = format!("{}: {}", layer.name.get(analysis.language), layer.about.get(analysis.language));
    lines.extend(style::wrapped(&text, analysis.width));
    lines.push(Line::faint(layer.path()).cut(analysis.width));
    Some(lines)
}

/// Help on a script library, as used by the rules in play or as found by them.
pub(super) fn library(analysis: Analysis<'_>, name: &str) -> Option<Vec<Line>> {
    let ruleset = &analysis.loaded.ruleset;
    if let Some(library) = ruleset.libraries.iter().find(|library| library.id == name) {
        return Some(about_library(library, said("a library in play"), analysis.width));
    }
    let layer = analysis.library.rule_library(name, ruleset.game.origin.root()).ok()?;
    Some(about_library(&layer, said("a library that is not in play"), analysis.width))
}

/// The tables that a library declares, each with the names in it.
pub(super) fn brought_by(library: &Layer) -> Vec<(String, String)> {
    let names = |value: &tree::Value| match value {
        tree::Value::Table(table) => table.keys().collect::<Vec<_>>().join(", "),
        _ => String::new(),
    };
    library.tables.iter().map(|(key, entry)| (key.to_owned(), names(&entry.node.value))).collect()
}

/// A library's purpose, its declarations, and its functions with their doc comments.
pub(super) fn about_library(library: &Layer, what: &str, width: usize) -> Vec<Line> {
    let script = library.script.as_ref().map_or("", |script| &script.text);
    let Outline { about, functions } = Outline::of(script);
    let name = &library.id;
    let mut lines = vec![heading(name, what)];
    lines.extend(style::wrapped(library.about.get(spoken()), width));
    lines.extend(markdown::lines(&about, width));
    lines.extend(columns(&brought_by(library), width));
    let usage = |head: &FunctionHead| format!("{}({})", head.name, head.parameters.join(", "));
    let rows: Vec<(String, String)> = functions.into_iter().map(|head| (usage(&head), head.comment)).collect();
    lines.extend(columns(&rows, width));
    lines.extend(library.sources().map(|source| Line::faint(&*source.name).cut(width)));
    lines.push(Line::faint(say!("a game uses it with `uses = [\"{name}\"]`")).cut(width));
    lines
}

pub(super) fn settings(analysis: Analysis<'_>) -> impl Iterator<Item = (&Layer, &String, &Setting)> {
    let layers = analysis.loaded.ruleset.layers();
    layers.flat_map(|layer| layer.settings.iter().map(move |(key, setting)| (layer, key, setting)))
}

/// Whether a name stands for a setting: its key, or its layer and key with a dot between.
pub(super) fn is_named(name: &str, layer: &str, key: &str) -> bool {
    name == key || name.strip_prefix(layer).and_then(|rest| rest.strip_prefix('.')) == Some(key)
}

/// The definitions of all functions with a name, the uppermost first.
pub(super) fn definitions<'s>(analysis: Analysis<'s>, name: &'s str) -> impl Iterator<Item = &'s FunctionInfo> {
    analysis.loaded.functions.iter().rev().filter(move |function| function.name == name)
}

/// The definitions of the same function in all layers, the uppermost first.
pub(super) fn definitions_of<'f>(functions: &'f [FunctionInfo], one: &FunctionInfo) -> Vec<&'f FunctionInfo> {
    let is_same = |other: &&FunctionInfo| other.name == one.name && other.parameters.len() == one.parameters.len();
    functions.iter().rev().filter(is_same).collect()
}

pub(super) fn layer_of(analysis: Analysis<'_>, function: &FunctionInfo) -> String {
    let layer = analysis.loaded.ruleset.layer_in_words(function.at).unwrap_or_default();
    layer.told().into_owned()
}

/// The call form of a function: `score(p)`.
pub(super) fn written(function: &FunctionInfo) -> String {
    format!("{}({})", function.name, function.parameters.join(", "))
}

pub(super) fn point(line: usize) -> Option<ScriptPoint> {
    Some(ScriptPoint { line: u16::try_from(line).ok()?, column: 1 })
}

/// The places where the layers in play declare a name, in any of the tables that may have it.
pub(super) fn places<'s>(analysis: Analysis<'s>, name: &str) -> Vec<(&'s Layer, Place)> {
    const TABLES: [&str; 7] = ["zones", "variables", "attributes", "components", "text", "data", "settings"];
    let tables =
        |layer: &'s Layer| TABLES.iter().filter_map(move |table| Some((layer, layer.place_of(&[table, name], "")?)));
    analysis.loaded.ruleset.layers().flat_map(tables).collect()
}

/// A line `declared in games/x/game.toml:50` for each layer that declares these keys.
pub(super) fn declared_in(analysis: Analysis<'_>, keys: &[&str]) -> Vec<Line> {
    let told = analysis.loaded.ruleset.layers().filter_map(|layer| {
        let place = layer.place_of(keys, "")?;
        let words = say!("declared in {}:{}  {}", place.source.name, place.position().0, layer.id);
        Some(Line::faint(words).cut(analysis.width))
    });
    told.collect()
}

/// The places where scripts use a name as a string literal.
pub(super) fn used_at(analysis: Analysis<'_>, name: &str) -> Vec<Line> {
    let ruleset = &analysis.loaded.ruleset;
    let quoted = format!("\"{name}\"");
    let mut found = Vec::new();
    for script in &ruleset.scripts {
        let lines = script.script.text.lines().zip(1..).filter(|(line, _)| line.contains(&quoted));
        for (line, number) in lines {
            let Some(place) = point(script.lines_before + number).and_then(|at| ruleset.file_line(at)) else {
                continue;
            };
            found.push(Line::faint(format!("  {place}  ")).with(line.trim(), Label::Plain).cut(analysis.width));
        }
    }
    found.truncate(MAX_LISTED_PLACES);
    found
}

/// The lines of a file from a place on, with line numbers.
pub(super) fn excerpt(
    analysis: Analysis<'_>,
    place: &Place,
    layer: String,
    count: usize,
    is_of_it: impl Fn(&str) -> bool,
) -> Vec<Line> {
    let (first, before) = (place.position().0, place.source.lines_before);
    let mut lines = vec![Line::strong(format!("{}:{first}  {layer}", place.source.name)).cut(analysis.width)];
    let text = place
        .source
        .text
        .lines()
        .zip(before + 1..)
        .skip(first.saturating_sub(before + 1))
        .take(count.min(MAX_SOURCE_LINES));
    let text = text.enumerate().take_while(|(index, (line, _))| *index == 0 || is_of_it(line));
    for (_, (line, number)) in text {
        let lead = Line::of(format!("{number:>5} │ "), Label::Faint);
        let line = line.replace('\t', "    ");
        let pieces = style::folded(&line, analysis.width.saturating_sub(lead.width())).into_iter();
        lines.extend(style::hang(lead, pieces.map(Line::plain).collect()));
    }
    lines
}

/// A sentence with the display name of something, in every language that it has.
pub(super) fn called(text: &Text) -> String {
    say!("Called {}.", names_of(text))
}

pub(super) fn names_of(text: &Text) -> String {
    let others = text.all().filter(|(_, other)| *other != text.en).map(|(_, other)| other.to_owned());
    std::iter::once(format!("“{}”", text.en)).chain(others).collect::<Vec<_>>().join(said(", "))
}

pub(super) fn what_zone(zone: &ZoneDefinition) -> String {
    match (zone.per_seat, zone.count) {
        (true, None) => said("a zone of each player").to_owned(),
        (true, Some(count)) => say!("{count} zones of each player"),
        (false, None) => said("a zone of the table").to_owned(),
        (false, Some(count)) => say!("{count} zones of the table"),
    }
}

pub(super) fn what_variable(variable: &VariableDefinition) -> String {
    let sort = match &variable.default {
        VariableValue::Plain(plain @ Scalar::Number(_)) => say!("a number, at first {plain}"),
        VariableValue::Plain(plain @ Scalar::Truth(_)) => say!("true or false, at first {plain}"),
        VariableValue::Plain(plain @ Scalar::Text(_)) if variable.choices.is_empty() => {
            say!("a text, at first {plain}")
        }
        VariableValue::Plain(plain @ Scalar::Text(_)) => {
            let choices: Vec<String> = variable.choices.iter().map(|choice| format!("{choice:?}")).collect();
            say!("one of {}, at first {plain}", choices.join(said(", ")))
        }
        VariableValue::Nothing(DeclaredType::Player) => said("a player, at first nobody").to_owned(),
        VariableValue::Nothing(DeclaredType::Component) => said("a component, at first nothing").to_owned(),
        VariableValue::Nothing(DeclaredType::Zone) => said("a zone, at first nothing").to_owned(),
        VariableValue::Nothing(DeclaredType::Players) => said("players, at first none").to_owned(),
        VariableValue::Nothing(DeclaredType::Components) => said("components, at first none").to_owned(),
        VariableValue::Nothing(DeclaredType::Zones) => said("zones, at first none").to_owned(),
        VariableValue::Nothing(DeclaredType::List) => said("a list, at first empty").to_owned(),
    };
    let limits = match variable.limits {
        (Some(least), Some(most)) => say!(", from {least} to {most}"),
        (Some(least), None) => say!(", at least {least}"),
        (None, Some(most)) => say!(", at most {most}"),
        (None, None) => String::new(),
    };
    let bank = match variable.bank {
        Bank::None => "",
        Bank::Has => said(", out of a bank"),
        Bank::Is => said(", left in the bank"),
    };
    let sort = format!("{sort}{limits}{bank}");
    let owner = match (variable.by_team, variable.per_seat) {
        (true, _) => said("of each team"),
        (false, true) => said("of each player"),
        (false, false) => said("of the table"),
    };
    say!("a variable {owner}: {sort}")
}

pub(super) fn drawn_as(order: ZoneOrder) -> &'static str {
    match order {
        ZoneOrder::Pile => "A pile, of which the top and the size are drawn",
        ZoneOrder::Row => "A row, drawn from left to right",
        ZoneOrder::Ring => "A circle, drawn clockwise",
        ZoneOrder::Hand => "A hand, drawn sorted",
        ZoneOrder::Trick => "Cards that several players have played, one after the other",
    }
}
