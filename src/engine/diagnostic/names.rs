//! Names: the known name nearest to an unknown one, and lists of names.

use super::{Diagnostic, Help, QuickFix};
use crate::catalogue::{Message, message};
use crate::sorted::SortedSet;
use std::cmp::Reverse;

/// Most known names that a message lists for an unknown one.
const MAX_LISTED_NAMES: usize = 12;
/// Longest name, in characters, that is compared with others.
const MAX_NAME_CHARS: usize = 64;

/// The one of `names` that `wanted` probably means; `None` where none is near.
///
/// Letter case does not count. Of several equally near names the longest is taken, since a letter is more often left
/// out than added, and of these the first in alphabetical order, so that the answer does not depend on the order of
/// the names.
pub fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_of(wanted, &mut names.into_iter())
}

/// [`nearest`], compiled once for all kinds of iterators.
fn nearest_of<'a>(wanted: &str, names: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = wanted.to_lowercase();
    let length = wanted.chars().count();
    // Comparing takes time by the product of both lengths, and nobody mistypes so much.
    if length == 0 || length > MAX_NAME_CHARS {
        return None;
    }
    let distance = |name: &str| {
        let name = name.to_lowercase();
        let longer = name.chars().count().max(length);
        if longer > MAX_NAME_CHARS {
            return None;
        }
        let distance = strsim::damerau_levenshtein(&wanted, &name);
        let is_typo = distance < longer && distance <= (longer / 3).max(1);
        // The beginning of a name, or a word of it, is a weaker sign than a typo, so it ranks behind all typos.
        let is_part = length >= 3 && (name.starts_with(&wanted) || name.split_whitespace().any(|word| word == wanted));
        if is_typo { Some(distance) } else { is_part.then_some(MAX_NAME_CHARS + distance) }
    };
    let near = names.filter_map(|name| Some((distance(name)?, Reverse(name.chars().count()), name)));
    near.min().map(|(_, _, name)| name)
}

/// The help "did you mean `x`?", if one of `names` is [near](nearest) to `wanted`; otherwise `None`.
pub fn did_you_mean<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Option<Help> {
    let name = nearest(wanted, names)?;
    Some(Help::from(message!("did you mean `{name}`?")).with_fix(QuickFix::Rename(name.to_owned())))
}

/// The error that there is no `what` with this name, with the nearest known name, or else the first ones.
pub fn unknown<'a>(what: impl Into<Message>, name: &str, known: impl IntoIterator<Item = &'a str>) -> Diagnostic {
    unknown_of(what.into(), name, &known.into_iter().collect::<Vec<_>>())
}

/// [`unknown`], compiled once for all kinds of iterators.
fn unknown_of(what: Message, name: &str, known: &[&str]) -> Diagnostic {
    let others = known_names_sentence(what.clone(), known.iter().copied());
    unknown_or(what, name, known.iter().copied(), others)
}

/// The error that there is no `what` with this name, for what is too much to be listed: the help is the nearest known
/// name, or else `otherwise`.
pub fn unknown_or<'a>(
    what: impl Into<Message>,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
    otherwise: impl Into<Help>,
) -> Diagnostic {
    let what = what.into();
    let message = match what.as_str() {
        // Other languages say it otherwise of people than of things.
        "player" => message!("there is no player `{name}`"),
        _ => message!("there is no {what} `{name}`"),
    };
    Diagnostic::new(message).near_or(name, known, otherwise)
}

/// A sentence with the known names of a `what`; where there are many, with the first ones.
pub fn known_names_sentence<'a>(what: impl Into<Message>, known: impl IntoIterator<Item = &'a str>) -> Message {
    names_sentence(what.into(), &mut known.into_iter())
}

/// [`known_names_sentence`], compiled once for all kinds of iterators.
fn names_sentence(what: Message, known: &mut dyn Iterator<Item = &str>) -> Message {
    let mut seen = SortedSet::new();
    let mut known = known.filter(|name| seen.insert(*name));
    let first: Vec<&str> = known.by_ref().take(MAX_LISTED_NAMES).collect();
    match (first.as_slice(), known.count()) {
        ([], _) => message!("there is no {what} at all"),
        ([only], 0) => message!("there is only `{only}`"),
        (several, 0) => message!("there are {}", listed(several.iter().copied())),
        (several, more) => {
            let several = several.iter().map(|name| Message::verbatim(format!("`{name}`")));
            message!("there are {} and {more} more", Message::list(several, ", "))
        }
    }
}

/// The names as a list: `a`, `b` and `c`.
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> Message {
    joined(&mut names.into_iter(), " and ")
}

/// The names as a choice: `a`, `b` or `c`.
pub fn either<'a>(names: impl IntoIterator<Item = &'a str>) -> Message {
    joined(&mut names.into_iter(), " or ")
}

fn joined(names: &mut dyn Iterator<Item = &str>, last: &'static str) -> Message {
    let mut names: Vec<Message> = names.map(|name| Message::verbatim(format!("`{name}`"))).collect();
    match (names.pop(), names.is_empty()) {
        (None, _) => "none".into(),
        (Some(only), true) => only,
        (Some(end), false) => Message::joined([Message::list(names, ", "), last.into(), end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_what_was_meant() {
        let names = ["ring", "hand", "columns", "discard", "p1", "p2", "green_points", "load silk-6"];
        for (wanted, meant) in [
            ("rnig", Some("ring")),
            ("HAND", Some("hand")),
            ("column", Some("columns")),
            ("disc", Some("discard")),
            ("p3", Some("p1")),
            ("green", Some("green_points")),
            ("x", None),
            ("", None),
            ("banana", None),
            ("silk-6", Some("load silk-6")),
        ] {
            assert_eq!(nearest(wanted, names), meant, "{wanted}");
        }
        assert_eq!(did_you_mean("rign", names).as_deref(), Some("did you mean `ring`?"));
        assert_eq!(nearest(&"a".repeat(100_000), names), None);
        assert_eq!(nearest("wy", ["w", "write", "why"]), Some("why"));
    }

    #[test]
    fn what_is_not_there_is_told_with_what_is() {
        let said = |name, known: &[&'static str]| {
            let error = unknown("zone", name, known.iter().copied());
            format!("{} | {}", error.message, error.help.join(" | "))
        };
        assert_eq!(said("rnig", &["hand", "ring"]), "there is no zone `rnig` | did you mean `ring`?");
        assert_eq!(said("x", &["hand", "ring", "box"]), "there is no zone `x` | there are `hand`, `ring` and `box`");
        assert_eq!(said("x", &["hand"]), "there is no zone `x` | there is only `hand`");
        assert_eq!(said("x", &[]), "there is no zone `x` | there is no zone at all");
        let many = [
            "red", "blue", "green", "pink", "gold", "gray", "lime", "navy", "teal", "plum", "rose", "hand", "snow",
            "wine",
        ];
        assert!(said("x", &many).ends_with("`hand` and 2 more"));
        assert!(said("x", &["hand"; 14]).ends_with("| there is only `hand`"), "each is told once");
        let error = unknown_or("command", "x", ["play"], "`help` lists the commands");
        assert_eq!(error.help, ["`help` lists the commands"]);
    }
}
