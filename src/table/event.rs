//! What happened, in order.

use crate::table::State;
use crate::table::decision::{Decision, OptionShown};
use crate::table::knowledge::Witnesses;
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
    /// Who could tell what it happened to, and what came of it.
    pub witnesses: Witnesses,
}

impl Event {
    /// About how much memory it holds, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let own = size_of::<Self>();
        match &self.what {
            What::Choice { decision, chosen, before, .. } => {
                let of_option = |option: &OptionShown| option.label.len() + option.value.bytes() + 48;
                let options: usize = decision.options.iter().map(of_option).sum();
                let refused = decision.refused.iter();
                let refused: usize = refused.map(|(option, reason)| of_option(option) + reason.len() + 32).sum();
                let texts = decision.prompt.len() + decision.purpose.as_ref().map_or(0, |purpose| purpose.len());
                let before = before.as_ref().map_or(0, |table| table.bytes());
                own + size_of::<Decision>() + 96 + texts + options + refused + chosen.len() * 8 + before
            }
            What::Note { text, values } => own + text.len() + values.iter().map(Value::bytes).sum::<usize>(),
            What::Phase(text) | What::Intervention(text) | What::ShowChoice { prompt: text, .. } => own + text.len(),
            What::Award { reason, source, .. } => own + reason.len() + source.as_ref().map_or(0, Value::bytes),
            What::Lot { stream, value } => own + stream.len() + value.bytes(),
            What::Set { value, .. } => own + value.bytes(),
            _ => own,
        }
    }
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
    Shuffle {
        /// The zone.
        zone: Zone,
        /// How many of its lowest components, if not all.
        bottom: Option<usize>,
    },
    /// A die was rolled.
    Roll {
        /// The die.
        die: Component,
        /// What it shows now.
        value: u8,
    },
    /// A component was turned to another side by hand, not by chance.
    Turned {
        /// What was turned.
        component: Component,
        /// The side that is up now; 0 for a die that shows nothing.
        side: u8,
    },
    /// A component belongs to another player than before, or to nobody.
    Owned {
        /// What changed hands.
        component: Component,
        /// Whose it is.
        owner: Option<Seat>,
    },
    /// Everybody was shown a component.
    Reveal {
        /// What was shown.
        component: Component,
        /// The side that was up, or what the die showed; 0 for what has no sides and for a die not rolled.
        side: u8,
    },
    /// One player was shown a component.
    Show {
        /// What was shown.
        component: Component,
        /// As for [`What::Reveal`].
        side: u8,
        /// To whom.
        seat: Seat,
    },
    /// A choice that was made in secret was shown.
    ShowChoice {
        /// Who had made it.
        seat: Seat,
        /// What had been asked.
        prompt: Arc<str>,
        /// The number of that decision.
        decision: usize,
        /// To whom; nobody for everybody.
        to: Option<Seat>,
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
        /// The virtual clock, in thousandths of a second.
        clock: i64,
        /// The table before the choice took effect, where the recording keeps it.
        before: Option<Box<State>>,
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
        /// The zone, the component or whatever else it is for, where the rules say so.
        source: Option<Value>,
    },
    /// The rules remarked something.
    Note {
        /// A key of `[text]`, or the text itself.
        text: Arc<str>,
        /// What stands where the text has `{}`.
        values: Vec<Value>,
    },
    /// The person at the sandbox changed something by hand; the entry as it stands in the log.
    Intervention(Arc<str>),
}
