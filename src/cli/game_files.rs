//! Every game of a simulation as a row of a table: CSV and Parquet, for notebooks and spreadsheets.

use super::{Context, Failure};
use crate::diagnostic::{Diagnostics, visible};
use crate::files::Format;
use crate::files::{MayReplace, NotWritten};
use crate::host::file::{Draft, cannot_be_written};
use crate::host::parquet::{MARKED, Parquet, Values};
use crate::json;
use crate::lab::measures::Column;
use crate::lab::part::PlanFacts;
use crate::lab::play::{Ending, Game};
use serde_json::{Map, Value as Json};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// What a table of games is as CSV.
const CSV: Format = Format { name: "a table of games", beginning: "seed,ending," };

/// What a table of games is as Parquet.
const PARQUET: Format = Format { name: "a table of games", beginning: MARKED };

/// So many rows are held and written together. What the rules measure in the first of these groups has columns of its
/// own.
const GROUP: usize = 16_384;

/// The files on their way. Each row is a game, in the order of the seeds.
pub(super) struct GameFiles {
    csv: Option<(PathBuf, Draft)>,
    parquet: Option<(PathBuf, Draft)>,
    begun: Option<Begun>,
    columns: Vec<Column>,
    facts: String,
    held: Vec<Row>,
}

/// What is known once rows are written.
struct Begun {
    metrics: Vec<String>,
    csv: Option<(PathBuf, Draft)>,
    parquet: Option<(PathBuf, Parquet<Draft>)>,
}

/// A game, without what is of no use in a table.
struct Row {
    seed: u64,
    ending: &'static str,
    values: Vec<Option<i64>>,
    metrics: Vec<(String, i64)>,
}

impl GameFiles {
    /// Begins the files that are wanted.
    ///
    /// # Errors
    /// One cannot be written, or something else is there.
    pub(super) fn begin(
        csv: Option<&Path>,
        parquet: Option<&Path>,
        force: bool,
        columns: Vec<Column>,
        facts: &PlanFacts,
        context: &Context,
    ) -> Result<Self, Failure> {
        let draft = |path: Option<&Path>, format| {
            let may = if force { MayReplace::Anything } else { MayReplace::Only(format) };
            let draft = path.map(|path| Ok((path.to_owned(), Draft::new(path, may, context.work.flag())?)));
            draft.transpose().map_err(refused)
        };
        let (csv, parquet) = (draft(csv, CSV)?, draft(parquet, PARQUET)?);
        Ok(Self { csv, parquet, begun: None, columns, facts: json::text(&facts.to_json()), held: Vec::new() })
    }

    /// Whether any file is wanted.
    pub(super) fn are_wanted(&self) -> bool {
        self.csv.is_some() || self.parquet.is_some() || self.begun.is_some()
    }

    /// Adds games behind those that are there.
    ///
    /// # Errors
    /// The disk is full, or whatever else the system says.
    pub(super) fn add(&mut self, games: &[Game]) -> Result<(), Failure> {
        self.held.extend(games.iter().map(|game| Row {
            seed: game.seed,
            ending: match game.ending {
                Ending::Finished => "finished",
                Ending::Failed(_) => "failed",
                Ending::Endless(_) => "endless",
            },
            values: game.values.clone(),
            metrics: game.metrics.clone(),
        }));
        if self.held.len() >= GROUP { self.write_held() } else { Ok(()) }
    }

    /// Writes what is left, and puts the files in their places.
    ///
    /// # Errors
    /// As [`Self::add`]; then neither file is there.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        self.write_held()?;
        let Some(Begun { csv, parquet, .. }) = self.begun else { return Ok(()) };
        let parquet = parquet.map(|(path, file)| {
            let draft = file.finish("houserule", &self.facts).map_err(|error| not_written(&path, &error))?;
            Ok::<_, Failure>((path, draft))
        });
        for (path, draft) in [csv, parquet.transpose()?].into_iter().flatten() {
            draft.finish().map_err(|error| not_written(&path, &error))?;
        }
        Ok(())
    }

    fn write_held(&mut self) -> Result<(), Failure> {
        let rows = std::mem::take(&mut self.held);
        if self.begun.is_none() {
            self.begun = Some(self.begin_tables(&rows)?);
        }
        let Some(begun) = &mut self.begun else { return Ok(()) };
        let columns = columns_of(&rows, &self.columns, &begun.metrics);
        if let Some((path, draft)) = &mut begun.csv {
            write_csv(draft, rows.len(), &columns).map_err(|error| not_written(path, &error))?;
        }
        if let Some((path, file)) = begun.parquet.as_mut().filter(|_| !rows.is_empty()) {
            file.write(&columns).map_err(|error| not_written(path, &error))?;
        }
        Ok(())
    }

    /// Writes the names of the columns, once the first games say what the rules measure.
    fn begin_tables(&mut self, rows: &[Row]) -> Result<Begun, Failure> {
        let mut metrics: Vec<String> =
            rows.iter().flat_map(|row| row.metrics.iter().map(|(name, _)| name.clone())).collect();
        metrics.sort_unstable();
        metrics.dedup();
        let mut names = vec!["seed".to_owned(), "ending".to_owned()];
        names.extend(self.columns.iter().map(Column::id));
        names.extend(metrics.iter().map(|name| format!("metric.{}", visible(name))));
        names.push("other_metrics".to_owned());
        let csv = self.csv.take().map(|(path, mut draft)| {
            let head: Vec<String> = names.iter().map(|name| quoted(name)).collect();
            writeln!(draft, "{}", head.join(",")).map_err(|error| not_written(&path, &error))?;
            Ok::<_, Failure>((path, draft))
        });
        let parquet = self.parquet.take().map(|(path, draft)| match Parquet::new(draft, names.clone()) {
            Ok(file) => Ok((path, file)),
            Err(error) => Err(not_written(&path, &error)),
        });
        Ok(Begun { metrics, csv: csv.transpose()?, parquet: parquet.transpose()? })
    }
}

/// The rows as columns: a whole number where the measure is one, and else a decimal in its unit. What the rules measure
/// and has no column of its own is JSON.
fn columns_of(rows: &[Row], measures: &[Column], metrics: &[String]) -> Vec<Values> {
    let mut columns = vec![
        Values::Whole(rows.iter().map(|row| i64::try_from(row.seed).ok()).collect()),
        Values::Text(rows.iter().map(|row| Some(row.ending.to_owned())).collect()),
    ];
    for (place, column) in measures.iter().enumerate() {
        let values = rows.iter().map(|row| row.values.get(place).copied().flatten());
        let scale = column.measure.scale;
        columns.push(match scale {
            1 => Values::Whole(values.collect()),
            scale => Values::Decimal(values.map(|value| value.map(|value| value as f64 / scale as f64)).collect()),
        });
    }
    // What was not measured in a game has the sum 0 there; in a game without an end it is not known.
    let sum_in = |row: &Row, name: &String| {
        let sum = row.metrics.iter().find(|(known, _)| known == name).map_or(0, |(_, sum)| *sum);
        (row.ending == "finished").then_some(sum)
    };
    for name in metrics {
        columns.push(Values::Whole(rows.iter().map(|row| sum_in(row, name)).collect()));
    }
    let others = rows.iter().map(|row| {
        let others = row.metrics.iter().filter(|(name, _)| metrics.binary_search(name).is_err());
        let others: Map<String, Json> = others.map(|(name, sum)| (name.clone(), Json::from(*sum))).collect();
        (!others.is_empty()).then(|| json::text(&Json::Object(others)))
    });
    columns.push(Values::Text(others.collect()));
    columns
}

fn write_csv(draft: &mut Draft, rows: usize, columns: &[Values]) -> io::Result<()> {
    for row in 0..rows {
        for (place, column) in columns.iter().enumerate() {
            if place > 0 {
                draft.write_all(b",")?;
            }
            let cell = match column {
                Values::Whole(values) => values.get(row).copied().flatten().map(|value| value.to_string()),
                Values::Decimal(values) => values.get(row).copied().flatten().map(|value| value.to_string()),
                Values::Text(values) => values.get(row).and_then(Option::as_deref).map(quoted),
            };
            draft.write_all(cell.unwrap_or_default().as_bytes())?;
        }
        draft.write_all(b"\n")?;
    }
    Ok(())
}

/// A text as it stands in CSV (RFC 4180).
fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

fn not_written(path: &Path, error: &io::Error) -> Failure {
    Failure::wrong(cannot_be_written(path, error))
}

/// Why a file is not written, and what to do where the person may say that it is.
pub(super) fn refused(not_written: NotWritten) -> Failure {
    let errors: Diagnostics = match not_written {
        NotWritten::Occupied(errors) => errors.help("`--force` overwrites it; or give another path"),
        NotWritten::Failed(errors) => errors,
    };
    Failure::wrong(errors)
}
