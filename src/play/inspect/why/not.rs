//! Explains why an option cannot be chosen: the reason that the rules gave, or the lines of the script that left it
//! out, with their values.
//!
//! The run stands at the question. The script that asks is read there, and its expressions are evaluated with the local
//! variables of the call stack, including the functions they call, and closures with the values passed to them.

mod names;
mod passage;

use super::Cause;
use super::reading::{
    called, changed_names, find_question, informative_parts, only, pieces, statements, with_functions,
};
use crate::catalogue::said;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::playthrough::{Playable, Playthrough};
use crate::script::functions::FunctionInfo;
use crate::script::machine::value::RegisterValue;
use crate::script::machine::words::parts_of;
use crate::script::paused::{InspectionError, PausedEvaluator};
use crate::script::pretty::Writer;
use crate::script::program::{
    Block, Call, Expr, ExprKind, Function, FunctionId, FunctionValue, Piece, Slot, Statement, StatementKind, WordCall,
};
use crate::script::rules::{Rules, Run};
use crate::table::decision::Decision;
use crate::table::event::ScriptPoint;
use crate::table::knowledge::Viewer;
use crate::table::value::{Component, Value, Zone};
use names::{could_be_an_option, unknown, value_named};
use std::borrow::Cow;
use std::sync::Arc;

/// How deep calls of the script are followed.
const MAX_CALL_DEPTH: usize = 3;

/// The most script lines in an answer.
const MAX_SCRIPT_LINES: usize = 10;

/// The most values shown for one line.
const MAX_VALUES_PER_LINE: usize = 10;

/// The most parts of one expression whose values are shown.
const MAX_PARTS_PER_EXPRESSION: usize = 8;

/// The most values a closure is tried with, where none of them is the one asked for.
const MAX_CLOSURE_TRIALS: usize = 200;

/// The most values of equal appearance that are followed.
const MAX_EQUAL_VALUES: usize = 3;

/// Why something is not among the options of the open decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhyNot {
    /// The text that was typed.
    pub option: String,
    /// Whether it is an option, and if not, why.
    pub verdict: Verdict,
    /// The component asked for, if it is not among the options, with its zone, which may explain it. `None` if the
    /// viewer does not see it.
    pub elsewhere: Option<(Component, Option<Zone>)>,
    /// The lines of the script that explain it, the one that asks first.
    pub lines: Vec<ScriptLine>,
    /// Whether further lines explain it, for which there was no room.
    pub is_cut: bool,
}

/// Whether something is an option, and if not, why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The option can be chosen.
    Offered,
    /// The rules refuse the option, with their reason if they gave one: a key of `[text]`, or the text itself.
    Refused(Option<Arc<str>>),
    /// The rules do not offer the option.
    Missing {
        /// The source of the expression that gives the options.
        written: String,
        /// The labels of the options.
        options: Vec<String>,
    },
    /// The option is not offered, and the scripts explain no more.
    NotOffered,
}

/// A line of a script with the values of its expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptLine {
    /// The place; `None` where the rules have none.
    pub cause: Option<Cause>,
    /// The number of the line in the file, and its text.
    pub source: Option<(usize, String)>,
    /// Expressions of the line with their values; empty for a viewer with limited knowledge, because the script may
    /// look at hidden things.
    pub values: Vec<(String, String)>,
}

impl ScriptLine {
    fn of(loaded: &Playable, viewer: Viewer, found: NotedLine) -> Self {
        let source = loaded.ruleset.place(found.at, "").map(|place| {
            let (number, _) = place.position();
            (number, place.source.line(number).trim().to_owned())
        });
        let values = if viewer.is_limited() { Vec::new() } else { found.values };
        Self { cause: Cause::of(loaded, found.at), source, values }
    }
}

/// Explains why an option of the open decision cannot be chosen, as far as the viewer may know.
///
/// # Errors
/// No decision is open, or nothing in the game has this name.
pub fn why_not(playthrough: &Playthrough, viewer: Viewer, typed: &str) -> Result<WhyNot, Diagnostics> {
    let position = playthrough.position();
    let Some(open) = position.open.as_deref() else {
        return Err(Diagnostic::new("no decision is open").help("`undo` goes back to one").into());
    };
    let loaded = playthrough.loaded();
    let (mut found, mut is_cut) = (vec![NotedLine { at: open.at, values: Vec::new() }], false);
    let refused = open.refused.iter().find(|(option, _)| option.label == typed);
    let value = match refused {
        Some((option, _)) => Some(option.value.clone()),
        None => value_named(&loaded.layout, playthrough, typed),
    };
    let verdict = if open.options.iter().any(|option| option.label == typed) {
        Verdict::Offered
    } else if value.is_none() && !could_be_an_option(playthrough, open, typed) {
        return Err(unknown(&loaded.layout, open, typed).into());
    } else {
        let reason = refused.map(|(_, reason)| reason.clone());
        let asked = AskedOption { typed, value: value.clone(), open };
        let explained = playthrough.track().run().and_then(|run| {
            let (looker, is_limited) = (PausedEvaluator::default(), viewer.is_limited());
            let (rules, lines, passed, is_cut) = (&loaded.rules, Vec::new(), Vec::new(), false);
            let mut answer = Answer { rules, run, asked, is_limited, looker, lines, passed, is_cut };
            Some((answer.explain(reason.clone())?, answer))
        });
        match (explained, reason) {
            (Some((verdict, answer)), _) => {
                (found, is_cut) = (answer.lines, answer.is_cut);
                verdict
            }
            (None, Some(reason)) => Verdict::Refused(Some(reason)),
            (None, None) => Verdict::NotOffered,
        }
    };
    let elsewhere = match (&verdict, value) {
        (Verdict::Missing { .. }, Some(Value::Component(component)))
            if playthrough.observed_position(viewer).sees(component) =>
        {
            Some((component, position.table.zones.place(component)))
        }
        _ => None,
    };
    let lines = found.into_iter().map(|found| ScriptLine::of(loaded, viewer, found)).collect();
    Ok(WhyNot { option: typed.to_owned(), verdict, elsewhere, lines, is_cut })
}

/// A line that the explanation passes through, with values.
struct NotedLine {
    at: ScriptPoint,
    values: Vec<(String, String)>,
}

struct AskedOption<'a> {
    typed: &'a str,
    value: Option<Value>,
    open: &'a Decision,
}

impl AskedOption<'_> {
    /// Whether a value is the one asked for, by itself or by its label, alone or among other options.
    fn means(&self, value: &Value, label_alone: &str, label: &str) -> bool {
        let is_said = |label: &str| self.typed == label || self.typed.split_whitespace().any(|word| word == label);
        match &self.value {
            Some(meant) => meant == value,
            None => is_said(label_alone) || is_said(label),
        }
    }
}

/// A function of the scripts with the known values of its variables.
#[derive(Clone)]
struct Scope<'a> {
    function: &'a Function,
    values: Vec<Option<RegisterValue>>,
}

impl<'a> Scope<'a> {
    fn new(function: &'a Function) -> Self {
        Self { function, values: vec![None; function.names.len()] }
    }

    fn set(&mut self, slot: Slot, value: Option<RegisterValue>) {
        if let Some(place) = self.values.get_mut(usize::from(slot)) {
            *place = value;
        }
    }

    fn name(&self, slot: Slot) -> String {
        self.function.names.get(usize::from(slot)).map_or_else(String::new, ToString::to_string)
    }
}

/// An explanation being worked out along the script.
struct Answer<'a> {
    rules: &'a Rules,
    run: &'a Run,
    asked: AskedOption<'a>,
    /// Whether the viewer may not know everything. Then nothing is followed further than the question, because which
    /// lines are passed depends on values, and what was asked for is compared with what the asked seat sees.
    is_limited: bool,
    looker: PausedEvaluator,
    lines: Vec<NotedLine>,
    /// The functions of the scripts that were followed; each is followed once.
    passed: Vec<FunctionId>,
    /// Whether a line found no room.
    is_cut: bool,
}

impl<'a> Answer<'a> {
    fn explain(&mut self, reason: Option<Arc<str>>) -> Option<Verdict> {
        let (scope, question) = self.question()?;
        let (options, refuses) = pieces(question);
        let options_given = options.and_then(|options| Some((options, self.value(&scope, options).ok()?)));
        let offered = options_given.as_ref().map(|(_, given)| self.entries(given)).unwrap_or_default();
        let labels = self.labels(&offered);
        let was_offered = self.meant(&offered, &labels).next().is_some();
        if let (Some(function), true) = (refuses, was_offered || reason.is_some()) {
            let value = self.asked.value.clone().or_else(|| self.meant(&offered, &labels).next().cloned())?;
            self.lines.push(NotedLine { at: self.asked.open.at, values: Vec::new() });
            // It may have been asked for by another name than that of the option.
            let shown = self.run.table.shown_to(self.asked.open.seat, &value);
            if reason.is_none() && self.asked.open.options.iter().any(|option| option.value == shown) {
                return Some(Verdict::Offered);
            }
            if !self.is_limited {
                let value = self.rules.code().texts.of_value(&value);
                self.follow_refusing_function(&scope, function, value)?;
            }
            return Some(Verdict::Refused(reason));
        }
        let options = options?;
        let values = self.inside(&scope, options);
        self.lines.push(NotedLine { at: self.asked.open.at, values });
        if !self.is_limited {
            self.go_into(&scope, options, MAX_CALL_DEPTH);
            self.go_into_declarations(&scope, options, MAX_CALL_DEPTH);
        }
        Some(match reason {
            Some(reason) => Verdict::Refused(Some(reason)),
            None => Verdict::Missing { written: self.written(&scope, options), options: labels },
        })
    }

    /// The open question in the script, with the variables known to the call that asks.
    fn question(&self) -> Option<(Scope<'a>, &'a WordCall)> {
        let frames = self.run.frames();
        // The innermost call asks.
        let depth = frames.len().checked_sub(1)?;
        let (number, _) = frames.function(depth)?;
        let function = self.rules.program().functions.get(usize::from(number))?;
        let mut slots = frames.statement(depth)?.known.clone();
        let question = find_question(&function.body, self.asked.open.at, &mut slots)?;
        let mut scope = Scope::new(function);
        for slot in slots {
            scope.set(slot, frames.register(depth, slot).cloned());
        }
        Some((scope, question))
    }

    fn value(&mut self, scope: &Scope<'_>, expression: &Expr) -> Result<RegisterValue, Option<String>> {
        let kind = StatementKind::Expr(expression.clone());
        self.value_of(scope, &Block(vec![Statement { at: expression.at, is_step: false, kind }]))
    }

    /// The value of a body; or an error, with a message unless the reason is merely a name without value.
    fn value_of(&mut self, scope: &Scope<'_>, body: &Block) -> Result<RegisterValue, Option<String>> {
        if !is_known(scope, body) {
            return Err(None);
        }
        let values = scope.values.iter().map(|value| value.clone().unwrap_or_default()).collect::<Vec<_>>();
        let given = self.looker.body(self.rules, scope.function, &values, body, &self.run.table);
        given.map_err(|why| match why {
            InspectionError::Failed(failure) => {
                Some(self.rules.failure_diagnostic(&failure, None).message.told().into_owned())
            }
            InspectionError::Changes => Some(said("it changes the table").to_owned()),
        })
    }

    /// The value of a body in words, or why there is none.
    fn result(&mut self, scope: &Scope<'_>, body: &Block) -> String {
        match self.value_of(scope, body) {
            Ok(value) => self.shown(&value),
            Err(Some(why)) => format!("({why})"),
            Err(None) => said("(it cannot be read)").to_owned(),
        }
    }

    fn shown(&self, value: &RegisterValue) -> String {
        self.rules.code().texts.shown(&self.run.table, value)
    }

    fn written(&self, scope: &Scope<'_>, expression: &Expr) -> String {
        let zones = |definition: usize| {
            let zones = &self.rules.layout().definition.zones;
            zones.get(definition).map_or_else(String::new, |zone| zone.id.clone())
        };
        let functions = self.rules.functions();
        Writer { function: scope.function, functions, zones: &zones }.expression(expression)
    }

    /// The values that a player could choose from a list or other value.
    fn entries(&self, value: &RegisterValue) -> Vec<Value> {
        let items = parts_of(&self.run.table, value, &self.rules.code().texts);
        items.map(|items| items.iter().collect()).unwrap_or_default()
    }

    /// The labels of some values for the asked seat.
    fn labels(&self, values: &[Value]) -> Vec<String> {
        let table = &self.run.table;
        let shown: Vec<Value> = values.iter().map(|value| table.shown_to(self.asked.open.seat, value)).collect();
        table.option_labels(shown.iter())
    }

    /// The values among `values` that were asked for.
    fn meant<'v>(&self, values: &'v [Value], labels: &'v [String]) -> impl Iterator<Item = &'v Value> {
        let table = &self.run.table;
        let is_meant = |(value, label): &(&Value, &String)| {
            let seen = match self.is_limited {
                true => Cow::Owned(table.shown_to(self.asked.open.seat, value)),
                false => Cow::Borrowed(*value),
            };
            self.asked.means(&seen, &table.option_label(&seen), label)
        };
        let meant: Vec<&Value> =
            values.iter().zip(labels).filter(is_meant).map(|(value, _)| value).take(MAX_EQUAL_VALUES).collect();
        meant.into_iter()
    }

    /// An expression in source form with its value; `None` where it cannot be evaluated, or is its own value.
    fn told(&mut self, scope: &Scope<'_>, expression: &Expr) -> Option<(String, String)> {
        let value = self.value(scope, expression).ok()?;
        let (written, value) = (self.written(scope, expression), self.shown(&value));
        (written != value).then_some((written, value))
    }

    /// The informative parts of an expression, with their values.
    fn inside(&mut self, scope: &Scope<'_>, expression: &Expr) -> Vec<(String, String)> {
        let mut parts = Vec::new();
        informative_parts(expression, &mut parts);
        let whole = self.written(scope, expression);
        let mut told: Vec<(String, String)> = Vec::new();
        let mut left = MAX_PARTS_PER_EXPRESSION;
        for part in parts {
            let shown = self.written(scope, part);
            if shown == whole || told.iter().any(|(other, _)| *other == shown) || left == 0 {
                continue;
            }
            left -= 1;
            told.extend(self.told(scope, part));
        }
        told
    }

    /// The scope of a function called with a value, and its body.
    fn given(&self, scope: &Scope<'a>, function: &'a FunctionValue, value: RegisterValue) -> Option<TriedFunction<'a>> {
        let (mut scope, parameter, body) = match function {
            FunctionValue::Closure(parameters, body) => (scope.clone(), *parameters.first()?, body),
            FunctionValue::Named(name) => {
                let is_named = |info: &FunctionInfo| info.is_reached_by(name) && info.parameters.len() == 1;
                let number = self.rules.functions().iter().position(is_named)?;
                let function = self.rules.program().functions.get(number)?;
                (Scope::new(function), 0, &function.body)
            }
        };
        let told = (scope.name(parameter), self.shown(&value));
        scope.set(parameter, Some(value));
        Some(TriedFunction { scope, parameter: told, body })
    }

    /// Follows the function that refuses options, called with the value asked for.
    fn follow_refusing_function(
        &mut self,
        scope: &Scope<'a>,
        function: &'a FunctionValue,
        value: RegisterValue,
    ) -> Option<()> {
        let TriedFunction { scope, parameter, body } = self.given(scope, function, value)?;
        let result = (self.shown_body(&scope, &parameter.0, body), self.result(&scope, body));
        // A reason that is given for every option is its own value.
        let told = Some(result).filter(|(written, value)| written != value).into_iter().chain([parameter]).collect();
        self.tell(self.asked.open.at, told);
        self.follow(scope, body, MAX_CALL_DEPTH);
        Some(())
    }

    /// The form in which a body is shown before its value: its only expression, or the closure in short.
    fn shown_body(&self, scope: &Scope<'_>, parameter: &str, body: &Block) -> String {
        match only(body) {
            Some(only) => self.written(scope, only),
            None => format!("|{parameter}| …"),
        }
    }

    /// Adds values to the line of a place, creating the line if needed; `false` where there is no room for another.
    fn tell(&mut self, at: ScriptPoint, values: Vec<(String, String)>) -> bool {
        let has_room = self.lines.len() < MAX_SCRIPT_LINES;
        let line = match self.lines.iter().position(|line| line.at.line == at.line) {
            Some(line) => line,
            None if has_room => {
                self.lines.push(NotedLine { at, values: Vec::new() });
                self.lines.len() - 1
            }
            None => {
                self.is_cut = true;
                return false;
            }
        };
        for told in values.into_iter().take(MAX_VALUES_PER_LINE) {
            if !self.lines[line].values.contains(&told) {
                self.lines[line].values.push(told);
            }
        }
        true
    }

    /// Follows the functions called by an expression, and the closures in it.
    fn go_into(&mut self, scope: &Scope<'a>, expression: &'a Expr, depth: usize) {
        self.go_into_unnamed(scope, expression, depth);
        let mut calls = Vec::new();
        called(expression, &mut calls);
        for call in calls {
            self.go_into_call(scope, call, depth);
        }
    }

    /// Follows the declarations of the variables in an expression, as far as what they say then is so still.
    fn go_into_declarations(&mut self, scope: &Scope<'a>, expression: &'a Expr, depth: usize) {
        let mut declared = Vec::new();
        statements(&scope.function.body.0, &mut declared);
        let changed = changed_names(&scope.function.body);
        let mut parts = Vec::new();
        informative_parts(expression, &mut parts);
        for part in parts {
            let ExprKind::Local(slot) = part.kind else { continue };
            let found: Vec<&'a Expr> =
                declared.iter().filter(|(name, _)| *name == Some(slot)).map(|(_, value)| *value).collect();
            let (&[value], false) = (found.as_slice(), depth == 0 || changed.contains(&slot)) else { continue };
            let held = scope.values.get(usize::from(slot)).cloned().flatten();
            let Some(held) = held.map(|held| self.shown(&held)) else { continue };
            if !self.value(scope, value).is_ok_and(|now| self.shown(&now) == held) {
                continue;
            }
            let values = self.inside(scope, value);
            if self.tell(value.at, values) {
                self.go_into(scope, value, depth);
                self.go_into_declarations(scope, value, depth - 1);
            }
        }
    }

    fn go_into_call(&mut self, scope: &Scope<'a>, call: &'a Call, depth: usize) {
        let Some(function) = self.rules.program().functions.get(usize::from(call.function)) else { return };
        if depth == 0 || self.passed.contains(&call.function) {
            return;
        }
        let arguments: Option<Vec<RegisterValue>> =
            call.arguments.iter().map(|given| self.value(scope, given).ok()).collect();
        // A call with an argument that cannot be evaluated has no value.
        let Some(arguments) = arguments else { return };
        let mut inner = Scope::new(function);
        for (slot, value) in (0..).zip(arguments) {
            inner.set(slot, Some(value));
        }
        self.passed.push(call.function);
        self.follow(inner, &function.body, depth - 1);
    }

    /// Follows the closures in an expression: with the value asked for, if it is among the values passed to them; else
    /// with the value that decided.
    fn go_into_unnamed(&mut self, scope: &Scope<'a>, expression: &'a Expr, depth: usize) {
        let mut words = Vec::new();
        with_functions(expression, &mut words);
        for (word, list, function) in words {
            let Ok(given) = self.value(scope, list) else { continue };
            let entries = self.entries(&given);
            let labels = self.labels(&entries);
            let mut with: Vec<RegisterValue> = {
                let texts = &self.rules.code().texts;
                self.meant(&entries, &labels).map(|value| texts.of_value(value)).collect()
            };
            if with.is_empty() {
                with.extend(self.decisive(scope, &word.name, &entries, function));
            }
            for value in with {
                self.go_into_function(scope, function, value, depth);
            }
        }
    }

    /// The first value for which `any` is true, or `all` is false.
    fn decisive(
        &mut self,
        scope: &Scope<'a>,
        word: &str,
        entries: &[Value],
        function: &'a FunctionValue,
    ) -> Option<RegisterValue> {
        let wanted = match word {
            "any" => true,
            "all" => false,
            _ => return None,
        };
        entries.iter().take(MAX_CLOSURE_TRIALS).find_map(|value| {
            let value = self.rules.code().texts.of_value(value);
            let TriedFunction { scope: inner, body, .. } = self.given(scope, function, value.clone())?;
            let truth = self.value_of(&inner, body).ok()?;
            (truth.as_truth() == Some(wanted)).then_some(value)
        })
    }

    /// Follows a function called with a value.
    fn go_into_function(&mut self, scope: &Scope<'a>, function: &'a FunctionValue, value: RegisterValue, depth: usize) {
        let Some(TriedFunction { scope, parameter, body }) = self.given(scope, function, value) else { return };
        let Some(at) = body.0.first().map(|first| only(body).map_or(first.at, Expr::start)) else { return };
        if depth == 0 {
            return;
        }
        let result = (self.shown_body(&scope, &parameter.0, body), self.result(&scope, body));
        if self.tell(at, vec![parameter, result]) {
            self.follow(scope, body, depth - 1);
        }
    }
}

/// A function called with a value.
struct TriedFunction<'a> {
    scope: Scope<'a>,
    /// The name of the parameter, and its value in words.
    parameter: (String, String),
    body: &'a Block,
}

/// Whether every name in a body has a value or is declared in it.
fn is_known(scope: &Scope<'_>, body: &Block) -> bool {
    let mut own = Vec::new();
    let mut used = Vec::new();
    body.walk(&mut |piece| {
        piece.begins(&mut |slot| own.push(slot));
        if let Piece::Expr(Expr { kind: ExprKind::Local(slot), .. }) = piece {
            used.push(*slot);
        }
    });
    let has_value = |slot: &Slot| scope.values.get(usize::from(*slot)).is_some_and(Option::is_some);
    used.iter().all(|slot| has_value(slot) || own.contains(slot))
}
