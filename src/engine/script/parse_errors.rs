//! Messages for the parser's errors: what is missing, where, and what rules write instead.

mod context;
mod wording;

use crate::diagnostic::{Diagnostic, Place};
use crate::ruleset::Ruleset;
use crate::script::codes;
use crate::script::masked_script::MaskedScript;
use crate::table::event::ScriptPoint;
use context::ParserErrorContext;
use rhai::{ParseError, ParseErrorType, Position, Token};
use wording::{IS_MISSING, message_and_help, missing_here};

/// A position of the parser as a point of the joined scripts.
pub(crate) fn script_point(position: Position) -> ScriptPoint {
    ScriptPoint { line: position.line().unwrap_or(0) as u16, column: position.position().unwrap_or(0) as u16 }
}

/// The message for a parser error in a script of a ruleset; `tokens` are those that the parser read.
pub fn from_parse_error(ruleset: &Ruleset, error: &ParseError, tokens: &[(Token, Position)]) -> Diagnostic {
    let begins = |at| ruleset.script_at(at).map_or(0, |layer| layer.script.start);
    in_script(error, tokens, &|at, label| ruleset.place(at, label), begins)
}

/// The message for a parser error; `tokens` are those that the parser read. `place_of` gives the place of a point, and
/// `begins` the byte of the source at which the script with a point begins.
pub fn in_script(
    error: &ParseError,
    tokens: &[(Token, Position)],
    place_of: &dyn Fn(ScriptPoint, &'static str) -> Option<Place>,
    begins: impl Fn(ScriptPoint) -> usize,
) -> Diagnostic {
    let at = script_point(error.position());
    let Some(place) = place_of(at, "here") else {
        return in_words(error.err_type(), None, 0).with_code(codes::SYNTAX);
    };
    let diagnostic = in_words(error.err_type(), Some(place), begins(at));
    // An open bracket explains only an error that something is missing.
    let is_missing = !is_missing_end(error.err_type()) || diagnostic.message.ends_with(IS_MISSING);
    let is_of_end = diagnostic.message == missing_here("}") || is_of_brackets(error.err_type()) && is_missing;
    let open = innermost_open(tokens, error.position()).filter(|_| is_of_end);
    let unclosed = open.and_then(|at| place_of(script_point(at), "this is not closed"));
    diagnostic.related_maybe(unclosed).with_code(codes::SYNTAX)
}

/// The message for a parser error of a kind, at its place; the script begins at byte `begins` of the place's source.
pub fn in_words(kind: &ParseErrorType, place: Option<Place>, begins: usize) -> Diagnostic {
    let near = place.as_ref().map(|place| ParserErrorContext::of(place, begins)).unwrap_or_default();
    let (message, help) = message_and_help(kind, &near);
    let is_missing = is_missing_end(kind) && message.ends_with(IS_MISSING);
    let diagnostic = Diagnostic::new(message).help_maybe(help);
    match place {
        Some(place) if is_missing && near.foreign().is_none() => diagnostic.at(behind_the_last(place)),
        Some(place) => diagnostic.at(match near.foreign() {
            Some(_) if !near.is_at_foreign() => near.place_of_before(place),
            _ => place,
        }),
        None => diagnostic,
    }
}

/// Whether the error is about a missing end, which belongs behind the last word and not before the next one.
fn is_missing_end(kind: &ParseErrorType) -> bool {
    matches!(kind, ParseErrorType::MissingToken(token, _) if matches!(token.as_str(), ";" | "," | ")" | "]"))
}

/// Whether a bracket that was left open can be the cause of the error.
fn is_of_brackets(kind: &ParseErrorType) -> bool {
    match kind {
        ParseErrorType::UnexpectedEOF | ParseErrorType::WrongFnDefinition => true,
        ParseErrorType::MissingToken(token, _) => matches!(token.as_str(), ")" | "]" | "}" | ","),
        _ => false,
    }
}

/// The end of the code before a place, comments skipped; the place itself where a `=` is at fault or no code is before
/// it.
fn behind_the_last(place: Place) -> Place {
    let text = &place.source.text;
    let start = place.span.start.min(text.len());
    if text[start..].starts_with('=') {
        return place;
    }
    let end = MaskedScript::of(&text[..start]).code.trim_end().len();
    if end == 0 { place } else { Place { span: end..end, ..place } }
}

/// The innermost bracket that is open where the parser stopped; `None` where none is.
fn innermost_open(tokens: &[(Token, Position)], end: Position) -> Option<Position> {
    let mut open = Vec::new();
    for (token, at) in tokens.iter().take_while(|(_, at)| end.is_none() || *at < end) {
        match token {
            Token::LeftBrace | Token::LeftParen | Token::LeftBracket | Token::MapStart => open.push(*at),
            Token::RightBrace | Token::RightParen | Token::RightBracket => drop(open.pop()),
            _ => {}
        }
    }
    open.pop()
}
