//! The greedy agent: it tries each option to the end of the turn and takes the best for its seat; if all are equal
//! there, it tries them to the end of a turn of every player.

use crate::playthrough::observation::{Agent, Fork, Observation, TrialPosition, choose_at_random, lead};
use crate::table::chance::Stream;
use crate::table::value::Seat;
use crate::table::{Table, Verdict};

/// The number of trials for each option, each with other hidden cards and other moves of the opponents.
const TRIALS_PER_OPTION: usize = 8;

/// The most combinations tried where several options are chosen together.
const MAX_COMBINATIONS: usize = 24;

/// The value of a win or a loss; larger than any lead.
const WIN_VALUE: i64 = 1 << 40;

/// Whether all candidates have the same lead.
fn are_equal(leads: &[i64]) -> bool {
    leads.iter().all(|lead| Some(lead) == leads.first())
}

/// The sum of each candidate's leads over all trials.
fn sum(trials: &[Vec<i64>]) -> Vec<i64> {
    let candidates = trials.first().map_or(0, Vec::len);
    let lead_of = |candidate: usize| {
        let leads = trials.iter().filter_map(|leads| leads.get(candidate));
        leads.fold(0_i64, |sum, lead| sum.saturating_add(*lead))
    };
    (0..candidates).map(lead_of).collect()
}

/// 1 if a seat has won, -1 if it has lost, 0 if that is open or all seats share the win.
fn decided(table: &Table, seat: Seat, is_over: bool) -> i64 {
    match table.verdict(seat) {
        Verdict::Won => 1,
        Verdict::Lost(_) => -1,
        Verdict::Playing if is_over => {
            let winners = table.winners();
            match winners.contains(&seat) {
                true => i64::from(winners.len() < table.layout().seats),
                false => -1,
            }
        }
        Verdict::Playing => 0,
    }
}

/// An agent that looks one turn ahead, knowing only what its seat may know. It compares positions by the lead of its
/// seat: by the rules' own `fn value(p)`, or the score if the game ended there, or the current score, less that of the
/// best opponent. A win or a loss outweighs all leads.
#[derive(Debug)]
pub struct Greedy {
    seed: u64,
}

impl Greedy {
    /// Creates an agent whose choices depend on the seed and on the game.
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// The candidate choices: each option, or random combinations where several are chosen.
    fn candidates(&self, game: &Observation<'_>) -> Vec<Vec<usize>> {
        let decision = game.decision();
        if (decision.min, decision.max) == (1, 1) {
            return (0..decision.options.len()).map(|position| vec![position]).collect();
        }
        let mut stream = self.stream(game, "greedy combinations", 0);
        let mut candidates: Vec<Vec<usize>> = Vec::new();
        for _ in 0..MAX_COMBINATIONS {
            let mut chosen = Vec::new();
            choose_at_random((decision.options.len(), decision.min, decision.max), None, &mut stream, &mut chosen);
            chosen.sort_unstable();
            if !candidates.contains(&chosen) {
                candidates.push(chosen);
            }
        }
        candidates
    }

    /// The lead of a seat for each candidate, summed over all trials: at the end of the turn or, where that is the same
    /// for all, as in a trick that others have yet to play to, once every player has had a turn.
    fn leads(&self, game: &Observation<'_>, seat: Seat, candidates: &[Vec<usize>]) -> Vec<i64> {
        let (soon, late) = (1, game.layout().seats);
        let (mut soon_leads, mut late_leads) = (Vec::new(), vec![Vec::new(); TRIALS_PER_OPTION]);
        let mut forks = [None, None];
        let mut shows_soon = false;
        for (trial, late_leads) in late_leads.iter_mut().enumerate() {
            // If the trials so far have shown no difference, the far end is evaluated in the same run.
            let is_late_wanted = trial > 0 && !shows_soon;
            let turns = if is_late_wanted { &[soon, late][..] } else { &[soon] };
            let mut leads = self.try_all(game, seat, (candidates, trial), turns, &mut forks).into_iter();
            soon_leads.extend(leads.next());
            *late_leads = leads.next().unwrap_or_default();
            shows_soon |= soon_leads.last().is_some_and(|leads| !are_equal(leads));
        }
        let leads = sum(&soon_leads);
        if !are_equal(&leads) {
            return leads;
        }
        for (trial, leads) in late_leads.iter_mut().enumerate().filter(|(_, leads)| leads.is_empty()) {
            *leads = self.try_all(game, seat, (candidates, trial), &[late], &mut forks).swap_remove(0);
        }
        sum(&late_leads)
    }

    /// The lead of a seat in one trial, after each of these numbers of turns, for each candidate.
    fn try_all<'g>(
        &self,
        game: &'g Observation<'_>,
        seat: Seat,
        (candidates, trial): (&[Vec<usize>], usize),
        turns: &[usize],
        [world, fork]: &mut [Option<Fork<'g>>; 2],
    ) -> Vec<Vec<i64>> {
        let mut leads = vec![vec![0; candidates.len()]; turns.len()];
        let mut chance = self.stream(game, "greedy", trial as u32);
        // Without a fork, any candidate will do.
        let Some(world) = game.fork_into(world, &mut chance) else { return leads };
        let mut worths = Vec::new();
        for (number, candidate) in candidates.iter().enumerate() {
            // All candidates get the same world and the same random numbers, to reduce the variance between them.
            let mut chance = chance.clone();
            match fork {
                Some(fork) => fork.clone_from(world),
                None => *fork = Some(world.clone()),
            }
            let Some(fork) = fork else { return leads };
            let mut given = Some(candidate.as_slice());
            let mut tried = TrialPosition::Asks;
            for (turns, leads) in turns.iter().zip(&mut leads) {
                if tried == TrialPosition::Asks {
                    tried = fork.play_to_turn(world.table().turns() + turns, given.take(), &mut chance);
                }
                leads[number] = if tried == TrialPosition::Fails {
                    i64::MIN / TRIALS_PER_OPTION as i64
                } else {
                    fork.worths(&mut worths);
                    let (table, is_over) = (fork.table(), tried == TrialPosition::Over);
                    lead(table, &worths, seat).saturating_add(WIN_VALUE * decided(table, seat, is_over))
                };
            }
        }
        leads
    }

    fn stream(&self, game: &Observation<'_>, name: &str, trial: u32) -> Stream {
        Stream::named(self.seed ^ (game.decisions_before() as u64) << 32, name, trial)
    }
}

impl Agent for Greedy {
    fn choose(&mut self, game: &Observation<'_>) -> Vec<usize> {
        // Who acts in real time is up to the clock.
        if let Some(position) = game.decision().by_clock {
            return vec![position];
        }
        let mut candidates = self.candidates(game);
        let Some(seat) = game.decision().seat.filter(|_| candidates.len() > 1) else {
            return candidates.pop().unwrap_or_default();
        };
        let leads = self.leads(game, seat, &candidates);
        let best = leads.iter().max().copied().unwrap_or_default();
        // Ties are broken at random, or every hand would be played from the left.
        let mut equal: Vec<Vec<usize>> = candidates
            .into_iter()
            .zip(leads)
            .filter(|(_, lead)| *lead == best)
            .map(|(candidate, _)| candidate)
            .collect();
        let chosen = self.stream(game, "greedy lot", 0).below(equal.len());
        if equal.is_empty() { Vec::new() } else { equal.swap_remove(chosen) }
    }
}
