//! `houserule test`: scenarios, the tests of rules.

use super::coverage::{self, CoverageFiles};
use super::packs::Named;
use super::{Context, FINE, Failure, NO, Outcome, Printout, WRONG};
use crate::diagnostic::{Diagnostic, visible};
use crate::host::hands::AllCores;
use crate::lab::coverage::{of_scenarios, run_counted};
use crate::playthrough::shelf::Shelf;
use crate::scenario::{FOLDER, Report, Scenario, find};
use crate::work::Hands as _;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Run scenarios: tests of rules
#[derive(Debug, Args)]
pub(super) struct Test {
    /// Scenario files, or folders of them; default: tests/scenarios/ of the project
    paths: Vec<PathBuf>,

    /// Add this variant to every scenario; repeat for more
    #[arg(short, long = "variant", value_name = "VARIANT")]
    variants: Vec<String>,

    #[command(flatten)]
    coverage: CoverageFiles,

    /// Write JSON
    #[arg(long)]
    json: bool,
}

impl Test {
    /// Where packs may be named.
    pub(super) fn named(&mut self) -> Named<'_> {
        let variants = Some(&mut self.variants);
        Named { variants, files: Some((&mut self.paths, FOLDER)), ..Named::default() }
    }

    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        let files = find(&self.paths, &context.library);
        if files.is_empty() {
            return Err(Failure::wrong(
                Diagnostic::new("there is no scenario to run")
                    .help("scenarios lie in tests/scenarios/, or give a path"),
            ));
        }
        let coverage_files = self.coverage.begin(context)?;
        let mut reports: Vec<Report> = Vec::new();
        let mut unreadable: Vec<Diagnostic> = Vec::new();
        let counter = context.terminal.counter(&context.work);
        let (shelf, begun) = (Shelf::default(), AtomicUsize::new(0));
        let results = AllCores.all(&files, |path| {
            context.work.count_parts(begun.fetch_add(1, Ordering::Relaxed) + 1, files.len());
            let run = |scenario: Scenario| {
                let (rules, beyond) = ((&context.library, &shelf), (&self.variants[..], &[][..]));
                if self.coverage.is_wanted() {
                    run_counted(&scenario, rules, beyond, &context.work)
                } else {
                    (scenario.run_with(rules, beyond.0, beyond.1, &context.work), None)
                }
            };
            let result = Scenario::read(context.library.files(), path).map(run);
            (!context.work.is_stopped()).then_some(result)
        });
        let still_to_run = files.len() - results.len();
        let mut counted = Vec::new();
        for result in results {
            match result {
                Ok((report, counts)) => {
                    reports.push(report);
                    counted.extend(counts);
                }
                Err(errors) => unreadable.extend(errors),
            }
        }
        let coverage = self.coverage.is_wanted().then(|| of_scenarios(counted));
        drop(counter);
        let failed = reports.iter().filter(|report| report.result.is_err()).count();
        if self.json {
            let shown = reports.iter().map(|report| {
                let errors = report.result.as_ref().err().map_or(&[][..], |errors| &errors[..]);
                json!({
                    "id": report.id,
                    "title": report.title,
                    "path": report.path.display().to_string(),
                    "passed": report.result.is_ok(),
                    "errors": errors.iter().map(Diagnostic::to_json).collect::<Vec<_>>(),
                })
            });
            let trouble: Vec<_> = unreadable.iter().map(Diagnostic::to_json).collect();
            let mut report = json!({"scenarios": shown.collect::<Vec<_>>(), "unreadable": trouble});
            if let Some(coverage) = &coverage {
                report["coverage"] = coverage::to_json(coverage);
            }
            out.json(&report);
        } else {
            for report in &reports {
                let mark = if report.result.is_ok() { "ok    " } else { "FAILED" };
                out.line(&format!("{mark} {:<5} {}", visible(&report.id), visible(&report.title)));
                out.tell(report.result.as_ref().err().into_iter().flatten());
            }
            out.tell(&unreadable);
            let count = files.len() - still_to_run - reports.len();
            // Where no scenario could be run there is nothing to be reached.
            if let Some(coverage) = coverage.as_ref().filter(|_| !reports.is_empty()) {
                coverage::tell(coverage, out);
            }
            let unread = if count > 0 { format!(", {count} unreadable") } else { String::new() };
            out.line(&format!("{} passed, {failed} failed{unread}", reports.len() - failed));
        }
        if context.work.is_stopped() {
            let message = format!("interrupted with {still_to_run} of {} scenarios still to run", files.len());
            return Err(Failure::no(Diagnostic::new(message)));
        }
        if let Some(coverage) = &coverage {
            coverage_files.write(coverage)?;
        }
        Ok(if !unreadable.is_empty() {
            WRONG
        } else if failed > 0 {
            NO
        } else {
            FINE
        })
    }
}
