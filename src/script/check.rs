//! What holds scripts to the language of rules.

use crate::diagnostic::Diagnostic;
use crate::ruleset::Ruleset;
use crate::script::layering::FunctionInfo;
use crate::table::layout::Layout;
use rhai::AST;

/// Everything in a tree that rules may not do, or that cannot be meant.
pub fn check(
    _ast: &AST,
    _functions: &[FunctionInfo],
    _globals: &[String],
    _layout: &Layout,
    _ruleset: &Ruleset,
) -> Vec<Diagnostic> {
    Vec::new()
}
