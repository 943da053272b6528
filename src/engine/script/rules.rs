//! Compiled rules, and runs of them.
//!
//! [`Rules`] are a ruleset compiled for a number of seats: they never change, and any number of runs, in any number of
//! threads, share them; threads with much to do take a [copy](Rules::unshared) each. A [`Run`] is a table together with
//! the execution state of the rules. It is data: it can be copied in the middle of a turn, and each copy goes on by
//! itself.

use crate::diagnostic::{Diagnostic, Diagnostics, Message, Place, Source, message};
use crate::ruleset::Ruleset;
use crate::script::check::{self, CheckResult, Lint};
use crate::script::functions::FunctionInfo;
use crate::script::host_functions::{DOUBT, HostFunction, INVARIANT, POLICY, VALUE};
use crate::script::layering::LAST_VALUE;
use crate::script::machine::code::{Code, Step};
use crate::script::machine::compile::{self, CompileLimitError};
use crate::script::machine::counts::RunHook;
use crate::script::machine::hooks::{Frames, Hook, NoHook};
use crate::script::machine::meter::{Limits, MAX_UNITS_PER_DRAWING, Meter, Purpose};
use crate::script::machine::run::{Failure, Machine, Stop};
use crate::script::machine::runtime_error::RuntimeError;
use crate::script::machine::value::RegisterValue;
use crate::script::parser::{Parser, Scripts, typed_place};
use crate::script::program::{Function, FunctionId, Global, Program};
use crate::script::sorts::Sort;
use crate::script::{End, Evaluation, EvaluationError, Start, TYPED_SOURCE, error_messages, read};
use crate::sorted::SortedMap;
use crate::table::decision::{Answerer, Halt, NoAnswerer, Play, Question};
use crate::table::event::ScriptPoint;
use crate::table::layout::Layout;
use crate::table::value::{Seats, Value};
use crate::table::{MAX_RECORD_BYTES, Recording, Table};
use crate::work::Work;
use std::sync::{Arc, Mutex};

/// Units of the machine between two checks for a stop request: a few milliseconds, or about thirty for the slowest
/// words.
const UNITS_PER_SLICE: u64 = 1 << 17;

/// Number of slices that rules may go on after a stop request, to reach a decision at which the game can pause.
pub(super) const GRACE_SLICES: u64 = 2;

/// The word that gives points, and the variable that holds them.
const AWARD_WORD: &str = "award";
const SCORE_VARIABLE: &str = "score";

/// A ruleset compiled for a number of seats.
pub struct Rules {
    pub(super) common: Arc<SharedRules>,
    pub(super) code: Arc<Code>,
}

/// The part of rules that threads share.
pub(super) struct SharedRules {
    ruleset: Arc<Ruleset>,
    pub(super) layout: Arc<Layout>,
    pub(super) scripts: Scripts,
    globals: SortedMap<String, Global>,
    warnings: Vec<Diagnostic>,
    untold: Vec<Diagnostic>,
    lints: Vec<Lint>,
    /// The rules' own `value` function; `None` where they have none.
    pub(super) value: Option<FunctionId>,
    /// The rules' own `policy` function; `None` where they have none.
    pub(super) policy: Option<FunctionId>,
    /// The rules' own `doubt` function; `None` where they have none.
    pub(super) doubt: Option<FunctionId>,
    /// The function that scores a player as if the game ended now; `None` where the definition names none.
    pub(super) standing: Option<FunctionId>,
    has_scores: bool,
    /// The fault of each function that guides agents. Of several faults, the first in the order of messages is kept, so
    /// that it does not matter which thread found which.
    pub(super) faults: Mutex<SortedMap<FunctionId, Diagnostic>>,
    pub(super) work: Arc<Work>,
}

/// The function that a call of `name` from outside reaches; `None` where there is none.
fn function_called(functions: &[FunctionInfo], name: &str, arity: usize) -> Option<FunctionId> {
    let is_called = |info: &FunctionInfo| info.is_reached_by(name) && info.parameters.len() == arity;
    functions.iter().position(is_called).and_then(|number| FunctionId::try_from(number).ok())
}

/// Whether something in the rules gives points, or sets the variable that holds them.
fn gives_points(code: &Code) -> bool {
    let sets_score = |step: &Step| match step {
        Step::Set { site, .. } => {
            code.properties.get(usize::from(*site)).is_some_and(|property| &*property.name == SCORE_VARIABLE)
        }
        _ => false,
    };
    code.words.iter().any(|word| &*word.name == AWARD_WORD)
        || code.functions.iter().flat_map(|function| &function.steps).any(sets_score)
}

/// A table in play, together with the execution state of the rules.
pub struct Run {
    /// The table.
    pub table: Table,
    pub(super) machine: Machine,
    code: Arc<Code>,
    /// The typed expression that is run; `None` for a function of the scripts.
    typed: Option<Arc<Source>>,
    /// Why the run cannot begin; `None` where it can.
    pub(super) misread: Option<Diagnostics>,
}

impl Clone for Run {
    fn clone(&self) -> Self {
        Self {
            table: self.table.clone(),
            machine: self.machine.clone(),
            code: self.code.clone(),
            typed: self.typed.clone(),
            misread: self.misread.clone(),
        }
    }

    /// Reuses the allocated memory of `self`.
    fn clone_from(&mut self, of: &Self) {
        let Self { table, machine, code, typed, misread } = of;
        self.table.clone_from(table);
        self.machine.clone_from(machine);
        if !Arc::ptr_eq(&self.code, code) {
            self.code = code.clone();
        }
        self.typed.clone_from(typed);
        self.misread.clone_from(misread);
    }
}

impl Run {
    /// The call stack of the run, the outermost call first.
    #[doc(hidden)]
    pub fn frames(&self) -> Frames<'_> {
        self.machine.frames(&self.code)
    }

    /// The compiled code that is run.
    #[doc(hidden)]
    pub fn code(&self) -> &Arc<Code> {
        &self.code
    }

    /// Takes over the results of calls that another run has cached, which then has none.
    pub fn take_cache_of(&mut self, other: &mut Self) {
        self.machine.take_cache_of(&mut other.machine);
    }

    /// Looks every call up among the cached results from now on, whether that pays or not.
    #[doc(hidden)]
    pub fn cache_eagerly(&mut self) {
        self.machine.cache_eagerly();
    }

    /// Number of units of the machine that the run has used.
    pub fn units(&self) -> u64 {
        self.machine.meter.used()
    }

    /// Approximate size of a copy of the run in bytes, without its table.
    pub fn bytes(&self) -> usize {
        self.machine.bytes()
    }

    /// Approximate size of the run and its table in bytes, memory shared with copies included.
    pub fn bytes_held(&self) -> usize {
        self.table.bytes() + self.machine.bytes_held()
    }
}

impl Rules {
    /// Compiles a ruleset for a number of seats; stopping `work` ends every run.
    ///
    /// # Errors
    /// Everything that does not compile or breaks the rules for scripts, of all layers at once; or somebody stopped the
    /// work.
    pub fn new(ruleset: Arc<Ruleset>, seats: usize, work: Arc<Work>) -> Result<Self, Diagnostics> {
        let layout = Arc::new(Layout::new(ruleset.definition.clone(), &ruleset.settings, seats));
        let globals = read::globals(&layout);
        let parser = Parser::new(work.clone());
        let scripts = parser.scripts(&ruleset, &layout, &globals)?;
        let CheckResult { warnings, untold, lints } = check::check(&scripts, &layout, &ruleset, &work)?;
        let code = compile::compile(&scripts.program, &scripts.functions, &layout, &work);
        work.check_stopped()?;
        let code = code.map_err(|excess| in_words(&ruleset, None, excess))?;
        let code = Arc::new(code);
        let has_scores = layout.definition.standing.is_some() || gives_points(&code);
        let warnings = ruleset.warnings.iter().cloned().chain(warnings).collect();
        let called = |name: &str, arity| function_called(&scripts.functions, name, arity);
        let [value, policy, doubt] = [(VALUE, 1), (POLICY, 3), (DOUBT, 1)].map(|(name, arity)| called(name, arity));
        let standing = layout.definition.standing.as_deref().and_then(|name| called(name, 1));
        let common = SharedRules {
            ruleset,
            layout,
            scripts,
            globals,
            warnings,
            untold,
            lints,
            value,
            policy,
            doubt,
            standing,
            has_scores,
            faults: Mutex::default(),
            work,
        };
        Ok(Self { common: Arc::new(common), code })
    }

    /// The same rules with values of their own, for another thread.
    ///
    /// Values count their copies. Threads that copy the same values all the time would wait for each other to count.
    pub fn unshared(&self) -> Self {
        Self { common: self.common.clone(), code: Arc::new(self.code.unshared()) }
    }

    /// A copy of a run that goes on with these rules; `run` is of these rules, or of others that they were
    /// [copied](Self::unshared) from.
    pub fn adopt_run(&self, run: &Run) -> Run {
        // A typed expression is part of the code of its run.
        let code = if run.typed.is_none() { &self.code } else { &run.code };
        Run { code: code.clone(), ..run.clone() }
    }

    /// The ruleset that was compiled.
    pub fn ruleset(&self) -> &Arc<Ruleset> {
        &self.common.ruleset
    }

    /// The layout of the table for the number of seats.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.common.layout
    }

    /// Whether the rules can give points to anybody; if not, a game only tells who wins.
    pub fn has_scores(&self) -> bool {
        self.common.has_scores
    }

    /// Every function that the scripts define, by its id.
    pub fn functions(&self) -> &[FunctionInfo] {
        &self.common.scripts.functions
    }

    /// Warnings about the ruleset.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.common.warnings
    }

    /// Warnings about texts that people read while they play and that the game does not have, in one language or in
    /// both.
    pub fn missing_texts(&self) -> &[Diagnostic] {
        &self.common.untold
    }

    /// Warnings about unused things, which matter to the author of the rules.
    pub fn lints(&self) -> &[Lint] {
        &self.common.lints
    }

    /// The handle by which runs are stopped and report their progress.
    pub fn work(&self) -> &Arc<Work> {
        &self.common.work
    }

    /// The syntax tree of the rules.
    #[doc(hidden)]
    pub fn program(&self) -> &Program {
        &self.common.scripts.program
    }

    /// The compiled code of the rules.
    #[doc(hidden)]
    pub fn code(&self) -> &Arc<Code> {
        &self.code
    }

    /// A new run at its first step. The caller has to call [`Answerer::begin`].
    pub fn begin(&self, entry: &Start, seed: u64) -> Run {
        let table = Table::new(self.common.layout.clone(), seed);
        match entry {
            Start::Game => self.start_on_table(table, self.function("game", 0), &[]),
            Start::Call { expression, table: laid } => {
                let mut table = table;
                table.restore((**laid).clone());
                self.with_expression(table, expression, None)
            }
        }
    }

    /// Continues a run until the rules end or a decision stays open. A run that was halted can be continued: the same
    /// question is posed again.
    pub fn resume(&self, run: &mut Run, answers: &mut dyn Answerer) -> End {
        self.resume_hooked(run, answers, &mut NoHook)
    }

    /// Continues a run like [`Self::resume`], but ignores stop requests, for a replay of what was run before.
    pub fn resume_ignoring_stop(&self, run: &mut Run, answers: &mut dyn Answerer) -> End {
        self.run_to_end(run, answers, &mut NoHook, Some(u64::MAX)).0
    }

    /// Continues a run like [`Self::resume`], with a hook that counts, or that watches each statement and may stop the
    /// run before it.
    #[doc(hidden)]
    pub fn resume_with_hook(&self, run: &mut Run, answers: &mut dyn Answerer, hook: &mut dyn RunHook) -> End {
        hook.resume(self, run, answers)
    }

    pub(crate) fn resume_hooked<H: Hook>(&self, run: &mut Run, answers: &mut dyn Answerer, hook: &mut H) -> End {
        let grace = self.common.work.is_stopped().then_some(0);
        self.run_to_end(run, answers, hook, grace).0
    }

    /// Plays from the beginning until the rules end or a decision stays open.
    pub fn play(
        &self,
        entry: &Start,
        seed: u64,
        answers: &mut dyn Answerer,
        recording: Option<Recording>,
    ) -> (Run, End) {
        let mut run = self.begin(entry, seed);
        if let Some(recording) = recording {
            run.table.record(recording);
        }
        answers.begin(&mut run.table);
        let end = self.resume(&mut run, answers);
        (run, end)
    }

    /// Calls a function with one seat or zone on a copy of the table, and returns its result and the events it caused.
    ///
    /// # Errors
    /// The call fails, asks a player, or is stopped.
    pub fn call_on_copy(&self, table: &Table, function: &str, argument: &Value) -> Result<Evaluation, EvaluationError> {
        let argument = self.code.texts.of_value(argument);
        let run = self.start_on_table(table.copy(), self.function(function, 1), &[argument]);
        self.finish_trial(run, Limits::default(), None).0
    }

    /// Makes several calls like [`Self::call_on_copy`], with one shared budget, for drawing the table. The call that
    /// uses up the budget fails, and those behind it are [left out](EvaluationError::OutOfBudgetOrStopped).
    pub fn call_all_on_copies(
        &self,
        table: &Table,
        calls: &[(&str, Value)],
    ) -> Vec<Result<Evaluation, EvaluationError>> {
        // Stopped work may still be drawn, if that is quick.
        let grace = self.common.work.is_stopped().then_some(0);
        let enough = if grace.is_some() { MAX_UNITS_PER_DRAWING - UNITS_PER_SLICE } else { 0 };
        let mut left = Some(MAX_UNITS_PER_DRAWING);
        let tried = |(function, argument): &(&str, Value)| {
            let Some(units) = left.filter(|left| *left >= enough) else {
                return Err(EvaluationError::OutOfBudgetOrStopped);
            };
            let limits = Limits { stretch: units, game: units, purpose: Purpose::Drawing, ..Limits::default() };
            let argument = self.code.texts.of_value(argument);
            let run = self.start_on_table(table.copy(), self.function(function, 1), &[argument]);
            let (tried, used) = self.finish_trial(run, limits, grace);
            left = units.checked_sub(used);
            tried
        };
        calls.iter().map(tried).collect()
    }

    /// The fault of the table according to the rules' own `invariant`; `None` where there is none, the rules have no
    /// `invariant` or the work was stopped.
    ///
    /// # Errors
    /// The function fails, asks a player, or gives a value of a wrong sort.
    pub fn broken_invariant(&self, table: &Table) -> Result<Option<Message>, Diagnostics> {
        let Some(function) = self.function(INVARIANT, 0) else { return Ok(None) };
        let mut run = self.start_on_table(table.copy(), Some(function), &[]);
        let (end, value) = self.run_to_end(&mut run, &mut NoAnswerer, &mut NoHook, None);
        match end {
            End::Finished => {}
            End::Failed(errors) | End::Endless(errors) => return Err(errors),
            End::Halted(Halt::Stopped) => return Ok(None),
            End::Halted(_) => {
                let error = Diagnostic::new(message!("`{INVARIANT}` asks a player")).help("it only looks at the table");
                return Err(error.at_maybe(self.place_of(function)).into());
            }
        }
        match &value {
            RegisterValue::Truth(truth) if truth.get() => Ok(None),
            RegisterValue::Truth(_) => Ok(Some(message!("`{INVARIANT}` gives false"))),
            other => match self.code.texts.text(other) {
                Some(sentence) => Ok(Some(Message::verbatim(&**sentence))),
                None => {
                    let message = message!("`{INVARIANT}` gives {}", other.sort().named());
                    let error =
                        Diagnostic::new(message).help("give `true`, or `false`, or a sentence that says what is wrong");
                    Err(error.at_maybe(self.place_of(function)).into())
                }
            },
        }
    }

    /// Where the rules define a function that the host asks; `None` where they do not.
    pub fn place_of_host_function(&self, asked: &HostFunction) -> Option<Place> {
        self.place_of(self.function(asked.name, asked.parameters.len())?)
    }

    pub(super) fn place_of(&self, function: FunctionId) -> Option<Place> {
        self.common.ruleset.place(self.common.scripts.functions.get(usize::from(function))?.at, "this function")
    }

    /// Evaluates an expression on a copy of the table; `last` is the value of `_` in it.
    ///
    /// # Errors
    /// The expression does not parse, fails, asks a player, or is stopped.
    pub fn evaluate(&self, table: &Table, expression: &str, last: Option<&Value>) -> Result<Evaluation, Diagnostics> {
        let run = self.with_expression(table.copy(), expression, last);
        self.finish_trial(run, Limits::default(), None).0.map_err(Into::into)
    }

    /// Checks that an expression parses; names in it may be unknown.
    ///
    /// # Errors
    /// The expression does not parse.
    pub fn parse(&self, expression: &str) -> Result<(), Diagnostics> {
        self.compiled(expression, &self.names_of_players()).map(drop)
    }

    /// Checks an expression like the rules themselves, with all local names of their functions; returns the sort of its
    /// value, where that is certain.
    ///
    /// # Errors
    /// The expression does not parse, has a name that no statement knows, or does what rules may not do.
    pub(super) fn check_typed(&self, expression: &str) -> Result<Option<Sort>, Diagnostics> {
        let mut known = self.names_of_players();
        for name in self.code.functions.iter().flat_map(|function| &function.names) {
            if !known.iter().any(|other| **other == **name) {
                known.push(name.to_string());
            }
        }
        let function = self.parsed(expression, &known)?;
        let SharedRules { scripts, layout, ruleset, work, .. } = &*self.common;
        let source = Source::new(TYPED_SOURCE, expression);
        check::check_typed(scripts, layout, ruleset, (&function, &source), work)
    }

    /// The function that a call of `name` from outside reaches; `None` where there is none.
    pub fn function(&self, name: &str, arity: usize) -> Option<FunctionId> {
        function_called(&self.common.scripts.functions, name, arity)
    }

    /// `p1`, `p2` …: the name of every player.
    pub(super) fn names_of_players(&self) -> Vec<String> {
        Seats::all(self.common.layout.seats).into_iter().map(|seat| seat.to_string()).collect()
    }

    /// A run of a function on a table; it fails at once if `function` is `None`.
    pub(super) fn start_on_table(
        &self,
        table: Table,
        function: Option<FunctionId>,
        arguments: &[RegisterValue],
    ) -> Run {
        let mut machine = Machine::new(Limits::default());
        let mut misread = None;
        match function {
            Some(function) => machine.start(&self.code, function, arguments),
            None => misread = Some(Diagnostic::new("there is no such function").into()),
        }
        Run { table, machine, code: self.code.clone(), typed: None, misread }
    }

    /// A run of an expression that a person typed, which knows the scripts' functions and `p1`, `p2` ….
    fn with_expression(&self, table: Table, expression: &str, last: Option<&Value>) -> Run {
        let mut known = self.names_of_players();
        let mut values: Vec<RegisterValue> =
            Seats::all(self.common.layout.seats).into_iter().map(RegisterValue::player).collect();
        if let Some(last) = last {
            known.push(LAST_VALUE.to_owned());
            values.push(self.code.texts.of_value(last));
        }
        let mut machine = Machine::new(Limits::default());
        let typed = Some(Source::new(TYPED_SOURCE, expression));
        match self.compiled(expression, &known) {
            Ok((code, function)) => {
                machine.start(&code, function, &values);
                Run { table, machine, code: Arc::new(code), typed, misread: None }
            }
            Err(error) => Run { table, machine, code: self.code.clone(), typed, misread: Some(error) },
        }
    }

    /// The compiled rules with one more function: an expression whose parameters are the names in `known`.
    pub(super) fn compiled(&self, expression: &str, known: &[String]) -> Result<(Code, FunctionId), Diagnostics> {
        let function = self.parsed(expression, known)?;
        let SharedRules { scripts, layout, .. } = &*self.common;
        let extended = compile::extend(&self.code, &function, TYPED_SOURCE, &scripts.functions, layout);
        extended.map_err(|excess| {
            let typed = Source::new(TYPED_SOURCE, expression);
            in_words(&self.common.ruleset, Some(&typed), excess).into()
        })
    }

    /// An expression as a function whose parameters are the names in `known`.
    fn parsed(&self, expression: &str, known: &[String]) -> Result<Function, Diagnostics> {
        let SharedRules { ruleset, scripts, globals, work, .. } = &*self.common;
        Parser::new(work.clone()).typed(expression, ruleset, &scripts.functions, globals, known)
    }

    /// Finishes a run on a copy of a table, recorded and with nobody to answer; also returns the units that it used.
    fn finish_trial(
        &self,
        mut run: Run,
        limits: Limits,
        grace: Option<u64>,
    ) -> (Result<Evaluation, EvaluationError>, u64) {
        run.table.record(Recording::default());
        run.machine.meter = Meter::new(limits);
        let (end, value) = self.run_to_end(&mut run, &mut NoAnswerer, &mut NoHook, grace);
        let used = run.machine.meter.used();
        let tried = match end {
            End::Finished => {
                let texts = &run.code.texts;
                let result = texts.shown(&run.table, &value);
                let value = texts.to_value(&value).ok();
                Ok(Evaluation { result, value, recording: run.table.finish().unwrap_or_default() })
            }
            End::Failed(diagnostic) | End::Endless(diagnostic) => Err(EvaluationError::Failed(diagnostic)),
            End::Halted(Halt::Stopped) => Err(EvaluationError::OutOfBudgetOrStopped),
            End::Halted(_) => Err(EvaluationError::Asks),
        };
        (tried, used)
    }

    /// Continues a run slice by slice, and checks for a stop request in between. If there is one already, `grace` is
    /// the number of slices that may follow the next one.
    pub(super) fn run_to_end<H: Hook>(
        &self,
        run: &mut Run,
        answers: &mut dyn Answerer,
        hook: &mut H,
        mut grace: Option<u64>,
    ) -> (End, RegisterValue) {
        if let Some(error) = &run.misread {
            return (End::Failed(error.clone()), RegisterValue::Nothing);
        }
        run.table.reopen();
        let Run { table, machine, code, typed, .. } = run;
        let mut answers = RecordLimited(answers);
        let mut play = Play { table, answers: &mut answers };
        loop {
            let end = match machine.run(code, &mut play, hook, UNITS_PER_SLICE) {
                Stop::Returned(value) => return (End::Finished, value),
                Stop::Watched => {
                    play.table.end_watched();
                    End::Halted(Halt::Watched)
                }
                Stop::Halted(Halt::Limit(reason)) => {
                    let failure = Failure { error: RuntimeError::Limit(reason), calls: machine.calls(code) };
                    let help = "a game that goes on for ever has no end condition that can be met";
                    End::Endless(self.failure_diagnostic(&failure, typed.as_ref()).help(help).into())
                }
                Stop::Halted(Halt::Over) => return (End::Finished, RegisterValue::Nothing),
                Stop::Halted(halt) => End::Halted(halt),
                Stop::Failed(failure) => {
                    let error = self.failure_diagnostic(&failure, typed.as_ref());
                    End::Failed(self.declared(play.table.point(), error).into())
                }
                Stop::Sliced => {
                    grace = match grace {
                        Some(0) => return (End::Halted(Halt::Stopped), RegisterValue::Nothing),
                        Some(slices) => Some(slices - 1),
                        None => self.common.work.is_stopped().then_some(GRACE_SLICES - 1),
                    };
                    continue;
                }
            };
            return (end, RegisterValue::Nothing);
        }
    }

    /// Moves a failure behind a word that asks for settings to the setting; any other failure stays as it is.
    fn declared(&self, at: ScriptPoint, error: Diagnostic) -> Diagnostic {
        let place = at.setting().and_then(|_| self.common.ruleset.place(at, "this setting"));
        let Some(place) = place else { return error };
        // Where no rule calls the word, the host does, and there is no line to show.
        let is_call = |called: &Place| called.source.text.get(called.span.clone()) == Some(compile::ASK_SETTINGS_WORD);
        let called = error.place.filter(is_call);
        let called = called.map(|called| Place { label: "settings are asked for here".into(), ..called });
        let related = called.into_iter().chain(error.related).collect();
        Diagnostic { place: Some(place), related, ..error }
    }

    /// The message for a failure; `typed` is the expression that ran, where it was typed.
    pub fn failure_diagnostic(&self, failure: &Failure, typed: Option<&Arc<Source>>) -> Diagnostic {
        let context = error_messages::Context {
            ruleset: &self.common.ruleset,
            functions: &self.common.scripts.functions,
            globals: &self.common.globals.keys().cloned().collect::<Vec<_>>(),
            typed: typed.cloned(),
        };
        error_messages::from_failure(&context, failure)
    }
}

impl Evaluation {
    /// The value to keep as `_` after this evaluation; `before` is the value kept so far.
    pub fn value_to_keep(&self, before: Option<Value>) -> Option<Value> {
        match &self.value {
            // A component may be another one after `undo`, because it depends on the game so far.
            Some(Value::List(_)) => None,
            Some(value) => Some(value.clone()).filter(|value| value.components().is_empty()),
            None if self.result == "()" => before,
            None => None,
        }
    }
}

fn in_words(ruleset: &Ruleset, typed: Option<&Arc<Source>>, excess: CompileLimitError) -> Diagnostic {
    let place = typed.and_then(|typed| typed_place(typed, excess.at, "here"));
    Diagnostic::new(excess.message).at_maybe(place.or_else(|| ruleset.place(excess.at, "here")))
}

/// Passes questions on while the record of the game has room, and halts the run after that.
struct RecordLimited<'a>(&'a mut dyn Answerer);

impl Answerer for RecordLimited<'_> {
    fn begin(&mut self, table: &mut Table) {
        self.0.begin(table);
    }

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        if table.record_bytes() + self.0.kept_bytes() > MAX_RECORD_BYTES {
            return Err(table.record_is_full());
        }
        self.0.answer(table, question, chosen)
    }

    fn wants_reasons(&self, table: &Table) -> bool {
        self.0.wants_reasons(table)
    }

    fn kept_bytes(&self) -> usize {
        self.0.kept_bytes()
    }

    fn intervene(&mut self, table: &mut Table) {
        self.0.intervene(table);
    }
}
