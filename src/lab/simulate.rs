//! The games of a plan, played by many hands, counted as they come.

use super::coverage::CallCounts;
use super::measures::Column;
use super::play::{Game, Plan};
use super::tally::Tally;
use crate::work::Hands;
use std::ops::Range;

/// Games between two looks, at first; later an eighth of those played.
const FIRST_LOOK: u64 = 32;

/// Most games between two looks: as many rows are held at the same time.
const LAST_LOOK: u64 = 8_192;

/// Most games that one hand plays in one go.
const LARGEST_PIECE: u64 = 128;

/// Pieces between two looks, so that all hands have something to do to the end.
const PIECES: u64 = 64;

/// What somebody who watches wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// To see more games.
    GoOn,
    /// To see no more.
    Stop,
}

/// The games of a plan that are to be played.
///
/// Looks come after the same games whoever plays them, so a run that stops early stops at the same game everywhere.
pub struct Batches {
    games: Range<u64>,
    next: u64,
}

impl Batches {
    /// These games.
    pub fn of(games: Range<u64>) -> Self {
        Self { next: games.start, games }
    }

    /// The games up to the next look, in pieces for as many hands as there are.
    pub(super) fn pieces(&mut self) -> Vec<Range<u64>> {
        let played = self.next - self.games.start;
        let count = (played / 8).clamp(FIRST_LOOK, LAST_LOOK).min(self.games.end.saturating_sub(self.next));
        let end = self.next + count;
        let piece = (count / PIECES).clamp(1, LARGEST_PIECE);
        let mut pieces = Vec::new();
        while self.next < end {
            let from = self.next;
            self.next = end.min(from + piece);
            pieces.push(from..self.next);
        }
        pieces
    }
}

/// Plays games and counts them, in their order, as if there were one hand. Whoever looks is shown, now and then, what has been counted so far, and the games since the last look where they are to
/// be kept; where somebody stops the work of the rules, the
/// games up to there are counted.
pub fn simulate(
    hands: &impl Hands,
    plan: &Plan,
    games: Range<u64>,
    keeps_games: bool,
    mut look: impl FnMut(&Tally, &[Game]) -> Wish,
) -> Tally {
    let columns = plan.columns();
    let mut tally = Tally::new(&columns);
    let mut batches = Batches::of(games);
    loop {
        let pieces = batches.pieces();
        if pieces.is_empty() {
            return tally;
        }
        let played = hands.all(&pieces, |piece| play_piece(plan, piece, &columns, keeps_games));
        let is_whole = played.len() == pieces.len() && played.iter().all(|(_, _, is_whole)| *is_whole);
        let mut games = Vec::new();
        for (part, rows, is_whole) in played {
            tally.add(&part);
            games.extend(rows);
            // What comes behind a gap does not count.
            if !is_whole {
                break;
            }
        }
        if look(&tally, &games) == Wish::Stop || !is_whole {
            return tally;
        }
    }
}

/// Plays some games one after the other; says whether it played them all.
fn play_piece(
    plan: &Plan,
    piece: &Range<u64>,
    columns: &[Column],
    keeps_games: bool,
) -> Option<(Tally, Vec<Game>, bool)> {
    let mut part = Tally::new(columns);
    let mut games = Vec::new();
    let mut calls = CallCounts::new(&plan.loaded.rules);
    let mut is_whole = true;
    for number in piece.clone() {
        calls.begin_game();
        let Some(game) = plan.play(number, columns, &mut calls) else {
            is_whole = false;
            break;
        };
        calls.end_game();
        part.count(columns, &game);
        plan.loaded.rules.work().did_part();
        if keeps_games {
            games.push(game);
        }
    }
    part.count_calls(plan, &calls);
    Some((part, games, is_whole))
}
