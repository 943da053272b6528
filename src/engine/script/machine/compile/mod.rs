//! Compiles a program to bytecode.
//!
//! Local names are registers of the same number as their slot; temporary values are in the registers behind them. An
//! expression writes the register of its value as the last thing it does, so that a name can be set from an expression
//! that uses it. Arguments are evaluated from left to right.

mod calls;
mod constants;
mod expressions;
mod lambdas;
mod statements;

use super::code::{CONSTANT, Code, ConditionCode, FunctionCode, Operand, Place, Register, StatementCode, Step};
use super::dependencies::dependencies;
use super::live::LiveRegisters;
use super::runtime_error::RuntimeError;
use super::value::{RegisterValue, TextTable};
use super::words::natives;
use crate::diagnostic::Message;
use crate::script::functions::FunctionInfo;
use crate::script::program::{Binary, ExprKind, Function, FunctionId, FunctionValue, Piece, Program, Slot};
use crate::script::sorts::Sort;
use crate::table::Table;
use crate::table::event::ScriptPoint;
use crate::table::layout::Layout;
use crate::work::Work;
use std::collections::HashMap;
use std::sync::Arc;

/// Minimum effort of a unit, in moves from one register to another.
const MOVES_PER_UNIT: usize = 32;

/// A limit that a program exceeds, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileLimitError {
    /// The message, which says what there is too much of.
    pub message: Message,
    /// Where the limit is exceeded.
    pub at: ScriptPoint,
}

type CompileResult<T> = Result<T, CompileLimitError>;

/// Compiles the functions of a program for tables of a layout. If `work` is stopped, some functions are left out.
///
/// # Errors
/// A function is too large, or there is too much of something.
pub fn compile(
    program: &Program,
    functions: &[FunctionInfo],
    layout: &Arc<Layout>,
    work: &Work,
) -> Result<Code, CompileLimitError> {
    let words = natives();
    let mut code = Code {
        operators: Binary::ALL.iter().map(|operator| words.forms(operator.sign(), 2)).collect(),
        entries: Some(words.forms("[]", 2)),
        to_text: Some(words.forms("to_string", 1)),
        texts: TextTable::new(layout),
        ..Code::default()
    };
    for word in &layout.words {
        let known = code.texts.add(word);
        code.attribute_words.push(RegisterValue::known(known));
    }
    let mut compiler = Compiler::new(code, functions, layout);
    let asks_first = asks_first(program, functions, layout);
    for (function, info) in program.functions.iter().zip(functions) {
        if work.is_stopped() {
            break;
        }
        compiler.asks_settings = asks_first && function.arity == 0 && info.is_reached_by(GAME);
        let compiled = compiler.function(function, &info.name)?;
        compiler.code.functions.push(Arc::new(compiled));
    }
    let mut code = compiler.code;
    code.dependencies = Arc::new(dependencies(&code, layout));
    for (function, dependencies) in code.functions.iter_mut().zip(&*code.dependencies) {
        let function = Arc::make_mut(function);
        function.is_cached = dependencies.is_pure && dependencies.is_known() && is_long(function);
    }
    Ok(code)
}

/// Whether a call of a function takes longer than to look its result up.
fn is_long(function: &FunctionCode) -> bool {
    let weight = |step: &Step| match step {
        Step::Word { .. } | Step::Call { .. } => 2,
        Step::Begin { .. } => 4,
        Step::Get { .. } | Step::Work { .. } => 1,
        _ => 0,
    };
    function.steps.iter().map(weight).sum::<usize>() >= MIN_CACHED_WEIGHT
}

/// Weight of a function from which on its results are remembered.
const MIN_CACHED_WEIGHT: usize = 3;

/// Name of the function that is the whole game.
const GAME: &str = "game";

/// Name of the word that asks for settings.
pub const ASK_SETTINGS_WORD: &str = "ask_settings";

/// Whether the host asks for settings before the game begins: players are to be asked for some, and no function that
/// `game()` can come to call asks for them.
pub fn asks_first(program: &Program, functions: &[FunctionInfo], layout: &Layout) -> bool {
    if layout.definition.asked.is_empty() {
        return false;
    }
    let called = |name: &str| -> Vec<usize> {
        (0..functions.len()).filter(|&function| functions[function].is_reached_by(name)).collect()
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
                ExprKind::Word(call) => asks |= &*call.name == ASK_SETTINGS_WORD,
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

/// The same code with one more function, such as a typed expression, and the id of that function.
///
/// # Errors
/// The function is too large, or there is too much of something.
pub fn extend(
    code: &Code,
    function: &Function,
    name: &str,
    functions: &[FunctionInfo],
    layout: &Arc<Layout>,
) -> Result<(Code, FunctionId), CompileLimitError> {
    let mut compiler = Compiler::new(code.clone(), functions, layout);
    let compiled = compiler.function(function, name)?;
    let number = compiler.code.functions.len() as FunctionId;
    compiler.code.functions.push(Arc::new(compiled));
    Ok((compiler.code, number))
}

struct Compiler<'a> {
    functions: &'a [FunctionInfo],
    layout: &'a Arc<Layout>,
    /// An empty table, for values that do not depend on a table.
    probe: Table,
    code: Code,
    constants: HashMap<ConstantKey, Operand>,
    properties: HashMap<Arc<str>, u16>,
    // State of the function that is being compiled.
    /// Whether the function asks for settings before anything else.
    asks_settings: bool,
    steps: Vec<Step>,
    points: Vec<ScriptPoint>,
    statements: Vec<(Place, StatementCode)>,
    conditions: Vec<ConditionCode>,
    /// For each slot, whether it is set again after its declaration.
    changed: Vec<bool>,
    /// The sort of each slot that is never set again, where it is certain.
    sorts: Vec<Option<Sort>>,
    scope: Vec<Slot>,
    next: u16,
    most: u16,
    loops: Vec<Loop>,
    /// For each closure around the current code, the register for its result, and the jumps of its `return`.
    closures: Vec<(Register, Vec<usize>)>,
}

/// Constants that are stored only once.
#[derive(PartialEq, Eq, Hash)]
enum ConstantKey {
    Nothing,
    Number(i64),
    Truth(bool),
    Known(u32),
}

/// The jumps of `break` and `continue` in a loop.
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

    fn function(&mut self, function: &Function, name: &str) -> CompileResult<FunctionCode> {
        let slots = function.names.len();
        let at = function.body.0.first().map_or(ScriptPoint::default(), |statement| statement.at);
        if slots > MAX_LOCALS_PER_FUNCTION {
            let message = "a function has too many variables of its own; put a part of it into a function of its own";
            return Err(CompileLimitError { message: message.into(), at });
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
            self.word_site(ASK_SETTINGS_WORD, &[], to, at)?;
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
            is_cached: false,
            steps: std::mem::take(&mut self.steps),
            points: std::mem::take(&mut self.points),
            statements: std::mem::take(&mut self.statements).into_iter().map(|(_, statement)| statement).collect(),
            begins,
            conditions: std::mem::take(&mut self.conditions),
            names: function.names.clone(),
        })
    }

    // Registers, constants, steps

    fn register(&mut self, at: ScriptPoint) -> CompileResult<Register> {
        self.registers(1, at)
    }

    /// Allocates consecutive registers; returns the first of them.
    fn registers(&mut self, count: u16, at: ScriptPoint) -> CompileResult<Register> {
        let first = self.next;
        self.next =
            first.checked_add(count).filter(|next| *next <= MAX_REGISTERS_PER_FUNCTION).ok_or_else(|| too_large(at))?;
        self.most = self.most.max(self.next);
        Ok(first)
    }

    fn constant(&mut self, value: RegisterValue, at: ScriptPoint) -> CompileResult<Operand> {
        let simple = match &value {
            RegisterValue::Nothing => Some(ConstantKey::Nothing),
            RegisterValue::Number(number) => Some(ConstantKey::Number(*number)),
            RegisterValue::Truth(truth) => Some(ConstantKey::Truth(truth.get())),
            RegisterValue::StaticText(number) => Some(ConstantKey::Known(number.get())),
            _ => None,
        };
        if let Some(known) = simple.as_ref().and_then(|simple| self.constants.get(simple)) {
            return Ok(*known);
        }
        let number = self.code.constants.len();
        if number >= usize::from(CONSTANT) {
            return Err(CompileLimitError { message: "the rules have too many different constants".into(), at });
        }
        self.code.constants.push(value);
        let operand = number as u16 | CONSTANT;
        if let Some(simple) = simple {
            self.constants.insert(simple, operand);
        }
        Ok(operand)
    }

    fn text(&mut self, text: &str) -> RegisterValue {
        RegisterValue::known(self.code.texts.add(text))
    }

    fn emit(&mut self, step: Step, at: ScriptPoint) -> CompileResult<usize> {
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

    /// Emits a jump back to a step.
    fn back(&mut self, to: Place, at: ScriptPoint) -> CompileResult<()> {
        let units = self.units_from(to);
        self.emit(Step::Back { to, units }, at)?;
        Ok(())
    }

    /// Number of units that the steps from `start` to here count.
    fn units_from(&self, start: Place) -> u16 {
        let steps = self.steps.get(usize::from(start)..).unwrap_or_default();
        let effort: usize = steps.iter().map(|step| self.effort_of(step)).sum();
        u16::try_from(1 + effort / MOVES_PER_UNIT).unwrap_or(u16::MAX)
    }

    /// The fixed effort of a step, in moves from one register to another.
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

    /// Length in bytes of a text that is known at compile time; 0 for any other operand.
    fn bytes_known(&self, operand: Operand) -> usize {
        let constant = (operand & CONSTANT != 0).then(|| self.code.constants.get(usize::from(operand & !CONSTANT)));
        constant.flatten().and_then(|value| self.code.texts.text(value)).map_or(0, |text| text.len())
    }

    /// Makes a jump go to the next step.
    fn patch_jump(&mut self, jump: usize) {
        let here = self.here();
        self.patch_jump_at(jump, here);
    }

    fn patch_jump_at(&mut self, jump: usize, place: Place) {
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

    fn patch_jumps(&mut self, jumps: Vec<usize>) {
        jumps.into_iter().for_each(|jump| self.patch_jump(jump));
    }

    fn nothing(&mut self, to: Register, at: ScriptPoint) -> CompileResult<()> {
        let from = self.constant(RegisterValue::Nothing, at)?;
        self.emit(Step::Move { to, from }, at)?;
        Ok(())
    }

    fn fail(&mut self, error: RuntimeError, at: ScriptPoint) -> CompileResult<()> {
        let number = numbered(self.code.failures.len(), at)?;
        self.code.failures.push(error);
        self.emit(Step::Fail { number }, at)?;
        Ok(())
    }
}

/// Maximum number of local names of one function.
const MAX_LOCALS_PER_FUNCTION: usize = 1024;

const MAX_REGISTERS_PER_FUNCTION: u16 = 0x4000;

fn too_large(at: ScriptPoint) -> CompileLimitError {
    CompileLimitError { message: "this function is too large; put a part of it into a function of its own".into(), at }
}

/// Converts a count to the width that steps hold.
fn numbered(count: usize, at: ScriptPoint) -> CompileResult<u16> {
    u16::try_from(count).map_err(|_| CompileLimitError { message: "the rules are too large".into(), at })
}
