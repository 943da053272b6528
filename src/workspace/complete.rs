//! Completion at a place in a script.

use super::context::{Context, Script};
use super::hover::{first_lines, in_words};
use super::infer::View;
use super::members::{ExprValue, Member, attribute_in_words, members, who_sees};
use super::symbols::{call_around, compared_before, role_of_text, words_of_call};
use super::{FileText, Piece, Workspace, recipes};
use crate::catalogue::{said, say};
use crate::definition::Language;
use crate::script::host_functions::HOST_FUNCTIONS;
use crate::script::sorts::Sort;
use crate::script::tokens::{KEYWORDS, TokenKind, is_in_name};
use crate::script::vocabulary::{Form, Role, words};
use crate::sorted::SortedSet;
use crate::table::layout::FaceValue;
use std::ops::Range;
use std::path::Path;

/// A completion at a place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The text in the list of completions.
    pub label: String,
    /// The kind of the item.
    pub kind: CompletionKind,
    /// A short description beside the label.
    pub detail: String,
    /// The documentation, in Markdown.
    pub documentation: String,
    /// The byte range to replace.
    pub span: Range<usize>,
    /// The text to insert; in a snippet, `$1` and `${1:name}` are tab stops.
    pub text: String,
    /// Whether the text is a snippet with tab stops.
    pub is_snippet: bool,
    /// The rank in the list: the lowest come first.
    pub rank: u8,
}

/// The kinds of completions.
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

/// A collector of completions at one place.
pub(super) struct CompletionCollector {
    /// The byte range to replace.
    pub span: Range<usize>,
    /// The completions so far.
    pub found: Vec<Completion>,
}

impl CompletionCollector {
    pub fn add(
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

    /// Adds several completions of one kind, each with its detail.
    pub fn add_all<L: AsRef<str>, D: Into<String>>(
        &mut self,
        kind: CompletionKind,
        rank: u8,
        all: impl IntoIterator<Item = (L, D)>,
    ) {
        for (label, detail) in all {
            self.add(kind, rank, label.as_ref(), detail);
        }
    }

    pub fn snippet(
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

/// A snippet of a call with its arguments to fill in: `turn(${1:p})`.
fn call_to_fill<'n>(name: &str, parameters: impl Iterator<Item = &'n str>) -> String {
    let parameters: Vec<String> =
        parameters.enumerate().map(|(number, name)| format!("${{{}:{name}}}", number + 1)).collect();
    format!("{name}({})", parameters.join(", "))
}

impl Workspace {
    /// The completions at a byte of a file, the best first.
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
        let mut offer = CompletionCollector { span: piece.span_in_file(&(begun..at)), found: Vec::new() };
        // The index of the token being typed.
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
            Some(dot) if code.is(dot, ".") => self.members_of(view, dot, &mut offer),
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

    /// Completions behind a dot.
    fn members_of(&self, view: View<'_>, dot: usize, offer: &mut CompletionCollector) {
        match view.value_before(dot) {
            Some(value) => self.offer_members(members(view.game, &value), 1, offer),
            None => {
                // The type before the dot is unknown: members of all types, those declared by the game first.
                for (sort, rank) in [(Sort::Player, 2), (Sort::Component, 4), (Sort::Zone, 6), (Sort::Players, 8)] {
                    self.offer_members(members(view.game, &ExprValue::Of(sort)), rank, offer);
                }
                let rest = words().filter(|word| !word.receivers.is_empty() && word.form != Form::Operator);
                offer.add_all(CompletionKind::Method, 20, rest.map(|word| (word.name, word.usage())));
            }
        }
    }

    fn offer_members(&self, members: Vec<Member>, rank: u8, offer: &mut CompletionCollector) {
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

    /// Completions for the beginning of an expression or a statement.
    fn roots(&self, context: &Context, view: View<'_>, next: usize, is_script: bool, offer: &mut CompletionCollector) {
        for name in view.locals(next) {
            let value = view.local(&name, next.saturating_sub(1)).and_then(|local| local.value);
            offer.add(CompletionKind::Variable, 0, &name, value.map_or_else(String::new, |value| in_words(&value)));
        }
        let definition = context.definition();
        let zones = definition.zones.iter().filter(|zone| !zone.per_seat).map(|zone| {
            let about = format!("{}{}{}", zone.name.get(self.language), said(", "), said(who_sees(zone)));
            (&zone.id, about)
        });
        offer.add_all(CompletionKind::Zone, 1, zones);
        let globals = [
            ("players", said("all players in turn order")),
            ("table", said("the variables of the table")),
            ("data", said("the rulebook's numbers")),
            ("settings", said("what is set for these rules")),
            ("nobody", said("no player")),
        ];
        offer.add_all(CompletionKind::Variable, 2, globals);
        if !is_script {
            let seats = (1..=context.layout.seats).map(|seat| (format!("p{seat}"), said("a player")));
            offer.add_all(CompletionKind::Variable, 1, seats);
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
            let rare = ["super", "fn", "private", "do", "until", "const"];
            let keywords = KEYWORDS.iter().filter(|keyword| !rare.contains(keyword));
            offer.add_all(CompletionKind::Keyword, 5, keywords.map(|keyword| (keyword, "")));
        }
    }

    /// Completions for function definitions: overridable ones of lower layers, and those that the host calls.
    fn heads(&self, context: &Context, file: &FileText, offer: &mut CompletionCollector, has_fn: bool) {
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
                // Behind a typed `fn`, a doc comment cannot be inserted.
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
        for asked in HOST_FUNCTIONS {
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
            recipes::functions(context, file, offer);
        }
    }

    /// Completions within a string literal.
    fn in_text(&self, context: &Context, view: View<'_>, token: usize, offer: &mut CompletionCollector) {
        let definition = context.definition();
        let code = view.code;
        if code.is_behind(token, "[") {
            if let Some(value @ (ExprValue::Data(_) | ExprValue::Settings)) =
                token.checked_sub(1).and_then(|open| view.value_before(open))
            {
                let declared = members(view.game, &value).into_iter().filter(|member| !member.is_word);
                offer.add_all(CompletionKind::Value, 1, declared.map(|member| (member.name, member.about)));
            }
            return;
        }
        if let Some(end) = compared_before(view, token) {
            // The possible values of what the string is compared with.
            if let Some((links, _)) = view.chain(end)
                && let Some(last) = links.last()
            {
                self.values_of(context, code.word(last.token), offer);
            }
            return;
        }
        let Some(role) = role_of_text(view, token) else { return };
        match role {
            Role::Attribute | Role::Numbers => {
                let names = context.layout.attributes.iter();
                let names = names.map(|name| (name, attribute_in_words(&context.layout, name).unwrap_or_default()));
                offer.add_all(CompletionKind::Value, 1, names);
            }
            Role::AttributeValue => {
                let Some((name, _)) = call_around(view, token) else { return };
                let arguments = code.arguments(name + 1, code.tokens.len());
                let attribute = words_of_call(view, name).iter().find_map(|word| {
                    let at = word
                        .parameters
                        .iter()
                        .position(|one| matches!(one.role, Some(Role::Attribute | Role::Numbers)))?;
                    arguments.get(at).map(|argument| code.word(argument.start).trim_matches('"').to_owned())
                });
                if let Some(attribute) = attribute {
                    self.values_of(context, &attribute, offer);
                }
            }
            Role::Group => {
                let groups = definition.components.iter();
                let groups = groups.map(|group| (&group.name, say!("{} components", group.members.len())));
                offer.add_all(CompletionKind::Value, 1, groups);
            }
            Role::Zone => {
                offer.add_all(CompletionKind::Zone, 1, context.layout.zones.iter().map(|zone| (&zone.id, "")))
            }
            Role::Side => {
                let sides: SortedSet<&String> = definition
                    .components
                    .iter()
                    .flat_map(|group| &group.members)
                    .flat_map(|member| member.sides.iter())
                    .collect();
                offer.add_all(CompletionKind::Value, 1, sides.into_iter().map(|side| (side, "")));
            }
            Role::Metric => {
                let metrics = definition.bounds.keys().filter(|name| *name != "score");
                offer.add_all(CompletionKind::Value, 1, metrics.map(|name| (name, "")));
            }
            role if TEXT_ROLES.contains(&role) => {
                let texts = definition.text.iter().map(|(key, text)| (key, text.get(self.language)));
                offer.add_all(CompletionKind::Text, 1, texts);
            }
            _ => {}
        }
    }

    /// The word values of an attribute, and the choices of a variable.
    pub(super) fn values_of(&self, context: &Context, name: &str, offer: &mut CompletionCollector) {
        let layout = &context.layout;
        if let Some(number) = layout.attributes.iter().position(|attribute| attribute == name) {
            let values: SortedSet<&FaceValue> = layout.values.get(number).into_iter().flatten().collect();
            let words = values.into_iter().filter_map(|value| match value {
                FaceValue::Word(word) => layout.words.get(usize::from(*word)),
                _ => None,
            });
            offer.add_all(CompletionKind::Value, 1, words.map(|word| (word, "")));
        }
        let variables = context.definition().variables.iter().filter(|variable| variable.id == name);
        let choices = variables.flat_map(|variable| &variable.choices);
        offer.add_all(CompletionKind::Value, 1, choices.map(|choice| (choice, "")));
        offer.add_all(CompletionKind::Value, 1, setting_choices(context, name));
    }
}

/// The choices of the settings with a name, of any layer.
pub(super) fn setting_choices<'c>(context: &'c Context, name: &str) -> impl Iterator<Item = (&'c str, &'static str)> {
    let settings = context.ruleset.layers().flat_map(|layer| &layer.settings).filter(move |(key, _)| *key == name);
    settings.flat_map(|(_, setting)| &setting.choices).map(|choice| (choice.as_str().unwrap_or_default(), ""))
}

/// Whether a string literal has its closing quote.
fn is_closed(text: &str) -> bool {
    text.len() > 1 && text.ends_with('"') && !text.ends_with("\\\"")
}

/// A text escaped for a snippet, so that nothing in it is a tab stop.
pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}")
}

/// The string literals of a script that players read, in any of the given roles.
pub(super) fn texts_for_players(
    context: &Context,
    script: &Script,
    language: Language,
    sorts: &[Role],
) -> SortedSet<String> {
    let view = View::new(context, &script.code, language);
    let texts = (0..script.code.tokens.len()).filter(|&token| script.code.kind(token) == Some(TokenKind::Text));
    let said = texts.filter(|&token| role_of_text(view, token).is_some_and(|role| sorts.contains(&role)));
    said.map(|token| script.code.word(token).trim_matches('"').to_owned()).collect()
}

/// The roles of texts that can have words in `[text]`.
pub(super) const TEXT_ROLES: [Role; 7] =
    [Role::Prompt, Role::Purpose, Role::Reason, Role::Act, Role::Phase, Role::Remark, Role::Lot];
