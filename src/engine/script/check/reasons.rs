//! Checks code that says why something is not allowed. Where it runs only when somebody may read the reason, it may not
//! change how the game goes.

use super::PlayerText;
use super::effects::{EffectCause, Effects};
use super::function::Reader;
use crate::definition::is_identifier;
use crate::diagnostic::{Diagnostic, Message, message};
use crate::script::codes;
use crate::script::program::{Block, Expr, ExprKind, FunctionId, FunctionValue, OutsideEffect, Part, StatementKind};
use crate::sorted::SortedSet;
use crate::table::event::ScriptPoint;

impl<'a> Reader<'a> {
    /// Checks an argument that is not always evaluated; a function in it is called with `given` arguments.
    pub(super) fn reasons(&mut self, word: &str, argument: &'a Expr, given: Option<usize>) {
        let (message, at, label, called) = if let Some((at, called)) = self.cause(argument, given, |found| found.asks) {
            (Message::from("asks a player"), at, Message::from("somebody is asked here"), called)
        } else if let Some(reach) = argument.outside_effect() {
            let label = match reach {
                OutsideEffect::Sets(slot, _) => message!("`{}` is outside", self.names[usize::from(slot)]),
                OutsideEffect::SetsProperty(..) => "a variable of the game".into(),
                OutsideEffect::Leaves(..) => "what follows the choice is left out".into(),
            };
            (reach.words(self.names), reach.at(), label, None)
        } else if let Some((at, called)) = self.cause(argument, given, |found| found.changes) {
            ("changes the game".into(), at, "something is changed here".into(), called)
        } else {
            return;
        };
        let called = called.and_then(|function| self.known.scripts.functions.get(usize::from(function)));
        let error = Diagnostic::new(message!("the code that says why `{word}` does not allow something {message}"))
            .at_maybe(self.known.place(at, label))
            .related_maybe(called.and_then(|function| self.known.place(function.at, "in what this calls")))
            .help("it runs only when somebody may read it, and the game must be the same without it");
        self.report_error(error.with_code(codes::REASON_CHANGES));
    }

    /// Where an argument first has an effect that `counts`, and the called function that has it; `None` without such an
    /// effect.
    fn cause(
        &self,
        argument: &Expr,
        given: Option<usize>,
        counts: impl Fn(Effects) -> bool,
    ) -> Option<(ScriptPoint, Option<FunctionId>)> {
        let known = self.known;
        let of = |function: FunctionId| known.effects[usize::from(function)];
        if let Some(function) = known.passed_function(argument, given).filter(|function| counts(of(*function))) {
            return Some((argument.at, Some(function)));
        }
        let mut found = None;
        argument.walk(&mut |piece| {
            known.visit_effects(piece, &mut |cause, at| {
                let (effects, called) = match cause {
                    EffectCause::Here(effects) => (effects, None),
                    EffectCause::Call(function) => (of(function), Some(function)),
                };
                if counts(effects) {
                    found.get_or_insert((at, called));
                }
            });
        });
        found
    }

    /// Collects the keys of texts with which a function says why an option is refused, also in what it calls for that;
    /// a sentence needs no key. The function is called with `given` arguments.
    pub(super) fn refusals(&mut self, argument: &'a Expr, given: usize) {
        let known = self.known;
        let functions = &known.scripts.program.functions;
        let body_of = |function: FunctionId| functions.get(usize::from(function)).map(|function| &function.body);
        let mut bodies: Vec<&Block> =
            known.passed_function(argument, Some(given)).and_then(body_of).into_iter().collect();
        if let ExprKind::Function(function) = &argument.kind
            && let FunctionValue::Closure(_, body) = &**function
        {
            bodies.push(body);
        }
        let mut called: SortedSet<FunctionId> = SortedSet::new();
        while let Some(body) = bodies.pop() {
            results(body, &mut |result| match &result.kind {
                ExprKind::Text(text) if is_identifier(text) => {
                    let text = String::from(&**text);
                    self.said.push(PlayerText { what: "refusal", text, at: result.at, values: None });
                }
                ExprKind::Call(call) if called.insert(call.function) => bodies.extend(body_of(call.function)),
                _ => {}
            });
        }
    }
}

/// Visits every expression whose value a function with this body can give.
fn results<'p>(body: &'p Block, visit: &mut dyn FnMut(&'p Expr)) {
    returned(Part::Block(body), visit);
    value_of(body, visit);
}

/// Visits what is returned, but not from closures inside.
fn returned<'p>(part: Part<'p>, visit: &mut dyn FnMut(&'p Expr)) {
    match part {
        Part::Block(block) => {
            for statement in &block.0 {
                if let StatementKind::Return(Some(result)) = &statement.kind {
                    values(result, visit);
                }
                statement.parts(&mut |part| returned(part, visit));
            }
        }
        Part::Expr(Expr { kind: ExprKind::Function(_), .. }) => {}
        Part::Expr(expression) => expression.parts(&mut |part| returned(part, visit)),
    }
}

/// Visits the expressions of which one is the value of a block.
fn value_of<'p>(block: &'p Block, visit: &mut dyn FnMut(&'p Expr)) {
    match block.0.last().map(|last| &last.kind) {
        Some(StatementKind::Expr(value)) => values(value, visit),
        Some(StatementKind::Block(block)) => value_of(block, visit),
        Some(StatementKind::If(_, then, otherwise)) => {
            [then, otherwise].into_iter().for_each(|way| value_of(way, visit))
        }
        Some(StatementKind::Switch(switch)) => {
            let cases = switch.cases.iter().map(|case| &case.value).chain(&switch.default);
            cases.for_each(|value| values(value, visit));
        }
        _ => {}
    }
}

fn values<'p>(value: &'p Expr, visit: &mut dyn FnMut(&'p Expr)) {
    match &value.kind {
        ExprKind::Block(block) => value_of(block, visit),
        _ => visit(value),
    }
}
