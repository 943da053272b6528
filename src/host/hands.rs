//! Many hands: several pieces of work at the same time.

use crate::work::Hands;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// As many threads as the machine has cores.
#[derive(Clone, Copy, Debug, Default)]
pub struct AllCores;

impl Hands for AllCores {
    fn all_with<T, P: Sync, R: Send>(
        &self,
        pieces: &[P],
        tool: impl Fn() -> T + Sync,
        work: impl Fn(&T, &P) -> Option<R> + Sync,
    ) -> Vec<R> {
        let cores = thread::available_parallelism().map_or(1, usize::from).min(pieces.len());
        let done: Vec<Mutex<Option<R>>> = pieces.iter().map(|_| Mutex::new(None)).collect();
        let next = AtomicUsize::new(0);
        let take = || {
            let tool = tool();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some((piece, place)) = pieces.get(number).zip(done.get(number)) else { return };
                let Some(result) = work(&tool, piece) else { return };
                if let Ok(mut place) = place.lock() {
                    *place = Some(result);
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..cores {
                scope.spawn(take);
            }
            take();
        });
        done.into_iter().map_while(|place| place.into_inner().ok().flatten()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::OneByOne;

    #[test]
    fn every_piece_is_done_and_told_in_order() {
        let pieces: Vec<u64> = (0..100).collect();
        // The first ones take longest.
        let slow = |&piece: &u64| {
            let turns = (0..(100 - piece) * 1_000).filter(|turn| std::hint::black_box(turn) % 2 == 0).count();
            Some((piece, turns))
        };
        let told = AllCores.all(&pieces, slow);
        assert!(told.iter().map(|(piece, _)| piece).eq(&pieces), "{told:?}");
        assert_eq!(AllCores.all(&[], slow), []);
        assert_eq!(OneByOne.all(&pieces, slow), told);
    }

    #[test]
    fn what_was_not_done_is_not_told() {
        let pieces: Vec<u64> = (0..100).collect();
        let some = |&piece: &u64| (piece < 40).then_some(piece);
        assert_eq!(AllCores.all(&pieces, some), pieces[..40]);
        assert_eq!(OneByOne.all(&pieces, some), pieces[..40]);
    }
}
