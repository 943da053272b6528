//! What people read of the shipped games exists in English and in Japanese.

use houserule::agent::Random;
use houserule::definition::{Language, Layer, Library, Text};
use houserule::ruleset::{Ruleset, Selection};
use houserule::script::rules::{Rules, Run};
use houserule::script::{End, Start};
use houserule::table::Recording;
use houserule::table::event::EventData;
use houserule::table::value::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

fn library() -> Library {
    houserule::Disk::library(vec![Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()])
}

/// Every game alone and with each of its variants.
fn selections() -> Vec<Selection> {
    let library = library();
    let of_game = |game: String| {
        let variants = library.variants(&game).into_iter().map(|variant| vec![variant.id]);
        let sets: Vec<Vec<String>> = variants.chain([Vec::new()]).collect();
        sets.into_iter().map(move |variants| Selection { game: game.clone(), variants, ..Selection::default() })
    };
    library.games().into_iter().flat_map(|game| of_game(game.id)).collect()
}

#[test]
fn every_name_is_in_each_language() {
    let mut missing = BTreeSet::new();
    let mut needs = |owner: &str, what: &str, text: &Text| {
        let lacking = Language::ALL.into_iter().filter(|language| text.in_language(*language).is_none());
        missing.extend(lacking.map(|language| format!("{owner}: {what} `{}` in {}", text.en, language.name())));
    };
    for selection in selections() {
        let ruleset = Ruleset::load(&library(), &selection).unwrap();
        for layer in std::iter::once(&ruleset.game).chain(&ruleset.variants) {
            let Layer { id, name, about, conflicts, settings, .. } = layer;
            needs(id, "name", name);
            needs(id, "about", about);
            conflicts.values().for_each(|reason| needs(id, "conflict", reason));
            settings.values().for_each(|setting| needs(id, "help", &setting.help));
        }
        let owner = selection.variants.first().unwrap_or(&selection.game);
        let definition = &ruleset.definition;
        definition.text.values().for_each(|text| needs(owner, "text", text));
        definition.zones.iter().for_each(|zone| needs(owner, "zone", &zone.name));
        let shown = definition.variables.iter().filter(|variable| variable.shown);
        shown.for_each(|variable| needs(owner, "variable", &variable.name));
        definition.attributes.values().flatten().for_each(|(_, looks)| needs(owner, "value", &looks.name));
    }
    assert!(missing.is_empty(), "no Japanese for\n{}", missing.into_iter().collect::<Vec<_>>().join("\n"));
}

/// Prompts, acts, phases, reasons and remarks are keys of `[text]`; played games tell which there are.
#[test]
fn everything_that_is_said_in_a_game_has_words() {
    let mut missing = BTreeSet::new();
    for selection in selections() {
        let ruleset = Arc::new(Ruleset::load(&library(), &selection).unwrap());
        let seats = ruleset.definition.players.0.max(3).min(ruleset.definition.players.1);
        let rules = Rules::new(ruleset.clone(), seats, Arc::default()).unwrap_or_else(|_| panic!());
        let (mut run, end) = rules.play(&Start::Game, 5, &mut Random::new(5), Some(Recording::default()));
        assert_eq!(end, End::Finished, "{selection:?}");
        let said = said_beside_zones(&rules, &run);
        let unknown = said.into_iter().filter(|key| ruleset.definition.text(key).is_none());
        missing.extend(unknown.map(|key| format!("{}: {key}, beside a zone", selection.game)));
        for event in run.table.finish().unwrap().events {
            let mut keys: Vec<String> = Vec::new();
            match &event.what {
                EventData::Phase { name: key }
                | EventData::Award { reason: key, .. }
                | EventData::Note { text: key, .. } => {
                    keys.push(key.to_string());
                }
                EventData::Choice { decision, .. } => {
                    keys.push(decision.prompt.to_string());
                    keys.extend(decision.refused.iter().map(|(_, reason)| reason.to_string()));
                    for option in &decision.options {
                        if let Value::Parts(parts) = &option.value
                            && let Some(Value::Text(act)) = parts.get("act")
                        {
                            keys.push(act.to_string());
                        }
                    }
                }
                _ => {}
            }
            let unknown = keys.into_iter().filter(|key| ruleset.definition.text(key).is_none());
            missing
                .extend(unknown.map(|key| format!("{}: {key}", selection.variants.first().unwrap_or(&selection.game))));
        }
    }
    assert!(missing.is_empty(), "no words for\n{}", missing.into_iter().collect::<Vec<_>>().join("\n"));
}

/// The keys among what marks and notes of the zones say; signs and numbers are no keys.
fn said_beside_zones(rules: &Rules, run: &Run) -> Vec<String> {
    let layout = rules.layout();
    let mut keys = Vec::new();
    for zone in layout.zones.iter().filter_map(|info| layout.zone_named(&info.id)) {
        let definition = layout.zone_definition(zone);
        if run.table.zone(zone).is_empty() {
            continue;
        }
        for function in definition.mark.iter().chain(&definition.note) {
            let said = rules.call_on_copy(&run.table, function, &Value::Zone(zone)).unwrap().value;
            let entries = match said {
                Some(Value::List(list)) => list.to_vec(),
                other => other.into_iter().collect(),
            };
            keys.extend(entries.into_iter().filter_map(|entry| match entry {
                Value::Text(text) if text.starts_with(|letter: char| letter.is_ascii_lowercase()) => {
                    Some(text.to_string())
                }
                _ => None,
            }));
        }
    }
    keys
}
