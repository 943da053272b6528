//! Generates the cases of a hunt: at random, or by mutation of cases that reached something new.

use super::Plan;
use super::case::{Case, Choice, Lineup, Tail};
use super::extent::numbers;
use crate::agent::AgentSpec;
use crate::definition::{Layer, Library, Setting};
use crate::diagnostic::Diagnostics;
use crate::ruleset::{Ruleset, Selection};
use crate::sorted::{SortedMap, SortedSet};
use crate::table::chance::Stream;

/// The most variants added at random to the given ones.
const MAX_ADDED_VARIANTS: usize = 4;

/// The most campaign games played before a case's game.
const MAX_EARLIER_GAMES: usize = 3;

/// The most cases kept for mutation.
const MAX_CORPUS_CASES: usize = 512;

/// The most choices kept of a case.
const MAX_CHOICES_PER_CASE: usize = 4_096;

/// Everything that cases are made from.
pub struct Pool {
    pub game: Layer,
    /// All variants that can be read, each with the name that selects it.
    pub variants: Vec<(String, Layer)>,
    /// The names of the given variants.
    pub given: Vec<String>,
    /// The given settings, as typed.
    pub set: Vec<String>,
    /// The numbers in the rules of the game (under an empty name) and of each variant. Scripts often compare with
    /// values near them.
    numbers: SortedMap<String, SortedSet<i64>>,
    /// Whether other variants are added.
    pub adds: bool,
    /// The agents that tails are drawn from.
    pub agents: Vec<AgentSpec>,
}

/// A case with instructions for its trial.
#[derive(Clone, Debug)]
pub struct Task {
    /// The case; its number of players is set once the rules are known.
    pub case: Case,
    /// A random number that determines the number of players, or [`KEEP_PLAYERS`].
    pub players: usize,
    /// Whether the rules are as given, with at most one other variant; only such games count for fairness.
    pub is_plain: bool,
    /// Whether to test for leaks.
    pub leaks: bool,
}

/// The corpus of cases that reached something new.
#[derive(Default)]
pub struct Corpus(Vec<Case>);

impl Corpus {
    /// Adds a case with the choices made in it; the oldest entries are overwritten.
    pub fn keep(&mut self, mut case: Case, mut choices: Vec<Choice>, number: u64) {
        choices.truncate(MAX_CHOICES_PER_CASE);
        case.choices = choices;
        if self.0.len() < MAX_CORPUS_CASES {
            self.0.push(case);
        } else if let Some(place) = self.0.get_mut(number as usize % MAX_CORPUS_CASES) {
            *place = case;
        }
    }

    /// Draws a case; half of the time among the newest.
    fn pick(&self, stream: &mut Stream) -> Option<&Case> {
        let newest = 1 + self.0.len() / 8;
        let from = if stream.below(2) == 0 { self.0.len().saturating_sub(newest) } else { 0 };
        self.0.get(from + stream.below(self.0.len() - from))
    }
}

impl Pool {
    /// Reads the game and its variants.
    ///
    /// # Errors
    /// The game or a given variant cannot be read.
    pub fn new(library: &Library, plan: &Plan) -> Result<Self, Diagnostics> {
        let (given, set) = (&plan.variants, &plan.set);
        // The choices of a setting can stand in the data of any layer.
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

    /// The numbers in the rules of the game and some variants, sorted.
    fn notable_numbers(&self, variants: &[String]) -> Vec<i64> {
        let of_layers = std::iter::once("").chain(variants.iter().map(String::as_str));
        let all: SortedSet<i64> = of_layers.filter_map(|name| self.numbers.get(name)).flatten().copied().collect();
        all.into_iter().collect()
    }

    fn layer(&self, name: &str) -> Option<&Layer> {
        self.variants.iter().find(|(known, _)| known == name).map(|(_, layer)| layer)
    }

    /// The variants that can be added to some variants.
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

    /// Every setting of the game and some variants, as `LAYER.KEY`, that was not given.
    fn settings(&self, variants: &[String]) -> Vec<(String, &Setting)> {
        let layers = std::iter::once(&self.game).chain(variants.iter().filter_map(|name| self.layer(name)));
        let all = layers
            .flat_map(|layer| layer.settings.iter().map(|(key, setting)| (format!("{}.{key}", layer.id), setting)));
        let is_set =
            |name: &str| self.set.iter().any(|set| set.split('=').next().is_some_and(|set| set.trim() == name));
        all.filter(|(name, _)| !is_set(name)).collect()
    }

    /// Sets a setting to a value in its declared range, or resets one.
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

    /// Drops settings of layers that are no longer part of the case.
    fn drop_stale_settings(&self, case: &mut Case) {
        let known = self.settings(&case.variants);
        let is_known = |set: &String| {
            self.set.contains(set) || known.iter().any(|(name, _)| set.split('=').next() == Some(name.as_str()))
        };
        case.set.retain(is_known);
    }

    /// Generates the case with a number.
    pub fn task(&self, seed: u64, number: u64, corpus: &Corpus) -> Task {
        let mut stream = Stream::named(seed ^ (number << 20), "hunt", number as u32);
        let players = stream.below(1 << 16);
        let mut case = Case::of(&self.given, &self.set, 0);
        case.seed = 1 + stream.below(1 << 20) as u64;
        case.tail = Tail::Random(1 + stream.below(1 << 20) as u64);
        // Tests for leaks are made with the given variants and with others. One takes as long as many games.
        let leaks = number % 16 < 2;
        if number.is_multiple_of(4) {
            let addable = if self.adds { self.addable(&case.variants) } else { Vec::new() };
            // Variants are added in turn; half of these games have the given rules alone.
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
                self.drop_stale_settings(&mut case);
                // Occasionally, the number of players is changed.
                let players = if stream.below(6) == 0 { players } else { KEEP_PLAYERS };
                Task { case, players, is_plain: false, leaks: false }
            }
            None => {
                // Earlier games of the campaign matter where the rules keep something.
                case.before = Stream::named(seed, "campaign", number as u32).below(MAX_EARLIER_GAMES + 1);
                if self.adds {
                    for _ in 0..stream.below(MAX_ADDED_VARIANTS + 1) {
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

    /// Agents that play a game to its end, at random.
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
            // Mutate: another tail.
            0..=2 => {
                case.choices.truncate(stream.below(case.choices.len() + 1));
                case.tail = self.ending(stream);
            }
            // Mutate: change one choice.
            3 | 4 => {
                let place = stream.below(case.choices.len());
                let notable = if stream.below(2) == 0 { self.notable_numbers(&case.variants) } else { Vec::new() };
                if let Some(choice) = case.choices.get_mut(place) {
                    // If the options are numbers, positions are often the number itself or close to it.
                    let position = |stream: &mut Stream| {
                        let number = notable.get(stream.below(notable.len())).map(|it| it.saturating_add(near(stream)));
                        number.and_then(|number| u16::try_from(number).ok()).unwrap_or_else(|| stream.below(64) as u16)
                    };
                    let positions = 1 + stream.below(3);
                    *choice = (0..positions).map(|_| position(stream)).collect();
                }
                case.tail = self.ending(stream);
            }
            // Mutate: drop some choices.
            5 => {
                let from = stream.below(case.choices.len() + 1);
                let to = (from + 1 + stream.below(8)).min(case.choices.len());
                case.choices.drain(from.min(to)..to);
            }
            // Crossover: the beginning of one case, the end of another.
            6 => {
                if let Some(other) = corpus.pick(stream) {
                    case.choices.truncate(stream.below(case.choices.len() + 1));
                    let from = stream.below(other.choices.len() + 1);
                    case.choices.extend(other.choices[from..].iter().cloned());
                    case.choices.truncate(MAX_CHOICES_PER_CASE);
                }
            }
            // Mutate: another seed.
            7 => case.seed = 1 + stream.below(1 << 20) as u64,
            8 if self.adds => {
                let others: Vec<usize> =
                    (0..case.variants.len()).filter(|&place| !self.given.contains(&case.variants[place])).collect();
                match others.get(stream.below(others.len())) {
                    Some(&place) if stream.below(2) == 0 => drop(case.variants.remove(place)),
                    _ if case.variants.len() < self.given.len() + MAX_ADDED_VARIANTS => {
                        self.add_variant(&mut case.variants, stream);
                    }
                    _ => {}
                }
            }
            _ => self.change_setting(case, stream),
        }
    }
}

/// The value of [`Task::players`] that keeps the case's number of players.
pub const KEEP_PLAYERS: usize = usize::MAX;

/// Offsets from a number in scripts; the number itself is the most frequent.
const NEARBY_OFFSETS: [i64; 4] = [0, 0, -1, 1];

fn near(stream: &mut Stream) -> i64 {
    NEARBY_OFFSETS[stream.below(NEARBY_OFFSETS.len())]
}

/// A value for a setting, as typed; `None` where its range is not declared.
fn value_of(setting: &Setting, notable: &[i64], stream: &mut Stream) -> Option<String> {
    let number = |default: i64, stream: &mut Stream| {
        let (low, high) = match (setting.min, setting.max) {
            (Some(min), Some(max)) => (min, max),
            // With one end open, the range is symmetric around the default.
            (Some(min), None) => (min, default.saturating_mul(2).saturating_sub(min).max(min.saturating_add(3))),
            (None, Some(max)) => (default.saturating_mul(2).saturating_sub(max).min(max.saturating_sub(3)), max),
            (None, None) => return None,
        };
        // Limits, and numbers that scripts compare with, are the values most likely to break rules.
        let notable = notable.iter().flat_map(|number| NEARBY_OFFSETS.map(|by| number.saturating_add(by)));
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
