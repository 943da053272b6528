//! What holds scripts to the language of rules, before anything runs.
//!
//! A ruleset's [`Program`](crate::script::program::Program) is looked through function by function: for names that
//! nobody knows, values of a sort that does not fit, calls that no word takes. What the definition of a game decides
//! (zones, attributes) is asked of a library's function only if the game can come to call it, because a library serves
//! several games. Then the ruleset is looked at as a whole: for what nobody uses.

mod advice;
mod calls;
mod effects;
mod function;
mod host;
pub mod known;
mod layers;
mod names;
mod reasons;
mod texts;
mod unused;
mod values;
mod words;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ruleset::{Role, Ruleset};
use crate::script::codes;
use crate::script::layering::FunctionInfo;
use crate::script::parser::Scripts;
use crate::script::program::{Function, FunctionId};
use crate::script::sorts::Sort;
use crate::table::event::ScriptPoint;
use crate::table::layout::Layout;
use crate::work::Work;
use function::Reader;
use known::Known;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Most errors that one look reports: after so many, nobody reads on.
pub const MAX_ERRORS: usize = 20;

/// What there is to say about scripts without an error.
pub struct CheckResult {
    /// What is most likely a mistake, and matters to whoever plays.
    pub warnings: Vec<Diagnostic>,
    /// What people read while they play, and the game has no words for.
    pub untold: Vec<Diagnostic>,
    /// What matters to whoever writes the rules.
    pub lints: Vec<Lint>,
}

/// Something that is there for nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Lint {
    /// What is said of it.
    pub warning: Diagnostic,
    /// The layer that has it, where another layer may need it that is not part of the ruleset.
    pub layer: Option<String>,
}

/// Everything in the scripts of a ruleset that rules may not do, or that cannot be meant; and what is worth a warning.
///
/// # Errors
/// What rules may not do; or somebody stopped the work.
pub fn check(scripts: &Scripts, layout: &Layout, ruleset: &Ruleset, work: &Work) -> Result<CheckResult, Diagnostics> {
    let mut known = Known::new(scripts, layout, ruleset);
    let mut readings: Vec<Reading> = scripts.functions.iter().map(|_| Reading::default()).collect();
    let order = callees_first(scripts);
    // Once for what the parts of options are, which any function may offer and any other look at, and once for everything.
    for _ in 0..2 {
        for &function in &order {
            work.refuse_stopped()?;
            let reading = Reader::read(&known, function);
            known.results[usize::from(function)] = reading.result;
            readings[usize::from(function)] = reading;
        }
        known.parts_are(readings.iter().flat_map(|reading| &reading.offered));
    }
    let reached = reached(scripts, ruleset, &readings);

    let mut errors = known.missing_functions();
    errors.extend(scripts.refused.iter().map(|error| error.clone().coded(codes::NOT_IN_RULES)));
    for (reading, reached) in readings.iter().zip(&reached) {
        for finding in &reading.findings {
            let matters = *reached || finding.everywhere;
            if matters && !errors.contains(&finding.error) {
                errors.push(finding.error.clone());
            }
        }
    }
    errors.truncate(MAX_ERRORS);
    Diagnostics::refuse(errors)?;
    let warnings = scripts.warnings.iter().cloned().chain(known.uncalled(&readings)).collect();
    let speaks = |index: &usize| reached[*index] && !is_replaced(scripts, &readings, *index);
    let said = (0..readings.len()).filter(speaks).flat_map(|index| &readings[index].said);
    let untold = known.untold(said.clone());
    let unfilled = known.unfilled(said);
    let measured =
        readings.iter().zip(&reached).filter(|(_, reached)| **reached).flat_map(|(reading, _)| &reading.measured);
    let taken = known.taken_metrics(measured.clone());
    let unmeasured = known.unmeasured_bounds(measured);
    let unused = known.unused(&readings, &reached).into_iter().chain(known.unasked(&reached));
    let names = known.hidden_words().chain(known.old_names());
    let lints =
        unused.chain(known.lost_results()).chain(names).chain(taken).chain(unmeasured).chain(unfilled).collect();
    Ok(CheckResult { warnings, untold, lints })
}

/// What the reading of one function found.
#[derive(Default)]
struct Reading {
    findings: Vec<Finding>,
    /// The functions that it calls or hands on.
    calls: BTreeSet<FunctionId>,
    /// Texts that people read: what they are, and where they stand.
    said: Vec<ReadText>,
    /// What it measures.
    measured: Vec<ReadText>,
    /// The parts of the options that it makes.
    offered: Vec<OfferedPart>,
    /// The sort of what it gives, where all its ends give the same.
    result: Option<Sort>,
}

/// A part of options, where a script makes them.
struct OfferedPart {
    /// Its name; nothing where that is worked out.
    name: Option<Arc<str>>,
    /// The sort of each of its values, where that is certain.
    sort: Option<Sort>,
}

/// A text of a script that people read while they play.
struct ReadText {
    /// What it is to them: `prompt`.
    what: &'static str,
    text: String,
    at: ScriptPoint,
}

struct Finding {
    error: Diagnostic,
    /// False where another game could make it right: then it matters only if the function is reached.
    everywhere: bool,
}

/// The functions in an order in which each stands behind those that it calls, as far as they do not call each other in
/// a circle: what a call gives is known when it is read.
fn callees_first(scripts: &Scripts) -> Vec<FunctionId> {
    let calls: Vec<Vec<FunctionId>> = scripts.program.functions.iter().map(Function::calls).collect();
    let mut is_met = vec![false; calls.len()];
    let mut order = Vec::with_capacity(calls.len());
    for first in 0..calls.len() {
        let mut open: Vec<(usize, usize)> = Vec::new();
        open.extend((!std::mem::replace(&mut is_met[first], true)).then_some((first, 0)));
        while let Some((function, next)) = open.pop() {
            let Some(&callee) = calls[function].get(next) else {
                order.push(function as FunctionId);
                continue;
            };
            open.push((function, next + 1));
            let callee = usize::from(callee);
            open.extend((!std::mem::replace(&mut is_met[callee], true)).then_some((callee, 0)));
        }
    }
    order
}

/// For each function whether the game can come to call it; every function of a game or variant counts.
fn reached(scripts: &Scripts, ruleset: &Ruleset, readings: &[Reading]) -> Vec<bool> {
    let is_library = |script: usize| ruleset.scripts[script].role == Role::Library;
    let mut reached: Vec<bool> = scripts.functions.iter().map(|function| !is_library(function.script)).collect();
    let mut open: Vec<usize> = (0..reached.len()).filter(|&index| reached[index]).collect();
    while let Some(caller) = open.pop() {
        for callee in readings[caller].calls.iter().map(|&callee| usize::from(callee)) {
            if !std::mem::replace(&mut reached[callee], true) {
                open.push(callee);
            }
        }
    }
    reached
}

/// Whether a layer above has a function of the same name that does not come back to this one by `super`.
fn is_replaced(scripts: &Scripts, readings: &[Reading], index: usize) -> bool {
    let own = &scripts.functions[index];
    let overrides = |other: &FunctionInfo| {
        !own.is_private
            && !other.is_private
            && other.script > own.script
            && (&other.name, other.parameters.len()) == (&own.name, own.parameters.len())
    };
    let above = scripts.functions.iter().enumerate().filter(|(_, other)| overrides(other));
    above.min_by_key(|(_, other)| other.script).is_some_and(|(above, _)| {
        !readings[above].calls.contains(&(index as FunctionId)) || is_replaced(scripts, readings, above)
    })
}

fn quoted<'n>(names: impl Iterator<Item = &'n str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
