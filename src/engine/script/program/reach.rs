//! Finds effects outside an expression that is not always evaluated, because they would change how the game goes.

use super::{Expr, ExprKind, Part, Piece, Slot, Statement, StatementKind, Target};
use crate::diagnostic::{Message, message};
use crate::sorted::SortedSet;
use crate::table::event::ScriptPoint;
use std::sync::Arc;

/// An effect of an expression outside itself, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OutsideEffect<'p> {
    /// The expression sets a local variable that it does not declare.
    Sets(Slot, ScriptPoint),
    /// The expression sets a variable of the game.
    SetsProperty(&'p str, ScriptPoint),
    /// The expression leaves itself with this keyword.
    Leaves(&'static str, ScriptPoint),
}

impl OutsideEffect<'_> {
    /// Where the effect is.
    pub fn at(&self) -> ScriptPoint {
        match self {
            Self::Sets(_, at) | Self::SetsProperty(_, at) | Self::Leaves(_, at) => *at,
        }
    }

    /// The effect as the rest of a sentence; `names` are those of the function's slots.
    pub fn words(&self, names: &[Arc<str>]) -> Message {
        match self {
            Self::Sets(slot, _) => match names.get(usize::from(*slot)) {
                Some(name) => message!("sets `{name}`"),
                None => "sets a name from outside".into(),
            },
            Self::SetsProperty(name, _) => message!("sets `{name}`"),
            Self::Leaves("throw", _) => "ends the game with `throw`".into(),
            Self::Leaves(word, _) => message!("leaves with `{word}`"),
        }
    }
}

impl Expr {
    /// An effect outside the expression; `None` where there is none. The functions that it calls are not examined.
    pub fn outside_effect(&self) -> Option<OutsideEffect<'_>> {
        let mut own: SortedSet<Slot> = SortedSet::new();
        let mut set: Vec<(Slot, ScriptPoint)> = Vec::new();
        let mut property = None;
        self.walk(&mut |piece| {
            piece.begins(&mut |slot| own.extend([slot]));
            set.extend(piece.sets());
            if let Piece::Statement(Statement { kind: StatementKind::Set { target, .. }, .. }) = piece
                && let Target::Property { name, at, .. } = target
            {
                property.get_or_insert(OutsideEffect::SetsProperty(name, *at));
            }
        });
        let outside = set.into_iter().find(|(slot, _)| !own.contains(slot));
        outside.map(|(slot, at)| OutsideEffect::Sets(slot, at)).or(property).or_else(|| {
            let mut found = None;
            leaving(Part::Expr(self), Inside::Nothing, &mut found);
            found
        })
    }
}

/// The surroundings of a statement within the expression.
#[derive(Clone, Copy)]
enum Inside {
    Nothing,
    /// A loop, whose `break` and `continue` stay inside.
    Loop,
    /// A closure, whose `return` stays inside.
    Function,
}

/// Finds the first statement that leaves the expression.
fn leaving<'p>(part: Part<'p>, inside: Inside, found: &mut Option<OutsideEffect<'p>>) {
    match part {
        Part::Block(block) => {
            for statement in &block.0 {
                let word = match (&statement.kind, inside) {
                    (StatementKind::Throw(_), _) => Some("throw"),
                    (StatementKind::Return(_), Inside::Nothing | Inside::Loop) => Some("return"),
                    (StatementKind::Break, Inside::Nothing) => Some("break"),
                    (StatementKind::Continue, Inside::Nothing) => Some("continue"),
                    _ => None,
                };
                if let Some(word) = word {
                    found.get_or_insert(OutsideEffect::Leaves(word, statement.at));
                }
                let is_loop = matches!(statement.kind, StatementKind::While(..) | StatementKind::For(_));
                statement.parts(&mut |part| {
                    // A loop encloses its body, but not the list that it goes through.
                    let is_body = is_loop && matches!((part, inside), (Part::Block(_), Inside::Nothing));
                    leaving(part, if is_body { Inside::Loop } else { inside }, found);
                });
            }
        }
        Part::Expr(expression) => {
            let inside = if matches!(expression.kind, ExprKind::Function(_)) { Inside::Function } else { inside };
            expression.parts(&mut |part| leaving(part, inside, found));
        }
    }
}
