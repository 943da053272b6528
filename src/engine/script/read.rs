//! Reads the parser's syntax tree into a [`Program`]: the only part that knows the shapes of Rhai's tree.
//!
//! Names are resolved here, and parts of the language that rules may not use are refused here, with what to write
//! instead. Unknown names stay in the program as they were written; the check reports them, because only it knows which
//! functions a game can come to call.
//!
//! The tree is not a stable interface of Rhai: its version is pinned, and a test covers the shapes that are read.

mod parser_tree;

use crate::diagnostic::{Diagnostic, Help, Message, Place, message};
use crate::script::functions::FunctionInfo;
use crate::script::layering::{SEPARATOR, settings_name};
use crate::script::parse_errors::script_point;
use crate::script::program::{
    Binary, Block, Call, Callee, Case, Expr, ExprKind, For, Function, FunctionId, FunctionValue, Global, Literal,
    Program, Slot, Statement, StatementKind, Switch, Target, WordCall,
};
use crate::sorted::{SortedMap, sort_by};
use crate::table::event::ScriptPoint;
use crate::table::layout::Layout;
use crate::table::value::NOBODY;
use crate::work::Work;
use parser_tree::{Body, bodies, closure, first_in, first_of};
use rhai::{AST, ASTFlags, Dynamic, Expr as Node, FnCallExpr, Position, Stmt, StmtBlock, SwitchCasesCollection, Token};
use std::collections::HashMap;
use std::sync::Arc;

/// The known names of the scripts, and what else the reading needs.
pub struct Names<'a> {
    /// Every function, lower layers first.
    pub functions: &'a [FunctionInfo],
    /// Every global name, with numbered `settings` for each layer.
    pub globals: &'a SortedMap<String, Global>,
    /// The tokens of the scripts in order, to find where statements begin; empty where nobody steps through them.
    pub tokens: &'a [(Token, Position)],
    /// Number of lines before the first line that is read.
    pub lines_before: usize,
    /// Turns a point of the scripts into a place with a label; `None` where the point is in no source.
    pub place: &'a dyn Fn(ScriptPoint, &'static str) -> Option<Place>,
    /// The work whose stop ends the reading early, with an incomplete result.
    pub work: &'a Work,
}

/// The result of reading.
pub struct Read<T> {
    /// The program or function; refused parts are marked in it.
    pub read: T,
    /// Errors for parts of the language that rules may not use, in the order of the scripts.
    pub refused: Vec<Diagnostic>,
}

/// The global names of every ruleset with this layout.
pub fn globals(layout: &Layout) -> SortedMap<String, Global> {
    let fixed =
        [("players", Global::Players), ("table", Global::Table), (NOBODY, Global::Nobody), ("data", Global::Data)];
    let settings = (0..layout.data.settings().len()).map(|layer| (settings_name(layer), Global::Settings(layer)));
    let zones = layout.definition.zones.iter().enumerate().filter(|(_, zone)| !zone.per_seat);
    let zones = zones.map(|(definition, zone)| (zone.id.clone(), Global::Zone(definition)));
    fixed.into_iter().map(|(name, global)| (name.to_owned(), global)).chain(settings).chain(zones).collect()
}

/// Reads the functions of all layers.
pub fn program(ast: &AST, names: &Names<'_>) -> Read<Program> {
    let mut tree = Tree::new(ast, names);
    let empty = Body::default();
    let functions = names.functions.iter().map(|function| {
        let body = tree.bodies.get(&(function.flat_name.clone(), function.parameters.len())).unwrap_or(&empty).clone();
        tree.function(&body.parameters, &body.statements)
    });
    let program = Program { functions: functions.collect() };
    Read { read: program, refused: tree.refused }
}

/// Reads an expression that a person typed as a function whose parameters are the names in `known`.
pub fn expression(ast: &AST, names: &Names<'_>, known: &[String]) -> Read<Function> {
    let mut tree = Tree::new(ast, names);
    let function = tree.function(known, ast.statements());
    Read { read: function, refused: tree.refused }
}

struct Tree<'a> {
    names: &'a Names<'a>,
    bodies: SortedMap<(String, usize), Body>,
    functions: HashMap<(&'a str, usize), FunctionId>,
    /// Index in `names.tokens` of the token at each position.
    places: HashMap<Position, usize>,
    refused: Vec<Diagnostic>,
    // State of the function that is being read.
    slots: Vec<Arc<str>>,
    scope: Vec<(Arc<str>, Slot)>,
}

impl<'a> Tree<'a> {
    fn new(ast: &AST, names: &'a Names<'a>) -> Self {
        let functions = names.functions.iter().zip(0..);
        let (bodies, too_large) = bodies(ast, names.work);
        let mut tree = Self {
            bodies,
            functions: functions
                .map(|(function, number)| ((function.flat_name.as_str(), function.parameters.len()), number))
                .collect(),
            places: names.tokens.iter().enumerate().map(|(index, (_, at))| (*at, index)).collect(),
            names,
            refused: Vec::new(),
            slots: Vec::new(),
            scope: Vec::new(),
        };
        if let Some(at) = too_large {
            tree.bodies.clear();
            let message = "the cases of a `switch` have too many values for the code in them";
            tree.refuse(at, "here", message, "put the code of the cases into a function of its own, and call that");
        }
        tree
    }

    fn function(&mut self, parameters: &[impl AsRef<str>], statements: &[Stmt]) -> Function {
        self.slots.clear();
        self.scope.clear();
        for name in parameters {
            self.begin(name.as_ref());
        }
        let body = self.statements(statements);
        Function { names: std::mem::take(&mut self.slots), arity: parameters.len() as u16, body }
    }

    /// Declares a local variable in a new slot.
    fn begin(&mut self, name: &str) -> Slot {
        let name: Arc<str> = name.into();
        let slot = self.slots.len() as Slot;
        self.slots.push(name.clone());
        self.scope.push((name, slot));
        slot
    }

    fn local(&self, name: &str) -> Option<Slot> {
        self.scope.iter().rev().find(|(known, _)| **known == *name).map(|(_, slot)| *slot)
    }

    fn point(&self, at: Position) -> ScriptPoint {
        let point = script_point(at);
        ScriptPoint { line: point.line + self.names.lines_before as u16, ..point }
    }

    /// Reports a part of the language that rules may not use, and gives what stands for it in the tree.
    fn refuse(
        &mut self,
        at: Position,
        label: &'static str,
        message: impl Into<Message>,
        help: impl Into<Help>,
    ) -> ExprKind {
        let place = (self.names.place)(self.point(at), label);
        self.refused.push(Diagnostic::new(message).at_maybe(place).help(help));
        ExprKind::Refused
    }

    /// Refuses `=+`, and `=-` with a blank behind it, which set a name to a value and look as if they added to it.
    fn refuse_turned(&mut self, at: Position) {
        let Some(place) = (self.names.place)(self.point(at), "here") else { return };
        let mut behind = place.source.text.get(place.span.start..).unwrap_or_default().chars().skip(1);
        let sign = match (behind.next(), behind.next()) {
            (Some('+'), _) => '+',
            (Some('-'), Some(blank)) if blank.is_whitespace() => '-',
            _ => return,
        };
        let does = Message::from(if sign == '+' { "adds" } else { "takes away" });
        let help = message!("`n {sign}= 1` {does} 1; write a space between `=` and `{sign}1` to set it to that");
        self.refuse(at, "here", message!("rules do not know `={sign}`"), help);
    }

    // Statements

    fn block(&mut self, block: &StmtBlock) -> Block {
        self.statements(block.statements())
    }

    fn statements(&mut self, statements: &[Stmt]) -> Block {
        let outside = self.scope.len();
        let mut read = Vec::with_capacity(statements.len());
        for statement in statements {
            if self.names.work.is_stopped() {
                break;
            }
            read.extend(self.statement(statement));
        }
        self.scope.truncate(outside);
        Block(read)
    }

    fn statement(&mut self, statement: &Stmt) -> Option<Statement> {
        let first = first_of(statement);
        let begins = self.begins_at(first);
        let kind = self.statement_kind(statement)?;
        let at = begins.unwrap_or_else(|| self.point(first));
        Some(Statement { at, is_step: begins.is_some(), kind })
    }

    /// Where the text of the statement at a position of the tree begins: the tree leaves out brackets and signs before
    /// it. `None` where stepping does not stop before the statement.
    fn begins_at(&self, at: Position) -> Option<ScriptPoint> {
        let tokens = self.names.tokens;
        let mut first = *self.places.get(&at)?;
        loop {
            let before = first.checked_sub(1)?;
            match &tokens[before].0 {
                Token::LeftBrace | Token::RightBrace | Token::SemiColon => return Some(self.point(tokens[first].1)),
                Token::LeftParen | Token::LeftBracket | Token::Bang | Token::Minus | Token::UnaryMinus => {
                    first = before;
                }
                _ => return None,
            }
        }
    }

    fn statement_kind(&mut self, statement: &Stmt) -> Option<StatementKind> {
        Some(match statement {
            // A semicolon alone, or the parser's note about captured names.
            Stmt::Noop(_) | Stmt::Share(_) => return None,
            Stmt::If(flow, _) => {
                let condition = self.expression(&flow.expr);
                StatementKind::If(condition, self.block(&flow.body), self.block(&flow.branch))
            }
            Stmt::Switch(switch, at) => StatementKind::Switch(Box::new(self.switch(&switch.0, &switch.1, *at))),
            Stmt::While(flow, _) => {
                let condition = match &flow.expr {
                    Node::Unit(_) => None,
                    condition => Some(self.expression(condition)),
                };
                StatementKind::While(condition, self.block(&flow.body))
            }
            Stmt::Do(flow, _, at) => {
                self.refuse(
                    *at,
                    "`do`",
                    "rules have no `do` loops",
                    "write `loop { … if … { break; } }`, or `while … { … }`",
                );
                let condition = self.expression(&flow.expr);
                StatementKind::While(Some(condition), self.block(&flow.body))
            }
            Stmt::For(parts, _) => {
                let (item, counter, flow) = &**parts;
                let list = self.expression(&flow.expr);
                let outside = self.scope.len();
                let item = self.begin(&item.name);
                let counter = counter.as_ref().map(|counter| self.begin(&counter.name));
                let body = self.block(&flow.body);
                self.scope.truncate(outside);
                StatementKind::For(Box::new(For { list, item, counter, body }))
            }
            Stmt::Var(parts, ..) => {
                // The value is read before the name is known.
                let value = self.expression(&parts.1);
                StatementKind::Let(self.begin(&parts.0.name), value)
            }
            Stmt::Assignment(parts) => {
                let (info, sides) = &**parts;
                let operator = info.get_op_assignment_info().map(|(.., sign)| self.operator(sign, info.position()));
                if operator.is_none() {
                    self.refuse_turned(info.position());
                }
                let target = self.target(&sides.lhs, info.position());
                let value = self.expression(&sides.rhs);
                let at = self.point(info.position());
                match operator {
                    // A refused assignment becomes an expression, so that errors in its value are reported too.
                    Some(None) => StatementKind::Expr(value),
                    operator => StatementKind::Set { target, operator: operator.flatten(), value, at },
                }
            }
            Stmt::FnCall(call, at) => StatementKind::Expr(self.call(call, *at)),
            Stmt::Block(block) => StatementKind::Block(self.block(block)),
            Stmt::TryCatch(flow, at) => {
                self.refuse(
                    *at,
                    "`try` is here",
                    "rules do not catch errors",
                    "ask before, with `is_empty` or `contains`: what fails is shown to whoever wrote it",
                );
                StatementKind::Block(self.block(&flow.body))
            }
            Stmt::Expr(expression) => StatementKind::Expr(self.expression(expression)),
            Stmt::BreakLoop(value, flags, at) => {
                if value.is_some() {
                    self.refuse(
                        *at,
                        "with a value",
                        "`break` gives no value in rules",
                        "keep the value with `let` before the loop, and set it before `break`",
                    );
                }
                if flags.contains(ASTFlags::BREAK) { StatementKind::Break } else { StatementKind::Continue }
            }
            Stmt::Return(value, flags, _) => {
                let value = value.as_ref().map(|value| self.expression(value));
                if flags.contains(ASTFlags::BREAK) { StatementKind::Throw(value) } else { StatementKind::Return(value) }
            }
            other => {
                self.refuse(other.position(), "here", "rules cannot use this", "`help words` shows what there is");
                return None;
            }
        })
    }

    fn switch(&mut self, value: &Node, cases: &SwitchCasesCollection, at: Position) -> Switch {
        let value = self.expression(value);
        if !cases.ranges.is_empty() {
            self.refuse(
                at,
                "a case of it is a range",
                "a range cannot be a case of a `switch`",
                "write `if … { … } else if … { … }`",
            );
        }
        let mut found: Vec<(usize, Literal)> = Vec::new();
        #[allow(clippy::disallowed_methods, clippy::iter_over_hash_type, reason = "they are put in order below")]
        for list in cases.cases.values() {
            let literal = literal(&list.value);
            match literal {
                Some(literal) => found.extend(list.blocks.iter().map(|&block| (block, literal.clone()))),
                None if !cases.ranges.is_empty() => {}
                None => {
                    self.refuse(
                        at,
                        "a case of it is something else",
                        "a case of a `switch` is a number, a text, `true` or `false`",
                        "write `if … { … } else if … { … }`",
                    );
                }
            }
        }
        // The tree keeps the literals in no order, but the blocks of the cases in the order of the script.
        sort_by(&mut found, Ord::cmp);
        found.dedup();
        let mut read = Vec::new();
        for several in found.chunk_by(|one, other| one.0 == other.0) {
            let Some(case) = several.first().and_then(|(block, _)| cases.expressions.get(*block)) else { continue };
            let literals = several.iter().map(|(_, literal)| literal.clone()).collect();
            let condition = match &case.lhs {
                Node::BoolConstant(true, _) => None,
                condition => Some(self.expression(condition)),
            };
            read.push(Case { literals, condition, value: self.expression(&case.rhs) });
        }
        let default = cases.def_case.and_then(|block| cases.expressions.get(block));
        let default = default.map(|case| self.expression(&case.rhs));
        Switch { value, cases: read, default }
    }

    fn target(&mut self, target: &Node, at: Position) -> Target {
        match target {
            Node::Variable(variable, _, name_at) => match self.local(&variable.1) {
                Some(slot) => Target::Local(slot, self.point(*name_at)),
                None => Target::Other(self.expression(target)),
            },
            Node::Dot(..) | Node::Index(..) => {
                let read = self.expression(target);
                let at = read.at;
                match read.kind {
                    ExprKind::Property(of, name) => Target::Property { of: *of, name, at },
                    ExprKind::Index(of, index) => match of.kind {
                        ExprKind::Local(slot) => Target::Entry(slot, *index, at),
                        ExprKind::Index(..) => {
                            let place = (self.names.place)(at, "an entry of an entry");
                            let error = Diagnostic::new("only the entries of a list that has a name can be set");
                            let help = "take the inner list out with `let`, set its entry, and put it back";
                            self.refused.push(error.at_maybe(place).help(help));
                            Target::Other(Expr { at, kind: ExprKind::Refused })
                        }
                        kind => {
                            let of = Box::new(Expr { at: of.at, kind });
                            Target::Other(Expr { at, kind: ExprKind::Index(of, index) })
                        }
                    },
                    kind => Target::Other(Expr { at, kind }),
                }
            }
            other => {
                let read = self.expression(other);
                Target::Other(Expr { at: self.point(at), kind: read.kind })
            }
        }
    }

    fn operator(&mut self, sign: &str, at: Position) -> Option<Binary> {
        let found = Binary::of_sign(sign);
        if found.is_none() {
            self.refuse_operator(sign, at);
        }
        found
    }

    fn refuse_operator(&mut self, sign: &str, at: Position) {
        let help = match sign {
            "&" | "|" => message!("between two conditions write `{sign}{sign}`"),
            "^" => "of two conditions write `!=`".into(),
            "**" => "multiply in a loop, or write the powers into `[data]`".into(),
            "<<" | ">>" => "multiply and divide by 2".into(),
            _ => "the signs that rules know are those of numbers, comparisons, `&&`, `||` and `!`".into(),
        };
        self.refuse(at, "here", message!("rules do not know `{sign}`"), help);
    }

    // Expressions

    fn list<'n>(&mut self, list: impl IntoIterator<Item = &'n Node>) -> Vec<Expr> {
        list.into_iter().map(|item| self.expression(item)).collect()
    }

    fn expression(&mut self, node: &Node) -> Expr {
        if let Some((name, captured, at)) = closure(node) {
            return self.closure(&name, captured, at);
        }
        let at = node.position();
        let kind = match node {
            Node::Variable(variable, ..) => self.variable(&variable.1),
            Node::FnCall(call, at) => return self.call(call, *at),
            Node::Dot(..) | Node::Index(..) => return self.chain(node),
            Node::And(list, _) => ExprKind::And(self.list(list.iter())),
            Node::Or(list, _) => ExprKind::Or(self.list(list.iter())),
            Node::Coalesce(list, _) => {
                self.refuse(at, "`??`", "rules do not know `??`", "ask what is there, with `if … { … } else { … }`");
                self.list(list.iter());
                ExprKind::Refused
            }
            Node::InterpolatedString(list, _) => ExprKind::Joined(self.list(list.iter())),
            Node::Array(list, _) => ExprKind::List(self.list(list.iter())),
            Node::IntegerConstant(number, _) => ExprKind::Number(*number),
            Node::BoolConstant(truth, _) => ExprKind::Truth(*truth),
            Node::StringConstant(text, _) => ExprKind::Text(text.as_str().into()),
            Node::Unit(_) => ExprKind::Nothing,
            Node::Stmt(block) => ExprKind::Block(self.block(block)),
            Node::DynamicConstant(value, _) => self.constant(value, at),
            Node::MethodCall(call, at) => return self.call(call, *at),
            Node::Map(map, _) => {
                self.refuse(
                    at,
                    "`#{ … }`",
                    "rules have no object maps",
                    "keep values in declared variables, fixed tables in `[data]`, options with parts in `acts`",
                );
                map.0.iter().for_each(|(_, value)| drop(self.expression(value)));
                ExprKind::Refused
            }
            Node::ThisPtr(_) => {
                self.refuse(at, "here", "there is no `this` in rules", "functions get everything as parameters")
            }
            // Rhai reads a whole number that is too large as a fraction.
            Node::FloatConstant(number, _) if number.abs() >= i64::MAX as f64 => {
                let help = message!("numbers go from {} to {}", i64::MIN, i64::MAX);
                self.refuse(at, "here", "the number is too large", help)
            }
            Node::FloatConstant(number, _) => {
                let help =
                    message!("count in smaller units, so that {number} becomes a whole number; `/` rounds towards 0");
                self.refuse(at, "a fraction", "numbers in rules are whole", help)
            }
            Node::CharConstant(letter, _) => {
                self.refuse(at, "a single character", "texts are in double quotes", message!("write `\"{letter}\"`"))
            }
            _ => self.refuse(at, "here", "rules cannot use this", "`help words` shows what there is"),
        };
        Expr { at: self.point(at), kind }
    }

    /// Converts a value that the parser has computed.
    fn constant(&mut self, value: &Dynamic, at: Position) -> ExprKind {
        if let Some(literal) = literal(value) {
            return match literal {
                Literal::Number(number) => ExprKind::Number(number),
                Literal::Truth(truth) => ExprKind::Truth(truth),
                Literal::Text(text) => ExprKind::Text(text),
            };
        }
        if let Some(list) = value.read_lock::<rhai::Array>() {
            let entry = |entry: &Dynamic| Expr { at: self.point(at), kind: self.constant(entry, at) };
            return ExprKind::List(list.iter().map(entry).collect());
        }
        if value.is_unit() {
            return ExprKind::Nothing;
        }
        self.refuse(at, "here", "rules cannot use this", "`help words` shows what there is")
    }

    fn variable(&mut self, name: &str) -> ExprKind {
        if let Some(slot) = self.local(name) {
            return ExprKind::Local(slot);
        }
        if let Some(global) = self.names.globals.get(name) {
            return ExprKind::Global(global.clone());
        }
        if self.names.functions.iter().any(|function| function.is_reached_by(name)) {
            return ExprKind::Function(Box::new(FunctionValue::Named(name.into())));
        }
        ExprKind::Unknown(name.into())
    }

    fn closure(&mut self, name: &str, captured: usize, at: Position) -> Expr {
        let named = self.bodies.range_from(&(name.to_owned(), 0)).next().filter(|((of, _), _)| of == name);
        let body = named.map(|(_, body)| body.clone()).unwrap_or_default();
        let outside = self.scope.len();
        // Captured names resolve to the names around the closure.
        let own = body.parameters.get(captured..).unwrap_or_default();
        let slots = own.iter().map(|name| self.begin(name)).collect();
        let block = self.statements(&body.statements);
        self.scope.truncate(outside);
        let kind = ExprKind::Function(Box::new(FunctionValue::Closure(slots, block)));
        Expr { at: self.point(at), kind }
    }

    fn call(&mut self, call: &FnCallExpr, position: Position) -> Expr {
        let at = self.point(position);
        let name = call.name.as_str();
        let kind = match (&call.op_token, &call.args[..]) {
            (_, [list, value]) if name == "contains" && first_in(value) < position => {
                let arguments = vec![self.expression(list), self.expression(value)];
                ExprKind::Word(WordCall { name: name.into(), arguments, form: Callee::In })
            }
            (Some(Token::ExclusiveRange | Token::InclusiveRange), [from, to]) => {
                let with_end = matches!(call.op_token, Some(Token::InclusiveRange));
                ExprKind::Range(Box::new([self.expression(from), self.expression(to)]), with_end)
            }
            (Some(_), [left, right]) => {
                let sides = Box::new([self.expression(left), self.expression(right)]);
                match self.operator(name, position) {
                    Some(operator) => ExprKind::Binary(operator, sides),
                    None => ExprKind::Refused,
                }
            }
            (Some(_), [one]) => {
                let one = Box::new(self.expression(one));
                match name {
                    "!" => ExprKind::Not(one),
                    "-" => ExprKind::Negative(one),
                    _ => self.refuse(
                        position,
                        "here",
                        message!("rules do not know `{name}` before a value"),
                        "leave it out",
                    ),
                }
            }
            _ => {
                let arguments = self.list(call.args.iter());
                match self.functions.get(&(name, arguments.len())) {
                    Some(&function) => {
                        let is_super = name.contains(SEPARATOR)
                            && self
                                .names
                                .functions
                                .get(usize::from(function))
                                .is_some_and(|info| !info.is_private && !info.is_highest);
                        ExprKind::Call(Call { function, arguments, is_super })
                    }
                    None => ExprKind::Word(WordCall { name: name.into(), arguments, form: Callee::Function }),
                }
            }
        };
        Expr { at, kind }
    }

    /// A chain of `.` and `[]`. The tree nests it to the right, with a mark where it ends.
    fn chain(&mut self, node: &Node) -> Expr {
        let mut read: Option<Expr> = None;
        let mut is_index = false;
        let mut node = node;
        let mut ended = false;
        loop {
            let (link, next) = match node {
                Node::Dot(pair, flags, at) if !ended => (&pair.lhs, Some((&pair.rhs, false, flags, at))),
                Node::Index(pair, flags, at) if !ended => (&pair.lhs, Some((&pair.rhs, true, flags, at))),
                last => (last, None),
            };
            let now = match read {
                None => self.expression(link),
                Some(before) => self.link(before, link, is_index),
            };
            let Some((rest, index, flags, at)) = next else { return now };
            if flags.contains(ASTFlags::NEGATED) {
                let sign = if index { "?[" } else { "?." };
                let message = message!("rules do not know `{sign}`");
                self.refuse(*at, "here", message, "ask what is there, with `if … { … } else { … }`");
            }
            read = Some(now);
            node = rest;
            is_index = index;
            ended = flags.contains(ASTFlags::BREAK);
        }
    }

    fn link(&mut self, before: Expr, link: &Node, is_index: bool) -> Expr {
        match link {
            Node::Property(property, at) if !is_index => {
                let kind = ExprKind::Property(Box::new(before), property.2.as_str().into());
                Expr { at: self.point(*at), kind }
            }
            Node::MethodCall(call, at) | Node::FnCall(call, at) if !is_index => {
                if call.name == "push" && !matches!(before.kind, ExprKind::Local(_)) {
                    self.refuse(
                        *at,
                        "nothing keeps what it changes",
                        "`push` changes a list that has a name",
                        "keep the list with `let`, and `push` to that; `+` makes a new list of two",
                    );
                }
                let mut arguments = vec![before];
                arguments.extend(self.list(call.args.iter()));
                let kind =
                    ExprKind::Word(WordCall { name: call.name.as_str().into(), arguments, form: Callee::Method });
                Expr { at: self.point(*at), kind }
            }
            index => {
                let index = self.expression(index);
                Expr { at: index.at, kind: ExprKind::Index(Box::new(before), Box::new(index)) }
            }
        }
    }
}

fn literal(value: &Dynamic) -> Option<Literal> {
    if let Ok(number) = value.as_int() {
        return Some(Literal::Number(number));
    }
    if let Ok(truth) = value.as_bool() {
        return Some(Literal::Truth(truth));
    }
    value.as_immutable_string_ref().ok().map(|text| Literal::Text(text.as_str().into()))
}
