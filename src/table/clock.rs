//! Real time without a clock on the wall: who is busy until when, and who acts next.
//!
//! Time is counted in thousandths of a second from the beginning of the game and passes only here, so equal games take
//! equal time. The clock proposes who acts; a person may say otherwise.

use crate::table::decision::{Options, Play, Question};
use crate::table::value::{MAX_SEATS, Seat, Seats};
use crate::table::{Fault, Table};

/// The stream that draws who acts of several who are free.
const STREAM: &str = "next to act";

/// The latest moment: some 35 years.
const MAX_TIME: i64 = 1 << 40;

/// The time, and when each seat is free: at the beginning of a game, all are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    now: i64,
    free_at: [i64; MAX_SEATS],
}

impl Clock {
    /// Thousandths of a second since the game began.
    pub fn now(&self) -> i64 {
        self.now
    }

    /// For how long a seat is still busy, in thousandths of a second.
    pub fn busy(&self, seat: Seat) -> i64 {
        (self.free_at[seat.index()] - self.now).max(0)
    }
}

impl Table {
    /// The virtual clock.
    pub fn clock(&self) -> &Clock {
        &self.state.clock
    }

    /// Keeps a seat busy from now on for thousandths of a second; 0 makes it free.
    ///
    /// # Errors
    /// A negative time, or one that is beyond every game.
    pub fn busy_for(&mut self, seat: Seat, time: i64) -> Result<(), Fault> {
        let until = self.state.clock.now.checked_add(time).filter(|until| time >= 0 && *until <= MAX_TIME);
        let until =
            until.ok_or_else(|| Fault::rule(format!("nobody can be busy for {time} thousandths of a second")))?;
        self.state.clock.free_at[seat.index()] = until;
        // A change like any other: a function that is only asked something may not spend time.
        self.count_change()
    }
}

impl Play<'_> {
    /// Asks who acts now. Time passes until the first of the seats is free; the clock proposes that one, chance one of
    /// several.
    ///
    /// # Errors
    /// Nobody could act; a [`Halt`](crate::table::decision::Halt) of whoever answers.
    pub fn next_to_act(&mut self, prompt: &str, seats: Seats) -> Result<Seat, Fault> {
        if self.table.progress.together.is_some() {
            return Err(Fault::rule("nobody acts in real time while all choose together"));
        }
        let seats = seats.as_slice();
        let clock = &self.table.state.clock;
        let free_at = |seat: &Seat| clock.free_at[seat.index()].max(clock.now);
        let first = seats.iter().map(free_at).min();
        let first = first.ok_or_else(|| Fault::Rule {
            message: format!("nobody could act for {prompt}"),
            help: Some("ask only while somebody can act".to_owned()),
        })?;
        let free: Vec<usize> = (0..seats.len()).filter(|&position| free_at(&seats[position]) == first).collect();
        let lot = if free.len() > 1 { self.table.chance.stream(STREAM).below(free.len()) } else { 0 };
        self.table.state.clock.now = first;
        let question = Question {
            seat: None,
            prompt,
            purpose: None,
            secret: false,
            by_clock: free.get(lot).copied(),
            options: Options::Seats(seats),
            min: 1,
            max: 1,
            refused: &[],
        };
        let chosen = match self.decide(&question) {
            // Whoever answers one question gives one position.
            Ok(chosen) => chosen.first().copied().unwrap_or(0),
            Err(fault) => {
                // Put again, the question has to draw the same lot.
                if free.len() > 1 {
                    self.table.chance.give_back(STREAM);
                }
                return Err(fault);
            }
        };
        Ok(seats[chosen])
    }
}
