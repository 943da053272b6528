//! Worker threads.

use crate::work::Workers;
use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// A pool of worker threads. Results do not depend on their number.
#[derive(Clone, Copy, Debug, Default)]
pub struct Threads {
    /// The number of threads; `None` for one per core of the machine.
    pub number: Option<NonZeroUsize>,
}

impl Workers for Threads {
    fn threads(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        self.number.map_or_else(cores, usize::from)
    }

    fn run(&self, most: usize, worker: &(dyn Fn() + Sync)) {
        let threads = self.threads().min(most);
        thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(worker);
            }
            if threads > 0 {
                worker();
            }
        });
    }
}

/// The content of a mutex, even if a thread that held it has panicked.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::SingleThread;

    const WORKERS: [&dyn Workers; 3] =
        [&Threads { number: None }, &Threads { number: NonZeroUsize::new(3) }, &SingleThread];

    #[test]
    fn every_piece_is_done_and_told_in_order() {
        let pieces: Vec<u64> = (0..100).collect();
        // The first pieces take longest.
        let slow = |&piece: &u64| {
            let turns = (0..(100 - piece) * 1_000).filter(|turn| std::hint::black_box(turn) % 2 == 0).count();
            Some((piece, turns))
        };
        let expected = (&SingleThread as &dyn Workers).map(&pieces, slow);
        assert!(expected.iter().map(|(piece, _)| piece).eq(&pieces), "{expected:?}");
        for workers in WORKERS {
            assert_eq!(workers.map(&pieces, slow), expected);
            assert_eq!(workers.map(&[], slow), []);
        }
    }

    #[test]
    fn what_was_not_done_is_not_told() {
        let pieces: Vec<u64> = (0..100).collect();
        for workers in WORKERS {
            assert_eq!(workers.map(&pieces, |&piece: &u64| (piece < 40).then_some(piece)), pieces[..40]);
        }
    }

    #[test]
    fn no_more_threads_work_than_are_asked_for() {
        let seen = std::sync::Mutex::new(crate::sorted::SortedSet::new());
        let note = || {
            if let Ok(mut seen) = seen.lock() {
                seen.insert(format!("{:?}", thread::current().id()));
            }
        };
        Threads { number: NonZeroUsize::new(3) }.run(10, &note);
        assert_eq!(seen.lock().map(|seen| seen.len()).ok(), Some(3));
    }
}
