//! Hearts: suit is followed, and the points that are in the cards end up with somebody.

use crate::random_games::case::Case;
use crate::random_games::referee::{
    Referee, Verdict, all_in, asked, chosen_components, index, offered, same, scores, seats, sorted_ids, suit_and_rank,
    zone, zone_of,
};
use houserule::table::Table;
use houserule::table::decision::Question;
use houserule::table::value::{Component, Seat};

pub struct Hearts {
    seats: usize,
    lady: i64,
    has_moon: bool,
    hearts_break: bool,
    passes: bool,
    round: i64,
    /// The cards of the trick as they were played.
    trick: Vec<(Seat, Component)>,
    /// Who has to lead.
    leader: Option<Seat>,
    first_leader: Option<Seat>,
    /// What each player's taken cards count in this round, and how many of them are hearts.
    taken: Vec<i64>,
    hearts: i64,
    totals: Vec<i64>,
}

impl Hearts {
    pub fn new(case: &Case) -> Hearts {
        Hearts {
            seats: case.seats,
            lady: case.number("black-lady.points").unwrap_or(0),
            has_moon: case.has("shoot-the-moon"),
            hearts_break: case.has("breaking-hearts"),
            passes: case.has("pass-three"),
            round: 0,
            trick: Vec::new(),
            leader: None,
            first_leader: None,
            taken: vec![0; case.seats],
            hearts: 0,
            totals: vec![0; case.seats],
        }
    }

    fn cards(&self) -> usize {
        52 - 52 % self.seats
    }

    /// The highest card of the led suit takes the trick.
    fn end_trick(&mut self, table: &Table) {
        let Some(&(_, led)) = self.trick.first() else { return };
        let led = suit_and_rank(table, led).0;
        let follows = |(seat, card): &(Seat, Component)| {
            let (suit, rank) = suit_and_rank(table, *card);
            (suit == led).then_some((rank, *seat))
        };
        self.leader = self.trick.iter().filter_map(follows).max_by_key(|(rank, _)| *rank).map(|(_, seat)| seat);
        for (_, card) in self.trick.drain(..) {
            let (suit, rank) = suit_and_rank(table, card);
            let points = if suit == "hearts" { 1 } else { 0 }
                + if (suit.as_str(), rank) == ("spades", 12) { self.lady } else { 0 };
            self.taken[self.leader.map_or(0, index)] += points;
            self.hearts += i64::from(suit == "hearts");
        }
    }

    fn end_round(&mut self, table: &Table) -> Verdict {
        let all = 13 + self.lady;
        same("points of the round", self.taken.iter().sum(), all)?;
        let shooter = self.taken.iter().position(|&points| points == all).filter(|_| self.has_moon);
        for (seat, total) in self.totals.iter_mut().enumerate() {
            *total -= match shooter {
                Some(shooter) if shooter == seat => 0,
                Some(_) => all,
                None => self.taken[seat],
            };
        }
        same("scores", scores(table), self.totals.clone())?;
        self.taken.fill(0);
        self.hearts = 0;
        Ok(())
    }

    fn begin_round(&mut self, table: &Table) -> Verdict {
        if self.round > 0 {
            self.end_round(table)?;
        }
        self.round = table.round();
        self.leader = None;
        for seat in seats(table) {
            same("cards dealt", zone_of(table, seat, "hand").len(), self.cards() / self.seats)?;
        }
        Ok(())
    }

    fn play(&mut self, table: &Table, question: &Question<'_>, chosen: &[usize]) -> Verdict {
        let seat = asked(question)?;
        if self.leader.is_none() {
            // Everybody deals once, so everybody leads a round once, one after the other.
            let first = *self.first_leader.get_or_insert(seat);
            same("who leads the round", index(seat), (index(first) + self.round as usize - 1) % self.seats)?;
            self.leader = Some(seat);
        }
        let leader = index(self.leader.unwrap_or(seat));
        same("whose turn it is", index(seat), (leader + self.trick.len()) % self.seats)?;
        let hand = zone_of(table, seat, "hand");
        let suited = |card: &Component| suit_and_rank(table, *card).0;
        let wanted: Vec<Component> = match self.trick.first() {
            Some((_, led)) => hand.iter().filter(|card| suited(card) == suited(led)).copied().collect(),
            None if self.hearts_break && self.hearts == 0 => {
                hand.iter().filter(|card| suited(card) != "hearts").copied().collect()
            }
            None => hand.to_vec(),
        };
        let playable = if wanted.is_empty() { hand } else { &wanted };
        same("cards to play", offered(table, question)?, sorted_ids(table, playable))?;
        self.trick.push((seat, chosen_components(question, chosen)[0]));
        if self.trick.len() == self.seats {
            self.end_trick(table);
        }
        Ok(())
    }
}

impl Referee for Hearts {
    fn decision(&mut self, table: &Table, question: &Question<'_>, chosen: &[usize]) -> Verdict {
        same("cards", all_in(table, &["deck", "trick"], &["hand", "taken"]).len(), self.cards())?;
        if self.round != table.round() {
            self.begin_round(table)?;
        }
        same("cards in the trick", zone(table, "trick").len(), self.trick.len())?;
        same("scores", scores(table), self.totals.clone())?;
        match question.prompt {
            "play_card" => self.play(table, question, chosen),
            "pass_cards" if self.passes => same("how many to pass", (question.min, question.max), (3, 3)),
            other => Err(format!("the rulebook does not know {other}")),
        }
    }

    fn end(&mut self, table: &Table) -> Verdict {
        self.end_round(table)?;
        same("rounds", table.round(), self.seats as i64)
    }
}
