//! Games in which one choice is another: a secret one, or one of a copy that others cannot tell from the one that was
//! chosen.

use super::first::{Moment, difference};
use super::{Leak, MOST_SAMPLES, Trouble, found};
use crate::script::Start;
use crate::script::rules::Rules;
use crate::table::decision::{Answers, Halt, Question};
use crate::table::layout::Layout;
use crate::table::value::Seat;
use crate::table::{Recording, Table};
use std::cell::RefCell;
use std::rc::Rc;

/// Makes some choices otherwise, up to the next decision of somebody else; gives how many.
pub(super) fn hunt(rules: &Rules, seed: u64, moments: &Rc<[Moment]>) -> Result<usize, Trouble> {
    let numbers = || 0..moments.len();
    let secrets = numbers().filter_map(|number| Some((number, other_secret(moments, number)?)));
    let copies = numbers().filter_map(|number| Some((number, other_copy(rules.layout(), moments, number)?)));
    let samples = [secrets.collect::<Vec<_>>(), copies.collect()].into_iter().flat_map(|found| {
        let step = found.len().div_ceil(MOST_SAMPLES).max(1);
        found.into_iter().step_by(step)
    });
    let mut compared = 0;
    for (number, other) in samples {
        let leak = Rc::new(RefCell::new(None));
        let mut other = OtherChoice { moments: moments.clone(), number, other, next: 0, told: 0, leak: leak.clone() };
        // That the rules fail after another choice says nothing about secrets.
        let _ = rules.play(&Start::Game, seed, &mut other, Some(Recording::default()));
        found(leak.take())?;
        compared += 1;
    }
    Ok(compared)
}

/// The next decision that somebody else is asked behind one of a seat.
fn next_of_others(moments: &[Moment], number: usize) -> Option<&Moment> {
    let asked = moments[number].asked.heard.seat?;
    let next = moments[number..].iter().find(|next| next.asked.heard.seat != Some(asked))?;
    next.asked.heard.seat.is_some().then_some(next)
}

/// Another option than was chosen, where the choice is hidden from whoever is asked next.
fn other_secret(moments: &[Moment], number: usize) -> Option<usize> {
    let made = &moments[number].asked;
    let next = &next_of_others(moments, number)?.asked;
    // Within a choice that is made together everything is secret until all have chosen.
    let is_secret = made.heard.is_secret || made.heard.together.is_some() && made.heard.together == next.heard.together;
    let count = made.options.len();
    let chosen = moments[number].chosen.first()?;
    (is_secret && made.limits == (1, 1) && count > 1).then(|| (chosen + 1) % count)
}

/// An option that is the same as the one that was chosen, but for copies that whoever is asked next cannot tell apart.
fn other_copy(layout: &Layout, moments: &[Moment], number: usize) -> Option<usize> {
    let Moment { asked, values, chosen, table, .. } = &moments[number];
    let &[chosen] = chosen.as_slice() else { return None };
    if !layout.has_copies || asked.limits != (1, 1) {
        return None;
    }
    let seat = next_of_others(moments, number)?.asked.heard.seat?;
    let made = values.get(chosen)?.components();
    let is_alike = |&position: &usize| {
        let other = values[position].components();
        let are_copies = |(&one, &other)| one == other || table.are_copies_to(layout, seat, one, other);
        position != chosen
            && other != made
            && asked.options[position].sight.is_of_same_sort(&asked.options[chosen].sight)
            && made.iter().zip(&other).all(are_copies)
    };
    (0..values.len()).find(is_alike)
}

/// Chooses as in the first game, but for one choice.
struct OtherChoice {
    moments: Rc<[Moment]>,
    /// The choice that is made otherwise.
    number: usize,
    /// The position that is chosen there.
    other: usize,
    next: usize,
    told: usize,
    leak: Rc<RefCell<Option<Leak>>>,
}

impl Answers for OtherChoice {
    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        let Some(moment) = self.moments.get(self.next) else { return Err(Halt::Open) };
        // What the same seat is asked next it answers as before, if it can.
        let is_others = moment.asked.heard.seat != self.moments[self.number].asked.heard.seat;
        if self.next > self.number && is_others {
            let now = table.snapshot();
            // Who was shown the choice, in one game or the other, may well tell it.
            let knows = |seat: Seat| {
                let mut choices = now.known.choices.iter().chain(&moment.table.known.choices);
                choices.any(|choice| choice.decision == self.number + 1 && choice.known & seat.bit() != 0)
            };
            if !moment.asked.heard.seat.is_some_and(knows) {
                *self.leak.borrow_mut() = difference(moment, table, &now, question, true, self.told);
            }
            return Err(Halt::Open);
        }
        chosen.clone_from(&moment.chosen);
        if question.seat != moment.asked.heard.seat || chosen.iter().any(|position| *position >= question.options.len())
        {
            return Err(Halt::Open);
        }
        if self.next == self.number
            && let Some(position) = chosen.first_mut()
        {
            *position = self.other.min(question.options.len().saturating_sub(1));
        }
        self.told = table.recorded().len();
        self.next += 1;
        Ok(())
    }

    fn wants_reasons(&self, _table: &Table) -> bool {
        true
    }
}
