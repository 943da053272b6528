//! `houserule check`: does everything load, compile and fit together?

use super::leaks::Games;
use super::{Context, FINE, Failure, NO, Outcome};
use crate::definition::{Layer, Library};
use crate::diagnostic::{Code, Diagnostic, Place};
use crate::inspect::order;
use crate::playthrough::{Loaded, Playthrough};
use crate::ruleset::{Ruleset, Selection};
use crate::script::check::Lint;
use crate::script::codes::{self, CODES};
use crate::work::Work;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use serde_json::json;
use std::sync::Arc;

/// Check that everything loads, compiles and fits together
#[derive(Debug, Args)]
pub(super) struct Check {
    /// Only this game; all games if not given
    game: Option<String>,

    /// Only with this variant: its id, or a path to its file; repeat for more
    #[arg(short, long = "variant", value_name = "VARIANT", requires = "game")]
    variants: Vec<String>,

    /// With this set: LAYER.KEY=VALUE; repeat for more
    #[arg(long, value_name = "LAYER.KEY=VALUE", requires = "game")]
    set: Vec<String>,

    #[command(flatten)]
    random: Games,

    /// Tell more of a kind of finding, by the name that stands in the head of its message
    #[arg(long, value_name = "CODE", value_parser = codes(), hide_possible_values = true,
          conflicts_with_all = ["game", "variants", "set", "leaks"])]
    explain: Option<String>,

    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// Every kind of finding, as the command line lists what may be said.
fn codes() -> PossibleValuesParser {
    PossibleValuesParser::new(CODES.iter().map(|code| PossibleValue::new(code.name).help(code.title)))
}

/// What was found, over everything that was tried.
#[derive(Default)]
pub(crate) struct Findings {
    rulesets: usize,
    forbidden: usize,
    /// What each ruleset has for nothing, with the layers that are part of it.
    lints: Vec<(Vec<String>, Vec<Lint>)>,
    /// What is wrong.
    pub(crate) errors: Vec<Diagnostic>,
    /// What is allowed but probably not meant.
    pub(crate) warnings: Vec<Diagnostic>,
}

/// Checks one choice of rules.
pub(crate) fn check_one(library: &Library, work: Arc<Work>, selection: Selection) -> Findings {
    let mut findings = Findings::default();
    findings.check_alone(library, &work, selection);
    findings
}

/// Checks a game with each of its variants, and each pair of them.
pub(crate) fn check_game(library: &Library, work: Arc<Work>, game: &str) -> Findings {
    let mut findings = Findings::default();
    findings.check_game(library, &work, game);
    findings
}

impl Check {
    pub(super) fn run(&self, context: &Context) -> Outcome {
        if let Some(code) = self.explain.as_deref().and_then(codes::find) {
            return Ok(self.explain(context, code));
        }
        let mut findings = Findings::default();
        let games: Vec<String> = match &self.game {
            // What is wrong with a game that is there is a finding like any other.
            Some(game) if context.library.games().iter().any(|entry| entry.id == *game) => vec![game.clone()],
            Some(game) => vec![context.library.game(game).map_err(Failure::wrong)?.id],
            None => context.library.games().into_iter().map(|entry| entry.id).collect(),
        };
        if games.is_empty() {
            return Err(Failure::wrong(vec![
                Diagnostic::new("there is no game to check").help("`--dir FOLDER` says where games are"),
            ]));
        }
        if self.random.is_wanted() {
            let selections = games.iter().flat_map(|game| self.alone(context, game)).collect();
            return self.random.run(context, selections, self.json);
        }
        let counter = context.terminal.counter(&context.work);
        for game in &games {
            if self.variants.is_empty() && self.set.is_empty() {
                findings.check_game(&context.library, &context.work, game);
            } else {
                let variants = self.variants.clone();
                findings.check_alone(
                    &context.library,
                    &context.work,
                    Selection { game: game.clone(), variants, set: self.set.clone() },
                );
            }
        }
        drop(counter);
        if context.work.is_stopped() {
            let message = format!("interrupted with {} checked", counted(findings.rulesets, "ruleset"));
            return Err(Failure::no(vec![Diagnostic::new(message)]));
        }
        self.report(context, &findings);
        Ok(if findings.errors.is_empty() { FINE } else { NO })
    }

    /// A game as it was asked for; alone and with each of its variants if none was.
    fn alone(&self, context: &Context, game: &str) -> Vec<Selection> {
        let select = |variants: Vec<String>| Selection { game: game.to_owned(), variants, set: self.set.clone() };
        let mut selections = vec![select(self.variants.clone())];
        if self.variants.is_empty() && self.set.is_empty() {
            let entries = context.library.variants(game).into_iter();
            selections.extend(entries.filter_map(|entry| entry.layer.ok()).map(|layer| select(vec![layer.id])));
        }
        selections
    }

    fn explain(&self, context: &Context, code: &Code) -> u8 {
        if self.json {
            context.terminal.print_json(&json!({
                "code": code.name,
                "severity": code.severity(),
                "title": code.title,
                "explanation": code.explanation,
                "example": code.example,
                "instead": code.instead,
            }));
        } else {
            context.terminal.print_line(&code.in_words());
        }
        FINE
    }

    fn report(&self, context: &Context, findings: &Findings) {
        if self.json {
            let list = |diagnostics: &[Diagnostic], severity: &str| {
                let finding = |diagnostic: &Diagnostic| {
                    let mut finding = diagnostic.to_json();
                    finding["severity"] = severity.into();
                    finding
                };
                diagnostics.iter().map(finding).collect::<Vec<_>>()
            };
            let report = json!({
                "rulesets": findings.rulesets,
                "forbidden": findings.forbidden,
                "errors": list(&findings.errors, "error"),
                "warnings": list(&findings.warnings, "warning"),
            });
            return context.terminal.print_json(&report);
        }
        findings.warnings.iter().for_each(|warning| context.terminal.warn(warning));
        findings.errors.iter().for_each(|error| context.terminal.complain(error));
        context.terminal.print_line(&findings.summary());
    }
}

/// `1 error`, `2 errors`.
fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// A variant with all that it requires, and what those require.
fn stack_of<'a>(variant: &'a Layer, all: &[&'a Layer]) -> Vec<&'a Layer> {
    let mut stack = vec![variant];
    let mut next = 0;
    while let Some(layer) = stack.get(next).copied() {
        for (id, _) in &layer.requires {
            let required = all.iter().find(|layer| layer.id == *id);
            stack.extend(required.filter(|required| !stack.iter().any(|known| known.id == required.id)));
        }
        next += 1;
    }
    stack
}

/// A game that is over before anybody was asked anything, and functions that fail on the table as it lies then.
fn asks_nobody(loaded: Loaded, players: usize) -> Vec<Diagnostic> {
    let place = game_function(&loaded);
    let Ok((game, _)) = Playthrough::start(loaded, players, 1, Vec::new()) else { return Vec::new() };
    let position = game.position();
    let mut warnings: Vec<Diagnostic> =
        position.undrawn.iter().map(|warning| warning.clone().coded(codes::NOT_DRAWN)).collect();
    if position.open.is_none() && position.failed.is_none() {
        let message = format!("the game of {players} players is over before anybody is asked anything");
        let warning = Diagnostic::new(message).help("a loop that should ask may never begin: look at its condition");
        warnings.push(warning.at_maybe(place).coded(codes::ASKS_NOBODY));
    }
    warnings
}

/// Where the game begins.
fn game_function(loaded: &Loaded) -> Option<Place> {
    let game = loaded.functions.iter().find(|function| function.flat_name == "game")?;
    loaded.ruleset.place(game.at, "it begins here")
}

impl Findings {
    /// What was tried and found, in numbers.
    pub(crate) fn summary(&self) -> String {
        format!(
            "{} checked, {} refused; {}, {}",
            counted(self.rulesets, "ruleset"),
            counted(self.forbidden, "forbidden pair"),
            counted(self.errors.len(), "error"),
            counted(self.warnings.len(), "warning")
        )
    }

    /// One choice of rules. What a layer has for nothing there may be for a layer that is not part of it: a game's for
    /// any of its variants, a variant's for those that require it.
    fn check_alone(&mut self, library: &Library, work: &Arc<Work>, selection: Selection) {
        let entries = library.variants(&selection.game);
        let game = selection.game.clone();
        self.check(library, work, selection);
        for (layers, lints) in std::mem::take(&mut self.lints) {
            let all = entries.iter().filter_map(|entry| entry.layer.as_ref().ok());
            let outside: Vec<&Layer> = all.filter(|layer| !layers.contains(&layer.id)).collect();
            let may_need = |other: &Layer, layer: &str| {
                layer == game || other.requires.iter().any(|(required, _)| required == layer)
            };
            let is_for_nothing =
                |lint: &Lint| lint.layer.iter().all(|layer| !outside.iter().any(|other| may_need(other, layer)));
            let for_nothing = lints.into_iter().filter(is_for_nothing);
            self.add_warnings(for_nothing.map(|lint| lint.warning).collect());
        }
    }

    /// The game alone, each of its variants, and every pair of them; each variant with those that it requires.
    fn check_game(&mut self, library: &Library, work: &Arc<Work>, game: &str) {
        self.check_stacks(library, work, game);
        let rulesets = std::mem::take(&mut self.lints);
        // For nothing is what no ruleset needs that it is part of.
        let is_for_nothing = |lint: &Lint| {
            lint.layer.as_ref().is_none_or(|layer| {
                rulesets.iter().all(|(layers, lints)| !layers.contains(layer) || lints.contains(lint))
            })
        };
        let for_nothing = rulesets.iter().flat_map(|(_, lints)| lints).filter(|lint| is_for_nothing(lint));
        self.add_warnings(for_nothing.map(|lint| lint.warning.clone()).collect());
    }

    fn check_stacks(&mut self, library: &Library, work: &Arc<Work>, game: &str) {
        let select = |variants: &[&str]| Selection {
            game: game.to_owned(),
            variants: variants.iter().map(|&id| id.to_owned()).collect(),
            set: Vec::new(),
        };
        let entries = library.variants(game);
        let is_whole = self.check(library, work, select(&[]));
        for entry in &entries {
            if let Err(errors) = &entry.layer {
                self.add_errors(errors);
            }
        }
        if !is_whole {
            return;
        }
        let variants: Vec<&Layer> = entries.iter().filter_map(|entry| entry.layer.as_ref().ok()).collect();
        // What is broken by itself would say the same in every pair.
        let is_fine = |variant: &&&Layer| self.check(library, work, select(&[&variant.id]));
        let fine: Vec<&Layer> = variants.iter().filter(is_fine).copied().collect();
        let with_required: Vec<Vec<&Layer>> = fine.iter().map(|variant| stack_of(variant, &variants)).collect();
        let excludes = |one: &Layer, other: &Layer| one.conflicts.contains_key(&other.id);
        for (number, (one, stack)) in fine.iter().zip(&with_required).enumerate() {
            for (other, other_stack) in fine.iter().zip(&with_required).skip(number + 1) {
                // With a variant that it requires, it was checked alone.
                let is_one_stack = stack.iter().any(|layer| layer.id == other.id)
                    || other_stack.iter().any(|layer| layer.id == one.id);
                if is_one_stack {
                    continue;
                }
                let mut pairs = stack.iter().flat_map(|one| other_stack.iter().map(move |other| (one, other)));
                if pairs.any(|(one, other)| excludes(one, other) || excludes(other, one)) {
                    self.forbidden += 1;
                    continue;
                }
                if self.check(library, work, select(&[&one.id, &other.id])) {
                    self.check_order(library, work, [&one.id, &other.id], select);
                }
            }
        }
    }

    /// Tells if it matters in which order two variants lie over each other.
    fn check_order(
        &mut self,
        library: &Library,
        work: &Arc<Work>,
        [one, other]: [&str; 2],
        select: impl Fn(&[&str]) -> Selection,
    ) {
        let load = |variants: &[&str], players: Option<usize>| {
            let ruleset = Ruleset::load(library, &select(variants))?;
            let players = players.unwrap_or(ruleset.definition.players.0);
            Loaded::compile(Arc::new(ruleset), players, work.clone())
        };
        let Ok(loaded) = load(&[one, other], None) else { return };
        let Some(functions) = order::overridden_by_both(&loaded, one, other) else { return };
        let (fewest, most) = loaded.ruleset.definition.players;
        for players in [fewest, most] {
            let both = [load(&[one, other], Some(players)), load(&[other, one], Some(players))];
            let [Ok(left), Ok(right)] = both else { return };
            let found = order::difference(&left, &right, players);
            // A game that was stopped by hand tells nothing about the rules.
            if work.is_stopped() {
                return;
            }
            match found {
                Ok(None) => {}
                Ok(Some(found)) => {
                    let warning = order::warning(&loaded.ruleset, functions, &found).coded(codes::ORDER);
                    return self.warnings.push(warning);
                }
                Err(crash) => return self.add_errors(&[crash]),
            }
        }
    }

    /// Loads and compiles one ruleset, for the fewest and the most players.
    fn check(&mut self, library: &Library, work: &Arc<Work>, selection: Selection) -> bool {
        if work.is_stopped() {
            return false;
        }
        self.rulesets += 1;
        work.count_parts(self.rulesets, 0);
        let checked = Ruleset::load(library, &selection).and_then(|ruleset| {
            let ruleset = Arc::new(ruleset);
            let (fewest, most) = ruleset.definition.players;
            let layers =
                std::iter::once(&ruleset.game).chain(&ruleset.variants).map(|layer| layer.id.clone()).collect();
            let (mut warnings, mut lints) = (Vec::new(), Vec::new());
            for players in [fewest, most] {
                let loaded = Loaded::compile(ruleset.clone(), players, work.clone())?;
                warnings = loaded.warnings.iter().chain(&*loaded.untold).cloned().collect();
                lints = loaded.lints.to_vec();
                warnings.extend(asks_nobody(loaded, players));
            }
            Ok((warnings, (layers, lints)))
        });
        match checked {
            Ok((warnings, lints)) => {
                self.add_warnings(warnings);
                self.lints.push(lints);
                true
            }
            Err(errors) => {
                self.add_errors(&errors);
                false
            }
        }
    }

    fn add_warnings(&mut self, warnings: Vec<Diagnostic>) {
        for warning in warnings {
            // What lies over each other is the one thing that is told without a code.
            let warning = warning.coded(codes::LOST_VALUE);
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
    }

    fn add_errors(&mut self, errors: &[Diagnostic]) {
        for error in errors {
            // Scripts tell their own; what is left stands in the TOML files.
            let error = error.clone().coded(codes::DEFINITION);
            if !self.errors.contains(&error) {
                self.errors.push(error);
            }
        }
    }
}
