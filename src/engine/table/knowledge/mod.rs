//! Knowledge: who may know what, and what a viewer sees. No other module decides that.
//!
//! A table keeps for each component which seats know its face, which know the side that is up or the value of a die,
//! and to whom it was shown where it lies ([`Knowledge`]). An event keeps the seats that could tell what it happened
//! to, and what the result was ([`Witnesses`]). Code that draws, tells or answers anything asks [`ObservedPosition`],
//! which looks at a position as one [`Viewer`]. Nothing that a seat does not know can change what this gives: `check
//! --leaks` permutes what is hidden and compares.
//!
//! | to change | look into |
//! |---|---|
//! | who comes to know something as the rules run | `learning` |
//! | what is seen in a zone | `visible` |
//! | what a game looks like to other programs | `view` |
//! | what of events, choices and variables is told | `eyes` |
//! | which tables are the same to a seat, and by what two are told apart | `indistinguishable` |

mod eyes;
mod indistinguishable;
mod learning;
mod view;
mod visible;

use crate::definition::Visibility;
use crate::table::layout::Layout;
use crate::table::value::{Seat, Seats};

pub use eyes::{Disclosure, ObservedPosition, ShownSecretChoice};
pub use indistinguishable::{
    Fronts, InformationLeak, KeptFronts, Message, ObservedValue, SeatObservation, UnknownComponent, messages,
    messages_in_words,
};
pub use learning::{ComponentKnowledge, Knowledge, Witnesses};
pub use view::{ComponentView, DecisionView, EventView, OptionView, VariableView, View, VisiblePast, ZoneView};
pub use visible::{Appearance, Front, VisibleZones, is_uncounted};

/// A viewer of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// The person at the sandbox, who may see everything.
    Everything,
    /// A player who sees what lies open to that seat now.
    Seat(Seat),
    /// A player who remembers everything that seat has ever seen.
    Memory(Seat),
    /// A public screen in a game with this number of players: it shows what every one of them may see now.
    Public(usize),
}

impl Viewer {
    /// The seat of the viewer; `None` for a viewer of everything, and for a public screen.
    pub fn seat(self) -> Option<Seat> {
        match self {
            Self::Everything | Self::Public(_) => None,
            Self::Seat(seat) | Self::Memory(seat) => Some(seat),
        }
    }

    /// The seats, one bit each, that all have to know what the viewer is shown; `None` for a viewer of everything.
    pub fn seats(self) -> Option<u16> {
        match self {
            Self::Everything => None,
            Self::Seat(seat) | Self::Memory(seat) => Some(seat.bit()),
            Self::Public(seats) => Some(Seats::all(seats).into_iter().fold(0, |bits, seat| bits | seat.bit())),
        }
    }

    /// Whether something may be hidden from the viewer.
    pub fn is_limited(self) -> bool {
        self != Self::Everything
    }

    /// Whether the viewer belongs to a set of seats: a viewer of everything always does, a public screen only where
    /// every seat does.
    fn is_among(self, seats: u16) -> bool {
        self.seats().is_none_or(|own| seats & own == own)
    }

    /// Whether the viewer may read a variable, by its index in the layout.
    pub fn may_read(self, layout: &Layout, variable: usize) -> bool {
        if !self.is_limited() {
            return true;
        }
        let info = layout.variables.get(variable);
        let definition = info.and_then(|info| layout.definition.variables.get(info.definition));
        match (info, definition.map(|definition| definition.visible)) {
            (Some(info), Some(Visibility::Owner)) => info.seat.is_some() && info.seat == self.seat(),
            (_, Some(Visibility::All)) => true,
            _ => false,
        }
    }

    /// Whether the viewer is told the options of a decision, and may answer it: a player only if its own seat is asked.
    pub fn may_answer(self, asked: Option<Seat>) -> bool {
        asked.is_none_or(|asked| !self.is_limited() || self.seat() == Some(asked))
    }
}
