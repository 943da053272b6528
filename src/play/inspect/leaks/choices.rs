//! Games in which one secret choice is another.

use super::first::{Moment, difference};
use super::{Leak, MOST_SAMPLES, Trouble, found};
use crate::script::Start;
use crate::script::rules::Rules;
use crate::table::decision::{Answers, Halt, Question};
use crate::table::value::Seat;
use crate::table::{Recording, Table};
use std::cell::RefCell;
use std::rc::Rc;

/// Makes some secret choices otherwise, up to the next decision of somebody else; gives how many.
pub(super) fn hunt(rules: &Rules, seed: u64, moments: &Rc<[Moment]>) -> Result<usize, Trouble> {
    let is_hidden_from_next = |number: &usize| {
        let made = &moments[*number].asked;
        let next = moments[*number..].iter().map(|moment| &moment.asked).find(|next| next.seat != made.seat);
        let Some(next) = next.filter(|next| next.seat.is_some() && made.seat.is_some()) else { return false };
        // Within a choice that is made together everything is secret until all have chosen.
        let is_secret = made.is_secret || made.together.is_some() && made.together == next.together;
        is_secret && made.limits == (1, 1) && made.options.len() > 1
    };
    let numbers: Vec<usize> = (0..moments.len()).filter(is_hidden_from_next).collect();
    let step = numbers.len().div_ceil(MOST_SAMPLES).max(1);
    let mut compared = 0;
    for &number in numbers.iter().step_by(step) {
        let leak = Rc::new(RefCell::new(None));
        let mut other = OtherChoice { moments: moments.clone(), number, next: 0, told: 0, leak: leak.clone() };
        // That the rules fail after another choice says nothing about secrets.
        let _ = rules.play(&Start::Game, seed, &mut other, Some(Recording::default()));
        found(leak.take())?;
        compared += 1;
    }
    Ok(compared)
}

/// Chooses as in the first game, but for one choice.
struct OtherChoice {
    moments: Rc<[Moment]>,
    /// The choice that is made otherwise.
    number: usize,
    next: usize,
    told: usize,
    leak: Rc<RefCell<Option<Leak>>>,
}

impl Answers for OtherChoice {
    fn begin(&mut self, _table: &mut Table) {}

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        let Some(moment) = self.moments.get(self.next) else { return Err(Halt::Open) };
        // What the same seat is asked next it answers as before, if it can.
        let is_others = moment.asked.seat != self.moments[self.number].asked.seat;
        if self.next > self.number && is_others {
            let now = table.snapshot();
            // Who was shown the choice, in one game or the other, may well tell it.
            let knows = |seat: Seat| {
                let mut choices = now.known.choices.iter().chain(&moment.table.known.choices);
                choices.any(|choice| choice.decision == self.number + 1 && choice.known & seat.bit() != 0)
            };
            if !moment.asked.seat.is_some_and(knows) {
                *self.leak.borrow_mut() = difference(moment, table, &now, question, true, self.told);
            }
            return Err(Halt::Open);
        }
        chosen.clone_from(&moment.chosen);
        if question.seat != moment.asked.seat || chosen.iter().any(|position| *position >= question.options.len()) {
            return Err(Halt::Open);
        }
        if self.next == self.number
            && let Some(position) = chosen.first_mut()
        {
            *position = (*position + 1) % question.options.len().max(1);
        }
        self.told = table.recorded().len();
        self.next += 1;
        Ok(())
    }

    fn wants_reasons(&self, _table: &Table) -> bool {
        true
    }

    fn intervene(&mut self, _table: &mut Table) {}
}
