//! Pretty printer: writes a piece of a program back as source code on one line, for explanations and tests.

use crate::script::functions::FunctionInfo;
use crate::script::layering::written_name;
use crate::script::program::{
    Block, Call, Callee, Expr, ExprKind, Function, FunctionValue, Global, Literal, Slot, Statement, StatementKind,
    Switch, Target, WordCall,
};

/// Pretty printer for pieces of one function.
#[derive(Clone, Copy)]
pub struct Writer<'a> {
    /// The function that contains the pieces, for the names of its slots.
    pub function: &'a Function,
    /// Every function of the scripts, by its id.
    pub functions: &'a [FunctionInfo],
    /// Gives the name of a zone, by the index of its definition.
    pub zones: &'a dyn Fn(usize) -> String,
}

/// Operator precedence: a higher number binds more tightly.
const LOWEST_PRECEDENCE: u8 = 0;
const UNARY_PRECEDENCE: u8 = 9;
const HIGHEST_PRECEDENCE: u8 = 10;

impl Writer<'_> {
    /// Writes an expression.
    pub fn expression(&self, expression: &Expr) -> String {
        self.within(expression, LOWEST_PRECEDENCE)
    }

    /// Writes an expression as part of another one, in parentheses if the precedence `around` it is higher.
    fn within(&self, expression: &Expr, around: u8) -> String {
        let own = tightness(&expression.kind);
        let written = match &expression.kind {
            ExprKind::Nothing => "()".to_owned(),
            ExprKind::Number(number) => number.to_string(),
            ExprKind::Truth(truth) => truth.to_string(),
            ExprKind::Text(text) => format!("{text:?}"),
            ExprKind::Joined(parts) => self.joined(parts),
            ExprKind::List(list) => format!("[{}]", self.list(list)),
            ExprKind::Local(slot) => self.name(*slot),
            ExprKind::Global(global) => self.global(global),
            ExprKind::Property(of, name) => format!("{}.{name}", self.within(of, HIGHEST_PRECEDENCE)),
            ExprKind::Index(of, index) => {
                format!("{}[{}]", self.within(of, HIGHEST_PRECEDENCE), self.expression(index))
            }
            ExprKind::Call(call) => self.call(call),
            ExprKind::Word(word) => self.word(word),
            ExprKind::Not(one) => format!("!{}", self.within(one, own)),
            ExprKind::Negative(one) => format!("-{}", self.within(one, own)),
            ExprKind::Binary(operator, sides) => {
                let (left, right) = (self.within(&sides[0], own), self.within(&sides[1], own + 1));
                format!("{left} {} {right}", operator.sign())
            }
            ExprKind::Range(sides, with_end) => {
                let sign = if *with_end { "..=" } else { ".." };
                format!("{}{sign}{}", self.within(&sides[0], own + 1), self.within(&sides[1], own + 1))
            }
            ExprKind::And(list) => self.between(list, " && ", own + 1),
            ExprKind::Or(list) => self.between(list, " || ", own + 1),
            ExprKind::Block(Block(statements)) => match statements.as_slice() {
                // The only expression of a case.
                [Statement { kind: StatementKind::Expr(only), is_step: false, .. }] => self.within(only, around),
                [only] if matches!(only.kind, StatementKind::If(..) | StatementKind::Switch(_)) => self.statement(only),
                _ => self.block(statements),
            },
            ExprKind::Function(function) => self.function_value(function),
            ExprKind::Unknown(name) => written_name(name).to_owned(),
            ExprKind::Refused => "…".to_owned(),
        };
        if own < around { format!("({written})") } else { written }
    }

    fn name(&self, slot: Slot) -> String {
        self.function.names.get(usize::from(slot)).map_or_else(|| "…".to_owned(), ToString::to_string)
    }

    fn global(&self, global: &Global) -> String {
        match global {
            Global::Players => "players".to_owned(),
            Global::Table => "table".to_owned(),
            Global::Nobody => crate::table::value::NOBODY.to_owned(),
            Global::Data => "data".to_owned(),
            Global::Settings(_) => "settings".to_owned(),
            Global::Zone(definition) => (self.zones)(*definition),
        }
    }

    fn list(&self, list: &[Expr]) -> String {
        self.between(list, ", ", LOWEST_PRECEDENCE)
    }

    fn between(&self, list: &[Expr], sign: &str, around: u8) -> String {
        list.iter().map(|item| self.within(item, around)).collect::<Vec<_>>().join(sign)
    }

    fn joined(&self, parts: &[Expr]) -> String {
        let part = |part: &Expr| match &part.kind {
            ExprKind::Text(text) => text.to_string(),
            ExprKind::Block(Block(statements)) => {
                format!("${{{}}}", statements.iter().map(|one| self.statement(one)).collect::<Vec<_>>().join("; "))
            }
            _ => format!("${{{}}}", self.expression(part)),
        };
        format!("`{}`", parts.iter().map(part).collect::<String>())
    }

    fn call(&self, call: &Call) -> String {
        let name = match self.functions.get(usize::from(call.function)) {
            Some(_) if call.is_super => "super",
            Some(function) => &function.name,
            None => "…",
        };
        format!("{name}({})", self.list(&call.arguments))
    }

    fn word(&self, word: &WordCall) -> String {
        match (word.form, word.arguments.as_slice()) {
            (Callee::Method, [receiver, rest @ ..]) => {
                format!("{}.{}({})", self.within(receiver, HIGHEST_PRECEDENCE), word.name, self.list(rest))
            }
            (Callee::In, [list, value]) => {
                let own = tightness(&ExprKind::Word(word.clone()));
                format!("{} in {}", self.within(value, own + 1), self.within(list, own + 1))
            }
            _ => format!("{}({})", word.name, self.list(&word.arguments)),
        }
    }

    fn function_value(&self, function: &FunctionValue) -> String {
        match function {
            FunctionValue::Named(name) => written_name(name).to_owned(),
            FunctionValue::Closure(parameters, Block(statements)) => {
                let parameters: Vec<String> = parameters.iter().map(|slot| self.name(*slot)).collect();
                let body = match statements.as_slice() {
                    [Statement { kind: StatementKind::Expr(only), is_step: false, .. }] => self.expression(only),
                    // A body in braces is a block statement.
                    [Statement { kind: StatementKind::Block(Block(inner)), .. }] => self.block(inner),
                    statements => self.block(statements),
                };
                format!("|{}| {body}", parameters.join(", "))
            }
        }
    }

    /// Writes statements between braces.
    fn block(&self, statements: &[Statement]) -> String {
        match statements {
            [] => "{}".to_owned(),
            _ => format!("{{ {} }}", statements.iter().map(|one| self.statement(one)).collect::<Vec<_>>().join("; ")),
        }
    }

    /// Writes a statement, without its semicolon.
    pub fn statement(&self, statement: &Statement) -> String {
        let value = |word: &str, value: &Option<Expr>| match value {
            Some(value) => format!("{word} {}", self.expression(value)),
            None => word.to_owned(),
        };
        match &statement.kind {
            StatementKind::Let(slot, of) => format!("let {} = {}", self.name(*slot), self.expression(of)),
            StatementKind::Set { target, operator, value, .. } => {
                let sign = operator.map_or("", |operator| operator.sign());
                format!("{} {sign}= {}", self.target(target), self.expression(value))
            }
            StatementKind::If(condition, then, otherwise) => {
                let head = format!("if {} {}", self.expression(condition), self.block(&then.0));
                match otherwise.0.as_slice() {
                    [] => head,
                    [only @ Statement { kind: StatementKind::If(..), is_step: false, .. }] => {
                        format!("{head} else {}", self.statement(only))
                    }
                    otherwise => format!("{head} else {}", self.block(otherwise)),
                }
            }
            StatementKind::Switch(switch) => self.switch(switch),
            StatementKind::While(Some(condition), body) => {
                format!("while {} {}", self.expression(condition), self.block(&body.0))
            }
            StatementKind::While(None, body) => format!("loop {}", self.block(&body.0)),
            StatementKind::For(each) => {
                let item = match each.counter {
                    Some(counter) => format!("({}, {})", self.name(each.item), self.name(counter)),
                    None => self.name(each.item),
                };
                format!("for {item} in {} {}", self.expression(&each.list), self.block(&each.body.0))
            }
            StatementKind::Break => "break".to_owned(),
            StatementKind::Continue => "continue".to_owned(),
            StatementKind::Return(of) => value("return", of),
            StatementKind::Throw(of) => value("throw", of),
            StatementKind::Expr(expression) => self.expression(expression),
            StatementKind::Block(block) => self.block(&block.0),
        }
    }

    fn target(&self, target: &Target) -> String {
        match target {
            Target::Local(slot, _) => self.name(*slot),
            Target::Property { of, name, .. } => format!("{}.{name}", self.within(of, HIGHEST_PRECEDENCE)),
            Target::Entry(slot, index, _) => format!("{}[{}]", self.name(*slot), self.expression(index)),
            Target::Other(expression) => self.expression(expression),
        }
    }

    fn switch(&self, switch: &Switch) -> String {
        let case = |case: &crate::script::program::Case| {
            let literal = |literal: &Literal| match literal {
                Literal::Number(number) => number.to_string(),
                Literal::Truth(truth) => truth.to_string(),
                Literal::Text(text) => format!("{text:?}"),
            };
            let literals = case.literals.iter().map(literal).collect::<Vec<_>>().join(" | ");
            let condition = case.condition.as_ref().map(|condition| format!(" if {}", self.expression(condition)));
            format!("{literals}{} => {}", condition.unwrap_or_default(), self.expression(&case.value))
        };
        let default = switch.default.iter().map(|default| format!("_ => {}", self.expression(default)));
        let cases: Vec<String> = switch.cases.iter().map(case).chain(default).collect();
        format!("switch {} {{ {} }}", self.expression(&switch.value), cases.join(", "))
    }
}

/// The precedence of an expression, as in the language.
fn tightness(kind: &ExprKind) -> u8 {
    use crate::script::program::Binary::{
        Add, Divide, Equal, Greater, GreaterOrEqual, Less, LessOrEqual, Multiply, Remainder, Subtract, Unequal,
    };
    match kind {
        ExprKind::Or(_) => 1,
        ExprKind::And(_) => 2,
        ExprKind::Binary(Equal | Unequal, _) => 3,
        ExprKind::Word(WordCall { form: Callee::In, .. }) => 4,
        ExprKind::Binary(Less | LessOrEqual | Greater | GreaterOrEqual, _) => 5,
        ExprKind::Range(..) => 6,
        ExprKind::Binary(Add | Subtract, _) => 7,
        ExprKind::Binary(Multiply | Divide | Remainder, _) => 8,
        ExprKind::Not(_) | ExprKind::Negative(_) => UNARY_PRECEDENCE,
        _ => HIGHEST_PRECEDENCE,
    }
}
