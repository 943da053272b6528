//! Completion in a TOML file.

use super::code::Code;
use super::complete::{
    Completion, CompletionCollector, CompletionKind, TEXT_ROLES, setting_choices, texts_for_players,
};
use super::context::Context;
use super::hover::Schema;
use super::infer::View;
use super::members::{ExprValue, members};
use super::toml::ItemKind;
use super::{FileText, Workspace, recipes};
use crate::catalogue::{said, say};
use crate::definition::keys::json_schema::TomlFile;
use crate::definition::{VariableDefinition, ZoneDefinition};
use crate::script::tokens::is_in_name;
use crate::script::vocabulary::Role;
use crate::sorted::SortedSet;

static EMPTY: Code = Code { text: String::new(), tokens: Vec::new(), comments: Vec::new(), functions: Vec::new() };

impl Workspace {
    pub(super) fn in_toml(&self, context: Option<&Context>, file: &FileText, offset: usize) -> Option<Vec<Completion>> {
        let toml = file.toml.as_ref()?;
        let text = &file.source.text;
        if toml.comments.iter().any(|comment| comment.start < offset && offset <= comment.end) {
            return None;
        }
        let schema = Schema::of(self, file)?;
        let line_start = text.get(..offset)?.rfind('\n').map_or(0, |newline| newline + 1);
        let is_in_key = |letter: char| is_in_name(letter) || letter == '-';
        let begun = text.get(..offset)?.trim_end_matches(is_in_key).len();
        let mut offer = CompletionCollector { span: begun..offset, found: Vec::new() };
        let before = text.get(line_start..begun)?;
        // In a string: the names that it may contain.
        let in_string = toml.items.iter().find(|item| {
            matches!(item.kind, ItemKind::Text(..))
                && item.value.start < offset
                && offset <= item.inside().end.max(item.value.start + 1)
        });
        if let Some(item) = in_string {
            offer.span = item.inside().start..offset;
            self.values(context, file, &schema, &item.path, true, &mut offer);
            return Some(offer.found);
        }
        let of_line =
            toml.items.iter().rev().find(|item| {
                item.key.end <= offset && offset <= item.value.end.max(item.key.end) && !item.keys.is_empty()
            });
        if before.contains('=') {
            // Behind `=`, or between the braces of an inline table.
            if let Some(table) = toml
                .items
                .iter()
                .rev()
                .filter(|item| item.kind == ItemKind::Table)
                .find(|item| item.value.start < offset && offset <= item.value.end)
                && before.trim_end().ends_with(['{', ','])
            {
                self.keys(&schema, file, &table.path, &mut offer);
                return Some(offer.found);
            }
            let item = of_line.or_else(|| {
                toml.items.iter().rev().find(|item| item.key.start >= line_start && item.key.end <= offset)
            })?;
            self.values(context, file, &schema, &item.path, false, &mut offer);
            return Some(offer.found);
        }
        // A key, or the header of a table.
        let is_head = before.trim_start().starts_with('[');
        let typed = before.trim_start().trim_start_matches('[');
        let mut path: Vec<String> = match is_head {
            true => Vec::new(),
            false => toml.head_before(line_start.saturating_sub(1)).map(|head| head.path.clone()).unwrap_or_default(),
        };
        path.extend(typed.split('.').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned));
        self.keys(&schema, file, &path, &mut offer);
        if let Some(context) = context {
            self.names_for_keys(context, file, &path, &mut offer);
        }
        if !is_head
            && typed.is_empty()
            && matches!(self.sort_of_toml(file), Some(TomlFile::Game | TomlFile::Variant | TomlFile::Library))
        {
            recipes::tables(toml, &mut offer);
        }
        Some(offer.found)
    }

    /// The keys allowed at a path.
    fn keys(&self, schema: &Schema, file: &FileText, path: &[String], offer: &mut CompletionCollector) {
        let Some(mut place) = schema.at(path) else { return };
        if place.get("items").is_some() {
            place = &place["items"];
        }
        place = schema.plain(place);
        let there: Vec<&String> = file
            .toml
            .iter()
            .flat_map(|toml| &toml.items)
            .filter(|item| {
                item.path.len() == path.len() + 1 && item.path.starts_with(path) && item.key.start != offer.span.start
            })
            .filter_map(|item| item.path.last())
            .collect();
        for (key, value) in place["properties"].as_object().into_iter().flatten() {
            if there.contains(&key) {
                continue;
            }
            let is_needed =
                place["required"].as_array().is_some_and(|needed| needed.iter().any(|name| name == key.as_str()));
            if let Some(completion) = offer.add(CompletionKind::Key, 2 - u8::from(is_needed), key, "") {
                completion.documentation = value["description"].as_str().unwrap_or_default().to_owned();
            }
        }
    }

    /// The names of the rules that can be keys at a path, in a variant or a scenario.
    fn names_for_keys<'a>(
        &self,
        context: &'a Context,
        file: &FileText,
        path: &[String],
        offer: &mut CompletionCollector,
    ) {
        let definition = context.definition();
        let zone_name = |zone: &'a ZoneDefinition| (&zone.id, zone.name.get(self.language));
        let variable_name = |variable: &'a VariableDefinition| (&variable.id, variable.name.get(self.language));
        let attributes = || context.layout.attributes.iter().map(|name| (name, ""));
        let is_scenario = self.sort_of_toml(file) == Some(TomlFile::Scenario);
        let parts: Vec<&str> = path.iter().map(String::as_str).collect();
        let is_table = |part: &&str| ["given", "zones", "counts", "sees", "variables"].contains(part);
        if is_scenario && parts.iter().any(is_table) {
            let of_seat = parts
                .last()
                .is_some_and(|last| last.strip_prefix('p').is_some_and(|rest| rest.parse::<usize>().is_ok()));
            let zones = definition.zones.iter().filter(|zone| zone.per_seat == of_seat);
            offer.add_all(CompletionKind::Zone, 3, zones.map(zone_name));
            let variables = definition.variables.iter().filter(|variable| variable.per_seat == of_seat);
            offer.add_all(CompletionKind::Variable, 3, variables.map(variable_name));
            if !of_seat {
                let seats = (1..=context.layout.seats).map(|seat| (format!("p{seat}"), said("a player")));
                offer.add_all(CompletionKind::Variable, 3, seats);
            }
            return;
        }
        match parts[..] {
            ["zones"] => offer.add_all(CompletionKind::Zone, 3, definition.zones.iter().map(zone_name)),
            ["variables" | "keeps"] => {
                offer.add_all(CompletionKind::Variable, 3, definition.variables.iter().map(variable_name));
            }
            ["components"] => {
                let groups = definition.components.iter();
                let groups = groups.map(|group| (&group.name, say!("{} components", group.members.len())));
                offer.add_all(CompletionKind::Value, 3, groups);
            }
            ["attributes"] | ["components", _, "attributes"] => {
                offer.add_all(CompletionKind::Value, 3, attributes());
            }
            ["text"] => {
                let texts = definition.text.iter().map(|(key, text)| (key, text.get(self.language)));
                offer.add_all(CompletionKind::Text, 3, texts);
                // Prompts and other texts without words yet.
                let others = self.texts_for_players(context, &TEXT_ROLES);
                offer.add_all(CompletionKind::Text, 2, others.iter().map(|text| (text, "")));
            }
            ["attributes", name] => self.values_of(context, name, offer),
            ["bounds"] => {
                offer.add(CompletionKind::Variable, 3, "score", "");
                let metrics = self.texts_for_players(context, &[Role::Metric]);
                offer.add_all(CompletionKind::Value, 3, metrics.iter().map(|name| (name, "")));
            }
            ["with", layer] => {
                let layers =
                    self.library.variant(&context.ruleset.game.id, layer).or_else(|_| self.library.game(layer));
                let settings = layers.iter().flat_map(|layer| &layer.settings);
                let settings = settings.map(|(key, setting)| (key, setting.help.get(self.language)));
                offer.add_all(CompletionKind::Variable, 1, settings);
            }
            ["data", ..] => {
                let data = ExprValue::Data(path.iter().skip(1).cloned().collect());
                let view =
                    View::new(context, context.scripts.first().map_or(&EMPTY, |script| &script.code), self.language);
                let declared = members(view.game, &data).into_iter().filter(|member| !member.is_word);
                offer.add_all(CompletionKind::Value, 3, declared.map(|member| (member.name, member.about)));
            }
            ["conflicts" | "with"] => self.layers(context, offer, &["variants"]),
            _ => {}
        }
    }

    /// The values allowed for a key.
    fn values(
        &self,
        context: Option<&Context>,
        file: &FileText,
        schema: &Schema,
        path: &[String],
        is_in_string: bool,
        offer: &mut CompletionCollector,
    ) {
        let named: Vec<&str> =
            path.iter().map(String::as_str).filter(|part| !part.bytes().all(|byte| byte.is_ascii_digit())).collect();
        let quoted = |value: &str| if is_in_string { value.to_owned() } else { format!("\"{value}\"") };
        if let Some(place) = schema.at(path) {
            let place = if place.get("items").is_some() && !place["enum"].is_array() { &place["items"] } else { place };
            let choices = place["enum"].as_array().into_iter().flatten().filter_map(|choice| choice.as_str());
            offer.add_all(CompletionKind::Value, 1, choices.map(|choice| (quoted(choice), "")));
            if place["type"] == "boolean" && !is_in_string {
                offer.add_all(CompletionKind::Value, 1, [("true", ""), ("false", "")]);
            }
        }
        let start = offer.found.len();
        let Some(context) = context else {
            if let ["game"] | ["base"] | ["games"] = named[..] {
                let games = self.library.games().into_iter().map(|game| (quoted(&game.id), ""));
                offer.add_all(CompletionKind::File, 1, games);
            }
            return;
        };
        let definition = context.definition();
        match named[..] {
            ["game" | "base" | "games"] => self.layers(context, offer, &["games"]),
            ["requires" | "variants"] => self.layers(context, offer, &["variants"]),
            ["uses" | "games_using"] => self.layers(context, offer, &["libraries"]),
            ["standing"] | ["zones", _, "mark" | "note"] => {
                let functions = context.scripts.iter().flat_map(|script| &script.code.functions);
                let functions = functions.filter(|function| function.parameters.len() == 1);
                let functions = functions.map(|function| (&function.name, function.call()));
                offer.add_all(CompletionKind::Function, 1, functions);
            }
            ["tie_breaks"] => {
                let variables = definition.variables.iter().filter(|variable| variable.per_seat);
                let variables = variables.map(|variable| (&variable.id, variable.name.get(self.language)));
                offer.add_all(CompletionKind::Variable, 1, variables);
            }
            ["remove"] => {
                let paths = (definition.zones.iter().map(|zone| format!("zones.{}", zone.id)))
                    .chain(definition.variables.iter().map(|variable| format!("variables.{}", variable.id)))
                    .chain(definition.components.iter().map(|group| format!("components.{}", group.name)))
                    .chain(definition.data.keys().map(|key| format!("data.{key}")))
                    .chain(definition.text.keys().map(|key| format!("text.{key}")));
                offer.add_all(CompletionKind::Value, 1, paths.map(|path| (path, "")));
            }
            ["settings", key, "default"] => {
                // The choices listed in the file itself, which may not be readable as a whole yet.
                for item in file.toml.iter().flat_map(|toml| &toml.items) {
                    let is_choice = matches!(&item.path[..], [first, own, choices, _] if first == "settings" && own == key && choices == "choices");
                    let choice = file.source.text.get(item.inside()).filter(|choice| is_choice && !choice.is_empty());
                    if let Some(choice) = choice {
                        offer.add(CompletionKind::Value, 1, choice, "");
                    }
                }
            }
            ["with", _, key] => offer.add_all(CompletionKind::Value, 1, setting_choices(context, key)),
            ["settings", _, "ask"] => {
                let texts = definition.text.iter().map(|(key, text)| (key, text.get(self.language)));
                offer.add_all(CompletionKind::Text, 1, texts);
            }
            ["set"] => {
                for layer in context.ruleset.layers() {
                    let settings = layer.settings.iter().map(|(key, setting)| {
                        (format!("{}.{key}={}", layer.id, setting.default), setting.help.get(self.language))
                    });
                    offer.add_all(CompletionKind::Variable, 1, settings);
                }
            }
            _ if self.sort_of_toml(file) == Some(TomlFile::Scenario) => self.values_in_test(context, &named, offer),
            _ => {}
        }
        if !is_in_string {
            for completion in offer.found.iter_mut().skip(start) {
                completion.text = format!("\"{}\"", completion.text);
            }
        }
    }

    /// The values in scenarios: components, options, prompts, phases and seats.
    fn values_in_test(&self, context: &Context, path: &[&str], offer: &mut CompletionCollector) {
        let faces = context.layout.faces.iter().map(|face| (&face.id, ""));
        let seats = (1..=context.layout.seats).map(|seat| format!("p{seat}"));
        let last = path.last().copied().unwrap_or_default();
        match last {
            _ if path.iter().any(|part| ["given", "zones", "sees"].contains(part)) => {
                offer.add_all(CompletionKind::Value, 2, faces);
            }
            "choose" | "answers" | "options" | "lacks" => {
                offer.add_all(CompletionKind::Value, 2, faces);
                let acts = self.texts_for_players(context, &[Role::Act]);
                offer.add_all(CompletionKind::Text, 2, acts.iter().map(|act| (act, "")));
                offer.add_all(CompletionKind::Zone, 3, context.layout.zones.iter().map(|zone| (&zone.id, "")));
                let names = seats.chain(["yes", "no"].map(str::to_owned));
                offer.add_all(CompletionKind::Value, 3, names.map(|name| (name, "")));
            }
            "asks" => {
                let prompts = self.texts_for_players(context, &[Role::Prompt]);
                let asked = seats.flat_map(|seat| prompts.iter().map(move |prompt| (format!("{seat} {prompt}"), "")));
                offer.add_all(CompletionKind::Text, 1, asked);
            }
            "awards" => {
                let reasons = self.texts_for_players(context, &[Role::Reason]);
                let awards =
                    seats.flat_map(|seat| reasons.iter().map(move |reason| (format!("{seat} 1 {reason}"), "")));
                offer.add_all(CompletionKind::Text, 1, awards);
            }
            "play_until" => {
                let phases =
                    self.texts_for_players(context, &[Role::Phase]).into_iter().map(|phase| format!("phase {phase}"));
                let moments = ["end", "next turn", "next round", "next phase", "turn 2", "round 2", "decision 2"];
                let moments = moments.map(str::to_owned).into_iter().chain(phases);
                offer.add_all(CompletionKind::Value, 1, moments.map(|moment| (moment, "")));
            }
            "rig" => {
                let lots = self.texts_for_players(context, &[Role::Lot]);
                offer.add_all(CompletionKind::Text, 1, lots.iter().map(|lot| (format!("lot {lot} "), "")));
                let zones = context.layout.zones.iter().map(|zone| (format!("shuffle {} ", zone.id), ""));
                offer.add_all(CompletionKind::Zone, 2, zones);
            }
            _ => {}
        }
    }

    /// The string literals of all scripts that players read, in any of the given roles.
    fn texts_for_players(&self, context: &Context, sorts: &[Role]) -> SortedSet<String> {
        context.scripts.iter().flat_map(|script| texts_for_players(context, script, self.language, sorts)).collect()
    }

    /// The ids of games, variants and libraries.
    fn layers(&self, context: &Context, offer: &mut CompletionCollector, sorts: &[&str]) {
        let mut add = |id: &str, name: &str| {
            offer.add(CompletionKind::File, 1, id, name);
        };
        if sorts.contains(&"games") {
            for game in self.library.games() {
                add(&game.id, game.layer.as_ref().map_or("", |layer| layer.name.get(self.language)));
            }
        }
        if sorts.contains(&"variants") {
            for variant in self.library.variants(&context.ruleset.game.id) {
                add(&variant.id, variant.layer.as_ref().map_or("", |layer| layer.name.get(self.language)));
            }
        }
        if sorts.contains(&"libraries") {
            for library in self.library.rule_libraries() {
                add(&library.id, library.layer.as_ref().map_or("", |layer| layer.about.get(self.language)));
            }
        }
    }
}
