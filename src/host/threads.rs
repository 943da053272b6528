//! Worker threads.

use crate::work::Workers;
use std::thread;

/// One thread for each core of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct AllCores;

impl Workers for AllCores {
    fn run(&self, most: usize, worker: &(dyn Fn() + Sync)) {
        let threads = thread::available_parallelism().map_or(1, usize::from).min(most);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::OneByOne;

    const WORKERS: [&dyn Workers; 2] = [&AllCores, &OneByOne];

    #[test]
    fn every_piece_is_done_and_told_in_order() {
        let [all_cores, one_by_one] = WORKERS;
        let pieces: Vec<u64> = (0..100).collect();
        // The first ones take longest.
        let slow = |&piece: &u64| {
            let turns = (0..(100 - piece) * 1_000).filter(|turn| std::hint::black_box(turn) % 2 == 0).count();
            Some((piece, turns))
        };
        let told = all_cores.map(&pieces, slow);
        assert!(told.iter().map(|(piece, _)| piece).eq(&pieces), "{told:?}");
        assert_eq!(all_cores.map(&[], slow), []);
        assert_eq!(one_by_one.map(&pieces, slow), told);
    }

    #[test]
    fn what_was_not_done_is_not_told() {
        let [all_cores, one_by_one] = WORKERS;
        let pieces: Vec<u64> = (0..100).collect();
        let some = |&piece: &u64| (piece < 40).then_some(piece);
        assert_eq!(all_cores.map(&pieces, some), pieces[..40]);
        assert_eq!(one_by_one.map(&pieces, some), pieces[..40]);
    }
}
