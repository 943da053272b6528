//! `houserule diff`: what do other rules change?

use super::{Context, FINE, Failure, NO, Outcome, Over, Rules, Seats};
use crate::agent::Random;
use crate::diagnostic::Diagnostic;
use crate::inspect::compare::Comparison;
use crate::playthrough::Playthrough;
use crate::playthrough::run::Until;
use crate::repl::{draw, style};
use crate::ruleset::Ruleset;
use crate::table::view::Viewer;
use clap::Args;
use serde_json::{Value as Json, json};

/// Play one game under two rulesets, with the same seed and choices, and tell what is different
#[derive(Debug, Args)]
pub(super) struct Diff {
    #[command(flatten)]
    rules: Rules,

    /// A variant of the other side, which is the plain game if none is given; repeat for more
    #[arg(long, value_name = "VARIANT")]
    vs: Vec<String>,

    /// Set something on the other side: LAYER.KEY=VALUE; repeat for more
    #[arg(long, value_name = "LAYER.KEY=VALUE")]
    vs_set: Vec<String>,

    #[command(flatten)]
    seats: Seats,

    /// Show every move that differs, not only the first ones
    #[arg(long)]
    all: bool,

    /// Write JSON, with every move that differs
    #[arg(long)]
    json: bool,
}

impl Diff {
    pub(super) fn run(&self, context: &Context) -> Outcome {
        let other =
            Rules { game: self.rules.game.clone(), over: Over { variants: self.vs.clone(), set: self.vs_set.clone() } };
        if self.rules.selection() == other.selection() {
            let error = Diagnostic::new("both sides are the same rules");
            return Err(Failure::wrong(vec![
                error.help("`-v` and `--set` are for the one side, `--vs` and `--vs-set` for the other"),
            ]));
        }
        let (loaded, players) = self.rules.load(context, self.seats.players)?;
        let (other, _) = other.load(context, Some(players))?;
        let seed = self.seats.seed();
        let stopped = |error| Failure::no(vec![error]);
        let (mut game, _) = Playthrough::start(loaded, players, seed, Vec::new()).map_err(stopped)?;
        game.advance(Box::new(Random::new(seed)), Until::End).map_err(stopped)?;
        let log = game.timeline().log();
        let followed = other.follow(seed, log).map_err(stopped)?;
        let scene = draw::Scene {
            ruleset: &game.loaded().ruleset,
            layout: &game.loaded().layout,
            position: game.position(),
            viewer: Viewer::Everything,
            language: context.language,
            width: crate::terminal::columns(),
            move_number: log.len() + 1,
            seed,
        };
        let one = draw::side(&scene, game.loaded(), log, game.position(), None);
        let two = draw::side(&scene, &other, &followed.log, &followed.position, followed.misfit.as_ref());
        let comparison = Comparison::of(one, two);
        if self.json {
            let mut report = json!({"game": self.rules.game, "players": players, "seed": seed});
            if let (Json::Object(report), Json::Object(rest)) = (&mut report, comparison.to_json()) {
                report.extend(rest);
            }
            context.terminal.print_json(&report);
        } else {
            let [left, right] = [&game.loaded().ruleset, &other.ruleset].map(|ruleset| name(context, ruleset));
            let mut lines = vec![style::Line::faint(format!("{players} players, seed {seed}"))];
            lines.extend(draw::comparison(&scene, &comparison, [&left, &right], self.all));
            context.terminal.print(&style::render(&lines, context.terminal.color));
        }
        Ok(if comparison.is_nothing() { FINE } else { NO })
    }
}

/// What a side is called: what was laid over the game and set, or the game.
fn name(context: &Context, ruleset: &Ruleset) -> String {
    let variants = ruleset.variant_ids().map(str::to_owned);
    let parts: Vec<String> = variants.chain(ruleset.selection.set.iter().cloned()).collect();
    if parts.is_empty() { ruleset.game.name.get(context.language).to_owned() } else { parts.join(", ") }
}
