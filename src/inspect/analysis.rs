//! A game looked through by a search: what was expected at each decision, and which choices cost most.
//!
//! Each decision is looked at with what its seat could know then, so a choice that turned out badly is no mistake by that.

use crate::agent::Search;
use crate::agent::search::Estimate;
use crate::diagnostic::Diagnostics;
use crate::playthrough::Playthrough;
use crate::table::value::Seat;
use std::sync::Arc;

/// The least difference of results that matters; results go from 0 to 1.
const MATTERS: f64 = 0.05;

/// What a search says about a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// The decisions that were looked at, in order: those with something to choose.
    pub moments: Vec<Moment>,
    /// How many such decisions the game has, as far as it stands.
    pub decisions: usize,
}

/// A decision of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// The number of the move, from 1.
    pub number: usize,
    /// Who chose.
    pub seat: Seat,
    /// What was asked.
    pub prompt: Arc<str>,
    /// The labels of what was chosen.
    pub chosen: Vec<String>,
    /// What was expected of that.
    pub expected: Estimate,
    /// The labels of what the search would have chosen.
    pub better: Vec<String>,
    /// What was expected of that.
    pub best: Estimate,
    /// For each seat what was expected before the choice, from 0 to 1.
    pub seats: Vec<f64>,
}

impl Analysis {
    /// Looks through a game up to where it stands. Where somebody stops the work, it ends with what was looked at.
    ///
    /// # Errors
    /// Somebody stopped the run before anything was looked at.
    pub fn of(game: &Playthrough, search: &Search) -> Result<Self, Diagnostics> {
        let mut analysis = Self::default();
        let work = game.loaded().rules.work();
        game.review(|_, seen, _| {
            analysis.decisions += usize::from(is_free(seen.decision()));
            true
        })?;
        let total = analysis.decisions;
        let reviewed = game.review(|number, seen, chosen| {
            let decision = seen.decision();
            let Some(seat) = decision.seat.filter(|_| is_free(decision)) else { return true };
            work.count_parts(analysis.moments.len() + 1, total);
            let advice = search.advice_about(seen, Some(chosen));
            if seen.is_stopped() {
                return false;
            }
            let labels = |positions: &[usize]| -> Vec<String> {
                let options = positions.iter().filter_map(|&position| decision.options.get(position));
                options.map(|option| option.label.clone()).collect()
            };
            let best = advice.of(&advice.chosen).or(advice.options.first()).cloned();
            let (Some(best), Some(expected)) = (best, advice.of(chosen).cloned()) else { return true };
            analysis.moments.push(Moment {
                number,
                seat,
                prompt: decision.prompt.clone(),
                chosen: labels(chosen),
                expected,
                better: labels(&best.positions),
                best,
                seats: advice.seats,
            });
            true
        });
        match reviewed {
            Err(errors) if analysis.moments.is_empty() => Err(errors),
            _ => Ok(analysis),
        }
    }

    /// The choices that were worse than the best by more than chance explains, the costliest first.
    pub fn mistakes(&self) -> Vec<&Moment> {
        let mut mistakes: Vec<&Moment> = self.moments.iter().filter(|moment| moment.is_mistake()).collect();
        mistakes.sort_by(|one, other| other.lost().total_cmp(&one.lost()).then(one.number.cmp(&other.number)));
        mistakes
    }

    /// The moves after which a seat expected most else than before, with the seat and by how much; the largest first.
    pub fn swings(&self) -> Vec<(usize, Seat, f64)> {
        let mut swings: Vec<(usize, Seat, f64)> = Vec::new();
        for pair in self.moments.windows(2) {
            let [before, after] = pair else { continue };
            let changes = before.seats.iter().zip(&after.seats).map(|(before, after)| after - before);
            let largest = changes.enumerate().max_by(|(_, one), (_, other)| one.abs().total_cmp(&other.abs()));
            let Some((seat, change)) = largest else { continue };
            if change.abs() < MATTERS {
                continue;
            }
            swings.extend(Seat::from_number(seat + 1).map(|seat| (before.number, seat, change)));
        }
        swings.sort_by(|one, other| other.2.abs().total_cmp(&one.2.abs()).then(one.0.cmp(&other.0)));
        swings
    }

    /// Who was expected to do best, from which move on. A lead that is too small to matter changes nothing.
    pub fn leaders(&self) -> Vec<(usize, Seat)> {
        let mut leaders: Vec<(usize, Seat)> = Vec::new();
        for moment in &self.moments {
            let of = |seat: Seat| moment.seats.get(seat.number() - 1).copied().unwrap_or_default();
            let before = leaders.last().map(|(_, seat)| *seat);
            let seats = (1..=moment.seats.len()).filter_map(Seat::from_number);
            let others = |seat: &Seat| {
                moment.seats.len() - moment.seats.iter().filter(|&&result| result + MATTERS < of(*seat)).count()
            };
            // Ahead of every other one by something that matters.
            let ahead = seats.into_iter().find(|seat| others(seat) == 1);
            leaders.extend(ahead.filter(|seat| before != Some(*seat)).map(|seat| (moment.number, seat)));
        }
        leaders
    }
}

impl Moment {
    /// How much less was expected of the choice than of the best, from 0 to 1.
    pub fn lost(&self) -> f64 {
        (self.best.result - self.expected.result).max(0.0)
    }

    /// Half the width of a 95 % interval for that.
    pub fn margin(&self) -> f64 {
        (self.best.margin * self.best.margin + self.expected.margin * self.expected.margin).sqrt()
    }

    /// Whether the choice was worse than the best by more than chance explains, and by something that matters.
    pub fn is_mistake(&self) -> bool {
        self.lost() > self.margin().max(MATTERS)
    }
}

/// Whether there is something to choose.
fn is_free(decision: &crate::table::decision::Decision) -> bool {
    let is_forced = decision.min == decision.max && [0, decision.options.len()].contains(&decision.min);
    decision.seat.is_some() && decision.by_clock.is_none() && !is_forced
}
