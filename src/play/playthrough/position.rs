//! The position of a game: the table, the open decision, and what the game's own functions say about them.

use super::checkpointed::CheckpointedRun;
use super::history::History;
use super::log::Purpose;
use super::misfit::Misfit;
use crate::diagnostic::{Diagnostic, Diagnostics, Message, message};
use crate::script::rules::Rules;
use crate::script::{End, Evaluation, EvaluationError, Start};
use crate::sorted::SortedSet;
use crate::table::decision::{Decision, Halt};
use crate::table::event::{Event, EventData};
use crate::table::knowledge::{ObservedPosition, Viewer, VisiblePast};
use crate::table::layout::Layout;
use crate::table::value::{Seat, Seats, Value, Zone};
use crate::table::{State, Table};
use std::sync::Arc;

/// The position of a playthrough.
#[derive(Clone, Debug)]
pub struct Position {
    /// The open decision; `None` when the game is over or the rules failed.
    pub open: Option<Arc<Decision>>,
    /// The error that ended the rules.
    pub failed: Option<Diagnostics>,
    /// Everything on the table.
    pub table: State,
    /// Scores in seat order.
    pub scores: Vec<i64>,
    /// Whether the game has points: the rules can give some, or somebody has some.
    pub has_scores: bool,
    /// Seats by rank; those with equal rank are together.
    pub ranking: Vec<Vec<Seat>>,
    /// The winners if the game ended here: the seats that rank first, or none.
    pub winners: Vec<Seat>,
    /// Everything that happened, in order.
    pub events: History,
    /// The awards each seat would score if the game ended here; empty where the rules define no standing.
    pub standings: Vec<Vec<Event>>,
    /// Marks and notes of zones, by the rules.
    pub captions: Vec<Caption>,
    /// Errors of the functions for standings and captions, which are missing then.
    pub undrawn: Vec<Diagnostic>,
    /// Rigs that have not been used yet, as they are typed.
    pub waiting_rigs: Vec<String>,
}

/// A mark before a zone and a note after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Caption {
    pub zone: Zone,
    /// The value shown before the zone: a single one, or a list.
    pub mark: Option<Value>,
    /// The value shown after the zone.
    pub note: Option<Value>,
}

impl Position {
    /// Whether the entry that does not fit only waits for the open setting, which was not asked when the entry was
    /// made.
    pub(super) fn lets_wait(&self, misfit: Option<&Misfit>) -> bool {
        let asked = self.open.as_ref().zip(misfit);
        asked.is_some_and(|(open, misfit)| misfit.entry.waits_for(open.seat, &open.prompt, &Purpose::of_decision(open)))
    }

    /// The position as `viewer` may see it.
    pub fn observed_position<'a>(&'a self, layout: &'a Layout, viewer: Viewer) -> ObservedPosition<'a> {
        ObservedPosition::of(layout, &self.table, self.open.as_deref(), &self.events.shown_choices(), viewer)
    }

    /// The past of the game, with the events `told` to be shown.
    pub fn past<'a>(&self, told: [&'a [Event]; 2]) -> VisiblePast<'a> {
        VisiblePast { shown: self.events.shown_choices(), told, events_so_far: self.events.len() }
    }

    /// Adds what each seat would score, unless points of the same sort have been given.
    fn with_standings(mut self, rules: &Rules, table: &Table) -> Self {
        let standings = worked_out(rules, table, true).standings;
        if standings.is_empty() {
            return self;
        }
        let reason = |event: &Event| match &event.what {
            EventData::Award { reason, .. } => Some(reason.clone()),
            _ => None,
        };
        let given: SortedSet<_> = self.events.iter().filter_map(reason).collect();
        if standings.iter().flatten().filter_map(reason).all(|reason| !given.contains(&reason)) {
            self.standings = standings;
        }
        self
    }

    /// The position after a run that ended with `end`.
    pub fn of(rules: &Rules, table: &Table, end: &End, events: History) -> Self {
        let failed = match end {
            End::Failed(diagnostic) | End::Endless(diagnostic) => Some(diagnostic.clone()),
            End::Finished | End::Halted(_) => None,
        };
        let open = match end {
            End::Halted(Halt::Open | Halt::Misfit) => table.open().cloned(),
            _ => None,
        };
        let OwnWords { standings, captions, undrawn } = worked_out(rules, table, open.is_some());
        let scores: Vec<i64> = Seats::all(table.layout().seats).into_iter().map(|seat| table.score(seat)).collect();
        Self {
            open,
            failed,
            table: table.state().clone(),
            has_scores: rules.has_scores() || scores.iter().any(|score| *score != 0),
            scores,
            ranking: table.ranking(),
            winners: table.winners(),
            events,
            standings,
            captions,
            undrawn,
            waiting_rigs: waiting_rigs(table),
        }
    }
}

/// The position after a run.
pub(super) fn position(rules: &Rules, track: &CheckpointedRun, end: &End, events: History) -> Position {
    match track.run() {
        Some(run) => {
            let position = Position::of(rules, &run.table, end, events);
            // The end of a single function is not the end of the game.
            let goes_on = track.is_call() && *end == End::Finished;
            if goes_on { position.with_standings(rules, &run.table) } else { position }
        }
        // No log was followed, so the game has not begun.
        None => Position::of(rules, &rules.begin(&Start::Game, 0).table, end, events),
    }
}

fn waiting_rigs(table: &Table) -> Vec<String> {
    let in_words = |(stream, result): (&str, &[Value])| {
        let labels: Vec<String> = result.iter().map(|value| table.option_label(value)).collect();
        format!("rig {stream} {}", labels.join(" "))
    };
    table.chance.pending_rigged().map(in_words).collect()
}

/// The result of a function that the host calls for a drawing; `None` without one. A function that asks a player, or
/// that was left out, is skipped silently; a failure is reported once for each place.
fn tried(
    tried: Result<Evaluation, EvaluationError>,
    what: &'static str,
    undrawn: &mut Vec<Diagnostic>,
) -> Option<Evaluation> {
    match tried {
        Ok(tried) => Some(tried),
        Err(EvaluationError::Asks | EvaluationError::OutOfBudgetOrStopped) => None,
        Err(EvaluationError::Failed(errors)) => {
            let what = Message::from(what);
            for told in errors.help(message!("so {what} are not shown; the game continues without them")) {
                if !undrawn.iter().any(|other| (&other.message, &other.place) == (&told.message, &told.place)) {
                    undrawn.push(told.as_warning());
                }
            }
            None
        }
    }
}

/// What the game's own functions say about a position, for its drawing.
pub struct OwnWords {
    pub standings: Vec<Vec<Event>>,
    pub captions: Vec<Caption>,
    /// The errors of functions that were called for the drawing, as warnings.
    pub undrawn: Vec<Diagnostic>,
}

/// What each seat would score now by the game's own scoring function, and the captions of zones; all of it on copies of
/// the table, within one budget. A player scores what the function gives the player when it is called for the player or
/// a partner: for teams that score together, the points of all of them.
pub fn worked_out(rules: &Rules, table: &Table, with_standings: bool) -> OwnWords {
    let layout = table.layout();
    let standing = layout.definition.standing.as_deref().filter(|_| with_standings);
    let seats = || Seats::all(layout.seats).into_iter().map(Value::Seat);
    let mut calls: Vec<(&str, Value)> =
        standing.iter().flat_map(|function| seats().map(|seat| (*function, seat))).collect();
    let scored = calls.len();
    let mut captions: Vec<Caption> = Vec::new();
    // For each call for a zone, the index of its caption, and whether it gives the mark.
    let mut parts: Vec<(usize, bool)> = Vec::new();
    for zone in (0..layout.zones.len()).map(|number| Zone(number as u16)) {
        let definition = layout.zone_definition(zone);
        let functions = [(&definition.mark, true), (&definition.note, false)];
        let functions = functions.into_iter().filter_map(|(function, is_mark)| Some((function.as_deref()?, is_mark)));
        if table.zone(zone).is_empty() || functions.clone().next().is_none() {
            continue;
        }
        for (function, is_mark) in functions {
            calls.push((function, Value::Zone(zone)));
            parts.push((captions.len(), is_mark));
        }
        captions.push(Caption { zone, mark: None, note: None });
    }
    let mut called = rules.call_all_on_copies(table, &calls).into_iter();
    let mut undrawn = Vec::new();
    let of_seats: Vec<Option<Evaluation>> =
        called.by_ref().take(scored).map(|called| tried(called, "standings", &mut undrawn)).collect();
    // If one seat has no standing, the standings cannot be compared.
    let of_seats: Option<Vec<Evaluation>> = of_seats.into_iter().collect();
    let of_seats = of_seats.filter(|of_seats| !of_seats.is_empty());
    let standings = of_seats.map_or_else(Vec::new, |of_seats| {
        let awards = |seat: Seat| {
            let own = table.team(seat).into_iter().filter_map(|partner| of_seats.get(partner.index()));
            let events = own.flat_map(|scored| &scored.recording.events);
            events.filter(|event| event.what.points_of(seat).is_some()).cloned().collect()
        };
        Seats::all(layout.seats).into_iter().map(awards).collect()
    });
    for (&(number, is_mark), called) in parts.iter().zip(called) {
        let tried = tried(called, "marks and notes of zones", &mut undrawn);
        if let (Some(caption), Some(tried)) = (captions.get_mut(number), tried) {
            *(if is_mark { &mut caption.mark } else { &mut caption.note }) = tried.value;
        }
    }
    OwnWords { standings, captions, undrawn }
}
