//! Resolving names to symbols.

use super::FileText;
use super::code::Code;
use super::context::{Context, Script};
use super::infer::View;
use super::members::{ExprValue, members};
use super::toml::{ItemKind, TomlItem};
use crate::ruleset::Role as LayerRole;
use crate::script::sorts::Sort;
use crate::script::tokens::TokenKind;
use crate::script::vocabulary::{Form, Role, Word, words};
use std::mem::discriminant;
use std::ops::Range;

/// Most tokens between `switch` and its brace.
const MAX_SWITCH_HEAD_TOKENS: usize = 16;

/// The meaning of a name.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    /// A function of the scripts: its name, and its number of parameters where that is known.
    Function(String, Option<usize>),
    /// The function that `super` calls in the layer below: its name and number of parameters.
    Super(String, usize),
    /// A local name, with the byte range of its declaration in the script.
    Local(String, Range<usize>),
    /// A zone, by its id.
    Zone(String),
    /// A variable, by its id.
    Variable(String),
    /// An attribute of components.
    Attribute(String),
    /// A group of components.
    Group(String),
    /// A data value, by its path of keys.
    Data(Vec<String>),
    /// A setting, by the id of its layer and its key.
    Setting(String, String),
    /// A choice of a setting, by the id of the layer, the key and the word.
    Choice(String, String, String),
    /// A text that players read.
    Text(String),
    /// A game, variant or library, by its id.
    Layer(String),
    /// The words of the vocabulary with this name.
    Words(Vec<&'static Word>),
    /// A global name.
    Global(&'static str),
}

impl Symbol {
    /// Whether both are the same symbol.
    pub fn is(&self, other: &Self) -> bool {
        let is_alike = match (self, other) {
            (Self::Function(_, a), Self::Function(_, b)) => a == b || a.is_none() || b.is_none(),
            (Self::Local(_, a), Self::Local(_, b)) => a == b,
            (Self::Data(a), Self::Data(b)) => a == b,
            (Self::Setting(layer, _), Self::Setting(other_layer, _)) => layer == other_layer,
            (Self::Choice(layer, key, _), Self::Choice(other_layer, other, _)) => (layer, key) == (other_layer, other),
            (Self::Super(..), _) => false,
            _ => discriminant(self) == discriminant(other),
        };
        is_alike && self.name() == other.name()
    }

    /// The name as it occurs in texts.
    pub fn name(&self) -> &str {
        match self {
            Self::Function(name, _) | Self::Super(name, _) | Self::Local(name, _) | Self::Setting(_, name) => name,
            Self::Choice(_, _, word) => word,
            Self::Zone(name)
            | Self::Variable(name)
            | Self::Attribute(name)
            | Self::Group(name)
            | Self::Text(name)
            | Self::Layer(name) => name,
            Self::Data(path) => path.last().map_or("", String::as_str),
            Self::Words(words) => words.first().map_or("", |word| word.name),
            Self::Global(name) => name,
        }
    }
}

/// The id of the layer whose settings `settings` means in a script.
fn layer_of<'a>(context: &'a Context, script: Option<&'a Script>) -> &'a str {
    script.filter(|script| script.role != LayerRole::Library).map_or(&context.ruleset.game.id, |script| &script.layer)
}

/// The symbol at a token of a piece, and its byte range in the piece.
pub(super) fn resolve(
    context: &Context,
    view: View<'_>,
    script: Option<&Script>,
    token: usize,
) -> Option<(Symbol, Range<usize>)> {
    let code = view.code;
    let span = code.tokens.get(token)?.span();
    let word = code.word(token);
    match code.kind(token)? {
        TokenKind::Keyword if word == "super" => {
            let function = view.function_around(token)?;
            Some((Symbol::Super(function.name.clone(), function.parameters.len()), span))
        }
        TokenKind::Name => Some((name(context, view, script, token)?, span)),
        TokenKind::Text => {
            let symbol = text(context, view, script, token)?;
            let closed = usize::from(
                span.len() > 1 && code.text.as_bytes().get(span.end - 1) == code.text.as_bytes().get(span.start),
            );
            Some((symbol, span.start + 1..span.end - closed))
        }
        _ => None,
    }
}

fn name(context: &Context, view: View<'_>, script: Option<&Script>, token: usize) -> Option<Symbol> {
    let code = view.code;
    let word = code.word(token).to_owned();
    if code.is_behind(token, "fn") {
        let function = view.function_around(token)?;
        return Some(Symbol::Function(word, Some(function.parameters.len())));
    }
    let is_called = code.is(token + 1, "(");
    let count = || code.arguments(token + 1, code.tokens.len()).len();
    if code.is_behind(token, ".") {
        return member(context, view, script, token, is_called);
    }
    if is_called {
        let count = count();
        let is_own = |code: &Code| code.functions.iter().any(|one| one.name == word);
        if is_own(code) || context.scripts.iter().any(|script| is_own(&script.code)) {
            let fits = |code: &Code| code.functions.iter().any(|one| one.name == word && one.parameters.len() == count);
            let is_exact = fits(code) || context.scripts.iter().any(|script| fits(&script.code));
            return Some(Symbol::Function(word, is_exact.then_some(count)));
        }
        return words_named(&word, |candidate| candidate.form == Form::Function);
    }
    if let Some(local) = view.local(&word, token) {
        return Some(Symbol::Local(word, local.declared));
    }
    // A parameter at its declaration.
    if let Some(function) = view.function_around(token)
        && let Some((_, declared)) =
            function.parameters.iter().find(|(name, span)| *name == word && *span == code.tokens[token].span())
    {
        return Some(Symbol::Local(word, declared.clone()));
    }
    if let Some(global) = ["players", "table", "data", "settings", "nobody"].into_iter().find(|global| word == *global)
    {
        return Some(Symbol::Global(global));
    }
    if context.definition().zones.iter().any(|zone| !zone.per_seat && zone.id == word) {
        return Some(Symbol::Zone(word));
    }
    let is_function = |code: &Code| code.functions.iter().any(|one| one.name == word);
    (is_function(code) || context.scripts.iter().any(|script| is_function(&script.code)))
        .then_some(Symbol::Function(word, None))
}

fn words_named(name: &str, fits: impl Fn(&Word) -> bool) -> Option<Symbol> {
    let found: Vec<&'static Word> =
        words().filter(|word| word.name == name && word.form != Form::Operator && fits(word)).collect();
    (!found.is_empty()).then_some(Symbol::Words(found))
}

/// The symbol of a member behind a dot.
fn member(context: &Context, view: View<'_>, script: Option<&Script>, token: usize, is_called: bool) -> Option<Symbol> {
    let word = view.code.word(token).to_owned();
    let definition = context.definition();
    let is_zone = definition.zones.iter().any(|zone| zone.id == word);
    let is_variable = |per_seat: bool| {
        definition.variables.iter().any(|variable| variable.per_seat == per_seat && variable.id == word)
    };
    let is_attribute = context.layout.attributes.contains(&word);
    let of_sort = |sort: Option<Sort>| {
        words_named(&word, |candidate| sort.is_none_or(|sort| candidate.receivers.iter().any(|&of| sort.may_be(of))))
    };
    match view.value_before(token - 1) {
        Some(ExprValue::Settings) => Some(set_by(context, layer_of(context, script), &word)),
        Some(ExprValue::Data(mut path)) => {
            let is_key = members(view.game, &ExprValue::Data(path.clone()))
                .iter()
                .any(|member| member.name == word && !member.is_word);
            if !is_key {
                return of_sort(Some(Sort::Data));
            }
            path.push(word);
            Some(Symbol::Data(path))
        }
        Some(ExprValue::Table) if is_variable(false) => Some(Symbol::Variable(word)),
        Some(ExprValue::Of(Sort::Player)) if !is_called && is_zone => Some(Symbol::Zone(word)),
        Some(ExprValue::Of(Sort::Player)) if !is_called && is_variable(true) => Some(Symbol::Variable(word)),
        Some(ExprValue::Of(Sort::Component)) if !is_called && is_attribute => Some(Symbol::Attribute(word)),
        Some(ExprValue::Of(sort)) => of_sort(Some(sort)),
        Some(ExprValue::Table) => None,
        // The type before the dot is unknown: any symbol with this name.
        None if !is_called && is_zone => Some(Symbol::Zone(word)),
        None if !is_called && (is_variable(true) || is_variable(false)) => Some(Symbol::Variable(word)),
        None if !is_called && is_attribute && of_sort(None).is_none() => Some(Symbol::Attribute(word)),
        None => of_sort(None),
    }
}

/// The call around a token: the index of the token of its name, and the index of the argument.
pub(super) fn call_around(view: View<'_>, token: usize) -> Option<(usize, usize)> {
    let least = view.function_around(token).map_or(0, |function| function.tokens.start);
    let (open, commas) = view.code.call_around(token, least)?;
    let name = open.checked_sub(1)?;
    matches!(view.code.kind(name), Some(TokenKind::Name | TokenKind::Keyword)).then_some((name, commas))
}

/// The words of the vocabulary that a call may mean, according to the type before the dot.
pub(super) fn words_of_call(view: View<'_>, name: usize) -> Vec<&'static Word> {
    let code = view.code;
    let is_method = code.is_behind(name, ".");
    let receiver = is_method.then(|| view.value_before(name - 1)).flatten();
    let sort = match receiver {
        Some(ExprValue::Of(sort)) => Some(sort),
        Some(ExprValue::Data(_)) => Some(Sort::Data),
        _ => None,
    };
    let fits = |word: &&Word| {
        let is_meant = match word.form {
            Form::Method | Form::Callback => {
                is_method && sort.is_none_or(|sort| word.receivers.iter().any(|&of| sort.may_be(of)))
            }
            Form::Function => !is_method,
            Form::Property | Form::Operator => false,
        };
        word.name == code.word(name) && is_meant
    };
    words().filter(fits).collect()
}

/// The role of the string literal at a token as an argument of a call.
pub(super) fn role_of_text(view: View<'_>, token: usize) -> Option<Role> {
    let (name, position) = call_around(view, token)?;
    // The text is the whole argument, or its beginning.
    let is_argument = view.code.is_behind(token, "(") || view.code.is_behind(token, ",");
    is_argument.then(|| words_of_call(view, name).iter().find_map(|word| word.parameters.get(position)?.role)).flatten()
}

fn text(context: &Context, view: View<'_>, script: Option<&Script>, token: usize) -> Option<Symbol> {
    let code = view.code;
    let text = code.word(token).trim_matches('"').to_owned();
    if code.is_behind(token, "[") && code.is(token + 1, "]") {
        return match view.value_before(token - 1)? {
            ExprValue::Data(mut path) => {
                path.push(text);
                Some(Symbol::Data(path))
            }
            ExprValue::Settings => Some(set_by(context, layer_of(context, script), &text)),
            _ => None,
        };
    }
    if let Some(setting) = compared_with(view, token)
        && let Symbol::Setting(layer, key) = set_by(context, layer_of(context, script), setting)
    {
        return choice(context, &layer, &key, &text);
    }
    match role_of_text(view, token)? {
        Role::Attribute | Role::Numbers => Some(Symbol::Attribute(text)),
        Role::Group => Some(Symbol::Group(text)),
        Role::Zone => {
            let own = text.rsplit('.').find(|part| context.definition().zones.iter().any(|zone| zone.id == *part));
            Some(Symbol::Zone(own.unwrap_or(&text).to_owned()))
        }
        Role::Prompt | Role::Purpose | Role::Reason | Role::Act | Role::Phase | Role::Remark | Role::Lot => {
            Some(Symbol::Text(text))
        }
        _ => None,
    }
}

/// The symbol of a key in a layer's settings: a setting, or a data value.
fn set_by(context: &Context, layer: &str, key: &str) -> Symbol {
    let setting = context.ruleset.layers().find(|one| one.id == layer).and_then(|one| one.settings.get(key));
    match setting {
        None if context.definition().data.contains_key(key) => Symbol::Data(vec![key.to_owned()]),
        _ => Symbol::Setting(layer.to_owned(), key.to_owned()),
    }
}

/// The symbol of a setting's choice, if the setting lists its choices itself.
fn choice(context: &Context, layer: &str, key: &str, word: &str) -> Option<Symbol> {
    let setting = context.ruleset.layers().find(|one| one.id == layer)?.settings.get(key)?;
    let is_choice = setting.choices.iter().any(|choice| choice.as_str() == Some(word));
    is_choice.then(|| Symbol::Choice(layer.to_owned(), key.to_owned(), word.to_owned()))
}

/// The key of the setting that the string literal at a token is compared with.
fn compared_with<'v>(view: View<'v>, token: usize) -> Option<&'v str> {
    let code = view.code;
    let end = compared_before(view, token).or_else(|| {
        let is_equality = code.is(token + 1, "==") || code.is(token + 1, "!=");
        (is_equality && code.is(token + 3, ".")).then_some(token + 5)
    })?;
    let is_setting = end >= 3 && code.is(end - 2, ".") && view.value_before(end - 2) == Some(ExprValue::Settings);
    is_setting.then(|| code.word(end - 1))
}

/// The end of the value that the string literal at a token is compared with: `card.suit == "x"`, or an arm of
/// `switch card.suit`.
pub(super) fn compared_before(view: View<'_>, token: usize) -> Option<usize> {
    let code = view.code;
    let before = token.checked_sub(1)?;
    if code.is(before, "==") || code.is(before, "!=") {
        return Some(before);
    }
    if !["{", ",", "|"].iter().any(|sign| code.is(before, sign)) {
        return None;
    }
    // The opening brace around the arms.
    let mut depth = 0_i32;
    let open = (0..token).rev().find(|&at| {
        depth += code.bracket(at);
        depth == 1
    })?;
    let is_head = |at: &usize| code.is(*at, "switch");
    let is_of_switch =
        code.is(open, "{") && (open.saturating_sub(MAX_SWITCH_HEAD_TOKENS)..open).rev().any(|at| is_head(&at));
    is_of_switch.then_some(open)
}

/// The symbols in the keys and the string of a TOML item, each with its byte range in the file.
pub(super) fn of_item(context: &Context, file: &FileText, item: &TomlItem) -> Vec<(Symbol, Range<usize>)> {
    let text = &file.source.text;
    let mut found = Vec::new();
    let is_scenario = file.toml.as_ref().is_some_and(|toml| {
        toml.items
            .iter()
            .any(|item| item.path.first().is_some_and(|key| ["then", "when", "given", "cases"].contains(&key.as_str())))
    });
    let definition = context.definition();
    let path: Vec<&str> = item.path.iter().map(String::as_str).collect();
    let named: Vec<&str> =
        path.iter().copied().filter(|part| !part.bytes().all(|byte| byte.is_ascii_digit())).collect();
    let layer = || {
        let own = context.ruleset.all_layers().find(|layer| layer.source.name == file.source.name);
        own.map_or_else(|| context.ruleset.game.id.clone(), |layer| layer.id.clone())
    };
    let unquoted = |span: &Range<usize>| match text.as_bytes().get(span.start) {
        Some(b'"' | b'\'') if span.len() > 1 => span.start + 1..span.end - 1,
        _ => span.clone(),
    };
    // The keys written here are the last ones of the path.
    for (number, span) in item.keys.iter().enumerate() {
        let depth = match item.kind {
            ItemKind::Head | ItemKind::ArrayHead => number,
            _ => (path.len() + number).saturating_sub(item.keys.len()),
        };
        let span = unquoted(span);
        let Some(key) = text.get(span.clone()).filter(|key| !key.is_empty()) else { continue };
        let key = key.trim_end_matches('+');
        if !is_scenario && depth == 0 && key.contains('.') {
            found.extend(path_symbols(key, span.start));
            continue;
        }
        let symbol = if is_scenario {
            let is_of_table =
                path.iter().take(depth).any(|part| ["given", "zones", "counts", "sees", "variables"].contains(part));
            match () {
                () if !is_of_table => None,
                () if definition.zones.iter().any(|zone| zone.id == key) => Some(Symbol::Zone(key.to_owned())),
                () if definition.variables.iter().any(|variable| variable.id == key) => {
                    Some(Symbol::Variable(key.to_owned()))
                }
                () => None,
            }
        } else {
            match (depth, path.first().copied()) {
                (1, Some("zones")) => Some(Symbol::Zone(key.to_owned())),
                (1, Some("variables" | "keeps")) => Some(Symbol::Variable(key.to_owned())),
                (1, Some("settings")) => Some(Symbol::Setting(layer(), key.to_owned())),
                (1, Some("text")) => Some(Symbol::Text(key.to_owned())),
                (1, Some("attributes")) => Some(Symbol::Attribute(key.to_owned())),
                (1, Some("components")) => Some(Symbol::Group(key.to_owned())),
                (3, Some("components")) if path.get(2) == Some(&"attributes") => {
                    Some(Symbol::Attribute(key.to_owned()))
                }
                (4, Some("components")) if path.get(2) == Some(&"list") && !["id", "face", "copies"].contains(&key) => {
                    Some(Symbol::Attribute(key.to_owned()))
                }
                (1.., Some("data")) => {
                    let parts = path[1..=depth].iter().map(|part| part.trim_end_matches('+').to_owned());
                    Some(Symbol::Data(parts.collect()))
                }
                (2, Some("with")) => Some(set_by(context, path[1], key)),
                (1, Some("conflicts" | "with")) => Some(Symbol::Layer(key.to_owned())),
                _ => None,
            }
        };
        found.extend(symbol.map(|symbol| (symbol, span.start..span.start + key.len())));
    }
    let inside = item.inside();
    let Some(value) = text.get(inside.clone()).filter(|value| !value.is_empty() && value.len() < 200) else {
        return found;
    };
    let symbol = match named[..] {
        ["standing"] | ["zones", _, "mark" | "note"] => Some(Symbol::Function(value.to_owned(), None)),
        ["tie_breaks"] => Some(Symbol::Variable(value.to_owned())),
        ["game" | "base" | "uses" | "requires" | "variants" | "games" | "games_using"] => {
            Some(Symbol::Layer(value.to_owned()))
        }
        ["components", _, "id" | "face"] | ["components", _, "list", "id" | "face"] => {
            found.extend(holes(value, inside.start).map(|(name, span)| (Symbol::Attribute(name.to_owned()), span)));
            None
        }
        ["remove"] => {
            found.extend(path_symbols(value, inside.start));
            None
        }
        ["set"] => {
            if let Some((layer, rest)) = value.split_once('.') {
                let (key, to) = rest.split_once('=').unwrap_or((rest, ""));
                let (key, start) = (key.trim_end(), inside.start + layer.len() + 1);
                let to_start = start + rest.len() - to.trim_start().len();
                match key.contains('.') {
                    true => found.extend(path_symbols(key, start)),
                    false => found.push((set_by(context, layer, key), start..start + key.len())),
                }
                let to = to.trim_start();
                let bare = to.trim_matches(['"', '\'']);
                let start = to_start + (to.len() - to.trim_start_matches(['"', '\'']).len());
                found.extend(choice(context, layer, key, bare).map(|symbol| (symbol, start..start + bare.len())));
            }
            None
        }
        ["settings", key, "default" | "choices"] => choice(context, &layer(), key, value),
        ["settings", _, "ask"] => Some(Symbol::Text(value.to_owned())),
        ["settings", _, "unlike"] => Some(Symbol::Setting(layer(), value.to_owned())),
        ["settings", _, "variable"] => Some(Symbol::Variable(value.to_owned())),
        ["with", layer, key] => choice(context, layer, key, value),
        // Steps of a test: `p1 play for a bonus`, `p1 12 column`, `phase scoring`, `lot start p2`.
        ["then" | "cases", "asks"] if is_scenario => {
            let (asked, purpose) = value.split_once(" for ").unwrap_or((value, ""));
            found.extend(word_of(asked, 1, inside.start));
            found.extend(word_of(purpose, 0, inside.start + value.len() - purpose.len()));
            None
        }
        ["then" | "cases", "awards"] if is_scenario => {
            found.extend(word_of(value, 2, inside.start));
            None
        }
        ["then" | "cases", "play_until"] if is_scenario && value.starts_with("phase ") => {
            found.extend(word_of(value, 1, inside.start));
            None
        }
        ["when" | "then" | "cases", "rig"] if is_scenario && value.starts_with("lot ") => {
            found.extend(word_of(value, 1, inside.start));
            None
        }
        _ if !is_scenario && value.starts_with("data.") => {
            // A list in the data.
            let is_path = toml_path(&definition.data, &value["data.".len()..]);
            found.extend(path_symbols(value, inside.start).into_iter().filter(|_| is_path));
            None
        }
        _ => None,
    };
    found.extend(symbol.map(|symbol| (symbol, inside)));
    found
}

/// The names in braces in a text that begins at byte `start`.
fn holes(text: &str, start: usize) -> impl Iterator<Item = (&str, Range<usize>)> {
    text.match_indices('{').filter_map(move |(at, _)| {
        let (name, _) = text[at + 1..].split_once('}')?;
        Some((name, start + at + 1..start + at + 1 + name.len()))
    })
}

/// The word with index `number` in a text that begins at byte `start`, as a key of `[text]`.
fn word_of(text: &str, number: usize, start: usize) -> Option<(Symbol, Range<usize>)> {
    let (at, word) = text
        .split(' ')
        .scan(0, |at, word| {
            let begun = *at;
            *at += word.len() + 1;
            Some((begun, word))
        })
        .filter(|(_, word)| !word.is_empty())
        .nth(number)?;
    Some((Symbol::Text(word.to_owned()), start + at..start + at + word.len()))
}

/// The symbols of the parts of a path such as `data.colors.red`, which begins at byte `start`.
fn path_symbols(path: &str, start: usize) -> Vec<(Symbol, Range<usize>)> {
    let mut parts: Vec<(&str, Range<usize>)> = Vec::new();
    for part in path.split('.') {
        let at = parts.last().map_or(start, |(_, last)| last.end + 1);
        parts.push((part, at..at + part.len()));
    }
    let symbol = |number: usize| {
        let (part, span) = &parts[number];
        let name = (*part).to_owned();
        let symbol = match (parts[0].0, number) {
            ("zones", 1) => Symbol::Zone(name),
            ("variables", 1) => Symbol::Variable(name),
            ("components", 1) => Symbol::Group(name),
            ("attributes", 1) => Symbol::Attribute(name),
            ("components", 3) if parts[2].0 == "attributes" => Symbol::Attribute(name),
            ("text", 1) => Symbol::Text(name),
            ("data", 1..) => Symbol::Data(parts[1..=number].iter().map(|(part, _)| (*part).to_owned()).collect()),
            _ => return None,
        };
        Some((symbol, span.clone()))
    };
    (1..parts.len()).filter_map(symbol).collect()
}

/// Whether a table has a value at a path.
fn toml_path(table: &toml::Table, path: &str) -> bool {
    let mut parts = path.split('.');
    let first = parts.next().and_then(|first| table.get(first));
    parts.fold(first, |value, part| value?.get(part)).is_some()
}
