//! Campaigns: a game that continues an earlier one, and starts with the variables kept from its end.
//!
//! The kept values are the first entry of the next game's log. So every game of a campaign can be replayed by itself,
//! and (ruleset, seats, seed, log) still determines it completely.

use super::log::{Entry, component_named, player_named, zone_named};
use super::timeline::Timeline;
use super::{DryRun, Misfit, Playable, Playthrough};
use crate::definition::{Bank, DeclaredType};
use crate::diagnostic::{Diagnostic, Diagnostics, Message, message};
use crate::playthrough::chosen_value::{ChosenValue, NamedKind};
use crate::sorted::SortedMap;
use crate::table::layout::Layout;
use crate::table::value::{NOTHING, Seat, Value};
use crate::table::{Fault, State, Table};

/// The word for a campaign entry in logs and at the prompt.
pub const WORD: &str = "campaign";

/// The key of the teams among the kept values; no variable can have this name.
const TEAMS: &str = "[teams]";

impl Playthrough {
    /// What the next game of the campaign would start with: the id and value of each kept variable. Empty where the
    /// rules keep nothing.
    ///
    /// # Errors
    /// A list holds a value without meaning in another game, such as an option of several parts.
    pub fn kept(&self) -> Result<SortedMap<String, ChosenValue>, Diagnostics> {
        kept(&self.loaded.layout, &self.position.table)
    }

    /// Whether the next game of a campaign can begin: this game is over, and its rules keep something.
    pub fn has_next(&self) -> bool {
        let position = &self.position;
        let keeps = || self.loaded.layout.definition.variables.iter().any(|variable| variable.keeps);
        position.open.is_none() && position.failed.is_none() && keeps()
    }

    /// Whether this game continues an earlier one of a campaign; its log then begins with a campaign entry.
    pub fn goes_on(&self) -> bool {
        self.timeline.current().log.first().is_some_and(|first| matches!(**first, Entry::Campaign { .. }))
    }

    /// The number of log entries made before the game begins (0 or 1). `undo` cannot go back before them.
    pub fn beginning(&self) -> usize {
        usize::from(self.goes_on())
    }

    /// Begins the next game of the campaign after this finished one, under the same rules or under `loaded`, which must
    /// be for as many players. `undo` leads back.
    ///
    /// # Errors
    /// The game is not over or keeps nothing; `loaded` is another game or does not take the kept values; the run was
    /// stopped.
    pub fn next_game(&mut self, loaded: Option<Playable>, seed: u64) -> Result<(), Diagnostics> {
        let loaded = loaded.unwrap_or_else(|| self.loaded.clone());
        let (game, next) = (&self.loaded.ruleset.selection.game, &loaded.ruleset.selection.game);
        if game != next {
            let error = Diagnostic::new(message!("a campaign of {game} does not continue with {next}"));
            return Err(error.help(message!("`houserule play {game}` is that game")).into());
        }
        if self.seats != loaded.layout.seats {
            let now = loaded.layout.seats;
            let message = match self.seats {
                1 => message!("1 player played this campaign, not {now}"),
                seats => message!("{seats} players played this campaign, not {now}"),
            };
            return Err(Diagnostic::new(message).help("leave `-p` out: everybody keeps their seat").into());
        }
        let kept = self.kept()?;
        if kept.is_empty() {
            let error = Diagnostic::new(message!("{game} keeps nothing for another game"));
            return Err(error.help("name the variables that carry over: [keeps] and `score = true`").into());
        }
        if self.position.failed.is_some() {
            let error = Diagnostic::new("an error stopped this game, so no other continues from it");
            return Err(error.help("`undo` goes back, `reload` reads edited rules").into());
        }
        if let Some(open) = &self.position.open {
            let who = open.seat.map_or(String::new(), |seat| format!("{seat} "));
            let error = Diagnostic::new(message!("this game is not over: {who}{} is open", open.prompt));
            return Err(error.help("play it to its end; then the next game begins from what it keeps").into());
        }
        let log = vec![Entry::Campaign { kept }.into()];
        let DryRun { position, misfit, track, .. } = loaded.follow(seed, &log)?;
        if let Some(Misfit { reason, .. }) = misfit {
            return Err(Diagnostic::new(message!("what was kept does not fit these rules: {reason}"))
                .help("play on under the rules that kept it, or change `[keeps]`")
                .into());
        }
        let before = std::mem::replace(&mut self.timeline, Timeline::new(log));
        let seed = std::mem::replace(&mut self.seed, seed);
        self.switch_rules(loaded, track, position, before, Some(seed));
        Ok(())
    }
}

/// The first log entry of the campaign's next game after one that ended with `table`; `None` where the rules keep
/// nothing.
///
/// # Errors
/// A list holds a value without meaning in another game.
pub fn next(table: &Table) -> Result<Option<Entry>, Diagnostics> {
    let kept = kept(table.layout(), table.state())?;
    Ok((!kept.is_empty()).then_some(Entry::Campaign { kept }))
}

fn kept(layout: &Layout, table: &State) -> Result<SortedMap<String, ChosenValue>, Diagnostics> {
    let mut kept = SortedMap::new();
    for (variable, value) in layout.variables.iter().zip(&table.variables) {
        if !is_kept(layout, variable.definition) {
            continue;
        }
        let is_list = matches!(held(layout, variable.definition), Some(DeclaredType::List));
        if is_list && !goes_on(value) {
            return Err(Diagnostic::new(message!("{} holds what cannot be kept", variable.id))
                .help("numbers, truths, texts, players, components and zones carry over, and lists of them")
                .into());
        }
        kept.insert(variable.id.to_string(), ChosenValue::exactly(layout, &table.faces, value, is_list));
    }
    // Variables shared by partners need the teams as they were.
    let is_common = layout.definition.variables.iter().any(|variable| variable.keeps && variable.by_team);
    if is_common && table.teams != layout.teams {
        let first =
            |team: &u8| Seat::from_number(usize::from(*team) + 1).map(|seat| ChosenValue::Name(seat.to_string()));
        kept.insert(TEAMS.to_owned(), ChosenValue::List(table.teams.iter().filter_map(first).collect()));
    }
    Ok(kept)
}

/// Restores the teams that players formed at the end of the earlier game.
fn begin_teams(table: &mut Table, kept: &ChosenValue) -> Result<(), Message> {
    let wrong = || message!("`{TEAMS}` names for each player the first of the team");
    let ChosenValue::List(named) = kept else { return Err(wrong()) };
    let first = |one: &ChosenValue| match one {
        ChosenValue::Name(name) => Ok(player_named(table, &TEAMS, name)?.ok_or_else(wrong)?.index() as u8),
        _ => Err(wrong()),
    };
    let teams = named.iter().map(first).collect::<Result<Vec<u8>, Message>>()?;
    if teams.len() != table.layout().seats {
        return Err(wrong());
    }
    table.begin_teams(&teams).map_err(Message::from)
}

/// Sets the variables of an untouched table to the values kept from an earlier game.
///
/// # Errors
/// A kept name or value does not fit this game; the message says which.
pub(super) fn begin(table: &mut Table, kept: &SortedMap<String, ChosenValue>) -> Result<(), Message> {
    if let Some(teams) = kept.get(TEAMS) {
        begin_teams(table, teams)?;
    }
    let mut values = Vec::new();
    for (name, chosen) in kept.iter().filter(|(name, _)| *name != TEAMS) {
        let layout = table.layout();
        if is_set(layout, name) {
            continue;
        }
        let known =
            || layout.variables.iter().filter(|known| is_kept(layout, known.definition)).map(|known| &*known.id);
        let number = layout.variable_named(name).filter(|&number| is_kept(layout, layout.variables[number].definition));
        let number = number.ok_or_else(|| Fault::unknown("kept variable", name, known()))?;
        let held = table.held_in(number);
        values.push((number, value(table, name, held, chosen)?));
    }
    // Decreases come first, because another player may take what one gives back to a bank.
    let is_less = |(number, value): &(usize, Value)| match (value, table.variable(*number)) {
        (Value::Number(now), Value::Number(before)) => now < before,
        _ => false,
    };
    let (less, more): (Vec<_>, Vec<_>) = values.into_iter().partition(is_less);
    less.into_iter()
        .chain(more)
        .try_for_each(|(number, value)| table.set_variable(number, value).map_err(Message::from))
}

/// Whether `variable` answers a setting that is fixed for this game. The setting then overrides the kept value.
fn is_set(layout: &Layout, variable: &str) -> bool {
    let mut set = layout.definition.asked.iter().filter(|setting| setting.value.is_some());
    set.any(|setting| setting.ask.variable == variable)
}

fn is_kept(layout: &Layout, definition: usize) -> bool {
    let definition = layout.definition.variables.get(definition);
    definition.is_some_and(|definition| definition.keeps && definition.bank != Bank::Is)
}

fn held(layout: &Layout, definition: usize) -> Option<DeclaredType> {
    match layout.definition.variables.get(definition)?.default {
        crate::definition::VariableValue::Nothing(held) => Some(held),
        crate::definition::VariableValue::Plain(_) => None,
    }
}

/// Whether a value has the same meaning in another game.
fn goes_on(value: &Value) -> bool {
    match value {
        Value::List(list) => list.iter().all(goes_on),
        Value::Parts(_) | Value::Nothing => false,
        _ => true,
    }
}

/// Reads a kept value for a variable that holds `held`.
fn value(table: &Table, holder: &str, held: Option<DeclaredType>, chosen: &ChosenValue) -> Result<Value, Message> {
    let player = |name: &str| Ok(player_named(table, &holder, name)?.map_or(Value::Nobody, Value::Seat));
    match (held, chosen) {
        (_, ChosenValue::List(list)) => {
            let entries = list.iter().map(|entry| value(table, holder, held, entry));
            entries.collect::<Result<Vec<_>, Message>>().map(|list| Value::List(list.into()))
        }
        (_, ChosenValue::Number(number)) => Ok(Value::Number(*number)),
        (_, ChosenValue::Truth(truth)) => Ok(Value::Truth(*truth)),
        (Some(DeclaredType::Component | DeclaredType::Zone), ChosenValue::Name(name)) if name == NOTHING => {
            Ok(Value::Nothing)
        }
        (Some(DeclaredType::Player | DeclaredType::Players), ChosenValue::Name(name))
        | (_, ChosenValue::Marked(NamedKind::Player, name)) => player(name),
        (Some(DeclaredType::Component | DeclaredType::Components), ChosenValue::Name(name))
        | (_, ChosenValue::Marked(NamedKind::Component, name)) => component_named(table, name).map(Value::Component),
        (Some(DeclaredType::Zone | DeclaredType::Zones), ChosenValue::Name(name))
        | (_, ChosenValue::Marked(NamedKind::Zone, name)) => zone_named(table, name).map(Value::Zone),
        (_, ChosenValue::Name(text) | ChosenValue::Marked(NamedKind::Text, text)) => {
            Ok(Value::Text(text.as_str().into()))
        }
        (_, ChosenValue::Label(_) | ChosenValue::Parts(_)) => Err(message!("{holder} cannot be {chosen}")),
    }
}
