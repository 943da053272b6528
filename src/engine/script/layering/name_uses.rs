//! The uses of names among the tokens of a script: of functions that another name is given to, and of words by their
//! old names.

use crate::definition::Edition;
use crate::diagnostic::Source;
use crate::script::functions::FunctionInfo;
use crate::script::parse_errors::script_point;
use crate::script::vocabulary::old::{OLD_NAMES, OldForm, OldName};
use rhai::{Engine, Position, Token};
use std::ops::Range;

/// The functions whose uses in a script are renamed: its own private ones, and those with the name of a word. A layer
/// below every definition of such a function means the word.
pub(super) fn renamed_for(functions: &[FunctionInfo], script: usize) -> Vec<&FunctionInfo> {
    let is_defined_for = |function: &FunctionInfo| {
        let mut same = functions.iter().filter(|other| !other.is_private && other.name == function.name);
        same.any(|other| other.parameters.len() == function.parameters.len() && other.script <= script)
    };
    let is_renamed = |function: &&FunctionInfo| match function.is_private {
        true => function.script == script,
        false => function.is_highest && function.flat_name != function.name && is_defined_for(function),
    };
    // A private function is preferred to one that all layers share.
    let (private, shared): (Vec<_>, Vec<_>) =
        functions.iter().filter(is_renamed).partition(|function| function.is_private);
    private.into_iter().chain(shared).collect()
}

/// The uses of renamed functions in a script: calls with the right number of arguments, and names passed to a word. A
/// name that `is_zone` knows is a zone where it stands alone.
pub(super) fn uses_of_renamed<'f>(
    tokens: &[(Token, Position)],
    renamed: &[&'f FunctionInfo],
    is_zone: impl Fn(&str) -> bool,
) -> Vec<(Position, &'f str)> {
    let mut uses = Vec::new();
    for (index, (token, at)) in tokens.iter().enumerate() {
        let Token::Identifier(name) = token else { continue };
        let before = index.checked_sub(1).map(|before| &tokens[before].0);
        // `p.name` is a property, and `let name`, `|name|` and `fn f(name)` begin a name of their own.
        if matches!(before, Some(Token::Period | Token::Fn | Token::Let | Token::Const)) {
            continue;
        }
        let rest = &tokens[index + 1..];
        let is_handed = matches!(before, Some(Token::LeftParen | Token::Comma))
            && matches!(rest.first(), Some((Token::RightParen | Token::Comma, _)))
            && !is_zone(name);
        let arguments = arguments_of(rest);
        let found = renamed.iter().find(|function| {
            let fits = match arguments {
                Some(count) => function.parameters.len() == count,
                None => is_handed && !function.parameters.is_empty(),
            };
            function.name == name.as_str() && fits
        });
        // A local name hides the function, as everywhere.
        if let Some(function) = found
            && (arguments.is_some() || !is_own_name(&tokens[..index], name))
        {
            uses.push((*at, function.flat_name.as_str()));
        }
    }
    uses
}

/// Where a script of an earlier edition uses a word by its old name. A name that the definition declares or a script
/// defines is preferred to the word.
pub(super) fn old_names_in(
    tokens: &[(Token, Position)],
    edition: Edition,
    functions: &[FunctionInfo],
    is_declared: impl Fn(&str) -> bool,
) -> Vec<(Position, &'static OldName)> {
    let is_text = |name: &str| {
        tokens.iter().any(|(token, _)| matches!(token, Token::StringConstant(text) if text.as_str() == name))
    };
    let mut found = Vec::new();
    for (index, (token, at)) in tokens.iter().enumerate() {
        let Token::Identifier(name) = token else { continue };
        let is_method = matches!(index.checked_sub(1).map(|before| &tokens[before].0), Some(Token::Period));
        let arguments = arguments_of(&tokens[index + 1..]);
        let form = match (arguments, is_method) {
            (None, true) if !is_declared(name) && !is_text(name) => OldForm::Property,
            (Some(count), true) => OldForm::Called(count),
            // A function call has the receiver as the first argument.
            (Some(count), false) if count > 0 => {
                if functions.iter().any(|function| function.name == name.as_str() && function.parameters.len() == count)
                {
                    continue;
                }
                OldForm::Called(count - 1)
            }
            _ => continue,
        };
        let old = OLD_NAMES.iter().find(|old| old.name == name.as_str() && old.form == form && edition < old.since);
        found.extend(old.map(|old| (*at, old)));
    }
    found
}

/// The byte ranges where an expression of an earlier edition uses a word by its old name.
pub fn old_names_of_expression(engine: &Engine, text: &str, edition: Edition) -> Vec<(Range<usize>, &'static OldName)> {
    let tokens: Vec<(Token, Position)> = engine.lex(&[text]).0.take_while(|(token, _)| *token != Token::EOF).collect();
    let source = Source::new("", text);
    // The declarations of the rules are unknown here, so any property may be one of them.
    let found = old_names_in(&tokens, edition, &[], |_| true).into_iter();
    found
        .map(|(at, old)| {
            let point = script_point(at);
            let start = source.offset(usize::from(point.line), usize::from(point.column));
            (start..start + old.name.len(), old)
        })
        .collect()
}

/// Number of arguments of the call whose parentheses begin here; `None` if this is no call.
fn arguments_of(tokens: &[(Token, Position)]) -> Option<usize> {
    match tokens.first()?.0 {
        Token::Unit => return Some(0),
        Token::LeftParen => {}
        _ => return None,
    }
    let (mut depth, mut commas, mut is_empty) = (0_usize, 0, true);
    for (token, _) in tokens {
        match token {
            Token::LeftParen | Token::LeftBracket | Token::LeftBrace | Token::MapStart => depth += 1,
            Token::RightParen | Token::RightBracket | Token::RightBrace => depth = depth.saturating_sub(1),
            Token::Comma if depth == 1 => commas += 1,
            _ => {}
        }
        match depth {
            0 if is_empty => return Some(0),
            0 => return Some(commas + 1),
            _ => is_empty &= *token == Token::LeftParen && depth == 1,
        }
    }
    None
}

/// Whether the function at the end of these tokens has a parameter or variable called `name`.
fn is_own_name(tokens: &[(Token, Position)], name: &str) -> bool {
    let start = tokens.iter().rposition(|(token, _)| *token == Token::Fn).unwrap_or(0);
    tokens[start..].windows(2).any(|pair| match pair {
        [(before, _), (Token::Identifier(own), _)] => {
            own.as_str() == name && matches!(before, Token::Let | Token::Const | Token::For | Token::Pipe)
        }
        _ => false,
    }) || parameters_after(tokens.get(start + 2..).unwrap_or_default()).iter().any(|own| own == name)
}

/// The names of the parameters between the parentheses that begin here.
pub(in crate::script) fn parameters_after(tokens: &[(Token, Position)]) -> Vec<String> {
    // `()` is one token of its own.
    if matches!(tokens.first(), Some((Token::Unit, _))) {
        return Vec::new();
    }
    tokens
        .iter()
        .take_while(|(token, _)| !matches!(token, Token::RightParen))
        .filter_map(|(token, _)| match token {
            Token::Identifier(name) => Some(name.to_string()),
            _ => None,
        })
        .collect()
}

pub(super) fn identifier(name: &str) -> Token {
    Token::Identifier(Box::new(name.into()))
}
