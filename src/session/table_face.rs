//! The other faces of a session beside its prompt: answers given there, announcements to them, and the interface of
//! their server.

use crate::definition::Scalar;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::playthrough::log::{CLOCK, Entry};
use crate::playthrough::playtest::MarkKind;
use crate::screen::plot::page::{Page, body};
use crate::screen::style::Line;
use crate::session::Session;
use crate::session::commands::Flow;
use crate::session::jobs::DoneSignal;
use crate::table::decision::Decision;
use crate::table::knowledge::Viewer;
use crate::table::value::{Seat, Value};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// A face of the live table, by its audience.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Face {
    /// The designer's page: sees and does what the prompt does.
    Designer,
    /// A player's page: sees what that seat may know, and answers for it.
    Player(Seat),
    /// A public screen: shows what every player may see, and does nothing.
    Screen,
}

impl fmt::Display for Face {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Designer => out.write_str("all"),
            Self::Player(seat) => seat.fmt(out),
            Self::Screen => out.write_str(super::seats::PUBLIC),
        }
    }
}

/// The reach of a live table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableReach {
    /// Whether the local network may reach it, and not only this computer.
    pub is_in_network: bool,
    /// The port tried first; any free one where it is taken or 0.
    pub port: u16,
    /// The public address of a proxy in front of it, such as `https://table.example`.
    pub address: Option<String>,
}

impl Default for TableReach {
    /// Only this computer, on a fixed port where that is free, so that links stay valid.
    fn default() -> Self {
        Self { is_in_network: false, port: 8417, address: None }
    }
}

/// The last announcement to the other faces, beside the results of lines.
#[derive(Clone, Debug, Default)]
pub struct Announcement {
    /// The number of announcements so far.
    pub count: u64,
    /// The lines of the last announcement.
    pub lines: Vec<Line>,
    /// The last figures, as part of a page.
    pub figures: Option<Arc<str>>,
}

/// The arrival times of the answers to a simultaneous choice, in milliseconds since the game began.
#[derive(Debug, Default)]
pub(super) struct ArrivalTimes {
    /// The number of the choice.
    together: Option<u32>,
    /// The question of the choice.
    prompt: Option<Arc<str>>,
    /// The seats with their times, in order of arrival.
    moments: Vec<(Seat, i64)>,
}

impl ArrivalTimes {
    /// Notes an answer. A seat that answers again counts from then.
    fn note(&mut self, decision: &Decision, seat: Seat, moment: i64) {
        if self.together != decision.together {
            self.moments.clear();
        }
        (self.together, self.prompt) = (decision.together, Some(decision.prompt.clone()));
        self.moments.retain(|(known, _)| *known != seat);
        self.moments.push((seat, moment));
    }
}

/// A link to a face.
#[derive(Clone, Debug)]
pub struct FaceLink {
    /// The face that it opens.
    pub face: Face,
    /// The URL, including the secret.
    pub address: String,
    /// The URL as a QR code, in lines of half blocks; empty where it does not fit a terminal.
    pub picture: Vec<String>,
    /// The number of pages open through it now.
    pub watching: usize,
}

/// The server of the live table, as commands use it.
pub trait TableServer: Send {
    /// The link of a face, the existing one if there is one. The first link starts the server.
    ///
    /// # Errors
    /// No port is available.
    fn link(&mut self, face: Face) -> Result<FaceLink, Diagnostics>;

    /// All links.
    fn links(&self) -> Vec<FaceLink>;

    /// The faces with their secrets: only for the journal, so that the links survive a killed session.
    fn secrets(&self) -> Vec<(String, String)>;

    /// The reach of the table; `None` while the server is not listening.
    fn reach(&self) -> Option<TableReach>;

    /// Revokes the link of a face, which closes its pages. Gives whether there was one.
    fn revoke(&mut self, face: Face) -> bool;

    /// Opens the table to the local network, or restricts it to this computer.
    ///
    /// # Errors
    /// No port is available there.
    fn reach_network(&mut self, is_wanted: bool) -> Result<(), Diagnostics>;
}

impl Session {
    /// Sets the server of the live table that commands can start.
    pub fn set_table_server(&mut self, server: Box<dyn TableServer>) {
        self.table_server = Some(server);
    }

    /// Adds a player's mark at the current position to the playtest record.
    ///
    /// # Errors
    /// There are too many marks.
    pub fn mark(&mut self, seat: Seat, kind: MarkKind, words: &str) -> Result<(), Diagnostics> {
        let log = self.playthrough.timeline().log().to_vec();
        match self.playthrough.playtest.mark(seat, kind, words.to_owned(), &log) {
            true => Ok(()),
            false => Err(Diagnostic::new("this game has as many marks as can be kept").into()),
        }
    }

    /// Notes a seat's thinking time for its next choice.
    pub fn note_thinking(&mut self, seat: Seat, milliseconds: u64) {
        self.thoughts.retain(|(known, _)| *known != seat);
        self.thoughts.push((seat, milliseconds));
    }

    /// Records the noted thinking times for choices in the log from index `from` on.
    fn record_thinking(&mut self, from: usize) {
        let log = self.playthrough.timeline().log();
        let mut recorded = Vec::new();
        for (place, entry) in log.iter().enumerate().skip(from) {
            let Entry::Choice { seat: Some(seat), .. } = &**entry else { continue };
            if let Some(found) = self.thoughts.iter().position(|(known, _)| known == seat) {
                let (seat, milliseconds) = self.thoughts.remove(found);
                recorded.push((seat, milliseconds, place, entry.clone()));
            }
        }
        for (seat, milliseconds, place, entry) in recorded {
            self.playthrough.playtest.thought(seat, milliseconds, place, entry);
        }
    }

    /// Whether others may watch the game, so that long work must not hold it.
    pub(super) fn has_faces(&self) -> bool {
        self.table_server.as_ref().is_some_and(|server| !server.secrets().is_empty())
    }

    /// The server of the live table.
    ///
    /// # Errors
    /// There is no server here.
    pub(super) fn table_server(&mut self) -> Result<&mut dyn TableServer, Diagnostics> {
        match &mut self.table_server {
            Some(server) => Ok(&mut **server),
            None => Err(Diagnostic::new("there is no live table here").into()),
        }
    }

    /// Sets the callback for when the game may look different, for the other faces.
    pub fn on_change(&mut self, changed: DoneSignal) {
        self.changed = Some(changed);
    }

    /// Announces lines to the designer's other faces, as the prompt shows them beside the results of lines.
    pub(super) fn announce(&mut self, lines: &[Line]) {
        (self.announced.count, self.announced.lines) = (self.announced.count + 1, lines.to_vec());
        self.tell_change();
    }

    /// Announces figures, drawn on a page as plots under a title line.
    pub(super) fn announce_figures(&mut self, of: Line, drawn: &Page) {
        self.announced.figures = Some(body(drawn).into());
        self.announce(&[of]);
    }

    /// The last announcement beside the results of lines.
    pub fn announced(&self) -> &Announcement {
        &self.announced
    }

    /// Tells the other faces to update.
    pub(super) fn tell_change(&self) {
        if let Some(changed) = &self.changed {
            changed();
        }
    }

    /// Marks the player of a seat as remote, or as present here.
    pub fn set_elsewhere(&mut self, seat: Seat, is_elsewhere: bool) {
        self.players.set_elsewhere(seat, is_elsewhere);
        self.update_viewer();
    }

    /// Whether time passes in real time: some players are remote, and the rules have a clock.
    pub fn is_in_real_time(&self) -> bool {
        let open = self.playthrough.position().open.as_ref();
        self.players.is_any_elsewhere() && open.is_some_and(|open| open.by_clock.is_some() || open.deadline.is_some())
    }

    /// The next action in real time if nobody acts, of an agent or a deadline: its moment, in milliseconds since the
    /// game began, the seat, and the option.
    pub fn next_timed_action(&self) -> Option<(i64, Option<Seat>, String)> {
        let position = self.playthrough.position();
        let open = position.open.as_ref().filter(|_| self.is_in_real_time())?;
        let clock = &position.table.clock;
        let acting = open.options.iter().filter(|_| open.by_clock.is_some()).filter_map(|option| match option.value {
            Value::Seat(seat) if self.agent_of(seat).is_some() => {
                Some((clock.now() + clock.busy(seat), None, option.label.clone()))
            }
            _ => None,
        });
        let deadline = open.deadline.zip(open.options.last());
        let deadline = deadline.map(|(moment, option)| (moment, open.seat, option.label.clone()));
        acting.chain(deadline).min_by_key(|(moment, ..)| *moment)
    }

    /// Whether the player of a seat is remote.
    pub fn is_elsewhere(&self, seat: Seat) -> bool {
        self.players.is_elsewhere(seat)
    }

    /// The name of the agent at a seat; `None` for a person.
    pub fn agent_of(&self, seat: Seat) -> Option<String> {
        self.players.agents().get(seat.index()).copied().flatten().map(|agent| agent.to_string())
    }

    /// Begins work that nobody at the prompt waits for. If the prompt is idle, Ctrl-C still ends the program.
    pub fn begin_elsewhere(&self) {
        if !self.work.is_idle() {
            self.work.begin();
        }
    }

    /// Answers for a seat from another face, even if the rules ask another seat first; `None` answers for the clock in
    /// real time. If a `moment` is given, the clock first advances to it; afterwards agents play. Gives what happened,
    /// as the designer sees it.
    ///
    /// # Errors
    /// The debugger is open, the seat is not asked, the labels do not fit, or the rules fail.
    pub fn choose_as(
        &mut self,
        seat: Option<Seat>,
        labels: &[String],
        moment: Option<i64>,
    ) -> Result<Vec<Line>, Diagnostics> {
        if self.debugger.is_some() {
            return Err(Diagnostic::new("the game is held in the debugger")
                .help("it goes on when whoever has the session leaves that")
                .into());
        }
        crate::catalogue::speak(self.language);
        self.begin_elsewhere();
        let (events, had_failed) =
            (self.playthrough.position().events.len(), self.playthrough.position().failed.is_some());
        let asked = self.playthrough.asked();
        let decision = asked.iter().find(|decision| decision.seat == seat);
        // A refused answer changes nothing, not even the clock.
        if let Err(error) = decision.map_or(Ok(()), |decision| self.playthrough.fits(decision, labels)) {
            self.thoughts.retain(|(known, _)| Some(*known) != seat);
            return Err(error);
        }
        let moment = moment.filter(|_| decision.is_some());
        if let Some(moment) = moment.filter(|moment| *moment > self.playthrough.position().table.clock.now()) {
            let waiting = self.playthrough.waiting_answers();
            self.playthrough.intervene(Entry::Set { variable: CLOCK.to_owned(), value: Scalar::Number(moment) })?;
            self.playthrough.give_back(waiting)?;
        }
        let together = decision.filter(|decision| decision.together.is_some());
        if let (Some(seat), Some(moment), Some(decision)) = (seat, moment, together) {
            self.arrivals.note(decision, seat, moment);
        }
        let before = self.playthrough.timeline().cursor();
        let chosen = match seat {
            Some(seat) => self.playthrough.choose_as(seat, labels),
            None => self.playthrough.choose(labels),
        };
        self.record_thinking(before);
        chosen?;
        let before = self.playthrough.timeline().cursor();
        self.play_agents()?;
        if let Some(first) = self.first_by_arrival() {
            self.playthrough.choose(&[first])?;
            self.play_agents()?;
        }
        self.record_thinking(before);
        self.tell_faults();
        self.tell_change();
        match &self.playthrough.position().failed {
            Some(failed) if !had_failed => Err(self.visible_failure(failed)),
            _ => Ok(self.events_and_table(events)),
        }
    }

    /// The option naming the seat whose answer to a simultaneous choice arrived first, where the rules now ask for
    /// that. If an idle agent is among the options, the clock decides, because agents take no time to answer.
    fn first_by_arrival(&mut self) -> Option<String> {
        let open = self.playthrough.position().open.clone()?;
        if open.together.is_some() {
            return None;
        }
        let arrivals = std::mem::take(&mut self.arrivals);
        if open.by_clock.is_none() || open.deadline.is_some() || arrivals.prompt.as_deref() != Some(&open.prompt) {
            return None;
        }
        let mut first: Option<(i64, &str)> = None;
        for option in &open.options {
            let Value::Seat(seat) = option.value else { return None };
            let moment = arrivals.moments.iter().find(|(known, _)| *known == seat).map(|(_, moment)| *moment);
            match moment {
                Some(moment) if first.is_none_or(|(before, _)| moment < before) => {
                    first = Some((moment, &option.label))
                }
                Some(_) => {}
                None if self.agent_of(seat).is_none() => return None,
                None if self.playthrough.position().table.clock.busy(seat) == 0 => return None,
                None => {}
            }
        }
        first.map(|(_, label)| label.to_owned())
    }

    /// Runs a line with a player's view, and gives the output, without file and line of rules in causes: those concern
    /// only the designer. The session's viewer stays the same.
    ///
    /// # Errors
    /// The same as of [`line`](Self::line).
    pub fn line_as_player(&mut self, seat: Seat, line: &str) -> Result<Vec<Line>, Diagnostics> {
        self.has_commands = false;
        let said = self.line_as(Viewer::Seat(seat), line);
        self.has_commands = true;
        said
    }

    /// Runs a line with another viewer, and gives the output. The session's viewer stays the same.
    ///
    /// # Errors
    /// The same as of [`line`](Self::line).
    pub fn line_as(&mut self, viewer: Viewer, line: &str) -> Result<Vec<Line>, Diagnostics> {
        let own = std::mem::replace(&mut self.viewer, viewer);
        let last_error = self.last_error.clone();
        let flow = self.line(line);
        (self.viewer, self.last_error) = (own, last_error);
        match flow? {
            Flow::Show(lines) | Flow::Page(lines) => Ok(lines),
            Flow::Ask(question) => Err(question.refusal),
            Flow::Quit => Ok(Vec::new()),
        }
    }
}
