//! Restrictions of a session while its viewer is a player.

use crate::catalogue::{Message, message};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::session::Session;
use crate::session::commands::Command;

impl Session {
    /// Whether the viewer may see the options of the open decision, and answer it.
    pub(super) fn shows_options(&self) -> bool {
        let open = self.playthrough.position().open.as_ref();
        open.is_none_or(|open| self.viewer.may_answer(open.seat))
    }

    /// The refusal to answer for another player, whose options the viewer does not see: options and their effects would
    /// reveal hidden facts.
    pub(super) fn hidden_options(&self) -> Diagnostic {
        let asked = self.playthrough.position().open.as_ref().and_then(|open| open.seat);
        let error = Diagnostic::new("this view does not show what others can choose");
        match asked {
            Some(asked) => error.help(message!("`as {asked}` answers as {asked}, `as all` shows everything")),
            None => error.help("`as all` shows everything"),
        }
    }

    /// Refuses a command that reveals or does what a player may not know.
    ///
    /// # Errors
    /// The viewer is a player.
    pub(super) fn needs_everything(&self, what: impl Into<Message>) -> Result<(), Diagnostics> {
        let what: Message = what.into();
        let told = match (self.viewer.is_limited(), self.viewer.seat()) {
            (false, _) => return Ok(()),
            (true, Some(seat)) => message!("{what} would reveal what {seat} may not know"),
            (true, None) => message!("{what} would reveal what not every player may know"),
        };
        Err(Diagnostic::new(told).help("type `as all` first; it shows everything").into())
    }

    /// Refuses a command that the viewer may not use, or that is not allowed under fair undo.
    ///
    /// # Errors
    /// The viewer is a player, or the game has fair undo.
    pub(super) fn allows(&self, command: &Command) -> Result<(), Diagnostics> {
        self.is_fair(command)?;
        match command.tells_all {
            true => self.needs_everything(Message::verbatim(format!("`{}`", command.name))),
            false => Ok(()),
        }
    }

    /// The failure of the rules, as far as the viewer may know it: its message can name hidden things.
    pub(super) fn visible_failure(&self, failed: &Diagnostics) -> Diagnostics {
        if !self.viewer.is_limited() {
            return failed.clone();
        }
        let mut told = Diagnostic::new("the rules fail here");
        told.severity = failed.first().severity;
        told.place.clone_from(&failed.first().place);
        if let Some(place) = &mut told.place {
            place.label = Message::default();
        }
        let who = self.viewer.seat();
        let who = who.map_or_else(|| Message::from("a player"), |seat| Message::verbatim(seat.to_string()));
        told.help(message!("the reason may reveal what {who} may not know; `as all` shows it")).into()
    }
}
