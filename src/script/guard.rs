//! What keeps a script from running for ever, or from eating the machine.
//!
//! Rhai's own operation limit loses count inside callbacks and can be swallowed, so the guard counts for itself and
//! latches: once it has tripped, every further operation fails, and whoever ran the script looks at the latch even
//! when the script says that all went well. Only the count decides games; the deadline is an error like any other.

use crate::script::meter;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Most operations of the interpreter between two decisions.
pub const MAX_OPERATIONS: u64 = 2_000_000;

/// Longest time between two decisions.
pub const MAX_TIME: Duration = Duration::from_secs(5);

/// Most memory that one run may hold beside its record, in bytes.
pub const MAX_MEMORY: i64 = 128 << 20;

/// Deepest nesting of script calls.
pub const MAX_CALLS: usize = 96;

/// How often the costly looks at clock and memory are taken, in operations.
const LOOK_EVERY: u64 = 256;

/// Counts, watches and latches for one interpreter.
#[derive(Debug, Default)]
pub struct Guard {
    /// Most operations between two decisions here.
    limit: Cell<u64>,
    operations: Cell<u64>,
    /// At which count the next look is due; 0 once it has tripped.
    look_at: Cell<u64>,
    deadline: Cell<Option<Instant>>,
    memory_at_start: Cell<i64>,
    recorded: Cell<i64>,
    tripped: RefCell<Option<String>>,
    interrupt: Arc<AtomicBool>,
}

impl Guard {
    /// A guard that also trips when somebody sets `interrupt`.
    pub fn new(interrupt: Arc<AtomicBool>) -> Rc<Self> {
        Rc::new(Self { limit: Cell::new(MAX_OPERATIONS), interrupt, ..Self::default() })
    }

    /// Watched rules do more for the same: from now on the budget is so many times as large.
    pub fn widen(&self, times: u64) {
        self.limit.set(MAX_OPERATIONS * times);
    }

    /// Leaves what `work` does out of the count.
    pub fn uncounted<T>(&self, work: impl FnOnce() -> T) -> T {
        let (operations, look_at) = (self.operations.get(), self.look_at.get());
        let done = work();
        if self.tripped.borrow().is_none() {
            self.operations.set(operations);
            self.look_at.set(look_at);
        }
        done
    }

    /// A run begins.
    pub fn begin(&self) {
        self.memory_at_start.set(meter::live_bytes());
        self.tripped.replace(None);
        self.next_step(0);
    }

    /// A decision was answered: the next stretch has the full budget again. What was recorded so far, in bytes, is not
    /// the script's.
    pub fn next_step(&self, recorded: usize) {
        self.recorded.set(recorded as i64);
        self.operations.set(0);
        self.look_at.set(LOOK_EVERY);
        self.deadline.set(None);
    }

    /// One operation; true when the script has to end.
    #[inline]
    pub fn tick(&self) -> bool {
        let operations = self.operations.get() + 1;
        self.operations.set(operations);
        operations >= self.look_at.get() && self.look(operations)
    }

    /// Why the run was ended, if it was.
    pub fn tripped(&self) -> Option<String> {
        self.tripped.borrow().clone()
    }

    /// The costly look at clock, memory and limits; true when the script has to end.
    #[cold]
    fn look(&self, operations: u64) -> bool {
        self.look_at.set((operations + LOOK_EVERY).min(self.limit.get() + 1));
        if operations > self.limit.get() {
            self.trip(|| format!("the rules ran for more than {MAX_OPERATIONS} operations without a decision"));
        }
        let now = Instant::now();
        match self.deadline.get() {
            None => self.deadline.set(Some(now + MAX_TIME)),
            Some(deadline) if now > deadline => {
                self.trip(|| format!("the rules ran for more than {} seconds without a decision", MAX_TIME.as_secs()));
            }
            Some(_) => {}
        }
        if meter::live_bytes() - self.memory_at_start.get() - self.recorded.get() > MAX_MEMORY {
            self.trip(|| format!("the rules hold more than {} MiB of memory", MAX_MEMORY >> 20));
        }
        if self.interrupt.load(Ordering::Relaxed) {
            self.trip(|| "interrupted".to_owned());
        }
        self.operations.get() > self.limit.get()
    }

    /// Latches: the first reason stays, and the count stays beyond its limit.
    fn trip(&self, reason: impl FnOnce() -> String) {
        self.tripped.borrow_mut().get_or_insert_with(reason);
        self.operations.set(self.limit.get() + 1);
        self.look_at.set(0);
    }
}
