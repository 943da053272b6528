//! The rules run statement by statement, with somebody watching.
//!
//! A [`Stepper`] executes the same rules as an [`Interpreter`] and tells a [`Watcher`] of each statement before it runs:
//! which one it is, inside which calls, with which values. Nothing of this is there in rules that nobody watches: a
//! stepper compiles its own copy of the scripts, with a mark before each statement.

mod asked;
mod sites;
mod tree;

pub use asked::{Asked, Written};
pub use sites::Site;

use crate::diagnostic::Diagnostic;
use crate::ruleset::Ruleset;
use crate::script::guard::{Guard, Trip};
use crate::script::layering::{self, FunctionInfo, Receivers};
use crate::script::reference::{SharedTable, labels, raise, shown, to_dynamic};
use crate::script::trouble;
use crate::script::{End, Entry, Interpreter, Rules, TriedOut, Untried};
use crate::table::decision::{Answers, Halt};
use crate::table::event::ScriptPoint;
use crate::table::value::{Seats, Value};
use crate::table::{Fault, Recording, Table};
use crate::work::Work;
use rhai::{AST, Array, Dynamic, Engine, EvalAltResult, NativeCallContext, Scope};
use sites::{MARK, Marked};
use std::cell::{Cell, Ref, RefCell};
use std::rc::Rc;
use std::sync::Arc;

/// How many times as much watched rules may do between two decisions: each mark counts like a statement or two.
const WIDER: u64 = 4;

/// Somebody who is told of each statement before it runs.
pub trait Watcher {
    /// A run begins.
    fn begin(&mut self);

    /// A statement is about to run; false ends the run before it.
    fn statement(&mut self, moment: &Moment<'_>) -> bool;
}

/// A call that is going on, and how far it has come.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Its present statement, by the number of the site.
    pub site: usize,
    /// The number of that statement in the run, from 1.
    pub step: u64,
    level: usize,
    values: Array,
}

/// A name of the scripts with its value in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// The name.
    pub name: String,
    /// The value, as a person reads it.
    pub value: String,
}

/// What an expression comes to at some moment.
#[derive(Clone, Debug, PartialEq)]
pub enum Seen {
    /// A value.
    Value(Shown),
    /// A name in it is not known there; elsewhere it may be.
    Unknown(String),
    /// It cannot be read there, and why.
    Fails(String),
    /// It changed the table, which whoever only looks may not do.
    Changes,
}

/// A value as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// In words.
    pub shown: String,
    /// Whether it is `true`.
    pub is_true: bool,
    /// What a player could choose from it, where it is a list or a zone: the labels of these options.
    pub labels: Vec<String>,
}

/// An expression that can be looked at again and again.
#[derive(Clone)]
pub struct Expression(Rc<AST>);

/// The moment before a statement.
pub struct Moment<'a> {
    /// Its number in the run, from 1.
    pub step: u64,
    /// The calls that are going on, the outermost first.
    pub frames: &'a [Frame],
    context: &'a NativeCallContext<'a>,
    course: &'a Course,
}

impl Moment<'_> {
    /// The table as it lies.
    pub fn table(&self) -> Ref<'_, Table> {
        self.course.shared.0.borrow()
    }

    /// Why the run is over already: the budget can be used up by an expression that was looked at.
    pub fn ended(&self) -> Option<String> {
        self.course.guard.tripped().map(Trip::in_words)
    }

    /// What an expression comes to here.
    pub fn see(&self, expression: &Expression) -> Seen {
        self.course.see(self.context.engine(), self.frames.last(), &[], expression)
    }
}

/// Rules that are executed with somebody watching.
pub struct Stepper {
    interpreter: Interpreter,
    marked: Marked,
    tree: AST,
    sites: Arc<[Site]>,
    course: Rc<Course>,
}

/// A watched run on its way.
struct Course {
    sites: Arc<[Site]>,
    shared: SharedTable,
    guard: Rc<Guard>,
    ruleset: Arc<Ruleset>,
    globals: Vec<String>,
    frames: RefCell<Vec<Frame>>,
    step: Cell<u64>,
    /// Whether the watcher has ended the run: the host may still be in the middle of calling functions for a list.
    is_over: Cell<bool>,
    watcher: RefCell<Option<Rc<RefCell<dyn Watcher>>>>,
}

impl Stepper {
    /// Compiles a ruleset to be watched.
    ///
    /// # Errors
    /// As [`Interpreter::new`].
    pub fn new(ruleset: Arc<Ruleset>, seats: usize, work: Arc<Work>) -> Result<Self, Vec<Diagnostic>> {
        let mut interpreter = Interpreter::new(ruleset.clone(), seats, work)?;
        let tokens = layering::tokens_of(&interpreter.engine, &interpreter.tap, &ruleset);
        let marked = Marked::new(&interpreter.ast, &interpreter.functions, &ruleset, &tokens);
        let sites: Arc<[Site]> = marked.sites.clone().into();
        let course = Rc::new(Course {
            sites: sites.clone(),
            shared: interpreter.shared.clone(),
            guard: interpreter.guard.clone(),
            ruleset: ruleset.clone(),
            globals: interpreter.globals.clone(),
            frames: RefCell::default(),
            step: Cell::new(0),
            is_over: Cell::new(false),
            watcher: RefCell::default(),
        });
        let watched = course.clone();
        interpreter
            .engine
            .register_fn(MARK, move |context: NativeCallContext, given: Array| watched.reach(&context, given));
        interpreter.guard.widen(WIDER);
        let joined = layering::join_texts(
            &interpreter.engine,
            &interpreter.tap,
            &ruleset,
            &marked.texts,
            &[MARK],
            Receivers::Turned,
        )?;
        Ok(Self { interpreter, marked, tree: joined.ast, sites, course })
    }

    /// Every statement of the scripts.
    pub fn sites(&self) -> &Arc<[Site]> {
        &self.sites
    }

    /// Tells somebody of each statement from now on.
    pub fn watch(&self, watcher: Rc<RefCell<dyn Watcher>>) {
        self.course.watcher.replace(Some(watcher));
    }

    /// Tells nobody any more.
    pub fn look_away(&self) {
        self.course.watcher.replace(None);
    }

    /// The calls that were going on when the last run ended, the outermost first.
    pub fn frames(&self) -> Vec<Frame> {
        let mut frames = self.course.frames.borrow().clone();
        let table = self.interpreter.shared.0.borrow();
        let asks = matches!(table.halt(), Some(Halt::Open | Halt::Misfit { .. }));
        // A function that has worked out an option has returned when the question is put, and no statement says so.
        if let Some(at) = table.open().filter(|_| asks).map(|open| open.at)
            && let Some(asking) = frames.iter().rposition(|frame| self.can_ask(frame, at))
        {
            frames.truncate(asking + 1);
        }
        frames
    }

    /// Whether a question that is put at a point can be put by a call.
    fn can_ask(&self, frame: &Frame, at: ScriptPoint) -> bool {
        let Some(site) = self.sites.get(frame.site) else { return false };
        let function = self.interpreter.functions.get(site.function);
        // A function without a name behind the point is an argument of the question.
        let is_argument = site.in_closure && site.at > self.original(at);
        !is_argument && function.is_some_and(|function| function.at.line <= at.line && at.line <= function.last_line)
    }

    /// How many statements the last run has begun.
    pub fn steps(&self) -> u64 {
        self.course.step.get()
    }

    /// The names that are known in a call, with their values.
    pub fn locals(&self, frame: &Frame) -> Vec<Local> {
        let table = self.interpreter.shared.0.borrow();
        let names = self.sites.get(frame.site).map(|site| site.locals.as_slice()).unwrap_or_default();
        let local = |(name, value): (&String, &Dynamic)| Local { name: name.clone(), value: shown(&table, value) };
        names.iter().zip(&frame.values).map(local).collect()
    }

    /// A point that a watched run has given, as the scripts were written.
    pub fn original(&self, point: ScriptPoint) -> ScriptPoint {
        self.marked.original(point)
    }

    /// An expression that can be looked at while the rules run.
    ///
    /// # Errors
    /// It does not parse.
    pub fn expression(&self, text: &str) -> Result<Expression, Box<Diagnostic>> {
        Ok(Expression(Rc::new(self.interpreter.compile_expression(text)?)))
    }

    /// What an expression comes to in a call of the last run, which has ended.
    pub fn see(&self, frame: &Frame, expression: &Expression) -> Seen {
        self.see_with(frame, &[], expression)
    }

    /// The same, with more names known than the call knows.
    pub fn see_with(&self, frame: &Frame, names: &[(String, Value)], expression: &Expression) -> Seen {
        // The run may have used up its budget.
        self.interpreter.guard.begin();
        let before = self.interpreter.shared.0.borrow().snapshot();
        let seen = self.course.see(&self.interpreter.engine, Some(frame), names, expression);
        if seen == Seen::Changes {
            self.interpreter.shared.0.borrow_mut().restore(before);
        }
        seen
    }
}

impl Rules for Stepper {
    fn run(&mut self, entry: &Entry, seed: u64, answers: Box<dyn Answers>, recording: Option<Recording>) -> End {
        self.course.frames.borrow_mut().clear();
        self.course.step.set(0);
        self.course.is_over.set(false);
        if let Some(watcher) = self.course.watcher.borrow().as_ref() {
            watcher.borrow_mut().begin();
        }
        self.interpreter.run_tree(&self.tree, entry, seed, answers, recording)
    }

    fn table(&self) -> Ref<'_, Table> {
        self.interpreter.table()
    }

    fn finish(&mut self) -> Option<Recording> {
        self.interpreter.finish()
    }

    fn try_out(&mut self, function: &str, argument: Value) -> Result<TriedOut, Untried> {
        self.interpreter.try_out(function, argument)
    }

    fn try_all(&mut self, calls: &[(&str, Value)]) -> Vec<Result<TriedOut, Untried>> {
        self.interpreter.try_all(calls)
    }

    fn evaluate(&mut self, expression: &str) -> Result<TriedOut, Box<Diagnostic>> {
        self.interpreter.evaluate(expression)
    }

    fn parse(&self, expression: &str) -> Result<(), Box<Diagnostic>> {
        self.interpreter.parse(expression)
    }

    fn functions(&self) -> &[FunctionInfo] {
        self.interpreter.functions()
    }

    fn work(&self) -> Arc<Work> {
        self.interpreter.work()
    }
}

impl Course {
    /// A mark was reached: the number of its site, then what is known there.
    fn reach(&self, context: &NativeCallContext<'_>, mut given: Array) -> Result<(), Box<EvalAltResult>> {
        if self.is_over.get() {
            return Err(raise(Fault::Halt(Halt::Watched)));
        }
        let site =
            given.first().and_then(|number| number.as_int().ok()).and_then(|number| usize::try_from(number).ok());
        let Some((number, site)) = site.and_then(|number| Some((number, self.sites.get(number)?))) else {
            return Ok(());
        };
        let _ = given.remove(0);
        // What a function shares with those inside it may change later; what is told is the value now.
        let values = given.into_iter().map(Dynamic::flatten).collect();
        let level = context.call_level();
        let step = self.step.get() + 1;
        self.step.set(step);
        {
            let mut frames = self.frames.borrow_mut();
            while frames.last().is_some_and(|frame| frame.level > level || (site.entry && frame.level == level)) {
                frames.pop();
            }
            let frame = Frame { site: number, step, level, values };
            match frames.last_mut() {
                Some(last) if last.level == level => *last = frame,
                _ => frames.push(frame),
            }
        }
        let Some(watcher) = self.watcher.borrow().clone() else { return Ok(()) };
        let frames = self.frames.borrow();
        let moment = Moment { step, frames: &frames, context, course: self };
        if self.guard.uncounted(|| watcher.borrow_mut().statement(&moment)) {
            return Ok(());
        }
        self.is_over.set(true);
        self.shared.0.borrow_mut().end_watched();
        Err(raise(Fault::Halt(Halt::Watched)))
    }

    fn see(&self, engine: &Engine, frame: Option<&Frame>, names: &[(String, Value)], expression: &Expression) -> Seen {
        let mut scope = Scope::new();
        let (point, changes, seats) = {
            let mut table = self.shared.0.borrow_mut();
            table.silence(true);
            (table.point(), table.changes(), table.layout().seats)
        };
        for seat in Seats::all(seats) {
            scope.push_dynamic(seat.to_string(), Dynamic::from(seat));
        }
        if let Some(frame) = frame {
            let names = self.sites.get(frame.site).map(|site| site.locals.as_slice()).unwrap_or_default();
            for (name, value) in names.iter().zip(&frame.values) {
                scope.push_dynamic(name.as_str(), value.clone());
            }
        }
        for (name, value) in names {
            scope.push_dynamic(name.as_str(), to_dynamic(value.clone()));
        }
        let result = engine.eval_ast_with_scope::<Dynamic>(&mut scope, &expression.0);
        let mut table = self.shared.0.borrow_mut();
        table.silence(false);
        table.set_point(point);
        if table.changes() != changes {
            return Seen::Changes;
        }
        match result {
            Ok(value) => Seen::Value(Shown {
                shown: shown(&table, &value),
                is_true: value.as_bool() == Ok(true),
                labels: labels(&table, &value),
            }),
            Err(error) => {
                let context = trouble::Context {
                    ruleset: &self.ruleset,
                    functions: &[],
                    globals: &self.globals,
                    tripped: self.guard.tripped().map(Trip::in_words),
                    typed: None,
                    last_word: ScriptPoint::default(),
                };
                match trouble::in_short(&context, &error) {
                    (message, true) => Seen::Unknown(message),
                    (message, false) => Seen::Fails(message),
                }
            }
        }
    }
}
