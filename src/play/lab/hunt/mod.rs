//! A fuzzer for rules: searches for what breaks them, and reduces each find to a minimal case.
//!
//! Games are played with random sets of compatible variants, settings within their declared ranges, numbers of players,
//! seeds and agents. Coverage (branches of the scripts, and situations of the table) guides the search: cases that
//! reached something new are kept and mutated, as in coverage-guided fuzzers (Zalewski, *American Fuzzy Lop*, 2013).
//!
//! A find is an error of the rules, a game without end, a broken `invariant`, an information leak, a seat or option
//! that always wins, a rule that never fires, or variants whose order matters. Each is [reduced](reduce) and reported
//! once.
//!
//! Cases are generated in rounds of a fixed size and merged in order, so that the same seed and number of games give
//! the same finds with any number of workers.

mod case;
mod compiled;
mod extent;
mod fairness;
mod generate;
mod judge;
mod orders;
mod play;
mod reduce;
mod search;
mod smallest;
mod trial;
mod unused;

pub use case::{Case, Tail};

use crate::agent::AgentSpec;
use crate::definition::Library;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::lab::coverage::Coverage;
use crate::playthrough::replay::Replay;
use crate::work::{Work, Workers};
use compiled::{CompiledCache, CompiledRules, Refusal};
use generate::{Pool, Task};
use search::Search;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The number of cases in a round; they are generated from the same corpus and played in parallel.
const CASES_PER_ROUND: u64 = 32;

/// The options of a hunt.
#[derive(Clone, Debug)]
pub struct Plan {
    pub game: String,
    /// Variants that are part of every game: ids, or paths to files.
    pub variants: Vec<String>,
    /// Settings of every game: `double.bonus=2`.
    pub set: Vec<String>,
    /// The number of players; `None` for any that the rules allow.
    pub players: Option<usize>,
    /// Whether other variants of the game are added at random.
    pub adds: bool,
    /// The seed of all random choices.
    pub seed: u64,
    /// The most games played.
    pub games: u64,
    /// The number of decisions after which a game counts as endless; `None` for the rules' own limit.
    pub longest: Option<usize>,
    /// The agents: in each game one of these sits in one seat, and one in all others. If empty, most seats choose at
    /// random, and finally games of agents that try to win are judged.
    pub agents: Vec<AgentSpec>,
}

const DEFAULT_AGENTS: [AgentSpec; 8] = {
    let mut agents = [AgentSpec::Random; 8];
    agents[0] = AgentSpec::Greedy;
    agents
};

impl Plan {
    /// The agents to draw from; repeated ones are drawn more often.
    fn players_drawn(&self) -> &[AgentSpec] {
        if self.agents.is_empty() { &DEFAULT_AGENTS } else { &self.agents }
    }
}

/// The kinds of finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindKind {
    /// Compatible variants do not compile together.
    Rules,
    /// The rules fail.
    Error,
    /// The game does not end.
    Endless,
    /// The rules' own `invariant` does not hold.
    Invariant,
    /// A seat can infer hidden information.
    Leak,
    /// The order of two variants matters.
    Order,
    /// A seat wins every game, or none.
    Seat,
    /// The players who choose an option always win.
    Option,
    /// A function for agents fails, or returns useless values.
    AgentFunction,
    /// A rule that never fires.
    Unused,
}

impl FindKind {
    /// The name in reports and file names.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Error => "error",
            Self::Endless => "endless",
            Self::Invariant => "invariant",
            Self::Leak => "leak",
            Self::Order => "order",
            Self::Seat => "seat",
            Self::Option => "option",
            Self::AgentFunction => "asked",
            Self::Unused => "unused",
        }
    }
}

/// A find of a hunt.
#[derive(Clone, Debug)]
pub struct Find {
    /// The kind of find.
    pub kind: FindKind,
    /// The message, with the place.
    pub diagnostics: Diagnostics,
    /// The number of games in which it occurred; 0 where not counted.
    pub times: u64,
    /// The smallest case that shows it, and the number of moves after which it does.
    pub case: Option<(Case, usize)>,
    /// A saved game at that point.
    pub replay: Option<Replay>,
    /// For statistics over games: the agent that played, and the number of games; the case has the first seed.
    pub counted: Option<(AgentSpec, u64)>,
}

impl Find {
    /// A find without a saved game; `case` is the smallest case that shows it.
    fn of(kind: FindKind, diagnostics: Diagnostics, times: u64, case: Option<(Case, usize)>) -> Self {
        Self { kind, diagnostics, times, case, replay: None, counted: None }
    }
}

/// The result of a hunt.
#[derive(Clone, Debug, Default)]
pub struct HuntReport {
    /// The number of games played.
    pub games: u64,
    /// Whether the hunt was cut short by the time limit or by a stop.
    pub is_cut: bool,
    /// The number of different rulesets and numbers of players.
    pub rulesets: usize,
    /// The number of combinations of variants and settings that cannot be combined, which is no fault.
    pub refused: u64,
    /// The number of branches of scripts and situations of the table seen.
    pub situations: usize,
    /// The coverage of the scripts.
    pub coverage: Coverage,
    /// The finds, the worst first.
    pub finds: Vec<Find>,
    /// The number of further finds that were not reduced.
    pub more: usize,
    /// Notes that are no finds, such as what did not happen and hardly could have.
    pub notes: Vec<Diagnostic>,
}

/// The time limits of a hunt.
#[derive(Clone, Copy)]
pub struct HuntDeadline<'a> {
    /// Whether there is no more time for games.
    pub is_over: &'a (dyn Fn() -> bool + Sync),
    /// Whether there is no time left at all; finds are then not reduced further.
    pub is_late: &'a (dyn Fn() -> bool + Sync),
}

/// Hunts until all games are played, the time is over, or the work is stopped. Finds so far are reported in any case.
///
/// # Errors
/// The game, a variant or a setting cannot be used.
pub fn hunt(
    workers: &dyn Workers,
    library: &Library,
    work: &Arc<Work>,
    plan: &Plan,
    until: HuntDeadline<'_>,
) -> Result<HuntReport, Diagnostics> {
    let pool = Pool::new(library, plan)?;
    let ground = HuntContext {
        library,
        work,
        until,
        plan,
        cache: CompiledCache::default(),
        longest_ended: AtomicUsize::new(0),
        spent: AtomicU64::new(0),
    };
    // The given rules themselves must compile.
    let asked = Case::of(&plan.variants, &plan.set, 0);
    let ruleset = ground.cache.ruleset(library, &asked, &plan.game)?;
    let players = plan.players.unwrap_or(ruleset.definition.players.0);
    ruleset.check_players(players)?;
    if let Err(Refusal::Scripts(errors)) = ground.compiled(&Case { players, ..asked }) {
        return Err(errors);
    }
    let mut search = Search::default();
    let mut number = 0;
    let is_over = || (until.is_over)() || work.is_stopped();
    while number < plan.games && !search.report.is_cut && !is_over() {
        let last = (number + CASES_PER_ROUND).min(plan.games);
        let tasks: Vec<Task> = (number..last).map(|number| pool.task(plan.seed, number, &search.corpus)).collect();
        // Games that do not finish in time are left out of the round.
        let tried = workers.map(&tasks, |task| Some(if is_over() { None } else { ground.tried(task) }));
        for (task, tried) in tasks.iter().zip(tried) {
            match tried {
                Some(tried) => search.add(task, tried, number),
                None => search.report.is_cut = true,
            }
            number += 1;
        }
        let of = usize::try_from(plan.games).ok().filter(|games| *games < usize::MAX).unwrap_or(0);
        work.count_parts(search.report.games as usize, of);
        ground.longest_ended.store(search.longest_ended, Ordering::Relaxed);
        search.reduce(workers, &ground);
        search.keep(ground.cache.evict(false));
    }
    search.report.is_cut |= number < plan.games;
    search.check_orders(workers, &ground, &pool);
    search.judge_fairness(workers, &ground);
    search.keep(ground.cache.evict(true));
    search.report_agent_function_errors();
    search.report_unused_code();
    search.report.is_cut |= ground.is_late();
    Ok(search.told())
}

struct HuntContext<'a> {
    library: &'a Library,
    work: &'a Arc<Work>,
    until: HuntDeadline<'a>,
    plan: &'a Plan,
    cache: CompiledCache,
    /// The number of decisions of the longest game finished in earlier rounds.
    longest_ended: AtomicUsize,
    /// The number of decisions spent on the current reduction.
    spent: AtomicU64,
}

impl HuntContext<'_> {
    /// Whether no new work should begin.
    fn is_late(&self) -> bool {
        (self.until.is_late)() || self.work.is_stopped()
    }

    fn compiled(&self, case: &Case) -> Result<Arc<CompiledRules>, Refusal> {
        self.cache.compiled(self.library, case, &self.plan.game, self.work)
    }
}
