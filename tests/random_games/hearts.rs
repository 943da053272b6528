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
    /// Whether the queen of spades breaks hearts, and whether she has.
    lady_breaks: bool,
    lady_is_taken: bool,
    /// Whether the lowest club is led first, and whether the first trick is free of what counts.
    club_leads: bool,
    first_is_clean: bool,
    passes: bool,
    /// Whether cards are passed in turns to left, right and across, and in some deals are not.
    pass_in_turn: bool,
    has_passed: bool,
    /// How many lost points end the game.
    target: Option<i64>,
    tricks: usize,
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
            lady_breaks: case.truth("breaking-hearts.queen").unwrap_or(false),
            lady_is_taken: false,
            club_leads: case.has("two-of-clubs"),
            first_is_clean: case.has("first-trick"),
            passes: case.has("pass-three"),
            pass_in_turn: case.word("pass-three.to") == Some("in-turn"),
            has_passed: false,
            target: case.number("play-to.points"),
            tricks: 0,
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

    /// Whether a card is the lowest of the clubs that are in play.
    fn is_lowest_club(&self, table: &Table, card: Component) -> bool {
        let lowest = match self.seats {
            3 | 5 => 3,
            6 => 4,
            _ => 2,
        };
        suit_and_rank(table, card) == ("clubs".to_owned(), lowest)
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
            self.lady_is_taken |= (suit.as_str(), rank) == ("spades", 12);
        }
        self.tricks += 1;
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
        self.lady_is_taken = false;
        self.tricks = 0;
        Ok(())
    }

    fn begin_round(&mut self, table: &Table) -> Verdict {
        if self.round > 0 {
            self.end_round(table)?;
            let goes_on = self.target.is_none_or(|target| self.totals.iter().all(|&total| total > -target));
            same("whether the game goes on", goes_on, true)?;
        }
        self.round = table.round();
        self.has_passed = false;
        self.leader = None;
        for seat in seats(table) {
            same("cards dealt", zone_of(table, seat, "hand").len(), self.cards() / self.seats)?;
        }
        Ok(())
    }

    fn play(&mut self, table: &Table, question: &Question<'_>, chosen: &[usize]) -> Verdict {
        let seat = asked(question)?;
        if self.leader.is_none() {
            let ways = if self.seats.is_multiple_of(2) { 4 } else { 3 };
            let holds = self.pass_in_turn && self.round % ways == 0;
            same("whether cards were passed", self.has_passed, self.passes && !holds)?;
        }
        if self.leader.is_none() && self.club_leads {
            let held = zone_of(table, seat, "hand").iter().any(|&card| self.is_lowest_club(table, card));
            same("whether the leader has the lowest club", held, true)?;
            self.leader = Some(seat);
        }
        if self.leader.is_none() {
            // The deal goes round, so everybody leads a round, one after the other.
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
            None if self.club_leads && self.tricks == 0 => {
                hand.iter().filter(|card| self.is_lowest_club(table, **card)).copied().collect()
            }
            None if self.hearts_break && self.hearts == 0 && !(self.lady_breaks && self.lady_is_taken) => {
                hand.iter().filter(|card| suited(card) != "hearts").copied().collect()
            }
            None => hand.to_vec(),
        };
        let playable = if wanted.is_empty() { hand } else { &wanted };
        let costs = |card: &Component| {
            let (suit, rank) = suit_and_rank(table, *card);
            suit == "hearts" || self.lady > 0 && (suit.as_str(), rank) == ("spades", 12)
        };
        let clean: Vec<Component> = playable.iter().filter(|card| !costs(card)).copied().collect();
        let spared = self.first_is_clean && self.tricks == 0 && !clean.is_empty();
        let playable = if spared { &clean } else { playable };
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
            "pass_cards" if self.passes => {
                self.has_passed = true;
                same("how many to pass", (question.min, question.max), (3, 3))
            }
            other => Err(format!("the rulebook does not know {other}")),
        }
    }

    fn end(&mut self, table: &Table) -> Verdict {
        self.end_round(table)?;
        match self.target {
            Some(target) => same("whether the game is over", self.totals.iter().any(|&total| total <= -target), true),
            None => same("rounds", table.round(), self.seats as i64),
        }
    }
}
