//! The call hierarchy of functions, through all layers.
//!
//! A call by name reaches the topmost definition, and `super` the one of the layer below. For each file, this is
//! determined from the rules that it belongs to.

use super::code::FunctionSpan;
use super::context::Context;
use super::infer::View;
use super::references::{Location, function_places, is_of_library, script_of};
use super::symbols::{Symbol, resolve};
use super::{FileText, Piece, Workspace};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A function in a call hierarchy, or a test that calls one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The call form of a function; of a test, the name of its file.
    pub name: String,
    /// The id of its layer; empty for a test.
    pub layer: String,
    /// The file that contains it.
    pub path: PathBuf,
    /// The byte range of the whole function.
    pub span: Range<usize>,
    /// The byte range of its name.
    pub name_span: Range<usize>,
}

/// A function at the other end of calls, with the places of these calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calls {
    /// The function that calls or is called.
    pub caller: Caller,
    /// The byte ranges of the calls, in the calling file.
    pub places: Vec<Range<usize>>,
}

impl Workspace {
    /// The function defined or called at a byte.
    pub fn caller_at(&mut self, path: &Path, offset: usize) -> Option<Caller> {
        let (context, file, symbol, span) = self.symbol_at(path, offset)?;
        // A definition stands for itself; anywhere else, the name stands for the definition that a call reaches.
        if matches!(symbol, Symbol::Function(..))
            && let Some((piece, function)) = defined_at(&file, span.start)
        {
            return Some(caller(&context, &file, piece, function));
        }
        let place = reached(&context, &symbol, path)?;
        self.caller_of(&context, &place)
    }

    /// The callers of the function defined at a byte.
    pub fn incoming(&mut self, path: &Path, offset: usize) -> Vec<Calls> {
        let Some((context, file, symbol, span)) = self.symbol_at(path, offset) else { return Vec::new() };
        let Some((piece, function)) = defined_at(&file, span.start) else { return Vec::new() };
        let own = Location { path: path.to_owned(), span: piece.span_in_file(&function.name_span) };
        let mut found: Vec<Calls> = Vec::new();
        for file in self.family(&context, is_of_library(&context, &symbol)) {
            for piece in &file.pieces {
                // `super` depends on the rules around a file, which are read only if needed.
                let mut around = None;
                for token in 0..piece.code.tokens.len() {
                    let word = piece.code.word(token);
                    if word != function.name && word != "super" {
                        continue;
                    }
                    let view = View::new(&context, &piece.code, self.language);
                    let caller_span = view.function_around(token);
                    let calls = match word {
                        "super" => {
                            let is_meant = caller_span.is_some_and(|one| is_same(one, function));
                            is_meant && {
                                let context = around.get_or_insert_with(|| self.context(&file.path)).clone();
                                let symbol = Symbol::Super(function.name.clone(), function.parameters.len());
                                context.and_then(|context| reached(&context, &symbol, &file.path)).as_ref()
                                    == Some(&own)
                            }
                        }
                        _ if piece.code.is_behind(token, "fn") => false,
                        _ => resolve(&context, view, script_of(&context, &file, piece), token)
                            .is_some_and(|(other, _)| other.is(&symbol)),
                    };
                    if !calls {
                        continue;
                    }
                    let from = match caller_span.filter(|_| piece.is_script) {
                        Some(function) => {
                            let around = around.get_or_insert_with(|| self.context(&file.path));
                            caller(around.as_ref().unwrap_or(&context), &file, piece, function)
                        }
                        None => whole_file(&file, piece),
                    };
                    add(&mut found, from, piece.span_in_file(&piece.code.tokens[token].span()));
                }
            }
        }
        found
    }

    /// The functions called by the function defined at a byte.
    pub fn outgoing(&mut self, path: &Path, offset: usize) -> Vec<Calls> {
        let Some((context, file, ..)) = self.symbol_at(path, offset) else { return Vec::new() };
        let Some((piece, function)) = defined_at(&file, offset) else { return Vec::new() };
        let view = View::new(&context, &piece.code, self.language);
        let mut found: Vec<Calls> = Vec::new();
        for token in function.tokens.clone() {
            if piece.code.is_behind(token, "fn") {
                continue;
            }
            let Some((symbol, span)) = resolve(&context, view, script_of(&context, &file, piece), token) else {
                continue;
            };
            if let Some(place) = reached(&context, &symbol, path)
                && let Some(callee) = self.caller_of(&context, &place)
            {
                add(&mut found, callee, piece.span_in_file(&span));
            }
        }
        found
    }

    /// The function whose name is at a place.
    fn caller_of(&self, context: &Context, place: &Location) -> Option<Caller> {
        let file = self.file(&place.path)?;
        let (piece, function) = defined_at(&file, place.span.start)?;
        Some(caller(context, &file, piece, function))
    }
}

/// The definition that a call from a file reaches.
fn reached(context: &Context, symbol: &Symbol, path: &Path) -> Option<Location> {
    match symbol {
        Symbol::Function(name, arity) => function_places(context, name, *arity).into_iter().next(),
        Symbol::Super(name, arity) => {
            let all = function_places(context, name, Some(*arity));
            let own = all.iter().position(|place| place.path == path);
            all.into_iter().nth(own.map_or(0, |own| own + 1))
        }
        _ => None,
    }
}

fn is_same(one: &FunctionSpan, other: &FunctionSpan) -> bool {
    one.name == other.name && one.parameters.len() == other.parameters.len()
}

/// The function whose name contains a byte of a file.
fn defined_at(file: &FileText, offset: usize) -> Option<(&Piece, &FunctionSpan)> {
    let (piece, at) = file.piece_at(offset).filter(|(piece, _)| piece.is_script)?;
    let has = |one: &&FunctionSpan| one.name_span.start <= at && at <= one.name_span.end;
    Some((piece, piece.code.functions.iter().find(has)?))
}

fn caller(context: &Context, file: &FileText, piece: &Piece, function: &FunctionSpan) -> Caller {
    let script = context.scripts.iter().find(|script| script.path == file.path);
    Caller {
        name: function.call(),
        layer: script.map_or_else(|| stem(&file.path), |script| script.layer_in_words()),
        path: file.path.clone(),
        span: piece.span_in_file(&function.span),
        name_span: piece.span_in_file(&function.name_span),
    }
}

fn whole_file(file: &FileText, piece: &Piece) -> Caller {
    let span = piece.span_in_file(&(0..piece.code.text.len()));
    Caller {
        name: stem(&file.path),
        layer: String::new(),
        path: file.path.clone(),
        span: span.clone(),
        name_span: span,
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn add(found: &mut Vec<Calls>, caller: Caller, place: Range<usize>) {
    match found.iter_mut().find(|one| one.caller.path == caller.path && one.caller.name_span == caller.name_span) {
        Some(one) => one.places.push(place),
        None => found.push(Calls { caller, places: vec![place] }),
    }
}
