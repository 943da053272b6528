//! Coverage of scenarios.

use super::{Coverage, StepCounts};
use crate::definition::Library;
use crate::playthrough::rules_cache::RulesCache;
use crate::playthrough::run::watch;
use crate::scenario::{Report, Scenario};
use crate::script::Start;
use crate::script::rules::Rules;
use crate::work::Work;
use std::cell::RefCell;
use std::sync::Arc;

/// The step counts of a scenario.
pub struct ScenarioCounts {
    rules: Arc<Rules>,
    counts: StepCounts,
}

/// Runs a scenario as [`Scenario::run_with`], and counts the steps of its last run, which has all answers. Reasons for
/// refused options are evaluated at each answer. Rules that do not compile give no counts.
pub fn run_counted(
    scenario: &Scenario,
    rules: (&Library, &RulesCache),
    beyond: (&[String], &[String]),
    work: &Arc<Work>,
) -> (Report, Option<ScenarioCounts>) {
    let last = RefCell::new(None);
    let report = scenario.run_observed(rules, beyond, work, &|told| {
        let log = told.log.iter().chain(&told.outcome.added).cloned().collect::<Vec<_>>();
        *last.borrow_mut() = Some((told.rules.clone(), told.start.clone(), told.seed, log));
    });
    let counted = last.into_inner().map(|(rules, start, seed, log)| {
        let mut counts = StepCounts::new(&rules);
        if start == Start::Game {
            counts.begin_game()
        } else {
            counts.begin_call()
        }
        watch(&rules, &start, seed, &log, &mut counts);
        counts.end_game();
        ScenarioCounts { rules, counts }
    });
    (report, counted)
}

/// The combined coverage of scenarios.
pub fn coverage(counted: impl IntoIterator<Item = ScenarioCounts>) -> Coverage {
    // Counts of the same rules are added before they are mapped to lines.
    let mut by_rules: Vec<ScenarioCounts> = Vec::new();
    for one in counted {
        match by_rules.iter_mut().find(|known| Arc::ptr_eq(&known.rules, &one.rules)) {
            Some(known) => known.counts.add(&one.counts),
            None => by_rules.push(one),
        }
    }
    let mut coverage = Coverage::default();
    for ScenarioCounts { rules, counts } in by_rules {
        coverage.merge(Coverage::of(&rules, &counts));
    }
    coverage
}
