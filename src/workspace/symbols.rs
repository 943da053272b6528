//! What a name stands for, where it is declared, and who uses it.

use super::code::Code;
use super::context::{Context, Script};
use super::infer::View;
use super::members::{ExprValue, members};
use super::toml::{ItemKind, TomlItem};
use super::{FileRole, FileText, Piece, Workspace};
use crate::definition::{Layer, is_identifier};
use crate::ruleset::Role as LayerRole;
use crate::scenario;
use crate::script::host_functions::ASKED;
use crate::script::sorts::Sort;
use crate::script::tokens::{KEYWORDS, TokenKind};
use crate::script::vocabulary::{Form, Role, Word, words};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file.
    pub path: PathBuf,
    /// The bytes of its text.
    pub span: Range<usize>,
}

/// Why a name keeps as it is.
pub type RenameRefused = String;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    /// A function of the scripts: its name, and how many parameters it has where that is known.
    Function(String, Option<usize>),
    /// The function of the layer below, as `super` calls it.
    Super(String, usize),
    /// A name of a function's own, by where it is declared in its script.
    Local(String, Range<usize>),
    /// A zone.
    Zone(String),
    /// A variable.
    Variable(String),
    /// An attribute of components.
    Attribute(String),
    /// A group of components.
    Group(String),
    /// What stands at a path in the data.
    Data(Vec<String>),
    /// A setting of a layer.
    Setting(String, String),
    /// A text that people read.
    Text(String),
    /// A game, a variant or a library.
    Layer(String),
    /// Words of the vocabulary.
    Words(Vec<&'static Word>),
    /// A name that the whole rules know.
    Global(&'static str),
}

impl Symbol {
    /// Whether two are the same thing.
    pub fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Function(one, a), Self::Function(other, b)) => {
                one == other && (a == b || a.is_none() || b.is_none())
            }
            (Self::Local(one, a), Self::Local(other, b)) => one == other && a == b,
            (Self::Zone(one), Self::Zone(other))
            | (Self::Variable(one), Self::Variable(other))
            | (Self::Attribute(one), Self::Attribute(other))
            | (Self::Group(one), Self::Group(other))
            | (Self::Text(one), Self::Text(other))
            | (Self::Layer(one), Self::Layer(other)) => one == other,
            (Self::Data(one), Self::Data(other)) => one == other,
            (Self::Setting(layer, one), Self::Setting(other_layer, other)) => layer == other_layer && one == other,
            (Self::Words(one), Self::Words(other)) => {
                one.first().map(|word| word.name) == other.first().map(|word| word.name)
            }
            (Self::Global(one), Self::Global(other)) => one == other,
            _ => false,
        }
    }

    /// The name that stands in the texts.
    fn name(&self) -> &str {
        match self {
            Self::Function(name, _) | Self::Super(name, _) | Self::Local(name, _) | Self::Setting(_, name) => name,
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

/// What the layer is called whose settings a script means.
fn layer_of<'a>(context: &'a Context, script: Option<&'a Script>) -> &'a str {
    script.filter(|script| script.role != LayerRole::Library).map_or(&context.ruleset.game.id, |script| &script.layer)
}

/// What a token of a piece stands for, with its bytes in the piece.
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
    // Parameters are declared where they stand.
    if let Some(function) = view.function_around(token)
        && let Some((_, declared)) =
            function.parameters.iter().find(|(name, span)| *name == word && *span == code.tokens[token].span())
    {
        return Some(Symbol::Local(word, declared.clone()));
    }
    for global in ["players", "table", "data", "settings", "nobody"] {
        if word == global {
            return Some(Symbol::Global(global));
        }
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

/// What stands behind a dot.
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
        Some(ExprValue::Settings) => Some(Symbol::Setting(layer_of(context, script).to_owned(), word)),
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
        // Nobody knows what stands before the dot: whatever has the name.
        None if !is_called && is_zone => Some(Symbol::Zone(word)),
        None if !is_called && (is_variable(true) || is_variable(false)) => Some(Symbol::Variable(word)),
        None if !is_called && is_attribute && of_sort(None).is_none() => Some(Symbol::Attribute(word)),
        None => of_sort(None),
    }
}

/// The call around a token: the token of its name, and which of its arguments the token is in.
pub(super) fn call_around(view: View<'_>, token: usize) -> Option<(usize, usize)> {
    let least = view.function_around(token).map_or(0, |function| function.tokens.start);
    let (open, commas) = view.code.call_around(token, least)?;
    let name = open.checked_sub(1)?;
    matches!(view.code.kind(name), Some(TokenKind::Name | TokenKind::Keyword)).then_some((name, commas))
}

/// The words that a call can mean: of those of that name, the ones that what stands before the dot has.
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

/// What the text at a token stands for, by the call that it is an argument of.
pub(super) fn role_of_text(view: View<'_>, token: usize) -> Option<Role> {
    let (name, position) = call_around(view, token)?;
    // The text is the whole argument, or begins a longer one.
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
            ExprValue::Settings => Some(Symbol::Setting(layer_of(context, script).to_owned(), text)),
            _ => None,
        };
    }
    match role_of_text(view, token)? {
        Role::Attribute | Role::Numbers => Some(Symbol::Attribute(text)),
        Role::Group => Some(Symbol::Group(text)),
        Role::Zone => {
            let own = text.rsplit('.').find(|part| context.definition().zones.iter().any(|zone| zone.id == *part));
            Some(Symbol::Zone(own.unwrap_or(&text).to_owned()))
        }
        Role::Prompt | Role::Purpose | Role::Reason | Role::Act | Role::Phase | Role::Remark => {
            Some(Symbol::Text(text))
        }
        _ => None,
    }
}

/// What the keys and the string of an item of TOML stand for, each with its bytes in the file.
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
    // The keys that are written here are the last of the path.
    for (number, span) in item.keys.iter().enumerate() {
        let depth = match item.kind {
            ItemKind::Head | ItemKind::ArrayHead => number,
            _ => (path.len() + number).saturating_sub(item.keys.len()),
        };
        let span = unquoted(span);
        let Some(key) = text.get(span.clone()).filter(|key| !key.is_empty()) else { continue };
        let key = key.trim_end_matches('+');
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
                (1.., Some("data")) => {
                    Some(Symbol::Data(path[1..=depth].iter().map(|part| (*part).to_owned()).collect()))
                }
                (2, Some("with")) => Some(Symbol::Setting(path[1].to_owned(), key.to_owned())),
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
        ["remove"] => {
            let mut parts = value.split('.');
            let (table, id) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            let start = inside.start + table.len() + 1;
            let symbol = match table {
                "zones" => Some(Symbol::Zone(id.to_owned())),
                "variables" => Some(Symbol::Variable(id.to_owned())),
                _ => None,
            };
            found.extend(symbol.map(|symbol| (symbol, start..start + id.len())));
            None
        }
        ["set"] => {
            if let Some((layer, rest)) = value.split_once('.') {
                let key = rest.split('=').next().unwrap_or_default().trim_end();
                let start = inside.start + layer.len() + 1;
                found.push((Symbol::Setting(layer.to_owned(), key.to_owned()), start..start + key.len()));
            }
            None
        }
        _ => None,
    };
    found.extend(symbol.map(|symbol| (symbol, inside)));
    found
}

impl Workspace {
    /// What stands at a place, with its bytes in the file.
    pub(super) fn symbol_at(
        &mut self,
        path: &Path,
        offset: usize,
    ) -> Option<(Arc<Context>, FileText, Symbol, Range<usize>)> {
        let context = self.context(path)?;
        let file = self.file(path)?;
        let found = symbol_in(&context, &file, offset, self.language)?;
        Some((context, file, found.0, found.1))
    }

    /// Where what stands at a place is defined: of what several layers define, the highest first.
    pub fn definition(&mut self, path: &Path, offset: usize) -> Vec<Location> {
        let Some((context, file, symbol, span)) = self.symbol_at(path, offset) else { return Vec::new() };
        match &symbol {
            Symbol::Function(name, arity) => {
                let all = function_places(&context, name, *arity);
                let own = Location { path: path.to_owned(), span };
                // Where it is defined, one asks for what it overrides.
                match all.iter().position(|place| *place == own) {
                    Some(at) if at + 1 < all.len() => all[at + 1..=at + 1].to_vec(),
                    Some(_) => vec![own],
                    None => all.into_iter().take(1).collect(),
                }
            }
            Symbol::Super(name, arity) => {
                let all = function_places(&context, name, Some(*arity));
                let at = all.iter().position(|place| place.path == path);
                all.into_iter().skip(at.map_or(0, |at| at + 1)).take(1).collect()
            }
            Symbol::Local(_, declared) => {
                let piece = file.pieces.iter().find(|piece| piece.of_file(offset).is_some());
                piece
                    .map(|piece| Location { path: path.to_owned(), span: piece.span_in_file(declared) })
                    .into_iter()
                    .collect()
            }
            Symbol::Layer(id) => self.place_of_layer(&context, id).into_iter().collect(),
            Symbol::Words(_) | Symbol::Global(_) => Vec::new(),
            _ => self.declarations(&context, &symbol),
        }
    }

    /// Every definition of a function: those of the layers, and those of variants that are not among them.
    pub fn implementations(&mut self, path: &Path, offset: usize) -> Vec<Location> {
        let Some((context, _, symbol, _)) = self.symbol_at(path, offset) else { return Vec::new() };
        let (name, arity) = match &symbol {
            Symbol::Function(name, arity) => (name.clone(), *arity),
            Symbol::Super(name, arity) => (name.clone(), Some(*arity)),
            _ => return self.declarations(&context, &symbol),
        };
        let mut found = function_places(&context, &name, arity);
        for file in self.family(&context, is_of_library(&context, &symbol)) {
            for piece in file.pieces.iter().filter(|piece| piece.is_script) {
                for function in piece
                    .code
                    .functions
                    .iter()
                    .filter(|one| one.name == name && arity.is_none_or(|arity| one.parameters.len() == arity))
                {
                    let place = Location { path: file.path.clone(), span: piece.span_in_file(&function.name_span) };
                    if !found.contains(&place) {
                        found.push(place);
                    }
                }
            }
        }
        found
    }

    /// Every place that refers to what stands at one, its definitions among them where they are asked for.
    pub fn references(&mut self, path: &Path, offset: usize, with_definitions: bool) -> Vec<Location> {
        let Some((context, file, symbol, _)) = self.symbol_at(path, offset) else { return Vec::new() };
        let symbol = match symbol {
            Symbol::Super(name, arity) => Symbol::Function(name, Some(arity)),
            other => other,
        };
        if let Symbol::Local(..) = symbol {
            return of_file(&context, &file, &symbol, self.language, Some(offset))
                .into_iter()
                .map(|span| Location { path: path.to_owned(), span })
                .collect();
        }
        let declared = if with_definitions { Vec::new() } else { self.declared(&context, &symbol) };
        let mut found = Vec::new();
        for file in self.family(&context, is_of_library(&context, &symbol)) {
            let spans = of_file(&context, &file, &symbol, self.language, None);
            found.extend(spans.into_iter().map(|span| Location { path: file.path.clone(), span }));
        }
        found.retain(|place| !declared.contains(place));
        found.sort_by(|one, other| (&one.path, one.span.start).cmp(&(&other.path, other.span.start)));
        found.dedup();
        found
    }

    /// The places in one file that refer to what stands at one.
    pub fn highlights(&mut self, path: &Path, offset: usize) -> Vec<Range<usize>> {
        let Some((context, file, symbol, _)) = self.symbol_at(path, offset) else { return Vec::new() };
        of_file(&context, &file, &symbol, self.language, Some(offset))
    }

    /// The name at a place that can be another one.
    ///
    /// # Errors
    /// It cannot, and why.
    pub fn can_be_renamed(&mut self, path: &Path, offset: usize) -> Result<Range<usize>, RenameRefused> {
        let found = self.symbol_at(path, offset);
        let Some((context, _, symbol, span)) = found else {
            return Err("there is no name here that can be changed".to_owned());
        };
        match &symbol {
            Symbol::Words(_) | Symbol::Global(_) => Err(format!("`{}` is a word of the language", symbol.name())),
            Symbol::Function(name, _) if name == "game" || ASKED.iter().any(|asked| asked.name == name) => {
                Err(format!("`{name}` is called by the program, under this name"))
            }
            Symbol::Function(..) | Symbol::Local(..) | Symbol::Zone(_) | Symbol::Variable(_) | Symbol::Setting(..) => {
                let fixed = self.declared(&context, &symbol).into_iter().find(|place| self.is_fixed(&place.path));
                match fixed {
                    Some(place) => Err(format!(
                        "`{}` is defined in {}, which you cannot change",
                        symbol.name(),
                        self.library.files().name_of(&place.path)
                    )),
                    None => Ok(span),
                }
            }
            _ => Err(format!("`{}` is named in texts, too: it cannot be changed everywhere at once", symbol.name())),
        }
    }

    /// The places to write another name in, so that all layers, tests and texts mean the same as before.
    ///
    /// # Errors
    /// The name cannot be changed, or not to this one, and why.
    pub fn rename(&mut self, path: &Path, offset: usize, name: &str) -> Result<Vec<Location>, RenameRefused> {
        self.can_be_renamed(path, offset)?;
        let found = self.symbol_at(path, offset);
        let Some((context, _, symbol, _)) = found else {
            return Err("there is no name here that can be changed".to_owned());
        };
        if !is_identifier(name) || name.contains("__") || KEYWORDS.contains(&name) {
            return Err(format!("`{name}` cannot be a name: write letters, digits and single `_`"));
        }
        let definition = context.definition();
        let is_taken = match &symbol {
            Symbol::Function(..) => !context.definitions(name, None).is_empty(),
            Symbol::Zone(_) | Symbol::Variable(_) => {
                definition.zones.iter().any(|zone| zone.id == name)
                    || definition.variables.iter().any(|variable| variable.id == name)
            }
            _ => false,
        };
        if is_taken {
            return Err(format!("there is a `{name}` already"));
        }
        let places = self.references(path, offset, true);
        match places.iter().find(|place| self.is_fixed(&place.path)) {
            Some(place) => Err(format!(
                "`{}` is used in {}, which you cannot change",
                symbol.name(),
                self.library.files().name_of(&place.path)
            )),
            None => Ok(places),
        }
    }

    /// Where a thing is declared, also what is asked of functions.
    fn declared(&self, context: &Context, symbol: &Symbol) -> Vec<Location> {
        match symbol {
            Symbol::Function(name, arity) => function_places(context, name, *arity),
            Symbol::Super(name, arity) => function_places(context, name, Some(*arity)),
            Symbol::Local(..) => Vec::new(),
            _ => self.declarations(context, symbol),
        }
    }

    /// Where the TOML files of the layers declare a thing, the highest first.
    fn declarations(&self, context: &Context, symbol: &Symbol) -> Vec<Location> {
        let files = context.files.iter().rev().map(|(path, source)| FileText::new(path.clone(), source.clone()));
        let mut found = Vec::new();
        for file in files {
            for item in file.toml.iter().flat_map(|toml| &toml.items) {
                let is_declared =
                    |span: &Range<usize>| item.keys.iter().any(|key| key.start <= span.start && span.end <= key.end);
                let own =
                    of_item(context, &file, item).into_iter().filter(|(own, span)| own.is(symbol) && is_declared(span));
                // `with` and `keeps` refer to what others declare.
                let own = own.filter(|_| !item.path.first().is_some_and(|first| first == "with" || first == "keeps"));
                found.extend(own.map(|(_, span)| Location { path: file.path.clone(), span }));
            }
        }
        found
    }

    fn place_of_layer(&self, context: &Context, id: &str) -> Option<Location> {
        let game = &context.ruleset.game.id;
        let origin = self
            .library
            .variant(game, id)
            .or_else(|_| self.library.game(id))
            .or_else(|_| self.library.rule_library(id, None))
            .ok()?
            .origin;
        Some(Location { path: origin.path().to_owned(), span: 0..0 })
    }

    /// The files in which the names of a context can stand: those of its layers, the variants of the game, and its tests; for what a
    /// library defines, those of every game that uses it.
    pub(super) fn family(&self, context: &Context, is_wide: bool) -> Vec<FileText> {
        let game = context.ruleset.game.id.clone();
        let library_of = |id: &String| context.ruleset.libraries.iter().any(|library| library.id == *id);
        let shares = |layer: &Layer| {
            let is_based = layer.base.as_ref().is_some_and(|(base, _)| *base == game);
            is_based || is_wide && layer.uses.iter().any(library_of)
        };
        let others = self.library.games().into_iter().filter(|entry| entry.id != game);
        let others = others.filter(|entry| entry.layer.as_ref().is_ok_and(shares)).map(|entry| entry.id);
        let games: Vec<String> = std::iter::once(game.clone()).chain(others).collect();
        let mut paths: Vec<PathBuf> = context
            .files
            .iter()
            .map(|(path, _)| path.clone())
            .chain(context.scripts.iter().map(|script| script.path.clone()))
            .collect();
        let files = self.library.files();
        let mut add = |path: PathBuf| {
            if !paths.contains(&path) && files.exists(&path) {
                paths.push(path);
            }
        };
        for game in &games {
            if let Ok(layer) = self.library.game(game) {
                add(layer.origin.path().to_owned());
                add(layer.origin.path().with_file_name("rules.rhai"));
            }
            for variant in self.library.variants(game) {
                add(variant.origin.path().to_owned());
                add(variant.origin.path().with_extension("rhai"));
            }
            let tests = self.library.roots().iter().map(|root| root.join(scenario::FOLDER).join(game));
            tests.flat_map(|folder| files.toml_files_below(&folder)).for_each(&mut add);
        }
        let is_open_test = |path: &&PathBuf| match self.role(path, &self.library) {
            FileRole::Scenario(selection) => games.contains(&selection.game),
            _ => false,
        };
        self.texts.keys().filter(is_open_test).cloned().for_each(&mut add);
        paths.into_iter().filter_map(|path| self.file(&path)).collect()
    }
}

/// Whether a library defines a function, so that other games can use it.
fn is_of_library(context: &Context, symbol: &Symbol) -> bool {
    let (Symbol::Function(name, _) | Symbol::Super(name, _)) = symbol else { return false };
    let mut scripts = context.definitions(name, None).into_iter().filter_map(|(script, _)| context.scripts.get(script));
    scripts.any(|script| script.role == LayerRole::Library)
}

/// The definitions of a function in the layers, the highest first.
fn function_places(context: &Context, name: &str, arity: Option<usize>) -> Vec<Location> {
    let places = context.definitions(name, arity).into_iter().rev().filter_map(|(script, at)| {
        let script = context.scripts.get(script)?;
        let span = script.code.functions.get(at)?.name_span.clone();
        Some(Location { path: script.path.clone(), span: script.start + span.start..script.start + span.end })
    });
    places.collect()
}

/// The script that a piece is.
pub(super) fn script_of<'c>(context: &'c Context, file: &FileText, piece: &Piece) -> Option<&'c Script> {
    context.scripts.iter().find(|script| piece.is_script && script.path == file.path)
}

fn symbol_in(
    context: &Context,
    file: &FileText,
    offset: usize,
    language: crate::definition::Language,
) -> Option<(Symbol, Range<usize>)> {
    if let Some((piece, at)) = file.piece_at(offset) {
        let view = View::new(context, &piece.code, language);
        let token = piece.code.token_at(at)?;
        let (symbol, span) = resolve(context, view, script_of(context, file, piece), token)?;
        return Some((symbol, piece.span_in_file(&span)));
    }
    let item = file.toml.as_ref()?.at(offset)?;
    of_item(context, file, item).into_iter().find(|(_, span)| span.start <= offset && offset <= span.end)
}

/// The bytes of a file that refer to a thing; of a name of a function's own, only in the piece around a place.
fn of_file(
    context: &Context,
    file: &FileText,
    symbol: &Symbol,
    language: crate::definition::Language,
    around: Option<usize>,
) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let name = symbol.name();
    for piece in &file.pieces {
        if matches!(symbol, Symbol::Local(..)) && around.is_none_or(|offset| piece.of_file(offset).is_none()) {
            continue;
        }
        let view = View::new(context, &piece.code, language);
        let script = script_of(context, file, piece);
        for token in 0..piece.code.tokens.len() {
            if !piece.code.word(token).contains(name) {
                continue;
            }
            if let Some((other, span)) = resolve(context, view, script, token).filter(|(other, _)| other.is(symbol)) {
                let _ = other;
                found.push(piece.span_in_file(&span));
            }
        }
    }
    for item in file.toml.iter().flat_map(|toml| &toml.items) {
        found.extend(
            of_item(context, file, item).into_iter().filter(|(other, _)| other.is(symbol)).map(|(_, span)| span),
        );
    }
    found.sort_by_key(|span| span.start);
    found.dedup();
    found
}
