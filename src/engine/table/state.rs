//! The state of a table at one moment.

use crate::table::clock::Clock;
use crate::table::knowledge::{ComponentKnowledge, Knowledge};
use crate::table::layout::Layout;
use crate::table::placement::Placement;
use crate::table::results::Verdict;
use crate::table::sides::side_at_start;
use crate::table::value::{Seat, Value};
use std::sync::Arc;

/// The state of a table at one moment, without chance and without the answerer.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Index of the face on each component.
    pub faces: Vec<u16>,
    /// The components in each zone, from bottom or left.
    pub zones: Placement,
    /// The seats' knowledge.
    pub known: Knowledge,
    /// For each component, the side that is up or the value of a die; 0 for what has no sides and for a die not rolled.
    pub sides: Vec<u8>,
    /// For each component, the seat that it belongs to.
    pub owners: Vec<Option<Seat>>,
    /// Value of each variable.
    pub variables: Vec<Value>,
    /// For each seat, its team: the index of a seat that plays in it.
    pub teams: Vec<u8>,
    /// For each seat, whether the rules have said that it has won or lost.
    pub verdicts: Vec<Verdict>,
    /// The virtual clock of real-time games.
    pub clock: Clock,
    /// The phase, where the rules have named one.
    pub phase: Option<Arc<str>>,
    /// Number of the round, from 1; 0 where the rules count none.
    pub round: i64,
    /// The seat whose turn it is.
    pub turn: Option<Seat>,
    /// Number of turns that have begun.
    pub turns: usize,
}

impl State {
    /// Becomes a copy of another state, in the memory that is allocated already.
    pub(super) fn become_copy(&mut self, of: &Self) {
        let Self { faces, zones, known, sides, owners, variables, teams, verdicts, clock, phase, round, turn, turns } =
            of;
        self.faces.clone_from(faces);
        self.zones.become_copy(zones);
        self.known.become_copy(known);
        self.sides.clone_from(sides);
        self.owners.clone_from(owners);
        self.variables.clone_from(variables);
        self.teams.clone_from(teams);
        self.verdicts.clone_from(verdicts);
        self.clock.clone_from(clock);
        self.phase.clone_from(phase);
        (self.round, self.turn, self.turns) = (*round, *turn, *turns);
    }

    /// The state at the start: nothing lies on the table yet.
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

    /// Approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
        let of_component =
            size_of::<ComponentKnowledge>() + 3 * size_of::<u16>() + size_of::<u8>() + size_of::<Option<Seat>>();
        size_of::<Self>()
            + self.faces.len() * of_component
            + self.zones.len() * size_of::<u16>()
            + self.known.mistaken.len() * size_of::<u16>()
            + self.known.choices.len() * 64
            + self.verdicts.len() * size_of::<Verdict>()
            + self.variables.len() * size_of::<Value>()
    }
}
