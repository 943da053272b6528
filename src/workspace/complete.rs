//! What can stand at a place.

use super::code::Code;
use super::context::Context;
use super::hover::{Schema, first_lines, in_words};
use super::infer::View;
use super::members::{ExprValue, Member, members};
use super::symbols::{call_around, role_of_text, words_of_call};
use super::toml::ItemKind;
use super::{FileText, Piece, Workspace};
use crate::catalogue::{said, say};
use crate::definition::keys::json_schema::TomlFile;
use crate::script::host_functions::ASKED;
use crate::script::sorts::Sort;
use crate::script::tokens::{KEYWORDS, TokenKind, is_in_name};
use crate::script::vocabulary::{Form, Role, words};
use crate::table::layout::FaceValue;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

/// Something that can stand at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What it is called in the list.
    pub label: String,
    /// What it is.
    pub kind: CompletionKind,
    /// A few words beside it.
    pub detail: String,
    /// What there is to say of it, in Markdown.
    pub documentation: String,
    /// The bytes that it takes the place of.
    pub span: Range<usize>,
    /// What is written; `$1` and `${1:name}` are places to go on typing at, where it is a snippet.
    pub text: String,
    /// Whether it has such places.
    pub is_snippet: bool,
    /// How near it is: the nearest come first.
    pub rank: u8,
}

/// The sorts of completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum CompletionKind {
    Function,
    Method,
    Property,
    Variable,
    Zone,
    Keyword,
    Value,
    Text,
    Key,
    File,
    Snippet,
}

/// Collects what can stand at one place.
struct Offer {
    span: Range<usize>,
    found: Vec<Completion>,
}

impl Offer {
    fn add(
        &mut self,
        kind: CompletionKind,
        rank: u8,
        label: &str,
        detail: impl Into<String>,
    ) -> Option<&mut Completion> {
        if self.found.iter().any(|known| known.label == label) {
            return None;
        }
        self.found.push(Completion {
            label: label.to_owned(),
            kind,
            detail: detail.into(),
            documentation: String::new(),
            span: self.span.clone(),
            text: label.to_owned(),
            is_snippet: false,
            rank,
        });
        self.found.last_mut()
    }

    fn snippet(
        &mut self,
        kind: CompletionKind,
        rank: u8,
        label: &str,
        detail: impl Into<String>,
        text: String,
    ) -> Option<&mut Completion> {
        let completion = self.add(kind, rank, label, detail)?;
        completion.text = text;
        completion.is_snippet = true;
        Some(completion)
    }
}

/// A call to be filled in: `turn(${1:p})`.
fn call_to_fill<'n>(name: &str, parameters: impl Iterator<Item = &'n str>) -> String {
    let parameters: Vec<String> =
        parameters.enumerate().map(|(number, name)| format!("${{{}:{name}}}", number + 1)).collect();
    format!("{name}({})", parameters.join(", "))
}

impl Workspace {
    /// What can stand at a place, the nearest first.
    pub fn complete(&mut self, path: &Path, offset: usize) -> Vec<Completion> {
        let Some(file) = self.file(path) else { return Vec::new() };
        let context = self.context(path);
        let mut found = match (file.piece_at(offset), &context) {
            (Some((piece, at)), Some(context)) => self.in_code(context, &file, piece, at),
            (Some(_), None) => Vec::new(),
            (None, context) => self.in_toml(context.as_deref(), &file, offset).unwrap_or_default(),
        };
        found.sort_by(|one, other| (one.rank, &one.label).cmp(&(other.rank, &other.label)));
        found
    }

    fn in_code(&self, context: &Context, file: &FileText, piece: &Piece, at: usize) -> Vec<Completion> {
        let code = &piece.code;
        if code.is_in_comment(at) {
            return Vec::new();
        }
        let view = View::new(context, code, self.language);
        let begun = code.text.get(..at).map_or(at, |before| before.trim_end_matches(is_in_name).len());
        let mut offer = Offer { span: piece.span_in_file(&(begun..at)), found: Vec::new() };
        // The token before the word that is being written.
        let next = code.tokens.partition_point(|token| token.end <= begun);
        if let Some(text) = code.tokens.iter().position(|token| {
            token.kind == TokenKind::Text
                && token.start < at
                && (at < token.end || !is_closed(&code.text[token.span()]) && at == token.end)
        }) {
            let start = code.tokens[text].start + 1;
            offer.span = piece.span_in_file(&(start..at));
            self.in_text(context, view, text, &mut offer);
            return offer.found;
        }
        if code.tokens.iter().any(|token| token.kind == TokenKind::Template && token.start < at && at < token.end) {
            return Vec::new();
        }
        if code
            .tokens
            .get(next)
            .is_some_and(|token| token.kind == TokenKind::Number && token.start < at && at <= token.end)
        {
            return Vec::new();
        }
        let before = next.checked_sub(1);
        match before {
            Some(dot) if code.is(dot, ".") => self.members_of(context, view, dot, &mut offer),
            Some(keyword) if code.is(keyword, "fn") => self.heads(context, file, &mut offer, true),
            Some(name) if ["let", "const", "for"].iter().any(|keyword| code.is(name, keyword)) => {}
            _ if piece.is_script
                && view.function_around(next).is_none_or(|function| {
                    let end = code.tokens.get(function.tokens.end.wrapping_sub(1)).map_or(0, |token| token.end);
                    function.body.is_none() || function.is_closed && begun >= end || begun < function.span.start
                }) =>
            {
                self.heads(context, file, &mut offer, false);
            }
            _ => self.roots(context, view, next, piece.is_script, &mut offer),
        }
        offer.found
    }

    /// What stands behind a dot.
    fn members_of(&self, context: &Context, view: View<'_>, dot: usize, offer: &mut Offer) {
        match view.value_before(dot) {
            Some(value) => self.offer_members(members(view.game, &value), 1, offer),
            None => {
                // Whatever can stand behind some dot: what the game declares first.
                for (rank, value) in [
                    ExprValue::Of(Sort::Player),
                    ExprValue::Of(Sort::Component),
                    ExprValue::Of(Sort::Zone),
                    ExprValue::Of(Sort::Players),
                ]
                .into_iter()
                .enumerate()
                {
                    self.offer_members(members(view.game, &value), 2 + 2 * rank as u8, offer);
                }
                let rest = words().filter(|word| !word.receivers.is_empty() && word.form != Form::Operator);
                for word in rest {
                    offer.add(CompletionKind::Method, 20, word.name, word.usage());
                }
            }
        }
        let _ = context;
    }

    fn offer_members(&self, members: Vec<Member>, rank: u8, offer: &mut Offer) {
        for member in members {
            let is_called = member.text.contains('(');
            let kind = match (member.is_word, is_called, &member.sort) {
                (_, true, _) => CompletionKind::Method,
                (false, _, Some(ExprValue::Of(Sort::Zone | Sort::Zones))) => CompletionKind::Zone,
                (false, ..) => CompletionKind::Variable,
                (true, ..) => CompletionKind::Property,
            };
            let word = words()
                .find(|word| member.is_word && word.name == member.name && (word.form != Form::Property) == is_called);
            let rank = rank + u8::from(member.is_word) + 40 * u8::from(member.name.starts_with('_'));
            let completion = match word.filter(|_| is_called) {
                Some(word) => offer.snippet(
                    kind,
                    rank,
                    &member.name,
                    &*member.about,
                    call_to_fill(word.name, word.parameters.iter().map(|one| one.name)),
                ),
                None => offer.add(kind, rank, &member.name, &*member.about),
            };
            if let (Some(completion), Some(word)) = (completion, word) {
                completion.documentation = format!("```rhai\n{}\n```\n\n{}", word.usage(), first_lines(word));
            }
        }
    }

    /// What an expression or a statement can begin with.
    fn roots(&self, context: &Context, view: View<'_>, next: usize, is_script: bool, offer: &mut Offer) {
        for name in view.locals(next) {
            let value = view.local(&name, next.saturating_sub(1)).and_then(|local| local.value);
            offer.add(CompletionKind::Variable, 0, &name, value.map_or_else(String::new, |value| in_words(&value)));
        }
        let definition = context.definition();
        for zone in definition.zones.iter().filter(|zone| !zone.per_seat) {
            offer.add(
                CompletionKind::Zone,
                1,
                &zone.id,
                format!("{}{}{}", zone.name.get(self.language), said(", "), said(super::members::who_sees(zone))),
            );
        }
        for (name, about) in [
            ("players", said("all players in turn order")),
            ("table", said("the variables of the table")),
            ("data", said("the rulebook's numbers")),
            ("settings", said("what is set for these rules")),
            ("nobody", said("no player")),
        ] {
            offer.add(CompletionKind::Variable, 2, name, about);
        }
        if !is_script {
            for seat in 1..=context.layout.seats {
                offer.add(CompletionKind::Variable, 1, &format!("p{seat}"), said("a player"));
            }
        }
        if let Some(function) = view.function_around(next) {
            let is_over = context.definitions(&function.name, Some(function.parameters.len())).len() > 1;
            if is_over {
                let call = call_to_fill("super", function.parameters.iter().map(|(name, _)| name.as_str()));
                offer.snippet(CompletionKind::Keyword, 1, "super", said("the definition of the layer below"), call);
            }
        }
        for script in context.scripts.iter().rev() {
            for function in &script.code.functions {
                let call = call_to_fill(&function.name, function.parameters.iter().map(|(name, _)| name.as_str()));
                if let Some(completion) = offer.snippet(
                    CompletionKind::Function,
                    3,
                    &function.name,
                    format!("{} · {}", function.call(), script.layer_in_words()),
                    call,
                ) {
                    completion.documentation.clone_from(&function.comment);
                }
            }
        }
        for word in words().filter(|word| word.form == Form::Function) {
            let call = call_to_fill(word.name, word.parameters.iter().map(|one| one.name));
            if let Some(completion) = offer.snippet(CompletionKind::Function, 4, word.name, word.usage(), call) {
                completion.documentation = first_lines(word);
            }
        }
        if is_script {
            for keyword in
                KEYWORDS.iter().filter(|keyword| !["super", "fn", "private", "do", "until", "const"].contains(keyword))
            {
                offer.add(CompletionKind::Keyword, 5, keyword, "");
            }
        }
    }

    /// Functions of the layers below to override, and those that the host asks for.
    fn heads(&self, context: &Context, file: &FileText, offer: &mut Offer, has_fn: bool) {
        let own = context.script_in(&file.path);
        let head = if has_fn { "" } else { "fn " };
        for (number, script) in context.scripts.iter().enumerate().rev() {
            if own.is_some_and(|own| number >= own) {
                continue;
            }
            for function in script.code.functions.iter().filter(|function| !function.is_private) {
                let is_own = own.and_then(|own| context.scripts.get(own)).is_some_and(|own| {
                    own.code
                        .functions
                        .iter()
                        .any(|one| one.name == function.name && one.parameters.len() == function.parameters.len())
                });
                if is_own {
                    continue;
                }
                let call = function.call();
                let arguments = call.strip_prefix(&*function.name).unwrap_or_default();
                // Where only the name is missing, the comment has no place.
                let comment = match has_fn || function.comment.is_empty() {
                    true => String::new(),
                    false => function.comment.lines().map(|line| format!("/// {}\n", escaped(line))).collect(),
                };
                let text = format!("{comment}{head}{call} {{\n    super{arguments};\n    $0\n}}");
                let detail = say!("overrides {}", script.layer_in_words());
                if let Some(completion) =
                    offer.snippet(CompletionKind::Function, 1, &format!("{head}{}", function.name), detail, text)
                {
                    completion.documentation.clone_from(&function.comment);
                }
            }
        }
        for asked in ASKED {
            let text = format!("{head}{}({}) {{\n    $0\n}}", asked.name, asked.parameters.join(", "));
            if let Some(completion) =
                offer.snippet(CompletionKind::Function, 3, &format!("{head}{}", asked.name), said(asked.about), text)
            {
                completion.documentation = asked.doc.to_owned();
            }
        }
        if !has_fn {
            offer.snippet(
                CompletionKind::Snippet,
                2,
                "fn",
                said("a function"),
                "fn ${1:name}(${2:p}) {\n    $0\n}".to_owned(),
            );
        }
    }

    /// What can stand in a text.
    fn in_text(&self, context: &Context, view: View<'_>, token: usize, offer: &mut Offer) {
        let definition = context.definition();
        let code = view.code;
        if code.is_behind(token, "[") {
            if let Some(value @ (ExprValue::Data(_) | ExprValue::Settings)) =
                token.checked_sub(1).and_then(|open| view.value_before(open))
            {
                for member in members(view.game, &value).into_iter().filter(|member| !member.is_word) {
                    offer.add(CompletionKind::Value, 1, &member.name, member.about);
                }
            }
            return;
        }
        if code.is_behind(token, "==") || code.is_behind(token, "!=") {
            // The values of what it is compared with.
            if let Some((links, _)) = view.chain(token - 1)
                && let Some(last) = links.last()
            {
                self.values_of(context, code.word(last.token), offer);
            }
            return;
        }
        let Some(role) = role_of_text(view, token) else { return };
        match role {
            Role::Attribute | Role::Numbers => {
                for name in &context.layout.attributes {
                    offer.add(
                        CompletionKind::Value,
                        1,
                        name,
                        super::members::attribute_in_words(&context.layout, name).unwrap_or_default(),
                    );
                }
            }
            Role::AttributeValue => {
                let Some((name, position)) = call_around(view, token) else { return };
                let arguments = code.arguments(name + 1, code.tokens.len());
                let attribute = words_of_call(view, name).iter().find_map(|word| {
                    let at = word
                        .parameters
                        .iter()
                        .position(|one| matches!(one.role, Some(Role::Attribute | Role::Numbers)))?;
                    arguments.get(at).map(|argument| code.word(argument.start).trim_matches('"').to_owned())
                });
                let _ = position;
                if let Some(attribute) = attribute {
                    self.values_of(context, &attribute, offer);
                }
            }
            Role::Group => definition.components.iter().for_each(|group| {
                offer.add(CompletionKind::Value, 1, &group.name, say!("{} components", group.members.len()));
            }),
            Role::Zone => context.layout.zones.iter().for_each(|zone| {
                offer.add(CompletionKind::Zone, 1, &zone.id, "");
            }),
            Role::Side => {
                let sides: BTreeSet<&String> = definition
                    .components
                    .iter()
                    .flat_map(|group| &group.members)
                    .flat_map(|member| member.sides.iter())
                    .collect();
                for side in sides {
                    offer.add(CompletionKind::Value, 1, side, "");
                }
            }
            Role::Prompt | Role::Purpose | Role::Reason | Role::Act | Role::Phase | Role::Remark => {
                for (key, text) in &definition.text {
                    offer.add(CompletionKind::Text, 1, key, text.get(self.language));
                }
            }
            _ => {}
        }
    }

    /// The words that an attribute has as values, and the choices of a variable.
    fn values_of(&self, context: &Context, name: &str, offer: &mut Offer) {
        let layout = &context.layout;
        if let Some(number) = layout.attributes.iter().position(|attribute| attribute == name) {
            let values: BTreeSet<&FaceValue> = layout.values.get(number).into_iter().flatten().collect();
            for value in values {
                if let FaceValue::Word(word) = value
                    && let Some(word) = layout.words.get(usize::from(*word))
                {
                    offer.add(CompletionKind::Value, 1, word, "");
                }
            }
        }
        for variable in context.definition().variables.iter().filter(|variable| variable.id == name) {
            for choice in &variable.choices {
                offer.add(CompletionKind::Value, 1, choice, "");
            }
        }
        let settings = context.ruleset.layers().flat_map(|layer| &layer.settings).filter(|(key, _)| *key == name);
        for choice in settings.flat_map(|(_, setting)| &setting.choices) {
            offer.add(CompletionKind::Value, 1, choice.as_str().unwrap_or_default(), "");
        }
    }

    fn in_toml(&self, context: Option<&Context>, file: &FileText, offset: usize) -> Option<Vec<Completion>> {
        let toml = file.toml.as_ref()?;
        let text = &file.source.text;
        if toml.comments.iter().any(|comment| comment.start < offset && offset <= comment.end) {
            return None;
        }
        let schema = Schema::of(self, file)?;
        let line_start = text.get(..offset)?.rfind('\n').map_or(0, |newline| newline + 1);
        let is_in_key = |letter: char| is_in_name(letter) || letter == '-';
        let begun = text.get(..offset)?.trim_end_matches(is_in_key).len();
        let mut offer = Offer { span: begun..offset, found: Vec::new() };
        let before = text.get(line_start..begun)?;
        // In a string: what it names.
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
            // Behind the sign, or between the braces of a table.
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
        // A key, or the head of a table.
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
        Some(offer.found)
    }

    /// The keys that can stand at a path.
    fn keys(&self, schema: &Schema, file: &FileText, path: &[String], offer: &mut Offer) {
        let Some(mut place) = schema.at(path) else { return };
        if place.get("items").is_some() {
            place = &place["items"];
        }
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

    /// Names of the rules that can be keys: what a variant changes, what a test lays.
    fn names_for_keys(&self, context: &Context, file: &FileText, path: &[String], offer: &mut Offer) {
        let definition = context.definition();
        let is_scenario = self.sort_of_toml(file) == Some(TomlFile::Scenario);
        let parts: Vec<&str> = path.iter().map(String::as_str).collect();
        let is_table = |part: &&str| ["given", "zones", "counts", "sees", "variables"].contains(part);
        if is_scenario && parts.iter().any(is_table) {
            let of_seat = parts
                .last()
                .is_some_and(|last| last.strip_prefix('p').is_some_and(|rest| rest.parse::<usize>().is_ok()));
            for zone in definition.zones.iter().filter(|zone| zone.per_seat == of_seat) {
                offer.add(CompletionKind::Zone, 3, &zone.id, zone.name.get(self.language));
            }
            for variable in definition.variables.iter().filter(|variable| variable.per_seat == of_seat) {
                offer.add(CompletionKind::Variable, 3, &variable.id, variable.name.get(self.language));
            }
            if !of_seat {
                for seat in 1..=context.layout.seats {
                    offer.add(CompletionKind::Variable, 3, &format!("p{seat}"), said("a player"));
                }
            }
            return;
        }
        match parts[..] {
            ["zones"] => definition.zones.iter().for_each(|zone| {
                offer.add(CompletionKind::Zone, 3, &zone.id, zone.name.get(self.language));
            }),
            ["variables"] => definition.variables.iter().for_each(|variable| {
                offer.add(CompletionKind::Variable, 3, &variable.id, variable.name.get(self.language));
            }),
            ["components"] => definition.components.iter().for_each(|group| {
                offer.add(CompletionKind::Value, 3, &group.name, say!("{} components", group.members.len()));
            }),
            ["attributes"] => context.layout.attributes.iter().for_each(|name| {
                offer.add(CompletionKind::Value, 3, name, "");
            }),
            ["text"] => {
                for (key, text) in &definition.text {
                    offer.add(CompletionKind::Text, 3, key, text.get(self.language));
                }
                // What is asked and has no words yet.
                for text in context.scripts.iter().flat_map(|script| texts_said(context, script, self.language)) {
                    offer.add(CompletionKind::Text, 2, &text, "");
                }
            }
            ["data", ..] => {
                let data = ExprValue::Data(path.iter().skip(1).cloned().collect());
                let view =
                    View::new(context, context.scripts.first().map_or(&EMPTY, |script| &script.code), self.language);
                for member in members(view.game, &data).into_iter().filter(|member| !member.is_word) {
                    offer.add(CompletionKind::Value, 3, &member.name, member.about);
                }
            }
            ["conflicts" | "with"] => self.layers(context, offer, &["variants"]),
            _ => {}
        }
    }

    /// The values that a key can have.
    fn values(
        &self,
        context: Option<&Context>,
        file: &FileText,
        schema: &Schema,
        path: &[String],
        is_in_string: bool,
        offer: &mut Offer,
    ) {
        let named: Vec<&str> =
            path.iter().map(String::as_str).filter(|part| !part.bytes().all(|byte| byte.is_ascii_digit())).collect();
        let quoted = |value: &str| if is_in_string { value.to_owned() } else { format!("\"{value}\"") };
        if let Some(place) = schema.at(path) {
            let place = if place.get("items").is_some() && !place["enum"].is_array() { &place["items"] } else { place };
            let choices = place["enum"].as_array().into_iter().flatten().filter_map(|choice| choice.as_str());
            for choice in choices {
                offer.add(CompletionKind::Value, 1, &quoted(choice), "");
            }
            if place["type"] == "boolean" && !is_in_string {
                for truth in ["true", "false"] {
                    offer.add(CompletionKind::Value, 1, truth, "");
                }
            }
        }
        let start = offer.found.len();
        let Some(context) = context else {
            if let ["game"] | ["base"] | ["games"] = named[..] {
                for game in self.library.games() {
                    offer.add(CompletionKind::File, 1, &quoted(&game.id), "");
                }
            }
            return;
        };
        let definition = context.definition();
        match named[..] {
            ["game" | "base" | "games"] => self.layers(context, offer, &["games"]),
            ["requires" | "variants"] => self.layers(context, offer, &["variants"]),
            ["uses" | "games_using"] => self.layers(context, offer, &["libraries"]),
            ["standing"] | ["zones", _, "mark" | "note"] => {
                for function in context
                    .scripts
                    .iter()
                    .flat_map(|script| &script.code.functions)
                    .filter(|function| function.parameters.len() == 1)
                {
                    offer.add(CompletionKind::Function, 1, &function.name, function.call());
                }
            }
            ["tie_breaks"] => definition.variables.iter().filter(|variable| variable.per_seat).for_each(|variable| {
                offer.add(CompletionKind::Variable, 1, &variable.id, variable.name.get(self.language));
            }),
            ["set"] => {
                for layer in context.ruleset.layers() {
                    for (key, setting) in &layer.settings {
                        offer.add(
                            CompletionKind::Variable,
                            1,
                            &format!("{}.{key}={}", layer.id, setting.default),
                            setting.help.get(self.language),
                        );
                    }
                }
            }
            _ if self.sort_of_toml(file) == Some(TomlFile::Scenario)
                && named.iter().any(|part| ["given", "zones", "sees"].contains(part)) =>
            {
                for face in &context.layout.faces {
                    offer.add(CompletionKind::Value, 2, &face.id, "");
                }
            }
            _ => {}
        }
        if !is_in_string {
            for completion in offer.found.iter_mut().skip(start) {
                completion.text = format!("\"{}\"", completion.text);
            }
        }
    }

    /// The ids of games, variants and libraries.
    fn layers(&self, context: &Context, offer: &mut Offer, sorts: &[&str]) {
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

static EMPTY: Code = Code { text: String::new(), tokens: Vec::new(), comments: Vec::new(), functions: Vec::new() };

/// Whether a text is closed by the quote that it begins with.
fn is_closed(text: &str) -> bool {
    text.len() > 1 && text.ends_with('"') && !text.ends_with("\\\"")
}

/// A text of a snippet that has no places of its own.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}")
}

/// The texts of a script that people read.
pub(super) fn texts_said(
    context: &Context,
    script: &super::context::Script,
    language: crate::definition::Language,
) -> Vec<String> {
    let view = View::new(context, &script.code, language);
    let texts = (0..script.code.tokens.len()).filter(|&token| script.code.kind(token) == Some(TokenKind::Text));
    let said = texts.filter(|&token| {
        matches!(role_of_text(view, token), Some(Role::Prompt | Role::Purpose | Role::Reason | Role::Act | Role::Phase))
    });
    said.map(|token| script.code.word(token).trim_matches('"').to_owned()).collect()
}
