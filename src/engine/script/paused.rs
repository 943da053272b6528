//! Inspection of paused rules: their statements, call stack and local variables, and the values of expressions there.
//!
//! Inspection changes nothing: expressions are evaluated on a copy of the table, where nobody can be asked.

use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source};
use crate::script::TYPED_SOURCE;
use crate::script::machine::code::{Code, StatementCode};
use crate::script::machine::compile;
use crate::script::machine::hooks::{Frames, NoHook};
use crate::script::machine::meter::Limits;
use crate::script::machine::run::{Failure, Machine, Stop};
use crate::script::machine::runtime_error::RuntimeError;
use crate::script::machine::value::RegisterValue;
use crate::script::program::{Block, Expr, ExprKind, Function, FunctionId, Part, Program, Statement};
use crate::script::rules::Rules;
use crate::script::sorts::{Sort, sort_needed_error};
use crate::script::tokens::is_in_name;
use crate::sorted::sort_by_key;
use crate::table::Table;
use crate::table::decision::{Halt, NoAnswerer, Play};
use crate::table::event::ScriptPoint;
use crate::table::value::{Seats, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// A statement before which the rules can pause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PauseSite {
    /// Where the statement begins.
    pub at: ScriptPoint,
    /// Index of the function that contains the statement.
    pub function: usize,
    /// The statement that contains the closure around this statement; `None` outside closures.
    pub around: Option<ScriptPoint>,
    /// Whether this is the first statement of its function.
    pub is_first: bool,
}

/// Every statement at which a program can pause, in the order of the scripts.
pub fn sites(program: &Program) -> Vec<PauseSite> {
    let mut sites = Vec::new();
    for (function, code) in program.functions.iter().enumerate() {
        let first = sites.len();
        EnclosingCode { function, around: None, statement: None }.block(&code.body, &mut sites);
        if let Some(site) = sites.get_mut(first) {
            site.is_first = true;
        }
    }
    sort_by_key(&mut sites, |site| site.at);
    sites
}

/// Index in `sites` of the statement that begins at a point; `None` where none does.
pub fn site_at(sites: &[PauseSite], at: ScriptPoint) -> Option<usize> {
    sites.binary_search_by_key(&at, |site| site.at).ok()
}

/// The function, closure and statement around a piece of the program.
#[derive(Clone, Copy)]
struct EnclosingCode {
    function: usize,
    around: Option<ScriptPoint>,
    statement: Option<ScriptPoint>,
}

impl EnclosingCode {
    fn block(self, block: &Block, sites: &mut Vec<PauseSite>) {
        block.0.iter().for_each(|statement| self.statement(statement, sites));
    }

    fn statement(mut self, statement: &Statement, sites: &mut Vec<PauseSite>) {
        if statement.is_step {
            sites.push(PauseSite { at: statement.at, function: self.function, around: self.around, is_first: false });
            self.statement = Some(statement.at);
        }
        statement.parts(&mut |part| self.part(part, sites));
    }

    fn expression(mut self, expression: &Expr, sites: &mut Vec<PauseSite>) {
        if let ExprKind::Function(_) = expression.kind {
            self.around = self.statement;
        }
        expression.parts(&mut |part| self.part(part, sites));
    }

    fn part(self, part: Part<'_>, sites: &mut Vec<PauseSite>) {
        match part {
            Part::Block(block) => self.block(block, sites),
            Part::Expr(expression) => self.expression(expression, sites),
        }
    }
}

/// A call on the call stack: of a function, or of a closure in one.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// Depth of the call's frame in the machine. A closure shares the frame of the function around it.
    pub depth: usize,
    /// Index of the current statement in the list of [`PauseSite`]s.
    pub site: usize,
    /// The current statement in the compiled code.
    pub statement: &'a StatementCode,
}

/// The call stack, the outermost call first.
pub fn calls<'a>(frames: Frames<'a>, sites: &[PauseSite]) -> Vec<Call<'a>> {
    let mut calls = Vec::new();
    for depth in 0..frames.len() {
        let Some((_, function)) = frames.function(depth) else { continue };
        let outermost = calls.len();
        let mut next = frames.statement(depth);
        while let Some(statement) = next
            && let Some(site) = site_at(sites, statement.at)
        {
            calls.push(Call { depth, site, statement });
            let around = sites[site].around;
            next = around.and_then(|at| function.statements.iter().find(|statement| statement.at == at));
        }
        calls[outermost..].reverse();
    }
    calls
}

/// The depth of the call stack: the length of [`calls`], computed faster.
pub fn depth(frames: Frames<'_>, sites: &[PauseSite]) -> usize {
    let of_frame = |depth| {
        let mut count = 0;
        let mut next = frames.statement(depth).map(|statement| statement.at);
        while let Some(at) = next {
            count += 1;
            next = site_at(sites, at).and_then(|site| sites[site].around);
        }
        count
    };
    (0..frames.len()).map(of_frame).sum()
}

/// A local variable with its value as text.
#[derive(Clone, Debug, PartialEq)]
pub struct Local {
    /// The name.
    pub name: String,
    /// The value as text for people.
    pub value: String,
    /// The value as the table holds it; `None` where the table cannot, as for functions and maps.
    pub held: Option<Value>,
}

/// The local variables known at a statement, in the order in which they became known, with their registers. Of
/// variables that hide each other, only the visible one.
fn known<'a>(frames: Frames<'a>, depth: usize, statement: &StatementCode) -> Vec<(&'a str, u16)> {
    let mut known: Vec<(&str, u16)> = Vec::new();
    let Some((_, function)) = frames.function(depth) else { return known };
    for &slot in &statement.known {
        let Some(name) = function.names.get(usize::from(slot)) else { continue };
        match known.iter_mut().find(|(other, _)| **other == **name) {
            Some((_, hidden)) => *hidden = slot,
            None => known.push((name, slot)),
        }
    }
    known
}

/// The local variables known in a call, with their values.
pub fn locals(frames: Frames<'_>, call: &Call<'_>, code: &Code, table: &Table) -> Vec<Local> {
    let known = known(frames, call.depth, call.statement);
    let local = |(name, register): (&str, u16)| {
        let value = frames.register(call.depth, register)?;
        Some(Local {
            name: name.to_owned(),
            value: code.texts.shown(table, value),
            held: code.texts.to_value(value).ok(),
        })
    };
    known.into_iter().filter_map(local).collect()
}

/// The result of an expression that is evaluated while the rules are paused.
#[derive(Clone, Debug, PartialEq)]
pub enum InspectionResult {
    /// A value as text, and which of `true` and `false` it is, if it is one of them.
    Value(String, Option<bool>),
    /// A name in the expression is unknown at this statement; elsewhere it may be known.
    Unknown(Diagnostics),
    /// The expression fails at this statement, and why.
    Fails(Diagnostics),
    /// The evaluation exceeds one of the limits.
    Endless(Diagnostics),
    /// The expression would change the table, which inspection may not do.
    Changes,
}

/// Why a function that was called for inspection gave no value.
pub enum InspectionError {
    /// The call failed.
    Failed(Box<Failure>),
    /// The call would change the table.
    Changes,
}

/// Evaluates functions on a copy of a table, and keeps the copy while the table stays the same.
#[derive(Default)]
pub struct PausedEvaluator {
    copy: Option<(u64, usize, Table)>,
}

impl PausedEvaluator {
    /// Calls a function, and returns its value.
    ///
    /// # Errors
    /// The call fails, or it would change the table.
    pub fn value(
        &mut self,
        code: &Code,
        function: FunctionId,
        arguments: &[RegisterValue],
        table: &Table,
    ) -> Result<RegisterValue, InspectionError> {
        let is_same = |(changes, decisions, _): &(u64, usize, Table)| {
            (*changes, *decisions) == (table.changes(), table.decisions())
        };
        let (_, _, copy) = match self.copy.take().filter(is_same) {
            Some(copy) => self.copy.insert(copy),
            None => {
                let mut copy = table.copy();
                copy.refuse_questions(true);
                self.copy.insert((table.changes(), table.decisions(), copy))
            }
        };
        let mut machine = Machine::new(Limits::default());
        machine.start(code, function, arguments);
        let stop = machine.run(code, &mut Play { table: copy, answers: &mut NoAnswerer }, &mut NoHook, u64::MAX);
        if copy.changes() > 0 {
            self.copy = None;
            return Err(InspectionError::Changes);
        }
        let error = match stop {
            Stop::Returned(value) => return Ok(value),
            Stop::Failed(failure) => return Err(InspectionError::Failed(failure)),
            Stop::Halted(Halt::Limit(reason)) => RuntimeError::Limit(reason),
            // Nobody is asked, nobody watches, and there is only one slice.
            Stop::Halted(_) | Stop::Watched | Stop::Sliced => RuntimeError::Thrown(None),
        };
        self.copy = None;
        Err(InspectionError::Failed(Box::new(Failure { error, calls: Vec::new() })))
    }

    /// The value of some statements of a function whose local variables have these `values`.
    ///
    /// # Errors
    /// The statements fail, or would change the table.
    pub fn body(
        &mut self,
        rules: &Rules,
        function: &Function,
        values: &[RegisterValue],
        body: &Block,
        table: &Table,
    ) -> Result<RegisterValue, InspectionError> {
        let arity = u16::try_from(function.names.len()).unwrap_or(u16::MAX);
        let function = Function { names: function.names.clone(), arity, body: body.clone() };
        let extended = compile::extend(rules.code(), &function, TYPED_SOURCE, rules.functions(), rules.layout());
        let (code, number) = extended.map_err(|excess| {
            let error = RuntimeError::Limit(excess.message);
            InspectionError::Failed(Box::new(Failure { error, calls: Vec::new() }))
        })?;
        let value = self.value(&code, number, values, table)?;
        // The caller knows only the texts of the rules' own code, so a text becomes one of those.
        Ok(match code.texts.text(&value) {
            Some(text) => rules.code().texts.of_text(text),
            None => value,
        })
    }
}

/// An expression that a person typed, to be evaluated wherever the rules pause.
pub struct Expression {
    source: Arc<Source>,
    compiled: Vec<CompiledExpression>,
    /// For each statement at which the expression was evaluated, its meaning there.
    places: HashMap<ScriptPoint, Result<Placed, Diagnostics>>,
}

/// The expression, compiled as a function of some names.
struct CompiledExpression {
    names: Vec<String>,
    code: Arc<Code>,
    function: FunctionId,
}

#[derive(Clone)]
struct Placed {
    /// Index in `Expression::compiled`.
    compiled: usize,
    /// Registers of the first arguments; the `players` follow them.
    registers: Vec<u16>,
    /// The values of `p1`, `p2` and so on, where no local variable has that name.
    players: Vec<RegisterValue>,
}

impl Expression {
    /// Parses an expression that can use the names of any statement.
    ///
    /// # Errors
    /// The expression does not parse.
    pub fn new(rules: &Rules, text: &str) -> Result<Self, Diagnostics> {
        rules.parse(text)?;
        Ok(Self { source: Source::new(TYPED_SOURCE, text), compiled: Vec::new(), places: HashMap::new() })
    }

    /// Checks an expression as somebody types it, like the rules themselves: what can be right at no statement is a
    /// mistake.
    ///
    /// # Errors
    /// The expression does not parse, has a name that no statement of the rules knows, or does what rules may not do.
    pub fn check(rules: &Rules, text: &str) -> Result<(), Diagnostics> {
        rules.check_typed(text).map(drop)
    }

    /// Checks a condition like [`Self::check`].
    ///
    /// # Errors
    /// Those of [`Self::check`], or the value is certainly neither true nor false.
    pub fn check_condition(rules: &Rules, text: &str) -> Result<(), Diagnostics> {
        match rules.check_typed(text)? {
            None | Some(Sort::Truth) => Ok(()),
            Some(other) => {
                let error = match other {
                    Sort::Nothing => Diagnostic::new("a condition is true or false, and this has no value")
                        .help("a condition only looks at the table"),
                    _ => sort_needed_error(Sort::Truth.named(), other),
                };
                let place = Place::new(&Source::new(TYPED_SOURCE, text), 0..text.len(), other.named());
                Err(error.at(place).into())
            }
        }
    }

    /// Evaluates the expression in a call, or outside any call for `None`.
    pub fn evaluate(
        &mut self,
        rules: &Rules,
        looker: &mut PausedEvaluator,
        table: &Table,
        call: Option<(Frames<'_>, usize, &StatementCode)>,
    ) -> InspectionResult {
        let at = call.map_or(ScriptPoint::default(), |(.., statement)| statement.at);
        if !self.places.contains_key(&at) {
            let placed = self.compile_at(rules, call);
            self.places.insert(at, placed);
        }
        let nowhere = || InspectionResult::Fails(Diagnostic::new("it was read nowhere").into());
        let placed = match self.places.get(&at) {
            Some(Ok(placed)) => placed,
            Some(Err(why)) => return InspectionResult::Fails(why.clone()),
            None => return nowhere(),
        };
        let Some(compiled) = self.compiled.get(placed.compiled) else { return nowhere() };
        let register = |&register: &u16| {
            let (frames, depth, _) = call?;
            frames.register(depth, register).cloned()
        };
        let known = placed.registers.iter().map(|number| register(number).unwrap_or_default());
        let arguments: Vec<RegisterValue> = known.chain(placed.players.iter().cloned()).collect();
        match looker.value(&compiled.code, compiled.function, &arguments, table) {
            Ok(value) => InspectionResult::Value(compiled.code.texts.shown(table, &value), value.as_truth()),
            Err(InspectionError::Changes) => InspectionResult::Changes,
            Err(InspectionError::Failed(failure)) => {
                let why = rules.failure_diagnostic(&failure, Some(&self.source)).into();
                match (&failure.error, failure.calls.len()) {
                    (RuntimeError::UnknownName(_), 0 | 1) => InspectionResult::Unknown(why),
                    (RuntimeError::Limit(_), _) => InspectionResult::Endless(why),
                    _ => InspectionResult::Fails(why),
                }
            }
        }
    }

    /// Whether the expression has names of local variables at a statement; false before it was evaluated there.
    pub fn has_names_of(&self, at: ScriptPoint) -> bool {
        matches!(self.places.get(&at), Some(Ok(placed)) if !placed.registers.is_empty())
    }

    /// The meaning of the expression at a statement; compiles it if needed.
    fn compile_at(
        &mut self,
        rules: &Rules,
        call: Option<(Frames<'_>, usize, &StatementCode)>,
    ) -> Result<Placed, Diagnostics> {
        let known = call.map_or_else(Vec::new, |(frames, depth, statement)| known(frames, depth, statement));
        let (mut names, mut registers, mut players) = (Vec::new(), Vec::new(), Vec::new());
        for (name, register) in known.into_iter().filter(|(name, _)| mentions(&self.source.text, name)) {
            names.push(name.to_owned());
            registers.push(register);
        }
        for seat in Seats::all(rules.layout().seats) {
            let name = seat.to_string();
            if !names.contains(&name) {
                names.push(name);
                players.push(RegisterValue::player(seat));
            }
        }
        let compiled = match self.compiled.iter().position(|compiled| compiled.names == names) {
            Some(compiled) => compiled,
            None => {
                let (code, function) = rules.compiled(&self.source.text, &names)?;
                self.compiled.push(CompiledExpression { names, code: Arc::new(code), function });
                self.compiled.len() - 1
            }
        };
        Ok(Placed { compiled, registers, players })
    }
}

/// Whether a name occurs in a text as a whole word, perhaps with another meaning.
fn mentions(text: &str, name: &str) -> bool {
    let is_letter = |letter: Option<char>| letter.is_some_and(is_in_name);
    text.match_indices(name).any(|(start, _)| {
        !is_letter(text[..start].chars().next_back()) && !is_letter(text[start + name.len()..].chars().next())
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::games::small;

    const GAME: &str = "id = 'small'\nname = 'Small'\nplayers = { min = 2, max = 2 }\n[text]\nx = 'x'\ny = 'y'\n";

    /// Rules for two players.
    #[track_caller]
    fn rules(script: &str) -> Rules {
        let rules = Rules::new(small(GAME, script, &[], &[]), 2, Arc::default());
        rules.unwrap_or_else(|errors| panic!("{script}: {}", errors[0].message))
    }

    /// Asserts that stepping through a function `score` with this body stops at each `◆`, and nowhere else.
    #[track_caller]
    fn assert_stops(body: &str) {
        let script = format!("fn game() {{ ◆for p in players {{ ◆score(p); }} }}\nfn score(p) {{ {body} }}\n");
        let mut expected = Vec::new();
        for (line, text) in (1..).zip(script.lines()) {
            let marks = text.chars().enumerate().filter(|(_, letter)| *letter == '◆');
            let columns = marks.enumerate().map(|(before, (column, _))| column + 1 - before);
            expected.extend(columns.map(|column| ScriptPoint { line, column: column as u16 }));
        }
        let rules = rules(&script.replace('◆', ""));
        let stops: Vec<ScriptPoint> = sites(rules.program()).iter().map(|site| site.at).collect();
        assert_eq!(stops, expected, "{body}");
    }

    #[test]
    fn whoever_steps_stops_where_statements_begin() {
        for body in [
            "◆p.award(1, \"x\");",
            "◆let a = 1; ◆a += 1; ◆p.award(a, \"x\");",
            "◆-p.number",
            "◆!(p == players.first)",
            "◆(p.number + 1) * 2",
            "◆((p.number)) + 1",
            "◆p.number + 1 == 2 && p == p.next",
            "◆p in players",
            "◆let few = [1]; ◆few[0] += 1; ◆few.push(3); ◆few",
            "◆return p.number;",
            "◆p.award(1, \"x\"); // あ; b\n    ◆p.award(2 /* { */, \"y\");",
            "◆p\n        .award(1, \"x\");",
        ] {
            assert_stops(body);
        }
    }

    #[test]
    fn whoever_steps_goes_into_blocks_cases_and_functions_without_a_name() {
        for body in [
            "◆if p.number == 1 { ◆p.award(1, \"x\"); } else if p.number == 2 { ◆p.award(2, \"x\"); } else { ◆return; }",
            "◆let n = if p.number == 1 { ◆1 } else { ◆-2 }; ◆p.award(n, \"x\");",
            "◆let n = 0; ◆while n < 3 { ◆n += 1; ◆if n == 2 { ◆break; } ◆continue; }",
            "◆for q in players { ◆for n in 0..2 { ◆q.award(n, \"x\"); } }",
            "◆switch p.number { 1 => p.award(1, \"x\"), 2 => { ◆let n = 2; ◆p.award(n, \"x\"); } _ => { ◆return; } }",
            "◆let few = players.where(|q| q != p); ◆p.award(few.len, \"x\");",
            "◆players.for_each(|q| { ◆let n = q.number; ◆q.award(n + p.number, \"x\"); });",
            "◆players.for_each(|q| players.for_each(|r| { ◆r.award(q.number, \"x\"); }));",
        ] {
            assert_stops(body);
        }
    }

    #[test]
    fn every_site_knows_its_function_and_what_it_stands_in() {
        let script = "fn game() {\n  let a = 1;\n  for p in players { score(p, a); }\n}\n\
                      fn score(p, n) {\n  players.for_each(|q| {\n    let m = n;\n    q.award(m, \"x\");\n  });\n}\n";
        let sites = sites(rules(script).program());
        let told: Vec<(u16, usize, Option<u16>, bool)> = sites
            .iter()
            .map(|site| (site.at.line, site.function, site.around.map(|around| around.line), site.is_first))
            .collect();
        let expected = [
            (2, 0, None, true),
            (3, 0, None, false),
            (3, 0, None, false),
            (6, 1, None, true),
            (7, 1, Some(6), false),
            (8, 1, Some(6), false),
        ];
        assert_eq!(told, expected);
        assert!((0..sites.len()).all(|number| site_at(&sites, sites[number].at) == Some(number)));
        assert_eq!(site_at(&sites, ScriptPoint { line: 1, column: 1 }), None);
    }

    #[test]
    fn an_expression_is_worked_out_on_a_copy_where_nobody_is_asked() {
        let rules = rules("fn game() { players.first.award(3, \"x\"); }");
        let table = Table::new(rules.layout().clone(), 0);
        let see = |text: &str| {
            Expression::new(&rules, text).unwrap().evaluate(&rules, &mut PausedEvaluator::default(), &table, None)
        };
        assert_eq!(see("p2.number + 1"), InspectionResult::Value("3".to_owned(), None));
        assert_eq!(see("p1 != p2"), InspectionResult::Value("true".to_owned(), Some(true)));
        assert!(matches!(see("q.number"), InspectionResult::Unknown(why) if why.first().message.contains("`q`")));
        assert!(
            matches!(see("1 / (p1.number - 1)"), InspectionResult::Fails(why) if why.first().message.contains("division by zero"))
        );
        assert!(
            matches!(see("p1.may(\"x\")"), InspectionResult::Fails(why) if why.first().message.contains("nobody plays"))
        );
        assert!(matches!(see("loop {}"), InspectionResult::Endless(_)));
        assert_eq!(see("p1.award(1, \"x\")"), InspectionResult::Changes);
        assert_eq!(table.score(Seats::all(2).into_iter().next().unwrap()), 0);
    }

    #[test]
    fn names_are_found_as_whole_words() {
        assert!(mentions("p.hand", "p") && mentions("(card)", "card") && mentions("a+card", "card"));
        assert!(!mentions("players.len", "p") && !mentions("card2", "card") && !mentions("my_card", "card"));
    }
}
