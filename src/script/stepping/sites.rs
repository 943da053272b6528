//! Where the statements of scripts stand, and a copy of the scripts with a mark before each.
//!
//! The interpreter has no place for somebody who watches without slowing everybody down, so the watched rules are
//! another text: `at__([12, p, card]);` before a statement tells its number and what is known there. The marks stand in
//! the statement's own line; only columns move, and [`Marked::original`] moves them back.

use super::tree::{Body, bodies, closure};
use crate::ruleset::Ruleset;
use crate::script::layering::{FunctionInfo, SEPARATOR};
use crate::script::syntax::script_point;
use crate::table::event::ScriptPoint;
use rhai::{AST, Expr, FnCallExpr, Position, Stmt, Token};
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
        for ((name, arity), body) in bodies(ast) {
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
            && starts_at(self.tokens, &self.places, first_of(statement)) == Some(site.at)
        {
            site.entry = true;
        }
    }

    fn statements(&mut self, statements: &[Stmt], within: Within) {
        let outside = self.locals.len();
        for statement in statements {
            if let Some(at) = starts_at(self.tokens, &self.places, first_of(statement)) {
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

/// Where the first name or value of a statement stands: the tree puts an operator before what it works on.
fn first_of(statement: &Stmt) -> Position {
    match statement {
        Stmt::Expr(expression) => first_in(expression),
        Stmt::Assignment(parts) => first_in(&parts.1.lhs),
        Stmt::FnCall(call, at) => first_in_call(call, *at),
        other => other.position(),
    }
}

fn first_in(expression: &Expr) -> Position {
    match expression {
        Expr::FnCall(call, at) => first_in_call(call, *at),
        Expr::Dot(pair, ..) | Expr::Index(pair, ..) => first_in(&pair.lhs),
        Expr::And(list, at) | Expr::Or(list, at) | Expr::Coalesce(list, at) => list.first().map_or(*at, first_in),
        other => other.position(),
    }
}

/// `a in b` is a call too, with its operands the other way round.
fn first_in_call(call: &FnCallExpr, at: Position) -> Position {
    let is_operator = call.is_operator_call() || call.name == "contains";
    call.args.iter().filter(|_| is_operator).map(first_in).fold(at, Position::min)
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

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::definition::Library;
    use crate::ruleset::{MAX_LINES, Selection};
    use crate::script::Interpreter;
    use crate::script::layering::tokens_of;
    use crate::script::stepping::Stepper;
    use std::sync::Arc;

    const GAME: &str = "id = 'small'\nname = 'Small'\nplayers = { min = 2, max = 2 }\n";

    /// A game of two players with a script, and perhaps a variant of it.
    fn ruleset(script: &str, variant: Option<&str>) -> Arc<Ruleset> {
        let folder = tempfile::tempdir().unwrap();
        let game = folder.path().join("games/small");
        std::fs::create_dir_all(&game).unwrap();
        std::fs::write(game.join("game.toml"), GAME).unwrap();
        std::fs::write(game.join("rules.rhai"), script).unwrap();
        let mut variants = Vec::new();
        if let Some(script) = variant {
            let path = folder.path().join("over.toml");
            let text = format!("id = 'over'\ngame = 'small'\nname = 'Over'\n[script]\nrhai = '''\n{script}\n'''\n");
            std::fs::write(&path, text).unwrap();
            variants.push(path.to_str().unwrap().to_owned());
        }
        let selection = Selection { game: "small".to_owned(), variants, set: Vec::new() };
        Arc::new(Ruleset::load(&Library::new(vec![folder.path().to_owned()]), &selection).unwrap())
    }

    fn marked(script: &str, variant: Option<&str>) -> Marked {
        let ruleset = ruleset(script, variant);
        let rules = Interpreter::new(ruleset.clone(), 2, Arc::default()).unwrap();
        // Whatever is marked has to be a script again.
        Stepper::new(ruleset.clone(), 2, Arc::default()).unwrap();
        let tokens = tokens_of(&rules.engine, &rules.tap, &ruleset);
        Marked::new(&rules.ast, &rules.functions, &ruleset, &tokens)
    }

    /// A text with `◆` for each mark.
    fn drawn(text: &str) -> String {
        let mut drawn = String::new();
        let mut rest = text;
        while let Some((before, mark)) = rest.split_once(MARK) {
            drawn.push_str(before);
            drawn.push('◆');
            rest = mark.split_once("]); ").unwrap().1;
        }
        drawn + rest
    }

    /// The marks in a script after a function that is needed.
    #[track_caller]
    fn assert_marks(expected: &str) {
        let game = "fn game() { ◆for p in players { ◆score(p); } }\n";
        let expected = if expected.contains("fn game()") { expected.to_owned() } else { format!("{game}{expected}") };
        let marked = marked(&expected.replace('◆', ""), None);
        assert_eq!(drawn(&marked.texts[0]), expected);
        assert_eq!(marked.sites.len(), expected.matches('◆').count());
    }

    /// The only function beside `game`.
    fn body(text: &str) -> String {
        format!("fn score(p) {{ {text} }}\n")
    }

    #[test]
    fn marks_stand_where_statements_begin() {
        for text in [
            "◆p.award(1, \"x\");",
            "◆let a = 1; ◆a += 1; ◆p.award(a, \"x\");",
            "◆-p.number",
            "◆-(p.number + 1)",
            "◆!(p == players.first)",
            "◆(p.number + 1) * 2",
            "◆((p.number)) + 1",
            "◆[p, p.next].for_each(|q| q.award(1, \"x\"));",
            "◆p.number + p.next.number",
            "◆p.number + 1 == 2 && p == p.next",
            "◆p in players",
            "◆(1 + 2).max(2)",
            "◆let few = [1]; ◆few[0] += 1; ◆few += 2; ◆few.push(3);",
            "◆return;",
            "◆return p.number;",
            "◆score2(p.number, p); } fn score2(n, p) { ◆p.award(n, \"x\");",
        ] {
            assert_marks(&body(text));
        }
    }

    #[test]
    fn blocks_are_gone_into_and_the_if_behind_an_else_is_none_of_its_own() {
        for text in [
            "◆if p.number == 1 { ◆p.award(1, \"x\"); } else if p.number == 2 { ◆p.award(2, \"x\"); } else { ◆return; }",
            "◆let n = if p.number == 1 { ◆1 } else { ◆-2 }; ◆p.award(n, \"x\");",
            "◆p.award(if p.number == 1 { ◆let n = 2; ◆n } else { ◆3 }, \"x\");",
            "◆let n = 0; ◆while n < 3 { ◆n += 1; ◆if n == 2 { ◆break; } ◆continue; }",
            "◆let n = 0; ◆loop { ◆n += 1; ◆if n > 2 { ◆break; } }",
            "◆let n = 0; ◆while n < 3 { ◆n += 1; } ◆p.award(n, \"x\");",
            "◆for q in players { ◆for n in 0..2 { ◆q.award(n, \"x\"); } }",
            "◆{ ◆let n = 1; ◆p.award(n, \"x\"); }",
        ] {
            assert_marks(&body(text));
        }
    }

    #[test]
    fn arms_are_marked_where_they_hold_statements() {
        assert_marks(&body(
            "◆switch p.number { 1 => p.award(1, \"x\"), 2 => { ◆let n = 2; ◆p.award(n, \"x\"); } _ => { ◆return; } }",
        ));
        assert_marks(&body(
            "◆let n = switch p.number { 1 => 2, 2 if p == p.next => { ◆-3 } _ => 4 }; ◆p.award(n, \"x\");",
        ));
    }

    #[test]
    fn closures_are_marked_where_they_hold_statements() {
        assert_marks(&body("◆let few = players.where(|q| q != p); ◆p.award(few.len, \"x\");"));
        assert_marks(&body("◆let few = players.where(|q| -q.number < 0); ◆p.award(few.len, \"x\");"));
        assert_marks(&body("◆players.for_each(|q| { ◆let n = q.number; ◆q.award(n + p.number, \"x\"); });"));
        assert_marks(&body("◆players.for_each(|q| players.for_each(|r| { ◆r.award(q.number, \"x\"); }));"));
        assert_marks(&body("◆if players.any(|q| { ◆q == p }) { ◆p.award(1, \"x\"); }"));
    }

    #[test]
    fn lines_comments_and_wide_letters_do_not_move_marks() {
        assert_marks(
            "fn score(p) {\n    ◆let a = 1; ◆let b = 2; // let c = 3;\n\t◆p.award(a /* ; { */ + b, \"x\");\n}\n",
        );
        assert_marks(
            "fn score(p) {\n    ◆p.award(1, \"あいう; { 東\"); ◆p.award(2, \"😀\"); /* 東 */ ◆p.award(3, \"x\");\n}\n",
        );
        assert_marks("fn score(p) {\n    ◆p.award(1, \"x\");\n    ◆p\n        .award(2, \"x\");\n}\n");
    }

    #[test]
    fn names_in_texts_go_on_to_be_read() {
        let text = body("◆p.award(1, `a ${p.number} b`); ◆p.award(2, `${if p.number == 1 { \"x\" } else { \"y\" }}`);");
        let marked =
            marked(&format!("fn game() {{ for p in players {{ score(p); }} }}\n{}", text.replace('◆', "")), None);
        let line = marked.texts[0].lines().nth(1).unwrap();
        let drawn = drawn(line);
        assert!(drawn.starts_with("fn score(p) { ◆p.award(1, `a ${"), "{drawn}");
        assert_eq!(drawn.replace('◆', ""), text.replace('◆', "").trim_end());
    }

    #[test]
    fn every_site_knows_its_function_and_its_names() {
        let marked = marked(
            "fn game() {\n  let a = 1;\n  let b = a;\n  for p in players { let a = p; score(a, b); }\n  let c = 0;\n}\n\
             fn score(p, n) {\n  players.for_each(|q| {\n    let m = n;\n    q.award(m, \"x\");\n  });\n  if n > 1 { let k = 1; }\n}\n",
            None,
        );
        let told: Vec<(u16, usize, bool, bool, String)> = marked
            .sites
            .iter()
            .map(|site| (site.at.line, site.function, site.in_closure, site.entry, site.locals.join(" ")))
            .collect();
        let expected = [
            (2, 0, false, true, ""),
            (3, 0, false, false, "a"),
            (4, 0, false, false, "a b"),
            (4, 0, false, false, "a b p"),
            (4, 0, false, false, "a b p"),
            (5, 0, false, false, "a b"),
            (8, 1, false, true, "p n"),
            (9, 1, true, true, "n q"),
            (10, 1, true, false, "n q m"),
            (12, 1, false, false, "p n"),
            (12, 1, false, false, "p n"),
        ];
        let expected =
            expected.map(|(line, function, inside, entry, names)| (line, function, inside, entry, names.to_owned()));
        assert_eq!(told, expected);
    }

    #[test]
    fn every_layer_is_marked_in_its_own_text() {
        let marked = marked(
            "fn game() { for p in players { score(p); } }\nfn score(p) { p.award(1, \"x\"); }\n",
            Some("fn score(p) { super(p); p.award(2, \"y\"); }"),
        );
        assert_eq!(drawn(&marked.texts[0]).matches('◆').count(), 3);
        assert_eq!(drawn(&marked.texts[1]).trim(), "fn score(p) { ◆super(p); ◆p.award(2, \"y\"); }");
        let functions: Vec<usize> = marked.sites.iter().map(|site| site.function).collect();
        assert_eq!(functions, [0, 0, 1, 2, 2]);
    }

    #[test]
    fn columns_are_moved_back_over_every_mark() {
        let script = "fn game() { for p in players { score(p); } }\n\
                      fn score(p) { let 大 = \"東\"; -p.number; p.award(1, 大); (p.number + 1) * 2 }\n";
        let script = script.replace('大', "a");
        let marked = marked(&script, None);
        for (number, (before, after)) in script.lines().zip(marked.texts[0].lines()).enumerate() {
            let line = number as u16 + 1;
            // Every letter of the script that stands behind marks is found where it was.
            let mut column = 0;
            let mut rest = after;
            for (letter, written) in before.chars().zip(1..) {
                while rest.starts_with(MARK) {
                    let mark = rest.split_once("]); ").unwrap().0.chars().count() + 4;
                    column += mark;
                    rest = &rest[mark..];
                }
                column += 1;
                assert!(rest.starts_with(letter));
                rest = &rest[letter.len_utf8()..];
                let at = marked.original(ScriptPoint { line, column: column as u16 });
                assert_eq!((at.line, at.column), (line, written), "{before}");
            }
        }
        let elsewhere = ScriptPoint { line: MAX_LINES as u16, column: 7 };
        assert_eq!(marked.original(elsewhere), elsewhere);
    }
}
