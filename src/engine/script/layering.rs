//! Joins the scripts of all layers into one syntax tree: late binding and `super`.
//!
//! Every function is a place that a higher layer may override by defining a function of the same name and arity. The
//! highest definition keeps its name, so that calls from any layer reach it; each lower one is renamed while its layer
//! is parsed (`score` becomes `score__0`), and `super` inside a function becomes the name one layer down. A `private`
//! function overrides nothing and cannot be overridden: it gets a name that only calls in its own script are renamed
//! to. The result is one flat syntax tree. Each layer is parsed with the line numbers of the joined scripts, so
//! positions keep their file.

mod name_uses;
mod scan;
mod typed;

pub(super) use name_uses::{old_names_of_expression, parameters_after};
pub(super) use scan::{refuse_lexical_errors, words_of_functions};
pub(super) use typed::compile_typed;

use crate::diagnostic::{Diagnostic, Diagnostics, did_you_mean, message};
use crate::ruleset::{Role, Ruleset, ScriptLayer};
use crate::script::codes;
use crate::script::functions::{FunctionInfo, with_arguments};
use crate::script::parse_errors::{self, script_point};
use crate::script::token_tap::TokenTap;
use crate::script::vocabulary::old::OldName;
use crate::script::vocabulary::{Word, words_named};
use crate::sorted::SortedMap;
use crate::table::event::ScriptPoint;
use crate::table::layout::Layout;
use name_uses::{identifier, old_names_in, renamed_for, uses_of_renamed};
use rhai::{AST, Engine, Position, Token};
use scan::{ScriptScan, SuperCall, scan};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Separates a function's name from the number of its layer; names in scripts cannot contain it.
pub const SEPARATOR: &str = "__";

/// The internal name of `_` in typed expressions: the value of the previous expression.
pub const LAST_VALUE: &str = "last__value";

/// The scripts of a ruleset, joined into one syntax tree.
pub struct JoinedScripts {
    /// The flat syntax tree.
    pub ast: AST,
    /// Every function definition, lower layers first.
    pub functions: Vec<FunctionInfo>,
    /// Warnings about functions that replace those of another layer without calling `super`.
    pub warnings: Vec<Diagnostic>,
    /// The tokens of all scripts, in order.
    pub tokens: Vec<(Token, Position)>,
    /// Where scripts of an earlier edition use a word by its old name.
    pub old_names: Vec<(ScriptPoint, &'static OldName)>,
}

/// A change to the tokens of a script before they are parsed; `None` leaves them as they are.
pub type TokenRewrite = Option<fn(&mut [Token])>;

/// Parses every script of a ruleset and joins them.
///
/// # Errors
/// Everything that does not parse, and every misuse of names, of all layers at once.
pub fn join(
    engine: &Engine,
    tap: &TokenTap,
    ruleset: &Ruleset,
    layout: &Layout,
    rewrite: TokenRewrite,
) -> Result<JoinedScripts, Diagnostics> {
    let mut trouble = Vec::new();
    let mut scans = Vec::new();
    let padded: Vec<String> = ruleset.scripts.iter().map(|script| padded(script, &script.script.text)).collect();
    for (number, (script, text)) in ruleset.scripts.iter().zip(&padded).enumerate() {
        match scan(engine, tap, ruleset, (number, script.role), text) {
            Ok(scan) => scans.push(scan),
            Err(errors) => trouble.extend(errors),
        }
    }
    Diagnostics::refuse(std::mem::take(&mut trouble))?;
    let mut functions: Vec<FunctionInfo> = scans.iter().flat_map(|scan| scan.functions.clone()).collect();
    name_layers(&mut functions);
    let is_zone = |name: &str| ruleset.definition.zones.iter().any(|zone| !zone.per_seat && zone.id == name);
    let mut old_names = Vec::new();
    let mut replaced = HashMap::new();
    for function in &functions {
        let at = Position::new(function.at.line, function.at.column);
        replaced.insert(at, identifier(&function.flat_name));
    }
    for scan in &scans {
        for call in &scan.supers {
            match super_target(&functions, scan.script, call) {
                Some(target) => {
                    replaced.insert(call.at, identifier(&target));
                }
                None => trouble.push(no_super_error(ruleset, &functions, scan.script, call)),
            }
        }
        let renamed = renamed_for(&functions, scan.script);
        for (at, flat_name) in uses_of_renamed(&scan.tokens, &renamed, is_zone) {
            replaced.insert(at, identifier(flat_name));
        }
        let edition = ruleset.scripts[scan.script].edition;
        for (at, old) in old_names_in(&scan.tokens, edition, &functions, |name| layout.declares(name)) {
            if let Entry::Vacant(place) = replaced.entry(at) {
                place.insert(identifier(old.now));
                old_names.push((script_point(at), old));
            }
        }
        for (at, layer) in &scan.settings {
            replaced.insert(*at, identifier(&settings_name(*layer)));
        }
    }
    for (scan, rewrite) in scans.iter().flat_map(|scan| rewrite.map(|rewrite| (scan, rewrite))) {
        let written = scan.tokens.iter().map(|(token, at)| replaced.get(at).unwrap_or(token).clone());
        let written: Vec<Token> = written.collect();
        let mut turned = written.clone();
        rewrite(&mut turned);
        let changed = scan.tokens.iter().zip(written).zip(turned).filter(|((_, written), turned)| written != turned);
        replaced.extend(changed.map(|(((_, at), _), turned)| (*at, turned)));
    }
    let mut ast = AST::empty();
    *tap.replaced() = replaced;
    for text in &padded {
        match engine.compile(text) {
            Ok(layer) => {
                ast.combine(layer);
            }
            Err(error) => trouble.push(parse_errors::from_parse_error(ruleset, &error, &[])),
        }
    }
    tap.replaced().clear();
    Diagnostics::refuse(trouble)?;
    let warnings = overrides_without_super(ruleset, &functions, &scans);
    let tokens = scans.into_iter().flat_map(|scan| scan.tokens).collect();
    Ok(JoinedScripts { ast, functions, warnings, tokens, old_names })
}

/// The internal name of the `settings` of a layer, by the index of the layer in the ruleset.
pub fn settings_name(layer: usize) -> String {
    format!("settings{SEPARATOR}{layer}")
}

/// The name of a function as its author wrote it, from its name in the flat tree.
pub fn written_name(flat: &str) -> &str {
    flat.split_once(SEPARATOR).map_or(flat, |(name, _)| name)
}

/// Whether a word of the vocabulary is called by this name. Where both could be meant, a function of a script is
/// preferred to a word, so that a new word takes no function away: `at(x, y)` is the function, `board.at(x, y)` the
/// word.
fn is_word(name: &str) -> bool {
    words_named(name).any(Word::is_called)
}

/// Gives every function its name in the flat tree. The highest definition keeps its name, unless a word has the same;
/// those below are numbered from the lowest. A private function gets the number of its script.
fn name_layers(functions: &mut [FunctionInfo]) {
    let mut definitions: SortedMap<(String, usize), Vec<usize>> = SortedMap::new();
    for (index, function) in functions.iter_mut().enumerate() {
        if function.is_private {
            function.flat_name = format!("{}{SEPARATOR}private{}", function.name, function.script);
            continue;
        }
        definitions.entry((function.name.clone(), function.parameters.len())).or_default().push(index);
    }
    for indexes in definitions.values() {
        for (rank, &index) in indexes.iter().enumerate() {
            let function = &mut functions[index];
            function.is_highest = rank + 1 == indexes.len();
            if !function.is_highest {
                function.flat_name = format!("{}{SEPARATOR}{rank}", function.name);
            } else if is_word(&function.name) {
                function.flat_name = format!("{}{SEPARATOR}own", function.name);
            }
        }
    }
}

fn super_target(functions: &[FunctionInfo], script: usize, call: &SuperCall) -> Option<String> {
    let below = functions.iter().rfind(|function| {
        !function.is_private
            && function.name == call.name
            && function.parameters.len() == call.arity
            && function.script < script
    });
    below.map(|function| function.flat_name.clone())
}

fn no_super_error(ruleset: &Ruleset, functions: &[FunctionInfo], script: usize, call: &SuperCall) -> Diagnostic {
    let place = ruleset.place(script_point(call.at), "nothing below to call");
    let counted = with_arguments(call.arity);
    let message = message!("no layer below defines `{}` {counted}", call.name);
    let error = Diagnostic::new(message).at_maybe(place).with_code(codes::WRONG_SUPER);
    let below = || functions.iter().filter(|function| function.script < script && !function.is_private);
    if let Some(other) = below().find(|function| function.name == call.name) {
        return error
            .help(message!("below, it is `{}({})`", other.name, other.parameters.join(", ")))
            .related_maybe(ruleset.place(other.at, "this one has other parameters"));
    }
    // Functions with as many parameters first: one of them was most likely meant.
    let same_arity = below().filter(|function| function.parameters.len() == call.arity);
    let near = did_you_mean(&call.name, same_arity.map(|function| function.name.as_str()))
        .or_else(|| did_you_mean(&call.name, below().map(|function| function.name.as_str())));
    let otherwise = "`super` needs a lower definition with the same name and number of parameters";
    error.help(near.unwrap_or_else(|| otherwise.into()))
}

/// Warnings about functions that two variants or two libraries define, the upper one without `super`, so that the lower
/// one has no effect.
fn overrides_without_super(ruleset: &Ruleset, functions: &[FunctionInfo], scans: &[ScriptScan]) -> Vec<Diagnostic> {
    let are_rivals = |upper: usize, lower: usize| {
        let roles = [upper, lower].map(|script| ruleset.scripts[script].role);
        matches!(roles, [Role::Variant(_), Role::Variant(_)] | [Role::Library, Role::Library])
    };
    let mut warnings = Vec::new();
    for upper in functions {
        let is_meant = |lower: &&FunctionInfo| upper.overrides(lower) && are_rivals(upper.script, lower.script);
        let Some(lower) = functions.iter().rfind(is_meant) else { continue };
        let calls_super = scans
            .iter()
            .filter(|scan| scan.script == upper.script)
            .any(|scan| scan.supers.iter().any(|call| call.name == upper.name && call.arity == upper.parameters.len()));
        if calls_super {
            continue;
        }
        let (above, below) = (&ruleset.scripts[upper.script].id, &ruleset.scripts[lower.script].id);
        let warning = Diagnostic::new(message!("{above} replaces `{}` of {below} without calling `super`", upper.name))
            .help(message!("{below}'s rule has no effect here; call `super` or leave one of the two out"))
            .with_code(codes::LOST_RULE)
            .at_maybe(ruleset.place(upper.at, "this definition wins"))
            .related_maybe(ruleset.place(lower.at, "and this one is never reached"));
        warnings.push(warning);
    }
    warnings
}

/// The text of a script after as many empty lines as the joined scripts have before it.
fn padded(script: &ScriptLayer, text: &str) -> String {
    let mut padded = "\n".repeat(script.lines_before);
    padded.push_str(text);
    padded
}
