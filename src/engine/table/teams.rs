//! Teams: who plays together, and what the players of a team have in common.
//!
//! Teams are public. A variable that belongs to teams is one for each seat, and those of a team are set together, so
//! that code which reads, draws or compares variables needs to know nothing of teams.

use crate::table::value::{Seat, Seats};
use crate::table::{Fault, Table};

impl Table {
    /// The players of a seat's team in turn order, itself included.
    pub fn team(&self, seat: Seat) -> Seats {
        self.seats().into_iter().filter(|other| self.are_partners(seat, *other)).collect()
    }

    /// The players of other teams than a seat's, in turn order.
    pub fn opponents(&self, seat: Seat) -> Seats {
        self.seats().into_iter().filter(|other| !self.are_partners(seat, *other)).collect()
    }

    /// Whether two seats are partners; each seat is one of its own.
    pub fn are_partners(&self, one: Seat, other: Seat) -> bool {
        self.state.are_partners(one, other)
    }

    /// The teams of some players, in the order of the first player of each.
    pub fn teams(&self, seats: Seats) -> Vec<Seats> {
        let mut teams: Vec<Seats> = Vec::new();
        for seat in seats {
            if !teams.iter().any(|team| team.as_slice().contains(&seat)) {
                teams.push(seats.into_iter().filter(|other| self.are_partners(seat, *other)).collect());
            }
        }
        teams
    }

    /// Moves a seat into the team of another, whose values it has from then on. What it had alone goes back to the
    /// bank, where there is one.
    ///
    /// # Errors
    /// Too many changes in one game.
    pub fn join(&mut self, seat: Seat, other: Seat) -> Result<(), Fault> {
        if self.are_partners(seat, other) {
            return Ok(());
        }
        let left: Seats = self.team(seat).into_iter().filter(|partner| *partner != seat).collect();
        let team = self.state.team_of(other);
        // A team is named by the index of a seat that plays in it.
        if let Some(first) = left.as_slice().first() {
            left.into_iter().for_each(|partner| self.set_team(partner, first.index() as u8));
        }
        self.set_team(seat, team);
        let shared: Vec<usize> = self.shared_variables().collect();
        for variable in shared {
            let value = self.state.variables[variable + other.index()].clone();
            if left.is_empty() {
                self.settle_with_bank(variable + seat.index(), 1)?;
            }
            self.set_alone(variable + seat.index(), value)?;
        }
        self.count_change()
    }

    /// Puts the players of a table on which nothing has happened into other teams: those with the same number play
    /// together. What teams begin with comes out of the bank, for the new number of teams.
    ///
    /// # Errors
    /// The bank has not enough; too many changes in one game.
    pub fn begin_teams(&mut self, numbers: &[u8]) -> Result<(), Fault> {
        // A team is named by the index of a seat that plays in it, here its first.
        let first = |number: &u8| numbers.iter().position(|other| other == number).unwrap_or_default() as u8;
        let teams: Vec<u8> = numbers.iter().map(first).collect();
        let count = |teams: &[u8]| {
            let is_new = |place: usize| !teams.iter().take(place).any(|team| *team == teams[place]);
            (0..teams.len()).filter(|place| is_new(*place)).count() as i64
        };
        let fewer = count(&self.state.teams) - count(&teams);
        self.state.teams = teams;
        self.everything_has_changed();
        let shared: Vec<usize> = self.shared_variables().collect();
        shared.into_iter().try_for_each(|variable| self.settle_with_bank(variable, fewer))
    }

    fn set_team(&mut self, seat: Seat, team: u8) {
        if let Some(place) = self.state.teams.get_mut(seat.index()) {
            *place = team;
        }
        self.everything_has_changed();
    }

    /// Indices of those variables of the first seat that belong to teams.
    fn shared_variables(&self) -> impl Iterator<Item = usize> {
        let definitions = self.layout.definition.variables.iter().enumerate();
        definitions.filter(|(_, one)| one.by_team).map(|(number, _)| self.layout.variable_of(number, None))
    }

    /// The variables that are set together with this one, itself first: those of the partners, where it belongs to a
    /// team.
    pub(super) fn set_with(&self, variable: usize) -> impl Iterator<Item = usize> + use<> {
        let info = &self.layout.variables[variable];
        let by_team = self.layout.definition.variables.get(info.definition).is_some_and(|one| one.by_team);
        let seats = info.seat.filter(|_| by_team).map(|seat| (seat, self.team(seat)));
        let others = seats.into_iter().flat_map(move |(seat, team)| {
            team.into_iter()
                .filter(move |other| *other != seat)
                .map(move |other| variable - seat.index() + other.index())
        });
        std::iter::once(variable).chain(others)
    }

    fn seats(&self) -> Seats {
        Seats::all(self.layout.seats)
    }
}

impl crate::table::State {
    fn team_of(&self, seat: Seat) -> u8 {
        self.teams.get(seat.index()).copied().unwrap_or(seat.index() as u8)
    }

    /// Whether two seats are partners; each seat is one of its own.
    pub fn are_partners(&self, one: Seat, other: Seat) -> bool {
        self.team_of(one) == self.team_of(other)
    }
}
