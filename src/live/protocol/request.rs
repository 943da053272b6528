//! What a face asks: how a request is read, whether the face may ask it, and how it is carried out.

use super::{COLUMNS, may_answer, may_choose, viewer};
use crate::catalogue::{Message, message, speak};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::playthrough::playtest::{MAX_REMARK_CHARS, MarkKind};
use crate::screen::html::live::decision_key;
use crate::screen::style::{Label, Line};
use crate::session::Session;
use crate::session::commands::Flow;
use crate::session::table_face::Face;
use crate::table::knowledge::{Appearance, Viewer, is_uncounted};
use crate::table::value::Seats;
use serde::Deserialize;
use serde_json::Value;

/// Size limit of a request, in bytes.
pub const MAX_REQUEST_BYTES: usize = 16 << 10;

/// Length limit of a name in a request, in characters, because the search for the nearest known name is slow on long
/// text.
const MAX_NAME_CHARS: usize = 200;

/// Line width, in columns, of what commands print on a player's phone.
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
            let kinds = Message::list(MarkKind::ALL.map(|kind| Message::verbatim(kind.name())), ", ");
            Diagnostic::new(message!("`mark` has a `kind`, one of {kinds}, and perhaps `words`"))
        }
        Some([key @ ("line" | "why" | "point" | "rules")]) => Diagnostic::new(message!("`{key}` has a text")),
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
            Diagnostic::new(message!("a mark has at most {MAX_REMARK_CHARS} characters")).into(),
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
    let unknown = || Refusal::Unknown(Diagnostic::new(message!("there is no place `{point}` on the table")).into());
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
