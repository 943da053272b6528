//! What a random game depends on: a game, variants that go together, values of their settings, seats and a seed.

use houserule::definition::{Layer, Library, Setting};
use houserule::playthrough::Playable;
use houserule::ruleset::{Ruleset, Selection};
use houserule::table::chance::Stream;
use std::fmt::{Display, Formatter};
use std::path::PathBuf;
use std::sync::Arc;

/// Everything that a random game depends on. Printed, it is the command that plays the same game again.
#[derive(Clone, Debug)]
pub struct Case {
    pub selection: Selection,
    pub seats: usize,
    pub seed: u64,
    /// Every setting of the active layers as `layer.key`, defaults included.
    settings: Vec<(String, toml::Value)>,
}

impl Case {
    /// The case of a number, and its rules, compiled.
    pub fn load(game: &str, number: u32) -> Result<(Case, Playable), String> {
        Case::random(game, number)?.compiled()
    }

    /// The case of rules that are known, compiled. How many play is told by any number: 0 is for the fewest.
    pub fn of(selection: Selection, seed: u64, players: usize) -> Result<(Case, Playable), String> {
        Case::plain(selection, seed, players)?.compiled()
    }

    /// The case of a number: variants that go together, and values of their settings.
    pub fn random(game: &str, number: u32) -> Result<Case, String> {
        let mut stream = Stream::named(0, &format!("random games of {game}"), number);
        let base = library().game(game).map_err(|troubles| troubles[0].to_string())?;
        let layers: Vec<Layer> = std::iter::once(base).chain(random_variants(game, &mut stream)).collect();
        let set = layers.iter().flat_map(|layer| random_settings(layer, &mut stream)).collect();
        let variants = layers[1..].iter().map(|variant| variant.id.clone()).collect();
        let selection = Selection { game: game.to_owned(), variants, set };
        let seed = stream.below(1 << 40) as u64;
        Case::plain(selection, seed, stream.below(1 << 20))
    }

    /// The case of rules that are known.
    pub fn plain(selection: Selection, seed: u64, players: usize) -> Result<Case, String> {
        let ruleset =
            Ruleset::load(&library(), &selection).map_err(|troubles| format!("{selection:?}: {}", troubles[0]))?;
        let (fewest, most) = ruleset.definition.players;
        let seats = fewest + players % (most + 1 - fewest);
        let of_layers = ruleset.settings.iter();
        let named = of_layers.flat_map(|(layer, values)| values.iter().map(move |(key, value)| (layer, key, value)));
        let settings = named.map(|(layer, key, value)| (format!("{layer}.{key}"), value.clone())).collect();
        Ok(Case { selection, seats, seed, settings })
    }

    fn compiled(self) -> Result<(Case, Playable), String> {
        let ruleset =
            Ruleset::load(&library(), &self.selection).map_err(|troubles| format!("{self}: {}", troubles[0]))?;
        let loaded = Playable::compile(Arc::new(ruleset), self.seats, Arc::default());
        let loaded = loaded.map_err(|troubles| format!("{self}: {}", troubles[0]))?;
        Ok((self, loaded))
    }

    /// The same rules and seats with another seed.
    pub fn with_seed(&self, seed: u64) -> Case {
        Case { seed, ..self.clone() }
    }

    pub fn has(&self, variant: &str) -> bool {
        self.selection.variants.iter().any(|known| known == variant)
    }

    /// A number that a variant sets, if it is in play: `rounds.k`.
    pub fn number(&self, setting: &str) -> Option<i64> {
        self.setting(setting)?.as_integer()
    }

    /// Whether a variant says so, if it is in play: `play-me.slap_first`.
    pub fn truth(&self, setting: &str) -> Option<bool> {
        self.setting(setting)?.as_bool()
    }

    /// A word that a variant sets, if it is in play: `pass-dir.to`.
    pub fn word(&self, setting: &str) -> Option<&str> {
        self.setting(setting)?.as_str()
    }

    fn setting(&self, wanted: &str) -> Option<&toml::Value> {
        self.settings.iter().find(|(name, _)| name == wanted).map(|(_, value)| value)
    }
}

impl Display for Case {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "houserule trace {} -p {} -s {}", self.selection.game, self.seats, self.seed)?;
        self.selection.variants.iter().try_for_each(|variant| write!(f, " -v {variant}"))?;
        self.selection.set.iter().try_for_each(|set| write!(f, " --set '{set}'"))
    }
}

pub fn library() -> Library {
    houserule::Disk::library(vec![PathBuf::from(env!("CARGO_MANIFEST_DIR"))])
}

/// The ids of all games on disk, so that a new one is tested from its first day.
pub fn games() -> Vec<String> {
    library().games().into_iter().map(|game| game.id).collect()
}

/// Variants that go together: now none, now few, now many.
fn random_variants(game: &str, stream: &mut Stream) -> Vec<Layer> {
    let mut variants = library().variants(game);
    stream.shuffle(&mut variants);
    let share = stream.below(4);
    let mut chosen: Vec<Layer> = Vec::new();
    for entry in variants {
        let variant = entry.layer.unwrap_or_else(|troubles| panic!("{}", troubles[0]));
        let goes_with =
            |other: &Layer| !other.conflicts.contains_key(&variant.id) && !variant.conflicts.contains_key(&other.id);
        let is_wanted = stream.below(4) < share && (!is_long(game, &variant.id) || stream.below(20) == 0);
        if is_wanted && chosen.iter().all(goes_with) {
            chosen.push(variant);
        }
    }
    chosen
}

/// Variants that make six games of one: often, they would take nearly all the time of these tests.
fn is_long(game: &str, variant: &str) -> bool {
    (game, variant) == ("playme", "challenge")
}

/// Half of a layer's settings get a value of their own, as it would be typed.
fn random_settings(layer: &Layer, stream: &mut Stream) -> Vec<String> {
    let mut typed: Vec<(String, toml::Value)> = Vec::new();
    for (key, setting) in &layer.settings {
        if stream.below(2) == 0
            && let Some(value) = random_value(setting, stream)
            // Two settings of a layer may have to differ: a named colour pays or costs, never both.
            && !typed.iter().any(|(_, other)| value.is_str() && *other == value)
        {
            typed.push((key.clone(), value));
        }
    }
    typed.into_iter().map(|(key, value)| format!("{}.{key}={value}", layer.id)).collect()
}

/// Any value that is allowed, of those without an upper limit one that is not too far off.
fn random_value(setting: &Setting, stream: &mut Stream) -> Option<toml::Value> {
    let mut one = |default: Option<i64>| match (setting.choices.len(), default) {
        (0, None) => None,
        (0, Some(default)) => {
            let low = setting.min.unwrap_or(default.min(0));
            let high = setting.max.unwrap_or(default.max(low) * 2);
            Some((low + stream.below((high - low + 1) as usize) as i64).into())
        }
        (count, _) => Some(setting.choices[stream.below(count)].clone()),
    };
    match &setting.default {
        toml::Value::Array(list) => {
            let each: Option<Vec<toml::Value>> = (0..3).map(|_| one(list.first()?.as_integer())).collect();
            each.map(toml::Value::Array)
        }
        toml::Value::Boolean(_) => Some((stream.below(2) == 0).into()),
        default => one(default.as_integer()),
    }
}
