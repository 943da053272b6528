//! FTW?! for two to six players, the base game.

use super::{Hardcoded, RandomChoices};
use houserule::table::chance::Chance;

const PASSED: usize = 3;

/// A card is its number.
type Card = u32;

/// The game in play.
pub struct Ftw {
    highest_card: Card,
    hand_size: usize,
    deck: Vec<Card>,
    /// From bottom to top.
    pile: Vec<Card>,
    players: Vec<Player>,
    scores: Vec<i64>,
    /// Room for the cards that a player chooses from when passing.
    passing: Vec<Card>,
}

#[derive(Clone, Default)]
struct Player {
    hand: Hand,
    /// In the order in which they were put down.
    help: Vec<Card>,
    passed: Hand,
}

/// Cards by rising number, each a bit.
#[derive(Clone, Copy, Default)]
struct Hand(u64);

impl Hardcoded for Ftw {
    fn play(&mut self, seed: u64) -> usize {
        let mut chance = Chance::new(seed);
        let mut choices = RandomChoices::new(seed);
        let seats = self.players.len();
        let starter = chance.stream("lot start_player").below(seats);
        self.scores.fill(0);
        for round in 0..seats {
            self.deal(&mut chance);
            self.pass(&mut choices);
            self.take_turns((starter + round) % seats, &mut choices);
            for (score, player) in self.scores.iter_mut().zip(&self.players) {
                *score += player.hand.points();
            }
        }
        choices.made
    }

    fn scores(&self) -> &[i64] {
        &self.scores
    }
}

impl Ftw {
    pub fn new(seats: usize) -> Self {
        let (highest_card, hand_size) = match seats {
            2 | 3 => (36, 12),
            4 => (48, 12),
            5 => (60, 12),
            _ => (60, 10),
        };
        Self {
            highest_card,
            hand_size,
            deck: Vec::new(),
            pile: Vec::new(),
            players: vec![Player::default(); seats],
            scores: vec![0; seats],
            passing: Vec::new(),
        }
    }

    fn deal(&mut self, chance: &mut Chance) {
        self.pile.clear();
        self.deck.clear();
        self.deck.extend(1..=self.highest_card);
        chance.stream("shuffle deck").shuffle(&mut self.deck);
        for (player, cards) in self.players.iter_mut().zip(self.deck.rchunks(self.hand_size)) {
            player.hand = Hand::default();
            cards.iter().for_each(|&card| player.hand.add(card));
            player.help.clear();
        }
    }

    /// Everybody chooses before anybody gets something.
    fn pass(&mut self, choices: &mut RandomChoices) {
        for player in &mut self.players {
            self.passing.clear();
            self.passing.extend(player.hand.cards());
            player.passed = Hand::default();
            choices.choose_some(&mut self.passing, PASSED).iter().for_each(|&card| player.passed.add(card));
        }
        let seats = self.players.len();
        for seat in 0..seats {
            let received = self.players[(seat + 1) % seats].passed;
            let Player { hand, passed, .. } = &mut self.players[seat];
            hand.0 = (hand.0 & !passed.0) | received.0;
        }
    }

    /// Turns go round until a player has only one card left.
    fn take_turns(&mut self, starter: usize, choices: &mut RandomChoices) {
        let mut seat = starter;
        loop {
            self.turn(seat, choices);
            if self.players[seat].hand.len() < 2 {
                return;
            }
            seat = (seat + 1) % self.players.len();
        }
    }

    fn turn(&mut self, seat: usize, choices: &mut RandomChoices) {
        let Player { hand, help, .. } = &mut self.players[seat];
        let Some(&top) = self.pile.last() else {
            let led = hand.nth(choices.choose(hand.len()));
            hand.remove(led);
            self.pile.push(led);
            return;
        };
        let (higher, lower) = (hand.above(top), hand.below(top));
        let lifted = lower.above(top.saturating_sub(help.iter().sum()));
        let (plays, boosts) = (higher.len(), lifted.len());
        let choice = choices.choose(plays + boosts + lower.len());
        if choice < plays {
            let card = higher.nth(choice);
            hand.remove(card);
            self.pile.push(card);
        } else if choice < plays + boosts {
            let card = lifted.nth(choice - plays);
            hand.remove(card);
            spend(help, top - card, choices);
            self.pile.push(card);
        } else {
            let card = lower.nth(choice - plays - boosts);
            hand.remove(card);
            help.push(card);
            hand.add(self.pile[choices.choose(self.pile.len())]);
            self.pile.clear();
        }
    }
}

/// Spends help cards one by one, at least for more than `lack`.
fn spend(help: &mut Vec<Card>, lack: Card, choices: &mut RandomChoices) {
    let mut sum = 0;
    while !help.is_empty() {
        let choice = choices.choose(help.len() + usize::from(sum > lack));
        if choice == help.len() {
            return;
        }
        sum += help.remove(choice);
    }
}

impl Hand {
    fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    fn add(&mut self, card: Card) {
        self.0 |= 1 << card;
    }

    fn remove(&mut self, card: Card) {
        self.0 &= !(1 << card);
    }

    fn above(self, card: Card) -> Self {
        Self(self.0 & (!1 << card))
    }

    fn below(self, card: Card) -> Self {
        Self(self.0 & !(!0 << card))
    }

    /// The card at a place, from 0; there has to be one.
    fn nth(self, place: usize) -> Card {
        (0..place).fold(self.0, |cards, _| cards & (cards - 1)).trailing_zeros()
    }

    fn cards(self) -> impl Iterator<Item = Card> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let lowest = (left != 0).then(|| left.trailing_zeros());
            left &= left.wrapping_sub(1);
            lowest
        })
    }

    /// The highest card counts for the player, all others against.
    fn points(self) -> i64 {
        let highest = self.0.checked_ilog2().unwrap_or(0);
        let sum: Card = self.cards().sum();
        (2 * i64::from(highest) - i64::from(sum)).max(0)
    }
}
