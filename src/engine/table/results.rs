//! Results: how a game ends for the players, and who is ahead.
//!
//! Most games are decided by the scores. Where the rules say that a seat has won or lost, that comes first.

use crate::diagnostic::{Message, message};
use crate::sorted::sort_by;
use crate::table::decision::Halt;
use crate::table::event::EventData;
use crate::table::value::{Seat, Seats, Value};
use crate::table::{Fault, Table};

/// What the rules have said of a seat so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing yet: the scores decide, if the game ends now.
    #[default]
    Playing,
    /// The seat has won.
    Won,
    /// The seat has lost. Losses are numbered from 1; seats that lost together have the same number.
    Lost(u16),
}

impl Table {
    /// Ends the game.
    pub fn end_game(&mut self) -> Fault {
        self.stop(Halt::Over)
    }

    /// What the rules have said of a seat so far.
    pub fn verdict(&self, seat: Seat) -> Verdict {
        self.state.verdicts.get(seat.index()).copied().unwrap_or_default()
    }

    /// Those of the seats that have neither won nor lost.
    pub fn playing(&self, seats: Seats) -> Seats {
        seats.into_iter().filter(|seat| self.verdict(*seat) == Verdict::Playing).collect()
    }

    /// Records that seats have won.
    ///
    /// # Errors
    /// One of them has lost, or won before; too many changes in one game.
    pub fn win(&mut self, seats: Seats, reason: &str) -> Result<(), Fault> {
        self.judge(seats, Verdict::Won, reason)
    }

    /// Records that seats have lost, together.
    ///
    /// # Errors
    /// One of them has won, or lost before; too many changes in one game.
    pub fn lose(&mut self, seats: Seats, reason: &str) -> Result<(), Fault> {
        let before = self.state.verdicts.iter().filter_map(|verdict| match verdict {
            Verdict::Lost(number) => Some(*number),
            _ => None,
        });
        let number = before.max().unwrap_or(0).saturating_add(1);
        self.judge(seats, Verdict::Lost(number), reason)
    }

    fn judge(&mut self, seats: Seats, verdict: Verdict, reason: &str) -> Result<(), Fault> {
        for seat in seats {
            match self.verdict(seat) {
                Verdict::Playing => {}
                said => {
                    let said = Message::from(if said == Verdict::Won { "won" } else { "lost" });
                    return Err(Fault::rule(message!("{seat} has {said} already"))
                        .help("`players.playing` are those who have neither won nor lost"));
                }
            }
            if let Some(place) = self.state.verdicts.get_mut(seat.index()) {
                *place = verdict;
            }
            let won = verdict == Verdict::Won;
            self.record_open_event(|| EventData::Result { seat, won, reason: reason.into() })?;
        }
        Ok(())
    }

    /// The seats by rank: those that have won first, together; then those that are still playing, the best score first,
    /// and between equal scores by the tie-break variables of the definition; then those that have lost, the last to
    /// lose first. Seats that are equal in everything are in one group.
    pub fn ranking(&self) -> Vec<Vec<Seat>> {
        let number = |variable: usize| match self.state.variables[variable] {
            Value::Number(number) => number,
            _ => 0,
        };
        let standing = |seat: Seat| -> (i64, Vec<i64>) {
            let by_score =
                || std::iter::once(self.score(seat)).chain(self.layout.tie_breaks_of(seat).map(number)).collect();
            match self.verdict(seat) {
                Verdict::Won => (1, Vec::new()),
                Verdict::Playing => (0, by_score()),
                Verdict::Lost(number) => (i64::from(number) - i64::from(u16::MAX) - 1, Vec::new()),
            }
        };
        let mut seats: Vec<_> = Seats::all(self.layout.seats).into_iter().map(|seat| (standing(seat), seat)).collect();
        sort_by(&mut seats, |(left, _), (right, _)| right.cmp(left));
        let equal = seats.chunk_by(|(left, _), (right, _)| left == right);
        equal.map(|group| group.iter().map(|(_, seat)| *seat).collect()).collect()
    }

    /// The seats that win if the game ends now: those that rank first, with their partners. Empty where all have lost.
    pub fn winners(&self) -> Vec<Seat> {
        let is_lost = |seat: &Seat| matches!(self.verdict(*seat), Verdict::Lost(_));
        let first = self.ranking().into_iter().next().filter(|first| !first.iter().any(is_lost)).unwrap_or_default();
        let wins = |seat: &Seat| first.iter().any(|other| self.are_partners(*seat, *other));
        Seats::all(self.layout.seats).into_iter().filter(wins).collect()
    }
}
