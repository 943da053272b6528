//! Every game of a simulation as a row of CSV, for notebooks and spreadsheets.

use super::{Context, Failure, OutFile};
use crate::diagnostic::visible;
use crate::files::Format;
use crate::json;
use crate::lab::measures::Column;
use crate::lab::play::{Ending, Game};
use serde_json::{Map, Value as Json};
use std::io::Write as _;
use std::path::Path;

/// How a file of rows begins, so that it may be overwritten by another.
const CSV: Format = Format { name: "a table of games", beginning: "seed,ending," };

/// Rows that are kept before the first is written: each metric that the rules measure in one of them gets a column.
const ROWS_BEFORE_COLUMNS: usize = 16_384;

/// A CSV file that is being written. Each row is a game, in the order of the seeds.
pub(super) struct GameRows {
    file: OutFile,
    measures: Vec<Column>,
    /// Metrics of the rules that have a column, sorted; `None` until the head is written.
    metrics: Option<Vec<String>>,
    waiting: Vec<Row>,
}

/// A game, without what is of no use in a table.
struct Row {
    seed: u64,
    ending: &'static str,
    values: Vec<Option<i64>>,
    metrics: Vec<(String, i64)>,
}

impl GameRows {
    /// Begins the file, if one is wanted.
    ///
    /// # Errors
    /// It cannot be written, or a file of another kind is there.
    pub(super) fn begin(
        path: Option<&Path>,
        force: bool,
        measures: Vec<Column>,
        context: &Context,
    ) -> Result<Option<Self>, Failure> {
        let Some(path) = path else { return Ok(None) };
        let file = OutFile::begin(path, CSV, force, context)?;
        Ok(Some(Self { file, measures, metrics: None, waiting: Vec::new() }))
    }

    /// Adds games behind those that are there.
    ///
    /// # Errors
    /// The file cannot be written: the disk is full, for example.
    pub(super) fn add(&mut self, games: &[Game], context: &Context) -> Result<(), Failure> {
        self.waiting.extend(games.iter().map(|game| Row {
            seed: game.seed,
            ending: match game.ending {
                Ending::Finished => "finished",
                Ending::Failed(_) => "failed",
                Ending::Endless(_) => "endless",
            },
            values: game.values.clone(),
            metrics: game.metrics.clone(),
        }));
        if self.waiting.len() >= ROWS_BEFORE_COLUMNS { self.write(context) } else { Ok(()) }
    }

    /// Writes what is left, and puts the file in its place.
    ///
    /// # Errors
    /// Those of [`Self::add`]; then there is no file.
    pub(super) fn finish(mut self, context: &Context) -> Result<(), Failure> {
        self.write(context)?;
        self.file.finish(context)
    }

    fn write(&mut self, context: &Context) -> Result<(), Failure> {
        let rows = std::mem::take(&mut self.waiting);
        let head = if self.metrics.is_none() { Some(self.head(&rows)) } else { None };
        let metrics = self.metrics.as_deref().unwrap_or_default();
        let rows = rows.iter().map(|row| cells(row, &self.measures, metrics));
        for line in head.into_iter().chain(rows) {
            writeln!(self.file, "{}", line.join(",")).map_err(|error| self.file.target().failed(context, &error))?;
        }
        Ok(())
    }

    /// The names of the columns; the first games tell what the rules measure.
    fn head(&mut self, rows: &[Row]) -> Vec<String> {
        let mut metrics: Vec<_> = rows.iter().flat_map(|row| &row.metrics).map(|(name, _)| name.clone()).collect();
        metrics.sort_unstable();
        metrics.dedup();
        let mut names = vec!["seed".to_owned(), "ending".to_owned()];
        names.extend(self.measures.iter().map(Column::id));
        names.extend(metrics.iter().map(|name| format!("metric.{}", visible(name))));
        names.push("other_metrics".to_owned());
        self.metrics = Some(metrics);
        names.iter().map(|name| quoted(name)).collect()
    }
}

/// A row: a whole number where the measure is one, else a decimal in its unit; empty where nothing was measured. Metrics
/// of the rules without a column are JSON in the last cell.
fn cells(row: &Row, measures: &[Column], metrics: &[String]) -> Vec<String> {
    let mut cells = vec![row.seed.to_string(), row.ending.to_owned()];
    // A game without an end has no values.
    let values = row.values.iter().copied().chain(std::iter::repeat(None));
    cells.extend(measures.iter().zip(values).map(|(column, value)| match (column.measure.scale, value) {
        (_, None) => String::new(),
        (1, Some(value)) => value.to_string(),
        (scale, Some(value)) => (value as f64 / scale as f64).to_string(),
    }));
    // What was not measured in a game has the sum 0 there; in a game without an end it is not known.
    let sum_of = |name: &String| row.metrics.iter().find(|(known, _)| known == name).map_or(0, |(_, sum)| *sum);
    let is_finished = row.ending == "finished";
    cells.extend(metrics.iter().map(|name| if is_finished { sum_of(name).to_string() } else { String::new() }));
    let others = row.metrics.iter().filter(|(name, _)| metrics.binary_search(name).is_err());
    let others: Map<String, Json> = others.map(|(name, sum)| (name.clone(), Json::from(*sum))).collect();
    cells.push(if others.is_empty() { String::new() } else { quoted(&json::text(&Json::Object(others))) });
    cells
}

/// A text as it stands in CSV (RFC 4180).
fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
