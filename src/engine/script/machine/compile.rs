//! From a program to steps.
//!
//! Local names are registers of the same number as their slot; what a word or operator needs in between stands in the
//! registers behind them. An expression writes the register of its value as the last thing it does, so that a name can
//! be set from an expression that uses it. Arguments are worked out from left to right.

use super::code::{
    CONSTANT, CallSite, Code, Comparison, ConditionCode, Forms, FunctionCode, Getter, LookingWord, LoopKind,
    MAX_ARGUMENTS, Operand, Place, PropertySite, Question, Register, SORTS, StatementCode, Step, Walk, WordSite,
};
use super::live::LiveRegisters;
use super::run::worked_out;
use super::trouble::Trouble;
use super::value::{Texts, V};
use super::words::{Arguments, Native, natives};
use crate::script::layering::FunctionInfo;
use crate::script::program::{
    Binary, Block, Call, Callee, Expr, ExprKind, For, Function, FunctionId, FunctionValue, Global, Literal, Piece,
    Program, Slot, Statement, StatementKind, Switch, Target, WordCall,
};
use crate::script::sorts::Sort;
use crate::table::decision::{Nobody, Play};
use crate::table::event::ScriptPoint;
use crate::table::layout::Layout;
use crate::table::value::{Seat, Seats, Zones};
use crate::table::{Fault, Table};
use crate::work::Work;
use std::collections::HashMap;
use std::sync::Arc;

/// What a unit is worth at least, in moves from one register to another.
const EFFORT_OF_A_UNIT: usize = 32;

/// Properties of data, players and seats that are the same in every game of so many players, whatever lies on the table.
const NEVER_CHANGES: [&str; 8] = ["first", "is_empty", "last", "len", "next", "number", "previous", "reversed"];

/// What cannot be compiled, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excess {
    /// What there is too much of.
    pub message: String,
    /// Where.
    pub at: ScriptPoint,
}

type Done<T> = Result<T, Excess>;

/// Compiles the functions of a program for tables of a layout. Where somebody stops the work, some are left out.
///
/// # Errors
/// A function that is too large, or too many of something.
pub fn compile(
    program: &Program,
    functions: &[FunctionInfo],
    layout: &Arc<Layout>,
    work: &Work,
) -> Result<Code, Excess> {
    let words = natives();
    let mut code = Code {
        operators: Binary::ALL.iter().map(|operator| words.forms(operator.sign(), 2)).collect(),
        entries: Some(words.forms("[]", 2)),
        to_text: Some(words.forms("to_string", 1)),
        texts: Texts::new(layout),
        ..Code::default()
    };
    for word in &layout.words {
        let known = code.texts.add(word);
        code.attribute_words.push(V::known(known));
    }
    let mut compiler = Compiler::new(code, functions, layout);
    let asks_first = asks_first(program, functions, layout);
    for (function, info) in program.functions.iter().zip(functions) {
        if work.is_stopped() {
            break;
        }
        compiler.asks_settings = asks_first && function.arity == 0 && info.answers_to(GAME);
        let compiled = compiler.function(function, &info.name)?;
        compiler.code.functions.push(Arc::new(compiled));
    }
    Ok(compiler.code)
}

/// The function that is the whole game.
const GAME: &str = "game";

/// The word that asks for settings.
pub const ASK_SETTINGS: &str = "ask_settings";

/// Whether settings are asked for before the game begins: there are such, and no function that `game()` comes to asks for
/// them.
pub fn asks_first(program: &Program, functions: &[FunctionInfo], layout: &Layout) -> bool {
    if layout.definition.asked.is_empty() {
        return false;
    }
    let called = |name: &str| -> Vec<usize> {
        (0..functions.len()).filter(|&function| functions[function].answers_to(name)).collect()
    };
    let mut open = called(GAME);
    let mut is_met = vec![false; functions.len()];
    let mut asks = false;
    while let Some(function) = open.pop() {
        let Some(body) = program.functions.get(function).map(|function| &function.body) else { continue };
        if std::mem::replace(&mut is_met[function], true) {
            continue;
        }
        body.walk(&mut |piece| {
            let Piece::Expr(expr) = piece else { return };
            match &expr.kind {
                ExprKind::Word(call) => asks |= &*call.name == ASK_SETTINGS,
                ExprKind::Call(call) => open.push(usize::from(call.function)),
                ExprKind::Function(function) => {
                    if let FunctionValue::Named(name) = &**function {
                        open.extend(called(name));
                    }
                }
                _ => {}
            }
        });
    }
    !asks
}

/// The same rules with one more function, such as an expression that a person typed; gives its number.
///
/// # Errors
/// As [`compile`].
pub fn extend(
    code: &Code,
    function: &Function,
    name: &str,
    functions: &[FunctionInfo],
    layout: &Arc<Layout>,
) -> Result<(Code, FunctionId), Excess> {
    let mut compiler = Compiler::new(code.clone(), functions, layout);
    let compiled = compiler.function(function, name)?;
    let number = compiler.code.functions.len() as FunctionId;
    compiler.code.functions.push(Arc::new(compiled));
    Ok((compiler.code, number))
}

struct Compiler<'a> {
    functions: &'a [FunctionInfo],
    layout: &'a Arc<Layout>,
    /// A table with nothing on it, for what does not depend on one.
    probe: Table,
    code: Code,
    constants: HashMap<Simple, Operand>,
    properties: HashMap<Arc<str>, u16>,
    // Of the function that is being compiled.
    /// Whether it asks for settings before anything else.
    asks_settings: bool,
    steps: Vec<Step>,
    points: Vec<ScriptPoint>,
    statements: Vec<(Place, StatementCode)>,
    conditions: Vec<ConditionCode>,
    /// The slots that are set after they have begun.
    changed: Vec<bool>,
    /// The sorts of slots that are never set again, where they are certain.
    sorts: Vec<Option<Sort>>,
    scope: Vec<Slot>,
    next: u16,
    most: u16,
    loops: Vec<Loop>,
    /// Where what a closure gives is wanted, and the jumps of its `return`.
    closures: Vec<(Register, Vec<usize>)>,
}

/// Constants of which one is enough.
#[derive(PartialEq, Eq, Hash)]
enum Simple {
    Nothing,
    Number(i64),
    Truth(bool),
    Known(u32),
}

/// The jumps of `break` and `continue`.
#[derive(Default)]
struct Loop {
    breaks: Vec<usize>,
    continues: Vec<usize>,
}

impl<'a> Compiler<'a> {
    fn new(code: Code, functions: &'a [FunctionInfo], layout: &'a Arc<Layout>) -> Self {
        let properties = code.properties.iter().zip(0..).map(|(site, number)| (site.name.clone(), number)).collect();
        Self {
            functions,
            layout,
            probe: Table::new(layout.clone(), 0),
            code,
            constants: HashMap::new(),
            properties,
            asks_settings: false,
            steps: Vec::new(),
            points: Vec::new(),
            statements: Vec::new(),
            conditions: Vec::new(),
            changed: Vec::new(),
            sorts: Vec::new(),
            scope: Vec::new(),
            next: 0,
            most: 0,
            loops: Vec::new(),
            closures: Vec::new(),
        }
    }

    fn function(&mut self, function: &Function, name: &str) -> Done<FunctionCode> {
        let slots = function.names.len();
        let at = function.body.0.first().map_or(ScriptPoint::default(), |statement| statement.at);
        if slots > MAX_SLOTS {
            let message = "a function has too many variables of its own; put a part of it into a function of its own";
            return Err(Excess { message: message.to_owned(), at });
        }
        self.steps.clear();
        self.points.clear();
        self.statements.clear();
        self.conditions.clear();
        self.changed = vec![false; slots];
        let changed = &mut self.changed;
        function.body.walk(&mut |piece| {
            if let Some(is_changed) = piece.sets().and_then(|(slot, _)| changed.get_mut(usize::from(slot))) {
                *is_changed = true;
            }
        });
        self.sorts = vec![None; slots];
        self.scope = (0..function.arity).collect();
        self.next = slots as u16;
        self.most = self.next;
        let to = self.register(at)?;
        if self.asks_settings {
            self.word_site(ASK_SETTINGS, &[], to, at)?;
        }
        self.block(&function.body, Some(to))?;
        self.emit(Step::Return { value: to }, at)?;
        let mut begins = vec![0; self.steps.len()];
        for (number, (place, _)) in self.statements.iter().enumerate().rev() {
            if let Some(begin) = begins.get_mut(usize::from(*place)) {
                *begin = number as u16 + 1;
            }
        }
        debug_assert!(
            LiveRegisters::of(&self.code, &self.steps, function.arity..self.most)
                .is_none_or(|live| (function.arity..self.most).all(|register| !live.is_read(0, register))),
            "a register of `{name}` is read before it is written: {:?}",
            self.steps
        );
        Ok(FunctionCode {
            name: name.into(),
            arity: function.arity,
            registers: self.most,
            units: self.units_from(0),
            steps: std::mem::take(&mut self.steps),
            points: std::mem::take(&mut self.points),
            statements: std::mem::take(&mut self.statements).into_iter().map(|(_, statement)| statement).collect(),
            begins,
            conditions: std::mem::take(&mut self.conditions),
            names: function.names.clone(),
        })
    }

    // Registers, constants, steps

    fn register(&mut self, at: ScriptPoint) -> Done<Register> {
        self.registers(1, at)
    }

    /// Some registers that stand one after the other; the first of them.
    fn registers(&mut self, count: u16, at: ScriptPoint) -> Done<Register> {
        let first = self.next;
        self.next = first.checked_add(count).filter(|next| *next <= MAX_REGISTERS).ok_or_else(|| too_large(at))?;
        self.most = self.most.max(self.next);
        Ok(first)
    }

    fn constant(&mut self, value: V, at: ScriptPoint) -> Done<Operand> {
        let simple = match &value {
            V::Nothing => Some(Simple::Nothing),
            V::Number(number) => Some(Simple::Number(*number)),
            V::Truth(truth) => Some(Simple::Truth(truth.get())),
            V::Known(number) => Some(Simple::Known(number.get())),
            _ => None,
        };
        if let Some(known) = simple.as_ref().and_then(|simple| self.constants.get(simple)) {
            return Ok(*known);
        }
        let number = self.code.constants.len();
        if number >= usize::from(CONSTANT) {
            return Err(Excess { message: "the rules have too many different constants".to_owned(), at });
        }
        self.code.constants.push(value);
        let operand = number as u16 | CONSTANT;
        if let Some(simple) = simple {
            self.constants.insert(simple, operand);
        }
        Ok(operand)
    }

    fn text(&mut self, text: &str) -> V {
        V::known(self.code.texts.add(text))
    }

    fn emit(&mut self, step: Step, at: ScriptPoint) -> Done<usize> {
        if self.steps.len() >= usize::from(Place::MAX) {
            return Err(too_large(at));
        }
        self.steps.push(step);
        self.points.push(at);
        Ok(self.steps.len() - 1)
    }

    fn here(&self) -> Place {
        self.steps.len() as Place
    }

    /// Goes back to a step.
    fn back(&mut self, to: Place, at: ScriptPoint) -> Done<()> {
        let units = self.units_from(to);
        self.emit(Step::Back { to, units }, at)?;
        Ok(())
    }

    /// What going through the steps counts that stand from one on to here.
    fn units_from(&self, start: Place) -> u16 {
        let steps = self.steps.get(usize::from(start)..).unwrap_or_default();
        let effort: usize = steps.iter().map(|step| self.effort_of(step)).sum();
        u16::try_from(1 + effort / EFFORT_OF_A_UNIT).unwrap_or(u16::MAX)
    }

    /// What a step takes whatever it meets, in moves from one register to another.
    fn effort_of(&self, step: &Step) -> usize {
        match step {
            Step::Word { site, .. } => {
                let arguments = self.code.words.get(usize::from(*site)).map_or(&[][..], |site| &site.arguments);
                16 + arguments.iter().map(|operand| self.bytes_known(*operand) / 64).sum::<usize>()
            }
            Step::Join { count, .. } | Step::List { count, .. } => 8 + 4 * usize::from(*count),
            Step::Call { site, .. } => {
                self.code.calls.get(usize::from(*site)).map_or(2, |site| 2 + site.arguments.len())
            }
            Step::Get { .. } | Step::Set { .. } | Step::Begin { .. } | Step::Range { .. } => 8,
            Step::Work { .. } | Step::JumpCompared { .. } | Step::JumpCase { .. } | Step::Entry { .. } => 2,
            _ => 1,
        }
    }

    /// How many bytes a text has that is known before anything runs.
    fn bytes_known(&self, operand: Operand) -> usize {
        let constant = (operand & CONSTANT != 0).then(|| self.code.constants.get(usize::from(operand & !CONSTANT)));
        constant.flatten().and_then(|value| self.code.texts.text(value)).map_or(0, |text| text.len())
    }

    /// Lets a jump go to here.
    fn land(&mut self, jump: usize) {
        let here = self.here();
        self.land_at(jump, here);
    }

    fn land_at(&mut self, jump: usize, place: Place) {
        match self.steps.get_mut(jump) {
            Some(
                Step::Jump { to }
                | Step::JumpIf { to, .. }
                | Step::JumpCompared { to, .. }
                | Step::JumpSmall { to, .. }
                | Step::JumpCase { to, .. }
                | Step::JumpUnlessRead { to, .. }
                | Step::Test { to, .. }
                | Step::Next { end: to, .. }
                | Step::NextNumber { end: to, .. },
            ) => *to = place,
            other => debug_assert!(false, "no jump: {other:?}"),
        }
    }

    fn land_all(&mut self, jumps: Vec<usize>) {
        jumps.into_iter().for_each(|jump| self.land(jump));
    }

    fn nothing(&mut self, to: Register, at: ScriptPoint) -> Done<()> {
        let from = self.constant(V::Nothing, at)?;
        self.emit(Step::Move { to, from }, at)?;
        Ok(())
    }

    /// A step that fails when it comes to it.
    fn fail(&mut self, trouble: Trouble, at: ScriptPoint) -> Done<()> {
        let number = numbered(self.code.failures.len(), at)?;
        self.code.failures.push(trouble);
        self.emit(Step::Fail { number }, at)?;
        Ok(())
    }

    // Statements

    /// Statements between braces; the value of the last goes to a register where one is wanted.
    fn block(&mut self, block: &Block, to: Option<Register>) -> Done<()> {
        let (known, mark) = (self.scope.len(), self.next);
        for (number, statement) in block.0.iter().enumerate() {
            let to = to.filter(|_| number + 1 == block.0.len());
            self.statement(statement, to)?;
            self.next = mark;
        }
        if let (Some(to), []) = (to, block.0.as_slice()) {
            self.nothing(to, ScriptPoint::default())?;
        }
        self.scope.truncate(known);
        Ok(())
    }

    fn statement(&mut self, statement: &Statement, to: Option<Register>) -> Done<()> {
        let at = statement.at;
        let number = self.statements.len();
        if statement.is_step {
            let (known, place) = (self.scope.clone(), self.here());
            self.statements.push((place, StatementCode { at, known, place, end: place }));
        }
        let gives_nothing = match &statement.kind {
            StatementKind::Let(slot, value) => {
                self.into(value, *slot)?;
                self.begin(*slot, self.sort_of(value));
                true
            }
            StatementKind::Set { target, operator, value, at } => {
                self.set(target, *operator, value, *at)?;
                true
            }
            StatementKind::If(condition, then, otherwise) => {
                self.branch(condition, then, otherwise, to, at)?;
                false
            }
            StatementKind::Switch(switch) => {
                self.switch(switch, to, at)?;
                false
            }
            StatementKind::While(condition, body) => {
                if statement.is_step {
                    // Whoever steps is told of the loop once, not of each time around.
                    let next = self.here() + 1;
                    self.emit(Step::Jump { to: next }, at)?;
                }
                let start = self.here();
                let out = match condition {
                    Some(condition) => self.jump(condition, false)?,
                    None => Vec::new(),
                };
                self.loops.push(Loop::default());
                self.block(body, None)?;
                self.end_loop(start, at)?;
                self.land_all(out);
                let ended = self.loops.pop().unwrap_or_default();
                self.land_all(ended.breaks);
                true
            }
            StatementKind::For(parts) => {
                self.for_loop(parts, at)?;
                true
            }
            StatementKind::Break | StatementKind::Continue => {
                let jump = self.emit(Step::Jump { to: 0 }, at)?;
                match (self.loops.last_mut(), &statement.kind) {
                    (Some(around), StatementKind::Break) => around.breaks.push(jump),
                    (Some(around), _) => around.continues.push(jump),
                    (None, _) => self.land(jump),
                }
                false
            }
            StatementKind::Return(value) => {
                self.give_back(value.as_ref(), at)?;
                false
            }
            StatementKind::Throw(value) => {
                let value = match value {
                    Some(value) => self.operand(value)?,
                    None => self.constant(V::Nothing, at)?,
                };
                self.emit(Step::Throw { value }, at)?;
                false
            }
            StatementKind::Expr(value) => {
                match to {
                    Some(to) => self.into(value, to)?,
                    None => {
                        self.operand(value)?;
                    }
                }
                false
            }
            StatementKind::Block(block) => {
                self.block(block, to)?;
                false
            }
        };
        if let Some(to) = to.filter(|_| gives_nothing) {
            self.nothing(to, at)?;
        }
        let end = self.here();
        if let Some((_, own)) = self.statements.get_mut(number).filter(|_| statement.is_step) {
            own.end = end;
        }
        Ok(())
    }

    /// A name begins; from now on it is known.
    fn begin(&mut self, slot: Slot, sort: Option<Sort>) {
        self.scope.push(slot);
        if let Some(known) = self.sorts.get_mut(usize::from(slot)) {
            *known = sort;
        }
    }

    fn is_changed(&self, slot: Slot) -> bool {
        self.changed.get(usize::from(slot)).copied().unwrap_or(true)
    }

    fn branch(
        &mut self,
        condition: &Expr,
        then: &Block,
        otherwise: &Block,
        to: Option<Register>,
        at: ScriptPoint,
    ) -> Done<()> {
        // What the settings decide is decided now.
        if let Some(V::Truth(truth)) = self.constant_of(condition) {
            return self.block(if truth.get() { then } else { otherwise }, to);
        }
        let to_else = self.jump(condition, false)?;
        self.block(then, to)?;
        if otherwise.0.is_empty() && to.is_none() {
            self.land_all(to_else);
            return Ok(());
        }
        let over = self.emit(Step::Jump { to: 0 }, at)?;
        self.land_all(to_else);
        self.block(otherwise, to)?;
        self.land(over);
        Ok(())
    }

    fn switch(&mut self, switch: &Switch, to: Option<Register>, at: ScriptPoint) -> Done<()> {
        let mark = self.next;
        let value = self.kept_operand(&switch.value, switch.cases.iter().filter_map(|case| case.condition.as_ref()))?;
        let mut out = Vec::new();
        for case in &switch.cases {
            let (mut hits, mut miss) = (Vec::new(), Vec::new());
            for (number, literal) in case.literals.iter().enumerate() {
                let literal = match literal {
                    Literal::Number(number) => V::Number(*number),
                    Literal::Truth(truth) => V::truth(*truth),
                    Literal::Text(text) => self.text(text),
                };
                let literal = self.constant(literal, at)?;
                let is_last = number + 1 == case.literals.len();
                let jump = self.emit(Step::JumpCase { value, literal, to: 0, want: !is_last }, at)?;
                if is_last { &mut miss } else { &mut hits }.push(jump);
            }
            self.land_all(hits);
            if let Some(condition) = &case.condition {
                miss.extend(self.jump(condition, false)?);
            }
            self.value_of_case(&case.value, to)?;
            out.push(self.emit(Step::Jump { to: 0 }, at)?);
            self.land_all(miss);
        }
        match (&switch.default, to) {
            (Some(default), to) => self.value_of_case(default, to)?,
            (None, Some(to)) => self.nothing(to, at)?,
            (None, None) => {}
        }
        self.land_all(out);
        self.next = mark;
        Ok(())
    }

    fn value_of_case(&mut self, value: &Expr, to: Option<Register>) -> Done<()> {
        let mark = self.next;
        match (to, &value.kind) {
            (Some(to), _) => self.into(value, to)?,
            (None, ExprKind::Block(block)) => self.block(block, None)?,
            (None, _) => {
                self.operand(value)?;
            }
        }
        self.next = mark;
        Ok(())
    }

    fn end_loop(&mut self, start: Place, at: ScriptPoint) -> Done<()> {
        if let Some(around) = self.loops.last_mut() {
            let continues = std::mem::take(&mut around.continues);
            // A jump back has to count, so `continue` goes to the one at the end.
            self.land_all(continues);
        }
        self.back(start, at)?;
        Ok(())
    }

    fn for_loop(&mut self, parts: &For, at: ScriptPoint) -> Done<()> {
        let mark = self.next;
        let known = self.scope.len();
        let walk = self.registers(Walk::REGISTERS, at)?;
        let end;
        let start;
        match &parts.list.kind {
            ExprKind::Range(sides, with_end) if parts.counter.is_none() => {
                let [from, last] = self.operands([&sides[0], &sides[1]])?;
                self.emit(Step::Count { walk, from, last, with_end: *with_end }, parts.list.at)?;
                start = self.here();
                end = self.emit(Step::NextNumber { walk, item: parts.item, end: 0 }, at)?;
                let sort = Some(Sort::Number).filter(|_| !self.is_changed(parts.item));
                self.begin(parts.item, sort);
            }
            _ => {
                let sort = self.sort_of(&parts.list).and_then(Sort::element);
                let of = self.operand(&parts.list)?;
                self.emit(Step::Begin { walk, of, how: LoopKind::Loop }, parts.list.start())?;
                start = self.here();
                end = self.emit(Step::Next { walk, item: parts.item, end: 0 }, at)?;
                let sort = sort.filter(|_| !self.is_changed(parts.item));
                self.begin(parts.item, sort);
                if let Some(counter) = parts.counter {
                    let taken = walk + Walk::TAKEN as u16;
                    self.emit(Step::Add { to: counter, left: taken, right: -1 }, at)?;
                    self.begin(counter, None);
                }
            }
        }
        self.next = walk + Walk::REGISTERS;
        self.loops.push(Loop::default());
        self.block(&parts.body, None)?;
        self.end_loop(start, at)?;
        self.land(end);
        let ended = self.loops.pop().unwrap_or_default();
        self.land_all(ended.breaks);
        self.scope.truncate(known);
        self.next = mark;
        Ok(())
    }

    fn give_back(&mut self, value: Option<&Expr>, at: ScriptPoint) -> Done<()> {
        let Some((to, _)) = self.closures.last() else {
            let value = match value {
                Some(value) => self.operand(value)?,
                None => self.constant(V::Nothing, at)?,
            };
            self.emit(Step::Return { value }, at)?;
            return Ok(());
        };
        let to = *to;
        match value {
            Some(value) => self.into(value, to)?,
            None => self.nothing(to, at)?,
        }
        let jump = self.emit(Step::Jump { to: 0 }, at)?;
        if let Some((_, returns)) = self.closures.last_mut() {
            returns.push(jump);
        }
        Ok(())
    }

    fn set(&mut self, target: &Target, operator: Option<Binary>, value: &Expr, at: ScriptPoint) -> Done<()> {
        match (target, operator) {
            (Target::Local(slot, _), None) => self.into(value, *slot),
            (Target::Local(slot, _), Some(operator)) => {
                // The old value is looked at last.
                let right = self.operand(value)?;
                self.change(operator, *slot, right, at)
            }
            (Target::Property { of, name, at: name_at }, operator) => {
                let right = self.kept_operand(value, std::iter::once(of))?;
                let owner = self.operand(of)?;
                let site = self.property_site(name, *name_at)?;
                let value = match operator {
                    Some(operator) => {
                        let old = self.register(at)?;
                        self.emit(Step::Get { site, to: old, from: owner }, *name_at)?;
                        self.change(operator, old, right, at)?;
                        old
                    }
                    None => right,
                };
                self.emit(Step::Set { site, of: owner, value }, *name_at)?;
                Ok(())
            }
            (Target::Entry(slot, index, _), operator) => {
                let right = self.kept_operand(value, std::iter::once(index))?;
                let index = self.operand(index)?;
                let value = match operator {
                    Some(operator) => {
                        let old = self.register(at)?;
                        self.emit(Step::Entry { to: old, of: *slot, index }, at)?;
                        self.change(operator, old, right, at)?;
                        old
                    }
                    None => right,
                };
                self.emit(Step::SetEntry { list: *slot, index, value }, at)?;
                Ok(())
            }
            (Target::Other(_), _) => self.fail(Fault::rule("this cannot be set").into(), at),
        }
    }

    // Expressions

    /// Jumps where a condition comes out as wanted; the jumps, for [`Self::land`].
    fn jump(&mut self, condition: &Expr, want: bool) -> Done<Vec<usize>> {
        let mark = self.next;
        let at = condition.at;
        let jumps = match &condition.kind {
            _ if let Some(V::Truth(truth)) = self.constant_of(condition) => match truth.get() == want {
                true => vec![self.emit(Step::Jump { to: 0 }, at)?],
                false => Vec::new(),
            },
            ExprKind::Not(inner) if self.is_certain_truth(inner) => {
                let jumps = self.jump(inner, !want)?;
                self.negate_last(&jumps, condition, inner);
                jumps
            }
            ExprKind::And(list) | ExprKind::Or(list) => {
                // What decides alone: false of `&&`, true of `||`.
                let alone = matches!(condition.kind, ExprKind::Or(_));
                let mut jumps = Vec::new();
                let mut over = Vec::new();
                for (number, item) in list.iter().enumerate() {
                    let is_last = number + 1 == list.len();
                    match want == alone || is_last {
                        true => jumps.extend(self.jump(item, want)?),
                        false => over.extend(self.jump(item, alone)?),
                    }
                }
                self.land_all(over);
                jumps
            }
            ExprKind::Binary(operator, sides) if operator.compares() => {
                let how = Comparison::new(*operator, want);
                let small = match self.constant_of(&sides[1]) {
                    Some(V::Number(number)) => i16::try_from(number).ok(),
                    _ => None,
                };
                let [left, right] = self.operands([&sides[0], &sides[1]])?;
                let step = match small {
                    Some(right) if left & CONSTANT == 0 => Step::JumpSmall { how, left, right, to: 0 },
                    _ => Step::JumpCompared { how, left, right, to: 0 },
                };
                vec![self.decide(step, at, condition)?]
            }
            _ => {
                let value = self.operand(condition)?;
                vec![self.decide(Step::JumpIf { value, to: 0, want }, condition.start(), condition)?]
            }
        };
        self.next = mark;
        Ok(jumps)
    }

    /// A step that decides a condition.
    fn decide(&mut self, step: Step, at: ScriptPoint, condition: &Expr) -> Done<usize> {
        let place = self.here();
        let jump = self.emit(step, at)?;
        let (first, last) = (condition.start(), condition.last());
        self.conditions.push(ConditionCode { place, first, last, is_negated: false });
        Ok(jump)
    }

    /// What has been decided last stands behind a `!`, which is a part of the condition. Of several operands each stays
    /// as it is.
    fn negate_last(&mut self, jumps: &[usize], condition: &Expr, inner: &Expr) {
        if let ([jump], Some(last)) = (jumps, self.conditions.last_mut())
            && usize::from(last.place) == *jump
            && !matches!(inner.kind, ExprKind::And(_) | ExprKind::Or(_))
        {
            (last.first, last.is_negated) = (condition.start(), !last.is_negated);
        }
    }

    /// A step that decides what a function gave for one of those that a word goes through.
    fn test(&mut self, walk: Register, want: bool, function: &FunctionValue, at: ScriptPoint) -> Done<usize> {
        let step = Step::Test { walk, to: 0, want };
        match function {
            FunctionValue::Closure(_, body) if let Some(condition) = only_expression(body) => {
                self.decide(step, at, condition)
            }
            _ => self.emit(step, at),
        }
    }

    /// Whether an expression can only be true or false, so that `!` before it needs no step of its own.
    fn is_certain_truth(&self, expression: &Expr) -> bool {
        match &expression.kind {
            ExprKind::Binary(operator, _) => operator.compares(),
            ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Not(_) | ExprKind::Truth(_) => true,
            _ => self.sort_of(expression) == Some(Sort::Truth),
        }
    }

    /// Several expressions, one after the other; where each value stands when all have been worked out.
    fn operands<const N: usize>(&mut self, list: [&Expr; N]) -> Done<[Operand; N]> {
        let mut found = [0; N];
        for number in 0..N {
            found[number] = self.kept_operand(list[number], list[number + 1..].iter().copied())?;
        }
        Ok(found)
    }

    fn all_operands(&mut self, list: &[Expr]) -> Done<Vec<Operand>> {
        (0..list.len()).map(|number| self.kept_operand(&list[number], list[number + 1..].iter())).collect()
    }

    /// Where the value of an expression stands, and goes on standing while others are worked out.
    fn kept_operand<'e>(&mut self, expression: &Expr, mut later: impl Iterator<Item = &'e Expr>) -> Done<Operand> {
        let operand = self.operand(expression)?;
        let ExprKind::Local(slot) = expression.kind else { return Ok(operand) };
        if !self.is_changed(slot) || !later.any(|expression| changes(expression, slot)) {
            return Ok(operand);
        }
        let copy = self.register(expression.at)?;
        self.emit(Step::Move { to: copy, from: operand }, expression.at)?;
        Ok(copy)
    }

    /// Where the value of an expression stands.
    fn operand(&mut self, expression: &Expr) -> Done<Operand> {
        if let ExprKind::Local(slot) = expression.kind {
            return Ok(slot);
        }
        if let Some(value) = self.constant_of(expression) {
            return self.constant(value, expression.at);
        }
        let to = self.register(expression.at)?;
        self.into(expression, to)?;
        self.next = to + 1;
        Ok(to)
    }

    /// Works an expression out into a register, which is written last of all.
    fn into(&mut self, expression: &Expr, to: Register) -> Done<()> {
        let (mark, at) = (self.next, expression.at);
        if let Some(value) = self.constant_of(expression) {
            let from = self.constant(value, at)?;
            self.emit(Step::Move { to, from }, at)?;
            return Ok(());
        }
        match &expression.kind {
            // Constants have been dealt with.
            ExprKind::Nothing | ExprKind::Number(_) | ExprKind::Truth(_) | ExprKind::Text(_) | ExprKind::Global(_) => {
                self.nothing(to, at)?;
            }
            ExprKind::Local(slot) => {
                self.emit(Step::Move { to, from: *slot }, at)?;
            }
            ExprKind::Joined(parts) => {
                let (base, count) = self.row(parts, at)?;
                self.emit(Step::Join { to, base, count }, at)?;
            }
            ExprKind::List(entries) => {
                let (base, count) = self.row(entries, at)?;
                self.emit(Step::List { to, base, count }, at)?;
            }
            ExprKind::Property(of, name) => {
                let from = self.operand(of)?;
                let site = self.property_site(name, at)?;
                self.emit(Step::Get { site, to, from }, at)?;
            }
            ExprKind::Index(of, index) => {
                let [of, index] = self.operands([of, index])?;
                self.emit(Step::Entry { to, of, index }, at)?;
            }
            ExprKind::Call(call) => self.call(call, to, at)?,
            ExprKind::Word(call) => self.word(call, to, at)?,
            ExprKind::Not(inner) => {
                let from = self.operand(inner)?;
                self.emit(Step::Not { to, from }, at)?;
            }
            ExprKind::Negative(inner) => {
                let from = self.operand(inner)?;
                self.emit(Step::Negative { to, from }, at)?;
            }
            ExprKind::Binary(operator, sides) => {
                let [left, right] = self.operands([&sides[0], &sides[1]])?;
                self.work(*operator, to, left, right, at)?;
            }
            ExprKind::Range(sides, with_end) => {
                let [from, last] = self.operands([&sides[0], &sides[1]])?;
                self.emit(Step::Range { to, from, last, with_end: *with_end }, at)?;
            }
            ExprKind::And(_) | ExprKind::Or(_) => {
                let falses = self.jump(expression, false)?;
                let (yes, no) = (self.constant(V::truth(true), at)?, self.constant(V::truth(false), at)?);
                self.emit(Step::Move { to, from: yes }, at)?;
                let over = self.emit(Step::Jump { to: 0 }, at)?;
                self.land_all(falses);
                self.emit(Step::Move { to, from: no }, at)?;
                self.land(over);
            }
            ExprKind::Block(block) => self.block(block, Some(to))?,
            ExprKind::Function(_) => {
                let help = "a function can be used only where a word takes one, such as `players.any(|p| …)`";
                self.fail(Fault::rule(help).into(), at)?;
                self.nothing(to, at)?;
            }
            ExprKind::Unknown(name) => {
                self.fail(Trouble::UnknownName(name.clone()), at)?;
                self.nothing(to, at)?;
            }
            ExprKind::Refused => {
                self.fail(Fault::rule("rules may not use this").into(), at)?;
                self.nothing(to, at)?;
            }
        }
        self.next = mark;
        Ok(())
    }

    /// Values in registers that stand one after the other.
    fn row(&mut self, values: &[Expr], at: ScriptPoint) -> Done<(Register, u16)> {
        let count = numbered(values.len(), at)?;
        let base = self.registers(count, at)?;
        for (value, register) in values.iter().zip(base..) {
            self.into(value, register)?;
        }
        Ok((base, count))
    }

    /// Changes what a register holds, as `+=` and its like do.
    fn change(&mut self, operator: Binary, to: Register, by: Operand, at: ScriptPoint) -> Done<()> {
        match operator {
            Binary::Add => self.emit(Step::Increase { to, by }, at).map(drop),
            operator => self.work(operator, to, to, by, at),
        }
    }

    fn work(&mut self, operator: Binary, to: Register, left: Operand, right: Operand, at: ScriptPoint) -> Done<()> {
        // The sign of the small number tells how it was written, should it not fit.
        let small = match (operator, self.value_at(right)) {
            (Binary::Add, Some(V::Number(number @ 0..))) => i16::try_from(*number).ok(),
            (Binary::Subtract, Some(V::Number(number @ 1..))) => i16::try_from(-number).ok(),
            _ => None,
        };
        let step = match small {
            Some(right) => Step::Add { to, left, right },
            None => Step::Work { operator, to, left, right },
        };
        self.emit(step, at)?;
        Ok(())
    }

    /// The value of an operand that is a constant.
    fn value_at(&self, operand: Operand) -> Option<&V> {
        if operand & CONSTANT == 0 {
            return None;
        }
        self.code.constants.get(usize::from(operand & !CONSTANT))
    }

    // Calls

    fn call(&mut self, call: &Call, to: Register, at: ScriptPoint) -> Done<()> {
        let arguments = self.all_operands(&call.arguments)?;
        self.call_site(call.function, arguments, to, at)
    }

    fn call_site(&mut self, function: FunctionId, arguments: Vec<Operand>, to: Register, at: ScriptPoint) -> Done<()> {
        let site = numbered(self.code.calls.len(), at)?;
        self.code.calls.push(CallSite { function, arguments: arguments.into() });
        self.emit(Step::Call { site, to }, at)?;
        Ok(())
    }

    fn word(&mut self, call: &WordCall, to: Register, at: ScriptPoint) -> Done<()> {
        if let [receiver, given @ ..] = call.arguments.as_slice()
            && given.iter().any(|argument| matches!(argument.kind, ExprKind::Function(_)))
        {
            return self.word_with_function(call, receiver, given, to, at);
        }
        let arguments = match (call.form, call.arguments.as_slice()) {
            (Callee::In, [list, value]) => {
                let [value, list] = self.operands([value, list])?;
                vec![list, value]
            }
            (_, arguments) => self.all_operands(arguments)?,
        };
        if let ("push", [list, value], Some(ExprKind::Local(_))) =
            (&*call.name, arguments.as_slice(), call.arguments.first().map(|list| &list.kind))
        {
            self.emit(Step::Push { list: *list, value: *value }, at)?;
            return self.nothing(to, at);
        }
        self.word_site(&call.name, &arguments, to, at)
    }

    /// A call of a word whose arguments stand somewhere.
    fn word_site(&mut self, name: &str, arguments: &[Operand], to: Register, at: ScriptPoint) -> Done<()> {
        let mut places = [0; MAX_ARGUMENTS];
        let Some(room) = places.get_mut(..arguments.len()) else {
            let given = vec![Sort::Nothing; arguments.len()];
            return self.fail(Trouble::NoWord { name: name.into(), given }, at);
        };
        room.copy_from_slice(arguments);
        let site = numbered(self.code.words.len(), at)?;
        let forms = natives().forms(name, arguments.len());
        let count = arguments.len() as u8;
        self.code.words.push(WordSite { name: name.into(), arguments: places, count, forms });
        self.emit(Step::Word { site, to }, at)?;
        Ok(())
    }

    /// What stands under a name, for every sort of owner.
    fn property_site(&mut self, name: &Arc<str>, at: ScriptPoint) -> Done<u16> {
        if let Some(&known) = self.properties.get(name) {
            return Ok(known);
        }
        let mut getters: [Option<Getter>; SORTS] = Default::default();
        for (sort, native) in natives().properties(name) {
            getters[sort as usize] = Some(Getter::Word(native));
        }
        let (layout, first) = (self.layout, Seat(0));
        let of_player = Sort::Player as usize;
        for (definition, zone) in layout.definition.zones.iter().enumerate() {
            if zone.per_seat && *zone.id == **name {
                getters[of_player] = Some(match zone.count {
                    None => Getter::SeatZone(layout.zone_of(definition, Some(first)).0),
                    Some(_) => {
                        let of = |seat| V::of_zones(&layout.zones_of(definition, Some(seat)).0);
                        Getter::SeatZones(Arc::new(Seats::all(layout.seats).into_iter().map(of).collect()))
                    }
                });
            }
        }
        for (definition, variable) in layout.definition.variables.iter().enumerate() {
            if *variable.id == **name {
                let number = |seat| numbered(layout.variable_of(definition, seat), at);
                if variable.per_seat {
                    getters[of_player] = Some(Getter::SeatVariable(number(Some(first))?));
                } else {
                    getters[Sort::Table as usize] = Some(Getter::Variable(number(None)?));
                }
            }
        }
        if let Some(attribute) = layout.attributes.iter().position(|known| **known == **name) {
            getters[Sort::Component as usize] = Some(Getter::Attribute(numbered(attribute, at)?));
        }
        let of_data = &mut getters[Sort::Data as usize];
        if layout.data.keys().any(|key| *key == **name) {
            *of_data = Some(match of_data {
                Some(Getter::Word(native)) => Getter::DatumOr(native),
                _ => Getter::Datum,
            });
        }
        getters[Sort::Option as usize] = Some(Getter::Part);
        let number = numbered(self.code.properties.len(), at)?;
        self.code.properties.push(PropertySite { name: name.clone(), getters });
        self.properties.insert(name.clone(), number);
        Ok(number)
    }

    // Words that take a function

    fn word_with_function(
        &mut self,
        call: &WordCall,
        receiver: &Expr,
        given: &[Expr],
        to: Register,
        at: ScriptPoint,
    ) -> Done<()> {
        let function = |argument: &'_ Expr| match &argument.kind {
            ExprKind::Function(function) => Some((**function).clone()),
            _ => None,
        };
        let functions: Vec<Option<FunctionValue>> = given.iter().map(function).collect();
        let looking = match &*call.name {
            "any" => Some(LookingWord::Any),
            "all" => Some(LookingWord::All),
            "count_if" => Some(LookingWord::CountIf),
            "where" => Some(LookingWord::Where),
            "max_by" => Some(LookingWord::MaxBy),
            "min_by" => Some(LookingWord::MinBy),
            "sorted_by" => Some(LookingWord::SortedBy),
            "sum_of" => Some(LookingWord::SumOf),
            "map" => Some(LookingWord::Map),
            "options" => Some(LookingWord::Options),
            _ => None,
        };
        match (&*call.name, functions.as_slice()) {
            (_, [Some(function)]) if let Some(word) = looking => self.looking(word, receiver, function, to, at),
            ("for_each", [Some(function)]) => {
                let walk = self.walk(receiver, LoopKind::Each, at)?;
                self.each(walk, receiver, function, at, |_, _, _| Ok(Vec::new()))?;
                self.nothing(to, at)
            }
            ("pass_on", [Some(function)]) => {
                let zones = self.register(at)?;
                self.looking(LookingWord::PassOn, receiver, function, zones, at)?;
                self.word_site("pass_on", &[zones], to, at)
            }
            ("together", [Some(choose), Some(act)]) => self.together(receiver, choose, act, to, at),
            ("choose" | "choose_secretly", [None, None, Some(fits)]) => {
                let secretly = &*call.name == "choose_secretly";
                self.choose(receiver, given, fits, secretly, to, at)
            }
            ("choose" | "choose_secretly", [None, None, None, Some(why)]) => {
                let secretly = &*call.name == "choose_secretly";
                self.choose_explained(receiver, given, why, secretly, to, at)
            }
            _ => {
                let sort = |argument: &Expr| self.sort_of(argument).unwrap_or(Sort::Function);
                let given = std::iter::once(receiver).chain(given).map(sort).collect();
                self.fail(Trouble::NoWord { name: call.name.clone(), given }, at)
            }
        }
    }

    /// Begins to go through something; the registers of the walk.
    fn walk(&mut self, list: &Expr, how: LoopKind, at: ScriptPoint) -> Done<Register> {
        let walk = self.registers(Walk::REGISTERS, at)?;
        let of = self.operand(list)?;
        self.emit(Step::Begin { walk, of, how }, at)?;
        self.next = walk + Walk::REGISTERS;
        Ok(walk)
    }

    /// Calls a function with each; `after` says what becomes of what it gave, and gives the jumps that end it early.
    fn each(
        &mut self,
        walk: Register,
        list: &Expr,
        function: &FunctionValue,
        at: ScriptPoint,
        after: impl FnOnce(&mut Self, Register, ScriptPoint) -> Done<Vec<usize>>,
    ) -> Done<Vec<usize>> {
        let sort = self.sort_of(list).and_then(Sort::gives);
        let parameter = match function {
            FunctionValue::Closure(parameters, _) => parameters.first().copied(),
            FunctionValue::Named(_) => None,
        };
        // What is gone through stays as it is, whatever the function does to its parameter.
        let item = match parameter.filter(|slot| !self.is_changed(*slot)) {
            Some(slot) => slot,
            None => self.register(at)?,
        };
        let start = self.here();
        let end = self.emit(Step::Next { walk, item, end: 0 }, at)?;
        self.given_function(function, &[(item, sort)], walk + Walk::GIVEN as u16, at)?;
        let out = after(self, item, at)?;
        self.back(start, at)?;
        self.land(end);
        Ok(out)
    }

    /// What a function gives, for values that stand in registers.
    fn given_function(
        &mut self,
        function: &FunctionValue,
        given: &[(Register, Option<Sort>)],
        to: Register,
        at: ScriptPoint,
    ) -> Done<()> {
        match function {
            FunctionValue::Closure(parameters, body) if parameters.len() == given.len() => {
                let known = self.scope.len();
                for (&slot, &(register, sort)) in parameters.iter().zip(given) {
                    if slot != register {
                        self.emit(Step::Move { to: slot, from: register }, at)?;
                    }
                    let sort = sort.filter(|_| !self.is_changed(slot));
                    self.begin(slot, sort);
                }
                self.closures.push((to, Vec::new()));
                let loops = std::mem::take(&mut self.loops);
                self.block(body, Some(to))?;
                self.loops = loops;
                if let Some((_, returns)) = self.closures.pop() {
                    self.land_all(returns);
                }
                self.scope.truncate(known);
                Ok(())
            }
            FunctionValue::Closure(parameters, _) => {
                let takes = |count| if count == 1 { "one value".to_owned() } else { format!("{count} values") };
                let (has, wants) = (takes(parameters.len()), takes(given.len()));
                self.fail(
                    Fault::rule(format!("a function of {wants} is needed here, and this one takes {has}")).into(),
                    at,
                )
            }
            FunctionValue::Named(name) => {
                let named = |info: &FunctionInfo| info.answers_to(name) && info.parameters.len() == given.len();
                match self.functions.iter().position(named) {
                    Some(number) => {
                        let arguments = given.iter().map(|(register, _)| *register).collect();
                        self.call_site(numbered(number, at)?, arguments, to, at)
                    }
                    None => {
                        let given = given.iter().map(|(_, sort)| sort.unwrap_or(Sort::Nothing)).collect();
                        self.fail(Trouble::NoWord { name: name.clone(), given }, at)
                    }
                }
            }
        }
    }

    fn looking(
        &mut self,
        word: LookingWord,
        list: &Expr,
        function: &FunctionValue,
        to: Register,
        at: ScriptPoint,
    ) -> Done<()> {
        let result = self.register(at)?;
        let walk = self.walk(list, LoopKind::Look(word), at)?;
        match word {
            LookingWord::Any | LookingWord::All => {
                let want = word == LookingWord::Any;
                let out =
                    self.each(walk, list, function, at, |this, _, at| Ok(vec![this.test(walk, want, function, at)?]))?;
                let (found, none) = (self.constant(V::truth(want), at)?, self.constant(V::truth(!want), at)?);
                self.emit(Step::Move { to, from: none }, at)?;
                let over = self.emit(Step::Jump { to: 0 }, at)?;
                self.land_all(out);
                self.emit(Step::Move { to, from: found }, at)?;
                self.land(over);
                return Ok(());
            }
            LookingWord::CountIf => {
                let zero = self.constant(V::Number(0), at)?;
                self.emit(Step::Move { to: result, from: zero }, at)?;
                self.each(walk, list, function, at, |this, _, at| {
                    let over = this.test(walk, false, function, at)?;
                    this.emit(Step::Add { to: result, left: result, right: 1 }, at)?;
                    this.land(over);
                    Ok(Vec::new())
                })?;
            }
            LookingWord::SumOf => {
                let zero = self.constant(V::Number(0), at)?;
                self.emit(Step::Move { to: result, from: zero }, at)?;
                self.each(walk, list, function, at, |this, _, at| {
                    this.emit(Step::Sum { walk, sum: result }, at)?;
                    Ok(Vec::new())
                })?;
            }
            LookingWord::Where => {
                self.emit(Step::Empty { to: result, walk }, at)?;
                self.each(walk, list, function, at, |this, item, at| {
                    let over = this.test(walk, false, function, at)?;
                    this.emit(Step::Keep { kept: result, item }, at)?;
                    this.land(over);
                    Ok(Vec::new())
                })?;
                self.emit(Step::Kept { to, kept: result, walk }, at)?;
                return Ok(());
            }
            LookingWord::Map | LookingWord::PassOn => {
                self.emit(Step::List { to: result, base: result, count: 0 }, at)?;
                self.each(walk, list, function, at, |this, _, at| {
                    this.emit(Step::Gather { walk, list: result }, at)?;
                    Ok(Vec::new())
                })?;
            }
            LookingWord::Options => {
                let none = self.constant(V::Options(Arc::default()), at)?;
                self.emit(Step::Move { to: result, from: none }, at)?;
                self.each(walk, list, function, at, |this, _, at| {
                    this.emit(Step::Extend { walk, options: result }, at)?;
                    Ok(Vec::new())
                })?;
            }
            LookingWord::MaxBy | LookingWord::MinBy => {
                let highest = word == LookingWord::MaxBy;
                // The best rank, and behind it what has it.
                let best = self.registers(2, at)?;
                self.nothing(best, at)?;
                self.nothing(best + 1, at)?;
                self.each(walk, list, function, at, |this, item, at| {
                    this.emit(Step::Better { walk, best, item, highest }, at)?;
                    Ok(Vec::new())
                })?;
                self.emit(Step::Best { to, best, highest }, at)?;
                return Ok(());
            }
            LookingWord::SortedBy => {
                let ranks = result;
                self.emit(Step::List { to: ranks, base: ranks, count: 0 }, at)?;
                self.each(walk, list, function, at, |this, _, at| {
                    this.emit(Step::Rank { walk, ranks }, at)?;
                    Ok(Vec::new())
                })?;
                self.emit(Step::Sorted { to, walk, ranks }, at)?;
                return Ok(());
            }
            LookingWord::Choose | LookingWord::ChooseSecretly => {}
        }
        self.emit(Step::Move { to, from: result }, at)?;
        Ok(())
    }

    fn together(
        &mut self,
        players: &Expr,
        choose: &FunctionValue,
        act: &FunctionValue,
        to: Register,
        at: ScriptPoint,
    ) -> Done<()> {
        let of = self.register(at)?;
        self.into(players, of)?;
        let chosen = self.register(at)?;
        let asked = self.registers(Walk::REGISTERS, at)?;
        self.emit(Step::Begin { walk: asked, of, how: LoopKind::Asking }, at)?;
        self.emit(Step::BeginTogether, at)?;
        self.emit(Step::List { to: chosen, base: chosen, count: 0 }, at)?;
        self.each(asked, players, choose, at, |this, _, at| {
            this.emit(Step::Chosen { walk: asked, list: chosen }, at)?;
            Ok(Vec::new())
        })?;
        self.emit(Step::EndTogether, at)?;
        let walk = self.registers(Walk::REGISTERS, at)?;
        self.emit(Step::Begin { walk, of, how: LoopKind::Each }, at)?;
        let (seat, choice) = (self.register(at)?, self.register(at)?);
        let start = self.here();
        let end = self.emit(Step::Next { walk, item: seat, end: 0 }, at)?;
        // The chosen stand in the order of the first walk.
        self.emit(Step::Move { to: choice, from: chosen }, at)?;
        self.emit(Step::ChoiceOf { to: choice, walk: asked, seat }, at)?;
        let given = [(seat, Some(Sort::Player)), (choice, None)];
        self.given_function(act, &given, walk + Walk::GIVEN as u16, at)?;
        self.back(start, at)?;
        self.land(end);
        self.nothing(to, at)
    }

    /// The registers of a question, with who is asked and what.
    fn question(&mut self, seat: &Expr, prompt: &Expr, at: ScriptPoint) -> Done<Register> {
        let question = self.registers(Question::REGISTERS, at)?;
        self.into(seat, question + Question::SEAT as u16)?;
        self.into(prompt, question + Question::PROMPT as u16)?;
        Ok(question)
    }

    fn choose(
        &mut self,
        seat: &Expr,
        given: &[Expr],
        fits: &FunctionValue,
        secretly: bool,
        to: Register,
        at: ScriptPoint,
    ) -> Done<()> {
        let [prompt, options, _] = given else { return Ok(()) };
        let question = self.question(seat, prompt, at)?;
        let walk = self.registers(Walk::REGISTERS, at)?;
        let of = self.operand(options)?;
        self.emit(Step::Offer { question, from: of, filtered: true, secretly }, at)?;
        self.emit(Step::Begin { walk, of, how: LoopKind::Offered(secretly) }, at)?;
        self.emit(Step::Empty { to: question + Question::LEGAL as u16, walk }, at)?;
        self.each(walk, options, fits, at, |this, item, at| {
            this.emit(Step::Fits { walk, question, item }, at)?;
            Ok(Vec::new())
        })?;
        self.emit(Step::Ask { to, question, secretly }, at)?;
        Ok(())
    }

    fn choose_explained(
        &mut self,
        seat: &Expr,
        given: &[Expr],
        why: &FunctionValue,
        secretly: bool,
        to: Register,
        at: ScriptPoint,
    ) -> Done<()> {
        let [prompt, options, others, reason] = given else { return Ok(()) };
        // Whether somebody reads or not, the game ends here.
        if let Some(reach) = others.reaches_out().or_else(|| reason.reaches_out()) {
            let word = if secretly { LookingWord::ChooseSecretly } else { LookingWord::Choose };
            let (word, what) = (word.name(), reach.words(&[]));
            let message = format!("the code that says why `{word}` does not allow something {what}");
            return self.fail(Fault::rule(message).into(), at);
        }
        let question = self.question(seat, prompt, at)?;
        let from = self.operand(options)?;
        self.emit(Step::Offer { question, from, filtered: false, secretly }, at)?;
        // The others are worked out only where somebody may read why they are not allowed.
        let unread = self.emit(Step::JumpUnlessRead { to: 0, question }, at)?;
        let list = self.register(at)?;
        let from = self.operand(others)?;
        self.emit(Step::Others { to: list, from, question }, at)?;
        let walk = self.registers(Walk::REGISTERS, at)?;
        let word = if secretly { LookingWord::ChooseSecretly } else { LookingWord::Choose };
        self.emit(Step::Begin { walk, of: list, how: LoopKind::Look(word) }, at)?;
        self.each(walk, others, why, at, |this, item, at| {
            this.emit(Step::Refuse { walk, question, item }, at)?;
            Ok(Vec::new())
        })?;
        self.emit(Step::EndReasons, at)?;
        self.land(unread);
        self.emit(Step::Ask { to, question, secretly }, at)?;
        Ok(())
    }

    // What is known before anything runs

    /// The value of an expression that is the same in every game.
    fn constant_of(&mut self, expression: &Expr) -> Option<V> {
        match &expression.kind {
            ExprKind::Nothing => Some(V::Nothing),
            ExprKind::Number(number) => Some(V::Number(*number)),
            ExprKind::Truth(truth) => Some(V::truth(*truth)),
            ExprKind::Text(text) => Some(self.text(text)),
            ExprKind::Global(global) => Some(self.global(global)),
            ExprKind::Property(of, name) => {
                let owner = self.constant_of(of).filter(is_fixed)?;
                let site = self.property_site(name, expression.at).ok()?;
                match self.code.properties.get(usize::from(site))?.getters.get(owner.sort() as usize)? {
                    Some(Getter::Datum) => {
                        let V::Data(data) = owner else { return None };
                        let datum = self.probe.datum(data.get(), name).ok()?.clone();
                        Some(self.known(self.code.texts.of_datum(&datum)))
                    }
                    Some(Getter::DatumOr(native)) => {
                        let native = *native;
                        let V::Data(data) = owner else { return None };
                        match self.probe.datum(data.get(), name).cloned() {
                            Ok(datum) => Some(self.known(self.code.texts.of_datum(&datum))),
                            Err(_) => self.given_by(native, &[owner]),
                        }
                    }
                    Some(Getter::Word(native)) if never_changes(&owner, name) => {
                        let native = *native;
                        self.given_by(native, &[owner])
                    }
                    _ => None,
                }
            }
            ExprKind::Index(of, index) => {
                // What lies in a zone comes and goes.
                let is_fixed = |value: &V| is_fixed(value) && !matches!(value, V::Zone(_));
                let (of, index) = (self.constant_of(of).filter(is_fixed)?, self.constant_of(index)?);
                let forms = self.code.entries.clone()?;
                self.word_on(&forms, &[of, index])
            }
            ExprKind::Word(WordCall { name, arguments, .. }) => {
                let first = self.constant_of(arguments.first()?).filter(is_fixed)?;
                let rest = arguments[1..].iter().map(|argument| self.constant_of(argument));
                let values: Vec<V> =
                    std::iter::once(Some(first)).chain(rest.collect::<Vec<_>>()).collect::<Option<_>>()?;
                if !word_never_changes(&values, name) || values.len() > MAX_ARGUMENTS {
                    return None;
                }
                let forms = natives().forms(name, values.len());
                self.word_on(&forms, &values)
            }
            ExprKind::Not(inner) => match self.constant_of(inner)? {
                V::Truth(truth) => Some(V::truth(!truth.get())),
                _ => None,
            },
            ExprKind::Negative(inner) => match self.constant_of(inner)? {
                V::Number(number) => number.checked_neg().map(V::Number),
                _ => None,
            },
            ExprKind::Binary(operator, sides) => {
                let (left, right) = (self.constant_of(&sides[0])?, self.constant_of(&sides[1])?);
                let simple = |value: &V| matches!(value, V::Number(_) | V::Truth(_) | V::Known(_) | V::Text(_));
                if !simple(&left) || !simple(&right) {
                    return None;
                }
                let value = worked_out(&self.code.texts, *operator, &left, &right).ok()?;
                Some(self.known(value))
            }
            ExprKind::And(list) | ExprKind::Or(list) => {
                let alone = matches!(expression.kind, ExprKind::Or(_));
                for item in list {
                    match self.constant_of(item)? {
                        V::Truth(truth) if truth.get() == alone => return Some(V::truth(alone)),
                        V::Truth(_) => {}
                        _ => return None,
                    }
                }
                Some(V::truth(!alone))
            }
            _ => None,
        }
    }

    /// A text by its number, where it is one.
    fn known(&mut self, value: V) -> V {
        match &value {
            V::Text(text) => V::known(self.code.texts.add(&text.0.clone())),
            _ => value,
        }
    }

    fn word_on(&mut self, forms: &Forms, values: &[V]) -> Option<V> {
        let key = || super::code::key_of(values.iter().map(V::sort));
        let native = forms.find(values.first()?.sort(), key)?;
        self.given_by(native, values)
    }

    /// What a word gives that looks at nothing but its arguments.
    fn given_by(&mut self, native: &'static Native, values: &[V]) -> Option<V> {
        let mut at = [0; MAX_ARGUMENTS];
        at.iter_mut().zip(0..).take(values.len()).for_each(|(place, number)| *place = number);
        let arguments = Arguments { registers: values, constants: &[], at: &at, texts: &self.code.texts };
        let mut nobody = Nobody;
        let mut play = Play { table: &mut self.probe, answers: &mut nobody };
        let value = (native.body)(&mut play, &arguments).ok()?;
        Some(self.known(value))
    }

    fn global(&self, global: &Global) -> V {
        let layout = self.layout;
        match global {
            Global::Players => V::of_players(Seats::all(layout.seats).as_slice()),
            Global::Table => V::Table,
            Global::Nobody => V::Nobody,
            Global::Data => V::data(layout.data.root()),
            Global::Settings(layer) => layout.data.settings().get(*layer).copied().map_or(V::Nothing, V::data),
            Global::Zone(definition) => match layout.definition.zones.get(*definition) {
                Some(zone) if zone.count.is_some() => V::of_zones(&layout.zones_of(*definition, None).0),
                Some(_) => V::zone(layout.zone_of(*definition, None)),
                None => V::of_zones(&Zones::default().0),
            },
        }
    }

    /// The sort of an expression, where it is certain.
    fn sort_of(&self, expression: &Expr) -> Option<Sort> {
        match &expression.kind {
            ExprKind::Nothing => Some(Sort::Nothing),
            ExprKind::Number(_) => Some(Sort::Number),
            ExprKind::Truth(_) | ExprKind::Not(_) | ExprKind::And(_) | ExprKind::Or(_) => Some(Sort::Truth),
            ExprKind::Text(_) | ExprKind::Joined(_) => Some(Sort::Text),
            ExprKind::List(_) => Some(Sort::List),
            ExprKind::Range(..) => Some(Sort::Range),
            ExprKind::Global(global) => Some(self.global(global).sort()),
            ExprKind::Local(slot) => self.sorts.get(usize::from(*slot)).copied().flatten(),
            ExprKind::Binary(operator, _) if operator.compares() => Some(Sort::Truth),
            ExprKind::Binary(_, sides) => {
                let number = |side| self.sort_of(side) == Some(Sort::Number);
                (number(&sides[0]) && number(&sides[1])).then_some(Sort::Number)
            }
            ExprKind::Property(of, name) => {
                let owner = self.sort_of(of)?;
                let native = natives().properties(name).find(|(sort, _)| *sort == owner)?.1;
                let is_own = self.layout.attributes.iter().any(|known| **known == **name) && owner == Sort::Component
                    || owner == Sort::Player
                    || owner == Sort::Data;
                native.result.filter(|_| !is_own)
            }
            _ => None,
        }
    }
}

/// Most names of one function.
const MAX_SLOTS: usize = 1024;

/// Most registers of one function.
const MAX_REGISTERS: u16 = 0x4000;

fn too_large(at: ScriptPoint) -> Excess {
    Excess { message: "this function is too large; put a part of it into a function of its own".to_owned(), at }
}

/// A count as the steps hold it.
fn numbered(count: usize, at: ScriptPoint) -> Done<u16> {
    u16::try_from(count).map_err(|_| Excess { message: "the rules are too large".to_owned(), at })
}

/// Whether something that a value has is the same in every game.
fn is_fixed(value: &V) -> bool {
    matches!(value, V::Data(_) | V::Players(_) | V::Zone(_) | V::Zones(_) | V::FewZones(_))
}

/// Whether a property is the same in every game of so many players, whatever lies on the table.
fn never_changes(owner: &V, name: &str) -> bool {
    match owner {
        V::Zone(_) => matches!(name, "around" | "column" | "neighbours" | "number" | "rays" | "row"),
        V::Zones(_) | V::FewZones(_) => {
            matches!(
                name,
                "around"
                    | "columns"
                    | "connected_groups"
                    | "first"
                    | "is_empty"
                    | "last"
                    | "len"
                    | "neighbours"
                    | "rows"
            )
        }
        _ => NEVER_CHANGES.contains(&name),
    }
}

/// The same of what a word gives.
fn word_never_changes(given: &[V], name: &str) -> bool {
    match given {
        [] => false,
        [V::Data(_), ..] => true,
        // What lies in a zone comes and goes, so that its components between two numbers are something else.
        [V::Zone(_), V::Zone(_)] => name == "between",
        [V::Zone(_), ..] => matches!(name, "line" | "step"),
        [V::Zones(_) | V::FewZones(_), ..] => {
            matches!(name, "at" | "connected_to" | "contains" | "except" | "lines" | "region" | "within")
        }
        _ => matches!(name, "starting_with" | "except" | "contains"),
    }
}

/// The expression that a function is, where it is nothing else.
fn only_expression(body: &Block) -> Option<&Expr> {
    match body.0.as_slice() {
        [Statement { kind: StatementKind::Expr(only), .. }] => Some(only),
        _ => None,
    }
}

/// Whether working an expression out sets a local name.
fn changes(expression: &Expr, slot: Slot) -> bool {
    let mut found = false;
    expression.walk(&mut |piece| found |= piece.sets().is_some_and(|(set, _)| set == slot));
    found
}
