//! Checks scripts against the language of rules, before anything runs.
//!
//! A ruleset's [`Program`](crate::script::program::Program) is checked function by function: for unknown names, values
//! of a sort that does not fit, and calls that no word takes. What the definition of a game decides (zones, attributes)
//! is checked in a library's function only if the game can come to call it, because a library serves several games.
//! Then the ruleset is checked as a whole for what nothing uses.

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

use crate::diagnostic::{Diagnostic, Diagnostics, Message, Source, first_of};
use crate::ruleset::{Role, Ruleset};
use crate::script::codes;
use crate::script::parser::Scripts;
use crate::script::program::{Function, FunctionId, Statement, StatementKind};
use crate::script::sorts::Sort;
use crate::sorted::SortedSet;
use crate::table::event::ScriptPoint;
use crate::table::layout::Layout;
use crate::work::Work;
use function::Reader;
use known::RulesContext;
use std::sync::Arc;

/// Maximum number of errors that one check reports; nobody reads more.
pub const MAX_ERRORS: usize = 20;

/// The warnings of a check that found no error.
pub struct CheckResult {
    /// Likely mistakes that matter to players.
    pub warnings: Vec<Diagnostic>,
    /// Texts that people read while they play, and that the game does not have.
    pub untold: Vec<Diagnostic>,
    /// Warnings that matter to the author of the rules.
    pub lints: Vec<Lint>,
}

/// A warning for the author of the rules, mostly about something unused.
#[derive(Clone, Debug, PartialEq)]
pub struct Lint {
    /// The warning.
    pub warning: Diagnostic,
    /// The layer that has the unused thing, if another layer outside the ruleset may need it; `None` otherwise.
    pub layer: Option<String>,
}

/// Checks the scripts of a ruleset: reports what rules may not do or cannot mean, and what is worth a warning.
///
/// # Errors
/// Everything that rules may not do, up to [`MAX_ERRORS`]; or somebody stopped the work.
pub fn check(scripts: &Scripts, layout: &Layout, ruleset: &Ruleset, work: &Work) -> Result<CheckResult, Diagnostics> {
    let mut known = RulesContext::new(scripts, layout, ruleset);
    let readings = read_all(&mut known, work)?;
    let reached = reached(scripts, ruleset, &readings);

    let mut errors = known.missing_functions();
    errors.extend(scripts.refused.iter().map(|error| error.clone().with_code(codes::NOT_IN_RULES)));
    for (reading, reached) in readings.iter().zip(&reached) {
        for finding in &reading.findings {
            let matters = *reached || finding.everywhere;
            if matters && !errors.contains(&finding.error) {
                errors.push(finding.error.clone());
            }
        }
    }
    Diagnostics::refuse(first_of(errors, MAX_ERRORS))?;
    let warnings = scripts.warnings.iter().cloned().chain(known.uncalled(&readings)).collect();
    let speaks = |index: &usize| reached[*index] && !is_replaced(scripts, &readings, *index);
    let said = (0..readings.len()).filter(speaks).flat_map(|index| &readings[index].said);
    let untold = known.missing_texts(said.clone());
    let unfilled = known.unknown_placeholders(said.clone()).into_iter().chain(known.unfitting_remarks(said));
    let measured =
        readings.iter().zip(&reached).filter(|(_, reached)| **reached).flat_map(|(reading, _)| &reading.measured);
    let taken = known.shadowing_metrics(measured.clone());
    let unmeasured = known.unmeasured_bounds(measured);
    let unused = known.unused(&readings, &reached).into_iter().chain(known.unasked_prompts(&reached));
    let unused = unused.chain(known.unoffered_acts(&reached));
    let names = known.hidden_words().chain(known.old_names());
    let lints =
        unused.chain(known.lost_results()).chain(names).chain(taken).chain(unmeasured).chain(unfilled).collect();
    Ok(CheckResult { warnings, untold, lints })
}

/// Checks an expression that a person typed like the rules themselves: a function whose first parameters are players,
/// one for each seat, and whose others are local names of the rules. Returns the sort of its value, where that is certain.
///
/// # Errors
/// What rules may not do, such as an unknown name; or it sets something; or somebody stopped the work.
pub fn check_typed(
    scripts: &Scripts,
    layout: &Layout,
    ruleset: &Ruleset,
    (function, source): (&Function, &Arc<Source>),
    work: &Work,
) -> Result<Option<Sort>, Diagnostics> {
    let mut known = RulesContext::new(scripts, layout, ruleset);
    read_all(&mut known, work)?;
    known.typed = Some(source);
    if let [Statement { kind: StatementKind::Set { at, operator: None, .. }, .. }] = &*function.body.0 {
        let error = Diagnostic::new("this sets something, and has no value").help("compare with `==`");
        return Err(error.at_maybe(known.place(*at, "here")).into());
    }
    let FunctionFindings { findings, result, .. } = Reader::read(&known, function, &vec![Sort::Player; layout.seats]);
    // The codes explain how rules are mended.
    let errors = findings.into_iter().map(|finding| Diagnostic { code: None, ..finding.error });
    Diagnostics::refuse(first_of(errors.collect(), MAX_ERRORS))?;
    Ok(result)
}

/// Reads every function, and records in `known` what other functions are read by.
fn read_all(known: &mut RulesContext<'_>, work: &Work) -> Result<Vec<FunctionFindings>, Diagnostics> {
    let scripts = known.scripts;
    let mut readings: Vec<FunctionFindings> = scripts.functions.iter().map(|_| FunctionFindings::default()).collect();
    let order = callees_first(scripts);
    // The first pass finds the parts of options, which any function may offer and any other one may look at.
    for _ in 0..2 {
        for number in order.iter().map(|&function| usize::from(function)) {
            work.check_stopped()?;
            let reading = Reader::read(known, &scripts.program.functions[number], &[]);
            known.results[number] = reading.result;
            readings[number] = reading;
        }
        known.parts_are(readings.iter().flat_map(|reading| &reading.offered));
    }
    Ok(readings)
}

#[derive(Default)]
struct FunctionFindings {
    findings: Vec<Finding>,
    /// The functions that this function calls or passes to words.
    calls: SortedSet<FunctionId>,
    /// Texts that people read, with their kinds and places.
    said: Vec<PlayerText>,
    /// Names of the metrics that the function measures.
    measured: Vec<PlayerText>,
    /// The parts of options that the function makes.
    offered: Vec<OfferedPart>,
    /// The sort of the result, where all ends of the function agree.
    result: Option<Sort>,
}

/// A part of options in a call that makes them.
struct OfferedPart {
    /// The name; `None` where it is computed.
    name: Option<Arc<str>>,
    /// The sort of each value; `None` where it is not certain.
    sort: Option<Sort>,
}

/// A text of a script that people read while they play.
struct PlayerText {
    /// The kind of text, such as `prompt`.
    what: &'static str,
    text: String,
    at: ScriptPoint,
    /// How many values a remark has for the gaps of its text, where that is certain.
    values: Option<usize>,
}

struct Finding {
    error: Diagnostic,
    /// False where another game could make it right: then it counts only if the function is reached.
    everywhere: bool,
}

/// The functions in an order in which each comes after those that it calls, unless they call each other in a cycle: so
/// the result of a call is known when the call is read.
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

/// For each function, whether the game can come to call it; every function of a game or variant counts as called.
fn reached(scripts: &Scripts, ruleset: &Ruleset, readings: &[FunctionFindings]) -> Vec<bool> {
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
fn is_replaced(scripts: &Scripts, readings: &[FunctionFindings], index: usize) -> bool {
    let own = &scripts.functions[index];
    let above = scripts.functions.iter().enumerate().filter(|(_, other)| other.overrides(own));
    above.min_by_key(|(_, other)| other.script).is_some_and(|(above, _)| {
        !readings[above].calls.contains(&(index as FunctionId)) || is_replaced(scripts, readings, above)
    })
}

fn quoted<'n>(names: impl Iterator<Item = &'n str>) -> Message {
    Message::list(names.map(|name| Message::verbatim(format!("`{name}`"))), ", ")
}
