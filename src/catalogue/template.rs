//! A text with holes: told from what was put into them, and put together again in another language.

use std::borrow::Cow;

/// So many words at the beginning of a text make sure which one it is.
const WORDS_OF_A_BEGINNING: usize = 3;

/// A text of the sources with holes for what differs, and its translation.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Template {
    /// What stands before, between and behind the holes.
    pieces: Vec<String>,
    /// Of each hole, whether it is a part of code in backticks, which is the same in every language.
    is_code: Vec<bool>,
    /// Of each hole, the first one of the same name.
    same: Vec<usize>,
    told: Vec<Part>,
}

/// A part of the translation.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    /// What stands in the hole of that number.
    Hole(usize),
}

/// A part of a text as it is written in the sources.
enum Written<'a> {
    Text(Cow<'a, str>),
    Hole(&'a str),
}

impl Template {
    /// A text of the sources and its translation; none where the text has no holes.
    pub(super) fn of(english: &str, told: &str) -> Option<Self> {
        let mut pieces = vec![String::new()];
        let mut names = Vec::new();
        for part in written(english) {
            match part {
                Written::Text(text) => {
                    if let Some(piece) = pieces.last_mut() {
                        piece.push_str(&text);
                    }
                }
                Written::Hole(name) => {
                    pieces.push(String::new());
                    names.push(name);
                }
            }
        }
        if names.is_empty() {
            return None;
        }
        let unnamed: Vec<usize> = (0..names.len()).filter(|&hole| names[hole].is_empty()).collect();
        let mut next = unnamed.iter();
        let told = written(told).into_iter().map(|part| match part {
            Written::Text(text) => Part::Text(text.into_owned()),
            Written::Hole(name) => {
                let named = || names.iter().position(|known| !known.is_empty() && *known == name);
                let numbered = || name.parse().ok().and_then(|number: usize| unnamed.get(number).copied());
                let hole = if name.is_empty() { next.next().copied() } else { named().or_else(numbered) };
                hole.map_or_else(|| Part::Text(format!("{{{name}}}")), Part::Hole)
            }
        });
        let told = told.collect();
        let is_code = (1..pieces.len()).map(|hole| pieces[..hole].concat().matches('`').count() % 2 == 1).collect();
        let first = |(place, name): (usize, &&str)| match name.is_empty() {
            true => place,
            false => names.iter().position(|known| known == name).unwrap_or(place),
        };
        let same = names.iter().enumerate().map(first).collect();
        Some(Self { pieces, is_code, same, told })
    }

    /// The letter that it begins with; none where it begins with a hole.
    pub(super) fn first(&self) -> Option<char> {
        self.pieces.first().and_then(|piece| piece.chars().next())
    }

    /// How much of a text it tells: of several that fit, the one that tells most is meant.
    pub(super) fn weight(&self) -> usize {
        self.pieces.iter().map(String::len).sum()
    }

    /// Whether what stands in a hole is a part of code.
    pub(super) fn is_code(&self, hole: usize) -> bool {
        self.is_code.get(hole).copied().unwrap_or(false)
    }

    /// How many words it has of its own.
    pub(super) fn words(&self) -> usize {
        self.pieces.iter().map(|piece| words(piece)).sum()
    }

    /// Whether it begins so that nothing else can be meant.
    pub(super) fn is_unmistakable(&self) -> bool {
        self.pieces.first().is_some_and(|piece| words(piece) >= WORDS_OF_A_BEGINNING)
    }

    /// What stands in each hole of a text, if the text is this one.
    pub(super) fn holes<'t>(&self, text: &'t str) -> Option<Vec<&'t str>> {
        let (first, rest) = self.pieces.split_first()?;
        let mut holes = Vec::with_capacity(rest.len());
        let is_whole = fits(rest, text.strip_prefix(first.as_str())?, &mut holes);
        let is_even = self.same.iter().zip(&holes).all(|(&first, hole)| holes.get(first) == Some(hole));
        (is_whole && is_even).then_some(holes)
    }

    /// The translation with something in each hole.
    pub(super) fn filled(&self, holes: &[String]) -> String {
        let part = |part: &'_ Part| match part {
            Part::Text(text) => text.clone(),
            Part::Hole(hole) => holes.get(*hole).cloned().unwrap_or_default(),
        };
        self.told.iter().map(part).collect()
    }
}

/// Finds what stands before each of the pieces; code in backticks is never torn apart.
fn fits<'t>(pieces: &[String], text: &'t str, holes: &mut Vec<&'t str>) -> bool {
    let Some((piece, rest)) = pieces.split_first() else { return text.is_empty() };
    let is_whole = |hole: &str| hole.matches('`').count().is_multiple_of(2) || piece.starts_with('`');
    if rest.is_empty() {
        return match text.strip_suffix(piece.as_str()) {
            Some(hole) if is_whole(hole) => {
                holes.push(hole);
                true
            }
            _ => false,
        };
    }
    for (place, _) in text.match_indices(piece.as_str()) {
        if !is_whole(&text[..place]) {
            continue;
        }
        holes.push(&text[..place]);
        if fits(rest, &text[place + piece.len()..], holes) {
            return true;
        }
        holes.pop();
    }
    false
}

/// The parts of a text as the sources have it: `{}`, `{name}` and `{name:?}` are holes, `{{` is a brace, and a brace
/// around anything else stands for itself.
fn written(text: &str) -> Vec<Written<'_>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(brace) = rest.find(['{', '}']) {
        let (before, behind) = rest.split_at(brace);
        parts.push(Written::Text(Cow::Borrowed(before)));
        if behind.starts_with("{{") || behind.starts_with("}}") {
            parts.push(Written::Text(Cow::Borrowed(&behind[..1])));
            rest = &behind[2..];
        } else if let Some((name, after)) = hole(behind) {
            parts.push(Written::Hole(name));
            rest = after;
        } else {
            parts.push(Written::Text(Cow::Borrowed(&behind[..1])));
            rest = &behind[1..];
        }
    }
    parts.push(Written::Text(Cow::Borrowed(rest)));
    parts
}

/// The name of the hole that a text begins with, and what stands behind it.
fn hole(text: &str) -> Option<(&str, &str)> {
    let (inside, behind) = text.strip_prefix('{')?.split_once('}')?;
    let (name, format) = inside.split_once(':').unwrap_or((inside, ""));
    let is_name = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    (is_name && !format.contains(' ')).then_some((name, behind))
}

/// How many words of a language with letters a text has.
pub(super) fn words(text: &str) -> usize {
    let is_word = |word: &&str| word.chars().any(|letter| letter.is_ascii_alphabetic());
    text.split_whitespace().filter(is_word).count()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[track_caller]
    fn told(english: &str, japanese: &str, text: &str) -> Option<String> {
        let template = Template::of(english, japanese).unwrap();
        let holes = template.holes(text)?;
        Some(template.filled(&holes.into_iter().map(str::to_owned).collect::<Vec<_>>()))
    }

    #[test]
    fn what_stands_in_the_holes_is_found_and_put_elsewhere() {
        let english = "there is no {what} `{name}`";
        let japanese = "`{name}` という{what}はありません";
        assert_eq!(told(english, japanese, "there is no zone `deck`").unwrap(), "`deck` というzoneはありません");
        assert_eq!(told(english, japanese, "there is one zone `deck`"), None);
        assert_eq!(told("{} of {}", "{1}の{0}", "3 of 5").unwrap(), "5の3");
        assert_eq!(told("{count:?} is not {}", "{}ではない {count}", "\"a\" is not b").unwrap(), "bではない \"a\"");
    }

    #[test]
    fn what_is_said_twice_is_the_same_twice() {
        let (english, japanese) = ("{0} or {0}:N", "{0}か{0}:N");
        assert_eq!(told(english, japanese, "search or search:N").unwrap(), "searchかsearch:N");
        assert_eq!(told(english, japanese, "greedy or search:N"), None);
    }

    #[test]
    fn code_is_never_torn_apart() {
        assert_eq!(told("{} and {}", "{}と{}", "`a and b` and c").unwrap(), "`a and b`とc");
        assert_eq!(told("{} and {}", "{}と{}", "`a and b`"), None);
        assert_eq!(told("`{a}` is {}", "{}：`{a}`", "`a` is `b` is c").unwrap(), "`b` is c：`a`");
    }

    #[test]
    fn a_brace_is_no_hole_where_it_stands_for_itself() {
        assert!(Template::of("name = { per = \"seat\" }", "").is_none());
        assert!(Template::of("{{}}", "").is_none());
        assert_eq!(told("[{{{id}}}]", "［{{{id}}}］", "[{x}]").unwrap(), "［{x}］");
    }
}
