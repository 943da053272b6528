//! Counters of a run: of calls alone, which is cheap, or of every step.

use super::code::Code;
use super::hooks::{Hook, NoHook, StatementContext};
use crate::script::End;
use crate::script::program::FunctionId;
use crate::script::rules::{Rules, Run};
use crate::table::decision::Answerer;
use std::sync::Arc;

/// An observer of runs. Each kind has its own copy of the machine's loop, and all copies are compiled here, where
/// everything that the loop calls can be inlined.
pub trait RunHook {
    /// Continues a run that this hook observes; see [`Rules::resume`].
    fn resume(&mut self, rules: &Rules, run: &mut Run, answers: &mut dyn Answerer) -> End;
}

impl RunHook for NoHook {
    fn resume(&mut self, rules: &Rules, run: &mut Run, answers: &mut dyn Answerer) -> End {
        rules.resume_hooked(run, answers, self)
    }
}

impl RunHook for CallCounts {
    fn resume(&mut self, rules: &Rules, run: &mut Run, answers: &mut dyn Answerer) -> End {
        rules.resume_hooked(run, answers, self)
    }
}

impl RunHook for StepCounts {
    fn resume(&mut self, rules: &Rules, run: &mut Run, answers: &mut dyn Answerer) -> End {
        rules.resume_hooked(run, answers, self)
    }
}

/// A hook that calls a closure before each statement; `false` stops the run there.
pub struct StatementHook<'a>(pub &'a mut dyn FnMut(&StatementContext<'_>) -> bool);

impl Hook for StatementHook<'_> {
    const WATCHES: bool = true;

    fn statement(&mut self, moment: &StatementContext<'_>) -> bool {
        (self.0)(moment)
    }
}

impl RunHook for StatementHook<'_> {
    fn resume(&mut self, rules: &Rules, run: &mut Run, answers: &mut dyn Answerer) -> End {
        rules.resume_hooked(run, answers, self)
    }
}

/// Counters over games that are played one after the other.
pub trait GameCounters: RunHook + Send {
    /// Counters that are all 0.
    fn new(rules: &Rules) -> Self;

    /// Begins a game, with `game()`.
    fn begin_game(&mut self);

    /// Ends the game.
    fn end_game(&mut self);

    /// The counted calls.
    fn calls(&self) -> &CallCounts;

    /// Adds the counts of another counter of the same rules.
    fn add(&mut self, other: &Self);
}

impl GameCounters for CallCounts {
    fn new(rules: &Rules) -> Self {
        Self::new(rules)
    }

    fn begin_game(&mut self) {
        self.begin_game();
    }

    fn end_game(&mut self) {
        self.end_game();
    }

    fn calls(&self) -> &CallCounts {
        self
    }

    fn add(&mut self, other: &Self) {
        self.add(other);
    }
}

impl GameCounters for StepCounts {
    fn new(rules: &Rules) -> Self {
        Self::new(rules)
    }

    fn begin_game(&mut self) {
        self.begin_game();
    }

    fn end_game(&mut self) {
        self.end_game();
    }

    fn calls(&self) -> &CallCounts {
        &self.calls
    }

    fn add(&mut self, other: &Self) {
        self.add(other);
    }
}

/// Counts how often each function of some rules was called, and in how many games.
///
/// Give it to [`Rules::resume_with_hook`] for one game after the other, between [`Self::begin_game`] and
/// [`Self::end_game`].
#[derive(Clone, Debug)]
pub struct CallCounts {
    /// The function `game()`; `None` where the rules have none.
    first: Option<FunctionId>,
    /// The calls in the current game.
    now: Vec<u32>,
    calls: Vec<u64>,
    games: Vec<u64>,
}

impl CallCounts {
    /// Counters that are all 0.
    pub fn new(rules: &Rules) -> Self {
        let functions = rules.functions().len();
        let zeros = vec![0; functions];
        Self { first: rules.function("game", 0), now: vec![0; functions], calls: zeros.clone(), games: zeros }
    }

    /// Begins a game, with `game()`.
    pub fn begin_game(&mut self) {
        self.now.fill(0);
        if let Some(function) = self.first {
            self.call(function);
        }
    }

    /// How often each function was called in the current game, by the id of the function.
    pub fn now(&self) -> &[u32] {
        &self.now
    }

    /// Ends the game, and adds its calls to those of earlier games.
    pub fn end_game(&mut self) {
        for ((now, calls), games) in self.now.iter_mut().zip(&mut self.calls).zip(&mut self.games) {
            *calls += u64::from(*now);
            *games += u64::from(*now > 0);
            *now = 0;
        }
    }

    /// How often each function was called, and in how many games, by the id of the function.
    pub fn totals(&self) -> impl Iterator<Item = (u64, u64)> {
        self.calls.iter().copied().zip(self.games.iter().copied())
    }

    fn add(&mut self, other: &Self) {
        for (own, other) in [(&mut self.calls, &other.calls), (&mut self.games, &other.games)] {
            own.iter_mut().zip(other).for_each(|(own, other)| *own += other);
        }
    }
}

impl Hook for CallCounts {
    const CALLS: bool = true;
    const SKIPS: bool = true;

    #[inline]
    fn call(&mut self, function: FunctionId) {
        // A typed expression is a function beyond those of the rules.
        if let Some(count) = self.now.get_mut(usize::from(function)) {
            *count = count.saturating_add(1);
        }
    }
}

/// Counts how often each step of some rules was made, and how often the run went on elsewhere than at the next step.
#[derive(Clone, Debug)]
pub struct StepCounts {
    pub code: Arc<Code>,
    pub calls: CallCounts,
    /// For each function, the index of its first step in `steps`.
    begins: Vec<usize>,
    /// For each step, how often it was made, how often the run went on elsewhere, and how often the step failed.
    steps: Vec<[u64; 3]>,
    base: usize,
    previous: usize,
    pub runs: u64,
}

/// The index of no step: neither it nor the index behind it is a step of the rules.
const NONE: usize = usize::MAX / 2;

impl StepCounts {
    /// Counters that are all 0.
    pub fn new(rules: &Rules) -> Self {
        let code = rules.code().clone();
        let mut begins = Vec::with_capacity(code.functions.len());
        let mut steps = 0;
        for function in &code.functions {
            begins.push(steps);
            steps += function.steps.len();
        }
        let calls = CallCounts::new(rules);
        Self { code, calls, begins, steps: vec![[0; 3]; steps], base: NONE, previous: NONE, runs: 0 }
    }

    /// Begins a game, with `game()`.
    pub fn begin_game(&mut self) {
        self.begin_call();
        self.calls.begin_game();
    }

    /// Begins a run of something else than `game()`.
    pub fn begin_call(&mut self) {
        self.calls.now.fill(0);
        (self.base, self.previous) = (NONE, NONE);
        self.runs += 1;
    }

    /// Ends the game or the run.
    pub fn end_game(&mut self) {
        self.calls.end_game();
    }

    /// Adds the counts of another counter of the same rules.
    pub fn add(&mut self, other: &Self) {
        self.calls.add(&other.calls);
        self.runs += other.runs;
        for (own, other) in self.steps.iter_mut().zip(&other.steps) {
            own.iter_mut().zip(other).for_each(|(own, other)| *own += other);
        }
    }

    /// How often a step was made.
    pub fn times_made(&self, function: usize, place: usize) -> u64 {
        self.at(function, place)[0]
    }

    /// How often the run went on at the step behind, and how often elsewhere.
    pub fn branch_counts(&self, function: usize, place: usize) -> [u64; 2] {
        let [made, elsewhere, failed] = self.at(function, place);
        [made.saturating_sub(elsewhere + failed), elsewhere]
    }

    fn at(&self, function: usize, place: usize) -> [u64; 3] {
        let begin = self.begins.get(function);
        begin.and_then(|begin| self.steps.get(begin + place)).copied().unwrap_or_default()
    }

    /// Reports each way that was taken from a step, as a number: twice the index of the step among all steps, plus one
    /// if the way did not lead to the step behind.
    pub fn each_reached(&self, mut tell: impl FnMut(usize)) {
        for (number, [made, elsewhere, failed]) in self.steps.iter().enumerate() {
            if *made > elsewhere + failed {
                tell(2 * number);
            }
            if *elsewhere > 0 {
                tell(2 * number + 1);
            }
        }
    }
}

impl Hook for StepCounts {
    const STEPS: bool = true;
    const CALLS: bool = true;

    #[inline]
    fn within(&mut self, function: FunctionId) {
        self.base = self.begins.get(usize::from(function)).copied().unwrap_or(NONE);
    }

    #[inline]
    fn step(&mut self, place: usize) {
        let at = self.base + place;
        if at != self.previous + 1
            && let Some([_, elsewhere, _]) = self.steps.get_mut(self.previous)
        {
            *elsewhere += 1;
        }
        if let Some([made, ..]) = self.steps.get_mut(at) {
            *made += 1;
        }
        self.previous = at;
    }

    fn again(&mut self) {
        if let Some([made, ..]) = self.steps.get_mut(self.previous) {
            *made = made.saturating_sub(1);
        }
    }

    fn failed(&mut self) {
        if let Some([.., failed]) = self.steps.get_mut(self.previous) {
            *failed += 1;
        }
        self.previous = NONE;
    }

    #[inline]
    fn call(&mut self, function: FunctionId) {
        self.calls.call(function);
    }
}
