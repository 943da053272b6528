//! What a run has used: exact, and the same in every run of the same game.
//!
//! A unit is a jump back or a call, with some thirty simple steps at most; longer ways count more. Words and steps that go
//! through something count the more the longer it is, what they make counts by its bytes, and what happens on the table
//! counts what it takes there. So no unit is worth much more than another, which `tests/effort.rs` holds. Bytes are counted
//! as values are made, too, and now and then what is really held is looked at.

use super::trouble::Trouble;
use super::value::V;
use crate::script::MAX_LIST;
use crate::script::program::Binary;
use crate::table::Table;
use crate::table::value::Zone;

/// How much a run may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Units between two decisions.
    pub stretch: u64,
    /// Units in all.
    pub game: u64,
    /// Bytes that its values hold.
    pub memory: usize,
    /// What the units are for, which the message tells.
    pub purpose: Purpose,
}

/// What a run is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A game, or something tried out.
    Game,
    /// A drawing of the table.
    Drawing,
}

/// Most units between two decisions: what takes about as long as two million operations of the language's evaluator.
pub const MAX_UNITS: u64 = 2_000_000;

/// Most units in one game.
pub const MAX_GAME_UNITS: u64 = 200_000_000;

/// Most units for everything that is worked out for one drawing of the table.
pub const MAX_DRAWING_UNITS: u64 = 500_000;

/// Most bytes that the values of one run may hold.
pub const MAX_MEMORY: usize = 128 << 20;

/// Bytes that are allocated, at least, between two measurements of the memory that is held.
const LOOK_AFTER: usize = 8 << 20;

/// Bytes that a word may write for one unit of work, and bytes that may be copied.
const BYTES_OF_A_UNIT: u64 = 128;
const COPIED_BYTES_OF_A_UNIT: u64 = 4096;

/// Values that are visited for one unit of work, to measure the memory that is held.
const VALUES_OF_A_UNIT: u64 = 4;

/// What asking costs, whatever is offered.
const UNITS_OF_A_QUESTION: u64 = 16;

/// Components that are gone through for one unit of work, and entries of lists, or as much as those.
const COMPONENTS_OF_A_UNIT: u64 = 8;
const PARTS_OF_A_UNIT: u64 = 4;

/// How many times as long it takes to put something in an order or into words, or to look for equals in it.
pub(super) const ORDERED: u64 = 12;

/// Players that are gone through for one unit of work.
const PLAYERS_OF_A_UNIT: u64 = 4;

impl Default for Limits {
    fn default() -> Self {
        Self { stretch: MAX_UNITS, game: MAX_GAME_UNITS, memory: MAX_MEMORY, purpose: Purpose::Game }
    }
}

/// Counts for one run.
#[derive(Clone, Debug, Default)]
pub struct Meter {
    limits: Limits,
    units: u64,
    /// At which count something is to be looked at.
    look_at: u64,
    slice_began: u64,
    slice_ends: u64,
    stretch_ends: u64,
    bytes: usize,
    look_at_bytes: usize,
}

/// What a look found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Look {
    /// Nothing.
    GoOn,
    /// The slice is used up; what was counted last is not counted.
    Slice,
    /// A limit is reached; in one sentence.
    Limit(String),
}

impl Meter {
    /// Nothing is used of these limits.
    pub fn new(limits: Limits) -> Self {
        Self { limits, stretch_ends: limits.stretch, look_at_bytes: LOOK_AFTER.min(limits.memory), ..Self::default() }
    }

    /// How many units have been used.
    #[inline]
    pub fn used(&self) -> u64 {
        self.units
    }

    /// Goes back to an earlier count.
    #[inline]
    pub fn uncount(&mut self, used: u64) {
        self.units = used;
    }

    /// A slice of so many units begins, or of as many as its first step needs.
    pub fn begin_slice(&mut self, slice: u64) {
        self.slice_began = self.units;
        self.slice_ends = self.units.saturating_add(slice);
        self.look_soon();
    }

    fn look_soon(&mut self) {
        self.look_at = self.slice_ends.min(self.stretch_ends + 1).min(self.limits.game + 1);
    }

    /// Counts; true where somebody has to look.
    #[inline]
    pub fn count(&mut self, units: u64) -> bool {
        self.units += units;
        self.units >= self.look_at
    }

    /// Looks, after so many units were counted.
    #[cold]
    pub fn look(&mut self, units: u64) -> Look {
        let Limits { stretch, game, purpose, .. } = self.limits;
        if self.units > self.stretch_ends {
            return Look::Limit(match purpose {
                Purpose::Game => format!("the rules ran for more than {stretch} operations without a decision"),
                Purpose::Drawing => {
                    format!("the rules ran for more than {stretch} operations for one drawing of the table")
                }
            });
        }
        if self.units > game {
            return Look::Limit(format!("the rules ran for more than {game} operations in one game"));
        }
        if self.units >= self.slice_ends && self.units - units > self.slice_began {
            self.units -= units;
            return Look::Slice;
        }
        Look::GoOn
    }

    /// Counts what has been done already: it is looked at with what is counted next.
    #[inline]
    pub fn add(&mut self, units: u64) {
        self.units += units;
    }

    /// Somebody has decided among so many options: the next stretch begins.
    pub fn decided(&mut self, options: u64) {
        self.units += UNITS_OF_A_QUESTION + options;
        self.stretch_ends = self.units + self.limits.stretch;
        self.look_soon();
    }

    /// Counts bytes that were written; `true` if the memory that is held has to be measured.
    #[inline]
    pub fn made(&mut self, bytes: usize) -> bool {
        self.bytes += bytes;
        self.units += bytes as u64 / BYTES_OF_A_UNIT;
        self.wants_look()
    }

    /// The same for bytes that may have been copied as they are.
    #[inline]
    pub fn copied(&mut self, bytes: usize) -> bool {
        self.bytes += bytes;
        self.units += bytes as u64 / COPIED_BYTES_OF_A_UNIT;
        self.wants_look()
    }

    /// Whether what is held has to be looked at.
    #[inline]
    pub fn wants_look(&self) -> bool {
        self.bytes >= self.look_at_bytes
    }

    /// Records a measurement: the bytes that are held, and the values that were visited for it.
    ///
    /// # Errors
    /// That is more than may be held.
    pub fn held(&mut self, bytes: usize, looked_at: usize) -> Result<(), Trouble> {
        let most = self.limits.memory;
        if bytes > most {
            return Err(Trouble::Limit(format!("the rules hold more than {} MiB of memory", most >> 20)));
        }
        self.units += looked_at as u64 / VALUES_OF_A_UNIT;
        // Before so many more have been made, no more than that can be held.
        self.bytes = 0;
        self.look_at_bytes = (most - bytes).max(LOOK_AFTER);
        Ok(())
    }
}

/// How a word goes through what it is given. Its row in the table of words names it, where it is not [`Once`](Self::Once).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// It takes no longer for more: `len`.
    Little,
    /// Once, or a few times, or in an order.
    Once,
    /// And through what lies in the zones that it is given.
    Contents,
    /// Zones, but not what lies in them.
    Cells,
    /// Along every line from one cell.
    Rays,
    /// Along every line of so many cells, from each cell.
    Lines,
    /// For each entry through all sums up to a number.
    Sums,
    /// Through all components of the game.
    All,
    /// And through what lies in the zones that it is given, and puts it in an order or into words, or looks for equals.
    Ordered,
    /// Through the players.
    Players,
}

/// What going through a value costs, in units, with what it holds.
#[inline(always)]
pub fn weight(value: &V, table: &Table) -> u64 {
    match value {
        V::Zone(zone) => table.zone(zone.get()).len() as u64 / COMPONENTS_OF_A_UNIT,
        V::Players(seating) => seating.count() as u64 / PLAYERS_OF_A_UNIT,
        V::Data(data) => table.data_len(data.get()) as u64 / COMPONENTS_OF_A_UNIT,
        other if other.is_shared() => weight_of_shared(other),
        _ => 0,
    }
}

/// The same of what lies behind a pointer.
#[inline(never)]
fn weight_of_shared(value: &V) -> u64 {
    match value {
        V::Components(list) => list.0.len() as u64 / COMPONENTS_OF_A_UNIT,
        V::Zones(list) => list.0.len() as u64,
        V::Range(range) => range.len().min(MAX_LIST as u64) / COMPONENTS_OF_A_UNIT,
        other => other.parts_held() / PARTS_OF_A_UNIT,
    }
}

/// What going through both of two values costs until they differ, or end.
#[inline]
pub fn weight_of_both(one: &V, other: &V, table: &Table) -> u64 {
    match weight(one, table) {
        0 => 0,
        units => units.min(weight(other, table)),
    }
}

/// What an operator costs that makes something of both of two values.
pub fn weight_of_work(operator: Binary, one: &V, other: &V, table: &Table) -> u64 {
    let both = weight(one, table) + weight(other, table);
    if operator == Binary::Subtract && matches!(one, V::List(_)) { ORDERED * both } else { both }
}

/// What going through what lies in several zones costs, beyond that for the zones themselves.
pub fn contents(value: &V, table: &Table) -> u64 {
    // That of a single one is what it costs itself.
    if matches!(value, V::Zone(_)) { 0 } else { lying_in(value, table) }
}

fn lying_in(value: &V, table: &Table) -> u64 {
    let lying = |zone: Zone| 1 + table.zone(zone).len() as u64 / COMPONENTS_OF_A_UNIT;
    match value {
        V::List(list) => list.entries().iter().map(|entry| lying_in(entry, table)).sum(),
        V::Zone(zone) => lying(zone.get()),
        other => other.zones().map_or(0, |zones| zones.iter().map(|&zone| lying(zone)).sum()),
    }
}
