//! A progress counter for long work, shown on a terminal after a while and erased when the work is done.

use super::{is_watched, message_columns};
use crate::catalogue::{say, speak, spoken};
use crate::screen::duration::time_in_words;
use crate::screen::style::cut;
use crate::work::{Pace, Work};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Work shorter than this gets no counter.
const FIRST_SHOWN_AFTER: Duration = Duration::from_millis(500);

/// An estimate of the remaining time made earlier would be too inaccurate.
const FIRST_ESTIMATE_AFTER: Duration = Duration::from_secs(3);

/// The time between two updates of the counter.
const UPDATE_INTERVAL: Duration = Duration::from_millis(100);

/// Moves the cursor to the start of the line and erases the line.
const ERASE: &str = "\r\u{1b}[K";

/// A running progress counter, which stops when dropped.
#[derive(Debug, Default)]
pub struct Counter {
    running: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Counter {
    /// A counter for some work; it shows nothing where standard error is no terminal.
    pub(super) fn of(work: &Arc<Work>) -> Self {
        if !is_watched() {
            return Self::default();
        }
        let work = work.clone();
        let (done, over) = channel::<()>();
        let begun = Instant::now();
        let language = spoken();
        let body = move || {
            speak(language);
            let mut patience = FIRST_SHOWN_AFTER;
            let mut is_shown = false;
            let mut pace = Pace::default();
            while over.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
                patience = UPDATE_INTERVAL;
                let mut progress = work.progress().told().into_owned();
                let taken = begun.elapsed();
                if let Some(left) = left_in_words(&work, &mut pace, taken).filter(|_| taken > FIRST_ESTIMATE_AFTER) {
                    progress = format!("{left} · {progress}");
                }
                if let Some(columns) = message_columns() {
                    progress = cut(&progress, columns.saturating_sub(1));
                }
                if !progress.is_empty() {
                    is_shown = true;
                    let _ = write!(io::stderr().lock(), "{ERASE}{progress}");
                }
            }
            if is_shown {
                let _ = write!(io::stderr().lock(), "{ERASE}");
            }
        };
        // Without a thread, the work goes on without a counter.
        Self {
            running: thread::Builder::new().name("counter".to_owned()).spawn(body).ok().map(|thread| (done, thread)),
        }
    }
}

/// The remaining time of some work after the time `taken`, in words: a range where the estimate is one.
fn left_in_words(work: &Work, pace: &mut Pace, taken: Duration) -> Option<String> {
    let between = pace.left(work, taken).map(|(least, most)| (time_in_words(least), time_in_words(most)));
    match between {
        Some((least, most)) if least != most => Some(say!("{least} to {most} left")),
        _ => work.left(taken).map(|left| say!("{} left", time_in_words(left))),
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        if let Some((done, thread)) = self.running.take() {
            drop(done);
            // Wait for the line to be erased before anything else is written.
            let _ = thread.join();
        }
    }
}
