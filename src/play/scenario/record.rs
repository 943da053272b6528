//! Records a played game as a scenario: its answers, and everything that holds at its end.
//!
//! The result is a draft. It expects everything that can be expressed; the author removes what does not matter.

use super::Scenario;
use super::expect::asked;
use super::rig::rig_text;
use crate::definition::{Edition, Library, Visibility};
use crate::diagnostic::{Diagnostic, Diagnostics, MAX_SOURCE_BYTES, Source, message};
use crate::playthrough::chosen_value::ChosenValue;
use crate::playthrough::log::Entry;
use crate::playthrough::long_text::quoted;
use crate::playthrough::rules_cache::RulesCache;
use crate::playthrough::{Playthrough, Position};
use crate::ruleset::Ruleset;
use crate::sorted::SortedMap;
use crate::table::event::EventData;
use crate::table::layout::Layout;
use crate::table::value::Value;
use crate::work::Work;
use std::path::Path;
use std::sync::Arc;

/// The default title of a recorded scenario.
pub const TITLE_OF_RECORDED: &str = "The game comes out as it did when it was recorded";

/// The most options, awards, or components of a zone listed; longer lists are left out.
const MAX_LISTED_ITEMS: usize = 40;

/// The longest line, in characters.
const COLUMNS: usize = 110;

impl Scenario {
    /// Records a game up to its current point: the same rules, seed and answers, and what holds after the last. The
    /// scenario has been run, and passes.
    ///
    /// # Errors
    /// The game has a change by hand that no scenario can express, or is too long; the scenario has another result when
    /// it is run; or the work was stopped.
    pub fn record(
        game: &Playthrough,
        library: &Library,
        (id, title): (&str, &str),
        work: &Arc<Work>,
    ) -> Result<String, Diagnostics> {
        let log = game.timeline().log().to_vec();
        // A copy is replayed, so that the game in play stays where it is.
        let (game, _) = &mut Playthrough::start(game.loaded().clone(), game.seats, game.seed, log.clone())?;
        let mut text = head(game, (id, title));
        let (mut answers, mut rigs, mut bytes) = (Vec::new(), Vec::new(), 0);
        for (number, entry) in log.iter().enumerate() {
            match &**entry {
                Entry::Rig { stream, result } => rigs.push(rig_text(stream, result)),
                Entry::Campaign { kept } => text.push_str(&begun_with(kept)),
                Entry::Choice { chosen, .. } => {
                    end_step(&mut text, &mut answers, &mut rigs);
                    game.go_to(number)?;
                    let answer = answer(game, chosen);
                    bytes += answer.len();
                    refuse_larger(bytes)?;
                    answers.push(answer);
                }
                other => return Err(by_hand(other, number + 1)),
            }
        }
        end_step(&mut text, &mut answers, &mut rigs);
        game.go_to(log.len())?;
        if !answers.is_empty() {
            text.push_str(&format!("\n[[then]]\n{}", list("answers", &answers)));
        }
        text.push_str(&format!("\n[[then]]\n{}", all_expectations(game.position(), &game.loaded().layout)));
        refuse_larger(text.len())?;
        let path = Path::new("recorded.toml");
        let recorded = Self::parse(&Source::new("recorded.toml", &text), path)?;
        let report = recorded.run_with((library, &RulesCache::default()), &[], &[], work);
        report.result.map_err(|errors| {
            errors.help("the scenario of this game does not come out as the game did; nothing was recorded")
        })?;
        Ok(text)
    }
}

/// Rejects a scenario too large to be read.
fn refuse_larger(bytes: usize) -> Result<(), Diagnostics> {
    if bytes <= MAX_SOURCE_BYTES {
        return Ok(());
    }
    let error =
        Diagnostic::new(message!("the scenario of this game would be larger than {} KiB", MAX_SOURCE_BYTES / 1024));
    Err(error.help("record the game at an earlier move").into())
}

/// A note that the game was played under rules found only in a saved game, which the scenario needs; `None` where it
/// was not.
pub fn only_saved(ruleset: &Ruleset, library: &Library) -> Option<Diagnostic> {
    let paths = ruleset.saved_only_paths(library);
    (!paths.is_empty()).then(|| {
        Diagnostic::note(message!("the rules {} are only in the saved game", paths.join(", ")))
            .help("the scenario needs them: write them into your folder before you run it")
    })
}

/// The head of the scenario file: edition, id, title, and rules.
fn head(game: &Playthrough, (id, title): (&str, &str)) -> String {
    let ruleset = &game.loaded().ruleset;
    let mut text = format!(
        "houserule = \"{}\"\nid       = {}\ntitle    = {}\ngame     = {}\n",
        Edition::CURRENT,
        quoted(id),
        quoted(title),
        quoted(&ruleset.game.id)
    );
    let variants: Vec<String> = ruleset.variants.iter().map(|variant| quoted(&variant.lookup_name())).collect();
    let set: Vec<String> = ruleset.selection.set.iter().map(|set| quoted(set)).collect();
    for (key, words) in [("variants", variants), ("set", set)] {
        if !words.is_empty() {
            text.push_str(&list(&format!("{key:<8}"), &words));
        }
    }
    text.push_str(&format!("players  = {}\nseed     = {}\n", game.seats, game.seed));
    text
}

/// The labels of the chosen options, as TOML.
fn answer(game: &Playthrough, chosen: &[ChosenValue]) -> String {
    let (position, layout) = (game.position(), &game.loaded().layout);
    let options = position.open.iter().flat_map(|open| &open.options);
    let label = |one: &ChosenValue| {
        let mut meant = options.clone().filter(|option| one.means(layout, &position.table.faces, &option.value));
        meant.next().map(|option| quoted(&option.label))
    };
    match &chosen.iter().filter_map(label).collect::<Vec<_>>()[..] {
        [one] => one.clone(),
        several => format!("[{}]", several.join(", ")),
    }
}

/// Writes the rigs for what follows with the last answer, or under `when` before all answers.
fn end_step(text: &mut String, answers: &mut Vec<String>, rigs: &mut Vec<String>) {
    if rigs.is_empty() {
        return;
    }
    let rig: Vec<String> = rigs.drain(..).map(|rig| quoted(&rig)).collect();
    match answers.pop() {
        None if text.ends_with(CALL) => {}
        None => text.push_str("\n[when]\n"),
        Some(last) => {
            if !answers.is_empty() {
                text.push_str(&format!("\n[[then]]\n{}", list("answers", answers)));
            }
            answers.clear();
            text.push_str(&format!("\n[[then]]\nchoose = {last}\n"));
        }
    }
    text.push_str(&list("rig", &rig));
}

/// The call of the rules after a given table.
const CALL: &str = "\n[when]\ncall = \"game()\"\n";

/// The kept values of a campaign's earlier game, as a given table.
fn begun_with(kept: &SortedMap<String, ChosenValue>) -> String {
    let value = |chosen: &ChosenValue| match chosen {
        // In a list, every entry is a name.
        ChosenValue::List(entries) => {
            let name = |entry: &ChosenValue| match entry {
                ChosenValue::Truth(truth) => quoted(&truth.to_string()),
                entry => entry.to_toml(),
            };
            format!("[{}]", entries.iter().map(name).collect::<Vec<_>>().join(", "))
        }
        chosen => chosen.to_toml(),
    };
    let lines = kept.iter().map(|(variable, chosen)| format!("{variable} = {}\n", value(chosen)));
    format!("\n[given]\n{}{CALL}", lines.collect::<String>())
}

/// The error for a change by hand, which a scenario cannot express.
fn by_hand(entry: &Entry, number: usize) -> Diagnostics {
    let message = message!("move {number} changed the game by hand: {entry}");
    Diagnostic::new(message)
        .help("a scenario can express only answers and random results")
        .help("save the game before that move and record it; or write `given`, which sets up a table")
        .into()
}

/// The state of a position as an expectation: the question, the end of the game, or the error.
pub fn state_expectation(position: &Position) -> String {
    match (&position.open, &position.failed) {
        (_, Some(failed)) => format!("fails = {}\n", quoted(&failed.first().message)),
        (Some(open), None) => format!("asks = {}\n", quoted(&asked(open, true))),
        (None, None) => "over = true\n".to_owned(),
    }
}

/// Everything that holds at a position, as expectations.
fn all_expectations(position: &Position, layout: &Layout) -> String {
    let mut text = state_expectation(position);
    let table = &position.table;
    match (&position.open, &position.failed) {
        (_, Some(_)) => {}
        (Some(open), None) => {
            let labels: Vec<String> = open.options.iter().map(|option| quoted(&option.label)).collect();
            if labels.len() <= MAX_LISTED_ITEMS {
                text.push_str(&list("options", &labels));
            }
        }
        (None, None) => {
            let ranks = position.ranking.iter().map(|rank| {
                let seats: Vec<String> = rank.iter().map(|seat| quoted(&seat.to_string())).collect();
                format!("[{}]", seats.join(", "))
            });
            text.push_str(&list("ranking", &ranks.collect::<Vec<_>>()));
        }
    }
    text.push_str(&format!("turns = {}\n", table.turns));
    for (zone, components) in
        layout.zones.iter().zip(table.zones.iter()).filter(|(_, components)| !components.is_empty())
    {
        if matches!(zone.visible, Visibility::All) && components.len() <= MAX_LISTED_ITEMS {
            let ids = components.iter().filter_map(|one| layout.faces.get(usize::from(*table.faces.get(one.index())?)));
            text.push_str(&list(&format!("zones.{}", zone.id), &ids.map(|face| quoted(&face.id)).collect::<Vec<_>>()));
        } else {
            text.push_str(&format!("counts.{} = {}\n", zone.id, components.len()));
        }
    }
    for (variable, value) in layout.variables.iter().zip(table.variables.iter()) {
        if *value == variable.default {
            continue;
        }
        let label = |value: &Value| quoted(&layout.label(&table.faces, value));
        let key = format!("variables.{}", variable.id);
        match value {
            Value::Number(number) => text.push_str(&format!("{key} = {number}\n")),
            Value::Truth(truth) => text.push_str(&format!("{key} = {truth}\n")),
            Value::List(entries) => text.push_str(&list(&key, &entries.iter().map(label).collect::<Vec<_>>())),
            Value::Parts(_) => {}
            value => text.push_str(&format!("{key} = {}\n", label(value))),
        }
    }
    let awards = position.events.iter().filter_map(|event| match &event.what {
        EventData::Award { seat, points, reason, .. } => Some(quoted(&format!("{seat} {points} {reason}"))),
        _ => None,
    });
    let awards: Vec<String> = awards.collect();
    if !awards.is_empty() && awards.len() <= MAX_LISTED_ITEMS {
        text.push_str(&list("awards", &awards));
    }
    text
}

/// A TOML list, wrapped where it is too long for one line.
fn list(key: &str, words: &[String]) -> String {
    let line = format!("{key} = [{}]\n", words.join(", "));
    if line.chars().count() <= COLUMNS {
        return line;
    }
    let mut text = format!("{key} = [\n");
    let mut columns = COLUMNS;
    for word in words {
        let width = word.chars().count() + 2;
        if columns + width > COLUMNS {
            text.push_str(if columns == COLUMNS && text.ends_with("[\n") { "   " } else { "\n   " });
            columns = 3;
        }
        text.push_str(&format!(" {word},"));
        columns += width;
    }
    text.push_str("\n]\n");
    text
}
