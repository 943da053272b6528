//! Work for all cores.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Does all jobs, whichever thread is free the next, and gives the results in order.
pub fn in_threads<Job: Sync, Done: Send>(jobs: &[Job], work: impl Fn(&Job) -> Done + Sync) -> Vec<Done> {
    let next = AtomicUsize::new(0);
    let work_on = || {
        let mut done = Vec::new();
        while let Some((number, job)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|n| Some((n, jobs.get(n)?)))
        {
            done.push((number, work(job)));
        }
        done
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut done: Vec<(usize, Done)> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work_on)).collect();
        let mut done = work_on();
        done.extend(others.into_iter().flat_map(|other| other.join().unwrap()));
        done
    });
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, done)| done).collect()
}
