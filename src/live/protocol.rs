//! The table protocol: what a face of the table asks, and what it is sent.
//!
//! A face is sent its whole state once, then the changes; it asks with one request at a time. Requests come from
//! strangers: each is read completely, and errors are reported.

use crate::catalogue::{speak, told};
use crate::definition::{Layer, Setting};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::files::path_name;
use crate::playthrough::log::LogEntry;
use crate::playthrough::playtest::{MAX_REMARK_CHARS, MarkKind};
use crate::screen::Scene;
use crate::screen::html::live::{self, EventMarkup, LiveFace, TableDrawing, decision_key, happened};
use crate::screen::html::{self, escape};
use crate::screen::style::{Label, Line};
use crate::session::Session;
use crate::session::commands::Flow;
use crate::session::table_face::Face;
use crate::table::decision::{Decision, OptionShown};
use crate::table::knowledge::{Appearance, Viewer, is_uncounted};
use crate::table::value::{Seat, Seats, Value as Choice};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::Arc;

/// Version of the protocol; raised when an older face would misunderstand a message.
pub const PROTOCOL: u32 = 1;

/// Size limit of a request, in bytes.
pub const MAX_REQUEST_BYTES: usize = 16 << 10;

/// Length limit of a name in a request, in characters, because the search for the nearest known name is slow on long
/// text.
const MAX_NAME_CHARS: usize = 200;

/// The most log lines sent to a face.
const MAX_LOG_LINES: usize = 200;

/// Line width, in columns, of what commands print on a designer's page, and on a player's phone.
const COLUMNS: usize = 80;
const PHONE_COLUMNS: usize = 34;

/// A request of a face.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Request {
    /// Answers a decision.
    Choose {
        /// The decision's key, as the state gives it.
        decision: String,
        /// Labels of the chosen options.
        labels: Vec<String>,
    },
    /// Runs a line as if it was typed at the prompt. For a designer alone.
    Line(String),
    /// Explains why an option is offered or not.
    Why(String),
    /// Explains a place (`zone@2`), a zone, a seat's score, or the subject of a log line.
    Point(String),
    /// Shows the rulebook section of that name; for an empty name, the section about the current decision.
    Rules(String),
    /// Marks the current position in the playtest record. For players alone.
    Mark {
        /// The kind of mark.
        kind: MarkKind,
        /// An optional remark.
        #[serde(default)]
        words: String,
    },
}

/// Why a request is refused.
#[derive(Debug)]
pub enum Refusal {
    /// Malformed, or not allowed for this face.
    Wrong(Diagnostics),
    /// The request names something that does not exist.
    Unknown(Diagnostics),
    /// The decision of the request is no longer open.
    Stale(Diagnostics),
    /// The game or the session refused it.
    Refused(Diagnostics),
}

impl Refusal {
    /// The errors to show.
    pub fn reason(&self) -> &Diagnostics {
        match self {
            Self::Wrong(reason) | Self::Unknown(reason) | Self::Stale(reason) | Self::Refused(reason) => reason,
        }
    }
}

/// The result of a request that was done.
pub struct RequestResult {
    /// Lines to show on the face.
    pub said: Vec<Line>,
    /// Lines to show at the prompt, as if the request was typed there.
    pub at_prompt: Vec<Line>,
}

/// Reads a request from JSON.
///
/// # Errors
/// The body is too long, is not JSON, or is not a known request.
pub fn read_request(body: &[u8]) -> Result<Request, Refusal> {
    if body.len() > MAX_REQUEST_BYTES {
        return Err(Refusal::Wrong(Diagnostic::new("the request is too long").into()));
    }
    let wrong = |error: Diagnostic| Refusal::Wrong(error.help("`docs/formats.md` tells what can be asked").into());
    let request: Value =
        serde_json::from_slice(body).map_err(|_| wrong(Diagnostic::new("the request is not valid JSON")))?;
    serde_json::from_slice(body).map_err(|_| wrong(misunderstood(&request)))
}

/// The error for a JSON value that is not a request, with what it lacks.
fn misunderstood(request: &Value) -> Diagnostic {
    let keys = request.as_object().map(|object| object.keys().map(String::as_str).collect::<Vec<_>>());
    match keys.as_deref() {
        Some(["choose"]) => Diagnostic::new("`choose` has a `decision` and a list of `labels`"),
        Some(["mark"]) => {
            let kinds = MarkKind::ALL.map(MarkKind::name).join(", ");
            Diagnostic::new(format!("`mark` has a `kind`, one of {kinds}, and perhaps `words`"))
        }
        Some([key @ ("line" | "why" | "point" | "rules")]) => Diagnostic::new(format!("`{key}` has a text")),
        _ => Diagnostic::new("a request is one of choose, line, why, point, rules and mark"),
    }
}

/// Carries out a request of a face; `moment` is the time in a game in real time, in milliseconds since the game began.
///
/// # Errors
/// The face may not ask that, the game refuses it, or it comes too late.
pub fn answer(
    session: &mut Session,
    face: Face,
    request: &Request,
    moment: Option<i64>,
) -> Result<RequestResult, Refusal> {
    speak(session.language);
    match request {
        Request::Choose { decision, labels } => choose(session, face, (decision, labels), moment),
        Request::Line(line) => do_line(session, face, line),
        Request::Why(option) => explain(session, face, &format!("why not {}", one_line(option)?)),
        Request::Point(point) => {
            let line = subject(session, viewer(session, face), &one_line(point)?)?;
            explain(session, face, &line)
        }
        Request::Rules(section) if section.trim().is_empty() => explain(session, face, "rules"),
        Request::Rules(section) => explain(session, face, &format!("rules {}", one_line(section)?)),
        Request::Mark { kind, words } => mark(session, face, *kind, words),
    }
}

fn mark(session: &mut Session, face: Face, kind: MarkKind, words: &str) -> Result<RequestResult, Refusal> {
    let Face::Player(seat) = face else {
        return Err(Refusal::Wrong(Diagnostic::new("marks are for players").into()));
    };
    if words.chars().count() > MAX_REMARK_CHARS {
        return Err(Refusal::Wrong(
            Diagnostic::new(format!("a mark has at most {MAX_REMARK_CHARS} characters")).into(),
        ));
    }
    // Control characters become spaces, so that a pasted text stays one line.
    let words: String = words.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let words = words.trim();
    session.mark(seat, kind, words).map_err(Refusal::Refused)?;
    let mut line = Line::of(format!("{seat} "), Label::Turn).with(format!("marks: {}", kind.name()), Label::Strong);
    if !words.is_empty() {
        line = line.with(format!("  {words}"), Label::Faint);
    }
    Ok(RequestResult { said: Vec::new(), at_prompt: vec![line] })
}

/// The viewer whose knowledge limits what a face shows.
pub fn viewer(session: &Session, face: Face) -> Viewer {
    match face {
        Face::Designer => session.viewer,
        Face::Player(seat) => Viewer::Seat(seat),
        Face::Screen => Viewer::Public(session.playthrough.seats),
    }
}

/// Whether a face may answer a decision with an option. In real time, a player may only choose to act themself.
fn may_choose(session: &Session, face: Face, decision: &Decision, option: &OptionShown) -> bool {
    match face {
        Face::Designer => session.viewer.may_answer(decision.seat),
        Face::Player(seat) if decision.by_clock.is_some() => option.value == Choice::Seat(seat),
        Face::Player(seat) => decision.seat == Some(seat),
        Face::Screen => false,
    }
}

/// Whether a face may answer a decision with at least one option.
fn may_answer(session: &Session, face: Face, decision: &Decision) -> bool {
    decision.options.iter().any(|option| may_choose(session, face, decision, option))
}

fn choose(
    session: &mut Session,
    face: Face,
    (key, labels): (&str, &[String]),
    moment: Option<i64>,
) -> Result<RequestResult, Refusal> {
    let asked = session.playthrough.asked();
    let decision = asked.iter().find(|decision| decision_key(decision) == key);
    let Some(decision) = decision else {
        let error = Diagnostic::new("this is not asked any more").help("the table shows what is asked now");
        return Err(Refusal::Stale(error.into()));
    };
    let is_own = |label: &String| {
        let option = decision.options.iter().find(|option| option.label == *label);
        option.is_none_or(|option| may_choose(session, face, decision, option))
    };
    if !may_answer(session, face, decision) || !labels.iter().all(is_own) {
        return Err(Refusal::Wrong(Diagnostic::new("somebody else is asked").into()));
    }
    let prompt = decision.seat.map_or_else(String::new, |seat| format!("{seat} "));
    let prompt = format!("{prompt}{} › ", decision.prompt.replace('_', " "));
    // A secret choice is hidden from onlookers.
    let is_shown = session.viewer.may_answer(decision.seat);
    let typed = if is_shown { labels.join(" ") } else { "…".to_owned() };
    let happened = session.choose_as(decision.seat, labels, moment).map_err(Refusal::Refused)?;
    let mut at_prompt = vec![Line::faint(prompt).with(typed, Label::Strong)];
    at_prompt.extend(happened);
    Ok(RequestResult { said: Vec::new(), at_prompt })
}

fn do_line(session: &mut Session, face: Face, line: &str) -> Result<RequestResult, Refusal> {
    if face != Face::Designer {
        return Err(Refusal::Wrong(Diagnostic::new("commands are for whoever has the session").into()));
    }
    let typed = Line::faint(session.prompt()).with(line, Label::Strong);
    session.begin_elsewhere();
    let width = std::mem::replace(&mut session.width, COLUMNS);
    let told = session.announced().count;
    let flow = session.line(line);
    session.width = width;
    let mut said = shown(flow).map_err(Refusal::Refused)?;
    let mut at_prompt = vec![typed];
    at_prompt.extend(said.iter().cloned());
    // Plots are sent to the page as figures, so their text is left out here.
    if session.announced().count != told {
        said.clone_from(&session.announced().lines);
    }
    Ok(RequestResult { said, at_prompt })
}

/// The lines of a command's result; an error for what only a terminal can do.
fn shown(flow: Result<Flow, Diagnostics>) -> Result<Vec<Line>, Diagnostics> {
    match flow? {
        Flow::Show(lines) | Flow::Page(lines) => Ok(lines),
        Flow::Ask(question) => Err(question.refusal),
        Flow::Quit => Err(Diagnostic::new("a page does not end the session")
            .help("close the page; `quit` in the terminal ends the session")
            .into()),
    }
}

fn explain(session: &mut Session, face: Face, line: &str) -> Result<RequestResult, Refusal> {
    if face == Face::Screen {
        return Err(Refusal::Wrong(Diagnostic::new("nothing can be asked from a screen that all look at").into()));
    }
    session.begin_elsewhere();
    let columns = if face == Face::Designer { COLUMNS } else { PHONE_COLUMNS };
    let width = std::mem::replace(&mut session.width, columns);
    let said = match face {
        Face::Player(seat) => session.line_as_player(seat, line),
        _ => session.line_as(viewer(session, face), line),
    };
    session.width = width;
    let said = said.map_err(Refusal::Refused)?;
    Ok(RequestResult { said, at_prompt: Vec::new() })
}

/// The trimmed text; an error where it is empty, too long or more than one line.
fn one_line(text: &str) -> Result<String, Refusal> {
    if text.trim().is_empty() || text.chars().count() > MAX_NAME_CHARS || text.chars().any(char::is_control) {
        return Err(Refusal::Wrong(Diagnostic::new("the request names nothing").into()));
    }
    Ok(text.trim().to_owned())
}

/// The `why` command for a place, zone, seat or name.
fn subject(session: &Session, viewer: Viewer, point: &str) -> Result<String, Refusal> {
    let layout = &session.playthrough.loaded().layout;
    let (zone, place) = point.split_once('@').map_or((point, None), |(zone, place)| (zone, Some(place)));
    if let Some(seat) = Seats::all(layout.seats).into_iter().find(|seat| seat.to_string() == zone) {
        return Ok(format!("why {}", layout.variables[layout.score_of(seat)].id));
    }
    let unknown = || Refusal::Unknown(Diagnostic::new(format!("there is no place `{point}` on the table")).into());
    let Some(found) = layout.zone_named(zone) else {
        return if place.is_none() { Ok(format!("why {zone}")) } else { Err(unknown()) };
    };
    let Some(place) = place else { return Ok(format!("why {zone}")) };
    let place: usize = place.parse().map_err(|_| unknown())?;
    let eyes = session.playthrough.observed_position(viewer);
    match eyes.seen(found).get(place) {
        Some(Appearance::Face(front)) => {
            let id = layout.faces.get(front.face).map(|face| face.id.to_string()).ok_or_else(unknown)?;
            Ok(format!("why {id}"))
        }
        // A face-down component has no name to ask about, and a zone without visible count no places.
        Some(Appearance::Back) => Ok(format!("why {zone}")),
        None if is_uncounted(layout, viewer, found) => Ok(format!("why {zone}")),
        None => Err(unknown()),
    }
}

/// How far the game is. Log lines are only ever added while the epoch stays the same; undo or new rules start another
/// epoch.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    epoch: u64,
    rules: String,
    log: Vec<LogEntry>,
}

impl Progress {
    /// Updates to the session's current position. Whether a new epoch began.
    pub fn follow(&mut self, session: &Session) -> bool {
        let (log, rules) = (session.playthrough.timeline().log(), &session.playthrough.loaded().ruleset.hash);
        if self.rules != *rules || !log.starts_with(&self.log) {
            self.epoch += 1;
            self.rules.clone_from(rules);
            self.log = log.to_vec();
            return true;
        }
        self.log.extend_from_slice(&log[self.log.len()..]);
        false
    }
}

/// A seat as listed on the designer's page.
#[derive(Clone, Debug)]
pub struct SeatStatus {
    /// The seat.
    pub seat: Seat,
    /// Whether a link opens the seat.
    pub has_link: bool,
    /// The number of clients that watch through the link.
    pub watching: usize,
}

/// The state of one face: everything it shows.
pub struct FaceState {
    face: Face,
    viewer: Viewer,
    epoch: u64,
    drawing: TableDrawing,
    /// The latest log lines, at most [`MAX_LOG_LINES`], and the number of earlier ones left out in this epoch.
    log: VecDeque<EventMarkup>,
    left_out: usize,
    /// The number of events that the log covers.
    events: usize,
    title: String,
    place: String,
    time: Value,
    rules: Value,
    people: Value,
    announced: u64,
    said: String,
    /// The latest plots, as markup.
    figures: Option<Arc<str>>,
    /// Markup of where the game parted when its rules last changed.
    divergence: Option<Arc<str>>,
    /// Hashes of the rules before and after that change.
    parted: Option<[String; 2]>,
    view: Arc<Value>,
}

/// The form in which a client wants the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateFormat {
    /// Markup for the page.
    Drawing,
    /// Structured data, for other programs.
    View,
}

impl FaceState {
    /// The current state of a face; `before` is the state last sent, if any.
    pub fn of(
        session: &Session,
        face: Face,
        progress: &Progress,
        people: &[SeatStatus],
        before: Option<&Self>,
    ) -> Self {
        speak(session.language);
        let (game, language) = (&session.playthrough, session.language);
        let viewer = viewer(session, face);
        let asked = game.asked();
        let asked: Vec<&Decision> = asked.iter().map(|decision| &**decision).collect();
        let may = |decision: &Decision, option: &OptionShown| may_choose(session, face, decision, option);
        let is_designer = face == Face::Designer;
        let scene = Scene { has_commands: is_designer, ..Scene::of(game, viewer, language, live::COLUMNS) };
        let drawing = live::table_drawing(&scene, &asked, &may);
        let events = &game.position().events;
        let known = before.filter(|before| {
            before.epoch == progress.epoch && before.viewer == viewer && before.events <= events.len()
        });
        let (mut log, mut left_out, told) =
            known.map_or_else(Default::default, |before| (before.log.clone(), before.left_out, before.events));
        log.extend(events.since(told).into_iter().flat_map(|events| happened(&scene, events)));
        let over = log.len().saturating_sub(MAX_LOG_LINES);
        log.drain(..over);
        left_out += over;
        let ruleset = &game.loaded().ruleset;
        let names = ruleset.variants.iter().map(|layer| layer.name.get(language));
        let title = std::iter::once(ruleset.game.name.get(language)).chain(names).collect::<Vec<_>>().join(" · ");
        let announced = session.announced();
        let divergence = session.divergence().filter(|_| is_designer);
        let parted = divergence.map(|(before, after, _)| [before, after].map(|rules| rules.ruleset.hash.clone()));
        let divergence = match before.filter(|before| before.parted == parted && before.viewer == viewer) {
            Some(before) => before.divergence.clone(),
            None => divergence.and_then(|(before, after, log)| {
                let scene = Scene::of(game, viewer, language, COLUMNS);
                html::divergence(&scene, [before, after], log).map(Arc::from)
            }),
        };
        Self {
            face,
            viewer,
            epoch: progress.epoch,
            drawing,
            log,
            left_out,
            events: events.len(),
            title,
            place: live::place_at_table(viewer, language),
            time: if is_designer { time(session) } else { Value::Null },
            rules: match before {
                _ if !is_designer => Value::Null,
                Some(before) if before.epoch == progress.epoch => before.rules.clone(),
                _ => rules(session),
            },
            people: if is_designer { self::people(session, people) } else { Value::Null },
            announced: announced.count,
            said: if is_designer { said(&announced.lines) } else { String::new() },
            figures: announced.figures.clone().filter(|_| is_designer),
            divergence,
            parted,
            view: Arc::new(view(session, face, &asked)),
        }
    }

    /// The changes since `before` as JSON, or `None` without any; the whole state where `before` is `None`.
    pub fn news(&self, before: Option<&Self>, wanted: StateFormat) -> Option<Value> {
        if wanted == StateFormat::View {
            let is_new = before.is_none_or(|before| before.view != self.view);
            return is_new.then(|| json!({ "protocol": PROTOCOL, "view": *self.view }));
        }
        let mut news = json!({});
        let mut put = |key: &str, value: Value| news[key] = value;
        let is_new = before.is_none_or(|before| before.drawing.skeleton != self.drawing.skeleton);
        if is_new {
            put("face", self.face.to_string().into());
            put("skeleton", self.drawing.skeleton.as_str().into());
        }
        let before_slots = before.filter(|_| !is_new).map(|before| &before.drawing.slots);
        let slots = self.drawing.slots.iter().enumerate();
        let changed = slots.filter(|(number, slot)| {
            before_slots.is_none_or(|before| before.get(*number) != Some(slot)) && (!is_new || !slot.is_empty())
        });
        let changed: serde_json::Map<String, Value> =
            changed.map(|(number, slot)| (number.to_string(), slot.as_str().into())).collect();
        if !changed.is_empty() {
            put("slots", Value::Object(changed));
        }
        if before.is_none_or(|before| before.drawing.pictures != self.drawing.pictures) {
            put("pictures", self.drawing.pictures.as_str().into());
        }
        let goes_on = before.filter(|before| before.epoch == self.epoch && before.viewer == self.viewer);
        let told = goes_on.map(|before| before.left_out + before.log.len()).filter(|told| *told >= self.left_out);
        let lines = self.log.iter().skip(told.map_or(0, |told| told - self.left_out));
        let lines: Vec<Value> = lines.map(|line| json!([line.moves, &*line.markup, line.subject.as_deref()])).collect();
        if told.is_none() || !lines.is_empty() {
            put("log", json!({ "reset": told.is_none(), "lines": lines }));
        }
        let texts: [(&str, Value, Option<Value>); 5] = [
            ("title", self.title.as_str().into(), before.map(|before| before.title.as_str().into())),
            ("place", self.place.as_str().into(), before.map(|before| before.place.as_str().into())),
            ("time", self.time.clone(), before.map(|before| before.time.clone())),
            ("rules", self.rules.clone(), before.map(|before| before.rules.clone())),
            ("people", self.people.clone(), before.map(|before| before.people.clone())),
        ];
        for (key, now, was) in texts {
            if !now.is_null() && was.as_ref() != Some(&now) {
                put(key, now);
            }
        }
        let drawn = |drawn: &Option<Arc<str>>| drawn.as_deref().unwrap_or_default().to_owned();
        if drawn(&self.figures) != before.map_or_else(String::new, |before| drawn(&before.figures)) {
            news["figures"] = drawn(&self.figures).into();
        }
        if drawn(&self.divergence) != before.map_or_else(String::new, |before| drawn(&before.divergence)) {
            news["parting"] = drawn(&self.divergence).into();
        }
        if before.is_some_and(|before| before.announced != self.announced) && !self.said.is_empty() {
            news["said"] = self.said.as_str().into();
        }
        if news.as_object().is_none_or(serde_json::Map::is_empty) {
            return None;
        }
        news["protocol"] = PROTOCOL.into();
        Some(news)
    }
}

/// The table as data, with the decisions and options that the face may choose.
fn view(session: &Session, face: Face, asked: &[&Decision]) -> Value {
    let game = &session.playthrough;
    let viewer = viewer(session, face);
    let view = game.view(viewer, game.position().events.len().saturating_sub(MAX_LOG_LINES));
    let mut value = serde_json::to_value(&view).unwrap_or(Value::Null);
    if let Some(decisions) = value.get_mut("asked").and_then(Value::as_array_mut) {
        for (decision, shown) in asked.iter().zip(decisions) {
            if !may_answer(session, face, decision) {
                continue;
            }
            shown["decision"] = decision_key(decision).into();
            if let Some(options) = shown.get_mut("options").and_then(Value::as_array_mut) {
                let mut offered = decision.options.iter().map(|option| may_choose(session, face, decision, option));
                options.retain(|_| offered.next().unwrap_or(false));
            }
        }
    }
    let ruleset = &game.loaded().ruleset;
    value["game"] = ruleset.game.id.as_str().into();
    value["variants"] = ruleset.variant_ids().collect::<Vec<_>>().into();
    value["rules"] = ruleset.hash.as_str().into();
    value["players"] = game.seats.into();
    value["viewer"] = face.to_string().into();
    value["move"] = (game.timeline().cursor() + 1).into();
    let is_over = game.position().open.is_none() && game.position().failed.is_none();
    value["over"] = is_over.into();
    value["failed"] = game.position().failed.is_some().into();
    if is_over {
        let rank = |seats: &Vec<Seat>| seats.iter().map(|seat| seat.number()).collect::<Vec<_>>();
        value["ranking"] = game.position().ranking.iter().map(rank).collect::<Vec<_>>().into();
        value["scores"] = game.position().scores.clone().into();
    }
    value
}

/// The timeline as JSON: cursor, branches and bookmarks.
fn time(session: &Session) -> Value {
    let timeline = session.playthrough.timeline();
    let branches: Vec<Value> = timeline
        .branches()
        .iter()
        .enumerate()
        .map(|(number, branch)| {
            json!({ "name": branch.name, "length": branch.log.len(), "now": number == timeline.place_of_current() })
        })
        .collect();
    let bookmarks: Vec<Value> =
        timeline.bookmarks().map(|(_, mark)| json!({ "name": mark.name, "move": mark.entries + 1 })).collect();
    json!({
        "cursor": timeline.cursor(), "length": timeline.current().log.len(), "branches": branches, "bookmarks": bookmarks,
    })
}

/// The game's variants and the settings of the rules in play, as JSON.
fn rules(session: &Session) -> Value {
    let ruleset = &session.playthrough.loaded().ruleset;
    let language = session.language;
    let settings = |layer: &Layer| -> Value {
        let values = ruleset.settings.iter().find(|(id, _)| *id == layer.id).map(|(_, values)| values);
        let shown = layer.settings.iter().filter_map(|(key, setting)| {
            Some(setting_shown(&layer.id, key, setting, &values?.get(key)?.to_string(), setting.help.get(language)))
        });
        shown.collect()
    };
    let mut variants: Vec<Value> = Vec::new();
    for layer in &ruleset.variants {
        variants.push(json!({
            "id": layer.id, "name": layer.name.get(language), "about": layer.about.get(language), "on": true,
            "settings": settings(layer),
        }));
    }
    for entry in session.library.variants(&ruleset.game.id) {
        if ruleset.variant_ids().any(|id| id == entry.id) {
            continue;
        }
        let Ok(layer) = &entry.layer else { continue };
        variants.push(json!({
            "id": entry.id, "name": layer.name.get(language), "about": layer.about.get(language), "on": false,
            "settings": [],
        }));
    }
    json!({ "variants": variants, "settings": settings(&ruleset.game) })
}

fn setting_shown(layer: &str, key: &str, setting: &Setting, value: &str, help: &str) -> Value {
    let text = |value: &toml::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let choices: Vec<String> = setting.choices.iter().map(text).collect();
    let is_list = setting.default.is_array();
    let mut shown = json!({ "key": format!("{layer}.{key}"), "help": help, "value": value });
    if !choices.is_empty() && !is_list {
        shown["choices"] = choices.into();
    }
    if let (Some(min), Some(max)) = (setting.min, setting.max)
        && !is_list
    {
        (shown["min"], shown["max"]) = (min.into(), max.into());
    }
    shown
}

fn people(session: &Session, people: &[SeatStatus]) -> Value {
    let shown = people.iter().map(|status| {
        json!({
            "seat": status.seat.to_string(), "agent": session.agent_of(status.seat), "link": status.has_link,
            "watching": status.watching,
        })
    });
    shown.collect()
}

/// The HTML page of a face.
pub fn page(session: &Session, face: Face) -> String {
    let live_face = match face {
        Face::Designer => LiveFace::Designer,
        Face::Player(_) => LiveFace::Player,
        Face::Screen => LiveFace::Screen,
    };
    live::live_page(session.playthrough.loaded().ruleset.game.name.get(session.language), live_face, session.language)
}

/// Lines as markup for a page.
fn said(lines: &[Line]) -> String {
    live::lines(lines)
}

/// Lines as markup for a face. Only the designer sees the paths of folders.
pub fn said_to(session: &Session, face: Face, lines: &[Line]) -> String {
    let text = said(lines);
    if face == Face::Designer {
        return text;
    }
    let roots = session.library.roots().iter().map(|root| escape(&path_name(root)));
    roots.filter(|root| !root.is_empty()).fold(text, |text, root| text.replace(&format!("{root}/"), ""))
}

/// Errors as text for a face, escaped for HTML. Only the designer sees places in files and help.
pub fn complaint(errors: &Diagnostics, face: Face) -> String {
    let whole = |error: &Diagnostic| error.render_within(false, Some(COLUMNS)).lines().map(escape).collect::<Vec<_>>();
    // Only a designer can act on help texts.
    let plain = |error: &Diagnostic| vec![escape(&told(&error.message))];
    let lines = errors.iter().flat_map(|error| if face == Face::Designer { whole(error) } else { plain(error) });
    lines.collect::<Vec<_>>().join("\n")
}
