//! Whether a seat or an option always wins, or a seat never.
//!
//! Counted in games of the same rules and number of players, with choices at random. What is told has to be so rare where
//! all seats are equal that it does not come up by chance: once in a thousand hunts, everything counted in that was looked
//! at (Bonferroni).

use super::play::Outcome;
use crate::agent::GameSize;
use std::collections::BTreeMap;

/// The chance that something of all that was looked at comes up although all are equal.
const FALSE_ALARM_RATE: f64 = 0.001;

/// Of an option, so many games are needed at least.
const LEAST_GAMES: u32 = 20;

/// Games of the same rules and number of players.
#[derive(Clone, Debug, Default)]
pub struct Games {
    /// Those that some seats won and others did not.
    games: u32,
    /// All that came to their end, and how much there was to decide in them together.
    ended: u64,
    size: GameSize,
    /// For each seat the games in which it was in the first place, alone or not.
    wins: Vec<u32>,
    options: BTreeMap<String, OptionGames>,
}

/// The games in which an option was chosen by some seats, not by all.
#[derive(Clone, Debug, Default)]
struct OptionGames {
    games: u32,
    /// In how many of these only seats won that had chosen it.
    won: u32,
    /// By the seats that had chosen it, as bits, and how many won: in how many.
    by_choosers: BTreeMap<(u16, u32), u32>,
}

/// Something that is not fair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfair {
    /// A seat, by its number, wins every one of so many games.
    SeatWins(usize, u32),
    /// A seat wins none of so many games.
    SeatLoses(usize, u32),
    /// Of those who chose it early, somebody won every one of so many games.
    OptionWins(String, u32),
}

impl Games {
    /// Adds a game of so many players.
    pub fn add(&mut self, players: usize, outcome: &Outcome) {
        let all = (1_u32 << players.min(16)) - 1;
        let GameSize { decisions, options, turns } = outcome.size;
        self.ended += 1;
        self.size.decisions += decisions;
        self.size.options += options;
        self.size.turns += turns;
        self.wins.resize(players, 0);
        // Where everybody has won, or nobody, it tells nothing.
        if u32::from(outcome.winners) == all || outcome.winners == 0 {
            return;
        }
        self.games += 1;
        for (seat, wins) in self.wins.iter_mut().enumerate() {
            *wins += u32::from(outcome.winners >> seat & 1);
        }
        let winners = outcome.winners.count_ones();
        for (option, seats) in &outcome.chosen {
            if u32::from(*seats) == all {
                continue;
            }
            let known = self.options.entry(option.clone()).or_default();
            known.games += 1;
            known.won += u32::from(outcome.winners & !seats == 0);
            *known.by_choosers.entry((*seats, winners)).or_default() += 1;
        }
    }

    pub fn mean_size(&self) -> GameSize {
        let GameSize { decisions, options, turns } = self.size;
        let mean = |sum: u64| sum.div_ceil(self.ended.max(1));
        GameSize { decisions: mean(decisions), options: mean(options), turns: mean(turns) }
    }

    /// In how many games the seat of a number won, and of how many; nothing where there were none.
    pub fn won_by(&self, seat: usize) -> Option<(u32, u32)> {
        let wins = self.wins.get(seat.checked_sub(1)?)?;
        (self.games > 0).then_some((*wins, self.games))
    }

    /// In how many games those alone won who had chosen an option, and of how many in which not all had.
    pub fn won_with(&self, option: &str) -> Option<(u32, u32)> {
        self.options.get(option).map(|option| (option.won, option.games))
    }

    /// How much is looked at: every seat twice, and each option.
    pub fn looked_at(&self) -> usize {
        2 * self.wins.len() + self.options.len()
    }

    /// What is not fair, where so much is looked at in all games together.
    pub fn unfair(&self, looked_at: usize) -> Vec<Unfair> {
        let mut found = Vec::new();
        let players = self.wins.len();
        if players < 2 || self.games == 0 {
            return found;
        }
        let rare = FALSE_ALARM_RATE / looked_at.max(1) as f64;
        // Of equal seats each wins every game, or none, with these chances; more than one may win, which makes the first
        // more and the second less likely than this.
        let share =
            self.wins.iter().map(|wins| f64::from(*wins)).sum::<f64>() / (f64::from(self.games) * players as f64);
        let power = |base: f64| (0..self.games).fold(1.0, |power, _| power * base);
        let mut seats = self.wins.iter().zip(1..);
        if power(share) < rare
            && let Some((_, seat)) = seats.clone().find(|(wins, _)| **wins == self.games)
        {
            // That the others win nothing says no more.
            found.push(Unfair::SeatWins(seat, self.games));
        } else if power(1.0 - share) < rare
            && let Some((_, seat)) = seats.find(|(wins, _)| **wins == 0)
        {
            found.push(Unfair::SeatLoses(seat, self.games));
        }
        for (option, of_option) in &self.options {
            let OptionGames { games, won, .. } = of_option;
            if won == games && *games >= LEAST_GAMES && self.chance(of_option) < rare {
                found.push(Unfair::OptionWins(option.clone(), *games));
            }
        }
        found
    }

    /// How likely it is that the winners are always among those who chose an option, if all that counts is where one sits:
    /// where a seat wins every game, so does whatever its player chooses.
    fn chance(&self, option: &OptionGames) -> f64 {
        let all = self.wins.iter().map(|wins| f64::from(*wins)).sum::<f64>();
        let share = |choosers: u16| {
            let of_seats = self.wins.iter().enumerate().filter(|(seat, _)| choosers >> seat & 1 == 1);
            of_seats.map(|(_, wins)| f64::from(*wins)).sum::<f64>() / all
        };
        let power = |base: f64, times: u32| (0..times).fold(1.0, |power, _| power * base);
        let each = |((choosers, winners), games): (&(u16, u32), &u32)| power(power(share(*choosers), *winners), *games);
        option.by_choosers.iter().map(each).product()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(winner: usize, chosen: &[(&str, u16)]) -> Outcome {
        let chosen = chosen.iter().map(|(option, seats)| ((*option).to_owned(), *seats)).collect();
        Outcome { winners: 1 << winner, chosen, ..Outcome::default() }
    }

    #[test]
    fn who_wins_every_game_is_told() {
        let mut games = Games::default();
        (0..12).for_each(|_| games.add(2, &outcome(1, &[])));
        assert_eq!(games.unfair(4), [Unfair::SeatWins(2, 12)], "2^-12 is less than 0.001 / 4");
        assert!(games.unfair(5).is_empty(), "and not less than 0.001 / 5");
        games.add(2, &outcome(0, &[]));
        assert!(games.unfair(4).is_empty());
        let mut games = Games::default();
        (0..40).for_each(|number| games.add(3, &outcome(number % 2, &[])));
        assert_eq!(games.unfair(6), [Unfair::SeatLoses(3, 40)]);
    }

    #[test]
    fn an_option_that_always_wins_is_told() {
        let mut games = Games::default();
        // Each time another of three players takes it.
        for number in 0..24 {
            let seat = number % 3;
            games.add(
                3,
                &outcome(seat, &[("bid: all", 1 << seat), ("bid: none", 1 << ((seat + 1) % 3)), ("go: on", 7)]),
            );
        }
        assert_eq!(games.unfair(games.looked_at()), [Unfair::OptionWins("bid: all".to_owned(), 24)]);
    }

    #[test]
    fn what_a_seat_does_that_always_wins_is_not_told_beside_it() {
        let mut games = Games::default();
        for number in 0..60 {
            let other = 2 - number % 2;
            games.add(3, &outcome(0, &[("play: ace", if number % 3 == 0 { 1 << other } else { 1 }), ("play: two", 1)]));
        }
        assert_eq!(games.unfair(games.looked_at()), [Unfair::SeatWins(1, 60)]);
    }

    #[test]
    fn where_everybody_wins_nothing_is_told() {
        let mut games = Games::default();
        (0..99).for_each(|_| {
            games.add(2, &Outcome { winners: 3, chosen: vec![("a: b".to_owned(), 1)], ..Outcome::default() })
        });
        assert!(games.unfair(1).is_empty());
    }
}
