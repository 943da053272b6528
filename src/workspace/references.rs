//! Definitions and references of names.

use super::context::{Context, Script};
use super::infer::View;
use super::symbols::{Symbol, of_item, resolve};
use super::{FileRole, FileText, Piece, Workspace};
use crate::definition::Layer;
use crate::ruleset::Role as LayerRole;
use crate::scenario;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The path of the file.
    pub path: PathBuf,
    /// The byte range in the text.
    pub span: Range<usize>,
}

impl Workspace {
    /// The symbol at a byte of a file, and its byte range.
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

    /// The definitions of the symbol at a byte, the topmost layer first.
    pub fn definition(&mut self, path: &Path, offset: usize) -> Vec<Location> {
        let Some((context, file, symbol, span)) = self.symbol_at(path, offset) else { return Vec::new() };
        match &symbol {
            Symbol::Function(name, arity) => {
                let all = function_places(&context, name, *arity);
                let own = Location { path: path.to_owned(), span };
                // At a definition, go to the one that it overrides.
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
            Symbol::Layer(id) => {
                let place = self.place_of_layer(&self.library, &context.ruleset.game.id, id);
                place.map(|path| Location { path, span: 0..0 }).into_iter().collect()
            }
            Symbol::Words(_) | Symbol::Global(_) => Vec::new(),
            _ => self.declarations(&context, &symbol),
        }
    }

    /// Every definition of the function at a byte: in its layers, and in other variants.
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

    /// All references to the symbol at a byte; with its definitions where `with_definitions` is set.
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

    /// The references within the file to the symbol at a byte.
    pub fn highlights(&mut self, path: &Path, offset: usize) -> Vec<Range<usize>> {
        let Some((context, file, symbol, _)) = self.symbol_at(path, offset) else { return Vec::new() };
        of_file(&context, &file, &symbol, self.language, Some(offset))
    }

    /// The declarations of a symbol, including the definitions of a function.
    pub(super) fn declared(&self, context: &Context, symbol: &Symbol) -> Vec<Location> {
        match symbol {
            Symbol::Function(name, arity) => function_places(context, name, *arity),
            Symbol::Super(name, arity) => function_places(context, name, Some(*arity)),
            Symbol::Local(..) => Vec::new(),
            _ => self.declarations(context, symbol),
        }
    }

    /// The declarations of a symbol in the TOML files of the layers, the topmost first.
    fn declarations(&self, context: &Context, symbol: &Symbol) -> Vec<Location> {
        let files = context.files.iter().rev().map(|(path, source)| FileText::new(path.clone(), source.clone()));
        let mut found = Vec::new();
        for file in files {
            for item in file.toml.iter().flat_map(|toml| &toml.items) {
                let is_declared =
                    |span: &Range<usize>| item.keys.iter().any(|key| key.start <= span.start && span.end <= key.end);
                let own =
                    of_item(context, &file, item).into_iter().filter(|(own, span)| own.is(symbol) && is_declared(span));
                // Keys in `with` and `keeps` refer to declarations of other layers.
                let own = own.filter(|_| !item.path.first().is_some_and(|first| first == "with" || first == "keeps"));
                found.extend(own.map(|(_, span)| Location { path: file.path.clone(), span }));
                // The choices of a setting are declared as values.
                if let Symbol::Choice(_, key, word) = symbol
                    && matches!(&item.path[..], [first, own, choices, _] if first == "settings" && own == key && choices == "choices")
                    && file.source.text.get(item.inside()).is_some_and(|own| own == word)
                {
                    found.push(Location { path: file.path.clone(), span: item.inside() });
                }
            }
        }
        found
    }

    /// The files that can refer to names of a context: those of its layers, all variants of the game, its tests, and
    /// games based on it. With `is_wide`, also those of every game that uses the same libraries.
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

/// Whether a library defines the function, so that other games can use it.
pub(super) fn is_of_library(context: &Context, symbol: &Symbol) -> bool {
    let (Symbol::Function(name, _) | Symbol::Super(name, _)) = symbol else { return false };
    let mut scripts = context.definitions(name, None).into_iter().filter_map(|(script, _)| context.scripts.get(script));
    scripts.any(|script| script.role == LayerRole::Library)
}

/// The definitions of a function in the layers, the topmost first.
pub(super) fn function_places(context: &Context, name: &str, arity: Option<usize>) -> Vec<Location> {
    let places = context.definitions(name, arity).into_iter().rev().filter_map(|(script, at)| {
        let script = context.scripts.get(script)?;
        let span = script.code.functions.get(at)?.name_span.clone();
        Some(Location { path: script.path.clone(), span: script.start + span.start..script.start + span.end })
    });
    places.collect()
}

/// The script in the context that a piece is part of.
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

/// The byte ranges in a file that refer to a symbol; of a local name, only in the piece around byte `around`.
pub(super) fn of_file(
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
            let meant = resolve(context, view, script, token).filter(|(other, _)| other.is(symbol));
            found.extend(meant.map(|(_, span)| piece.span_in_file(&span)));
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
