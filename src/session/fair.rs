//! Fair undo among players: a move can be taken back as long as nothing was revealed since.
//!
//! Designers go back and forth freely. Where a game is played for real ([`Undo::Fair`]), a move stays once chance was
//! drawn or somebody has seen something hidden after it; the refusal says which. Everything else that would lead before
//! such a moment, or reveal the future, is refused too; looking is free.

use crate::catalogue::{Message, message};
use crate::definition::ComponentKind;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::playthrough::Position;
use crate::session::Session;
use crate::session::commands::Command;
use crate::table::event::{Event, EventData};
use crate::table::knowledge::ComponentKnowledge;
use crate::table::value::{Component, Zone};

/// The mode of undo.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Undo {
    /// Any move can be taken back.
    #[default]
    Free,
    /// A move can be taken back until chance was drawn or something hidden was revealed.
    Fair,
}

impl Session {
    /// Sets the mode of undo.
    ///
    /// # Errors
    /// A game with fair undo has begun, and keeps it to its end.
    pub fn take_back(&mut self, undo: Undo) -> Result<(), Diagnostics> {
        if self.undo == Undo::Fair && undo == Undo::Free && !self.playthrough.timeline().log().is_empty() {
            return Err(Diagnostic::new("undo stays fair until the game is over")
                .help("`undo free` works before the first move; another session begins with free undo")
                .into());
        }
        self.undo = undo;
        Ok(())
    }

    /// Checks that a command is allowed under fair undo: none that changes the game by hand or its rules, or reveals
    /// future chance.
    ///
    /// # Errors
    /// The command is not allowed.
    pub(super) fn is_fair(&self, command: &Command) -> Result<(), Diagnostics> {
        if self.undo == Undo::Fair && command.is_for_designing { Err(unfair(command.name).into()) } else { Ok(()) }
    }

    /// Checks that an expression may be evaluated under fair undo.
    ///
    /// # Errors
    /// The game has fair undo.
    pub(super) fn is_fair_to_evaluate(&self) -> Result<(), Diagnostics> {
        if self.undo == Undo::Fair { Err(unfair("eval").into()) } else { Ok(()) }
    }

    /// Checks that going back to the first `entries` of this branch is fair.
    ///
    /// # Errors
    /// Something was revealed since, which the message names; or the work was stopped.
    pub(super) fn may_go_back(&self, entries: usize) -> Result<(), Diagnostics> {
        let timeline = self.playthrough.timeline();
        if self.undo == Undo::Free || entries >= timeline.cursor() {
            return Ok(());
        }
        let log = timeline.log().get(..entries).unwrap_or_default();
        let before = self.playthrough.loaded().follow(self.playthrough.seed, log)?.position;
        match self.revealed_since(&before) {
            Some(what) => Err(revealed_error(what)),
            None => Ok(()),
        }
    }

    /// Checks that returning to the previous game of a campaign is fair: the next one has revealed its start.
    ///
    /// # Errors
    /// A game with fair undo cannot be left before it is over.
    pub(super) fn may_leave_game(&self) -> Result<(), Diagnostics> {
        if self.undo == Undo::Free || !self.playthrough.undoes_game() {
            return Ok(());
        }
        Err(revealed_error("the next game has begun"))
    }

    /// Checks that going to a bookmark or branch is fair: it goes back to the last common move.
    ///
    /// # Errors
    /// The same as of [`Self::may_go_back`].
    pub(super) fn may_go_to(&self, name: &str) -> Result<(), Diagnostics> {
        let timeline = self.playthrough.timeline();
        let Some(there) = timeline.log_up_to(name) else { return Ok(()) };
        let common = timeline.log().iter().zip(there).take_while(|(here, there)| here == there).count();
        self.may_go_back(common)
    }

    /// The first thing revealed since an earlier position of the same game, by chance or to a player, in words.
    fn revealed_since(&self, before: &Position) -> Option<Message> {
        let now = self.playthrough.position();
        let mut since = now.events.since(before.events.len()).into_iter().flatten();
        since.find_map(|event| self.revealed_by_event(event, before)).or_else(|| self.revealed_without_event(before))
    }

    fn revealed_by_event(&self, event: &Event, before: &Position) -> Option<Message> {
        let layout = &self.playthrough.loaded().layout;
        let zone = |zone: Zone| &layout.zones[zone.index()].id;
        let was_unknown = |component: Component| {
            event.witnesses.what & layout.everybody & !before.table.known.of(component).face != 0
        };
        Some(match &event.what {
            EventData::Shuffle { zone: shuffled, bottom: Some(count), .. } => {
                message!("the bottom {count} of {} were shuffled", zone(*shuffled))
            }
            EventData::Shuffle { zone: shuffled, top: Some(count), .. } => {
                message!("the top {count} of {} were shuffled", zone(*shuffled))
            }
            EventData::Shuffle { zone: shuffled, .. } => message!("{} was shuffled", zone(*shuffled)),
            EventData::Roll { die, .. } => {
                let is_told = self.scene().observed_position().saw_component(event, *die);
                let name = || Message::verbatim(&*layout.faces[usize::from(before.table.faces[die.index()])].id);
                message!("{} was rolled", if is_told { name() } else { "a die".into() })
            }
            EventData::Lot { stream, .. } => message!("the lot {stream} was drawn"),
            EventData::ShowChoice { seat, prompt, .. } => message!("what {seat} chose for {prompt} was shown"),
            EventData::Choice { decision, .. } => {
                let together = decision.together?;
                let open = self.playthrough.position().open.as_ref();
                let is_going_on = open.is_some_and(|open| open.together == Some(together));
                return (!is_going_on).then(|| message!("all have chosen {}", decision.prompt));
            }
            EventData::Move { component, .. }
            | EventData::Reveal { component, .. }
            | EventData::Show { component, .. }
                if !was_unknown(*component) =>
            {
                return None;
            }
            EventData::Move { component, from, .. } => match from {
                Some(from) => message!("{} came out of {}", self.sort_of(*component), zone(*from)),
                None => message!("{} came into play", self.sort_of(*component)),
            },
            EventData::Reveal { component, .. } | EventData::Show { component, .. } => {
                message!("{} was shown", self.sort_of(*component))
            }
            // These follow from what is on the table and reveal nothing new.
            EventData::Award { .. }
            | EventData::Intervention { .. }
            | EventData::Metric { .. }
            | EventData::Note { .. }
            | EventData::Owner { .. }
            | EventData::Phase { .. }
            | EventData::Result { .. }
            | EventData::Round { .. }
            | EventData::Set { .. }
            | EventData::Side { .. }
            | EventData::Turn { .. } => return None,
        })
    }

    /// Something that somebody sees now without any event: the next card of a pile that is open on top.
    fn revealed_without_event(&self, before: &Position) -> Option<Message> {
        let (was, now) = (&before.table.known, &self.playthrough.position().table.known);
        let of = |what: fn(&ComponentKnowledge) -> u16| {
            was.components.iter().zip(&now.components).position(|(was, now)| what(now) & !what(was) != 0)
        };
        let handle = of(|known| known.face).or_else(|| of(|known| known.side))?;
        Some(message!("{} came to light", self.sort_of(Component(handle as u16))))
    }

    fn sort_of(&self, component: Component) -> Message {
        let faces = &self.playthrough.position().table.faces;
        let face = faces
            .get(component.index())
            .and_then(|&face| self.playthrough.loaded().layout.faces.get(usize::from(face)));
        match face.map(|face| face.kind) {
            Some(ComponentKind::Die) => "a die",
            Some(ComponentKind::Token) => "a token",
            Some(ComponentKind::Card) | None => "a card",
        }
        .into()
    }
}

/// The error that a move cannot be taken back, because `what` was revealed.
fn revealed_error(what: impl Into<Message>) -> Diagnostics {
    let what: Message = what.into();
    let error = Diagnostic::new(message!("this cannot be taken back: {what} since"));
    error.help("undo is fair in this game; `log`, `history` and `tree` show what happened").into()
}

fn unfair(command: &str) -> Diagnostic {
    Diagnostic::new(message!("`{command}` is for designing, and undo is fair in this game"))
        .help("a game played with `--undo fair` continues by its rules alone; without it, you can change everything")
}
