//! One iteration of the search: the descent through the tree, then a random playout to where the game is valued.

use super::{FAR, FARTHEST, NEAR};
use crate::agent::search::keys::{self, mix};
use crate::agent::search::tree::{END_OF_CHOICE, Root, SeenChoice, Step, Tree, View, key_at};
use crate::playthrough::observation::{Observation, choose_at_random, choose_by_weight};
use crate::table::Table;
use crate::table::chance::Stream;
use crate::table::decision::{Answerer, Halt, Question};
use crate::table::value::MAX_SEATS;

/// The first round of a game; the setup before it counts as part of it.
pub(super) const FIRST_ROUND: i64 = 1;

/// An iteration: its way down the tree and through the playout.
pub(super) struct Descent<'a> {
    tree: &'a mut Tree,
    /// The searched game, whose rules may give weights to options.
    game: &'a Observation<'a>,
    weights: Vec<usize>,
    chance: &'a mut Stream,
    /// Whether the iteration has left the tree.
    is_playout: bool,
    /// The number of decisions made in the playout.
    decisions: usize,
    /// Whether the near and the far end were reached.
    was_near: bool,
    pub(super) is_far: bool,
    /// The numbers of playout decisions after which the game is valued first, and after which the iteration ends.
    near: usize,
    pub(super) far: usize,
    /// The number of decisions with a single answer that were skipped.
    forced: usize,
    /// The round in which the iteration began, if it ends with that round.
    round: Option<i64>,
    /// Whether the iteration goes on beyond the end of a round.
    pub(super) goes_through_rounds: bool,
    /// The keys of the options at the current decision.
    keys: Vec<u64>,
    /// Whether no randomness occurred on the way.
    is_certain: bool,
    /// The choice to make at the first decision, if its value was asked for.
    pub(super) first: Option<&'a [usize]>,
}

impl<'a> Descent<'a> {
    pub(super) fn new(tree: &'a mut Tree, game: &'a Observation<'a>, chance: &'a mut Stream) -> Self {
        tree.steps.clear();
        tree.history.clear();
        tree.components.clear();
        tree.views = [View::default(); MAX_SEATS];
        Self {
            tree,
            game,
            weights: Vec::new(),
            chance,
            is_playout: false,
            decisions: 0,
            was_near: false,
            is_far: false,
            near: NEAR,
            far: FAR,
            forced: 0,
            round: None,
            goes_through_rounds: false,
            keys: Vec::new(),
            is_certain: true,
            first: None,
        }
    }

    /// For a setup before the first round, whose effect shows late: values the game where other iterations end, and
    /// goes on as far as possible.
    pub(super) fn sets_up(&mut self) {
        (self.near, self.far) = (FAR, FARTHEST);
    }

    /// Whether a decision with a single answer is skipped. The number is limited, since a sampled game may reach a
    /// state without choices that never ends.
    fn is_forced(&mut self, question: &Question<'_>) -> bool {
        let is_forced = (question.options.len(), question.min) == (1, 1) && self.forced < FARTHEST;
        self.forced += usize::from(is_forced);
        is_forced
    }

    /// Whether the playout pauses here to value the game.
    fn is_cut(&mut self, table: &Table) -> bool {
        self.is_far |= self.decisions >= self.far || self.round.is_some_and(|round| table.round() > round);
        // Resumed from the near end, the run asks the same question again.
        let is_near = self.decisions == self.near && !std::mem::replace(&mut self.was_near, true);
        self.decisions += usize::from(!is_near);
        self.is_far || is_near
    }

    /// Whether the game ended within the tree, without randomness on the way.
    pub(super) fn is_certain(&self) -> bool {
        self.is_certain && self.decisions == 0
    }

    /// Chooses within the tree, and puts the positions into `chosen`.
    fn descend(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) {
        let is_forced = self.is_forced(question);
        let has_weights = !is_forced && self.game.weights(table, question, &mut self.weights);
        let Self { tree, chance, is_playout, keys, first: wanted, weights, .. } = self;
        let wanted = wanted.take();
        let weights = if has_weights { weights.as_slice() } else { &[] };
        let count = question.options.len();
        let seat = question.seat;
        let base = mix(mix(tree.path(table, seat), tree.read(table, seat)), keys::of_question(question));
        keys.clear();
        let first = tree.components.len() as u32;
        let mut rest = keys::of_text(question.prompt);
        for position in 0..count {
            let mut described = std::mem::take(&mut tree.described);
            described.describe(&question.options, position);
            keys.push(tree.looks.option(table, seat, &described));
            tree.described = described;
        }
        let is_single = (question.min, question.max) == (1, 1);
        if tree.root.is_none() {
            tree.root = Some(Root {
                key: base,
                seat,
                options: keys.clone(),
                weights: weights.to_vec(),
                is_single,
                may_be_none: question.min == 0,
            });
        }
        let mut set = 0_u64;
        let mut has_ended = false;
        if is_forced {
            // A single option needs no statistics.
            chosen.push(0);
        }
        while chosen.len() < question.max {
            let key = if is_single { base } else { mix(base, set) };
            let may_end = chosen.len() >= question.min;
            let Some(node) = tree.node(key) else {
                *is_playout = true;
                break;
            };
            let free =
                (0..count).filter(|position| !chosen.contains(position)).map(|position| (position, keys[position]));
            let enough = (may_end && !is_single).then_some((usize::MAX, END_OF_CHOICE));
            tree.lay_out(node, free.chain(enough));
            let wanted = wanted.map(|wanted| key_at(keys, wanted.get(chosen.len())));
            let planned = tree.planned.take().and_then(|key| tree.find(key));
            let picked = planned.or_else(|| tree.pick(node, weights, seat, chance, wanted));
            let Some(option) = picked else {
                *is_playout = true;
                break;
            };
            tree.steps.push(Step { node, child: option.child, seat });
            let is_new = tree.nodes[node as usize].children[option.child as usize].visits == 0;
            *is_playout |= is_new;
            if option.position == usize::MAX {
                has_ended = true;
                break;
            }
            chosen.push(option.position);
            set = set.wrapping_add(mix(option.key, 1));
            // A choice whose value was asked for is never left to chance.
            if is_new && wanted.is_none() {
                break;
            }
        }
        // The rest of a choice of several is random.
        if !has_ended && chosen.len() < question.max {
            fill_up(question, chosen, chance);
            self.is_certain = false;
        }
        self.is_certain &= !question.secret && table.together().is_none();
        for &position in chosen.iter() {
            let mut described = std::mem::take(&mut tree.described);
            described.describe(&question.options, position);
            rest = rest.wrapping_add(mix(described.rest, 1));
            tree.components.extend_from_slice(&described.components);
            tree.described = described;
        }
        let own =
            chosen.iter().fold(keys::of_question(question), |own, &position| own.wrapping_add(mix(keys[position], 2)));
        let components = (first, tree.components.len() as u32);
        let (is_secret, together) = (question.secret, table.together());
        tree.history.push(SeenChoice { seat, own, rest, components, is_secret, together });
        if tree.history.len() == 1 {
            tree.way.clear();
            tree.way.extend_from_slice(chosen);
            tree.way.sort_unstable();
        }
    }
}

/// Adds random options up to a random number within the limits.
fn fill_up(question: &Question<'_>, chosen: &mut Vec<usize>, chance: &mut Stream) {
    let least = question.min.max(chosen.len());
    let wanted = least + chance.below(question.max - least + 1);
    let mut left: Vec<usize> = (0..question.options.len()).filter(|position| !chosen.contains(position)).collect();
    while chosen.len() < wanted && !left.is_empty() {
        chosen.push(left.swap_remove(chance.below(left.len())));
    }
}

impl Answerer for Descent<'_> {
    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        // Who acts in real time is up to the clock, and random here.
        if let Some(position) = question.by_clock {
            chosen.push(position);
            self.is_certain = false;
            return Ok(());
        }
        if !self.goes_through_rounds {
            self.round.get_or_insert_with(|| table.round().max(FIRST_ROUND));
        }
        if self.is_playout {
            if self.is_forced(question) {
                chosen.push(0);
                return Ok(());
            }
            if self.is_cut(table) {
                return Err(Halt::Paused);
            }
            let (min, max) = (question.min, question.max);
            if self.game.weights(table, question, &mut self.weights) {
                choose_by_weight((min, max), &mut self.weights, self.chance, chosen);
            } else {
                choose_at_random((question.options.len(), min, max), None, self.chance, chosen);
            }
        } else {
            self.descend(table, question, chosen);
        }
        Ok(())
    }
}
