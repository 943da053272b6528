//! Test cases of a hunt: rules, number of players, seed and choices of a game.

use crate::agent::AgentSpec;
use crate::ruleset::Selection;
use crate::table::decision::Question;

/// A choice as positions of options, valid in any game: positions beyond the last option wrap around. Empty stands for
/// the simplest choice, the first options. So any list of choices fits any game, and can be cut, joined and simplified
/// without knowledge of the rules (MacIver and Donaldson, *Test-Case Reduction via Test-Case Generation*, ECOOP 2020).
pub type Choice = Vec<u16>;

/// The source of choices after the listed ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tail {
    /// Always the first options.
    #[default]
    First,
    /// Always the last options.
    Last,
    /// A random agent with this seed.
    Random(u64),
    /// Agents with this seed.
    Agents(Lineup, u64),
}

/// The agents of a game: one kind in one seat, which depends on the seed, and another in all other seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lineup {
    /// The agent in the single seat.
    pub one: AgentSpec,
    /// The agent in the other seats.
    pub others: AgentSpec,
}

impl Lineup {
    /// The same agent in every seat.
    pub fn of(agent: AgentSpec) -> Self {
        Self { one: agent, others: agent }
    }

    /// The agents by seat.
    pub fn seats(self, seats: usize, seed: u64) -> Vec<AgentSpec> {
        let one = (seed % seats.max(1) as u64) as usize;
        (0..seats).map(|seat| if seat == one { self.one } else { self.others }).collect()
    }
}

/// A test case: one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    /// The variants, in order.
    pub variants: Vec<String>,
    /// Settings as typed: `double.bonus=2`.
    pub set: Vec<String>,
    /// The number of players.
    pub players: usize,
    /// The number of random games of the campaign played before.
    pub before: usize,
    /// The seed of the game's random numbers.
    pub seed: u64,
    /// The first choices.
    pub choices: Vec<Choice>,
    /// The source of further choices.
    pub tail: Tail,
}

/// The size of a case; of two that show the same, the smaller is reported. Compared in this order: variants, settings,
/// players, games before, moves, choices that are not the simplest, their distance from it, and the distance of set
/// numbers from 0.
pub type Size = (usize, usize, usize, usize, usize, usize, u64, u64);

impl Case {
    /// The first game of some rules.
    pub fn of(variants: &[String], set: &[String], players: usize) -> Self {
        Self { variants: variants.to_vec(), set: set.to_vec(), players, seed: 1, ..Self::default() }
    }

    /// The selection of rules.
    pub fn selection(&self, game: &str) -> Selection {
        Selection { game: game.to_owned(), variants: self.variants.clone(), set: self.set.clone() }
    }

    /// The agent of most seats.
    pub fn everybody(&self) -> AgentSpec {
        match self.tail {
            Tail::Agents(company, _) => company.others,
            Tail::First | Tail::Last | Tail::Random(_) => AgentSpec::Random,
        }
    }

    /// The size of a case that shows its fault after `moves` moves.
    pub fn size(&self, moves: usize) -> Size {
        let choices = self.choices.iter().filter(|choice| !choice.is_empty());
        let far = choices.clone().flatten().map(|position| u64::from(*position) + 1).sum();
        let set = self.set.iter().filter_map(|set| Self::number_set(set));
        let numbers = set.fold(0, |sum: u64, (_, number)| sum.saturating_add(number.unsigned_abs()));
        (self.variants.len(), self.set.len(), self.players, self.before, moves, choices.count(), far, numbers)
    }

    /// The name and value of a setting that is a number; `None` for others.
    pub fn number_set(set: &str) -> Option<(&str, i64)> {
        let (name, value) = set.split_once('=')?;
        Some((name, value.trim().parse().ok()?))
    }

    /// Removes a variant, with its settings.
    pub fn remove_variant(&mut self, place: usize) {
        let gone = format!("{}.", self.variants.remove(place));
        self.set.retain(|set| !set.starts_with(&gone));
    }

    /// Drops the simplest choices at the end, which the tail makes anyway.
    pub fn trimmed(mut self) -> Self {
        if self.tail == Tail::First {
            while self.choices.last().is_some_and(Vec::is_empty) {
                self.choices.pop();
            }
        }
        self
    }
}

/// Removes something at each place of a case, as long as the case still shows what is looked for; with what it shows at
/// last.
pub fn shortened<T>(
    (mut case, mut shown): (Case, T),
    places: fn(&Case) -> usize,
    remove: fn(&mut Case, usize),
    shows: impl Fn(&Case) -> Option<T>,
) -> (Case, T) {
    let mut place = 0;
    while place < places(&case) {
        let mut fewer = case.clone();
        remove(&mut fewer, place);
        match shows(&fewer) {
            Some(still) => (case, shown) = (fewer, still),
            None => place += 1,
        }
    }
    (case, shown)
}

/// The simplest answer to a question: the clock's proposal, or else the first options, as few as allowed.
pub fn simplest(question: &Question<'_>, chosen: &mut Vec<usize>) {
    match question.by_clock {
        Some(position) => chosen.push(position),
        None => chosen.extend(0..question.min.min(question.options.len())),
    }
}

/// Chooses the last options, as few as allowed.
pub fn last(question: &Question<'_>, chosen: &mut Vec<usize>) {
    let options = question.options.len();
    match question.by_clock {
        Some(position) => chosen.push(position),
        None => chosen.extend((options.saturating_sub(question.min)..options).rev()),
    }
}

/// Puts the positions that a choice means at a question into `chosen`.
pub fn meant(choice: &Choice, question: &Question<'_>, chosen: &mut Vec<usize>) {
    let options = question.options.len();
    if choice.is_empty() || options == 0 {
        return simplest(question, chosen);
    }
    let most = question.max.min(options);
    let fewest = question.min.min(most);
    let wanted = choice.iter().map(|position| usize::from(*position));
    for position in wanted.chain(std::iter::repeat_n(0, fewest)) {
        if chosen.len() >= most || chosen.len() >= fewest.max(choice.len()) {
            break;
        }
        // The next unchosen option, wrapping around.
        let free = (0..options).map(|step| (position + step) % options).find(|position| !chosen.contains(position));
        chosen.extend(free);
    }
}

/// An actual choice in the form of a case.
pub fn kept(question: &Question<'_>, chosen: &[usize]) -> Choice {
    let mut simple = Vec::new();
    simplest(question, &mut simple);
    if chosen == simple {
        return Choice::new();
    }
    // Without a chosen option, where the clock would have chosen, the first option stands for it.
    chosen.iter().map(|position| u16::try_from(*position).unwrap_or(u16::MAX)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::decision::Options;
    use crate::table::value::Value;

    fn answer(choice: &[u16], options: usize, min: usize, max: usize) -> Vec<usize> {
        let values: Vec<Value> = (0..options as i64).map(Value::Number).collect();
        let question = Question { min, max, ..Question::of(None, "ask", Options::Values(&values)) };
        let mut chosen = Vec::new();
        meant(&choice.to_vec(), &question, &mut chosen);
        assert!(chosen.len() >= min && chosen.len() <= max, "{chosen:?}");
        // A stored choice must choose the same again.
        let mut again = Vec::new();
        meant(&kept(&question, &chosen), &question, &mut again);
        assert_eq!(again, chosen);
        chosen
    }

    #[test]
    fn any_choice_fits_any_question() {
        assert_eq!(answer(&[], 3, 1, 1), [0]);
        assert_eq!(answer(&[2], 3, 1, 1), [2]);
        assert_eq!(answer(&[7], 3, 1, 1), [1]);
        assert_eq!(answer(&[2, 2, 9], 3, 0, 3), [2, 0, 1]);
        assert_eq!(answer(&[1], 4, 3, 4), [1, 0, 2]);
        assert_eq!(answer(&[1, 2, 3], 4, 0, 2), [1, 2]);
        assert!(answer(&[], 4, 0, 2).is_empty());
        assert_eq!(answer(&[0], 4, 0, 2), [0]);
    }
}
