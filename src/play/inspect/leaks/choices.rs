//! Games in which one choice is changed: a secret choice, or a choice between copies that others cannot tell apart.

use super::first::{Moment, difference};
use super::{Leak, LeakTestStop, MAX_SAMPLES_PER_GAME, leak_result};
use crate::script::Start;
use crate::script::rules::Rules;
use crate::table::decision::{Answerer, Halt, Question};
use crate::table::layout::Layout;
use crate::table::value::Seat;
use crate::table::{Recording, Table};

/// Changes some choices and runs on to the next decision of another seat. Returns the number of choices tried.
pub(super) fn hunt(rules: &Rules, seed: u64, moments: &[Moment]) -> Result<usize, LeakTestStop> {
    let numbers = || 0..moments.len();
    let secrets = numbers().filter_map(|number| Some((number, other_secret(moments, number)?)));
    let copies = numbers().filter_map(|number| Some((number, other_copy(rules.layout(), moments, number)?)));
    let samples = [secrets.collect::<Vec<_>>(), copies.collect()].into_iter().flat_map(|found| {
        let step = found.len().div_ceil(MAX_SAMPLES_PER_GAME).max(1);
        found.into_iter().step_by(step)
    });
    let mut compared = 0;
    for (number, other) in samples {
        let mut other = OtherChoice { moments, number, other, next: 0, told: 0, leak: None };
        // A failure after another choice says nothing about leaks.
        let _ = rules.play(&Start::Game, seed, &mut other, Some(Recording::default()));
        leak_result(other.leak)?;
        compared += 1;
    }
    Ok(compared)
}

/// The next decision of another seat after a decision.
fn next_of_others(moments: &[Moment], number: usize) -> Option<&Moment> {
    let asked = moments[number].asked.heard.seat?;
    let next = moments[number..].iter().find(|next| next.asked.heard.seat != Some(asked))?;
    next.asked.heard.seat.is_some().then_some(next)
}

/// The position of another option, where the choice is hidden from the seat asked next.
fn other_secret(moments: &[Moment], number: usize) -> Option<usize> {
    let made = &moments[number].asked;
    let next = &next_of_others(moments, number)?.asked;
    // In a simultaneous choice, everything is secret until all have chosen.
    let is_secret = made.heard.is_secret || made.heard.together.is_some() && made.heard.together == next.heard.together;
    let count = made.options.len();
    let chosen = moments[number].chosen.first()?;
    (is_secret && made.limits == (1, 1) && count > 1).then(|| (chosen + 1) % count)
}

/// The position of an option that differs from the chosen one only in copies that the seat asked next cannot tell
/// apart.
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

/// Chooses as in the first game, except for one choice.
struct OtherChoice<'a> {
    moments: &'a [Moment],
    /// The index of the changed choice.
    number: usize,
    /// The position of the option chosen instead.
    other: usize,
    next: usize,
    told: usize,
    leak: Option<Leak>,
}

impl Answerer for OtherChoice<'_> {
    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        let Some(moment) = self.moments.get(self.next) else { return Err(Halt::Open) };
        // Further decisions of the same seat are answered as before, if possible.
        let is_others = moment.asked.heard.seat != self.moments[self.number].asked.heard.seat;
        if self.next > self.number && is_others {
            let now = table.snapshot();
            // A seat that was shown the choice in either game may notice.
            let knows = |seat: Seat| {
                let mut choices = now.known.choices.iter().chain(&moment.table.known.choices);
                choices.any(|choice| choice.decision == self.number + 1 && choice.known & seat.bit() != 0)
            };
            if !moment.asked.heard.seat.is_some_and(knows) {
                self.leak = difference(moment, table, &now, question, true, self.told);
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
