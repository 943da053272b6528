//! Compiles words that take a function, which is inlined: `where`, `options`, `choose`, `together`.

use super::{CompileResult, Compiler, numbered};
use crate::diagnostic::message;
use crate::script::functions::FunctionInfo;
use crate::script::machine::code::{LoopKind, Question, ReadOnlyWord, Register, Step, Walk};
use crate::script::machine::runtime_error::RuntimeError;
use crate::script::machine::value::RegisterValue;
use crate::script::program::{Block, Expr, ExprKind, FunctionValue, Statement, StatementKind, WordCall};
use crate::script::sorts::Sort;
use crate::table::Fault;
use crate::table::event::ScriptPoint;
use std::sync::Arc;

impl Compiler<'_> {
    pub(super) fn word_with_function(
        &mut self,
        call: &WordCall,
        receiver: &Expr,
        given: &[Expr],
        to: Register,
        at: ScriptPoint,
    ) -> CompileResult<()> {
        use ReadOnlyWord::{All, Any, CountIf, Map, MaxBy, MinBy, Options, SortedBy, SumOf, Where};
        let function = |argument: &'_ Expr| match &argument.kind {
            ExprKind::Function(function) => Some((**function).clone()),
            _ => None,
        };
        let functions: Vec<Option<FunctionValue>> = given.iter().map(function).collect();
        let words = [Any, All, CountIf, Where, MaxBy, MinBy, SortedBy, SumOf, Map, Options];
        let looking = words.into_iter().find(|word| word.name() == &*call.name);
        let secretly = &*call.name == "choose_secretly";
        match (&*call.name, functions.as_slice()) {
            (_, [Some(function)]) if let Some(word) = looking => self.read_only_walk(word, receiver, function, to, at),
            ("for_each", [Some(function)]) => {
                let walk = self.walk(receiver, LoopKind::Each, at)?;
                self.each(walk, receiver, function, at, |_, _, _| Ok(Vec::new()))?;
                self.nothing(to, at)
            }
            ("pass_on", [Some(function)]) => {
                let zones = self.register(at)?;
                self.read_only_walk(ReadOnlyWord::PassOn, receiver, function, zones, at)?;
                self.word_site("pass_on", &[zones], to, at)
            }
            ("together", [Some(choose), Some(act)]) => self.together(receiver, choose, act, to, at),
            ("choose" | "choose_secretly", [None, None, Some(fits)]) => {
                self.choose(receiver, given, fits, secretly, to, at)
            }
            ("choose" | "choose_secretly", [None, None, None, Some(why)]) => {
                self.choose_explained(receiver, given, why, secretly, to, at)
            }
            _ => {
                let sort = |argument: &Expr| self.sort_of(argument).unwrap_or(Sort::Function);
                let given = std::iter::once(receiver).chain(given).map(sort).collect();
                self.fail(RuntimeError::NoWord { name: call.name.clone(), given }, at)
            }
        }
    }

    /// Begins a walk through something; returns the first register of the walk.
    pub(super) fn walk(&mut self, list: &Expr, how: LoopKind, at: ScriptPoint) -> CompileResult<Register> {
        let walk = self.registers(Walk::REGISTERS, at)?;
        let of = self.operand(list)?;
        self.emit(Step::Begin { walk, of, how }, at)?;
        self.next = walk + Walk::REGISTERS;
        Ok(walk)
    }

    /// Calls a function with each item of a walk. `after` handles the results, and returns the jumps that end the walk
    /// early.
    pub(super) fn each(
        &mut self,
        walk: Register,
        list: &Expr,
        function: &FunctionValue,
        at: ScriptPoint,
        after: impl FnOnce(&mut Self, Register, ScriptPoint) -> CompileResult<Vec<usize>>,
    ) -> CompileResult<Vec<usize>> {
        let sort = self.sort_of(list).and_then(Sort::gives);
        let parameter = match function {
            FunctionValue::Closure(parameters, _) => parameters.first().copied(),
            FunctionValue::Named(_) => None,
        };
        // The items stay as they are, whatever the function does to its parameter.
        let item = match parameter.filter(|slot| !self.is_changed(*slot)) {
            Some(slot) => slot,
            None => self.register(at)?,
        };
        let start = self.here();
        let end = self.emit(Step::Next { walk, item, end: 0 }, at)?;
        self.given_function(function, &[(item, sort)], walk + Walk::RESULT as u16, at)?;
        let out = after(self, item, at)?;
        self.back(start, at)?;
        self.patch_jump(end);
        Ok(out)
    }

    /// Calls a function with each item of a walk, and then makes a step that has the item in a register.
    fn each_then(
        &mut self,
        walk: Register,
        list: &Expr,
        function: &FunctionValue,
        at: ScriptPoint,
        step: impl FnOnce(Register) -> Step,
    ) -> CompileResult<()> {
        let after = |this: &mut Self, item, at| this.emit(step(item), at).map(|_| Vec::new());
        self.each(walk, list, function, at, after).map(drop)
    }

    /// Emits a call of a function with arguments in registers; the result goes to the register `to`.
    pub(super) fn given_function(
        &mut self,
        function: &FunctionValue,
        given: &[(Register, Option<Sort>)],
        to: Register,
        at: ScriptPoint,
    ) -> CompileResult<()> {
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
                    self.patch_jumps(returns);
                }
                self.scope.truncate(known);
                Ok(())
            }
            FunctionValue::Closure(parameters, _) => {
                let takes = |count| if count == 1 { "one value".into() } else { message!("{count} values") };
                let (has, wants) = (takes(parameters.len()), takes(given.len()));
                self.fail(
                    Fault::rule(message!("a function of {wants} is needed here, and this one takes {has}")).into(),
                    at,
                )
            }
            FunctionValue::Named(name) => {
                let named = |info: &FunctionInfo| info.is_reached_by(name) && info.parameters.len() == given.len();
                match self.functions.iter().position(named) {
                    Some(number) => {
                        let arguments = given.iter().map(|(register, _)| *register).collect();
                        self.call_site(numbered(number, at)?, arguments, to, at)
                    }
                    None => {
                        let given = given.iter().map(|(_, sort)| sort.unwrap_or(Sort::Nothing)).collect();
                        self.fail(RuntimeError::NoWord { name: name.clone(), given }, at)
                    }
                }
            }
        }
    }

    pub(super) fn read_only_walk(
        &mut self,
        word: ReadOnlyWord,
        list: &Expr,
        function: &FunctionValue,
        to: Register,
        at: ScriptPoint,
    ) -> CompileResult<()> {
        let result = self.register(at)?;
        let walk = self.walk(list, LoopKind::Look(word), at)?;
        match word {
            ReadOnlyWord::Any | ReadOnlyWord::All => {
                let want = word == ReadOnlyWord::Any;
                let out =
                    self.each(walk, list, function, at, |this, _, at| Ok(vec![this.test(walk, want, function, at)?]))?;
                return self.truth_of_jumps(to, !want, out, at);
            }
            ReadOnlyWord::CountIf => {
                let zero = self.constant(RegisterValue::Number(0), at)?;
                self.emit(Step::Move { to: result, from: zero }, at)?;
                self.each(walk, list, function, at, |this, _, at| {
                    let over = this.test(walk, false, function, at)?;
                    this.emit(Step::Add { to: result, left: result, right: 1 }, at)?;
                    this.patch_jump(over);
                    Ok(Vec::new())
                })?;
            }
            ReadOnlyWord::SumOf => {
                let zero = self.constant(RegisterValue::Number(0), at)?;
                self.emit(Step::Move { to: result, from: zero }, at)?;
                self.each_then(walk, list, function, at, |_| Step::Sum { walk, sum: result })?;
            }
            ReadOnlyWord::Where => {
                self.emit(Step::Empty { to: result, walk }, at)?;
                self.each(walk, list, function, at, |this, item, at| {
                    let over = this.test(walk, false, function, at)?;
                    this.emit(Step::Keep { kept: result, item }, at)?;
                    this.patch_jump(over);
                    Ok(Vec::new())
                })?;
                self.emit(Step::Kept { to, kept: result, walk }, at)?;
                return Ok(());
            }
            ReadOnlyWord::Map | ReadOnlyWord::PassOn => {
                self.emit(Step::List { to: result, base: result, count: 0 }, at)?;
                self.each_then(walk, list, function, at, |_| Step::Gather { walk, list: result })?;
            }
            ReadOnlyWord::Options => {
                let none = self.constant(RegisterValue::Options(Arc::default()), at)?;
                self.emit(Step::Move { to: result, from: none }, at)?;
                self.each_then(walk, list, function, at, |_| Step::Extend { walk, options: result })?;
            }
            ReadOnlyWord::MaxBy | ReadOnlyWord::MinBy => {
                let highest = word == ReadOnlyWord::MaxBy;
                // The best rank, and behind it the best item.
                let best = self.registers(2, at)?;
                self.nothing(best, at)?;
                self.nothing(best + 1, at)?;
                self.each_then(walk, list, function, at, |item| Step::Better { walk, best, item, highest })?;
                self.emit(Step::Best { to, best, highest }, at)?;
                return Ok(());
            }
            ReadOnlyWord::SortedBy => {
                let ranks = result;
                self.emit(Step::List { to: ranks, base: ranks, count: 0 }, at)?;
                self.each_then(walk, list, function, at, |_| Step::Rank { walk, ranks })?;
                self.emit(Step::Sorted { to, walk, ranks }, at)?;
                return Ok(());
            }
            ReadOnlyWord::Choose | ReadOnlyWord::ChooseSecretly => {}
        }
        self.emit(Step::Move { to, from: result }, at)?;
        Ok(())
    }

    pub(super) fn together(
        &mut self,
        players: &Expr,
        choose: &FunctionValue,
        act: &FunctionValue,
        to: Register,
        at: ScriptPoint,
    ) -> CompileResult<()> {
        let of = self.register(at)?;
        self.into(players, of)?;
        let chosen = self.register(at)?;
        let asked = self.registers(Walk::REGISTERS, at)?;
        self.emit(Step::Begin { walk: asked, of, how: LoopKind::Asking }, at)?;
        self.emit(Step::BeginTogether, at)?;
        self.emit(Step::List { to: chosen, base: chosen, count: 0 }, at)?;
        self.each_then(asked, players, choose, at, |_| Step::Chosen { walk: asked, list: chosen })?;
        self.emit(Step::EndTogether, at)?;
        let walk = self.registers(Walk::REGISTERS, at)?;
        self.emit(Step::Begin { walk, of, how: LoopKind::Each }, at)?;
        let (seat, choice) = (self.register(at)?, self.register(at)?);
        let start = self.here();
        let end = self.emit(Step::Next { walk, item: seat, end: 0 }, at)?;
        // The choices are in the order of the first walk.
        self.emit(Step::Move { to: choice, from: chosen }, at)?;
        self.emit(Step::ChoiceOf { to: choice, walk: asked, seat }, at)?;
        let given = [(seat, Some(Sort::Player)), (choice, None)];
        self.given_function(act, &given, walk + Walk::RESULT as u16, at)?;
        self.back(start, at)?;
        self.patch_jump(end);
        self.nothing(to, at)
    }

    /// The first register of a question, with the seat and the prompt evaluated.
    pub(super) fn question(&mut self, seat: &Expr, prompt: &Expr, at: ScriptPoint) -> CompileResult<Register> {
        let question = self.registers(Question::REGISTERS, at)?;
        self.into(seat, question + Question::SEAT as u16)?;
        self.into(prompt, question + Question::PROMPT as u16)?;
        Ok(question)
    }

    pub(super) fn choose(
        &mut self,
        seat: &Expr,
        given: &[Expr],
        fits: &FunctionValue,
        secretly: bool,
        to: Register,
        at: ScriptPoint,
    ) -> CompileResult<()> {
        let [prompt, options, _] = given else { return Ok(()) };
        let question = self.question(seat, prompt, at)?;
        let walk = self.registers(Walk::REGISTERS, at)?;
        let of = self.operand(options)?;
        self.emit(Step::Offer { question, from: of, filtered: true, secretly }, at)?;
        self.emit(Step::Begin { walk, of, how: LoopKind::Offered(secretly) }, at)?;
        self.emit(Step::Empty { to: question + Question::ALLOWED as u16, walk }, at)?;
        self.each_then(walk, options, fits, at, |item| Step::Fits { walk, question, item })?;
        self.emit(Step::Ask { to, question, secretly }, at)?;
        Ok(())
    }

    pub(super) fn choose_explained(
        &mut self,
        seat: &Expr,
        given: &[Expr],
        why: &FunctionValue,
        secretly: bool,
        to: Register,
        at: ScriptPoint,
    ) -> CompileResult<()> {
        let [prompt, options, others, reason] = given else { return Ok(()) };
        let word = if secretly { ReadOnlyWord::ChooseSecretly } else { ReadOnlyWord::Choose };
        // The game ends here whether or not somebody reads the reasons.
        if let Some(reach) = others.outside_effect().or_else(|| reason.outside_effect()) {
            let (word, what) = (word.name(), reach.words(&[]));
            let message = message!("the code that says why `{word}` does not allow something {what}");
            return self.fail(Fault::rule(message).into(), at);
        }
        let question = self.question(seat, prompt, at)?;
        let from = self.operand(options)?;
        self.emit(Step::Offer { question, from, filtered: false, secretly }, at)?;
        // The refused options are computed only where somebody may read the reasons.
        let unread = self.emit(Step::JumpUnlessRead { to: 0, question }, at)?;
        let list = self.register(at)?;
        let from = self.operand(others)?;
        self.emit(Step::Others { to: list, from, question }, at)?;
        let walk = self.registers(Walk::REGISTERS, at)?;
        self.emit(Step::Begin { walk, of: list, how: LoopKind::Look(word) }, at)?;
        self.each_then(walk, others, why, at, |item| Step::Refuse { walk, question, item })?;
        self.emit(Step::EndReasons, at)?;
        self.patch_jump(unread);
        self.emit(Step::Ask { to, question, secretly }, at)?;
        Ok(())
    }
}

/// The only expression of a function's body; `None` where the body is anything else.
pub(super) fn only_expression(body: &Block) -> Option<&Expr> {
    match body.0.as_slice() {
        [Statement { kind: StatementKind::Expr(only), .. }] => Some(only),
        _ => None,
    }
}
