//! Which registers of a function can still be read.
//!
//! Calls do not clear their registers, and what was worked out stays where it was; only what may be read again counts
//! as held. The same look tells, when a function is compiled, that no register is read before it is written.

use super::code::{CONSTANT, CallSite, Code, FunctionCode, MAX_ARGUMENTS, Question, Register, Step, Walk, WordSite};
use super::value::V;

/// So many steps are gone through at most to know what can still be read; beyond that everything can.
const PATIENCE: usize = 1 << 20;

/// Empties the registers that cannot be read again before they are written, where a call has come to `place`.
pub fn forget_the_dead(code: &Code, function: &FunctionCode, place: usize, registers: &mut [V]) {
    let holding: Vec<usize> = (0..registers.len()).filter(|&number| registers[number].bytes_behind() > 0).collect();
    if holding.len() * function.steps.len() > PATIENCE {
        return;
    }
    for number in holding {
        if !is_read_from(code, &function.steps, place, number as Register) {
            registers[number] = V::Nothing;
        }
    }
}

/// Whether a register may be read before it is written, from a step on.
pub fn is_read_from(code: &Code, steps: &[Step], place: usize, register: Register) -> bool {
    let mut seen = vec![false; steps.len()];
    let mut open = vec![place];
    while let Some(place) = open.pop() {
        let Some(step) = steps.get(place).filter(|_| !std::mem::replace(&mut seen[place], true)) else { continue };
        if reads(code, step, register) {
            return true;
        }
        if let Some(target) = target(step) {
            // A jump that ends a walk leaves the item as it is.
            open.push(usize::from(target));
        }
        if !writes(step, register) && !ends(step) {
            open.push(place + 1);
        }
    }
    false
}

/// Whether the step behind is never the next one.
fn ends(step: &Step) -> bool {
    matches!(step, Step::Jump { .. } | Step::Back { .. } | Step::Return { .. } | Step::Throw { .. } | Step::Fail { .. })
}

fn target(step: &Step) -> Option<u16> {
    match *step {
        Step::Jump { to }
        | Step::Back { to }
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

fn reads(code: &Code, step: &Step, register: Register) -> bool {
    let is = |operand: u16| operand == register && operand & CONSTANT == 0;
    let one_of = |base: u16, offsets: &[usize]| offsets.iter().any(|offset| is(base + *offset as u16));
    let looked = |walk: u16| one_of(walk, &[Walk::CHANGES, Walk::GIVEN]);
    match *step {
        Step::Move { from, .. } | Step::Not { from, .. } | Step::Negative { from, .. } | Step::Get { from, .. } => {
            is(from)
        }
        Step::JumpIf { value, .. } | Step::Return { value } | Step::Throw { value } => is(value),
        Step::JumpCompared { left, right, .. } | Step::Work { left, right, .. } => is(left) || is(right),
        Step::Increase { to, by } => is(to) || is(by),
        Step::JumpSmall { left, .. } | Step::Add { left, .. } => is(left),
        Step::JumpCase { value, literal, .. } => is(value) || is(literal),
        Step::Call { site, .. } => {
            let site: Option<&CallSite> = code.calls.get(usize::from(site));
            site.is_some_and(|site| site.arguments.iter().any(|argument| is(*argument)))
        }
        Step::Word { site, .. } => {
            let site: Option<&WordSite> = code.words.get(usize::from(site));
            site.is_some_and(|site| {
                let count = usize::from(site.count).min(MAX_ARGUMENTS);
                site.arguments[..count].iter().any(|argument| is(*argument))
            })
        }
        Step::Set { of, value, .. } => is(of) || is(value),
        Step::List { base, count, .. } | Step::Join { base, count, .. } => (base..base + count).contains(&register),
        Step::Range { from, last, .. } | Step::Count { from, last, .. } => is(from) || is(last),
        Step::Entry { of, index, .. } => is(of) || is(index),
        Step::SetEntry { list, index, value } => is(list) || is(index) || is(value),
        Step::Push { list, value } => is(list) || is(value),
        Step::Begin { of, .. } => is(of),
        Step::Next { walk, .. } => one_of(walk, &[Walk::LIST, Walk::TAKEN]),
        Step::NextNumber { walk, .. } => one_of(walk, &[0, 1]),
        Step::Test { walk, .. } => looked(walk),
        Step::Sum { walk, sum } => looked(walk) || is(sum),
        Step::Gather { walk, list } | Step::Chosen { walk, list } => looked(walk) || is(list),
        Step::Empty { walk, .. } => one_of(walk, &[Walk::LIST]),
        Step::Keep { kept, item } => is(kept) || is(item),
        Step::Kept { kept, walk, .. } => is(kept) || one_of(walk, &[Walk::LIST]),
        Step::Better { walk, best, item, .. } => looked(walk) || is(best) || is(item),
        Step::Best { best, .. } => one_of(best, &[0, 1]),
        Step::Rank { walk, ranks } => looked(walk) || is(ranks),
        Step::Sorted { walk, ranks, .. } => one_of(walk, &[Walk::LIST]) || is(ranks),
        Step::ChoiceOf { to, walk, seat } => is(to) || one_of(walk, &[Walk::LIST]) || is(seat),
        Step::Offer { question, from, .. } => is(from) || one_of(question, &[Question::SEAT, Question::PROMPT]),
        Step::Others { from, question, .. } => is(from) || one_of(question, &[Question::LEGAL, Question::CHANGES]),
        Step::Fits { walk, question, item } => {
            looked(walk) || is(item) || one_of(question, &[Question::LEGAL, Question::REFUSED])
        }
        Step::Refuse { walk, question, item } => looked(walk) || is(item) || one_of(question, &[Question::REFUSED]),
        Step::Ask { question, .. } => (question..question + Question::CHANGES as u16).contains(&register),
        Step::Jump { .. }
        | Step::Back { .. }
        | Step::Fail { .. }
        | Step::BeginTogether
        | Step::EndTogether
        | Step::EndReasons
        | Step::JumpUnlessRead { .. } => false,
    }
}

fn writes(step: &Step, register: Register) -> bool {
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
        | Step::Ask { to, .. } => to == register,
        Step::Next { item, .. } | Step::NextNumber { item, .. } => item == register,
        Step::JumpUnlessRead { question, .. } => question + Question::CHANGES as u16 == register,
        Step::Begin { walk, .. } => (walk..walk + Walk::GIVEN as u16).contains(&register),
        Step::Count { walk, .. } => (walk..walk + 2).contains(&register),
        Step::Offer { question, filtered: true, .. } => question + Question::REFUSED as u16 == register,
        Step::Offer { question, .. } => {
            [Question::LEGAL, Question::REFUSED].iter().any(|offset| question + *offset as u16 == register)
        }
        _ => false,
    }
}
