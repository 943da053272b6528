//! The games of a simulation as rows of a CSV file, for notebooks and spreadsheets.

use super::{Context, Failure, OutFile};
use crate::diagnostic::visible;
use crate::files::FileFormat;
use crate::json;
use crate::lab::measures::Column;
use crate::lab::play::{Ending, Game};
use serde_json::{Map, Value as Json};
use std::io::Write as _;
use std::path::Path;

/// The format of the file, recognised by its first line.
const CSV: FileFormat = FileFormat { name: "a table of games", beginning: "seed,ending," };

/// The number of rows held back before the header is written: every metric measured in them gets a column.
const ROWS_BEFORE_COLUMNS: usize = 16_384;

/// A CSV file being written: one row per game, in the order of the seeds.
pub(super) struct GameRows {
    file: OutFile,
    measures: Vec<Column>,
    /// The metrics with a column, sorted; `None` until the header is written.
    metrics: Option<Vec<String>>,
    waiting: Vec<Row>,
}

/// The columns of a game.
struct Row {
    seed: u64,
    ending: &'static str,
    values: Vec<Option<i64>>,
    metrics: Vec<(String, i64)>,
}

impl GameRows {
    /// Creates the file, if one is wanted.
    ///
    /// # Errors
    /// The file cannot be written, or a file of another kind exists there.
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

    /// Appends games.
    ///
    /// # Errors
    /// The file cannot be written, for example because the disk is full.
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

    /// Writes the remaining rows, and moves the file into place.
    ///
    /// # Errors
    /// The same as of [`Self::add`]; then no file is left.
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

    /// The names of the columns. The first rows determine which metrics the rules measure.
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

/// The cells of a row: whole numbers, or decimals in the measure's unit; empty where nothing was measured. Metrics
/// without a column are JSON in the last cell.
fn cells(row: &Row, measures: &[Column], metrics: &[String]) -> Vec<String> {
    let mut cells = vec![row.seed.to_string(), row.ending.to_owned()];
    // A game without an end has no values.
    let values = row.values.iter().copied().chain(std::iter::repeat(None));
    cells.extend(measures.iter().zip(values).map(|(column, value)| match (column.measure.scale, value) {
        (_, None) => String::new(),
        (1, Some(value)) => value.to_string(),
        (scale, Some(value)) => (value as f64 / scale as f64).to_string(),
    }));
    // A metric not measured in a finished game has the sum 0; in an unfinished game it is unknown.
    let sum_of = |name: &String| row.metrics.iter().find(|(known, _)| known == name).map_or(0, |(_, sum)| *sum);
    let is_finished = row.ending == "finished";
    cells.extend(metrics.iter().map(|name| if is_finished { sum_of(name).to_string() } else { String::new() }));
    let others = row.metrics.iter().filter(|(name, _)| metrics.binary_search(name).is_err());
    let others: Map<String, Json> = others.map(|(name, sum)| (name.clone(), Json::from(*sum))).collect();
    cells.push(if others.is_empty() { String::new() } else { quoted(&json::text(&Json::Object(others))) });
    cells
}

/// A text quoted for CSV (RFC 4180).
fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
