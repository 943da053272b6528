//! Tests whether the order of variants matters, for pairs met in a hunt.

use super::case::Case;
use super::generate::Pool;
use super::search::Search;
use super::smallest::replay;
use super::{Find, FindKind, HuntContext};
use crate::inspect::order;
use crate::playthrough::Playable;
use crate::work::Workers;
use std::sync::Arc;

impl Search {
    /// Tests the order of variants that were part of a game together.
    pub(super) fn check_orders(&mut self, workers: &dyn Workers, ground: &HuntContext<'_>, pool: &Pool) {
        // Each pair costs as much as a few games.
        let most = usize::try_from(self.report.games / 4).unwrap_or(usize::MAX);
        // If variants were given, each pair includes one of them; effects of other variants on each other are out of
        // scope.
        let asked = &ground.plan.variants;
        let is_asked =
            |(one, other): &&(String, String)| asked.is_empty() || asked.contains(one) || asked.contains(other);
        let pairs: Vec<&(String, String)> = self.pairs.iter().filter(is_asked).take(most).collect();
        let found = workers.map(&pairs, |(one, other)| {
            if ground.is_late() {
                return None;
            }
            let case = |variants: [&String; 2]| Case::of(&variants.map(String::clone), &pool.set, 0);
            // A stopped game would differ for that reason.
            let found = ground.order_matters(case([one, other]), case([other, one]));
            Some(found.filter(|_| !ground.work.is_stopped()))
        });
        self.report.finds.extend(found.into_iter().flatten());
    }
}

impl HuntContext<'_> {
    /// Tests whether the order of two variants matters, and returns the game that shows it.
    fn order_matters(&self, mut one: Case, mut other: Case) -> Option<Find> {
        let load = |case: &Case| self.cache.ruleset(self.library, case, &self.plan.game).ok();
        let [ruleset, turned] = [load(&one)?, load(&other)?];
        // A variant that requires the other fixes the order.
        if ruleset.selection.variants == turned.selection.variants {
            return None;
        }
        let (fewest, most) = ruleset.definition.players;
        let (fewest, most) = self.plan.players.map_or((fewest, most), |players| (players, players));
        for players in if fewest == most { vec![fewest] } else { vec![fewest, most] } {
            (one.players, other.players) = (players, players);
            let compile = |ruleset: &Arc<_>| Playable::compile(Arc::clone(ruleset), players, self.work.clone()).ok();
            let left = compile(&ruleset)?;
            let [below, above] = [one.variants.first()?, one.variants.last()?];
            let functions = order::overridden_by_both(&left, below, above)?;
            if let Ok(Some(found)) = order::difference(&left, &compile(&turned)?, players) {
                let diagnostics = order::warning(&left.ruleset, functions, &found).into();
                let case = Case { seed: found.seed, ..one };
                let moves = found.log.len();
                let replay = Some(replay(&left.ruleset, &case, found.log));
                return Some(Find { replay, ..Find::of(FindKind::Order, diagnostics, 1, Some((case, moves))) });
            }
        }
        None
    }
}
