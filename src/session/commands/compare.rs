//! Commands that compare the game with the same moves under other rules, or with other moves.

use super::arguments::{Extent, Flag, Optional, Shape, Signature, flag, word};
use super::rules::{compared_with, set_in, without_variant};
use super::shapes::{POINT, as_typed};
use super::{Candidate, Command, Flow, rules};
use crate::catalogue::{said, say};
use crate::diagnostic::Diagnostics;
use crate::inspect::compare::Comparison;
use crate::playthrough::DryRun;
use crate::playthrough::travel::unknown_point;
use crate::ruleset::Selection;
use crate::screen;
use crate::session::Session;

const BRANCH: Shape<String> = POINT.called("BRANCH");

/// A setting of the rules to compare with.
pub(super) const SETTING: Shape<String> = Shape {
    name: "KEY=VALUE",
    what: "a setting",
    lead: "",
    extent: Extent::Name,
    read: as_typed,
    complete: |session, _| settings(session),
};

/// Whether to list every difference.
const ALL: Flag = flag("all", "every move that differs");

pub(super) const DIFF: Command = Command {
    name: "diff",
    about: "compare this game with other rules or another branch",
    help: "It replays the moves so far under the other rules and shows both side by side, from the first difference \
           on, with the lines of the rules that caused it. The plainer rules are on the left, so a plus is what the \
           others add. If a move does not fit, both are compared just before it. `diff reload` uses the rules on \
           disk. You can compare branches and bookmarks with this point or with each other, under the current rules. \
           Add `all` to show every move that differs.",
    examples: &[
        "diff with my-rule.toml",
        "diff without double",
        "diff set double.bonus=4",
        "diff reload",
        "diff main all",
    ],
    tells_all: true,
    is_for_designing: true,
    signatures: &[
        &Signature((word("with", "a variant added"), rules::OTHER_VARIANT, ALL), |session, ((), variant, all)| {
            let name = format!("with {variant}");
            other_rules(session, &compared_with(session, &variant, "diff")?, &name, all)
        }),
        &Signature(
            (word("without", "a variant removed"), rules::VARIANT_IN_PLAY, ALL),
            |session, ((), variant, all)| {
                let name = format!("without {variant}");
                other_rules(session, &without_variant(session, &variant)?, &name, all)
            },
        ),
        &Signature(
            (word("set", "a setting or a number of the rulebook with another value"), SETTING, ALL),
            |session, ((), given, all)| {
                let name = format!("set {given}");
                let mut selection = session.playthrough.loaded().ruleset.selection.clone();
                set_in(&mut selection, given);
                other_rules(session, &selection, &name, all)
            },
        ),
        &Signature((word("reload", "the rules as they are on disk"), ALL), |session, ((), all)| {
            let selection = session.playthrough.loaded().ruleset.selection.clone();
            other_rules(session, &selection, said("the rules on disk"), all)
        }),
        &Signature((BRANCH, Optional(BRANCH), ALL), |session, (one, other, all)| match other {
            Some(other) => other_moves(session, Some(&one), &other, all),
            None => other_moves(session, None, &one, all),
        }),
    ],
    ..super::look::LOOKING
};

/// Compares the moves so far under the rules in play and under others.
fn other_rules(session: &mut Session, selection: &Selection, name: &str, all: bool) -> Result<Flow, Diagnostics> {
    let loaded = session.load_rules(selection)?;
    session.notices.extend(loaded.warnings.iter().cloned());
    let game = &session.playthrough;
    let other = loaded.follow(game.seed, game.timeline().log())?;
    // Where a move does not fit, both are compared before it: later scores would not belong together.
    let cut = other.misfit.as_ref().map(|misfit| &game.timeline().log()[..misfit.number - 1]);
    let cut = cut.map(|log| game.loaded().follow(game.seed, log)).transpose()?;
    let scene = session.scene();
    let here = match &cut {
        Some(cut) => screen::side(&scene, game.loaded(), &cut.log, &cut.position, (None, &[])),
        None => screen::side(&scene, game.loaded(), game.timeline().log(), game.position(), (None, &[])),
    };
    let there = screen::side(&scene, &loaded, &other.log, &other.position, (other.misfit.as_ref(), &other.left_out));
    // The plainer rules are on the left, so that a plus is what the other ones add.
    let is_plainer = loaded.ruleset.selection.is_part_of(&game.loaded().ruleset.selection);
    let (comparison, names) = if is_plainer {
        (Comparison::of(there, here, None), [name, said("the rules in play")])
    } else {
        (Comparison::of(here, there, None), [said("the rules in play"), name])
    };
    Ok(Flow::Page(screen::comparison(&scene, &comparison, names, all)))
}

/// Compares two points of the timeline; without `one`, the current position and the other.
fn other_moves(session: &Session, one: Option<&str>, other: &str, all: bool) -> Result<Flow, Diagnostics> {
    let game = &session.playthrough;
    let run = |name: &str| -> Result<DryRun, Diagnostics> {
        let log = game.timeline().log_up_to(name).ok_or_else(|| unknown_point(game.timeline(), name))?;
        game.loaded().follow(game.seed, log)
    };
    let (first, second) = (one.map(run).transpose()?, run(other)?);
    let scene = session.scene();
    let here = match &first {
        Some(run) => screen::side(&scene, game.loaded(), &run.log, &run.position, (run.misfit.as_ref(), &[])),
        None => screen::side(&scene, game.loaded(), game.timeline().log(), game.position(), (None, &[])),
    };
    let there = screen::side(&scene, game.loaded(), &second.log, &second.position, (second.misfit.as_ref(), &[]));
    let names = [one.unwrap_or(said("this point")), other];
    Ok(Flow::Page(screen::comparison(&scene, &Comparison::of(here, there, None), names, all)))
}

/// The settings of the rules in play, with their values.
fn settings(session: &Session) -> Vec<Candidate> {
    let settings = &session.playthrough.loaded().ruleset.settings;
    let of = |(layer, values): &(String, crate::sorted::SortedMap<String, toml::Value>)| {
        let candidate =
            |(key, value): (&String, &toml::Value)| Candidate::new(format!("{layer}.{key}="), say!("is {value}"));
        values.iter().map(candidate).collect::<Vec<_>>()
    };
    settings.iter().flat_map(of).collect()
}
