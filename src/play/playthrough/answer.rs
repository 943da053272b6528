//! Answers to the open decision: which labels fit, and why others do not.

use super::log::Entry;
use super::{Playthrough, spelling};
use crate::diagnostic::{Diagnostic, Diagnostics, Message, message};
use crate::table::decision::Decision;
use crate::table::layout::Layout;

impl Playthrough {
    /// Answers the open decision with the options that have these labels.
    ///
    /// # Errors
    /// No decision is open; a label is not among the options (with the reason if the rules gave one); or the number of
    /// options is wrong.
    pub fn choose(&mut self, labels: &[String]) -> Result<(), Diagnostics> {
        let Some(decision) = self.position.open.clone() else {
            return Err(Diagnostic::new("no decision is open").help("`undo` goes back to one, `quit` leaves").into());
        };
        self.fits(&decision, labels)?;
        let faces = &self.position.table.faces;
        let entry = Entry::choice_of(&self.loaded.layout, faces, &decision, labels.iter());
        self.append(entry).map(drop)
    }

    /// Rejects labels that do not answer a decision of this game.
    ///
    /// # Errors
    /// As [`choose`](Self::choose).
    pub fn fits(&self, decision: &Decision, labels: &[String]) -> Result<(), Diagnostics> {
        for label in labels {
            if !decision.options.iter().any(|option| option.label == *label) {
                return Err(not_an_option(&self.loaded.layout, decision, label).into());
            }
        }
        if let Some(twice) = labels.iter().enumerate().find(|(place, label)| labels[..*place].contains(label)) {
            return Err(Diagnostic::new(message!("{} is chosen twice", twice.1))
                .help("each option can be chosen once")
                .into());
        }
        if labels.len() < decision.min || labels.len() > decision.max {
            let chosen = match labels.len() {
                1 => "1 option was chosen".into(),
                count => message!("{count} options were chosen"),
            };
            let wanted = match (decision.min, decision.max) {
                (min, max) if min == max => Message::verbatim(min.to_string()),
                (min, max) => message!("{min} to {max}"),
            };
            let help = message!("choose {wanted}, with spaces between");
            return Err(Diagnostic::new(chosen).help(help).into());
        }
        Ok(())
    }
}

/// The error for a label that is not among the options, with the reason if the rules gave one.
fn not_an_option(layout: &Layout, decision: &Decision, label: &str) -> Diagnostic {
    if let Some((_, reason)) = decision.refused.iter().find(|(option, _)| option.label == label) {
        return spelling::not_allowed(layout, label, reason);
    }
    let labels: Vec<&str> = decision.options.iter().map(|option| option.label.as_str()).collect();
    let error = Diagnostic::new(message!("{label} is not among the options"));
    error.near_or(label, labels.iter().copied(), message!("the options are {}", labels.join(", ")))
}
