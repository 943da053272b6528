//! Marks that the rules set in the course of a game: phases, rounds, turns, remarks.

use crate::diagnostic::message;
use crate::table::event::EventData;
use crate::table::value::{Seat, Value};
use crate::table::{Fault, Table};
use std::sync::Arc;

impl Table {
    /// Number of turns that have begun.
    pub fn turns(&self) -> usize {
        self.state.turns
    }

    /// Number of the round, from 1; 0 where the rules count none.
    pub fn round(&self) -> i64 {
        self.state.round
    }

    /// The phase; `None` where the rules have named none.
    pub fn phase(&self) -> Option<&Arc<str>> {
        self.state.phase.as_ref()
    }

    /// Begins a phase.
    ///
    /// # Errors
    /// Too many changes in one game.
    pub fn begin_phase(&mut self, phase: &str) -> Result<(), Fault> {
        let phase: Arc<str> = phase.into();
        self.state.phase = Some(phase.clone());
        self.record_open_event(|| EventData::Phase { name: phase })
    }

    /// Begins the next round.
    ///
    /// # Errors
    /// Too many changes in one game.
    pub fn begin_round(&mut self) -> Result<(), Fault> {
        self.state.round += 1;
        let round = self.state.round;
        self.record_open_event(|| EventData::Round { number: round })
    }

    /// Begins a player's turn.
    ///
    /// # Errors
    /// Too many changes in one game.
    pub fn begin_turn(&mut self, seat: Seat) -> Result<(), Fault> {
        self.state.turn = Some(seat);
        self.state.turns += 1;
        self.record_open_event(|| EventData::Turn { seat })
    }

    /// Writes a remark into the record; the values fill each `{}` of the text.
    ///
    /// # Errors
    /// Fewer values than the text has `{}`; too many changes in one game.
    pub fn note(&mut self, text: &str, values: &[Value]) -> Result<(), Fault> {
        let words = self.layout.definition.text.get(text).map_or(text, |words| &words.en);
        let wanted = words.matches("{}").count();
        if values.len() < wanted {
            let message = message!("the remark {text:?} needs {wanted} values, and has {}", values.len());
            let help = message!("give one for each gap in its text: `note({text:?}, [p.score, …])`");
            return Err(Fault::rule(message).help(help));
        }
        self.record_open_event(|| EventData::Note { text: text.into(), values: values.to_vec() })
    }
}
