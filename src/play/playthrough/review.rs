//! The decisions of a game, one after the other, as those saw them who were asked.

use crate::diagnostic::Diagnostics;
use crate::playthrough::Playthrough;
use crate::playthrough::hidden_choices::{HiddenChoices, LogRecorder};
use crate::playthrough::log::Entry;
use crate::playthrough::observation::Observation;
use crate::script::End;
use crate::table::decision::{Answers as _, Halt};
use crate::work::interrupted;

impl Playthrough {
    /// The game as an agent sees it who is asked now, after its [`past`](Self::past); nothing where no decision is open.
    pub fn observation<'a>(&'a self, past: &'a HiddenChoices) -> Option<Observation<'a>> {
        let open = self.position.open.as_deref()?;
        Some(Observation::new(&self.loaded.rules, self.track.run()?, open).after(past))
    }

    /// What was chosen so far that somebody may not know.
    pub fn past(&self) -> HiddenChoices {
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
        let nothing = HiddenChoices::default();
        // One run for all of it: it stops before each choice, and goes on with it.
        let mut resolved = self.track.resolved().clone();
        let mut noting = LogRecorder::new(&[], &mut resolved, rules.work());
        let mut run = rules.begin(&self.start, self.seed);
        let mut has_begun = false;
        for (number, entry) in log.iter().enumerate() {
            let Entry::Choice { chosen, .. } = &**entry else { continue };
            noting.goes_on(&log[..number]);
            if !std::mem::replace(&mut has_begun, true) {
                noting.begin(&mut run.table);
            }
            let end = noting.go_on(rules, &mut run);
            if end == End::Halted(Halt::Stopped) {
                return Err(interrupted().into());
            }
            let Some(open) = run.table.open().cloned().filter(|_| end == End::Halted(Halt::Open)) else { break };
            let mut positions: Vec<usize> = Vec::with_capacity(chosen.len());
            for value in chosen.iter() {
                let is_meant = |position: &usize| {
                    !positions.contains(position)
                        && value.means(run.table.layout(), run.table.faces(), &open.options[*position].value)
                };
                positions.extend((0..open.options.len()).find(is_meant));
            }
            let past = if HiddenChoices::may_matter(&run.table, None) { noting.past() } else { &nothing };
            let seen = Observation::new(rules, &run, &open).after(past);
            if positions.len() == chosen.len() && !look(number + 1, &seen, &positions) {
                break;
            }
        }
        Ok(())
    }
}
