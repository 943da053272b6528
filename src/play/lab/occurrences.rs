//! Counts of what happened: how often in all, and in how many games.

use super::distribution::digits;
use crate::sorted::SortedMap;
use crate::table::counts::{Count, EventCounts, Names};
use crate::table::decision::Question;
use crate::table::event::KINDS;
use serde::{Deserialize, Serialize};

/// The most distinct names counted; rules can make up names as they play.
const MAX_COUNTED_NAMES: usize = 2_000;

/// The kinds of things that are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A function of the rules was called.
    Function,
    /// A question with this prompt was asked.
    Asked,
    /// An option of this sort was offered.
    Offered,
    /// An option of this sort was chosen.
    Chosen,
    /// Points were awarded for this reason.
    Award,
    /// This phase began.
    Phase,
    /// An event of this kind happened.
    Event,
}

/// Counters for the games of one worker, played in succession. Names are numbered, and keep their numbers from game to
/// game.
#[derive(Debug, Default)]
pub struct Occurrences {
    /// The numbers of prompts.
    prompts: Names,
    of_prompts: Vec<PromptCounters>,
    /// The event counters of the table, which holds them itself while a game is played.
    events: Box<EventCounts>,
    /// The totals of all games.
    kinds: [Frequency; KINDS.len()],
    awards: Vec<Frequency>,
    phases: Vec<Frequency>,
    /// Totals of earlier games, moved here when there were too many names.
    before: Frequencies,
}

#[derive(Debug, Default)]
struct PromptCounters {
    asked: Counter,
    /// The numbers of the sorts of options.
    sorts: Names,
    of_sorts: Vec<OptionCounters>,
}

/// The counters of one sort of options.
#[derive(Debug, Default)]
struct OptionCounters {
    chosen: Counter,
    offered: Counter,
    /// The number of the question at which it was last offered, so that each question counts once.
    offered_at: u64,
}

/// A count in the current game, with the totals of the games before.
#[derive(Debug, Default)]
struct Counter {
    now: u64,
    before: Frequency,
}

impl Counter {
    fn end_game(&mut self) {
        if self.now > 0 {
            self.before.add(Frequency { games: 1, times: self.now, amount: 0 });
            self.now = 0;
        }
    }
}

impl PromptCounters {
    fn of_sort(&mut self, sort: &str) -> &mut OptionCounters {
        let number = self.sorts.number(sort);
        if number >= self.of_sorts.len() {
            self.of_sorts.resize_with(number + 1, OptionCounters::default);
        }
        &mut self.of_sorts[number]
    }
}

impl Occurrences {
    /// Resets the counters for a new game, and returns the event counters for its table.
    pub fn begin_game(&mut self) -> Box<EventCounts> {
        let of_prompts = self.of_prompts.iter_mut();
        of_prompts.flat_map(PromptCounters::counters).for_each(|counter| counter.now = 0);
        self.events.clear();
        std::mem::take(&mut self.events)
    }

    /// Takes the event counters back from the table after a game.
    pub fn take_back(&mut self, events: Option<Box<EventCounts>>) {
        self.events = events.unwrap_or_default();
    }

    /// Adds the current game to the totals.
    pub fn end_game(&mut self) {
        self.of_prompts.iter_mut().flat_map(PromptCounters::counters).for_each(Counter::end_game);
        for (kind, times) in self.kinds.iter_mut().zip(self.events.kinds) {
            kind.count_game(Count { times, amount: 0 });
        }
        for (of_games, now) in [(&mut self.awards, &self.events.awards), (&mut self.phases, &self.events.phases)] {
            of_games.resize(now.counts().len(), Frequency::default());
            of_games.iter_mut().zip(now.counts()).for_each(|(of_games, now)| of_games.count_game(*now));
        }
        let names: usize = self.of_prompts.iter().map(|prompt| 1 + prompt.of_sorts.len()).sum();
        if names + self.awards.len() + self.phases.len() > MAX_COUNTED_NAMES {
            *self = Self { before: std::mem::take(self).into_frequencies(), ..Self::default() };
        }
    }

    /// Counts a question and its answer.
    pub fn note(&mut self, question: &Question<'_>, chosen: &[usize]) {
        let number = self.prompts.number(question.prompt);
        if number >= self.of_prompts.len() {
            self.of_prompts.resize_with(number + 1, PromptCounters::default);
        }
        let prompt = &mut self.of_prompts[number];
        prompt.asked.now += 1;
        let at = prompt.asked.before.times + prompt.asked.now;
        question.options.each_sort(&mut |sort| {
            let of_sort = prompt.of_sort(sort);
            if std::mem::replace(&mut of_sort.offered_at, at) != at {
                of_sort.offered.now += 1;
            }
        });
        for &position in chosen {
            if let Some(sort) = question.options.sort(position) {
                prompt.of_sort(sort).chosen.now += 1;
            }
        }
    }

    /// The totals of all games counted.
    pub fn into_frequencies(self) -> Frequencies {
        let mut all = self.before;
        let mut add = |kind: Kind, name: &str, option: Option<&str>, frequency: Frequency| {
            if frequency.games > 0 {
                all.0.entry((kind, name.to_owned(), option.map(str::to_owned))).or_default().add(frequency);
            }
        };
        for (name, prompt) in self.prompts.iter().zip(&self.of_prompts) {
            add(Kind::Asked, name, None, prompt.asked.before);
            for (sort, of_sort) in prompt.sorts.iter().zip(&prompt.of_sorts) {
                add(Kind::Chosen, name, Some(sort), of_sort.chosen.before);
                add(Kind::Offered, name, Some(sort), of_sort.offered.before);
            }
        }
        for (kind, frequency) in KINDS.iter().zip(self.kinds) {
            add(Kind::Event, kind.name, None, frequency);
        }
        for (name, frequency) in self.events.awards.names().iter().zip(&self.awards) {
            add(Kind::Award, name, None, *frequency);
        }
        for (name, frequency) in self.events.phases.names().iter().zip(&self.phases) {
            add(Kind::Phase, name, None, *frequency);
        }
        all.keep_first();
        all
    }
}

impl PromptCounters {
    fn counters(&mut self) -> impl Iterator<Item = &mut Counter> {
        let of_sorts = self.of_sorts.iter_mut().flat_map(|sort| [&mut sort.chosen, &mut sort.offered]);
        std::iter::once(&mut self.asked).chain(of_sorts)
    }
}

/// The frequency of something over many games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frequency {
    /// The number of games in which it happened.
    pub games: u64,
    /// The total number of times.
    pub times: u64,
    /// The sum of the points that came with it.
    #[serde(with = "digits")]
    pub amount: i128,
}

/// The frequencies of everything counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frequencies(SortedMap<(Kind, String, Option<String>), Frequency>);

impl Frequencies {
    /// Adds a count of something, which may be 0, for a number of games.
    pub fn count_many(&mut self, kind: Kind, name: &str, times: u64, games: u64) {
        self.0.entry((kind, name.to_owned(), None)).or_default().add(Frequency { games, times, amount: 0 });
        self.keep_first();
    }

    /// Adds the counts of other games.
    pub fn add(&mut self, other: &Self) {
        for (key, frequency) in &other.0 {
            self.0.entry(key.clone()).or_default().add(*frequency);
        }
        self.keep_first();
    }

    /// Drops the last names in order where there are too many. The first names of the whole are among the first of each
    /// part, so the order of adding does not matter.
    fn keep_first(&mut self) {
        while self.0.len() > MAX_COUNTED_NAMES {
            self.0.pop_last();
        }
    }

    /// Everything of one kind: its name, the option of a question, and its frequency.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = (&str, Option<&str>, Frequency)> {
        let of_kind = self.0.iter().filter(move |((one, _, _), _)| *one == kind);
        of_kind.map(|((_, name, option), frequency)| (name.as_str(), option.as_deref(), *frequency))
    }

    /// The frequency of one thing; zero where it never happened.
    pub fn find(&self, kind: Kind, name: &str, option: Option<&str>) -> Frequency {
        let key = (kind, name.to_owned(), option.map(str::to_owned));
        self.0.get(&key).copied().unwrap_or_default()
    }
}

impl Frequency {
    fn count_game(&mut self, of_game: Count) {
        if of_game.times > 0 {
            self.add(Self { games: 1, times: of_game.times, amount: of_game.amount });
        }
    }

    fn add(&mut self, other: Self) {
        self.games = self.games.saturating_add(other.games);
        self.times = self.times.saturating_add(other.times);
        self.amount = self.amount.saturating_add(other.amount);
    }
}

/// Serialised as a list, because JSON has no composite keys.
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
    use crate::table::decision::Options;
    use crate::table::value::{Seat, Value};

    fn play(noted: &mut Occurrences, chosen: &[(&str, usize)]) {
        let events = noted.begin_game();
        let options = [Value::Text("draw".into()), Value::Text("pass".into())];
        for (prompt, position) in chosen {
            let question = Question::of(Seat::from_number(1), prompt, Options::Values(&options));
            noted.note(&question, &[*position]);
        }
        noted.take_back(Some(events));
        noted.end_game();
    }

    #[test]
    fn games_and_times_are_told_apart() {
        let mut noted = Occurrences::default();
        play(&mut noted, &[("turn", 0), ("turn", 0), ("turn", 1)]);
        play(&mut noted, &[("turn", 1)]);
        let all = noted.into_frequencies();
        assert_eq!(all.find(Kind::Asked, "turn", None), Frequency { games: 2, times: 4, amount: 0 });
        assert_eq!(all.find(Kind::Chosen, "turn", Some("draw")), Frequency { games: 1, times: 2, amount: 0 });
        assert_eq!(all.find(Kind::Chosen, "turn", Some("pass")), Frequency { games: 2, times: 2, amount: 0 });
        assert_eq!(all.find(Kind::Offered, "turn", Some("pass")), Frequency { games: 2, times: 4, amount: 0 });
        let json = serde_json::to_string(&all).unwrap();
        assert_eq!(serde_json::from_str::<Frequencies>(&json).unwrap(), all);
    }

    #[test]
    fn names_that_rules_make_up_take_no_more_room_than_there_is() {
        let (mut noted, mut first) = (Occurrences::default(), Occurrences::default());
        for game in 0..3 {
            let prompts: Vec<String> = (0..MAX_COUNTED_NAMES).map(|number| format!("{game}-{number:05}")).collect();
            let chosen: Vec<(&str, usize)> = prompts.iter().map(|prompt| (prompt.as_str(), 0)).collect();
            play(&mut noted, &chosen);
            if game == 0 {
                play(&mut first, &chosen);
            }
        }
        assert_eq!(noted.into_frequencies(), first.into_frequencies(), "those that come first by name");
    }
}
