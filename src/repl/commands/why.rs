//! Asking where something came from, and why something cannot be done.

use super::{Candidate, Command, Flow, asked, component_id, usage_of, zone_id};
use crate::diagnostic::{Diagnostic, Diagnostics, unknown};
use crate::inspect::why_not::{self, ScriptLine};
use crate::playthrough::change::running_score;
use crate::repl::{Session, split_word};
use crate::screen;
use crate::screen::style::{self, Label, Line};
use crate::table::event::{Event, ScriptPoint, What};
use crate::table::knowledge::is_uncounted;
use crate::table::names;
use crate::table::value::{Component, Seat, Zone};

const GROUP: &str = super::look::GROUP;

/// How many events of a long story are told, the last ones.
const TOLD: usize = 20;

pub(super) const WHY: Command = Command {
    name: "why",
    aliases: &[],
    usage: "why VARIABLE|COMPONENT|ZONE|last [all] | why not OPTION",
    about: "where something came from, or why an option is not there",
    help: "`why p2.score` lists what the rules have awarded so far and what they would award if the game ended now. Of a \
           component it tells the whole way through the table, of a zone how each thing in it came there, and `why last` \
           all that the last choice caused. Each line names the move, the script that did it, and the layer it belongs \
           to. Of a long story the end is told; `all` tells the rest.\n\n\
           `why not 33` gives the reason that the rules gave for not offering 33, or the lines of the script that left \
           it out, with the values in them.",
    examples: &["why p1.score", "why last"],
    group: GROUP,
    steps: false,
    complete: |session, before| {
        if before == "not" {
            let open = session.position().open.iter().filter(|_| session.shows_options());
            let refused = open.flat_map(|open| &open.refused);
            let refused = refused.map(|(option, reason)| Candidate::new(option.label.clone(), reason.to_string()));
            return refused.chain(super::components(session)).collect();
        }
        if !before.is_empty() {
            return vec![Candidate::new("all", "from the beginning")];
        }
        let fixed = [("last", "all that the last choice caused"), ("not", "why an option is not there")];
        let fixed = fixed.into_iter().map(|(text, about)| Candidate::new(text, about));
        fixed.chain(super::variables(session)).chain(super::zones(session)).chain(super::components(session)).collect()
    },
    run: |session, arguments| {
        match split_word(arguments) {
            ("", _) => Err(usage_of(&WHY).into()),
            ("not", option) if option.trim().is_empty() => {
                Err(Diagnostic::new("say which option: `why not 33`").into())
            }
            ("not", option) => why_not(session, option.trim()),
            // Names can have blanks in them.
            _ => match arguments.strip_suffix(" all") {
                Some(name) => tell(session, name.trim_end(), usize::MAX),
                None => tell(session, arguments, TOLD),
            },
        }
    },
};

/// The story of something by its name.
fn tell(session: &Session, name: &str, most: usize) -> Result<Flow, Diagnostics> {
    if name == "last" {
        return last(session);
    }
    let layout = &session.playthrough.loaded().layout;
    let table = &session.position().table;
    let (variable, zone) = (names::variable(layout, asked(session), name), names::zone(layout, asked(session), name));
    // What hidden dice show names none of them to a player.
    let components = names::components(layout, Some(table).filter(|_| !session.viewer.is_limited()), name);
    // An id means what it is the id of, whatever else is called so.
    let is_component = layout.face_named(name).is_some();
    match (variable, zone, components.as_slice()) {
        (Ok(variable), ..) if !is_component || layout.variable_named(name).is_some() => {
            if !session.scene().eyes().may_read(variable) {
                return Err(Diagnostic::new(format!("{name} is hidden from whom you look as"))
                    .help("`as all` shows everything")
                    .into());
            }
            let seat = layout.variables[variable].seat.filter(|&seat| layout.score_of(seat) == variable);
            Ok(Flow::Page(why(session, variable, seat)))
        }
        (_, Ok(zone), _) if !is_component || layout.zone_named(name).is_some() => {
            Ok(Flow::Page(of_zone(session, zone, most)))
        }
        (.., &[face]) => {
            let handle = table.faces.iter().position(|&number| usize::from(number) == face);
            let component = Component(handle.unwrap_or(face) as u16);
            if !session.scene().eyes().sees(component) {
                return Err(Diagnostic::new(format!("whom you look as does not see where {name} is"))
                    .help("`as all` shows everything")
                    .into());
            }
            Ok(Flow::Page(of_component(session, &layout.faces[face].id, component, most)))
        }
        (.., [_, _, ..]) => names::component(layout, Some(table), name).map(|_| Flow::Show(Vec::new())),
        _ if names::player(layout, name).is_some() => {
            let score =
                format!("why {}", names::player(layout, name).map_or_else(String::new, |seat| format!("{seat}.score")));
            Err(Diagnostic::new(format!("{name} is a player"))
                .help(format!("ask about what is the player's: `{score}`"))
                .into())
        }
        _ => {
            let known = layout.variables.iter().map(|variable| &*variable.id);
            let known = known.chain(layout.zones.iter().map(|zone| &*zone.id));
            Err(unknown("variable, zone or component", name, known.chain(layout.faces.iter().map(|face| &*face.id)))
                .into())
        }
    }
}

/// Everything that the last choice caused.
fn last(session: &Session) -> Result<Flow, Diagnostics> {
    let events = &session.position().events;
    let Some(choice) = events.iter().rposition(|event| matches!(event.what, What::Choice { .. })) else {
        return Err(Diagnostic::new("nothing has been chosen yet").help("`log all` tells how the game began").into());
    };
    let moves = events[choice].moves;
    let caused: Vec<&Event> = events[choice..].iter().filter(|event| event.moves == moves).collect();
    Ok(Flow::Page(stories(session, caused.into_iter(), usize::MAX)))
}

/// The whole way of a component through the table.
fn of_component(session: &Session, name: &str, component: Component, most: usize) -> Vec<Line> {
    let mut lines = vec![Line::strong(lies(session, name, component))];
    // What happened while nobody could tell it from others would tell which of them it had been.
    let eyes = session.scene().eyes();
    let events = &session.position().events;
    let is_move = |event: &&Event| matches!(event.what, What::Move { component: moved, .. } if moved == component);
    let told = events.iter().enumerate().filter(|(number, event)| {
        let then = || events.iter().skip(*number).find(is_move);
        event.what.is_about(component) && eyes.could_tell(event, component, then())
    });
    lines.extend(stories(session, told.map(|(_, event)| event), most));
    lines
}

/// Where a component lies.
fn lies(session: &Session, name: &str, component: Component) -> String {
    let zones = &session.position().table.zones;
    match zones.iter().position(|held| held.contains(&component)) {
        Some(zone) => format!("{name} lies in {}", session.playthrough.loaded().layout.zones[zone].id),
        None => format!("{name} is out of play"),
    }
}

/// How each thing in a zone came there, and who shuffled it last.
fn of_zone(session: &Session, zone: Zone, most: usize) -> Vec<Line> {
    let position = session.position();
    let held = &position.table.zones[zone.index()];
    let layout = &session.playthrough.loaded().layout;
    let id = &layout.zones[zone.index()].id;
    let mut lines = vec![Line::strong(match held.len() {
        _ if is_uncounted(layout, session.viewer, zone) => format!("{id} is not counted"),
        0 => format!("{id} is empty"),
        count => format!("{id} holds {count}"),
    })];
    // Which of the things that went into it are still there would tell what was taken.
    let may_list = session.scene().eyes().sees_all(zone);
    let events = position.events.iter().enumerate();
    let mut told: Vec<usize> = Vec::new();
    for &component in held {
        let came = events.clone().rfind(|(_, event)| {
            matches!(&event.what, What::Move { component: moved, to, .. } if *moved == component && *to == Some(zone))
        });
        told.extend(came.map(|(index, _)| index));
    }
    let shuffled = |event: &Event| matches!(&event.what, What::Shuffle { zone: shuffled, .. } if *shuffled == zone);
    told.extend(events.clone().rfind(|(_, event)| shuffled(event)).map(|(index, _)| index));
    if held.is_empty() || most == usize::MAX || !may_list {
        // What is not there any more is told by what happened to the zone.
        told = events.filter(|(_, event)| event.what.touches(zone)).map(|(index, _)| index).collect();
    }
    told.sort_unstable();
    lines.extend(stories(session, told.into_iter().filter_map(|index| position.events.get(index)), most));
    lines
}

/// Events, each with the script that caused it. Of many, the last ones.
fn stories<'e>(session: &Session, events: impl Iterator<Item = &'e Event>, most: usize) -> Vec<Line> {
    let scene = session.scene();
    let events: Vec<&Event> = events.collect();
    let way = |event: &Event| match event.what {
        What::Move { from, to, .. } => Some((event.moves, from, to, event.at)),
        _ => None,
    };
    let runs = events.chunk_by(|one, other| way(one).is_some() && way(one) == way(other));
    let mut rows: Vec<(Line, ScriptPoint)> =
        runs.filter_map(|run| Some((screen::story_line(&scene, run)?, run.first()?.at))).collect();
    if rows.is_empty() {
        return vec![Line::plain("  nothing has happened to it since the game began")];
    }
    let left_out = rows.len().saturating_sub(most);
    let mut lines = Vec::new();
    if left_out > 0 {
        lines.push(Line::faint(format!("  {left_out} earlier; `all` behind the command tells them")));
    }
    let rows: Vec<(Line, ScriptPoint)> = rows.drain(left_out..).collect();
    let width = rows.iter().map(|(words, _)| words.width()).max().unwrap_or(0).min(session.width / 2);
    for (words, at) in rows {
        let room = session.width.saturating_sub(width.max(words.width()) + 2);
        let cause = cause(session, at, session.width.saturating_sub(INDENT));
        if cause.width() <= room {
            lines.push(words.padded(width + 2).then(cause));
        } else {
            lines.push(words.cut(session.width));
            lines.push(Line::of_blanks(INDENT).then(cause));
        }
    }
    lines
}

/// How far the script of an event stands to the right where it has a line of its own.
const INDENT: usize = 9;

/// Which script, function and layer caused something; of a path that is too long, its end.
fn cause(session: &Session, at: ScriptPoint, room: usize) -> Line {
    let loaded = session.playthrough.loaded();
    let Some(place) = loaded.ruleset.file_line(at) else { return Line::faint("by hand") };
    let function = loaded.functions.iter().find(|info| info.at.line <= at.line && at.line <= info.last_line);
    let function = function.map_or(String::new(), |info| format!("  {}", info.name));
    let layer = loaded.ruleset.layer_in_words(at).unwrap_or_default();
    let behind = format!("{function}  {layer}");
    let place = style::ending(&place, room.saturating_sub(style::width(&behind)));
    Line::plain(place).with(behind, Label::Faint).cut(room)
}

fn why_not(session: &mut Session, option: &str) -> Result<Flow, Diagnostics> {
    if !session.shows_options() {
        return Err(session.hidden_options().into());
    }
    let option = match session.label_meant(option)? {
        Some(label) => label,
        None => component_id(session, option).or_else(|_| zone_id(session, option)).unwrap_or(option.to_owned()),
    };
    let found = why_not::why_not(&session.playthrough, &option, session.language)?;
    let mut lines = vec![Line::strong(found.sentence)];
    if let Some(component) = found.elsewhere.filter(|component| session.scene().eyes().sees(*component)) {
        lines.push(Line::plain(lies(session, &option, component)));
    }
    for line in &found.lines {
        // What the script looks at may lie hidden.
        let values = if session.viewer.is_limited() { Vec::new() } else { line.values.clone() };
        lines.extend(script_line(session, &ScriptLine { at: line.at, values }));
    }
    Ok(Flow::Show(lines.into_iter().map(|line| line.cut(session.width)).collect()))
}

/// A line of a script: where it stands, the source, the values in it.
fn script_line(session: &Session, line: &ScriptLine) -> Vec<Line> {
    let mut lines = vec![Line::of_blanks(2).then(cause(session, line.at, session.width.saturating_sub(2)))];
    let ruleset = &session.playthrough.loaded().ruleset;
    if let Some(place) = ruleset.place(line.at, "") {
        let (number, _) = place.position();
        let text = place.source.line(number).trim();
        lines.push(Line::of(format!("{number:>6} │ "), Label::Faint).with(text, Label::Plain));
    }
    let width = line.values.iter().map(|(shown, _)| style::width(shown)).max().unwrap_or(0).min(session.width / 2);
    lines.extend(line.values.iter().map(|(shown, value)| {
        Line::of_blanks(INDENT)
            .then(Line::of(style::pad(&style::cut(shown, width), width), Label::Faint))
            .with(" = ", Label::Faint)
            .with(value, Label::Plain)
    }));
    lines
}

fn why(session: &Session, variable: usize, seat: Option<Seat>) -> Vec<Line> {
    let layout = &session.playthrough.loaded().layout;
    let position = session.position();
    let id = &layout.variables[variable].id;
    let value = layout.label(&position.table.faces, &position.table.variables[variable]);
    let mut lines = vec![Line::strong(format!("{id} is {value}"))];
    let mut reasons: Vec<Reason> =
        position.events.iter().filter_map(|event| reason(session, event, variable, seat, true)).collect();
    if reasons.is_empty() {
        lines.push(Line::plain("  it has had this value since the game began"));
    }
    let standing = seat.and_then(|seat| Some((seat, position.standings.get(seat.index())?)));
    // What others hold in secret may count.
    let is_hidden = standing.is_some_and(|(seat, _)| !screen::sees_all_of(&session.scene(), seat));
    let standing = standing.filter(|_| !is_hidden);
    let now = reasons.len();
    if let Some((_, events)) = standing {
        reasons.extend(events.iter().filter_map(|event| reason(session, event, variable, seat, false)));
    }
    let widest = |text: fn(&Reason) -> &str| reasons.iter().map(|reason| style::width(text(reason))).max().unwrap_or(0);
    let (amount, what, behind) = (widest(|row| &row.amount), widest(|row| &row.what), widest(|row| &row.behind));
    // Of a path that is too long, the file and the line matter most.
    let room = session.width.saturating_sub(amount + what + behind + 8);
    for reason in &mut reasons {
        reason.place = style::ending(&reason.place, room);
    }
    let place = reasons.iter().map(|reason| style::width(&reason.place)).max().unwrap_or(0);
    for (number, reason) in reasons.iter().enumerate() {
        if number == now
            && let Some((seat, _)) = standing
        {
            lines.push(Line::strong(format!("if the game ended now it would be {}", running_score(position, seat))));
        }
        lines.push(reason.line(amount, what, place).cut(session.width));
    }
    if is_hidden {
        lines.push(Line::faint("what it would be if the game ended now is hidden from whom you look as"));
    }
    lines
}

/// One thing that made a variable what it is.
struct Reason {
    amount: String,
    what: String,
    place: String,
    /// The layer, and after which move.
    behind: String,
}

impl Reason {
    fn line(&self, amount: usize, what: usize, place: usize) -> Line {
        let text = format!(
            "  {}  {}  {}  {}",
            style::pad_left(&self.amount, amount),
            style::pad(&self.what, what),
            style::pad(&self.place, place),
            self.behind,
        );
        Line::plain(text.trim_end())
    }
}

/// What an event has to do with a variable, if anything.
fn reason(session: &Session, event: &Event, variable: usize, seat: Option<Seat>, with_move: bool) -> Option<Reason> {
    let loaded = session.playthrough.loaded();
    let (amount, what) = match &event.what {
        What::Award { seat: who, points, reason, source, .. } if Some(*who) == seat => {
            let text = loaded.layout.definition.text(reason);
            let words = text.map_or_else(|| reason.replace('_', " "), |text| text.get(session.language).to_owned());
            // What a component is may be hidden from whom the person looks as.
            let source = source.as_ref().filter(|source| session.scene().eyes().may_say(source));
            let names = names::Names { layout: &loaded.layout, language: session.language };
            let source = source.map(|source| names::text_of(&names.value(&session.position().table, source)));
            let what = match source {
                // "column" for "column 2" says nothing more.
                Some(source) if source.starts_with(&words) => source,
                Some(source) => format!("{words}, {source}"),
                None => words,
            };
            (format!("{points:+}"), what)
        }
        What::Set { variable: which, value } if *which == variable => {
            let faces = &session.position().table.faces;
            (format!("= {}", loaded.layout.label(faces, value)), "set".to_owned())
        }
        _ => return None,
    };
    let place = loaded.ruleset.file_line(event.at).unwrap_or_else(|| "by hand".to_owned());
    let layer = loaded.ruleset.layer_in_words(event.at).unwrap_or_default();
    let after = if with_move && event.moves > 0 { format!("  move {}", event.moves) } else { String::new() };
    Some(Reason { amount, what, place, behind: format!("{layer}{after}") })
}
