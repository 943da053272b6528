//! A game that was played, as a scenario: its answers, and what holds where it stands.
//!
//! What comes out is a beginning. It expects everything that it has words for; whoever keeps it strikes out what does not
//! matter.

use super::Scenario;
use super::expect::asked;
use super::rig::rig_text;
use crate::definition::{Edition, Library, Visibility};
use crate::diagnostic::{Diagnostic, Diagnostics, MAX_SOURCE_BYTES, Source};
use crate::playthrough::chosen::Chosen;
use crate::playthrough::log::Entry;
use crate::playthrough::long_text::quoted;
use crate::playthrough::rules_cache::RulesCache;
use crate::playthrough::{Playthrough, Position};
use crate::ruleset::Ruleset;
use crate::table::event::What;
use crate::table::layout::Layout;
use crate::table::value::Value;
use crate::work::Work;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// What a scenario is called whose author has not said yet what it shows.
pub const TITLE_OF_RECORDED: &str = "The game comes out as it did when it was recorded";

/// More options than this are not listed, nor more awards, nor more components of a zone.
const MOST_LISTED: usize = 40;

/// Most columns of a line.
const COLUMNS: usize = 110;

impl Scenario {
    /// The scenario of a game as far as it was played: the same rules, seed and answers, and what holds behind the last.
    /// It was run and passes.
    ///
    /// # Errors
    /// The game was changed by hand in a way that no scenario has words for, or is too long for one; it does not come to the
    /// same when it is run as a scenario, with what is different; or somebody stopped the work.
    pub fn record(
        game: &Playthrough,
        library: &Library,
        (id, title): (&str, &str),
        work: &Arc<Work>,
    ) -> Result<String, Diagnostics> {
        let log = game.timeline().log().to_vec();
        // A game of its own is gone through, so that the one in play stays where it stands.
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
        text.push_str(&format!("\n[[then]]\n{}", what_holds(game.position(), &game.loaded().layout)));
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

/// Refuses what would be no file of rules.
fn refuse_larger(bytes: usize) -> Result<(), Diagnostics> {
    if bytes <= MAX_SOURCE_BYTES {
        return Ok(());
    }
    let error =
        Diagnostic::new(format!("the scenario of this game would be larger than {} KiB", MAX_SOURCE_BYTES / 1024));
    Err(error.help("record the game at an earlier move").into())
}

/// That a scenario of a game would not find the rules that it was played under: they are in a saved game alone.
pub fn only_saved(ruleset: &Ruleset, library: &Library) -> Option<Diagnostic> {
    let paths = ruleset.only_saved(library);
    (!paths.is_empty()).then(|| {
        Diagnostic::note(format!("the rules {} are only in the saved game", paths.join(", ")))
            .help("the scenario needs them: write them into your folder before you run it")
    })
}

/// What a scenario says of itself.
fn head(game: &Playthrough, (id, title): (&str, &str)) -> String {
    let ruleset = &game.loaded().ruleset;
    let mut text = format!(
        "houserule = \"{}\"\nid       = {}\ntitle    = {}\ngame     = {}\n",
        Edition::CURRENT,
        quoted(id),
        quoted(title),
        quoted(&ruleset.game.id)
    );
    let variants: Vec<String> = ruleset.variants.iter().map(|variant| quoted(&variant.name_found())).collect();
    let set: Vec<String> = ruleset.selection.set.iter().map(|set| quoted(set)).collect();
    for (key, words) in [("variants", variants), ("set", set)] {
        if !words.is_empty() {
            text.push_str(&list(&format!("{key:<8}"), &words));
        }
    }
    text.push_str(&format!("players  = {}\nseed     = {}\n", game.seats, game.seed));
    text
}

/// An answer by the label of its option, or of several.
fn answer(game: &Playthrough, chosen: &[Chosen]) -> String {
    let (position, layout) = (game.position(), &game.loaded().layout);
    let options = position.open.iter().flat_map(|open| &open.options);
    let label = |one: &Chosen| {
        let mut meant = options.clone().filter(|option| one.means(layout, &position.table.faces, &option.value));
        meant.next().map(|option| quoted(&option.label))
    };
    match &chosen.iter().filter_map(label).collect::<Vec<_>>()[..] {
        [one] => one.clone(),
        several => format!("[{}]", several.join(", ")),
    }
}

/// What chance gives next stands with the answer before it, and in front of all answers under `when`.
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

/// What the rules are called with where a table is given.
const CALL: &str = "\n[when]\ncall = \"game()\"\n";

/// What an earlier game of the campaign has kept, as the table that the rules are called on.
fn begun_with(kept: &BTreeMap<String, Chosen>) -> String {
    let value = |chosen: &Chosen| match chosen {
        // An entry of a list is a name, whatever it is.
        Chosen::List(entries) => {
            let name = |entry: &Chosen| match entry {
                Chosen::Truth(truth) => quoted(&truth.to_string()),
                entry => entry.to_toml(),
            };
            format!("[{}]", entries.iter().map(name).collect::<Vec<_>>().join(", "))
        }
        chosen => chosen.to_toml(),
    };
    let lines = kept.iter().map(|(variable, chosen)| format!("{variable} = {}\n", value(chosen)));
    format!("\n[given]\n{}{CALL}", lines.collect::<String>())
}

/// That a game was changed in a way that is no answer.
fn by_hand(entry: &Entry, number: usize) -> Diagnostics {
    let message = format!("move {number} changed the game by hand: {entry}");
    Diagnostic::new(message)
        .help("a scenario can express only answers and random results")
        .help("save the game before that move and record it; or write `given`, which sets up a table")
        .into()
}

/// Where a game stands, as a step expects it: what is asked, that it is over, or why the rules gave up.
pub fn stands(position: &Position) -> String {
    match (&position.open, &position.failed) {
        (_, Some(failed)) => format!("fails = {}\n", quoted(&failed.first().message)),
        (Some(open), None) => format!("asks = {}\n", quoted(&asked(open, true))),
        (None, None) => "over = true\n".to_owned(),
    }
}

/// Everything that holds where a game stands, as a step expects it.
fn what_holds(position: &Position, layout: &Layout) -> String {
    let mut text = stands(position);
    let table = &position.table;
    match (&position.open, &position.failed) {
        (_, Some(_)) => {}
        (Some(open), None) => {
            let labels: Vec<String> = open.options.iter().map(|option| quoted(&option.label)).collect();
            if labels.len() <= MOST_LISTED {
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
        if matches!(zone.visible, Visibility::All) && components.len() <= MOST_LISTED {
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
        What::Award { seat, points, reason, .. } => Some(quoted(&format!("{seat} {points} {reason}"))),
        _ => None,
    });
    let awards: Vec<String> = awards.collect();
    if !awards.is_empty() && awards.len() <= MOST_LISTED {
        text.push_str(&list("awards", &awards));
    }
    text
}

/// A list on one line, or, where it is too long for that, on several.
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
