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
use std::cell::RefCell;
use std::rc::Rc;

/// Plays the second game.
pub(super) struct SwappedAgent {
    pub(super) agent: Random,
    pub(super) swaps: Rc<RefCell<Swaps>>,
    pub(super) stream: Stream,
}

pub(super) struct Swaps {
    moments: Rc<[Moment]>,
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

impl Default for Swaps {
    fn default() -> Self {
        Self::new(Rc::new([]), false)
    }
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

impl Answerer for SwappedAgent {
    fn begin(&mut self, table: &mut Table) {
        Answerer::begin(&mut self.agent, table);
        self.swaps.borrow_mut().aim = SwapMoment::Late;
        self.intervene(table);
    }

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        self.agent.answer(table, question, chosen)?;
        let swaps = &mut *self.swaps.borrow_mut();
        let moments = swaps.moments.clone();
        let Some(moment) = moments.get(swaps.next) else { return Err(Halt::Open) };
        let now = table.snapshot();
        if let Some(found) = difference(moment, table, &now, question, swaps.is_early, swaps.told) {
            swaps.leak = Some(found);
            return Err(Halt::Open);
        }
        if now.faces != moment.table.faces || now.sides != moment.table.sides || now.zones != moment.table.zones {
            *(if swaps.is_early { &mut swaps.early } else { &mut swaps.late }) += 1;
        }
        // The agent's choices stay those of the first game.
        chosen.clone_from(&moment.chosen);
        swaps.more_changes = table.changes() as i64 - moment.changes as i64;
        swaps.told = table.recorded().len();
        swaps.next += 1;
        swaps.is_early = swaps.swaps_early();
        swaps.aim = if swaps.is_early { SwapMoment::Early } else { SwapMoment::Late };
        Ok(())
    }

    fn wants_reasons(&self, _table: &Table) -> bool {
        true
    }

    fn intervene(&mut self, table: &mut Table) {
        let swaps = &mut *self.swaps.borrow_mut();
        let moments = swaps.moments.clone();
        if table.decisions() == swaps.next
            && let Some(answered) = swaps.next.checked_sub(1).and_then(|last| moments.get(last))
            && table.changes() as i64 == answered.changes as i64 + swaps.more_changes + 1
        {
            // Right after an answer, the table is that of the first game.
            let choices = table.snapshot().known.choices;
            let mut before = answered.table.clone();
            before.known.choices = choices;
            table.restore(before);
            table.chance = answered.chance.clone();
        }
        let Some(moment) = moments.get(swaps.next) else { return };
        let due = moment.changes as i64 + swaps.more_changes;
        match swaps.aim {
            SwapMoment::Done => return,
            SwapMoment::Late if (table.changes() as i64) < due => return table.set_alarm(due.unsigned_abs()),
            SwapMoment::Late | SwapMoment::Early => swaps.aim = SwapMoment::Done,
        }
        if let Some(seat) = moment.asked.heard.seat {
            let mut swapped = table.snapshot();
            swap_unknown(&mut swapped, moment, table.layout(), seat, &mut self.stream);
            table.restore(swapped);
        }
    }
}

impl Swaps {
    pub(super) fn new(moments: Rc<[Moment]>, odd: bool) -> Self {
        let (aim, is_early) = (SwapMoment::Done, false);
        Self { moments, next: 0, aim, is_early, odd, told: 0, more_changes: 0, early: 0, late: 0, leak: None }
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
