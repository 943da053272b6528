//! Shards of a simulation: files written by different machines, to be merged into exactly the whole.

use super::play::Plan;
use super::tally::Tally;
use crate::definition::{Bounds, Definition, Text};
use crate::diagnostic::{Diagnostic, Diagnostics, Message, message};
use crate::files::FileFormat;
use crate::ruleset::Selection;
use crate::sorted::{SortedMap, sort_by_key};
use crate::table::value::Seat;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::ops::Range;

/// The number of the file format; no other is read.
pub const FORMAT: u64 = 1;

/// The size limit of a part, in bytes.
pub const MAX_BYTES: u64 = 64 << 20;

/// The file format of parts.
pub const FILE: FileFormat = FileFormat { name: "a part of a simulation", beginning: "{\"houserule-part\":" };

/// Everything that determines the games of a plan: two parts belong together if these facts are equal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanFacts {
    pub game: String,
    /// The ids of the variants.
    pub variants: Vec<String>,
    /// The settings, as typed.
    pub set: Vec<String>,
    /// The hash of the ruleset.
    pub ruleset: String,
    /// The number of seats.
    pub players: usize,
    /// The seat numbers of each team; empty where everybody plays alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub teams: Vec<Vec<usize>>,
    /// The agent of each seat.
    pub agents: Vec<String>,
    /// The first log entry of each game in a campaign, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
    /// The seed of the first game.
    pub seed: u64,
    /// The total number of games.
    pub games: u64,
    /// The assumed time for a decision with a choice and one without, in milliseconds.
    pub pace: [i64; 2],
    /// The number of decisions beyond which a game counts as endless.
    pub most_decisions: u64,
    /// The bounds of `score`, and of metrics, in one game.
    #[serde(default, skip_serializing_if = "SortedMap::is_empty")]
    pub bounds: SortedMap<String, Bounds>,
    /// The version of the program.
    pub version: String,
    /// The game's names for the things counted, by id.
    #[serde(default, skip_serializing_if = "SortedMap::is_empty")]
    pub words: SortedMap<String, Text>,
}

/// The results of some games of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The facts of the plan.
    pub plan: PlanFacts,
    /// The numbers of the games played, from 0, as half-open ranges.
    pub played: Vec<Range<u64>>,
    /// The results of these games.
    pub tally: Tally,
}

/// The JSON form of a part in a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(rename = "houserule-part")]
    format: u64,
    checksum: String,
    part: Json,
}

/// The game's names of texts and attribute values.
fn words_of(definition: &Definition) -> SortedMap<String, Text> {
    let values = definition.attributes.values().flatten();
    let mut words: SortedMap<String, Text> = values.map(|(value, looks)| (value.clone(), looks.name.clone())).collect();
    words.extend(definition.text.iter().map(|(id, text)| (id.clone(), text.clone())));
    words
}

/// The teams of a plan, by seat number; empty where everybody plays alone.
fn teams_of(plan: &Plan) -> Vec<Vec<usize>> {
    let teams = plan.teams();
    if teams.len() == plan.seats() {
        return Vec::new();
    }
    teams.into_iter().map(|team| team.into_iter().map(|seat| seat + 1).collect()).collect()
}

impl PlanFacts {
    /// The command that simulates the same games.
    pub fn command(&self) -> String {
        let (game, variants, set) = (self.game.clone(), self.variants.clone(), self.set.clone());
        let sim = Selection { game, variants, set }.command("sim");
        let agents = match self.agents.as_slice() {
            [one, others @ ..] if others.iter().all(|other| other == one) => one.clone(),
            different => different.join(","),
        };
        let agents = match agents.as_str() {
            "" | "random" => String::new(),
            agents => format!(" --agents {agents}"),
        };
        format!("{sim} -p {} -n {} -s {}{agents}", self.players, self.games, self.seed)
    }

    /// The numbers of a seat and its partners, in order; empty where everybody plays alone.
    pub fn team_of(&self, seat: Seat) -> &[usize] {
        self.teams.iter().find(|team| team.contains(&seat.number())).map_or(&[], Vec::as_slice)
    }

    /// The facts of a plan with a number of games.
    pub fn of(plan: &Plan, games: u64) -> Self {
        let selection = &plan.loaded.ruleset.selection;
        Self {
            game: selection.game.clone(),
            variants: selection.variants.clone(),
            set: selection.set.clone(),
            ruleset: plan.loaded.ruleset.hash.clone(),
            players: plan.seats(),
            teams: teams_of(plan),
            agents: plan.agents.iter().map(|agent| agent.to_string()).collect(),
            kept: plan.kept().map(ToString::to_string),
            seed: plan.seed,
            games,
            pace: [plan.pace.free, plan.pace.forced],
            most_decisions: plan.most_decisions,
            bounds: plan.loaded.ruleset.definition.bounds.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            words: words_of(&plan.loaded.ruleset.definition),
        }
    }

    /// The facts as JSON, without the names: programs use ids.
    pub fn to_json(&self) -> Json {
        let mut json = serde_json::to_value(self).unwrap_or_default();
        if let Json::Object(facts) = &mut json {
            facts.remove("words");
        }
        json
    }

    /// The first difference between two plans, in words; `here` and `there` describe the two.
    pub fn difference(&self, other: &Self, here: &'static str, there: &'static str) -> Option<Message> {
        let (own, others) = (self.to_json(), other.to_json());
        let (own, others) = (own.as_object()?, others.as_object()?);
        let key = own.keys().chain(others.keys()).find(|&key| own.get(key) != others.get(key))?;
        let [value, other] = [own, others].map(|facts| facts.get(key).cloned().unwrap_or_default());
        let (here, there) = (Message::from(here), Message::from(there));
        Some(message!("`{key}` is {value} {here} and {other} {there}"))
    }
}

impl Part {
    /// A part with the results of a range of games.
    pub fn of(plan: PlanFacts, played: Range<u64>, tally: Tally) -> Self {
        Self { plan, played: [played].into(), tally }
    }

    /// The text of the part's file.
    pub fn to_text(&self) -> String {
        let part = serde_json::to_string(self).unwrap_or_default();
        let checksum = blake3::hash(part.as_bytes());
        format!("{}{FORMAT},\"checksum\":\"{checksum}\",\"part\":{part}}}\n", FILE.beginning)
    }

    /// Parses a part; `name` is the name of the file in messages.
    ///
    /// # Errors
    /// The text is not a part, has another format number, or is damaged.
    pub fn parse(name: &str, text: &str) -> Result<Self, Diagnostics> {
        let damaged = |why: Message| {
            Diagnostic::new(message!("{name}: this part is damaged: {why}"))
                .help("play its games again: `houserule sim … --shard I/N --out FILE`")
        };
        if !text.starts_with(FILE.beginning) {
            let error = Diagnostic::new(message!("{name} is not a part of a simulation"));
            return Err(error.help("parts are written by `houserule sim … --shard I/N --out FILE`").into());
        }
        let written: Written =
            serde_json::from_str(text).map_err(|error| damaged(Message::verbatim(error.to_string())))?;
        if written.format != FORMAT {
            let error =
                Diagnostic::new(message!("{name} has format {}, and this program reads {FORMAT}", written.format));
            return Err(error.help("use one version of houserule for all parts and for the report").into());
        }
        let part: Self =
            serde_json::from_value(written.part).map_err(|error| damaged(Message::verbatim(error.to_string())))?;
        let again = serde_json::to_string(&part).unwrap_or_default();
        if blake3::hash(again.as_bytes()).to_string() != written.checksum {
            return Err(damaged("its checksum does not fit".into()).into());
        }
        Ok(part)
    }

    /// Merges parts, each given with the name of its file.
    ///
    /// # Errors
    /// There are no parts; they are of different runs; or a game is in two of them.
    pub fn merge(parts: Vec<(String, Self)>) -> Result<Self, Diagnostics> {
        let mut parts = parts.into_iter();
        let (first, mut whole) = parts.next().ok_or_else(|| Diagnostic::new("there is no part to put together"))?;
        for (name, part) in parts {
            if let Some(difference) = whole.plan.difference(&part.plan, "in one", "in the other") {
                let error = Diagnostic::new(message!("{first} and {name} are parts of different runs: {difference}"));
                return Err(error.help("give the parts of one run only").into());
            }
            let overlap = |one: &Range<u64>, other: &Range<u64>| one.start < other.end && other.start < one.end;
            let twice = part.played.iter().find(|stretch| whole.played.iter().any(|other| overlap(stretch, other)));
            if let Some(stretch) = twice {
                let error = Diagnostic::new(message!(
                    "{name} has games that another part has too, among those from {} to {}",
                    stretch.start + 1,
                    stretch.end
                ));
                return Err(error.help("give each part once").into());
            }
            whole.tally.add(&part.tally);
            whole.played.extend(part.played);
        }
        whole.join();
        Ok(whole)
    }

    /// Joins adjacent ranges of games.
    fn join(&mut self) {
        sort_by_key(&mut self.played, |stretch| stretch.start);
        let mut joined: Vec<Range<u64>> = Vec::new();
        for stretch in self.played.drain(..) {
            match joined.last_mut() {
                Some(last) if last.end == stretch.start => last.end = stretch.end,
                _ => joined.push(stretch),
            }
        }
        self.played = joined;
    }

    /// The number of games of the plan not yet played.
    pub fn missing(&self) -> u64 {
        self.plan.games.saturating_sub(self.tally.games)
    }
}

/// The games of shard `number`, from 1, of `of` shards of about equal size.
pub fn shard(games: u64, number: u64, of: u64) -> Range<u64> {
    let end =
        |number: u64| u64::try_from(u128::from(games) * u128::from(number) / u128::from(of.max(1))).unwrap_or(games);
    end(number.saturating_sub(1))..end(number)
}
