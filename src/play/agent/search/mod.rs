//! Information-set Monte Carlo tree search (Cowling, Powley, Whitehouse 2012, *Information Set Monte Carlo Tree
//! Search*).
//!
//! Each iteration forks the game with what the seat does not know drawn anew, goes down the tree of decisions that
//! were tried before, adds one, and plays on at random. What comes of it is counted on the way back for each seat that
//! decided, so several seats each play for themselves (max^n), and options count by how often they were there to be
//! chosen. Where the rules say which options are worth trying, it starts from those. What it does not know it draws so
//! that it fits what others have done, where the rules say how well it does. Every option of the first decision is
//! tried in the same worlds, one after the other: what is hidden and what chance gives is the same for all of them, so
//! that less of a difference between two is luck. A decision of the tree belongs to what its seat could see of the way
//! there: what others chose in secret, or face down, does not tell it apart.
//!
//! Nothing here depends on a clock, a hash order or functions that differ by platform, unless the budget is a time.

mod descent;
mod judge;
mod keys;
mod proof;
mod tree;

use crate::playthrough::observation::{Agent, Observation, TrialPosition, choose_at_random};
use crate::table::chance::Stream;
use crate::work::Clock;
use descent::{Descent, FIRST_ROUND};
use judge::Judge;
use std::time::Duration;
use tree::Tree;

/// Most iterations for one decision.
pub const MAX_ITERATIONS: u32 = 1_000_000;

/// Where the first try goes through so many rounds, the game is valued at the end of none.
const MANY_ROUNDS: i64 = 5;

/// Longest time for one decision.
pub const MAX_MILLISECONDS: u32 = 600_000;

/// How long a search may think about a decision.
#[derive(Clone, Copy, Debug)]
pub enum Budget {
    /// A number of iterations: the same choice on every computer.
    Iterations(u32),
    /// A wall-clock budget: the choice depends on the speed of the computer.
    Time(Duration, Clock),
}

/// An agent that searches.
#[derive(Debug)]
pub struct Search {
    seed: u64,
    budget: Budget,
    settings: Settings,
}

/// How a search goes about it. The figures were found by play against each other, in all games together.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How much more an option is worth that was seldom tried, in standard deviations of the results.
    pub exploration: f64,
    /// How much more an option is worth that the rules' own policy prefers, as long as it was seldom tried: this many
    /// standard deviations, by its part of all weights.
    pub trust: f64,
    /// Progressive widening: a decision that was visited n times tries this number times the square root of n options.
    pub widening: f64,
    /// After so many decisions behind the tree the game is valued where it stands, and played on. Here and below, those
    /// with one answer do not count.
    pub near: usize,
    /// After so many it is valued again, and ends.
    pub far: usize,
    /// The same where it is always worth the same at the near end, and before the first round.
    pub farthest: usize,
    /// How much of a result is what the game was worth at the far end.
    pub weight_of_far: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { exploration: 1.0, trust: 2.0, widening: 4.0, near: 3, far: 16, farthest: 120, weight_of_far: 0.5 }
    }
}

/// What a search has come to, with its figures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Advice {
    /// The positions of the options that it would choose.
    pub chosen: Vec<usize>,
    /// What was tried, the most tried first; where several options are chosen together, the ways to choose that were.
    pub options: Vec<Estimate>,
    /// How many iterations were made.
    pub iterations: u32,
    /// In how many of them the rules failed: those count as the table stood there.
    pub failed: u32,
    /// For each seat its mean result over all iterations.
    pub seats: Vec<f64>,
    /// For each option of the decision the first that its seat cannot tell from it: one estimate stands for both.
    pub alike: Vec<usize>,
}

impl Advice {
    /// What is expected of options at these positions that are chosen together, if they were tried.
    pub fn of(&self, positions: &[usize]) -> Option<&Estimate> {
        let told = |positions: &[usize]| {
            let mut told: Vec<usize> =
                positions.iter().map(|&position| self.alike.get(position).copied().unwrap_or(position)).collect();
            told.sort_unstable();
            told
        };
        let wanted = told(positions);
        self.options.iter().find(|estimate| told(&estimate.positions) == wanted)
    }
}

/// What is expected of an option, or of several that are chosen together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Their positions, in rising order.
    pub positions: Vec<usize>,
    /// How many iterations chose them.
    pub visits: u32,
    /// The mean result for the seat, from 0 to 1; see `judge` for what a result is.
    pub result: f64,
    /// Half the width of a 95 % interval for the result: 1.96 standard errors, as if iterations were independent. The
    /// tree learns as it goes, so they nearly are. Where few were made, how far all results are from each other counts,
    /// too, and how far they might be. 0 where it is certain: the result is then what it comes to if two play on as well
    /// as can be.
    pub margin: f64,
    /// The mean lead over the best of the others where the iterations ended, in what the table is worth to them.
    pub lead: f64,
    /// Whether not all of its results were the same.
    pub varies: bool,
}

impl Search {
    /// An agent whose choices depend on the seed, the budget and the game.
    pub fn new(seed: u64, budget: Budget) -> Self {
        Self { seed, budget, settings: Settings::default() }
    }

    /// The same with other settings, for measuring them.
    pub fn with(self, settings: Settings) -> Self {
        Self { settings, ..self }
    }

    /// Searches, and tells what came of it. Where somebody stops the work, that is what was found so far; where there is
    /// no [game to try](Observation::can_be_tried), it chooses by chance.
    pub fn advice(&self, game: &Observation<'_>) -> Advice {
        self.advice_about(game, None)
    }

    /// As [`advice`](Self::advice), with every fourth iteration for options of which somebody wants to know what they are
    /// worth: the positions of one choice.
    pub fn advice_about(&self, game: &Observation<'_>, about: Option<&[usize]>) -> Advice {
        let decision = game.decision();
        let count = decision.options.len();
        // Who acts in real time is for the clock to say; what has to be chosen needs no thought.
        if let Some(position) = decision.by_clock {
            return Advice { chosen: vec![position], ..Advice::default() };
        }
        if decision.min == decision.max && (decision.min == count || decision.max == 0) {
            return Advice { chosen: (0..decision.min).collect(), ..Advice::default() };
        }
        let number = game.decisions_before() as u32;
        let mut chance = Stream::named(self.seed, "search", number);
        let mut tree = Tree::new(game.layout());
        let mut judge = Judge::new(game.layout().seats);
        let mut is_open = None;
        let (mut rounds_are_short, mut sets_up) = (None, None);
        let ends = match self.budget {
            Budget::Iterations(_) => None,
            Budget::Time(time, clock) => Some((clock, clock() + time)),
        };
        let (mut iterations, mut failed) = (0, 0);
        let mut fork = None;
        loop {
            let is_over = match (self.budget, ends) {
                (Budget::Iterations(count), _) => iterations >= count,
                (_, Some((clock, end))) => iterations >= MAX_ITERATIONS || clock() >= end,
                _ => true,
            };
            if is_over || game.is_stopped() {
                break;
            }
            let first = about.filter(|_| iterations % 4 == 0);
            let times = tree.plan(&self.settings, &mut chance, first);
            // Every option is tried in the same worlds, so that luck decides between none of them.
            let mut world = Stream::named(self.seed ^ u64::from(number) << 32, "search world", times);
            // Nobody can say what others may have chosen in secret.
            let Some(fork) = game.likely_fork_into(&mut fork, &mut world) else { break };
            // Where nothing is hidden from either of two, it can be known for certain how a game ends.
            let is_open = *is_open.get_or_insert_with(|| game.layout().seats == 2 && fork.table().is_open());
            let mut descent = Descent::new(&mut tree, &self.settings, game, &mut world);
            descent.go_as_far_as(if judge.is_quiet() { self.settings.farthest } else { self.settings.far });
            if sets_up == Some(true) {
                descent.sets_up();
            }
            descent.take_first(first);
            if rounds_are_short != Some(false) {
                descent.go_through_rounds();
            }
            let round = fork.table().round();
            judge.begin();
            let mut tried = fork.go_on(&mut descent);
            let mut weight = 1.0;
            if tried == TrialPosition::Asks && !descent.is_at_far_end() {
                weight = self.settings.weight_of_far;
                judge.judge(fork, tried, 1.0 - weight);
                judge.listen(decision.seat);
                tried = fork.go_on(&mut descent);
            }
            judge.judge(fork, tried, weight);
            // A round that is over after a few decisions settles too little to be looked no further.
            let rounds = fork.table().round() - round.max(FIRST_ROUND);
            rounds_are_short.get_or_insert(rounds >= MANY_ROUNDS);
            sets_up.get_or_insert(round < FIRST_ROUND && rounds >= 0);
            let is_certain =
                is_open && tried == TrialPosition::Over && descent.is_certain() && fork.table().chance.is_unused();
            if tried == TrialPosition::Fails && game.is_stopped() {
                break;
            }
            failed += u32::from(tried == TrialPosition::Fails);
            tree.learn(judge.results(), judge.leads());
            iterations += 1;
            if let Some(proof) = judge.proof(decision.seat).filter(|_| is_certain) {
                tree.prove(decision.seat, proof);
                // Who asks about a choice wants to know of that one too.
                if about.is_none() && tree.is_solved() {
                    break;
                }
            }
        }
        let mut options = tree.estimates();
        options.retain(|estimate| estimate.visits > 0);
        let mut chosen = tree.best(decision.options.len(), decision.min, decision.max);
        if chosen.is_empty() && decision.min > 0 {
            // Nothing was tried: chance.
            choose_at_random((count, decision.min, decision.max), None, &mut chance, &mut chosen);
        }
        let seats = tree.means();
        Advice { chosen, options, iterations, failed, seats, alike: tree.alike() }
    }
}

impl Agent for Search {
    fn choose(&mut self, game: &Observation<'_>) -> Vec<usize> {
        self.advice(game).chosen
    }
}
