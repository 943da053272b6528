//! The meter of a run: counts what it has used, exactly and alike in every run of the same game.
//!
//! A unit is a jump back or a call, with some thirty simple steps at most; longer ways count more. Words and steps that
//! go through something count the more the longer it is, results count by their bytes, and effects on the table count
//! what they take there. So no unit is worth much more than another, which `tests/effort.rs` tests. Bytes are counted
//! as values are made, too, and now and then the memory that is really held is measured.

use super::runtime_error::RuntimeError;
use super::value::RegisterValue;
use crate::diagnostic::{Message, message};
use crate::script::MAX_LIST_ENTRIES;
use crate::script::program::Binary;
use crate::table::Table;
use crate::table::value::Zone;

/// The limits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Units between two decisions.
    pub stretch: u64,
    /// Units in the whole game.
    pub game: u64,
    /// Bytes that the values of the run hold.
    pub memory: usize,
    /// The purpose of the units, for messages.
    pub purpose: Purpose,
}

/// The purpose of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A game, or an evaluation.
    Game,
    /// A drawing of the table.
    Drawing,
}

/// Maximum number of units between two decisions: about as long as two million operations of the language's evaluator.
pub const MAX_UNITS_PER_DECISION: u64 = 2_000_000;

/// Maximum number of units in one game.
pub const MAX_UNITS_PER_GAME: u64 = 200_000_000;

/// Maximum number of units for one drawing of the table.
pub const MAX_UNITS_PER_DRAWING: u64 = 500_000;

/// Maximum memory that the values of one run may hold, in bytes.
pub const MAX_RUN_BYTES: usize = 128 << 20;

/// Minimum number of bytes that are allocated between two measurements of the held memory.
const BYTES_BETWEEN_MEASUREMENTS: usize = 8 << 20;

/// Number of bytes that count as one unit if a word writes them, and if they are copied.
const BYTES_PER_UNIT: u64 = 128;
const COPIED_BYTES_PER_UNIT: u64 = 4096;

/// Number of values that count as one unit when the held memory is measured.
const VALUES_PER_UNIT: u64 = 4;

/// Fixed cost of a question, in units.
const UNITS_PER_QUESTION: u64 = 16;

/// Number of components, and of entries of lists or similar parts, that count as one unit when a word visits them.
const COMPONENTS_PER_UNIT: u64 = 8;
const PARTS_PER_UNIT: u64 = 4;

/// Factor on the cost of sorting something, of putting it into words, or of looking for equals in it.
pub(super) const ORDERING_COST_FACTOR: u64 = 12;

/// Number of players that count as one unit when a word visits them.
const PLAYERS_PER_UNIT: u64 = 4;

impl Default for Limits {
    fn default() -> Self {
        Self {
            stretch: MAX_UNITS_PER_DECISION,
            game: MAX_UNITS_PER_GAME,
            memory: MAX_RUN_BYTES,
            purpose: Purpose::Game,
        }
    }
}

/// Counts the resources of one run.
#[derive(Clone, Debug, Default)]
pub struct Meter {
    limits: Limits,
    units: u64,
    /// The count at which the next check is due.
    look_at: u64,
    slice_began: u64,
    slice_ends: u64,
    stretch_ends: u64,
    bytes: usize,
    look_at_bytes: usize,
    measurements: u32,
}

/// What a meter had counted at some point of a run.
#[derive(Clone, Copy, Debug)]
pub struct MeterMark {
    units: u64,
    bytes: usize,
    measurements: u32,
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MeterCheck {
    /// No limit is reached.
    GoOn,
    /// The slice is used up; the last count was taken back.
    Slice,
    /// A limit is reached, described in one sentence.
    Limit(Message),
}

impl Meter {
    /// A meter of a run that has used nothing.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            stretch_ends: limits.stretch,
            look_at_bytes: BYTES_BETWEEN_MEASUREMENTS.min(limits.memory),
            ..Self::default()
        }
    }

    /// Number of units that have been used.
    #[inline]
    pub fn used(&self) -> u64 {
        self.units
    }

    /// Sets the count back to an earlier one.
    #[inline]
    pub fn restore_count(&mut self, used: u64) {
        self.units = used;
    }

    /// Begins a slice of `slice` units, or of as many as its first step needs.
    pub fn begin_slice(&mut self, slice: u64) {
        self.slice_began = self.units;
        self.slice_ends = self.units.saturating_add(slice);
        self.check_soon();
    }

    fn check_soon(&mut self) {
        self.look_at = self.slice_ends.min(self.stretch_ends + 1).min(self.limits.game + 1);
    }

    /// Counts units; true if a [check](Self::check_limits) is due.
    #[inline]
    pub fn count(&mut self, units: u64) -> bool {
        self.units += units;
        self.units >= self.look_at
    }

    /// Checks the limits after `units` were counted.
    #[cold]
    pub fn check_limits(&mut self, units: u64) -> MeterCheck {
        let Limits { stretch, game, purpose, .. } = self.limits;
        if self.units > self.stretch_ends {
            return MeterCheck::Limit(match purpose {
                Purpose::Game => message!("the rules ran for more than {stretch} operations without a decision"),
                Purpose::Drawing => {
                    message!("the rules ran for more than {stretch} operations for one drawing of the table")
                }
            });
        }
        if self.units > game {
            return MeterCheck::Limit(message!("the rules ran for more than {game} operations in one game"));
        }
        if self.units >= self.slice_ends && self.units - units > self.slice_began {
            self.units -= units;
            return MeterCheck::Slice;
        }
        MeterCheck::GoOn
    }

    /// What has been counted so far.
    #[inline]
    pub fn mark(&self) -> MeterMark {
        MeterMark { units: self.units, bytes: self.bytes, measurements: self.measurements }
    }

    /// The units and bytes that were counted since then; `None` if the memory was measured meanwhile.
    pub fn counted_since(&self, mark: MeterMark) -> Option<(u64, usize)> {
        (self.measurements == mark.measurements).then(|| (self.units - mark.units, self.bytes - mark.bytes))
    }

    /// Whether so many units and bytes can be counted before a check or a measurement is due.
    #[inline]
    pub fn has_room(&self, units: u64, bytes: usize) -> bool {
        self.units + units < self.look_at && self.bytes + bytes < self.look_at_bytes
    }

    /// Counts units and bytes for which there is [room](Self::has_room).
    #[inline]
    pub fn use_room(&mut self, units: u64, bytes: usize) {
        self.units += units;
        self.bytes += bytes;
    }

    /// Counts units of work that is already done; they are checked with the next count.
    #[inline]
    pub fn add(&mut self, units: u64) {
        self.units += units;
    }

    /// Begins the next stretch after a decision among `options` options.
    pub fn begin_stretch(&mut self, options: u64) {
        self.units += UNITS_PER_QUESTION + options;
        self.stretch_ends = self.units + self.limits.stretch;
        self.check_soon();
    }

    /// Counts bytes that were written; `true` if the memory that is held has to be measured.
    #[inline]
    pub fn count_written_bytes(&mut self, bytes: usize) -> bool {
        self.bytes += bytes;
        self.units += bytes as u64 / BYTES_PER_UNIT;
        self.needs_measurement()
    }

    /// Counts bytes that may have been copied as they are; `true` if the memory that is held has to be measured.
    #[inline]
    pub fn count_copied_bytes(&mut self, bytes: usize) -> bool {
        self.bytes += bytes;
        self.units += bytes as u64 / COPIED_BYTES_PER_UNIT;
        self.needs_measurement()
    }

    /// Whether the memory that is held has to be measured.
    #[inline]
    pub fn needs_measurement(&self) -> bool {
        self.bytes >= self.look_at_bytes
    }

    /// Records a measurement: the bytes that are held, and the values that were visited for it.
    ///
    /// # Errors
    /// The bytes exceed the limit.
    pub fn record_measurement(&mut self, bytes: usize, looked_at: usize) -> Result<(), RuntimeError> {
        let most = self.limits.memory;
        if bytes > most {
            return Err(RuntimeError::Limit(message!("the rules hold more than {} MiB of memory", most >> 20)));
        }
        self.units += looked_at as u64 / VALUES_PER_UNIT;
        // Until so many more bytes have been made, the limit cannot be exceeded.
        self.bytes = 0;
        self.measurements = self.measurements.wrapping_add(1);
        self.look_at_bytes = (most - bytes).max(BYTES_BETWEEN_MEASUREMENTS);
        Ok(())
    }
}

/// How a word goes through its arguments, for its cost. The row of the word in the table names it, if it is not
/// [`Once`](Self::Once).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Constant, however large the arguments are: `len`.
    Little,
    /// Through the arguments once, or a few times, or in an order.
    Once,
    /// Through the arguments, and through the contents of zones among them.
    Contents,
    /// Through zones, but not through their contents.
    Cells,
    /// Along every line from one cell.
    Rays,
    /// Along every line of some length, from each cell.
    Lines,
    /// Through all sums up to a number, for each entry.
    Sums,
    /// Through all components of the game.
    All,
    /// Through the arguments and the contents of zones among them, which are sorted, put into words, or searched for
    /// equals.
    Ordered,
    /// Through the players.
    Players,
}

/// The cost of going through a value with its contents, in units.
#[inline(always)]
pub fn weight(value: &RegisterValue, table: &Table) -> u64 {
    match value {
        RegisterValue::Zone(zone) => table.zone(zone.get()).len() as u64 / COMPONENTS_PER_UNIT,
        RegisterValue::Players(seating) => seating.count() as u64 / PLAYERS_PER_UNIT,
        RegisterValue::Data(data) => table.data_len(data.get()) as u64 / COMPONENTS_PER_UNIT,
        other if other.is_shared() => weight_of_shared(other),
        _ => 0,
    }
}

/// The cost of going through a value behind a pointer, in units.
#[inline(never)]
fn weight_of_shared(value: &RegisterValue) -> u64 {
    match value {
        RegisterValue::Components(list) => list.0.len() as u64 / COMPONENTS_PER_UNIT,
        RegisterValue::Zones(list) => list.0.len() as u64,
        RegisterValue::Range(range) => range.len().min(MAX_LIST_ENTRIES as u64) / COMPONENTS_PER_UNIT,
        other => other.parts_held() / PARTS_PER_UNIT,
    }
}

/// The cost of going through two values at once until they differ or one ends.
#[inline]
pub fn weight_of_both(one: &RegisterValue, other: &RegisterValue, table: &Table) -> u64 {
    match weight(one, table) {
        0 => 0,
        units => units.min(weight(other, table)),
    }
}

/// The cost of an operator that combines two values.
pub fn weight_of_work(operator: Binary, one: &RegisterValue, other: &RegisterValue, table: &Table) -> u64 {
    let both = weight(one, table) + weight(other, table);
    if operator == Binary::Subtract && matches!(one, RegisterValue::List(_)) {
        ORDERING_COST_FACTOR * both
    } else {
        both
    }
}

/// The cost of going through the contents of several zones, beyond that of the zones themselves.
pub fn contents(value: &RegisterValue, table: &Table) -> u64 {
    // The weight of a single zone is that of its contents.
    if matches!(value, RegisterValue::Zone(_)) { 0 } else { lying_in(value, table) }
}

fn lying_in(value: &RegisterValue, table: &Table) -> u64 {
    let lying = |zone: Zone| 1 + table.zone(zone).len() as u64 / COMPONENTS_PER_UNIT;
    match value {
        RegisterValue::List(list) => list.entries().iter().map(|entry| lying_in(entry, table)).sum(),
        RegisterValue::Zone(zone) => lying(zone.get()),
        other => other.zones().map_or(0, |zones| zones.iter().map(|&zone| lying(zone)).sum()),
    }
}
