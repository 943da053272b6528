//! Information-set Monte Carlo tree search (Cowling, Powley, Whitehouse 2012, *Information Set Monte Carlo Tree
//! Search*).
//!
//! Each iteration forks the game with a new sample of what the seat does not know, descends the tree of decisions tried
//! before, adds a node, and plays on at random. The result is added on the way back for each seat that decided, so
//! several seats each play for themselves (max^n), and options count by how often they were available. Where the rules
//! weight the options, the search starts from these weights. Where they measure how well hidden cards fit the choices
//! of others, samples follow that. All options of the first decision are tried in the same worlds, one after the other,
//! with the same hidden cards and random numbers, to reduce variance. A node of the tree belongs to what its seat could
//! see of the way there: secret or face-down choices of others do not split it.
//!
//! Nothing here depends on a clock, a hash order or platform-dependent functions, unless the budget is a time.

mod descent;
mod judge;
mod keys;
mod proof;
mod tree;

use crate::playthrough::observation::{Agent, Observation, TrialPosition, choose_at_random};
use crate::sorted::sort_by;
use crate::table::chance::Stream;
use crate::work::Clock;
use descent::{Descent, FIRST_ROUND};
use judge::Judge;
pub(crate) use keys::mix;
use std::time::Duration;
use tree::Tree;

/// The most iterations for one decision.
pub const MAX_ITERATIONS: u32 = 1_000_000;

/// If the first playout passes this many rounds, iterations do not end with a round.
const MANY_ROUNDS: i64 = 5;

/// The longest time for one decision, in milliseconds.
pub const MAX_MILLISECONDS: u32 = 600_000;

/// The budget of a search for one decision.
#[derive(Clone, Copy, Debug)]
pub enum Budget {
    /// A number of iterations; gives the same choice on every computer.
    Iterations(u32),
    /// Wall-clock time; the choice depends on the speed of the computer.
    Time(Duration, Clock),
}

/// The search agent.
#[derive(Debug)]
pub struct Search {
    seed: u64,
    budget: Budget,
}

// The following parameters were found by self-play over all games.

/// The exploration bonus of rarely tried options, in standard deviations of the results (UCB1).
const EXPLORATION: f64 = 1.0;

/// The bonus of an option that the rules' own policy prefers, while it was rarely tried: this many standard deviations,
/// times its share of all weights (PUCT).
const TRUST: f64 = 2.0;

/// Progressive widening: a decision that was visited n times tries this number times the square root of n options.
const WIDENING: f64 = 4.0;

/// The number of playout decisions after which the game is valued first, and then played on. Decisions with a single
/// answer do not count, here and below.
const NEAR: usize = 3;

/// The number of playout decisions after which the game is valued again, and the iteration ends.
const FAR: usize = 16;

/// Replaces [`FAR`] where the value at the near end is always the same, and before the first round.
const FARTHEST: usize = 120;

/// The weight of the value at the far end in the result.
const WEIGHT_OF_FAR: f64 = 0.5;

/// The result of a search, with statistics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Advice {
    /// The positions of the options to choose.
    pub chosen: Vec<usize>,
    /// Estimates of the options tried, the most visited first; where several options are chosen together, of the
    /// combinations.
    pub options: Vec<Estimate>,
    /// The number of iterations.
    pub iterations: u32,
    /// The number of iterations in which the rules failed; these count as the table stood.
    pub failed: u32,
    /// The mean result of each seat over all iterations.
    pub seats: Vec<f64>,
    /// For each option, the first one that its seat cannot tell from it; both share one estimate.
    pub alike: Vec<usize>,
}

impl Advice {
    /// The estimate of the options at these positions chosen together; `None` where they were not tried.
    pub fn of(&self, positions: &[usize]) -> Option<&Estimate> {
        let told = |positions: &[usize]| {
            let mut told: Vec<usize> =
                positions.iter().map(|&position| self.alike.get(position).copied().unwrap_or(position)).collect();
            sort_by(&mut told, Ord::cmp);
            told
        };
        let wanted = told(positions);
        self.options.iter().find(|estimate| told(&estimate.positions) == wanted)
    }
}

/// The estimate of an option, or of several chosen together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Estimate {
    /// The positions, in rising order.
    pub positions: Vec<usize>,
    /// The number of iterations that chose them.
    pub visits: u32,
    /// The mean result for the seat, from 0 to 1; `judge` defines results.
    pub result: f64,
    /// Half the width of a 95 % interval for the result: 1.96 standard errors, as if iterations were independent
    /// (nearly so, since the tree learns). With few iterations, the spread of all results and the largest possible
    /// spread count too. 0 for a proven result, which is then the one under perfect play of both.
    pub margin: f64,
    /// The mean lead over the best opponent where the iterations ended, in the units of the table's value.
    pub lead: f64,
    /// Whether its results differ.
    pub varies: bool,
}

impl Search {
    /// Creates an agent whose choices depend on the seed, the budget and the game.
    pub fn new(seed: u64, budget: Budget) -> Self {
        Self { seed, budget }
    }

    /// Searches, and returns the result with statistics. If the work is stopped, the result is what was found so far;
    /// without a [fork](Observation::can_be_tried), the choice is random.
    pub fn advice(&self, game: &Observation<'_>) -> Advice {
        self.advice_about(game, None)
    }

    /// As [`advice`](Self::advice), with every fourth iteration spent on the choice `about`, the positions of one
    /// choice, to estimate it.
    pub fn advice_about(&self, game: &Observation<'_>, about: Option<&[usize]>) -> Advice {
        let decision = game.decision();
        let count = decision.options.len();
        // Who acts in real time is up to the clock, and a forced choice needs no search.
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
            let times = tree.plan(&mut chance, first);
            // All options are tried in the same worlds, to reduce the variance between them.
            let mut world = Stream::named(self.seed ^ u64::from(number) << 32, "search world", times);
            // No consistent sample of others' hidden choices was found.
            let Some(fork) = game.likely_fork_into(&mut fork, &mut world) else { break };
            // With two players and no hidden information, outcomes can be proven.
            let is_open = *is_open.get_or_insert_with(|| game.layout().seats == 2 && fork.table().is_open());
            let mut descent = Descent::new(&mut tree, game, &mut world);
            descent.far = if judge.is_quiet() { FARTHEST } else { FAR };
            if sets_up == Some(true) {
                descent.sets_up();
            }
            descent.first = first;
            descent.goes_through_rounds = rounds_are_short != Some(false);
            let round = fork.table().round();
            judge.begin();
            let mut tried = fork.go_on(&mut descent);
            let mut weight = 1.0;
            if tried == TrialPosition::Asks && !descent.is_far {
                weight = WEIGHT_OF_FAR;
                judge.judge(fork, tried, 1.0 - weight);
                judge.listen(decision.seat);
                tried = fork.go_on(&mut descent);
            }
            judge.judge(fork, tried, weight);
            // If rounds take only a few decisions, a single round settles too little to end there.
            let rounds = fork.table().round() - round.max(FIRST_ROUND);
            rounds_are_short.get_or_insert(rounds >= MANY_ROUNDS);
            sets_up.get_or_insert(round < FIRST_ROUND && rounds >= 0);
            let is_certain =
                is_open && tried == TrialPosition::Over && descent.is_certain() && fork.table().chance.is_unused();
            if tried == TrialPosition::Fails && game.is_stopped() {
                break;
            }
            failed += u32::from(tried == TrialPosition::Fails);
            tree.learn(&judge.results, &judge.leads);
            iterations += 1;
            if let Some(proof) = judge.proof(decision.seat).filter(|_| is_certain) {
                tree.prove(decision.seat, proof);
                // A question about a choice needs more iterations for that choice.
                if about.is_none() && tree.is_solved() {
                    break;
                }
            }
        }
        let mut options = tree.estimates();
        options.retain(|estimate| estimate.visits > 0);
        let mut chosen = tree.best(decision.options.len(), decision.min, decision.max);
        if chosen.is_empty() && decision.min > 0 {
            // Nothing was tried, so the choice is random.
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
