//! Expressions that a person typed, compiled so that they reach the functions and settings of all layers.

use super::name_uses::{identifier, uses_of_renamed};
use super::{LAST_VALUE, TokenRewrite, settings_name};
use crate::ruleset::Ruleset;
use crate::script::functions::FunctionInfo;
use crate::script::token_tap::TokenTap;
use rhai::{AST, Engine, EvalAltResult, Position, Scope, Token};
use std::collections::HashMap;

/// Compiles an expression that a person typed, which can call `functions`. `_` is the value of the previous expression;
/// `settings` are those of the only layer of `ruleset` that has the key.
///
/// # Errors
/// The expression does not parse.
pub fn compile_typed(
    engine: &Engine,
    tap: &TokenTap,
    scope: &Scope<'_>,
    text: &str,
    functions: &[FunctionInfo],
    ruleset: &Ruleset,
    rewrite: TokenRewrite,
) -> Result<AST, Box<EvalAltResult>> {
    *tap.replaced() = typed_names(engine, text, functions, ruleset);
    let (parsed, tokens) = tap.collect(|| engine.compile_with_scope(scope, text));
    if let Err(error) = parsed {
        tap.replaced().clear();
        return Err(error.into());
    }
    if let Some(rewrite) = rewrite {
        let mut turned: Vec<Token> = tokens.iter().map(|(token, _)| token.clone()).collect();
        rewrite(&mut turned);
        let changed = tokens.into_iter().zip(turned).filter(|((written, _), turned)| written != turned);
        tap.replaced().extend(changed.map(|((_, at), turned)| (at, turned)));
    }
    let compiled = engine.compile_with_scope(scope, text);
    tap.replaced().clear();
    Ok(compiled?)
}

/// The tokens that replace `_`, `settings`, and functions with the name of a word in a typed expression, by position.
fn typed_names(engine: &Engine, text: &str, functions: &[FunctionInfo], ruleset: &Ruleset) -> HashMap<Position, Token> {
    // The lexer repeats the end token without end.
    let tokens: Vec<(Token, Position)> = engine.lex(&[text]).0.take_while(|(token, _)| *token != Token::EOF).collect();
    let renamed: Vec<&FunctionInfo> =
        functions.iter().filter(|function| function.is_highest && function.flat_name != function.name).collect();
    let uses = uses_of_renamed(&tokens, &renamed, |_| false);
    let mut names: HashMap<Position, Token> = uses.into_iter().map(|(at, name)| (at, identifier(name))).collect();
    for (index, (token, at)) in tokens.iter().enumerate() {
        let next = |ahead: usize| tokens.get(index + ahead).map(|(token, _)| token);
        match (token, next(1), next(2)) {
            // The last case of a `switch`.
            (Token::Underscore, Some(Token::DoubleArrow), _) => {}
            (Token::Underscore, ..) => {
                names.insert(*at, identifier(LAST_VALUE));
            }
            (Token::Identifier(name), Some(Token::Period), Some(Token::Identifier(key))) if **name == *"settings" => {
                // The layer is clear if exactly one layer has the key.
                let mut having =
                    ruleset.settings.iter().enumerate().filter(|(_, (_, values))| values.contains_key(key.as_str()));
                if let (Some((layer, _)), None) = (having.next(), having.next()) {
                    names.insert(*at, identifier(&settings_name(layer)));
                }
            }
            _ => {}
        }
    }
    names
}
