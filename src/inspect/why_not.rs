//! Why an option cannot be chosen: the reason that the rules gave, or the lines of the script that left it out, with the
//! values in them.
//!
//! The run stands at the question. The script that asks is read there, and the expressions in it are worked out with
//! what the open calls know: into the functions that they call, and into those without a name, with the values that
//! were given to them.

use crate::definition::Language;
use crate::diagnostic::{Diagnostic, Diagnostics, visible};
use crate::playthrough::Playthrough;
use crate::script::layering::FunctionInfo;
use crate::script::looking::{Looker, Unseen};
use crate::script::machine::value::V;
use crate::script::machine::words::parts_of;
use crate::script::program::{
    Block, Call, Called, Expr, ExprKind, Function, FunctionValue, Global, Part, Piece, Slot, Statement, StatementKind,
    WordCall,
};
use crate::script::rules::{Rules, Run};
use crate::script::written::Writer;
use crate::table::decision::Decision;
use crate::table::event::ScriptPoint;
use crate::table::layout::Layout;
use crate::table::value::{Component, Seats, Value};

/// How many functions deep an answer follows the calls of the script.
const DEPTH: usize = 3;

/// Most lines of the script that an answer shows.
const MOST_LINES: usize = 6;

/// Most values that are told of one line.
const MOST_VALUES: usize = 10;

/// Most parts of one expression whose values are told.
const MOST_PARTS: usize = 8;

/// With so many values at most a function without a name is tried, where none of them is the one that was asked for.
const MOST_TRIED: usize = 200;

/// Of values that look alike, so many are gone into.
const MOST_ALIKE: usize = 3;

/// The words that ask a player.
const ASKING: [&str; 5] = ["choose", "choose_secretly", "choose_some", "next_to_act", "may"];

/// Why something is not among the options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhyNot {
    /// In one sentence.
    pub sentence: String,
    /// The component that was asked for and is not among the options: where it lies may say why.
    pub elsewhere: Option<Component>,
    /// The lines of the script that it comes from, the one that asks first.
    pub lines: Vec<ScriptLine>,
}

/// A line of a script with the values in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptLine {
    /// Where it stands.
    pub at: ScriptPoint,
    /// Expressions of the line, with what they come to.
    pub values: Vec<(String, String)>,
}

/// Why an option of the open decision cannot be chosen, with reasons in a language.
///
/// # Errors
/// No decision is open; nothing in the game is called so.
pub fn why_not(playthrough: &Playthrough, typed: &str, language: Language) -> Result<WhyNot, Diagnostics> {
    let Some(open) = playthrough.position().open.clone() else {
        return Err(Diagnostic::new("no decision is open").help("`undo` goes back to one").into());
    };
    let unread = |sentence: String| WhyNot {
        sentence,
        elsewhere: None,
        lines: vec![ScriptLine { at: open.at, values: Vec::new() }],
    };
    if open.options.iter().any(|option| option.label == typed) {
        return Ok(unread(format!("{typed} can be chosen")));
    }
    let refused = open.refused.iter().find(|(option, _)| option.label == typed);
    let layout = &playthrough.loaded().layout;
    let value = match refused {
        Some((option, _)) => Some(option.value.clone()),
        None => value_named(layout, playthrough, typed),
    };
    if value.is_none() && !could_be_an_option(&open) {
        return Err(unknown(layout, &open, typed).into());
    }
    let with_reason = refused.map(|(_, reason)| {
        let text = layout.definition.text(reason);
        let reason = visible(text.map_or(&**reason, |text| text.get(language))).into_owned();
        format!("{typed} is not allowed: {reason}")
    });
    let asked = Asked { typed, value, open: &open };
    let found = playthrough.track().run().and_then(|run| {
        let mut answer =
            Answer { rules: &playthrough.loaded().rules, run, asked, looker: Looker::default(), lines: Vec::new() };
        answer.explain(with_reason.clone())
    });
    Ok(found.unwrap_or_else(|| {
        let who = open.seat.map_or_else(String::new, |seat| format!("{seat} "));
        let not_offered = || format!("{typed} is not among what {who}can choose for {}", open.prompt);
        unread(with_reason.unwrap_or_else(not_offered))
    }))
}

/// What somebody misses among the options.
struct Asked<'a> {
    typed: &'a str,
    value: Option<Value>,
    open: &'a Decision,
}

impl Asked<'_> {
    /// Whether a value is meant, by itself or as it is called: alone, and among those that it stands with.
    fn means(&self, value: &Value, label_alone: &str, label: &str) -> bool {
        let is_said = |label: &str| self.typed == label || self.typed.split_whitespace().any(|word| word == label);
        match &self.value {
            Some(meant) => meant == value,
            None => is_said(label_alone) || is_said(label),
        }
    }
}

/// A function of the scripts as it is known at some moment: the value of each name, where it has one.
#[derive(Clone)]
struct Scope<'a> {
    function: &'a Function,
    values: Vec<Option<V>>,
}

impl<'a> Scope<'a> {
    fn new(function: &'a Function) -> Self {
        Self { function, values: vec![None; function.names.len()] }
    }

    fn with(mut self, slot: Slot, value: V) -> Self {
        self.set(slot, Some(value));
        self
    }

    fn set(&mut self, slot: Slot, value: Option<V>) {
        if let Some(place) = self.values.get_mut(usize::from(slot)) {
            *place = value;
        }
    }

    fn name(&self, slot: Slot) -> String {
        self.function.names.get(usize::from(slot)).map_or_else(String::new, ToString::to_string)
    }
}

/// An answer on its way through the script.
struct Answer<'a> {
    rules: &'a Rules,
    run: &'a Run,
    asked: Asked<'a>,
    looker: Looker,
    lines: Vec<ScriptLine>,
}

impl<'a> Answer<'a> {
    fn explain(&mut self, with_reason: Option<String>) -> Option<WhyNot> {
        let (scope, question) = self.question()?;
        let (options, refuses) = pieces(question);
        let options_given = options.and_then(|options| Some((options, self.value(&scope, options).ok()?)));
        let offered = options_given.as_ref().map(|(_, given)| self.entries(given)).unwrap_or_default();
        let labels = self.run.table.option_labels(offered.iter());
        let was_offered = self.meant(&offered, &labels).next().is_some();
        if let (Some(function), true) = (refuses, was_offered || with_reason.is_some()) {
            let value = self.asked.value.clone().or_else(|| self.meant(&offered, &labels).next().cloned())?;
            let value = self.rules.code().texts.of_value(&value);
            self.lines.push(ScriptLine { at: self.asked.open.at, values: Vec::new() });
            self.go_into_refusing(&scope, function, value)?;
            let sentence =
                with_reason.unwrap_or_else(|| format!("{} is not allowed: the rules say no", self.asked.typed));
            return Some(WhyNot { sentence, elsewhere: None, lines: std::mem::take(&mut self.lines) });
        }
        let options = options?;
        let elsewhere = match (&self.asked.value, &with_reason) {
            (Some(Value::Component(component)), None) => Some(*component),
            _ => None,
        };
        let sentence = with_reason.unwrap_or_else(|| {
            let few = if labels.is_empty() { "nothing".to_owned() } else { some(&labels) };
            format!("{} is not among the options: {} gives {few}", self.asked.typed, self.written(&scope, options))
        });
        let values = self.inside(&scope, options);
        self.lines.push(ScriptLine { at: self.asked.open.at, values });
        self.go_into(&scope, options, DEPTH);
        Some(WhyNot { sentence, elsewhere, lines: std::mem::take(&mut self.lines) })
    }

    /// The question that is open, as it stands in the script, with what the call that asks knows there.
    fn question(&self) -> Option<(Scope<'a>, &'a WordCall)> {
        let frames = self.run.frames();
        // The innermost call is the one that asks.
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

    /// What an expression comes to.
    fn value(&mut self, scope: &Scope<'_>, expression: &Expr) -> Result<V, Option<String>> {
        let kind = StatementKind::Expr(expression.clone());
        self.value_of(scope, &Block(vec![Statement { at: expression.at, is_step: false, kind }]))
    }

    /// What the body of a function comes to; or why it comes to nothing, where more is to say than that a name in it has
    /// no value here.
    fn value_of(&mut self, scope: &Scope<'_>, body: &Block) -> Result<V, Option<String>> {
        if !is_known(scope, body) {
            return Err(None);
        }
        let values = scope.values.iter().map(|value| value.clone().unwrap_or_default()).collect::<Vec<_>>();
        let given = self.looker.body(self.rules, scope.function, &values, body, &self.run.table);
        given.map_err(|why| match why {
            Unseen::Failed(failure) => Some(self.rules.told(&failure, None).message),
            Unseen::Changes => Some("it changes the table".to_owned()),
        })
    }

    /// What the body of a function comes to in words, or why it comes to nothing.
    fn result(&mut self, scope: &Scope<'_>, body: &Block) -> String {
        match self.value_of(scope, body) {
            Ok(value) => self.shown(&value),
            Err(Some(why)) => format!("({why})"),
            Err(None) => "(it cannot be read)".to_owned(),
        }
    }

    fn shown(&self, value: &V) -> String {
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

    /// What a player could choose from a value.
    fn entries(&self, value: &V) -> Vec<Value> {
        let items = parts_of(&self.run.table, value, &self.rules.code().texts);
        items.map(|items| items.iter().collect()).unwrap_or_default()
    }

    /// Those of some values that were asked for.
    fn meant<'v>(&self, values: &'v [Value], labels: &'v [String]) -> impl Iterator<Item = &'v Value> {
        let is_meant =
            |(value, label): &(&Value, &String)| self.asked.means(value, &self.run.table.option_label(value), label);
        let meant: Vec<&Value> =
            values.iter().zip(labels).filter(is_meant).map(|(value, _)| value).take(MOST_ALIKE).collect();
        meant.into_iter()
    }

    /// An expression as it is written, with its value; nothing where it cannot be read.
    fn told(&mut self, scope: &Scope<'_>, expression: &Expr) -> Option<(String, String)> {
        let value = self.value(scope, expression).ok()?;
        Some((self.written(scope, expression), self.shown(&value)))
    }

    /// The parts of an expression whose values say something, with them.
    fn inside(&mut self, scope: &Scope<'_>, expression: &Expr) -> Vec<(String, String)> {
        let mut parts = Vec::new();
        telling(expression, &mut parts);
        let whole = self.written(scope, expression);
        let mut told: Vec<(String, String)> = Vec::new();
        let mut left = MOST_PARTS;
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

    /// What is known in a function that is given a value, with its body.
    fn given(&self, scope: &Scope<'a>, function: &'a FunctionValue, value: V) -> Option<Given<'a>> {
        let (scope, parameter, body) = match function {
            FunctionValue::Closure(parameters, body) => (scope.clone(), *parameters.first()?, body),
            FunctionValue::Named(name) => {
                let is_named = |info: &FunctionInfo| info.flat_name == **name && info.parameters.len() == 1;
                let number = self.rules.functions().iter().position(is_named)?;
                let function = self.rules.program().functions.get(number)?;
                (Scope::new(function), 0, &function.body)
            }
        };
        let told = (scope.name(parameter), self.shown(&value));
        Some(Given { scope: scope.with(parameter, value), parameter: told, body })
    }

    /// The function that says what may not be chosen, with the value that was asked for.
    fn go_into_refusing(&mut self, scope: &Scope<'a>, function: &'a FunctionValue, value: V) -> Option<()> {
        let Given { mut scope, parameter, body } = self.given(scope, function, value)?;
        let mut values = vec![(self.shown_body(&scope, &parameter.0, body), self.result(&scope, body))];
        let (told, pieces) = self.through(&mut scope, body);
        values.extend(told);
        if !values.contains(&parameter) {
            values.push(parameter);
        }
        self.tell(self.asked.open.at, values);
        pieces.into_iter().for_each(|piece| self.go_into(&scope, piece, DEPTH));
        Some(())
    }

    /// A body as it is shown beside what it comes to: its only expression, or the function in short.
    fn shown_body(&self, scope: &Scope<'_>, parameter: &str, body: &Block) -> String {
        match only(body) {
            Some(only) => self.written(scope, only),
            None => format!("|{parameter}| …"),
        }
    }

    /// Adds values to the line of a place, which may be told of already; false where there is no room for another line.
    fn tell(&mut self, at: ScriptPoint, values: Vec<(String, String)>) -> bool {
        let has_room = self.lines.len() < MOST_LINES;
        let line = match self.lines.iter().position(|line| line.at.line == at.line) {
            Some(line) => line,
            None if has_room => {
                self.lines.push(ScriptLine { at, values: Vec::new() });
                self.lines.len() - 1
            }
            None => return false,
        };
        for told in values {
            if !self.lines[line].values.contains(&told) {
                self.lines[line].values.push(told);
            }
        }
        true
    }

    /// Goes into the functions that an expression calls, and into those without a name that stand in it.
    fn go_into(&mut self, scope: &Scope<'a>, expression: &'a Expr, depth: usize) {
        self.go_into_unnamed(scope, expression, depth);
        let mut calls = Vec::new();
        called(expression, &mut calls);
        for call in calls {
            self.go_into_call(scope, call, depth);
        }
    }

    fn go_into_call(&mut self, scope: &Scope<'a>, call: &'a Call, depth: usize) {
        let number = usize::from(call.function);
        let (Some(info), Some(function)) =
            (self.rules.functions().get(number), self.rules.program().functions.get(number))
        else {
            return;
        };
        if depth == 0 || self.lines.len() >= MOST_LINES || self.lines.iter().any(|line| line.at == info.at) {
            return;
        }
        let arguments: Option<Vec<V>> = call.arguments.iter().map(|given| self.value(scope, given).ok()).collect();
        // What rests on something that cannot be read has no value here.
        let Some(arguments) = arguments else { return };
        let mut inner = Scope::new(function);
        for (slot, value) in (0..).zip(arguments) {
            inner.set(slot, Some(value));
        }
        let (values, pieces) = self.through(&mut inner, &function.body);
        self.lines.push(ScriptLine { at: info.at, values });
        pieces.into_iter().for_each(|piece| self.go_into(&inner, piece, depth - 1));
    }

    /// The values in the statements of a function, with the expressions that they stand in. Names that the function makes
    /// are worked out on the way.
    fn through(&mut self, scope: &mut Scope<'a>, body: &'a Block) -> (Vec<(String, String)>, Vec<&'a Expr>) {
        let mut pieces = Vec::new();
        statements(&body.0, &mut pieces);
        let is_only = pieces.len() == 1;
        let changed = changed_names(body);
        let mut values: Vec<(String, String)> = Vec::new();
        for (slot, expression) in &pieces {
            let value = self.value(scope, expression).ok();
            let whole = value.as_ref().map(|value| (self.written(scope, expression), self.shown(value)));
            let is_told = !is_only && !matches!(expression.kind, ExprKind::Block(_));
            for told in whole.filter(|_| is_told).into_iter().chain(self.inside(scope, expression)) {
                if !values.contains(&told) {
                    values.push(told);
                }
            }
            // A name that is set only once keeps its value.
            if let Some(slot) = slot.filter(|slot| !changed.contains(slot)) {
                scope.set(slot, value);
            }
        }
        values.truncate(MOST_VALUES);
        (values, pieces.into_iter().map(|(_, expression)| expression).collect())
    }

    /// Goes into the functions without a name in an expression: with the value that was asked for, where it is among
    /// those that they are given; else with the one that decided.
    fn go_into_unnamed(&mut self, scope: &Scope<'a>, expression: &'a Expr, depth: usize) {
        let mut words = Vec::new();
        with_functions(expression, &mut words);
        for (word, list, function) in words {
            let Ok(given) = self.value(scope, list) else { continue };
            let entries = self.entries(&given);
            let labels = self.run.table.option_labels(entries.iter());
            let mut with: Vec<V> = {
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

    /// The value for which `any` is true, or for which `all` is not.
    fn decisive(&mut self, scope: &Scope<'a>, word: &str, entries: &[Value], function: &'a FunctionValue) -> Option<V> {
        let wanted = match word {
            "any" => true,
            "all" => false,
            _ => return None,
        };
        entries.iter().take(MOST_TRIED).find_map(|value| {
            let value = self.rules.code().texts.of_value(value);
            let Given { scope: inner, body, .. } = self.given(scope, function, value.clone())?;
            let truth = self.value_of(&inner, body).ok()?;
            (truth.as_truth() == Some(wanted)).then_some(value)
        })
    }

    /// Goes into a function that was given a value.
    fn go_into_function(&mut self, scope: &Scope<'a>, function: &'a FunctionValue, value: V, depth: usize) {
        let Some(Given { mut scope, parameter, body }) = self.given(scope, function, value) else { return };
        let Some(at) = body.0.first().map(|first| only(body).map_or(first.at, Expr::start)) else { return };
        if depth == 0 {
            return;
        }
        let result = (self.shown_body(&scope, &parameter.0, body), self.result(&scope, body));
        let (told, pieces) = self.through(&mut scope, body);
        let values = [parameter, result].into_iter().chain(told).collect();
        if self.tell(at, values) {
            pieces.into_iter().for_each(|piece| self.go_into(&scope, piece, depth - 1));
        }
    }
}

/// A function that was given a value.
struct Given<'a> {
    scope: Scope<'a>,
    /// What it calls the value, and the value.
    parameter: (String, String),
    body: &'a Block,
}

/// The options of a question, and the function that says what of them may not be chosen.
fn pieces(question: &WordCall) -> (Option<&Expr>, Option<&FunctionValue>) {
    let arguments = &question.arguments;
    // Who is next to act is asked with the players at the end, everything else with a player and a prompt before.
    let options = if &*question.name == "next_to_act" { arguments.last() } else { arguments.get(2) };
    let refuses = arguments.iter().skip(3).find_map(|argument| match &argument.kind {
        ExprKind::Function(function) => Some(&**function),
        _ => None,
    });
    (options, refuses)
}

/// The question that is asked at a point. The parameters of the functions without a name that it stands in are added to
/// `known`.
fn find_question<'p>(block: &'p Block, at: ScriptPoint, known: &mut Vec<Slot>) -> Option<&'p WordCall> {
    block.0.iter().find_map(|statement| {
        let mut parts = Vec::new();
        statement.parts(&mut |part| parts.push(part));
        parts.into_iter().find_map(|part| find_in_part(part, at, known))
    })
}

fn find_in_part<'p>(part: Part<'p>, at: ScriptPoint, known: &mut Vec<Slot>) -> Option<&'p WordCall> {
    let expression = match part {
        Part::Block(block) => return find_question(block, at, known),
        Part::Expr(expression) => expression,
    };
    if let ExprKind::Word(word) = &expression.kind
        && expression.at == at
        && ASKING.contains(&&*word.name)
    {
        return Some(word);
    }
    let mut parts = Vec::new();
    expression.parts(&mut |part| parts.push(part));
    let found = parts.into_iter().find_map(|part| find_in_part(part, at, known))?;
    if let ExprKind::Function(function) = &expression.kind
        && let FunctionValue::Closure(parameters, _) = &**function
    {
        known.extend_from_slice(parameters);
    }
    Some(found)
}

/// Whether every name in the body of a function has a value. Names that it makes itself need none.
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

/// The only expression of a function's body.
fn only(body: &Block) -> Option<&Expr> {
    match body.0.as_slice() {
        [Statement { kind: StatementKind::Expr(only) | StatementKind::Return(Some(only)), .. }] => Some(only),
        [Statement { kind: StatementKind::Block(inner), .. }] => self::only(inner),
        _ => None,
    }
}

/// The expressions of statements, in their order, each with the name that is made of it; what changes something is left
/// out.
fn statements<'p>(list: &'p [Statement], found: &mut Vec<(Option<Slot>, &'p Expr)>) {
    for statement in list {
        match &statement.kind {
            StatementKind::Let(slot, value) => piece(Some(*slot), value, found),
            StatementKind::Expr(value) | StatementKind::Return(Some(value)) => piece(None, value, found),
            StatementKind::If(condition, then, otherwise) => {
                piece(None, condition, found);
                statements(&then.0, found);
                statements(&otherwise.0, found);
            }
            StatementKind::Switch(switch) => {
                piece(None, &switch.value, found);
                switch.cases.iter().for_each(|case| piece(None, &case.value, found));
                switch.default.iter().for_each(|default| piece(None, default, found));
            }
            StatementKind::For(parts) => piece(None, &parts.list, found),
            StatementKind::Set { value, .. } => piece(None, value, found),
            StatementKind::Block(block) => statements(&block.0, found),
            _ => {}
        }
    }
}

fn piece<'p>(slot: Option<Slot>, expression: &'p Expr, found: &mut Vec<(Option<Slot>, &'p Expr)>) {
    if let ExprKind::Block(block) = &expression.kind {
        statements(&block.0, found);
    }
    if slot.is_some() || !matches!(expression.kind, ExprKind::Block(_)) {
        found.push((slot, expression));
    }
}

/// The names that are set after they were made.
fn changed_names(block: &Block) -> Vec<Slot> {
    let mut changed = Vec::new();
    block.walk(&mut |piece| changed.extend(piece.sets().map(|(slot, _)| slot)));
    changed
}

/// What the expression is the end of: of `p.hand.first`, `p`; of what stands between the brackets on the way, `links`.
fn root<'p>(expression: &'p Expr, links: &mut Vec<&'p Expr>) -> &'p Expr {
    let of = match &expression.kind {
        ExprKind::Property(of, _) => of,
        ExprKind::Index(of, index) => {
            let end = root(of, links);
            links.push(index);
            return end;
        }
        ExprKind::Word(WordCall { arguments, form: Called::Method, .. }) => match arguments.as_slice() {
            [of, given @ ..] => {
                let end = root(of, links);
                links.extend(given);
                return end;
            }
            [] => return expression,
        },
        _ => return expression,
    };
    root(of, links)
}

/// The expressions inside an expression whose values say something: names, chains and calls. Not what a function
/// without a name holds, which is gone into with the values that it is given.
fn telling<'p>(expression: &'p Expr, found: &mut Vec<&'p Expr>) {
    match &expression.kind {
        ExprKind::Local(_) | ExprKind::Global(Global::Players | Global::Table | Global::Zone(_)) => {
            found.push(expression)
        }
        ExprKind::Property(..) | ExprKind::Index(..) | ExprKind::Word(WordCall { form: Called::Method, .. }) => {
            found.push(expression);
            let mut links = Vec::new();
            telling(root(expression, &mut links), found);
            links.into_iter().for_each(|link| telling(link, found));
        }
        ExprKind::Call(_) | ExprKind::Word(_) => {
            found.push(expression);
            directly_in(expression).into_iter().for_each(|inner| telling(inner, found));
        }
        ExprKind::Function(_) | ExprKind::Block(_) => {}
        _ => directly_in(expression).into_iter().for_each(|inner| telling(inner, found)),
    }
}

/// The functions of the scripts that an expression calls by itself, not from within the arguments of another.
fn called<'p>(expression: &'p Expr, found: &mut Vec<&'p Call>) {
    match &expression.kind {
        ExprKind::Call(call) => found.push(call),
        ExprKind::Function(_) | ExprKind::Block(_) => {}
        _ => directly_in(expression).into_iter().for_each(|inner| called(inner, found)),
    }
}

/// The words in an expression that are given a function, each with what it goes through.
fn with_functions<'p>(expression: &'p Expr, found: &mut Vec<(&'p WordCall, &'p Expr, &'p FunctionValue)>) {
    if let ExprKind::Word(word) = &expression.kind
        && let [list, Expr { kind: ExprKind::Function(function), .. }] = word.arguments.as_slice()
    {
        found.push((word, list, function));
    }
    match &expression.kind {
        ExprKind::Function(_) | ExprKind::Block(_) => {}
        _ => directly_in(expression).into_iter().for_each(|inner| with_functions(inner, found)),
    }
}

/// The expressions that stand directly in one.
fn directly_in(expression: &Expr) -> Vec<&Expr> {
    let mut inner = Vec::new();
    expression.parts(&mut |part| {
        if let Part::Expr(expression) = part {
            inner.push(expression);
        }
    });
    inner
}

/// The value that a label stands for in this game.
fn value_named(layout: &Layout, playthrough: &Playthrough, label: &str) -> Option<Value> {
    if let Some(face) = layout.face_named(label) {
        let faces = &playthrough.position().table.faces;
        let handle = faces.iter().position(|&number| number == face.0)?;
        return Some(Value::Component(Component(handle as u16)));
    }
    if let Some(zone) = layout.zone_named(label) {
        return Some(Value::Zone(zone));
    }
    if let Some(seat) = Seats::all(layout.seats).into_iter().find(|seat| seat.to_string() == label) {
        return Some(Value::Seat(seat));
    }
    label.parse().ok().map(Value::Number)
}

/// Whether a label that names nothing of the game can be meant: where options have parts, or are words of the rules.
fn could_be_an_option(open: &Decision) -> bool {
    open.options.iter().any(|option| matches!(option.value, Value::Parts(_) | Value::Text(_)))
}

fn unknown(layout: &Layout, open: &Decision, typed: &str) -> Diagnostic {
    let error = Diagnostic::new(format!("nothing is called `{typed}` here"));
    let options = open.options.iter().map(|option| option.label.as_str());
    let known =
        options.chain(layout.faces.iter().map(|face| &*face.id)).chain(layout.zones.iter().map(|zone| &*zone.id));
    error.near_or(typed, known, "write it as an option would be called: a component, a zone, a player, a number")
}

/// The first of many.
fn some(labels: &[String]) -> String {
    const FEW: usize = 10;
    match labels.len().checked_sub(FEW) {
        Some(more) if more > 0 => format!("{} and {more} more", labels[..FEW].join(", ")),
        _ => labels.join(", "),
    }
}
