//! Enemy Anemone: tricks without a suit twice, nine anemones, and how much there is to win in a round.

use crate::random_games::case::Case;
use crate::random_games::referee::{
    Referee, Verdict, all_in, asked, chosen_components, holds, index, nobody_knows, offered, same, scores, seats,
    sorted_ids, suit_and_rank, values, zone, zone_of,
};
use houserule::table::Table;
use houserule::table::decision::Question;
use houserule::table::value::{Component, Seat};

pub struct EnemyAnemone {
    seats: usize,
    rounds: i64,
    is_plain: bool,
    keeps_face: bool,
    counts_totals: bool,
    adds_up_faces: bool,
    has_late_bonus: bool,
    round: i64,
    /// The cards of the trick as they were played: whose, suit, strength.
    trick: Vec<(Seat, String, i64)>,
    /// The ranks of those cards.
    ranks: Vec<i64>,
    /// How many cards were asked for in this trick, those included that were discarded.
    slots: usize,
    /// Number of the trick in its round.
    number: usize,
    /// The ranks in each score pile, and the points for late tricks.
    piles: Vec<Vec<i64>>,
    late: Vec<i64>,
    /// Scores before this round.
    totals: Vec<i64>,
    /// When each seat last took a trick, counted from the beginning of the game.
    last_trick: Vec<usize>,
    tricks: usize,
    /// Who has to lead; nobody knows who leads to the first trick.
    leader: Option<Seat>,
}

impl EnemyAnemone {
    pub fn new(case: &Case) -> EnemyAnemone {
        EnemyAnemone {
            seats: case.seats,
            rounds: case.number("rounds.k").unwrap_or(4),
            is_plain: case.has("anemone"),
            keeps_face: case.has("steal-keeps-face"),
            counts_totals: case.has("score-basis"),
            adds_up_faces: case.has("tie-sum-faces"),
            has_late_bonus: case.has("late-bonus"),
            round: 0,
            trick: Vec::new(),
            ranks: Vec::new(),
            slots: 0,
            number: 1,
            piles: vec![Vec::new(); case.seats],
            late: vec![0; case.seats],
            totals: vec![0; case.seats],
            last_trick: vec![0; case.seats],
            tricks: 0,
            leader: None,
        }
    }

    /// Tricks in a round.
    fn tricks_in_round(&self) -> usize {
        if matches!(self.seats, 2 | 6) { 8 } else { 10 }
    }

    /// Cards that players give to a trick.
    fn slots_in_trick(&self) -> usize {
        if self.seats == 2 { 4 } else { self.seats }
    }

    fn table_is_complete(&self, table: &Table) -> Verdict {
        let attached = zone(table, "trick").iter().filter(|&&card| is_anemone(table, card)).count();
        let cards = all_in(table, &["deck", "stock", "trick"], &["hand", "score_pile"]).len() - attached;
        same("cards", cards, [32, 30, 40, 50, 48][self.seats - 2])?;
        same("anemones", all_in(table, &["supply"], &["anem"]).len() + attached, 9)?;
        nobody_knows(table, "stock")?;
        for seat in seats(table) {
            let sides: Vec<u8> = zone_of(table, seat, "anem").iter().map(|&anemone| table.side(anemone)).collect();
            let ones = sides.iter().filter(|&&side| side == 1).count();
            if self.is_plain {
                same("anemones worth 1", ones, sides.len())?;
            } else if !(self.keeps_face && self.seats == 6) {
                // What is stolen for a gain of 2 would be turned to its +2, unless it keeps its face.
                holds(ones <= 1, || format!("{seat} has {ones} anemones worth 1"))?;
            }
        }
        Ok(())
    }

    /// A card is asked for: whatever came before is over.
    fn slot(&mut self, table: &Table, seat: Seat) -> Verdict {
        if self.slots == self.slots_in_trick() {
            self.end_trick();
        }
        if self.round != table.round() {
            if self.round > 0 {
                self.end_round(table)?;
            }
            self.round = table.round();
            let hand = if matches!(self.seats, 2 | 6) { 8 } else { 10 };
            for p in seats(table) {
                same("cards dealt", zone_of(table, p, "hand").len(), hand)?;
            }
        }
        if self.slots == 0 {
            same("leader", self.leader.unwrap_or(seat), seat)?;
            self.leader = Some(seat);
        }
        let leader = index(self.leader.unwrap_or(seat));
        same("whose turn it is", index(seat), (leader + self.slots) % self.seats)?;
        self.slots += 1;
        let expected: Vec<i64> = (0..self.seats).map(|seat| self.totals[seat] + self.late[seat]).collect();
        same("scores", scores(table), expected)
    }

    fn end_trick(&mut self) {
        // Of equal ones the later wins, and `max_by_key` gives the last.
        let winner = self.trick.iter().max_by_key(|(_, _, strength)| *strength).map(|(seat, _, _)| *seat);
        self.tricks += 1;
        if let Some(winner) = winner {
            self.piles[index(winner)].append(&mut self.ranks);
            self.last_trick[index(winner)] = self.tricks;
            let pays: [usize; 2] = if self.tricks_in_round() == 8 { [5, 7] } else { [6, 9] };
            if self.has_late_bonus && pays.contains(&self.number) {
                self.late[index(winner)] += 2;
            }
        }
        self.leader = winner;
        self.trick.clear();
        self.ranks.clear();
        self.slots = 0;
        self.number += 1;
    }

    /// Counts the score piles.
    fn end_round(&mut self, table: &Table) -> Verdict {
        let expected = [44, 39, 52, 65, 66][self.seats - 2] + if self.has_late_bonus { 4 } else { 0 };
        let points: Vec<i64> = (0..self.seats).map(|seat| points(&self.piles[seat]) + self.late[seat]).collect();
        same("points of the round", points.iter().sum(), expected)?;
        same("tricks of the round", self.number - 1, self.tricks_in_round())?;
        self.totals.iter_mut().zip(&points).for_each(|(total, points)| *total += points);
        same("scores", scores(table), self.totals.clone())?;
        let basis = if self.counts_totals { &self.totals } else { &points };
        let anemones = |seat: Seat| faces(table, seat);
        self.leader = seats(table).max_by_key(|&seat| {
            let place = index(seat);
            (basis[place], self.totals[place], anemones(seat), self.last_trick[place])
        });
        self.piles.iter_mut().for_each(Vec::clear);
        self.late.fill(0);
        self.number = 1;
        Ok(())
    }
}

impl Referee for EnemyAnemone {
    fn decision(&mut self, table: &Table, question: &Question<'_>, chosen: &[usize]) -> Verdict {
        self.table_is_complete(table)?;
        let seat = asked(question)?;
        let hand = zone_of(table, seat, "hand");
        match question.prompt {
            "play_card" | "discard" => {
                self.slot(table, seat)?;
                let is_out =
                    |card: &&Component| self.trick.iter().any(|(_, suit, _)| *suit == suit_and_rank(table, **card).0);
                let playable: Vec<Component> = hand.iter().filter(|card| !is_out(card)).copied().collect();
                same("what is asked", question.prompt, if playable.is_empty() { "discard" } else { "play_card" })?;
                let may = if playable.is_empty() { hand } else { &playable };
                same("cards to play", offered(table, question)?, sorted_ids(table, may))?;
                let card = chosen_components(question, chosen)[0];
                let (suit, rank) = suit_and_rank(table, card);
                if playable.is_empty() {
                    self.piles[index(seat)].push(rank);
                } else {
                    self.trick.push((seat, suit, rank));
                    self.ranks.push(rank);
                }
                Ok(())
            }
            "attach" => {
                let held = zone_of(table, seat, "anem");
                same("anemones to attach", offered(table, question)?, sorted_ids(table, held))?;
                same("how many", (question.min, question.max), (0, held.len()))?;
                let last = self.trick.last_mut().ok_or("nothing to attach to")?;
                let attached = chosen_components(question, chosen);
                last.2 += attached.iter().map(|&anemone| i64::from(table.side(anemone))).sum::<i64>();
                Ok(())
            }
            "steal" => {
                same("anemones in the supply", zone(table, "supply").len(), 0)?;
                let others: usize =
                    seats(table).filter(|&other| other != seat).map(|other| zone_of(table, other, "anem").len()).sum();
                same("what can be stolen, or not", values(question).len(), others + 1)
            }
            other => Err(format!("the rulebook does not know {other}")),
        }
    }

    fn end(&mut self, table: &Table) -> Verdict {
        self.table_is_complete(table)?;
        self.end_trick();
        self.end_round(table)?;
        same("rounds", table.round(), self.rounds)?;
        // Equal totals are decided by the anemones.
        let standing = |seat: Seat| {
            let anemones = zone_of(table, seat, "anem").len() as i64;
            (table.score(seat), if self.adds_up_faces { faces(table, seat) } else { anemones })
        };
        for group in table.ranking().windows(2) {
            holds(standing(group[0][0]) > standing(group[1][0]), || format!("wrong ranking {:?}", table.ranking()))?;
        }
        let mut groups = table.ranking().into_iter();
        holds(groups.all(|group| group.iter().all(|&seat| standing(seat) == standing(group[0]))), || {
            format!("wrong ties {:?}", table.ranking())
        })
    }
}

/// What the anemones of a seat are worth.
fn faces(table: &Table, seat: Seat) -> i64 {
    zone_of(table, seat, "anem").iter().map(|&anemone| i64::from(table.side(anemone))).sum()
}

/// A point for each card, and one more for each 3, 5 and 8.
fn points(ranks: &[i64]) -> i64 {
    ranks.iter().map(|rank| if [3, 5, 8].contains(rank) { 2 } else { 1 }).sum()
}

fn is_anemone(table: &Table, card: Component) -> bool {
    table.label(card).starts_with("anemone")
}
