//! What is worked out only where somebody may read why something is not allowed: it may not change how the game goes.

use super::function::Reader;
use crate::diagnostic::Diagnostic;
use crate::script::codes;
use crate::script::program::{Expr, Piece, Slot, Statement, StatementKind, Target};
use crate::table::event::ScriptPoint;
use std::collections::BTreeSet;

impl<'a> Reader<'a> {
    /// An argument that is not always worked out; `asks` says whether a player is asked in it.
    pub(super) fn reasons(&mut self, word: &str, argument: &'a Expr, asks: bool) {
        let (message, at, label) = if asks {
            ("asks a player".to_owned(), argument.start(), "somebody is asked here".to_owned())
        } else if let Some((slot, at)) = set_outside(argument) {
            let name = &self.names[usize::from(slot)];
            (format!("sets `{name}`"), at, format!("`{name}` stands outside"))
        } else if let Some((name, at)) = set_property(argument) {
            (format!("sets `{name}`"), at, "a variable of the game".to_owned())
        } else {
            return;
        };
        let error = Diagnostic::new(format!("what tells why `{word}` does not allow something {message}"))
            .at_maybe(self.known.place(at, label))
            .help("it is worked out only where somebody may read it, and the game has to go the same way elsewhere");
        self.wrong(error.coded(codes::REASON_CHANGES));
    }
}

/// A name that an expression sets and does not make itself.
fn set_outside(expr: &Expr) -> Option<(Slot, ScriptPoint)> {
    let mut own: BTreeSet<Slot> = BTreeSet::new();
    let mut set: Vec<(Slot, ScriptPoint)> = Vec::new();
    expr.walk(&mut |piece| {
        piece.begins(&mut |slot| own.extend([slot]));
        set.extend(piece.sets());
    });
    set.into_iter().find(|(slot, _)| !own.contains(slot))
}

/// A variable of the game that an expression sets.
fn set_property(expr: &Expr) -> Option<(&str, ScriptPoint)> {
    let mut found = None;
    expr.walk(&mut |piece| {
        if let Piece::Statement(Statement { kind: StatementKind::Set { target, .. }, .. }) = piece
            && let Target::Property { name, at, .. } = target
        {
            found.get_or_insert((&**name, *at));
        }
    });
    found
}
