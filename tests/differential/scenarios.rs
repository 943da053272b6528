//! Every scenario: each run of the rules on its way comes to the same by the reference, so that the reference's verdict
//! would be the same.

use crate::differential::in_threads;
use crate::differential::programs::call;
use crate::differential::purpose;
use crate::differential::sides::{Run, Running, Side};
use crate::random_games::case::library;
use houserule::playthrough::chosen_value::ChosenValue;
use houserule::playthrough::log;
use houserule::playthrough::rules_cache::RulesCache;
use houserule::scenario::{Scenario, ScenarioRun, find};
use houserule::table::Table;
use houserule::table::decision::{Answerer, Halt, Question};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// So many scenarios that stand beside each other are one job: they often have the same rules.
const TOGETHER: usize = 12;

/// What was compared.
#[derive(Default)]
struct Compared {
    runs: usize,
    events: usize,
    /// Scenarios whose rules run at no time, because it is expected that they are refused.
    refused: usize,
    on_purpose: BTreeMap<&'static str, usize>,
    different: Vec<String>,
    /// The rules of the reference, by the ruleset and the number of players.
    rules: BTreeMap<(String, usize), Running>,
}

#[test]
fn scenarios_come_to_the_same() {
    let began = Instant::now();
    let paths = find(&[], &library());
    let jobs: Vec<&[PathBuf]> = paths.chunks(TOGETHER).collect();
    let mut all = Compared::default();
    for part in in_threads(&jobs, |paths| Compared::of(paths)) {
        all.runs += part.runs;
        all.events += part.events;
        all.refused += part.refused;
        all.different.extend(part.different);
        part.on_purpose.into_iter().for_each(|(why, count)| *all.on_purpose.entry(why).or_default() += count);
    }
    let Compared { runs, events, refused, on_purpose, different, .. } = all;
    let count = paths.len();
    println!(
        "{count} scenarios, {refused} of them refused, {runs} runs, {events} events, {:.1?}; on purpose {on_purpose:?}",
        began.elapsed()
    );
    assert!(different.is_empty(), "{}:\n{}", different.len(), different.join("\n\n"));
    assert!(runs > count && refused * 10 < count, "{runs} runs of {count} scenarios are too few to say anything");
}

impl Compared {
    /// Some scenarios, one after the other.
    fn of(paths: &[PathBuf]) -> Self {
        let compared = RefCell::new(Self::default());
        let (library, shelf) = (library(), RulesCache::default());
        for path in paths {
            let scenario = Scenario::read(library.files(), path).unwrap_or_else(|troubles| panic!("{}", troubles[0]));
            let before = compared.borrow().runs;
            let report = scenario.run_observed((&library, &shelf), (&[], &[]), &Arc::default(), &|told| {
                compared.borrow_mut().run(path, told)
            });
            assert!(report.result.is_ok(), "{}", path.display());
            let mut compared = compared.borrow_mut();
            compared.refused += usize::from(compared.runs == before);
        }
        compared.into_inner()
    }

    /// The same run by the reference.
    fn run(&mut self, path: &Path, told: ScenarioRun<'_>) {
        let ScenarioRun { rules, start, seed, log, outcome, .. } = told;
        assert_eq!(outcome.misfit, None, "{}", path.display());
        let (ruleset, seats) = (rules.ruleset().clone(), rules.layout().seats);
        let reference = self.rules.entry((ruleset.hash.clone(), seats)).or_insert_with(|| {
            Side::Reference.start(&ruleset, seats).unwrap_or_else(|errors| panic!("{}: {}", path.display(), errors[0]))
        });
        let product = Run::of(&outcome.run.table, outcome.end.clone(), outcome.run.table.recorded().to_vec());
        let answers = Along { log: log.iter().chain(&outcome.added).cloned().collect(), next: 0 };
        let start = start.clone();
        let reference = call(reference, move |rules| rules.run(&start, seed, answers));
        self.runs += 1;
        self.events += product.events.len();
        if let Some(what) = purpose::difference(&ruleset, &product, &reference, &mut self.on_purpose) {
            self.different.push(format!("{} after {} answers\n{what}", path.display(), log.len()));
        }
    }
}

/// The answers of a run, given again.
struct Along {
    log: Vec<log::LogEntry>,
    next: usize,
}

impl Answerer for Along {
    fn begin(&mut self, table: &mut Table) {
        self.intervene(table);
    }

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        let Some(entry) = self.log.get(self.next) else { return Err(Halt::Open) };
        let log::Entry::Choice { chosen: values, .. } = &**entry else { panic!("{entry} is no answer") };
        self.next += 1;
        let options = question.options.values();
        let position =
            |value: &ChosenValue| options.iter().position(|option| value.means(table.layout(), table.faces(), option));
        chosen.extend(values.iter().map(|value| position(value).unwrap_or_else(|| panic!("{value} is no option"))));
        Ok(())
    }

    fn wants_reasons(&self, _table: &Table) -> bool {
        self.next == self.log.len()
    }

    /// A scenario changes nothing by hand but what chance gives next.
    fn intervene(&mut self, table: &mut Table) {
        while let Some(entry) = self.log.get(self.next).filter(|entry| entry.is_intervention()) {
            entry.intervene(table).unwrap_or_else(|trouble| panic!("{trouble}"));
            self.next += 1;
        }
    }
}
