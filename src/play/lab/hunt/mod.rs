//! Looks for what breaks rules, and makes what it finds as small as it gets.
//!
//! Games are played over random sets of variants that may stand together, settings within their declared ranges, numbers of
//! players, seeds and agents. What a game reaches (ways through the scripts, and situations of the table) guides the choice
//! of the next: cases that reached something new are kept, and others are made of them, as fuzzers do that are guided by
//! coverage (Zalewski, *American Fuzzy Lop*, 2013).
//!
//! What is found is an error of the rules, a game without an end, a broken `invariant`, a leak of what is hidden, a seat or an
//! option that always wins, a rule that never fires, or variants whose order matters. Each is [reduced](reduce) and told once.
//!
//! Cases are made in rounds of a fixed size and merged in their order, so that the same seed and number of games finds the
//! same, whoever's hands play them.

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
use compiled::{Compiled, CompiledCache, Refusal};
use generate::{Pool, Task};
use search::Search;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Cases in one round: they are generated from the same knowledge, and played at the same time.
const ROUND: u64 = 32;

/// What to hunt in.
#[derive(Clone, Debug)]
pub struct Plan {
    pub game: String,
    /// Variants that are part of every game: ids, or paths to files.
    pub variants: Vec<String>,
    /// What is set in every game: `double.bonus=2`.
    pub set: Vec<String>,
    /// The number of players; any that the rules allow if not given.
    pub players: Option<usize>,
    /// Whether other variants of the game are added at random.
    pub adds: bool,
    /// The seed of everything that is chosen.
    pub seed: u64,
    /// How many games are played at most.
    pub games: u64,
    /// After so many decisions a game counts as one that does not end; the rules' own limit if not given.
    pub longest: Option<usize>,
    /// Who plays: in each game one of these sits in one seat, and one in all others. Where none are given, most choose at
    /// random, and in the end it is looked who wins among players who try to.
    pub agents: Vec<AgentSpec>,
}

/// Who plays where nobody says.
const USUAL_AGENTS: [AgentSpec; 8] = {
    let mut agents = [AgentSpec::Random; 8];
    agents[0] = AgentSpec::Greedy;
    agents
};

impl Plan {
    /// The agents that games are played by, each as often as it is drawn.
    fn players_drawn(&self) -> &[AgentSpec] {
        if self.agents.is_empty() { &USUAL_AGENTS } else { &self.agents }
    }
}

/// What sort of thing was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Variants that may stand together do not compile together.
    Rules,
    /// The rules cannot go on.
    Error,
    /// The game does not end.
    Endless,
    /// The rules' own `invariant` does not hold.
    Invariant,
    /// A seat can tell what it does not know.
    Leak,
    /// It matters in which order two variants lie.
    Order,
    /// A seat wins every game, or none.
    Seat,
    /// Who chooses an option wins.
    Option,
    /// A function that agents go by fails, or gives what is of no use to them.
    Asked,
    /// A rule that never fires.
    Unused,
}

impl Kind {
    /// What it is called, in reports and in the names of files.
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
            Self::Asked => "asked",
            Self::Unused => "unused",
        }
    }
}

/// One thing that was found.
#[derive(Clone, Debug)]
pub struct Find {
    /// What sort of thing.
    pub kind: Kind,
    /// What is said about it: what, and where.
    pub diagnostics: Diagnostics,
    /// In how many games it came up; 0 where nobody counts that.
    pub times: u64,
    /// The smallest case that shows it, and after how many moves it does.
    pub case: Option<(Case, usize)>,
    /// A saved game that stands there.
    pub replay: Option<Replay>,
    /// Where games were counted, by whom they were played: the case has the first seed of so many.
    pub counted: Option<(AgentSpec, u64)>,
}

/// What a hunt found, and how much it saw.
#[derive(Clone, Debug, Default)]
pub struct HuntReport {
    /// How many games were played.
    pub games: u64,
    /// Whether something was left out because there was no more time, or somebody stopped the work.
    pub is_cut: bool,
    /// How many different choices of rules and players.
    pub rulesets: usize,
    /// How many choices of variants and settings could not be put together, which is no fault.
    pub refused: u64,
    /// How many ways through the scripts and situations of the table were seen.
    pub situations: usize,
    /// What of the scripts was reached.
    pub coverage: Coverage,
    /// What was found, the worst first.
    pub finds: Vec<Find>,
    /// How many more sorts of things were found that were not looked at closely.
    pub more: usize,
    /// What is worth knowing and no find: what did not happen, and hardly could have.
    pub notes: Vec<Diagnostic>,
}

/// Until when a hunt goes on.
#[derive(Clone, Copy)]
pub struct HuntDeadline<'a> {
    /// Whether there is no more time for games.
    pub is_over: &'a (dyn Fn() -> bool + Sync),
    /// Whether there is none for anything else either: what was found stays as large as it is by then.
    pub is_late: &'a (dyn Fn() -> bool + Sync),
}

/// Hunts, until the games are played, there is no more time, or somebody stops the work. What was found before that is
/// told.
///
/// # Errors
/// The game, a variant or something that was set cannot be used.
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
        rack: CompiledCache::default(),
        longest_ended: AtomicUsize::new(0),
        spent: AtomicU64::new(0),
    };
    // Rules as they were asked for have to be there at least.
    let asked = Case {
        variants: plan.variants.clone(),
        set: plan.set.clone(),
        players: 0,
        before: 0,
        seed: 1,
        choices: Vec::new(),
        tail: Tail::First,
    };
    let ruleset = ground.rack.ruleset(library, &asked, &plan.game)?;
    let players = plan.players.unwrap_or(ruleset.definition.players.0);
    ruleset.check_players(players)?;
    if let Err(Refusal::Scripts(errors)) = ground.compiled(&Case { players, ..asked }) {
        return Err(errors);
    }
    let mut search = Search::default();
    let mut number = 0;
    let is_over = || (until.is_over)() || work.is_stopped();
    while number < plan.games && !search.report.is_cut && !is_over() {
        let last = (number + ROUND).min(plan.games);
        let tasks: Vec<Task> = (number..last).map(|number| pool.task(plan.seed, number, &search.corpus)).collect();
        // Some games take long: of a round, what has not come to its end in time is left out.
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
        search.keep(ground.rack.put_away(false));
    }
    search.report.is_cut |= number < plan.games;
    search.check_orders(workers, &ground, &pool);
    search.judge_fairness(workers, &ground);
    search.keep(ground.rack.put_away(true));
    search.asked_in_vain();
    search.never_fired();
    search.report.is_cut |= ground.is_late();
    Ok(search.told())
}

/// What a hunt works with.
struct HuntContext<'a> {
    library: &'a Library,
    work: &'a Arc<Work>,
    until: HuntDeadline<'a>,
    plan: &'a Plan,
    rack: CompiledCache,
    /// How many decisions the longest game had that came to its end, in the rounds before.
    longest_ended: AtomicUsize,
    /// How many decisions were made to make the find smaller that is being made smaller.
    spent: AtomicU64,
}

impl HuntContext<'_> {
    /// Whether nothing more is to be begun.
    fn is_late(&self) -> bool {
        (self.until.is_late)() || self.work.is_stopped()
    }

    fn compiled(&self, case: &Case) -> Result<Arc<Compiled>, Refusal> {
        self.rack.compiled(self.library, case, &self.plan.game, self.work)
    }
}
