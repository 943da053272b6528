//! Which cases are tried: at random, and from those that reached something new.

use super::Plan;
use super::case::{Case, Choice, Lineup, Tail};
use super::extent::numbers;
use crate::agent::AgentSpec;
use crate::definition::{Layer, Library, Setting};
use crate::diagnostic::Diagnostics;
use crate::ruleset::{Ruleset, Selection};
use crate::table::chance::Stream;
use std::collections::{BTreeMap, BTreeSet};

/// Most variants that are added at random to those that were asked for.
const MOST_ADDED: usize = 4;

/// Most games that a game of a campaign comes after.
const MOST_BEFORE: usize = 3;

/// Cases that reached something new, of which others are made.
const MOST_KEPT: usize = 512;

/// Of a case, so many choices are kept to make others of.
const MOST_CHOICES: usize = 4_096;

/// What a hunt may choose from.
pub struct Pool {
    pub game: Layer,
    /// Every variant that can be read, with the name that it is selected by.
    pub variants: Vec<(String, Layer)>,
    /// The variants that were asked for, by those names.
    pub given: Vec<String>,
    /// What was set, as typed.
    pub set: Vec<String>,
    /// The numbers in the rules of the game, under no name, and of each variant: what scripts compare with is near them.
    numbers: BTreeMap<String, BTreeSet<i64>>,
    /// Whether other variants are added.
    pub adds: bool,
    /// The agents that endings are drawn from.
    pub agents: Vec<AgentSpec>,
}

/// How a case is to be tried.
#[derive(Clone, Debug)]
pub struct Task {
    /// The case; the number of players is found when its rules are known.
    pub case: Case,
    /// A number that decides how many play.
    pub players: usize,
    /// Whether it is as it was asked for, with at most one other variant: what seats and options bring is compared there.
    pub is_plain: bool,
    /// Whether leaks are looked for.
    pub leaks: bool,
}

/// Cases that reached something new.
#[derive(Default)]
pub struct Corpus(Vec<Case>);

impl Corpus {
    /// Keeps a case with the choices that were made in it.
    pub fn keep(&mut self, mut case: Case, mut choices: Vec<Choice>, number: u64) {
        choices.truncate(MOST_CHOICES);
        case.choices = choices;
        if self.0.len() < MOST_KEPT {
            self.0.push(case);
        } else if let Some(place) = self.0.get_mut(number as usize % MOST_KEPT) {
            *place = case;
        }
    }

    /// One of them: the newest half of the time.
    fn pick(&self, stream: &mut Stream) -> Option<&Case> {
        let newest = 1 + self.0.len() / 8;
        let from = if stream.below(2) == 0 { self.0.len().saturating_sub(newest) } else { 0 };
        self.0.get(from + stream.below(self.0.len() - from))
    }
}

impl Pool {
    /// What there is to choose from.
    ///
    /// # Errors
    /// The game or a variant that was asked for cannot be read.
    pub fn new(library: &Library, plan: &Plan) -> Result<Self, Diagnostics> {
        let (given, set) = (&plan.variants, &plan.set);
        // The choices of a setting can stand in the data of all layers.
        let declared = |variants: &[String]| {
            let selection = Selection { variants: variants.to_vec(), ..Selection::of(&plan.game) };
            Ruleset::load(library, &selection).ok()
        };
        let is_open = |layer: &Layer| layer.settings.values().any(|setting| setting.choices_path.is_some());
        let mut game = library.game(&plan.game)?;
        if let Some(ruleset) = Some(&game).filter(|game| is_open(game)).and_then(|_| declared(&[])) {
            game = ruleset.game;
        }
        let mut variants = Vec::new();
        for name in given {
            variants.push((name.clone(), library.variant(&game.id, name)?));
        }
        for layer in library.variants(&game.id).into_iter().filter_map(|entry| entry.layer.ok()) {
            if !variants.iter().any(|(_, known)| known.id == layer.id) {
                variants.push((layer.id.clone(), layer));
            }
        }
        for (name, layer) in variants.iter_mut().filter(|(_, layer)| is_open(layer)) {
            let found = declared(std::slice::from_ref(name)).into_iter().flat_map(|ruleset| ruleset.variants);
            if let Some(found) = found.into_iter().find(|found| found.id == layer.id) {
                *layer = found;
            }
        }
        let numbers_of = |layer: &Layer| layer.script.as_ref().map(|script| numbers(&script.text)).unwrap_or_default();
        let of_variants = variants.iter().map(|(name, layer)| (name.clone(), numbers_of(layer)));
        let numbers = of_variants.chain([(String::new(), numbers_of(&game))]).collect();
        Ok(Self {
            game,
            variants,
            numbers,
            given: given.clone(),
            set: set.clone(),
            adds: plan.adds,
            agents: plan.players_drawn().to_vec(),
        })
    }

    /// The numbers of the game and some variants, in an order.
    fn notable_numbers(&self, variants: &[String]) -> Vec<i64> {
        let of_layers = std::iter::once("").chain(variants.iter().map(String::as_str));
        let all: BTreeSet<i64> = of_layers.filter_map(|name| self.numbers.get(name)).flatten().copied().collect();
        all.into_iter().collect()
    }

    fn layer(&self, name: &str) -> Option<&Layer> {
        self.variants.iter().find(|(known, _)| known == name).map(|(_, layer)| layer)
    }

    /// Those that could be added to some variants.
    fn addable(&self, variants: &[String]) -> Vec<&str> {
        let excludes = |one: &Layer, other: &Layer| one.conflicts.contains_key(&other.id);
        let fits = |(name, layer): &&(String, Layer)| {
            let mut others = variants.iter().filter_map(|other| self.layer(other));
            !variants.contains(name) && others.all(|other| !excludes(layer, other) && !excludes(other, layer))
        };
        self.variants.iter().filter(fits).map(|(name, _)| name.as_str()).collect()
    }

    fn add_variant(&self, variants: &mut Vec<String>, stream: &mut Stream) {
        let addable = self.addable(variants);
        if let Some(name) = addable.get(stream.below(addable.len())) {
            let place = stream.below(variants.len() + 1);
            variants.insert(place, (*name).to_owned());
        }
    }

    /// Every setting of the game and some variants, as `LAYER.KEY`, that was not set by whoever asked.
    fn settings(&self, variants: &[String]) -> Vec<(String, &Setting)> {
        let layers = std::iter::once(&self.game).chain(variants.iter().filter_map(|name| self.layer(name)));
        let all = layers
            .flat_map(|layer| layer.settings.iter().map(|(key, setting)| (format!("{}.{key}", layer.id), setting)));
        let is_set =
            |name: &str| self.set.iter().any(|set| set.split('=').next().is_some_and(|set| set.trim() == name));
        all.filter(|(name, _)| !is_set(name)).collect()
    }

    /// Sets something within its declared range, or takes back what was set.
    fn change_setting(&self, case: &mut Case, stream: &mut Stream) {
        let settings = self.settings(&case.variants);
        let Some((name, setting)) = settings.get(stream.below(settings.len())) else { return };
        let own = format!("{name}=");
        case.set.retain(|set| !set.starts_with(&own));
        if stream.below(4) > 0
            && let Some(value) = value_of(setting, &self.notable_numbers(&case.variants), stream)
        {
            case.set.push(format!("{own}{value}"));
        }
    }

    /// What is set of layers that are not part of the case any more goes with them.
    fn tidy(&self, case: &mut Case) {
        let known = self.settings(&case.variants);
        let is_known = |set: &String| {
            self.set.contains(set) || known.iter().any(|(name, _)| set.split('=').next() == Some(name.as_str()))
        };
        case.set.retain(is_known);
    }

    /// The case of a number.
    pub fn task(&self, seed: u64, number: u64, corpus: &Corpus) -> Task {
        let mut stream = Stream::named(seed ^ (number << 20), "hunt", number as u32);
        let players = stream.below(1 << 16);
        let mut case = Case {
            variants: self.given.clone(),
            set: self.set.clone(),
            players: 0,
            before: 0,
            seed: 1 + stream.below(1 << 20) as u64,
            choices: Vec::new(),
            tail: Tail::Random(1 + stream.below(1 << 20) as u64),
        };
        // Leaks are looked for with the variants as they were asked for, and with others. It takes as long as many games.
        let leaks = number % 16 < 2;
        if number.is_multiple_of(4) {
            let addable = if self.adds { self.addable(&case.variants) } else { Vec::new() };
            // One after the other, the rules as they were asked for as often as all others together.
            let turn = (number / 8) as usize % addable.len().max(1);
            if number % 8 == 4
                && let Some(name) = addable.get(turn)
            {
                case.variants.push((*name).to_owned());
            }
            return Task { case, players: (number / 4) as usize, is_plain: true, leaks };
        }
        let mutated = if number % 4 == 1 { None } else { corpus.pick(&mut stream) };
        match mutated {
            Some(known) => {
                case = known.clone();
                for _ in 0..=stream.below(3) {
                    self.mutate(&mut case, corpus, &mut stream);
                }
                self.tidy(&mut case);
                // The number of players is changed now and then.
                let players = if stream.below(6) == 0 { players } else { KEEP };
                Task { case, players, is_plain: false, leaks: false }
            }
            None => {
                // What games before it did matters where the rules keep something.
                case.before = Stream::named(seed, "campaign", number as u32).below(MOST_BEFORE + 1);
                if self.adds {
                    for _ in 0..stream.below(MOST_ADDED + 1) {
                        self.add_variant(&mut case.variants, &mut stream);
                    }
                }
                if stream.below(2) == 0 {
                    for _ in 0..=stream.below(3) {
                        self.change_setting(&mut case, &mut stream);
                    }
                }
                case.tail = match stream.below(8) {
                    0 => Tail::First,
                    1 => Tail::Last,
                    _ => self.ending(&mut stream),
                };
                Task { case, players, is_plain: false, leaks }
            }
        }
    }

    /// Agents that play a game to its end.
    fn ending(&self, stream: &mut Stream) -> Tail {
        let [one, others] = [(); 2].map(|()| self.agents.get(stream.below(self.agents.len())).copied());
        let seed = 1 + stream.below(1 << 20) as u64;
        match (one, others) {
            (Some(one), Some(others)) if !(one.is_random() && others.is_random()) => {
                Tail::Agents(Lineup { one, others }, seed)
            }
            _ => Tail::Random(seed),
        }
    }

    fn mutate(&self, case: &mut Case, corpus: &Corpus, stream: &mut Stream) {
        match stream.below(10) {
            // Another ending.
            0..=2 => {
                case.choices.truncate(stream.below(case.choices.len() + 1));
                case.tail = self.ending(stream);
            }
            // One choice is another.
            3 | 4 => {
                let place = stream.below(case.choices.len());
                let notable = if stream.below(2) == 0 { self.notable_numbers(&case.variants) } else { Vec::new() };
                if let Some(choice) = case.choices.get_mut(place) {
                    // Of numbers, the position is the number itself, or near it.
                    let position = |stream: &mut Stream| {
                        let number = notable.get(stream.below(notable.len())).map(|it| it.saturating_add(near(stream)));
                        number.and_then(|number| u16::try_from(number).ok()).unwrap_or_else(|| stream.below(64) as u16)
                    };
                    let positions = 1 + stream.below(3);
                    *choice = (0..positions).map(|_| position(stream)).collect();
                }
                case.tail = self.ending(stream);
            }
            // Some choices less.
            5 => {
                let from = stream.below(case.choices.len() + 1);
                let to = (from + 1 + stream.below(8)).min(case.choices.len());
                case.choices.drain(from.min(to)..to);
            }
            // The beginning of one, the end of another.
            6 => {
                if let Some(other) = corpus.pick(stream) {
                    case.choices.truncate(stream.below(case.choices.len() + 1));
                    let from = stream.below(other.choices.len() + 1);
                    case.choices.extend(other.choices[from..].iter().cloned());
                    case.choices.truncate(MOST_CHOICES);
                }
            }
            // Other chance.
            7 => case.seed = 1 + stream.below(1 << 20) as u64,
            8 if self.adds => {
                let others: Vec<usize> =
                    (0..case.variants.len()).filter(|&place| !self.given.contains(&case.variants[place])).collect();
                match others.get(stream.below(others.len())) {
                    Some(&place) if stream.below(2) == 0 => drop(case.variants.remove(place)),
                    _ if case.variants.len() < self.given.len() + MOST_ADDED => {
                        self.add_variant(&mut case.variants, stream);
                    }
                    _ => {}
                }
            }
            _ => self.change_setting(case, stream),
        }
    }
}

/// The number of players stays as it is.
pub const KEEP: usize = usize::MAX;

/// A number that scripts compare with is tried most often, and what lies beside it.
const NEAR: [i64; 4] = [0, 0, -1, 1];

fn near(stream: &mut Stream) -> i64 {
    NEAR[stream.below(NEAR.len())]
}

/// A value that a setting may have, as it is typed; nothing where nothing says how far it may go.
fn value_of(setting: &Setting, notable: &[i64], stream: &mut Stream) -> Option<String> {
    let number = |default: i64, stream: &mut Stream| {
        let (low, high) = match (setting.min, setting.max) {
            (Some(min), Some(max)) => (min, max),
            // With one end open, as far again as the default is from the other.
            (Some(min), None) => (min, default.saturating_mul(2).saturating_sub(min).max(min.saturating_add(3))),
            (None, Some(max)) => (default.saturating_mul(2).saturating_sub(max).min(max.saturating_sub(3)), max),
            (None, None) => return None,
        };
        // The ends are where rules break, and what scripts compare with.
        let notable = notable.iter().flat_map(|number| NEAR.map(|by| number.saturating_add(by)));
        let notable: Vec<i64> = notable.filter(|number| (low..=high).contains(number)).collect();
        match stream.below(8) {
            0 | 1 => Some(low),
            2 | 3 => Some(high),
            4 | 5 if !notable.is_empty() => notable.get(stream.below(notable.len())).copied(),
            _ => {
                let width = usize::try_from(i128::from(high) - i128::from(low) + 1).unwrap_or(usize::MAX);
                low.checked_add(stream.below(width.max(1)) as i64)
            }
        }
    };
    let one = |default: &toml::Value, stream: &mut Stream| -> Option<toml::Value> {
        if !setting.choices.is_empty() {
            return setting.choices.get(stream.below(setting.choices.len())).cloned();
        }
        match default {
            toml::Value::Boolean(_) => Some(toml::Value::Boolean(stream.below(2) == 0)),
            toml::Value::Integer(default) => number(*default, stream).map(toml::Value::Integer),
            _ => None,
        }
    };
    match &setting.default {
        toml::Value::Array(list) if !setting.choices.is_empty() => {
            let mut choices = setting.choices.clone();
            stream.shuffle(&mut choices);
            choices.truncate(1 + stream.below(choices.len().max(list.len().min(choices.len()))));
            Some(toml::Value::Array(choices).to_string())
        }
        toml::Value::Array(list) => {
            let values: Option<Vec<toml::Value>> = list.iter().map(|default| one(default, stream)).collect();
            values.filter(|values| !values.is_empty()).map(|values| toml::Value::Array(values).to_string())
        }
        default => one(default, stream).map(|value| value.to_string()),
    }
}
