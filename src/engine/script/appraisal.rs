//! Judgements about a table by the rules' own functions: the worth of the table to each seat, the scores if the game
//! ended now, the options worth trying, and how badly the hidden cards of a seat fit its actions.
//!
//! Each call is a scratch run on a copy of the table. The result for a seat is cached, and is used again while nothing
//! changes that the function depends on.

use super::rules::{GRACE_SLICES, Rules, Run};
use crate::diagnostic::{Diagnostic, Message, message};
use crate::script::End;
use crate::script::codes;
use crate::script::host_functions::{DOUBT, POLICY, VALUE};
use crate::script::machine::dependencies::PlainArguments;
use crate::script::machine::hooks::NoHook;
use crate::script::machine::meter::{Limits, Meter};
use crate::script::machine::value::RegisterValue;
use crate::script::program::FunctionId;
use crate::table::Table;
use crate::table::decision::{Halt, NoAnswerer, Options, Question};
use crate::table::value::{Seat, Seats};
use smallvec::SmallVec;
use std::sync::{Arc, PoisonError};

/// The largest weight of an option; larger weights that rules give count as this one.
const MAX_OPTION_WEIGHT: usize = 1 << 20;

const CACHED_RESULTS_PER_SEAT: usize = 4;

/// The state for judging one table after another: the scratch run and the cached results. It belongs to one set of
/// [`Rules`] and one thread. The cache never changes an answer.
#[derive(Default)]
pub struct Appraiser {
    run: Option<Run>,
    /// The function that gave the cached results.
    function: Option<FunctionId>,
    seats: Vec<SeatResults>,
}

/// A cache of what a function gave for a seat on the last few tables.
#[derive(Default)]
struct SeatResults {
    results: Vec<SeatResult>,
    /// Index of the result for the table that was asked about last.
    current: usize,
}

/// Points for a seat and for the seats that score with it.
type Points = SmallVec<[(Seat, i64); 2]>;

#[derive(Default)]
struct SeatResult {
    /// The newest version of what the function depends on; `None` where that is not known.
    version: Option<u64>,
    points: Points,
}

impl Appraiser {
    /// The points that the last [`Rules::appraise`] found for each seat.
    fn points(&self) -> impl Iterator<Item = (Seat, i64)> {
        let current = self.seats.iter().filter_map(|seat| seat.results.get(seat.current));
        current.flat_map(|result| result.points.iter().copied())
    }
}

impl SeatResults {
    /// Makes the cached result for a version the current one; false where there is none.
    fn reuse_cached(&mut self, version: u64) -> bool {
        let is_same = |result: &SeatResult| result.version == Some(version);
        // Usually nothing that the function read has changed since the last table.
        if self.results.get(self.current).is_some_and(is_same) {
            return true;
        }
        let found = self.results.iter().position(is_same);
        self.current = found.unwrap_or(self.current);
        found.is_some()
    }

    /// Makes room for a new result, which becomes the current one; the oldest is replaced if the cache is full.
    fn make_room(&mut self) -> &mut SeatResult {
        if self.results.len() < CACHED_RESULTS_PER_SEAT {
            self.current = self.results.len();
            self.results.push(SeatResult::default());
        } else {
            self.current = (self.current + 1) % CACHED_RESULTS_PER_SEAT;
        }
        &mut self.results[self.current]
    }
}

impl Rules {
    /// Puts the worth of a table to each seat into `worths`, in seat order: the result of the rules' own `value`, or
    /// else the score plus what the function named by `standing` would add if the game ended now, or else the score.
    /// Where a function fails, the next of these is used.
    pub fn seat_values(&self, table: &Table, appraiser: &mut Appraiser, worths: &mut Vec<i64>) {
        if let Some(function) = self.common.value {
            let number = |_: &Table, seat, given: &RegisterValue| match given {
                RegisterValue::Number(number) => Some([(seat, *number)].into_iter().collect()),
                other => {
                    let message = || message!("`{VALUE}` gives {}", other.sort().named());
                    self.record_fault(function, message, "it has to give a number");
                    None
                }
            };
            if self.appraise(table, function, appraiser, true, number).is_some() {
                worths.clear();
                worths.extend(appraiser.points().map(|(_, number)| number));
                return;
            }
        }
        self.standings_or_record_fault(table, appraiser, worths, true);
    }

    /// Puts the score of each seat if the game ended now into `points`, in seat order. False where the function that
    /// the definition names as `standing` fails; `points` are then the current scores.
    pub fn standings(&self, table: &Table, appraiser: &mut Appraiser, points: &mut Vec<i64>) -> bool {
        self.standings_or_record_fault(table, appraiser, points, false)
    }

    fn standings_or_record_fault(
        &self,
        table: &Table,
        appraiser: &mut Appraiser,
        points: &mut Vec<i64>,
        blames: bool,
    ) -> bool {
        points.clear();
        points.extend(Seats::all(table.layout().seats).into_iter().map(|seat| table.score(seat)));
        let Some(function) = self.common.standing else { return true };
        // Partners who score together get each other's points, too.
        let gained = |after: &Table, seat, _: &RegisterValue| -> Option<Points> {
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

    /// Calls a function for every seat, with the seat as its argument, or takes the cached result. `read` turns the
    /// table after the call and the returned value into points. `None` where a call fails or `read` gives `None`.
    fn appraise(
        &self,
        table: &Table,
        function: FunctionId,
        appraiser: &mut Appraiser,
        blames: bool,
        read: impl Fn(&Table, Seat, &RegisterValue) -> Option<Points>,
    ) -> Option<()> {
        let Appraiser { run, function: asked_before, seats } = appraiser;
        if asked_before.replace(function) != Some(function) {
            seats.clear();
        }
        seats.resize_with(self.common.layout.seats, SeatResults::default);
        let depends_on = self.code.dependencies.get(usize::from(function));
        for (seat, results) in Seats::all(self.common.layout.seats).into_iter().zip(seats) {
            let arguments = [RegisterValue::player(seat)];
            let version = depends_on.zip(PlainArguments::of(&arguments[0]));
            let version = version.and_then(|(all, given)| all.version(table, &given));
            if version.is_some_and(|version| results.reuse_cached(version)) {
                continue;
            }
            let called = self.call_in_scratch_run(run, table, function, &arguments);
            let given = match called {
                Ok(given) => given,
                Err(end) => {
                    if blames {
                        self.record_early_end(function, end);
                    }
                    return None;
                }
            };
            let result = results.make_room();
            result.points = read(&run.as_ref()?.table, seat, &given)?;
            result.version = version;
        }
        Some(())
    }

    /// Calls a function in the scratch run on a copy of a table. The error is how the run ended before the function
    /// did.
    fn call_in_scratch_run(
        &self,
        run: &mut Option<Run>,
        table: &Table,
        function: FunctionId,
        arguments: &[RegisterValue],
    ) -> Result<RegisterValue, End> {
        let run = run.get_or_insert_with(|| self.start_on_table(table.copy(), None, &[]));
        run.table.become_copy(table);
        run.misread = None;
        run.machine.meter = Meter::new(Limits::default());
        run.machine.start(&self.code, function, arguments);
        match self.run_to_end(run, &mut NoAnswerer, &mut NoHook, Some(GRACE_SLICES)) {
            (End::Finished, value) => Ok(value),
            (end, _) => Err(end),
        }
    }

    /// Calls a function that guides agents; `None` where it fails, which is recorded as its fault.
    fn call_guide(
        &self,
        table: &Table,
        function: FunctionId,
        arguments: &[RegisterValue],
        appraiser: &mut Appraiser,
    ) -> Option<RegisterValue> {
        let called = self.call_in_scratch_run(&mut appraiser.run, table, function, arguments);
        called.map_err(|end| self.record_early_end(function, end)).ok()
    }

    fn record_early_end(&self, function: FunctionId, end: End) {
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
                self.record_fault(function, || message!("`{name}` goes on for too long"), "it is called very often");
            }
            End::Halted(_) => {
                let name = self.name_of(function);
                self.record_fault(function, || message!("`{name}` asks a player"), "it only looks at the table");
            }
        }
    }

    fn name_of(&self, function: FunctionId) -> &str {
        self.common.scripts.functions.get(usize::from(function)).map_or("", |info| &info.name)
    }

    /// Records that a function gave a useless result.
    fn record_fault(&self, function: FunctionId, message: impl FnOnce() -> Message, help: &'static str) {
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

    /// Takes the warnings about the rules' own functions that failed since the last call when agents used them, at most
    /// one for each function: agents ignored the function there.
    pub fn take_faults(&self) -> Vec<Diagnostic> {
        let faults = std::mem::take(&mut *self.common.faults.lock().unwrap_or_else(PoisonError::into_inner));
        let told = |(function, fault): (FunctionId, Diagnostic)| {
            let name = self.name_of(function);
            // The rules may use `standing` for more than this, so the message tells what agents ignore.
            let help = match self.common.standing == Some(function) {
                true => message!("there, agents look ahead without what `{name}` adds to the score"),
                false => message!("there, agents ignore `{name}`"),
            };
            Diagnostic { code: None, ..fault }.help(help).with_code(codes::ASKED_FAILS)
        };
        faults.into_iter().map(told).collect()
    }

    /// Calls every function that guides agents at a decision, to find [faults](Self::take_faults) in them.
    pub fn try_host_functions(&self, table: &Table, question: &Question<'_>) {
        let mut appraiser = Appraiser::default();
        self.seat_values(table, &mut appraiser, &mut Vec::new());
        self.weights(table, question, &mut appraiser, &mut Vec::new());
        for seat in Seats::all(table.layout().seats) {
            self.doubt(table, seat, &mut appraiser);
        }
    }

    /// Puts the weights that the rules' own `policy` gives the options of a question into `weights`; false where the
    /// rules have no `policy`, it has no preference, or it fails.
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
            Options::Components(list) => RegisterValue::of_components(list),
            Options::Zones(list) => RegisterValue::of_zones(list),
            Options::Seats(list) => RegisterValue::of_players(list),
            Options::Choices(choices) => RegisterValue::Options(Arc::new(choices.clone())),
            Options::YesNo | Options::Values(_) => {
                let values = question.options.values().iter().map(|value| texts.of_value(value)).collect();
                let Ok(list) = RegisterValue::of_list(values) else { return false };
                list
            }
        };
        let arguments = [RegisterValue::player(seat), texts.of_str(question.prompt), options];
        let Some(given) = self.call_guide(table, policy, &arguments, appraiser) else { return false };
        weights.clear();
        match &given {
            RegisterValue::List(list) if list.entries().is_empty() => return false,
            RegisterValue::Nothing => return false,
            RegisterValue::List(list) => {
                let given = list.entries().len();
                let weight = |entry: &RegisterValue| match entry {
                    RegisterValue::Number(weight) => usize::try_from(*weight).ok(),
                    _ => None,
                };
                weights.extend(list.entries().iter().map_while(weight).map(|weight| weight.min(MAX_OPTION_WEIGHT)));
                let message = || match list.entries().get(weights.len()) {
                    Some(other) => message!("`{POLICY}` gives {} as a weight", number_or_sort(other)),
                    None => message!("`{POLICY}` gives {given} weights for {count} options of {}", question.prompt),
                };
                if weights.len() < given || given != count {
                    let help = "it has to give one of the options, or a number from 0 for each of them, or `[]`";
                    self.record_fault(policy, message, help);
                    return false;
                }
            }
            given => {
                let meant = texts.to_value(given).ok();
                let meant = meant.filter(|meant| (0..count).any(|position| question.options.value(position) == *meant));
                let Some(meant) = meant else {
                    let message =
                        || message!("`{POLICY}` gives something that is not an option of {}", question.prompt);
                    self.record_fault(
                        policy,
                        message,
                        "it has to give one of the options, or a number from 0 for each of them, or `[]`",
                    );
                    return false;
                };
                let is_meant = |position: usize| question.options.value(position) == meant;
                // The chosen option has three times the weight of all others together.
                weights.extend((0..count).map(|position| if is_meant(position) { 3 * count } else { 1 }));
            }
        }
        weights.iter().any(|&weight| weight > 0)
    }

    /// Whether the rules define `doubt`.
    pub fn defines_doubt(&self) -> bool {
        self.common.doubt.is_some()
    }

    /// How badly what a seat holds fits its past actions, by the rules' own `doubt`: 0 fits, and more is worse. `None`
    /// where the rules have no `doubt`, or it fails.
    pub fn doubt(&self, table: &Table, seat: Seat, appraiser: &mut Appraiser) -> Option<i64> {
        let doubt = self.common.doubt?;
        match self.call_guide(table, doubt, &[RegisterValue::player(seat)], appraiser)? {
            RegisterValue::Number(number) if number >= 0 => Some(number),
            other => {
                let message = || message!("`{DOUBT}` gives {}", number_or_sort(&other));
                self.record_fault(doubt, message, "it has to give a number from 0");
                None
            }
        }
    }
}

/// A useless result in a message: a number as it is, any other value by its sort.
fn number_or_sort(given: &RegisterValue) -> Message {
    match given {
        RegisterValue::Number(number) => Message::verbatim(number.to_string()),
        other => other.sort().named(),
    }
}
