//! Examples of a rulebook: scenarios, which are tests of the rules, so that none can tell what is not so.

use super::check::scenarios;
use crate::definition::{Library, Text};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, unknown};
use crate::playthrough::{Playable, Playthrough};
use crate::ruleset::Selection;
use crate::scenario::Scenario;
use crate::table::event::{Event, What};
use crate::work::Work;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The scenarios that a rulebook can show.
pub struct Examples<'a> {
    library: &'a Library,
    /// The rules that they are shown under.
    rules: &'a Selection,
    known: BTreeMap<String, Scenario>,
}

/// One of them, played.
pub struct Example {
    /// What it shows; the title of the scenario where the section has no words of its own.
    pub title: Text,
    /// The game before the first answer and behind each answer but the last.
    pub before: Vec<Playthrough>,
    /// The game where the answers have led.
    pub after: Playthrough,
}

/// Longer examples are shown at their two ends alone.
const MOST_MOMENTS: usize = 40;

impl<'a> Examples<'a> {
    /// Those of a game and of the games that it is laid over.
    pub fn of(loaded: &'a Playable, library: &'a Library) -> Self {
        Self { library, rules: &loaded.ruleset.selection, known: scenarios(loaded, library) }
    }

    /// Plays one under the rules that were chosen; of several cases the first. Nothing if it is so under its own rules and
    /// not under these.
    ///
    /// # Errors
    /// There is none of that id; or it fails, so that it would tell what is not so.
    pub fn play(&self, (id, title, place): &(String, Option<Text>, Place)) -> Result<Option<Example>, Diagnostics> {
        let known = self.known.get(id);
        let scenario =
            known.ok_or_else(|| unknown("scenario", id, self.known.keys().map(String::as_str)).at(place.clone()))?;
        let work = Arc::<Work>::default();
        let Ok((course, None)) = scenario.under(self.rules).course(self.library, None, &work) else {
            let (_, failed) = scenario.course(self.library, None, &work)?;
            if let Some(errors) = failed {
                let message = format!("the example {id} of the rulebook is not so: the scenario fails");
                let first = Diagnostic::new(message).at(place.clone());
                Diagnostics::refuse(std::iter::once(first).chain(errors).collect())?;
            }
            return Ok(None);
        };
        let own = || Text { en: scenario.title.clone(), ja: None };
        let last = course.log.len();
        let is_long = last - course.given > MOST_MOMENTS;
        let before = (course.given..last).filter(|at| !is_long || *at == course.given);
        let before = before.map(|at| course.at(at)).collect::<Result<_, _>>()?;
        Ok(Some(Example { title: title.clone().unwrap_or_else(own), before, after: course.at(last)? }))
    }
}

impl Example {
    /// What happened, moment by moment: events with the game in which what they speak of looked as it did then. Of games
    /// without answers, all that happened.
    pub fn events(&self) -> Vec<(&Playthrough, Vec<Event>)> {
        // What chance did, and how the example saw to that, only shows in the table.
        let is_chance = |event: &Event| matches!(event.what, What::Shuffle { .. } | What::Intervention { .. });
        let happened = self.after.position().events.iter().filter(|event| !is_chance(event));
        if self.before.is_empty() {
            return vec![(&self.after, happened.cloned().collect())];
        }
        let mut told = Vec::new();
        for (before, after) in self.before.iter().zip(self.before.iter().skip(1).chain([&self.after])) {
            let moves = [before, after].map(|game| game.timeline().log().len());
            let own = happened.clone().filter(|event| (moves[0] + 1..=moves[1]).contains(&event.moves));
            let (chosen, caused): (Vec<Event>, Vec<Event>) =
                own.cloned().partition(|event| matches!(event.what, What::Choice { .. }));
            told.extend([(before, chosen), (after, caused)]);
        }
        told
    }
}
