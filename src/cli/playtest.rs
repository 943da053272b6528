//! The command `houserule playtest`: what people did at the table, from saved games.

use super::sim::PaceArgument;
use super::{Context, EXIT_SUCCESS, Failure, Outcome, Printout};
use crate::agent::search::Budget;
use crate::agent::{AgentSpec, Search};
use crate::catalogue::{message, said, say};
use crate::diagnostic::{Diagnostic, Diagnostics, visible};
use crate::files::path_name;
use crate::host::terminal::columns;
use crate::inspect::review::{Moment, Review};
use crate::lab::statistics::{Interval, Level, Moments, interval};
use crate::playthrough::log::Entry;
use crate::playthrough::playtest::Playtest;
use crate::playthrough::saved_game::SavedGame;
use crate::ruleset::shell_quoted;
use crate::screen::style::{self, Label, Line};
use crate::sorted::SortedMap;
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Show what people marked in saved games and how long they thought
#[derive(Debug, Args)]
pub(super) struct PlaytestArgs {
    /// Games saved after people have played at the live table
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Seconds that you expect for a decision with a choice, and for one without
    #[arg(long, value_name = "SECONDS,SECONDS", default_value = "6,2", allow_hyphen_values = true)]
    pace: PaceArgument,

    /// Set what people chose beside what an agent that searches holds best, such as search:200
    #[arg(long, value_name = "AGENT")]
    analyze: Option<String>,

    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// An agent's evaluation of people's choices in one kind of decision.
#[derive(Default)]
struct AgentEvaluation {
    /// The number of choices that are the agent's favourite.
    same: u64,
    /// The costs of the choices by the agent's estimate, in thousandths of a win.
    costs: Moments,
    /// The costliest choice: its cost in thousandths of a win, the index of the file, and the number of the move.
    costliest: (i64, usize, usize),
}

impl AgentEvaluation {
    fn record(&mut self, moment: &Moment, file: usize) {
        let sorted = |labels: &[String]| {
            let mut labels = labels.to_vec();
            labels.sort();
            labels
        };
        self.same += u64::from(sorted(&moment.chosen) == sorted(&moment.better));
        let cost = (moment.lost() * THOUSANDTHS).round() as i64;
        self.costs.record(cost);
        if self.costs.count() == 1 || cost > self.costliest.0 {
            self.costliest = (cost, file, moment.number);
        }
    }

    /// The share of choices that are the agent's favourite.
    fn share(&self) -> Option<Interval> {
        interval::share(self.same, self.costs.count(), Level::NINETY_FIVE)
    }

    /// The mean cost, in thousandths of a win.
    fn cost(&self) -> Option<Interval> {
        interval::mean(&self.costs, 1.0, Level::NINETY_FIVE)
    }
}

/// The factor from results, which go from 0 to 1, to thousandths.
const THOUSANDTHS: f64 = 1_000.0;

/// The thinking times for one kind of decision, in milliseconds.
#[derive(Default)]
struct ThinkingTimes {
    moments: Moments,
    longest: u64,
    /// The place of the longest time: the index of the file, and the number of the move.
    place: (usize, usize),
}

impl ThinkingTimes {
    fn record(&mut self, milliseconds: u64, place: (usize, usize)) {
        self.moments.record(i64::try_from(milliseconds).unwrap_or(i64::MAX));
        if milliseconds >= self.longest {
            (self.longest, self.place) = (milliseconds, place);
        }
    }

    /// The mean time in milliseconds, with its interval.
    fn mean(&self) -> Option<Interval> {
        interval::mean(&self.moments, 1.0, Level::NINETY_FIVE)
    }
}

/// A playtest mark, with the index of its file.
struct FileMark<'p> {
    file: usize,
    mark: &'p crate::playthrough::playtest::Mark,
}

impl PlaytestArgs {
    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        let search = self.analyze.as_deref().map(|name| searching(name).map_err(Failure::wrong)).transpose()?;
        let mut beside: SortedMap<String, AgentEvaluation> = SortedMap::new();
        let mut found: Vec<Playtest> = Vec::new();
        let mut times: SortedMap<String, ThinkingTimes> = SortedMap::new();
        let mut all = ThinkingTimes::default();
        for (file, path) in self.files.iter().enumerate() {
            let opened =
                SavedGame::open(path, &context.library, false, context.work.clone()).map_err(Failure::wrong)?;
            let mut told: Vec<Diagnostic> = opened.told.iter().cloned().map(Diagnostic::warning).collect();
            if let Some(last) = told.last_mut() {
                last.help.push(message!("`houserule replay {}` shows more", shell_quoted(&self.name(file))).into());
            }
            out.tell(&told);
            let game = &opened.playthrough;
            let log = game.timeline().log();
            let playtest = game.playtest.along(log);
            for thinking in &playtest.thinking {
                let entry = thinking.entry.checked_sub(1).and_then(|place| log.get(place));
                let Some(Entry::Choice { prompt, .. }) = entry.map(|entry| &**entry) else { continue };
                let place = (file, thinking.entry);
                times.entry(prompt.to_string()).or_default().record(thinking.milliseconds, place);
                all.record(thinking.milliseconds, place);
            }
            if let Some(budget) = search {
                let reviewed = Review::of(game, &Search::new(game.seed, budget)).map_err(Failure::wrong)?;
                let is_theirs = |moment: &&Moment| playtest.thinking.iter().any(|one| one.entry == moment.number);
                for moment in reviewed.moments.iter().filter(is_theirs) {
                    beside.entry(moment.prompt.to_string()).or_default().record(moment, file);
                }
            }
            found.push(playtest);
        }
        let marks = found.iter().enumerate();
        let marks: Vec<FileMark<'_>> =
            marks.flat_map(|(file, playtest)| playtest.marks.iter().map(move |mark| FileMark { file, mark })).collect();
        if all.moments.count() == 0 && marks.is_empty() {
            let error = Diagnostic::new("nothing of people is recorded in these games");
            return Err(Failure::no(
                error
                    .help("games that are played by links record it: `houserule play GAME --invite p1,p2`")
                    .help("answers that are typed in the REPL are not timed"),
            ));
        }
        if self.json {
            let mut report = self.report(&marks, &times, &all);
            if search.is_some() {
                report["beside"] = self.report_beside(&beside);
            }
            out.json(&report);
            return Ok(EXIT_SUCCESS);
        }
        self.tell_marks(&marks, out);
        self.tell_times(&times, &all, out);
        self.tell_beside(&beside, out);
        Ok(EXIT_SUCCESS)
    }

    fn name(&self, file: usize) -> String {
        self.files.get(file).map(|path| path_name(path)).unwrap_or_default()
    }

    fn tell_marks(&self, marks: &[FileMark<'_>], out: &mut Printout) {
        if marks.is_empty() {
            return;
        }
        let mut lines = vec![Line::strong(said("What players marked"))];
        for FileMark { file, mark } in marks {
            let kind = match mark.kind {
                crate::playthrough::playtest::MarkKind::Unclear => said("did not understand this"),
                crate::playthrough::playtest::MarkKind::Fun => said("had fun"),
                crate::playthrough::playtest::MarkKind::Slow => said("found this too long"),
            };
            let lead = Line::of(format!("  p{} ", mark.seat), Label::Turn).with(kind, Label::Plain);
            let words = if mark.words.is_empty() { String::new() } else { format!("  “{}”", visible(&mark.words)) };
            lines.push(lead.with(words, Label::Strong));
            let (name, number) = (self.name(*file), mark.entries + 1);
            lines.push(Line::faint(format!("    `houserule play {} --at {number}`", shell_quoted(&name))));
        }
        lines.push(Line::default());
        out.show(lines);
    }

    fn tell_times(&self, times: &SortedMap<String, ThinkingTimes>, all: &ThinkingTimes, out: &mut Printout) {
        if all.moments.count() == 0 {
            return;
        }
        let rows = times.iter().map(|(prompt, times)| (prompt.replace('_', " "), times));
        let rows = rows.chain([(said("all decisions").to_owned(), all)]).filter_map(|(name, times)| {
            let mean = times.mean()?;
            let figures = vec![
                times.moments.count().to_string(),
                seconds(mean.estimate),
                between(&mean, f64::INFINITY, seconds),
                seconds(times.longest as f64),
            ];
            Some(Row { name, figures, place: self.place(times.place) })
        });
        let mut lines = vec![Line::strong(said("How long they thought, in seconds"))];
        lines.extend(in_columns(&[said("choices"), said("mean"), "95 %", said("longest")], rows.collect()));
        let expected = self.pace.0.free as f64;
        if let Some(mean) = all.mean() {
            lines.push(Line::default());
            let (mean, expected) = (seconds(mean.estimate), seconds(expected));
            let remark =
                say!("a decision took {mean} s on average; `--pace` assumes {expected} s where there is a choice");
            lines.extend(style::wrapped(&remark, columns()));
        }
        out.show(lines);
    }

    fn tell_beside(&self, beside: &SortedMap<String, AgentEvaluation>, out: &mut Printout) {
        let Some(agent) = &self.analyze else { return };
        let mut lines = vec![Line::default()];
        if beside.is_empty() {
            let none = say!("no choice of people is recorded in which {agent} had something to choose");
            lines.extend(style::wrapped(&none, columns()));
            out.show(lines);
            return;
        }
        let rows = beside.iter().filter_map(|(prompt, beside)| {
            let (share, cost) = (beside.share()?, beside.cost()?);
            let (largest, file, number) = beside.costliest;
            let figures = vec![
                beside.costs.count().to_string(),
                format!("{} %", percent(share.estimate)),
                between(&share, 1.0, percent),
                hundredths(cost.estimate),
                between(&cost, THOUSANDTHS, hundredths),
                hundredths(largest as f64),
            ];
            Some(Row { name: prompt.replace('_', " "), figures, place: self.place((file, number)) })
        });
        let heads = [said("choices"), said("same"), "95 %", said("cost"), "95 %", said("largest")];
        lines.push(Line::strong(say!("What people chose beside {agent}")));
        lines.extend(in_columns(&heads, rows.collect()));
        lines.push(Line::default());
        let legend = said(
            "same: how often they chose what the agent holds best; cost: how much less it expects of their choice than of \
             its own, where a clear win is 100 and a clear loss 0",
        );
        lines.extend(style::wrapped(legend, columns()));
        out.show(lines);
    }

    /// The file and move of a figure, in words.
    fn place(&self, (file, number): (usize, usize)) -> String {
        say!("{}, move {number}", visible(&self.name(file)))
    }

    fn report_beside(&self, beside: &SortedMap<String, AgentEvaluation>) -> Value {
        let of = |beside: &AgentEvaluation| {
            let (share, cost) = (beside.share(), beside.cost());
            // The cost of a choice is between 0 and one win, so the interval is cut to that.
            let part =
                |thousandths: f64| thousandths.is_finite().then_some(thousandths.clamp(0.0, THOUSANDTHS) / THOUSANDTHS);
            let (largest, file, number) = beside.costliest;
            json!({
                "choices": beside.costs.count(), "same": beside.same,
                "share": share.map(|share| share.estimate), "share_low": share.map(|share| share.low),
                "share_high": share.map(|share| share.high), "cost": cost.and_then(|cost| part(cost.estimate)),
                "cost_low": cost.and_then(|cost| part(cost.low)), "cost_high": cost.and_then(|cost| part(cost.high)),
                "largest": part(largest as f64), "largest_in": self.name(file), "largest_at": number,
            })
        };
        beside.iter().map(|(prompt, beside)| (prompt.clone(), of(beside))).collect::<serde_json::Map<_, _>>().into()
    }

    fn report(&self, marks: &[FileMark<'_>], times: &SortedMap<String, ThinkingTimes>, all: &ThinkingTimes) -> Value {
        let marks: Vec<Value> = marks
            .iter()
            .map(|FileMark { file, mark }| {
                json!({
                    "file": self.name(*file), "move": mark.entries + 1, "seat": mark.seat, "kind": mark.kind.name(),
                    "words": mark.words,
                })
            })
            .collect();
        let of = |times: &ThinkingTimes| {
            let mean = times.mean();
            // Times are not negative, so the interval is cut at 0.
            let finite = |value: f64| value.is_finite().then_some(value.max(0.0) / 1_000.0);
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

/// The budget of a searching agent.
fn searching(name: &str) -> Result<Budget, Diagnostics> {
    match AgentSpec::parse(name, None)? {
        AgentSpec::Search(budget) => Ok(budget),
        spec => Err(Diagnostic::new(message!("`{spec}` does not say what it expects of options"))
            .help("write an agent that does, such as `search:200`")
            .into()),
    }
}

/// A row of a table, with the place of its last figure.
struct Row {
    name: String,
    figures: Vec<String>,
    place: String,
}

/// A table with column heads, each column as wide as its widest figure. Places go to a line below where they do not
/// fit.
fn in_columns(heads: &[&str], rows: Vec<Row>) -> Vec<Line> {
    let name_width = rows.iter().map(|row| style::width(&row.name)).max().unwrap_or(0);
    let width = |(number, head): (usize, &&str)| {
        let figures = rows.iter().filter_map(|row| row.figures.get(number));
        figures.map(|figure| style::width(figure)).max().unwrap_or(0).max(style::width(head))
    };
    let widths: Vec<usize> = heads.iter().enumerate().map(width).collect();
    let row_width = 2 + name_width + widths.iter().map(|width| width + 2).sum::<usize>();
    let is_beside = rows.iter().all(|row| row_width + 2 + style::width(&row.place) <= columns());
    let aligned = |name: &str, figures: &mut dyn Iterator<Item = &str>, label: Label| {
        let lead = Line::plain(format!("  {}", style::pad(name, name_width)));
        figures
            .zip(&widths)
            .fold(lead, |line, (figure, width)| line.with(format!("  {}", style::pad_left(figure, *width)), label))
    };
    let mut lines = vec![aligned("", &mut heads.iter().copied(), Label::Faint)];
    for Row { name, figures, place } in &rows {
        let line = aligned(name, &mut figures.iter().map(String::as_str), Label::Plain);
        if is_beside {
            lines.push(line.with(format!("  {place}"), Label::Faint));
        } else {
            lines.extend([line, Line::faint(format!("    {place}"))]);
        }
    }
    lines
}

/// An interval in words, cut to 0 and `most`; a dash where too little is known.
fn between(interval: &Interval, most: f64, in_words: impl Fn(f64) -> String) -> String {
    match interval.low.is_finite() && interval.high.is_finite() {
        true => format!("{}–{}", in_words(interval.low.max(0.0)), in_words(interval.high.min(most))),
        false => "–".to_owned(),
    }
}

/// A share as a percentage.
fn percent(share: f64) -> String {
    format!("{:.0}", 100.0 * share)
}

/// Thousandths of a win as hundredths, with one decimal.
fn hundredths(thousandths: f64) -> String {
    format!("{:.1}", thousandths / 10.0)
}

/// Milliseconds as seconds, with one decimal.
fn seconds(milliseconds: f64) -> String {
    format!("{:.1}", milliseconds / 1_000.0)
}
