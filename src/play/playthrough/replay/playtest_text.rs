//! Playtest data in a saved game: how it is written, and what of it is refused.

use super::{FIRST_FORMAT_WITH_PLAYTEST, MAX_REPORTED_ERRORS};
use crate::diagnostic::{Diagnostic, Diagnostics, Message, Place, Source, message};
use crate::playthrough::log::{Entry, LogEntry};
use crate::playthrough::long_text::quoted;
use crate::playthrough::playtest::{
    MAX_MARKS, MAX_REMARK_CHARS, MAX_THINKING_MILLISECONDS, Mark, Playtest, ThinkingTime,
};
use serde::Deserialize;
use std::ops::Range;
use std::sync::Arc;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenPlaytest {
    #[serde(default)]
    thinking: Vec<Spanned<ThinkingTime>>,
    #[serde(default)]
    marks: Vec<Spanned<Mark>>,
}
/// Validates the playtest data of a file.
///
/// # Errors
/// The format has no playtest data; a seat, choice or time is impossible; or there is more data than is kept.
pub(super) fn playtest_of(
    written: Spanned<WrittenPlaytest>,
    (format, players): (i64, usize),
    log: &[LogEntry],
    source: &Arc<Source>,
) -> Result<Playtest, Diagnostics> {
    let at = |span: Range<usize>, label: &'static str| Place::new(source, span, label);
    if format < FIRST_FORMAT_WITH_PLAYTEST {
        let error = Diagnostic::new(message!("a saved game of format {format} tells nothing of those who played"));
        let place = at(written.span(), "told here");
        return Err(error
            .at(place)
            .help(message!("format {FIRST_FORMAT_WITH_PLAYTEST} is the first that does"))
            .into());
    }
    let WrittenPlaytest { thinking, marks } = written.into_inner();
    let wrong_seat = |seat: usize| {
        let message = message!("there is no player {seat} in a game of {players} players");
        (!(1..=players).contains(&seat)).then_some(message)
    };
    let in_line = |wrong: Message, span: Range<usize>| {
        Diagnostic::new(wrong).at(at(span, "in this line")).help("the game is the same without this line")
    };
    let mut trouble = Vec::new();
    let mut before = 0;
    for written in &thinking {
        let ThinkingTime { entry, seat, milliseconds } = *written.get_ref();
        let is_choice = |by: usize| match entry.checked_sub(1).and_then(|place| log.get(place)).map(|entry| &**entry) {
            Some(Entry::Choice { seat, .. }) => seat.is_none_or(|seat| seat.number() == by),
            _ => false,
        };
        let wrong = wrong_seat(seat)
            .or_else(|| (!is_choice(seat)).then(|| message!("entry {entry} of the log is no choice of player {seat}")))
            .or_else(|| (entry <= before).then(|| message!("entry {entry} is told of behind entry {before}")))
            .or_else(|| {
                (milliseconds > MAX_THINKING_MILLISECONDS).then(|| "nobody thinks for longer than a year".into())
            });
        before = entry;
        trouble.extend(wrong.map(|wrong| in_line(wrong, written.span())));
        if trouble.len() == MAX_REPORTED_ERRORS {
            break;
        }
    }
    for written in marks.iter().take(MAX_MARKS) {
        let Mark { entries, seat, words, .. } = written.get_ref();
        let wrong = wrong_seat(*seat)
            .or_else(|| (*entries > log.len()).then(|| message!("the log has fewer than {entries} entries")))
            .or_else(|| {
                words
                    .chars()
                    .nth(MAX_REMARK_CHARS)
                    .map(|_| message!("a mark has at most {MAX_REMARK_CHARS} characters"))
            });
        trouble.extend(wrong.map(|wrong| in_line(wrong, written.span())));
    }
    if let Some(beyond) = marks.get(MAX_MARKS) {
        let message = message!("there are more than {MAX_MARKS} marks");
        trouble.push(Diagnostic::new(message).at(at(beyond.span(), "the first too many")));
    }
    trouble.truncate(MAX_REPORTED_ERRORS);
    Diagnostics::refuse(trouble)?;
    Ok(Playtest {
        thinking: thinking.into_iter().map(Spanned::into_inner).collect(),
        marks: marks.into_iter().map(Spanned::into_inner).collect(),
    })
}

/// Playtest data as TOML; nothing where there is none.
pub(super) fn playtest_to_toml(playtest: &Playtest) -> String {
    let mut text = String::new();
    if playtest.is_empty() {
        return text;
    }
    text.push_str("\n[playtest]\n");
    if !playtest.thinking.is_empty() {
        text.push_str("thinking = [\n");
        for ThinkingTime { entry, seat, milliseconds } in &playtest.thinking {
            text.push_str(&format!("  [{entry}, {seat}, {milliseconds}],\n"));
        }
        text.push_str("]\n");
    }
    if !playtest.marks.is_empty() {
        text.push_str("marks = [\n");
        for Mark { entries, seat, kind, words } in &playtest.marks {
            text.push_str(&format!("  [{entries}, {seat}, {}, {}],\n", quoted(kind.name()), quoted(words)));
        }
        text.push_str("]\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playthrough::replay::Replay;
    use crate::playthrough::replay::tests::example;

    /// Playtest data is validated before use, however it came into the file.
    #[test]
    fn a_playtest_that_cannot_be_is_refused_where_it_stands() {
        #[track_caller]
        fn check(from: &str, to: &str, message: &str, line: usize) {
            let text = example().to_toml();
            let changed = text.replace(from, to);
            assert_ne!(text, changed, "{from}");
            let errors = Replay::parse(&Source::new("a.toml", changed)).err();
            let first = errors.as_ref().map(Diagnostics::first);
            let place = first.and_then(|error| error.place.as_ref()).map(|place| place.position().0);
            assert_eq!((first.map(|error| &*error.message), place), (Some(message), Some(line)), "{to}");
        }
        let text = example().to_toml();
        let line = |of: &str| text.lines().position(|line| line.contains(of)).map_or(0, |line| line + 1);
        let (thinking, mark) = (line("[3, 1, 4200]"), line("\"unclear\""));
        for format in [2, 3] {
            let told = format!("a saved game of format {format} tells nothing of those who played");
            check("format   = 4", &format!("format   = {format}"), &told, line("[playtest]"));
        }
        check("[3, 1, 4200]", "[3, 4, 4200]", "there is no player 4 in a game of 3 players", thinking);
        check("[3, 1, 4200]", "[3, 0, 4200]", "there is no player 0 in a game of 3 players", thinking);
        check("[3, 1, 4200]", "[3, 2, 4200]", "entry 3 of the log is no choice of player 2", thinking);
        check("[3, 1, 4200]", "[0, 1, 4200]", "entry 0 of the log is no choice of player 1", thinking);
        check("[3, 1, 4200]", "[2, 1, 4200]", "entry 2 of the log is no choice of player 1", thinking);
        check("[3, 1, 4200]", "[9000, 1, 4200]", "entry 9000 of the log is no choice of player 1", thinking);
        check("[3, 1, 4200],\n", "[3, 1, 4200],\n[3, 1, 1],\n", "entry 3 is told of behind entry 3", thinking + 1);
        check("4200", "9223372036854775807", "nobody thinks for longer than a year", thinking);
        check("[6, 3, \"unclear\"", "[6, 4, \"unclear\"", "there is no player 4 in a game of 3 players", mark);
        check("[6, 3, \"unclear\"", "[99, 3, \"unclear\"", "the log has fewer than 99 entries", mark);
        let long = format!("[6, 3, \"fun\", \"{}\"],\n  [6, 3, \"unclear\"", "a".repeat(MAX_REMARK_CHARS + 1));
        check("[6, 3, \"unclear\"", &long, "a mark has at most 200 characters", mark);
        let many = format!("{}[6, 3, \"unclear\"", "[6, 3, \"fun\", \"\"],\n".repeat(MAX_MARKS));
        check("[6, 3, \"unclear\"", &many, "there are more than 1000 marks", mark + MAX_MARKS);
        // As many thinking times as a file has room for are rejected at once.
        check("[3, 1, 4200],\n", &"[3, 1, 1],".repeat(800_000), "entry 3 is told of behind entry 3", thinking);
    }
}
