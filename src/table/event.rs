//! What happened, in order.

use crate::table::Snapshot;
use crate::table::decision::Decision;
use crate::table::value::{Component, Seat, Value, Zone};
use std::sync::Arc;

/// A point in the rules: the line and column of the ruleset's joined scripts, from 1; line 0 where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, PartialOrd, Ord, Hash)]
pub struct ScriptPoint {
    /// Line in the joined scripts; the ruleset knows which file and line that is.
    pub line: u16,
    /// Column in characters.
    pub column: u16,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// What it was.
    pub what: What,
    /// The move that caused it: how many choices and changes by hand there had been, itself included.
    pub moves: usize,
    /// Where in the rules it was caused.
    pub at: ScriptPoint,
}

/// The kinds of event.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A phase began.
    Phase(Arc<str>),
    /// A round began; rounds count from 1.
    Round(i64),
    /// A turn began.
    Turn(Seat),
    /// A zone was shuffled.
    Shuffle(Zone),
    /// A die was rolled.
    Roll {
        /// The die.
        die: Component,
        /// What it shows now.
        value: u8,
    },
    /// Lots were drawn.
    Lot {
        /// Name of the stream.
        stream: Arc<str>,
        /// What came of it.
        value: Value,
    },
    /// A player chose.
    Choice {
        /// What was asked, with every option.
        decision: Arc<Decision>,
        /// Positions of what was chosen.
        chosen: Vec<usize>,
        /// The table before the choice took effect, where the recording keeps it.
        before: Option<Box<Snapshot>>,
    },
    /// A component went from one place to another.
    Move {
        /// What moved.
        component: Component,
        /// Where it lay; nothing for a component that was not in play.
        from: Option<Zone>,
        /// Where it lies; nothing for one taken out of play.
        to: Option<Zone>,
        /// Its position there, from 0 at the bottom or left.
        position: usize,
    },
    /// A variable got a value.
    Set {
        /// The variable, by its number in the layout.
        variable: usize,
        /// Its new value.
        value: Value,
    },
    /// A player scored.
    Award {
        /// Who.
        seat: Seat,
        /// How much; may be negative.
        points: i64,
        /// What for.
        reason: Arc<str>,
        /// The score after it.
        score: i64,
    },
    /// The rules remarked something.
    Note(Arc<str>),
    /// The person at the sandbox changed something by hand; the entry as it stands in the log.
    Intervention(Arc<str>),
}
