//! The command `houserule check`: does everything load, compile and fit together?

use super::leaks::Games;
use super::packs::PackArguments;
use super::{Context, EXIT_NEGATIVE, EXIT_SUCCESS, Failure, Outcome, Printout};
use crate::catalogue::{Message, message};
use crate::diagnostic::{Code, Diagnostic};
use crate::inspect::check::Findings;
use crate::ruleset::Selection;
use crate::script::codes::{self, CODES};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use serde_json::json;

/// Check that everything loads, compiles and fits together
#[derive(Debug, Args)]
pub(super) struct Check {
    /// Only this game; default: all games
    game: Option<String>,

    /// Only with this variant: its id, or a path to its file; repeat for more
    #[arg(short, long = "variant", value_name = "VARIANT", requires = "game")]
    variants: Vec<String>,

    /// With this setting: LAYER.KEY=VALUE; repeat for more
    #[arg(long, value_name = "LAYER.KEY=VALUE", requires = "game")]
    set: Vec<String>,

    #[command(flatten)]
    random: Games,

    /// Explain a kind of finding; give the name in brackets in its message
    #[arg(long, value_name = "CODE", value_parser = codes(), hide_possible_values = true,
          conflicts_with_all = ["game", "variants", "set", "leaks"])]
    explain: Option<String>,

    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// The names and titles of all kinds of findings, for the command line.
fn codes() -> PossibleValuesParser {
    PossibleValuesParser::new(CODES.iter().map(|code| PossibleValue::new(code.name).help(code.title)))
}

impl Check {
    /// The arguments that may name packs.
    pub(super) fn pack_arguments(&mut self) -> PackArguments<'_> {
        let (variants, set) = (Some(&mut self.variants), Some(&mut self.set));
        PackArguments { game: self.game.as_mut(), variants, set, ..PackArguments::default() }
    }

    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        if let Some(code) = self.explain.as_deref().and_then(codes::find) {
            return Ok(self.explain(code, out));
        }
        let mut findings = Findings::default();
        let games: Vec<String> = match &self.game {
            // Errors in an existing game are findings like any other.
            Some(game) if context.library.games().iter().any(|entry| entry.id == *game) => vec![game.clone()],
            Some(game) => vec![context.library.game(game).map_err(Failure::wrong)?.id],
            None => context.library.games().into_iter().map(|entry| entry.id).collect(),
        };
        if games.is_empty() {
            return Err(Failure::wrong(
                Diagnostic::new("there is no game to check").help("`--dir FOLDER` says where games are"),
            ));
        }
        if self.random.is_wanted() {
            let selections = games.iter().flat_map(|game| self.alone(context, game)).collect();
            return self.random.run(context, selections, self.json, out);
        }
        let counter = context.terminal.counter(&context.work);
        for game in &games {
            if self.variants.is_empty() && self.set.is_empty() {
                findings.check_game(&context.threads, &context.library, &context.work, game);
            } else {
                let variants = self.variants.clone();
                findings.check_alone(
                    &context.library,
                    &context.work,
                    Selection { game: game.clone(), variants, set: self.set.clone() },
                );
            }
        }
        if self.game.is_none() {
            findings.check_strays(&context.library);
        }
        drop(counter);
        if context.work.is_stopped() {
            let message = message!("interrupted with {} checked", Message::counted(findings.rulesets, "ruleset"));
            return Err(Failure::no(Diagnostic::new(message)));
        }
        self.report(&findings, out);
        Ok(if findings.errors.is_empty() { EXIT_SUCCESS } else { EXIT_NEGATIVE })
    }

    /// The requested selection; without options, the game alone and with each of its variants.
    fn alone(&self, context: &Context, game: &str) -> Vec<Selection> {
        let select = |variants: Vec<String>| Selection { game: game.to_owned(), variants, set: self.set.clone() };
        let mut selections = vec![select(self.variants.clone())];
        if self.variants.is_empty() && self.set.is_empty() {
            let entries = context.library.variants(game).into_iter();
            selections.extend(entries.filter_map(|entry| entry.layer.ok()).map(|layer| select(vec![layer.id])));
        }
        selections
    }

    fn explain(&self, code: &Code, out: &mut Printout) -> u8 {
        if self.json {
            out.json(&json!({
                "code": code.name,
                "severity": code.severity.name(),
                "title": code.title,
                "explanation": code.explanation,
                "example": code.example,
                "instead": code.instead,
            }));
        } else {
            out.line(&code.in_words());
        }
        EXIT_SUCCESS
    }

    fn report(&self, findings: &Findings, out: &mut Printout) {
        if self.json {
            let list = |found: &[Diagnostic]| found.iter().map(Diagnostic::to_json).collect::<Vec<_>>();
            let report = json!({
                "rulesets": findings.rulesets,
                "forbidden": findings.forbidden,
                "errors": list(&findings.errors),
                "warnings": list(&findings.warnings),
            });
            return out.json(&report);
        }
        out.tell(&findings.warnings);
        out.tell(&findings.errors);
        out.line(&findings.summary().told());
    }
}
