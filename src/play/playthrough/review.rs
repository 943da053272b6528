//! The decisions of a game in order, each as the asked seat saw it.

use crate::diagnostic::Diagnostics;
use crate::playthrough::Playthrough;
use crate::playthrough::hidden_choices::{HiddenChoices, LogRecorder};
use crate::playthrough::log::Entry;
use crate::playthrough::observation::Observation;
use crate::script::End;
use crate::table::decision::{Answerer as _, Halt};
use crate::work::interrupted;

impl Playthrough {
    /// The game as the asked agent sees it, given its [`past`](Self::past); `None` where no decision is open.
    pub fn observation<'a>(&'a self, past: &'a HiddenChoices) -> Option<Observation<'a>> {
        let open = self.position.open.as_deref()?;
        Some(Observation::new(&self.loaded.rules, self.track.run()?, open).after(past))
    }

    /// The choices so far that are hidden from somebody.
    pub fn past(&self) -> HiddenChoices {
        self.track.past(self.timeline.log())
    }

    /// Calls `look` with each decision of the log up to the current point: the number of its move, from 1, the game as
    /// an agent would have seen it, and the positions of the chosen options. Ends when `look` returns `false`.
    ///
    /// # Errors
    /// The run was stopped.
    pub fn review(&self, mut look: impl FnMut(usize, &Observation<'_>, &[usize]) -> bool) -> Result<(), Diagnostics> {
        let rules = &self.loaded.rules;
        let log = self.timeline.log();
        let nothing = HiddenChoices::default();
        // A single run serves all decisions: it stops before each choice, then goes on with it.
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
            let past = if HiddenChoices::may_matter(&run.table, None) { &noting.past } else { &nothing };
            let seen = Observation::new(rules, &run, &open).after(past);
            if positions.len() == chosen.len() && !look(number + 1, &seen, &positions) {
                break;
            }
        }
        Ok(())
    }
}
