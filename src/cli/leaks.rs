//! The option `houserule check --leaks`: whether a player can infer hidden facts from what a game shows, reports and
//! asks.

use super::numbers::{COUNTS, SEEDS, whole};
use super::{Context, EXIT_NEGATIVE, EXIT_SUCCESS, Failure, Outcome, Printout};
use crate::catalogue::{Message, message, said, say};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::inspect::leaks::{Leak, LeakCounts, LeakTestStop, hunt};
use crate::playthrough::Playable;
use crate::ruleset::{Ruleset, Selection};
use clap::Args;
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// How the random games of the hunt are played.
#[derive(Debug, Args)]
pub(super) struct Games {
    /// Look for leaks: play random games, permute what a seat cannot know, and compare what it sees, reads and is asked
    #[arg(long)]
    leaks: bool,

    /// With --leaks: number of random games for each ruleset
    #[arg(short = 'n', long, value_name = "GAMES", default_value_t = 10, requires = "leaks",
          value_parser = whole::<u32>(1..=1_000_000))]
    games: u32,

    /// With --leaks: number of players; default: each number that the game allows, in turn
    #[arg(short, long, value_name = "N", requires = "leaks", value_parser = whole::<usize>(COUNTS))]
    players: Option<usize>,

    /// With --leaks: seed of the first game; later games use the next numbers
    #[arg(short, long, value_name = "SEED", default_value_t = 1, requires = "leaks",
          value_parser = whole::<u64>(SEEDS))]
    seed: u64,
}

/// A leak with the game that demonstrates it.
struct LeakFinding {
    selection: Selection,
    players: usize,
    seed: u64,
    what: LeakResult,
}

enum LeakResult {
    Leak(Box<Leak>, Diagnostic),
    Failed(Diagnostics),
}

#[derive(Default)]
struct Report {
    games: usize,
    compared: LeakCounts,
    found: Vec<LeakFinding>,
}

impl Games {
    /// Whether to search for leaks.
    pub(super) fn is_wanted(&self) -> bool {
        self.leaks
    }

    /// Plays the games of each ruleset until one leaks, and reports the leaks.
    pub(super) fn run(
        &self,
        context: &Context,
        selections: Vec<Selection>,
        as_json: bool,
        out: &mut Printout,
    ) -> Outcome {
        let mut report = Report::default();
        for selection in selections {
            self.hunt(context, selection, &mut report)?;
        }
        if as_json {
            out.json(&report.to_json());
        } else {
            report.tell(context, out);
        }
        Ok(if report.found.is_empty() { EXIT_SUCCESS } else { EXIT_NEGATIVE })
    }

    fn hunt(&self, context: &Context, selection: Selection, report: &mut Report) -> Result<(), Failure> {
        let ruleset = Arc::new(Ruleset::load(&context.library, &selection).map_err(Failure::wrong)?);
        let (fewest, most) = match self.players {
            Some(players) => (players, players),
            None => ruleset.definition.players,
        };
        for players in fewest..=most {
            ruleset.check_players(players).map_err(Failure::wrong)?;
            let loaded = Playable::compile(ruleset.clone(), players, context.work.clone()).map_err(Failure::wrong)?;
            let numbers = (most - fewest + 1) as u32;
            let turn = (players - fewest) as u32;
            for game in (0..self.games).filter(|game| game % numbers == turn) {
                let seed = self.seed.saturating_add(u64::from(game));
                let result = hunt(&loaded.rules, seed);
                if context.work.is_stopped() {
                    return Err(Failure::no(Diagnostic::new("interrupted")));
                }
                report.games += 1;
                let what = match result {
                    Ok(compared) => {
                        report.compared += compared;
                        continue;
                    }
                    Err(LeakTestStop::Leak(leak)) => {
                        let place = ruleset.place(leak.at, leak.what.kind);
                        let told = Diagnostic::new(&*leak).at_maybe(place).help(
                            "a rule may show, ask or do only what depends on things that everybody concerned knows: \
                             let it first show what it depends on (`reveal`, `show_to`, `show_choice`), or ask in \
                             another way",
                        );
                        LeakResult::Leak(leak, told)
                    }
                    Err(LeakTestStop::Failed(diagnostic)) => LeakResult::Failed(diagnostic),
                };
                report.found.push(LeakFinding { selection, players, seed, what });
                return Ok(());
            }
        }
        Ok(())
    }
}

impl LeakFinding {
    /// The command that plays the same game again.
    fn command(&self, context: &Context) -> String {
        let Context { to_same_folder, .. } = context;
        format!("{} -p {} -s {}{to_same_folder}", self.selection.command("play"), self.players, self.seed)
    }

    fn to_json(&self) -> Json {
        let mut line = json!({
            "game": self.selection.game,
            "variants": self.selection.variants,
            "players": self.players,
            "seed": self.seed,
        });
        let (kind, value) = match &self.what {
            LeakResult::Failed(diagnostic) => ("error", diagnostic.first().to_json()),
            LeakResult::Leak(leak, told) => {
                let Leak { seat, decision, prompt, what, .. } = &**leak;
                let value = json!({
                    "seat": seat.number(),
                    "move": decision,
                    "prompt": prompt,
                    "kind": what.kind,
                    "was": what.was,
                    "would_be": what.would_be,
                    "diagnostic": told.to_json(),
                });
                ("leak", value)
            }
        };
        if let Json::Object(line) = &mut line {
            line.insert(kind.to_owned(), value);
        }
        line
    }
}

impl Report {
    fn to_json(&self) -> Json {
        let LeakCounts { views, early, late, choices, texts, .. } = self.compared;
        json!({
            "games": self.games,
            "compared": {"views": views, "decisions": early + late, "choices": choices, "texts": texts},
            "found": self.found.iter().map(LeakFinding::to_json).collect::<Vec<_>>(),
        })
    }

    fn tell(&self, context: &Context, out: &mut Printout) {
        for found in &self.found {
            let diagnostic = match &found.what {
                LeakResult::Leak(_, told) => told.clone().into(),
                LeakResult::Failed(errors) => errors.clone(),
            };
            let way: Message = match &found.what {
                LeakResult::Leak(leak, _) => message!("then `until end` and `goto {}`", leak.decision),
                LeakResult::Failed(_) => "then `until end`".into(),
            };
            out.tell(&diagnostic.help(message!("`{}`, {way}, leads there", found.command(context))));
        }
        let LeakCounts { views, early, late, choices, texts, has_secrets } = self.compared;
        let compared = if has_secrets || !self.found.is_empty() {
            say!("{views} views, {} decisions, {choices} secret choices and {texts} moments' texts", early + late)
        } else {
            said("nothing is hidden from anybody").to_owned()
        };
        let leaks = match self.found.len() {
            1 => said("1 ruleset leaks or fails").to_owned(),
            count => say!("{count} rulesets leak or fail"),
        };
        out.line(&say!("{} games compared: {compared}; {leaks}", self.games));
    }
}
