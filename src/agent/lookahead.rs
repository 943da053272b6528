//! Tries each option to the end of the turn, and takes the one after which its seat stands best.

use crate::playthrough::observation::{Agent, Observation, choose_at_random};
use crate::table::chance::Stream;

/// How often each option is tried: what is hidden, and what others do, is another each time.
const TRIALS: u32 = 8;

/// Most options that are tried, of those where several are chosen together.
const COMBINATIONS: usize = 24;

/// An agent that looks one turn ahead. It knows of the game what its seat may know.
#[derive(Debug)]
pub struct Lookahead {
    seed: u64,
    decision: usize,
}

impl Lookahead {
    /// An agent whose choices depend on the seed and on the game.
    pub fn new(seed: u64) -> Self {
        Self { seed, decision: 0 }
    }

    /// What could be chosen: each option, or some of the ways to choose several.
    fn candidates(&self, game: &Observation<'_>) -> Vec<Vec<usize>> {
        let decision = game.decision();
        if (decision.min, decision.max) == (1, 1) {
            return (0..decision.options.len()).map(|position| vec![position]).collect();
        }
        let mut stream = self.stream("lookahead combinations", 0);
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

    fn stream(&self, name: &str, trial: u32) -> Stream {
        Stream::named(self.seed ^ (self.decision as u64) << 32, name, trial)
    }
}

impl Agent for Lookahead {
    fn begin(&mut self, decision: usize) {
        self.decision = decision;
    }

    fn choose(&mut self, game: &Observation<'_>) -> Vec<usize> {
        // Who acts in real time is for the clock to say.
        if let Some(position) = game.decision().by_clock {
            return vec![position];
        }
        self.decision = game.decisions_before();
        let candidates = self.candidates(game);
        let worth = |candidate: &Vec<usize>| -> i64 {
            // The same chance for every candidate, so that luck decides between none of them.
            let trials = (0..TRIALS).map(|trial| {
                let mut chance = self.stream("lookahead", trial);
                let mut fork = game.fork(&mut chance);
                if fork.play_turn(candidate, &mut chance) { fork.lead() } else { i64::MIN / i64::from(TRIALS) }
            });
            trials.fold(0, i64::saturating_add)
        };
        let worths: Vec<i64> = candidates.iter().map(worth).collect();
        let best = worths.iter().max().copied().unwrap_or_default();
        // Of equals one by lot, or every hand would be played from the left.
        let mut equal: Vec<Vec<usize>> = candidates
            .into_iter()
            .zip(worths)
            .filter(|(_, worth)| *worth == best)
            .map(|(candidate, _)| candidate)
            .collect();
        let chosen = self.stream("lookahead lot", 0).below(equal.len());
        if equal.is_empty() { Vec::new() } else { equal.swap_remove(chosen) }
    }
}
