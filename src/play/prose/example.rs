//! Examples of a rulebook: scenarios, which are tests of the rules, so that none can tell what is not so.

use super::check::scenarios;
use crate::definition::{Library, Text};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, unknown};
use crate::playthrough::{Playable, Playthrough};
use crate::scenario::Scenario;
use crate::table::event::Event;
use crate::work::Work;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The scenarios that a rulebook can show.
pub struct Examples<'a> {
    library: &'a Library,
    known: BTreeMap<String, Scenario>,
}

/// One of them, played.
pub struct Example {
    /// What it shows, in English; nothing where the section has words of its own.
    pub title: Text,
    /// The game where the first answer is open.
    pub before: Playthrough,
    /// The game where the answers have led.
    pub after: Playthrough,
}

impl<'a> Examples<'a> {
    /// Those of a game and of the games that it is laid over.
    pub fn of(loaded: &Playable, library: &'a Library) -> Self {
        Self { library, known: scenarios(loaded, library) }
    }

    /// Plays one; of several cases the first.
    ///
    /// # Errors
    /// There is none of that id; or it fails, so that it would tell what is not so.
    pub fn play(&self, (id, title, place): &(String, Option<Text>, Place)) -> Result<Example, Diagnostics> {
        let known = self.known.get(id);
        let scenario =
            known.ok_or_else(|| unknown("scenario", id, self.known.keys().map(String::as_str)).at(place.clone()))?;
        let (before, after, failed) = scenario.course(self.library, None, &Arc::<Work>::default())?;
        if let Some(errors) = failed {
            let message = format!("the example {id} of the rulebook is not so: the scenario fails");
            let first = Diagnostic::new(message).at(place.clone());
            return Err(Diagnostics::refuse(std::iter::once(first).chain(errors).collect())
                .err()
                .unwrap_or_else(|| Diagnostic::new("the scenario fails").into()));
        }
        let own = || Text { en: scenario.title.clone(), ja: None };
        Ok(Example { title: title.clone().unwrap_or_else(own), before, after })
    }
}

impl Example {
    /// Whether anybody was asked anything, so that the table was another before.
    pub fn has_answers(&self) -> bool {
        self.after.timeline().log().len() > self.before.timeline().log().len()
    }

    /// What happened from the first answer on; without answers, all that happened.
    pub fn events(&self) -> Vec<Event> {
        let before = self.before.timeline().log().len();
        let is_told = |event: &&Event| !self.has_answers() || event.moves > before;
        self.after.position().events.iter().filter(is_told).cloned().collect()
    }
}
