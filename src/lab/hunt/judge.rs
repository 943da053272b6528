//! Seats and options that always win.

use super::case::{Case, Tail};
use super::fairness::{Games, Unfair};
use super::play::{Looks, play};
use super::search::Search;
use super::{Find, Ground, Kind};
use crate::diagnostic::Diagnostic;
use crate::work::Hands;

/// So many games show again whether a seat or an option always wins.
const FAIR_GAMES: u64 = 64;

impl Search {
    /// Tells seats and options that always win, with the fewest variants where they do.
    pub(super) fn judge_fairness(&mut self, hands: &impl Hands, ground: &Ground<'_>) {
        let looked_at = self.fair.values().map(Games::looked_at).sum::<usize>();
        let mut told: Vec<(Unfair, Vec<String>)> = Vec::new();
        // Those with the fewest variants come first, and more variants tell nothing new.
        for ((_, variants, players), games) in &self.fair {
            for unfair in games.unfair(looked_at) {
                let same = |(known, less): &(Unfair, Vec<String>)| {
                    std::mem::discriminant(known) == std::mem::discriminant(&unfair)
                        && less.iter().all(|variant| variants.contains(variant))
                        && known.concerns() == unfair.concerns()
                };
                if told.iter().any(same) || ground.work.is_stopped() {
                    continue;
                }
                let mut case = Case {
                    variants: variants.clone(),
                    set: ground.plan.set.clone(),
                    players: *players,
                    seed: 1,
                    choices: Vec::new(),
                    tail: Tail::Random(1),
                };
                // Played anew, so that it is not the luck of those games; and with fewer variants.
                let shows = |case: &Case| {
                    let games = ground.fair_games(hands, case);
                    games.and_then(|games| {
                        let found = games.unfair(games.looked_at());
                        found.into_iter().find(|found| found.concerns() == unfair.concerns())
                    })
                };
                let Some(mut found) = shows(&case) else { continue };
                let mut place = 0;
                while place < case.variants.len() {
                    let mut fewer = case.clone();
                    fewer.variants.remove(place);
                    match shows(&fewer) {
                        Some(still) => (case, found) = (fewer, still),
                        None => place += 1,
                    }
                }
                let kind = if matches!(found, Unfair::OptionWins(..)) { Kind::Option } else { Kind::Seat };
                let error = Diagnostic::new(format!("with {players} players, {}", found.in_words()));
                let error = error.help("counted with choices at random; where all are equal, chance does this once in a thousand hunts");
                told.push((unfair, case.variants.clone()));
                let (times, case) = (found.games(), Some((case, 0)));
                self.report.finds.push(Find { kind, diagnostics: error.into(), times, case, replay: None });
            }
        }
    }
}

impl Ground<'_> {
    /// Games of one choice of rules with choices at random, for who wins them.
    fn fair_games(&self, hands: &impl Hands, case: &Case) -> Option<Games> {
        let compiled = self.compiled(case).ok()?;
        let seeds: Vec<u64> = (1..=FAIR_GAMES).collect();
        let outcomes = hands.all(&seeds, |&seed| {
            let case = Case { seed, choices: Vec::new(), tail: Tail::Random(seed), ..case.clone() };
            let looks = Looks { most: self.plan.longest, outcome: true, ..Looks::default() };
            Some(play(&compiled, &case, looks).outcome).filter(|_| !self.work.is_stopped())
        });
        let mut games = Games::default();
        outcomes.iter().flatten().for_each(|outcome| games.add(case.players, outcome));
        Some(games)
    }
}

impl Unfair {
    /// The seat or option.
    fn concerns(&self) -> String {
        match self {
            Self::SeatWins(seat, _) | Self::SeatLoses(seat, _) => format!("p{seat}"),
            Self::OptionWins(option, _) => option.clone(),
        }
    }

    fn games(&self) -> u64 {
        match self {
            Self::SeatWins(_, games) | Self::SeatLoses(_, games) | Self::OptionWins(_, games) => u64::from(*games),
        }
    }

    fn in_words(&self) -> String {
        match self {
            Self::SeatWins(seat, games) => format!("p{seat} wins all of {games} games"),
            Self::SeatLoses(seat, games) => format!("p{seat} wins none of {games} games"),
            Self::OptionWins(option, games) => {
                format!("who chooses `{option}` in the first half of a game wins: all of {games} games")
            }
        }
    }
}
