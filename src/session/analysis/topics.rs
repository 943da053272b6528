//! Help topics beside commands that are the same in every game: the vocabulary, files, agents and findings.

use super::in_play::{
    about_library, about_setting, component, declared, definitions_of, function, is_named, layer, layer_of, library,
    phase, phases, player, settings, value_in_words, what_variable, what_zone, written,
};
use super::{Analysis, Candidate};
use crate::agent::{AgentKind, KINDS};
use crate::catalogue::{message, said, say, told};
use crate::definition::Library;
use crate::definition::keys::page::{if_absent, without_links};
use crate::definition::keys::{KeyInfo, Requirement, SECTIONS, keys_of};
use crate::diagnostic::Code;
use crate::screen::style::{self, Label, Line};
use crate::script::codes::{self, CODES};
use crate::script::host_functions::{HOST_FUNCTIONS, HostFunction, host_function};
use crate::script::vocabulary::{Form, Word, words};
use crate::workspace::manual::{self, PAGES, Page};

/// Topics of every game that are neither commands nor words of the vocabulary.
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

/// The name of the topic on files.
const FILES: &str = "files";

/// Help on a page of the documentation, or on a section of it: `cookbook`, `rhai loops`.
pub fn page(name: &str, width: usize) -> Option<Vec<Line>> {
    match manual::page_of(name)? {
        (page, "") if *page == manual::COOKBOOK => Some(page.contents(width)),
        (page, "") => Some(page.lines(width)),
        (page, section) => sections(page, section, width),
    }
}

/// The only section of a page that `name` can mean, or a list of them.
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

/// The topics that can follow these words: `worker` has `placement`, `cookbook` its recipes.
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

/// Help on a name in every game, each meaning as a separate text, including libraries that games can use.
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
    meanings.extend(host_function(name).map(|asked| about_asked(asked, width)));
    meanings.extend(about_words(name, width));
    meanings.extend(codes::find(name).map(|code| about_code(code, width)));
    meanings.extend(of_library(name, library, width));
    if meanings.is_empty() {
        meanings.extend(keys(name, width));
    }
    meanings
}

/// Help on a library that any game can use.
pub fn of_library(name: &str, library: &Library, width: usize) -> Option<Vec<Line>> {
    let layer = library.rule_library(name, None).ok()?;
    Some(about_library(&layer, said("a library"), width))
}

/// The names of all topics in every game.
pub fn names_in_every_game() -> impl Iterator<Item = String> {
    let recipes = manual::COOKBOOK.sections().into_iter().map(|section| section.name());
    let fixed = FIXED.iter().map(|(name, ..)| *name).chain([FILES]).chain(PAGES.iter().map(|page| page.name));
    let words = words().map(|word| word.name).chain(HOST_FUNCTIONS.iter().map(|asked| asked.name));
    fixed.chain(words).chain(CODES.iter().map(|code| code.name)).map(str::to_owned).chain(recipes)
}

/// Help on every meaning of a name, each as a separate text.
pub(super) fn about(analysis: Analysis<'_>, name: &str) -> Vec<Vec<Line>> {
    let mut meanings: Vec<Vec<Line>> = Vec::new();
    meanings.extend(fixed(analysis, name));
    meanings.extend(vocabulary(name, analysis.width));
    meanings.extend(agents(name, analysis.width));
    meanings.extend(player(analysis, name));
    meanings.extend(statement(name, analysis.width));
    meanings.extend(host_function(name).map(|asked| about_asked(asked, analysis.width)));
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

/// The whole vocabulary, by chapter.
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
        lines.push(Line::strong(said(section)));
        let rows = style::wrapped(&names.join("  "), width.saturating_sub(2)).into_iter();
        lines.extend(rows.map(|row| Line::of_blanks(2).then(row)));
    }
    Some(lines)
}

/// The keys of files: a list of all tables, the keys of one, or what one key is in each table that has it; by the name
/// alone or behind `files`.
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
    let Some(section) = SECTIONS.iter().find(|section| section.name == name) else {
        let having = SECTIONS.iter().filter_map(|section| {
            let key = section.keys.iter().find(|key| key.name() == name)?;
            Some((said(section.called).to_owned(), key_in_words(*key)))
        });
        let having: Vec<(String, String)> = having.collect();
        return (!having.is_empty()).then(|| {
            let mut lines = vec![heading(name, said("a key in files"))];
            lines.extend(rows(having));
            lines
        });
    };
    let mut lines = vec![heading(name, &say!("the keys of {} in a file", said(section.called)))];
    lines.extend(rows(keys_of(name).map(|key| (key.name().to_owned(), key_in_words(key))).collect()));
    Some(lines)
}

/// A key's purpose and possible values.
fn key_in_words(key: &dyn KeyInfo) -> String {
    let absent = match key.need() {
        Requirement::Optional | Requirement::Required | Requirement::Unless(_) => if_absent(key),
        Requirement::Default(_) | Requirement::Means(_) => message!("{} if absent", if_absent(key)),
    };
    let about = format!("{} · {}", without_links(said(key.text())), key.value().told());
    if absent.is_empty() { about } else { format!("{about} · {}", absent.told()) }
}

/// A list of all agents, or help on one.
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

/// Help on a statement of the rules' language.
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

/// Every name with help, with a description.
pub(super) fn names(analysis: Analysis<'_>) -> Vec<Candidate> {
    let loaded = analysis.loaded;
    let definition = &loaded.layout.definition;
    let language = analysis.language;
    let mut found: Vec<Candidate> = FIXED.iter().map(|(name, what, _)| Candidate::new(*name, said(what))).collect();
    found.push(Candidate::new(FILES, said("what files can contain")));
    found.extend(PAGES.iter().map(|page| Candidate::new(page.name, said(page.about))));
    found.extend(HOST_FUNCTIONS.iter().map(|asked| Candidate::new(asked.name, said(asked.about))));
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
    found.extend(analysis.loaded.ruleset.layers().map(|layer| Candidate::new(&*layer.id, layer.about.get(language))));
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

/// Help on a finding of `check`, by its name.
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

/// Help on a function that the host calls if rules have it.
fn about_asked(asked: &HostFunction, width: usize) -> Vec<Line> {
    let mut lines = vec![heading(&asked.usage(), &say!("a function that rules may have: {}", said(asked.about)))];
    lines.extend(style::paragraphs(said(asked.doc), width));
    lines.extend(asked.example.lines().map(|line| Line::code(format!("    {line}"))));
    lines
}

/// Help on the words of the vocabulary with a name, on any receiver.
fn about_words(name: &str, width: usize) -> Option<Vec<Line>> {
    let lines: Vec<Line> = words().filter(|word| word.name == name).flat_map(|word| about_word(word, width)).collect();
    (!lines.is_empty()).then_some(lines)
}

/// The call form of a word, with the types of its arguments in the reader's language.
pub(super) fn usage(word: &Word) -> String {
    word.usage_in(|name| said(name).into())
}

fn about_word(word: &Word, width: usize) -> Vec<Line> {
    let mut lines = vec![Line::strong(format!("{} → {}", usage(word), said(word.result.name())))];
    if let [_, others @ ..] = word.receivers
        && !others.is_empty()
    {
        lines.push(Line::faint(say!(
            "also of {}",
            others.iter().map(|receiver| said(receiver.name())).collect::<Vec<_>>().join(said(", "))
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

pub(super) fn heading(name: &str, what: &str) -> Line {
    Line::strong(name).with(format!("  {what}"), Label::Plain)
}

/// Two columns, the second wrapped to the width.
pub(super) fn columns(rows: &[(String, String)], width: usize) -> Vec<Line> {
    let column = rows.iter().map(|(name, _)| style::width(name)).max().unwrap_or(0).min(width / 2);
    let row = |(name, text): &(String, String)| {
        let lead = Line::of_blanks(2).then(Line::plain(style::pad(name, column))).with("  ", Label::Plain);
        let room = width.saturating_sub(lead.width());
        style::hang(lead, style::wrapped(text, room))
    };
    rows.iter().flat_map(row).collect()
}
