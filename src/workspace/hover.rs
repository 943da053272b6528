//! Hover information and signature help.

use super::context::Context;
use super::infer::View;
use super::members::{ExprValue, Game, attribute_in_words, members, who_sees};
use super::symbols::{Symbol, call_around, words_of_call};
use super::{FileText, Workspace};
use crate::catalogue::{said, say};
use crate::definition::keys::json_schema::{TomlFile, json_schema};
use crate::definition::{Language, RULEBOOK_FILE, Setting, VariableDefinition, ZoneDefinition};
use crate::script::sorts::Sort;
use crate::script::tokens::TokenKind;
use crate::script::vocabulary::Word;
use serde_json::Value as Json;
use std::ops::Range;
use std::path::Path;

/// Hover information about a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The byte range that it is about.
    pub span: Range<usize>,
    /// The information, in Markdown.
    pub markdown: String,
}

/// Signature help for a call being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Each signature: its call form, its parameters as written there, and its documentation.
    pub forms: Vec<(String, Vec<String>, String)>,
    /// The index of the signature that is probably meant.
    pub form: usize,
    /// The index of the parameter being typed.
    pub parameter: usize,
}

impl Workspace {
    /// The hover information for a byte of a file.
    pub fn hover(&mut self, path: &Path, offset: usize) -> Option<Hover> {
        if let Some((context, _, symbol, span)) = self.symbol_at(path, offset)
            && let Some(markdown) = self.describe(&context, &symbol, path)
        {
            return Some(Hover { span, markdown });
        }
        let file = self.file(path)?;
        let toml = file.toml.as_ref()?;
        let item = toml.at(offset)?;
        let number = item.keys.iter().position(|key| key.start <= offset && offset <= key.end)?;
        let depth = item.path.len().saturating_sub(item.keys.len() - 1 - number);
        let schema = Schema::of(self, &file)?;
        let about = schema.at(item.path.get(..depth)?)?["description"].as_str()?.to_owned();
        let key = file.source.text.get(item.keys[number].clone())?;
        Some(Hover { span: item.keys[number].clone(), markdown: format!("`{key}`\n\n{about}") })
    }

    /// The signature help for the call around a byte.
    pub fn signature(&mut self, path: &Path, offset: usize) -> Option<Signature> {
        let context = self.context(path)?;
        let file = self.file(path)?;
        let (piece, at) = file.piece_at(offset)?;
        let view = View::new(&context, &piece.code, self.language);
        let token = piece
            .code
            .tokens
            .partition_point(|token| token.end <= at && !(token.end == at && token.kind == TokenKind::Name));
        let (name, parameter) = call_around(view, token)?;
        let word = piece.code.word(name);
        let mut forms: Vec<(String, Vec<String>, String)> = Vec::new();
        let own = match word {
            "super" => {
                view.function_around(name).map(|function| (function.name.clone(), Some(function.parameters.len())))
            }
            _ if piece.code.is_behind(name, ".") => None,
            _ => Some((word.to_owned(), None)),
        };
        if let Some((function, arity)) = own {
            let mut seen = Vec::new();
            for (script, at) in context.definitions(&function, arity).into_iter().rev() {
                let Some(one) = context.scripts.get(script).and_then(|script| script.code.functions.get(at)) else {
                    continue;
                };
                if !seen.contains(&one.parameters.len()) {
                    seen.push(one.parameters.len());
                    let parameters = one.parameters.iter().map(|(name, _)| name.clone()).collect();
                    forms.push((one.call(), parameters, one.comment.clone()));
                }
            }
        }
        if forms.is_empty() {
            for word in words_of_call(view, name) {
                let parameters =
                    word.parameters.iter().map(|one| format!("{}: {}", one.name, said(one.takes.name()))).collect();
                forms.push((word.usage_in(|name| said(name).into()), parameters, first_lines(word)));
            }
        }
        let form = forms.iter().position(|(_, parameters, _)| parameters.len() > parameter).unwrap_or(0);
        (!forms.is_empty()).then_some(Signature { forms, form, parameter })
    }

    /// The description of a symbol, in Markdown.
    pub(super) fn describe(&self, context: &Context, symbol: &Symbol, path: &Path) -> Option<String> {
        let definition = context.definition();
        let game = Game { layout: &context.layout, ruleset: &context.ruleset, language: self.language };
        Some(match symbol {
            Symbol::Function(name, arity) => self.function(context, name, *arity)?,
            Symbol::Super(name, arity) => {
                let own = context.script_in(path);
                let below = context
                    .definitions(name, Some(*arity))
                    .into_iter()
                    .rev()
                    .find(|(script, _)| own.is_none_or(|own| *script < own));
                let (script, at) = below?;
                let script = context.scripts.get(script)?;
                let function = script.code.functions.get(at)?;
                let text = script.code.text.get(function.span.clone()).unwrap_or_default();
                format!("```rhai\n{}\n```\n\n{}\n\n{}", text, function.comment, script.layer_in_words())
            }
            Symbol::Local(name, declared) => {
                let file = self.file(path)?;
                let piece = file.pieces.iter().find(|piece| piece.code.text.get(declared.clone()) == Some(name))?;
                let view = View::new(context, &piece.code, self.language);
                let token = piece.code.token_at(declared.start + 1)?;
                let value = view.local(name, token).and_then(|local| local.value);
                format!(
                    "```rhai\n{name}{}\n```",
                    value.map_or_else(String::new, |value| format!(": {}", in_words(&value)))
                )
            }
            Symbol::Zone(id) => zone(definition.zones.iter().find(|zone| zone.id == *id)?, self),
            Symbol::Variable(id) => variable(definition.variables.iter().find(|variable| variable.id == *id)?, game)?,
            Symbol::Attribute(name) => {
                format!("```rhai\ncard.{name}\n```\n\n{}", attribute_in_words(&context.layout, name)?)
            }
            Symbol::Group(name) => {
                let group = definition.components.iter().find(|group| group.name == *name)?;
                let first: Vec<&str> = group.members.iter().take(12).map(|member| member.id.as_str()).collect();
                let more = if group.members.len() > first.len() { " …" } else { "" };
                format!("{}\n\n`{}`{more}", say!("{} components", group.members.len()), first.join("`, `"))
            }
            Symbol::Data(path) => {
                let mut value = toml::Value::Table(definition.data.clone());
                for key in path {
                    value = value.get(key)?.clone();
                }
                let value = value.to_string();
                let shown: String = value.chars().take(400).collect();
                format!(
                    "```toml\ndata.{} = {shown}{}\n```",
                    path.join("."),
                    if shown.len() < value.len() { " …" } else { "" }
                )
            }
            Symbol::Setting(layer, key) | Symbol::Choice(layer, key, _) => {
                let owner = context.ruleset.layers().find(|one| one.id == *layer)?;
                setting(layer, key, owner.settings.get(key)?, self)
            }
            Symbol::Text(key) => {
                let text = definition.text(key)?;
                text.all().map(|(_, text)| text).collect::<Vec<_>>().join("\n\n")
            }
            Symbol::Layer(id) => {
                let game = &context.ruleset.game.id;
                let library = &self.library;
                let layer = library
                    .variant(game, id)
                    .or_else(|_| library.game(id))
                    .or_else(|_| library.rule_library(id, None))
                    .ok()?;
                format!("**{}**\n\n{}", layer.name.get(self.language), layer.about.get(self.language))
            }
            Symbol::Words(words) => words_in_markdown(words),
            Symbol::Global(name) => {
                let about = match *name {
                    "players" => said("all players in turn order"),
                    "table" => said("the variables of the table"),
                    "data" => said("the rulebook's numbers"),
                    "settings" => said("what is set for these rules"),
                    _ => said("no player"),
                };
                format!("```rhai\n{name}\n```\n\n{about}")
            }
        })
    }

    fn function(&self, context: &Context, name: &str, arity: Option<usize>) -> Option<String> {
        let all = context.definitions(name, arity);
        let (script, at) = all.last()?;
        let function = context.scripts.get(*script)?.code.functions.get(*at)?;
        let mut text = format!("```rhai\nfn {}\n```", function.call());
        let comment = all.iter().rev().find_map(|(script, at)| {
            let comment = &context.scripts.get(*script)?.code.functions.get(*at)?.comment;
            (!comment.is_empty()).then_some(comment)
        });
        if let Some(comment) = comment {
            text.push_str(&format!("\n\n{comment}"));
        }
        let layers: Vec<String> =
            all.iter().rev().filter_map(|(script, _)| Some(context.scripts.get(*script)?.layer_in_words())).collect();
        text.push_str(&format!("\n\n*{}*", layers.join(" → ")));
        Some(text)
    }
}

/// The type of an inferred value, in words.
pub(super) fn in_words(value: &ExprValue) -> String {
    match value {
        ExprValue::Table => said(Sort::Table.name()).to_owned(),
        ExprValue::Data(_) | ExprValue::Settings => said(Sort::Data.name()).to_owned(),
        ExprValue::Of(sort) => said(sort.name()).to_owned(),
    }
}

fn zone(zone: &ZoneDefinition, workspace: &Workspace) -> String {
    let name = if zone.per_seat { format!("p.{}", zone.id) } else { zone.id.clone() };
    let several = zone.count.map_or_else(String::new, |count| format!(" × {count}"));
    format!(
        "```rhai\n{name}{several}\n```\n\n{}{}{}",
        zone.name.get(workspace.language),
        said(", "),
        said(who_sees(zone))
    )
}

fn variable(variable: &VariableDefinition, game: Game<'_>) -> Option<String> {
    let (value, before) =
        if variable.per_seat { (ExprValue::Of(Sort::Player), "p") } else { (ExprValue::Table, "table") };
    let member = members(game, &value).into_iter().find(|member| member.name == variable.id && !member.is_word)?;
    Some(format!("```rhai\n{before}.{}\n```\n\n{}", variable.id, member.about))
}

fn setting(layer: &str, key: &str, setting: &Setting, workspace: &Workspace) -> String {
    let mut text =
        format!("```toml\n{layer}.{key} = {}\n```\n\n{}", setting.default, setting.help.get(workspace.language));
    match (setting.min, setting.max) {
        (Some(min), Some(max)) => text.push_str(&format!("\n\n{min} … {max}")),
        (Some(min), None) => text.push_str(&format!("\n\n≥ {min}")),
        (None, Some(max)) => text.push_str(&format!("\n\n≤ {max}")),
        (None, None) => {}
    }
    if !setting.choices.is_empty() {
        let choices: Vec<String> = setting.choices.iter().map(|choice| format!("`{choice}`")).collect();
        text.push_str(&format!("\n\n{}", choices.join(", ")));
    }
    text
}

/// The documentation of a word, without its examples.
pub(super) fn first_lines(word: &Word) -> String {
    word.doc
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with('>'))
        .collect::<Vec<_>>()
        .join("\n")
        .trim()
        .to_owned()
}

fn words_in_markdown(words: &[&'static Word]) -> String {
    let mut parts: Vec<String> = Vec::new();
    for word in words.iter().take(6) {
        let gives = said(word.result.name());
        let example = word.example();
        let example = if example.is_empty() { String::new() } else { format!("\n\n```rhai\n{example}\n```") };
        parts.push(format!(
            "```rhai\n{} → {gives}\n```\n\n{}{example}",
            word.usage_in(|name| said(name).into()),
            first_lines(word)
        ));
    }
    parts.join("\n\n---\n\n")
}

/// A JSON schema of a kind of TOML file.
pub(super) struct Schema(Json);

impl Schema {
    /// The schema for a file, whose kind is known from its keys.
    pub fn of(workspace: &Workspace, file: &FileText) -> Option<Self> {
        Some(Self(json_schema(workspace.sort_of_toml(file)?)))
    }

    /// The schema of the value at a path of keys.
    pub fn at(&self, path: &[String]) -> Option<&Json> {
        let mut place = &self.0;
        for part in path {
            if place.get("items").is_some() && part.bytes().all(|byte| byte.is_ascii_digit()) {
                place = &place["items"];
                continue;
            }
            if place.get("items").is_some() {
                place = &place["items"];
            }
            place = self.plain(place);
            let part = part.trim_end_matches('+');
            place = match place["properties"].get(part) {
                Some(property) => property,
                None => place.get("additionalProperties").filter(|more| more.is_object())?,
            };
        }
        Some(place)
    }

    /// Whether the value at a path is a text for players, with languages.
    pub fn is_text(&self, path: &[String]) -> bool {
        let has = |place: &Json, language: Language| place["properties"].get(language.code()).is_some();
        let place = self.at(path).map(|place| self.plain(place));
        place.is_some_and(|place| Language::ALL.into_iter().all(|language| has(place, language)))
    }

    /// A schema with a reference to the definition of texts resolved.
    pub fn plain<'a>(&'a self, place: &'a Json) -> &'a Json {
        let refers = place["allOf"][0]["$ref"].is_string() && place.get("properties").is_none();
        if refers { &self.0["definitions"]["text"] } else { place }
    }
}

impl Workspace {
    /// The kind of a TOML file, from its keys.
    pub(super) fn sort_of_toml(&self, file: &FileText) -> Option<TomlFile> {
        let toml = file.toml.as_ref()?;
        let has = |key: &str| toml.items.iter().any(|item| item.path.first().is_some_and(|first| first == key));
        let parts = self.below_root(&file.path).map(|(_, parts)| parts).unwrap_or_default();
        Some(match parts.first().map(String::as_str) {
            Some("games") if file.path.ends_with(RULEBOOK_FILE) => TomlFile::Rulebook,
            Some("games") => TomlFile::Game,
            Some("variants") => TomlFile::Variant,
            Some("scripts") => TomlFile::Library,
            _ if has("pack") => TomlFile::Pack,
            _ if has("format") => TomlFile::Replay,
            _ if has("then")
                || has("when")
                || has("cases")
                || has("title")
                || parts.iter().any(|part| part == "scenarios") =>
            {
                TomlFile::Scenario
            }
            _ if has("game") || has("games") || has("games_using") => TomlFile::Variant,
            _ if has("players") => TomlFile::Game,
            _ => return None,
        })
    }
}
