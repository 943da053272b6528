//! Asking where something came from.

use super::{Candidate, Command, Flow, unknown, usage_of};
use crate::playthrough::change::running_score;
use crate::repl::Session;
use crate::repl::style::{self, Line};
use crate::table::event::{Event, What};
use crate::table::value::Seat;

const GROUP: &str = "Looking";

pub(super) const WHY: Command = Command {
    name: "why",
    aliases: &[],
    usage: "why VARIABLE",
    about: "where a score or variable came from: each award with its rule and variant",
    help: "`why p2.score` lists what the rules have awarded so far and what they would award if the game ended now. \
           Each line names the script that did it, and the layer it belongs to.",
    examples: &["why p1.score"],
    group: GROUP,
    steps: false,
    complete: |session, _| {
        super::variables(session).into_iter().map(|found| Candidate::new(found.text, found.about)).collect()
    },
    run: |session, arguments| {
        if arguments.is_empty() {
            return Err(usage_of(&WHY));
        }
        let layout = &session.playthrough.loaded().layout;
        let known = layout.variables.iter().map(|variable| &*variable.id);
        let variable = layout.variable_named(arguments).ok_or_else(|| unknown("variable", arguments, known))?;
        let seat = layout.variables[variable].seat.filter(|&seat| layout.score_of(seat) == variable);
        Ok(Flow::Show(why(session, variable, seat)))
    },
};

fn why(session: &Session, variable: usize, seat: Option<Seat>) -> Vec<Line> {
    let layout = &session.playthrough.loaded().layout;
    let position = session.position();
    let id = &layout.variables[variable].id;
    let value = layout.label(&position.table.faces, &position.table.variables[variable]);
    let mut lines = vec![Line::strong(format!("{id} is {value}"))];
    let mut reasons: Vec<Reason> =
        position.events.iter().filter_map(|event| reason(session, event, variable, seat)).collect();
    if reasons.is_empty() {
        lines.push(Line::plain("  it has had this value since the game began"));
    }
    let standing = seat.and_then(|seat| Some((seat, position.standings.get(seat.index())?)));
    let now = reasons.len();
    if let Some((_, events)) = standing {
        reasons.extend(events.iter().filter_map(|event| reason(session, event, variable, seat)));
    }
    let widths = reasons.iter().fold((0, 0, 0), |widths, reason| {
        (
            widths.0.max(style::width(&reason.amount)),
            widths.1.max(style::width(&reason.what)),
            widths.2.max(style::width(&reason.place)),
        )
    });
    for (number, reason) in reasons.iter().enumerate() {
        if number == now
            && let Some((seat, _)) = standing
        {
            lines.push(Line::strong(format!("if the game ended now it would be {}", running_score(position, seat))));
        }
        lines.push(reason.line(widths, number < now));
    }
    lines
}

/// One thing that made a variable what it is.
struct Reason {
    amount: String,
    what: String,
    place: String,
    layer: String,
    moves: usize,
}

impl Reason {
    fn line(&self, (amount, what, place): (usize, usize, usize), with_move: bool) -> Line {
        let at = if with_move && self.moves > 0 { format!("after move {}", self.moves) } else { String::new() };
        let text = format!(
            "  {}  {}  {}  {}  {at}",
            style::pad_left(&self.amount, amount),
            style::pad(&self.what, what),
            style::pad(&self.place, place),
            self.layer,
        );
        Line::plain(text.trim_end())
    }
}

/// What an event has to do with a variable, if anything.
fn reason(session: &Session, event: &Event, variable: usize, seat: Option<Seat>) -> Option<Reason> {
    let loaded = session.playthrough.loaded();
    let (amount, what) = match &event.what {
        What::Award { seat: who, points, reason, .. } if Some(*who) == seat => {
            let text = loaded.layout.definition.text(reason);
            let words = text.map_or_else(|| reason.replace('_', " "), |text| text.get(session.language).to_owned());
            (format!("{points:+}"), words)
        }
        What::Set { variable: which, value } if *which == variable => {
            let faces = &session.position().table.faces;
            (format!("= {}", loaded.layout.label(faces, value)), "set".to_owned())
        }
        _ => return None,
    };
    let place = loaded.ruleset.file_line(event.at).unwrap_or_else(|| "by hand".to_owned());
    let layer = loaded.ruleset.layer_in_words(event.at).unwrap_or_default();
    Some(Reason { amount, what, place, layer, moves: event.moves })
}
