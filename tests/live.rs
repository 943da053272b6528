//! The live table: what a face is told, what it may do, and what strangers in the network can do to it.

use houserule::live::protocol::{
    FaceState, MAX_REQUEST_BYTES, Progress, Refusal, Request, StateFormat, answer, complaint, read_request, said_to,
};
use houserule::parts::{Appearance, Flow, Viewer};
use houserule::playthrough::playtest::MarkKind;
use houserule::screen::html::live::decision_key;
use houserule::serve::hub::Table;
use houserule::session::table_face::{Face, TableReach, TableServer};
use houserule::table::value::{Seat, Zone};
use houserule::{
    Disk, Language, Library, MemoryFiles, NoSurroundings, Playable, Playthrough, Ruleset, Selection, Session,
    ThisComputer,
};
use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The games that stand beside these tests.
fn library() -> Library {
    Disk::library(vec![PathBuf::from(env!("CARGO_MANIFEST_DIR"))])
}

fn session(game: &str, players: usize, seed: u64) -> Session {
    let library = library();
    let ruleset = Ruleset::load(&library, &Selection::of(game)).unwrap();
    let loaded = Playable::compile(Arc::new(ruleset), players, Arc::default()).unwrap();
    let (playthrough, _) = Playthrough::start(loaded, players, seed, Vec::new()).unwrap();
    Session::new(playthrough, library, Language::English, Arc::default(), Arc::new(NoSurroundings))
}

/// The name and the labels of what a seat is asked.
fn asked(session: &Session, seat: Seat) -> (String, Vec<String>) {
    let asked = session.playthrough.asked();
    let decision = asked.iter().find(|decision| decision.seat == Some(seat)).unwrap();
    (decision_key(decision), decision.options.iter().map(|option| option.label.clone()).collect())
}

fn choose(session: &mut Session, face: Face, decision: &str, labels: &[&str]) -> Result<(), Refusal> {
    let labels = labels.iter().map(|label| (*label).to_owned()).collect();
    answer(session, face, &Request::Choose { decision: decision.to_owned(), labels }, None).map(drop)
}

/// Everything that a face is told from now on, as it goes over the line.
fn told(session: &Session, face: Face, progress: &mut Progress, before: Option<&FaceState>) -> (FaceState, String) {
    progress.follow(session);
    let state = FaceState::of(session, face, progress, &[], before);
    let news = [StateFormat::Drawing, StateFormat::View].map(|wanted| {
        let whole = state.news(None, wanted).map(|news| news.to_string()).unwrap_or_default();
        let changed = state.news(before, wanted).map(|news| news.to_string()).unwrap_or_default();
        whole + changed.as_str()
    });
    (state, news.concat())
}

#[test]
fn no_byte_that_goes_to_a_face_has_a_face_of_a_card_that_its_viewer_never_saw() {
    let library = library();
    let mut looked_for = 0;
    for entry in library.games() {
        let ruleset = Ruleset::load(&library, &Selection::of(&entry.id)).unwrap();
        let players = ruleset.definition.players.0.max(2);
        let mut session = session(&entry.id, players, 11);
        for face in [Face::Player(Seat(1)), Face::Screen] {
            session.line("goto 1").unwrap();
            let viewer = match face {
                Face::Player(seat) => Viewer::Seat(seat),
                _ => Viewer::Public(players),
            };
            let mut progress = Progress::default();
            let mut before = None;
            let mut seen = BTreeSet::new();
            for step in 0..40 {
                let game = &session.playthrough;
                let (layout, position) = (game.loaded().layout.clone(), game.position().clone());
                let eyes = game.observed_position(viewer);
                let zones = (0..layout.zones.len()).map(|number| Zone(number as u16));
                for appearance in zones.flat_map(|zone| eyes.seen(zone).to_vec()) {
                    if let Appearance::Face(front) = appearance {
                        seen.insert(front.face);
                    }
                }
                // What came and went between two looks was seen too.
                for event in &position.events {
                    if let Some(component) = event.what.component().filter(|one| eyes.saw_component(event, *one)) {
                        seen.insert(eyes.front(component).face);
                    }
                }
                let (state, bytes) = told(&session, face, &mut progress, before.as_ref());
                let has = |text: &str| memchr::memmem::find(bytes.as_bytes(), text.as_bytes()).is_some();
                for number in (0..layout.faces.len()).filter(|number| !seen.contains(number)) {
                    // A card of which another lies open is no secret.
                    let id = &layout.faces[number].id;
                    let is_same = |other: &usize| layout.prints[*other] == layout.prints[number];
                    let may_be_offered = game.asked().iter().any(|decision| {
                        viewer.may_answer(decision.seat)
                            && decision.options.iter().any(|option| option.label.contains(&**id))
                    });
                    if seen.iter().any(is_same) || may_be_offered {
                        continue;
                    }
                    looked_for += 1;
                    for trace in [format!("\"face\":\"{id}\""), format!("#f{number}\\\""), format!("#f{number}-")] {
                        assert!(!has(&trace), "{} {face}, step {step}: {trace}", entry.id);
                    }
                }
                for decision in game.asked().iter().filter(|decision| !viewer.may_answer(decision.seat)) {
                    assert!(!has(&decision_key(decision)), "{} {face}: another's decision", entry.id);
                }
                before = Some(state);
                if !matches!(session.line("auto"), Ok(Flow::Show(_))) {
                    break;
                }
            }
        }
    }
    assert!(looked_for > 10_000, "{looked_for}");
}

#[test]
fn a_face_does_what_it_may_and_nothing_else() {
    let mut session = session("up-or-down", 3, 42);
    let (p1, p2) = (Face::Player(Seat(0)), Face::Player(Seat(1)));
    let (key, labels) = asked(&session, Seat(0));
    let refused = |result: Result<(), Refusal>| match result {
        Err(Refusal::Wrong(_)) => "wrong",
        Err(Refusal::Unknown(_)) => "unknown",
        Err(Refusal::Stale(_)) => "stale",
        Err(Refusal::Refused(_)) => "refused",
        Ok(()) => "done",
    };
    assert_eq!(refused(choose(&mut session, p2, &key, &[&labels[0]])), "wrong");
    assert_eq!(refused(choose(&mut session, Face::Screen, &key, &[&labels[0]])), "wrong");
    assert_eq!(refused(choose(&mut session, p1, "0123456789abcdef", &[&labels[0]])), "stale");
    assert_eq!(refused(choose(&mut session, p1, &key, &["no such card"])), "refused");
    assert_eq!(refused(choose(&mut session, p1, &key, &[])), "refused");
    assert_eq!(session.playthrough.timeline().cursor(), 0, "nothing has happened");
    assert_eq!(refused(choose(&mut session, p1, &key, &[&labels[0]])), "done");
    assert_eq!(refused(choose(&mut session, p1, &key, &[&labels[0]])), "stale", "a second click");
    let mut ask = |face, request| refused(answer(&mut session, face, &request, None).map(drop));
    assert_eq!(ask(p1, Request::Line("undo".to_owned())), "wrong");
    assert_eq!(ask(Face::Designer, Request::Line("quit".to_owned())), "refused");
    assert_eq!(ask(Face::Designer, Request::Line("undo".to_owned())), "done");
    assert_eq!(ask(Face::Screen, Request::Point("ring".to_owned())), "wrong");
    assert_eq!(ask(p1, Request::Point("ring@0".to_owned())), "done");
    assert_eq!(ask(p1, Request::Point("p2".to_owned())), "done");
    assert_eq!(ask(p1, Request::Rules(String::new())), "done");
    assert_eq!(ask(p1, Request::Rules("all".to_owned())), "done");
    assert_eq!(ask(Face::Screen, Request::Rules(String::new())), "wrong");
    assert_eq!(ask(p1, Request::Point("ring@99".to_owned())), "unknown");
    assert_eq!(ask(p1, Request::Point("nowhere@0".to_owned())), "unknown");
    assert_eq!(ask(p1, Request::Point("p2.hand@0".to_owned())), "done", "the zone, for the card is hidden");
    assert_eq!(ask(p1, Request::Point("ring\nundo".to_owned())), "wrong");
    assert_eq!(ask(p1, Request::Why("zzz".to_owned())), "refused");
    assert_eq!(session.viewer, Viewer::Everything, "the eyes of whoever has the session stay");
}

#[test]
fn what_hidden_things_are_is_not_explained_to_a_player() {
    let mut session = session("hearts", 4, 7);
    let hidden = session.playthrough.loaded().layout.zone_named("p1.hand").unwrap();
    let card = session.playthrough.position().table.zones.held(hidden)[0];
    let layout = session.playthrough.loaded().layout.clone();
    let id = layout.faces[usize::from(session.playthrough.position().table.faces[card.index()])].id.to_string();
    let explain = |session: &mut Session, face, request| match answer(session, face, &request, None) {
        Ok(done) => done.said.iter().map(|line| line.text()).collect::<Vec<_>>().join("\n"),
        Err(refusal) => refusal.reason().to_string(),
    };
    let to_player = explain(&mut session, Face::Player(Seat(1)), Request::Point(id.clone()));
    assert!(!to_player.contains("p1 hand"), "{to_player}");
    let to_designer = explain(&mut session, Face::Designer, Request::Point(id));
    assert!(to_designer.contains("p1 hand"), "{to_designer}");
}

#[test]
fn who_chooses_at_the_same_time_is_waited_for_and_nobody_sees_what() {
    let mut session = session("goofspiel", 3, 1);
    let (key, labels) = asked(&session, Seat(2));
    choose(&mut session, Face::Player(Seat(2)), &key, &[&labels[3]]).unwrap();
    assert_eq!(session.playthrough.timeline().cursor(), 0, "it waits for the others");
    let mut progress = Progress::default();
    let (_, screen) = told(&session, Face::Screen, &mut progress, None);
    let (_, own) = told(&session, Face::Player(Seat(2)), &mut progress, None);
    assert!(!own.contains(&key) && !screen.contains(&key));
    let (key, labels) = asked(&session, Seat(1));
    choose(&mut session, Face::Player(Seat(1)), &key, &[&labels[0]]).unwrap();
    // The first at the prompt: those who were quicker have chosen.
    let first = asked(&session, Seat(0)).1[1].clone();
    session.line(&format!("={first}")).unwrap();
    assert_eq!(session.playthrough.timeline().cursor(), 3);
    assert_eq!(session.playthrough.asked().len(), 3, "the next round");
}

#[test]
fn a_playtest_goes_with_the_saved_game() {
    let mut session = session("pig", 2, 3);
    let (key, labels) = asked(&session, Seat(0));
    session.note_thinking(Seat(0), 2_400);
    choose(&mut session, Face::Player(Seat(0)), &key, &[&labels[0]]).unwrap();
    let mark = Request::Mark { kind: MarkKind::Unclear, words: "why \"one\"\n?".to_owned() };
    answer(&mut session, Face::Player(Seat(1)), &mark, None).unwrap();
    assert!(!session.is_saved());
    let too_long = Request::Mark { kind: MarkKind::Fun, words: "x".repeat(201) };
    assert!(answer(&mut session, Face::Player(Seat(1)), &too_long, None).is_err());
    let text = houserule::Replay::of(&session.playthrough).to_toml();
    assert!(text.contains("format   = 4"), "{text}");
    assert!(text.contains("thinking = [\n  [1, 1, 2400],\n]"), "{text}");
    assert!(text.contains("marks = [\n  [1, 2, \"unclear\", 'why \"one\" ?'],\n]"), "{text}");
    session.line("undo").unwrap();
    assert!(houserule::Replay::of(&session.playthrough).playtest.is_empty(), "it belongs to a move that is taken back");
    session.line("redo").unwrap();
    assert!(!houserule::Replay::of(&session.playthrough).playtest.is_empty());
}

#[test]
fn real_time_is_in_the_log_to_the_millisecond() {
    let mut session = session("playme", 3, 1);
    for seat in 0..3 {
        session.set_elsewhere(Seat(seat), true);
    }
    while !session.is_in_real_time() {
        session.line("auto").unwrap();
    }
    let now = session.playthrough.position().table.clock.now();
    let asked = session.playthrough.asked();
    let (key, label) = (decision_key(&asked[0]), asked[0].options[2].label.clone());
    let request = Request::Choose { decision: key.clone(), labels: vec![label] };
    let other = Request::Choose { decision: key, labels: vec![asked[0].options[0].label.clone()] };
    let p3 = Face::Player(Seat(2));
    assert!(answer(&mut session, p3, &other, Some(now + 1_234)).is_err(), "for another seat");
    // What is refused leaves no trace, not even on the clock.
    let before = session.playthrough.timeline().log().to_vec();
    let nobody = match &request {
        Request::Choose { decision, .. } => {
            Request::Choose { decision: decision.clone(), labels: vec!["p9".to_owned()] }
        }
        other => other.clone(),
    };
    assert!(answer(&mut session, p3, &nobody, Some(now + 500)).is_err());
    assert_eq!(session.playthrough.timeline().log(), before);
    answer(&mut session, p3, &request, Some(now + 1_234)).unwrap();
    let table = &session.playthrough.position().table;
    assert_eq!((table.clock.now(), table.turn), (now + 1_234, Some(Seat(2))));
    // The same log gives the same game.
    let replay = houserule::Replay::of(&session.playthrough);
    assert!(replay.to_toml().contains(&format!("[\"set\", \"clock\", {}]", now + 1_234)));
    let (again, misfit) =
        Playthrough::start(session.playthrough.loaded().clone(), 3, session.playthrough.seed, replay.log).unwrap();
    assert!(misfit.is_none());
    assert_eq!(again.position().table.clock.now(), now + 1_234);
    let back = session.line(&format!("set clock {now}")).map(|_| ()).unwrap_err().to_string();
    assert!(back.contains("clock"), "{back}");
}

/// A game in which everybody can slap at the same time.
fn slapping() -> Session {
    let files = MemoryFiles::new([
        ("games/slap/game.toml", "id = 'slap'\nname = 'Slap'\nplayers = { min = 3, max = 4 }\n"),
        (
            "games/slap/rules.rhai",
            r#"fn game() { loop { let first = players.first_to("slap", 60000); if first != nobody { first.award(1, "first"); } } }"#,
        ),
    ]);
    let library = Library::of(Arc::new(files), vec!["".into()]);
    let ruleset = Ruleset::load(&library, &Selection::of("slap")).unwrap();
    let loaded = Playable::compile(Arc::new(ruleset), 3, Arc::default()).unwrap();
    let (playthrough, _) = Playthrough::start(loaded, 3, 1, Vec::new()).unwrap();
    let mut session = Session::new(playthrough, library, Language::English, Arc::default(), Arc::new(NoSurroundings));
    (0..3).for_each(|seat| session.set_elsewhere(Seat(seat), true));
    session
}

#[test]
fn of_several_who_act_at_the_same_time_the_first_is_whose_answer_arrived_first() {
    let mut session = slapping();
    let mut say = |seat: u8, label: &str, moment: i64| {
        let (decision, _) = asked(&session, Seat(seat));
        let request = Request::Choose { decision, labels: vec![label.to_owned()] };
        answer(&mut session, Face::Player(Seat(seat)), &request, Some(moment)).unwrap();
        session.playthrough.position().scores.clone()
    };
    say(1, "yes", 400);
    say(0, "no", 450);
    assert_eq!(say(2, "yes", 500), [0, 1, 0]);
    // The other way round, and not by lot: again and again.
    for round in 1..6 {
        let from = 1_000 * i64::from(round);
        say(2, "yes", from + 1);
        say(1, "yes", from + 2);
        assert_eq!(say(0, "yes", from + 3), [0, 1, i64::from(round)]);
    }
    // Nobody says when the answers at the prompt came: then it is asked who was first.
    let (p2, p1) = (asked(&session, Seat(1)).0, asked(&session, Seat(0)).0);
    let slap = |decision: &str| Request::Choose { decision: decision.to_owned(), labels: vec!["yes".to_owned()] };
    answer(&mut session, Face::Player(Seat(1)), &slap(&p2), Some(9_000)).unwrap();
    answer(&mut session, Face::Player(Seat(0)), &slap(&p1), None).unwrap();
    let p3 = asked(&session, Seat(2)).0;
    answer(&mut session, Face::Player(Seat(2)), &slap(&p3), Some(9_100)).unwrap();
    assert!(session.playthrough.position().open.as_ref().unwrap().by_clock.is_some());
    session.line("undo").unwrap();
    // The same log is the same game.
    let replay = houserule::Replay::of(&session.playthrough);
    let (again, misfit) =
        Playthrough::start(session.playthrough.loaded().clone(), 3, session.playthrough.seed, replay.log).unwrap();
    assert!(misfit.is_none());
    assert_eq!(again.position().scores, session.playthrough.position().scores);
}

#[test]
fn whatever_is_sent_is_a_request_or_is_told_why_not() {
    let whole = br#"{"choose": {"decision": "0123456789abcdef", "labels": ["33"]}}"#;
    assert!(read_request(whole).is_ok());
    for place in 0..whole.len() {
        for byte in [b'{', b'"', b'\\', b' ', 0, 0xff] {
            let mut broken = whole.to_vec();
            broken[place] = byte;
            let _ = read_request(&broken);
        }
        assert!(read_request(&whole[..place]).is_err());
    }
    for wrong in ["", "null", "[]", "{}", r#"{"line": 3}"#, r#"{"format": "/"}"#, r#"{"choose": {"labels": []}}"#] {
        assert!(matches!(read_request(wrong.as_bytes()), Err(Refusal::Wrong(_))), "{wrong}");
    }
    for (wrong, needed) in [
        (r#"{"mark": {"kind": "dull"}}"#, "unclear, fun, slow"),
        (r#"{"mark": {"kind": "fun", "word": ""}}"#, "`words`"),
        (r#"{"choose": {"labels": []}}"#, "`decision`"),
        (r#"{"line": 3}"#, "`line` has a text"),
        (r#"{"why": "33", "line": ""}"#, "one of choose, line"),
        ("nonsense", "JSON"),
    ] {
        let told = read_request(wrong.as_bytes()).unwrap_err().reason().to_string();
        assert!(told.contains(needed) && !told.contains("column") && !told.contains("variant"), "{wrong}: {told}");
    }
    assert!(read_request(&vec![b' '; MAX_REQUEST_BYTES + 1]).is_err());
    assert!(read_request("[".repeat(10_000).as_bytes()).is_err());
}

/// A table on this computer, with the address of each face.
struct Opened {
    session: Arc<Mutex<Session>>,
    table: Table,
}

impl Opened {
    fn new(session: Session) -> Self {
        let session = Arc::new(Mutex::new(session));
        let table = Table::new(&session, TableReach::default(), Box::new(|_, _| ())).unwrap();
        Self { session, table }
    }

    /// Host and path of a face.
    fn link(&mut self, face: Face) -> (String, String) {
        let address = self.table.link(face).unwrap().address;
        let (host, path) = address.strip_prefix("http://").unwrap().split_once('/').unwrap();
        (host.to_owned(), format!("/{path}"))
    }
}

/// What a server answers to bytes: its status, and the whole.
fn exchange(host: &str, request: &[u8]) -> (u16, String) {
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    // A server may close before it has read everything.
    let _ = stream.write_all(request);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, answer)
}

fn get(host: &str, path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").into_bytes()
}

fn post(host: &str, path: &str, headers: &str, body: &str) -> Vec<u8> {
    format!(
        "POST {path}do HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\n{headers}\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

#[test]
fn a_stranger_in_the_network_gets_nothing() {
    let mut opened = Opened::new(session("up-or-down", 3, 42));
    let (host, path) = opened.link(Face::Player(Seat(0)));
    let port = host.split_once(':').unwrap().1.to_owned();
    assert!(host.starts_with("127.0.0.1:"), "nothing else of the computer listens");
    let (status, page) = exchange(&host, &get(&host, &path));
    assert_eq!(status, 200);
    for header in ["cache-control: no-store", "x-content-type-options: nosniff", "referrer-policy: no-referrer"] {
        assert!(page.contains(header), "{header}");
    }
    let secret = path.trim_matches('/');
    assert!(!page.contains(secret), "the page does not tell its own secret");
    assert!(page.contains("default-src 'none'") && page.contains("connect-src 'self'"));
    for (wanted, request) in [
        (404, get(&host, "/AAAAAAAAAAAAAAAAAAAAAA/")),
        (404, get(&host, &format!("{path}../../etc/passwd"))),
        (404, get(&host, &format!("{path}%2e%2e/games"))),
        (404, get(&host, "/AAAAAAAAAAAAAAAAAAAAAA")),
        (308, get(&host, path.trim_end_matches('/'))),
        (200, get(&host, "/")),
        (405, get(&host, &format!("{path}do"))),
        (421, get("evil.example", &path)),
        (421, get(&format!("evil.example:{port}"), &path)),
        (421, format!("GET {path} HTTP/1.1\r\nConnection: close\r\n\r\n").into_bytes()),
        (403, post(&host, &path, "Origin: http://evil.example\r\n", "{}")),
        (403, post(&host, &path, "Origin: null\r\n", "{}")),
        (403, post(&host, &path, "Sec-Fetch-Site: cross-site\r\n", "{}")),
        (400, post(&host, &path, "", "{}")),
        (400, post(&host, &path, &format!("Origin: http://{host}\r\n"), "nonsense")),
        (413, post(&host, &path, "", &" ".repeat(MAX_REQUEST_BYTES + 1))),
        (
            415,
            format!("POST {path}do HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{{}}")
                .into_bytes(),
        ),
        (409, post(&host, &path, "", r#"{"choose": {"decision": "no", "labels": []}}"#)),
        (403, post(&host, &path, "", r#"{"line": "undo"}"#)),
        (404, post(&host, &path, "", r#"{"point": "nowhere@0"}"#)),
        (404, post(&host, "/AAAAAAAAAAAAAAAAAAAAAA/", "", r#"{"point": "ring@0"}"#)),
    ] {
        let (status, answer) = exchange(&host, &request);
        assert_eq!(status, wanted, "{}\n{answer}", String::from_utf8_lossy(&request));
        assert!(!answer.contains("/games/") && !answer.contains(".rhai"), "nothing of the disk: {answer}");
    }
    let (_, below) = exchange(&host, &get(&host, path.trim_end_matches('/')));
    assert!(below.contains(&format!("location: {path}\r\n")), "a link that was typed without its end: {below}");
    assert!(opened.table.revoke(Face::Player(Seat(0))));
    // A void link and one that never was look alike.
    for request in [
        |host: &str, path: &str| get(host, path),
        |host: &str, path: &str| get(host, path.trim_end_matches('/')),
        |host: &str, path: &str| post(host, path, "", "{}"),
    ] {
        let [void, unknown] = [&*path, "/AAAAAAAAAAAAAAAAAAAAAA/"].map(|path| exchange(&host, &request(&host, path)));
        assert_eq!(void.0, 404);
        let without_date = |answer: &str| {
            answer.lines().filter(|line| !line.starts_with("date:")).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(without_date(&void.1), without_date(&unknown.1));
    }
}

#[test]
fn the_page_of_whoever_has_the_session_is_open_on_this_computer_alone() {
    let session = Arc::new(Mutex::new(session("pig", 2, 1)));
    let reach = TableReach { is_in_network: true, port: 0, address: None };
    let mut table = Table::new(&session, reach, Box::new(|_, _| ())).unwrap();
    // A computer without a network has no table there.
    let Ok(player) = table.link(Face::Player(Seat(0))) else { return };
    let designer = table.link(Face::Designer).unwrap();
    assert!(designer.address.starts_with("http://127.0.0.1:") && designer.picture.is_empty(), "{}", designer.address);
    let parts = |address: &str| {
        let (host, path) = address.strip_prefix("http://").unwrap().split_once('/').unwrap();
        (host.to_owned(), format!("/{path}"))
    };
    let ((network, seat), (home, all)) = (parts(&player.address), parts(&designer.address));
    assert_eq!(exchange(&home, &get(&home, &all)).0, 200);
    assert_eq!(exchange(&network, &get(&network, &seat)).0, 200);
    assert_eq!(exchange(&network, &get(&network, &all)).0, 404, "from elsewhere it is no link");
}

#[test]
fn what_a_server_refuses_it_says_in_the_language_of_the_table() {
    let mut session = session("pig", 2, 1);
    session.language = Language::Japanese;
    let mut opened = Opened::new(session);
    let (host, path) = opened.link(Face::Player(Seat(0)));
    let long = post(&host, &path, "", &" ".repeat(MAX_REQUEST_BYTES + 1));
    let no_json = post(&host, &path, "", "{}");
    let no_json = String::from_utf8(no_json).unwrap().replace("application/json", "text/plain").into_bytes();
    let cases = [
        (413, long, "リクエストが長すぎるか"),
        (415, no_json, "JSONで送ってください"),
        (404, get(&host, "/AAAAAAAAAAAAAAAAAAAAAA/"), "受け取ったリンクを開いてください"),
        (404, get(&host, &format!("{path}x")), "ここには何もありません"),
    ];
    for (wanted, request, words) in cases {
        let (status, answer) = exchange(&host, &request);
        assert!(status == wanted && answer.contains(words), "{wanted} {answer}");
    }
    let many = (0..200).map(|_| exchange(&host, &post(&host, &path, "", r#"{"point": "p1"}"#)));
    let refused = many.filter(|(status, _)| *status == 429).map(|(_, answer)| answer).next().unwrap();
    assert!(refused.contains("リクエストが多すぎます"), "{refused}");
}

#[test]
fn bad_and_slow_requests_are_noticed_by_nobody_who_plays() {
    let mut opened = Opened::new(session("up-or-down", 3, 42));
    let (host, path) = opened.link(Face::Player(Seat(0)));
    // Begun and never ended.
    let slow: Vec<TcpStream> = (0..20)
        .map(|number| {
            let mut stream = TcpStream::connect(&host).unwrap();
            let part = if number % 2 == 0 { "GET / HT".to_owned() } else { format!("POST {path}do HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{{") };
            stream.write_all(part.as_bytes()).unwrap();
            stream
        })
        .collect();
    let bad: Vec<_> = (0..4)
        .map(|thread: usize| {
            let (host, path) = (host.clone(), path.clone());
            std::thread::spawn(move || {
                for number in 0..250 {
                    let mut bytes = post(&host, &path, "", r#"{"choose": {"decision": "x", "labels": ["y"]}}"#);
                    let place = (number * 7 + thread * 13) % bytes.len();
                    bytes[place] = bytes[place].wrapping_add(1 + (number % 200) as u8);
                    bytes.truncate(bytes.len() - number % 5);
                    let mut stream = TcpStream::connect(&host).unwrap();
                    let _ = stream.write_all(&bytes);
                }
            })
        })
        .collect();
    // The designer's page is another link, with a bucket of its own.
    let (host, path) = opened.link(Face::Designer);
    let begun = Instant::now();
    for _ in 0..20 {
        let (status, answer) = exchange(&host, &post(&host, &path, "", r#"{"line": "auto"}"#));
        assert_eq!(status, 200, "{answer}");
    }
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
    bad.into_iter().for_each(|thread| thread.join().unwrap());
    assert!(opened.session.lock().unwrap().playthrough.timeline().cursor() >= 20);
    drop(slow);
}

#[test]
fn who_plays_elsewhere_does_not_wait_for_figures() {
    let mut opened = Opened::new(session("pig", 2, 1));
    let (host, path) = opened.link(Face::Designer);
    let Opened { session, table } = opened;
    session.lock().unwrap().set_table_server(Box::new(table));
    let (status, answer) = exchange(&host, &post(&host, &path, "", r#"{"line": "sim 20"}"#));
    assert!(status == 200 && answer.contains("background"), "{answer}");
}

/// Whatever takes long: the others go on while an answer is worked out, and it belongs to the position that was asked.
#[test]
fn who_plays_elsewhere_does_not_wait_for_an_answer_either() {
    let this_computer = || {
        let mut session = session("hearts", 4, 7);
        session = Session::new(
            session.playthrough,
            library(),
            Language::English,
            Arc::default(),
            Arc::new(ThisComputer::default()),
        );
        session.line("auto 20").unwrap();
        session
    };
    for line in ["analyze search:150", "hint search:3000", "test", "check"] {
        let alone = match this_computer().line(line).unwrap() {
            Flow::Page(lines) | Flow::Show(lines) => lines.iter().map(|line| line.text()).collect::<Vec<_>>(),
            _ => panic!("{line} asks"),
        };
        let mut opened = Opened::new(this_computer());
        let (host, all) = opened.link(Face::Designer);
        let seats: Vec<_> = (0..4).map(|seat| opened.link(Face::Player(Seat(seat)))).collect();
        let Opened { session, table } = opened;
        session.lock().unwrap().set_table_server(Box::new(table));
        let (status, said) = exchange(&host, &post(&host, &all, "", &format!("{{\"line\": \"{line}\"}}")));
        assert!(status == 200 && said.contains("background"), "{line}: {said}");
        // Somebody chooses meanwhile, and is told so before the answer is there.
        let (seat, decision, label) = {
            let session = session.lock().unwrap();
            let asked = session.playthrough.asked();
            (asked[0].seat.unwrap(), decision_key(&asked[0]), asked[0].options[0].label.clone())
        };
        let body = serde_json::json!({ "choose": { "decision": decision, "labels": [label] } }).to_string();
        let (_, path) = &seats[seat.index()];
        assert_eq!(exchange(&host, &post(&host, path, "", &body)).0, 200, "{line}");
        let mut session = session.lock().unwrap();
        assert_eq!(session.playthrough.timeline().cursor(), 21, "{line}");
        let was_running = session.running_job().is_some();
        assert!(was_running || line == "test" || line == "check", "{line} was done before anybody could choose");
        let shown = session.figures_of_job(false).unwrap();
        let shown: Vec<String> = shown.iter().map(|line| line.text()).collect();
        let announced = session.announced().lines.clone();
        assert!(shown.is_empty() || shown[..2] == [format!("`{line}`"), "at move 21".to_owned()], "{shown:?}");
        let told: Vec<String> = announced.iter().skip(2).map(|line| line.text()).collect();
        assert_eq!(told, alone, "{line}: what it would have shown at once");
    }
}

/// What the session's page is told, one state after the other.
fn states(session: &mut Session, lines: &[&str]) -> Vec<serde_json::Value> {
    let mut progress = Progress::default();
    let mut before: Option<FaceState> = None;
    let mut news = Vec::new();
    for line in lines {
        answer(session, Face::Designer, &Request::Line((*line).to_owned()), None).unwrap();
        progress.follow(session);
        let state = FaceState::of(session, Face::Designer, &progress, &[], before.as_ref());
        news.push(state.news(before.as_ref(), StateFormat::Drawing).unwrap_or_default());
        before = Some(state);
    }
    news
}

#[test]
fn the_page_shows_before_and_after_where_a_game_goes_another_way() {
    let mut session = session("up-or-down", 3, 42);
    let told = states(&mut session, &["auto 30", "with greenhorn", "table", "undo", "auto"]);
    let parting = |number: usize| told[number]["parting"].as_str();
    assert_eq!(parting(0), None, "nothing has changed");
    let drawn = parting(1).unwrap();
    assert_eq!(drawn.matches("class=\"felt\"").count(), 2, "{drawn}");
    assert!(drawn.contains("href=\"#before-f") && drawn.contains("id=\"after-f"), "each side has pictures of its own");
    // The place where they part: what happened there is told on the side that it happened on.
    let number: usize = drawn.split("before move ").nth(1).unwrap().split('<').next().unwrap().parse().unwrap();
    let scored = session.playthrough.position().events.len();
    assert!(scored > 0 && (2..=31).contains(&number), "{number}");
    assert_eq!(parting(2), None, "it stays, and is not sent again");
    assert_eq!(parting(3), Some(""), "the rules are as they were");
    assert_eq!(parting(4), None);
    // A change that changes nothing so far is not drawn.
    let told = states(&mut session, &["goto 1", "with greenhorn"]);
    assert_eq!(told[1]["parting"].as_str(), None, "{}", told[1]["parting"]);
    // The others see the table alone.
    let mut progress = Progress::default();
    let (_, bytes) = self::told(&session, Face::Player(Seat(0)), &mut progress, None);
    assert!(!bytes.contains("before-"));
}

#[test]
fn figures_come_to_the_page_as_plots_and_nobody_waits_for_them() {
    let mut opened = Opened::new(session("pig", 2, 1));
    let (host, path) = opened.link(Face::Designer);
    let Opened { session, table } = opened;
    session.lock().unwrap().set_table_server(Box::new(table));
    for line in ["sim 20", "wait"] {
        let (status, answer) = exchange(&host, &post(&host, &path, "", &format!("{{\"line\": \"{line}\"}}")));
        assert_eq!(status, 200, "{answer}");
    }
    let mut session = session.lock().unwrap();
    let lines = session.take_figures().unwrap_or_default();
    let announced = session.announced().clone();
    let drawn = announced.figures.unwrap();
    assert!(drawn.contains("<svg class=\"track\"") && drawn.contains("sim 20"), "{drawn}");
    assert!(!drawn.contains("<html"), "a part of a page");
    assert_eq!(announced.lines.len(), 1, "the page is not told the same as text");
    assert!(lines.is_empty() || lines.len() > 5, "the prompt is");
}

#[test]
fn too_many_requests_of_one_link_are_refused_and_the_others_are_served() {
    let mut opened = Opened::new(session("pig", 2, 1));
    let (host, path) = opened.link(Face::Player(Seat(0)));
    let ask = r#"{"point": "p1"}"#;
    let refused = (0..200).filter(|_| exchange(&host, &post(&host, &path, "", ask)).0 == 429).count();
    assert!(refused > 0, "200 at once are too many");
    let (host, path) = opened.link(Face::Player(Seat(1)));
    assert_eq!(exchange(&host, &post(&host, &path, "", ask)).0, 200);
}

#[test]
fn a_stream_tells_what_changes_and_ends_with_its_link() {
    let mut opened = Opened::new(session("pig", 2, 1));
    let (host, path) = opened.link(Face::Screen);
    let mut stream = TcpStream::connect(&host).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.write_all(&get(&host, &format!("{path}events?as=view"))).unwrap();
    let mut heard = String::new();
    let mut until = |wanted: &str| {
        let mut bytes = [0; 4096];
        while !heard.contains(wanted) {
            match stream.read(&mut bytes) {
                Ok(count @ 1..) => heard.push_str(&String::from_utf8_lossy(&bytes[..count])),
                other => panic!("{other:?} before {wanted}: {heard}"),
            }
        }
        std::mem::take(&mut heard)
    };
    let first = until("\"move\":1,");
    assert!(first.contains("event: state") && first.contains("\"viewer\":\"public\""), "{first}");
    opened.session.lock().unwrap().line("auto").unwrap();
    until("\"move\":2,");
    opened.table.revoke(Face::Screen);
    until("event: closed");
}

#[test]
fn playtests_are_told_with_their_places_and_times() {
    let mut session = session("pig", 2, 3);
    for (seat, time) in [(0, 2_400), (0, 1_200), (0, 3_600)] {
        let (key, labels) = asked(&session, Seat(seat));
        session.note_thinking(Seat(seat), time);
        choose(&mut session, Face::Player(Seat(seat)), &key, &[&labels[0]]).unwrap();
        if session.playthrough.position().table.turn != Some(Seat(0)) {
            break;
        }
    }
    let moves = session.playthrough.timeline().cursor();
    let mark = Request::Mark { kind: MarkKind::Slow, words: "so long".to_owned() };
    answer(&mut session, Face::Player(Seat(1)), &mark, None).unwrap();
    let folder = std::env::temp_dir().join(format!("houserule-playtest-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("game.toml"), houserule::Replay::of(&session.playthrough).to_toml()).unwrap();
    let run = |arguments: &[&str], input: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_houserule"));
        command.args(["--dir", env!("CARGO_MANIFEST_DIR")]).args(arguments).current_dir(&folder);
        command
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
        (output.status.code(), text)
    };
    let (code, told) = run(&["playtest", "game.toml"], "");
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("p2 found this too long  “so long”"), "{told}");
    assert!(told.contains(&format!("houserule play game.toml --at {}", moves + 1)), "{told}");
    assert!(told.contains("roll or hold") && told.contains("all decisions"), "{told}");
    // A command that is shown can be typed, whatever the file is called.
    std::fs::copy(folder.join("game.toml"), folder.join("my game; $x.toml")).unwrap();
    let (code, told) = run(&["playtest", "my game; $x.toml"], "");
    let quote = if cfg!(windows) { '"' } else { '\'' };
    assert!(code == Some(0) && told.contains(&format!("play {quote}my game; $x.toml{quote} --at")), "{told}");
    let (_, told) = run(&["show", "my game; $x.toml"], "");
    assert!(told.contains(&format!("houserule replay {quote}my game; $x.toml{quote}")), "{told}");
    let (code, told) = run(&["playtest", "game.toml", "game.toml", "--json"], "");
    let report: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!((code, report["seconds"]["choices"].as_u64()), (Some(0), Some(2 * moves as u64)), "{told}");
    assert_eq!(report["marks"][0]["kind"], "slow");
    assert_eq!(report["beside"], serde_json::Value::Null);
    // Beside an agent: every choice of people is looked at, once.
    let (code, told) = run(&["playtest", "game.toml", "--analyze", "search:20", "--json"], "");
    let beside: serde_json::Value = serde_json::from_str(&told).unwrap();
    let one = &beside["beside"]["roll_or_hold"];
    assert_eq!((code, one["choices"].as_u64()), (Some(0), Some(moves as u64)), "{told}");
    assert!(one["same"].as_u64().unwrap() <= moves as u64 && one["cost"].as_f64().unwrap() >= 0.0, "{told}");
    let (code, told) = run(&["playtest", "game.toml", "--analyze", "search:20"], "");
    assert!(code == Some(0) && told.contains("beside search:20") && told.contains(" %"), "{told}");
    let (code, told) = run(&["playtest", "game.toml", "--analyze", "random"], "");
    assert!(code != Some(0) && told.contains("search:200"), "{told}");
    let (code, told) = run(&["play", "game.toml", "--at", "1"], "table\n");
    assert!(code == Some(0) && told.contains("move 1"), "{told}");
    let (code, told) = run(&["play", "game.toml", "--at", "99"], "");
    assert!(code == Some(1) && told.contains("99"), "{told}");
    // Nobody can sit at a seat that is not there: nothing begins.
    for what in [&["--invite", "p1,p9", "--table"][..], &["--invite", "nobody"]] {
        let (code, told) = run(&[&["play", "pig"], what].concat(), "quit\n");
        assert!(code == Some(2) && !told.contains("http:") && told.contains("`public`"), "{told}");
    }
    // What does not fit the rules any more is told, and what belongs to it is not.
    let saved = std::fs::read_to_string(folder.join("game.toml")).unwrap();
    let last =
        format!("[1, \"roll_or_hold\", \"{}\"],\n]", if saved.contains("\"hold\"],\n]") { "hold" } else { "roll" });
    assert!(saved.contains(&last), "{saved}");
    std::fs::write(folder.join("other.toml"), saved.replace(&last, "[1, \"roll_or_hold\", \"jump\"],\n]")).unwrap();
    for more in [&[][..], &["--json"]] {
        let (code, told) = run(&[&["playtest", "other.toml"], more].concat(), "");
        let fits = format!("{} of {moves} moves still fit", moves - 1);
        assert!(code == Some(0) && told.contains(&fits) && told.contains("houserule replay other.toml"), "{told}");
    }
    // Figures of any size have columns of their own, within the screen, and no time is below 0.
    let times = saved.replace("1200]", "31000000000]");
    std::fs::write(folder.join("long.toml"), &times).unwrap();
    let (_, told) = run(&["playtest", "long.toml", "--json"], "");
    let report: serde_json::Value = serde_json::from_str(told.lines().next().unwrap()).unwrap();
    assert_eq!(report["seconds"]["low"].as_f64(), Some(0.0), "{told}");
    let (_, told) = run(&["playtest", "long.toml", "--analyze", "search:20"], "");
    let row = told.lines().find(|line| line.contains("all decisions")).unwrap();
    assert_eq!(row.split_whitespace().take(6).count(), 6, "{row}");
    assert!(
        row.split_whitespace().skip(2).take(4).all(|figure| figure.chars().filter(|one| *one == '.').count() <= 2),
        "{row}"
    );
    let widest = told.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(widest <= 80, "{widest}: {told}");
    // A file whose name looks like an option is no option in the command that is shown.
    std::fs::copy(folder.join("game.toml"), folder.join("-v.toml")).unwrap();
    let (_, told) = run(&["playtest", "./-v.toml"], "");
    assert!(told.contains("houserule play ./-v.toml --at"), "{told}");
    let (code, told) = run(&["playtest", "gmae.toml"], "");
    assert!(code == Some(2) && told.contains("did you mean `game.toml`?") && told.contains("`save FILE`"), "{told}");
    let negative = saved.replace("1200]", "-1200]");
    std::fs::write(folder.join("other.toml"), negative).unwrap();
    let (code, told) = run(&["playtest", "other.toml"], "");
    assert!(code == Some(2) && told.contains("`-1200` cannot be here") && told.contains("from 0"), "{told}");
    // A game without people.
    session.line("undo all").ok();
    let (_, _) = run(&["play", "pig", "-s", "1"], "auto 3\nsave other.toml\n");
    let (code, told) = run(&["playtest", "other.toml"], "");
    assert!(code == Some(1) && told.contains("nothing of people"), "{told}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn nobody_thinks_about_a_question_that_no_page_shows() {
    let mut opened = Opened::new(session("pig", 2, 3));
    let (host, path) = opened.link(Face::Player(Seat(0)));
    let hold = |opened: &Opened| {
        let decision = asked(&opened.session.lock().unwrap(), Seat(0)).0;
        let body = serde_json::json!({ "choose": { "decision": decision, "labels": ["hold"] } });
        assert_eq!(exchange(&host, &post(&host, &path, "", &body.to_string())).0, 200);
        opened.session.lock().unwrap().playthrough.playtest.counts().0
    };
    assert_eq!(hold(&opened), 0, "a program that never looked");
    opened.session.lock().unwrap().line("auto").unwrap();
    // The link lies there for a while before somebody opens it.
    let waited = Duration::from_millis(1_500);
    std::thread::sleep(waited);
    let begun = Instant::now();
    let mut stream = TcpStream::connect(&host).unwrap();
    stream.write_all(&get(&host, &format!("{path}events"))).unwrap();
    let _ = stream.read(&mut [0; 64]).unwrap();
    assert_eq!(hold(&opened), 1);
    let session = opened.session.lock().unwrap();
    let along = session.playthrough.playtest.along(session.playthrough.timeline().log());
    let thought = Duration::from_millis(along.thinking[0].milliseconds);
    assert!(thought <= begun.elapsed(), "{thought:?} of {:?}, after {waited:?}", begun.elapsed());
}

#[test]
fn a_page_of_a_player_names_no_command() {
    for (game, players, variant) in
        [("up-or-down", 3, "greenhorn"), ("wreck-divers", 3, "collectors"), ("hearts", 4, "")]
    {
        let mut session = session(game, players, 42);
        if !variant.is_empty() {
            session.line(&format!("with {variant}")).unwrap();
        }
        let face = Face::Player(Seat(0));
        for move_on in ["auto 5", "auto 30", "until end"] {
            let _ = session.line(move_on);
            let asked: Vec<String> = session.playthrough.asked().iter().map(|one| one.prompt.to_string()).collect();
            let mut bytes = told(&session, face, &mut Progress::default(), None).1;
            let refused =
                session.playthrough.asked().first().and_then(|one| Some(one.refused.first()?.0.label.clone()));
            let refused = refused.map(Request::Why);
            let requests =
                [Request::Rules(String::new()), Request::Point("p1".to_owned()), Request::Why("#1".to_owned())];
            for request in requests.into_iter().chain(refused) {
                bytes += &match answer(&mut session, face, &request, None) {
                    Ok(done) => said_to(&session, face, &done.said),
                    Err(refusal) => complaint(refusal.reason(), face),
                };
            }
            for command in ["`rules", "`campaign", "`all`", "`as ", "`undo`", "`goto", "`table`", "`help", "houserule "]
            {
                assert!(!bytes.contains(command), "{game}, {move_on}, {asked:?}: {command} in {bytes}");
            }
        }
    }
}

#[test]
fn the_clock_is_set_from_the_format_on_that_tells_of_it() {
    let mut session = session("playme", 3, 1);
    (0..3).for_each(|seat| session.set_elsewhere(Seat(seat), true));
    while !session.is_in_real_time() {
        session.line("auto").unwrap();
    }
    let decision = decision_key(&session.playthrough.asked()[0]);
    let labels = vec![session.playthrough.asked()[0].options[0].label.clone()];
    let moment = session.playthrough.position().table.clock.now() + 500;
    answer(&mut session, Face::Player(Seat(0)), &Request::Choose { decision, labels }, Some(moment)).unwrap();
    let saved = houserule::Replay::of(&session.playthrough).to_toml();
    let read = |text: &str| houserule::Replay::parse(&houserule::Source::new("game.toml", text)).unwrap();
    let rules = &session.playthrough.loaded().ruleset;
    assert!(saved.contains("format   = 4") && read(&saved).check_rules(rules).is_ok(), "{saved}");
    for format in [2, 3] {
        let error = read(&saved.replace("format   = 4", &format!("format   = {format}"))).check_rules(rules);
        let told = error.unwrap_err().to_string();
        assert!(told.contains("does not set the clock") && told.contains("format 4"), "{told}");
    }
}

#[test]
fn what_all_is_and_what_is_not() {
    let opened = Opened::new(session("pig", 2, 1));
    let Opened { session, table } = opened;
    let mut session = session.lock().unwrap();
    session.set_table_server(Box::new(table));
    let mut line = |line: &str| match session.line(line) {
        Ok(Flow::Show(lines)) => lines.iter().map(|line| line.text()).collect::<Vec<_>>().join("\n"),
        Ok(_) => String::new(),
        Err(errors) => errors.to_string(),
    };
    let links = |told: String| {
        told.lines().filter_map(|line| Some(line.split_once("  http")?.0.to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(links(line("invite all")), ["p1", "p2"]);
    let made = line("invite browser");
    assert_eq!(made, line("table browser"), "one page of the session");
    line("invite public");
    assert_eq!(links(line("invite")), ["p1", "p2", "browser", "public"], "each under the name that `revoke` knows");
    line("revoke all");
    assert_eq!(links(line("invite")), ["browser", "public"]);
    line("revoke browser");
    assert_eq!(links(line("invite")), ["public"]);
    let unknown = line("invite p9");
    assert!(["p1 to p2", "`all`", "`public`", "`browser`"].iter().all(|name| unknown.contains(name)), "{unknown}");
}

#[test]
fn places_in_the_rules_are_told_to_whoever_has_the_session_alone() {
    let mut session = session("up-or-down", 3, 42);
    session.line("with greenhorn").unwrap();
    session.line("auto 40").unwrap();
    let told = |session: &mut Session, face, request: &Request| match answer(session, face, request, None) {
        Ok(done) => said_to(session, face, &done.said),
        Err(refusal) => panic!("{}", refusal.reason()),
    };
    let mut layers = 0;
    for request in [
        Request::Point("ring".to_owned()),
        Request::Point("p1".to_owned()),
        Request::Point("p2".to_owned()),
        Request::Why("99".to_owned()),
    ] {
        let own = told(&mut session, Face::Designer, &request);
        let asked = session.playthrough.asked()[0].seat.unwrap();
        let others = told(&mut session, Face::Player(asked), &request);
        assert!(own.contains(".rhai"), "{own}");
        for trace in [".rhai", env!("CARGO_MANIFEST_DIR"), "games/", "variants/", "│"] {
            assert!(!others.contains(trace), "{trace}: {others}");
        }
        layers += usize::from(others.contains("greenhorn"));
    }
    assert!(layers >= 1, "which house rule it is, is told");
}
