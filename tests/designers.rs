//! Variants of somebody else, laid over the games and variants that are shipped: what they may change, and what holds all
//! the same. They lie in `tests/designers`, which is a folder of rules with scenarios of its own.

use houserule::diagnostic::Diagnostic;
use houserule::host::disk::Disk;
use houserule::playthrough::rules_cache::RulesCache;
use houserule::scenario::{Scenario, find};
use std::path::PathBuf;
use std::sync::Arc;

#[test]
fn shipped_rules_hold_under_variants_of_others() {
    let project = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let folder = project.join("tests/designers");
    let scenarios = [folder.join("tests/scenarios")];
    let (library, shelf) = (Disk::library(vec![folder, project]), RulesCache::default());
    let paths = find(&scenarios, &library);
    assert!(!paths.is_empty());
    for path in paths {
        let told = |trouble: &Diagnostic| trouble.render(false);
        let report = Scenario::read(&Disk, &path)
            .map(|scenario| scenario.run_with((&library, &shelf), &[], &[], &Arc::default()).result);
        if let Err(troubles) = report.and_then(|result| result) {
            panic!("{}\n{}", path.display(), troubles.iter().map(told).collect::<Vec<_>>().join("\n\n"));
        }
    }
}
