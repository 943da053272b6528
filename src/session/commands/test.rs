//! Commands that test the rules in play: scenarios, and the static check.

use super::arguments::{Any, Extent, Shape, Signature, word};
use super::shapes::as_typed;
use super::{Candidate, Command, Flow, rules};
use crate::catalogue::{said, say};
use crate::diagnostic::{Diagnostic, Diagnostics, unknown};
use crate::inspect::check::Findings;
use crate::playthrough::rules_cache::RulesCache;
use crate::scenario::{self, Scenario, ShownFailures};
use crate::screen::style::{Label, Line};
use crate::session::Session;
use std::path::{Path, PathBuf};

/// Scenarios, by file, by folder, or by the beginning of their ids.
const SCENARIOS: Shape<String> = Shape {
    name: "FILE|FOLDER|ID",
    what: "a scenario",
    lead: "",
    extent: Extent::Word,
    read: as_typed,
    complete: |session, _| {
        let (scenarios, _) = of_this_game(session, &[]);
        scenarios.into_iter().map(|scenario| Candidate::new(scenario.id, scenario.title)).collect()
    },
};

pub(super) const TEST: Command = Command {
    name: "test",
    about: "run the scenarios of this game under the current rules",
    help: "It adds the active variants and their settings to each scenario; in a game without variants, the scenarios \
           run as they are. An ID such as `U1` matches all ids that begin with it. The rules are read from disk, as \
           with `houserule test`. A failed test shows what was expected, and where. Your game does not change.",
    examples: &["test U1"],
    takes_long: true,
    signatures: &[&Signature((Any(SCENARIOS),), |session, (wanted,)| test(session, &wanted))],
    ..rules::RULES
};

pub(super) const CHECK: Command = Command {
    name: "check",
    about: "check that the current rules load, compile and fit together",
    help: "It reads them from disk, with their variants and settings, and tries the fewest and the most players. \
           `check all` checks the game with each variant and each pair of variants, like `houserule check`.",
    examples: &["check"],
    takes_long: true,
    signatures: &[
        &Signature((), |session, ()| {
            let selection = session.playthrough.loaded().ruleset.selection.clone();
            let mut findings = Findings::default();
            findings.check_alone(&session.library, &session.work(), selection);
            Ok(found(&findings))
        }),
        &Signature((word("all", "with each variant and each pair of them"),), |session, _| {
            let mut findings = Findings::default();
            findings.check_game(
                session.surroundings.workers(),
                &session.library,
                &session.work(),
                &session.playthrough.loaded().ruleset.game.id,
            );
            Ok(found(&findings))
        }),
    ],
    ..rules::RULES
};

/// The findings of a check, to show.
fn found(findings: &Findings) -> Flow {
    let mut lines: Vec<Line> = findings.warnings.iter().chain(&findings.errors).flat_map(rendered).collect();
    let label = if findings.errors.is_empty() { Label::Plain } else { Label::Error };
    lines.push(Line::of(findings.summary().told(), label));
    Flow::Page(lines)
}

fn test(session: &Session, wanted: &[String]) -> Result<Flow, Diagnostics> {
    let is_path = |word: &str| session.library.files().exists(Path::new(word));
    // The name of a single file can contain blanks.
    let whole = wanted.join(" ");
    let words = if is_path(&whole) { vec![&*whole] } else { wanted.iter().map(String::as_str).collect() };
    let (paths, ids): (Vec<&str>, Vec<&str>) = words.into_iter().partition(|word| is_path(word));
    let paths: Vec<PathBuf> = paths.into_iter().map(PathBuf::from).collect();
    let (scenarios, unreadable) = of_this_game(session, &paths);
    if scenarios.is_empty() && unreadable.is_empty() {
        return Err(Diagnostic::new("there is no scenario of this game")
            .help("scenarios lie in tests/scenarios/, or give a file or a folder")
            .into());
    }
    let is_meant = |id: &str, wanted: &str| {
        let rest = id.strip_prefix(wanted);
        rest.is_some_and(|rest| !rest.starts_with(|first: char| first.is_ascii_digit()))
    };
    for id in &ids {
        if !scenarios.iter().any(|scenario| is_meant(&scenario.id, id)) {
            return Err(unknown("scenario or file", id, scenarios.iter().map(|scenario| scenario.id.as_str())).into());
        }
    }
    let selection = &session.playthrough.loaded().ruleset.selection;
    let (work, shelf) = (session.work(), RulesCache::default());
    let (mut lines, mut shown) = (Vec::new(), ShownFailures::default());
    let (mut passed, mut failed) = (0, 0);
    let meant = scenarios.iter().filter(|scenario| ids.is_empty() || ids.iter().any(|id| is_meant(&scenario.id, id)));
    for (scenario, number) in meant.zip(1..) {
        work.count_parts(number, 0);
        let report = scenario.run_with((&session.library, &shelf), &selection.variants, &selection.set, &work);
        if work.is_stopped() {
            lines.push(Line::plain(said("interrupted")));
            break;
        }
        let is_ok = report.result.is_ok();
        let (mark, label) = if is_ok { (said("ok    "), Label::Plain) } else { (said("FAILED"), Label::Error) };
        lines.push(Line::of(mark, label).with(format!(" {:<5} {}", report.id, report.title), Label::Plain));
        lines.extend(report.warnings.iter().flat_map(rendered));
        match shown.same_before(&report) {
            Some(same) => lines.push(Line::of_blanks(13).with(same.told(), Label::Plain)),
            None => lines.extend(report.result.err().iter().flatten().flat_map(rendered)),
        }
        *(if is_ok { &mut passed } else { &mut failed }) += 1;
    }
    lines.extend(unreadable.iter().flat_map(rendered));
    lines.push(Line::plain(say!("{passed} passed, {failed} failed")));
    Ok(Flow::Page(lines))
}

/// The scenarios of the game in play in these files and folders, or below the library's folders; and the errors of
/// unreadable files.
fn of_this_game(session: &Session, paths: &[PathBuf]) -> (Vec<Scenario>, Vec<Diagnostic>) {
    let game = &session.playthrough.loaded().ruleset.game.id;
    let (mut scenarios, mut unreadable) = (Vec::new(), Vec::new());
    for file in scenario::find(paths, &session.library) {
        match Scenario::read(session.library.files(), &file) {
            Ok(scenario) if scenario.game() == game => scenarios.push(scenario),
            Ok(_) => {}
            Err(errors) => unreadable.extend(errors),
        }
    }
    (scenarios, unreadable)
}

fn rendered(error: &Diagnostic) -> Vec<Line> {
    error.render(false).lines().map(Line::plain).collect()
}
