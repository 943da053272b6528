//! The hub of a live table: one thread that handles the requests of all faces in the order of their arrival, so that
//! the order is decided once for all, and sends each face its new state.
//!
//! A thread of its own keeps drawing and thinking from holding up a connection. It holds the session's lock while it
//! works; the prompt holds the lock while a line runs.

use super::links::{Links, Secret};
use super::server::Server;
use crate::catalogue::{message, said, speak};
use crate::definition::Language;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::live::protocol::{self, FaceState, Progress, Refusal, Request, RequestResult, SeatStatus, StateFormat};
use crate::screen::html::live::decision_key;
use crate::screen::style::{Label, Line};
use crate::session::Session;
use crate::session::table_face::{Face, FaceLink, TableReach, TableServer};
use crate::table::value::{Seat, Seats};
use hyper::body::Bytes;
use qrcode::{EcLevel, QrCode};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::{oneshot, watch};

/// Capacity of the message queue. A request that finds it full is told to try again.
const MAX_QUEUED_MESSAGES: usize = 256;

/// The state last sent to a face; `None` before the first one.
pub(super) type LastState = Option<Arc<SentState>>;

/// One state of a face, serialised lazily. All viewers of the same link share the bytes, so that each is built once.
pub(super) struct SentState {
    state: Arc<FaceState>,
    /// The state sent before this one.
    before: Option<Arc<FaceState>>,
    /// The changes since `before` and the whole state, each as a drawing and as data (indexed by [`StateFormat`]).
    changes: [OnceLock<Option<Bytes>>; 2],
    whole: [OnceLock<Option<Bytes>>; 2],
}

impl SentState {
    fn new(state: FaceState, before: Option<Arc<FaceState>>) -> Self {
        Self { state: Arc::new(state), before, changes: Default::default(), whole: Default::default() }
    }

    /// The server-sent event for a client that last received `known`, or `None` where nothing changed; `known` becomes
    /// this state.
    pub(super) fn event(&self, known: &mut Option<Arc<FaceState>>, wanted: StateFormat) -> Option<Bytes> {
        let made = |before: Option<&FaceState>| {
            let data = self.state.news(before, wanted)?;
            Some(Bytes::from(format!("event: state\ndata: {data}\n\n")))
        };
        let known = known.replace(self.state.clone());
        match (&known, &self.before) {
            (None, _) => self.whole[wanted as usize].get_or_init(|| made(None)).clone(),
            (Some(known), Some(before)) if Arc::ptr_eq(known, before) => {
                self.changes[wanted as usize].get_or_init(|| made(Some(before))).clone()
            }
            // A slow client skips states, so its changes are worked out from the state it last received.
            (Some(known), _) => made(Some(known)),
        }
    }
}

pub(super) enum HubMessage {
    /// The game may look different now.
    Changed,
    /// A request of a face, with the time of its arrival.
    Do(Face, Request, Instant, oneshot::Sender<Reply>),
    /// A face subscribes to its states.
    Watch(Face, oneshot::Sender<watch::Receiver<LastState>>),
    /// A face asks for its HTML page.
    Page(Face, oneshot::Sender<String>),
}

/// The reply to a request.
pub(super) struct Reply {
    /// The HTTP status: 200 where the request was done.
    pub status: u16,
    /// The JSON body.
    pub body: Value,
}

/// Prints at the prompt the lines of something done elsewhere, then the new prompt.
pub type Echo = Box<dyn FnMut(&mut Session, Vec<Line>) + Send>;

/// The table that a session's faces share.
pub struct Table {
    session: Weak<Mutex<Session>>,
    messages: SyncSender<HubMessage>,
    links: Arc<Mutex<Links>>,
    server: Option<Server>,
    /// The number of clients that watch each face.
    watching: Arc<Mutex<HashMap<Face, usize>>>,
    reach: TableReach,
    language: Language,
}

impl Table {
    /// Creates the table of a session. No server runs until a link is asked for; `echo` prints at the prompt what is
    /// done on the table.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub fn new(session: &Arc<Mutex<Session>>, reach: TableReach, echo: Echo) -> Result<Self, Diagnostics> {
        let (messages, waiting) = sync_channel(MAX_QUEUED_MESSAGES);
        let watching = Arc::<Mutex<HashMap<Face, usize>>>::default();
        let links = Arc::<Mutex<Links>>::default();
        let language = locked(session).language;
        let hub = Hub {
            session: Arc::downgrade(session),
            links: links.clone(),
            watching: watching.clone(),
            faces: HashMap::new(),
            progress: Progress::default(),
            time: RealTime::default(),
            seen: HashMap::new(),
            echo,
        };
        let body = move || {
            speak(language);
            hub.run(&waiting);
        };
        thread::Builder::new()
            .name("table".to_owned())
            .spawn(body)
            .map_err(|error| Diagnostic::new(message!("the table cannot be opened: {error}")))?;
        let bell = messages.clone();
        // A notice that finds the queue full may be lost: a hub with that many errands looks at the game anyway.
        locked(session).on_change(Arc::new(move || drop(bell.try_send(HubMessage::Changed))));
        Ok(Self { session: Arc::downgrade(session), messages, links, server: None, watching, reach, language })
    }

    /// Restores the links of an earlier table, each a face's name and its secret, in a game of `seats` players. Returns
    /// the faces that were found; unknown names and malformed secrets are skipped.
    ///
    /// # Errors
    /// No port can be opened.
    pub fn restore_links(&mut self, links: &[(String, String)], seats: usize) -> Result<Vec<Face>, Diagnostics> {
        let known = Seats::all(seats).into_iter().map(Face::Player).chain([Face::Designer, Face::Screen]);
        let known: Vec<Face> = known.collect();
        let mut found = Vec::new();
        for (name, secret) in links {
            let face = known.iter().find(|face| face.to_string() == *name);
            if let (Some(face), Some(secret)) = (face, Secret::kept(secret)) {
                locked(&self.links).add(*face, secret);
                found.push(*face);
            }
        }
        if !found.is_empty() {
            self.server()?;
        }
        Ok(found)
    }

    /// The server, started on first use.
    fn server(&mut self) -> Result<&Server, Diagnostics> {
        let server = match self.server.take() {
            Some(server) => server,
            None => {
                let (links, watching) = (self.links.clone(), self.watching.clone());
                Server::start(&self.reach, self.language, links, self.messages.clone(), watching)?
            }
        };
        Ok(self.server.insert(server))
    }

    fn shown(&self, face: Face, address: String) -> FaceLink {
        let watching = locked(&self.watching).get(&face).copied().unwrap_or(0);
        // No QR code where a phone could not reach the address anyway.
        let is_reached = face != Face::Designer && (self.reach.is_in_network || self.reach.address.is_some());
        let picture = if is_reached { picture(&address) } else { Vec::new() };
        FaceLink { face, address, picture, watching }
    }
}

impl TableServer for Table {
    fn link(&mut self, face: Face) -> Result<FaceLink, Diagnostics> {
        let secret = locked(&self.links).of(face)?;
        let address = self.server()?.address(face, secret.text());
        let _ = self.messages.try_send(HubMessage::Changed);
        Ok(self.shown(face, address))
    }

    fn links(&self) -> Vec<FaceLink> {
        let Some(server) = &self.server else { return Vec::new() };
        let links = locked(&self.links);
        links.all().map(|(face, secret)| self.shown(face, server.address(face, secret.text()))).collect()
    }

    fn secrets(&self) -> Vec<(String, String)> {
        let links = locked(&self.links);
        links.all().map(|(face, secret)| (face.to_string(), secret.text().to_owned())).collect()
    }

    fn reach(&self) -> Option<TableReach> {
        let port = self.server.as_ref()?.port();
        Some(TableReach { port, ..self.reach.clone() })
    }

    fn revoke(&mut self, face: Face) -> bool {
        let was_there = locked(&self.links).revoke(face);
        let _ = self.messages.try_send(HubMessage::Changed);
        was_there
    }

    fn reach_network(&mut self, is_wanted: bool) -> Result<(), Diagnostics> {
        if self.reach.is_in_network == is_wanted {
            return Ok(());
        }
        self.reach.is_in_network = is_wanted;
        // A changed address needs a new server; the secrets stay.
        if self.server.take().is_some() {
            self.server()?;
        }
        Ok(())
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        // The hub then finds the session gone, and listeners find that nothing more comes.
        let _ = self.messages.try_send(HubMessage::Changed);
        if let Some(session) = self.session.upgrade()
            && let Ok(mut session) = session.try_lock()
        {
            session.on_change(Arc::new(|| ()));
        }
    }
}

/// The state of the hub's thread.
struct Hub {
    session: Weak<Mutex<Session>>,
    links: Arc<Mutex<Links>>,
    watching: Arc<Mutex<HashMap<Face, usize>>>,
    faces: HashMap<Face, watch::Sender<LastState>>,
    progress: Progress,
    time: RealTime,
    /// When a page first showed each open decision to the seat it asks, by the decision's key.
    seen: HashMap<String, Instant>,
    echo: Echo,
}

/// The clock of a game in real time. It runs on from the game's own clock, starting when a player first watches or the
/// game takes another course.
#[derive(Default)]
struct RealTime {
    since: Option<(Instant, i64)>,
}

impl RealTime {
    /// The time in the game, in milliseconds since it began.
    fn now(&mut self, session: &Session) -> i64 {
        self.at(session, Instant::now())
    }

    /// As [`now`](Self::now), but at `moment`, which must be recent.
    fn at(&mut self, session: &Session, moment: Instant) -> i64 {
        let stands_at = session.playthrough.position().table.clock.now();
        let passed = |(since, from): (Instant, i64)| {
            let time = moment.saturating_duration_since(since).as_millis();
            from.saturating_add(i64::try_from(time).unwrap_or(0))
        };
        match self.since.map(passed) {
            Some(now) if now >= stands_at => now,
            _ => {
                self.since = Some((Instant::now(), stands_at));
                stands_at
            }
        }
    }

    /// Restarts the clock from the game's own time, after the game took another course.
    fn restart_clock(&mut self) {
        self.since = None;
    }
}

impl Hub {
    /// Handles errands until the table is dropped.
    fn run(mut self, messages: &Receiver<HubMessage>) {
        let mut wait = None;
        loop {
            let first = match wait {
                None => messages.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(wait) => messages.recv_timeout(wait),
            };
            let Some(session) = self.session.upgrade() else { return };
            let mut session = locked(&session);
            let mut has_changed = match first {
                Ok(first) => self.work(&mut session, first),
                Err(RecvTimeoutError::Timeout) => self.run_due_action(&mut session),
                Err(RecvTimeoutError::Disconnected) => return,
            };
            // Handle all waiting errands before drawing, so that the faces are drawn once.
            for message in messages.try_iter().take(MAX_QUEUED_MESSAGES) {
                has_changed |= self.work(&mut session, message);
            }
            if has_changed {
                self.broadcast(&session);
            }
            // The clock stands still while no player watches.
            if !self.has_remote_players() {
                self.time.restart_clock();
            }
            wait = session.next_timed_action().filter(|_| self.has_remote_players()).map(|(moment, ..)| {
                let left = moment.saturating_sub(self.time.now(&session)).max(0);
                Duration::from_millis(left.unsigned_abs())
            });
        }
    }

    /// Takes the next timed action that is due. Whether there was one.
    fn run_due_action(&mut self, session: &mut Session) -> bool {
        let now = self.time.now(session);
        let Some((_, seat, label)) = session.next_timed_action().filter(|(moment, ..)| *moment <= now) else {
            return false;
        };
        let typed = Line::faint(session.prompt()).with(&*label, Label::Strong);
        let mut lines = vec![typed];
        match session.choose_as(seat, &[label], Some(now)) {
            Ok(happened) => lines.extend(happened),
            Err(error) => {
                lines.extend(error.iter().map(|error| Line::plain(error.render_within(false, Some(session.width)))))
            }
        }
        (self.echo)(session, lines);
        true
    }

    /// Handles one message. Whether the faces need a new state.
    fn work(&mut self, session: &mut Session, message: HubMessage) -> bool {
        match message {
            HubMessage::Changed => {
                // Remote viewers get their figures without waiting for a line typed at the prompt.
                let is_watched = !self.faces.is_empty();
                if let Some(figures) = Some(()).filter(|()| is_watched).and_then(|()| session.take_figures()) {
                    (self.echo)(session, figures);
                }
                true
            }
            HubMessage::Do(face, request, arrived, reply) => {
                // The link may have been revoked while the request waited.
                let _ = match self.has_link(face) {
                    true => reply.send(self.answer(session, face, &request, arrived)),
                    false => reply.send(expired_link_reply()),
                };
                true
            }
            HubMessage::Watch(face, reply) => {
                if self.has_link(face) {
                    self.progress.follow(session);
                    let state = self.state(session, face);
                    let sender = self.faces.entry(face).or_insert_with(|| watch::Sender::new(None));
                    sender.send_replace(Some(Arc::new(state)));
                    let _ = reply.send(sender.subscribe());
                    self.record_first_views(session);
                }
                false
            }
            HubMessage::Page(face, reply) => {
                let _ = reply.send(protocol::page(session, face));
                false
            }
        }
    }

    /// Whether at least one player's page is open elsewhere.
    fn has_remote_players(&self) -> bool {
        let watching = locked(&self.watching);
        watching.iter().any(|(face, count)| matches!(face, Face::Player(_)) && *count > 0)
    }

    fn linked(&self) -> Vec<Face> {
        locked(&self.links).all().map(|(face, _)| face).collect()
    }

    fn has_link(&self, face: Face) -> bool {
        self.linked().contains(&face)
    }

    fn answer(&mut self, session: &mut Session, face: Face, request: &Request, arrived: Instant) -> Reply {
        // Counts from the arrival, however long the request waited for the table.
        let moment = session.is_in_real_time().then(|| self.time.at(session, arrived));
        if let (Face::Player(seat), Request::Choose { decision, .. }) = (face, request)
            && let Some(since) = self.seen.get(decision)
        {
            let thought = arrived.saturating_duration_since(*since).as_millis();
            session.note_thinking(seat, u64::try_from(thought).unwrap_or(u64::MAX));
        }
        match protocol::answer(session, face, request, moment) {
            Ok(RequestResult { said: shown, at_prompt }) => {
                if !at_prompt.is_empty() {
                    (self.echo)(session, at_prompt);
                }
                Reply { status: 200, body: json!({ "said": protocol::said_to(session, face, &shown) }) }
            }
            Err(refusal) => {
                let status = match refusal {
                    Refusal::Wrong(_) => 403,
                    Refusal::Unknown(_) => 404,
                    Refusal::Stale(_) => 409,
                    Refusal::Refused(_) => 422,
                };
                let reason = refusal.reason();
                let error = protocol::complaint(reason, face);
                Reply { status, body: json!({ "error": error }) }
            }
        }
    }

    fn broadcast(&mut self, session: &Session) {
        if self.progress.follow(session) {
            self.time.restart_clock();
        }
        // Dropping the sender ends the streams of a face whose link was revoked.
        let links: Vec<Face> = self.linked();
        self.faces.retain(|face, sender| sender.receiver_count() > 0 && links.contains(face));
        for face in links.into_iter().filter(|face| self.faces.contains_key(face)).collect::<Vec<_>>() {
            let state = self.state(session, face);
            if let Some(sender) = self.faces.get(&face) {
                sender.send_replace(Some(Arc::new(state)));
            }
        }
        self.record_first_views(session);
    }

    /// Notes when each decision was first shown to its seat. Thinking time counts only from then.
    fn record_first_views(&mut self, session: &Session) {
        let open = session.playthrough.asked();
        let open: Vec<(String, Option<Seat>)> =
            open.iter().map(|decision| (decision_key(decision), decision.seat)).collect();
        self.seen.retain(|key, _| open.iter().any(|(name, _)| name == key));
        for (key, seat) in open {
            let sender = seat.and_then(|seat| self.faces.get(&Face::Player(seat)));
            if sender.is_some_and(|sender| sender.receiver_count() > 0) {
                self.seen.entry(key).or_insert_with(Instant::now);
            }
        }
    }

    fn state(&self, session: &Session, face: Face) -> SentState {
        let before = self.faces.get(&face).and_then(|sender| Some(sender.borrow().as_ref()?.state.clone()));
        let links = locked(&self.links);
        let watching = locked(&self.watching);
        let seat_statuses = Seats::all(session.playthrough.seats).into_iter().map(|seat| SeatStatus {
            seat,
            has_link: links.all().any(|(face, _)| face == Face::Player(seat)),
            watching: watching.get(&Face::Player(seat)).copied().unwrap_or(0),
        });
        let seat_statuses: Vec<SeatStatus> = seat_statuses.collect();
        SentState::new(FaceState::of(session, face, &self.progress, &seat_statuses, before.as_deref()), before)
    }
}

/// The reply to a face whose link is no longer valid.
pub(super) fn expired_link_reply() -> Reply {
    Reply { status: 404, body: json!({ "error": said("this link is not valid") }) }
}

/// Queues a message. Whether there was room for it.
pub(super) fn send(messages: &SyncSender<HubMessage>, message: HubMessage) -> bool {
    match messages.try_send(message) {
        Ok(()) => true,
        Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => false,
    }
}

/// A QR code of an address in half-block characters, a string per row; empty where the address is too long for one.
fn picture(address: &str) -> Vec<String> {
    let Ok(code) = QrCode::with_error_correction_level(address, EcLevel::L) else { return Vec::new() };
    let width = code.width() as isize;
    // QR readers need a light margin. Dark squares are drawn as nothing, for a dark terminal.
    let is_dark = |x: isize, y: isize| {
        (0..width).contains(&x) && (0..width).contains(&y) && code[(x as usize, y as usize)] == qrcode::Color::Dark
    };
    let rows = (-2..width + 2).step_by(2);
    let row = |y: isize| {
        let blocks = (-2..width + 2).map(|x| match (is_dark(x, y), is_dark(x, y + 1)) {
            (true, true) => ' ',
            (true, false) => '▄',
            (false, true) => '▀',
            (false, false) => '█',
        });
        blocks.collect()
    };
    rows.map(row).collect()
}

/// The contents of a mutex, also where a thread that had it has panicked.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::definition::Library;
    use crate::files::MemoryFiles;
    use crate::playthrough::{Playable, Playthrough};
    use crate::ruleset::{Ruleset, Selection};
    use crate::session::surroundings::NoSurroundings;

    #[test]
    fn whoever_looks_through_one_link_is_sent_the_same_bytes() {
        let files = MemoryFiles::new([
            ("games/count/game.toml", "id = 'count'\nname = 'Count'\nplayers = { min = 2, max = 2 }\n"),
            ("games/count/rules.rhai", "fn game() { loop { for p in players { p.choose(\"number\", 1..=6); } } }"),
        ]);
        let library = Library::of(Arc::new(files), vec!["".into()]);
        let ruleset = Ruleset::load(&library, &Selection::of("count")).unwrap();
        let loaded = Playable::compile(Arc::new(ruleset), 2, Arc::default()).unwrap();
        let (game, _) = Playthrough::start(loaded, 2, 1, Vec::new()).unwrap();
        let mut session = Session::new(game, library, Language::English, Arc::default(), Arc::new(NoSurroundings));
        let mut progress = Progress::default();
        let mut next = |session: &Session, before: Option<Arc<FaceState>>| {
            progress.follow(session);
            SentState::new(FaceState::of(session, Face::Screen, &progress, &[], before.as_deref()), before)
        };
        for wanted in [StateFormat::Drawing, StateFormat::View] {
            let (mut one, mut other, mut late) = (None, None, None);
            let first = next(&session, None);
            let whole = [&mut one, &mut other, &mut late].map(|known| first.event(known, wanted).unwrap());
            assert!(whole.iter().all(|event| event.as_ptr() == whole[0].as_ptr()), "the whole is made once");
            session.line("auto").unwrap();
            let second = next(&session, one.clone());
            let change = [&mut one, &mut other].map(|known| second.event(known, wanted).unwrap());
            assert_eq!(change[0].as_ptr(), change[1].as_ptr(), "and so is what has changed");
            assert_ne!(change[0], whole[0]);
            session.line("auto").unwrap();
            let third = next(&session, one.clone());
            let skipped = third.event(&mut late, wanted).unwrap();
            let followed = third.event(&mut one, wanted).unwrap();
            assert_ne!(skipped.as_ptr(), followed.as_ptr(), "who was late is told what changed since then");
            assert!(Arc::ptr_eq(&late.unwrap(), &one.unwrap()));
            session.line("goto start").unwrap();
        }
    }
}
