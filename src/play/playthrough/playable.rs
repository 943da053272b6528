//! Compiled rulesets, and runs of logs under them apart from a game in play.

use super::SkippedEntries;
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
use crate::script::functions::FunctionInfo;
use crate::script::rules::{Rules, Run};
use crate::table::layout::Layout;
use crate::work::Work;
use std::sync::Arc;

/// A compiled ruleset, for a number of seats.
#[derive(Clone)]
pub struct Playable {
    /// The ruleset it was compiled from.
    pub ruleset: Arc<Ruleset>,
    /// The fixed part of the table.
    pub layout: Arc<Layout>,
    /// Warnings about the rules.
    pub warnings: Arc<[Diagnostic]>,
    /// Findings about names that people read and for which the rules have no words.
    pub untold: Arc<[Diagnostic]>,
    /// Findings about unused or pointless code, for the author of the rules.
    pub lints: Arc<[Lint]>,
    /// All functions of the scripts.
    pub functions: Arc<[FunctionInfo]>,
    /// The executable rules.
    pub rules: Arc<Rules>,
}

/// The result of running a log under some rules, apart from the game in play.
pub struct DryRun {
    /// The log as far as it fits, without what was left out.
    pub log: Vec<LogEntry>,
    /// The entries left out of the log.
    pub left_out: SkippedEntries,
    /// The position at the end of the log.
    pub position: Position,
    /// The next entry, which does not fit, if one is left; numbered as in the given log.
    pub misfit: Option<Misfit>,
    pub(super) track: CheckpointedRun,
}

impl Playable {
    /// Loads the rules of a selection and compiles them for the fewest players that they allow.
    ///
    /// # Errors
    /// As [`Ruleset::load`] and [`compile`](Self::compile).
    pub fn for_fewest(library: &Library, selection: &Selection, work: &Arc<Work>) -> Result<Self, Diagnostics> {
        let ruleset = Ruleset::load(library, selection)?;
        let fewest = ruleset.definition.players.0;
        Self::compile(Arc::new(ruleset), fewest, work.clone())
    }

    /// Compiles a ruleset for a number of seats. Stopping `work` stops its runs.
    ///
    /// # Errors
    /// The number of players is not allowed, or something does not compile.
    pub fn compile(ruleset: Arc<Ruleset>, seats: usize, work: Arc<Work>) -> Result<Self, Diagnostics> {
        ruleset.check_players(seats)?;
        let rules = Rules::new(ruleset.clone(), seats, work.clone());
        // An incomplete compilation must not be reported as an error of the scripts.
        work.check_stopped()?;
        let rules = Arc::new(rules?);
        let (layout, functions) = (rules.layout().clone(), rules.functions().into());
        let (warnings, untold, lints) = (rules.warnings().into(), rules.missing_texts().into(), rules.lints().into());
        Ok(Self { ruleset, layout, warnings, untold, lints, functions, rules })
    }

    /// Runs a log as far as it fits. Answers to settings that these rules do not ask are left out.
    ///
    /// # Errors
    /// The run was stopped. Rules that fail are no error: the position shows them.
    pub fn follow(&self, seed: u64, log: &[LogEntry]) -> Result<DryRun, Diagnostics> {
        self.follow_from(&Start::Game, seed, log)
    }

    /// As [`follow`](Self::follow), with rules that begin at `start`.
    ///
    /// # Errors
    /// As [`follow`](Self::follow).
    pub fn follow_from(&self, start: &Start, seed: u64, log: &[LogEntry]) -> Result<DryRun, Diagnostics> {
        let mut track = CheckpointedRun::new(self.rules.clone(), start.clone(), seed);
        let mut events = History::default();
        let (left_out, kept): (SkippedEntries, SkippedEntries) =
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
    /// The run where it stopped.
    pub fn run(&self) -> Option<&Run> {
        self.track.run()
    }

    /// The choices of the run that are hidden from somebody.
    pub fn past(&self) -> HiddenChoices {
        self.track.past(&self.log)
    }
}

/// Runs a log as far as it fits, and returns the entry that does not. Its first `known` entries are known to equal
/// those of the log before.
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
    // The run stopped in the middle of the entry that does not fit, so it is run again up to that entry.
    let exact = went.exact;
    let went = track.follow(&log[..went.used], events, None)?;
    Ok((FollowOutcome { exact, ..went }, misfit))
}
