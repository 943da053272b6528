//! A seat's belief about hidden components: random deals, adjusted to fit the other players' choices.
//!
//! The rules' own `fn doubt(p)` measures how badly a deal fits. A deal is drawn as for any determinization. Then a
//! component unknown to the seat, whose holder is in doubt, is repeatedly swapped with one elsewhere, or a die is
//! rolled again; a change that raises the doubt is undone. What the seat knows stays fixed, so the result depends on
//! nothing the seat does not know.

use crate::script::appraisal::Appraiser;
use crate::script::rules::Rules;
use crate::sorted::SortedMap;
use crate::table::Table;
use crate::table::chance::Stream;
use crate::table::knowledge::{Fronts, UnknownComponent};
use crate::table::value::{Component, Seat, Seats};

/// The most deals sampled at one decision.
const MAX_DEALS_PER_DECISION: usize = 512;

/// The number of changes proposed for each sampled deal.
const PROPOSED_CHANGES_PER_DEAL: usize = 60;

/// The deals that a seat considers possible at one decision.
pub struct DealSampler {
    seat: Seat,
    /// The seed of the game in play, which depends on no secret; with the number of the decision it seeds the deals.
    seed: u64,
    decision: usize,
    /// The deals sampled so far, by their numbers.
    known: SortedMap<usize, Fronts>,
}

impl DealSampler {
    pub(super) fn new(seat: Seat, seed: u64, decision: usize) -> Self {
        Self { seat, seed, decision, known: SortedMap::new() }
    }

    /// Puts one of the deals onto `table`. The same `chance` always picks the same deal, however many were sampled
    /// before.
    pub(super) fn lay(&mut self, rules: &Rules, appraiser: &mut Appraiser, table: &mut Table, chance: &mut Stream) {
        let number = chance.below(MAX_DEALS_PER_DECISION);
        if let Some(fronts) = self.known.get(&number) {
            table.set_fronts(fronts);
            return;
        }
        let mut own = Stream::named(self.seed, "deal", (self.decision * MAX_DEALS_PER_DECISION + number) as u32);
        table.determinize(self.seat, &mut own);
        fit(rules, appraiser, table, self.seat, &mut own);
        self.known.insert(number, table.fronts());
    }
}

/// Changes one unknown component after another while that lowers the doubt.
fn fit(rules: &Rules, appraiser: &mut Appraiser, table: &mut Table, seat: Seat, chance: &mut Stream) {
    let others: Vec<Seat> = Seats::all(table.layout().seats).into_iter().filter(|other| *other != seat).collect();
    let mut doubts = |table: &Table| -> Option<Vec<i64>> {
        others.iter().map(|&other| rules.doubt(table, other, appraiser)).collect()
    };
    let sum = |doubts: &[i64]| doubts.iter().fold(0_i64, |sum, doubt| sum.saturating_add(*doubt));
    let Some(mut known) = doubts(table) else { return };
    let unknown = table.unknown_to(seat);
    for _ in 0..PROPOSED_CHANGES_PER_DEAL {
        let doubtful = others.iter().zip(&known).filter(|(_, doubt)| **doubt > 0).map(|(other, _)| Some(*other));
        let doubtful: Vec<Option<Seat>> = doubtful.collect();
        let held: Vec<&UnknownComponent> = unknown.iter().filter(|one| doubtful.contains(&one.holder)).collect();
        if held.is_empty() {
            return;
        }
        let one = held[chance.below(held.len())];
        let Some(made) = Substitution::to(table, one, &unknown, chance) else { continue };
        let Some(now) = doubts(table) else { return };
        if sum(&now) <= sum(&known) {
            known = now;
        } else {
            made.take_back(table);
        }
    }
}

/// A proposed change of a deal, kept to be undone.
enum Substitution {
    Swapped(Component, Component),
    /// A die, and the side it showed before.
    Rolled(Component, u8),
}

impl Substitution {
    /// Swaps a component with one of another holder, or rolls a die; `None` where there is nothing to swap with.
    fn to(
        table: &mut Table,
        one: &UnknownComponent,
        unknown: &[UnknownComponent],
        chance: &mut Stream,
    ) -> Option<Self> {
        if one.back.is_none() {
            let side = chance.below(table.sides_of(one.component)) as u8 + 1;
            return Some(Self::Rolled(one.component, table.turn_secretly(one.component, side)));
        }
        let is_other = |other: &&UnknownComponent| other.back == one.back && other.holder != one.holder;
        let others: Vec<&UnknownComponent> = unknown.iter().filter(is_other).collect();
        let other = others.get(if others.is_empty() { 0 } else { chance.below(others.len()) })?;
        table.swap_fronts(one.component, other.component);
        Some(Self::Swapped(one.component, other.component))
    }

    fn take_back(self, table: &mut Table) {
        match self {
            Self::Swapped(one, other) => table.swap_fronts(one, other),
            Self::Rolled(die, side) => _ = table.turn_secretly(die, side),
        }
    }
}
