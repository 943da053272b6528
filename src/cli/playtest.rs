//! `houserule playtest`: what people did at the table, out of saved games.

use super::sim::PaceGiven;
use super::{Context, FINE, Failure, Outcome, Printout};
use crate::catalogue::{said, say};
use crate::diagnostic::{Diagnostic, visible};
use crate::files::path_name;
use crate::lab::statistics::{Interval, Level, Moments, interval};
use crate::playthrough::log::Entry;
use crate::playthrough::opened::SavedGame;
use crate::playthrough::playtest::Playtest;
use crate::ruleset::typed;
use crate::screen::style::{Label, Line};
use clap::Args;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Show what people marked in saved games and how long they thought
#[derive(Debug, Args)]
pub(super) struct PlaytestArgs {
    /// Games saved after people have played at the live table
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Seconds that you expect for a decision with a choice, and for one without
    #[arg(long, value_name = "SECONDS,SECONDS", default_value = "6,2", allow_hyphen_values = true)]
    pace: PaceGiven,

    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// The times of one kind of decision.
#[derive(Default)]
struct Times {
    moments: Moments,
    longest: u64,
    /// Where the longest is: the file, and the number of the move.
    place: (usize, usize),
}

impl Times {
    fn record(&mut self, milliseconds: u64, place: (usize, usize)) {
        self.moments.record(i64::try_from(milliseconds).unwrap_or(i64::MAX));
        if milliseconds >= self.longest {
            (self.longest, self.place) = (milliseconds, place);
        }
    }

    /// The mean in milliseconds, with its interval.
    fn mean(&self) -> Option<Interval> {
        interval::mean(&self.moments, 1.0, Level::NINETY_FIVE)
    }
}

/// A mark, with the file that it is in.
struct Marked<'p> {
    file: usize,
    mark: &'p crate::playthrough::playtest::Mark,
}

impl PlaytestArgs {
    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        let mut found: Vec<Playtest> = Vec::new();
        let mut times: BTreeMap<String, Times> = BTreeMap::new();
        let mut all = Times::default();
        for (file, path) in self.files.iter().enumerate() {
            let opened =
                SavedGame::open(path, &context.library, false, context.work.clone()).map_err(Failure::wrong)?;
            let game = &opened.playthrough;
            let log = game.timeline().log();
            let playtest = game.playtest.along(log);
            for thinking in &playtest.thinking {
                let entry = thinking.entry.checked_sub(1).and_then(|place| log.get(place));
                let Some(Entry::Choice { prompt, .. }) = entry else { continue };
                let place = (file, thinking.entry);
                times.entry(prompt.to_string()).or_default().record(thinking.milliseconds, place);
                all.record(thinking.milliseconds, place);
            }
            found.push(playtest);
        }
        let marks = found.iter().enumerate();
        let marks: Vec<Marked<'_>> =
            marks.flat_map(|(file, playtest)| playtest.marks.iter().map(move |mark| Marked { file, mark })).collect();
        if all.moments.count() == 0 && marks.is_empty() {
            let error = Diagnostic::new("nothing of people is recorded in these games");
            return Err(Failure::no(
                error.help("games that are played by links record it: `houserule play GAME --invite p1,p2`"),
            ));
        }
        if self.json {
            out.json(&self.report(&marks, &times, &all));
            return Ok(FINE);
        }
        self.tell_marks(&marks, out);
        self.tell_times(&times, &all, out);
        Ok(FINE)
    }

    fn name(&self, file: usize) -> String {
        self.files.get(file).map(|path| path_name(path)).unwrap_or_default()
    }

    fn tell_marks(&self, marks: &[Marked<'_>], out: &mut Printout) {
        if marks.is_empty() {
            return;
        }
        let mut lines = vec![Line::strong(said("What players marked"))];
        for Marked { file, mark } in marks {
            let kind = match mark.kind {
                crate::playthrough::playtest::MarkKind::Unclear => said("did not understand this"),
                crate::playthrough::playtest::MarkKind::Fun => said("had fun"),
                crate::playthrough::playtest::MarkKind::Slow => said("found this too long"),
            };
            let lead = Line::of(format!("  p{} ", mark.seat), Label::Turn).with(kind, Label::Plain);
            let words = if mark.words.is_empty() { String::new() } else { format!("  “{}”", visible(&mark.words)) };
            lines.push(lead.with(words, Label::Strong));
            let (name, number) = (self.name(*file), mark.entries + 1);
            lines.push(Line::faint(format!("    `houserule play {} --at {number}`", typed(&name))));
        }
        lines.push(Line::default());
        out.show(lines);
    }

    fn tell_times(&self, times: &BTreeMap<String, Times>, all: &Times, out: &mut Printout) {
        if all.moments.count() == 0 {
            return;
        }
        let mut lines = vec![Line::strong(said("How long they thought, in seconds (mean, 95 %, longest)"))];
        let whole = said("all decisions");
        let names = times.keys().map(|prompt| prompt.replace('_', " ")).chain([whole.to_owned()]);
        let wide = names.map(|name| Line::plain(name).width()).max().unwrap_or(0);
        let rows = times.iter().map(|(prompt, times)| (prompt.replace('_', " "), times));
        for (name, times) in rows.chain([(whole.to_owned(), all)]) {
            let Some(mean) = times.mean() else { continue };
            let between = if mean.low.is_finite() {
                format!("{}–{}", seconds(mean.low.max(0.0)), seconds(mean.high))
            } else {
                "?".to_owned()
            };
            let (file, number) = times.place;
            let line = Line::plain(format!("  {name}")).padded(wide + 2);
            let line = line.with(format!("{:>6}", format!("×{}", times.moments.count())), Label::Faint);
            let line = line.with(format!("{:>8}", seconds(mean.estimate)), Label::Strong);
            let line = line.with(format!("{between:>14}{:>8}  ", seconds(times.longest as f64)), Label::Plain);
            lines.push(line.with(say!("{}, move {number}", visible(&self.name(file))), Label::Faint));
        }
        let expected = self.pace.0.free as f64;
        if let Some(mean) = all.mean() {
            lines.push(Line::default());
            let (mean, expected) = (seconds(mean.estimate), seconds(expected));
            lines.push(Line::plain(say!(
                "`--pace` expects {expected} s for a decision with a choice; here it was {mean} s"
            )));
        }
        out.show(lines);
    }

    fn report(&self, marks: &[Marked<'_>], times: &BTreeMap<String, Times>, all: &Times) -> Value {
        let marks: Vec<Value> = marks
            .iter()
            .map(|Marked { file, mark }| {
                json!({
                    "file": self.name(*file), "move": mark.entries + 1, "seat": mark.seat, "kind": mark.kind.name(),
                    "words": mark.words,
                })
            })
            .collect();
        let of = |times: &Times| {
            let mean = times.mean();
            let finite = |value: f64| value.is_finite().then_some(value / 1_000.0);
            json!({
                "choices": times.moments.count(), "mean": mean.map(|mean| mean.estimate / 1_000.0),
                "low": mean.and_then(|mean| finite(mean.low)), "high": mean.and_then(|mean| finite(mean.high)),
                "longest": times.longest as f64 / 1_000.0, "longest_in": self.name(times.place.0),
                "longest_at": times.place.1,
            })
        };
        let by_prompt: serde_json::Map<String, Value> =
            times.iter().map(|(prompt, times)| (prompt.clone(), of(times))).collect();
        json!({ "games": self.files.len(), "marks": marks, "seconds": of(all), "by_prompt": by_prompt })
    }
}

/// Milliseconds as seconds, with one decimal.
fn seconds(milliseconds: f64) -> String {
    format!("{:.1}", milliseconds / 1_000.0)
}
