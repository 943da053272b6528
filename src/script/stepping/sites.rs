//! Where the statements of scripts stand, and a copy of the scripts with a mark before each.
//!
//! The interpreter has no place for somebody who watches without slowing everybody down, so the watched rules are
//! another text: `at__([12, p, card]);` before a statement tells its number and what is known there. The marks stand in
//! the statement's own line; only columns move, and [`Marked::column_of`] moves them back.

use crate::ruleset::Ruleset;
use crate::script::check::{self, Body, closure};
use crate::script::layering::{FunctionInfo, SEPARATOR};
use crate::script::vocabulary::script_point;
use crate::table::event::ScriptPoint;
use rhai::{AST, Expr, Position, Stmt, Token};
use std::collections::{BTreeMap, HashMap};

/// The function that marks call. No script can have it: its name belongs to the host.
pub(in crate::script) const MARK: &str = "at__";

/// A statement of the scripts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Where it begins.
    pub at: ScriptPoint,
    /// The function that it stands in, by its number.
    pub function: usize,
    /// Whether it stands in a function without a name inside that function.
    pub in_closure: bool,
    /// Whether it is the first statement of its function.
    pub entry: bool,
    /// The names that are known there, as the mark tells their values.
    pub locals: Vec<String>,
}

/// Scripts with a mark before each statement.
pub(super) struct Marked {
    pub(super) sites: Vec<Site>,
    /// One text for each script of the ruleset.
    pub(super) texts: Vec<String>,
    /// For each joined line with marks the columns before which they stand, with their lengths.
    shifts: BTreeMap<u16, Vec<(usize, usize)>>,
}

impl Marked {
    /// Marks every statement of a flat tree; `tokens` are those of all scripts.
    pub(super) fn new(ast: &AST, functions: &[FunctionInfo], ruleset: &Ruleset, tokens: &[(Token, Position)]) -> Self {
        let places = tokens.iter().enumerate().map(|(index, (_, at))| (*at, index)).collect();
        let mut finder = Finder { functions, tokens, places, sites: Vec::new(), locals: Vec::new() };
        for ((name, arity), body) in check::bodies(ast) {
            finder.body(&name, arity, &body);
        }
        let mut sites = finder.sites;
        sites.sort_by_key(|site| site.at);
        sites.dedup_by_key(|site| site.at);
        let mut marks: BTreeMap<u16, Vec<(usize, String)>> = BTreeMap::new();
        for (number, site) in sites.iter().enumerate() {
            let given: Vec<&str> = site.locals.iter().map(String::as_str).collect();
            let mark = format!("{MARK}([{}]); ", [&[number.to_string().as_str()], &given[..]].concat().join(", "));
            marks.entry(site.at.line).or_default().push((usize::from(site.at.column), mark));
        }
        let texts = ruleset.scripts.iter().map(|script| {
            let lines = script.script.text.split_inclusive('\n').zip(script.lines_before + 1..);
            lines.map(|(line, number)| with_marks(line, marks.get(&(number as u16)))).collect()
        });
        let texts = texts.collect();
        let lengths =
            |marks: Vec<(usize, String)>| marks.into_iter().map(|(column, mark)| (column, mark.len())).collect();
        Self { sites, texts, shifts: marks.into_iter().map(|(line, marks)| (line, lengths(marks))).collect() }
    }

    /// A point of the marked scripts, in the scripts as they were written.
    pub(super) fn original(&self, point: ScriptPoint) -> ScriptPoint {
        let mut column = usize::from(point.column);
        for (before, length) in self.shifts.get(&point.line).into_iter().flatten() {
            if column < before + length {
                break;
            }
            column -= length;
        }
        ScriptPoint { column: column as u16, ..point }
    }
}

/// A line with marks before some of its columns, which count characters from 1.
fn with_marks(line: &str, marks: Option<&Vec<(usize, String)>>) -> String {
    let mut marked = String::with_capacity(line.len());
    let mut marks = marks.into_iter().flatten().peekable();
    for (letter, column) in line.chars().zip(1..) {
        while let Some((_, mark)) = marks.next_if(|(before, _)| *before == column) {
            marked.push_str(mark);
        }
        marked.push(letter);
    }
    marked
}

/// Goes through functions and notes their statements.
struct Finder<'a> {
    functions: &'a [FunctionInfo],
    tokens: &'a [(Token, Position)],
    places: HashMap<Position, usize>,
    sites: Vec<Site>,
    locals: Vec<String>,
}

/// Where the statements being read stand.
#[derive(Clone, Copy)]
struct Within {
    function: usize,
    in_closure: bool,
}

impl Finder<'_> {
    fn body(&mut self, name: &str, arity: usize, body: &Body) {
        let named = self.functions.iter().position(|known| known.flat_name == name && known.parameters.len() == arity);
        // A function without a name belongs to the one that it stands in.
        let around = || {
            let line = script_point(body.statements.first()?.position()).line;
            self.functions.iter().position(|known| known.at.line <= line && line <= known.last_line)
        };
        let Some(function) = named.or_else(around) else { return };
        let first = self.sites.len();
        self.locals.clone_from(&body.parameters);
        self.statements(&body.statements, Within { function, in_closure: named.is_none() });
        if let (Some(site), Some(statement)) = (self.sites.get_mut(first), body.statements.first())
            && starts_at(self.tokens, &self.places, statement.position()) == Some(site.at)
        {
            site.entry = true;
        }
    }

    fn statements(&mut self, statements: &[Stmt], within: Within) {
        let outside = self.locals.len();
        for statement in statements {
            if let Some(at) = starts_at(self.tokens, &self.places, statement.position()) {
                // Of a name that was given twice, the later value is the one that is known.
                let mut locals: Vec<String> = Vec::new();
                for name in self.locals.iter().filter(|name| !name.contains(SEPARATOR)) {
                    if !locals.contains(name) {
                        locals.push(name.clone());
                    }
                }
                let Within { function, in_closure } = within;
                self.sites.push(Site { at, function, in_closure, entry: false, locals });
            }
            self.statement(statement, within);
        }
        self.locals.truncate(outside);
    }

    fn statement(&mut self, statement: &Stmt, within: Within) {
        match statement {
            Stmt::If(flow, _) => {
                self.expression(&flow.expr, within);
                self.statements(flow.body.statements(), within);
                self.statements(flow.branch.statements(), within);
            }
            Stmt::While(flow, _) | Stmt::Do(flow, ..) => {
                self.expression(&flow.expr, within);
                self.statements(flow.body.statements(), within);
            }
            Stmt::Switch(switch, _) => {
                self.expression(&switch.0, within);
                for case in &switch.1.expressions {
                    self.expression(&case.lhs, within);
                    self.expression(&case.rhs, within);
                }
            }
            Stmt::For(parts, _) => {
                let (item, counter, flow) = &**parts;
                self.expression(&flow.expr, within);
                let outside = self.locals.len();
                self.locals.push(item.name.to_string());
                self.locals.extend(counter.iter().map(|counter| counter.name.to_string()));
                self.statements(flow.body.statements(), within);
                self.locals.truncate(outside);
            }
            Stmt::Var(parts, ..) => {
                self.expression(&parts.1, within);
                self.locals.push(parts.0.name.to_string());
            }
            Stmt::Assignment(parts) => {
                self.expression(&parts.1.lhs, within);
                self.expression(&parts.1.rhs, within);
            }
            Stmt::FnCall(call, _) => call.args.iter().for_each(|argument| self.expression(argument, within)),
            Stmt::Block(block) => self.statements(block.statements(), within),
            Stmt::Expr(expression) => self.expression(expression, within),
            Stmt::BreakLoop(Some(expression), ..) | Stmt::Return(Some(expression), ..) => {
                self.expression(expression, within);
            }
            _ => {}
        }
    }

    /// Statements can stand inside expressions: `let x = if … { … }`.
    fn expression(&mut self, expression: &Expr, within: Within) {
        match expression {
            Expr::FnCall(call, _) | Expr::MethodCall(call, _) => {
                call.args.iter().for_each(|argument| self.expression(argument, within));
            }
            Expr::Dot(pair, ..) | Expr::Index(pair, ..) => {
                self.expression(&pair.lhs, within);
                self.expression(&pair.rhs, within);
            }
            Expr::And(list, _) | Expr::Or(list, _) | Expr::Coalesce(list, _) => {
                list.iter().for_each(|item| self.expression(item, within));
            }
            Expr::InterpolatedString(list, _) | Expr::Array(list, _) => {
                list.iter().for_each(|item| self.expression(item, within));
            }
            // What a function captures is written like statements, and is none.
            Expr::Stmt(block) if closure(expression).is_none() => self.statements(block.statements(), within),
            _ => {}
        }
    }
}

/// Where the text of a statement begins whose tree says that it stands at a position: the tree leaves out brackets and
/// signs before it. Nothing where a mark cannot stand: a function's body or a case that is one bare expression, the `if`
/// behind an `else`.
fn starts_at(tokens: &[(Token, Position)], places: &HashMap<Position, usize>, at: Position) -> Option<ScriptPoint> {
    let mut first = *places.get(&at)?;
    loop {
        let before = first.checked_sub(1)?;
        match &tokens[before].0 {
            Token::LeftBrace | Token::RightBrace | Token::SemiColon => return Some(script_point(tokens[first].1)),
            Token::LeftParen | Token::LeftBracket | Token::Bang | Token::Minus | Token::UnaryMinus | Token::Plus => {
                first = before;
            }
            _ => return None,
        }
    }
}
