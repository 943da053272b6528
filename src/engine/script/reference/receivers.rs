//! Rewrites method calls of words that take a function as function calls, where the receiver would be locked.
//!
//! The interpreter shares a variable with a function that captures it, and locks the variable that a chain of calls
//! begins with while the chain runs. So `p.hand.any(|card| fits(p, card))` would find its own variable locked.
//! `any(p.hand, |card| …)` means the same and does not; one form becomes the other token for token, so that no position
//! is lost.

use crate::script::vocabulary::{Form, words_named};
use rhai::Token;

/// Turns `p.hand.any(…)` into `any(p.hand, …)` wherever the arguments use the variable that the chain begins with.
pub(crate) fn turn_calls(tokens: &mut [Token]) {
    for dot in 1..tokens.len().saturating_sub(2) {
        if takes_function(&tokens[dot..])
            && let Some(start) = chain_start(tokens, dot)
            && let Token::Identifier(root) = &tokens[start]
            && uses(&tokens[dot + 3..], root)
        {
            // The tokens before the dot go behind `word (`, and the dot becomes the comma.
            tokens[dot] = Token::Comma;
            tokens[start..dot + 3].rotate_right(2);
        }
    }
}

/// Whether the tokens begin with `. word (`, and the word takes a function.
fn takes_function(tokens: &[Token]) -> bool {
    let [Token::Period, Token::Identifier(name), Token::LeftParen, ..] = tokens else { return false };
    words_named(name).any(|word| word.form == Form::Callback)
}

/// Index of the first token of the chain of names, calls and indexes before a dot; `None` if it does not begin with a
/// name.
fn chain_start(tokens: &[Token], dot: usize) -> Option<usize> {
    let mut at = dot.checked_sub(1)?;
    loop {
        match &tokens[at] {
            Token::RightParen | Token::RightBracket => at = opening(tokens, at)?.checked_sub(1)?,
            // `()` is one token.
            Token::Unit => at = at.checked_sub(1)?,
            Token::Identifier(_) => match at.checked_sub(1).map(|before| &tokens[before]) {
                Some(Token::Period) => at = at.checked_sub(2)?,
                _ => return Some(at),
            },
            _ => return None,
        }
    }
}

/// Index of the opening bracket that belongs to a closing one.
fn opening(tokens: &[Token], closing: usize) -> Option<usize> {
    let mut depth = 0_usize;
    (0..=closing).rev().find(|&at| {
        match &tokens[at] {
            Token::RightParen | Token::RightBracket | Token::RightBrace => depth += 1,
            Token::LeftParen | Token::LeftBracket | Token::LeftBrace | Token::MapStart => {
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
        depth == 0
    })
}

/// Whether a variable is used in the arguments that begin here, before the bracket that closes them.
fn uses(tokens: &[Token], variable: &str) -> bool {
    let mut depth = 1_usize;
    let mut before = &Token::LeftParen;
    for token in tokens {
        match token {
            Token::LeftParen | Token::LeftBracket | Token::LeftBrace | Token::MapStart => depth += 1,
            Token::RightParen | Token::RightBracket | Token::RightBrace => depth = depth.saturating_sub(1),
            Token::Identifier(name) if name.as_str() == variable && *before != Token::Period => return true,
            _ => {}
        }
        if depth == 0 {
            return false;
        }
        before = token;
    }
    false
}
