//! A cache of calls: what pure functions gave, with everything else that the calls came to.
//!
//! A result is used again while nothing has changed that the function depends on. Then the run goes on exactly as if the
//! function had been called: the same value, the same count of units and bytes, the same calls for whoever counts them.

use super::code::Code;
use super::dependencies::{Dependencies, PlainArguments};
use super::meter::{Meter, MeterMark};
use super::value::RegisterValue;
use crate::script::MAX_CALL_DEPTH;
use crate::script::program::FunctionId;
use crate::table::Table;
use std::sync::Arc;

/// Number of pairs of results that are kept for a function at first, and at most; powers of two.
const MIN_PAIRS_PER_FUNCTION: usize = 2;
const MAX_PAIRS_PER_FUNCTION: usize = 32;

/// Maximum number of functions whose results are kept, and of calls within a call whose result is kept.
const MAX_CACHED_FUNCTIONS: usize = 256;
const MAX_CALLS_WITHIN: usize = 256;

/// The cache pays if it answers at least [`MIN_HITS`] of [`HIT_WINDOW`] questions in a row: then to remember calls is
/// cheaper than to make them.
const HIT_WINDOW: u32 = 32;
const MIN_HITS: u32 = 10;

/// Number of questions without the cache after it did not pay: the first rest, and the longest. Each rest in a row is
/// twice as long as the one before.
const MIN_CACHE_PAUSE: u32 = 64;
const MAX_CACHE_PAUSE: u32 = 1 << 14;

/// Decides whether a cache pays, by counting hits from time to time.
#[derive(Debug)]
struct CachePayoff {
    /// The number of questions since the last rest, and how many of them the cache answered.
    asked: u32,
    hits: u32,
    /// How many questions to come skip the cache, and the length of the last rest.
    resting: u32,
    rest: u32,
}

impl Default for CachePayoff {
    /// What is seldom called is not worth the memory.
    fn default() -> Self {
        Self { asked: 0, hits: 0, resting: MIN_CACHE_PAUSE, rest: 0 }
    }
}

impl CachePayoff {
    /// Whether the next question uses the cache.
    #[inline]
    fn uses_cache(&mut self) -> bool {
        let remembers = self.resting == 0;
        self.resting = self.resting.saturating_sub(u32::from(self.resting < u32::MAX));
        remembers
    }

    /// No question uses the cache any more.
    fn give_up(&mut self) {
        self.resting = u32::MAX;
    }

    /// Counts a question that used the cache as a hit or a miss.
    #[inline]
    fn note(&mut self, is_hit: bool) {
        self.asked += 1;
        self.hits += u32::from(is_hit);
        if self.asked == HIT_WINDOW {
            self.rest = if self.hits < MIN_HITS { (2 * self.rest).clamp(MIN_CACHE_PAUSE, MAX_CACHE_PAUSE) } else { 0 };
            self.resting = self.rest;
            (self.asked, self.hits) = (0, 0);
        }
    }
}

/// The calls that a machine remembers. A copy remembers none.
#[derive(Debug, Default)]
pub(super) struct CallCache {
    /// Of the code that the results are of; `None` before the first run.
    of: Option<Arc<Vec<Dependencies>>>,
    functions: Vec<CachedFunction>,
    /// Number of functions of which results are kept.
    count: usize,
    /// The calls in progress whose results will be kept, the outermost first.
    open: Vec<OpenCall>,
    /// The functions that were called since the outermost of them began.
    log: Vec<FunctionId>,
    /// Whether every call is looked up, whether that pays or not.
    is_eager: bool,
}

#[derive(Debug, Default)]
struct CachedFunction {
    pairs: Vec<CachedPair>,
    payoff: CachePayoff,
}

/// Two calls that belong into one place. The one whose result was of use last stays: what is tried from one table again
/// and again does not drive out what holds for that table.
#[derive(Debug, Default)]
struct CachedPair {
    calls: [CachedCall; 2],
    /// Index of the one that stays.
    useful: usize,
}

/// A call that was made.
#[derive(Debug, Default)]
struct CachedCall {
    arguments: PlainArguments,
    /// The newest version of what the function depends on; `None` before the first call.
    version: Option<u64>,
    value: RegisterValue,
    units: u64,
    bytes: usize,
    /// The functions that were called in turn.
    calls: Vec<FunctionId>,
}

/// A call in progress whose result will be kept.
#[derive(Debug)]
struct OpenCall {
    /// Number of frames while the function itself runs.
    frames: usize,
    function: FunctionId,
    arguments: PlainArguments,
    version: u64,
    /// The meter and the length of the log at the beginning.
    mark: MeterMark,
    log: usize,
}

impl CallCache {
    /// Looks every call up from now on.
    pub fn be_eager(&mut self) {
        self.is_eager = true;
    }

    /// Prepares for a run of some code, or for its continuation.
    pub fn begin(&mut self, code: &Code) {
        self.open.clear();
        self.log.clear();
        if !self.of.as_ref().is_some_and(|of| Arc::ptr_eq(of, &code.dependencies)) {
            self.of = Some(code.dependencies.clone());
            self.functions.clear();
            self.functions.resize_with(code.dependencies.len(), CachedFunction::default);
            self.count = 0;
        }
    }

    /// Records a call that is not looked up.
    #[inline]
    pub fn record(&mut self, function: FunctionId) {
        if !self.open.is_empty() {
            self.log.push(function);
        }
    }

    /// Whether a call of a function is to be looked up. It is recorded in any case.
    #[inline]
    pub fn is_asked(&mut self, function: FunctionId) -> bool {
        self.record(function);
        self.is_eager || self.functions.get_mut(usize::from(function)).is_some_and(|cached| cached.payoff.uses_cache())
    }

    /// Looks a call up, which has been counted and recorded already; `frames` is the number of calls that wait for it.
    /// Gives the result, and tells `called` of every function that the call would have called. `None` where the call has
    /// to be made.
    #[inline(never)]
    pub fn look_up(
        &mut self,
        function: FunctionId,
        arguments: &PlainArguments,
        (table, meter, frames): (&Table, &mut Meter, usize),
        mut called: impl FnMut(FunctionId),
    ) -> Option<RegisterValue> {
        let place = usize::from(function);
        let cached = self.functions.get_mut(place)?;
        let dependencies = self.of.as_ref()?.get(place)?;
        let version = dependencies.version(table, arguments)?;
        if cached.pairs.is_empty() {
            if self.count == MAX_CACHED_FUNCTIONS {
                return None;
            }
            self.count += 1;
            cached.pairs.resize_with(MIN_PAIRS_PER_FUNCTION, CachedPair::default);
        }
        let place = place_of(arguments, cached.pairs.len());
        let CachedPair { calls, useful } = &mut cached.pairs[place];
        let is_meant = |call: &CachedCall| call.version == Some(version) && call.arguments == *arguments;
        let found = [*useful, 1 - *useful].into_iter().find(|&one| is_meant(&calls[one]));
        let known = found.map(|found| &calls[found]).filter(|call| {
            frames + usize::from(dependencies.depth) < MAX_CALL_DEPTH && meter.has_room(call.units, call.bytes)
        });
        cached.payoff.note(known.is_some());
        if let Some(known) = known {
            *useful = found.unwrap_or(*useful);
            meter.use_room(known.units, known.bytes);
            known.calls.iter().for_each(|&function| called(function));
            if !self.open.is_empty() {
                self.log.extend_from_slice(&known.calls);
            }
            return Some(known.value.clone());
        }
        let free = &calls[1 - *useful];
        let is_shared = free.version.is_some() && free.arguments != *arguments;
        if is_shared && cached.pairs.len() < MAX_PAIRS_PER_FUNCTION {
            let more = 2 * cached.pairs.len();
            cached.pairs.clear();
            cached.pairs.resize_with(more, CachedPair::default);
        }
        let (mark, log) = (meter.mark(), self.log.len());
        self.open.push(OpenCall { frames: frames + 1, function, arguments: *arguments, version, mark, log });
        None
    }

    /// Keeps the result of the call that ends, if it is one to be kept; `frames` includes it.
    #[inline]
    pub fn returned(&mut self, frames: usize, value: &RegisterValue, meter: &Meter) {
        if self.open.last().is_some_and(|open| open.frames == frames) {
            self.keep(value, meter);
        }
    }

    #[inline(never)]
    fn keep(&mut self, value: &RegisterValue, meter: &Meter) {
        let Some(open) = self.open.pop() else { return };
        let cached = self.functions.get_mut(usize::from(open.function));
        // A call in which the memory was measured is like no other.
        let counted = meter.counted_since(open.mark);
        if let (Some(cached), Some((units, bytes)), Some(within)) = (cached, counted, self.log.get(open.log..)) {
            if value.plain().is_none() || within.len() > MAX_CALLS_WITHIN {
                cached.payoff.give_up();
            } else {
                let place = place_of(&open.arguments, cached.pairs.len());
                let call = cached.pairs[place].place_for(&open.arguments);
                call.arguments = open.arguments;
                call.version = Some(open.version);
                call.value = value.clone();
                (call.units, call.bytes) = (units, bytes);
                call.calls.clear();
                call.calls.extend_from_slice(within);
            }
        }
        if self.open.is_empty() {
            self.log.clear();
        }
    }
}

impl CachedPair {
    /// The call that gives way to another one with these arguments.
    fn place_for(&mut self, arguments: &PlainArguments) -> &mut CachedCall {
        let other = 1 - self.useful;
        let is_own = |call: &CachedCall| call.arguments == *arguments;
        let is_outdated = is_own(&self.calls[self.useful]) && !is_own(&self.calls[other]);
        &mut self.calls[if is_outdated { self.useful } else { other }]
    }
}

/// Where the results for some arguments are kept among `count` places.
#[inline]
fn place_of(arguments: &PlainArguments, count: usize) -> usize {
    arguments.hash() & count.wrapping_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of the `questions` use the cache, if it answers every `every`-th of them.
    fn remembered(questions: u32, every: u32) -> u32 {
        let mut payoff = CachePayoff::default();
        let mut remembered = 0;
        for _ in 0..questions {
            if payoff.uses_cache() {
                remembered += 1;
                payoff.note(remembered % every == 0);
            }
        }
        remembered
    }

    #[test]
    fn what_pays_is_always_remembered_and_what_never_does_is_tried_ever_more_seldom() {
        assert_eq!(remembered(100_000, HIT_WINDOW / MIN_HITS), 100_000 - MIN_CACHE_PAUSE);
        let [first, later] = [10_000, 100_000].map(|questions| remembered(questions, u32::MAX));
        // With each try, the rest behind it is twice as long.
        assert!((5 * HIT_WINDOW..=8 * HIT_WINDOW).contains(&first), "{first}");
        assert!(later - first <= 8 * HIT_WINDOW, "{later}");
        assert!(remembered(100_000, HIT_WINDOW) <= later);
    }
}
