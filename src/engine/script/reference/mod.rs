//! Rhai's own evaluator as a reference: it runs rules as Rhai defines the language.
//!
//! Everything that only this evaluator needs is here: the words registered with its engine, the conversion of values,
//! and its own implementation of words that take a function. No value of it leaves the thread that owns it.

mod callbacks;
mod convert;
mod definition;
mod error_messages;
mod guard;
pub mod meter;
mod receivers;
mod words;
pub mod worker;

use crate::diagnostic::{Diagnostic, Diagnostics, Message, Source, message};
use crate::ruleset::{MAX_LINES, Ruleset};
use crate::script::MAX_CALL_DEPTH;
use crate::script::error_messages::Context;
use crate::script::functions::FunctionInfo;
use crate::script::layering::{self, JoinedScripts, LAST_VALUE};
use crate::script::machine::compile;
use crate::script::parser::Parser;
use crate::script::token_tap::TokenTap;
use crate::script::{End, Evaluation, EvaluationError, MAX_EXPRESSION, Start, TYPED_SOURCE, check, parser, read};
use crate::table::decision::{Answerer, Halt, NoAnswerer, Question};
use crate::table::layout::Layout;
use crate::table::value::{Seats, Value};
use crate::table::{Fault, MAX_RECORD_BYTES, Recording, Table};
use crate::work::Work;
use convert::{SharedTable, raise, shown, to_dynamic, to_value};
use definition::{register_definition, register_parts};
use error_messages::EndedRun;
use guard::{Guard, GuardStop};
use receivers::turn_calls;
use rhai::{AST, CallFnOptions, Dynamic, Engine, EvalAltResult, Scope};
use std::cell::Ref;
use std::rc::Rc;
use std::sync::Arc;

/// Rules executed by Rhai's interpreter.
pub struct Interpreter {
    engine: Engine,
    tap: TokenTap,
    ast: AST,
    functions: Vec<FunctionInfo>,
    shared: SharedTable,
    guard: Rc<Guard>,
    ruleset: Arc<Ruleset>,
    globals: Vec<String>,
    /// Whether the host asks for settings before the game begins.
    asks_first: bool,
    /// The value of the last typed expression, for `_` in the next one.
    last_value: Option<Dynamic>,
}

impl Interpreter {
    /// Compiles a ruleset for a number of seats; stopping `work` ends every run.
    ///
    /// # Errors
    /// Everything that does not compile or breaks the rules for scripts, of all layers at once.
    pub fn new(ruleset: Arc<Ruleset>, seats: usize, work: Arc<Work>) -> Result<Self, Diagnostics> {
        let layout = Arc::new(Layout::new(ruleset.definition.clone(), &ruleset.settings, seats));
        let shared = SharedTable::new(Table::new(layout.clone(), 0));
        let guard = Guard::new(work.clone());
        let tap = TokenTap::new(work);
        let mut engine = bare_engine(&guard);
        tap.install(&mut engine);
        words::register(&mut engine, &shared);
        let globals = register_definition(&mut engine, &shared, &layout);
        let JoinedScripts { ast, functions, .. } = layering::join(&engine, &tap, &ruleset, &layout, Some(turn_calls))?;
        let scripts = Parser::new(guard.work().clone()).scripts(&ruleset, &layout, &read::globals(&layout))?;
        check::check(&scripts, &layout, &ruleset, &Work::default())?;
        register_parts(&mut engine, &layout, check::known::parts_of_options(&scripts.program));
        let last_value = None;
        let asks_first = compile::asks_first(&scripts.program, &scripts.functions, &layout);
        Ok(Self { asks_first, engine, tap, ast, functions, shared, guard, ruleset, globals, last_value })
    }

    /// Evaluates a typed expression, which knows the scripts' functions and `p1`, `p2` ….
    fn call_expression(&self, expression: &str) -> Result<Dynamic, Box<EvalAltResult>> {
        let mut scope = Scope::new();
        for seat in Seats::all(self.shared.0.borrow().layout().seats) {
            scope.push_dynamic(seat.to_string(), Dynamic::from(seat));
        }
        if let Some(value) = &self.last_value {
            scope.push_constant_dynamic(LAST_VALUE, value.clone());
        }
        let ast = self.with_expression(expression, &scope)?;
        self.engine.eval_ast_with_scope::<Dynamic>(&mut scope, &ast)
    }

    fn with_expression(&self, expression: &str, scope: &Scope<'_>) -> Result<AST, Box<EvalAltResult>> {
        // Far below every script, so that its positions cannot be taken for theirs.
        let padded = format!("{}{expression}", "\n".repeat(MAX_LINES));
        let typed = layering::compile_typed(
            &self.engine,
            &self.tap,
            scope,
            &padded,
            &self.functions,
            &self.ruleset,
            Some(turn_calls),
        )?;
        Ok(self.ast.clone_functions_only().merge(&typed))
    }

    /// How a run ended. The latches are checked first, whatever the interpreter says.
    fn ended(&self, result: &Result<Dynamic, Box<EvalAltResult>>, typed: Option<&str>) -> End {
        let tripped = self.guard.tripped();
        let reason = match &tripped {
            Some(GuardStop::Limit(reason)) => Some(reason.clone()),
            _ => None,
        };
        let halt = self.shared.0.try_borrow().ok().and_then(|table| table.halt().cloned());
        match (halt, result) {
            (Some(Halt::Limit(reason)), result) => {
                let mut diagnostic = self.diagnose(result.as_ref().err().map(|error| &**error), Some(reason), typed);
                diagnostic.help.push("a game that goes on for ever has no end condition that can be met".into());
                End::Endless(diagnostic.into())
            }
            (Some(Halt::Over), _) => End::Finished,
            (Some(halt), _) => End::Halted(halt),
            (None, _) if tripped == Some(GuardStop::Stopped) => End::Halted(Halt::Stopped),
            (None, Ok(_)) if tripped.is_none() => End::Finished,
            (None, result) => {
                End::Failed(self.diagnose(result.as_ref().err().map(|error| &**error), reason, typed).into())
            }
        }
    }

    fn diagnose(&self, error: Option<&EvalAltResult>, reason: Option<Message>, typed: Option<&str>) -> Diagnostic {
        let context = Context {
            ruleset: &self.ruleset,
            functions: &self.functions,
            globals: &self.globals,
            typed: typed.map(|text| Source::new(TYPED_SOURCE, text)),
        };
        let last_word = self.shared.0.try_borrow().map(|table| table.point()).unwrap_or_default();
        let ended = EndedRun { context, tripped: reason.clone(), last_word };
        let diagnostic = match error {
            Some(error) => error_messages::from_run_error(&ended, error),
            None => error_messages::without_error(&ended, reason),
        };
        // The machine also shows the place of the setting.
        let setting = last_word.setting().and_then(|_| self.ruleset.place(last_word, ""));
        Diagnostic { place: setting.or(diagnostic.place), ..diagnostic }
    }

    /// Runs something on a copy of the table, recorded and with nobody to answer.
    fn on_a_copy(
        &mut self,
        typed: Option<&str>,
        act: impl FnOnce(&Self) -> Result<Dynamic, Box<EvalAltResult>>,
    ) -> Result<Evaluation, EvaluationError> {
        let mut copy = self.shared.0.borrow().copy();
        copy.record(Recording::default());
        let live = (self.shared.0.replace(copy), self.shared.1.replace(Box::new(NoAnswerer)));
        self.guard.begin();
        let result = act(self);
        let outcome = match self.ended(&result, typed) {
            End::Finished => {
                let value = result.unwrap_or(Dynamic::UNIT);
                let result = shown(&self.shared.0.borrow(), &value);
                let recording = self.shared.0.borrow_mut().finish().unwrap_or_default();
                Ok(Evaluation { result, value: to_value(&value).ok(), recording })
            }
            End::Failed(diagnostic) | End::Endless(diagnostic) => Err(EvaluationError::Failed(diagnostic)),
            End::Halted(Halt::Stopped) => Err(EvaluationError::OutOfBudgetOrStopped),
            End::Halted(_) => Err(EvaluationError::Asks),
        };
        self.shared.0.replace(live.0);
        self.shared.1.replace(live.1);
        outcome
    }
}

impl Interpreter {
    /// Runs a syntax tree that is equivalent to the rules' own, from the beginning.
    fn run_tree(
        &self,
        tree: &AST,
        entry: &Start,
        seed: u64,
        answers: Box<dyn Answerer>,
        recording: Option<Recording>,
    ) -> End {
        let mut answers = Box::new(Budgeted { answers, guard: self.guard.clone() });
        {
            let mut table = self.shared.0.borrow_mut();
            *table = Table::new(table.layout().clone(), seed);
            if let Start::Call { table: laid, .. } = entry {
                table.restore((**laid).clone());
            }
            if let Some(recording) = recording {
                table.record(recording);
            }
            answers.begin(&mut table);
        }
        self.shared.1.replace(answers);
        self.guard.begin();
        match entry {
            Start::Game => {
                let options = CallFnOptions::new().eval_ast(false);
                let asked = match self.asks_first {
                    true => self.call_expression(&format!("{}()", compile::ASK_SETTINGS_WORD)),
                    false => Ok(Dynamic::UNIT),
                };
                let result =
                    asked.and_then(|_| self.engine.call_fn_with_options(options, &mut Scope::new(), tree, "game", ()));
                self.ended(&result, None)
            }
            Start::Call { expression, .. } => {
                let result = self.call_expression(expression);
                self.ended(&result, Some(expression))
            }
        }
    }
}

impl Interpreter {
    /// Runs from the beginning until the game ends or a decision stays open.
    pub fn run(&mut self, entry: &Start, seed: u64, answers: Box<dyn Answerer>, recording: Option<Recording>) -> End {
        self.run_tree(&self.ast, entry, seed, answers, recording)
    }

    /// The table as the last run left it.
    pub fn table(&self) -> Ref<'_, Table> {
        self.shared.0.borrow()
    }

    /// Takes the record of the last run; `None` if it was not recorded.
    pub fn finish(&mut self) -> Option<Recording> {
        self.shared.0.borrow_mut().finish()
    }

    /// Calls a function with one seat or zone on a copy of the table, and returns its result and the events it caused.
    ///
    /// # Errors
    /// The call fails, asks a player, or is stopped.
    pub fn call_on_copy(&mut self, function: &str, argument: Value) -> Result<Evaluation, EvaluationError> {
        self.on_a_copy(None, |this| {
            let options = CallFnOptions::new().eval_ast(false);
            let argument = to_dynamic(argument);
            this.engine.call_fn_with_options(options, &mut Scope::new(), &this.ast, function, (argument,))
        })
    }

    /// Makes several calls like [`Self::call_on_copy`], with one shared budget, for drawing the table.
    pub fn call_all_on_copies(&mut self, calls: &[(&str, Value)]) -> Vec<Result<Evaluation, EvaluationError>> {
        self.guard.begin_drawing();
        let tried = |(function, argument): &(&str, Value)| match self.guard.is_used_up() {
            true => Err(EvaluationError::OutOfBudgetOrStopped),
            false => self.call_on_copy(function, argument.clone()),
        };
        let tried = calls.iter().map(tried).collect();
        self.guard.end_drawing();
        tried
    }

    /// Evaluates an expression on a copy of the table.
    ///
    /// # Errors
    /// The expression does not parse, fails, asks a player, or is stopped.
    pub fn evaluate(&mut self, expression: &str) -> Result<Evaluation, Diagnostics> {
        if expression.len() > MAX_EXPRESSION {
            return Err(Diagnostic::new(message!("an expression has at most {MAX_EXPRESSION} bytes")).into());
        }
        let mut last_value = None;
        let tried = self.on_a_copy(Some(expression), |this| {
            let value = this.call_expression(expression)?;
            last_value = Some(value.clone()).filter(|value| !value.is_unit());
            Ok(value)
        })?;
        if let Some(value) = last_value {
            // A component may be another one after `undo`, because it depends on the game so far.
            self.last_value = to_value(&value).is_ok_and(|value| value.components().is_empty()).then_some(value);
        }
        Ok(tried)
    }
}

/// Answers that tell the guard of each decision, so that each stretch between decisions has its own budget.
struct Budgeted {
    answers: Box<dyn Answerer>,
    guard: Rc<Guard>,
}

impl Answerer for Budgeted {
    fn begin(&mut self, table: &mut Table) {
        self.answers.begin(table);
    }

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        let kept = self.answers.kept_bytes();
        if table.record_bytes() + kept > MAX_RECORD_BYTES {
            return Err(table.record_is_full());
        }
        self.guard.next_step(table.recorded_bytes() + kept, question.options.len());
        self.answers.answer(table, question, chosen)
    }

    fn wants_reasons(&self, table: &Table) -> bool {
        self.answers.wants_reasons(table)
    }

    fn intervene(&mut self, table: &mut Table) {
        self.answers.intervene(table);
    }
}

/// An engine without any words, with every limit set and without what rules may not use.
fn bare_engine(guard: &Rc<Guard>) -> Engine {
    let mut engine = Engine::new_raw();
    parser::limit(&mut engine);
    engine.set_max_call_levels(MAX_CALL_DEPTH);
    let watching = guard.clone();
    engine.on_progress(move |_| watching.tick().then_some(Dynamic::UNIT));
    engine.register_fn("-", |number: i64| number.checked_neg().ok_or_else(too_large));
    engine.register_fn("!", |truth: bool| !truth);
    engine.register_iterator::<std::ops::Range<i64>>();
    engine.register_iterator::<std::ops::RangeInclusive<i64>>();
    engine
}

fn too_large() -> Box<EvalAltResult> {
    raise(Fault::rule("the number is too large"))
}
