//! The decisions of a game, one after the other, as those saw them who were asked.

use crate::diagnostic::Diagnostics;
use crate::playthrough::Playthrough;
use crate::playthrough::log::Entry;
use crate::playthrough::observation::Observation;
use crate::playthrough::past::Past;
use crate::playthrough::track::Track;
use crate::script::Start;

impl Playthrough {
    /// The game as an agent sees it who is asked now, after its [`past`](Self::past); nothing where no decision is open.
    pub fn observation<'a>(&'a self, past: &'a Past) -> Option<Observation<'a>> {
        let open = self.position.open.as_deref()?;
        Some(Observation::new(&self.loaded.rules, self.track.run()?, open).after(past))
    }

    /// What was chosen so far that somebody may not know.
    pub fn past(&self) -> Past {
        self.track.past(self.timeline.log())
    }

    /// Goes through the log up to where the game stands, and shows each decision as an agent would have seen it, with
    /// the number of its move, from 1, and the positions of what was chosen; until `look` gives false.
    ///
    /// # Errors
    /// Somebody stopped the run.
    pub fn review(&self, mut look: impl FnMut(usize, &Observation<'_>, &[usize]) -> bool) -> Result<(), Diagnostics> {
        let rules = &self.loaded.rules;
        let log = self.timeline.log();
        let mut track = Track::new(rules.clone(), Start::Game, self.seed);
        let mut events = Vec::new();
        for (number, entry) in log.iter().enumerate() {
            let Entry::Choice { chosen, .. } = entry else { continue };
            track.follow(&log[..number], &mut events, None)?;
            let Some(run) = track.run() else { break };
            let Some(open) = run.table.open().cloned() else { break };
            let mut positions: Vec<usize> = Vec::with_capacity(chosen.len());
            for value in chosen.iter() {
                let is_meant = |position: &usize| {
                    !positions.contains(position)
                        && value.means(run.table.layout(), run.table.faces(), &open.options[*position].value)
                };
                positions.extend((0..open.options.len()).find(is_meant));
            }
            let past = track.past(&log[..number]);
            let seen = Observation::new(rules, run, &open).after(&past);
            if positions.len() == chosen.len() && !look(number + 1, &seen, &positions) {
                break;
            }
        }
        Ok(())
    }
}
