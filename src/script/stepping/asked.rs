//! What a script asks a player, read from the script: the options, the function that refuses some of them, and the
//! expressions in them whose values tell why.

use super::Stepper;
use super::tree::{Body, bodies, closure};
use crate::script::layering::{SEPARATOR, written_name};
use crate::script::syntax::script_point;
use crate::script::vocabulary::{Form, words};
use crate::table::event::ScriptPoint;
use rhai::{ASTFlags, ASTNode, Expr, FnCallExpr, Position, Stmt};
use std::collections::BTreeMap;

/// Most expressions of one line whose values are told.
const MOST_VALUES: usize = 8;

/// An expression of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// As its author wrote it, near enough.
    pub shown: String,
    /// As it can be evaluated.
    pub text: String,
    /// The expressions inside it whose values say something, each as shown and as it can be evaluated.
    pub inside: Vec<(String, String)>,
    /// The functions of the scripts that it calls: by number, with the arguments as they can be evaluated.
    pub calls: Vec<(usize, Vec<String>)>,
}

/// A question to a player, as it stands in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Where it stands.
    pub at: ScriptPoint,
    /// The name under which the script knows who is asked, if it is one.
    pub player: Option<String>,
    /// What can be chosen.
    pub options: Option<Written>,
    /// The function that says what may not be chosen: its parameter and its body, where that is one expression.
    pub refuses: Option<(String, Written)>,
}

impl Stepper {
    /// The question that is asked at a point of the scripts as they were written; nothing where none stands there.
    pub fn asked(&self, at: ScriptPoint) -> Option<Asked> {
        let reader = Reader::new(self);
        let mut found = None;
        self.interpreter.ast.walk(&mut |path| {
            let (call, place, has_receiver) = match path.last() {
                Some(ASTNode::Expr(Expr::FnCall(call, place)) | ASTNode::Stmt(Stmt::FnCall(call, place))) => {
                    (call, *place, true)
                }
                Some(ASTNode::Expr(Expr::MethodCall(call, place))) => (call, *place, false),
                _ => return true,
            };
            let name = call.name.as_str();
            if script_point(place) != at
                || !matches!(name, "choose" | "choose_secretly" | "choose_some" | "next_to_act" | "may")
            {
                return true;
            }
            let receiver = match path {
                _ if has_receiver => call.args.first(),
                // `p.choose(…)`: what stands before the dot.
                [.., ASTNode::Expr(Expr::Dot(pair, ..)), _] => Some(&pair.lhs),
                _ => None,
            };
            found = Some(reader.question(call, place, receiver, usize::from(has_receiver)));
            false
        });
        found
    }

    /// The names of the parameters of a function of the scripts, and the expressions of its body, in their order. Names
    /// that the body makes itself are not known outside it.
    pub fn expressions_of(&self, function: usize) -> Option<(Vec<String>, Vec<Written>)> {
        let reader = Reader::new(self);
        let info = self.interpreter.functions.get(function)?;
        let body = reader.bodies.get(&(info.flat_name.clone(), info.parameters.len()))?;
        let mut found = Vec::new();
        reader.expressions(&body.statements, &mut found);
        Some((body.parameters.clone(), found))
    }
}

/// Reads expressions back from the tree.
struct Reader<'a> {
    stepper: &'a Stepper,
    bodies: BTreeMap<(String, usize), Body>,
}

/// An expression in both of its forms.
type Both = (String, String);

impl<'a> Reader<'a> {
    fn new(stepper: &'a Stepper) -> Self {
        Self { stepper, bodies: bodies(&stepper.interpreter.ast) }
    }

    fn question(&self, call: &FnCallExpr, at: Position, receiver: Option<&Expr>, first: usize) -> Asked {
        let player = match receiver {
            Some(Expr::Variable(variable, ..)) => Some(variable.1.to_string()),
            _ => None,
        };
        let arguments = &call.args[first.min(call.args.len())..];
        // Who is next to act is asked with the players alone, everything else with a prompt before the options.
        let options = if call.name == "next_to_act" { call.args.first() } else { arguments.get(1) };
        let refuses = arguments.iter().skip(2).find_map(|argument| self.function(argument));
        Asked { at: script_point(at), player, options: options.and_then(|options| self.written(options)), refuses }
    }

    /// A function that stands as an argument: its own last parameter, and its body.
    fn function(&self, argument: &Expr) -> Option<(String, Written)> {
        let (name, captured, _) = closure(argument)?;
        let body = self.closure_body(&name)?;
        let parameter = body.parameters.get(captured..)?.first()?.clone();
        Some((parameter, self.body(body)?))
    }

    fn closure_body(&self, name: &str) -> Option<&Body> {
        self.bodies.range((name.to_owned(), 0)..=(name.to_owned(), usize::MAX)).next().map(|(_, body)| body)
    }

    fn body(&self, body: &Body) -> Option<Written> {
        match body.statements.as_slice() {
            [Stmt::Expr(expression)] => self.written(expression),
            [Stmt::FnCall(call, at)] => self.written(&Expr::FnCall(call.clone(), *at)),
            [Stmt::Return(Some(expression), flags, _)] if !flags.contains(ASTFlags::BREAK) => self.written(expression),
            _ => None,
        }
    }

    /// The expressions of statements; what changes something is left out.
    fn expressions(&self, statements: &[Stmt], found: &mut Vec<Written>) {
        for statement in statements {
            match statement {
                Stmt::Var(parts, ..) => self.expression(&parts.1, found),
                Stmt::Expr(expression) => self.expression(expression, found),
                Stmt::Return(Some(expression), ..) => self.expression(expression, found),
                Stmt::FnCall(call, at) => self.expression(&Expr::FnCall(call.clone(), *at), found),
                Stmt::If(flow, _) => {
                    self.expression(&flow.expr, found);
                    self.expressions(flow.body.statements(), found);
                    self.expressions(flow.branch.statements(), found);
                }
                Stmt::For(parts, _) => self.expression(&parts.2.expr, found),
                Stmt::Assignment(parts) => self.expression(&parts.1.rhs, found),
                Stmt::Block(block) => self.expressions(block.statements(), found),
                _ => {}
            }
        }
    }

    fn expression(&self, expression: &Expr, found: &mut Vec<Written>) {
        match (self.written(expression), expression) {
            (Some(written), _) => found.push(written),
            (None, Expr::Stmt(block)) => self.expressions(block.statements(), found),
            (None, _) => {}
        }
    }

    fn written(&self, expression: &Expr) -> Option<Written> {
        let (shown, text) = self.both(expression)?;
        let mut inside = Vec::new();
        self.collect(expression, &mut inside);
        inside.retain(|(_, other)| *other != text);
        inside.truncate(MOST_VALUES);
        let mut calls = Vec::new();
        self.calls(expression, &mut calls);
        Some(Written { shown, text, inside, calls })
    }

    /// The functions of the scripts that an expression calls by itself, not from within the arguments of another.
    fn calls(&self, expression: &Expr, found: &mut Vec<(usize, Vec<String>)>) {
        match expression {
            Expr::FnCall(call, _) => {
                let functions = &self.stepper.interpreter.functions;
                let called = functions.iter().position(|known| {
                    known.flat_name == call.name.as_str() && known.parameters.len() == call.args.len()
                });
                let arguments: Option<Vec<String>> =
                    call.args.iter().map(|argument| Some(self.both(argument)?.1)).collect();
                match called.filter(|_| !call.is_operator_call()).zip(arguments) {
                    Some(call) => found.push(call),
                    None => call.args.iter().for_each(|argument| self.calls(argument, found)),
                }
            }
            Expr::MethodCall(call, _) => call.args.iter().for_each(|argument| self.calls(argument, found)),
            Expr::Dot(pair, ..) | Expr::Index(pair, ..) => {
                self.calls(&pair.lhs, found);
                self.calls(&pair.rhs, found);
            }
            Expr::And(list, _) | Expr::Or(list, _) => list.iter().for_each(|item| self.calls(item, found)),
            _ => {}
        }
    }

    /// The expressions inside an expression whose values say something: names, chains and calls; not what a function
    /// without a name holds, for its parameters are not known.
    fn collect(&self, expression: &Expr, found: &mut Vec<Both>) {
        let mut add = |expression: &Expr| {
            if let Some(both) = self.both(expression).filter(|both| !found.contains(both)) {
                found.push(both);
            }
        };
        match expression {
            Expr::Variable(..) => add(expression),
            Expr::FnCall(call, _) => {
                if !call.is_operator_call() {
                    add(expression);
                }
                call.args.iter().for_each(|argument| self.collect(argument, found));
            }
            Expr::Dot(pair, ..) | Expr::Index(pair, ..) => {
                add(expression);
                self.collect(&pair.lhs, found);
                self.collect_links(&pair.rhs, found);
            }
            Expr::And(list, _) | Expr::Or(list, _) | Expr::Coalesce(list, _) => {
                list.iter().for_each(|item| self.collect(item, found));
            }
            Expr::Array(list, _) | Expr::InterpolatedString(list, _) => {
                list.iter().for_each(|item| self.collect(item, found));
            }
            _ => {}
        }
    }

    /// What stands between the brackets of a chain.
    fn collect_links(&self, link: &Expr, found: &mut Vec<Both>) {
        match link {
            Expr::MethodCall(call, _) => call.args.iter().for_each(|argument| self.collect(argument, found)),
            Expr::Dot(pair, ..) | Expr::Index(pair, ..) => {
                self.collect_links(&pair.lhs, found);
                self.collect_links(&pair.rhs, found);
            }
            Expr::Property(..) => {}
            other => self.collect(other, found),
        }
    }

    /// An expression as text; nothing for statements inside it.
    fn both(&self, expression: &Expr) -> Option<Both> {
        let same = |text: String| Some((text.clone(), text));
        match expression {
            Expr::Variable(variable, ..) => Some((written_name(&variable.1).to_owned(), variable.1.to_string())),
            Expr::IntegerConstant(number, _) => same(number.to_string()),
            Expr::BoolConstant(truth, _) => same(truth.to_string()),
            Expr::StringConstant(text, _) => same(format!("{:?}", text.as_str())),
            Expr::Unit(_) => same("()".to_owned()),
            Expr::Dot(..) | Expr::Index(..) => self.chain(expression),
            Expr::FnCall(call, _) => self.call(call),
            Expr::MethodCall(call, _) => self.called(&call.name, &call.args),
            Expr::And(list, _) => self.joined(list, " && "),
            Expr::Or(list, _) => self.joined(list, " || "),
            Expr::Array(list, _) => {
                let (shown, text) = self.joined(list, ", ")?;
                Some((format!("[{shown}]"), format!("[{text}]")))
            }
            Expr::InterpolatedString(list, _) => {
                let mut both = ("`".to_owned(), "`".to_owned());
                for part in list {
                    match part {
                        Expr::StringConstant(text, _) => {
                            both.0.push_str(text);
                            both.1.push_str(text);
                        }
                        Expr::Stmt(block) => {
                            let [Stmt::Expr(inner)] = block.statements() else { return None };
                            let (shown, text) = self.both(inner)?;
                            both.0.push_str(&format!("${{{shown}}}"));
                            both.1.push_str(&format!("${{{text}}}"));
                        }
                        _ => return None,
                    }
                }
                Some((both.0 + "`", both.1 + "`"))
            }
            Expr::Stmt(_) | Expr::DynamicConstant(..) => {
                let (name, captured, _) = closure(expression)?;
                let body = self.closure_body(&name)?;
                let parameters = body.parameters.get(captured..)?.join(", ");
                let inner = self.body(body)?;
                Some((format!("|{parameters}| {}", inner.shown), format!("|{parameters}| {}", inner.text)))
            }
            _ => None,
        }
    }

    fn joined(&self, list: &[Expr], between: &str) -> Option<Both> {
        let both = list.iter().map(|item| self.both(item)).collect::<Option<Vec<Both>>>()?;
        let (shown, text): (Vec<String>, Vec<String>) = both.into_iter().unzip();
        Some((shown.join(between), text.join(between)))
    }

    fn called(&self, name: &str, arguments: &[Expr]) -> Option<Both> {
        let (shown, text) = self.joined(arguments, ", ")?;
        let called = if name.contains(SEPARATOR) { "super" } else { name };
        Some((format!("{called}({shown})"), format!("{name}({text})")))
    }

    fn call(&self, call: &FnCallExpr) -> Option<Both> {
        if !call.is_operator_call() {
            // What was turned round to be called as a function is shown as it was written.
            let is_word = words().any(|word| word.form == Form::Callback && word.name == call.name.as_str());
            if let ([receiver, arguments @ ..], true) = (call.args.as_slice(), is_word) {
                let (shown, text) = self.both(receiver)?;
                let (called, as_text) = self.called(&call.name, arguments)?;
                return Some((format!("{shown}.{called}"), format!("{text}.{as_text}")));
            }
            return self.called(&call.name, &call.args);
        }
        let operand = |expression: &Expr| {
            let (shown, text) = self.both(expression)?;
            let is_simple = !matches!(expression, Expr::FnCall(inner, _) if inner.is_operator_call())
                && !matches!(expression, Expr::And(..) | Expr::Or(..));
            Some(if is_simple { (shown, text) } else { (format!("({shown})"), format!("({text})")) })
        };
        let operator = call.name.as_str();
        match call.args.as_slice() {
            [one] => operand(one).map(|(shown, text)| (format!("{operator}{shown}"), format!("{operator}{text}"))),
            [one, other] => {
                let ((shown, text), (more, more_text)) = (operand(one)?, operand(other)?);
                Some((format!("{shown} {operator} {more}"), format!("{text} {operator} {more_text}")))
            }
            _ => None,
        }
    }

    fn chain(&self, expression: &Expr) -> Option<Both> {
        let mut both: Option<Both> = None;
        let mut is_index = false;
        let mut is_last = false;
        let mut node = expression;
        loop {
            let (link, next) = match node {
                Expr::Dot(pair, flags, _) if !is_last => (&pair.lhs, Some((&pair.rhs, false, flags))),
                Expr::Index(pair, flags, _) if !is_last => (&pair.lhs, Some((&pair.rhs, true, flags))),
                other => (other, None),
            };
            both = Some(match (both, link) {
                (None, root) => {
                    let both = self.both(root)?;
                    let is_operator = matches!(root, Expr::FnCall(call, _) if call.is_operator_call());
                    if is_operator { (format!("({})", both.0), format!("({})", both.1)) } else { both }
                }
                (Some(before), Expr::Property(property, _)) if !is_index => {
                    (format!("{}.{}", before.0, property.2), format!("{}.{}", before.1, property.2))
                }
                (Some(before), Expr::MethodCall(call, _) | Expr::FnCall(call, _)) if !is_index => {
                    let (shown, text) = self.called(&call.name, &call.args)?;
                    (format!("{}.{shown}", before.0), format!("{}.{text}", before.1))
                }
                (Some(before), index) => {
                    let (shown, text) = self.both(index)?;
                    (format!("{}[{shown}]", before.0), format!("{}[{text}]", before.1))
                }
            });
            match next {
                Some((rest, index, flags)) => {
                    node = rest;
                    is_index = index;
                    is_last = flags.contains(ASTFlags::BREAK);
                }
                None => return both,
            }
        }
    }
}
