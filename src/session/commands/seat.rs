//! The command that seats people and agents.

use super::arguments::{Extent, Shape, Signature};
use super::shapes::seats;
use super::{Candidate, Command, Flow};
use crate::agent::{AgentKind, AgentSpec, KINDS};
use crate::catalogue::{said, say};
use crate::diagnostic::Diagnostic;
use crate::screen::style::{self, Line};
use crate::session::Session;
use crate::session::seats::{PERSON, player_named, seats_named};
use crate::table::value::Seat;

/// One seat, or all of them.
const SEATS: Shape<Vec<Seat>> = Shape {
    name: "pN|all",
    what: "a seat",
    lead: "",
    extent: Extent::Word,
    read: |session, text| Ok(seats_named(text, session.playthrough.seats)?),
    complete: |session, _| seats(session).chain([Candidate::new("all", said("every seat"))]).collect(),
};

/// An agent; `None` for a person.
const PLAYER: Shape<Option<AgentSpec>> = Shape {
    name: "AGENT|person",
    what: "an agent",
    lead: "",
    extent: Extent::Word,
    read: |session, text| Ok(player_named(text, session.surroundings.clock())?),
    complete: |_, _| agents().chain([Candidate::new(PERSON, said("whoever types here"))]).collect(),
};

pub(super) const SEAT: Command = Command {
    name: "seat",
    about: "let an agent or a person play a seat; alone, list who plays",
    help: "An agent answers as soon as its seat is asked, and its choices go into the log like any others. You then \
           see the table as the person at it does, or, with several persons, as the one who is asked; `as all` shows \
           everything. In real time, the clock decides who acts. If agents play all seats, nothing happens until you \
           type `auto` or `until`.",
    examples: &["seat", "seat p2 random", "seat p2 search:50", "seat all person"],
    signatures: &[
        &Signature((), |session, ()| {
            let mut lines = who_plays(session);
            let known = std::iter::once(PERSON).chain(KINDS.iter().map(|kind| kind.name));
            lines.push(Line::faint(say!("who can play: {}", known.collect::<Vec<_>>().join(said(", ")))));
            Ok(Flow::Show(lines))
        }),
        &Signature((SEATS, PLAYER), |session, (seats, player)| {
            let position = session.playthrough.position();
            if position.open.is_none() && position.failed.is_none() {
                return Err(Diagnostic::new("the game is over, and nobody is asked any more")
                    .help("`undo` goes back to a decision")
                    .into());
            }
            let events = position.events.len();
            session.seat(&[(seats, player)])?;
            let mut lines = who_plays(session);
            lines.push(Line::default());
            let has_played = session.playthrough.position().events.len() > events;
            lines.extend(if has_played { session.events_and_table(events) } else { session.look() });
            Ok(Flow::Show(lines))
        }),
    ],
    ..super::play::FORWARD
};

fn who_plays(session: &Session) -> Vec<Line> {
    let agents = session.players.agents().iter().zip(1..);
    let line = |(agent, number): (&Option<AgentSpec>, usize)| match agent {
        Some(agent) => {
            let lead = Line::plain(format!("p{number}  {agent}  "));
            let room = session.width.saturating_sub(lead.width());
            style::hang(lead, style::wrapped(said(agent.about()), room))
        }
        None => vec![Line::plain(format!("p{number}  {}", said(PERSON)))],
    };
    agents.flat_map(line).collect()
}

/// All agents by name; those that take a budget in every form.
pub(super) fn agents() -> impl Iterator<Item = Candidate> {
    candidates(KINDS.iter())
}

/// The completions for agents of these kinds: each name, also with each form of its budget.
pub(super) fn candidates(kinds: impl Iterator<Item = &'static AgentKind>) -> impl Iterator<Item = Candidate> {
    kinds.flat_map(|kind| {
        let budgets = kind.budgets.iter().map(|(text, about)| Candidate::new(*text, *about));
        std::iter::once(Candidate::new(kind.name, kind.about)).chain(budgets)
    })
}
