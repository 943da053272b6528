//! Every statement and every expression of a function, in the order in which they stand.

use crate::script::program::{
    Block, Expr, ExprKind, Function, FunctionId, FunctionValue, Statement, StatementKind, Target,
};

/// A piece of a function.
#[derive(Clone, Copy)]
pub(super) enum Piece<'p> {
    Statement(&'p Statement),
    Expr(&'p Expr),
}

/// Visits every piece of a block, what stands around another piece before it.
pub(super) fn walk<'p>(block: &'p Block, visit: &mut dyn FnMut(Piece<'p>)) {
    for statement in &block.0 {
        visit(Piece::Statement(statement));
        match &statement.kind {
            StatementKind::Let(_, value) | StatementKind::Expr(value) => walk_expr(value, visit),
            StatementKind::Set { target, value, .. } => {
                match target {
                    Target::Local(..) => {}
                    Target::Property { of: inside, .. } | Target::Entry(_, inside, _) | Target::Other(inside) => {
                        walk_expr(inside, visit);
                    }
                }
                walk_expr(value, visit);
            }
            StatementKind::If(condition, one, other) => {
                walk_expr(condition, visit);
                walk(one, visit);
                walk(other, visit);
            }
            StatementKind::Switch(switch) => {
                walk_expr(&switch.value, visit);
                for case in &switch.cases {
                    case.condition.iter().for_each(|condition| walk_expr(condition, visit));
                    walk_expr(&case.value, visit);
                }
                switch.default.iter().for_each(|default| walk_expr(default, visit));
            }
            StatementKind::While(condition, body) => {
                condition.iter().for_each(|condition| walk_expr(condition, visit));
                walk(body, visit);
            }
            StatementKind::For(each) => {
                walk_expr(&each.list, visit);
                walk(&each.body, visit);
            }
            StatementKind::Return(value) | StatementKind::Throw(value) => {
                value.iter().for_each(|value| walk_expr(value, visit));
            }
            StatementKind::Block(block) => walk(block, visit),
            StatementKind::Break | StatementKind::Continue => {}
        }
    }
}

/// Visits an expression and every piece of it.
pub(super) fn walk_expr<'p>(expr: &'p Expr, visit: &mut dyn FnMut(Piece<'p>)) {
    visit(Piece::Expr(expr));
    match &expr.kind {
        ExprKind::Joined(list) | ExprKind::List(list) | ExprKind::And(list) | ExprKind::Or(list) => {
            list.iter().for_each(|item| walk_expr(item, visit));
        }
        ExprKind::Property(of, _) => walk_expr(of, visit),
        ExprKind::Index(of, index) => {
            walk_expr(of, visit);
            walk_expr(index, visit);
        }
        ExprKind::Call(call) => call.arguments.iter().for_each(|argument| walk_expr(argument, visit)),
        ExprKind::Word(call) => call.arguments.iter().for_each(|argument| walk_expr(argument, visit)),
        ExprKind::Not(one) | ExprKind::Negative(one) => walk_expr(one, visit),
        ExprKind::Binary(_, sides) | ExprKind::Range(sides, _) => {
            sides.iter().for_each(|side| walk_expr(side, visit));
        }
        ExprKind::Block(block) => walk(block, visit),
        ExprKind::Function(function) => match &**function {
            FunctionValue::Closure(_, body) => walk(body, visit),
            FunctionValue::Named(_) => {}
        },
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

/// The functions that a function calls by their names.
pub(super) fn calls(function: &Function) -> Vec<FunctionId> {
    let mut calls = Vec::new();
    walk(&function.body, &mut |piece| {
        if let Piece::Expr(Expr { kind: ExprKind::Call(call), .. }) = piece {
            calls.push(call.function);
        }
    });
    calls
}
