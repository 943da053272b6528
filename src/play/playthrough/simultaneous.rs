//! Simultaneous choices: the decisions of all these players are open at once, and may be answered in any order.
//!
//! The rules ask one player after the other. What the others will be asked does not depend on the first choices,
//! because no choice is seen before everybody has chosen; so it is found out on a copy of the run. Early answers wait
//! here until the rules ask for them, and the log has them in the order of the rules, whoever was first.

use super::Playthrough;
use crate::diagnostic::{Diagnostic, Diagnostics, message};
use crate::script::End;
use crate::table::Table;
use crate::table::decision::{Answerer, Decision, Halt, Question};
use crate::table::knowledge::{View, Viewer};
use crate::table::value::Seat;
use std::sync::Arc;

/// Answers given before the rules asked for them.
#[derive(Default)]
pub(super) struct EarlyAnswers {
    /// The decision open at the time; the answers are void once another is open.
    at: Option<Arc<Decision>>,
    answers: Vec<(Seat, Vec<String>)>,
}

/// Early answers carried over a change of the game: see [`Playthrough::waiting_answers`].
pub struct WaitingAnswers {
    together: Option<u32>,
    answers: Vec<(Seat, Vec<String>)>,
}

impl Playthrough {
    /// All open decisions: the one that the rules wait for and, where players choose simultaneously, the first of each
    /// other player who has still to choose, in the order in which the rules ask.
    pub fn asked(&self) -> Vec<Arc<Decision>> {
        let early = self.early_answers();
        let mut asked = self.all_asked();
        asked.retain(|decision| !early.iter().any(|(seat, _)| decision.seat == Some(*seat)));
        asked
    }

    /// Answers the open decision of a seat with the options that have these labels, even where the rules ask another
    /// player first: then the answer waits for its turn. Any other change of the game discards waiting answers.
    ///
    /// # Errors
    /// The seat is not asked; or as [`choose`](Self::choose).
    pub fn choose_as(&mut self, seat: Seat, labels: &[String]) -> Result<(), Diagnostics> {
        let asked = self.asked();
        let Some(decision) = asked.iter().find(|decision| decision.seat == Some(seat)) else {
            let others: Vec<String> = asked.iter().filter_map(|decision| Some(decision.seat?.to_string())).collect();
            let error = Diagnostic::new(message!("{seat} is asked nothing now"));
            return Err(match others.is_empty() {
                true => error.into(),
                false => error.help(message!("those who are asked: {}", others.join(", "))).into(),
            });
        };
        self.fits(decision, labels)?;
        let mut answers = self.early_answers().to_vec();
        answers.push((seat, labels.to_vec()));
        self.answer_with(answers)?;
        Ok(())
    }

    /// The early answers and the simultaneous choice they belong to, to be [given back](Self::give_back) after
    /// something else has continued the game.
    pub fn waiting_answers(&self) -> WaitingAnswers {
        let together = self.position.open.as_ref().and_then(|open| open.together);
        WaitingAnswers { together, answers: self.early_answers().to_vec() }
    }

    /// Restores waiting answers to a game in which players still make the same choice, and gives those whose turn it
    /// is. Whether one was given.
    ///
    /// # Errors
    /// As [`choose`](Self::choose).
    pub fn give_back(&mut self, waiting: WaitingAnswers) -> Result<bool, Diagnostics> {
        let together = self.position.open.as_ref().and_then(|open| open.together);
        if waiting.answers.is_empty() || together.is_none() || together != waiting.together {
            return Ok(false);
        }
        self.answer_with(waiting.answers)
    }

    /// Gives answers while one of their seats is asked; the others wait. Whether one was given.
    fn answer_with(&mut self, mut answers: Vec<(Seat, Vec<String>)>) -> Result<bool, Diagnostics> {
        let before = answers.len();
        let is_open = |game: &Self, seat: Seat| game.position.open.as_ref().is_some_and(|open| open.seat == Some(seat));
        while let Some(next) = answers.iter().position(|(seat, _)| is_open(self, *seat)) {
            let (_, labels) = answers.remove(next);
            self.choose(&labels)?;
        }
        let is_less = answers.len() < before;
        self.early = EarlyAnswers { at: self.position.open.clone(), answers };
        Ok(is_less)
    }

    /// The game as `viewer` sees it, with the events from number `since` (from 0) on.
    pub fn view(&self, viewer: Viewer, since: usize) -> View {
        let asked = self.asked();
        let asked: Vec<&Decision> = asked.iter().map(|decision| &**decision).collect();
        let position = self.position();
        let past = position.past(position.events.since(since));
        View::of((&self.loaded().layout, &position.table), &asked, &past, viewer)
    }

    /// The answers that wait until the rules ask for them.
    fn early_answers(&self) -> &[(Seat, Vec<String>)] {
        match (&self.early.at, &self.position.open) {
            (Some(at), Some(open)) if Arc::ptr_eq(at, open) => &self.early.answers,
            _ => &[],
        }
    }

    fn all_asked(&self) -> Vec<Arc<Decision>> {
        let Some(open) = self.position.open.clone() else { return Vec::new() };
        let mut found = vec![open.clone()];
        let (Some(together), Some(run)) = (open.together, self.track.run()) else { return found };
        let mut run = run.clone();
        run.table.finish();
        let mut next = open;
        loop {
            let mut once = SingleAnswer(Some((0..next.min).collect()));
            if self.loaded.rules.resume(&mut run, &mut once) != End::Halted(Halt::Open) {
                return found;
            }
            let Some(now) = run.table.open().filter(|now| now.together == Some(together)) else { return found };
            next = now.clone();
            if found.iter().all(|known| known.seat != next.seat) {
                found.push(next.clone());
            }
        }
    }
}

/// Gives one answer, the positions of the chosen options, and leaves the next decision open.
struct SingleAnswer(Option<Vec<usize>>);

impl Answerer for SingleAnswer {
    fn answer(&mut self, _table: &Table, _question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        chosen.extend(self.0.take().ok_or(Halt::Open)?);
        Ok(())
    }

    fn wants_reasons(&self, _table: &Table) -> bool {
        true
    }
}
