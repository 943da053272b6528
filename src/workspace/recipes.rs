//! Recipes of the cookbook, as snippet completions.

use super::FileText;
use super::code::{Code, FunctionSpan};
use super::complete::{Completion, CompletionCollector, CompletionKind, escaped};
use super::context::Context;
use super::manual::{COOKBOOK, Section};
use super::toml::{ItemKind, TomlText};
use crate::catalogue::said;
use crate::ruleset::Role;

/// The rank of recipes, behind all names of the rules.
const RANK: u8 = 7;

/// Offers the functions of recipes for a script, without those that it has already. A recipe's `game()` keeps its name
/// only in a game that lacks one; elsewhere it is named after the recipe.
pub(super) fn functions(context: &Context, file: &FileText, offer: &mut CompletionCollector) {
    let own = context.script_in(&file.path).and_then(|own| context.scripts.get(own));
    let has = |name: &str| own.is_some_and(|own| own.code.functions.iter().any(|one| one.name == name));
    let is_begun = has("game") || own.is_none_or(|own| own.role != Role::Game);
    for section in COOKBOOK.sections() {
        let Some(text) = section.code("rhai") else { continue };
        let code = Code::new(text);
        let written = |function: &FunctionSpan| {
            let part = |from, to| escaped(code.text.get(from..to).unwrap_or_default());
            let (start, end) = (function.comment_start, function.span.end);
            if function.name != "game" || !is_begun {
                return part(start, end);
            }
            let name = section.name().replace([' ', '-'], "_");
            let before = part(start, function.name_span.start);
            format!("{before}${{1:{name}}}{}", part(function.name_span.end, end))
        };
        let functions: Vec<String> =
            code.functions.iter().filter(|one| one.name == "game" || !has(&one.name)).map(written).collect();
        if !functions.is_empty() {
            told(&section, offer.snippet(CompletionKind::Snippet, RANK, &section.name(), "", functions.join("\n\n")));
        }
    }
}

/// Offers the tables of recipes for a TOML file that has none of their keys, at places where they do not split another
/// table.
pub(super) fn tables(toml: &TomlText, offer: &mut CompletionCollector) {
    let is_head = |kind| matches!(kind, ItemKind::Head | ItemKind::ArrayHead);
    let place = offer.span.start;
    let behind = toml.items.iter().find(|item| !item.keys.is_empty() && item.keys[0].start > offer.span.end);
    if behind.is_some_and(|item| !is_head(item.kind)) {
        return;
    }
    let is_in_table = toml.head_before(place).is_some();
    for section in COOKBOOK.sections() {
        let Some(text) = section.code("toml") else { continue };
        let recipe = TomlText::new(text);
        let is_new = recipe.items.iter().all(|item| {
            let path: Vec<&str> = item.path.iter().map(String::as_str).collect();
            toml.get(&path).is_none()
        });
        let begins_with_key = recipe.items.first().is_some_and(|item| !is_head(item.kind));
        if is_new && !(begins_with_key && is_in_table) {
            told(&section, offer.snippet(CompletionKind::Snippet, RANK, &section.name(), "", escaped(text.trim_end())));
        }
    }
}

fn told(section: &Section, completion: Option<&mut Completion>) {
    if let Some(completion) = completion {
        completion.detail = said("a recipe of the cookbook").to_owned();
        section.markdown().clone_into(&mut completion.documentation);
    }
}
