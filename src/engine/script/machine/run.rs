//! The machine: runs code on a table, stops anywhere, and continues from there.
//!
//! A [`Machine`] is plain data, so a run can be copied at any step. It knows no clock and no thread: it counts what it
//! does, and returns when a slice of that is used up, so that the host can check for stop requests in between.

use super::call_cache::CallCache;
use super::code::{
    CONSTANT, Code, Getter, Operand, Question, ReadOnlyWord, StatementCode, Step, Walk, WordSite, key_of,
};
use super::dependencies::PlainArguments;
use super::hooks::{Frames, Hook, StatementContext};
use super::live::{ActiveCall, clear_dead_registers};
use super::meter::{Limits, Meter, MeterCheck, weight, weight_of_both, weight_of_work};
use super::operators::{addition_error, apply_operator, apply_operator_at, compared, ordered, written_add};
use super::questions::{ask, check_offered_once, refuse};
use super::runtime_error::RuntimeError;
use super::value::{List, RegisterValue, bytes_held, within_text};
use super::walks::{
    changes_now, compare_ranks, forbidden_change_fault, is_rank, keep, next_of, sorted, table_change_fault,
    walked_list, wrong_result,
};
use super::words::{Arguments, NativeWord, WordBody, WordError, parts_of};
use crate::diagnostic::message;
use crate::script::MAX_CALL_DEPTH;
use crate::script::program::{Binary, FunctionId};
use crate::script::sorts::Sort;
use crate::script::vocabulary::bodies::within_limit;
use crate::table::choices::Choices;
use crate::table::decision::NOT_ALLOWED;
use crate::table::decision::{Halt, Play};
use crate::table::event::ScriptPoint;
use crate::table::layout::FaceValue;
use crate::table::value::{Value, Zone};
use crate::table::{Fault, Table};
use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt::Write;
use std::sync::Arc;

/// A run in progress.
#[derive(Debug, Default)]
pub struct Machine {
    stack: Vec<RegisterValue>,
    frames: Vec<Frame>,
    /// End of the innermost call's registers in `stack`; values behind it are left over.
    top: usize,
    /// The limits of the run, and what has been used of them.
    pub meter: Meter,
    /// The meter before the code for reasons ran; `None` while no such code runs.
    aside: Option<Box<Meter>>,
    /// How many of the statements that begin at the next step the hook has been told of.
    told: u16,
    cache: CallCache,
}

impl Clone for Machine {
    fn clone(&self) -> Self {
        Self {
            stack: self.stack.get(..self.top).unwrap_or_default().to_vec(),
            frames: self.frames.clone(),
            top: self.top,
            meter: self.meter.clone(),
            aside: self.aside.clone(),
            told: self.told,
            cache: CallCache::default(),
        }
    }

    /// Reuses the allocated memory of `self`.
    fn clone_from(&mut self, of: &Self) {
        let Self { stack, frames, top, meter, aside, told, cache: _ } = of;
        if self.stack.len() < *top {
            self.stack.resize(*top, RegisterValue::Nothing);
        }
        self.stack.iter_mut().zip(&stack[..*top]).for_each(|(place, value)| RegisterValue::put(place, value.clone()));
        self.frames.clone_from(frames);
        self.meter.clone_from(meter);
        self.aside.clone_from(aside);
        (self.top, self.told) = (*top, *told);
    }
}

/// A frame of the call stack: one call in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The called function.
    pub function: FunctionId,
    /// Index of the next step; in a call that waits for another, of the step behind that call.
    pub place: u32,
    /// Index of the call's first register in the stack.
    pub(super) base: u32,
    /// The register of the caller for the result.
    pub(super) to: u16,
}

/// Why the machine stopped.
#[derive(Debug)]
pub enum Stop {
    /// The function that was started has returned this value.
    Returned(RegisterValue),
    /// The answerer or the table halted the run. The run can continue: the step that asked is repeated.
    Halted(Halt),
    /// The rules failed.
    Failed(Box<Failure>),
    /// A hook stopped the run before a statement. The run can continue.
    Watched,
    /// The slice is used up. The run can continue.
    Sliced,
}

/// Why and where the rules failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The error.
    pub error: RuntimeError,
    /// The call stack, the outermost call first, with the point that each call had reached.
    pub calls: Vec<(FunctionId, ScriptPoint)>,
}

/// The value of an operand.
#[inline(always)]
pub(super) fn operand<'a>(
    registers: &'a [RegisterValue],
    constants: &'a [RegisterValue],
    at: Operand,
) -> &'a RegisterValue {
    if at & CONSTANT == 0 { &registers[usize::from(at)] } else { &constants[usize::from(at & !CONSTANT)] }
}

/// The reason why a step was not done.
enum StepStop {
    RuntimeError(RuntimeError),
    Halt(Halt),
}

impl<T: Into<RuntimeError>> From<T> for StepStop {
    fn from(error: T) -> Self {
        match error.into() {
            RuntimeError::Fault(Fault::Halt(halt)) => Self::Halt(halt),
            error => Self::RuntimeError(error),
        }
    }
}

impl Machine {
    /// A machine without a run.
    pub fn new(limits: Limits) -> Self {
        Self { meter: Meter::new(limits), ..Self::default() }
    }

    /// Begins a run of a function.
    pub fn start(&mut self, code: &Code, function: FunctionId, arguments: &[RegisterValue]) {
        self.frames.clear();
        self.told = 0;
        self.aside = None;
        let registers = code.functions.get(usize::from(function)).map_or(0, |function| usize::from(function.registers));
        self.top = registers.max(arguments.len());
        if self.stack.len() < self.top {
            self.stack.resize(self.top, RegisterValue::Nothing);
        }
        let given = arguments.iter().cloned().chain(std::iter::repeat(RegisterValue::Nothing));
        self.stack[..self.top].iter_mut().zip(given).for_each(|(register, value)| RegisterValue::put(register, value));
        self.frames.push(Frame { function, place: 0, base: 0, to: 0 });
    }

    /// Takes over the results of calls that another machine has cached, which then has none.
    pub fn take_cache_of(&mut self, other: &mut Self) {
        self.cache = std::mem::take(&mut other.cache);
    }

    /// Looks every call up among the cached results from now on, whether that pays or not.
    pub fn cache_eagerly(&mut self) {
        self.cache.be_eager();
    }

    /// The call stack of the run.
    pub fn frames<'a>(&'a self, code: &'a Code) -> Frames<'a> {
        Frames { code, stack: &self.stack, frames: &self.frames, told: self.told }
    }

    /// Approximate size of a copy of the run in bytes, without memory that it shares with this one.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.top * size_of::<RegisterValue>() + size_of_val(&self.frames[..])
    }

    /// Approximate size of the run in bytes, memory shared with copies included.
    pub fn bytes_held(&self) -> usize {
        let registers = self.stack.get(..self.top).unwrap_or_default();
        size_of::<Self>() + bytes_held(registers).0 + size_of_val(&self.frames[..])
    }

    /// Runs until the function that was started returns, or there is a reason to stop. A run that was halted, stopped
    /// by a hook or whose slice was used up continues from there when this is called again.
    pub(crate) fn run<H: Hook>(&mut self, code: &Code, play: &mut Play<'_>, hook: &mut H, slice: u64) -> Stop {
        self.meter.begin_slice(slice);
        if H::SKIPS {
            self.cache.begin(code);
        }
        let stop = self.steps(code, play, hook);
        if matches!(stop, Ok(Stop::Sliced) | Err(StepStop::Halt(_))) {
            // The step will be repeated, and the statements that begin with it have begun.
            self.told = self.beginning(code).len() as u16;
            // A step that ends the game is not repeated.
            if !matches!(stop, Err(StepStop::Halt(Halt::Over))) {
                hook.again();
            }
        }
        match stop {
            Ok(stop) => stop,
            Err(StepStop::Halt(halt)) => Stop::Halted(halt),
            Err(StepStop::RuntimeError(error)) => {
                hook.failed();
                // What the code for reasons has used does not count, even if it failed.
                if let Some(before) = self.aside.take() {
                    self.meter = *before;
                }
                Stop::Failed(Box::new(Failure { error, calls: self.calls(code) }))
            }
        }
    }

    /// The call stack, the outermost call first, with the point that each call has reached.
    pub fn calls(&self, code: &Code) -> Vec<(FunctionId, ScriptPoint)> {
        let frames = self.frames(code);
        (0..frames.len())
            .filter_map(|depth| Some((frames.function(depth)?.0, frames.point(depth).unwrap_or_default())))
            .collect()
    }

    /// The statements that begin at the next step.
    fn beginning<'c>(&self, code: &'c Code) -> &'c [StatementCode] {
        let Some(frame) = self.frames.last() else { return &[] };
        let Some(function) = code.functions.get(usize::from(frame.function)) else { return &[] };
        let begin = function.begins.get(frame.place as usize).copied().unwrap_or(0);
        let Some(first) = begin.checked_sub(1).map(usize::from) else { return &[] };
        let behind = function.statements.get(first..).unwrap_or_default();
        let count = behind.iter().take_while(|statement| u32::from(statement.place) == frame.place).count();
        behind.get(..count).unwrap_or_default()
    }

    /// Tells the hook of the statements that begin at the next step; true if the run has to stop.
    fn tell<H: Hook>(&mut self, code: &Code, play: &Play<'_>, hook: &mut H) -> bool {
        for statement in self.beginning(code).iter().skip(usize::from(self.told)) {
            self.told += 1;
            let frames = Frames { code, stack: &self.stack, frames: &self.frames, told: self.told };
            if !hook.statement(&StatementContext { code, statement, table: play.table, frames }) {
                return true;
            }
        }
        self.told = 0;
        false
    }

    /// Measures the memory that the run holds.
    #[cold]
    fn look_at_memory(&mut self, code: &Code) -> Result<(), RuntimeError> {
        self.stack.truncate(self.top);
        let held = self.frames.iter().enumerate().map(|(number, frame)| {
            let end = self.frames.get(number + 1).map_or(self.top, |next| next.base as usize);
            ActiveCall { function: frame.function, place: frame.place as usize, registers: frame.base as usize..end }
        });
        let held: Vec<ActiveCall> = held.collect();
        let effort = clear_dead_registers(code, &held, &mut self.stack);
        let (bytes, looked_at) = bytes_held(&self.stack);
        self.meter.record_measurement(bytes, looked_at + effort)
    }

    #[allow(
        clippy::too_many_lines,
        reason = "one arm for each kind of step, and the compiler makes one table of jumps of it"
    )]
    fn steps<H: Hook>(&mut self, code: &Code, play: &mut Play<'_>, hook: &mut H) -> Result<Stop, StepStop> {
        let constants = &code.constants[..];
        let texts = &code.texts;
        // Whether the hook has been told of the statement at the next step.
        let mut is_told = !H::WATCHES;
        'frames: loop {
            if H::WATCHES && !is_told {
                if self.tell(code, play, hook) {
                    return Ok(Stop::Watched);
                }
                is_told = true;
            }
            if self.meter.needs_measurement() {
                self.look_at_memory(code)?;
            }
            let Self { stack, frames, top, meter, aside, cache, .. } = self;
            let depth = frames.len();
            let Some(frame) = frames.last_mut() else { return Ok(Stop::Returned(RegisterValue::Nothing)) };
            let function = &*code.functions[usize::from(frame.function)];
            if H::STEPS {
                hook.within(frame.function);
            }
            let base = frame.base as usize;
            let steps = &function.steps[..];
            let mut place = frame.place as usize;
            let registers = &mut stack[base..];
            macro_rules! fail {
                ($bad:expr) => {{
                    frame.place = place as u32 - 1;
                    return Err(StepStop::from($bad));
                }};
            }
            macro_rules! ok {
                ($result:expr) => {
                    match $result {
                        Ok(value) => value,
                        Err(bad) => fail!(bad),
                    }
                };
            }
            macro_rules! value {
                ($at:expr) => {
                    operand(registers, constants, $at)
                };
            }
            // Counts units; where a slice is used up, the step is repeated when the run continues.
            macro_rules! count {
                ($units:expr) => {
                    if meter.count($units) {
                        match meter.check_limits($units) {
                            MeterCheck::GoOn => {}
                            MeterCheck::Slice => {
                                frame.place = place as u32 - 1;
                                return Ok(Stop::Sliced);
                            }
                            MeterCheck::Limit(reason) => fail!(RuntimeError::Limit(reason)),
                        }
                    }
                };
            }
            // Counts units that are usually 0.
            macro_rules! count_some {
                ($units:expr) => {{
                    let units: u64 = $units;
                    if units > 0 {
                        count!(units);
                    }
                }};
            }
            macro_rules! write {
                ($to:expr, $value:expr) => {
                    RegisterValue::put(&mut registers[usize::from($to)], $value)
                };
            }
            // Writes a value, and counts the bytes of one that lies behind a pointer.
            macro_rules! write_weighed {
                ($to:expr, $value:expr) => {{
                    let value = $value;
                    let bytes = if value.is_shared() { value.bytes_behind() } else { 0 };
                    write!($to, value);
                    if bytes > 0 && meter.count_written_bytes(bytes) {
                        frame.place = place as u32;
                        is_told = !H::WATCHES;
                        continue 'frames;
                    }
                }};
            }
            // The result of a function that may only look; fails if the function changed the table.
            macro_rules! looked {
                ($walk:expr) => {{
                    let walk = usize::from($walk);
                    let before = &registers[walk + Walk::CHANGES_BEFORE];
                    if !matches!(before, RegisterValue::Number(before) if *before == play.table.changes() as i64) {
                        fail!(table_change_fault(function, place, $walk));
                    }
                    &registers[walk + Walk::RESULT]
                }};
            }
            loop {
                if H::WATCHES && !std::mem::take(&mut is_told) && function.begins[place] != 0 {
                    frame.place = place as u32;
                    continue 'frames;
                }
                if H::STEPS {
                    hook.step(place);
                }
                let step = &steps[place];
                place += 1;
                match *step {
                    Step::Move { to, from } => {
                        let value = value!(from).clone();
                        write!(to, value);
                    }
                    Step::Jump { to } => place = usize::from(to),
                    Step::Back { to, units } => {
                        count!(u64::from(units));
                        place = usize::from(to);
                    }
                    Step::JumpIf { value, to, want } => match value!(value) {
                        RegisterValue::Truth(truth) => {
                            if truth.get() == want {
                                place = usize::from(to);
                            }
                        }
                        other => fail!(RuntimeError::Needed(Sort::Truth, other.sort())),
                    },
                    Step::JumpSmall { how, left, right, to } => {
                        let truth = match &registers[usize::from(left)] {
                            RegisterValue::Number(left) => ordered(how.operator(), left.cmp(&i64::from(right))),
                            left => {
                                let values = [left.clone(), RegisterValue::Number(i64::from(right))];
                                ok!(compared(code, play, how, &values, [0, 1]))
                            }
                        };
                        if truth == how.want() {
                            place = usize::from(to);
                        }
                    }
                    Step::JumpCompared { how, left, right, to } => {
                        let truth = match (value!(left), value!(right)) {
                            (RegisterValue::Number(left), RegisterValue::Number(right)) => {
                                ordered(how.operator(), left.cmp(right))
                            }
                            (one, other) => {
                                count_some!(weight_of_both(one, other, play.table));
                                ok!(compared(code, play, how, registers, [left, right]))
                            }
                        };
                        if truth == how.want() {
                            place = usize::from(to);
                        }
                    }
                    Step::JumpCase { value, literal, to, want } => {
                        let is_same = match (value!(value), value!(literal)) {
                            (RegisterValue::Number(one), RegisterValue::Number(other)) => one == other,
                            (RegisterValue::Truth(one), RegisterValue::Truth(other)) => one == other,
                            (RegisterValue::StaticText(one), RegisterValue::StaticText(other)) => one == other,
                            (one, other) => texts.text(one).is_some() && texts.text(one) == texts.text(other),
                        };
                        if is_same == want {
                            place = usize::from(to);
                        }
                    }
                    Step::Word { site, to } => {
                        let site = &code.words[usize::from(site)];
                        let given = Arguments { registers, constants, at: &site.arguments, texts };
                        let before = meter.used();
                        let Some(native) = form_of(site, &given) else { fail!(no_word(site, &given)) };
                        let units = native.units(&given, play.table);
                        count_some!(units);
                        play.table.set_point(function.points[place - 1]);
                        let (decisions, effort) = (play.table.decisions(), play.table.effort());
                        let value = match (native.body)(play, &given) {
                            Ok(value) => value,
                            Err(WordError::Sort) => fail!(no_word(site, &given)),
                            Err(WordError::Fault(fault)) => {
                                if matches!(*fault, Fault::Halt(_)) {
                                    // The step is repeated when the run continues, and counts then.
                                    meter.restore_count(before);
                                }
                                fail!(*fault)
                            }
                        };
                        meter.add(play.table.effort() - effort);
                        if native.asks && play.table.decisions() != decisions {
                            meter.begin_stretch(4 * units);
                        }
                        play.intervene_if_due();
                        write_weighed!(to, value);
                    }
                    Step::Get { site, to, from } => {
                        let of = value!(from);
                        let site = &code.properties[usize::from(site)];
                        let value = match (&site.getters[of.sort() as usize], of) {
                            (Some(Getter::SeatZone(first)), RegisterValue::Player(seat)) => {
                                RegisterValue::zone(Zone(first + u16::from(seat.get().0)))
                            }
                            (Some(Getter::Attribute(attribute)), RegisterValue::Component(component)) => {
                                match play.table.face_value(component.get(), usize::from(*attribute)) {
                                    FaceValue::Number(number) => RegisterValue::Number(number),
                                    FaceValue::Word(word) => code.attribute_words[usize::from(word)].clone(),
                                    FaceValue::Absent => fail!(absent(play.table, component.get(), &site.name)),
                                }
                            }
                            (Some(Getter::SeatVariable(first)), RegisterValue::Player(seat)) => {
                                let value = texts.of_variable(play.table, usize::from(*first) + seat.get().index());
                                meter.add(value.parts_held());
                                value
                            }
                            (Some(Getter::SeatZones(list)), RegisterValue::Player(seat)) => {
                                list.get(seat.get().index()).cloned().unwrap_or_default()
                            }
                            (Some(Getter::Variable(number)), _) => {
                                let value = texts.of_variable(play.table, usize::from(*number));
                                meter.add(value.parts_held());
                                value
                            }
                            (Some(Getter::DatumOr(_)), RegisterValue::Data(data))
                                if play.table.datum(data.get(), &site.name).is_ok() =>
                            {
                                texts.of_datum(ok!(play.table.datum(data.get(), &site.name)))
                            }
                            (Some(Getter::Word(native) | Getter::DatumOr(native)), _) => {
                                play.table.set_point(function.points[place - 1]);
                                let given = Arguments { registers, constants, at: &[from, 0, 0, 0, 0, 0], texts };
                                count_some!(native.units(&given, play.table));
                                let value = ok!(of_word(native.body, play, &given, || {
                                    RuntimeError::NoProperty(value!(from).sort(), site.name.clone())
                                }));
                                play.intervene_if_due();
                                value
                            }
                            (Some(Getter::Datum), RegisterValue::Data(data)) => {
                                texts.of_datum(ok!(play.table.datum(data.get(), &site.name)))
                            }
                            (Some(Getter::Part), option) => match texts.part(option, &site.name) {
                                Some(part) => part,
                                None => fail!(no_part(option, &site.name)),
                            },
                            _ => fail!(RuntimeError::NoProperty(of.sort(), site.name.clone())),
                        };
                        write_weighed!(to, value);
                    }
                    Step::Set { site, of, value } => {
                        let site = &code.properties[usize::from(site)];
                        let of = value!(of);
                        let number = match (&site.getters[of.sort() as usize], of) {
                            (Some(Getter::SeatVariable(first)), RegisterValue::Player(seat)) => {
                                usize::from(*first) + seat.get().index()
                            }
                            (Some(Getter::Variable(number)), _) => usize::from(*number),
                            _ => fail!(RuntimeError::NotSettable(of.sort(), site.name.clone())),
                        };
                        count_some!(weight(value!(value), play.table));
                        play.table.set_point(function.points[place - 1]);
                        let effort = play.table.effort();
                        let value = ok!(texts.to_variable(value!(value)));
                        ok!(play.table.set_variable(number, value));
                        meter.add(play.table.effort() - effort);
                        play.intervene_if_due();
                    }
                    Step::Increase { to, by } => {
                        let value = match (&registers[usize::from(to)], value!(by)) {
                            (RegisterValue::Number(number), RegisterValue::Number(by))
                                if let Some(sum) = number.checked_add(*by) =>
                            {
                                RegisterValue::Number(sum)
                            }
                            (RegisterValue::List(list), entry) if entry.sort() != Sort::List => {
                                let entry = entry.clone();
                                count!(1 + list.entries().len() as u64 / 32);
                                let mut longer = List::clone(list);
                                ok!(longer.push(entry));
                                RegisterValue::List(Arc::new(longer))
                            }
                            (RegisterValue::List(list), RegisterValue::List(more)) => {
                                count!(1 + (list.entries().len() + more.entries().len()) as u64 / 32);
                                let both = list.entries().iter().chain(more.entries()).cloned();
                                RegisterValue::List(Arc::new(ok!(List::of(both.collect()))))
                            }
                            (left, right) => {
                                count_some!(weight(left, play.table) + weight(right, play.table));
                                play.table.set_point(function.points[place - 1]);
                                ok!(apply_operator_at(code, play, Binary::Add, registers, [to, by]))
                            }
                        };
                        write_weighed!(to, value);
                    }
                    Step::Add { to, left, right } => {
                        let value = match value!(left) {
                            RegisterValue::Number(left) => match left.checked_add(i64::from(right)) {
                                Some(sum) => RegisterValue::Number(sum),
                                None => fail!(addition_error(*left, right)),
                            },
                            left => {
                                let (operator, right) = written_add(right);
                                ok!(apply_operator(code, play, operator, left, &RegisterValue::Number(right)))
                            }
                        };
                        write!(to, value);
                    }
                    Step::Work { operator, to, left, right } => {
                        let at = [left, right];
                        let value = match (operator, value!(left), value!(right)) {
                            (Binary::Add, RegisterValue::Number(left), RegisterValue::Number(right))
                                if let Some(sum) = left.checked_add(*right) =>
                            {
                                RegisterValue::Number(sum)
                            }
                            (Binary::Subtract, RegisterValue::Number(left), RegisterValue::Number(right))
                                if let Some(difference) = left.checked_sub(*right) =>
                            {
                                RegisterValue::Number(difference)
                            }
                            (operator, RegisterValue::Number(left), RegisterValue::Number(right))
                                if operator.compares() =>
                            {
                                RegisterValue::truth(ordered(operator, left.cmp(right)))
                            }
                            (operator, left, right) => {
                                count_some!(match operator.compares() {
                                    true => weight_of_both(left, right, play.table),
                                    false => weight_of_work(operator, left, right, play.table),
                                });
                                play.table.set_point(function.points[place - 1]);
                                ok!(apply_operator_at(code, play, operator, registers, at))
                            }
                        };
                        write_weighed!(to, value);
                    }
                    Step::Not { to, from } => match value!(from) {
                        RegisterValue::Truth(truth) => {
                            let truth = RegisterValue::truth(!truth.get());
                            write!(to, truth);
                        }
                        other => fail!(RuntimeError::NoPrefix("!", other.sort())),
                    },
                    Step::Negative { to, from } => match value!(from) {
                        RegisterValue::Number(number) => {
                            let Some(number) = number.checked_neg() else { fail!(RuntimeError::NumberTooLarge) };
                            write!(to, RegisterValue::Number(number));
                        }
                        other => fail!(RuntimeError::NoPrefix("-", other.sort())),
                    },
                    Step::Call { site, to } => {
                        let call = &code.calls[usize::from(site)];
                        let callee = &code.functions[usize::from(call.function)];
                        count!(u64::from(callee.units));
                        if H::SKIPS {
                            if !callee.is_cached || play.table.alarm_is_due() {
                                cache.record(call.function);
                            } else if cache.is_asked(call.function) {
                                let mut arguments = PlainArguments::default();
                                let are_plain = call.arguments.iter().all(|&at| arguments.push(value!(at)));
                                let state = (&*play.table, &mut *meter, depth);
                                let tell = |function| {
                                    if H::CALLS {
                                        hook.call(function);
                                    }
                                };
                                if are_plain && let Some(value) = cache.look_up(call.function, &arguments, state, tell)
                                {
                                    if H::CALLS {
                                        hook.call(call.function);
                                    }
                                    write!(to, value);
                                    continue;
                                }
                            }
                        }
                        let above = *top;
                        frame.place = place as u32;
                        if frames.len() >= MAX_CALL_DEPTH {
                            return Err(StepStop::RuntimeError(RuntimeError::TooDeep));
                        }
                        *top += usize::from(callee.registers);
                        if stack.len() < *top {
                            stack.resize(*top + SPARE_REGISTERS, RegisterValue::Nothing);
                        }
                        let (below, fresh) = stack.split_at_mut(above);
                        let registers = &below[base..];
                        for (register, &argument) in fresh.iter_mut().zip(&call.arguments) {
                            RegisterValue::put(register, operand(registers, constants, argument).clone());
                        }
                        frames.push(Frame { function: call.function, place: 0, base: above as u32, to });
                        if H::CALLS {
                            hook.call(call.function);
                        }
                        is_told = !H::WATCHES;
                        continue 'frames;
                    }
                    Step::Return { value } => {
                        let value = match value & CONSTANT {
                            0 => std::mem::take(&mut registers[usize::from(value)]),
                            _ => value!(value).clone(),
                        };
                        let to = frame.to;
                        *top = base;
                        if H::SKIPS {
                            cache.returned(depth, &value, meter);
                        }
                        frames.pop();
                        match frames.last() {
                            None => return Ok(Stop::Returned(value)),
                            Some(caller) => {
                                RegisterValue::put(&mut stack[caller.base as usize + usize::from(to)], value)
                            }
                        }
                        is_told = !H::WATCHES;
                        continue 'frames;
                    }
                    Step::Throw { value } => {
                        let said = match value!(value) {
                            RegisterValue::Number(number) => Some(number.to_string()),
                            RegisterValue::Truth(truth) => Some(truth.get().to_string()),
                            other => texts.text(other).map(|text| text.to_string()),
                        };
                        fail!(RuntimeError::Thrown(said));
                    }
                    Step::Fail { number } => fail!(code.failures[usize::from(number)].clone()),
                    Step::List { to, base, count } => {
                        let row = &mut registers[usize::from(base)..usize::from(base + count)];
                        let entries: Vec<RegisterValue> = row.iter_mut().map(std::mem::take).collect();
                        let list = ok!(List::of(entries));
                        write_weighed!(to, RegisterValue::List(Arc::new(list)));
                    }
                    Step::Join { to, base, count } => {
                        let mut text = String::new();
                        for at in base..base + count {
                            let before = text.len();
                            ok!(write_text(&mut text, code, play, registers, at));
                            // A value that is no text costs its conversion to words.
                            if registers[usize::from(at)].sort() != Sort::Text {
                                meter.add(((text.len() - before) / BYTES_PER_UNIT) as u64);
                            }
                        }
                        write_weighed!(to, texts.of_str(&text));
                    }
                    Step::Range { to, from, last, with_end } => {
                        let (RegisterValue::Number(from), RegisterValue::Number(last)) = (value!(from), value!(last))
                        else {
                            fail!(RuntimeError::NoRange(value!(from).sort(), value!(last).sort()));
                        };
                        let range = RegisterValue::range(*from, *last, with_end);
                        write!(to, range);
                    }
                    Step::Entry { to, of, index } => {
                        let value = match (value!(of), value!(index)) {
                            (RegisterValue::List(list), RegisterValue::Number(number)) => match entry_at(list, *number)
                            {
                                Some(position) => {
                                    let entry = list.entries()[position].clone();
                                    write!(to, entry);
                                    continue;
                                }
                                None => fail!(RuntimeError::NoPosition(*number, list.entries().len())),
                            },
                            (option @ (RegisterValue::Option(_) | RegisterValue::Chosen(_)), index)
                                if let Some(name) = texts.text(index) =>
                            {
                                match texts.part(option, name) {
                                    Some(part) => part,
                                    None => fail!(no_part(option, name)),
                                }
                            }
                            (owner, number) => {
                                let sorts = [owner.sort(), number.sort()];
                                let found = code
                                    .entries
                                    .as_ref()
                                    .and_then(|forms| forms.find(sorts[0], || key_of(sorts.into_iter())));
                                let Some(native) = found else { fail!(no_entry(sorts)) };
                                play.table.set_point(function.points[place - 1]);
                                let given = Arguments { registers, constants, at: &[of, index, 0, 0, 0, 0], texts };
                                count_some!(native.units(&given, play.table));
                                let value = ok!(of_word(native.body, play, &given, || no_entry(sorts)));
                                play.intervene_if_due();
                                value
                            }
                        };
                        write_weighed!(to, value);
                    }
                    Step::SetEntry { list, index, value } => {
                        let (number, entry) = (value!(index).clone(), value!(value).clone());
                        match (&mut registers[usize::from(list)], number) {
                            (RegisterValue::List(list), RegisterValue::Number(number)) => {
                                let length = list.entries().len();
                                let Some(position) = entry_at(list, number) else {
                                    fail!(RuntimeError::NoPosition(number, length));
                                };
                                count!(1 + length as u64 / 32);
                                ok!(Arc::make_mut(list).set(position, entry));
                                if meter.count_copied_bytes(16 * length) {
                                    frame.place = place as u32;
                                    is_told = !H::WATCHES;
                                    continue 'frames;
                                }
                            }
                            (other, _) => fail!(RuntimeError::NoEntries(other.sort())),
                        }
                    }
                    Step::Push { list, value } => {
                        let entry = value!(value).clone();
                        let sort = entry.sort();
                        match &mut registers[usize::from(list)] {
                            RegisterValue::List(list) => {
                                // The cost of a copy each time, because the list may be shared.
                                let length = list.entries().len();
                                count!(1 + length as u64 / 32);
                                ok!(Arc::make_mut(list).push(entry));
                                if meter.count_copied_bytes(16 * length) {
                                    frame.place = place as u32;
                                    is_told = !H::WATCHES;
                                    continue 'frames;
                                }
                            }
                            other => {
                                fail!(RuntimeError::NoWord { name: "push".into(), given: vec![other.sort(), sort] })
                            }
                        }
                    }
                    Step::Count { walk, from, last, with_end } => {
                        let (RegisterValue::Number(from), RegisterValue::Number(last)) = (value!(from), value!(last))
                        else {
                            fail!(RuntimeError::NoRange(value!(from).sort(), value!(last).sort()));
                        };
                        let last = if with_end { Some(*last) } else { last.checked_sub(1) };
                        let (from, last) = last.map_or((1, 0), |last| (*from, last));
                        write!(walk, RegisterValue::Number(from));
                        write!(walk + 1, RegisterValue::Number(last));
                    }
                    Step::NextNumber { walk, item, end } => {
                        let walk = usize::from(walk);
                        match (&registers[walk], &registers[walk + 1]) {
                            (RegisterValue::Number(next), RegisterValue::Number(last)) if next <= last => {
                                let (next, last) = (*next, *last);
                                write!(item, RegisterValue::Number(next));
                                match next.checked_add(1) {
                                    Some(further) => {
                                        RegisterValue::put(&mut registers[walk], RegisterValue::Number(further))
                                    }
                                    // No number follows the largest one.
                                    None => {
                                        RegisterValue::put(&mut registers[walk + 1], RegisterValue::Number(last - 1))
                                    }
                                }
                            }
                            _ => place = usize::from(end),
                        }
                    }
                    Step::Begin { walk, of, how } => {
                        let (list, changes) = ok!(walked_list(play.table, texts, value!(of), how));
                        let walk = usize::from(walk);
                        RegisterValue::put(&mut registers[walk + Walk::TAKEN_COUNT], RegisterValue::Number(0));
                        RegisterValue::put(&mut registers[walk + Walk::CHANGES_BEFORE], RegisterValue::Number(changes));
                        count_some!(match &list {
                            RegisterValue::List(list) => list.entries().len() as u64 / 16,
                            RegisterValue::Range(_) => 0,
                            other => weight(other, play.table),
                        });
                        write_weighed!(walk as u16, list);
                    }
                    Step::Next { walk, item, end } => {
                        let walk = usize::from(walk);
                        let RegisterValue::Number(taken) = registers[walk + Walk::TAKEN_COUNT] else {
                            fail!(RuntimeError::NumberTooLarge)
                        };
                        match next_of(play.table, texts, &registers[walk], taken as usize) {
                            Some(value) => {
                                RegisterValue::put(
                                    &mut registers[walk + Walk::TAKEN_COUNT],
                                    RegisterValue::Number(taken + 1),
                                );
                                write!(item, value);
                            }
                            None => place = usize::from(end),
                        }
                    }
                    Step::Test { walk, to, want } => match looked!(walk) {
                        RegisterValue::Truth(truth) => {
                            if truth.get() == want {
                                place = usize::from(to);
                            }
                        }
                        other => fail!(wrong_result("true or false", other)),
                    },
                    Step::Sum { walk, sum } => match (looked!(walk), &registers[usize::from(sum)]) {
                        (RegisterValue::Number(number), RegisterValue::Number(before)) => {
                            match before.checked_add(*number) {
                                Some(number) => write!(sum, RegisterValue::Number(number)),
                                None => fail!(RuntimeError::Arithmetic(Binary::Add, *before, *number)),
                            }
                        }
                        (other, _) => fail!(wrong_result("a number", other)),
                    },
                    Step::Gather { walk, list } => {
                        let entry = looked!(walk).clone();
                        if let RegisterValue::List(list) = &mut registers[usize::from(list)] {
                            ok!(Arc::make_mut(list).push(entry));
                        }
                        if meter.count_written_bytes(16) {
                            frame.place = place as u32;
                            is_told = !H::WATCHES;
                            continue 'frames;
                        }
                    }
                    Step::Extend { walk, options } => {
                        let given = looked!(walk);
                        count_some!(weight(given, play.table));
                        let more = match given {
                            RegisterValue::Options(more) => more.clone(),
                            other => match texts.text(other) {
                                Some(text) => Arc::new(Choices::values(Value::Text(text.clone()))),
                                None => fail!(wrong_result("options, or a text as one of them", other)),
                            },
                        };
                        if let RegisterValue::Options(options) = &mut registers[usize::from(options)] {
                            ok!(within_limit("options", options.len() + more.len()));
                            Arc::make_mut(options).append(&more);
                        }
                        if meter.count_written_bytes(more.bytes()) {
                            frame.place = place as u32;
                            is_told = !H::WATCHES;
                            continue 'frames;
                        }
                    }
                    Step::Empty { to, walk } => {
                        let empty = match &registers[usize::from(walk) + Walk::LIST] {
                            RegisterValue::Zone(_) | RegisterValue::Few(_) | RegisterValue::Components(_) => {
                                RegisterValue::of_components(&[])
                            }
                            RegisterValue::FewZones(_) | RegisterValue::Zones(_) => RegisterValue::of_zones(&[]),
                            RegisterValue::Players(_) => RegisterValue::of_players(&[]),
                            _ => RegisterValue::List(Arc::default()),
                        };
                        write!(to, empty);
                    }
                    Step::Keep { kept, item } => {
                        let item = registers[usize::from(item)].clone();
                        ok!(keep(&mut registers[usize::from(kept)], item));
                        if meter.count_written_bytes(8) {
                            frame.place = place as u32;
                            is_told = !H::WATCHES;
                            continue 'frames;
                        }
                    }
                    Step::Kept { to, kept, walk } => {
                        let kept = std::mem::take(&mut registers[usize::from(kept)]);
                        let value = match (&kept, &registers[usize::from(walk) + Walk::LIST]) {
                            (RegisterValue::List(list), RegisterValue::Options(_)) => {
                                let values = ok!(texts.to_values(list));
                                RegisterValue::Options(Arc::new(values.into_iter().collect()))
                            }
                            _ => kept,
                        };
                        write_weighed!(to, value);
                    }
                    Step::Better { walk, best, item, highest } => {
                        let rank = looked!(walk);
                        count_some!(weight(rank, play.table));
                        if !is_rank(rank) {
                            fail!(wrong_result("a number or a list of numbers", rank));
                        }
                        let wanted = if highest { Ordering::Greater } else { Ordering::Less };
                        let is_better = match &registers[usize::from(best)] {
                            RegisterValue::Nothing => true,
                            other => compare_ranks(rank, other) == wanted,
                        };
                        if is_better {
                            let (rank, item) = (rank.clone(), registers[usize::from(item)].clone());
                            write!(best, rank);
                            write!(best + 1, item);
                        }
                    }
                    Step::Best { to, best, highest } => {
                        if matches!(registers[usize::from(best)], RegisterValue::Nothing) {
                            let word = if highest { ReadOnlyWord::MaxBy } else { ReadOnlyWord::MinBy };
                            fail!(Fault::rule(message!("`{}` has nothing to choose from", word.name())));
                        }
                        let value = std::mem::take(&mut registers[usize::from(best) + 1]);
                        write!(to, value);
                    }
                    Step::Rank { walk, ranks } => {
                        let rank = looked!(walk);
                        count_some!(weight(rank, play.table));
                        if !is_rank(rank) {
                            fail!(wrong_result("a number or a list of numbers", rank));
                        }
                        let rank = rank.clone();
                        if let RegisterValue::List(ranks) = &mut registers[usize::from(ranks)] {
                            ok!(Arc::make_mut(ranks).push(rank));
                        }
                        if meter.count_written_bytes(16) {
                            frame.place = place as u32;
                            is_told = !H::WATCHES;
                            continue 'frames;
                        }
                    }
                    Step::Sorted { to, walk, ranks } => {
                        let list = &registers[usize::from(walk) + Walk::LIST];
                        let RegisterValue::List(ranks) = &registers[usize::from(ranks)] else {
                            fail!(RuntimeError::NumberTooLarge)
                        };
                        let order = u64::from(ranks.entries().len().checked_ilog2().unwrap_or(0));
                        count_some!(order * ranks.parts() / 16);
                        let value = sorted(play.table, list, ranks);
                        write_weighed!(to, value);
                    }
                    Step::BeginTogether => {
                        play.table.set_point(function.points[place - 1]);
                        ok!(play.table.begin_together());
                    }
                    Step::EndTogether => play.table.end_together(),
                    Step::Chosen { walk, list } => {
                        let walk_at = usize::from(walk);
                        let before = &registers[walk_at + Walk::CHANGES_BEFORE];
                        if !matches!(before, RegisterValue::Number(before) if *before == play.table.changes_by_rules() as i64)
                        {
                            fail!(table_change_fault(function, place, walk));
                        }
                        let choice = registers[walk_at + Walk::RESULT].clone();
                        if let RegisterValue::List(list) = &mut registers[usize::from(list)] {
                            ok!(Arc::make_mut(list).push(choice));
                        }
                    }
                    Step::ChoiceOf { to, walk, seat } => {
                        let asked = registers[usize::from(walk) + Walk::LIST].players();
                        let choice = match (&registers[usize::from(to)], &registers[usize::from(seat)]) {
                            (RegisterValue::List(chosen), RegisterValue::Player(seat)) => {
                                let position = asked.as_slice().iter().position(|other| *other == seat.get());
                                position.and_then(|position| chosen.entries().get(position)).cloned()
                            }
                            _ => None,
                        };
                        write!(to, choice.unwrap_or_default());
                    }
                    Step::Offer { question, from, filtered, secretly } => {
                        play.table.set_point(function.points[place - 1]);
                        let question = usize::from(question);
                        let offered = value!(from);
                        let asked = (&registers[question + Question::SEAT], &registers[question + Question::PROMPT]);
                        let (RegisterValue::Player(_), Some(prompt)) = (asked.0, texts.text(asked.1)) else {
                            let mut given = vec![asked.0.sort(), asked.1.sort(), offered.sort()];
                            given.extend((!filtered).then_some(Sort::List));
                            given.push(Sort::Function);
                            let word = if secretly { ReadOnlyWord::ChooseSecretly } else { ReadOnlyWord::Choose };
                            fail!(RuntimeError::NoWord { name: word.name().into(), given });
                        };
                        count_some!(weight(offered, play.table));
                        if filtered {
                            ok!(check_offered_once(play.table, texts, prompt, offered, secretly));
                            registers[question + Question::REFUSED] = RegisterValue::Refused(Arc::default());
                            continue;
                        }
                        let legal = match offered {
                            RegisterValue::Options(list) => list.clone(),
                            other => Arc::new(Choices::values(ok!(parts_of(play.table, other, texts)))),
                        };
                        registers[question + Question::REFUSED] = RegisterValue::Refused(Arc::default());
                        write_weighed!((question + Question::ALLOWED) as u16, RegisterValue::Options(legal));
                    }
                    Step::JumpUnlessRead { to, question } => {
                        let question = usize::from(question);
                        // Where nothing is allowed, the rules fail and report the reasons, whoever answers.
                        let is_stuck = matches!(&registers[question + Question::ALLOWED], RegisterValue::Options(legal) if legal.is_empty());
                        if is_stuck || play.wants_reasons() {
                            if aside.is_some() {
                                fail!(forbidden_change_fault(
                                    "the code that says why something is not allowed asks a player"
                                ));
                            }
                            *aside = Some(Box::new(meter.clone()));
                            registers[question + Question::CHANGES_BEFORE] = changes_now(play.table);
                        } else {
                            place = usize::from(to);
                        }
                    }
                    Step::EndReasons => {
                        if let Some(before) = aside.take() {
                            *meter = *before;
                        }
                    }
                    Step::Others { to, from, question } => {
                        let question = usize::from(question);
                        match (&registers[question + Question::CHANGES_BEFORE], changes_now(play.table)) {
                            (RegisterValue::Number(before), RegisterValue::Number(now)) if *before == now => {}
                            _ => {
                                fail!(forbidden_change_fault("the others that are given to `choose` change the table"))
                            }
                        }
                        let legal = &registers[question + Question::ALLOWED];
                        let others = ok!(parts_of(play.table, value!(from), texts));
                        count_some!(others.len() as u64 + weight(legal, play.table));
                        let others: Choices = match legal {
                            RegisterValue::Options(legal) => {
                                let legal: HashSet<Value> = legal.iter().collect();
                                others.iter().filter(|value| !legal.contains(value)).collect()
                            }
                            _ => Choices::values(others),
                        };
                        write_weighed!(to, RegisterValue::Options(Arc::new(others)));
                    }
                    Step::Fits { walk, question, item } => {
                        let question = usize::from(question);
                        let answer = looked!(walk).clone();
                        let item = &registers[usize::from(item)];
                        let mut bytes = 16;
                        let why: Arc<str> = match &answer {
                            RegisterValue::Truth(truth) if truth.get() => {
                                let item = item.clone();
                                ok!(keep(&mut registers[question + Question::ALLOWED], item));
                                continue;
                            }
                            RegisterValue::Truth(_) => NOT_ALLOWED.into(),
                            other => match texts.text(other) {
                                Some(why) => why.clone(),
                                None => fail!(wrong_result("true, false or a text that says why not", other)),
                            },
                        };
                        let value = ok!(texts.to_value(item));
                        bytes += 48 + value.bytes();
                        refuse(registers, question, value, why);
                        if meter.count_written_bytes(bytes) {
                            frame.place = place as u32;
                            is_told = !H::WATCHES;
                            continue 'frames;
                        }
                    }
                    Step::Refuse { walk, question, item } => {
                        let why = texts.text(looked!(walk)).cloned().unwrap_or_else(|| NOT_ALLOWED.into());
                        let value = ok!(texts.to_value(&registers[usize::from(item)]));
                        let bytes = 48 + value.bytes();
                        refuse(registers, usize::from(question), value, why);
                        if meter.count_written_bytes(bytes) {
                            frame.place = place as u32;
                            is_told = !H::WATCHES;
                            continue 'frames;
                        }
                    }
                    Step::Ask { to, question, secretly } => {
                        play.table.set_point(function.points[place - 1]);
                        let (value, options) = ok!(ask(play, texts, registers, usize::from(question), secretly));
                        meter.begin_stretch(options);
                        play.intervene_if_due();
                        write_weighed!(to, value);
                    }
                }
            }
        }
    }
}

/// Number of bytes that count as one unit when a value is put into words.
const BYTES_PER_UNIT: usize = 4;

/// Number of registers that are allocated beyond those that a call needs.
const SPARE_REGISTERS: usize = 256;

/// The form of a word that takes the arguments; `None` where there is none.
#[inline(always)]
pub(super) fn form_of(site: &WordSite, given: &Arguments<'_>) -> Option<&'static NativeWord> {
    let first = if site.count == 0 { Sort::Nothing } else { given.get(0).sort() };
    match site.forms.only(first) {
        None => form_by_all(site, given, first),
        only => only,
    }
}

/// The form of a word that takes the arguments, by the sorts of all of them.
#[inline(never)]
fn form_by_all(site: &WordSite, given: &Arguments<'_>, first: Sort) -> Option<&'static NativeWord> {
    site.forms.find(first, || key_of((0..usize::from(site.count)).map(|number| given.get(number).sort())))
}

#[cold]
fn no_word(site: &WordSite, given: &Arguments<'_>) -> RuntimeError {
    let given = (0..usize::from(site.count)).map(|number| given.get(number).sort()).collect();
    RuntimeError::NoWord { name: site.name.clone(), given }
}

fn of_word(
    body: WordBody,
    play: &mut Play<'_>,
    given: &Arguments<'_>,
    unfit: impl FnOnce() -> RuntimeError,
) -> Result<RegisterValue, RuntimeError> {
    body(play, given).map_err(|why| match why {
        WordError::Sort => unfit(),
        WordError::Fault(fault) => (*fault).into(),
    })
}

#[cold]
fn absent(table: &Table, component: crate::table::value::Component, name: &str) -> Fault {
    Fault::rule(message!("{} has no {name}", table.label(component)))
}

/// The position in a list that a number means; negative numbers count from the end. `None` outside the list.
#[inline]
fn entry_at(list: &List, number: i64) -> Option<usize> {
    let length = list.entries().len();
    let position = if number < 0 { number.checked_add(length as i64)? } else { number };
    usize::try_from(position).ok().filter(|position| *position < length)
}

#[cold]
fn no_part(option: &RegisterValue, name: &str) -> Fault {
    let parts = option.parts();
    Fault::unknown("part", name, parts.iter().flat_map(|parts| parts.0.iter().map(|(part, _)| &**part)))
}

#[cold]
fn no_entry([of, index]: [Sort; 2]) -> RuntimeError {
    if of.can_be_looped() && of != Sort::Range {
        return RuntimeError::Needed(Sort::Number, index);
    }
    RuntimeError::NoEntries(of)
}

/// Writes a value as `${…}` does.
fn write_text(
    text: &mut String,
    code: &Code,
    play: &mut Play<'_>,
    registers: &[RegisterValue],
    at: Operand,
) -> Result<(), RuntimeError> {
    let value = &registers[usize::from(at)];
    match value {
        RegisterValue::Number(number) => {
            // Writing to a text cannot fail.
            let _ = write!(text, "{number}");
        }
        RegisterValue::Truth(truth) => text.push_str(if truth.get() { "true" } else { "false" }),
        RegisterValue::Nothing => {}
        RegisterValue::StaticText(_) | RegisterValue::Text(_) => {
            text.push_str(code.texts.text(value).map_or("", |part| part))
        }
        other => {
            let sort = other.sort();
            let native = code.to_text.as_ref().and_then(|forms| forms.find(sort, || key_of([sort].into_iter())));
            match native {
                Some(native) => {
                    let given = Arguments { registers, constants: &[], at: &[at, 0, 0, 0, 0, 0], texts: &code.texts };
                    match of_word(native.body, play, &given, || RuntimeError::NoEntries(sort)) {
                        Ok(part) => text.push_str(code.texts.text(&part).map_or("", |part| part)),
                        // The part is too long, which is reported for the whole text.
                        Err(_) if sort == Sort::List => text.push_str(&code.texts.shown(play.table, other)),
                        Err(error) => return Err(error),
                    }
                }
                None => text.push_str(sort.name()),
            }
        }
    }
    Ok(within_text(text.len())?)
}
