//! The Rhai engine: the vocabulary, layering and `super`, limits, positions, diagnostics.
//!
//! The rest of the host meets scripts through the [`Rules`] trait alone: run the game, try something out on a copy of
//! the table, look at the table. What implements it today is [`Interpreter`]; a faster executor can stand beside it.
//!
//! What scripts never see: files, network, clock, environment, other modules, text run as script. The engine is built
//! from nothing and knows the words of [`vocabulary`] only. Everything that touches a value of the interpreter stays on
//! the thread that owns it; [`worker`] gives that thread a stack that no script can exhaust.

pub mod check;
pub mod guard;
pub mod layering;
pub mod meter;
pub mod parser;
pub mod program;
pub mod read;
mod receivers;
mod reference;
pub mod sorts;
pub mod stepping;
mod syntax;
pub mod trouble;
pub mod vocabulary;
pub mod worker;
pub mod written;

use crate::diagnostic::{Diagnostic, Source};
use crate::ruleset::{MAX_LINES, Ruleset};
use crate::table::data::{Data, Datum};
use crate::table::decision::{Answers, Halt, Nobody, Question};
use crate::table::layout::{FaceValue, Layout};
use crate::table::value::{Component, NOBODY, Seat, Seats, Value};
use crate::table::{Fault, MAX_RECORD, Recording, State, Table};
use crate::work::{Work, interrupted};
use guard::{Guard, Trip};
use layering::{FunctionInfo, Joined, LAST_VALUE, Receivers, TokenTap};
use reference::{SharedTable, raise, shown, to_dynamic, to_value};
use rhai::{AST, CallFnOptions, Dynamic, Engine, EvalAltResult, FuncRegistration, ImmutableString, Scope};
use sorts::Sort;
use std::cell::Ref;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// Most entries of a list in a script.
pub const MAX_LIST: usize = 2_048;

/// Most bytes of a text in a script.
const MAX_TEXT: usize = 4 << 10;

/// What an expression that a person typed is called in messages.
const TYPED: &str = "typed";

/// Most bytes of an expression that a person types.
const MAX_EXPRESSION: usize = 4 << 10;

/// Where a run begins.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// With `game()`, on an empty table.
    Game,
    /// With an expression, on a table that was laid before: how scenarios try single rules.
    Call {
        /// The expression, such as `turn(p1)`.
        expression: String,
        /// The table as it lies before.
        table: Box<State>,
    },
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// The rules came to their end.
    Finished,
    /// A decision is open, or whoever answered ended the run.
    Halted(Halt),
    /// The rules could not go on.
    Failed(Box<Diagnostic>),
    /// The game had more decisions or changes than one game may have.
    Endless(Box<Diagnostic>),
}

/// What the host asks of whoever executes rules.
pub trait Rules {
    /// Runs from the beginning until the game ends or a decision stays open.
    fn run(&mut self, entry: &Entry, seed: u64, answers: Box<dyn Answers>, recording: Option<Recording>) -> End;

    /// The table as the last run left it.
    fn table(&self) -> Ref<'_, Table>;

    /// Takes what the last run recorded.
    fn finish(&mut self) -> Option<Recording>;

    /// Calls a function with one seat or zone on a copy of the table and gives its result as text, with what it caused.
    ///
    /// # Errors
    /// Whatever the function runs into.
    fn try_out(&mut self, function: &str, argument: Value) -> Result<TriedOut, Untried>;

    /// Evaluates an expression on a copy of the table.
    ///
    /// # Errors
    /// Whatever the expression runs into.
    fn evaluate(&mut self, expression: &str) -> Result<TriedOut, Box<Diagnostic>>;

    /// As [`Self::try_out`] for several calls, with one budget for all of them, as a drawing needs it. The call that uses
    /// it up fails, and those behind it are left out.
    fn try_all(&mut self, calls: &[(&str, Value)]) -> Vec<Result<TriedOut, Untried>>;

    /// Whether an expression could be evaluated, as far as its grammar goes.
    ///
    /// # Errors
    /// It does not parse.
    fn parse(&self, expression: &str) -> Result<(), Box<Diagnostic>>;

    /// Every function that the scripts define.
    fn functions(&self) -> &[FunctionInfo];

    /// The wire to whoever waits for a run.
    fn work(&self) -> Arc<Work>;
}

/// Why nothing came of trying something out.
#[derive(Clone, Debug, PartialEq)]
pub enum Untried {
    /// It asks a player, and nobody answers.
    Asks,
    /// The rules could not go on.
    Failed(Box<Diagnostic>),
    /// Others have used up the time for it, or somebody did not want to wait.
    LeftOut,
}

impl From<Untried> for Box<Diagnostic> {
    fn from(untried: Untried) -> Self {
        match untried {
            Untried::Failed(diagnostic) => diagnostic,
            Untried::LeftOut => interrupted().into(),
            Untried::Asks => Diagnostic::new("this asks a player, and nobody answers here")
                .help("`eval` is for looking; play on to be asked")
                .into(),
        }
    }
}

/// What came of trying something out.
#[derive(Clone, Debug)]
pub struct TriedOut {
    /// The result, as a person reads it.
    pub result: String,
    /// The result, or the entries of a list, where the table could hold it.
    pub value: Option<Value>,
    /// What happened on the copy.
    pub recording: Recording,
}

/// Rules executed by Rhai's interpreter.
pub struct Interpreter {
    engine: Engine,
    tap: TokenTap,
    ast: AST,
    functions: Vec<FunctionInfo>,
    warnings: Vec<Diagnostic>,
    untold: Vec<Diagnostic>,
    shared: SharedTable,
    guard: Rc<Guard>,
    ruleset: Arc<Ruleset>,
    globals: Vec<String>,
    /// The value of the last expression that was typed, for `_` in the next.
    last_value: Option<Dynamic>,
}

impl Interpreter {
    /// Compiles a ruleset for a number of seats; who stops `work` ends a run.
    ///
    /// # Errors
    /// Everything that does not compile or breaks the rules for scripts, of all layers at once.
    pub fn new(ruleset: Arc<Ruleset>, seats: usize, work: Arc<Work>) -> Result<Self, Vec<Diagnostic>> {
        let layout = Arc::new(Layout::new(ruleset.definition.clone(), &ruleset.settings, seats));
        let shared = SharedTable::new(Table::new(layout.clone(), 0));
        let guard = Guard::new(work.clone());
        let tap = TokenTap::new(work);
        let mut engine = bare_engine(&guard);
        tap.install(&mut engine);
        reference::register(&mut engine, &shared);
        let globals = register_definition(&mut engine, &shared, &layout);
        let Joined { ast, functions, mut warnings, .. } = layering::join(&engine, &tap, &ruleset, Receivers::Turned)?;
        for part in check::parts_of_options(&ast) {
            let is_variable = layout.definition.variables.iter().any(|variable| variable.id == part);
            reference::register_part(&mut engine, &part, is_variable);
        }
        let checked = check::check(&ast, &functions, &globals, &layout, &ruleset)?;
        warnings.extend(checked.warnings);
        warnings.splice(0..0, ruleset.warnings.iter().cloned());
        let untold = checked.untold;
        let last_value = None;
        Ok(Self { engine, tap, ast, functions, warnings, untold, shared, guard, ruleset, globals, last_value })
    }

    /// What is worth saying about the ruleset, beyond errors.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// What people read while they play and the game has no words for, in one language or in both.
    pub fn untold(&self) -> &[Diagnostic] {
        &self.untold
    }

    /// The rules that are executed.
    pub fn ruleset(&self) -> &Arc<Ruleset> {
        &self.ruleset
    }

    /// Evaluates a typed expression with the scripts' functions and `p1`, `p2` … at hand.
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

    /// An expression that a person typed, with the scripts' functions.
    fn compile_expression(&self, expression: &str) -> Result<AST, Box<Diagnostic>> {
        if expression.len() > MAX_EXPRESSION {
            return Err(Box::new(Diagnostic::new(format!("an expression has at most {MAX_EXPRESSION} bytes"))));
        }
        self.with_expression(expression, &Scope::new())
            .map_err(|error| Box::new(self.diagnose(Some(&error), None, Some(expression))))
    }

    fn with_expression(&self, expression: &str, scope: &Scope<'_>) -> Result<AST, Box<EvalAltResult>> {
        // Far below every script, so that its positions cannot be taken for theirs.
        let padded = format!("{}{expression}", "\n".repeat(MAX_LINES));
        // Which layer's `settings` are meant is clear where one layer alone has the key.
        let settings_of = |key: &str| {
            let mut having =
                self.ruleset.settings.iter().enumerate().filter(|(_, (_, values))| values.contains_key(key));
            having.next().filter(|_| having.next().is_none()).map(|(layer, _)| layer)
        };
        let typed = layering::compile_typed(&self.engine, &self.tap, scope, &padded, settings_of, Receivers::Turned)?;
        Ok(self.ast.clone_functions_only().merge(&typed))
    }

    /// How a run ended, whatever the interpreter says: latches are looked at first.
    fn ended(&self, result: &Result<Dynamic, Box<EvalAltResult>>, typed: Option<&str>) -> End {
        let tripped = self.guard.tripped();
        let reason = match &tripped {
            Some(Trip::Limit(reason)) => Some(reason.clone()),
            _ => None,
        };
        let halt = self.shared.0.try_borrow().ok().and_then(|table| table.halt().cloned());
        match (halt, result) {
            (Some(Halt::Limit(reason)), result) => {
                let mut diagnostic = self.diagnose(result.as_ref().err().map(|error| &**error), Some(reason), typed);
                diagnostic.help.push("a game that goes on for ever has no end condition that can be met".to_owned());
                End::Endless(Box::new(diagnostic))
            }
            (Some(halt), _) => End::Halted(halt),
            (None, _) if tripped == Some(Trip::Stopped) => End::Halted(Halt::Stopped),
            (None, Ok(_)) if tripped.is_none() => End::Finished,
            (None, result) => {
                End::Failed(Box::new(self.diagnose(result.as_ref().err().map(|error| &**error), reason, typed)))
            }
        }
    }

    fn diagnose(&self, error: Option<&EvalAltResult>, reason: Option<String>, typed: Option<&str>) -> Diagnostic {
        let context = trouble::Context {
            ruleset: &self.ruleset,
            functions: &self.functions,
            globals: &self.globals,
            tripped: reason.clone(),
            typed: typed.map(|text| Source::new(TYPED, text)),
            last_word: self.shared.0.try_borrow().map(|table| table.point()).unwrap_or_default(),
        };
        match error {
            Some(error) => trouble::from_run_error(&context, error),
            None => trouble::without_error(&context, reason),
        }
    }

    /// Runs something on a copy of the table: recorded, and with nobody to answer.
    fn on_a_copy(
        &mut self,
        typed: Option<&str>,
        act: impl FnOnce(&Self) -> Result<Dynamic, Box<EvalAltResult>>,
    ) -> Result<TriedOut, Untried> {
        let mut copy = self.shared.0.borrow().copy();
        copy.record(Recording::default());
        let live = (self.shared.0.replace(copy), self.shared.1.replace(Box::new(Nobody)));
        self.guard.begin();
        let result = act(self);
        let outcome = match self.ended(&result, typed) {
            End::Finished => {
                let value = result.unwrap_or(Dynamic::UNIT);
                let result = shown(&self.shared.0.borrow(), &value);
                let recording = self.shared.0.borrow_mut().finish().unwrap_or_default();
                Ok(TriedOut { result, value: reference::value_or_list(&value), recording })
            }
            End::Failed(diagnostic) | End::Endless(diagnostic) => Err(Untried::Failed(diagnostic)),
            End::Halted(Halt::Stopped) => Err(Untried::LeftOut),
            End::Halted(_) => Err(Untried::Asks),
        };
        self.shared.0.replace(live.0);
        self.shared.1.replace(live.1);
        outcome
    }
}

impl Interpreter {
    /// Runs a tree that means the same as the rules' own, from the beginning.
    fn run_tree(
        &self,
        tree: &AST,
        entry: &Entry,
        seed: u64,
        answers: Box<dyn Answers>,
        recording: Option<Recording>,
    ) -> End {
        let mut answers = Box::new(Budgeted { answers, guard: self.guard.clone() });
        {
            let mut table = self.shared.0.borrow_mut();
            table.reset(seed);
            if let Entry::Call { table: laid, .. } = entry {
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
            Entry::Game => {
                let options = CallFnOptions::new().eval_ast(false);
                let result = self.engine.call_fn_with_options(options, &mut Scope::new(), tree, "game", ());
                self.ended(&result, None)
            }
            Entry::Call { expression, .. } => {
                let result = self.call_expression(expression);
                self.ended(&result, Some(expression))
            }
        }
    }
}

impl Rules for Interpreter {
    fn run(&mut self, entry: &Entry, seed: u64, answers: Box<dyn Answers>, recording: Option<Recording>) -> End {
        self.run_tree(&self.ast, entry, seed, answers, recording)
    }

    fn table(&self) -> Ref<'_, Table> {
        self.shared.0.borrow()
    }

    fn finish(&mut self) -> Option<Recording> {
        self.shared.0.borrow_mut().finish()
    }

    fn try_out(&mut self, function: &str, argument: Value) -> Result<TriedOut, Untried> {
        self.on_a_copy(None, |this| {
            let options = CallFnOptions::new().eval_ast(false);
            let argument = to_dynamic(argument);
            this.engine.call_fn_with_options(options, &mut Scope::new(), &this.ast, function, (argument,))
        })
    }

    fn try_all(&mut self, calls: &[(&str, Value)]) -> Vec<Result<TriedOut, Untried>> {
        self.guard.begin_drawing();
        let tried = |(function, argument): &(&str, Value)| match self.guard.is_used_up() {
            true => Err(Untried::LeftOut),
            false => self.try_out(function, argument.clone()),
        };
        let tried = calls.iter().map(tried).collect();
        self.guard.end_drawing();
        tried
    }

    fn evaluate(&mut self, expression: &str) -> Result<TriedOut, Box<Diagnostic>> {
        if expression.len() > MAX_EXPRESSION {
            return Err(Box::new(Diagnostic::new(format!("an expression has at most {MAX_EXPRESSION} bytes"))));
        }
        let mut last_value = None;
        let tried = self.on_a_copy(Some(expression), |this| {
            let value = this.call_expression(expression)?;
            last_value = Some(value.clone()).filter(|value| !value.is_unit());
            Ok(value)
        })?;
        if let Some(value) = last_value {
            // What a component is depends on the game so far: after `undo` it may be another.
            self.last_value = to_value(&value).is_ok_and(|value| value.components().is_empty()).then_some(value);
        }
        Ok(tried)
    }

    fn parse(&self, expression: &str) -> Result<(), Box<Diagnostic>> {
        self.compile_expression(expression).map(drop)
    }

    fn functions(&self) -> &[FunctionInfo] {
        &self.functions
    }

    fn work(&self) -> Arc<Work> {
        self.guard.work().clone()
    }
}

/// Answers with the guard told of each step, so that the budget is one for each stretch between decisions.
struct Budgeted {
    answers: Box<dyn Answers>,
    guard: Rc<Guard>,
}

impl Answers for Budgeted {
    fn begin(&mut self, table: &mut Table) {
        self.answers.begin(table);
    }

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        let kept = self.answers.kept_bytes();
        if table.record_bytes() + kept > MAX_RECORD {
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

/// An engine that knows nothing yet, with every limit set and what rules may not use taken away.
fn bare_engine(guard: &Rc<Guard>) -> Engine {
    let mut engine = Engine::new_raw();
    parser::limit(&mut engine);
    engine.set_max_call_levels(guard::MAX_CALLS);
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

/// The table itself, to scripts: `table.special_color`.
#[derive(Clone, Copy, Debug)]
struct TheTable;

/// Registers what the definition declares: zones, variables, attributes, data. Gives the names of global things.
fn register_definition(engine: &mut Engine, shared: &SharedTable, layout: &Arc<Layout>) -> Vec<String> {
    engine.register_type_with_name::<TheTable>("table");
    let mut globals: Vec<(String, Dynamic)> = Vec::new();
    let mut add = |name: String, value: Dynamic| globals.push((name, value));
    add("players".to_owned(), Dynamic::from(Seats::all(layout.seats)));
    add("table".to_owned(), Dynamic::from(TheTable));
    add(NOBODY.to_owned(), Dynamic::from(reference::Nobody));
    add("data".to_owned(), Dynamic::from(layout.data.root()));
    for (layer, settings) in layout.data.settings().iter().enumerate() {
        add(layering::settings_name(layer), Dynamic::from(*settings));
    }
    for (definition, zone) in layout.definition.zones.iter().enumerate() {
        let several = zone.count.is_some();
        if zone.per_seat {
            let layout = layout.clone();
            if several {
                engine.register_get(&zone.id, move |seat: &mut Seat| layout.zones_of(definition, Some(*seat)));
            } else {
                engine.register_get(&zone.id, move |seat: &mut Seat| layout.zone_of(definition, Some(*seat)));
            }
            reference::keep_as_it_is::<Seat>(engine, &zone.id);
        } else if several {
            add(zone.id.clone(), Dynamic::from(layout.zones_of(definition, None)));
        } else {
            add(zone.id.clone(), Dynamic::from(layout.zone_of(definition, None)));
        }
    }
    for (definition, variable) in layout.definition.variables.iter().enumerate() {
        if variable.per_seat {
            register_variable(engine, shared, &variable.id, layout, move |layout, seat: &mut Seat| {
                layout.variable_of(definition, Some(*seat))
            });
        } else {
            register_variable(engine, shared, &variable.id, layout, move |layout, _: &mut TheTable| {
                layout.variable_of(definition, None)
            });
        }
    }
    let is_variable = |name: &str| layout.definition.variables.iter().any(|variable| variable.id == name);
    let words: Rc<[ImmutableString]> = layout.words.iter().map(|word| ImmutableString::from(&**word)).collect();
    for (attribute, name) in layout.attributes.iter().enumerate() {
        let (shared, shared_again, words, name_again) = (shared.clone(), shared.clone(), words.clone(), name.clone());
        engine.register_get(name, move |component: &mut Component| {
            let table = shared.0.borrow();
            match table.face_value(*component, attribute) {
                FaceValue::Number(number) => Ok(Dynamic::from_int(number)),
                FaceValue::Word(word) => Ok(Dynamic::from(words[usize::from(word)].clone())),
                FaceValue::Absent => {
                    Err(raise(Fault::rule(format!("{} has no {name_again}", table.label(*component)))))
                }
            }
        });
        if is_variable(name) {
            let shared = shared_again;
            reference::refuse_to_set(engine, name, move |component: &mut Component| {
                let table = shared.0.borrow();
                match table.face_value(*component, attribute) {
                    FaceValue::Number(number) => Some(Value::Number(number)),
                    FaceValue::Word(word) => Some(Value::Text(table.layout().words[usize::from(word)].clone())),
                    FaceValue::Absent => None,
                }
            });
        } else {
            reference::keep_as_it_is::<Component>(engine, name);
        }
    }
    let keys: BTreeSet<String> = layout.data.keys().map(str::to_owned).collect();
    for key in keys {
        // `len` of a table is the word, whatever the table holds.
        if vocabulary::words().any(|word| word.receivers.contains(&Sort::Data) && word.name == key) {
            continue;
        }
        let (shared, shared_again, key_again) = (shared.clone(), shared.clone(), key.clone());
        let key_to_get = key.clone();
        engine.register_get(&key, move |data: &mut Data| {
            reference::give_datum(shared.0.borrow().datum(*data, &key_to_get).cloned())
        });
        if is_variable(&key) {
            reference::refuse_to_set(engine, &key, move |data: &mut Data| {
                match shared_again.0.borrow().datum(*data, &key_again) {
                    Ok(Datum::Value(value)) => Some(value.clone()),
                    _ => None,
                }
            });
        } else {
            reference::keep_as_it_is::<Data>(engine, &key);
        }
    }
    let names = globals.iter().map(|(name, _)| name.clone()).collect();
    // A module of constants would do for functions, but closures could not see it: they capture what they do not define,
    // and only what the resolver knows need not be captured. A variable with an index is a local one.
    #[allow(deprecated)]
    engine.on_var(move |name, index, _| {
        let global = || globals.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        Ok(if index == 0 { global() } else { None })
    });
    names
}

/// A variable of the table or of a seat: read as a property, set by assignment.
fn register_variable<Owner: rhai::Variant + Clone>(
    engine: &mut Engine,
    shared: &SharedTable,
    name: &str,
    layout: &Arc<Layout>,
    number: impl Fn(&Layout, &mut Owner) -> usize + Copy + 'static,
) {
    let (reading, layout_again) = (shared.clone(), layout.clone());
    engine.register_get(name, move |owner: &mut Owner| {
        to_dynamic(reading.0.borrow().variable(number(&layout_again, owner)).clone())
    });
    let (setting, layout) = (shared.clone(), layout.clone());
    // Pure to the interpreter: the handle stays as it is, so that it may be a constant.
    FuncRegistration::new_setter(name).with_purity(true).register_into_engine(
        engine,
        move |context: rhai::NativeCallContext, owner: &mut Owner, value: Dynamic| -> Result<(), Box<EvalAltResult>> {
            let mut entered = setting.enter(&context);
            let value = to_value(&value).map_err(raise)?;
            entered.table.set_variable(number(&layout, owner), value).map_err(raise)
        },
    );
}
