//! Maps step counts of compiled rules to the lines of their scripts.

use super::{
    BranchCoverage, BranchKind, Coverage, FilePoint, FunctionCoverage, Purpose, ScriptCoverage, StatementCoverage,
    StepCounts,
};
use crate::ruleset::{Ruleset, ScriptLayer};
use crate::script::host_functions::HOST_FUNCTIONS;
use crate::script::machine::code::{CONSTANT, Code, ConditionCode, FunctionCode, LoopKind, Operand, Place, Step};
use crate::script::machine::value::RegisterValue;
use crate::script::program::FunctionId;
use crate::script::rules::Rules;
use crate::sorted::{sort_by, sort_by_key};
use crate::table::event::ScriptPoint;

/// The coverage computed from step counts.
pub(super) fn coverage(rules: &Rules, counts: &StepCounts) -> Coverage {
    let ruleset = rules.ruleset();
    let mut scripts: Vec<ScriptCoverage> = ruleset
        .scripts
        .iter()
        .map(|layer| {
            let first = layer.script.place(1, 1, "").position().0;
            ScriptCoverage {
                sort: layer.role.into(),
                layer: layer.id.clone(),
                file: layer.script.source.name.clone(),
                text: layer.script.source.text.clone(),
                runs: counts.runs,
                lines: (first, first + layer.script.text.lines().count().saturating_sub(1)),
                functions: Vec::new(),
            }
        })
        .collect();
    let files = Files::new(ruleset);
    let purposes = purposes(rules);
    let totals: Vec<(u64, u64)> = counts.calls.totals().collect();
    for (number, info) in rules.functions().iter().enumerate() {
        let (Some(code), Some(script)) = (counts.code.functions.get(number), scripts.get_mut(info.script)) else {
            continue;
        };
        let Some(at) = files.point(info.at) else { continue };
        let purpose = purposes.get(number).copied().unwrap_or(Purpose::Unused);
        let (calls, games) = totals.get(number).copied().unwrap_or_default();
        script.functions.push(FunctionCoverage {
            name: info.name.clone(),
            parameters: info.parameters.len(),
            at,
            purpose,
            calls,
            games,
            statements: statements(&files, number, code, purpose, counts),
            branches: branches(&files, number, code, purpose, counts),
        });
    }
    for script in &mut scripts {
        sort_by_key(&mut script.functions, |function| function.at);
    }
    scripts.retain(|script| !script.functions.is_empty());
    sort_by(&mut scripts, |one, other| (one.sort, &one.layer, &one.file).cmp(&(other.sort, &other.layer, &other.file)));
    Coverage { runs: counts.runs, scripts }
}

/// Maps points of the joined scripts to their files, without searching the whole text for each.
struct Files<'a> {
    ruleset: &'a Ruleset,
    /// For each script, the column of its first line in its file.
    columns: Vec<usize>,
}

impl<'a> Files<'a> {
    fn new(ruleset: &'a Ruleset) -> Self {
        let columns = ruleset.scripts.iter().map(|layer| layer.script.place(1, 1, "").position().1);
        Self { ruleset, columns: columns.collect() }
    }

    fn point(&self, at: ScriptPoint) -> Option<FilePoint> {
        let line = usize::from(at.line);
        let layers = self.ruleset.scripts.iter().zip(&self.columns);
        let is_its = |(layer, _): &(&ScriptLayer, _)| {
            (layer.lines_before + 1..=layer.lines_before + layer.lines).contains(&line)
        };
        let (layer, first_column) = layers.into_iter().find(is_its)?;
        let (line, column) = (line - layer.lines_before, usize::from(at.column).max(1));
        let column = if line == 1 { column + first_column - 1 } else { column };
        Some((line + layer.script.first_line, column))
    }
}

/// When each function runs.
fn purposes(rules: &Rules) -> Vec<Purpose> {
    let code = rules.code();
    let mut purposes = vec![Purpose::Unused; rules.functions().len()];
    let game = rules.function("game", 0);
    spread(code, &mut purposes, game.into_iter().collect(), Purpose::Play);
    // Functions for spectators: those called by the host, and those that compute reasons.
    let definition = &rules.layout().definition;
    let captions = definition.zones.iter().flat_map(|zone| zone.mark.iter().chain(&zone.note));
    let called = definition.standing.iter().chain(captions).filter_map(|name| rules.function(name, 1));
    let asked = HOST_FUNCTIONS.iter().filter_map(|asked| rules.function(asked.name, asked.parameters.len()));
    let mut looks: Vec<FunctionId> = called.chain(asked).collect();
    for (number, function) in code.functions.iter().enumerate() {
        if purposes.get(number) == Some(&Purpose::Play) {
            looks.extend(calls(code, function).filter(|(_, is_read)| *is_read).map(|(callee, _)| callee));
        }
    }
    spread(code, &mut purposes, looks, Purpose::Look);
    purposes
}

/// Assigns a purpose to functions and everything they call.
fn spread(code: &Code, purposes: &mut [Purpose], mut open: Vec<FunctionId>, purpose: Purpose) {
    while let Some(function) = open.pop() {
        let number = usize::from(function);
        let Some(own) = purposes.get_mut(number).filter(|own| **own < purpose) else { continue };
        *own = purpose;
        if let Some(function) = code.functions.get(number) {
            // Reasons are for spectators, whatever asks.
            let callees = calls(code, function).filter(|(_, is_read)| purpose == Purpose::Look || !is_read);
            open.extend(callees.map(|(callee, _)| callee));
        }
    }
}

/// The functions that a function calls, each with whether only the reading of reasons for refused options calls it.
fn calls<'c>(code: &'c Code, function: &'c FunctionCode) -> impl Iterator<Item = (FunctionId, bool)> + 'c {
    let read = read_steps(function);
    function.steps.iter().enumerate().filter_map(move |(place, step)| match step {
        Step::Call { site, .. } => Some((code.calls.get(usize::from(*site))?.function, is_within(&read, place))),
        _ => None,
    })
}

/// The ranges of steps executed only when reasons for refused options are read.
fn read_steps(function: &FunctionCode) -> Vec<(usize, usize)> {
    let stretch = |(place, step): (usize, &Step)| match step {
        Step::JumpUnlessRead { to, .. } => Some((place + 1, usize::from(*to))),
        _ => None,
    };
    function.steps.iter().enumerate().filter_map(stretch).collect()
}

fn is_within(stretches: &[(usize, usize)], place: usize) -> bool {
    stretches.iter().any(|(from, to)| (*from..*to).contains(&place))
}

/// The purpose of the code at a step of a function.
fn purpose_at(read: &[(usize, usize)], place: usize, of_function: Purpose) -> Purpose {
    if of_function == Purpose::Play && is_within(read, place) { Purpose::Look } else { of_function }
}

fn statements(
    files: &Files<'_>,
    number: usize,
    function: &FunctionCode,
    purpose: Purpose,
    counts: &StepCounts,
) -> Vec<StatementCoverage> {
    let read = read_steps(function);
    // A statement without steps was decided by settings, or does nothing.
    let statements = function.statements.iter().filter(|statement| statement.end > statement.place);
    let mut found: Vec<StatementCoverage> = statements
        .filter_map(|statement| {
            let place = usize::from(statement.place);
            let at = files.point(statement.at)?;
            let purpose = purpose_at(&read, place, purpose);
            Some(StatementCoverage { at, purpose, hits: counts.times_made(number, place) })
        })
        .collect();
    sort_by_key(&mut found, |statement| statement.at);
    found.dedup_by_key(|statement| statement.at);
    found
}

fn branches(
    files: &Files<'_>,
    number: usize,
    function: &FunctionCode,
    purpose: Purpose,
    counts: &StepCounts,
) -> Vec<BranchCoverage> {
    let read = read_steps(function);
    let mut found: Vec<BranchCoverage> = Vec::new();
    for (place, step) in function.steps.iter().enumerate() {
        let Some((kind, to, want)) = decides(&counts.code, function, place, step) else { continue };
        // A jump to the next step is no branch.
        let at = function.points.get(place).and_then(|at| files.point(*at));
        let Some(at) = at.filter(|_| usize::from(to) != place + 1) else { continue };
        let [behind, elsewhere] = counts.branch_counts(number, place);
        let own = condition_at(function, place);
        let jumps_where_true = want != own.is_some_and(|own| own.is_negated);
        let ways = if jumps_where_true { [elsewhere, behind] } else { [behind, elsewhere] };
        let condition = own.and_then(|own| Some((files.point(own.first)?, files.point(own.last)?)));
        let number = found.iter().filter(|other| other.at == at).count();
        found.push(BranchCoverage { at, number, condition, kind, purpose: purpose_at(&read, place, purpose), ways });
    }
    sort_by_key(&mut found, |branch| (branch.at, branch.number));
    found
}

/// The condition decided by a step.
fn condition_at(function: &FunctionCode, place: usize) -> Option<&ConditionCode> {
    let found = function.conditions.binary_search_by_key(&place, |condition| usize::from(condition.place));
    function.conditions.get(found.ok()?)
}

/// The kind of branch at a step, its jump target, and whether it jumps for the first of the two ways.
fn decides(code: &Code, function: &FunctionCode, place: usize, step: &Step) -> Option<(BranchKind, Place, bool)> {
    Some(match step {
        Step::JumpIf { to, want, .. } | Step::Test { to, want, .. } => (BranchKind::Condition, *to, *want),
        Step::JumpCompared { how, to, .. } | Step::JumpSmall { how, to, .. } => {
            (BranchKind::Condition, *to, how.want())
        }
        Step::JumpCase { literal, to, want, .. } => (BranchKind::Case(literal_text(code, *literal)), *to, *want),
        Step::NextNumber { end, .. } => (BranchKind::Loop, *end, false),
        Step::Next { walk, end, .. } => {
            let begun = function.steps.get(..place)?.iter().rev().find_map(|step| match step {
                Step::Begin { walk: begun, how, .. } if begun == walk => Some(*how),
                _ => None,
            });
            if begun != Some(LoopKind::Loop) {
                return None;
            }
            (BranchKind::Loop, *end, false)
        }
        _ => return None,
    })
}

fn literal_text(code: &Code, literal: Operand) -> String {
    match code.constants.get(usize::from(literal & !CONSTANT)) {
        Some(RegisterValue::Number(number)) => number.to_string(),
        Some(RegisterValue::Truth(truth)) => truth.get().to_string(),
        Some(value) => code.texts.text(value).map_or_else(String::new, |text| format!("\"{text}\"")),
        None => String::new(),
    }
}
