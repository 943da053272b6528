//! What lies on a table at one moment.

use crate::table::clock::Clock;
use crate::table::knowledge::{Knowledge, Known};
use crate::table::layout::Layout;
use crate::table::placement::Placement;
use crate::table::results::Verdict;
use crate::table::sides::side_at_start;
use crate::table::value::{Seat, Value};
use std::sync::Arc;

/// A table at one moment, without chance and without those who answer.
#[derive(Debug, PartialEq)]
pub struct State {
    /// Which face is on which component.
    pub faces: Vec<u16>,
    /// What lies in each zone, from bottom or left.
    pub zones: Placement,
    /// What the seats know.
    pub known: Knowledge,
    /// For each component which side is up, or what a die shows; 0 for what has no sides and for a die not rolled.
    pub sides: Vec<u8>,
    /// For each component whose it is.
    pub owners: Vec<Option<Seat>>,
    /// Value of each variable.
    pub variables: Vec<Value>,
    /// For each seat the number of its team: that of the first seat which plays in it.
    pub teams: Vec<u8>,
    /// For each seat whether the rules have said that it has won or lost.
    pub verdicts: Vec<Verdict>,
    /// The virtual clock of real-time games.
    pub clock: Clock,
    /// The phase, where the rules have named one.
    pub phase: Option<Arc<str>>,
    /// The round, from 1; 0 where the rules count none.
    pub round: i64,
    /// Whose turn it is.
    pub turn: Option<Seat>,
    /// How many turns have begun.
    pub turns: usize,
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self {
            faces: self.faces.clone(),
            zones: self.zones.clone(),
            known: self.known.clone(),
            sides: self.sides.clone(),
            owners: self.owners.clone(),
            variables: self.variables.clone(),
            teams: self.teams.clone(),
            verdicts: self.verdicts.clone(),
            clock: self.clock.clone(),
            phase: self.phase.clone(),
            round: self.round,
            turn: self.turn,
            turns: self.turns,
        }
    }

    /// In the memory that it has.
    fn clone_from(&mut self, of: &Self) {
        let Self { faces, zones, known, sides, owners, variables, teams, verdicts, clock, phase, round, turn, turns } =
            of;
        self.faces.clone_from(faces);
        self.zones.clone_from(zones);
        self.known.clone_from(known);
        self.sides.clone_from(sides);
        self.owners.clone_from(owners);
        self.variables.clone_from(variables);
        self.teams.clone_from(teams);
        self.verdicts.clone_from(verdicts);
        self.clock.clone_from(clock);
        self.phase.clone_from(phase);
        (self.round, self.turn, self.turns) = (*round, *turn, *turns);
    }
}

impl State {
    /// Nothing lies on the table yet.
    pub(super) fn at_start(layout: &Layout) -> Self {
        let count = layout.faces.len();
        Self {
            faces: (0..count as u16).collect(),
            zones: Placement::out_of_play(count, layout.zones.len()),
            known: Knowledge::new(count, layout.has_copies),
            sides: layout.faces.iter().map(side_at_start).collect(),
            owners: vec![None; count],
            variables: layout.variables.iter().map(|variable| variable.default.clone()).collect(),
            teams: layout.teams.clone(),
            verdicts: vec![Verdict::default(); layout.seats],
            clock: Clock::default(),
            phase: None,
            round: 0,
            turn: None,
            turns: 0,
        }
    }

    /// About how much memory it holds, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let of_component = size_of::<Known>() + 3 * size_of::<u16>() + size_of::<u8>() + size_of::<Option<Seat>>();
        size_of::<Self>()
            + self.faces.len() * of_component
            + self.zones.len() * size_of::<u16>()
            + self.known.mistaken.len() * size_of::<u16>()
            + self.known.choices.len() * 64
            + self.verdicts.len() * size_of::<Verdict>()
            + self.variables.len() * size_of::<Value>()
    }
}
