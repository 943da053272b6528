//! Analysis of a finished or running game by a search: the estimate at each decision, and the costliest choices.
//!
//! Each decision is judged by what its seat could know at the time, so bad luck is no mistake.

use crate::agent::Search;
use crate::agent::search::Estimate;
use crate::diagnostic::Diagnostics;
use crate::playthrough::Playthrough;
use crate::sorted::sort_by;
use crate::table::value::{Seat, Seats};
use std::sync::Arc;

/// The smallest difference of results (0 to 1) that matters.
const MIN_DIFFERENCE: f64 = 0.05;

/// The analysis of a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Review {
    /// The analysed decisions, in order: those with a real choice.
    pub moments: Vec<Moment>,
    /// The number of such decisions in the game so far.
    pub decisions: usize,
    /// The number of tried games in which the rules failed, and the number of all tried games.
    pub failed: (u64, u64),
}

/// A decision of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// The number of the move, from 1.
    pub number: usize,
    /// The seat that chose.
    pub seat: Seat,
    /// The prompt of the decision.
    pub prompt: Arc<str>,
    /// The labels of the chosen options.
    pub chosen: Vec<String>,
    /// The estimate of the choice.
    pub expected: Estimate,
    /// The labels of the options that the search would have chosen.
    pub better: Vec<String>,
    /// The estimate of the search's choice.
    pub best: Estimate,
    /// The expected result of each seat before the choice, from 0 to 1.
    pub seats: Vec<f64>,
    /// The teams; a player without partners is a team of one.
    pub teams: Vec<Seats>,
}

impl Review {
    /// Analyses a game up to its current point. If the work is stopped, the analysis ends with the decisions done.
    ///
    /// # Errors
    /// The run was stopped before any decision was analysed.
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
            analysis.failed.0 += u64::from(advice.failed);
            analysis.failed.1 += u64::from(advice.iterations);
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
                teams: seen.teams(),
            });
            true
        });
        match reviewed {
            Err(errors) if analysis.moments.is_empty() => Err(errors),
            _ => Ok(analysis),
        }
    }

    /// The choices that were significantly worse than the best, the costliest first.
    pub fn mistakes(&self) -> Vec<&Moment> {
        let mut mistakes: Vec<&Moment> = self.moments.iter().filter(|moment| moment.is_mistake()).collect();
        sort_by(&mut mistakes, |one, other| other.lost().total_cmp(&one.lost()).then(one.number.cmp(&other.number)));
        mistakes
    }

    /// The largest changes of a team's expected result: move, team and change; the largest first.
    pub fn swings(&self) -> Vec<(usize, Seats, f64)> {
        let mut swings: Vec<(usize, Seats, f64)> = Vec::new();
        for pair in self.moments.windows(2) {
            let [before, after] = pair else { continue };
            let changes = before.teams.iter().map(|team| (*team, after.expected_of(*team) - before.expected_of(*team)));
            let largest = changes.max_by(|(_, one), (_, other)| one.abs().total_cmp(&other.abs()));
            swings.extend(
                largest
                    .filter(|(_, change)| change.abs() >= MIN_DIFFERENCE)
                    .map(|(team, change)| (before.number, team, change)),
            );
        }
        sort_by(&mut swings, |one, other| other.2.abs().total_cmp(&one.2.abs()).then(one.0.cmp(&other.0)));
        swings
    }

    /// The leading team by expected result, each with the move from which it leads. An insignificant lead changes
    /// nothing.
    pub fn leaders(&self) -> Vec<(usize, Seats)> {
        let mut leaders: Vec<(usize, Seats)> = Vec::new();
        for moment in &self.moments {
            let before = leaders.last().map(|(_, team)| *team);
            leaders.extend(moment.leader().filter(|team| before != Some(*team)).map(|team| (moment.number, team)));
        }
        leaders
    }
}

impl Moment {
    /// The team that leads all others significantly; `None` without one, or where all play together.
    fn leader(&self) -> Option<Seats> {
        let is_behind =
            |other: &Seats, team: &Seats| self.expected_of(*other) + MIN_DIFFERENCE < self.expected_of(*team);
        let others = |team: &Seats| self.teams.iter().filter(|other| !is_behind(other, team)).count();
        self.teams.iter().find(|team| others(team) == 1).copied().filter(|_| self.teams.len() > 1)
    }

    /// The expected result of a team before the choice: the mean of its players.
    fn expected_of(&self, team: Seats) -> f64 {
        let results = team.into_iter().map(|seat| self.seats.get(seat.index()).copied().unwrap_or_default());
        results.sum::<f64>() / team.len().max(1) as f64
    }

    /// The loss in expected result against the best choice, from 0 to 1.
    pub fn lost(&self) -> f64 {
        (self.best.result - self.expected.result).max(0.0)
    }

    /// Half the width of a 95 % interval for [`lost`](Self::lost).
    pub fn margin(&self) -> f64 {
        (self.best.margin * self.best.margin + self.expected.margin * self.expected.margin).sqrt()
    }

    /// Whether the choice was worse than the best by a margin that is statistically significant and matters.
    pub fn is_mistake(&self) -> bool {
        self.lost() > self.margin().max(MIN_DIFFERENCE)
    }
}

/// Whether there is a real choice.
fn is_free(decision: &crate::table::decision::Decision) -> bool {
    let is_forced = decision.min == decision.max && [0, decision.options.len()].contains(&decision.min);
    decision.seat.is_some() && decision.by_clock.is_none() && !is_forced
}
