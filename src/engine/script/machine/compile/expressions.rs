//! Compiles expressions: conditions to jumps, values to registers.

use super::lambdas::only_expression;
use super::{CompileResult, Compiler, numbered};
use crate::script::machine::code::{CONSTANT, Comparison, ConditionCode, Operand, Register, Step};
use crate::script::machine::runtime_error::RuntimeError;
use crate::script::machine::value::RegisterValue;
use crate::script::program::{Binary, Expr, ExprKind, FunctionValue, Slot};
use crate::script::sorts::Sort;
use crate::table::Fault;
use crate::table::event::ScriptPoint;

impl Compiler<'_> {
    /// Emits jumps that are taken if a condition comes out as wanted; returns them for [`Self::patch_jump`].
    pub(super) fn jump(&mut self, condition: &Expr, want: bool) -> CompileResult<Vec<usize>> {
        let mark = self.next;
        let at = condition.at;
        let jumps = match &condition.kind {
            _ if let Some(RegisterValue::Truth(truth)) = self.constant_of(condition) => match truth.get() == want {
                true => vec![self.emit(Step::Jump { to: 0 }, at)?],
                false => Vec::new(),
            },
            ExprKind::Not(inner) if self.is_certain_truth(inner) => {
                let jumps = self.jump(inner, !want)?;
                self.negate_last(&jumps, condition, inner);
                jumps
            }
            ExprKind::And(list) | ExprKind::Or(list) => {
                // The value that decides alone: false for `&&`, true for `||`.
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
                self.patch_jumps(over);
                jumps
            }
            ExprKind::Binary(operator, sides) if operator.compares() => {
                let how = Comparison::new(*operator, want);
                let small = match self.constant_of(&sides[1]) {
                    Some(RegisterValue::Number(number)) => i16::try_from(number).ok(),
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

    /// Emits a step that decides a condition.
    pub(super) fn decide(&mut self, step: Step, at: ScriptPoint, condition: &Expr) -> CompileResult<usize> {
        let place = self.here();
        let jump = self.emit(step, at)?;
        let (first, last) = (condition.start(), condition.last());
        self.conditions.push(ConditionCode { place, first, last, is_negated: false });
        Ok(jump)
    }

    /// Marks the condition that was decided last as negated by a `!`, which is a part of the condition. Several
    /// operands each stay as they are.
    pub(super) fn negate_last(&mut self, jumps: &[usize], condition: &Expr, inner: &Expr) {
        if let ([jump], Some(last)) = (jumps, self.conditions.last_mut())
            && usize::from(last.place) == *jump
            && !matches!(inner.kind, ExprKind::And(_) | ExprKind::Or(_))
        {
            (last.first, last.is_negated) = (condition.start(), !last.is_negated);
        }
    }

    /// Emits a step that decides the result of a function for one item of a walk.
    pub(super) fn test(
        &mut self,
        walk: Register,
        want: bool,
        function: &FunctionValue,
        at: ScriptPoint,
    ) -> CompileResult<usize> {
        let step = Step::Test { walk, to: 0, want };
        match function {
            FunctionValue::Closure(_, body) if let Some(condition) = only_expression(body) => {
                self.decide(step, at, condition)
            }
            _ => self.emit(step, at),
        }
    }

    /// Whether an expression can only be true or false, so that `!` before it needs no step of its own.
    pub(super) fn is_certain_truth(&self, expression: &Expr) -> bool {
        match &expression.kind {
            ExprKind::Binary(operator, _) => operator.compares(),
            ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Not(_) | ExprKind::Truth(_) => true,
            _ => self.sort_of(expression) == Some(Sort::Truth),
        }
    }

    /// Evaluates several expressions, one after the other; returns their operands once all have been evaluated.
    pub(super) fn operands<const N: usize>(&mut self, list: [&Expr; N]) -> CompileResult<[Operand; N]> {
        let mut found = [0; N];
        for number in 0..N {
            found[number] = self.stable_operand(list[number], list[number + 1..].iter().copied())?;
        }
        Ok(found)
    }

    pub(super) fn all_operands(&mut self, list: &[Expr]) -> CompileResult<Vec<Operand>> {
        (0..list.len()).map(|number| self.stable_operand(&list[number], list[number + 1..].iter())).collect()
    }

    /// The operand of an expression, which stays valid while later ones are evaluated.
    pub(super) fn stable_operand<'e>(
        &mut self,
        expression: &Expr,
        mut later: impl Iterator<Item = &'e Expr>,
    ) -> CompileResult<Operand> {
        let operand = self.operand(expression)?;
        let ExprKind::Local(slot) = expression.kind else { return Ok(operand) };
        if !self.is_changed(slot) || !later.any(|expression| changes(expression, slot)) {
            return Ok(operand);
        }
        let copy = self.register(expression.at)?;
        self.emit(Step::Move { to: copy, from: operand }, expression.at)?;
        Ok(copy)
    }

    /// The operand of an expression, which is evaluated if needed.
    pub(super) fn operand(&mut self, expression: &Expr) -> CompileResult<Operand> {
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

    /// Evaluates an expression into a register, which is written last of all.
    pub(super) fn into(&mut self, expression: &Expr, to: Register) -> CompileResult<()> {
        let (mark, at) = (self.next, expression.at);
        if let Some(value) = self.constant_of(expression) {
            let from = self.constant(value, at)?;
            self.emit(Step::Move { to, from }, at)?;
            return Ok(());
        }
        match &expression.kind {
            // Constants have been handled above.
            ExprKind::Nothing | ExprKind::Number(_) | ExprKind::Truth(_) | ExprKind::Text(_) | ExprKind::Global(_) => {
                self.nothing(to, at)?;
            }
            ExprKind::Local(slot) => {
                self.emit(Step::Move { to, from: *slot }, at)?;
            }
            ExprKind::Joined(parts) => {
                let (base, count) = self.consecutive_registers(parts, at)?;
                self.emit(Step::Join { to, base, count }, at)?;
            }
            ExprKind::List(entries) => {
                let (base, count) = self.consecutive_registers(entries, at)?;
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
                self.truth_of_jumps(to, true, falses, at)?;
            }
            ExprKind::Block(block) => self.block(block, Some(to))?,
            ExprKind::Function(_) => {
                let help = "a function can be used only where a word takes one, such as `players.any(|p| …)`";
                self.fail(Fault::rule(help).into(), at)?;
                self.nothing(to, at)?;
            }
            ExprKind::Unknown(name) => {
                self.fail(RuntimeError::UnknownName(name.clone()), at)?;
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

    /// Puts `truth` into a register, or its opposite where one of the jumps was taken.
    pub(super) fn truth_of_jumps(
        &mut self,
        to: Register,
        truth: bool,
        jumps: Vec<usize>,
        at: ScriptPoint,
    ) -> CompileResult<()> {
        let [straight, jumped] = [truth, !truth].map(RegisterValue::truth);
        let (straight, jumped) = (self.constant(straight, at)?, self.constant(jumped, at)?);
        self.emit(Step::Move { to, from: straight }, at)?;
        let over = self.emit(Step::Jump { to: 0 }, at)?;
        self.patch_jumps(jumps);
        self.emit(Step::Move { to, from: jumped }, at)?;
        self.patch_jump(over);
        Ok(())
    }

    /// Evaluates expressions into consecutive registers; returns the first register and the count.
    pub(super) fn consecutive_registers(&mut self, values: &[Expr], at: ScriptPoint) -> CompileResult<(Register, u16)> {
        let count = numbered(values.len(), at)?;
        let base = self.registers(count, at)?;
        for (value, register) in values.iter().zip(base..) {
            self.into(value, register)?;
        }
        Ok((base, count))
    }

    /// Changes the value of a register, as `+=` and other compound assignments do.
    pub(super) fn change(&mut self, operator: Binary, to: Register, by: Operand, at: ScriptPoint) -> CompileResult<()> {
        match operator {
            Binary::Add => self.emit(Step::Increase { to, by }, at).map(drop),
            operator => self.work(operator, to, to, by, at),
        }
    }

    pub(super) fn work(
        &mut self,
        operator: Binary,
        to: Register,
        left: Operand,
        right: Operand,
        at: ScriptPoint,
    ) -> CompileResult<()> {
        // The sign of the small number keeps how it was written, for an error message.
        let small = match (operator, self.value_at(right)) {
            (Binary::Add, Some(RegisterValue::Number(number @ 0..))) => i16::try_from(*number).ok(),
            (Binary::Subtract, Some(RegisterValue::Number(number @ 1..))) => i16::try_from(-number).ok(),
            _ => None,
        };
        let step = match small {
            Some(right) => Step::Add { to, left, right },
            None => Step::Work { operator, to, left, right },
        };
        self.emit(step, at)?;
        Ok(())
    }

    /// The value of an operand that is a constant; `None` for a register.
    pub(super) fn value_at(&self, operand: Operand) -> Option<&RegisterValue> {
        if operand & CONSTANT == 0 {
            return None;
        }
        self.code.constants.get(usize::from(operand & !CONSTANT))
    }
}

/// Whether evaluating an expression sets a local variable.
pub(super) fn changes(expression: &Expr, slot: Slot) -> bool {
    let mut found = false;
    expression.walk(&mut |piece| found |= piece.sets().is_some_and(|(set, _)| set == slot));
    found
}
