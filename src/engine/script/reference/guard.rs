//! Limits on the time, memory and operations of a script.
//!
//! Rhai's own operation limit loses count inside callbacks and can be swallowed, so the guard counts for itself and
//! latches: once it has tripped, every further operation fails, and the host checks the latch even when the script
//! reports success. Only the count decides games; the deadline is an error like any other.
//!
//! Operations are counted over the whole run, so that clock, memory and Ctrl-C are checked after a number of
//! operations, however many decisions lie between. What a decision costs beside operations is counted like operations.

use super::meter;
use crate::diagnostic::{Message, message};
use crate::work::Work;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Maximum number of operations of the interpreter between two decisions.
pub const MAX_OPERATIONS: u64 = 2_000_000;

/// Maximum number of operations of the interpreter in one game: a thousand times what a long card game takes.
pub const MAX_GAME_OPERATIONS: u64 = 2_000_000_000;

/// Maximum number of operations for one drawing of the table.
pub const MAX_DRAWING_OPERATIONS: u64 = 500_000;

/// Maximum time between two decisions.
pub const MAX_TIME_PER_DECISION: Duration = Duration::from_secs(5);

/// Maximum time for one drawing of the table.
pub const MAX_TIME_PER_DRAWING: Duration = Duration::from_secs(3);

/// Maximum memory that one run may hold beside its record, in bytes.
pub const MAX_RUN_BYTES: i64 = 128 << 20;

/// Number of operations between two costly checks of clock and memory; fewer where operations are slow.
const OPERATIONS_BETWEEN_CHECKS: u64 = 256;

/// Time between two checks above which operations count as slow.
const SLOW_CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// Cost of a question in operations, and number of options that cost one operation.
const OPERATIONS_PER_QUESTION: u64 = 8;
const OPTIONS_PER_OPERATION: u64 = 4;

/// Time that rules may go on after a stop request, to reach a decision at which the game can pause.
const STOP_GRACE: Duration = Duration::from_millis(50);

/// Why the guard ended a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GuardStop {
    /// A limit was reached, described in one sentence.
    Limit(Message),
    /// Somebody asked the rules to stop.
    Stopped,
}

/// Counts the operations of one interpreter, checks the limits, and latches when one is reached.
#[derive(Debug, Default)]
pub struct Guard {
    /// Operations of the whole run.
    operations: Cell<u64>,
    /// Count at which the next check is due; 0 once the guard has tripped.
    look_at: Cell<u64>,
    /// Number of operations between two checks, at present.
    look_every: Cell<u64>,
    looked: Cell<Option<Instant>>,
    /// Counts at which the budgets of this stretch and of the game are used up.
    stretch_ends: Cell<u64>,
    game_ends: Cell<u64>,
    deadline: Cell<Option<Instant>>,
    /// Whether one budget serves several runs.
    is_drawing: Cell<bool>,
    /// Whether the shared budget is used up.
    used_up: Cell<bool>,
    /// The time at which rules that were asked to stop are stopped.
    stop_by: Cell<Option<Instant>>,
    memory_at_start: Cell<i64>,
    recorded: Cell<i64>,
    tripped: RefCell<Option<GuardStop>>,
    work: Arc<Work>,
}

impl Guard {
    /// A guard that also trips when `work` is stopped.
    pub fn new(work: Arc<Work>) -> Rc<Self> {
        Rc::new(Self { work, ..Self::default() })
    }

    /// The work whose stop trips the guard.
    pub fn work(&self) -> &Arc<Work> {
        &self.work
    }

    /// Begins a run.
    pub fn begin(&self) {
        self.memory_at_start.set(meter::live_bytes());
        self.tripped.replace(None);
        self.looked.set(None);
        self.look_every.set(OPERATIONS_BETWEEN_CHECKS);
        if self.is_drawing.get() {
            // What was used of the budget stays used.
            self.look_at.set((self.operations.get() + OPERATIONS_BETWEEN_CHECKS).min(self.stretch_ends.get() + 1));
            self.recorded.set(0);
            return;
        }
        self.operations.set(0);
        self.look_at.set(OPERATIONS_BETWEEN_CHECKS);
        self.stop_by.set(self.work.is_stopped().then(Instant::now));
        self.game_ends.set(MAX_GAME_OPERATIONS);
        self.begin_stretch(0);
    }

    /// Lets all runs share the budget of one drawing, until [`Self::end_drawing`].
    pub fn begin_drawing(&self) {
        self.is_drawing.set(true);
        self.used_up.set(false);
        self.operations.set(0);
        self.stretch_ends.set(MAX_DRAWING_OPERATIONS);
        self.game_ends.set(self.stretch_ends.get());
        let now = Instant::now();
        self.deadline.set(Some(now + MAX_TIME_PER_DRAWING));
        // Stopped work may still be drawn, if that is quick.
        self.stop_by.set(self.work.is_stopped().then(|| now + STOP_GRACE));
    }

    /// Whether the budget of a drawing is used up, or the drawing was asked to stop.
    pub fn is_used_up(&self) -> bool {
        self.used_up.get() || self.stop_by.get().is_some_and(|moment| Instant::now() > moment)
    }

    /// Gives each run its own budget again.
    pub fn end_drawing(&self) {
        self.is_drawing.set(false);
    }

    /// Begins the next stretch with the full budget, before a decision among `options` options. `recorded` is the size
    /// of the record in bytes, which does not count as memory of the script.
    pub fn next_step(&self, recorded: usize, options: usize) {
        self.recorded.set(recorded as i64);
        let cost = OPERATIONS_PER_QUESTION + options as u64 / OPTIONS_PER_OPERATION;
        self.operations.set(self.operations.get() + cost);
        if self.tripped.borrow().is_none() {
            self.begin_stretch(self.operations.get());
        }
    }

    fn begin_stretch(&self, operations: u64) {
        self.stretch_ends.set(operations + MAX_OPERATIONS);
        self.deadline.set(None);
    }

    /// Counts one operation; true if the script has to end.
    #[inline]
    pub fn tick(&self) -> bool {
        let operations = self.operations.get() + 1;
        self.operations.set(operations);
        (operations >= self.look_at.get() || self.work.is_stopped()) && self.look(operations)
    }

    /// Why the guard ended the run; `None` if it did not.
    pub fn tripped(&self) -> Option<GuardStop> {
        self.tripped.borrow().clone()
    }

    /// Makes the costly check of clock, memory and limits; true if the script has to end.
    #[cold]
    fn look(&self, operations: u64) -> bool {
        if self.tripped.borrow().is_some() {
            return true;
        }
        let now = Instant::now();
        let is_slow = self.looked.replace(Some(now)).is_some_and(|before| now - before > SLOW_CHECK_INTERVAL);
        let every = if is_slow { self.look_every.get() / 8 } else { self.look_every.get() * 2 };
        self.look_every.set(every.clamp(1, OPERATIONS_BETWEEN_CHECKS));
        self.look_at.set((operations + self.look_every.get()).min(self.stretch_ends.get() + 1));
        if operations > self.stretch_ends.get() {
            self.trip(|| match self.is_drawing.get() {
                true => too_long_to_draw(),
                false => GuardStop::Limit(message!(
                    "the rules ran for more than {MAX_OPERATIONS} operations without a decision"
                )),
            });
        }
        if operations > self.game_ends.get() {
            self.trip(|| {
                GuardStop::Limit(message!("the rules ran for more than {MAX_GAME_OPERATIONS} operations in one game"))
            });
        }
        match self.deadline.get() {
            None => self.deadline.set(Some(now + MAX_TIME_PER_DECISION)),
            Some(deadline) if now > deadline => self.trip(|| match self.is_drawing.get() {
                true => too_long_to_draw(),
                false => GuardStop::Limit(message!(
                    "the rules ran for more than {} seconds without a decision",
                    MAX_TIME_PER_DECISION.as_secs()
                )),
            }),
            Some(_) => {}
        }
        if meter::live_bytes() - self.memory_at_start.get() - self.recorded.get() > MAX_RUN_BYTES {
            self.trip(|| GuardStop::Limit(message!("the rules hold more than {} MiB of memory", MAX_RUN_BYTES >> 20)));
        }
        match self.stop_by.get() {
            None if self.work.is_stopped() => self.stop_by.set(Some(now + STOP_GRACE)),
            Some(moment) if now > moment => self.trip(|| GuardStop::Stopped),
            _ => {}
        }
        self.tripped.borrow().is_some()
    }

    /// Trips the guard: the first reason stays, and every further operation is checked.
    fn trip(&self, reason: impl FnOnce() -> GuardStop) {
        self.tripped.borrow_mut().get_or_insert_with(reason);
        self.used_up.set(true);
        self.look_at.set(0);
    }
}

fn too_long_to_draw() -> GuardStop {
    let most = format!("{MAX_DRAWING_OPERATIONS} operations or {} seconds", MAX_TIME_PER_DRAWING.as_secs());
    GuardStop::Limit(message!("the rules ran for more than {most} for one drawing of the table"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a number of decisions with a few operations before each, until the guard trips.
    fn decide(guard: &Guard, decisions: usize) -> Option<GuardStop> {
        for _ in 0..decisions {
            if (0..5).any(|_| guard.tick()) {
                break;
            }
            guard.next_step(0, 2);
        }
        guard.tripped()
    }

    #[test]
    fn a_stop_is_heard_across_decisions() {
        let guard = Guard::new(Arc::default());
        guard.begin();
        assert_eq!(decide(&guard, 1_000), None);
        guard.work().stop();
        std::thread::sleep(2 * STOP_GRACE);
        decide(&guard, 1);
        std::thread::sleep(2 * STOP_GRACE);
        assert_eq!(decide(&guard, 2), Some(GuardStop::Stopped));
        assert!(guard.tick() && guard.tick(), "it stays tripped");
    }

    #[test]
    fn memory_is_looked_at_across_decisions() {
        let guard = Guard::new(Arc::default());
        guard.begin();
        let held = vec![1_u8; MAX_RUN_BYTES as usize + (1 << 20)];
        let tripped = decide(&guard, 1_000);
        assert!(matches!(&tripped, Some(GuardStop::Limit(reason)) if reason.contains("128 MiB")), "{tripped:?}");
        drop(held);
    }

    #[test]
    fn the_whole_game_has_a_budget() {
        let guard = Guard::new(Arc::default());
        guard.begin();
        guard.game_ends.set(20_000);
        let tripped = decide(&guard, 10_000);
        assert!(matches!(&tripped, Some(GuardStop::Limit(reason)) if reason.contains("in one game")), "{tripped:?}");
    }

    #[test]
    fn runs_for_one_drawing_share_a_budget() {
        let guard = Guard::new(Arc::default());
        guard.begin_drawing();
        let run = |operations: u64| {
            guard.begin();
            (0..operations).any(|_| guard.tick())
        };
        assert!(!run(MAX_DRAWING_OPERATIONS / 2) && !guard.is_used_up());
        assert!(run(MAX_DRAWING_OPERATIONS) && guard.is_used_up());
        assert!(run(OPERATIONS_BETWEEN_CHECKS + 1), "nothing is left");
        guard.end_drawing();
        assert!(!run(MAX_DRAWING_OPERATIONS));
    }
}
