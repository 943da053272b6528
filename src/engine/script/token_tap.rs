//! The tap on the tokens between the lexer and the parser: it collects them, and gives the parser others instead.

use crate::work::Work;
use rhai::{Engine, Position, Token};
use std::cell::{RefCell, RefMut};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// A tap on the tokens of an engine, which are collected or renamed on their way to the parser.
#[derive(Clone, Default)]
pub struct TokenTap(Rc<RefCell<TapState>>);

#[derive(Default)]
struct TapState {
    work: Arc<Work>,
    collecting: bool,
    tokens: Vec<(Token, Position)>,
    replaced: HashMap<Position, Token>,
}

impl TokenTap {
    /// A tap that ends the parsing when `work` is stopped.
    pub fn new(work: Arc<Work>) -> Self {
        Self(Rc::new(RefCell::new(TapState { work, ..TapState::default() })))
    }

    /// Installs the tap in the parser of an engine.
    pub fn install(&self, engine: &mut Engine) {
        let tap = self.0.clone();
        // Deprecated means volatile here: the pinned version of the interpreter has it.
        #[allow(deprecated)]
        engine.on_parse_token(move |token, position, _| {
            let mut tap = tap.borrow_mut();
            if tap.work.is_stopped() {
                return Token::EOF;
            }
            let replaced = tap.replaced.get(&position).cloned();
            if tap.collecting {
                tap.tokens.push((replaced.as_ref().unwrap_or(&token).clone(), position));
            }
            if let Some(other) = replaced {
                return other;
            }
            // While collecting, `super` passes as a name, so that the parser goes on.
            match token {
                Token::Reserved(word) if **word == *"super" => Token::Identifier(word),
                other => other,
            }
        });
    }

    /// Runs `parse`, and returns its result with the tokens that the parser read.
    pub fn collect<T>(&self, parse: impl FnOnce() -> T) -> (T, Vec<(Token, Position)>) {
        {
            let mut tap = self.0.borrow_mut();
            tap.collecting = true;
            tap.tokens.clear();
        }
        let parsed = parse();
        let mut tap = self.0.borrow_mut();
        tap.collecting = false;
        (parsed, std::mem::take(&mut tap.tokens))
    }

    /// The tokens that the parser gets instead of those at these positions.
    pub fn replaced(&self) -> RefMut<'_, HashMap<Position, Token>> {
        RefMut::map(self.0.borrow_mut(), |tap| &mut tap.replaced)
    }
}
