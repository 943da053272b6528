//! Templates: texts with holes that are found in an English text and filled again in another language.

use std::borrow::Cow;
use std::ops::Range;

/// Least words at the beginning of a text that identify its template.
const MIN_PREFIX_WORDS: usize = 3;

/// A text of the sources with holes for the parts that vary, and its translation.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Template {
    /// The texts before, between and behind the holes.
    pieces: Vec<String>,
    /// For each hole, whether its content stays as it is: it is part of code in backticks, or can be a game's text.
    is_verbatim: Vec<bool>,
    /// For each hole, the index of the first one of the same name.
    same: Vec<usize>,
    told: Vec<Part>,
}

/// A part of the translation.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    /// The content of the hole with this index.
    Hole(usize),
}

/// A part of a text as it is written in the sources.
enum SourcePart<'a> {
    Text(Cow<'a, str>),
    Hole(&'a str),
}

impl Template {
    /// Parses a text of the sources and its translation; `None` where the text has no holes.
    pub(super) fn of(english: &str, told: &str) -> Option<Self> {
        let mut pieces = vec![String::new()];
        let mut names = Vec::new();
        for part in written(english) {
            match part {
                SourcePart::Text(text) => {
                    if let Some(piece) = pieces.last_mut() {
                        piece.push_str(&text);
                    }
                }
                SourcePart::Hole(name) => {
                    pieces.push(String::new());
                    names.push(name);
                }
            }
        }
        if names.is_empty() {
            return None;
        }
        let mut is_verbatim: Vec<bool> =
            (1..pieces.len()).map(|hole| pieces[..hole].concat().matches('`').count() % 2 == 1).collect();
        let unnamed: Vec<usize> = (0..names.len()).filter(|&hole| names[hole].is_empty()).collect();
        let mut next = unnamed.iter();
        let told = written(told).into_iter().map(|part| match part {
            SourcePart::Text(text) => Part::Text(text.into_owned()),
            SourcePart::Hole(written) => {
                let name = written.trim_start_matches(HOLE_MARK);
                let named = || names.iter().position(|known| !known.is_empty() && *known == name);
                let numbered = || name.parse().ok().and_then(|number: usize| unnamed.get(number).copied());
                let hole = if name.is_empty() { next.next().copied() } else { named().or_else(numbered) };
                if let Some(mark) = hole.and_then(|hole| is_verbatim.get_mut(hole)) {
                    *mark |= written.len() > name.len();
                }
                hole.map_or_else(|| Part::Text(format!("{{{name}}}")), Part::Hole)
            }
        });
        let told = told.collect();
        let first = |(place, name): (usize, &&str)| match name.is_empty() {
            true => place,
            false => names.iter().position(|known| known == name).unwrap_or(place),
        };
        let same = names.iter().enumerate().map(first).collect();
        Some(Self { pieces, is_verbatim, same, told })
    }

    /// The letter that the text begins with; `None` where it begins with a hole.
    pub(super) fn first(&self) -> Option<char> {
        self.pieces.first().and_then(|piece| piece.chars().next())
    }

    /// The noun of a template such as `{} games`; `None` for other templates.
    pub(super) fn noun(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [before, noun] if before.is_empty() => noun.strip_prefix(' '),
            _ => None,
        }
    }

    /// Bytes of text outside the holes: of several templates that match, the one with the most is meant.
    pub(super) fn weight(&self) -> usize {
        self.pieces.iter().map(String::len).sum()
    }

    /// Whether the content of a hole stays as it is.
    pub(super) fn is_verbatim(&self, hole: usize) -> bool {
        self.is_verbatim.get(hole).copied().unwrap_or(false)
    }

    /// Whether a hole stands in code in backticks.
    pub(super) fn is_in_code(&self, hole: usize) -> bool {
        self.pieces.iter().take(hole + 1).map(|piece| piece.matches('`').count()).sum::<usize>() % 2 == 1
    }

    /// Number of words outside the holes.
    pub(super) fn words(&self) -> usize {
        self.pieces.iter().map(|piece| words(piece)).sum()
    }

    /// Whether the template is little more than holes.
    pub(super) fn is_vague(&self) -> bool {
        self.first().is_none() && self.words() < 2 && self.same.len() > 1
    }

    /// Whether the template begins with enough words that nothing else can be meant.
    pub(super) fn is_unmistakable(&self) -> bool {
        self.pieces.first().is_some_and(|piece| words(piece) >= MIN_PREFIX_WORDS)
    }

    /// The content of each hole, if `text` matches the template and the match is found within `steps`, which are used
    /// up.
    pub(super) fn holes<'t>(&self, text: &'t str, steps: &mut usize) -> Option<Vec<&'t str>> {
        let (first, rest) = self.pieces.split_first()?;
        let mut holes = Vec::with_capacity(rest.len());
        let is_whole = fits(rest, text.strip_prefix(first.as_str())?, &mut holes, steps);
        let is_even = self.same.iter().zip(&holes).all(|(&first, hole)| holes.get(first) == Some(hole));
        (is_whole && is_even).then_some(holes)
    }

    /// For each hole, the chunks that fill it, in a text that was formatted from this template in `count` chunks with
    /// these contents; `None` where they do not match.
    pub(super) fn chunks_of_holes<'t>(
        &self,
        count: usize,
        content: impl Fn(usize) -> Option<&'t str>,
    ) -> Option<Vec<Range<usize>>> {
        let (first, rest) = self.pieces.split_first()?;
        let begin = usize::from(!first.is_empty());
        if begin == 1 && content(0) != Some(first.as_str()) {
            return None;
        }
        let mut holes = Vec::with_capacity(rest.len());
        fits_chunks(rest, begin..count, &content, &mut holes).then_some(holes)
    }

    /// The translation with its holes filled.
    pub(super) fn filled(&self, holes: &[impl AsRef<str>]) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Hole(hole) => holes.get(*hole).map(|hole| hole.as_ref().to_owned()).unwrap_or_default(),
        };
        self.told.iter().map(part).collect()
    }
}

/// Finds the hole before each of the pieces among the chunks; a piece is a chunk of its own.
fn fits_chunks<'t>(
    pieces: &[String],
    chunks: Range<usize>,
    content: &impl Fn(usize) -> Option<&'t str>,
    holes: &mut Vec<Range<usize>>,
) -> bool {
    let Some((piece, rest)) = pieces.split_first() else { return chunks.is_empty() };
    let Range { start, end: count } = chunks;
    // Text is one chunk, even if it is empty; other things may be several.
    for end in (start + 1..=count).chain([start]) {
        let behind = match piece.is_empty() {
            true => end,
            false if content(end) == Some(piece.as_str()) => end + 1,
            false => continue,
        };
        holes.push(start..end);
        if fits_chunks(rest, behind..count, content, holes) {
            return true;
        }
        holes.pop();
    }
    false
}

/// Finds the hole before each of the pieces; code in backticks is never split.
fn fits<'t>(pieces: &[String], text: &'t str, holes: &mut Vec<&'t str>, steps: &mut usize) -> bool {
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
        let Some(left) = steps.checked_sub(1) else { return false };
        *steps = left;
        if !is_whole(&text[..place]) {
            continue;
        }
        holes.push(&text[..place]);
        if fits(rest, &text[place + piece.len()..], holes, steps) {
            return true;
        }
        holes.pop();
    }
    false
}

/// The parts of a text as the sources have it: `{}`, `{name}` and `{name:?}` are holes, `{{` is a brace, and a brace
/// around anything else stands for itself.
fn written(text: &str) -> Vec<SourcePart<'_>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(brace) = rest.find(['{', '}']) {
        let (before, behind) = rest.split_at(brace);
        parts.push(SourcePart::Text(Cow::Borrowed(before)));
        if behind.starts_with("{{") || behind.starts_with("}}") {
            parts.push(SourcePart::Text(Cow::Borrowed(&behind[..1])));
            rest = &behind[2..];
        } else if let Some((name, after)) = hole(behind) {
            parts.push(SourcePart::Hole(name));
            rest = after;
        } else {
            parts.push(SourcePart::Text(Cow::Borrowed(&behind[..1])));
            rest = &behind[1..];
        }
    }
    parts.push(SourcePart::Text(Cow::Borrowed(rest)));
    parts
}

/// Mark before the name of a hole of a translation: its content can be a game's text, and stays as it is.
const HOLE_MARK: char = '=';

/// The name of the hole that a text begins with, and the text behind it.
fn hole(text: &str) -> Option<(&str, &str)> {
    let (inside, behind) = text.strip_prefix('{')?.split_once('}')?;
    let (name, format) = inside.split_once(':').unwrap_or((inside, ""));
    let is_name = name.trim_start_matches(HOLE_MARK).chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    (is_name && !format.contains(' ')).then_some((name, behind))
}

/// Number of words in a text that contain an ASCII letter.
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
        Some(template.filled(&template.holes(text, &mut 1_000)?))
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
