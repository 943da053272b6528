//! Finds the extent of a condition in a script. The syntax tree has the places where its parts begin; the end of the
//! last part, and brackets around it, are found by scanning the tokens.

use crate::script::tokens::{TokenKind, tokens};
use crate::sorted::SortedSet;
use std::ops::Range;

/// The byte range of a condition whose first and last part begin at `first` and `last`.
pub(super) fn extent(script: &str, first: usize, last: usize) -> Range<usize> {
    let (mut start, mut end, mut depth) = (first, first, 0_usize);
    // A negative number is a single value.
    let last = last + usize::from(script.get(last..).is_some_and(|part| part.starts_with('-')));
    let rest = script.get(first..).unwrap_or_default();
    for token in tokens(rest).into_iter().filter(|token| !token.kind.is_between()) {
        let at = first + token.start;
        let is_behind = at > last && depth == 0;
        let sign = if token.kind == TokenKind::Sign { &rest[token.span()] } else { "" };
        match sign {
            // The brackets of a call follow its name directly.
            "(" | "[" | "{" | "#{" | "?[" if is_behind && (end != at || sign != "(") => break,
            "(" | "[" | "{" | "#{" | "?[" => depth += 1,
            ")" | "]" | "}" if depth > 0 => depth -= 1,
            ")" | "]" | "}" => match opened_before(script, start).filter(|_| !is_behind) {
                Some(before) => start = before,
                None => break,
            },
            _ if is_behind => break,
            _ => {}
        }
        end = first + token.end;
    }
    start..end
}

/// The integers in a script, without those in comments and strings.
pub(super) fn numbers(script: &str) -> SortedSet<i64> {
    let numbers = tokens(script).into_iter().filter(|token| token.kind == TokenKind::Number);
    let written = numbers.map(|token| {
        let sign = if script[..token.start].ends_with('-') { "-" } else { "" };
        format!("{sign}{}", script[token.span()].replace('_', ""))
    });
    written.filter_map(|number| number.parse().ok()).collect()
}

/// The place of an opening bracket directly before `place`.
fn opened_before(script: &str, place: usize) -> Option<usize> {
    let before = script.get(..place)?.trim_end();
    before.ends_with(['(', '[', '{']).then(|| before.len() - 1)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_rules() {
        let script = "/// From 9.\nif settings.k == 37 { x(-4, 1_000, \"8\", 2..=5, p1, 0x7); } // 6";
        assert_eq!(numbers(script), SortedSet::from([-4, 2, 5, 37, 1_000]));
    }

    /// In each text, the condition stands between `«` and `»`; `‹` marks its first part, `›` its last.
    #[test]
    fn a_condition_ends_before_what_follows_it() {
        for marked in [
            "if «‹boat.›len» { x(); }",
            "if «‹boat.len > ›0» && p.coins >= 3 {",
            "if a && «‹p.may(›\"bribe {\")» {",
            "if «‹card == ring.max(›\"number\")» {",
            "if «‹players.any(|p| { p.x > ›3 })» || b {",
            "if («‹a > ›3» || b) && c {",
            "if «(‹a + b) > ›3» {",
            "if «!(‹card.number < ›13)» {",
            "while «‹f›()» { }",
            "if «‹n == ›-1» {",
            "if «‹n ==\n    // not 2\n    ›3» {",
            "if «‹n == /* not /* 3 */ or ) */ ›2» {",
            "if «‹a /*/* あ */*/ > ›3» /* b /* ) */ + c */ && d {",
            "let a = «‹list[›0]»;",
            "row.where(|card| «‹card.number > ›12»).len",
            "|p| «‹›x»",
        ] {
            let text: String = marked.chars().filter(|letter| !"«»‹›".contains(*letter)).collect();
            let place = |mark: char| {
                let before = marked.split(mark).next().unwrap();
                before.chars().filter(|letter| !"«»‹›".contains(*letter)).map(char::len_utf8).sum::<usize>()
            };
            let first = if marked.contains("«!") { place('«') } else { place('‹') };
            assert_eq!(extent(&text, first, place('›')), place('«')..place('»'), "{marked}");
        }
    }
}
