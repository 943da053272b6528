//! The one place that what is done at a table comes to: requests of all faces in the order in which they arrived, which so is
//! decided once and for all, and the states that the faces are told.
//!
//! A thread of its own does that, so that whoever draws or thinks holds up no connection. It has the session locked while it
//! works; the prompt has it locked while a line runs.

use super::links::{Links, Secret};
use super::server::Server;
use crate::catalogue::{said, speak};
use crate::definition::Language;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::live::protocol::{self, Done, FaceState, Progress, Refusal, Request, Sitter, Wanted};
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

/// Most requests that wait at one time: whoever sends more is told to try again.
const MAX_WAITING: usize = 256;

/// What is told of a face.
pub(super) type Told = Option<Arc<Telling>>;

/// A state of a face as it goes over the line. Whoever looks through the same link is sent the same bytes, which are made once.
pub(super) struct Telling {
    state: Arc<FaceState>,
    /// The state that was told before this one.
    before: Option<Arc<FaceState>>,
    /// What has changed since then, and the whole, each as a drawing and as data.
    changes: [OnceLock<Option<Bytes>>; 2],
    whole: [OnceLock<Option<Bytes>>; 2],
}

impl Telling {
    fn new(state: FaceState, before: Option<Arc<FaceState>>) -> Self {
        Self { state: Arc::new(state), before, changes: Default::default(), whole: Default::default() }
    }

    /// The event that somebody is sent who was told `known` last, if anything has changed since; the state is known then.
    pub(super) fn event(&self, known: &mut Option<Arc<FaceState>>, wanted: Wanted) -> Option<Bytes> {
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
            // Of states that come faster than they are read, some are left out.
            (Some(known), _) => made(Some(known)),
        }
    }
}

/// What the hub is asked.
pub(super) enum Errand {
    /// The game may look another than before.
    Changed,
    /// A face asks for something, and when that arrived.
    Do(Face, Request, Instant, oneshot::Sender<Reply>),
    /// A face wants to be told from now on.
    Watch(Face, oneshot::Sender<watch::Receiver<Told>>),
    /// A face wants its page.
    Page(Face, oneshot::Sender<String>),
}

/// The answer to a request.
pub(super) struct Reply {
    /// 200 where it was done.
    pub status: u16,
    /// What the face is told.
    pub body: Value,
}

/// Shows at the prompt what was done elsewhere: the lines, and the prompt that is right after them.
pub type Echo = Box<dyn FnMut(&mut Session, Vec<Line>) + Send>;

/// The table that a session's faces share.
pub struct Table {
    session: Weak<Mutex<Session>>,
    errands: SyncSender<Errand>,
    links: Arc<Mutex<Links>>,
    server: Option<Server>,
    /// How many look through each link.
    watching: Arc<Mutex<HashMap<Face, usize>>>,
    reach: TableReach,
    language: Language,
}

impl Table {
    /// A table for a session: nothing listens until a link is asked for. What is done on it is shown by `echo`.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn new(session: &Arc<Mutex<Session>>, reach: TableReach, echo: Echo) -> Result<Self, Diagnostics> {
        let (errands, waiting) = sync_channel(MAX_WAITING);
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
            .map_err(|error| Diagnostic::new(format!("the table cannot be opened: {error}")))?;
        let bell = errands.clone();
        // A hub with that much to do looks at the game anyway.
        locked(session).on_change(Arc::new(move || drop(bell.try_send(Errand::Changed))));
        Ok(Self { session: Arc::downgrade(session), errands, links, server: None, watching, reach, language })
    }

    /// Takes up the links of a table that was there before, each with the name of its face, in a game of so many players.
    ///
    /// # Errors
    /// The computer gives no port.
    pub fn go_on_with(&mut self, links: &[(String, String)], seats: usize) -> Result<Vec<Face>, Diagnostics> {
        let known = Seats::all(seats).into_iter().map(Face::Player).chain([Face::Designer, Face::Screen]);
        let known: Vec<Face> = known.collect();
        let mut found = Vec::new();
        for (name, secret) in links {
            let face = known.iter().find(|face| face.to_string() == *name);
            if let (Some(face), Some(secret)) = (face, Secret::kept(secret)) {
                self.links.lock().unwrap_or_else(PoisonError::into_inner).add(*face, secret);
                found.push(*face);
            }
        }
        if !found.is_empty() {
            self.server()?;
        }
        Ok(found)
    }

    /// The server, which begins with the first link.
    fn server(&mut self) -> Result<&Server, Diagnostics> {
        let server = match self.server.take() {
            Some(server) => server,
            None => {
                let (links, watching) = (self.links.clone(), self.watching.clone());
                Server::start(&self.reach, self.language, links, self.errands.clone(), watching)?
            }
        };
        Ok(self.server.insert(server))
    }

    fn shown(&self, face: Face, address: String) -> FaceLink {
        let watching = self.watching.lock().unwrap_or_else(PoisonError::into_inner).get(&face).copied().unwrap_or(0);
        // A phone cannot reach this computer by its own address.
        let is_reached = face != Face::Designer && (self.reach.is_in_network || self.reach.address.is_some());
        let picture = if is_reached { picture(&address) } else { Vec::new() };
        FaceLink { face, address, picture, watching }
    }
}

impl TableServer for Table {
    fn link(&mut self, face: Face) -> Result<FaceLink, Diagnostics> {
        let secret = self.links.lock().unwrap_or_else(PoisonError::into_inner).of(face)?;
        let address = self.server()?.address(face, secret.text());
        let _ = self.errands.try_send(Errand::Changed);
        Ok(self.shown(face, address))
    }

    fn links(&self) -> Vec<FaceLink> {
        let Some(server) = &self.server else { return Vec::new() };
        let links = self.links.lock().unwrap_or_else(PoisonError::into_inner);
        links.all().map(|(face, secret)| self.shown(face, server.address(face, secret.text()))).collect()
    }

    fn secrets(&self) -> Vec<(String, String)> {
        let links = self.links.lock().unwrap_or_else(PoisonError::into_inner);
        links.all().map(|(face, secret)| (face.to_string(), secret.text().to_owned())).collect()
    }

    fn reach(&self) -> Option<TableReach> {
        let port = self.server.as_ref()?.port();
        Some(TableReach { port, ..self.reach.clone() })
    }

    fn revoke(&mut self, face: Face) -> bool {
        let was_there = self.links.lock().unwrap_or_else(PoisonError::into_inner).revoke(face);
        let _ = self.errands.try_send(Errand::Changed);
        was_there
    }

    fn reach_network(&mut self, is_wanted: bool) -> Result<(), Diagnostics> {
        if self.reach.is_in_network == is_wanted {
            return Ok(());
        }
        self.reach.is_in_network = is_wanted;
        // Another address is another server; the secrets stay.
        if self.server.take().is_some() {
            self.server()?;
        }
        Ok(())
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        // The hub sees that there is no session any more, and those who listen that nothing comes.
        let _ = self.errands.try_send(Errand::Changed);
        if let Some(session) = self.session.upgrade()
            && let Ok(mut session) = session.try_lock()
        {
            session.on_change(Arc::new(|| ()));
        }
    }
}

/// What works off the errands.
struct Hub {
    session: Weak<Mutex<Session>>,
    links: Arc<Mutex<Links>>,
    watching: Arc<Mutex<HashMap<Face, usize>>>,
    faces: HashMap<Face, watch::Sender<Told>>,
    progress: Progress,
    time: RealTime,
    /// Since when a page shows each decision to the seat that it asks, by the decision's name.
    seen: HashMap<String, Instant>,
    echo: Echo,
}

/// How late it is in a game in real time: its clock goes on from where it stood when somebody looked first, or when the game
/// went another way.
#[derive(Default)]
struct RealTime {
    since: Option<(Instant, i64)>,
}

impl RealTime {
    /// Milliseconds since the game began.
    fn now(&mut self, session: &Session) -> i64 {
        self.at(session, Instant::now())
    }

    /// The same at a moment that is not long past.
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

    /// The game went another way: its time begins again from where it stands.
    fn begin_again(&mut self) {
        self.since = None;
    }
}

impl Hub {
    /// Works until the table is gone.
    fn run(mut self, errands: &Receiver<Errand>) {
        let mut wait = None;
        loop {
            let first = match wait {
                None => errands.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(wait) => errands.recv_timeout(wait),
            };
            let Some(session) = self.session.upgrade() else { return };
            let mut session = locked(&session);
            let mut has_changed = match first {
                Ok(first) => self.work(&mut session, first),
                Err(RecvTimeoutError::Timeout) => self.let_time_pass(&mut session),
                Err(RecvTimeoutError::Disconnected) => return,
            };
            // What waits is done before anything is drawn, but for a change of its own.
            for errand in errands.try_iter().take(MAX_WAITING) {
                has_changed |= self.work(&mut session, errand);
            }
            if has_changed {
                self.tell_all(&session);
            }
            // Nobody loses time who is not there yet, or not any more.
            if !self.is_attended() {
                self.time.begin_again();
            }
            wait = session.comes_by_itself().filter(|_| self.is_attended()).map(|(moment, ..)| {
                let left = moment.saturating_sub(self.time.now(&session)).max(0);
                Duration::from_millis(left.unsigned_abs())
            });
        }
    }

    /// Does what has come by itself. Whether anything has.
    fn let_time_pass(&mut self, session: &mut Session) -> bool {
        let now = self.time.now(session);
        let Some((_, seat, label)) = session.comes_by_itself().filter(|(moment, ..)| *moment <= now) else {
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

    /// Does one errand. Whether the faces have to be told.
    fn work(&mut self, session: &mut Session, errand: Errand) -> bool {
        match errand {
            Errand::Changed => {
                // Whoever looks from elsewhere does not wait until somebody types at the prompt.
                let is_watched = !self.faces.is_empty();
                if let Some(figures) = Some(()).filter(|()| is_watched).and_then(|()| session.take_figures()) {
                    (self.echo)(session, figures);
                }
                true
            }
            Errand::Do(face, request, arrived, reply) => {
                // The link may have become void while the request waited.
                let _ = match self.has_link(face) {
                    true => reply.send(self.answer(session, face, &request, arrived)),
                    false => reply.send(gone()),
                };
                true
            }
            Errand::Watch(face, reply) => {
                if self.has_link(face) {
                    self.progress.follow(session);
                    let state = self.state(session, face);
                    let sender = self.faces.entry(face).or_insert_with(|| watch::Sender::new(None));
                    sender.send_replace(Some(Arc::new(state)));
                    let _ = reply.send(sender.subscribe());
                    self.note_seen(session);
                }
                false
            }
            Errand::Page(face, reply) => {
                let _ = reply.send(protocol::page(session, face));
                false
            }
        }
    }

    /// Whether a player elsewhere looks at the table.
    fn is_attended(&self) -> bool {
        let watching = self.watching.lock().unwrap_or_else(PoisonError::into_inner);
        watching.iter().any(|(face, count)| matches!(face, Face::Player(_)) && *count > 0)
    }

    fn linked(&self) -> Vec<Face> {
        self.links.lock().unwrap_or_else(PoisonError::into_inner).all().map(|(face, _)| face).collect()
    }

    fn has_link(&self, face: Face) -> bool {
        self.linked().contains(&face)
    }

    fn answer(&mut self, session: &mut Session, face: Face, request: &Request, arrived: Instant) -> Reply {
        // However long it waited for the table.
        let moment = session.is_in_real_time().then(|| self.time.at(session, arrived));
        if let (Face::Player(seat), Request::Choose { decision, .. }) = (face, request)
            && let Some(since) = self.seen.get(decision)
        {
            let thought = arrived.saturating_duration_since(*since).as_millis();
            session.note_thinking(seat, u64::try_from(thought).unwrap_or(u64::MAX));
        }
        match protocol::answer(session, face, request, moment) {
            Ok(Done { said: shown, at_prompt }) => {
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

    fn tell_all(&mut self, session: &Session) {
        if self.progress.follow(session) {
            self.time.begin_again();
        }
        // Whoever listens to a face whose link is void is told by its end.
        let links: Vec<Face> = self.linked();
        self.faces.retain(|face, sender| sender.receiver_count() > 0 && links.contains(face));
        for face in links.into_iter().filter(|face| self.faces.contains_key(face)).collect::<Vec<_>>() {
            let state = self.state(session, face);
            if let Some(sender) = self.faces.get(&face) {
                sender.send_replace(Some(Arc::new(state)));
            }
        }
        self.note_seen(session);
    }

    /// Takes note of the decisions that pages show to those who are asked: nobody thinks about what nobody can see.
    fn note_seen(&mut self, session: &Session) {
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

    fn state(&self, session: &Session, face: Face) -> Telling {
        let before = self.faces.get(&face).and_then(|sender| Some(sender.borrow().as_ref()?.state.clone()));
        let links = self.links.lock().unwrap_or_else(PoisonError::into_inner);
        let watching = self.watching.lock().unwrap_or_else(PoisonError::into_inner);
        let sitters = Seats::all(session.playthrough.seats).into_iter().map(|seat| Sitter {
            seat,
            has_link: links.all().any(|(face, _)| face == Face::Player(seat)),
            watching: watching.get(&Face::Player(seat)).copied().unwrap_or(0),
        });
        let sitters: Vec<Sitter> = sitters.collect();
        Telling::new(FaceState::of(session, face, &self.progress, &sitters, before.as_deref()), before)
    }
}

/// What somebody is told whose link is void.
pub(super) fn gone() -> Reply {
    Reply { status: 404, body: json!({ "error": said("this link is not valid") }) }
}

/// Sends an errand; whether there was room for it.
pub(super) fn send(errands: &SyncSender<Errand>, errand: Errand) -> bool {
    match errands.try_send(errand) {
        Ok(()) => true,
        Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => false,
    }
}

/// An address as a picture that a phone reads, in half blocks; nothing where it is too long for one.
fn picture(address: &str) -> Vec<String> {
    let Ok(code) = QrCode::with_error_correction_level(address, EcLevel::L) else { return Vec::new() };
    let width = code.width() as isize;
    // Readers need a margin, and light squares around dark ones: dark is drawn as nothing.
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

fn locked(session: &Mutex<Session>) -> MutexGuard<'_, Session> {
    session.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::definition::Library;
    use crate::files::Memory;
    use crate::playthrough::{Playable, Playthrough};
    use crate::ruleset::{Ruleset, Selection};
    use crate::session::surroundings::Nowhere;

    #[test]
    fn whoever_looks_through_one_link_is_sent_the_same_bytes() {
        let files = Memory::new([
            ("games/count/game.toml", "id = 'count'\nname = 'Count'\nplayers = { min = 2, max = 2 }\n"),
            ("games/count/rules.rhai", "fn game() { loop { for p in players { p.choose(\"number\", 1..=6); } } }"),
        ]);
        let library = Library::of(Arc::new(files), vec!["".into()]);
        let ruleset = Ruleset::load(&library, &Selection::of("count")).unwrap();
        let loaded = Playable::compile(Arc::new(ruleset), 2, Arc::default()).unwrap();
        let (game, _) = Playthrough::start(loaded, 2, 1, Vec::new()).unwrap();
        let mut session = Session::new(game, library, Language::English, Arc::default(), Arc::new(Nowhere));
        let mut progress = Progress::default();
        let mut next = |session: &Session, before: Option<Arc<FaceState>>| {
            progress.follow(session);
            Telling::new(FaceState::of(session, Face::Screen, &progress, &[], before.as_deref()), before)
        };
        for wanted in [Wanted::Drawing, Wanted::View] {
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
