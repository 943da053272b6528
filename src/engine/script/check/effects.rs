//! The effects of functions on the game, their own and those of the functions that they call.

use super::calls::parameters_of_function;
use super::known::{RulesContext, called_words};
use crate::script::program::{Expr, ExprKind, FunctionId, FunctionValue, Piece, Statement, StatementKind, Target};
use crate::table::event::ScriptPoint;

/// The effects of code beyond giving a value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Effects {
    /// The code asks a player.
    pub asks: bool,
    /// The code changes the table, or draws lots.
    pub changes: bool,
}

impl Effects {
    fn and(self, other: Self) -> Self {
        Self { asks: self.asks || other.asks, changes: self.changes || other.changes }
    }
}

pub(super) enum EffectCause {
    /// A word, or an assignment to a variable.
    Here(Effects),
    /// A call of a function of the scripts.
    Call(FunctionId),
}

impl RulesContext<'_> {
    /// The effects of every function, those of its calls included.
    pub(super) fn effects_of_functions(&self) -> Vec<Effects> {
        let functions = &self.scripts.program.functions;
        let mut effects = vec![Effects::default(); functions.len()];
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); functions.len()];
        for (number, function) in functions.iter().enumerate() {
            function.body.walk(&mut |piece| {
                self.visit_effects(piece, &mut |cause, _| match cause {
                    EffectCause::Here(own) => effects[number] = effects[number].and(own),
                    EffectCause::Call(callee) => callers[usize::from(callee)].push(number),
                });
            });
        }
        let mut open: Vec<usize> = (0..functions.len()).collect();
        while let Some(callee) = open.pop() {
            for &caller in &callers[callee] {
                let both = effects[caller].and(effects[callee]);
                if std::mem::replace(&mut effects[caller], both) != both {
                    open.push(caller);
                }
            }
        }
        effects
    }

    /// Reports what has an effect in a piece itself, and where.
    pub(super) fn visit_effects(&self, piece: Piece<'_>, tell: &mut dyn FnMut(EffectCause, ScriptPoint)) {
        match piece {
            Piece::Statement(Statement {
                kind: StatementKind::Set { target: Target::Property { at, .. }, .. },
                ..
            }) => tell(EffectCause::Here(Effects { asks: false, changes: true }), *at),
            Piece::Expr(Expr { kind: ExprKind::Call(call), at }) => tell(EffectCause::Call(call.function), *at),
            Piece::Expr(Expr { kind: ExprKind::Word(call), at }) => {
                let count = call.arguments.len();
                let meant = || called_words(&call.name, count);
                let own = Effects { asks: meant().any(|word| word.asks), changes: meant().any(|word| word.changes()) };
                if own != Effects::default() {
                    tell(EffectCause::Here(own), *at);
                }
                for (position, argument) in call.arguments.iter().enumerate() {
                    let handed = self.passed_function(argument, parameters_of_function(&call.name, count, position));
                    handed.into_iter().for_each(|function| tell(EffectCause::Call(function), argument.at));
                }
            }
            _ => {}
        }
    }

    /// The function whose name is passed to a word that calls it with `given` arguments; `None` for any other argument.
    pub(super) fn passed_function(&self, argument: &Expr, given: Option<usize>) -> Option<FunctionId> {
        match (&argument.kind, given) {
            (ExprKind::Function(function), Some(given)) => match &**function {
                FunctionValue::Named(name) => self.function_defined_as(name, given),
                FunctionValue::Closure(..) => None,
            },
            _ => None,
        }
    }
}
