//! Coverage of the rules: as a table, as a page, and for other tools.

use super::out_file::refuse_shared;
use super::{Context, Failure, OutFile, Printout, all_of};
use crate::catalogue::{said, say};
use crate::diagnostic::visible;
use crate::files::FileFormat;
use crate::lab::coverage::{Coverage, CoverageCount, LCOV, LayerSort, Purpose, lcov};
use crate::screen::html::coverage::{COVERAGE, page};
use crate::screen::style;
use clap::Args;
use serde_json::{Value as Json, json};
use std::path::PathBuf;

/// Where coverage goes.
#[derive(Debug, Args)]
pub(super) struct CoverageFiles {
    /// Show which functions, statements and branches of each layer were reached
    #[arg(long)]
    coverage: bool,

    /// With --coverage: write a web page with the scripts and how often each line was reached; `-` is standard output
    #[arg(long = "html", value_name = "FILE", requires = "coverage")]
    page: Option<PathBuf>,

    /// With --coverage: write lcov's format, which editors and services read; `-` is standard output
    #[arg(long, value_name = "FILE", requires = "coverage")]
    lcov: Option<PathBuf>,

    /// Overwrite the file of --html or --lcov even if something else is there
    #[arg(long, requires = "coverage")]
    force: bool,
}

impl CoverageFiles {
    /// The files asked for by a command with other option names.
    pub(super) fn of(page: Option<PathBuf>, lcov: Option<PathBuf>, force: bool) -> Self {
        Self { coverage: true, page, lcov, force }
    }

    /// Whether coverage is wanted.
    pub(super) fn is_wanted(&self) -> bool {
        self.coverage
    }

    /// Creates the files, so that an unwritable path is reported before an hour of games.
    ///
    /// # Errors
    /// A file cannot be written or is named twice, or another kind of file exists there.
    pub(super) fn begin(&self, context: &Context) -> Result<CoverageDrafts, Failure> {
        refuse_shared(self.page.iter().chain(&self.lcov))?;
        let mut drafts = Vec::new();
        let wanted: [(&Option<PathBuf>, FileFormat, Content); 2] =
            [(&self.page, COVERAGE, page), (&self.lcov, LCOV, lcov)];
        for (path, format, content) in wanted {
            let Some(path) = path else { continue };
            drafts.push((OutFile::begin(path, format, self.force, context)?, content));
        }
        Ok(CoverageDrafts(drafts))
    }
}

/// A renderer of coverage.
type Content = fn(&Coverage) -> String;

/// Coverage files being written.
pub(super) struct CoverageDrafts(Vec<(OutFile, Content)>);

impl CoverageDrafts {
    /// Writes the files.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(super) fn write(self, context: &Context, coverage: &Coverage) -> Result<(), Failure> {
        all_of(self.0.into_iter().map(|(file, content)| file.write(context, &content(coverage))).collect())
    }
}

/// Shows the coverage of each layer: its functions, and what was never reached.
pub(super) fn tell(coverage: &Coverage, out: &mut Printout) {
    for script in &coverage.scripts {
        let layer = visible(&script.layer);
        let head = match script.sort {
            LayerSort::Game => say!("game {}", layer),
            LayerSort::Variant => say!("variant {}", layer),
            LayerSort::Library => say!("library {}", layer),
        };
        out.line("");
        out.line(&format!("{head} · {}", visible(&script.file)));
        let row = |name: &str, cells: [String; 4]| {
            let [calls, games, statements, ways] = cells;
            let [calls, games] = [(calls, 9), (games, 7)].map(|(text, columns)| style::pad_left(&text, columns));
            let [statements, ways] =
                [(statements, 10), (ways, 8)].map(|(text, columns)| style::pad_left(&text, columns));
            format!("  {name}  {calls}  {games}  {statements}  {ways}")
        };
        let names: Vec<String> = script.functions.iter().map(|one| visible(&one.signature()).into_owned()).collect();
        let width = names.iter().map(|name| style::width(name)).max().unwrap_or_default().clamp(8, 30);
        let padded = |name: &str| format!("{name}{}", " ".repeat(width.saturating_sub(style::width(name))));
        let heads = [said("calls"), said("runs"), said("statements"), said("ways")].map(str::to_owned);
        out.line(&row(&padded(said("function")), heads));
        for (function, name) in script.functions.iter().zip(&names) {
            match function.purpose {
                Purpose::Play => {
                    let counts = [function.calls, function.games].map(|count| count.to_string());
                    let [calls, games] = counts;
                    let cells = [calls, games, function.statements().fraction(), fraction(function.ways())];
                    out.line(&row(&padded(name), cells));
                }
                Purpose::Look => out.line(&format!("  {}  {}", padded(name), said("only when somebody looks"))),
                Purpose::Unused => out.line(&format!("  {}  {}", padded(name), said("not used by these rules"))),
            }
        }
        let cells =
            [String::new(), script.called().fraction(), script.statements().fraction(), fraction(script.ways())];
        out.line(&row(&padded(said("all")), cells));
    }
    let missed = coverage.missed();
    if !missed.is_empty() {
        out.line(said("\nnot reached, though a game can come there"));
    }
    for one in &missed {
        let place = format!("{}:{}", visible(&one.script.file), one.line);
        out.line(&format!("  {place}  {}  {}", visible(&one.function.signature()), visible(&one.what.told())));
    }
    let sum =
        |of: &dyn Fn(&crate::lab::coverage::ScriptCoverage) -> CoverageCount| coverage.scripts.iter().map(of).sum();
    let [functions, statements, ways]: [CoverageCount; 3] =
        [sum(&|script| script.called()), sum(&|script| script.statements()), sum(&|script| script.ways())];
    out.line(&say!(
        "\nreached: {} functions, {} statements, {} ways of branches",
        functions.fraction(),
        statements.fraction(),
        ways.fraction()
    ));
}

fn fraction(reached: CoverageCount) -> String {
    if reached.all == 0 { "–".to_owned() } else { reached.fraction() }
}

pub(super) fn to_json(coverage: &Coverage) -> Json {
    let reached = |reached: CoverageCount| json!({"reached": reached.reached, "all": reached.all});
    let scripts = coverage.scripts.iter().map(|script| {
        json!({
            "sort": script.sort.name(),
            "layer": script.layer,
            "file": script.file,
            "statements": reached(script.statements()),
            "ways": reached(script.ways()),
            "functions": script.functions.iter().map(|function| json!({
                "name": function.name,
                "parameters": function.parameters,
                "line": function.at.0,
                "purpose": function.purpose,
                "calls": function.calls,
                "runs": function.games,
                "statements": reached(function.statements()),
                "ways": reached(function.ways()),
            })).collect::<Vec<_>>(),
        })
    });
    let missed = coverage.missed().into_iter().map(|one| {
        let what = one.what.as_str();
        json!({"file": one.script.file, "line": one.line, "function": one.function.name, "what": what})
    });
    json!({"runs": coverage.runs, "scripts": scripts.collect::<Vec<_>>(), "missed": missed.collect::<Vec<_>>()})
}
