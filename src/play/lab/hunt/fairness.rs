//! Tests whether a seat or an option always wins, or a seat never wins.
//!
//! The counts are from games of the same rules and number of players, with random choices. A finding must be so
//! improbable under equal chances that false alarms occur in one of a thousand hunts, corrected for the number of tests
//! (Bonferroni).

use super::play::Outcome;
use crate::agent::GameSize;
use crate::sorted::SortedMap;

/// The rate of false alarms over all tests of a hunt.
const FALSE_ALARM_RATE: f64 = 0.001;

/// The fewest games needed to judge an option.
const MIN_GAMES: u32 = 20;

/// Win counts of games with the same rules and number of players.
#[derive(Clone, Debug, Default)]
pub struct WinCounts {
    /// The number of games that some seats won and others did not.
    games: u32,
    /// The number of finished games, and their total size.
    ended: u64,
    size: GameSize,
    /// For each seat, the number of games in which it was first, alone or shared.
    wins: Vec<u32>,
    options: SortedMap<String, OptionGames>,
}

/// The games in which some seats, but not all, chose an option.
#[derive(Clone, Debug, Default)]
struct OptionGames {
    games: u32,
    /// The number of games in which only seats won that had chosen it.
    won: u32,
    /// The number of games for each set of choosing seats (as bits) and number of winners.
    by_choosers: SortedMap<(u16, u32), u32>,
}

/// An unfair seat or option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfairness {
    /// A seat (its number, from 1) won all of this many games.
    SeatWins(usize, u32),
    /// A seat won none of this many games.
    SeatLoses(usize, u32),
    /// In each of this many games, the winner had chosen the option early.
    OptionWins(String, u32),
}

impl WinCounts {
    /// Adds a game of `players` players.
    pub fn add(&mut self, players: usize, outcome: &Outcome) {
        let all = (1_u32 << players.min(16)) - 1;
        let GameSize { decisions, options, turns } = outcome.size;
        self.ended += 1;
        self.size.decisions += decisions;
        self.size.options += options;
        self.size.turns += turns;
        self.wins.resize(players, 0);
        // A game that everybody or nobody won carries no information.
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

    /// The number of games that a seat won, and of all games; `None` where there were none.
    pub fn won_by(&self, seat: usize) -> Option<(u32, u32)> {
        let wins = self.wins.get(seat.checked_sub(1)?)?;
        (self.games > 0).then_some((*wins, self.games))
    }

    /// The number of games in which all winners had chosen an option, and of those in which not all seats had chosen
    /// it.
    pub fn won_with(&self, option: &str) -> Option<(u32, u32)> {
        self.options.get(option).map(|option| (option.won, option.games))
    }

    /// The number of tests: two for every seat, and one for each option.
    pub fn looked_at(&self) -> usize {
        2 * self.wins.len() + self.options.len()
    }

    /// The unfair seats and options, where `looked_at` is the number of tests in the whole hunt.
    pub fn unfair(&self, looked_at: usize) -> Vec<Unfairness> {
        let mut found = Vec::new();
        let players = self.wins.len();
        if players < 2 || self.games == 0 {
            return found;
        }
        let rare = FALSE_ALARM_RATE / looked_at.max(1) as f64;
        // The probability that an equal seat wins every game, or none. Shared wins make the first more probable and the
        // second less.
        let share =
            self.wins.iter().map(|wins| f64::from(*wins)).sum::<f64>() / (f64::from(self.games) * players as f64);
        let power = |base: f64| (0..self.games).fold(1.0, |power, _| power * base);
        let mut seats = self.wins.iter().zip(1..);
        if power(share) < rare
            && let Some((_, seat)) = seats.clone().find(|(wins, _)| **wins == self.games)
        {
            // That the other seats win nothing is implied.
            found.push(Unfairness::SeatWins(seat, self.games));
        } else if power(1.0 - share) < rare
            && let Some((_, seat)) = seats.find(|(wins, _)| **wins == 0)
        {
            found.push(Unfairness::SeatLoses(seat, self.games));
        }
        for (option, of_option) in &self.options {
            let OptionGames { games, won, .. } = of_option;
            if won == games && *games >= MIN_GAMES && self.chance(of_option) < rare {
                found.push(Unfairness::OptionWins(option.clone(), *games));
            }
        }
        found
    }

    /// The probability that all winners are among those who chose an option, if only seats matter: where a seat wins
    /// every game, so does whatever its player chooses.
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
        let mut games = WinCounts::default();
        (0..12).for_each(|_| games.add(2, &outcome(1, &[])));
        assert_eq!(games.unfair(4), [Unfairness::SeatWins(2, 12)], "2^-12 is less than 0.001 / 4");
        assert!(games.unfair(5).is_empty(), "and not less than 0.001 / 5");
        games.add(2, &outcome(0, &[]));
        assert!(games.unfair(4).is_empty());
        let mut games = WinCounts::default();
        (0..40).for_each(|number| games.add(3, &outcome(number % 2, &[])));
        assert_eq!(games.unfair(6), [Unfairness::SeatLoses(3, 40)]);
    }

    #[test]
    fn an_option_that_always_wins_is_told() {
        let mut games = WinCounts::default();
        // In turn, each of three players takes it.
        for number in 0..24 {
            let seat = number % 3;
            games.add(
                3,
                &outcome(seat, &[("bid: all", 1 << seat), ("bid: none", 1 << ((seat + 1) % 3)), ("go: on", 7)]),
            );
        }
        assert_eq!(games.unfair(games.looked_at()), [Unfairness::OptionWins("bid: all".to_owned(), 24)]);
    }

    #[test]
    fn what_a_seat_does_that_always_wins_is_not_told_beside_it() {
        let mut games = WinCounts::default();
        for number in 0..60 {
            let other = 2 - number % 2;
            games.add(3, &outcome(0, &[("play: ace", if number % 3 == 0 { 1 << other } else { 1 }), ("play: two", 1)]));
        }
        assert_eq!(games.unfair(games.looked_at()), [Unfairness::SeatWins(1, 60)]);
    }

    #[test]
    fn where_everybody_wins_nothing_is_told() {
        let mut games = WinCounts::default();
        (0..99).for_each(|_| {
            games.add(2, &Outcome { winners: 3, chosen: vec![("a: b".to_owned(), 1)], ..Outcome::default() })
        });
        assert!(games.unfair(1).is_empty());
    }
}
