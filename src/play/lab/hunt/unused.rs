//! Finds rules that never fire.

use super::extent::extent;
use super::search::Search;
use super::{Find, FindKind};
use crate::diagnostic::{Diagnostic, Message, Place, Source, message};
use crate::lab::coverage::{BranchCoverage, BranchKind, FilePoint, FunctionCoverage, Purpose, ScriptCoverage};
use crate::sorted::{SortedSet, sort_by_key};

/// The fewest games that must include a layer before unreached code in it is reported, and that must run a function
/// before its conditions are.
const MIN_GAMES: u64 = 100;

/// The fewest evaluations of a condition, case or loop before it is reported as a find. By the rule of three (Hanley
/// and Lippman-Hand 1983), with 95 % confidence it occurs less than 3 times in this number, or one in a hundred.
const MIN_EVALUATIONS: u64 = 300;

/// If one of this many games ends with a fault, the fault may be why a rule never fires.
const GAMES_PER_FAULT: u64 = 10;

/// A possible cause, for the message.
const WHY: &str = "it may have a condition that cannot be met, or need better play than most of these games have";

impl Search {
    /// Reports functions, statements and conditions that no game reached or met.
    pub(super) fn report_unused_code(&mut self) {
        let scripts = &self.report.coverage.scripts;
        let early_end_help = self.early_end_help();
        // A function called only by unreached lines is explained by these.
        let explained = explained(scripts);
        for script in scripts.iter().filter(|script| script.runs >= MIN_GAMES) {
            for function in script.functions.iter().filter(|function| function.purpose == Purpose::Play) {
                let unused = match function.calls {
                    0 if explained.contains(&function.name) => Vec::new(),
                    0 => vec![never_called(script, function)],
                    _ => unmet_conditions(function).chain(never_reached(script, function)).collect(),
                };
                let mut told = SortedSet::new();
                for UnusedCode { at, last, message, label, help, games, looks } in unused {
                    // One report for each line is enough.
                    if !told.insert(at.0) {
                        continue;
                    }
                    let place = place(script, at, last, label);
                    match looks {
                        Some(looks) if looks < MIN_EVALUATIONS => {
                            let times = if looks == 1 { "once".into() } else { message!("{looks} times") };
                            let help =
                                message!("it was checked {times} in these games, which says little; `-n` plays more");
                            self.report.notes.push(Diagnostic::note(message).at_maybe(place).help(help));
                        }
                        _ => {
                            let mut error = Diagnostic::warning(message).at_maybe(place).help(help);
                            if let Some(help) = &early_end_help {
                                error = error.help(help.clone());
                            }
                            if let Some(looks) = looks {
                                error = error.help(how_rare(looks, games));
                            }
                            self.report.finds.push(Find::of(FindKind::Unused, error.into(), games, None));
                        }
                    }
                }
            }
        }
    }

    /// The help text where so many games ended with another fault that their later parts were rare.
    fn early_end_help(&self) -> Option<Message> {
        let games = self.report.games;
        let others = self.found.values().filter(|known| !known.is_refusal);
        let faults = others
            .filter(|known| matches!(known.fault.kind, FindKind::Error | FindKind::Endless | FindKind::Invariant));
        let broken = faults.map(|known| known.times).sum::<u64>();
        let help = || message!("{broken} of {games} games ended with a fault, which may be why; fix that first");
        (broken.saturating_mul(GAMES_PER_FAULT) >= games && broken > 0).then(help)
    }
}

/// Code that never fires.
struct UnusedCode {
    at: FilePoint,
    /// The place where the last part begins, if it is a condition.
    last: Option<FilePoint>,
    message: Message,
    label: &'static str,
    help: Message,
    /// The number of games in which it could have fired.
    games: u64,
    /// The number of evaluations, for a branch.
    looks: Option<u64>,
}

/// How rare a condition that was never met is. The bound is for games, because evaluations within one game are not
/// independent.
fn how_rare(looks: u64, games: u64) -> Message {
    message!(
        "checked {} times; with 95 % confidence, that happens in less than 1 of {} games such as these",
        looks,
        (games / 3).max(1)
    )
}

fn never_called(script: &ScriptCoverage, function: &FunctionCoverage) -> UnusedCode {
    let message = message!("`{}` is never called", function.signature());
    let (label, help, games) = ("never called", in_games(script), script.runs);
    UnusedCode { at: function.at, last: None, message, label, help, games, looks: None }
}

fn in_games(script: &ScriptCoverage) -> Message {
    message!("in {} games of which this layer was a part; {WHY}", script.runs)
}

/// The conditions of a function that were never met although it ran; outer ones before those nested in them.
fn unmet_conditions(function: &FunctionCoverage) -> impl Iterator<Item = UnusedCode> {
    let mut branches: Vec<_> = function.branches.iter().filter(|branch| is_never_met(function, branch)).collect();
    sort_by_key(&mut branches, |branch| (branch.begins(), branch.condition));
    branches.into_iter().map(|branch| {
        let (at @ (line, _), games) = (branch.begins(), function.games);
        let last = branch.condition.map(|(_, last)| last);
        let within = function.signature();
        let (message, label) = match &branch.kind {
            BranchKind::Condition => {
                (message!("a condition in line {line} of `{within}` is never true in {games} games"), "never true")
            }
            BranchKind::Loop => (
                message!("the loop in line {line} of `{within}` never has an entry in {games} games"),
                "never has an entry",
            ),
            BranchKind::Case(value) => (
                message!("the case `{value}` in line {line} of `{within}` never comes in {games} games"),
                "never comes",
            ),
        };
        let looks = Some(branch.ways.iter().sum());
        UnusedCode { at, last, message, label, help: WHY.into(), games, looks }
    })
}

fn is_never_met(function: &FunctionCoverage, branch: &BranchCoverage) -> bool {
    function.games >= MIN_GAMES && branch.purpose == Purpose::Play && branch.ways[0] == 0 && branch.ways[1] > 0
}

/// The statements of a function that were never reached although it ran, except those behind a condition that was never
/// met.
fn never_reached<'a>(
    script: &'a ScriptCoverage,
    function: &'a FunctionCoverage,
) -> impl Iterator<Item = UnusedCode> + 'a {
    let missed = script.missed_in(function).into_iter().filter(|missed| missed.is_whole);
    let is_behind = move |at: FilePoint| {
        let never_met = function.branches.iter().filter(|branch| is_never_met(function, branch));
        let mut before = never_met.filter(|branch| branch.at < at);
        before.any(|branch| {
            let between = |one| branch.at < one && one < at;
            !function.statements.iter().any(|statement| statement.hits > 0 && between(statement.at))
        })
    };
    missed.filter(move |missed| !is_behind((missed.line, missed.column))).map(move |missed| {
        let message = message!("line {} of `{}` is never reached", missed.line, function.signature());
        let (at, help) = ((missed.line, missed.column), in_games(script));
        UnusedCode { at, last: None, message, label: "never reached", help, games: script.runs, looks: None }
    })
}

/// The functions never called because the calling line was never reached, or because its own function is one of these.
fn explained(scripts: &[ScriptCoverage]) -> SortedSet<String> {
    let all = || scripts.iter().flat_map(|script| script.functions.iter().map(move |function| (script, function)));
    let played = || all().filter(|(_, function)| function.purpose == Purpose::Play);
    let mut explained = SortedSet::new();
    loop {
        let before = explained.len();
        let mut lines: Vec<&str> = Vec::new();
        for (script, function) in played() {
            if function.calls > 0 || explained.contains(&function.name) {
                let missed = function.statements.iter().filter(|statement| statement.hits == 0);
                lines.extend(missed.filter_map(|statement| script.text.lines().nth(statement.at.0.checked_sub(1)?)));
            }
        }
        for (_, function) in played().filter(|(_, function)| function.calls == 0) {
            let call = format!("{}(", function.name);
            if lines.iter().any(|line| line.contains(&call)) {
                explained.insert(function.name.clone());
            }
        }
        if explained.len() == before {
            return explained;
        }
    }
}

/// The place of a condition whose first part begins at `at` and last part at `last`; without `last`, the rest of the
/// line.
fn place(script: &ScriptCoverage, at: FilePoint, last: Option<FilePoint>, label: &'static str) -> Option<Place> {
    let source = Source::new(script.file.clone(), &script.text);
    let offset = |(line, column): FilePoint| source.offset(line, column);
    let span = match last {
        Some(last) => extent(&source.text, offset(at), offset(last)),
        None => offset(at)..offset((at.0, source.line(at.0).trim_end().chars().count() + 1)),
    };
    (span.start < span.end).then(|| Place::new(&source, span, label))
}
