//! The command `houserule diff`: the differences that other rules make to a single game.

use super::packs::PackArguments;
use super::{ComparedRules, Context, EXIT_NEGATIVE, EXIT_SUCCESS, Failure, Outcome, Printout, Rules, Seats};
use crate::agent::Random;
use crate::catalogue::say;
use crate::inspect::compare::Comparison;
use crate::playthrough::run::Until;
use crate::playthrough::{Misfit, Playthrough};
use crate::ruleset::Ruleset;
use crate::screen::{self, Scene, style};
use crate::table::knowledge::Viewer;
use clap::Args;
use serde_json::{Value as Json, json};

/// Play one game under two rulesets, with the same seed and choices, and show the differences
#[derive(Debug, Args)]
pub(super) struct Diff {
    #[command(flatten)]
    rules: Rules,

    #[command(flatten)]
    beside: ComparedRules,

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
    /// The arguments that may name packs.
    pub(super) fn pack_arguments(&mut self) -> PackArguments<'_> {
        PackArguments {
            beside: Some(&mut self.beside.vs),
            players: Some(&mut self.seats.players),
            seed: Some(&mut self.seats.seed),
            ..self.rules.pack_arguments()
        }
    }

    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        let (changed, players) = self.rules.load(context, self.seats.players, out)?;
        let (base, _) = self.beside.distinct_from(&self.rules)?.load(context, Some(players), out)?;
        // The plainer rules are on the left, whichever options name them.
        let is_turned = changed.ruleset.selection.is_part_of(&base.ruleset.selection);
        let (left, right) = if is_turned { (changed, base) } else { (base, changed) };
        let seed = self.seats.seed();
        let stopped = |error| Failure::no(error);
        let counter = context.terminal.counter(&context.work);
        let (mut left, _) = Playthrough::start(left, players, seed, Vec::new()).map_err(stopped)?;
        left.advance(Box::new(Random::new(seed)), Until::End).map_err(stopped)?;
        // A stopped game is not worth comparing.
        context.work.check_stopped().map_err(stopped)?;
        let log = left.timeline().log();
        let (mut right, misfit) = Playthrough::start(right, players, seed, log.to_vec()).map_err(stopped)?;
        let in_common = right.timeline().cursor() + right.left_out().len();
        // A game that is not over cannot be compared with one that is, so random play continues it. Rules that fail
        // come to no end.
        let plays_on = right.position().open.is_some() && left.position().failed.is_none();
        if plays_on {
            let agent = Box::new(Random::from_decision(seed, in_common));
            right.advance(agent, Until::End).map_err(stopped)?;
        }
        context.work.check_stopped().map_err(stopped)?;
        drop(counter);
        let (scene, comparison) = side_by_side(context, &left, &right, misfit.as_ref(), plays_on.then_some(in_common));
        if self.json {
            let mut report = json!({"game": self.rules.game, "players": players, "seed": seed});
            if let (Json::Object(report), Json::Object(rest)) = (&mut report, comparison.to_json()) {
                report.extend(rest);
            }
            out.json(&report);
        } else {
            let [left, right] = [&left, &right].map(|game| name(context, &game.loaded().ruleset));
            let of_whom = match players {
                1 => say!("1 player, seed {seed}"),
                _ => say!("{players} players, seed {seed}"),
            };
            let mut lines = vec![style::Line::faint(of_whom)];
            lines.extend(screen::comparison(&scene, &comparison, [&left, &right], self.all));
            out.show(lines);
        }
        Ok(if comparison.is_nothing() && !comparison.has_failed() { EXIT_SUCCESS } else { EXIT_NEGATIVE })
    }
}

/// The comparison of two games as played so far, and the scene to draw it in. `misfit` is the move that did not fit the
/// rules on the right, and `played_on` the move from which random play went on.
pub(super) fn side_by_side<'a>(
    context: &Context,
    left: &'a Playthrough,
    right: &'a Playthrough,
    misfit: Option<&'a Misfit>,
    played_on: Option<usize>,
) -> (Scene<'a>, Comparison<'a>) {
    let scene = Scene {
        has_commands: true,
        ruleset: &left.loaded().ruleset,
        layout: &left.loaded().layout,
        position: left.position(),
        viewer: Viewer::Everything,
        language: context.language,
        width: crate::host::terminal::columns(),
        height: None,
        move_number: left.timeline().log().len() + 1,
        seed: left.seed,
    };
    let one = screen::side(&scene, left.loaded(), left.timeline().log(), left.position(), (None, left.left_out()));
    let two =
        screen::side(&scene, right.loaded(), right.timeline().log(), right.position(), (misfit, right.left_out()));
    let comparison = Comparison::of(one, two, played_on);
    (scene, comparison)
}

/// The name of a side: its variants and settings, or the name of the game.
fn name(context: &Context, ruleset: &Ruleset) -> String {
    let variants = ruleset.variant_ids().map(str::to_owned);
    let parts: Vec<String> = variants.chain(ruleset.selection.set.iter().cloned()).collect();
    if parts.is_empty() { ruleset.game.name.get(context.language).to_owned() } else { parts.join(", ") }
}
