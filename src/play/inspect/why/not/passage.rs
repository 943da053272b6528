//! The way that the rules took through a function, told line by line.

use super::super::reading::{changed_names, only};
use super::{Answer, Scope};
use crate::script::machine::value::RegisterValue;
use crate::script::program::{Block, Expr, ExprKind, Literal, Piece, Slot, Statement, StatementKind, Switch};

/// The way through a function that was called with known values.
struct Passage<'a> {
    scope: Scope<'a>,
    /// The variables that are set again somewhere: their values are not known.
    changed: Vec<Slot>,
    /// The variables declared on the way that no line has needed yet, with their values in the script.
    unused: Vec<(Slot, &'a Expr)>,
    /// Whether the function is a single expression, whose value the line that calls it tells.
    is_single: bool,
    /// How deep calls are followed from here.
    depth: usize,
}

impl<'a> Answer<'a> {
    /// Follows the body of a function, line by line as it runs.
    pub(super) fn follow(&mut self, scope: Scope<'a>, body: &'a Block, depth: usize) {
        let (changed, is_single) = (changed_names(body), only(body).is_some());
        self.pass(&mut Passage { scope, changed, unused: Vec::new(), is_single, depth }, body);
    }

    /// Follows statements as they run: of branches the one that is taken, and all where that cannot be told. Returns
    /// whether what stands behind them can be reached.
    fn pass(&mut self, passage: &mut Passage<'a>, block: &'a Block) -> bool {
        block.0.iter().all(|statement| self.pass_statement(passage, statement))
    }

    fn pass_statement(&mut self, passage: &mut Passage<'a>, statement: &'a Statement) -> bool {
        match &statement.kind {
            StatementKind::Let(slot, value) => {
                // A variable that is never set again keeps its value.
                if !passage.changed.contains(slot) {
                    let known = self.value(&passage.scope, value).ok();
                    passage.scope.set(*slot, known);
                }
                passage.unused.push((*slot, value));
                true
            }
            StatementKind::Expr(value) => self.pass_expression(passage, value),
            StatementKind::Return(value) => {
                if let Some(value) = value {
                    self.pass_expression(passage, value);
                }
                false
            }
            StatementKind::If(condition, one, other) => {
                let truth = self.truth(&passage.scope, condition);
                // What a branch in the same line needs stands before the line.
                for (block, is_taken) in [(one, truth != Some(false)), (other, truth != Some(true))] {
                    if is_taken && block.0.iter().any(|first| first.at.line == condition.start().line) {
                        let mut needed = Vec::new();
                        block.walk(&mut |piece| needed.extend(local(piece)));
                        self.tell_declarations(passage, &needed);
                    }
                }
                self.tell_expression(passage, condition);
                match truth {
                    Some(true) => self.pass(passage, one),
                    Some(false) => self.pass(passage, other),
                    // Both are followed.
                    None => self.pass(passage, one) | self.pass(passage, other),
                }
            }
            StatementKind::Switch(switch) => {
                self.tell_expression(passage, &switch.value);
                match self.case_taken(passage, switch) {
                    Some(value) => value.is_none_or(|value| self.pass_expression(passage, value)),
                    None => {
                        let cases = switch.cases.iter().map(|case| &case.value).chain(&switch.default);
                        cases.fold(switch.default.is_none(), |on, value| self.pass_expression(passage, value) | on)
                    }
                }
            }
            StatementKind::For(each) => {
                self.tell_expression(passage, &each.list);
                let entries =
                    self.value(&passage.scope, &each.list).map(|list| self.entries(&list)).unwrap_or_default();
                let labels = self.labels(&entries);
                let meant = self.meant(&entries, &labels).next().map(|value| self.rules.code().texts.of_value(value));
                passage.scope.set(each.item, meant);
                self.pass(passage, &each.body);
                true
            }
            StatementKind::While(_, body) => {
                self.pass(passage, body);
                true
            }
            StatementKind::Set { value, .. } => {
                self.tell_expression(passage, value);
                true
            }
            StatementKind::Block(block) => self.pass(passage, block),
            StatementKind::Throw(_) | StatementKind::Break | StatementKind::Continue => false,
        }
    }

    fn pass_expression(&mut self, passage: &mut Passage<'a>, expression: &'a Expr) -> bool {
        if let ExprKind::Block(block) = &expression.kind {
            return self.pass(passage, block);
        }
        self.tell_expression(passage, expression);
        true
    }

    /// Tells the line of an expression, behind the lines that declare what it needs, and follows what it calls.
    fn tell_expression(&mut self, passage: &mut Passage<'a>, expression: &'a Expr) {
        self.tell_declarations(passage, &locals(expression));
        let mut values = Vec::new();
        if !passage.is_single {
            values.extend(self.told(&passage.scope, expression));
        }
        values.extend(self.inside(&passage.scope, expression));
        if self.tell(expression.start(), values) {
            self.go_into(&passage.scope, expression, passage.depth);
        }
    }

    /// Tells the lines that declare the variables that are `needed`, unless they were told.
    fn tell_declarations(&mut self, passage: &mut Passage<'a>, needed: &[Slot]) {
        while let Some(found) = passage.unused.iter().position(|(slot, _)| needed.contains(slot)) {
            let (slot, value) = passage.unused.remove(found);
            self.tell_declarations(passage, &locals(value));
            let held = passage.scope.values.get(usize::from(slot)).cloned().flatten();
            let named = held.map(|held| (passage.scope.name(slot), self.shown(&held)));
            let values = named.into_iter().chain(self.inside(&passage.scope, value)).collect();
            if self.tell(value.start(), values) {
                match &value.kind {
                    ExprKind::Block(block) => {
                        self.pass(passage, block);
                    }
                    _ => self.go_into(&passage.scope, value, passage.depth),
                }
            }
        }
    }

    fn truth(&mut self, scope: &Scope<'_>, condition: &Expr) -> Option<bool> {
        self.value(scope, condition).ok()?.as_truth()
    }

    /// The value of the case that a `switch` takes, `None` inside where it takes none; `None` outside where that cannot be
    /// told. The conditions of cases are told on the way.
    fn case_taken(&mut self, passage: &mut Passage<'a>, switch: &'a Switch) -> Option<Option<&'a Expr>> {
        let value = self.value(&passage.scope, &switch.value).ok()?;
        for case in &switch.cases {
            let is_value = |literal: &Literal| match literal {
                Literal::Number(number) => matches!(value, RegisterValue::Number(held) if held == *number),
                Literal::Truth(truth) => value.as_truth() == Some(*truth),
                Literal::Text(text) => self.rules.code().texts.text(&value).is_some_and(|held| held == text),
            };
            if !case.literals.iter().any(is_value) {
                continue;
            }
            match &case.condition {
                None => return Some(Some(&case.value)),
                Some(condition) => {
                    self.tell_expression(passage, condition);
                    if self.truth(&passage.scope, condition)? {
                        return Some(Some(&case.value));
                    }
                }
            }
        }
        Some(switch.default.as_ref())
    }
}

/// The variable that a piece of the script is; `None` for any other piece.
fn local(piece: Piece<'_>) -> Option<Slot> {
    match piece {
        Piece::Expr(Expr { kind: ExprKind::Local(slot), .. }) => Some(*slot),
        _ => None,
    }
}

/// The variables in an expression.
fn locals(expression: &Expr) -> Vec<Slot> {
    let mut found = Vec::new();
    expression.walk(&mut |piece| found.extend(local(piece)));
    found
}
