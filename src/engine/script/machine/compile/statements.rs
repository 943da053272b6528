//! Compiles statements: blocks, branches, loops, assignments and returns.

use super::{CompileResult, Compiler, Loop};
use crate::script::machine::code::{LoopKind, Place, Register, StatementCode, Step, Walk};
use crate::script::machine::value::RegisterValue;
use crate::script::program::{
    Binary, Block, Expr, ExprKind, For, Literal, Slot, Statement, StatementKind, Switch, Target,
};
use crate::script::sorts::Sort;
use crate::table::Fault;
use crate::table::event::ScriptPoint;

impl Compiler<'_> {
    /// Compiles a block; the value of its last statement goes to the register `to`, if there is one.
    pub(super) fn block(&mut self, block: &Block, to: Option<Register>) -> CompileResult<()> {
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

    pub(super) fn statement(&mut self, statement: &Statement, to: Option<Register>) -> CompileResult<()> {
        let at = statement.at;
        let number = self.statements.len();
        if statement.is_step {
            let (known, place) = (self.scope.clone(), self.here());
            self.statements.push((place, StatementCode { at, known, place, end: place }));
        }
        match &statement.kind {
            StatementKind::Let(slot, value) => {
                self.into(value, *slot)?;
                self.begin(*slot, self.sort_of(value));
            }
            StatementKind::Set { target, operator, value, at } => self.set(target, *operator, value, *at)?,
            StatementKind::If(condition, then, otherwise) => self.branch(condition, then, otherwise, to, at)?,
            StatementKind::Switch(switch) => self.switch(switch, to, at)?,
            StatementKind::While(condition, body) => {
                if statement.is_step {
                    // A hook is told of the loop once, and not of each iteration.
                    let next = self.here() + 1;
                    self.emit(Step::Jump { to: next }, at)?;
                }
                let start = self.here();
                let out = match condition {
                    Some(condition) => self.jump(condition, false)?,
                    None => Vec::new(),
                };
                self.loop_body(body, start, out, at)?;
            }
            StatementKind::For(parts) => self.for_loop(parts, at)?,
            StatementKind::Break | StatementKind::Continue => {
                let jump = self.emit(Step::Jump { to: 0 }, at)?;
                match (self.loops.last_mut(), &statement.kind) {
                    (Some(around), StatementKind::Break) => around.breaks.push(jump),
                    (Some(around), _) => around.continues.push(jump),
                    (None, _) => self.patch_jump(jump),
                }
            }
            StatementKind::Return(value) => self.emit_return(value.as_ref(), at)?,
            StatementKind::Throw(value) => {
                let value = match value {
                    Some(value) => self.operand(value)?,
                    None => self.constant(RegisterValue::Nothing, at)?,
                };
                self.emit(Step::Throw { value }, at)?;
            }
            StatementKind::Expr(value) => match to {
                Some(to) => self.into(value, to)?,
                None => {
                    self.operand(value)?;
                }
            },
            StatementKind::Block(block) => self.block(block, to)?,
        }
        let gives_nothing = matches!(
            statement.kind,
            StatementKind::Let(..) | StatementKind::Set { .. } | StatementKind::While(..) | StatementKind::For(_)
        );
        if let Some(to) = to.filter(|_| gives_nothing) {
            self.nothing(to, at)?;
        }
        let end = self.here();
        if let Some((_, own)) = self.statements.get_mut(number).filter(|_| statement.is_step) {
            own.end = end;
        }
        Ok(())
    }

    /// Declares a local name, which is known from now on.
    pub(super) fn begin(&mut self, slot: Slot, sort: Option<Sort>) {
        self.scope.push(slot);
        if let Some(known) = self.sorts.get_mut(usize::from(slot)) {
            *known = sort;
        }
    }

    pub(super) fn is_changed(&self, slot: Slot) -> bool {
        self.changed.get(usize::from(slot)).copied().unwrap_or(true)
    }

    pub(super) fn branch(
        &mut self,
        condition: &Expr,
        then: &Block,
        otherwise: &Block,
        to: Option<Register>,
        at: ScriptPoint,
    ) -> CompileResult<()> {
        // A condition that the settings decide is decided at compile time.
        if let Some(RegisterValue::Truth(truth)) = self.constant_of(condition) {
            return self.block(if truth.get() { then } else { otherwise }, to);
        }
        let to_else = self.jump(condition, false)?;
        self.block(then, to)?;
        if otherwise.0.is_empty() && to.is_none() {
            self.patch_jumps(to_else);
            return Ok(());
        }
        let over = self.emit(Step::Jump { to: 0 }, at)?;
        self.patch_jumps(to_else);
        self.block(otherwise, to)?;
        self.patch_jump(over);
        Ok(())
    }

    pub(super) fn switch(&mut self, switch: &Switch, to: Option<Register>, at: ScriptPoint) -> CompileResult<()> {
        let mark = self.next;
        let value =
            self.stable_operand(&switch.value, switch.cases.iter().filter_map(|case| case.condition.as_ref()))?;
        let mut out = Vec::new();
        for case in &switch.cases {
            let (mut hits, mut miss) = (Vec::new(), Vec::new());
            for (number, literal) in case.literals.iter().enumerate() {
                let literal = match literal {
                    Literal::Number(number) => RegisterValue::Number(*number),
                    Literal::Truth(truth) => RegisterValue::truth(*truth),
                    Literal::Text(text) => self.text(text),
                };
                let literal = self.constant(literal, at)?;
                let is_last = number + 1 == case.literals.len();
                let jump = self.emit(Step::JumpCase { value, literal, to: 0, want: !is_last }, at)?;
                if is_last { &mut miss } else { &mut hits }.push(jump);
            }
            self.patch_jumps(hits);
            if let Some(condition) = &case.condition {
                miss.extend(self.jump(condition, false)?);
            }
            self.value_of_case(&case.value, to)?;
            out.push(self.emit(Step::Jump { to: 0 }, at)?);
            self.patch_jumps(miss);
        }
        match (&switch.default, to) {
            (Some(default), to) => self.value_of_case(default, to)?,
            (None, Some(to)) => self.nothing(to, at)?,
            (None, None) => {}
        }
        self.patch_jumps(out);
        self.next = mark;
        Ok(())
    }

    pub(super) fn value_of_case(&mut self, value: &Expr, to: Option<Register>) -> CompileResult<()> {
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

    /// Compiles the body of a loop that begins at `start` and is over where one of the jumps `out` is taken.
    fn loop_body(&mut self, body: &Block, start: Place, out: Vec<usize>, at: ScriptPoint) -> CompileResult<()> {
        self.loops.push(Loop::default());
        self.block(body, None)?;
        let Loop { continues, breaks } = self.loops.pop().unwrap_or_default();
        // A jump back has to count units, so `continue` jumps to the one at the end.
        self.patch_jumps(continues);
        self.back(start, at)?;
        self.patch_jumps(out);
        self.patch_jumps(breaks);
        Ok(())
    }

    pub(super) fn for_loop(&mut self, parts: &For, at: ScriptPoint) -> CompileResult<()> {
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
                    let taken = walk + Walk::TAKEN_COUNT as u16;
                    self.emit(Step::Add { to: counter, left: taken, right: -1 }, at)?;
                    self.begin(counter, None);
                }
            }
        }
        self.next = walk + Walk::REGISTERS;
        self.loop_body(&parts.body, start, vec![end], at)?;
        self.scope.truncate(known);
        self.next = mark;
        Ok(())
    }

    pub(super) fn emit_return(&mut self, value: Option<&Expr>, at: ScriptPoint) -> CompileResult<()> {
        let Some((to, _)) = self.closures.last() else {
            let value = match value {
                Some(value) => self.operand(value)?,
                None => self.constant(RegisterValue::Nothing, at)?,
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

    pub(super) fn set(
        &mut self,
        target: &Target,
        operator: Option<Binary>,
        value: &Expr,
        at: ScriptPoint,
    ) -> CompileResult<()> {
        match (target, operator) {
            (Target::Local(slot, _), None) => self.into(value, *slot),
            (Target::Local(slot, _), Some(operator)) => {
                // The old value is read last.
                let right = self.operand(value)?;
                self.change(operator, *slot, right, at)
            }
            (Target::Property { of, name, at: name_at }, operator) => {
                let right = self.stable_operand(value, std::iter::once(of))?;
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
                let right = self.stable_operand(value, std::iter::once(index))?;
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
}
