//! Parsing a typed answer to the open decision.
//!
//! An option can be typed by anything drawn of it: its number, its label, its name in any language, or the text behind
//! the name; and by any name of its component. `#2` is always the option at place 2, and `=2` always the one called 2.
//! A bare number is the option called so if there is one, else the one at that place; several numbers are all read in
//! the same way, and a mark applies to all behind it: `#2 6 7`.

use crate::catalogue::{Message, message};
use crate::definition::Language;
use crate::diagnostic::{Diagnostic, Diagnostics, in_half_width};
use crate::playthrough::spelling::{self, Certainty, OptionSpelling};
use crate::screen::{self, Listing, Scene};
use crate::table::decision::{Decision, OptionShown};
use crate::table::names::{self, plain};
use std::str::FromStr;

/// The marks before a place in the list, and before a name.
const PLACE: char = '#';
pub(super) const NAME: char = '=';

/// Both marks, also in the full-width forms of Japanese keyboards.
pub(super) const MARKS: [char; 4] = [PLACE, NAME, '＃', '＝'];
const NAMES: [char; 2] = [NAME, '＝'];

/// The answer that chooses nothing, where that is possible.
const NONE: &str = "none";

/// Most refused options that a message explains.
const MAX_EXPLAINED_REFUSALS: usize = 3;

/// Most words tried as the name of one option, where several options are typed in a line.
const MAX_WORDS_PER_OPTION: usize = 8;

/// The result of reading a line as an answer.
#[derive(Debug)]
pub(super) enum Answer {
    /// The options at these positions, with a note on how an ambiguous line was understood.
    Options(Vec<usize>, Option<Message>),
    /// The line could mean several options.
    Ambiguous(Diagnostics),
    /// The line is no answer.
    None,
}

/// The open decision, with every spelling of its options.
pub(super) struct Answers<'a> {
    scene: Scene<'a>,
    open: &'a Decision,
    listing: Listing,
    options: Vec<OptionSpelling>,
    refused: Vec<OptionSpelling>,
}

impl<'a> Answers<'a> {
    pub(super) fn new(scene: Scene<'a>, open: &'a Decision) -> Self {
        fn spelled<'o>(
            scene: Scene<'_>,
            open: &'o Decision,
            options: impl Iterator<Item = &'o OptionShown> + Clone,
        ) -> Vec<OptionSpelling> {
            let mut all = OptionSpelling::of_each(scene.layout, &scene.position.table, open, options.clone());
            for language in Language::ALL {
                let columns = screen::option_columns(&Scene { language, ..scene }, options.clone(), open.seat);
                for (spelling, (name, detail)) in all.iter_mut().zip(columns) {
                    spelling.add_detail(&name, &detail);
                }
            }
            all
        }
        Self {
            scene,
            open,
            listing: Listing::of(scene.layout, &scene.position.table, open),
            options: spelled(scene, open, open.options.iter()),
            refused: spelled(scene, open, open.refused.iter().map(|(option, _)| option)),
        }
    }

    pub(super) fn open(&self) -> &Decision {
        self.open
    }

    /// The order in which the options are listed.
    pub(super) fn listing(&self) -> &Listing {
        &self.listing
    }

    /// Whether an option, one of those refused included, has full-width forms in its label, and a line names it.
    pub(super) fn has_wide_label(&self, line: &str) -> bool {
        let is_named = |label: &str| in_half_width(label).is_some() && line.contains(label);
        let refused = self.open.refused.iter().map(|(option, _)| option);
        self.open.options.iter().chain(refused).any(|option| is_named(&option.label))
    }

    /// Reads a line as an answer.
    pub(super) fn read(&self, typed: &str) -> Answer {
        let read = self.read_one(typed).and_then(|one| match one {
            Answer::None if (self.open.min, self.open.max) != (1, 1) => self.read_several(typed),
            one => Ok(one),
        });
        read.unwrap_or_else(Answer::Ambiguous)
    }

    /// The only option that a line matches with certainty `sure`, which is less than naming it in full.
    pub(super) fn hinted(&self, typed: &str, sure: Certainty) -> Answer {
        match self.named(&self.options, typed, sure).as_slice() {
            [] => Answer::None,
            [position] => Answer::Options(vec![*position], None),
            several => Answer::Ambiguous(self.ambiguous(typed, several).into()),
        }
    }

    /// The label of the option that a name means with certainty `sure`, refused options included.
    pub(super) fn label_meant(&self, typed: &str, sure: Certainty) -> Result<Option<String>, Diagnostics> {
        let name = typed.strip_prefix(NAMES).unwrap_or(typed);
        if let Some(place) = place(typed) {
            return Ok(self.listing.at(place).map(|position| self.open.options[position].label.clone()));
        }
        let (options, refused) = (self.named(&self.options, name, sure), self.named(&self.refused, name, sure));
        let labels = options.iter().map(|&position| &self.open.options[position].label);
        let labels: Vec<&String> =
            labels.chain(refused.iter().map(|&position| &self.open.refused[position].0.label)).collect();
        match labels.as_slice() {
            [] => Ok(None),
            [label] => Ok(Some((*label).clone())),
            several => Err(names::ambiguous(typed, several.iter().map(|label| label.as_str())).into()),
        }
    }

    /// An error that the rules refuse the named option, with their reasons; `None` if no refused option matches.
    pub(super) fn refusal(&self, typed: &str, sure: Certainty) -> Option<Diagnostic> {
        let name = typed.strip_prefix(NAMES).unwrap_or(typed);
        let refused = self.named(&self.refused, name, sure);
        let refused = refused.into_iter().map(|position| &self.open.refused[position]);
        let said: Vec<Diagnostic> = refused
            .map(|(option, reason)| spelling::not_allowed(self.scene.layout, &option.label, reason))
            .take(MAX_EXPLAINED_REFUSALS)
            .collect();
        match said.as_slice() {
            [] => None,
            // A mere beginning of several refused options may be another word.
            [_, _, ..] if matches!(sure, Certainty::Begun | Certainty::Hinted) => None,
            [first, others @ ..] => {
                Some(others.iter().fold(first.clone(), |error, other| error.help(other.message.clone())))
            }
        }
    }

    /// The error in a line of several options whose first one fits; `None` if there is none or the first does not fit.
    pub(super) fn misfit_of_several(&self, typed: &str) -> Option<Diagnostics> {
        let (min, max) = (self.open.min, self.open.max);
        let wanted: Message = match (min, max) {
            (1, 1) => "one option".into(),
            (min, max) if min == max => message!("{min} options"),
            (min, max) => message!("{min} to {max} options"),
        };
        if typed == NONE {
            return (min > 0).then(|| Diagnostic::new(message!("choose {wanted}; `none` is not possible here")).into());
        }
        let words = words(typed);
        let fits = |word: &&str| {
            self.word(word).is_ok_and(|word| word.is_some())
                || matches!(self.hinted(word, Certainty::Hinted), Answer::Options(..))
        };
        let first_fits = words.first().is_some_and(&fits);
        if words.len() < 2 || !first_fits {
            return None;
        }
        match words.iter().find(|word| !fits(word)) {
            Some(word) => {
                let unknown = || Diagnostic::new(message!("`{word}` is not among the options"));
                let error = self.refusal(word, Certainty::Named).unwrap_or_else(unknown);
                Some(error.help(message!("choose {wanted}; `table` shows them")).into())
            }
            None if words.len() > max => {
                Some(Diagnostic::new(message!("choose {wanted}; {} were named", words.len())).into())
            }
            None => None,
        }
    }

    /// Reads a line as one option, by place or name.
    fn read_one(&self, typed: &str) -> Result<Answer, Diagnostics> {
        let Some(word) = self.word(typed)? else { return Ok(Answer::None) };
        let note = word.is_both().then(|| understood_names(&[typed]));
        Ok(Answer::Options(word.named.or(word.placed).into_iter().collect(), note))
    }

    /// Reads a line as several options.
    fn read_several(&self, typed: &str) -> Result<Answer, Diagnostics> {
        if typed == NONE && self.open.min == 0 {
            return Ok(Answer::Options(Vec::new(), None));
        }
        let typed = words(typed);
        let mut words: Vec<(String, WordMeanings)> = Vec::new();
        // A mark applies to all numbers behind it.
        let mut mark = String::new();
        let mut rest = typed.as_slice();
        while let [first, ..] = rest {
            let has_mark = first.starts_with(MARKS);
            if has_mark {
                mark = first.chars().take(1).collect();
            }
            let is_marked = !has_mark && number::<i64>(first).is_some();
            // The name of an option can contain blanks.
            let mut found = None;
            for count in (1..=rest.len().min(MAX_WORDS_PER_OPTION)).rev() {
                let text = format!("{}{}", if is_marked { mark.as_str() } else { "" }, rest[..count].join(" "));
                if let Some(word) = self.word(&text)? {
                    found = Some((count, text, word));
                    break;
                }
            }
            let Some((count, text, word)) = found else { return Ok(Answer::None) };
            words.push((text, word));
            rest = &rest[count..];
        }
        if words.is_empty() {
            return Ok(Answer::None);
        }
        let texts: Vec<&str> = words.iter().map(|(text, _)| text.as_str()).collect();
        let is_place_alone = |(text, word): &&(String, WordMeanings)| word.named.is_none() && place(text).is_none();
        let both: Vec<&str> = words.iter().filter(|(_, word)| word.is_both()).map(|(text, _)| text.as_str()).collect();
        if let (Some((text, _)), Some(number)) = (words.iter().find(is_place_alone), both.first()) {
            let message =
                message!("no option is called {text}, and {number} can be a place or the option called {number}");
            let help = message!("write `{PLACE}{}` for the places, all of them", texts.join(" "));
            return Err(Diagnostic::new(message).help(help).into());
        }
        let note = (!both.is_empty()).then(|| understood_names(&both));
        let positions = words.iter().filter_map(|(_, word)| word.named.or(word.placed)).collect();
        Ok(Answer::Options(positions, note))
    }

    /// Reads a single option: `#2`, `=33`, `33`.
    fn word(&self, typed: &str) -> Result<Option<WordMeanings>, Diagnostics> {
        if let Some(place) = place(typed) {
            let placed = self.listing.at(place);
            return Ok(placed.map(|position| WordMeanings { named: None, placed: Some(position) }));
        }
        let (name, is_marked) = typed.strip_prefix(NAMES).map_or((typed, false), |name| (name, true));
        let mut found = self.named(&self.options, name, Certainty::Named);
        if found.is_empty() && is_marked {
            found = self.named(&self.options, name, Certainty::Hinted);
        }
        let may_be_place = !self.listing.is_numbers;
        let placed = number(typed).filter(|_| may_be_place).and_then(|place| self.listing.at(place));
        if let (Some(place), true) = (placed, found.is_empty())
            && let Some(refusal) = self.refusal(typed, Certainty::Named)
        {
            let label = &self.open.options[place].label;
            return Err(refusal.help(message!("`{PLACE}{}` is {label}", plain(typed))).into());
        }
        match found.as_slice() {
            [] => Ok(placed.map(|position| WordMeanings { named: None, placed: Some(position) })),
            [position] => Ok(Some(WordMeanings { named: Some(*position), placed })),
            // A number that is the name of several options means the place.
            _ if placed.is_some() => Ok(Some(WordMeanings { named: None, placed })),
            several => Err(self.ambiguous(typed, several).into()),
        }
    }

    fn named(&self, options: &[OptionSpelling], name: &str, sure: Certainty) -> Vec<usize> {
        let mut meant = spelling::meant(self.scene.layout, options, name, sure);
        if self.listing.is_numbers {
            // A prefix of a number is a different number.
            meant.retain(|&position| plain(options[position].label()) == plain(name));
        }
        meant
    }

    fn ambiguous(&self, typed: &str, positions: &[usize]) -> Diagnostic {
        let mut places: Vec<usize> = positions.iter().filter_map(|&position| self.listing.place_of(position)).collect();
        places.sort_unstable();
        let meant: Vec<String> = places
            .iter()
            .filter_map(|&place| Some(format!("{PLACE}{place} {}", self.open.options[self.listing.at(place)?].label)))
            .collect();
        names::ambiguous(typed, meant.iter().map(String::as_str))
    }
}

/// The possible meanings of a word, by position among the options.
struct WordMeanings {
    /// The option with this name.
    named: Option<usize>,
    /// The option at this place.
    placed: Option<usize>,
}

impl WordMeanings {
    /// Whether name and place mean different options.
    fn is_both(&self) -> bool {
        self.named.is_some() && self.placed.is_some() && self.named != self.placed
    }
}

/// The place in `#2`; `None` without the mark.
pub(super) fn place(typed: &str) -> Option<usize> {
    plain(typed).strip_prefix(PLACE)?.parse().ok()
}

/// The number that a word is, in ASCII or full-width digits.
pub(super) fn number<N: FromStr>(typed: &str) -> Option<N> {
    plain(typed).parse().ok()
}

/// The words of a line, separated by blanks or commas.
fn words(typed: &str) -> Vec<&str> {
    let words = typed.split(|letter: char| letter.is_whitespace() || ",、".contains(letter));
    words.filter(|word| !word.is_empty()).collect()
}

/// A note that numbers were taken for names and not for places.
fn understood_names(typed: &[&str]) -> Message {
    let places: Vec<String> = typed.iter().map(|number| format!("{PLACE}{number}")).collect();
    let (names, places) = (typed.join(" "), places.join(" "));
    match typed {
        [_] => message!("taken for the option called {names}; {places} is that place"),
        _ => message!("taken for the options called {names}; {places} are those places"),
    }
}
