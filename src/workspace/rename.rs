//! Renaming a symbol in all layers, tests and texts at once.
//!
//! Names can also occur in string literals, where their meaning may be unclear. So renaming is refused where an
//! occurrence is ambiguous, and where it would introduce errors.

use super::context::Context;
use super::findings::FileFinding;
use super::infer::View;
use super::references::{Location, script_of};
use super::symbols::{Symbol, of_item, resolve};
use super::{FileText, Workspace};
use crate::catalogue::{Message, message};
use crate::definition::{Language, is_identifier};
use crate::diagnostic::Severity;
use crate::script::host_functions::HOST_FUNCTIONS;
use crate::script::tokens::{KEYWORDS, TokenKind, is_in_name};
use crate::script::vocabulary::{Form, words};
use crate::sorted::SortedMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Most changed files checked for new errors.
const MAX_CHECKED_FILES: usize = 16;

/// The reason why a symbol cannot be renamed.
pub type RenameError = Message;

impl Workspace {
    /// The byte range of the renamable name at a byte.
    ///
    /// # Errors
    /// The name cannot be renamed, with the reason.
    pub fn prepare_rename(&mut self, path: &Path, offset: usize) -> Result<Range<usize>, RenameError> {
        let found = self.symbol_at(path, offset);
        let Some((context, _, symbol, span)) = found else {
            return Err("there is no name here that can be changed".into());
        };
        match &symbol {
            Symbol::Words(_) | Symbol::Global(_) => Err(message!("`{}` is a word of the language", symbol.name())),
            // The looks of sides are declared beside those of attributes.
            Symbol::Attribute(name) if words().any(|word| word.form == Form::Property && word.name == name) => {
                Err(message!("`{}` is a word of the language", name))
            }
            Symbol::Function(name, _) if name == "game" || HOST_FUNCTIONS.iter().any(|asked| asked.name == name) => {
                Err(message!("`{name}` is called by the program, under this name"))
            }
            Symbol::Layer(name) => Err(message!(
                "`{name}` is the name of a file or a folder: call that otherwise, then write the new name here"
            )),
            _ => {
                let fixed = self.declared(&context, &symbol).into_iter().find(|place| self.is_fixed(&place.path));
                match fixed {
                    Some(place) => Err(message!(
                        "`{}` is defined in {}, which you cannot change",
                        symbol.name(),
                        self.library.files().name_of(&place.path)
                    )),
                    None => Ok(span),
                }
            }
        }
    }

    /// The places to replace by the new name, so that all layers, tests and texts keep their meaning.
    ///
    /// # Errors
    /// The symbol cannot be renamed, or not to this name, with the reason.
    pub fn rename(&mut self, path: &Path, offset: usize, name: &str) -> Result<Vec<Location>, RenameError> {
        self.prepare_rename(path, offset)?;
        let found = self.symbol_at(path, offset);
        let Some((context, _, symbol, _)) = found else {
            return Err("there is no name here that can be changed".into());
        };
        let is_name = match &symbol {
            // These names are written in quotes.
            Symbol::Text(_) | Symbol::Choice(..) => {
                !name.is_empty() && name.chars().all(|letter| is_in_name(letter) || letter == '-')
            }
            _ => is_identifier(name) && !name.contains("__") && !KEYWORDS.contains(&name),
        };
        if !is_name {
            return Err(message!("`{name}` cannot be a name: write letters, digits and single `_`"));
        }
        if is_taken(&context, &symbol, name) {
            return Err(message!("there is a `{name}` already"));
        }
        let places = self.references(path, offset, true);
        if let Some(place) = places.iter().find(|place| self.is_fixed(&place.path)) {
            return Err(message!(
                "`{}` is used in {}, which you cannot change",
                symbol.name(),
                self.library.files().name_of(&place.path)
            ));
        }
        if let Some(place) = self.ambiguous_occurrence(&context, &symbol, &places) {
            return Err(message!(
                "`{}` also stands at {}, where it may mean something else: change one of the two by hand first",
                symbol.name(),
                self.in_words(&place)
            ));
        }
        match self.broken_by(&places, name) {
            Some(error) => Err(message!("with `{name}`, {error}")),
            None => Ok(places),
        }
    }

    /// A place in words: `games/x/rules.rhai:31`.
    fn in_words(&self, place: &Location) -> String {
        let name = self.library.files().name_of(&place.path);
        let line = self.text(&place.path).map_or(0, |source| source.position(place.span.start).0);
        format!("{name}:{line}")
    }

    /// An occurrence of the name that may or may not mean the symbol, if the symbol can be named in string literals.
    fn ambiguous_occurrence(&self, context: &Context, symbol: &Symbol, places: &[Location]) -> Option<Location> {
        let is_named_in_texts = matches!(
            symbol,
            Symbol::Attribute(_) | Symbol::Data(_) | Symbol::Text(_) | Symbol::Choice(..) | Symbol::Group(_)
        );
        if !is_named_in_texts {
            return None;
        }
        for file in self.family(context, false) {
            let is_known =
                |span: &Range<usize>| places.iter().any(|place| place.path == file.path && place.span == *span);
            let found = doubtful_in(context, &file, symbol, self.language).into_iter().find(|span| !is_known(span));
            if let Some(span) = found {
                return Some(Location { path: file.path.clone(), span });
            }
        }
        None
    }

    /// The first new error in the files if the name at these places is replaced; `None` if there is none.
    fn broken_by(&self, places: &[Location], name: &str) -> Option<Message> {
        let mut texts: SortedMap<&Path, String> = SortedMap::new();
        // From the end, so that earlier places keep their bytes.
        for place in places.iter().rev() {
            if !texts.contains_key(&*place.path) {
                texts.insert(&place.path, self.text(&place.path)?.text.clone());
            }
            let text = texts.get_mut(&*place.path)?;
            text.get(place.span.clone())?;
            text.replace_range(place.span.clone(), name);
        }
        let mut after = self.clone();
        for (path, text) in &texts {
            after.set(path, Some(text));
        }
        let errors = |workspace: &Self, path: &Path| {
            let found = workspace.findings(path, &Arc::default()).into_iter();
            found.filter(|one| one.diagnostic.severity == Severity::Error).collect::<Vec<FileFinding>>()
        };
        texts.keys().take(MAX_CHECKED_FILES).find_map(|path| {
            let (before, after) = (errors(self, path), errors(&after, path));
            (after.len() > before.len()).then(|| after.first().map(|one| one.diagnostic.message.clone())).flatten()
        })
    }
}

/// Whether another symbol of the same kind has this name.
fn is_taken(context: &Context, symbol: &Symbol, name: &str) -> bool {
    let definition = context.definition();
    let setting = |layer: &str| context.ruleset.layers().find(|one| one.id == layer).map(|one| &one.settings);
    match symbol {
        Symbol::Function(..) => !context.definitions(name, None).is_empty(),
        Symbol::Zone(_) | Symbol::Variable(_) => {
            definition.zones.iter().any(|zone| zone.id == name)
                || definition.variables.iter().any(|variable| variable.id == name)
        }
        Symbol::Attribute(_) => context.layout.attributes.iter().any(|attribute| attribute == name),
        Symbol::Group(_) => definition.components.iter().any(|group| group.name == name),
        Symbol::Text(_) => definition.text.contains_key(name),
        Symbol::Data(path) => {
            let mut around = path[..path.len().saturating_sub(1)].iter();
            let table = around.try_fold(&definition.data, |table, key| table.get(key)?.as_table());
            table.is_some_and(|table| table.contains_key(name))
        }
        Symbol::Setting(layer, _) => setting(layer).is_some_and(|settings| settings.contains_key(name)),
        Symbol::Choice(layer, key, _) => setting(layer)
            .and_then(|settings| settings.get(key))
            .is_some_and(|setting| setting.choices.iter().any(|choice| choice.as_str() == Some(name))),
        _ => false,
    }
}

/// The occurrences of a symbol's name in a file that may or may not mean it.
fn doubtful_in(context: &Context, file: &FileText, symbol: &Symbol, language: Language) -> Vec<Range<usize>> {
    let name = symbol.name();
    let mut found = Vec::new();
    for piece in &file.pieces {
        let code = &piece.code;
        let view = View::new(context, code, language);
        for token in 0..code.tokens.len() {
            let is_name = match code.kind(token) {
                Some(TokenKind::Text) => code.word(token).trim_matches('"') == name,
                // A member of a value of unknown type.
                Some(TokenKind::Name) => {
                    code.word(token) == name && code.is_behind(token, ".") && view.value_before(token - 1).is_none()
                }
                _ => false,
            };
            if !is_name {
                continue;
            }
            let resolved = resolve(context, view, script_of(context, file, piece), token);
            let is_certain = resolved
                .as_ref()
                .is_some_and(|(other, _)| other.is(symbol) || code.kind(token) == Some(TokenKind::Text));
            if !is_certain {
                found.push(piece.span_in_file(&code.tokens[token].span()));
            }
        }
    }
    for item in file.toml.iter().flat_map(|toml| &toml.items) {
        let inside = item.inside();
        if file.source.text.get(inside.clone()) != Some(name) || !of_item(context, file, item).is_empty() {
            continue;
        }
        let has = |names: &[&str]| item.path.iter().any(|part| names.contains(&part.as_str()));
        if has(&["data", "choices", "list", "default", "each", "cycle", "then", "cases", "when"]) {
            found.push(inside);
        }
    }
    found
}
