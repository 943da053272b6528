//! Up or Down?: the deck, the ring, and columns that rise or fall. How it is scored is tested with the properties.

use crate::random_games::case::Case;
use crate::random_games::referee::{
    Referee, Verdict, all_in, asked, holds, index, nobody_knows, offered, same, seats, sorted_ids, zone, zone_of,
};
use houserule::table::Table;
use houserule::table::decision::Question;
use houserule::table::value::Component;

pub struct UpOrDown {
    highest: i64,
    turns: usize,
    seats: usize,
    removes: bool,
    played: usize,
}

impl UpOrDown {
    pub fn new(case: &Case) -> UpOrDown {
        let place = case.seats - 2;
        let is_short = case.has("short-game");
        UpOrDown {
            highest: if is_short { [42, 60, 78, 96, 96][place] } else { [54, 78, 102, 126, 126][place] },
            turns: if is_short { [18, 18, 18, 18, 15][place] } else { [24, 24, 24, 24, 20][place] },
            seats: case.seats,
            removes: case.has("remove-one"),
            played: 0,
        }
    }

    fn table_is_complete(&self, table: &Table) -> Verdict {
        let zones = ["hand", "columns.1", "columns.2", "columns.3", "discard"];
        let mut cards = numbers(table, &all_in(table, &["face_down", "face_up", "ring", "box"], &zones));
        cards.sort_unstable();
        same("cards in play", cards, (1..=self.highest).collect())?;
        nobody_knows(table, "face_down")?;
        let ring = numbers(table, zone(table, "ring"));
        holds(ring.is_sorted(), || format!("the ring is {ring:?}"))?;
        holds(self.removes || zone(table, "box").is_empty(), || "cards were removed".to_owned())?;
        for seat in seats(table) {
            for column in 1..=3 {
                let column = numbers(table, zone_of(table, seat, &format!("columns.{column}")));
                let is_straight = column.is_sorted() || column.iter().rev().is_sorted();
                holds(is_straight, || format!("a column of {seat} is {column:?}"))?;
            }
        }
        Ok(())
    }
}

impl Referee for UpOrDown {
    fn decision(&mut self, table: &Table, question: &Question<'_>, _chosen: &[usize]) -> Verdict {
        self.table_is_complete(table)?;
        let is_within_turn = matches!(question.prompt, "take_neighbour" | "place_card" | "remove_last");
        same("cards in the ring", zone(table, "ring").len(), if is_within_turn { 7 } else { 6 })?;
        if question.prompt != "play_card" {
            return Ok(());
        }
        let seat = asked(question)?;
        same("whose turn it is", index(seat), self.played % self.seats)?;
        self.played += 1;
        let hand = zone_of(table, seat, "hand");
        same("cards to play", offered(table, question)?, sorted_ids(table, hand))?;
        let piles = zone(table, "face_down").len() + zone(table, "face_up").len();
        holds(hand.len() == 3 || piles == 0, || {
            format!("a hand of {} while there are {piles} cards to draw", hand.len())
        })
    }

    fn end(&mut self, table: &Table) -> Verdict {
        self.table_is_complete(table)?;
        same("turns", self.played, self.turns * self.seats)?;
        same("cards left", all_in(table, &["face_down", "face_up"], &["hand"]).len(), 0)
    }
}

fn numbers(table: &Table, cards: &[Component]) -> Vec<i64> {
    cards.iter().map(|&card| table.label(card).parse().unwrap_or(0)).collect()
}
