//! Rules that are ready to be played, and logs that are run under them away from a game in play.

use super::LeftOut;
use super::checkpointed::{CheckpointedRun, FollowOutcome};
use super::hidden_choices::HiddenChoices;
use super::history::History;
use super::log::{Entry, LogEntry};
use super::misfit::Misfit;
use super::position::{Position, position};
use crate::definition::Library;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ruleset::{Ruleset, Selection};
use crate::script::Start;
use crate::script::check::Lint;
use crate::script::layering::FunctionInfo;
use crate::script::rules::{Rules, Run};
use crate::table::layout::Layout;
use crate::work::Work;
use std::sync::Arc;

/// A ruleset that can be played.
#[derive(Clone)]
pub struct Playable {
    /// What it was compiled from.
    pub ruleset: Arc<Ruleset>,
    /// The fixed part of their table.
    pub layout: Arc<Layout>,
    /// What is worth saying about them.
    pub warnings: Arc<[Diagnostic]>,
    /// What people read and the game has no words for.
    pub untold: Arc<[Diagnostic]>,
    /// What is there for nothing, which matters to whoever writes the rules.
    pub lints: Arc<[Lint]>,
    /// Every function of their scripts.
    pub functions: Arc<[FunctionInfo]>,
    /// What runs.
    pub rules: Arc<Rules>,
}

/// A log that was run under some rules, away from the game in play.
pub struct DryRun {
    /// The log, as far as it fits, without what was left out.
    pub log: Vec<LogEntry>,
    /// What was left out of it.
    pub left_out: LeftOut,
    /// The position that the log leads to.
    pub position: Position,
    /// The entry behind it that does not fit, if one is left, by its number in the log as it was given.
    pub misfit: Option<Misfit>,
    pub(super) track: CheckpointedRun,
}

impl Playable {
    /// Reads the rules of a selection and compiles them for the fewest players that they allow.
    ///
    /// # Errors
    /// As [`Ruleset::load`] and [`compile`](Self::compile).
    pub fn for_fewest(library: &Library, selection: &Selection, work: &Arc<Work>) -> Result<Self, Diagnostics> {
        let ruleset = Ruleset::load(library, selection)?;
        let fewest = ruleset.definition.players.0;
        Self::compile(Arc::new(ruleset), fewest, work.clone())
    }

    /// Compiles a ruleset for a number of seats; who stops `work` ends its runs.
    ///
    /// # Errors
    /// The number of players is not allowed; whatever does not compile.
    pub fn compile(ruleset: Arc<Ruleset>, seats: usize, work: Arc<Work>) -> Result<Self, Diagnostics> {
        ruleset.check_players(seats)?;
        let rules = Rules::new(ruleset.clone(), seats, work.clone());
        // Scripts that were not read to their end say nothing of themselves.
        work.refuse_stopped()?;
        let rules = Arc::new(rules?);
        let (layout, functions) = (rules.layout().clone(), rules.functions().into());
        let (warnings, untold, lints) = (rules.warnings().into(), rules.untold().into(), rules.lints().into());
        Ok(Self { ruleset, layout, warnings, untold, lints, functions, rules })
    }

    /// Runs a log as far as it fits. What answers a setting that these rules do not ask for is left out.
    ///
    /// # Errors
    /// Somebody stopped the run. That the rules fail is no error: the position says so.
    pub fn follow(&self, seed: u64, log: &[LogEntry]) -> Result<DryRun, Diagnostics> {
        self.follow_from(&Start::Game, seed, log)
    }

    /// The same, of rules that begin somewhere else.
    ///
    /// # Errors
    /// As [`follow`](Self::follow).
    pub fn follow_from(&self, start: &Start, seed: u64, log: &[LogEntry]) -> Result<DryRun, Diagnostics> {
        let mut track = CheckpointedRun::new(self.rules.clone(), start.clone(), seed);
        let mut events = History::default();
        let (left_out, kept): (LeftOut, LeftOut) =
            (1..).zip(log.iter().cloned()).partition(|(_, entry)| entry.is_settled(&self.ruleset.definition));
        let (numbers, mut log): (Vec<usize>, Vec<LogEntry>) = kept.into_iter().unzip();
        let (went, misfit) = go_along(&mut track, &log, 0, &mut events)?;
        let misfit = misfit.map(|misfit| {
            log.truncate(misfit.number - 1);
            Misfit { number: numbers[log.len()], ..misfit }
        });
        went.exact.into_iter().for_each(|(place, entry)| {
            if let Some(told) = log.get_mut(place) {
                *told = entry
            }
        });
        let position = position(&self.rules, &track, &went.end, events);
        Ok(DryRun { log, left_out, position, misfit, track })
    }
}

impl DryRun {
    /// The run, where it stands.
    pub fn run(&self) -> Option<&Run> {
        self.track.run()
    }

    /// What was chosen in it that somebody may not know.
    pub fn past(&self) -> HiddenChoices {
        self.track.past(&self.log)
    }
}

/// Goes along a log as far as it fits, and says which entry does not.
/// So many of its entries are known to be those of the log before.
pub(super) fn go_along(
    track: &mut CheckpointedRun,
    log: &[LogEntry],
    known: usize,
    events: &mut History,
) -> Result<(FollowOutcome, Option<Misfit>), Diagnostics> {
    let went = track.follow_on(log, known, events, None)?;
    let misfit = went.misfit.clone().zip(log.get(went.used)).map(|(reason, entry)| {
        let open = track.run().and_then(|run| run.table.open()).filter(|_| !entry.is_intervention());
        Misfit { number: went.used + 1, entry: Entry::clone(entry), reason, at: open.map(|open| open.at) }
    });
    if misfit.is_none() {
        return Ok((went, None));
    }
    // The table stands as it did in the middle of what does not fit.
    let exact = went.exact;
    let went = track.follow(&log[..went.used], events, None)?;
    Ok((FollowOutcome { exact, ..went }, misfit))
}
