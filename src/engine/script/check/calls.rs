//! Checks calls of words: whether a word takes the arguments, and whether texts name something that exists.

use super::function::Reader;
use super::known::{called_words, result_of, roles};
use super::{OfferedPart, PlayerText};
use crate::diagnostic::{Code, Diagnostic, Message, message, unknown};
use crate::script::codes;
use crate::script::error_messages::from_fault;
use crate::script::program::{Callee, Expr, ExprKind, FunctionValue, WordCall};
use crate::script::sorts::{self, Sort};
use crate::script::vocabulary::{ParameterSort, Role, Word, words_named};
use crate::table::Table;
use crate::table::event::ScriptPoint;
use std::sync::Arc;

impl<'a> Reader<'a> {
    /// Checks a call of a word; returns the sort of its result where that is certain.
    pub(super) fn word(&mut self, call: &'a WordCall, at: ScriptPoint) -> Option<Sort> {
        let count = call.arguments.len();
        if called_words(&call.name, count).next().is_none() {
            let is_method = call.form == Callee::Method;
            // The receiver is the first argument, and is read first.
            let sorts: Vec<Option<Sort>> = call.arguments.iter().map(|argument| self.argument(argument)).collect();
            let before_dot = sorts.first().copied().filter(|_| is_method);
            self.unknown_function(&call.name, count - usize::from(is_method), before_dot, at);
            return None;
        }
        let mut given: Vec<Option<Sort>> = Vec::with_capacity(count);
        for (position, argument) in call.arguments.iter().enumerate() {
            let is_function = matches!(argument.kind, ExprKind::Function(_));
            let parameters = parameters_of_function(&call.name, count, position)
                .filter(|_| is_function || !may_be_value(call, &given));
            let sort = match parameters {
                Some(parameters) => {
                    let element = self.gone_through(call, &given).and_then(Sort::gives);
                    self.function_argument(&call.name, argument, parameters, element);
                    // A choice with a function refuses options, and the function says why.
                    let asks = |position| roles(&call.name, count, position).any(|role| role == Role::Prompt);
                    if (0..position).any(asks) {
                        self.refusals(argument, parameters);
                    }
                    Some(Sort::Function)
                }
                None => {
                    if let ExprKind::Text(text) = &argument.kind {
                        self.text_argument(call, position, text, argument.at);
                    }
                    self.expression(argument)
                }
            };
            if roles(&call.name, count, position).any(|role| role == Role::Objection) {
                self.reasons(&call.name, argument, parameters);
            }
            given.push(sort);
        }
        for (name, values) in offered_parts(call) {
            let sort = sort_of_each(&call.arguments[values], given[values]);
            self.offered.push(OfferedPart { name, sort });
        }
        let result = self.fitting_word(call, &given, at);
        if call.form == Callee::In { Some(Sort::Truth) } else { result }
    }

    /// Reads an argument of an unknown call, which may well take a function there.
    fn argument(&mut self, argument: &'a Expr) -> Option<Sort> {
        if matches!(argument.kind, ExprKind::Function(_)) { None } else { self.expression(argument) }
    }

    /// The sort of what a word with a function goes through: the options of a choice, which stand before the function,
    /// or the receiver before the dot. `None` where it is not certain.
    fn gone_through(&self, call: &WordCall, given: &[Option<Sort>]) -> Option<Sort> {
        let options = |position: usize| {
            called_words(&call.name, call.arguments.len())
                .any(|word| word.parameter(position).is_some_and(|parameter| parameter.takes == ParameterSort::Several))
        };
        match (1..given.len()).filter(|&position| options(position)).collect::<Vec<_>>()[..] {
            [] => given.first().copied().flatten(),
            [only] => given[only],
            // Several arguments with options, which may differ in sort.
            _ => None,
        }
    }

    /// Checks the sorts of the arguments of a call, the receiver first; returns the sort of the result where it is
    /// certain.
    fn fitting_word(&mut self, call: &'a WordCall, given: &[Option<Sort>], at: ScriptPoint) -> Option<Sort> {
        if let Some(mismatch) = sorts::call_mismatch(&call.name, given) {
            let is_receiver = call.form == Callee::Method && mismatch.position == 0;
            let argument = call.arguments.get(mismatch.position).filter(|_| !is_receiver);
            let at = argument.map_or(at, Expr::start);
            let found = self.findings.len();
            self.report_sort_mismatch(mismatch.error.with_code(codes::WRONG_ARGUMENT), at, "");
            self.add_setting_defaults(found, argument.map_or(&[], std::slice::from_ref));
            return None;
        }
        let found = self.findings.len();
        self.attribute_asked(call);
        self.add_setting_defaults(found, &call.arguments);
        let fitting = called_words(&call.name, given.len()).filter(|word| sorts::accepts(word, given));
        result_of(fitting, given.first().copied().flatten())
    }

    /// Checks a text argument by its role: collects what people read, and checks names of things of the game.
    fn text_argument(&mut self, call: &WordCall, position: usize, text: &str, at: ScriptPoint) {
        let Some(role) = roles(&call.name, call.arguments.len(), position).next() else { return };
        let what = match role {
            Role::Prompt => "prompt",
            Role::Purpose => "purpose of a choice",
            Role::Reason => "reason for points",
            Role::Act => "act",
            Role::Phase => "phase",
            Role::Remark => "remark",
            Role::Attribute | Role::Numbers | Role::Group | Role::Zone | Role::Side => {
                return self.named_thing(role, text, at);
            }
            Role::Metric => {
                if let Err(fault) = Table::expect_metric_name(text) {
                    self.report_sort_mismatch(from_fault(&fault).with_code(codes::METRIC_NAME), at, "not a name");
                } else {
                    self.measured.push(PlayerText { what: "metric", text: text.to_owned(), at, values: None });
                }
                return;
            }
            Role::Lot => "lot",
            Role::AttributeValue | Role::Part | Role::Objection => return,
        };
        if !text.is_empty() {
            let values = match (role, call.arguments.get(position + 1)) {
                (Role::Remark, None) => Some(0),
                (Role::Remark, Some(Expr { kind: ExprKind::List(values), .. })) => Some(values.len()),
                _ => None,
            };
            self.said.push(PlayerText { what, text: text.to_owned(), at, values });
        }
    }

    /// Checks that a text names an attribute, group, zone or side of the game.
    fn named_thing(&mut self, role: Role, text: &str, at: ScriptPoint) {
        let layout = self.known.layout;
        let (sort, code, all): (&str, &'static Code, Vec<&str>) = match role {
            Role::Group => {
                let groups = layout.groups.iter().map(|(group, _)| group.as_str());
                ("component group", codes::UNKNOWN_GROUP, groups.collect())
            }
            Role::Zone => ("zone", codes::UNKNOWN_ZONE, layout.zones.iter().map(|zone| &*zone.id).collect()),
            Role::Side => {
                let groups = layout.definition.components.iter();
                let sides = groups.flat_map(|group| &group.members).flat_map(|member| member.sides.iter());
                ("side", codes::UNKNOWN_SIDE, sorts::each_once(sides.map(String::as_str)))
            }
            _ => ("attribute", codes::UNKNOWN_ATTRIBUTE, layout.attributes.iter().map(String::as_str).collect()),
        };
        if all.contains(&text) {
            return;
        }
        let error = unknown(sort, text, all).with_code(code);
        self.report_unknown(error.at_maybe(self.known.place(at, "unknown")));
    }

    /// Checks the name of a cell or place between brackets.
    pub(super) fn place_name(&mut self, name: &str, at: ScriptPoint) {
        let boards = self.known.layout.definition.zones.iter().filter_map(|zone| zone.board.as_ref());
        let cells: Vec<&str> = boards.flat_map(|board| &board.cells).map(|cell| cell.name.as_str()).collect();
        if !cells.contains(&name) {
            let error = unknown("place", name, cells).with_code(codes::UNKNOWN_ZONE);
            self.report_unknown(error.at_maybe(self.known.place(at, "unknown")));
        }
    }

    /// Checks an argument where a word takes a function: a closure, or the name of a function, of `given` parameters.
    /// `element` is the sort of the first parameter.
    fn function_argument(&mut self, word: &str, argument: &'a Expr, given: usize, element: Option<Sort>) {
        match &argument.kind {
            ExprKind::Function(function) => match &**function {
                FunctionValue::Closure(parameters, body) => {
                    if parameters.len() != given {
                        let given_in_words = arguments_in_words(given);
                        let takes = parameters.len();
                        let message =
                            message!("`{word}` calls its function with {given_in_words}, and this takes {takes}");
                        let error = Diagnostic::new(message)
                            .at_maybe(self.known.place(argument.at, "this function"))
                            .help(message!("write `{} …`", closure_head(given)));
                        self.report_error(error.with_code(codes::WRONG_FUNCTION));
                    }
                    self.closure(parameters, body, element);
                }
                FunctionValue::Named(name) => self.named_function(word, name, given, argument.at),
            },
            ExprKind::Unknown(name) if words_named(name).any(Word::is_called) => {
                let error = Diagnostic::new(message!("the word `{name}` cannot be used alone"))
                    .at_maybe(self.known.place(argument.at, "not called"))
                    .help(message!("wrap it: `|x| {name}(x)`"));
                self.report_error(error.with_code(codes::WRONG_FUNCTION));
            }
            ExprKind::Unknown(name) => self.unknown_name(name, argument.at),
            _ => {
                let error = Diagnostic::new(message!("`{word}` takes a function here"))
                    .at_maybe(self.known.place(argument.start(), "this is not a function"))
                    .help(message!("write it in place: `{} …`, or give the name of one", closure_head(given)));
                self.report_error(error.with_code(codes::WRONG_FUNCTION));
                self.expression(argument);
            }
        }
    }

    /// Checks the name of a function that a word calls with `given` arguments.
    fn named_function(&mut self, word: &str, name: &str, given: usize, at: ScriptPoint) {
        let known = self.known;
        if let Some(function) = known.function_defined_as(name, given) {
            self.calls(function);
            return;
        }
        let Some(other) = known.forms(name).next() else { return };
        let (gives, takes) = (arguments_in_words(given), other.parameters.len());
        let error = Diagnostic::new(message!("`{word}` gives {gives}, and `{}` takes {takes}", other.name))
            .at_maybe(known.place(at, "this function"))
            .related_maybe(known.place(other.at, "defined here"))
            .help(message!("wrap it: `{} {name}(…)`", closure_head(given)));
        self.report_error(error.with_code(codes::WRONG_FUNCTION));
    }
}

/// Number of arguments that a word passes to the function at a position; `None` if it takes no function there.
pub(super) fn parameters_of_function(name: &str, arguments: usize, position: usize) -> Option<usize> {
    called_words(name, arguments).find_map(|word| match word.parameter(position)?.takes {
        ParameterSort::Function(parameters) => Some(parameters),
        _ => None,
    })
}

/// The parts that a call gives to options: the name, or `None` where it is computed, and the position of the values.
fn offered_parts(call: &WordCall) -> impl Iterator<Item = (Option<Arc<str>>, usize)> {
    let count = call.arguments.len();
    let is_offered = move |position: usize| {
        let takes =
            |word: &Word| word.parameter(position).is_some_and(|parameter| parameter.takes == ParameterSort::Offered);
        called_words(&call.name, count).any(takes)
    };
    let named = |values: usize| match &call.arguments[values - 1].kind {
        ExprKind::Text(name) => (Some(Arc::clone(name)), values),
        _ => (None, values),
    };
    // The name of a part is the argument before its values.
    (1..count).filter(move |&position| is_offered(position)).map(named)
}

/// The sort of each of the values that options are made of; `None` where it is not certain.
fn sort_of_each(values: &Expr, sort: Option<Sort>) -> Option<Sort> {
    match (&values.kind, sort?) {
        (ExprKind::List(list), _) => {
            let literal = |entry: &Expr| match entry.kind {
                ExprKind::Number(_) => Some(Sort::Number),
                ExprKind::Text(_) => Some(Sort::Text),
                _ => None,
            };
            let first = literal(list.first()?)?;
            list.iter().all(|entry| literal(entry) == Some(first)).then_some(first)
        }
        // Among options there can be texts.
        (_, Sort::Options | Sort::List | Sort::Data) => None,
        (_, sort) => Some(sort.gives().unwrap_or(sort)),
    }
}

/// Whether a form of a word can take anything but a function as its next argument after `given`, the receiver first.
/// For a word behind a dot, only the forms that fit its receiver count.
fn may_be_value(call: &WordCall, given: &[Option<Sort>]) -> bool {
    let is_meant = |word: &&Word| call.form != Callee::Method || sorts::may_begin(word, given);
    called_words(&call.name, call.arguments.len()).filter(is_meant).any(|word| {
        word.parameter(given.len()).is_some_and(|parameter| !matches!(parameter.takes, ParameterSort::Function(_)))
    })
}

fn arguments_in_words(count: usize) -> Message {
    if count == 1 { "one argument".into() } else { "two arguments".into() }
}

fn closure_head(parameters: usize) -> &'static str {
    if parameters == 1 { "|x|" } else { "|x, y|" }
}
