//! Who counts while the rules run: calls alone, which is cheap, or every step.

use super::code::Code;
use super::hooks::{Hook, Moment, NoHook};
use crate::script::End;
use crate::script::program::FunctionId;
use crate::script::rules::{Rules, Run};
use crate::table::decision::Answers;
use std::sync::Arc;

/// Whoever can watch a run. Each kind has a copy of the machine's loop of its own, all of them compiled here, where everything
/// that the loop calls can be inlined.
pub trait RunHook {
    /// Goes on with a run, watched by this; see [`Rules::go_on`].
    fn go_on(&mut self, rules: &Rules, run: &mut Run, answers: &mut dyn Answers) -> End;
}

impl RunHook for NoHook {
    fn go_on(&mut self, rules: &Rules, run: &mut Run, answers: &mut dyn Answers) -> End {
        rules.go_on_hooked(run, answers, self)
    }
}

impl RunHook for CallCounts {
    fn go_on(&mut self, rules: &Rules, run: &mut Run, answers: &mut dyn Answers) -> End {
        rules.go_on_hooked(run, answers, self)
    }
}

impl RunHook for StepCounts {
    fn go_on(&mut self, rules: &Rules, run: &mut Run, answers: &mut dyn Answers) -> End {
        rules.go_on_hooked(run, answers, self)
    }
}

/// Is called before each statement; `false` stops the run before it.
pub struct Statements<'a>(pub &'a mut dyn FnMut(&Moment<'_>) -> bool);

impl Hook for Statements<'_> {
    const WATCHES: bool = true;

    fn statement(&mut self, moment: &Moment<'_>) -> bool {
        (self.0)(moment)
    }
}

impl RunHook for Statements<'_> {
    fn go_on(&mut self, rules: &Rules, run: &mut Run, answers: &mut dyn Answers) -> End {
        rules.go_on_hooked(run, answers, self)
    }
}

/// What is counted while games are played, one after the other.
pub trait Counts: RunHook + Send {
    /// Nothing has been run yet.
    fn new(rules: &Rules) -> Self;

    /// A game begins, with `game()`.
    fn begin_game(&mut self);

    /// The game is over.
    fn end_game(&mut self);

    /// The calls among what was counted.
    fn calls(&self) -> &CallCounts;

    /// Adds what another has counted of the same rules.
    fn add(&mut self, other: &Self);
}

impl Counts for CallCounts {
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

impl Counts for StepCounts {
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

/// How often each function of some rules was called, and in how many games.
///
/// Give it to [`Rules::go_on_watched`] for one game after the other, between [`Self::begin_game`] and
/// [`Self::end_game`].
#[derive(Clone, Debug)]
pub struct CallCounts {
    /// The function that a game begins with.
    first: Option<FunctionId>,
    /// In the game that is played now.
    now: Vec<u32>,
    calls: Vec<u64>,
    games: Vec<u64>,
}

impl CallCounts {
    /// Nothing has been called yet.
    pub fn new(rules: &Rules) -> Self {
        let functions = rules.functions().len();
        let zeros = vec![0; functions];
        Self { first: rules.function("game", 0), now: vec![0; functions], calls: zeros.clone(), games: zeros }
    }

    /// A game begins, with `game()`.
    pub fn begin_game(&mut self) {
        self.now.fill(0);
        if let Some(function) = self.first {
            self.call(function);
        }
    }

    /// How often each function was called in the game that is played now, by its number.
    pub fn now(&self) -> &[u32] {
        &self.now
    }

    /// The game is over: it is added to the others.
    pub fn end_game(&mut self) {
        for ((now, calls), games) in self.now.iter_mut().zip(&mut self.calls).zip(&mut self.games) {
            *calls += u64::from(*now);
            *games += u64::from(*now > 0);
            *now = 0;
        }
    }

    /// For each function, by its number: how often it was called, and in how many games.
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

    #[inline]
    fn call(&mut self, function: FunctionId) {
        // What a person typed is a function beyond those of the rules.
        if let Some(count) = self.now.get_mut(usize::from(function)) {
            *count = count.saturating_add(1);
        }
    }
}

/// How often each step of some rules was made, and how often the run went on elsewhere than behind it.
#[derive(Clone, Debug)]
pub struct StepCounts {
    pub code: Arc<Code>,
    pub calls: CallCounts,
    /// Where the steps of each function begin.
    begins: Vec<usize>,
    /// For each step how often it was made, how often the next was not the one behind it, and how often it failed.
    steps: Vec<[u64; 3]>,
    base: usize,
    previous: usize,
    pub runs: u64,
}

/// No step: neither it nor the one behind it is one of the rules'.
const NONE: usize = usize::MAX / 2;

impl StepCounts {
    /// Nothing has been run yet.
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

    /// A game begins, with `game()`.
    pub fn begin_game(&mut self) {
        self.begin_call();
        self.calls.begin_game();
    }

    /// A run begins with something else than `game()`.
    pub fn begin_call(&mut self) {
        self.calls.now.fill(0);
        (self.base, self.previous) = (NONE, NONE);
        self.runs += 1;
    }

    /// The game is over, or the run.
    pub fn end_game(&mut self) {
        self.calls.end_game();
    }

    /// Adds what another has counted of the same rules.
    pub fn add(&mut self, other: &Self) {
        self.calls.add(&other.calls);
        self.runs += other.runs;
        for (own, other) in self.steps.iter_mut().zip(&other.steps) {
            own.iter_mut().zip(other).for_each(|(own, other)| *own += other);
        }
    }

    /// How often a step was made.
    pub fn made(&self, function: usize, place: usize) -> u64 {
        self.at(function, place)[0]
    }

    /// How often the run went on behind a step, and how often elsewhere.
    pub fn ways(&self, function: usize, place: usize) -> [u64; 2] {
        let [made, elsewhere, failed] = self.at(function, place);
        [made.saturating_sub(elsewhere + failed), elsewhere]
    }

    fn at(&self, function: usize, place: usize) -> [u64; 3] {
        let begin = self.begins.get(function);
        begin.and_then(|begin| self.steps.get(begin + place)).copied().unwrap_or_default()
    }

    /// Tells each way that was taken from a step to the next one or elsewhere, as a number: twice that of the step among all
    /// steps, and one more for elsewhere.
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
