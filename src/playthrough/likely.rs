//! What a seat thinks that others hold: unknown components by chance, but so that they fit what others have done.
//!
//! How well they fit is what the rules' own `fn doubt(p)` says. A deal is drawn as any other, and then two components that
//! the seat does not know are swapped again and again, one of them of a player about whom there is doubt; what makes it
//! greater is taken back. What the seat knows stays, so what comes out depends on nothing else.

use crate::script::rules::Rules;
use crate::table::Table;
use crate::table::chance::Stream;
use crate::table::knowledge::{Fronts, Unknown};
use crate::table::value::{Seat, Seats};
use std::collections::BTreeMap;

/// So many deals are thought of at one decision.
const MOST_DEALS: usize = 512;

/// So many swaps are tried for one.
const SWAPS: usize = 60;

/// Deals that a seat thinks of at one decision.
pub(crate) struct Deals {
    seat: Seat,
    /// What they are drawn by: that of the game that is played, which no secret changes, and the number of the decision.
    seed: u64,
    decision: usize,
    /// By their numbers, as far as they were asked for.
    known: BTreeMap<usize, Fronts>,
}

impl Deals {
    pub(super) fn new(seat: Seat, seed: u64, decision: usize) -> Self {
        Self { seat, seed, decision, known: BTreeMap::new() }
    }

    /// Puts one of the deals onto a table. The same stream always gives the same, however many were drawn before.
    pub(super) fn lay(&mut self, rules: &Rules, table: &mut Table, chance: &mut Stream) {
        let number = chance.below(MOST_DEALS);
        if let Some(fronts) = self.known.get(&number) {
            table.set_fronts(fronts);
            return;
        }
        let mut own = Stream::named(self.seed, "deal", (self.decision * MOST_DEALS + number) as u32);
        table.determinize(self.seat, &mut own);
        fit(rules, table, self.seat, &mut own);
        self.known.insert(number, table.fronts());
    }
}

/// Swaps what a seat does not know until as little as possible speaks against it.
fn fit(rules: &Rules, table: &mut Table, seat: Seat, chance: &mut Stream) {
    let others: Vec<Seat> = Seats::all(table.layout().seats).into_iter().filter(|other| *other != seat).collect();
    let doubts =
        |table: &Table| -> Option<Vec<i64>> { others.iter().map(|&other| rules.doubt(table, other)).collect() };
    let sum = |doubts: &[i64]| doubts.iter().fold(0_i64, |sum, doubt| sum.saturating_add(*doubt));
    let Some(mut known) = doubts(table) else { return };
    let unknown = table.unknown_to(seat);
    for _ in 0..SWAPS {
        let doubted: Vec<Seat> =
            others.iter().zip(&known).filter(|(_, doubt)| **doubt > 0).map(|(other, _)| *other).collect();
        if doubted.is_empty() {
            return;
        }
        let whose = Some(doubted[chance.below(doubted.len())]);
        let held: Vec<&Unknown> = unknown.iter().filter(|one| one.holder == whose).collect();
        if held.is_empty() {
            continue;
        }
        let one = held[chance.below(held.len())];
        let elsewhere: Vec<&Unknown> =
            unknown.iter().filter(|other| other.back == one.back && other.holder != whose).collect();
        if elsewhere.is_empty() {
            continue;
        }
        let other = elsewhere[chance.below(elsewhere.len())];
        table.swap_fronts(one.component, other.component);
        let Some(now) = doubts(table) else { return };
        if sum(&now) <= sum(&known) {
            known = now;
        } else {
            table.swap_fronts(one.component, other.component);
        }
    }
}
