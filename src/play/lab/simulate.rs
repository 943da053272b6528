//! Simulation of a plan's games on several threads.

use super::coverage::{CallCounts, GameCounters};
use super::measures::Column;
use super::play::{Game, GameTracker, Plan};
use super::tally::Tally;
use crate::work::Workers;
use std::ops::Range;

/// The initial number of games between two looks; later it is an eighth of the games played.
const MIN_GAMES_BETWEEN_LOOKS: u64 = 32;

/// The most games between two looks, which limits the memory for results.
const MAX_GAMES_BETWEEN_LOOKS: u64 = 8_192;

/// The smallest piece is at least 1/64 of the games between two looks, because a single thread adds up the counts of
/// all pieces while the others wait.
const SMALLEST_PIECE_DIVISOR: u64 = 64;

/// The largest piece is at most 1/16 of these games, because after a stop, everything behind an unfinished piece is
/// lost.
const LARGEST_PIECE_DIVISOR: u64 = 16;

/// The decision of an observer at a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Continuation {
    /// Play more games.
    GoOn,
    /// Stop.
    Stop,
}

/// The games of a plan, divided into batches with a look after each.
///
/// The sizes do not depend on threads, so a run that stops early stops at the same game on every machine.
pub struct Batches {
    games: Range<u64>,
    next: u64,
}

impl Batches {
    /// Creates the batches of a range of games.
    pub fn of(games: Range<u64>) -> Self {
        Self { next: games.start, games }
    }

    /// The games up to the next look, in pieces for a number of threads: large ones first, which cost less to count,
    /// and small ones at the end, so that all threads stay busy.
    pub(super) fn pieces(&mut self, threads: usize) -> Vec<Range<u64>> {
        let played = self.next - self.games.start;
        let count = (played / 8)
            .clamp(MIN_GAMES_BETWEEN_LOOKS, MAX_GAMES_BETWEEN_LOOKS)
            .min(self.games.end.saturating_sub(self.next));
        let end = self.next + count;
        let [smallest, largest] = [SMALLEST_PIECE_DIVISOR, LARGEST_PIECE_DIVISOR].map(|part| (count / part).max(1));
        let mut pieces = Vec::new();
        while self.next < end {
            let left = end - self.next;
            let piece = match threads {
                1 => left,
                threads => (left / (2 * threads as u64)).clamp(smallest, largest).min(left),
            };
            pieces.push(self.next..self.next + piece);
            self.next += piece;
        }
        pieces
    }
}

/// Plays games and counts them in order, independent of the number of threads. `look` is called from time to time with
/// the counts so far, and with the games since the last look if `keeps_games` is set. If the work is stopped, the games
/// before that are counted.
pub fn simulate(
    workers: &dyn Workers,
    plan: &Plan,
    games: Range<u64>,
    keeps_games: bool,
    look: impl FnMut(&Tally, &[Game]) -> Continuation,
) -> Tally {
    simulate_counting::<CallCounts>(workers, plan, games, keeps_games, look).0
}

/// As [`simulate`], with further counts of the rules' steps: [`StepCounts`](super::coverage::StepCounts), for coverage.
pub fn simulate_counting<C: GameCounters>(
    workers: &dyn Workers,
    plan: &Plan,
    games: Range<u64>,
    keeps_games: bool,
    mut look: impl FnMut(&Tally, &[Game]) -> Continuation,
) -> (Tally, C) {
    let columns = plan.columns();
    let mut counts = C::new(&plan.loaded.rules);
    let mut tally = Tally::new(&columns);
    let mut batches = Batches::of(games);
    loop {
        let pieces = batches.pieces(workers.threads());
        if pieces.is_empty() {
            return (tally, counts);
        }
        let played = workers.map_with(
            &pieces,
            || plan.unshared(),
            |plan, piece| play_piece::<C>(plan, piece, &columns, keeps_games),
        );
        let is_whole = played.len() == pieces.len() && played.iter().all(|piece| piece.is_whole);
        let mut games = Vec::new();
        for Piece { part, rows, own, is_whole } in played {
            tally.add(&part);
            counts.add(&own);
            games.extend(rows);
            // Games after a gap do not count.
            if !is_whole {
                break;
            }
        }
        if look(&tally, &games) == Continuation::Stop || !is_whole {
            return (tally, counts);
        }
    }
}

/// The results of some games of one worker.
struct Piece<C> {
    part: Tally,
    rows: Vec<Game>,
    own: C,
    /// Whether all of its games were played.
    is_whole: bool,
}

/// Plays some games in succession.
fn play_piece<C: GameCounters>(
    plan: &Plan,
    games: &Range<u64>,
    columns: &[Column],
    keeps_games: bool,
) -> Option<Piece<C>> {
    let own = C::new(&plan.loaded.rules);
    let mut lookout = GameTracker::default();
    let mut piece = Piece { part: Tally::new(columns), rows: Vec::new(), own, is_whole: true };
    for number in games.clone() {
        piece.own.begin_game();
        let Some(game) = plan.play(number, columns, &mut piece.own, &mut lookout) else {
            piece.is_whole = false;
            break;
        };
        piece.own.end_game();
        lookout.occurrences.end_game();
        piece.part.count(columns, &game);
        plan.loaded.rules.work().finish_part();
        if keeps_games {
            piece.rows.push(game);
        }
    }
    piece.part.count_calls(plan, piece.own.calls());
    piece.part.count_occurrences(lookout.occurrences);
    Some(piece)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_have_every_game_once_in_order_and_end_at_the_same_games_for_any_number_of_threads() {
        let mut ends = Vec::new();
        for threads in [1, 2, 3, 16] {
            let mut batches = Batches::of(5..100_000);
            let mut looks = Vec::new();
            let mut next = 5;
            loop {
                let pieces = batches.pieces(threads);
                let Some(last) = pieces.last() else { break };
                let games = last.end - next;
                for piece in &pieces {
                    assert_eq!(piece.start, next);
                    next = piece.end;
                    let most = if threads == 1 { games } else { (games / LARGEST_PIECE_DIVISOR).max(1) };
                    assert!((1..=most).contains(&(piece.end - piece.start)), "{piece:?} of {games}, {threads} threads");
                }
                assert!(pieces.len() as u64 <= 2 * SMALLEST_PIECE_DIVISOR, "{} pieces", pieces.len());
                assert!(threads > 1 || pieces.len() == 1);
                looks.push(next);
            }
            assert_eq!(next, 100_000);
            ends.push(looks);
        }
        assert!(ends.windows(2).all(|pair| pair[0] == pair[1]), "looks come after the same games");
    }
}
