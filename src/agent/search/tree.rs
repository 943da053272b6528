//! The tree of a search: what was tried, how often it was there to be tried, and what came of it.

use crate::agent::search::keys::{self, Described, Looks, mix};
use crate::agent::search::{Estimate, Settings};
use crate::playthrough::observation::{Observation, choose_at_random, choose_by_weight};
use crate::table::Table;
use crate::table::chance::Stream;
use crate::table::decision::{Answers, Halt, Question};
use crate::table::layout::Layout;
use crate::table::value::{Component, MAX_SEATS, Seat};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Most decisions in one tree, which bounds its memory.
const MAX_NODES: usize = 200_000;

/// How the end of a choice of several is told from one more.
const ENOUGH: u64 = 0xe0;

/// Half the width of a 95 % interval, in standard errors.
const Z95: f64 = 1.96;

/// What was tried so far.
pub(super) struct Tree {
    looks: Looks,
    nodes: Vec<Node>,
    /// The number of each node, by its key. Nobody goes through it.
    index: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
    /// The first decision of all, once it was met.
    root: Option<Root>,
    /// The sums of the results of each seat, and of how many iterations.
    totals: ([f64; MAX_SEATS], u32),
    seats: usize,
    /// Where several options are chosen together at the first decision, the ways that were tried.
    ways: Vec<Way>,
    // Of the iteration that is being made:
    steps: Vec<Step>,
    history: Vec<Happened>,
    components: Vec<Component>,
    views: [View; MAX_SEATS],
    /// The way that was chosen at the first decision.
    way: Vec<usize>,
    // Of the decision that is being made:
    described: Described,
    there: Vec<There>,
}

/// A decision as a seat sees it.
#[derive(Default)]
struct Node {
    visits: u32,
    children: Vec<Child>,
}

/// An option of it.
#[derive(Clone, Default)]
struct Child {
    key: u64,
    visits: u32,
    /// How often it was there to be chosen.
    available: u32,
    figures: Figures,
}

/// What came of something for the seat that chose it: sums.
#[derive(Clone, Copy, Default)]
struct Figures {
    results: f64,
    squares: f64,
    leads: f64,
}

struct Root {
    key: u64,
    seat: Option<Seat>,
    /// The key of each option, by its position.
    options: Vec<u64>,
    is_single: bool,
}

struct Way {
    positions: Vec<usize>,
    visits: u32,
    figures: Figures,
}

/// A choice of the iteration.
#[derive(Clone, Copy)]
struct Step {
    node: u32,
    child: u32,
    seat: Option<Seat>,
}

/// A choice that others may have seen.
struct Happened {
    seat: Option<Seat>,
    /// As its seat knows it.
    own: u64,
    /// As everybody sees it, without its components.
    rest: u64,
    /// Where its components stand among those of the iteration.
    components: (u32, u32),
    is_secret: bool,
    together: Option<u32>,
}

/// How a game went as a seat saw it.
#[derive(Clone, Copy, Default)]
struct View {
    path: u64,
    /// So many choices are in it.
    seen: usize,
}

/// An option that is there to be chosen.
#[derive(Clone, Copy)]
struct There {
    child: u32,
    position: usize,
    key: u64,
}

/// Keys are mixed already.
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

    fn estimate(&self, positions: Vec<usize>, visits: u32) -> Estimate {
        let count = f64::from(visits.max(1));
        let mean = self.results / count;
        // One result alone says nothing about how they vary: as little as is possible.
        let variance = match visits {
            0 | 1 => 0.25,
            _ => ((self.squares - self.results * mean) / (count - 1.0)).max(0.0),
        };
        let margin = Z95 * (variance / count).sqrt();
        Estimate { positions, visits, result: mean, margin, lead: self.leads / count }
    }
}

impl Tree {
    pub(super) fn new(layout: &Layout) -> Self {
        Self {
            looks: Looks::new(layout),
            nodes: Vec::new(),
            index: HashMap::default(),
            root: None,
            totals: ([0.0; MAX_SEATS], 0),
            seats: layout.seats,
            ways: Vec::new(),
            steps: Vec::new(),
            history: Vec::new(),
            components: Vec::new(),
            views: [View::default(); MAX_SEATS],
            way: Vec::new(),
            described: Described::default(),
            there: Vec::new(),
        }
    }

    /// Counts what came of the iteration for each seat.
    pub(super) fn learn(&mut self, results: &[f64; MAX_SEATS], leads: &[f64; MAX_SEATS]) {
        let of = |seat: Option<Seat>| {
            let seat = seat.map_or(0, Seat::index);
            (results[seat % MAX_SEATS], leads[seat % MAX_SEATS])
        };
        self.totals.1 += 1;
        self.totals.0.iter_mut().zip(results).for_each(|(total, result)| *total += result);
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
                self.ways.push(Way { positions: self.way.clone(), visits: 0, figures: Figures::default() });
                self.ways.len() - 1
            });
            let way = &mut self.ways[place];
            way.visits += 1;
            way.figures.add(result, lead);
        }
    }

    /// What is expected of what was tried at the first decision, the most tried first.
    pub(super) fn estimates(&self) -> Vec<Estimate> {
        let Some(root) = &self.root else { return Vec::new() };
        let mut estimates: Vec<Estimate> = if root.is_single {
            let children = self.children(root.key).iter();
            children
                .filter_map(|child| {
                    let position = root.options.iter().position(|&key| key == child.key)?;
                    Some(child.figures.estimate(vec![position], child.visits))
                })
                .collect()
        } else {
            self.ways.iter().map(|way| way.figures.estimate(way.positions.clone(), way.visits)).collect()
        };
        estimates.sort_by(|one, other| {
            let by_visits = other.visits.cmp(&one.visits);
            by_visits.then(other.result.total_cmp(&one.result)).then(one.positions.cmp(&other.positions))
        });
        estimates
    }

    /// The mean result of each seat.
    pub(super) fn means(&self) -> Vec<f64> {
        let (totals, count) = &self.totals;
        totals.iter().take(self.seats).map(|total| total / f64::from((*count).max(1))).collect()
    }

    /// For each option of the first decision the first that has the same key.
    pub(super) fn alike(&self) -> Vec<usize> {
        let keys = self.root.as_ref().map_or(&[][..], |root| &root.options);
        keys.iter().map(|key| keys.iter().position(|other| other == key).unwrap_or_default()).collect()
    }

    /// The options to choose at the first decision: what was come back to most.
    pub(super) fn best(&self, count: usize, min: usize, max: usize) -> Vec<usize> {
        let Some(root) = &self.root else { return Vec::new() };
        let mut chosen: Vec<usize> = Vec::new();
        let mut set = 0_u64;
        while chosen.len() < max {
            let key = if root.is_single { root.key } else { mix(root.key, set) };
            let mut children: Vec<&Child> = self.children(key).iter().filter(|child| child.visits > 0).collect();
            // Where nothing was tried any more, what was good alone.
            if children.is_empty() && chosen.len() < min {
                children = self.children(mix(root.key, 0)).iter().collect();
            }
            let open = |child: &&&Child| {
                let position = root.options.iter().position(|&key| key == child.key);
                match position {
                    Some(_) => free(root, child.key, &chosen).is_some(),
                    None => chosen.len() >= min,
                }
            };
            let value = |child: &Child| child.figures.results / f64::from(child.visits.max(1));
            let best = children.iter().filter(open).max_by(|one, other| {
                one.visits.cmp(&other.visits).then(value(one).total_cmp(&value(other)))
            });
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
        chosen.sort_unstable();
        chosen
    }

    fn children(&self, key: u64) -> &[Child] {
        let node = self.index.get(&key).and_then(|&number| self.nodes.get(number as usize));
        node.map_or(&[], |node| &node.children)
    }

    /// The number of the node of a key, which is made if there is room.
    fn node(&mut self, key: u64) -> Option<u32> {
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

    /// How the game went as a seat saw it, up to here.
    fn path(&mut self, table: &Table, seat: Option<Seat>) -> u64 {
        let Self { looks, history, components, views, .. } = self;
        let view = &mut views[seat.map_or(0, Seat::index) % MAX_SEATS];
        let now = table.together();
        let mut path = view.path;
        let mut is_settled = true;
        for (number, happened) in history.iter().enumerate().skip(view.seen) {
            // What others choose at the same time is not seen yet.
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

    /// One of the options that are there at a node: one that was not tried, as long as few were, or else the one whose
    /// result could be the best (UCB1, with how often each was there in place of how often the node was met).
    fn pick(&mut self, node: u32, (settings, weights): (&Settings, &[usize]), chance: &mut Stream, wanted: Option<u64>) -> Option<There> {
        let Self { nodes, there, .. } = self;
        let node = nodes.get_mut(node as usize)?;
        let mut tried = 0;
        for option in there.iter() {
            let child = node.children.get_mut(option.child as usize)?;
            child.available += 1;
            tried += usize::from(child.visits > 0);
        }
        if let Some(option) = wanted.and_then(|key| there.iter().find(|option| option.key == key)) {
            return Some(*option);
        }
        let untried = there.len() - tried;
        let room = settings.widening + settings.widening * f64::from(node.visits).sqrt();
        if untried > 0 && (tried as f64) < room {
            let new = || there.iter().filter(|option| node.children[option.child as usize].visits == 0);
            // What the rules think more of comes first, by chance.
            let weight = |option: &There| weights.get(option.position).copied().unwrap_or_default();
            let total: usize = new().map(weight).sum();
            let mut drawn = chance.below(if total > 0 { total } else { untried });
            return new().copied().find(|option| {
                let weight = if total > 0 { weight(option) } else { 1 };
                let is_drawn = drawn < weight;
                drawn = drawn.saturating_sub(weight);
                is_drawn
            });
        }
        let mut best: Option<(f64, There)> = None;
        for option in there.iter() {
            let child = &node.children[option.child as usize];
            if child.visits == 0 {
                continue;
            }
            let visits = f64::from(child.visits);
            let bound = child.figures.results / visits
                + settings.exploration * (log2(child.available) / visits).sqrt();
            if best.is_none_or(|(known, _)| bound > known) {
                best = Some((bound, *option));
            }
        }
        best.map(|(_, option)| option)
    }

    /// The options of a node that are there now, by their keys; of those that are alike the first.
    fn lay_out(&mut self, node: u32, options: impl Iterator<Item = (usize, u64)>) {
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
                there.push(There { child, position, key });
            }
        }
    }
}

/// A position of an option with this key that is not chosen yet.
fn free(root: &Root, key: u64, chosen: &[usize]) -> Option<usize> {
    let positions = root.options.iter().enumerate().filter(|(_, known)| **known == key).map(|(position, _)| position);
    positions.into_iter().find(|position| !chosen.contains(position))
}

/// The logarithm to base 2, by straight lines between powers of 2: the same on every computer.
fn log2(number: u32) -> f64 {
    let number = number.max(1);
    let whole = 31 - number.leading_zeros();
    let power = f64::from(1_u32 << whole);
    f64::from(whole) + (f64::from(number) - power) / power
}

/// One iteration on its way down the tree and on to where it ends.
pub(super) struct Descent<'a> {
    tree: &'a mut Tree,
    settings: &'a Settings,
    /// The game that is searched, whose rules may say what is worth trying.
    game: &'a Observation<'a>,
    weights: Vec<usize>,
    chance: &'a mut Stream,
    /// Whether it has left the tree.
    is_playout: bool,
    /// How many decisions were made behind the tree.
    decisions: usize,
    /// Whether it has come to the near end, and to the far one.
    was_near: bool,
    is_far: bool,
    /// The decisions behind the tree after which it ends.
    far: usize,
    /// The round in which it began.
    round: Option<i64>,
    /// The keys of the options of the decision that is being made.
    keys: Vec<u64>,
    /// What is chosen at the first decision, where somebody wants to know what that is worth.
    first: Option<&'a [usize]>,
}

impl<'a> Descent<'a> {
    pub(super) fn new(
        tree: &'a mut Tree,
        settings: &'a Settings,
        game: &'a Observation<'a>,
        chance: &'a mut Stream,
    ) -> Self {
        tree.steps.clear();
        tree.history.clear();
        tree.components.clear();
        tree.views = [View::default(); MAX_SEATS];
        Self { tree, settings, game, weights: Vec::new(), chance, is_playout: false, decisions: 0, was_near: false, is_far: false,
            far: settings.far, round: None, keys: Vec::new(), first: None }
    }

    /// Ends after so many decisions behind the tree.
    pub(super) fn go_as_far_as(&mut self, far: usize) {
        self.far = far;
    }

    /// Takes these options at the first decision.
    pub(super) fn take_first(&mut self, first: Option<&'a [usize]>) {
        self.first = first;
    }

    /// Whether the game is looked at where it stands, instead of being played on.
    fn is_cut(&mut self, table: &Table) -> bool {
        self.is_far |= self.decisions >= self.far || self.round.is_some_and(|round| table.round() != round);
        // The same question comes again where it goes on from the near end.
        let is_near = self.decisions == self.settings.near && !std::mem::replace(&mut self.was_near, true);
        self.decisions += usize::from(!is_near);
        self.is_far || is_near
    }

    /// Whether it has come to its end.
    pub(super) fn is_at_far_end(&self) -> bool {
        self.is_far
    }

    /// Chooses in the tree; puts the positions into `chosen`.
    fn descend(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) {
        let has_weights = self.game.weights(table, question, &mut self.weights);
        let Self { tree, settings, chance, is_playout, keys, first: wanted, weights, .. } = self;
        let wanted = wanted.take();
        let weights = if has_weights { weights.as_slice() } else { &[] };
        let count = question.options.len();
        let seat = question.seat;
        let base = mix(tree.path(table, seat), keys::of_question(question));
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
        let is_root = tree.root.is_none();
        if is_root {
            tree.root = Some(Root { key: base, seat, options: keys.clone(), is_single });
        }
        let mut set = 0_u64;
        let mut has_ended = false;
        while chosen.len() < question.max {
            let key = if is_single { base } else { mix(base, set) };
            let may_end = chosen.len() >= question.min;
            let Some(node) = tree.node(key) else {
                *is_playout = true;
                break;
            };
            let free = (0..count).filter(|position| !chosen.contains(position)).map(|position| (position, keys[position]));
            let enough = (may_end && !is_single).then_some((usize::MAX, ENOUGH));
            tree.lay_out(node, free.chain(enough));
            let wanted = wanted.map(|wanted| wanted.get(chosen.len()).map_or(ENOUGH, |&position| keys.get(position).copied().unwrap_or(ENOUGH)));
            let Some(option) = tree.pick(node, (settings, weights), chance, wanted) else {
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
            // Of a choice that somebody wants to know about nothing is left to chance.
            if is_new && wanted.is_none() {
                break;
            }
        }
        // What is left of a choice of several is chosen by chance.
        if !has_ended && chosen.len() < question.max {
            fill_up(question, chosen, chance);
        }
        for &position in chosen.iter() {
            let mut described = std::mem::take(&mut tree.described);
            described.describe(&question.options, position);
            rest = rest.wrapping_add(mix(described.rest, 1));
            tree.components.extend_from_slice(&described.components);
            tree.described = described;
        }
        let own = chosen.iter().fold(keys::of_question(question), |own, &position| own.wrapping_add(mix(keys[position], 2)));
        let components = (first, tree.components.len() as u32);
        let (is_secret, together) = (question.secret, table.together());
        tree.history.push(Happened { seat, own, rest, components, is_secret, together });
        if tree.history.len() == 1 {
            tree.way.clear();
            tree.way.extend_from_slice(chosen);
            tree.way.sort_unstable();
        }
    }
}

/// Adds options by chance, as many as a choice at random would have.
fn fill_up(question: &Question<'_>, chosen: &mut Vec<usize>, chance: &mut Stream) {
    let least = question.min.max(chosen.len());
    let wanted = least + chance.below(question.max - least + 1);
    let mut left: Vec<usize> = (0..question.options.len()).filter(|position| !chosen.contains(position)).collect();
    while chosen.len() < wanted && !left.is_empty() {
        chosen.push(left.swap_remove(chance.below(left.len())));
    }
}

impl Answers for Descent<'_> {
    fn begin(&mut self, _table: &mut Table) {}

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        // Who acts in real time is chance: the clock's.
        if let Some(position) = question.by_clock {
            chosen.push(position);
            return Ok(());
        }
        self.round.get_or_insert_with(|| table.round());
        if self.is_playout {
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

    fn intervene(&mut self, _table: &mut Table) {}
}
