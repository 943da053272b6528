//! The wire between somebody who waits and the rules at work: that they should stop, and how far they are.
//!
//! Whoever executes rules looks at it after so many steps and at every decision, so that Ctrl-C is heard wherever a run
//! is; whoever waits reads from it what a counter shows. It decides nothing: what was stopped is
//! forgotten, or stands at a decision that was open anyway.

use crate::diagnostic::{Diagnostic, Diagnostics};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A piece of work that may take long.
#[derive(Debug, Default)]
pub struct Work {
    stopped: AtomicBool,
    resting: AtomicBool,
    moves: AtomicUsize,
    log: AtomicUsize,
    part: AtomicUsize,
    parts: AtomicUsize,
    effort: AtomicUsize,
    whole_effort: AtomicUsize,
    remark: Mutex<String>,
}

impl Work {
    /// New work begins: nobody has stopped it, and nothing is done.
    pub fn begin(&self) {
        self.resting.store(false, Ordering::Relaxed);
        self.stopped.store(false, Ordering::Relaxed);
        for number in [&self.moves, &self.log, &self.part, &self.parts, &self.effort, &self.whole_effort] {
            number.store(0, Ordering::Relaxed);
        }
        self.remark(String::new());
    }

    /// Nothing is being done until the next work begins.
    pub fn rest(&self) {
        self.resting.store(true, Ordering::Relaxed);
    }

    /// Asks the work to stop; true when somebody has asked before, or nothing is being done.
    pub fn stop(&self) -> bool {
        self.stopped.swap(true, Ordering::Relaxed) || self.resting.load(Ordering::Relaxed)
    }

    /// Whether somebody has asked the work to stop.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Refuses to go on where somebody has asked the work to stop.
    ///
    /// # Errors
    /// Somebody has.
    pub fn refuse_stopped(&self) -> Result<(), Diagnostics> {
        if self.is_stopped() { Err(interrupted().into()) } else { Ok(()) }
    }

    /// What is set when the work should stop, for whoever needs to know no more.
    pub fn flag(&self) -> &AtomicBool {
        &self.stopped
    }

    /// Sets the number of moves played, of a log of `log` moves; 0 where the end is not known.
    #[inline]
    pub fn count_moves(&self, moves: usize, log: usize) {
        self.moves.store(moves, Ordering::Relaxed);
        self.log.store(log, Ordering::Relaxed);
    }

    /// This part is being done, counted from 1: a scenario, a saved game, a choice of rules; of so many, or of 0 where
    /// nobody knows.
    pub fn count_parts(&self, part: usize, parts: usize) {
        self.part.store(part, Ordering::Relaxed);
        self.parts.store(parts, Ordering::Relaxed);
        self.count_moves(0, 0);
    }

    /// One more part is done, by whichever hand.
    pub fn did_part(&self) {
        self.part.fetch_add(1, Ordering::Relaxed);
    }

    /// The work takes so much effort in all, where some parts take longer than others: what is left is reckoned by that.
    pub fn count_effort(&self, whole: usize) {
        self.effort.store(0, Ordering::Relaxed);
        self.whole_effort.store(whole, Ordering::Relaxed);
    }

    /// Adds to the effort that is done.
    pub fn did_effort(&self, effort: usize) {
        self.effort.fetch_add(effort, Ordering::Relaxed);
    }

    /// Says what can be told of the work so far, behind how far it is.
    pub fn remark(&self, remark: String) {
        *self.remark.lock().unwrap_or_else(PoisonError::into_inner) = remark;
    }

    /// About how long the work still takes, if it goes on as it did in the time that it took so far; nothing before it shows.
    pub fn left(&self, taken: Duration) -> Option<Duration> {
        let numbers = [&self.part, &self.parts, &self.effort, &self.whole_effort];
        let [part, parts, effort, whole] = numbers.map(|number| number.load(Ordering::Relaxed));
        let (part, parts) = if whole > 0 { (effort, whole) } else { (part, parts) };
        let left = parts.checked_sub(part).filter(|_| part > 0)?;
        let milliseconds = taken.as_millis().saturating_mul(left as u128) / part as u128;
        Some(Duration::from_millis(u64::try_from(milliseconds).unwrap_or(u64::MAX)))
    }

    /// How far the work is, in a few words: `3 of 40 · 1200 of 26047 moves`, and what was remarked last.
    pub fn progress(&self) -> String {
        let [moves, log, part, parts] =
            [&self.moves, &self.log, &self.part, &self.parts].map(|number| number.load(Ordering::Relaxed));
        let mut words = Vec::new();
        match (part, parts) {
            (0, _) => {}
            (_, 0) => words.push(part.to_string()),
            _ => words.push(format!("{part} of {parts}")),
        }
        match (moves, log) {
            (0, _) => {}
            (1, 0) => words.push("1 move".to_owned()),
            (_, 0) => words.push(format!("{moves} moves")),
            _ => words.push(format!("{moves} of {log} moves")),
        }
        let remark = self.remark.lock().unwrap_or_else(PoisonError::into_inner);
        if !remark.is_empty() {
            words.push(remark.clone());
        }
        words.join(" · ")
    }
}

/// What time it is, counted from any moment. The core has no clock: whoever wants work to end in time gives one.
pub type Clock = fn() -> Duration;

/// Runs independent pieces of work, on as many threads as it has.
pub trait Workers: Sync {
    /// Calls `worker` on up to `most` threads at once, and returns when every call has returned.
    fn run(&self, most: usize, worker: &(dyn Fn() + Sync));
}

impl dyn Workers + '_ {
    /// The results of `work` for each piece, in the order of the pieces, whatever thread did which. Ends before the first
    /// piece for which `work` returns `None`, as it does when the work was stopped. Each thread makes its own `tool` first, for
    /// what threads had better not share.
    pub fn map_with<T, P: Sync, R: Send>(
        &self,
        pieces: &[P],
        tool: impl Fn() -> T + Sync,
        work: impl Fn(&T, &P) -> Option<R> + Sync,
    ) -> Vec<R> {
        let results: Vec<Mutex<Option<R>>> = pieces.iter().map(|_| Mutex::new(None)).collect();
        let next = AtomicUsize::new(0);
        self.run(pieces.len(), &|| {
            let tool = tool();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some((piece, place)) = pieces.get(number).zip(results.get(number)) else { return };
                let Some(result) = work(&tool, piece) else { return };
                *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
            }
        });
        results.into_iter().map_while(|place| place.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
    }

    /// As `map_with`, where no tool is needed.
    pub fn map<P: Sync, R: Send>(&self, pieces: &[P], work: impl Fn(&P) -> Option<R> + Sync) -> Vec<R> {
        self.map_with(pieces, || (), |(), piece| work(piece))
    }
}

/// The calling thread alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct SingleThread;

impl Workers for SingleThread {
    fn run(&self, most: usize, worker: &(dyn Fn() + Sync)) {
        if most > 0 {
            worker();
        }
    }
}

/// That the work was stopped by hand, which tells nothing about the rules.
pub fn interrupted() -> Diagnostic {
    Diagnostic::new("interrupted")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_takes_as_long_as_what_was_done() {
        let work = Work::default();
        assert_eq!(work.left(Duration::from_secs(9)), None);
        work.count_parts(30, 40);
        assert_eq!(work.left(Duration::from_secs(9)), Some(Duration::from_secs(3)));
        work.count_parts(40, 40);
        assert_eq!(work.left(Duration::from_secs(9)), Some(Duration::ZERO));
        work.count_parts(3, 0);
        assert_eq!(work.left(Duration::from_secs(9)), None, "nobody knows how many there are");
        // Nine of ten parts are done, and a tenth of the effort.
        work.count_parts(9, 10);
        work.count_effort(1_000);
        work.did_effort(100);
        assert_eq!(work.left(Duration::from_secs(9)), Some(Duration::from_secs(81)));
        work.begin();
        assert_eq!(work.left(Duration::from_secs(9)), None);
    }

    #[test]
    fn progress_is_told_as_far_as_it_is_known() {
        let work = Work::default();
        assert_eq!(work.progress(), "");
        work.count_moves(1200, 0);
        assert_eq!(work.progress(), "1200 moves");
        work.count_moves(1200, 26_047);
        assert_eq!(work.progress(), "1200 of 26047 moves");
        work.count_parts(3, 40);
        assert_eq!(work.progress(), "3 of 40");
        work.count_moves(1, 0);
        assert_eq!(work.progress(), "3 of 40 · 1 move");
        work.count_parts(3, 0);
        assert_eq!(work.progress(), "3");
        work.count_parts(0, 40);
        work.did_part();
        work.remark("p1 wins most".to_owned());
        assert_eq!(work.progress(), "1 of 40 · p1 wins most");
        work.begin();
        assert_eq!(work.progress(), "");
    }

    #[test]
    fn work_is_stopped_until_the_next_begins() {
        let work = Work::default();
        assert!(work.refuse_stopped().is_ok() && !work.stop() && work.stop());
        assert!(work.refuse_stopped().is_err());
        work.begin();
        assert!(!work.is_stopped());
        work.rest();
        assert!(work.stop(), "nothing is there to be stopped");
        work.begin();
        assert!(!work.stop());
    }
}
