//! Templates: texts with holes that are found in an English text and filled again in another language.

use std::borrow::Cow;

/// A text of the sources with holes for the parts that vary, and its translation.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Template {
    /// The texts before, between and behind the holes.
    pieces: Vec<String>,
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
        let unnamed: Vec<usize> = (0..names.len()).filter(|&hole| names[hole].is_empty()).collect();
        let mut next = unnamed.iter();
        let told = written(told).into_iter().map(|part| match part {
            SourcePart::Text(text) => Part::Text(text.into_owned()),
            SourcePart::Hole(name) => {
                let named = || names.iter().position(|known| !known.is_empty() && *known == name);
                let numbered = || name.parse().ok().and_then(|number: usize| unnamed.get(number).copied());
                let hole = if name.is_empty() { next.next().copied() } else { named().or_else(numbered) };
                hole.map_or_else(|| Part::Text(format!("{{{name}}}")), Part::Hole)
            }
        });
        let told = told.collect();
        Some(Self { pieces, told })
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

    /// Whether a hole stands within single quotes, as the parser of the command line quotes what was typed.
    pub(super) fn is_quoted(&self, hole: usize) -> bool {
        self.pieces.iter().take(hole + 1).map(|piece| piece.matches('\'').count()).sum::<usize>() % 2 == 1
    }

    /// The content of each hole in a text that another program has filled: a hole ends where the next piece begins.
    /// `None` where the text is another one.
    pub(super) fn holes<'t>(&self, text: &'t str) -> Option<Vec<&'t str>> {
        let (first, pieces) = self.pieces.split_first()?;
        let (last, between) = pieces.split_last()?;
        let mut rest = text.strip_prefix(first.as_str())?;
        let mut holes = Vec::with_capacity(pieces.len());
        for piece in between {
            let (hole, behind) = rest.split_once(piece.as_str())?;
            holes.push(hole);
            rest = behind;
        }
        holes.push(rest.strip_suffix(last.as_str())?);
        Some(holes)
    }

    /// For each hole, the chunks that fill it, in a text that was formatted from this template in these chunks; `None`
    /// where they do not match.
    pub(super) fn holes_among<'c, C: AsRef<str>>(&self, chunks: &'c [C]) -> Option<Vec<&'c [C]>> {
        let (first, rest) = self.pieces.split_first()?;
        let chunks = match chunks.split_first() {
            _ if first.is_empty() => chunks,
            Some((chunk, behind)) if chunk.as_ref() == first => behind,
            _ => return None,
        };
        let mut holes = Vec::with_capacity(rest.len());
        fits(rest, chunks, &mut holes).then_some(holes)
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
fn fits<'c, C: AsRef<str>>(pieces: &[String], chunks: &'c [C], holes: &mut Vec<&'c [C]>) -> bool {
    let Some((piece, rest)) = pieces.split_first() else { return chunks.is_empty() };
    // Text is one chunk, even if it is empty; other things may be several.
    for end in (1..=chunks.len()).chain([0]) {
        let (hole, behind) = chunks.split_at(end);
        let behind = match behind.split_first() {
            _ if piece.is_empty() => behind,
            Some((chunk, behind)) if chunk.as_ref() == piece => behind,
            _ => continue,
        };
        holes.push(hole);
        if fits(rest, behind, holes) {
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

/// The name of the hole that a text begins with, and the text behind it.
fn hole(text: &str) -> Option<(&str, &str)> {
    let (inside, behind) = text.strip_prefix('{')?.split_once('}')?;
    let (name, format) = inside.split_once(':').unwrap_or((inside, ""));
    let is_name = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    (is_name && !format.contains(' ')).then_some((name, behind))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[track_caller]
    fn told(english: &str, japanese: &str, text: &str) -> Option<String> {
        let template = Template::of(english, japanese).unwrap();
        Some(template.filled(&template.holes(text)?))
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
    fn a_brace_is_no_hole_where_it_stands_for_itself() {
        assert!(Template::of("name = { per = \"seat\" }", "").is_none());
        assert!(Template::of("{{}}", "").is_none());
        assert_eq!(told("[{{{id}}}]", "［{{{id}}}］", "[{x}]").unwrap(), "［{x}］");
    }
}
