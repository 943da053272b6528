//! What there is help on beside commands: the words of the vocabulary, and everything that the rules in play name.

use super::{Analysis, Candidate};
use crate::agent::{AgentKind, KINDS};
use crate::catalogue::{said, say, spoken, told, told_list};
use crate::definition::keys::{KeyInfo, Need, SECTIONS, keys_of, page::if_absent};
use crate::definition::{
    Bank, ComponentKind, Held, Language, Layer, Library, Plain, Setting, Text, VariableDefinition, VariableValue,
    ZoneDefinition, ZoneOrder, tree,
};
use crate::diagnostic::{Code, Place};
use crate::screen::markdown;
use crate::screen::style::{self, Label, Line};
use crate::script::codes::{self, CODES};
use crate::script::host_functions::{ASKED, AskedFunction, asked};
use crate::script::layering::{FunctionHead, FunctionInfo};
use crate::script::outline::Outline;
use crate::script::vocabulary::{Form, Word, words};
use crate::table::event::ScriptPoint;
use crate::table::layout::FaceValue;
use crate::table::names;
use crate::table::value::Seats;
use crate::workspace::manual::{self, PAGES, Page};
use crate::workspace::{attribute_in_words, who_sees};

/// Most places that are told of a word of the scripts.
const MOST_PLACES: usize = 6;

/// Most lines of a source that are shown.
const MOST_LINES: usize = 400;

/// What is there in every game and is neither a command nor a word of the vocabulary.
const FIXED: [(&str, &str, &str); 7] = [
    (
        "super",
        "the rule of the layer below",
        "`super(…)`, in a function of a variant, calls the function of the same name in the layer below: in the \
         variant before, or in the game. So a variant says only what is different, and keeps the rest of the rule.",
    ),
    (
        "settings",
        "what the layers in play let you set",
        "In a script, `settings.key` belongs to the script's own layer; at the prompt, it belongs to the layer that \
         has the key. `set LAYER.KEY VALUE` changes it and replays the same moves.",
    ),
    (
        "players",
        "all players, in turn order",
        "`players[1]` is p1. Tab after `players.` shows what you can ask of them.",
    ),
    ("table", "the table itself", "It has the variables that belong to no player. As a command, `table` draws it."),
    (
        "data",
        "the numbers of the rulebook",
        "The `[data]` of the game, as its variants have changed it. `set GAME.data.KEY VALUE` tries another number.",
    ),
    (
        "standing",
        "what a player would have if the game ended now",
        "Many games give points only at the end. If the game says how (`standing` in game.toml), the table shows that \
         earlier; `p1.score` is what p1 has for certain, and `why p1.score` shows both, point by point.",
    ),
    (
        "_",
        "the value of the previous expression",
        "It keeps the value of an expression that you type, unless it is a component: `3 + 4`, then `_ * 6`.",
    ),
];

/// What there is help on about files.
const FILES: &str = "files";

/// What there is on a page of the documentation, or under a heading of it: `cookbook`, `rhai loops`.
pub fn page(name: &str, width: usize) -> Option<Vec<Line>> {
    match manual::page_of(name)? {
        (page, "") if *page == manual::COOKBOOK => Some(page.contents(width)),
        (page, "") => Some(page.lines(width)),
        (page, section) => sections(page, section, width),
    }
}

/// The section of a page that is meant, or those that can be.
pub fn sections(page: &Page, name: &str, width: usize) -> Option<Vec<Line>> {
    match &page.find(name)[..] {
        [] => None,
        [section] => Some(section.lines(width)),
        several => {
            let mut lines = vec![heading(name, &say!("several of `{}`", page.name))];
            lines.extend(manual::contents(several, width));
            lines.push(Line::faint(say!("`help {}` shows one", several[0].name())).cut(width));
            Some(lines)
        }
    }
}

/// What can stand in help behind such words: `worker` has `placement`, `cookbook` its recipes.
pub fn behind(words: &str) -> Vec<Candidate> {
    let names = PAGES.into_iter().flat_map(|page| {
        let sections = page.sections().into_iter();
        let of_page = sections.map(|section| (format!("{} {}", page.name, section.name()), section.about()));
        let alone = page.sections().into_iter().filter(|_| *page == manual::COOKBOOK);
        of_page.chain(alone.map(|section| (section.name(), section.about())))
    });
    let rest = names.filter_map(|(name, about)| {
        let rest = name.strip_prefix(words)?.strip_prefix(' ')?;
        Some(Candidate::new(rest, about))
    });
    let keys =
        SECTIONS.iter().filter(|_| words == FILES).map(|section| Candidate::new(section.name, said(section.called)));
    rest.chain(keys).collect()
}

/// What there is help on in every game, each meaning by itself; with the libraries that games can use.
pub fn in_every_game(name: &str, library: &Library, width: usize) -> Vec<Vec<Line>> {
    let mut meanings: Vec<Vec<Line>> = Vec::new();
    let fixed = FIXED.iter().filter(|(known, ..)| *known == name);
    meanings.extend(fixed.map(|(name, what, text)| {
        let mut lines = vec![heading(name, said(what))];
        lines.extend(style::wrapped(said(text), width));
        lines
    }));
    meanings.extend(vocabulary(name, width));
    meanings.extend(agents(name, width));
    meanings.extend(statement(name, width));
    meanings.extend(asked(name).map(|asked| about_asked(asked, width)));
    meanings.extend(about_words(name, width));
    meanings.extend(codes::find(name).map(|code| about_code(code, width)));
    meanings.extend(of_library(name, library, width));
    if meanings.is_empty() {
        meanings.extend(keys(name, width));
    }
    meanings
}

/// What there is on a library that any game can use.
pub fn of_library(name: &str, library: &Library, width: usize) -> Option<Vec<Line>> {
    let layer = library.rule_library(name, None).ok()?;
    Some(about_library(&layer, said("a library"), width))
}

/// The names that there is help on in every game.
pub fn names_in_every_game() -> impl Iterator<Item = String> {
    let recipes = manual::COOKBOOK.sections().into_iter().map(|section| section.name());
    let fixed = FIXED.iter().map(|(name, ..)| *name).chain([FILES]).chain(PAGES.iter().map(|page| page.name));
    let words = words().map(|word| word.name).chain(ASKED.iter().map(|asked| asked.name));
    fixed.chain(words).chain(CODES.iter().map(|code| code.name)).map(str::to_owned).chain(recipes)
}

/// Everything that is called by a name, each meaning by itself.
pub(super) fn about(analysis: Analysis<'_>, name: &str) -> Vec<Vec<Line>> {
    let mut meanings: Vec<Vec<Line>> = Vec::new();
    meanings.extend(fixed(analysis, name));
    meanings.extend(vocabulary(name, analysis.width));
    meanings.extend(agents(name, analysis.width));
    meanings.extend(player(analysis, name));
    meanings.extend(statement(name, analysis.width));
    meanings.extend(asked(name).map(|asked| about_asked(asked, analysis.width)));
    meanings.extend(function(analysis, name));
    meanings.extend(about_words(name, analysis.width));
    meanings.extend(codes::find(name).map(|code| about_code(code, analysis.width)));
    meanings.extend(declared(analysis, name));
    meanings.extend(
        settings(analysis)
            .filter(|(layer, key, _)| is_named(name, &layer.id, key))
            .map(|(layer, key, setting)| about_setting(analysis, layer, key, setting)),
    );
    meanings.extend(phase(analysis, name));
    meanings.extend(layer(analysis, name));
    meanings.extend(library(analysis, name));
    if meanings.is_empty() {
        meanings.extend(component(analysis, name).or_else(|| keys(name, analysis.width)));
    }
    meanings
}

/// Every word of the vocabulary, by chapter.
fn vocabulary(name: &str, width: usize) -> Option<Vec<Line>> {
    if !["words", "vocabulary"].contains(&name) {
        return None;
    }
    let mut lines = vec![heading(name, said("what rules can use"))];
    lines.extend(style::wrapped(said("`help WORD` explains one; docs/vocabulary.md has them all."), width));
    let mut sections: Vec<(&str, Vec<&str>)> = Vec::new();
    for word in words().filter(|word| word.form != Form::Operator) {
        match sections.iter_mut().find(|(section, _)| *section == word.section) {
            Some((_, names)) if names.contains(&word.name) => {}
            Some((_, names)) => names.push(word.name),
            None => sections.push((word.section, vec![word.name])),
        }
    }
    for (section, names) in sections {
        lines.push(Line::strong(told(section)));
        let rows = style::wrapped(&names.join("  "), width.saturating_sub(2)).into_iter();
        lines.extend(rows.map(|row| Line::of_blanks(2).then(row)));
    }
    Some(lines)
}

/// The keys that files may have: all sorts of tables, or those of one sort, by its name alone or behind `files`.
fn keys(name: &str, width: usize) -> Option<Vec<Line>> {
    let rows = |rows: Vec<(String, String)>| columns(&rows, width);
    if name == FILES {
        let mut lines = vec![heading(name, said("what files can contain"))];
        lines.extend(style::wrapped(
            said("`help files zones` lists the keys of a zone; docs/files.md has them all."),
            width,
        ));
        let mut names: Vec<&str> = SECTIONS.iter().map(|section| section.name).collect();
        names.dedup();
        let keys = |name: &str| keys_of(name).map(|key| key.name()).collect::<Vec<_>>().join(" ");
        lines.extend(rows(names.into_iter().map(|name| (name.to_owned(), keys(name))).collect()));
        return Some(lines);
    }
    let name = name.strip_prefix(FILES).map_or(name, str::trim);
    let section = SECTIONS.iter().find(|section| section.name == name)?;
    let mut lines = vec![heading(name, &say!("the keys of {} in a file", told(section.called)))];
    lines.extend(rows(keys_of(name).map(|key| (key.name().to_owned(), key_in_words(key))).collect()));
    Some(lines)
}

/// What a key is for, and what its value may be.
fn key_in_words(key: &dyn KeyInfo) -> String {
    let absent = match key.need() {
        Need::Optional | Need::Required | Need::Unless(_) => if_absent(key),
        Need::Default(_) | Need::Means(_) => say!("{} if absent", told(&if_absent(key))),
    };
    let about = format!("{} · {}", markdown::without_links(&told(key.text())), kind_of_value(&key.value()));
    if absent.is_empty() { about } else { format!("{about} · {}", told(&absent)) }
}

/// What a value may be; what words among those mean stands in parentheses behind each.
fn kind_of_value(value: &str) -> String {
    let words = told_list(value);
    let meanings = words.split_inclusive(['(', ')']).map(|part| match part.strip_suffix(')') {
        Some(meaning) => format!("{})", told(meaning)),
        None => part.to_owned(),
    });
    meanings.collect()
}

/// Who can play a seat, or one of those.
fn agents(name: &str, width: usize) -> Option<Vec<Line>> {
    let meant: Vec<&AgentKind> = KINDS.iter().filter(|kind| name == "agents" || kind.name == name).collect();
    if meant.is_empty() {
        return None;
    }
    let mut lines = vec![heading(name, if name == "agents" { said("who can play a seat") } else { said("an agent") })];
    let rows =
        meant.iter().flat_map(|kind| std::iter::once((kind.name, kind.about)).chain(kind.budgets.iter().copied()));
    lines.extend(columns(
        &rows.map(|(name, about)| (name.to_owned(), said(about).to_owned())).collect::<Vec<_>>(),
        width,
    ));
    lines.push(Line::faint(said("`seat p2 AGENT` lets one play p2; `seat p2 person` ends that")));
    Some(lines)
}

/// What a player has.
fn player(analysis: Analysis<'_>, name: &str) -> Option<Vec<Line>> {
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

/// A statement of the rules' language.
fn statement(name: &str, width: usize) -> Option<Vec<Line>> {
    let example = match name {
        "if" | "else" => "if p.hand.is_empty { … } else { … }",
        "for" => "for card in p.hand { … } or for i in 0..3 { … }",
        "while" => "while !deck.is_empty { … }",
        "loop" | "break" => "loop { if deck.is_empty { break; } }",
        "continue" => "for p in players { if p.hand.is_empty { continue; } … }",
        "switch" => "switch choice.act { \"take\" => …, _ => … }",
        "let" => "let card = p.hand.first;",
        "return" => "return p.hand.len;",
        "throw" => "throw \"this cannot be\";",
        "fn" => "fn score(p) { … }",
        "true" | "false" => "if p.passed == false { … }",
        _ => return None,
    };
    let mut lines = vec![heading(name, said("of the language that rules are written in"))];
    lines.extend(style::wrapped(&say!("Write `{example}`."), width));
    Some(lines)
}

/// A card, die or token: what is printed on it.
fn component(analysis: Analysis<'_>, name: &str) -> Option<Vec<Line>> {
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
    // What a die or a token shows changes; what is printed stays.
    let fixed = values.filter(|(attribute, _)| !["side", "value"].contains(&attribute.as_str()));
    lines.extend(columns(&fixed.collect::<Vec<_>>(), analysis.width));
    lines.push(Line::faint(say!("`why {}` shows where it lies and how it came there", info.id)));
    Some(lines)
}

/// The source of what is called by a name: functions, and what the TOML files declare.
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
        lines.extend(excerpt(analysis, &place, layer.id.clone(), MOST_LINES, is_of_it));
    }
    (!lines.is_empty()).then_some(lines)
}

/// Every name that there is help on, with what it is.
pub(super) fn names(analysis: Analysis<'_>) -> Vec<Candidate> {
    let loaded = analysis.loaded;
    let definition = &loaded.layout.definition;
    let language = analysis.language;
    let mut found: Vec<Candidate> = FIXED.iter().map(|(name, what, _)| Candidate::new(*name, said(what))).collect();
    found.push(Candidate::new(FILES, said("what files can contain")));
    found.extend(PAGES.iter().map(|page| Candidate::new(page.name, said(page.about))));
    found.extend(ASKED.iter().map(|asked| Candidate::new(asked.name, said(asked.about))));
    found.extend(
        loaded
            .functions
            .iter()
            .map(|function| Candidate::new(&*function.name, say!("function of the rules: {}", written(function)))),
    );
    found.extend(definition.zones.iter().map(|zone| Candidate::new(&*zone.id, what_zone(zone))));
    let variables = definition.variables.iter();
    found.extend(variables.map(|variable| Candidate::new(&*variable.id, what_variable(variable))));
    found.extend(loaded.layout.attributes.iter().map(|name| Candidate::new(&**name, said("attribute of components"))));
    let groups = definition.components.iter();
    found.extend(groups.map(|group| Candidate::new(&*group.name, say!("{} components", group.members.len()))));
    let texts = definition.text.iter();
    found.extend(texts.map(|(key, text)| Candidate::new(&**key, say!("text: {}", text.get(language)))));
    found.extend(phases(analysis).into_iter().map(|phase| Candidate::new(phase, said("phase"))));
    found.extend(
        settings(analysis)
            .map(|(layer, key, _)| Candidate::new(format!("{}.{key}", layer.id), say!("setting of {}", layer.id))),
    );
    found.extend(words().map(|word| Candidate::new(word.name, usage(word))));
    found.extend(CODES.iter().map(|code| Candidate::new(code.name, say!("{} of `check`", said(code.severity.name())))));
    found.extend(layers(analysis).map(|layer| Candidate::new(&*layer.id, layer.about.get(language))));
    found.extend(analysis.library.library_ids().into_iter().map(|id| Candidate::new(id, said("library"))));
    let recipes = manual::COOKBOOK.sections().into_iter();
    found.extend(recipes.map(|recipe| Candidate::new(recipe.name(), say!("recipe: {}", recipe.about()))));
    found.retain(|candidate| candidate.text.starts_with(|first: char| first.is_alphabetic() || first == '_'));
    let mut known: Vec<String> = Vec::new();
    found.retain(|candidate| {
        let is_new = !known.contains(&candidate.text);
        known.push(candidate.text.clone());
        is_new
    });
    found
}

/// What `check` finds under a name.
fn about_code(code: &Code, width: usize) -> Vec<Line> {
    let mut lines = vec![heading(code.name, &say!("{} of `check`", said(code.severity.name())))];
    lines.extend(style::paragraphs(&format!("{} {}", said(code.title), said(code.explanation)), width));
    for (head, rules) in [("These rules have it:", code.example), ("These do not:", code.instead)] {
        if !rules.is_empty() {
            lines.push(Line::faint(said(head)));
            lines.extend(rules.lines().map(|line| Line::code(format!("    {line}"))));
        }
    }
    lines
}

/// What the host asks of rules that have a function of that name.
fn about_asked(asked: &AskedFunction, width: usize) -> Vec<Line> {
    let mut lines = vec![heading(&asked.usage(), &say!("a function that rules may have: {}", said(asked.about)))];
    lines.extend(style::paragraphs(said(asked.doc), width));
    lines.extend(asked.example.lines().map(|line| Line::code(format!("    {line}"))));
    lines
}

/// The words of a name, of whatever they are asked.
fn about_words(name: &str, width: usize) -> Option<Vec<Line>> {
    let lines: Vec<Line> = words().filter(|word| word.name == name).flat_map(|word| about_word(word, width)).collect();
    (!lines.is_empty()).then_some(lines)
}

/// How a word is written, with the sorts of its arguments in the language of the reader.
pub(super) fn usage(word: &Word) -> String {
    word.usage_in(told)
}

fn about_word(word: &Word, width: usize) -> Vec<Line> {
    let mut lines = vec![Line::strong(format!("{} → {}", usage(word), told(word.result.name())))];
    if let [_, others @ ..] = word.receivers
        && !others.is_empty()
    {
        lines.push(Line::faint(say!(
            "also of {}",
            others.iter().map(|receiver| told(receiver.name())).collect::<Vec<_>>().join(said(", "))
        )));
    }
    lines.extend(word.paragraphs().iter().flat_map(|paragraph| style::wrapped(&told(paragraph), width)));
    lines.extend(word.example().lines().map(|line| Line::code(format!("    {line}"))));
    lines
}

fn fixed(analysis: Analysis<'_>, name: &str) -> Option<Vec<Line>> {
    let (name, what, text) = FIXED.iter().find(|(known, ..)| *known == name)?;
    let mut lines = vec![heading(name, said(what))];
    lines.extend(style::wrapped(said(text), analysis.width));
    match *name {
        "settings" => {
            let rows: Vec<(String, String)> = settings(analysis)
                .map(|(layer, key, setting)| {
                    (format!("{}.{key}", layer.id), value_in_words(analysis, layer, key, setting))
                })
                .collect();
            let none = Line::faint(said("these rules have no settings"));
            lines.extend(if rows.is_empty() { vec![none] } else { columns(&rows, analysis.width) });
        }
        "super" => {
            let functions = &analysis.loaded.functions;
            let mut rows: Vec<(String, String)> = Vec::new();
            for function in functions.iter() {
                let same = definitions_of(functions, function);
                if same.len() > 1 && rows.iter().all(|(known, _)| *known != written(function)) {
                    let layers: Vec<String> = same.into_iter().map(|one| layer_of(analysis, one)).collect();
                    rows.push((written(function), layers.join(said(" over "))));
                }
            }
            lines.push(Line::faint(if rows.is_empty() {
                said("no function of these rules is in several layers")
            } else {
                said("in several layers here:")
            }));
            lines.extend(columns(&rows, analysis.width));
        }
        _ => {}
    }
    Some(lines)
}

/// A function of the rules: the uppermost definition first, each with what its author wrote over it.
fn function(analysis: Analysis<'_>, name: &str) -> Option<Vec<Line>> {
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

/// What the TOML files declare by this name.
fn declared(analysis: Analysis<'_>, name: &str) -> Vec<Vec<Line>> {
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
    // What is left in a bank has the name of what the players have, and follows from that.
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

fn about_setting(analysis: Analysis<'_>, layer: &Layer, key: &str, setting: &Setting) -> Vec<Line> {
    let mut lines = vec![heading(&format!("{}.{key}", layer.id), said("a setting"))];
    let now = value_in_words(analysis, layer, key, setting);
    lines.extend(style::wrapped(&say!("{now}. `set {}.{key} VALUE` changes it.", layer.id), analysis.width));
    lines.extend(declared_in(analysis, &["settings", key]));
    lines
}

/// What a setting is, what it may be, and what it is for.
fn value_in_words(analysis: Analysis<'_>, layer: &Layer, key: &str, setting: &Setting) -> String {
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

fn phase(analysis: Analysis<'_>, name: &str) -> Option<Vec<Line>> {
    phases(analysis).iter().any(|phase| phase == name).then(|| {
        let mut lines = vec![heading(name, said("a phase of the game"))];
        lines.extend(used_at(analysis, name));
        lines
    })
}

/// The phases that the scripts begin by name.
fn phases(analysis: Analysis<'_>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for script in &analysis.loaded.ruleset.scripts {
        let begun = script.script.text.split("begin_phase(\"").skip(1);
        found.extend(begun.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
    }
    found.sort();
    found.dedup();
    found
}

fn layer(analysis: Analysis<'_>, name: &str) -> Option<Vec<Line>> {
    let in_play = layers(analysis).find(|layer| layer.id == name).cloned();
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

/// A library of scripts: as it is in play, or as the rules would find it.
fn library(analysis: Analysis<'_>, name: &str) -> Option<Vec<Line>> {
    let ruleset = &analysis.loaded.ruleset;
    if let Some(library) = ruleset.libraries.iter().find(|library| library.id == name) {
        return Some(about_library(library, said("a library in play"), analysis.width));
    }
    let layer = analysis.library.rule_library(name, ruleset.game.origin.root()).ok()?;
    Some(about_library(&layer, said("a library that is not in play"), analysis.width))
}

/// The tables that a library brings, each with the names in it.
fn brought_by(library: &Layer) -> Vec<(String, String)> {
    let names = |value: &tree::Value| match value {
        tree::Value::Table(table) => table.keys().collect::<Vec<_>>().join(", "),
        _ => String::new(),
    };
    library.tables.iter().map(|(key, entry)| (key.to_owned(), names(&entry.node.value))).collect()
}

/// What a library is for, what it declares, and its functions, each with what its author wrote over it.
fn about_library(library: &Layer, what: &str, width: usize) -> Vec<Line> {
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

fn layers(analysis: Analysis<'_>) -> impl Iterator<Item = &Layer> {
    let ruleset = &analysis.loaded.ruleset;
    ruleset.layers()
}

fn settings(analysis: Analysis<'_>) -> impl Iterator<Item = (&Layer, &String, &Setting)> {
    layers(analysis).flat_map(|layer| layer.settings.iter().map(move |(key, setting)| (layer, key, setting)))
}

/// Whether a setting is meant: by its key, or by its layer and key.
fn is_named(name: &str, layer: &str, key: &str) -> bool {
    name == key || name.strip_prefix(layer).and_then(|rest| rest.strip_prefix('.')) == Some(key)
}

/// The definitions of a function, the uppermost first.
fn definitions<'s>(analysis: Analysis<'s>, name: &'s str) -> impl Iterator<Item = &'s FunctionInfo> {
    analysis.loaded.functions.iter().rev().filter(move |function| function.name == name)
}

/// The definitions of the same function, the uppermost first.
fn definitions_of<'f>(functions: &'f [FunctionInfo], one: &FunctionInfo) -> Vec<&'f FunctionInfo> {
    let is_same = |other: &&FunctionInfo| other.name == one.name && other.parameters.len() == one.parameters.len();
    functions.iter().rev().filter(is_same).collect()
}

fn layer_of(analysis: Analysis<'_>, function: &FunctionInfo) -> String {
    let layer = analysis.loaded.ruleset.layer_in_words(function.at).unwrap_or_default();
    told(&layer).into_owned()
}

/// A function as it is called: `score(p)`.
fn written(function: &FunctionInfo) -> String {
    format!("{}({})", function.name, function.parameters.join(", "))
}

fn point(line: usize) -> Option<ScriptPoint> {
    Some(ScriptPoint { line: u16::try_from(line).ok()?, column: 1 })
}

/// Where the layers in play declare something, in each of the tables that may have it.
fn places<'s>(analysis: Analysis<'s>, name: &str) -> Vec<(&'s Layer, Place)> {
    const TABLES: [&str; 7] = ["zones", "variables", "attributes", "components", "text", "data", "settings"];
    let tables =
        |layer: &'s Layer| TABLES.iter().filter_map(move |table| Some((layer, layer.place_of(&[table, name], "")?)));
    layers(analysis).flat_map(tables).collect()
}

/// `declared in games/x/game.toml:50`, a line for each layer that says something of it.
fn declared_in(analysis: Analysis<'_>, keys: &[&str]) -> Vec<Line> {
    let told = layers(analysis).filter_map(|layer| {
        let place = layer.place_of(keys, "")?;
        let words = say!("declared in {}:{}  {}", place.source.name, place.position().0, layer.id);
        Some(Line::faint(words).cut(analysis.width))
    });
    told.collect()
}

/// Where the scripts use a name as a text.
fn used_at(analysis: Analysis<'_>, name: &str) -> Vec<Line> {
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
    found.truncate(MOST_PLACES);
    found
}

/// Lines of a file from a place on, each with its number.
fn excerpt(
    analysis: Analysis<'_>,
    place: &Place,
    layer: String,
    count: usize,
    is_of_it: impl Fn(&str) -> bool,
) -> Vec<Line> {
    let (first, before) = (place.position().0, place.source.lines_before);
    let mut lines = vec![Line::strong(format!("{}:{first}  {layer}", place.source.name)).cut(analysis.width)];
    let text =
        place.source.text.lines().zip(before + 1..).skip(first.saturating_sub(before + 1)).take(count.min(MOST_LINES));
    let text = text.enumerate().take_while(|(index, (line, _))| *index == 0 || is_of_it(line));
    for (_, (line, number)) in text {
        let lead = Line::of(format!("{number:>5} │ "), Label::Faint);
        let line = line.replace('\t', "    ");
        let pieces = style::folded(&line, analysis.width.saturating_sub(lead.width())).into_iter();
        lines.extend(style::hang(lead, pieces.map(Line::plain).collect()));
    }
    lines
}

fn heading(name: &str, what: &str) -> Line {
    Line::strong(name).with(format!("  {what}"), Label::Plain)
}

/// Two columns, the second in as many lines as it takes.
fn columns(rows: &[(String, String)], width: usize) -> Vec<Line> {
    let column = rows.iter().map(|(name, _)| style::width(name)).max().unwrap_or(0).min(width / 2);
    let row = |(name, text): &(String, String)| {
        let lead = Line::of_blanks(2).then(Line::plain(style::pad(name, column))).with("  ", Label::Plain);
        let room = width.saturating_sub(lead.width());
        style::hang(lead, style::wrapped(text, room))
    };
    rows.iter().flat_map(row).collect()
}

/// What people call something, in both languages where it has two.
fn called(text: &Text) -> String {
    say!("Called {}.", names_of(text))
}

fn names_of(text: &Text) -> String {
    let (english, japanese) = (text.get(Language::English), text.get(Language::Japanese));
    if english == japanese { format!("“{english}”") } else { format!("“{english}”{}{japanese}", said(", ")) }
}

fn what_zone(zone: &ZoneDefinition) -> String {
    match (zone.per_seat, zone.count) {
        (true, None) => said("a zone of each player").to_owned(),
        (true, Some(count)) => say!("{count} zones of each player"),
        (false, None) => said("a zone of the table").to_owned(),
        (false, Some(count)) => say!("{count} zones of the table"),
    }
}

fn what_variable(variable: &VariableDefinition) -> String {
    let sort = match &variable.default {
        VariableValue::Plain(plain @ Plain::Number(_)) => say!("a number, at first {plain}"),
        VariableValue::Plain(plain @ Plain::Truth(_)) => say!("true or false, at first {plain}"),
        VariableValue::Plain(plain @ Plain::Text(_)) if variable.choices.is_empty() => {
            say!("a text, at first {plain}")
        }
        VariableValue::Plain(plain @ Plain::Text(_)) => {
            let choices: Vec<String> = variable.choices.iter().map(|choice| format!("{choice:?}")).collect();
            say!("one of {}, at first {plain}", choices.join(said(", ")))
        }
        VariableValue::Nothing(Held::Player) => said("a player, at first nobody").to_owned(),
        VariableValue::Nothing(Held::Component) => said("a component, at first nothing").to_owned(),
        VariableValue::Nothing(Held::Zone) => said("a zone, at first nothing").to_owned(),
        VariableValue::Nothing(Held::Players) => said("players, at first none").to_owned(),
        VariableValue::Nothing(Held::Components) => said("components, at first none").to_owned(),
        VariableValue::Nothing(Held::Zones) => said("zones, at first none").to_owned(),
        VariableValue::Nothing(Held::List) => said("a list, at first empty").to_owned(),
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

fn drawn_as(order: ZoneOrder) -> &'static str {
    match order {
        ZoneOrder::Pile => "A pile, of which the top and the size are drawn",
        ZoneOrder::Row => "A row, drawn from left to right",
        ZoneOrder::Ring => "A circle, drawn clockwise",
        ZoneOrder::Hand => "A hand, drawn sorted",
        ZoneOrder::Trick => "Cards that several players have played, one after the other",
    }
}
