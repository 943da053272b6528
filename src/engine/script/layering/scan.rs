//! The scan of a script: one pass over its tokens that finds its functions, `super` and `settings`, before the layers
//! are joined.

use super::name_uses::parameters_after;
use super::{SEPARATOR, padded};
use crate::definition::ScriptText;
use crate::diagnostic::{Diagnostic, Diagnostics, message};
use crate::ruleset::{Role, Ruleset};
use crate::script::codes;
use crate::script::functions::FunctionInfo;
use crate::script::masked_script;
use crate::script::parse_errors::{self, script_point};
use crate::script::token_tap::TokenTap;
use rhai::{Engine, Position, Token};
use std::ops::Range;

/// The findings of one pass over the tokens of a script.
pub(super) struct ScriptScan {
    pub(super) script: usize,
    pub(super) functions: Vec<FunctionInfo>,
    /// For each function, the range of its tokens from `fn` to its closing brace.
    pub(super) spans: Vec<Range<usize>>,
    pub(super) supers: Vec<SuperCall>,
    pub(super) settings: Vec<(Position, usize)>,
    pub(super) tokens: Vec<(Token, Position)>,
}

pub(super) struct SuperCall {
    pub(super) at: Position,
    pub(super) name: String,
    pub(super) arity: usize,
}

/// Parses a script and scans its tokens. `text` is the script after as many empty lines as the joined scripts have
/// before it.
///
/// # Errors
/// Every syntax error and misuse of names in the script.
pub(super) fn scan(
    engine: &Engine,
    tap: &TokenTap,
    ruleset: &Ruleset,
    (number, role): (usize, Role),
    text: &str,
) -> Result<ScriptScan, Diagnostics> {
    if let Some(layer) = ruleset.scripts.get(number) {
        refuse_lexical_errors(&layer.script)?;
    }
    let (parsed, tokens) = tap.collect(|| engine.compile(text));
    let ast = parsed.map_err(|error| parse_errors::from_parse_error(ruleset, &error, &tokens))?;
    if let Some(statement) = ast.statements().first() {
        let place = ruleset.place(script_point(statement.position()), "outside any function");
        let is_fixed =
            tokens.iter().any(|(token, at)| *at == statement.position() && matches!(token, Token::Const | Token::Let));
        let help = match is_fixed {
            true => {
                "put a number of the rulebook into `[data]` of the TOML file, and read it as `data.NAME`; put one that \
                 people may set into `[settings]`"
            }
            false => "put this into a function; the host calls `game()`",
        };
        let error = Diagnostic::new("a rules script contains only functions").help(help).with_code(codes::SYNTAX);
        return Err(error.at_maybe(place).into());
    }
    scan_tokens(ruleset, number, role, &tokens)
}

/// Finds definitions, `super`, `settings` and forbidden names in one pass over the tokens of a script.
fn scan_tokens(
    ruleset: &Ruleset,
    number: usize,
    role: Role,
    tokens: &[(Token, Position)],
) -> Result<ScriptScan, Diagnostics> {
    let mut scan = ScriptScan {
        script: number,
        functions: Vec::new(),
        spans: Vec::new(),
        supers: Vec::new(),
        settings: Vec::new(),
        tokens: tokens.to_vec(),
    };
    let mut trouble = Vec::new();
    let mut current: Option<usize> = None;
    let mut depth = 0_usize;
    let mut header = false;
    for (index, (token, position)) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| &tokens[before].0);
        let here = |label: &'static str| ruleset.place(script_point(*position), label);
        match token {
            Token::Fn => header = true,
            Token::Identifier(name) if header && matches!(before, Some(Token::Fn)) => {
                let parameters = parameters_after(&tokens[index + 1..]);
                scan.functions.push(FunctionInfo {
                    name: name.to_string(),
                    parameters,
                    script: number,
                    at: script_point(*position),
                    last_line: 0,
                    flat_name: name.to_string(),
                    is_highest: false,
                    is_private: matches!(index.checked_sub(2).map(|before| &tokens[before].0), Some(Token::Private)),
                });
                scan.spans.push(index - 1..index + 1);
                current = Some(scan.functions.len() - 1);
            }
            // `${` of an interpolated string counts as an opening brace too.
            Token::LeftBrace | Token::MapStart | Token::InterpolatedString(_) => {
                if matches!(token, Token::LeftBrace | Token::MapStart) {
                    depth += 1;
                }
                header = false;
            }
            Token::RightBrace => {
                depth = depth.saturating_sub(1);
                if depth == 0
                    && let Some(function) = current.take()
                {
                    scan.functions[function].last_line = position.line().unwrap_or(0) as u16;
                    scan.spans[function].end = index + 1;
                }
            }
            Token::Reserved(word) if **word == *"super" => {
                let called = matches!(tokens.get(index + 1), Some((Token::LeftParen | Token::Unit, _)));
                let method = matches!(before, Some(Token::Period));
                match current.filter(|_| called && !method) {
                    Some(function) if scan.functions[function].is_private => {
                        let name = &scan.functions[function].name;
                        let error = Diagnostic::new(message!("`{name}` is private, so it cannot override a function"))
                            .help("leave `private` out to override the function of the layer below")
                            .with_code(codes::WRONG_SUPER);
                        trouble.push(error.at_maybe(here("in a private function")));
                    }
                    Some(function) => scan.supers.push(SuperCall {
                        at: *position,
                        name: scan.functions[function].name.clone(),
                        arity: scan.functions[function].parameters.len(),
                    }),
                    None => {
                        let error = Diagnostic::new("`super` can only be called: `super(…)`")
                            .help("it calls the definition that the function around it has in the layer below")
                            .with_code(codes::WRONG_SUPER);
                        trouble.push(error.at_maybe(here("not a call inside a function")));
                    }
                }
            }
            _ => {}
        }
        if let Token::Identifier(name) = token {
            if name.contains(SEPARATOR) {
                let error = Diagnostic::new(message!("`{name}` has a double underscore"))
                    .help("names with `__` belong to the host; use a single one")
                    .with_code(codes::RESERVED_NAME);
                trouble.push(error.at_maybe(here("this name")));
            }
            if name.as_str() == "settings" && !matches!(before, Some(Token::Period)) {
                match role {
                    Role::Base(number) => scan.settings.push((*position, number)),
                    Role::Game => scan.settings.push((*position, ruleset.game_number())),
                    Role::Variant(variant) => scan.settings.push((*position, ruleset.game_number() + 1 + variant)),
                    Role::Library => {
                        let error = Diagnostic::new("a library has no settings of its own")
                            .help("let the game or variant that uses it pass the value as an argument")
                            .with_code(codes::RESERVED_NAME);
                        trouble.push(error.at_maybe(here("in a library")));
                    }
                }
            }
        }
    }
    Diagnostics::refuse(trouble)?;
    Ok(scan)
}

/// Refuses mistakes that the parser does not report.
pub(in crate::script) fn refuse_lexical_errors(
    ScriptText { text, source, start, .. }: &ScriptText,
) -> Result<(), Diagnostics> {
    let misread = masked_script::lexical_errors(text, source, *start).into_iter();
    Diagnostics::refuse(misread.map(|error| error.with_code(codes::SYNTAX)).collect())
}

/// The functions of the script with index `number`, each with its tokens as text, without blanks and comments. Over all
/// scripts, the functions come in the order of [`JoinedScripts::functions`](super::JoinedScripts::functions).
///
/// # Errors
/// Every syntax error and misuse of names in the script.
pub fn words_of_functions(
    engine: &Engine,
    tap: &TokenTap,
    ruleset: &Ruleset,
    number: usize,
) -> Result<Vec<(FunctionInfo, Vec<String>)>, Diagnostics> {
    let Some(script) = ruleset.scripts.get(number) else { return Ok(Vec::new()) };
    let text = padded(script, &script.script.text);
    let ScriptScan { functions, spans, tokens, .. } = scan(engine, tap, ruleset, (number, script.role), &text)?;
    let words = spans.into_iter().map(|span| {
        let tokens = tokens.get(span).unwrap_or_default();
        tokens.iter().map(|(token, _)| word(token)).collect()
    });
    Ok(functions.into_iter().zip(words).collect())
}

/// A token as text that differs from the text of every other token.
fn word(token: &Token) -> String {
    match token {
        Token::StringConstant(text) => format!("\"{text}"),
        Token::InterpolatedString(text) => format!("`{text}"),
        Token::CharConstant(letter) => format!("'{letter}"),
        other => other.to_string(),
    }
}
