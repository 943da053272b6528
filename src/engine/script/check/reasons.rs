//! Checks code that says why something is not allowed. It runs only when somebody may read the reason, so it may not
//! change how the game goes.

use super::effects::{EffectCause, Effects};
use super::function::Reader;
use crate::diagnostic::{Diagnostic, Message, message};
use crate::script::codes;
use crate::script::program::{Expr, FunctionId, OutsideEffect};
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
}
