//! One game to be tried: which rules, how many players, which chance, which choices.

use crate::agent::AgentSpec;
use crate::ruleset::Selection;
use crate::table::decision::Question;

/// A choice as the positions of options, in any game: what a decision does not have is taken round from its beginning.
/// Empty stands for the simplest choice, the first options. So any list of choices fits any game, and can be cut,
/// joined and made simpler without a look at the rules (MacIver and Donaldson, *Test-Case Reduction via Test-Case
/// Generation*, ECOOP 2020).
pub type Choice = Vec<u16>;

/// Who chooses once the choices are used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// The first options.
    First,
    /// The last options.
    Last,
    /// An agent that chooses at random, with this seed.
    Random(u64),
    /// Agents, with this seed.
    Agents(Lineup, u64),
}

/// Agents at a table: one sort in one seat, which the seed says, and one in all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lineup {
    /// Who sits in the one seat.
    pub one: AgentSpec,
    /// Who sits in the others.
    pub others: AgentSpec,
}

impl Lineup {
    /// The same agent in every seat.
    pub fn of(agent: AgentSpec) -> Self {
        Self { one: agent, others: agent }
    }

    /// The agents, seat by seat.
    pub fn seats(self, seats: usize, seed: u64) -> Vec<AgentSpec> {
        let one = (seed % seats.max(1) as u64) as usize;
        (0..seats).map(|seat| if seat == one { self.one } else { self.others }).collect()
    }
}

/// One game to be tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The variants, in order.
    pub variants: Vec<String>,
    /// What is set, as it is typed: `double.bonus=2`.
    pub set: Vec<String>,
    /// How many play.
    pub players: usize,
    /// How many games of the campaign were played before it, at random.
    pub before: usize,
    /// The seed of chance.
    pub seed: u64,
    /// What is chosen first.
    pub choices: Vec<Choice>,
    /// Who chooses then.
    pub tail: Tail,
}

/// How large a case is: of two that show the same, the one that is less here is told. Variants, settings, players, games
/// before it, moves, choices that are not the simplest, how far those are from it, and how far set numbers are from 0.
pub type Size = (usize, usize, usize, usize, usize, usize, u64, u64);

impl Case {
    /// The rules of the case.
    pub fn selection(&self, game: &str) -> Selection {
        Selection { game: game.to_owned(), variants: self.variants.clone(), set: self.set.clone() }
    }

    /// Who plays where all seats are played alike.
    pub fn everybody(&self) -> AgentSpec {
        match self.tail {
            Tail::Agents(company, _) => company.others,
            Tail::First | Tail::Last | Tail::Random(_) => AgentSpec::Random,
        }
    }

    /// Its size, where it shows what it is to show after so many moves.
    pub fn size(&self, moves: usize) -> Size {
        let choices = self.choices.iter().filter(|choice| !choice.is_empty());
        let far = choices.clone().flatten().map(|position| u64::from(*position) + 1).sum();
        let set = self.set.iter().filter_map(|set| Self::number_set(set));
        let numbers = set.fold(0, |sum: u64, (_, number)| sum.saturating_add(number.unsigned_abs()));
        (self.variants.len(), self.set.len(), self.players, self.before, moves, choices.count(), far, numbers)
    }

    /// What is set and its value, where that is a number.
    pub fn number_set(set: &str) -> Option<(&str, i64)> {
        let (name, value) = set.split_once('=')?;
        Some((name, value.trim().parse().ok()?))
    }

    /// The same without the simplest choices at its end, where the tail makes them anyway.
    pub fn trimmed(mut self) -> Self {
        if self.tail == Tail::First {
            while self.choices.last().is_some_and(Vec::is_empty) {
                self.choices.pop();
            }
        }
        self
    }
}

/// The simplest answer to a question: what the clock proposes, else the first options, as few as may be.
pub fn simplest(question: &Question<'_>, chosen: &mut Vec<usize>) {
    match question.by_clock {
        Some(position) => chosen.push(position),
        None => chosen.extend(0..question.min.min(question.options.len())),
    }
}

/// The last options, as few as may be.
pub fn last(question: &Question<'_>, chosen: &mut Vec<usize>) {
    let options = question.options.len();
    match question.by_clock {
        Some(position) => chosen.push(position),
        None => chosen.extend((options.saturating_sub(question.min)..options).rev()),
    }
}

/// What a choice means for a question.
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
        // The next one that is not chosen yet, round from the beginning.
        let free = (0..options).map(|step| (position + step) % options).find(|position| !chosen.contains(position));
        chosen.extend(free);
    }
}

/// A choice that was made, as it is kept.
pub fn kept(question: &Question<'_>, chosen: &[usize]) -> Choice {
    let mut simple = Vec::new();
    simplest(question, &mut simple);
    if chosen == simple {
        return Choice::new();
    }
    // Where none was chosen and the clock would have chosen, the first stands for it.
    chosen.iter().map(|position| u16::try_from(*position).unwrap_or(u16::MAX)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::decision::Options;
    use crate::table::value::Value;

    fn answer(choice: &[u16], options: usize, min: usize, max: usize) -> Vec<usize> {
        let values: Vec<Value> = (0..options as i64).map(Value::Number).collect();
        let question = Question {
            seat: None,
            prompt: "ask",
            purpose: None,
            setting: None,
            secret: false,
            by_clock: None,
            deadline: None,
            options: Options::Values(&values),
            min,
            max,
            refused: &[],
        };
        let mut chosen = Vec::new();
        meant(&choice.to_vec(), &question, &mut chosen);
        assert!(chosen.len() >= min && chosen.len() <= max, "{chosen:?}");
        // What was chosen is kept so that it is chosen again.
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
