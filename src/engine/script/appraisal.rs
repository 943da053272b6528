//! What the host asks of rules about a table: what it is worth to each seat, who would score what if the game ended there,
//! which options are worth trying, how much speaks against what a seat holds.
//!
//! The rules' own functions answer, in a scratch run on a copy of the table. What such a function gave for a seat is
//! remembered with all that it had read, and is taken again where that is the same.

use super::rules::{GRACE, Rules, Run};
use crate::diagnostic::Diagnostic;
use crate::script::End;
use crate::script::codes;
use crate::script::host_functions::{DOUBT, POLICY, VALUE};
use crate::script::machine::hooks::{Hook, NoHook};
use crate::script::machine::meter::{Limits, Meter};
use crate::script::machine::reads::{Reads, Remembered};
use crate::script::machine::value::{List, V};
use crate::script::program::FunctionId;
use crate::table::Table;
use crate::table::decision::{Halt, Nobody, Options, Question};
use crate::table::value::{Seat, Seats};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::sync::{Arc, PoisonError};

/// The largest weight that counts of those that rules give to options.
const MOST_WEIGHT: usize = 1 << 20;

/// Results that are remembered of a seat.
const REMEMBERED_RESULTS: usize = 4;

/// Of so many questions in a row, at least so many have to be answered from memory for remembering to pay.
const WINDOW: u32 = 32;
const MIN_HITS: u32 = 8;

/// Questions for which nothing is remembered at first where it does not pay, and at most; each time it is twice as many.
const FIRST_REST: u32 = 64;
const MAX_REST: u32 = 1 << 14;

/// Where the host's questions about one table after the other are answered: the scratch run, and the results that are
/// remembered. It belongs to one set of [`Rules`] and one thread. What it remembers never changes an answer.
#[derive(Default)]
pub struct Appraiser {
    run: Option<Run>,
    reads: Reads,
    /// The function that gave the results.
    function: Option<FunctionId>,
    seats: Vec<SeatResults>,
}

/// What a function gave for a seat on the last few tables.
#[derive(Default)]
struct SeatResults {
    results: Vec<SeatResult>,
    /// The position of the result of the table that was asked about last.
    current: usize,
    payoff: Payoff,
}

/// Whether it pays to remember results, which is found out from time to time.
#[derive(Default)]
struct Payoff {
    /// The questions since the last rest, and those of them that were answered from memory.
    asked: u32,
    hits: u32,
    /// For how many questions to come nothing is remembered, and for how many it was last time.
    resting: u32,
    rest: u32,
}

impl Payoff {
    /// Whether the next question is one for the memory.
    fn remembers(&mut self) -> bool {
        let remembers = self.resting == 0;
        self.resting = self.resting.saturating_sub(1);
        remembers
    }

    /// Notes whether a question was answered from memory.
    fn note(&mut self, is_hit: bool) {
        self.asked += 1;
        self.hits += u32::from(is_hit);
        if self.asked == WINDOW {
            self.rest = if self.hits < MIN_HITS { (2 * self.rest).clamp(FIRST_REST, MAX_REST) } else { 0 };
            self.resting = self.rest;
            (self.asked, self.hits) = (0, 0);
        }
    }
}

/// Points for a seat and for whoever scores with it.
type Points = SmallVec<[(Seat, i64); 2]>;

#[derive(Default)]
struct SeatResult {
    read: Remembered,
    points: Points,
}

impl Appraiser {
    /// Forgets all results, at the beginning of another game.
    pub fn begin_game(&mut self) {
        self.seats.iter_mut().for_each(|seat| seat.results.clear());
    }

    /// What the function of the last [`Rules::appraise`] gave for each seat.
    fn points(&self) -> impl Iterator<Item = (Seat, i64)> {
        let current = self.seats.iter().filter_map(|seat| seat.results.get(seat.current));
        current.flat_map(|result| result.points.iter().copied())
    }
}

impl SeatResults {
    /// Makes the result that was found on a table like this one the current one, if there is any.
    fn recall(&mut self, table: &Table) -> bool {
        let is_same = |result: &SeatResult| result.read.is_same(table);
        // Mostly nothing of it has changed since the last table.
        if self.results.get(self.current).is_some_and(is_same) {
            return true;
        }
        let found = self.results.iter().position(is_same);
        self.current = found.unwrap_or(self.current);
        found.is_some()
    }

    /// Makes room for a result in place of the oldest, which becomes the current one.
    fn make_room(&mut self) -> &mut SeatResult {
        if self.results.len() < REMEMBERED_RESULTS {
            self.current = self.results.len();
            self.results.push(SeatResult::default());
        } else {
            self.current = (self.current + 1) % REMEMBERED_RESULTS;
        }
        &mut self.results[self.current]
    }
}

fn scores_of(table: &Table, points: &mut Vec<i64>) {
    points.clear();
    points.extend(Seats::all(table.layout().seats).into_iter().map(|seat| table.score(seat)));
}

impl Rules {
    /// Puts into `worths` what a table is worth to each seat, in their order: what the rules' own `value` gives, or else
    /// the score with what the function named by `standing` would add if the game ended now, or else the score. Where such
    /// a function fails, scores alone are compared.
    pub fn worths(&self, table: &Table, appraiser: &mut Appraiser, worths: &mut Vec<i64>) {
        if let Some(function) = self.common.value {
            let number = |_: &Table, seat, given: &V| match given {
                V::Number(number) => Some([(seat, *number)].into_iter().collect()),
                other => {
                    let message = || format!("`{VALUE}` gives {}", other.sort().named());
                    self.blame(function, message, "it has to give a number");
                    None
                }
            };
            if self.appraise(table, function, appraiser, true, number).is_some() {
                worths.clear();
                worths.extend(appraiser.points().map(|(_, number)| number));
                return;
            }
        }
        self.standings_or_blame(table, appraiser, worths, true);
    }

    /// Puts into `points` what each seat would score if the game ended here, in their order; false where the function that
    /// the definition names for that fails, and the points are the scores alone.
    pub fn standings(&self, table: &Table, appraiser: &mut Appraiser, points: &mut Vec<i64>) -> bool {
        self.standings_or_blame(table, appraiser, points, false)
    }

    fn standings_or_blame(
        &self,
        table: &Table,
        appraiser: &mut Appraiser,
        points: &mut Vec<i64>,
        blames: bool,
    ) -> bool {
        scores_of(table, points);
        let Some(function) = self.common.standing else { return true };
        // Partners who score together get each other's points, too.
        let gained = |after: &Table, seat, _: &V| -> Option<Points> {
            let team = table.team(seat).into_iter();
            Some(team.map(|partner| (partner, after.score(partner).saturating_sub(table.score(partner)))).collect())
        };
        let is_known = self.appraise(table, function, appraiser, blames, gained).is_some();
        if is_known {
            for (seat, gained) in appraiser.points() {
                if let Some(points) = points.get_mut(seat.index()) {
                    *points = points.saturating_add(gained);
                }
            }
        }
        is_known
    }

    /// Finds out for every seat what a function gives that is called with it: `read` turns the table after the call and
    /// what was given into points. Nothing where it fails for one of them.
    fn appraise(
        &self,
        table: &Table,
        function: FunctionId,
        appraiser: &mut Appraiser,
        blames: bool,
        read: impl Fn(&Table, Seat, &V) -> Option<Points>,
    ) -> Option<()> {
        let Appraiser { run, reads, function: asked_before, seats } = appraiser;
        if asked_before.replace(function) != Some(function) {
            seats.clear();
        }
        seats.resize_with(self.common.layout.seats, SeatResults::default);
        for (seat, results) in Seats::all(self.common.layout.seats).into_iter().zip(seats) {
            let remembers = results.payoff.remembers();
            if remembers {
                let is_hit = results.recall(table);
                results.payoff.note(is_hit);
                if is_hit {
                    continue;
                }
            }
            let arguments = [V::player(seat)];
            let called = if remembers {
                reads.clear();
                self.called_in(run, table, function, &arguments, reads)
            } else {
                self.called_in(run, table, function, &arguments, &mut NoHook)
            };
            let given = match called {
                Ok(given) => given,
                Err(end) => {
                    if blames {
                        self.blame_end(function, end);
                    }
                    return None;
                }
            };
            let result = results.make_room();
            result.points = read(&run.as_ref()?.table, seat, &given)?;
            match remembers {
                true => result.read.remember(reads, table),
                false => result.read.forget(),
            }
        }
        Some(())
    }

    /// Calls a function in the scratch run on a copy of a table; gives how it ended where it does not come to its end.
    fn called_in<H: Hook>(
        &self,
        run: &mut Option<Run>,
        table: &Table,
        function: FunctionId,
        arguments: &[V],
        hook: &mut H,
    ) -> Result<V, End> {
        let run = run.get_or_insert_with(|| self.on_table(table.copy(), None, &[]));
        run.table.become_copy(table);
        run.misread = None;
        run.machine.meter = Meter::new(Limits::default());
        run.machine.start(&self.code, function, arguments);
        match self.ended(run, &mut Nobody, hook, Some(GRACE)) {
            (End::Finished, value) => Ok(value),
            (end, _) => Err(end),
        }
    }

    /// Calls a function that agents go by; nothing where it does not come to its end.
    fn called(&self, table: &Table, function: FunctionId, arguments: &[V], appraiser: &mut Appraiser) -> Option<V> {
        let called = self.called_in(&mut appraiser.run, table, function, arguments, &mut NoHook);
        called.map_err(|end| self.blame_end(function, end)).ok()
    }

    /// Notes that a function that agents go by has not come to its end.
    fn blame_end(&self, function: FunctionId, end: End) {
        match end {
            End::Finished => {}
            End::Failed(why) | End::Endless(why) => {
                if let Some(why) = why.into_iter().next() {
                    self.note_fault(function, why);
                }
            }
            End::Halted(Halt::Stopped) if self.common.work.is_stopped() => {}
            End::Halted(Halt::Stopped) => {
                let name = self.name_of(function);
                self.blame(function, || format!("`{name}` goes on for too long"), "it is called very often");
            }
            End::Halted(_) => {
                let name = self.name_of(function);
                self.blame(function, || format!("`{name}` asks a player"), "it only looks at the table");
            }
        }
    }

    fn name_of(&self, function: FunctionId) -> &str {
        self.common.functions.get(usize::from(function)).map_or("", |info| &info.name)
    }

    /// Notes that a function gives what is of no use.
    fn blame(&self, function: FunctionId, message: impl FnOnce() -> String, help: &str) {
        self.note_fault(function, Diagnostic::new(message()).help(help).at_maybe(self.place_of(function)));
    }

    fn note_fault(&self, function: FunctionId, fault: Diagnostic) {
        let mut faults = self.common.faults.lock().unwrap_or_else(PoisonError::into_inner);
        let place =
            |fault: &Diagnostic| fault.place.as_ref().map(|place| (place.source.name.clone(), place.span.start));
        let is_before = |known: &Diagnostic| {
            (place(&fault), &fault.message).cmp(&(place(known), &known.message)) == std::cmp::Ordering::Less
        };
        if faults.get(&function).is_none_or(is_before) {
            faults.insert(function, fault);
        }
    }

    /// What went wrong since this was asked last where the rules' own `value`, `policy` or standing was called for an agent,
    /// one for each at most, as warnings: agents did as if there were no such function.
    pub fn take_faults(&self) -> Vec<Diagnostic> {
        let faults = std::mem::take(&mut *self.common.faults.lock().unwrap_or_else(PoisonError::into_inner));
        let told = |(function, fault): (FunctionId, Diagnostic)| {
            let name = self.name_of(function);
            // What else it does for the rules, the standing is also a function of the game.
            let help = match self.common.standing == Some(function) {
                true => format!("there, agents look ahead without what `{name}` adds to the score"),
                false => format!("there, agents ignore `{name}`"),
            };
            Diagnostic { code: None, ..fault }.help(help).coded(codes::ASKED_FAILS)
        };
        faults.into_iter().map(told).collect()
    }

    /// Calls what agents go by, to find out what is [wrong](Self::take_faults) with it.
    pub fn try_asked(&self, table: &Table, question: &Question<'_>) {
        let mut appraiser = Appraiser::default();
        self.worths(table, &mut appraiser, &mut Vec::new());
        self.weights(table, question, &mut appraiser, &mut Vec::new());
        for seat in Seats::all(table.layout().seats) {
            self.doubt(table, seat, &mut appraiser);
        }
    }

    /// Puts into `weights` what the rules' own `policy` gives the options of a question; false where it has nothing to say
    /// about them, or fails.
    pub fn weights(
        &self,
        table: &Table,
        question: &Question<'_>,
        appraiser: &mut Appraiser,
        weights: &mut Vec<usize>,
    ) -> bool {
        let (Some(policy), Some(seat)) = (self.common.policy, question.seat) else { return false };
        let texts = &self.code.texts;
        let count = question.options.len();
        let options = match question.options {
            Options::Components(list) => V::of_components(list),
            Options::Zones(list) => V::of_zones(list),
            Options::Seats(list) => V::of_players(list),
            Options::Choices(choices) => V::Options(Arc::new(choices.clone())),
            Options::YesNo | Options::Values(_) => {
                let values = question.options.values().iter().map(|value| texts.of_value(value)).collect();
                match List::of(values) {
                    Ok(list) => V::List(Arc::new(list)),
                    Err(_) => return false,
                }
            }
        };
        let arguments = [V::player(seat), texts.of_str(question.prompt), options];
        let Some(given) = self.called(table, policy, &arguments, appraiser) else { return false };
        weights.clear();
        match &given {
            V::List(list) if list.entries().is_empty() => return false,
            V::Nothing => return false,
            V::List(list) => {
                let given = list.entries().len();
                let weight = |entry: &V| match entry {
                    V::Number(weight) => usize::try_from(*weight).ok(),
                    _ => None,
                };
                weights.extend(list.entries().iter().map_while(weight).map(|weight| weight.min(MOST_WEIGHT)));
                let message = || match list.entries().get(weights.len()) {
                    Some(other) => format!("`{POLICY}` gives {} as a weight", number_or_sort(other)),
                    None => format!("`{POLICY}` gives {given} weights for {count} options of {}", question.prompt),
                };
                if weights.len() < given || given != count {
                    let help = "it has to give one of the options, or a number from 0 for each of them, or `[]`";
                    self.blame(policy, message, help);
                    return false;
                }
            }
            given => {
                let meant = texts.to_value(given).ok();
                let meant = meant.filter(|meant| (0..count).any(|position| question.options.value(position) == *meant));
                let Some(meant) = meant else {
                    let message = || format!("`{POLICY}` gives something that is not an option of {}", question.prompt);
                    self.blame(
                        policy,
                        message,
                        "it has to give one of the options, or a number from 0 for each of them, or `[]`",
                    );
                    return false;
                };
                let is_meant = |position: usize| question.options.value(position) == meant;
                // Three times as often as all others together.
                weights.extend((0..count).map(|position| if is_meant(position) { 3 * count } else { 1 }));
            }
        }
        weights.iter().any(|&weight| weight > 0)
    }

    /// Whether the rules say how much speaks against what a seat holds.
    pub fn have_doubts(&self) -> bool {
        self.common.doubt.is_some()
    }

    /// How much speaks against what a seat holds, by the rules' own `doubt`; nothing where they have none, or it fails.
    pub fn doubt(&self, table: &Table, seat: Seat, appraiser: &mut Appraiser) -> Option<i64> {
        let doubt = self.common.doubt?;
        match self.called(table, doubt, &[V::player(seat)], appraiser)? {
            V::Number(number) if number >= 0 => Some(number),
            other => {
                let message = || format!("`{DOUBT}` gives {}", number_or_sort(&other));
                self.blame(doubt, message, "it has to give a number from 0");
                None
            }
        }
    }
}

/// What a function gives that is of no use: a number, or the sort of something else.
fn number_or_sort(given: &V) -> Cow<'static, str> {
    match given {
        V::Number(number) => Cow::Owned(number.to_string()),
        other => Cow::Borrowed(other.sort().named()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of so many questions are for the memory, where every n-th of those is answered from it.
    fn remembered(questions: u32, every: u32) -> u32 {
        let mut payoff = Payoff::default();
        let mut remembered = 0;
        for _ in 0..questions {
            if payoff.remembers() {
                remembered += 1;
                payoff.note(remembered % every == 0);
            }
        }
        remembered
    }

    #[test]
    fn what_pays_is_always_remembered_and_what_never_does_is_tried_ever_more_seldom() {
        assert_eq!(remembered(100_000, WINDOW / MIN_HITS), 100_000);
        let [first, later] = [10_000, 100_000].map(|questions| remembered(questions, u32::MAX));
        // With each try, the rest behind it is twice as long.
        assert!((5 * WINDOW..=8 * WINDOW).contains(&first), "{first}");
        assert!(later - first <= 8 * WINDOW, "{later}");
        assert!(remembered(100_000, WINDOW) <= later);
    }
}
