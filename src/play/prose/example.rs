//! Examples in a rulebook. They are scenarios, and so tested against the rules.

use super::check::scenarios;
use crate::catalogue::message;
use crate::definition::{Library, Text};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, unknown};
use crate::playthrough::rules_cache::RulesCache;
use crate::playthrough::{Playable, Playthrough};
use crate::scenario::Scenario;
use crate::sorted::SortedMap;
use crate::table::event::{Event, EventData};
use crate::work::Work;
use std::sync::{Arc, OnceLock};

/// The scenarios that a rulebook can show as examples.
pub struct Examples<'a> {
    library: &'a Library,
    /// The rules of the examples, of which most have the same.
    cache: RulesCache,
    /// The rules to show them under.
    loaded: &'a Playable,
    /// The scenarios by their ids, once one was asked for: most rulebooks have no examples.
    known: OnceLock<SortedMap<String, Scenario>>,
}

/// An example that was played.
pub struct Example {
    /// The caption: the section's words, or else the title of the scenario.
    pub title: Text,
    /// The game before the first answer, and after each answer except the last.
    pub before: Vec<Playthrough>,
    /// The game after the last answer.
    pub after: Playthrough,
}

/// The most moments shown of an example; of longer ones, only the two ends.
const MAX_SHOWN_MOMENTS: usize = 40;

impl<'a> Examples<'a> {
    /// The scenarios of a game and of the games it is based on.
    pub fn of(loaded: &'a Playable, library: &'a Library) -> Self {
        Self { library, cache: RulesCache::default(), loaded, known: OnceLock::new() }
    }

    /// Plays a scenario under the selected rules; of several cases the first. `None` where it passes under its own
    /// rules, but not under these.
    ///
    /// # Errors
    /// The id is unknown; or the scenario fails, so that the example would be wrong.
    pub fn play(&self, (id, title, place): &(String, Option<Text>, Place)) -> Result<Option<Example>, Diagnostics> {
        let known = self.known.get_or_init(|| scenarios(self.loaded, self.library));
        let unknown = || unknown("scenario", id, known.keys().map(String::as_str)).at(place.clone());
        let scenario = known.get(id).ok_or_else(unknown)?;
        let (rules, work) = ((self.library, &self.cache), Arc::<Work>::default());
        let Ok((course, None)) = scenario.under(&self.loaded.ruleset.selection).course(rules, None, &work) else {
            let (_, failed) = scenario.course(rules, None, &work)?;
            if let Some(errors) = failed {
                let message = message!("the example {id} of the rulebook is not so: the scenario fails");
                let first = Diagnostic::new(message).at(place.clone());
                Diagnostics::refuse(std::iter::once(first).chain(errors).collect())?;
            }
            return Ok(None);
        };
        let own = || Text::from(scenario.title.clone());
        let last = course.log.len();
        let is_long = last - course.given > MAX_SHOWN_MOMENTS;
        let before = (course.given..last).filter(|at| !is_long || *at == course.given);
        let before = before.map(|at| course.at(at)).collect::<Result<_, _>>()?;
        Ok(Some(Example { title: title.clone().unwrap_or_else(own), before, after: course.at(last)? }))
    }
}

impl Example {
    /// The events moment by moment, each with the game in which their subjects looked as at that time; all events at
    /// once for an example without answers.
    pub fn events(&self) -> Vec<(&Playthrough, Vec<Event>)> {
        // Random results, and how the example rigs them, show only in the table.
        let is_chance =
            |event: &Event| matches!(event.what, EventData::Shuffle { .. } | EventData::Intervention { .. });
        let happened = self.after.position().events.iter().filter(|event| !is_chance(event));
        if self.before.is_empty() {
            return vec![(&self.after, happened.cloned().collect())];
        }
        let mut told = Vec::new();
        for (before, after) in self.before.iter().zip(self.before.iter().skip(1).chain([&self.after])) {
            let moves = [before, after].map(|game| game.timeline().log().len());
            let own = happened.clone().filter(|event| (moves[0] + 1..=moves[1]).contains(&event.moves));
            let (chosen, caused): (Vec<Event>, Vec<Event>) =
                own.cloned().partition(|event| matches!(event.what, EventData::Choice { .. }));
            told.extend([(before, chosen), (after, caused)]);
        }
        told
    }
}
