//! Up or Down? for three players, the base game.

use super::{Hardcoded, RandomChoices};
use houserule::table::chance::Chance;

const SEATS: usize = 3;
const HIGHEST_CARD: Card = 78;
const HAND_SIZE: usize = 3;
const RING_SIZE: usize = 6;
const COLUMNS: usize = 3;
const COLORS: usize = 6;

/// A card is its number; its colour follows from that.
type Card = u8;

/// The game in play.
#[derive(Default)]
pub struct UpOrDown {
    face_down: Vec<Card>,
    face_up: Vec<Card>,
    /// By rising number.
    ring: [Card; RING_SIZE],
    players: [Player; SEATS],
    scores: [i64; SEATS],
}

#[derive(Default)]
struct Player {
    /// By rising number, as it is offered.
    hand: Vec<Card>,
    columns: [Column; COLUMNS],
    discard: Vec<Card>,
}

#[derive(Default)]
struct Column(Vec<Card>);

impl Hardcoded for UpOrDown {
    fn play(&mut self, seed: u64) -> usize {
        let mut choices = RandomChoices::new(seed);
        self.set_up(seed);
        while !self.players[SEATS - 1].hand.is_empty() {
            for seat in 0..SEATS {
                self.turn(seat, &mut choices);
            }
        }
        for (score, player) in self.scores.iter_mut().zip(&self.players) {
            *score = player.score();
        }
        choices.made
    }

    fn scores(&self) -> &[i64] {
        &self.scores
    }
}

impl UpOrDown {
    fn set_up(&mut self, seed: u64) {
        self.face_down.clear();
        self.face_down.extend(1..=HIGHEST_CARD);
        Chance::new(seed).stream("shuffle face_down").shuffle(&mut self.face_down);
        for player in &mut self.players {
            player.hand.clear();
            player.hand.extend(take_top(&mut self.face_down, HAND_SIZE));
            player.hand.sort_unstable();
            player.columns.iter_mut().for_each(|column| column.0.clear());
            player.discard.clear();
        }
        for (place, card) in self.ring.iter_mut().zip(take_top(&mut self.face_down, RING_SIZE)) {
            *place = card;
        }
        self.ring.sort_unstable();
        self.face_up.clear();
        let half = self.face_down.len() / 2;
        self.face_up.extend(take_top(&mut self.face_down, half));
    }

    fn turn(&mut self, seat: usize, choices: &mut RandomChoices) {
        let player = &mut self.players[seat];
        let played = player.hand.remove(choices.choose(player.hand.len()));
        let taken = exchange(&mut self.ring, played, choices);
        player.place(taken, choices);
        let (down, up) = (!self.face_down.is_empty(), !self.face_up.is_empty());
        if down || up {
            let choice = choices.choose(usize::from(down) + usize::from(up));
            let pile = if down && choice == 0 { &mut self.face_down } else { &mut self.face_up };
            player.hand.extend(pile.pop());
            player.hand.sort_unstable();
        }
    }
}

/// The top `count` cards of a pile, the topmost first.
fn take_top(pile: &mut Vec<Card>, count: usize) -> impl Iterator<Item = Card> {
    pile.drain(pile.len() - count..).rev()
}

/// Puts a card into its place in the ring and takes the one before or behind it. Nearly always the one simply takes the
/// other's place.
fn exchange(ring: &mut [Card; RING_SIZE], played: Card, choices: &mut RandomChoices) -> Card {
    let place = ring.iter().filter(|&&card| card < played).count();
    let neighbour = match (choices.choose(2), place) {
        (0, 0) => {
            ring.rotate_right(1);
            0
        }
        (0, _) => place - 1,
        (_, RING_SIZE) => {
            ring.rotate_left(1);
            RING_SIZE - 1
        }
        _ => place,
    };
    std::mem::replace(&mut ring[neighbour], played)
}

impl Player {
    /// Extends a column, starts one, or abandons one for it.
    fn place(&mut self, card: Card, choices: &mut RandomChoices) {
        let mut fitting = [0; COLUMNS];
        let mut fits = 0;
        let mut free = None;
        for (number, column) in self.columns.iter().enumerate() {
            if column.0.is_empty() {
                free = free.or(Some(number));
            } else if column.is_carried_on_by(card) {
                fitting[fits] = number;
                fits += 1;
            }
        }
        let fresh = if free.is_some() { 1 } else { COLUMNS };
        let choice = choices.choose(fits + fresh);
        let number = if choice < fits {
            fitting[choice]
        } else {
            free.unwrap_or_else(|| {
                let abandoned = choice - fits;
                self.discard.append(&mut self.columns[abandoned].0);
                abandoned
            })
        };
        self.columns[number].0.push(card);
    }

    fn score(&self) -> i64 {
        self.columns.iter().map(Column::points).sum::<i64>() + self.discard.len() as i64
    }
}

impl Column {
    fn is_carried_on_by(&self, card: Card) -> bool {
        match *self.0.as_slice() {
            [.., before, last] => (before < last) == (last < card),
            _ => true,
        }
    }

    fn points(&self) -> i64 {
        let mut colors = [0; COLORS];
        for card in &self.0 {
            colors[usize::from(*card) % COLORS] += 1;
        }
        self.0.len() as i64 * colors.into_iter().max().unwrap_or(0)
    }
}
