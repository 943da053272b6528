//! The parts of statements and expressions: direct parts, and a walk to any depth.

use super::{Block, Call, Expr, ExprKind, Function, FunctionId, FunctionValue, Slot};
use super::{Statement, StatementKind, Target, WordCall};
use crate::table::event::ScriptPoint;

/// A direct part of a statement or an expression.
#[derive(Clone, Copy, Debug)]
pub enum Part<'p> {
    /// A block of statements.
    Block(&'p Block),
    /// An expression.
    Expr(&'p Expr),
}

impl Statement {
    /// Visits the direct parts of the statement in the order in which they are written.
    pub fn parts<'p>(&'p self, tell: &mut dyn FnMut(Part<'p>)) {
        match &self.kind {
            StatementKind::Let(_, value) | StatementKind::Expr(value) => tell(Part::Expr(value)),
            StatementKind::Set { target, value, .. } => {
                match target {
                    Target::Local(..) => {}
                    Target::Property { of: inner, .. } | Target::Entry(_, inner, _) | Target::Other(inner) => {
                        tell(Part::Expr(inner));
                    }
                }
                tell(Part::Expr(value));
            }
            StatementKind::If(condition, then, otherwise) => {
                tell(Part::Expr(condition));
                tell(Part::Block(then));
                tell(Part::Block(otherwise));
            }
            StatementKind::Switch(switch) => {
                tell(Part::Expr(&switch.value));
                for case in &switch.cases {
                    case.condition.iter().chain([&case.value]).for_each(|inner| tell(Part::Expr(inner)));
                }
                switch.default.iter().for_each(|default| tell(Part::Expr(default)));
            }
            StatementKind::While(condition, body) => {
                condition.iter().for_each(|condition| tell(Part::Expr(condition)));
                tell(Part::Block(body));
            }
            StatementKind::For(parts) => {
                tell(Part::Expr(&parts.list));
                tell(Part::Block(&parts.body));
            }
            StatementKind::Return(value) | StatementKind::Throw(value) => {
                value.iter().for_each(|value| tell(Part::Expr(value)));
            }
            StatementKind::Break | StatementKind::Continue => {}
            StatementKind::Block(block) => tell(Part::Block(block)),
        }
    }
}

impl Expr {
    /// Visits the direct parts of the expression; for a closure, its body.
    pub fn parts<'p>(&'p self, tell: &mut dyn FnMut(Part<'p>)) {
        match &self.kind {
            ExprKind::Joined(list) | ExprKind::List(list) | ExprKind::And(list) | ExprKind::Or(list) => {
                list.iter().for_each(|inner| tell(Part::Expr(inner)));
            }
            ExprKind::Call(Call { arguments, .. }) | ExprKind::Word(WordCall { arguments, .. }) => {
                arguments.iter().for_each(|inner| tell(Part::Expr(inner)));
            }
            ExprKind::Property(inner, _) | ExprKind::Not(inner) | ExprKind::Negative(inner) => tell(Part::Expr(inner)),
            ExprKind::Index(of, index) => {
                tell(Part::Expr(of));
                tell(Part::Expr(index));
            }
            ExprKind::Binary(_, sides) | ExprKind::Range(sides, _) => {
                sides.iter().for_each(|inner| tell(Part::Expr(inner)));
            }
            ExprKind::Block(block) => tell(Part::Block(block)),
            ExprKind::Function(function) => {
                if let FunctionValue::Closure(_, body) = &**function {
                    tell(Part::Block(body));
                }
            }
            ExprKind::Nothing
            | ExprKind::Number(_)
            | ExprKind::Truth(_)
            | ExprKind::Text(_)
            | ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Unknown(_)
            | ExprKind::Refused => {}
        }
    }
}

/// A statement or an expression, at any depth.
#[derive(Clone, Copy, Debug)]
pub enum Piece<'p> {
    /// A statement.
    Statement(&'p Statement),
    /// An expression.
    Expr(&'p Expr),
}

impl Function {
    /// The functions that this one calls, in the order of the calls.
    pub fn calls(&self) -> Vec<FunctionId> {
        let mut calls = Vec::new();
        self.body.walk(&mut |piece| {
            if let Piece::Expr(Expr { kind: ExprKind::Call(call), .. }) = piece {
                calls.push(call.function);
            }
        });
        calls
    }

    /// Whether this function calls the one of the layer below that it overrides, with `super`.
    pub fn calls_super(&self) -> bool {
        self.body.any(|piece| matches!(piece, Piece::Expr(Expr { kind: ExprKind::Call(call), .. }) if call.is_super))
    }
}

impl Block {
    /// Visits every piece in the order in which it is written, an outer piece before those inside it.
    pub fn walk<'p>(&'p self, visit: &mut dyn FnMut(Piece<'p>)) {
        for statement in &self.0 {
            visit(Piece::Statement(statement));
            statement.parts(&mut |part| part.walk(visit));
        }
    }

    /// Whether something is true of any piece.
    pub fn any(&self, is_it: impl Fn(Piece<'_>) -> bool) -> bool {
        let mut found = false;
        self.walk(&mut |piece| found |= is_it(piece));
        found
    }
}

impl Expr {
    /// Visits the expression and every piece in it, in the order of [`Block::walk`].
    pub fn walk<'p>(&'p self, visit: &mut dyn FnMut(Piece<'p>)) {
        visit(Piece::Expr(self));
        self.parts(&mut |part| part.walk(visit));
    }
}

impl<'p> Part<'p> {
    fn walk(self, visit: &mut dyn FnMut(Piece<'p>)) {
        match self {
            Self::Block(block) => block.walk(visit),
            Self::Expr(expression) => expression.walk(visit),
        }
    }
}

impl Piece<'_> {
    /// The local variable that the piece sets or changes, and where; `None` where there is none.
    pub fn sets(self) -> Option<(Slot, ScriptPoint)> {
        match self {
            Self::Statement(Statement { kind: StatementKind::Set { target, .. }, .. }) => match target {
                Target::Local(slot, at) | Target::Entry(slot, _, at) => Some((*slot, *at)),
                Target::Property { .. } | Target::Other(_) => None,
            },
            Self::Expr(Expr { kind: ExprKind::Word(WordCall { name, arguments, .. }), at }) if **name == *"push" => {
                match arguments.first()?.kind {
                    ExprKind::Local(list) => Some((list, *at)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Visits the local variables that the piece declares.
    pub fn begins(self, tell: &mut dyn FnMut(Slot)) {
        match self {
            Self::Statement(Statement { kind: StatementKind::Let(slot, _), .. }) => tell(*slot),
            Self::Statement(Statement { kind: StatementKind::For(each), .. }) => {
                tell(each.item);
                each.counter.into_iter().for_each(tell);
            }
            Self::Expr(Expr { kind: ExprKind::Function(function), .. }) => {
                if let FunctionValue::Closure(parameters, _) = &**function {
                    parameters.iter().copied().for_each(tell);
                }
            }
            _ => {}
        }
    }
}
