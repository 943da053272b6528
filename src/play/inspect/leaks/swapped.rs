//! The second game of a leak test, whose hidden information is changed before each decision.

use super::Leak;
use super::first::{Moment, difference};
use crate::agent::Random;
use crate::table::chance::Stream;
use crate::table::decision::{Answerer, Halt, Question};
use crate::table::knowledge::ComponentKnowledge;
use crate::table::layout::Layout;
use crate::table::value::Seat;
use crate::table::{State, Table};

/// Plays the second game.
pub(super) struct SwappedAgent<'a> {
    agent: Random,
    stream: Stream,
    moments: &'a [Moment],
    /// The index of the next decision.
    next: usize,
    aim: SwapMoment,
    is_early: bool,
    /// Whether faces are swapped early before odd decisions, or before even ones.
    odd: bool,
    /// The number of events at the previous decision.
    told: usize,
    /// The number of changes beyond those of the first game; hidden ones are counted differently.
    more_changes: i64,
    pub(super) early: usize,
    pub(super) late: usize,
    pub(super) leak: Option<Leak>,
}

/// When to swap faces for the next decision.
#[derive(Clone, Copy, PartialEq)]
enum SwapMoment {
    /// Right after the previous answer.
    Early,
    /// After the last change before the decision.
    Late,
    /// Already swapped, or no swap needed.
    Done,
}

impl Answerer for SwappedAgent<'_> {
    fn begin(&mut self, table: &mut Table) {
        Answerer::begin(&mut self.agent, table);
        self.aim = SwapMoment::Late;
        self.intervene(table);
    }

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        self.agent.answer(table, question, chosen)?;
        let Some(moment) = self.moments.get(self.next) else { return Err(Halt::Open) };
        let now = table.snapshot();
        self.leak = difference(moment, table, &now, question, self.is_early, self.told);
        if self.leak.is_some() {
            return Err(Halt::Open);
        }
        if now.faces != moment.table.faces || now.sides != moment.table.sides || now.zones != moment.table.zones {
            *(if self.is_early { &mut self.early } else { &mut self.late }) += 1;
        }
        // The agent's choices stay those of the first game.
        chosen.clone_from(&moment.chosen);
        self.more_changes = table.changes() as i64 - moment.changes as i64;
        self.told = table.recorded().len();
        self.next += 1;
        self.is_early = self.swaps_early();
        self.aim = if self.is_early { SwapMoment::Early } else { SwapMoment::Late };
        Ok(())
    }

    fn wants_reasons(&self, _table: &Table) -> bool {
        true
    }

    fn intervene(&mut self, table: &mut Table) {
        if table.decisions() == self.next
            && let Some(answered) = self.next.checked_sub(1).and_then(|last| self.moments.get(last))
            && table.changes() as i64 == answered.changes as i64 + self.more_changes + 1
        {
            // Right after an answer, the table is that of the first game.
            let choices = table.snapshot().known.choices;
            let mut before = answered.table.clone();
            before.known.choices = choices;
            table.restore(before);
            table.chance = answered.chance.clone();
        }
        let Some(moment) = self.moments.get(self.next) else { return };
        let due = moment.changes as i64 + self.more_changes;
        match self.aim {
            SwapMoment::Done => return,
            SwapMoment::Late if (table.changes() as i64) < due => return table.set_alarm(due.unsigned_abs()),
            SwapMoment::Late | SwapMoment::Early => self.aim = SwapMoment::Done,
        }
        if let Some(seat) = moment.asked.heard.seat {
            let mut swapped = table.snapshot();
            swap_unknown(&mut swapped, moment, table.layout(), seat, &mut self.stream);
            table.restore(swapped);
        }
    }
}

impl<'a> SwappedAgent<'a> {
    pub(super) fn new(seed: u64, moments: &'a [Moment]) -> Self {
        Self {
            agent: Random::new(seed),
            stream: Stream::named(seed, "swapped faces", 0),
            moments,
            next: 0,
            aim: SwapMoment::Done,
            is_early: false,
            odd: Stream::named(seed, "early", 0).below(2) == 1,
            told: 0,
            more_changes: 0,
            early: 0,
            late: 0,
            leak: None,
        }
    }

    /// Whether faces are swapped early for the next decision: for every other one where that is fair. It is not fair if
    /// points were awarded on the way, or if something was shuffled away, because it is unknown what the seat saw of
    /// it.
    fn swaps_early(&self) -> bool {
        let Some([before, after]) = self.next.checked_sub(1).and_then(|last| self.moments.get(last..=self.next)) else {
            return false;
        };
        let Some(seat) = after.asked.heard.seat else { return false };
        let is_forgotten = |(before, after): (&ComponentKnowledge, &ComponentKnowledge)| {
            (before.face & !after.face | before.side & !after.side) & seat.bit() != 0
        };
        let mut known = before.table.known.components.iter().zip(&after.table.known.components);
        (self.next % 2 == 1) == self.odd && before.scores == after.scores && !known.any(is_forgotten)
    }
}

/// Swaps faces that a seat neither knows now nor will know at its decision.
fn swap_unknown(table: &mut State, moment: &Moment, layout: &Layout, seat: Seat, stream: &mut Stream) {
    let known = table.known.clone();
    for (known, then) in table.known.components.iter_mut().zip(&moment.table.known.components) {
        known.face |= then.face & seat.bit();
        known.side |= then.side & seat.bit();
    }
    table.determinize(layout, seat, stream);
    table.known = known;
    table.exchange_copies(layout, seat, stream);
}
