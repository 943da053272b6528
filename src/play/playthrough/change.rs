//! How a game in play changes when its rules change.

use crate::playthrough::{Misfit, Playable, Position, SkippedEntries};
use crate::ruleset::Ruleset;
use crate::sorted::sort_by;
use crate::table::layout::Layout;
use crate::table::value::{Component, Seat, Seats};
use std::sync::Arc;

/// The difference between a game before and after its log was run under other rules.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Change {
    /// The first log entry that no longer fits; the game stands before it.
    pub misfit: Option<Misfit>,
    /// Log entries left out because they answer settings that are no longer asked.
    pub left_out: SkippedEntries,
    /// The number of moves that follow once the open setting is answered.
    pub waiting: usize,
    /// The branch that keeps the log as it was, where something was left out or does not fit.
    pub kept_on: Option<String>,
    /// Scores that changed: seat, before, after. Running scores where the game is not over.
    pub scores: Vec<(Seat, i64, i64)>,
    /// Zones whose content changed: id, before, after.
    pub zones: Vec<(String, Vec<String>, Vec<String>)>,
    /// Options of the open decision that are new.
    pub options_added: Vec<String>,
    /// Options of the open decision that are gone.
    pub options_removed: Vec<String>,
    /// Options of the open decision that are refused for another reason: label, reason before, reason now.
    pub reasons: Vec<(String, Arc<str>, Arc<str>)>,
    /// The seat that could choose the removed options; `None` where there are none.
    pub asked_before: Option<Seat>,
    /// Variables that changed: id, before, after.
    pub variables: Vec<(String, String, String)>,
}

impl Change {
    /// Whether nothing changed.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// Whether nothing changed, ignoring variables for which `known` is false.
    pub fn is_nothing_but(&self, known: impl Fn(&String) -> bool) -> bool {
        let mut change = self.clone();
        change.variables.retain(|(id, ..)| known(id));
        change.is_nothing()
    }

    /// The difference between two positions.
    pub fn between(
        (old, before): (&Playable, &Position),
        (new, after): (&Playable, &Position),
        misfit: Option<Misfit>,
    ) -> Self {
        let mut change = Self { misfit, ..Self::default() };
        let seats = Seats::all(old.layout.seats.min(new.layout.seats));
        for seat in seats {
            let (was, is) = (running_score(before, seat), running_score(after, seat));
            if was != is {
                change.scores.push((seat, was, is));
            }
        }
        for (number, zone) in new.layout.zones.iter().enumerate() {
            let is = labels(&new.layout, after, number);
            let was = old.layout.zone_named(&zone.id).map(|zone| labels(&old.layout, before, zone.index()));
            let was = was.unwrap_or_default();
            if was != is {
                change.zones.push((zone.id.to_string(), was, is));
            }
        }
        for (number, variable) in new.layout.variables.iter().enumerate() {
            let is = new.layout.label(&after.table.faces, &after.table.variables[number]);
            let known = old.layout.variable_named(&variable.id);
            let was = known.map(|known| old.layout.label(&before.table.faces, &before.table.variables[known]));
            // Score variables are already in `scores`.
            if was.as_ref() != Some(&is) && !variable.id.ends_with(".score") {
                change.variables.push((variable.id.to_string(), was.unwrap_or_else(|| "none".to_owned()), is));
            }
        }
        let options = |position: &Position| -> Vec<String> {
            let open = position.open.as_ref();
            open.map(|open| open.options.iter().map(|option| option.label.clone()).collect()).unwrap_or_default()
        };
        change.reasons = changed_reasons(before, after);
        let (was, is) = (options(before), options(after));
        change.options_added = is.iter().filter(|option| !was.contains(option)).cloned().collect();
        change.options_removed = was.into_iter().filter(|option| !is.contains(option)).collect();
        if !change.options_removed.is_empty() {
            change.asked_before = before.open.as_ref().and_then(|open| open.seat);
        }
        change
    }
}

/// The options that are refused in both positions, for different reasons: label, reason before, reason after.
fn changed_reasons(before: &Position, after: &Position) -> Vec<(String, Arc<str>, Arc<str>)> {
    let (Some(was), Some(is)) = (&before.open, &after.open) else { return Vec::new() };
    let changed = is.refused.iter().filter_map(|(option, reason)| {
        let (_, old) = was.refused.iter().find(|(old, _)| old.label == option.label)?;
        (old != reason).then(|| (option.label.clone(), old.clone(), reason.clone()))
    });
    changed.collect()
}

/// The score of a seat, or its running score if the game ended now.
pub fn running_score(position: &Position, seat: Seat) -> i64 {
    let score = position.scores.get(seat.index()).copied().unwrap_or(0);
    let awards = position
        .standings
        .get(seat.index())
        .map_or(0, |events| events.iter().filter_map(|event| event.what.points_of(seat)).fold(0, i64::saturating_add));
    score.saturating_add(awards)
}

/// The commands that would turn `after` into `before`, for messages about undoing a change of the rules.
pub(super) fn rules_in_words(before: &Ruleset, after: &Ruleset) -> String {
    let (one, other) = (before, after);
    let list = |ruleset: &Ruleset| ruleset.variant_ids().map(str::to_owned).collect::<Vec<_>>();
    let (one, other) = (list(one), list(other));
    let set = changed_settings(after, before).into_iter().map(|(key, _, value)| format!("set {key} {value}"));
    let gone = one.iter().filter(|id| !other.contains(id)).map(|id| format!("with {id}"));
    let come = other.iter().filter(|id| !one.contains(id)).map(|id| format!("without {id}"));
    let words: Vec<String> = gone.chain(come).chain(set).collect();
    if words.is_empty() { "reload".to_owned() } else { words.join(", ") }
}

/// The settings that differ in the layers that two rulesets share: (`layer.key`, old value, new value).
pub fn changed_settings(old: &Ruleset, new: &Ruleset) -> Vec<(String, String, String)> {
    let mut changed = Vec::new();
    for (layer, values) in &new.settings {
        let Some((_, before)) = old.settings.iter().find(|(id, _)| id == layer) else { continue };
        let others = values.iter().filter(|(key, value)| before.get(*key).is_some_and(|before| before != *value));
        changed.extend(others.map(|(key, value)| {
            let was = before.get(key).map_or_else(String::new, ToString::to_string);
            (format!("{layer}.{key}"), was, value.to_string())
        }));
    }
    let set = |ruleset: &Ruleset, path: &str| {
        let given = ruleset.overridden.iter().rev().find(|(known, _)| known == path).map(|(_, value)| value);
        // A key without an override has the value of the rulebook.
        let key = path.split_once('.').map_or("", |(_, rest)| rest.strip_prefix("data.").unwrap_or(rest));
        let value = given.or_else(|| ruleset.definition.data.get(key));
        value.map_or_else(|| "as declared".to_owned(), ToString::to_string)
    };
    let mut paths: Vec<&String> = old.overridden.iter().chain(&new.overridden).map(|(path, _)| path).collect();
    sort_by(&mut paths, Ord::cmp);
    paths.dedup();
    for path in paths {
        let (was, is) = (set(old, path), set(new, path));
        if was != is {
            changed.push((path.clone(), was, is));
        }
    }
    changed
}

fn labels(layout: &Layout, position: &Position, zone: usize) -> Vec<String> {
    let label = |component: &Component| {
        let face = usize::from(position.table.faces[component.index()]);
        layout.faces[face].id.to_string()
    };
    position.table.zones[zone].iter().map(label).collect()
}
