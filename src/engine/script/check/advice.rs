//! Warnings about texts that scripts compare with and that can never come: prompts that nothing asks, acts that no
//! option has.

use super::Lint;
use super::known::{RulesContext, roles};
use super::unused::UsedNames;
use crate::diagnostic::{Diagnostic, message};
use crate::script::codes;
use crate::script::functions::FunctionInfo;
use crate::script::host_functions::{POLICY, host_function};
use crate::script::program::{
    Binary, Callee, Expr, ExprKind, Function, Literal, Piece, Slot, Statement, StatementKind,
};
use crate::script::vocabulary::Role;
use crate::sorted::SortedSet;
use crate::table::event::ScriptPoint;

/// The part of options that says what is done.
const ACT: &str = "act";

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
            for (prompt, at) in looked_for(function, &|expr| matches!(expr.kind, ExprKind::Local(PROMPT))) {
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

    /// Warnings about acts that rules look for in options and that no option has. Where an act is computed, or something
    /// else may be called `act`, there are none.
    pub(super) fn unoffered_acts(&self, reached: &[bool]) -> Vec<Lint> {
        let is_act = |expr: &Expr| matches!(&expr.kind, ExprKind::Property(_, name) if &**name == ACT);
        let functions = self.scripts.functions.iter().zip(&self.scripts.program.functions).zip(reached);
        let functions = functions.filter(|(_, reached)| **reached).map(|(function, _)| function);
        let compared: Vec<_> = functions
            .flat_map(|(info, function)| {
                looked_for(function, &is_act).into_iter().map(move |(act, at)| (info, act, at))
            })
            .collect();
        let has_another_meaning = || {
            self.layout.attributes.iter().any(|attribute| attribute == ACT)
                || self.variables(true).chain(self.variables(false)).any(|variable| variable == ACT)
                || self.layout.data.keys().any(|key| key == ACT)
        };
        if compared.is_empty() || has_another_meaning() {
            return Vec::new();
        }
        let mut known: SortedSet<&str> = self.texts_of_definition().0;
        let mut is_computed = false;
        for function in &self.scripts.program.functions {
            function.body.walk(&mut |piece| match piece {
                Piece::Expr(Expr { kind: ExprKind::Text(text), at })
                    if !compared.iter().any(|(.., compared)| compared == at) =>
                {
                    known.insert(text);
                }
                Piece::Expr(Expr { kind: ExprKind::Word(call), .. }) => {
                    let acts = call.arguments.iter().enumerate().filter(|(position, _)| {
                        roles(&call.name, call.arguments.len(), *position).any(|role| role == Role::Act)
                    });
                    is_computed |= { acts }.any(|(_, argument)| !matches!(argument.kind, ExprKind::Text(_)));
                }
                _ => {}
            });
        }
        let unknown = compared.into_iter().filter(|(_, act, _)| !is_computed && !known.contains(act));
        let lint = |(info, act, at): (&FunctionInfo, &str, ScriptPoint)| {
            let warning = Diagnostic::new(message!("no option has the act `{act}`"))
                .at_maybe(self.place(at, "never offered"))
                .near(act, known.iter().copied());
            let layer = self.ruleset.scripts.get(info.script).map(|script| script.id.clone());
            Lint { warning: warning.with_code(codes::UNOFFERED_ACT), layer }
        };
        unknown.map(lint).collect()
    }
}

/// The texts that a function compares something with, and where.
fn looked_for<'a>(function: &'a Function, is_it: &dyn Fn(&Expr) -> bool) -> Vec<(&'a str, ScriptPoint)> {
    let mut found: Vec<(&str, ScriptPoint)> = Vec::new();
    function.body.walk(&mut |piece| match piece {
        Piece::Expr(Expr { kind: ExprKind::Binary(Binary::Equal | Binary::Unequal, sides), .. })
            if sides.iter().any(is_it) =>
        {
            found.extend(sides.iter().filter_map(literal));
        }
        Piece::Expr(Expr { kind: ExprKind::Word(call), .. })
            if call.form == Callee::In && call.arguments.iter().any(is_it) =>
        {
            let lists = call.arguments.iter().filter_map(|argument| match &argument.kind {
                ExprKind::List(list) => Some(list),
                _ => None,
            });
            found.extend(lists.flatten().filter_map(literal));
        }
        Piece::Statement(Statement { kind: StatementKind::Switch(switch), .. }) if is_it(&switch.value) => {
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
