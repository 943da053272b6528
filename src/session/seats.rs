//! The players at the seats: people, and agents that answer as soon as they are asked.

use crate::agent::{AgentSpec, KINDS, SeatedAgents, unknown_agent};
use crate::catalogue::message;
use crate::diagnostic::{Diagnostic, Diagnostics, unknown_or};
use crate::playthrough::log::Entry;
use crate::playthrough::run::Until;
use crate::screen::style::Line;
use crate::session::Session;
use crate::session::fair::Undo;
use crate::session::table_face::TableReach;
use crate::table::knowledge::Viewer;
use crate::table::value::{Seat, Seats};
use crate::work::Clock;
use serde::{Deserialize, Serialize};

/// The name of a person's place at a seat, in contrast to an agent's.
pub const PERSON: &str = "person";

/// The viewer name for a screen that all players see.
pub const PUBLIC: &str = "public";

/// The part of a session's seating that is restored after it was killed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Seating {
    /// The agent of each seat by name, `None` for a person. Empty where no agent plays.
    pub agents: Vec<Option<String>>,
    /// The argument of the last `as`; `None` where the view follows the seats.
    pub view: Option<String>,
    /// The links of the live table, each with its face, so that their holders find the table again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<(String, String)>,
    /// The reach of these links.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reach: Option<TableReach>,
}

/// The people and agents at the seats.
#[derive(Clone, Debug, Default)]
pub(super) struct Players {
    /// The agent of each seat, `None` for a person.
    agents: Vec<Option<AgentSpec>>,
    /// The seats of remote players, one bit each.
    elsewhere: u16,
    /// Whether the viewer follows the person who is asked; `as` ends that.
    view_follows: bool,
}

impl Players {
    /// People at all seats.
    pub(super) fn persons(seats: usize) -> Self {
        Self { agents: vec![None; seats], elsewhere: 0, view_follows: false }
    }

    /// The agent of each seat, in order; `None` for a person.
    pub(super) fn agents(&self) -> &[Option<AgentSpec>] {
        &self.agents
    }

    /// Whether both people and agents play. Where agents have all seats, the person watches and drives.
    fn is_mixed(&self) -> bool {
        self.agents.iter().any(Option::is_some) && self.agents.iter().any(Option::is_none)
    }

    fn is_person(&self, seat: Seat) -> bool {
        self.agents.get(seat.index()).is_none_or(Option::is_none)
    }

    pub(super) fn set_elsewhere(&mut self, seat: Seat, is_elsewhere: bool) {
        self.elsewhere = if is_elsewhere { self.elsewhere | seat.bit() } else { self.elsewhere & !seat.bit() };
    }

    pub(super) fn is_elsewhere(&self, seat: Seat) -> bool {
        self.elsewhere & seat.bit() != 0
    }

    pub(super) fn is_any_elsewhere(&self) -> bool {
        self.elsewhere != 0
    }

    /// The seats of the people at this face.
    fn seats_here(&self) -> Vec<Seat> {
        self.persons_seats().into_iter().filter(|seat| !self.is_elsewhere(*seat)).collect()
    }

    fn persons_seats(&self) -> Vec<Seat> {
        Seats::all(self.agents.len()).into_iter().filter(|seat| self.is_person(*seat)).collect()
    }
}

/// The seats meant by `p2` or `all`.
///
/// # Errors
/// There is no such seat.
pub fn seats_named(typed: &str, seats: usize) -> Result<Vec<Seat>, Diagnostics> {
    let all: Vec<Seat> = Seats::all(seats).into_iter().collect();
    if typed == "all" {
        return Ok(all);
    }
    let number = typed.strip_prefix('p').unwrap_or(typed).parse().ok();
    let found = all.into_iter().find(|seat| Some(seat.number()) == number);
    found
        .map(|seat| vec![seat])
        .ok_or_else(|| unknown_or("seat", typed, [], message!("write p1 to p{seats}, or `all`")).into())
}

/// The agent with a name; `None` for a person.
///
/// # Errors
/// There is no such agent; the nearest is suggested.
pub fn player_named(name: &str, clock: Option<Clock>) -> Result<Option<AgentSpec>, Diagnostics> {
    if name == PERSON {
        return Ok(None);
    }
    let kind = name.split(':').next().unwrap_or_default().trim();
    if KINDS.iter().all(|known| known.name != kind) {
        return Err(unknown_agent(name, &[PERSON]).into());
    }
    AgentSpec::parse(name, clock).map(Some)
}

impl Session {
    /// The seating, to restore it after the session is killed.
    pub fn seating(&self) -> Seating {
        let agents = &self.players.agents;
        let names = agents.iter().map(|agent| agent.map(|agent| agent.to_string()));
        let is_usual = self.players.view_follows || (self.viewer == Viewer::Everything && !self.players.is_mixed());
        Seating {
            agents: if agents.iter().any(Option::is_some) { names.collect() } else { Vec::new() },
            view: (!is_usual).then(|| match self.viewer {
                Viewer::Everything => "all".to_owned(),
                Viewer::Seat(seat) => seat.to_string(),
                Viewer::Memory(seat) => format!("{seat} memory"),
                Viewer::Public(_) => PUBLIC.to_owned(),
            }),
            links: self.table_server.as_ref().map_or_else(|| self.links_before.0.clone(), |server| server.secrets()),
            reach: self.table_server.as_ref().map_or_else(|| self.links_before.1.clone(), |server| server.reach()),
        }
    }

    /// Restores the seating of a killed session.
    ///
    /// # Errors
    /// There is no such agent or viewer, or the work was stopped.
    pub(super) fn restore_seating(&mut self, seating: &Seating) -> Result<(), Diagnostics> {
        let clock = self.surroundings.clock();
        let agents = seating.agents.iter().zip(Seats::all(self.playthrough.seats));
        let player = |(agent, seat): (&Option<String>, Seat)| {
            Ok((vec![seat], player_named(agent.as_deref().unwrap_or(PERSON), clock)?))
        };
        let orders = agents.map(player).collect::<Result<Vec<_>, Diagnostics>>()?;
        self.seat(&orders)?;
        self.links_before = (seating.links.clone(), seating.reach.clone());
        if let Some(view) = &seating.view {
            self.line(&format!("as {view}"))?;
        }
        Ok(())
    }

    /// Assigns people or agents to seats, and lets agents answer that are asked now.
    ///
    /// # Errors
    /// The work was stopped.
    pub fn seat(&mut self, orders: &[(Vec<Seat>, Option<AgentSpec>)]) -> Result<(), Diagnostics> {
        for (seat, player) in orders.iter().flat_map(|(seats, player)| seats.iter().map(move |seat| (seat, player))) {
            if let Some(place) = self.players.agents.get_mut(seat.index()) {
                *place = *player;
            }
        }
        let is_new = self.is_saved() && self.playthrough.timeline().log().is_empty();
        // The viewer chosen with `as` stays until another `as`.
        let said = (!self.players.view_follows && self.viewer.is_limited()).then_some(self.viewer);
        self.adapt_seating();
        said.into_iter().for_each(|viewer| self.set_viewer(viewer));
        self.play_agents()?;
        // A game in which no person has acted yet is no loss.
        if is_new {
            self.mark_saved();
        }
        Ok(())
    }

    /// Adapts the seating to another game: it stays if the number of seats is the same.
    pub(super) fn adapt_seating(&mut self) {
        if self.players.agents.len() != self.playthrough.seats {
            self.players = Players::persons(self.playthrough.seats);
        }
        self.players.view_follows = self.players.is_mixed();
        self.viewer = Viewer::Everything;
        self.update_viewer();
    }

    /// Sets the viewer, independent of who is asked.
    pub(super) fn set_viewer(&mut self, viewer: Viewer) {
        self.viewer = viewer;
        self.players.view_follows = false;
    }

    /// Lets agents answer up to a person's next decision, or to the end. Without people at the table, nothing happens.
    ///
    /// # Errors
    /// The work was stopped.
    pub(super) fn play_agents(&mut self) -> Result<(), Diagnostics> {
        while self.waits_for_agents()
            && let Some(seated_agents) = self.seated_agents()
        {
            let persons = self.players.persons_seats();
            // Answers already given to a simultaneous choice are kept.
            let waiting = self.playthrough.waiting_answers();
            self.playthrough.advance(Box::new(seated_agents), Until::Asked(persons))?;
            self.tell_faults();
            if !self.playthrough.give_back(waiting)? {
                break;
            }
        }
        self.update_viewer();
        Ok(())
    }

    /// Lets agents answer: up to a person's decision or, without people at the table, at most `decisions`. Gives the
    /// number of choices made.
    ///
    /// # Errors
    /// The work was stopped.
    pub fn drive(&mut self, decisions: usize) -> Result<usize, Diagnostics> {
        if self.waits_for_agents() {
            let before = self.playthrough.timeline().cursor();
            self.play_agents()?;
            return Ok(self.playthrough.timeline().cursor().saturating_sub(before));
        }
        let seated_agents = self.seated_agents().filter(|_| !self.players.is_mixed());
        match seated_agents.filter(|_| self.playthrough.position().open.is_some()) {
            Some(seated_agents) => {
                let count = self.playthrough.advance(Box::new(seated_agents), Until::Decisions(decisions))?;
                self.tell_faults();
                Ok(count)
            }
            None => Ok(0),
        }
    }

    /// After a line, lets agents answer that are asked now. Their actions and the new table then replace the output
    /// `lines`.
    ///
    /// # Errors
    /// The work was stopped.
    pub(super) fn go_on(&mut self, mut lines: Vec<Line>) -> Result<Vec<Line>, Diagnostics> {
        if !self.players.is_mixed() {
            return Ok(lines);
        }
        let (look, viewer, waits) = (self.look(), self.viewer, self.waits_for_agents());
        let events = self.playthrough.position().events.len();
        self.play_agents()?;
        if !waits && viewer == self.viewer {
            return Ok(lines);
        }
        if lines.ends_with(&look) {
            lines.truncate(lines.len() - look.len());
        }
        if lines.last().is_some_and(|line| !line.is_empty()) {
            lines.push(Line::default());
        }
        lines.extend(if waits { self.events_and_table(events) } else { self.look() });
        Ok(lines)
    }

    /// Whether agents have to answer the open decision.
    pub(super) fn waits_for_agents(&self) -> bool {
        let open = self.playthrough.position().open.as_ref();
        self.players.is_mixed()
            && open.is_some_and(|open| match open.seat {
                Some(seat) => !self.players.is_person(seat),
                // With remote players, time passes for real.
                None => open.by_clock.is_some() && !self.players.is_any_elsewhere(),
            })
    }

    /// Agents for every seat, with random play for people's; `None` where only people play.
    pub(super) fn seated_agents(&self) -> Option<SeatedAgents> {
        let agents = self.players.agents.iter();
        let specs: Vec<_> = agents.clone().map(|agent| agent.unwrap_or(AgentSpec::Random)).collect();
        agents.clone().any(Option::is_some).then(|| SeatedAgents::new(self.playthrough.seed, &specs))
    }

    /// Undoes one step; with agents at the table, back to a person's previous decision.
    ///
    /// # Errors
    /// There is nothing to undo, or the work was stopped.
    pub(super) fn undo(&mut self) -> Result<String, Diagnostics> {
        self.may_leave_game()?;
        if !self.players.is_mixed() || self.playthrough.undoes_rules() {
            if let Some(entries) = self.playthrough.timeline().cursor().checked_sub(1) {
                self.may_go_back(entries)?;
            }
            return self.playthrough.undo();
        }
        let cursor = self.playthrough.timeline().cursor();
        let Some(entries) =
            (self.playthrough.beginning()..cursor).rev().find(|&entries| self.is_persons_move(entries, cursor))
        else {
            return Err(Diagnostic::new("no person has done anything before this")
                .help("`seat all person` lets you go back beyond what the agents did")
                .into());
        };
        self.may_go_back(entries)?;
        self.step_to(entries, entries)
    }

    /// Redoes one step; with agents at the table, up to a person's next decision.
    ///
    /// # Errors
    /// There is nothing to redo, or the work was stopped.
    pub(super) fn redo(&mut self) -> Result<String, Diagnostics> {
        if !self.players.is_mixed() || self.playthrough.redoes_rules() {
            return self.playthrough.redo();
        }
        let (cursor, end) = (self.playthrough.timeline().cursor(), self.playthrough.timeline().current().log.len());
        if cursor == end {
            return self.playthrough.redo();
        }
        let entries = (cursor + 1..end).find(|&entries| self.is_persons_move(entries, end)).unwrap_or(end);
        self.step_to(entries, cursor)
    }

    /// Undoes or redoes all but the last `but` of `count` steps at once, where each is one log entry. Gives their
    /// number.
    ///
    /// # Errors
    /// The work was stopped.
    pub(super) fn skip(&mut self, count: usize, but: usize, backwards: bool) -> Result<usize, Diagnostics> {
        if self.players.is_mixed() || backwards && self.undo == Undo::Fair {
            Ok(0)
        } else {
            self.playthrough.skip(count, but, backwards)
        }
    }

    /// The index of the log entry that the next `undo` or `redo` reports; `None` for a change of the rules.
    pub(super) fn step(&self, backwards: bool) -> Option<usize> {
        let cursor = self.playthrough.timeline().cursor();
        if !backwards {
            return (!self.playthrough.redoes_rules()).then_some(cursor);
        }
        if self.playthrough.undoes_rules() {
            return None;
        }
        if !self.players.is_mixed() {
            return cursor.checked_sub(1);
        }
        (self.playthrough.beginning()..cursor).rev().find(|&entries| self.is_persons_move(entries, cursor))
    }

    /// Goes to a position of the branch, and gives the log entry at `told` in words.
    fn step_to(&mut self, entries: usize, told: usize) -> Result<String, Diagnostics> {
        let entry = self.playthrough.timeline().current().log.get(told).map(ToString::to_string);
        self.playthrough.go_to(entries)?;
        Ok(entry.unwrap_or_default())
    }

    /// Whether the position after `entries` of this branch is a person's decision; entries from `end` on do not count.
    /// Changes by hand precede the choice that they were made for.
    fn is_persons_move(&self, entries: usize, end: usize) -> bool {
        let log = &self.playthrough.timeline().current().log;
        let asked = log.get(entries..end).unwrap_or_default().iter().find_map(|entry| match &**entry {
            Entry::Choice { seat, .. } => Some(*seat),
            _ => None,
        });
        let open = || self.playthrough.position().open.as_ref().and_then(|open| open.seat);
        asked.unwrap_or_else(open).is_some_and(|seat| self.players.is_person(seat))
    }

    /// Sets the viewer to the only person, or to the one who is asked; unchanged where no person is asked.
    pub(super) fn update_viewer(&mut self) {
        if !self.players.view_follows {
            return;
        }
        let persons = self.players.seats_here();
        let asked = self.playthrough.position().open.as_ref().and_then(|open| open.seat);
        let asked = asked.filter(|seat| persons.contains(seat));
        match (persons.as_slice(), asked) {
            // All people play remotely, and the person here watches.
            ([], _) if self.players.is_any_elsewhere() => self.viewer = Viewer::Everything,
            ([only], _) => self.viewer = Viewer::Seat(*only),
            (_, Some(asked)) => self.viewer = Viewer::Seat(asked),
            // Before the first decision, only the first person's hidden cards may be shown.
            ([first, ..], None) if self.viewer == Viewer::Everything => self.viewer = Viewer::Seat(*first),
            _ => {}
        }
    }
}
