//! Drawing of a debugger stop: the reason, the source around the statement, the call stack and the local names.

use super::{Scene, log_line};
use crate::catalogue::{said, say};
use crate::inspect::debugger::{Call, Debugger, Places, Reason, Stop};
use crate::screen::style::{self, Label, Line};
use crate::script::paused::Local;
use crate::table::event::ScriptPoint;

/// The indentation of a wrapped source line's continuation.
const CONTINUED: usize = 4;

/// The number of source lines shown before and after the statement.
const CONTEXT_LINES: usize = 3;

/// The stop of the debugger, as shown after every step.
pub fn stop(scene: &Scene<'_>, debugger: &Debugger) -> Vec<Line> {
    let call = debugger.call();
    let is_innermost = call.is_none_or(|(number, _)| number + 1 == debugger.stop().calls.len());
    let mut lines = Vec::new();
    if is_innermost {
        lines.push(reason(scene, debugger.stop(), &debugger.stop().reason));
    }
    if let Some((_, call)) = call {
        lines.push(heading(scene, debugger.places(), call));
        lines.extend(source(scene, debugger.places(), call.site.at));
        lines.extend(locals_in_line(scene, &call.locals));
    }
    lines.retain(|line| !line.is_empty());
    lines.into_iter().map(|line| line.cut(scene.width)).collect()
}

/// The call stack, the innermost call first, each with its local names.
pub fn stack(scene: &Scene<'_>, debugger: &Debugger) -> Vec<Line> {
    let places = debugger.places();
    let rows: Vec<(String, String, String)> = debugger
        .stop()
        .calls
        .iter()
        .rev()
        .map(|call| (function(places, call), place(places, call.site.at), layer(places, call.site.at)))
        .collect();
    let widest = |text: fn(&(String, String, String)) -> &String| rows.iter().map(|row| style::width(text(row))).max();
    let room = scene.width.saturating_sub(widest(|row| &row.0).unwrap_or(0) + widest(|row| &row.2).unwrap_or(0) + 6);
    let rows: Vec<(String, String, String)> =
        rows.into_iter().map(|(name, place, layer)| (name, style::ending(&place, room), layer)).collect();
    let widths =
        rows.iter().fold((0, 0), |(one, two), row| (one.max(style::width(&row.0)), two.max(style::width(&row.1))));
    let mut lines = Vec::new();
    let chosen = debugger.call().map(|(number, _)| number);
    for ((name, place, layer), (number, call)) in rows.iter().zip(debugger.stop().calls.iter().enumerate().rev()) {
        let mark = if chosen == Some(number) { "► " } else { "  " };
        let line = Line::of(mark, Label::Turn)
            .with(style::pad(name, widths.0), Label::Plain)
            .with(format!("  {}  ", style::pad(place, widths.1)), Label::Faint)
            .with(layer, Label::Faint);
        lines.push(line.cut(scene.width));
        lines.extend(locals_in_line(scene, &call.locals).map(|line| Line::of_blanks(4).then(line).cut(scene.width)));
    }
    lines
}

/// The local names of the selected call, a line for each.
pub fn locals(scene: &Scene<'_>, debugger: &Debugger) -> Vec<Line> {
    let known = debugger.call().map(|(_, call)| call.locals.as_slice()).unwrap_or_default();
    if known.is_empty() {
        return vec![Line::of(said("nothing is known here besides the table"), Label::Faint)];
    }
    let width = known.iter().map(|local| style::width(&local.name)).max().unwrap_or(0);
    let line = |local: &Local| {
        Line::of(style::pad(&local.name, width), Label::Strong).with(format!("  {}", local.value), Label::Plain)
    };
    known.iter().map(|local| line(local).cut(scene.width)).collect()
}

/// The reason of a stop; empty after a mere step.
pub fn reason(scene: &Scene<'_>, stop: &Stop, reason: &Reason) -> Line {
    let event = |event| log_line(scene, event).map(|line| line.text().trim_start().to_owned());
    match reason {
        Reason::Stepped => Line::default(),
        Reason::Beginning if stop.place.is_first() => Line::of(said("the first statement of the game"), Label::Strong),
        Reason::Beginning => Line::of(said("the first statement after the previous choice"), Label::Strong),
        Reason::Breakpoint(number, caused) => {
            let named = if *number > 0 { say!("breakpoint {number}") } else { said("here").to_owned() };
            let line = Line::of(named, Label::Strong);
            match caused.as_deref().and_then(event) {
                Some(words) => line.with(say!(": this statement causes  {words}"), Label::Plain),
                None => line,
            }
        }
        Reason::Changes(number, expression, before, after) => Line::of(say!("breakpoint {number}"), Label::Strong)
            .with(say!(": this statement changes {expression}  "), Label::Plain)
            .with(before, Label::Plain)
            .with(" → ", Label::Faint)
            .with(after, Label::Strong),
        Reason::Asks => match &stop.position.open {
            Some(open) => {
                let who = open.seat.map_or_else(String::new, |seat| format!("{seat} "));
                Line::of(say!("the rules ask {who}{} and wait for the answer", open.prompt), Label::Prompt)
            }
            None => Line::of(said("the game stands here"), Label::Prompt),
        },
        Reason::Over => Line::of(said("the game is over"), Label::Strong),
        Reason::Failed => {
            let why = stop
                .position
                .failed
                .as_ref()
                .map_or(String::new(), |failed| format!("{}{}", said(": "), failed.first().message.told()));
            Line::of(say!("the rules fail here{why}"), Label::Error)
        }
    }
}

/// The heading of a stop: function, layer, file, and the number of moves.
fn heading(scene: &Scene<'_>, places: &Places, call: &Call) -> Line {
    let moves = scene.position.events.last().map_or(0, |event| event.moves);
    let name = function(places, call);
    let mut behind = format!("  {}", layer(places, call.site.at));
    if moves > 0 {
        behind.push_str(&format!("  {}", say!("move {}", moves)));
    }
    let room = scene.width.saturating_sub(style::width(&name) + 2 + style::width(&behind));
    let place = style::ending(&place(places, call.site.at), room);
    Line::strong(name).with(format!("  {place}"), Label::Plain).with(behind, Label::Faint)
}

/// The call form of a call's function: `score(p)`.
pub fn function(places: &Places, call: &Call) -> String {
    let Some(info) = places.functions().get(call.site.function) else { return String::new() };
    let inside = if call.site.around.is_some() { said("function in ") } else { "" };
    format!("{inside}{}({})", info.name, info.parameters.join(", "))
}

fn place(places: &Places, at: ScriptPoint) -> String {
    places.ruleset().file_line(at).unwrap_or_default()
}

/// The layer that contains a point, in words: `variant double`.
pub fn layer(places: &Places, at: ScriptPoint) -> String {
    places.ruleset().layer_in_words(at).map_or_else(String::new, |layer| layer.told().into_owned())
}

/// The source lines around a statement, with its line marked.
fn source(scene: &Scene<'_>, places: &Places, at: ScriptPoint) -> Vec<Line> {
    let Some(place) = places.ruleset().place(at, "") else { return Vec::new() };
    let (current, _) = place.position();
    let shown = current.saturating_sub(CONTEXT_LINES).max(1)..=current + CONTEXT_LINES;
    let digits = shown.end().to_string().len();
    let first = place.source.lines_before + 1;
    let lines = place.source.text.lines().zip(first..).filter(|(_, number)| shown.contains(number));
    let mut shown = Vec::new();
    for (text, number) in lines {
        let is_here = number == current;
        let text = text.replace('\t', "    ");
        let lead = Line::of(if is_here { " ► " } else { "   " }, Label::Turn)
            .with(style::pad_left(&number.to_string(), digits), Label::Number)
            .with(" │ ", Label::Faint);
        if !is_here {
            shown.push(lead.with(text, Label::Plain).cut(scene.width));
            continue;
        }
        // The line about to run is shown in full.
        let room = scene.width.saturating_sub(lead.width());
        let indent = (text.len() - text.trim_start().len() + CONTINUED).min(room / 2);
        let (first, rest) = match style::folded(&text, room).split_first() {
            Some((first, _)) => (*first, text.get(first.len()..).unwrap_or_default()),
            None => (text.as_str(), ""),
        };
        let next = Line::of_blanks(3 + digits).with(" │ ", Label::Faint).with(" ".repeat(indent), Label::Plain);
        shown.push(lead.with(first, Label::Strong));
        if !rest.is_empty() {
            let rest = style::folded(rest, room.saturating_sub(indent));
            shown.extend(rest.into_iter().map(|piece| next.clone().with(piece, Label::Strong)));
        }
    }
    shown
}

/// The local names with their values in a single line; `None` where there are none.
fn locals_in_line(scene: &Scene<'_>, locals: &[Local]) -> Option<Line> {
    let mut line = Line::default();
    for local in locals {
        if !line.is_empty() {
            line = line.with("   ", Label::Plain);
        }
        line = line.with(format!("{} = ", local.name), Label::Faint).with(&local.value, Label::Plain);
    }
    (!line.is_empty()).then(|| line.cut(scene.width))
}
