//! Test results, and the number of calls of each function in tests.

use super::{FileFinding, FileRole, FileText, Workspace};
use crate::catalogue::{said, say};
use crate::definition::Library;
use crate::diagnostic::Diagnostic;
use crate::lab::coverage::{of_scenarios, run_counted};
use crate::playthrough::rules_cache::RulesCache;
use crate::scenario::{Scenario, find_of_game};
use crate::sorted::SortedMap;
use crate::work::Work;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The results of tests that were run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TestResults {
    /// The first failure of each test by file, `None` where it passed.
    pub outcomes: SortedMap<PathBuf, Option<Diagnostic>>,
    /// The calls of functions, by source name, function name and number of parameters.
    calls: SortedMap<(String, String, usize), TestCalls>,
}

/// The findings in several files.
pub type FindingsByFile = Vec<(PathBuf, Vec<FileFinding>)>;

/// The calls of a function in tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TestCalls {
    /// The number of calls.
    pub calls: u64,
    /// The tests with calls.
    pub tests: Vec<PathBuf>,
}

impl TestResults {
    /// The calls of a function in tests; `None` where no test with its file in play was run.
    pub(super) fn of(&self, file: &FileText, name: &str, parameters: usize) -> Option<&TestCalls> {
        self.calls.get(&(file.source.name.clone(), name.to_owned(), parameters))
    }

    /// A title with the results of tests added, if all of them have been run.
    pub(super) fn beside(&self, title: String, paths: &[PathBuf]) -> String {
        let Some(run) = paths.iter().map(|path| self.outcomes.get(path)).collect::<Option<Vec<_>>>() else {
            return title;
        };
        let failed: Vec<&Diagnostic> = run.into_iter().flatten().collect();
        let outcome = match failed[..] {
            [] => said("passed").to_owned(),
            [why] if paths.len() == 1 => {
                let label = why.place.as_ref().map(|place| place.label.told()).filter(|label| !label.is_empty());
                let label = label.map_or(String::new(), |label| format!(": {label}"));
                format!("{}{label}", why.message.told())
            }
            _ => say!("{} failed", failed.len()),
        };
        format!("{title} ({outcome})")
    }

    /// Adds the results of other tests.
    pub fn extend(&mut self, other: Self) {
        self.outcomes.extend(other.outcomes);
        for (function, reached) in other.calls {
            let own = self.calls.entry(function).or_default();
            // A test that is run again counts once.
            let new: Vec<PathBuf> = reached.tests.into_iter().filter(|test| !own.tests.contains(test)).collect();
            if !new.is_empty() || own.tests.is_empty() {
                own.calls += reached.calls;
                own.tests.extend(new);
            }
        }
    }
}

impl Workspace {
    /// The tests whose rules use a file; for a test, itself.
    pub fn tests_around(&self, path: &Path) -> Vec<PathBuf> {
        let library = self.library_for(path);
        match self.role(path, &library) {
            FileRole::Scenario(_) => vec![path.to_owned()],
            FileRole::Layer(selection) => {
                let mut tests = find_of_game(&selection.game, &library);
                if let Some(variant) = selection.variants.first() {
                    tests.retain(|test| self.uses(test, variant, &library));
                }
                tests
            }
            _ => Vec::new(),
        }
    }

    /// Whether a test's rules include a variant.
    fn uses(&self, test: &Path, variant: &str, library: &Library) -> bool {
        match self.role(test, library) {
            FileRole::Scenario(selection) => selection.variants.iter().any(|own| own == variant),
            _ => false,
        }
    }

    /// Runs tests. Gives the results, and the findings in the file of each test; `None` where the work was stopped.
    pub fn run_tests(&self, paths: &[PathBuf], work: &Arc<Work>) -> Option<(TestResults, FindingsByFile)> {
        let (mut results, mut found) = (TestResults::default(), Vec::new());
        let cache = RulesCache::default();
        for path in paths {
            let library = self.library_for(path);
            let errors: Vec<Diagnostic> = match Scenario::read(library.files(), path) {
                Ok(scenario) => {
                    let (report, counted) = run_counted(&scenario, (&library, &cache), (&[], &[]), work);
                    for script in of_scenarios(counted).scripts {
                        for function in script.functions {
                            let key = (script.file.clone(), function.name, function.parameters);
                            let reached = results.calls.entry(key).or_default();
                            reached.calls += function.calls;
                            if function.calls > 0 {
                                reached.tests.push(path.clone());
                            }
                        }
                    }
                    report.result.err().into_iter().flatten().collect()
                }
                Err(errors) => errors.into_iter().collect(),
            };
            if work.is_stopped() {
                return None;
            }
            results.outcomes.insert(path.clone(), errors.first().cloned());
            let placed = self.file(path).map_or_else(Vec::new, |file| self.placed(&file, errors, true));
            found.push((path.clone(), placed));
        }
        Some((results, found))
    }
}
