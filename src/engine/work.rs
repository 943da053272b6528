//! Progress and interruption of running rules: how far they are, and whether they should stop.
//!
//! The code that runs rules checks for a stop every so many steps and at every decision, so that Ctrl-C is heard
//! wherever a run is; the code that waits for it reads the progress for a counter. Stopping decides nothing: stopped
//! work is discarded, or stays at a decision that was open anyway.

use crate::diagnostic::{Diagnostic, Diagnostics, Message, message};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// Progress and stop signal of a task that may take long.
#[derive(Debug, Default)]
pub struct Work {
    stopped: AtomicBool,
    /// Whether the time limit stopped the work.
    is_out_of_time: AtomicBool,
    /// Clock time of the time limit, in milliseconds plus one; 0 where there is no limit.
    ends: AtomicU64,
    /// Clock time of an expected end that does not stop the work, in milliseconds plus one; 0 where there is none.
    expected_end: AtomicU64,
    clock: OnceLock<Clock>,
    resting: AtomicBool,
    moves: AtomicUsize,
    log: AtomicUsize,
    part: AtomicUsize,
    parts: AtomicUsize,
    effort: AtomicUsize,
    whole_effort: AtomicUsize,
    remark: Mutex<Message>,
}

impl Work {
    /// Resets everything for new work: it is not stopped, and nothing is done.
    pub fn begin(&self) {
        self.resting.store(false, Ordering::Relaxed);
        self.stopped.store(false, Ordering::Relaxed);
        self.is_out_of_time.store(false, Ordering::Relaxed);
        self.ends.store(0, Ordering::Relaxed);
        self.expected_end.store(0, Ordering::Relaxed);
        for number in [&self.moves, &self.log, &self.part, &self.parts, &self.effort, &self.whole_effort] {
            number.store(0, Ordering::Relaxed);
        }
        self.remark(Message::default());
    }

    /// Marks that nothing is being done until the next work begins.
    pub fn mark_idle(&self) {
        self.resting.store(true, Ordering::Relaxed);
    }

    /// Whether nothing is being done.
    pub fn is_idle(&self) -> bool {
        self.resting.load(Ordering::Relaxed)
    }

    /// Asks the work to stop; true when somebody has asked before, or nothing is being done.
    pub fn stop(&self) -> bool {
        self.is_out_of_time.store(false, Ordering::Relaxed);
        self.stopped.swap(true, Ordering::Relaxed) || self.resting.load(Ordering::Relaxed)
    }

    /// Whether the work is to stop: somebody has asked for it, or its time is up.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || self.has_run_out_of_time()
    }

    /// Limits the work to `time` from now on; it is to stop then.
    pub fn end_after(&self, clock: Clock, time: Duration) {
        self.ends.store(self.moment_after(clock, time), Ordering::Relaxed);
    }

    /// Announces to a counter that the caller will end the work after `time`. This does not stop the work.
    pub fn expect_end_after(&self, clock: Clock, time: Duration) {
        self.expected_end.store(self.moment_after(clock, time), Ordering::Relaxed);
    }

    /// Clock time `time` from now on, in milliseconds plus one.
    fn moment_after(&self, clock: Clock, time: Duration) -> u64 {
        let moment = self.clock.get_or_init(|| clock)().saturating_add(time).as_millis();
        u64::try_from(moment).unwrap_or(u64::MAX).saturating_add(1)
    }

    /// Time left until the limit or the expected end; `None` where there is neither.
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

    /// Whether the time limit stopped the work. Removes the limit, so that later work has time again.
    pub fn was_out_of_time(&self) -> bool {
        self.ends.store(0, Ordering::Relaxed);
        let was_out = self.is_out_of_time.swap(false, Ordering::Relaxed);
        if was_out {
            self.stopped.store(false, Ordering::Relaxed);
        }
        was_out
    }

    /// Fails where the work is to stop.
    ///
    /// # Errors
    /// The work is to stop.
    pub fn check_stopped(&self) -> Result<(), Diagnostics> {
        if self.is_stopped() { Err(interrupted().into()) } else { Ok(()) }
    }

    /// The flag that is set when the work should stop, for code that needs nothing else.
    pub fn flag(&self) -> &AtomicBool {
        &self.stopped
    }

    /// Sets the number of moves played, of `log` moves in all; `log` is 0 where the total is unknown.
    #[inline]
    pub fn count_moves(&self, moves: usize, log: usize) {
        self.moves.store(moves, Ordering::Relaxed);
        self.log.store(log, Ordering::Relaxed);
    }

    /// Sets the number of the part being done, from 1, of `parts` in all; `parts` is 0 where the total is unknown. A
    /// part is a scenario, a saved game or a choice of rules.
    pub fn count_parts(&self, part: usize, parts: usize) {
        self.part.store(part, Ordering::Relaxed);
        self.parts.store(parts, Ordering::Relaxed);
        self.count_moves(0, 0);
    }

    /// Counts one more part as done, by whichever thread.
    pub fn finish_part(&self) {
        self.part.fetch_add(1, Ordering::Relaxed);
    }

    /// Sets the total effort, for work whose parts take unequally long; the time left is then estimated by effort.
    pub fn count_effort(&self, whole: usize) {
        self.effort.store(0, Ordering::Relaxed);
        self.whole_effort.store(whole, Ordering::Relaxed);
    }

    /// Adds to the effort that is done.
    pub fn add_done_effort(&self, effort: usize) {
        self.effort.fetch_add(effort, Ordering::Relaxed);
    }

    /// Sets a remark on the work so far, shown after the progress.
    pub fn remark(&self, remark: Message) {
        *self.remark.lock().unwrap_or_else(PoisonError::into_inner) = remark;
    }

    /// Estimated time left if the work keeps its pace of the time `taken` so far, at most until the time limit. `None`
    /// where there is no basis for an estimate.
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

    /// How much of the work is done, and how much there is: in effort where that is known, otherwise in parts. `None`
    /// where the total is unknown.
    fn done(&self) -> Option<(usize, usize)> {
        let numbers = [&self.part, &self.parts, &self.effort, &self.whole_effort];
        let [part, parts, effort, whole] = numbers.map(|number| number.load(Ordering::Relaxed));
        let (done, all) = if whole > 0 { (effort, whole) } else { (part, parts) };
        (done <= all && all > 0).then_some((done, all))
    }

    /// The progress in a few words, with the last remark: `3 of 40 · 1200 of 26047 moves`.
    pub fn progress(&self) -> Message {
        let [moves, log, part, parts] =
            [&self.moves, &self.log, &self.part, &self.parts].map(|number| number.load(Ordering::Relaxed));
        let mut words: Vec<Message> = Vec::new();
        match (part, parts) {
            (0, _) => {}
            (_, 0) => words.push(Message::verbatim(part.to_string())),
            _ => words.push(message!("{part} of {parts}")),
        }
        match (moves, log) {
            (0, _) => {}
            (1, 0) => words.push("1 move".into()),
            (_, 0) => words.push(message!("{moves} moves")),
            _ => words.push(message!("{moves} of {log} moves")),
        }
        let remark = self.remark.lock().unwrap_or_else(PoisonError::into_inner);
        if !remark.is_empty() {
            words.push(remark.clone());
        }
        Message::list(words, " · ")
    }
}

/// The measured pace of some work, for an estimate of the time left and of its uncertainty.
#[derive(Debug, Default)]
pub struct Pace {
    /// The amount done and the time taken at the last sample that counts.
    last: (usize, Duration),
    /// The amount done per second, in each stretch between two samples.
    rates: Vec<f64>,
}

/// Least time between two samples that count.
const MIN_SAMPLE_INTERVAL: Duration = Duration::from_millis(500);

/// Number of stretches at which pairs of them are merged.
const MAX_SAMPLES: usize = 64;

impl Pace {
    /// The least and the most time that the work may still take, after the time `taken` so far: a range of about 95 %
    /// confidence, if the work stays as uneven as before. `None` until there are enough samples.
    pub fn left(&mut self, work: &Work, taken: Duration) -> Option<(Duration, Duration)> {
        let (done, all) = work.done()?;
        let (before, then) = self.last;
        // New work has begun.
        if done < before {
            *self = Self::default();
            return None;
        }
        let stretch = taken.saturating_sub(then);
        if stretch >= MIN_SAMPLE_INTERVAL {
            self.rates.push((done - before) as f64 / stretch.as_secs_f64());
            self.last = (done, taken);
            if self.rates.len() == MAX_SAMPLES {
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

/// A clock: the time counted from some fixed moment. The engine has none, so callers that limit time pass one.
pub type Clock = fn() -> Duration;

/// Parses a duration: `90`, `60s`, `5m`, `2h`, or several units, the longest first: `1h30m`.
///
/// # Errors
/// The text is not a duration, or the duration is zero.
pub fn parse_duration(typed: &str) -> Result<Duration, &'static str> {
    let other = || "write a number of seconds, minutes or hours: 60s, 5m, 2h, 1h30m";
    let (mut seconds, mut unit_before) = (0_u64, u64::MAX);
    // A number without a unit is one of seconds.
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
        0 => Err("no time is too little to play in: write 1s at least, such as 60s, 5m or 2h"),
        seconds => Ok(Duration::from_secs(seconds)),
    }
}

/// A pool of threads for independent pieces of work.
pub trait Workers: Sync {
    /// Number of threads, at least 1.
    fn threads(&self) -> usize;

    /// Calls `worker` on up to `most` threads at once, and returns when every call has returned.
    fn run(&self, most: usize, worker: &(dyn Fn() + Sync));
}

impl dyn Workers + '_ {
    /// The results of `work` for each piece, in the order of the pieces, whichever thread did each. Ends before the
    /// first piece for which `work` returns `None`, as it does when the work was stopped. Each thread first makes its
    /// own `tool`, for data that threads should not share.
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

    /// The results of `work` for each piece, in the order of the pieces, like `map_with` without a tool.
    pub fn map<P: Sync, R: Send>(&self, pieces: &[P], work: impl Fn(&P) -> Option<R> + Sync) -> Vec<R> {
        self.map_with(pieces, || (), |(), piece| work(piece))
    }
}

/// A pool that runs everything on the calling thread.
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

/// The diagnostic for work that was stopped by hand, which says nothing about the rules.
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
        work.add_done_effort(100);
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
        work.finish_part();
        work.remark("p1 wins most".into());
        assert_eq!(work.progress(), "1 of 40 · p1 wins most");
        work.begin();
        assert_eq!(work.progress(), "");
    }

    #[test]
    fn work_is_stopped_until_the_next_begins() {
        let work = Work::default();
        assert!(work.check_stopped().is_ok() && !work.stop() && work.stop());
        assert!(work.check_stopped().is_err());
        work.begin();
        assert!(!work.is_stopped());
        work.mark_idle();
        assert!(work.stop(), "nothing is there to be stopped");
        work.begin();
        assert!(!work.stop());
    }
}
