//! Replays: a playthrough as a TOML file that a person can read and compare line by line.
//!
//! A replay holds the inputs of the game (rules by name with their hash, seats, seed, log). Of what follows from them,
//! it holds only the scores and how they came about, which can be checked. Every rule that did not come with the
//! program is included as text, so that one file is enough on another machine. Choices are stored by value, so a
//! reordered list of options still fits. A checksum shows whether the file was changed; what still fits is played all
//! the same.

mod file;
mod playtest_text;
mod reader;

pub use file::ReplayFile;

use crate::definition::RuleFile;
use crate::diagnostic::Source;
use crate::files::FileFormat;
use crate::playthrough::Playthrough;
use crate::playthrough::entry_text::{FIRST_FORMAT_WITH_PURPOSES, entry_to_text};
use crate::playthrough::history::History;
use crate::playthrough::log::{CLOCK, Entry, LogEntry, Purpose};
use crate::playthrough::long_text::{self, quoted};
use crate::playthrough::mail;
use crate::playthrough::playtest::Playtest;
use crate::ruleset::Selection;
use crate::table::event::{Event, ScriptPoint};
use crate::table::layout::Layout;
use crate::table::value::Value;
use playtest_text::playtest_to_toml;
use serde::Deserialize;

/// The current format number. Earlier formats are read too: format 2 lacks the purposes of choices, and format 1 also
/// lacks rules and stores choices as labels. Format 4 adds playtest data; a game without any is written in format 3.
pub const FORMAT: i64 = 4;

/// The first format with playtest data.
const FIRST_FORMAT_WITH_PLAYTEST: i64 = 4;

/// The most changes of scores written to a file; of more, the first.
const MAX_SCORE_CHANGES: usize = 20_000;

/// The most errors of a file reported at once.
const MAX_REPORTED_ERRORS: usize = 5;

/// The size limit of a replay, in bytes.
pub const MAX_BYTES: u64 = 8 << 20;

/// The file format of saved games.
pub const FILE: FileFormat = FileFormat { name: "a saved game", beginning: "# A game saved by houserule " };

/// The content of a replay file.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// The selected game, variants and settings, by name.
    pub selection: Selection,
    /// The hash of the rules that the game was played with.
    pub ruleset: String,
    /// The number of seats.
    pub players: usize,
    /// The seed of all random numbers.
    pub seed: u64,
    pub log: Vec<LogEntry>,
    /// The result when the game was saved.
    pub result: Option<ReplayResult>,
    /// Playtest data of the people who played.
    pub playtest: Playtest,
    /// The rule texts in the file.
    pub rules: Vec<RuleFile>,
}

/// The result stored in a saved game.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplayResult {
    /// Whether the game was over.
    pub over: bool,
    /// Scores in seat order.
    pub scores: Vec<i64>,
    /// Every change of a score, in order; `None` in files of earlier versions, which did not store it.
    pub course: Option<Vec<SeatScore>>,
}

/// A score after it changed; in a file `[12, 2, 30]`: with move 12, p2 came to 30.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "(usize, usize, i64)")]
pub struct SeatScore {
    /// The number of the move that caused the change; 0 before the first.
    pub moves: usize,
    /// The number of the seat, from 1.
    pub seat: usize,
    /// The score from then on.
    pub score: i64,
}

impl From<(usize, usize, i64)> for SeatScore {
    fn from((moves, seat, score): (usize, usize, i64)) -> Self {
        Self { moves, seat, score }
    }
}

impl Replay {
    /// The replay of a playthrough: its current branch, up to where it stands. Rules that did not come with this
    /// version of the program are included.
    pub fn of(playthrough: &Playthrough) -> Self {
        let ruleset = &playthrough.loaded().ruleset;
        let position = playthrough.position();
        Self {
            selection: ruleset.selection.clone(),
            ruleset: ruleset.hash.clone(),
            players: playthrough.seats,
            seed: playthrough.seed,
            log: playthrough.timeline().log().to_vec(),
            result: position.failed.is_none().then(|| ReplayResult {
                over: position.open.is_none(),
                scores: position.scores.clone(),
                course: Some(
                    course(&playthrough.loaded().layout, &position.events)
                        .into_iter()
                        .map(|(scored, _)| scored)
                        .collect(),
                ),
            }),
            playtest: playthrough.playtest.along(playthrough.timeline().log()),
            rules: ruleset.files(false),
        }
    }

    /// The text of the file.
    pub fn to_toml(&self) -> String {
        let mut text =
            format!("{}{}.\nformat   = {}\n", FILE.beginning, env!("CARGO_PKG_VERSION"), self.format_number());
        text.push_str(&self.facts());
        text.push_str(&self.rules_to_toml());
        text.push_str(&format!("\n[check]\nhash = \"{}\"\n", self.checksum(self.format_number())));
        text
    }

    /// As [`to_toml`](Self::to_toml), with `remarks` as comments for the reader, and in lines short enough for a mail
    /// where TOML allows it.
    pub fn to_toml_with(&self, remarks: impl IntoIterator<Item = impl AsRef<str>>) -> String {
        let remarks: String = remarks.into_iter().map(|text| mail::remark(text.as_ref())).collect();
        let text = self.to_toml();
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let (facts, rules, check) = (self.facts(), self.rules_to_toml(), rest.rsplit_once("\n[check]\n"));
        let check = check.map(|(_, hash)| format!("\n[check]\n{}", mail::narrow(hash))).unwrap_or_default();
        let narrow =
            format!("{first}\n{remarks}format   = {}\n{}{rules}{check}", self.format_number(), mail::narrow(&facts));
        // Lines are broken only if the text still reads as the same game.
        match Self::parse(&Source::new("", &narrow)) {
            Ok(read) if read.warnings.is_empty() => narrow,
            _ => format!("{first}\n{remarks}{rest}"),
        }
    }

    /// The format number to write. Data that an earlier format lacked stays absent until the game has been played, so
    /// that format is kept.
    fn format_number(&self) -> i64 {
        let is_untold = |entry: &LogEntry| matches!(**entry, Entry::Choice { purpose: Purpose::Untold, .. });
        match () {
            () if self.log.iter().any(is_untold) => FIRST_FORMAT_WITH_PURPOSES - 1,
            () if self.playtest.is_empty() && !self.log.iter().any(sets_clock) => FIRST_FORMAT_WITH_PURPOSES,
            () => FIRST_FORMAT_WITH_PLAYTEST,
        }
    }

    /// The checksum of a file in a format. From format 3 on it covers the format number, because an earlier number
    /// would change how choices are read.
    fn checksum(&self, format: i64) -> String {
        let number = if format >= FIRST_FORMAT_WITH_PURPOSES { format!("format = {format}\n") } else { String::new() };
        let body = format!("{number}{}{}", self.facts(), self.rules_to_toml());
        format!("blake3:{}", blake3::hash(body.as_bytes()).to_hex())
    }

    /// Everything except the rules, as TOML; no string in it spans lines.
    fn facts(&self) -> String {
        let strings = |list: &[String]| list.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", ");
        let mut text = format!(
            "game     = {}\nvariants = [{}]\nset      = [{}]\nplayers  = {}\nseed     = {}\nruleset  = {}\nlog = [\n",
            quoted(&self.selection.game),
            strings(&self.selection.variants),
            strings(&self.selection.set),
            self.players,
            self.seed,
            quoted(&self.ruleset),
        );
        for entry in &self.log {
            text.push_str("  ");
            text.push_str(&entry_to_text(entry));
            text.push_str(",\n");
        }
        text.push_str("]\n");
        if let Some(ReplayResult { over, scores, course }) = &self.result {
            text.push_str(&format!("\n[result]\nover   = {over}\nscores = {scores:?}\n"));
            course.iter().for_each(|course| text.push_str(&course_to_toml(course)));
        }
        if self.format_number() == FIRST_FORMAT_WITH_PLAYTEST {
            text.push_str(&playtest_to_toml(&self.playtest));
        }
        text
    }

    fn rules_to_toml(&self) -> String {
        let mut text = String::new();
        for RuleFile { path, text: rules } in &self.rules {
            text.push_str(&format!("\n[[rules]]\npath = {}\ntext = {}\n", quoted(path), long_text::to_toml(rules)));
        }
        text
    }
}

/// Every change of a score among `events`, with the place in the rules that caused it.
pub(super) fn course(layout: &Layout, events: &History) -> Vec<(SeatScore, ScriptPoint)> {
    let scored = |event: &Event| {
        let (variable, Value::Number(score)) = event.what.sets(layout)? else { return None };
        let seat = layout.variables.get(variable)?.seat.filter(|seat| layout.score_of(*seat) == variable)?;
        Some((SeatScore { moves: event.moves, seat: seat.number(), score }, event.at))
    };
    let mut course = Vec::new();
    events.for_each(|event| {
        if course.len() < MAX_SCORE_CHANGES {
            course.extend(scored(event));
        }
    });
    course
}

/// The course of the scores as TOML, with one line for the changes of one seat in one move.
fn course_to_toml(course: &[SeatScore]) -> String {
    if course.is_empty() {
        return "course = []\n".to_owned();
    }
    let mut text = "course = [\n".to_owned();
    for together in course.chunk_by(|one, next| (one.moves, one.seat) == (next.moves, next.seat)) {
        let scored = together.iter().map(|scored| format!("[{}, {}, {}]", scored.moves, scored.seat, scored.score));
        text.push_str(&format!("  {},\n", scored.collect::<Vec<_>>().join(", ")));
    }
    text.push_str("]\n");
    text
}

/// Whether an entry sets the clock, or a variable of that name.
fn sets_clock(entry: &LogEntry) -> bool {
    matches!(&**entry, Entry::Set { variable, .. } if variable == CLOCK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::Scalar;
    use crate::playthrough::chosen_value::ChosenValue;
    use crate::playthrough::chosen_value::NamedKind;
    use crate::playthrough::log::TableSetup;
    use crate::playthrough::playtest::{Mark, MarkKind, ThinkingTime};
    use crate::table::value::Seat;

    pub(super) fn example() -> Replay {
        let choice = |seat, chosen| Entry::Choice {
            seat: Seat::from_number(seat),
            prompt: "play_card".into(),
            purpose: Purpose::Plain,
            chosen: [chosen].into(),
        };
        let for_what = |purpose| Entry::Choice {
            seat: None,
            prompt: "name \"it\"".into(),
            purpose,
            chosen: [ChosenValue::Parts(vec![("for".to_owned(), ChosenValue::Number(1))])].into(),
        };
        let name = |name: &str| ChosenValue::Name(name.to_owned());
        let marked = |sort, name: &str| ChosenValue::Marked(sort, name.to_owned());
        Replay {
            selection: Selection {
                game: "high-card".to_owned(),
                variants: vec!["double".to_owned()],
                set: vec!["double.bonus=[0, 1]".to_owned()],
            },
            ruleset: "blake3:00".to_owned(),
            players: 3,
            seed: 42,
            log: [
                Entry::Campaign {
                    kept: [
                        ("p1.scars", ChosenValue::Number(2)),
                        ("title", name("zone:of \"war\"")),
                        (
                            "p2.pack",
                            ChosenValue::List(vec![marked(NamedKind::Text, "7"), marked(NamedKind::Player, "p2")]),
                        ),
                    ]
                    .map(|(variable, value)| (variable.to_owned(), value))
                    .into(),
                },
                Entry::Rig { stream: "shuffle face_down".to_owned(), result: vec!["14".to_owned()] },
                choice(1, name("14")),
                for_what(Purpose::Given("say \"what\"".into())),
                for_what(Purpose::Setting("two-colors.lucky".into())),
                choice(2, ChosenValue::Number(-14)),
                choice(3, ChosenValue::Truth(true)),
                choice(3, marked(NamedKind::Text, "say \"14\"")),
                choice(3, marked(NamedKind::Component, "14")),
                choice(3, name("zone:ring")),
                choice(3, name("\"\"")),
                Entry::Set { variable: "p1.score".to_owned(), value: Scalar::Number(-3) },
                Entry::Set { variable: "color".to_owned(), value: Scalar::Text("a \"b\" \u{7}".to_owned()) },
                Entry::Move { component: "7".to_owned(), to: Some("ring".to_owned()), position: Some(2) },
                Entry::Move { component: "8".to_owned(), to: None, position: None },
                Entry::Reroll(2),
                Entry::Swap { one: "p1.hand".to_owned(), other: "p2.hand".to_owned() },
                Entry::Lay {
                    name: "a \"corner\"".to_owned(),
                    given: TableSetup {
                        zones: [("ring", vec!["7", "14"]), ("p1.hand", vec![])]
                            .map(|(zone, labels)| (zone.to_owned(), labels.into_iter().map(str::to_owned).collect()))
                            .into(),
                        set: [
                            ("p1.score".to_owned(), Scalar::Number(4)),
                            ("color".to_owned(), Scalar::Text("\u{7}\n".to_owned())),
                            ("is_open".to_owned(), Scalar::Truth(true)),
                        ]
                        .into(),
                    },
                },
                Entry::Lay { name: "nothing".to_owned(), given: TableSetup::default() },
                choice(
                    2,
                    ChosenValue::Parts(
                        [
                            ("act", name("extend")),
                            ("a part", ChosenValue::List(vec![name("7"), marked(NamedKind::Zone, "8")])),
                        ]
                        .map(|(part, value)| (part.to_owned(), value))
                        .to_vec(),
                    ),
                ),
            ]
            .map(LogEntry::from)
            .to_vec(),
            result: Some(ReplayResult {
                over: false,
                scores: vec![1, -2, 3],
                course: Some([(2, 1, 4), (2, 1, 1), (2, 2, -2), (7, 3, 3)].map(SeatScore::from).to_vec()),
            }),
            playtest: Playtest {
                thinking: [(3, 1, 4_200), (6, 2, 90)].map(ThinkingTime::from).to_vec(),
                marks: vec![Mark::from((6, 3, MarkKind::Unclear, "why \"this\"\n?".to_owned()))],
            },
            rules: [("variants/high-card/double.toml", TOML), ("variants/high-card/double.rhai", "fn x() {}\n")]
                .map(|(path, text)| RuleFile { path: path.to_owned(), text: text.to_owned() })
                .to_vec(),
        }
    }

    const TOML: &str = "id = 'double'\ngame = 'high-card'\nname = \"Double\"\ntext.a = '''\\d \"\"\" '''\n";

    #[test]
    fn writing_and_reading_is_the_identity() {
        let replay = example();
        let read = Replay::parse(&Source::new("a.toml", replay.to_toml())).map_err(|errors| errors[0].to_string());
        let read = read.map(|read| (read.replay, read.warnings.len()));
        assert_eq!(read, Ok((replay, 0)));
    }

    #[test]
    fn a_file_without_the_course_of_scores_reads_as_before() {
        let mut replay = example();
        replay.result = Some(ReplayResult { over: true, scores: vec![1, 2, 3], course: None });
        let text = replay.to_toml();
        assert!(!text.contains("course"), "{text}");
        let read = Replay::parse(&Source::new("a.toml", text)).map_err(|errors| errors[0].to_string());
        assert_eq!(read.map(|read| (read.replay, read.warnings.len())), Ok((replay, 0)));
    }
}
