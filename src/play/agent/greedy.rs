//! Tries each option to the end of the turn, and takes the one after which its seat stands best; where none shows to be
//! better there, to the end of everybody's next.

use crate::playthrough::observation::{Agent, Observation, TrialPosition, choose_at_random, lead};
use crate::table::chance::Stream;
use crate::table::value::Seat;
use crate::table::{Table, Verdict};

/// How often each option is tried: what is hidden, and what others do, is another each time.
const TRIALS: u32 = 8;

/// Most options that are tried, of those where several are chosen together.
const COMBINATIONS: usize = 24;

/// The value of a win or a loss; larger than any lead.
const DECIDED: i64 = 1 << 40;

/// 1 for a seat that has won, -1 for one that has lost, 0 where that is open or everybody shares the win.
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

/// An agent that looks one turn ahead. It knows of the game what its seat may know. How its seat stands is what the
/// rules' own `fn value(p)` says, or what the seat would score if the game ended there, or its score; less what the best
/// of the others has of it. To have won or lost counts more than all that.
#[derive(Debug)]
pub struct Greedy {
    seed: u64,
}

impl Greedy {
    /// An agent whose choices depend on the seed and on the game.
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// What could be chosen: each option, or some of the ways to choose several.
    fn candidates(&self, game: &Observation<'_>) -> Vec<Vec<usize>> {
        let decision = game.decision();
        if (decision.min, decision.max) == (1, 1) {
            return (0..decision.options.len()).map(|position| vec![position]).collect();
        }
        let mut stream = self.stream(game, "greedy combinations", 0);
        let mut candidates: Vec<Vec<usize>> = Vec::new();
        for _ in 0..COMBINATIONS {
            let mut chosen = Vec::new();
            choose_at_random((decision.options.len(), decision.min, decision.max), None, &mut stream, &mut chosen);
            chosen.sort_unstable();
            if !candidates.contains(&chosen) {
                candidates.push(chosen);
            }
        }
        candidates
    }

    /// By how much a seat leads in all trials together when so many turns have begun, for each candidate.
    fn leads(&self, game: &Observation<'_>, seat: Seat, candidates: &[Vec<usize>], turns: usize) -> Vec<i64> {
        let mut worths = Vec::new();
        let mut worth = |candidate: &Vec<usize>| -> i64 {
            // The same chance for every candidate, so that luck decides between none of them.
            let trials = (0..TRIALS).map(|trial| {
                let mut chance = self.stream(game, "greedy", trial);
                // Who cannot look ahead takes any.
                let Some(mut fork) = game.fork(&mut chance) else { return 0 };
                let tried = fork.play_turns(candidate, turns, &mut chance);
                if tried == TrialPosition::Fails {
                    return i64::MIN / i64::from(TRIALS);
                }
                fork.worths(&mut worths);
                let (table, is_over) = (fork.table(), tried == TrialPosition::Over);
                lead(table, &worths, seat).saturating_add(DECIDED * decided(table, seat, is_over))
            });
            trials.fold(0, i64::saturating_add)
        };
        candidates.iter().map(&mut worth).collect()
    }

    fn stream(&self, game: &Observation<'_>, name: &str, trial: u32) -> Stream {
        Stream::named(self.seed ^ (game.decisions_before() as u64) << 32, name, trial)
    }
}

impl Agent for Greedy {
    fn choose(&mut self, game: &Observation<'_>) -> Vec<usize> {
        // Who acts in real time is for the clock to say.
        if let Some(position) = game.decision().by_clock {
            return vec![position];
        }
        let mut candidates = self.candidates(game);
        let Some(seat) = game.decision().seat.filter(|_| candidates.len() > 1) else {
            return candidates.pop().unwrap_or_default();
        };
        // Where nothing shows at the end of the turn, as in a trick that others have yet to play to, it may show when
        // everybody has had one.
        let mut leads = self.leads(game, seat, &candidates, 1);
        if leads.iter().all(|lead| Some(lead) == leads.first()) {
            leads = self.leads(game, seat, &candidates, game.layout().seats);
        }
        let best = leads.iter().max().copied().unwrap_or_default();
        // Of equals one by lot, or every hand would be played from the left.
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
