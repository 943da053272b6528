//! How often something happened: in one game, and in how many of them.

use super::distribution::digits;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Most things that are told apart: rules can make up names as they play.
const MOST_SORTS: usize = 2_000;

/// What can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A function of the rules was called.
    Function,
    /// A player was asked this.
    Asked,
    /// An option of this sort was there to be chosen; counted in games that are followed closely.
    Offered,
    /// An option of this sort was chosen.
    Chosen,
    /// Points were given for this.
    Award,
    /// This phase began.
    Phase,
    /// An event of this kind.
    Event,
}

/// What happened in one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Occurrences(Vec<Occurrence>);

/// One sort of thing that happened in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// What sort of thing.
    pub kind: Kind,
    /// Its name.
    pub name: String,
    /// The option of the question of that name.
    pub option: Option<String>,
    /// How often it happened.
    pub times: u64,
    /// The points or numbers that came with it, added up.
    pub amount: i128,
}

impl Occurrences {
    /// It happened so many times more, with so many points in all.
    pub fn note(&mut self, kind: Kind, name: &str, times: u64, amount: i128) {
        self.count(kind, name, None, times, amount);
    }

    /// An option of a question.
    pub fn note_option(&mut self, kind: Kind, name: &str, option: &str) {
        self.count(kind, name, Some(option), 1, 0);
    }

    fn count(&mut self, kind: Kind, name: &str, option: Option<&str>, times: u64, amount: i128) {
        // A game has a few dozen of these, most of them near the end of the list.
        let is_meant = |one: &&mut Occurrence| one.kind == kind && one.name == name && one.option.as_deref() == option;
        if let Some(one) = self.0.iter_mut().rev().find(is_meant) {
            one.times = one.times.saturating_add(times);
            one.amount = one.amount.saturating_add(amount);
            return;
        }
        let option = option.map(str::to_owned);
        self.0.push(Occurrence { kind, name: name.to_owned(), option, times, amount });
    }

    /// Notes everything that another has noted.
    pub fn add(&mut self, other: &Self) {
        for one in &other.0 {
            self.count(one.kind, &one.name, one.option.as_deref(), one.times, one.amount);
        }
    }

    /// Each of them, in no order that means anything.
    pub fn iter(&self) -> impl Iterator<Item = &Occurrence> {
        self.0.iter()
    }
}

/// How often something happened in many games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frequency {
    /// In how many games.
    pub games: u64,
    /// How often in all.
    pub times: u64,
    /// The points that came with it, added up.
    #[serde(with = "digits")]
    pub amount: i128,
}

/// What happened in many games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frequencies(BTreeMap<(Kind, String, Option<String>), Frequency>);

impl Frequencies {
    /// Counts what happened in one game.
    pub fn count(&mut self, game: &Occurrences) {
        for one in game.iter() {
            let key = (one.kind, one.name.clone(), one.option.clone());
            self.0.entry(key).or_default().add(Frequency { games: 1, times: one.times, amount: one.amount });
        }
        self.keep_first();
    }

    /// Counts something that happened so often, in so many games; also that it never did.
    pub fn count_many(&mut self, kind: Kind, name: &str, times: u64, games: u64) {
        self.0.entry((kind, name.to_owned(), None)).or_default().add(Frequency { games, times, amount: 0 });
        self.keep_first();
    }

    /// Counts what happened in other games.
    pub fn add(&mut self, other: &Self) {
        for (key, frequency) in &other.0 {
            self.0.entry(key.clone()).or_default().add(*frequency);
        }
        self.keep_first();
    }

    /// Keeps what comes first by name, of more than there is room for. What is among the first of the whole is among the
    /// first of every part of it, so the order of adding changes nothing.
    fn keep_first(&mut self) {
        while self.0.len() > MOST_SORTS {
            self.0.pop_last();
        }
    }

    /// Everything of one kind: its name, the option of a question, and how often.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = (&str, Option<&str>, Frequency)> {
        let of_kind = self.0.iter().filter(move |((one, _, _), _)| *one == kind);
        of_kind.map(|((_, name, option), frequency)| (name.as_str(), option.as_deref(), *frequency))
    }

    /// How often one thing happened.
    pub fn find(&self, kind: Kind, name: &str, option: Option<&str>) -> Frequency {
        let key = (kind, name.to_owned(), option.map(str::to_owned));
        self.0.get(&key).copied().unwrap_or_default()
    }
}

impl Frequency {
    fn add(&mut self, other: Self) {
        self.games = self.games.saturating_add(other.games);
        self.times = self.times.saturating_add(other.times);
        self.amount = self.amount.saturating_add(other.amount);
    }
}

/// As a list: JSON has no keys of several parts.
impl Serialize for Frequencies {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter())
    }
}

impl<'de> Deserialize<'de> for Frequencies {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(Vec::deserialize(deserializer)?.into_iter().collect()))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    fn game(chosen: &[(&str, &str)]) -> Occurrences {
        let mut noted = Occurrences::default();
        for (prompt, option) in chosen {
            noted.note(Kind::Asked, prompt, 1, 0);
            noted.note_option(Kind::Chosen, prompt, option);
        }
        noted
    }

    #[test]
    fn games_and_times_are_told_apart() {
        let mut all = Frequencies::default();
        all.count(&game(&[("turn", "draw"), ("turn", "draw"), ("turn", "pass")]));
        all.count(&game(&[("turn", "pass")]));
        assert_eq!(all.find(Kind::Asked, "turn", None), Frequency { games: 2, times: 4, amount: 0 });
        assert_eq!(all.find(Kind::Chosen, "turn", Some("draw")), Frequency { games: 1, times: 2, amount: 0 });
        assert_eq!(all.find(Kind::Chosen, "turn", Some("pass")), Frequency { games: 2, times: 2, amount: 0 });
        let json = serde_json::to_string(&all).unwrap();
        assert_eq!(serde_json::from_str::<Frequencies>(&json).unwrap(), all);
    }
}
