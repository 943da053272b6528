//! A session that has other faces than its prompt: who chooses there, what is to be told to them, and the server that the
//! commands talk of.

use crate::definition::Plain;
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

/// Who is before a face of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Face {
    /// Whoever has the session: sees and does what its prompt does.
    Designer,
    /// A player, who sees what that seat may know, and answers for it.
    Player(Seat),
    /// A screen that all look at: shows what every player may see, and does nothing.
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

/// Where a table can be reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableReach {
    /// Whether the network that the computer is in may reach it.
    pub is_in_network: bool,
    /// The port that is tried first; any free one where it is taken or 0.
    pub port: u16,
    /// The address that a proxy in front of it has, such as `https://table.example`.
    pub address: Option<String>,
}

impl Default for TableReach {
    /// On this computer alone; always on the same port where that is free, so that links stay the same.
    fn default() -> Self {
        Self { is_in_network: false, port: 8417, address: None }
    }
}

/// What a session tells beside the results of lines.
#[derive(Clone, Debug, Default)]
pub struct Announcement {
    /// How often something was told.
    pub count: u64,
    /// What was told last.
    pub lines: Vec<Line>,
    /// The figures that came last, as a part of a page.
    pub figures: Option<Arc<str>>,
}

/// When the answers to one choice arrived that several make at the same time, in milliseconds since the game began.
#[derive(Debug, Default)]
pub(super) struct Arrivals {
    /// The number of the choice.
    together: Option<u32>,
    /// What is asked.
    prompt: Option<Arc<str>>,
    /// In the order in which they arrived.
    moments: Vec<(Seat, i64)>,
}

impl Arrivals {
    /// Notes an answer; a seat that answers again has answered then.
    fn note(&mut self, decision: &Decision, seat: Seat, moment: i64) {
        if self.together != decision.together {
            self.moments.clear();
        }
        (self.together, self.prompt) = (decision.together, Some(decision.prompt.clone()));
        self.moments.retain(|(known, _)| *known != seat);
        self.moments.push((seat, moment));
    }
}

/// A link that opens a face.
#[derive(Clone, Debug)]
pub struct FaceLink {
    /// What it opens.
    pub face: Face,
    /// The address, with the secret that it consists of.
    pub address: String,
    /// The same as a picture that a phone reads, in lines of half blocks; empty where it does not fit a terminal.
    pub picture: Vec<String>,
    /// How many look through it now.
    pub watching: usize,
}

/// The server of the live table, as a session's commands need it.
pub trait TableServer: Send {
    /// The link of a face; one that is there already is the same. Starts the server with the first.
    ///
    /// # Errors
    /// The computer gives no port.
    fn link(&mut self, face: Face) -> Result<FaceLink, Diagnostics>;

    /// Every link there is.
    fn links(&self) -> Vec<FaceLink>;

    /// The faces that have links, with their secrets: for the journal alone, so that the links outlive a session that is killed.
    fn secrets(&self) -> Vec<(String, String)>;

    /// Where the table is reached; nothing while nothing listens.
    fn reach(&self) -> Option<TableReach>;

    /// Makes a link void: whoever looks through it sees no more. Whether there was one.
    fn revoke(&mut self, face: Face) -> bool;

    /// Makes the table known to the network that the computer is in, or to this computer alone.
    ///
    /// # Errors
    /// The computer gives no port there.
    fn reach_network(&mut self, is_wanted: bool) -> Result<(), Diagnostics>;
}

impl Session {
    /// Lets commands start the server of the live table.
    pub fn set_table_server(&mut self, server: Box<dyn TableServer>) {
        self.table_server = Some(server);
    }

    /// Marks the game where it stands for the record of the playtest.
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

    /// Notes how long a seat thought about the choice that it makes next.
    pub fn note_thinking(&mut self, seat: Seat, milliseconds: u64) {
        self.thoughts.retain(|(known, _)| *known != seat);
        self.thoughts.push((seat, milliseconds));
    }

    /// Gives choices that have come into the log the time that players thought about them.
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

    /// Whether others may look at the game: whatever takes long must not hold it.
    pub(super) fn has_faces(&self) -> bool {
        self.table_server.as_ref().is_some_and(|server| !server.secrets().is_empty())
    }

    /// The server of the live table.
    ///
    /// # Errors
    /// There is none here.
    pub(super) fn table_server(&mut self) -> Result<&mut dyn TableServer, Diagnostics> {
        match &mut self.table_server {
            Some(server) => Ok(&mut **server),
            None => Err(Diagnostic::new("there is no live table here").into()),
        }
    }

    /// Rings whenever the game may look another than before, to whoever looks at it from elsewhere.
    pub fn on_change(&mut self, changed: DoneSignal) {
        self.changed = Some(changed);
    }

    /// Tells the other faces of whoever has the session what its prompt is told beside the results of lines.
    pub(super) fn announce(&mut self, lines: &[Line]) {
        (self.announced.count, self.announced.lines) = (self.announced.count + 1, lines.to_vec());
        self.tell_change();
    }

    /// The same of figures, of which a line says what they are of, and which stand on a page as plots.
    pub(super) fn announce_figures(&mut self, of: Line, drawn: &Page) {
        self.announced.figures = Some(body(drawn).into());
        self.announce(&[of]);
    }

    /// What was last told beside the results of lines.
    pub fn announced(&self) -> &Announcement {
        &self.announced
    }

    /// Tells the other faces to look again.
    pub(super) fn tell_change(&self) {
        if let Some(changed) = &self.changed {
            changed();
        }
    }

    /// The seats whose players are elsewhere, by number.
    pub fn set_elsewhere(&mut self, seat: Seat, is_elsewhere: bool) {
        self.players.set_elsewhere(seat, is_elsewhere);
        self.follow_the_view();
    }

    /// Whether time passes at this table as it does for those who play: some of them are elsewhere, and the rules have a clock.
    pub fn is_in_real_time(&self) -> bool {
        let open = self.playthrough.position().open.as_ref();
        self.players.is_any_elsewhere() && open.is_some_and(|open| open.by_clock.is_some() || open.deadline.is_some())
    }

    /// What comes by itself in real time if nobody does anything: the moment, in milliseconds since the game began, who is asked,
    /// and the option. An agent acts, or a deadline has passed.
    pub fn comes_by_itself(&self) -> Option<(i64, Option<Seat>, String)> {
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

    /// Whether a seat's player is elsewhere.
    pub fn is_elsewhere(&self, seat: Seat) -> bool {
        self.players.is_elsewhere(seat)
    }

    /// The name of the agent that plays a seat; nothing for a person.
    pub fn agent_of(&self, seat: Seat) -> Option<String> {
        self.players.agents().get(seat.index()).copied().flatten().map(|agent| agent.to_string())
    }

    /// Work begins that nobody at the prompt waits for: where nothing is done there, Ctrl-C ends the program as before.
    pub fn begin_elsewhere(&self) {
        if !self.work.is_at_rest() {
            self.work.begin();
        }
    }

    /// Answers for a seat from another face than the prompt, also where the rules ask somebody else first; nobody answers who
    /// acts next in real time. Before that the clock goes on to a moment, where one is given; then agents play. What happened,
    /// as whoever has the session sees it.
    ///
    /// # Errors
    /// The debugger is open; the seat is asked nothing; the labels do not fit; the rules fail.
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
        // What is refused changes nothing, not even the clock.
        if let Err(error) = decision.map_or(Ok(()), |decision| self.playthrough.fits(decision, labels)) {
            self.thoughts.retain(|(known, _)| Some(*known) != seat);
            return Err(error);
        }
        let moment = moment.filter(|_| decision.is_some());
        if let Some(moment) = moment.filter(|moment| *moment > self.playthrough.position().table.clock.now()) {
            let waiting = self.playthrough.waiting_answers();
            self.playthrough.intervene(Entry::Set { variable: CLOCK.to_owned(), value: Plain::Number(moment) })?;
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
        self.let_agents_play()?;
        if let Some(first) = self.first_by_arrival() {
            self.playthrough.choose(&[first])?;
            self.let_agents_play()?;
        }
        self.record_thinking(before);
        self.tell_faults();
        self.tell_change();
        match &self.playthrough.position().failed {
            Some(failed) if !had_failed => Err(self.told_failure(failed)),
            _ => Ok(self.what_happened(events)),
        }
    }

    /// Of several who said yes at the same time, the option that names the one whose answer arrived first, where the rules ask
    /// now who that was. An agent that is free needs no time to answer: the clock names it.
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

    /// Runs a line as a player looks at the table, and gives what it shows: causes without file and line of the rules, which are
    /// the business of whoever has the session. The eyes of that person stay.
    ///
    /// # Errors
    /// As [`line`](Self::line).
    pub fn line_as_player(&mut self, seat: Seat, line: &str) -> Result<Vec<Line>, Diagnostics> {
        self.has_commands = false;
        let said = self.line_as(Viewer::Seat(seat), line);
        self.has_commands = true;
        said
    }

    /// Runs a line as somebody else looks at the table, and gives what it shows; the eyes of whoever has the session stay.
    ///
    /// # Errors
    /// As [`line`](Self::line).
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
