//! The tree of a search: the options tried, how often each was available, and their results.

use crate::agent::search::keys::{AppearanceTable, OptionParts, mix};
use crate::agent::search::proof::{self, Proof};
use crate::agent::search::{EXPLORATION, Estimate, TRUST, WIDENING};
use crate::sorted::sort_by;
use crate::table::Table;
use crate::table::chance::Stream;
use crate::table::layout::Layout;
use crate::table::value::{Component, MAX_SEATS, Seat, Seats};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The most nodes in one tree, which limits its memory.
const MAX_NODES: usize = 200_000;

/// The key of the option that ends a choice of several options.
pub(super) const END_OF_CHOICE: u64 = 0xe0;

/// The smallest standard deviation assumed for results: if all were equal so far, others may follow.
const MIN_STANDARD_DEVIATION: f64 = 0.01;

/// The largest factor by which the rules' policy prefers one option to another, so that no option waits forever.
const MAX_POLICY_FACTOR: f64 = 16.0;

/// In the variance of an option, the results of all options count as this many results of its own.
const PRIOR_RESULTS: f64 = 4.0;

/// The largest possible variance of results in 0..=1, counted like one result of its own: unseen results may differ.
const MAX_VARIANCE: f64 = 0.25;

/// Half the width of a 95 % interval, in standard errors.
const Z95: f64 = 1.96;

/// A search tree with the state of the current iteration.
pub(super) struct Tree {
    pub(super) looks: AppearanceTable,
    pub(super) nodes: Vec<Node>,
    /// The index of each node by its key. The map is never iterated, so its order does not matter.
    index: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
    /// The first decision, once it was met.
    pub(super) root: Option<Root>,
    /// The sums of results and of squared results of each seat, and the number of iterations.
    totals: ([f64; MAX_SEATS], [f64; MAX_SEATS], u32),
    seats: usize,
    /// The combinations tried at the first decision, where several options are chosen together.
    ways: Vec<SearchedOption>,
    // State of the current iteration:
    pub(super) steps: Vec<Step>,
    pub(super) history: Vec<SeenChoice>,
    pub(super) components: Vec<Component>,
    pub(super) views: [View; MAX_SEATS],
    /// The positions chosen at the first decision.
    pub(super) way: Vec<usize>,
    /// The key of the first option to choose there, if it was planned.
    pub(super) planned: Option<u64>,
    // State of the current decision:
    pub(super) described: OptionParts,
    there: Vec<OfferedOption>,
}

/// A decision as its seat sees it.
#[derive(Default)]
pub(super) struct Node {
    visits: u32,
    pub(super) children: Vec<Child>,
    /// The number of options available at the last visit.
    pub(super) there: usize,
}

/// An option of a node, with its statistics.
#[derive(Clone, Default)]
pub(super) struct Child {
    key: u64,
    pub(super) visits: u32,
    /// The number of iterations in which it was available.
    available: u32,
    figures: Figures,
    /// The proven outcome for the seat that chooses it.
    pub(super) proof: Option<Proof>,
}

/// Sums of results, their squares and leads, for the seat that chose.
#[derive(Clone, Copy, Default)]
struct Figures {
    results: f64,
    squares: f64,
    leads: f64,
}

pub(super) struct Root {
    pub(super) key: u64,
    pub(super) seat: Option<Seat>,
    /// The key of each option, by position.
    pub(super) options: Vec<u64>,
    /// The rules' policy weight of each option; empty without a policy.
    pub(super) weights: Vec<usize>,
    /// Whether exactly one option is chosen, and whether none may be.
    pub(super) is_single: bool,
    pub(super) may_be_none: bool,
}

struct SearchedOption {
    positions: Vec<usize>,
    visits: u32,
    figures: Figures,
}

/// A choice made in the iteration.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) node: u32,
    pub(super) child: u32,
    pub(super) seat: Option<Seat>,
}

/// A choice that other seats may have seen.
pub(super) struct SeenChoice {
    pub(super) seat: Option<Seat>,
    /// The key as the choosing seat knows it.
    pub(super) own: u64,
    /// The key as everybody sees it, without components.
    pub(super) rest: u64,
    /// The range of its components among those of the iteration.
    pub(super) components: (u32, u32),
    pub(super) is_secret: bool,
    pub(super) together: Option<u32>,
}

/// A seat's view of how the game went.
#[derive(Clone, Copy, Default)]
pub(super) struct View {
    path: u64,
    /// The number of choices included.
    seen: usize,
}

/// An option available at the current decision.
#[derive(Clone, Copy)]
pub(super) struct OfferedOption {
    pub(super) child: u32,
    pub(super) position: usize,
    pub(super) key: u64,
}

/// Passes keys through, as they are well mixed already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |key, &byte| mix(key, byte.into()));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

impl Figures {
    fn add(&mut self, result: f64, lead: f64) {
        self.results += result;
        self.squares += result * result;
        self.leads += lead;
    }

    /// The estimate from these sums; `spread` is the standard deviation of all results of the seat.
    fn estimate(&self, positions: Vec<usize>, visits: u32, spread: f64) -> Estimate {
        let count = f64::from(visits.max(1));
        let mean = self.results / count;
        // A few results that happen to be equal do not prove that results never vary.
        let deviations = (self.squares - self.results * mean).max(0.0);
        let variance = (deviations + PRIOR_RESULTS * spread * spread + MAX_VARIANCE) / (count + PRIOR_RESULTS);
        let margin = Z95 * (variance / count).sqrt();
        // Sums of equal results differ by rounding.
        Estimate { positions, visits, result: mean, margin, lead: self.leads / count, varies: deviations > 1e-9 }
    }
}

impl Child {
    /// The estimate of the option; the proven outcome where there is one.
    fn estimate(&self, position: usize, spread: f64) -> Estimate {
        let estimate = self.figures.estimate(vec![position], self.visits, spread);
        match self.proof {
            Some(proof) => Estimate { result: proof.share(), margin: 0.0, ..estimate },
            None => estimate,
        }
    }

    pub(super) fn mean(&self) -> f64 {
        self.figures.results / f64::from(self.visits.max(1))
    }

    /// Whether the mean is significantly above `result`, given the largest possible variance of results.
    pub(super) fn is_shown_above(&self, result: f64) -> bool {
        self.mean() - Z95 * (0.25 / f64::from(self.visits.max(1))).sqrt() > result
    }
}

impl Node {
    /// An untried option while few were tried, else the one with the highest upper bound (UCB1, with the count of
    /// iterations in which an option was available in place of the node's visits).
    fn by_bound(&self, there: &[OfferedOption], spread: f64, chance: &mut Stream) -> Option<OfferedOption> {
        let is_new = |option: &&OfferedOption| self.children[option.child as usize].visits == 0;
        let untried = there.iter().filter(is_new).count();
        let room = WIDENING + WIDENING * f64::from(self.visits).sqrt();
        if untried > 0 && ((there.len() - untried) as f64) < room {
            return there.iter().filter(is_new).nth(chance.below(untried)).copied();
        }
        let tried = there.iter().filter(|option| !is_new(option));
        self.first_of_best(tried, |child, _| {
            let visits = f64::from(child.visits);
            child.mean() + EXPLORATION * spread * (log2(child.available) / visits).sqrt()
        })
    }

    /// The option with the highest upper bound weighted by the rules' policy (predictor and UCB: Rosin 2011,
    /// *Multi-armed bandits with episode context*, as in Silver and others 2017, *Mastering the game of Go without
    /// human knowledge*). An untried option has the mean of the node.
    fn by_weight(&self, there: &[OfferedOption], weights: &[usize], trust: f64) -> Option<OfferedOption> {
        // Options of weight 0, and those unknown to the policy such as ending the choice, get a minimum weight.
        let least = weights.iter().max().map_or(0.0, |&most| most as f64 / MAX_POLICY_FACTOR);
        let weight =
            |option: &OfferedOption| (weights.get(option.position).copied().unwrap_or_default() as f64).max(least);
        let total: f64 = there.iter().map(weight).sum();
        let results: f64 = self.children.iter().map(|child| child.figures.results).sum();
        let mean = results / f64::from(self.visits.max(1));
        self.first_of_best(there.iter(), |child, option| {
            let known = if child.visits == 0 { mean } else { child.mean() };
            let visits = 1.0 + f64::from(child.visits);
            known + trust * weight(option) / total * f64::from(child.available).sqrt() / visits
        })
    }

    /// The option with the highest bound. A proven option needs no bound: it counts with its outcome.
    fn first_of_best<'a>(
        &self,
        options: impl Iterator<Item = &'a OfferedOption>,
        bound: impl Fn(&Child, &OfferedOption) -> f64,
    ) -> Option<OfferedOption> {
        let mut best: Option<(f64, OfferedOption)> = None;
        for option in options {
            let child = &self.children[option.child as usize];
            let bound = child.proof.map_or_else(|| bound(child, option), Proof::share);
            if best.is_none_or(|(known, _)| bound > known) {
                best = Some((bound, *option));
            }
        }
        best.map(|(_, option)| option)
    }
}

impl Root {
    /// The key of the root's node before any option is chosen.
    fn key_of_nothing(&self) -> u64 {
        if self.is_single { self.key } else { mix(self.key, 0) }
    }
}

impl Tree {
    pub(super) fn new(layout: &Layout) -> Self {
        Self {
            looks: AppearanceTable::new(layout),
            nodes: Vec::new(),
            index: HashMap::default(),
            root: None,
            totals: ([0.0; MAX_SEATS], [0.0; MAX_SEATS], 0),
            seats: layout.seats,
            ways: Vec::new(),
            steps: Vec::new(),
            history: Vec::new(),
            components: Vec::new(),
            views: [View::default(); MAX_SEATS],
            way: Vec::new(),
            planned: None,
            described: OptionParts::default(),
            there: Vec::new(),
        }
    }

    /// Adds the results of the iteration for each seat.
    pub(super) fn learn(&mut self, results: &[f64; MAX_SEATS], leads: &[f64; MAX_SEATS]) {
        let of = |seat: Option<Seat>| {
            let seat = seat.map_or(0, Seat::index);
            (results[seat % MAX_SEATS], leads[seat % MAX_SEATS])
        };
        self.totals.2 += 1;
        self.totals.0.iter_mut().zip(results).for_each(|(total, result)| *total += result);
        self.totals.1.iter_mut().zip(results).for_each(|(total, result)| *total += result * result);
        for step in &self.steps {
            let (result, lead) = of(step.seat);
            let Some(node) = self.nodes.get_mut(step.node as usize) else { continue };
            node.visits += 1;
            if let Some(child) = node.children.get_mut(step.child as usize) {
                child.visits += 1;
                child.figures.add(result, lead);
            }
        }
        if let Some(root) = self.root.as_ref().filter(|root| !root.is_single) {
            let (result, lead) = of(root.seat);
            let known = self.ways.iter().position(|way| way.positions == self.way);
            let place = known.unwrap_or_else(|| {
                self.ways.push(SearchedOption { positions: self.way.clone(), visits: 0, figures: Figures::default() });
                self.ways.len() - 1
            });
            let way = &mut self.ways[place];
            way.visits += 1;
            way.figures.add(result, lead);
        }
    }

    /// Estimates of everything tried at the first decision, the most visited first.
    pub(super) fn estimates(&self) -> Vec<Estimate> {
        let Some(root) = &self.root else { return Vec::new() };
        let spread = self.spread(root.seat);
        let mut estimates: Vec<Estimate> = if root.is_single {
            let children = self.children(root.key).iter();
            children
                .filter_map(|child| {
                    let position = root.options.iter().position(|&key| key == child.key)?;
                    Some(child.estimate(position, spread))
                })
                .collect()
        } else {
            self.ways.iter().map(|way| way.figures.estimate(way.positions.clone(), way.visits, spread)).collect()
        };
        sort_by(&mut estimates, |one, other| {
            let by_visits = other.visits.cmp(&one.visits);
            by_visits.then(other.result.total_cmp(&one.result)).then(one.positions.cmp(&other.positions))
        });
        estimates
    }

    /// The mean result of each seat; the proven outcome where there is one.
    pub(super) fn means(&self) -> Vec<f64> {
        if let (Some(root), Some(proof)) = (&self.root, self.first().and_then(Node::proof)) {
            let share = |seat| if Some(seat) == root.seat { proof.share() } else { 1.0 - proof.share() };
            return Seats::all(self.seats).into_iter().map(share).collect();
        }
        let (totals, _, count) = &self.totals;
        totals.iter().take(self.seats).map(|total| total / f64::from((*count).max(1))).collect()
    }

    /// For each option of the first decision, the first with the same key.
    pub(super) fn alike(&self) -> Vec<usize> {
        let keys = self.root.as_ref().map_or(&[][..], |root| &root.options);
        keys.iter().map(|key| keys.iter().position(|other| other == key).unwrap_or_default()).collect()
    }

    /// The options to choose at the first decision: the most visited.
    pub(super) fn best(&self, count: usize, min: usize, max: usize) -> Vec<usize> {
        let Some(root) = &self.root else { return Vec::new() };
        let mut chosen: Vec<usize> = Vec::new();
        let mut set = 0_u64;
        while chosen.len() < max {
            let key = if root.is_single { root.key } else { mix(root.key, set) };
            let mut children: Vec<&Child> = self.children(key).iter().filter(|child| child.visits > 0).collect();
            // Where no combination was tried further, single options decide.
            if children.is_empty() && chosen.len() < min {
                children = self.children(mix(root.key, 0)).iter().collect();
            }
            let is_open = |child: &&Child| {
                let position = root.options.iter().position(|&key| key == child.key);
                match position {
                    Some(_) => free(root, child.key, &chosen).is_some(),
                    None => chosen.len() >= min,
                }
            };
            let open: Vec<&Child> = children.into_iter().filter(is_open).collect();
            let best = proof::best(&open);
            match best.and_then(|child| Some((child.key, free(root, child.key, &chosen)?))) {
                Some((key, position)) => {
                    chosen.push(position);
                    set = set.wrapping_add(mix(key, 1));
                }
                None if chosen.len() >= min => break,
                None => {
                    let left = (0..count).find(|position| !chosen.contains(position));
                    let Some(position) = left else { break };
                    chosen.push(position);
                }
            }
        }
        sort_by(&mut chosen, Ord::cmp);
        chosen
    }

    fn children(&self, key: u64) -> &[Child] {
        self.met(key).map_or(&[], |node| &node.children)
    }

    fn met(&self, key: u64) -> Option<&Node> {
        self.index.get(&key).and_then(|&number| self.nodes.get(number as usize))
    }

    /// The node of the first decision, with nothing chosen yet.
    pub(super) fn first(&self) -> Option<&Node> {
        self.met(self.root.as_ref()?.key_of_nothing())
    }

    /// The index of the node with `key`, created if there is room.
    pub(super) fn node(&mut self, key: u64) -> Option<u32> {
        if let Some(&number) = self.index.get(&key) {
            return Some(number);
        }
        if self.nodes.len() >= MAX_NODES {
            return None;
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(Node::default());
        self.index.insert(key, number);
        Some(number)
    }

    /// The key of how the game went so far, as `seat` saw it.
    pub(super) fn path(&mut self, table: &Table, seat: Option<Seat>) -> u64 {
        let Self { looks, history, components, views, .. } = self;
        let view = &mut views[seat.map_or(0, Seat::index) % MAX_SEATS];
        let now = table.together();
        let mut path = view.path;
        let mut is_settled = true;
        for (number, happened) in history.iter().enumerate().skip(view.seen) {
            // Simultaneous choices of others are not visible yet.
            is_settled &= now.is_none() || happened.together != now;
            if happened.seat == seat {
                path = mix(path, happened.own);
            } else if is_settled && !happened.is_secret {
                let (from, to) = happened.components;
                let chosen = components.get(from as usize..to as usize).unwrap_or_default();
                let rest = mix(happened.rest, happened.seat.map_or(0, |seat| 1 + seat.index() as u64));
                path = chosen
                    .iter()
                    .fold(mix(path, rest), |path, &component| mix(path, looks.seen(table, seat, component)));
            }
            if is_settled {
                (view.path, view.seen) = (path, number + 1);
            }
        }
        path
    }

    /// The key of the variables that `seat` can read now.
    pub(super) fn read(&mut self, table: &Table, seat: Option<Seat>) -> u64 {
        self.looks.read(table, seat, &mut self.described)
    }

    /// Picks an available option of a node, by the statistics and by the policy weights, if there are any.
    pub(super) fn pick(
        &mut self,
        node: u32,
        weights: &[usize],
        seat: Option<Seat>,
        chance: &mut Stream,
        wanted: Option<u64>,
    ) -> Option<OfferedOption> {
        let spread = self.spread(seat);
        let Self { nodes, there, .. } = self;
        let node = nodes.get_mut(node as usize)?;
        for option in there.iter() {
            node.children.get_mut(option.child as usize)?.available += 1;
        }
        if let Some(option) = wanted.and_then(|key| there.iter().find(|option| option.key == key)) {
            return Some(*option);
        }
        let proof = |option: &OfferedOption| node.children.get(option.child as usize).and_then(|child| child.proof);
        if let Some(option) = there.iter().find(|option| proof(option) == Some(Proof::Won)) {
            return Some(*option);
        }
        match weights {
            [] => node.by_bound(there, spread, chance),
            weights => node.by_weight(there, weights, TRUST * spread.max(MIN_STANDARD_DEVIATION)),
        }
    }

    /// Sets the available options of a node, by their keys; of options with the same key, the first counts.
    pub(super) fn lay_out(&mut self, node: u32, options: impl Iterator<Item = (usize, u64)>) {
        let Self { nodes, there, .. } = self;
        there.clear();
        let Some(node) = nodes.get_mut(node as usize) else { return };
        for (position, key) in options {
            let guess = there.len();
            let known = match node.children.get(guess) {
                Some(child) if child.key == key => Some(guess),
                _ => node.children.iter().position(|child| child.key == key),
            };
            let child = known.unwrap_or_else(|| {
                node.children.push(Child { key, ..Child::default() });
                node.children.len() - 1
            }) as u32;
            if known.is_none() || !there.iter().any(|option| option.child == child) {
                there.push(OfferedOption { child, position, key });
            }
        }
        node.there = there.len();
    }

    /// The standard deviation of a seat's results over all iterations so far.
    fn spread(&self, seat: Option<Seat>) -> f64 {
        let (totals, squares, count) = &self.totals;
        let seat = seat.map_or(0, Seat::index) % MAX_SEATS;
        let count = f64::from((*count).max(1));
        let mean = totals[seat] / count;
        (squares[seat] / count - mean * mean).max(0.0).sqrt()
    }

    /// Decides with which option the next iteration begins, so that all options can be tried in the same world. Returns
    /// how often that option was tried before; 0 before the first decision was met.
    pub(super) fn plan(&mut self, chance: &mut Stream, wanted: Option<&[usize]>) -> u32 {
        self.planned = None;
        let Some(root) = self.root.take() else { return 0 };
        let node = self.node(root.key_of_nothing());
        let mut tried = 0;
        if let Some(node) = node {
            let options = root.options.iter().copied().enumerate();
            let enough = (root.may_be_none && !root.is_single).then_some((usize::MAX, END_OF_CHOICE));
            self.lay_out(node, options.chain(enough));
            self.leave_out_proven(node);
            let wanted = wanted.map(|wanted| key_at(&root.options, wanted.first()));
            if let Some(option) = self.pick(node, &root.weights, root.seat, chance, wanted) {
                self.planned = Some(option.key);
                tried = self.nodes[node as usize].children[option.child as usize].visits;
            }
        }
        self.root = Some(root);
        tried
    }

    /// Removes proven options from the available ones, as long as others are left.
    fn leave_out_proven(&mut self, node: u32) {
        let Self { nodes, there, .. } = self;
        let Some(node) = nodes.get(node as usize) else { return };
        let is_proven = |option: &OfferedOption| {
            node.children.get(option.child as usize).is_some_and(|child| child.proof.is_some())
        };
        if !there.iter().all(is_proven) {
            there.retain(|option| !is_proven(option));
        }
    }

    /// The available option with this key.
    pub(super) fn find(&self, key: u64) -> Option<OfferedOption> {
        self.there.iter().find(|option| option.key == key).copied()
    }
}

/// The key of the option at a position; without one, the choice ends.
pub(super) fn key_at(keys: &[u64], position: Option<&usize>) -> u64 {
    position.and_then(|&position| keys.get(position)).copied().unwrap_or(END_OF_CHOICE)
}

/// The position of an unchosen option with this key.
fn free(root: &Root, key: u64, chosen: &[usize]) -> Option<usize> {
    let positions = root.options.iter().enumerate().filter(|(_, known)| **known == key).map(|(position, _)| position);
    positions.into_iter().find(|position| !chosen.contains(position))
}

/// The logarithm to base 2, linear between powers of 2; the same on every computer.
fn log2(number: u32) -> f64 {
    let number = number.max(1);
    let whole = 31 - number.leading_zeros();
    let power = f64::from(1_u32 << whole);
    f64::from(whole) + (f64::from(number) - power) / power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_results_that_are_alike_are_not_certain() {
        let mut few = Figures::default();
        (0..3).for_each(|_| few.add(0.3, 0.0));
        let margin = few.estimate(vec![0], 3, 0.2).margin;
        assert!((0.2..0.35).contains(&margin), "{margin}");
        let mut one = Figures::default();
        one.add(0.3, 0.0);
        // A single result does not prove it either, even if all other results were equal.
        assert!((0.4..0.6).contains(&one.estimate(vec![0], 1, 0.0).margin));
        assert!(!one.estimate(vec![0], 1, 0.0).varies);
        // Of many results, their own spread decides almost alone.
        let mut many = Figures::default();
        (0..10_000).for_each(|number| many.add(f64::from(number % 2), 0.0));
        let margin = many.estimate(vec![0], 10_000, 0.1).margin;
        assert!((margin - Z95 * 0.5 / 100.0).abs() < 1e-4, "{margin}");
        assert!(many.estimate(vec![0], 10_000, 0.1).varies);
    }
}
