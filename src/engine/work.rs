//! The wire between somebody who waits and the rules at work: that they should stop, and how far they are.
//!
//! Whoever executes rules looks at it after so many steps and at every decision, so that Ctrl-C is heard wherever a run
//! is; whoever waits reads from it what a counter shows. It decides nothing: what was stopped is
//! forgotten, or stands at a decision that was open anyway.

use crate::diagnostic::{Diagnostic, Diagnostics};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// A piece of work that may take long.
#[derive(Debug, Default)]
pub struct Work {
    stopped: AtomicBool,
    /// Whether it was the time that stopped it.
    is_out_of_time: AtomicBool,
    /// What the clock shows when the time is up, in milliseconds and one more; 0 where there is time enough.
    ends: AtomicU64,
    /// The same where nothing stops the work then.
    expected_end: AtomicU64,
    clock: OnceLock<Clock>,
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
        self.is_out_of_time.store(false, Ordering::Relaxed);
        self.ends.store(0, Ordering::Relaxed);
        self.expected_end.store(0, Ordering::Relaxed);
        for number in [&self.moves, &self.log, &self.part, &self.parts, &self.effort, &self.whole_effort] {
            number.store(0, Ordering::Relaxed);
        }
        self.remark(String::new());
    }

    /// Nothing is being done until the next work begins.
    pub fn rest(&self) {
        self.resting.store(true, Ordering::Relaxed);
    }

    /// Whether nothing is being done.
    pub fn is_at_rest(&self) -> bool {
        self.resting.load(Ordering::Relaxed)
    }

    /// Asks the work to stop; true when somebody has asked before, or nothing is being done.
    pub fn stop(&self) -> bool {
        self.is_out_of_time.store(false, Ordering::Relaxed);
        self.stopped.swap(true, Ordering::Relaxed) || self.resting.load(Ordering::Relaxed)
    }

    /// Whether the work is to stop: somebody has asked for it, or the time is up.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || self.has_run_out_of_time()
    }

    /// Gives the work so much time from now on: then it is to stop as if somebody had asked for it.
    pub fn end_after(&self, clock: Clock, time: Duration) {
        self.ends.store(self.moment_after(clock, time), Ordering::Relaxed);
    }

    /// Says for a counter that whoever does the work is going to end it after so much time. Nothing stops it then.
    pub fn expect_end_after(&self, clock: Clock, time: Duration) {
        self.expected_end.store(self.moment_after(clock, time), Ordering::Relaxed);
    }

    /// What the clock shows after so much time from now on, in milliseconds and one more.
    fn moment_after(&self, clock: Clock, time: Duration) -> u64 {
        let moment = self.clock.get_or_init(|| clock)().saturating_add(time).as_millis();
        u64::try_from(moment).unwrap_or(u64::MAX).saturating_add(1)
    }

    /// How much of its time it still has, where that is limited.
    fn time_left(&self) -> Option<Duration> {
        let ends = match self.ends.load(Ordering::Relaxed) {
            0 => self.expected_end.load(Ordering::Relaxed),
            ends => ends,
        };
        let ends = ends.checked_sub(1)?;
        Some(Duration::from_millis(ends).saturating_sub(self.clock.get()?()))
    }

    fn has_run_out_of_time(&self) -> bool {
        let is_over = self.ends.load(Ordering::Relaxed) > 0 && self.time_left() == Some(Duration::ZERO);
        if is_over {
            self.is_out_of_time.store(true, Ordering::Relaxed);
            self.stopped.store(true, Ordering::Relaxed);
        }
        is_over
    }

    /// Whether the time for the work was up before it was done. There is time enough for what comes now.
    pub fn was_out_of_time(&self) -> bool {
        self.ends.store(0, Ordering::Relaxed);
        let was_out = self.is_out_of_time.swap(false, Ordering::Relaxed);
        if was_out {
            self.stopped.store(false, Ordering::Relaxed);
        }
        was_out
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
        let by_parts = self.done().filter(|(done, _)| *done > 0).map(|(done, all)| {
            let milliseconds = taken.as_millis().saturating_mul((all - done) as u128) / done as u128;
            Duration::from_millis(u64::try_from(milliseconds).unwrap_or(u64::MAX))
        });
        match (by_parts, self.time_left()) {
            (Some(by_parts), Some(left)) => Some(by_parts.min(left)),
            (by_parts, left) => by_parts.or(left),
        }
    }

    /// How much of the work is done, of how much: in effort where that is known, or else in parts; nothing where nobody
    /// knows how much there is.
    fn done(&self) -> Option<(usize, usize)> {
        let numbers = [&self.part, &self.parts, &self.effort, &self.whole_effort];
        let [part, parts, effort, whole] = numbers.map(|number| number.load(Ordering::Relaxed));
        let (done, all) = if whole > 0 { (effort, whole) } else { (part, parts) };
        (done <= all && all > 0).then_some((done, all))
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

/// How fast some work went so far, look by look, to say how long it still takes and how sure that is.
#[derive(Debug, Default)]
pub struct Pace {
    /// What was done, and the time that had been taken, at the last look that counts.
    last: (usize, Duration),
    /// For each stretch between two looks, how much was done in a second.
    rates: Vec<f64>,
}

/// Between two looks that count, at least.
const STRETCH: Duration = Duration::from_millis(500);

/// Most stretches that are kept; then two become one.
const MOST_STRETCHES: usize = 64;

impl Pace {
    /// The least and the most time that the work may still take, after so much time: about 95 of 100 lie between, where it goes on
    /// as unevenly as it did. Nothing before that shows.
    pub fn left(&mut self, work: &Work, taken: Duration) -> Option<(Duration, Duration)> {
        let (done, all) = work.done()?;
        let (before, then) = self.last;
        // Another work has begun.
        if done < before {
            *self = Self::default();
            return None;
        }
        let stretch = taken.saturating_sub(then);
        if stretch >= STRETCH {
            self.rates.push((done - before) as f64 / stretch.as_secs_f64());
            self.last = (done, taken);
            if self.rates.len() == MOST_STRETCHES {
                self.rates = self.rates.chunks(2).map(|pair| pair.iter().sum::<f64>() / pair.len() as f64).collect();
            }
        }
        let count = self.rates.len() as f64;
        if self.rates.len() < 4 || done == 0 {
            return None;
        }
        let mean = self.rates.iter().sum::<f64>() / count;
        let squares = self.rates.iter().map(|rate| (rate - mean).powi(2)).sum::<f64>();
        let error = 2.0 * (squares / (count - 1.0) / count).sqrt();
        let left = (all - done) as f64;
        // Of so few parts, the last one may have been short.
        let [fast, slow] = [mean + error, (mean - error).max(mean / 8.0)];
        let time = |rate: f64| Duration::try_from_secs_f64(left / rate).ok();
        let limit = work.time_left().unwrap_or(Duration::MAX);
        Some((time(fast)?.min(limit), time(slow)?.min(limit)))
    }
}

/// What time it is, counted from any moment. The core has no clock: whoever wants work to end in time gives one.
pub type Clock = fn() -> Duration;

/// A time as it is written: `90`, `60s`, `5m`, `2h`, or several units, the longest first: `1h30m`.
///
/// # Errors
/// It is written otherwise, or is none.
pub fn parse_duration(typed: &str) -> Result<Duration, String> {
    let other = || "write a number of seconds, minutes or hours: 60s, 5m, 2h, 1h30m".to_owned();
    let (mut seconds, mut unit_before) = (0_u64, u64::MAX);
    // A number alone is one of seconds.
    let typed = match typed.parse::<u64>() {
        Ok(seconds) => format!("{seconds}s"),
        Err(_) if typed.is_empty() => return Err(other()),
        Err(_) => typed.to_owned(),
    };
    for part in typed.split_inclusive(|letter: char| !letter.is_ascii_digit()) {
        let unit = match part.chars().last() {
            Some('s') => 1,
            Some('m') => 60,
            Some('h') => 3_600,
            _ => return Err(other()),
        };
        if unit >= unit_before {
            return Err(other());
        }
        unit_before = unit;
        let number = part.get(..part.len() - 1).and_then(|number| number.parse::<u64>().ok());
        let part = number.and_then(|number| number.checked_mul(unit));
        seconds = part.and_then(|part| seconds.checked_add(part)).ok_or_else(other)?;
    }
    match seconds {
        0 => Err("no time is too little to play in: write 1s at least, such as 60s, 5m or 2h".to_owned()),
        seconds => Ok(Duration::from_secs(seconds)),
    }
}

/// Runs independent pieces of work, on as many threads as it has.
pub trait Workers: Sync {
    /// How many threads it has, at least 1.
    fn threads(&self) -> usize;

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
    fn threads(&self) -> usize {
        1
    }

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
    fn work_that_has_a_time_stops_when_it_is_up() {
        let work = Work::default();
        work.end_after(|| Duration::from_secs(5), Duration::from_secs(60));
        assert!(!work.is_stopped());
        work.count_parts(1, 1_000);
        assert_eq!(work.left(Duration::from_secs(1)), Some(Duration::from_secs(60)), "then it stops");
        work.end_after(|| Duration::from_secs(5), Duration::ZERO);
        assert!(work.is_stopped() && work.was_out_of_time());
        assert!(!work.is_stopped() && !work.was_out_of_time(), "what comes now has time");
        work.end_after(|| Duration::from_secs(5), Duration::ZERO);
        assert!(work.is_stopped());
        work.stop();
        assert!(!work.was_out_of_time() && work.is_stopped(), "somebody has stopped it, too");
    }

    #[test]
    fn a_counter_knows_when_somebody_else_is_going_to_end_the_work() {
        let work = Work::default();
        work.expect_end_after(|| Duration::from_secs(5), Duration::from_secs(60));
        assert_eq!(work.left(Duration::from_secs(1)), Some(Duration::from_secs(60)));
        work.expect_end_after(|| Duration::from_secs(5), Duration::ZERO);
        assert!(!work.is_stopped());
        work.begin();
        assert_eq!(work.left(Duration::from_secs(1)), None);
    }

    #[test]
    fn times_have_one_unit_or_several() {
        let seconds = |typed: &str| parse_duration(typed).map(|time| time.as_secs());
        let times = [("90", 90), ("60s", 60), ("5m", 300), ("2h", 7_200), ("1h30m", 5_400), ("1h0m5s", 3_605)];
        times.iter().for_each(|(typed, wanted)| assert_eq!(seconds(typed), Ok(*wanted), "{typed}"));
        for wrong in
            ["", "m", "5x", "5分", "30m1h", "1h30", "1m2m", "-5s", "0h0m", "99999999999999999999h", "9999999999999999h"]
        {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_more_evenly_work_goes_the_surer_it_is_how_long_it_takes() {
        let left = |parts: &[usize]| {
            let (work, mut pace) = (Work::default(), Pace::default());
            let mut left = None;
            for (second, part) in parts.iter().enumerate() {
                work.count_parts(*part, 1_000);
                left = pace.left(&work, Duration::from_secs(second as u64 + 1));
            }
            left.map(|(least, most)| (least.as_secs(), most.as_secs()))
        };
        assert_eq!(left(&[10, 20, 30]), None, "nothing shows yet");
        assert_eq!(left(&[10, 20, 30, 40, 50]), Some((95, 95)));
        let Some((least, most)) = left(&[2, 20, 21, 45, 50]) else { unreachable!() };
        assert!(least < 80 && most > 120, "{least} to {most}");
    }

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
