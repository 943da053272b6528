//! Warnings about prompts that `policy` looks for and nothing asks.

use super::Lint;
use super::known::RulesContext;
use super::unused::UsedNames;
use crate::diagnostic::{Diagnostic, message};
use crate::script::codes;
use crate::script::functions::FunctionInfo;
use crate::script::host_functions::{POLICY, host_function};
use crate::script::program::{
    Binary, Callee, Expr, ExprKind, Function, Literal, Piece, Slot, Statement, StatementKind,
};
use crate::sorted::SortedSet;
use crate::table::event::ScriptPoint;

/// Slot of the prompt among the parameters of `policy`.
const PROMPT: Slot = 1;

impl RulesContext<'_> {
    /// Warnings about prompts that `policy` looks for and that no other function of the rules has.
    pub(super) fn unasked_prompts(&self, reached: &[bool]) -> Vec<Lint> {
        let arity = host_function(POLICY).map_or(0, |asked| asked.parameters.len());
        let is_policy = |info: &FunctionInfo| info.name == POLICY && info.parameters.len() == arity && !info.is_private;
        let all = self.scripts.functions.iter().zip(&self.scripts.program.functions).zip(reached);
        let all = all.filter(|(_, reached)| **reached).map(|(function, _)| function);
        let (policies, rest): (Vec<_>, Vec<_>) = all.partition(|(info, _)| is_policy(info));
        if policies.is_empty() {
            return Vec::new();
        }
        let mut others = UsedNames::default();
        rest.iter().for_each(|(_, function)| others.of(function));
        let (texts, _) = self.texts_of_definition();
        let is_known = |prompt: &str| texts.contains(prompt) || others.has_text(prompt);
        let mut found = Vec::new();
        for (info, function) in policies {
            let mut told: SortedSet<&str> = SortedSet::new();
            for (prompt, at) in looked_for(function) {
                if is_known(prompt) || !told.insert(prompt) {
                    continue;
                }
                let warning =
                    Diagnostic::new(message!("`{POLICY}` looks for the prompt `{prompt}`, which nothing asks"))
                        .at_maybe(self.place(at, "never asked"))
                        .near(prompt, others.texts());
                let layer = self.ruleset.scripts.get(info.script).map(|script| script.id.clone());
                found.push(Lint { warning: warning.with_code(codes::UNASKED_PROMPT), layer });
            }
        }
        found
    }
}

/// The texts that `policy` compares the prompt with, and where.
fn looked_for(function: &Function) -> Vec<(&str, ScriptPoint)> {
    let is_prompt = |expr: &Expr| matches!(expr.kind, ExprKind::Local(PROMPT));
    let mut found: Vec<(&str, ScriptPoint)> = Vec::new();
    function.body.walk(&mut |piece| match piece {
        Piece::Expr(Expr { kind: ExprKind::Binary(Binary::Equal | Binary::Unequal, sides), .. })
            if sides.iter().any(is_prompt) =>
        {
            found.extend(sides.iter().filter_map(literal));
        }
        Piece::Expr(Expr { kind: ExprKind::Word(call), .. })
            if call.form == Callee::In && call.arguments.iter().any(is_prompt) =>
        {
            let lists = call.arguments.iter().filter_map(|argument| match &argument.kind {
                ExprKind::List(list) => Some(list),
                _ => None,
            });
            found.extend(lists.flatten().filter_map(literal));
        }
        Piece::Statement(Statement { kind: StatementKind::Switch(switch), .. }) if is_prompt(&switch.value) => {
            for case in &switch.cases {
                found.extend(case.literals.iter().filter_map(|literal| match literal {
                    Literal::Text(text) => Some((&**text, case.value.start())),
                    _ => None,
                }));
            }
        }
        _ => {}
    });
    found
}

/// The text of a literal, and where it is; `None` for any other expression.
fn literal(expr: &Expr) -> Option<(&str, ScriptPoint)> {
    match &expr.kind {
        ExprKind::Text(text) => Some((text, expr.at)),
        _ => None,
    }
}
