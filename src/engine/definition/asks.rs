//! Settings that are asked for one after the other: a search for answers that leave a later one without a value.

use super::AskedSetting;
use crate::sorted::sort_by_key;

/// Most answers that the search tries; where it takes more, it finds nothing.
const MAX_ANSWERS_TRIED: usize = 20_000;

/// The first setting found that can be left without a value, with those values of other settings that take all its
/// choices.
pub(super) fn dead_end(asked: &[AskedSetting]) -> Option<(&AskedSetting, Vec<(&str, &str)>)> {
    let others = |setting: &AskedSetting| asked.iter().filter(|other| other.differs_from(setting)).count();
    // A setting with more choices than there are settings that differ from it always has one left.
    if !asked.iter().any(|setting| setting.value.is_none() && setting.choices.len() <= others(setting)) {
        return None;
    }
    let mut search = AnswerSearch { asked, given: Vec::new(), left: MAX_ANSWERS_TRIED };
    let found = search.first()?;
    let taken = (0..asked.len()).filter(|&other| asked[other].differs_from(&asked[found]));
    let taken = taken.filter_map(|other| Some((asked[other].key.as_str(), search.value(other)?)));
    Some((&asked[found], taken.collect()))
}

/// A depth-first search through the answers that players could give.
struct AnswerSearch<'a> {
    asked: &'a [AskedSetting],
    /// Values of the first settings, in order.
    given: Vec<&'a str>,
    left: usize,
}

impl<'a> AnswerSearch<'a> {
    /// Index of the first setting that some answers leave without a value; `given` then has those answers.
    fn first(&mut self) -> Option<usize> {
        let number = self.given.len();
        let setting = self.asked.get(number)?;
        if let Some(value) = &setting.value {
            return self.with(value);
        }
        let mut possible: Vec<&'a str> = setting.choices.iter().map(String::as_str).collect();
        possible.retain(|choice| self.taken(number).all(|taken| taken != *choice));
        if possible.is_empty() {
            return Some(number);
        }
        // Values that no later setting could take are interchangeable.
        let later = self.asked.get(number + 1..).unwrap_or_default();
        let is_missed = |choice: &str| {
            let mut others = later.iter().filter(|other| other.differs_from(setting));
            others.any(|other| other.choices.iter().any(|known| known == choice))
        };
        let (mut missed, alike): (Vec<&str>, Vec<&str>) = possible.into_iter().partition(|choice| is_missed(choice));
        // Values that nobody has yet come first: they leave the fewest choices to later settings.
        sort_by_key(&mut missed, |choice| self.given.contains(choice));
        missed.into_iter().chain(alike.into_iter().take(1)).find_map(|choice| self.with(choice))
    }

    fn with(&mut self, value: &'a str) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        self.given.push(value);
        let found = self.first();
        if found.is_none() {
            self.given.pop();
        }
        found
    }

    /// The value of a setting: set beforehand, or answered.
    fn value(&self, number: usize) -> Option<&'a str> {
        self.asked[number].value.as_deref().or_else(|| self.given.get(number).copied())
    }

    /// The values that a setting cannot have, because settings that have to differ have them.
    fn taken(&self, number: usize) -> impl Iterator<Item = &'a str> {
        let setting = &self.asked[number];
        let others = (0..self.asked.len()).filter(move |&other| self.asked[other].differs_from(setting));
        others.filter_map(|other| self.value(other))
    }
}
