//! The table protocol: what a face of the table asks, and what it is sent.
//!
//! A face is sent its whole state once, then the changes; it asks with one request at a time. Requests come from
//! strangers: each is read completely, and errors are reported.

mod request;
mod state;

pub use request::{MAX_REQUEST_BYTES, Refusal, Request, RequestResult, answer, read_request};
pub use state::{FaceState, Progress, SeatStatus, StateFormat};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::files::path_name;
use crate::screen::html::escape;
use crate::screen::html::live::{self, LiveFace};
use crate::screen::style::Line;
use crate::session::Session;
use crate::session::table_face::Face;
use crate::table::decision::{Decision, OptionShown};
use crate::table::knowledge::Viewer;
use crate::table::value::Value as Choice;

/// Version of the protocol; raised when an older face would misunderstand a message.
pub const PROTOCOL: u32 = 1;

/// Line width, in columns, of what commands print on a designer's page.
const COLUMNS: usize = 80;

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

/// The HTML page of a face.
pub fn page(session: &Session, face: Face) -> String {
    let live_face = match face {
        Face::Designer => LiveFace::Designer,
        Face::Player(_) => LiveFace::Player,
        Face::Screen => LiveFace::Screen,
    };
    live::live_page(session.playthrough.loaded().ruleset.game.name.get(session.language), live_face, session.language)
}

/// Lines as markup for a face. Only the designer sees the paths of folders.
pub fn said_to(session: &Session, face: Face, lines: &[Line]) -> String {
    let text = live::lines(lines);
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
    let plain = |error: &Diagnostic| vec![escape(&error.message.told())];
    let lines = errors.iter().flat_map(|error| if face == Face::Designer { whole(error) } else { plain(error) });
    lines.collect::<Vec<_>>().join("\n")
}
