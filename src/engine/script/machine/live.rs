//! Liveness analysis: which registers of a function can still be read.
//!
//! Calls do not clear their registers, and results stay where they were; only what may be read again counts as held
//! memory. The same analysis checks, when a function is compiled, that no register is read before it is written.

use super::code::{CONSTANT, CallSite, Code, MAX_ARGUMENTS, Question, Register, Step, Walk, WordSite};
use super::value::RegisterValue;
use crate::script::program::FunctionId;
use crate::sorted::{SortedMap, SortedSet};
use std::ops::Range;

/// Maximum number of words in the bit sets of a function; beyond that, every register counts as live.
const MAX_BITSET_WORDS: usize = 1 << 20;

/// For each step of a function, which of some registers may be read from there on before they are written.
pub struct LiveRegisters {
    /// The bit of each register; `None` for registers that are not analysed.
    bits: Vec<Option<u16>>,
    /// The number of words in the bit set of a step, and the bit sets of all steps, with an empty one behind the last.
    words: usize,
    read: Vec<u64>,
    /// The number of words that were computed.
    effort: usize,
}

impl LiveRegisters {
    /// Analyses some registers, each named once. Goes through the steps from the last to the first, and again as long
    /// as loops lead back to something new. `None` where that takes too long.
    pub fn of(code: &Code, steps: &[Step], registers: impl IntoIterator<Item = Register>) -> Option<Self> {
        let mut bits: Vec<Option<u16>> = Vec::new();
        let mut count = 0;
        for register in registers {
            bits.resize(bits.len().max(usize::from(register) + 1), None);
            bits[usize::from(register)] = Some(count);
            count += 1;
        }
        let words = usize::from(count).div_ceil(64);
        if words * (steps.len() + 1) > MAX_BITSET_WORDS {
            return None;
        }
        let mut live = Self { bits, words, read: vec![0; words * (steps.len() + 1)], effort: 0 };
        let mut now = vec![0; words];
        let mut is_new = true;
        while std::mem::take(&mut is_new) {
            live.effort += live.read.len();
            for (place, step) in steps.iter().enumerate().rev() {
                now.fill(0);
                if !ends(step) {
                    now.copy_from_slice(live.at(place + 1));
                    writes(step, &mut |register| live.mark(&mut now, register, false));
                }
                if let Some(target) = target(step) {
                    // A jump that ends a walk leaves the item as it is.
                    now.iter_mut().zip(live.at(usize::from(target))).for_each(|(now, there)| *now |= there);
                }
                reads(code, step, &mut |register| live.mark(&mut now, register, true));
                if live.at(place) != now {
                    live.read[place * words..][..words].copy_from_slice(&now);
                    is_new = true;
                }
            }
        }
        Some(live)
    }

    /// Whether a register may be read from a step on; true for registers that are not analysed.
    pub fn is_read(&self, place: usize, register: Register) -> bool {
        let Some(bit) = self.bit(register) else { return true };
        self.at(place).get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1)
    }

    fn bit(&self, register: Register) -> Option<usize> {
        self.bits.get(usize::from(register)).copied().flatten().map(usize::from)
    }

    fn at(&self, place: usize) -> &[u64] {
        self.read.get(place * self.words..(place + 1) * self.words).unwrap_or_default()
    }

    fn mark(&self, now: &mut [u64], register: Register, is_read: bool) {
        let Some(bit) = self.bit(register) else { return };
        match is_read {
            true => now[bit / 64] |= 1 << (bit % 64),
            false => now[bit / 64] &= !(1 << (bit % 64)),
        }
    }
}

/// A call in progress: its function, the step that it has reached, and the range of its registers.
pub struct ActiveCall {
    /// The function.
    pub function: FunctionId,
    /// Index of the next step.
    pub place: usize,
    /// The range of the call's registers in the stack.
    pub registers: Range<usize>,
}

/// Clears the registers of calls that cannot be read again before they are written. Returns the effort, as a number of
/// visited values.
pub fn clear_dead_registers(code: &Code, calls: &[ActiveCall], stack: &mut [RegisterValue]) -> usize {
    let mut holding: SortedMap<FunctionId, SortedSet<Register>> = SortedMap::new();
    let holds = |stack: &[RegisterValue], call: &ActiveCall| -> Vec<usize> {
        call.registers.clone().filter(|&place| stack.get(place).is_some_and(|value| value.bytes_behind() > 0)).collect()
    };
    for call in calls {
        let registers = holds(stack, call).into_iter().map(|place| (place - call.registers.start) as Register);
        holding.entry(call.function).or_default().extend(registers);
    }
    let mut effort = 0;
    // Calls of one function share an analysis, however many are on the stack.
    for (function, registers) in holding {
        let Some(steps) = code.functions.get(usize::from(function)).map(|function| &function.steps[..]) else {
            continue;
        };
        let Some(live) = LiveRegisters::of(code, steps, registers) else { continue };
        effort += live.effort;
        for call in calls.iter().filter(|call| call.function == function) {
            for place in holds(stack, call) {
                if !live.is_read(call.place, (place - call.registers.start) as Register) {
                    stack[place] = RegisterValue::Nothing;
                }
            }
        }
    }
    effort
}

/// Whether the run never goes on to the step behind this one.
fn ends(step: &Step) -> bool {
    matches!(step, Step::Jump { .. } | Step::Back { .. } | Step::Return { .. } | Step::Throw { .. } | Step::Fail { .. })
}

fn target(step: &Step) -> Option<u16> {
    match *step {
        Step::Jump { to }
        | Step::Back { to, .. }
        | Step::JumpIf { to, .. }
        | Step::JumpCompared { to, .. }
        | Step::JumpSmall { to, .. }
        | Step::JumpCase { to, .. }
        | Step::JumpUnlessRead { to, .. }
        | Step::Test { to, .. } => Some(to),
        Step::Next { end, .. } | Step::NextNumber { end, .. } => Some(end),
        _ => None,
    }
}

/// Reports the registers that a step reads.
fn reads(code: &Code, step: &Step, tell: &mut dyn FnMut(Register)) {
    let mut of =
        |operands: &[u16]| operands.iter().filter(|operand| *operand & CONSTANT == 0).for_each(|one| tell(*one));
    let from = |base: u16, offset: usize| base + offset as u16;
    let looked = |walk: u16| [from(walk, Walk::CHANGES_BEFORE), from(walk, Walk::RESULT)];
    match *step {
        Step::Move { from, .. } | Step::Not { from, .. } | Step::Negative { from, .. } | Step::Get { from, .. } => {
            of(&[from]);
        }
        Step::JumpIf { value, .. } | Step::Return { value } | Step::Throw { value } => of(&[value]),
        Step::JumpCompared { left, right, .. } | Step::Work { left, right, .. } => of(&[left, right]),
        Step::Increase { to, by } => of(&[to, by]),
        Step::JumpSmall { left, .. } | Step::Add { left, .. } => of(&[left]),
        Step::JumpCase { value, literal, .. } => of(&[value, literal]),
        Step::Call { site, .. } => {
            let site: Option<&CallSite> = code.calls.get(usize::from(site));
            site.into_iter().for_each(|site| of(&site.arguments));
        }
        Step::Word { site, .. } => {
            let site: Option<&WordSite> = code.words.get(usize::from(site));
            site.into_iter().for_each(|site| of(&site.arguments[..usize::from(site.count).min(MAX_ARGUMENTS)]));
        }
        Step::Set { of: owner, value, .. } => of(&[owner, value]),
        Step::List { base, count, .. } | Step::Join { base, count, .. } => {
            (base..base + count).for_each(|register| of(&[register]));
        }
        Step::Range { from, last, .. } | Step::Count { from, last, .. } => of(&[from, last]),
        Step::Entry { of: owner, index, .. } => of(&[owner, index]),
        Step::SetEntry { list, index, value } => of(&[list, index, value]),
        Step::Push { list, value } => of(&[list, value]),
        Step::Begin { of: list, .. } => of(&[list]),
        Step::Next { walk, .. } => of(&[from(walk, Walk::LIST), from(walk, Walk::TAKEN_COUNT)]),
        Step::NextNumber { walk, .. } => of(&[walk, walk + 1]),
        Step::Test { walk, .. } => of(&looked(walk)),
        Step::Sum { walk, sum: made }
        | Step::Gather { walk, list: made }
        | Step::Chosen { walk, list: made }
        | Step::Extend { walk, options: made }
        | Step::Rank { walk, ranks: made } => {
            of(&looked(walk));
            of(&[made]);
        }
        Step::Empty { walk, .. } => of(&[from(walk, Walk::LIST)]),
        Step::Keep { kept, item } => of(&[kept, item]),
        Step::Kept { kept, walk, .. } => of(&[kept, from(walk, Walk::LIST)]),
        Step::Better { walk, best, item, .. } => {
            of(&looked(walk));
            of(&[best, item]);
        }
        Step::Best { best, .. } => of(&[best, best + 1]),
        Step::Sorted { walk, ranks, .. } => of(&[from(walk, Walk::LIST), ranks]),
        Step::ChoiceOf { to, walk, seat } => of(&[to, from(walk, Walk::LIST), seat]),
        Step::Offer { question, from: offered, .. } => {
            of(&[offered, from(question, Question::SEAT), from(question, Question::PROMPT)]);
        }
        Step::Others { from: others, question, .. } => {
            of(&[others, from(question, Question::ALLOWED), from(question, Question::CHANGES_BEFORE)]);
        }
        Step::Fits { walk, question, item } => {
            of(&looked(walk));
            of(&[item, from(question, Question::ALLOWED), from(question, Question::REFUSED)]);
        }
        Step::Refuse { walk, question, item } => {
            of(&looked(walk));
            of(&[item, from(question, Question::REFUSED)]);
        }
        Step::Ask { question, .. } => {
            (question..from(question, Question::CHANGES_BEFORE)).for_each(|register| of(&[register]));
        }
        Step::Jump { .. }
        | Step::Back { .. }
        | Step::Fail { .. }
        | Step::BeginTogether
        | Step::EndTogether
        | Step::EndReasons => {}
        Step::JumpUnlessRead { question, .. } => of(&[question + Question::ALLOWED as u16]),
    }
}

/// Reports the registers that a step writes before the next one.
fn writes(step: &Step, tell: &mut dyn FnMut(Register)) {
    match *step {
        Step::Move { to, .. }
        | Step::Call { to, .. }
        | Step::Word { to, .. }
        | Step::Get { to, .. }
        | Step::Work { to, .. }
        | Step::Increase { to, .. }
        | Step::Add { to, .. }
        | Step::Not { to, .. }
        | Step::Negative { to, .. }
        | Step::List { to, .. }
        | Step::Join { to, .. }
        | Step::Range { to, .. }
        | Step::Entry { to, .. }
        | Step::Empty { to, .. }
        | Step::Best { to, .. }
        | Step::Kept { to, .. }
        | Step::Sorted { to, .. }
        | Step::ChoiceOf { to, .. }
        | Step::Others { to, .. }
        | Step::Ask { to, .. } => tell(to),
        Step::Next { item, .. } | Step::NextNumber { item, .. } => tell(item),
        Step::JumpUnlessRead { question, .. } => tell(question + Question::CHANGES_BEFORE as u16),
        Step::Begin { walk, .. } => (walk..walk + Walk::RESULT as u16).for_each(tell),
        Step::Count { walk, .. } => [walk, walk + 1].into_iter().for_each(tell),
        Step::Offer { question, filtered, .. } => {
            tell(question + Question::REFUSED as u16);
            if !filtered {
                tell(question + Question::ALLOWED as u16);
            }
        }
        _ => {}
    }
}
