//! From where to where a condition goes. The tree of the rules knows where its parts begin; where the last one ends, and
//! which brackets stand around, is read in the script.

use std::collections::BTreeSet;
use std::ops::Range;

/// The stretch of a script that is a condition, in bytes: its first part stands at one place, its last begins at another.
pub(super) fn extent(script: &str, first: usize, last: usize) -> Range<usize> {
    let (mut start, mut end, mut at, mut depth) = (first, first, first, 0_usize);
    while let Some((token, length)) = script.get(at..).and_then(token) {
        let is_behind = at > last && depth == 0;
        match token {
            Token::Between => {}
            // The brackets of a call follow its name at once.
            Token::Open if is_behind && (end != at || !script[at..].starts_with('(')) => break,
            Token::Open => depth += 1,
            Token::Close if depth > 0 => depth -= 1,
            Token::Close => match opened_before(script, start).filter(|_| !is_behind) {
                Some(before) => start = before,
                None => break,
            },
            Token::Other if is_behind => break,
            Token::Other => {}
        }
        at += length;
        if token != Token::Between {
            end = at;
        }
    }
    start..end
}

/// The whole numbers that stand in a script, comments and texts left out.
pub(super) fn numbers(script: &str) -> BTreeSet<i64> {
    let (mut numbers, mut at) = (BTreeSet::new(), 0);
    while let Some((kind, length)) = script.get(at..).and_then(token) {
        let word = script.get(at..at + length).filter(|_| kind == Token::Other);
        numbers.extend(word.and_then(|word| word.replace('_', "").parse::<i64>().ok()));
        at += length;
    }
    numbers
}

/// Where the bracket stands right before a place.
fn opened_before(script: &str, place: usize) -> Option<usize> {
    let before = script.get(..place)?.trim_end();
    before.ends_with(['(', '[', '{']).then(|| before.len() - 1)
}

/// What a script is made of, as far as it matters where something ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    /// Blanks and comments.
    Between,
    /// An opening bracket.
    Open,
    /// A closing one.
    Close,
    /// A name, a number, a text or a sign.
    Other,
}

/// What a text begins with, and how many bytes that are.
fn token(text: &str) -> Option<(Token, usize)> {
    let first = text.chars().next()?;
    let all_of = |holds: fn(char) -> bool| text.find(|letter| !holds(letter)).unwrap_or(text.len());
    let line = || text.find('\n').map_or(text.len(), |place| place + 1);
    Some(match first {
        '/' if text.starts_with("//") => (Token::Between, line()),
        '/' if text.starts_with("/*") => (Token::Between, comment(text)),
        '(' | '[' | '{' => (Token::Open, 1),
        ')' | ']' | '}' => (Token::Close, 1),
        '"' | '`' => (Token::Other, quoted(text, first)),
        _ if first.is_whitespace() => (Token::Between, all_of(char::is_whitespace)),
        _ if is_of_word(first) => (Token::Other, all_of(is_of_word)),
        // A number below 0 is one value.
        '-' if text[1..].starts_with(|next: char| next.is_ascii_digit()) => {
            (Token::Other, 1 + text[1..].find(|letter| !is_of_word(letter)).unwrap_or(text.len() - 1))
        }
        _ => (Token::Other, first.len_utf8()),
    })
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// How many bytes the comment has that a text begins with, with the comments inside it; all of them if it is not closed.
fn comment(text: &str) -> usize {
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let step = match rest {
            _ if rest.starts_with("/*") => {
                depth += 1;
                2
            }
            _ if rest.starts_with("*/") => {
                depth -= 1;
                2
            }
            _ => rest.chars().next().map_or(1, char::len_utf8),
        };
        at += step;
        if depth == 0 {
            break;
        }
    }
    at
}

/// How many bytes a text between quotes has, with them.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    let end = text.char_indices().skip(1).find(|(_, letter)| {
        let is_end = *letter == quote && !is_escaped;
        is_escaped = *letter == '\\' && !is_escaped;
        is_end
    });
    end.map_or(text.len(), |(place, _)| place + 1)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_rules() {
        let script = "/// From 9.\nif settings.k == 37 { x(-4, 1_000, \"8\", 2..=5, p1, 0x7); } // 6";
        assert_eq!(numbers(script), BTreeSet::from([-4, 2, 5, 37, 1_000]));
    }

    /// In each text the condition stands between `«` and `»`; `‹` marks its first part, `›` its last.
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
